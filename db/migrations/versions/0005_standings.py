"""Standings: results of finished tables, ratings, and tables not yet counted."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = (
    ("results", ("guild_id", "game", "ended_at")),
    ("results", ("guild_id", "user_id")),
    ("ratings", ("guild_id", "game", "rating")),
    ("ratings", ("guild_id", "user_id")),
)


def _of_table(table: str) -> tuple[sa.Column[int], sa.ForeignKeyConstraint]:
    key = op.f(f"fk_{table}_table_id")
    return (
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=key, ondelete="CASCADE"),
    )


def upgrade() -> None:
    op.create_table(
        "uncounted",
        *_of_table("uncounted"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_uncounted")),
    )
    op.create_table(
        "results",
        *_of_table("results"),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("stayed", sa.Boolean(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("won", sa.Boolean(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=True),
        sa.Column("after", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_results")),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("recent", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_ratings")),
    )
    for table, columns in INDEXES:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns), unique=False)


def downgrade() -> None:
    for table in ("ratings", "results", "uncounted"):
        op.drop_table(table)
