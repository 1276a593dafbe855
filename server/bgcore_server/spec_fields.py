"""House rules in the words of the wire: the paths of what they say, and the sentences about it.

The engine reads keys that stand side by side, as in a file; a `VariantSpec` has fields, and the axes in one of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial

from bgcore.catalogue import CATALOGUE
from bgcore.errors import Fault
from bgcore.nearest import meant, one_of
from bgcore.spec_faults import UNKNOWN_KEY, UNKNOWN_PARENT
from bgcore.spec_words import AXES

FIELDS = {
    "parent": "base",
    **{key: key for key in ("id", "title", "summary", "start", "options", "bundles")},
}
"""The fields beside the axes, by the engine's keys."""

_KEY = re.compile(r"(?:game \d+ )?spec (?:axes\.)?(?P<key>.*)", re.DOTALL)


def spec_path(field: str) -> str:
    """The path of what house rules say under a key.

    >>> spec_path("spec contact"), spec_path("spec start.24")
    ('variant.spec.axes["contact"]', 'variant.spec.start.points[24]')
    >>> spec_path("spec bundles.fast.animals")
    'variant.spec.bundles["fast"].options["animals"]'
    """
    key = field.removeprefix("spec").strip()
    path, quoted = "variant.spec", partial(json.dumps, ensure_ascii=False)
    place, _, inside = key.partition(".")
    match place:
        case "":
            return path
        case "parent" | "id" | "title" | "summary":
            return f"{path}.{FIELDS[place]}"
        case "start":
            return f"{path}.start" + (f".points[{inside}]" if inside else "")
        case "bundles":
            name, _, option = inside.partition(".")
            place = f"{path}.bundles" + (f"[{quoted(name)}]" if name else "")
            return place + (f".options[{quoted(option)}]" if option else "")
        case "axes" if inside:  # one that has the name of another field
            key = inside
    if place.startswith("options"):
        return f"{path}.options" + place.replace("options", ".names", 1) * ("[" in place)
    return f"{path}.axes[{quoted(key)}]"


def in_wire_words(fault: Fault) -> Fault:
    """A fault of house rules whose sentence has the words of a request; others stay as they are.

    >>> print(in_wire_words(Fault("SPEC_UNKNOWN_PARENT", "spec parent", "wetsern", "western")))
    spec base wetsern: expected western
    >>> print(in_wire_words(Fault("SPEC_UNKNOWN_KEY", "spec strat", "x", "start, most likely")))
    spec strat x: expected start, most likely, a field of the spec beside axes
    """
    found = _KEY.fullmatch(fault.field)
    if found is None:
        return fault
    if fault.reason == UNKNOWN_PARENT:
        return replace(fault, message=str(fault).replace("parent", FIELDS["parent"], 1))
    if fault.reason == UNKNOWN_KEY and found["key"] not in CATALOGUE:
        expected = axis_meant(found["key"])
        told = str(fault).removesuffix(fault.expected) + expected
        return replace(fault, expected=expected, message=told)
    return fault


def axis_meant(name: str) -> str:
    """What is expected instead of a name that is no axis.

    >>> axis_meant("contcat"), axis_meant("start")
    ('contact, most likely', 'start, a field of the spec beside axes')
    """
    beside = "a field of the spec beside axes"
    if field := FIELDS.get(name, name if name in FIELDS.values() else ""):
        return f"{field}, {beside}"
    likely = meant(name, (*AXES, *FIELDS.values()))
    if likely.partition(",")[0] in FIELDS.values():
        return f"{likely}, {beside}"
    return likely or one_of(name, AXES)
