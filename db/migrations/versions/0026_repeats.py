"""Counts plays of past deals by person and day."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "daily_repeats",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", name="pk_daily_repeats"),
    )


def downgrade() -> None:
    op.drop_table("daily_repeats")
