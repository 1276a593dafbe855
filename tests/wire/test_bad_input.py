"""What cannot be is refused: by a reason of its own, in words that name value and expectation, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from bgcore_client import (
    BLACK,
    WHITE,
    BgcoreClientError,
    Client,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    NotYourSeat,
    OutOfRange,
    RuleBroken,
    Seat,
    SeatKey,
    StaleRevision,
    Table,
    TooMuch,
    Unauthenticated,
    bot,
    messages,
    position,
    variant,
)
from bgcore_client.errors import error_of
from tests.wire.process import ServerProcess

START = {24: 2, 13: 5, 8: 3, 6: 5}
OPENING = position(START, START)
BILLION = 10**9
CODES = {
    InvalidArgument: grpc.StatusCode.INVALID_ARGUMENT,
    FailedPrecondition: grpc.StatusCode.FAILED_PRECONDITION,
    RuleBroken: grpc.StatusCode.FAILED_PRECONDITION,
    StaleRevision: grpc.StatusCode.ABORTED,
    NotYourSeat: grpc.StatusCode.PERMISSION_DENIED,
    Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    NotFound: grpc.StatusCode.NOT_FOUND,
    TooMuch: grpc.StatusCode.RESOURCE_EXHAUSTED,
    OutOfRange: grpc.StatusCode.OUT_OF_RANGE,
}


@dataclass
class Desk:
    """Two tables with manual dice. At `played` White has thrown 3-1; at `owned` White is to roll, the cube Black's."""

    client: Client
    played: Table
    white: Seat
    black: Seat
    owned: Table
    roller: Seat
    waiter: Seat

    @classmethod
    def of(cls, client: Client) -> Desk:
        played, white, black = sit(client)
        white.throw(3, 1)
        start = messages.Start(position=OPENING, cube=messages.Cube(value=2, owner=BLACK))
        return cls(client, played, white, black, *sit(client, start))

    def state(self) -> list[messages.GetTableResponse]:
        """All that is known of both tables."""
        return [table.get() for table in (self.played, self.owned)]

    def plays(
        self, board: messages.Position, *dice: int, name: str | messages.VariantRef = "western"
    ) -> None:
        self.client.list_plays(name, board, dice or (3, 1))

    def with_token(self, token: str) -> Seat:
        """White's seat with a token that is not its own."""
        return self.client.seat(SeatKey(self.played.id, WHITE, token))

    def create(self, **options: bool | int | str | None) -> None:
        self.client.create_table("western", options=options)


def sit(client: Client, start: messages.Start | None = None) -> tuple[Table, Seat, Seat]:
    table = client.create_table(
        variant("western", match_length=5), dice=messages.DICE_MODE_MANUAL, start=start
    )
    return table, table.join(WHITE), table.join(BLACK)


@pytest.fixture
def desk(client: Client) -> Desk:
    return Desk.of(client)


@dataclass(frozen=True)
class Case:
    """Something that cannot be, the reason, and words that the message must have."""

    what: str
    do: Callable[[Desk], object]
    kind: type[BgcoreClientError]
    reason: str
    words: tuple[str, ...]


def case(
    what: str,
    do: Callable[[Desk], object],
    kind: type[BgcoreClientError],
    reason: str,
    *words: str,
) -> Case:
    return Case(what, do, kind, reason, words)


def pinned(point: int) -> messages.Position:
    side = messages.Side(points=OPENING.white.points, pinned=[point])
    return messages.Position(white=side, black=OPENING.black, on_roll=WHITE)


def half_a_play() -> messages.Action:
    steps = messages.PlaySteps(origins=[8, 6], numbers=[3])
    return messages.Action(play=messages.PlayAction(play=messages.Play(steps=steps)))


# What the project promises to refuse; each kind has its own reason.
PROMISED = [
    case(
        "a board with too many checkers",
        lambda desk: desk.plays(position({**START, 6: 6}, START)),
        *(InvalidArgument, "TOO_MANY_CHECKERS", "16", "expected 15", "white"),
    ),
    case(
        "two colours on a point where the variant forbids it",
        lambda desk: desk.plays(position(START, {24: 2, 13: 5, 8: 3, 1: 5})),
        *(InvalidArgument, "POINT_SHARED", "white's 24", "one side"),
    ),
    case(
        "a point 0",
        lambda desk: desk.white.play([(0, 3)]),
        *(InvalidArgument, "POINT_UNKNOWN", "origins[0] 0", "expected 1 to 24"),
    ),
    case(
        "a point 10^9",
        lambda desk: desk.white.play([(BILLION, 3)]),
        *(InvalidArgument, "POINT_UNKNOWN", f"origins[0] {BILLION}", "expected 1 to 24"),
    ),
    case(
        "a point 10^9 among steps",
        lambda desk: desk.client.list_steps(
            "western", OPENING, (3, 1), [messages.Step(origin=BILLION, number=3)]
        ),
        *(InvalidArgument, "POINT_UNKNOWN", f"origin {BILLION}", "expected 1 to 24"),
    ),
    case(
        "a point 0 on which a checker is pinned",
        lambda desk: desk.plays(pinned(0), name="plakoto"),
        *(InvalidArgument, "POINT_UNKNOWN", "pinned point 0", "expected 1 to 24"),
    ),
    case(
        "a point 26 on which a checker is pinned",
        lambda desk: desk.plays(pinned(26), name="plakoto"),
        *(InvalidArgument, "POINT_UNKNOWN", "pinned point 26", "expected 1 to 24"),
    ),
    case(
        "a point 26 in a text",
        lambda desk: desk.white.play("26/23"),
        *(InvalidArgument, "BAD_PLAY_TEXT", "26", "expected a point from 1 to 24"),
    ),
    case(
        "10^9 checkers on a point",
        lambda desk: desk.plays(position({24: BILLION}, START)),
        *(InvalidArgument, "COUNT_OUT_OF_RANGE", str(BILLION), "expected 0 to 255"),
    ),
    case(
        "a roll of 0",
        lambda desk: desk.roller.roll(0, 1),
        *(InvalidArgument, "BAD_DICE", "dice[0] 0", "expected 1 to 6"),
    ),
    case(
        "a roll of 7",
        lambda desk: desk.roller.roll(1, 7),
        *(InvalidArgument, "BAD_DICE", "dice[1] 7", "expected 1 to 6"),
    ),
    case(
        "a step with a 7",
        lambda desk: desk.white.play([(8, 7)]),
        *(InvalidArgument, "NUMBER_OUT_OF_RANGE", "numbers[0] 7", "expected 1 to 6"),
    ),
    case(
        "a play of another roll",
        lambda desk: desk.white.play("24/18"),
        *(RuleBroken, "NUMBER_NOT_ROLLED", "24/18: 6", "3 1"),
    ),
    case(
        "an act out of turn",
        lambda desk: desk.waiter.roll(3, 1),
        *(RuleBroken, "NOT_YOUR_TURN", "black", "expected white"),
    ),
    case(
        "an act with the other seat's token",
        lambda desk: desk.with_token(desk.black.key.token).play("8/5 6/5"),
        *(NotYourSeat, "NOT_YOUR_SEAT", "white", "expected black"),
    ),
    case(
        "a double when the cube is not yours",
        lambda desk: desk.roller.double(),
        *(RuleBroken, "CUBE_NOT_YOURS", "double", "black's"),
    ),
    case(
        "a double after the roll",
        lambda desk: desk.white.double(),
        *(RuleBroken, "ALREADY_ROLLED", "double"),
    ),
    case(
        "a stale revision",
        lambda desk: desk.white.play("8/5 6/5", expected_revision=2),
        *(StaleRevision, "STALE_REVISION", "2", "expected 3"),
    ),
    case(
        "an unknown variant",
        lambda desk: desk.plays(OPENING, name="chess"),
        *(NotFound, "UNKNOWN_VARIANT", "chess", "western"),
    ),
    case(
        "an unknown option",
        lambda desk: desk.create(colour=3),
        *(InvalidArgument, "UNKNOWN_OPTION", "colour", "match_length"),
    ),
    case(
        "an oversized message",
        lambda desk: desk.white.play("8/5 " * 300_000),
        *(TooMuch, "MESSAGE_TOO_LARGE", "bytes", "expected at most 1048576"),
    ),
]

OTHERS = [
    case(
        "dice of 0",
        lambda desk: desk.plays(OPENING, 0, 1),
        *(InvalidArgument, "BAD_DICE", "0", "expected 1 to 6"),
    ),
    case(
        "a roll of one die",
        lambda desk: desk.plays(OPENING, 3),
        *(InvalidArgument, "DICE_COUNT", "of 1", "expected 2"),
    ),
    case(
        "three dice where two are due",
        lambda desk: desk.roller.roll(3, 1, 2),
        *(InvalidArgument, "DICE_COUNT", "of 3", "expected 2"),
    ),
    case(
        "a play from where nobody starts",
        lambda desk: desk.white.play("0/off"),
        *(InvalidArgument, "BAD_PLAY_TEXT", "0", "expected a point from 1 to 24, bar or in"),
    ),
    case(
        "no dice where they are manual",
        lambda desk: desk.roller.roll(),
        *(FailedPrecondition, "DICE_MISSING", "of 0", "expected 2"),
    ),
    case(
        "a play that uses too few numbers",
        lambda desk: desk.white.play("8/5"),
        *(RuleBroken, "MUST_USE_MORE_NUMBERS", "8/5", "2"),
    ),
    case(
        "a play without a step where others are legal",
        lambda desk: desk.white.play(""),
        *(RuleBroken, "MUST_USE_MORE_NUMBERS", "no play", "2"),
    ),
    case(
        "a step onto a closed point",
        lambda desk: desk.white.play("8/5 13/12"),
        *(RuleBroken, "POINT_CLOSED", "13/12"),
    ),
    case(
        "a roll when a play is due",
        lambda desk: desk.white.roll(3, 1),
        *(RuleBroken, "NOT_NOW", "roll", "expected play"),
    ),
    case(
        "half a play in columns",
        lambda desk: desk.white.act(half_a_play()),
        *(InvalidArgument, "COLUMNS_DIFFER", "2 origins and 1 numbers", "as many"),
    ),
    case(
        "a text that is too long",
        lambda desk: desk.white.play("8/5 " * 100),
        *(InvalidArgument, "TEXT_TOO_LONG", "400", "at most 256"),
    ),
    case(
        "no action",
        lambda desk: desk.white.act(messages.Action()),
        *(InvalidArgument, "ACTION_MISSING", "expected one of throw"),
    ),
    case(
        "a resignation without a level",
        lambda desk: desk.white.resign(),
        *(InvalidArgument, "LEVEL_MISSING", "0", "single"),
    ),
    case(
        "an act without a token",
        lambda desk: desk.with_token("").play("8/5 6/5"),
        *(Unauthenticated, "TOKEN_MISSING", "expected Bearer"),
    ),
    case(
        "an act with somebody's token of another table",
        lambda desk: desk.with_token(desk.roller.key.token).play("8/5 6/5"),
        *(NotYourSeat, "TOKEN_UNKNOWN", "expected the token of a seat"),
    ),
    case(
        "a revision that has not been reached",
        lambda desk: next(desk.played.watch(99)),
        *(OutOfRange, "REVISION_NOT_REACHED", "99", "at most 3"),
    ),
    case(
        "a table that does not exist",
        lambda desk: desk.client.table("nowhere").get(),
        *(NotFound, "UNKNOWN_TABLE", "nowhere"),
    ),
    case(
        "a seat that is taken",
        lambda desk: desk.played.join(WHITE),
        *(FailedPrecondition, "SEAT_TAKEN", "white", "expected a free seat"),
    ),
    case(
        "a full table",
        lambda desk: desk.played.join(),
        *(FailedPrecondition, "TABLE_FULL", "expected a free seat"),
    ),
    case(
        "a bot that nobody brought",
        lambda desk: desk.client.create_table("western", black=bot("nobody")),
        *(NotFound, "UNKNOWN_BOT", "nobody", "greedy"),
    ),
    case(
        "an unknown preset",
        lambda desk: desk.plays(OPENING, name=variant("western", "nope")),
        *(NotFound, "UNKNOWN_PRESET", "nope", "money"),
    ),
    case(
        "an option out of range",
        lambda desk: desk.create(match_length=0),
        *(InvalidArgument, "OPTION_OUT_OF_RANGE", "match_length 0", "expected a number from 1"),
    ),
    case(
        "house rules of a variant that nobody knows",
        lambda desk: desk.plays(
            OPENING, name=messages.VariantRef(spec=messages.VariantSpec(base="chess"))
        ),
        *(InvalidArgument, "SPEC_UNKNOWN_PARENT", "chess", "expected one of western"),
    ),
    case(
        "a seed for dice that are not committed",
        lambda desk: desk.client.create_table("western").join(dice_seed="ann's own"),
        *(InvalidArgument, "DICE_SEED_UNUSED", "of 9 characters", "not committed"),
    ),
    case(
        "a seed that is too long",
        lambda desk: desk.client.create_table("western", dice=messages.DICE_MODE_COMMITTED).join(
            dice_seed="x" * 65
        ),
        *(InvalidArgument, "BAD_DICE_PROOF", "1 to 64 printable characters"),
    ),
    case(
        "a page that is too large",
        lambda desk: desk.client.list_tables(page_size=501),
        *(InvalidArgument, "PAGE_SIZE_OUT_OF_RANGE", "501", "0 to 500"),
    ),
    case(
        "a page token of one's own",
        lambda desk: desk.played.list_events(page_token="mine"),
        *(InvalidArgument, "PAGE_TOKEN_INVALID", "mine", "next_page_token"),
    ),
]


@pytest.mark.parametrize("case", [*PROMISED, *OTHERS], ids=lambda case: case.what)
def test_it_is_refused_in_words_of_its_own_and_nothing_changes(
    server: ServerProcess, desk: Desk, case: Case
) -> None:
    before = desk.state()
    with pytest.raises(BgcoreClientError) as raised:
        case.do(desk)
    error = raised.value
    assert (type(error), error.reason) == (case.kind, case.reason), str(error)
    assert error.code is CODES[case.kind]
    words = (*case.words, error.value, error.expected, "expected")
    assert [word for word in words if word not in error.message] == [], error.message
    assert error.field
    assert error.expected
    assert desk.state() == before
    assert desk.white.play("8/5 6/5").last_revision == before[0].table.revision + 1
    assert server.alive


def test_a_second_act_with_the_same_request_id_is_answered_like_the_first(desk: Desk) -> None:
    first = desk.white.play("8/5 6/5", request_id="once")
    desk.black.roll(6, 5)
    before = desk.state()
    assert desk.white.play("8/5 6/5", request_id="once") == first
    assert desk.state() == before


def test_another_act_with_the_same_request_id_is_refused(desk: Desk) -> None:
    desk.white.play("8/5 6/5", request_id="once")
    before = desk.state()
    with pytest.raises(InvalidArgument, match=r"REQUEST_ID_REUSED.*once.*no other request"):
        desk.white.play("24/21 24/23", request_id="once")
    assert desk.state() == before


def test_the_other_seat_may_use_the_same_request_id(desk: Desk) -> None:
    desk.white.play("8/5 6/5", request_id="once")
    assert desk.black.roll(6, 5, request_id="once").last_revision == 5


def test_an_act_that_was_refused_does_not_use_up_its_request_id(desk: Desk) -> None:
    with pytest.raises(RuleBroken):
        desk.white.play("8/5", request_id="once")
    assert desk.white.play("8/5 6/5", request_id="once").last_revision == 4


def test_a_check_changes_nothing(desk: Desk) -> None:
    before = desk.state()
    answer = desk.white.play("8/5 6/5", validate_only=True)
    assert (answer.first_revision, answer.last_revision, len(answer.events)) == (0, 0, 0)
    with pytest.raises(RuleBroken, match="NUMBER_NOT_ROLLED"):
        desk.white.play("24/18", validate_only=True)
    assert desk.state() == before


def test_a_position_with_many_faults_is_told_all_of_them(client: Client) -> None:
    board = position({**START, 6: 6}, {24: 2, 13: 5, 8: 3, 1: 5})
    answer = client.check_position("western", board)
    assert not answer.legal
    assert [fault.reason for fault in answer.faults] == ["TOO_MANY_CHECKERS", "POINT_SHARED"]
    assert all(fault.message for fault in answer.faults)
    with pytest.raises(InvalidArgument) as raised:
        client.list_plays("western", board, (3, 1))
    assert len(raised.value.violations) == 2


def test_options_with_many_faults_are_told_all_of_them(desk: Desk) -> None:
    with pytest.raises(InvalidArgument) as raised:
        desk.create(colour=1, match_length=0, cube_cap="high")
    assert len(raised.value.violations) == 3


def test_a_play_that_is_asked_about_is_no_error(client: Client) -> None:
    answer = client.check_play("western", OPENING, (3, 1), "8/5 13/12")
    assert (answer.legal, answer.reason, answer.failing_step) == (False, "POINT_CLOSED", 1)
    assert client.check_play("western", OPENING, (3, 1), "8/5 6/5").legal


def outcome(rpc: Any, data: bytes) -> grpc.RpcError:
    """How a call of bare bytes fails."""
    with pytest.raises(grpc.RpcError) as raised:
        rpc(data, timeout=10)
    return raised.value


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("/bgcore.v1.TableService/Act", b"\xff\xff\xff", "UNREADABLE_MESSAGE"),
        ("/bgcore.v1.TableService/Burn", b"", "UNKNOWN_RPC"),
        ("/some.other.Service/Act", b"", "UNKNOWN_RPC"),
    ],
)
def test_bytes_that_mean_nothing_are_refused_with_a_reason_too(
    server: ServerProcess, path: str, data: bytes, reason: str
) -> None:
    with grpc.insecure_channel(server.grpc) as channel:
        failed = outcome(channel.unary_unary(path), data)
    assert error_of(failed).reason == reason
    assert server.alive


def test_a_message_beyond_all_measure_is_refused_and_the_server_lives(
    server: ServerProcess, desk: Desk
) -> None:
    before = desk.state()
    with pytest.raises(TooMuch):
        desk.white.play("8/5 " * 5_000_000)
    assert desk.state() == before
    assert server.alive
