"""The picture of Nim's rules."""

from render.core.picture import Picture
from render.nim import cover


def pictures() -> dict[str, Picture]:
    return {"nim/cover.png": cover()}
