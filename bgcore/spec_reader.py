"""From a spec to the variant that it means, or every fault of it at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bgcore.catalogue import CATALOGUE
from bgcore.errors import Fault, NotRegistered, SpecError
from bgcore.errors import shown as _shown
from bgcore.nearest import one_of
from bgcore.option import Option, Value, spelt
from bgcore.resolve import options_of
from bgcore.rules import Rules
from bgcore.spec import Spec
from bgcore.spec_faults import (
    BAD_START,
    ID_TAKEN,
    UNKNOWN_KEY,
    UNKNOWN_PARENT,
    WRONG_VALUE,
    bundle_faults,
    combined,
    fault,
    inherited,
    level_faults,
    point_fault,
)
from bgcore.spec_words import (
    AXES,
    ELSEWHERE,
    KEYS,
    MOST_BUNDLES,
    MOST_OPTIONS,
    OFFERED,
    TEXTS,
)
from bgcore.start_faults import Wrong, shared_points, wrong_points, wrong_total
from bgcore.variant import Variant

if TYPE_CHECKING:
    from bgcore.registry import Registry

MOST_GUESSES = 12
PAIR = re.compile(r"[0-9]+:[0-9]+")
"""A point and its checkers, in a start that is a text."""
DIGITS = 8
"""Of a digest, where it tells house rules apart for people."""


@dataclass(frozen=True, slots=True)
class Made:
    """The variant of a spec, its parent's own code, and the spec in its plainest words."""

    variant: Variant
    rules: type[Rules]
    spec: Spec


def read_spec(spec: Spec, registry: Registry) -> Made:
    """The variant that a spec means; `SpecError` lists every fault, each with the key that it is about.

    The parent may itself be made of a spec: then the answer's spec starts from what that one starts from,
    so that it needs nothing but variants that are installed.
    """
    return _Reader(spec, registry).made()


@dataclass(slots=True)
class _Reader:
    spec: Spec
    registry: Registry
    faults: list[Fault] = field(default_factory=list)

    def wrong(self, key: str, value: object, expected: str, reason: str = WRONG_VALUE) -> None:
        self.faults.append(fault(reason, key, value, expected))

    def made(self) -> Made:
        form = self.spec.form
        for index, key in enumerate(sorted(form.keys() - set(KEYS))):
            # To guess what was meant takes time, and nobody mistypes a hundred keys.
            meant = _key_meant(key) if index < MOST_GUESSES else f"one of {', '.join(KEYS)}"
            self.wrong(key, form[key], meant, UNKNOWN_KEY)
        parent, rules, root = self._parent(form.get("parent"))
        texts = {key: self._text(key, form[key]) for key in TEXTS if key in form}
        self._id(texts.get("id", ""))
        data = self._axes(form)
        if "start" in form:
            data["start"] = self._start(form["start"])
        options = self._options(form.get("options"), parent, data)
        variant = replace(parent, **data, **options, aliases=(), bundles={})
        self._judge_start(variant)
        self.faults += level_faults(variant)
        self.faults += combined(variant, parent, data, rules, whole=not self.faults)
        given = self._bundles(variant, rules, form.get("bundles", {}))
        if self.faults:
            raise SpecError(*sorted(self.faults, key=lambda one: one.field))
        bundles = inherited(variant, rules, parent) | given
        made = named(replace(variant, bundles=bundles), rules, root, texts)
        self._check_same(made)
        return made

    # -- its parts -----------------------------------------------------------------------------------

    def _parent(self, given: object) -> tuple[Variant, type[Rules], Variant]:
        """The parent, its code, and the variant without a spec that it goes back to."""
        try:
            if not isinstance(given, str):
                raise NotRegistered(Fault("", expected="the id of a variant, a text"))
            entry = self.registry.entry(given)
        except NotRegistered as error:
            expected = error.faults[0].expected
            if given is None:
                what = f"spec: parent is missing, expected {expected}"
                self.faults.append(Fault(UNKNOWN_PARENT, "spec parent", "", expected, what))
            else:
                self.wrong("parent", given, expected, UNKNOWN_PARENT)
            # What can be said of the rest is said by any variant.
            entry = next(iter(self.registry))
        root = entry
        if entry.spec is not None:
            root = self.registry.entry(entry.spec.form["parent"])
        return entry.variant, entry.rules, root.variant

    def _text(self, key: str, value: object) -> str:
        if isinstance(value, str) and value.isprintable() and 0 < len(value) <= TEXTS[key]:
            return value
        self.wrong(key, value, f"a text on one line, 1 to {TEXTS[key]} characters")
        return ""

    def _id(self, name: str) -> None:
        """Checks that an id is one, and that nobody else has it."""
        if not name:
            return
        if not self.registry.is_id(name):
            self.wrong("id", name, "lower case letters and digits, words joined by hyphens")
        elif self.spec.new and (by := self._taken(name)):
            self.wrong("id", name, f"an id that {by} does not use", ID_TAKEN)

    def _taken(self, name: str) -> str:
        """Who has an id: a variant that is installed, or a rotation; empty where nobody does."""
        if name in self.registry.rotations:
            return f"the rotation {name}"
        taken = self.registry.named(name)
        return taken.variant.id if taken is not None and taken.spec is None else ""

    def _check_same(self, made: Made) -> None:
        """`SpecError` where a variant has this id that says anything else."""
        taken = self.registry.named(made.variant.id) if self.spec.new else None
        if taken is not None and (taken.spec is None or taken.spec.text != made.spec.text):
            expected = "an id that is free: another variant has it, which says something else"
            raise SpecError(fault(ID_TAKEN, "id", made.variant.id, expected))

    def _axes(self, form: Mapping[str, object]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key in form.keys() & AXES.keys():
            try:
                data[key] = typed(key, AXES[key].read(form[key]))
            except ValueError as expected:
                self.wrong(key, form[key], str(expected))
        return data

    def _start(self, given: object) -> dict[int, int]:
        """The start of a mapping from points to checkers, or of a text such as `24:2 13:5`."""
        points = given
        if isinstance(given, str):
            if unread := [word for word in given.split() if not PAIR.fullmatch(word)]:
                self.wrong("start", unread[0], "a point and its checkers, such as 24:5", BAD_START)
                return {}
            pairs = [word.partition(":") for word in given.split()]
            points = {point: count for point, _, count in pairs}
            if len(points) < len(pairs):
                self.wrong("start", given, "each point once", BAD_START)
        if not isinstance(points, Mapping):
            expected = 'points and their checkers, such as {"24": 2, "13": 5}'
            self.wrong("start", given, expected, BAD_START)
            return {}
        start: dict[int, int] = {}
        for name, value in points.items():
            point, count = _whole(name), _whole(value)
            if wrong := list(wrong_points({point: count})):
                self.faults.append(point_fault(name, value, wrong[0]))
            elif count:
                start[point] = count
        return dict(sorted(start.items(), reverse=True))

    def _judge_start(self, variant: Variant) -> None:
        """What of the start does not go together with other axes, unless one of those is wrong itself."""
        wrong = {one.field.removeprefix("spec ").partition(".")[0] for one in self.faults}
        found: list[Wrong] = []
        if not wrong & {"parent", "checkers", "entry"}:
            whole = "start" not in wrong
            found += wrong_total(variant.start, variant.checkers, variant.entry, whole=whole)
        if not wrong & {"parent", "start", "layout"}:
            found += shared_points(variant.start, variant.layout)
        for _, value, expected, message in found:
            told = message and f"spec {message}"
            self.faults.append(Fault(BAD_START, "spec start", _shown(value), expected, told))

    def _options(self, given: object, parent: Variant, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options that a table may set: the parent's, or those that are listed.

        What the parent has beside them stays, fixed, so that its code finds the value that holds.
        """
        own = {one.name: one for one in parent.own_options}
        if given is None:
            unfit = (name for name, one in own.items() if not _fits(one, parent, data))
            return {"fixed_options": tuple(dict.fromkeys((*parent.fixed_options, *unfit)))}
        if not isinstance(given, list) or len(given) > MOST_OPTIONS:
            self.wrong("options", given, f"a list of at most {MOST_OPTIONS} names of options")
            return {}
        known = dict.fromkeys((*OFFERED, *parent.options, *own))
        chosen: dict[str, None] = {}
        for index, name in enumerate(given):
            if not isinstance(name, str) or name not in known:
                self.wrong(f"options[{index}]", name, one_of(name, known))
            elif name in own and not _fits(own[name], parent, data):
                self.wrong(f"options[{index}]", name, f"{name} to be {own[name].expected}")
            else:
                chosen[name] = None
        # The cube's options go with the cube, whatever is listed.
        shared = (name for name in parent.options if name != "cube")
        options = dict.fromkeys((*(name for name in chosen if name not in own), *shared))
        fixed = (name for name in (*options, *own) if name not in chosen)
        return {"options": tuple(options), "fixed_options": tuple(fixed)}

    def _bundles(
        self, variant: Variant, rules: type[Rules], given: object
    ) -> dict[str, Mapping[str, Value]]:
        if not isinstance(given, Mapping) or len(given) > MOST_BUNDLES:
            self.wrong("bundles", given, f"at most {MOST_BUNDLES} names, each with options")
            return {}
        bundles: dict[str, Mapping[str, Value]] = {}
        options = options_of(variant)
        for name, values in given.items():
            if not self.registry.is_id(name) or name in self.registry.presets:
                expected = "a name in lower case with hyphens, and of no preset"
                self.wrong(f"bundles.{name}", name, expected)
            elif not isinstance(values, Mapping) or len(values) > MOST_OPTIONS:
                self.wrong(f"bundles.{name}", values, f"at most {MOST_OPTIONS} options")
            elif faults := bundle_faults(variant, None if self.faults else rules, name, values):
                self.faults += faults
            else:
                bundles[name] = {one: options[one].read(value) for one, value in values.items()}
        return bundles


def typed(key: str, value: Value) -> Any:
    """The value of an axis as its field has it."""
    default: Any = Variant.__dataclass_fields__[key].default
    return type(default)(value) if isinstance(value, str) else value


def _whole(value: object) -> int:
    """A whole number, also from its text; -1 for what is none."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 3:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _fits(option: Option, parent: Variant, data: Mapping[str, Any]) -> bool:
    """Whether an option takes the value that the variant has now."""
    try:
        option.read(data.get(option.name, getattr(parent, option.name, option.default)))
    except ValueError:
        return False
    return True


def _key_meant(key: str) -> str:
    if key in CATALOGUE:
        return (
            "an axis: this is an option, which is chosen beside the spec or in one of its bundles"
        )
    return ELSEWHERE.get(key) or one_of(key, KEYS)


# -- what it is called -------------------------------------------------------------------------------


def named(variant: Variant, rules: type[Rules], root: Variant, texts: Mapping[str, str]) -> Made:
    """The variant with the names that it was given, or those that follow from its rules."""
    form = difference(root, variant)
    mark = Spec.of(form).digest[:DIGITS]
    names: dict[str, Any] = {
        "id": texts.get("id") or f"{root.id}-{mark}",
        "title": texts.get("title") or f"{root.title} (house rules)",
    }
    told = {"summary": texts["summary"]} if "summary" in texts else {}
    changes = [
        f"{key} {spelt(getattr(variant, key))}" for key, value in form.items() if key in AXES
    ]
    changes += [f"another {key}" for key in ("start",) if key in form]
    if "options" in form:
        fewer = offered(variant) < offered(root)
        changes.append("fewer options" if fewer else "other options")
    made = replace(
        variant,
        **names,
        summary=told.get("summary") or f"{root.title}, but: {', '.join(changes) or 'nothing'}.",
        rules_version=f"{root.rules_version}+{mark}",
        source=root.source,
    )
    return Made(made, rules, Spec.of({**form, **names, **told}, new=False))


def difference(root: Variant, variant: Variant) -> dict[str, object]:
    """What a spec says to make `variant` of `root`, in the plainest words."""
    form: dict[str, object] = {"parent": root.id}
    for key in AXES:
        if (value := getattr(variant, key)) != getattr(root, key):
            form[key] = "none" if value is None else value
    if dict(variant.start) != dict(root.start):
        form["start"] = {str(point): count for point, count in variant.start.items()}
    if (options := offered(variant)) != offered(root):
        form["options"] = sorted(options)
    added = {
        name: dict(values)
        for name, values in variant.bundles.items()
        if dict(values) != dict(root.bundles.get(name, {}))
    }
    if added:
        form["bundles"] = added
    return form


def offered(variant: Variant) -> set[str]:
    """The options of the game that a table may set."""
    every = {*variant.options, *(one.name for one in variant.own_options)}
    return every - set(variant.fixed_options)
