"""GNU Backgammon's program as a witness: positions set up by its own commands, and the IDs that it prints.

One process does all of it. It is never given one of our IDs unless that is the question: boards are 26
numbers, the rest are its settings, and offers are made by its players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bgcore import Level
from bgcore.notation.situation import Situation
from tests.notation.gnubg_run import said

_SHOWN = re.compile(r"Position ID: (\S+)\s+Match ID\s*: (\S+)")


def ids_after(scripts: Sequence[Sequence[str]], home: Path) -> list[str]:
    """What it shows after each of some series of commands: Position ID, a colon, Match ID.

    `home` is where it finds no settings of anybody's.
    """
    commands = ["set beavers 3"]
    for number, script in enumerate(scripts):
        commands += [*script, "show board", f'set prompt "<{number}>"']
    heard = said(commands, home)
    # Its answer to the prompt's command ends a series; a board comes with most commands, so the last counts.
    answers = re.split(r"The prompt has been set to `\"<\d+>\"'", heard)
    assert len(answers) == len(scripts) + 1, heard[-2000:]
    return [":".join(_SHOWN.findall(answer)[-1]) for answer in answers[:-1]]


def set_up(here: Situation) -> Iterator[str]:
    """The commands that bring a situation about."""
    if not here.length:
        yield f"set jacoby {'on' if here.jacoby else 'off'}"
    yield f"new match {here.length}" if here.length else "new session"
    yield f"set score {here.score[0]} {here.score[1]}"
    if here.crawford:
        yield "set crawford on"
    yield f"set turn {here.seat:d}"
    yield f"set board simple {' '.join(map(str, board(here)))}"
    if here.cube.value > 1:
        yield f"set cube value {here.cube.value}"
        owner = here.cube.owner
        yield "set cube centre" if owner is None else f"set cube owner {owner:d}"
    if here.dice:
        yield f"set dice {here.dice[0]} {here.dice[1]}"
    yield from ["double", "redouble", "redouble"][: here.raised]
    if here.resigned:
        yield f"resign {RESIGNED[here.resigned]}"


RESIGNED = {Level.SINGLE: "normal", Level.GAMMON: "gammon", Level.BACKGAMMON: "backgammon"}


def board(here: Situation) -> list[int]:
    """The numbers of `set board simple`, seen by the side on roll: its bar, its points, the other bar."""
    mine, theirs = here.side(here.seat), here.side(here.seat.other)
    points = [mine.points.get(n, 0) - theirs.points.get(25 - n, 0) for n in range(1, 25)]
    return [mine.bar, *points, -theirs.bar]


def turned_round(here: Situation) -> Situation:
    """The same situation with the two players' places changed."""
    owner, (white, black) = here.cube.owner, here.score
    return replace(
        here,
        seat=here.seat.other,
        decider=here.decider.other,
        cube=replace(here.cube, owner=None if owner is None else owner.other),
        score=(black, white),
    )
