"""Giving up a game, or the match (M9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgcore import Action, Cube, Ending, IllegalAction, Kind, Level, Match, Seat, Start
from tests.engine.helpers import (
    BLACK,
    WHITE,
    at_roll,
    doubled,
    kinds,
    match,
    position,
    rules,
    turn_passes,
)
from tests.engine.refusal import refused

ASKING: dict[str, object] = {"resign_auto_accept": False}


def yes(seat: Seat) -> Action:
    return Action.answer_resignation(seat, accept=True)


def no(seat: Seat) -> Action:
    return Action.answer_resignation(seat, accept=False)


@pytest.mark.parametrize(("level", "worth"), [*zip(Level, (1, 2, 3), strict=True)])
@pytest.mark.parametrize("stake", [1, 2, 4])
def test_a_resignation_is_worth_its_level_times_the_stake(
    level: Level, worth: int, stake: int
) -> None:
    under = rules("western", "", **ASKING, match_length=25)
    cube = Cube(stake, BLACK, turned=True) if stake > 1 else Cube()
    start = Match.new(under, Start(position=under.start, seat=WHITE, cube=cube))
    over = start.after(Action.resign(WHITE, level)).after(yes(BLACK))
    assert over.score == (0, worth * stake)
    [result] = over.results
    assert (result.winner, result.level, result.ending) == (BLACK, level, Ending.RESIGNED)


def test_jacoby_is_applied_to_a_resignation() -> None:
    session = at_roll(match("western", "", match_length=None, **ASKING))
    gammon = Action.resign(WHITE, Level.GAMMON)
    assert session.after(gammon).after(yes(BLACK)).score == (0, 1)
    assert doubled(session, WHITE).after(gammon).after(yes(BLACK)).score == (0, 4)


def test_declining_changes_nothing_but_what_may_be_offered_again() -> None:
    for start in (at_roll(match()), at_roll(match()).after(Action.roll(WHITE, 3, 1))):
        declined = start.after(Action.resign(BLACK, Level.SINGLE)).after(no(WHITE))
        same = replace(declined.game, declined=(), actions=start.game.actions)
        assert same == start.game


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_resigning_is_possible_at_any_time_no_other_offer_waits(seat: Seat) -> None:
    thrown = match()
    rolled = at_roll(thrown).after(Action.roll(WHITE, 3, 1))
    for moment in (thrown, at_roll(thrown), rolled):
        assert moment.after(Action.resign(seat, Level.SINGLE)).decision.seat is seat.other
    offered = at_roll(thrown).after(Action.double(WHITE))
    assert refused(offered, Action.resign(seat, Level.SINGLE)) == "OFFER_PENDING M2"
    resigning = thrown.after(Action.resign(WHITE, Level.SINGLE))
    assert refused(resigning, Action.resign(seat, Level.GAMMON)) == "OFFER_PENDING M9"


def test_where_one_resigns_on_his_own_turn_only_the_other_waits_for_his() -> None:
    polite = match(resign_when="own_turn")
    for seat in (WHITE, BLACK):
        assert refused(polite, Action.resign(seat, Level.SINGLE)) == "NOT_YOUR_TURN M9"
    at = at_roll(polite)
    assert refused(at, Action.resign(BLACK, Level.SINGLE)) == "NOT_YOUR_TURN M9"
    assert "resign" in kinds(at)
    assert Kind.RESIGN not in at.decision.other_kinds
    assert "resign" in kinds(at.after(Action.roll(WHITE, 3, 1)))


def test_only_the_opponent_answers_a_resignation() -> None:
    offered = at_roll(match()).after(Action.resign(WHITE, Level.SINGLE))
    assert refused(offered, yes(WHITE)) == "NOT_YOUR_TURN M9"
    assert refused(at_roll(match()), yes(WHITE)) == "NOT_NOW M9"


def test_an_offer_stands_in_the_way_of_everything_but_its_answer() -> None:
    offered = at_roll(match()).after(Action.resign(BLACK, Level.SINGLE))
    for action in (Action.roll(WHITE, 3, 1), Action.double(WHITE), Action.take(WHITE)):
        assert refused(offered, action) == "OFFER_PENDING M9"
    at_throw = match().after(Action.resign(BLACK, Level.SINGLE))
    assert refused(at_throw, Action.throw(3, 1)) == "OFFER_PENDING M9"


def test_a_declined_level_is_offered_again_only_after_one_more_turn() -> None:
    single = Action.resign(WHITE, Level.SINGLE)
    declined = at_roll(match()).after(single).after(no(BLACK))
    assert refused(declined, single) == "LEVEL_DECLINED M9"
    rolled = declined.after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, single) == "LEVEL_DECLINED M9"
    assert rolled.after(Action.play(WHITE, "8/5 6/5")).after(single).game.offer


def test_another_level_or_the_other_player_is_not_concerned() -> None:
    declined = at_roll(match()).after(Action.resign(WHITE, Level.SINGLE)).after(no(BLACK))
    assert declined.after(Action.resign(WHITE, Level.GAMMON)).game.offer
    assert declined.after(Action.resign(BLACK, Level.SINGLE)).game.offer
    assert declined.game.levels(WHITE) == (Level.GAMMON, Level.BACKGAMMON)


@pytest.mark.parametrize(
    ("variant", "options", "at_once"),
    [
        ("western", {}, Level.BACKGAMMON),
        ("western", {"match_length": None}, Level.SINGLE),  # Jacoby: there is no more to lose
        ("tavla", {}, Level.GAMMON),
        ("plakoto", {}, Level.GAMMON),
        ("gul-bara", {}, Level.GAMMON),
    ],
)
def test_the_most_that_can_be_lost_is_accepted_by_itself(
    variant: str, options: dict[str, object], at_once: Level
) -> None:
    start = at_roll(match(variant, "", **options))
    for level in start.game.levels(WHITE):
        offered = start.after(Action.resign(WHITE, level))
        worth = (
            level is at_once or options.get("match_length", 0) is None
        )  # under Jacoby every level is worth the same
        assert (offered.game.result is not None) is worth
        asking = at_roll(match(variant, "", **options, **ASKING))
        assert asking.after(Action.resign(WHITE, level)).game.result is None


@pytest.mark.parametrize(
    ("variant", "levels"),
    [("western", tuple(Level)), ("tavla", tuple(Level)[:2]), ("plakoto", tuple(Level)[:2])],
)
def test_only_levels_that_the_game_has_may_be_offered(
    variant: str, levels: tuple[Level, ...]
) -> None:
    start = at_roll(match(variant, "", **ASKING))
    assert start.game.levels(WHITE) == levels
    for level in set(Level) - set(levels):
        assert refused(start, Action.resign(WHITE, level)) == "LEVEL_NOT_POSSIBLE M9"


@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto", "gul-bara"])
def test_with_a_checker_off_only_a_single_may_be_offered(variant: str) -> None:
    under = rules(variant)
    board = position(under, "6:14 off:1", "6:15")
    late = Match.new(under, Start(position=board, seat=WHITE))
    assert late.game.levels(WHITE) == (Level.SINGLE,)
    assert refused(late, Action.resign(WHITE, Level.GAMMON)) == "LEVEL_NOT_POSSIBLE M9"
    assert late.after(Action.resign(WHITE, Level.SINGLE)).score == (0, 1)
    assert Level.GAMMON in late.game.levels(BLACK)


# -- the match ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_a_match_is_resigned_at_any_time_and_nobody_has_to_accept_it(seat: Seat) -> None:
    thrown = match()
    at = at_roll(thrown)
    over = at.after(Action.resign(WHITE, Level.BACKGAMMON))
    for moment in (
        *(thrown, at, over, at.after(Action.roll(WHITE, 3, 1)), at.after(Action.double(WHITE))),
        at.after(Action.resign(WHITE, Level.SINGLE)),
    ):
        given_up = moment.after(Action.resign_match(seat))
        assert (given_up.over, given_up.winner) == (True, seat.other)
        assert given_up.score == moment.score
        assert kinds(given_up) == set()


def test_a_money_session_is_no_match_to_resign() -> None:
    session = at_roll(match(match_length=None))
    assert refused(session, Action.resign_match(WHITE)) == "NO_MATCH M9"
    assert Kind.RESIGN_MATCH not in session.decision.kinds


def test_refusing_a_double_is_no_resignation() -> None:
    dropped = at_roll(match()).after(Action.double(WHITE)).after(Action.drop(BLACK))
    assert dropped.results[0].ending is Ending.DROPPED


def test_a_resignation_is_answered_with_yes_or_no() -> None:
    offered = at_roll(match()).after(Action.resign(WHITE, Level.SINGLE))
    assert refused(offered, Action(Kind.ANSWER_RESIGNATION, BLACK)) == "ANSWER_MISSING M9"


def test_a_level_declined_two_turns_ago_may_be_offered() -> None:
    single = Action.resign(WHITE, Level.SINGLE)
    later = turn_passes(turn_passes(at_roll(match()).after(single).after(no(BLACK))))
    assert later.after(single).game.offer


def test_an_offer_of_no_level_is_refused() -> None:
    with pytest.raises(IllegalAction, match="resign: incomplete, expected a seat and a level"):
        match().after(Action(Kind.RESIGN, WHITE))
