"""Matches and sessions: the score, the Crawford game, Holland, and what a table may choose."""

from __future__ import annotations

from functools import partial

import pytest

from bgcore import Action, Crawford, Cube, Level, Match, OptionError, Preset, load
from bgcore.match import Start
from bgcore.option import Values
from bgcore.variant import Variant
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, kinds, match, rules, won
from tests.rulebook.helpers import clashes, from_cube, proves, refused, rule

MATCH_OF_3: dict[str, dict[str, object]] = {
    "vog": {"match_length": 3},
    # Rulebook 001's money rules are off in a match.
    "money-001": {"match_length": 3, "jacoby": False, "animals": 0},
    "club-002": {"match_length": 3},
    "jpgames": {"match_length": 3},
    "tournament-004": {"match_length": 3},
    "money-004": {"match_length": 3, "jacoby": False, "animals": 0},
}


def match_of_3(preset: str) -> Match:
    return at_roll(match("western", preset, **MATCH_OF_3[preset]))


@proves("S0-32", "S3-16")
def test_games_add_up_to_a_match_of_the_chosen_number_of_points(preset: str) -> None:
    game = at_roll(match("western", preset, match_length=4))
    game = at_roll(won(game, WHITE).after(Action.next_game()))
    game = at_roll(won(game, BLACK, Level.GAMMON).after(Action.next_game()))
    assert (game.score, game.winner) == ((1, 2), None)
    over = won(game, WHITE, Level.BACKGAMMON)
    assert (over.score, over.winner, kinds(over)) == ((4, 2), WHITE, set())
    assert refused(over, Action.next_game()) == ("MATCH_OVER", "M7")


@proves("S0-32", "S3-16")
def test_more_points_than_needed_win_the_match_too(preset: str) -> None:
    over = won(doubled(match_of_3(preset), WHITE), BLACK, Level.GAMMON)
    assert (over.score, over.winner) == ((0, 4), BLACK)


@proves("S0-26", "S0-33", "S1-23", "S2-18", "S4-23")
def test_nobody_doubles_in_the_game_after_a_player_comes_to_one_point_short(preset: str) -> None:
    second = won(match_of_3(preset), WHITE, Level.GAMMON).after(Action.next_game())
    assert (second.score, second.crawford) == ((2, 0), Crawford.NOW)
    for seat in (WHITE, BLACK):
        assert refused(at_roll(second, seat), Action.double(seat)) == ("CRAWFORD_GAME", "M7")


@proves("S0-33", "S1-23", "S2-18", "S4-23")
def test_after_the_crawford_game_the_cube_is_back_for_good(preset: str) -> None:
    crawford = at_roll(won(match_of_3(preset), WHITE, Level.GAMMON).after(Action.next_game()))
    third = won(crawford, BLACK).after(Action.next_game())
    assert (third.score, third.crawford) == ((2, 1), Crawford.AFTER)
    assert doubled(at_roll(third, BLACK), BLACK).game.cube == Cube(2, WHITE, turned=True)


@proves("S1-23", "S4-23")
def test_there_is_one_crawford_game_in_a_match(preset: str) -> None:
    crawford = at_roll(won(match_of_3(preset), WHITE, Level.GAMMON).after(Action.next_game()))
    level = won(crawford, BLACK, Level.GAMMON).after(Action.next_game())
    assert (level.score, level.crawford) == ((2, 2), Crawford.AFTER)
    assert doubled(at_roll(level, BLACK), BLACK).game.cube.value == 2


@rule("S3-25")
def test_jpgames_has_no_crawford_game_and_nothing_of_the_kind_afterwards() -> None:
    second = won(match_of_3("jpgames"), WHITE, Level.GAMMON).after(Action.next_game())
    assert second.score == (2, 0)
    trailing = at_roll(second, BLACK)  # one turn of each has not been completed
    assert doubled(trailing, BLACK).game.cube == Cube(2, WHITE, turned=True)
    dead = from_cube("jpgames", Cube(2, WHITE, turned=True), (1, 0), match_length=3)
    assert "double" in kinds(dead)
    assert clashes("western", "jpgames", holland=True) == {("holland", "M2")}


def after_crawford(**options: object) -> Match:
    """White one point short, black behind, the Crawford game played."""
    under = rules("western", "tournament-004", match_length=7, **options)
    return Match.new(under, Start(score=(6, 2), crawford=Crawford.AFTER))


@rule("S4-29")
def test_by_the_holland_rule_the_trailing_player_waits_for_two_turns_of_each_side() -> None:
    assert "double" in kinds(at_roll(after_crawford(), BLACK))  # rare: off by itself
    game = after_crawford(holland=True).after(Action.throw(6, 5))
    turns = (0, 0)
    while turns < (2, 2):
        assert game.game.turns_done == turns
        if game.game.phase == "roll":
            seat = game.game.seat
            if seat is BLACK:
                assert refused(game, Action.double(BLACK)) == ("HOLLAND_RULE", "M2")
            else:
                assert "double" in kinds(game)  # it binds only who is behind
            game = game.after(Action.roll(seat, 2, 1))
        game = game.after(Action.play(game.game.seat, str(game.game.plays[0])))
        turns = game.game.turns_done
    game = game.after(Action.roll(WHITE, 2, 1))
    game = game.after(Action.play(WHITE, str(game.game.plays[0])))
    assert doubled(game, BLACK).game.cube == Cube(2, WHITE, turned=True)


@rule("S4-29")
def test_some_have_the_holland_rule_bind_both() -> None:
    game = at_roll(after_crawford(holland=True, holland_scope="both"), WHITE)
    assert refused(game, Action.double(WHITE)) == ("HOLLAND_RULE", "M2")


def room(variant: Variant, *, locked: bool) -> Values | None:
    """A room that plays by VOG's rules with beavers, and leaves the length to the challenge."""
    if not variant.cube:
        return None
    kept = ("dead_cube_rule", "money_rules_in_match", "animals_refusable")
    values = rules(variant.id, "vog").options
    return {**{name: values[name] for name in kept}, "animals": 1, "options_locked": locked}


@rule("S0-28")
def test_a_room_sets_the_optional_rules_and_says_whether_a_challenge_may_change_them() -> None:
    registry = load().using(load().plugins[0])
    registry.add_preset(Preset("open-room", "a room", partial(room, locked=False)))
    registry.add_preset(Preset("closed-room", "a room", partial(room, locked=True)))

    def challenge(preset: str, **options: object) -> Match:
        offered = at_roll(Match.new(registry.rules("western", preset, options)))
        return offered.after(Action.double(WHITE))

    assert "animal" in kinds(challenge("open-room"))
    assert "animal" not in kinds(challenge("open-room", animals=0))
    assert "animal" in kinds(challenge("closed-room", match_length=3))
    with pytest.raises(OptionError) as caught:
        challenge("closed-room", animals=0)
    assert caught.value.reason == "OPTIONS_LOCKED"


@rule("S0-35")
def test_money_rules_are_off_by_default_at_vog_and_its_rooms_may_switch_them_on() -> None:
    plain = at_roll(match("western", "vog").after(Action.throw(3, 3)))
    assert plain.game.cube.value == 1
    assert kinds(plain.after(Action.double(WHITE))) == {"take", "drop"}
    assert won(plain, WHITE, Level.GAMMON).score == (2, 0)
    switched: dict[str, object] = {"jacoby": True, "animals": 1, "auto_doubles": 1}
    room = at_roll(match("western", "vog", **switched).after(Action.throw(3, 3)))
    assert room.game.cube.value == 2
    assert "animal" in kinds(room.after(Action.double(WHITE)))
    assert won(room, WHITE, Level.GAMMON).score == (2, 0)  # a single at a stake of 2


@rule("S0-35")
@pytest.mark.parametrize(("name", "value"), [("jacoby", True), ("animals", 1), ("auto_doubles", 1)])
def test_federation_tournaments_forbid_the_money_rules(name: str, value: object) -> None:
    assert clashes("western", "tournament", **{name: value}) == {(name, "M8")}
    assert clashes("western", "tournament-004", **{name: value}) == {(name, "M8")}


@rule("S3-17")
@pytest.mark.parametrize(
    ("variant", "points"), [("western", 7), ("tavla", 5), ("plakoto", 5), ("gul-bara", 5)]
)
def test_a_jpgames_match_has_7_points_with_the_cube_and_5_without(
    variant: str, points: int
) -> None:
    under = rules(variant, "jpgames")
    near = Match.new(under, Start(score=(points - 1, 0)))
    assert won(at_roll(near), WHITE).winner is WHITE
    assert won(at_roll(Match.new(under, Start(score=(points - 2, 0)))), WHITE).winner is None
    for other in (1, 3, 11):
        asked = rules(variant, "jpgames", match_length=other)
        assert won(at_roll(Match.new(asked, Start(score=(other - 1, 0)))), WHITE).winner is WHITE


@rule("S3-23")
def test_the_length_and_the_cube_are_set_at_the_table() -> None:
    with_cube = at_roll(match("western", "jpgames", match_length=3))
    assert doubled(with_cube, WHITE).game.cube.value == 2
    without = at_roll(match("western", "jpgames", match_length=3, cube=False))
    assert refused(without, Action.double(WHITE)) == ("CUBE_OFF", "M1")
    won_gammon = won(without, WHITE, Level.GAMMON)
    assert (won_gammon.score, won_gammon.winner) == ((2, 0), None)
    assert won(without, WHITE, Level.BACKGAMMON).winner is WHITE
