"""Tries on a real Discord server all that a table needs, and cleans up: `python bot.py check --server`."""

import asyncio
import tomllib
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import discord

from cogs.core import rulebook
from cogs.core.app import missing_permissions
from cogs.discord.messages import edit, nonce_of, send
from cogs.ui.page import Button, Heading, KeptFile, Page, files_of
from cogs.ui.press import Press
from engines.registry import SLUGS
from render.core.canvas import Picture

TIMEOUT = 90.0
"""Seconds after which the trial stops and cleans up."""
FEW_LOGINS = 10
MESSAGES_SEARCHED = 10
"""Messages of the channel that are searched for the announcement of a new thread."""
CLOSED_DMS = (50007, 50278)
UNREACHED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
BUTTONS = [Button("Rules", Press("rules", "open", 0, 0, SLUGS[0]))]
"""Buttons of a trial's messages; they work if the bot runs."""
T = TypeVar("T")
PORTAL: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS: dict[type[Any], str] = {
    discord.Thread: "a thread",
    discord.ForumChannel: "a forum",
    discord.VoiceChannel: "a voice channel",
    discord.StageChannel: "a stage channel",
    discord.CategoryChannel: "a category",
}
"""Channels that can't have tables, in words."""
MOST_NAMES = 10


@dataclass(frozen=True)
class TrialFinding:
    """One step's result, in one line. A choice of the owner's has no verdict."""

    is_ok: bool | None
    text: str


async def read_application(client: discord.Client) -> AsyncIterator[TrialFinding]:
    """Yield what the developer portal has, and what the owner must change."""
    try:
        about = await client.http.request(discord.http.Route("GET", "/applications/@me"))
        has_commands = bool(await client.http.get_global_commands(int(about["id"])))
    except UNREACHED as error:
        yield TrialFinding(False, f"application: {answer_of(error)}; try again later")
        return
    is_verified = client.user is not None and client.user.public_flags.verified_bot
    for finding in judge_application(about, has_commands, is_verified):
        yield finding


def judge_application(
    about: Mapping[str, Any], has_commands: bool, is_verified: bool
) -> Iterator[TrialFinding]:
    """Yield a sentence on each switch of the developer portal."""
    flags = discord.ApplicationFlags._from_value(about.get("flags") or 0)
    contexts = about.get("integration_types_config") or {"0": {}}
    link = (contexts.get("0") or {}).get("oauth2_install_params") or about.get("install_params")
    missing: list[str] = []
    if link:
        granted = discord.Permissions(int(link.get("permissions") or 0))
        missing = [scope for scope in ("bot", "applications.commands") if scope not in link.get("scopes", ())]
        missing += [] if granted.administrator else missing_permissions(granted)
    intents = [name for name, is_on in flags if is_on and name.startswith("gateway_")]
    needs = {
        "code_grant": not about.get("bot_require_code_grant"),
        "guild_install": "0" in contexts,
        "link": not missing,
        "endpoint": not about.get("interactions_endpoint_url"),
        "activities": not flags.embedded,
        "intents": not intents,
        "growth": not flags.verification_pending_guild_limit,
    }
    choices = {
        "public": about.get("bot_public", True),
        "user_install": "1" in contexts,
        "verified": is_verified,
        "commands": has_commands,
        "addresses": about.get("terms_of_service_url") and about.get("privacy_policy_url"),
    }
    for name, is_so in (needs | choices).items():
        text = PORTAL[name]["good" if is_so else "bad"].format(
            missing=", ".join(missing), intents=", ".join(intents)
        )
        yield TrialFinding(bool(is_so) or (None if name in choices else False), f"application: {text}")


@dataclass
class ServerTrial:
    """Tries everything that a table needs of a server once; deletes what it made."""

    client: discord.AutoShardedClient
    server_id: int
    channel_id: int | None = None

    def __post_init__(self) -> None:
        self._made: list[discord.Message | discord.Thread] = []
        self._findings: list[TrialFinding] = []
        self._run_number = nonce_of(id(self), asyncio.get_running_loop().time())

    async def findings(self) -> AsyncIterator[TrialFinding]:
        """Yield each step's findings; always delete what was made."""
        try:
            async with asyncio.timeout(TIMEOUT):
                async for _ in self._steps():
                    for finding in self._take_findings():
                        yield finding
        except TimeoutError:
            yield TrialFinding(False, f"Discord took longer than {TIMEOUT:.0f} s, so I skipped the rest")
        finally:
            await self._clean_up()
        for finding in self._take_findings():
            yield finding

    def _take_findings(self) -> list[TrialFinding]:
        taken, self._findings = self._findings, []
        return taken

    def _ok(self, text: str) -> None:
        self._findings.append(TrialFinding(True, text))

    def _bad(self, text: str) -> None:
        self._findings.append(TrialFinding(False, text))

    async def _steps(self) -> AsyncIterator[None]:
        """Try everything; stop at steps that need one that failed."""
        await self._look_at_logins()
        yield
        channel = await self._find_channel()
        yield
        if channel is None:
            return
        card = await self._try_card(channel)
        yield
        if card is not None:
            await self._try_edits(channel, card)
            yield
        await self._try_threads(channel, card)
        yield
        await self._try_dm()
        self._ok("private answers: not tried, as nobody pressed anything. `/help` in the server shows one")
        yield

    async def _try(self, what: str, meaning: str, work: Awaitable[T]) -> T | None:
        """Run a step; note a refusal, and its meaning for players."""
        try:
            return await work
        except UNREACHED as error:
            self._bad(f"{what}: {answer_of(error)}. {meaning}")
            return None

    async def _look_at_logins(self) -> None:
        limits = await self._try("logins", "The bot can't start.", self.client.fetch_session_start_limits())
        if limits is None:
            return
        hours = limits.reset_after / 3_600_000
        text = f"logins: {limits.remaining} of {limits.total} left for the next {hours:.0f} hours"
        if limits.remaining < FEW_LOGINS:
            self._bad(f"{text}. Each start uses one login. If none is left, the bot waits for new ones.")
        else:
            self._ok(text)

    async def _find_channel(self) -> discord.TextChannel | None:
        """Find the channel to try, and report missing permissions there."""
        meaning = "Is the bot in that server? `make run` prints an invite link."
        guild = await self._try(f"server {self.server_id}", meaning, self.client.fetch_guild(self.server_id))
        if guild is None or self.client.user is None:
            return None
        self._ok(f"server: {guild.name}")
        application_id = self.client.application_id or self.client.user.id
        await self._try(
            "commands", PORTAL["scope"]["bad"], self.client.http.get_guild_commands(application_id, guild.id)
        )
        me = await self._try("own permissions", "", guild.fetch_member(self.client.user.id))
        channels = await self._try("channels", "", guild.fetch_channels())
        if me is None or channels is None:
            return None
        texts = [one for one in channels if isinstance(one, discord.TextChannel)]
        channel = choose_channel(texts, me, self.channel_id)
        if channel is None:
            wanted = "none to post in" if self.channel_id is None else await self._describe(self.channel_id)
            self._bad(f"channel: {wanted}. Use --channel to name a text channel I can see.")
            return None
        missing = missing_permissions(channel.permissions_for(me))
        if missing:
            self._bad(
                f"permissions in #{channel.name}: {', '.join(missing)} missing. Nobody can open tables there."
            )
        else:
            self._ok(f"permissions in #{channel.name}: all there")
        self._ok(f"Ask around: {_pingable(guild.roles, channel.permissions_for(me))}")
        return channel

    async def _describe(self, channel_id: int) -> str:
        """Say what a channel is that can't have tables."""
        try:
            channel = await self.client.fetch_channel(channel_id)
        except UNREACHED as error:
            return f"I can't see {channel_id} ({answer_of(error)})"
        if isinstance(channel, discord.abc.PrivateChannel) or channel.guild.id != self.server_id:
            return f"{channel_id} isn't in that server"
        kind = next((name for one, name in KINDS.items() if isinstance(channel, one)), "a text channel")
        return f"#{channel.name} is {kind}, which can't have tables"

    async def _try_card(self, channel: discord.TextChannel) -> discord.Message | None:
        """Post a card with a small picture, as `/… new` does."""
        meaning = "Nobody can open a table there."
        card = await self._try(
            "a card with a picture", meaning, send(channel, _card("1"), self._nonce("card"))
        )
        if card is None:
            return None
        self._made.append(card)
        if not files_of(card):
            self._bad(
                "a card with a picture: Discord doesn't return its file name, so each edit uploads it again"
            )
        else:
            self._ok("a card with a picture: posted")
        again = await self._try("the same again", "", send(channel, _card("1"), self._nonce("card")))
        if again is not None and again.id != card.id:
            self._made.append(again)
            self._bad("the same again: Discord posted it twice. After an outage, posts can appear twice.")
        elif again is not None:
            self._ok("the same again: Discord recognised it, so no post appears twice")
        return card

    async def _try_edits(self, channel: discord.TextChannel, card: discord.Message) -> None:
        """Edit the card without its file, with it, and uploading it again."""
        try:
            bare = await channel.get_partial_message(card.id).edit(view=_card("2").view(files_of(card)))
            kept = "keeps" if files_of(bare) else "drops"
            self._ok(f"an edit that names no file: Discord {kept} the picture. The bot always names it")
        except UNREACHED as error:
            self._ok(
                f"an edit that names no file: Discord refuses it, so the bot always does ({answer_of(error)})"
            )
        meaning = "Cards and boards would lose their pictures or keep old text."
        fresh = await self._try(
            "an edit that uploads the picture", meaning, edit(channel, card.id, _card("3"))
        )
        if fresh is None:
            return
        self._ok("an edit that uploads the picture: shown")
        kept_files = files_of(fresh)
        pressed = await self._try(
            "an edit that names its file, as a press does",
            meaning,
            edit(channel, card.id, _card("4", empty=bool(kept_files)), kept_files),
        )
        self._look_at_files("an edit that names its file, as a press does", pressed, kept_files)

    def _look_at_files(self, what: str, message: discord.Message | None, kept: dict[str, KeptFile]) -> None:
        if message is None:
            return
        if files_of(message).keys() == kept.keys():
            self._ok(f"{what}: the picture stays")
        else:
            self._bad(
                f"{what}: the picture is gone. Cards and boards would lose their pictures at every press."
            )

    async def _try_threads(self, channel: discord.TextChannel, card: discord.Message | None) -> None:
        meaning = "Games would run in the channel itself."
        thread = None
        if card is not None:
            made = card.create_thread(name="Tangle Parlour: a check")
            thread = await self._try("a thread from the card", meaning, made)
        if thread is not None:
            self._made.append(thread)
            self._ok("a thread from the card: made")
        # Discord's announcement of a thread is deleted, too.
        opened = {one.id for one in self._made if isinstance(one, discord.Thread)}
        with suppress(*UNREACHED):
            async for message in channel.history(limit=MESSAGES_SEARCHED):
                about = message.reference
                if (
                    message.type is discord.MessageType.thread_created
                    and about
                    and about.channel_id in opened
                ):
                    self._made.append(message)
        await self._try_board(channel if thread is None else thread)

    async def _try_board(self, place: discord.abc.Messageable) -> None:
        """Post, edit and retire a board, as a turn does."""
        board = await self._try(
            "a board", "Nobody sees their game.", send(place, _board("1"), self._nonce("board"))
        )
        if board is None:
            return
        self._made.append(board)
        self._ok("a board: posted")
        meaning = "Boards would show an old position until the next post."
        edited = await self._try("an edit of the board", meaning, edit(place, board.id, _board("2")))
        if edited is None:
            return
        self._ok("an edit of the board: shown")
        kept = files_of(edited)
        meaning = "Old boards keep their buttons, but I still check every press."
        page = _board("3", empty=True, has_buttons=False)
        retired = await self._try("an old board without buttons", meaning, edit(place, board.id, page, kept))
        self._look_at_files("an old board without buttons", retired, kept)

    async def _try_dm(self) -> None:
        """Write to the owner of the application."""
        about = await self._try("the owner", "", self.client.application_info())
        if about is None:
            return None
        owner = about.owner if about.team is None else about.team.owner
        if owner is None:
            return self._ok("a DM: not tried, as the application has no owner")
        try:
            dm = await self.client.create_dm(discord.Object(owner.id))
            self._made.append(await send(dm, _card("1"), self._nonce("dm")))
        except discord.Forbidden as error:
            if error.code not in CLOSED_DMS:
                return self._bad(f"a DM to {owner}: {answer_of(error)}. I can't send hands or notices.")
            return self._ok(
                f"a DM to {owner}: their DMs are closed. I tell such players once, and they use **My hand**"
            )
        except UNREACHED as error:
            return self._bad(f"a DM to {owner}: {answer_of(error)}. I can't send hands or notices.")
        self._ok(f"a DM to {owner}: sent")

    async def _clean_up(self) -> None:
        """Delete what was made, the newest first; archive undeletable threads."""
        left = []
        for one in reversed(self._made):
            try:
                await one.delete()
            except discord.Forbidden:
                left.append(one)
            except discord.NotFound:
                continue
            except UNREACHED as error:
                self._bad(f"cleaning up: {answer_of(error)}. Delete {_link(one)} yourself.")
        for one in left:
            if isinstance(one, discord.Thread):
                with suppress(*UNREACHED):
                    await one.edit(archived=True)
            self._ok(
                f"cleaning up: {_link(one)} stays, archived. Deleting it needs Manage Threads, which the "
                "bot doesn't ask for"
            )
        if not left and self._made:
            self._ok("cleaning up: all deleted")

    def _nonce(self, what: str) -> str:
        return nonce_of("check", what, self._run_number)


def choose_channel(
    channels: Sequence[discord.TextChannel], me: discord.Member, wanted: int | None
) -> discord.TextChannel | None:
    if wanted is not None:
        return next((one for one in channels if one.id == wanted), None)
    fitting = [one for one in channels if not missing_permissions(one.permissions_for(me))]
    return next(iter([*fitting, *channels]), None)


def _pingable(roles: Sequence[discord.Role], had: discord.Permissions) -> str:
    """Say which roles **Ask around** can ping."""
    if had.mention_everyone:
        return "I can ping every role"
    names = [f"@{role.name}" for role in roles if role.mentionable and not role.is_default()]
    more = "" if len(names) <= MOST_NAMES else f" and {len(names) - MOST_NAMES} more"
    can = f"only {', '.join(names[:MOST_NAMES])}{more}" if names else "no role"
    return f"I can ping {can}. The role to ping needs “Allow anyone to @mention this role” in its settings"


def answer_of(error: BaseException) -> str:
    """Return Discord's answer on one line, as code and sentence."""
    if isinstance(error, discord.RateLimited):
        return f"Discord limits our requests for {error.retry_after:.0f} s"
    if isinstance(error, discord.HTTPException):
        sentence = " ".join((error.text or str(error.response.reason)).split())
        return f"Discord answered {error.status}, code {error.code}: {sentence}"
    return f"I can't reach Discord ({str(error) or type(error).__name__})"


def _card(number: str, *, empty: bool = False) -> Page:
    """Return a page like a lobby card; `empty` has no picture bytes."""
    head = Heading(f"### A check of Tangle Parlour · {number}", _picture("check-cover.png", empty=empty))
    return Page([head, "I'll delete this in a moment.", BUTTONS])


def _board(number: str, *, empty: bool = False, has_buttons: bool = True) -> Page:
    picture = _picture("check-board.png", empty=empty)
    return Page([f"A check of Tangle Parlour · {number}", picture, *([BUTTONS] if has_buttons else [])])


def _picture(name: str, *, empty: bool) -> Picture:
    cover = rulebook.cover(SLUGS[0])
    return replace(cover, name=name, png=b"" if empty else cover.png)


def _link(made: Any) -> str:
    return str(made.jump_url)
