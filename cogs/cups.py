"""Cups: `/cup` for small tournaments in a channel, and their posts.

A post is one message, edited in place; its buttons are answered here.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import assert_never, cast

import discord
from discord import app_commands
from discord.ext import commands, tasks

from cogs.core import presenter, time_words
from cogs.core.app import App, app_in, app_of, name_of, table_url
from cogs.core.lookup import is_admin, log_action, offer_games, read_game
from cogs.core.words import reason as why
from cogs.discord import messages
from cogs.discord.messages import EditedPost, EditedPosts, newest, nonce_of, presses_of, send
from cogs.lobby import lobby, terms
from cogs.ui.form import reply, suggest_choices
from cogs.ui.page import PRIMARY, SUCCESS, Button, Page
from cogs.ui.press import NOT_OURS, Press, number_of, on_press, say
from cogs.ui.text import Interaction, Line, Remark
from engines import registry
from engines.marks import quote, quote_players
from engines.words import join_words, plural, short_ordinal
from render.cup import CupLine, CupStandings
from tables.core.table import Occupant, Refused, Terms
from tables.cups.cups import LONGEST_ROUND, CupTerms, require_running
from tables.cups.schedule import FEWEST, GOING, MOST, Cup, CupPhase, Entrant, Pairing, rounds_of
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
            verb = "player finishes" if count == 1 else "players finish"
            leavers = f"\n-# {count} {verb} fewer than {FINISHING}% of their games." if count else ""
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
    size = (
        f"{cup.size} players sit at each table."
        if cup.size
        else "I choose the table size that needs the fewest computers."
    )
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
    count, forecast = f"**{len(names)} of {cup.most} have joined:** {join_fitting(names)}", ""
    players = len(cup.entrants)
    if players >= max(4, cup.size or 0):  # the cup's format if nobody else joined
        rounds = plural(rounds_of(players, cup.table_size), "round")
        forecast = f"With {players} players, the cup has {rounds} and seats {cup.table_size} at each table. "
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
    at = "" if cup.ends_at is None or last else f", or on {time_words.moment(cup.ends_at)} at the latest"
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
        lines.append(f"-# … and {plural(len(begun) - most, 'more table')}. **Standings** shows them.")
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
            ours = "cup", cup_id, ""
            found = EditedPost(
                self._bot,
                lambda one: any((press.room, press.table, press.arg) == ours for press in presses_of(one)),
            )
            post = self._posts.setdefault(cup_id, found)
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


def cup_posts(interaction: Interaction) -> CupPosts:
    return cast(CupPosts, cast(commands.Bot, interaction.client).get_cog("CupPosts"))


USUAL = 16
"""The usual number of players in a cup."""


async def numbers(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    rows = await app_of(interaction).parlour.store.cups.within(interaction.guild_id or 0, GOING, 25)
    named = {row.id: f"{row.id} · {registry.game(row.game).title}" for row in rows}
    return suggest_choices(named, current)


async def cup_here(interaction: Interaction, number: int | None) -> Cup:
    """Return the named cup, else the newest of this channel.

    Without one in the channel it is the only cup in progress in the server. Raise Refused if that leaves
    none, or the cup belongs to another server.
    """
    cups, guild_id = app_of(interaction).parlour.cups, interaction.guild_id or 0
    if number is not None:
        cup = await cups.cup(number)
        if cup.guild_id != guild_id:
            raise Refused(f"I can't find cup {number} in this server.")
        return cup
    channel = interaction.channel
    place = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
    here = await cups.lately_at(place or 0)
    if here is not None:
        return here
    going = await cups.running_cups(guild_id)
    if len(going) == 1:
        return going[0]
    if going:
        raise Refused(
            f"Several cups are running ({', '.join(str(cup.id) for cup in going)}). Choose one with `cup:`."
        )
    raise Refused("There's no cup here. `/cup new` opens one.")


async def _say_and_refresh(interaction: Interaction, cup: Cup, text: str) -> None:
    await say(interaction, text)
    await cup_posts(interaction).refresh(cup.id)


async def _log_cup_action(
    interaction: Interaction, cup: Cup, what: str, reason: str, person: int | None = None
) -> None:
    """Log an action on another's cup; post the reason."""
    own = interaction.user.id == person
    if interaction.user.id != cup.host_id and not own:
        await log_action(interaction, None, "cup", what=what, cup=cup.id, person=person, reason=reason)
    if reason:
        title = f"**{cup.game.title}, cup {cup.id}**"
        out = "dropped out of" if own else "was taken out of"
        text = f"{title} was {what}." if person is None else f"<@{person}> {out} {title}."
        await cup_posts(interaction).tell(cup, f"{text}\n{why(reason)}", None if own else person)


class CupCommands(
    commands.GroupCog, group_name="cup", group_description="Play small tournaments in a channel"
):
    """The `/cup` commands. Without `cup:` they mean the newest cup of the channel."""

    @app_commands.command(description="Open a cup in this channel")
    @app_commands.describe(
        slug="Which game to play",
        players="How many players can join, 4 to 64",
        pace=terms.OPTION_DESCRIPTIONS["pace"],
        seats="How many players sit at a table. Leave it out for the best fit",
        days="Days until the next round begins, even if some games haven't ended",
    )
    @app_commands.rename(slug="game")
    @app_commands.autocomplete(slug=offer_games, pace=terms.paces)
    async def new(
        self,
        interaction: Interaction,
        slug: Line,
        players: app_commands.Range[int, FEWEST, MOST] = USUAL,
        pace: terms.PaceName | None = None,
        seats: app_commands.Range[int, 2, 5] | None = None,
        days: app_commands.Range[int, 1, LONGEST_ROUND] | None = None,
    ) -> None:
        parlour = app_of(interaction).parlour
        guild_id, channel_id = await lobby.place_here(interaction)
        kept = terms.pace_of(pace or (await parlour.settings(guild_id)).pace)
        host = Occupant(name_of(interaction.user), interaction.user.id)
        cup = await parlour.cups.open(
            guild_id, channel_id, host, read_game(slug), CupTerms(players, kept, size=seats, days=days)
        )
        await _say_and_refresh(interaction, cup, f"Cup {cup.id} is open, and you're in it.")

    @app_commands.command(description="Join a cup")
    @app_commands.autocomplete(cup=numbers)
    async def join(self, interaction: Interaction, cup: int | None = None) -> None:
        await _join(interaction, await cup_here(interaction, cup))

    @app_commands.command(description="Leave a cup that hasn't begun")
    @app_commands.autocomplete(cup=numbers)
    async def leave(self, interaction: Interaction, cup: int | None = None) -> None:
        await _leave(interaction, await cup_here(interaction, cup))

    @app_commands.command(description="Begin a cup before it's full (for the host)")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    @app_commands.autocomplete(cup=numbers)
    async def start(self, interaction: Interaction, cup: int | None = None, reason: Remark = "") -> None:
        await _start(interaction, await cup_here(interaction, cup), reason)

    @app_commands.command(description="See a cup's standings and its tables")
    @app_commands.autocomplete(cup=numbers)
    async def show(self, interaction: Interaction, cup: int | None = None) -> None:
        target = await cup_here(interaction, cup)
        await reply(interaction, await own_page(app_of(interaction), target, interaction.user.id))

    @app_commands.command(description="Drop out of a running cup, and let computers take your seats")
    @app_commands.describe(
        member="The player who drops out, if it isn't you (for the host and admins)",
        reason=messages.TO_PLAYERS,
    )
    @app_commands.autocomplete(cup=numbers)
    async def drop(
        self,
        interaction: Interaction,
        member: discord.User | None = None,
        cup: int | None = None,
        reason: Remark = "",
    ) -> None:
        target, whom = await cup_here(interaction, cup), interaction.user if member is None else member
        await reply(interaction, _ask_drop(target, whom.id, interaction.user.id, reason))

    @app_commands.command(description="End a cup without a winner (for the host)")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    @app_commands.autocomplete(cup=numbers)
    async def close(self, interaction: Interaction, cup: int | None = None, reason: Remark = "") -> None:
        await reply(interaction, _ask_close(await cup_here(interaction, cup), reason))


def _confirmation_page(cup: Cup, question: str, verb: str, arg: str, reason: str) -> Page:
    press = Press("cup", f"{verb}_now", cup.id, 0, arg)
    return Page(messages.confirmation(f"{heading(cup)}\n{question}", press, f"{verb}.{arg}", reason))


def _ask_start(cup: Cup, reason: str = "") -> Page:
    """Ask a person other than the host if the cup should begin."""
    question = (
        f"**Start this cup?** It begins with its {len(cup.entrants)} players, and nobody else can join."
    )
    return _confirmation_page(cup, question, "start", "", reason)


def _ask_close(cup: Cup, reason: str = "") -> Page:
    require_running(cup)
    question = "**Close this cup?** Then nobody wins. Games in progress continue. You can't undo this."
    return _confirmation_page(cup, question, "close", "", reason)


def _ask_drop(cup: Cup, user_id: int, asker: int, reason: str = "") -> Page:
    require_running(cup)
    entrant = cup.entrant(user_id)
    if entrant is None:
        raise Refused("Only players in this cup can do that.")
    if cup.phase is CupPhase.GATHERING:
        raise Refused("This cup hasn't begun. **Leave** gives up your place.")
    who = "Do you want to drop out?" if user_id == asker else f"Should {quote(entrant.name)} drop out?"
    whose = "your" if user_id == asker else "their"
    question = (
        f"**{who}** A computer takes over in all {whose} games of this cup, but its wins earn no cup points. "
        "Points won before this still count. You can't undo this."
    )
    return _confirmation_page(cup, question, "drop", str(user_id), reason)


async def _join(interaction: Interaction, cup: Cup) -> None:
    joined = await app_of(interaction).parlour.cups.join(
        cup.id, interaction.user.id, name_of(interaction.user)
    )
    began = " The cup begins." if joined.phase is CupPhase.PLAY else ""
    await _say_and_refresh(interaction, joined, f"You're in cup {joined.id} now.{began}")


async def _leave(interaction: Interaction, cup: Cup) -> None:
    left = await app_of(interaction).parlour.cups.leave(cup.id, interaction.user.id)
    closed = " Nobody's left, so the cup is closed." if left.phase is CupPhase.CLOSED else ""
    await _say_and_refresh(interaction, left, f"You've left cup {left.id}.{closed}")


async def _start(interaction: Interaction, cup: Cup, reason: str) -> None:
    admin = await is_admin(interaction)
    begun = await app_of(interaction).parlour.cups.start(cup.id, interaction.user.id, admin=admin)
    await _log_cup_action(interaction, begun, "started", reason)
    await _confirm_done(interaction, begun, f"Cup {begun.id} begins. Its tables open in a moment.")


@on_press("cup", "join")
async def on_join(interaction: Interaction, press: Press) -> None:
    await _join(interaction, await _cup_of_press(interaction, press))


@on_press("cup", "leave")
async def on_leave(interaction: Interaction, press: Press) -> None:
    await _leave(interaction, await _cup_of_press(interaction, press))


@on_press("cup", "start")
async def on_start(interaction: Interaction, press: Press) -> None:
    """Begin at once for the host; ask an administrator first."""
    cup = await _cup_of_press(interaction, press)
    if cup.phase is CupPhase.GATHERING and interaction.user.id != cup.host_id and await is_admin(interaction):
        return await reply(interaction, _ask_start(cup))
    await _start(interaction, cup, "")


@on_press("cup", "start_now")
async def start_now(interaction: Interaction, press: Press) -> None:
    await _start(interaction, await _cup_of_press(interaction, press), messages.read_reason(interaction))


@on_press("cup", "standings")
async def on_standings(interaction: Interaction, press: Press) -> None:
    cup = await _cup_of_press(interaction, press)
    await reply(interaction, await own_page(app_of(interaction), cup, interaction.user.id))


@on_press("cup", "drop")
async def on_drop(interaction: Interaction, press: Press) -> None:
    user_id = interaction.user.id
    await reply(interaction, _ask_drop(await _cup_of_press(interaction, press), user_id, user_id))


@on_press("cup", "drop_now")
async def drop_now(interaction: Interaction, press: Press) -> None:
    cup = await _cup_of_press(interaction, press)
    actor, admin = interaction.user.id, await is_admin(interaction)
    after = await app_of(interaction).parlour.cups.drop(cup.id, press.number, actor, admin=admin)
    await _log_cup_action(interaction, after, "dropped", messages.read_reason(interaction), press.number)
    name = next(one.name for one in after.entrants if one.user_id == press.number)
    await _confirm_done(interaction, after, f"{quote(name)} dropped out of cup {cup.id}.")


@on_press("cup", "close_now")
async def close_now(interaction: Interaction, press: Press) -> None:
    cup = await _cup_of_press(interaction, press)
    admin = await is_admin(interaction)
    after = await app_of(interaction).parlour.cups.close(cup.id, interaction.user.id, admin=admin)
    await _log_cup_action(interaction, after, "closed", messages.read_reason(interaction))
    await _confirm_done(interaction, after, f"Cup {cup.id} is closed.")


@on_press("cup", "why")
async def on_why(interaction: Interaction, press: Press) -> None:
    """Ask for a reason, then ask for confirmation again."""
    await _cup_of_press(interaction, press)
    verb, _, arg = press.arg.partition(".")
    if verb not in QUESTIONS:
        raise Refused(NOT_OURS)

    async def again(answered: Interaction, reason: str) -> None:
        cup, asker = await _cup_of_press(answered, press), answered.user.id
        await reply(answered, QUESTIONS[verb](cup, arg, asker, reason), edit=True)

    await messages.ask_why(interaction, again)


QUESTIONS: dict[str, Callable[[Cup, str, int, str], Page]] = {
    "start": lambda cup, _, __, reason: _ask_start(cup, reason),
    "drop": lambda cup, arg, asker, reason: _ask_drop(cup, number_of(arg), asker, reason),
    "close": lambda cup, _, __, reason: _ask_close(cup, reason),
}
"""The questions to repeat once a reason is given."""


@on_press("cup", "no")
async def on_no(interaction: Interaction, press: Press) -> None:
    await _cup_of_press(interaction, press)
    await reply(interaction, Page(["Nothing changed."]), edit=True)


async def _confirm_done(interaction: Interaction, cup: Cup, text: str) -> None:
    await reply(interaction, Page([text]), edit=True)
    await cup_posts(interaction).refresh(cup.id)


async def _cup_of_press(interaction: Interaction, press: Press) -> Cup:
    """Return a press's cup. Raise Refused for another server's."""
    return await cup_here(interaction, press.table)


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(CupCommands())
    await bot.add_cog(CupPosts(bot, app_in(bot)))
