"""How often something is tried: a little in `make test`, as often as it takes in `make thorough`."""

from __future__ import annotations

import os

THOROUGHLY = "TEST_THOROUGHLY"
"""The setting of the environment by which processes of the tests know; see the option `--thorough`."""


def often(usually: int, thoroughly: int) -> int:
    """How many samples are taken: the first number, or in a thorough run the second."""
    return thoroughly if os.environ.get(THOROUGHLY) else usually
