"""Looking for a game: wishes for games and paces, and matches of enough people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from statistics import median

import msgspec

from db.records import Guard, SeatRow, ServerSettings, TableRow, WishRow
from engines.registry import game
from tables.clocks.pace import DAY, PACES, Pace, read_pace
from tables.core.people import NameLookup
from tables.core.repository import Repository
from tables.core.table import Occupant, Refused, Table, Terms, WhenLate
from tables.lobby import decisions, invitations
from tables.lobby.lobby import Lobby
from tables.runtime import TryLater
from tables.standings.ratings import FIRST, Habits, common_hours, does_finish
from tables.standings.standings import StandingsService

BAND = 150
"""The most points between two displayed ratings that count as near."""
SHARED_HOURS = 2
"""The fewest hours a day that two people share."""
FINISHING = 90
"""The percentage of games finished by somebody who finishes their games."""
FEWEST_WAITS = 3
"""The waits below which nothing is said about them."""


class Want(StrEnum):
    """Names the company that somebody would like."""

    NEAR = "near"
    HOURS = "hours"
    FINISH = "finish"


class Seeker(msgspec.Struct, frozen=True):
    """Somebody who looks for a game.

    Attributes:
        wants: with whom they would like to play.
        rating: their displayed rating; that of a newcomer without one.
        habits: how they play; None if they are newcomers or hide it.
    """

    wants: tuple[str, ...]
    rating: int
    habits: Habits | None


def suits(one: Seeker, other: Seeker) -> bool:
    """Return True if two people get what both of them want.

    Nobody is refused for what isn't known about them.

    >>> suits(Seeker((Want.NEAR,), 1000, None), Seeker((), 1100, None))
    True
    >>> suits(Seeker((), 1000, None), Seeker((Want.NEAR,), 1200, None))
    False
    """
    wants = {*one.wants, *other.wants}
    if Want.NEAR in wants and abs(one.rating - other.rating) > BAND:
        return False
    if Want.HOURS in wants and one.habits is not None and other.habits is not None:
        shared = common_hours(one.habits, other.habits)
        if shared is not None and shared < SHARED_HOURS:
            return False
    return _finishes(one, other) and _finishes(other, one)


def _finishes(asked: Seeker, asking: Seeker) -> bool:
    return Want.FINISH not in asking.wants or does_finish(asked.habits, FINISHING)


def usual_wait(waits: Sequence[float]) -> float | None:
    """Return the median of waits in seconds; None if too few.

    >>> usual_wait([60.0, 3600.0]), usual_wait([60.0, 3600.0, 7200.0])
    (None, 3600.0)
    """
    return median(waits) if len(waits) >= FEWEST_WAITS else None


WISH_LASTS = 7 * DAY
"""Seconds for which a wish is valid."""
WAITS_LAST = 90 * DAY
"""Seconds for which a past wait tells something about the next."""


class Match(msgspec.Struct, frozen=True):
    """People with the same wish, in the order in which they wait, and a pace for all."""

    game: str
    pace: Pace
    people: tuple[WishRow, ...]


class LookingForGame:
    """Keeps the wishes for games in a server."""

    def __init__(
        self,
        repository: Repository,
        blocks: invitations.Blocks,
        lobby: Lobby,
        standings: StandingsService,
        name_of: NameLookup,
    ) -> None:
        self._repository = repository
        self._standings = standings
        self._lobby = lobby
        self._ties = repository.store.relations
        self._blocks = blocks
        self.name_of = name_of

    async def of(self, guild_id: int, user_id: int) -> list[WishRow]:
        return await self._ties.wishes_of(guild_id, user_id, self._repository.clock() - WISH_LASTS)

    async def looking(self, guild_id: int, slug: str) -> list[WishRow]:
        """Return the wishes for a game in a server, longest waiting first."""
        return await self._ties.wishes(guild_id, slug, self._repository.clock() - WISH_LASTS)

    async def stop(self, guild_id: int, user_id: int, slug: str) -> None:
        rows = [row for row in await self.of(guild_id, user_id) if row.game != slug]
        await self._ties.wish(guild_id, user_id, rows)

    async def usual_wait(self, guild_id: int, slug: str) -> float | None:
        """Return the usual seconds of waiting for a game; None if unknown."""
        return usual_wait(await self._ties.waits(guild_id, slug, self._repository.clock() - WAITS_LAST))

    async def look(
        self,
        guild_id: int,
        user_id: int,
        name: str,
        games: Collection[str],
        paces: Sequence[str],
        wants: Collection[str] = (),
    ) -> Match | None:
        """Replace a person's wishes; no paces means any, no wants anybody.

        Return a match if enough compatible people wish for the same. Their wishes stay until `open` has
        opened that table.
        """
        now, kept, company = self._repository.clock(), tuple(sorted(set(paces))), tuple(sorted(set(wants)))
        since = {row.game: row.at for row in await self.of(guild_id, user_id)}  # another pace keeps the place
        rows = [
            WishRow(guild_id, user_id, slug, name, kept, since.get(slug, now), company)
            for slug in sorted(set(games))
        ]
        await self._ties.wish(guild_id, user_id, rows)
        seekers = _Seekers(self._standings)
        for row in rows:
            match = await self._match(row, seekers)
            if match is not None:
                return match
        return None

    async def open(self, match: Match, channel_id: int, host: Occupant) -> Table:
        """Open a table for a match, and invite the others.

        The table and the end of the wishes are one write. Raise Refused if the host can't open a table, or a
        wish is gone. Then all wishes stay.
        """

        async def write(row: TableRow, seats: list[SeatRow], guards: Sequence[Guard]) -> int:
            now = self._repository.clock()
            number = await self._ties.open_match(match.people, row.host_id, row, seats, now, guards)
            if number is None:
                raise Refused("A player who matched you has left the queue. You're still in it.")
            return number

        guild_id = match.people[0].guild_id
        settings = await self._repository.store.guild(guild_id) or ServerSettings(guild_id)
        terms = Terms(match.pace, WhenLate(settings.when_late), rated=settings.rated)
        options = game(match.game).Options()
        return await self._lobby.create(
            guild_id, channel_id, host, match.game, options, terms=terms, write=write
        )

    async def is_still_there(self, wish: WishRow) -> bool:
        """Return True for somebody in the server; end searches of others."""
        try:
            if await self.name_of(wish.guild_id, wish.user_id, wish.name) is not None:
                return True
        except TryLater:
            return True
        await self._ties.wish(wish.guild_id, wish.user_id, [])
        return False

    async def do_suit(self, wish: WishRow, user_ids: Collection[int]) -> bool:
        others = [WishRow(wish.guild_id, user_id, wish.game, "", (), 0.0, ()) for user_id in user_ids]
        return await _Seekers(self._standings).do_suit(wish, others)

    async def _match(self, newcomer: WishRow, seekers: _Seekers) -> Match | None:
        """Return the people who can play with a newcomer.

        They have a pace in common, no blocks, and get the company that they want.
        """
        settings = await self._repository.store.guild(newcomer.guild_id) or ServerSettings(newcomer.guild_id)
        usual = [settings.pace, *(name for name, pace in PACES.items() if pace.kept)]
        looking = await self.looking(newcomer.guild_id, newcomer.game)
        others = [row for row in looking if row.user_id != newcomer.user_id]
        for pace in usual:
            if not decisions.is_allowed(settings, read_pace(pace)) or not plays_at(newcomer, pace):
                continue
            there = [row for row in others if plays_at(row, pace)]
            people = [newcomer]  # with others who suit everybody, to a full table
            for row in there:
                if len(people) >= most(newcomer.game):
                    break
                can_meet = await self._blocks.can_meet(row.user_id, [one.user_id for one in people])
                if can_meet and await seekers.do_suit(row, people) and await self.is_still_there(row):
                    people.append(row)
            if len(people) >= fewest(newcomer.game):
                return Match(
                    newcomer.game,
                    read_pace(pace),
                    tuple(sorted(people, key=lambda row: (row.at, row.user_id))),
                )
        return None


class _Seekers:
    """Reads about people who look for games what wants ask for, once each."""

    def __init__(self, standings: StandingsService) -> None:
        self._standings = standings
        self._habits = dict[int, Habits | None]()
        self._known = dict[tuple[int, str], Seeker]()

    async def do_suit(self, row: WishRow, people: Sequence[WishRow]) -> bool:
        for one in people:
            wanting = row.wants or one.wants
            if wanting and not suits(await self._seeker(row), await self._seeker(one)):
                return False
        return True

    async def _seeker(self, row: WishRow) -> Seeker:
        key = (row.user_id, row.game)
        if key not in self._known:
            if row.user_id not in self._habits:
                self._habits[row.user_id] = await self._standings.habits(row.guild_id, row.user_id)
            rating = await self._standings.visible_rating(row.guild_id, row.user_id, row.game)
            habits = self._habits[row.user_id]
            self._known[key] = Seeker(row.wants, FIRST if rating is None else rating, habits)
        return self._known[key]


def plays_at(row: WishRow, pace: str) -> bool:
    return not row.paces or pace in row.paces


def fewest(slug: str) -> int:
    """Return how many people make a table of a game. Two, or as many as it needs."""
    rules = game(slug)
    return max(2, rules.seats_for(rules.Options())[0])


def most(slug: str) -> int:
    """Return how many can play a game with its usual options."""
    rules = game(slug)
    return rules.seats_for(rules.Options())[-1]
