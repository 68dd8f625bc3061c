"""Why an administrator does something: typed with a command, or read from the question that is pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from cogs.discord.messages import texts_of
from cogs.ui.form import Field, Form, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.limits import REMARK
from cogs.ui.page import Button
from cogs.ui.press import Press
from cogs.ui.signs import read
from engines.names import clean, quote

SAYS = "Reason: "
FIELD = Field("reason", "Reason", "Shown to the players; optional", longest=REMARK)
KEPT_FIELD = Field("reason", "Reason", "It stands in the log", longest=REMARK, required=True)
TOLD = "Why; the players will see it"
KEPT = "Why; it stands in the log"


def said(reason: str | None) -> str:
    """A reason in one line, as it was typed, without anything that can't be seen."""
    return clean(reason or "")


def part(reason: str) -> list[str]:
    """The reason as it stands in a question."""
    return [f"{SAYS}{quote(reason)}"] if reason else []


def given(interaction: Interaction) -> str:
    """The reason that stands in the question that was pressed; empty where there is none."""
    texts = [] if interaction.message is None else texts_of(interaction.message)
    return next((read(text.removeprefix(SAYS)) for text in texts if text.startswith(SAYS)), "")


def button(room: str, number: int, question: str, reason: str) -> Button:
    """What asks for a reason, and then the question again, which stands in the press.

    `room` has the question, `number` is that of the table or the cup.
    """
    label = "Change the reason" if reason else "Give a reason"
    return Button(label, Press(room, "why", number, 0, question))


async def ask_why(interaction: Interaction, again: Callable[[Interaction, str], Awaitable[None]]) -> None:
    """Ask for the reason of what is asked about, and then the question again."""

    async def filled(answered: Interaction, typed: Typed) -> None:
        await again(answered, said(typed["reason"]))

    await ask(interaction, Form("Reason", [replace(FIELD, value=given(interaction))], filled))
