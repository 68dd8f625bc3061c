"""Files of an existing message: an edit has to name those that it keeps.

Discord lists no file that a component shows among a message's attachments, and drops every file that an edit
doesn't name by id and filename. Both are in the media of the components that Discord answers with.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import msgspec


class KeptFile(msgspec.Struct, frozen=True):
    """A file of a message, as an edit names it to keep it."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Return Discord's form of a kept attachment; discord.py calls this name."""
        return {"id": str(self.id), "filename": self.filename}


Kept = Mapping[str, KeptFile]
"""The files of a message, by name."""


def components_of(message: discord.Message) -> Iterator[discord.components.Component]:
    """Yield all components of a message of ours, from top to bottom.

    A layout made from a message loses the ids of thumbnails' files, so this reads Discord's own data.
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
