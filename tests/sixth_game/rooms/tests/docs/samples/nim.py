from render.core.canvas import Picture
from render.nim import cover


def pictures() -> dict[str, Picture]:
    return {"nim/cover.png": cover()}
