"""The picture of Nim's rules."""

from __future__ import annotations

from render.core.picture import Picture
from render.nim import cover


def pictures() -> dict[str, Picture]:
    return {"nim/cover.png": cover()}
