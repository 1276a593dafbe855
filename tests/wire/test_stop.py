"""A server that is told to stop: it says so, lets load balancers notice, finishes, and hangs on nobody."""

from __future__ import annotations

import json
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2

from bgcore_client import Client
from bgcore_proto.v1 import table_service_pb2 as service
from tests.wire.process import ServerProcess

LONG = ("--grace", "600")
"""A stop that waits for this is seen: the process is given 30 seconds to end."""

NO_STOP = 15.0


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[ServerProcess]:
    process = ServerProcess(folder, arguments=arguments).start()
    try:
        yield process
    finally:
        process.kill()


def connected(address: str) -> socket.socket:
    host, port = address.rsplit(":", 1)
    connection = socket.create_connection((host, int(port)), timeout=NO_STOP)
    connection.settimeout(NO_STOP)
    return connection


def ready(process: ServerProcess) -> int:
    try:
        with urllib.request.urlopen(f"http://{process.http}/readyz", timeout=NO_STOP) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_it_is_not_ready_at_once_and_serves_until_that_is_noticed(tmp_path: Path) -> None:
    with served(tmp_path, "--drain-seconds", "4") as process, Client(process.grpc) as client:
        table = client.create_table("western")
        with grpc.insecure_channel(process.grpc) as channel:
            open_channel: Any = channel  # its rpcs have no types
            check = open_channel.unary_unary("/grpc.health.v1.Health/Check")
            watched = open_channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
            watch = open_channel.unary_stream("/bgcore.v1.TableService/WatchTable")(
                service.WatchTableRequest(table=table.id).SerializeToString()
            )
            next(watch)
            assert (ready(process), serving(next(watched))) == (200, True)
            process.signal(signal.SIGTERM)
            assert not serving(next(watched))  # waits until it is said
            assert not serving(check(b""))
            assert ready(process) == 503
            assert client.create_table("western").id
            # Then whoever watches is sent elsewhere.
            with pytest.raises(grpc.RpcError) as caught:
                for _ in watch:
                    pass
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
            assert reason(caught.value) == "SERVER_STOPPING"
        assert process.ended() == 0


def serving(answer: bytes) -> bool:
    found = health_pb2.HealthCheckResponse.FromString(answer)
    return found.status == health_pb2.HealthCheckResponse.SERVING


def reason(error: Any) -> str:
    [packed] = [
        value for name, value in error.trailing_metadata() if name == "grpc-status-details-bin"
    ]
    info = error_details_pb2.ErrorInfo()
    status_pb2.Status.FromString(packed).details[0].Unpack(info)
    return str(info.reason)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "--drain-seconds", "600") as process:
        process.signal(number)
        while ready(process) != 503:
            pass
        assert process.stop() == 128 + signal.SIGTERM
        assert process.told().endswith("stopping\nstopping at once\n")


HEAD = b"POST /bgcore.v1.RulesService/ListPlays HTTP/1.1\r\nhost: x\r\n"
BODY = b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"


def nothing(process: ServerProcess) -> list[socket.socket]:
    return [connected(process.http), connected(process.grpc)]


def half_a_head(process: ServerProcess) -> list[socket.socket]:
    connection = connected(process.http)
    connection.sendall(HEAD)
    return [connection]


def kept_alive(process: ServerProcess) -> list[socket.socket]:
    connection = connected(process.http)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
    assert connection.recv(1000).startswith(b"HTTP/1.1 200")
    return [connection]


def a_call_before(process: ServerProcess) -> list[socket.socket]:
    connection = connected(process.grpc)
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0)))
    assert connection.recv(100)
    return [connection]


@pytest.mark.parametrize("kind", [nothing, half_a_head, kept_alive, a_call_before])
def test_it_does_not_wait_for_a_connection_on_which_nothing_runs(
    tmp_path: Path, kind: Callable[[ServerProcess], list[socket.socket]]
) -> None:
    with served(tmp_path, *LONG) as process:
        connections = kind(process)
        assert process.stop() == 0
        assert process.told().endswith("stopping\n")
        for connection in connections:
            connection.close()


def test_it_does_not_wait_for_the_rest_of_a_request(tmp_path: Path) -> None:
    with served(tmp_path, *LONG) as process:
        with connected(process.http) as connection:
            connection.sendall(HEAD + BODY)
            assert ready(process) == 200  # by then the server has read the half
            assert process.stop() == 0
            head, _, body = read(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503")
        found = json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])
        assert (found["code"], found["details"][0]["debug"]["reason"]) == (
            *("unavailable", "SERVER_STOPPING"),
        )
        assert process.told().endswith("stopping\n")


def test_it_does_not_wait_for_a_watch_over_http(tmp_path: Path) -> None:
    with served(tmp_path, *LONG) as process, Client(process.grpc) as client:
        table = client.create_table("western")
        request = service.WatchTableRequest(table=table.id).SerializeToString()
        frame = b"\0" + len(request).to_bytes(4, "big") + request
        head = b"POST /bgcore.v1.TableService/WatchTable HTTP/1.1\r\nhost: x\r\n"
        kind = b"content-type: application/grpc-web+proto\r\n"
        with connected(process.http) as connection:
            connection.sendall(head + kind + b"content-length: %d\r\n\r\n" % len(frame) + frame)
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
            assert process.stop() == 0
            assert b"grpc-status: 14" in read(connection)
        assert process.told().endswith("stopping\n")


def read(connection: socket.socket) -> bytes:
    found = b""
    while more := connection.recv(10000):
        found += more
    return found
