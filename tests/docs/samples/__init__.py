"""The pictures of the documentation, from real positions: ``python -m tests.docs.samples`` makes them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from engines.registry import SLUGS
from render.picture import Picture

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"


def pictures() -> dict[str, Picture]:
    """Every picture by its file name; each game has a module here that makes its own, and standings."""
    rooms = [import_module(f"tests.docs.samples.{room}") for room in (*SLUGS, "standings")]
    return {name: picture for room in rooms for name, picture in room.pictures().items()}
