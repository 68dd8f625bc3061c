"""Leaves out what asks for a server where there is none."""

from __future__ import annotations

from tests.conftest import POSTGRES

collect_ignore = [] if POSTGRES else ["test_postgres.py"]
