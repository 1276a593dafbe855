"""Who may move while the first checker is under way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgcore import IllegalAction, Position, Roll, Rules
from bgcore.axes import Entry, Runner
from bgcore.setup import Setup, SideSetup

from .made import BLOCK, VARIANTS

ONE_AHEAD = replace(BLOCK, start={24: 1}, entry=Entry.FREELY, runner=Runner.PASS_START)
"""One checker starts on the start point, the others wait outside."""


def runner_on(point: int, rules: Rules) -> Position:
    """The first checker there, and all others waiting."""
    mine = SideSetup({point: 1}, unentered=14)
    return rules.position(Setup(mine, SideSetup({24: 1}, unentered=14)))


def origins(rules: Rules, position: Position, *numbers: int) -> set[int]:
    return {step.origin for step in rules.steps(position, numbers)}


def test_who_waits_to_enter_waits_behind_the_runner() -> None:
    rules = Rules(ONE_AHEAD)
    here = runner_on(19, rules)
    assert origins(rules, here, 2, 1) == {19}
    with pytest.raises(IllegalAction) as refused:
        rules.plays(here, Roll.of(2, 1)).find("in/23 19/18")
    assert refused.value.faults[0].reason == "RUNNER_FIRST"


def test_any_checker_may_be_the_runner_and_nobody_waits_once_it_has_passed() -> None:
    rules = Rules(ONE_AHEAD)
    assert origins(rules, rules.start, 2, 1) == {24, 26}
    assert origins(rules, runner_on(11, rules), 2, 1) == {11, 26}
    assert [str(play) for play in rules.plays(runner_on(14, rules), Roll.of(3, 2))] == [
        "14/11 in/23",
        "14/11 11/9",
    ]


def test_where_all_must_enter_first_they_do_not_wait_for_a_runner() -> None:
    rules = Rules(replace(ONE_AHEAD, start={}, entry=Entry.FIRST))
    mine = SideSetup({20: 1}, unentered=14)
    here = rules.position(Setup(mine, SideSetup(unentered=15)))
    assert origins(rules, here, 2, 1) == {26}


def test_the_start_point_waits_as_ever() -> None:
    rules = Rules(VARIANTS["fevga"])
    here = rules.position(Setup(SideSetup({24: 14, 19: 1}), SideSetup({24: 15})))
    assert origins(rules, here, 2, 1) == {19}
