"""Matches whose games change variant (rules/tavli.md)."""

from bgcore.rotation import Choice, Rotation

TAVLI = Rotation(
    id="tavli",
    title="Tavli",
    summary="The Greek match: portes, plakoto and fevga in turn; who won starts the next game.",
    games=(Choice("portes"), Choice("plakoto", "traditional"), Choice("fevga")),
    options={"match_length": 5},
)

BULGARIAN_ROTATION = Rotation(
    id="bulgarian-rotation",
    title="Bulgarian rotation",
    summary="Tabla, gul-bara with the ladder of doubles, and tapa in turn; who won starts the next game.",
    games=(
        Choice("tavla", "traditional"),
        Choice("gul-bara-bulgarian"),
        Choice("tapa"),
    ),
    options={"match_length": 5},
)

ROTATIONS = (TAVLI, BULGARIAN_ROTATION)
