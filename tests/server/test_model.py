"""Real servers and a plain model of them, side by side: the same commands, the same answers.

Every answer and every refusal is compared, and after each command what was logged and what a look at the
table shows. On each store there are at least 2,000 commands; `BGCORE_MODEL_EXAMPLES` says instead how many
courses of commands are tried, for long runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from bgcore_server.tables import hub, live, loaded, upkeep
from tests.server.courses.looking import Courses
from tests.server.courses.servers import Chance, House
from tests.server.courses.side_by_side import COMMANDS

if TYPE_CHECKING:
    from tests.postgres import Postgres

STEPS = 50
LEAST_COMMANDS = 2000
"""Commands on each store."""

COURSES, MOST_ROUNDS = 10, 10
"""Courses after which is looked whether those were enough, and how often: a course has some hundred commands."""

pytestmark = pytest.mark.timeout(1800)  # to find the shortest course that fails takes time


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that remember less than they do, so that logs are read and tables loaded all the time."""
    recent = 6
    for module in (hub, live):
        monkeypatch.setattr(module, "RECENT", recent)
    monkeypatch.setattr(loaded, "LIVE", 2)
    monkeypatch.setattr(upkeep, "WAIT_SECONDS", 0.0)  # a table is looked after whenever it is found


@pytest.fixture(autouse=True)
def chance(monkeypatch: pytest.MonkeyPatch) -> Chance:
    """Dice that fall the same way in the same course of commands."""
    found = Chance()
    monkeypatch.setattr("bgcore.dice.secrets", found)
    monkeypatch.setattr("random.SystemRandom", lambda: found)
    return found


@contextmanager
def house(url: str, chance: Chance, servers: int = 1) -> Iterator[House]:
    found = House(url, chance, servers)
    try:
        yield found
    finally:
        found.close()


def play_all(found: House) -> None:
    """Courses of commands until there are enough, the same every time; or as many as are asked for, by chance."""
    if asked := os.environ.get("BGCORE_MODEL_EXAMPLES"):
        play(found, int(asked))
    else:
        for number in range(MOST_ROUNDS):
            play(found, COURSES, number)
            if commands(found) >= LEAST_COMMANDS:
                break
        assert commands(found) >= LEAST_COMMANDS
    print(f"{found.examples} courses, {commands(found)} commands, {found.outcomes.total()} calls")
    for (name, reason), times in sorted(found.outcomes.items()):
        print(f"{times:7} {name} {reason or 'done'}")
    for kind, times in found.events.most_common():
        print(f"{times:7} events {kind}")


def play(found: House, examples: int, number: int | None = None) -> None:
    """So many courses; with a number the same ones every time."""

    class Here(Courses):
        house = found

    run_state_machine_as_test(
        Here if number is None else seed(number)(Here),
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            report_multiple_bugs=False,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[phase for phase in Phase if phase is not Phase.explain],
        ),
    )


def commands(found: House) -> int:
    """How many there have been, done and refused; looks and watches are not counted."""
    return sum(times for (name, _), times in found.outcomes.items() if name in COMMANDS)


def test_a_server_in_memory_does_what_the_model_does(chance: Chance) -> None:
    with house("sqlite://", chance) as found:
        play_all(found)


def test_a_server_on_a_file_does_what_the_model_does(tmp_path: Path, chance: Chance) -> None:
    with house(f"sqlite:///{tmp_path}/tables.db", chance) as found:
        play_all(found)


@pytest.mark.needs_postgres
def test_two_servers_on_postgres_do_what_the_model_does(postgres: Postgres, chance: Chance) -> None:
    with house(postgres.new_url(), chance, servers=2) as found:
        play_all(found)
