"""The deal of the day: deals, plays, posts, and the settings of servers and people."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

GUILDS = ("daily", "daily_channel_id", "daily_hour", "daily_games", "zone")
TABLES = ("daily_notices", "daily_points", "daily_members", "daily_posts", "daily_plays", "daily_deals")


def _id(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)


def _text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def upgrade() -> None:
    op.add_column("guilds", sa.Column("daily", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("guilds", sa.Column("daily_channel_id", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("daily_hour", sa.Integer(), server_default="9", nullable=False))
    op.add_column("guilds", sa.Column("daily_games", sa.Text(), server_default="[]", nullable=False))
    op.add_column("guilds", sa.Column("zone", sa.String(64), server_default="UTC", nullable=False))
    op.add_column("people", sa.Column("daily", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "daily_deals",
        _text("day", 10),
        _text("game", 32),
        _text("level", 64),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        _text("seed", 64),
        _text("salt", 64),
        sa.PrimaryKeyConstraint("day", "game", name="pk_daily_deals"),
    )
    op.create_table(
        "daily_plays",
        _id("user_id"),
        _text("day", 10),
        _text("game", 32),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        _text("name", 128),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("signs", sa.Text(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", "game", "attempt", name="pk_daily_plays"),
    )
    op.create_index("ix_daily_plays_day_game_ended_at", "daily_plays", ["day", "game", "ended_at"])
    op.create_index("ix_daily_plays_table_id", "daily_plays", ["table_id"])
    op.create_table(
        "daily_posts",
        _id("guild_id"),
        _text("day", 10),
        _text("game", 32),
        _id("channel_id"),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.Float(), nullable=True),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", name="pk_daily_posts"),
    )
    op.create_index("ix_daily_posts_closed_at", "daily_posts", ["closed_at"])
    op.create_table(
        "daily_members",
        _id("guild_id"),
        _id("user_id"),
        sa.Column("member", sa.Boolean(), nullable=False),
        sa.Column("checked_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_daily_members"),
    )
    op.create_index("ix_daily_members_user_id", "daily_members", ["user_id"])
    op.create_table(
        "daily_points",
        _id("guild_id"),
        _text("day", 10),
        _id("user_id"),
        _text("name", 128),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", "user_id", name="pk_daily_points"),
    )
    op.create_index("ix_daily_points_user_id", "daily_points", ["user_id"])
    op.create_table(
        "daily_notices",
        _id("user_id"),
        _text("day", 10),
        _id("guild_id"),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("sent", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", name="pk_daily_notices"),
    )
    op.create_index("ix_daily_notices_sent_due_at", "daily_notices", ["sent", "due_at"])


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    op.drop_column("people", "daily")
    for column in reversed(GUILDS):
        op.drop_column("guilds", column)
