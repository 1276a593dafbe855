"""Bots that sit at tables: each acts through the same door as a player, as soon as it must decide."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from bgcore import Action, Kind, Registry, Seat
from bgcore.crossing import asked
from bgcore_server.errors import Log, Stale, TimeOver, TooNew, Unavailable
from bgcore_server.store import Status
from bgcore_server.tables.live import Table

AGAIN_SECONDS = 1.0
"""After so long a bot tries again where the store did not answer."""

RETRIES = (1.0, 10.0, 60.0)
"""After so many seconds a bot that failed is asked again; then no more, until something else happens at its table."""


class Bots:
    """The bots of all tables. `act` is the table's command, with the revision that the bot has seen."""

    def __init__(self, act: Callable[..., Awaitable[object]], registry: Registry, log: Log) -> None:
        self._act = act
        self._registry = registry
        self._log = log
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopped = asyncio.Event()

    def playing(self, table: Table) -> bool:
        """Whether a bot is at work at a table."""
        return table.id in self._tasks

    def wake(self, table: Table) -> None:
        """Let a bot act if one must decide."""
        if self._stopped.is_set() or table.id in self._tasks or to_act(table) is None:
            return
        self._tasks[table.id] = asyncio.create_task(self._play(table))

    async def stop(self) -> None:
        """End every bot; what is being committed is."""
        self._stopped.set()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _play(self, table: Table) -> None:
        retries = iter(RETRIES)
        try:
            while not self._stopped.is_set() and (seat := to_act(table)) is not None:
                seen, others = table.revision, table.others
                try:
                    await self._act(table, seat, self._action(table, seat), expected=seen)
                    retries = iter(RETRIES)
                except (Stale, TimeOver):
                    pass  # somebody acted meanwhile: look again
                except Unavailable:
                    await self._pause(AGAIN_SECONDS)
                except TooNew:
                    return  # a newer server lets it play
                except Exception as error:
                    self._log.error("bot failed", table=table.id, exc_info=error)
                    if (seconds := next(retries, None)) is None:
                        return
                    await self._pause(seconds)
                if table.others != others:
                    return  # at another server, which lets the bot play, too: one of us is enough
                await asyncio.sleep(0)
        finally:
            # At once, and not in a callback: whoever acts next must be able to wake it again.
            del self._tasks[table.id]

    async def _pause(self, seconds: float) -> None:
        """Wait before asking anew who did not answer, unless the server stops."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), seconds)

    def _action(self, table: Table, seat: Seat) -> Action:
        match = table.state.match
        if Kind.NEXT_GAME in match.decision.kinds:
            return Action.next_game()
        bot = self._registry.bot(table.state.seats[seat].bot)
        return asked(bot.act, match.game, seat, table.random())


def to_act(table: Table) -> Seat | None:
    """The seat of the bot that must decide. What either may do is left to the player, if any."""
    state = table.state
    if not table.has_bots or table.fault or table.gone or state.status is not Status.PLAYING:
        return None
    decider = state.match.decision.seat
    if decider is None:
        return Seat.WHITE if all(seat.bot for seat in state.seats) else None
    return decider if state.seats[decider].bot else None
