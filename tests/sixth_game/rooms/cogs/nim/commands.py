"""The `/nim` commands and the presses of its panel: parse, one call to the tables, one answer."""

from typing import ClassVar

from cogs.play.game_cog import GameCog, new_table
from cogs.play.panel import on_panel, send
from cogs.ui.text import Interaction
from cogs.ui.press import Press
from engines.nim.moves import Take
from engines.nim.options import Options


@on_panel("nim", "take")
async def on_take(interaction: Interaction, press: Press) -> None:
    await send(interaction, press, Take(press.number, press.choice_number))


class NimCog(GameCog, group_name="nim", group_description="Nim"):
    """`/nim`: open a table, look, and the one move by its name."""

    slug = "nim"
    descriptions: ClassVar = {"rules": "How Nim is played", "board": "The heaps as they are"}

    new = new_table("nim", Options, last="What taking the last stone does")
