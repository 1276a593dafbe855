"""What comes of something that a player wants: the entries of the log, each with the state after it.

Nothing is done here. What speaks against it raises; what follows of itself comes with it: the bot's answer,
the end of a table that both want to void, the next match, and what the server does for a player (T1).
"""

from __future__ import annotations

from dataclasses import replace

from bgcore import Action, Kind, Seat
from bgcore.automatic import automatic
from bgcore.errors import Fault
from bgcore_server.convert.clock import spoken
from bgcore_server.entries import (
    Acted,
    Answered,
    Asked,
    Closed,
    Entry,
    SeatTaken,
    Started,
    Why,
    Wish,
)
from bgcore_server.errors import NotNow, TimeOver
from bgcore_server.store import Status
from bgcore_server.tables.dice import WITH_DICE, thrown
from bgcore_server.tables.house import House
from bgcore_server.tables.state import State

Want = Action | Asked | Answered | SeatTaken
Made = list[tuple[Entry, State]]

MOST_AUTOMATIC = 64
"""Where both sides can only pass there is no end to it; after so many somebody has to act."""


class Course:
    """Entries one after another, from a state on, all at one time."""

    def __init__(self, state: State, time: int, house: House) -> None:
        self.state = state
        self.made: Made = []
        self._time = time
        self._house = house

    def want(self, want: Want) -> Made:
        """All that a player's wish amounts to."""
        match want:
            case Action():
                self._act(want)
            case SeatTaken():
                self._add(want)
            case Answered():
                self._check_asked(want)
                self._add(want)
            case Asked():
                self._ask(want)
        self._automatic()
        return self.made

    def overdue(self) -> Made:
        """What happens because nobody did anything in time; nothing if there is time left."""
        left, decider = self.state.left(self._time), self.state.decider
        first, abandoned = self._time, self.state.abandoned
        if left is not None and left < 0 and decider is not None:
            first += left  # when his time was over
        # Of two that are due, the one that was due first: it must not matter when somebody looks.
        if abandoned is not None and abandoned < first:
            self.close(Why.ABANDONED)
        elif first < self._time and decider is not None:
            self._act(Action.flag(decider))
        return self.made

    def close(self, why: Why, note: str = "") -> Made:
        """The end of the table."""
        self._add(Closed(why, void=not self.state.match.over, note=note))
        return self.made

    def _add(self, entry: Entry) -> None:
        self.state = self.state.then(entry, self._time, self._house.rules_of)
        self.made.append((entry, self.state))

    def _act(self, action: Action, *, by_itself: bool = False) -> None:
        before = self.state
        for done, match in thrown(before.match, action, before.dice):
            self.state = self.state.acted(done, match, self._time, automatic=by_itself)
            self.made.append((Acted(done, by_itself), self.state))

    def _automatic(self) -> None:
        """What the options of the table want done without asking."""
        for _ in range(MOST_AUTOMATIC):
            state = self.state
            if state.status is not Status.PLAYING or (action := automatic(state.match)) is None:
                return
            if action.kind in WITH_DICE and state.dice is None:
                return  # the players throw here
            self._act(action, by_itself=True)

    # -- wishes that need the other's consent -------------------------------------------------------

    def _ask(self, asked: Asked) -> None:
        self._check_possible(asked)
        asked = self._same_rules(asked)
        self._check_new(asked)
        self._add(asked)
        other = asked.seat.other
        if self.state.seats[other].bot:
            if asked.wish is Wish.UNDO:
                self._add(Answered(other, accept=True))
                return
            self._add(self._house.agreeing(self.state, asked))
        if asked.wish is not Wish.UNDO:
            self._agree(asked)

    def _same_rules(self, asked: Asked) -> Asked:
        """Who names no rules for the next match wants those that the other has named."""
        if asked.rules is not None:
            return replace(asked, rules=self._house.named(asked.rules))
        theirs = self.state.asked(asked.wish, asked.seat.other)
        return asked if theirs is None else replace(asked, rules=theirs.asked.rules)

    def _agree(self, asked: Asked) -> None:
        """Do what both have asked for by now."""
        white, black = (self.state.asked(asked.wish, seat) for seat in Seat)
        if white is None or black is None or not self._same(white.asked, black.asked):
            return
        if asked.wish is Wish.VOID:
            self.close(Why.AGREED)
            return
        both = (white.asked, black.asked)
        self._add(Started(self._house.next_match(self.state, asked.rules, both)))

    def _check_new(self, asked: Asked) -> None:
        """`NotNow` for what the same player waits for already."""
        wish, before = asked.wish, self.state.asked(asked.wish, asked.seat)
        if before is not None and self._same(before.asked, asked):
            raise refused("ALREADY_ASKED", wish, "asked for already", "an answer", WISH_RULES[wish])

    def _same(self, one: Asked, other: Asked) -> bool:
        """Whether two wishes are for the same rules, in whatever words."""
        state, house = self.state, self._house
        return house.meant(state, one.rules) == house.meant(state, other.rules)

    def _check_possible(self, asked: Asked) -> None:
        """`NotNow` for what cannot be asked for as the table stands."""
        state, seat, wish = self.state, asked.seat, asked.wish
        if wish is Wish.REMATCH:
            if state.status is not Status.FINISHED:
                found = f"at a table that is {state.status.name.lower()}"
                raise refused("MATCH_NOT_OVER", wish, found, "a match that is over", "T4")
            if state.settings.server_seed and not state.settings.next_seed:
                found, expected = "with dice that nobody is committed to", "another table"
                raise refused("NEXT_DICE_NOT_COMMITTED", wish, found, expected, "T4")
        elif state.status is not Status.PLAYING:
            found = f"at a table that is {state.status.name.lower()}"
            raise refused("NO_MATCH_ON", wish, found, "a match that is on", WISH_RULES[wish])
        elif wish is Wish.UNDO and not state.undoable(seat):
            if not state.match.rules.options.get("undo"):
                raise refused("UNDO_OFF", wish, "with the option off", "undo = true", "T3")
            expected = "an action of one's own with no dice thrown since"
            raise refused("NOTHING_TO_UNDO", wish, "with nothing to take back", expected, "T3")

    def _check_asked(self, answered: Answered) -> None:
        """`NotNow` for an answer that nobody waits for."""
        if self.state.asked(Wish.UNDO, answered.seat.other) is None:
            what, expected = "with nothing asked", f"{answered.seat.other} to ask first"
            raise refused("UNDO_NOT_ASKED", "answer_undo", what, expected, "T3")


WISH_RULES = {Wish.UNDO: "T3", Wish.REMATCH: "T4", Wish.VOID: "T5"}


def refused(reason: str, kind: str, found: str, expected: str, rule: str) -> NotNow:
    """The error of a wish that cannot be had now."""
    what = f"{kind}: {found}, expected {expected}"
    return NotNow(Fault(reason, "action", kind, expected, what, rule=rule))


def name_of(want: Want) -> str:
    """What a wish is called."""
    match want:
        case Action():
            return want.kind.value
        case Asked():
            return want.wish.value
    return str(want.to_json()["kind"])


def check_time(state: State, want: Want, when: int) -> None:
    """`TimeOver` when the time of who must decide is over; `NotNow` when a player says so too early (M10)."""
    left = state.left(when)
    if left is None or (seat := state.decider) is None:
        return
    name = name_of(want)
    claimed = isinstance(want, Action) and want.kind is Kind.FLAG and want.seat is seat
    if left < 0 and not claimed:
        what = f"{name}: {seat}'s time was over {spoken(left)} ago"
        expected = "an act before the deadline"
        raise TimeOver(Fault("TIME_OVER", "action", name, expected, what, rule="M10"))
    if left >= 0 and claimed:
        what = f"flag: {seat} has {spoken(left)} left"
        expected = "a claim after the deadline"
        raise NotNow(Fault("NOT_OUT_OF_TIME", "action", spoken(left), expected, what, rule="M10"))


def check_open(state: State, id: str, want: Want) -> None:
    """`NotNow` at a table that is closed, or where a seat is free."""
    if state.closed:
        what = f"{name_of(want)}: table {id} is closed"
        raise NotNow(Fault("TABLE_CLOSED", "table", id, "a table that is open", what))
    if state.status is Status.WAITING:
        name = name_of(want)
        free = " and ".join(str(Seat(seat.number)) for seat in state.seats if not seat.taken)
        what = f"{name}: expected both seats to be taken first; free: {free}"
        raise NotNow(Fault("WAITING_FOR_PLAYERS", "table", id, "both seats taken", what))
