"""Indexes by server, so that each process finds the due rows of its shards."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INDICES = (("outbox", "due_at"), ("tables", "due_at"), ("tables", "computer_due"))


def upgrade() -> None:
    op.add_column("outbox", sa.Column("guild_id", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute("UPDATE outbox SET guild_id = (SELECT guild_id FROM tables WHERE tables.id = outbox.table_id)")
    for table, column in INDICES:
        op.drop_index(f"ix_{table}_{column}", table)
        op.create_index(f"ix_{table}_{column}_guild_id", table, [column, "guild_id"])

    op.create_table(
        "shard_gaps",
        sa.Column("begin", sa.Float(), autoincrement=False, nullable=False),
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("count", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("end", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("begin", "shard", "count", name="pk_shard_gaps"),
    )


def downgrade() -> None:
    op.drop_table("shard_gaps")
    for table, column in INDICES:
        op.drop_index(f"ix_{table}_{column}_guild_id", table)
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.drop_column("outbox", "guild_id")
