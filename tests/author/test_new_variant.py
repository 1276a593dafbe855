"""`bgcore new-variant` makes a package that is sound, installs beside bgcore, and plays over the wire."""

from __future__ import annotations

import importlib
import os
import pty
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bgcore import Level, Registry, load
from tests.author.environment import ROOT, Environment, tool, types_of
from tests.commands.runner import bgcore
from tests.wire import process
from tests.wire.process import ServerProcess

EXAMPLE = str(ROOT / "clients/python/examples/play_match.py")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("author") / "house-game"
    ran = bgcore("new-variant", str(folder), "--parent", "plakoto", "--title", "House Game")
    assert ran.status == 0, ran.errors
    assert ran.output.startswith("house-game is in ")
    return folder


@pytest.fixture(scope="module")
def environment(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = Environment.make(tmp_path_factory.mktemp("environment"))
    made.install(package)
    return made


@pytest.fixture
def server(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ServerProcess]:
    monkeypatch.setattr(process, "command", lambda: environment.bgcore)
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    running = ServerProcess(tmp_path / "server").start()
    try:
        yield running
    finally:
        running.kill()


def test_it_is_in_order(package: Path, environment: Environment) -> None:
    for check in (("check",), ("format", "--check")):
        ran = subprocess.run(
            [tool("ruff"), *check, "--no-cache", "."],
            capture_output=True,
            text=True,
            cwd=package,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
    checked = types_of(environment, package)
    assert checked.returncode == 0, checked.stdout
    described = tomllib.loads((package / "pyproject.toml").read_text())
    assert described["project"]["entry-points"]["bgcore"] == {"house-game": "house_game"}
    assert "bgcore variants house-game" in (package / "README.md").read_text()


def test_its_own_tests_pass(package: Path, environment: Environment) -> None:
    ran = environment.run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)
    assert ran.returncode == 0, ran.stdout
    assert "18 passed" in ran.stdout


def test_it_is_listed_and_proved(package: Path, environment: Environment) -> None:
    listed = subprocess.run(
        [environment.bgcore, "variants"], capture_output=True, text=True, check=True
    )
    assert "house-game" in listed.stdout
    examples = str(package / "tests" / "examples.json")
    checked = subprocess.run(
        [environment.bgcore, "check-variant", "house-game", "--examples", examples],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 examples" in checked.stdout


def test_it_is_played_over_the_wire(server: ServerProcess, environment: Environment) -> None:
    ran = subprocess.run(
        [environment.python, EXAMPLE, server.grpc, "house-game", "--length", "1", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.match(r"house-game: example \d, greedy \d after \d+ games?\n", ran.stdout)


@pytest.mark.parametrize("parent", [entry.variant.id for entry in load(["none"])])
def test_any_built_in_variant_may_be_the_parent_and_a_method_in_its_class_is_asked(
    parent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"my_{parent.replace('-', '_')}"
    ran = bgcore("new-variant", str(tmp_path), "--name", f"my-{parent}", "--parent", parent)
    assert ran.status == 0, ran.errors
    game = tmp_path / module / "game.py"
    text = game.read_text()
    assert f'load().variant("{parent}")' in text
    game.write_text(text.replace("    pass\n", "    def value(self, level):\n        return 7\n"))
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry()
    importlib.import_module(module).bgcore_register(registry)
    assert registry.rules(f"my-{parent}").value(Level.SINGLE) == 7
    assert issubclass(registry.entry(f"my-{parent}").rules, load(["none"]).entry(parent).rules)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--name", "My Game"), "--name My Game: expected lower case letters"),
        (("--name", "western"), "expected an id that is not taken"),
        (("--name", "class"), "no word of Python"),
        (("--name", "bgcore-x"), "not one of bgcore's own"),
        (("--name", "json"), "expected no module of Python's own"),
        (("--parent", "chess"), "--parent chess: expected one of acey-deucey"),
        (("--title", 'a "b"'), "expected a line without quotes"),
        (("--summary", "{{ 7 }}"), "expected a line without quotes, braces"),
    ],
)
def test_what_cannot_be_is_a_usage_error(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    ran = bgcore("new-variant", str(tmp_path / "fine-game"), *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert says in ran.errors
    assert not (tmp_path / "fine-game").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    ran = bgcore("new-variant", str(tmp_path), "--name", "fine-game")
    assert (ran.status, ran.output) == (2, "")
    assert "expected a new or an empty folder" in ran.errors
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_link_that_leads_round_and_round_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    ran = bgcore("new-variant", str(tmp_path / "round"))
    assert ran.status == 2
    assert "Too many levels of symbolic links: expected a folder" in ran.errors
    assert "Traceback" not in ran.errors


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_it_asks_at_any_terminal(kind: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"fine-game\n\nportes\n\n")
    ran = subprocess.run(
        [sys.executable, "-m", "bgcore_server.cli", "new-variant", str(tmp_path / "made")],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": kind},
        check=True,
    )
    os.close(theirs)
    os.close(ours)
    assert ran.stdout.startswith(b"fine-game is in ")


def test_who_answers_wrongly_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore_server.commands.new_variant.is_terminal", lambda stream: True)
    answers = "Bad Name!\nfine-game\n\nchess\nportes\n\n"
    ran = bgcore("new-variant", str(tmp_path / "made"), given=answers)
    assert ran.status == 0, ran.errors
    assert "Error: Bad Name!: expected lower case letters" in ran.errors
    assert "Error: chess: expected one of " in ran.errors
    assert "--name" not in ran.errors
    assert "portes" in (tmp_path / "made/fine_game/game.py").read_text()
