"""Steps of tests of puzzles: opening one, solving or missing it, and pressing its buttons."""

from random import Random
from typing import Any

from cogs.ui.press import Press
from engines.analysis.puzzles import Puzzle
from engines.registry import puzzles
from tests.discord.stage import DiscordStage, ShownMessage, read_message


async def open_puzzle(stage: DiscordStage, name: str, slug: str) -> Any:
    """Type /puzzle; return the answer."""
    return await stage[name].slash(stage.channel, "puzzle", game=slug)


async def puzzle_at(stage: DiscordStage, number: int) -> Puzzle:
    table = await stage.table(number)
    offer = puzzles(table.slug)
    assert offer is not None
    return next(one for one in offer.puzzles if one.id == table.study.puzzle)


async def solve(stage: DiscordStage, name: str, number: int) -> None:
    """Make the moves of the solution."""
    parlour, puzzle = stage.bot.app.parlour, await puzzle_at(stage, number)
    with stage.env.time_context():
        for move in puzzle.solution:
            table = await parlour.table(number)
            if table.owing:
                await parlour.play.move(number, stage[name].id, [move])


async def show(stage: DiscordStage, name: str, number: int) -> ShownMessage:
    """Return the puzzle's panel, or what has become of it."""
    press = Press("table", "turn", number, (await stage.table(number)).version)
    return read_message((await stage.send_press(name, press)).response)


async def open_table(stage: DiscordStage, name: str) -> int:
    """Return the number of a person's puzzle table."""
    row = await stage.bot.app.parlour.store.studies.of_person(stage[name].id, "puzzle")
    assert row is not None
    return row.table_id


async def press(stage: DiscordStage, name: str, verb: str, number: int = 0, arg: str = "") -> ShownMessage:
    return read_message((await stage.send_press(name, Press("puzzle", verb, number, 0, arg))).response)


async def miss(stage: DiscordStage, name: str, number: int) -> None:
    """Make chance moves until the try has ended."""
    parlour, luck = stage.bot.app.parlour, Random(5)
    with stage.env.time_context():
        while not (await parlour.puzzles.judge(await parlour.table(number))).is_over:
            moves = await parlour.play.moves(number, stage[name].id)
            await parlour.play.move(number, stage[name].id, [luck.choice(list(moves))])
