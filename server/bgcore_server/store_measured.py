"""A store of which the commands are counted and timed."""

from __future__ import annotations

from time import perf_counter
from typing import Any, cast

from bgcore.errors import BgcoreError
from bgcore_server.errors import Unavailable
from bgcore_server.metrics import Metrics
from bgcore_server.store import Answer, Appended, Change, Created, NewTable, RequestKey, Store
from bgcore_server.store import Repeated as Known


class _Measured:
    """Everything but the commands goes to the store itself."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        started = perf_counter()
        try:
            made = await self._store.create(table, request)
        except BgcoreError as error:
            self._count("create", started, error)
            raise
        self._count("create", started, None)
        return made

    def append(self, change: Change) -> Answer[Appended | Known]:
        started = perf_counter()
        answer = self._store.append(change)

        def told(answer: Any) -> None:
            error = answer.exception()
            self._count("append", started, error)
            if error is None and change.seat is None and isinstance(answer.result(), Appended):
                self._metrics.acts += len(change.events)

        answer.add_done_callback(told)
        return answer

    def _count(self, command: str, started: float, error: BaseException | None) -> None:
        lost = isinstance(error, Unavailable) or not isinstance(error, BgcoreError)
        result = "kept" if error is None else "unavailable" if lost else "refused"
        self._metrics.commands[command, result] += 1
        self._metrics.store_times[command].add(perf_counter() - started)


def measured(store: Store, metrics: Metrics) -> Store:
    """The same store; its commands are counted."""
    return cast(Store, _Measured(store, metrics))
