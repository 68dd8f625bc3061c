"""Reactions to what happens at tables: the parlour's in the bot, none in tests and tools."""

from tables.core.table import Table


class TableListener:
    """Receives what happens, and does nothing about it."""

    def on_commit(self, table: Table, to_show: bool) -> None:
        """React to a commit at a table. `to_show` if it asks for posts."""

    def on_deletion(self, table_id: int) -> None:
        """React to the deletion of a table."""

    def on_game_end(self, table: Table) -> None:
        """React to the end of a game, or to its reopening. Runs before `committed`."""

    async def on_action(self, user_id: int) -> None:
        """React to a person's move, undo or resignation."""

    def on_computers_settled(self, table_id: int) -> None:
        """React after a table's computers have moved or failed."""

    async def on_computers_failed(self, table_id: int) -> None:
        """React to a first failure of a table's computers."""

    def on_cup_change(self, cup_id: int) -> None:
        """React to a change of a cup."""

    def on_post_change(self, table_id: int) -> None:
        """Edit a table's post as its outbox says."""

    async def refresh(self, table_id: int, kind: str) -> None:
        """Post something of a table again although nothing has happened."""
