"""Random games of every kind as tables have them: with a history, at any of their turns."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from db.records import ActionRow, SeatRow, TableRow, TableWrite
from engines.registry import game
from tables.core.history import EntryKind
from tables.core.table import Occupant, Phase, Table, encode, from_rows
from tables.lobby.lobby import new_row
from tables.review.import_export import export_file
from tests.engines.cases import GameCase
from tests.engines.cases import TableChoice as Choice
from tests.engines.conformance import decode_state, encode_state, fresh, walk
from tests.tables.house import ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

PEOPLE = (ANN, BO, CY, DEE, Occupant("Eli", 105))
BEGUN = 500_000.0


class Story(NamedTuple):
    """A game as it went: its history, and the state after each entry of it."""

    slug: str
    choice: Choice
    seed: bytes
    rows: list[ActionRow]
    states: list[bytes]

    @property
    def deal(self) -> Any:
        return game(self.slug).deal(self.choice.seats, self.choice.options, self.seed)

    def row(self, **fields: Any) -> TableRow:
        rules = game(self.slug)
        state = decode_state(rules, self.states[-1])
        outcome = rules.outcome(state)
        fresh_row = new_row(GUILD, CHANNEL, user(ANN), self.slug, encode(self.choice.options), BEGUN)
        lying = replace(
            fresh_row,
            phase=Phase.PLAY if rules.prompts(state) else Phase.OVER if outcome else Phase.CLOSED,
            version=len(self.rows),
            beat=rules.post_counter(state),
            owing=encode(list(rules.prompts(state))),
            seed=self.seed.hex(),
            deal=encode(self.deal),
            outcome=None if outcome is None else encode(outcome),
        )
        return replace(lying, **fields)

    @property
    def seats(self) -> list[SeatRow]:
        return [
            SeatRow(n, occupant.user_id, occupant.name, None)
            for n, occupant in enumerate(PEOPLE[: self.choice.seats])
        ]

    def file(self) -> bytes:
        return export_file(from_rows(self.row(), self.seats), self.rows, None)

    def upto(self, steps: int) -> Story:
        return self._replace(rows=self.rows[: steps + 1], states=self.states[: steps + 1])


def story(case: GameCase, choice: Choice, seed: bytes, care: float, most: int = 10_000) -> Story:
    """Play a random game, or N steps of it at most. See `tests.engines.conformance.walk`."""
    rules = case.game
    rows = [ActionRow(1, 0, EntryKind.START, None, user(ANN), None, "[]", True, BEGUN)]
    states = [encode_state(fresh(rules, choice, seed))]
    for state, taken in islice(walk(rules, choice, seed, care), most):
        before = decode_state(rules, taken.before)
        forced = taken.move is not None and rules.only_move(before, taken.seat) == taken.move
        kind = EntryKind.RESIGN if taken.move is None else EntryKind.FORCED if forced else EntryKind.MOVE
        rows.append(
            ActionRow(
                version=len(rows) + 1,
                base=len(rows),
                kind=kind,
                seat=taken.seat,
                actor_id=user(PEOPLE[taken.seat]),
                payload=None if taken.move is None else encode(taken.move),
                events=encode(taken.events),
                reveals=any(event.reveals for event in taken.events),
                at=BEGUN + 60.5 * len(rows),
                beat=rules.post_counter(before),
            )
        )
        states.append(encode_state(state))
    return Story(case.slug, choice, seed, rows, states)


def finish_story(case: GameCase, number: int) -> Story:
    """Return the first random game that comes to a result."""
    rng = Random(f"{case.slug} {number}")
    while True:
        result = story(case, rng.choice(case.tables), rng.randbytes(32), rng.choice([0.5, 0.9, 1.0]))
        if result.row().phase == Phase.OVER:
            return result


async def keep_story(house: House, result: Story, **fields: Any) -> Table:
    states = tuple((1 + made, state) for made, state in enumerate(result.states))
    past = TableWrite(0, 0, {}, tuple(result.rows), states[-1][1], earlier=states[:-1])
    number = await house.store.create(result.row(**fields), result.seats, past=past)
    return await house.parlour.table(number)
