"""The pictures of the documentation, from real positions: ``python -m tests.docs.samples`` makes them."""

from importlib import import_module
from pathlib import Path

from engines.registry import SLUGS
from render.core.canvas import Picture

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
ROOMS = (*SLUGS, "standings", "daily")
"""Each game has a module here that makes its pictures; the standings and the deal of the day have one."""


def pictures(room: str) -> dict[str, Picture]:
    made: dict[str, Picture] = import_module(f"tests.docs.samples.{room}").pictures()
    return made
