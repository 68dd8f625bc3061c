"""Helpers of all games' samples for a picture within a picture."""

from io import BytesIO

from PIL import Image

from render.core.canvas import Picture


def open_image(picture: Picture | None) -> Image.Image:
    """Return the image of a picture; it must exist."""
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")
