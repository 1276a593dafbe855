"""Faults by chance, a short run of them. `python -m tests.wire.faults` makes a long one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.wire.faults import Plan, Report, faultless, run_all
from tests.wire.mortal import POINTS

if TYPE_CHECKING:
    from tests.postgres import Postgres


def check(report: Report, kills: int) -> None:
    print(report)
    assert faultless(report.found), report
    assert report.faults.counts["kills"] == report.faults.deaths.total() == kills
    assert any(report.faults.deaths[point] for point in POINTS)
    assert report.company.counts["commands"] >= report.plan.commands
    assert report.found["events"] == report.found["seen"] > 0
    assert report.found["verified"] > 0


@pytest.mark.slow
@pytest.mark.needs_postgres
def test_three_servers_on_one_database_keep_all_that_was_acknowledged(
    tmp_path: Path, postgres: Postgres
) -> None:
    plan = Plan(kills=20, tables=30, commands=1500, replicas=3, seed=2)
    report = run_all(plan, tmp_path, postgres)
    check(report, 20)
    assert report.faults.counts["restarts"] == 2


@pytest.mark.slow
def test_one_server_on_sqlite_keeps_all_that_was_acknowledged(tmp_path: Path) -> None:
    check(run_all(Plan(kills=8, tables=20, commands=600, replicas=1, seed=2), tmp_path, None), 8)
