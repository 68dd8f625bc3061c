"""First-time notes that people have read, and where."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("lesson", sa.String(32), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("moment", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "lesson", name="pk_lessons"),
    )


def downgrade() -> None:
    op.drop_table("lessons")
