"""People's tries at puzzles, their ratings, the puzzles' levels, and a server's wish for one a day."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(32), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("solved_on", sa.String(10)),
        sa.PrimaryKeyConstraint("user_id", "game", "puzzle", name="pk_puzzle_tries"),
    )
    op.create_table(
        "puzzle_hints",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "puzzle", name="pk_puzzle_hints"),
    )
    op.create_table(
        "puzzle_players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        *_rating_columns(),
        sa.PrimaryKeyConstraint("user_id", "game", name="pk_puzzle_players"),
    )
    op.create_table(
        "puzzle_levels",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(32), nullable=False),
        *_rating_columns(),
        sa.PrimaryKeyConstraint("game", "puzzle", name="pk_puzzle_levels"),
    )
    op.add_column(
        "guilds", sa.Column("daily_puzzle", sa.Boolean(), server_default=sa.false(), nullable=False)
    )


def _rating_columns() -> list[sa.Column[float] | sa.Column[int]]:
    return [
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
    ]


def downgrade() -> None:
    op.drop_column("guilds", "daily_puzzle")
    for name in ("puzzle_levels", "puzzle_players", "puzzle_hints", "puzzle_tries"):
        op.drop_table(name)
