"""The examples of the variants' files that are about results and about the doubles ladder."""

from __future__ import annotations

from itertools import groupby
from random import Random
from typing import Any

import pytest

from bgcore import Action, Cube, Ending, IllegalAction, Level, Match, Player, Seat, Start
from bgcore.turn import PartKind
from tests.engine.helpers import BLACK, WHITE, position, rules, turn_passes
from tests.rulebook.data import lines
from tests.rulebook.helpers import from_board, rule


def cases(name: str) -> list[Any]:
    """The lines of a data file, each proving its own id."""
    return [pytest.param(one, marks=rule(one["id"]), id=one["id"]) for one in lines(name)]


@pytest.mark.parametrize("example", cases("results"))
def test_the_board_of_the_loser_says_what_the_game_was_worth(example: dict[str, Any]) -> None:
    under = rules(example["variant"], **example.get("options", {}))
    cube = Cube(example["cube"], WHITE, turned=True) if "cube" in example else None
    game = from_board(under, "3:1", example["loser"], cube)
    over = game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "3/off"))
    result = over.results[0]
    assert (result.winner, result.ending) == (WHITE, Ending.BORNE_OFF)
    assert (result.level, over.score) == (Level(example["level"]), (example["points"], 0))


@pytest.mark.parametrize("example", cases("mothers"))
def test_a_pinned_mother_decides_as_the_option_says(example: dict[str, Any]) -> None:
    under = rules("plakoto", **example["options"])
    winner, points = Seat.read(example["winner"]), example["points"]
    if "dice" in example:
        game = from_board(under, example["me"], example["opponent"])
        over = game.after(Action.roll(WHITE, *example["dice"]))
        over = over.after(Action.play(WHITE, example["play"]))
        assert (over.results[0].winner, over.results[0].points) == (winner, points)
        assert over.results[0].ending == example["ending"]
    else:
        board = position(under, example["me"], example["opponent"])
        outcome = under.outcome(board)
        assert outcome is not None
        assert (outcome.winner, outcome.points) == (Player(winner), points)
        assert outcome.ending == example["ending"]
        with pytest.raises(IllegalAction, match="the game has ended"):
            Match.new(under, Start(board))


def rungs(match: Match) -> list[list[int]]:
    """The numbers still to be played, as number and how often, part by part."""
    return [
        [number, len(list(same))]
        for part in match.game.turn.parts
        for number, same in groupby(part.numbers)
    ]


@pytest.mark.parametrize("example", cases("ladders"))
def test_an_own_roll_is_worth_these_rungs(example: dict[str, Any]) -> None:
    match = Match.new(rules("gul-bara", doubles="ladder")).after(Action.throw(2, 1))
    match = match.after(Action.play(WHITE, match.game.plays[0]))
    for _ in range(example["own_roll"] - 2):
        match = turn_passes(turn_passes(match))
    match = turn_passes(match)
    rolled = match.after(Action.roll(WHITE, *example["roll"]))
    assert rolled.game.turn.own_roll == example["own_roll"]
    assert rungs(rolled) == example["rungs"]


@pytest.mark.parametrize("unplayed", ["lost", "opponent_plays"])
@pytest.mark.parametrize("example", [one for one in cases("ladders") if "board" in one.values[0]])
def test_the_rungs_are_played_until_one_is_incomplete(
    example: dict[str, Any], unplayed: str
) -> None:
    under = rules("gul-bara", doubles="ladder", unplayed=unplayed)
    match = from_board(under, *example["board"]).after(Action.roll(WHITE, *example["roll"]))
    for steps in example["played"]:
        play = match.game.plays[0]
        assert (match.game.seat, play.numbers_used) == (WHITE, steps)
        match = match.after(Action.play(WHITE, play))
    assert match.game.seat is BLACK
    left = example.get("left", []) if unplayed == "opponent_plays" else []
    assert rungs(match) == left
    assert all(part.kind is PartKind.LEFTOVER for part in match.game.turn.parts)


def ladder_game(unplayed: str, seed: int) -> Match:
    """A whole game of gul-bara with the ladder, random legal plays."""
    random = Random(seed)
    match = Match.new(rules("gul-bara", "bulgarian", unplayed=unplayed))
    while match.game.result is None:
        dice = random.randint(1, 6), random.randint(1, 6)
        seat = match.game.seat
        if "throw" in match.decision.kinds:
            match = match.after(Action.throw(*dice))
        elif "roll" in match.decision.kinds:
            match = match.after(Action.roll(seat, *dice))
        else:
            match = match.after(Action.play(seat, random.choice(match.game.plays)))
        board = match.game.position
        assert board.mover.checkers == board.opponent.checkers == 15
        assert len(match.actions) < 5000
    return match


@pytest.mark.parametrize("unplayed", ["lost", "opponent_plays"])
def test_whole_ladder_games_end_and_replay_from_their_record(unplayed: str) -> None:
    for seed in range(20):
        match = ladder_game(unplayed, seed)
        [result] = match.results
        assert result.points in (1, 2)
        assert max(match.score) == result.points
        record = [Action.from_json(action.to_json()) for action in match.actions]
        assert Match.replay(match.rules, record) == match


def test_ladders_are_climbed_and_passed_on_in_whole_games() -> None:
    """What the games above are about does occur in them."""
    seen = set()
    for seed in range(20):
        match = ladder_game("opponent_plays", seed)
        again = Match.new(match.rules)
        for action in match.actions:
            again = again.after(action)
            seen |= {(part.kind, again.game.seat) for part in again.game.turn.parts}
    assert {(kind, seat) for kind in (PartKind.RUNG, PartKind.LEFTOVER) for seat in Seat} <= seen
