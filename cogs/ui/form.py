"""A form: a few lines to type in a modal, where typing is shorter than choosing."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_hex
from typing import Any

import discord
from cachetools import TTLCache

from cogs.ui.acknowledge import claim_response
from cogs.ui.answering import answer
from cogs.ui.interaction import Interaction
from cogs.ui.page import Button, Page
from cogs.ui.press import Press, on_press
from cogs.ui.reply import reply
from cogs.ui.signs import to_label
from tables.core.table import Refused

OPEN_FOR = 15 * 60.0
"""Seconds after which a form that was closed without sending is dropped."""
TITLE = 45
"""Characters of a form's title at most."""
REFUSED_MOST = 1000
"""Refused inputs that are kept."""
Typed = dict[str, str]
Filled = Callable[[Interaction, Typed], Awaitable[None]]


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
    """A modal with some fields. It passes the input on, and answers errors in private.

    Where the input is refused, **Try again** opens the form with what was typed.
    """

    def __init__(self, title: str, fields: Sequence[Field], filled: Filled, retried: str = "") -> None:
        super().__init__(title=to_label(title)[:TITLE], timeout=OPEN_FOR)
        self._fields, self._filled, self._retried = fields, filled, retried
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
        await answer(interaction, self._pass_on(interaction, typed), partial(self._refuse, typed))

    async def _pass_on(self, interaction: Interaction, typed: Typed) -> None:
        await self._filled(interaction, typed)
        _refused.pop(self._retried, None)

    async def _refuse(self, typed: Typed, interaction: Interaction, text: str) -> None:
        """Answer with a refusal and a button that reopens the form."""
        fields = [replace(field, value=typed[field.name]) for field in self._fields]
        key = self._retried or token_hex(8)
        _refused[key] = interaction.user.id, self.title, fields, self._filled
        await reply(interaction, Page([text, [Button("Try again", Press("form", "again", arg=key))]]))


_refused: TTLCache[str, tuple[int, str, Sequence[Field], Filled]] = TTLCache(REFUSED_MOST, OPEN_FOR)
"""The forms whose input was refused, filled in, each with its person, by a random key."""


@on_press("form", "again")
async def on_again(interaction: Interaction, press: Press) -> None:
    """Open a refused form with what was typed.

    Raises:
        Refused: if it was too long ago, has been sent since, or is somebody else's.
    """
    form = _refused.get(press.arg)
    if form is None or form[0] != interaction.user.id:
        raise Refused("I no longer have what you typed. Press the button that opened the form.")
    _, title, fields, filled = form
    await ask(interaction, InputForm(title, fields, filled, press.arg))


async def ask(interaction: Interaction, form: InputForm) -> None:
    """Answer with a form. Raise Refused if it is too late."""
    if not await claim_response(interaction):
        raise Refused("That took too long. Press the button again.")
    await interaction.response.send_modal(form)
