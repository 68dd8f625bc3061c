"""Adds wishes for company, waits for it, and tables for those who finish."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("finishers", sa.Integer(), server_default="0", nullable=False))
    op.add_column("wishes", sa.Column("wants", sa.Text(), server_default="[]", nullable=False))
    op.create_table(
        "waits",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waits")),
    )
    op.create_index("ix_waits_guild_id_game", "waits", ["guild_id", "game"], unique=False)


def downgrade() -> None:
    op.drop_table("waits")
    op.drop_column("wishes", "wants")
    op.drop_column("tables", "finishers")
