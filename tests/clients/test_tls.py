"""Every client speaks TLS, and shows a certificate of its own where the server wants one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bgcore_client import Client, Unavailable, tls
from tests.clients.programs import run
from tests.clients.serving import Server
from tests.needs import ROOT
from tests.server.certificates import Authority, replace

GO, NODE = ROOT / "clients/go", ROOT / "clients/typescript"


@dataclass
class Secured:
    """A server that wants certificates, and the files of a client that has one."""

    address: str
    ca: Path
    cert: Path
    key: Path

    @property
    def files(self) -> tuple[Path, Path, Path]:
        return self.ca, self.cert, self.key


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    folder, ours = tmp_path_factory.mktemp("tls"), Authority()
    ca = folder / "ca.pem"
    replace(ca, ours.cert)
    cert, key = ours.server().write(folder, "server")
    client = ours.client().write(folder, "client")
    files = ("--tls-cert", cert, "--tls-key", key, "--tls-client-ca", ca)
    with Server(folder / "bgcore.db", *map(str, files)) as server:
        yield Secured(server.address, ca, *client)


def test_python(secured: Secured) -> None:
    with Client(secured.address, credentials=tls(*secured.files)) as client:
        assert "tavla" in [variant.id for variant in client.variants()]
    with (
        Client(secured.address, credentials=tls(secured.ca), timeout=1) as stranger,
        pytest.raises(Unavailable),
    ):
        list(stranger.variants())


def test_python_takes_a_certificate_and_its_key(secured: Secured) -> None:
    with pytest.raises(ValueError, match="both cert and key"):
        tls(cert=secured.cert)


@pytest.mark.needs_go
def test_go(secured: Secured, tmp_path: Path) -> None:
    run("go", "build", "-o", tmp_path / "secure", "./examples/secure", cwd=GO)
    ask: list[str | Path] = [tmp_path / "secure", "-server", secured.address, "-ca", secured.ca]
    printed = run(*ask, "-cert", secured.cert, "-key", secured.key, cwd=GO)
    assert "tavla" in printed.split()
    assert fails(*ask)


@pytest.mark.needs_node
def test_node(secured: Secured) -> None:
    run("npm", "run", "build", cwd=NODE)
    ask: list[str | Path] = ["node", NODE / "build/examples/secure.js", secured.address, secured.ca]
    assert "tavla" in run(*ask, secured.cert, secured.key, cwd=NODE).split()
    assert fails(*ask)


def fails(*command: str | Path) -> bool:
    """Whether a program ends badly, as it should without a certificate."""
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    return done.returncode != 0 and b"tavla" not in done.stdout
