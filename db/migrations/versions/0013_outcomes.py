"""Outcomes of commits after a lost connection, indexes of people, and erasures in parts."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

INDICES = (
    ("tables", "host_id"),
    ("seats", "kept_for"),
    ("actions", "actor_id", "table_id"),
    ("posts", "target"),
    ("cups", "host_id"),
    ("results", "user_id"),
    ("ratings", "user_id"),
    ("audit", "actor_id"),
)
LOT = 500
"""Entries read at once."""


def upgrade() -> None:
    op.create_table(
        "writers",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("batch", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_writers"),
    )

    op.create_table(
        "erasures",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_erasures"),
    )

    for table, *columns in INDICES:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, columns)
    proposed = sa.text("proposal IS NOT NULL")
    op.create_index("ix_tables_proposed", "tables", ["id"], sqlite_where=proposed, postgresql_where=proposed)

    op.create_table(
        "named",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_named_table_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_named"),
    )
    op.create_index("ix_named_table_id", "named", ["table_id"])
    entries = op.get_bind().execute(
        sa.text(
            "SELECT table_id, kind, payload FROM actions "
            "WHERE kind IN ('start', 'take_over') AND payload IS NOT NULL"
        )
    )
    noting = sa.text(
        "INSERT INTO named (user_id, table_id) VALUES (:user_id, :table_id) ON CONFLICT DO NOTHING"
    )
    for lot in entries.partitions(LOT):
        rows = [
            {"user_id": user_id, "table_id": table_id}
            for table_id, kind, payload in lot
            for user_id in _people(kind, payload)
        ]
        if rows:
            op.get_bind().execute(noting, rows)


def _people(kind: str, payload: str) -> set[int]:
    """Return the people whom an entry of this version names by id."""
    told = json.loads(payload)
    people = told["people"] if kind == "start" else [told.get("left"), told.get("came")]
    return {user_id for user_id in people if user_id is not None and user_id > 0}


def downgrade() -> None:
    op.drop_table("named")
    op.drop_index("ix_tables_proposed", "tables")
    for table, *columns in reversed(INDICES):
        op.drop_index(f"ix_{table}_{'_'.join(columns)}", table)
    op.drop_table("erasures")
    op.drop_table("writers")
