"""What the samples of all games need to show a picture within a picture."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from render.core.picture import Picture


def opened(picture: Picture | None) -> Image.Image:
    """The image that a picture holds; a picture there must be."""
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")
