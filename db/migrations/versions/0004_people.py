"""People: blocks, followers, invitations, wishes; limits of a server."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SWITCHES = (
    ("tables", "private", False),
    ("tables", "ordered", False),
    ("tables", "rated", True),
    ("guilds", "rated", True),
    ("guilds", "rate_computers", False),
    ("people", "hidden", False),
)
OF_SERVERS = (
    ("asked_role_id", sa.BigInteger),
    ("asked_at", sa.Float),
    ("most_tables", sa.Integer),
    ("most_each", sa.Integer),
)


def upgrade() -> None:
    for table, name, usual in SWITCHES:
        default = sa.true() if usual else sa.false()
        op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=default))
    for name, kind in OF_SERVERS:
        op.add_column("guilds", sa.Column(name, kind(), nullable=True))
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index("ix_blocks_blocked_id", "blocks", ["blocked_id"], unique=False)
    for table in ("followers", "invitations"):
        op.create_table(
            table,
            sa.Column("table_id", sa.Integer(), nullable=False),
            sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
            sa.ForeignKeyConstraint(
                ["table_id"], ["tables.id"], name=op.f(f"fk_{table}_table_id"), ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f(f"pk_{table}")),
        )
        op.create_index(f"ix_{table}_user_id", table, ["user_id"], unique=False)
    op.create_table(
        "wishes",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("paces", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", name=op.f("pk_wishes")),
    )
    op.create_index("ix_wishes_guild_id_game", "wishes", ["guild_id", "game"], unique=False)
    op.create_index("ix_wishes_user_id", "wishes", ["user_id"], unique=False)


def downgrade() -> None:
    for table in ("wishes", "invitations", "followers", "blocks"):
        op.drop_table(table)
    for name, _ in OF_SERVERS:
        op.drop_column("guilds", name)
    for table, name, _ in SWITCHES:
        op.drop_column(table, name)
