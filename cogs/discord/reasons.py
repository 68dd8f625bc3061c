"""Administrators' reasons: typed with a command, or read from the question that was pressed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from cogs.discord.messages import texts_of
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.limits import REMARK
from cogs.ui.page import DANGER, PRIMARY, Button, Part
from cogs.ui.press import Press
from cogs.ui.signs import read
from engines.names import clean, quote

SAYS = "Reason: "
FIELD = Field("reason", "Reason", "Shown to the players; optional", longest=REMARK)
KEPT_FIELD = Field("reason", "Reason", "Shown in the audit log", longest=REMARK, required=True)
TO_PLAYERS = "Reason (shown to the players)"
KEPT = "Reason (shown in the audit log)"


def clean_reason(reason: str | None) -> str:
    """Return a reason on one line, without invisible characters."""
    return clean(reason or "")


def part(reason: str) -> list[str]:
    return [f"{SAYS}{quote(reason)}"] if reason else []


def read_reason(interaction: Interaction) -> str:
    """Return the reason in the pressed question; empty if none."""
    texts = [] if interaction.message is None else texts_of(interaction.message)
    return next((read(text.removeprefix(SAYS)) for text in texts if text.startswith(SAYS)), "")


def button(room: str, number: int, question: str, reason: str) -> Button:
    """Return the button for a reason; its press holds the question.

    `room` is the question's, `number` that of the table or the cup.
    """
    label = "Change the reason" if reason else "Give a reason"
    return Button(label, Press(room, "why", number, 0, question))


def confirmation(question: str, press: Press, again: str, reason: str, *others: Button) -> list[Part]:
    """Return a question with Yes, No and a reason; `again` repeats it."""
    row = [
        Button("Yes, do it", press, DANGER),
        Button("No", Press(press.room, "no", press.table), PRIMARY),
        *others,
        button(press.room, press.table, again, reason),
    ]
    return [question, *part(reason), row]


async def ask_why(interaction: Interaction, again: Callable[[Interaction, str], Awaitable[None]]) -> None:
    """Ask for a reason, then repeat the question."""

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        await again(answered, clean_reason(typed["reason"]))

    await ask(interaction, InputForm("Reason", [replace(FIELD, value=read_reason(interaction))], on_filled))
