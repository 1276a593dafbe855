"""What comes of a player's wish at a table of the model: events one after another, all at one time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bgcore import Action, Kind, Registry, SeededDice
from bgcore.seat import Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert.actions import action as action_of
from tests.server.model import messages
from tests.server.model.messages import action_message
from tests.server.model.named import Named, wanted
from tests.server.model.refused import NotForeseen, malformed, not_now
from tests.server.model.standing import (
    FINISHED,
    NUMBER_OF,
    PLAYING,
    REMATCH,
    UNDO,
    VOID,
    Standing,
    Terms,
    Wish,
    without_choice,
)

MOST_WITHOUT_CHOICE = 64
KINDS = {"undo": UNDO, "rematch": REMATCH, "void": VOID}


@dataclass(frozen=True)
class Happened:
    """The events of an answer, and the commitment of the match after the next, if it told one.

    `only_asked`: nothing was done, the server has only said that it could be.
    """

    events: Sequence[pb.Event] = ()
    next_commitment: str = ""
    only_asked: bool = False


class Course:
    """`happened` is what the server made of it: dice, and what else chance has a hand in.

    `None`: it refused.
    """

    def __init__(
        self,
        registry: Registry,
        at: Standing,
        time: int,
        dice: pb.DiceMode,
        seed: int,
        happened: Happened | None,
        request_id: str = "",
    ) -> None:
        self.at = at
        self.made: list[tuple[pb.Event, Standing]] = []
        self._registry = registry
        self._time = time
        self._mode = dice
        self._seed = seed
        self._happened = happened
        self._request_id = request_id

    def take_seat(self, seat: Seat, after: Standing, seed: str) -> None:
        player = pb.Player(name=after.seats[seat].name, verified=after.seats[seat].account != "")
        taken = pb.SeatTaken(player=player, dice_seed=seed)
        self._add(pb.Event(seat_taken=taken, seat=NUMBER_OF[seat]), after)
        self._without_choice()

    def act(self, seat: Seat, asked: pb.Action) -> None:
        """All that comes of an act; `IllegalAction` where the rules are against it, `Refused` else."""
        kind = asked.WhichOneof("kind")
        if kind == "answer_undo":
            self._answer(seat, accept=asked.answer_undo.accept)
        elif kind in KINDS:
            self._wish(seat, asked, KINDS[kind])
        else:
            self._do(action_of(asked, seat), seat, asked)
        self._without_choice()

    def run_out(self) -> None:
        """What happens when nobody does anything in time."""
        out, abandoned, decider = self.at.out_of_time, self.at.abandoned, self.at.decider
        late = out if out is not None and out < self._time else None
        left = abandoned if abandoned is not None and abandoned < self._time else None
        if left is not None and (late is None or left < late):
            self.close(pb.CLOSE_REASON_ABANDONED)
        elif late is not None and decider is not None:
            self._do(Action.flag(decider), None, pb.Action())

    def close(self, reason: pb.CloseReason, note: str = "") -> None:
        after = self.at.ended(reason, note, self._time)
        self._add(pb.Event(closed=after.closed), after)

    def leave(self, seat: Seat, after: Standing, *, kicked: bool) -> None:
        self._add(pb.Event(seat=NUMBER_OF[seat], seat_left=pb.SeatLeft(kicked=kicked)), after)

    def _add(self, event: pb.Event, after: Standing) -> None:
        event.revision, event.request_id = after.revision, self._request_id
        event.time.FromMicroseconds(after.updated)
        self.made.append((event, after))
        self.at = after

    # -- actions of the match -----------------------------------------------------------------------

    def _do(
        self, action: Action, actor: Seat | None, asked: pb.Action, *, automatic: bool = False
    ) -> None:
        while True:
            with_dice = self._with_dice(action)
            after = self.at.acted(with_dice, self._time, automatic=automatic)
            event = pb.Event(seat=NUMBER_OF[actor], automatic=automatic)
            event.action.CopyFrom(asked if asked.ByteSize() else action_message(with_dice))
            if action.kind is Kind.FLAG:
                event.action.flag.seat = NUMBER_OF[action.seat]
            for told in (event.action.throw, event.action.roll) if with_dice.dice else ():
                del told.dice[:]
            if with_dice.dice:
                getattr(event.action, action.kind.value).dice.extend(with_dice.dice)
            self._add(event, after)
            if action.kind is not Kind.THROW or with_dice.dice[0] != with_dice.dice[1]:
                return
            if self._mode == pb.DICE_MODE_MANUAL:
                return

    def _with_dice(self, action: Action) -> Action:
        if action.kind not in (Kind.THROW, Kind.ROLL):
            return action
        count = 2 if action.kind is Kind.THROW else self.at.match.rules.variant.dice
        if self._mode == pb.DICE_MODE_MANUAL:
            if not action.dice:
                raise not_now("DICE_MISSING", f"action.{action.kind.value}.dice")
            if len(action.dice) != count:
                raise malformed("DICE_COUNT", f"action.{action.kind.value}.dice")
            return action
        if action.dice:
            raise not_now("DICE_NOT_YOURS", f"action.{action.kind.value}.dice")
        # Whether it may be thrown at all is asked with dice that are surely some.
        self.at.match.after(replace(action, dice=(1, 2, 3)[:count]))
        if self._mode == pb.DICE_MODE_SEEDED:
            dice = SeededDice(self._seed, self.at.thrown).throw(count)
        elif self._only_asked:
            dice = (1, 2, 3)[:count]
        else:
            dice = tuple(getattr(self._told("dice").action, action.kind.value).dice)
            if len(dice) != count or not set(dice) <= set(range(1, 7)):
                raise NotForeseen(f"dice {dice}")
        return replace(action, dice=dice)

    @property
    def _only_asked(self) -> bool:
        return self._happened is not None and self._happened.only_asked

    def _told(self, what: str) -> pb.Event:
        """The event that the server made of what comes now."""
        if self._happened is None:
            raise NotForeseen("the server refused what the model would do")
        events = self._happened.events
        if len(self.made) >= len(events):
            raise NotForeseen(f"{what}: the server stopped after {len(events)} events")
        return events[len(self.made)]

    def _without_choice(self) -> None:
        if self._only_asked:
            return
        for _ in range(MOST_WITHOUT_CHOICE):
            if self.at.status != PLAYING or (action := without_choice(self.at.match)) is None:
                return
            if action.kind is not Kind.PLAY and self._mode == pb.DICE_MODE_MANUAL:
                return
            self._do(action, action.seat, pb.Action(), automatic=True)

    # -- wishes -------------------------------------------------------------------------------------

    def _answer(self, seat: Seat, *, accept: bool) -> None:
        if self.at.wish(UNDO, seat.other) is None:
            raise not_now("UNDO_NOT_ASKED", "action.answer_undo")
        event = pb.Event(seat=NUMBER_OF[seat])
        event.action.answer_undo.accept = accept
        self._add(
            event,
            self.at.undone(seat.other, self._time)
            if accept
            else self.at.not_undone(seat.other, self._time),
        )

    def _wish(self, seat: Seat, asked: pb.Action, kind: pb.ActionKind) -> None:
        self._check_possible(seat, kind)
        theirs, mine = self.at.wish(kind, seat.other), self.at.wish(kind, seat)
        rules = theirs.rules if theirs else None
        if asked.rematch.HasField("variant") or asked.rematch.HasField("rotation"):
            rules = wanted("action.rotation", asked.rematch, self._registry)
        if mine is not None and self._meant(mine.rules) == self._meant(rules):
            raise not_now("ALREADY_ASKED", f"action.{asked.WhichOneof('kind')}")
        self._ask(Wish(kind, seat, self.at.revision + 1, rules, asked.rematch.dice_seed))
        if not self.at.seats[seat.other].bot:
            if kind != UNDO:
                self._agree(kind, rules)
        elif kind == UNDO:
            self._answer(seat.other, accept=True)
        else:
            seed = self.at.seeds[seat.other] if kind == REMATCH else ""
            self._ask(Wish(kind, seat.other, self.at.revision + 1, rules, seed))
            self._agree(kind, rules)

    def _check_possible(self, seat: Seat, kind: pb.ActionKind) -> None:
        status = self.at.status
        if kind == REMATCH:
            if status != FINISHED:
                raise not_now("MATCH_NOT_OVER", "action.rematch")
        elif status != PLAYING:
            raise not_now("NO_MATCH_ON", "action.undo" if kind == UNDO else "action.void")
        elif kind == UNDO and not self.at.match.rules.options["undo"]:
            raise not_now("UNDO_OFF", "action.undo")
        elif kind == UNDO and self.at.last_deed(seat) is None:
            raise not_now("NOTHING_TO_UNDO", "action.undo")

    def _ask(self, wish: Wish) -> None:
        event = pb.Event(seat=NUMBER_OF[wish.seat])
        match wish.kind:
            case pb.ACTION_KIND_UNDO:
                event.action.undo.SetInParent()
            case pb.ACTION_KIND_VOID:
                event.action.void.SetInParent()
            case _:
                event.action.rematch.dice_seed = wish.seed
                event.action.rematch.SetInParent()
                if wish.rules is not None:
                    wish.rules.fill(event.action.rematch)
        self._add(event, self.at.wished(wish, self._time))

    def _meant(self, named: Named | None) -> object:
        """What rules by name come to: every option has a value."""
        return (named or self.at.terms.named).meant(self._registry)

    def _agree(self, kind: pb.ActionKind, last: Named | None) -> None:
        """Do what both want; of two names for the same rules the last one holds."""
        white, black = (self.at.wish(kind, seat) for seat in Seat)
        if white is None or black is None or self._meant(white.rules) != self._meant(black.rules):
            return
        if kind == VOID:
            self.close(pb.CLOSE_REASON_AGREED)
            return
        named = last or self.at.terms.named
        terms = Terms(
            named.games(self._registry),
            named,
            commitment=self.at.terms.next_commitment,
            next_commitment=self._happened.next_commitment if self._happened else "",
        )
        seeded = self._mode == pb.DICE_MODE_SEEDED
        after = self.at.started(terms, (white.seed, black.seed), self._time, seeded=seeded)
        self._add(pb.Event(match_started=messages.started(after)), after)
