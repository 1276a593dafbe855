"""What a Position ID's board comes to: pip counts and results that several programs agree on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bgcore import Player, load
from bgcore.notation.position_id import read_position_id
from bgcore.position import Side, pack_side

VECTORS = Path(__file__).parent.parent / "data/vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


def test_pip_counts_are_the_vectors() -> None:
    records = vectors("pips.jsonl")
    assert len(records) == 200
    western = load().rules("western")
    for record in records:
        setup = read_position_id(record["id"], western.variant)
        # One of them is the empty board, of which the rules make no position.
        pips = [Side(pack_side(side, side.off or 0)).pips for side in (setup.mover, setup.opponent)]
        assert pips == [record["mover"], record["opponent"]], record["id"]


def test_finished_games_are_won_by_whom_and_for_what_the_vectors_say() -> None:
    records = vectors("outcome.jsonl")
    assert len(records) == 200
    assert {record["variant"] for record in records} == {"western", "hypergammon"}
    for record in records:
        under = load().rules(record["variant"])
        position = under.position(read_position_id(record["id"], under.variant))
        outcome = under.outcome(position)
        assert outcome is not None, record["id"]
        assert outcome.winner is not None
        assert outcome.winner is Player[record["winner"].upper()]
        assert (outcome.points, outcome.level) == (record["points"], record["kind"]), record["id"]
