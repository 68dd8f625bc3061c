"""First-time notes: what a person is told when they meet something for the first time, and then no more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tables.core.repository import Repository
from tables.core.table import Phase, Table, Taught
from tables.play.play import Play

Found = Sequence[str]
ENDED = (Phase.OVER, Phase.CLOSED)
STOPPED = "-"
"""Stands where a lesson does, for somebody who wants none of a game."""


class Lessons:
    """Chooses what somebody is told just now. At a table to learn on, all is told again."""

    def __init__(self, repository: Repository, play: Play) -> None:
        self._repository = repository
        self._play = play
        self._store = repository.store.lessons

    async def going_on(self, user_id: int, game: str) -> Table | None:
        """Return the lesson that a person has begun alone in a game and not finished."""
        return await self._lesson(user_id, game, (Phase.PLAY,))

    async def begin_again(self, user_id: int, game: str, deal: str) -> Table | None:
        """Take the lesson that a person has ended alone to its start.

        Return None if there is none with that deal, which another version of the bot may have changed.
        """
        known = await self._lesson(user_id, game, ENDED)
        if known is None or not isinstance(known.origin, Taught) or known.origin.deal != deal:
            return None
        return await self._play.start_again(known.id, self._store.begin_again)

    async def _lesson(self, user_id: int, game: str, phases: Sequence[Phase]) -> Table | None:
        rows = [row for row in await self._repository.store.lessons_of(user_id, phases) if row.game == game]
        return (await self._repository.tables(rows[:1]))[0] if rows else None

    async def unfinished(self, user_id: int) -> list[str]:
        """Return the games in which a person has begun a lesson alone and not finished it."""
        return sorted({row.game for row in await self._repository.store.lessons_of(user_id, (Phase.PLAY,))})

    async def next(
        self, user_id: int, table: Table, lessons: Collection[str], applying: Callable[[], Found]
    ) -> str | None:
        """The first of a game's lessons that applies and that this person has not been told; None for none.

        It is told as long as the table stands at the same moment. `applying` finds out which apply, in their
        order; it is not asked where all has been told.
        """
        told = await self._store.told(user_id, table.slug)
        here = table.id, table.moment
        new = [one for one in lessons if one not in told or (table.learning and told[one][0] != table.id)]
        standing = [lesson for lesson in lessons if told.get(lesson) == here]
        if standing or not new or (STOPPED in told and not table.learning):
            return standing[0] if standing else None
        lesson = next((one for one in applying() if one in new), None)
        if lesson is not None:
            await self._store.tell(user_id, table.slug, lesson, *here)
        return lesson

    async def met(self, user_id: int, table: Table) -> set[str]:
        """The lessons that a person was told at a table."""
        told = await self._store.told(user_id, table.slug)
        return {lesson for lesson, (table_id, _) in told.items() if table_id == table.id}

    async def stop(self, user_id: int, games: Collection[str]) -> None:
        """Tell a person nothing more about some games."""
        await self._store.stop(user_id, games, STOPPED)

    async def restart(self, user_id: int) -> None:
        """Tell a person everything once more, in all games."""
        await self._store.forget(user_id)
