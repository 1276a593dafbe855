"""Every variant plays: the kit finds nothing, games end, the seats are mirrored, the start can be drawn."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from random import Random
from xml.etree import ElementTree as ET

import pytest

from bgcore import Action, Match, Seat, SeededDice, load
from bgcore.action import Kind
from bgcore.axes import Layout
from bgcore.bot import RandomBot
from bgcore.notation.ascii_board import draw
from bgcore.notation.geometry import places
from bgcore.notation.svg_board import svg_board
from bgcore.testing import check_rules
from bgcore.testing.contest import play_game

IDS = [entry.variant.id for entry in load()]
GAMES = int(os.environ.get("BGCORE_GAMES", "5"))
"""Random games of a variant; with 1,000 of each, all ended."""
BOTS = RandomBot(), RandomBot()


@pytest.mark.parametrize("id", IDS)
def test_a_variant_passes_the_kit(id: str) -> None:
    report = check_rules(load().rules(id), games=1)
    assert report.positions > 10


@cache
def games(id: str) -> tuple[Match, ...]:
    """Random games, from the throw on, with every turn as the rules have it."""
    under = load().rules(id, options={"match_length": 32767})
    begun = Match.new(under)
    return tuple(
        play_game(begun, BOTS, SeededDice(number), Random(number)) for number in range(GAMES)
    )


@pytest.mark.parametrize("id", IDS)
def test_random_games_end_and_somebody_scores(id: str) -> None:
    for match in games(id):
        result = match.results[-1]
        assert result.winner is not None or id.startswith(("plakoto", "tapa"))
        assert sum(match.score) == result.points
        checkers = match.rules.variant.checkers
        position = match.game.position
        assert position.mover.checkers == position.opponent.checkers == checkers


def mirrored(action: Action) -> Action:
    """What the other seat would do in the same place."""
    if action.kind is Kind.THROW:
        return replace(action, dice=action.dice[::-1])
    return action if action.seat is None else replace(action, seat=action.seat.other)


@pytest.mark.parametrize("id", IDS)
def test_the_seats_are_mirrored(id: str) -> None:
    match = games(id)[0]
    other = Match.replay(match.rules, tuple(map(mirrored, match.actions)))
    assert other.game.position == match.game.position
    assert other.score == match.score[::-1]
    mine, theirs = match.results[-1], other.results[-1]
    assert (mine.points, mine.level, mine.ending) == (theirs.points, theirs.level, theirs.ending)


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("id", IDS)
def test_the_start_is_drawn_where_the_geometry_says(id: str, seat: Seat) -> None:
    under = load().rules(id)
    root = ET.fromstring(svg_board(under, under.start, seat))
    seen = {
        (group.get("data-place"), group.get("data-count"))
        for group in root.iter(f"{SVG}g")
        if group.get("data-count", "0") != "0"
    }
    near, far = places(under)
    start = under.variant.start.items()
    wanted = {(str(side.of(point)), str(count)) for side in (near, far) for point, count in start}
    if under.variant.unentered:
        wanted |= {(str(side.unentered), str(under.variant.unentered)) for side in (near, far)}
    assert seen == wanted


@pytest.mark.parametrize("id", IDS)
def test_the_start_is_drawn_in_letters(id: str) -> None:
    under = load().rules(id)
    drawn = draw(under, under.start)
    board, _, legend = drawn.rpartition("\n13")
    assert drawn.isascii() and len(drawn.splitlines()) > 10
    if under.variant.unentered:
        assert f"{under.variant.unentered}" in drawn
    assert (board + legend).count("15") >= (2 if 15 in under.variant.start.values() else 0)


def test_no_game_of_the_family_is_on_a_layout_that_nobody_draws() -> None:
    assert {entry.variant.layout for entry in load()} == set(Layout)
