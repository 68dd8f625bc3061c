"""Limits on opening tables, computer players, and indexes of the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

LOG = (
    ("ix_audit_guild_id_id", ["guild_id", "id"]),
    ("ix_audit_guild_id_table_id_id", ["guild_id", "table_id", "id"]),
    ("ix_audit_guild_id_actor_id_id", ["guild_id", "actor_id", "id"]),
)


def upgrade() -> None:
    op.add_column("guilds", sa.Column("open_in", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("guilds", sa.Column("open_role_id", sa.BigInteger(), nullable=True))
    op.add_column("guilds", sa.Column("computers", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.drop_index("ix_audit_guild_id", table_name="audit")
    for name, columns in LOG:
        op.create_index(name, "audit", columns, unique=False)


def downgrade() -> None:
    for name, _ in LOG:
        op.drop_index(name, table_name="audit")
    op.create_index("ix_audit_guild_id", "audit", ["guild_id"], unique=False)
    for column in ("computers", "open_role_id", "open_in"):
        op.drop_column("guilds", column)
