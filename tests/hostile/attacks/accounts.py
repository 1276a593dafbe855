"""Tokens of accounts: those that hold, those that almost do, and what is in them."""

from __future__ import annotations

import time
from typing import Any

import jwt

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.hostile.messages import NAMES
from tests.hostile.stage import BY_NAME, Stage, bearer
from tests.server.helpers import ref
from tests.server.known_accounts import AUDIENCE, ISSUER, KEY, SOMEBODY, signed

LONG = 36_000
NEVER: tuple[object, ...] = (
    float("inf"),
    float("nan"),
    -1e308,
    "soon",
    [],
    {},
    1 << 70,
    None,
    True,
    -1,
    0,
    1e18,
)


def account_tokens() -> list[str]:
    """Tokens that hold for as long as an attack takes, and one that does not any more."""
    return [*(signed(name, LONG) for name in (SOMEBODY, "bob", "x" * 128)), signed("late", -LONG)]


async def tokens(stage: Stage) -> None:
    """Every call with tokens that the issuer has signed, with anything in them, and spoilt ones."""
    if not stage.accounts:
        return
    private = stage.maker.known["table"][-1]
    requests: dict[str, Any] = {
        "CreateTable": service.CreateTableRequest(
            variant=ref(), visibility=table.VISIBILITY_PRIVATE
        ),
        "JoinTable": service.JoinTableRequest(table=private),
        "GetTable": service.GetTableRequest(table=private),
        "WatchTable": service.WatchTableRequest(table=private),
        "Act": service.ActRequest(table=private, action=table.Action(void=table.VoidAction())),
        "LeaveTable": service.LeaveTableRequest(table=private),
    }
    for token in _tokens(stage):
        for name, request in requests.items():
            for protocol in stage.senders:
                body = request.SerializeToString() if protocol != "connect json" else b"{}"
                await stage.send(protocol, BY_NAME[name], body, *bearer(token))
        if stage.over:
            return


def _tokens(stage: Stage) -> list[str]:
    chance = stage.chance
    held = chance.choice(stage.accounts)
    place = chance.randrange(len(held))
    spoilt = [
        held[:place] + chance.choice("A_-.=%") + held[place + 1 :],
        held[:place],
        held + held,
        held.rpartition(".")[0] + ".",
        held.replace(".", "..", 1),
    ]
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "eve", "exp": time.time() + LONG}
    odd: list[dict[str, Any]] = [
        {name: value}
        for name in ("exp", "nbf", "iat", "sub", "aud", "iss", "name")
        for value in chance.sample(NEVER, 3)
    ]
    odd += [{"name": name} for name in chance.sample(sorted(NAMES), min(4, len(NAMES)))]
    odd += [
        {"sub": "x" * 129},
        {"sub": ""},
        {"sub": "a\0b"},
        {"name": "n" * 5000},
        {"more": [[]] * 900},
    ]
    return [*stage.accounts, *spoilt, *(made for one in odd if (made := _signed(claims | one)))]


def _signed(claims: dict[str, Any]) -> str:
    """The token with these claims; empty where the library refuses to make such a one."""
    try:
        return jwt.encode(claims, KEY, algorithm="EdDSA")
    except (TypeError, ValueError, OverflowError, jwt.PyJWTError):
        return ""
