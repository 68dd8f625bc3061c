"""Practice mode: the same bot in a local browser page, with no Discord account and no token.

SimCord plays Discord: a server with one channel, four people and an admin to act as. This module adds what
its preview page lacks. The page shows one channel, so tables are in the channel itself, and each person's
DMs are a further viewer. SimCord's clock stands still, so it is moved along with the real one, with the
times on the page. A page sees another page's actions only if it is refreshed, so it is notified. Its text
and menus move while pictures load, so their room is reserved.
"""

import asyncio
import os
import secrets
import sys
import time
import webbrowser
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

import discord
import simcord
from aiohttp import web
from cachetools import LRUCache
from msgspec.structs import replace
from simcord.backend.cdn import CDN_BASE
from simcord.preview import Preview
from simcord.preview._media import MediaInfo, MediaWorker

from cogs.core.presenter import Weight, presenter_of
from cogs.discord.emoji import draw_signs, upload_signs
from cogs.help import open_buttons, ways_in
from cogs.ui.page import Page
from cogs.ui.press import is_refusal
from db.store import Store
from db.subjects.servers import ForeignDatabase
from engines.registry import games
from engines.workers import Workers
from host import client, monitoring
from host.settings import PRACTICE_SETTING, BadSettings, Settings
from tables.core.table import OPEN, Phase

PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eli")
ADMIN = "Max (admin)"
GUILD_ID = 1420070400000000001
APPLICATION_ID = 1420070400000000002
"""The simulated application is the same at each start, as its database is."""
HERE = {"admin_role_id": None, "open_role_id": None, "open_in": (), "place": "channel"}
"""Settings of the server at each start: its roles and its channel are new each time."""
MOST_GAMES = 10_000
"""Finished games that are counted at most."""
CHECKED_BYTES = 64 * 1024 * 1024
TICK = 1.0
SETTLE = 120.0
WELCOME = """### Welcome to the Tangle Parlour
A Discord server on your own computer: you play everyone. **New here?** {first} is a good first game."""
STEPS = """**1.** Or open a table of your own: **Play …**
**2.** Add an **Easy computer**. Or change **Viewing as** at the top, and **Join** as someone else.
**3.** Press **Start**, then **Take turn** under the newest board.
-# *Ann: DMs* under **Viewing as** shows Ann's DMs. `/help` explains the rest. Ctrl-C in the terminal stops; \
your tables stay."""


AGAIN = "**Another game?** Choose one here, or press **Rematch** above."
STEADY = """
.custom-emoji:not([src]) { display: inline-block; overflow: hidden; }
.media-lightbox-trigger:disabled { width: 100%; }
.gallery-image:not([src]):not([width]) { aspect-ratio: 1; }
"""
"""Styles of the page that reserve a picture's room before it loads."""
PHONE = """
@media (max-width: 500px) {
  .preview-shell { --toolbar-height: 44px; }
  .preview-toolbar { flex-wrap: nowrap; overflow: hidden; }
  .preview-brand, #refresh, #capture-open, #inspector-toggle, #view-action-output { display: none; }
  #action-status { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
  .viewer-control select { max-width: 9rem; }
  .channel-header { min-height: 32px; height: 32px; }
}
"""
"""Styles that leave a phone more room for the messages."""


SCRIPTS = {
    "/text.js": {
        "const basis = new Date(options.presentationTime || 0);": "const basis = new Date();",
        'const time = node("time", "discord-timestamp", rendered);': (
            'const time = node("time", "discord-timestamp", rendered);\n'
            '  if (style === "R") time.dataset.relative = String(token.unix);'
        ),
    },
    "/select-drafts.js": {
        """cancelDropdown(wrap.dataset.controlKey);
        continue;""": """setTimeout(() => {
          const now = trigger.getBoundingClientRect();
          const isAway = now.bottom <= 0 || now.top >= innerHeight;
          if (trigger.isConnected && isAway) cancelDropdown(wrap.dataset.controlKey);
        }, 500);
        continue;"""
    },
}
"""Replacements in the page's scripts: relative times use the present time, and an open menu stays open.

While the page redraws itself, a menu is out of sight for a moment, which would close it.
"""
TICKING = """
setInterval(() => {
  for (const time of document.querySelectorAll("time[data-relative]")) {
    const fresh = document.createElement("span");
    renderTimestamp(fresh, { unix: time.dataset.relative, style: "R" }, {});
    if (time.textContent !== fresh.textContent) time.textContent = fresh.textContent;
  }
}, 5000);
"""
"""Updates relative times, for a message is drawn once and stays for long."""


class PracticeBot(client.ParlourBot):
    """The bot, which keeps the pictures of its signs: SimCord keeps none of an emoji."""

    def __init__(self, store: Store, workers: Workers, **more: Any) -> None:
        super().__init__(store, workers, **more)
        self.pictures: dict[str, tuple[str, bytes]] = {}
        """The types and bytes of pictures, by their addresses on the page."""

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        emoji = await super().create_application_emoji(name=name, image=image)
        self.pictures[f"{CDN_BASE}/emojis/{emoji.id}.png"] = ("image/png", image)
        return emoji


class CheckedMedia(MediaWorker):
    """Checks each picture once: SimCord starts a process for it, again for every person who looks."""

    def __init__(self, kept: int = CHECKED_BYTES) -> None:
        super().__init__()
        self._checked: LRUCache[tuple[bytes, float | None], MediaInfo] = LRUCache(
            kept, getsizeof=lambda info: len(info.normalized)
        )

    async def _decode(self, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        found = sha256(blob).digest(), media_time
        info = self._checked.get(found)
        if info is None:
            info = await super()._decode(key, blob, media_time)
            if len(info.normalized) <= self._checked.maxsize:
                self._checked[found] = info
        return info


class DirectMessages:
    """Everybody's DMs: on the page, each person's are a further viewer.

    Such a viewer has the number of their channel, a person their own.
    """

    def __init__(self, preview: Preview, channel_id: int, members: Sequence[simcord.MemberActor]) -> None:
        self._preview = preview
        self._channel_id = channel_id
        self._people = {str(member.user.dm_channel.id): member.user for member in members}
        self._names = dict(zip(self._people, (*PEOPLE, ADMIN), strict=True))

    def show(self) -> None:
        """Offer the DMs on the page, always in their current state."""
        viewer, publish, find = self._preview._viewer, self._preview._publish, self._preview._target_id

        def anybody(viewer_id: Any = None) -> Any:
            person = self._people.get(str(viewer_id))
            return viewer(viewer_id) if person is None else person

        def publish_with_dms(page: Any, **more: Any) -> None:
            self._preview._advance_presentation_time()
            publish(page, **more)
            self._add_viewers(page)

        def find_in_dms(target_id: Any, looking: Any = None, **more: Any) -> int | None:
            # SimCord looks for the message of a press only in the channel of the page.
            if target_id is None or all(looking is not person for person in self._people.values()):
                return find(target_id, looking, **more)
            return int(self._preview.env.backend.get_message(looking.dm_channel.id, int(target_id)).id)

        self._preview._target_id = find_in_dms  # type: ignore[method-assign, assignment]  # no hook for it
        self._preview._viewer = anybody  # type: ignore[method-assign]  # the preview has no hook for it
        self._preview._publish = publish_with_dms  # type: ignore[method-assign]  # the preview has no hook for it

    def _add_viewers(self, page: Any) -> None:
        if page.snapshot is None:
            return
        known = page.snapshot["viewers"]
        like = {one["id"]: one for one in known}
        for number, name in self._names.items():
            own = like.get(str(self._people[number].id), known[0])
            known.append({**own, "id": number, "name": f"{name}: DMs"})
        if str(page.channel_id) in self._people:
            page.snapshot["viewerId"] = str(page.channel_id)

    def switch_channel(self, page: Any, body: Mapping[str, Any]) -> None:
        """Switch to the channel that belongs to the chosen viewer."""
        if page is not None and body.get("kind") == "viewer":
            number = str(body.get("viewer_id"))
            page.channel_id = int(number) if number in self._people else self._channel_id


class PracticeSession:
    """One practice session: the simulated server, the page, and the clock that moves both."""

    def __init__(self, env: simcord.Env, bot: PracticeBot) -> None:
        self.env = env
        self.bot = bot
        bot.app.places = ("channel",)
        env.backend.application_id = APPLICATION_ID
        self._guild = env.create_guild("Tangle Parlour", id=GUILD_ID)
        everyone = [env.create_user(name.split()[0].lower(), global_name=name) for name in (*PEOPLE, ADMIN)]
        admins = self._guild.create_role("Admin", permissions=discord.Permissions(manage_guild=True))
        self.members = [self._guild.add_member(user) for user in everyone[:-1]]
        self.members.append(self._guild.add_member(everyone[-1], roles=[admins]))
        self.channel = self._guild.create_text_channel("games")
        env.backend.edit_bot_profile("Tangle Parlour")
        # Messages get their ids from the clock: none may be given twice, in this run or the last.
        env.backend.advance_clock(max(0.0, time.time() - env.now().timestamp()))
        self._ended = 0
        self._turns = asyncio.Lock()
        self._seen = 0

    async def seed_server(self) -> None:
        """Post a welcome, and show the tables still open from last time."""
        parlour = self.bot.app.parlour
        settings = await parlour.settings(self._guild.id)
        daily = self.channel.id if settings.daily else None
        await parlour.store.save_guild(replace(settings, **HERE, daily_channel_id=daily))
        room = self.bot.get_channel(self.channel.id)
        if not isinstance(room, discord.TextChannel):
            raise TypeError("the practice channel is missing")
        self._ended = await self._games_over()
        learn, play, rules = ways_in()
        first = next(game for game in games() if presenter_of(game.slug).weight is Weight.EASY)
        easiest = f"**{first.title}** ({presenter_of(first.slug).length}, easy to learn)"
        await room.send(view=Page([WELCOME.format(first=easiest), learn, STEPS, play, rules]).view())
        for table in reversed(await parlour.tables_in(self._guild.id, OPEN)):
            await parlour.refresh(table.id, "lobby" if table.deal is None else "board", fresh=True)
        await parlour.outbox.finish()
        await self.env.settle()

    async def show_signs(self) -> None:
        """Show the signs once they are drawn; until then, texts use words."""
        wanted = await draw_signs(self.bot.app.parlour.workers)
        async with self._turns:
            await upload_signs(self.bot, wanted, pause=0)

    async def _games_over(self) -> int:
        """Return the channel's finished games; daily deals don't count."""
        return len(await self.bot.app.parlour.store.tables_in(self._guild.id, [Phase.OVER], MOST_GAMES))

    async def welcome_again(self) -> None:
        """Offer the next game briefly, so that the result stays in sight."""
        ended = await self._games_over()
        if ended > self._ended:
            room = self.bot.get_channel(self.channel.id)
            if isinstance(room, discord.TextChannel):
                await room.send(view=Page([AGAIN, [*open_buttons()]]).view())
        self._ended = ended

    def share(self, preview: Preview) -> None:
        """Run actions one at a time; show their results on every page.

        SimCord refuses an action while another is in progress; here it waits its turn instead. SimCord also
        refuses an action from an outdated page; here the bot decides, for its buttons know the version that
        they were drawn from.
        """
        act = preview._action
        letters = DirectMessages(preview, self.channel.id, self.members)
        letters.show()

        async def in_turn(context: Any, body: Mapping[str, Any]) -> dict[str, Any]:
            async with self._turns:
                looking = preview._pages.get(context)
                letters.switch_channel(looking, body)
                if looking is not None and "published_revision" in body:
                    body = {**body, "published_revision": looking.revision}
                result: dict[str, Any] = await act(context, body)
                if len(self.env.backend.transcript) != self._seen:
                    self._seen = len(self.env.backend.transcript)
                    for page in list(preview._pages.values()):
                        if page.id != context:
                            preview._publish(page, reason="refresh")
                return result

        preview._explicit_assets = self.bot.pictures  # the preview would copy them before they are there
        preview._action = in_turn  # type: ignore[method-assign, assignment]  # the preview has no hook for it

    async def keep_time(self, preview: Preview) -> None:
        """Move the simulated clock with the real one, and show the results."""
        while True:
            await asyncio.sleep(TICK)
            async with self._turns:
                await self.env.advance_time(max(0.0, time.time() - self.env.now().timestamp()))
                await self.welcome_again()
                if len(self.env.backend.transcript) != self._seen:
                    self._seen = len(self.env.backend.transcript)
                    await preview.refresh()


class PracticeEnv(simcord.Env):
    """The simulated Discord, which doesn't count a refusal as a failure of the bot."""

    def _record_error(self, error: BaseException) -> None:
        if not is_refusal(error):
            super()._record_error(error)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  # SimCord calls this method by that name
        **more: Any,
    ) -> None:
        # A start is given five seconds, in which results of the last day may not be drawn.
        longer = None if timeout is None else max(timeout, SETTLE)
        await super()._settle_internal(timeout=longer, **more)


async def practise(
    settings: Settings, prepare: Callable[[PracticeSession], Awaitable[object]] | None = None
) -> None:
    """Run practice mode until it is stopped. Raise BadSettings if the port of the page is taken."""
    store = await Store.open(settings.practice_database_url, setting=PRACTICE_SETTING)
    workers = Workers(settings.workers, memory_mb=settings.worker_memory_mb)
    bot = PracticeBot(store, workers, kept_days=settings.keep_removed_days)
    monitor = monitoring.Monitor(store, workers, lambda: True, time.time)
    env = PracticeEnv(bot, settle_timeout=SETTLE, check_errors=False, shard_count=1)
    try:
        if settings.metrics_port is not None:
            await monitoring.listen(monitor, settings.metrics_host, settings.metrics_port)
        session = PracticeSession(env, bot)
        await workers.start()  # the simulated Discord waits five seconds for a start, workers included
        await env.start()
        try:
            with env.time_context():
                await session.seed_server()
                if prepare is not None:
                    await prepare(session)
                await _open_page(session, settings)
        finally:
            await bot.app.parlour.close()
            await env.shutdown()
    except ForeignDatabase as reason:
        raise BadSettings(
            f"{PRACTICE_SETTING} names the database of a bot on Discord (application {reason.owner}). "
            "Nothing changed there. Name another one."
        ) from None
    finally:
        await monitor.stop()
        workers.close()
        await store.close()


async def _open_page(session: PracticeSession, settings: Settings) -> None:
    preview = session.env.preview(
        session.channel, viewers=session.members, layout="channel", port=settings.practice_port
    )
    store = session.bot.app.parlour.store
    key = await store.fact("practice key")  # the same at each start, so an open page can be reloaded
    if key is None:
        key = secrets.token_urlsafe(32)
        await store.save_fact("practice key", key)
    preview.capability = key
    preview._media_worker = CheckedMedia()
    _keep_steady(preview)
    try:
        await preview.__aenter__()
    except simcord.SetupError as error:
        raise BadSettings(
            f"PRACTICE_PORT: can't use {settings.practice_port} ({error}). Is practice mode running "
            "already? Set another port, or 0 for any free one."
        ) from None
    try:
        session.share(preview)
        titles = ", ".join(game.title for game in games())
        print(
            f"\nTangle Parlour, practice mode ({titles}). Open this page:\n\n    {preview.url}\n", flush=True
        )
        print("Ctrl-C ends it. Your tables stay for next time.", flush=True)
        has_screen = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
        has_screen = has_screen or not sys.platform.startswith("linux")
        if settings.practice_browser and has_screen:
            with suppress(webbrowser.Error):
                webbrowser.open(preview.url)
        signs = asyncio.create_task(session.show_signs())
        clock = asyncio.create_task(session.keep_time(preview))
        closed = asyncio.create_task(preview.wait_closed())
        done, _ = await asyncio.wait({clock, closed}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (signs, clock, closed):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await preview.close()


def _keep_steady(preview: Preview) -> None:
    """Add our styles and the present time to the page. Call it before the page is opened."""
    serve = preview._server._static

    async def serve_styled(request: web.Request) -> web.Response:
        response: web.Response = await serve(request)
        if request.path == "/preview.css":
            response.text = f"{response.text}{STEADY}{PHONE}"
        for old, new in SCRIPTS.get(request.path, {}).items():
            response.text = (response.text or "").replace(old, new)
        if request.path == "/text.js":
            response.text = f"{response.text}{TICKING}"
        return response

    preview._server._static = serve_styled  # type: ignore[method-assign]  # the preview has no hook for it
