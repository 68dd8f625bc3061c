"""The turns that people at a table have planned ahead."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("plans", sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("tables", "plans")
