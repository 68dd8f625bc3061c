"""Steps of tests of what a person does alone: puzzles, turns tried again, sandboxes."""

from random import Random
from typing import Any

from cogs.ui.press import Press
from engines.analysis.puzzles import Puzzle
from engines.game import Strength
from engines.registry import game, puzzles
from tables.core.table import Phase
from tables.study.reviews import is_turn_over
from tests.discord.simulation import REMEMBERED
from tests.discord.stage import DiscordStage, ShownMessage, read_message

SHORT: dict[str, dict[str, Any]] = {
    "ribbon": {"mode": "solo"},
    "tesla": {"win": 30},
    "tanglewood": {"length": "short"},
}
"""The options that end games soon."""


def options_of(slug: str) -> dict[str, Any]:
    """Return options of a short game against as few computers as possible."""
    return SHORT.get(slug, {}) | ({} if slug == "ribbon" else {"computers": max(1, game(slug).seats[0] - 1)})


def choose(slug: str, view: Any, seat: int, chance: float) -> Any:
    """Choose a move as an easy computer would."""
    return game(slug).choose(view, seat, Random(chance), Strength.EASY)


REMEMBERED.add(choose)


async def make_choice(stage: DiscordStage, name: str, number: int, luck: Random) -> None:
    """Make one move for a person, as an easy computer would."""
    parlour, who = stage.bot.app.parlour, stage[name].id
    perspective = await parlour.play.perspective(number, who)
    assert perspective.seat is not None
    move = await parlour.workers.run(
        choose, perspective.table.slug, perspective.view, perspective.seat, luck.random()
    )
    await parlour.play.move(number, who, [move])


async def finish_soon(stage: DiscordStage, name: str, number: int = 1) -> Any:
    """Play a table to its end without panels; return it."""
    luck = Random(number)
    async with stage.run_by_itself() as parlour:
        while (await parlour.table(number)).phase is Phase.PLAY:
            await parlour.computers.finish()
            if (await parlour.table(number)).phase is Phase.PLAY:
                await make_choice(stage, name, number, luck)
        await parlour.standings.finish()
    return await parlour.table(number)


async def play_turn(stage: DiscordStage, name: str, number: int) -> None:
    """Play the turn that is tried again to its end."""
    luck = Random(number)
    with stage.env.time_context():
        while not is_turn_over(await stage.table(number)):
            await make_choice(stage, name, number, luck)
    await stage.env.settle()


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
