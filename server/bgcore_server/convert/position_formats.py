"""Positions in all the ways to write them: guessed, read, proved, written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bgcore import Rules
from bgcore.errors import BgcoreError, Fault, NotationError
from bgcore.notation.formats import POSITION_FORMATS, PositionFormat
from bgcore.notation.match_id import read_match_id, write_match_id
from bgcore.notation.read_back import of_match_id, proved
from bgcore.notation.situation import Situation
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.errors import malformed

LONGEST = 1 << 16
MOST_TARGETS = 20

_MATCH_ID = re.compile(r"\s*[A-Za-z0-9+/]{12}\s*\Z")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to write positions, as the wire names it."""

    read: Callable[[str, Rules], Situation] | None
    write: Callable[[Situation, Rules], str]
    suits: Callable[[str], bool]
    of_match: bool
    draws: bool

    @classmethod
    def of(cls, form: PositionFormat) -> Way:
        """One of the engine's formats."""
        return cls(form.read, form.write, form.suits, form.of_match, draws=form.read is None)


def _read_match_id(text: str, rules: Rules) -> Situation:
    return read_match_id(text.strip())


MATCH_ID = Way(
    _read_match_id,
    proved(_read_match_id, lambda situation, _: write_match_id(situation), of_match_id),
    lambda text: _MATCH_ID.match(text) is not None,
    of_match=True,
    draws=False,
)
"""A Match ID alone: it has no board, so the engine does not count it among the ways to write one."""

NUMBERS = {
    "text": common_pb2.POSITION_FORMAT_BOARD_TEXT,
    "json": common_pb2.POSITION_FORMAT_BOARD_JSON,
    "position-id": common_pb2.POSITION_FORMAT_POSITION_ID,
    "match-id": common_pb2.POSITION_FORMAT_GNUBG_ID,
    "xgid": common_pb2.POSITION_FORMAT_XGID,
    "ascii": common_pb2.POSITION_FORMAT_ASCII,
    "svg": common_pb2.POSITION_FORMAT_SVG,
}
"""The numbers of the engine's formats."""

WAYS: dict[int, Way] = {
    common_pb2.POSITION_FORMAT_MATCH_ID: MATCH_ID,
    **{NUMBERS[form.id]: Way.of(form) for form in POSITION_FORMATS},
}
"""In the order in which they are looked for."""


@dataclass(frozen=True, slots=True)
class Text:
    """What a text tells, its board proved, and the way it is written in."""

    situation: Situation
    form: int

    @property
    def of_match(self) -> bool:
        """Whether it tells of the match, and not of the board alone."""
        return WAYS[self.form].of_match


def read(text: str, given: int, rules: Rules) -> Text:
    """What a text tells.

    `NotationError` or `IllegalPosition` at `text` where it cannot be read, or the rules have no such board.
    """
    if not 1 <= len(text) <= LONGEST:
        found, expected = f"of {len(text)} characters", f"1 to {LONGEST} characters"
        raise malformed("TEXT_LENGTH", "text", found, expected)
    form = given or guessed(text)
    way = WAYS.get(form)
    if way is None or way.read is None:
        known = ", ".join(name_of(one) for one, way in WAYS.items() if way.read)
        raise malformed("FORMAT_NOT_READ", "source_format", given, f"one of {known}")
    with_field = _at("text")
    try:
        situation = way.read(text, rules)
        if situation.setup is not None:
            rules.position(situation.setup)
    except BgcoreError as error:
        raise with_field(error) from None
    return Text(situation, form)


def guessed(text: str) -> int:
    """How a text is written by the look of it; what looks like nothing else is a board as text.

    >>> guessed("4HPwATDgc/ABMA") == common_pb2.POSITION_FORMAT_POSITION_ID
    True
    """
    suiting = (form for form, way in WAYS.items() if way.read and way.suits(text))
    return next(suiting, common_pb2.POSITION_FORMAT_BOARD_TEXT)


def written(here: Situation, rules: Rules, targets: Sequence[int]) -> list[pb.FormattedPosition]:
    """It in every way that is asked for; `NotationError` at the way that cannot tell of it.

    Asked for none: in every way but drawings that can.
    """
    if len(targets) > MOST_TARGETS:
        expected = f"at most {MOST_TARGETS}"
        raise malformed("TOO_MANY_FORMATS", "target_formats", len(targets), expected)
    for index, target in enumerate(targets):
        if target not in WAYS:
            known = ", ".join(map(name_of, WAYS))
            raise malformed("FORMAT_NOT_WRITTEN", f"target_formats[{index}]", target, known)
    if not targets:
        return list(_all(here, rules))
    messages = []
    for index, target in enumerate(targets):
        with_field = _at(f"target_formats[{index}]")
        try:
            messages.append(_message(here, rules, target))
        except BgcoreError as error:
            raise with_field(error) from None
    return messages


def _all(here: Situation, rules: Rules) -> list[pb.FormattedPosition]:
    messages = []
    for form in sorted(WAYS):
        if WAYS[form].draws:
            continue
        try:
            messages.append(_message(here, rules, form))
        except NotationError:
            continue  # it has no words for that
    return messages


def _message(here: Situation, rules: Rules, form: int) -> pb.FormattedPosition:
    number = cast("common_pb2.PositionFormat", form)
    return pb.FormattedPosition(format=number, text=WAYS[form].write(here, rules))


def name_of(form: int) -> str:
    """The name of a format on the wire."""
    return common_pb2.PositionFormat.Name(cast("common_pb2.PositionFormat", form))


def _at(field: str) -> Callable[[BgcoreError], BgcoreError]:
    """Moves an error to a field of the request; its sentences stay as they were."""

    def moved(fault: Fault) -> Fault:
        return replace(fault, field=field, message=str(fault))

    return lambda error: type(error)(*map(moved, error.faults))
