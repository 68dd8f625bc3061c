"""The pictures of the documentation, from real positions: ``python -m render.samples`` makes them."""

from __future__ import annotations

from pathlib import Path

from render.picture import Picture
from render.samples import ribbon, tangle, tanglewood, tangram, tesla

__all__ = ["FOLDER", "pictures"]

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def pictures() -> dict[str, Picture]:
    """Every picture by its file name."""
    games = (ribbon, tesla, tangram, tanglewood, tangle)
    return {name: picture for game in games for name, picture in game.pictures().items()}
