"""What a store keeps of a table's start, in the form of today and in the one before."""

from __future__ import annotations

import json

import pytest

from bgcore import Crawford, Cube, Seat, Start, load
from bgcore.match import NEW
from bgcore.notation.start_json import write_start
from bgcore_server.settings import Settings

RULES = load().rules("western", options={"match_length": 5})
PLACED = Start(RULES.start, Seat.BLACK, Cube(2, Seat.WHITE, turned=True), (3, 1), (1, 2))


@pytest.mark.parametrize(
    "start", [NEW, PLACED, Start(score=(4, 0), crawford=Crawford.AFTER), Start(RULES.start)]
)
def test_a_start_is_kept_as_records_keep_it(start: Start) -> None:
    kept = Settings.from_json(Settings(start=write_start(start)).to_json())
    assert kept.start_of(RULES) == start


OLD = {
    "position": RULES.start.packed.hex(),
    "seat": "black",
    "cube": [2, "white"],
    "dice": [3, 1],
    "score": [1, 2],
    "crawford": "before",
}
UNPLACED = {
    "position": None,
    "seat": "white",
    "cube": [1, None],
    "dice": [],
    "score": [4, 0],
    "crawford": "after",
}


@pytest.mark.parametrize(
    ("stored", "start"),
    [(OLD, PLACED), (UNPLACED, Start(score=(4, 0), crawford=Crawford.AFTER)), (None, NEW)],
)
def test_a_table_stored_in_the_earlier_form_still_opens(
    stored: dict[str, object] | None, start: Start
) -> None:
    assert Settings.from_json(json.dumps({"start": stored})).start_of(RULES) == start
