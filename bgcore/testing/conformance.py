"""Checks that hold for every variant, built-in or anyone's."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bgcore.errors import BgcoreError
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.testing.games import Visit, self_play
from bgcore.testing.search import legal_results
from bgcore.turn import Turn


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked."""

    games: int
    positions: int
    plays: int


def check_rules(rules: Rules, games: int = 10, seed: int = 1) -> Report:
    """Plays random games and checks every position on the way; `AssertionError` says what does not hold.

    The plays are those that a plain search over `rules.steps` finds; none comes twice; checkers are
    conserved; `why_not` agrees with the list; every play reads back from its text; every game ends.
    """
    random = Random(seed)
    positions = plays = 0
    assert rules.outcome(rules.start) is None, "the game has ended before it starts"
    for _ in range(games):
        for visit in self_play(rules, random):
            check_visit(rules, visit, random)
            positions, plays = positions + 1, plays + len(visit.plays)
    return Report(games, positions, plays)


def check_visit(rules: Rules, visit: Visit, random: Random) -> None:
    """The checks of one position and roll."""
    numbers = tuple(visit.plays.numbers)
    where = f"{rules.variant.id}: {visit.position.setup}, {visit.roll}"
    found = visit.plays.positions()
    assert len(set(found)) == len(found) == len(visit.plays), f"a play comes twice: {where}"
    expected = legal_results(rules, visit.position, numbers, Turn())
    # What a filter of the variant's own takes away is for its examples to prove.
    alike = set(found) <= expected if rules.filters else set(found) == expected
    assert alike, f"the plays are not those of a plain search: {where}"
    for after in found:
        assert checkers(after) == checkers(visit.position), f"a checker is lost or made: {where}"
        assert rules.proved(after.packed) == after, f"a play leads to no position: {where}"
    play = random.choice(visit.plays)
    assert rules.why_not(visit.position, numbers, play.steps) is None, (
        f"a legal play is refused: {where}, {play}"
    )
    try:
        again = visit.plays.find(str(play))
    except BgcoreError as problem:
        raise AssertionError(f"{problem}: {where}, {play}") from problem
    assert again == play, f"a play's text reads as another: {where}, {play}"
    assert len(play.steps) == play.numbers_used <= visit.plays.numbers_used, (
        f"numbers used: {where}, {play}"
    )


def checkers(position: Position) -> tuple[int, int]:
    """Checkers of each side, wherever they are."""
    return position.mover.checkers, position.opponent.checkers
