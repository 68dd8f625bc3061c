"""What cups do on their own: open tables, note results, start the next round, end.

Each step follows from what is saved, so the next check makes up for a crash between two steps.
"""

from collections import Counter
from functools import partial
from math import inf

from db.records import CupTableRow
from engines import game, marks
from tables.clocks.pace import MINUTE, Pace, read_pace
from tables.core import table as tables
from tables.core.history import EntryKind
from tables.core.people import NameLookup
from tables.core.repository import Repository
from tables.core.table import Hints, Occupant, Phase, Refused, Stale, Table, Terms, encode
from tables.cups.cups import CupService
from tables.cups.schedule import Cup, CupPhase, Entrant, Pairing
from tables.lobby.decisions import COMPUTER_NAMES, is_allowed
from tables.lobby.lobby import Lobby
from tables.play.play import Play
from tables.runtime import Background

OPENED_AT_ONCE = 8
"""Tables of a cup opened at one check."""
MOST_EACH = 2
"""Open tables of a cup for one person at most; further ones wait."""
FEWEST_LEFT = 2
"""The fewest players with whom a cup goes on."""
CHECK_AGAIN_AFTER = MINUTE
"""Seconds until the next check if tables had to wait."""


class CupRunner:
    """Takes cups further.

    `name_of` returns a player's current name in a server; None if they have left it. It can fail, and is
    asked again then.
    """

    def __init__(
        self, repository: Repository, cups: CupService, lobby: Lobby, play: Play, name_of: NameLookup
    ) -> None:
        self._repository = repository
        self._store = repository.store.cups
        self._cups = cups
        self._lobby = lobby
        self._play = play
        self._background = Background()
        self._looks: dict[int, float] | None = None
        self._swept_at = 0.0
        self._ended: set[int] = set()
        self.name_of = name_of

    def wake(self, cup_id: int) -> None:
        """Check a cup at the next sweep."""
        if self._looks is not None:
            self._looks[cup_id] = 0.0

    def on_game_end(self, table_id: int) -> None:
        self._ended.add(table_id)

    def look_again(self) -> None:
        """Check all running cups at the next sweep, as after a start."""
        self._looks = None

    async def sweep(self) -> None:
        """Check the cups with something due. All running ones after the start or a clock set back."""
        now = self._repository.clock()
        if self._looks is None or now < self._swept_at:
            self._looks = dict.fromkeys(await self._store.numbers([CupPhase.PLAY]), 0.0)
        self._swept_at = now
        for table_id in sorted(self._ended):
            cup_id = await self._store.cup_of(table_id)
            self._ended.discard(table_id)
            if cup_id is not None:
                self.wake(cup_id)
        for cup_id in [cup_id for cup_id, at in self._looks.items() if at <= now]:
            del self._looks[cup_id]
            if not await self._background.run(f"checking cup {cup_id}", self.look(cup_id)):
                self._looks[cup_id] = now + CHECK_AGAIN_AFTER

    async def look(self, cup_id: int) -> None:
        """Do everything due in one cup, and note the next check."""
        async with self._cups.lock(cup_id):
            cup = await self._cups.cup(cup_id)
            settings = await self._repository.store.guild(cup.guild_id)
            if not self._repository.store.shards.owns(cup.guild_id):
                return
            if cup.phase is not CupPhase.PLAY or (settings is not None and settings.removed_at is not None):
                return
            await self._look_at_tables(cup)
            cup = await self._move_on(await self._cups.cup(cup_id))
            if cup.phase is CupPhase.PLAY:
                opened = await self._open(cup)
                self._look_again(await self._cups.cup(cup_id), opened)

    def _look_again(self, cup: Cup, opened: int) -> None:
        """Note when a cup is due. By time, or at once if work is left."""
        now = self._repository.clock()
        waits = any(one.table_id is None and one.places is None for one in _begun_rounds(cup))
        last = cup.round == cup.rounds
        at = inf if cup.ends_at is None or last else cup.ends_at
        if at <= now:  # it waits for a steady clock
            at = now + CHECK_AGAIN_AFTER
        if waits:
            at = min(at, now if opened == OPENED_AT_ONCE else now + CHECK_AGAIN_AFTER)
        if all(one.places is not None for one in (cup.pairings if last else cup.tables_of_round(cup.round))):
            at = now
        if self._looks is not None:
            self._looks[cup.id] = min(at, self._looks.get(cup.id, inf))

    async def _look_at_tables(self, cup: Cup) -> None:
        """Start opened games, replace dropped players, note finished games."""
        dropped = {entrant.user_id for entrant in cup.entrants if entrant.dropped}
        for pairing in cup.pairings:
            if pairing.table_id is None or pairing.places is not None:
                continue
            table = await self._repository.table(pairing.table_id)
            if table.phase is Phase.LOBBY:
                table = await self._begin(table)
            for user_id in dropped.intersection(table.people):
                try:  # a computer goes on for them
                    table = await self._play.hand_over(table.id, user_id, user_id, game.Strength.STRONG)
                except Refused:
                    table = await self._repository.table(table.id)
            if table.phase not in tables.OPEN:
                people = set(pairing.people)
                seats = [occupant.user_id if occupant.user_id in people else None for occupant in table.seats]
                await self._note(cup, pairing, seats, await self._places(table))

    async def _begin(self, table: Table) -> Table:
        """Start a game.

        Close a table that can't start because somebody has left. Raise Stale if another process was faster;
        the next check finds what it did.
        """
        try:
            return await self._lobby.start(table.id, table.host_id)
        except Stale:
            raise
        except Refused:
            return await self._play.close(table.id, table.host_id)

    async def _places(self, table: Table) -> tuple[int | None, ...]:
        """Return each seat's place.

        Empty for a game without a result, or a team's. A game called off because somebody left before it
        could count is won by all others.
        """
        if table.outcome is not None:
            return table.outcome.places if table.outcome.won is None else ()
        last = await self._repository.store.action(table.id, table.version)
        if last is None or last.kind != EntryKind.RESIGN:
            return ()
        return tuple(None if seat == last.seat else 1 for seat in range(len(table.seats)))

    async def _note(
        self, cup: Cup, pairing: Pairing, seats: list[int | None], places: tuple[int | None, ...]
    ) -> None:
        row = CupTableRow(cup.id, pairing.round, pairing.pod, encode(seats), places=encode(places))
        await self._store.settle(row)
        self._cups.touch(cup.id)

    async def _move_on(self, cup: Cup) -> Cup:
        """Return the cup in its current round, or at its end."""
        ended = all(pairing.places is not None for pairing in cup.tables_of_round(cup.round))
        late = cup.ends_at is not None and cup.ends_at <= self._repository.clock()
        late = late and await self._repository.time.downtime.is_steady()
        if len(cup.active) < FEWEST_LEFT or all(pairing.places is not None for pairing in cup.pairings):
            await self._store.advance(cup.id, cup.round, phase=CupPhase.OVER.value)
        elif (ended or late) and cup.round < cup.rounds:
            now = self._repository.clock()
            await self._store.advance(cup.id, cup.round, round=cup.round + 1, began_at=now)
        else:
            return cup
        self._cups.touch(cup.id)
        return await self._cups.cup(cup.id)

    async def _open(self, cup: Cup) -> int:
        """Open tables whose players have room; return how many."""
        opened = 0
        sitting = Counter(
            user_id
            for pairing in cup.pairings
            if pairing.table_id is not None and pairing.places is None
            for user_id in pairing.people
        )
        for pairing in _begun_rounds(cup):
            if pairing.table_id is not None or pairing.places is not None:
                continue
            people = [known for known in map(cup.entrant, pairing.people) if known and not known.dropped]
            if opened == OPENED_AT_ONCE or any(sitting[one.user_id] >= MOST_EACH for one in people):
                continue
            try:
                await self._lobby.require_table_limits(cup.guild_id, *(one.user_id for one in people))
            except Refused:
                continue
            people = await self._present_players(cup, people)
            if not people:
                await self._note(cup, pairing, [], ())
                continue
            await self._open_table(cup, pairing, people)
            opened += 1
            sitting.update(one.user_id for one in people)
        return opened

    async def _present_players(self, cup: Cup, people: list[Entrant]) -> list[Entrant]:
        """Return players who are still in the server, with current names. Drop the others."""
        entrants, names = list[Entrant](), {one.user_id: one.name for one in cup.entrants}
        for known in people:
            name = await self.name_of(cup.guild_id, known.user_id, known.name)
            others = (other for user_id, other in names.items() if user_id != known.user_id)
            name = None if name is None else marks.make_distinct(name, others)
            if name is None:
                await self._store.save_player(cup.id, known.user_id, dropped=True)
                self._cups.touch(cup.id)
                self.wake(cup.id)
                continue
            if name != known.name:
                await self._store.save_player(cup.id, known.user_id, name=name)
                self._cups.touch(cup.id)
            names[known.user_id] = name
            entrants.append(Entrant(known.user_id, name))
        return entrants

    async def _open_table(self, cup: Cup, pairing: Pairing, people: list[Entrant]) -> None:
        names = {one.user_id: one.name for one in people}
        free = iter(name for name in COMPUTER_NAMES if name not in names.values())
        occupants = []
        for user_id in pairing.seats:
            gone = None if user_id is None else cup.entrant(user_id)
            if user_id in names:
                occupants.append(Occupant(names[user_id], user_id))
            else:
                name = next(free) if gone is None else f"{gone.name}{tables.SUFFIX}"
                occupants.append(Occupant(name, None, game.Strength.STRONG))
        seats = tuple(occupants)
        host = next(occupant for occupant in seats if occupant.user_id is not None)
        row = CupTableRow(cup.id, pairing.round, pairing.pod, "[]")
        terms = Terms(cup.pace, hints=Hints.FORBIDDEN)
        settings = await self._repository.store.guild(cup.guild_id)
        if settings is not None:  # its own pace replaces a forbidden one
            pace: Pace = cup.pace if is_allowed(settings, cup.pace) else read_pace(settings.pace)
            late = tables.WhenLate(settings.when_late)
            terms = Terms(pace, late, rated=settings.rated, hints=Hints.FORBIDDEN)
        table = await self._lobby.create(
            cup.guild_id,
            cup.channel_id,
            host,
            cup.slug,
            cup.options,
            terms=terms,
            order=seats,
            limited=[one.user_id for one in people],
            write=partial(self._store.open_table, row),
        )
        self._cups.touch(cup.id)
        await self._begin(table)


def _begun_rounds(cup: Cup) -> list[Pairing]:
    return [pairing for pairing in cup.pairings if pairing.round <= cup.round]
