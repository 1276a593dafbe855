"""What stands before the games of a match file: whose match it is, and by what rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bgcore.file_names import name_in
from bgcore.notation.match_text import MatchText, is_money_length
from bgcore.option import Scope, Value, spelt
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay_options import options_in
from bgcore.resolve import options_of
from bgcore.rules import Rules

LONGEST_NAME = 100
KEYS = (
    "Site",
    "Match ID",
    "Event",
    "Round",
    "Player 1",
    "Player 2",
    "Player 1 Elo",
    "Player 2 Elo",
    "EventDate",
    "EventTime",
    "Transcriber",
)
"""Headers as other programs spell them, in their order; any other follows with a capital."""
RULES = ("variation", "crawford", "jacoby", "beaver", "cubelimit", "options")
"""Headers that are told by the rules, whatever the record holds under their names."""
_KNOWN = {key.casefold(): key for key in KEYS}


def header_lines(record: Record, registry: Registry, games: int) -> list[str]:
    """The headers of a match of so many games: those of the record, then those of its rules."""
    rules = record.rules(registry)
    given = {cleaned(key, '"[]').casefold(): value for key, value in record.headers.items()}
    told = {_KNOWN[key]: given[key] for key in _KNOWN if key in given}
    told |= {key.capitalize(): given[key] for key in given if key not in _KNOWN}
    length = rules.options.get("match_length")
    if isinstance(length, int) and is_money_length(length, games, told.get("Site", "")):
        del told["Site"]  # with it the length would be read as a stake
    kept = {key: told[key] for key in told if key.casefold() not in RULES}
    kept |= _rules_headers(rules, registry)
    return [f'; [{key} "{cleaned(value)}"]' for key, value in kept.items() if key]


def _rules_headers(rules: Rules, registry: Registry) -> dict[str, str]:
    options, length = rules.options, rules.options.get("match_length")
    game = rules.variant.id
    told = {"Variation": name_in("mat", game, registry) or game}
    if "crawford" in options and length is not None:
        told["Crawford"] = _switch(options["crawford"])
    if "jacoby" in options and length is None:
        told["Jacoby"] = _switch(options["jacoby"])
        told["Beaver"] = _switch(options.get("animals") != 0)
    if options.get("cube_cap") is not None:
        told["CubeLimit"] = str(options["cube_cap"])
    if words := " ".join(_others(rules, registry, told)):
        told["Options"] = words
    return told


def _switch(on: Value) -> str:
    return "On" if on else "Off"


def _others(rules: Rules, registry: Registry, told: Mapping[str, str]) -> Iterator[str]:
    """The options of game and match that whoever reads these headers would take for others."""
    length = rules.options.get("match_length")
    headers = {key.casefold(): value for key, value in told.items()}
    text = MatchText(length if isinstance(length, int) else 0, 1, headers, ())
    variant, options = options_in(text, registry)
    read = registry.rules(variant, options=options).options
    for name, option in options_of(rules.variant).items():
        value = rules.options[name]
        if option.scope is not Scope.TABLE and read[name] != value:
            yield f"{name}={spelt(value)}"


# -- texts that break no line ------------------------------------------------------------------------


def cleaned(text: str, without: str = "") -> str:
    r"""A text on one line, each run of blanks and of what cannot be printed a blank.

    >>> cleaned("Great\n tourney\x07")
    'Great tourney'
    """
    plain = (one if one.isprintable() and one not in without else " " for one in text)
    return " ".join("".join(plain).split())


def cleaned_name(name: str) -> str:
    """A player's name as it may stand before a score: no colon, no comment, no rating behind a comma.

    >>> cleaned_name(";-) ann: 4,1700")
    '-) ann. 4, 1700'
    """
    plain = re.sub(r",(?=\d)", ", ", cleaned(name).replace(":", ".").lstrip("; "))
    return plain[:LONGEST_NAME].strip()
