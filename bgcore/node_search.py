"""The legal plays where a variant's own code says, node by node, which checkers may move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore import kernel
from bgcore.outcome import Ending
from bgcore.position import Position

if TYPE_CHECKING:
    from bgcore.rules import Rules
    from bgcore.turn import Turn


def searched(
    rules: Rules, start: Position, numbers: bytes, turn: Turn, context: int, record: bytes
) -> bytes:
    """The answer of `kernel.plays` with the steps that the rules' own gates let through; R3 as there.

    The kernel searches, and asks at its nodes; what boards it asks about again, by other steps, are
    remembered. `turn` has no steps: it is not told how a board was reached.
    """
    if rules.outcome(start):
        return bytes(4)
    shown = rules.board(start)
    answers: dict[tuple[bytes, bytes], int] = {}

    def ask(board: bytes, left: bytes) -> int:
        if (answer := answers.get((board, left))) is None:
            here = Position(board if shown == start.packed else unshown(board, shown, start.packed))
            answer = answers[board, left] = answered(rules, here, left, turn)
        return answer

    return kernel.plays_asking(shown, numbers, record, context, ask, rules.ends)


def answered(rules: Rules, here: Position, left: bytes, turn: Turn) -> int:
    """What the kernel is told: which sources and closed points, or that the game has ended."""
    if rules.ends and (outcome := rules.outcome(here)):
        return 0 if outcome.ending is Ending.BORNE_OFF else kernel.ENDED
    return rules.gates(here, tuple(left), turn).bits


def unshown(board: bytes, shown: bytes, start: bytes) -> bytes:
    """The position behind a board that the kernel was shown in its place, after some steps."""
    return bytes(
        after - before + real for after, before, real in zip(board, shown, start, strict=True)
    )
