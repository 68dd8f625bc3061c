"""Runs this room's tests on the server alone, for that is what processes share."""

import pytest

from tests.served import POSTGRES

collect_ignore = [] if POSTGRES else ["test_restart.py", "test_scale.py", "test_standby.py"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", ["postgresql"], indirect=True)
