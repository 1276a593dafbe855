"""Deadlines, archives, accounts at seats, later matches; indexes for whoever looks after the tables.

Servers of the version before know nothing of the new columns and go on until they are replaced: all have
defaults. An act of theirs leaves a deadline as it was, which whoever attends to the table finds out.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.add_column("tables", sa.Column("deadline", LONG))
    op.add_column("tables", sa.Column("compacted", LONG, nullable=False, server_default="0"))
    for name in ("later_variant", "later_rules_version", "later_settings"):
        op.add_column("tables", sa.Column(name, sa.Text))
    op.add_column("seats", sa.Column("account", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "archives",
        sa.Column(
            "table", LONG, sa.ForeignKey("tables.number"), primary_key=True, autoincrement=False
        ),
        sa.Column("revision", LONG, nullable=False),
        sa.Column("time", LONG, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("tables_by_update", "tables", ["status", "updated"])
    partial("tables_due", "tables", "deadline", "deadline IS NOT NULL")
    partial("tables_lengthy", "tables", "number", "revision - compacted > 1024")
    partial("tables_settled", "tables", "updated", "status >= 3 AND compacted < revision")
    partial("requests_making", "requests", "first", '"table" = 0')


def partial(name: str, table: str, column: str, where: str) -> None:
    """Make an index of some rows of a table."""
    rows = sa.text(where)
    op.create_index(name, table, [column], sqlite_where=rows, postgresql_where=rows)
