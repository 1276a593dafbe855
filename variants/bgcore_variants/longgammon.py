"""Longgammon, in which every checker starts on the farthest point."""

from dataclasses import replace

from bgcore_variants.western import WESTERN

LONGGAMMON = replace(
    WESTERN,
    id="longgammon",
    title="Longgammon",
    summary="Backgammon in which every checker starts on the farthest point.",
    aliases=(),
    source="rules/hyper_nack_long.md",
    start={24: 15},
)
