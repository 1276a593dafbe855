"""Events for several tables go out together.

What is to be appended while earlier changes are on their way waits until those are done. All that waits then
is one message and one transaction: a busy server asks its database less often. Each is answered for itself:
where one of them is refused, or its table held by somebody, nothing of the transaction is done, and they are
tried one by one. Nobody waits long for others: what takes its time goes on beside those that come after it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from psycopg_pool import PoolTimeout

from bgcore_server.store import postgres_work as work
from bgcore_server.store.base import Answer, Appended, Change, Repeated
from bgcore_server.store.postgres_line import OVERTAKEN, UNLUCKY, Lines

MOST_TOGETHER = 32

PATIENCE = 0.25
"""Seconds after which those that wait no longer wait for what is on its way."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A change, and who waits for it until a time of the loop's clock."""

    change: Change
    answer: Answer[Appended | Repeated]
    end: float


class Timer:
    """What is to happen when something takes too long; one thing at a time, since nearly nothing does."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    def after(self, seconds: float, call: Callable[..., None], *arguments: object) -> None:
        """Call something later, in the place of what would have been called."""
        self.cancel()
        self._handle = self._loop.call_later(max(seconds, 0), call, *arguments)

    def cancel(self) -> None:
        """Call nothing."""
        if self._handle is not None:
            self._handle.cancel()


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
        self._last: asyncio.Task[None] | None = None  # for which the others wait
        self._tasks: set[asyncio.Task[None]] = set()

    def append(self, change: Change, seconds: float) -> Answer[Appended | Repeated]:
        """Append a change; there is an answer within so many seconds, whatever the database does."""
        answer: Answer[Appended | Repeated] = Answer(loop=self._loop)
        self._waiting.append(Waiting(change, answer, self._loop.time() + seconds))
        if self._last is None:
            self._send()
        return answer

    async def close(self) -> None:
        """Carry out what is waiting."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _send(self) -> None:
        self._last = task = self._loop.create_task(self._some())
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _go_on(self, task: asyncio.Task[None]) -> None:
        """Let the others wait no longer for a task."""
        if self._last is task:
            self._last = None
            if self._waiting:
                self._send()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() and self._last is task:
            # As when the loop ends: nobody is left to carry out the others. One that was late is not the last.
            self._refuse(self._waiting, asyncio.CancelledError())
            self._waiting.clear()
        self._go_on(task)

    async def _some(self) -> None:
        """Carry out what waits, or as much of it as goes together."""
        most = min(MOST_TOGETHER, len(self._waiting))
        some = [self._waiting.popleft() for _ in range(most)]
        task = asyncio.current_task()
        assert task is not None
        timer = Timer(self._loop)
        timer.after(min(PATIENCE, some[0].end - self._loop.time()), self._slow, some, task, timer)
        try:
            await self._carry_out(some)
        except BaseException as error:
            self._refuse(some, error)
            if not isinstance(error, Exception):
                raise
        finally:
            timer.cancel()

    def _slow(self, some: Sequence[Waiting], task: asyncio.Task[None], timer: Timer) -> None:
        self._go_on(task)
        timer.after(some[0].end - self._loop.time(), self._late, some, task)

    def _late(self, some: Sequence[Waiting], task: asyncio.Task[None]) -> None:
        # First the answers: the database may take its time to let go.
        self._refuse(some, TimeoutError("no answer in time"))
        task.cancel()

    def _refuse(self, some: Sequence[Waiting] | deque[Waiting], error: BaseException) -> None:
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
        except PoolTimeout:
            raise
        except Exception:  # of one of them, or the line broke
            again = True
        else:
            return
        await asyncio.gather(*(self._one(one, again=again) for one in some))

    async def _all(self, some: Sequence[Waiting]) -> None:
        db = await self._lines.line()
        try:
            await work.append_all(db, [one.change for one in some])
        finally:
            await self._lines.let_go(db)
        for one in some:
            self._done(one, work.appended(one.change))

    async def _one(self, one: Waiting, *, again: bool) -> None:
        try:
            done = await self._lines.carry_out(
                lambda db, again: work.append(db, one.change, again), again=again
            )
        except Exception as error:
            self._refuse([one], error)
        else:
            self._done(one, done)

    def _done(self, one: Waiting, done: Appended | Repeated) -> None:
        if not one.answer.done():
            one.answer.set_result(done)
        if isinstance(done, Appended):
            self._tell(one.change.table, done.last)
