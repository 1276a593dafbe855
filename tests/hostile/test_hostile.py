"""A hostile client hurts himself only: nothing of ours fails, others are served, nothing is left behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hostile.run import attacked, once, report
from tests.hostile.way import Way

if TYPE_CHECKING:
    from tests.postgres import Postgres

TIGHT = (
    *("--quota-unlimited", "none", "--quota-address-requests", "100"),
    *("--quota-address-burst", "500", "--quota-address-watches", "50"),
    *("--quota-address-tables", "100", "--web-address-connections", "200"),
)


pytestmark = pytest.mark.slow


async def test_whatever_a_client_sends_he_is_answered_and_others_are_served(tmp_path: Path) -> None:
    async with attacked(tmp_path, 1, 0.2) as stage:
        await once(stage)
        print(report(stage))
    assert stage.tally.counts["grpc", "OK"] > 100


async def test_with_quotas_a_hostile_client_is_refused_and_others_are_served(
    tmp_path: Path,
) -> None:
    async with attacked(tmp_path, 2, 0.1, *TIGHT, generous=False) as stage:
        await once(stage)
        print(report(stage))
    assert sum(n for (_, code), n in stage.tally.counts.items() if code == "RESOURCE_EXHAUSTED")


@pytest.mark.needs_postgres
async def test_with_accounts_through_tls_and_on_postgresql_it_is_the_same(
    tmp_path: Path, postgres: Postgres
) -> None:
    way = Way(postgres.new_url(), tls=True, accounts=True)
    async with attacked(tmp_path, 3, 0.1, way=way) as stage:
        await once(stage)
        print(report(stage))
    assert stage.tally.counts["grpc", "UNAUTHENTICATED"] > 20
