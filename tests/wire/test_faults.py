"""Faults by chance, a short run of them. `python -m tests.wire.faults` makes a long one."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from bgcore_client import messages
from tests.wire.fault_checks import check_acknowledged
from tests.wire.fault_findings import Findings
from tests.wire.fault_players import DICE, Company, Party
from tests.wire.faults import Plan, Report, run_all
from tests.wire.mortal import POINTS

if TYPE_CHECKING:
    from tests.postgres import Postgres


def check(report: Report, kills: int) -> None:
    print(report)
    assert report.findings.none, report
    assert report.faults.counts["kills"] == report.faults.deaths.total() == kills
    assert any(report.faults.deaths[point] for point in POINTS)
    assert report.company.counts["commands"] >= report.plan.commands
    assert report.company.counts["by its id alone"] > 0
    assert report.checked["events"] == report.checked["seen"] > 0
    assert report.checked["verified"] > 0


def roll(revision: int, *dice: int) -> messages.Event:
    action = messages.Action(roll=messages.RollAction(dice=dice))
    return messages.Event(revision=revision, request_id="a roll", action=action)


def findings(*events: messages.Event) -> dict[str, int]:
    """What is found where a roll was acknowledged, and these events are in the log."""
    state = messages.TableState(revision=2)
    party = Party(Company((), (), Random(1)), "a table", {}, DICE[0], "tavla", state)
    request = messages.ActRequest(request_id="a roll")
    party.requests[request.request_id] = request
    answer = messages.ActResponse(first_revision=3, last_revision=3, events=[roll(3, 6, 1)])
    answer.state.revision = 3
    party.acknowledged(request, answer)
    taken = [messages.Event(revision=n, seat_taken=messages.SeatTaken()) for n in (1, 2)]
    found = party.company.findings
    check_acknowledged(party, [*taken, *events], found)
    return dict(found.counts)


def test_what_was_done_once_is_right() -> None:
    assert findings(roll(3, 6, 1)) == {}


def test_what_was_done_again_is_doubled() -> None:
    assert findings(roll(3, 6, 1), roll(4, 5, 2), roll(5, 4, 4)) == {"doubled": 2}


def test_what_is_not_in_the_log_or_with_other_dice_is_lost() -> None:
    assert findings() == {"lost": 1}
    assert findings(roll(3, 6, 2)) == {"lost": 1}


def test_what_nobody_asked_for_is_doubled() -> None:
    other = roll(4, 5, 2)
    other.request_id = "nobody's"
    assert findings(roll(3, 6, 1), other) == {"doubled": 1}


def test_a_report_tells_the_number_and_some_of_them() -> None:
    found = Findings()
    for number in range(100):
        found.add("doubled", f"roll {number}")
    assert not found.none
    assert "lost 0, doubled 100, gaps 0" in str(found)
    assert "doubled: roll 0" in str(found) and "roll 99" not in str(found)


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
