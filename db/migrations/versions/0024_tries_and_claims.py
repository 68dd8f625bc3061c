"""Keeps a try at a deal of the day after its person is erased; adds the claim time of posts."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("day", "mark"),
    )
    op.add_column("daily_posts", sa.Column("claimed_at", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("daily_posts", "claimed_at")
    op.drop_table("daily_tries")
