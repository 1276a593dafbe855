from __future__ import annotations

import re

import pytest

from bgcore import Rules, load
from bgcore.testing import check_rules

from . import faulty
from .runner import bgcore


def test_a_variant_that_holds_is_told_with_what_was_checked() -> None:
    ran = bgcore("check-variant", "tavla", "--games", "2")
    assert (ran.status, ran.errors) == (0, "")
    assert re.fullmatch(r"tavla: 2 games, \d+ positions: all is well\n", ran.output)
    assert bgcore("check-variant", "tavla", "--games", "2").output == ran.output
    assert bgcore("check-variant", "tavla", "--games", "2", "--seed", "2").output != ran.output


@pytest.mark.parametrize("arguments", [("nope",), (), ("tavla", "--games", "0"), ("tavla", "x")])
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    ran = bgcore("check-variant", *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert "Error" in ran.errors


@pytest.mark.parametrize("variant", ["faulty", "unmade"])
def test_a_variant_that_fails_is_a_message_and_status_1(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore.load", faulty.registry)
    ran = bgcore("check-variant", variant)
    assert (ran.status, ran.output) == (1, "")
    assert ran.errors == "Error: PLUGIN_FAILED: LookupError: no such thing\n"


def test_what_does_not_hold_is_told_with_the_game_that_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check(rules: Rules, games: int, seed: int) -> object:
        report = check_rules(rules, games, seed)
        assert report.positions < 0, "fewer than no positions"
        return report

    monkeypatch.setattr("bgcore_server.commands.check_variant.check_rules", check)
    ran = bgcore("check-variant", "tavla")
    assert (ran.status, ran.output) == (1, "")
    told = re.search(
        r"tavla: fewer .* \(check_rules\(rules, games=1, seed=(\d+)\) ", ran.errors, re.DOTALL
    )
    assert told
    assert check_rules(load().rules("tavla"), 1, int(told[1])).games == 1
