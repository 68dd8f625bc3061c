"""What is counted for limits: games that were read from files, by server and by who has imported them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None

ORIGIN = sa.text("origin IS NOT NULL")


def upgrade() -> None:
    for column in ("guild_id", "host_id"):
        op.create_index(
            f"ix_tables_{column}_created_at",
            "tables",
            [column, "created_at"],
            sqlite_where=ORIGIN,
            postgresql_where=ORIGIN,
        )


def downgrade() -> None:
    for column in ("host_id", "guild_id"):
        op.drop_index(f"ix_tables_{column}_created_at", "tables")
