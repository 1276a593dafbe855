"""What groups of settings are made of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Seconds = float

NONE = "none"
"""What is written for an address at which nobody is to listen, or a time that never comes."""


def setting(
    default: Any, help: str, *, metavar: str = "", secret: bool = False, **limits: Any
) -> Any:
    """A field that is a setting. `secret`: never shown; its validators must not quote it either."""
    extra: dict[str, Any] = {"metavar": metavar, "secret": secret}
    return Field(default, description=help, repr=not secret, json_schema_extra=extra, **limits)


class Group(BaseModel):
    """Settings that belong together. What is not a field is refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True
    )
