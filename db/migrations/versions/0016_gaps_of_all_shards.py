"""Keeps the outages of the whole bot and of its shards in one table."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

WHOLE = sa.table("gaps", sa.column("begin"), sa.column("end"))
PARTS = sa.table("shard_gaps", *(sa.column(name) for name in ("begin", "shard", "count", "end")))


def upgrade() -> None:
    found = sa.select(WHOLE.c.begin, sa.literal(0), sa.literal(1), WHOLE.c.end)
    op.execute(sa.insert(PARTS).from_select(["begin", "shard", "count", "end"], found))
    op.drop_table("gaps")
    op.rename_table("shard_gaps", "gaps")


def downgrade() -> None:
    op.rename_table("gaps", "shard_gaps")
    op.create_table(
        "gaps",
        sa.Column("begin", sa.Float(), autoincrement=False, nullable=False),
        sa.Column("end", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("begin", name="pk_gaps"),
    )
    of_all = PARTS.c.count == 1
    found = sa.select(PARTS.c.begin, PARTS.c.end).where(of_all)
    op.execute(sa.insert(WHOLE).from_select(["begin", "end"], found))
    op.execute(sa.delete(PARTS).where(of_all))
