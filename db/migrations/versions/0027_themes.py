"""The themes of people's private pictures and of servers' posts."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None
TABLES = ("people", "guilds")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("theme", sa.String(16), server_default="light", nullable=False))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "theme")
