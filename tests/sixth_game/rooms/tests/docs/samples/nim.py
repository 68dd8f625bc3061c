"""The rules of Nim need no pictures."""

from __future__ import annotations

from render.core.picture import Picture


def pictures() -> dict[str, Picture]:
    """None."""
    return {}
