"""TLS on both ports: who gets in, and certificates that are renewed while the server runs."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509

from bgcore_server.access_settings import TlsSettings
from bgcore_server.address import Address
from bgcore_server.errors import BadFile
from bgcore_server.tls import Tls
from tests.server.certificates import Authority, Pair, replace
from tests.server.helpers import ANYWHERE, Client, Faults, Running, running
from tests.server.test_quotas import question

OURS, THEIRS = Authority(), Authority("strangers")
ANN, MALLORY = OURS.client(), THEIRS.client("mallory")


@asynccontextmanager
async def encrypted(folder: Path, mutual: bool = False, **more: Any) -> AsyncIterator[Running]:
    """A server with a certificate of ours."""
    cert, key = OURS.server().write(folder, "server")
    if mutual:
        more["client_ca"] = folder / "clients.pem"
        replace(more["client_ca"], OURS.cert)
    async with running(http=ANYWHERE, tls=TlsSettings(cert=cert, key=key, **more)) as server:
        yield server


async def ask_grpc(server: Running, pair: Pair | None = None, trust: bytes = OURS.cert) -> int:
    """How many plays there are, over a connection of its own."""
    given = (pair.key, pair.cert) if pair else (None, None)
    credentials = grpc.ssl_channel_credentials(trust, *given)
    async with grpc.aio.secure_channel(str(server.grpc), credentials) as channel:
        answer = await Client(channel).ListPlays(question(), timeout=10)
    return len(answer.plays.lengths)


def ask_web(
    address: Address, folder: Path, pair: Pair | None = None, trust: bytes = OURS.cert
) -> tuple[bytes, int]:
    """The first line of an answer over a connection of its own, and the server's serial number."""
    context = ssl.create_default_context(cadata=trust.decode())
    if pair:
        context.load_cert_chain(*pair.write(folder, "client"))
    with (
        socket.create_connection((address.host, address.port), 10) as plain,
        context.wrap_socket(plain, server_hostname=address.host) as secure,
    ):
        shown = secure.getpeercert(binary_form=True)
        secure.sendall(b"GET /healthz HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n")
        line = secure.makefile("rb").readline()
    if not line:
        raise ConnectionError("hung up")
    assert shown
    return line, x509.load_der_x509_certificate(shown).serial_number


async def web(server: Running, *given: Any) -> tuple[bytes, int]:
    assert server.http
    return await asyncio.to_thread(ask_web, server.http, *given)


OK = b"HTTP/1.1 200 OK\r\n"


async def test_both_ports_speak_tls(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        assert await ask_grpc(server) == 16
        assert (await web(server, tmp_path))[0] == OK


async def test_who_does_not_trust_the_server_does_not_speak_to_it(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await ask_grpc(server, trust=THEIRS.cert)
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        with pytest.raises(ssl.SSLCertVerificationError):
            await web(server, tmp_path, None, THEIRS.cert)


async def test_who_speaks_plain_text_gets_no_answer(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        async with grpc.aio.insecure_channel(str(server.grpc)) as channel:
            with pytest.raises(grpc.aio.AioRpcError):
                await Client(channel).ListPlays(question(), timeout=10)
        assert server.http
        reader, writer = await asyncio.open_connection(server.http.host, server.http.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n")
        assert b"HTTP" not in await reader.read()
        writer.close()
        assert await ask_grpc(server) == 16


async def test_old_versions_of_tls_are_refused(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        assert server.http
        old = ssl.create_default_context(cadata=OURS.cert.decode())
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.deprecated_call():
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1

        def ask(address: Address) -> None:
            with socket.create_connection((address.host, address.port), 10) as plain:
                old.wrap_socket(plain, server_hostname=address.host)

        with pytest.raises(ssl.SSLError):
            await asyncio.to_thread(ask, server.http)


# -- mutual -------------------------------------------------------------------------------------------


async def test_only_clients_whose_certificate_is_ours_get_in(tmp_path: Path) -> None:
    async with encrypted(tmp_path, mutual=True) as server:
        assert await ask_grpc(server, ANN) == 16
        assert (await web(server, tmp_path, ANN))[0] == OK
        for stranger in (None, MALLORY):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await ask_grpc(server, stranger)
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await web(server, tmp_path, stranger)


async def test_while_certificates_are_given_out_others_get_in_too(tmp_path: Path) -> None:
    async with encrypted(tmp_path, mutual=True, client_optional=True) as server:
        for known in (ANN, None):
            assert await ask_grpc(server, known) == 16
            assert (await web(server, tmp_path, known))[0] == OK
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await web(server, tmp_path, MALLORY)


# -- renewed ------------------------------------------------------------------------------------------


async def test_a_renewed_certificate_is_shown_to_new_connections(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        credentials = grpc.ssl_channel_credentials(OURS.cert)
        async with grpc.aio.secure_channel(str(server.grpc), credentials) as old:
            await Client(old).ListPlays(question())
            theirs = THEIRS.server()
            theirs.write(tmp_path, "server")
            assert await ask_grpc(server, trust=THEIRS.cert) == 16
            assert await web(server, tmp_path, None, THEIRS.cert) == (OK, theirs.serial)
            await Client(old).ListPlays(question())  # an open connection goes on
            with pytest.raises(grpc.aio.AioRpcError):
                await ask_grpc(server, trust=OURS.cert)
        assert not server.faults.found


async def test_a_pair_that_is_half_renewed_is_not_used(tmp_path: Path) -> None:
    async with encrypted(tmp_path) as server:
        new = OURS.server()
        _, before = await web(server, tmp_path)
        replace(tmp_path / "server.pem", new.cert)
        for _ in range(2):
            assert await web(server, tmp_path) == (OK, before)
            assert await ask_grpc(server) == 16
        [told] = server.faults.found
        assert told["event"] == "certificates not renewed"
        replace(tmp_path / "server.key", new.key)
        assert await web(server, tmp_path) == (OK, new.serial)


async def test_clients_are_let_in_by_the_newest_authority(tmp_path: Path) -> None:
    async with encrypted(tmp_path, mutual=True) as server:
        assert (await web(server, tmp_path, ANN))[0] == OK
        replace(tmp_path / "clients.pem", THEIRS.cert)
        assert await ask_grpc(server, MALLORY) == 16
        assert (await web(server, tmp_path, MALLORY))[0] == OK
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await web(server, tmp_path, ANN)
        with pytest.raises(grpc.aio.AioRpcError):
            await ask_grpc(server, ANN)


# -- files --------------------------------------------------------------------------------------------


def settings(folder: Path, cert: bytes, key: bytes, client_ca: bytes | None = None) -> TlsSettings:
    files = {"cert": cert, "key": key, "client_ca": client_ca}
    for name, raw in files.items():
        if raw is not None:
            (folder / name).write_bytes(raw)
    given: dict[str, Any] = {n: folder / n for n, raw in files.items() if raw is not None}
    return TlsSettings(**given)


ONE, OTHER, LOCKED = OURS.server(), OURS.server(), OURS.server(password="secret")


@pytest.mark.parametrize(
    ("cert", "key", "client_ca", "why"),
    [
        (ONE.cert, OTHER.key, None, "key values mismatch"),
        (b"", ONE.key, None, "expected a certificate"),
        (b"nonsense", ONE.key, None, "expected a certificate"),
        (ONE.cert, b"nonsense", None, "expected a certificate"),
        (ONE.cert, LOCKED.key, None, "the key is encrypted"),
        (ONE.cert, ONE.key, b"", "expected certificates in PEM of those who sign"),
        (ONE.cert, ONE.key, b"nonsense", "expected certificates in PEM of those who sign"),
    ],
)
def test_files_that_cannot_be_used_are_refused_at_once(
    tmp_path: Path, cert: bytes, key: bytes, client_ca: bytes | None, why: str
) -> None:
    with pytest.raises(BadFile, match=why) as refused:
        Tls(settings(tmp_path, cert, key, client_ca), Faults())
    assert "PRIVATE" not in str(refused.value)


@pytest.mark.parametrize("gone", ["cert", "key", "client_ca"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, gone: str) -> None:
    found = settings(tmp_path, ONE.cert, ONE.key, OURS.cert)
    (tmp_path / gone).unlink()
    with pytest.raises(BadFile, match=rf"tls {gone.replace('_', ' ')} .*{gone}: no such file"):
        Tls(found)


@pytest.mark.parametrize("given", [{"cert": "a"}, {"key": "a"}, {"client_ca": "a"}])
def test_certificate_and_key_belong_together(given: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="expected"):
        TlsSettings(**given)  # type: ignore[arg-type]
