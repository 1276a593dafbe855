"""The table of presets (M13), cell by cell, and what a table may switch on besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bgcore import Rules
from tests.engine.helpers import rules
from tests.rulebook.data import lines
from tests.rulebook.helpers import PRESETS

TABLE = lines("presets")


def under(variant: str, preset: str, options: Mapping[str, object]) -> Rules:
    return rules(variant, preset, **options)


def held(found: Rules, option: str) -> object:
    """The value that holds, also where a variant has it as data and not as an option."""
    return found.options.get(option, getattr(found.variant, option, None))


def test_every_preset_has_a_cell_for_every_option() -> None:
    presets = [preset for presets in PRESETS.values() for preset in presets]
    options = dict.fromkeys(cell["option"] for cell in TABLE)
    assert len(options) == 18
    assert [(cell["option"], cell["preset"]) for cell in TABLE] == [
        (option, preset) for option in options for preset in presets
    ]


@pytest.mark.parametrize(
    ("cell", "case"),
    [
        pytest.param(
            cell, case, id=f"{cell['preset']}-{case.get('option', cell['option'])}-{number}"
        )
        for cell in TABLE
        for number, case in enumerate(cell["holds"], 1)
    ],
)
def test_a_cell_of_the_table_holds(cell: Mapping[str, Any], case: Mapping[str, Any]) -> None:
    found = under(case["variant"], cell["preset"], case.get("options", {}))
    value = held(found, case.get("option", cell["option"]))
    assert (value, type(value)) == (case["value"], type(case["value"]))


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        pytest.param(
            cell["preset"], switch, id=f"{cell['preset']}-{'-'.join(map(str, *switch.items()))}"
        )
        for cell in TABLE
        for switch in cell["switch"]
    ],
)
def test_a_value_in_brackets_can_be_switched_on(preset: str, options: Mapping[str, object]) -> None:
    found = rules("western", preset, **options)
    assert {name: held(found, name) for name in options} == options
