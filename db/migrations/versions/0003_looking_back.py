"""Looking back: the beat of each step, people's notes, a table's origin."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("actions", sa.Column("beat", sa.Integer(), nullable=True))
    op.add_column("tables", sa.Column("origin", sa.Text(), nullable=True))
    op.create_table(
        "notes",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_notes_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_notes")),
    )
    op.create_index("ix_notes_user_id", "notes", ["user_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_notes_user_id", "notes")
    op.drop_table("notes")
    op.drop_column("tables", "origin")
    op.drop_column("actions", "beat")
