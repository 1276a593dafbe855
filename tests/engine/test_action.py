"""Actions as JSON: what is read is what was written, and anything else is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bgcore import Action, IllegalAction, Kind, Level, Match, NotationError, Seat, load

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


@pytest.mark.parametrize(
    "steps",
    [5, "ab", (8, 3), ((8,),), ((8, 3, 1),), ((8, "3"),), ((8.0, 3),), ((True, 3),), {8: 3}],
)
def test_steps_are_pairs_of_numbers(steps: Any) -> None:
    with pytest.raises(NotationError, match=r"steps .*: expected pairs of origin and number"):
        Action.play_steps(Seat.WHITE, steps)


@given(st.lists(st.tuples(st.integers(), st.integers()), max_size=6).map(tuple))
def test_steps_that_no_board_has_are_refused_like_any_others(
    steps: tuple[tuple[int, int], ...],
) -> None:
    match = Match.new(load().rules("western")).after(Action.throw(3, 1))
    legal = [tuple((one.origin, one.number) for one in play.steps) for play in match.game.plays]
    assume(steps not in legal)
    with pytest.raises(IllegalAction):
        match.after(Action.play_steps(Seat.WHITE, steps))


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "throw"},
        {"kind": Kind.THROW, "dice": None},
        {"kind": Kind.PLAY, "seat": Seat.WHITE, "text": 5},
        {"kind": Kind.RESIGN, "seat": Seat.WHITE, "level": "gammon"},
        {"kind": Kind.ANSWER_RESIGNATION, "seat": Seat.WHITE, "accept": 1},
    ],
)
def test_values_of_another_type_are_refused_by_name(values: dict[str, Any]) -> None:
    name = {"text": "play"}.get(last := list(values)[-1], last)
    with pytest.raises(NotationError, match=f"{name} .*: expected"):
        Action(**values)


@pytest.mark.parametrize("steps", [[(24, 5)], [[24, 5]], ([24, 5],), ((24, 5),)])
def test_steps_are_kept_so_that_an_action_can_be_hashed_and_compared(steps: Any) -> None:
    action = Action(Kind.PLAY, Seat.WHITE, steps=steps)
    again = Action.from_json(action.to_json())
    assert action == again == Action.play_steps(Seat.WHITE, ((24, 5),))
    assert hash(action) == hash(again)


@pytest.mark.parametrize("nothing", [None, 5, "throw", {"kind": "throw", "dice": [3, 1]}])
def test_what_is_no_action_is_refused(nothing: Any) -> None:
    match = Match.new(load().rules("western"))
    for after in (match.after, match.game.after):
        with pytest.raises(IllegalAction, match="no action, expected an Action such as"):
            after(nothing)
