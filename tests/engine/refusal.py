"""What an act is refused with."""

from __future__ import annotations

import pytest

from bgcore import Action, Fault, IllegalAction, Match, OptionError
from tests.engine.helpers import rules


def refused(match: Match, action: Action) -> str:
    """The reason and the rule of the refusal, as `CUBE_AT_CAP M2`."""
    fault = fault_of(match, action)
    return f"{fault.reason} {fault.rule}"


def fault_of(match: Match, action: Action) -> Fault:
    with pytest.raises(IllegalAction) as caught:
        match.after(action)
    [fault] = caught.value.faults
    return fault


def clash(id: str = "western", **options: object) -> set[str]:
    """What options that do not go together are refused with, as `jacoby M8`."""
    with pytest.raises(OptionError) as caught:
        rules(id, "", **options)
    return {f"{fault.field.removeprefix('option ')} {fault.rule}" for fault in caught.value.faults}
