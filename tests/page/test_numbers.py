"""Numbers that stand in sentences are those that the engine has."""

from __future__ import annotations

import re

import pytest

from bgcore import Rules
from bgcore.axes import Doubles, Entry, HeadFirstTurn, Layout, PrimePath, PrimeRule, Runner
from bgcore.head import LISTED_DOUBLES
from bgcore.kernel.record import PASSED
from bgcore.page.prose import prose
from bgcore.parts import complement
from tests.page.test_prose import text, under

LAYOUTS = pytest.mark.parametrize("layout", Layout)


def laid_out(layout: Layout) -> tuple[Rules, str]:
    """Rules of a layout, and what is said of direction and home."""
    rules = under(layout=layout, entry=Entry.FREELY, start={})
    return rules, " ".join(one.text for one in prose(rules)["Direction and home"])


@LAYOUTS
def test_a_point_has_the_opponents_number_that_is_said(layout: Layout) -> None:
    rules, said = laid_out(layout)
    pairs = [(int(own), int(his)) for own, his in re.findall(r"your (\d+) is his (\d+)", said)]
    assert bool(pairs) == (layout is not Layout.SAME)
    assert all(rules.opponents_point(own) == his for own, his in pairs)


@LAYOUTS
def test_the_opponents_home_is_where_it_is_said_to_be(layout: Layout) -> None:
    rules, said = laid_out(layout)
    told = re.search(r"his is your (\d+) to (\d+)", said)
    low, high = sorted(map(int, told.groups())) if told else (1, 6)
    assert {rules.opponents_point(point) for point in range(1, 7)} == {*range(low, high + 1)}


@pytest.mark.parametrize("runner", [one for one in Runner if one is not Runner.NONE])
def test_the_first_checker_must_come_as_far_as_is_said(runner: Runner) -> None:
    assert f"until it has come to {PASSED[runner]}" in text(under(runner=runner))


def test_the_doubles_of_a_first_turn_are_those_that_are_said() -> None:
    said = text(under(head_limit=1, head_first_turn=HeadFirstTurn.LISTED_DOUBLES))
    assert {int(one) for one in re.findall(r"(\d)-\1", said)} == {*LISTED_DOUBLES}


def test_the_complement_is_the_one_that_is_said() -> None:
    told = re.search(r"After (\d)-\1 you play (\d)-\2", text(under(doubles=Doubles.COMPLEMENT)))
    assert told is not None
    assert set(complement(int(told[1])).numbers) == {int(told[2])}


@pytest.mark.parametrize("path", [PrimePath.OPPONENT, PrimePath.BOTH])
def test_what_is_six_in_a_row_on_the_opponents_way_is_so(path: PrimePath) -> None:
    rules = under(
        layout=Layout.PARALLEL, start={24: 15}, prime_rule=PrimeRule.NEED_AHEAD, prime_path=path
    )
    told = re.search(r"So your ([\d, ]+) are six in a row", text(rules))
    assert told is not None
    his = [rules.opponents_point(int(own)) for own in told[1].split(", ")]
    assert his == [*range(his[0], his[0] - 6, -1)]
    assert {rules.opponents_point(own) for own in range(13, 19)} == {*range(1, 7)}


@pytest.mark.parametrize("number", [1, 6])
def test_a_number_enters_where_it_is_said(number: int) -> None:
    rules = under(entry=Entry.FREELY, start={})
    said = re.search(rf"a {number} on (\d+)", text(rules))
    assert said is not None
    [step] = rules.steps(rules.start, (number,))
    assert step.target == int(said[1])
