"""Games that are over soon, and the turns of a person who tries things alone."""

from random import Random
from typing import Any

from engines.game import Strength
from engines.registry import game
from tables.core.table import Phase
from tables.study.positions import is_turn_over
from tests.discord.sketching import REMEMBERED
from tests.discord.stage import DiscordStage

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
