"""What an operator may set about tables that nobody looks after."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from bgcore_server.settings_group import NONE, Group, Seconds, setting

DAY = 86_400.0


def _maybe(value: object) -> object:
    return None if value == NONE else value


MaybeSeconds = Annotated[float | None, BeforeValidator(_maybe)]
MaybeCount = Annotated[int | None, BeforeValidator(_maybe)]


class UpkeepSettings(Group):
    """When tables are looked after that nobody else looks after. In seconds, but for the events."""

    sweep_seconds: Seconds = setting(
        0.5,
        "How often to look for deadlines that have passed: how late a player's time may run out.",
        ge=0.05,
        le=3600,
    )
    tidy_seconds: Seconds = setting(
        60.0, "How often to look for tables to expire, forget or compact.", ge=0.05, le=DAY
    )
    expire_waiting: MaybeSeconds = setting(
        7 * DAY,
        "A table where a seat has been free for so long is closed; none: never.",
        metavar="SECONDS",
        ge=1,
    )
    expire_playing: MaybeSeconds = setting(
        90 * DAY,
        "A match in which nothing has happened for so long is void; none: never.",
        metavar="SECONDS",
        ge=1,
    )
    forget_after: MaybeSeconds = setting(
        None,
        "A table that has been over for so long is deleted with its log; none: never.",
        metavar="SECONDS",
        ge=1,
    )
    compact_events: MaybeCount = setting(
        4096,
        "Of more events of a table the old ones are kept as one piece; none: never.",
        metavar="EVENTS",
        ge=256,
    )
    compact_after: MaybeSeconds = setting(
        30 * DAY,
        "A table that has been over for so long is kept as one piece; none: never.",
        metavar="SECONDS",
        ge=1,
    )
