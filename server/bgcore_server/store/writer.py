"""The one thread that writes to SQLite, and commits together whatever is waiting."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import structlog

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Unavailable
from bgcore_server.store.base import Answer
from bgcore_server.store.errors import cannot_open, refused, silent

T = TypeVar("T")
Command = Callable[[sqlite3.Connection], Any]
Waiting = tuple[Command, Answer[Any]]

IDLE_SECONDS = 0.5

GATHER_SECONDS = 0.002
"""How long a busy writer waits for more commands, so that a fast disk is not flushed for each."""

BUSY_BATCHES = 16
"""Batches for which a writer counts as busy after one of several commands."""

log = structlog.get_logger()


class Writer:
    """A thread with a connection. It takes all commands that are waiting, runs each, commits once.

    A command that refuses (`BgcoreError`) must do so before it has written anything; then it does not
    disturb those that share its transaction.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.commits = 0
        self._connect = connect
        self._loop = loop
        self._waiting: SimpleQueue[Waiting | None] = SimpleQueue()  # None: nothing will follow
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="bgcore-store-writer", daemon=True)
        self._thread.start()

    async def run(self, command: Callable[[sqlite3.Connection], T]) -> T:
        """Have a command carried out; returns when it is on the disk."""
        return await self.submit(command)

    def submit(self, command: Callable[[sqlite3.Connection], T]) -> Answer[T]:
        """Have a command carried out soon."""
        if self._stopping:
            raise Unavailable(
                Fault("STORE_CLOSED", "", "closed", "an open store", "the store is closed")
            )
        future: Answer[T] = Answer(loop=self._loop)
        self._waiting.put((command, future))
        return future

    def stop(self) -> None:
        """Carry out what is waiting, and end the thread."""
        self._stopping = True
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        try:
            db = self._connect()
        except Exception as error:
            unusable = error if isinstance(error, BgcoreError) else cannot_open(error)
            while (one := self._waiting.get()) is not None:
                self._answer([(one[1], unusable)])
            return
        for batch in self._batches(db):
            self._answer(self._carry_out(db, batch))
        db.close()

    def _batches(self, db: sqlite3.Connection) -> Iterator[list[Waiting]]:
        """All that is waiting, again and again; in between, when idle, the log is copied."""
        written, busy = False, 0
        while True:
            try:
                first = self._waiting.get(timeout=IDLE_SECONDS if written else None)
            except Empty:
                # Where there is no room for it, the next one may do better: what is in the log is safe.
                with suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)")
                written, busy = False, 0
                continue
            if busy:
                # Several came together lately: those who were answered are about to come again.
                time.sleep(GATHER_SECONDS)
            more = [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]
            if batch := [one for one in (first, *more) if one is not None]:
                yield batch
                written, busy = True, BUSY_BATCHES if len(batch) > 1 else max(busy - 1, 0)
            if None in (first, *more):
                return

    def _carry_out(
        self, db: sqlite3.Connection, batch: Sequence[Waiting]
    ) -> list[tuple[Answer[Any], Any]]:
        answers: list[tuple[Answer[Any], Any]] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for command, future in batch:
                try:
                    answers.append((future, command(db)))
                except BgcoreError as error:
                    answers.append((future, error))
            db.execute("COMMIT")
            self.commits += 1
        except Exception as error:
            if db.in_transaction:
                with suppress(sqlite3.Error):  # a disk that fails may fail here, too
                    db.execute("ROLLBACK")
            if len(batch) == 1:
                return [(batch[0][1], failed(error))]
            # One of them is at fault: each by itself.
            return [answer for one in batch for answer in self._carry_out(db, [one])]
        return answers

    def _answer(self, answers: list[tuple[Answer[Any], Any]]) -> None:
        def tell() -> None:
            for future, answer in answers:
                if isinstance(answer, BgcoreError):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

        self._loop.call_soon_threadsafe(tell)


def failed(error: Exception) -> Unavailable:
    """The error of a command that was undone: SQLite refused it, or it is a fault of ours, told as such."""
    if isinstance(error, sqlite3.Error):
        return refused(error)
    with suppress(OSError):
        log.error("store failed", exc_info=error)
    return silent()
