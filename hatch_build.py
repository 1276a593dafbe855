"""Compile the kernel: a build hook for hatchling, and `python hatch_build.py` to build in place.

`bgcore/kernel/movement.py` is copied as `_movement`, so that the compiled module does not hide its
source. Without Cython or a compiler the package is installed all the same, with the plain kernel.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
KERNEL = Path("bgcore") / "kernel"
PLAIN_IMPORT = "from bgcore.kernel import _shadow as cython\n"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "embedsignature": False,
    "emit_code_comments": False,
}

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # by hand, outside a build environment
    BuildHookInterface = object  # type: ignore[assignment, misc]


def digest(folder: Path) -> str:
    """The hash of the kernel's sources, worked out as the kernel does it."""
    spec = spec_from_file_location("kernel_source", folder / "source.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.digest(folder)
    if not isinstance(found, str):
        raise FileNotFoundError(f"the kernel's sources are not in {folder}")
    return found


def lay_out(root: Path, work: Path) -> Path:
    """The sources under the compiled module's name, in a folder of their own."""
    kernel = root / KERNEL
    folder = work / KERNEL
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    text = (kernel / "movement.py").read_text(encoding="utf-8")
    if text.count(PLAIN_IMPORT) != 1:
        raise ValueError(f"movement.py: expected one line {PLAIN_IMPORT.strip()!r}")
    text = text.replace(PLAIN_IMPORT, "import cython\n")
    text += f'\n\nSOURCE = "{digest(kernel)}"\n'
    (folder / "_movement.py").write_text(text, encoding="utf-8")
    shutil.copy(kernel / "movement.pxd", folder / "_movement.pxd")
    return folder / "_movement.py"


def compile_kernel(root: Path) -> Path:
    """Build the extension and put it beside its source; where it is."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    with tempfile.TemporaryDirectory(prefix="bgcore-kernel-") as name:
        work = Path(name)
        source = lay_out(root, work)
        flags = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
        extension = Extension(
            "bgcore.kernel._movement",
            [str(source.relative_to(work))],
            extra_compile_args=flags,
        )
        before = Path.cwd()
        os.chdir(work)
        try:
            built = cythonize([extension], compiler_directives=DIRECTIVES, quiet=True)
            command = build_ext(Distribution({"name": "bgcore", "ext_modules": built}))
            command.build_lib = str(work / "lib")
            command.build_temp = str(work / "temp")
            command.ensure_finalized()
            command.run()
        finally:
            os.chdir(before)
        made = work / "lib" / KERNEL / extension_name()
        place = root / KERNEL / made.name
        # Replaced and not written over: a process may have the old one open.
        fresh = place.with_name(f".{made.name}.{os.getpid()}")
        shutil.copy(made, fresh)
        fresh.replace(place)
    return place


def extension_name() -> str:
    """The file name of the compiled kernel on this Python."""
    return f"_movement{sysconfig.get_config_var('EXT_SUFFIX')}"


def try_to_compile(root: Path) -> Path | None:
    """Build the extension, or say why not and leave none behind."""
    if os.environ.get("BGCORE_PURE") == "1":
        reason = "BGCORE_PURE=1"
    else:
        try:
            return compile_kernel(root)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {str(error).strip() or 'no message'}"
    (root / KERNEL / extension_name()).unlink(missing_ok=True)
    print(
        f"WARNING: bgcore's kernel was not compiled ({reason}).\n"
        "WARNING: the plain kernel will be used: the same answers, about 70 times slower.",
        file=sys.stderr,
        flush=True,
    )
    return None


class KernelHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """Put the compiled kernel into the wheel, and mark the wheel as made for this platform."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        made = try_to_compile(Path(self.root))
        if made is None:
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append(f"/{KERNEL.as_posix()}/{made.name}")

    def clean(self, versions: list[str]) -> None:
        (Path(self.root) / KERNEL / extension_name()).unlink(missing_ok=True)


if __name__ == "__main__":
    built = try_to_compile(ROOT)
    if built is None:
        sys.exit(1)
    print(f"compiled {built.relative_to(ROOT)}")
