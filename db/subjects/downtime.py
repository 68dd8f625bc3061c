"""The bot's outages, whole or by shard, and its last signs of life."""

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, delete, or_, select, update

from db import schema
from db.access import Access, on_conflict, upsert, write_transaction
from db.records.people import PersonRow
from db.records.servers import OutageRow


class Downtime(Access):
    """Reads and writes outages, and the heartbeat of each shard."""

    async def gaps(self) -> list[OutageRow]:
        g = schema.gaps.c
        return await self._readable_rows(OutageRow, select(schema.gaps).order_by(g.begin, g.end, g.shard))

    async def heard(self, prefix: str) -> dict[str, str]:
        """Return the facts whose names have a prefix."""
        f = schema.facts.c
        query = select(f.key, f.value).where(f.key.startswith(prefix, autoescape=True))
        return {row.key: row.value for row in await self._plain_rows(query)}

    @write_transaction
    def note(self, connection: Connection, facts: Mapping[str, str], gaps: Sequence[OutageRow] = ()) -> None:
        """Save heartbeats, and the outages that they end; each outage once."""
        for gap in gaps:
            values = msgspec.structs.asdict(gap)
            upsert(connection, schema.gaps, values, ("begin", "shard", "count"))
        statement = on_conflict(connection.dialect.name, schema.facts, ("key",), ("value",))
        connection.execute(statement, [{"key": k, "value": v} for k, v in sorted(facts.items())])
        if gaps:
            self._tell(connection, "gaps")

    @write_transaction
    def hasten(self, connection: Connection, until: float, now: float, facts: Mapping[str, str]) -> None:
        """Make posts due that were due before an instant or have failed. Save some facts."""
        o = schema.outbox.c
        waiting = (o.due_at > now, or_(o.due_at <= until, o.attempts > 0), *self._shards.of(o.guild_id))
        connection.execute(update(schema.outbox).where(*waiting).values(due_at=now))
        for key, value in sorted(facts.items()):
            upsert(connection, schema.facts, {"key": key, "value": value}, ("key",))

    @write_transaction
    def take_back_future(self, connection: Connection, now: float, due_at: float) -> int:
        """Delete outages that end after an instant, and return their number.

        If there are any, running games become due at `due_at`, and rounds of cups that begin later, now.
        """
        taken = connection.execute(delete(schema.gaps).where(schema.gaps.c.end > now)).rowcount
        if taken:
            t, c = schema.tables.c, schema.cups.c
            later = (t.phase == "play", t.due_at > now, *self._shards.of(t.guild_id))
            connection.execute(update(schema.tables).where(*later).values(due_at=due_at))
            ahead = (c.began_at > now, *self._shards.of(c.guild_id))
            connection.execute(update(schema.cups).where(*ahead).values(began_at=now))
            self._tell(connection, "gaps")
        return taken

    @write_transaction
    def call_together(self, connection: Connection, now: float, fact: tuple[str, str]) -> None:
        """Make the digest due of everybody who plays here. A fact makes that happen once."""
        t, s = schema.tables.c, schema.seats.c
        playing = (
            select(s.user_id)
            .join(schema.tables, t.id == s.table_id)
            .where(t.phase == "play", s.user_id.is_not(None), *self._shards.of(t.guild_id))
            .distinct()
            .order_by(s.user_id)
        )
        ids = connection.execute(playing).scalars()
        rows = [msgspec.structs.asdict(PersonRow(user_id, digest_at=now)) for user_id in ids]
        if rows:
            statement = on_conflict(connection.dialect.name, schema.people, ("user_id",), ("digest_at",))
            connection.execute(statement, rows)
            self._tell(connection, "person")
        upsert(connection, schema.facts, dict(zip(("key", "value"), fact, strict=True)), ("key",))
