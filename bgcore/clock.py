"""Clocks: how much thinking time is left (rules M10). Time is passed in; nothing here looks at one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bgcore.axes import ClockKind
from bgcore.match import Match
from bgcore.option import Values
from bgcore.outcome import Ending
from bgcore.phase import Phase
from bgcore.seat import Seat

SECOND = 1_000_000
"""All times are whole microseconds, as differences of them must be exact."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How time is counted: microseconds in each player's bank, and for each turn.

    `step` is the delay of a Bronstein clock, the increment of a Fischer clock, and with a limit per turn
    all there is.
    """

    kind: ClockKind
    bank: int
    step: int

    @classmethod
    def of(cls, options: Values) -> TimeControl | None:
        """The time control of a table's options; `None`: there is no clock.

        >>> TimeControl.of({"clock": "fischer", "bank_per_point": 120, "step": 12, "match_length": 7}).bank
        840000000
        """
        kind = ClockKind(str(options.get("clock", ClockKind.NONE)))
        if kind is ClockKind.NONE:
            return None
        fixed = _whole(options.get("bank_fixed"))
        product = (_whole(options.get("match_length")) or 0) * (
            _whole(options.get("bank_per_point")) or 0
        )
        bank = product if fixed is None else fixed
        return cls(kind, bank * SECOND, (_whole(options.get("step")) or 0) * SECOND)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


@dataclass(frozen=True, slots=True)
class Clock:
    """Both players' time. `running` is who must decide, since the time `since`; `None`: nobody's runs.

    What the player on turn has used since the turn changed is in `used`, and charged to his bank when it
    changes again. An answer to a double, an animal or a resignation is charged at once, with a delay of
    its own. Opening throws and the time between games are nobody's.

    >>> control = TimeControl(ClockKind.BRONSTEIN, bank=20 * SECOND, step=12 * SECOND)
    >>> clock = Clock(control, (20 * SECOND, 20 * SECOND), Seat.WHITE, since=0)
    >>> clock.left(at=33 * SECOND), clock.out(at=32 * SECOND)
    (-1000000, False)
    """

    control: TimeControl
    banks: tuple[int, int]
    running: Seat | None = None
    since: int = 0
    used: int = 0
    answering: bool = False

    @classmethod
    def start(cls, control: TimeControl, match: Match, time: int) -> Clock:
        """Both clocks full, at the beginning of a match."""
        return cls(control, (control.bank, control.bank))._watching(match, time)

    def left(self, at: int) -> int:
        """Microseconds that who must decide has at a time before it is over; below 0: it is over."""
        seat = self.running
        bank = 0 if seat is None else self.banks[seat]
        spent = (0 if self.answering else self.used) + at - self.since
        match self.control.kind:
            case ClockKind.BRONSTEIN:
                return bank + self.control.step - spent
            case ClockKind.FISCHER:
                return bank - spent
        return self.control.step - spent

    def out(self, at: int) -> bool:
        """Whether the time of who must decide is over at this time; to have used it up is in time."""
        return self.running is not None and self.left(at) < 0

    def after(self, before: Match, after: Match, time: int) -> Clock:
        """The clock when an action at `time` led from one state of the match to another."""
        seat = self.running
        clock = self._spent(time - self.since)
        if _turn(before) != _turn(after) and before.game.phase not in (Phase.THROW, Phase.OVER):
            clock = replace(clock._charged(before.game.seat, clock.used, turn=True), used=0)
        if seat is not None and _lost_on_time(after):
            clock = clock._with_a_turn(seat)
        return clock._watching(after, time)

    def taken_back(self, before: Match, after: Match, time: int) -> Clock:
        """The clock when at `time` an earlier state of the match, `after`, came back (T3).

        Time that was used stays used. Of a turn that had ended already, what it was given goes back, and
        its delay or limit begins anew.
        """
        clock = self._spent(time - self.since)
        if _turn(before) != _turn(after):
            clock = clock._charged(before.game.seat, clock.used, turn=False)
            clock = replace(clock, used=0)._without_a_turn(after.game.seat)
        return clock._watching(after, time)

    def stopped(self, time: int) -> Clock:
        """The clock when at `time` there was nothing to decide any more: the table is closed."""
        seat = self.running
        if seat is None:
            return self
        spent = min(time - self.since, max(0, self.left(self.since)))
        return replace(self._spent(spent), running=None, since=time, answering=False)

    def _spent(self, spent: int) -> Clock:
        """The same when who must decide has used so much more of his turn, or for his answer."""
        if self.running is None:
            return self
        if self.answering:
            return self._charged(self.running, spent, turn=False)
        return replace(self, used=self.used + spent)

    def _without_a_turn(self, seat: Seat) -> Clock:
        """The same without what a turn that is taken back gave."""
        if self.control.kind is not ClockKind.FISCHER:
            return self
        white, black = self.banks
        bank = max(0, self.banks[seat] - self.control.step)
        return replace(self, banks=(bank, black) if seat is Seat.WHITE else (white, bank))

    def _with_a_turn(self, seat: Seat) -> Clock:
        """The same with what a turn gives in the bank of who has lost a game on time.

        A Fischer clock gives it only after a turn: with nothing to begin one, every later game is lost.
        """
        if self.control.kind is not ClockKind.FISCHER:
            return self
        bank = max(self.banks[seat], self.control.step)
        other = self.banks[seat.other]
        return replace(self, banks=(bank, other) if seat is Seat.WHITE else (other, bank))

    def _charged(self, seat: Seat, spent: int, *, turn: bool) -> Clock:
        """Takes what was spent from a bank, and adds the increment of a turn.

        Who has lost a game on time owes nothing in the next: his bank is empty.
        """
        match self.control.kind:
            case ClockKind.BRONSTEIN:
                cost, gain = max(0, spent - self.control.step), 0
            case ClockKind.FISCHER:
                cost, gain = spent, self.control.step if turn else 0
            case _:
                cost, gain = 0, 0
        white, black = self.banks
        bank = max(0, self.banks[seat] - cost) + gain
        return replace(self, banks=(bank, black) if seat is Seat.WHITE else (white, bank))

    def _watching(self, match: Match, time: int) -> Clock:
        """The same with the time of who must decide now running."""
        game = match.game
        over = match.over or game.result is not None
        running = None if over else game.decider
        answering = game.offer is not None or game.phase is Phase.DOUBLED
        return replace(self, running=running, since=time, answering=answering)


def _lost_on_time(match: Match) -> bool:
    result = match.game.result
    return result is not None and result.ending is Ending.FLAGGED


def _turn(match: Match) -> tuple[object, ...]:
    """What is the same as long as one player's turn lasts."""
    game = match.game
    return len(match.results), game.phase is Phase.THROW, game.seat, sum(game.turns_done)
