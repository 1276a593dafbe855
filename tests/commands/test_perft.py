from __future__ import annotations

import re

import pytest

from . import faulty
from .runner import bgcore


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("--variant", "western", "--depth", "1"), 447),
        (("--variant", "western", "--depth", "0"), 1),
        (("--variant", "Backgammon", "--depth", "1", "--position", "1:1 off:14 / 1:1 off:14"), 21),
        (
            (
                "--variant",
                "western",
                "--depth",
                "1",
                "--position",
                "bar:1 6:14 / 6:2 5:2 4:2 3:2 2:2 1:2",
            ),
            21,
        ),
    ],
)
def test_one_number_is_printed(arguments: tuple[str, ...], number: int) -> None:
    ran = bgcore("perft", *arguments)
    assert (ran.status, ran.output, ran.errors) == (0, f"{number}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--depth", "1"),
        ("--variant", "western"),
        ("--variant", "western", "--depth", "-1"),
        ("--variant", "western", "--depth", "one"),
        ("--variant", "chess", "--depth", "1"),
        ("--variant", "western", "--depth", "1", "--position", "24:2"),
        ("--variant", "western", "--depth", "1", "--position", "24:16 / 24:1"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    ran = bgcore("perft", *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert "Error" in ran.errors


@pytest.mark.parametrize("variant", ["faulty", "unmade"])
def test_a_variant_that_fails_is_a_message_and_status_1(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore_server.commands.perft.load", faulty.registry)
    ran = bgcore("perft", "--variant", variant, "--depth", "2")
    assert (ran.status, ran.output) == (1, "")
    assert re.fullmatch(
        r"Error: PLUGIN_FAILED: tests\S+ raised LookupError: no such thing( \(faulty.py:\d+\))?\n",
        ran.errors,
    )
