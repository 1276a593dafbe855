"""The log alone gives the same state: after any commands, archives and restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore
from bgcore import Action, BgcoreError, Kind, Seat
from bgcore_proto.v1 import common_pb2, table_pb2
from bgcore_server.convert.states import state_message
from bgcore_server.convert.table import table_message
from bgcore_server.entries import Answered, Asked, Ruleset, Why, Wish
from bgcore_server.settings import Settings
from bgcore_server.store import Store, Visibility, open_store
from bgcore_server.tables import Tables
from bgcore_server.tables.house import committed, new_keys
from bgcore_server.tables.live import Table
from bgcore_server.tables.rights import ANYBODY, Caller
from bgcore_server.tables.seating import Sitting
from tests.engine.random_acts import WEIGHTS, chosen
from tests.server.helpers import Faults
from tests.server.test_clocks import Time

REGISTRY = bgcore.load()
VARIANTS = ("western", "tavla", "gul-bara")
MODES = (
    table_pb2.DICE_MODE_SYSTEM,
    table_pb2.DICE_MODE_COMMITTED,
    table_pb2.DICE_MODE_SEEDED,
    table_pb2.DICE_MODE_MANUAL,
)
CLOCKS: tuple[dict[str, Any], ...] = (
    {},
    {"clock": "bronstein", "bank_fixed": 60, "step": 12},
    {"clock": "fischer", "bank_fixed": 60, "step": 12},
    {"clock": "per_turn", "step": 30},
)
LIVELY = {**WEIGHTS, Kind.DOUBLE: 2, Kind.RESIGN: 0.02, Kind.RESIGN_MATCH: 0.02}


def some_options(random: Random) -> dict[str, Any]:
    """Options with which much happens by itself, or little."""
    options: dict[str, Any] = {"match_length": random.choice((1, 3)), **random.choice(CLOCKS)}
    options["flag_loses"] = random.choice(("game", "match"))
    for name in ("auto_roll", "auto_play", "auto_pass"):
        options[name] = random.random() < 0.5
    limits = {"absence": 100, "abandonment": 400}
    return options | {name: most for name, most in limits.items() if random.random() < 0.5}


class Walk:
    """Random commands at one table."""

    def __init__(self, store: Store, random: Random) -> None:
        self.store = store
        self.random = random
        self.time = Time()
        self.log = Faults()
        self.tables = self.reopened()

    def reopened(self) -> Tables:
        return Tables(self.store, REGISTRY, self.log, now=self.time)

    async def begin(self) -> None:
        random = self.random
        variant, options = random.choice(VARIANTS), some_options(random)
        bots = ("", random.choice(("", "", "random")))
        mode = random.choice(MODES[:-1] if any(bots) else MODES)
        rules = REGISTRY.rules(variant, "", options)
        made = Settings(
            options=options,
            resolved=rules.options,
            dice_mode=mode,
            bots=bots,
            keys=new_keys("id", "", private=False),
        )
        if mode == table_pb2.DICE_MODE_COMMITTED:
            made = committed(made)
        table, _ = await self.tables.create(variant, made, Visibility.PUBLIC, None)
        self.id = table.id

    async def table(self) -> Table:
        return await self.tables.get(self.id)

    async def step(self) -> None:
        """One command, which may be refused."""
        self.time.passes(self.random.choice((0, 0.25, 3, 20, 150)) * (self.random.random() < 0.3))
        command = self.random.choices(*zip(*self.commands(), strict=True))[0]
        with suppress(BgcoreError):
            await command()

    def commands(self) -> Iterator[tuple[Callable[[], Any], float]]:
        yield self.act, 20
        yield self.wish, 6
        yield self.sit, 3
        yield self.get_up, 2
        yield (lambda: self.tables.attend(self.id)), 3
        yield (lambda: self.tables.compact(self.id)), 1
        yield self.close, 0.05

    async def act(self) -> None:
        table = await self.table()
        if table.state.match.over:
            await self.wish()
            return
        action = chosen(table.state.match, self.random, LIVELY)
        if table.settings.dice_mode != table_pb2.DICE_MODE_MANUAL:
            if action.kind is Kind.THROW:
                action = Action(Kind.THROW)
            elif action.kind is Kind.ROLL:
                action = Action(Kind.ROLL, action.seat)
        seat = action.seat if action.seat is not None else Seat.WHITE
        await self.tables.act(table, seat, action)

    async def wish(self) -> None:
        table, random = await self.table(), self.random
        seat = random.choice(tuple(Seat))
        wish = random.choice((*Wish, Wish.UNDO, Wish.REMATCH, None))
        if wish is None or table.state.asked(Wish.UNDO, seat.other):
            await self.tables.act(table, seat, Answered(seat, random.random() < 0.7))
            return
        if wish is Wish.VOID and random.random() < 0.8:
            return
        rules = None
        if wish is Wish.REMATCH and random.random() < 0.5:
            rules = Ruleset(random.choice(VARIANTS), "", some_options(random))
        dice = table.settings.dice_mode == table_pb2.DICE_MODE_COMMITTED
        seed = f"{random.random()}" if dice and wish is Wish.REMATCH else ""
        await self.tables.act(table, seat, Asked(seat, wish, rules, seed))

    async def sit(self) -> None:
        table = await self.table()
        dice = table.settings.dice_mode == table_pb2.DICE_MODE_COMMITTED
        name, seed = f"player {self.random.random()}", f"{self.random.random()}" if dice else ""
        await self.tables.join(table, Sitting(None, name, ANYBODY, dice_seed=seed))

    async def get_up(self) -> None:
        table = await self.table()
        host = bytes.fromhex(table.settings.keys.host if table.settings.keys else "")
        seat = self.random.choice(tuple(Seat))
        await self.tables.leave(table, seat, Caller(secret=host))

    async def close(self) -> None:
        await self.tables.close(await self.table(), Why.HOST, "enough")

    async def check(self) -> None:
        """What is in memory is what the log leads to, archive or not."""
        await self.tables._bots.stop()  # what a bot had begun is in the log
        here = await self.table()
        tables = self.reopened()
        there = await tables.get(self.id)
        assert there.fault is None
        assert there.state == here.state
        assert told(there) == told(here)
        assert there.tokens == here.tokens
        log = await tables.loaded.log(there)
        assert [one.revision for one in log] == list(range(1, here.revision + 1))
        stored = await self.store.table(self.id)
        assert stored is not None
        assert (stored.revision, stored.status) == (here.revision, here.state.status)
        assert stored.seats == there.stored.seats
        assert stored.later == here.state.later
        self.tables = tables


def told(table: Table) -> tuple[object, ...]:
    """All messages about a table."""
    view = common_pb2.PLAY_VIEW_TEXT
    return state_message(table.state, view), table_message(table.state.stored(table.stored))


async def walk(random: Random, commands: int) -> Walk:
    store = await open_store("sqlite://")
    try:
        one = Walk(store, random)
        await one.begin()
        for number in range(commands):
            await one.step()
            if number % 15 == 14:
                await one.check()
        await one.check()
        assert not one.log.found
        return one
    finally:
        await store.close()


@settings(max_examples=40)
@given(st.integers(0, 1 << 32))
def test_the_log_alone_gives_the_same_state(seed: int) -> None:
    asyncio.run(walk(Random(seed), 90))


def test_the_walks_see_everything() -> None:
    """What the property is about does happen in them."""

    seen: set[str] = set()

    class Told(Walk):
        async def check(self) -> None:
            await super().check()
            table = await self.table()
            for event in await self.tables.loaded.log(table):
                seen.update(word for word in WORDS if f'"{word}"' in event.body)

    async def several() -> None:
        for seed in range(200):  # dice of the system are not the same twice
            if seen == WORDS:
                break
            store = await open_store("sqlite://")
            one = Told(store, Random(seed))
            await one.begin()
            for _ in range(120):
                await one.step()
            await one.check()
            await store.close()

    asyncio.run(several())
    assert seen == WORDS


WORDS = {
    "undo",
    "answer_undo",
    "rematch",
    "match_started",
    "void",
    "closed",
    "seat_left",
    "flag",
    "automatic",
    "double",
}
