"""ConvertPosition: a position in other words."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import grpc
import pytest
from google.protobuf.descriptor import Descriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bgcore
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_server.convert.options import Shelf
from bgcore_server.services.rules import RulesService
from bgcore_server.workers import Queue
from tests.server.fields import is_path
from tests.server.helpers import BLACK, WHITE, Client, opening, ref, refusal_of, side

REQUEST = cast(Descriptor, rules.ConvertPositionRequest.DESCRIPTOR)
INVALID = grpc.StatusCode.INVALID_ARGUMENT
BOARD = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
ID = "4HPwATDgc/ABMA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:3:0:7:10"
TEXT, JSON, POSITION_ID = range(1, 4)
GNUBG, MATCH_ID, XG, ASCII, SVG = range(4, 9)


async def convert(client: Client, *targets: int, **more: Any) -> rules.ConvertPositionResponse:
    fields: dict[str, Any] = {"variant": ref()} | more
    answer: rules.ConvertPositionResponse = await client.ConvertPosition(
        rules.ConvertPositionRequest(target_formats=cast(Any, targets), **fields)
    )
    return answer


def texts(answer: rules.ConvertPositionResponse) -> dict[int, str]:
    return {one.format: one.text for one in answer.texts}


async def test_a_position_is_written_in_every_way(client: Client) -> None:
    answer = await convert(client, *range(1, 9), position=opening())
    assert [one.format for one in answer.texts] == list(range(1, 9))
    found = texts(answer)
    assert found[TEXT] == BOARD
    assert found[POSITION_ID] == ID
    assert found[GNUBG].startswith(f"{ID}:")
    assert found[GNUBG].endswith(found[MATCH_ID])
    assert found[XG].startswith("XGID=-")
    assert found[ASCII].startswith("+-13--14")
    assert found[SVG].startswith("<svg ")
    assert answer.position == opening()
    assert not answer.HasField("situation")
    assert answer.source_format == pb.POSITION_FORMAT_UNSPECIFIED


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (BOARD, TEXT),
        (
            '{"me": {"24": 2, "13": 5, "8": 3, "6": 5}, "opp": {"24": 2, "13": 5, "8": 3, "6": 5}}',
            JSON,
        ),
        (ID, POSITION_ID),
        (f"{ID}:cAkAAAAAAAAA", GNUBG),
        (f"{ID} cAkAAAAAAAAA", GNUBG),
        ("cAkAAAAAAAAA", MATCH_ID),
        (XGID, XG),
        (XGID.removeprefix("XGID="), XG),
        (f"  {ID}\n", POSITION_ID),
    ],
)
async def test_a_text_is_read_whatever_it_is(client: Client, text: str, form: int) -> None:
    answer = await convert(client, text=text)
    assert answer.source_format == form
    assert answer.HasField("position") == (form != MATCH_ID)
    assert answer.HasField("situation") == (form in (GNUBG, MATCH_ID, XG))
    if form != MATCH_ID:
        assert answer.position.white == opening().white
        assert {TEXT, JSON, POSITION_ID} <= set(texts(answer))
    assert await convert(client, text=text, source_format=form) == answer


async def test_what_an_id_tells_of_the_match(client: Client) -> None:
    here = (await convert(client, text=XGID)).situation
    assert (list(here.dice), here.length, here.white_score, here.black_score) == ([5, 2], 7, 3, 0)
    assert (here.cube_cap, here.cube.value, here.raised) == (1024, 1, 0)
    assert (here.decider, here.state) == (BLACK, rules.SITUATION_STATE_PLAYING)
    answer = await convert(client, XG, text=XGID)
    assert texts(answer)[XG] == XGID
    assert answer.position.on_roll == BLACK


async def test_what_stands_beside_a_position_comes_into_the_id(client: Client) -> None:
    told = (await convert(client, text=XGID)).situation
    answer = await convert(client, XG, position=opening(BLACK), situation=told)
    assert texts(answer)[XG] == XGID
    assert answer.situation == told


async def test_a_double_that_waits(client: Client) -> None:
    told = rules.Situation(raised=1, length=7, cube=pb.Cube(value=2, owner=WHITE))
    answer = await convert(client, XG, SVG, position=opening(), situation=told)
    assert answer.situation.decider == BLACK
    assert ":D:" in texts(answer)[XG]
    back = await convert(client, text=texts(answer)[XG])
    assert (back.situation.raised, back.situation.decider) == (1, BLACK)


async def test_a_resignation_that_waits(client: Client) -> None:
    offer = table.Resignation(seat=WHITE, level=pb.LEVEL_GAMMON)
    told = rules.Situation(resignation=offer, length=7, dice=[3, 1])
    answer = await convert(client, GNUBG, position=opening(), situation=told)
    back = await convert(client, text=texts(answer)[GNUBG])
    assert back.situation.resignation.level == pb.LEVEL_GAMMON
    assert (back.situation.resignation.seat, back.situation.decider) == (WHITE, BLACK)


async def test_ways_that_cannot_tell_are_left_out(client: Client) -> None:
    variant = ref("plakoto")
    start = pb.Position(white=side({24: 15}, off=0), black=side({24: 15}, off=0), on_roll=WHITE)
    answer = await convert(client, variant=variant, position=start)
    assert {TEXT, JSON} <= set(texts(answer))
    assert not {POSITION_ID, GNUBG, XG} & set(texts(answer))
    found = await refusal_of(convert(client, TEXT, XG, variant=variant, position=start))
    assert (found.code, found.field) == (INVALID, "target_formats[1]")
    assert found.reason == "NOTATION_NOT_FOR_VARIANT"


@pytest.mark.parametrize(
    ("fields", "reason", "path"),
    [
        ({}, "POSITION_MISSING", "position"),
        ({"text": ""}, "TEXT_LENGTH", "text"),
        ({"text": "x" * 65537}, "TEXT_LENGTH", "text"),
        ({"text": "24:99 /"}, None, "text"),
        ({"text": "nonsense"}, None, "text"),
        ({"text": "[" * 60000, "source_format": JSON}, "BAD_JSON", "text"),
        ({"text": '{"me": ' + "[" * 60000}, "BAD_JSON", "text"),
        ({"text": '{"me": {"6": 1}, "me": {"6": 2}, "opp": {}}'}, None, "text"),
        ({"text": '{"me": {"6": 99}, "opp": {}}'}, None, "text"),
        ({"text": '{"me": {"6": ' + "9" * 5000 + "}}"}, None, "text"),
        ({"text": "AAAAAAAAAAAAAA", "source_format": MATCH_ID}, None, "text"),
        ({"text": ID, "source_format": SVG}, "FORMAT_NOT_READ", "source_format"),
        ({"text": ID, "source_format": 77}, "FORMAT_NOT_READ", "source_format"),
        ({"position": opening(), "source_format": TEXT}, "FORMAT_UNUSED", "source_format"),
        ({"text": ID, "situation": rules.Situation()}, "SITUATION_UNUSED", "situation"),
        ({"text": ID, "target_formats": [1, 0]}, "FORMAT_NOT_WRITTEN", "target_formats[1]"),
        ({"text": ID, "target_formats": [99]}, "FORMAT_NOT_WRITTEN", "target_formats[0]"),
        ({"text": ID, "target_formats": [1] * 21}, "TOO_MANY_FORMATS", "target_formats"),
        ({"text": "cAkAAAAAAAAA", "target_formats": [XG]}, "NO_BOARD", "target_formats[0]"),
        ({"text": "cAkAAAAAAAAA", "target_formats": [SVG]}, "NO_BOARD", "target_formats[0]"),
        ({"text": ID, "variant": ref("nope")}, "UNKNOWN_VARIANT", "variant.id"),
        ({"text": ID, "variant": ref("plakoto")}, "NOTATION_NOT_FOR_VARIANT", "text"),
        ({"position": opening(7)}, "SEAT_MISSING", "position.on_roll"),
    ],
    ids=lambda value: str(value)[:50],
)
async def test_what_cannot_be_read_is_told_by_its_path(
    client: Client, fields: dict[str, Any], reason: str | None, path: str
) -> None:
    request: dict[str, Any] = {"variant": ref()} | fields
    found = await refusal_of(client.ConvertPosition(rules.ConvertPositionRequest(**request)))
    assert found.code in (INVALID, grpc.StatusCode.NOT_FOUND), found.message
    assert found.field == path, found.message
    assert is_path(REQUEST, path)
    assert reason is None or found.reason == reason
    assert found.expected


@pytest.mark.parametrize(
    ("told", "path"),
    [
        (rules.Situation(dice=[7]), "dice[0]"),
        (rules.Situation(dice=[1, 2, 3, 4]), "dice"),
        (rules.Situation(length=0), "length"),
        (rules.Situation(length=2**31), "length"),
        (rules.Situation(white_score=2**31), "white_score"),
        (rules.Situation(black_score=2**32 - 1), "black_score"),
        (rules.Situation(raised=31), "raised"),
        (rules.Situation(cube_cap=0), "cube_cap"),
        (rules.Situation(cube=pb.Cube()), "cube.value"),
        (rules.Situation(cube=pb.Cube(value=2**31)), "cube.value"),
        (rules.Situation(cube=pb.Cube(value=1, owner=cast(Any, 5))), "cube.owner"),
        (rules.Situation(decider=cast(Any, 9)), "decider"),
        (rules.Situation(state=cast(Any, 9)), "state"),
        (rules.Situation(resignation=table.Resignation()), "resignation.level"),
        (
            rules.Situation(resignation=table.Resignation(level=pb.LEVEL_SINGLE)),
            "resignation.seat",
        ),
    ],
    ids=lambda value: str(value)[:50],
)
async def test_a_situation_that_is_none_is_told_by_its_path(
    client: Client, told: rules.Situation, path: str
) -> None:
    found = await refusal_of(convert(client, position=opening(), situation=told))
    assert (found.code, found.field) == (INVALID, f"situation.{path}"), found.message
    assert is_path(REQUEST, found.field)


REGISTRY = bgcore.load()
SERVICE = RulesService(REGISTRY, Shelf(REGISTRY), Queue("test"), Queue("batches"))
Answer = rules.ConvertPositionResponse


def converted(request: rules.ConvertPositionRequest) -> tuple[Answer, set[str]]:
    """The answer, and the fields that it is refused for."""
    try:
        return asyncio.run(SERVICE.ConvertPosition(request, cast(Any, None))), set()
    except bgcore.BgcoreError as refused:
        return Answer(), {fault.field for fault in refused.faults}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    told=st.builds(
        rules.Situation,
        dice=st.lists(st.integers(1, 6), max_size=3),
        length=st.none() | st.integers(1, 40) | st.just(2**31 - 1),
        white_score=st.integers(0, 40) | st.just(2**30),
        black_score=st.integers(0, 40),
        crawford=st.booleans(),
        jacoby=st.booleans(),
        beavers=st.booleans(),
        raised=st.integers(0, 30),
        cube_cap=st.none() | st.integers(1, 2**30),
        cube=st.none()
        | st.builds(pb.Cube, value=st.integers(1, 64) | st.just(2**30), owner=st.integers(0, 2)),
        decider=st.integers(0, 2),
        state=st.integers(0, 5),
        resignation=st.none()
        | st.builds(table.Resignation, seat=st.integers(1, 2), level=st.integers(1, 3)),
    ),
    target=st.integers(1, 8),
)
def test_any_situation_is_written_or_refused(told: rules.Situation, target: int) -> None:
    request = rules.ConvertPositionRequest(
        variant=ref(), position=opening(), situation=told, target_formats=[cast(Any, target)]
    )
    answer, refused = converted(request)
    assert refused == {"target_formats[0]"} or answer.texts[0].text


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=60) | st.from_regex(r"(XGID=)?[-a-oA-O]{26}(:-?[0-9]{1,3}){5,10}"))
def test_any_text_is_read_or_refused(text: str) -> None:
    request = rules.ConvertPositionRequest(variant=ref(), text=text)
    answer, refused = converted(request)
    assert refused == {"text"} or answer.texts


@pytest.mark.parametrize(
    ("told", "form", "words"),
    [
        ({"dice": [3]}, pb.POSITION_FORMAT_BOARD_JSON, "a list of 2 numbers"),
        ({"white_score": 2**30}, pb.POSITION_FORMAT_XGID, "at most 999999999"),
        ({"cube_cap": 2**30}, pb.POSITION_FORMAT_XGID, "at most 1048576, or none"),
        (
            {"raised": 1, "cube": pb.Cube(value=2, owner=BLACK)},
            pb.POSITION_FORMAT_MATCH_ID,
            "owner 1: expected 0 or the middle",
        ),
        (
            {"raised": 2, "length": 24, "cube": pb.Cube(value=2)},
            pb.POSITION_FORMAT_MATCH_ID,
            "read again",
        ),
    ],
)
async def test_what_could_not_be_read_again_is_not_written(
    client: Client, told: dict[str, Any], form: Any, words: str
) -> None:
    here = rules.Situation(**told)
    found = await refusal_of(convert(client, form, position=opening(), situation=here))
    assert (found.code, found.field) == (INVALID, "target_formats[0]")
    assert words in found.message
