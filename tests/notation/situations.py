"""Positions in matches, for the IDs that name them: out of random matches, and out of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from bgcore import Action, Cube, Kind, Level, Match, Rules, Seat, load
from bgcore.notation.situation import Situation, State

from .positions import visits

WESTERN = load().rules("western")


def wandering(rules: Rules, random: Random, match: Match | None = None) -> Iterator[Match]:
    """A match in which both seats do anything legal, some of it seldom: each of its states."""
    match = match or Match.new(rules)
    yield match
    while kinds := match.decision.kinds:
        [kind] = random.choices(kinds, [SELDOM.get(kind, 1) for kind in kinds])
        match = match.after(_action(match, kind, random))
        yield match


SELDOM = {
    Kind.RESIGN: 0.01,
    Kind.RESIGN_MATCH: 0.001,
    Kind.END_SESSION: 0.02,
    Kind.DOUBLE: 0.1,
    Kind.DROP: 0.3,
}


def _action(match: Match, kind: Kind, random: Random) -> Action:
    seat = match.decision.seat
    who = random.choice(list(Seat)) if seat is None else seat
    if kind is Kind.THROW:
        return Action.throw(random.randint(1, 6), random.randint(1, 6))
    if kind is Kind.ROLL:
        return Action.roll(who, random.randint(1, 6), random.randint(1, 6))
    if kind is Kind.PLAY:
        return Action.play(who, random.choice(match.game.plays))
    if kind is Kind.RESIGN:
        able = [one for one in Seat if match.game.levels(one)] if seat is None else [who]
        who = random.choice(able)
        return Action.resign(who, random.choice(match.game.levels(who)))
    if kind is Kind.ANSWER_RESIGNATION:
        return Action.answer_resignation(who, accept=random.random() < 0.3)
    if kind in (Kind.NEXT_GAME, Kind.END_SESSION):
        return Action(kind)
    return Action(kind, who)


LENGTHS = st.none() | st.integers(1, 25) | st.just(32_767)
CUBES = st.builds(
    lambda power, owner: Cube(1 << power, owner, turned=owner is not None),
    st.integers(0, 12),
    st.sampled_from([None, *Seat]),
)
DICE = st.just(()) | st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Anything that might stand in a Match ID, with a board that was played to."""
    seat, decider = draw(st.sampled_from(Seat)), draw(st.sampled_from(Seat))
    length = draw(LENGTHS)
    most = 32_767 if length is None else length
    cube, raised = draw(CUBES), draw(st.integers(0, 1))
    if raised and cube.owner is seat.other:  # no double can wait there
        cube = replace(cube, owner=seat)
    return Situation(
        setup=draw(visits("western")).position.setup,
        seat=seat,
        decider=decider,
        cube=cube,
        dice=draw(DICE),
        length=length,
        score=(draw(st.integers(0, most)), draw(st.integers(0, most))),
        crawford=length is not None and draw(st.booleans()),
        jacoby=draw(st.booleans()),
        raised=raised,
        resigned=draw(st.sampled_from([None, *Level])),
        state=draw(st.sampled_from(State)),
    )


@st.composite
def beavers(draw: st.DrawFn) -> Situation:
    """A double that was answered with a beaver, maybe that with a raccoon."""
    here, raised = draw(situations()), draw(st.sampled_from((2, 3)))
    power = draw(st.integers(0, 10))
    return replace(
        here,
        cube=Cube(1 << power, here.seat if power else None, turned=power > 0),
        raised=raised,
        decider=here.seat if raised == 2 else here.seat.other,
    )


@st.composite
def xg_situations(draw: st.DrawFn) -> Situation:
    """What an XGID can say as well."""
    here = draw(situations() | beavers())
    money = here.length is None
    return replace(
        here,
        decider=here.seat.other if here.raised % 2 else here.seat,
        cube_cap=1 << draw(st.integers(0, 20)),
        dice=() if here.raised else here.dice,
        jacoby=money and here.jacoby,
        beavers=money and draw(st.booleans()),
        resigned=None,
        state=State.PLAYING,
    )


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Such a text with a few characters lost, doubled or replaced."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(text) - 1, 0)))
        put = draw(st.text("AEabOPp019-:=+/ DBRé\n", max_size=2))
        text = text[:at] + put + text[at + draw(st.integers(0, 2)) :]
    return text
