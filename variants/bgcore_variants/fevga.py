"""Fevga, the running game of a tavli match."""

from dataclasses import replace

from bgcore.axes import LaterStarter, OpeningRoll, Runner
from bgcore.catalogue import narrowed, switch
from bgcore.play import Plays
from bgcore.position import Position
from bgcore.reason import Reason
from bgcore.rules import Rules
from bgcore_variants.gul_bara import GUL_BARA

FEVGA = replace(
    GUL_BARA,
    id="fevga",
    title="Fevga",
    summary="One checker runs past the other start first, and nobody may be shut in for good.",
    aliases=("feuga",),
    source="rules/fevga.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    runner=Runner.PASS_START,
    own_start_quarter_max=5,
    options=(
        "own_start_quarter_max",
        "opp_start_quarter_max",
        "prime_rule",
        "restriction_timing",
    ),
    own_options=(
        narrowed("runner", "pass_start", "reach_start_quarter"),
        switch(
            "unblock_duty",
            "a wall that shuts in every opposing checker must be opened",
            default=True,
            rule="C8",
        ),
    ),
    bundles={},
)

WALL = 6
"""Points in a row that nobody gets over."""


class FevgaRules(Rules):
    """Who shuts in every opposing checker must open his wall, if a play opens it.

    They are shut in when all that are on the board stand on one point outside their home board, and he holds
    the six points right ahead of it on their way. After his play one of the six must be empty, whichever.
    """

    play_reason = Reason.MUST_UNBLOCK

    def keep(self, start: Position, plays: Plays) -> Plays:
        """Of those that use the most numbers the ones that open the wall; where none does, the duty lapses."""
        wall = self.wall(start) if self.options["unblock_duty"] else set()
        if not wall:
            return plays
        return plays.only(lambda play: not wall <= play.after.mover.points.keys())

    def wall(self, position: Position) -> set[int]:
        """My six points right ahead of the one point where every opposing checker stands; else empty."""
        stand = [*position.opponent.points]
        if len(stand) != 1 or stand[0] <= WALL:
            return set()
        ahead = {self.opponents_point(stand[0] - step) for step in range(1, WALL + 1)}
        return ahead if ahead <= position.mover.points.keys() else set()
