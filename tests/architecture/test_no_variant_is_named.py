"""A variant is named in its own file, its tests and its docs, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bgcore import load
from tests.architecture.source import ROOT, Module, modules

IDS = [entry.variant.id for entry in load()]
TAKEN_WHERE_NOBODY_SAYS = "western"
"""The game that is meant where nothing says which: a command without a flag, a match file without a header."""
MAY_SAY_IT = {
    "bgcore/notation/record_text.py",
    "bgcore/notation/rotation_json.py",
    "bgcore/registry.py",
    "server/bgcore_server/adapters/json_fields.py",
    "server/bgcore_server/commands/serve.py",
    "server/bgcore_server/convert/options.py",
}
"""Files in which it is that default, or an example in a message."""


def named(text: str) -> set[str]:
    """The variants whose id, also with underscores, is a word of a text."""
    words = {word.replace("_", "-").lower() for word in re.findall(r"[\w-]+", text)}
    return words & set(IDS)


def documentation(tree: ast.Module) -> set[int]:
    """The strings that are no values: docstrings, and those that describe what stands above them."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def words_of(module: Module) -> Iterator[str]:
    """Every string and every name of a module, its documentation and its comments apart."""
    apart = documentation(module.tree)
    for node in ast.walk(module.tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in apart:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


MODULES = [m for package in ("bgcore", "bgcore_server", "bgcore_client") for m in modules(package)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_module_of_engine_server_or_client_names_a_variant(module: Module) -> None:
    found = {name for text in words_of(module) for name in named(text)}
    if module.path.relative_to(ROOT).as_posix() in MAY_SAY_IT:
        found.discard(TAKEN_WHERE_NOBODY_SAYS)
    assert not found, module.path


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
OTHER_CLIENTS = sorted(
    path
    for folder, ending in (("clients/typescript/src", "ts"), ("clients/go", "go"))
    for path in (ROOT / folder).rglob(f"*.{ending}")
    if not {"gen", "examples", "node_modules"} & set(path.parts)
    and not path.name.endswith("_test.go")
)


@pytest.mark.parametrize("path", OTHER_CLIENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_client_in_another_language_names_a_variant(path: Path) -> None:
    assert not named(COMMENT.sub("", path.read_text(encoding="utf-8")))


def test_a_name_is_noticed_wherever_it_stands() -> None:
    code = 'def long_nardy():\n    """portes"""\n    return x.tapa, "as gul-bara, not western"  # fevga\n'
    module = Module("m", Path("m.py"), code, ast.parse(code))
    found = {name for text in words_of(module) for name in named(text)}
    assert found == {"long-nardy", "tapa", "gul-bara", "western"}
    assert COMMENT.sub("", 'a = "tapa"; // portes\n/* fevga */') == 'a = "tapa"; \n'


def test_there_is_much_to_look_at() -> None:
    assert len(MODULES) > 150
    assert len(OTHER_CLIENTS) > 8
