"""When a person was last offered seats: three a day, whichever process sends them."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("offers", sa.Text(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("people", "offers")
