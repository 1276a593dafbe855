from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import Cube, Level, NotationError, Seat, load
from bgcore.notation.match_id import (
    read_gnubg_id,
    read_match_id,
    write_gnubg_id,
    write_match_id,
)
from bgcore.notation.situation import Situation, State

from .situations import beavers, mutated, situations

VECTORS = Path(__file__).parent.parent / "data/vectors"
WESTERN = load().rules("western")
WHITE, BLACK = Seat.WHITE, Seat.BLACK
PLAIN = Situation(seat=BLACK, decider=BLACK)


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


def fields(here: Situation) -> dict[str, object]:
    """A situation in the words of the vectors, as long as no beaver waits."""
    return {
        "cube": here.cube.value,
        "owner": -1 if here.cube.owner is None else here.cube.owner,
        "on_roll": here.seat,
        "crawford": here.crawford,
        "state": list(State).index(here.state),
        "turn": here.decider,
        "doubled": here.raised,
        "resigned": [None, *Level].index(here.resigned),
        "dice": list(here.dice or (0, 0)),
        "length": here.length or 0,
        "score": list(here.score),
        "jacoby": here.jacoby,
    }


# -- what GNU Backgammon writes and refuses ------------------------------------------------------------


def test_the_vectors_say_what_they_say_and_are_written_with_the_same_characters() -> None:
    records = vectors("match-id.jsonl")
    assert len(records) == 200
    for record in records:
        text = record.pop("id")
        here = read_match_id(text)
        assert fields(here) == record
        assert write_match_id(here) == text


WHY: Mapping[str, str] = {
    "die-7": "die 1 7: expected 1 to 6, or 0 before the roll",
    "crawford-in-money": "crawford 1: expected 0, as the length is 0",
    "score-over-length": "expected at most the length",
}


def test_what_gnu_backgammon_refuses_is_refused_and_says_where() -> None:
    records = vectors("match-id-invalid.jsonl")
    assert len(records) == 15
    for record in records:
        with pytest.raises(NotationError) as refused:
            read_match_id(record["id"])
        assert refused.value.reason == "BAD_MATCH_ID"
        message = str(refused.value).replace("die 2", "die 1")
        assert message.startswith(f"match ID {record['id']} ")
        assert WHY[record["why"]] in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "match ID  (0 characters): expected 12 characters"),
        ("cAkAAAAAAAA", "(11 characters): expected 12 characters"),
        ("cAkAAAAAAAA=", "character 12 '=': expected a letter, a digit, + or /"),
        ("cAk AAAAAAAA", "character 4 ' '"),
        ("cAkAAAAAAAAI", "expected no bits behind the fields"),
        ("cA0AAAAAAAAA", "state 5: expected 0 to 4"),
        ("cIkBAAAAAAAA", "die 2 0: expected 1 to 6"),
        ("QBEAAAAAAAAA", "owner 0: expected 1 or the middle, as that player doubled"),
    ],
)
def test_what_is_no_match_id_is_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_match_id(text)
    assert says in str(refused.value)


def test_a_score_of_the_whole_length_is_taken() -> None:
    over = replace(PLAIN, length=3, score=(3, 1), state=State.DROPPED)
    assert read_match_id(write_match_id(over)) == over


def test_older_ids_end_in_A_and_have_the_jacoby_rule_on() -> None:
    assert read_match_id("cAkAAAAAAAAA").jacoby
    assert not read_match_id("cAkAAAAAAAAE").jacoby


def test_an_owner_of_2_is_the_middle_too() -> None:
    assert read_match_id("YAkAAAAAAAAA") == read_match_id("cAkAAAAAAAAA")


# -- beavers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "raised", "decider"),
    [("cBEAAAAAAAAA", 1, WHITE), ("QRkAAAAAAAAA", 2, BLACK), ("QhEAAAAAAAAA", 3, WHITE)],
)
def test_a_beaver_lies_with_the_doubled_player_as_gnu_backgammon_writes_it(
    text: str, raised: int, decider: Seat
) -> None:
    """GNU Backgammon 1.07.001 shows these after `double`, `redouble`, `redouble` of player 1."""
    here = Situation(seat=BLACK, decider=decider, jacoby=True, raised=raised)
    assert read_match_id(text) == here
    assert write_match_id(here) == text


@given(beavers())
def test_beavers_and_raccoons_are_read_as_they_were_written(here: Situation) -> None:
    bare = replace(here, setup=None)
    assert read_match_id(write_match_id(bare)) == high_die_first(bare)


# -- writing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (replace(PLAIN, cube=Cube(3, None)), "cube 3: expected 1, 2, 4 and so on to 32768"),
        (replace(PLAIN, cube=Cube(9, WHITE)), "cube 9: expected 1, 2, 4 and so on"),
        (replace(PLAIN, cube=Cube(0, None)), "cube 0: expected"),
        (replace(PLAIN, cube=Cube(1 << 16, WHITE)), "cube 65536: expected"),
        (replace(PLAIN, dice=(6, 5, 4)), "dice [6, 5, 4]: expected two dice, or none"),
        (replace(PLAIN, dice=(7, 1)), "die 1 7: expected 1 to 6"),
        (replace(PLAIN, score=(40_000, 0)), "score of player 0 40000: expected 0 to 32767"),
        (replace(PLAIN, score=(0, -1)), "score of player 1 -1: expected 0 to 32767"),
        (replace(PLAIN, length=3, score=(0, 4)), "score of player 1 4: expected at most the"),
        (replace(PLAIN, crawford=True), "crawford 1: expected 0"),
    ],
)
def test_what_has_no_place_in_it_is_refused_by_name(here: Situation, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        write_match_id(here)
    assert says in str(refused.value)


def test_the_pair_is_written_with_a_colon_and_read_with_whatever_is_between() -> None:
    pair = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
    here = read_gnubg_id(pair, WESTERN.variant)
    assert here == replace(PLAIN, setup=WESTERN.start.setup, jacoby=True)
    assert write_gnubg_id(here, WESTERN) == pair
    for text in ("4HPwATDgc/ABMA cAkAAAAAAAAA", " 4HPwATDgc/ABMA : cAkAAAAAAAAA\n"):
        assert read_gnubg_id(text, WESTERN.variant) == here


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4HPwATDgc/ABMA", "expected a Position ID and a Match ID"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA:", "match ID cAkAAAAAAAAA: character 13"),
        ("cAkAAAAAAAAA:4HPwATDgc/ABMA", "match ID 4HPwATDgc/ABMA (14 characters)"),
        ("A" * 1000, "expected a Position ID and a Match ID"),
    ],
)
def test_half_a_pair_or_a_third_part_is_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_gnubg_id(text, WESTERN.variant)
    assert says in str(refused.value)


# -- for any ----------------------------------------------------------------------------------------------


def high_die_first(here: Situation) -> Situation:
    return replace(here, dice=tuple(sorted(here.dice, reverse=True)))


@given(situations())
def test_a_pair_read_is_what_was_written_but_for_the_order_of_the_dice(here: Situation) -> None:
    text = write_gnubg_id(here, WESTERN)
    assert read_gnubg_id(text, WESTERN.variant) == high_die_first(here)
    assert write_gnubg_id(read_gnubg_id(text, WESTERN.variant), WESTERN) == text


@given(
    st.text(max_size=40)
    | st.text("ABQgw/+abz019:", min_size=12, max_size=12)
    | mutated(situations().map(write_match_id))
)
def test_any_text_is_a_match_id_or_a_notation_error(text: str) -> None:
    try:
        here = read_match_id(text)
    except NotationError:
        return
    assert len(text) == 12
    assert read_match_id(write_match_id(here)) == high_die_first(here)


@given(st.text(max_size=60) | mutated(situations().map(lambda here: write_gnubg_id(here, WESTERN))))
def test_any_text_is_a_pair_or_a_notation_error(text: str) -> None:
    try:
        here = read_gnubg_id(text, WESTERN.variant)
    except NotationError:
        return
    assert here.setup is not None
