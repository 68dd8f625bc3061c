"""Answers interactions: the work, or a refusal, or an apology with a reference for the log."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress

import aiohttp
import discord
from discord import app_commands

from cogs.ui.acknowledge import claim_response, schedule_defer
from cogs.ui.cooldown import FLOODING
from cogs.ui.interaction import Interaction
from cogs.ui.limits import MESSAGE, clip
from cogs.ui.listening import note_text_wish, wants_text
from cogs.ui.signs import with_signs, without_icons
from cogs.ui.work import DONE, where, work_of
from db.connection.availability import CommitUnknown, DatabaseUnavailable
from engines.game import IllegalMove, repeat
from engines.marks import to_speech
from tables.core.look import request_cache
from tables.core.table import Refused
from tables.runtime import trace

log = logging.getLogger(__name__)
NOT_IN_A_DM = "That only works in a server."
STOPPING = "I'm restarting, and nothing is lost. Try again in a minute."
CHECK = "What you did may still have worked, so check the table before you try again."
UNSURE = f"Discord failed just now. {CHECK}"
UNANSWERABLE = (10008, 10015, 10062, 40060, 50027)
"""Discord's codes for interactions that can't be answered any more: too late, or no message."""
SESSION_CLOSED = "Session is closed"
"""aiohttp's message once the bot has closed its connections to Discord."""
ALREADY_ANSWERED = 40060
"""Discord's code for an interaction that is answered already: here, by a request that seemed to fail."""
UNWRITABLE = "I can't use my database right now, so nothing has changed. Try again in a minute."
UNKNOWN = "I don't know if that was saved. Check before you try again."
CLICKS = (discord.InteractionType.component, discord.InteractionType.modal_submit)
REFUSED, FAILED = "refused", "failed"
Refuse = Callable[[Interaction, str], Awaitable[None]]


async def say(interaction: Interaction, text: str) -> None:
    """Send one person a private text, clipped to a message's length."""
    text = (
        clip(without_icons(to_speech(text)), MESSAGE)
        if wants_text(interaction)
        else with_signs(text, MESSAGE)
    )
    if await claim_response(interaction):
        await interaction.response.send_message(text, ephemeral=True)
    else:
        await interaction.followup.send(text, ephemeral=True)


async def answer(interaction: Interaction, work: Awaitable[None], refuse: Refuse = say) -> None:
    """Await the work, and answer any error in private.

    Slow work is acknowledged first. `refuse` answers a refusal with its sentence.
    """
    going = work_of(interaction)
    going.begin(interaction)
    schedule_defer(interaction)
    outcome = DONE
    try:
        if await may_proceed(interaction):
            with request_cache():
                await note_text_wish(interaction)
                await work
        else:
            outcome = REFUSED
    except Exception as error:  # the last stop before Discord; `answer_error` logs what is unexpected
        outcome = await answer_error(interaction, error, refuse)
    finally:
        if isinstance(work, Coroutine):
            work.close()  # for the case that it was never begun
        going.end(interaction, outcome)


async def admit(interaction: Interaction) -> bool:
    """Begin a command; return True if it may run."""
    work = work_of(interaction)
    work.begin(interaction)
    schedule_defer(interaction)
    try:
        if await may_proceed(interaction):
            with suppress(DatabaseUnavailable):  # the command will say so
                await note_text_wish(interaction)
            return True
    except Exception as error:  # nobody else would answer it
        await end_with_error(interaction, error)
    else:
        work.end(interaction, REFUSED)
    return False


async def end_with_error(interaction: Interaction, error: Exception) -> None:
    """Answer an error, and end the interaction whatever happens."""
    outcome = FAILED
    try:
        outcome = await answer_error(interaction, error)
    finally:
        work_of(interaction).end(interaction, outcome)


async def may_proceed(interaction: Interaction) -> bool:
    """Return True if an interaction may proceed; else answer it.

    Nothing starts while the bot stops, for it might not finish.
    """
    work = work_of(interaction)
    if work.stopping:
        await say(interaction, STOPPING)
        return False
    free, to_be_told = work.cooldown.take(interaction.user.id)
    if to_be_told or not (free or interaction.type in CLICKS):
        await say(interaction, FLOODING)  # a command without an answer would look like a failure
    elif not free and await claim_response(interaction):
        await interaction.response.defer()  # Discord is content, and nobody sees anything
    return free


async def answer_error(interaction: Interaction, error: Exception, refuse: Refuse = say) -> str:
    """Answer a refusal with its sentence, other errors with a reference.

    An unavailable database has its own sentence and is in the log already; a Discord that rejects answers
    has one too, and is logged once until it accepts one.

    Return the outcome: `refused` or `failed`.
    """
    error = _cause(error)
    text = _sentence(error)
    outcome = REFUSED
    if isinstance(error, CommitUnknown):
        outcome, text = FAILED, UNKNOWN
    elif isinstance(error, DatabaseUnavailable):
        outcome, text = FAILED, UNWRITABLE
    elif _is_discord_failure(error):
        outcome, text = FAILED, UNSURE
        work_of(interaction).answer_failed(interaction, error)
    elif text is None:
        outcome = FAILED
        reference = trace.reference.get()
        log.error("reference %s: %s", reference, where(interaction), exc_info=error)
        text = "Sorry, something went wrong, and nothing has changed. Try again."
        if isinstance(error, discord.HTTPException):
            text = f"Discord refused that (code {error.code or error.status}). {CHECK}"
        text += f" If it keeps failing, give this reference to the people who run this bot: `{reference}`."
    try:
        await (refuse if outcome == REFUSED else say)(interaction, text)
    except Exception as failed:  # raised again below, unless Discord or the connection failed
        if not (_is_discord_failure(failed) or isinstance(failed, (discord.HTTPException, OSError))):
            raise
        work_of(interaction).answer_failed(interaction, failed)
    return outcome


def may_have_worked(error: Exception) -> bool:
    """Return True if Discord may have carried out a request that failed.

    discord.py repeats requests that fail with a 5xx, so one that got through comes back as answered already.
    """
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.code == ALREADY_ANSWERED
    return isinstance(error, (aiohttp.ClientError, OSError))


def _is_discord_failure(error: Exception) -> bool:
    """Return True for Discord's own failures, limits and expired interactions."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429 or error.code in UNANSWERABLE
    if isinstance(error, RuntimeError):
        return str(error) == SESSION_CLOSED
    return isinstance(error, (discord.RateLimited, aiohttp.ClientError, ConnectionError))


def is_refusal(error: BaseException) -> bool:
    """Return True for a refusal that has a sentence: nothing went wrong."""
    return isinstance(error, Exception) and _sentence(_cause(error)) is not None


def _cause(error: Exception) -> Exception:
    """Return a command's own error, without discord.py's wrapper."""
    if isinstance(error, app_commands.CommandInvokeError) and isinstance(error.original, Exception):
        return error.original
    return error


def _sentence(error: Exception) -> str | None:
    if isinstance(error, (Refused, IllegalMove)):
        return str(error)
    if isinstance(error, app_commands.NoPrivateMessage):
        return NOT_IN_A_DM
    if isinstance(error, app_commands.TransformerError):
        typed = repeat(str(error.value), 80)
        return f"“{typed}” isn't one of the choices. Pick one from the list as you type."
    if isinstance(error, app_commands.CheckFailure):
        return "You can't do that here."
    if isinstance(error, discord.Forbidden) and error.code in (50001, 50013):
        return (
            "I'm missing a permission here. I need View Channel, Send Messages, Send Messages in Threads, "
            "Create Public Threads, Attach Files and Read Message History."
        )
    return None
