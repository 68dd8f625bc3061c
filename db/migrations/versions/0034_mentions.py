"""People choose whether a post mentions them although they are there."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("always_called", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("people", column)


def downgrade() -> None:
    with op.batch_alter_table("people") as people:
        people.drop_column("always_called")
