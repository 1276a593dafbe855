"""Games that servers recorded replay to their ends: a Tavli match of bots, and action lists of three games."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bgcore import Outcome, Player, Plays, Position, Roll, Rules, load
from bgcore.notation.board_text import read_board
from bgcore.spec import Spec

pytestmark = pytest.mark.needs_real

TWO_SIDES = ("player1", "player2")

HOUSE_FEVGA = Spec.of({"parent": "fevga", "start": "24:1", "entry": "freely"})
"""One checker starts on the start point, 14 wait and enter: behind the runner, as those on the point do."""


def house_fevga() -> Rules:
    """The rules under which that server plays Fevga: a house's data."""
    return load().rules(HOUSE_FEVGA)


GAMES: dict[str, tuple[Callable[[], Rules], str, int]] = {
    "1": (lambda: load().rules("portes"), "player2", 1),
    "2": (lambda: load().rules("plakoto", options={"mother_rule": False}), "player1", 2),
    "3": (house_fevga, "player1", 1),
}
"""The games of the match: by which rules, who won, and how many points."""


def rows(real: Path) -> list[dict[str, str]]:
    with (real / "variants/gammonx-turns.tsv").open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def board(under: Rules, row: dict[str, str]) -> Position:
    """The position after a turn; in Fevga those on the "bar" have not entered."""
    sides = []
    for side, pinned in (("side_after", "pinned_by_other"), ("other_after", "pinned_by_side")):
        text = row[side].replace("bar:", "in:") if under.variant.entry != "none" else row[side]
        # What this side has pinned is the other's: the columns name it in the numbering of its owner.
        lying = " ".join(f"pin:{point}" for point in row[pinned].split())
        sides.append(f"{text} {lying}".strip())
    return under.position(read_board(" / ".join(sides)))


@pytest.mark.parametrize("game", GAMES)
def test_every_turn_of_a_tavli_match_is_legal_and_leads_where_it_is_said(
    real: Path, game: str
) -> None:
    make, winner, points = GAMES[game]
    under = make()
    turns = [row for row in rows(real) if row["game"] == game]
    here, outcome = under.start, None
    for index, row in enumerate(turns):
        assert outcome is None, "the game goes on after its end"
        if index:
            assert row["side"] != turns[index - 1]["side"]
        found = under.plays(here, Roll.of(*sorted(map(int, row["dice"].split()), reverse=True)[:2]))
        if row["results"]:
            results = 0 if found.nothing_playable else len(found)
            assert (results, found.numbers_used) == (int(row["results"]), int(row["max_dice"]))
        text = row["play"].replace("bar/", "in/") if under.variant.entry != "none" else row["play"]
        after = found.find(text).after
        assert after == board(under, row), (row["turn"], row["play"])
        outcome = under.outcome(after)
        here = after.flipped()
    assert isinstance(outcome, Outcome)
    assert (turns[-1]["side"], outcome.winner, outcome.points) == (winner, Player.MOVER, points)


def test_the_winner_of_a_game_of_tavli_starts_the_next(real: Path) -> None:
    first = {row["game"]: row["side"] for row in reversed(rows(real))}
    assert [first["2"], first["3"]] == [GAMES["1"][1], GAMES["2"][1]]


def lists(real: Path) -> Iterator[dict[str, Any]]:
    text = (real / "variants/playstrategy-actions.jsonl").read_text(encoding="utf-8")
    return map(json.loads, text.splitlines())


def progress(found: Plays, moves: list[str]) -> Position:
    """Where the steps of a turn that breaks off lead; each may be made."""
    made = found.progress()
    for text in moves:
        [after] = [
            made.after(one)
            for one in made.next_steps
            if str(one) == text and (one.number == one.origin - one.target or one.target == 0)
        ][:1]
        made = after
    return made.position


def test_the_action_lists_replay_to_their_ends(real: Path) -> None:
    seen = []
    for game in lists(real):
        under, turns = load().rules(game["variant"]), game["turns"]
        here, on_roll = under.start, turns[0]["side"]
        for turn in turns:
            assert turn["side"] == on_roll
            found = under.plays(here, Roll.of(*turn["dice"]))
            unfinished = turn is turns[-1] and game["last_turn_unfinished"]
            text = " ".join(turn["moves"])
            if unfinished:
                here = progress(found, turn["moves"])
                break
            here = found.find(text or "pass").after.flipped()
            on_roll = 3 - on_roll
        final = [" ".join(f"{p}:{n}" for p, n in game["final"][f"side{s}"].items()) for s in (1, 2)]
        mine, theirs = final if on_roll == 1 else final[::-1]
        assert here == under.position(read_board(f"{mine} / {theirs}")), game["id"]
        seen.append(game["variant"])
    assert (len(seen), set(seen)) == (11, {"western", "nackgammon", "hypergammon"})
