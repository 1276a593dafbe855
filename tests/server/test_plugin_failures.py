"""A table of a variant whose rules fail: PLUGIN_FAILED without a traceback, and its host can close it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import grpc
import pytest

import bgcore
from bgcore import (
    BgcoreError,
    Fault,
    IllegalAction,
    IllegalPosition,
    NotationError,
    OptionError,
    Plays,
    PluginError,
    Position,
    Registry,
    Roll,
    Rules,
    Variant,
)
from bgcore.errors import NotRegistered
from bgcore.option import Values
from bgcore.outcome import Outcome
from bgcore.plugin import Plugin
from bgcore.turn import ORDINARY_TURN, Numbers, Part, Turn
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import rules_service_pb2 as rules_pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.errors import Malformed, NotAllowed, NotNow
from bgcore_server.tables.command import now
from tests.server.helpers import (
    BLACK,
    WHITE,
    AtTable,
    Client,
    Refused,
    opening,
    ref,
    refusal_of,
    running,
)
from tests.server.test_tables import channel


class Moody(Rules):
    """Does what it must until `mood` says otherwise; then every method of it fails in that way."""

    mood: ClassVar[str] = ""

    def _fail(self) -> Any:
        if Moody.mood == "raises":
            raise LookupError("in a bad mood")
        if Moody.mood == "ends the server":
            raise SystemExit(3)
        return "nonsense"

    def outcome(self, position: Position) -> Outcome | None:
        return self._fail() if Moody.mood else super().outcome(position)

    def keep(self, start: Position, plays: Plays) -> Plays:
        return self._fail() if Moody.mood else super().keep(start, plays)

    def plays(self, position: Position, roll: Roll, turn: Turn = ORDINARY_TURN) -> Plays:
        return self._fail() if Moody.mood else super().plays(position, roll, turn)

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        return self._fail() if Moody.mood else super().plays_of(position, numbers, turn)

    def parts(
        self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
    ) -> tuple[Part, ...]:
        return self._fail() if Moody.mood else super().parts(roll, turn, position)

    def steps(self, position: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN) -> Any:
        return self._fail() if Moody.mood else super().steps(position, numbers, turn)


@pytest.fixture(params=["raises", "returns nonsense", "ends the server"])
def mood(request: pytest.FixtureRequest) -> Iterator[str]:
    Moody.mood = ""
    yield request.param
    Moody.mood = ""


def registry() -> Registry:
    found = bgcore.load().using(Plugin("moody", value="tests.server"))
    western = found.variant("western")
    found.add(replace(western, id="moody", aliases=(), options=()), Moody)
    return found


async def seated(
    client: Client, variant: common_pb2.VariantRef | None = None, **more: Any
) -> tuple[AtTable, str]:
    """A table that waits for its opening throw, and its host's token."""
    created = await client.CreateTable(
        service.CreateTableRequest(
            variant=variant or ref("moody"), dice_mode=table.DICE_MODE_MANUAL, **more
        )
    )
    tokens: dict[int, str] = {}
    state = created.state
    for seat in (WHITE, BLACK):
        joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=seat))
        tokens[seat], state = joined.token, joined.state
    return AtTable(client, created.table.id, tokens, state), created.host_token


def check(refusal: Refused) -> None:
    """That a plugin failed, and no more."""
    assert (refusal.reason, refusal.code) == ("PLUGIN_FAILED", grpc.StatusCode.INTERNAL)
    for trace in ("Traceback", "File ", ".py"):
        assert trace not in refusal.message


async def test_whatever_needs_the_rules_is_refused_and_the_rest_is_served(mood: str) -> None:
    async with running(registry=registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
        await at.throw(3, 1)
        Moody.mood = mood
        check(await refusal_of(at.play("8/5 6/5")))
        check(await refusal_of(at.get()))
        watch = client.WatchTable(service.WatchTableRequest(table=at.id))
        check(await refusal_of(anext(aiter(watch))))
        asked = rules_pb.ListPlaysRequest(variant=ref("moody"), position=opening(), dice=[3, 1])
        check(await refusal_of(client.ListPlays(asked)))
        asked.variant.id = "western"
        assert len((await client.ListPlays(asked)).plays.lengths) == 16
        assert {fault["event"] for fault in server.faults.found} == {"plugin failed"}
        closed = await client.CloseTable(service.CloseTableRequest(table=at.id), token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED
        # Nothing is asked of the rules of a table that is closed.
        assert (await at.get()).table.status == table.TABLE_STATUS_CLOSED


async def test_players_may_void_a_match_though_its_rules_fail_by_then(mood: str) -> None:
    """Also where the table would play for them: nothing is asked of the rules of a table that is closed."""
    found = bgcore.load().using(Plugin("moody", value="tests.server"))
    found.add(replace(found.variant("western"), id="moody", aliases=(), bundles={}), Moody)
    async with running(registry=found) as server, channel(server.grpc) as client:
        at, _ = await seated(client, ref("moody", auto_play=True))
        await at.throw(3, 1)
        await at.act(WHITE, void=table.VoidAction())
        Moody.mood = mood
        ended = await at.act(BLACK, void=table.VoidAction(), view=common_pb2.PLAY_VIEW_NONE)
        assert ended.state.closed.void
        assert not server.faults.found


class Listed(Rules):
    """Keeps its levels in a list."""

    def __init__(self, variant: Variant, options: Values | None = None) -> None:
        super().__init__(variant, options)
        self.levels = list(self.levels)  # type: ignore[assignment]  # as an author without mypy may


async def test_levels_that_are_in_a_list_are_told_as_any_others() -> None:
    found = bgcore.load().using(Plugin("listed", value="tests.server"))
    found.add(replace(found.variant("western"), id="listed", aliases=(), options=()), Listed)
    async with running(registry=found) as server, channel(server.grpc) as client:
        at, _ = await seated(client, ref("listed"))
        await at.throw(3, 1)
        assert at.state.decision.resign_levels == [
            common_pb2.LEVEL_SINGLE,
            common_pb2.LEVEL_GAMMON,
            common_pb2.LEVEL_BACKGAMMON,
        ]
        assert not server.faults.found


async def test_a_table_that_cannot_be_loaded_can_be_closed_by_its_host_alone(
    tmp_path: Path, mood: str
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
        await at.throw(3, 1)
        await at.play("8/5 6/5")
    Moody.mood = mood
    async with running(database, registry()) as server, channel(server.grpc) as client:
        again = AtTable(client, at.id, at.tokens, at.state)
        check(await refusal_of(again.get()))
        closing = service.CloseTableRequest(table=at.id, note="no more")
        stranger = await refusal_of(client.CloseTable(closing, token=at.tokens[WHITE]))
        assert stranger.code is grpc.StatusCode.PERMISSION_DENIED
        closed = await client.CloseTable(closing, token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED
        assert closed.state.revision == at.state.revision + 1
        assert (await client.CloseTable(closing, token=host)).table == closed.table
    Moody.mood = ""
    async with running(database, registry()) as server, channel(server.grpc) as client:
        found = await AtTable(client, at.id, at.tokens, at.state).get()
        assert found.table.status == table.TABLE_STATUS_CLOSED
        assert found.state.closed.note == "no more"


async def test_a_table_whose_variant_is_gone_can_be_closed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
    async with running(database) as server, channel(server.grpc) as client:
        again = AtTable(client, at.id, at.tokens, at.state)
        assert (await refusal_of(again.get())).reason == "RULES_CHANGED"
        closing = service.CloseTableRequest(table=at.id)
        closed = await client.CloseTable(closing, token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED


async def test_bots_go_on_at_the_other_tables_after_a_start(tmp_path: Path, mood: str) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    bots = {
        "white": table.Occupant(bot=table.Bot(id="random")),
        "black": table.Occupant(bot=table.Bot(id="random")),
    }
    made = []
    async with running(database, registry()) as server, channel(server.grpc) as client:
        for name in ("moody", "western"):
            asked = service.CreateTableRequest(variant=ref(name, match_length=7), **bots)  # type: ignore[arg-type]
            made.append((await client.CreateTable(asked)).table.id)
    Moody.mood = mood
    async with running(database, registry()) as server, channel(server.grpc) as client:
        request = service.GetTableRequest(table=made[1])
        for _ in range(1000):
            if (await client.GetTable(request)).table.status == table.TABLE_STATUS_FINISHED:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("the bots of the other table do not go on")
        events = {fault["event"] for fault in server.faults.found}
        assert events <= {"table not resumed", "bot failed"}


class Unmade(Rules):
    """Cannot be made any more once it is told so."""

    gone: ClassVar[bool] = False

    def __init__(self, variant: Variant, options: Values | None = None) -> None:
        if Unmade.gone:
            raise LookupError("no such thing")
        super().__init__(variant, options)


async def test_rules_that_cannot_be_made_any_more_are_the_plugins_failure(tmp_path: Path) -> None:
    def known() -> Registry:
        Unmade.gone = False
        found = bgcore.load().using(Plugin("unmade", value="tests.server"))
        western = found.variant("western")
        found.add(replace(western, id="unmade", aliases=(), bundles={}), Unmade)
        return found

    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, known()) as server, channel(server.grpc) as client:
        created = await client.CreateTable(service.CreateTableRequest(variant=ref("unmade")))
    async with running(database, known()) as server, channel(server.grpc) as client:
        Unmade.gone = True
        get = service.GetTableRequest(table=created.table.id)
        check(await refusal_of(client.GetTable(get)))
        check(
            await refusal_of(client.CreateTable(service.CreateTableRequest(variant=ref("unmade"))))
        )
        spec = common_pb2.VariantRef(spec=common_pb2.VariantSpec(base="unmade"))
        check(await refusal_of(client.CreateTable(service.CreateTableRequest(variant=spec))))
        games = [ref("tavla"), ref("unmade")]
        rotation = service.CreateTableRequest(rotation=common_pb2.RotationRef(games=games))
        check(await refusal_of(client.CreateTable(rotation)))
    Unmade.gone = False


OURS = (
    *(IllegalAction, IllegalPosition, NotationError, OptionError, NotRegistered, PluginError),
    *(Malformed, NotNow, NotAllowed),
)


@pytest.mark.parametrize("kind", OURS)
async def test_no_error_that_its_rules_raise_is_told_as_the_callers_fault(
    kind: type[BgcoreError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Rules) -> Any:
        raise kind(Fault("YOURS", "action", "x", "another"))

    async with running(registry=registry()) as server, channel(server.grpc) as client:
        at, _ = await seated(client)
        await at.throw(3, 1)
        monkeypatch.setattr(Moody, "_fail", fail)
        Moody.mood = "raises"
        try:
            check(await refusal_of(at.play("8/5 6/5")))
            asked: Any = {"variant": ref("moody"), "position": opening()}
            check(
                await refusal_of(client.ListPlays(rules_pb.ListPlaysRequest(**asked, dice=[3, 1])))
            )
            check(await refusal_of(client.GetOutcome(rules_pb.GetOutcomeRequest(**asked))))
            play = rules_pb.CheckPlayRequest(
                **asked, dice=[3, 1], play=common_pb2.Play(text="8/5 6/5")
            )
            check(await refusal_of(client.CheckPlay(play)))
        finally:
            Moody.mood = ""


STRANGERS = ("", "nobody's")


async def refusals(client: Client, name: str, token: str) -> list[tuple[object, str, str]]:
    """What somebody is told by every rpc that names a table."""
    action = table.Action(void=table.VoidAction())
    calls = (
        client.GetTable(service.GetTableRequest(table=name), token=token),
        anext(aiter(client.WatchTable(service.WatchTableRequest(table=name), token=token))),
        client.ListEvents(service.ListEventsRequest(table=name), token=token),
        client.ListEvents(service.ListEventsRequest(table=name, states=True), token=token),
        client.ExportMatch(
            service.ExportMatchRequest(table=name, format=common_pb2.MATCH_FORMAT_RECORD),
            token=token,
        ),
        client.VerifyDice(service.VerifyDiceRequest(table=name), token=token),
        client.JoinTable(service.JoinTableRequest(table=name), token=token),
        client.LeaveTable(service.LeaveTableRequest(table=name), token=token),
        client.LeaveTable(service.LeaveTableRequest(table=name, seat=WHITE), token=token),
        client.Act(service.ActRequest(table=name, action=action), token=token),
        client.Act(service.ActRequest(table=name, action=action, validate_only=True), token=token),
        client.CloseTable(service.CloseTableRequest(table=name), token=token),
    )
    found = [await refusal_of(call) for call in calls]
    return [(one.code, one.reason, one.message.replace(name, "…")) for one in found]


async def test_strangers_are_not_told_of_a_private_table_that_cannot_be_read(
    tmp_path: Path, mood: str
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    private = service.CreateTableRequest(variant=ref("moody"), visibility=table.VISIBILITY_PRIVATE)
    async with running(database, registry()) as server, channel(server.grpc) as client:
        made = await client.CreateTable(private)
        name = made.table.id
        joining = service.JoinTableRequest(table=name)
        seats = [await client.JoinTable(joining, token=made.invitation_token) for _ in range(2)]
        throw = service.ActRequest(table=name, action=table.Action(throw=table.ThrowAction()))
        await client.Act(throw, token=seats[0].token)
    made_up = "0" * len(name)
    for gone in (True, False):
        Moody.mood = "" if gone else mood
        rules = None if gone else registry()
        reason = "RULES_CHANGED" if gone else "PLUGIN_FAILED"
        async with running(database, rules) as server, channel(server.grpc) as client:
            for token in STRANGERS:
                expected = await refusals(client, made_up, token)
                assert await refusals(client, name, token) == expected
            get = service.GetTableRequest(table=name)
            for token in (made.host_token, made.spectator_token, seats[0].token):
                assert (await refusal_of(client.GetTable(get, token=token))).reason == reason
            noisy = {fault["event"] for fault in server.faults.found}
            assert noisy <= {"plugin failed"}
    async with running(database) as server, channel(server.grpc) as client:
        closing = service.CloseTableRequest(table=name, note="no more")
        closed = await client.CloseTable(closing, token=made.host_token)
        found = await client.GetTable(get, token=made.spectator_token)
        assert (found.table, found.state) == (closed.table, closed.state)
        assert found.table.status == table.TABLE_STATUS_CLOSED
        assert (found.state.closed.note, found.state.closed.void) == ("no more", True)
        assert await refusals(client, name, "") == await refusals(client, made_up, "")


async def test_a_closed_table_that_cannot_be_read_is_shown_and_forgotten(tmp_path: Path) -> None:
    """What needs no rules: that it is closed, and why. Its log is kept as it is, and deleted in time."""
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
        await at.throw(3, 1)
        closing = service.CloseTableRequest(table=at.id, note="late")
        await client.CloseTable(closing, token=host)
    time = 10**6 * 86_400 * 400 + now()
    keeping = {"tidy_seconds": 0.05, "forget_after": 86_400}
    async with running(database) as server, channel(server.grpc) as client:
        get = service.GetTableRequest(table=at.id)
        found = await client.GetTable(get)
        assert found.table.status == table.TABLE_STATUS_CLOSED
        assert found.state.closed.note == "late"
        assert found.state.revision == found.table.revision
        listing = service.ListEventsRequest(table=at.id)
        assert (await client.ListEvents(listing)).events[-1].closed == found.state.closed
        assert (await client.CloseTable(closing, token=host)).state == found.state
        watch = client.WatchTable(service.WatchTableRequest(table=at.id))
        assert (await refusal_of(anext(aiter(watch)))).reason == "RULES_CHANGED"
    async with (
        running(database, now=lambda: time, upkeep=keeping) as server,
        channel(server.grpc) as client,
    ):
        async with asyncio.timeout(10):
            while await is_there(client, at.id):
                await asyncio.sleep(0.05)


async def is_there(client: Client, name: str) -> bool:
    """Whether a table is known, be it readable or not."""
    try:
        await client.GetTable(service.GetTableRequest(table=name))
    except grpc.aio.AioRpcError as error:
        return error.code() is not grpc.StatusCode.NOT_FOUND
    return True


async def test_an_open_table_that_cannot_be_read_expires(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, _ = await seated(client)
    time = 10**6 * 86_400 * 400 + now()
    keeping = {"tidy_seconds": 0.05, "compact_after": None}
    async with (
        running(database, now=lambda: time, upkeep=keeping) as server,
        channel(server.grpc) as client,
    ):
        listing = service.ListTablesRequest(status=table.TABLE_STATUS_CLOSED)
        async with asyncio.timeout(10):
            while not (await client.ListTables(listing)).tables:
                await asyncio.sleep(0.05)
        found = await client.GetTable(service.GetTableRequest(table=at.id))
        assert found.state.closed.reason == table.CLOSE_REASON_EXPIRED
