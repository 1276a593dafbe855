"""GNU Backgammon confirms Position IDs, Match IDs and XGIDs of positions in matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from bgcore import Rules, Seat, load
from bgcore.notation.match_id import write_gnubg_id
from bgcore.notation.situation import Situation, State
from bgcore.notation.xgid import write_xgid

from .gnubg import ids_after, set_up, turned_round
from .situations import wandering

pytestmark = pytest.mark.needs_gnubg

POSITIONS = 500
WESTERN = load().rules("western")
# It refuses to double with a dead cube.
UNDER: list[dict[str, object]] = [
    {"match_length": 1},
    {"match_length": 3, "dead_cube_rule": True},
    {"match_length": 7, "dead_cube_rule": True},
    {"match_length": 21, "dead_cube_rule": True},
    {"match_length": None, "animals": 2, "auto_doubles": 1},
    {"match_length": None, "jacoby": False, "auto_doubles": 2},
]


FEATURES: dict[str, Callable[[Situation], object]] = {
    "a double": lambda here: here.raised == 1,
    "a beaver or raccoon": lambda here: here.raised > 1,
    "a resignation": lambda here: here.resigned,
    "dice": lambda here: here.dice,
    "the Crawford game": lambda here: here.crawford,
    "a cube turned twice": lambda here: here.cube.value > 2,
    "an automatic double": lambda here: here.cube.value > 1 and here.cube.owner is None,
    "money without Jacoby": lambda here: here.length is None and not here.jacoby,
    "a bar": lambda here: any(here.side(seat).bar for seat in Seat),
    "a score of both": lambda here: all(here.score),
}
"""What must be among the positions, or the test would show little."""


def rules(options: dict[str, object]) -> Rules:
    return load().rules("western", options={**options, "resign_auto_accept": False})


def played(seed: int) -> Iterator[Situation]:
    """Positions of random matches and sessions, and every offer that comes up in them."""
    random = Random(seed)
    while True:
        for options in UNDER:
            for index, match in enumerate(wandering(rules(options), random)):
                here = Situation.of(match)
                offered = here.raised or here.resigned
                if here.state is State.PLAYING and (offered or random.random() < 0.1):
                    yield here
                if index > 400:
                    break


def sample(seed: int, *, offers: bool) -> list[Situation]:
    """As many of them as are asked of GNU Backgammon, no two alike."""
    found: dict[str, Situation] = {}
    for here in played(seed):
        # A player whose turn it is not cannot be made to resign by a command.
        resigns = here.resigned and here.decider is here.seat
        if not resigns and (offers or not (here.raised or here.resigned)):
            found[write_gnubg_id(here, WESTERN)] = here
        if len(found) == POSITIONS:
            break
    return list(found.values())


def test_gnu_backgammon_shows_the_ids_of_500_positions_that_it_set_up_itself(
    tmp_path: Path,
) -> None:
    asked = sample(1, offers=True)
    counts = {name: sum(map(bool, map(has, asked))) for name, has in FEATURES.items()}
    assert min(counts.values()) >= 5, counts
    shown = ids_after([list(set_up(here)) for here in asked], tmp_path)
    for here, ids in zip(asked, shown, strict=True):
        assert write_gnubg_id(here, WESTERN) == ids, here


def test_gnu_backgammon_reads_our_xgids_as_the_same_ids(tmp_path: Path) -> None:
    asked = sample(2, offers=False)
    shown = ids_after([[f"set xgid {write_xgid(here, WESTERN)}"] for here in asked], tmp_path)
    for here, ids in zip(asked, shown, strict=True):
        # With the top player on roll it changes the players' places, so that he is at the bottom.
        seen = here if here.seat is Seat.BLACK else turned_round(here)
        assert write_gnubg_id(seen, WESTERN) == ids, write_xgid(here, WESTERN)
    assert {here.seat for here in asked} == set(Seat)


def test_gnu_backgammon_reads_our_ids_as_its_own(tmp_path: Path) -> None:
    asked = sample(3, offers=False)
    ours = [write_gnubg_id(here, WESTERN) for here in asked]
    assert ids_after([[f"set gnubgid {ids}"] for ids in ours], tmp_path) == ours
