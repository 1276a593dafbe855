"""Random matches under every preset. `python -m tests.wire.random_matches --n 300` plays more of them."""

from __future__ import annotations

from bgcore.plugins import load
from bgcore_client import AsyncClient, messages
from tests.wire.random_matches import plans, played

SEED = 7


async def test_random_matches_under_every_preset_end_as_their_records_say(
    async_client: AsyncClient,
) -> None:
    registry = load()
    under = {
        (entry.variant.id, preset)
        for entry in registry
        for preset in registry.presets_of(entry.variant)
    }
    matches = await played(async_client, await plans(async_client, len(under), SEED), SEED)
    assert {(match.plan.variant, match.plan.preset) for match in matches} == under
    assert all(not match.state.HasField("decision") for match in matches)
    assert any(match.matches > 1 for match in matches)
    assert any(match.plan.private for match in matches)
    assert any(match.undone for match in matches)
    modes = {match.plan.dice for match in matches}
    assert modes >= {messages.DICE_MODE_COMMITTED, messages.DICE_MODE_SYSTEM}
