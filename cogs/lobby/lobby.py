"""The lobby card, its buttons, and opening a table."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from types import MappingProxyType
from typing import Any, assert_never

import aiohttp
import discord

from cogs.core import lookup, time_words, words
from cogs.core.app import App, app_of, guild_of, name_of, require_permissions, table_link
from cogs.core.presenter import presenter
from cogs.discord.messages import Memo, encode_memo
from cogs.lobby import terms
from cogs.ui import press as presses
from cogs.ui.form import InputForm, Typed, ask, redraw
from cogs.ui.page import DANGER, PRIMARY, SUCCESS, Button, Heading, Menu, Option, Page, Part
from cogs.ui.press import NOT_OURS, Press, on_press, say, slug_of
from cogs.ui.text import Interaction
from db.records import PostRow, ServerSettings
from engines.game import Strength
from engines.marks import player_name, quote, quote_player, sign
from engines.registry import game
from engines.words import plural
from tables.core.change import Change, require_lobby
from tables.core.table import SUFFIX, Occupant, Phase, Refused, Table
from tables.lobby import decisions
from tables.lobby import decisions as lobby_decisions
from tables.runtime import DatabaseUnavailable

log = logging.getLogger(__name__)
NO_HABITS: Mapping[int, str] = MappingProxyType({})


async def card_of(app: App, table: Table) -> Page:
    """Return a table's card, in a lobby with its people's habits."""
    settings = await app.parlour.settings(table.guild_id)
    if table.phase is not Phase.LOBBY or table.learning:
        return lobby_page(table, settings)
    habits = {user: await app.parlour.standings.habits(table.guild_id, user) for user in table.people}
    now = app.parlour.clock()
    lines = {user: time_words.habits(known, now) for user, known in habits.items() if known is not None}
    suited = await _find_strength(app, table) if settings.computers else None
    return lobby_page(table, settings, lines, suited)


def lobby_page(
    table: Table,
    settings: ServerSettings,
    habits: Mapping[int, str] = NO_HABITS,
    suited: Strength | None = None,
) -> Page:
    """Return a table's card.

    `habits` are lines by person, `suited` is the strength of computers that suits the host.
    """
    speaker = presenter(table)
    rules = game(table.slug)
    title = f"## {rules.title} · table {table.id}\n{speaker.tagline}"
    head = Heading(title, speaker.cover())
    summary = speaker.summary(table.options, len(table.seats))
    facts = f"{summary} · {speaker.length_with(table.options)} · {speaker.weight}"
    if not table.learning:
        facts += f"\n{time_words.terms(table.terms)}"
    if table.private and not table.learning:
        facts += f"\n{sign('lock', '🔒')} This table is private: bring people in with `/table invite`."
    if table.finishers:
        facts += f"\n🏁 Newcomers and people who finish at least {table.finishers}% of their games can join."
    if table.phase is not Phase.LOBBY:
        again = [Button("Open it again", Press("lobby", "reopen", table.id), PRIMARY)]
        rows = [again] if table.phase is Phase.EXPIRED else []
        return Page([head, facts, _players(table), _after(table), *rows], accent=None)
    if table.origin is not None:
        facts += f"\n{words.deal_origin(table.origin)}"
    else:
        facts += words.counting(table, settings.rate_computers)
    facts += words.hints(table) + words.thinking(table)
    if table.starts_full:
        facts += f"\nThe game starts when all {table.room} seats are taken."
    seats = _players(table, habits) + "\n" + "\n".join(["▫️ *free*"] * (table.room - len(table.seats)))
    return Page(
        [
            head,
            facts,
            "\n".join([seats.rstrip(), *_start_obstacles(table, settings)]),
            *_rows(table, settings, suited),
        ]
    )


def _players(table: Table, habits: Mapping[int, str] = NO_HABITS) -> str:
    lines = []
    for seat, occupant in enumerate(table.seats):
        if occupant.computer:
            name = quote(player_name(table.names, seat).removesuffix(SUFFIX))
            lines.append(f"🤖 {name} (computer, {occupant.strength})")
        elif occupant.nobody:
            lines.append(
                f"▫️ *free*, {quote_player(table.names, seat)}'s seat" if occupant.name else "▫️ *free*"
            )
        else:
            host = " (host)" if occupant.user_id == table.host_id else ""
            lines.append(f"👤 **{quote_player(table.names, seat)}**{host}")
            known = habits.get(occupant.user_id or 0)
            lines += [] if known is None else [f"-# {known}"]
    return "\n".join(lines)


def _after(table: Table) -> str:
    match table.phase:
        case Phase.PLAY:
            return time_words.obstacle(table) or (
                f"The game has begun {table_link(table, 'in its thread')}."
                if table.has_thread
                else "The game is running below."
            )
        case Phase.OVER:
            return (
                f"The game is over. {table_link(table, 'Its thread')} shows how it ended."
                if table.has_thread
                else "The game is over."
            )
        case Phase.EXPIRED:
            return words.EXPIRED
        case Phase.LOBBY | Phase.CLOSED:
            return words.NEVER_BEGUN if table.deal is None else words.CALLED_OFF
        case _:
            assert_never(table.phase)


def _is_ready(table: Table) -> bool:
    if table.arranged:
        return table.taken == table.room
    return len(table.seats) in table.game.seats_for(table.options)


def _start_obstacles(table: Table, settings: ServerSettings) -> list[str]:
    if _is_ready(table):
        return []
    allowed = table.game.seats_for(table.options)
    lacking = table.room - table.taken if table.arranged else allowed[0] - len(table.seats)
    if lacking <= 0:
        return [f"-# With these options, at most {plural(allowed[-1], 'player')} can play."]
    if lacking == 1:
        return [f"-# The game needs 1 more player{' or a computer' if settings.computers else ''}."]
    return [f"-# The game needs {lacking} more players{' or computers' if settings.computers else ''}."]


def _rows(table: Table, settings: ServerSettings, suited: Strength | None) -> list[Part]:
    def press(verb: str, arg: str = "") -> Press:
        return Press("lobby", verb, table.id, 0, arg)

    free = table.taken < table.room
    # The card is the same for all, so what its host has done already is not the brightest.
    join = Button("Join", press("join"), disabled=not free)
    first = [
        *([] if table.arranged else [join]),
        Button("Start", press("start"), SUCCESS, disabled=not _is_ready(table)),
        Button("Leave", press("leave")),
        Button("Options", press("options")),
        Button("Rules", Press("rules", "open", 0, 0, table.slug)),
    ]
    second = [
        Button("Pace and time", press("time")),
        Button("Learn it first", Press("lobby", "learn", 0, 0, table.slug)),
    ]
    if any(occupant.computer for occupant in table.seats):
        second.append(Button("Remove computer", press("remove")))
    if free and not table.private:
        second.append(Button("Ask around", press("ask")))
    second.append(Button("Cancel", press("cancel"), DANGER))
    menus: list[Part] = []
    if table.arranged and free:
        seats = [
            Option(
                f"Seat {seat + 1}: {quote_player(table.names, seat)}" if one.name else f"Seat {seat + 1}",
                str(seat),
            )
            for seat, one in enumerate(table.seats)
            if one.nobody
        ]
        menus.append(Menu(press("seat"), "Sit down, or change your seat", seats))
    if free and settings.computers:
        host = next((seat for seat, one in enumerate(table.seats) if one.user_id == table.host_id), 0)
        mark = f" · suggested for {quote_player(table.names, host)}"
        strengths = [
            Option(title, strength, about + (mark if strength is suited else ""))
            for strength, (title, about) in terms.STRENGTHS.items()
        ]
        # Another id after each: the menu would else keep the last choice, and not take it again.
        menus.append(Menu(press("computer", str(table.taken)), "Add a computer player", strengths))
    return [*menus, first, second]


@on_press("lobby", "new")
async def on_new(interaction: Interaction, press: Press) -> None:
    """Open a lobby with the usual options, which its card can change."""
    await open_table(interaction, slug_of(press.arg), game(press.arg).Options(), 0, terms.TypedTerms())


async def open_table(
    interaction: Interaction, slug: str, options: Any, computers: int, said: terms.TypedTerms
) -> None:
    app = app_of(interaction)
    guild_id, channel_id = await place_here(interaction)
    host = Occupant(name_of(interaction.user), interaction.user.id)
    settings = await app.parlour.settings(guild_id)
    if computers:
        decisions.require_computers(settings)
    kept = terms.resolve_terms(settings, said)
    table = await app.parlour.lobby.create(guild_id, channel_id, host, slug, options, terms=kept)
    async with close_unless_shown(app, table):
        rival = Strength(said.strength or await _find_strength(app, table) or Strength.MEDIUM)
        for _ in range(min(computers, max(table.game.seats_for(options)) - 1)):
            table = await app.parlour.lobby.add_computer(table.id, interaction.user.id, rival)
        await show_card(interaction, app, table)


async def _find_strength(app: App, table: Table) -> Strength | None:
    """Return the computers' strength that suits the host. None if the host hides."""
    if (await app.parlour.people.person(table.host_id)).hidden:
        return None
    return await app.parlour.standings.suggest_strength(table.guild_id, table.host_id, table.slug)


async def place_here(interaction: Interaction) -> tuple[int, int]:
    """Return the server and channel for a new table here.

    Raise Refused if none can be opened here, the bot lacks a permission, or the asker may not open one.
    """
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused("Tables exist only in servers. Use the command in a channel there.")
    guild_of(interaction)
    if isinstance(interaction.channel, discord.Thread):
        if interaction.channel.parent_id is None:
            raise Refused("Open the table in a channel, not in a thread.")
        raise Refused(f"Open the table in <#{interaction.channel.parent_id}>, not in a thread.")
    if not isinstance(interaction.channel, discord.TextChannel):
        raise Refused("Open the table in a text channel.")
    require_permissions(interaction)
    await require_opening(interaction, interaction.guild_id, interaction.channel_id)
    return interaction.guild_id, interaction.channel_id


async def require_opening(interaction: Interaction, guild_id: int, channel_id: int) -> None:
    """Raise Refused unless the asker may open tables here. Those who run the server may anywhere."""
    settings = await app_of(interaction).parlour.settings(guild_id)
    roles = () if settings.open_role_id is None else await _roles(interaction, guild_id)
    try:
        decisions.require_opening(settings, channel_id, roles)
    except Refused:
        if not await lookup.is_admin(interaction):
            raise


async def _roles(interaction: Interaction, guild_id: int) -> list[int]:
    """Return the asker's roles in a server; none after they left."""
    member: discord.abc.User | None = interaction.user
    if not isinstance(member, discord.Member):
        client = interaction.client
        try:
            # Another process may know the server, while this one has the DMs.
            guild = client.get_guild(guild_id) or await client.fetch_guild(guild_id, with_counts=False)
            member = await guild.fetch_member(interaction.user.id)
        except (discord.NotFound, discord.Forbidden):
            return []
    return [role.id for role in member.roles] if isinstance(member, discord.Member) else []


@asynccontextmanager
async def close_unless_shown(app: App, table: Table) -> AsyncIterator[None]:
    """Close a new table if its card can't be shown.

    If Discord shows the card after all, it says that the table is closed.
    """
    try:
        yield
    except BaseException:
        with suppress(Refused, DatabaseUnavailable):
            app.parlour.outbox.doubt(table.id, "lobby")
            await app.parlour.decide(table.id, lobby_decisions.cancel, user_id=table.host_id)
            app.parlour.outbox.wake(table.id)
        raise


async def show_card(interaction: Interaction, app: App, table: Table) -> None:
    """Answer with a new table's public card, and save its id.

    If Discord's answer is lost, the outbox looks for the card, and sends it if there is none.
    """
    if not await presses.claim_response(interaction):
        await app.parlour.refresh(table.id, "lobby", fresh=True)
        return await say(interaction, f"Table {table.id} is open. {table_link(table)}")
    page = await card_of(app, table)
    try:
        answered = await page.send_with(
            lambda view, files: interaction.response.send_message(
                view=view, files=files, allowed_mentions=page.mentions_to_allow()
            )
        )
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        if not presses.may_have_worked(error):
            raise
        log.info("table %s: whether its card is shown is unknown, so I look for it: %s", table.id, error)
        app.parlour.outbox.doubt(table.id, "lobby")
        return await app.parlour.refresh(table.id, "lobby", fresh=True)
    if isinstance(answered.resource, discord.InteractionMessage):
        memo = encode_memo(Memo(), answered.resource)
        await app.parlour.note_post(table, "lobby", 0, table.channel_id, answered.resource.id, memo)


def is_on_card(press: Press) -> bool:
    """Return True for a card's press: others have an argument."""
    return press.verb == "computer" or not press.arg


CARD_DELETED = 10008
"""Discord's code for an answer to a message that is gone."""


async def _update(interaction: Interaction, table: Table) -> None:
    """Redraw the pressed card; after changes from elsewhere the outbox does that."""
    app = app_of(interaction)
    card = await app.parlour.store.find_last_post(table.id, "lobby", 0)
    if card is not None and interaction.message is not None and interaction.message.id != card.message_id:
        # An older card that could not be changed when the table moved on.
        app.parlour.outbox.wake(table.id)
        return await redraw(
            interaction, Page([words.forwarding_line(table, address(table, card))], accent=None)
        )
    page = await card_of(app, table)
    try:
        await redraw(interaction, page)
    except discord.HTTPException as error:
        if error.code not in (presses.ALREADY_ANSWERED, CARD_DELETED):
            raise
        # Discord has redrawn it, perhaps, or somebody has just deleted it: the outbox makes sure.
        app.parlour.outbox.wake(table.id)
        if error.code == CARD_DELETED:
            await say(interaction, "Someone has just deleted that card, so I'm posting a new one.")
        return None
    await app.parlour.note_shown(table, "lobby", 0)
    if (await app.parlour.table(table.id)).version > table.version:
        # Somebody else's newer card may have got to Discord before this one.
        await app.parlour.refresh(table.id, "lobby")


@on_press("lobby", "join", in_place=is_on_card)
async def join(interaction: Interaction, press: Press) -> None:
    """Take a seat; an argument means from the notice board."""
    app = app_of(interaction)
    table = await app.parlour.lobby.join(press.table, interaction.user.id, name_of(interaction.user))
    if press.arg:
        app.parlour.outbox.wake(table.id)
        return await say(interaction, f"You're at table {table.id} now. {table_link(table)}")
    await _update(interaction, table)


async def _decide(interaction: Interaction, press: Press, decision: Callable[..., Change]) -> None:
    """Carry out a decision of the asker, and redraw the card."""
    applied = await app_of(interaction).parlour.decide(press.table, decision, user_id=interaction.user.id)
    await _update(interaction, applied.table)


@on_press("lobby", "seat", in_place=is_on_card)
async def sit(interaction: Interaction, press: Press) -> None:
    lobby = app_of(interaction).parlour.lobby
    user = interaction.user
    await _update(interaction, await lobby.sit(press.table, user.id, name_of(user), press.choice_number))


@on_press("lobby", "leave", in_place=is_on_card)
async def leave(interaction: Interaction, press: Press) -> None:
    await _decide(interaction, press, lobby_decisions.leave)


@on_press("lobby", "computer", in_place=is_on_card)
async def add_computer(interaction: Interaction, press: Press) -> None:
    strength = press.choice
    if strength not in list(Strength):
        raise Refused(NOT_OURS)
    lobby = app_of(interaction).parlour.lobby
    await _update(interaction, await lobby.add_computer(press.table, interaction.user.id, Strength(strength)))


@on_press("lobby", "remove", in_place=is_on_card)
async def remove(interaction: Interaction, press: Press) -> None:
    await _decide(interaction, press, lobby_decisions.remove_computer)


@on_press("lobby", "cancel", in_place=is_on_card)
async def cancel(interaction: Interaction, press: Press) -> None:
    await _decide(interaction, press, lobby_decisions.cancel)


@on_press("lobby", "start", in_place=is_on_card)
async def start(interaction: Interaction, press: Press) -> None:
    """Deal and begin; an argument means from the reminder."""
    app = app_of(interaction)
    table = await app.parlour.table(press.table)
    if interaction.channel_id == table.channel_id:
        require_permissions(interaction)
    table = await app.parlour.lobby.start(press.table, interaction.user.id)
    if press.arg:
        return await say(interaction, f"Table {table.id} begins. {table_link(table)}")
    await _update(interaction, table)


@on_press("lobby", "options", "time")
async def on_terms(interaction: Interaction, press: Press) -> None:
    """Ask the host for options or time rules; show others."""
    app = app_of(interaction)
    table = await app.parlour.table(press.table)
    require_lobby(table)
    is_time = press.verb == "time"
    settings = await app.parlour.settings(table.guild_id)
    fields = (terms.time_fields if is_time else terms.option_fields)(table, settings)
    if table.host_id != interaction.user.id or not fields:
        host = quote_player(table.names, table.seat_of(table.host_id) or 0)
        change = f"Only the host, {host}, can change this." if fields else "Nobody can change this here."
        summary = presenter(table).summary(table.options, len(table.seats))
        return await say(interaction, f"{summary}. {change}\n{time_words.terms(table.terms)}")

    async def on_filled(answered: Interaction, filled: Typed) -> None:
        now = await app.parlour.table(press.table)
        changes = terms.read_time_form(filled) if is_time else terms.read_option_form(now, filled)
        changed = await app.parlour.lobby.set_terms(now.id, answered.user.id, **changes)
        await _update(answered, changed)

    title = f"{'Pace and time' if is_time else 'Options'} of table {table.id}"
    await ask(interaction, InputForm(title, fields, on_filled, in_place=True))


@on_press("lobby", "reopen", in_place=is_on_card)
async def reopen(interaction: Interaction, press: Press) -> None:
    app = app_of(interaction)
    expired = await app.parlour.table(press.table)
    await require_opening(interaction, expired.guild_id, expired.channel_id)
    table = (await app.parlour.decide(press.table, lobby_decisions.reopen, user_id=interaction.user.id)).table
    if press.arg:
        app.parlour.outbox.wake(table.id)
        return await say(interaction, f"Table {table.id} is open again. {table_link(table)}")
    await _update(interaction, table)


def address(table: Table, post: PostRow) -> str:
    return f"https://discord.com/channels/{table.guild_id}/{post.channel_id}/{post.message_id}"
