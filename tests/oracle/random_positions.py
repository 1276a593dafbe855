"""Endless seeded questions in the form of C7, for the corners as much as for the middle of the game.

A part of them is met in random games; the rest is put together, family by family. Every one is a
position that the rules allow to be asked about: nobody has won, each side has all its checkers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .examples import numbers_of, to_example
from .model import BAR, HOME, OFF, RESERVE, START, Rules, Side, State, rules_of
from .oracle import opening
from .position_id import closed_home
from .steps import ended, refusal, stepped

BOARD = range(1, 25)
WESTERN = {24: 2, 13: 5, 8: 3, 6: 5}
STARTS: dict[str, dict[int, int]] = {
    "western": WESTERN,
    "tavla": WESTERN,
    "plakoto": {24: 15},
    "gul-bara": {24: 15},
    "gioul": {24: 15},
    "moultezim": {24: 15},
    "fevga": {24: 15},
    "long-nardy": {24: 15},
    "crazy-narde": {24: 15},
    "jacquet": {24: 15},
    "tawla-31": {24: 15},
    "acey-deucey": {RESERVE: 15},
    "european-acey-deucey": {RESERVE: 15},
    "russian-backgammon": {RESERVE: 15},
    "tabula": {RESERVE: 15},
    "dutch": {RESERVE: 15},
    "portes": WESTERN,
    "misere": WESTERN,
    "tapa": {24: 15},
    "plakoto-express": {24: 15},
    "gul-bara-bulgarian": {24: 15},
    "hypergammon": {24: 1, 23: 1, 22: 1},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "longgammon": {24: 15},
}
"""Every variant, and where it starts."""


class Draft:
    """A board that is being put together. What is never put down is off."""

    def __init__(self, rng: random.Random, rules: Rules) -> None:
        self.rng = rng
        self.rules = rules
        self.counts: tuple[dict[int, int], dict[int, int]] = ({}, {})  # the mover's, the other's
        self.pinned: tuple[set[int], set[int]] = (set(), set())

    def room(self, side: int) -> int:
        """How many checkers this side can still put down."""
        on_board = sum(self.counts[side].values()) + len(self.pinned[side])
        return self.rules.checkers - on_board

    def put(self, side: int, where: int, count: int = 1) -> None:
        """Put checkers there, unless the other side holds the point; no more than there are."""
        if where in (BAR, RESERVE) or self.rules.across(where) not in self.counts[1 - side]:
            if count := min(count, self.room(side)):
                self.counts[side][where] = self.counts[side].get(where, 0) + count

    def scatter(self, side: int, count: int, points: Iterable[int]) -> None:
        """Put so many checkers on these points at random."""
        allowed = [p for p in points if self.rules.across(p) not in self.counts[1 - side]]
        for _ in range(count if allowed else 0):
            self.put(side, self.rng.choice(allowed))

    def pin(self, side: int) -> None:
        """Put one checker of this side under the other side's, at random.

        Never on its last point: there the other side would have moved to its own start point.
        """
        under = [self.rules.across(p) for p in self.counts[1 - side] if p in BOARD]
        places = [p for p in under if p != 1 and p not in self.pinned[side]]
        if places and self.room(side):
            self.pinned[side].add(self.rng.choice(places))

    def state(self) -> State:
        mine, theirs = (
            Side.of({**self.counts[side], OFF: self.room(side)}, self.pinned[side])
            for side in (0, 1)
        )
        return State(mine, theirs)

    def some(self, points: range) -> list[int]:
        """A random part of the points, so that checkers stand in heaps as in a game."""
        return self.rng.sample(points, self.rng.randint(1, min(len(points), 9)))

    def many(self) -> int:
        """Mostly all checkers, sometimes fewer."""
        all_of_them = self.rules.checkers
        return all_of_them if self.rng.random() < 0.6 else self.rng.randint(1, all_of_them)


Family = Callable[[Draft], None]


def anywhere(draft: Draft) -> None:
    for side in draft.rng.sample((0, 1), 2):
        draft.scatter(side, draft.many(), draft.some(BOARD))


def bearing_off(draft: Draft) -> None:
    draft.scatter(0, draft.rng.randint(1, 15), draft.some(HOME))
    draft.scatter(1, draft.many(), draft.some(draft.rng.choice((HOME, BOARD))))


def almost_home(draft: Draft) -> None:
    draft.scatter(0, draft.rng.randint(1, 3), range(7, 14))
    draft.scatter(0, draft.rng.randint(1, 12), draft.some(HOME))
    draft.scatter(1, draft.many(), draft.some(BOARD))


def few_left(draft: Draft) -> None:
    draft.scatter(0, draft.rng.randint(1, 4), BOARD)
    draft.scatter(1, draft.rng.randint(1, 6), BOARD)


def last_ones(draft: Draft) -> None:
    """One or two of mine, and lone ones of his in my home board."""
    draft.scatter(0, draft.rng.randint(1, 2), HOME)
    for point in draft.rng.sample(HOME, 3):
        draft.put(1, draft.rules.across(point))
    draft.scatter(1, draft.rng.randint(0, 10), BOARD)


def blocked(draft: Draft) -> None:
    """He holds many points in a row before mine."""
    top = draft.rng.randint(8, 24)
    heap = 1 if draft.rules.contact == "block" else 2
    for point in range(top - 1, max(0, top - draft.rng.randint(5, 14)), -1):
        if draft.rng.random() < 0.85:
            draft.put(1, draft.rules.across(point), heap)
    draft.scatter(0, draft.many(), [top, *draft.some(BOARD)[:3]])
    draft.scatter(1, draft.rng.randint(0, 4), BOARD)


def narrow(draft: Draft) -> None:
    """A few of mine among many points of his: often a number can be used only in one way."""
    heap = 1 if draft.rules.contact == "block" else 2
    draft.scatter(0, draft.rng.randint(1, 3), range(8, 25))
    for point in draft.rng.sample(BOARD, draft.rng.randint(5, 24 // heap)):
        draft.put(1, point, heap)
    draft.scatter(0, draft.rng.randint(0, 5), range(1, 4))


def scattered_blots(draft: Draft) -> None:
    """Lone ones of his in my home board, mine in reach of them."""
    for point in draft.rng.sample(HOME, draft.rng.randint(1, 5)):
        draft.put(1, draft.rules.across(point))
    draft.scatter(0, draft.many(), draft.some(range(1, 15)))
    draft.scatter(1, draft.rng.randint(0, 10), draft.some(BOARD))


def on_the_bar(draft: Draft) -> None:
    draft.put(0, BAR, draft.rng.choice((1, 1, 1, 2, 2, 3, 4)))
    for point in draft.rng.sample(HOME, draft.rng.randint(0, 6)):
        draft.put(1, point, draft.rng.choice((1, 2, 2, 2)))
    anywhere(draft)


def both_on_the_bar(draft: Draft) -> None:
    draft.put(1, BAR, draft.rng.randint(1, 3))
    on_the_bar(draft)


def mothers(draft: Draft) -> None:
    """His last start checker is alone or pinned; mine are at home, gone, or in the same danger."""
    rng = draft.rng
    if rng.random() < 0.6:
        draft.put(1, START)
    else:
        draft.put(0, 1, rng.randint(1, 3))
        draft.pinned[1].add(START)
    if rng.random() < 0.3:
        draft.put(1, 1, rng.randint(1, 3))
        draft.pinned[0].add(START)
    elif rng.random() < 0.6:
        draft.put(0, START, rng.randint(1, 2))
    draft.scatter(0, rng.randint(1, 14), draft.some(rng.choice((HOME, range(2, 14), BOARD))))
    draft.scatter(1, rng.randint(0, 13), draft.some(range(1, 24)))


def entering(draft: Draft) -> None:
    """Few or many of mine are unentered, some of his too; somebody may be on the bar."""
    rng = draft.rng
    draft.put(0, RESERVE, rng.choice((1, 1, 2, 3, 4, 9, 14)))
    draft.put(1, RESERVE, rng.choice((0, 0, 1, 5)))
    if rng.random() < 0.35:
        draft.put(0, BAR, rng.choice((1, 1, 2, 3)))
    for point in draft.rng.sample(range(1, 25), rng.randint(0, 8)):
        draft.put(1, point, rng.choice((1, 1, 2, 2)))
    draft.scatter(0, draft.many(), draft.some(BOARD))


def entering_near_home(draft: Draft) -> None:
    """The last ones enter while the rest is about to come home."""
    draft.put(0, RESERVE, draft.rng.randint(0, 3))
    draft.scatter(0, draft.many(), draft.some(range(1, 14)))
    draft.scatter(1, draft.many(), draft.some(BOARD))


def from_the_head(draft: Draft) -> None:
    """Many on own 24, a few under way, his among them."""
    draft.put(0, START, draft.rng.choice((1, 2, 2, 3, 8, 13)))
    draft.scatter(0, draft.rng.choice((0, 1, 1, 2, 5)), draft.some(range(1, 24)))
    draft.scatter(1, draft.many(), draft.some(BOARD))


def runner(draft: Draft) -> None:
    """All but one on 24 or not entered, perhaps after others have got home."""
    for point in draft.rng.sample(range(1, 24), draft.rng.randint(0, 6)):
        draft.put(1, point)
    draft.scatter(0, 1, range(1, 24))
    if draft.rules.entry != "none":
        draft.put(0, RESERVE, draft.rng.randint(0, draft.room(0)))
    draft.put(0, START, draft.room(0))
    draft.put(1, START, draft.rng.randint(0, draft.room(1)))


def quarters(draft: Draft) -> None:
    """Nearly all points of a quarter are mine, others in reach of the rest."""
    low = draft.rng.choice((7, 19))
    for point in draft.rng.sample(range(low, low + 6), draft.rng.randint(2, 6)):
        draft.put(0, point, draft.rng.choice((1, 1, 2)))
    draft.scatter(0, draft.rng.randint(1, 8), draft.some(range(low, 25)))
    if draft.rng.random() < 0.5:
        draft.put(1, START, draft.rng.randint(1, 5))
    draft.scatter(1, draft.rng.randint(0, 10), draft.some(BOARD))


def six_in_a_row(draft: Draft) -> None:
    """Five or six of seven points in a row are mine, on his path or mine; he is mostly behind."""
    rng = draft.rng
    low = rng.randint(1, 18)
    row = list(range(low, low + 7))
    if rng.random() < 0.6:
        row = [draft.rules.across(point) for point in row]
    for point in rng.sample(row, rng.randint(5, 6)):
        draft.put(0, point, rng.choice((1, 1, 2)))
    draft.scatter(0, draft.room(0), draft.some(range(rng.choice((1, 9)), 25)))
    # None of his is off, for that would be ahead of everything.
    draft.scatter(1, 15, draft.some(range(rng.choice((1, 12, 18, 18)), 25)))


def trapped(draft: Draft) -> None:
    """All of his on one point, and my wall of six before it."""
    rng = draft.rng
    his = rng.randint(6, 24)
    draft.put(1, his, rng.randint(1, 15))
    for ahead in range(1, 7):
        if his > ahead and rng.random() < 0.97:
            draft.put(0, draft.rules.across(his - ahead), rng.choice((1, 1, 2)))
    draft.scatter(0, rng.randint(0, 6), draft.some(BOARD))


EVERYWHERE: list[Family] = [
    anywhere,
    bearing_off,
    almost_home,
    few_left,
    last_ones,
    blocked,
    narrow,
]
HIT: list[Family] = [*EVERYWHERE, on_the_bar, on_the_bar, both_on_the_bar, scattered_blots]
PIN: list[Family] = [*EVERYWHERE, scattered_blots, mothers, mothers]
FAMILIES: dict[str, list[Family]] = {
    "western": HIT,
    "tavla": [*HIT, scattered_blots, scattered_blots],
    "plakoto": PIN,
    "gul-bara": EVERYWHERE,
    "gioul": EVERYWHERE,
    "moultezim": [*EVERYWHERE, runner, quarters, quarters, quarters],
    "fevga": [*EVERYWHERE, runner, quarters, quarters, trapped],
    "long-nardy": [*EVERYWHERE, from_the_head, from_the_head, *[six_in_a_row] * 4],
    "crazy-narde": [*EVERYWHERE, bearing_off, almost_home, from_the_head, six_in_a_row],
    "jacquet": [*EVERYWHERE, runner, runner],
    "tawla-31": [*EVERYWHERE, runner, runner],
    "acey-deucey": [*HIT, *[entering] * 4, entering_near_home],
    "european-acey-deucey": [*HIT, bearing_off, *[entering] * 3, entering_near_home],
    "russian-backgammon": [*HIT, *[entering] * 4, entering_near_home],
    "tabula": [*HIT, *[entering] * 4, entering_near_home, entering_near_home],
    "dutch": [*HIT, *[entering] * 4, entering_near_home],
    "portes": [*HIT, scattered_blots, scattered_blots],
    "misere": HIT,
    "tapa": PIN,
    "plakoto-express": PIN,
    "gul-bara-bulgarian": EVERYWHERE,
    "hypergammon": HIT,
    "nackgammon": HIT,
    "longgammon": HIT,
}
TRIED: dict[str, dict[str, tuple[Any, ...]]] = {
    "moultezim": {
        "runner": ("reach_start_quarter", "none"),
        "opp_start_quarter_max": (1, 2, 3, 5, 6),
        "own_start_quarter_max": (1, 3, 4, 5),
        "opp_start_quarter_scope": ("while_start_occupied",),
        "restriction_timing": ("end_of_play",),
    },
    "fevga": {
        "runner": ("reach_start_quarter", "none"),
        "own_start_quarter_max": (4,),
        "opp_start_quarter_max": (5,),
        "restriction_timing": ("end_of_play",),
    },
    "long-nardy": {
        "head_limit": (2, 3, None),
        "head_first_turn": ("none", "when_needed", "any_roll"),
        "prime_rule": ("none",),
        "prime_path": ("own", "both"),
        "restriction_timing": ("end_of_play",),
        "layout": ("contrary",),
    },
    "crazy-narde": {"restriction_timing": ("end_of_play",), "prime_rule": ("none",)},
    "portes": {"home_hit_and_run": (False,)},
    "misere": {"higher_die_rule": (False,)},
    "tapa": {"bear_off_while_pinned": (True,), "mother_rule": (True,)},
    "plakoto-express": {"bear_off_while_pinned": (True,), "mother_rule": (True,)},
    "gul-bara-bulgarian": {"layout": ("contrary",)},
    "jacquet": {"entry": ("freely", "first"), "runner": ("pass_start",)},
    "tawla-31": {"layout": ("parallel",), "runner": ("reach_start_quarter",)},
    "acey-deucey": {"home_hit_and_run": (False,)},
    "european-acey-deucey": {
        "bear_zone": ("second_half",),
        "bear_off": ("exact_static", "standard"),
    },
    "tabula": {
        "bear_zone": ("second_half",),
        "bear_off": ("standard", "exact_static"),
        "first_half_lock": (False,),
    },
    "dutch": {"entry": ("first",), "bear_zone": ("second_half",)},
}
"""Values of options beside the defaults; each option leaves its default a third of the time."""
THREE_DICE = {"tabula"}


def options_of(variant: str, rng: random.Random) -> dict[str, Any]:
    """Options of the variant that matter to plays, the defaults being frequent."""
    if variant == "western":
        return {"higher_die_rule": False} if rng.random() < 0.1 else {}
    if variant == "tavla":
        return {"home_hit_and_run": False} if rng.random() < 0.6 else {}
    if variant == "gul-bara":
        return {"layout": "contrary"} if rng.random() < 0.2 else {}
    if variant != "plakoto":
        return {
            name: rng.choice(values)
            for name, values in TRIED.get(variant, {}).items()
            if rng.random() < 1 / 3
        }
    chances = {"mother_rule": 0.5, "bear_off_while_pinned": 0.35}
    return {name: True for name, chance in chances.items() if rng.random() < chance}


def dice_of(rng: random.Random, three: bool = False) -> list[int]:
    """A roll, with a few more doubles than dice give, or now and then one number left over."""
    if three:
        return [rng.randint(1, 6) for _ in range(3)]
    dice = [rng.randint(1, 6), rng.randint(1, 6)]
    chance = rng.random()
    return [dice[0]] if chance < 0.04 else [dice[0]] * 2 if chance < 0.12 else dice


def facts_of(rules: Rules, rng: random.Random) -> dict[str, Any]:
    """Facts about the turn, where they matter."""
    if not rules.home_hit_and_run:
        locked = [point for point in range(1, 7) if rng.random() < 0.1]
        return {"locked": locked} if locked else {}
    if rules.head_limit is None or rng.random() < 0.4:
        return {}
    facts = {"own_roll": rng.choice((1, 1, 1, 2))} if rng.random() < 0.7 else {}
    return {**facts, "left_head": rng.randint(1, 2)} if rng.random() < 0.25 else facts


def askable(state: State, rules: Rules) -> bool:
    """Whether somebody may have to play here."""
    if ended(state, rules):
        return False
    on_bar = all(BAR in side.counts for side in state)
    return not (on_bar and all(closed_home(side) for side in state))


def constructed(family: Family, rng: random.Random, rules: Rules) -> State:
    """A position of the family, in a pinning game mostly with checkers pinned on top of that."""
    while True:
        draft = Draft(rng, rules)
        family(draft)
        if rules.contact == "pin":
            for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
                draft.pin(rng.randint(0, 1))
        if askable(state := draft.state(), rules):
            return state


def played(
    start: Mapping[int, int], rng: random.Random, rules: Rules, three: bool
) -> Iterator[State]:
    """The positions of random games. Their turns are random steps: R3 does not matter here."""
    while True:
        state = State(Side.of(start), Side.of(start))
        while askable(state, rules):
            yield state
            numbers = numbers_of(dice_of(rng, three))
            moment = opening(state, numbers, rules)
            for number in numbers:
                sources = [
                    source
                    for source, _ in moment.state.me.free
                    if refusal(moment, source, number, rules) is None
                ]
                if sources:
                    moment = stepped(moment, rng.choice(sources), number, rules)
            state = moment.state.flipped()


def random_examples(variant: str, seed: int) -> Iterator[dict[str, Any]]:
    """Questions without end, always the same for a seed; `id` tells seed, place and family."""
    rng = random.Random(f"{variant} {seed}")
    games: dict[str, Iterator[State]] = {}
    start, families = STARTS[variant], FAMILIES[variant]
    three = variant in THREE_DICE
    place = 0
    while True:
        options = options_of(variant, rng)
        rules = rules_of(variant, options)
        if rng.random() < 0.3:
            family = "played"
            game = games.setdefault(str(options), played(start, rng, rules, three))
            state = next(game)
        else:
            chosen = rng.choice(families)
            family = chosen.__name__
            state = constructed(chosen, rng, rules)
        example: dict[str, Any] = {"id": f"{variant}-{seed}-{place}-{family}", "variant": variant}
        if options:
            example["options"] = options
        if facts := facts_of(rules, rng):
            example["turn"] = facts
        yield {**example, **to_example(state), "dice": dice_of(rng, three)}
        place += 1
