"""Taking back: a person's own last step, again and again; by an administrator, any steps."""

import pytest

from engines.game import Seat, Strength
from engines.ribbon import Ribbon
from engines.ribbon.moves import Exchange, Move, RibbonEndTurn, RibbonSwap
from engines.ribbon.truth.state import RibbonState
from tables.core.table import Occupant, Phase, Refused, Stale, Table
from tests.engines.ribbon.games import CLEAN
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CY, House, user

pytestmark = pytest.mark.usefixtures("nearly")


@pytest.fixture
async def table_id(house: House) -> int:
    """Start a co-op game; Bo has flipped and may arrange: version 3."""
    table = await house.start(ANN, BO, mode="coop")
    return (await house.play_moves(table, "flip 1; flip 2")).id


async def undo(house: House, table_id: int, occupant: Occupant = BO) -> int:
    """Undo a step after checking `can_undo`; return the new version."""
    assert await house.can_undo(table_id, user(occupant))
    return (await house.play.undo(table_id, user(occupant))).table.version


async def test_a_step_taken_back_leaves_the_state_before_it(house: House, table_id: int) -> None:
    before = await house.parlour.table(table_id)
    await house.move(before, BO, "swap 1")

    version = await undo(house, table_id)

    after = await house.parlour.table(table_id)
    assert version == after.version == before.version + 2
    assert await house.state(after) == await house.state(after, before.version)
    assert (after.owing, after.beat, after.phase) == (before.owing, before.beat, Phase.PLAY)
    row = await house.store.action(table_id, version)
    assert row is not None
    assert (row.kind, row.base, row.actor_id) == ("undo", before.version, user(BO))
    assert await house.restart().parlour.table(table_id) == after


async def test_steps_are_undone_one_after_another_up_to_the_seen(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1; exchange 2 P")

    await undo(house, table_id)
    assert await house.state(table) == await house.state(table, 4)
    await undo(house, table_id)
    assert await house.state(table) == await house.state(table, 3)

    assert not await house.can_undo(table_id, user(BO))
    with pytest.raises(Refused, match="step revealed something"):
        await house.play.undo(table_id, user(BO))


async def test_play_goes_on_after_an_undo_and_can_be_taken_back_again(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await undo(house, table_id)
    await house.move(table, BO, "swap 12; exchange 2 P")

    await undo(house, table_id)
    await undo(house, table_id)

    assert await house.state(table) == await house.state(table, 3)
    await house.move(table, BO, "exchange 2 P")
    assert (await house.play.perspective(table_id, user(BO))).view.circle[:2] == ("Q", "P")


async def test_trying_and_taking_back_many_times_keeps_the_way_back_short(
    house: House, table_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.parlour.table(table_id)
    for _ in range(6):
        await house.move(table, BO, "swap 1")
        await undo(house, table_id)
    looked_up: list[int] = []
    action = house.store.action

    async def counted(number: int, version: int) -> object:
        looked_up.append(version)
        return await action(number, version)

    monkeypatch.setattr(house.store, "action", counted)
    await house.can_undo(table_id, user(BO))

    assert len(looked_up) <= 2


def after_a_swap(monkeypatch: pytest.MonkeyPatch, move: Move) -> None:
    """Force a move as soon as its seat has swapped."""

    def only_move(rules: Ribbon, state: RibbonState, seat: Seat) -> Move | None:
        listed = list(rules.moves(state, seat))
        swapped = RibbonEndTurn() in listed and not any(isinstance(one, RibbonSwap) for one in listed)
        return move if swapped and move in listed else None

    monkeypatch.setattr(Ribbon, "only_move", only_move)


async def test_undo_takes_back_the_forced_moves_too(
    house: House, table_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_swap(monkeypatch, Exchange(2, "P"))
    before = await house.parlour.table(table_id)
    await house.move(before, BO, "swap 1")
    assert (await house.history(before))[-2:] == ["move", "forced"]

    await undo(house, table_id)

    after = await house.parlour.table(table_id)
    assert await house.state(after) == await house.state(after, before.version)
    row = await house.store.action(table_id, after.version)
    assert row is not None
    assert row.base == before.version


async def test_a_step_is_not_taken_back_when_what_followed_by_force_was_seen(
    house: House, table_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_swap(monkeypatch, RibbonEndTurn())
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 12")
    assert (await house.history(table))[-2:] == ["move", "forced"]

    assert not await house.can_undo(table_id, user(BO))
    with pytest.raises(Refused, match="can't undo it"):
        await house.play.undo(table_id, user(BO))


async def test_nobody_undoes_what_anothers_step_forced_upon_them(house: House, deal_next: Dealt) -> None:
    table = await last_card_forced(house, deal_next)

    assert not await house.can_undo(table.id, user(CY))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.undo(table.id, user(CY))


async def last_card_forced(house: House, deal_next: Dealt) -> Table:
    """Return a game after Cy's forced flip of the last card. Bo passed before."""
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 11))
    table = await house.play_moves(table, f"green; orange; flip 1; {pairs}; flip 11; pass")
    assert (await house.history(table))[-2:] == ["move", "forced"]
    return table


async def test_nobody_takes_back_somebody_elses_step(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")

    for occupant in (ANN, CY):
        assert not await house.can_undo(table_id, user(occupant))
        with pytest.raises(Refused, match="nothing to undo"):
            await house.play.undo(table_id, user(occupant))


async def test_there_is_nothing_to_take_back_at_the_start(house: House, table: Table) -> None:
    assert not await house.can_undo(table.id, user(ANN))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.undo(table.id, user(ANN))


async def test_an_undo_asked_for_from_an_older_version_is_stale(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")

    with pytest.raises(Stale):
        await house.play.undo(table_id, user(BO), seen=table.version)

    assert (await house.play.undo(table_id, user(BO), seen=table.version + 1)).table.version == 5


async def test_a_step_can_be_taken_back_after_a_restart(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    again = house.restart()

    await undo(again, table_id)

    assert await again.state(table) == await again.state(table, 3)


async def test_a_step_can_be_taken_back_after_somebody_else_was_replaced(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await house.hand_over(table_id, 0, ADMIN, Strength.MEDIUM)

    await undo(house, table_id)

    assert await house.state(table) == await house.state(table, 3)
    assert (await house.parlour.table(table_id)).seats[0].computer


async def test_nobody_takes_back_past_somebodys_leaving(house: House, deal_next: Dealt) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange; flip 1; flip 2; swap 1")
    await house.play.resign(table.id, user(CY))

    assert not await house.can_undo(table.id, user(BO))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.undo(table.id, user(BO))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.rollback(table.id, 1, ADMIN)


async def test_an_administrator_takes_back_any_steps_even_what_was_seen(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1; exchange 2 P")

    table = await house.play.rollback(table_id, 3, ADMIN)

    assert await house.state(table) == await house.state(table, 2)
    assert table.owing == (1,)
    row = await house.store.action(table_id, table.version)
    assert row is not None
    assert (row.kind, row.base, row.actor_id) == ("rollback", 2, ADMIN)
    assert await house.restart().parlour.table(table_id) == table


async def test_a_rollback_counts_only_steps_that_still_stand(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await undo(house, table_id)

    await house.play.rollback(table_id, 1, ADMIN)

    assert await house.state(table) == await house.state(table, 2)


async def test_a_rollback_further_than_the_start_stops_there(house: House, table_id: int) -> None:
    table = await house.play.rollback(table_id, 99, ADMIN)

    assert await house.state(table) == await house.state(table, 1)
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.rollback(table_id, 1, ADMIN)


async def test_a_forced_step_after_a_leaving_is_rolled_back(house: House, deal_next: Dealt) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 11))
    table = await house.play_moves(table, f"green; orange; flip 1; {pairs}; flip 11; leave")
    assert (await house.history(table))[-2:] == ["resign", "forced"]

    table = await house.play.rollback(table.id, 1, ADMIN)

    view = (await house.play.perspective(table.id, user(CY))).view
    assert (view.phase, view.circle[11]) == ("flip", None)
    assert await house.state(table) == await house.state(table, table.version - 2)


async def test_a_rollback_counts_a_step_with_its_forced_ones(house: House, deal_next: Dealt) -> None:
    table = await last_card_forced(house, deal_next)
    steps = await house.parlour.history.last_steps(table, 2)
    assert [[row.kind for row in step] for step in steps] == [["move"], ["move", "forced"]]

    await house.play.rollback(table.id, 1, ADMIN)

    view = (await house.play.perspective(table.id, user(BO))).view
    assert (view.phase, view.seat) == ("arrange", 1)
    assert await house.state(table) == await house.state(table, table.version - 2)


async def test_a_game_ended_by_leaving_stays_at_an_end(house: House, deal_next: Dealt, duel: Table) -> None:
    await house.play_moves(duel, "green; orange; leave")

    with pytest.raises(Refused, match="There's nothing to undo"):
        await house.play.rollback(duel.id, 1, ADMIN)


async def test_a_closed_table_is_not_rolled_back(house: House, duel: Table) -> None:
    await house.play_moves(duel, "green; orange")
    await house.play.close(duel.id, ADMIN)

    with pytest.raises(Refused, match="was closed"):
        await house.play.rollback(duel.id, 1, ADMIN)


async def test_the_history_leaves_out_what_was_taken_back(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await undo(house, table_id)
    await house.move(table, BO, "swap 1; exchange 2 P")
    await undo(house, table_id)

    line = await house.parlour.history.active_history(await house.parlour.table(table_id))

    assert [(row.version, row.kind) for row in line] == [
        (1, "start"),
        (2, "move"),
        (3, "move"),
        (5, "undo"),
        (6, "move"),
        (8, "undo"),
    ]
    assert [
        row.version
        for row in await house.parlour.history.active_history(await house.parlour.table(table_id), after=3)
    ] == [5, 6, 8]
    assert await house.parlour.history.active_history(await house.parlour.table(table_id), after=8) == []


async def test_the_history_keeps_what_was_not_a_step(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await house.hand_over(table_id, 0, ADMIN, Strength.MEDIUM)
    await undo(house, table_id)
    await house.play.rollback(table_id, 1, ADMIN)
    await house.move(table, BO, "flip 2; swap 1")
    await undo(house, table_id)

    kinds = [
        row.kind for row in await house.parlour.history.active_history(await house.parlour.table(table_id))
    ]

    assert kinds == ["start", "move", "hand_over", "rollback", "move", "undo"]
