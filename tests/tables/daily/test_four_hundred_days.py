"""Four hundred days in a thousand servers: nothing in memory grows by the day."""

import functools
import logging
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

import cachetools
import discord
import pytest

from cogs.cups import CupPosts
from cogs.ui.press import Cooldown
from db.records import DailyDealRow, DailyPostRow
from tables.clocks.pace import HOUR, add_days, begins
from tables.core.table import Refused
from tables.runtime import TryLater
from tests.often import often
from tests.tables.daily.four_hundred import PlainGuild, PostWorld
from tests.tables.house import ANN, House

SERVERS, DAYS = often(10, 1000), often(60, 400)
ROOMS = ("bot", "cogs", "db", "engines", "host", "render", "tables")
CONTAINERS = (dict, set, list, deque, WeakValueDictionary)
FIRST = "2026-01-01"
CACHED = type(functools.cache(len))


def is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ROOMS


def sizes(roots: Iterable[tuple[str, Any]]) -> Counter[str]:
    """Count the contents of each reachable container by its attribute path.

    Containers in a container count together. A cache that has a bound, and what is in it, isn't counted.
    """
    counts: Counter[str] = Counter()
    seen: set[int] = set()
    left = deque(roots)
    while left:
        path, thing = left.popleft()
        if id(thing) in seen or isinstance(thing, cachetools.Cache | ModuleType | FunctionType | type):
            continue
        seen.add(id(thing))
        if isinstance(thing, (*CONTAINERS, tuple, frozenset)):
            if isinstance(thing, CONTAINERS):
                counts[path] += len(thing)
            inside = thing.values() if isinstance(thing, dict | WeakValueDictionary) else thing
            left.extend((f"{path}[]", one) for one in list(inside))
        elif is_ours(type(thing)):
            fields = {name: getattr(thing, name) for name in getattr(thing, "__struct_fields__", ())}
            for name, one in {**fields, **getattr(thing, "__dict__", {})}.items():
                left.append((f"{type(thing).__name__}.{name}", one))
    return counts


def modules() -> list[tuple[str, Any]]:
    """Return the containers and objects that modules of ours keep."""
    result = []
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ROOMS:
            result += [
                (f"{name}: {key}", one) for key, one in vars(module).items() if not key.startswith("__")
            ]
    return result


def count_cached_results() -> Counter[str]:
    """Count the unbounded caches' results of our functions."""
    functions = [(name, one) for name, one in modules() if isinstance(one, CACHED)]
    infos = {name: one.cache_info() for name, one in functions}
    return Counter({name: info.currsize for name, info in infos.items() if info.maxsize is None})


class Life:
    """Lives days of a bot: posts in all servers, with some failures, cups, computers, lobbies and presses."""

    def __init__(self, world: PostWorld, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.house = world.house
        self.cups = CupPosts(world.bot, world.app)
        self.cooldown = Cooldown(self.house.clock)
        self.day = FIRST
        self.days = 0
        monkeypatch.setattr(self.house.parlour.cups, "cup", self._cup)

    async def _cup(self, number: int) -> None:
        if number // SERVERS == self.days:
            raise TryLater("the cup's post fails on its first day")
        raise Refused("There is no such cup.")

    async def live_a_day(self) -> None:
        self.days, self.day = self.days + 1, add_days(self.day, 1)
        servers, off = self.world.bot.guilds, 1 + self.days % SERVERS
        for number, guild in servers.items():
            is_mute = number % 10 == self.days % 10
            guild.channel.allowed = discord.Permissions.none() if is_mute else discord.Permissions.all()
        self.world.failing = {number for number in servers if number % 10 == (self.days + 5) % 10}
        self.house.clock.now = begins(self.day) + HOUR
        await self.world.look()
        self.world.rows.on = set(servers) - {off}
        self.house.clock.now += HOUR
        await self.world.look()
        self.world.rows.on = set(servers)
        self.cups._dirty |= {self.days * SERVERS + number for number in range(3)}
        await self.cups._look()
        for number in range(3):
            self.house.parlour.computers._begin(1_000_000 + self.days * 10 + number)
            self.house.parlour.outbox.wake(1_000_000 + self.days * 10 + number)
            self.cooldown.take(self.days * 10 + number)
        if not self.days % 20:
            lobby = await self.house.gather(ANN)
            await self.house.play.close(lobby.id, ANN.user_id or 0)
        await self.house.settle()

    def sizes(self) -> Counter[str]:
        own = [("cooldown", self.cooldown), ("cups", self.cups), ("posts", self.world.posts)]
        return sizes([*own, ("parlour", self.house.parlour), *modules()]) + count_cached_results()


def growth(before: Counter[str], after: Counter[str]) -> dict[str, int]:
    """Return what has grown by more than a few for each server."""
    return {path: size for path, size in after.items() if size - before[path] > 4 * SERVERS}


@pytest.fixture
def life(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Life]:
    """Yield a bot in many servers; its errors aren't logged."""
    logging.disable(logging.CRITICAL)
    yield Life(PostWorld(house, SERVERS, monkeypatch), monkeypatch)
    logging.disable(logging.NOTSET)


async def test_nothing_in_memory_grows_by_server_and_day(life: Life) -> None:
    for _ in range(5):
        await life.live_a_day()
    before = life.sizes()

    while life.days < DAYS:
        await life.live_a_day()

    assert growth(before, life.sizes()) == {}
    assert len(life.world.shown) > DAYS * SERVERS, "nothing was posted"
    assert before["DailyPosts._dirty"] > 0, "nothing was counted"


async def test_growing_containers_are_named(life: Life) -> None:
    await life.live_a_day()
    before = life.sizes()

    life.world.posts.__dict__["_by_day"] = {key: [key] * 5 for key in range(SERVERS)}

    assert growth(before, life.sizes()) == {"DailyPosts._by_day[]": 5 * SERVERS}


async def test_fifty_posts_that_always_fail_hold_up_no_other_stale_post(life: Life) -> None:
    world, day = life.world, add_days(FIRST, -3)
    world.bot.guilds |= {number: PlainGuild(number) for number in range(1, 52)}
    world.rows.stale = [DailyPostRow(number, day, "ribbon", number, number, 1.0) for number in range(1, 52)]
    world.rows.deals[day, "ribbon"] = DailyDealRow(day, "ribbon", "", 1, "{}", "00", "00")
    world.rows.on = set()
    world.failing = set(range(1, 51))
    life.house.clock.now = begins(FIRST)

    for _ in range(2):
        await world.look()

    assert world.shown == [51]
