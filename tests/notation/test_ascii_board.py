from __future__ import annotations

from hypothesis import given

from bgcore import Cube, Seat, load
from bgcore.notation.ascii_board import draw
from bgcore.notation.board_text import read_board
from bgcore.testing.games import Visit

from .positions import visits


def test_pins_bars_high_stacks_and_the_cube_are_drawn() -> None:
    plakoto = load().rules("plakoto")
    position = plakoto.position(read_board("24:9 6:4 2:1 pin:1 / 24:6 6:7 pin:23 off:1"))
    cube = Cube(4, Seat.WHITE, turned=True)
    lines = draw(plakoto, position, cube=cube, cube_owner="white").splitlines()
    assert lines[1].endswith("O                   X |")
    assert lines[5].endswith("7                   9 |")  # more than five of each
    assert lines[11].endswith("X               o   x |")  # a small letter lies pinned
    assert lines[13:] == ["X on roll", "cube 4, white's", "X 243 pips", "O 209 pips, 1 off"]


def test_a_parallel_board_shows_the_opponent_where_he_stands() -> None:
    gul_bara = load().rules("gul-bara")
    lines = draw(gul_bara, gul_bara.start, dice=(6, 5)).splitlines()
    assert lines[0].endswith("-24-+")
    assert lines[1].endswith(" X |")
    assert lines[-5].startswith("|  O ") or lines[11].startswith(
        "|  O "
    )  # his 24 is the mover's 12
    assert "X to play 6-5" in lines


def test_checkers_on_the_bar_are_counted_beside_the_board() -> None:
    western = load().rules("western")
    position = western.position(read_board("bar:2 6:13 / 24:1 off:14"))
    assert draw(western, position).splitlines()[-2:] == ["X 128 pips, 2 bar", "O 24 pips, 14 off"]


@given(visits())
def test_every_line_of_a_board_is_as_wide_as_the_others(visit: Visit) -> None:
    board = draw(visit.plays.rules, visit.position, dice=visit.roll.dice).splitlines()[:13]
    assert len({len(line) for line in board}) == 1
