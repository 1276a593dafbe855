"""Reported faults about plays: positions with the right answer, from tests/data/cases/faults.jsonl.

The command answers all of them in tests/commands, the oracle in tests/oracle; here the engine does.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bgcore import Action, IllegalAction, Match, Plays, Seat, Start, load
from bgcore.notation.board_json import read_board_json, write_board_json

DATA = Path(__file__).resolve().parent.parent / "data" / "cases" / "faults.jsonl"

Case = dict[str, Any]


@cache
def cases() -> list[Case]:
    """The cases about plays."""
    found = [json.loads(line) for line in DATA.read_text().splitlines()]
    return [case for case in found if "dice" in case]


def plays_of(case: Case) -> Plays:
    rules = load().rules(case["variant"], options=case.get("options", {}))
    dice = case["dice"]
    numbers = dice[:1] * 4 if len(dice) == 2 and dice[0] == dice[1] else dice
    return rules.plays_of(rules.position(read_board_json(case)), numbers)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_case_has_the_results_it_names_and_no_other(case: Case) -> None:
    plays = plays_of(case)
    assert plays.numbers_used == case["dice_used"]
    results = [play.after for play in plays]
    assert len(results) == len(set(results)) == case["legal_count"]
    if "legal" in case:
        assert {plays.find(text).after for text in case["legal"]} == set(results)
    for text, board in case.get("after", {}).items():
        after = write_board_json(plays.find(text).after)
        assert after == {**after, **board}


@pytest.mark.parametrize(
    "case", [case for case in cases() if "illegal" in case], ids=lambda c: c["id"]
)
def test_a_case_refuses_what_it_names_for_that_reason(case: Case) -> None:
    plays = plays_of(case)
    for text, why in zip(case["illegal"], case["why"], strict=True):
        with pytest.raises(IllegalAction) as refused:
            plays.find(text)
        assert (refused.value.reason, refused.value.faults[0].rule != "") == (why, True)


def test_F01_two_orders_of_dice_that_meet_are_one_play() -> None:
    [case] = [case for case in cases() if case["id"] == "F01"]
    plays = plays_of(case)
    assert [str(play) for play in plays] == [str(plays.find("2/off 4/off"))]


@pytest.mark.parametrize("second", Seat)
def test_F37_both_players_of_gul_bara_bear_off_alike(second: Seat) -> None:
    [case] = [case for case in cases() if case["id"] == "F37"]
    rules = load().rules(case["variant"])
    board = rules.position(read_board_json(case))
    first = second.other
    # The other has moved and handed over, so that whoever bears off is the second to play.
    begun = Match.new(rules, Start(board.flipped(), first)).after(Action.roll(first, 2, 1))
    handed_over = begun.after(Action.play(first, str(begun.game.plays[0])))
    rolled = handed_over.after(Action.roll(second, *case["dice"]))
    game = rolled.game
    assert (game.seat, game.position.mover) == (second, board.mover)
    assert len(game.plays) == case["legal_count"]
    assert {game.plays.find(text) for text in case["legal"]} == set(game.plays)
    for play in game.plays:
        after = rolled.after(Action.play(second, str(play)))
        borne_off = write_board_json(after.game.position)["opp_off"]
        assert (after.game.seat, borne_off) == (first, str(play).count("/off"))


def test_F37_the_same_position_has_the_same_list_for_both_seats() -> None:
    [case] = [case for case in cases() if case["id"] == "F37"]
    rules = load().rules(case["variant"])
    board = rules.position(read_board_json(case))
    lists = [
        [str(play) for play in Match.new(rules, Start(board, seat, dice=(6, 1))).game.plays]
        for seat in Seat
    ]
    assert lists[0] == lists[1] == [str(play) for play in plays_of(case)]
