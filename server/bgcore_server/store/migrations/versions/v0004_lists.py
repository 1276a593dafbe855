"""Indexes for lists of public tables, of all variants and of one; without them such a list reads every table.

Servers of the version before need not know of them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make them."""
    partial("tables_public", "number")
    partial("tables_public_by_variant", sa.text("coalesce(later_variant, variant)"), "number")


def partial(name: str, *columns: str | sa.TextClause) -> None:
    """Make an index of the public tables."""
    public = sa.text("visibility = 1")
    op.create_index(name, "tables", columns, sqlite_where=public, postgresql_where=public)
