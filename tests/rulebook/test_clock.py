"""Clocks and what running out of time costs; time is passed in."""

from __future__ import annotations

from bgcore import Action, Cube, Ending, Level, Match
from bgcore.clock import SECOND, Clock, TimeControl
from tests.engine.helpers import BLACK, WHITE, match, turn_passes
from tests.rulebook.helpers import from_cube, refused, rule


def started(game: Match, at: int = 0) -> Clock:
    control = TimeControl.of(game.rules.options)
    assert control is not None
    return Clock.start(control, game, at * SECOND)


def banks(clock: Clock) -> tuple[float, float]:
    white, black = clock.banks
    return white / SECOND, black / SECOND


def timed(game: Match, clock: Clock, at: int) -> tuple[Match, Clock]:
    """The turn of who is to roll, all of it made at one time."""
    after = turn_passes(game)
    rolled = game.after(Action.roll(game.game.seat, 2, 1))
    clock = clock.after(game, rolled, at * SECOND)
    return after, clock.after(rolled, after, at * SECOND)


@rule("S4-32")
def test_bronstein_gives_two_minutes_a_point_and_twelve_seconds_a_turn() -> None:
    game = from_cube("tournament-004", Cube(), match_length=7)
    clock = started(game)
    assert banks(clock) == (840, 840)
    game, clock = timed(game, clock, 30)  # 18 more than the delay
    assert banks(clock) == (822, 840)
    game, clock = timed(game, clock, 39)  # 9 seconds cost nothing
    assert banks(clock) == (822, 840)
    game, clock = timed(game, clock, 51)  # nor does the delay itself
    assert banks(clock) == (822, 840)


@rule("S4-32")
def test_fischer_adds_the_seconds_after_each_turn() -> None:
    game = from_cube("tournament-004", Cube(), match_length=3, clock="fischer")
    clock = started(game)
    assert banks(clock) == (360, 360)
    game, clock = timed(game, clock, 30)
    assert banks(clock) == (342, 360)
    game, clock = timed(game, clock, 35)
    assert banks(clock) == (342, 367)


@rule("S4-32")
def test_the_clock_of_who_must_decide_runs() -> None:
    game = from_cube("tournament-004", Cube())
    clock = started(game)
    assert clock.running is WHITE
    offered = game.after(Action.double(WHITE))
    clock = clock.after(game, offered, 10 * SECOND)
    assert clock.running is BLACK
    taken = offered.after(Action.take(BLACK))
    clock = clock.after(offered, taken, 42 * SECOND)  # 32 seconds, less a delay of its own
    assert clock.running is WHITE
    assert banks(clock) == (840, 820)
    tied = match("western", "tournament-004")
    assert started(tied).running is None  # opening throws are nobody's


@rule("S4-33")
def test_running_out_of_time_loses_the_match() -> None:
    game = from_cube("tournament-004", Cube(), (3, 0), match_length=7)
    clock = started(game)
    assert not clock.out(852 * SECOND)  # the bank and the delay to the last moment
    assert clock.out(853 * SECOND)
    assert refused(game, Action.flag(BLACK)) == ("CLOCK_NOT_RUNNING", "M10")
    lost = game.after(Action.flag(WHITE))
    assert (lost.winner, lost.score, lost.over) == (BLACK, (3, 0), True)
    assert lost.conceded is not None
    assert lost.conceded.ending is Ending.FLAGGED


@rule("S4-33")
def test_by_an_events_rule_it_loses_the_game() -> None:
    game = from_cube(
        "tournament-004", Cube(2, BLACK, turned=True), match_length=7, flag_loses="game"
    )
    lost = game.after(Action.flag(WHITE))
    assert (lost.score, lost.winner) == ((0, 2), None)
    assert (lost.results[0].level, lost.results[0].ending) == (Level.SINGLE, Ending.FLAGGED)
    assert lost.after(Action.next_game()).game.result is None


@rule("S4-33")
def test_without_a_clock_no_flag_falls() -> None:
    game = from_cube("money-004", Cube())
    assert TimeControl.of(game.rules.options) is None
    assert refused(game, Action.flag(WHITE)) == ("NO_CLOCK", "M10")
