"""What a player does on a seat, each call described once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from bgcore_client import actions, messages
from bgcore_client.actions import PlayLike
from bgcore_client.binding import one
from bgcore_client.call import Call, Repetition, new_request_id
from bgcore_client.given import made
from bgcore_client.values import named

ANY_SEAT = messages.SEAT_UNSPECIFIED
DEFAULT_VIEW = messages.PLAY_VIEW_UNSPECIFIED


class How(TypedDict, total=False):
    """How an action is to be done. All of it may be left out."""

    expected_revision: int
    """The revision that the player has seen; `StaleRevision` if the table has moved on."""
    request_id: str
    """Repeats an act that was sent before; a new one by default."""
    validate_only: bool
    """Only check it."""
    view: messages.PlayView | str
    """How much of each legal play is to come with the answer, as a word such as "text", too; columns by default."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What it takes to act for a seat. Keep it, and a player can come back after a restart.

    With committed dice it also holds what `dice.check` compares afterwards: the seed that the player gave
    for a match of the table, and the commitment that the table had shown before.
    """

    table: str
    seat: messages.Seat
    token: str = field(default="", repr=False)
    """Of the seat, or of the account that sits there. Empty: that of the client's account."""
    dice_seed: str = ""
    commitment: str = ""
    match_number: int = 1
    """Of which match these are, 1 the first."""


class SeatCalls:
    """What a player does.

    Every act has a request id of its own, so that it is done once, however often it has to be sent.
    """

    key: SeatKey

    def __repr__(self) -> str:
        side = messages.Seat.Name(self.key.seat).removeprefix("SEAT_").lower()
        return f"<{type(self).__name__} {side} of table {self.key.table}>"

    @one
    def act(self, action: messages.Action, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Do something. `actions` makes actions; the methods below are the usual ones."""
        validate_only = how.get("validate_only", False)
        request = made(
            messages.ActRequest,
            table=self.key.table,
            seat=self.key.seat,
            action=action,
            request_id=how.get("request_id") or ("" if validate_only else new_request_id()),
            expected_revision=how.get("expected_revision"),
            validate_only=validate_only,
            view=named(messages.PlayView, how.get("view", DEFAULT_VIEW)),
        )
        return Call.of(request, messages.ActResponse, self.key.token)

    @one
    def throw(self, *dice: int, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Make the opening throw; with manual dice, White's die and Black's."""
        return self._act(actions.throw(*dice), how)

    @one
    def roll(self, *dice: int, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Roll; with manual dice, say what fell."""
        return self._act(actions.roll(*dice), how)

    @one
    def play(self, play: PlayLike, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Play what was rolled."""
        return self._act(actions.play(play), how)

    @one
    def name_double(self, number: int, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Name the double to be played, 1 to 6, where the rules let the player choose one."""
        return self._act(actions.name_double(number), how)

    @one
    def double(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Offer a double."""
        return self._act(actions.of_kind(messages.ACTION_KIND_DOUBLE), how)

    @one
    def take(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Accept a double."""
        return self._act(actions.of_kind(messages.ACTION_KIND_TAKE), how)

    @one
    def drop(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Refuse a double, and lose the game."""
        return self._act(actions.of_kind(messages.ACTION_KIND_DROP), how)

    @one
    def animal(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Answer a double with another one and keep the cube: a beaver, a raccoon, and so on."""
        return self._act(actions.of_kind(messages.ACTION_KIND_ANIMAL), how)

    @one
    def resign(
        self,
        level: messages.Level | str = messages.LEVEL_UNSPECIFIED,
        *,
        points: int = 0,
        **how: Unpack[How],
    ) -> Call[messages.ActResponse]:
        """Offer to lose the game, at a level such as "gammon", or where checkers are counted for points."""
        return self._act(actions.resign(named(messages.Level, level), points), how)

    @one
    def answer(self, accept: bool, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Accept a resignation, or decline it."""
        return self._act(actions.answer(accept), how)

    @one
    def next_game(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Start the next game."""
        return self._act(actions.of_kind(messages.ACTION_KIND_NEXT_GAME), how)

    @one
    def resign_match(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Give up the whole match; nobody has to accept it."""
        return self._act(actions.of_kind(messages.ACTION_KIND_RESIGN_MATCH), how)

    @one
    def end_session(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """End a money session, between two games."""
        return self._act(actions.of_kind(messages.ACTION_KIND_END_SESSION), how)

    @one
    def flag(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Claim that the other's time has run out. The server says so by itself, too."""
        return self._act(actions.flag(), how)

    @one
    def correct(self, play: PlayLike, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Put a legal play in the place of my illegal one: one of the decision's `correct_plays`."""
        return self._act(actions.correct(play), how)

    # -- what the other player must agree to, and leaving ------------------------------------------

    @one
    def undo(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Ask to take back what I did last, as long as no dice have fallen since."""
        return self._act(actions.of_kind(messages.ACTION_KIND_UNDO), how)

    @one
    def answer_undo(self, accept: bool, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Let the other take back what he did last, or not. To play on is an answer, too: no."""
        return self._act(actions.answer_undo(accept), how)

    @one
    def void(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Ask to void the match and close the table, or agree to it; nobody wins then."""
        return self._act(actions.of_kind(messages.ACTION_KIND_VOID), how)

    @one
    def leave(self) -> Call[None]:
        """Leave the seat before the match has begun; it is free, and its token opens nothing any more.

        If no answer comes, it is asked again: a token that is not known any more says that it was done.
        With an account's token that cannot be told, and the call fails with `Unavailable`: look at the table.
        """
        request = messages.LeaveTableRequest(table=self.key.table, seat=self.key.seat)
        # An account might sit elsewhere at the table, or be its host: then it would not be refused.
        own = bool(self.key.token) and "." not in self.key.token
        call = Call.of(request, messages.LeaveTableResponse, self.key.token).then(lambda _: None)
        return replace(call, repetition=Repetition.TELLS if own else Repetition.HARMS)

    def _act(self, action: messages.Action, how: How) -> Call[messages.ActResponse]:
        return SeatCalls.act.build(self, action, **how)

    def choices(self, state: messages.TableState) -> Sequence[messages.ActionKind]:
        """What this seat must choose from; empty where the other one must decide, or nobody."""
        decision = state.decision
        return decision.kinds if decision.seat in (ANY_SEAT, self.key.seat) else ()

    def may(self, state: messages.TableState) -> Sequence[messages.ActionKind]:
        """What this seat may do beside that, whoever must decide: undo, answer_undo, void, rematch."""
        return state.white_may if self.key.seat == messages.SEAT_WHITE else state.black_may
