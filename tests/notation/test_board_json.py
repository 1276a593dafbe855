from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import NotationError
from bgcore.notation.board_json import (
    read_board_json,
    read_dice_json,
    read_turn_json,
    write_board_json,
)
from bgcore.testing.games import Visit
from bgcore.turn import ORDINARY_TURN, Turn

from .positions import visits


@given(visits())
def test_a_board_written_and_read_is_the_same_board(visit: Visit) -> None:
    form = write_board_json(visit.position)
    assert visit.plays.rules.position(read_board_json(form)) == visit.position
    assert {"me_off", "opp_off"} <= form.keys()
    assert all(form[key] for key in form.keys() - {"me", "me_off", "opp", "opp_off"})


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"me": [24]}, "me [24]: expected points and checkers"),
        ({"me": {"24": "2"}}, 'me.24 "2": expected a whole number from 0'),
        ({"me": {"24": 2.0}}, "me.24 2.0: expected a whole number"),
        ({"me": {"24": True}}, "me.24 true: expected a whole number"),
        ({"me": {"24": -1}}, "me.24 -1: expected a whole number"),
        ({"me": {"x": 1}}, 'me point "x": expected 1 to 24'),
        ({"me": {"24": 1, "024": 1}}, 'me point "024": expected each point once'),
        ({"me": {}, "opp_bar": None}, "opp_bar null: expected a whole number"),
        ({"me": {}, "me_pinned": 3}, "me_pinned 3: expected a list of points"),
        ({"me": {}, "me_pinned": [[]]}, "me_pinned []: expected a whole number"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(form: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_board_json(form)
    assert str(refused.value).startswith(says)


def test_a_turn_without_facts_is_an_ordinary_one() -> None:
    assert read_turn_json(None) is ORDINARY_TURN
    assert read_turn_json({}) is ORDINARY_TURN
    assert read_turn_json({"own_roll": 4, "left_head": 1}) == Turn(own_roll=4, left_head=1)


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"own_roll": 0}, "BAD_FIELD"),
        ({"own_roll": "1"}, "BAD_FIELD"),
        ({"left_head": -1}, "BAD_FIELD"),
        ({"rolls": 1}, "UNKNOWN_FIELD"),
        ([1], "BAD_FIELD"),
    ],
)
def test_facts_that_are_none_are_refused(form: object, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_turn_json(form)
    assert refused.value.reason == reason


@pytest.mark.parametrize("dice", [None, [], [1], [1, 2, 3], [0, 1], [7, 1], [1.0, 2], ["1", 2], 31])
def test_dice_that_are_none_are_refused(dice: object) -> None:
    with pytest.raises(NotationError) as refused:
        read_dice_json(dice, 2, 2)
    assert refused.value.reason == "BAD_DICE"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["me", "opp", "me_bar", "opp_pinned", "me_off", "opp_reserve"])


@given(st.dictionaries(KEYS, JSON), JSON)
def test_any_json_is_a_setup_or_a_notation_error(form: dict[str, object], turn: object) -> None:
    with suppress(NotationError):
        read_board_json(form)
    with suppress(NotationError):
        read_turn_json(turn)
