import re

import msgspec
import pytest

from engines.registry import SLUGS, games
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

PAGE = "docs/format.md"
WHOLE, DEAL = (block.encode() for block in blocks(PAGE, "json"))


def test_the_game_on_the_page_is_played_and_written_as_it_stands_there() -> None:
    result = import_file(WHOLE)

    assert isinstance(result, ImportedGame)
    assert len(result.rows) == 4
    assert write(read(WHOLE)) == WHOLE


def test_the_deal_on_the_page_can_be_begun_with() -> None:
    assert isinstance(import_file(DEAL), ImportedDeal)


@pytest.mark.parametrize("kind", [GameFile, PartFile, DealFile])
def test_every_field_of_a_file_stands_on_the_page(kind: type[GameFile | PartFile | DealFile]) -> None:
    fields = page(PAGE).partition("## Fields")[2].partition("##")[0]
    entries = set()
    for names, where in re.findall(r"^\| (`.*?`) \| (.*?) \|", fields, re.MULTILINE):
        if where == "all" or f"`{kind.__struct_config__.tag}`" in where:
            entries |= set(re.findall(r"`(\w+)`", names))

    assert entries == {"kind", *kind.__struct_fields__}


def test_every_field_of_a_seat_and_of_a_step_stands_on_the_page() -> None:
    for kind in (Chair, FileStep):
        for field in msgspec.structs.fields(kind):
            assert f"`{field.name}`" in page(PAGE)


def test_every_field_of_every_deal_stands_on_the_page() -> None:
    for game in games():
        (line,) = re.findall(rf"^\| `{game.slug}` \| (.*) \|$", page(PAGE), re.MULTILINE)
        needed = [field.name for field in msgspec.structs.fields(game.Deal) if field.required]
        assert [name for name in needed if f"`{name}`" not in line] == []


def test_the_limits_of_imported_games_are_those_of_the_page() -> None:
    text = " ".join(page(PAGE).split())
    assert f"at most {MOST_OF_ONE} finished games a day, and a server at most {MOST_HERE}" in text
    for game in games():
        assert re.search(rf"{game.most_steps} (steps )?in `{game.slug}`", text)


def test_version_size_and_games_are_those_of_the_page() -> None:
    assert f"the version of this format, `{VERSION}`" in page(PAGE)
    assert f"at most {LARGEST_FILE // 1_000_000} MB" in page(PAGE)
    assert ", ".join(f"`{slug}`" for slug in SLUGS[:-1]) + f" or `{SLUGS[-1]}`" in page(PAGE)
