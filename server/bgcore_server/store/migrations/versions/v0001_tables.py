"""Tables, seats, events and requests: the schema of bgcore 0.1, which knew SQLite only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "tables",
        sa.Column("number", LONG, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("created", LONG, nullable=False),
        sa.Column("updated", LONG, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("visibility", sa.Integer, nullable=False),
        sa.Column("revision", LONG, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "seats",
        sa.Column(
            "table", LONG, sa.ForeignKey("tables.number"), primary_key=True, autoincrement=False
        ),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.Text, nullable=False),
        sa.Column("taken", sa.Integer, nullable=False),
        sa.Column("token", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        sa.Column(
            "table", LONG, sa.ForeignKey("tables.number"), primary_key=True, autoincrement=False
        ),
        sa.Column("revision", LONG, primary_key=True, autoincrement=False),
        sa.Column("time", LONG, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "requests",
        sa.Column("table", LONG, primary_key=True, autoincrement=False),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("first", LONG, nullable=False),
        sa.Column("last", LONG, nullable=False),
        sqlite_with_rowid=False,
    )
