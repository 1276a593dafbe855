"""Actions as JSON: what is read is what was written, and anything else is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import Action, Level, Match, NotationError, Seat, load

ACTIONS = [
    Action.throw(3, 1),
    Action.roll(Seat.WHITE, 6, 6),
    Action.play(Seat.BLACK, "8/5 6/5"),
    Action.play_steps(Seat.BLACK, ((8, 3), (6, 1))),
    Action.double(Seat.WHITE),
    Action.take(Seat.BLACK),
    Action.drop(Seat.BLACK),
    Action.resign(Seat.WHITE, Level.GAMMON),
    Action.answer_resignation(Seat.BLACK, accept=False),
    Action.next_game(),
]

BAD: list[Any] = [
    [],
    None,
    1,
    "roll",
    {},
    {"kind": "fly"},
    {"kind": 7},
    {"kind": "roll", "seat": "white"},
    {"kind": "roll", "seat": "red", "dice": [3, 1]},
    {"kind": "roll", "seat": "white", "dice": []},
    {"kind": "roll", "seat": "white", "dice": [0, 7]},
    {"kind": "roll", "seat": "white", "dice": [True, 1]},
    {"kind": "throw", "dice": [10**6000, 1]},
    {"kind": "throw", "dice": [3, 1], "seat": "white"},
    {"kind": "resign", "seat": "white", "level": []},
    {"kind": "resign", "seat": "white", "level": "triple"},
    {"kind": "answer_resignation", "seat": "white", "accept": 1},
    {"kind": "play", "seat": "white", "play": 5},
    {"kind": "play", "seat": "white", "steps": [[8]]},
    {"kind": "play", "seat": "white", "play": "", "steps": []},
]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action.kind))
def test_an_action_reads_back(action: Action) -> None:
    assert Action.from_json(action.to_json()) == action


@pytest.mark.parametrize("form", BAD)
def test_what_is_no_action_is_refused_by_name(form: Any) -> None:
    with pytest.raises(NotationError, match="expected"):
        Action.from_json(form)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(["kind", "seat", "dice", "play", "steps", "level", "accept"])
WORDS = st.sampled_from(["roll", "throw", "play", "resign", "white", "gammon"])


@given(st.dictionaries(KEYS, JSON | WORDS))
def test_nothing_but_an_error_comes_of_nonsense(form: dict[str, Any]) -> None:
    try:
        action = Action.from_json(form)
    except NotationError:
        return
    assert Action.from_json(action.to_json()) == action


def test_a_legal_play_can_be_given_as_it_is() -> None:
    match = Match.new(load().rules("western")).after(Action.throw(3, 1))
    play = match.game.plays[0]
    assert match.after(Action.play(Seat.WHITE, play)).actions[-1].text == str(play)


def test_a_seat_is_a_seat() -> None:
    with pytest.raises(NotationError, match=r"seat white: expected Seat.WHITE or Seat.BLACK"):
        Action.double("white")  # type: ignore[arg-type]  # what is wrong with it
