"""What a loser who has borne off nothing has lost, in games that say it otherwise than backgammon."""

from __future__ import annotations

import pytest

from bgcore import Level
from bgcore.outcome import Outcome
from tests.axes.made import made
from tests.engine.helpers import position

GAMMON, BACKGAMMON = Level.GAMMON, Level.BACKGAMMON


def lost(variant: str, loser: str) -> Outcome:
    """The end of a game that the mover has won, where gammons count 2 and backgammons 3."""
    under = made(variant, gammon_value=2, backgammon_value=3)
    found = under.outcome(position(under, "off:15", loser))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("variant", "loser", "level"),
    [
        ("tabula", "bar:1 6:14", BACKGAMMON),
        ("tabula", "in:1 6:14", BACKGAMMON),
        ("tabula", "in:15", BACKGAMMON),
        ("tabula", "24:15", GAMMON),
        ("tabula", "1:15", GAMMON),
        ("tabula", "bar:1 6:13 off:1", Level.SINGLE),
        ("russian-backgammon", "bar:1 6:14", BACKGAMMON),
        ("russian-backgammon", "in:1 6:14", BACKGAMMON),
        ("russian-backgammon", "24:1 6:14", BACKGAMMON),
        ("russian-backgammon", "19:1 6:14", BACKGAMMON),
        ("russian-backgammon", "18:1 6:14", GAMMON),
        ("russian-backgammon", "1:15", GAMMON),
        ("dutch", "in:1 6:14", BACKGAMMON),
        ("dutch", "bar:1 6:14", BACKGAMMON),
        ("dutch", "19:1 6:14", BACKGAMMON),
        ("dutch", "18:1 6:14", GAMMON),
    ],
)
def test_who_has_borne_off_nothing_has_lost_a_gammon_or_where_he_is_caught_a_backgammon(
    variant: str, loser: str, level: Level
) -> None:
    points = {Level.SINGLE: 1, GAMMON: 2, BACKGAMMON: 3}[level]
    assert (lost(variant, loser).level, lost(variant, loser).points) == (level, points)
