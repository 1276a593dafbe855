"""How long it takes to read and check match files, beside what is inside it, and beside GNU Backgammon.

    python -m tests.benchmarks.bench_match_text [--rounds 5]

The 101 real matches, or our samples where those are not there. Processor time; medians over interleaved
rounds, in ms a match. Everything that the files hold must come out first: no fault, and every result.
`read and checked` is `bgcore.replay.matches_in`: text to tree to actions, each judged by the engine. Inside
it are the tree alone, the match played again from its record alone, and one bare kernel call a roll. GNU BG
imports the same files in one process, its start taken off; it checks plays only, and no cube, score or result.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from bgcore import Kind, Match, Rules, kernel, load
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.text_file import decode
from bgcore.record import Record
from bgcore.replay import ReplayedMatch, matches_in
from tests.benchmarks.bench_kernel import WESTERN, Contender, Question, measure, show
from tests.needs import ROOT, gnubg, no_real_data, real_folder

REGISTRY = load()


def main() -> None:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()

    real = not no_real_data()
    folder = real_folder() / "western" if real else ROOT / "tests/data/matches"
    files = sorted(folder.glob("*.txt"))
    texts = [decode(file.read_bytes()) for file in files]
    found = [match for text in texts for match in matches_in(text, REGISTRY)]
    records = [match.record for match in found]
    asked = [question for record in records for question in questions(record)]
    rolls = check(found, asked)
    assert not real or (len(found), rolls) == (101, 18620)
    show("matches", len(found), f"{'real' if real else 'samples'}, {rolls} rolls, no fault")

    def checked() -> None:
        for text in texts:
            matches_in(text, REGISTRY)

    def tree() -> None:
        for text in texts:
            list(read_matches(text))

    def again() -> None:
        for record in records:
            record.match(REGISTRY)

    def bare() -> None:
        for position, numbers in asked:
            kernel.plays(position, numbers, WESTERN)

    def written() -> None:
        write_match_text(records, REGISTRY)

    size = len(found)
    contenders = [
        Contender("read and checked", checked, size),
        Contender("tree alone", tree, size),
        Contender("record played again", again, size),
        Contender("bare kernel calls", bare, size),
        Contender("written and proved", written, size),
    ]
    spent = {name: time / 1000 for name, time in measure(contenders, given.rounds).items()}
    for name, time in spent.items():
        show(name, time, "ms a match")
    ours = spent["read and checked"]
    show("read and checked", 1000 / ours, "matches/s")
    show("read and checked", rolls / size * 1000 / ours, "rolls/s")
    show("against bare kernel calls", ours / spent["bare kernel calls"], "times")
    if gnubg() is None:
        print("skipped: gnubg is not installed")
        return
    theirs = median(imported(files) for _ in range(given.rounds)) / size
    show("GNU BG, import mat", theirs, "ms a match")
    show("against GNU BG", ours / theirs, "times, one checking all and one plays")


def questions(record: Record) -> list[Question]:
    """What the kernel is asked in a match: the position and the numbers of each roll."""
    rules: Rules = record.rules(REGISTRY)
    match, asked = Match.new(rules, record.start), []
    for action in record.actions:
        match = match.after(action)
        if action.kind in (Kind.THROW, Kind.ROLL) and match.game.turn.parts:
            asked.append((match.game.position.packed, bytes(match.game.turn.parts[0].numbers)))
    return asked


def check(found: list[ReplayedMatch], asked: list[Question]) -> int:
    """How many rolls there are, all of them legal and every game with its end; each was asked about."""
    rolls = 0
    for match in found:
        assert match.report.faults == ()
        assert match.match is not None
        assert len(match.match.results) == len(match.report.games)
        assert match.record.match(REGISTRY) == match.match
        rolls += sum(game.rolls for game in match.report.games)
    assert rolls == len(asked)
    return rolls


def imported(files: list[Path]) -> float:
    """The processor time, in ms, of GNU BG for importing files, without that for starting."""
    return run(files) - run([])


def run(files: list[Path]) -> float:
    program = gnubg()
    assert program is not None
    commands = [
        "set confirm new off",
        "set automatic game off",
        *(f"import mat {f}" for f in files),
    ]
    with tempfile.TemporaryDirectory() as home:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [program, "-t", "-q", "-r"],
            input="\n".join([*commands, "show statistics match", ""]),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "HOME": home, "LC_ALL": "C"},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert not files or "player2" in done.stdout or "bob" in done.stdout  # it has read the last
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent * 1000


if __name__ == "__main__":
    main()
