"""Runs this room's tests on every database, and leaves out what asks for a server where there is none."""

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
