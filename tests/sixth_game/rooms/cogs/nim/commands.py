"""The `/nim` commands and the presses of its panel: parse, one call to the tables, one answer."""

from __future__ import annotations

from typing import ClassVar

from discord import app_commands

from cogs.core.lookup import open_tables, table_here
from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import make
from cogs.ui.interaction import Interaction
from cogs.ui.press import Press, on_press
from engines.nim.events import Taken
from engines.nim.moves import Take
from engines.nim.options import Options


@on_press("nim", "take")
async def take_pressed(interaction: Interaction, press: Press) -> None:
    """Take what was chosen in the menu of a heap."""
    move = Take(press.number, press.picked_number)
    await make(interaction, press.table, [move], press.moment, edit=True, ends=Taken)


class NimCog(GameCog, group_name="nim", group_description="Nim"):
    """`/nim`: open a table, look, and the one move by typing."""

    slug = "nim"
    told: ClassVar = {"rules": "How Nim is played", "board": "The heaps as they are"}

    new = new_table(
        "nim",
        Options,
        last="What taking the last stone does",
    )

    @app_commands.command(name="take", description="Take stones from a heap")
    @app_commands.describe(heap="The number of the heap", stones="How many")
    @app_commands.autocomplete(table=open_tables)
    async def take(
        self,
        interaction: Interaction,
        heap: app_commands.Range[int, 1, 3],
        stones: app_commands.Range[int, 1, 6],
        table: int | None = None,
    ) -> None:
        """Take stones."""
        found = await table_here(interaction, table)
        await make(interaction, found.id, [Take(heap, stones)], None, edit=False, ends=Taken)
