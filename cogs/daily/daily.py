"""The deal of the day: its pages, and `/daily`.

The pages are a day's post, its results, and one person's view. `/daily` shows today's deal in a private
panel, past deals, standings, and your own calendar.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import discord
import msgspec
from cachetools import TTLCache
from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, guild_of, is_in_server, name_of
from cogs.core.pictures import ReplayDrawing
from cogs.core.presenter import presenter, presenter_of
from cogs.daily import words
from cogs.discord import messages, work
from cogs.play.panel import at_the_end, solo_page
from cogs.posts.board import board_post
from cogs.ui.form import read_choice, reply, suggest_choices
from cogs.ui.page import PRIMARY, Button, ButtonLine, Described, Heading, Page
from cogs.ui.press import NOT_OURS, Press, on_press, say
from cogs.ui.text import Interaction, anywhere
from cogs.ui.text import Line as TypedLine
from db.records import DailyDealRow, DailyMemberRow, DailyPlayRow, DailyPostRow
from engines.marks import capital, quote, to_plain
from engines.words import plural
from render.core.canvas import Picture
from render.daily import Boards, Day, FinalBoard, MonthSheet
from tables.clocks.pace import DAY, HOUR, add_days, ends, month_of, read_day
from tables.core.table import Occupant, Phase, Refused, Table
from tables.daily import PlacedPlay, daily_games
from tables.play.play import Perspective
from tables.runtime import Together

BOARDS_PER_SHEET, MOST_SHEETS = 6, 4
"""Boards in one picture, and the most such pictures in a day's results."""
MONTH = "month"
"""Takes the place of a game in presses that leaf through the months of a calendar."""


def press(verb: str, day: str, game: str) -> Press:
    return Press("daily", verb, 0, 0, f"{day}.{game}")


def _ways(deal: DailyDealRow) -> list[Button]:
    return [
        Button("Share", press("share", deal.day, deal.game)),
        Button("Standing", press("standing", deal.day, deal.game)),
        Button("Rules", Press("rules", "open", 0, 0, deal.game)),
        Button("Check the deal", press("check", deal.day, deal.game)),
    ]


async def day_page(
    deal: DailyDealRow, finishers: Sequence[PlacedPlay], yesterday: str | None, puzzle: str | None = None
) -> Page:
    """Return today's post.

    `yesterday` is the URL of the one before, `puzzle` the task of the day's puzzle, if the server wants one.
    """
    known = presenter_of(deal.game)
    head = (
        f"{words.heading(deal.day)}\n{words.title(deal)}: {known.tagline}\nEveryone gets the same deal "
        f"and one try, until <t:{ends(deal.day):.0f}:t>. Nobody sees your board before then."
    )
    lines = (
        [f"**{words.finishers(len(finishers))}**", *words.ranking_lines(finishers)]
        if finishers
        else [words.NOBODY]
    )
    small = [words.legend(deal.game)] if finishers else []
    if yesterday is not None:
        small.insert(0, f"[The results of the last deal]({yesterday})")
    play = Button("Play", press("play", deal.day, deal.game), PRIMARY)
    below = ["\n".join(small)] if small else []
    page = Page([Heading(head, known.cover()), "\n".join(lines), *below, [play, *_ways(deal)]])
    if puzzle is not None:
        button = Button("Puzzle", Press("puzzle", "day", 0, 0, f"{deal.day}.{deal.game}"), emoji="🧩")
        page.parts.append(ButtonLine(f"**Puzzle of the day**: {puzzle}", button))
    return page


def off_page(deal: DailyDealRow) -> Page:
    return Page([f"{words.heading(deal.day)}\n{words.title(deal)}", words.OFF], accent=None)


async def results_page(
    app: App, deal: DailyDealRow, finishers: Sequence[PlacedPlay], house: DailyPlayRow | None
) -> Page:
    page = Page([f"{words.heading(deal.day)} · results\n{words.title(deal)}"])
    lines = (
        [f"**{words.finishers(len(finishers))}**", *words.ranking_lines(finishers)]
        if finishers
        else ["Nobody finished."]
    )
    if house is not None:
        lines.append(f"🤖 The strong computer's result: {house.said}, in {words.moves(house.moves)}.")
    page.parts.append("\n".join(lines))
    if finishers:
        plays = [(one.play, one.place) for one in finishers[: BOARDS_PER_SHEET * MOST_SHEETS - 1]]
        if house is not None:
            plays.append((msgspec.structs.replace(house, name="The computer"), 0))
        drawn = [await _board(app, play, place) for play, place in plays]
        sheets = [drawn[at : at + BOARDS_PER_SHEET] for at in range(0, len(drawn), BOARDS_PER_SHEET)]
        for number, sheet in enumerate(sheets, start=1):
            of = f" {number} of {len(sheets)}" if len(sheets) > 1 else ""
            picture = await app.pictures.boards(Boards(f"The final boards{of}", tuple(sheet)))
            page.parts.append(replace(picture, name=f"boards-{number}.png"))
        best = finishers[0]
        first = (
            "Best result"
            if best.place not in [one.place for one in finishers[1:]]
            else "One of the best results"
        )
        page.parts.append(f"**{first}**: {quote(best.play.name)}, {best.play.said}")
        table_id = best.play.table_id
        table = await app.parlour.table(table_id)
        view = (await app.parlour.play.perspective(table_id, None)).view
        ending = to_plain(presenter(table).words.result(view, table.names))
        result = await app.replays.replay(table, None, ending, None, app.pictures.theme)
        page.parts.append(await result.task if isinstance(result, ReplayDrawing) else result)
    page.parts += [words.legend(deal.game)] if finishers else []
    page.parts.append([Button("Play it just for yourself", press("play", deal.day, deal.game)), *_ways(deal)])
    return page


async def _board(app: App, play: DailyPlayRow, place: int) -> FinalBoard:
    perspective = await app.parlour.play.perspective(play.table_id, None)
    picture = await app.pictures.board(perspective.table, perspective.view)
    if not isinstance(picture, Picture):
        raise TypeError("the boards of a day are drawn for everybody")
    name = f"{place}. {play.name}" if place else play.name
    return FinalBoard(name, play.said, picture.png, place == 1)


async def play_row(
    app: App, table: Table, user_id: int, guild_id: int | None
) -> tuple[DailyPlayRow, list[str]]:
    await app.parlour.standings.count_table(table.id)
    play = await app.parlour.daily.play_at(table.id, user_id)
    lines = [f"**{capital(play.said)}** · {words.effort(play)}"]
    if not play.counts:
        done = "This one was just for you, so it doesn't count."
        lines.append(f"-# {done if play.rank is not None else 'Not finished.'}")
        return play, lines
    if guild_id is not None:
        finishers = await app.parlour.daily.placed_finishers(guild_id, play.day, play.game)
        own = next((one for one in finishers if one.play.user_id == user_id), None)
        if own is not None:
            lines.append(f"You're number {own.place} of {len(finishers)} here so far.")
    lines.append(words.streak(await app.parlour.daily.streak(user_id)))
    return play, lines


async def ending_page(app: App, perspective: Perspective) -> Page | None:
    table = perspective.table
    if table.day is None or table.phase is Phase.PLAY:
        return None
    user_id = table.seats[perspective.me].user_id or 0
    board = await board_post(app, table.id, after=None, memo=None)
    pictures = [part for part in board.page.parts if isinstance(part, Picture | Described)]
    if table.phase is not Phase.OVER:
        return Page(["This game was closed.", *pictures])
    play, lines = await play_row(app, table, user_id, None)
    result = presenter(table).words.result(perspective.view, table.names)
    head = f"{words.SIGN} **{words.format_day(play.day)}**: {result}"
    page = Page([head, *pictures, "\n".join(lines), words.legend(play.game)])
    ways = [Button("Standing", press("standing", play.day, play.game))]
    if play.counts:
        ways.insert(0, Button("Share", press("share", play.day, play.game), PRIMARY))
    ways.append(Button("Calendar", press("calendar", play.day, play.game)))
    looks = {"Replay": "replay", "History": "history", "What decided it": "why"}
    page.parts += [ways, [Button(label, Press("table", verb, table.id)) for label, verb in looks.items()]]
    return page


async def standing_page(app: App, post: DailyPostRow | None, guild_id: int, day: str, user_id: int) -> Page:
    daily, page = app.parlour.daily, Page([f"### {words.SIGN} Standing · {words.format_day(day)}"])
    if post is not None:
        finishers = await daily.placed_finishers(guild_id, day, post.game)
        page.parts.append("\n".join(words.ranking_lines(finishers, 25)) or words.NOBODY)
    week, month = await daily.week(guild_id, day), await daily.month(guild_id, day)
    page.parts.append(f"**The week**\n{words.sum_lines(week, user_id)}")
    page.parts.append(f"**{words.month(day)}**\n{words.sum_lines(month, user_id)}")
    page.parts.append(f"{words.streak(await daily.streak(user_id))}\n{words.POINTS_NOTE}")
    return page


async def calendar_page(app: App, person: tuple[int, str], guild: tuple[int, str] | None, day: str) -> Page:
    user_id, name = person
    daily, today = app.parlour.daily, app.parlour.daily.today
    month = await daily.calendar(user_id, None if guild is None else guild[0], day)
    first, last = month_of(day)
    won = sum(points for _, points in month.points.values())
    done = sum(play.counts for play in month.plays.values())
    where = "" if guild is None else f" · {plural(won, 'point')} in the server {quote(guild[1])}"
    text = f"{plural(done, 'daily deal')} finished{where}"
    days = {
        int(one[-2:]): Day(play.counts, *month.points.get(one, (None, 0)))
        for one, play in month.plays.items()
    }
    shown = MonthSheet(quote(name), first, text, days, int(today[-2:]) if first <= today <= last else None)
    picture = await app.pictures.calendar(shown)
    row = [Button("Previous month", press("calendar", add_days(first, -1), MONTH))]
    row.append(Button("Next month", press("calendar", add_days(last, 1), MONTH), disabled=last >= today))
    return Page([picture, words.streak(await daily.streak(user_id)), row])


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
    @app_commands.describe(day="A past day, like 2026-11-23. Leave it out for today")
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
