"""Which pages may talk to the HTTP port: preflights, exposed headers, and nothing for others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from bgcore_server.adapters.cors import Cors
from tests.server.helpers import ANYWHERE, Running, running
from tests.server.test_web import PLAYS, QUESTION, call

PAGE, STRANGER = "https://play.example", "https://evil.example"
BODY = json.dumps(QUESTION).encode()


@pytest.fixture
async def web() -> AsyncIterator[Running]:
    async with running(http=ANYWHERE, cors=[PAGE]) as found:
        yield found


async def preflight(
    web: Running, origin: str, headers: str, method: str = "POST"
) -> dict[str, str]:
    """The status and the headers of the answer to what a browser asks first."""
    assert web.http is not None
    reader, writer = await asyncio.open_connection(web.http.host, web.http.port)
    lines = [f"OPTIONS {PLAYS} HTTP/1.1", "host: test", "connection: close", f"origin: {origin}"]
    lines += [f"access-control-request-method: {method}"]
    lines += [f"access-control-request-headers: {headers}"]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    raw = await reader.read()
    writer.close()
    first, *more = raw.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    return {"status": first.split()[1]} | dict(line.lower().split(": ", 1) for line in more)


def told(headers: dict[str, str]) -> set[str]:
    """The headers that say anything about origins."""
    return {name for name in headers if name.startswith("access-control-")}


@pytest.mark.parametrize(
    "headers",
    [
        "connect-protocol-version,content-type,connect-timeout-ms",
        "content-type,grpc-timeout,x-grpc-web,x-user-agent",
        "authorization,content-type,x-request-id",
    ],
    ids=["connect", "grpc-web", "json"],
)
async def test_a_listed_page_may_ask_with_the_headers_of_each_protocol(
    web: Running, headers: str
) -> None:
    answer = await preflight(web, PAGE, headers)
    assert answer["status"] == "200"
    assert answer["access-control-allow-origin"] == PAGE
    assert "post" in answer["access-control-allow-methods"]
    assert set(headers.split(",")) <= set(answer["access-control-allow-headers"].split(", "))
    assert answer["access-control-max-age"] == "7200"
    assert "origin" in answer["vary"]


async def test_a_listed_page_may_read_answers_and_errors(web: Running) -> None:
    for body, status in ((BODY, 200), (b"{", 400)):
        answer = await call(web, PLAYS, body, origin=PAGE)
        assert answer.status == status
        assert answer.headers["access-control-allow-origin"] == PAGE
        exposed = answer.headers["access-control-expose-headers"].split(", ")
        assert {"grpc-status", "grpc-message", "grpc-status-details-bin"} <= set(exposed)
        assert "x-request-id" in exposed
        assert "origin" in answer.headers["vary"].split(", ")


async def test_cookies_are_never_allowed(web: Running) -> None:
    assert "access-control-allow-credentials" not in await preflight(web, PAGE, "content-type")
    answer = await call(web, PLAYS, BODY, origin=PAGE, cookie="seat=1")
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    "origin", [STRANGER, "null", PAGE + ".evil.example", "http://play.example", PAGE + ":8443"]
)
async def test_others_are_told_nothing(web: Running, origin: str) -> None:
    answer = await preflight(web, origin, "content-type")
    assert (answer["status"], told(answer)) == ("405", set())
    assert told((await call(web, PLAYS, BODY, origin=origin)).headers) == set()


async def test_a_program_without_an_origin_is_told_nothing(web: Running) -> None:
    answer = await call(web, PLAYS, BODY)
    assert (answer.status, told(answer.headers)) == (200, set())


async def test_a_header_that_no_call_needs_is_not_allowed(web: Running) -> None:
    answer = await preflight(web, PAGE, "content-type,x-anything")
    assert answer["status"] == "400"


async def test_without_the_setting_no_page_is_let_in() -> None:
    async with running(http=ANYWHERE) as web:
        assert told(await preflight(web, PAGE, "content-type")) == set()
        assert told((await call(web, PLAYS, BODY, origin=PAGE)).headers) == set()


async def test_a_star_lets_every_page_in() -> None:
    async with running(http=ANYWHERE, cors=["*"]) as web:
        for origin in (PAGE, STRANGER, "null"):
            answer = await preflight(web, origin, "content-type,authorization")
            assert answer["access-control-allow-origin"] == "*"
            assert "access-control-allow-credentials" not in answer
            assert (await call(web, PLAYS, BODY, origin=origin)).headers[
                "access-control-allow-origin"
            ] == "*"


@pytest.mark.parametrize(
    "wrong",
    ["play.example", f"{PAGE}/", f"{PAGE}/app", "https://*.example", "null", "", "HTTPS://A.B"],
)
def test_what_is_no_origin_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="expected an origin, such as https:"):
        Cors.read([PAGE, wrong])
