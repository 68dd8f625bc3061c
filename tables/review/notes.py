"""People's private notes about their tables."""

from collections.abc import Collection

from db.records.tables import NoteRow
from engines.names import clean
from tables.core.repository import Repository
from tables.core.table import Refused

LONGEST = 500
"""The most characters of a note."""


class Notes:
    """One private note per person and table, erased with its table."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def of(self, user_id: int, table_ids: Collection[int]) -> dict[int, str]:
        """Return a person's notes by table; tables without one are left out."""
        if not table_ids:
            return {}
        rows = await self._repository.store.notes(user_id, table_ids)
        return {row.table_id: row.text for row in rows}

    async def write(self, table_id: int, user_id: int, text: str) -> str:
        """Replace a note; return the new one. An empty one deletes it.

        Raises:
            Refused: if it is too long, or there is no such table.
        """
        await self._repository.table(table_id)
        kept = "\n".join(map(clean, text.splitlines())).strip()
        if len(kept) > LONGEST:
            raise Refused(f"That note is too long: {len(kept)} of {LONGEST} characters.")
        await self._repository.store.save_note(NoteRow(table_id, user_id, kept))
        return kept
