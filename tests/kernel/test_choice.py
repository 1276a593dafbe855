"""Which kernel is taken, and that a stale or missing extension does no harm."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bgcore import kernel
from bgcore.kernel.source import SOURCES, digest

ROOT = Path(__file__).parents[2]
ASK = "from bgcore import kernel; print(kernel.KERNEL, kernel.COMPILED)"


def asked(*options: str, code: str = ASK, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if k != "BGCORE_PURE"}
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_plain_kernel_can_be_asked_for() -> None:
    assert asked(BGCORE_PURE="1").stdout.split() == ["plain", "False"]


@pytest.mark.needs_compiled_kernel
def test_the_compiled_kernel_is_taken_when_it_is_there() -> None:
    answer = asked("-W", "error")
    assert answer.stdout.split() == ["compiled", "True"], answer.stderr


@pytest.mark.needs_compiled_kernel
def test_a_stale_extension_is_passed_over_with_a_warning() -> None:
    code = (
        "import importlib.util as u, sys\n"
        "spec = u.spec_from_file_location('bgcore.kernel.source', 'bgcore/kernel/source.py')\n"
        "source = u.module_from_spec(spec); spec.loader.exec_module(source)\n"
        "source.digest = lambda: 'else'; sys.modules['bgcore.kernel.source'] = source\n"
    )
    answer = asked("-W", "always", code=code + ASK)
    assert answer.stdout.split() == ["plain", "False"], answer.stderr
    assert "RuntimeWarning: the compiled kernel is older than" in answer.stderr


@pytest.mark.needs_compiled_kernel
def test_the_extension_carries_the_hash_of_its_sources(compiled: Any) -> None:
    assert digest() == compiled.SOURCE


def test_no_hash_where_the_sources_are_not_shipped(tmp_path: Path) -> None:
    assert digest(tmp_path) is None
    for name in SOURCES:
        (tmp_path / name).write_text("", encoding="utf-8")
    assert digest(tmp_path) not in (None, digest())


def test_the_plain_kernel_needs_no_cython() -> None:
    hidden = "import sys; sys.modules['cython'] = sys.modules['Cython'] = None\n"
    answer = asked(code=hidden + ASK, BGCORE_PURE="1")
    assert answer.stdout.split() == ["plain", "False"], answer.stderr


def test_what_is_offered_is_what_the_chosen_kernel_has() -> None:
    assert ("compiled" if kernel.COMPILED else "plain") == kernel.KERNEL
    chosen = "bgcore.kernel._movement" if kernel.COMPILED else "bgcore.kernel.movement"
    assert kernel.plays is sys.modules[chosen].plays


def hook() -> Any:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The kernel's sources somewhere else, so that a build leaves this one alone."""
    folder = tmp_path / "bgcore" / "kernel"
    folder.mkdir(parents=True)
    for name in (*SOURCES, "source.py"):
        (folder / name).write_bytes((ROOT / "bgcore" / "kernel" / name).read_bytes())
    return tmp_path


def test_without_a_compiler_the_build_warns_and_goes_on(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    monkeypatch.setenv("CC", "/bin/false")
    assert hook().try_to_compile(copy) is None
    assert "WARNING: bgcore's kernel was not compiled" in capfd.readouterr().err
    assert not list(copy.rglob("*.so")) + list(copy.rglob("*.c"))


def test_without_cython_the_build_warns_and_goes_on(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    assert hook().try_to_compile(copy) is None
    assert "not compiled" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.needs_compiled_kernel
def test_a_build_leaves_the_extension_and_nothing_else(copy: Path) -> None:
    pytest.importorskip("Cython")
    made = hook().compile_kernel(copy)
    assert made.parent == copy / "bgcore" / "kernel"
    names = {path.name for path in made.parent.iterdir() if path.name != "__pycache__"}
    assert names == {*SOURCES, "source.py", made.name}
