"""Presets that fit every variant, written once as functions of its data."""

from bgcore.option import Values
from bgcore.preset import Preset
from bgcore.variant import Variant


def tournament(variant: Variant) -> Values:
    """A match of the variant's usual length; with a cube, by the Crawford rule."""
    cube: Values = {"crawford": True, "jacoby": False} if variant.cube else {}
    return {"match_length": variant.match_length or 7, **cube}


def money(variant: Variant) -> Values | None:
    """Game after game for points, with Jacoby; only where there is a cube."""
    return {"match_length": None, "jacoby": True} if variant.cube else None


PRESETS = (
    Preset("tournament", "a match to points", tournament),
    Preset("money", "a money session with Jacoby", money),
)
