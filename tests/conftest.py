"""Optional suites: a test says what it needs (tests/needs.py), by a marker or the fixture `real`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.needs import NEEDS, REQUIRE_ALL, Need, real_folder

if TYPE_CHECKING:
    from tests.postgres import Postgres

# A loaded machine is no failure. CI tries the same examples each time, a developer's run new ones.
settings.register_profile(
    "bgcore",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("bgcore")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where processes share the tests, files with slow ones come first, lest one of them be alone at the end."""
    if hasattr(config, "workerinput"):
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers():
        if need := NEEDS.get(mark.name):
            insist(need)


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder of real match files and positions."""
    insist(NEEDS["needs_real"])
    return real_folder()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of a run."""
    insist(NEEDS["needs_postgres"])
    from tests.postgres import Postgres

    server = Postgres()
    try:
        yield server.make()
    finally:
        server.remove()


def insist(need: Need) -> None:
    """Go on if it is there; else skip, or fail where everything is required."""
    if reason := need.missing():
        refuse = pytest.fail if REQUIRE_ALL else pytest.skip
        refuse(f"{need.name}: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was left out and why, a line for each reason."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )
    for reason, tests in sorted(reasons.items()):
        terminalreporter.write_line(f"left out ({tests} test{'s' * (tests > 1)}): {reason}")
    if REQUIRE_ALL:
        terminalreporter.write_line("every optional suite was required (BGCORE_REQUIRE_ALL=1)")
