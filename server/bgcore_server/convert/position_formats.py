"""Positions in all the ways to write them: guessed, read, proved, written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import cast

from bgcore import Registry, Rules
from bgcore.errors import BgcoreError, Fault, NotationError, PluginFailed, shown
from bgcore.notation.formats import POSITION_FORMATS, PositionFormat, formats
from bgcore.notation.match_id import read_match_id, write_match_id
from bgcore.notation.read_back import of_match_id, proved
from bgcore.notation.situation import Situation
from bgcore.registering import plain
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.convert.asking import asking
from bgcore_server.convert.matches import check_alone
from bgcore_server.errors import malformed
from bgcore_server.lengths import MOST_TARGETS
from bgcore_server.workers import Waiter

LONGEST = 1 << 16

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

WAYS: Mapping[int | str, Way] = {
    common_pb2.POSITION_FORMAT_MATCH_ID: MATCH_ID,
    **{NUMBERS[form.id]: Way.of(form) for form in POSITION_FORMATS},
}
"""In the order in which they are looked for."""

Key = int | str
"""How a way is named: the engine's by their numbers, those of plugins by id."""
Ways = Mapping[Key, Way]


def ways(registry: Registry) -> Ways:
    """Every way to write positions, those of plugins last."""
    every = formats(registry).values()
    others = [one for one in every if isinstance(one, PositionFormat) and one.id not in NUMBERS]
    return {**WAYS, **{one.id: Way.of(one) for one in others}}


def source_of(request: pb.ConvertPositionRequest, registry: Registry) -> Key:
    """How a request says that its text is written; 0 where it does not."""
    if not request.source_notation:
        return request.source_format
    check_alone("source_format", request.source_format, "source_notation")
    key = _notation("source_notation", request.source_notation, registry)
    if ways(registry)[key].read is None:
        expected = "one that is not only written"
        raise malformed("FORMAT_NOT_READ", "source_notation", request.source_notation, expected)
    return key


def targets_of(request: pb.ConvertPositionRequest, registry: Registry) -> list[Target]:
    """The ways in which it is to be written: numbers, then ids, each with its place in the request."""
    numbers, ids = request.target_formats, request.target_notations
    if len(numbers) + len(ids) > MOST_TARGETS:
        field = "target_formats" if numbers else "target_notations"
        found, expected = len(numbers) + len(ids), f"at most {MOST_TARGETS}"
        raise malformed("TOO_MANY_FORMATS", field, found, expected)
    targets = [Target(f"target_formats[{index}]", number) for index, number in enumerate(numbers)]
    for index, name in enumerate(ids):
        field = f"target_notations[{index}]"
        targets.append(Target(field, _notation(field, name, registry)))
    return targets


def _notation(field: str, id: str, registry: Registry) -> Key:
    """The key of a notation for positions by its id."""
    name, known = plain(id), formats(registry)
    if not isinstance(known.get(name), PositionFormat):
        ids = (one.id for one in known.values() if isinstance(one, PositionFormat))
        raise malformed("FORMAT_UNKNOWN", field, shown(id), f"one of {', '.join(ids)}")
    return NUMBERS.get(name, name)


@dataclass(frozen=True, slots=True)
class Target:
    """A way in which something is to be written, and where the request names it."""

    field: str
    key: Key


@dataclass(frozen=True, slots=True)
class Text:
    """What a text tells, its board proved, the way it is written in, and whether that tells of the match."""

    situation: Situation
    form: Key
    of_match: bool


def check_text(text: str) -> None:
    """`Malformed` for a text that is too long to look at, or none."""
    if not 1 <= len(text) <= LONGEST:
        found, expected = f"of {len(text)} characters", f"1 to {LONGEST} characters"
        raise malformed("TEXT_LENGTH", "text", found, expected)


def read(text: str, given: Key, rules: Rules, ways: Ways, caller: Waiter) -> Text:
    """What a text tells.

    `NotationError` or `IllegalPosition` at `text` where it cannot be read, or the rules have no such board.
    """
    form = given or guessed(text, ways, caller)
    way = ways.get(form)
    if way is None or way.read is None:
        known = ", ".join(name_of(one) for one, way in ways.items() if way.read)
        raise malformed("FORMAT_NOT_READ", "source_format", given, f"one of {known}")
    with_field = _at("text")
    try:
        with _asking(form, caller):
            situation = way.read(text, rules)
            if situation.setup is not None:
                rules.position(situation.setup)
    except PluginFailed:
        raise
    except BgcoreError as error:
        raise with_field(error) from None
    return Text(situation, form, way.of_match)


def known_by_its_look(text: str) -> Key:
    """The engine's way that a text looks like; 0: none.

    >>> known_by_its_look("4HPwATDgc/ABMA") == common_pb2.POSITION_FORMAT_POSITION_ID
    True
    """
    return next((form for form, way in WAYS.items() if way.read and way.suits(text)), 0)


def guessed(text: str, ways: Ways, caller: Waiter) -> Key:
    """How a text is written by the look of it; what looks like nothing else is a board as text.

    A notation that is still at work on an earlier text is passed over.
    """
    if found := known_by_its_look(text):
        return found
    for form, way in ways.items():
        if form not in WAYS and form not in caller.late() and way.read:
            with asking(str(form), caller):
                if way.suits(text):
                    return form
    return common_pb2.POSITION_FORMAT_BOARD_TEXT


def _asking(form: Key, caller: Waiter) -> AbstractContextManager[None]:
    """Around work of a way: those of the engine are named by numbers."""
    return asking(form, caller) if isinstance(form, str) else nullcontext()


def written(
    here: Situation, rules: Rules, targets: Sequence[Target], ways: Ways, caller: Waiter
) -> list[pb.FormattedPosition]:
    """It in every way that is asked for; `NotationError` at the way that cannot tell of it.

    Asked for none: in every way of the engine but drawings that can.
    """
    for target in targets:
        if target.key not in ways:
            known = ", ".join(map(name_of, ways))
            raise malformed("FORMAT_NOT_WRITTEN", target.field, target.key, known)
    if not targets:
        return list(_all(here, rules))
    messages = []
    for target in targets:
        with_field = _at(target.field)
        try:
            with _asking(target.key, caller):
                messages.append(_message(here, rules, target.key, ways))
        except PluginFailed:
            raise
        except BgcoreError as error:
            raise with_field(error) from None
    return messages


def _all(here: Situation, rules: Rules) -> list[pb.FormattedPosition]:
    messages = []
    for form in sorted(number for number in WAYS if isinstance(number, int)):
        if WAYS[form].draws:
            continue
        try:
            messages.append(_message(here, rules, form, WAYS))
        except NotationError:
            continue  # it has no words for that
    return messages


def _message(here: Situation, rules: Rules, form: Key, ways: Ways) -> pb.FormattedPosition:
    text = ways[form].write(here, rules)
    if isinstance(form, str):
        return pb.FormattedPosition(notation=form, text=text)
    return pb.FormattedPosition(format=cast("common_pb2.PositionFormat", form), text=text)


def name_of(form: Key) -> str:
    """The name of a way on the wire: of the number, or the id."""
    if isinstance(form, str):
        return form
    return common_pb2.PositionFormat.Name(cast("common_pb2.PositionFormat", form))


def _at(field: str) -> Callable[[BgcoreError], BgcoreError]:
    """Moves an error to a field of the request; its sentences stay as they were."""

    def moved(fault: Fault) -> Fault:
        return replace(fault, field=field, message=str(fault))

    return lambda error: type(error)(*map(moved, error.faults))
