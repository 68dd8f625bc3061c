"""The number of tries of a test: few in `make test`, as many as it takes in `make thorough`."""

import os
from typing import TypeVar

T = TypeVar("T")

THOROUGHLY = "TEST_THOROUGHLY"
"""The setting of the environment by which processes of the tests know; see the option `--thorough`."""


def often(usually: T, thoroughly: T) -> T:
    """Return samples or their number: the second in a thorough run."""
    return thoroughly if os.environ.get(THOROUGHLY) else usually
