"""bgcore's own record: a match of any variant as lines of JSON, enough to play it again exactly.

The first line says what was played, the lines behind it are the actions, and the last one says what it
came to, so that a file that was cut off is known from one that is whole. docs/record.md tells it field
by field. Reading knows lines and keys, and no rule of play: those `bgcore.replay_record` checks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from bgcore.action import Action, Kind
from bgcore.dice_proof import DiceProof
from bgcore.errors import BgcoreError, Fault, NotationError, shown
from bgcore.match import Match
from bgcore.notation.json_line import (
    LONGEST_LINE,
    bad_json,
    check_keys,
    object_of,
    read_object,
    text_of,
    wrong,
)
from bgcore.notation.rotation_json import read_options, read_rotation, write_rotation
from bgcore.notation.start_json import read_score, read_seat, write_start
from bgcore.notation.text_file import LINE_END
from bgcore.notation.unread import OnError, raised
from bgcore.option import Value
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.rotation import Rotation, known_as
from bgcore.seat import SEATS, Seat
from bgcore.spec import Spec

VERSION, ROTATING, HOUSE_RULES, ROTATING_HOUSE_RULES = 1, 2, 3, 4
"""The versions of the form: that of most records, that of matches whose games change variant, that of house
rules, and that of both. A reader refuses any other. A key more or less makes a new one."""
VERSIONS = (VERSION, ROTATING, HOUSE_RULES, ROTATING_HOUSE_RULES)
MOST_ACTIONS = 10_000
"""Actions of one game. The longest that are played have some thousands; a match may have any number."""

MARK = "bgcore"
"""The key that a first line is known by."""
HEADER_KEYS = (
    MARK,
    "variant",
    "rules_version",
    "options",
    "names",
    "start",
    "headers",
    "dice",
)
ROTATING_KEYS = (MARK, "rotation", "options", "names", "start", "headers", "dice")
CLOSING_KEYS = ("score", "winner")
EXAMPLE = '{"bgcore":1,"variant":"western"}'


@dataclass(frozen=True, slots=True)
class Closing:
    """What a record says the match came to. `winner` is `None` while nobody has won it."""

    line: int
    score: tuple[int, int]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class RecordText:
    """A record as written. `start` is still unproven, and the options may not exist.

    `lines` are those of the actions, counted from 1 as `line` is, which the header stands in.
    """

    line: int
    variant: str
    closing: Closing
    rules_version: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, str] = ("", "")
    start: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    dice: DiceProof | None = None
    spec: Spec | None = None
    actions: tuple[Action, ...] = ()
    lines: tuple[int, ...] = ()
    rotation: Rotation | None = None


# -- writing -----------------------------------------------------------------------------------------


def write_record(record: Record, registry: Registry) -> str:
    """The text of a record, each line ended.

    Raises what `record.match` raises: `IllegalAction` and its kin where it does not replay.
    `NotationError` for a name or header that is no text of Unicode.

    >>> from bgcore import load
    >>> print(write_record(Record("western", {"match_length": 3}, names=("ann", "bob")), load()))
    ... # doctest: +ELLIPSIS
    {"bgcore":1,"variant":"western","rules_version":"...","options":{...},"names":["ann","bob"]}
    {"score":[0,0],"winner":null}
    <BLANKLINE>
    """
    match = record.match(registry)
    if match.cycle.changes:
        match = replace(match, cycle=known_as(registry, match.cycle, record.rules_version))
    return write_played(record, match)


def write_played(record: Record, match: Match) -> str:
    """The same for a record whose match is known: the one that `record.match` gives."""
    winner = match.winner
    closing = {"score": list(match.score), "winner": None if winner is None else str(winner)}
    forms = [_header(record, match), *(action.to_json() for action in match.actions), closing]
    text = "".join(
        json.dumps(form, ensure_ascii=False, separators=(",", ":")) + "\n" for form in forms
    )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = ascii(text[error.start])
        raise NotationError(
            Fault("BAD_TEXT", "character", found, "a character, not half")
        ) from None
    return text


def _header(record: Record, match: Match) -> dict[str, object]:
    cycle, form = match.cycle, dict[str, object]()
    if cycle.changes:
        specs = any(rules.spec is not None for rules in cycle.games)
        form[MARK] = ROTATING_HOUSE_RULES if specs else ROTATING
        form["rotation"] = write_rotation(cycle)
    else:
        form |= {MARK: VERSION, "variant": cycle.variant.id}
        form["rules_version"] = record.rules_version or cycle.rules_version
    form |= {"options": dict(cycle.options), "names": list(record.names)}
    optional = {"start": write_start(match.start), "headers": dict(record.headers)}
    if record.dice is not None:
        optional["dice"] = record.dice.to_json()
    if not cycle.changes and cycle.first.spec is not None:
        form[MARK], optional["spec"] = HOUSE_RULES, cycle.first.spec.form
    return form | {key: value for key, value in optional.items() if value}


# -- reading -----------------------------------------------------------------------------------------


def is_record(text: str) -> bool:
    """Whether a text looks like records: its first line that is not blank is such an object.

    >>> is_record('{"bgcore":1,"variant":"tavla"}')
    True
    """
    first = text.removeprefix("\ufeff").lstrip()[:1000]
    return first.startswith("{") and f'"{MARK}"' in LINE_END.split(first, maxsplit=1)[0]


def read_records(text: str, on_error: OnError = raised) -> Iterator[RecordText]:
    """The records of a text, one after another; each begins with its own first line.

    `NotationError` at the first line that cannot be read, after the records before it: it names the line,
    what stands there and what was expected. A record without its last line is such a line, too. With
    `on_error` it is given that, the record is left out, and the reading goes on with the next first line.

    >>> [record] = read_records('''{"bgcore":1,"variant":"western","names":["ann","bob"]}
    ... {"kind":"throw","dice":[3,1]}
    ... {"score":[0,0],"winner":null}
    ... ''')
    >>> record.names, record.actions[0].dice, record.closing.line
    (('ann', 'bob'), (3, 1), 3)
    """
    reader, number = _Reader(), 0
    for number, line in enumerate(LINE_END.split(text.removeprefix("\ufeff")), 1):
        if not line.strip():
            continue
        try:
            record = reader.feed(number, line)
        except NotationError as error:
            on_error(at_line(error, number))
            reader.give_up(number, line)
            continue
        if record:
            yield record
    try:
        reader.finish(number)
    except NotationError as error:
        on_error(error)


@dataclass(slots=True)
class _Reader:
    """The record that is open, fed line by line."""

    header: RecordText | None = None
    actions: list[Action] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    in_game: int = 0
    found: bool = False  # any line that is not blank
    broken: bool = False  # a line could not be read, and the next first line has not come yet

    def feed(self, number: int, line: str) -> RecordText | None:
        """Takes a line; gives the record that it ends."""
        self.found = True
        if self.broken and not is_record(line):
            return None
        form = _read_line(line)
        if self.header is None:
            self.header = _read_header(form, number)
            self.actions, self.lines, self.in_game, self.broken = [], [], 0, False
        elif "score" in form or "winner" in form:
            whole = replace(
                self.header,
                actions=tuple(self.actions),
                lines=tuple(self.lines),
                closing=_read_closing(form, number),
            )
            self.header = None
            return whole
        elif MARK in form:
            _refuse("RECORD_CUT", MARK, form[MARK], "the score, as the record is not ended")
        else:
            self._action(Action.from_json(form), number)
        return None

    def _action(self, action: Action, number: int) -> None:
        self.actions.append(action)
        self.lines.append(number)
        self.in_game = 0 if action.kind is Kind.NEXT_GAME else self.in_game + 1
        if self.in_game > MOST_ACTIONS:
            _refuse("GAME_TOO_LONG", "action", self.in_game, f"at most {MOST_ACTIONS} a game")

    def give_up(self, number: int, line: str) -> None:
        """Leaves out the record that holds a line that cannot be read; the line may begin the next one."""
        begins = self.header is not None and is_record(line)
        self.header, self.broken = None, True
        if begins:
            try:
                self.feed(number, line)
            except NotationError:  # one line is told once
                self.header = None

    def finish(self, number: int) -> None:
        """The end, in this line; `NotationError` when the last record is not whole, or there was none."""
        if self.header is not None:
            expected = 'the score, such as {"score":[0,0],"winner":null}'
            cut = Fault("RECORD_CUT", f"line {number}", "the end", expected, line=number)
            raise NotationError(cut)
        if not self.found:
            expected = f"a record: {EXAMPLE}"
            raise NotationError(Fault("RECORD_CUT", "line 1", "nothing", expected, line=1))


def at_line(error: BgcoreError, line: int) -> NotationError:
    """The same error, saying in which line of a file it is."""

    def moved(fault: Fault) -> Fault:
        field = "" if fault.field == "line" else fault.field
        message = f"line {line} {fault.message}" if fault.message else ""
        where = f"line {line} {field}".rstrip()
        return replace(fault, field=where, message=message, line=line)

    return NotationError(*map(moved, error.faults))


def _read_line(line: str) -> dict[str, object]:
    if len(line) > LONGEST_LINE:
        raise bad_json(f"a line of at most {LONGEST_LINE} characters", "LINE_TOO_LONG")
    form = read_object(line, EXAMPLE)
    if not line.isascii() or "\\u" in line:
        try:
            json.dumps(form, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            found = ascii(error.object[error.start])
            _refuse("BAD_TEXT", "character", found, "a character, not half of one")
    return form


def _read_header(form: dict[str, object], line: int) -> RecordText:
    if MARK not in form:
        expected = f"a first line such as {EXAMPLE}"
        _refuse("NO_HEADER", "field", shown(next(iter(form), "{}")), expected)
    version = form[MARK]
    if type(version) is not int or version not in VERSIONS:
        _refuse("UNKNOWN_VERSION", MARK, version, "version 1, 2, 3 or 4 of the form")
    rotation, rules_version = None, form.get("rules_version", "")
    if version in (ROTATING, ROTATING_HOUSE_RULES):
        check_keys(form, ROTATING_KEYS, (MARK, "rotation"))
        specs = version == ROTATING_HOUSE_RULES
        rotation, rules_version = read_rotation(
            object_of("rotation", form.get("rotation", {})), specs=specs
        )
    else:
        more = ("spec",) if version == HOUSE_RULES else ()
        check_keys(form, HEADER_KEYS + more, (MARK, "variant", *more))
    names = form.get("names", ["", ""])
    if not isinstance(names, list) or len(names) != 2:
        wrong("names", names, "two texts, White's and Black's")
    white, black = (text_of("names", name) for name in names)
    return RecordText(
        line,
        text_of("variant", form.get("variant", "")),
        Closing(line, (0, 0), None),
        text_of("rules_version", rules_version),
        read_options("options", object_of("options", form.get("options", {}))),
        (white, black),
        object_of("start", form.get("start", {})),
        {
            key: text_of(f"headers.{key}", one)
            for key, one in object_of("headers", form.get("headers", {})).items()
        },
        DiceProof.from_json(form["dice"]) if "dice" in form else None,
        Spec.of(object_of("spec", form.get("spec", {})), new=False) if "spec" in form else None,
        rotation=rotation,
    )


def _read_closing(form: dict[str, object], line: int) -> Closing:
    check_keys(form, CLOSING_KEYS, CLOSING_KEYS)
    winner = form["winner"]
    if winner is not None and winner not in SEATS:
        wrong("winner", winner, "white, black or null")
    score = read_score("score", form["score"])
    return Closing(line, score, None if winner is None else read_seat("winner", winner))


def _refuse(reason: str, field: str, value: object, expected: str) -> NoReturn:
    raise NotationError(Fault(reason, field, shown(value), expected))
