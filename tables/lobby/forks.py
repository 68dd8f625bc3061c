"""The past of a game until one of its turns, for a table that goes on from there."""

from tables.core.change import Entry
from tables.core.history import STATE_ENTRIES, EntryKind, History, steps_of
from tables.core.repository import SNAPSHOT_EVERY, Repository
from tables.core.table import Refused, Table, encode
from tables.lobby.decisions import Continuation


async def continuation_of(repository: Repository, source: Table, upto: int) -> Continuation:
    """Return the past of another table until a version.

    Nobody at the new table has made these steps, so nobody can undo them.

    Raises:
        Refused: if the game breaks today's rules.
    """
    rows = [
        row
        for row in await History(repository.store).active_history(source, upto=upto)
        if row.kind in STATE_ENTRIES
    ]
    again = await repository.engine.check_replay(
        source.slug,
        len(source.seats),
        encode(source.options).encode(),
        (source.deal or "").encode(),
        source.seed,
        steps_of(rows),
        SNAPSHOT_EVERY,
    )
    if again.departed is not None:
        raise Refused(f"The rules have changed since that game: {again.departed}")
    entries = tuple(
        Entry(
            kind=EntryKind(row.kind),
            seat=row.seat,
            payload=row.payload,
            events=row.events,
            reveals=row.reveals,
            at=row.at,
            beat=None if made == 0 else again.steps[made - 1].beat,
        )
        for made, row in enumerate(rows)
    )
    states = tuple((made + 1, state) for made, state in again.states[:-1])
    return Continuation(source, entries, states, again.position)
