"""BatchListPlays: what ListPlays says of each position, for many at once, whatever is sent."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import grpc
import pytest
from google.protobuf.descriptor import Descriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bgcore
from bgcore import Play, Plays, Position, Roll, Rules, kernel
from bgcore.registry import Plugin
from bgcore.turn import Numbers, Turn
from bgcore_client import AsyncClient
from bgcore_proto.v1 import common_pb2 as common
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.commands.variants import NoCall
from bgcore_server.convert import batch
from bgcore_server.convert.board import position_message
from bgcore_server.convert.options import Shelf
from bgcore_server.errors import Code, refusal
from bgcore_server.services.rules import RulesService
from bgcore_server.workers import Queue, Waiter
from bgcore_variants.western import WESTERN
from tests.kernel.conftest import kernel as kernel_fixture
from tests.server.fields import is_path
from tests.server.helpers import ANYWHERE, Client, Running, ref, refusal_of, running
from tests.server.test_tables import channel
from tests.server.test_web import call

T = TypeVar("T")
REGISTRY = bgcore.load()
VARIANTS = ["western", "tavla", "plakoto", "gul-bara"]
REQUEST = cast(Descriptor, pb.BatchListPlaysRequest.DESCRIPTOR)
START = REGISTRY.rules("western").start.packed
NOWHERE = NoCall()
both_kernels = kernel_fixture


@pytest.fixture
def each_kernel(both_kernels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks the kernel asks the plain one, then the compiled one."""
    for name in ("batch", "fault", "plays", "results"):
        monkeypatch.setattr(kernel, name, getattr(both_kernels, name))
    monkeypatch.setattr(kernel, "COMPILED", "_movement" in both_kernels.__name__)


def some_positions(rules: Rules, count: int, seed: int) -> bytes:
    """Positions of random games, ended ones left out."""
    found = b""
    while len(found) < 64 * count:
        found += kernel.sample(rules.start.packed, rules.record, 20, seed + len(found), 7)
    return found[: 64 * count]


def some_dice(count: int, seed: int) -> bytes:
    chance = random.Random(seed)
    return bytes(chance.randint(1, 6) for _ in range(count))


def asking(positions: bytes, dice: bytes, **more: Any) -> pb.BatchListPlaysRequest:
    return pb.BatchListPlaysRequest(
        variant=more.pop("variant", ref()), positions=positions, dice=dice, **more
    )


def answers(found: pb.BatchListPlaysResponse) -> Iterator[tuple[bytes, int, bytes]]:
    """The plays, numbers used and boards of each position."""
    for start, end, used in zip(found.offsets, found.offsets[1:], found.numbers_used, strict=False):
        yield found.plays[4 * start : 4 * end], used, found.boards[64 * start : 64 * end]


def listed(plays: common.PlayList) -> tuple[bytes, int, bytes]:
    """The same of an answer to ListPlays."""
    codes, at = b"", 0
    for length in plays.lengths:
        steps = zip(plays.origins[at : at + length], plays.numbers[at : at + length], strict=True)
        codes += bytes(origin << 3 | number for origin, number in steps).ljust(4, b"\0")
        at += length
    if not any(plays.lengths):
        return b"", 0, b""
    return codes, plays.numbers_used, plays.boards


# -- what it answers --------------------------------------------------------------------------------


@pytest.mark.usefixtures("each_kernel")
@pytest.mark.parametrize("variant", VARIANTS)
async def test_a_batch_says_of_each_position_what_list_plays_says(
    client: Client, variant: str
) -> None:
    rules = REGISTRY.rules(variant)
    positions, dice = some_positions(rules, 120, 3), some_dice(240, 4)
    found = await client.BatchListPlays(asking(positions, dice, variant=ref(variant), boards=True))
    assert len(found.offsets) == 121
    for index, answer in enumerate(answers(found)):
        position = Position(positions[64 * index : 64 * (index + 1)])
        request = pb.ListPlaysRequest(
            variant=ref(variant),
            position=position_message(position, bgcore.Seat.WHITE, bgcore.Seat.WHITE),
            dice=dice[2 * index : 2 * index + 2],
            view=common.PLAY_VIEW_FULL,
        )
        assert answer == listed((await client.ListPlays(request)).plays)


@pytest.mark.usefixtures("each_kernel")
@pytest.mark.parametrize("variant", VARIANTS)
async def test_portions_fit_together(client: Client, variant: str) -> None:
    rules = REGISTRY.rules(variant)
    many = 2 * batch.LITTLE + 3
    positions, dice = some_positions(rules, many, 5), some_dice(2 * many, 6)
    found = await client.BatchListPlays(asking(positions, dice, variant=ref(variant)))
    assert not found.boards
    assert len(found.numbers_used) == many
    for index, (plays, used, _) in enumerate(answers(found)):
        roll = bgcore.Roll.of(*dice[2 * index : 2 * index + 2])
        expected = rules.plays(Position(positions[64 * index : 64 * (index + 1)]), roll)
        assert (plays, used) == (expected.answer[4:], expected.numbers_used)


async def test_a_client_reads_what_it_was_answered(server: Running) -> None:
    async with AsyncClient(str(server.grpc)) as client:
        start = "24:2 13:5 8:3 6:5"
        found = await client.batch_list_plays(
            "western", [f"{start} / {start}", START], [(3, 1), (6, 6)], boards=True
        )
    rules = REGISTRY.rules("western")
    for plays, dice in zip(found, [(3, 1), (6, 6)], strict=True):
        expected = rules.plays(Position(START), bgcore.Roll.of(*dice))
        assert [str(play) for play in plays] == [str(play) for play in expected]
        assert [play.board for play in plays] == [play.after.packed for play in expected]


async def test_a_batch_may_be_asked_for_in_json() -> None:
    async with running(http=ANYWHERE) as server:
        request = {
            "variant": {"id": "western"},
            "positions": base64.b64encode(START).decode(),
            "dice": base64.b64encode(bytes([3, 1])).decode(),
        }
        path = "/bgcore.v1.RulesService/BatchListPlays"
        found = await call(server, path, json.dumps(request).encode())
    assert found.json["offsets"] == [0, 16]
    assert len(base64.b64decode(found.json["plays"])) == 64


async def test_nothing_playable_is_no_play(client: Client) -> None:
    rules = REGISTRY.rules("western")
    closed = "bar:1 6:14 / " + " ".join(f"{point}:2" for point in range(1, 7)) + " off:3"
    position = rules.position(bgcore.notation.board_text.read_board(closed)).packed
    found = await client.BatchListPlays(asking(position * 2, bytes([3, 1, 6, 6]), boards=True))
    assert list(found.offsets) == [0, 0, 0]
    assert found.numbers_used == bytes(2)
    assert (found.plays, found.boards) == (b"", b"")


async def test_no_positions_are_no_error(client: Client) -> None:
    found = await client.BatchListPlays(asking(b"", b""))
    assert (list(found.offsets), found.plays, found.numbers_used) == ([0], b"", b"")


class LastOnly(Rules):
    """A variant with a rule over whole plays: of all of them only the last is left."""

    def keep(self, start: Position, plays: Plays) -> Plays:
        last: list[Play] = list(plays)[-1:]
        return plays.only(lambda play: play in last)


async def test_rules_over_whole_plays_are_kept() -> None:
    registry = bgcore.load().using(bgcore.load().plugins[0])
    registry._entries["last-only"] = replace(
        registry.entry("western"), variant=replace(WESTERN, id="last-only"), rules=LastOnly
    )
    registry._names["last-only"] = "last-only"
    many = batch.LITTLE + 3
    positions = some_positions(REGISTRY.rules("western"), many, 7)
    dice = some_dice(2 * many, 8)
    async with running(registry=registry) as server, channel(server.grpc) as client:
        every = await client.BatchListPlays(asking(positions, dice))
        request = asking(positions, dice, variant=ref("last-only"), boards=True)
        last = await client.BatchListPlays(request)
    assert [(plays[-4:], used) for plays, used, _ in answers(every)] == [
        (plays, used) for plays, used, _ in answers(last)
    ]
    assert len(last.boards) == 16 * len(last.plays)


class NoHitAtHome(Rules):
    """A variant that closes points: nobody is hit in the mover's home."""

    def closed(self, position: Position, numbers: Numbers, turn: Turn) -> set[int]:
        blots = {25 - point for point, count in position.opponent.points.items() if count == 1}
        return {point for point in blots if point <= 6}


async def test_points_that_a_rule_closes_are_closed_in_lists_and_batches() -> None:
    registry = bgcore.load().using(Plugin("no-hit"))
    registry.add(replace(WESTERN, id="no-hit", aliases=(), bundles={}), NoHitAtHome)
    rules = registry.rules("no-hit")
    positions, dice = some_positions(REGISTRY.rules("western"), 60, 7), some_dice(120, 8)
    async with running(registry=registry) as server, channel(server.grpc) as client:
        found = await client.BatchListPlays(asking(positions, dice, variant=ref("no-hit")))
        other = await client.BatchListPlays(asking(positions, dice))
    assert found.plays != other.plays
    for at, (plays, used, _) in enumerate(answers(found)):
        here = Position(positions[64 * at : 64 * at + 64])
        listed = rules.plays(here, Roll.of(*dice[2 * at : 2 * at + 2]))
        assert (plays, used) == (listed.codes if listed.numbers_used else b"", listed.numbers_used)
        assert not any(step.hit and step.target <= 6 for play in listed for step in play.steps)


# -- what it refuses --------------------------------------------------------------------------------


async def test_illegal_positions_are_named(client: Client) -> None:
    wrong = bytes([1]) + START[1:]
    positions = START * 17 + wrong + START + bytes(64)
    found = await refusal_of(client.BatchListPlays(asking(positions, some_dice(40, 1))))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (found.field, found.reason) == ("positions[17]", "TOO_MANY_CHECKERS")
    assert [one.field for one in found.violations] == ["positions[17]", "positions[19]"]


async def test_of_many_illegal_positions_twelve_are_named(client: Client) -> None:
    found = await refusal_of(client.BatchListPlays(asking(bytes(64 * 4096), some_dice(8192, 1))))
    assert [one.field for one in found.violations] == [f"positions[{n}]" for n in range(12)]


async def test_bytes_that_only_the_kernel_minds_are_named_too(client: Client) -> None:
    spare = bytearray(START)
    spare[27] = 1
    found = await refusal_of(client.BatchListPlays(asking(bytes(spare), bytes([3, 1]))))
    assert (found.field, found.reason) == ("positions[0]", "ILLEGAL_POSITION")
    assert found.value == "bytes that must be 0 are not"


async def test_dice_are_one_to_six(client: Client) -> None:
    found = await refusal_of(client.BatchListPlays(asking(START * 2, bytes([3, 1, 0, 7]))))
    assert found.reason == "BAD_DICE"
    assert [one.field for one in found.violations] == ["dice[2]", "dice[3]"]


@pytest.mark.parametrize(
    ("positions", "dice", "reason"),
    [
        (START[:-1], bytes([3, 1]), "POSITIONS_SIZE"),
        (START, bytes([3]), "DICE_COUNT"),
        (START, bytes([3, 1, 2]), "DICE_COUNT"),
        (b"", bytes([3, 1]), "DICE_COUNT"),
        (START * 4097, some_dice(8194, 1), "TOO_MANY_POSITIONS"),
    ],
)
async def test_counts_must_fit(client: Client, positions: bytes, dice: bytes, reason: str) -> None:
    found = await refusal_of(client.BatchListPlays(asking(positions, dice)))
    assert found.reason == reason
    exhausted = reason == "TOO_MANY_POSITIONS"
    code = grpc.StatusCode.RESOURCE_EXHAUSTED if exhausted else grpc.StatusCode.INVALID_ARGUMENT
    assert found.code is code
    assert is_path(REQUEST, found.field)


async def test_an_answer_has_at_most_three_mebibytes(client: Client) -> None:
    """The opening has 16 plays of 3-1, so 2,891 of them are the most with boards: 46,256 plays."""
    full = asking(START * 2891, bytes([3, 1]) * 2891, boards=True)
    found = await client.BatchListPlays(full)
    assert len(found.plays) + len(found.boards) == 2891 * 16 * 68
    more = asking(START * 2892, bytes([3, 1]) * 2892, boards=True)
    refused = await refusal_of(client.BatchListPlays(more))
    assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.reason == "ANSWER_TOO_LARGE"
    more.boards = False
    assert len((await client.BatchListPlays(more)).plays) == 2892 * 16 * 4


async def test_where_there_are_very_many_plays_there_is_room(client: Client) -> None:
    """Fifteen blots in the open and a double: hundreds of plays, more than are usual."""
    spread = "24:1 23:1 22:1 21:1 20:1 19:1 18:1 17:1 16:1 15:1 14:1 13:1 12:1 11:1 10:1 / off:15"
    rules = REGISTRY.rules("western")
    with_one = spread.replace("off:15", "24:1 off:14")
    position = rules.position(bgcore.notation.board_text.read_board(with_one))
    expected = len(rules.plays(position, bgcore.Roll.of(1, 1)))
    assert expected > batch.USUAL_PLAYS
    found = await client.BatchListPlays(asking(position.packed * 9, bytes([1]) * 18))
    assert list(found.offsets) == [expected * n for n in range(10)]
    many = batch.MOST_BYTES // 4 // expected + 1
    request = asking(position.packed * many, bytes([1]) * 2 * many)
    assert (await refusal_of(client.BatchListPlays(request))).reason == "ANSWER_TOO_LARGE"


# -- whatever is sent -------------------------------------------------------------------------------


async def test_other_callers_are_served_while_a_batch_runs(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, really = threading.Event(), threading.Event(), batch.answer

    def waiting(asked: batch.Questions, found: batch.Answers) -> None:
        begun.set()
        assert go_on.wait(30)
        really(asked, found)

    monkeypatch.setattr(batch, "answer", waiting)
    running_batch = asyncio.ensure_future(client.BatchListPlays(asking(START, bytes([3, 1]))))
    try:
        assert await asyncio.to_thread(begun.wait, 30)
        request = pb.ListPlaysRequest(
            variant=ref(),
            position=position_message(Position(START), bgcore.Seat.WHITE, bgcore.Seat.WHITE),
            dice=[3, 1],
        )
        assert len((await client.ListPlays(request)).plays.lengths) == 16
        assert not running_batch.done()
    finally:
        go_on.set()
    assert list((await running_batch).offsets) == [0, 16]


class AtOnce(Queue):
    """A queue whose jobs are done while one waits."""

    async def run(self, work: Callable[[Waiter], T], peer: str = "") -> T:
        return work(Waiter())


SERVICE = RulesService(REGISTRY, Shelf(REGISTRY), AtOnce("files"), AtOnce("batches"))


@st.composite
def nearly_positions(draw: st.DrawFn, variant: str) -> bytes:
    """A few positions of random games, some bytes of which may be others."""
    found = bytearray(some_positions(REGISTRY.rules(variant), 3, draw(st.integers(0, 20))))
    for at, byte in draw(
        st.lists(st.tuples(st.integers(0, len(found) - 1), st.integers(0, 255)), max_size=2)
    ):
        found[at] = byte
    return bytes(found)


def whatever() -> st.SearchStrategy[tuple[str, bytes, bytes, bool]]:
    def of_variant(variant: str) -> st.SearchStrategy[tuple[str, bytes, bytes, bool]]:
        anything = st.binary(max_size=200) | st.binary(min_size=192, max_size=192)
        dice = st.binary(max_size=8) | st.lists(st.integers(1, 6), min_size=6, max_size=6).map(
            bytes
        )
        positions = anything | nearly_positions(variant)
        return st.tuples(st.just(variant), positions, dice, st.booleans())

    return st.sampled_from(VARIANTS).flatmap(of_variant)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(asked=whatever())
def test_any_bytes_are_answered_or_refused_with_what_is_wrong(
    asked: tuple[str, bytes, bytes, bool],
) -> None:
    variant, positions, dice, boards = asked
    request = asking(positions, dice, variant=ref(variant), boards=boards)
    try:
        raw = asyncio.run(SERVICE.BatchListPlays(request, NOWHERE))
    except bgcore.BgcoreError as error:
        found = refusal(error, request)
        assert found.code is Code.INVALID_ARGUMENT
        fields = [fault.field for fault in error.faults]
        assert 1 <= len(fields) <= 12
        assert all(is_path(REQUEST, field) for field in fields)
        assert len(set(fields)) == len(fields)
        return
    answer = pb.BatchListPlaysResponse.FromString(raw)
    rules = REGISTRY.rules(variant)
    pieces: Sequence[bytes] = [positions[at : at + 64] for at in range(0, len(positions), 64)]
    assert not any(kernel.fault(piece, rules.record) for piece in pieces)
    assert len(answer.numbers_used) == len(pieces) == len(answer.offsets) - 1
    assert len(answer.plays) == 4 * answer.offsets[-1]
    assert len(answer.boards) == (64 * answer.offsets[-1] if boards else 0)
    for at in range(0, len(answer.boards), 64):
        assert not kernel.fault(answer.boards[at : at + 64], rules.record)
