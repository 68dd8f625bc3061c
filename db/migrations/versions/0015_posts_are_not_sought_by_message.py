"""Drops the index of posts by message, which nothing uses."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_posts_message_id", "posts")


def downgrade() -> None:
    op.create_index("ix_posts_message_id", "posts", ["message_id"])
