"""Who chooses among the legal acts at random: what both seats of a random match are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from bgcore import Action, Kind, Level, Match, Play, Seat

SEATLESS = frozenset({Kind.THROW, Kind.NEXT_GAME, Kind.END_SESSION})
"""Kinds that are nobody's: either seat may."""

WEIGHTS: Mapping[Kind, float] = {
    Kind.DOUBLE: 0.05,
    Kind.TAKE: 2,
    Kind.ANIMAL: 1,
    Kind.RESIGN: 0.002,
    Kind.CORRECT: 0.3,
    Kind.RESIGN_MATCH: 0.0001,
    Kind.END_SESSION: 0.25,
}
"""How often a kind is chosen, beside 1 for the rest: so that games really get played."""

Listed = tuple[Kind, Seat | None]


def listed(match: Match) -> list[Listed]:
    """Every kind that a decision lists, with the seat that may do it."""
    decision = match.decision
    found: list[Listed] = []
    for seat in Seat:
        free = decision.seat is None or decision.seat is seat
        for kind in decision.kinds if free else decision.other_kinds:
            who = None if kind in SEATLESS else seat
            # Where either may resign, the levels or points say who still can.
            can = decision.levels[seat] or match.game.points_to_resign(seat)
            if kind is Kind.RESIGN and not can:
                continue
            if (kind, who) not in found:
                found.append((kind, who))
    return found


def chosen(match: Match, random: Random, weights: Mapping[Kind, float] = WEIGHTS) -> Action:
    """One of the legal acts."""
    kinds = listed(match)
    [(kind, seat)] = random.choices(kinds, [weights.get(kind, 1.0) for kind, _ in kinds])
    return random.choice(list(acts(match, kind, seat, random)))


def acts(match: Match, kind: Kind, seat: Seat | None, random: Random) -> Iterator[Action]:
    """The acts of a listed kind: one for each level and answer, for a few of the plays, for one roll."""
    match (kind, seat):
        case (Kind.THROW, _):
            yield Action.throw(random.randint(1, 6), random.randint(1, 6))
        case (Kind.NEXT_GAME | Kind.END_SESSION, _):
            yield Action(kind)
        case (Kind.ROLL, Seat()):
            dice = match.rules.variant.dice
            yield Action(kind, seat, tuple(random.randint(1, 6) for _ in range(dice)))
        case (Kind.PLAY, Seat()):
            yield written(random.choice(match.game.plays), kind, seat, random)
        case (Kind.CORRECT, Seat()):
            before = match.game.correctable
            assert before is not None
            yield written(random.choice(before.plays), kind, seat, random)
        case (Kind.RESIGN, Seat()):
            yield from (Action.resign(seat, level) for level in match.game.levels(seat))
            if most := match.game.points_to_resign(seat):
                yield Action.resign_points(seat, random.randint(1, most))
                yield Action.resign_points(seat, most)
        case (Kind.NAME_DOUBLE, Seat()):
            yield Action.name_double(seat, random.randint(1, 6))
        case (Kind.ANSWER_RESIGNATION, Seat()):
            yield from (Action.answer_resignation(seat, accept=yes) for yes in (True, False))
        case _:
            yield Action(kind, seat)


def written(play: Play, kind: Kind, seat: Seat, random: Random) -> Action:
    """A play as its text or as its steps."""
    if random.random() < 0.5:
        return Action(kind, seat, text=str(play))
    return Action(kind, seat, steps=tuple((step.origin, step.number) for step in play.steps))


def tries(match: Match, random: Random) -> Iterator[Action]:
    """Every kind for both seats, legal or not: with every level and answer, and plays good and bad."""
    yield Action.throw(random.randint(1, 6), random.randint(1, 6))
    yield Action.next_game()
    yield Action.end_session()
    for seat in Seat:
        yield from (Action.resign(seat, level) for level in Level)
        yield from (Action.resign_points(seat, points) for points in (1, 15, 255))
        yield from (Action.name_double(seat, number) for number in (1, 6))
        yield from (Action.answer_resignation(seat, accept=yes) for yes in (True, False))
        yield Action.roll(seat, random.randint(1, 6), random.randint(1, 6))
        for kind in (Kind.PLAY, Kind.CORRECT):
            yield from (Action(kind, seat, text=text) for text in BAD_PLAYS)
            yield from (Action(kind, seat, steps=steps) for steps in BAD_STEPS)
            origin = random.randint(1, 25)
            target = max(origin - random.randint(1, 6), 0)
            yield Action(kind, seat, text=f"{origin}/{target}")
        for kind in (
            *(Kind.DOUBLE, Kind.TAKE, Kind.DROP, Kind.ANIMAL),
            *(Kind.RESIGN_MATCH, Kind.FLAG),
        ):
            yield Action(kind, seat)


BAD_PLAYS = ("", "pass", "8/5 6/5", "24/18*/14", "bar/off", "6/x", "8/13", "0/25", "6/6", "6/5(9)")
BAD_STEPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((24, 1),),
    ((-1, 2),),
    ((26, 1), (10**9, 3)),
    ((6, 0), (6, -1), (6, 7)),
)
