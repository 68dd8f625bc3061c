"""Buttons and menus that survive a restart: the custom id holds everything a press means."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import msgspec

from cogs.ui.acknowledge import keep_message
from cogs.ui.errors import run_interaction
from cogs.ui.interaction import Interaction
from engines.registry import SLUGS
from tables.core.table import Refused

PATTERN = re.compile(r"tp:(?P<room>[a-z]+):(?P<verb>[a-z_]+):(?P<table>\d+):(?P<moment>\d+):(?P<arg>[^:]*)")
PICKS = (discord.ui.UserSelect, discord.ui.RoleSelect, discord.ui.ChannelSelect)
NOT_OURS = "You can't choose that here. **Take turn** shows what you can."


class Press(msgspec.Struct, frozen=True):
    """What a press of a button or a choice in a menu means.

    `room` and `verb` name the handler, `table` the table's number (0: none), `moment` the moment
    of the table that it was drawn from, `arg` anything short that the handler needs. `values` are the
    lines chosen in a menu, or the ids of what was picked in one of Discord's own.

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
        """The id that Discord hands back with the press; at most 100 characters."""
        return f"tp:{self.room}:{self.verb}:{self.table}:{self.moment}:{self.arg}"

    @property
    def number(self) -> int:
        """The number that `arg` is. Raises Refused for anything else, which no button of ours says."""
        return number_of(self.arg)

    @property
    def picked(self) -> str:
        """The line that was chosen. Raises Refused when there is none, as no menu of ours lets happen."""
        if not self.values:
            raise Refused(NOT_OURS)
        return self.values[0]

    @property
    def picked_number(self) -> int:
        """The number that the chosen line is. Raises Refused for anything else."""
        return number_of(self.picked)


def number_of(text: str) -> int:
    """The number that a part of a press is, at most that of a user. Raises Refused for anything else."""
    try:
        number = int(text[:20])
    except ValueError:
        raise Refused(NOT_OURS) from None
    if abs(number) >= 2**63:
        raise Refused(NOT_OURS)
    return number


def slug_of(text: str) -> str:
    """The game that a part of a press names. Raises Refused for anything else."""
    if text not in SLUGS:
        raise Refused(NOT_OURS)
    return text


def parse(custom_id: str) -> Press | None:
    """The press of a custom id, or None for an id that is not ours.

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
    """Register a function as the answer to presses of that room and those verbs.

    `in_place` tells the presses that change the public message they come from.
    """

    def register(handler: Handler) -> Handler:
        for verb in verbs:
            _HANDLERS[room, verb] = handler
            if in_place is not None:
                _IN_PLACE[room, verb] = in_place
        return handler

    return register


def before_press(check: Handler) -> Handler:
    """Have something checked before every press is answered; what it raises is the answer."""
    _CHECKS.append(check)
    return check


def known() -> list[tuple[str, str]]:
    """Every room and verb that has an answer."""
    return sorted(_HANDLERS)


class PressItem(discord.ui.DynamicItem[discord.ui.Item[Any]], template=PATTERN):
    """Any button or menu of ours, found again by its custom id in whatever message it stands."""

    def __init__(self, item: discord.ui.Item[Any], press: Press) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> PressItem:
        """The item of a message that somebody pressed."""
        return cls(item, _press(match))

    async def callback(self, interaction: Interaction) -> None:
        """Hand the press to its handler."""
        press = self.press
        if isinstance(self.item, discord.ui.Select):
            press = msgspec.structs.replace(press, values=tuple(self.item.values))
        elif isinstance(self.item, PICKS):
            press = msgspec.structs.replace(press, values=tuple(str(one.id) for one in self.item.values))
        is_in_place = _IN_PLACE.get((press.room, press.verb))
        if is_in_place is not None and is_in_place(press):
            keep_message(interaction)
        await run_interaction(interaction, answer(interaction, press))


async def answer(interaction: Interaction, press: Press) -> None:
    """Carry out a press.

    Raises:
        Refused: when this version knows no such press, and whatever is checked before every press.
    """
    handler = _HANDLERS.get((press.room, press.verb))
    if handler is None:
        raise Refused(NOT_OURS)
    for check in _CHECKS:
        await check(interaction, press)
    await handler(interaction, press)
