"""House rules as data: a parent and only the differences, said by a file, a request or a record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgcore.errors import Fault, SpecError

NAMES = ("id", "title", "summary")
"""What a spec says that changes no rule."""


@dataclass(frozen=True, slots=True)
class Spec:
    """Unproven house rules: `registry.rules(spec)` proves them, or raises `SpecError` with every fault.

    It holds its JSON, keys in order, so that it can be compared, kept and looked up. `new`: somebody makes
    it up now, so its id must be free; one that a table or a record has kept may have any.

    >>> from bgcore.plugins import load
    >>> spec = Spec.of({"parent": "western", "start": {"24": 2, "13": 5, "8": 3, "6": 4, "23": 1}})
    >>> rules = load().rules(spec, options={"match_length": 3})
    >>> rules.start.mover[23], rules.variant.title
    (1, 'Backgammon (house rules)')
    """

    text: str
    new: bool = True

    @classmethod
    def of(cls, form: Mapping[str, object], *, new: bool = True) -> Spec:
        """The spec that says this; what JSON has no word for, such as a date, becomes a text.

        `SpecError` for a key that comes twice, as 24 and as "24".
        """
        return cls(_compact(form), new)

    @property
    def form(self) -> dict[str, Any]:
        """What it says, as JSON has it."""
        form: dict[str, Any] = json.loads(self.text)
        return form

    @property
    def digest(self) -> str:
        """The same for all that say the same rules, whatever they call them: 64 digits."""
        rules = {key: value for key, value in self.form.items() if key not in NAMES}
        return hashlib.sha256(_compact(rules).encode()).hexdigest()


def _compact(form: Mapping[str, object]) -> str:
    return json.dumps(_named(form), sort_keys=True, separators=(",", ":"), default=str)


def _named(value: object) -> object:
    """The same with texts for keys, as JSON has them: points may be written as numbers, too."""
    if isinstance(value, Mapping):
        named = {str(key): _named(one) for key, one in value.items()}
        if len(named) < len(value):
            keys = ", ".join(map(repr, value))
            raise SpecError(Fault("DUPLICATE_FIELD", "spec keys", keys, "each key once"))
        return named
    return [_named(one) for one in value] if isinstance(value, list | tuple) else value
