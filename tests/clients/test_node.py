"""The Node client: its code is what the contract gives, its tests pass, its examples play."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.programs import (
    MATCHES,
    MONEY,
    TRIES,
    check_blocks,
    check_ended,
    check_generated,
    check_score,
    check_survival,
    run,
)
from tests.clients.serving import Server
from tests.needs import ROOT

CLIENT = ROOT / "clients/typescript"

pytestmark = pytest.mark.needs_node


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the compiled examples; strict types, or it fails."""
    run("npm", "run", "build", cwd=CLIENT)
    return CLIENT / "build/examples"


def test_the_generated_code_is_up_to_date(tmp_path: Path) -> None:
    check_generated(CLIENT, tmp_path)


def test_its_own_tests_pass(built: Path, address: str) -> None:
    printed = run("npm", "test", cwd=CLIENT, BGCORE_ADDRESS=address)
    assert "SKIP" not in printed


@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto", "gul-bara", "acey-deucey"])
def test_it_plays_a_match_by_what_the_server_lists(built: Path, address: str, variant: str) -> None:
    printed = run("node", built / "play-match.js", address, variant, cwd=CLIENT)
    check_score(printed, variant)


@pytest.mark.parametrize("preset", MONEY + MATCHES)
def test_it_answers_whatever_comes_under_a_preset(built: Path, address: str, preset: str) -> None:
    length = "0" if preset in MONEY else "2"
    rules = ["western", length, preset]
    check_ended(run("node", built / "play-match.js", address, *rules, cwd=CLIENT))


def test_a_match_survives_the_server(built: Path, mortal: Server) -> None:
    play: list[str | Path] = ["node", built / "play-match.js", mortal.address, "western", "50"]
    play += ["", TRIES]
    check_survival(mortal, play, CLIENT, 50)


def test_the_tour_runs_and_the_readme_shows_it(built: Path, address: str) -> None:
    printed = run("node", built / "tour.js", address, cwd=CLIENT)
    assert "NUMBER_NOT_ROLLED" in printed
    assert "throws, 0 faults" in printed
    assert printed.count("match 2 has 0 faults") == 2
    examples = sorted((CLIENT / "examples").glob("*.ts"))
    check_blocks(CLIENT / "README.md", "ts", examples)
    check_blocks(ROOT / "README.md", "ts", examples)


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text()
