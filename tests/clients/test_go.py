"""The Go client: its code is what the contract gives, its tests pass, its examples play."""

from __future__ import annotations

import re
import subprocess
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
from tests.conftest import insist
from tests.needs import ROOT, Need

CLIENT = ROOT / "clients/go"
PLUGIN = re.compile(r"\S+/cmd/protoc-gen-\S+@v[\d.]+")

pytestmark = pytest.mark.needs_go


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled examples."""
    folder = tmp_path_factory.mktemp("go")
    run("go", "build", "-o", f"{folder}/", "./examples/...", cwd=CLIENT)
    return folder


def test_the_generated_code_is_up_to_date(tmp_path: Path) -> None:
    insist(Need("needs_go", no_plugins))
    check_generated(CLIENT, tmp_path)


def no_plugins() -> str:
    """The generators are modules, which Go fetches when it does not have them."""
    for plugin in PLUGIN.findall((CLIENT / "buf.gen.yaml").read_text()):
        name = plugin.rstrip("],")
        build = ["go", "install", "-n", name]
        if subprocess.run(build, capture_output=True, check=False).returncode:
            return f"{name} cannot be had"
    return ""


def test_it_is_vetted_and_formatted() -> None:
    run("go", "vet", "./...", cwd=CLIENT)
    assert run("gofmt", "-l", ".", cwd=CLIENT) == ""


def test_its_own_tests_pass(address: str) -> None:
    printed = run("go", "test", "-count=1", "-v", ".", cwd=CLIENT, BGCORE_ADDRESS=address)
    assert "SKIP" not in printed


@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto", "gul-bara", "acey-deucey"])
def test_it_plays_a_match_by_what_the_server_lists(built: Path, address: str, variant: str) -> None:
    printed = run(built / "playmatch", "-server", address, "-variant", variant, cwd=CLIENT)
    check_score(printed, variant)


@pytest.mark.parametrize("preset", MONEY + MATCHES)
def test_it_answers_whatever_comes_under_a_preset(built: Path, address: str, preset: str) -> None:
    length = "0" if preset in MONEY else "2"
    rules = ["-preset", preset, "-length", length]
    check_ended(run(built / "playmatch", "-server", address, *rules, cwd=CLIENT))


def test_a_match_survives_the_server(built: Path, mortal: Server) -> None:
    play: list[str | Path] = [
        built / "playmatch",
        "-server",
        mortal.address,
        "-variant",
        "western",
        "-length",
        "50",
        "-tries",
        TRIES,
    ]
    check_survival(mortal, play, CLIENT, 50)


def test_the_tour_runs_and_the_readme_shows_it(built: Path, address: str) -> None:
    printed = run(built / "tour", "-server", address, cwd=CLIENT)
    assert "NUMBER_NOT_ROLLED" in printed
    assert "throws, 0 faults" in printed
    assert printed.count("match 2 has 0 faults") == 2
    check_blocks(CLIENT / "README.md", "go", sorted((CLIENT / "examples").glob("*/main.go")))
