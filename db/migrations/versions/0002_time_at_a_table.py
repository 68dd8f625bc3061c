"""Time at a table: clocks, people's settings, the bot's outages, a server's notice board.

Open tables had no clock: seats that owe a move get one that starts now.
"""

import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WAITED_FOR = 3 * 86400.0
"""Seconds without a clock after which the others can go on."""


def _column(name: str, kind: sa.types.TypeEngine[object], default: object = None) -> sa.Column[object]:
    """Return a new column, empty or with a default in old rows."""
    return sa.Column(name, kind, nullable=default is None, server_default=default)


def _new_columns() -> dict[str, list[sa.Column[object]]]:
    return {
        "tables": [
            _column("pace", sa.String(length=64), "none"),
            _column("when_late", sa.String(length=16), "others"),
            _column("starts_full", sa.Boolean(), sa.false()),
            _column("clocks", sa.Text(), "[]"),
            _column("paused_at", sa.Float()),
            _column("paused_until", sa.Float()),
            _column("proposal", sa.Text()),
            _column("due_at", sa.Float()),
        ],
        "seats": [_column("kept_for", sa.BigInteger())],
        "guilds": [
            _column("pace", sa.String(length=64), "daily"),
            _column("forbidden_paces", sa.Text(), "[]"),
            _column("when_late", sa.String(length=16), "others"),
            _column("board_channel_id", sa.BigInteger()),
            _column("board_message_id", sa.BigInteger()),
        ],
    }


def upgrade() -> None:
    for table, columns in _new_columns().items():
        for column in columns:
            # Not in a batch: SQLite would recreate the table, and drop all that hangs on the old one.
            op.add_column(table, column)
    op.create_index("ix_tables_due_at", "tables", ["due_at"], unique=False)
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("notices", sa.String(length=16), nullable=False),
        sa.Column("reminders", sa.Boolean(), nullable=False),
        sa.Column("hands", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("quiet_begins", sa.Integer(), nullable=True),
        sa.Column("quiet_ends", sa.Integer(), nullable=True),
        sa.Column("digest_hour", sa.Integer(), nullable=True),
        sa.Column("digest_at", sa.Float(), nullable=True),
        sa.Column("digested_at", sa.Float(), nullable=True),
        sa.Column("away_note", sa.Text(), nullable=False),
        sa.Column("absences", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_index("ix_people_digest_at", "people", ["digest_at"], unique=False)
    op.create_table(
        "gaps",
        sa.Column("begin", sa.Float(), autoincrement=False, nullable=False),
        sa.Column("end", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("begin", name=op.f("pk_gaps")),
    )
    _wait_from_now_on()


def _wait_from_now_on() -> None:
    """Give seats of running games a clock."""
    connection, now = op.get_bind(), time.time()
    tables = sa.table(
        "tables",
        *(sa.column(name) for name in ("id", "phase", "owing", "clocks", "due_at", "touched_at")),
    )
    seats = sa.table("seats", sa.column("table_id"), sa.column("user_id"))
    counted = sa.select(seats.c.table_id, sa.func.count().label("number")).group_by(seats.c.table_id)
    numbers = {row.table_id: row.number for row in connection.execute(counted)}
    playing = sa.select(tables.c.id, tables.c.owing).where(tables.c.phase == "play")
    for row in connection.execute(playing).all():
        owing = json.loads(row.owing)
        clocks = [
            {"left": WAITED_FOR, "since": now, "had": WAITED_FOR, "begun": now}
            if seat in owing
            else {"left": WAITED_FOR}
            for seat in range(numbers.get(row.id, 0))
        ]
        values = {"clocks": json.dumps(clocks), "due_at": now + WAITED_FOR}
        connection.execute(sa.update(tables).where(tables.c.id == row.id).values(values))
    waiting = sa.update(tables).where(tables.c.phase == "lobby")
    connection.execute(waiting.values(due_at=now + 7 * 86400.0))


def downgrade() -> None:
    op.drop_table("gaps")
    op.drop_index("ix_people_digest_at", "people")
    op.drop_table("people")
    op.drop_index("ix_tables_due_at", "tables")
    for table, columns in _new_columns().items():
        for column in columns:
            op.drop_column(table, column.name)
