"""The daily posts: one a day in each server, edited in place, and then its results."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace as with_pictures
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache
from discord.ext import commands, tasks
from msgspec.structs import replace

from cogs.core.app import App, app_in
from cogs.daily import daily, words
from cogs.daily.daily import day_page, off_page, press, results_page
from cogs.discord.messages import EditedPost, edit, newest, nonce_of, presses_of, send
from cogs.discord.work import NO_DM, WatchingCog
from cogs.ui.page import Page
from cogs.ui.text import Interaction
from db.records import DailyNoticeRow, DailyPostRow, ServerSettings
from engines.words import join_words
from tables.clocks.pace import MINUTE, add_days
from tables.daily import game_of
from tables.runtime import REMEMBERED, Retries, RoundRobin, is_paused

log = logging.getLogger(__name__)
EDIT_INTERVAL = 5.0
"""Seconds between two edits of a post."""
AT_ONCE = 8
"""Posts edited, or people notified, at once."""
RECENT = 5 * MINUTE
"""Seconds back for which ended plays are read: another process may have written them."""
STALE_AT_ONCE = 50
"""Posts refreshed at once because they name an erased person."""
RECHECK_AFTER = MINUTE
"""Seconds after which a post is checked even if nobody is known to have finished."""
HOUSE_TIMEOUT = 15 * MINUTE
"""Seconds that the results of a day wait for the strong computer's game."""
NEEDED = ("view_channel", "send_messages", "attach_files", "read_message_history")
Key = tuple[int, str]
"""A server and a day."""
Work = Callable[[], Coroutine[Any, Any, None]]


class DailyPosts(WatchingCog):
    """Checks every few seconds for posts to make, to refresh, or to close with their results."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        super().__init__(bot, app)
        # What is drawn here waits for what somebody waits for.
        self._drawing = with_pictures(app, pictures=app.pictures.for_posts())
        self._daily = app.parlour.daily
        self._store = app.parlour.store.daily
        self.members = daily.Members(bot, app)
        self._locks: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._servers: dict[int, ServerSettings] = {}
        self._known: set[tuple[int, str, str]] = set()
        self._dirty: set[Key] = set()
        self._posts: LRUCache[Key, EditedPost] = LRUCache(REMEMBERED)
        self._retries: Retries[Key] = Retries(app.parlour.clock)
        self._stale: RoundRobin[DailyPostRow, tuple[str, int]] = RoundRobin(
            STALE_AT_ONCE, lambda row: (row.day, row.guild_id)
        )
        self._telling: Retries[int] = Retries(app.parlour.clock)
        self._told: set[Key] = set()
        self._off: set[Key] = set()
        self._looked_at = self._seldom_at = float("-inf")
        self._begun_at = app.parlour.clock()

    async def cog_unload(self) -> None:
        """Stop the background work and drawings; the next start resumes them."""
        await super().cog_unload()
        for task in self._tasks.values():
            task.cancel()

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Note a user of the bot where the daily deal is posted."""
        guild_id = interaction.guild_id
        if guild_id is not None and guild_id in self._servers:
            noting = self.members.note_use(guild_id, interaction.user.id)
            await self._background.run("updating who is a member", noting)

    @tasks.loop(seconds=5)
    async def _checking(self) -> None:
        if not self._checking.current_loop:
            return  # a start is over first, after which much else is posted
        await self._background.run("checking the deals of the day", self._look())
        if not is_paused(self._seldom_at, self._app.parlour.clock()):
            self._seldom_at = self._app.parlour.clock() + RECHECK_AFTER
            await self._background.run("sending the deal of the day by DM", self._tell_people())
            await self._background.run("updating posts of erased people", self._queue_stale())

    @_checking.before_loop
    async def _wait(self) -> None:
        await self._bot.wait_until_ready()

    async def _look(self) -> None:
        today, now = self._daily.today, self._app.parlour.clock()
        self._servers = {row.guild_id: row for row in await self._store.servers()}
        posts = {(row.guild_id, row.day): row for row in await self._store.open_posts()}
        going_on = {*posts, *((guild_id, today) for guild_id in self._servers)}
        for noted in (self._dirty, self._told, self._off):
            noted.intersection_update(going_on)
        self._known = {one for one in self._known if one[1] == today}
        work: list[Awaitable[object]] = []
        for row in [row for key, row in posts.items() if row.day < today and self._retries.is_due(key)]:
            settings = self._servers.get(row.guild_id)
            if settings is not None and now >= self._daily.posts_at(settings, today):
                self._start_slow_work((row.guild_id, row.day), partial(self._close, row, now))
        for number, (guild_id, settings) in enumerate(self._servers.items()):
            if not number % AT_ONCE:
                await asyncio.sleep(0)
            key = guild_id, today
            if (
                key not in posts
                and now >= self._daily.posts_at(settings, today)
                and self._retries.is_due(key)
            ):
                work.append(self._try(key, partial(self._begin, settings, today)))
        await self._queue_finished(today, now, posts)
        if self._looked_at + RECHECK_AFTER <= now or self._looked_at > now:
            self._dirty |= {key for key in posts if key[1] == today}
            self._looked_at = now
        todays = (key for key in self._dirty & posts.keys() if key[1] == today)
        for key in sorted(filter(self._retries.is_due, todays)):
            self._dirty.discard(key)
            work.append(self._try(key, partial(self._refresh, posts[key])))
        # A few at a time, so that nothing else waits while pages are put together.
        for begin in range(0, len(work), AT_ONCE):
            await asyncio.gather(*work[begin : begin + AT_ONCE])

    async def _queue_stale(self) -> None:
        """Queue the posts that name somebody who was erased."""
        for row in await self._stale.next_rows(self._store.stale_posts):
            if self._retries.is_due((row.guild_id, row.day)):
                self._start_slow_work((row.guild_id, row.day), partial(self._show_again, row))

    def _start_slow_work(self, key: Key, work: Work) -> None:
        """Start a slow task, such as drawing results, without delaying other posts."""
        if key not in self._tasks:
            task = asyncio.create_task(self._try(key, work), name=f"the results of {key[1]} in {key[0]}")
            self._tasks[key] = task
            task.add_done_callback(lambda _done: self._tasks.pop(key))

    async def _queue_finished(self, today: str, now: float, posts: dict[Key, DailyPostRow]) -> None:
        self._daily.take_ended()
        if not any(day == today for _, day in posts):
            return
        since = now - RECENT if self._known else 0.0
        rows = [
            play
            for play in await self._store.plays_ended(today, since)
            if (play.user_id, today, play.game) not in self._known
        ]
        if not rows:
            return
        many = len(self._servers) > daily.MOST_SERVERS
        finished: dict[str, list[int]] = {}
        for play in rows:
            finished.setdefault(play.game, []).append(play.user_id)
        known = await self._store.members([play.user_id for play in rows])
        for number, (key, row) in enumerate(posts.items()):
            if not number % AT_ONCE:
                await asyncio.sleep(0)
            people, guild = finished.get(row.game), self._bot.get_guild(row.guild_id)
            if row.day != today or not people or guild is None or guild.unavailable:
                continue
            if await self.members.find_members(guild, people, known.get(row.guild_id, {}), many=many):
                self._dirty.add(key)
        self._known |= {(play.user_id, today, play.game) for play in rows}

    async def _try(self, key: Key, work: Work) -> None:
        """Run work for a post concurrently; retry failures with growing pauses."""
        async with self._gate, self._locks.setdefault(key, asyncio.Lock()):
            done = await self._background.run(f"the deal of {key[1]} in server {key[0]}", work())
        if not done:
            self._retries.note_failure(key)
            self._dirty.add(key)
        elif self._retries.failures(key):
            self._retries.note_success(key)

    async def _begin(self, settings: ServerSettings, day: str) -> None:
        """Post a day's deal. The row is saved first, so a crash leaves no second post."""
        channel = await self._channel(settings.guild_id, settings.daily_channel_id, day)
        if channel is None:
            return
        game = game_of(day, settings.daily_games)
        now = self._app.parlour.clock()
        claim = DailyPostRow(settings.guild_id, day, game, channel.id, claimed_at=now)
        row = await self._store.claim_post(claim)
        if row.closed_at is None:  # a clock that was set back opens no day again
            await self._show(row, channel)

    async def _refresh(self, row: DailyPostRow) -> None:
        """Refresh a current day's post, or say that it is off."""
        settings = self._servers.get(row.guild_id)
        if settings is None:
            return await self._say_off(row)
        self._off.discard((row.guild_id, row.day))
        # The post stays where it is, though the next may come elsewhere.
        wanted_in = settings.daily_channel_id if row.message_id is None else row.channel_id
        guild = self._bot.get_guild(row.guild_id)
        if guild is not None and guild.get_channel(row.channel_id) is None:
            wanted_in = settings.daily_channel_id
        channel = await self._channel(row.guild_id, wanted_in, row.day)
        if channel is not None:
            await self._show(row, channel)

    async def _show(self, row: DailyPostRow, channel: discord.TextChannel) -> None:
        deal = await self._daily.deal(row.day, row.game)
        finishers = await self._daily.placed_finishers(row.guild_id, row.day, row.game)
        parlour = self._app.parlour
        has_puzzle = (await parlour.settings(row.guild_id)).daily_puzzle and row.game in parlour.puzzles.games
        puzzle = await parlour.puzzles.task_of_day(row.game, row.day) if has_puzzle else None
        last, before = await self._store.last_post(row.guild_id, row.day), None
        if last is not None and last.message_id is not None:
            before = f"https://discord.com/channels/{last.guild_id}/{last.channel_id}/{last.message_id}"
        page = await day_page(deal, finishers, before, puzzle)
        if row.message_id is None:
            await self._daily.queue_notices(row.guild_id, row.day, row.game)
        await self._put(row, channel, page)

    async def _put(self, row: DailyPostRow, channel: discord.TextChannel, page: Page) -> None:
        """Show a page in a day's post, and save its id."""
        key = row.guild_id, row.day
        mark = press("standing", row.day, row.game)
        post = self._posts.setdefault(key, EditedPost(self._bot, lambda one: mark in presses_of(one)))
        nonce = nonce_of("day", row.guild_id, row.day, row.message_id)
        number, sent = await post.show(channel, row.message_id, page, nonce, row.claimed_at)
        self._retries.note_success(key, apart=EDIT_INTERVAL if sent else 0.0)
        if (number, channel.id) != (row.message_id, row.channel_id):
            await self._store.save_post(row.guild_id, row.day, message_id=number, channel_id=channel.id)

    async def _say_off(self, row: DailyPostRow) -> None:
        key = row.guild_id, row.day
        if key in self._off or row.message_id is None or self._bot.get_guild(row.guild_id) is None:
            return
        place = self._bot.get_partial_messageable(row.channel_id)
        await edit(place, row.message_id, off_page(await self._daily.deal(row.day, row.game)))
        self._posts.pop(key, None)
        self._off.add(key)

    async def _close(self, row: DailyPostRow, now: float) -> None:
        """Show and save a past day's results; save older ones only."""
        guild = self._bot.get_guild(row.guild_id)
        if guild is None or guild.unavailable:
            return
        people = [
            play.user_id for play in await self._store.plays_ended(row.day, 0.0) if play.game == row.game
        ]
        known = (await self._store.members(people, guild.id)).get(guild.id, {})
        await self.members.find_members(guild, people, known, many=len(self._servers) > daily.MOST_SERVERS)
        finishers = await self._daily.placed_finishers(row.guild_id, row.day, row.game)
        house = await self._daily.computer_play(row.day, row.game) if finishers else None
        settings = self._servers[row.guild_id]
        if (
            finishers
            and house is None
            and now < self._daily.posts_at(settings, self._daily.today) + HOUSE_TIMEOUT
        ):
            return  # the computer thinks about it still
        if row.message_id is not None:
            deal = await self._daily.deal(row.day, row.game)
            page = await results_page(self._drawing.in_theme(settings.theme), deal, finishers, house)
            fresh = bool(finishers) and row.day == add_days(self._daily.today, -1)
            try:
                await self._put_results(row, settings.daily_channel_id if fresh else None, page)
            except (discord.Forbidden, discord.NotFound) as error:
                # The points are theirs all the same.
                log.warning("server %s: can't show the results of %s: %s", row.guild_id, row.day, error)
        await self._daily.close(row, finishers)
        self._posts.pop((row.guild_id, row.day), None)
        self._dirty.add((row.guild_id, self._daily.today))

    async def _put_results(self, row: DailyPostRow, elsewhere: int | None, page: Page) -> None:
        """Put the results of a day in its post.

        If that or its channel is deleted, post them in the channel `elsewhere`, if given.
        """
        guild = self._bot.get_guild(row.guild_id)
        channel = None if guild is None else guild.get_channel(row.channel_id)
        if elsewhere is None and row.message_id is not None:
            await edit(self._bot.get_partial_messageable(row.channel_id), row.message_id, page)
            return
        if channel is None and guild is not None:
            channel = guild.get_channel(elsewhere or 0)
        if isinstance(channel, discord.TextChannel) and not missing_permissions_in(channel):
            await self._put(row, channel, page)

    async def _show_again(self, row: DailyPostRow) -> None:
        """Refresh a post without an erased person's name."""
        if row.closed_at is None and row.day == self._daily.today:
            await self._refresh(row)
        elif row.message_id is not None and self._bot.get_guild(row.guild_id) is not None:
            finishers = await self._daily.placed_finishers(row.guild_id, row.day, row.game)
            house = await self._daily.computer_play(row.day, row.game) if finishers else None
            deal = await self._daily.deal(row.day, row.game)
            page = await results_page(await self._drawing.for_server(row.guild_id), deal, finishers, house)
            await edit(self._bot.get_partial_messageable(row.channel_id), row.message_id, page)
        await self._store.save_post(row.guild_id, row.day, stale=False)

    async def _channel(self, guild_id: int, channel_id: int | None, day: str) -> discord.TextChannel | None:
        """Return the channel of a server's posts; None if it is unusable.

        A missing permission is logged for the admins.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        channel = guild.get_channel(channel_id or 0)
        if not isinstance(channel, discord.TextChannel):
            await self._give_up(guild_id, channel_id)
            return None
        missing = missing_permissions_in(channel)
        if not missing:
            return channel
        if (guild_id, day) not in self._told:
            self._told.add((guild_id, day))
            what = f"can't come to {channel.mention}: I need {join_words(missing)} there"
            await self._log_action(guild_id, what)
        return None

    async def _give_up(self, guild_id: int, channel_id: int | None) -> None:
        """Turn the daily deal off if its channel is gone."""

        def turn_off(settings: ServerSettings) -> ServerSettings:
            is_same = settings.daily_channel_id == channel_id
            return replace(settings, daily=False, daily_channel_id=None) if is_same else settings

        before, after = await self._app.parlour.store.change_guild(guild_id, turn_off)
        if before == after:
            return
        await self._log_action(guild_id, "was turned off because its channel was deleted")
        log.info("server %s: the deal of the day is off because its channel was deleted", guild_id)

    async def _log_action(self, guild_id: int, what: str) -> None:
        me = self._bot.user
        await self._app.parlour.write_down(guild_id, None, 0 if me is None else me.id, "daily", what=what)

    async def _tell_people(self) -> None:
        rows = await self._daily.take_due_notices()
        await asyncio.gather(*(self._tell(row) for row in rows[:AT_ONCE]))

    async def _tell(self, row: DailyNoticeRow) -> None:
        name = f"sending {row.user_id} the deal of the day"
        if await self._background.run(name, self._send_notice(row)):
            self._telling.note_success(row.user_id)
        else:
            self._telling.note_failure(row.user_id, at_least=RECHECK_AFTER)
            await self._daily.retry_notice(row, self._telling.seconds_left(row.user_id))

    async def _send_notice(self, row: DailyNoticeRow) -> None:
        """Notify somebody by DM once; give up if they accept none."""
        post = await self._store.post(row.guild_id, row.day)
        if post is not None:
            deal = await self._daily.deal(row.day, post.game)
            mark = press("play", row.day, post.game)
            try:
                dm = await self._bot.create_dm(discord.Object(row.user_id))
                may_be_duplicate = row.due_at < self._begun_at or self._telling.failures(row.user_id) > 0
                stands = may_be_duplicate and await newest(
                    self._bot, dm, lambda one: mark in presses_of(one) or None
                )
                if not stands:
                    page = daily.dm_page(row.day, post.game, words.title(deal))
                    await send(dm, page, nonce_of("deal", row.user_id, row.day))
            except discord.Forbidden as error:
                if error.code not in NO_DM:
                    raise
        await self._daily.note_notice_sent(row)


def missing_permissions_in(channel: discord.TextChannel) -> list[str]:
    allowed = channel.permissions_for(channel.guild.me)
    return [name.replace("_", " ").title() for name in NEEDED if not getattr(allowed, name)]


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(DailyPosts(bot, app_in(bot)))
