"""Hints: permission by table and server, and how many each seat took."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.String(16), nullable=False, server_default="usual"))
    op.add_column("guilds", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "hints_taken",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("about", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_hints_taken_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_hints_taken"),
    )


def downgrade() -> None:
    op.drop_table("hints_taken")
    op.drop_column("guilds", "hints")
    op.drop_column("tables", "hints")
