"""A parlour without Discord: people, games arranged by hand, a courier that only writes down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from db.records import OutboxRow, PostRow
from db.store import Store
from engines.engine import Engine, Step
from engines.game import Seat, Strength
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from engines.workers import Workers
from tables.clocks.pace import HOUR, PACES
from tables.core.outbox import Delivery
from tables.core.repository import Repository
from tables.core.table import Occupant, Table
from tables.parlour import Parlour
from tables.people import Digest
from tests.engines.ribbon.arrange import read

GUILD, CHANNEL = 1, 2
ANN, BO, CY, DEE = Occupant("Ann", 101), Occupant("Bo", 102), Occupant("Cy", 103), Occupant("Dee", 104)
ADMIN = 900
FOR_EVER = 1e12
STEP = 3 * HOUR
"""The seconds between two checks of the bot in these tests; in practice they are fewer."""
Incident = Callable[[OutboxRow], Awaitable[None]]


def user(occupant: Occupant) -> int:
    assert occupant.user_id is not None
    return occupant.user_id


class HouseClock:
    """A clock that moves only on demand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


async def nothing(_row: OutboxRow) -> None:
    """Do nothing."""


async def no_trouble(_digest: Digest) -> None:
    """Do nothing."""


class NotingCourier:
    """Writes down what it is to show.

    Something may happen, or go wrong, before it looks at the table (`before`) and while its message
    is under way (`during`).
    """

    parlour: Parlour

    def __init__(self) -> None:
        self.shown: list[tuple[OutboxRow, bool]] = []
        self.digests: list[tuple[Digest, bool]] = []
        self.sending: Callable[[Digest], Awaitable[None]] = no_trouble
        self.before: Incident = nothing
        self.during: Incident = nothing
        self.decoration: Callable[[], Awaitable[None]] | None = None

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        """Post a message that shows the table as it is now. See `tables.core.outbox.Courier`."""
        await self.before(row)
        table = await self.parlour.table(row.table_id)
        self.shown.append((row, may_be_duplicate))
        await self.during(row)
        post = PostRow(row.table_id, row.kind, row.target, CHANNEL, len(self.shown), table.version, "")
        return Delivery(post, self.decoration)

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        await self.sending(digest)
        self.digests.append((digest, may_be_duplicate))

    def take_shown(self) -> list[tuple[str, int, bool]]:
        """Return kind, target and freshness of new posts."""
        taken, self.shown = [(row.kind, row.target, row.fresh) for row, _ in self.shown], []
        return taken


class EmptyCourier:
    """A courier that shows and sends nothing."""

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        return Delivery()

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        """Send nothing."""


def failing(times: int, error: Exception) -> Callable[[object], Awaitable[None]]:
    """Return an incident that fails that many times before a courier's work."""
    left = [error] * times

    async def fail(_sent: object) -> None:
        if left:
            raise left.pop()

    return fail


class House:
    """A parlour on a store, with everything around it within reach."""

    def __init__(self, store: Store, workers: Workers, clock: HouseClock) -> None:
        self._later: list[House] = []
        self.store = store
        self.workers = workers
        self.clock = clock
        self.courier = NotingCourier()
        self.parlour = self.courier.parlour = Parlour(store, workers, self.courier, clock)
        self.decide = self.parlour.decide
        self.lobby = self.parlour.lobby
        self.play = self.parlour.play

    def restart(self, store: Store | None = None) -> House:
        """Restart the house, or open a second process: memory is empty."""
        again = House(store or self.store, self.workers, self.clock)
        self._later.append(again)
        return again

    async def stop(self) -> None:
        """Stop everything, here and after every restart."""
        await self.parlour.computers.stop()
        await self.parlour.outbox.finish()
        await self.parlour.standings.finish()
        await self.parlour.digests.finish()
        for again in self._later:
            await again.stop()

    async def settle(self) -> None:
        """Wait until computers have moved and due posts are out."""
        await self.parlour.computers.finish()
        await self.parlour.outbox.finish()
        await self.parlour.standings.finish()
        await self.parlour.digests.finish()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass in steps, as a bot that runs sees it."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(until, self.clock.now + STEP)
            await self.parlour.resume()
        await self.settle()

    async def gather(self, host: Occupant, *others: Occupant, **options: Any) -> Table:
        return await self.lobby.create(GUILD, CHANNEL, host, "ribbon", RibbonOptions(**options), others)

    async def start(self, host: Occupant, *others: Occupant, pace: str = "", **options: Any) -> Table:
        """Start a game among those people, with all that is due shown."""
        terms = {"when_late": options.pop("when_late")} if "when_late" in options else {}
        table = await self.gather(host, *others, **{"first": "host", **options})
        if pace:
            await self.lobby.set_terms(table.id, user(host), pace=PACES[pace], **terms)
        table = await self.lobby.start(table.id, user(host))
        await self.settle()
        self.courier.shown.clear()
        return await self.parlour.table(table.id)

    async def play_moves(self, table: Table, words: str) -> Table:
        """Play moves in words: ``flip 4; pass``. Return the table. Each is made by whoever is to move."""
        for move in words.split(";"):
            table = await self.parlour.table(table.id)
            mover = table.seats[table.owing[0]]
            if move.strip() == "leave":
                await self.play.resign(table.id, user(mover))
            else:
                await self.play.move(table.id, user(mover), [read(move.strip())])
        return await self.parlour.table(table.id)

    async def move(self, table: Table, who: Occupant, words: str, seen: int | None = None) -> list[Step]:
        """Make one person's moves at once; return their steps."""
        moves = [read(move.strip()) for move in words.split(";")]
        _, steps = await self.play.move(table.id, user(who), moves, seen)
        return steps

    async def hand_over(self, table_id: int, seat: Seat, actor_id: int, strength: Strength) -> Table:
        owner = (await self.parlour.table(table_id)).seats[seat].user_id or 0
        return await self.play.hand_over(table_id, owner, actor_id, strength)

    async def can_undo(self, table_id: int, user_id: int) -> bool:
        return await self.play.can_undo(await self.parlour.table(table_id), user_id)

    async def state(self, table: Table, version: int | None = None) -> bytes:
        """Return a table's state as replayed from the database."""
        repository = Repository(self.store, Engine(self.workers), self.clock)
        fresh = await repository.table(table.id)
        state, _ = await repository.state_at(fresh, fresh.version if version is None else version)
        return state

    async def waiting(self, table: Table) -> list[tuple[str, int, bool]]:
        """Return kind, target and freshness of a table's pending posts."""
        rows = await self.store.outbox_of(table.id, FOR_EVER)
        return sorted((row.kind, row.target, row.fresh) for row in rows)

    async def history(self, table: Table) -> list[str]:
        """Return the kinds of all entries of a table's history."""
        return [row.kind for row in await self.store.actions(table.id)]


def arrange_deal(deck: str, first: int = 0) -> RibbonDeal:
    """Return a deal of eighteen letters."""
    return RibbonDeal(tuple(deck), first)
