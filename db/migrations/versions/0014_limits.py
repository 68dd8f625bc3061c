"""Counts for limits: imported games, invitations by inviter and time; unwanted inviters."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ORIGIN = sa.text("origin IS NOT NULL")


def upgrade() -> None:
    for column in ("guild_id", "host_id"):
        op.create_index(
            f"ix_tables_{column}_created_at",
            "tables",
            [column, "created_at"],
            sqlite_where=ORIGIN,
            postgresql_where=ORIGIN,
        )
    op.add_column("invitations", sa.Column("by_id", sa.BigInteger(), nullable=True))
    op.add_column("invitations", sa.Column("at", sa.Float(), nullable=True))
    op.create_index("ix_invitations_by_id_at", "invitations", ["by_id", "at"])
    op.create_table(
        "unwanted",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("by_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "by_id", name="pk_unwanted"),
    )
    op.create_index("ix_unwanted_by_id", "unwanted", ["by_id"])


def downgrade() -> None:
    op.drop_table("unwanted")
    op.drop_index("ix_invitations_by_id_at", "invitations")
    op.drop_column("invitations", "at")
    op.drop_column("invitations", "by_id")
    for column in ("host_id", "guild_id"):
        op.drop_index(f"ix_tables_{column}_created_at", "tables")
