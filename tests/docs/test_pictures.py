from io import BytesIO
from itertools import chain

import pytest
from PIL import Image, ImageChops, ImageStat

from cogs.core.presenter import presenter_of
from cogs.ui.page import Heading, Page
from engines.registry import SLUGS
from engines.words import ALT_LIMIT
from render.core.canvas import Picture
from tests.docs.samples import FOLDER, ROOMS, pictures

KIBIBYTE = 1024
MOST_TEXT = 1200
MOST_ITEMS = 40

every_game = pytest.mark.parametrize("slug", SLUGS)


def find_pictures(page: Page) -> list[Picture]:
    parts = [part.picture if isinstance(part, Heading) else part for part in page.parts]
    return [part for part in parts if isinstance(part, Picture)]


def text(page: Page) -> str:
    parts = [part.text if isinstance(part, Heading) else part for part in page.parts]
    return "".join(part for part in parts if isinstance(part, str))


@pytest.mark.essential
@pytest.mark.parametrize(
    "room", [pytest.param(one, marks=() if one == "ribbon" else pytest.mark.thorough) for one in ROOMS]
)
def test_the_pictures_are_as_the_renderer_makes_them(room: str) -> None:
    for name, picture in pictures(room).items():
        with Image.open(FOLDER / name) as stored, Image.open(BytesIO(picture.png)) as made:
            assert stored.size == made.size, name
            difference = ImageChops.difference(stored.convert("RGB"), made.convert("RGB"))
            assert max(ImageStat.Stat(difference).mean) < 0.5, f"{name}: python -m tests.docs.samples"


@every_game
def test_a_page_of_rules_is_short_and_fits_a_message(slug: str) -> None:
    for page in presenter_of(slug).rules():
        assert len(text(page)) <= MOST_TEXT
        assert page.view().total_children_count < MOST_ITEMS - 4  # the row that leafs through comes on top
        names = [picture.name for picture in find_pictures(page)]
        assert len(names) == len(set(names))


@every_game
def test_pictures_of_the_rules_are_small_and_told_in_words(slug: str) -> None:
    for picture in chain.from_iterable(map(find_pictures, presenter_of(slug).rules())):
        assert len(picture.png) <= 250 * KIBIBYTE, picture.name
        assert 20 <= len(picture.alt) <= ALT_LIMIT


@every_game
def test_a_cover_is_square_and_light(slug: str) -> None:
    cover = presenter_of(slug).cover()
    with Image.open(BytesIO(cover.png)) as image:
        assert image.size == (400, 400)
    assert len(cover.png) <= 50 * KIBIBYTE
