"""Settings of `bgcore serve`: flags before environment before file, and all faults at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bgcore_server.address import Address
from bgcore_server.commands.serve import command
from bgcore_server.operator_settings import DEFAULTS, SETTINGS
from bgcore_server.settings_given import WrongSettings, resolve
from bgcore_server.settings_shown import shown
from tools.generate_settings import PAGE, page

PASSWORD = "a-secret"
URL = f"postgresql://ann:{PASSWORD}@db.example/tables"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.delenv("BGCORE_CONFIG", raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bgcore.toml"


def faults(**given: object) -> list[str]:
    flags = {name: value for name, value in given.items() if name != "config"}
    with pytest.raises(WrongSettings) as caught:
        resolve(flags, str(given["config"]) if "config" in given else None)
    return caught.value.faults


def test_without_a_word_the_defaults_hold() -> None:
    assert resolve({}).settings == DEFAULTS
    assert not resolve({}).places


def test_a_flag_beats_the_environment_which_beats_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('grace = 1\nheartbeat = 2\nlisten = "h:3"\n[log]\nlevel = "error"\n')
    monkeypatch.setenv("BGCORE_GRACE", "4")
    monkeypatch.setenv("BGCORE_HEARTBEAT", "5")
    found = resolve({"grace": "6"}, str(file))
    settings = found.settings
    assert (settings.grace, settings.heartbeat, settings.listen) == (6, 5, Address("h", 3))
    assert settings.log.level == "error"
    assert found.places == {
        "grace": "--grace",
        "heartbeat": "BGCORE_HEARTBEAT",
        "listen": f"{file}: listen",
        "log.level": f"{file}: log.level",
    }


def test_the_environment_may_name_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("grace = 1\n")
    monkeypatch.setenv("BGCORE_CONFIG", str(file))
    assert resolve({}).settings.grace == 1


def test_all_that_is_wrong_is_told_at_once_with_its_place(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('hearbeat = 3\ngrace = -1\nlog = 5\n[listen]\nhost = "h"\n')
    monkeypatch.setenv("BGCORE_ALLOW_SEEDED", "perhaps")
    monkeypatch.setenv("BGCORE_LOG_LEVEL", "loud")
    found = faults(config=file, http="nowhere", heartbeat="nan")
    starts = [
        f"{file}: hearbeat: no such setting, expected heartbeat",
        f"{file}: log: expected a table, [log]",
        f"{file}: listen: {{'host': 'h'}}: expected HOST:PORT",
        "--http: nowhere: expected HOST:PORT",
        "BGCORE_ALLOW_SEEDED perhaps: expected a valid boolean",
        "--heartbeat nan: expected a finite number",
        f"{file}: grace -1: expected greater than or equal to 0",
        "BGCORE_LOG_LEVEL loud: expected 'debug'",
    ]
    assert len(found) == len(starts)
    for start, told in zip(starts, found, strict=True):
        assert told.startswith(start)


@pytest.mark.parametrize("text", ["grace = \n", "grace", "\xff", f'db = "{URL}" x'])
def test_a_file_that_is_no_toml_is_told_without_what_it_says(file: Path, text: str) -> None:
    file.write_bytes(text.encode("latin-1"))
    [told] = faults(config=file)
    assert told.startswith(f"{file}: not TOML ")
    assert PASSWORD not in told


def test_a_file_that_is_not_there_is_told(file: Path) -> None:
    assert faults(config=file) == [f"{file}: no such file or directory: expected a file"]


def test_an_empty_variable_is_none_and_those_of_kubernetes_are_nothing_to_us(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BGCORE_GRACE", "")
    monkeypatch.setenv("BGCORE_PORT", "tcp://10.0.0.1:80")
    monkeypatch.setenv("BGCORE_LOG_PORT", "tcp://10.0.0.1:80")
    monkeypatch.setenv("BGCORE_LOG", "x")
    assert resolve({}).settings == DEFAULTS


def test_what_holds_is_shown_as_a_file_that_says_the_same(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BGCORE_LOG_LEVEL", "warning")
    first = resolve({"http": "none", "allow_seeded": True})
    file.write_text(shown(first))
    monkeypatch.delenv("BGCORE_LOG_LEVEL")
    assert resolve({}, str(file)).settings == first.settings
    assert 'level = "warning"  # BGCORE_LOG_LEVEL' in shown(first)
    assert "grace = 10.0  # default" in shown(first)


@pytest.mark.parametrize("url", [URL, f"{URL}:x", f"mysql://ann:{PASSWORD}@h", PASSWORD])
def test_no_secret_is_shown(url: str, file: Path) -> None:
    found = resolve({"db": url})
    assert PASSWORD not in shown(found) + repr(found)
    file.write_text(f'db = ["{url}"]\n')
    assert PASSWORD not in "".join(faults(config=file))


def test_the_command_shows_them_and_ends(file: Path) -> None:
    ran = CliRunner().invoke(command, ["--db", URL, "--show-config"])
    assert (ran.exit_code, PASSWORD in ran.output) == (0, False)
    assert "# --db" in ran.output
    ran = CliRunner().invoke(command, ["--grace", "-1", "--heartbeat", "x", "--show-config"])
    assert ran.exit_code == 2
    assert "--grace -1" in ran.output and "--heartbeat x" in ran.output


def test_every_setting_has_a_name_and_a_meaning_of_its_own() -> None:
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    assert all(setting.help for setting in SETTINGS)
    helped = CliRunner().invoke(command, ["--help"]).output
    assert all(setting.flag in helped for setting in SETTINGS)


def test_the_page_has_them_all() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run: make settings"


def test_the_tool_says_so_too() -> None:
    root = PAGE.parents[1]
    ran = subprocess.run(
        [sys.executable, "tools/generate_settings.py", "--check"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "")
