"""Who hears what happens at tables, and goes on with it: the parlour, and nobody in tests and tools."""

from __future__ import annotations

from tables.core.table import Table


class Listener:
    """Hears what happens, and here does nothing about it."""

    def committed(self, table: Table, to_show: bool) -> None:
        """A commit has made the table what it is now; `to_show`: with something to show."""

    def ended(self, table: Table) -> None:
        """A commit has ended the table's game, or let it go on after its end; called before `committed`."""

    async def acted(self, user_id: int) -> None:
        """A person has made a move, taken one back or resigned."""

    def computers_settled(self, table_id: int) -> None:
        """The computer seats of a table have moved, or have failed."""

    async def computers_failed(self, table_id: int) -> None:
        """The computer seats of a table have failed for the first time in a row."""

    def cup_changed(self, cup_id: int) -> None:
        """A cup is to go further."""

    def post_changed(self, table_id: int) -> None:
        """The post of a table is to be edited, as its outbox says."""

    async def refresh(self, table_id: int, kind: str) -> None:
        """Something of a table is to be shown again although nothing has happened at it."""
