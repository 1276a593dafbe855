"""SGF held against GNU Backgammon: it reads ours as we mean it, and we read its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bgcore import Action, Kind, Match, load
from bgcore.notation.sgf_writer import write_sgf
from bgcore.notation.story import GameStory
from bgcore.notation.text_file import decode
from bgcore.record import Record
from bgcore.replay import matches_in

from . import gnubg_matches
from .random_matches import choice, games_of, in_sgf, played, somewhere

pytestmark = pytest.mark.needs_gnubg

REGISTRY = load()
NAMES = ("ann", "bob")  # it breaks down over empty ones
MONEY = {"match_length": None, "animals": 3, "cube_cap": 4096}
OPTIONS: tuple[dict[str, Any], ...] = (
    {"match_length": 7},
    {"match_length": 5, "crawford": False},
    {"match_length": 3, "cube": False},
    {**MONEY, "jacoby": True},
    {**MONEY, "jacoby": False, "auto_doubles": None},
    {**MONEY, "jacoby": True, "auto_doubles": 2},
)


@dataclass(frozen=True)
class Real:
    """A real match, and what happened in it."""

    match: Match
    games: tuple[GameStory, ...]


@pytest.fixture(scope="module")
def matches(real: Path) -> dict[str, Real]:
    """The 101 real matches, by file."""
    files = sorted((real / "western").glob("*.txt"))
    found = {file.stem: matches_in(decode(file.read_bytes()))[0].match for file in files}
    return {name: Real(match, games_of(match)) for name, match in found.items() if match}


@pytest.fixture(scope="module")
def folder(matches: dict[str, Real], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each match as our SGF, and with what GNU Backgammon made of it."""
    folder = tmp_path_factory.mktemp("gnubg")
    for name, one in matches.items():
        (folder / f"{name}.sgf").write_text(write_sgf(Record.of(one.match, NAMES), REGISTRY))
    gnubg_matches.ran(gnubg_matches.converted(list(matches)), folder)
    return folder


@pytest.mark.needs_real
def test_it_reads_every_real_match_in_our_sgf_as_we_do(
    matches: dict[str, Real], folder: Path
) -> None:
    """Dice, the position after each play, the cube, results and scores, by its own match text."""
    assert len(matches) == 101
    for name, one in matches.items():
        [told] = matches_in((folder / f"{name}.mat").read_text())
        # Its match text leaves Jacoby out, so the points of a money game may be a gammon's all the same.
        known = set() if one.match.length else {"BAD_POINTS"}
        assert {fault.reason for fault in told.report.faults} <= known, name
        assert games_of(told.match) == one.games, name
        assert known or told.report.score == one.match.score, name
        assert told.report.names == NAMES


@pytest.mark.needs_real
@pytest.mark.parametrize("kind", ["again", "mat"])
def test_we_read_what_it_saves_of_every_real_match(
    matches: dict[str, Real], folder: Path, kind: str
) -> None:
    """What it read of our SGF (`again`), and of its own match text (`mat`)."""
    for name, one in matches.items():
        back = in_sgf((folder / f"{name}.{kind}.sgf").read_text())
        assert back.report.faults == (), name
        assert games_of(back.match) == one.games, name
        assert back.report.score == one.match.score, name


def test_it_reads_random_matches_with_beavers_ties_and_resignations(tmp_path: Path) -> None:
    matches = {
        f"{index}-{seed}": played(REGISTRY.rules("western", options=options), Random(seed))
        for index, options in enumerate(OPTIONS)
        for seed in range(4)
    }
    for name, match in matches.items():
        (tmp_path / f"{name}.sgf").write_text(write_sgf(Record.of(match, NAMES), REGISTRY))
    gnubg_matches.ran(gnubg_matches.converted(list(matches)), tmp_path)
    for name, match in matches.items():
        back = in_sgf((tmp_path / f"{name}.again.sgf").read_text())
        assert back.report.faults == (), name
        assert games_of(back.match) == games_of(match), name
        assert back.report.score == match.score, name
    kinds = {action.kind for match in matches.values() for action in match.actions}
    assert kinds >= {Kind.ANIMAL, Kind.DROP, Kind.RESIGN, Kind.NEXT_GAME}


def test_it_reads_matches_that_begin_from_a_position(tmp_path: Path) -> None:
    rules, matches = REGISTRY.rules("western", options={"match_length": 9}), {}
    for seed in range(40):
        random = Random(seed)
        match = played(rules, random, somewhere(rules, random), games=2)
        matches[str(seed)] = match
        (tmp_path / f"{seed}.sgf").write_text(write_sgf(Record.of(match, NAMES), REGISTRY))
    gnubg_matches.ran(gnubg_matches.converted(list(matches)), tmp_path)
    for name, match in matches.items():
        back = in_sgf((tmp_path / f"{name}.again.sgf").read_text())
        assert back.report.faults == (), name
        assert games_of(back.match) == games_of(match), name


# -- matches that it plays itself --------------------------------------------------------------------


def sessions() -> Iterator[Match]:
    """Matches in which only who must decide resigns, as its commands have it."""
    for index, options in enumerate((*OPTIONS, *OPTIONS[3:])):
        if options.get("cube", True):
            # It knows no double that is of no use to who offers it.
            dead = {"dead_cube_rule": True} if options["match_length"] else {}
            yield _session({**options, **dead}, Random(index))


def _session(options: dict[str, Any], random: Random) -> Match:
    match = Match.new(REGISTRY.rules("western", options=options))
    while not match.over and len(match.results) < 6:
        match = match.after(_act(match, random))
    return match


def _act(match: Match, random: Random) -> Action:
    if Kind.ANSWER_RESIGNATION in match.decision.kinds:
        assert match.decision.seat is not None
        return Action.answer_resignation(match.decision.seat, accept=True)
    while True:
        action = choice(match, random, meanwhile=False)
        if action.kind is not Kind.RESIGN or match.decision.seat is action.seat:
            return action


def test_it_plays_our_matches_to_the_same_cubes_results_and_scores(tmp_path: Path) -> None:
    """Beavers, automatic doubles, Jacoby and Crawford by its rules, not by what a file says."""
    matches = list(sessions())
    commands: list[str] = []
    for number, match in enumerate(matches):
        commands += [*gnubg_matches.told(match), f"save match {number}.sgf"]
    log = gnubg_matches.ran(commands, tmp_path)
    for number, match in enumerate(matches):
        back = in_sgf((tmp_path / f"{number}.sgf").read_text())
        assert back.report.faults == (), log[-2000:]
        for mine, its in zip(games_of(match), games_of(back.match), strict=True):
            assert its == mine, log[-2000:]
        assert back.report.score == match.score
    raised = [action.kind is Kind.ANIMAL for match in matches for action in match.actions]
    assert sum(raised) > 20
