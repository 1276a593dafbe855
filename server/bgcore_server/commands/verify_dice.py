"""`bgcore verify-dice`: whether the throws of a match record follow from its seeds."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click

from bgcore import Fault, Kind, NotationError
from bgcore.dice_proof import DiceProof, Verdict, verify
from bgcore.errors import shown
from bgcore.notation.board_json import read_dice_json
from bgcore.notation.json_line import LONGEST_LINE
from bgcore.notation.record_text import VERSION
from bgcore.row_fault import RowFault
from bgcore_server.commands.paths import Named
from bgcore_server.commands.plays import read_object
from bgcore_server.commands.replay import located, printable, unreadable

WITH_DICE = frozenset({Kind.THROW.value, Kind.ROLL.value})
MOST_SHOWN = 20
"""So many faults of a file are shown: after a throw that was left out, every other is wrong."""


@click.command("verify-dice")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE…",
    type=Named(path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line a file instead of a sentence.")
@click.pass_context
def command(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Verify that every throw of a match record follows from its seeds.

    Takes records of bgcore, a match a file: JSON lines, the first of which tells of the dice. What does not
    hold is reported on standard error as FILE:LINE with what was expected, and the exit status is 1. So it
    is where nothing can be verified: dice of another mode than "committed", or a server seed that is secret
    still. A match that was played on from a record, or converted from another notation, tells of no dice
    (docs/dice.md says what to do).

    Compare the commitment and your own seed with what you saw and gave before play: a record that was made
    up as a whole agrees with itself.
    """
    failed = False
    for file in files:
        checked = verify_file(file)
        failed = failed or not checked.holds
        for fault in checked.faults[:MOST_SHOWN]:
            click.echo(located(str(file), fault), err=True)
        if more := len(checked.faults[MOST_SHOWN:]):
            click.echo(printable(f"{file}: … and {more} more throws"), err=True)
        if as_json:
            click.echo(json.dumps(checked.to_json(str(file)), separators=(",", ":")))
        else:
            click.echo(printable(f"{file}: {checked.summary}"))
    if failed:
        context.exit(1)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a file. Without a verdict it could not be read, and the one fault says why."""

    proof: DiceProof | None
    verdict: Verdict | None
    faults: tuple[RowFault, ...]

    @property
    def holds(self) -> bool:
        """Every throw was verified."""
        return self.verdict is not None and self.verdict.holds

    @property
    def summary(self) -> str:
        """What it came to, for people."""
        if self.verdict is None or self.verdict.proof_faults or self.verdict.nothing:
            return "not verified"
        throws, wrong = self.verdict.throws, len(self.verdict.throw_faults)
        if wrong:
            do_not = "does not" if wrong == 1 else "do not"
            return f"{wrong} of {throws} throws {do_not} follow from the seeds"
        if not throws:
            return "no throw yet, and the commitment is that of the server seed"
        return (
            "the one throw follows from the seeds"
            if throws == 1
            else f"all {throws} throws follow from the seeds"
        )

    def to_json(self, file: str) -> dict[str, object]:
        """The same as an object."""
        return {
            "file": file,
            "verified": self.holds,
            "mode": self.proof.mode.value if self.proof else None,
            "throws": self.verdict.throws if self.verdict else None,
            "faults": [
                {"line": fault.line or None, "reason": fault.reason, "message": fault.message}
                for fault in self.faults
            ],
        }


def verify_file(file: Path) -> Checked:
    """The dice of a record verified."""
    try:
        with file.open("rb") as data:
            record = read_record(data)
    except OSError as error:
        return Checked(None, None, (unreadable(error),))
    except BrokenLineError as broken:
        return Checked(None, None, (broken.row,))
    verdict = verify(record.proof, [thrown for _, thrown in record.throws])
    return Checked(record.proof, verdict, tuple(_rows(record, verdict)))


# -- reading a record --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceOfRecord:
    """What a record tells of its dice, and every throw with the line in which it stands."""

    line: int
    proof: DiceProof
    throws: tuple[tuple[int, tuple[int, ...]], ...]


class BrokenLineError(Exception):
    """A line of a record that cannot be read."""

    def __init__(self, line: int, fault: Fault) -> None:
        self.row = RowFault(line, fault.reason, str(fault).removeprefix("line: "))
        super().__init__(str(self.row))


def read_record(data: BinaryIO) -> DiceOfRecord:
    """The dice of a record; `BrokenLineError` at the first line that cannot be read.

    Keys that have nothing to do with dice are not looked at, and lines that are no actions are passed over.
    """
    at: int | None = None
    proof = None
    throws = []
    number = 1
    for number, line in numbered(data):
        try:
            form = _object(line)
            if proof is None:
                at, proof = number, _proof(form)
            elif "bgcore" in form:
                raise NotationError(
                    Fault("SECOND_RECORD", message="another record begins: expected one a file")
                )
            elif (thrown := _thrown(form)) is not None:
                throws.append((number, thrown))
        except NotationError as error:
            raise BrokenLineError(number, error.faults[0]) from None
    if proof is None or at is None:
        raise BrokenLineError(number, Fault("NOT_A_RECORD", "file", "without a line", FIRST_LINE))
    return DiceOfRecord(at, proof, tuple(throws))


def numbered(data: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank with their numbers; `None` for one that is too long, and the last.

    A mark that the text is UTF-8 may stand before the first.
    """
    number = 0
    while line := data.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            yield number, None
            return
        if line.strip():
            yield number, line


DICE_TOLD = (
    'an object such as {"mode": "system"}. A match that was played on from a record, or converted from '
    "another notation, tells of no dice: its table may verify those thrown there (docs/dice.md)"
)
FIRST_LINE = 'a record, whose first line begins {"bgcore":1'


def _object(line: bytes | None) -> Mapping[str, object]:
    if line is not None and not line.lstrip().startswith(b"{"):
        raise NotationError(Fault("BAD_JSON", "line", "", "a JSON object in each line of a record"))
    return read_object(line)


def _proof(form: Mapping[str, object]) -> DiceProof:
    """The dice of a record's first line."""
    if "bgcore" not in form:
        raise NotationError(Fault("NOT_A_RECORD", "bgcore", "missing", FIRST_LINE))
    version = form["bgcore"]
    if type(version) is not int or version != VERSION:
        raise NotationError(Fault("RECORD_VERSION", "bgcore", shown(version), str(VERSION)))
    if "dice" not in form:
        raise NotationError(Fault("BAD_DICE_PROOF", "dice", "missing", DICE_TOLD))
    return DiceProof.from_json(form["dice"])


def _thrown(form: Mapping[str, object]) -> tuple[int, ...] | None:
    """The numbers that an action throws; `None` where it throws none, or is no action.

    Whatever action has dice counts, since a throw that is passed over would move all that follow.
    """
    kind = form.get("kind")
    if not isinstance(kind, str) or (kind not in WITH_DICE and "dice" not in form):
        return None
    if "dice" not in form:
        raise NotationError(Fault("BAD_DICE", "dice", "missing", "two or three numbers"))
    return read_dice_json(form["dice"], 2, 3)


# -- what does not hold ------------------------------------------------------------------------------


def _rows(record: DiceOfRecord, verdict: Verdict) -> Iterator[RowFault]:
    """Everything that does not hold, with its line."""
    if verdict.nothing:
        message = f"dice mode {record.proof.mode}: {verdict.nothing}, expected committed"
        yield RowFault(record.line, "NOTHING_TO_VERIFY", message)
    for fault in verdict.proof_faults:
        yield RowFault(record.line, fault.reason, str(fault))
    for throw, fault in verdict.throw_faults.items():
        line, _ = record.throws[throw]
        yield RowFault(line, fault.reason, str(fault))
