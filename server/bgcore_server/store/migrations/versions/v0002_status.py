"""An index for lists of tables that wait or are in play; the old mark of the schema goes.

Without that mark bgcore 0.1 refuses the file, instead of writing what later versions do not expect.
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the one and drop the other."""
    op.create_index("tables_by_status", "tables", ["status", "number"])
    op.drop_table("schema_version", if_exists=True)
