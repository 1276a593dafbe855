"""Reported faults about texts of plays and matches."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalAction, Kind, Level, Plays, Roll
from bgcore.replay import ReplayedMatch, matches_in
from tests.engine.helpers import position, rules


def only(text: str) -> ReplayedMatch:
    [found] = matches_in(text)
    return found


@pytest.mark.parametrize(
    ("length", "points", "level"),
    [
        (1, "1 point", Level.SINGLE),
        (5, "2 points", Level.GAMMON),
        (5, "3 points", Level.BACKGAMMON),
    ],
)
def test_F25_a_roll_without_a_play_before_the_result_is_a_resignation(
    length: int, points: str, level: Level
) -> None:
    found = only(f"""
 {length} point match

 Game 1
 ann : 0                     bob : 0
  1) 53: 8/3 6/3                 51:
      Wins {points}{" and the match" if length == 1 else ""}
""")
    assert found.match is not None
    assert found.report.faults == ()
    kinds = [action.kind for action in found.record.actions]
    assert kinds[:4] == [Kind.THROW, Kind.PLAY, Kind.ROLL, Kind.RESIGN]
    rolled, resigned = found.record.actions[2:4]
    assert (rolled.dice, resigned.level) == ((5, 1), level)
    [result] = found.match.results
    assert (result.points, result.ending, found.match.score[0]) == (
        *(int(points[0]), "resigned"),
        int(points[0]),
    )


def roll_64() -> Plays:
    """A blot stands on the mover's 18, and the way over 20 is closed."""
    under = rules()
    board = position(under, "24:2 13:5 8:3 6:5", "24:2 13:4 8:2 7:1 6:4 5:2")
    return under.plays(board, Roll.of(6, 4))


SAME = ("24/18*/14", "24/18* 18/14", "24/14", "18/14 24/18", "18/14 24/18*", "24/18/14")


@pytest.mark.parametrize("text", SAME)
def test_F34_the_same_play_in_other_words_is_the_same_play(text: str) -> None:
    assert roll_64().find(text) == roll_64().find("24/18* 18/14")


@pytest.mark.parametrize("text", ["pass", "Pass", "Cannot Move", "cannot move.", "", "  ", "none"])
def test_F34_a_pass_is_valid_only_where_nothing_can_be_played(text: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        roll_64().find(text)
    assert refused.value.reason == "MUST_USE_MORE_NUMBERS"
    under = rules()
    board = position(under, "bar:1 6:14", "8:3 6:2 5:2 4:2 3:2 2:2 1:2")
    shut = under.plays(board, Roll.of(6, 4))
    assert shut.find(text).numbers_used == 0
    with pytest.raises(IllegalAction):
        shut.find("6/2")


MATCH = """
 1 point match

 Game 1
 ann : 0                     bob : 0
  1) 64: {play}                 21: 13/11 6/5
      Wins 1 point and the match
"""


@pytest.mark.parametrize("text", ["24/14", "24/18 18/14", "18/14 24/18", "24/18/14", "24/20/14"])
def test_F34_a_match_may_be_written_in_any_of_these_words(text: str) -> None:
    found = only(MATCH.format(play=text))
    assert found.report.faults == ()
    usual = only(MATCH.format(play="24/14")).match
    assert found.match is not None
    assert usual is not None
    assert found.match.game.position == usual.game.position


@pytest.mark.parametrize("text", ["Cannot Move", "(pass)"])
def test_F34_a_match_in_which_somebody_passes_with_a_play_to_make_has_a_fault(text: str) -> None:
    [fault] = only(MATCH.format(play=text)).report.faults
    assert (fault.line, fault.reason) == (6, "MUST_USE_MORE_NUMBERS")


def test_F34_an_action_keeps_the_words_it_was_given() -> None:
    found = only(MATCH.format(play="18/14 24/18"))
    assert found.record.actions[1].text == "18/14 24/18"
    assert Action.from_json(found.record.actions[1].to_json()) == found.record.actions[1]
