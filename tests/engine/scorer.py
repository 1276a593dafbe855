"""Another way to the score of a match: from its record and the boards on which its games ended.

Written from the rules of cube and match (M1 to M9) and of results (C6), and from nothing else: it knows
no position but the last of each game, and imports nothing of bgcore. What a game is worth it has from the parameters
in the rule files (C10), `tests/data/rulebook/variants.jsonl`. What a record may not hold fails.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.rulebook.data import lines

Act = Mapping[str, Any]
"""An action as a record keeps it."""

SEATS = ("white", "black")
START = 24
WORDS = ("single", "gammon", "backgammon")

BEHIND: Mapping[str, Collection[int]] = {"contrary": range(19, 25), "parallel": range(13, 19)}
"""The winner's home in the loser's numbers, as the sides lie to each other (C1, C9)."""
BEHIND_AT_SAME: Mapping[str, Collection[int]] = {
    "russian-backgammon": range(19, 25),  # where checkers enter
    "tabula": (),  # only pieces on the bar or unentered count
}
"""Where both have the same home, the file of the game says where a loser is too far behind."""


@dataclass(frozen=True)
class Kind:
    """What the file of a game says of its results."""

    checkers: int
    values: tuple[int, int, int]  # of a single, a gammon, a backgammon
    behind: Collection[int]
    pins: bool
    mother_rule: bool
    mother_points: int
    scoring: str
    first_off_loses: bool


@cache
def kinds() -> Mapping[str, Kind]:
    """Every game by its id; what its line leaves out is as in C10."""
    found = {}
    for line in lines("variants"):
        name = line["id"].replace("_", "-")
        layout = line["layout"]
        found[name] = Kind(
            checkers=line.get("n", 15),
            values=(1, line.get("gammon_value", 2), line.get("backgammon_value", 2)),
            behind=BEHIND_AT_SAME[name] if layout == "same" else BEHIND[layout],
            pins=line["contact"] == "pin",
            mother_rule=line.get("mother_rule", False),
            mother_points=line.get("mother_points", 2),
            scoring=line.get("scoring", "levels"),
            first_off_loses=line.get("first_off_loses", False),
        )
    return found


@dataclass(frozen=True)
class SideSeen:
    """One side of a board in its own numbers, as somebody sees it."""

    points: Mapping[int, int]
    bar: int
    off: int
    pinned: tuple[int, ...]
    unentered: int = 0


Board = tuple[SideSeen, SideSeen]
"""White's side, then Black's."""


@dataclass
class Stake:
    """The cube of one game."""

    value: int = 1
    owner: str | None = None
    turned: bool = False
    ties: int = 0  # that have raised it
    doubler: str = ""
    raised: int = 0  # offers that wait


@dataclass
class Tally:
    """What a match has come to."""

    score: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    winner: str | None = None
    games: list[tuple[str | None, int]] = field(default_factory=list)
    crawford: str = "before"


def other(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


def tally(variant: str, options: Act, acts: Sequence[Act], boards: Sequence[Board]) -> Tally:
    """The score of a match from its record; `boards` are those on which its games ended."""
    found = Tally()
    length = options["match_length"]
    for game, board in zip(split(acts), boards, strict=True):
        assert found.winner is None, "a game after the match"
        begin(found, options, first=not found.games)
        scored = Scorer(variant, options, found, board)
        for act in game:
            scored.read(act)
        result = scored.result()
        assert result or scored.conceded, "the game has not ended"
        if result:
            winner, points = result
            found.games.append(result)
            if winner:
                found.score[winner] += points
                if length is not None and found.score[winner] >= length:
                    found.winner = winner
        if scored.conceded:
            assert found.winner is None
            found.winner = other(scored.conceded)
    return found


def split(acts: Sequence[Act]) -> list[list[Act]]:
    """The acts game by game."""
    games: list[list[Act]] = [[]]
    for act in acts:
        if act["kind"] == "next_game":
            games.append([])
        else:
            games[-1].append(act)
    return games


def begin(found: Tally, options: Act, *, first: bool) -> None:
    """Whether the game that begins is the Crawford game (M7)."""
    length = options["match_length"]
    if found.crawford == "now":
        found.crawford = "after"
    elif (
        found.crawford == "before"
        and options.get("cube")
        and options.get("crawford")
        and length
        and length > 1
    ):
        if length - 1 in found.score.values():
            found.crawford = "now"


class Scorer:
    """One game of a match, act by act."""

    def __init__(self, variant: str, options: Act, match: Tally, board: Board) -> None:
        self.kind, self.options, self.match = kinds()[variant], options, match
        self.board = dict(zip(SEATS, board, strict=True))
        self.stake = Stake()
        self.offer: Act | None = None
        self.given_up: Act | None = None  # a resignation that was accepted
        self.dropped: tuple[str, int] | None = None
        self.flagged: str | None = None
        self.conceded: str | None = None  # who has lost the whole match

    @property
    def doubling(self) -> bool:
        """Whether a cube is in play (M1)."""
        options = self.options
        enabled = options.get("cube", False) and options["match_length"] != 1
        return bool(enabled) and self.match.crawford != "now"

    def read(self, act: Act) -> None:
        ended = self.dropped or self.given_up or self.flagged
        assert not ended or act["kind"] in ("end_session", "resign_match"), "acts after the end"
        getattr(self, "_" + act["kind"])(act)

    def _on_the_board(self, act: Act) -> None:
        assert not self.stake.raised
        assert not self.offer

    _roll = _play = _correct = _name_double = _on_the_board

    def _end_session(self, act: Act) -> None:
        assert self.options["match_length"] is None

    def _throw(self, act: Act) -> None:
        first, second = act["dice"]
        limit = self.options.get("auto_doubles", 0)
        if first != second or not self.doubling:
            return
        if limit is not None and self.stake.ties >= limit:
            return
        triples = first == 6 and self.options["auto_double_66"] == "triple"
        value = self.stake.value * (3 if triples else 2)
        if not self._above_cap(value):
            self.stake.value, self.stake.ties = value, self.stake.ties + 1

    def _above_cap(self, value: int) -> bool:
        cap = self.options["cube_cap"]
        return cap is not None and value > cap

    def _double(self, act: Act) -> None:
        seat, stake = act["seat"], self.stake
        assert self.doubling
        assert stake.owner in (None, seat)
        assert not stake.raised
        assert not self.offer
        self._worth_it(seat, stake.value)
        stake.doubler, stake.raised = seat, 1

    def _worth_it(self, seat: str, stake: int) -> None:
        assert not self._above_cap(2 * stake)
        length = self.options["match_length"]
        if self.options["dead_cube_rule"] and length is not None:
            assert self.match.score[seat] + stake < length

    def _animal(self, act: Act) -> None:
        seat, stake = act["seat"], self.stake
        depth = self.options["animals"]
        assert stake.raised
        assert depth is None or stake.raised <= depth
        assert seat == self._answerer
        self._worth_it(seat, stake.value * 2**stake.raised)
        stake.raised += 1

    @property
    def _answerer(self) -> str:
        """The doubled player answers a double, an otter …; the doubler a beaver, a monkey …"""
        doubler = self.stake.doubler
        return other(doubler) if self.stake.raised % 2 else doubler

    def _take(self, act: Act) -> None:
        stake = self.stake
        assert stake.raised
        assert act["seat"] == self._answerer
        stake.value *= 2**stake.raised
        stake.owner, stake.turned, stake.raised = other(stake.doubler), True, 0

    def _drop(self, act: Act) -> None:
        stake = self.stake
        assert act["seat"] == self._answerer
        assert stake.raised == 1 or (stake.raised > 1 and self.options["animals_refusable"])
        before = stake.value * 2 ** (stake.raised - 1)
        cost = 1 if self.options["decline_cost"] == "always_one" else before
        self.dropped = other(act["seat"]), cost

    def _resign(self, act: Act) -> None:
        assert not self.offer
        assert not self.stake.raised
        self.offer = act

    def _answer_resignation(self, act: Act) -> None:
        assert self.offer
        assert act["seat"] == other(self.offer["seat"])
        if act["accept"]:
            self.given_up = self.offer
            if self.options["resign_auto_accept"]:
                assert self._offered(self.offer) < self._most(self.offer["seat"])
        self.offer = None

    def _resign_match(self, act: Act) -> None:
        assert self.options["match_length"] is not None
        self.conceded = act["seat"]

    def _flag(self, act: Act) -> None:
        assert self.options["clock"] != "none"
        if self.options["flag_loses"] == "match":
            self.conceded = act["seat"]
        else:
            self.flagged = act["seat"]

    # -- what it came to -----------------------------------------------------------------------------

    def result(self) -> tuple[str | None, int] | None:
        """Who has won, and how many points; `None`: the game has not ended."""
        if self.dropped:
            return self.dropped
        if self.flagged:
            return other(self.flagged), self.stake.value
        if self.offer and self._accepted_by_itself(self.offer):
            self.given_up = self.offer
        if self.given_up:
            loser = self.given_up["seat"]
            if not self._counts_checkers:
                assert self.given_up["level"] == "single" or not self.board[loser].off
            points = self._offered(self.given_up)
            assert points <= self._most(loser)
            return other(loser), points * self.stake.value
        return self._by_board()

    @property
    def _counts_checkers(self) -> bool:
        """Whether the winner gets a point for each checker that the loser has not borne off."""
        scoring: str = self.options.get("scoring", self.kind.scoring)
        return scoring == "checkers_left"

    def _left(self, loser: str) -> int:
        return self.kind.checkers - self.board[loser].off

    def _offered(self, offer: Act) -> int:
        """What a resignation offers, before the cube."""
        if self._counts_checkers:
            points: int = offer["points"]
            return points
        return self._level_value(offer["level"])

    def _accepted_by_itself(self, offer: Act) -> bool:
        most = self._offered(offer) == self._most(offer["seat"])
        return most and bool(self.options["resign_auto_accept"])

    def _by_board(self) -> tuple[str | None, int] | None:
        done = [seat for seat in SEATS if not self._left(seat)]
        if len(done) == 2:  # the second in the last roll that was left to him
            assert self.options["last_roll_equalizer"]
            return None, 0
        for seat in done:
            winner = other(seat) if self.kind.first_off_loses else seat
            return winner, self._worth(other(winner)) * self.stake.value
        if not self.kind.pins:
            return None
        caught = [seat for seat in SEATS if START in self.board[seat].pinned]
        if len(caught) == 2:
            return None, 0
        for loser in caught:
            if self._mother_rule and START not in self.board[other(loser)].points:
                points = self._mother_points
                return other(loser), points * self.stake.value
        return None

    @property
    def _mother_rule(self) -> bool:
        return bool(self.options.get("mother_rule", self.kind.mother_rule))

    @property
    def _mother_points(self) -> int:
        return self._counted(self.options.get("mother_points", self.kind.mother_points))

    def _worth(self, loser: str) -> int:
        if self._counts_checkers:
            return self._left(loser)
        return self._level_value(WORDS[self._level(loser)])

    def _level(self, loser: str) -> int:
        side = self.board[loser]
        if side.off:
            return 0
        behind = any(point in self.kind.behind for point in side.points)
        return 2 if side.bar or side.unentered or behind else 1

    def _level_value(self, level: str) -> int:
        values = list(self.kind.values)
        values[1] = self.options.get("gammon_value", values[1])
        values[2] = self.options.get("backgammon_value", values[2])
        return self._counted(values[WORDS.index(level)])

    def _counted(self, points: int) -> int:
        """Jacoby makes a single of everything while nobody has turned the cube (M5)."""
        options, stake = self.options, self.stake
        if not (options.get("jacoby") and options.get("cube")):
            return points
        by_ties = options["auto_double_satisfies_jacoby"] and stake.ties > 0
        return points if stake.turned or by_ties else min(points, 1)

    def _most(self, loser: str) -> int:
        """The most that can still be lost (M9)."""
        side = self.board[loser]
        if self._counts_checkers:
            return self._left(loser)
        levels = WORDS[:1] if side.off else WORDS
        worth = [self._level_value(level) for level in levels]
        if self._mother_rule and (START in side.points or START in side.pinned):
            worth.append(self._mother_points)
        return max(worth)
