from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any, assert_type

import grpc
import pytest

from bgcore_client import (
    BLACK,
    WHITE,
    AsyncClient,
    AsyncSeat,
    AsyncTable,
    Client,
    DeadlineExceeded,
    Play,
    Seat,
    SeatKey,
    StaleRevision,
    Step,
    Table,
    Unavailable,
    actions,
    bot,
    messages,
    position,
    variant,
)
from bgcore_client.call import METHODS
from tests.client.fake import FakeServer, once, refuse, snapshot, unavailable

BOARD = position({6: 5}, {6: 5})
ME = SeatKey("t1", WHITE, "secret")


def every_call(client: Client) -> list[object]:
    """Each rpc of the contract, once."""
    table = client.table("t1")
    return [
        client.get_server_info(),
        client.list_variants(),
        client.get_variant("western"),
        client.check_position("western", BOARD),
        client.list_plays("western", BOARD, (3, 1)),
        client.batch_list_plays("western", [BOARD], [(3, 1)]),
        client.list_steps("western", BOARD, (3, 1)),
        client.check_play("western", BOARD, (3, 1), "8/5 6/5"),
        client.get_outcome("western", BOARD),
        client.convert_position("western", BOARD),
        client.replay_match("a match"),
        client.format_match("a match"),
        client.create_table("western"),
        client.list_tables(),
        table.get(),
        table.join(),
        table.list_events(),
        table.export(),
        table.verify_dice(),
        next(table.watch()),
        client.seat(ME).roll(),
        client.seat(ME).leave(),
        table.close(),
    ]


WATCHED = {"WatchTable": lambda _, __: iter([snapshot(1)])}


def test_every_rpc_of_the_contract_has_a_method() -> None:
    with FakeServer(WATCHED) as server, Client(server.target) as client:
        every_call(client)
    called = {type(request) for request in server.requests}
    assert not [rpc.DESCRIPTOR.name for rpc in METHODS.keys() - called]


async def test_both_clients_send_the_same() -> None:
    with FakeServer(WATCHED) as server:
        with Client(server.target) as client:
            client.list_plays(variant("tavla", match_length=3), BOARD, (3, 1))
            client.create_table("tavla", black=bot("greedy"), request_id="x" * 16)
            client.seat(ME).resign(messages.LEVEL_GAMMON, request_id="one", expected_revision=3)
            next(client.table("t1").watch(3))
        async with AsyncClient(server.target) as other:
            await other.list_plays(variant("tavla", match_length=3), BOARD, (3, 1))
            await other.create_table("tavla", black=bot("greedy"), request_id="x" * 16)
            await other.seat(ME).resign(
                messages.LEVEL_GAMMON, request_id="one", expected_revision=3
            )
            await anext(other.table("t1").watch(3))
    half = len(server.requests) // 2
    assert server.requests[:half] == server.requests[half:]


@pytest.mark.parametrize(
    ("sync", "other"), [(Client, AsyncClient), (Table, AsyncTable), (Seat, AsyncSeat)]
)
def test_both_kinds_have_the_same_methods_with_a_word_on_each(sync: type, other: type) -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(sync) == public(other)
    assert not [name for name in public(sync) if not inspect.getdoc(getattr(sync, name))]


async def test_types_follow_the_kind_of_client() -> None:
    with FakeServer() as server:
        with Client(server.target) as client:
            assert_type(client.get_variant("western"), messages.Variant)
            table = client.create_table("western")
            assert_type(table, Table)
            assert_type(table.join(), Seat)
        async with AsyncClient(server.target) as other:
            assert_type(await other.get_variant("western"), messages.Variant)
            async_table = await other.create_table("western")
            assert_type(async_table, AsyncTable)
            assert_type(await async_table.join(), AsyncSeat)


# -- acting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "action"),
    [
        (lambda seat: seat.throw(3, 1), messages.Action(throw={"dice": [3, 1]})),
        (lambda seat: seat.roll(), messages.Action(roll={})),
        (lambda seat: seat.play("8/5"), messages.Action(play={"play": {"text": "8/5"}})),
        (
            lambda seat: seat.play([(8, 3)]),
            messages.Action(play={"play": {"steps": {"origins": [8], "numbers": [3]}}}),
        ),
        (
            lambda seat: seat.play(Play((Step(8, 3),))),
            messages.Action(play={"play": {"steps": {"origins": [8], "numbers": [3]}}}),
        ),
        (lambda seat: seat.double(), messages.Action(double={})),
        (lambda seat: seat.take(), messages.Action(take={})),
        (lambda seat: seat.drop(), messages.Action(drop={})),
        (lambda seat: seat.animal(), messages.Action(animal={})),
        (
            lambda seat: seat.resign(messages.LEVEL_GAMMON),
            messages.Action(resign={"level": messages.LEVEL_GAMMON}),
        ),
        (lambda seat: seat.answer(True), messages.Action(answer_resignation={"accept": True})),
        (lambda seat: seat.next_game(), messages.Action(next_game={})),
        (lambda seat: seat.resign_match(), messages.Action(resign_match={})),
        (lambda seat: seat.end_session(), messages.Action(end_session={})),
        (lambda seat: seat.flag(), messages.Action(flag={})),
        (lambda seat: seat.correct("8/5"), messages.Action(correct={"play": {"text": "8/5"}})),
        (lambda seat: seat.undo(), messages.Action(undo={})),
        (lambda seat: seat.answer_undo(True), messages.Action(answer_undo={"accept": True})),
        (lambda seat: seat.void(), messages.Action(void={})),
    ],
)
def test_a_seat_acts_with_its_token(act: Callable[[Seat], object], action: messages.Action) -> None:
    with FakeServer() as server, Client(server.target) as client:
        act(client.seat(ME))
    [request] = server.requests
    assert isinstance(request, messages.ActRequest)
    assert (request.table, request.seat, request.action) == ("t1", WHITE, action)
    assert server.headers[0]["authorization"] == "Bearer secret"


def test_two_acts_have_two_request_ids() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.seat(ME).roll()
        client.seat(ME).roll()
    first, second = server.requests
    assert isinstance(first, messages.ActRequest)
    assert isinstance(second, messages.ActRequest)
    assert first.request_id != second.request_id
    assert min(len(first.request_id), len(second.request_id)) >= 16


def test_an_act_that_meets_no_server_is_sent_again_with_the_same_request_id() -> None:
    answers = {"Act": once(unavailable, lambda _, __: messages.ActResponse(last_revision=7))}
    with FakeServer(answers) as server, Client(server.target) as client:
        assert client.seat(ME).roll().last_revision == 7
    first, second = server.requests
    assert first == second


def test_an_act_that_was_cut_off_on_the_way_is_sent_again_with_its_id() -> None:
    def cancelled(_: object, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.CANCELLED, "Received RST_STREAM with error code 8")

    answers = {"Act": once(cancelled, lambda _, __: messages.ActResponse(last_revision=7))}
    with FakeServer(answers) as server, Client(server.target) as client:
        assert client.seat(ME).roll().last_revision == 7
    first, second = server.requests
    assert first == second


async def test_so_it_is_when_awaited() -> None:
    answers = {"Act": once(unavailable, lambda _, __: messages.ActResponse(last_revision=7))}
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            assert (await client.seat(ME).roll()).last_revision == 7
    first, second = server.requests
    assert first == second


def test_what_was_refused_is_not_sent_again() -> None:
    answers = {"Act": lambda _, context: refuse(context, grpc.StatusCode.ABORTED, "STALE_REVISION")}
    with (
        FakeServer(answers) as server,
        Client(server.target) as client,
        pytest.raises(StaleRevision, match="STALE_REVISION"),
    ):
        client.seat(ME).roll(expected_revision=1)
    assert len(server.requests) == 1


def test_a_check_has_no_request_id() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.seat(ME).roll(validate_only=True)
    [request] = server.requests
    assert isinstance(request, messages.ActRequest)
    assert request.validate_only
    assert not request.request_id


def test_a_token_is_not_shown() -> None:
    assert "secret" not in repr(ME)


def test_the_choices_are_those_of_the_seat_that_decides() -> None:
    kinds = [messages.ACTION_KIND_ROLL, messages.ACTION_KIND_DOUBLE]
    state = messages.TableState(decision=messages.Decision(seat=WHITE, kinds=kinds))
    with Client("127.0.0.1:1") as client:
        white, black = client.seat(ME), client.seat(SeatKey("t1", BLACK, ""))
    assert list(white.choices(state)) == kinds
    assert list(black.choices(state)) == []
    state.decision.seat = messages.SEAT_UNSPECIFIED
    assert list(black.choices(state)) == kinds


@pytest.mark.parametrize(
    "kind",
    [kind for kind in messages.ActionKind.values() if kind != messages.ACTION_KIND_UNSPECIFIED],
)
def test_there_is_an_action_of_every_kind_that_a_server_may_list(kind: messages.ActionKind) -> None:
    name = messages.ActionKind.Name(kind).removeprefix("ACTION_KIND_").lower()
    assert actions.of_kind(kind).WhichOneof("kind") == name


# -- sitting down ---------------------------------------------------------------------------------------

COMMITMENT = "c0" * 32


def committed(_: object, __: grpc.ServicerContext) -> messages.GetTableResponse:
    return messages.GetTableResponse(
        table={"dice_mode": messages.DICE_MODE_COMMITTED},
        state={"dice": {"commitment": COMMITMENT}},
    )


def seated(request: messages.JoinTableRequest, _: grpc.ServicerContext) -> Any:
    return messages.JoinTableResponse(seat=WHITE, token="secret", table={"id": request.table})


COMMITTED = {"GetTable": committed, "JoinTable": seated}


def seeds(server: FakeServer) -> list[str]:
    """What was sent for dice, by each who joined."""
    joins = [one for one in server.requests if isinstance(one, messages.JoinTableRequest)]
    return [join.dice_seed for join in joins]


def test_whoever_joins_at_committed_dice_adds_a_seed_at_random() -> None:
    with FakeServer(COMMITTED) as server, Client(server.target) as client:
        client.table("t1").join()
        client.table("t1").join()
    first, second = seeds(server)
    assert first != second
    assert min(len(first), len(second)) > 30


def test_the_commitment_is_noted_before_the_server_hears_of_the_seed() -> None:
    with FakeServer(COMMITTED) as server, Client(server.target) as client:
        key = client.table("t1").join(dice_seed="mine").key
    assert key == SeatKey("t1", WHITE, "secret", dice_seed="mine", commitment=COMMITMENT)
    assert [type(request) for request in server.requests] == [
        messages.GetTableRequest,
        messages.JoinTableRequest,
    ]


def test_at_other_dice_no_seed_is_sent_unless_it_is_given() -> None:
    with FakeServer({"JoinTable": seated}) as server, Client(server.target) as client:
        assert client.table("t1").join().key == ME
        client.table("t1").join(dice_seed="mine")  # which the server will refuse
    assert seeds(server) == ["", "mine"]


def test_joining_again_with_the_same_request_id_sends_the_same() -> None:
    with FakeServer(COMMITTED) as server, Client(server.target) as client:
        for _ in range(2):
            client.table("t1").join(request_id="one that I keep")
    joins = [one for one in server.requests if isinstance(one, messages.JoinTableRequest)]
    assert joins[0] == joins[1]
    assert "one that I keep" not in joins[0].dice_seed


async def test_joining_is_sent_again_where_there_was_no_server() -> None:
    answers = {"GetTable": once(unavailable, committed), "JoinTable": once(unavailable, seated)}
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            await client.table("t1").join()
    first, second = seeds(server)
    assert first == second


# -- what is sent for matches and positions -------------------------------------------------------------


def test_a_table_goes_on_from_a_record_without_other_rules() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.create_table(record="a record")
        client.create_table("tavla", record="a record", options={"match_length": 3})
    plain, named = server.requests
    assert isinstance(plain, messages.CreateTableRequest)
    assert isinstance(named, messages.CreateTableRequest)
    assert plain.start == named.start == messages.Start(record="a record")
    assert not plain.HasField("variant")
    assert named.variant == variant("tavla", match_length=3)


def test_a_start_and_a_record_are_two_starts() -> None:
    with Client("127.0.0.1:1") as client, pytest.raises(ValueError, match="record"):
        client.create_table("western", start=messages.Start(white_score=1), record="a record")


def test_a_position_is_sent_as_text_or_as_it_is() -> None:
    text, board = messages.POSITION_FORMAT_BOARD_TEXT, messages.POSITION_FORMAT_SVG
    with FakeServer() as server, Client(server.target) as client:
        client.convert_position("western", "6:5 / 6:5", board, source_format=text)
        client.convert_position("western", BOARD, situation=messages.Situation(length=3))
    assert server.requests == [
        messages.ConvertPositionRequest(
            variant=variant("western"),
            text="6:5 / 6:5",
            source_format=text,
            target_formats=[board],
        ),
        messages.ConvertPositionRequest(
            variant=variant("western"), position=BOARD, situation=messages.Situation(length=3)
        ),
    ]


def test_a_match_is_sent_as_text_or_as_it_was_replayed() -> None:
    answers = {"FormatMatch": lambda _, __: messages.FormatMatchResponse(text="written")}
    match = messages.ReplayedMatch(white="Ann")
    with FakeServer(answers) as server, Client(server.target) as client:
        assert client.format_match("a text", messages.MATCH_FORMAT_SGF) == "written"
        assert client.format_match(match) == "written"
        assert client.format_match("a text", notation="shouted") == "written"
    assert server.requests == [
        messages.FormatMatchRequest(text="a text", format=messages.MATCH_FORMAT_SGF),
        messages.FormatMatchRequest(match=match),  # our record
        messages.FormatMatchRequest(text="a text", notation="shouted"),
    ]


# -- time -----------------------------------------------------------------------------------------------


def test_where_nobody_listens_it_is_unavailable_after_the_time_given() -> None:
    with Client("127.0.0.1:1", timeout=0.5) as client:
        begin = time.monotonic()
        with pytest.raises(Unavailable):
            client.get_server_info()
    assert time.monotonic() - begin < 2


def slowly(_: object, __: grpc.ServicerContext) -> messages.GetServerInfoResponse:
    time.sleep(1)
    return messages.GetServerInfoResponse()


def test_a_call_ends_at_its_deadline() -> None:
    with FakeServer({"GetServerInfo": slowly}) as server, Client(server.target) as client:
        with pytest.raises(DeadlineExceeded):
            client.within(0.2).get_server_info()
        assert client.get_server_info() == messages.GetServerInfoResponse()


async def test_so_it_does_when_awaited() -> None:
    with FakeServer({"GetServerInfo": slowly}) as server:
        async with AsyncClient(server.target) as client:
            with pytest.raises(DeadlineExceeded):
                await client.within(0.2).get_server_info()


# -- pages ----------------------------------------------------------------------------------------------


def in_pages(request: messages.ListEventsRequest, _: Any) -> messages.ListEventsResponse:
    """Five events, two a page."""
    first = int(request.page_token or "1")
    events = [messages.Event(revision=one) for one in range(first, min(first + 2, 6))]
    return messages.ListEventsResponse(
        events=events, next_page_token=str(first + 2) if first < 5 else ""
    )


def test_a_list_is_read_page_after_page() -> None:
    with FakeServer({"ListEvents": in_pages}) as server, Client(server.target) as client:
        events = client.table("t1").events(page_size=2)
        assert next(events).revision == 1
        assert len(server.requests) == 1
        assert [event.revision for event in events] == [2, 3, 4, 5]
    assert len(server.requests) == 3


async def test_so_it_is_when_awaited_page_after_page() -> None:
    with FakeServer({"ListEvents": in_pages}) as server:
        async with AsyncClient(server.target) as client:
            events = client.table("t1").events(page_size=2)
            assert [event.revision async for event in events] == [1, 2, 3, 4, 5]


async def test_many_calls_share_a_connection() -> None:
    with FakeServer() as server:
        async with AsyncClient(server.target) as client:
            await asyncio.gather(*(client.get_server_info() for _ in range(50)))
    assert len(server.requests) == 50
