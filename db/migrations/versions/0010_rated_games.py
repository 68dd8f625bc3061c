"""The number of games behind the ratings of a server's game."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rated_games",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", name="pk_rated_games"),
    )
    op.execute(
        "INSERT INTO rated_games (guild_id, game, number) "
        "SELECT guild_id, game, count(DISTINCT table_id) FROM results "
        "WHERE counts AND kind = 'versus' GROUP BY guild_id, game"
    )


def downgrade() -> None:
    op.drop_table("rated_games")
