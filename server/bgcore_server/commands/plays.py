"""`bgcore plays`: the legal plays of positions, JSON lines in, JSON lines out."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from traceback import print_exception
from typing import BinaryIO, NoReturn

import click

from bgcore import (
    BgcoreError,
    Fault,
    NotationError,
    OptionError,
    Plays,
    Position,
    Registry,
    Roll,
    Rules,
    load,
)
from bgcore.errors import PluginFailed
from bgcore.nearest import one_of
from bgcore.notation import json_line
from bgcore.notation.board_json import (
    BOARD_KEYS,
    read_board_json,
    read_dice_json,
    read_numbers_json,
    read_turn_json,
    write_board_json,
)
from bgcore.notation.board_text import read_board
from bgcore.notation.json_line import LONGEST_LINE, bad_json
from bgcore.notation.position_id import check_variant, packed_id, position_of
from bgcore.option import Option, Values
from bgcore.registry import DEFAULT_VARIANT
from bgcore.resolve import options_of
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.progress import Progress, progress
from bgcore_server.commands.rules_flags import failure, results_alone, rules_flags, rules_of

Json = dict[str, object]

LONGEST_MESSAGE = 1000

RULES_KEYS = frozenset(("variant", "preset", "options"))
ID_KEYS = RULES_KEYS | {"id", "dice", "turn"}
BOARD_QUESTION = {"check", "numbers"}
ANSWER_KEYS = frozenset(("legal", "legal_includes", "legal_count", "dice_used", "illegal", "why"))
QUESTION_KEYS = ID_KEYS | ANSWER_KEYS | BOARD_QUESTION | {"note"}


@click.command("plays")
@click.argument("file", type=click.File("rb"), default="-")
@rules_flags(variant=DEFAULT_VARIANT)
@click.option(
    "--traceback", is_flag=True, help="Show where a variant's own code raised what it did."
)
@variants_flag
@click.pass_context
def command(
    context: click.Context,
    file: BinaryIO,
    variant: str,
    preset: str,
    options: dict[str, object],
    traceback: bool,
    folder: str | None,
) -> None:
    """List the legal plays of the positions in FILE (standard input, if there is none).

    Each line is a JSON object, answered by one JSON line in the same order. It names a position by a
    Position ID, {"id": "4HPwATDgc/ABMA", "dice": [3, 1]}, or by its checkers: "me", "opp" and so on, or
    "board" with a text such as "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"; then "check" may hold plays to be
    judged, and where a roll has several parts, "later" tells those that follow the one that is listed: the
    plays of one of them are those of its "numbers", given in place of "dice". A line that cannot be answered
    gives {"error": …} with its number and "id", and the exit status is 1 at the end.

    What a line says in "variant", "preset" and "options" beats the flags. --preset and --option must be
    ones of --variant. They hold for lines that name another variant as far as it has them; an --option
    does not change what the preset of a line sets.
    """
    registry = with_house_rules(load(), folder)
    rules_of(registry, variant, preset, options)
    answers = Answers(registry, variant, preset, options, traceback=traceback)
    # What a variant's own code prints is not to stand among the answers.
    with results_alone() as results, progress("answering", _size(file)) as bar:
        for number, line in lines(file, bar):
            # Flushed at once, as whoever writes the lines may wait for the answer.
            answer = answers.answer(line, number)
            bar.clear()
            results.write(answer + "\n")
            results.flush()
    if answers.failed:
        context.exit(1)


def _size(file: BinaryIO) -> int | None:
    """The bytes of a regular file; nobody knows how long a pipe is."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except (OSError, ValueError, AttributeError):
        return None


def lines(file: BinaryIO, bar: Progress) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; `None` for one that is too long, without ever holding it.

    A mark that the text is UTF-8 may stand before the first.
    """
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        bar.advance(len(line))
        number += 1
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            if line.strip():
                yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
            bar.advance(len(line))
        yield number, None


class Answers:
    """Answers lines under the flags; `failed` once one could not be."""

    def __init__(
        self,
        registry: Registry,
        variant: str,
        preset: str,
        options: Mapping[str, object],
        *,
        traceback: bool = False,
    ) -> None:
        self.registry = registry
        self.variant = variant
        self.preset = preset
        self.options = dict(options)
        self.traceback = traceback
        self.failed = False

    def answer(self, line: bytes | None, number: int) -> str:
        """The answer to one line, as JSON; an error says which line it is of."""
        question: Json = {}
        try:
            question = read_object(line)
            answer = self._answer(question)
        except Exception as problem:
            answer = self._refused(problem)
        if "error" in answer:
            label = question.get("id")
            known = {"id": label} if isinstance(label, str | int) else {}
            answer = {**known, "line": number, **answer}
        return json.dumps(answer, separators=(",", ":"))

    def _refused(self, problem: Exception) -> Json:
        if isinstance(problem, BgcoreError) and not isinstance(problem, PluginFailed):
            return self._error(problem.reason, str(problem))
        if self.traceback:  # a variant's code failed; the other lines still run
            print_exception(problem)
        return self._error("PLUGIN_FAILED", failure(problem))

    def _error(self, reason: str, message: str) -> Json:
        self.failed = True
        return {"error": {"reason": reason, "message": message[:LONGEST_MESSAGE]}}

    def _answer(self, question: Json) -> Json:
        if "board" in question:
            _check_keys(question, QUESTION_KEYS | {"board"})
        elif "me" in question:
            _check_keys(question, QUESTION_KEYS | BOARD_KEYS)
        else:
            _check_keys(question, ID_KEYS)
            return by_id(self._rules(question), question)
        return by_board(self._rules(question), question)

    def _rules(self, question: Json) -> Rules:
        if question.keys().isdisjoint(RULES_KEYS):
            return self.registry.rules(self.variant, self.preset, self.options)
        given = question.get("options", {})
        if not isinstance(given, dict):
            json_line.wrong("options", given, "an object of options")
        variant = _text(question, "variant", self.variant)
        preset, options = self._flags_for(variant)
        if "preset" in question:
            preset = _text(question, "preset", "")
            options = self._without_preset(options, variant, preset)
        return self.registry.rules(variant, preset, {**options, **given})

    def _flags_for(self, variant: str) -> tuple[str, Json]:
        """The preset and the options of the flags, as far as a variant has them."""
        if not (self.preset or self.options):
            return "", {}
        named = self.registry.variant(variant)
        if named is self.registry.variant(self.variant):
            return self.preset, self.options
        known = options_of(named)
        options = {
            name: value
            for name, value in self.options.items()
            if name in known and _fits(known[name], value)
        }
        preset = self.preset if self._preset(variant, self.preset) is not None else ""
        try:
            self.registry.rules(variant, preset, options)
        except OptionError:  # what is left of them does not go together there
            return "", {}
        return preset, options

    def _without_preset(self, options: Json, variant: str, preset: str) -> Json:
        """The options that a preset does not set."""
        if not (options and preset):
            return options
        beats = self._preset(variant, preset) or {}
        return {name: value for name, value in options.items() if name not in beats}

    def _preset(self, variant: str, preset: str) -> Values | None:
        """What a preset sets; `None` where the variant has none of that name."""
        presets = self.registry.presets_of(self.registry.variant(variant))
        return presets.get(preset.strip().lower().replace("_", "-").replace(" ", "-"))


def _fits(option: Option, value: object) -> bool:
    try:
        option.read(value)
    except ValueError:
        return False
    return True


def by_id(rules: Rules, question: Json) -> Json:
    """The answer by Position IDs: where each play leads, the mover still first."""
    check_variant(rules.variant)
    label = question.get("id")
    if not isinstance(label, str):
        _missing("id", "a Position ID, or a board in me and opp, or in board", label)
    position = _position_of(rules, label)
    plays = _plays(rules, position, question)
    to = sorted([packed_id(after.packed) for after in plays.positions()])
    return {
        "id": label,
        "dice": question["dice"],
        "used": plays.numbers_used,
        "n": len(to),
        "to": to,
    }


@lru_cache(maxsize=256)
def _position_of(rules: Rules, text: str) -> Position:
    """Remembered, as lines about the same position with other rolls come together."""
    return position_of(text, rules)


def by_board(rules: Rules, question: Json) -> Json:
    """The answer in plays and boards."""
    label = question.get("id")
    if not isinstance(label, str | int | None):
        json_line.wrong("id", label, "a text or a number")
    if "board" in question:
        setup = read_board(_text(question, "board", ""))
    else:
        setup = read_board_json(question)
    plays = _plays(rules, rules.position(setup), question)
    listed: Sequence[tuple[str, Position]] = ()
    if not plays.nothing_playable:
        listed = sorted(
            zip(map(str, plays), plays.positions(), strict=True), key=lambda one: one[0]
        )
    answer: Json = {
        "dice_used": plays.numbers_used,
        "legal_count": len(listed),
        "legal": [text for text, _ in listed],
        "after": [write_board_json(after) for _, after in listed],
    }
    if "check" in question:
        answer["checked"] = [_checked(plays, text) for text in _texts(question["check"])]
    if later := _later(rules, plays, question):
        answer["later"] = later
    return {"id": label, **answer} if "id" in question else answer


def _later(rules: Rules, plays: Plays, question: Json) -> list[Json]:
    """The parts of the roll that may follow the one that is listed."""
    dice = question.get("dice")
    if not isinstance(dice, list) or len(dice) != rules.variant.dice:
        return []
    parts = rules.parts(Roll.of(*dice), plays.turn, plays.start)
    return [{"kind": str(part.kind), "numbers": list(part.numbers)} for part in parts[1:]]


def _plays(rules: Rules, position: Position, question: Json) -> Plays:
    if "numbers" in question:
        if "dice" in question:
            json_line.wrong(
                "numbers", question["numbers"], "none beside dice: it is one or the other"
            )
        numbers = read_numbers_json(question["numbers"])
        return rules.plays_of(position, numbers, read_turn_json(question.get("turn")))
    if "dice" not in question:
        _missing("dice", "a list of numbers such as [3,1]", None)
    thrown = rules.variant.dice
    # By Position ID a roll is asked about; by board it may also be what was left over of one.
    by_board = "me" in question or "board" in question
    dice = read_dice_json(question["dice"], 1 if by_board else thrown, thrown)
    turn = read_turn_json(question.get("turn"))
    if len(dice) == thrown:
        return rules.plays(position, Roll.of(*dice), turn)
    return rules.plays_of(position, dice, turn)


def _checked(plays: Plays, text: str) -> Json:
    try:
        plays.find(text)
    except PluginFailed:
        raise
    except BgcoreError as error:
        return {"play": text, "legal": False, "reason": error.reason, "message": str(error)}
    return {"play": text, "legal": True}


# -- reading a line ----------------------------------------------------------------------------------


def read_object(line: bytes | None) -> Json:
    """The object that a line holds; `NotationError` says why it is none."""
    if line is None:
        raise bad_json(f"a line of at most {LONGEST_LINE} bytes", "LINE_TOO_LONG")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise bad_json(f"UTF-8, not byte {error.start + 1} of this line") from None
    return json_line.read_object(text, '{"id": "4HPwATDgc/ABMA", "dice": [3, 1]}')


def _check_keys(question: Json, known: frozenset[str]) -> None:
    for key in question:
        if key not in known:
            expected = one_of(key, sorted(known))
            raise NotationError(Fault("UNKNOWN_FIELD", "field", _shown(key), expected))


def _text(question: Json, key: str, default: str) -> str:
    value = question.get(key, default)
    if not isinstance(value, str):
        json_line.wrong(key, value, "a text")
    return value


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        json_line.wrong("check", value, "a list of plays")
    for text in value:
        if not isinstance(text, str):
            json_line.wrong("check", text, "a play as text")
    return value


def _missing(field: str, expected: str, value: object) -> NoReturn:
    if value is not None:
        json_line.wrong(field, value, expected)
    raise NotationError(Fault("MISSING_FIELD", field, "", expected))


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:60] + "…"
