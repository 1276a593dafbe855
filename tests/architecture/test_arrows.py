"""Who may import whom (design, section 2), and two things that no code outside a variant may do."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.architecture.source import HOMES, ROOT, Module, modules, within

STANDARD = sys.stdlib_module_names


def standard(name: str) -> bool:
    return name.partition(".")[0] in STANDARD


def foreign(name: str) -> bool:
    """Neither the project's own nor the tests'."""
    return not within(name, *HOMES, "tests", "tools")


# What each package may import, itself and the standard library apart.
ARROWS: dict[str, Callable[[str], bool]] = {
    "bgcore": lambda name: within(name, "pluggy"),
    "bgcore_variants": lambda name: within(name, "bgcore", "pluggy"),
    "bgcore_server": lambda name: within(name, "bgcore", "bgcore_proto") or foreign(name),
    "bgcore_client": lambda name: within(name, "bgcore_proto") or foreign(name),
    "bgcore_proto": lambda name: within(name, "google.protobuf"),
}


@pytest.mark.parametrize("package", ARROWS)
def test_arrow(package: str) -> None:
    wrong = [
        f"{module.at(node)}: {module.name} imports {name}"
        for module in modules(package)
        for name, node in module.imports()
        if not (within(name, package) or standard(name) or ARROWS[package](name))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_kernel_knows_only_itself_and_its_words() -> None:
    allowed = ("bgcore.kernel", "bgcore.reason", "bgcore.axes", "cython")
    wrong = [
        f"{module.at(node)}: {module.name} imports {name}"
        for module in modules("bgcore")
        if within(module.name, "bgcore.kernel")
        for name, node in module.imports()
        if not (within(name, *allowed) or standard(name))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_engine_does_not_stand_on_its_test_kit() -> None:
    wrong = [
        f"{module.at(node)}: {module.name} imports {name}"
        for module in modules("bgcore")
        if not within(module.name, "bgcore.testing")
        for name, node in module.imports()
        if within(name, "bgcore.testing")
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_kernel_imports_cython() -> None:
    wrong = [
        module.at(node)
        for package in HOMES
        for module in modules(package)
        if not within(module.name, "bgcore.kernel")
        for name, node in module.imports()
        if within(name.lower(), "cython")
    ]
    assert not wrong, "\n".join(wrong)


# These hold the engine against the oracle; the oracle itself shares nothing with the engine.
COMPARING = {
    "test_kernel_equals_oracle.py",
    "compare.py",
    "registered.py",
    "test_why_not_equals_oracle.py",
}


def test_the_oracle_shares_nothing_with_the_engine() -> None:
    folder = ROOT / "tests" / "oracle"
    wrong = [
        f"{module.at(node)}: imports {name}"
        for path in sorted(folder.rglob("*.py"))
        if path.name not in COMPARING
        for module in [Module.read(path, ROOT)]
        for name, node in module.imports()
        if within(name, *HOMES)
    ]
    assert not wrong, "\n".join(wrong)


# No game by name ------------------------------------------------------------------------------


def test_no_code_asks_which_variant_it_is() -> None:
    wrong = [
        f"{module.at(node)}: {ast.unparse(node)}"
        for package in HOMES
        if package not in {"bgcore_variants", "bgcore_proto"}
        for module in modules(package)
        for node in questions(module.tree)
    ]
    assert not wrong, "\n".join(wrong)


def questions(tree: ast.AST) -> Iterator[ast.expr]:
    """Comparisons of a variant, or its id, with something fixed; and `match` on one."""
    known = variant_ids()
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=rest):
                sides = [left, *rest]
                named = any(is_variant(side) for side in sides)
                fixed = [name for side in sides for name in constants(side)]
                if (named and fixed) or known.intersection(fixed):
                    yield node
            case ast.Match(subject=subject) if is_variant(subject):
                yield subject


def is_variant(node: ast.expr) -> bool:
    """`variant`, `table.variant`, `variant.id`, `variant_id`."""
    match node:
        case ast.Name(id="variant" | "variant_id") | ast.Attribute(attr="variant" | "variant_id"):
            return True
        case ast.Attribute(value=value, attr="id"):
            return is_variant(value)
    return False


def constants(node: ast.expr) -> Iterator[str]:
    """The texts and the UPPER_CASE names that an expression holds, alone or in a collection."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.Name(id=name) | ast.Attribute(attr=name) if name.isupper():
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            for element in elements:
                yield from constants(element)


def variant_ids() -> set[str]:
    """The ids that the built-in variants give themselves: the texts of `id=` in their files."""
    return {
        str(keyword.value.value)
        for module in modules("bgcore_variants")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "id" and isinstance(keyword.value, ast.Constant)
    }


# No count of checkers -------------------------------------------------------------------------

# Where the number 15 is not a count of checkers, or is one that a variant replaces: the file, and
# the name that the number is given to.
FIFTEEN_IS_RIGHT = {
    ("bgcore/reason.py", "NOT_ALL_HOME"): "the number of a reason",
    ("bgcore/kernel/movement.py", "return"): "the number of a reason",
    ("bgcore/kernel/movement.py", "FORMATIONS"): "the place of a byte in a record",
    ("bgcore/kernel/record.py", "checkers"): "the default of rules C10, which a variant replaces",
}


def test_no_constant_fifteen_outside_a_variant() -> None:
    wrong = [
        f"{module.at(node)}: 15, as {name or 'part of an expression'}"
        for package in ("bgcore", "bgcore_server")
        for module in modules(package)
        for name, node in fifteens(module)
        if (str(module.path.relative_to(ROOT)), name) not in FIFTEEN_IS_RIGHT
    ]
    assert not wrong, "\n".join(wrong)


def fifteens(module: Module) -> Iterator[tuple[str, ast.Constant]]:
    """Each 15 with the name it is given to; `0xF` is a mask and 15.0 a time, as their spelling says."""
    names: dict[ast.AST, str] = {}
    for node in ast.walk(module.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=values)):
                names.update(dict.fromkeys(values, name))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[value] = name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                names[value] = name
            case ast.keyword(arg=str(name), value=value):
                names[value] = name
            case ast.Return(value=ast.expr() as value):
                names[value] = "return"
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Constant)
            and type(node.value) is int
            and node.value == 15
            and (ast.get_source_segment(module.text, node) or "")[:2].lower() not in {"0x", "0b"}
        ):
            yield names.get(node, ""), node


# The checks themselves ------------------------------------------------------------------------


def module_of(text: str, name: str = "bgcore.game") -> Module:
    return Module(name, ROOT / f"{name.replace('.', '/')}.py", text, ast.parse(text))


def test_imports_are_read_wherever_they_stand() -> None:
    module = module_of(
        "def f():\n    from . import kernel\n    from .notation.text import read\n"
        "    importlib.import_module('click')\n"
    )
    assert {name for name, _ in module.imports()} == {
        "bgcore",
        "bgcore.kernel",
        "bgcore.notation.text",
        "bgcore.notation.text.read",
        "click",
    }


@pytest.mark.parametrize(
    "text",
    [
        "if variant == WESTERN: pass",
        "if table.variant.id == 'western': pass",
        "x = variant_id in {'tavla', 'western'}",
        "match variant.id:\n    case 'western': pass",
    ],
)
def test_a_question_for_the_variant_is_seen(text: str) -> None:
    assert list(questions(ast.parse(text)))


@pytest.mark.parametrize("text", ["a.variant == b.variant", "variant is None", "seat == 'white'"])
def test_other_comparisons_are_left_alone(text: str) -> None:
    assert not list(questions(ast.parse(text)))


def test_a_fifteen_is_seen_by_the_name_it_is_given_to() -> None:
    module = module_of("checkers = 15\nmask = 0xF\nheartbeat = 15.0\nf(limit=15)\ng(14 + 15)")
    assert [name for name, _ in fifteens(module)] == ["checkers", "limit", ""]
