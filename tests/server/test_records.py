"""Matches as files: exported from tables, gone on with at tables, replayed, written in other ways."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
import pytest
from google.protobuf.descriptor import Descriptor

from bgcore.notation.formats import MATCH_FORMATS
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.convert.matches import MOST_MATCHES, NUMBERS
from tests.server.fields import is_path
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    Refused,
    at_table,
    opening,
    ref,
    refusal_of,
    request_id,
    running,
)
from tests.server.test_tables import channel

INVALID = grpc.StatusCode.INVALID_ARGUMENT
NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
RECORD = pb.MATCH_FORMAT_RECORD
OTHERS = [NUMBERS[one.id] for one in MATCH_FORMATS if one.id != "record"]
"""Every other way to write a match."""
SAMPLES = Path(__file__).parents[1] / "data" / "matches"
HEADER = '{"bgcore":1,"variant":"western","options":{"match_length":3},"names":["ann","bob"]}'
NEARLY_OFF = pb.Position(
    white=pb.Side(points=[15] + [0] * 23), black=pb.Side(points=[15] + [0] * 23), on_roll=WHITE
)
SHORT = f"""{HEADER}
{{"kind":"throw","dice":[3,1]}}
{{"kind":"play","seat":"white","play":"8/5 6/5"}}
{{"kind":"roll","seat":"black","dice":[6,5]}}
{{"score":[0,0],"winner":null}}
"""
OVER = SHORT.replace(
    '{"score":[0,0],"winner":null}',
    '{"kind":"resign_match","seat":"white"}\n{"score":[0,0],"winner":"black"}',
)


async def exported(at: AtTable, form: int = 0) -> service.ExportMatchResponse:
    request = service.ExportMatchRequest(table=at.id, format=cast(Any, form))
    answer: service.ExportMatchResponse = await at.client.ExportMatch(request)
    return answer


async def made_of(client: Client, record: str, **more: Any) -> service.CreateTableResponse:
    fields: dict[str, Any] = {"dice_mode": table.DICE_MODE_MANUAL} | more
    request = service.CreateTableRequest(start=service.Start(record=record), **fields)
    answer: service.CreateTableResponse = await client.CreateTable(request)
    return answer


async def test_a_flag_of_a_record_is_not_the_doing_of_who_lost_by_it(client: Client) -> None:
    options = '"options":{"match_length":3,"clock":"per_turn","flag_loses":"game"}'
    flagged = SHORT.replace('"options":{"match_length":3}', options).replace(
        '{"score":[0,0],"winner":null}',
        '{"kind":"flag","seat":"black"}\n{"score":[1,0],"winner":null}',
    )
    made = await made_of(client, flagged)
    listed = await client.ListEvents(service.ListEventsRequest(table=made.table.id))
    last = listed.events[-1]
    assert (last.seat, last.action.flag.seat) == (pb.SEAT_UNSPECIFIED, BLACK)


async def replayed(client: Client, text: str, form: int = 0) -> rules.ReplayMatchResponse:
    request = rules.ReplayMatchRequest(text=text, format=cast(Any, form))
    answer: rules.ReplayMatchResponse = await client.ReplayMatch(request)
    return answer


async def formatted(client: Client, form: int = 0, **source: Any) -> str:
    request = rules.FormatMatchRequest(format=cast(Any, form), **source)
    return str((await client.FormatMatch(request)).text)


def same_match(one: table.TableState, other: table.TableState) -> bool:
    """Whether two states differ in nothing but their tables."""
    return (one.match, one.game, one.decision) == (other.match, other.game, other.decision)


async def any_act(at: AtTable, chance: Random) -> None:
    """One of the things that may be done, resigning the match left out."""
    kinds = [kind for kind in at.state.decision.kinds if kind != table.ACTION_KIND_RESIGN_MATCH]
    kind = chance.choice(kinds)
    if kind == table.ACTION_KIND_PLAY:
        await at.any_play()
        return
    name = table.Action.DESCRIPTOR.fields_by_number[kind].name
    action = table.Action()
    getattr(action, name).SetInParent()
    if kind == table.ACTION_KIND_RESIGN:
        action.resign.level = chance.choice(at.state.decision.resign_levels)
    if kind == table.ACTION_KIND_ANSWER_RESIGNATION:
        action.answer_resignation.accept = chance.random() < 0.5
    await at.act(**{name: getattr(action, name)})


# -- export and going on ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "seed"),
    [
        (ref("western", match_length=3, animals=2, money_rules_in_match="allow"), 1),
        (ref("western", "money-004", auto_doubles=2), 2),
        (ref("plakoto", match_length=2), 3),
        (ref("gul-bara", match_length=2), 4),
        (ref("tavla", match_length=2, clock="fischer"), 5),
        (ref("western", "vog"), 6),
    ],
    ids=["western", "money", "plakoto", "gul-bara", "tavla", "vog"],
)
async def test_at_every_moment_the_record_leads_to_the_same_state(
    client: Client, variant: pb.VariantRef, seed: int
) -> None:
    chance = Random(seed)
    at = await at_table(client, variant, table.DICE_MODE_SEEDED, seed=seed)
    for _ in range(60):
        record = await exported(at)
        assert record.revision == at.state.revision
        if not at.state.HasField("decision"):
            break
        if chance.random() < 0.3:
            made = await made_of(client, record.text)
            assert same_match(made.state, at.state)
            told = (await at.get()).table
            assert made.table.options == told.options
        await any_act(at, chance)


async def test_a_new_table_has_a_record(client: Client) -> None:
    created = await client.CreateTable(service.CreateTableRequest(variant=ref(match_length=3)))
    at = AtTable(client, created.table.id, {}, created.state)
    found = await exported(at)
    assert (found.format, found.media_type) == (pb.MATCH_FORMAT_RECORD, "application/jsonl")
    assert found.file_name == f"{at.id}.jsonl"
    header, closing = map(json.loads, found.text.splitlines())
    assert header["options"]["match_length"] == 3
    assert header["dice"] == {"mode": "system"}
    assert closing == {"score": [0, 0], "winner": None}


async def test_a_match_from_a_position_is_exported_with_it(client: Client) -> None:
    start = service.Start(position=opening(BLACK), white_score=2, dice=[6, 5])
    at = await at_table(client, ref(match_length=3), start=start)
    found = await exported(at)
    made = await made_of(client, found.text)
    assert same_match(made.state, at.state)
    [match] = (await replayed(client, found.text)).matches
    assert match.start.position == opening(BLACK)
    assert (match.start.white_score, list(match.start.dice)) == (2, [6, 5])


async def test_the_actions_of_a_record_are_the_first_events(client: Client) -> None:
    made = await made_of(client, SHORT)
    assert (made.state.revision, made.table.status) == (3, table.TABLE_STATUS_WAITING)
    assert [made.table.white.player.name, made.table.black.player.name] == ["ann", "bob"]
    columns = pb.PLAY_VIEW_COLUMNS
    listed = service.ListEventsRequest(table=made.table.id, states=True, view=columns)
    events = (await client.ListEvents(listed)).events
    assert [event.seat for event in events] == [0, WHITE, BLACK]
    assert [event.action.WhichOneof("kind") for event in events] == ["throw", "play", "roll"]
    assert {event.time.ToMicroseconds() for event in events} == {
        made.table.create_time.ToMicroseconds()
    }
    assert events[-1].state == made.state


async def test_a_match_goes_on_and_survives_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/record.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client, pb.VariantRef(id="western"), start=service.Start(record=SHORT))
        await at.play("24/13")
        before, text = await at.get(), (await exported(at)).text
    async with running(database) as server, channel(server.grpc) as client:
        at.client = client
        assert await at.get() == before
        assert (await exported(at)).text == text
        await at.roll(2, 1)


async def test_a_request_repeated_makes_one_table_of_a_record(client: Client) -> None:
    more = {"request_id": request_id()}
    first = await made_of(client, SHORT, **more)
    assert await made_of(client, SHORT, **more) == first


async def test_a_bot_goes_on_where_the_record_stops(client: Client) -> None:
    bot = table.Occupant(bot=table.Bot(id="greedy"))
    made = await made_of(client, SHORT, dice_mode=table.DICE_MODE_SYSTEM, white=bot, black=bot)
    assert made.state.revision == 3
    request = service.WatchTableRequest(table=made.table.id, after_revision=3)
    async for news in client.WatchTable(request):
        assert news.event.revision == 4
        assert news.event.action.WhichOneof("kind") == "play"
        break


async def test_a_clock_begins_when_both_have_sat_down(client: Client) -> None:
    text = SHORT.replace('"match_length":3', '"match_length":3,"clock":"fischer","bank_fixed":20')
    at = await at_table(client, pb.VariantRef(id="western"), start=service.Start(record=text))
    assert at.state.clock.running == BLACK
    assert at.state.clock.white_left.seconds == at.state.clock.black_left.seconds == 20


async def test_dice_are_committed_from_the_record_on(client: Client) -> None:
    start = service.Start(record=SHORT)
    variant = pb.VariantRef(id="western")
    at = await at_table(client, variant, table.DICE_MODE_COMMITTED, ("one", "two"), start=start)
    await at.any_play()
    await at.act(**ROLL)
    await at.act(WHITE, **RESIGN_MATCH)
    answer = await client.VerifyDice(service.VerifyDiceRequest(table=at.id))
    assert answer.legal
    assert [one.revision for one in answer.throws] == [7]
    assert "dice" not in json.loads((await exported(at)).text.splitlines()[0])


async def test_an_export_tells_of_committed_dice(client: Client) -> None:
    variant = ref(match_length=1)
    at = await at_table(client, variant, table.DICE_MODE_COMMITTED, ("one", "two"))
    await at.act(**THROW)
    told = json.loads((await exported(at)).text.splitlines()[0])["dice"]
    assert told["commitment"] == at.state.dice.commitment
    assert (told["seeds"], told["server_seed"]) == (["one", "two"], None)
    await at.act(WHITE, **RESIGN_MATCH)
    told = json.loads((await exported(at)).text.splitlines()[0])["dice"]
    assert told["server_seed"] == at.state.dice.server_seed


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("nonsense", None),
        ("{}", None),
        (HEADER, "RECORD_CUT"),
        (SHORT.replace("8/5 6/5", "8/5 6/4"), None),
        (SHORT.replace('"score":[0,0]', '"score":[1,0]'), "SCORE_MISMATCH"),
        (SHORT.replace("western", "nope"), "UNKNOWN_VARIANT"),
        (SHORT.replace('"match_length":3', '"match_length":0'), "OPTION_OUT_OF_RANGE"),
        (SHORT + SHORT, "ONE_MATCH"),
        (OVER, "MATCH_OVER"),
        ("x" * (1 << 18) + "x", "TEXT_LENGTH"),
        ("[" * 100_000, None),
        (SHORT.replace('"ann"', f'"{"x" * 101}"'), "NAME_TOO_LONG"),
        ("1 point match\n\n Game 1\n ann : 0  bob : 0\n  1) 31: 8/5 6/5\n", None),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_a_record_that_does_not_go_on_makes_no_table(
    client: Client, record: str, reason: str | None
) -> None:
    found = await refusal_of(made_of(client, record))
    assert (found.code, found.field) == (INVALID, "start.record"), found.message
    assert reason is None or found.reason == reason
    assert not (await client.ListTables(service.ListTablesRequest())).tables


@pytest.mark.parametrize(
    ("more", "reason", "field"),
    [
        ({"variant": ref("tavla")}, "RECORD_DIFFERS", "variant.id"),
        ({"variant": ref(match_length=5)}, "RECORD_DIFFERS", 'variant.options["match_length"]'),
        ({"variant": ref("western", "vog")}, "RECORD_DIFFERS", 'variant.options["dead_cube_rule"]'),
        ({"variant": ref("nope")}, "UNKNOWN_VARIANT", "variant.id"),
        ({"start": service.Start(record=SHORT, white_score=1)}, "START_BESIDE_RECORD", "start"),
        ({"start": service.Start(record=SHORT, dice=[3])}, "START_BESIDE_RECORD", "start"),
        ({"start": service.Start(record=SHORT, crawford=9)}, "START_BESIDE_RECORD", "start"),  # type: ignore[arg-type]
    ],
    ids=lambda value: str(value)[:40],
)
async def test_what_a_record_says_is_not_said_otherwise(
    client: Client, more: dict[str, Any], reason: str, field: str
) -> None:
    fields: dict[str, Any] = {"start": service.Start(record=SHORT)} | more
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(**fields)))
    assert (found.reason, found.field) == (reason, field), found.message


async def test_what_a_record_says_may_be_said_once_more(client: Client) -> None:
    made = await made_of(client, SHORT, variant=ref("backgammon", match_length=3))
    assert made.table.variant.id == "western"
    assert made.table.options["match_length"].integer == 3


# -- exporting in other ways ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", OTHERS)
async def test_a_match_is_exported_in_other_ways(client: Client, form: int) -> None:
    at = await at_table(client, ref(match_length=1))
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    await at.act(WHITE, resign=table.ResignAction(level=pb.LEVEL_SINGLE))
    if at.state.HasField("decision"):
        await at.act(answer_resignation=table.AnswerResignationAction(accept=True))
    found = await exported(at, form)
    assert (found.format, found.file_name.startswith(at.id)) == (form, True)
    [match] = (await replayed(client, found.text)).matches
    assert not match.faults
    assert match.winner == BLACK
    assert match.actions[1].action.play.play.text == "8/5 6/5"


@pytest.mark.parametrize("form", OTHERS)
async def test_what_another_way_cannot_tell_is_said(client: Client, form: int) -> None:
    at = await at_table(client, ref("plakoto"), start=service.Start(position=NEARLY_OFF))
    found = await refusal_of(exported(at, form))
    assert (found.code, found.field) == (NOT_NOW, "format"), found.message


@pytest.mark.parametrize("form", [4, 77, -1])
async def test_an_unknown_way_is_refused(client: Client, form: int) -> None:
    at = await at_table(client)
    found = await refusal_of(exported(at, form))
    assert (found.code, found.reason, found.field) == (INVALID, "FORMAT_UNKNOWN", "format")
    found = await refusal_of(replayed(client, SHORT, form))
    assert (found.code, found.reason, found.field) == (INVALID, "FORMAT_UNKNOWN", "format")


async def test_an_unknown_table_is_not_exported(client: Client) -> None:
    found = await refusal_of(client.ExportMatch(service.ExportMatchRequest(table="nope")))
    assert (found.reason, found.field) == ("UNKNOWN_TABLE", "table")


# -- replaying ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: str(path.name))
async def test_a_sample_is_replayed_without_a_fault(client: Client, path: Path) -> None:
    form = pb.MATCH_FORMAT_SGF if path.suffix == ".sgf" else 0  # one has a letter before it
    answer = await replayed(client, path.read_text(), form)
    assert not answer.faults
    assert any(match.actions for match in answer.matches)
    for match in answer.matches:
        assert not match.faults
        again = await formatted(client, RECORD, match=match)
        [same] = (await replayed(client, again)).matches
        assert same.actions == match.actions
        assert same.options == match.options
        assert (same.white_score, same.black_score) == (match.white_score, match.black_score)


async def test_a_match_is_told_action_by_action(client: Client) -> None:
    [match] = (await replayed(client, OVER)).matches
    assert (match.white, match.black, match.winner) == ("ann", "bob", BLACK)
    assert match.options["match_length"].integer == 3
    assert [one.seat for one in match.actions] == [0, WHITE, BLACK, WHITE]
    assert match.actions[2].action.roll.dice == [6, 5]
    assert match.actions[3].action.HasField("resign_match")
    [game] = match.games
    assert (game.number, game.rolls, game.cube, game.ended_by) == (1, 2, 1, "resign")
    assert not match.HasField("start")


async def test_a_fault_has_its_line(client: Client) -> None:
    broken = SHORT.replace("8/5 6/5", "8/5 6/4")
    answer = await replayed(client, SHORT + broken)
    assert [len(match.faults) for match in answer.matches] == [0, 1]
    fault = answer.matches[1].faults[0]
    assert fault.line == 8
    assert "6/4" in fault.message
    assert len(answer.matches[1].actions) == 1


async def test_what_comes_before_an_unreadable_line_is_told(client: Client) -> None:
    answer = await replayed(client, SHORT + '{"bgcore":7}\n')
    assert len(answer.matches) == 1
    assert (answer.faults[0].line, answer.faults[0].reason) == (6, "UNKNOWN_VERSION")


@pytest.mark.parametrize(
    "text",
    [
        *("\x00", "{", "[" * 50_000, "(;" * 20_000, "(;GM[6]", "7 point match", '{"bgcore":1}'),
        " 1 point match\n\n Game 1\n ann : 99999999999  bob : 0\n  1) 31: 8/5 6/5\n",
        "3 point match\n\n Game 1\n a : 0  b : 0\n 1) 31: 8/5 6/5  Doubles => 99999999999\n",
        SHORT.replace('"score":[0,0]', '"score":[99999999999,-5]'),
        SHORT.replace("[3,1]", "[3,1,2,4]"),
        SHORT.replace('"western"', '"we\\ud800stern"'),
        "\ufeff" + SHORT[:50],
    ],
    ids=range(13),
)
async def test_a_hostile_file_is_answered_in_words(client: Client, text: str) -> None:
    for form in (0, RECORD, *OTHERS):
        answer = await replayed(client, text, form)
        faults = [*answer.faults, *(fault for match in answer.matches for fault in match.faults)]
        assert faults
        assert all(fault.reason and fault.message for fault in faults)


async def test_no_text_is_no_file(client: Client) -> None:
    found = await refusal_of(replayed(client, ""))
    assert (found.code, found.reason, found.field) == (INVALID, "TEXT_LENGTH", "text")


async def test_a_file_of_too_many_matches_is_refused(client: Client) -> None:
    tiny = '{"bgcore":1,"variant":"western"}\n{"score":[0,0],"winner":null}\n'
    answer = await replayed(client, tiny * MOST_MATCHES)
    assert len(answer.matches) == MOST_MATCHES
    found = await refusal_of(replayed(client, tiny * (MOST_MATCHES + 1)))
    assert (found.code, found.reason, found.field) == (INVALID, "TOO_MANY_MATCHES", "text")


async def test_a_file_of_more_than_a_request_may_have_is_refused(client: Client) -> None:
    found = await refusal_of(replayed(client, "x" * (1 << 20)))
    assert (found.code, found.reason) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
    )


# -- writing --------------------------------------------------------------------------------------------


async def test_a_text_is_written_in_other_ways_and_back(client: Client) -> None:
    finished = SHORT.replace(
        '{"score":[0,0],"winner":null}',
        '{"kind":"resign","seat":"black","level":"backgammon"}\n{"score":[3,0],"winner":"white"}',
    )
    for form in OTHERS:
        other = await formatted(client, form, text=finished)
        [match] = (await replayed(client, other, form)).matches
        assert not match.faults
        assert (match.white, match.black, match.winner) == ("ann", "bob", WHITE)
        back = await formatted(client, RECORD, text=other)
        assert '"play":"8/5 6/5"' in back


def sent(**more: Any) -> rules.ReplayedMatch:
    """A match as a client may make one."""
    throw = table.RecordedAction(action=table.Action(throw=table.ThrowAction(dice=[3, 1])))
    fields: dict[str, Any] = {"variant": ref(match_length=3), "actions": [throw]} | more
    return rules.ReplayedMatch(**fields)


def act(seat: int = 0, **kind: Any) -> table.RecordedAction:
    return table.RecordedAction(seat=cast(Any, seat), action=table.Action(**kind))


async def test_a_match_of_actions_is_written(client: Client) -> None:
    text = await formatted(
        client,
        match=sent(
            white="ann",
            headers={"event": "club"},
            start=service.Start(white_score=1),
            actions=[
                act(throw=table.ThrowAction(dice=[3, 1])),
                act(WHITE, play=table.PlayAction(play=pb.Play(text="8/5 6/5"))),
                act(BLACK, double=table.DoubleAction()),
                act(WHITE, drop=table.DropAction()),
                act(next_game=table.NextGameAction()),
            ],
        ),
    )
    header, *actions, closing = map(json.loads, text.splitlines())
    assert (header["names"], header["headers"]) == (["ann", ""], {"event": "club"})
    assert [action["kind"] for action in actions] == [
        "throw",
        "play",
        "double",
        "drop",
        "next_game",
    ]
    assert closing == {"score": [1, 1], "winner": None}


@pytest.mark.parametrize(
    ("source", "reason", "field"),
    [
        ({}, "MATCH_MISSING", "text"),
        ({"text": ""}, "TEXT_LENGTH", "text"),
        ({"text": "nonsense"}, None, "text"),
        ({"text": SHORT + SHORT}, "ONE_MATCH", "text"),
        ({"text": SHORT.replace("8/5 6/5", "8/5 6/4")}, None, "text"),
        ({"text": SHORT, "source_format": 9}, "FORMAT_UNKNOWN", "source_format"),
        ({"text": SHORT, "format": 9}, "FORMAT_UNKNOWN", "format"),
        ({"match": sent(), "source_format": RECORD}, "FORMAT_UNUSED", "source_format"),
        ({"match": sent(variant=None)}, "VARIANT_MISSING", "match.variant.id"),
        ({"match": sent(variant=ref("nope"))}, "UNKNOWN_VARIANT", "match.variant.id"),
        ({"match": sent(variant=ref(color=3))}, "UNKNOWN_OPTION", 'match.variant.options["color"]'),
        ({"match": sent(headers={"x": "y" * 2000})}, "HEADER_TOO_LONG", "match.headers"),
        (
            {"match": sent(headers={str(n): "" for n in range(101)})},
            "TOO_MANY_HEADERS",
            "match.headers",
        ),
        (
            {"match": sent(start=service.Start(white_score=3))},
            "MATCH_OVER",
            "match.start.white_score",
        ),
        (
            {"match": sent(start=service.Start(record=SHORT))},
            "RECORD_UNUSED",
            "match.start.record",
        ),
        ({"match": sent(start=service.Start(dice=[3]))}, None, "match.start.dice"),
        (
            {"match": sent(start=service.Start(position=opening(0)))},
            "SEAT_MISSING",
            "match.start.position.on_roll",
        ),
        ({"match": sent(actions=[act()])}, "ACTION_MISSING", "match.actions[0]"),
        (
            {"match": sent(actions=[act(throw=table.ThrowAction(dice=[7, 1]))])},
            "BAD_DICE",
            "match.actions[0]",
        ),
        (
            {"match": sent(actions=[act(throw=table.ThrowAction())])},
            "BAD_DICE",
            "match.actions[0]",
        ),
        (
            {"match": sent(actions=[act(roll=table.RollAction())])},
            "SEAT_UNKNOWN",
            "match.actions[0]",
        ),
        (
            {"match": sent(actions=[act(flag=table.FlagAction())])},
            "SEAT_UNKNOWN",
            "match.actions[0]",
        ),
        (
            {
                "match": sent(
                    actions=[
                        act(throw=table.ThrowAction(dice=[3, 1])),
                        act(WHITE, play=table.PlayAction(play=pb.Play(text="8/5 6/4"))),
                    ]
                )
            },
            None,
            "match.actions[1]",
        ),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_what_cannot_be_written_is_told_by_its_path(
    client: Client, source: dict[str, Any], reason: str | None, field: str
) -> None:
    found: Refused = await refusal_of(client.FormatMatch(rules.FormatMatchRequest(**source)))
    assert found.code in (INVALID, grpc.StatusCode.NOT_FOUND), found.message
    assert found.field == field, found.message
    assert reason is None or found.reason == reason
    assert is_path(cast(Descriptor, rules.FormatMatchRequest.DESCRIPTOR), field)


async def test_what_a_way_has_no_words_for_is_told(client: Client) -> None:
    start = service.Start(position=NEARLY_OFF)
    match = sent(variant=ref("plakoto"), actions=[], start=start)
    for form in OTHERS:
        request = rules.FormatMatchRequest(match=match, format=cast(Any, form))
        found = await refusal_of(client.FormatMatch(request))
        assert (found.code, found.field) == (INVALID, "format"), found.message


def test_samples_are_there() -> None:
    assert len(list(SAMPLES.iterdir())) >= 5


BREAKS_OFF = """ 3 point match

 Game 1
 ann : 0                              bob : 0
  1) 31: 8/5 6/5                      65: 24/13
  2) 42: 8/4 6/4
"""


async def test_a_match_that_only_breaks_off_is_written_as_far_as_it_goes(client: Client) -> None:
    [match] = (await replayed(client, BREAKS_OFF)).matches
    assert [fault.reason for fault in match.faults] == ["NO_RESULT"]
    written = await client.FormatMatch(rules.FormatMatchRequest(text=BREAKS_OFF))
    [same] = (await replayed(client, written.text)).matches
    assert not same.faults
    assert same.actions == match.actions
    assert len(same.actions) == 6


async def test_a_match_that_breaks_a_rule_before_it_breaks_off_is_not_written(
    client: Client,
) -> None:
    wrong = BREAKS_OFF.replace("8/4 6/4", "8/4 6/3")
    found = await refusal_of(client.FormatMatch(rules.FormatMatchRequest(text=wrong)))
    assert (found.code, found.field) == (INVALID, "text")
    assert found.reason != "NO_RESULT"
