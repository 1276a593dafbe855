"""Whole matches in which both seats choose among the legal acts at random, and what must hold of each.

    python -m tests.engine.random_matches --n 20000

plays so many, over every preset of every variant in turn, and says what they came to. The first that
fails stops it, with the number that plays it again (`--first NUMBER --n 1`).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from bgcore import Action, IllegalAction, Kind, Match, NotationError, Position, Rules, Seat
from bgcore import load as registry
from bgcore.option import Value
from bgcore.position import Side
from bgcore.record import Record
from bgcore.resolve import options_of
from tests.engine.random_acts import chosen, tries
from tests.engine.scorer import Board, SideSeen, tally

MOST_ACTS = 500_000
"""A match that needs more has no end."""

# What a table may switch on, as the rule books have it in brackets; one of them is drawn, or none.
AGREED: Mapping[str, tuple[Mapping[str, Value], ...]] = {
    "vog": ({"animals": 1}, {"auto_doubles": 1}, {"jacoby": True, "animals": None}),
    "money-001": ({"auto_doubles": None}, {"auto_doubles": None, "auto_double_66": "triple"}),
    "club-002": ({"decline_cost": "always_one"},),
    "tournament-004": (
        {"holland": True},
        {"illegal_moves": "until_next_roll"},
        {"flag_loses": "game", "step": 5},
    ),
    "money-004": ({"animals": 4, "auto_doubles": 1}, {"animals": None, "auto_doubles": None}),
    "tournament": ({"holland": True, "holland_scope": "both"}, {"resign_auto_accept": False}),
    "money": ({"auto_doubles": None, "auto_double_satisfies_jacoby": True, "cube_cap": 4},),
    "jpgames": ({"later_starter": "alternate"}, {"opening_roll": "starter_chooses"}),
    "traditional": (
        {"illegal_moves": "until_next_roll"},
        {"resign_when": "own_turn"},
        {"mother_points": 3},
    ),
    "bulgarian": ({"unplayed": "opponent_plays", "ladder_from_roll": 1},),
}


COUNTED: Mapping[str, Mapping[str, Value]] = {
    "long-nardy": {"last_roll_equalizer": True},
    "crazy-narde": {"last_roll_equalizer": True},
    "russian-backgammon": {"backgammon_value": 3},
    "tabula": {"gammon_value": 2, "backgammon_value": 3},
    "plakoto": {"mother_rule": True},
    "tapa": {"mother_rule": True},
}
"""Other ways to count, of which a game's file tells; every second match of it has them where they are open."""


def tables() -> list[tuple[str, str]]:
    """Every variant with every preset it has."""
    known = registry()
    return [
        (name, preset)
        for name in (entry.variant.id for entry in known)
        for preset in ("", *known.presets_of(name))
    ]


def rules_of(number: int) -> Rules:
    """The rules of the match with a number: table after table, its length and agreements at random."""
    random = Random(f"rules {number}")
    every = tables()
    name, preset = every[number % len(every)]
    variant = registry().variant(name)
    known = options_of(variant)
    # A bundle of a variant may have the name of a preset and say something else.
    another = preset in variant.bundles and preset in registry().presets
    agreed = random.choice(({}, *(() if another else AGREED.get(preset, ()))))
    counted = COUNTED.get(name, {}) if random.random() < 0.5 else {}
    wanted = {**counted, **agreed}
    options: dict[str, Value] = {
        option: value for option, value in wanted.items() if option in known
    }
    if registry().rules(name, preset).options["match_length"] is not None:
        options["match_length"] = random.choice((1, 2, 3, 3, 5, 5, 7))
    return registry().rules(name, preset, options)


@dataclass
class Played:
    """A match that was played to its end, and the boards on which its games ended."""

    match: Match
    boards: list[Board] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)


def play(number: int) -> Played:
    """Plays the match with a number; no checker may get lost on its way."""
    random = Random(f"acts {number}")
    played = Played(Match.new(rules_of(number)))
    for _ in range(MOST_ACTS):
        before = played.match
        action = act_of(before, random)
        match = played.match = before.after(action)
        played.acts[action.kind] += 1
        conserved(match)
        if match.over or action.kind is Kind.NEXT_GAME:
            played.boards.append(board(before if action.kind is Kind.NEXT_GAME else match))
        if match.over:
            return played
    raise AssertionError(f"match {number} does not end")


def act_of(match: Match, random: Random) -> Action:
    """A legal act; now and then an illegal play where those stand, or the end of somebody's time."""
    options, game = match.rules.options, match.game
    if options["illegal_moves"] != "reject" and game.phase == "play" and random.random() < 0.05:
        if illegal := an_illegal_play(match, random):
            return illegal
    clock = options["clock"] != "none" and match.decision.seat is not None
    if clock and random.random() < 0.002:
        assert match.decision.seat is not None
        return Action.flag(match.decision.seat)
    return chosen(match, random)


def an_illegal_play(match: Match, random: Random) -> Action | None:
    for action in tries(match, random):
        if action.kind is Kind.PLAY:
            try:
                if match.after(action).game.correctable:
                    return action
            except (IllegalAction, NotationError):
                continue
    return None


def conserved(match: Match) -> None:
    position, checkers = match.game.position, match.rules.variant.checkers
    assert position.mover.checkers == checkers
    assert position.opponent.checkers == checkers


def board(match: Match) -> Board:
    """The running game's board as who stands beside the table sees it."""
    position: Position = match.game.position
    white = position if match.game.seat is Seat.WHITE else position.flipped()
    return seen(white.mover), seen(white.opponent)


def seen(side: Side) -> SideSeen:
    pinned = tuple(side.pinned)
    return SideSeen(dict(side.points), side.bar, side.off, pinned, side.unentered)


def check(number: int) -> Played:
    """Plays a match and proves its score: from its record alone, and by another scorer."""
    played = play(number)
    match = played.match
    record = Record.of(match)
    kept = json.loads(json.dumps([action.to_json() for action in record.actions]))
    again = Match.replay(record.rules(registry()), map(Action.from_json, kept))
    assert again.score == match.score
    assert again.winner is match.winner
    assert again.results == match.results
    assert again.game.position == match.game.position
    other = tally(record.variant, record.options, kept, played.boards)
    assert tuple(other.score.values()) == match.score
    assert other.winner == (None if match.winner is None else str(match.winner))
    assert other.games == [
        (None if result.winner is None else str(result.winner), result.points)
        for result in match.results
    ]
    return played


def play_all(numbers: Iterable[int]) -> Counter[str]:
    """What the matches with these numbers came to, counted."""
    counted: Counter[str] = Counter()
    for number in numbers:
        try:
            played = check(number)
        except Exception as error:
            error.add_note(f"match {number}: {tables()[number % len(tables())]}")
            raise
        counted["matches"] += 1
        counted["games"] += len(played.boards)
        counted.update({f"act {kind}": times for kind, times in played.acts.items()})
        counted.update(f"game {result.ending}" for result in played.match.results)
        if played.match.conceded:
            counted[f"match {played.match.conceded.ending}"] += 1
    return counted


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.engine.random_matches", description=__doc__)
    parser.add_argument("--n", type=int, default=1000, help="how many matches")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    given = parser.parse_args(arguments)
    began = time.perf_counter()
    counted = play_all(range(given.first, given.first + given.n))
    for name, times in sorted(counted.items()):
        print(f"{times:>10} {name}")
    print(
        f"{time.perf_counter() - began:>10.0f} seconds; every score came out the same three times"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
