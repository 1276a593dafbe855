"""The examples of the variants' files that are about what follows in a turn: bonuses, complements, leftovers."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bgcore import Action, Level, Match, Seat, Start
from bgcore.phase import Phase
from bgcore.turn import PartKind
from tests.engine import made
from tests.engine.helpers import BLACK, WHITE, position
from tests.engine.random_acts import chosen
from tests.rulebook.data import lines
from tests.rulebook.helpers import refused, rule


def cases(name: str) -> list[Any]:
    """The cases of each line of a data file, proving its id."""
    return [
        pytest.param(case, marks=rule(one["id"]), id=f"{one['id']} {case['situation']}")
        for one in lines(name)
        for case in one["cases"]
    ]


def begun(example: dict[str, Any]) -> Match:
    """The match on the board of an example, white on turn."""
    under = made.made(example["variant"], **example.get("options", {}))
    return Match.new(under, Start(position(under, *example["board"]), WHITE))


def parts(match: Match) -> list[str]:
    return ["".join(map(str, part.numbers)) for part in match.game.turn.parts]


def after(match: Match, line: str) -> Match:
    """The match after a line of a script; a line that only tells is checked."""
    first, *words = line.split()
    if first == "parts":
        assert parts(match) == words
        return match
    if first == "count":
        assert [str(len(match.game.plays))] == words
        return match
    seat = Seat.read(first)
    match words:
        case ["rolls", dice]:
            return match.after(Action.roll(seat, *map(int, dice.split("-"))))
        case ["names", number]:
            return match.after(Action.name_double(seat, int(number)))
        case ["plays", *_]:
            return match.after(Action.play(seat, line.split(maxsplit=2)[2]))
        case ["uses", numbers]:
            assert match.game.seat is seat
            play = match.game.plays[0]
            used = "".join(map(str, sorted(play.numbers, reverse=True))) or "nothing"
            assert used == numbers
            return match.after(Action.play(seat, play))
        case ["may", kind, "after", "any", "play"]:
            for play in match.game.plays:
                one = match.after(Action.play(match.game.seat, play))
                after(one, f"{seat} may {kind}")
        case ["may", kind]:
            assert match.game.seat is seat
            assert set(match.decision.kinds) - {"resign", "resign_match"} == {kind}
        case ["wins", points]:
            assert match.results[-1].winner is seat
            assert match.results[-1].points == int(points)
        case _:
            raise AssertionError(f"no such line: {line}")
    return match


@pytest.mark.parametrize("example", cases("turns"))
def test_a_turn_goes_on_as_the_rules_say(example: dict[str, Any]) -> None:
    match = begun(example)
    for line in example["script"]:
        match = after(match, line)


def test_the_chosen_double_is_a_part_of_its_own_kind() -> None:
    under = made.made("european-acey-deucey")
    match = Match.new(under).after(Action.throw(2, 1)).after(Action.roll(WHITE, 2, 1))
    match = match.after(Action.play(WHITE, "in/24 in/23")).after(Action.name_double(WHITE, 5))
    kinds = [part.kind for part in match.game.turn.parts]
    assert kinds == [PartKind.CHOSEN_DOUBLE, PartKind.COMPLEMENT]


def test_a_double_is_named_only_after_a_1_2_and_by_its_player() -> None:
    under = made.made("acey-deucey")
    rolled = Match.new(under).after(Action.throw(2, 1)).after(Action.roll(WHITE, 6, 3))
    assert refused(rolled, Action.name_double(WHITE, 3)) == ("NOT_NOW", "R5")
    match = Match.new(under).after(Action.throw(2, 1)).after(Action.roll(WHITE, 2, 1))
    match = match.after(Action.play(WHITE, "in/24 in/23"))
    assert match.game.phase == "name_double"
    assert refused(match, Action.name_double(BLACK, 3)) == ("NOT_YOUR_TURN", "R5")
    assert refused(match, Action.roll(WHITE, 3, 3)) == ("NOT_NOW", "M11")


def test_who_rolls_once_more_may_not_double_first() -> None:
    known = made.registry()
    with_cube = replace(made.RUSSIAN, id="with-cube", cube=True, options=("cube",))
    known.add(with_cube)
    under = known.rules("with-cube")
    match = Match.new(under, Start(position(under, "20:15", "1:15"), WHITE))
    assert "double" in match.decision.kinds
    for line in ("white rolls 1-1", "white uses 1111", "white uses 6666"):
        match = after(match, line)
    assert refused(match, Action.double(WHITE)) == ("ALREADY_ROLLED", "M2")
    assert "double" not in match.decision.kinds


# -- what a game is worth ------------------------------------------------------------------------------


@rule("ACE-R1")
@pytest.mark.parametrize("variant", ["acey-deucey", "tawla-31"])
def test_the_winner_scores_a_point_for_each_checker_not_borne_off(variant: str) -> None:
    under = made.made(variant)
    left = "in:3 bar:1 9:4 off:7" if variant == "acey-deucey" else "9:8 off:7"
    match = Match.new(under, Start(position(under, "1:1 off:14", left), WHITE))
    match = match.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "1/off"))
    result = match.results[-1]
    assert (result.winner, result.points, result.level) == (WHITE, 8, None)
    assert (match.score, match.length) == ((8, 0), {"acey-deucey": 30, "tawla-31": 31}[variant])


@rule("ACE-R1")
def test_a_game_scored_by_levels_has_them() -> None:
    under = made.made("acey-deucey", scoring="levels")
    assert under.levels == (Level.SINGLE, Level.GAMMON)
    assert made.made("acey-deucey").levels == ()


def test_where_checkers_are_counted_points_are_resigned() -> None:
    under = made.made("acey-deucey")
    board = position(under, "1:1 off:14", "9:8 off:7")
    match = Match.new(under, Start(board, WHITE))
    assert (match.game.points_to_resign(BLACK), match.game.levels(BLACK)) == (8, ())
    assert refused(match, Action.resign(BLACK, Level.SINGLE)) == ("LEVEL_NOT_TAKEN", "M9")
    for points in (9, 255):
        assert refused(match, Action.resign_points(BLACK, points)) == ("POINTS_NOT_POSSIBLE", "M9")
    offered = match.after(Action.resign_points(BLACK, 5))
    assert offered.game.offer and offered.game.offer.points == 5
    taken = offered.after(Action.answer_resignation(WHITE, accept=True))
    assert (taken.score, taken.results[-1].level) == ((5, 0), None)
    declined = offered.after(Action.answer_resignation(WHITE, accept=False))
    assert refused(declined, Action.resign_points(BLACK, 5)) == ("LEVEL_DECLINED", "M9")
    # The most that can be lost ends the game at once.
    assert declined.after(Action.resign_points(BLACK, 8)).score == (8, 0)


def test_where_levels_count_no_points_are_resigned() -> None:
    match = Match.new(made.made("russian"))
    assert refused(match, Action.resign_points(WHITE, 1)) == ("POINTS_NOT_TAKEN", "M9")


def test_jacoby_makes_no_single_of_counted_checkers() -> None:
    known = made.registry()
    counted = replace(
        made.TAWLA_31, id="with-cube", cube=True, jacoby=True, options=("cube", "scoring")
    )
    known.add(counted)
    under = known.rules("with-cube", options={"match_length": None, "jacoby": True})
    match = Match.new(under, Start(position(under, "1:1 off:14", "9:8 off:7"), WHITE))
    match = match.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "1/off"))
    assert match.score == (8, 0)


# -- ends that are a game's own ------------------------------------------------------------------------


def last_roll(mine: str, his: str, **options: object) -> Match:
    under = made.made("last-roll", **options)
    return Match.new(under, Start(position(under, mine, his), WHITE))


def test_the_second_player_has_one_turn_more_and_may_draw() -> None:
    match = last_roll("1:1 off:14", "6:2 off:13", last_roll_equalizer=True)
    for line in ("white rolls 2-1", "white plays 1/off", "black may roll", "black rolls 6-6"):
        match = after(match, line)
    assert match.game.result is None
    assert [str(play) for play in match.game.plays] == ["6/off 6/off"]
    drawn = after(match, "black plays 6/off(2)")
    assert (drawn.results[-1].winner, drawn.results[-1].points) == (None, 0)
    assert drawn.results[-1].ending == "both_borne_off"
    assert drawn.score == (0, 0)


def test_the_starter_wins_if_the_last_turn_is_not_enough() -> None:
    match = last_roll("1:1 off:14", "6:3 off:12", last_roll_equalizer=True)
    for line in ("white rolls 2-1", "white plays 1/off", "black rolls 6-5", "black uses 65"):
        match = after(match, line)
    assert (match.results[-1].winner, match.score) == (WHITE, (1, 0))


def test_without_the_option_and_for_the_second_player_the_game_ends_at_once() -> None:
    plain = last_roll("1:1 off:14", "6:2 off:13")
    assert after(after(plain, "white rolls 2-1"), "white uses 2").results[-1].winner is WHITE
    second = last_roll("6:4 off:11", "1:1 off:14", last_roll_equalizer=True)
    for line in ("white rolls 2-1", "white uses 21", "black rolls 2-1", "black uses 2"):
        second = after(second, line)
    assert second.results[-1].winner is BLACK


def last_roll_of_crazy_narde(his: str) -> Match:
    """White, who started, bears off his last checker with the 1; the 5 and Black's own turn are left."""
    under = made.made("crazy-narde", last_roll_equalizer=True)
    match = Match.new(under, Start(position(under, "1:1 off:14", his), WHITE))
    return after(after(match, "white rolls 5-1"), "white plays 1/off")


def test_the_last_turn_of_crazy_narde_begins_with_what_was_left_over() -> None:
    match = last_roll_of_crazy_narde("6:1 5:1 off:13")
    assert (match.game.seat, match.game.turn.parts[0].numbers) == (BLACK, (5,))
    match = after(match, "black plays 5/off")
    assert (match.game.result, match.game.phase) == (None, Phase.ROLL)
    drawn = after(after(match, "black rolls 6-1"), "black plays 6/off")
    assert (drawn.results[-1].winner, drawn.results[-1].ending) == (None, "both_borne_off")


def test_and_ends_with_the_last_rung_of_his_roll() -> None:
    match = after(last_roll_of_crazy_narde("6:2 5:4 off:9"), "black plays 5/off")
    match = after(after(match, "black rolls 5-5"), "black plays 5/off(3)")
    # Three of four 5s: the turn is over, and White, who has nothing to play the rest with, has won.
    assert (match.results[-1].winner, match.score) == (WHITE, (1, 0))
    match = after(last_roll_of_crazy_narde("6:4 5:5 off:6"), "black plays 5/off")
    match = after(after(match, "black rolls 5-5"), "black plays 5/off(4)")
    assert (match.game.result, match.game.phase) == (None, Phase.PLAY)
    match = after(match, "black plays 6/off(4)")
    assert match.results[-1].winner is None


def test_who_draws_with_what_was_left_over_needs_no_roll() -> None:
    drawn = after(last_roll_of_crazy_narde("5:1 off:14"), "black plays 5/off")
    assert (drawn.results[-1].winner, drawn.score) == (None, (0, 0))


def test_in_misere_who_is_off_first_has_lost() -> None:
    under = made.made("misere")
    match = Match.new(under, Start(position(under, "1:1 off:14", "6:15"), WHITE))
    match = match.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "1/off"))
    result = match.results[-1]
    assert (result.winner, result.points, result.level) == (BLACK, 1, Level.SINGLE)


# -- whole matches -------------------------------------------------------------------------------------

TABLES: tuple[tuple[str, dict[str, object]], ...] = (
    ("russian", {"match_length": 3}),
    ("russian", {"match_length": 3, "complement_while_entering": True}),
    ("acey-deucey", {}),
    ("acey-deucey", {"acey_partial": True}),
    ("european-acey-deucey", {}),
    ("european-acey-deucey", {"acey_partial": True, "scoring": "levels", "match_length": 3}),
    ("gioul", {"match_length": 3}),
    ("crazy-narde", {"match_length": 3}),
    ("plakoto-express", {"match_length": 3, "mother_rule": True}),
    ("tawla-31", {}),
    ("misere", {"match_length": 3}),
    ("last-roll", {"match_length": 3, "last_roll_equalizer": True}),
)


@pytest.mark.parametrize(("variant", "options"), TABLES)
def test_whole_matches_end_and_replay_from_their_record(
    variant: str, options: dict[str, object]
) -> None:
    for seed in range(4):
        random = Random(f"{variant} {options} {seed}")
        match = Match.new(made.made(variant, **options))
        while not match.over:
            match = match.after(chosen(match, random))
            board = match.game.position
            assert board.mover.checkers == board.opponent.checkers == 15
        record = [Action.from_json(action.to_json()) for action in match.actions]
        assert Match.replay(match.rules, record) == match
