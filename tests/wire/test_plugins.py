"""A server with plugins that cannot be used starts, says so, and serves the rest."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.packages import BROKEN, STATES, good, install
from tests.wire.process import ServerProcess, command


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages that other processes see, too."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BGCORE_PROBE_SECONDS", "12")
    return folder


def call(server: ServerProcess, method: str, **request: Any) -> Any:
    asked = urllib.request.Request(
        f"http://{server.http}/bgcore.v1.{method}",
        json.dumps(request).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def start(server: ServerProcess) -> Any:
    """The server runs; what it tells of itself."""
    return call(server.start(), "VariantService/GetServerInfo")


def test_every_broken_plugin_is_told_and_the_rest_is_served(site: Path, tmp_path: Path) -> None:
    for name, code in BROKEN.items():
        install(site, name, code)
    install(site, "works", good("worked"))
    server = ServerProcess(tmp_path / "server")
    try:
        info = start(server)
        listed = call(server, "VariantService/ListVariants")
        assert info["plugins"] == listed["plugins"]
        found = {plugin["name"]: plugin for plugin in info["plugins"]}
        for name, (state, says) in STATES.items():
            assert found[name]["state"] == f"PLUGIN_STATE_{state.upper()}"
            assert says in found[name]["problem"]
            assert f"plugin {name} of {name} 1.0 is {state}: " in server.told()
        assert found["works"] == {
            "name": "works",
            "distribution": "works",
            "version": "1.0",
            "state": "PLUGIN_STATE_LOADED",
            "entryPoint": "works",
            "apiLevel": 1,
        }
        start_of = {"points": [0] * 4 + [0, 5, 0, 3] + [0] * 4 + [5] + [0] * 10 + [2]}
        position = {"onRoll": "SEAT_WHITE", "white": start_of, "black": start_of}
        for variant in ("western", "worked"):
            plays = call(
                server,
                "RulesService/ListPlays",
                variant={"id": variant},
                dice=[3, 1],
                position=position,
                view="PLAY_VIEW_TEXT",
            )
            assert len(plays["plays"]["texts"]) == 16
        assert "Traceback" not in server.told()
    finally:
        server.kill()


def test_the_operator_chooses_between_two_claims(site: Path, tmp_path: Path) -> None:
    install(site, "ann", good("shared-id"))
    install(site, "bea", good("shared-id"))
    server = ServerProcess(tmp_path / "server")
    try:
        states = {plugin["name"]: plugin["state"] for plugin in start(server)["plugins"]}
        assert states["ann"] == states["bea"] == "PLUGIN_STATE_CONFLICTING"
        server.kill()
        server.arguments = ("--plugins", "bea")
        info = start(server)
        assert "shared-id" in info["rulesVersions"]
        states = {plugin["name"]: plugin["state"] for plugin in info["plugins"]}
        assert states["ann"] == "PLUGIN_STATE_DISABLED"
    finally:
        server.kill()


def test_the_list_of_variants_tells_what_is_not_used_and_strict_ends_it(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, "raises-at-import", BROKEN["raises-at-import"])
    ran = subprocess.run([command(), "variants"], capture_output=True, text=True, check=True)
    assert "western" in ran.stdout
    assert ran.stderr == (
        "plugin raises-at-import of raises-at-import 1.0 is broken: ValueError: at import\n"
    )
    monkeypatch.setenv("BGCORE_STRICT_PLUGINS", "1")
    ran = subprocess.run([command(), "variants"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == (
        "Error: plugin raises-at-import of raises-at-import: ValueError: at import\n"
    )
