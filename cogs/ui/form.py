"""A form: a few lines to type in a modal, where typing is shorter than choosing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from cogs.ui.acknowledge import claim_response
from cogs.ui.answering import answer
from cogs.ui.interaction import Interaction
from cogs.ui.signs import to_label
from tables.core.table import Refused

OPEN_FOR = 15 * 60.0
"""Seconds after which a form that was closed without sending is dropped."""
TITLE = 45
"""Characters of a form's title at most."""
Typed = dict[str, str]


@dataclass(frozen=True)
class Field:
    """A line to type: its name, its label, a placeholder, and its initial text.

    A `tall` one has room for several lines.
    """

    name: str
    label: str
    description: str = ""
    value: str = ""
    longest: int = 40
    required: bool = False
    tall: bool = False


class InputForm(discord.ui.Modal):
    """A modal with some fields. It passes the input on, and answers errors in private."""

    def __init__(
        self, title: str, fields: Sequence[Field], filled: Callable[[Interaction, Typed], Awaitable[None]]
    ) -> None:
        super().__init__(title=to_label(title)[:TITLE], timeout=OPEN_FOR)
        self._filled = filled
        self._inputs: dict[str, discord.ui.TextInput[Any]] = {}
        for field in fields:
            line: discord.ui.TextInput[Any] = discord.ui.TextInput(
                custom_id=field.name,
                default=field.value or None,
                required=field.required,
                max_length=field.longest,
                style=discord.TextStyle.paragraph if field.tall else discord.TextStyle.short,
            )
            self._inputs[field.name] = line
            self.add_item(
                discord.ui.Label(text=field.label, description=field.description or None, component=line)
            )

    async def on_submit(self, interaction: Interaction) -> None:
        typed = {name: line.value.strip() for name, line in self._inputs.items()}
        await answer(interaction, self._filled(interaction, typed))


async def ask(interaction: Interaction, form: InputForm) -> None:
    """Answer with a form. Raise Refused if it is too late."""
    if not await claim_response(interaction):
        raise Refused("That took too long. Press the button again.")
    await interaction.response.send_modal(form)
