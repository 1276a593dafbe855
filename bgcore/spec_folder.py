"""A folder of house rules: every `*.toml` in it is a spec, and becomes a variant beside the installed ones."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from bgcore.errors import BgcoreError, Fault, PluginFailed, SpecError
from bgcore.plugin import Plugin, PluginState
from bgcore.registry import Registry
from bgcore.spec import Spec

LARGEST_FILE = 1 << 16
CYCLE, UNREADABLE = "SPEC_CYCLE", "SPEC_UNREADABLE"


def with_folder(registry: Registry, folder: Path, *, strict: bool = False) -> Registry:
    """The registry with the variants of a folder; the given one stays as it is.

    A file's name is its variant's id, unless it says another; its parent may be in another file. One that
    cannot be used is listed among the plugins with every fault, and the others are loaded; with `strict`
    it raises `SpecError`. `OSError` where there is no such folder.
    """
    forms: dict[Path, Mapping[str, object]] = {}
    faults: dict[Path, BgcoreError] = {}
    for file in sorted(path for path in folder.iterdir() if path.suffix == ".toml"):
        try:
            forms[file] = read_file(file)
        except SpecError as error:
            faults[file] = error
    for file in in_order(forms):
        try:
            made = Spec.of(forms[file])
            registry = registry.with_spec(made, _plugin(folder, file))
        except SpecError as error:
            faults[file] = _cycle(file, forms) or error
        except PluginFailed as failed:  # the code of its parent
            faults[file] = failed
    for file, found in sorted(faults.items()):
        if strict:
            raise SpecError(*(_in_file(one, folder, file) for one in found.faults))
        each = tuple(map(str, found.faults))
        broken = _plugin(folder, file).failed(PluginState.BROKEN, str(found), each)
        registry = registry.beside(broken)
    return registry


def read_file(file: Path) -> dict[str, object]:
    """What a file says, with its name as the id where it has none; `SpecError` if it is no TOML."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ValueError(f"more than {LARGEST_FILE} bytes")
        form = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        what = f"not readable as TOML: {error}"
        raise SpecError(Fault(UNREADABLE, "spec", file.name, "TOML", what)) from None
    return {"id": file.stem.lower().replace("_", "-"), **form}


def in_order(forms: Mapping[Path, Mapping[str, object]]) -> list[Path]:
    """The files, parents before children; those of a cycle as they come."""
    files = {form["id"]: file for file, form in forms.items() if isinstance(form["id"], str)}
    found: dict[Path, None] = {}

    def visit(file: Path, children: frozenset[Path]) -> None:
        parent = forms[file].get("parent")
        above = files.get(parent) if isinstance(parent, str) else None
        if above is not None and above not in children | {file}:
            visit(above, children | {file})
        found.setdefault(file)

    for file in forms:
        visit(file, frozenset())
    return list(found)


def _cycle(file: Path, forms: Mapping[Path, Mapping[str, object]]) -> SpecError | None:
    """The fault of a file that is its own ancestor."""
    parents = {
        form["id"]: form.get("parent") for form in forms.values() if isinstance(form["id"], str)
    }
    chain = [forms[file]["id"]]
    while isinstance(chain[-1], str) and chain[-1] in parents and len(chain) <= len(parents):
        chain.append(parents[chain[-1]])
        if chain[-1] == chain[0]:
            told = " -> ".join(map(str, chain))
            return SpecError(
                Fault(CYCLE, "spec parent", told, "a parent that does not go back to itself")
            )
    return None


def _plugin(folder: Path, file: Path) -> Plugin:
    return Plugin(f"{folder.resolve().name}/{file.name}")


def _in_file(fault: Fault, folder: Path, file: Path) -> Fault:
    name = _plugin(folder, file).name
    return Fault(fault.reason, fault.field, fault.value, fault.expected, f"{name}: {fault}")
