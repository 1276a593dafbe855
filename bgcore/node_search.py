"""The legal plays where a variant's own code says, node by node, which checkers may move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgcore import kernel
from bgcore.outcome import Ending
from bgcore.play import STEPS
from bgcore.position import Position

if TYPE_CHECKING:
    from bgcore.rules import Rules
    from bgcore.turn import Turn


@dataclass(frozen=True, slots=True)
class Node:
    """Where some steps have led: a position, the numbers left, the kernel's context; how, and what it counts."""

    position: Position
    left: bytes  # the largest first
    context: int
    play: bytes = b""
    over: bool = False
    rank: int = 0  # how many numbers it counts as having used (R6), 0 where no play may end


def searched(
    rules: Rules, start: Position, numbers: bytes, turn: Turn, context: int, record: bytes
) -> bytes:
    """The answer of `kernel.plays` with the steps that the rules' own gates let through; R3 as there.

    `turn` has no steps: nodes that different orders of steps lead to are one.
    """
    nodes = reached(rules, start, numbers, turn, context, record)
    best = max((node.rank for node in nodes), default=0)
    kept = [node for node in nodes if best and node.rank == best]
    if best == 1 and len(numbers) > 1 and rules.variant.higher_die_rule:
        largest = max(node.play[0] & 7 for node in kept)
        kept = [node for node in kept if node.play[0] & 7 == largest]
    distinct: dict[Position, Node] = {}
    for node in kept:
        distinct.setdefault(node.position, node)
    used = max((len(node.play) for node in distinct.values()), default=0)
    plays = b"".join(node.play.ljust(STEPS, b"\0") for node in distinct.values())
    return bytes((used, 0, 0, 0)) + plays


def reached(
    rules: Rules, start: Position, numbers: bytes, turn: Turn, context: int, record: bytes
) -> list[Node]:
    """Every node that steps lead to, level by level, larger numbers and higher points first."""
    if rules.outcome(start):
        return []
    first = Node(start, bytes(sorted(numbers, reverse=True)), context)
    found: list[Node] = []
    level = [first]
    while level:
        following: dict[tuple[Position, bytes, int], Node] = {}
        for here in level:
            for node in () if here.over else after(rules, here, turn, record):
                following.setdefault((node.position, node.left, node.context), node)
        level = list(following.values())
        found += level
    return found


def after(rules: Rules, here: Node, turn: Turn, record: bytes) -> list[Node]:
    """The nodes that one more step leads to."""
    packed = here.position.packed
    steps = kernel.steps(rules.board(here.position), here.left, record, here.context)
    if not steps:
        return []
    gates = rules.gates(here.position, tuple(here.left), turn)
    made = []
    for code in sorted(steps, key=lambda code: (code & 7, code), reverse=True):
        if not gates.let_through(code):
            continue
        origin, number = code >> 3, code & 7
        board, context = kernel.step(packed, record, here.context, origin, number)
        position, play = Position(board), here.play + bytes((code,))
        at = here.left.index(number)
        left = here.left[:at] + here.left[at + 1 :]
        outcome = rules.outcome(position)
        rank = len(play)
        if kernel.barred(board, record):
            rank = 0
        elif outcome and outcome.ending is not Ending.BORNE_OFF:
            rank += len(left)  # such an end counts as having used every number (R6)
        made.append(Node(position, left, context, play, outcome is not None, rank))
    return made
