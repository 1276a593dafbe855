"""The behaviour of a variant under resolved options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from bgcore import kernel
from bgcore.axes import Scoring
from bgcore.crossing import guard
from bgcore.errors import Fault, IllegalPosition, NotationError
from bgcore.gates import EVERYWHERE, OPEN, Gates
from bgcore.head import context_of, ordinary_context
from bgcore.judge import why_not
from bgcore.kernel.record import pack
from bgcore.node_search import searched
from bgcore.option import Values, spelt
from bgcore.outcome import Ending, Level, Outcome
from bgcore.parts import after_part, named_parts, parts_of
from bgcore.play import Plays, Step
from bgcore.position import BOTH_SIDES, HOME, OFF, POINTS, SIDE, Position, Side, pack_side
from bgcore.proof import faults_of, opponents_point
from bgcore.reason import Reason
from bgcore.refusal import OwnReason, Refusal
from bgcore.resolve import defaults_of
from bgcore.roll import Roll
from bgcore.seat import Player
from bgcore.setup import Setup, SideSetup
from bgcore.spec import Spec
from bgcore.turn import ORDINARY_TURN, Next, Numbers, Part, Played, Turn
from bgcore.variant import Variant

__all__ = ["EVERYWHERE", "Rules"]

MAY_NOT_LEAVE = OwnReason(
    "MAY_NOT_LEAVE", "no checker may leave {origin} now", "a checker from elsewhere", "R2"
)
CLOSED = OwnReason("CLOSED", "no checker may come to {target} now", "another point", "R2")
NOT_KEPT = OwnReason("NOT_KEPT", "a rule of this game forbids it", "a play that is listed", "R7")
REASONS: Mapping[str, str] = {
    "may_leave": "step_reason",
    "closed": "closed_reason",
    "keep": "play_reason",
}
"""Where a method refuses something, the reason that is told."""
SHARED = "_shared"
"""What the registry notes in rules that it makes: from then on nobody changes them."""
ENGINES = frozenset({SHARED, "_numbers", "_ordinary", "_chooses"})
"""What the engine keeps in rules for itself."""
NEVER_CHANGED = "all games share their rules: expected nothing of them to change once they are made"
RUNNING, MOVER_OFF, OPPONENT_OFF, DRAWN, MOVER_MOTHER, OPPONENT_MOTHER = range(6)


class Rules:
    """What is legal, and how games end. Made by the registry, shared, never changed.

    Without `options` each has its default. `ValueError` when the variant's data says something that no record
    holds.
    A variant that is more than data overrides `may_leave` or `closed` (which checkers may move, and where to,
    node by node), `keep` (a filter over whole plays), `parts` or `after_part` (what a roll brings and what
    follows, see docs/turns.md), `outcome` or `ended` (how games end), `won` and `most` (what they are worth).
    Printed, they tell the length of a match and every option that differs from the variant's defaults.
    A method reads the data in `self.variant`, and in `self.options` the value of every option by its name.

    >>> from bgcore.plugins import load
    >>> load().rules("western", options={"match_length": 3, "crawford": False})
    <Rules western: match_length 3, crawford false>
    >>> load().rules("western", "money-001")
    <Rules western: money session, animals 1>
    """

    unusual: Values = MappingProxyType({})
    """The options that differ from the variant's defaults; the registry, which knows them, says so."""

    step_reason: ClassVar[OwnReason] = MAY_NOT_LEAVE
    """Why a step is refused that `may_leave` does not let through."""

    closed_reason: ClassVar[OwnReason] = CLOSED
    """Why a step is refused to a point that `closed` names."""

    play_reason: ClassVar[Reason | OwnReason] = NOT_KEPT
    """Why a play is refused that `keep` does not let through."""

    spec: Spec | None = None
    """What the variant is made of, where it is house rules; the registry says so."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        guard(cls, Rules)

    def __setattr__(self, name: str, value: object) -> None:
        self._check_own(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._check_own(name)
        super().__delattr__(name)

    def _check_own(self, name: str) -> None:
        """`AttributeError` once they are shared, but for what a class keeps for itself under a name with a `_`."""
        if SHARED in vars(self) and (name[0] != "_" or hasattr(Rules, name) or name in ENGINES):
            raise AttributeError(f"{name}: {NEVER_CHANGED}")

    def __init__(self, variant: Variant, options: Values | None = None) -> None:
        self.variant = variant
        chosen = defaults_of(variant) if options is None else options
        self.options: Values = MappingProxyType(dict(chosen))
        self.record = pack(variant.movement)
        start = SideSetup(variant.start, unentered=variant.unentered)
        self.start = self.position(Setup(start, start))
        self.levels = tuple(self._worthwhile_levels())
        """The levels this game has, each worth more than the one below; none where checkers are counted."""
        self._numbers: dict[tuple[int, ...], bytes] = {}
        self._ordinary = ordinary_context(variant)
        # Only a variant that overrides them pays for calling them.
        self.filters = type(self).keep is not Rules.keep
        """Whether a rule over whole plays may leave fewer plays than R3 does."""
        kind = type(self)
        self._chooses = kind.may_leave is not Rules.may_leave or kind.closed is not Rules.closed
        self.ends = kind.outcome is not Rules.outcome
        """Whether the game may end where the kernel does not see it."""

    def __eq__(self, other: object) -> bool:
        """Whether they are rules of the same game: a registry may have forgotten some and made them anew."""
        if not isinstance(other, Rules):
            return NotImplemented
        return self is other or (type(self) is type(other) and self._identity == other._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        variant = self.variant
        return variant.id, variant.rules_version, self.record, self.options, self.spec

    def __hash__(self) -> int:
        return hash((type(self), self.variant.id))

    def __repr__(self) -> str:
        length = self.options.get("match_length", self.variant.match_length)
        told = ["money session" if length is None else f"match_length {length}"]
        others = (item for item in self.unusual.items() if item[0] != "match_length")
        told += [f"{name} {spelt(value)}" for name, value in others]
        return f"<{type(self).__name__} {self.variant.id}: {', '.join(told)}>"

    # -- positions -----------------------------------------------------------------------------------

    def position(self, setup: Setup) -> Position:
        """The proven position of a setup; `IllegalPosition` lists every fault of it."""
        if faults := faults_of(setup, self.variant):
            raise IllegalPosition(*faults)
        mover, opponent = (
            pack_side(side, self._off(side)) for side in (setup.mover, setup.opponent)
        )
        return self.proved(mover + opponent)

    def _off(self, side: SideSetup) -> int:
        if side.off is not None:
            return side.off
        elsewhere = sum(side.points.values()) + side.bar + side.unentered + len(side.pinned)
        return self.variant.checkers - elsewhere

    def proved(self, packed: bytes) -> Position:
        """The position of 64 packed bytes; `IllegalPosition` lists every fault."""
        if len(packed) != BOTH_SIDES:
            expected = f"{BOTH_SIDES} bytes, {SIDE} for each side"
            raise IllegalPosition(Fault("BAD_LENGTH", "position", f"{len(packed)} bytes", expected))
        position = Position(packed)
        if code := kernel.fault(packed, self.record):
            # A setup has no words for bits that stand for nothing.
            raise IllegalPosition(
                *faults_of(position.setup, self.variant) or (_packed_fault(kernel.FAULTS[code]),)
            )
        return position

    def opponents_point(self, point: int) -> int:
        """How the opponent numbers an own point (C1); the map is its own inverse."""
        return opponents_point(point, self.variant.layout)

    # -- plays ---------------------------------------------------------------------------------------

    def plays(self, position: Position, roll: Roll, turn: Turn = ORDINARY_TURN) -> Plays:
        """All distinct plays of a roll's first part (of the open part of `turn`, when it has one).

        `NotationError` for a roll of too few or too many dice.
        """
        if turn is ORDINARY_TURN:
            numbers = self._numbers.get(roll.dice) or self._ordinary_numbers(roll)
            return self._plays(position, numbers, turn)
        self._check_dice(roll)
        turn = turn if turn.dice else replace(turn, dice=roll.dice)
        part, *_ = turn.parts or self.parts(roll, turn, position)
        return self._plays(position, bytes(part.numbers), turn)

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        """All distinct plays of these numbers, as one part."""
        return self._plays(position, bytes(numbers), turn)

    def _plays(self, position: Position, numbers: bytes, turn: Turn) -> Plays:
        if turn is ORDINARY_TURN:
            context = self._ordinary
        else:
            context = self.context(position, numbers, turn)
        codes = self._answer(position, numbers, turn, context)
        plays = Plays(self, position, numbers, codes, turn, context)
        return self.keep(position, plays) or plays if self.filters else plays

    def _answer(self, position: Position, numbers: bytes, turn: Turn, context: int) -> bytes:
        """The kernel's answer, or what the search with the variant's own code finds in its form."""
        if self._chooses:
            return searched(self, position, numbers, turn.before_steps, context, self.record)
        return kernel.plays(self.board(position), numbers, self.record, context)

    def context(self, position: Position, numbers: Sequence[int], turn: Turn) -> int:
        """The kernel's context before the first step of a turn's open part, which is these numbers.

        It says which points are locked and how many checkers may leave the head.
        """
        return context_of(
            self.variant,
            numbers,
            turn,
            lambda context: self._answer(position, bytes(numbers), turn, context)[0],
        )

    def opened(
        self, position: Position, numbers: Sequence[int], turn: Turn = ORDINARY_TURN
    ) -> Turn:
        """The turn before the first step of its open part, which is these numbers."""
        return turn.opened(self.context(position, numbers, turn))

    def _check_dice(self, roll: Roll) -> None:
        if len(roll.dice) != self.variant.dice:
            expected = f"{self.variant.dice} dice"
            raise NotationError(Fault("BAD_DICE", "roll", str(roll), expected))

    def _ordinary_numbers(self, roll: Roll) -> bytes:
        self._check_dice(roll)
        numbers = bytes(self.parts(roll, ORDINARY_TURN)[0].numbers)
        self._numbers[roll.dice] = numbers
        return numbers

    @property
    def kernel_alone(self) -> bool:
        """Whether the kernel knows all plays by itself, so that many positions can be asked for at once."""
        kind = type(self)
        seen = kind.plays is Rules.plays and kind.board is Rules.board
        return seen and not (self.filters or self._chooses)

    def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
        """The own points, as bits, that a checker may leave from here; by default all.

        25 is the bar, 26 the unentered checkers. It is asked at every node of the search: `position` is the
        board after some steps, `numbers` are left, the largest first, and `turn` is as before the first of
        them, since a position counts once however it was reached. What other rules forbid it cannot allow.
        """
        return EVERYWHERE

    def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Collection[int]:
        """The own points that no checker may come to from here, beside those that other rules close; by default none.

        0 is off. Nothing lapses: where no other step can be made, none is. It is asked as `may_leave` is,
        at every node of the search, and a step that it forbids is refused for `closed_reason`.
        """
        return ()

    def gates(self, position: Position, numbers: Numbers, turn: Turn) -> Gates:
        """What `may_leave` and `closed` say after the steps of a turn."""
        if not self._chooses:
            return OPEN
        left, before = tuple(sorted(numbers, reverse=True)), turn.before_steps
        closed = frozenset(self.closed(position, left, before))
        return Gates(self.may_leave(position, left, before), closed)

    def keep(self, start: Position, plays: Plays) -> Plays:
        """The plays that a rule over whole plays leaves (R7); by default all. One that leaves none lapses."""
        return plays

    def board(self, position: Position) -> bytes:
        """The board on which the kernel looks for steps and plays: the position's own.

        A game that goes on when a side has borne off everything shows another here, with a checker of that
        side where it meets nobody: for the kernel the game has ended.
        """
        return position.packed

    def parts(
        self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
    ) -> tuple[Part, ...]:
        """What a roll is worth, part by part (R5); without the position it is made in, all entered.

        >>> from bgcore.plugins import load
        >>> load().rules("western").parts(Roll.of(3, 3))
        (Part(numbers=(3, 3, 3, 3), kind=<PartKind.ROLL: 'roll'>),)
        """
        return parts_of(self.variant, roll, turn, position)

    def after_part(self, played: Played) -> Next:
        """What follows a part, unless it ended the game: the next part, a roll, or the opponent's turn."""
        return after_part(self.variant, played)

    def named(self, number: int) -> tuple[Part, ...]:
        """The parts of a double that a player has named, where `after_part` let him (`NAME_DOUBLE`)."""
        return named_parts(self.variant, number)

    # -- steps ---------------------------------------------------------------------------------------

    def steps(
        self, position: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN
    ) -> tuple[Step, ...]:
        """The steps that may be made with these numbers, without the obligation to use more of them.

        `turn.steps` are the steps already made in this part, and `position` is the board after them. A turn
        that is not `opened` has made none.
        """
        context = turn.context if turn.contexts else self.context(position, numbers, turn)
        asked = self.board(position), bytes(numbers), self.record, context
        codes = kernel.steps(*asked)
        gates = self.gates(position, numbers, turn) if codes else OPEN
        if gates is not OPEN:
            codes = kernel.steps(*asked, gates.bits)
        return tuple(self.step(position, code >> 3, code & 7) for code in codes)

    def stepped(self, position: Position, step: Step, turn: Turn) -> tuple[Position, Turn]:
        """Position and turn after one more step, trusted to be legal; the turn is an opened one."""
        packed, context = kernel.step(
            position.packed, self.record, turn.context, step.origin, step.number
        )
        made = self.step(position, step.origin, step.number)
        return Position(packed), turn.with_step(made, context)

    def step(self, position: Position, origin: int, number: int) -> Step:
        """A step that may be made, with what it meets."""
        step = Step.of(origin, number)
        if step.target == OFF:
            return step
        met = position.packed[SIDE + self.opponents_point(step.target)] == 1
        contact = self.variant.contact
        return Step(origin, number, step.target, met and contact == "hit", met and contact == "pin")

    def after(self, position: Position, play: bytes) -> Position:
        """The position after a play's code; trusts it to be legal. The same side stays first."""
        return Position(kernel.apply(position.packed, play, self.record))

    def after_step(self, position: Position, step: Step) -> Position:
        """The position after one step; trusts it to be legal. The same side stays first."""
        context = kernel.ORDINARY
        packed, _ = kernel.step(position.packed, self.record, context, step.origin, step.number)
        return Position(packed)

    def decode(self, position: Position, play: bytes) -> tuple[Step, ...]:
        """A play's code as steps, with what each meets."""
        steps: list[Step] = []
        for code in play:
            if code:
                steps.append(self.step(position, code >> 3, code & 7))
                position = self.after_step(position, steps[-1])
        return tuple(steps)

    def why_not(
        self,
        position: Position,
        numbers: Numbers,
        steps: Sequence[Step],
        turn: Turn = ORDINARY_TURN,
    ) -> Refusal | None:
        """Why a play, its steps taken as written, is refused; `None` when it is legal (C7)."""
        return why_not(self.plays_of(position, numbers, turn), steps)

    # -- ends ----------------------------------------------------------------------------------------

    def outcome(self, position: Position) -> Outcome | None:
        """How the game has ended in this position; `None` while it runs."""
        status = kernel.status(position.packed, self.record)
        if status == RUNNING:
            return None
        if status == DRAWN:
            return Outcome(None, 0, Level.SINGLE, Ending.BOTH_MOTHERS_PINNED)
        winner = Player.MOVER if status in (MOVER_OFF, MOVER_MOTHER) else Player.OPPONENT
        if status in (MOVER_MOTHER, OPPONENT_MOTHER):
            return Outcome(winner, self.variant.mother_points, Level.GAMMON, Ending.MOTHER_PINNED)
        return self.won(position, winner)

    def won(self, position: Position, winner: Player) -> Outcome:
        """How the game ends if `winner` has borne off everything before the other did."""
        if not self.levels:
            return Outcome(winner, self.left(position, winner.other), None, Ending.BORNE_OFF)
        level = self.level(position, winner.other)
        return Outcome(winner, self.value(level), level, Ending.BORNE_OFF)

    def ended(self, position: Position, *, started: bool, turn_over: bool) -> Outcome | None:
        """How the play that led to this position ends the game; `None`: it goes on.

        `started` tells whether the mover, who has just played, is who started the game (in a game from a
        position, who was on turn there); `turn_over`, whether the turn is handed over now if the game goes on:
        no part follows and no roll. A game that does not end with the position as such says so here.
        """
        return self.outcome(position)

    def left(self, position: Position, loser: Player) -> int:
        """The checkers that `loser` has not borne off."""
        side = position.mover if loser is Player.MOVER else position.opponent
        return self.variant.checkers - side.off

    def level(self, position: Position, loser: Player) -> Level:
        """What `loser` has lost if the game ends in this position (C6)."""
        side = position.mover if loser is Player.MOVER else position.opponent
        if side.off:
            return Level.SINGLE
        return self._existing(Level.BACKGAMMON if self.caught(side) else Level.GAMMON)

    def caught(self, loser: Side) -> bool:
        """Whether who has borne off nothing has lost a backgammon, where there is one."""
        winners_home = map(self.opponents_point, HOME)
        return bool(loser.bar or loser.unentered or any(loser[point] for point in winners_home))

    def possible_levels(self, position: Position, loser: Player) -> tuple[Level, ...]:
        """The levels that `loser` may still lose from here, the lowest first (M9); see `levels`."""
        borne_off = position.packed[OFF if loser is Player.MOVER else SIDE + OFF]
        return self.levels[:1] if borne_off else self.levels

    def most(self, position: Position, loser: Player) -> int:
        """The most points, before the cube, that `loser` can still lose from here."""
        if not self.levels:
            return self.left(position, loser)
        values = [self.value(level) for level in self.possible_levels(position, loser)]
        side = position.mover if loser is Player.MOVER else position.opponent
        # A mother can be pinned while a checker is left at the start; it never comes back there.
        if self.variant.mother_rule and (side[POINTS] or POINTS in side.pinned):
            values.append(self.variant.mother_points)
        return max(values)

    def _worthwhile_levels(self) -> Iterator[Level]:
        if self.variant.scoring is Scoring.CHECKERS_LEFT:
            return
        worth = 0
        for level in Level:
            if self.value(level) > worth:
                worth = self.value(level)
                yield level

    def _existing(self, level: Level) -> Level:
        order = list(Level)
        return max(
            (known for known in self.levels if order.index(known) <= order.index(level)),
            key=order.index,
        )

    def value(self, level: Level) -> int:
        """Points of a level, before the cube."""
        return {
            Level.SINGLE: 1,
            Level.GAMMON: self.variant.gammon_value,
            Level.BACKGAMMON: self.variant.backgammon_value,
        }[level]


def _packed_fault(what: str) -> Fault:
    found, expected = "as packed", "a position of the variant"
    return Fault("ILLEGAL_POSITION", "position", found, expected, f"position {found}: {what}")
