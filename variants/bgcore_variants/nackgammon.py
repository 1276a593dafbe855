"""Nackgammon, with two more checkers at the back."""

from dataclasses import replace

from bgcore_variants.western import WESTERN

NACKGAMMON = replace(
    WESTERN,
    id="nackgammon",
    title="Nackgammon",
    summary="Backgammon with two more checkers at the back.",
    aliases=(),
    file_names={"mat": "NackGammon", "sgf": "Nackgammon"},
    source="rules/hyper_nack_long.md",
    start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
)
