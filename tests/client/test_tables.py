"""What a table's maker, its players and its host do beside the game: secrets, accounts, rematches, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from bgcore_client import (
    WHITE,
    AsyncClient,
    Client,
    NotFound,
    NotYourSeat,
    SeatKey,
    TableKey,
    Unavailable,
    messages,
    player,
    variant,
)
from tests.client.fake import Answer, FakeServer, once, refuse, snapshot, unavailable

ME = SeatKey("t1", WHITE, "secret")
PRIVATE = TableKey("t1", "h", host="h", invitation="i", spectator="s")


def created(_: object, __: grpc.ServicerContext) -> messages.CreateTableResponse:
    return messages.CreateTableResponse(
        table={"id": "t1"}, host_token="h", invitation_token="i", spectator_token="s"
    )


def tokens(server: FakeServer) -> list[str]:
    """What each call has shown."""
    shown = (headers.get("authorization", "") for headers in server.headers)
    return [str(one).removeprefix("Bearer ") for one in shown]


# -- secrets ----------------------------------------------------------------------------------------------


def test_a_new_table_keeps_its_secrets_and_hides_them() -> None:
    with FakeServer({"CreateTable": created}) as server, Client(server.target) as client:
        table = client.create_table("tavla", visibility="private")
    assert table.key == PRIVATE
    assert table.id == "t1"
    assert repr(table.key) == "TableKey(table='t1')"


LOOKS: list[Callable[[Any], object]] = [
    lambda table: table.get(),
    lambda table: table.join(),
    lambda table: table.list_events(),
    lambda table: list(table.events()),
    lambda table: table.export(),
    lambda table: table.verify_dice(),
    lambda table: next(table.watch()),
    lambda table: table.kick("black"),
    lambda table: table.close("enough"),
]


@pytest.mark.parametrize("look", LOOKS)
def test_whatever_is_asked_of_a_table_shows_its_token(look: Callable[[Any], object]) -> None:
    answers = {"WatchTable": lambda _, __: iter([snapshot(1)])}
    with FakeServer(answers) as server, Client(server.target) as client:
        look(client.table(PRIVATE))
        look(client.table("t1", "i"))
        look(client.table("t1"))
    each = len(server.headers) // 3
    assert tokens(server) == ["h"] * each + ["i"] * each + [""] * each


async def test_so_it_does_when_awaited() -> None:
    answers = {"WatchTable": lambda _, __: iter([snapshot(1)])}
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            table = client.table(PRIVATE)
            await table.join()
            async for _ in table.watch():
                break
    assert tokens(server) == ["h"] * 3


def test_who_sits_there_looks_with_the_token_of_the_seat() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.seat(ME).table.get()
    assert tokens(server) == ["secret"]


# -- accounts ---------------------------------------------------------------------------------------------


def test_an_account_is_shown_where_no_other_token_is() -> None:
    with (
        FakeServer({"CreateTable": created}) as server,
        Client(server.target, account="a.b.c") as client,
    ):
        table = client.create_table("tavla", white=player("Ann", account="user-7"))
        table.get()
        client.seat(SeatKey("t1", WHITE)).roll()
        client.seat(ME).roll()
        client.table("t1", "i").get()
        client.with_account("").table("t1").get()
    assert tokens(server) == ["a.b.c", "a.b.c", "a.b.c", "secret", "i", ""]
    assert table.key == TableKey("t1", "", host="h", invitation="i", spectator="s")
    made = server.requests[0]
    assert isinstance(made, messages.CreateTableRequest)
    assert made.white.player == messages.Player(name="Ann", account="user-7")


def test_a_function_gives_the_accounts_token_anew_for_each_attempt() -> None:
    given = iter(["first", "second", "third"])
    answers = {"GetTable": once(unavailable, lambda _, __: messages.GetTableResponse())}
    with FakeServer(answers) as server, Client(server.target) as client:
        mine = client.with_account(lambda: next(given))
        mine.table("t1").get()
        mine.table("t1").get()
    assert tokens(server) == ["first", "second", "third"]


# -- leaving ----------------------------------------------------------------------------------------------


def test_who_leaves_frees_his_seat_with_its_token() -> None:
    with FakeServer() as server, Client(server.target) as client:
        assert client.seat(ME).leave() is None
    assert server.requests == [messages.LeaveTableRequest(table="t1", seat=WHITE)]
    assert tokens(server) == ["secret"]


def gone(code: grpc.StatusCode) -> Answer:
    return lambda _, context: refuse(context, code, "TOKEN_UNKNOWN")


LOST = [grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND]


@pytest.mark.parametrize("code", LOST)
def test_a_token_that_is_not_known_after_a_lost_answer_says_that_the_seat_is_free(
    code: grpc.StatusCode,
) -> None:
    answers = {"LeaveTable": once(unavailable, gone(code))}
    with FakeServer(answers) as server, Client(server.target) as client:
        client.seat(ME).leave()
    assert len(server.requests) == 2


async def test_so_it_says_when_awaited() -> None:
    answers = {"LeaveTable": once(unavailable, gone(grpc.StatusCode.PERMISSION_DENIED))}
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            await client.seat(ME).leave()
    assert len(server.requests) == 2


@pytest.mark.parametrize(("code", "error"), [(LOST[0], NotYourSeat), (LOST[1], NotFound)])
def test_without_a_lost_answer_it_is_refused(code: grpc.StatusCode, error: type[Exception]) -> None:
    answers = {"LeaveTable": gone(code)}
    with FakeServer(answers) as server, Client(server.target) as client, pytest.raises(error):
        client.seat(ME).leave()


@pytest.mark.parametrize(
    "leave",
    [
        lambda client: client.table(PRIVATE).kick("black"),
        lambda client: client.seat(SeatKey("t1", WHITE, "a.b.c")).leave(),
        lambda client: client.with_account("a.b.c").seat(SeatKey("t1", WHITE)).leave(),
    ],
)
def test_what_might_send_somebody_else_away_is_not_repeated(leave: Callable[[Any], object]) -> None:
    with (
        FakeServer({"LeaveTable": unavailable}) as server,
        Client(server.target) as client,
        pytest.raises(Unavailable),
    ):
        leave(client)
    assert len(server.requests) == 1


def test_closing_is_repeated_as_it_changes_nothing_more() -> None:
    answers = {"CloseTable": once(unavailable, lambda _, __: messages.CloseTableResponse())}
    with FakeServer(answers) as server, Client(server.target) as client:
        client.table(PRIVATE).close("enough")
    assert server.requests == [messages.CloseTableRequest(table="t1", note="enough")] * 2


# -- another match ----------------------------------------------------------------------------------------


def over(_: object, __: grpc.ServicerContext) -> messages.GetTableResponse:
    """A table with committed dice whose second match is over."""
    return messages.GetTableResponse(
        table={"dice_mode": messages.DICE_MODE_COMMITTED},
        state={"revision": 9, "match_number": 2, "next_commitment": "c3"},
    )


def asked(first: int, match: int, begun: int = 0) -> Answer:
    """The answer to who asks for another match; it has begun if the other had asked before."""
    events = [messages.Event(revision=first, action={"rematch": {}})]
    if begun:
        events.append(messages.Event(revision=first + 1, match_started={"match_number": begun}))
    state = messages.TableState(match_number=begun or match)
    return lambda _, __: messages.ActResponse(first_revision=first, events=events, state=state)


@pytest.mark.parametrize("begun", [0, 3])
def test_another_match_has_a_key_of_its_own(begun: int) -> None:
    answers = {"GetTable": over, "Act": asked(10, 2, begun)}
    with FakeServer(answers) as server, Client(server.target) as client:
        rematch = client.seat(ME).rematch("tavla", options={"match_length": 3})
    key = rematch.seat.key
    _, sent = server.requests
    assert isinstance(sent, messages.ActRequest)
    assert sent.action.rematch.variant == variant("tavla", match_length=3)
    assert sent.action.rematch.dice_seed == key.dice_seed
    assert len(key.dice_seed) > 30
    assert (key.commitment, key.match_number, key.token) == ("c3", 3, "secret")
    assert rematch.answer.first_revision == 10
    assert tokens(server) == ["secret", "secret"]


def test_at_other_dice_no_seed_is_sent() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.seat(ME).rematch()
    _, sent = server.requests
    assert isinstance(sent, messages.ActRequest)
    assert sent.action == messages.Action(rematch={})


def test_whoever_repeats_what_was_done_notes_no_commitment_of_afterwards() -> None:
    answers = {"GetTable": over, "Act": asked(8, 1)}
    with FakeServer(answers) as server, Client(server.target) as client:
        key = client.seat(ME).rematch(request_id="one that I keep").seat.key
    assert (key.commitment, key.match_number) == ("", 2)


async def test_a_rematch_is_asked_for_again_where_there_was_no_server() -> None:
    answers = {"GetTable": once(unavailable, over), "Act": once(unavailable, asked(10, 2))}
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            rematch = await client.seat(ME).rematch()
    assert rematch.seat.key.commitment == "c3"
    first, second = server.requests[2:]
    assert first == second


def test_a_check_of_a_rematch_leaves_the_key() -> None:
    with FakeServer({"GetTable": over}) as server, Client(server.target) as client:
        assert client.seat(ME).rematch(validate_only=True).seat.key == ME
    sent = server.requests[-1]
    assert isinstance(sent, messages.ActRequest)
    assert (sent.validate_only, sent.request_id) == (True, "")


def test_a_match_is_exported_and_verified_by_its_number() -> None:
    with FakeServer() as server, Client(server.target) as client:
        client.table("t1").export("sgf", 2)
        client.table("t1").verify_dice(2)
    assert server.requests == [
        messages.ExportMatchRequest(table="t1", format=messages.MATCH_FORMAT_SGF, match_number=2),
        messages.VerifyDiceRequest(table="t1", match_number=2),
    ]


def test_a_seat_tells_what_it_may_do_beside_the_decision() -> None:
    undo, void = messages.ACTION_KIND_UNDO, messages.ACTION_KIND_VOID
    state = messages.TableState(white_may=[undo, void], black_may=[void])
    with Client("127.0.0.1:1") as client:
        assert list(client.seat(ME).may(state)) == [undo, void]
        black = SeatKey("t1", messages.SEAT_BLACK, "")
        assert list(client.seat(black).may(state)) == [void]
