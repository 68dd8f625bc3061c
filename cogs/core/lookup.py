"""Finds the table that a command means, and decides who may administer a server's tables."""

import logging
from collections.abc import Sequence
from typing import Any, cast

import discord
from cachetools import TTLCache
from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of
from cogs.ui import form
from cogs.ui.press import NOT_IN_A_DM, Press, before_press
from cogs.ui.text import Interaction, to_label
from engines import marks, registry, words
from tables.clocks.clock import LARGEST_JUMP
from tables.core.table import EVER, OPEN, NoTable, Phase, Refused, Table
from tables.lobby.invitations import PRIVATE, TableLists
from tables.parlour import Parlour
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective
from tables.runtime import Cache

log = logging.getLogger(__name__)
GROUP = "admin"
Permissions = tuple[discord.app_commands.AppCommandPermissions, ...]
CACHE_SECONDS = 60.0
"""Seconds for which a server's Integrations settings are cached."""
SERVERS = 1000


class Integrations(commands.Cog):
    """Caches who may use `/admin` under *Server Settings → Integrations*.

    Discord itself checks these settings before a typed command, but not before the press of a button.
    """

    def __init__(self, bot: commands.Bot) -> None:
        self._bot = bot
        self._command: discord.app_commands.AppCommand | None = None
        self._known: Cache[int, Permissions] = Cache(TTLCache(SERVERS, CACHE_SECONDS))

    async def is_allowed(self, member: discord.Member) -> bool:
        """Return True if the server allows a member or role `/admin`.

        A permission for everybody makes nobody an administrator.
        """
        own = list[bool]()
        roles = {role.id for role in member.roles if not role.is_default()}
        of_roles = list[bool]()
        for one in await self._known.read(member.guild.id, lambda: self._fetch_permissions(member.guild)):
            if one.id == member.id:
                own.append(one.permission)
            elif one.id in roles:
                of_roles.append(one.permission)
        return any(own or of_roles)

    async def _fetch_permissions(self, guild: discord.Guild) -> Permissions:
        if self._command is None:
            registered = await self._bot.tree.fetch_commands()
            self._command = next((one for one in registered if one.name == GROUP), None)
        if self._command is None:
            return ()
        try:
            return tuple((await self._command.fetch_permissions(guild)).permissions)
        except discord.NotFound:  # the server has set nothing
            return ()
        except discord.HTTPException as error:
            log.warning("server %s: its Integrations can't be read: %s", guild.id, error)
            return ()


async def is_admin(interaction: Interaction) -> bool:
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        return False
    if interaction.permissions.manage_guild:
        return True
    role = (await app_of(interaction).parlour.settings(interaction.guild_id)).admin_role_id
    if role is not None and member.get_role(role) is not None:
        return True
    bot = cast(commands.Bot, interaction.client)
    return await cast(Integrations, bot.get_cog("Integrations")).is_allowed(member)


async def require_admin(interaction: Interaction) -> int:
    """Return the server of an administrator's request. Raise Refused for anybody else."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        raise Refused(NOT_IN_A_DM)
    if not await is_admin(interaction):
        raise Refused(
            "Only this server's admins can do that. Someone with Manage Server can make you one in "
            "`/admin config`."
        )
    return interaction.guild_id


async def log_action(interaction: Interaction, table_id: int | None, action: str, **details: Any) -> int:
    """Log what an administrator did here; return the entry's number.

    `details` are those of `tables.servers.audit`.
    """
    parlour = app_of(interaction).parlour
    return await parlour.write_down(
        interaction.guild_id or 0, table_id, interaction.user.id, action, **details
    )


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(Integrations(bot))


TITLES = {slug: registry.game(slug).title for slug in registry.SLUGS}
"""The games that a typed option can name."""
ROOMS_WITHOUT_TABLES = ("cup",)
"""Rooms whose presses carry another number in place of a table's."""
OFFERS = {("late", "take")}
"""Presses of people who look for such a game, wherever they are."""


async def table_here(
    interaction: Interaction,
    number: int | None,
    phases: tuple[Phase, ...] = OPEN,
    lists: Parlour | TableLists | None = None,
) -> Table:
    """Return the table that a command is about.

    The order: the one named; that of this thread; of the tables in this channel the caller's own first, then
    the last touched; then the only table at which they sit. A game's own command finds tables of that game
    only. `lists` has the tables to search: the parlour, or a snapshot for autocomplete. Raise Refused if that
    leaves none, or the table belongs to another server or another game.
    """
    parlour, slug = app_of(interaction).parlour, game_of(interaction)
    lists = lists or parlour
    if number is not None:
        table = await parlour.table(number)
        if interaction.guild_id is not None and table.guild_id != interaction.guild_id:
            raise Refused(f"There's no table {number} in this server. `/table list` shows all tables.")
        if interaction.guild_id is None and table.seat_of(interaction.user.id) is None:
            raise Refused(f"You aren't at table {number}. Use the command in its server.")
        if not (await parlour.invitations.can_see(table, interaction.user.id) or await is_admin(interaction)):
            raise Refused(f"Table {number} isn't in this server, or you can't see it.")
        require_game(table, slug)
        return table
    if interaction.channel_id is not None:
        here = filter_by_game(slug, await lists.tables_at(interaction.channel_id, phases))
        if here:
            mine = [table for table in here if table.seat_of(interaction.user.id) is not None]
            return (mine or here)[0]
    mine = [
        table
        for table in filter_by_game(slug, await lists.tables_of(interaction.user.id, phases))
        if interaction.guild_id in (None, table.guild_id)
    ]
    if len(mine) == 1:
        return mine[0]
    if mine:
        numbers = ", ".join(str(table.id) for table in mine[:10])
        raise Refused(f"You're at several tables ({numbers}). Choose one with `table:`.")
    if slug is not None:
        raise Refused(
            f"You aren't at a {registry.game(slug).title} table here. `/{slug} new` opens one in a channel. "
            "`/table list` shows all tables."
        )
    raise Refused("There's no table here. `/help` shows how to open one.")


def game_of(interaction: Interaction) -> str | None:
    """Return the slug of a game's command group; None if shared."""
    command = interaction.command
    group = command.root_parent if isinstance(command, app_commands.Command) else None
    return group.name if group is not None and group.name in registry.SLUGS else None


def filter_by_game(slug: str | None, tables: Sequence[Table]) -> list[Table]:
    return [table for table in tables if slug in (None, table.slug)]


def require_game(table: Table, slug: str | None) -> None:
    if slug not in (None, table.slug):
        raise Refused(f"The game at table {table.id} is {table.game.title}. Use `/{table.slug}` there.")


ELSEWHERE = ("asked", "board")
"""The arguments of lobbies' presses that come from other posts than the card."""


@before_press
async def refuse_lost_posts(interaction: Interaction, press: Press) -> None:
    """Raise Refused for a post of a table that a restore lost.

    Its number can have gone to another table, which began after the post was last edited.
    """
    message = interaction.message
    if not press.table or message is None or message.flags.ephemeral:
        return
    try:
        table = await app_of(interaction).parlour.table(press.table)
    except NoTable:
        return
    edited = (message.edited_at or message.created_at).timestamp()
    is_older = edited < table.created_at - LARGEST_JUMP
    is_card = press.room == "lobby" and press.arg not in ELSEWHERE and table.phase is Phase.LOBBY
    if is_card and not is_older:
        card = await app_of(interaction).parlour.store.find_last_post(table.id, "lobby", 0)
        is_here = card is not None and card.channel_id == message.channel.id
        is_older = card is not None and is_here and message.id < card.message_id
    if is_older:
        raise Refused(
            "I've lost this post's table, and its number now belongs to another table. "
            "`/table list` shows the tables here."
        )


@before_press
async def require_access(interaction: Interaction, press: Press) -> None:
    """Raise Refused for another server's table, or another game's.

    Members of a table may press anywhere, all others in its server only.
    """
    if not press.table or press.room in ROOMS_WITHOUT_TABLES:
        return
    try:
        table = await app_of(interaction).parlour.table(press.table)
    except Refused:
        if press.room in registry.SLUGS:
            raise
        return  # the handler refuses, where that matters
    await _require_may_press(interaction, table, is_offer=(press.room, press.verb) in OFFERS)
    if press.room in registry.SLUGS:
        require_game(table, press.room)


async def _require_may_press(interaction: Interaction, table: Table, *, is_offer: bool) -> None:
    parlour, user_id = app_of(interaction).parlour, interaction.user.id
    invitations = parlour.invitations
    may_take = is_offer and not table.private and await parlour.vacancies.is_looking(table, user_id)
    if table.is_alone:
        if table.seat_of(user_id) is None:
            raise Refused(f"Table {table.id} doesn't exist, or you can't see it.")
    elif may_take or await invitations.belongs(table, user_id):
        return
    elif is_offer and interaction.guild_id is None:
        raise Refused("This offer is over, or you're no longer looking for this game.")
    elif interaction.guild_id != table.guild_id:
        raise Refused(f"There's no table {table.id} in this server.")
    elif not (await invitations.can_see(table, user_id) or await is_admin(interaction)):
        raise Refused(PRIVATE)


async def offer_games(_interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return form.suggest_choices(TITLES, current)


def read_game(typed: str) -> str:
    slug = form.read_choice(TITLES, typed)
    if slug is None:
        titles = words.join_words(list(TITLES.values()), "or")
        raise Refused(f"I don't know that game. Choose {titles}.")
    return slug


class TableNumber(app_commands.Transformer):
    """A table's number as a typed option, with autocomplete: the caller's own tables first.

    A game's own commands offer tables of that game only.
    """

    def __init__(self, phases: tuple[Phase, ...]) -> None:
        self._phases = phases

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.integer

    async def transform(self, _interaction: Interaction, value: Any) -> int:
        return int(value)

    async def autocomplete(  # type: ignore[override]  # a table has a number
        self, interaction: Interaction, value: float | str
    ) -> list[app_commands.Choice[int]]:
        current, table_lists = str(value), app_of(interaction).parlour.table_lists
        mine, others = await table_lists.tables_of(interaction.user.id, self._phases), list[Table]()
        if interaction.guild_id is not None:
            others = await table_lists.tables_in(interaction.guild_id, self._phases)
        others = await app_of(interaction).parlour.invitations.filter_offers(others, interaction.user.id)
        seen: dict[int, Table] = {}
        for table in filter_by_game(game_of(interaction), [*mine, *others]):
            if interaction.guild_id in (None, table.guild_id):
                seen.setdefault(table.id, table)
        titles = {number: f"{number} · {table.game.title}" for number, table in seen.items()}
        labels = {
            number: to_label(f"{titles[number]}: {', '.join(marks.quote_players(table.players))}")
            for number, table in seen.items()
        }
        return form.suggest_choices(labels, current)


OpenTable = app_commands.Transform[int, TableNumber(OPEN)] | None
"""A typed option that may name an open table."""
AnyTable = app_commands.Transform[int, TableNumber(EVER)] | None
"""A typed option that may name any table."""
PlayedTable = app_commands.Transform[int, TableNumber((Phase.PLAY, Phase.OVER, Phase.CLOSED))] | None
"""A typed option that may name a table whose game has begun."""
FinishedTable = app_commands.Transform[int, TableNumber((Phase.OVER,))] | None
"""A typed option that may name a table whose game is over."""


async def legal_moves_here(interaction: Interaction) -> tuple[Perspective | None, list[Any]]:
    try:
        table_lists = app_of(interaction).parlour.table_lists
        table = await table_here(interaction, interaction.namespace.table, lists=table_lists)
        app, perspective = await asker_perspective(interaction, table.id)
    except Refused:
        return None, []
    if perspective.seat is not None and perspective.seat not in table.owing:
        planned = await app.parlour.plans.perspective(table.id, interaction.user.id)
        perspective = planned or perspective
    return perspective, await moves_of(app, perspective, interaction.user.id)


async def moves_of(app: App, perspective: Perspective, user_id: int) -> list[Any]:
    """Return a person's legal moves, or those that they can plan."""
    listing = app.parlour.plans if isinstance(perspective, PlannedPerspective) else app.parlour.play
    return await listing.moves(perspective.table.id, user_id)


async def asker_perspective(interaction: Interaction, table_id: int) -> tuple[App, Perspective]:
    app = app_of(interaction)
    return app, await app.parlour.play.perspective(table_id, interaction.user.id)
