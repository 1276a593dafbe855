"""What alembic runs. The connection is given by `migrate.py` and is in a transaction already."""

from __future__ import annotations

from alembic import context

from bgcore_server.store.migrate import SCHEMA_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=SCHEMA_TABLE)
with context.begin_transaction():
    context.run_migrations()
