"""Letters are set quickly, and look as their font draws them."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import ImageFont

from render.core.text import FontFace, font


@pytest.mark.parametrize(("size", "weight"), [(17, 500), (24, 400), (46, 700)])
def test_letters_look_as_the_whole_font_draws_them(size: int, weight: int) -> None:
    package = find_spec(FontFace.TEXT.value[0])
    assert package is not None
    assert package.origin is not None
    whole = ImageFont.truetype(
        str(Path(package.origin).parent / FontFace.TEXT.value[1]), size, layout_engine=ImageFont.Layout.BASIC
    )
    whole.set_variation_by_axes([weight, 100])
    ours = font(FontFace.TEXT, size, weight)

    for text in ("Tangle 0123456789", "Zoë, Łukasz & Ærø", "Ωμέγα Жанна", "fi ffl AVATAR …›·–"):
        assert ours.getlength(text) == whole.getlength(text)
        assert bytes(ours.getmask(text)) == bytes(whole.getmask(text))
