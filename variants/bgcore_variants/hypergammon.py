"""Hypergammon, with three checkers a side."""

from dataclasses import replace

from bgcore_variants.western import WESTERN

HYPERGAMMON = replace(
    WESTERN,
    id="hypergammon",
    title="Hypergammon",
    summary="Backgammon with three checkers a side, all far behind.",
    aliases=(),
    file_names={"mat": "HyperGammon (3)", "sgf": "Hypergammon3"},
    source="rules/hyper_nack_long.md",
    checkers=3,
    start={24: 1, 23: 1, 22: 1},
    jacoby=True,
)
