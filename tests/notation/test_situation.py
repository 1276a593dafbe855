from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
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
    IllegalAction,
    IllegalPosition,
    Level,
    Match,
    NotationError,
    Roll,
    Rules,
    Seat,
    Setup,
    SideSetup,
    Start,
    load,
)
from bgcore.notation.match_id import (
    read_gnubg_id,
    read_match_id,
    write_gnubg_id,
    write_match_id,
)
from bgcore.notation.position_id import read_position_id, write_position_id
from bgcore.notation.situation import Situation, State
from bgcore.notation.xgid import read_xgid, write_xgid

from .situations import wandering

DATA = Path(__file__).parent.parent / "data"
WHITE, BLACK = Seat.WHITE, Seat.BLACK
STARTED = (Action.throw(3, 1), Action.play(WHITE, "8/5 6/5"))
"""Black is on turn and has not rolled."""


def western(**options: object) -> Rules:
    return load().rules("western", options=options)


def after(rules: Rules, *actions: Action, start: Start | None = None) -> Match:
    return Match.replay(rules, actions, start or Start())


def bits(here: Situation, low: int, high: int) -> int:
    """Bits of its Match ID, worked out from nothing but its characters."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    six = "".join(f"{alphabet.index(letter):06b}" for letter in write_match_id(here))
    number = int.from_bytes(int(six, 2).to_bytes(9, "big"), "little")
    return number >> low & (1 << high - low + 1) - 1


# -- out of a match ------------------------------------------------------------------------------------


def test_a_match_that_waits_for_its_opening_throw_has_no_game_yet() -> None:
    here = Situation.of(Match.new(western()))
    assert (here.state, here.dice, here.length, here.cube_cap) == (State.NONE, (), 7, 64)


def test_dice_stay_as_they_were_thrown() -> None:
    here = Situation.of(after(western(), Action.throw(1, 3)))
    assert (here.state, here.seat, here.decider, here.dice) == (State.PLAYING, BLACK, BLACK, (1, 3))


def test_a_double_waits_for_the_other_seat_and_the_cube_lies_as_before() -> None:
    here = Situation.of(after(western(), *STARTED, Action.double(BLACK)))
    assert (here.seat, here.decider, here.raised, here.cube) == (BLACK, WHITE, 1, Cube())


def test_a_resignation_waits_for_the_other_seat_whoever_is_on_roll() -> None:
    mine = Situation.of(after(western(), *STARTED, Action.resign(BLACK, Level.GAMMON)))
    assert (mine.seat, mine.decider, mine.resigned) == (BLACK, WHITE, Level.GAMMON)
    theirs = Situation.of(after(western(), *STARTED, Action.resign(WHITE, Level.SINGLE)))
    assert (theirs.seat, theirs.decider, theirs.resigned) == (BLACK, BLACK, Level.SINGLE)


def test_a_session_that_was_ended_keeps_its_score_and_a_given_up_match_is_over() -> None:
    money = after(western(match_length=None), *STARTED, Action.double(BLACK), Action.drop(WHITE))
    ended = Situation.of(money.after(Action.end_session()))
    assert ended == Situation.of(money)
    doubled = after(western(), *STARTED, Action.double(BLACK))
    given_up = Situation.of(doubled.after(Action.resign_match(BLACK)))
    assert (given_up.state, given_up.raised, given_up.score) == (State.OVER, 0, (0, 0))


def test_a_game_lost_on_time_is_over_where_it_stands() -> None:
    match = after(western(clock="per_turn"), *STARTED)
    here = Situation.of(match.after(Action.flag(BLACK)))
    assert (here.state, here.seat, here.setup) == (
        State.OVER,
        BLACK,
        match.game.position.setup,
    )


# GNU Backgammon 1.07.001 showed these IDs after the same: player 0 is White.


def test_a_dropped_game_is_written_as_gnu_backgammon_does() -> None:
    position = western().start
    rules = western(match_length=3)
    match = after(rules, Action.double(WHITE), start=Start(position, WHITE))
    assert write_match_id(Situation.of(match)) == "MBlgAAAAAAAE"
    dropped = match.after(Action.drop(BLACK))
    assert write_gnubg_id(Situation.of(dropped), rules) == "4HPwATDgc/ABMA:MAxgABAAAAAE"


def test_a_resigned_game_is_written_as_gnu_backgammon_does() -> None:
    rules = western(match_length=3)
    match = after(rules, Action.resign(WHITE, Level.GAMMON), start=Start(western().start, WHITE))
    assert write_match_id(Situation.of(match)) == "MElgAAAAAAAE"
    resigned = match.after(Action.answer_resignation(BLACK, accept=True))
    here = Situation.of(resigned)
    assert (here.state, here.resigned, here.score) == (State.RESIGNED, Level.GAMMON, (0, 2))
    assert write_match_id(here) == "sEtgAAAAEAAE"  # the next game is the Crawford game


def test_a_finished_game_is_written_as_gnu_backgammon_does() -> None:
    rules = western(match_length=3)
    last = rules.position(read_position_id("AABAEAAAAAAAAA", rules.variant))
    match = after(rules, Action.play(BLACK, "3/off"), start=Start(last, BLACK, dice=(6, 3)))
    here = Situation.of(match)
    assert (here.state, here.score) == (State.OVER, (0, 1))
    assert write_gnubg_id(here, rules) == "AAAAAACAAAAAAA:MAJgAAAACAAE"


# -- and back into one ---------------------------------------------------------------------------------


def test_a_match_goes_on_from_a_pair_of_ids() -> None:
    here = read_gnubg_id("4HPwATDgc/ABMA:cIlyAAAAAAAE", load().variant("western"))
    rules = western(**here.options(load().variant("western")))
    match = here.match(rules)
    assert (match.length, match.game.seat, match.game.dice) == (3, BLACK, (5, 4))
    assert Situation.of(match.after(Action.play(BLACK, "24/20 13/8"))).seat is WHITE


def test_a_match_goes_on_from_an_xgid_with_its_money_rules_and_its_cap() -> None:
    here = read_xgid("-b----E-C---eE---c-e----B-:1:1:1:D:3:2:1:0:10", load().variant("western"))
    assert here.options(load().variant("western"))["jacoby"] is True
    match = here.match(western(**here.options(load().variant("western"))))
    taken = match.after(Action.take(WHITE)).game
    assert (taken.cube, taken.terms.cube_cap) == (Cube(4, WHITE, turned=True), 1024)
    assert match.score == (2, 3)


def test_options_are_those_that_the_variant_has() -> None:
    here = Situation(seat=WHITE, decider=WHITE)
    assert here.options(load().variant("gul-bara")) == {"match_length": None}
    older = read_match_id("cIlyAAAAAAAA")  # Jacoby as if it were on in a match
    assert older.options(load().variant("western")) == {"match_length": 3, "cube_cap": None}


@pytest.mark.parametrize(
    ("length", "score", "flag", "stage"),
    [
        (7, (3, 2), False, Crawford.BEFORE),
        (7, (6, 2), True, Crawford.NOW),
        (7, (6, 2), False, Crawford.AFTER),
        (7, (3, 2), True, Crawford.BEFORE),  # GNU Backgammon, too, forgets the flag there
        (1, (0, 0), True, Crawford.BEFORE),
        (None, (6, 2), False, Crawford.BEFORE),
    ],
)
def test_the_flag_and_the_score_say_where_a_match_stands_with_its_crawford_game(
    length: int | None, score: tuple[int, int], flag: bool, stage: Crawford
) -> None:
    here = Situation(
        setup=western().start.setup,
        seat=WHITE,
        decider=WHITE,
        length=length,
        score=score,
        crawford=flag,
    )
    rules = western(**here.options(western().variant))
    assert here.start(rules).crawford is stage
    assert here.match(rules).crawford is stage


def test_after_a_game_the_next_one_starts_at_the_new_score() -> None:
    ended = read_match_id("sEtgAAAAEAAE")
    match = ended.match(western(**ended.options(western().variant)))
    assert (match.score, match.crawford) == ((0, 2), Crawford.NOW)
    assert match.game.actions == ()


def test_a_first_roll_without_a_state_is_a_game_that_is_on() -> None:
    here = read_gnubg_id("4HPwATDgc/ABMA:cIhyAAAAAAAE", western().variant)
    assert here.state is State.NONE
    assert here.match(western(**here.options(western().variant))).game.dice == (5, 4)
    assert write_xgid(here, western()) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:54:0:0:0:3:10"


def test_what_no_match_can_begin_from_is_refused() -> None:
    bare = Situation(seat=WHITE, decider=WHITE, length=7)
    with pytest.raises(NotationError, match="board missing"):
        bare.match(western())
    crowded = replace(bare, setup=Setup(SideSetup({6: 16}), SideSetup()))
    with pytest.raises(IllegalPosition, match="mover checkers 16"):
        crowded.match(western())
    won = replace(bare, score=(7, 0), state=State.OVER)
    with pytest.raises(IllegalAction, match="the match is over"):
        won.match(western())


RULES = [
    {"match_length": 1},
    {"match_length": 5},
    {"match_length": 3, "crawford": False},
    {"match_length": None, "cube_cap": None},
    {"match_length": None, "jacoby": False, "animals": 2},
    {"match_length": None, "auto_doubles": 3},
    {"match_length": 9, "money_rules_in_match": "allow", "animals": 1},
]


@settings(max_examples=200)
@given(st.sampled_from(RULES), st.integers(0, 10_000), st.integers(0, 250))
def test_any_state_of_a_match_goes_through_ids_and_into_a_match_that_stands_there(
    options: dict[str, Any], seed: int, turn: int
) -> None:
    rules = western(**options, resign_auto_accept=False)
    states = list(islice(wandering(rules, Random(seed)), turn + 1))
    match = states[-1]
    here = Situation.of(match)
    again = read_gnubg_id(write_gnubg_id(here, rules), rules.variant)
    high_first = tuple(sorted(here.dice, reverse=True))
    white, black = (min(points, match.length or points) for points in here.score)
    told = replace(here, dice=high_first, score=(white, black), cube_cap=None, beavers=False)
    assert again == told
    if here.state is State.PLAYING:
        assert Situation.of(here.match(rules)) == here
        if here.resigned is None:
            read = read_xgid(write_xgid(here, rules), rules.variant)
            money = match.length is None
            assert read == replace(
                here, cube_cap=here.cube_cap or read.cube_cap, beavers=money and here.beavers
            )
    elif not match.over:
        start = here.start(rules)
        assert start.score == match.score
        if match.game.result:
            assert Match.new(rules, start).crawford == match.after(Action.next_game()).crawford


# -- reported faults ---------------------------------------------------------------------------------------


def faults(number: str, key: str) -> list[dict[str, Any]]:
    lines = (DATA / "cases/faults.jsonl").read_text().splitlines()
    return [one for one in map(json.loads, lines) if one["fault"] == number and key in one]


@pytest.mark.parametrize("case", faults("F15", "position_id"), ids=lambda case: case["id"])
def test_F15_bars_of_both_sides_are_in_the_id(case: dict[str, Any]) -> None:
    rules = western()
    setup = Setup(
        SideSetup({int(n): k for n, k in case["me"].items()}, case["me_bar"], case["me_off"]),
        SideSetup({int(n): k for n, k in case["opp"].items()}, case["opp_bar"], case["opp_off"]),
    )
    assert write_position_id(rules.position(setup), rules.variant) == case["position_id"]
    assert read_position_id(case["position_id"], rules.variant) == setup


F16_REASONS = {"too many checkers": "TOO_MANY_CHECKERS", "both sides on one point": "POINT_SHARED"}


@pytest.mark.parametrize("case", faults("F16", "position_id"), ids=lambda case: case["id"])
def test_F16_a_position_id_that_describes_no_position_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as refused:
        read_gnubg_id(f"{case['position_id']}:cAkAAAAAAAAA", western().variant)
    assert refused.value.reason == F16_REASONS[case["why"]]


def test_F23_a_dropped_double_is_no_longer_on_offer() -> None:
    dropped = after(western(), *STARTED, Action.double(BLACK), Action.drop(WHITE))
    here = Situation.of(dropped)
    assert (here.state, here.raised, here.score) == (State.DROPPED, 0, (0, 1))
    assert (bits(here, 8, 10), bits(here, 12, 12)) == (4, 0)
    for action in (Action.take(WHITE), Action.double(BLACK), Action.roll(BLACK, 3, 1)):
        with pytest.raises(IllegalAction) as refused:
            dropped.after(action)
        assert refused.value.reason == "GAME_OVER"


def test_F23_a_game_borne_off_is_over_and_has_no_double() -> None:
    rules = western()
    last = rules.position(Setup(SideSetup({1: 1}), SideSetup({1: 1})))
    match = after(rules, Action.roll(BLACK, 2, 1), start=Start(last, BLACK))
    ended = match.after(Action.play(BLACK, "1/off"))
    here = Situation.of(ended)
    assert (bits(here, 8, 10), bits(here, 12, 12)) == (2, 0)
    with pytest.raises(IllegalAction, match="the game is over"):
        ended.after(Action.double(WHITE))


def test_F24_a_refused_resignation_leaves_no_flag() -> None:
    match = after(western(resign_auto_accept=False), *STARTED, Action.resign(BLACK, Level.SINGLE))
    assert bits(Situation.of(match), 13, 14) == 1
    match = match.after(Action.answer_resignation(WHITE, accept=False))
    assert bits(Situation.of(match), 13, 14) == 0
    for seat in (BLACK, WHITE):
        match = match.after(Action.roll(seat, 2, 1))
        match = match.after(Action.play(seat, match.game.plays[0]))
        assert bits(Situation.of(match), 13, 14) == 0
    match = match.after(Action.double(BLACK)).after(Action.drop(WHITE)).after(Action.next_game())
    assert bits(Situation.of(match), 13, 14) == 0


def test_F24_an_accepted_resignation_leaves_no_flag_in_the_next_game() -> None:
    match = after(
        western(resign_auto_accept=False),
        *STARTED,
        Action.resign(BLACK, Level.SINGLE),
        Action.answer_resignation(WHITE, accept=True),
    )
    assert bits(Situation.of(match), 8, 10) == 3
    assert bits(Situation.of(match.after(Action.next_game())), 13, 14) == 0


def beavered(**options: object) -> Match:
    rules = western(match_length=None, **options)
    return after(rules, *STARTED, Action.double(BLACK), Action.animal(WHITE))


def test_F26_a_beaver_lies_at_4_with_the_player_who_made_it() -> None:
    match = beavered(animals=1)
    here = Situation.of(match)
    assert (here.cube, here.raised, here.decider, here.beavers) == (Cube(), 2, BLACK, True)
    # While it waits GNU Backgammon has the cube with the doubled player, at what he took it for.
    assert (bits(here, 0, 3), bits(here, 4, 5), bits(here, 6, 6)) == (1, WHITE, BLACK)
    assert write_xgid(here, match.rules).split(":")[1:5] == ["0", "0", "1", "B"]
    taken = Situation.of(match.after(Action.take(BLACK)))
    assert (taken.cube.value, taken.cube.owner, taken.seat) == (4, WHITE, BLACK)
    assert (bits(taken, 0, 3), bits(taken, 4, 5), bits(taken, 6, 6)) == (2, WHITE, BLACK)


def test_F26_a_raccoon_leaves_the_cube_with_the_doubled_player_at_8() -> None:
    match = beavered(animals=2).after(Action.animal(BLACK))
    here = Situation.of(match)
    assert (here.raised, here.decider) == (3, WHITE)
    assert write_xgid(here, match.rules).split(":")[1:5] == ["0", "0", "1", "R"]
    taken = Situation.of(match.after(Action.take(WHITE)))
    assert (bits(taken, 0, 3), bits(taken, 4, 5), bits(taken, 6, 6)) == (3, WHITE, BLACK)


def test_F26_a_match_goes_on_from_a_raccoon_that_waits() -> None:
    match = beavered(animals=2).after(Action.animal(BLACK))
    here = read_match_id(write_match_id(Situation.of(match)))
    assert here.options(western().variant)["animals"] == 2
    board = replace(here, setup=match.game.position.setup)
    again = board.match(western(**here.options(western().variant)))
    assert again.decision.seat is WHITE
    assert again.after(Action.take(WHITE)).game.cube.value == 8


def test_an_otter_is_no_xgid_any_more() -> None:
    match = beavered(animals=3).after(Action.animal(BLACK)).after(Action.animal(WHITE))
    with pytest.raises(NotationError, match="raised 4: expected 0 to 3"):
        write_xgid(Situation.of(match), match.rules)


def test_a_cube_that_was_tripled_has_no_id() -> None:
    rules = western(match_length=None, auto_doubles=1, auto_double_66="triple")
    here = Situation.of(after(rules, Action.throw(6, 6), Action.throw(3, 1)))
    assert here.cube.value == 3
    for write in (write_gnubg_id, write_xgid):
        with pytest.raises(NotationError, match="cube 3: expected 1, 2, 4 and so on"):
            write(here, rules)


# -- real positions ------------------------------------------------------------------------------------------


COLUMNS: Mapping[str, Callable[[Situation], int]] = {
    "length": lambda here: here.length or 0,
    "score0": lambda here: here.score[WHITE],
    "score1": lambda here: here.score[BLACK],
    "cube": lambda here: here.cube.value,
    "owner": lambda here: 3 if here.cube.owner is None else here.cube.owner,
    "on_roll": lambda here: here.seat,
    "turn": lambda here: here.decider,
    "crawford": lambda here: here.crawford,
    "state": lambda here: list(State).index(here.state),
    "doubled": lambda here: here.raised,
    "resigned": lambda here: [None, *Level].index(here.resigned),
    "not_jacoby": lambda here: not here.jacoby,
}


@pytest.mark.needs_real
def test_positions_of_analysed_matches_decode_and_encode_to_the_same_characters(
    real: Path,
) -> None:
    rules = western()
    rows = table(real)
    for row in rows:
        pair = f"{row['position_id']}:{row['match_id']}"
        here = read_gnubg_id(pair, rules.variant)
        said = {name: int(column(here)) for name, column in COLUMNS.items()}
        assert said == {name: int(row[name]) for name in COLUMNS}, pair
        assert "".join(map(str, here.dice)) == row["dice"].replace("--", ""), pair
        position = rules.position(read_position_id(row["position_id"], rules.variant))
        pips = position.mover.pips, position.opponent.pips
        assert pips == (int(row["pips_on_roll"]), int(row["pips_other"])), pair
        assert write_gnubg_id(here, rules) == pair
    assert len(rows) == 2858


@pytest.mark.needs_real
def test_each_play_of_analysed_matches_leads_to_the_next_position(real: Path) -> None:
    rules = western()
    seen = {"play": 0, "no play": 0, "cube": 0, "open": 0}
    for row in table(real):
        position = rules.position(read_position_id(row["position_id"], rules.variant))
        after, kind = position, "cube"
        if row["dice"] != "--":
            plays = rules.plays(position, Roll.of(*map(int, row["dice"])))
            passes = row["action"] == "cannot move"
            assert passes == (plays.numbers_used == 0), row
            after = plays.find("" if passes else row["action"]).after.flipped()
            kind = "no play" if passes else "play"
        if not row["next_position_id"]:
            kind = "open"
        else:
            assert write_position_id(after, rules.variant) == row["next_position_id"], row
        seen[kind] += 1
    assert sum(seen.values()) == 2858
    assert seen == {"play": 1952, "no play": 500, "cube": 333, "open": 73}


@pytest.mark.needs_real
def test_a_match_can_go_on_from_each_position_of_analysed_matches(real: Path) -> None:
    variant = load().variant("western")
    for row in table(real):
        here = read_gnubg_id(f"{row['position_id']}:{row['match_id']}", variant)
        match = here.match(western(**here.options(variant)))
        assert Situation.of(match) == replace(here, state=State.PLAYING)  # the first roll has none


def table(real: Path) -> list[dict[str, str]]:
    with (real / "positions/gnubg-ids.tsv").open(newline="") as rows:
        return list(csv.DictReader(rows, delimiter="\t"))
