"""Indexes the people named by the audit log, a fork or a proposal."""

import json
import re
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

LOT = 500
"""Rows read at once."""


def upgrade() -> None:
    op.drop_index("ix_tables_proposed", "tables")
    op.create_index("ix_outbox_target", "outbox", ["target"])
    op.create_table(
        "audit_people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audit_id"], ["audit.id"], name="fk_audit_people_audit_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "audit_id", name="pk_audit_people"),
    )
    op.create_index("ix_audit_people_audit_id", "audit_people", ["audit_id"])
    _insert("audit_people", "audit_id", _audit_people())
    _insert("named", "table_id", _proposed())
    _insert("named", "table_id", _forked())


def downgrade() -> None:
    op.drop_table("audit_people")
    op.drop_index("ix_outbox_target", "outbox")
    proposed = sa.text("proposal IS NOT NULL")
    op.create_index("ix_tables_proposed", "tables", ["id"], sqlite_where=proposed, postgresql_where=proposed)


def _insert(table: str, column: str, rows: Iterator[tuple[int, int]]) -> None:
    adding = sa.text(
        f"INSERT INTO {table} (user_id, {column}) "  # noqa: S608 - both are words of this file
        "VALUES (:user_id, :number) ON CONFLICT DO NOTHING"
    )
    waiting: list[dict[str, int]] = []
    for user_id, number in rows:
        waiting.append({"user_id": user_id, "number": number})
        if len(waiting) == LOT:
            op.get_bind().execute(adding, waiting)
            waiting = []
    if waiting:
        op.get_bind().execute(adding, waiting)


def _read(query: str) -> Iterator[tuple[int, str]]:
    for lot in op.get_bind().execute(sa.text(query)).partitions(LOT):
        yield from ((row[0], row[1]) for row in lot)


def _audit_people() -> Iterator[tuple[int, int]]:
    for number, detail in list(_read("SELECT id, detail FROM audit ORDER BY id")):
        for user_id in _people(detail):
            yield user_id, number


def _people(detail: str) -> set[int]:
    """Return the ids in a detail of this version's log."""
    ids = {int(number) for number in re.findall(r"(?<!\d)\d{15,18}(?!\d)|(?<!\d)[1-8]\d{18}(?!\d)", detail)}
    try:
        fields = json.loads(detail or "null")
    except ValueError:
        return ids
    if isinstance(fields, dict):
        ids.update(
            one for one in (fields.get("person"), fields.get("by")) if isinstance(one, int) and one > 0
        )
    return ids


def _proposed() -> Iterator[tuple[int, int]]:
    for number, proposal in list(_read("SELECT id, proposal FROM tables WHERE proposal IS NOT NULL")):
        user_id = json.loads(proposal).get("to")
        if user_id is not None:
            yield user_id, number


def _forked() -> Iterator[tuple[int, int]]:
    people = sa.text(
        "SELECT user_id FROM seats WHERE table_id = :source AND user_id IS NOT NULL "
        "UNION SELECT kept_for FROM seats WHERE table_id = :source AND kept_for > 0 "
        "UNION SELECT user_id FROM named WHERE table_id = :source"
    )
    for number, origin in list(_read("SELECT id, origin FROM tables WHERE origin IS NOT NULL")):
        fields = json.loads(origin)
        if fields.get("type") == "forked":
            for row in op.get_bind().execute(people, {"source": fields["table"]}):
                yield row[0], number
