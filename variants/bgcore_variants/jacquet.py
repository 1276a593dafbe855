"""Jacquet, the French running game."""

from dataclasses import replace

from bgcore.axes import Runner
from bgcore_variants.fevga import FEVGA

JACQUET = replace(
    FEVGA,
    id="jacquet",
    title="Jacquet",
    summary="The courier must be home before a second checker may leave.",
    aliases=(),
    source="rules/other_tables.md",
    runner=Runner.REACH_HOME,
    own_start_quarter_max=6,
    options=(),
    own_options=(),
)
