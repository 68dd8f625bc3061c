"""Interactions in progress: counted, logged, and awaited when the bot stops."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

import discord

from cogs.ui.cooldown import Cooldown
from cogs.ui.interaction import Interaction
from tables.runtime import trace
from tables.runtime.background import LogOnce
from tables.runtime.meters import ANSWER_SECONDS, INTERACTIONS

log = logging.getLogger(__name__)
KINDS = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "completion",
    discord.InteractionType.modal_submit: "form",
}
BEGUN, ANSWERED = "begun", "answered"
ANSWERS, DONE = "answers", "done"


class Work:
    """The interactions in progress."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.cooldown = Cooldown(clock)
        self.typing = Cooldown(clock)
        """The same limit for autocomplete."""
        self._going: set[int] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._log_once = LogOnce()
        self.stopping = False
        """True once nothing new may start."""

    def begin(self, interaction: Interaction) -> None:
        """Note a new interaction, and give it a reference for the log."""
        trace.begin()
        interaction.extras[BEGUN] = asyncio.get_running_loop().time()
        self._going.add(interaction.id)
        self._idle.clear()

    def end(self, interaction: Interaction, outcome: str) -> None:
        """Note an interaction's outcome: `done`, `refused` or `failed`."""
        INTERACTIONS.labels(kind(interaction), outcome).inc()
        log.info("%s: %s after %.2f s", where(interaction), outcome, _since_begun(interaction))
        if outcome == DONE and self._log_once.note_success(ANSWERS):
            log.info("answers are taken again")
        self._going.discard(interaction.id)
        if not self._going:
            self._idle.set()

    def answer_failed(self, interaction: Interaction, error: Exception) -> None:
        """Log once that Discord rejects answers, until one succeeds."""
        if self._log_once.note_failure(ANSWERS, error):
            log.warning("an answer could not be given (%s): %s", where(interaction), error)

    async def wait_until_idle(self) -> None:
        await self._idle.wait()


def work_of(interaction: Interaction) -> Work:
    return cast(Work, cast(Any, interaction.client).work)


def kind(interaction: Interaction) -> str:
    """Return the kind of an interaction: `command`, `completion`, `form` or `press`."""
    return KINDS.get(interaction.type, "press")


def note_answer(interaction: Interaction) -> None:
    """Note how long the first answer took; later calls change nothing."""
    if BEGUN in interaction.extras and not interaction.extras.get(ANSWERED):
        interaction.extras[ANSWERED] = True
        ANSWER_SECONDS.labels(kind(interaction)).observe(_since_begun(interaction))


def _since_begun(interaction: Interaction) -> float:
    now = asyncio.get_running_loop().time()
    return now - float(interaction.extras.get(BEGUN, now))


def where(interaction: Interaction) -> str:
    """Return the name of a request, without anything private.

    For a press only room and verb: the rest of its id could name a ballot or a card of somebody's hand.
    """
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    custom_id = str(dict(interaction.data or ()).get("custom_id", "?"))
    return f"{kind(interaction)} {':'.join(custom_id.split(':')[1:3])}"
