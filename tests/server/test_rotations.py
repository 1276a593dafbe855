"""Tables whose games change variant, and turns with a double to name, over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from bgcore.rotation import Choice, Rotation
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from tests.engine import made
from tests.server.helpers import (
    BLACK,
    NEXT_GAME,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    answer,
    at_table,
    ref,
    refusal_of,
    resign,
    running,
)

TURKISH = Rotation(
    (Choice("tavla", "traditional"), Choice("plakoto", "traditional")),
    id="tavla-plakoto",
    title="Tavla and plakoto",
    summary="One after the other.",
    options={"match_length": 3},
)

KNOWN = made.registry()
KNOWN.add_rotation(TURKISH)
GAMES = (
    ref("tavla", "traditional"),
    ref("plakoto", "traditional", mother_points=3),
    ref("gul-bara"),
)
INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with running(registry=KNOWN) as found:
        async with grpc.aio.insecure_channel(str(found.grpc)) as channel:
            yield Client(channel)
        assert not found.faults.found


async def at_rotation(client: Client, rotation: pb.RotationRef, **more: Any) -> AtTable:
    request = service.CreateTableRequest(rotation=rotation, **more)
    request.dice_mode = request.dice_mode or table.DICE_MODE_SYSTEM
    created = await client.CreateTable(request)
    tokens: dict[int, str] = {}
    for seat in (WHITE, BLACK):
        joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=seat))
        tokens[seat] = joined.token
    return AtTable(client, created.table.id, tokens, joined.state)


def listed(*games: pb.VariantRef, **more: Any) -> pb.RotationRef:
    options = ref(**more.pop("options", {})).options
    return pb.RotationRef(games=games or GAMES, options=options, **more)


async def lost(at: AtTable, level: int = pb.LEVEL_GAMMON) -> None:
    """Black resigns the game that is on, and starts the next one."""
    if at.state.game.phase == table.PHASE_OPENING_THROW:
        await at.act(WHITE, **THROW)
    await at.act(BLACK, **resign(level))
    if not at.state.game.HasField("result"):
        await at.act(WHITE, **answer(accept=True))


async def test_the_state_tells_which_game_is_on_and_which_is_next(client: Client) -> None:
    at = await at_rotation(client, listed(options={"match_length": 9}))
    match = at.state.match
    assert (match.variant, match.next_variant, match.rotation_index) == ("tavla", "plakoto", 0)
    assert (match.length, at.state.game.position.white.points[23]) == (9, 2)
    await lost(at)
    assert (at.state.match.variant, at.state.match.next_variant) == ("tavla", "plakoto")
    await at.act(**NEXT_GAME)
    match = at.state.match
    assert (match.variant, match.next_variant, match.rotation_index) == ("plakoto", "gul-bara", 1)
    assert at.state.game.position.white.points[23] == 15
    assert at.state.game.phase == table.PHASE_ROLL  # by the rules of plakoto the winner starts
    told = (await at.get()).table
    assert not told.HasField("variant")
    assert [game.id for game in told.rotation.games] == ["tavla", "plakoto", "gul-bara"]
    assert told.rotation.games[1].options["mother_points"].integer == 3
    assert told.options["match_length"].integer == 9
    assert "mother_points" not in told.options


async def test_a_match_of_one_variant_says_nothing_of_rotations(client: Client) -> None:
    at = await at_table(client)
    match = at.state.match
    assert (match.variant, match.next_variant, match.rotation_index) == ("", "", 0)
    assert not (await at.get()).table.HasField("rotation")


async def test_a_rotation_of_the_server_is_played_by_its_id(client: Client) -> None:
    listing = await client.ListVariants(variants.ListVariantsRequest())
    found = {one.rotation.id: one for one in listing.rotations}
    assert found.keys() == {"tavli", "bulgarian-rotation", "tavla-plakoto"}
    known = found["tavla-plakoto"]
    assert known.title == "Tavla and plakoto"
    assert known.rotation.options["match_length"].integer == 3
    at = await at_rotation(client, pb.RotationRef(id="tavla-plakoto", start_index=1))
    assert (at.state.match.variant, at.state.match.length) == ("plakoto", 3)
    again = await at_rotation(client, (await at.get()).table.rotation)  # with its games
    assert again.state.match == at.state.match
    await lost(at)
    await at.act(**NEXT_GAME)
    assert at.state.match.variant == "tavla"
    await lost(at)
    assert (at.state.match.winner, at.state.match.next_variant) == (WHITE, "")


async def test_tables_are_found_by_the_variant_of_their_first_game(client: Client) -> None:
    at = await at_rotation(client, listed(start_index=2))
    found = await client.ListTables(service.ListTablesRequest(variant="gul-bara"))
    assert [one.id for one in found.tables] == [at.id]


async def test_a_rematch_may_change_to_a_rotation_and_back(client: Client) -> None:
    at = await at_table(client, ref("tavla", match_length=1), table.DICE_MODE_SYSTEM)
    await lost(at, pb.LEVEL_SINGLE)
    wanted = table.RematchAction(rotation=listed())
    await at.act(WHITE, rematch=wanted)
    [asked] = at.state.asked
    assert [game.id for game in asked.rotation.games] == ["tavla", "plakoto", "gul-bara"]
    await at.act(BLACK, rematch=table.RematchAction())
    assert (at.state.match_number, at.state.match.next_variant) == (2, "plakoto")
    events = (await client.ListEvents(service.ListEventsRequest(table=at.id))).events
    [started] = [one.match_started for one in events if one.HasField("match_started")]
    assert len(started.rotation.games) == 3
    assert not started.HasField("variant")
    assert started.options["match_length"].integer == 5
    await at.act(WHITE, resign_match=table.ResignMatchAction())
    # Without rules it is the same again.
    for seat in (WHITE, BLACK):
        await at.act(seat, rematch=table.RematchAction())
    assert (at.state.match_number, at.state.match.next_variant) == (3, "plakoto")
    await at.act(WHITE, resign_match=table.ResignMatchAction())
    for seat in (WHITE, BLACK):
        await at.act(seat, rematch=table.RematchAction(variant=ref("western")))
    assert (at.state.match.variant, at.state.match.length) == ("", 7)


async def test_its_record_goes_on_at_another_table_and_is_told_and_written_again(
    client: Client,
) -> None:
    at = await at_rotation(client, listed(options={"match_length": 7}))
    await lost(at)
    await at.act(**NEXT_GAME)
    text = (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
    assert text.startswith('{"bgcore":2,"rotation":')
    created = await client.CreateTable(service.CreateTableRequest(start=service.Start(record=text)))
    assert created.state.match == at.state.match
    told = await client.ReplayMatch(rules.ReplayMatchRequest(text=text))
    [match] = told.matches
    assert not match.faults
    assert [game.id for game in match.rotation.games] == ["tavla", "plakoto", "gul-bara"]
    written = await client.FormatMatch(rules.FormatMatchRequest(match=match))
    assert written.text.splitlines()[1:] == text.splitlines()[1:]
    for form in (pb.MATCH_FORMAT_MATCH_TEXT, pb.MATCH_FORMAT_SGF):
        request = service.ExportMatchRequest(table=at.id, format=form)
        found = await refusal_of(client.ExportMatch(request))
        assert found.code == grpc.StatusCode.FAILED_PRECONDITION
        assert "one variant" in found.message


async def test_two_bots_play_a_rotation_to_its_end(client: Client) -> None:
    bot = table.Occupant(bot=table.Bot(id="greedy"))
    rotation = listed(ref("acey-deucey"), ref("russian-backgammon"), options={"match_length": 5})
    request = service.CreateTableRequest(rotation=rotation, white=bot, black=bot)
    created = await client.CreateTable(request)
    watch = client.WatchTable(service.WatchTableRequest(table=created.table.id, after_revision=0))
    async for told in watch:
        if told.event.state.match.winner:
            break
    watch.cancel()
    assert told.event.state.match.game_number >= 1


WRONG: tuple[tuple[pb.RotationRef, str, str], ...] = (
    (pb.RotationRef(), "ROTATION_MISSING", "rotation"),
    (listed(ref()), "ROTATION_LENGTH", "rotation.games"),
    (pb.RotationRef(id="chess"), "UNKNOWN_ROTATION", "rotation.id"),
    (pb.RotationRef(id="tavla-plakoto", games=GAMES), "GAMES_DIFFER", "rotation.games"),
    (listed(ref(), ref("chess")), "UNKNOWN_VARIANT", "rotation.games[1].id"),
    (listed(ref(), ref("tavla", "chess")), "UNKNOWN_PRESET", "rotation.games[1].preset"),
    (listed(ref(), pb.VariantRef()), "VARIANT_MISSING", "rotation.games[1]"),
    (
        listed(ref(), pb.VariantRef(spec=pb.VariantSpec(base="chess"))),
        "SPEC_UNKNOWN_PARENT",
        "rotation.games[1].spec.base",
    ),
    (
        listed(ref(), ref("plakoto", mother=1)),
        "UNKNOWN_OPTION",
        'rotation.games[1].options["mother"]',
    ),
    (
        listed(ref(), ref("plakoto", mother_points=9)),
        "OPTION_OUT_OF_RANGE",
        'rotation.games[1].options["mother_points"]',
    ),
    (
        listed(ref(), ref("plakoto", match_length=9)),
        "OPTION_OF_MATCH",
        'rotation.games[1].options["match_length"]',
    ),
    (
        listed(options={"mother_rule": True}),
        "UNKNOWN_OPTION",
        'rotation.options["mother_rule"]',
    ),
    (
        listed(options={"match_length": 0}),
        "OPTION_OUT_OF_RANGE",
        'rotation.options["match_length"]',
    ),
    (listed(start_index=3), "OPTION_OUT_OF_RANGE", "rotation.start_index"),
    (listed(draw_policy=9), "DRAW_POLICY_UNKNOWN", "rotation.draw_policy"),
)


@pytest.mark.parametrize(("rotation", "reason", "field"), WRONG)
async def test_what_is_wrong_with_a_rotation_is_told_at_its_place(
    client: Client, rotation: pb.RotationRef, reason: str, field: str
) -> None:
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(rotation=rotation)))
    assert (found.reason, found.field) == (reason, field)


async def test_the_id_of_a_rotation_means_its_games_wherever_it_stands(client: Client) -> None:
    at = await at_rotation(client, pb.RotationRef(id="tavla-plakoto"))
    text = (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
    [match] = (await client.ReplayMatch(rules.ReplayMatchRequest(text=text))).matches
    assert not match.faults
    await client.FormatMatch(rules.FormatMatchRequest(match=match))
    assert match.rotation.games[1].id == "plakoto"
    match.rotation.games[1].id = "tapa"
    match.rotation.games[1].options.clear()
    found = await refusal_of(client.FormatMatch(rules.FormatMatchRequest(match=match)))
    assert (found.reason, found.field) == ("ROTATION_ID_TAKEN", "match.rotation.id")
    assert "the games of tavla-plakoto as they are here (tavla, plakoto)" in found.message
    forged = text.replace('"draw_policy"', '"id":"tavli","draw_policy"').replace(
        '"id":"tavla-plakoto",', ""
    )
    start = service.Start(record=forged)
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(start=start)))
    assert (found.reason, found.field) == ("ROTATION_ID_TAKEN", "start.record")
    house = pb.VariantSpec(base="tavla", id="tavla-plakoto")
    asked = service.CreateTableRequest(variant=pb.VariantRef(spec=house))
    found = await refusal_of(client.CreateTable(asked))
    assert (found.reason, found.field) == ("SPEC_ID_TAKEN", "variant.spec.id")


async def test_every_game_that_is_not_there_is_told_at_its_place(client: Client) -> None:
    rotation = listed(ref("chess"), ref("tavla"), ref("go"))
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(rotation=rotation)))
    assert (found.reason, found.field) == ("UNKNOWN_VARIANT", "rotation.games[0].id")
    assert "game 3: variant go: expected" in found.message


async def test_a_variant_and_a_rotation_do_not_go_together(client: Client) -> None:
    request = service.CreateTableRequest(variant=ref(), rotation=listed())
    found = await refusal_of(client.CreateTable(request))
    assert (found.code, found.reason) == (INVALID, "VARIANT_BESIDE_ROTATION")
    at = await at_rotation(client, listed())
    await at.act(WHITE, resign_match=table.ResignMatchAction())
    refusal = await at.refused(WHITE, rematch=table.RematchAction(variant=ref(), rotation=listed()))
    assert refusal.field == "action.rematch.variant.id"
    refusal = await at.refused(WHITE, rematch=table.RematchAction(rotation=pb.RotationRef()))
    assert refusal.field == "action.rematch.rotation"


# -- a double to name, and points to resign ------------------------------------------------------------


async def test_a_double_is_named_over_the_wire(client: Client) -> None:
    at = await at_table(client, ref("acey-deucey"))
    await at.throw(2, 1)
    await at.roll(2, 1)
    await at.play("in/24 in/23")
    assert at.state.game.phase == table.PHASE_NAME_DOUBLE
    assert table.ACTION_KIND_NAME_DOUBLE in at.state.decision.kinds
    for number in (0, 7):
        refusal = await at.refused(name_double=table.NameDoubleAction(number=number))
        assert (refusal.code, refusal.field) == (INVALID, "action.name_double.number")
    done = await at.act(name_double=table.NameDoubleAction(number=3))
    assert done.events[0].action.name_double.number == 3
    [part] = at.state.game.turn.parts
    assert (list(part.numbers), part.kind) == ([3, 3, 3, 3], pb.PART_KIND_CHOSEN_DOUBLE)
    await at.play("in/22(4)")
    assert (at.state.game.phase, at.decider) == (table.PHASE_ROLL, WHITE)


async def test_points_are_resigned_over_the_wire(client: Client) -> None:
    at = await at_table(client, ref("tawla-31"), table.DICE_MODE_SYSTEM)
    await at.act(WHITE, **THROW)
    decision = at.state.decision
    assert (decision.resign_points, decision.other_resign_points) == (15, 15)
    assert not decision.resign_levels
    refusal = await at.refused(BLACK, **resign(pb.LEVEL_SINGLE))
    assert refusal.reason == "LEVEL_NOT_TAKEN"
    for points, reason in ((16, "POINTS_NOT_POSSIBLE"), (256, "POINTS_OUT_OF_RANGE")):
        refusal = await at.refused(BLACK, resign=table.ResignAction(points=points))
        assert (refusal.reason, refusal.field) == (reason, "action.resign.points")
    await at.act(BLACK, resign=table.ResignAction(points=4))
    offer = at.state.game.resignation
    assert (offer.points, offer.level, offer.seat) == (4, pb.LEVEL_UNSPECIFIED, BLACK)
    await at.act(WHITE, **answer(accept=True))
    result = at.state.match.last_result
    assert (result.points, result.outcome.points, result.outcome.level) == (4, 4, 0)
    assert at.state.match.white_score == 4
    await at.act(**NEXT_GAME)
    await at.act(**ROLL)


async def test_no_points_are_resigned_where_levels_are(client: Client) -> None:
    at = await at_table(client, ref(), table.DICE_MODE_SYSTEM)
    refusal = await at.refused(WHITE, resign=table.ResignAction(points=3))
    assert (refusal.reason, refusal.field) == ("POINTS_NOT_TAKEN", "action.resign.points")
    assert refusal.code == grpc.StatusCode.FAILED_PRECONDITION
