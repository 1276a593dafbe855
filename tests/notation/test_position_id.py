from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import NotationError, Setup, SideSetup, load
from bgcore.axes import Layout
from bgcore.notation.position_id import read_position_id, write_position_id
from bgcore.testing.games import Visit

from .positions import visits

DATA = Path(__file__).parent.parent / "data"
WESTERN = load().rules("western")


@pytest.mark.parametrize(
    ("text", "mover", "opponent"),
    [
        ("4HPwATDgc/ABMA", {6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}),
        ("4Dl4ADbgOXgANg", {6: 4, 8: 3, 13: 4, 23: 2, 24: 2}, {6: 4, 8: 3, 13: 4, 23: 2, 24: 2}),
        ("AACgAgAAKgAAAA", {22: 1, 23: 1, 24: 1}, {22: 1, 23: 1, 24: 1}),
        ("AABAEAAAAAAAAA", {3: 1}, {23: 1}),
        ("HC/wATDg8+AxAA", {6: 5, 8: 4, 13: 4, 16: 2}, {3: 3, 6: 4, 7: 1, 13: 5, 24: 2}),
        (
            "4PPgAQPgc+QBIg",
            {6: 5, 8: 3, 11: 1, 13: 4, 21: 1, 24: 1},
            {6: 5, 8: 4, 13: 4, 20: 2},
        ),
    ],
)
def test_the_worked_examples_read_as_they_say(
    text: str, mover: dict[int, int], opponent: dict[int, int]
) -> None:
    setup = read_position_id(text, WESTERN.variant)
    assert setup.mover.points == mover
    assert setup.opponent.points == opponent
    assert write_position_id(WESTERN.position(setup), WESTERN.variant) == text


def test_both_bars_are_in_it() -> None:
    setup = read_position_id("W9sECGBAs/AAfA", WESTERN.variant)
    assert (setup.mover.bar, setup.opponent.bar) == (5, 2)
    position = WESTERN.position(Setup(SideSetup({24: 1}, bar=2), SideSetup({24: 3}, bar=4)))
    assert write_position_id(position, WESTERN.variant) == "AACAewAAgAYAAA"
    assert WESTERN.position(read_position_id("AACAewAAgAYAAA", WESTERN.variant)) == position


@given(visits("western", "tavla"))
def test_an_id_written_and_read_is_the_same_board(visit: Visit) -> None:
    rules = visit.plays.rules
    text = write_position_id(visit.position, rules.variant)
    assert rules.position(read_position_id(text, rules.variant)) == visit.position


REASONS = {
    "shared-point": "POINT_SHARED",
    "too-many": "TOO_MANY_CHECKERS",
    "both-closed-and-on-bar": "BOTH_CLOSED_OUT",
}


def test_what_gnu_backgammon_refuses_is_refused_for_the_same_reason() -> None:
    lines = (DATA / "vectors/position-id-check.jsonl").read_text().splitlines()
    assert len(lines) == 29
    for record in map(json.loads, lines):
        if record["ok"]:
            position = WESTERN.position(read_position_id(record["id"], WESTERN.variant))
            assert write_position_id(position, WESTERN.variant) == record["id"]
        else:
            with pytest.raises(NotationError) as refused:
                read_position_id(record["id"], WESTERN.variant)
            assert refused.value.reason == REASONS[record["why"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "position ID  (0 characters): expected 14 characters"),
        ("4HPwATDgc/ABM", "position ID 4HPwATDgc/ABM (13 characters): expected 14 characters"),
        ("4HPwATDgc/ABMA==", "character 15 '=': expected a letter, a digit, + or /"),
        ("4HPwATDgc/ABM ", "character 14 ' ': expected a letter"),
        ("4HPwATDgc/ABMÄ", "character 14 'Ä': expected a letter"),
        ("4HPwATDgc/ABMB", "last character B: expected A, Q, g or w"),
        ("AAAAAAAAAAAAAg", "expected no bits behind the two sides"),
        ("/////////////w", "checkers"),
    ],
)
def test_what_is_no_id_is_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_position_id(text, WESTERN.variant)
    assert says in str(refused.value)


def test_a_variant_with_fewer_checkers_takes_fewer() -> None:
    small = replace(WESTERN.variant, id="small", checkers=3, start={24: 3})
    assert read_position_id("AACgAgAAKgAAAA", small).mover.off == 0
    with pytest.raises(NotationError) as refused:
        read_position_id("4HPwATDgc/ABMA", small)
    assert refused.value.reason == "TOO_MANY_CHECKERS"


@pytest.mark.parametrize(
    "variant",
    [
        load().variant("plakoto"),
        load().variant("gul-bara"),
        replace(WESTERN.variant, id="same-way", layout=Layout.SAME),
        replace(WESTERN.variant, id="crowded", checkers=16),
    ],
    ids=lambda variant: variant.id,
)
def test_where_a_board_does_not_fit_an_id_says_so(variant: object) -> None:
    with pytest.raises(NotationError) as refused:
        read_position_id("4HPwATDgc/ABMA", variant)  # type: ignore[arg-type]  # a Variant, to pytest an object
    assert refused.value.reason == "NOTATION_NOT_FOR_VARIANT"


@given(st.text(max_size=20) | st.text("ABQgw/+abz019", min_size=14, max_size=14))
def test_any_text_is_a_position_or_a_notation_error(text: str) -> None:
    try:
        setup = read_position_id(text, WESTERN.variant)
    except NotationError:
        return
    assert len(text) == 14
    assert sum(setup.mover.points.values()) <= 15
