import asyncio

import pytest

from engines.game import Seat, Strength
from engines.ribbon import Ribbon
from engines.ribbon.moves import Exchange, Flip, Move, RibbonEndTurn, RibbonSwap
from engines.ribbon.truth.state import RibbonState
from tables.core.history import events_of
from tables.core.table import Occupant, Phase, Refused, Stale, Table
from tests.db.rows import everything
from tests.engines.ribbon.games import CLEAN, FILL, THREE
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CY, DEE, House, user

pytestmark = pytest.mark.usefixtures("nearly")


async def test_a_move_makes_the_next_version_with_what_came_of_it(house: House, table: Table) -> None:
    perspective, steps = await house.play.move(table.id, user(ANN), [Flip(4)])

    assert (perspective.table.version, perspective.seat, perspective.table.owing) == (2, 0, (1,))
    assert perspective.view.circle[3] == "E"
    assert [(step.seat, step.move) for step in steps] == [(0, Flip(4))]
    row = await house.store.action(table.id, 2)
    assert row is not None
    assert (row.kind, row.base, row.seat, row.actor_id, row.reveals) == ("move", 1, 0, user(ANN), True)
    assert events_of(table, row) == steps[0].events
    assert await house.restart().parlour.table(table.id) == perspective.table


async def test_several_moves_are_a_version_each_all_or_none(
    database: str, house: House, table: Table
) -> None:
    await house.play_moves(table, "flip 1")
    await house.settle()
    before = await everything(database)

    with pytest.raises(Refused, match="already"):
        await house.move(table, BO, "flip 2; swap 1; swap 1")

    assert await everything(database) == before
    assert (await house.parlour.table(table.id)).version == 2
    assert (await house.play.perspective(table.id, user(BO))).view.circle[1] is None

    steps = await house.move(table, BO, "flip 2; swap 1; exchange 2 P")

    assert len(steps) == 3
    rows = await house.store.actions(table.id, after=2)
    assert [(row.version, row.base) for row in rows] == [(3, 2), (4, 3), (5, 4)]
    assert (await house.parlour.table(table.id)).version == 5


@pytest.mark.parametrize(
    ("who", "words", "reason"),
    [
        (BO, "flip 1", "It.s Ann.s turn"),
        (DEE, "flip 1", "You aren't playing at this table"),
        (ANN, "pass", "First flip a card"),
    ],
    ids=["out of turn", "a stranger", "against the rules"],
)
async def test_a_move_is_refused_with_its_reason_and_changes_nothing(
    database: str, house: House, who: Occupant, words: str, reason: str, table: Table
) -> None:
    before = await everything(database)

    with pytest.raises(Refused, match=reason):
        await house.move(table, who, words)

    assert await everything(database) == before


async def test_nobody_moves_before_the_game_has_begun(house: House) -> None:
    table = await house.gather(ANN, BO)

    with pytest.raises(Refused, match="hasn't begun"):
        await house.move(table, ANN, "flip 1")
    with pytest.raises(Refused, match="hasn't begun"):
        await house.play.perspective(table.id, user(ANN))
    assert await house.play.moves(table.id, user(ANN)) == []
    assert not await house.can_undo(table.id, user(ANN))


async def test_nobody_moves_after_the_game_is_over(house: House, deal_next: Dealt) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, mode="coop")
    table = await house.play_moves(table, FILL.removesuffix("; flip 12"))

    assert (table.phase, table.owing) == (Phase.OVER, ())
    assert table.outcome is not None
    assert table.outcome.won
    with pytest.raises(Refused, match="is finished"):
        await house.move(table, ANN, "flip 1")
    assert await house.play.moves(table.id, user(ANN)) == []
    assert not await house.can_undo(table.id, user(ANN))
    assert (await house.play.perspective(table.id, None)).view.phase == "over"


async def test_a_move_chosen_from_an_older_version_is_stale(database: str, house: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    before = await house.play_moves(table, "flip 1; flip 2")
    await house.move(table, BO, "swap 1", seen=before.version)
    written = await everything(database)

    with pytest.raises(Stale, match="has changed"):
        await house.move(table, BO, "pass", seen=before.version)

    assert await everything(database) == written


async def test_of_two_presses_of_the_same_button_one_counts(house: House, table: Table) -> None:
    answers = await asyncio.gather(
        *(house.move(table, ANN, "flip 1", seen=table.version) for _ in range(2)), return_exceptions=True
    )

    assert [type(answer) for answer in answers] == [list, Stale]
    assert (await house.parlour.table(table.id)).version == table.version + 1


async def test_everybody_sees_their_view_and_only_players_can_resign(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange")
    sights = [await house.play.perspective(table.id, user(who)) for who in (ANN, BO, CY, DEE)]
    spectator = await house.play.perspective(table.id, None)

    assert [perspective.seat for perspective in sights] == [0, 1, 2, None]
    assert [perspective.view.hands[0][0] for perspective in sights] == ["M", None, None, None]
    assert sights[3].view == spectator.view

    table = await house.play.resign(table.id, user(ANN))

    assert (table.phase, table.owing) == (Phase.PLAY, (1,))
    assert (await house.history(table))[-1] == "resign"
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="no longer in this game"):
        await house.play.resign(table.id, user(ANN))
    with pytest.raises(Refused, match="You aren't playing at this table"):
        await house.play.resign(table.id, user(DEE))


async def test_the_last_but_one_to_resign_ends_the_game(house: House, duel: Table) -> None:
    await house.play_moves(duel, "green; orange")

    duel = await house.play.resign(duel.id, user(ANN))

    assert duel.phase is Phase.OVER
    assert duel.outcome is not None
    assert duel.outcome.places == (2, 1)


async def test_a_game_called_off_before_it_began_closes_the_table_without_a_result(house: House) -> None:
    table = await house.start(ANN, BO)
    await house.play_moves(table, "green")

    table = await house.play.resign(table.id, user(BO))

    assert (table.phase, table.outcome, table.owing) == (Phase.CLOSED, None, ())
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="was closed"):
        await house.move(table, ANN, "flip 1")


@pytest.fixture
async def table_id(house: House) -> int:
    """Start a co-op game; Bo has flipped and may arrange: version 3."""
    table = await house.start(ANN, BO, mode="coop")
    return (await house.play_moves(table, "flip 1; flip 2")).id


async def undo(house: House, table_id: int, occupant: Occupant = BO) -> int:
    """Undo a step after checking `can_undo`; return the new version."""
    assert await house.can_undo(table_id, user(occupant))
    return (await house.play.undo(table_id, user(occupant))).table.version


async def test_a_step_taken_back_leaves_the_state_before_it_if_restarted_too(
    house: House, table_id: int
) -> None:
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

    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    again = house.restart()

    await undo(again, table_id)

    assert await again.state(table) == await again.state(table, 3)


async def test_steps_are_undone_up_to_the_seen_and_play_goes_on(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1; exchange 2 P")

    await undo(house, table_id)
    assert await house.state(table) == await house.state(table, 4)
    await undo(house, table_id)
    assert await house.state(table) == await house.state(table, 3)

    assert not await house.can_undo(table_id, user(BO))
    with pytest.raises(Refused, match="step revealed something"):
        await house.play.undo(table_id, user(BO))

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


async def test_nobody_takes_back_anothers_step_or_from_an_older_version(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")

    for occupant in (ANN, CY):
        assert not await house.can_undo(table_id, user(occupant))
        with pytest.raises(Refused, match="nothing to undo"):
            await house.play.undo(table_id, user(occupant))

    with pytest.raises(Stale):
        await house.play.undo(table_id, user(BO), seen=table.version)

    assert (await house.play.undo(table_id, user(BO), seen=table.version + 1)).table.version == 5


async def test_nothing_is_undone_at_the_start_and_moves_are_of_who_owes(house: House, table: Table) -> None:
    assert not await house.can_undo(table.id, user(ANN))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.undo(table.id, user(ANN))

    table = await house.play_moves(table, "flip 1; flip 2; swap 1")

    moves = await house.play.moves(table.id, user(BO))

    assert RibbonEndTurn() in moves
    assert RibbonSwap(1) not in moves
    assert await house.play.moves(table.id, user(ANN)) == []
    assert await house.play.moves(table.id, user(DEE)) == []


async def test_a_step_is_taken_back_after_a_replacement_which_stays(house: House, table_id: int) -> None:
    table = await house.parlour.table(table_id)
    await house.move(table, BO, "swap 1")
    await house.hand_over(table_id, 0, ADMIN, Strength.MEDIUM)

    await undo(house, table_id)

    assert await house.state(table) == await house.state(table, 3)
    assert (await house.parlour.table(table_id)).seats[0].computer

    await house.play.rollback(table_id, 1, ADMIN)
    await house.move(table, BO, "flip 2; swap 1")
    await undo(house, table_id)

    kinds = [
        row.kind for row in await house.parlour.history.active_history(await house.parlour.table(table_id))
    ]

    assert kinds == ["start", "move", "hand_over", "rollback", "move", "undo"]


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


async def test_a_forced_step_is_rolled_back_with_its_cause_and_undone_by_none(
    house: House, deal_next: Dealt
) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 11))
    await house.play_moves(table, f"green; orange; flip 1; {pairs}; flip 11")

    made = await house.move(table, BO, "pass")
    table = await house.parlour.table(table.id)
    assert [(step.seat, step.move, step.forced) for step in made] == [
        (1, RibbonEndTurn(), False),
        (2, Flip(12), True),
    ]
    assert not await house.can_undo(table.id, user(CY))
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.undo(table.id, user(CY))
    steps = await house.parlour.history.last_steps(table, 2)
    assert [[row.kind for row in step] for step in steps] == [["move"], ["move", "forced"]]

    await house.play.rollback(table.id, 1, ADMIN)

    view = (await house.play.perspective(table.id, user(BO))).view
    assert (view.phase, view.seat) == ("arrange", 1)
    assert await house.state(table) == await house.state(table, table.version - 2)

    table = await house.play_moves(table, "leave")
    assert (await house.history(table))[-2:] == ["resign", "forced"]

    table = await house.play.rollback(table.id, 1, ADMIN)

    view = (await house.play.perspective(table.id, user(CY))).view
    assert (view.phase, view.circle[11]) == ("flip", None)
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


async def test_the_history_leaves_out_what_was_taken_back_and_a_rollback_counts_steps_that_stand(
    house: House, table_id: int
) -> None:
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

    await house.play.rollback(table_id, 2, ADMIN)

    assert await house.state(table) == await house.state(table, 2)

    table = await house.play.rollback(table_id, 99, ADMIN)

    assert await house.state(table) == await house.state(table, 1)
    with pytest.raises(Refused, match="nothing to undo"):
        await house.play.rollback(table_id, 1, ADMIN)
