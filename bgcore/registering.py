"""What may be wrong with what a plugin registers; all of it is told, each by the name of its field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from typing import Any

from bgcore.errors import BgcoreError, Fault, quoted, shown
from bgcore.nearest import one_of
from bgcore.option import Option, Values
from bgcore.own_options import wrong_option
from bgcore.reason import Reason
from bgcore.refusal import PLAY_PLACES, STEP_PLACES, OwnReason, wrong_reason
from bgcore.resolve import resolve
from bgcore.rules import Rules
from bgcore.spec_words import AXES, TEXTS
from bgcore.start_faults import shared_points, wrong_points, wrong_total
from bgcore.variant import Variant, wrong_fields

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
GOOD_ID = "lower case letters and digits, words joined by hyphens"

REASONS = {"step_reason": STEP_PLACES, "closed_reason": STEP_PLACES, "play_reason": PLAY_PLACES}
"""The reasons that rules may have of their own, and what the sentences of each may name."""

UNUSABLE = "PLUGIN_UNUSABLE"
BUILT_IN = "PLUGIN_SHADOWS"
"""The reason of a claim on what is built in."""

OTHER_LEVEL = "PLUGIN_API_LEVEL"


def wrong(field: str, value: object, expected: str, reason: str = UNUSABLE) -> Fault:
    """One thing that is wrong."""
    return Fault(reason, field, shown(value), expected)


def wrong_kind(field: str, value: object, expected: str) -> Fault:
    """A value of another type than is expected there."""
    return Fault(UNUSABLE, field, quoted(value), expected)


def plain(id: object) -> str:
    """An id as it is looked up: case, blanks and underscores do not matter."""
    return str(id).strip().lower().replace("_", "-").replace(" ", "-")


def wrong_variant(variant: object, rules: object) -> Iterator[Fault]:
    """What is wrong with a variant and its rules by themselves, whatever else is registered."""
    if not isinstance(variant, Variant):
        yield wrong("variant", type(variant).__name__, "a bgcore.Variant")
    if not (isinstance(rules, type) and issubclass(rules, Rules)):
        yield wrong("rules", shown(rules), "a class derived from bgcore.Rules")
    if not isinstance(variant, Variant):
        return
    faults = [wrong_kind(*one) for one in wrong_fields(variant)]
    known = {fault.field for fault in faults}
    faults += _wrong_names(variant)
    faults += _wrong_texts(variant)
    faults += (fault for fault in _wrong_axes(variant) if fault.field not in known)
    faults += _wrong_start(variant, {fault.field for fault in faults})
    faults += _wrong_options(variant)
    if isinstance(rules, type) and issubclass(rules, Rules):
        faults += _wrong_reasons(rules)
    yield from faults
    # The rest would only stumble over the same.
    if not faults and isinstance(rules, type) and issubclass(rules, Rules):
        yield from _wrong_rules(variant, rules)


def _wrong_names(variant: Any) -> Iterator[Fault]:
    aliases = variant.aliases if isinstance(variant.aliases, tuple) else ()
    for alias in aliases:
        if not isinstance(alias, str) or not ID.match(plain(alias)):
            yield wrong("aliases", alias, GOOD_ID)
    if isinstance(variant.id, str) and not ID.match(variant.id):
        yield wrong("id", variant.id, GOOD_ID)
    for name, times in Counter([str(variant.id), *map(plain, aliases)]).items():
        if times > 1:
            yield wrong("aliases", name, "each name once, and not the id")


def _wrong_texts(variant: Any) -> Iterator[Fault]:
    """Texts that are empty, too long or of several lines."""
    for name, longest in {**TEXTS, "rules_version": TEXTS["id"]}.items():
        text = getattr(variant, name)
        if isinstance(text, str) and not (text.isprintable() and 0 < len(text) <= longest):
            yield wrong(name, text, f"a text on one line, 1 to {longest} characters")
    names = variant.file_names if isinstance(variant.file_names, Mapping) else {}
    for kind, name in names.items():
        if not isinstance(kind, str) or not isinstance(name, str):
            yield wrong(f"file_names {shown(kind)}", name, "a text, by the id of a format")


def _wrong_axes(variant: Any) -> Iterator[Fault]:
    """Values outside of what their axes take."""
    for name, axis in AXES.items():
        try:
            axis.read(getattr(variant, name))
        except ValueError as expected:
            yield wrong(name, getattr(variant, name), str(expected))


def _wrong_start(variant: Any, faulty: Set[str]) -> Iterator[Fault]:
    """What is wrong with the start, as far as the axes that it depends on are well."""
    if not isinstance(variant.start, Mapping):
        return
    start: Mapping[int, int] = variant.start
    found = list(wrong_points(variant.start))
    if not found and not faulty & {"checkers", "entry"}:
        found += wrong_total(start, variant.checkers, variant.entry)
    if not found and "layout" not in faulty:
        found += shared_points(start, variant.layout)
    for point, value, expected, message in found:
        field = f"start.{point}" if point else "start"
        yield Fault(UNUSABLE, field, quoted(value) if point else shown(value), expected, message)


def _wrong_reasons(rules: type[Rules]) -> Iterator[Fault]:
    """Reasons of the rules' own that could not be told: each is tried once."""
    for name, places in REASONS.items():
        reason = getattr(rules, name)
        if isinstance(reason, OwnReason):
            for where, value, expected in wrong_reason(reason, places):
                yield wrong(name + where, value, expected)
        elif not (isinstance(reason, Reason) and name == "play_reason"):
            yield wrong(name, repr(reason), "a bgcore.refusal.OwnReason")


def _wrong_options(variant: Any) -> Iterator[Fault]:
    own = variant.own_options if isinstance(variant.own_options, tuple) else ()
    for one in own:
        if not isinstance(one, Option):
            yield wrong("own_options", one, "each a bgcore.option.Option")
            return
    shared = variant.options if isinstance(variant.options, tuple) else ()
    for name, times in Counter(one.name for one in own).items():
        if times > 1 or name in shared:
            yield wrong("own_options", name, "a name that no other option of the variant has")
    for one in own:
        yield from (wrong(*told) for told in wrong_option(one, variant))
    fixed = variant.fixed_options if isinstance(variant.fixed_options, tuple) else ()
    known = (*shared, *(one.name for one in own))
    for name in fixed:
        if name not in known:
            yield wrong("fixed_options", name, f"{one_of(name, map(str, known))}, which it has")
    bundles = variant.bundles if isinstance(variant.bundles, Mapping) else {}
    for name, values in bundles.items():
        if not isinstance(name, str) or not ID.match(name):
            yield wrong("bundles", name, GOOD_ID)
        if not isinstance(values, Mapping):
            yield wrong(f"bundle {shown(name)}", values, "a mapping of options")


def _wrong_rules(variant: Variant, rules: type[Rules]) -> Iterator[Fault]:
    """What the rules say of the variant's data, and of each bundle."""
    found = list(raised("", partial(_made, variant, rules, {})))
    yield from found
    if found:
        return
    for name, values in variant.bundles.items():
        yield from raised(f"bundle {name} ", partial(_made, variant, rules, values))


def _made(variant: Variant, rules: type[Rules], values: Values) -> Rules:
    return rules(*resolve(variant, values))


def raised(where: str, work: Callable[[], object]) -> Iterator[Fault]:
    """What a piece of work says is wrong; whatever else it raises is a fault of its author's."""
    try:
        work()
    except BgcoreError as error:
        for fault in error.faults:
            told = fault.message and where + fault.message
            yield replace(fault, reason=UNUSABLE, field=where + fault.field, message=told)
    except Exception as problem:
        text = f"{where}{type(problem).__name__}: {problem}"
        yield Fault(UNUSABLE, where.strip(), type(problem).__name__, "no exception", text)
