from io import BytesIO

from PIL import Image

from render.core.canvas import Picture


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")
