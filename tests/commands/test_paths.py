"""What is no path, and what stands in the way of one, is told by the name that was given, in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bgcore_server.cli import COMMANDS
from tests.notation.test_record_text import SMALL

from .runner import Ran, bgcore

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
NESTED = "[" * 100_000

READS: dict[str, Callable[[str], Ran]] = {
    "check-variant --examples": lambda p: bgcore(
        *("check-variant", "western", "--games", "1", "--examples", p)
    ),
    "variants --examples": lambda p: bgcore(
        *("variants", "western", "--page", "made", "--examples", p)
    ),
    "plays": lambda p: bgcore("plays", p),
    "replay": lambda p: bgcore("replay", p),
    "verify-dice": lambda p: bgcore("verify-dice", p),
    "convert": lambda p: bgcore("convert", "--to", "text", p),
    "serve --config": lambda p: bgcore("serve", "--show-config", "--config", p),
}
"""Commands that read a file."""

LISTS: dict[str, Callable[[str], Ran]] = {
    "check-variant": lambda p: bgcore("check-variant", "western", "--variants", p),
    "variants": lambda p: bgcore("variants", "--variants", p),
    "plays": lambda p: bgcore("plays", "--variants", p),
    "replay": lambda p: bgcore("replay", "--variants", p, "sample"),
    "perft": lambda p: bgcore("perft", "--variant", "western", "--depth", "0", "--variants", p),
    "serve": lambda p: bgcore("serve", "--db", "sqlite://", "--listen", "[::1]:0", "--variants", p),
}
"""Commands that read a folder."""

MAKES: dict[str, Callable[[str], Ran]] = {
    "new-variant": lambda p: bgcore("new-variant", p, "--name", "made-so"),
    "variants --page": lambda p: bgcore("variants", "western", "--page", p),
    "convert --output-folder": lambda p: bgcore(
        *("convert", "--to", "text", "--output-folder", p), given=START
    ),
}
"""Commands that make a folder."""

WRITES: dict[str, Callable[[str], Ran]] = {
    "convert --output": lambda p: bgcore("convert", "--to", "text", "--output", p, given=START),
    "serve --db": lambda p: bgcore("serve", "--listen", "[::1]:0", "--db", f"sqlite:///{p}"),
}
"""Commands that write a file."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with a file, a folder and links that lead nowhere."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "sample").write_text(SMALL)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    before = set(tmp_path.iterdir())
    yield
    assert set(tmp_path.iterdir()) == before, "something was made all the same"


def told(ran: Ran, *words: str) -> None:
    """That it is said on standard error, and nothing else."""
    assert ran.status in (1, 2)
    assert not ran.output
    last = ran.errors.strip().splitlines()[-1]
    assert "Traceback" not in ran.errors
    assert all(word in last for word in words), ran.errors


EVERY = {**READS, **LISTS, **MAKES, "convert --output": WRITES["convert --output"]}


@pytest.mark.parametrize("name", sorted(set(EVERY) - {"plays", "serve"}))
def test_an_empty_text_is_no_path(name: str) -> None:
    ran = EVERY[name]("")
    assert ran.status == 2
    told(ran, "Invalid value", "expected a path, and this is empty")


@pytest.mark.parametrize("name", sorted(READS))
@pytest.mark.parametrize("path", ["loop", "loop/x", "file/x", "folder", "dangling", "x" * 300])
def test_a_file_that_cannot_be_read_is_named(name: str, path: str) -> None:
    ran = READS[name](path)
    assert ran.status in (1, 2)
    assert path in ran.errors
    assert "Errno" not in ran.errors


@pytest.mark.parametrize("name", sorted(LISTS))
@pytest.mark.parametrize("path", ["loop", "loop/x", "file", "file/x", "dangling", "x" * 300])
def test_a_folder_that_cannot_be_read_is_named(name: str, path: str) -> None:
    ran = LISTS[name](path)
    told(ran, f"Error: --variants {path}: ", ": expected a folder")
    assert "Errno" not in ran.errors


WAYS = {
    "file": "file is no folder: expected a folder",
    "file/a/b": "file is no folder: expected a folder",
    "loop": "Too many levels of symbolic links: expected a folder",
    "loop/x": "Too many levels of symbolic links: expected a folder",
    "dangling/x": "dangling is a link to nothing: expected a folder",
    "x" * 300: "File name too long: expected a folder",
}


@pytest.mark.parametrize("name", sorted(MAKES))
@pytest.mark.parametrize("path", sorted(WAYS))
def test_what_is_in_the_way_of_a_folder_is_named(name: str, path: str) -> None:
    ran = MAKES[name](path)
    refused = "Invalid value" in ran.errors  # by click, in its own words
    told(ran, path, "is a file" if refused else WAYS[path])


@pytest.mark.parametrize("name", sorted(WRITES))
@pytest.mark.parametrize("path", ["file/x", "loop", "loop/x", "dangling/x", "folder", "x" * 300])
def test_what_is_in_the_way_of_a_file_is_named(name: str, path: str) -> None:
    ran = WRITES[name](path)
    told(ran, path, "directory" if "Invalid value" in ran.errors else ": expected a f")
    assert "Errno" not in ran.errors


NO_EXAMPLES = {
    NESTED: "expected JSON that is not nested so deep",
    f'{{"id":{NESTED}': "expected JSON that is not nested so deep",
    f"[{'1' * 5000}]": "expected JSON with numbers that are shorter",
    "\x80": "expected UTF-8, not byte 1",
    "{": "expected JSON: Expecting property name",
    "[3]": "example 1: expected an object",
}


@pytest.mark.parametrize("name", ["check-variant --examples", "variants --examples"])
@pytest.mark.parametrize("text", NO_EXAMPLES, ids=range(len(NO_EXAMPLES)))
def test_examples_that_are_none_are_told_once_by_their_file(name: str, text: str) -> None:
    place = Path("folder/examples.json")
    place.write_bytes(text.encode("latin-1"))
    ran = READS[name](str(place))
    assert ran.status == 2
    assert ran.errors.splitlines()[-1].startswith(f"Error: --examples {place}: {NO_EXAMPLES[text]}")


@pytest.mark.parametrize("text", [f"a = {NESTED}", f"grace = {'1' * 5000}", "\x80"])
def test_settings_that_cannot_be_read_are_no_toml(text: str) -> None:
    place = Path("folder/settings.toml")
    place.write_bytes(text.encode("latin-1"))
    told(READS["serve --config"](str(place)), f"{place}: not TOML", "expected lines such as")


def test_no_command_takes_a_path_otherwise() -> None:
    known = {*READS, *LISTS, *MAKES, *WRITES, "serve"}
    assert {name.partition(" ")[0] for name in known} == set(COMMANDS)
