"""Files of a message that is there already: an edit has to name those that it keeps.

Discord lists no file that a component shows among a message's attachments, and drops every file that an edit
doesn't name by id and filename. Both stand in the media of the components that Discord answers with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import msgspec


class KeptFile(msgspec.Struct, frozen=True):
    """A file that a message has, as an edit names it to keep it."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Return what Discord wants of a kept attachment; discord.py asks for it under this name."""
        return {"id": str(self.id), "filename": self.filename}


Kept = Mapping[str, KeptFile]
"""The files that a message has, by their names."""


def items_of(message: discord.Message) -> list[discord.ui.Item[Any]]:
    """Return everything that a message of ours is made of, from top to bottom."""
    layout = discord.ui.LayoutView.from_message(message, timeout=None)
    layout.stop()
    return list(layout.walk_children())


def files_of(message: discord.Message | None) -> dict[str, KeptFile]:
    """Return the uploaded files that a message shows, by their names."""
    media = [] if message is None else [one for item in items_of(message) for one in _media(item)]
    kept = [
        KeptFile(one.attachment_id, PurePosixPath(urlsplit(one.url).path).name)
        for one in media
        if one.attachment_id is not None
    ]
    return {file.filename: file for file in kept}


def _media(item: discord.ui.Item[Any]) -> Iterator[discord.UnfurledMediaItem]:
    match item:
        case discord.ui.MediaGallery():
            yield from (one.media for one in item.items)
        case discord.ui.Thumbnail() | discord.ui.File():
            yield item.media
