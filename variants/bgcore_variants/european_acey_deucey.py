"""Acey-Deucey as it is played in Europe."""

from dataclasses import replace

from bgcore.axes import BearOff, Doubles
from bgcore_variants.acey_deucey import ACEY_DEUCEY

EUROPEAN_ACEY_DEUCEY = replace(
    ACEY_DEUCEY,
    id="european-acey-deucey",
    title="European Acey-Deucey",
    summary="Acey-Deucey in which every double brings its complement and another roll.",
    aliases=(),
    doubles=Doubles.COMPLEMENT,
    bear_off=BearOff.EXACT,
)
