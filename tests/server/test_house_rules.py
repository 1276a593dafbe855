"""House rules in a request: played, kept with the table, told back, and refused with every fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

import bgcore
from bgcore.replay_record import replayed_records
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from bgcore_server.convert.options import CACHED_SPECS, Shelf
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    WHITE,
    AtTable,
    Client,
    at_table,
    opening,
    ref,
    refusal_of,
    running,
)
from tests.server.test_tables import channel
from tests.server.wanting import rematch

START = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
POINTS = [START.get(point, 0) for point in range(1, 25)]


def axes(**values: Any) -> dict[str, pb.OptionValue]:
    return dict(ref(**values).options)


def house(*, length: int = 1, **more: Any) -> pb.VariantRef:
    said: dict[str, Any] = {
        "base": "western",
        "id": "kitchen",
        "title": "Kitchen table",
        "axes": axes(bear_off="exact", cube=False),
        "start": pb.SpecStart(points=START),
        "options": pb.SpecOptions(names=["opening_roll"]),
        "bundles": {"quick": pb.SpecBundle(options=axes(match_length=3))},
    }
    spec = pb.VariantSpec(**{**said, **more})
    return pb.VariantRef(spec=spec, options=axes(match_length=length))


def position() -> pb.Position:
    side = pb.Side(points=POINTS)
    return pb.Position(white=side, black=side, on_roll=pb.SEAT_WHITE)


def five_faults() -> pb.VariantRef:
    return house(
        axes=axes(contcat="pin", gammon_value=9),
        start=pb.SpecStart(points={24: 20, 30: 1}),
        id="tavla",
    )


FIVE = {
    'variant.spec.axes["contcat"]',
    'variant.spec.axes["gammon_value"]',
    "variant.spec.start",
    "variant.spec.start.points[30]",
    "variant.spec.id",
}


def requests(variant: pb.VariantRef, board: pb.Position) -> dict[str, Any]:
    same: dict[str, Any] = {"variant": variant, "position": board}
    texts = [pb.POSITION_FORMAT_BOARD_TEXT]
    match = rules.ReplayedMatch(variant=variant)
    return {
        "CheckPosition": rules.CheckPositionRequest(**same),
        "ListPlays": rules.ListPlaysRequest(**same, dice=[3, 1]),
        "ListSteps": rules.ListStepsRequest(**same, dice=[3, 1]),
        "CheckPlay": rules.CheckPlayRequest(**same, dice=[3, 1], play=pb.Play(text="8/5 6/5")),
        "GetOutcome": rules.GetOutcomeRequest(**same),
        "ConvertPosition": rules.ConvertPositionRequest(**same, target_formats=texts),
        "FormatMatch": rules.FormatMatchRequest(match=match),
        "BatchListPlays": rules.BatchListPlaysRequest(variant=variant),
        "CreateTable": service.CreateTableRequest(variant=variant),
    }


PREFIX = {"FormatMatch": "match."}
NAMES = tuple(requests(house(), position()))


@pytest.mark.parametrize("name", NAMES)
async def test_every_rpc_that_takes_a_variant_takes_house_rules(client: Client, name: str) -> None:
    assert await getattr(client, name)(requests(house(), position())[name]) is not None


@pytest.mark.parametrize("name", NAMES)
async def test_five_faults_are_five_violations_with_their_paths(client: Client, name: str) -> None:
    found = await refusal_of(getattr(client, name)(requests(five_faults(), position())[name]))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    prefix = PREFIX.get(name, "")
    assert {violation.field for violation in found.violations} == {prefix + path for path in FIVE}


async def test_an_axis_with_the_name_of_another_field_is_told_as_an_axis(client: Client) -> None:
    variant = house(axes={"start": pb.OptionValue(text="24:2")})
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(variant=variant)))
    assert (found.reason, found.field) == ("SPEC_UNKNOWN_KEY", 'variant.spec.axes["start"]')


BESIDE = "a field of the spec beside axes"
WORDS: tuple[tuple[pb.VariantSpec, str, str], ...] = (
    (pb.VariantSpec(), "base", "spec: base is missing, expected the id of a variant"),
    (pb.VariantSpec(base="wetsern"), "base", "spec base wetsern: expected "),
    *(
        (
            pb.VariantSpec(base="western", axes={axis: pb.OptionValue(text="x")}),
            f'axes["{axis}"]',
            told,
        )
        for axis, told in {
            "parent": f"spec axes.parent x: expected base, {BESIDE}",
            "base": f"spec axes.base x: expected base, {BESIDE}",
            "start": f"spec axes.start x: expected start, {BESIDE}",
            "strat": f"spec strat x: expected start, most likely, {BESIDE}",
            "contcat": "spec contcat x: expected contact, most likely",
            "zzz": "spec zzz x: expected one of layout",
            "crawford": "spec crawford x: expected an axis: this is an option",
        }.items()
    ),
)


@pytest.mark.parametrize(("spec", "field", "told"), WORDS)
async def test_a_request_is_answered_in_its_own_words(
    client: Client, spec: pb.VariantSpec, field: str, told: str
) -> None:
    """A request has `base` and `axes` where a file has `parent` and its keys side by side."""
    games = [pb.VariantRef(spec=spec), ref()]
    for request, at in (
        (service.CreateTableRequest(variant=games[0]), "variant.spec"),
        (
            service.CreateTableRequest(rotation=pb.RotationRef(games=games)),
            "rotation.games[0].spec",
        ),
    ):
        found = await refusal_of(client.CreateTable(request))
        assert found.field == f"{at}.{field}"
        [violation] = found.violations
        assert told in violation.description
        assert told in found.message


async def test_an_axis_with_the_name_of_a_field_hides_no_other_fault(client: Client) -> None:
    text = pb.OptionValue(text="x")
    spec = pb.VariantSpec(base="western", axes={"start": text, "base": text, "contcat": text})
    found = await refusal_of(client.GetVariant(variants.GetVariantRequest(spec=spec)))
    assert [violation.field for violation in found.violations] == [
        f'spec.axes["{axis}"]' for axis in ("base", "start", "contcat")
    ]


async def test_the_rules_of_a_request_hold(client: Client) -> None:
    board = pb.Position(
        white=pb.Side(points=[0, 0, 0, 0, 2] + [0] * 19, off=13),
        black=pb.Side(points=[2] + [0] * 23, off=13),
        on_roll=pb.SEAT_WHITE,
    )
    for variant, plays in ((house(), False), (ref(), True)):
        asked = rules.ListPlaysRequest(variant=variant, position=board, dice=[6, 6])
        # An exact game has no use for a six from the 5-point.
        assert any((await client.ListPlays(asked)).plays.lengths) is plays


async def test_a_variant_of_a_request_is_told_as_any_other(client: Client) -> None:
    got = await client.GetVariant(variants.GetVariantRequest(spec=house().spec))
    assert got.variant.summary.title == "Kitchen table"
    assert list(got.variant.start.white.points) == POINTS
    assert "cube" not in {option.name for option in got.variant.options}
    assert "quick" in {preset.id for preset in got.variant.presets}
    both = variants.GetVariantRequest(id="western", spec=house().spec)
    assert (await refusal_of(client.GetVariant(both))).reason == "SPEC_BESIDE_ID"
    wrong = await refusal_of(client.GetVariant(variants.GetVariantRequest(spec=five_faults().spec)))
    paths = {path.removeprefix("variant.") for path in FIVE}
    assert {violation.field for violation in wrong.violations} == paths


async def export(at: AtTable) -> str:
    text: str = (await at.client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
    return text


async def test_a_table_keeps_them_through_restarts_and_on_other_servers(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await at_table(client, house())
        await at.throw(3, 1)
        told = (await at.get()).table.variant
        assert told.spec.id == "kitchen"
        assert dict(told.spec.start.points) == START
        assert told.spec.axes["bear_off"].text == "exact"
        assert list(told.spec.options.names) == ["opening_roll"]
        async with running(database) as two, channel(two.grpc) as other:
            at.client = other
            await at.play("24/21 24/23")
    # One where an operator has given the id to something else.
    spec = bgcore.Spec.of({"parent": "tavla", "id": "kitchen"})
    taken = bgcore.load().with_spec(spec, bgcore.load().plugins[0])
    async with running(database, taken) as three, channel(three.grpc) as client:
        at.client = client
        got = await at.get()
        assert got.table.variant == told
        await at.roll(6, 5)
        assert not three.faults.found


async def test_a_record_is_answered_in_the_words_of_records(client: Client) -> None:
    text = (await export(await at_table(client, house()))).replace('"western"', '"wetsern"')
    start = service.Start(record=text)
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(start=start)))
    assert found.field == "start.record"
    assert "spec parent wetsern: expected " in found.message


async def test_a_match_of_them_is_played_and_its_record_alone_replays(client: Client) -> None:
    at = await at_table(client, house(), table.DICE_MODE_SEEDED, seed=7)
    while not at.state.match.winner:
        kinds = at.state.decision.kinds
        if table.ACTION_KIND_PLAY in kinds:
            await at.any_play()
        elif table.ACTION_KIND_THROW in kinds:
            await at.act(throw=table.ThrowAction())
        else:
            await at.act(roll=table.RollAction())
    text = await export(at)
    [found] = replayed_records(text, bgcore.load())
    assert found.report.faults == ()
    assert found.match is not None
    assert found.match.winner is not None
    assert found.record.variant == "kitchen"
    replayed = await client.ReplayMatch(rules.ReplayMatchRequest(text=text))
    assert replayed.matches[0].variant.spec.base == "western"
    sgf = service.ExportMatchRequest(table=at.id, format=pb.MATCH_FORMAT_SGF)
    assert (await refusal_of(client.ExportMatch(sgf))).reason == "NOT_IN_SGF"
    formatted = await client.FormatMatch(rules.FormatMatchRequest(match=replayed.matches[0]))
    [again] = replayed_records(formatted.text, bgcore.load())
    assert again.match is not None
    assert again.match.actions == found.match.actions


async def test_a_table_goes_on_from_a_record_of_them(client: Client) -> None:
    at = await at_table(client, house())
    await at.throw(3, 1)
    start = service.Start(record=await export(at))
    for variant in (None, house()):
        made = await client.CreateTable(service.CreateTableRequest(start=start, variant=variant))
        assert made.table.variant.spec.id == "kitchen"
    other = service.CreateTableRequest(start=start, variant=house(axes=axes(cube=False)))
    refused = await refusal_of(client.CreateTable(other))
    assert (refused.reason, refused.field) == ("RECORD_DIFFERS", "variant.spec")


async def test_another_match_may_be_of_house_rules_or_of_none(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client, ref(match_length=1))
        await at.act(WHITE, **RESIGN_MATCH)
        await at.act(WHITE, **rematch(house()))
        assert at.state.asked[0].variant.spec.id == "kitchen"
        await at.act(BLACK, **rematch(house()))
        assert (await at.get()).table.variant.spec.id == "kitchen"
    async with running(database) as server, channel(server.grpc) as client:
        at.client = client
        assert list((await at.get()).state.game.position.white.points) == POINTS
        await at.act(WHITE, **RESIGN_MATCH)
        await at.act(WHITE, **rematch())  # the same again
        await at.act(BLACK, **rematch())
        assert (await at.get()).table.variant.spec.id == "kitchen"
        await at.act(WHITE, **RESIGN_MATCH)
        await at.act(WHITE, **rematch(ref("tavla")))
        await at.act(BLACK, **rematch(ref("tavla")))
        assert (await at.get()).table.variant.id == "tavla"
        assert not server.faults.found


async def test_a_wish_for_wrong_house_rules_is_refused_with_every_fault(client: Client) -> None:
    at = await at_table(client, ref(match_length=1))
    await at.act(WHITE, **RESIGN_MATCH)
    found = await at.refused(WHITE, **rematch(five_faults()))
    assert {one.field for one in found.violations} == {f"action.rematch.{path}" for path in FIVE}


# -- in rotations ------------------------------------------------------------------------------------


def game(**more: Any) -> pb.VariantRef:
    """House rules as one of the games of a rotation, whose match has the length."""
    return pb.VariantRef(spec=house(**more).spec)


def in_rotation(*games: pb.VariantRef, length: int = 9) -> pb.RotationRef:
    return pb.RotationRef(games=games or (ref("tavla"), game()), options=axes(match_length=length))


async def at_rotation(client: Client, rotation: pb.RotationRef) -> AtTable:
    seeded = table.DICE_MODE_SEEDED
    created = await client.CreateTable(
        service.CreateTableRequest(rotation=rotation, dice_mode=seeded, seed=7)
    )
    tokens: dict[int, str] = {}
    for seat in (WHITE, BLACK):
        joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=seat))
        tokens[seat] = joined.token
    return AtTable(client, created.table.id, tokens, joined.state)


async def play_to_the_end(at: AtTable) -> set[str]:
    """Plays whatever comes; the variants of the games that were on."""
    seen = set[str]()
    while not at.state.match.winner:
        kinds = at.state.decision.kinds
        seen.add(at.state.match.variant)
        if table.ACTION_KIND_PLAY in kinds:
            await at.any_play()
        elif table.ACTION_KIND_THROW in kinds:
            await at.act(throw=table.ThrowAction())
        elif table.ACTION_KIND_NEXT_GAME in kinds:
            await at.act(next_game=table.NextGameAction())
        else:
            await at.act(roll=table.RollAction())
    return seen


async def test_a_rotation_with_house_rules_is_played_and_its_record_alone_replays(
    client: Client,
) -> None:
    at = await at_rotation(client, in_rotation(game(), ref("tavla"), length=3))
    assert list(at.state.game.position.white.points) == POINTS
    assert (at.state.match.variant, at.state.match.next_variant) == ("kitchen", "tavla")
    assert await play_to_the_end(at) == {"kitchen", "tavla"}
    text = await export(at)
    assert text.startswith('{"bgcore":4,"rotation":')
    [found] = replayed_records(text, bgcore.load())
    assert found.report.faults == ()
    assert found.match is not None
    assert found.match.winner is not None
    replayed = await client.ReplayMatch(rules.ReplayMatchRequest(text=text))
    told = replayed.matches[0].rotation
    assert [one.WhichOneof("kind") for one in told.games] == ["spec", "id"]
    assert dict(told.games[0].spec.start.points) == START
    formatted = await client.FormatMatch(rules.FormatMatchRequest(match=replayed.matches[0]))
    assert formatted.text.splitlines()[1:] == text.splitlines()[1:]
    [again] = replayed_records(formatted.text, bgcore.load())
    assert again.match == found.match


async def test_a_table_keeps_the_house_rules_of_a_rotation_through_a_restart(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_rotation(client, in_rotation())
        told = (await at.get()).table.rotation
        assert [one.spec.id or one.id for one in told.games] == ["tavla", "kitchen"]
        assert told.games[1].spec.axes["bear_off"].text == "exact"
        again = await at_rotation(client, told)  # what is told is taken
        assert (await again.get()).table.rotation == told
        other = in_rotation(ref("plakoto"), game(id="other", base="tavla", axes={}, start=None))
        await at.act(WHITE, **RESIGN_MATCH)
        for seat in (WHITE, BLACK):
            await at.act(seat, rematch=table.RematchAction(rotation=other))
        assert at.state.match.next_variant == "other"
    async with running(database) as server, channel(server.grpc) as client:
        at.client = again.client = client
        assert (await again.get()).table.rotation == told
        kept = (await at.get()).table.rotation.games[1].spec
        assert (kept.base, kept.id) == ("tavla", "other")
        await again.act(WHITE, throw=table.ThrowAction())
        goes_on = service.Start(record=await export(again))
        made = await client.CreateTable(service.CreateTableRequest(start=goes_on))
        assert made.table.rotation.games[1].spec == told.games[1].spec
        assert made.state.match == again.state.match
        assert not server.faults.found


async def test_faults_of_all_house_rules_of_a_rotation_are_told_at_their_places(
    client: Client,
) -> None:
    wrong = pb.VariantRef(spec=five_faults().spec)
    rotation = in_rotation(wrong, ref("tavla"), wrong)
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(rotation=rotation)))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    paths = [path.removeprefix("variant") for path in FIVE]
    wanted = {f"rotation.games[{index}]{path}" for index in (0, 2) for path in paths}
    assert {violation.field for violation in found.violations} == wanted


@pytest.mark.parametrize(
    ("one", "field"),
    [
        (game(base="chess"), "spec.base"),
        (game(axes={"two words": pb.OptionValue(flag=True)}), 'spec.axes["two words"]'),
        (game(axes={"start": pb.OptionValue(text="24:2")}), 'spec.axes["start"]'),
        (game(axes={"contact": pb.OptionValue()}), 'spec.axes["contact"]'),
        (pb.VariantRef(spec=house().spec, preset="chess"), "preset"),
        (pb.VariantRef(spec=house().spec, options=axes(cube_cap=4)), 'options["cube_cap"]'),
        (house(), 'options["match_length"]'),
    ],
)
async def test_what_is_wrong_with_house_rules_in_a_rotation_is_told_at_its_place(
    client: Client, one: pb.VariantRef, field: str
) -> None:
    request = service.CreateTableRequest(rotation=in_rotation(ref("tavla"), one))
    found = await refusal_of(client.CreateTable(request))
    unknown = found.reason == "UNKNOWN_PRESET"
    assert found.code is getattr(grpc.StatusCode, "NOT_FOUND" if unknown else "INVALID_ARGUMENT")
    assert found.field == f"rotation.games[1].{field}"


async def test_a_bundle_of_house_rules_in_a_rotation_holds_through_a_restart(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    bundles = {"strict": pb.SpecBundle(options=axes(opening_roll="reroll"))}
    one = pb.VariantRef(spec=house(bundles=bundles).spec, preset="strict")
    for _ in range(2):
        async with running(database) as server, channel(server.grpc) as client:
            at = await at_rotation(client, in_rotation(one, ref("tavla")))
            assert (await at.get()).table.rotation.games[0].preset == "strict"
            assert '"opening_roll":"reroll"' in await export(at)
            assert not server.faults.found


# -- hostile -----------------------------------------------------------------------------------------

TEXT = pb.OptionValue(text="x" * 5000)
NESTED = pb.OptionValue(list=pb.OptionList(values=[pb.OptionValue(list=pb.OptionList())]))


@pytest.mark.parametrize(
    "spec",
    [
        {"base": ""},
        {"base": "x" * 100_000},
        {"id": "x" * 100_000},
        {"id": "\x00"},
        {"title": "\u202e\n"},
        {"axes": {"start": TEXT}},
        {"axes": {"parent": pb.OptionValue(text="tavla")}},
        {"axes": {"bundles": NESTED}},
        {"axes": {"contact": pb.OptionValue()}},
        {"axes": {"contact": NESTED}},
        {"axes": {f"a{n}" * 50: TEXT for n in range(90)}},
        {"axes": {f"a{n}": pb.OptionValue(text="x") for n in range(1000)}},
        {"start": pb.SpecStart(points=dict.fromkeys(range(1000), 1))},
        {"start": pb.SpecStart(points={2**32 - 1: 2**32 - 1})},
        {"start": pb.SpecStart()},
        {"options": pb.SpecOptions(names=["x" * 1000] * 90)},
        {"bundles": {f"b{n}": pb.SpecBundle() for n in range(90)}},
        {"bundles": {"": pb.SpecBundle()}},
        {"bundles": {"b": pb.SpecBundle(options={"x" * 1000: NESTED})}},
        {"axes": axes(checkers=2**62)},
        {"axes": axes(dice=-1)},
    ],
)
async def test_nothing_that_a_spec_says_is_a_fault_of_the_server(
    client: Client, spec: dict[str, Any]
) -> None:
    request = rules.ListPlaysRequest(variant=house(**spec), position=opening(), dice=[3, 1])
    found = await refusal_of(client.ListPlays(request))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT


def test_a_client_that_sends_endless_specs_only_makes_room_for_others() -> None:
    shelf = Shelf(bgcore.load())
    western = shelf.rules(ref())
    for number in range(CACHED_SPECS + 10):
        shelf.rules(house(title=f"t{number}"))
    assert len(shelf._specs) <= CACHED_SPECS
    assert shelf.rules(ref()) is western


async def test_tables_of_house_rules_are_listed_by_their_id(client: Client) -> None:
    """As long as there are any: an id that nobody plays is a mistake, and told as one."""

    async def listed(**more: Any) -> list[str]:
        answer = await client.ListTables(service.ListTablesRequest(**more))
        return [one.id for one in answer.tables]

    unknown = await refusal_of(listed(variant="kitchen"))
    assert (unknown.code, unknown.value) == (grpc.StatusCode.NOT_FOUND, "kitchen")
    played = await at_table(client, house())
    made = service.CreateTableRequest(variant=house())
    waiting = (await client.CreateTable(made)).table.id
    await at_table(client, ref("western"))
    made.visibility = table.VISIBILITY_LINK
    made.variant.spec.id = "cellar"
    await client.CreateTable(made)
    assert await listed(variant="kitchen") == [waiting, played.id]
    assert await listed(variant="kitchen", status=table.TABLE_STATUS_WAITING) == [waiting]
    assert await listed(variant="kitchen", status=table.TABLE_STATUS_CLOSED) == []
    for hidden in ("cellar", "kitchen\0", "Kitchen"):
        assert (await refusal_of(listed(variant=hidden))).code is grpc.StatusCode.NOT_FOUND
