"""Runs this room's tests on every database, and leaves out what asks for a server where there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from db import condition
from tests.conftest import on_every_database as pytest_generate_tests
from tests.served import POSTGRES

__all__ = ["collect_ignore", "pytest_generate_tests"]

collect_ignore = (
    []
    if POSTGRES
    else [
        "connection/test_outcome.py",
        "connection/test_postgres.py",
        "connection/test_pooler.py",
        "processes/test_presence.py",
    ]
)

NEXT_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{next}", "{newest}", None, None


def upgrade() -> None:
    op.add_column("people", sa.Column("motto", sa.Text(), server_default="none yet", nullable=False))


def downgrade() -> None:
    op.drop_column("people", "motto")
"""
"""A migration that adds a setting of people."""


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make this program know the next version of the schema, too: every database is older."""
    newest = condition.revisions()[0]
    version = f"{int(newest) + 1:04}"
    (tmp_path / f"{version}_mottos.py").write_text(NEXT_MIGRATION.format(next=version, newest=newest))
    monkeypatch.setattr(condition, "VERSION_FOLDERS", [*condition.VERSION_FOLDERS, tmp_path])
    condition.revisions.cache_clear()
    yield version
    monkeypatch.undo()
    condition.revisions.cache_clear()
