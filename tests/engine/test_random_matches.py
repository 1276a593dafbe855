"""Random matches of every variant under every preset: they end, and their scores hold (see the module)."""

from __future__ import annotations

import pytest

from tests.engine.random_matches import check, main, play_all, tables
from tests.engine.scorer import SideSeen, tally

TABLES = tables()


@pytest.mark.parametrize("table", range(len(TABLES)), ids=["-".join(table) for table in TABLES])
def test_matches_end_and_their_scores_come_out_the_same_three_times(table: int) -> None:
    for number in (table, table + len(TABLES)):
        played = check(number)
        assert played.match.over
        assert len(played.boards) >= len(played.match.results)


def test_a_match_with_the_same_number_is_the_same_match() -> None:
    assert check(3).match.actions == check(3).match.actions


def test_the_command_says_what_the_matches_came_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--n", "3", "--first", "7"]) == 0
    assert "3 matches" in capsys.readouterr().out
    counted = play_all(range(7, 10))
    assert counted["games"] >= counted["matches"] == 3


# -- the other scorer, by hand -----------------------------------------------------------------------

HOME = SideSeen({6: 15}, 0, 0, ())
DONE = SideSeen({}, 0, 15, ())
CAUGHT = SideSeen({19: 1, 6: 14}, 0, 0, ())
OPTIONS = {
    "match_length": 7,
    "cube": True,
    "cube_cap": 64,
    "crawford": True,
    "dead_cube_rule": False,
    "jacoby": False,
    "auto_double_satisfies_jacoby": False,
    "animals": 0,
    "animals_refusable": True,
    "auto_doubles": 0,
    "auto_double_66": "double",
    "decline_cost": "stake",
    "resign_auto_accept": False,
    "clock": "none",
}
MONEY = {**OPTIONS, "match_length": None, "jacoby": True, "animals": 2, "auto_doubles": None}
DOUBLE: dict[str, object] = {"kind": "double", "seat": "white"}
TAKE: dict[str, object] = {"kind": "take", "seat": "black"}
END: dict[str, object] = {"kind": "play", "seat": "white", "play": "1/off"}


def animal(seat: str) -> dict[str, object]:
    return {"kind": "animal", "seat": seat}


def drop(seat: str) -> dict[str, object]:
    return {"kind": "drop", "seat": seat}


@pytest.mark.parametrize(
    ("options", "acts", "loser", "score"),
    [
        (OPTIONS, [DOUBLE, drop("black")], HOME, (1, 0)),
        (OPTIONS, [DOUBLE, TAKE, END], HOME, (4, 0)),
        (OPTIONS, [END], CAUGHT, (3, 0)),
        (MONEY, [END], CAUGHT, (1, 0)),
        (MONEY, [DOUBLE, animal("black"), drop("white")], HOME, (0, 2)),
        (MONEY, [DOUBLE, animal("black"), animal("white"), drop("black")], HOME, (4, 0)),
        (MONEY, [DOUBLE, animal("black"), animal("white"), TAKE, END], HOME, (16, 0)),
        (MONEY, [{"kind": "throw", "dice": [3, 3]}] * 2 + [END], HOME, (4, 0)),
    ],
)
def test_the_other_scorer_knows_the_worked_examples(
    options: dict[str, object],
    acts: list[dict[str, object]],
    loser: SideSeen,
    score: tuple[int, int],
) -> None:
    ended = DONE if acts[-1] == END else HOME
    found = tally("western", options, acts, [(ended, loser)])
    assert tuple(found.score.values()) == score


@pytest.mark.parametrize(
    ("variant", "options", "loser", "points"),
    [
        ("fevga", {}, SideSeen({13: 1, 6: 14}, 0, 0, ()), 2),
        ("russian-backgammon", {"backgammon_value": 3}, SideSeen({19: 1, 6: 14}, 0, 0, ()), 3),
        ("tabula", {"gammon_value": 2, "backgammon_value": 3}, SideSeen({24: 15}, 0, 0, ()), 2),
        ("tabula", {"gammon_value": 2, "backgammon_value": 3}, SideSeen({}, 0, 0, (), 15), 3),
        ("tawla-31", {}, SideSeen({6: 11}, 0, 4, ()), 11),
    ],
)
def test_the_other_scorer_knows_what_each_game_counts(
    variant: str, options: dict[str, object], loser: SideSeen, points: int
) -> None:
    length = {"match_length": 20, **options}
    assert tally(variant, length, [END], [(DONE, loser)]).score["white"] == points


def test_the_other_scorer_knows_who_loses_by_bearing_off_first_and_what_is_drawn() -> None:
    plain: dict[str, object] = {"match_length": 5}
    assert tally("misere", plain, [END], [(DONE, HOME)]).games == [("black", 1)]
    equal = {**plain, "last_roll_equalizer": True}
    assert tally("long-nardy", equal, [END], [(DONE, DONE)]).games == [(None, 0)]


def test_the_other_scorer_refuses_a_double_in_the_crawford_game() -> None:
    gammon: dict[str, object] = {"kind": "resign", "seat": "black", "level": "gammon"}
    accepted: dict[str, object] = {"kind": "answer_resignation", "seat": "white", "accept": True}
    following: dict[str, object] = {"kind": "next_game"}
    acts = [DOUBLE, TAKE, END, following, gammon, accepted, following, DOUBLE, drop("black")]
    boards = [(DONE, HOME), (HOME, HOME), (HOME, HOME)]
    assert tally("western", OPTIONS, acts[:-3], boards[:2]).score["white"] == 6
    with pytest.raises(AssertionError):
        tally("western", OPTIONS, acts, boards)
