"""The shared part of all games' command groups, and the previews of typed moves."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar
from zlib import crc32

from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of
from cogs.core.lookup import OpenTable, asker_perspective, legal_moves_here, moves_of, table_here
from cogs.learning import course, open_lesson, show_rules
from cogs.lobby import lobby, terms
from cogs.play import questions, tables
from cogs.play.assembly import look, places
from cogs.play.panel import event_lines, find_typed_turn, make_moves, on_panel, whose_turn
from cogs.ui.form import reply, suggest_choices
from cogs.ui.page import SUCCESS, Button, Page
from cogs.ui.press import Press
from cogs.ui.text import Interaction, Line
from engines import game, marks, registry
from engines.analysis.ahead import foresee
from tables.core.table import Refused, Stale, encode
from tables.play.plans import PlannedPerspective
from tables.play.play import Perspective

ENDS = "This ends your turn."
FINAL = "You can't undo this."
SOMETHING_NEW = "Then you'll see something new."
AT_ONCE = "-# `/me typed on:False` makes typed moves at once."


async def preview_page(app: App, perspective: Perspective, user_id: int, move: Any) -> Page | None:
    """Return what a typed move does, with a button that makes it.

    None if the move is made at once: it is planned, can't be made, or can be taken back within the turn.
    """
    if isinstance(perspective, PlannedPerspective) or perspective.seat is None:
        return None
    if not (await app.parlour.people.person(user_id)).confirms:
        return None
    table = perspective.table
    try:
        foresight = foresee(table.slug, perspective.view, perspective.seat, [move])
    except game.IllegalMove:
        return None  # making it says why
    is_kept = foresight.reveals and not table.undoes_everything
    # A simultaneous answer can be changed until all are there.
    if not is_kept and (not foresight.ends or table.game.simultaneous):
        return None
    name = marks.capital(registry.move_names(table.slug).move_name(move, perspective.view, table.names))
    press = Press("table", "typed", table.id, table.moment, _digest(move))
    is_named = bool(foresight.events) and foresight.events[-1].is_sure
    costs = [SOMETHING_NEW] if foresight.reveals and not foresight.ends and not is_named else []
    costs += [ENDS] if foresight.ends and table.game.has_turn(perspective.view, perspective.me) else []
    costs += [FINAL] if is_kept else []
    lines = [f"**{name}?**", *event_lines(perspective, foresight.events)]
    text = "\n".join([*lines, " ".join(costs)] if costs else lines)
    return Page([text, [Button("Do it", press, SUCCESS)], AT_ONCE])


def _digest(move: Any) -> str:
    return f"{crc32(encode(move).encode()):08x}"


@on_panel("table", "typed")
async def on_typed(interaction: Interaction, press: Press) -> None:
    """Make the move that a preview showed."""
    app = app_of(interaction)
    _, perspective = await asker_perspective(interaction, press.table)
    made = await moves_of(app, perspective, interaction.user.id)
    move = next((move for move in made if _digest(move) == press.arg), None)
    if move is None:
        raise Stale
    await make_moves(interaction, press.table, [move], press.moment, edit=True)


def new_table(
    slug: str, options: Callable[..., Any], **described: str
) -> app_commands.Command[Any, ..., None]:
    """Return a game's command `new`.

    Its parameters are those of `options`, which makes the game's options of them, then the number of
    computers, then the terms. `described` has the description of each parameter of `options`.
    """
    rules, kept = registry.game(slug), _parameters(terms.TypedTerms)

    async def new(_cog: GameCog, interaction: Interaction, computers: int, **typed: Any) -> None:
        said = terms.TypedTerms(**{term.name: typed.pop(term.name) for term in kept})
        await lobby.open_table(interaction, slug, options(**typed), computers, said)

    seats = Parameter(
        "computers",
        Parameter.POSITIONAL_OR_KEYWORD,
        default=0,
        annotation=app_commands.Range[int, 0, max(rules.seats) - 1],
    )
    asked = [*_parameters(options), seats, *kept]
    # discord.py reads here what the command asks; of a function within another it expects no cog.
    new.__signature__ = Signature(  # type: ignore[attr-defined]  # what `inspect.signature` looks for first
        [Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD), *asked]
    )
    app_commands.describe(
        **described, computers="How many computer players join right away", **terms.OPTION_DESCRIPTIONS
    )(new)
    app_commands.autocomplete(pace=terms.paces)(new)
    return app_commands.command(name="new", description=f"Open a table of {rules.title} in this channel")(new)


async def choices(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    perspective, made = await legal_moves_here(interaction)
    names = [] if perspective is None else await _moves_by_name(perspective, made)
    return suggest_choices({name: name for name in names}, current)


async def _moves_by_name(perspective: Perspective, made: Sequence[Any]) -> dict[str, Any]:
    """Name a seat's moves, rare kinds first, so long lists show them."""
    table, view, kinds = perspective.table, perspective.view, Counter(map(type, made))
    naming = registry.move_names(table.slug).move_name
    rare_first = sorted(made, key=lambda move: kinds[type(move)])
    return await questions.name_moves(rare_first, lambda move: naming(move, view, table.names))


def _parameters(made_by: Callable[..., Any]) -> list[Parameter]:
    return list(signature(made_by, eval_str=True).parameters.values())


class GameCog(commands.GroupCog):
    """A game's group `/<slug>` with `rules`, `learn`, `hand`, `board`, `look` and `choose`.

    Its own cog adds `new`, made by `new_table`. `choose` makes every move, by its name.

    Class attributes: `slug`; `descriptions`, the shared commands' descriptions in this game.
    """

    slug: ClassVar[str]
    descriptions: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        super().__init__()
        for command in self.walk_app_commands():
            command.description = self.descriptions.get(command.name, command.description)
        setup = course(self.slug).learn
        if setup is not None:
            self.learn.description = f"Learn the game at your own table, in about {setup.minutes} minutes"

    @app_commands.command(description="How the game is played")
    async def rules(self, interaction: Interaction) -> None:
        await show_rules(interaction, self.slug, 0)

    @app_commands.command(description="Learn the game at your own table")
    async def learn(self, interaction: Interaction) -> None:
        await open_lesson(interaction, self.slug)

    @app_commands.command(description="See your hand (nobody else sees it)")
    async def hand(self, interaction: Interaction, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        await tables.show_hand(interaction, Press("table", "hand", target.id))

    @app_commands.command(description="See the board right now")
    async def board(self, interaction: Interaction, table: OpenTable = None) -> None:
        await tables.show_board(interaction, await table_here(interaction, table))

    @app_commands.command(description="See what a place contains and what you can do there")
    @app_commands.describe(at="A place from the list. Leave it out to see everything you can do")
    @app_commands.autocomplete(at=places)
    async def look(self, interaction: Interaction, at: Line | None = None, table: OpenTable = None) -> None:
        target = await table_here(interaction, table)
        await look(interaction, target.id, at or "")

    @app_commands.command(description="Make a move: type part of it, and pick it from the list")
    @app_commands.describe(choice="Type part of a move, and pick it from the list")
    @app_commands.autocomplete(choice=choices)
    async def choose(self, interaction: Interaction, choice: Line, table: OpenTable = None) -> None:
        app, perspective = await find_typed_turn(interaction, table)
        made = await moves_of(app, perspective, interaction.user.id)
        try:
            why = self.explain_unknown(perspective.view, choice) or questions.UNKNOWN
            move = questions.by_name(await _moves_by_name(perspective, made), choice, why)
        except Refused as refused:
            if isinstance(perspective, PlannedPerspective):
                raise Refused(f"{whose_turn(perspective)} You can plan yours. {refused}") from None
            raise
        await self.make_or_ask(interaction, perspective, move)

    async def make_or_ask(self, interaction: Interaction, perspective: Perspective, move: Any) -> None:
        """Make a typed move, or first show its question or its effect."""
        app = app_of(interaction)
        question = await self.question(app, perspective, move)
        question = question or await preview_page(app, perspective, interaction.user.id, move)
        if question is not None:
            return await reply(interaction, question)
        await make_moves(interaction, perspective.table.id, [move], perspective.table.moment)

    def explain_unknown(self, _view: Any, _typed: str, /) -> str | None:
        return None

    async def question(self, _app: App, _perspective: Perspective, _move: Any, /) -> Page | None:
        return None
