import asyncio

import pytest

from engines.ribbon.moves import Flip, RibbonEndTurn, RibbonSwap
from tables.core.history import events_of
from tables.core.table import Occupant, Phase, Refused, Stale, Table
from tests.db.rows import everything
from tests.engines.ribbon.games import CLEAN, FILL, THREE
from tests.tables.conftest import Dealt
from tests.tables.house import ANN, BO, CY, DEE, House, user

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


async def test_each_of_several_moves_is_a_version_of_its_own(house: House, table: Table) -> None:
    await house.play_moves(table, "flip 1")

    steps = await house.move(table, BO, "flip 2; swap 1; exchange 2 P")

    assert len(steps) == 3
    rows = await house.store.actions(table.id, after=2)
    assert [(row.version, row.base) for row in rows] == [(3, 2), (4, 3), (5, 4)]
    assert (await house.parlour.table(table.id)).version == 5


async def test_of_several_moves_all_are_made_or_none(database: str, house: House, table: Table) -> None:
    await house.play_moves(table, "flip 1")
    await house.settle()
    before = await everything(database)

    with pytest.raises(Refused, match="already"):
        await house.move(table, BO, "flip 2; swap 1; swap 1")

    assert await everything(database) == before
    assert (await house.parlour.table(table.id)).version == 2
    assert (await house.play.perspective(table.id, user(BO))).view.circle[1] is None


async def test_moves_that_follow_by_force_are_made_at_once(house: House, deal_next: Dealt) -> None:
    deal_next(CLEAN)
    table = await house.start(ANN, BO, CY)
    pairs = "; ".join(f"flip {place}; pass" for place in range(2, 11))
    await house.play_moves(table, f"green; orange; flip 1; {pairs}; flip 11")

    steps = await house.move(table, BO, "pass")

    assert [(step.seat, step.move, step.forced) for step in steps] == [
        (1, RibbonEndTurn(), False),
        (2, Flip(12), True),
    ]
    assert (await house.history(table))[-2:] == ["move", "forced"]


@pytest.mark.parametrize(
    ("who", "words", "reason"),
    [
        (BO, "flip 1", "It.s Ann.s turn"),
        (DEE, "flip 1", "You don't play at this table"),
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


async def test_everybody_sees_what_their_seat_may_see(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange")
    sights = [await house.play.perspective(table.id, user(who)) for who in (ANN, BO, CY, DEE)]
    spectator = await house.play.perspective(table.id, None)

    assert [perspective.seat for perspective in sights] == [0, 1, 2, None]
    assert [perspective.view.hands[0][0] for perspective in sights] == ["M", None, None, None]
    assert sights[3].view == spectator.view


async def test_legal_moves_are_those_of_who_owes_one(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; swap 1")

    moves = await house.play.moves(table.id, user(BO))

    assert RibbonEndTurn() in moves
    assert RibbonSwap(1) not in moves
    assert await house.play.moves(table.id, user(ANN)) == []
    assert await house.play.moves(table.id, user(DEE)) == []


async def test_resigning_leaves_the_game_to_the_others(house: House, deal_next: Dealt) -> None:
    deal_next(THREE)
    table = await house.start(ANN, BO, CY)
    await house.play_moves(table, "green; orange")

    table = await house.play.resign(table.id, user(ANN))

    assert (table.phase, table.owing) == (Phase.PLAY, (1,))
    assert (await house.history(table))[-1] == "resign"
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="no longer in this game"):
        await house.play.resign(table.id, user(ANN))


async def test_the_last_but_one_to_resign_ends_the_game(house: House, duel: Table) -> None:
    await house.play_moves(duel, "green; orange")

    duel = await house.play.resign(duel.id, user(ANN))

    assert duel.phase is Phase.OVER
    assert duel.outcome is not None
    assert duel.outcome.places == (2, 1)


async def test_a_spectator_cannot_resign(house: House, duel: Table) -> None:
    with pytest.raises(Refused, match="You don't play at this table"):
        await house.play.resign(duel.id, user(CY))


async def test_a_game_called_off_before_it_began_closes_the_table_without_a_result(house: House) -> None:
    table = await house.start(ANN, BO)
    await house.play_moves(table, "green")

    table = await house.play.resign(table.id, user(BO))

    assert (table.phase, table.outcome, table.owing) == (Phase.CLOSED, None, ())
    assert await house.restart().parlour.table(table.id) == table
    with pytest.raises(Refused, match="was closed"):
        await house.move(table, ANN, "flip 1")
