"""Boards whose drawings are kept: two that a test compares, and those that the documentation shows.

`python -m tests.notation.boards` draws them all anew. Look at them before committing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bgcore import Cube, Seat, load
from bgcore.notation.board_text import read_board
from bgcore.notation.svg_board import svg_board

ROOT = Path(__file__).parents[2]


def kept() -> Iterator[tuple[Path, str]]:
    """Each file with the picture that belongs in it."""
    golden, docs = ROOT / "tests/data/boards", ROOT / "docs/boards"
    western, plakoto, gul_bara = map(load().rules, ("western", "plakoto", "gul-bara"))
    bars = western.position(
        read_board("bar:2 24:1 13:4 8:2 6:4 5:2 / bar:1 24:1 22:2 13:3 8:2 6:6")
    )
    pins = plakoto.position(
        read_board("24:4 10:2 4:6 12:1 pin:19 pin:20 / 24:3 23:1 9:2 6:1 5:7 pin:21")
    )
    off = gul_bara.position(read_board("6:3 2:2 off:10 / 4:3 off:12"))
    yield (
        golden / "western-bars.svg",
        svg_board(
            western,
            bars,
            Seat.BLACK,
            cube=Cube(2, Seat.BLACK, turned=True),
            dice=(6, 6, 6, 6),
            names=('Ann & "Lee" <1>', "Bob"),
            score=(3, 5),
            length=7,
        ),
    )
    yield (
        golden / "gul-bara-off.svg",
        svg_board(gul_bara, off, Seat.WHITE, cube=None, dice=(2, 1), bottom=Seat.BLACK),
    )
    yield docs / "western.svg", svg_board(western, western.start, Seat.WHITE, dice=(3, 1))
    yield docs / "plakoto.svg", svg_board(plakoto, pins, Seat.WHITE, cube=None, dice=(4, 2))
    yield (
        docs / "gul-bara.svg",
        svg_board(gul_bara, gul_bara.start, Seat.WHITE, cube=None, dice=(6, 5)),
    )


if __name__ == "__main__":
    for path, picture in kept():
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8", newline="\n")
