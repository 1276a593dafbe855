"""The proof of a writer of positions: its own reader must take what it wrote, and find the same in it.

A `Situation` can hold what no text has room for, and it proves nothing; so a text is read back before
anybody gets it. Each notation says here what it tells of a situation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bgcore.errors import BgcoreError, Fault, NotationError, PluginFailed, shown
from bgcore.notation.situation import Situation
from bgcore.rules import Rules

Read = Callable[[str, Rules], Situation]
Write = Callable[[Situation, Rules], str]
Told = Callable[[Situation, Rules], Mapping[str, object]]
"""What a notation tells of a situation, by the names of its fields."""

RACCOON = 3
"""How far a Match ID tells a double from the animals that follow it."""


def proved(read: Read, write: Write, told: Told) -> Write:
    """A writer that raises `NotationError` where its reader would not find again what was to be told.

    >>> from bgcore import Cube, Seat, load
    >>> from bgcore.notation.match_id import read_match_id, write_match_id
    >>> read, write = lambda text, _: read_match_id(text), lambda here, _: write_match_id(here)
    >>> theirs = Cube(2, Seat.BLACK, turned=True)
    >>> here = Situation(seat=Seat.WHITE, decider=Seat.BLACK, raised=1, cube=theirs)
    >>> proved(read, write, of_match_id)(here, load().rules("western"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    bgcore.errors.NotationError: ERkAAAAAAAAE: expected what can be read again: match ID ERkAAAAAAAAE owner 1: ...
    """

    def proved_write(situation: Situation, rules: Rules) -> str:
        text = write(situation, rules)
        wanted = told(situation, rules)
        try:
            found = told(read(text, rules), rules)
        except PluginFailed:
            raise
        except BgcoreError as error:
            what = f"{shown(text)}: expected what can be read again: {error}"
            expected = "what can be read again"
            fault = Fault("NOT_READ_BACK", error.faults[0].field, shown(text), expected, what)
            raise NotationError(fault) from None
        for name, value in wanted.items():
            if found[name] != value:
                expected = f"{shown(found[name])}, as it would be read again"
                raise NotationError(Fault("NOT_READ_BACK", name, shown(value), expected))
        return text

    return proved_write


def of_board(situation: Situation, rules: Rules) -> Mapping[str, object]:
    """The board, proved, of who is on roll."""
    return {"board": situation.position(rules)}


def of_board_and_dice(situation: Situation, rules: Rules) -> Mapping[str, object]:
    """The board, and the dice as they fell."""
    return {**of_board(situation, rules), "dice": situation.dice}


def of_xgid(situation: Situation, rules: Rules) -> Mapping[str, object]:
    """What an XGID tells; Jacoby and beavers of money alone."""
    s = situation
    money = {"jacoby": s.jacoby, "beavers": s.beavers} if s.length is None else {}
    return {
        **of_board_and_dice(s, rules),
        **_of_match(s),
        "cube value": s.cube.value,
        "cube owner": s.cube.owner,
        "raised": s.raised,
        **money,
    }


def of_match_id(situation: Situation, rules: Rules) -> Mapping[str, object]:
    """What a Match ID tells: no board, and of animals beyond a raccoon only the stake."""
    s = situation
    beyond = s.raised > RACCOON
    return {
        **_of_match(s),
        "dice": sorted(s.dice),
        "stake": s.cube.value << s.raised,
        "raised": s.raised % 2 if beyond else s.raised,
        "cube owner": None if beyond else s.cube.owner,
        "jacoby": s.jacoby,
        "resigned": s.resigned,
        "state": s.state,
    }


def of_ids(situation: Situation, rules: Rules) -> Mapping[str, object]:
    """What a Position ID and a Match ID tell together."""
    return {**of_board(situation, rules), **of_match_id(situation, rules)}


def _of_match(situation: Situation) -> Mapping[str, object]:
    s = situation
    most = max(s.score) if s.length is None or s.running else s.length
    return {
        "seat": s.seat,
        "decider": s.decider,
        "length": s.length,
        "score": tuple(min(points, most) for points in s.score),
        "crawford": s.crawford,
    }
