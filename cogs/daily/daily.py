"""`/daily`: today's deal in a private panel, past deals, standings, and your own calendar."""

import asyncio
from collections.abc import Collection, Mapping

import discord
from cachetools import TTLCache
from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, guild_of, is_in_server, name_of
from cogs.daily import words
from cogs.daily.page import MONTH, calendar_page, ending_page, press, standing_page
from cogs.discord import messages, work
from cogs.play.panel import at_the_end, solo_page
from cogs.ui.form import read_choice, reply, suggest_choices
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import NOT_OURS, Press, on_press, say
from cogs.ui.text import Interaction, anywhere
from cogs.ui.text import Line as TypedLine
from db.records import DailyMemberRow
from tables.clocks.pace import DAY, HOUR, add_days, read_day
from tables.core.table import Occupant, Phase, Refused, Table
from tables.daily import daily_games
from tables.runtime import Together

OFFERED = 25
EARLIEST = "2000-01-01"

at_the_end(ending_page)


@anywhere
class DailyCommands(
    commands.GroupCog,
    name="DailyCommands",
    group_name="daily",
    group_description="The deal of the day: one deal for everyone, one try",
):
    """The `/daily` commands, in servers and in DMs."""

    @app_commands.command(description="Play today's deal, or a past deal that no longer counts")
    @app_commands.describe(day="A past day, like 2026-11-23; leave it out for today")
    async def play(self, interaction: Interaction, day: TypedLine | None = None) -> None:
        app = app_of(interaction)
        chosen = app.parlour.daily.today if day is None else read_day(day)
        if day is not None and chosen is None:
            chosen = read_choice(await _past_days(app), day)
        if chosen is None:
            raise Refused("I can't read that day. Write it like 2026-11-23.")
        await _open(interaction, chosen, await _game_here(interaction, chosen))

    @play.autocomplete("day")
    async def days(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return suggest_choices(await _past_days(app_of(interaction)), current)

    @app_commands.command(description="See which deals you finished this month, and your points")
    async def calendar(self, interaction: Interaction) -> None:
        await _calendar(interaction, app_of(interaction).parlour.daily.today)

    @app_commands.command(description="See this server's results: today, this week, this month")
    async def standing(self, interaction: Interaction) -> None:
        await _standing(interaction, app_of(interaction).parlour.daily.today)

    @app_commands.command(description="Get today's result as text to share, without spoilers")
    async def share(self, interaction: Interaction) -> None:
        today = app_of(interaction).parlour.daily.today
        await _share(interaction, today, await _game_here(interaction, today))


async def _past_days(app: App) -> dict[str, str]:
    """Return the lines of the last days with a deal, newest first."""
    days = await app.parlour.store.daily.days_with_deals(app.parlour.daily.today, OFFERED)
    return {day: f"{words.format_day(day)} ({day})" for day in days}


async def _game_here(interaction: Interaction, day: str) -> str:
    """Return the day's game here; in a DM, of one shared server."""
    parlour = app_of(interaction).parlour
    if interaction.guild_id is None:
        for guild_id in await parlour.store.daily.member_of(interaction.user.id):
            post = await parlour.store.daily.post(guild_id, day)
            if post is not None:
                return post.game
    return await parlour.daily.game_here(interaction.guild_id, day)


async def _open(interaction: Interaction, day: str, game: str) -> None:
    app, user = app_of(interaction), interaction.user
    table = await app.parlour.daily.open(Occupant(name_of(user), user.id), day, game)
    await reply(interaction, await _panel(app, table, user.id))


async def _panel(app: App, table: Table, user_id: int) -> Page:
    """Return a play's panel, with an introduction at first; or its result."""
    page = await solo_page(app, user_id, await app.parlour.play.perspective(table.id, user_id))
    if table.phase is not Phase.PLAY or table.day is None:
        return page
    play = await app.parlour.daily.play_at(table.id, user_id)
    if await app.parlour.store.last_made_by(table.id, user_id, ("move", "undo")) is None:
        deal = await app.parlour.daily.deal(play.day, play.game)
        page.parts.insert(0, words.begins(deal, today=play.day == app.parlour.daily.today))
        dm = Button("Play by DM", Press("daily", "dm", table.id))
        page.parts.append([Button("Rules", Press("rules", "open", 0, 0, play.game)), dm])
    return page


async def _calendar(interaction: Interaction, day: str, *, edit: bool = False) -> None:
    guild = None
    if is_in_server(interaction):
        here = guild_of(interaction)
        guild = here.id, here.name
    person = interaction.user.id, name_of(interaction.user)
    await reply(interaction, await calendar_page(app_of(interaction), person, guild, day), edit=edit)


async def _standing(interaction: Interaction, day: str) -> None:
    guild_id, app = interaction.guild_id, app_of(interaction)
    if guild_id is None:
        raise Refused(
            "Use this in a server to see everyone's results. `/daily calendar` shows your own days."
        )
    post = await app.parlour.store.daily.post(guild_id, day)
    settings = await app.parlour.settings(guild_id)
    if post is None and not settings.daily:
        raise Refused(words.NOT_ON if is_in_server(interaction) else words.NOT_HERE)
    await reply(interaction, await standing_page(app, post, guild_id, day, interaction.user.id))


async def _share(interaction: Interaction, day: str, game: str) -> None:
    daily = app_of(interaction).parlour.daily
    play = await daily.counting_play(interaction.user.id, day, game)
    if play is None or not play.counts:
        raise Refused(words.NOT_FINISHED)
    await say(interaction, f"```\n{words.shareable_text(await daily.deal(day, game), play)}\n```")


def _deal_of(interaction: Interaction, press: Press) -> tuple[str, str]:
    """Return a press's day and game. Raise Refused if malformed."""
    text, _, game = press.arg.partition(".")
    day, today = read_day(text), app_of(interaction).parlour.daily.today
    if day is None or not EARLIEST <= day <= today or game not in daily_games():
        raise Refused(NOT_OURS)
    return day, game


@on_press("daily", "play")
async def on_play(interaction: Interaction, press: Press) -> None:
    await _open(interaction, *_deal_of(interaction, press))


@on_press("daily", "share")
async def on_share(interaction: Interaction, press: Press) -> None:
    await _share(interaction, *_deal_of(interaction, press))


@on_press("daily", "check")
async def on_check(interaction: Interaction, press: Press) -> None:
    """Show the proof that the deal was fixed before the day."""
    daily, (day, game) = app_of(interaction).parlour.daily, _deal_of(interaction, press)
    deal = await app_of(interaction).parlour.store.daily.deal(day, game)
    if deal is None:
        raise Refused(NOT_OURS)
    text = daily.promise(deal)
    await say(interaction, words.promise(text) if day == daily.today else words.proof(deal, text))


@on_press("daily", "standing")
async def on_standing(interaction: Interaction, press: Press) -> None:
    await _standing(interaction, _deal_of(interaction, press)[0])


@on_press("daily", "calendar")
async def on_calendar(interaction: Interaction, press: Press) -> None:
    text, _, leaf = press.arg.partition(".")
    day = read_day(text)
    today = app_of(interaction).parlour.daily.today
    if day is None or not EARLIEST <= day <= add_days(today, 31):
        raise Refused(NOT_OURS)
    # The page of a play that has ended stays; the calendar itself is leafed through.
    await _calendar(interaction, day, edit=leaf == MONTH)


@on_press("daily", "dm")
async def on_dm(interaction: Interaction, press: Press) -> None:
    """Send the link to your own play by DM."""
    app, user = app_of(interaction), interaction.user
    play = await app.parlour.daily.play_at(press.table, user.id)
    deal = await app.parlour.daily.deal(play.day, play.game)
    try:
        page = dm_page(deal.day, deal.game, words.title(deal))
        message = await messages.send(await user.create_dm(), page, messages.nonce_of("deal", interaction.id))
    except discord.Forbidden as error:
        if error.code not in work.NO_DM:
            raise
        raise Refused(words.CLOSED_DMS) from None
    await reply(interaction, Page([f"The deal is in [your DMs]({message.jump_url})."]), edit=True)


def dm_page(day: str, game: str, what: str) -> Page:
    return Page(
        [
            f"{words.SIGN} **Deal of the day**, {words.format_day(day)}: {what}",
            [Button("Play", press("play", day, game), PRIMARY)],
        ]
    )


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(DailyCommands())


LOOKUPS_AT_ONCE = 4
"""Members looked up at once."""
MOST_SERVERS = 25
"""Servers with the post up to which Discord is asked; beyond, people count where they used the bot."""
CACHE_SECONDS = {True: DAY / 2, False: 3 * DAY}
"""Seconds for which a membership (True) or its absence (False) is cached."""
REMEMBERED = 50_000
Known = Mapping[int, DailyMemberRow]
"""The known memberships of a server, by person."""


class Members:
    """Knows, looks up and notes the members of servers."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._app = app
        self._gate = asyncio.Semaphore(LOOKUPS_AT_ONCE)
        self._noted: TTLCache[tuple[int, int], bool] = TTLCache(REMEMBERED, 6 * HOUR, app.parlour.clock)

    async def note_use(self, guild_id: int, user_id: int) -> None:
        if (guild_id, user_id) in self._noted:
            return
        if await self._app.parlour.daily.note_member(guild_id, user_id, member=True):
            self._noted[guild_id, user_id] = True

    async def find_members(
        self, guild: discord.Guild, user_ids: Collection[int], known: Known, *, many: bool
    ) -> set[int]:
        """Return the members among some people; `known` has their rows.

        Discord is asked about people with no row or an old one. If `many` servers post the deal, it is asked
        only about people with a row.
        """
        now = self._app.parlour.clock()
        wanted = [
            user_id
            for user_id in user_ids
            if (user_id not in known and not many)
            or (user_id in known and now - known[user_id].checked_at > CACHE_SECONDS[known[user_id].member])
        ]
        async with Together() as together:
            asked = [together.create_task(self._look_up(guild, user_id)) for user_id in wanted]
        rows = {row.user_id: row for row in (task.result() for task in asked) if row is not None}
        await self._app.parlour.store.daily.note_members(list(rows.values()))
        here = {**known, **rows}
        return {user_id for user_id in user_ids if user_id in here and here[user_id].member}

    async def _look_up(self, guild: discord.Guild, user_id: int) -> DailyMemberRow | None:
        """Ask Discord about a member; return None if it can't answer."""
        now = self._app.parlour.clock()
        async with self._gate:
            try:
                await guild.fetch_member(user_id)
            except discord.NotFound:
                return DailyMemberRow(guild.id, user_id, False, now)
            except discord.HTTPException:
                return None
        return DailyMemberRow(guild.id, user_id, True, now)
