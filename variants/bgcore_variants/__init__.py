"""The built-in variants, loaded through the same door as anyone's plugin."""

from bgcore.plugins import hookimpl
from bgcore.registry import Registry
from bgcore_variants.gul_bara import GUL_BARA
from bgcore_variants.plakoto import PLAKOTO
from bgcore_variants.presets import PRESETS
from bgcore_variants.rotations import ROTATIONS
from bgcore_variants.tavla import TAVLA
from bgcore_variants.western import WESTERN

bgcore_api_level = 1


@hookimpl
def bgcore_register(registry: Registry) -> None:
    """Adds the four variants, the presets, and the rotations whose games are all there."""
    for variant in (WESTERN, TAVLA, PLAKOTO, GUL_BARA):
        registry.add(variant)
    for preset in PRESETS:
        registry.add_preset(preset)
    for rotation in ROTATIONS:
        if all(game.variant in registry for game in rotation.games):
            registry.add_rotation(rotation)
