"""The `/nim` commands and the presses of its panel: parse, one call to the tables, one answer."""

from __future__ import annotations

from typing import ClassVar

from discord import app_commands

from cogs.core.lookup import OpenTable
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import on_panel, send, send_typed
from cogs.ui.interaction import Interaction
from cogs.ui.press import Press
from engines.nim.moves import Take
from engines.nim.options import Options


@on_panel("nim", "take")
async def on_take(interaction: Interaction, press: Press) -> None:
    await send(interaction, press, Take(press.number, press.choice_number))


class NimCog(GameCog, group_name="nim", group_description="Nim"):
    """`/nim`: open a table, look, and the one move by typing."""

    slug = "nim"
    descriptions: ClassVar = {"rules": "How Nim is played", "board": "The heaps as they are"}

    new = new_table(
        "nim",
        Options,
        last="What taking the last stone does",
    )

    @app_commands.command(name="take", description="Take stones from a heap")
    @app_commands.describe(heap="The number of the heap", stones="How many")
    async def take(
        self,
        interaction: Interaction,
        heap: app_commands.Range[int, 1, 3],
        stones: app_commands.Range[int, 1, 6],
        table: OpenTable | None = None,
    ) -> None:
        await send_typed(interaction, table, Take(heap, stones))
