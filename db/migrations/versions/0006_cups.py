"""Cups: small tournaments, their players, and the tables of their rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cups",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=True),
        sa.Column("pace", sa.String(length=64), nullable=False),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.Float(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("announced", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cups")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_cups_channel_id_phase", "cups", ["channel_id", "phase"], unique=False)
    op.create_index("ix_cups_guild_id_phase", "cups", ["guild_id", "phase"], unique=False)
    op.create_index("ix_cups_phase_announced", "cups", ["phase", "announced"], unique=False)
    op.create_table(
        "cup_players",
        sa.Column("cup_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(
            ["cup_id"], ["cups.id"], name=op.f("fk_cup_players_cup_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("cup_id", "user_id", name=op.f("pk_cup_players")),
    )
    op.create_index("ix_cup_players_user_id", "cup_players", ["user_id"], unique=False)
    op.create_table(
        "cup_tables",
        sa.Column("cup_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("pod", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=True),
        sa.Column("places", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["cup_id"], ["cups.id"], name=op.f("fk_cup_tables_cup_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_cup_tables_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("cup_id", "round", "pod", name=op.f("pk_cup_tables")),
    )
    op.create_index("ix_cup_tables_table_id", "cup_tables", ["table_id"], unique=False)


def downgrade() -> None:
    for table in ("cup_tables", "cup_players", "cups"):
        op.drop_table(table)
