"""Matches that were played elsewhere, played again over the wire."""

from __future__ import annotations

import asyncio
import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bgcore.plugins import load
from bgcore.replay import ReplayedMatch, matches_in
from bgcore_client import BLACK, WHITE, AsyncClient, messages
from tests.wire.matches import PlayedMatch

AT_ONCE = 48
WORTH = {
    messages.LEVEL_SINGLE: 1,
    messages.LEVEL_GAMMON: 2,
    messages.LEVEL_BACKGAMMON: 3,
}
ENDINGS = {
    "bearoff": messages.ENDING_BORNE_OFF,
    "drop": messages.ENDING_DROPPED,
    "resign": messages.ENDING_RESIGNED,
}
WINNERS = {"1": WHITE, "2": BLACK}

Row = Mapping[str, str]


@pytest.mark.slow
async def test_every_real_match_ends_over_the_wire_as_it_is_recorded(
    real: Path, async_client: AsyncClient
) -> None:
    recorded = dict(read_all(real / "western"))
    gate = asyncio.Semaphore(AT_ONCE)

    async def play(match: ReplayedMatch) -> PlayedMatch:
        async with gate:
            played = await PlayedMatch.begin(async_client, match)
            await played.play()
            await played.check_log()
            return played

    played = dict(zip(recorded, await asyncio.gather(*map(play, recorded.values())), strict=True))

    games = defaultdict(list)
    for row in table(real / "western-games.tsv"):
        games[row["file"]].append(row)
    wrong = []
    for match in table(real / "western-matches.tsv"):
        name = match["file"]
        wrong += [f"{name}: {found}" for found in differences(match, games[name], played[name])]
    assert not wrong, "\n".join(wrong)
    assert (len(played), sum(map(len, games.values()))) == (101, 447)


def read_all(folder: Path) -> Iterator[tuple[str, ReplayedMatch]]:
    registry = load()
    for path in sorted(folder.glob("*.txt")):
        [match] = matches_in(path.read_text(encoding="utf-8"), registry)
        assert not match.report.faults, path.name
        yield path.name, match


def table(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def differences(match: Row, games: list[Row], played: PlayedMatch) -> Iterator[str]:
    """Where the server says something else than the record."""
    if len(games) != len(played.results):
        yield f"{len(played.results)} games, recorded {len(games)}"
        return
    for row, result in zip(games, played.results, strict=True):
        for what, found, expected in game_facts(row, result):
            if found != expected:
                yield f"game {row['game']}: {what} {found}, recorded {expected}"
    state = played.state.match
    if not state.HasField("length"):
        return  # a single money game: nobody wins a match
    if state.winner != WINNERS[match["match_winner"]]:
        yield f"winner {state.winner}, recorded {match['match_winner']}"


def game_facts(row: Row, result: messages.GameResult) -> Iterator[tuple[str, object, object]]:
    """What is known of a game: the thing, what the server says, what is recorded."""
    outcome = result.outcome
    yield "number", result.game_number, int(row["game"])
    yield "winner", outcome.winner, WINNERS[row["winner"]]
    yield "ending", outcome.ending, ENDINGS[row["ended_by"]]
    yield "cube", result.cube, int(row["cube_at_end"])
    by_rule = WORTH[outcome.level] * result.cube
    if row["points_by_rule"]:
        yield "points by rule", by_rule, int(row["points_by_rule"])
    elif row["result"] != "?":
        yield "level", outcome.level, messages.Level.Value(f"LEVEL_{row['result'].upper()}")
    # Jacoby: a gammon with the cube in the middle counts as a single.
    yield "points", result.points, result.cube if "jacoby" in row["flags"] else by_rule
