"""Matches written as SGF (`GM[6]`), as GNU Backgammon reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest

from bgcore.action import Kind
from bgcore.errors import Fault, NotationError
from bgcore.file_names import name_in
from bgcore.match import Match
from bgcore.notation.sgf import escaped
from bgcore.notation.sgf_match import (
    COLOURS,
    CRAWFORD,
    HEADERS,
    JACOBY,
    NO_CUBE,
    OF_A_GAME,
    letter_of,
    read_sgf,
)
from bgcore.notation.story import Event, GameStory, Story
from bgcore.outcome import Ending
from bgcore.position import BAR, Position, Side
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay import replayed
from bgcore.rules import Rules
from bgcore.seat import Seat

COLOUR = {seat: letter for letter, seat in COLOURS.items()}
TOLD = {"match_length", "crawford", "cube", "jacoby"}
"""Options that are written."""
OTHER_HEADERS = {"site": "place", "eventdate": "date", "transcriber": "annotator"}
"""Other names that headers may have."""


def write_sgf(record: Record, registry: Registry) -> str:
    """A record as SGF, a game tree a game.

    What SGF has no words for is left out where the match is the same without it: declined resignations,
    ties, options that did not matter. Else `NotationError` (`NOT_IN_SGF`) names it: what is written is
    always read back as the same match. `IllegalAction` when the record does not hold.

    >>> from bgcore import Action, Match, Seat, load
    >>> rules = load().rules("western", options={"match_length": 3})
    >>> played = Match.new(rules).after(Action.throw(3, 1)).after(Action.play(Seat.WHITE, "8/5 6/5"))
    >>> print(write_sgf(Record.of(played, names=("ann", "bob")), load()))  # doctest: +ELLIPSIS
    (;FF[4]GM[6]CA[UTF-8]AP[bgcore:...]MI[length:3][game:0][ws:0][bs:0]PW[ann]PB[bob]RU[Crawford]
    ;W[31hefe])
    <BLANKLINE>
    """
    if record.rotation is not None:
        raise _not_said("a match whose games change variant", "a match of one variant")
    ids = (entry.variant.id for entry in registry)
    known = ", ".join(one for one in ids if name_in("sgf", one, registry) is not None)
    if record.spec is not None:
        raise _not_said(f"the house rules of {record.variant}", f"one of {known}")
    if name_in("sgf", record.variant, registry) is None:
        raise _not_said(f"the variant {record.variant}", f"one of {known}")
    told = Story.replay(record.rules(registry), record.actions, record.start)
    _check_words(told)
    games = enumerate(told.games)
    text = "".join(_tree(game, index, told.match, record) for index, game in games)
    _check(text, told, registry)
    return text


def _check_words(told: Story) -> None:
    """`NotationError` names what SGF has no words for."""
    if told.match.game.offer:
        raise _not_said("a resignation on offer", "its answer")
    if told.match.conceded:
        raise _not_said("the whole match given up or lost on time", "games won")
    for number, game in enumerate(told.games, 1):
        where = f"in game {number}"
        if game.end and game.end.ending is Ending.FLAGGED:
            raise _not_said(f"a loss on time {where}", "a game played to its end")
        if game.cube.value & (game.cube.value - 1):
            raise _not_said(f"a cube of {game.cube.value} {where}", "a power of two")
        if any(event.kind is Kind.PLAY and event.play is None for event in game.events):
            raise _not_said(f"an illegal play {where}", "legal plays")


def _not_said(what: str, expected: str) -> NotationError:
    message = f"{what}: SGF has no words for it, expected {expected}"
    return NotationError(Fault("NOT_IN_SGF", "match", what, expected, message))


# -- a game ------------------------------------------------------------------------------------------


def _tree(game: GameStory, index: int, match: Match, record: Record) -> str:
    nodes = [_root(game, index, match, record), *_set_up(game), *_nodes(game.events)]
    return "\n".join(nodes).join(("(", ")\n"))


def _root(game: GameStory, index: int, match: Match, record: Record) -> str:
    white, black = game.score
    info = (f"length:{match.length or 0}", f"game:{index}", f"ws:{white}", f"bs:{black}")
    parts = [
        *(("FF", "4"), ("GM", "6"), ("CA", "UTF-8"), ("AP", f"bgcore:{_version()}")),
        ("MI", "][".join(info)),
        *(("PW", _text(record.names[0])), ("PB", _text(record.names[1]))),
        *(() if index else _headers(record.headers)),
        ("RU", ":".join(_rules(game, match))),
        ("CV", str(game.cube.value) if game.position is None and game.cube.value > 1 else ""),
        ("RE", _result(game)),
    ]
    always = ("PW", "PB")
    return ";" + "".join(f"{name}[{value}]" for name, value in parts if value or name in always)


@cache
def _version() -> str:
    try:
        return version("bgcore")
    except PackageNotFoundError:  # run from a folder
        return "0"


def _text(text: str) -> str:
    return escaped(" ".join(re.split(r"[\t\n\v\f\r]", text)))


def _headers(headers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, header in HEADERS.items():
        told = headers.get(header) or headers.get(OTHER_HEADERS.get(header, ""), "")
        if name == "DT" and re.fullmatch(r"\d{4}[./]\d\d[./]\d\d", told, re.ASCII):
            told = re.sub("[./]", "-", told)
        yield name, _text(told)


def _rules(game: GameStory, match: Match) -> Iterator[str]:
    options = match.rules.options
    told = (
        (options.get("cube") is False, NO_CUBE),
        (match.length is not None and bool(options.get("crawford")), CRAWFORD),
        (game.crawford, OF_A_GAME),
        (bool(options.get("jacoby")), JACOBY),
    )
    yield from (word for holds, word in told if holds)
    if rule := match.rules.variant.file_names["sgf"]:
        yield rule


def _result(game: GameStory) -> str:
    end = game.end
    if end is None or end.winner is None:
        return ""
    return f"{COLOUR[end.winner]}+{end.points}{'R' if end.ending is Ending.RESIGNED else ''}"


def _set_up(game: GameStory) -> Iterator[str]:
    """The nodes of a game that begins from a position."""
    if game.position is None:
        return
    board = ";PL[" + COLOUR[game.seat] + "]AE[a:y]"
    for seat in Seat:
        letters = _letters(game.position, seat, game.seat)
        board += f"A{COLOUR[seat]}[{']['.join(letters)}]" if letters else ""
    yield board
    yield f";CV[{game.cube.value}]"
    yield f";CP[{'c' if game.cube.owner is None else COLOUR[game.cube.owner].lower()}]"


def _letters(position: Position, seat: Seat, on_turn: Seat) -> list[str]:
    side: Side = position.mover if seat is on_turn else position.opponent
    places = [*side.points.items(), (BAR, side.bar)]
    return sorted(letter_of(point, seat) for point, many in places for _ in range(many))


def _nodes(events: Sequence[Event]) -> Iterator[str]:
    """A node for each roll with its play, and for each action with the cube."""
    for event, then in zip_longest(events, events[1:]):
        colour = COLOUR[event.seat]
        dice = "".join(map(str, event.dice))
        if event.kind is Kind.PLAY:
            continue  # stands with its roll
        elif event.kind is not Kind.ROLL:
            word = Kind.DOUBLE if event.kind is Kind.ANIMAL else event.kind
            yield f";{colour}[{word}]"
        elif then is None or then.play is None:
            yield f";PL[{colour}]DI[{dice}]"
        else:
            steps = ((step.origin, step.target) for step in then.play.steps)
            pairs = "".join(letter_of(point, event.seat) for step in steps for point in step)
            yield f";{colour}[{dice}{pairs}]"


# -- the promise -------------------------------------------------------------------------------------


def _check(text: str, told: Story, registry: Registry) -> None:
    """`NotationError` when what is written is not read back as the same match."""
    try:
        [back] = replayed(text, registry, read=read_sgf)
    except NotationError as error:
        raise _not_said(f"a value that cannot be read ({error})", "a smaller one") from error
    games = Story.of(back.match).games if back.match else ()
    faults = () if back.breaks_off else back.report.faults
    if games == told.games and not faults:
        return
    pairs = zip_longest(told.games, games)
    number = next((n for n, (one, two) in enumerate(pairs, 1) if one != two), len(games))
    why = f" ({faults[0].message})" if faults else ""
    unusual = _unusual(told.match.rules, registry)
    raise _not_said(f"game {number} under {unusual}{why}", "the usual rules")


def _unusual(rules: Rules, registry: Registry) -> str:
    """The options that are neither told by SGF nor as usual, in words."""
    chosen, usual = rules.options, registry.rules(rules.variant.id).options
    names = sorted(name for name in chosen.keys() - TOLD if chosen[name] != usual.get(name))
    return ", ".join(f"{name} {chosen[name]}" for name in names) or "these rules"
