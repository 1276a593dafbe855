"""Clocks: what is left, what a turn costs, what running out costs (M10). Time is passed in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bgcore import Action, Ending, Level, Match, Seat
from bgcore.axes import ClockKind
from bgcore.clock import SECOND, Clock, TimeControl
from tests.engine.helpers import BLACK, WHITE, at_roll, match
from tests.engine.refusal import clash, refused


@dataclass(frozen=True)
class Timed:
    """A match and its clock; `at` does something at a time in seconds."""

    match: Match
    clock: Clock

    @classmethod
    def start(cls, kind: str, length: int | None = 7, **options: object) -> Timed:
        """White is on turn at second 0; Black has opened."""
        at = at_roll(match("western", "", clock=kind, match_length=length, **options))
        control = TimeControl.of(at.rules.options)
        assert control is not None
        return cls(at, Clock.start(control, at, 0))

    def at(self, second: float, *actions: Action) -> Timed:
        time = round(second * SECOND)
        timed = self
        for action in actions:
            after = timed.match.after(action)
            timed = Timed(after, timed.clock.after(timed.match, after, time))
        return timed

    def turn(self, second: float) -> Timed:
        """Who is on turn rolls and plays at once, at this second."""
        seat = self.match.game.seat
        rolled = self.at(second, Action.roll(seat, 2, 1))
        return rolled.at(second, Action.play(seat, rolled.match.game.plays[0]))

    @property
    def banks(self) -> tuple[float, float]:
        white, black = self.clock.banks
        return white / SECOND, black / SECOND

    def left(self, second: float) -> float:
        return self.clock.left(round(second * SECOND)) / SECOND

    def out(self, second: float) -> bool:
        return self.clock.out(round(second * SECOND))


# -- banks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["bronstein", "fischer"])
@pytest.mark.parametrize(
    ("length", "options", "bank"),
    [
        (7, {}, 840),
        (1, {}, 120),
        (7, {"bank_per_point": 60}, 420),
        (7, {"bank_fixed": 300}, 300),
        (None, {"bank_fixed": 300}, 300),
        (7, {"bank_fixed": 0}, 0),
    ],
)
def test_a_bank_is_the_length_times_its_seconds_or_fixed(
    kind: str, length: int | None, options: dict[str, object], bank: int
) -> None:
    assert Timed.start(kind, length, **options).banks == (bank, bank)


@pytest.mark.parametrize("kind", ["bronstein", "fischer"])
def test_a_money_session_needs_a_fixed_bank(kind: str) -> None:
    assert clash(clock=kind, match_length=None) == {"bank_fixed M10"}
    assert clash(clock="per_turn", match_length=None, flag_loses="match") == {"flag_loses M10"}
    assert Timed.start("per_turn", None).left(0) == 12


def test_without_a_clock_nobodys_time_is_counted() -> None:
    assert TimeControl.of(match().rules.options) is None
    assert refused(at_roll(match()), Action.flag(WHITE)) == "NO_CLOCK M10"


def test_the_clock_of_the_tournament_preset_is_the_rulebooks() -> None:
    control = TimeControl.of(match("western", "tournament-004", match_length=7).rules.options)
    assert control == TimeControl(ClockKind.BRONSTEIN, 840 * SECOND, 12 * SECOND)


# -- what a turn costs -------------------------------------------------------------------------------


@pytest.mark.parametrize(("used", "cost"), [(30, 18), (12, 0), (9, 0), (12.5, 0.5), (852, 840)])
def test_a_bronstein_turn_costs_what_it_took_beyond_the_delay(used: float, cost: float) -> None:
    assert Timed.start("bronstein").turn(used).banks == (840 - cost, 840)


@pytest.mark.parametrize(("used", "bank"), [(0, 852), (30, 822), (12, 840), (840, 12)])
def test_a_fischer_turn_costs_what_it_took_and_then_gains_the_increment(
    used: float, bank: float
) -> None:
    assert Timed.start("fischer").turn(used).banks == (bank, 840)


def test_a_limit_per_turn_keeps_no_bank() -> None:
    timed = Timed.start("per_turn", step=20)
    banks = timed.banks
    for second in (15, 30, 50):
        assert timed.left(second - 1) >= 0
        timed = timed.turn(second)
        assert timed.left(second) == 20
        assert timed.banks == banks


def test_banks_are_each_players_own_and_carry_over() -> None:
    timed = Timed.start("bronstein").turn(30).turn(50).turn(90)
    assert timed.banks == (840 - 18 - 28, 840 - 8)


def test_the_decisions_of_a_turn_are_added_up_and_share_one_delay() -> None:
    timed = Timed.start("bronstein").at(10, Action.roll(WHITE, 3, 1))
    assert (timed.banks, timed.left(10)) == ((840, 840), 842)
    assert timed.at(20, Action.play(WHITE, "8/5 6/5")).banks == (832, 840)


# -- when it is over ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "last"),
    [("bronstein", 32), ("fischer", 20), ("per_turn", 12)],
)
def test_exactly_nothing_left_is_in_time(kind: str, last: int) -> None:
    timed = Timed.start(kind, bank_fixed=20)
    assert timed.left(last) == 0
    assert not timed.out(last)
    assert timed.out(last + 0.000001)
    assert timed.clock.left(last * SECOND + 1) == -1
    assert timed.turn(last).banks[WHITE] >= 0


def test_a_turn_of_33_seconds_is_too_long_for_20_and_a_delay_of_12() -> None:  # CUB-20
    assert Timed.start("bronstein", bank_fixed=20).left(33) == -1


# -- whose time runs ---------------------------------------------------------------------------------


def test_opening_throws_are_not_timed() -> None:
    opening = match(clock="bronstein")
    control = TimeControl.of(opening.rules.options)
    assert control is not None
    timed = Timed(opening, Clock.start(control, opening, 0))
    assert timed.clock.running is None
    assert not timed.out(10_000)
    tied = timed.at(5_000, Action.throw(3, 3))
    assert (tied.clock.running, tied.banks) == (None, (840, 840))
    thrown = tied.at(10_000, Action.throw(3, 1))
    assert (thrown.clock.running, thrown.left(10_000)) == (WHITE, 852)
    assert thrown.banks == (840, 840)


def test_the_clock_of_who_must_decide_runs() -> None:
    timed = Timed.start("bronstein")
    assert timed.clock.running is WHITE
    doubled = timed.at(5, Action.double(WHITE))
    assert doubled.clock.running is BLACK
    taken = doubled.at(9, Action.take(BLACK))
    assert taken.clock.running is WHITE
    rolled = taken.at(10, Action.roll(WHITE, 3, 1))
    assert rolled.clock.running is WHITE
    resigning = rolled.at(11, Action.resign(WHITE, Level.SINGLE))
    assert resigning.clock.running is BLACK
    declined = resigning.at(12, Action.answer_resignation(BLACK, accept=False))
    assert declined.clock.running is WHITE
    assert declined.at(13, Action.play(WHITE, "8/5 6/5")).clock.running is BLACK


def test_the_answers_to_animals_run_on_the_clock_of_who_is_asked() -> None:
    timed = Timed.start("bronstein", None, bank_fixed=60, animals=2).at(0, Action.double(WHITE))
    beavered = timed.at(20, Action.animal(BLACK))
    assert (beavered.clock.running, beavered.banks) == (WHITE, (60, 52))
    raccooned = beavered.at(45, Action.animal(WHITE))
    assert (raccooned.clock.running, raccooned.banks) == (BLACK, (47, 52))


@pytest.mark.parametrize(
    ("kind", "answered"), [("bronstein", 840 - 8), ("fischer", 840 - 20), ("per_turn", 840)]
)
def test_an_answer_has_a_delay_of_its_own_and_gains_no_increment(kind: str, answered: int) -> None:
    offers = (
        (Action.double(WHITE), Action.take(BLACK)),
        (Action.resign(WHITE, Level.SINGLE), Action.answer_resignation(BLACK, accept=False)),
    )
    for offer, answer in offers:
        timed = Timed.start(kind).at(10, offer)
        assert timed.left(10) == {"bronstein": 852, "fischer": 840, "per_turn": 12}[kind]
        assert timed.at(30, answer).banks == (840, answered)


def test_what_was_used_before_an_offer_is_not_forgotten_when_it_is_answered() -> None:
    timed = Timed.start("bronstein").at(10, Action.double(WHITE)).at(300, Action.take(BLACK))
    assert timed.left(300) == 842
    assert timed.turn(310).banks == (840 - 8, 840 - 278)


def test_an_answer_does_not_shorten_the_turn_that_follows_it() -> None:
    asked = Timed.start("per_turn").at(10, Action.double(WHITE)).at(20, Action.take(BLACK))
    assert asked.left(20) == 2
    assert asked.turn(22).left(22) == 12


def test_a_resignation_out_of_turn_stops_the_clock_of_who_was_thinking_for_his_answer() -> None:
    timed = Timed.start("bronstein").at(10, Action.resign(BLACK, Level.SINGLE))
    assert (timed.clock.running, timed.left(10)) == (WHITE, 852)
    declined = timed.at(20, Action.answer_resignation(WHITE, accept=False))
    assert declined.left(20) == 842


def test_nobodys_time_runs_between_two_games_and_the_banks_go_on() -> None:
    timed = Timed.start("bronstein").turn(30)
    over = timed.at(30, Action.resign(BLACK, Level.BACKGAMMON))
    assert (over.clock.running, over.out(100_000)) == (None, False)
    second = over.at(5_000, Action.next_game()).at(6_000, Action.throw(3, 1))
    assert (second.clock.running, second.left(6_000)) == (WHITE, 840 - 18 + 12)


def test_the_last_turn_of_a_game_is_charged() -> None:
    timed = Timed.start("bronstein")
    assert timed.at(50, Action.resign(WHITE, Level.BACKGAMMON)).banks == (840 - 38, 840)


# -- what it costs -----------------------------------------------------------------------------------


def test_running_out_of_time_loses_the_match() -> None:
    timed = Timed.start("bronstein", bank_fixed=20)
    assert refused(timed.match, Action.flag(BLACK)) == "CLOCK_NOT_RUNNING M10"
    over = timed.at(33, Action.flag(WHITE))
    assert (over.match.over, over.match.winner) == (True, BLACK)
    assert over.match.score == (0, 0)
    assert over.match.conceded
    assert over.match.conceded.ending is Ending.FLAGGED


@pytest.mark.parametrize("stake", [1, 2])
def test_running_out_of_time_may_lose_the_game_alone_as_a_single_at_the_stake(stake: int) -> None:
    timed = Timed.start("bronstein", bank_fixed=20, flag_loses="game")
    if stake == 2:
        timed = timed.at(0, Action.double(WHITE), Action.take(BLACK))
    over = timed.at(33, Action.flag(WHITE))
    assert over.match.score == (0, stake)
    [result] = over.match.results
    assert (result.winner, result.level) == (BLACK, Level.SINGLE)
    assert result.ending is Ending.FLAGGED
    assert not over.match.over


def test_a_double_that_waits_is_not_in_the_stake_of_who_runs_out_of_time_over_it() -> None:
    timed = Timed.start("bronstein", bank_fixed=20, flag_loses="game")
    over = timed.at(0, Action.double(WHITE)).at(40, Action.flag(BLACK))
    assert over.match.score == (1, 0)


def test_it_is_always_the_game_in_a_money_session() -> None:
    over = Timed.start("bronstein", None, bank_fixed=20).at(40, Action.flag(WHITE))
    assert (over.match.score, over.match.over) == ((0, 1), False)


@pytest.mark.parametrize(("kind", "left"), [("bronstein", 12), ("fischer", 12), ("per_turn", 12)])
def test_who_has_lost_a_game_on_time_owes_nothing_in_the_next(kind: str, left: int) -> None:
    over = Timed.start(kind, bank_fixed=20, flag_loses="game").at(60, Action.flag(WHITE))
    second = over.at(70, Action.next_game()).at(80, Action.throw(3, 1))
    assert (second.clock.running, second.left(80)) == (WHITE, left)


def test_also_who_lost_it_over_the_answer_to_a_double_has_a_fischer_turn_to_begin_with() -> None:
    doubled = Timed.start("fischer", bank_fixed=20, flag_loses="game").at(0, Action.double(WHITE))
    second = (
        doubled.at(60, Action.flag(BLACK)).at(70, Action.next_game()).at(80, Action.throw(1, 3))
    )
    assert (second.clock.running, second.left(80)) == (BLACK, 12)


def test_only_the_time_of_who_must_decide_runs_out() -> None:
    thrown = match(clock="fischer")
    for seat in Seat:
        assert refused(thrown, Action.flag(seat)) == "CLOCK_NOT_RUNNING M10"
    doubled = at_roll(thrown).after(Action.double(WHITE))
    assert refused(doubled, Action.flag(WHITE)) == "CLOCK_NOT_RUNNING M10"
    assert doubled.after(Action.flag(BLACK)).winner is WHITE


def test_a_flag_is_never_among_what_a_player_may_do() -> None:
    timed = Timed.start("bronstein")
    kinds = (*timed.match.decision.kinds, *timed.match.decision.other_kinds)
    assert "flag" not in {str(kind) for kind in kinds}


def test_times_are_exact() -> None:
    timed = Timed.start("fischer", bank_fixed=1, step=0)
    clock = timed.clock
    for moment in range(1, 1000):
        clock = replace(clock, banks=clock.banks)
        assert clock.left(moment) == SECOND - moment
