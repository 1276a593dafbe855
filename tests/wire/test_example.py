from __future__ import annotations

import subprocess
import sys

import pytest

from tests.needs import ROOT
from tests.wire.process import ServerProcess

EXAMPLE = ROOT / "clients/python/examples/play_match.py"
LENGTH = 3


@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto", "gul-bara", "acey-deucey"])
def test_the_example_plays_a_match_against_greedy(server: ServerProcess, variant: str) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE, server.grpc, variant, "--length", str(LENGTH), "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    words = done.stdout.replace(",", "").split()
    assert words[0] == f"{variant}:"
    assert max(int(words[2]), int(words[4])) >= LENGTH


@pytest.mark.parametrize(
    "preset", ["vog", "money-001", "club-002", "jpgames", "tournament-004", "money-004"]
)
def test_the_example_answers_whatever_comes_under_a_preset(
    server: ServerProcess, preset: str
) -> None:
    rules = ["western", "--preset", preset, "--seed", "7"]
    if not preset.startswith("money"):
        rules += ["--length", "2"]
    done = subprocess.run(
        [sys.executable, EXAMPLE, server.grpc, *rules],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("western: example ")


def test_the_example_says_what_is_wrong_with_an_unknown_variant(server: ServerProcess) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE, server.grpc, "chess"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "chess" in done.stderr
