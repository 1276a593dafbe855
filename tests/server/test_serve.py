"""`bgcore serve` as a process: what it prints, how it stops, what survives when it is killed."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import AtTable, at_table, ref
from tests.server.test_tables import channel

# Frames of HTTP/2: length, type, flags, stream. Node ends a connection with the error code CANCEL.
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
CANCEL = bytes((0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8))

READY = re.compile(r"listening grpc=(127\.0\.0\.1:\d+) http=(127\.0\.0\.1:\d+)\n")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bgcore_server.cli", *arguments]


def environment() -> dict[str, str]:
    import os

    return os.environ | {"PYTHONPATH": ":".join(path for path in sys.path if path)}


@contextmanager
def served(database: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process, and where it listens for gRPC."""
    arguments = ("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--db", database)
    with subprocess.Popen(
        command(*arguments, "--allow-seeded"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        try:
            found = READY.fullmatch(process.stdout.readline())
            assert found
            yield process, found[1]
        finally:
            process.kill()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, env=environment(), check=False
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_order_when_told_to(number: signal.Signals, tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/a.db") as (process, _):
        started = time.monotonic()
        process.send_signal(number)
        assert process.wait(timeout=5) == 0
        assert time.monotonic() - started < 3


def test_a_client_that_hangs_up_in_its_own_way_is_no_news() -> None:
    arguments = ("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--db", "sqlite://")
    variables = {name: value for name, value in environment().items() if name != "GRPC_VERBOSITY"}
    with subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
    ) as process:
        assert process.stdout is not None
        found = READY.fullmatch(process.stdout.readline())
        assert found
        host, port = found[1].split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SETTINGS + CANCEL)
            connection.recv(100)
            time.sleep(0.3)
        process.terminate()
        _, told = process.communicate(timeout=10)
    assert "goaway" not in told.lower()
    assert told.endswith("stopping\n")


def test_what_cannot_be_is_a_plain_message() -> None:
    wrong = run("serve", "--listen", "nowhere")
    assert wrong.returncode == 2
    assert "expected HOST:PORT" in wrong.stderr
    wrong = run("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--db", "mysql://x")
    assert wrong.returncode == 1
    assert "sqlite:///FILE" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_port_that_is_taken_is_a_plain_message() -> None:
    with served("sqlite://") as (_, address):
        wrong = run("serve", "--listen", address, "--http", "127.0.0.1:0", "--db", "sqlite://")
    assert wrong.returncode == 1
    expected = (
        f"Error: cannot listen on {address}: address already in use, expected a free HOST:PORT\n"
    )
    assert wrong.stderr == expected


def test_a_database_serves_one_server_at_a_time(tmp_path: Path) -> None:
    """Two would not hear of each other's events; whoever was killed holds nothing any more."""
    database = f"sqlite:///{tmp_path}/tables.db"
    arguments = ("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--db", database)
    with served(database) as (first, _):
        wrong = run(*arguments)
        assert wrong.returncode == 1
        assert "tables.db is in use by another server, expected one that no" in wrong.stderr
        first.kill()
        first.wait()
        with served(database) as (second, _):
            assert second.poll() is None


def test_it_says_where_tables_are_kept(tmp_path: Path) -> None:
    arguments = ("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0")
    with subprocess.Popen(
        command(*arguments, "--db", "sqlite:///here.db"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.terminate()
        _, told = process.communicate(timeout=20)
    assert told.startswith(f"tables are kept in {tmp_path.resolve() / 'here.db'}\n")


def test_the_command_says_what_is_missing_without_the_server_extra() -> None:
    script = "import sys; sys.modules['click'] = None; from bgcore_server.start import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert ran.returncode == 1
    assert "no module click: expected the extra [server]" in ran.stderr
    assert "pip install '.[server]' in a checkout" in ran.stderr


def test_help_is_everywhere() -> None:
    for arguments in ((), ("serve",), ("variants",), ("check-variant",)):
        shown = run(*arguments, "--help")
        assert shown.returncode == 0
        assert "Usage: " in shown.stdout


def test_variants_are_listed_for_people_and_for_programs() -> None:
    import json

    assert "gul-bara" in run("variants").stdout
    listed = json.loads(run("variants", "--json").stdout)
    assert "western" in {variant["id"] for variant in listed["variants"]}
    assert listed["plugins"][0]["state"] == "PLUGIN_STATE_LOADED"


def test_a_variant_is_checked() -> None:
    good = run("check-variant", "tavla", "--games", "1")
    assert good.returncode == 0
    assert "all is well" in good.stdout
    wrong = run("check-variant", "chess")
    assert wrong.returncode == 2
    assert "variant chess" in wrong.stderr


async def test_a_match_goes_on_after_kill_9(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    at: AtTable | None = None
    for round_ in range(4):
        with served(database) as (process, address):
            async with channel(address) as client:
                if at is None:
                    rules = ref("western", match_length=3)
                    at = await at_table(client, rules, table.DICE_MODE_SEEDED, seed=8)
                at.client = client
                found = await at.get()
                # Every act that was answered is there.
                assert found.state.revision >= at.state.revision
                at.state = found.state
                for _ in range(10 + round_):
                    await step(at)
                process.kill()
                process.wait()
    assert at is not None
    with served(database) as (_, address):
        async with channel(address) as client:
            at.client = client
            while at.state.HasField("decision"):
                await step(at)
            listed = await client.ListEvents(service.ListEventsRequest(table=at.id, page_size=500))
            numbers = [event.revision for event in listed.events]
            assert numbers == list(range(1, len(numbers) + 1))


async def step(at: AtTable) -> None:
    """One act of whoever must decide."""
    kinds = at.state.decision.kinds
    if table.ACTION_KIND_PLAY in kinds:
        await at.any_play()
    elif table.ACTION_KIND_THROW in kinds:
        await at.act(throw=table.ThrowAction())
    elif table.ACTION_KIND_NEXT_GAME in kinds:
        await at.act(next_game=table.NextGameAction())
    else:
        await at.act(roll=table.RollAction())


@pytest.mark.needs_postgres
@pytest.mark.parametrize("rest", ["127.0.0.1:1/tables", "127.0.0.1:x/tables", "h/x?unknown=1"])
def test_a_postgresql_that_cannot_be_had_is_told_without_its_password(rest: str) -> None:
    done = run("serve", "--listen", "127.0.0.1:0", "--db", f"postgresql://ann:a-secret@{rest}")
    assert done.returncode == 1
    assert "PostgreSQL" in done.stderr or "cannot be used" in done.stderr
    assert "--db" in done.stderr
    assert "a-secret" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
