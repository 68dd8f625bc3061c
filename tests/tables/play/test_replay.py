"""A table's state equals a plain list of every state, whatever is done and with restarts."""

from random import Random
from typing import Any, NamedTuple

import pytest

from engines import engine as rules
from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.moves import Exchange, RibbonSwap
from tables.core.table import Phase, Refused
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CY, House, user

DATABASES = ["sqlite"]
"""Replay is ours, not the database's, and these walks load tables by the thousand."""
OPERATIONS = 60


class Stand(NamedTuple):
    """A step that stands: whose it was, what it revealed, and the state that it was made from.

    `own`: the seat's owner has made it, and not a computer for them.
    """

    seat: int
    reveals: bool
    before: bytes
    final: bool
    own: bool


class Model:
    """A game as plain lists: the state of every version, and the steps that stand."""

    def __init__(self, version: int, state: bytes, seats: int) -> None:
        self.states = {version: state}
        self.steps: list[Stand] = []
        self.seats = seats
        self.version = version

    @property
    def state(self) -> bytes:
        return self.states[self.version]

    @property
    def last(self) -> Stand | None:
        """Return the newest step that may be undone at all."""
        return self.steps[-1] if self.steps and not self.steps[-1].final else None

    def _next(self, state: bytes) -> None:
        self.version += 1
        self.states[self.version] = state

    def record_move(self, seat: int, move: Any, *, own: bool = True) -> None:
        """Record a step of a seat; without a move it resigns."""
        if move is None:
            played = rules.resign("ribbon", self.seats, self.state, seat, follow=False)
        else:
            played = rules.play("ribbon", self.seats, self.state, [(seat, move)], follow=False)
        self.steps.append(Stand(seat, played.steps[0].reveals, self.state, final=move is None, own=own))
        self._next(played.position.state)

    def record_no_change(self) -> None:
        self._next(self.state)

    def take_back(self, steps: int = 1) -> int:
        """Undo up to that many steps; return their number."""
        taken, state = 0, self.state
        while taken < steps and self.last is not None:
            state = self.steps.pop().before
            taken += 1
        if taken:
            self._next(state)
        return taken

    def may_undo(self, seat: int | None) -> bool:
        """Return True if the owner made the last step, which showed nothing."""
        last = self.last
        return last is not None and last.own and last.seat == seat and not last.reveals


class ReplayWalk:
    """One random evening at one table, carried out in the house and in the model alike."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.rng = Random(seed)

    async def begin(self) -> None:
        options = {"mode": self.rng.choice(["coop", "versus"]), "ribbon_choice": "random"}
        self.table = await self.house.start(ANN, BO, CY, **options)
        self.model = Model(self.table.version, await self.house.state(self.table), 3)

    async def step(self) -> None:
        wishes = [self.move] * 12 + [self.undo] * 6 + [self.rollback, self.restart, self.skip]
        if self.model.version > OPERATIONS // 2:
            wishes += [self.resign, self.hand_over]
        await self.rng.choice(wishes)()
        await self.house.settle()
        self.table = await self.house.parlour.table(self.table.id)
        await self._catch_up()
        await self.compare()

    async def _catch_up(self) -> None:
        """Let the model make the computers' and forced steps that followed."""
        for row in await self.house.store.actions(self.table.id, after=self.model.version):
            if row.kind == "skip":
                self.model.record_no_change()
            else:
                assert row.kind in {"move", "forced"}
                assert row.seat is not None
                assert row.payload is not None
                move = rules.decode_move(GAME, row.payload)
                owner = self.table.seats[row.seat].user_id
                self.model.record_move(row.seat, move, own=row.actor_id == owner)

    async def compare(self) -> None:
        table, model = self.table, self.model
        assert table.version == model.version
        assert await self.house.state(table) == model.state
        again = self.house.restart()
        assert await again.parlour.table(table.id) == table
        for who in (ANN, BO, CY):
            seat = table.seat_of(user(who))
            assert await again.play.perspective(table.id, user(who)) == await self.house.play.perspective(
                table.id, user(who)
            )
            expected = table.phase is Phase.PLAY and seat is not None and model.may_undo(seat)
            assert await self.house.can_undo(table.id, user(who)) == expected

    async def move(self) -> None:
        """Make a move: a trial, a computer's choice, or anything."""
        seat = self.rng.choice(self.table.owing)
        user_id = self.table.seats[seat].user_id
        assert user_id is not None
        moves = await self.house.play.moves(self.table.id, user_id)
        trials = [move for move in moves if isinstance(move, RibbonSwap | Exchange)]
        perspective = await self.house.play.perspective(self.table.id, user_id)
        careful = GAME.choose(perspective.view, seat, self.rng, Strength.MEDIUM)
        chosen = self.rng.choice([careful, careful, self.rng.choice(trials or [careful])])
        await self.house.play.move(self.table.id, user_id, [chosen])
        self.model.record_move(seat, chosen)

    async def undo(self) -> None:
        """Undo a step, or check its refusal."""
        last = self.model.last
        occupant = self.rng.choice([ANN, BO, CY])
        if last is not None and self.rng.random() < 0.7:
            occupant = (ANN, BO, CY)[last.seat]
        if self.model.may_undo(self.table.seat_of(user(occupant))):
            await self.house.play.undo(self.table.id, user(occupant))
            self.model.take_back()
        else:
            with pytest.raises(Refused):
                await self.house.play.undo(self.table.id, user(occupant))

    async def rollback(self) -> None:
        """Roll back a few steps as an administrator, if there are any."""
        steps = self.rng.randint(1, 4)
        if self.model.take_back(steps):
            await self.house.play.rollback(self.table.id, steps, ADMIN)
        else:
            with pytest.raises(Refused):
                await self.house.play.rollback(self.table.id, steps, ADMIN)

    async def restart(self) -> None:
        """Destroy the house, and open another one on the same store."""
        self.house = self.house.restart()

    async def skip(self) -> None:
        """Let a computer move for whoever is to move, as an administrator."""
        await self.house.play.skip(self.table.id, ADMIN)

    async def resign(self) -> None:
        """Let the last of the people leave the game."""
        user_id = self.table.people[-1]
        seat = self.table.seat_of(user_id)
        assert seat is not None
        try:
            await self.house.play.resign(self.table.id, user_id)
        except Refused:
            return
        self.model.record_move(seat, None)

    async def hand_over(self) -> None:
        """Give one of two or more people's seats to a computer."""
        if len(self.table.people) > 1:
            seat = self.table.seat_of(self.table.people[-1])
            assert seat is not None
            await self.house.hand_over(self.table.id, seat, ADMIN, Strength.MEDIUM)
            self.model.record_no_change()


@pytest.mark.parametrize("seed", range(often(2, 6)))
async def test_every_version_is_what_a_plain_list_of_states_says(house: House, seed: int) -> None:
    walk = ReplayWalk(house, seed)
    await walk.begin()

    for _ in range(OPERATIONS):
        if walk.table.phase is not Phase.PLAY:
            break
        await walk.step()

    for version, state in walk.model.states.items():
        assert await walk.house.state(walk.table, version) == state


async def test_such_walks_get_far_and_do_everything(house: House) -> None:
    versions, kinds = [], set[str]()

    for seed in range(75, 81):
        walk = ReplayWalk(house, seed)
        await walk.begin()
        while walk.table.phase is Phase.PLAY and walk.model.version < OPERATIONS:
            await walk.step()
        versions.append(walk.table.version)
        kinds.update(await house.history(walk.table))

    assert max(versions) > 50
    assert kinds >= {"move", "undo", "rollback", "resign", "hand_over", "skip"}
