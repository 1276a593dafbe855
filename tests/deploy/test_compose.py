"""The compose file keeps to the specification's schema, and starts what it says."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.needs import ROOT

FILE = ROOT / "deploy/compose.yaml"
COMPOSE = yaml.safe_load(FILE.read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("bgcore", "replica-a", "replica-b")


def needed(name: str) -> set[str]:
    """A service and what starts with it."""
    return {name}.union(*(needed(other) for other in SERVICES[name].get("depends_on", ())))


@pytest.mark.needs_deploy_tools
def test_it_keeps_to_the_schema() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*check, str(FILE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_without_a_profile_one_server_starts_on_sqlite() -> None:
    assert [name for name, one in SERVICES.items() if "profiles" not in one] == ["bgcore"]
    assert "sqlite:////data/bgcore.db" in SERVICES["bgcore"]["command"]
    assert SERVICES["bgcore"]["volumes"] == ["data:/data"]


def test_the_balancer_brings_everything_but_that_one() -> None:
    assert needed("balancer") == set(SERVICES) - {"bgcore"}
    assert {
        name for name, one in SERVICES.items() if one.get("profiles") == ["replicas"]
    } == needed("balancer")


def test_the_servers_are_those_that_nginx_knows() -> None:
    text = (ROOT / "deploy/nginx/nginx.conf").read_text()
    for name in ("replica-a", "replica-b"):
        assert f"server {name}:50051 " in text
        assert f"server {name}:8080 " in text
        assert SERVICES[name]["networks"] == ["inside"]
    [mounted] = SERVICES["balancer"]["volumes"]
    assert (FILE.parent / mounted.split(":")[0]).is_file()


@pytest.mark.parametrize("name", OURS)
def test_our_services_may_do_little(name: str) -> None:
    one = SERVICES[name]
    assert one["read_only"] is True
    assert one["cap_drop"] == ["ALL"]
    assert one["security_opt"] == ["no-new-privileges:true"]
    assert (FILE.parent / one["build"]["context"] / one["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_the_time_that_they_take_to_stop(name: str) -> None:
    command = SERVICES[name]["command"]
    grace = float(command[command.index("--grace") + 1])
    assert grace < float(SERVICES[name]["stop_grace_period"].removesuffix("s"))


def test_ports_are_for_this_machine_only() -> None:
    published = [port for one in SERVICES.values() for port in one.get("ports", ())]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_no_password_is_in_a_command_or_in_the_file() -> None:
    assert all("PASSWORD" not in " ".join(one.get("command", ())) for one in SERVICES.values())
    assert COMPOSE["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"] == (
        "${POSTGRES_PASSWORD:-}"
    )
