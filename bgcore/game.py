"""A game: its actions and the state they lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bgcore.action import RULE_OF, Action, Kind, no_action
from bgcore.axes import OpeningRoll
from bgcore.cube import NEW_CUBE, Cube
from bgcore.decision import Decision
from bgcore.doubling import after_tie, check_cube, why_no_animal, why_no_double
from bgcore.errors import IllegalAction, illegal
from bgcore.offer import Offer
from bgcore.outcome import Ending, Level, Result
from bgcore.phase import Phase
from bgcore.play import Play, Plays
from bgcore.position import Position
from bgcore.resignation import levels, offered, points_to_resign
from bgcore.roll import NUMBERS, Roll, is_number
from bgcore.rules import Rules
from bgcore.seat import Player, Seat
from bgcore.terms import Terms
from bgcore.turn import ORDINARY_TURN, Part, PartKind, Played, Then, Turn

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    from bgcore.changed import changed


@dataclass(frozen=True)  # without slots, for `changed`
class Game:
    """One game between two seats; `after(action)` checks and gives the next state.

    `position` is seen by `seat`, who is on turn (white, while nobody is yet). `decision` says who must
    decide, and what is legal. Dice are passed in as actions; nothing here throws.
    """

    rules: Rules
    terms: Terms
    position: Position
    seat: Seat
    phase: Phase
    cube: Cube = NEW_CUBE
    auto_doubles: int = 0  # ties of the opening throw that have raised the stake
    raised: int = 0  # offers that wait for an answer: 1 a double, 2 a beaver on it, and so on
    dice: tuple[int, ...] = ()  # as thrown; empty when the turn's own roll is not made
    thrown: bool = False  # the dice are those of the opening throw
    turn: Turn = ORDINARY_TURN
    offer: Offer | None = None  # a resignation that waits for its answer
    declined: tuple[Offer, ...] = ()  # refused since the last turn was played
    rolls: tuple[int, int] = (0, 0)  # own rolls of each seat in this game
    rolls_known: bool = (
        True  # false when it began from a position: how many came before, nobody says
    )
    turns_done: tuple[int, int] = (0, 0)
    # The game before an illegal play that may still be corrected.
    correctable: Game | None = field(default=None, repr=False)
    result: Result | None = None
    actions: tuple[Action, ...] = ()

    @classmethod
    def start(cls, rules: Rules, terms: Terms, starter: Seat | None = None) -> Game:
        """A new game; without a `starter` an opening throw decides who that is."""
        phase = Phase.THROW if starter is None else Phase.ROLL
        return cls(rules, terms, rules.start, Seat.WHITE if starter is None else starter, phase)

    @classmethod
    def from_position(
        cls,
        rules: Rules,
        terms: Terms,
        position: Position,
        seat: Seat,
        cube: Cube,
        dice: tuple[int, ...] = (),
    ) -> Game:
        """A game that goes on from a position with `seat` (its mover) on turn, rolled or not.

        `IllegalPosition` when it is none of this game, `IllegalAction` when the game has ended there,
        or with dice or a cube that cannot be.
        """
        rules.proved(position.packed)
        if rules.outcome(position):
            raise illegal(
                "GAME_OVER", "position", "start", "the game has ended", "one that goes on"
            )
        sides = (position, position.flipped())
        if not any(rules.steps(side, (number,)) for side in sides for number in NUMBERS):
            why = "neither side can ever move"
            raise illegal("NOBODY_CAN_MOVE", "position", "start", why, "one that goes on", "G1")
        check_cube(cube, terms)
        game = cls(rules, terms, position, seat, Phase.ROLL, cube)
        # Turns have been played before this position, so nothing that is said of first turns holds.
        game = changed(game, turns_done=(2, 2), rolls_known=False)
        return game._with_roll(_dice(dice, rules.variant.dice)) if dice else game

    # -- what may be done ----------------------------------------------------------------------------

    @property
    def decision(self) -> Decision:
        """Who must decide, and what is legal."""
        return Decision.of(self)

    @property
    def plays(self) -> Plays:
        """The plays of the open part; `IllegalAction` when none is to be made now."""
        if self.phase is not Phase.PLAY:
            raise self._not_now(Kind.PLAY)
        return self.rules.plays_of(self.position, self.turn.parts[0].numbers, self.turn)

    @property
    def decider(self) -> Seat | None:
        """The seat that must decide; `None`: either may (an opening throw), or the game is over."""
        if self.phase in (Phase.THROW, Phase.OVER) and not self.offer:
            return None
        if self.offer:
            return self.offer.seat.other
        return self.seat_of_answer if self.phase is Phase.DOUBLED else self.seat

    @property
    def seat_of_answer(self) -> Seat:
        """Who answers what was raised last: the doubled player, and after a beaver the doubler."""
        return self.seat.other if self.raised % 2 else self.seat

    @property
    def asked(self) -> int:
        """The stake with all that is on offer: what taking makes it (M4)."""
        return self.cube.value << self.raised

    @property
    def refusable(self) -> bool:
        """Whether what is on offer may be refused: a double always, an animal by the option (M4)."""
        return self.raised == 1 or self.terms.animals_refusable

    @property
    def may_reroll(self) -> bool:
        """Whether the opening numbers may be thrown again (`starter_chooses`)."""
        return self.thrown and self.rules.variant.opening_roll is OpeningRoll.STARTER_CHOOSES

    @property
    def rolled(self) -> bool:
        """Whether the player on turn has rolled already in this turn; after a bonus he rolls once more."""
        if self.phase in (Phase.PLAY, Phase.NAME_DOUBLE):
            return True
        return self.phase is Phase.ROLL and bool(self.turn.dice)

    def why_no_double(self, seat: Seat) -> IllegalAction | None:
        """What speaks against `seat` offering a double now (M2); `None`: nothing."""
        return why_no_double(self, seat)

    def why_no_animal(self, seat: Seat) -> IllegalAction | None:
        """What speaks against `seat` answering a double with another one (M4); `None`: nothing."""
        return why_no_animal(self, seat)

    def levels(self, seat: Seat) -> tuple[Level, ...]:
        """The levels at which `seat` may offer to resign now, the lowest first (M9)."""
        return levels(self, seat)

    def points_to_resign(self, seat: Seat) -> int:
        """The most points that `seat` may offer to lose now, where checkers are counted; 0: none (M9)."""
        return points_to_resign(self, seat)

    def possible_levels(self, seat: Seat) -> tuple[Level, ...]:
        """The levels at which `seat` may still lose this game, the lowest first."""
        # A variant may keep its own in a list.
        return tuple(self.rules.possible_levels(self.position, self._player(seat)))

    def most(self, seat: Seat) -> int:
        """The most points, before the cube, that `seat` can still lose in this game."""
        return self.rules.most(self.position, self._player(seat))

    def may_correct(self, seat: Seat) -> bool:
        """Whether `seat` made an illegal play that may still be corrected (M11)."""
        before = self.correctable
        return before is not None and before.seat is seat and not self.offer

    def _player(self, seat: Seat) -> Player:
        return Player.MOVER if seat is self.seat else Player.OPPONENT

    # -- doing it ------------------------------------------------------------------------------------

    def after(self, action: Action) -> Game:
        """The game after a legal action; `IllegalAction` says why it is not one. Nothing changes here."""
        if not isinstance(action, Action):
            raise no_action(action)
        if self.result:
            why, expected = "the game is over", "no more actions in it"
            raise illegal("GAME_OVER", "action", action.kind, why, expected, "C6")
        handler = _HANDLERS.get(action.kind)
        if handler is None:
            raise self._not_now(action.kind)
        game = handler(self, action)
        return changed(game, actions=(*self.actions, action))

    def _not_now(self, kind: Kind) -> IllegalAction:
        expected = " or ".join(self.decision.kinds)
        return illegal("NOT_NOW", "action", kind, "not now", expected, RULE_OF[kind])

    def offer_pending(self, kind: Kind) -> IllegalAction:
        """The error of an action that must wait for an answer (M2, M9)."""
        what = "resignation" if self.offer else "double"
        expected = f"{self.decider}'s answer"
        rule = "M9" if self.offer else "M2"
        return illegal("OFFER_PENDING", "action", kind, f"a {what} is on offer", expected, rule)

    def _needs(self, action: Action, *phases: Phase) -> Seat:
        """Checks that it is this seat's turn to decide, in one of these phases."""
        if self.offer and action.kind is not Kind.ANSWER_RESIGNATION:
            raise self.offer_pending(action.kind)
        rule = RULE_OF[action.kind]
        if action.seat is None:
            why, expected = "nobody's", "a seat, white or black"
            raise illegal("SEAT_MISSING", "seat", action.kind, why, expected, rule)
        if self.decider is not None and action.seat is not self.decider:
            why = f"it is not {action.seat}'s turn to decide ({action.kind})"
            raise illegal("NOT_YOUR_TURN", "seat", action.seat, why, str(self.decider), rule)
        if self.phase not in phases:
            raise self._not_now(action.kind)
        return action.seat

    def _throw(self, action: Action) -> Game:
        if self.offer:
            raise self.offer_pending(Kind.THROW)
        if self.phase is not Phase.THROW:
            raise self._not_now(Kind.THROW)
        white, black = _dice(action.dice, 2)
        if white == black:
            return self._tied(white)
        starter = Seat.WHITE if white > black else Seat.BLACK
        game = changed(self, seat=starter, phase=Phase.ROLL)
        if self.rules.variant.opening_roll is OpeningRoll.REROLL:
            return game
        return changed(game._with_roll(action.dice), thrown=True)

    def _tied(self, number: int) -> Game:
        cube = after_tie(self.cube, number, self.auto_doubles, self.terms)
        raised = self.auto_doubles + (cube != self.cube)
        return changed(self, cube=cube, auto_doubles=raised)

    def _roll(self, action: Action) -> Game:
        seat = self._needs(
            action, *((Phase.ROLL, Phase.PLAY) if self.may_reroll else (Phase.ROLL,))
        )
        dice = _dice(action.dice, self.rules.variant.dice)
        fresh = changed(self, rolls=_raised(self.rolls, seat, -1)) if self.thrown else self
        return fresh._with_roll(dice)

    def _with_roll(self, dice: tuple[int, ...]) -> Game:
        rolls = _raised(self.rolls, self.seat, 1)
        own_roll = rolls[self.seat] if self.rolls_known else None
        # After another roll the turn goes on: what left the head in it and what was locked stay with it.
        turn = self.turn.rolled(self.seat, own_roll, dice)
        parts = self.rules.parts(Roll.of(*dice), turn, self.position)
        return changed(
            self,
            phase=Phase.PLAY,
            dice=dice,
            thrown=False,
            rolls=rolls,
            turn=turn.with_parts(parts),
            correctable=None,
        )

    def _play(self, action: Action) -> Game:
        self._needs(action, Phase.PLAY)
        try:
            play = self.play_of(action)
        except IllegalAction as refused:
            if self.terms.correctable:
                return self._after_illegal(action, refused)
            raise
        return self._after_play(play)

    def play_of(self, action: Action) -> Play:
        """The legal play of the open part that an action means; `IllegalAction` or `NotationError` for none."""
        if action.text is not None:
            return self.plays.find(action.text)
        return self.plays.of_steps(action.steps or ())

    def _after_illegal(self, action: Action, refused: IllegalAction) -> Game:
        """The game after an illegal play that stands until it is corrected (M11).

        One that no hand could make, or that would end the game, is refused all the same.
        """
        from bgcore.illegal_play import stands  # the readers of plays stand on these types

        after = stands(self.plays, action)
        if after is None or self.rules.outcome(after):
            raise refused
        return changed(self._handed_over(after), correctable=self)

    def _correct(self, action: Action) -> Game:
        seat, before = action.seat, self.correctable
        if seat is None or before is None or before.seat is not seat:
            why = f"there is no illegal play of {seat}'s to correct"
            expected = "an illegal play that the opponent has not answered by a roll or a double"
            raise illegal("NOTHING_TO_CORRECT", "action", Kind.CORRECT, why, expected, "M11")
        if self.offer:
            raise self.offer_pending(Kind.CORRECT)
        play = before.play_of(action)
        corrected = before._after_play(play)
        declined = (*corrected.declined, *self.declined)  # no turn has been played since
        return changed(corrected, declined=declined, actions=self.actions)

    def _after_play(self, play: Play) -> Game:
        after = play.after
        started = self.turns_done[self.seat] == self.turns_done[self.seat.other]
        following = self.rules.after_part(Played(self.turn, play.numbers))
        over = following.then is Then.HAND_OVER
        if outcome := self.rules.ended(after, started=started, turn_over=over):
            winner = (
                None
                if outcome.winner is None
                else self.seat
                if outcome.winner is Player.MOVER
                else self.seat.other
            )
            game = changed(self, position=after, thrown=False, correctable=None)
            return game._over(winner, outcome.points, outcome.level, outcome.ending)
        if over:
            return self._handed_over(after, following.leftovers)
        game = changed(self, position=after, thrown=False, correctable=None)
        turn = self.turn.next_part(play.left_head, play.locked)
        match following.then:
            case Then.NEXT_PART:
                return changed(game, turn=turn)
            case Then.NAME_DOUBLE:
                return changed(game, phase=Phase.NAME_DOUBLE, turn=replace(turn, parts=()))
        leftover = self.turn.parts[0].kind is PartKind.LEFTOVER
        turn = turn.before_own_roll() if leftover else replace(turn, own_roll=None, parts=())
        return changed(game, phase=Phase.ROLL, turn=turn, dice=())

    def _name_double(self, action: Action) -> Game:
        self._needs(action, Phase.NAME_DOUBLE)
        number = action.number
        if number is None:
            why, expected = "no double is named", "a number from 1 to 6"
            raise illegal("NUMBER_MISSING", "number", action.kind, why, expected, "R5")
        turn = replace(self.turn, parts=self.rules.named(number))
        return changed(self, phase=Phase.PLAY, turn=turn)

    def _handed_over(self, position: Position, leftovers: tuple[Part, ...] = ()) -> Game:
        """The opponent's turn; `position` is still seen by who has played."""
        turn = (
            Turn(own_roll=self.turn.own_roll, parts=leftovers, seat=self.seat.other)
            if leftovers
            else ORDINARY_TURN
        )
        return changed(
            self,
            position=position.flipped(),
            seat=self.seat.other,
            phase=Phase.PLAY if leftovers else Phase.ROLL,
            thrown=False,
            correctable=None,
            dice=(),
            turn=turn,
            declined=(),
            turns_done=_raised(self.turns_done, self.seat, 1),
        )

    def _double(self, action: Action) -> Game:
        seat = self._needs(action, *Phase)
        if refusal := self.why_no_double(seat):  # it says more than that another kind is due
            raise refusal
        return changed(self, phase=Phase.DOUBLED, raised=1, correctable=None)

    def _animal(self, action: Action) -> Game:
        seat = self._needs(action, *Phase)
        if refusal := self.why_no_animal(seat):
            raise refusal
        return changed(self, raised=self.raised + 1)

    def _take(self, action: Action) -> Game:
        self._needs(action, Phase.DOUBLED)
        # Whoever raised last, the cube ends with the player who was doubled first (M4).
        cube = Cube(self.asked, self.seat.other, turned=True)
        # Who may choose whether to play the opening numbers still may.
        phase = Phase.PLAY if self.thrown else Phase.ROLL
        return changed(self, phase=phase, cube=cube, raised=0)

    def _drop(self, action: Action) -> Game:
        seat = self._needs(action, Phase.DOUBLED)
        if not self.refusable:
            why = "an animal cannot be refused here"
            raise illegal("ANIMAL_NOT_REFUSABLE", "action", Kind.DROP, why, "take or animal", "M4")
        stake = self.asked // 2
        points = 1 if self.terms.always_one else stake
        level = Level.SINGLE if self.rules.levels else None
        result = Result(seat.other, points, level, Ending.DROPPED, stake)
        return changed(self, phase=Phase.OVER, raised=0, result=result)

    def _resign(self, action: Action) -> Game:
        offer = offered(self, action)
        most = self._counted(self.most(offer.seat))
        if self.terms.resign_auto_accept and self._counted(offer.points) == most:
            return self._resigned(offer)
        return changed(self, offer=offer)

    def _answer_resignation(self, action: Action) -> Game:
        if not self.offer:
            why, expected = "no resignation is on offer", " or ".join(self.decision.kinds)
            raise illegal("NOT_NOW", "action", action.kind, why, expected, "M9")
        self._needs(action, *Phase)
        if action.accept is None:
            why = "neither accepted nor declined"
            raise illegal("ANSWER_MISSING", "action", action.kind, why, "one of the two", "M9")
        if action.accept:
            return self._resigned(self.offer)
        return changed(self, offer=None, declined=(*self.declined, self.offer))

    def _resigned(self, offer: Offer) -> Game:
        return self._over(offer.seat.other, offer.points, offer.level, Ending.RESIGNED)

    def flagged(self, seat: Seat) -> Game:
        """The game lost by `seat`, whose time has run out, as a single at the stake (M10).

        Where checkers are counted, that is one point.
        """
        stake, level = self.cube.value, Level.SINGLE if self.rules.levels else None
        result = Result(seat.other, stake, level, Ending.FLAGGED, stake)
        return changed(self, phase=Phase.OVER, offer=None, raised=0, result=result)

    def _counted(self, points: int) -> int:
        """Points as they count here: Jacoby makes a single of every level while the cube was not turned (M5)."""
        single = self.terms.jacoby and not self._turned and bool(self.rules.levels)
        return min(points, 1) if single else points

    @property
    def _turned(self) -> bool:
        """Whether the cube was turned as Jacoby means it: by a double, or by a tie where that counts."""
        return self.cube.turned or (
            self.terms.auto_double_satisfies_jacoby and self.auto_doubles > 0
        )

    def _over(self, winner: Seat | None, points: int, level: Level | None, ending: Ending) -> Game:
        result = Result(
            winner, self._counted(points) * self.cube.value, level, ending, self.cube.value
        )
        return changed(self, phase=Phase.OVER, offer=None, result=result)


def _raised(counts: tuple[int, int], seat: Seat, by: int) -> tuple[int, int]:
    white, black = counts
    return (white + by, black) if seat is Seat.WHITE else (white, black + by)


def _dice(dice: tuple[int, ...], wanted: int) -> tuple[int, ...]:
    if len(dice) != wanted or not all(map(is_number, dice)):
        expected = f"{wanted} numbers from 1 to 6"
        raise illegal("BAD_DICE", "dice", list(dice), "not a roll", expected, "C2")
    return dice


_HANDLERS: dict[Kind, Callable[[Game, Action], Game]] = {
    Kind.THROW: Game._throw,
    Kind.ROLL: Game._roll,
    Kind.PLAY: Game._play,
    Kind.DOUBLE: Game._double,
    Kind.TAKE: Game._take,
    Kind.DROP: Game._drop,
    Kind.RESIGN: Game._resign,
    Kind.ANSWER_RESIGNATION: Game._answer_resignation,
    Kind.ANIMAL: Game._animal,
    Kind.CORRECT: Game._correct,
    Kind.NAME_DOUBLE: Game._name_double,
}
