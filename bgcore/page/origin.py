"""Where a variant is written down: the module that defines it, or the file of house rules."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bgcore.registry import Entry
from bgcore.variant import Variant


@dataclass(frozen=True, slots=True)
class Origin:
    """A file, how it is called for people, and how many lines it has."""

    name: str
    file: Path
    lines: int

    @classmethod
    def of(cls, name: str, file: Path) -> Origin:
        """The origin with the lines counted."""
        return cls(name, file, len(file.read_text(encoding="utf-8").splitlines()))


def origin_of(entry: Entry) -> Origin | None:
    """The file in which the plugin's package defines the variant; `None` where none is found.

    >>> from bgcore import load
    >>> origin_of(load().entry("western")).name
    'bgcore_variants/western.py'
    """
    package = entry.plugin.package
    for name in sorted(sys.modules):
        module = sys.modules[name]
        if package and (name == package or name.startswith(f"{package}.")):
            file = _file_of(module)
            if file and entry.variant in _held(module) and _defines(module, entry.variant):
                return Origin.of(_called(file, name), file)
    return None


def _file_of(module: ModuleType) -> Path | None:
    """The file of a module, where it is one that can be read."""
    file = Path(getattr(module, "__file__", None) or "")
    return file if file.suffix == ".py" and file.is_file() else None


def _held(module: ModuleType) -> Iterator[object]:
    return (value for value in vars(module).values() if isinstance(value, Variant))


def _defines(module: ModuleType, variant: Variant) -> bool:
    """Whether a name to which the module assigns something is the variant, and not one that it imports."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return False
    targets = (
        target
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    )
    names = (target.id for target in targets if isinstance(target, ast.Name))
    return any(vars(module).get(name) is variant for name in names)


def _called(file: Path, module: str) -> str:
    """The file from its top package on."""
    deep = module.count(".") + 1 + (file.stem == "__init__")
    return "/".join(file.parts[-deep:])
