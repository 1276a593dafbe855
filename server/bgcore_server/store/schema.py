"""What is kept, as tables of a database: one schema for every engine.

Nothing on the path of a command uses this. It is what the migrations lead to (`migrations/`), a test
compares the two, and the statements of the commands are in `statements.py`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData()

# SQLite numbers its rows only in a column that is called INTEGER, which holds 64 bits anyway.
Long = BigInteger().with_variant(Integer(), "sqlite")

tables = Table(
    "tables",
    metadata,
    Column("number", Long, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("created", Long, nullable=False),  # microseconds since 1970, as all times
    Column("updated", Long, nullable=False),
    Column("variant", Text, nullable=False),
    Column("rules_version", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("visibility", Integer, nullable=False),
    Column("revision", Long, nullable=False),
    Column("deadline", Long),  # when something happens by itself
    Column("compacted", Long, nullable=False, server_default="0"),  # the last event in the archive
    # The rules of the match that is on, where it is not the table's first.
    Column("later_variant", Text),
    Column("later_rules_version", Text),
    Column("later_settings", Text),
    sqlite_autoincrement=True,
)
Index("tables_by_status", tables.c.status, tables.c.number)
Index("tables_by_update", tables.c.status, tables.c.updated)
# These hold only the few rows that somebody will ask for, so most acts do not touch them.
DUE = text("deadline IS NOT NULL")
Index("tables_due", tables.c.deadline, sqlite_where=DUE, postgresql_where=DUE)
LENGTHY = text("revision - compacted > 1024")
Index("tables_lengthy", tables.c.number, sqlite_where=LENGTHY, postgresql_where=LENGTHY)
SETTLED = text("status >= 3 AND compacted < revision")
Index("tables_settled", tables.c.updated, sqlite_where=SETTLED, postgresql_where=SETTLED)
PUBLIC = text("visibility = 1")
PLAYED = text("coalesce(later_variant, variant)")
Index("tables_public", tables.c.number, sqlite_where=PUBLIC, postgresql_where=PUBLIC)
Index(
    "tables_public_by_variant",
    PLAYED,
    tables.c.number,
    sqlite_where=PUBLIC,
    postgresql_where=PUBLIC,
)

seats = Table(
    "seats",
    metadata,
    Column("table", Long, ForeignKey("tables.number"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("bot", Text, nullable=False),
    Column("taken", Integer, nullable=False),
    Column("token", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("account", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("table", Long, ForeignKey("tables.number"), primary_key=True, autoincrement=False),
    Column("revision", Long, primary_key=True, autoincrement=False),
    Column("time", Long, nullable=False),
    Column("seat", Integer),
    Column("request_id", Text, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

requests = Table(
    "requests",
    metadata,
    # 0 for requests that make tables; `first` is then the table's number.
    Column("table", Long, primary_key=True, autoincrement=False),
    Column("scope", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("first", Long, nullable=False),
    Column("last", Long, nullable=False),
    sqlite_with_rowid=False,
)
MAKING = text('"table" = 0')
Index("requests_making", requests.c.first, sqlite_where=MAKING, postgresql_where=MAKING)

archives = Table(
    "archives",
    metadata,
    Column("table", Long, ForeignKey("tables.number"), primary_key=True, autoincrement=False),
    Column("revision", Long, nullable=False),
    Column("time", Long, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
