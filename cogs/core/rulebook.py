"""A game's rules in our own words, page by page, from the `rulebook.toml` of its room."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.canvas import Picture

COGS = Path(__file__).resolve().parents[1]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text, or a picture of the game's page in the docs: its file's name and its alt text."""

    text: str = ""
    picture: str = ""
    alt: str = ""


class _Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    part: list[_Part]


class _Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cover: _Part
    page: list[_Page]


@cache
def _read(slug: str) -> _Rulebook:
    written = (COGS / slug / "rulebook.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(written), _Rulebook)


@cache
def cover(slug: str) -> Picture:
    return _picture(slug, _read(slug).cover)


@cache
def pages(slug: str) -> list[Page]:
    """Return a game's rules; the first page begins with the cover."""
    result = [Page([part.text or _picture(slug, part) for part in page.part]) for page in _read(slug).page]
    result[0].parts[0] = Heading(str(result[0].parts[0]), cover(slug))
    return result


def page_number(slug: str, heading: str) -> int:
    """Return the number of the page with a heading, from 0. Raise ValueError if missing."""
    start = f"### {heading}\n"
    return [any(part.text.startswith(start) for part in page.part) for page in _read(slug).page].index(True)


def _picture(slug: str, part: _Part) -> Picture:
    return page_picture(slug, part.picture, part.alt)
