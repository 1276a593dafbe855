"""A board drawn with letters, from the mover's side: X is the mover, O the opponent.

The drawing takes the geometry from the rules, so that one routine draws every variant: points carry the
mover's numbers, the opponent's checkers stand where his own numbers lie for that layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from bgcore.cube import Cube
from bgcore.position import POINTS, Position, Side
from bgcore.rules import Rules

HEIGHT = 5
"""Checkers that are drawn one by one; a higher stack ends in its number."""
TOP = tuple(range(POINTS // 2 + 1, POINTS + 1))
BOTTOM = tuple(range(POINTS // 2, 0, -1))
MOVER, OPPONENT = "X", "O"


def draw(
    rules: Rules,
    position: Position,
    *,
    dice: Sequence[int] = (),
    cube: Cube | None = None,
    cube_owner: str = "",
) -> str:
    """The board as lines of text. A small letter lies pinned under the checkers above it.

    `cube_owner` says how its owner is called; without one the cube is in the middle.

    >>> from bgcore import load
    >>> western = load().rules("western")
    >>> print(draw(western, western.start, dice=(3, 1)))
    +-13--14--15--16--17--18-------19--20--21--22--23--24-+
    |  X               O     |   |  O                   X |
    |  X               O     |   |  O                   X |
    |  X               O     |   |  O                     |
    |  X                     |   |  O                     |
    |  X                     |   |  O                     |
    |                        |   |                        |
    |  O                     |   |  X                     |
    |  O                     |   |  X                     |
    |  O               X     |   |  X                     |
    |  O               X     |   |  X                   O |
    |  O               X     |   |  X                   O |
    +-12--11--10---9---8---7--------6---5---4---3---2---1-+
    X to play 3-1
    X 167 pips
    O 167 pips
    """
    columns = {point: _column(rules, position, point) for point in range(1, POINTS + 1)}
    top = [_row([columns[point][level] for point in TOP]) for level in range(HEIGHT)]
    bottom = [
        _row([columns[point][level] for point in BOTTOM]) for level in reversed(range(HEIGHT))
    ]
    lines = [_edge(TOP), *top, _row([" "] * len(TOP)), *bottom, _edge(BOTTOM)]
    lines += _legend(position, dice, cube, cube_owner)
    return "\n".join(lines)


def _column(rules: Rules, position: Position, point: int) -> list[str]:
    """What stands on a point, from the edge inwards."""
    mover, opponent = position.mover, position.opponent
    theirs = rules.opponents_point(point)
    stack = [MOVER.lower()] * (point in mover.pinned) + [OPPONENT.lower()] * (
        theirs in opponent.pinned
    )
    stack += [MOVER] * mover[point] + [OPPONENT] * opponent[theirs]
    if len(stack) > HEIGHT:
        stack = [*stack[: HEIGHT - 1], str(len(stack))]
    return stack + [" "] * (HEIGHT - len(stack))


def _row(cells: Sequence[str]) -> str:
    left, right = ("".join(f"{cell:>3} " for cell in half) for half in (cells[:6], cells[6:]))
    return f"|{left}|   |{right}|"


def _edge(points: Sequence[int]) -> str:
    left, right = ("".join(f"{point:->3}-" for point in half) for half in (points[:6], points[6:]))
    return f"+{left}-----{right}+"


def _legend(position: Position, dice: Sequence[int], cube: Cube | None, owner: str) -> list[str]:
    to_play = f"to play {'-'.join(map(str, dice))}" if dice else "on roll"
    lines = [f"{MOVER} {to_play}"]
    if cube is not None:
        lines.append(f"cube {cube.value}" + (f", {owner}'s" if owner else ""))
    lines += [_side(MOVER, position.mover), _side(OPPONENT, position.opponent)]
    return lines


def _side(name: str, side: Side) -> str:
    places = {"bar": side.bar, "not entered": side.unentered, "off": side.off}
    return ", ".join(
        [
            f"{name} {side.pips} pips",
            *(f"{count} {place}" for place, count in places.items() if count),
        ]
    )
