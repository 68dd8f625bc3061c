"""Forms of lines and choices, suggestions while typing, and replies to both."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from secrets import token_hex
from typing import Any, Literal, TypeVar

import discord
from cachetools import TTLCache
from discord import app_commands

from cogs.ui.page import Button, Option, Page, Pick, files_of, menu_options, pick_item
from cogs.ui.press import NOT_OURS, Press, answer, claim_response, in_panel, keep_message, on_press
from cogs.ui.text import Interaction, to_label, wants_text
from engines.game import clip
from engines.marks import to_plain
from tables.core.table import Refused

Change = Callable[[Page], Awaitable[None]]


async def reply(interaction: Interaction, page: Page, *, edit: bool = False) -> None:
    """Answer privately; with `edit`, in place of the pressed page.

    A public message is never edited for one person: then the answer is a new message.
    """
    page.is_spoken = page.is_spoken or wants_text(interaction)
    if not (edit and in_panel(interaction)):
        await reply_updatable(interaction, page)
    elif await claim_response(interaction):
        await page.send_with(
            lambda view, files: interaction.response.edit_message(
                view=view, attachments=files, allowed_mentions=page.mentions_to_allow()
            )
        )
    else:
        await _change(interaction, page)


async def reply_updatable(interaction: Interaction, page: Page) -> Change:
    """Answer with a private page; return a function that replaces it. That works for 15 minutes."""
    page.is_spoken = page.is_spoken or wants_text(interaction)
    allowed = page.mentions_to_allow()
    if await claim_response(interaction):
        await page.send_with(
            lambda view, files: interaction.response.send_message(
                view=view, files=files, ephemeral=True, allowed_mentions=allowed
            )
        )
    elif interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await _change(interaction, page)
    else:
        sent = await page.send_with(
            lambda view, files: interaction.followup.send(
                view=view, files=files, ephemeral=True, allowed_mentions=allowed, wait=True
            )
        )
        return partial(_change, sent)
    return partial(_change, interaction)


async def _change(answer: Interaction | discord.WebhookMessage, page: Page) -> None:
    edit = answer.edit if isinstance(answer, discord.WebhookMessage) else answer.edit_original_response
    await page.send_with(
        lambda view, files: edit(view=view, attachments=files, allowed_mentions=page.mentions_to_allow())
    )


async def redraw(interaction: Interaction, page: Page) -> None:
    """Replace the public message that was pressed by a page.

    The press must be registered as `in_place`. Pictures of the same name stay as they are.
    """
    if await claim_response(interaction):
        change: Callable[..., Awaitable[object]] = interaction.response.edit_message
    else:
        change = interaction.edit_original_response
    await page.send_with(
        lambda view, files: change(view=view, attachments=files, allowed_mentions=page.mentions_to_allow()),
        files_of(interaction.message),
    )


OPEN_FOR = 15 * 60.0
"""Seconds after which a form that was closed without sending is dropped."""
TITLE, ABOUT = 45, 100
"""Characters of a title or a label, and of a description, at most."""
REFUSED_MOST = 1000
"""Refused inputs that are kept."""
Typed = dict[str, str]
Filled = Callable[[Interaction, Typed], Awaitable[None]]


@dataclass(frozen=True)
class Field:
    """A part of a form: a line to type, a choice of `options`, or a `pick` of roles or channels.

    Attributes:
        value: the text at first; of a choice the chosen values, of a pick the ids, one a line.
        longest: characters at most.
        most: choices at most.
        tall: True for a text of several lines.
    """

    name: str
    label: str
    description: str = ""
    value: str = ""
    longest: int = 40
    required: bool = False
    tall: bool = False
    options: Sequence[Option] = ()
    pick: Literal["", "role", "channel"] = ""
    most: int = 1


GROUP = 10
"""Lines of a group of radio buttons or boxes at most; more are a menu."""


def _part_of(field: Field) -> discord.ui.Item[Any]:
    """Return the part of a form that asks for a field."""
    chosen, name, required = field.value.split("\n"), field.name, field.required
    if field.pick:
        ids = [int(one) for one in chosen if one]
        pick = Pick(Press("form", "pick"), field.label, field.pick, ids, int(required), field.most)
        picked = pick_item(pick)
        picked.custom_id, picked.required = name, required
        return picked
    if not field.options:
        return discord.ui.TextInput(
            custom_id=name,
            default=field.value or None,
            required=required,
            max_length=field.longest,
            style=discord.TextStyle.paragraph if field.tall else discord.TextStyle.short,
        )
    lines = menu_options([replace(option, chosen=option.value in chosen) for option in field.options])
    least, most = int(required), min(field.most, len(lines))
    if len(lines) > GROUP or len(lines) == most == 1:
        return discord.ui.Select(
            custom_id=name, options=lines, min_values=least, max_values=most, required=required
        )
    if most == 1:
        radios = [
            discord.RadioGroupOption(
                label=one.label, value=one.value, description=one.description, default=one.default
            )
            for one in lines
        ]
        return discord.ui.RadioGroup(custom_id=name, options=radios, required=required)
    boxes = [
        discord.CheckboxGroupOption(
            label=one.label, value=one.value, description=one.description, default=one.default
        )
        for one in lines
    ]
    return discord.ui.CheckboxGroup(
        custom_id=name, options=boxes, min_values=least, max_values=most, required=required
    )


class InputForm(discord.ui.Modal):
    """A modal with at most five fields. It passes the input on, and answers errors in private.

    Where the input is refused, **Try again** opens the form with what was typed. A form that is answered
    `in_place` redraws the message that was pressed for it.
    """

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        filled: Filled,
        retried: str = "",
        *,
        in_place: bool = False,
    ) -> None:
        super().__init__(title=clip(to_label(title), TITLE), timeout=OPEN_FOR)
        self._fields, self._filled, self._retried, self._in_place = fields, filled, retried, in_place
        self._asked: dict[str, Any] = {field.name: _part_of(field) for field in fields}
        for field in fields:
            about = clip(to_label(field.description), ABOUT) or None
            label = clip(to_label(field.label), TITLE)
            self.add_item(discord.ui.Label(text=label, description=about, component=self._asked[field.name]))

    async def on_submit(self, interaction: Interaction) -> None:
        typed = Typed()
        for name, part in self._asked.items():
            is_single = isinstance(part, (discord.ui.TextInput, discord.ui.RadioGroup))
            values = (
                [part.value or ""] if is_single else [str(getattr(one, "id", one)) for one in part.values]
            )
            typed[name] = "\n".join(values).strip()
        if self._in_place:
            keep_message(interaction)
        await answer(interaction, self._pass_on(interaction, typed), partial(self._refuse, typed))

    async def _pass_on(self, interaction: Interaction, typed: Typed) -> None:
        for field in self._fields:
            values = {option.value for option in field.options}
            if values and not set(typed[field.name].splitlines()) <= values:
                raise Refused(NOT_OURS)
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

    Raise Refused if it was too long ago, has been sent since, or is somebody else's.
    """
    form = _refused.get(press.arg)
    if form is None or form[0] != interaction.user.id:
        raise Refused("I no longer have what you typed. Press the button that opened the form.")
    _, title, fields, filled = form
    await ask(interaction, InputForm(title, fields, filled, press.arg))


async def ask(interaction: Interaction, form: InputForm) -> None:
    if not await claim_response(interaction):
        raise Refused("That took too long. Press the button again.")
    await interaction.response.send_modal(form)


MOST, LONGEST = 25, 100
"""Lines that Discord shows, and the characters of each."""
SHORT = 2
"""Characters that are sought at the beginnings of words only: nearly every name has an e."""
CODE, NAME, PLACE, BEGINNING, WORD, PART, WORDS, MIXED, NOTHING = range(9)
"""The fits of a typed text: the whole code or name, a code in the name, then beginnings and all words of it.

The words of a MIXED one are in another order; it counts if nothing else fits.
"""
V = TypeVar("V", str, int)


def suggest_choices(named: Mapping[V, str], typed: str) -> list[app_commands.Choice[V]]:
    matches = find_matches(named, typed)[:MOST]
    return [app_commands.Choice(name=to_plain(named[value])[:LONGEST], value=value) for value in matches]


def find_matches(named: Mapping[V, str], typed: str) -> list[V]:
    """Return the values that a text can mean, the best first.

    A code, which has no small letters, is meant alone.

    >>> regions = {"A": "Acorn Rise (A)", "E": "Elder Grove (E)", "H": "Hazel Bank (H)"}
    >>> find_matches(regions, "e"), find_matches(regions, "Z"), find_matches(regions, "gro")
    (['E'], [], ['E'])
    >>> find_matches({"ribbon": "Ribbon Tangle", "tangle": "Tangle"}, "tangle")
    ['tangle', 'ribbon']
    >>> find_matches({1: "place 1 marker in Dusk Hollow (D)", 2: "place 1 marker in Hazel Bank (H)"}, "h")
    [2, 1]
    """
    found = _find(named, typed)
    is_code = bool(found) and found[0][0] == CODE
    return [value for _, value in (found[:1] if is_code else found)]


def read_choice(named: Mapping[V, str], typed: str) -> V | None:
    """Return the value that was typed; None if several fit.

    Several whole words are enough, in another order if nothing else fits.

    >>> games = {"ribbon": "Ribbon Tangle", "tangle": "Tangle"}
    >>> read_choice(games, "Tangle"), read_choice(games, "rib"), read_choice(games, "ang")
    ('tangle', 'ribbon', None)
    """
    found = _find(named, typed) if typed.strip() else []
    is_clear = bool(found) and (found[0][0] <= NAME or len(found) == 1)
    return found[0][1] if is_clear else None


def _find(named: Mapping[V, str], typed: str) -> list[tuple[int, V]]:
    """Return how well each value fits, the best first."""
    wanted = _fold(typed)
    ranks = [(_rank(str(value), to_plain(name), wanted), value) for value, name in named.items()]
    best = min((rank for rank, _ in ranks), default=NOTHING)
    least = MIXED if best < MIXED else NOTHING
    return sorted((pair for pair in ranks if pair[0] < least), key=itemgetter(0))


def _rank(value: str, written: str, wanted: str) -> int:
    """Return how well a text fits, best first."""
    name = _fold(written)
    if wanted == _fold(value):
        return CODE if value == value.upper() else NAME
    if wanted in (name, name[:LONGEST]):
        return NAME
    if wanted and re.search(rf"(?<!\w){re.escape(wanted.upper())}(?!\w)", written):
        return PLACE
    if name.startswith(wanted):
        return BEGINNING
    if re.search(rf"(?<!\w){re.escape(wanted)}", name):
        return WORD
    if len(wanted) > SHORT and wanted in name:
        return PART
    return _rank_words(name, _words(wanted))


def _rank_words(name: str, wanted: Sequence[str]) -> int:
    """Return how well several words fit, in this order or another.

    What a name adds after a colon counts if nothing else fits.

    >>> _rank_words("swap 3 and 4: a and b", ["swap", "4"]) == WORDS
    True
    >>> _rank_words("swap 3 and 4: a and b", ["swap", "4", "and"]) == MIXED
    True
    """
    if len(wanted) < 2 or not set(wanted) <= set(_words(name)):
        return NOTHING
    rest = iter(_words(name.partition(":")[0]))
    return WORDS if all(word in rest for word in wanted) else MIXED


def _words(text: str) -> list[str]:
    return re.findall(r"[\w?+−-]+", text)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
