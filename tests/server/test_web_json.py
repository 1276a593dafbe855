"""What is written in JSON is understood or refused by its place: nothing is dropped."""

from __future__ import annotations

import asyncio
import copy
import gzip
import json
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest
from google.protobuf import duration_pb2, json_format, struct_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore.errors import Fault
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2
from bgcore_proto.v1 import table_service_pb2 as tables
from bgcore_server.adapters.json_request import parse
from bgcore_server.errors import MOST_VIOLATIONS, Malformed
from tests.server.helpers import ANYWHERE, Running, running
from tests.server.test_hostile import RPCS, anything
from tests.server.test_web import PLAYS, Answer, call

TABLES = "/bgcore.v1.TableService/"
WESTERN = '"variant":{"id":"western"}'
REQUESTS: dict[str, type[Message]] = {rpc.name: GetMessageClass(rpc.input_type) for rpc in RPCS}


@pytest.fixture
async def web() -> AsyncIterator[Running]:
    async with running(http=ANYWHERE) as found:
        yield found
    assert not found.faults.found


def faults(rpc: str, text: str | bytes) -> tuple[Fault, ...]:
    """What is wrong with the JSON of a request."""
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(Malformed) as caught:
        parse(data, REQUESTS[rpc])
    return caught.value.faults


# -- one by one -------------------------------------------------------------------------------------

REFUSED = [
    # names
    ("CreateTable", '{%s,"dice":"DICE_MODE_COMMITTED"}', "UNKNOWN_FIELD", "dice", "diceMode"),
    ("CreateTable", '{%s,"preset":"vog"}', "UNKNOWN_FIELD", "preset", "variant.preset"),
    (
        "CreateTable",
        '{"variant":{"id":"western","presett":"vog"}}',
        "UNKNOWN_FIELD",
        "variant.presett",
        "preset",
    ),
    ("Act", '{"validateOnyl":true}', "UNKNOWN_FIELD", "validateOnyl", "validateOnly"),
    ("Act", '{"expectedRevison":1}', "UNKNOWN_FIELD", "expectedRevison", "expectedRevision"),
    (
        "Act",
        '{"action":{"play":{"play":{"texxt":"8/5"}}}}',
        "UNKNOWN_FIELD",
        "action.play.play.texxt",
        "text",
    ),
    (
        "Act",
        '{"action":{"play":{"text":"1/2"}}}',
        "UNKNOWN_FIELD",
        "action.play.text",
        "action.play.play.text",
    ),
    (
        "Act",
        '{"action":{"dice":[3,1]}}',
        "UNKNOWN_FIELD",
        "action.dice",
        "action.throw.dice or action.roll.dice",
    ),
    ("Act", '{"action":{"take":{"it":1}}}', "UNKNOWN_FIELD", "action.take.it", "{}"),
    ("ListPlays", '{"a b":1}', "UNKNOWN_FIELD", '["a b"]', "variant"),
    ("ListPlays", '{"\\ud800":1}', "UNKNOWN_FIELD", r'["\\ud800"]', "variant"),
    # words
    ("CreateTable", '{"diceMode":"committed"}', "UNKNOWN_WORD", "dice_mode", "DICE_MODE_COMMITTED"),
    ("CreateTable", '{"diceMode":99}', "UNKNOWN_WORD", "dice_mode", "DICE_MODE_UNSPECIFIED"),
    ("CreateTable", '{"diceMode":"1"}', "UNKNOWN_WORD", "dice_mode", "DICE_MODE_"),
    ("JoinTable", '{"seat":"BLACK"}', "UNKNOWN_WORD", "seat", "SEAT_BLACK"),
    ("JoinTable", '{"seat":"black"}', "UNKNOWN_WORD", "seat", "SEAT_BLACK"),
    ("ExportMatch", '{"format":"sgf"}', "UNKNOWN_WORD", "format", "MATCH_FORMAT_SGF"),
    (
        "ConvertPosition",
        '{"targetFormats":["POSITION_FORMAT_XGID","POSITION_FORMAT_XGDI"]}',
        "UNKNOWN_WORD",
        "target_formats[1]",
        "POSITION_FORMAT_XGID",
    ),
    # kinds
    ("CreateTable", '{"variant":"western"}', "WRONG_TYPE", "variant", '"id": "western"'),
    ("CheckPlay", '{"play":"8/5 6/5"}', "WRONG_TYPE", "play", '"text": "8/5 6/5"'),
    ("Act", '{"action":"take"}', "WRONG_TYPE", "action", '"take": {}'),
    (
        "CreateTable",
        '{"variant":{"options":{"match_length":5}}}',
        "WRONG_TYPE",
        'variant.options["match_length"]',
        '{"integer": 5}',
    ),
    (
        "CreateTable",
        '{"variant":{"options":{"cube":null}}}',
        "WRONG_TYPE",
        'variant.options["cube"]',
        "an object",
    ),
    ("CreateTable", '{"variant":{"options":5}}', "WRONG_TYPE", "variant.options", "an object"),
    ("CreateTable", '{"diceMode":true}', "WRONG_TYPE", "dice_mode", "DICE_MODE_"),
    ("CreateTable", '{"requestId":5}', "WRONG_TYPE", "request_id", "a text"),
    ("CreateTable", '{"requestId":"\\ud800"}', "WRONG_TYPE", "request_id", "a text"),
    ("Act", '{"validateOnly":"true"}', "WRONG_TYPE", "validate_only", "true or false"),
    ("ListPlays", '{"dice":3}', "WRONG_TYPE", "dice", "a list, such as [3]"),
    ("ListPlays", '{"dice":[3,null]}', "WRONG_TYPE", "dice[1]", "a whole number"),
    ("ListPlays", '{"dice":[3,1.5]}', "WRONG_TYPE", "dice[1]", "a whole number"),
    ("ListPlays", '{"dice":[3,"one"]}', "WRONG_TYPE", "dice[1]", "a whole number"),
    ("ListPlays", '{"dice":[3,true]}', "WRONG_TYPE", "dice[1]", "a whole number"),
    ("ListPlays", '{"dice":[3,1e999]}', "WRONG_TYPE", "dice[1]", "a whole number"),
    ("ListPlays", '{"dice":[3,-1]}', "NUMBER_OUT_OF_RANGE", "dice[1]", "0 to 4294967295"),
    ("ListPlays", '{"dice":[3,4294967296]}', "NUMBER_OUT_OF_RANGE", "dice[1]", "0 to 4294967295"),
    ("ListSteps", '{"steps":[{"origin":{}}]}', "WRONG_TYPE", "steps[0].origin", "a whole number"),
    ("ListPlays", "[1]", "WRONG_TYPE", "request", "an object with variant"),
    ("ListPlays", "null", "WRONG_TYPE", "request", "an object with variant"),
    # what stands twice, and what excludes each other
    ("ListPlays", '{"dice":[3],"dice":[1]}', "DUPLICATE_KEY", "dice", "once"),
    ("CreateTable", '{"diceMode":1,"dice_mode":1}', "DUPLICATE_KEY", "dice_mode", "once"),
    (
        "Act",
        '{"expectedRevision":1,"expected_revision":1}',
        "DUPLICATE_KEY",
        "expected_revision",
        "once",
    ),
    (
        "CreateTable",
        '{"variant":{"options":{"a":{"flag":true},"a":{"flag":true}}}}',
        "DUPLICATE_KEY",
        'variant.options["a"]',
        "once",
    ),
    (
        "CreateTable",
        '{"variant":{"options":{"a":{"flag":true,"integer":1}}}}',
        "ONE_OF_SEVERAL",
        'variant.options["a"].integer',
        "one of flag, integer",
    ),
    ("Act", '{"action":{"take":{},"drop":{}}}', "ONE_OF_SEVERAL", "action.drop", "one of throw"),
    # no JSON
    ("ListPlays", '{"dice', "BAD_JSON", "request", "line 1, column 2"),
    ("ListPlays", '{"dice":[3,1],}', "BAD_JSON", "request", "JSON"),
    ("ListPlays", '{"dice":[NaN]}', "BAD_JSON", "request", "a number"),
    ("ListPlays", "{} {}", "BAD_JSON", "request", "line 1, column 4"),
]


@pytest.mark.parametrize(
    ("rpc", "text", "reason", "field", "expected"), REFUSED, ids=lambda given: str(given)[:60]
)
def test_it_is_told_what_and_where(
    rpc: str, text: str, reason: str, field: str, expected: str
) -> None:
    [found] = faults(rpc, text.replace("%s", WESTERN))
    assert (found.reason, found.field) == (reason, field)
    assert expected in found.expected
    assert found.value
    assert not any(word in str(found) for word in ("'int'", "NoneType", "Failed to", "object is"))


@pytest.mark.parametrize(
    ("rpc", "text", "first"),
    [
        ("CreateTable", '{"dicemode":1}', "diceMode"),
        ("CreateTable", '{"dice-mode":1}', "diceMode"),
        ("CreateTable", '{"diceMode":"seedde"}', "DICE_MODE_SEEDED"),
        ("JoinTable", '{"dice_sede":1}', "diceSeed"),
        ("JoinTable", '{"seat":"SEAT_BLAK"}', "SEAT_BLACK"),
        ("ExportMatch", '{"format":"match-text"}', "MATCH_FORMAT_MATCH_TEXT"),
    ],
)
def test_the_nearest_name_comes_first(rpc: str, text: str, first: str) -> None:
    [found] = faults(rpc, text)
    assert found.expected.startswith(f"{first},")


@pytest.mark.parametrize(
    "text",
    [
        '{"seat":"SEAT_BLACK","diceSeed":"bob"}',
        '{"seat":2,"dice_seed":"bob"}',
        '{"seat":2.0,"diceSeed":"bob","name":null}',
    ],
)
def test_whatever_protobuf_calls_the_same_is_the_same(text: str) -> None:
    wanted = tables.JoinTableRequest(seat=pb.SEAT_BLACK, dice_seed="bob")
    assert parse(text.encode(), tables.JoinTableRequest) == wanted


def test_numbers_may_be_texts_as_64_bits_must_be_in_javascript() -> None:
    found = parse(b'{"dice":["3", 1.0, "1e0"]}', rules.ListPlaysRequest)
    assert list(found.dice) == [3, 1, 1]
    largest = '{"seed":"18446744073709551615"}'
    assert parse(largest.encode(), tables.CreateTableRequest).seed == 2**64 - 1
    [fault] = faults("CreateTable", '{"seed":"18446744073709551616"}')
    assert fault.reason == "NUMBER_OUT_OF_RANGE"


def test_null_is_as_if_nothing_stood_there() -> None:
    found = parse(b'{"action":{"take":null,"drop":{}},"table":null}', tables.ActRequest)
    assert found == tables.ActRequest(action=table_pb2.Action(drop=table_pb2.DropAction()))


def test_no_text_is_an_empty_request() -> None:
    assert parse(b"", tables.ListTablesRequest) == tables.ListTablesRequest()


def test_everything_that_is_wrong_is_told_up_to_a_limit() -> None:
    found = faults("ListPlays", '{"dicce":[1],"dice":[0,"x"],"view":"TEXT"}')
    assert [fault.field for fault in found] == ["dicce", "dice[1]", "view"]
    many = json.dumps({f"k{index}": 1 for index in range(1000)})
    assert len(faults("ListPlays", many)) == MOST_VIOLATIONS


# -- other messages ---------------------------------------------------------------------------------


def test_times_and_other_messages_with_a_form_of_their_own_are_read() -> None:
    event = table_pb2.Event(revision=3, time=timestamp_pb2.Timestamp(seconds=1_800_000_000))
    assert parse(json_format.MessageToJson(event).encode(), table_pb2.Event) == event
    clock = table_pb2.ClockState(white_left=duration_pb2.Duration(seconds=12, nanos=500_000_000))
    assert parse(b'{"whiteLeft":"12.5s"}', table_pb2.ClockState) == clock
    # Any JSON: a key that stands twice is found there too.
    anything_at_all = {"a": [1.0, {"b": None}]}
    found = parse(json.dumps(anything_at_all).encode(), struct_pb2.Struct)
    assert json_format.MessageToDict(found) == anything_at_all
    assert parse(b"5", wrappers_pb2.UInt32Value).value == 5


@pytest.mark.parametrize(
    ("kind", "text", "reason", "field"),
    [
        (table_pb2.Event, '{"time":"yesterday"}', "WRONG_TYPE", "time"),
        (table_pb2.Event, '{"time":{"seconds":5}}', "WRONG_TYPE", "time"),
        (table_pb2.Event, '{"time":5}', "WRONG_TYPE", "time"),
        (table_pb2.ClockState, '{"whiteLeft":"12"}', "WRONG_TYPE", "white_left"),
        (struct_pb2.Struct, '{"a":{"b":1,"b":2}}', "DUPLICATE_KEY", "b"),
        (wrappers_pb2.UInt32Value, '"x"', "WRONG_TYPE", "request"),
        (pb.PlayList, '{"boards":"ab!d"}', "WRONG_TYPE", "boards"),
        (pb.PlayList, '{"boards":"abcde"}', "WRONG_TYPE", "boards"),
        (struct_pb2.Value, "[" * 200 + "]" * 200, "WRONG_TYPE", "request"),
    ],
    ids=lambda given: str(given)[:40],
)
def test_and_refused_by_their_place(
    kind: type[Message], text: str, reason: str, field: str
) -> None:
    with pytest.raises(Malformed) as caught:
        parse(text.encode(), kind)
    [fault] = caught.value.faults
    assert (fault.reason, fault.field) == (reason, field)


# -- of every request -------------------------------------------------------------------------------


def nested(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every key of every object in a tree, with the way to it."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield path, key
            yield from nested(value, (*path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from nested(value, (*path, index))


def known_words(rpc: MethodDescriptor, chance: random.Random) -> Message:
    """A random request, all words of which exist."""
    return with_known_words(anything(rpc.input_type, chance))


def with_known_words(made: Message) -> Message:
    for field, value in made.ListFields():
        several = hasattr(value, "extend")
        if field.message_type is not None and not hasattr(value, "items"):
            for inner in value if several else [value]:
                with_known_words(inner)
        elif field.enum_type is not None:
            known = [one for one in (value if several else [value]) if one in numbers(field)]
            made.ClearField(field.name)
            if several:
                getattr(made, field.name).extend(known)
            elif known:
                setattr(made, field.name, known[0])
    return made


def numbers(field: FieldDescriptor) -> set[int]:
    """The numbers of an enumeration."""
    assert field.enum_type is not None
    return {value.number for value in field.enum_type.values}


@pytest.mark.parametrize("rpc", RPCS, ids=lambda rpc: str(rpc.name))
def test_every_request_is_read_as_protobuf_wrote_it_and_every_misspelt_key_is_found(
    rpc: MethodDescriptor,
) -> None:
    chance = random.Random(rpc.name)
    for _ in range(40):
        made = known_words(rpc, chance)
        for original in (False, True):
            text = json_format.MessageToJson(made, preserving_proto_field_name=original)
            assert parse(text.encode(), type(made)) == made
        tree = json.loads(text)
        keys = list(nested(tree))
        for path, key in chance.sample(keys, min(5, len(keys))):
            wrong = copy.deepcopy(tree)
            place = wrong
            for part in path:
                place = place[part]
            place[f"{key}Q"] = place.pop(key)
            [fault] = faults(rpc.name, json.dumps(wrong))
            assert fault.reason == "UNKNOWN_FIELD"
            assert fault.field.endswith(f"{key}Q")
            names = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            assert fault.field == f"{names}.{key}Q".lstrip(".")


@pytest.mark.parametrize("rpc", RPCS, ids=lambda rpc: str(rpc.name))
def test_whatever_is_cut_or_changed_is_read_or_refused(rpc: MethodDescriptor) -> None:
    chance = random.Random(rpc.name)
    for _ in range(100):
        text = bytearray(json_format.MessageToJson(known_words(rpc, chance), indent=None).encode())
        for _ in range(chance.choice([1, 2, 5])):
            at = chance.randrange(len(text))
            text[at : at + chance.choice([0, 1, 3])] = chance.choice(
                [b"{", b"}", b"[", b'"', b"\\", b"null", b"1e9", b"-", b",", b":", b"\xff", b"true"]
            )
        try:
            parse(bytes(text), cast(Any, REQUESTS[rpc.name]))
        except Malformed as refused:
            for fault in refused.faults:
                assert fault.reason and fault.field and fault.expected, text
                str(fault).encode()


def test_only_so_deep() -> None:
    def text(depth: int) -> bytes:
        inside = '{"list":{"values":[' * depth + "]}}" * depth
        return f'{{"variant":{{"options":{{"a":{inside}}}}}}}'.encode()

    assert parse(text(48), tables.CreateTableRequest).variant.options
    for depth in (50, 400, 20_000):
        [found] = faults("CreateTable", text(depth))
        assert (found.reason, found.expected) == ("BAD_JSON", "at most 100 inside each other")


# -- over HTTP --------------------------------------------------------------------------------------


def debug(answer: Answer) -> dict[str, Any]:
    """What an error says of itself to people: `reason`, `metadata`."""
    [found] = [
        d["debug"] for d in answer.json["details"] if d["type"].endswith("google.rpc.ErrorInfo")
    ]
    assert found["domain"] == "bgcore"
    assert found["reason"] == answer.info.reason
    assert found["metadata"] == dict(answer.info.metadata)
    return cast(dict[str, Any], found)


async def test_a_misspelt_request_changes_nothing(web: Running) -> None:
    async def ask(rpc: str, body: str, **headers: str) -> Answer:
        return await call(web, TABLES + rpc, body.encode(), **headers)

    for body in ('{%s,"dice":"DICE_MODE_COMMITTED"}', '{%s,"diceMode":"committed"}'):
        assert (await ask("CreateTable", body.replace("%s", WESTERN))).status == 400
    assert not (await ask("ListTables", "{}")).json
    made = (await ask("CreateTable", f"{{{WESTERN}}}")).json
    table = f'"table":"{made["table"]["id"]}"'
    assert (await ask("JoinTable", f'{{{table},"seat":"BLACK"}}')).status == 400
    joined = (await ask("JoinTable", f'{{{table},"seat":"SEAT_BLACK"}}')).json
    assert joined["seat"] == "SEAT_BLACK"
    token = {"authorization": f"Bearer {joined['token']}"}
    resign = '"action":{"resignMatch":{}}'
    for more in ('"validateOnyl":true', '"expectedRevison":1'):
        refused = await ask("Act", f"{{{table},{resign},{more}}}", **token)
        assert (refused.status, debug(refused)["reason"]) == (400, "UNKNOWN_FIELD")
    state = (await ask("GetTable", f"{{{table}}}")).json["state"]
    assert state["revision"] == joined["state"]["revision"]
    refused = await ask("ExportMatch", f'{{{table},"format":"sgf"}}')
    assert debug(refused)["metadata"]["expected"].startswith("MATCH_FORMAT_SGF, ")


async def test_an_error_can_be_read_without_a_program(web: Running) -> None:
    answer = await call(web, PLAYS, f'{{{WESTERN},"position":{{"onRol":1}}}}'.encode())
    assert answer.json["message"].startswith("position.onRol: no such field, expected onRoll, ")
    assert debug(answer)["metadata"] == {
        "field": "position.onRol",
        "value": "onRol",
        "expected": "onRoll, white, black",
    }
    [violations] = [d["debug"] for d in answer.json["details"] if "BadRequest" in d["type"]]
    assert violations["fieldViolations"][0]["field"] == "position.onRol"


async def test_errors_of_the_rules_can_be_read_too(web: Running) -> None:
    answer = await call(web, PLAYS, f'{{{WESTERN},"dice":[3,1]}}'.encode())
    assert debug(answer)["reason"] == "POSITION_MISSING"
    assert debug(answer)["metadata"]["field"] == "position"
    made = await call(web, f"{TABLES}CreateTable", f"{{{WESTERN}}}".encode())
    body = json.dumps({"table": made.json["table"]["id"], "action": {"roll": {}}}).encode()
    joined = await call(web, f"{TABLES}JoinTable", body.partition(b', "action"')[0] + b"}")
    token = joined.json["token"]
    refused = await call(web, f"{TABLES}Act", body, authorization=f"Bearer {token}")
    assert debug(refused)["metadata"]["expected"]


async def test_a_stream_ends_with_the_same(web: Running) -> None:
    raw = b'{"tabel":"x"}'
    body = bytes((0, *len(raw).to_bytes(4, "big"))) + raw
    answer = await call(web, f"{TABLES}WatchTable", body, kind="application/connect+json")
    end = json.loads(answer.body[5:])["error"]
    assert end["details"][0]["debug"]["reason"] == "UNKNOWN_FIELD"


async def test_protobufs_bytes_may_have_fields_that_we_do_not_know(web: Running) -> None:
    raw = tables.ListTablesRequest().SerializeToString() + b"\xfa\x3f\x01x"
    answer = await call(web, f"{TABLES}ListTables", raw, kind="application/proto")
    assert answer.status == 200


@pytest.mark.parametrize(
    ("rpc", "kind", "expected"),
    [
        ("ListTables", "application/x-www-form-urlencoded", "application/json"),
        ("ListTables", "text/plain", "application/json"),
        ("ListTables", "application/connect+json", "application/json"),
        ("WatchTable", "application/json", "application/connect+json"),
        ("ListTables", "application/grpc-web-text", "application/json"),
    ],
)
async def test_another_content_type_than_the_rpcs(
    web: Running, rpc: str, kind: str, expected: str
) -> None:
    answer = await call(web, TABLES + rpc, b"{}", kind=kind)
    assert (answer.status, debug(answer)["reason"]) == (415, "WRONG_CONTENT_TYPE")
    assert debug(answer)["metadata"]["value"] == kind
    assert debug(answer)["metadata"]["expected"].startswith(f"{expected}, or ")


async def test_a_wrong_path_and_a_wrong_method(web: Running) -> None:
    answer = await call(web, f"{TABLES}CreateTabel", b"{}")
    assert (answer.status, debug(answer)["metadata"]["field"]) == (404, "rpc")
    assert debug(answer)["metadata"]["value"] == f"{TABLES}CreateTabel"
    answer = await call(web, f"{TABLES}CreateTable", b"")
    assert (answer.status, debug(answer)["metadata"]["expected"]) == (405, "POST")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("connect-protocol-version", "2"),
        ("connect-timeout-ms", "soon"),
        ("connect-timeout-ms", "12345678901"),
        ("content-encoding", "br"),
    ],
)
async def test_a_header_that_cannot_be(web: Running, name: str, value: str) -> None:
    answer = await call(web, f"{TABLES}ListTables", b"{}", **{name: value})
    assert (answer.status, debug(answer)["reason"]) == (400, "BAD_HEADER")
    assert answer.json["message"].startswith(f"the header {name} {value}: expected ")


async def test_a_body_may_be_packed_and_must_be_if_it_says_so(web: Running) -> None:
    packed = gzip.compress(b"{}")
    headers = {"content-encoding": "gzip"}
    assert (await call(web, f"{TABLES}ListTables", packed, **headers)).status == 200
    for body in (b"{}", packed[:-5]):
        answer = await call(web, f"{TABLES}ListTables", body, **headers)
        assert (answer.status, debug(answer)["reason"]) == (400, "BAD_COMPRESSION")


async def test_many_at_once(web: Running) -> None:
    wrong = [call(web, f"{TABLES}ListTables", b'{"size":%d}' % number) for number in range(20)]
    for answer in await asyncio.gather(*wrong):
        assert debug(answer)["metadata"]["expected"].startswith("pageSize, ")


def test_a_list_of_far_too_many_values_is_refused_before_they_are_looked_at() -> None:
    [found] = faults("ListSteps", json.dumps({"steps": [[]] * 100_000}))
    assert (found.reason, found.field, found.value) == (
        *("TOO_MANY_STEPS", "steps"),
        "of 100000 values",
    )
    options = {f"o{number}": 7 for number in range(1000)}
    [found] = faults("ListPlays", json.dumps({"variant": {"options": options}}))
    assert (found.reason, found.field) == ("TOO_MANY_OPTIONS", "variant.options")
