"""Servers that have removed the bot, with the time."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("guilds", sa.Column("removed_at", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("guilds", "removed_at")
