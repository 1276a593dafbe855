"""GNU Backgammon as a witness for whole matches: it reads and writes files, and plays what it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bgcore import Kind, Match
from bgcore.notation.story import Event, GameStory, Story
from bgcore.outcome import Ending
from tests.notation.gnubg_run import said

RESIGNED = {1: "normal", 2: "gammon", 3: "backgammon"}
"""Resignations by their points, as it does not apply Jacoby to their levels."""


def ran(commands: Iterable[str], folder: Path) -> str:
    """What it says to some commands, the dice in them."""
    return said(("set rng manual", *commands), folder)


def converted(files: Sequence[str]) -> Iterator[str]:
    """Commands that read NAME.sgf and write NAME.mat and NAME.again.sgf, and from NAME.mat NAME.mat.sgf."""
    for name in files:
        yield f"load match {name}.sgf"
        yield f"save match {name}.again.sgf"
        yield f"export match mat {name}.mat"
        yield f"import mat {name}.mat"
        yield f"save match {name}.mat.sgf"


def told(match: Match) -> Iterator[str]:
    """Commands by which it plays a match itself, under its own rules and with our dice."""
    options = match.rules.options
    yield f"set jacoby {'on' if options['jacoby'] else 'off'}"
    yield f"set automatic crawford {'on' if options['crawford'] else 'off'}"
    yield f"set beavers {options['animals'] or 0}"
    yield f"set automatic doubles {options['auto_doubles'] or 0}"
    yield f"new match {match.length}" if match.length else "new session"
    for number, game in enumerate(Story.of(match).games):
        if number:
            yield "new game"
        yield from _ties(game)
        for at, event in enumerate(game.events):
            yield from _event(event, first=at == 0)
        if game.end and game.end.ending is Ending.RESIGNED:
            yield f"resign {RESIGNED[game.end.points // game.end.cube]}"
            yield "accept"


def _ties(game: GameStory) -> Iterator[str]:
    """As many ties as have doubled the stake."""
    for _ in range(game.cube.value.bit_length() - 1):
        yield "1 1"


def _event(event: Event, *, first: bool) -> Iterator[str]:
    if event.kind is Kind.ROLL and first:
        # White's die comes first.
        yield "{} {}".format(*(event.dice if not event.seat else event.dice[::-1]))
    elif event.kind is Kind.ROLL:
        yield "roll"
        yield "{} {}".format(*event.dice)
    elif event.kind is Kind.PLAY:
        # Where nothing can be played it goes on by itself.
        yield from [f"move {str(event.play).replace('*', '')}"] if str(event.play) else []
    else:
        yield {Kind.DOUBLE: "double", Kind.ANIMAL: "redouble", Kind.TAKE: "accept"}.get(
            event.kind, "reject"
        )
