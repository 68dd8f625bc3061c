import ast
import re
from pathlib import Path

import pytest

from engines.registry import SLUGS
from tests.docs.pages import PAGES, ROOT, anchor, headings, name, prose, read

LINK = re.compile(r'\]\(([^)\s]+)\)|\bsrc="([^"]+)"')
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
PLACE = re.compile(r"`([\w/]+\.py): ([\w.]+)`")
INVENTED = "mesh"
"""The game that docs/adding-a-game.md makes up."""

every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@every_page
def test_links_and_pictures_are_there(page: Path) -> None:
    for match in LINK.finditer(prose(page)):
        target = match[1] or match[2]
        if "://" in target:
            assert target.startswith("https://")
            continue
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if fragment:
            assert fragment in map(anchor, headings(file)), target


@every_page
def test_every_picture_has_words_for_those_who_cannot_see_it(page: Path) -> None:
    for picture in re.findall(r"<img[^>]*>", prose(page)):
        assert re.search(r'alt="[^"]{20,}"', picture), picture


@every_page
def test_files_that_are_named_are_there(page: Path) -> None:
    for path in FILE.findall(prose(page)):
        if INVENTED not in path and not path.startswith("."):
            assert (ROOT / path).exists(), path


@every_page
def test_names_that_are_cited_are_in_their_files(page: Path) -> None:
    for path, cited in PLACE.findall(read(page)):
        body = ast.parse(read(path)).body
        for part in cited.split("."):
            inside = dict(find_definitions(body))
            assert part in inside, f"{path}: {cited}"
            body = inside[part]


def find_definitions(body: list[ast.stmt]) -> list[tuple[str, list[ast.stmt]]]:
    pairs: list[tuple[str, list[ast.stmt]]] = []
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pairs.append((statement.name, statement.body))
            case ast.Assign(targets=[ast.Name(id=known)]) | ast.AnnAssign(target=ast.Name(id=known)):
                pairs.append((known, []))
    return pairs


def test_pictures_of_the_pages_are_all_used() -> None:
    rulebooks = [f"cogs/{slug}/rulebook.toml" for slug in SLUGS]
    used = " ".join([*map(read, PAGES), *map(read, rulebooks)])
    for picture in (ROOT / "docs" / "pictures").rglob("*.png"):
        assert picture.name in used, picture.name


def test_docstrings_cite_headings_of_the_rules() -> None:
    for folder in sorted((ROOT / "engines").iterdir()):
        page = ROOT / "docs" / "games" / f"{folder.name}.md"
        for file in folder.rglob("*.py"):
            for cited in re.findall(r"Rules: ([^.\n]+)", file.read_text(encoding="utf-8")):
                known = [heading for heading in headings(page) if heading.startswith(cited.split(",")[0])]
                assert known, f"{file.name}: {cited}"
