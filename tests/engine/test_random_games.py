"""A thousand random games of each variant, played in the kernel: they end, and no checker is lost."""

from __future__ import annotations

import pytest

from bgcore import Position, kernel
from tests.engine.helpers import rules

GAMES = 1000
MOST_TURNS = 2000

UNDER = [
    ("western", {}),
    ("tavla", {}),
    ("tavla", {"home_hit_and_run": False}),
    ("plakoto", {}),
    ("plakoto", {"mother_rule": True}),
    ("gul-bara", {}),
]


@pytest.mark.parametrize(("variant", "options"), UNDER)
def test_a_thousand_random_games_end(variant: str, options: dict[str, object]) -> None:
    under = rules(variant, "", **options)
    tally = kernel.playouts(under.start.packed, b"", under.record, GAMES, 7, MOST_TURNS)
    assert (tally.games, tally.unfinished) == (GAMES, 0)
    assert tally.won + tally.lost + tally.drawn == GAMES
    # Whoever moves first wins about half of them.
    assert abs(tally.won - tally.lost) < GAMES / 5


@pytest.mark.parametrize(("variant", "options"), UNDER)
def test_no_checker_is_lost_in_random_games(variant: str, options: dict[str, object]) -> None:
    under = rules(variant, "", **options)
    every = 50
    packed = kernel.sample(under.start.packed, under.record, GAMES // 5, 7, every, MOST_TURNS)
    boards = [packed[at : at + 64] for at in range(0, len(packed), 64)]
    assert len(boards) > GAMES // 10
    for board in boards:
        position = Position(board)
        assert position.mover.checkers == position.opponent.checkers == under.variant.checkers
        assert under.proved(board) == position
