"""`/leaderboard` and `/profile`, each as a picture and as text."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core import presenter, time_words
from cogs.core.app import App, app_of, guild_of, name_of
from cogs.core.lookup import offer_games, read_game
from cogs.discord.messages import nonce_of, send
from cogs.standings import words
from cogs.ui.form import reply
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import NOT_OURS, Press, number_of, on_press, say, slug_of
from cogs.ui.text import Interaction, Line
from db.records import BestRow, RankedRow
from engines.marks import capital, quote
from engines.registry import game
from render.standings import Section, StandingsEntry, StandingsSheet
from tables.core.table import Refused
from tables.daily import DailySummary
from tables.puzzles import PuzzleProgress, points_of
from tables.standings.ratings import ResultKind, trend, uncertainty
from tables.standings.standings import Profile

LINES_PER_PAGE = 10
"""Lines of a leaderboard on a page."""
LINES_PER_WAY = 5
"""People listed for each way to play alone or together."""
MOST_WAYS = 4
"""Ways to play on a page, the most played first."""
KINDS = [
    app_commands.Choice(name="against each other", value=ResultKind.VERSUS.value),
    app_commands.Choice(name="together", value=ResultKind.COOP.value),
    app_commands.Choice(name="alone", value=ResultKind.SOLO.value),
]


async def leaderboard_page(
    app: App, guild: discord.Guild, slug: str, kind: ResultKind | None, part: int, viewer: int | None
) -> Page:
    """Return a leaderboard page for a viewer (None: everybody).

    Without a `kind` it is the ratings', or if there are none another. Raise Refused if there is nothing to
    show.
    """
    kinds = await app.parlour.standings.kinds(guild.id, slug)
    if not kinds or kind not in (None, *kinds):
        raise Refused(
            words.no_ratings(slug) if kind in (None, ResultKind.VERSUS) else words.none_of(slug, kind)
        )
    kind = kind or kinds[0]
    people = 0
    if kind is ResultKind.VERSUS:
        part = max(part, 0)
        board = await app.parlour.standings.leaderboard(
            guild.id, slug, viewer, part * LINES_PER_PAGE, LINES_PER_PAGE
        )
        if not board.rows:  # it has become shorter since the button was drawn
            part = 0
            board = await app.parlour.standings.leaderboard(guild.id, slug, viewer, 0, LINES_PER_PAGE)
        people = board.people
        entries = tuple(_entry(row, viewer) for row in board.rows)
        shown, lines = tuple([Section(entries)] if entries else ()), list(map(words.ranking_line, board.rows))
        if board.own is not None and board.own not in board.rows:
            lines.append(words.own_line(board.own, board.people))
        lines.append(words.LEGEND)
    else:
        rows = await app.parlour.standings.bests(guild.id, slug, kind, viewer)
        shown, lines = _bests(slug, rows, viewer)
    if not shown:
        raise Refused(words.ALL_HIDE)
    title = game(slug).title
    picture = await app.pictures.standings(
        StandingsSheet(title, f"{words.TITLES[kind]} · {guild.name}", shown)
    )
    page = Page([f"### {title}: {words.TITLES[kind].lower()}", picture, "\n".join(lines)])
    if viewer is not None:
        page.parts += _controls(slug, kind, kinds, part, people)
    return page


def _entry(row: RankedRow, viewer: int | None) -> StandingsEntry:
    return StandingsEntry(
        row.name,
        words.game_counts(row),
        words.number(row.rating),
        f"± {uncertainty(row.sigma)}",
        row.rank,
        trend(row.recent),
        row.user_id == viewer,
    )


def _bests(slug: str, result: Sequence[BestRow], viewer: int | None) -> tuple[tuple[Section, ...], list[str]]:
    speaker, rules = presenter.presenter_of(slug), game(slug)
    ways: dict[str, list[BestRow]] = {}
    for row in result:
        ways.setdefault(speaker.summary(words.options_of(rules, row.options), None), []).append(row)
    often = sorted(ways.items(), key=lambda way: -sum(row.games for row in way[1]))[:MOST_WAYS]
    sections, lines = [], []
    for way, rows in often:
        merged: dict[int, BestRow] = {}  # one row a person
        for row in rows:
            old = merged.get(row.user_id)
            merged[row.user_id] = row if old is None else words.merge_results(old, row)
        best = sorted(merged.values(), key=lambda row: (-row.wins, -(row.score or 0), row.games, row.user_id))
        best = best[:LINES_PER_WAY]
        entries = []
        for rank, row in enumerate(best, 1):
            value, detail = words.format_result(row)
            entries.append(StandingsEntry(row.name, detail, value, rank=rank, own=row.user_id == viewer))
        sections.append(Section(tuple(entries), way))
        lines += [f"**{way}**", *(words.best(row, rank) for rank, row in enumerate(best, 1))]
    return tuple(sections), lines


def _controls(slug: str, kind: ResultKind, kinds: Sequence[ResultKind], part: int, people: int) -> list[Any]:
    def press(verb: str, to: ResultKind, at: int) -> Press:
        return Press("standings", verb, arg=f"{slug}.{to}.{at}")

    row = []
    if part > 0:
        row.append(Button("Higher ranks", press("board", kind, part - 1)))
    if (part + 1) * LINES_PER_PAGE < people:
        row.append(Button("More", press("board", kind, part + 1)))
    row += [Button(words.TITLES[other], press("board", other, 0)) for other in kinds if other is not kind]
    row.append(Button("Show everyone", press("post", kind, part)))
    return [row]


async def profile_page(
    app: App, guild: discord.Guild, whose: tuple[int, str | None], slug: str | None, viewer: int | None
) -> Page:
    """Return a profile; `whose` is an id and a known name.

    Without a `viewer` it is for everybody, and names no opponents. Raise Refused if they hide from the
    viewer, or have finished nothing.
    """
    user_id, name = whose
    profile = await app.parlour.standings.profile(guild.id, user_id, viewer, slug)
    name = name or await app.parlour.standings.name(guild.id, user_id) or "Somebody"
    daily = await app.parlour.daily.summary(user_id, guild.id)
    puzzles = await app.parlour.puzzles.progress(user_id)
    if not profile.tallies and daily is None and not (user_id == viewer and puzzles.players):
        raise Refused(words.nothing(None if user_id == viewer else name))
    picture = await app.pictures.standings(await _sheet(guild, profile, name, daily, puzzles))
    lines = await _profile_lines(app, guild, profile, user_id, viewer)
    lines += [] if daily is None else [" · ".join([words.DAILY, *words.of_the_day(daily)])]
    lines += [words.of_puzzles(puzzles)] if puzzles.players else []
    page = Page([f"### {quote(name)}", picture, "\n".join(lines)])
    if viewer is None:
        return page
    charted = profile.charted
    if len(profile.ratings) > 1:
        options = [
            Option(game(row.game).title, row.game, chosen=row.game == charted) for row in profile.ratings
        ]
        page.parts.append(Menu(Press("standings", "chart", arg=str(user_id)), "Chart of the rating", options))
    own = await app.parlour.people.person(user_id)
    if own.hidden:
        page.parts.append(words.ALONE)
    else:
        show = Press("standings", "show", arg=f"{user_id}.{charted or ''}")
        page.parts.append([Button("Show everyone", show)])
    return page


async def _sheet(
    guild: discord.Guild, profile: Profile, name: str, daily: DailySummary | None, puzzles: PuzzleProgress
) -> StandingsSheet:
    sections = []
    if profile.ratings:
        sections.append(
            Section(
                tuple(
                    StandingsEntry(
                        game(row.game).title,
                        words.game_counts(row),
                        words.number(row.rating),
                        f"± {uncertainty(row.sigma)}",
                        change=trend(row.recent),
                    )
                    for row in profile.ratings
                ),
                words.RATINGS,
            )
        )
    if daily is not None:
        days, won = words.of_the_day(daily)
        sections.append(Section((StandingsEntry(words.DAILY, days, won),)))
    if puzzles.players:
        rated = (
            StandingsEntry(game(row.game).title, words.puzzles_solved(row), words.number(points_of(row)))
            for row in puzzles.players
        )
        sections.append(Section(tuple(rated), words.PUZZLES))
    played = words.games_played(profile.tallies)
    if played:
        sections.append(Section(tuple(describe_endings(*line) for line in played), words.FINISHED))
    if profile.opponents:
        entries = []
        for row in profile.opponents:
            value, detail = words.against(row)
            entries.append(StandingsEntry(row.name, detail, value))
        sections.append(Section(tuple(entries), words.AGAINST))
    course: tuple[int, ...] = ()
    if profile.course:
        course = (profile.course[0].before or 0, *(row.after or 0 for row in profile.course))
    charted = "" if profile.charted is None else f"Rating in {game(profile.charted).title}"
    return StandingsSheet(name, guild.name, tuple(sections), charted, course)


def describe_endings(title: str, games: str, ends: str) -> StandingsEntry:
    """Return a game's line: the best place large, the others small."""
    best, _, others = ends.partition(", ") if " place " in ends else (ends, "", "")
    return StandingsEntry(title, games, best, others)


async def _profile_lines(
    app: App, guild: discord.Guild, profile: Profile, user_id: int, viewer: int | None
) -> list[str]:
    lines = []
    for row in profile.ratings:
        board = await app.parlour.standings.leaderboard(guild.id, row.game, user_id, 0, 0)
        lines.append(words.rating(row, board.own, board.people))
    lines += [" · ".join(part for part in line if part) for line in words.games_played(profile.tallies)]
    for one in profile.opponents:
        _, games = words.against(one)
        who = "Against you" if user_id != viewer else f"Against {quote(one.name)}"
        lines.append(f"{who}: ahead in {one.won}, behind in {one.lost} · {games}")
    known = await app.parlour.standings.habits(guild.id, user_id, viewer)
    if known is not None:
        return [*lines, capital(f"{time_words.habits(known, app.parlour.clock())}.")]
    pace = words.pace(profile.tallies)
    return [*lines, pace] if pace else lines


class StandingsCog(commands.Cog, name="Standings"):
    """The `/leaderboard` and `/profile` commands."""

    @app_commands.command(description="See a game's best players in this server")
    @app_commands.rename(slug="game")
    @app_commands.describe(slug="Which game", kind="Against each other, together, or alone")
    @app_commands.choices(kind=KINDS)
    @app_commands.autocomplete(slug=offer_games)
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, slug: Line, kind: str | None = None) -> None:
        app, guild = app_of(interaction), guild_of(interaction)
        user = interaction.user
        await app.parlour.standings.rename(guild.id, user.id, name_of(user))
        wanted = None if kind is None else ResultKind(kind)
        await reply(interaction, await leaderboard_page(app, guild, read_game(slug), wanted, 0, user.id))

    @app_commands.command(description="See what you or someone else has played in this server")
    @app_commands.rename(slug="game")
    @app_commands.describe(member="Whose profile, if not your own", slug="Which game's chart to show")
    @app_commands.autocomplete(slug=offer_games)
    @app_commands.guild_only()
    async def profile(
        self, interaction: Interaction, member: discord.User | None = None, slug: Line | None = None
    ) -> None:
        await show_profile(interaction, member or interaction.user, None if slug is None else read_game(slug))


async def show_profile(
    interaction: Interaction, user: discord.User | discord.Member, slug: str | None = None
) -> None:
    app, guild = app_of(interaction), guild_of(interaction)
    if user.bot:
        raise Refused(words.NO_MEMBER)
    await app.parlour.standings.rename(guild.id, user.id, name_of(user))
    whose = user.id, name_of(user)
    await reply(interaction, await profile_page(app, guild, whose, slug, interaction.user.id))


def _place(press: Press) -> tuple[str, ResultKind, int]:
    slug, _, rest = press.arg.partition(".")
    kind, _, part = rest.partition(".")
    if kind not in list(ResultKind):
        raise Refused(NOT_OURS)
    return slug_of(slug), ResultKind(kind), number_of(part)


@on_press("standings", "board")
async def on_board(interaction: Interaction, press: Press) -> None:
    slug, kind, part = _place(press)
    app, guild = app_of(interaction), guild_of(interaction)
    page = await leaderboard_page(app, guild, slug, kind, part, interaction.user.id)
    await reply(interaction, page, edit=True)


@on_press("standings", "post")
async def on_post_board(interaction: Interaction, press: Press) -> None:
    slug, kind, part = _place(press)
    page = await leaderboard_page(app_of(interaction), guild_of(interaction), slug, kind, part, None)
    await _post(interaction, page)


@on_press("standings", "chart")
async def on_chart(interaction: Interaction, press: Press) -> None:
    app, guild = app_of(interaction), guild_of(interaction)
    page = await profile_page(app, guild, (press.number, None), slug_of(press.choice), interaction.user.id)
    await reply(interaction, page, edit=True)


@on_press("standings", "show")
async def on_post_profile(interaction: Interaction, press: Press) -> None:
    user_id, _, slug = press.arg.partition(".")
    app, guild = app_of(interaction), guild_of(interaction)
    charted = slug_of(slug) if slug else None
    await _post(interaction, await profile_page(app, guild, (number_of(user_id), None), charted, None))


async def _post(interaction: Interaction, page: Page) -> None:
    channel = interaction.channel
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused("I can't write here.")
    await send(channel, page, nonce_of("profile", interaction.id))
    await say(interaction, "Posted below for everyone.")


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(StandingsCog())
