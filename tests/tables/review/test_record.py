import asyncio
from random import Random

import pytest

from engines.engine import Engine
from engines.game import Strength
from engines.registry import SLUGS, game
from tables.clocks.pace import NONE
from tables.core.history import EntryKind
from tables.core.table import Hints, Phase, Refused, Table
from tables.review.record import RecordedTurn
from tables.study.studies import NOTHING_LEFT, OUT
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user

pytestmark = pytest.mark.usefixtures("nearly")


def summarise_turns(turns: list[RecordedTurn]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return number, version and movers of some turns."""
    return [(turn.number, turn.version, turn.seats) for turn in turns]


async def test_a_lobby_has_nothing_to_look_back_at_and_choosing_ribbons_is_no_turn(house: House) -> None:
    lobby = await house.gather(ANN, BO)

    with pytest.raises(Refused, match="hasn't begun"):
        await house.parlour.record.turns(lobby)

    table = await house.start(ANN, BO, ribbon_choice="blind")
    table = await house.play_moves(table, "green; orange; flip 1; flip 3; pass; flip 5; pass")

    turns = await house.parlour.record.turns(table)

    for turn in turns[1:]:
        view = await house.parlour.record.view(table, turn.after, None)
        assert view.turn == turn.number
    assert turns[0].seats == (0, 1)


async def test_the_steps_of_one_turn_are_one_turn_and_the_deal_is_turn_0(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 3; pass")

    turns = await house.parlour.record.turns(table)

    assert summarise_turns(turns) == [(0, 1, ()), (1, 2, (0,)), (2, 4, (1,)), (3, 6, (0,))]
    assert [turn.after for turn in turns] == [0, 1, 2, 4]


async def test_undone_steps_are_in_no_turn_and_the_chart_shows_each_as_it_was(
    house: House, table: Table
) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; swap 1")
    await house.play.undo(table.id, user(BO))
    assert await house.parlour.record.find_missed(await house.parlour.table(table.id), user(BO)) is None
    table = await house.play_moves(table, "pass")

    turns = await house.parlour.record.turns(table)
    entries = await house.parlour.record.entries(table, turns[-1])

    assert summarise_turns(turns) == [(0, 1, ()), (1, 2, (0,)), (2, 6, (1,))]
    assert [row.version for row in entries if row.kind == EntryKind.MOVE] == [3, 6]

    table = await house.play_moves(table, "flip 3; pass")
    record = house.parlour.record

    tallies = await record.tallies(table)

    views = [await record.view(table, turn.version, None) for turn in await record.turns(table)]
    assert tallies == [(len(view.tangles),) for view in views]
    assert len(tallies) == 4


async def test_after_a_rollback_the_turns_go_on_where_the_table_does(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 4; pass")
    assert len(await house.parlour.record.turns(table)) == 4
    await house.play.rollback(table.id, 3, ADMIN)
    table = await house.play_moves(table, "swap 2; pass")

    turns = await house.parlour.record.turns(table)
    entries = await house.parlour.record.entries(table, turns[2])

    assert [(turn.number, turn.seats) for turn in turns] == [(0, ()), (1, (0,)), (2, (1,))]
    assert EntryKind.ROLLBACK in [row.kind for row in entries]


async def test_a_turn_is_shown_as_it_was_seen_and_all_hands_after_the_end(house: House) -> None:
    table = await house.start(ANN, BO, mode="versus")
    table = await house.play_moves(table, "purple; green")
    before = (await house.play.perspective(table.id, user(BO))).view
    table = await house.play_moves(table, "flip 8")
    seen = (await house.play.perspective(table.id, user(BO))).view
    table = await house.play_moves(table, "flip 9; pass; flip 11; pass")

    record = house.parlour.record
    turns = await record.turns(table)

    assert await record.view(table, turns[0].version, 1) == before
    assert await record.view(table, turns[1].version, 1) == seen
    assert (await record.view(table, turns[1].version, 0)).hands != seen.hands

    with pytest.raises(Refused, match="once the game is over"):
        await house.parlour.record.hands(table, 4)

    await house.play.resign(table.id, user(ANN))
    table = await house.parlour.table(table.id)
    opened = await house.parlour.record.hands(table, 4)

    assert [None in view.hands[seat] for seat, view in enumerate(opened)] == [False, False]


async def test_each_view_of_a_version_is_made_once(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[int | None]()
    view = Engine.view

    def note(self: Engine, slug: str, state: bytes, seat: int | None, **more: bool) -> object:
        made.append(seat)
        return view(self, slug, state, seat, **more)

    monkeypatch.setattr(Engine, "view", note)
    for _ in range(2):
        seen = await house.play.perspective(table.id, None)
        own = await house.play.perspective(table.id, user(ANN))
        again = await house.parlour.record.view(table, table.version, None)

    assert (seen.view is again, own.view is again) == (True, False)
    assert made == [None, 0]
    house.parlour.forget(table.id)
    assert (await house.play.perspective(table.id, None)).view is not again
    await house.play_moves(table, "flip 1")
    assert (await house.play.perspective(table.id, None)).view != again


async def test_many_turns_are_played_at_once_and_look_as_one_by_one(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 3; pass; flip 4; pass")
    record = house.parlour.record
    turns = await record.turns(table)

    for seat in (None, 0, 1):
        one_by_one = [await record.view(table, turn.version, seat) for turn in turns]
        assert await record.views(table, turns, seat) == one_by_one
        assert await record.views(table, turns[2:4], seat) == one_by_one[2:4]
    assert await record.views(table, [], None) == []


async def test_a_curve_ends_with_the_turn_that_put_its_seat_out(house: House) -> None:
    table = await house.start(ANN, BO, CY)
    table = await house.play_moves(table, "purple; green; flip 12")
    table = await house.play.resign(table.id, user(CY))
    table = await house.play.resign(table.id, user(BO))

    tallies = [tally for tally in await house.parlour.record.tallies(table) if tally is not None]

    for seat in (1, 2):
        line = [tally[seat] for tally in tallies]
        assert line[-1] is not None or line.index(None) > 0
    assert tallies[-1][1] is not None


async def test_nobody_has_missed_what_they_did_themselves(house: House, table: Table) -> None:
    missed = house.parlour.record.find_missed

    assert await missed(table, user(ANN)) is None
    table = await house.play_moves(table, "flip 1")
    assert await missed(table, user(ANN)) is None
    assert await missed(table, user(CY)) is None


async def test_the_last_turn_is_marked_and_all_since_ones_own_is_missed(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 4; pass")
    record = house.parlour.record

    marked = [
        await record.mark_last_turn(table, version, await record.view(table, version, None))
        for version in (table.version, table.version - 2)
    ]

    assert [[(one.place, one.seat) for one in view.news] for view in marked] == [[("4", 2)], [("2", 1)]]
    view = await record.view(table, table.version, None)
    untold = [
        [one.place for one in (await record.mark_last_turn(table, table.version, view, after)).news]
        for after in (table.version - 1, table.version - 2, table.version - 3)
    ]
    assert untold == [[], ["4"], ["4"]]

    missed = await house.parlour.record.find_missed(table, user(ANN))

    assert missed is not None
    assert not missed.first
    assert {row.seat for row in missed.rows} == {1, 2}
    assert [turn.seats for turn in missed.turns] == [(1,), (2,)]
    assert missed.seen[0].circle[0] is not None
    assert missed.seen[0].circle[1] is None
    view = await house.parlour.record.view(table, table.version, 0)
    news = table.game.since(view, missed.seen).news
    assert [(one.place, one.seat) for one in news] == [("4", 2), ("2", 1)]


async def test_nobody_changed_what_a_rollback_took_away(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 4; pass; flip 7; pass")
    await house.play.rollback(table.id, 6, ADMIN)
    table = await house.play_moves(await house.parlour.table(table.id), "flip 9; pass")
    record = house.parlour.record

    missed = await record.find_missed(table, user(ANN))

    assert missed is not None
    marked = table.game.since(await record.view(table, table.version, 0), missed.seen)
    assert [(one.place, one.seat) for one in marked.news] == [("9", 1)]


async def test_a_person_without_games_reads_that_and_a_turns_middle_keeps_marks(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2; pass")

    missed = await house.parlour.record.find_missed(table, user(CY))

    assert missed is not None
    assert missed.first
    assert [row.seat for row in missed.rows] == [0, 1, 1]
    assert set(missed.seen[0].circle) == {None}

    table = await house.start(ANN, BO, CY, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2; pass; flip 4; pass; flip 7; swap 7")
    await house.play.undo(table.id, user(ANN))
    record, before = house.parlour.record, table.version - 1

    marked = await record.mark_last_turn(table, before - 1, await record.view(table, before - 1, None))

    assert [(one.place, one.seat) for one in marked.news] == [("4", 2)]


async def test_a_computers_moves_count_as_missed(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    await house.play.skip(table.id, ADMIN)
    table = await house.parlour.table(table.id)

    missed = await house.parlour.record.find_missed(table, user(ANN))

    assert missed is not None
    assert 0 in {row.seat for row in missed.rows if row.kind == EntryKind.MOVE}


async def test_steps_that_were_taken_back_by_an_administrator_are_told(house: House, table: Table) -> None:
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    await house.play.rollback(table.id, 2, ADMIN)
    table = await house.parlour.table(table.id)

    missed = await house.parlour.record.find_missed(table, user(ANN))

    assert missed is not None
    assert [row.kind for row in missed.rows] == [EntryKind.ROLLBACK]


TURNS = often(6, 40)
"""The turns after which sandboxes are opened, at most."""


async def sandboxes_of_every_seat(house: House, table: Table) -> list[str]:
    """Open a sandbox of each seat after each turn; return refusals."""
    refusals, turns = list[str](), len(await house.parlour.record.turns(table))
    for number in range(turns)[:: max(1, turns // TURNS)]:
        for occupant in table.seats:
            try:
                opened = await house.parlour.studies.play_on(table.id, number, occupant, all_sides=True)
                assert opened.study is not None
            except Refused as reason:
                refusals.append(str(reason))
    return refusals


@pytest.mark.parametrize("slug", SLUGS)
async def test_each_seat_after_each_turn_opens_a_sandbox_or_reads_why_not(house: House, slug: str) -> None:
    rules, luck = game(slug), Random(4)
    people = (ANN, BO, CY)[: max(2, rules.seats[0])]
    options = rules.Options(mode="versus") if slug == "ribbon" else rules.Options()
    opened = await house.lobby.create(GUILD, CHANNEL, people[0], slug, options, people[1:])
    await house.lobby.set_terms(opened.id, user(ANN), pace=NONE, rated=False, hints=Hints.ALLOWED)
    table = await house.lobby.start(opened.id, user(ANN))
    for step in range(often(20, 400)):
        table = await house.parlour.table(table.id)
        if table.phase is not Phase.PLAY:
            break
        seat = table.owing[0]
        view = (await house.play.perspective(table.id, user(table.seats[seat]))).view
        await house.play.move(
            table.id, user(table.seats[seat]), [rules.choose(view, seat, luck, Strength.EASY)]
        )
        if step % 10 == 9:
            table = await house.parlour.table(table.id)
            assert {*await sandboxes_of_every_seat(house, table)} <= {OUT, NOTHING_LEFT}
    table = await house.parlour.table(table.id)
    while table.phase is Phase.PLAY:
        await house.play.resign(table.id, user(table.seats[table.owing[0]]))
        await house.settle()
        table = await house.parlour.table(table.id)
        assert {*await sandboxes_of_every_seat(house, table)} <= {OUT, NOTHING_LEFT}

    assert {*await sandboxes_of_every_seat(house, table)} <= {NOTHING_LEFT}


async def test_two_presses_of_a_puzzle_at_once_open_the_newest(house: House) -> None:
    puzzles = house.parlour.puzzles
    first = await puzzles.open(ANN, "ribbon")

    opened = await asyncio.gather(*(puzzles.open_again(first, ANN) for _ in range(3)))

    newest = max(table.id for table in opened)
    assert (await house.parlour.table(newest)).study is not None
    assert await puzzles.open(ANN) == await house.parlour.table(newest)
