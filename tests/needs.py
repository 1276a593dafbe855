"""What some tests need and not every machine has.

Without it a test is skipped, and the end of the run says which and why. With BGCORE_REQUIRE_ALL=1,
as in CI, it fails instead.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIRE_ALL = os.environ.get("BGCORE_REQUIRE_ALL") == "1"


@dataclass(frozen=True)
class Need:
    """One such thing: `missing()` is an empty text when it is there, else the reason."""

    name: str
    missing: Callable[[], str]


def real_folder() -> Path:
    """Where real match files and positions are: BGCORE_REAL, else ../shared/real by the checkout."""
    named = os.environ.get("BGCORE_REAL")
    return Path(named) if named else ROOT.parent / "shared" / "real"


def no_real_data() -> str:
    if (real_folder() / "western-matches.tsv").is_file():
        return ""
    return f"no real match files in {real_folder()} (BGCORE_REAL names their folder)"


def no_compiled_kernel() -> str:
    if importlib.util.find_spec("bgcore.kernel._movement"):
        return ""
    return "the kernel is not compiled (no C compiler when bgcore was installed)"


def no_node() -> str:
    if missing := no_tool("node"):
        return missing
    if not (ROOT / "clients/typescript/node_modules").is_dir():
        return "no packages in clients/typescript (npm ci)"
    return ""


def chromium() -> str | None:
    """The browser; Debian's package is called so, too."""
    return shutil.which("chromium")


def no_chromium() -> str:
    if missing := no_tool("chromium"):
        return f"{missing} (Debian's package chromium)"
    if not (ROOT / "tests/browser/node_modules").is_dir():
        return "no packages in tests/browser (npm ci)"
    return ""


def no_nginx() -> str:
    return "" if nginx() else "no nginx on the PATH or in /usr/sbin (Debian's package nginx)"


def nginx() -> str | None:
    """The load balancer; Debian puts it where only administrators look."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def no_go() -> str:
    return no_tool("go", "version")


def no_curl() -> str:
    return no_tool("curl")


def no_bench() -> str:
    absent = [name for name in ("pyspiel", "bgsage") if importlib.util.find_spec(name) is None]
    return f"not installed: {', '.join(absent)} (make test EXTRAS=bench)" if absent else ""


def no_deploy_tools() -> str:
    wanted = ("check_jsonschema", "kubernetes_validate")
    absent = [name for name in wanted if importlib.util.find_spec(name) is None]
    if hadolint() is None:
        absent.append("hadolint")
    return f"not installed: {', '.join(absent)} (make test EXTRAS=deploy)" if absent else ""


def hadolint() -> str | None:
    """The linter of Dockerfiles, of this environment before others."""
    here = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    return here or shutil.which("hadolint")


def gnubg() -> str | None:
    """GNU Backgammon's program; Debian puts it where games are."""
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


def no_gnubg() -> str:
    return "" if gnubg() else "no gnubg on the PATH or in /usr/games (Debian's package gnubg)"


def no_engine_kit() -> str:
    if importlib.util.find_spec("backgammon_engine_kit"):
        return ""
    return "not installed: backgammon-engine-kit (see tests/benchmarks/bench_position_id.py)"


def no_postgres() -> str:
    if absent := [n for n in ("psycopg", "psycopg_pool") if importlib.util.find_spec(n) is None]:
        return f"not installed: {', '.join(absent)} (pip install '.[postgres]')"
    from tests import postgres

    return postgres.missing()


def no_tool(name: str, version: str = "--version") -> str:
    path = shutil.which(name)
    if path is None:
        return f"no {name} on the PATH"
    if subprocess.run([path, version], capture_output=True, check=False).returncode:
        return f"{path} does not run"
    return ""


NEEDS = {
    need.name: need
    for need in (
        Need("needs_real", cache(no_real_data)),
        Need("needs_compiled_kernel", cache(no_compiled_kernel)),
        Need("needs_node", cache(no_node)),
        Need("needs_chromium", cache(no_chromium)),
        Need("needs_nginx", cache(no_nginx)),
        Need("needs_go", cache(no_go)),
        Need("needs_curl", cache(no_curl)),
        Need("needs_gnubg", cache(no_gnubg)),
        Need("needs_postgres", cache(no_postgres)),
        Need("needs_bench", cache(no_bench)),
        Need("needs_deploy_tools", cache(no_deploy_tools)),
        Need("needs_engine_kit", cache(no_engine_kit)),
    )
}
