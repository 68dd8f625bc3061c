"""The reason for which a table's board can't be shown."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("obstacle", sa.String(16), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "obstacle")
