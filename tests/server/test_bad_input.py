"""Bad input: each kind has its own reason, a message with the value and what was expected, and changes nothing."""

from __future__ import annotations

import secrets
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from bgcore_server.adapters.service import LARGEST_REQUEST
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    NEXT_GAME,
    ROLL,
    TAKE,
    THROW,
    WHITE,
    AtTable,
    Client,
    Refused,
    at_table,
    opening,
    ref,
    refusal_of,
    refused,
    request_id,
    resign,
    side,
)

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
NOT_FOUND = grpc.StatusCode.NOT_FOUND


async def plays(client: Client, **more: Any) -> Refused:
    fields: dict[str, Any] = {"variant": ref(), "position": opening(), "dice": [3, 1]} | more
    found = await refusal_of(client.ListPlays(rules.ListPlaysRequest(**fields)))
    assert found.code is not grpc.StatusCode.INTERNAL
    return found


def position(white: pb.Side | None = None, black: pb.Side | None = None) -> pb.Position:
    found = opening()
    if white is not None:
        found.white.CopyFrom(white)
    if black is not None:
        found.black.CopyFrom(black)
    return found


# -- boards -----------------------------------------------------------------------------------------


async def test_a_board_with_too_many_checkers(client: Client) -> None:
    found = await plays(client, position=position(side({6: 16}, off=0)))
    assert (found.code, found.reason, found.value) == (INVALID, "TOO_MANY_CHECKERS", "16")
    assert found.expected == "15"
    assert found.message == "white checkers 16: expected 15"
    assert found.violations[0].field == "position.white"


async def test_a_board_with_too_few_checkers(client: Client) -> None:
    found = await plays(client, position=position(side({6: 5}, off=0)))
    assert (found.reason, found.value) == ("TOO_FEW_CHECKERS", "5")


async def test_two_colours_on_a_point(client: Client) -> None:
    white, black = side({6: 15}, off=0), side({19: 2, 1: 13}, off=0)
    found = await plays(client, position=position(white, black))
    assert found.reason == "POINT_SHARED"
    assert "'s 6 (" in found.message


async def test_a_board_of_another_length(client: Client) -> None:
    found = await plays(client, position=position(pb.Side(points=[1] * 26)))
    assert (found.reason, found.value) == ("POINTS_COUNT", "of 26 numbers")


@pytest.mark.parametrize("count", [256, 10**9, 2**32 - 1])
async def test_a_count_that_no_board_holds(client: Client, count: int) -> None:
    points = [0] * 24
    points[5] = count
    found = await plays(client, position=position(pb.Side(points=points)))
    assert (found.reason, found.value) == ("COUNT_OUT_OF_RANGE", str(count))


@pytest.mark.parametrize("point", [0, 26, 10**9, 2**32 - 1])
async def test_a_pinned_checker_on_a_point_that_does_not_exist(client: Client, point: int) -> None:
    found = await plays(
        client, variant=ref("plakoto"), position=position(side({24: 14}, pinned=[point], off=0))
    )
    assert (found.reason, found.value, found.expected) == ("POINT_UNKNOWN", str(point), "1 to 24")


async def test_nobody_on_roll(client: Client) -> None:
    found = await plays(client, position=opening(pb.SEAT_UNSPECIFIED))
    assert found.reason == "SEAT_MISSING"
    assert (await plays(client, position=opening(7))).reason == "SEAT_MISSING"


async def test_a_request_without_a_position(client: Client) -> None:
    found = await refusal_of(client.ListPlays(rules.ListPlaysRequest(variant=ref(), dice=[3, 1])))
    assert (found.reason, found.field) == ("POSITION_MISSING", "position")


# -- dice and plays ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 7, 10**9])
async def test_a_number_that_no_die_shows(client: Client, number: int) -> None:
    found = await plays(client, dice=[3, number])
    assert (found.code, found.reason, found.value) == (INVALID, "BAD_DICE", str(number))
    assert "1 to 6" in found.expected


@pytest.mark.parametrize("dice", [[], [3], [3, 1, 2], [1] * 100])
async def test_too_many_or_too_few_dice(client: Client, dice: list[int]) -> None:
    found = await plays(client, dice=dice)
    assert (found.reason, found.expected) == ("DICE_COUNT", "2 dice")


@pytest.mark.parametrize("point", [0, 27, 10**9])
async def test_a_step_from_a_point_that_does_not_exist(client: Client, point: int) -> None:
    request = rules.CheckPlayRequest(
        variant=ref(),
        position=opening(),
        dice=[3, 1],
        play=pb.Play(steps=pb.PlaySteps(origins=[point], numbers=[3])),
    )
    found = await refusal_of(client.CheckPlay(request))
    assert (found.reason, found.value) == ("POINT_UNKNOWN", str(point))
    assert found.info.metadata["step"] == "0"
    listing = rules.ListStepsRequest(
        variant=ref(), position=opening(), dice=[3, 1], steps=[pb.Step(origin=point, number=3)]
    )
    assert (await refusal_of(client.ListSteps(listing))).reason == "POINT_UNKNOWN"


@pytest.mark.parametrize(
    "text", ["26/20", "27/26", "1000000000/5", "8/", "x", "8/5 6/5 🎲", "0/off"]
)
async def test_a_play_that_cannot_be_read(client: Client, text: str) -> None:
    request = rules.CheckPlayRequest(
        variant=ref(), position=opening(), dice=[3, 1], play=pb.Play(text=text)
    )
    found = await refusal_of(client.CheckPlay(request))
    assert found.code is INVALID
    assert found.message


async def test_a_play_that_is_too_long(client: Client) -> None:
    request = rules.CheckPlayRequest(
        variant=ref(), position=opening(), dice=[3, 1], play=pb.Play(text="8/5 " * 1000)
    )
    assert (await refusal_of(client.CheckPlay(request))).reason == "TEXT_TOO_LONG"
    columns = pb.PlaySteps(origins=[8] * 1000, numbers=[1] * 1000)
    request.play.CopyFrom(pb.Play(steps=columns))
    assert (await refusal_of(client.CheckPlay(request))).reason == "TOO_MANY_STEPS"
    columns = pb.PlaySteps(origins=[8], numbers=[])
    request.play.CopyFrom(pb.Play(steps=columns))
    assert (await refusal_of(client.CheckPlay(request))).reason == "COLUMNS_DIFFER"
    request.ClearField("play")
    assert (await refusal_of(client.CheckPlay(request))).reason == "PLAY_MISSING"


async def test_a_step_that_cannot_be_made(client: Client) -> None:
    listing = rules.ListStepsRequest(
        variant=ref(), position=opening(), dice=[3, 1], steps=[pb.Step(origin=13, number=5)]
    )
    found = await refusal_of(client.ListSteps(listing))
    assert (found.code, found.reason) == (NOT_NOW, "NUMBER_NOT_ROLLED")
    listing.steps[0].number = 3
    listing.steps[0].target = 9
    assert (await refusal_of(client.ListSteps(listing))).reason == "STEP_MISMATCH"


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (pb.TurnContext(part=pb.Part()), "NUMBERS_COUNT"),
        (pb.TurnContext(part=pb.Part(numbers=[1] * 5)), "NUMBERS_COUNT"),
        (pb.TurnContext(part=pb.Part(numbers=[7])), "NUMBER_OUT_OF_RANGE"),
        (pb.TurnContext(own_roll=2**32 - 1), "OWN_ROLL_OUT_OF_RANGE"),
        (pb.TurnContext(left_head=256), "COUNT_OUT_OF_RANGE"),
        (pb.TurnContext(locked=[7]), "POINT_UNKNOWN"),
        (pb.TurnContext(locked=[1] * 7), "POINTS_COUNT"),
    ],
)
async def test_a_turn_that_cannot_be(client: Client, turn: pb.TurnContext, reason: str) -> None:
    assert (await plays(client, turn=turn)).reason == reason


async def test_a_view_that_does_not_exist(client: Client) -> None:
    assert (await plays(client, view=99)).reason == "VIEW_UNKNOWN"


# -- variants and options ---------------------------------------------------------------------------


async def test_an_unknown_variant(client: Client) -> None:
    found = await plays(client, variant=ref("wetsern"))
    assert (found.code, found.reason, found.value) == (NOT_FOUND, "UNKNOWN_VARIANT", "wetsern")
    assert "western" in found.expected
    assert (await plays(client, variant=pb.VariantRef())).reason == "VARIANT_MISSING"
    listing = variants.GetVariantRequest(id="x" * 1000)
    assert (await refusal_of(client.GetVariant(listing))).reason == "UNKNOWN_VARIANT"


async def test_an_unknown_preset(client: Client) -> None:
    found = await plays(client, variant=ref(preset="vegas"))
    assert (found.code, found.reason, found.value) == (NOT_FOUND, "UNKNOWN_PRESET", "vegas")


async def test_every_fault_of_the_options_is_told(client: Client) -> None:
    found = await plays(client, variant=ref(qube=True, match_length=-3, cube="perhaps"))
    assert found.code is INVALID
    descriptions = {violation.description for violation in found.violations}
    assert len(descriptions) == 3
    assert found.reason in ("UNKNOWN_OPTION", "OPTION_OUT_OF_RANGE")


async def test_options_without_a_value_or_with_lists(client: Client) -> None:
    wanted = pb.VariantRef(id="western", options={"cube": pb.OptionValue()})
    assert (await plays(client, variant=wanted)).reason == "OPTION_VALUE_MISSING"
    nested = pb.OptionValue(list=pb.OptionList(values=[pb.OptionValue(flag=True)]))
    wanted = pb.VariantRef(id="western", options={"cube": nested})
    assert (await plays(client, variant=wanted)).reason == "OPTION_OUT_OF_RANGE"
    many = {f"o{n}": pb.OptionValue(flag=True) for n in range(1000)}
    wanted = pb.VariantRef(id="western", options=many)
    assert (await plays(client, variant=wanted)).reason == "TOO_MANY_OPTIONS"


# -- messages ---------------------------------------------------------------------------------------


async def test_bytes_that_are_no_message(client: Client) -> None:
    for name in client._rpcs:
        if name in ("WatchTable", "Watch"):
            continue
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.raw(name, b"\xff" * 20)
        found = refused(caught.value)
        assert (found.code, found.reason) == (INVALID, "UNREADABLE_MESSAGE")


async def test_an_oversized_message(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.raw("ListPlays", bytes(LARGEST_REQUEST + 1))
    found = refused(caught.value)
    assert found.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert found.reason == "MESSAGE_TOO_LARGE"
    assert found.value == f"of {LARGEST_REQUEST + 1} bytes"
    assert str(LARGEST_REQUEST) in found.expected


async def test_an_unknown_rpc(client: Client) -> None:
    rpc: Any = client.channel.unary_unary("/bgcore.v1.RulesService/Guess")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await rpc(b"")
    found = refused(caught.value)
    assert (found.code, found.reason) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_RPC")


async def test_pages_that_cannot_be(client: Client) -> None:
    for request, call in (
        (variants.ListVariantsRequest(), client.ListVariants),
        (service.ListTablesRequest(), client.ListTables),
    ):
        request.page_size = 501
        assert (await refusal_of(call(request))).reason == "PAGE_SIZE_OUT_OF_RANGE"
        request.page_size = 1
        for token in ("nonsense", "é", "bm9uc2Vuc2U", "dGFibGVzIC0x"):
            request.page_token = token
            found = await refusal_of(call(request))
            assert (found.reason, found.value) == ("PAGE_TOKEN_INVALID", token)


# -- tables -----------------------------------------------------------------------------------------


async def created(client: Client, **more: Any) -> Refused:
    fields: dict[str, Any] = {"variant": ref()} | more
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(**fields)))
    assert not (await client.ListTables(service.ListTablesRequest())).tables
    return found


@pytest.mark.parametrize(
    ("reason", "more"),
    [
        ("UNKNOWN_BOT", {"white": table.Occupant(bot=table.Bot(id="deep-blue"))}),
        (
            "ENDLESS_TABLE",
            {
                "variant": ref(match_length=None),
                "white": table.Occupant(bot=table.Bot(id="random")),
                "black": table.Occupant(bot=table.Bot(id="greedy")),
            },
        ),
        ("NAME_TOO_LONG", {"black": table.Occupant(player=table.Player(name="x" * 101))}),
        ("SEED_UNUSED", {"seed": 3, "dice_mode": table.DICE_MODE_COMMITTED}),
        ("DICE_MODE_REFUSED", {"dice_mode": 77}),
        ("SEED_UNUSED", {"seed": 3}),
        ("SEED_OUT_OF_RANGE", {"seed": 2**60, "dice_mode": table.DICE_MODE_SEEDED}),
        ("VISIBILITY_UNKNOWN", {"visibility": 9}),
        ("REQUEST_ID_LENGTH", {"request_id": "x" * 65}),
        ("MATCH_OVER", {"start": service.Start(white_score=7)}),
        ("SCORE_OUT_OF_RANGE", {"start": service.Start(white_score=2**32 - 1)}),
        ("CRAWFORD_UNKNOWN", {"start": service.Start(crawford=9)}),  # type: ignore[arg-type]
        ("BAD_CUBE", {"start": service.Start(position=opening(), cube=pb.Cube())}),
        ("BAD_CUBE", {"start": service.Start(position=opening(), cube=pb.Cube(value=3))}),
        ("BAD_CUBE", {"start": service.Start(position=opening(), cube=pb.Cube(value=128))}),
        ("CUBE_WITHOUT_POSITION", {"start": service.Start(cube=pb.Cube(value=2))}),
        ("DICE_WITHOUT_POSITION", {"start": service.Start(dice=[3, 1])}),
        (
            "BAD_CUBE",
            {
                "variant": ref("tavla"),
                "start": service.Start(position=opening(), cube=pb.Cube(value=2)),
            },
        ),
        (
            "GAME_OVER",
            {
                "start": service.Start(
                    position=pb.Position(white=side({}), black=side({6: 15}), on_roll=BLACK)
                )
            },
        ),
    ],
)
async def test_a_table_that_cannot_be_made(
    client: Client, reason: str, more: dict[str, Any]
) -> None:
    found = await created(client, **more)
    assert found.reason == reason
    assert found.code in (INVALID, NOT_FOUND, grpc.StatusCode.UNIMPLEMENTED)
    assert found.message


@pytest.mark.parametrize("value", [1 << 10, 1 << 30])
async def test_a_cube_without_a_cap_may_start_where_the_contract_says(
    client: Client, value: int
) -> None:
    start = service.Start(position=opening(), cube=pb.Cube(value=value, owner=WHITE))
    request = service.CreateTableRequest(variant=ref(cube_cap=None), start=start)
    made = await client.CreateTable(request)
    assert made.state.game.cube.value == value


async def test_a_cube_that_no_answer_could_tell_makes_no_table(client: Client) -> None:
    start = service.Start(position=opening(), cube=pb.Cube(value=1 << 31))
    found = await created(client, variant=ref(cube_cap=None), start=start)
    assert found.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (found.reason, found.field) == ("STAKE_TOO_LARGE", "start.cube.value")


async def test_an_unknown_table(client: Client) -> None:
    for call in (
        client.GetTable(service.GetTableRequest(table="nowhere")),
        client.JoinTable(service.JoinTableRequest(table="nowhere")),
        client.ListEvents(service.ListEventsRequest(table="nowhere")),
        client.Act(service.ActRequest(table="nowhere"), token="x"),
        client.WatchTable(service.WatchTableRequest(table="nowhere")).read(),
    ):
        found = await refusal_of(call)
        assert (found.code, found.reason, found.value) == (NOT_FOUND, "UNKNOWN_TABLE", "nowhere")


async def test_a_seat_that_is_taken(client: Client) -> None:
    at = await at_table(client)
    for seat, reason in ((WHITE, "SEAT_TAKEN"), (9, "SEAT_UNKNOWN"), (0, "TABLE_FULL")):
        request = service.JoinTableRequest(table=at.id, seat=seat)  # type: ignore[arg-type]
        assert (await refusal_of(client.JoinTable(request))).reason == reason


async def test_a_request_id_that_others_may_guess(client: Client) -> None:
    # Who knows the request id of a join is given the token again.
    made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    request = service.JoinTableRequest(table=made.table.id, request_id="join-1")
    found = await refusal_of(client.JoinTable(request))
    assert (found.reason, found.expected) == ("REQUEST_ID_LENGTH", "16 to 64, or none")


async def test_an_act_without_a_token_or_with_a_made_up_one(client: Client) -> None:
    at = await at_table(client)
    request = service.ActRequest(table=at.id, action=table.Action(**THROW))
    found = await refusal_of(client.Act(request))
    assert (found.code, found.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
    guess = secrets.token_urlsafe(32)
    found = await refusal_of(client.Act(request, token=guess))
    assert (found.code, found.reason) == (grpc.StatusCode.PERMISSION_DENIED, "TOKEN_UNKNOWN")
    assert guess not in found.message
    for header in ("Basic abc", at.tokens[WHITE], "Bearer", "Bearer  "):
        rpc = client._rpcs["Act"][1]
        found = await refusal_of(rpc(request, metadata=(("authorization", header),)))
        assert found.reason == "TOKEN_MALFORMED"
        assert at.tokens[WHITE] not in found.message + str(found.info)


async def test_a_token_of_another_table(client: Client) -> None:
    one, two = await at_table(client), await at_table(client)
    one.tokens = two.tokens
    assert (await one.refused(WHITE, **THROW)).reason == "TOKEN_UNKNOWN"


async def test_an_act_with_the_other_seats_token(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    request = service.ActRequest(table=at.id, seat=WHITE, action=table.Action(**ROLL))
    found = await refusal_of(client.Act(request, token=at.tokens[BLACK]))
    assert (found.code, found.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT")
    assert found.value == "white"


async def playing(client: Client) -> AtTable:
    """Black is on turn and has not rolled."""
    at = await at_table(client)
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    return at


async def test_an_act_out_of_turn(client: Client) -> None:
    at = await playing(client)
    found = await at.refused(WHITE, roll=table.RollAction(dice=[3, 1]))
    assert found.code is NOT_NOW
    assert found.reason == "NOT_YOUR_TURN"
    assert "black" in found.message


async def test_a_play_of_another_roll(client: Client) -> None:
    at = await playing(client)
    await at.roll(6, 5)
    play = table.PlayAction(play=pb.Play(text="8/5 6/5"))
    found = await at.refused(play=play)
    assert (found.code, found.reason) == (NOT_NOW, "NUMBER_NOT_ROLLED")
    assert found.info.metadata["step"] == "0"


async def test_an_illegal_play(client: Client) -> None:
    at = await playing(client)
    await at.roll(6, 1)
    play = table.PlayAction(play=pb.Play(text="8/7"))
    found = await at.refused(play=play)
    assert found.reason == "MUST_USE_MORE_NUMBERS"
    assert found.violations[0].type == "MUST_USE_MORE_NUMBERS"


async def test_a_double_when_the_cube_is_not_yours(client: Client) -> None:
    at = await playing(client)
    await at.act(**DOUBLE)
    await at.act(**TAKE)
    await at.roll(6, 5)
    await at.any_play()
    await at.act(**DOUBLE)
    await at.act(**TAKE)
    await at.roll(6, 5)
    await at.any_play()
    await at.roll(6, 5)
    await at.any_play()
    assert at.state.game.cube.owner == BLACK
    assert at.decider == WHITE
    found = await at.refused(**DOUBLE)
    assert (found.code, found.reason) == (NOT_NOW, "CUBE_NOT_YOURS")
    assert "black" in found.message


async def test_a_double_after_the_roll(client: Client) -> None:
    at = await playing(client)
    await at.roll(6, 5)
    assert (await at.refused(**DOUBLE)).reason == "ALREADY_ROLLED"


async def test_a_double_where_there_is_no_cube(client: Client) -> None:
    at = await at_table(client, ref("tavla"))
    await at.throw(3, 1)
    await at.any_play()
    assert (await at.refused(**DOUBLE)).reason == "CUBE_OFF"


async def test_a_stale_revision(client: Client) -> None:
    at = await playing(client)
    now = at.state.revision
    found = await at.refused(**DOUBLE, expected_revision=now - 1)
    assert (found.code, found.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")
    assert (found.value, found.expected) == (str(now - 1), str(now))
    found = await at.refused(**DOUBLE, expected_revision=now + 1)
    assert found.reason == "STALE_REVISION"


async def test_acts_that_are_not_possible_now(client: Client) -> None:
    at = await playing(client)
    for action in (TAKE, THROW | {"throw": table.ThrowAction(dice=[3, 1])}, NEXT_GAME):
        found = await at.refused(**action)
        assert (found.code, found.reason) == (NOT_NOW, "NOT_NOW")
    assert (await at.refused()).reason == "ACTION_MISSING"
    assert (await at.refused(**resign(0))).reason == "LEVEL_MISSING"
    assert (await at.refused(**resign(77))).reason == "LEVEL_MISSING"
    assert (await at.refused(play=table.PlayAction())).reason == "PLAY_MISSING"


async def test_dice_where_they_should_not_be_and_none_where_they_should(client: Client) -> None:
    manual = await playing(client)
    assert (await manual.refused(**ROLL)).reason == "DICE_MISSING"
    bad = await manual.refused(roll=table.RollAction(dice=[3, 7]))
    assert (bad.code, bad.reason, bad.value) == (INVALID, "BAD_DICE", "7")
    for dice in ([3], [3] * 3, [3] * 9):
        bad = await manual.refused(roll=table.RollAction(dice=dice))
        assert (bad.code, bad.reason, bad.expected) == (INVALID, "DICE_COUNT", "2 dice")
    system = await at_table(client, dice_mode=table.DICE_MODE_SYSTEM)
    found = await system.refused(throw=table.ThrowAction(dice=[6, 1]))
    assert (found.code, found.reason) == (NOT_NOW, "DICE_NOT_YOURS")


async def test_an_act_before_both_seats_are_taken(client: Client) -> None:
    made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    joined = await client.JoinTable(
        service.JoinTableRequest(table=made.table.id, request_id=request_id())
    )
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    found = await at.refused(WHITE, **THROW)
    assert (found.code, found.reason) == (NOT_NOW, "WAITING_FOR_PLAYERS")
    assert "black" in found.message


async def test_a_request_id_that_is_too_long(client: Client) -> None:
    at = await playing(client)
    assert (await at.refused(**DOUBLE, request_id="x" * 65)).reason == "REQUEST_ID_LENGTH"


async def test_a_watch_from_a_revision_that_does_not_exist(client: Client) -> None:
    at = await playing(client)
    request = service.WatchTableRequest(table=at.id, after_revision=99)
    found = await refusal_of(client.WatchTable(request).read())
    assert found.code is grpc.StatusCode.OUT_OF_RANGE
    assert (found.reason, found.value) == ("REVISION_NOT_REACHED", "99")


# -- what a few bytes could grow into ---------------------------------------------------------------


async def test_a_list_in_a_list_is_refused_however_deep(client: Client) -> None:
    """Each level of such lists once doubled what the server had to write down."""
    nested = pb.OptionValue(flag=True)
    for _ in range(45):
        nested = pb.OptionValue(list=pb.OptionList(values=[nested]))
    variant = ref()
    variant.options["a"].CopyFrom(nested)
    found = await plays(client, variant=variant)
    assert (found.code, found.reason) == (INVALID, "LIST_IN_LIST")
    assert found.field == 'variant.options["a"].list.values[0].list'


async def test_a_list_is_not_longer_than_the_contract_says(client: Client) -> None:
    variant = ref()
    variant.options["a"].list.values.extend([pb.OptionValue(flag=True)] * 101)
    found = await plays(client, variant=variant)
    assert (found.code, found.reason) == (INVALID, "LIST_TOO_LONG")


async def test_a_bot_does_not_sit_where_players_type_in_the_dice(client: Client) -> None:
    request = service.CreateTableRequest(
        variant=ref(),
        dice_mode=table.DICE_MODE_MANUAL,
        black=table.Occupant(bot=table.Bot(id="greedy")),
        request_id=request_id(),
    )
    found = await refusal_of(client.CreateTable(request))
    assert (found.code, found.reason) == (INVALID, "BOT_WITHOUT_DICE")


async def test_points_are_not_resigned_where_levels_are(client: Client) -> None:
    at = await at_table(client, ref(), table.DICE_MODE_SYSTEM)
    found = await refusal_of(at.act(resign=table.ResignAction(level=pb.LEVEL_SINGLE, points=3)))
    assert (found.code, found.reason) == (INVALID, "POINTS_NOT_TAKEN")
    assert found.field == "action.resign.points"
