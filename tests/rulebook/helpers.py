"""Words for the tests of the rule book, and the marker that says what a test proves."""

from __future__ import annotations

import pytest

from bgcore import (
    Action,
    Cube,
    IllegalAction,
    Match,
    OptionError,
    Plays,
    Roll,
    Rules,
    Start,
    load,
)
from tests.engine.helpers import WHITE, doubled, match, position, rules, turn_passes

rule = pytest.mark.rule

PRESETS = {
    "S0": ("vog",),
    "S1": ("money-001",),
    "S2": ("club-002",),
    "S3": ("jpgames",),
    "S4": ("tournament-004", "money-004"),
}
"""The presets by which each rulebook is played; the last has one for matches and one for money."""


def proves(*sentences: str) -> pytest.MarkDecorator:
    """Runs a test with each `preset` of the rulebooks whose sentences it proves.

    Under a preset it proves those of that rulebook only.
    """
    return pytest.mark.parametrize(
        "preset",
        [
            pytest.param(preset, marks=rule(*own), id=preset)
            for book, presets in PRESETS.items()
            for preset in presets
            if (own := [one for one in sentences if one.startswith(book)])
        ],
    )


def plays(under: Rules, mover: str, opponent: str, *dice: int) -> Plays:
    """The plays of a roll on a board; what a side leaves out of its checkers is off."""
    return under.plays(position(under, mover, opponent), Roll.of(*dice))


def only(found: Plays, *texts: str) -> bool:
    """Whether these, and no others, are the legal plays."""
    meant = {found.find(text) for text in texts}
    return len(meant) == len(texts) and meant == set(found)


def why(found: Plays, text: str) -> str:
    """The reason for which a play is refused."""
    with pytest.raises(IllegalAction) as caught:
        found.find(text)
    return caught.value.reason


def refused(game: Match, action: Action) -> tuple[str, str]:
    """The reason for which an action is refused, and the rule behind it."""
    with pytest.raises(IllegalAction) as caught:
        game.after(action)
    return caught.value.reason, caught.value.faults[0].rule


def clashes(id: str, preset: str, **options: object) -> set[tuple[str, str]]:
    """Every wrong option of a table, and the rule behind each."""
    with pytest.raises(OptionError) as caught:
        rules(id, preset, **options)
    return {(fault.field.removeprefix("option "), fault.rule) for fault in caught.value.faults}


def from_board(
    under: Rules,
    mover: str,
    opponent: str,
    cube: Cube | None = None,
    score: tuple[int, int] = (0, 0),
) -> Match:
    """A match that goes on from a board with white on turn."""
    board = position(under, mover, opponent)
    return Match.new(under, Start(board, WHITE, cube or Cube(), score=score))


def from_cube(preset: str, cube: Cube, score: tuple[int, int] = (0, 0), **options: object) -> Match:
    """A match that goes on with this cube, white on turn in the starting position."""
    under = rules("western", preset, **options)
    return Match.new(under, Start(under.start, WHITE, cube, score=score))


def length(preset: str, points: int) -> dict[str, object]:
    """The options of a match to so many points; none where the preset is for money."""
    endless = load().rules("western", preset).options["match_length"] is None
    return {} if endless else {"match_length": points}


def long_match(preset: str) -> Match:
    """A match that is far from its end, or a money session."""
    return match("western", preset, **length(preset, 500))


def raised(game: Match, value: int) -> Match:
    """The match with the cube doubled and taken, turn by turn, up to a value; its owner is on turn."""
    while game.game.cube.value < value:
        game = turn_passes(doubled(game, game.game.seat))
    return game
