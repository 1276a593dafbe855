"""A page in a real browser, of another origin, talks to the HTTP port: Debian's Chromium, headless."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.clients.programs import run
from tests.clients.serving import Server
from tests.needs import ROOT, chromium

HERE = ROOT / "tests/browser"
CLIENT = ROOT / "clients/typescript"

pytestmark = [pytest.mark.needs_chromium, pytest.mark.needs_node]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page, with the client for browsers in one file."""
    run("npm", "run", "build", cwd=CLIENT)
    folder = tmp_path_factory.mktemp("page")
    run(
        HERE / "node_modules/.bin/esbuild",
        "page/page.ts",
        "--bundle",
        "--format=esm",
        "--target=es2022",
        f"--alias:@bgcore/client/web={CLIENT / 'dist/web.js'}",
        f"--outdir={folder}",
        cwd=HERE,
    )
    (folder / "index.html").write_bytes((HERE / "page/index.html").read_bytes())
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and does not say so."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def origin(folder: Path) -> Iterator[str]:
    """An origin that serves the page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_page_lists_plays_and_watches_a_table_and_others_are_refused(
    page: Path, tmp_path: Path
) -> None:
    with (
        origin(page) as listed,
        origin(page) as stranger,
        Server(tmp_path / "bgcore.db", "--cors", listed) as server,
    ):
        printed = run(
            "node",
            "--test",
            "page.test.js",
            cwd=HERE,
            BGCORE_ADDRESS=server.address,
            BGCORE_WEB=f"http://{server.web}",
            PAGE=listed,
            STRANGER=stranger,
            CHROMIUM=chromium() or "",
        )
    assert "# pass 6\n" in printed, printed
    assert "# skipped 0\n" in printed, printed


def test_the_page_has_strict_types(page: Path) -> None:
    run(CLIENT / "node_modules/.bin/tsc", "-p", HERE, cwd=HERE)


def test_nothing_of_node_is_in_the_client_for_browsers(page: Path) -> None:
    bundled = (page / "page.js").read_text(encoding="utf-8")
    assert "connect-web" in bundled
    assert "connect-node" not in bundled
    assert "node:http" not in bundled


def test_the_lock_file_names_no_registry() -> None:
    locked = (HERE / "package-lock.json").read_text(encoding="utf-8")
    assert json.loads(locked)["packages"]
    assert '"resolved"' not in locked
