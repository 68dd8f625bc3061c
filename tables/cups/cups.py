"""People's actions in cups: opening, joining, leaving, starting, dropping out."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from db.access import CupQuota
from db.records import CupPlayerRow, CupRow, CupTableRow
from db.subjects.cups import CupChange
from engines import marks, registry
from engines.workers import Workers
from tables.clocks.pace import Pace
from tables.core.change import newcomer_guards, refuse_guards, tables_quota
from tables.core.repository import Repository
from tables.core.table import Occupant, Refused, encode
from tables.cups.schedule import FEWEST, GOING, MOST, Cup, CupPhase, Entrant, Round, from_rows, schedule
from tables.lobby.decisions import require_allowed
from tables.lobby.lobby import Lobby

MOST_RUNNING = 10
"""The most running cups of a server."""
LONGEST_ROUND = 90
"""The most days of a round."""
TRIES = 5
"""Attempts to draw up a cup's rounds while people join and leave."""
NO_PLACE = "There's no place for you in this cup."


Decide = Callable[[Cup], CupChange | None]


class CupTerms(msgspec.Struct, frozen=True):
    """The terms of a cup: `most` players, a pace, `size` seats at a table.

    Without a `size` the best one is chosen at the start. A round takes `days` at most; None waits for its
    last table.
    """

    most: int
    pace: Pace
    size: int | None = None
    days: int | None = None


def cup_options(slug: str) -> msgspec.Struct:
    """Return a game's options in a cup.

    The usual ones, with seat 0 first if possible. Everybody has each seat equally often, which wouldn't even
    out anything if the first player were drawn.
    """
    options = registry.game(slug).Options()
    return replace(options, first="host") if "first" in options.__struct_fields__ else options


class CupService:
    """What people can do with cups."""

    def __init__(self, repository: Repository, lobby: Lobby, workers: Workers) -> None:
        self._repository = repository
        self._store = repository.store.cups
        self._lobby = lobby
        self._workers = workers
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._touched: set[int] = set()

    def lock(self, cup_id: int) -> asyncio.Lock:
        """Return the lock held while changing this cup; reading needs none."""
        return self._locks.setdefault(cup_id, asyncio.Lock())

    def touch(self, cup_id: int) -> None:
        """Mark a cup as changed, for whoever posts it."""
        self._touched.add(cup_id)

    def take_touched(self) -> set[int]:
        """Return the cups changed since the last call."""
        taken, self._touched = self._touched, set()
        return taken

    async def cup(self, cup_id: int) -> Cup:
        return await self._whole(_cup_of_rows(await self._store.cup(cup_id), cup_id))

    async def _whole(self, row: CupRow) -> Cup:
        return from_rows(row, await self._store.players(row.id), await self._store.tables(row.id))

    async def lately_at(self, channel_id: int) -> Cup | None:
        row = await self._store.lately_at(channel_id)
        return None if row is None else await self._whole(row)

    async def running_cups(self, guild_id: int) -> list[Cup]:
        """Return the open and running cups of a server, newest first."""
        return [await self._whole(row) for row in await self._store.within(guild_id, GOING, MOST_RUNNING)]

    async def cups_to_show(self) -> list[int]:
        """Return the cups that can need a post. Running ones, and ends not announced."""
        return await self._store.to_show(GOING, CupPhase.OVER)

    async def open(self, guild_id: int, channel_id: int, host: Occupant, slug: str, terms: CupTerms) -> Cup:
        """Open a cup in a channel; the host plays too.

        Raise Refused if the game allows no such cup, the server forbids the pace, a cup is running in the
        channel or enough are in the server, or the host can't open a table.
        """
        _require_playable(slug, terms)
        if host.user_id is None:
            raise ValueError("a cup's host is a person")
        host_id = host.user_id
        settings = await self._repository.store.guild(guild_id)
        if settings is not None:
            require_allowed(settings, terms.pace)
        row = CupRow(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=None,
            game=slug,
            options=encode(cup_options(slug)),
            most=terms.most,
            size=terms.size,
            pace=terms.pace.name,
            days=terms.days,
            phase=CupPhase.GATHERING.value,
            round=0,
            began_at=None,
            host_id=host_id,
            announced=False,
            created_at=self._repository.clock(),
        )
        guards = (tables_quota(guild_id, host_id), CupQuota(guild_id, GOING, MOST_RUNNING))
        with refuse_guards():
            number = await self._store.create(row, CupPlayerRow(0, host_id, host.name, 0), GOING, guards)
        if number is None:
            raise Refused("This channel already has a cup. Open yours in another channel.")
        self.touch(number)
        return await self.cup(number)

    async def _change(self, cup_id: int, decide: Decide) -> Cup:
        """Return a cup after a decision made in the write."""

        def decided(
            row: CupRow | None, players: list[CupPlayerRow], tables: list[CupTableRow]
        ) -> CupChange | None:
            return decide(from_rows(_cup_of_rows(row, cup_id), players, tables))

        async with self.lock(cup_id):
            with refuse_guards(no_place=NO_PLACE):
                await self._store.change(cup_id, decided)
            self.touch(cup_id)
        return await self.cup(cup_id)

    async def join(self, cup_id: int, user_id: int, name: str) -> Cup:
        """Join a cup; the last free place starts it.

        Raise Refused if the cup has begun or is full, the person plays already or sits at too many tables;
        without a reason if somebody in it is blocked.
        """
        cup = await self._change(cup_id, partial(join, user_id=user_id, name=name))
        if len(cup.entrants) < cup.most or cup.phase is not CupPhase.GATHERING:
            return cup
        with suppress(Refused):  # somebody else has begun it
            return await self._begin(cup)
        return await self.cup(cup_id)

    async def leave(self, cup_id: int, user_id: int) -> Cup:
        """Leave before the cup begins.

        After the host the next player is host. The last to leave closes the cup. Raise Refused if it has
        begun, or the person isn't in it.
        """
        return await self._change(cup_id, partial(leave, user_id=user_id))

    async def start(self, cup_id: int, user_id: int, *, admin: bool = False) -> Cup:
        """Start before all places are taken; for the host, or an administrator.

        Raise Refused for others, if it has begun, and with too few players.
        """
        cup = await self.cup(cup_id)
        require_gathering(cup)
        _require_host(cup, user_id, admin)
        least = max(FEWEST, cup.size or 0)
        if len(cup.entrants) < least:
            raise Refused(
                f"This cup needs at least {least} players, and {len(cup.entrants)} have joined so far."
            )
        return await self._begin(cup)

    async def _begin(self, cup: Cup) -> Cup:
        """Start with the current players.

        Draw up the rounds again if they change. Drawing them up takes a worker a moment, in which somebody
        can join or leave.
        """
        for _ in range(TRIES):
            size = cup.table_size
            rounds = await self._workers.run(schedule, len(cup.entrants), size)
            drawn_up = partial(begin, known=cup, size=size, rounds=rounds, now=self._repository.clock())
            cup = await self._change(cup.id, drawn_up)
            if cup.phase is not CupPhase.GATHERING:
                break
        self._repository.listener.on_cup_change(cup.id)
        return cup

    async def drop(self, cup_id: int, user_id: int, actor_id: int, *, admin: bool = False) -> Cup:
        """Take a player out of a running cup.

        Computers play on for them, without points. People take out themselves; the host and administrators
        also others. Raise Refused if it hasn't begun or has ended, the person isn't in it, or the actor isn't
        allowed to.
        """
        cup = await self._change(cup_id, partial(drop, user_id=user_id, actor_id=actor_id, admin=admin))
        self._repository.listener.on_cup_change(cup_id)
        return cup

    async def close(self, cup_id: int, user_id: int, *, admin: bool = False) -> Cup:
        """End a cup without a winner; running games go on.

        For the host, or an administrator. Raise Refused for others, and if it has ended.
        """
        return await self._change(cup_id, partial(close, user_id=user_id, admin=admin))

    async def note_post(self, cup_id: int, message_id: int | None) -> None:
        await self._store.save(cup_id, message_id=message_id)

    async def note_announced(self, cup_id: int) -> None:
        await self._store.save(cup_id, announced=True)


def join(cup: Cup, *, user_id: int, name: str) -> CupChange:
    require_gathering(cup)
    if cup.entrant(user_id) is not None:
        raise Refused("You're already in this cup.")
    if len(cup.entrants) >= cup.most:
        raise Refused(f"This cup is full: {cup.most} players.")
    people = (entrant.user_id for entrant in cup.entrants)
    own = marks.make_distinct(name, (entrant.name for entrant in cup.entrants))
    return CupChange(
        joins=CupPlayerRow(cup.id, user_id, own, 0), guards=newcomer_guards(cup.guild_id, user_id, people)
    )


def leave(cup: Cup, *, user_id: int) -> CupChange:
    """Remove a player before the start; see `Cups.leave`."""
    require_gathering(cup)
    _require_in(cup, user_id)
    others = [entrant.user_id for entrant in cup.entrants if entrant.user_id != user_id]
    if not others:
        return CupChange({"phase": CupPhase.CLOSED.value})
    return CupChange({"host_id": others[0] if cup.host_id == user_id else cup.host_id}, leaves=user_id)


def begin(cup: Cup, *, known: Cup, size: int, rounds: Sequence[Round], now: float) -> CupChange | None:
    """Begin the first round, if the drawn-up players are still in."""
    require_gathering(cup)
    numbered = [entrant.user_id for entrant in cup.entrants]
    if numbered != [entrant.user_id for entrant in known.entrants]:
        return None
    rows = [
        CupTableRow(
            cup.id, number, pod, encode([None if place is None else numbered[place] for place in table.seats])
        )
        for number, tables in enumerate(rounds, start=1)
        for pod, table in enumerate(tables, start=1)
    ]
    began = {"phase": CupPhase.PLAY.value, "size": size, "round": 1, "began_at": now}
    return CupChange(began, tables=tuple(rows))


def drop(cup: Cup, *, user_id: int, actor_id: int, admin: bool) -> CupChange:
    if user_id != actor_id:
        _require_host(cup, actor_id, admin)
    if cup.phase is CupPhase.GATHERING:
        raise Refused("This cup hasn't begun. **Leave** gives up your place.")
    require_running(cup)
    if _require_in(cup, user_id).dropped:
        raise Refused("That player has already dropped out of this cup.")
    return CupChange(drops=user_id)


def close(cup: Cup, *, user_id: int, admin: bool) -> CupChange:
    """End a cup without a winner; see `Cups.close`."""
    require_running(cup)
    _require_host(cup, user_id, admin)
    return CupChange({"phase": CupPhase.CLOSED.value})


def require_gathering(cup: Cup) -> None:
    require_running(cup)
    if cup.phase is CupPhase.PLAY:
        raise Refused("This cup has begun. To leave it, use `/cup drop`.")


def _cup_of_rows(row: CupRow | None, cup_id: int) -> CupRow:
    if row is None:
        raise Refused(f"I can't find cup {cup_id}. `/cup new` opens one.")
    return row


def require_running(cup: Cup) -> None:
    if cup.phase is CupPhase.OVER:
        raise Refused(f"Cup {cup.id} is over. `/cup new` opens another one.")
    if cup.phase is CupPhase.CLOSED:
        raise Refused(f"Cup {cup.id} was closed. `/cup new` opens another one.")


def _require_in(cup: Cup, user_id: int) -> Entrant:
    entrant = cup.entrant(user_id)
    if entrant is None:
        raise Refused("Only players in this cup can do that.")
    return entrant


def _require_host(cup: Cup, user_id: int, admin: bool) -> None:
    if user_id != cup.host_id and not admin:
        host = cup.entrant(cup.host_id)
        named = "the host" if host is None else f"the host, {marks.quote(host.name)},"
        raise Refused(f"Only {named} or an admin can do that.")


def _require_playable(slug: str, terms: CupTerms) -> None:
    rules = registry.game(slug)
    sizes = [size for size in rules.seats_for(cup_options(slug)) if size > 1]
    if not sizes:
        raise Refused(f"{rules.title} isn't a game against others, so it can't have a cup.")
    if not FEWEST <= terms.most <= MOST:
        raise Refused(f"A cup is for {FEWEST} to {MOST} players.")
    if terms.size is not None and terms.size not in sizes:
        seats = " or ".join(str(size) for size in sizes)
        raise Refused(f"{rules.title} is for {seats} players, not {terms.size}.")
    if terms.size is not None and terms.most < terms.size:
        raise Refused(
            f"A cup with {terms.size} players per table must have room for at least {terms.size} players."
        )
    if terms.days is not None and not 1 <= terms.days <= LONGEST_ROUND:
        raise Refused(f"A round takes 1 to {LONGEST_ROUND} days.")
