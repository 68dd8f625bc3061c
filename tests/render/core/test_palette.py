"""A palette keeps its colours, and a picture never needs more than its palette has."""

import pytest
from PIL import Image

from render.core.theme import LIGHT, THEMES, Palette, ramp


def test_too_many_colours_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 255"):
        Palette((shade, shade, 0) for shade in range(256))


@pytest.mark.parametrize("name", THEMES)
def test_a_palette_keeps_its_own_colours_nearly_as_they_are(name: str) -> None:
    palette = THEMES[name].palette
    image = Image.new("RGB", (len(palette.colours), 1))
    image.putdata(palette.colours)
    stored = palette.apply(image).convert("RGB")
    for index, colour in enumerate(palette.colours):
        result = stored.getpixel((index, 0))
        assert isinstance(result, tuple)
        assert max(abs(one - two) for one, two in zip(result, colour, strict=True)) <= 4


def test_a_ramp_goes_through_all_its_stops() -> None:
    assert ramp([LIGHT.ink, LIGHT.danger, LIGHT.paper], 9)[::4] == [LIGHT.ink, LIGHT.danger, LIGHT.paper]
