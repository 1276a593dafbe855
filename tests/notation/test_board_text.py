from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import IllegalPosition, NotationError, SideSetup, load
from bgcore.notation.board_text import read_board, write_board
from bgcore.testing.games import Visit

from .positions import visits


@given(visits())
def test_a_board_written_and_read_is_the_same_board(visit: Visit) -> None:
    text = write_board(visit.position)
    assert visit.plays.rules.position(read_board(text)) == visit.position
    assert write_board(read_board(text)) == text


def test_every_place_is_written_where_it_is_needed() -> None:
    plakoto = load().rules("plakoto")
    text = "24:12 6:1 pin:2 off:1 / 24:13 23:1 pin:19"
    assert write_board(plakoto.position(read_board(text))) == text
    side = SideSetup({24: 2}, bar=1, off=3, unentered=2, pinned=(17, 9))
    assert write_board(read_board("/")) == "/"
    setup = read_board("off:3 PIN:17 pin:9 In:2,24:2 bar:1 | off:15")
    assert setup.mover == side
    assert write_board(setup) == "bar:1 in:2 24:2 pin:17 pin:9 off:3 / off:15"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "column 1 the end: expected two sides"),
        ("24:2 13:5", "column 10 the end: expected two sides"),
        ("24:2 / 13:5 / 6:1", "column 13 /: expected two sides"),
        ("24:2 13-5 / 6:1", "column 6 13-5: expected a place and a count"),
        ("24:2 / 6:x", "column 8 6:x: expected a place and a count"),
        ("24:2 / home:3", "column 8 home:3: expected a place and a count"),
        ("24:2 24:1 / 6:1", "column 6 24:1: expected each place at most once"),
        ("24:2 / bar:1 bar:1", "column 14 bar:1: expected each place at most once"),
        ("24:99999999999 / 6:1", "column 1 24:99999999999: expected a place and a count"),
        ("24:²/", "column 1 24:²: expected a place"),
        ("x" * 3000, "column 2001: expected at most 2000 characters"),
    ],
)
def test_a_text_that_is_no_board_is_refused_with_the_column(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_board(text)
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize("text", ["0:1 / 6:1", "26:1 / 6:1", "1000000000:1 / 6:1"])
def test_a_point_that_does_not_exist_is_read_and_refused_by_the_rules(text: str) -> None:
    with pytest.raises(IllegalPosition) as refused:
        load().rules("western").position(read_board(text))
    assert refused.value.reason == "POINT_UNKNOWN"


@given(st.text() | st.text("0123456789:/ |,barinpof"))
def test_any_text_is_a_setup_or_a_notation_error(text: str) -> None:
    where = "column 1"
    try:
        read_board(text)
    except NotationError as error:
        where = error.faults[0].field
    assert where.startswith("column ")
