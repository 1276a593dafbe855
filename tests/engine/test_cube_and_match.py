"""The cube, resignation and the score, as `rules/cube-and-match.md` has them (M1 to M9)."""

from __future__ import annotations

import pytest

from bgcore import (
    Action,
    Crawford,
    Cube,
    Ending,
    IllegalAction,
    IllegalPosition,
    Kind,
    Level,
    Match,
    NotationError,
    Position,
    Roll,
    Start,
)
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
    won,
)


def refused(match: Match, action: Action) -> str:
    with pytest.raises(IllegalAction) as caught:
        match.after(action)
    return caught.value.reason


def from_cube(cube: Cube, score: tuple[int, int] = (0, 0), **options: object) -> Match:
    under = rules("western", "", **options)
    return Match.new(under, Start(position=under.start, seat=WHITE, cube=cube, score=score))


def test_a_dropped_double_scores_the_stake_before_it() -> None:  # CUB-01
    dropped = at_roll(match()).after(Action.double(WHITE)).after(Action.drop(BLACK))
    assert dropped.score == (1, 0)
    assert dropped.results[0].ending is Ending.DROPPED


def test_a_dropped_redouble_scores_the_cube_as_it_stood() -> None:  # CUB-02
    dropped = (
        from_cube(Cube(2, WHITE, turned=True)).after(Action.double(WHITE)).after(Action.drop(BLACK))
    )
    assert dropped.score == (2, 0)


def test_only_the_owner_may_redouble() -> None:  # CUB-03
    assert refused(from_cube(Cube(4, BLACK, turned=True)), Action.double(WHITE)) == "CUBE_NOT_YOURS"


def test_a_take_doubles_the_value_and_gives_the_cube_to_the_taker() -> None:
    taken = doubled(at_roll(match()), WHITE)
    assert taken.game.cube == Cube(2, BLACK, turned=True)
    assert (taken.game.seat, kinds(taken)) == (WHITE, {"roll", "resign"})


def test_the_cap_stops_a_double_that_would_pass_it() -> None:  # F18
    assert refused(from_cube(Cube(64, WHITE, turned=True)), Action.double(WHITE)) == "CUBE_AT_CAP"
    assert Kind.DOUBLE in from_cube(Cube(64, WHITE, turned=True), cube_cap="none").decision.kinds


def test_points_do_not_wrap_and_the_match_ends() -> None:  # F18
    over = won(from_cube(Cube(64, WHITE, turned=True), match_length=5), BLACK, Level.BACKGAMMON)
    assert (over.score, over.winner) == ((0, 192), BLACK)


def test_a_double_comes_before_the_roll() -> None:  # F06
    rolled = at_roll(match()).after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(WHITE)) == "ALREADY_ROLLED"


def test_the_opening_player_cannot_double_and_the_other_can() -> None:
    opened = match().after(Action.throw(6, 5))
    assert refused(opened, Action.double(WHITE)) == "ALREADY_ROLLED"
    assert "double" in kinds(
        turn_passed := opened.after(Action.play(WHITE, str(opened.game.plays[0])))
    )
    assert turn_passed.game.seat is BLACK


def test_with_a_fresh_roll_the_first_turn_is_closed_to_doubling() -> None:
    opened = match(opening_roll="reroll").after(Action.throw(6, 5))
    assert refused(opened, Action.double(WHITE)) == "FIRST_TURN"
    early = match(opening_roll="reroll", double_before_first_roll=True).after(Action.throw(6, 5))
    assert "double" in kinds(early)


def test_nothing_but_an_answer_follows_a_double() -> None:
    offered = at_roll(match()).after(Action.double(WHITE))
    assert (offered.decision.seat, kinds(offered)) == (BLACK, {"take", "drop"})
    assert refused(offered, Action.roll(WHITE, 3, 1)) == "NOT_YOUR_TURN"
    assert refused(offered, Action.resign(WHITE, Level.SINGLE)) == "OFFER_PENDING"


def test_after_a_drop_every_action_is_refused() -> None:  # F23
    dropped = at_roll(match()).after(Action.double(WHITE)).after(Action.drop(BLACK))
    for action in (Action.take(BLACK), Action.double(WHITE), Action.roll(WHITE, 3, 1)):
        assert refused(dropped, action) == "GAME_OVER"
    assert kinds(dropped) == {"next_game"}


def test_declining_costs_the_doublers_opponent_and_leaves_his_own_score() -> None:  # F17
    start = Start(score=(3, 1))
    played = at_roll(Match.new(rules(match_length=5), start), BLACK)
    assert played.after(Action.double(BLACK)).after(Action.drop(WHITE)).score == (3, 2)


def test_a_one_point_match_has_no_cube() -> None:  # F19
    assert refused(at_roll(match(match_length=1)), Action.double(WHITE)) == "CUBE_OFF"


def test_nobody_doubles_in_the_crawford_game_and_both_may_afterwards() -> None:  # F19, CUB-06
    second = won(at_roll(match(match_length=3)), WHITE, Level.GAMMON).after(Action.next_game())
    assert second.crawford is Crawford.NOW
    for seat in (WHITE, BLACK):
        assert refused(at_roll(second, seat), Action.double(seat)) == "CRAWFORD_GAME"
    third = won(at_roll(second), BLACK).after(Action.next_game())
    assert (third.score, third.crawford) == ((2, 1), Crawford.AFTER)
    opened = third.after(Action.throw(2, 6))
    assert refused(opened, Action.double(BLACK)) == "ALREADY_ROLLED"
    assert "double" in kinds(at_roll(third, WHITE))
    assert "double" in kinds(at_roll(third, BLACK))


def test_there_is_one_crawford_game_in_a_match() -> None:
    crawford = won(at_roll(match(match_length=3)), WHITE, Level.GAMMON).after(Action.next_game())
    level = won(at_roll(crawford), BLACK, Level.GAMMON)
    assert (level.score, level.after(Action.next_game()).crawford) == ((2, 2), Crawford.AFTER)


def test_jumping_over_the_last_point_ends_the_match_without_a_crawford_game() -> None:  # CUB-07
    jumped = won(from_cube(Cube(), (4, 0), match_length=7), WHITE, Level.BACKGAMMON)
    assert (jumped.score, jumped.winner, kinds(jumped)) == ((7, 0), WHITE, set())
    assert refused(jumped, Action.next_game()) == "MATCH_OVER"


def test_without_the_rule_the_game_at_match_point_may_be_doubled() -> None:
    second = won(at_roll(match(match_length=3, crawford=False)), WHITE, Level.GAMMON)
    assert "double" in kinds(at_roll(second.after(Action.next_game()), BLACK))


def test_jacoby_makes_a_single_of_a_gammon_while_the_cube_was_not_turned() -> None:
    session = at_roll(match("western", "money"))
    offered = session.after(Action.resign(BLACK, Level.GAMMON))
    assert offered.game.result is not None  # it is all that can be lost: accepted at once
    assert offered.score == (1, 0)


def test_with_the_cube_turned_jacoby_counts_gammons() -> None:  # CUB-15
    assert won(doubled(at_roll(match("western", "money")), WHITE), WHITE, Level.GAMMON).score == (
        4,
        0,
    )


def test_a_gammon_counts_with_the_cube() -> None:  # CUB-22
    assert won(
        from_cube(Cube(4, BLACK, turned=True), match_length=25), WHITE, Level.GAMMON
    ).score == (8, 0)


def test_a_declined_resignation_changes_nothing_and_waits_a_turn() -> None:  # CUB-18
    offered = at_roll(match()).after(Action.resign(WHITE, Level.SINGLE))
    assert (offered.decision.seat, kinds(offered)) == (BLACK, {"answer_resignation"})
    assert refused(offered, Action.roll(WHITE, 3, 1)) == "OFFER_PENDING"
    declined = offered.after(Action.answer_resignation(BLACK, accept=False))
    assert (declined.game.phase, declined.game.seat) == ("roll", WHITE)
    assert refused(declined, Action.resign(WHITE, Level.SINGLE)) == "LEVEL_DECLINED"
    assert turn_passes(declined).after(Action.resign(WHITE, Level.SINGLE)).game.offer


def test_a_player_with_a_checker_off_can_lose_a_single_only() -> None:  # F20, CUB-19
    under = rules()
    board = position(under, "6:5 5:5 4:4 off:1", "6:15")
    late = Match.new(under, Start(position=board, seat=WHITE, cube=Cube(2, BLACK, turned=True)))
    assert refused(late, Action.resign(WHITE, Level.GAMMON)) == "LEVEL_NOT_POSSIBLE"
    over = late.after(Action.resign(WHITE, Level.SINGLE))
    assert over.score == (0, 2)  # the most that can be lost is accepted at once
    assert "gammon" in {str(level) for level in late.game.levels(BLACK)}


def test_the_highest_level_waits_for_an_answer_when_the_table_wants_it() -> None:
    asked = at_roll(match(resign_auto_accept=False)).after(Action.resign(WHITE, Level.BACKGAMMON))
    assert asked.game.result is None
    assert asked.after(Action.answer_resignation(BLACK, accept=True)).score == (0, 3)


def test_a_resignation_may_come_from_the_player_who_is_not_on_turn() -> None:
    assert Kind.RESIGN in at_roll(match()).decision.other_kinds
    assert won(at_roll(match()), WHITE).score == (1, 0)


def test_games_of_a_traditional_tavla_match_are_started_by_the_winner() -> None:
    second = won(match("tavla", "traditional").after(Action.throw(6, 5)), BLACK).after(
        Action.next_game()
    )
    assert (second.game.seat, kinds(second)) == (BLACK, {"roll", "resign"})


def test_by_default_every_game_opens_with_a_throw_and_ties_are_thrown_again() -> None:
    second = won(at_roll(match()), BLACK).after(Action.next_game())
    tied = second.after(Action.throw(4, 4))
    assert (kinds(tied), len(tied.actions)) == ({"throw", "resign"}, len(second.actions) + 1)
    assert tied.after(Action.throw(4, 5)).game.seat is BLACK


def test_starters_alternate_where_the_table_says_so() -> None:
    second = won(at_roll(match(later_starter="alternate"), WHITE), BLACK).after(Action.next_game())
    assert second.game.seat is WHITE  # black had opened


def test_a_money_session_goes_on_and_keeps_both_totals() -> None:
    session = won(doubled(at_roll(match("western", "money")), WHITE), WHITE)
    session = won(at_roll(session.after(Action.next_game())), BLACK)
    assert (session.score, session.winner) == ((2, 1), None)
    assert "next_game" in kinds(session)


def test_a_record_alone_replays_to_the_same_match() -> None:
    played = turn_passes(turn_passes(doubled(at_roll(match()), WHITE)))
    record = [Action.from_json(action.to_json()) for action in played.actions]
    assert Match.replay(played.rules, record) == played


def test_acting_for_the_other_seat_is_refused() -> None:
    assert refused(at_roll(match()), Action.roll(BLACK, 3, 1)) == "NOT_YOUR_TURN"


@pytest.mark.parametrize("dice", [(0, 3), (7, 1), (3,), (3, 3, 3), ()])
def test_a_roll_is_two_numbers_from_1_to_6(dice: tuple[int, ...]) -> None:
    assert refused(at_roll(match()), Action.roll(WHITE, *dice)) == "BAD_DICE"


def test_a_start_that_is_already_decided_is_refused() -> None:
    with pytest.raises(IllegalAction, match="below match_length 3"):
        Match.new(rules(match_length=3), Start(score=(3, 0)))


@pytest.mark.parametrize("score", [(-1, 0), (1.5, 0), (1,), ("1", 0)])
def test_a_score_is_two_numbers_from_0(score: object) -> None:
    with pytest.raises(IllegalAction, match="expected two numbers from 0"):
        Match.new(rules(), Start(score=score))  # type: ignore[arg-type]  # what is wrong with it


@pytest.mark.parametrize(
    ("variant", "cube", "options"),
    [
        ("western", Cube(-2, WHITE), {}),
        ("western", Cube(0), {}),
        ("western", Cube(3), {}),
        ("western", Cube(128), {}),
        ("tavla", Cube(4, WHITE), {}),
        ("western", Cube(2, BLACK), {"match_length": 1}),
    ],
)
def test_a_game_starts_only_with_a_cube_that_it_can_have(
    variant: str, cube: Cube, options: dict[str, object]
) -> None:
    under = rules(variant, "", **options)
    with pytest.raises(IllegalAction) as caught:
        Match.new(under, Start(position=under.start, cube=cube))
    assert caught.value.reason == "BAD_CUBE"


def test_the_crawford_game_is_at_one_point_short_and_without_a_turned_cube() -> None:
    with pytest.raises(IllegalAction, match="nobody is one point short at 0-0"):
        Match.new(rules(), Start(crawford=Crawford.NOW))
    under = rules()
    with pytest.raises(IllegalAction, match="no cube is in play"):
        Match.new(under, Start(position=under.start, cube=Cube(4, WHITE), score=(6, 0)))


def test_a_game_starts_from_a_position_of_its_own_with_its_own_dice() -> None:
    under = rules()
    with pytest.raises(IllegalPosition):
        Match.new(under, Start(position=Position(b"\xff" * 64)))
    with pytest.raises(IllegalAction, match="expected 2 numbers from 1 to 6"):
        Match.new(under, Start(position=under.start, dice=(1, 2, 3)))
    with pytest.raises(NotationError, match="roll 321: expected 2 dice"):
        under.plays(under.start, Roll.of(1, 2, 3))


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (Start(seat=BLACK), "seat black"),
        (Start(cube=Cube(2, WHITE)), "cube 2"),
        (Start(dice=(3, 1)), "dice"),
    ],
)
def test_seat_cube_and_dice_begin_nothing_without_a_position(start: Start, says: str) -> None:
    with pytest.raises(IllegalAction, match=f"{says}.*, expected a position with it") as caught:
        Match.new(rules(), start)
    assert (caught.value.reason, caught.value.faults[0].rule) == ("BAD_START", "C7")


def test_resigning_is_listed_only_while_a_level_is_left_to_offer() -> None:
    at_throw = match(resign_auto_accept=False)
    for seat in (WHITE, BLACK):
        for level in Level:
            offered = at_throw.after(Action.resign(seat, level))
            assert refused(offered, Action.throw(3, 1)) == "OFFER_PENDING"
            at_throw = offered.after(Action.answer_resignation(seat.other, accept=False))
    assert kinds(at_throw) == {"throw"}


def test_a_gammon_waits_for_an_answer_while_a_mother_can_cost_more() -> None:
    dear = match("plakoto", mother_rule=True, mother_points=3).after(Action.throw(6, 5))
    offered = dear.after(Action.resign(WHITE, Level.GAMMON))
    assert offered.game.result is None
    cheap = match("plakoto", mother_rule=True).after(Action.throw(6, 5))
    assert cheap.after(Action.resign(WHITE, Level.GAMMON)).score == (0, 2)


def test_no_game_starts_where_neither_side_can_ever_move() -> None:  # G1
    under = rules()
    shut = "6:2 5:2 4:2 3:2 2:2 1:2 bar:3"
    with pytest.raises(IllegalAction) as caught:
        Match.new(under, Start(position=position(under, shut, shut)))
    assert caught.value.reason == "NOBODY_CAN_MOVE"


def test_what_a_play_action_means_is_told_by_the_game() -> None:
    thrown = match().after(Action.throw(3, 1)).game
    texts = (Action.play(WHITE, "8/5 6/5"), Action.play_steps(WHITE, ((8, 3), (6, 1))))
    assert [str(thrown.play_of(action)) for action in texts] == ["8/5 6/5"] * 2
    with pytest.raises(IllegalAction):
        thrown.play_of(Action.play(WHITE, "8/5"))
