"""The turns that people at a table have planned ahead, and their standing answers."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None
COLUMNS = ("plans", "standing")


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("tables", sa.Column(name, sa.Text(), nullable=False, server_default="[]"))


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("tables", name)
