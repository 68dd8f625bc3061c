import re
from io import BytesIO
from itertools import chain

import msgspec
import pytest
from PIL import Image, ImageChops, ImageStat

from cogs.core.presenter import presenter_of
from cogs.ui.page import Heading, Page
from engines.registry import SLUGS, games
from engines.tangle.pieces.components import CARDS
from engines.tanglewood.pieces.components import EFFECTS
from engines.words import ALT_LIMIT
from render.core.canvas import Picture
from tables.review.format import (
    LARGEST_FILE,
    VERSION,
    Chair,
    DealFile,
    FileStep,
    GameFile,
    PartFile,
    read,
    write,
)
from tables.review.import_export import MOST_HERE, MOST_OF_ONE, ImportedDeal, ImportedGame, import_file
from tests.docs.pages import blocks
from tests.docs.pages import read as page
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
def test_a_page_of_rules_is_short_and_its_pictures_small_and_told_in_words(slug: str) -> None:
    for picture in chain.from_iterable(map(find_pictures, presenter_of(slug).rules())):
        assert len(picture.png) <= 250 * KIBIBYTE, picture.name
        assert 20 <= len(picture.alt) <= ALT_LIMIT
    for shown in presenter_of(slug).rules():
        assert len(text(shown)) <= MOST_TEXT
        assert shown.view().total_children_count < MOST_ITEMS - 4  # the row that leafs through comes on top
        names = [picture.name for picture in find_pictures(shown)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("room", ["tangle", "tanglewood"])
def test_lists_of_cards_and_spaces_in_the_rules_are_told_whole_by_ear(room: str) -> None:
    said = {
        picture.name: picture.alt
        for page in map(find_pictures, presenter_of(room).rules())
        for picture in page
    }
    lists = {
        name.replace("/", "-"): picture.alt
        for name, picture in pictures(room).items()
        if re.search("/(spaces|cards|almanac|standing|tracks)", name)
    }

    assert len(lists) >= 4
    assert {name: said[name] for name in lists} == lists
    names = [card.name for card in (CARDS if room == "tangle" else EFFECTS).values()]
    assert [name for name in names if name not in " ".join(lists.values())] == []


@every_game
def test_a_cover_is_square_and_light(slug: str) -> None:
    cover = presenter_of(slug).cover()
    with Image.open(BytesIO(cover.png)) as image:
        assert image.size == (400, 400)
    assert len(cover.png) <= 50 * KIBIBYTE


PAGE = "docs/format.md"
WHOLE, DEAL = (block.encode() for block in blocks(PAGE, "json"))


def test_the_game_on_the_page_is_played_and_written_so_and_its_deal_can_be_begun_with() -> None:
    result = import_file(WHOLE)

    assert isinstance(result, ImportedGame)
    assert len(result.rows) == 4
    assert write(read(WHOLE)) == WHOLE
    assert isinstance(import_file(DEAL), ImportedDeal)


@pytest.mark.parametrize("kind", [GameFile, PartFile, DealFile])
def test_every_field_of_a_file_stands_on_the_page(kind: type[GameFile | PartFile | DealFile]) -> None:
    fields = page(PAGE).partition("## Fields")[2].partition("##")[0]
    entries = set()
    for names, where in re.findall(r"^\| (`.*?`) \| (.*?) \|", fields, re.MULTILINE):
        if where == "all" or f"`{kind.__struct_config__.tag}`" in where:
            entries |= set(re.findall(r"`(\w+)`", names))

    assert entries == {"kind", *kind.__struct_fields__}


def test_every_field_of_a_seat_a_step_and_every_deal_stands_on_the_page() -> None:
    for kind in (Chair, FileStep):
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in page(PAGE)
    for rules in games():
        (line,) = re.findall(rf"^\| `{rules.slug}` \| (.*) \|$", page(PAGE), re.MULTILINE)
        needed = [field.name for field in msgspec.structs.fields(rules.Deal) if field.required]
        assert [name for name in needed if f"`{name}`" not in line] == []


def test_limits_version_size_and_games_are_those_of_the_page() -> None:
    text = " ".join(page(PAGE).split())
    assert f"at most {MOST_OF_ONE} finished games a day, and a server at most {MOST_HERE}" in text
    for game in games():
        assert re.search(rf"{game.most_steps} (steps )?in `{game.slug}`", text)
    assert f"the version of this format, `{VERSION}`" in page(PAGE)
    assert f"at most {LARGEST_FILE // 1_000_000} MB" in page(PAGE)
    assert ", ".join(f"`{slug}`" for slug in SLUGS[:-1]) + f" or `{SLUGS[-1]}`" in page(PAGE)
