"""Random games inside the kernel."""

from __future__ import annotations

from typing import Any

from bgcore.kernel.record import pack

from .made import RULES
from .test_plays import START


def test_the_same_seed_plays_the_same_games(kernel: Any) -> None:
    record = pack(RULES["western"])
    first = kernel.playouts(START * 2, b"", record, 10, 5, 1000)
    assert first == kernel.playouts(START * 2, b"", record, 10, 5, 1000)
    assert first != kernel.playouts(START * 2, b"", record, 10, 6, 1000)
    assert first.games == 10 == first.won + first.lost + first.drawn + first.unfinished


def test_a_game_cut_short_is_unfinished(kernel: Any) -> None:
    tally = kernel.playouts(START * 2, b"", pack(RULES["western"]), 3, 1, 7)
    assert (tally.unfinished, tally.turns) == (3, 21)


def test_the_numbers_given_are_those_of_the_first_turn(kernel: Any) -> None:
    """The mover needs two checkers off and has the numbers for them; his opponent has none off."""
    mover = bytes((13, 0, 0, 0, 0, 0, 2)) + bytes(25)
    opponent = bytes(18) + b"\x0f" + bytes(13)
    tally = kernel.playouts(mover + opponent, b"\6\6", pack(RULES["western"]), 4, 1, 100)
    assert (tally.won, tally.turns) == (4, 4)


def test_what_a_game_is_worth_is_not_counted_here(kernel: Any) -> None:
    """`Rules.level` and `Rules.caught` say it, which games such as dutch and tabula override."""
    tally = kernel.playouts(START * 2, b"", pack(RULES["western"]), 1, 1, 1000)
    assert set(tally._fields) == {
        *("games", "won", "lost", "drawn", "unfinished", "mothers_won", "mothers_lost", "turns")
    }


def test_sampled_positions_are_proper_and_running(kernel: Any) -> None:
    start = bytes(24) + b"\x0f" + bytes(7)
    for name, opening in (("western", START), ("pin, mother", start), ("block", start)):
        record = pack(RULES[name])
        packed = kernel.sample(opening * 2, record, 3, 1, 4)
        assert packed
        for at in range(0, len(packed), 64):
            position = packed[at : at + 64]
            assert kernel.fault(position, record) == 0
            assert kernel.status(position, record) == 0
