"""The shared part of all games' command groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from cogs.core.lookup import OpenTable, table_here
from cogs.learning.lessons import course, open_lesson
from cogs.learning.rulebook import show_rules
from cogs.lobby import terms
from cogs.lobby.lobby import open_table
from cogs.play.in_words import look, places
from cogs.play.tables import show_board, show_hand
from cogs.ui.interaction import Interaction
from cogs.ui.limits import Line as TypedLine
from cogs.ui.press import Press
from engines.registry import game


def new_table(
    slug: str, options: Callable[..., Any], **described: str
) -> app_commands.Command[Any, ..., None]:
    """Return a game's command `new`.

    Its parameters are those of `options`, which makes the game's options of them, then the number of
    computers, then the terms. `described` has the description of each parameter of `options`.
    """
    rules, kept = game(slug), _parameters(terms.TypedTerms)

    async def new(_cog: GameCog, interaction: Interaction, computers: int, **typed: Any) -> None:
        said = terms.TypedTerms(**{term.name: typed.pop(term.name) for term in kept})
        await open_table(interaction, slug, options(**typed), computers, said)

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
    app_commands.guild_only()(new)
    return app_commands.command(name="new", description=f"Open a table of {rules.title} in this channel")(new)


def _parameters(made_by: Callable[..., Any]) -> list[Parameter]:
    return list(signature(made_by, eval_str=True).parameters.values())


class GameCog(commands.GroupCog):
    """A game's group `/<slug>` with `rules`, `learn`, `hand`, `board` and `look`.

    Its own cog adds `new`, made by `new_table`, and its moves.

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

    @app_commands.command(name="rules", description="How the game is played")
    async def rules(self, interaction: Interaction) -> None:
        await show_rules(interaction, self.slug, 0)

    @app_commands.command(name="learn", description="Learn the game at your own table")
    @app_commands.guild_only()
    async def learn(self, interaction: Interaction) -> None:
        await open_lesson(interaction, self.slug)

    @app_commands.command(name="hand", description="See your hand (nobody else sees it)")
    async def hand(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        target = await table_here(interaction, table)
        await show_hand(interaction, Press("table", "hand", target.id))

    @app_commands.command(name="board", description="See the board right now")
    async def board(self, interaction: Interaction, table: OpenTable | None = None) -> None:
        await show_board(interaction, await table_here(interaction, table))

    @app_commands.command(name="look", description="See what a place contains and what you can do there")
    @app_commands.describe(at="A place from the list. Leave it out to see everything you can do")
    @app_commands.autocomplete(at=places)
    async def look(
        self, interaction: Interaction, at: TypedLine | None = None, table: OpenTable | None = None
    ) -> None:
        target = await table_here(interaction, table)
        await look(interaction, target.id, at or "")
