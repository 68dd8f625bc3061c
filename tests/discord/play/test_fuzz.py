"""People try everything, in any order; `make fuzz` lets them for as long as one likes."""

import asyncio
import logging
import os
import shutil
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from cogs.core.pictures import Pictures
from db.store import Store
from engines.workers import Workers
from tests.discord.play.fuzzing import FuzzedWorld, name_picture
from tests.discord.stage import DiscordStage, simulation

pytestmark = [pytest.mark.drawn]
STEPS = int(os.environ.get("FUZZ_STEPS", "200"))
"""The number of steps in all."""
AT_ONCE = 100
"""The number of them in one world."""
SEEDS = st.integers(0, 2**32)


def act(what: str, name: str = "") -> Any:
    """Return a rule by which somebody does something; its name is printed."""

    def do(self: "FuzzedPeople", seed: int) -> None:
        async def step() -> None:
            world = self.world
            assert world is not None
            world.rng = Random(seed)
            await getattr(world, what)()
            await world.check()

        self.runner.run(step())

    do.__name__ = name or what
    return rule(seed=SEEDS)(do)


class FuzzedPeople(RuleBasedStateMachine):
    """Each rule is something that somebody does; whatever they do, the checks hold."""

    schema_file: Path
    workers: Workers

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(mkdtemp())
        self.world: FuzzedWorld | None = None

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.runner.run(self._begin(Random(seed)))

    async def _begin(self, rng: Random) -> None:
        shutil.copyfile(self.schema_file, self.folder / "parlour.db")
        self.store = await Store.open(f"sqlite:///{self.folder}/parlour.db")
        self.env = await simulation(self.store, self.workers)
        self.world = FuzzedWorld(DiscordStage(self.env), rng)
        logging.getLogger().addHandler(self.world.errors)
        await self.world.stage.bot.app.parlour.blocks.block(*self.world.apart)
        await self.world.opens()
        await self.world.check()

    types, moves, opens, forges = act("types"), act("moves"), act("opens"), act("forges")
    presses, presses_again = act("presses"), act("presses_again")
    # Half of all presses are of something visible.
    presses_in_a_panel = act("presses", "presses_in_a_panel")
    floods, waits, restarts = act("floods"), act("waits"), act("restarts")

    def teardown(self) -> None:
        """Replay every log; then stop the bot."""
        if self.world is not None:
            logging.getLogger().removeHandler(self.world.errors)
            self.runner.run(self._end(self.world))
        self.runner.close()
        shutil.rmtree(self.folder)

    async def _end(self, world: FuzzedWorld) -> None:
        await world.replay_all()
        await world.stage.bot.app.parlour.close()
        await self.env.shutdown()
        await self.store.close()


def test_nothing_people_do_loses_or_breaks_anything(
    schema_file: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pictures, "_picture", name_picture)
    monkeypatch.setattr(FuzzedPeople, "schema_file", schema_file, raising=False)
    monkeypatch.setattr(FuzzedPeople, "workers", workers, raising=False)

    run_state_machine_as_test(
        FuzzedPeople,
        settings=settings(
            max_examples=max(1, STEPS // AT_ONCE),
            stateful_step_count=AT_ONCE,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[
                Phase.generate
            ],  # a world of many steps takes long, and workers are never quite as fast again
        ),
    )
