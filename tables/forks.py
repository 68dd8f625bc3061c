"""What had happened in a game by one of its turns, as another table has it that goes on from there."""

from __future__ import annotations

import msgspec

from db.records import ActionRow
from engines.engine import Position
from tables.history import GROUNDS, History, steps_of
from tables.model import Refused, Table, encode
from tables.repository import SNAPSHOT_EVERY, Repository


class Past(msgspec.Struct, frozen=True):
    """What had happened in another table's game: its history and states as a new table has them.

    `rows` begin with the start of the game.
    """

    rows: tuple[ActionRow, ...]
    states: tuple[tuple[int, bytes], ...]
    position: Position

    def __repr__(self) -> str:
        return f"Past(rows={len(self.rows)})"


async def past_of(repository: Repository, source: Table, upto: int, version: int) -> Past:
    """The past of a table that goes on where another stood at a version; it is at `version` now itself.

    Nobody at the new table has made these steps, so they are nobody's to take back.

    Raises:
        Refused: when the game doesn't go by the rules any more.
    """
    rows = [row for row in await History(repository.store).line(source, upto=upto) if row.kind in GROUNDS]
    again = await repository.engine.retraced(
        source.slug,
        len(source.seats),
        encode(source.options).encode(),
        (source.deal or "").encode(),
        source.seed,
        steps_of(rows),
        SNAPSHOT_EVERY,
    )
    if again.departed is not None:
        raise Refused(f"The rules have changed since that game was played: {again.departed}")
    copied = tuple(
        msgspec.structs.replace(
            row,
            version=version + 1 + made,
            base=version + made,
            actor_id=None,
            beat=None if made == 0 else again.steps[made - 1].beat,
        )
        for made, row in enumerate(rows)
    )
    states = tuple((version + 1 + made, state) for made, state in again.states[:-1])
    return Past(copied, states, again.position)
