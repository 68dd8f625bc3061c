"""The rules of Nim on one page; docs/games/nim.md has them in full."""

from __future__ import annotations

from cogs.ui.page import Heading, Page
from render import nim
from render.core.picture import Picture

RULES = """### Nim
There are three heaps of stones. In your turn you take as many as you like, but at least one, from one heap. \
Who takes the very last stone **wins**, or **loses**, as the table has chosen."""


def cover() -> Picture:
    """Some stones."""
    return nim.cover()


def pages() -> list[Page]:
    """The only page."""
    return [Page([Heading(RULES, cover())])]
