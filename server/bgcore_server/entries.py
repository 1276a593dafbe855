"""What a table's log says: everything that can happen at a table, as the JSON that a store keeps.

An action of the match is kept in the engine's own form; what only tables know has kinds of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from bgcore import Action, BgcoreError, Seat, Spec
from bgcore_server.errors import too_new
from bgcore_server.store import Later

AUTOMATIC = "automatic"
ANSWER_UNDO = "answer_undo"


class Wish(StrEnum):
    """What a player may ask the other for; it is done when both want it."""

    UNDO = "undo"
    REMATCH = "rematch"
    VOID = "void"


class Why(IntEnum):
    """Why a table was closed; the numbers are the wire's."""

    HOST = 1
    AGREED = 2
    ABANDONED = 3
    EXPIRED = 4


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Rules by name, or house rules: those that a player wants for the next match.

    With a `rotation` the games change: `options` are those of match and table, and `variant` is the first.
    """

    variant: str | Spec
    preset: str
    options: Mapping[str, Any]
    rotation: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Acted:
    """An action of the match. `automatic`: the table did it for the player (T1)."""

    action: Action
    automatic: bool = False

    @property
    def seat(self) -> Seat | None:
        """Whose doing it was, as far as the action says."""
        return self.action.seat

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        form = self.action.to_json()
        return {**form, AUTOMATIC: True} if self.automatic else form


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down. `dice_seed` is for committed dice; `account` who has proved to be there."""

    seat: Seat
    name: str
    dice_seed: str = ""
    account: str = ""

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        form: dict[str, object] = {"kind": "seat_taken", "seat": str(self.seat), "name": self.name}
        if self.dice_seed:
            form["dice_seed"] = self.dice_seed
        if self.account:
            form["account"] = self.account
        return form


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left before the match began. `kicked`: the host sent him away."""

    seat: Seat
    kicked: bool = False

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        return {"kind": "seat_left", "seat": str(self.seat), "kicked": self.kicked}


@dataclass(frozen=True, slots=True)
class Asked:
    """A player asks the other for something. With a rematch: under which rules, and his seed for its dice."""

    seat: Seat
    wish: Wish
    rules: Ruleset | None = None
    dice_seed: str = ""

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        form: dict[str, object] = {"kind": self.wish.value, "seat": str(self.seat)}
        if self.rules:
            form["rules"] = _ruleset_form(self.rules)
        if self.dice_seed:
            form["dice_seed"] = self.dice_seed
        return form


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a wish to undo."""

    seat: Seat
    accept: bool

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        return {"kind": ANSWER_UNDO, "seat": str(self.seat), "accept": self.accept}


@dataclass(frozen=True, slots=True)
class Started:
    """Another match begins, under these rules."""

    rules: Later
    seat: Seat | None = None

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        variant, version, settings = (
            self.rules.variant,
            self.rules.rules_version,
            self.rules.settings,
        )
        return {
            "kind": "match_started",
            "variant": variant,
            "rules_version": version,
            "settings": settings,
        }


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed. `void`: its match was not over."""

    why: Why
    void: bool
    note: str = ""
    seat: Seat | None = None

    def to_json(self) -> dict[str, object]:
        """The form that a store keeps."""
        return {"kind": "closed", "why": int(self.why), "void": self.void, "note": self.note}


Entry = Acted | SeatTaken | SeatLeft | Asked | Answered | Started | Closed


def read_entry(body: str) -> Entry:
    """The entry of a body in the log; `TooNew` for one that this server does not know."""
    form = json.loads(body)
    kind = form.get("kind")
    try:
        if reader := _READERS.get(kind):
            return reader(form)
        automatic = bool(form.pop(AUTOMATIC, False))
        return Acted(Action.from_json(form), automatic)
    except (BgcoreError, KeyError, TypeError, ValueError) as unknown:
        raise too_new("an entry of the log of kind", kind) from unknown


def written(entry: Entry) -> str:
    """The body of an entry."""
    return _compact(entry.to_json())


_compact = json.JSONEncoder(separators=(",", ":")).encode


def _taken(form: Mapping[str, Any]) -> Entry:
    seat, seed, account = (
        Seat.read(form["seat"]),
        form.get("dice_seed", ""),
        form.get("account", ""),
    )
    return SeatTaken(seat, form["name"], seed, account)


def _left(form: Mapping[str, Any]) -> Entry:
    return SeatLeft(Seat.read(form["seat"]), form["kicked"])


def _ruleset_form(rules: Ruleset) -> dict[str, object]:
    """Rules as a log keeps them: the whole of house rules, and else a name."""
    which = rules.variant.form if isinstance(rules.variant, Spec) else rules.variant
    form: dict[str, object] = {"variant": which, "preset": rules.preset}
    form["options"] = dict(rules.options)
    if rules.rotation is not None:
        form["rotation"] = dict(rules.rotation)
    return form


def _ruleset(form: Mapping[str, Any]) -> Ruleset:
    which = form["variant"]
    named = which if isinstance(which, str) else Spec.of(which, new=False)
    return Ruleset(named, form["preset"], form["options"], form.get("rotation"))


def _asked(form: Mapping[str, Any]) -> Entry:
    rules = _ruleset(form["rules"]) if "rules" in form else None
    return Asked(Seat.read(form["seat"]), Wish(form["kind"]), rules, form.get("dice_seed", ""))


def _answered(form: Mapping[str, Any]) -> Entry:
    return Answered(Seat.read(form["seat"]), form["accept"])


def _started(form: Mapping[str, Any]) -> Entry:
    return Started(Later(form["variant"], form["rules_version"], form["settings"]))


def _closed(form: Mapping[str, Any]) -> Entry:
    return Closed(Why(form["why"]), form["void"], form["note"])


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Entry]] = {
    "seat_taken": _taken,
    "seat_left": _left,
    "undo": _asked,
    "rematch": _asked,
    "void": _asked,
    ANSWER_UNDO: _answered,
    "match_started": _started,
    "closed": _closed,
}
