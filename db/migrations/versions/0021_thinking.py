"""The thinking time of a table's computers."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("thinking", sa.String(16), nullable=False, server_default="usual"))


def downgrade() -> None:
    op.drop_column("tables", "thinking")
