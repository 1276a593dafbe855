"""Long Nardy, the running game of Russia and the Caucasus."""

from dataclasses import replace

from bgcore.axes import HeadFirstTurn, LaterStarter, OpeningRoll, PrimeRule
from bgcore.catalogue import switch
from bgcore.outcome import Ending, Level, Outcome
from bgcore.position import BAR, OFF, SIDE, Position
from bgcore.rules import Rules
from bgcore.seat import Player
from bgcore_variants.gul_bara import GUL_BARA

LONG_NARDY = replace(
    GUL_BARA,
    id="long-nardy",
    title="Long Nardy",
    summary="One checker a turn leaves the head, and six in a row need an opposing checker ahead.",
    aliases=("narde", "nardi", "long-nardi"),
    source="rules/long_nardy.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    head_limit=1,
    head_first_turn=HeadFirstTurn.LISTED_DOUBLES,
    prime_rule=PrimeRule.NEED_AHEAD,
    options=(
        "opening_roll",
        "later_starter",
        "head_limit",
        "head_first_turn",
        "prime_rule",
        "prime_path",
        "restriction_timing",
        "cube",
    ),
    own_options=(
        switch(
            "last_roll_equalizer",
            "where who started is off first, the other has one turn more to draw the game",
            rule="C8",
        ),
    ),
    bundles={
        "ministry": {"opening_roll": "play_dice", "later_starter": "opening_roll", "cube": True},
        "vog": {"opening_roll": "play_dice", "later_starter": "opening_roll"},
    },
)


class LongNardyRules(Rules):
    """With `last_roll_equalizer`, who did not start has one turn more when the starter is off first."""

    def ended(self, position: Position, *, started: bool, turn_over: bool) -> Outcome | None:
        """With `last_roll_equalizer` not yet when the starter is off; drawn when then the other is off, too."""
        outcome = self.outcome(position)
        if not self.options.get("last_roll_equalizer") or outcome is None:
            return outcome
        if started and outcome.winner is Player.MOVER:
            return None
        if outcome.winner is Player.OPPONENT and not turn_over:
            return None  # the last turn is all its parts and rolls
        if self._finished(position) == (True, True):
            return Outcome(None, 0, Level.SINGLE, Ending.BOTH_BORNE_OFF)
        return outcome

    def board(self, position: Position) -> bytes:
        """With the opponent off, one of his checkers on the bar, where nobody meets it."""
        if self._finished(position) != (False, True):
            return position.packed
        board = bytearray(position.packed)
        board[SIDE + OFF] -= 1
        board[SIDE + BAR] = 1
        return bytes(board)

    def _finished(self, position: Position) -> tuple[bool, bool]:
        every = self.variant.checkers
        return position.mover.off == every, position.opponent.off == every
