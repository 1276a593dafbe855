"""Matches and money sessions: Crawford, Holland, the balance (M7, M8, M2.5)."""

from __future__ import annotations

import pytest

from bgcore import Action, Crawford, IllegalAction, Level, Match, Seat, Start, load
from bgcore.notation.situation import Situation
from bgcore.rotation import Choice, Rotation
from tests.engine.helpers import (
    BLACK,
    WHITE,
    at_roll,
    kinds,
    match,
    position,
    rules,
    turn_passes,
    won,
)
from tests.engine.refusal import clash, refused


def at_score(white: int, black: int, length: int | None = 7, **options: object) -> Match:
    under = rules("western", "", match_length=length, **options)
    return Match.new(under, Start(score=(white, black)))


def after_game(start: Match, winner: Seat, level: Level = Level.SINGLE) -> Match:
    return won(at_roll(start), winner, level).after(Action.next_game())


# -- M7 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "level", "over"),
    [((5, 3), Level.SINGLE, False), ((5, 3), Level.GAMMON, True), ((5, 3), Level.BACKGAMMON, True)],
)
def test_who_first_reaches_or_passes_the_length_has_won(
    score: tuple[int, int], level: Level, over: bool
) -> None:
    played = won(at_roll(at_score(*score)), WHITE, level)
    assert (played.winner is WHITE) is over
    assert played.over is over


def test_points_past_the_length_are_kept_in_the_score() -> None:
    assert won(at_roll(at_score(5, 3)), WHITE, Level.BACKGAMMON).score == (8, 3)


def test_after_the_end_of_a_match_everything_is_refused() -> None:
    over = won(at_roll(at_score(6, 0)), WHITE)
    for action in (Action.next_game(), Action.roll(WHITE, 3, 1), Action.resign_match(BLACK)):
        assert refused(over, action) == "MATCH_OVER M7"


@pytest.mark.parametrize(
    ("before", "winner", "level", "crawford"),
    [
        ((5, 0), WHITE, Level.SINGLE, Crawford.NOW),
        ((4, 0), WHITE, Level.GAMMON, Crawford.NOW),
        ((0, 3), BLACK, Level.BACKGAMMON, Crawford.NOW),
        ((4, 4), WHITE, Level.SINGLE, Crawford.BEFORE),
        ((5, 5), BLACK, Level.SINGLE, Crawford.NOW),
    ],
)
def test_the_game_after_a_player_comes_to_one_point_short_is_the_crawford_game(
    before: tuple[int, int], winner: Seat, level: Level, crawford: Crawford
) -> None:
    assert after_game(at_score(*before), winner, level).crawford is crawford


def test_nobody_doubles_in_the_crawford_game_and_both_may_after_it() -> None:
    crawford = after_game(at_score(5, 0), WHITE)
    for seat in (WHITE, BLACK):
        assert refused(at_roll(crawford, seat), Action.double(seat)) == "CRAWFORD_GAME M7"
    later = after_game(crawford, BLACK)
    assert later.crawford is Crawford.AFTER
    for seat in (WHITE, BLACK):
        assert "double" in kinds(at_roll(later, seat))


def test_there_is_no_second_crawford_game_when_the_other_comes_to_one_point_short() -> None:
    later = after_game(after_game(at_score(5, 5), WHITE), BLACK)
    assert (later.score, later.crawford) == ((6, 6), Crawford.AFTER)
    assert "double" in kinds(at_roll(later))


def test_a_match_of_two_points_has_its_crawford_game_too() -> None:
    assert after_game(at_score(0, 0, 2), BLACK).crawford is Crawford.NOW


def test_without_the_crawford_rule_nothing_is_said_of_one_point_short() -> None:
    second = after_game(at_score(5, 0, crawford=False), WHITE)
    assert "double" in kinds(at_roll(second, WHITE))
    assert "double" in kinds(at_roll(second, BLACK))


def test_a_match_to_one_point_has_no_cube_at_all() -> None:
    assert refused(at_roll(at_score(0, 0, 1)), Action.double(WHITE)) == "CUBE_OFF M7"


def test_a_drawn_game_gives_nobody_points_and_the_next_opens_with_a_throw() -> None:
    under = rules("plakoto", "traditional")
    board = position(under, "6:13 2:1 pin:24", "24:1 1:14")
    start = Match.new(under, Start(position=board, seat=WHITE, score=(1, 2)))
    drawn = start.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "2/1"))
    assert (drawn.score, drawn.results[0].winner) == ((1, 2), None)
    assert kinds(drawn.after(Action.next_game())) == {"throw", "resign"}


# -- M2.5 --------------------------------------------------------------------------------------------


def holland(scope: str, score: tuple[int, int] = (6, 2), **options: object) -> Match:
    """The game after the Crawford game of a match to 7."""
    under = rules("western", "", holland=True, holland_scope=scope, match_length=7, **options)
    return Match.new(under, Start(score=score, crawford=Crawford.AFTER))


def may_double(start: Match, opener: Seat, turns: int) -> list[bool]:
    """Whether each turn of a game after the opening one is open to a double, in their order."""
    game, found = at_roll(start, opener.other), []
    for _ in range(turns):
        found.append("double" in kinds(game))
        if not found[-1] and game.game.cube.owner is None:
            assert refused(game, Action.double(game.game.seat)) == "HOLLAND_RULE M2"
        game = turn_passes(game)
    return found


def test_holland_binds_the_trailing_player_until_both_have_played_two_turns() -> None:
    # White leads and opens: Black's turns are the first, third and fifth here.
    assert may_double(holland("trailing"), WHITE, 5) == [False, True, False, True, True]
    # Black opens: White may at once, Black with two turns of White's behind him.
    assert may_double(holland("trailing"), BLACK, 4) == [True, False, True, True]


def test_holland_may_bind_both_players() -> None:
    assert may_double(holland("both"), WHITE, 5) == [False, False, False, True, True]
    assert may_double(holland("both", (6, 6)), BLACK, 5) == [False, False, False, True, True]


def test_at_an_even_score_nobody_is_trailing() -> None:
    assert may_double(holland("trailing", (6, 6)), WHITE, 2) == [True, True]


def test_holland_speaks_of_games_after_the_crawford_game_only() -> None:
    under = rules(holland=True, holland_scope="both", match_length=7)
    assert "double" in kinds(at_roll(Match.new(under)))
    crawford = Match.new(under, Start(score=(6, 2)))
    assert refused(at_roll(crawford), Action.double(WHITE)) == "CRAWFORD_GAME M7"
    assert clash(holland=True, crawford=False) == {"holland M2"}


def test_without_holland_the_trailing_player_doubles_in_his_first_turn() -> None:
    under = rules(match_length=7)
    after = Match.new(under, Start(score=(6, 2), crawford=Crawford.AFTER))
    assert "double" in kinds(at_roll(after, BLACK))


# -- M8 ----------------------------------------------------------------------------------------------


def test_a_money_session_keeps_a_running_balance_and_never_ends_by_points() -> None:
    session = at_score(0, 0, None)
    for game, winner in enumerate([WHITE, WHITE, BLACK] * 5):
        session = won(at_roll(session), winner)
        assert sum(session.score) == game + 1
        assert not session.over
        session = session.after(Action.next_game())
    assert session.score == (10, 5)
    assert session.winner is None


def test_a_money_session_knows_no_crawford_holland_or_dead_cube() -> None:
    under = rules(match_length=None, holland=True, holland_scope="both", dead_cube_rule=True)
    session = Match.new(under, Start(score=(6, 0)))
    assert "double" in kinds(at_roll(session, WHITE))
    assert "double" in kinds(at_roll(session, BLACK))
    assert session.crawford is Crawford.BEFORE


def test_a_money_session_is_ended_between_two_games() -> None:
    session = at_score(0, 0, None)
    assert refused(session, Action.end_session()) == "NOT_NOW M8"
    between = won(at_roll(session), BLACK)
    assert kinds(between) == {"next_game", "end_session"}
    ended = between.after(Action.end_session())
    assert (ended.over, ended.winner, ended.score) == (True, None, (0, 1))
    assert refused(ended, Action.next_game()) == "MATCH_OVER M7"


def test_a_match_is_not_ended_as_a_session() -> None:
    between = won(at_roll(match()), BLACK)
    assert refused(between, Action.end_session()) == "NO_SESSION M8"


@pytest.mark.parametrize(
    ("name", "value"),
    [("jacoby", True), ("animals", 1), ("animals", None), ("auto_doubles", 2)],
)
def test_rules_of_money_play_are_rejected_in_a_match_unless_it_allows_them(
    name: str, value: object
) -> None:
    options: dict[str, object] = {name: value, "match_length": 5}
    assert clash("western", **options) == {f"{name} M8"}
    assert rules("western", "", **options, money_rules_in_match="allow").options[name] == value
    assert rules("western", "", **{**options, "match_length": None}).options[name] == value


# -- without a cube ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "options"), [("tavla", {}), ("western", {"cube": False})])
def test_a_match_without_a_cube_has_no_crawford_game(id: str, options: dict[str, object]) -> None:
    began = Match.new(rules(id, "", match_length=3, **options), Start(score=(1, 0)))
    second = after_game(began, WHITE)
    assert (second.score, second.crawford) == ((2, 0), Crawford.AFTER)
    assert not second.game.terms.crawford


def test_but_in_a_rotation_it_has_if_one_of_its_games_has_a_cube() -> None:
    games = Rotation((Choice("tavla", options={}), Choice("western")))
    cycle = load().cycle(games, {"match_length": 3, "cube": True})
    assert Match.new(cycle, Start(score=(2, 0))).crawford is Crawford.NOW
    cycle = load().cycle(games, {"match_length": 3})
    assert Match.new(cycle, Start(score=(2, 0))).crawford is Crawford.AFTER


def test_a_start_without_a_cube_may_be_said_to_be_the_crawford_game() -> None:
    """Records of before say so, and so do Match IDs and XGIDs, which know no games without a cube."""
    start = Start(score=(4, 0), crawford=Crawford.NOW)
    assert Match.new(rules("tavla"), start).crawford is Crawford.AFTER
    told = Situation(
        setup=rules("tavla").start.setup,
        seat=WHITE,
        decider=WHITE,
        length=5,
        score=(4, 0),
        crawford=True,
    )
    assert told.match(rules("tavla")).crawford is Crawford.AFTER


@pytest.mark.parametrize(
    ("score", "options", "says"),
    [
        ((3, 0), {}, "nobody is one point short at 3-0"),
        ((6, 0), {"crawford": False}, "the option crawford is false"),
        ((3, 0), {"cube": False}, "nobody is one point short at 3-0"),
    ],
)
def test_a_start_that_cannot_be_the_crawford_game_says_why(
    score: tuple[int, int], options: dict[str, object], says: str
) -> None:
    with pytest.raises(IllegalAction, match=f"now: {says}"):
        Match.new(rules("western", "", **options), Start(score=score, crawford=Crawford.NOW))
