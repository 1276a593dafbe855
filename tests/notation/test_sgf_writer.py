"""Matches written as SGF: what is written is read back as the same match, or refused in words."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import (
    Action,
    Crawford,
    Cube,
    Level,
    Match,
    NotationError,
    Rules,
    Seat,
    Setup,
    SideSetup,
    Start,
    load,
)
from bgcore.notation.sgf_writer import write_sgf
from bgcore.notation.text_file import decode
from bgcore.record import Record
from bgcore.replay import matches_in

from .random_matches import games_of, in_sgf, played, somewhere
from .samples import SAMPLE
from .test_sgf_match import sample

REGISTRY = load()
MONEY = {"match_length": None, "animals": None, "cube_cap": None}
OPTIONS: tuple[dict[str, Any], ...] = (
    {"match_length": 1},
    {"match_length": 5},
    {"match_length": 3, "crawford": False},
    {"match_length": 9, "cube": False},
    {"match_length": 7, "dead_cube_rule": True, "holland": True},
    {**MONEY, "jacoby": True},
    {**MONEY, "jacoby": False, "auto_doubles": None},
    {**MONEY, "jacoby": True, "auto_doubles": 1, "animals_refusable": False},
    {"match_length": None, "cube": False},
    {"match_length": 5, "money_rules_in_match": "allow", "jacoby": True, "animals": 1},
)


def western(**options: object) -> Rules:
    return REGISTRY.rules("western", options=options)


def written(match: Match, **more: Any) -> str:
    return write_sgf(Record.of(match, **more), REGISTRY)


def refused(match: Match) -> str:
    """Why a match is not written."""
    with pytest.raises(NotationError) as error:
        written(match)
    assert error.value.reason == "NOT_IN_SGF"
    return str(error.value)


def acted(rules: Rules, *actions: Action, start: Start | None = None) -> Match:
    return Match.replay(rules, actions, start or Start())


THROW, PLAY = Action.throw(3, 1), Action.play(Seat.WHITE, "8/5 6/5")
DOUBLE, BEAVER = Action.double(Seat.BLACK), Action.animal(Seat.WHITE)


# -- what is written ---------------------------------------------------------------------------------


def test_a_match_is_a_tree_a_game() -> None:
    [match] = matches_in(SAMPLE.replace("ann", "a]n\\n").replace("Example", "Ex[a]mple"))
    lines = write_sgf(match.record, REGISTRY).splitlines()
    ours = lines[0].partition("AP[bgcore:")[2].partition("]")[0]
    assert [line.replace(ours, "*") for line in lines] == [
        (
            r"(;FF[4]GM[6]CA[UTF-8]AP[bgcore:*]MI[length:3][game:0][ws:0][bs:0]"
            r"PW[a\]n\\n]PB[bob]PC[Ex[a\]mple]RU[Crawford]RE[B+2]"
        ),
        ";W[31hefe]",
        ";B[64aggk]",
        ";W[double]",
        ";B[take]",
        ";W[52mhxv]",
        ";B[43lplo]",
        ";W[66xrvpmgmg]",
        ";B[double]",
        ";W[drop])",
        (
            r"(;FF[4]GM[6]CA[UTF-8]AP[bgcore:*]MI[length:3][game:1][ws:0][bs:2]"
            r"PW[a\]n\\n]PB[bob]RU[Crawford:CrawfordGame]RE[B+1R]"
        ),
        ";B[62agln]",
        ";W[21mkfe]",
        ";PL[B]DI[54])",
    ]


def test_headers_stand_in_the_first_root() -> None:
    match = acted(western(match_length=3), THROW)
    told = {"event": "An event", "date": "2026/11/30", "site": "Here\nthere", "annotator": "me"}
    first = written(match, headers=told).splitlines()[0]
    assert "EV[An event]PC[Here there]DT[2026-11-30]AN[me]" in first
    back = in_sgf(written(match, headers=told)).record.headers
    assert (back["site"], back["eventdate"], back["transcriber"]) == (
        "Here there",
        "2026.11.30",
        "me",
    )
    assert in_sgf(written(match, headers=back)).record.headers == back


def test_a_roll_that_nobody_played_is_set() -> None:
    rolled = acted(western(), THROW)
    assert ";PL[W]DI[31])" in written(rolled)
    given_up = acted(
        western(resign_auto_accept=True), THROW, Action.resign(Seat.BLACK, Level.BACKGAMMON)
    )
    assert "RE[W+3R]\n;PL[W]DI[31])" in written(given_up)


def test_beavers_are_doubles() -> None:
    session = acted(western(**MONEY), THROW, PLAY, DOUBLE, BEAVER, Action.take(Seat.BLACK))
    text = written(session)
    assert ";B[double]\n;W[double]\n;B[take])" in text
    back = in_sgf(text)
    assert back.match is not None
    assert back.match.game.cube == session.game.cube


def test_ties_that_doubled_the_stake_stand_in_the_root_and_others_nowhere() -> None:
    tie = Action.throw(4, 4)
    assert "CV[4]" in written(acted(western(**MONEY, auto_doubles=2), tie, tie, tie, THROW, PLAY))
    assert "CV[" not in written(acted(western(), tie, THROW, PLAY))
    assert "CV[2]" in written(acted(western(**MONEY, auto_doubles=1), tie))


def test_declined_resignations_are_left_out() -> None:
    offer = Action.resign(Seat.BLACK, Level.SINGLE)
    declined = Action.answer_resignation(Seat.WHITE, accept=False)
    assert written(acted(western(), THROW, offer, declined, PLAY)) == written(
        acted(western(), THROW, PLAY)
    )


def test_a_match_may_start_from_a_position() -> None:
    rules = western(match_length=7)
    setup = Setup(SideSetup({24: 1, 6: 3}, bar=1), SideSetup({20: 2, 2: 1}))
    for seat in Seat:
        start = Start(rules.position(setup), seat, Cube(2, seat), (6, 4), (2, 3))
        match = Match.new(rules, start)
        back = in_sgf(written(match)).match
        assert back is not None
        assert (back.game.position, back.game.seat) == (match.game.position, seat)
        assert (back.game.cube.value, back.game.cube.owner) == (2, seat)
        assert (back.game.dice, back.score) == ((6, 4), (2, 3))


@pytest.mark.parametrize("crawford", [Crawford.NOW, Crawford.AFTER])
def test_a_match_may_start_one_point_short(crawford: Crawford) -> None:
    match = Match.new(western(match_length=5), Start(score=(4, 1), crawford=crawford))
    back = in_sgf(written(match)).match
    assert back is not None
    assert back.crawford is crawford


def test_a_session_may_be_about_any_sum_that_can_be_read() -> None:
    for points, said in ((3_221_225_472, True), (10**40, False)):
        match = Match.new(western(**MONEY), Start(score=(points, 0)))
        if said:
            assert in_sgf(written(match)).report.score == (points, 0)
        else:
            assert refused(match).startswith("a value that cannot be read (line 1 column ")


def test_the_end_of_a_session_is_left_out() -> None:
    over = acted(
        western(**MONEY), THROW, Action.resign(Seat.BLACK, Level.BACKGAMMON), Action.end_session()
    )
    assert in_sgf(written(over)).report.score == over.score == (1, 0)


# -- what cannot be said -----------------------------------------------------------------------------


def test_what_sgf_has_no_words_for_is_refused_by_name() -> None:
    offer = Action.resign(Seat.BLACK, Level.SINGLE)
    assert refused(acted(western(), THROW, offer)) == (
        "a resignation on offer: SGF has no words for it, expected its answer"
    )
    assert refused(acted(western(), THROW, Action.resign_match(Seat.WHITE))).startswith(
        "the whole match given up or lost on time: "
    )
    late = western(clock="per_turn", step=30, flag_loses="game")
    assert refused(acted(late, THROW, Action.flag(Seat.WHITE))).startswith(
        "a loss on time in game 1: "
    )
    triple = western(**MONEY, auto_doubles=None, auto_double_66="triple")
    assert refused(acted(triple, Action.throw(6, 6))).startswith("a cube of 3 in game 1: ")
    loose = western(illegal_moves="until_next_roll")
    wrong = acted(loose, THROW, Action.play(Seat.WHITE, "8/5 6/4"))
    assert refused(wrong).startswith("an illegal play in game 1: ")
    assert "[31hefe]" in written(wrong.after(Action.correct(Seat.WHITE, "8/5 6/5")))


def test_another_game_is_refused() -> None:
    match = Match.new(REGISTRY.rules("plakoto"))
    assert refused(match).startswith(
        "the variant plakoto: SGF has no words for it, expected one of "
    )


def test_options_that_change_the_match_are_refused_by_name() -> None:
    dropped = acted(
        western(decline_cost="always_one", match_length=9),
        *(THROW, PLAY, DOUBLE, Action.take(Seat.WHITE)),
        *(Action.roll(Seat.BLACK, 6, 5), Action.play(Seat.BLACK, "24/13")),
        *(Action.double(Seat.WHITE), Action.drop(Seat.BLACK)),
    )
    assert refused(dropped) == (
        "game 1 under decline_cost always_one (Wins 1: expected Wins 2): SGF has no words for it, "
        "expected the usual rules"
    )
    rolled_again = acted(western(opening_roll="reroll"), THROW, Action.roll(Seat.WHITE, 6, 6))
    assert "under opening_roll reroll" in refused(rolled_again)


def test_options_that_change_nothing_are_left_out() -> None:
    for options in ({"decline_cost": "always_one"}, {"backgammon_value": 2}, {"cube_cap": 2}):
        match = acted(western(**options), THROW, PLAY, DOUBLE, Action.drop(Seat.WHITE))
        assert games_of(in_sgf(written(match)).match) == games_of(match)


# -- there and back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plain", "annotated", "beavers"])
def test_samples_come_out_as_they_went_in(name: str) -> None:
    record = in_sgf(sample(name)).record
    back = in_sgf(write_sgf(record, REGISTRY)).record
    assert (back.actions, back.start, back.names) == (record.actions, record.start, record.names)
    assert (back.options, back.headers) == (record.options, record.headers)


@pytest.mark.needs_real
def test_every_real_match_comes_out_as_it_went_in(real: Path) -> None:
    files = sorted((real / "western").glob("*.txt"))
    assert len(files) == 101
    for file in files:
        [match] = matches_in(decode(file.read_bytes()))
        back = in_sgf(write_sgf(match.record, REGISTRY))
        assert back.report.faults == (), file.name
        assert match.match is not None and back.match is not None
        assert games_of(back.match) == games_of(match.match), file.name
        assert (back.match.score, back.match.winner) == (match.match.score, match.match.winner)
        assert back.record.names == match.record.names


@given(st.sampled_from(OPTIONS), st.integers(0, 1 << 32), st.integers(0, 250), st.text(), st.text())
@settings(max_examples=40)
def test_any_match_is_read_back_as_the_same(
    options: dict[str, Any], seed: int, actions: int, white: str, black: str
) -> None:
    match = played(western(**options), Random(seed), actions=actions)
    if match.game.offer:
        assert refused(match).startswith("a resignation on offer")
        return
    back = in_sgf(written(match, names=(white, black)))
    assert back.report.faults == ()
    assert back.match is not None
    assert games_of(back.match) == games_of(match)
    assert (back.match.score, back.match.crawford) == (match.score, match.crawford)
    assert (back.match.game.position, back.match.game.phase) == (
        match.game.position,
        match.game.phase,
    )
    assert written(back.match, names=back.record.names) == written(match, names=(white, black))


@given(st.integers(0, 1 << 32), st.integers(0, 100))
@settings(max_examples=40)
def test_any_match_from_a_position_is_read_back_as_the_same(seed: int, actions: int) -> None:
    random, rules = Random(seed), western(match_length=9)
    match = played(rules, random, somewhere(rules, random), games=2, actions=actions)
    if match.game.offer:
        assert refused(match).startswith("a resignation on offer")
        return
    back = in_sgf(written(match))
    assert back.report.faults == ()
    assert back.match is not None
    assert games_of(back.match) == games_of(match)
    assert (back.match.score, back.match.crawford) == (match.score, match.crawford)
    assert (back.match.game.position, back.match.game.seat) == (
        match.game.position,
        match.game.seat,
    )
