"""First-time notes: explained once, when a person meets something for the first time."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tables.core.repository import Repository
from tables.core.table import LessonDeal, Phase, Table
from tables.play.play import Play

Found = Sequence[str]
ENDED = (Phase.OVER, Phase.CLOSED)
STOPPED = "-"
"""The key of a person's wish for no more lessons of a game."""
AT_ONCE = 2
"""Notes before one question of a lesson at most, one after the other."""


@dataclass(frozen=True)
class ChosenLesson:
    """A lesson to show, by its key; new if the person hasn't seen it yet."""

    key: str
    is_new: bool


class LessonService:
    """Chooses the note to show now. A table for learning shows all again."""

    def __init__(self, repository: Repository, play: Play) -> None:
        self._repository = repository
        self._play = play
        self._store = repository.store.lessons

    async def running_lesson(self, user_id: int, game: str) -> Table | None:
        return await self._lesson(user_id, game, (Phase.PLAY,))

    async def begin_again(self, user_id: int, game: str, deal: str) -> Table | None:
        """Take the lesson that a person has ended alone to its start.

        Return None if there is none with that deal; another version of the bot can have changed it.
        """
        known = await self._lesson(user_id, game, ENDED)
        if known is None or not isinstance(known.origin, LessonDeal) or known.origin.deal != deal:
            return None
        return await self._play.start_again(known.id, self._store.begin_again)

    async def _lesson(self, user_id: int, game: str, phases: Sequence[Phase]) -> Table | None:
        rows = [row for row in await self._repository.store.lessons_of(user_id, phases) if row.game == game]
        return (await self._repository.tables(rows[:1]))[0] if rows else None

    async def games_with_running_lessons(self, user_id: int) -> list[str]:
        return sorted({row.game for row in await self._repository.store.lessons_of(user_id, (Phase.PLAY,))})

    async def next_lesson(
        self, user_id: int, table: Table, lessons: Collection[str], applying: Callable[[], Found]
    ) -> ChosenLesson | None:
        """Return the first applicable lesson that is new to a person.

        None if there is none. It stays for the same moment of the table; on a table for learning, a second
        one follows it. `applying` returns the applicable ones in order; it isn't called if all are known.
        """
        pairs = await self._store.lessons_of(user_id, table.slug)
        here = table.id, table.moment
        new = [one for one in lessons if one not in pairs or (table.learning and pairs[one][0] != table.id)]
        shown = [one for one in lessons if pairs.get(one) == here]
        if len(shown) > 1:
            order = list(applying())
            shown.sort(key=lambda one: order.index(one) if one in order else -1)
        known = ChosenLesson(shown[-1], is_new=False) if shown else None
        is_enough = len(shown) >= (AT_ONCE if table.learning else 1)
        if is_enough or not new or (STOPPED in pairs and not table.learning):
            return known
        found = next((one for one in applying() if one in new), None)
        if found is None:
            return known
        await self._store.save(user_id, table.slug, found, *here)
        return ChosenLesson(found, is_new=True)

    async def lessons_read(self, user_id: int, table: Table) -> set[str]:
        pairs = await self._store.lessons_of(user_id, table.slug)
        return {lesson for lesson, (table_id, _) in pairs.items() if table_id == table.id}

    async def stop(self, user_id: int, games: Collection[str]) -> None:
        """Show a person no more lessons of some games."""
        await self._store.stop(user_id, games, STOPPED)

    async def restart(self, user_id: int) -> None:
        """Show a person everything once more, in all games."""
        await self._store.delete_all(user_id)
