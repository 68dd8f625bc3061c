"""Commands and buttons of a table and of plans that are the same for every game."""

from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from cogs import time as late
from cogs.core import time_words, words
from cogs.core.app import App, app_of, app_with_pictures, name_of, require_permissions, table_link
from cogs.core.lookup import AnyTable, OpenTable, table_here
from cogs.core.presenter import presenter
from cogs.discord.messages import nonce_of, send
from cogs.lobby import lobby, looking
from cogs.play import assembly, hints
from cogs.play.panel import on_panel, panel_page, show_steps, undo_step
from cogs.posts.board import board_post, hand_page
from cogs.review import import_export, record
from cogs.ui.form import reply
from cogs.ui.page import DANGER, PRIMARY, Button, Menu, Option, Page
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction, also_in_dms, wants_text
from engines import game, registry
from tables.core.change import Change
from tables.core.table import EVER, OPEN, Phase, Refused, RematchExists, Table
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import draw_of, has_seed
from tables.play import plans
from tables.review.record import LONGEST

BACK = "back"
"""The argument of a press that shows a page again in the same message."""
ASK = "ask"
"""The choice of no standing answer."""
LASTS = "-# Your answer counts until the game ends. You can change it whenever you like."


def plan_buttons(table: Table, user_id: int) -> list[Button]:
    seat = table.seat_of(user_id)
    has_plans = type(table.game).ahead is not game.Game.ahead
    if seat is None or seat in table.owing or table.phase is not Phase.PLAY or not has_plans:
        return []
    return [Button("Plan my turn", Press("table", "turn", table.id, table.version))]


def standing_buttons(table: Table, user_id: int) -> list[Button]:
    has_answers = bool(table.game.standing_answers(table.options))
    if table.seat_of(user_id) is None or table.phase is not Phase.PLAY or not has_answers:
        return []
    return [Button("Standing answers", Press("table", "standing", table.id))]


@on_press("table", "standing")
async def on_standing(interaction: Interaction, press: Press) -> None:
    table = await app_of(interaction).parlour.table(press.table)
    await reply(interaction, _standing_page(table, interaction.user.id), edit=True)


@on_press("table", "standing_set")
async def on_set_answer(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    answer = "" if press.choice == ASK else press.choice
    await parlour.decide(press.table, plans.set_answer, user_id=interaction.user.id, answer=answer)
    parlour.outbox.wake(press.table)
    page = _standing_page(await parlour.table(press.table), interaction.user.id)
    await reply(interaction, page, edit=True)


def _standing_page(table: Table, user_id: int) -> Page:
    seat = table.seat_of(user_id)
    given = next((one.answer for one in table.standing if one.seat == seat), ASK)
    question, labels = presenter(table).standing
    offered = {ASK: "Ask me each time"} | {
        answer: labels[answer] for answer in table.game.standing_answers(table.options)
    }
    options = [Option(label, answer, chosen=answer == given) for answer, label in offered.items()]
    menu = Menu(Press("table", "standing_set", table.id), question, options)
    text = f"**{question}** At this table, you've chosen “{offered[given]}”.\n{LASTS}"
    return Page([text, menu, [Button("Back", Press("table", "more", table.id, 0, BACK))]])


async def _show(interaction: Interaction, press: Press) -> None:
    await reply(interaction, await panel_page(interaction, press.table, may_plan=True), edit=True)


async def _change_plan(interaction: Interaction, press: Press, decision: Callable[..., Change]) -> None:
    """Carry out a decision about the asker's plan, and show it."""
    user_id = interaction.user.id
    await app_of(interaction).parlour.decide(press.table, decision, user_id=user_id, seen=press.moment)
    await _show(interaction, press)


@on_panel("table", "plan_send")
async def on_send(interaction: Interaction, press: Press) -> None:
    await _change_plan(interaction, press, plans.send)


@on_panel("table", "plan_undo")
async def on_take_back(interaction: Interaction, press: Press) -> None:
    await _change_plan(interaction, press, plans.take_back)


@on_panel("table", "plan_change")
async def on_change(interaction: Interaction, press: Press) -> None:
    await _change_plan(interaction, press, plans.reopen)


@on_panel("table", "plan_drop")
async def on_drop(interaction: Interaction, press: Press) -> None:
    """Drop a plan, and show the turn or the next plan."""
    parlour = app_of(interaction).parlour
    await parlour.decide(press.table, plans.drop, user_id=interaction.user.id, seen=press.moment)
    parlour.outbox.wake(press.table)
    try:
        await _show(interaction, press)
    except Refused as refused:
        await reply(interaction, Page([f"I dropped your plan. {refused}"]), edit=True)


@on_panel("table", "plan_play")
async def on_play(interaction: Interaction, press: Press) -> None:
    """Play a plan on its turn, although something in it has changed."""
    parlour = app_of(interaction).parlour
    played = await parlour.decide(press.table, plans.play_now, user_id=interaction.user.id, seen=press.moment)
    await parlour.on_action(interaction.user.id)
    await show_steps(interaction, press.table, played.steps)


OFFERED = "People are looking for this game, so I'll offer them your seat before a computer takes it."
NOTE_PHASES = (*OPEN, Phase.OVER)
"""Phases of the tables offered for notes; others need their number."""


@also_in_dms
class TableCommands(
    looking.InvitationCommands,
    late.Seats,
    import_export.ImportExportCommands,
    hints.HintCommands,
    group_name="table",
    group_description="Join a table, look at it, or look back at a game",
):
    """The `/table` commands. Without `table:` they mean the table of the thread or channel."""

    @app_commands.command(name="list", description="List this server's open tables")
    async def list_tables(self, interaction: Interaction) -> None:
        parlour = app_of(interaction).parlour
        entries = await parlour.tables_in(interaction.guild_id or 0, limit=100)
        tables = await parlour.invitations.filter_offers(entries, interaction.user.id)
        if not tables:
            openers = ", ".join(f"`/{slug} new`" for slug in registry.SLUGS)
            return await say(interaction, f"No open tables here. Start one with {openers}.")
        lines = [words.status(table) for table in tables[:25]]
        if len(tables) > 25:
            lines.append("There are more tables. `/table show` finds any table by its number.")
        await reply(interaction, Page(["\n".join(lines)]))

    @app_commands.command(description="See how a table is doing")
    async def show(self, interaction: Interaction, table: AnyTable = None) -> None:
        target, app = await table_here(interaction, table, EVER), app_of(interaction)
        lines = await describe_table(app, target)
        if await _is_board_deleted(app, target):
            await app.parlour.refresh(target.id, "board", fresh=True)
            lines.append(f"The board was deleted, so I'm posting it again {table_link(target, 'there')}.")
        shown = [Button("Show the board", Press("table", "board", target.id))]
        await reply(interaction, Page(["\n".join(lines), *([] if target.deal is None else [shown])]))

    @app_commands.command(description="Join a table")
    @app_commands.describe(seat="Number of your seat, if this table lets you choose")
    async def join(
        self,
        interaction: Interaction,
        table: OpenTable = None,
        seat: app_commands.Range[int, 1, 9] | None = None,
    ) -> None:
        app, user = app_of(interaction), interaction.user
        target = await table_here(interaction, table)
        if seat is None:
            joined = await app.parlour.lobby.join(target.id, user.id, name_of(user))
        else:
            joined = await app.parlour.lobby.sit(target.id, user.id, name_of(user), seat - 1)
        app.parlour.outbox.wake(joined.id)
        await say(interaction, f"You're at table {joined.id} now. {table_link(joined)}")

    @app_commands.command(description="Give up your seat before the game begins")
    async def leave(self, interaction: Interaction, table: OpenTable = None) -> None:
        app = app_of(interaction)
        target = await table_here(interaction, table)
        if target.phase is Phase.PLAY and target.seat_of(interaction.user.id) is not None:
            return await _ask_to_leave(interaction, target)
        left = (await app.parlour.decide(target.id, lobby_decisions.leave, user_id=interaction.user.id)).table
        app.parlour.outbox.wake(left.id)
        await say(interaction, f"You've left table {left.id}.")

    @app_commands.command(description="Begin the game (for the host)")
    async def start(self, interaction: Interaction, table: OpenTable = None) -> None:
        app = app_of(interaction)
        target = await table_here(interaction, table)
        if interaction.channel_id == target.channel_id:
            require_permissions(interaction)
        begun = await app.parlour.lobby.start(target.id, interaction.user.id)
        await say(interaction, f"Table {begun.id} begins.")

    @app_commands.command(description="See your own hand (nobody else sees it)")
    async def hand(self, interaction: Interaction, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        await show_hand(interaction, Press("table", "hand", target.id))

    @app_commands.command(description="See the board right now (nobody else sees the answer)")
    @app_commands.describe(in_words="Get text instead of a picture?")
    @app_commands.rename(in_words="words")
    async def board(
        self, interaction: Interaction, in_words: bool | None = None, table: AnyTable = None
    ) -> None:
        await show_board(interaction, await table_here(interaction, table, EVER), in_words=in_words)

    @app_commands.command(description="Undo your last step")
    async def undo(self, interaction: Interaction, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        await undo_step(interaction, target.id, None)

    @app_commands.command(description="Leave a game in progress")
    async def resign(self, interaction: Interaction, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        if target.phase is not Phase.PLAY:
            raise Refused(f"Table {target.id} hasn't begun. `/table leave` gives up your seat.")
        await _ask_to_leave(interaction, target)

    @app_commands.command(description="Look back at any turn: the picture and what happened")
    @app_commands.describe(at="Number of the turn. Leave it out for the last turn")
    async def history(
        self,
        interaction: Interaction,
        at: app_commands.Range[int, 0, 999_999] | None = None,
        table: AnyTable = None,
    ) -> None:
        target = await table_here(interaction, table, EVER)
        await reply(interaction, await record.turn_page(interaction, target.id, at))

    @app_commands.command(description="Watch the whole game, as an animation or as a page with every turn")
    @app_commands.describe(form="An animation, or a page to step through every turn (default: animation)")
    @app_commands.rename(form="as")
    async def replay(
        self,
        interaction: Interaction,
        form: Literal["animation", "page"] = "animation",
        table: AnyTable = None,
    ) -> None:
        show = import_export.show_page if form == "page" else record.show_replay
        await show(interaction, await table_here(interaction, table, EVER))

    @app_commands.command(description="Write a private note about a table")
    @app_commands.describe(text="Your note. Leave it out to write in a bigger window")
    async def note(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, LONGEST] | None = None,
        table: AnyTable = None,
    ) -> None:
        target = await table_here(interaction, table, NOTE_PHASES)
        if text is None:
            return await record.form(interaction, Press("table", "note", target.id))
        await record.write(interaction, target.id, text)

    @app_commands.command(description="Check that the deal was fair")
    async def verify(self, interaction: Interaction, table: AnyTable = None) -> None:
        target = await table_here(interaction, table, EVER)
        await say(interaction, words.verdict(target, draw_of(target, app_of(interaction).parlour.clock())))


async def _is_board_deleted(app: App, table: Table) -> bool:
    """Return True if a running game's last board is deleted. False if Discord doesn't say."""
    last = await app.parlour.store.find_last_post(table.id, "board", 0)
    if last is None or table.phase is not Phase.PLAY:
        return False
    place = app.bot.get_partial_messageable(last.channel_id)
    try:
        await place.get_partial_message(last.message_id).fetch()
    except discord.NotFound:
        return True
    except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
        return False
    return False


async def describe_table(app: App, table: Table) -> list[str]:
    lines = [words.status(table), presenter(table).summary(table.options, len(table.seats))]
    if table.origin is not None:
        lines.append(words.deal_origin(table.origin))
    if table.phase in OPEN and not table.learning and not table.is_alone:
        lines.append(time_words.terms(table.terms))
    why = time_words.obstacle(table)
    lines += [] if why is None else [why]
    return [*lines, *time_words.clocks(table, await app.parlour.waited_people(table))]


async def show_board(interaction: Interaction, table: Table, *, in_words: bool | None = None) -> None:
    """Show the board as picture or words; None follows the setting."""
    if table.deal is None:
        raise Refused(assembly.NOT_BEGUN.format(number=table.id))
    if wants_text(interaction) if in_words is None else in_words:
        return await reply(interaction, await assembly.words_page(interaction, table.id))
    app = app_with_pictures(interaction)
    await reply(interaction, (await board_post(app, table.id, after=None, memo=None)).page)


@on_press("table", "hand")
async def show_hand(interaction: Interaction, press: Press) -> None:
    app = app_of(interaction)
    perspective = await app.parlour.play.perspective(press.table, interaction.user.id)
    if perspective.seat is None:
        raise Refused(words.NO_HAND)
    page = await hand_page(app, perspective)
    lying = presenter(perspective.table).row_text(perspective.view)
    page.parts += [] if lying is None else [lying]
    await reply(interaction, page)


@on_press("table", "more")
async def more(interaction: Interaction, press: Press) -> None:
    table = await app_of(interaction).parlour.table(press.table)
    row = [
        Button("Board now", Press("table", "board", table.id)),
        Button("In words", Press("table", "words", table.id)),
        Button("History", Press("table", "history", table.id)),
        Button("Replay", Press("table", "replay", table.id)),
        Button("Note", Press("table", "note", table.id)),
    ]
    row += [Button("Check the deal", Press("table", "verify", table.id))] if has_seed(table) else []
    page = Page(["\n".join(await describe_table(app_of(interaction), table)), row])
    page.parts += [answers] if (answers := standing_buttons(table, interaction.user.id)) else []
    if table.phase is Phase.PLAY and table.seat_of(interaction.user.id) is not None:
        leave = Button("Leave the game", Press("table", "leave", table.id), DANGER)
        user_id = interaction.user.id
        page.parts.append([*plan_buttons(table, user_id), *late.more(table, user_id), leave])
    await reply(interaction, page, edit=press.arg == BACK)


@on_press("table", "board")
async def on_board(interaction: Interaction, press: Press) -> None:
    await show_board(interaction, await app_of(interaction).parlour.table(press.table))


@on_press("table", "verify")
async def on_verify(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    table = await parlour.table(press.table)
    await say(interaction, words.verdict(table, draw_of(table, parlour.clock())))


async def _ask_to_leave(interaction: Interaction, table: Table) -> None:
    parlour = app_of(interaction).parlour
    after = await parlour.play.preview_resignation(table.id, interaction.user.id)
    seat = table.seat_of(interaction.user.id) or 0
    counts = None  # no such game counts
    if len(table.seats) > 1 and not table.game.is_team_game(table.options):
        counts = await parlour.standings.counts_after_leaving(table, seat)
    costs = _costs(table, closes=after.phase is Phase.CLOSED, counts=counts)
    text = f"**Leave {table.game.title}, table {table.id}?** You can't undo that.{costs}"
    if await parlour.vacancies.has_takers(table.id):
        text += f"\n{OFFERED}"
    computer = [Button("Let a computer take my seat", Press("table", "handover", table.id))]
    row = [
        Button("Resign", Press("table", "resign", table.id), DANGER),
        *([] if table.is_alone else computer),
        Button("Stay", Press("table", "stay", table.id), PRIMARY),
    ]
    await reply(interaction, Page([text, row]))


def _costs(table: Table, *, closes: bool, counts: bool | None) -> str:
    """Return the effects of leaving on the table and on one's rating."""
    text = " Resigning now closes the table without a result." if closes else ""
    if counts is None:
        return text
    if not counts:
        return f"{text} This game doesn't count for the ratings."
    last = "with a computer in your seat, you" if closes else "you"
    even = "" if closes else ", even with a computer in your seat"
    return f"{text} This game counts for the ratings: {last} come last{even}."


@on_press("table", "leave")
async def on_leave(interaction: Interaction, press: Press) -> None:
    await _ask_to_leave(interaction, await app_of(interaction).parlour.table(press.table))


@on_press("table", "stay")
async def stay(interaction: Interaction, press: Press) -> None:
    await reply(interaction, Page(["You're still in the game."]), edit=True)


@on_press("table", "resign")
async def on_resign(interaction: Interaction, press: Press) -> None:
    await app_of(interaction).parlour.play.resign(press.table, interaction.user.id)
    await reply(interaction, Page(["You've left the game."]), edit=True)


@on_press("table", "handover")
async def hand_over(interaction: Interaction, press: Press) -> None:
    parlour, user = app_of(interaction).parlour, interaction.user.id
    offer = await parlour.vacancies.find_offer(press.table)
    await parlour.play.hand_over(press.table, user, user, game.Strength.STRONG, offer)
    heir = "A computer player takes your seat."
    if offer is not None:
        heir = (
            "I'm offering your seat to people looking for a game. If nobody takes it, a computer takes over "
            f"<t:{offer.until:.0f}:R>."
        )
    await reply(interaction, Page([f"{heir} Thanks for playing."]), edit=True)


@on_press("table", "rematch")
async def rematch(interaction: Interaction, press: Press) -> None:
    app = app_of(interaction)
    old = await app.parlour.table(press.table)
    await lobby.require_opening(interaction, old.guild_id, old.channel_id)
    try:
        table = await app.parlour.lobby.rematch(press.table, interaction.user.id)
    except RematchExists as found:
        return await say(interaction, f"{found} {table_link(await app.parlour.table(found.again))}")
    async with lobby.close_unless_shown(app, table):
        if interaction.channel_id == table.channel_id:
            await lobby.show_card(interaction, app, table)
        else:
            await app.parlour.refresh(table.id, "lobby")
            await say(interaction, f"Table {table.id} is open for a rematch. {table_link(table)}")
    # Mention the others whom it seats; their card says the same.
    others, place = [user for user in table.people if user != interaction.user.id], interaction.channel
    is_here = interaction.channel_id in (old.channel_id, old.thread_id)
    if is_here and others and isinstance(place, discord.abc.Messageable):
        text = f"{words.rematch(table, interaction.user.id, others)} {table_link(table)}"
        with suppress(discord.HTTPException):
            await send(place, Page([text], mentions=others), nonce_of("rematch", table.id))


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(TableCommands())
