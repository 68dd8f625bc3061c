"""Presses, and the answer to each in time.

Buttons and menus survive a restart: the custom id holds all of a press. The answer to it, and to a command
or a form, is the work, a refusal, or an apology with a reference.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, cast

import aiohttp
import discord
import msgspec
from cachetools import LRUCache
from discord import app_commands

from cogs.ui import text as texts
from cogs.ui.text import Interaction, note_text_wish
from db.records import LARGEST_NUMBER
from engines import game, marks
from engines.registry import SLUGS
from tables import runtime
from tables.core.repository import request_cache
from tables.core.table import NoTable, Refused

PRESSES, SECONDS = 20, 10.0
"""Free presses within these seconds; after that, one each time the bucket refills."""
REMEMBERED = 10_000
FLOODING = "You're too fast, so I skipped that. Wait a few seconds."


class Cooldown:
    """A token bucket of presses for each person."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: LRUCache[int, tuple[float, float, bool]] = LRUCache(REMEMBERED)

    def take(self, user_id: int) -> tuple[bool, bool]:
        """Take a press from a person's bucket; return (had one, warn now).

        >>> now = 0.0
        >>> cooldown = Cooldown(lambda: now)
        >>> [cooldown.take(7) for _ in range(PRESSES + 2)][-3:]
        [(True, False), (False, True), (False, False)]
        >>> now = SECONDS / PRESSES
        >>> cooldown.take(7)
        (True, False)
        """
        now = self._clock()
        left, at, result = self._buckets.get(user_id, (float(PRESSES), now, False))
        left = min(float(PRESSES), left + max(0.0, now - at) * PRESSES / SECONDS)
        if left < 1.0:
            self._buckets[user_id] = (left, now, True)
            return False, not result
        self._buckets[user_id] = (left - 1.0, now, False)
        return True, False


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
        self._log_once = runtime.LogOnce()
        self.stopping = False
        """True once nothing new may start."""

    def begin(self, interaction: Interaction) -> None:
        """Note a new interaction, and give it a reference for the log."""
        runtime.begin_reference()
        interaction.extras[BEGUN] = asyncio.get_running_loop().time()
        self._going.add(interaction.id)
        self._idle.clear()

    def end(self, interaction: Interaction, outcome: str) -> None:
        """Note an interaction's outcome: `done`, `refused` or `failed`."""
        runtime.INTERACTIONS.labels(kind(interaction), outcome).inc()
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
        runtime.ANSWER_SECONDS.labels(kind(interaction)).observe(_since_begun(interaction))


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


ACKNOWLEDGE_AFTER = 0.8
"""Seconds after which an unanswered interaction is acknowledged; Discord gives up after 3."""
TIMER, ACKNOWLEDGEMENT, IN_PLACE = "timer", "acknowledgement", "in place"


def schedule_defer(interaction: Interaction) -> None:
    """Acknowledge the interaction in a moment, unless it is answered first.

    Called as it arrives. Whoever answers by other means than `reply` and `say` calls `claim_response` first.
    """

    def late() -> None:
        interaction.extras[ACKNOWLEDGEMENT] = asyncio.create_task(_acknowledge(interaction))

    interaction.extras[TIMER] = asyncio.get_running_loop().call_later(ACKNOWLEDGE_AFTER, late)


async def _acknowledge(interaction: Interaction) -> None:
    note_answer(interaction)
    try:
        if in_panel(interaction) or interaction.extras.get(IN_PLACE):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
    except (discord.HTTPException, discord.InteractionResponded) as error:
        work_of(interaction).answer_failed(interaction, error)


def keep_message(interaction: Interaction) -> None:
    """Note an edit in place: the acknowledgement shows no new message."""
    interaction.extras[IN_PLACE] = True


async def claim_response(interaction: Interaction) -> bool:
    """Return True if unanswered; cancel the acknowledgement."""
    timer = interaction.extras.pop(TIMER, None)
    if timer is not None:
        timer.cancel()
    acknowledgement = interaction.extras.get(ACKNOWLEDGEMENT)
    if acknowledgement is not None:
        await acknowledgement
    note_answer(interaction)
    return not interaction.response.is_done()


def in_panel(interaction: Interaction) -> bool:
    return interaction.message is not None and interaction.message.flags.ephemeral


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
        texts.clip_text(texts.without_icons(marks.to_speech(text)), texts.MESSAGE)
        if texts.wants_text(interaction)
        else texts.with_signs(text, texts.MESSAGE)
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
            with suppress(runtime.DatabaseUnavailable):  # the command will say so
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
    if isinstance(error, runtime.CommitUnknown):
        outcome, text = FAILED, UNKNOWN
    elif isinstance(error, runtime.DatabaseUnavailable):
        outcome, text = FAILED, UNWRITABLE
    elif _is_discord_failure(error):
        outcome, text = FAILED, UNSURE
        work_of(interaction).answer_failed(interaction, error)
    elif text is None:
        outcome = FAILED
        reference = runtime.reference.get()
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
    if isinstance(error, (Refused, game.IllegalMove)):
        return str(error)
    if isinstance(error, app_commands.NoPrivateMessage):
        return NOT_IN_A_DM
    if isinstance(error, app_commands.TransformerError):
        typed = game.repeat(str(error.value), 80)
        return f"“{typed}” isn't one of the choices. Pick one from the list as you type."
    if isinstance(error, app_commands.CheckFailure):
        return "You can't do that here."
    if isinstance(error, discord.Forbidden) and error.code in (50001, 50013):
        return (
            "I'm missing a permission here. I need View Channel, Send Messages, Send Messages in Threads, "
            "Create Public Threads, Attach Files and Read Message History."
        )
    return None


PATTERN = re.compile(r"tp:(?P<room>[a-z]+):(?P<verb>[a-z_]+):(?P<table>\d+):(?P<moment>-?\d+):(?P<arg>[^:]*)")
PICKS = (discord.ui.UserSelect, discord.ui.RoleSelect, discord.ui.ChannelSelect)
GONE = (
    "This game is gone. I keep one puzzle, one try of a turn and one sandbox for you, each for a day or "
    "until you begin another. `/puzzle`, `/table why` and `/table history` open new ones. `/table list` "
    "shows other tables."
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
