"""Where an error says that something is wrong: the path of a field in the request that was sent."""

from __future__ import annotations

from typing import Any

import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from bgcore_server.server import DESCRIPTORS
from tests.server.fields import is_path
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    NEXT_GAME,
    WHITE,
    Client,
    Fields,
    at_table,
    opening,
    ref,
    refusal_of,
    resign,
    side,
)

PLAKOTO = ref("plakoto")
INPUTS = {
    method.name: method.input_type for descriptor in DESCRIPTORS for method in descriptor.methods
}


def board(on_roll: int = WHITE, **sides: pb.Side) -> pb.Position:
    found = opening(on_roll)
    for name, one in sides.items():
        getattr(found, name).CopyFrom(one)
    return found


def bot(id: str) -> table.Occupant:
    return table.Occupant(bot=table.Bot(id=id))


def start(**more: Any) -> Fields:
    return {"start": service.Start(**more)}


def text(play: str) -> pb.Play:
    return pb.Play(text=play)


def columns(origins: list[int], numbers: list[int]) -> pb.Play:
    return pb.Play(steps=pb.PlaySteps(origins=origins, numbers=numbers))


NO = pb.OptionValue(flag=False)
MANY = side({6: 16}, off=0)
LEN = 'variant.options["match_length"]'
ASKED: list[tuple[str, Fields, str]] = [
    ("ListPlays", {"variant": pb.VariantRef()}, "variant.id"),
    ("ListPlays", {"variant": ref("chess")}, "variant.id"),
    ("ListPlays", {"variant": ref(preset="vegas")}, "variant.preset"),
    ("ListPlays", {"variant": ref(colour=1)}, 'variant.options["colour"]'),
    (
        "ListPlays",
        {"variant": pb.VariantRef(id="western", options={'a "b"': NO})},
        'variant.options["a \\"b\\""]',
    ),
    ("ListPlays", {"variant": ref(match_length=0)}, LEN),
    ("ListPlays", {"variant": ref(match_length=5, jacoby=True)}, 'variant.options["jacoby"]'),
    (
        "ListPlays",
        {"variant": pb.VariantRef(id="western", options={"cube": pb.OptionValue()})},
        'variant.options["cube"]',
    ),
    ("GetVariant", {"id": "chess"}, "id"),
    ("ListTables", {"variant": "chess"}, "variant"),
    ("CreateTable", {"variant": ref("chess")}, "variant.id"),
    ("CreateTable", {"white": bot("nobody")}, "white.bot.id"),
    ("CreateTable", {"black": bot("nobody")}, "black.bot.id"),
    (
        "CreateTable",
        {"variant": ref(match_length=None), "white": bot("random"), "black": bot("random")},
        LEN,
    ),
    # boards, wherever they are
    ("ListPlays", {"position": board(0)}, "position.on_roll"),
    ("ListPlays", {"position": board(white=MANY)}, "position.white"),
    ("CheckPlay", {"position": board(BLACK, white=MANY)}, "position.white"),
    ("ListPlays", {"position": board(white=side({24: 300}, off=0))}, "position.white.points[23]"),
    (
        "ListPlays",
        {"position": board(BLACK, white=side({6: 15}, off=0), black=side({19: 15}, off=0))},
        "position.black.points[18]",
    ),
    ("GetOutcome", {"position": board(black=side({6: 5}, bar=300, off=0))}, "position.black.bar"),
    ("GetOutcome", {"position": board(black=side({6: 5}, off=300))}, "position.black.off"),
    (
        "ListPlays",
        {"position": board(white=side({6: 14}, unentered=1))},
        "position.white.unentered",
    ),
    (
        "ListPlays",
        {
            "variant": PLAKOTO,
            "position": board(white=side({24: 13}, pinned=[3, 26], off=0)),
        },
        "position.white.pinned[1]",
    ),
    ("ListPlays", {"position": board(white=side({}), black=side({}))}, "position"),
    ("CreateTable", start(position=board(0)), "start.position.on_roll"),
    ("CreateTable", start(position=board(white=MANY)), "start.position.white"),
    (
        "CreateTable",
        start(position=board(white=side({24: 300}, off=0))),
        "start.position.white.points[23]",
    ),
    # dice
    ("ListPlays", {"dice": [3, 7]}, "dice[1]"),
    ("ListSteps", {"dice": [0, 3]}, "dice[0]"),
    ("ListPlays", {"dice": [3, 1, 2]}, "dice"),
    ("CreateTable", start(position=opening(), dice=[3, 7]), "start.dice[1]"),
    ("CreateTable", start(position=opening(), dice=[3]), "start.dice"),
    ("ListPlays", {"turn": pb.TurnContext(part=pb.Part(numbers=[3, 7]))}, "turn.part.numbers[1]"),
    # plays and steps
    ("CheckPlay", {"play": text("8/x")}, "play.text"),
    ("CheckPlay", {"play": text("8/5 " * 100)}, "play.text"),
    ("CheckPlay", {"play": text("8/5* 6/5")}, "play.text"),
    ("CheckPlay", {"play": pb.Play()}, "play"),
    ("CheckPlay", {"play": columns([8, 27], [3, 1])}, "play.steps.origins[1]"),
    ("CheckPlay", {"play": columns([8, 6], [3, 9])}, "play.steps.numbers[1]"),
    ("CheckPlay", {"play": columns([8], [])}, "play.steps"),
    ("ListSteps", {"steps": [pb.Step(origin=27, number=3)]}, "steps[0].origin"),
    ("ListSteps", {"steps": [pb.Step(origin=8, number=3), pb.Step(number=1)]}, "steps[1].origin"),
    (
        "ListSteps",
        {"steps": [pb.Step(origin=8, number=3), pb.Step(origin=8, number=6)]},
        "steps[1]",
    ),
    # where a match starts
    ("CreateTable", start(white_score=7), "start.white_score"),
    ("CreateTable", start(black_score=9), "start.black_score"),
    ("CreateTable", start(black_score=2**32 - 1), "start.black_score"),
    ("CreateTable", start(crawford=service.CRAWFORD_NOW), "start.crawford"),
    ("CreateTable", start(cube=pb.Cube(value=2)), "start.cube"),
    ("CreateTable", start(position=opening(), cube=pb.Cube(value=3)), "start.cube.value"),
    ("CreateTable", start(position=opening(), cube=pb.Cube(value=128)), "start.cube.value"),
    (
        "CreateTable",
        start(position=opening(), cube=pb.Cube(value=2, owner=9)),  # type: ignore[arg-type]
        "start.cube.owner",
    ),
    ("CreateTable", start(position=board(black=side({}))), "start.position"),
]


def request_of(rpc: str, fields: Fields) -> Any:
    kinds: dict[str, Any] = {
        "ListPlays": rules.ListPlaysRequest,
        "ListSteps": rules.ListStepsRequest,
        "CheckPlay": rules.CheckPlayRequest,
        "GetOutcome": rules.GetOutcomeRequest,
        "GetVariant": variants.GetVariantRequest,
        "ListTables": service.ListTablesRequest,
        "CreateTable": service.CreateTableRequest,
    }
    asked = {"variant": ref(), "position": opening(), "dice": [3, 1]}
    known = {field.name for field in INPUTS[rpc].fields}
    given = {} if rpc in ("GetVariant", "ListTables") else asked
    return kinds[rpc](**{name: value for name, value in given.items() if name in known} | fields)


@pytest.mark.parametrize(("rpc", "fields", "path"), ASKED, ids=lambda value: str(value)[:60])
async def test_a_field_is_told_by_its_path(
    client: Client, rpc: str, fields: Fields, path: str
) -> None:
    found = await refusal_of(getattr(client, rpc)(request_of(rpc, fields)))
    assert (found.field, is_path(INPUTS[rpc], path)) == (path, True), found.message
    first = found.violations[0] if found.violations else None
    assert first is None or path in (getattr(first, "field", ""), getattr(first, "subject", ""))


def play(written: pb.Play) -> Fields:
    return {"play": table.PlayAction(play=written)}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "action"),
        (DOUBLE, "action.double"),
        (NEXT_GAME, "action.next_game"),
        ({"roll": table.RollAction(dice=[3, 7])}, "action.roll.dice[1]"),
        ({"throw": table.ThrowAction(dice=[0, 1])}, "action.throw.dice[0]"),
        ({"roll": table.RollAction(dice=[3, 1, 2])}, "action.roll.dice"),
        ({"roll": table.RollAction()}, "action.roll.dice"),
        ({"roll": table.RollAction(dice=[3, 1])}, "action.roll"),
        (resign(0), "action.resign.level"),
        (play(pb.Play()), "action.play.play"),
        (play(text("8/x")), "action.play.play.text"),
        (play(text("24/18")), "action.play.play.text"),
        (play(text("8/5")), "action.play.play.text"),
        (play(columns([24, 24], [6, 1])), "action.play.play.steps"),
        (play(columns([8, 27], [3, 1])), "action.play.play.steps.origins[1]"),
        (play(columns([8, 6], [3])), "action.play.play.steps"),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_a_field_of_an_action_is_told_by_its_path(
    client: Client, fields: Fields, path: str
) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    found = await at.refused(**fields)
    assert (found.field, is_path(INPUTS["Act"], path)) == (path, True), found.message


async def test_a_level_that_was_declined_is_told_by_its_path(client: Client) -> None:
    position = pb.Position(white=side({6: 5}), black=side({6: 5}), on_roll=WHITE)
    at = await at_table(client, **start(position=position))
    found = await at.refused(**resign(pb.LEVEL_GAMMON))
    assert (found.reason, found.field) == ("LEVEL_NOT_POSSIBLE", "action.resign.level")
    assert found.info.metadata["rule"] == "M9"


async def test_the_column_of_a_text_is_in_the_message(client: Client) -> None:
    found = await refusal_of(client.CheckPlay(request_of("CheckPlay", {"play": text("8/5 6/x")})))
    assert found.message.startswith("column 7 x: expected")


async def test_a_board_is_told_of_in_the_words_of_the_wire(client: Client) -> None:
    position = board(BLACK, white=side({6: 15}, off=0), black=side({19: 15}, off=0))
    request = rules.CheckPositionRequest(variant=ref(), position=position)
    [fault] = (await client.CheckPosition(request)).faults
    assert fault.field == "position.black.points[18]"
    assert fault.value == "15 of black and 15 of white"
    assert fault.message == f"black's 19 (white's 6): {fault.value}, expected checkers of one side"
