"""Matches in which everything happens at random: plays, the cube, beavers, ties, resignations."""

from __future__ import annotations

from random import Random

from bgcore import Action, Crawford, Cube, Decision, Kind, Match, Rules, Seat
from bgcore.match import NEW, Start
from bgcore.notation.sgf_match import read_sgf
from bgcore.notation.story import GameStory, Story
from bgcore.replay import ReplayedMatch, replayed

DOUBLING, ANIMALS, DROPPING, RESIGNING, ACCEPTING = 0.15, 0.5, 0.3, 0.01, 0.6
"""How likely each is where it is legal."""


def played(
    rules: Rules, random: Random, start: Start = NEW, games: int = 4, actions: int = 5000
) -> Match:
    """A match of at most so many games and actions; it may stop anywhere."""
    match = Match.new(rules, start)
    for _ in range(actions):
        if match.over or len(match.results) >= games:
            break
        match = match.after(choice(match, random))
    return match


def somewhere(rules: Rules, random: Random) -> Start:
    """A start in the middle of a game of a match to 9, with any score, cube and dice."""
    before = None
    while before is None or before.game.result:
        before = played(rules, random, games=1, actions=random.randint(2, 120))
    score = random.randint(0, 8), random.randint(0, 7)
    crawford = random.choice([Crawford.BEFORE, Crawford.AFTER]) if 8 in score else Crawford.BEFORE
    cube = Cube()
    if random.random() < 0.7 and (crawford is Crawford.AFTER or 8 not in score):
        owner = random.choice([None, *Seat])
        cube = Cube(random.choice([2, 4]), owner, turned=owner is not None)
    dice = (random.randint(1, 6), random.randint(1, 6)) if random.random() < 0.5 else ()
    seat = random.choice(list(Seat))
    return Start(before.game.position, seat, cube, dice, score, crawford)


def choice(match: Match, random: Random, *, meanwhile: bool = True) -> Action:
    """A legal action; `meanwhile`: also the resignation of who need not decide."""
    decision = match.decision
    if Kind.NEXT_GAME in decision.kinds:
        return Action.next_game()
    if random.random() < RESIGNING:
        who = random.choice(list(Seat)) if meanwhile or decision.seat is None else decision.seat
        if levels := match.game.levels(who):
            return Action.resign(who, random.choice(levels))
    if decision.seat is None:
        return Action.throw(random.randint(1, 6), random.randint(1, 6))
    return _decided(match, decision, decision.seat, random)


def _decided(match: Match, decision: Decision, seat: Seat, random: Random) -> Action:
    kinds = decision.kinds
    if Kind.ANSWER_RESIGNATION in kinds:
        return Action.answer_resignation(seat, accept=random.random() < ACCEPTING)
    if Kind.ANIMAL in kinds and random.random() < ANIMALS:
        return Action.animal(seat)
    if Kind.TAKE in kinds:
        drops = Kind.DROP in kinds and random.random() < DROPPING
        return Action.drop(seat) if drops else Action.take(seat)
    if Kind.DOUBLE in kinds and random.random() < DOUBLING:
        return Action.double(seat)
    if Kind.ROLL in kinds:
        return Action.roll(seat, random.randint(1, 6), random.randint(1, 6))
    return Action.play(seat, random.choice(match.game.plays))


def in_sgf(text: str) -> ReplayedMatch:
    """The one match of an SGF file."""
    [match] = replayed(text, read=read_sgf)
    return match


def games_of(match: Match | None) -> tuple[GameStory, ...]:
    """What happened in a match, game by game; nothing when there is none."""
    return Story.of(match).games if match else ()
