"""A page: the parts of one message and its files, assembled once and sent anywhere.

Discord lists no file that a component shows among a message's attachments, and drops every file that an edit
doesn't name by id and filename. Both are in the media of the components that Discord answers with.
"""

import io
import re
import textwrap
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from pathlib import PurePosixPath
from struct import unpack_from
from typing import Any, Literal, TypeVar, assert_never
from urllib.parse import urlsplit

import discord
import msgspec

from cogs.ui import text as wording
from cogs.ui.press import Press
from cogs.ui.text import PAGE_LETTERS, clip_together, first_emoji, to_label, with_signs, without_icons
from engines.game import clip
from engines.marks import to_plain, to_signs, to_speech
from render.core.canvas import Picture


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


ACCENT = 0x3B6EA5
MENU_LIMIT = 25
PRIMARY, SUCCESS, DANGER, PLAIN = (
    discord.ButtonStyle.primary,
    discord.ButtonStyle.success,
    discord.ButtonStyle.danger,
    discord.ButtonStyle.secondary,
)
INVALID_FORM, INVALID_EMOJI = 50035, "Invalid emoji"
"""Discord's code and words for a rejected emoji on a button or a menu's line."""
LOST_FILE = "REFERENCED_ATTACHMENT_NOT_FOUND"
"""Part of Discord's error for a component whose file is missing."""
R = TypeVar("R")
_showings = count(1)


@dataclass(frozen=True)
class Button:
    """A button that carries a press, or with `url` opens a link.

    The first sign of its label becomes its emoji.
    """

    label: str
    press: Press | None = None
    style: discord.ButtonStyle = PLAIN
    url: str | None = None
    emoji: str | None = None
    disabled: bool = False


@dataclass(frozen=True)
class Option:
    """One line of a menu; the first sign of its label, or else of its description, is its emoji."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Menu:
    """A menu of at most 25 lines, `least` to `most` of them to choose at once."""

    press: Press
    title: str
    options: Sequence[Option]
    least: int = 1
    most: int = 1


@dataclass(frozen=True)
class Pick:
    """Discord's own menu of the server's members, roles or text channels, with `chosen` ids.

    Its press has the picked ids as its values.
    """

    press: Press
    title: str
    kind: Literal["member", "role", "channel"]
    chosen: Sequence[int] = ()
    least: int = 0
    most: int = 1


@dataclass(frozen=True)
class Heading:
    """Text with a small picture beside it."""

    text: str
    picture: Picture


@dataclass(frozen=True)
class ButtonLine:
    """Text with a button beside it."""

    text: str
    button: Button


@dataclass(frozen=True)
class Document:
    """A file to download; its name gives nothing secret away."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Described:
    """Words in place of a picture, and the menu that leads to the rest of them.

    With `whole` they are those of a whole board.
    """

    text: str
    menu: Menu | None = None
    whole: bool = False


Part = str | Described | Picture | Heading | ButtonLine | Menu | Pick | Document | Sequence[Button]
Extra = Button | list[Part]
"""A button of a panel's last row, or parts below its controls, shown if there is room."""


@dataclass
class Page:
    """The parts of one message from top to bottom: text, pictures, menus, files, rows of buttons.

    An `is_spoken` page has no signs. `mentions` are the users whom the message may ping, `roles` the roles;
    all others stay silent. `warnings` come first, or as the second line of a spoken page. A panel shows
    `optional` extras if there is room.
    """

    parts: list[Part] = field(default_factory=list)
    optional: list[Extra] = field(default_factory=list)
    warnings: Sequence[str] = ()
    mentions: Sequence[int] = ()
    roles: Sequence[int] = ()
    accent: int | None = ACCENT
    is_spoken: bool = False

    def files(self, kept: Kept | None = None) -> list[Any]:
        """Return pictures and files as uploads, or kept by id.

        They are new objects at each call, for a file is read only once.
        """
        named = kept or {}
        return [named.get(part.name) or _upload(part) for part in self._files() if _is_there(part, named)]

    def _files(self) -> list[Picture | Document]:
        parts = [part.picture if isinstance(part, Heading) else part for part in self.parts]
        return [part for part in parts if isinstance(part, Picture | Document)]

    def is_complete(self, kept: Kept) -> bool:
        """Return True if every picture has bytes or is kept."""
        return all(_is_there(part, kept) for part in self._files())

    def view(self, kept: Kept | None = None) -> discord.ui.LayoutView:
        """Return the page as a stateless layout: buttons carry their ids.

        A picture without bytes is left out unless the message has it.
        """
        layout = discord.ui.LayoutView(timeout=None)
        container: discord.ui.Container[Any] = discord.ui.Container(accent_colour=self.accent)
        every = self._with_warnings()
        there = [part for part in every if not isinstance(part, Picture) or _is_there(part, kept or {})]
        parts = [_to_speech(part) for part in there] if self.is_spoken else there
        for part in _fitting(parts, unsigned=self.is_spoken):
            for item in _items(part):
                container.add_item(item)
        layout.add_item(container)
        layout.stop()
        return layout

    def _with_warnings(self) -> Sequence[Part]:
        match self.parts:
            case [str(text), *rest] if self.warnings and self.is_spoken:
                first, *more = text.split("\n")
                return ["\n".join([first, *self.warnings, *more]), *rest]
            case _:
                return ["\n".join(self.warnings), *self.parts] if self.warnings else self.parts

    async def send_with(
        self, send: Callable[[discord.ui.LayoutView, list[Any]], Awaitable[R]], kept: Kept | None = None
    ) -> R:
        """Send the page's layout and files by a function.

        `kept` are files that the message has and the page shows unchanged. If Discord has lost one, all are
        uploaded; if it rejects an emoji, as it sometimes does with an existing one, the page is sent again
        without signs.
        """
        try:
            return await send(self.view(kept), self.files(kept))
        except discord.HTTPException as error:
            names_file = LOST_FILE in error.text or "attachment" in error.text.lower()
            if kept and error.code == INVALID_FORM and names_file:
                return await self.send_with(send)
            if error.code != INVALID_FORM or INVALID_EMOJI not in error.text:
                raise
        layout = self.view(kept)
        for item in layout.walk_children():
            for one in item.options if isinstance(item, discord.ui.Select) else [item]:
                if isinstance(one, (discord.ui.Button, discord.SelectOption)) and one.emoji and one.emoji.id:
                    one.emoji = None
        return await send(layout, self.files(kept))

    def mentions_to_allow(self) -> discord.AllowedMentions:
        return discord.AllowedMentions(
            everyone=False,
            roles=[discord.Object(role_id) for role_id in self.roles],
            replied_user=False,
            users=[discord.Object(user_id) for user_id in self.mentions],
        )


def _is_there(part: Picture | Document, kept: Kept) -> bool:
    return isinstance(part, Document) or bool(part.png) or part.name in kept


def _to_speech(part: Part) -> Part:
    """Return a part whose controls are words alone; `_fitting` converts its text."""
    match part:
        case Menu():
            return _menu_to_speech(part)
        case Described(menu=Menu() as menu):
            return replace(part, menu=_menu_to_speech(menu))
        case ButtonLine(button=button):
            return replace(part, button=_button_to_speech(button))
        case Pick():
            return replace(part, title=to_speech(part.title))
        case str() | Described() | Picture() | Heading() | Document():
            return part
        case row:
            return [_button_to_speech(button) for button in row]


def _menu_to_speech(menu: Menu) -> Menu:
    lines = [
        replace(one, label=to_speech(one.label), description=to_speech(one.description))
        for one in menu.options
    ]
    return replace(menu, title=to_speech(menu.title), options=lines)


def _button_to_speech(button: Button) -> Button:
    return replace(button, label=to_speech(button.label), emoji=None)


def _upload(part: Picture | Document) -> discord.File:
    if isinstance(part, Picture):
        return discord.File(io.BytesIO(part.png), part.name, description=to_plain(part.alt)[:1024])
    return discord.File(io.BytesIO(part.data), part.name)


def _fitting(parts: Sequence[Part], *, unsigned: bool = False) -> list[Part]:
    """Return parts within Discord's limit; `unsigned` without signs."""
    texts = [_text(part) for part in parts]
    texts = clip_together(
        [wording.without_icons(to_speech(text)) for text in texts]
        if unsigned
        else wording.with_signs_together(texts, PAGE_LETTERS)
    )
    return [_with(part, text) for part, text in zip(parts, texts, strict=True)]


def _text(part: Part) -> str:
    match part:
        case str():
            return part
        case Heading(text) | ButtonLine(text) | Described(text):
            return text
        case _:
            return ""


def _with(part: Part, text: str) -> Part:
    match part:
        case str():
            return text
        case Heading() | ButtonLine() | Described():
            return replace(part, text=text)
        case _:
            return part


def _items(part: Part) -> list[discord.ui.Item[Any]]:
    if isinstance(part, str):
        return [discord.ui.TextDisplay(part)] if part else []
    if isinstance(part, Described):
        return [*_items(part.text), *([] if part.menu is None else _items(part.menu))]
    if isinstance(part, Picture):
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
        gallery.add_item(media=f"attachment://{part.name}", description=to_plain(part.alt)[:1024])
        return [gallery]
    if isinstance(part, Document):
        return [discord.ui.File(f"attachment://{part.name}")]
    if isinstance(part, Heading):
        small: discord.ui.Thumbnail[Any] = discord.ui.Thumbnail(
            f"attachment://{part.picture.name}", description=to_plain(part.picture.alt)[:1024]
        )
        return [discord.ui.Section(part.text, accessory=small)]
    if isinstance(part, ButtonLine):
        return [discord.ui.Section(part.text, accessory=_button(part.button))]
    if isinstance(part, Menu):
        return [_row(_menu(part))]
    if isinstance(part, Pick):
        return [_row(pick_item(part))]
    rows: list[discord.ui.Item[Any]] = []
    for start in range(0, len(part), 5):
        row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
        for button in part[start : start + 5]:
            row.add_item(_button(button))
        rows.append(row)
    return rows


def _button(button: Button) -> discord.ui.Button[Any]:
    if button.url is not None:
        return discord.ui.Button(label=to_label(button.label), url=button.url)
    if button.press is None:
        raise ValueError("a button needs a press or an address")
    return discord.ui.Button(
        label=clip(to_label(button.label), 80),
        style=button.style,
        custom_id=button.press.custom_id,
        emoji=first_emoji(button.label) if button.emoji is None else with_signs(button.emoji, PAGE_LETTERS),
        disabled=button.disabled,
    )


def _row(item: discord.ui.Item[Any]) -> discord.ui.ActionRow[Any]:
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
    row.add_item(item)
    return row


def _menu(menu: Menu) -> discord.ui.Select[Any]:
    if not 1 <= len(menu.options) <= MENU_LIMIT:
        raise ValueError(f"a menu has 1 to {MENU_LIMIT} lines, not {len(menu.options)}")
    return discord.ui.Select(
        id=_new_identity(),
        custom_id=menu.press.custom_id,
        placeholder=clip(to_label(menu.title), 150),
        min_values=menu.least,
        max_values=menu.most,
        options=menu_options(menu.options),
    )


def menu_options(options: Sequence[Option]) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=clip(to_label(option.label), 100),
            value=option.value,
            description=clip(to_label(option.description), 100) or None,
            emoji=first_emoji(option.label) or first_emoji(option.description),
            default=option.chosen,
        )
        for option in options
    ]


def pick_item(
    pick: Pick,
) -> discord.ui.UserSelect[Any] | discord.ui.RoleSelect[Any] | discord.ui.ChannelSelect[Any]:
    chosen = [discord.Object(one) for one in pick.chosen[:MENU_LIMIT]]
    settings: dict[str, Any] = {
        "id": _new_identity(),
        "custom_id": pick.press.custom_id,
        "placeholder": to_label(pick.title)[:150],
        "min_values": pick.least,
        "max_values": pick.most,
    }
    match pick.kind:
        case "member":
            members = [discord.SelectDefaultValue.from_user(one) for one in chosen]
            return discord.ui.UserSelect(default_values=members, **settings)
        case "role":
            roles = [discord.SelectDefaultValue.from_role(one) for one in chosen]
            return discord.ui.RoleSelect(default_values=roles, **settings)
        case "channel":
            text = [discord.ChannelType.text]
            channels = [discord.SelectDefaultValue.from_channel(one) for one in chosen]
            return discord.ui.ChannelSelect(default_values=channels, channel_types=text, **settings)
        case _:
            assert_never(pick.kind)


def _new_identity() -> int:
    """Return a menu's id, new each time. Clients recall a choice by it, also one that was cleared since."""
    return 1000 + next(_showings) % 10**9


WIDTH = 265
"""The width of a picture or a line on a phone of 390 by 844, in pixels."""
FRAME_HEIGHT = 96
"""The height around the parts: the author's name, and the note that only one person sees it."""
LINE, SMALL_LINE = 22, 20
LETTER, SMALL_LETTER, LABEL_LETTER = 7.6, 6.6, 7.2
"""Pixels: the height of a line; the width of a letter in text, in small print, on a button."""
CONTROL, MENU, GAP, EDGES, EMOJI = 40, 46, 8, 30, 24
"""Pixels: height of a row and of a menu, the gap between two, a label's padding, an emoji."""
PNG_SIZE_OFFSET = 16
"""Offset of the width and the height in a PNG."""
MARKDOWN = re.compile(r"\*\*|^-# ")
MOMENT, MOMENT_TEXT = re.compile(r"<t:\d+:(\w)>"), "26 November 2026, 21:10"
"""A timestamp in Discord's markup, and about what it displays."""


def height(page: Page) -> int:
    """Return a page's height in pixels, to within a few tens."""
    return FRAME_HEIGHT + sum(_tall(part) for part in (*page.warnings, *page.parts))


def text_height(text: str, letter: float = LETTER, icon: str = "") -> int:
    """Return a text's height, with `icon` for the width of one."""
    return sum(
        _line_height(to_signs(line, lambda _, word: icon or word), letter) for line in text.splitlines()
    )


def _tall(part: Part) -> int:
    match part:
        case str():
            return text_height(part)
        case Described(text=text, menu=menu):
            return text_height(text) + (0 if menu is None else MENU)
        case Picture(png=png):
            wide, high = map(int, unpack_from(">II", png, PNG_SIZE_OFFSET))
            return GAP + WIDTH * high // wide
        case Menu(options=options) if any(option.chosen for option in options):
            return MENU + GAP
        case Menu() | Pick():
            return MENU
        case Heading() | ButtonLine() | Document():
            return CONTROL
        case row:
            return CONTROL * _lines_of_row(row)


@lru_cache(maxsize=512)
def _line_height(text: str, letter: float) -> int:
    """Return the height of a text's line in pixels, wrapped where needed."""
    small = text.startswith("-# ")
    most = int(WIDTH / (SMALL_LETTER if small else letter))
    shown = MOMENT.sub(MOMENT_TEXT, MARKDOWN.sub("", without_icons(text)))
    return (SMALL_LINE if small else LINE) * max(1, len(textwrap.wrap(shown, most)))


def _lines_of_row(row: Sequence[Button]) -> int:
    """Return the lines of a row's buttons; five don't fit a phone."""
    lines, taken = 0, WIDTH
    for button in row:
        sign = button.emoji is not None or to_plain(button.label) != button.label
        wide = EDGES + int(len(to_plain(button.label)) * LABEL_LETTER) + EMOJI * sign
        if not lines or taken + wide > WIDTH:
            lines, taken = lines + 1, 0
        taken += wide + GAP
    return lines
