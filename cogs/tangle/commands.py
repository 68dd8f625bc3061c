"""The `/tangle` commands and the handlers of its panel: parse, call the tables, answer."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from discord import app_commands
from msgspec.structs import replace

from cogs.core.app import App
from cogs.core.lookup import OpenTable, asker_perspective, legal_moves_here, moves_of, table_here
from cogs.learning import show_rules
from cogs.play import panel as turn
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import current, load_draft, on_panel
from cogs.tangle import draft as drafts
from cogs.tangle import panel
from cogs.tangle.draft import TangleDraft, brings_upkeep
from cogs.ui.form import InputForm, Typed, ask, read_choice, reply, suggest_choices
from cogs.ui.page import Page
from cogs.ui.press import NOT_OURS, Press
from cogs.ui.text import Interaction, Line, Word
from engines import game, words
from engines.tangle import decisions, moves
from engines.tangle.pieces import components
from engines.tangle.view import TangleView
from engines.tangle.words import event_lines, nouns, previews
from tables.core.table import Refused, Stale
from tables.play.play import Perspective

redraft = partial(turn.update_draft, TangleDraft)
CARD_NAMES = {
    name: name
    for name in [
        *(card.name for card in components.CARDS.values()),
        *(one.name for one in components.CONDITIONS.values()),
    ]
}
FRESH: dict[str, object] = {"to": None, "picks": (), "several": (), "push": ""}


turn.edit_on_press(
    "tangle",
    TangleDraft,
    {
        "start": lambda press: {"start": press.arg, "to": None},
        "back": lambda _: FRESH,
        "again": lambda _: FRESH,
    },
)
turn.move_on_press(
    "tangle",
    {
        "place": lambda press: moves.TanglePlace(*press.arg.partition("/")[::2]),
        "done": lambda _: moves.TangleDone(),
        "pay_rest": lambda _: moves.PayRest(),
        "drop_rest": lambda _: moves.DropRest(),
        "change_upkeep": lambda _: moves.ChangeUpkeep(),
    },
)


@on_panel("tangle", "to")
async def on_end(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    start, starts = (await load_draft(app, perspective, TangleDraft)).start, drafts.starts(perspective.view)
    if not starts:
        raise Refused(NOT_OURS)
    to = press.choice if press.values else press.arg
    start = start if start in starts else starts[0]
    move = next((move for move in drafts.ends(perspective.view, start) if move.to == to), None)
    if move is not None and panel.is_placed_at_once(perspective, move):
        await _send(interaction, press, app, perspective, [move])
    else:
        await redraft(interaction, press, start=start, to=to)


@on_panel("tangle", "push")
async def on_push(interaction: Interaction, press: Press) -> None:
    """Push the trackers in place of casting; ask first if upkeep comes."""
    app, perspective = await current(interaction, press)
    made = drafts.moves_to_confirm(perspective.view, drafts.PUSH + press.choice)
    if not made:
        raise Stale()
    if brings_upkeep(perspective, made):
        await redraft(interaction, press, push=press.choice)
    else:
        await _send(interaction, press, app, perspective, made)


@on_panel("tangle", "pick", "chosen")
async def on_pick(interaction: Interaction, press: Press) -> None:
    app, perspective = await current(interaction, press)
    if len(press.values) > 1:
        made = drafts.several(perspective.view, press.values)
        if not made:
            raise Stale()
        try:
            if panel.ends_turn(perspective, made):
                return await redraft(interaction, press, several=tuple(press.values))
            return await turn.send(interaction, press, *made)
        except (Refused, game.IllegalMove) as refused:
            return await _keep_affordable(interaction, press, (app, perspective), made, str(refused))
    draft = await load_draft(app, perspective, TangleDraft)
    pick = press.choice if press.verb == "chosen" else press.arg
    asked = drafts.next_question(
        perspective.view, (*drafts.next_question(perspective.view, draft.picks).picks, pick)
    )
    if asked.move is not None and not panel.needs_confirmation(perspective, asked.move):
        await _send(interaction, press, app, perspective, [asked.move])
    else:
        await redraft(interaction, press, picks=asked.picks)


@on_panel("tangle", "areas")
async def on_areas(interaction: Interaction, press: Press) -> None:
    """Ask in a form for several of many areas."""
    _, perspective = await current(interaction, press)
    if drafts.most_answers(perspective.view) == 1:
        raise Stale()

    async def on_filled(answered: Interaction, typed: Typed) -> None:
        areas = tuple(" ".join(typed.values()).split())
        if not areas:
            raise Refused("Choose one area or more.")
        await on_pick(answered, replace(press, verb="chosen", values=areas))

    await ask(
        interaction, InputForm(panel.ONE_OR_MORE, panel.area_fields(perspective), on_filled, in_place=True)
    )


async def _keep_affordable(
    interaction: Interaction,
    press: Press,
    there: tuple[App, Perspective],
    made: Sequence[moves.Move],
    refusal: str,
) -> None:
    """Refuse areas that cost too much together; keep the first ones.

    What is refused for another reason gets the rules' own `refusal`.
    """
    app, perspective = there
    paid = panel.payable_moves(perspective, made)
    chosen, kept = [panel.areas_of(one) for one in (made, paid)]
    if not paid or len(paid) == len(made):
        return await turn.refuse_in_place(interaction, press, refusal)
    await app.parlour.save_draft(perspective.table, perspective.me, TangleDraft(several=tuple(kept)))
    owned = nouns.stash(perspective.view.players[perspective.me].stash)
    reason = f"You can't pay for {words.join_words(chosen)} together. You have {owned}."
    await turn.refuse_in_place(interaction, press, f"{reason} I kept {words.join_words(kept)}.")


async def _send(
    interaction: Interaction, press: Press, app: App, perspective: Perspective, made: Sequence[moves.Move]
) -> None:
    await app.parlour.save_draft(perspective.table, perspective.me, TangleDraft())
    await turn.send(interaction, press, *made)


@on_panel("tangle", "confirm")
async def on_confirm(interaction: Interaction, press: Press) -> None:
    """Send the choice that the button's own panel showed."""
    app, perspective = await current(interaction, press)
    made = drafts.moves_to_confirm(perspective.view, press.arg)
    if not made:
        raise Stale()
    await _send(interaction, press, app, perspective, made)


@on_panel("tangle", "keep")
async def on_keep(interaction: Interaction, press: Press) -> None:
    """Upkeep: keep some items and drop the others."""
    _, perspective = await current(interaction, press)
    upkeep = perspective.view.decision
    if not isinstance(upkeep, decisions.Upkeep):
        raise Stale()
    await turn.send(interaction, press, *panel.keep_moves(upkeep, perspective.me, press.values))


async def roots(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    return suggest_choices(_start_names(perspective.view, made), current)


async def places(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    perspective, made = await legal_moves_here(interaction)
    if perspective is None:
        return []
    root = str(getattr(interaction.namespace, "root", "") or "")
    start = read_choice(_start_names(perspective.view, made), root) or root.upper()
    return suggest_choices(_end_names(perspective.view, made, start), current)


def _start_names(view: TangleView, made: Sequence[moves.Move]) -> dict[str, str]:
    starts = dict.fromkeys(move.start for move in made if isinstance(move, moves.TanglePlace))
    return {code: nouns.place(view, code) for code in starts}


def _end_names(view: TangleView, made: Sequence[moves.Move], start: str) -> dict[str, str]:
    """Return the destinations of the root there; of any, without a start."""
    ends = [move.to for move in made if isinstance(move, moves.TanglePlace) and start in ("", move.start)]
    return {code: nouns.place(view, code) for code in dict.fromkeys(ends)}


async def card_names(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return suggest_choices(CARD_NAMES, current)


def _options(
    centre: components.Centre = "none",
    round_limit: components.RoundLimit = 50,
    upkeep: components.UpkeepPaid = "alone",
    sacrifice: Word | None = None,
    hibernate: Word | None = None,
    takeover: Word | None = None,
) -> components.TangleOptions:
    """Return typed options: alternative actions by their spaces."""
    named: tuple[tuple[str | None, components.Alternative], ...] = (
        (sacrifice, "sacrifice"),
        (hibernate, "hibernate"),
        (takeover, "takeover"),
    )
    exchange = sorted((space.strip().upper(), action) for space, action in named if space is not None)
    return components.TangleOptions(centre, tuple(exchange), round_limit, upkeep)


class TangleCog(GameCog, group_name="tangle", group_description="Tangle"):
    """`/tangle`: open a table, look, and every move by typing, with the same effect as the buttons."""

    slug = "tangle"
    descriptions: ClassVar = {
        "rules": "How Tangle is played",
        "hand": "Your cards, and what you still need for each condition",
        "board": "The land, and what everyone has",
        "choose": "Make a choice: lay, grow, pay, draw, cast, push …",
    }

    new = new_table(
        "tangle",
        _options,
        centre="What the centre space does",
        round_limit="The number of rounds, or 0 for no limit",
        upkeep="Pay upkeep automatically when you can keep everything",
        sacrifice="The space that becomes the Sacrificial ground, for example S1 (3 or 4 players)",
        hibernate="The space that becomes Hibernate, for example S1 (3 or 4 players)",
        takeover="The space that becomes the Aggressive takeover, for example S1 (3 or 4 players)",
    )

    @app_commands.command(description="All enchantments and victory conditions")
    async def cards(self, interaction: Interaction) -> None:
        await show_rules(interaction, "tangle", "All cards, part 1 of 7")

    @app_commands.command(description="What a card says")
    @app_commands.describe(name="The name of an enchantment or a victory condition")
    @app_commands.autocomplete(name=card_names)
    async def card(self, interaction: Interaction, name: Line) -> None:
        await reply(interaction, _card_page(name))

    @app_commands.command(description="What's on an area")
    @app_commands.describe(code="The code of an area, like C6")
    async def area(self, interaction: Interaction, code: Word, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        app, perspective = await asker_perspective(interaction, target.id)
        view, named = perspective.view, code.strip().upper()
        if named not in components.AREAS or components.AREAS[named].section > view.seats:
            raise Refused(f"This game has no area {game.clip(named)}. Area codes look like C6.")
        lies = view.tiles.get(named)
        text = "empty" if lies is None else nouns.tile(view, lies, perspective.table.names)
        picture = await app.pictures.special(perspective.table, "focus", view, (named,))
        await reply(interaction, Page([f"**{named}**: {text}.", picture]))

    @app_commands.command(description="Move a root to a space, or home to a tree")
    @app_commands.describe(root="Where the root is now", to="The code of a space or one of your trees")
    @app_commands.autocomplete(root=roots, to=places)
    async def place(self, interaction: Interaction, root: Line, to: Line, table: OpenTable = None) -> None:
        app, perspective = await turn.find_typed_turn(interaction, table)
        if not isinstance(perspective.view.decision, decisions.Placing):
            owed = event_lines.duty(perspective.view, perspective.me)
            raise Refused(
                f"You can't place a root now. Your next step: {owed}. Use **Take turn** or `/tangle choose`."
            )
        view, made = perspective.view, await moves_of(app, perspective, interaction.user.id)
        start = read_choice(_start_names(view, made), root) or root.strip().upper()
        end = read_choice(_end_names(view, made, start), to) or to.strip().upper()
        await self.make_or_ask(interaction, perspective, moves.TanglePlace(start, end))


def _card_page(name: str) -> Page:
    wanted = read_choice(CARD_NAMES, name)
    for key, card in components.CARDS.items():
        if card.name == wanted:
            kind = "lasts" if card.kind == "lasting" else "works once, then stays in front of you"
            return Page([f"**{card.name}** ({nouns.amount(card.cost)}; {kind})\n{nouns.card_text(key)}"])
    for key, condition in components.CONDITIONS.items():
        if condition.name == wanted:
            return Page([f"{previews.condition_text(key)}. This is a condition: if you meet it, you win."])
    raise Refused("I don't know that card. Pick one from the list as you type.")
