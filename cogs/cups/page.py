"""The posts of cups: their pages, one message each, edited in place."""

import asyncio
import logging
from collections.abc import Sequence
from typing import assert_never, cast

import discord
from discord.ext import commands, tasks

from cogs.core import presenter, time_words
from cogs.core.app import App, app_in, table_url
from cogs.discord.messages import EditedPost, EditedPosts, newest, nonce_of, presses_of, send
from cogs.ui.page import PRIMARY, SUCCESS, Button, Page
from cogs.ui.press import Press
from cogs.ui.text import Interaction
from engines.marks import quote, quote_players
from engines.words import join_words, plural, short_ordinal
from render.cup import CupLine, CupStandings
from tables.core.table import Refused, Terms
from tables.cups.schedule import Cup, CupPhase, Entrant, Pairing, rounds_of
from tables.lobby.looking import FINISHING

NAMES_LENGTH = 2000
"""Characters for the names of all players."""
TABLES_IN_POST = 12
"""Tables of a round in the post; **Standings** lists more."""
MOST_TABLES = 32
"""Tables of a round that are listed at most."""


async def cup_page(app: App, cup: Cup) -> Page:
    page = Page([heading(cup)])
    match cup.phase:
        case CupPhase.GATHERING:
            people = [entrant.user_id for entrant in cup.entrants if entrant.user_id > 0]
            count = await app.parlour.standings.count_leavers(cup.guild_id, people, FINISHING)
            verb = "finishes" if count == 1 else "finish"
            leavers = f"\n-# {count} of them {verb} fewer than {FINISHING} % of their games." if count else ""
            page.parts += [_terms(cup), f"{_entrants_line(cup)}{leavers}"]
            enough = len(cup.entrants) >= max(4, cup.size or 0)
            join = Button("Join", Press("cup", "join", cup.id), PRIMARY)
            start = Button("Start", Press("cup", "start", cup.id), SUCCESS, disabled=not enough)
            page.parts.append([join, Button("Leave", Press("cup", "leave", cup.id)), start])
        case CupPhase.PLAY:
            page.parts += [progress(cup), await tables_of_round(app, cup, TABLES_IN_POST)]
            leave = Button("Drop out", Press("cup", "drop", cup.id))
            row = [_standings(cup), Button("My tables", Press("mine", "list")), leave]
            page.parts += [await app.pictures.cup(standings_of(cup)), row]
        case CupPhase.OVER:
            page.parts += [f"🏆 {result(cup)}", await app.pictures.cup(standings_of(cup))]
            page.parts.append([_standings(cup)])
        case CupPhase.CLOSED:
            page.parts.append("This cup closed without a winner.")
            page.parts += [await app.pictures.cup(standings_of(cup))] if cup.pairings else []
            page.parts.append([_standings(cup)])
        case _:
            assert_never(cup.phase)
    return page


async def own_page(app: App, cup: Cup, user_id: int) -> Page:
    """Return the standings for one viewer, with the round's tables."""
    page = Page([heading(cup), progress(cup)])
    own = next((one for one in cup.standings if one.entrant.user_id == user_id), None)
    if own is not None and cup.pairings:
        text = "You haven't finished a game yet."
        if own.played:
            score = f"{plural(own.points, 'point')} in {plural(own.played, 'game')}"
            text = f"You're **{short_ordinal(own.place)}** with {score}."
        page.parts.append(f"{text} You've dropped out." if own.entrant.dropped else text)
    if cup.phase is CupPhase.PLAY:
        page.parts.append(await tables_of_round(app, cup, MOST_TABLES))
    if cup.pairings:
        page.parts.append(await app.pictures.cup(standings_of(cup)))
    else:
        page.parts.append(_entrants_line(cup))
    return page


def announcement(cup: Cup) -> Page:
    winners = [entrant.user_id for entrant in cup.winners if entrant.user_id > 0]  # else a former player
    mentions = f" {' '.join(f'<@{user_id}>' for user_id in winners)}" if winners else ""
    text = f"🏆 **{cup.game.title}, cup {cup.id}, is over.** {result(cup)}{mentions}"
    return Page([text, [Button("Standings", announcement_press(cup))]], mentions=winners)


def announcement_press(cup: Cup) -> Press:
    """Return the press of the announcement's button, which identifies that message."""
    return Press("cup", "standings", cup.id, 0, "won")


def heading(cup: Cup) -> str:
    return f"## {cup.game.title} · cup {cup.id}"


def _terms(cup: Cup) -> str:
    speaker = presenter.presenter_of(cup.slug)
    size = f"{cup.size} players sit at each table." if cup.size else "Tables have the best size for the game."
    ends = f" A round takes at most {plural(cup.days, 'day')}." if cup.days else ""
    return (
        f"{speaker.tagline}\n{time_words.terms(Terms(cup.pace))}\n"
        f"This cup is for up to {cup.most} players. {size}{ends} "
        "A win scores 2 points, and a shared win scores 1."
    )


def _entrants_line(cup: Cup) -> str:
    names = [
        f"{_entrant_name(entrant)} (host)" if entrant.user_id == cup.host_id else _entrant_name(entrant)
        for entrant in cup.entrants
    ]
    if cup.phase is not CupPhase.GATHERING:
        return f"**{len(names)} took part:** {join_fitting(names)}"
    count, forecast = f"**{len(names)} of {cup.most} take part:** {join_fitting(names)}", ""
    players = len(cup.entrants)
    if players >= max(4, cup.size or 0):  # the cup's format if nobody else joined
        rounds = plural(rounds_of(players, cup.table_size), "round")
        forecast = f"With {players} players, the cup has {rounds}, with {cup.table_size} players at a table. "
    return f"{count}\n-# {forecast}The cup begins when it's full, or when the host starts it."


def join_fitting(names: Sequence[str], room: int = NAMES_LENGTH) -> str:
    """Join as many names as fit; count the others.

    >>> join_fitting(["Ann", "Bo", "Cy"]), join_fitting(["Ann", "Bo", "Cy"], 8)
    ('Ann, Bo, Cy', 'Ann, Bo and 1 more')
    """
    shown = list[str]()
    for name in names:
        if sum(len(one) + 2 for one in shown) + len(name) > room:
            return f"{', '.join(shown)} and {len(names) - len(shown)} more"
        shown.append(name)
    return ", ".join(shown)


def _standings(cup: Cup) -> Button:
    return Button("Standings", Press("cup", "standings", cup.id), PRIMARY)


def progress(cup: Cup) -> str:
    if cup.phase is CupPhase.OVER:
        return result(cup)
    if cup.phase is not CupPhase.PLAY:
        return "The cup hasn't begun." if cup.phase is CupPhase.GATHERING else "Closed without a winner."
    last = cup.round == cup.rounds
    following = "The cup ends" if last else "The next round begins"
    at = "" if cup.ends_at is None or last else f", at the latest on {time_words.moment(cup.ends_at)}"
    return f"{_picture_caption(cup)}. {following} when the last game ends{at}."


def _picture_caption(cup: Cup) -> str:
    """Return a cup's progress in words that change only with events."""
    if cup.phase is CupPhase.OVER:
        return f"The cup ended after {plural(cup.round, 'round')}"
    games = cup.tables_of_round(cup.round)
    going = sum(one.places is None for one in games)
    return f"Round {cup.round} of {cup.rounds} · {plural(going, 'game')} not finished yet"


def result(cup: Cup) -> str:
    winners = [f"**{_entrant_name(entrant)}**" for entrant in cup.winners]
    if not winners:
        return "Nobody won a game, so nobody wins the cup."
    points = plural(cup.standings[0].points, "point")
    if len(winners) == 1:
        return f"{winners[0]} wins the cup with {points}."
    return f"{join_words(winners)} share first place with {points} each."


async def tables_of_round(app: App, cup: Cup, most: int) -> str:
    begun = [one for one in cup.pairings if one.round <= cup.round and one.places is None]
    begun.sort(key=lambda one: one.table_id is None)
    lines = [await _table(app, cup, one) for one in begun[:most]]
    if len(begun) > most:
        lines.append(f"-# … and {plural(len(begun) - most, 'more table')}: **Standings**")
    return "\n".join(lines)


async def _table(app: App, cup: Cup, pairing: Pairing) -> str:
    if pairing.table_id is None:
        players = [_entrant_name(one) for one in cup.entrants if one.user_id in pairing.people]
        return f"-# A table for {join_words(players)} opens as soon as they all have room for another game."
    table = await app.parlour.table(pairing.table_id)
    names = ", ".join(quote_players(table.names))
    earlier = f" (round {pairing.round})" if pairing.round < cup.round else ""
    return f"[Table {table.id}]({table_url(table)}): {names}{earlier}"


def standings_of(cup: Cup) -> CupStandings:
    return CupStandings(
        title=cup.game.title,
        number=cup.id,
        told=_picture_caption(cup),
        lines=tuple(
            CupLine(one.place, who.name, one.points, one.tie_break, one.wins, one.played, who.dropped)
            for one in cup.standings
            for who in [one.entrant]
        ),
        final=cup.phase is CupPhase.OVER,
    )


def _entrant_name(entrant: Entrant) -> str:
    return quote(entrant.name)


log = logging.getLogger(__name__)


class CupPosts(EditedPosts):
    """Refreshes the posts of changed cups, and after a start all of them."""

    @tasks.loop(seconds=5)
    async def _checking(self) -> None:
        await self._bot.wait_until_ready()
        await self._background.run("checking the posts of cups", self._look())

    async def _look(self) -> None:
        cups = self._app.parlour.cups
        if not self._opened:
            self._dirty |= set(await cups.cups_to_show())
            self._opened = True
        self._dirty |= cups.take_touched()
        await asyncio.gather(*map(self.refresh, sorted(filter(self._retries.is_due, self._dirty))))

    async def refresh(self, cup_id: int) -> None:
        """Refresh the post of a cup; retry later if that fails."""
        self._dirty.discard(cup_id)
        async with self._gate:
            is_shown = await self._background.run(f"the post of cup {cup_id}", self._show(cup_id))
        if is_shown:
            self._retries.note_success(cup_id)
        else:
            self._retries.note_failure(cup_id)
            self._dirty.add(cup_id)

    async def _show(self, cup_id: int) -> None:
        async with self._locks.setdefault(cup_id, asyncio.Lock()):
            try:
                cup = await self._app.parlour.cups.cup(cup_id)
            except Refused:
                return  # it was erased with its server
            guild = self._bot.get_guild(cup.guild_id)
            channel = None if guild is None else guild.get_channel(cup.channel_id)
            if guild is None or guild.unavailable or not isinstance(channel, discord.TextChannel):
                return  # its games go on elsewhere, and `/cup show` tells of it
            page = await cup_page(await self._app.for_server(cup.guild_id), cup)
            post = self._posts.setdefault(cup_id, EditedPost(self._bot, lambda one: _is_post(one, cup_id)))
            nonce = nonce_of("cup", cup.id, cup.message_id)
            number, _ = await post.show(channel, cup.message_id, page, nonce)
            if number != cup.message_id:
                await self._app.parlour.cups.note_post(cup_id, number)
            if cup.phase is CupPhase.OVER and not cup.announced:
                won = announcement_press(cup)
                # Once, even if that could not be saved.
                if await newest(self._bot, channel, lambda one: won in presses_of(one) or None) is None:
                    await send(channel, announcement(cup), nonce_of("won", cup.id))
                await self._app.parlour.cups.note_announced(cup.id)
            if cup.phase in (CupPhase.OVER, CupPhase.CLOSED):
                self._posts.pop(cup_id, None)

    async def tell(self, cup: Cup, text: str, person: int | None = None) -> None:
        """Post a message in a cup's channel, mentioning a person.

        If that fails, only the log of `/admin audit` has it.
        """
        guild = self._bot.get_guild(cup.guild_id)
        channel = None if guild is None else guild.get_channel(cup.channel_id)
        if isinstance(channel, discord.TextChannel):
            try:
                page = Page([text], mentions=() if person is None else [person])
                await send(channel, page, nonce_of("told", cup.id, text, self._app.parlour.clock()))
            except discord.HTTPException as error:
                log.info("can't announce a change of cup %s: %s", cup.id, error)


def _is_post(message: discord.Message, cup_id: int) -> bool:
    return any((press.room, press.table, press.arg) == ("cup", cup_id, "") for press in presses_of(message))


def cup_posts(interaction: Interaction) -> CupPosts:
    return cast(CupPosts, cast(commands.Bot, interaction.client).get_cog("CupPosts"))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(CupPosts(bot, app_in(bot)))
