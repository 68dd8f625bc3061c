"""Counts changes that only time makes, so that no other process overwrites one."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("ticks", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("tables", "ticks")
