"""Files of a message that is there already: an edit has to name those that it keeps.

Discord lists no file that a component shows among a message's attachments, and drops every file that an edit
doesn't name by id and filename. Both stand in the media of the components that Discord answers with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def components_of(message: discord.Message) -> Iterator[discord.components.Component]:
    """Yield everything that a message of ours is made of, from top to bottom.

    A layout made of a message forgets the ids of files that thumbnails show, so this reads what Discord sent.
    """
    return _walk(message.components)


def _walk(components: Iterable[discord.components.Component]) -> Iterator[discord.components.Component]:
    for one in components:
        yield one
        yield from _walk(getattr(one, "children", ()))
        if isinstance(one, discord.SectionComponent):
            yield one.accessory


def files_of(message: discord.Message | None) -> dict[str, KeptFile]:
    """Return the uploaded files that a message shows, by their names."""
    parts = [] if message is None else components_of(message)
    kept = [
        KeptFile(media.attachment_id, PurePosixPath(urlsplit(media.url).path).name)
        for part in parts
        for media in _media(part)
        if media.attachment_id is not None
    ]
    return {file.filename: file for file in kept}


def _media(part: discord.components.Component) -> list[discord.UnfurledMediaItem]:
    match part:
        case discord.MediaGalleryComponent():
            return [item.media for item in part.items]
        case discord.ThumbnailComponent() | discord.FileComponent():
            return [part.media]
    return []
