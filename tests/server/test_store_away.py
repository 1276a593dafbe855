"""What a server does while its store does not answer, and when it is back."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
import structlog

import bgcore
from bgcore import Action, IllegalAction, Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.errors import Stale, Unavailable
from bgcore_server.settings import Settings
from bgcore_server.store import Appended, Change, Repeated, Visibility, open_store
from bgcore_server.store.base import Answer
from bgcore_server.store.errors import silent, stale
from bgcore_server.tables import Moment, Table, Tables
from bgcore_server.tables import bots as bots_module
from bgcore_server.tables.rights import ANYBODY
from bgcore_server.tables.seating import Sitting


@pytest.fixture
async def tables() -> Any:
    store = await open_store("sqlite://")
    tables = Tables(store, bgcore.load(), structlog.get_logger())
    yield tables
    await tables.stop()
    await store.close()


async def test_a_table_that_cannot_be_loaded_is_nobodys_fault_when_its_caller_has_gone(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(options={"match_length": 3})
    made, _ = await tables.create("western", settings, Visibility.LINK, None)
    tables.loaded.forget(made.id)  # as after a restart
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, what: told.append(what))
    away = asyncio.Event()

    async def events(*_: object) -> list[Any]:
        await away.wait()
        raise silent()

    monkeypatch.setattr(tables.store, "events", events)
    caller, patient = (asyncio.create_task(tables.get(made.id)) for _ in range(2))
    await asyncio.sleep(0.01)
    caller.cancel()
    away.set()
    with pytest.raises(Unavailable):
        await patient
    away.clear()
    caller = asyncio.create_task(tables.get(made.id))
    await asyncio.sleep(0.01)
    caller.cancel()
    away.set()
    await asyncio.gather(caller, return_exceptions=True)
    await asyncio.sleep(0.01)
    del caller
    gc.collect()
    assert told == []


@pytest.mark.parametrize("refused", [stale(0, 1), silent()], ids=["stale", "silent"])
async def test_who_has_gone_does_not_try_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, refused: Stale | Unavailable
) -> None:
    made = await playing(tables)
    answers: list[Answer[Any]] = []

    def append(change: Change) -> Answer[Any]:
        answers.append(Answer())
        return answers[-1]

    with monkeypatch.context() as away:
        away.setattr(tables.store, "append", append)
        caller = asyncio.create_task(tables.act(made, Seat.WHITE, THROWN))
        while not answers:
            await asyncio.sleep(0)
        caller.cancel()
        await asyncio.sleep(0)
        answers[0].set_exception(refused)
        await asyncio.wait([caller])
    assert caller.cancelled() and len(answers) == 1
    assert made.doubtful is isinstance(refused, Unavailable)
    await tables.act(made, Seat.WHITE, THROWN)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_module, "AGAIN_SECONDS", 0.01)


async def test_a_bot_tries_again_when_the_store_has_not_answered(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, soon: None
) -> None:
    real, tried, done = tables.store.append, 0, 0

    def append(change: Any) -> Any:
        nonlocal tried, done
        tried += 1
        if tried % 2:
            raise silent()
        done += 1
        return real(change)

    monkeypatch.setattr(tables.store, "append", append)
    settings = Settings(options={"match_length": 1}, bots=("greedy", "greedy"))
    table, _ = await tables.create("western", settings, Visibility.LINK, None)
    async with asyncio.timeout(60):
        while not table.state.match.over:
            await asyncio.sleep(0.01)
    assert tried == 2 * done  # a tie and the throw after it are done at once


class Silent:
    """A store's `append` that does as it is told and does not tell."""

    def __init__(self, tables: Tables, *, done: bool) -> None:
        self._append, self._done = tables.store.append, done
        self._tables = tables

    def __call__(self, change: Change) -> Answer[Appended | Repeated]:
        self._tables.store.append = self._append  # type: ignore[method-assign]
        answer: Answer[Appended | Repeated] = Answer()

        def tell(done: asyncio.Future[Any]) -> None:
            answer.set_exception(silent())

        if self._done:
            self._append(change).add_done_callback(tell)
        else:
            asyncio.get_running_loop().call_soon(answer.set_exception, silent())
        return answer


async def playing(tables: Tables) -> Table:
    """A table where both may throw."""
    made, _ = await tables.create(
        "western", Settings(dice_mode=pb.DICE_MODE_MANUAL), Visibility.LINK, None
    )
    for _ in range(2):
        await tables.join(made, Sitting(None, "", ANYBODY))
    return made


THROWN = Action.throw(3, 1)


@pytest.mark.parametrize("done", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("asked", ["act", "get", "stale"])
async def test_what_became_of_an_act_is_found_out_before_anything_else_is_done(
    tables: Tables, done: bool, asked: str
) -> None:
    made = await playing(tables)
    seen = made.revision
    tables.store.append = Silent(tables, done=done)  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        await tables.act(made, Seat.WHITE, THROWN)
    now = seen + done
    if asked == "get":
        assert (await tables.get(made.id)).revision == now
    elif asked == "act":
        again = tables.act(made, Seat.WHITE, THROWN)
        if done:  # it is not thrown twice
            with pytest.raises(IllegalAction):
                await again
        else:
            assert (await again).last.event.revision == seen + 1
    elif done:
        with pytest.raises(Stale):
            await tables.act(made, Seat.WHITE, THROWN, expected=seen)
    stored = await tables.store.table(made.id)
    assert stored is not None
    assert made.revision == stored.revision
    assert not made.doubtful or asked == "stale"


async def test_who_watches_hears_of_an_act_that_was_done_though_nobody_was_told(
    tables: Tables,
) -> None:
    made = await playing(tables)
    tables.heartbeat = 0.05
    watch = tables.watch(made, made.revision, lambda: ANYBODY)
    assert await anext(watch) == made.revision
    tables.store.append = Silent(tables, done=True)  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        await tables.act(made, Seat.WHITE, THROWN)
    news = await anext(watch)
    while isinstance(news, int):
        news = await anext(watch)
    assert isinstance(news, Moment)
    assert news.state is made.state


async def test_nothing_is_done_at_a_table_of_which_nobody_knows_where_it_stands(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await playing(tables)

    async def events(*_: object) -> list[Any]:
        raise silent()

    tables.store.append = Silent(tables, done=True)  # type: ignore[method-assign]
    with monkeypatch.context() as away:
        away.setattr(tables.store, "events", events)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await tables.act(made, Seat.WHITE, THROWN)
        with pytest.raises(Unavailable):
            await tables.get(made.id)
    assert (await tables.get(made.id)).state.match.game.dice == (3, 1)
