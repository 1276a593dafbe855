"""Presets: option values that go together, as a function of the variant's data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bgcore.option import Values
from bgcore.variant import Variant


@dataclass(frozen=True, slots=True)
class Preset:
    """Written once for every variant and listed resolved; `values` is `None` where it makes no sense."""

    id: str
    title: str
    values: Callable[[Variant], Values | None]
