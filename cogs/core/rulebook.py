"""A game's rules in our own words, as pages to leaf through, from the `rulebook.toml` of its room."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.picture import Picture

COGS = Path(__file__).resolve().parents[1]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text, or a picture of the game's page in the docs: the name of its file, and what it shows in words."""

    text: str = ""
    picture: str = ""
    alt: str = ""


class _Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of a page; `name` is what code finds it by."""

    part: list[_Part]
    name: str = ""


class _Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cover: _Part
    page: list[_Page]


@cache
def _read(slug: str) -> _Rulebook:
    written = (COGS / slug / "rulebook.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(written), _Rulebook)


@cache
def cover(slug: str) -> Picture:
    """A small picture that stands for a game."""
    return _picture(slug, _read(slug).cover)


@cache
def pages(slug: str) -> list[Page]:
    """The rules of a game, a page at a time; the first one begins with the cover."""
    found = [Page([part.text or _picture(slug, part) for part in page.part]) for page in _read(slug).page]
    found[0].parts[0] = Heading(str(found[0].parts[0]), cover(slug))
    return found


def number_named(slug: str, name: str) -> int:
    """The number of the page of that name, from 0. Raises ValueError where there is none."""
    return [page.name for page in _read(slug).page].index(name)


def _picture(slug: str, part: _Part) -> Picture:
    return page_picture(slug, part.picture, part.alt)
