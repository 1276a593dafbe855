"""The built-in variants, loaded through the same door as anyone's plugin."""

from bgcore.plugins import hookimpl
from bgcore.registry import Registry
from bgcore.rules import Rules
from bgcore.variant import Variant
from bgcore_variants.acey_deucey import ACEY_DEUCEY, AceyDeuceyRules
from bgcore_variants.crazy_narde import CRAZY_NARDE
from bgcore_variants.dutch import DUTCH
from bgcore_variants.european_acey_deucey import EUROPEAN_ACEY_DEUCEY
from bgcore_variants.fevga import FEVGA, FevgaRules
from bgcore_variants.gioul import GIOUL
from bgcore_variants.gul_bara import GUL_BARA
from bgcore_variants.gul_bara_bulgarian import GUL_BARA_BULGARIAN
from bgcore_variants.hypergammon import HYPERGAMMON
from bgcore_variants.jacquet import JACQUET
from bgcore_variants.long_nardy import LONG_NARDY, LongNardyRules
from bgcore_variants.longgammon import LONGGAMMON
from bgcore_variants.misere import MISERE, MisereRules
from bgcore_variants.moultezim import MOULTEZIM
from bgcore_variants.nackgammon import NACKGAMMON
from bgcore_variants.plakoto import PLAKOTO
from bgcore_variants.plakoto_express import PLAKOTO_EXPRESS
from bgcore_variants.portes import PORTES
from bgcore_variants.presets import PRESETS
from bgcore_variants.rotations import ROTATIONS
from bgcore_variants.russian_backgammon import RUSSIAN_BACKGAMMON, RussianBackgammonRules
from bgcore_variants.tabula import TABULA, TabulaRules
from bgcore_variants.tapa import TAPA
from bgcore_variants.tavla import TAVLA
from bgcore_variants.tawla_31 import TAWLA_31, Tawla31Rules
from bgcore_variants.western import WESTERN

bgcore_api_level = 1

VARIANTS: tuple[tuple[Variant, type[Rules]], ...] = (
    (WESTERN, Rules),
    (TAVLA, Rules),
    (PLAKOTO, Rules),
    (GUL_BARA, Rules),
    (GUL_BARA_BULGARIAN, Rules),
    (MOULTEZIM, Rules),
    (FEVGA, FevgaRules),
    (PORTES, Rules),
    (LONG_NARDY, LongNardyRules),
    (HYPERGAMMON, Rules),
    (NACKGAMMON, Rules),
    (LONGGAMMON, Rules),
    (TAPA, Rules),
    (GIOUL, Rules),
    (ACEY_DEUCEY, AceyDeuceyRules),
    (EUROPEAN_ACEY_DEUCEY, AceyDeuceyRules),
    (RUSSIAN_BACKGAMMON, RussianBackgammonRules),
    (TABULA, TabulaRules),
    (CRAZY_NARDE, LongNardyRules),
    (JACQUET, Rules),
    (TAWLA_31, Tawla31Rules),
    (PLAKOTO_EXPRESS, Rules),
    (DUTCH, Rules),
    (MISERE, MisereRules),
)
"""Every variant and the rules that play it, in the order in which they are listed."""


@hookimpl
def bgcore_register(registry: Registry) -> None:
    """Adds the variants, the presets, and the rotations."""
    for variant, rules in VARIANTS:
        registry.add(variant, rules)
    for preset in PRESETS:
        registry.add_preset(preset)
    for rotation in ROTATIONS:
        registry.add_rotation(rotation)
