"""`/cup`: small tournaments in a channel, and the buttons of their posts."""

from collections.abc import Callable

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.app import app_of, name_of
from cogs.core.lookup import is_admin, log_action, offer_games, read_game
from cogs.core.words import reason as why
from cogs.cups.page import cup_posts, heading, own_page
from cogs.discord import messages
from cogs.lobby import lobby, terms
from cogs.ui.form import reply, suggest_choices
from cogs.ui.page import Page
from cogs.ui.press import NOT_OURS, Press, number_of, on_press, say
from cogs.ui.text import Interaction, Line, Remark
from engines import marks, registry
from tables.core.table import Occupant, Refused
from tables.cups.cups import LONGEST_ROUND, CupTerms, require_running
from tables.cups.schedule import FEWEST, GOING, MOST, Cup, CupPhase

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
    raise Refused("No cup here. `/cup new` opens one.")


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
        seats="How many players sit at a table; leave it out for the best fit",
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

    @app_commands.command(description="Begin before the cup is full (for the host)")
    @app_commands.describe(reason=messages.TO_PLAYERS)
    @app_commands.autocomplete(cup=numbers)
    async def start(self, interaction: Interaction, cup: int | None = None, reason: Remark = "") -> None:
        await _start(interaction, await cup_here(interaction, cup), reason)

    @app_commands.command(description="See a cup's standings and its tables")
    @app_commands.autocomplete(cup=numbers)
    async def show(self, interaction: Interaction, cup: int | None = None) -> None:
        target = await cup_here(interaction, cup)
        await reply(interaction, await own_page(app_of(interaction), target, interaction.user.id))

    @app_commands.command(description="Drop out of a running cup; computers take your seats")
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
    question = "**Close this cup?** Nobody wins it then. Games in progress continue. You can't undo this."
    return _confirmation_page(cup, question, "close", "", reason)


def _ask_drop(cup: Cup, user_id: int, asker: int, reason: str = "") -> Page:
    require_running(cup)
    entrant = cup.entrant(user_id)
    if entrant is None:
        raise Refused("Only players of this cup can do that.")
    if cup.phase is CupPhase.GATHERING:
        raise Refused("This cup hasn't begun. **Leave** gives up your place.")
    who = "Do you want to drop out?" if user_id == asker else f"Should {marks.quote(entrant.name)} drop out?"
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
    await _confirm_done(interaction, after, f"{marks.quote(name)} dropped out of cup {cup.id}.")


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
