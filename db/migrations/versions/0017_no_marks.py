"""Drops the marks of batches: the server itself knows the outcome of a transaction."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("writers")


def downgrade() -> None:
    op.create_table(
        "writers",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("batch", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_writers"),
    )
