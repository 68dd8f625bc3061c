"""Presses and taps a turn, and the lines of a post, in whole games by clicks.

People take the shortest way that the panels offer to their choices, which are random.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partialmethod
from importlib import import_module
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.discord.work import UNLIMITED
from db.store import Store
from engines.registry import game
from engines.workers import Workers
from tables.runtime import INTERACTIONS
from tests.benchmarks.flow import GAMES, PEOPLE, without_flood_limit
from tests.benchmarks.measure import Figure
from tests.discord import players
from tests.discord.stage import DiscordStage, read_message, simulation

KINDS = ("press", "form")
SELECT = MemberActor.select
EACH = 3
"""Games of each kind."""
DETOURS = ("tesla", "tangram", "tanglewood", "tangle")
"""The games whose players take a longer way now and then."""


def measure() -> Iterator[Figure]:
    return iter(asyncio.run(_measure()))


async def _measure() -> list[Figure]:
    workers = Workers(2)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/presses.db")
        env = await simulation(store, workers)
        stage, figures = DiscordStage(env), []
        with without_flood_limit(), without_detours(), pytest.MonkeyPatch.context() as patched:
            for place, (slug, _, options) in enumerate(GAMES):
                begun, counted = len(env.backend.transcript), PressCounts()
                patched.setattr(players, "begin_next_turn", counted.begin_next_turn)
                patched.setattr(MemberActor, "select", partialmethod(select, counted))
                for number in range(place * EACH + 1, (place + 1) * EACH + 1):
                    await _game(stage, slug, number, options, counted)
                taken = counted.turns
                calls = sum(_counts(entry) for entry in env.backend.transcript[begun:])
                figures += [
                    Figure(f"{slug}: calls that count for Discord's rate, a turn", [calls / len(taken)], ""),
                    Figure(f"{slug}: presses and choices in a turn", taken, ""),
                    Figure(f"{slug}: taps in a turn", counted.touches, "", "<= 6"),
                    Figure(f"{slug}: presses and choices after a panel opens", counted.taps, "", "<= 4"),
                    Figure(f"{slug}: openings of a panel a turn, over a game", counted.openings, ""),
                    Figure(f"{slug}: lines of a post's story", counted.told, ""),
                ]
        await env.shutdown()
        await store.close()
    workers.close()
    return figures


@contextmanager
def without_detours() -> Iterator[None]:
    """Let people take the shortest way to their choices."""
    modules: list[Any] = [import_module(f"tests.discord.players.{slug}") for slug in DETOURS]
    usual = [player.DETOUR for player in modules]
    for player in modules:
        player.DETOUR = 0
    try:
        yield
    finally:
        for player, probability in zip(modules, usual, strict=True):
            player.DETOUR = probability


def _counts(entry: tuple[str, str, Any]) -> bool:
    """Return True for a call of the bot that answers no press."""
    kind, name, _ = entry
    return kind == "HTTP" and not any(part in name for part in UNLIMITED)


def count_presses() -> float:
    """Return the number of presses and forms handled in this process."""
    samples = [sample for metric in INTERACTIONS.collect() for sample in metric.samples]
    counted = [one for one in samples if one.name.endswith("_total") and one.labels["kind"] in KINDS]
    return sum(one.value for one in counted)


@dataclass
class PressCounts:
    """The counts of one kind of game.

    Attributes:
        turns: the presses of each turn, from **Take turn** on. A panel that goes on with another turn's
            question, as with the next tile or the ballots, begins a new one.
        touches: the taps of each turn: a menu is opened and chosen from, and one of several lines is closed.
        taps: the presses after each opening of a panel, until its last question.
        openings: the openings of a panel in each game, for each of its turns.
        told: the lines of each post.
    """

    turns: list[float] = field(default_factory=list)
    touches: list[float] = field(default_factory=list)
    taps: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    begun: float = 0.0
    in_menus: float = 0.0

    def begin_turn(self) -> None:
        self.begun, self.in_menus = count_presses(), 0.0

    def end_turn(self) -> None:
        self.turns.append(count_presses() - self.begun)
        self.touches.append(self.turns[-1] + self.in_menus)

    def begin_next_turn(self) -> None:
        self.end_turn()
        self.begin_turn()


async def select(
    actor: MemberActor, counted: PressCounts, message: Any, values: Sequence[str], *, custom_id: str
) -> Any:
    """Choose in a menu, and count the taps that are no press."""
    menu = next(one for one in read_message(message).components if one.get("custom_id") == custom_id)
    counted.in_menus += 1 + (len(values) if menu.get("max_values", 1) > 1 else 0)
    return await SELECT(actor, message, values, custom_id=custom_id)


async def _game(
    stage: DiscordStage, slug: str, number: int, options: dict[str, Any], counted: PressCounts
) -> None:
    place = await stage.open(*PEOPLE[: max(2, game(slug).seats[0])], game=slug, **options)
    rng, opened, turns = Random(number), len(counted.taps), len(counted.turns)
    while "Rematch" not in stage.post(place).buttons:
        name, post = (await stage.due(number))[0], stage.post(place)
        counted.begin_turn()
        while stage.post(place).message.id == post.message.id and name in await stage.due(number):
            begun = count_presses()
            await stage.act(name, place, rng, number)
            counted.taps.append(count_presses() - begun - 1)
        counted.end_turn()
        if stage.post(place).message.id != post.message.id:
            story = stage.post(place).text.split("\n\n")[0].splitlines()
            counted.told.append(len([line for line in story if not line.startswith("#")]))
    view = await stage.view(number=number)
    taken = getattr(view, "turn", len(counted.turns) - turns)
    counted.openings.append((len(counted.taps) - opened) / taken)
