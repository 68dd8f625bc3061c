"""Buttons and menus that survive a restart: the custom id holds all of a press."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import msgspec

from cogs.ui.answering import answer, keep_message
from cogs.ui.text import Interaction
from db.records import LARGEST_NUMBER
from engines.registry import SLUGS
from tables.core.table import NoTable, Refused

PATTERN = re.compile(r"tp:(?P<room>[a-z]+):(?P<verb>[a-z_]+):(?P<table>\d+):(?P<moment>-?\d+):(?P<arg>[^:]*)")
PICKS = (discord.ui.UserSelect, discord.ui.RoleSelect, discord.ui.ChannelSelect)
GONE = (
    "This game is gone. I keep one puzzle, one try of a turn and one sandbox for you, each for a day, and a "
    "new one replaces the old. `/puzzle`, `/table why` and `/table history` open them; `/table list` shows "
    "other tables."
)
"""The answer to a press on a table that no longer exists."""
NOT_OURS = "You can't do that here. **Take turn** shows what you can do."


class Press(msgspec.Struct, frozen=True):
    """A press of a button, or a choice in a menu.

    `room` and `verb` name the handler, `table` the table's number (0: none), `moment` the moment of the
    table that it was drawn from, below zero in a plan, `arg` anything short that the handler needs. `values`
    are the lines chosen in a menu, or the picked ids of one of Discord's own.

    >>> Press("lobby", "join", 12).custom_id
    'tp:lobby:join:12:0:'
    """

    room: str
    verb: str
    table: int = 0
    moment: int = 0
    arg: str = ""
    values: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """The id that Discord returns with the press; at most 100 characters."""
        return f"tp:{self.room}:{self.verb}:{self.table}:{self.moment}:{self.arg}"

    @property
    def number(self) -> int:
        return number_of(self.arg)

    @property
    def choice(self) -> str:
        if not self.values:
            raise Refused(NOT_OURS)
        return self.values[0]

    @property
    def choice_number(self) -> int:
        return number_of(self.choice)


def number_of(text: str) -> int:
    """Return a number up to a user id. Raise Refused otherwise."""
    try:
        number = int(text[:20])
    except ValueError:
        raise Refused(NOT_OURS) from None
    if abs(number) >= 2**63:
        raise Refused(NOT_OURS)
    return number


def slug_of(text: str) -> str:
    if text not in SLUGS:
        raise Refused(NOT_OURS)
    return text


def parse(custom_id: str) -> Press | None:
    """Return a custom id's press; None if it isn't ours.

    >>> parse("tp:lobby:join:12:0:")
    Press(room='lobby', verb='join', table=12, moment=0, arg='', values=())
    >>> parse("somebody:else") is None
    True
    """
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else _press(match)


def _press(match: re.Match[str]) -> Press:
    return Press(match["room"], match["verb"], int(match["table"]), int(match["moment"]), match["arg"])


Handler = Callable[[Interaction, Press], Awaitable[None]]
Places = Callable[[Press], bool]
_HANDLERS: dict[tuple[str, str], Handler] = {}
_IN_PLACE: dict[tuple[str, str], Places] = {}
_CHECKS: list[Handler] = []


def on_press(room: str, *verbs: str, in_place: Places | None = None) -> Callable[[Handler], Handler]:
    """Register a function as the handler of a room's verbs.

    `in_place` returns True for presses that edit the public message they come from.
    """

    def register(handler: Handler) -> Handler:
        for verb in verbs:
            _HANDLERS[room, verb] = handler
            if in_place is not None:
                _IN_PLACE[room, verb] = in_place
        return handler

    return register


def before_press(check: Handler) -> Handler:
    """Register a check before every press; its error becomes the answer."""
    _CHECKS.append(check)
    return check


def list_presses() -> list[tuple[str, str]]:
    return sorted(_HANDLERS)


class PressItem(discord.ui.DynamicItem[discord.ui.Item[Any]], template=PATTERN):
    """Any button or menu of ours, recognised by its custom id in any message."""

    def __init__(self, item: discord.ui.Item[Any], press: Press) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> PressItem:
        return cls(item, _press(match))

    async def callback(self, interaction: Interaction) -> None:
        press = self.press
        if isinstance(self.item, discord.ui.Select):
            press = msgspec.structs.replace(press, values=tuple(self.item.values))
        elif isinstance(self.item, PICKS):
            press = msgspec.structs.replace(press, values=tuple(str(one.id) for one in self.item.values))
        is_in_place = _IN_PLACE.get((press.room, press.verb))
        if is_in_place is not None and is_in_place(press):
            keep_message(interaction)
        await answer(interaction, handle(interaction, press))


async def handle(interaction: Interaction, press: Press) -> None:
    """Handle a press.

    Raise Refused if this version knows no such press, or a check before every press refuses.
    """
    handler = _HANDLERS.get((press.room, press.verb))
    if handler is None or press.table > LARGEST_NUMBER or abs(press.moment) >= 2**63:
        raise Refused(NOT_OURS)
    try:
        for check in _CHECKS:
            await check(interaction, press)
        await handler(interaction, press)
    except NoTable as missing:
        if missing.number != press.table:
            raise
        raise Refused(GONE) from None
