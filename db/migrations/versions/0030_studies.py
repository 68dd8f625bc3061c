"""Private tables on which people try positions."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_studies_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name="pk_studies"),
    )
    op.create_index("ix_studies_user_id_kind", "studies", ["user_id", "kind"])
    op.create_index("ix_studies_source_id", "studies", ["source_id"])
    op.create_index("ix_studies_begun_at", "studies", ["begun_at"])


def downgrade() -> None:
    op.drop_table("studies")
