import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from tests.strict.api.server import StrictServer
from tests.strict.api.world import StrictChannel, StrictGuild, StrictWorld
from tests.strict.client import Client
from tests.strict.people import Owner, SeenMessage, StrictPerson, until
from tests.strict.process import TOKEN, StrictBot

T = TypeVar("T")
PATIENT = 12.0
"""Seconds in which the bot must answer in a flow: a busy machine isn't what flows are about."""


@dataclass
class Strict:
    """A strict Discord with a server, a channel, some people and an owner."""

    server: StrictServer
    guild: StrictGuild
    channel: StrictChannel
    owner: Owner
    people: dict[str, StrictPerson]
    folder: Path
    bots: list[StrictBot] = field(default_factory=list)

    @property
    def world(self) -> StrictWorld:
        return self.server.world

    def __getitem__(self, name: str) -> StrictPerson:
        return self.people[name]

    async def until(self, condition: Callable[[], T], seconds: float = 30.0, why: str = "") -> T:
        return await until(self.world, condition, seconds, why)

    def bot(self, **settings: str) -> StrictBot:
        """Make a bot that isn't running yet; it ends with the test."""
        made = StrictBot(self.server.address, self.folder, self.world.pulse, **settings)
        self.bots.append(made)
        return made

    @property
    def threads(self) -> list[StrictChannel]:
        return self.world.threads(self.guild.id)

    def cards(self, place: StrictChannel | None = None) -> list[SeenMessage]:
        """Return the lobby cards of a channel, oldest first."""
        shown = [SeenMessage(one) for one in (place or self.channel).public]
        return [one for one in shown if "tp:lobby:" in str(one.parts) or "· table " in one.text]

    def boards(self, thread: StrictChannel) -> list[SeenMessage]:
        """Return the posts of a thread that show a board, oldest first."""
        return [one for one in map(SeenMessage, thread.public) if one.pictures]


def build(server: StrictServer, folder: Path, name: str = "Parlour") -> Strict:
    """Add a server with a channel and four people."""
    world = server.world
    guild = world.add_guild(name)
    channel = world.add_channel(guild, "games")
    people = {}
    for person in ("Ann", "Bo", "Cy", "Dee"):
        user = world.add_user(person)
        world.add_member(guild, user)
        people[person] = StrictPerson(world, user)
    return Strict(server, guild, channel, Owner(world), people, folder)


@pytest.fixture
async def strict(tmp_path: Path, schema_file: Path) -> AsyncIterator[Strict]:
    shutil.copyfile(schema_file, tmp_path / "parlour.db")
    server = StrictServer(StrictWorld(TOKEN))
    await server.start()
    made = build(server, tmp_path)
    yield made
    for bot in made.bots:
        if bot.is_running:
            await bot.kill()
    await server.stop()


@pytest.fixture
async def client(strict: Strict) -> AsyncIterator[Client]:
    async with ClientSession() as session:
        yield Client(strict.server, session)


@pytest.fixture
async def bot(strict: Strict) -> AsyncIterator[StrictBot]:
    """Yield a running bot of the test's own.

    Check at the end that it has logged no traceback and surprised nobody.
    """
    strict.world.answer_within = PATIENT
    running = strict.bot()
    await running.start()
    await running.ready()
    yield running
    if running.is_running:
        await running.kill()
    running.require_no_traceback()
    assert strict.world.surprises == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, schema_file: Path) -> AsyncIterator[Strict]:
    """Yield a strict Discord whose bot all tests of a module share."""
    folder = tmp_path_factory.mktemp("strict")
    shutil.copyfile(schema_file, folder / "parlour.db")
    server = StrictServer(StrictWorld(TOKEN))
    await server.start()
    made = build(server, folder, "House")
    running = made.bot()
    await running.start()
    await running.ready()
    yield made
    assert await running.stop() == 0, running.output
    await server.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def scene(house: Strict) -> AsyncIterator[Strict]:
    """Yield a new server for one test, with the module's bot.

    Check at the end that the bot has raised nothing and asked nothing odd.
    """
    made = build(house.server, house.folder)
    made.bots = house.bots
    made.owner.invite_bot(made.guild)
    house.world.answer_within = PATIENT
    lines, surprises = len(house.bots[0].lines), len(house.world.surprises)
    yield made
    house.server.faults.end()
    house.world.refuses_old_edits = False
    assert "Traceback" not in (result := "\n".join(house.bots[0].lines[lines:])), result
    assert house.world.surprises[surprises:] == []
