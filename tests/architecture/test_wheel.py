"""What an installation puts on somebody's machine."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.source import HOMES, ROOT

pytestmark = pytest.mark.slow

PACKAGES = {package for package, home in HOMES.items() if (ROOT / home / package).is_dir()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from the source distribution: so that one has all that building needs."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_only_names_that_start_with_bgcore_are_installed(wheel: zipfile.ZipFile) -> None:
    tops = {Path(name).parts[0] for name in wheel.namelist()}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    assert packages == PACKAGES
    assert all(top.startswith("bgcore-") for top in tops - packages)


def test_every_package_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(wheel.namelist())


def test_what_the_build_made_on_the_way_stays_out(wheel: zipfile.ZipFile) -> None:
    assert not [name for name in wheel.namelist() if name.endswith((".c", ".o", ".html"))]
    assert "bgcore/kernel/_movement.py" not in wheel.namelist()


def test_the_plain_kernel_is_always_there(wheel: zipfile.ZipFile) -> None:
    assert "bgcore/kernel/movement.py" in wheel.namelist()


def test_the_migrations_of_the_database_come_along(wheel: zipfile.ZipFile) -> None:
    home = "server/bgcore_server/store/migrations"
    steps = {path.relative_to(ROOT / "server") for path in (ROOT / home).rglob("*.py")}
    assert len(steps) >= 4
    assert {str(step) for step in steps} <= set(wheel.namelist())


def test_the_template_of_a_new_variant_comes_along(wheel: zipfile.ZipFile) -> None:
    home = ROOT / "server" / "bgcore_server" / "template"
    files = {
        path.relative_to(ROOT / "server").as_posix() for path in home.rglob("*") if path.is_file()
    }
    assert len(files) == 9
    assert files <= set(wheel.namelist())


@pytest.mark.needs_compiled_kernel
def test_the_compiled_kernel_is_there_under_its_own_name(wheel: zipfile.ZipFile) -> None:
    compiled = [name for name in wheel.namelist() if name.endswith((".so", ".pyd"))]
    assert [Path(name).name.partition(".")[0] for name in compiled] == ["_movement"]


def test_the_command_and_the_built_in_variants_are_entry_points(wheel: zipfile.ZipFile) -> None:
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt")]
    lines = wheel.read(name).decode().splitlines()
    assert "bgcore = bgcore_server.start:main" in lines
    assert lines[lines.index("[bgcore]") + 1] == "variants = bgcore_variants"


def test_the_licence_comes_along(wheel: zipfile.ZipFile) -> None:
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())
