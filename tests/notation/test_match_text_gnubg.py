"""GNU Backgammon reads what we write, and writes it again as it stood."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bgcore import load
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.text_file import decode
from bgcore.record import Record
from bgcore.replay import matches_in
from tests.notation.gnubg_run import said

from .dialects import Temper, played
from .samples import told

pytestmark = pytest.mark.needs_gnubg


def imported(texts: Sequence[str], home: Path) -> list[str]:
    """Each text read by GNU BG's `import mat` and written by its `export match mat`, in one process."""
    commands = ["set confirm new off", "set confirm save off", "set automatic game off"]
    for number, text in enumerate(texts):
        (home / f"{number}.mat").write_text(text, encoding="utf-8")
        commands += [f"import mat {home}/{number}.mat", f"export match mat {home}/{number}.out"]
    heard = said(commands, home)
    # It warns of what it cannot read, and goes on.
    assert re.findall(r"(?i).*(?:warning|unrecogni[sz]ed|invalid).*", heard) == []
    return [(home / f"{number}.out").read_text(encoding="utf-8") for number in range(len(texts))]


def body(text: str) -> list[str]:
    """The lines of the games, without "and the match", which GNU BG leaves out, and trailing blanks.

    A result beside a roll that was not played stands a column farther left there.
    """
    games = text[text.index(" Game 1") :].replace(" and the match", "").rstrip()
    return [re.sub(r" +Wins", " Wins", line.rstrip()) for line in games.splitlines()]


def real_records(folder: Path) -> dict[str, Record]:
    """The 101 matches. Players are named, as GNU BG cannot read an empty name."""
    found = {}
    for file in sorted((folder / "western").glob("*.txt")):
        [match] = matches_in(decode(file.read_bytes()))
        found[file.name] = replace(match.record, names=("ann", "bob"))
    return found


@pytest.mark.needs_real
def test_every_real_match_that_we_write_is_written_by_gnubg_line_by_line(
    real: Path, tmp_path: Path
) -> None:
    records = real_records(real)
    ours = [write_match_text([record], load()) for record in records.values()]
    assert len(ours) == 101
    different = {}
    for name, our, their in zip(records, ours, imported(ours, tmp_path), strict=True):
        lines = zip(body(our), body(their), strict=True)
        if wrong := [pair for pair in lines if pair[0] != pair[1]]:
            different[name] = wrong
    # It counts a gammon of a money game in full though nobody doubled.
    assert different == {"galaxy-058.txt": [(" Wins 1 point", " Wins 2 points")]}


def test_matches_of_bots_that_we_write_are_written_by_gnubg_line_by_line(tmp_path: Path) -> None:
    rules = [load().rules("western", options={"match_length": length}) for length in (1, 3, 7)]
    # After a roll that is not played GNU BG may make the play itself, so nobody resigns here.
    temper = Temper(resigns=0)
    matches = [played(rules[seed % 3], seed, temper, games=4) for seed in range(15)]
    ours = [write_match_text([Record.of(match, ("ann", "bob"))], load()) for match in matches]
    for our, their in zip(ours, imported(ours, tmp_path), strict=True):
        assert body(our) == body(their)


@pytest.mark.needs_real
def test_what_gnubg_writes_is_read_as_the_same_match(real: Path, tmp_path: Path) -> None:
    records = list(real_records(real).values())
    theirs = imported([write_match_text([record], load()) for record in records], tmp_path)
    for record, text in zip(records, theirs, strict=True):
        [match] = matches_in(text)
        faults = [str(fault) for fault in match.report.faults]
        if "Wins 2: expected Wins 1" in " ".join(faults):  # the gammon of above
            continue
        assert faults == []
        assert match.match is not None
        assert told(match.match) == told(record.match(load()))


BEAVER = """\
 0 point match

 Game 1
 ann : 0                        bob : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
  2)  Doubles => 2                Beavers => 4
  3) 52: 24/22 13/8              43: 13/10 13/9
  4) 21: 13/11* 6/5              54:
"""


def test_gnubg_reads_a_beaver_that_is_taken(tmp_path: Path) -> None:
    [match] = matches_in(BEAVER)
    text = write_match_text([match.record], load())
    [their] = imported([text], tmp_path)
    assert body(text) == body(their) == body(BEAVER)
