"""The project's own source, read and not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each package and the folder it lives in.
HOMES = {
    "bgcore": ".",
    "bgcore_variants": "variants",
    "bgcore_server": "server",
    "bgcore_client": "clients/python",
    "bgcore_proto": "proto",
}


@dataclass(frozen=True)
class Module:
    """One source file."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @classmethod
    def read(cls, path: Path, home: Path) -> Module:
        parts = path.relative_to(home).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        return cls(name, path, text, ast.parse(text, str(path)))

    @property
    def package(self) -> str:
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    def at(self, node: ast.AST) -> str:
        return f"{self.path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"

    def imports(self) -> Iterator[tuple[str, ast.AST]]:
        """Every module that this one names in an import, wherever the import stands.

        `from a import b` gives `a` and `a.b`, since `b` may be a module.
        """
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    yield from ((alias.name, node) for alias in names)
                case ast.ImportFrom(module=module, names=names, level=level):
                    base = self.resolve(module or "", level)
                    yield base, node
                    yield from ((f"{base}.{alias.name}", node) for alias in names)
                case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]):
                    if ast.unparse(function) in {
                        "__import__",
                        "import_module",
                        "importlib.import_module",
                    }:
                        yield name, node

    def resolve(self, module: str, level: int) -> str:
        """The absolute name of `from ..module import`."""
        if not level:
            return module
        parents = self.package.split(".")
        return ".".join([*parents[: len(parents) - level + 1], *([module] if module else [])])


def modules(package: str) -> list[Module]:
    """All modules of one of the project's packages."""
    home = ROOT / HOMES[package]
    return [
        Module.read(path, home)
        for path in sorted((home / package).rglob("*.py"))
        if path.name != "_movement.py"  # the build's copy of movement.py
    ]


def within(name: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one of them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)
