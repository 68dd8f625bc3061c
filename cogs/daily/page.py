"""Pages of the deal of the day: a day's post, its results, and one person's view."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from cogs.core.app import App
from cogs.core.pictures import ReplayDrawing
from cogs.core.presenter import presenter, presenter_of
from cogs.daily import words
from cogs.posts.board import board_post
from cogs.ui.page import PRIMARY, Button, ButtonLine, Described, Heading, Page
from cogs.ui.press import Press
from db.records import DailyDealRow, DailyPlayRow, DailyPostRow
from engines.marks import capital, quote, to_plain
from engines.words import plural
from render.core.canvas import Picture
from render.daily import Boards, Day, FinalBoard, MonthSheet
from tables.clocks.pace import add_days, ends, month_of
from tables.core.table import Phase, Table
from tables.daily import PlacedPlay
from tables.play.play import Perspective

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
        lines.append(
            "-# Just for yourself. It doesn't count." if play.rank is not None else "-# Not finished."
        )
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
    page.parts.append(f"{words.streak(await daily.streak(user_id))} (yours)\n{words.POINTS_NOTE}")
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
    row = [Button("Month before", press("calendar", add_days(first, -1), MONTH))]
    row.append(Button("Month after", press("calendar", add_days(last, 1), MONTH), disabled=last >= today))
    return Page([picture, words.streak(await daily.streak(user_id)), row])
