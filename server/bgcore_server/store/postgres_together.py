"""Events for several tables go out together.

What is to be appended while earlier changes are on their way waits until those are done. All that waits then
is one message and one transaction: a busy server asks its database less often. Each is answered for itself:
where one of them is refused, nothing of the transaction is done, and they are tried one by one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bgcore_server.store import postgres_work as work
from bgcore_server.store.base import Answer, Appended, Change, Repeated
from bgcore_server.store.postgres_line import OVERTAKEN, UNLUCKY, Lines, Undecided

MOST_TOGETHER = 32


@dataclass(frozen=True, slots=True)
class Waiting:
    """A change, and who waits for it until a time of the loop's clock."""

    change: Change
    answer: Answer[Appended | Repeated]
    end: float


class Together:
    """Appends changes. `refusal` says what is told of an error; `tell` hears what has been appended."""

    def __init__(
        self,
        lines: Lines,
        refusal: Callable[[BaseException], BaseException],
        tell: Callable[[int, int], None],
    ) -> None:
        self._lines = lines
        self._refusal = refusal
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Waiting] = deque()
        self._carrier: asyncio.Task[None] | None = None

    def append(self, change: Change, seconds: float) -> Answer[Appended | Repeated]:
        """Append a change; there is an answer within so many seconds, whatever the database does."""
        answer: Answer[Appended | Repeated] = Answer(loop=self._loop)
        self._waiting.append(Waiting(change, answer, self._loop.time() + seconds))
        if self._carrier is None:
            self._carrier = self._loop.create_task(self._carry())
        return answer

    async def close(self) -> None:
        """Carry out what is waiting."""
        if self._carrier is not None:
            await asyncio.wait([self._carrier])

    async def _carry(self) -> None:
        try:
            while self._waiting:
                most = min(MOST_TOGETHER, len(self._waiting))
                await self._answer([self._waiting.popleft() for _ in range(most)])
        finally:
            self._carrier = None  # at once, lest somebody rely on it when it has found nothing more

    async def _answer(self, some: Sequence[Waiting]) -> None:
        """Carry out changes and answer each, all before the first of them has waited too long."""
        error: BaseException = TimeoutError("no answer in time")
        try:
            async with asyncio.timeout_at(some[0].end):
                await self._carry_out(some)
        except BaseException as problem:
            error = problem
            if not isinstance(problem, Exception):
                raise
        finally:
            for one in some:
                if not one.answer.done():
                    one.answer.set_exception(self._refusal(error))

    async def _carry_out(self, some: Sequence[Waiting]) -> None:
        if len(some) == 1:
            await self._one(some[0], again=False)
            return
        again = False
        try:
            await self._all(some)
        except (*OVERTAKEN, *UNLUCKY):
            pass  # nothing was done, because of one of them
        except Undecided:
            again = True
        else:
            return
        await asyncio.gather(*(self._one(one, again=again) for one in some))

    async def _all(self, some: Sequence[Waiting]) -> None:
        db = await self._lines.line()
        try:
            await work.append_all(db, [one.change for one in some])
            for one in some:
                self._done(one, work.appended(one.change))
        finally:
            await self._lines.let_go(db)

    async def _one(self, one: Waiting, *, again: bool) -> None:
        try:
            done = await self._lines.carry_out(
                lambda db, again: work.append(db, one.change, again), again=again
            )
        except Exception as error:
            one.answer.set_exception(self._refusal(error))
        else:
            self._done(one, done)

    def _done(self, one: Waiting, done: Appended | Repeated) -> None:
        one.answer.set_result(done)
        if isinstance(done, Appended):
            self._tell(one.change.table, done.last)
