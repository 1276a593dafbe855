"""At tables: tokens that are not one's own, requests sent again, acts out of order, floods."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.hostile.messages import NAMES
from tests.hostile.stage import BY_NAME, Stage
from tests.server.helpers import ref, request_id
from tests.server.known_accounts import SOMEBODY, signed

WHITE, BLACK = pb.SEAT_WHITE, pb.SEAT_BLACK
UNKNOWN_TOKENS = frozenset({"PERMISSION_DENIED", "UNAUTHENTICATED", "NOT_FOUND"})


async def seats(stage: Stage) -> None:
    """Tables of all kinds, whose ids and tokens later attacks know."""
    known = stage.maker.known
    kinds: list[dict[str, Any]] = [
        {},
        {"visibility": table.VISIBILITY_PRIVATE},
        {"dice_mode": table.DICE_MODE_MANUAL, "variant": ref("tavla")},
        {"dice_mode": table.DICE_MODE_COMMITTED, "variant": ref("plakoto")},
        {"black": table.Occupant(bot=table.Bot(id="greedy"))},
        {"variant": ref("western", match_length=None)},
    ]
    kept = table.Occupant(player=table.Player(account=SOMEBODY))
    if stage.accounts:
        kinds += [{"white": kept}, {"white": kept, "visibility": table.VISIBILITY_PRIVATE}]
    for more in kinds:
        request = service.CreateTableRequest(**{"variant": ref(), **more})
        who = signed(SOMEBODY, 36_000) if "white" in more else ""
        made = await stage.answered("CreateTable", request, who)
        known.setdefault("table", []).append(made.table.id)
        tokens = known.setdefault("token", [])
        tokens += filter(None, (made.host_token, made.invitation_token, made.spectator_token))
        seed = "geese" if made.state.HasField("dice") else ""
        for seat in (WHITE, BLACK)[: 1 if "black" in more else 2]:
            wish = service.JoinTableRequest(table=made.table.id, seat=seat, dice_seed=seed)
            key = who or made.invitation_token or made.host_token
            joined = await stage.answered("JoinTable", wish, key)
            tokens.append(joined.token)
    known["request_id"] = [request_id(), "x" * 16, "1"]


async def guessed_tokens(stage: Stage) -> None:
    """Tokens that are not this table's: all of them get one and the same answer."""
    ours = stage.maker.known["table"][0]
    private = stage.maker.known["table"][1]
    own = await stage.answered("CreateTable", service.CreateTableRequest(variant=ref()))
    guesses = [base64.urlsafe_b64encode(stage.chance.randbytes(32)).decode().rstrip("=")]
    guesses += [base64.urlsafe_b64encode(bytes([n] * 32)).decode().rstrip("=") for n in range(20)]
    guesses += [own.host_token, own.host_token[:-1], own.host_token + "A", own.host_token.lower()]
    for name, request in (
        ("Act", service.ActRequest(table=ours, action=table.Action(roll=table.RollAction()))),
        ("CloseTable", service.CloseTableRequest(table=ours)),
        ("LeaveTable", service.LeaveTableRequest(table=ours, seat=WHITE)),
        ("GetTable", service.GetTableRequest(table=private)),
        ("WatchTable", service.WatchTableRequest(table=private)),
        ("ListEvents", service.ListEventsRequest(table=private)),
        ("ExportMatch", service.ExportMatchRequest(table=private)),
    ):
        answers = {(await stage.call(name, request, guess)) for guess in guesses}
        assert len(answers) == 1, (name, answers)
        assert {answer.code for answer in answers} <= UNKNOWN_TOKENS, (name, answers)
    nowhere = await stage.call("GetTable", service.GetTableRequest(table="nowhere"))
    hidden = await stage.call("GetTable", service.GetTableRequest(table=private))
    assert (nowhere.code, nowhere.reason) == (hidden.code, hidden.reason)
    state = await stage.answered("GetTable", service.GetTableRequest(table=ours))
    assert state.table.status == table.TABLE_STATUS_PLAYING


async def headers_of_strangers(stage: Stage) -> None:
    """What is no token at all, over every protocol."""
    ours = stage.maker.known["table"][0]
    requests = {
        "Act": service.ActRequest(table=ours, action=table.Action(roll=table.RollAction())),
        "CreateTable": service.CreateTableRequest(),
    }
    for value in _strange_tokens(stage):
        for name, request in requests.items():
            for protocol in stage.senders:
                body = request.SerializeToString() if protocol != "connect json" else b"{}"
                await stage.send(protocol, BY_NAME[name], body, ("authorization", value))


def _strange_tokens(stage: Stage) -> list[str]:
    def part(tree: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(tree).encode()).decode().rstrip("=")

    claims: dict[str, Any] = {
        "sub": "ann",
        "iss": "https://id.example",
        "aud": "bgcore",
        "exp": 1e18,
    }
    heads = [
        {"alg": "none"},
        {"alg": "HS256", "kid": "../../dev/null"},
        {"alg": ["HS256"]},
        {"alg": "RS256", "jwk": {"kty": "oct", "k": "AA"}, "jku": "http://127.0.0.1:1/"},
        {"alg": "HS256", "crit": ["x"], "b64": False},
        {"alg": "HS256", "zip": "DEF"},
        [],
        "x",
    ]
    found = [f"Bearer {part(head)}.{part(claims)}.{'A' * 43}" for head in heads]
    never: tuple[Any, ...] = (float("inf"), float("nan"), -1e308, "1", [], 1 << 70, None)
    for bad in never:
        found.append(f"Bearer {part({'alg': 'HS256'})}.{part({**claims, 'exp': bad})}.AAAA")
    deep = base64.urlsafe_b64encode(b"[" * 4000).decode().rstrip("=")
    found += [f"Bearer {deep}.{deep}.", f"Bearer {part(heads[0])}.{deep}.AA"]
    found += ["Bearer", "Bearer ", "Basic Og==", "bearer x", "Bearer a b", "Bearer ..", "Bearer ."]
    found += ["Bearer " + "A" * size for size in (43, 44, 8191, 8193)]
    return [*found, "Bearer " + "." * 3000, "Digest x", ","]


async def repeats(stage: Stage) -> None:
    """Requests sent again, at once and later, by their owner and by others; ids of others guessed."""
    ours, token = stage.maker.known["table"][0], stage.maker.known["token"]
    made = service.CreateTableRequest(variant=ref(), request_id=request_id())
    first = await stage.answered("CreateTable", made)
    again = await asyncio.gather(*(stage.call("CreateTable", made) for _ in range(20)))
    assert {one.code for one in again} == {"OK"}
    assert (await stage.answered("CreateTable", made)).table.id == first.table.id
    made.white.player.name = "another"
    await stage.call("CreateTable", made)
    wish = service.JoinTableRequest(table=first.table.id, seat=WHITE, request_id="y" * 16)
    answers = await asyncio.gather(*(stage.call("JoinTable", wish) for _ in range(20)))
    assert {one.code for one in answers} == {"OK"}
    tokens = set()
    for _ in range(3):
        tokens.add((await stage.answered("JoinTable", wish)).token)
    assert len(tokens) == 1
    for guess in ("", "y", "y" * 15, "y" * 17, "z" * 16, "y" * 64, *NAMES):
        wish.request_id = guess
        found = await stage.call("JoinTable", wish)
        assert found.code != "OK", guess
    roll = service.ActRequest(
        table=ours, action=table.Action(throw=table.ThrowAction()), request_id="once"
    )
    before = (await stage.answered("GetTable", service.GetTableRequest(table=ours))).state.revision
    await asyncio.gather(*(stage.call("Act", roll, one) for one in token for _ in range(5)))
    after = (await stage.answered("GetTable", service.GetTableRequest(table=ours))).state
    assert after.revision <= before + 40  # one throw, and its ties


async def disorder(stage: Stage) -> None:
    """Every kind of act by every token at every table, in any order, over all protocols at once."""
    kind: Any = table.Action.DESCRIPTOR
    tables, tokens = stage.maker.known["table"], stage.maker.known["token"]

    async def one() -> None:
        chance = stage.chance
        action = table.Action()
        name = chance.choice(kind.fields).name
        getattr(action, name).SetInParent()
        if chance.random() < 0.5:
            action.MergeFromString(stage.maker.request(kind).SerializeToString())
        request = service.ActRequest(
            table=chance.choice(tables), action=action, validate_only=chance.random() < 0.2
        )
        if chance.random() < 0.3:
            request.expected_revision = chance.choice((0, 1, 7, (1 << 32) - 1))
        await stage.call("Act", request, chance.choice(tokens))

    for _ in stage.times(15):
        await asyncio.gather(*(one() for _ in range(40)))
        if stage.over:
            return


async def floods(stage: Stage) -> None:
    """Tables, undo, rematch and void without an end; pages that nobody was given."""
    for _ in stage.times(4):
        made = service.CreateTableRequest(variant=ref(stage.chance.choice(("western", "fevga"))))
        await asyncio.gather(*(stage.call("CreateTable", made) for _ in range(50)))
        if stage.over:
            break
    chance = stage.chance
    asked = [
        table.Action(undo=table.UndoAction()),
        table.Action(void=table.VoidAction()),
        table.Action(rematch=table.RematchAction()),
        table.Action(answer_undo=table.AnswerUndoAction(accept=False)),
    ]
    manual, tokens = stage.maker.known["table"][2], stage.maker.known["token"]
    for _ in stage.times(100):
        request = service.ActRequest(table=manual, action=chance.choice(asked[::3]))
        await stage.call("Act", request, chance.choice(tokens))
    for forged in _forged_pages(stage):
        await stage.call("ListTables", service.ListTablesRequest(page_token=forged))
        events = service.ListEventsRequest(table=manual, page_token=forged)
        await stage.call("ListEvents", events)


def _forged_pages(stage: Stage) -> list[str]:
    found = ["", "0", "-1", "9" * 400, "AAAA", "====", "null", "[]", "\x00", "é", "x" * 5000]
    for raw in (
        b"\xff" * 8,
        b"0",
        b"-1",
        b"1e9",
        b"[[]]",
        b"9" * 5000,
        b'{"a":1}',
        b"1:2:3",
        b"nan",
    ):
        found.append(base64.urlsafe_b64encode(raw).decode())
        found.append(base64.urlsafe_b64encode(raw).decode().rstrip("="))
    found += [
        base64.urlsafe_b64encode(
            stage.chance.randbytes(stage.chance.choice((4, 8, 9, 16)))
        ).decode()
        for _ in stage.times(40)
    ]
    return found
