"""Worked examples: positions with their dice, and which plays are legal there and which are not, and why.

A file holds a list of JSON objects, or one object a line. The question is `me`, `opp`, `me_bar`, `me_pinned`,
`me_reserve`, `me_off` and so on, each side in its own numbering, or `board`, a text such as
`24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5`; `dice`, or `numbers`, those of a later part of a roll; and where needed
`turn`, `options`, `preset`, `variant`. The answer is `legal` (all plays), `legal_includes`, `legal_count`,
`dice_used`, `illegal`, and `why` (the reasons, in the order of `illegal`). A `note` says in a sentence what it shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from bgcore.errors import BgcoreError, PluginFailed
from bgcore.example_form import Example, unknown_keys, wrong_values
from bgcore.nearest import meant, one_of
from bgcore.notation.board_json import (
    read_board_json,
    read_dice_json,
    read_numbers_json,
    read_turn_json,
)
from bgcore.notation.board_text import read_board, write_board
from bgcore.play import Plays
from bgcore.raised import Raised
from bgcore.reason import Reason
from bgcore.refusal import OwnReason
from bgcore.registering import plain
from bgcore.roll import Roll
from bgcore.rules import REASONS, Rules

__all__ = [
    "Example",
    "RulesUnder",
    "plays_of",
    "read_examples",
    "reasons_of",
    "wrong_examples",
]

RulesUnder = Callable[[str, Mapping[str, object]], Rules]
"""The rules under a preset and options."""


def read_examples(file: str | Path) -> list[Example]:
    """The examples of a file, at least one; `ValueError` says where it is none."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: expected UTF-8, not byte {error.start + 1}") from None
    whole = text.lstrip().startswith("[")
    try:
        found = json.loads(text) if whole else [json.loads(line) for line in filled(text)]
    except RecursionError:
        raise ValueError(f"{file}: expected JSON that is not nested so deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{file}: expected JSON: {error}") from None
    except ValueError:
        raise ValueError(f"{file}: expected JSON with numbers that are shorter") from None
    if not found:
        raise ValueError(f"{file}: expected at least one example")
    for number, example in enumerate(found, 1):
        if not isinstance(example, dict):
            raise ValueError(f"{file}: example {number}: expected an object")
    return list(found)


def filled(text: str) -> list[str]:
    """The lines of a text that hold something."""
    return [line for line in text.splitlines() if line.strip()]


def wrong_examples(examples: list[Example], rules_under: RulesUnder) -> Iterator[tuple[str, str]]:
    """The examples that do not hold: which one, and what of it."""
    for number, example in enumerate(examples, 1):
        name = str(example.get("id", f"number {number}"))
        try:
            for wrong in _wrong(example, rules_under):
                yield name, wrong
        except PluginFailed as failed:
            yield name, Raised(failed)
        except BgcoreError as error:
            yield name, str(error)
        except Exception as problem:
            yield name, Raised(problem)


def _wrong(example: Example, rules_under: RulesUnder) -> Iterator[str]:
    yield from unknown_keys(example)
    wrong = list(wrong_values(example))
    yield from wrong
    if wrong:
        return
    rules = rules_under(example.get("preset", ""), example.get("options", {}))
    names = {rules.variant.id, *map(plain, rules.variant.aliases)}
    if plain(example.get("variant", rules.variant.id)) not in names:
        yield f"variant {example['variant']}: expected {rules.variant.id}"
        return
    plays = plays_of(example, rules)
    count = 0 if plays.nothing_playable else len(plays)
    for key, found in (("dice_used", plays.numbers_used), ("legal_count", count)):
        if example.get(key, found) != found:
            yield f"{key} is {found}: expected {example[key]}{_listed(plays)}"
    yield from _wrong_legal(example, plays)
    yield from _wrong_illegal(example, plays)


def plays_of(example: Example, rules: Rules) -> Plays:
    """The plays that an example asks for."""
    board = example.get("board")
    setup = read_board(board) if isinstance(board, str) else read_board_json(example)
    position, turn = rules.position(setup), read_turn_json(example.get("turn"))
    if "numbers" in example:
        return rules.plays_of(position, read_numbers_json(example["numbers"]), turn)
    dice = read_dice_json(example.get("dice"), 1, rules.variant.dice)
    if len(dice) == rules.variant.dice:
        return rules.plays(position, Roll.of(*dice), turn)
    return rules.plays_of(position, dice, turn)


def _wrong_legal(example: Example, plays: Plays) -> Iterator[str]:
    reached = set()
    for text in (*example.get("legal", ()), *example.get("legal_includes", ())):
        try:
            reached.add(plays.find(text).after)
        except PluginFailed:
            raise
        except BgcoreError as error:
            yield f"{text or 'a pass'} is refused, {error.reason}: expected to be legal"
    if "legal" in example and not plays.nothing_playable:
        others = [str(play) for play in plays if play.after not in reached]
        if others:
            yield f"{', '.join(others)}: legal, and not in the list"


def _wrong_illegal(example: Example, plays: Plays) -> Iterator[str]:
    illegal, why = example.get("illegal", ()), example.get("why", ())
    if len(why) not in (0, len(illegal)):
        yield f"why has {len(why)} reasons: expected {len(illegal)}, one for each of illegal"
        return
    known = reasons_of(plays.rules)
    for text, name in zip_longest(illegal, why, fillvalue=""):
        reason = _refusal(plays, text)
        if not reason:
            yield f"{text or 'a pass'} is legal: expected to be refused"
        if name in ("", reason):
            continue
        if name not in known.values():
            told = f"{reason}, for which {text or 'a pass'} is refused" if reason else ""
            expected = _reason_meant(name, known) or told or one_of(name, known.values())
            yield f"why {name}: there is no such reason, expected {expected}"
        elif reason:
            yield f"{text or 'a pass'} is refused for {reason}: expected {name}"


def _refusal(plays: Plays, text: str) -> str:
    """The reason for which a play is refused; empty if it is legal."""
    try:
        plays.find(text)
    except PluginFailed:
        raise
    except BgcoreError as error:
        return error.reason
    return ""


def reasons_of(rules: Rules) -> dict[str, str]:
    """Every reason for which rules refuse a play, as it is told, by the name that it has in the code."""
    kind = type(rules)
    doors = (door for door in REASONS if getattr(kind, door) is not getattr(Rules, door))
    own = (getattr(kind, REASONS[door]) for door in doors)
    closed = {reason.name: reason.name for reason in Reason if reason is not Reason.LEGAL}
    told = {one.name: one.told(rules.variant.id) for one in own if isinstance(one, OwnReason)}
    return {**closed, **told}


def _reason_meant(name: str, known: Mapping[str, str]) -> str:
    """What was meant by a name that is no reason, if that is clear: an own one is easily told without its variant."""
    return f"{known[name]}, most likely" if name in known else meant(name, known.values())


def _listed(plays: Plays, most: int = 8) -> str:
    texts = [str(play) for play in plays[:most]]
    return f" ({write_board(plays.start)}: {', '.join(texts)}{', …' * (len(plays) > most)})"
