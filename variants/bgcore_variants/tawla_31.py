"""Tawla 31, a Levantine running game for points."""

from dataclasses import replace

from bgcore.axes import Doubles, Layout, Runner, Scoring, Unplayed, UnplayedScope
from bgcore.catalogue import narrowed
from bgcore.option import Values
from bgcore.rules import Rules
from bgcore.variant import Variant
from bgcore_variants.gioul import GIOUL

TAWLA_31 = replace(
    GIOUL,
    id="tawla-31",
    title="Tawla 31",
    summary="The first checker must be home before a second leaves; each one not borne off counts.",
    aliases=(),
    source="rules/other_tables.md",
    runner=Runner.REACH_HOME,
    doubles=Doubles.FOUR,
    unplayed=Unplayed.LOST,
    unplayed_scope=UnplayedScope.LADDER,
    scoring=Scoring.CHECKERS_LEFT,
    match_length=31,
    options=(),
    own_options=(narrowed("layout", "contrary", "parallel"),),
)


class Tawla31Rules(Rules):
    """Where both sides run the same way round, the first checker need only come to its 12, the other start."""

    def __init__(self, variant: Variant, options: Values | None = None) -> None:
        if variant.layout is Layout.PARALLEL and variant.runner is Runner.REACH_HOME:
            variant = replace(variant, runner=Runner.REACH_START_QUARTER)
        super().__init__(variant, options)
