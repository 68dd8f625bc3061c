"""Turns planned before they come: kept in private, played at once, or left to their person."""

from random import Random
from typing import Any

import msgspec
import pytest

from db.records import ActionRow
from engines.game import Strength
from engines.registry import game, move_names
from engines.tangle.pieces.components import TangleOptions
from engines.tanglewood.game import Tanglewood
from engines.tanglewood.moves import TanglewoodDraw, TanglewoodPlace
from engines.tanglewood.pieces.components import TanglewoodOptions
from tables.core.change import Change, entry
from tables.core.history import EntryKind
from tables.core.table import Occupant, Plan, Refused, Stale, StandingAnswer, Table
from tables.play import plans
from tables.play.plans import PlannedPerspective, decode_choices, plan_moment, play_plans
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user

DRAW = TanglewoodDraw()


@pytest.fixture
async def table(house: House) -> Table:
    options = TanglewoodOptions(first="host")
    opened = await house.lobby.create(GUILD, CHANNEL, ANN, "tanglewood", options, (BO, CY))
    started = await house.lobby.start(opened.id, user(ANN))
    await house.settle()
    house.courier.shown.clear()
    return await house.parlour.table(started.id)


async def planning(house: House, table: Table, who: Occupant) -> PlannedPerspective:
    perspective = await house.parlour.plans.perspective(table.id, user(who))
    assert perspective is not None
    return perspective


async def plan(house: House, table: Table, who: Occupant, *moves: Any) -> None:
    """Plan a whole turn and send it ahead, each move a choice."""
    for move in moves:
        await house.parlour.decide(table.id, plans.add_choice, user_id=user(who), moves=[move], seen=None)
    perspective = await planning(house, table, who)
    await house.parlour.decide(table.id, plans.send, user_id=user(who), seen=perspective.table.moment)


async def draw(house: House, table: Table, who: Occupant) -> Table:
    await house.play.move(table.id, user(who), [DRAW])
    await house.settle()
    return await house.parlour.table(table.id)


def view_facts(perspective: Any) -> bytes:
    """Return all that a viewer's page is made from."""
    table = msgspec.structs.replace(perspective.table, plans=(), ticks=0)
    facts = {name: getattr(table, name) for name in table.__struct_fields__ if name != "seed"}
    return msgspec.json.encode((facts, perspective.view), enc_hook=repr)


async def test_a_sent_plan_is_played_in_the_commit_that_begins_the_turn(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)

    await house.play.move(table.id, user(ANN), [DRAW])

    after = await house.parlour.table(table.id)
    assert after.owing == (2,)
    assert after.plans == ()
    assert (await house.history(after))[-3:] == ["move", "planned", "move"]
    assert len({row.at for row in (await house.store.actions(table.id))[-3:]}) == 1


async def test_plans_follow_one_another(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    await plan(house, table, CY, DRAW)

    after = await draw(house, table, ANN)

    assert after.owing == (0,)
    assert house.courier.take_shown().count(("board", 0, True)) == 1


async def test_what_is_played_is_what_was_shown(house: House, table: Table) -> None:
    await house.parlour.decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=None)
    shown = list((await planning(house, table, BO)).events)

    await plan(house, table, BO)
    _, steps = await house.play.move(table.id, user(ANN), [DRAW])

    assert [event for step in steps if step.seat == 1 for event in step.events][: len(shown)] == shown


async def test_a_plan_changes_nothing_that_others_see(house: House, table: Table) -> None:
    others = [user(ANN), user(CY), None]
    before = [view_facts(await house.play.perspective(table.id, one)) for one in others]
    history = await house.store.actions(table.id)

    await plan(house, table, BO, DRAW)

    assert [view_facts(await house.play.perspective(table.id, one)) for one in others] == before
    assert await house.store.actions(table.id) == history
    assert await house.waiting(table) == []


async def test_a_plan_that_promised_something_else_waits_for_its_person(house: House, table: Table) -> None:
    await plan(house, table, BO, TanglewoodPlace("A", 1))

    await house.play.move(table.id, user(ANN), [TanglewoodPlace("A", 1)])

    after = await house.parlour.table(table.id)
    kept = after.plan_of(1)
    assert after.owing == (1,)
    assert kept is not None
    assert (kept.is_sent, kept.is_missed) == (False, True)
    assert decode_choices(after, kept) == [[TanglewoodPlace("A", 1)]]
    row = await house.parlour.plans.find_obstacle(after, kept)
    assert row is not None
    assert row.seat == 0
    assert "planned" not in await house.history(after)


async def test_own_half_and_illegal_turns_and_unknown_answers_are_refused(house: House, table: Table) -> None:
    assert await house.parlour.plans.perspective(table.id, user(ANN)) is None
    with pytest.raises(Stale):
        await house.parlour.decide(table.id, plans.add_choice, user_id=user(ANN), moves=[DRAW], seen=None)
    with pytest.raises(Stale):
        await house.parlour.decide(table.id, plans.send, user_id=user(BO), seen=plan_moment(table, []))
    with pytest.raises(Refused):
        await house.parlour.decide(
            table.id, plans.add_choice, user_id=user(BO), moves=[TanglewoodPlace("A", 9)], seen=None
        )
    assert (await house.parlour.table(table.id)).plans == ()
    with pytest.raises(Refused):
        await house.parlour.decide(table.id, plans.set_answer, user_id=user(BO), answer="keep_all")


async def test_a_plan_that_is_reopened_is_not_played(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    await house.parlour.decide(table.id, plans.reopen, user_id=user(BO), seen=plan_moment(table, [[DRAW]]))

    after = await draw(house, table, ANN)

    assert after.owing == (1,)
    assert after.plan_of(1) is not None


async def test_choices_are_taken_back_by_no_press_of_another_plan(house: House, table: Table) -> None:
    decide, other = house.parlour.decide, plan_moment(table, [[TanglewoodPlace("A", 1)]])
    await decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=None)

    for change in (plans.take_back, plans.reopen, plans.drop, plans.send):
        with pytest.raises(Stale):
            await decide(table.id, change, user_id=user(BO), seen=other)

    await decide(table.id, plans.drop, user_id=user(BO), seen=plan_moment(table, [[DRAW]]))
    assert (await house.parlour.table(table.id)).plans == ()

    await house.parlour.decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=None)
    await house.parlour.decide(table.id, plans.take_back, user_id=user(BO), seen=plan_moment(table, [[DRAW]]))

    assert (await house.parlour.table(table.id)).plans == ()


async def test_a_plan_waits_after_its_person_takes_a_step_back(house: House, table: Table) -> None:
    await draw(house, table, ANN)
    await plan(house, table, ANN, DRAW)
    await house.play.undo(table.id, user(ANN))

    await house.parlour.decide(table.id, plans.add_choice, user_id=user(CY), moves=[DRAW], seen=None)

    after = await house.parlour.table(table.id)
    kept = after.plan_of(0)
    assert after.owing == (0,)
    assert kept is not None
    assert (kept.is_sent, kept.is_missed) == (False, False)


async def test_a_changed_plan_is_shown_anew_and_can_be_sent_again(house: House, table: Table) -> None:
    await plan(house, table, CY, TanglewoodPlace("A", 1))
    await house.play.move(table.id, user(ANN), [TanglewoodPlace("A", 1)])

    perspective = await planning(house, table, CY)
    assert perspective.has_changed
    assert perspective.plan is not None
    assert not perspective.plan.is_sent
    await house.parlour.decide(table.id, plans.send, user_id=user(CY), seen=perspective.table.moment)

    assert not (await planning(house, table, CY)).has_changed
    assert (await draw(house, table, BO)).owing == (0,)


async def test_a_standing_answer_rests_after_an_undo_and_goes_if_it_fails(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = await house.parlour._repository.load(table.id)
    answers = (StandingAnswer(1, user(BO), "keep_all"),)
    due = msgspec.structs.replace(loaded.table, owing=(1,), standing=answers)
    now = await house.parlour._repository.time.now(loaded.table)

    undone = play_plans(loaded, Change(due, (entry(EntryKind.UNDO, None),)), now).table
    moved = play_plans(loaded, Change(undone, (entry(EntryKind.MOVE, user(BO), seat=1),)), now).table

    assert [one.is_off for one in undone.standing] == [True]
    assert [one.is_off for one in moved.standing] == [False]

    monkeypatch.setattr(Tanglewood, "standing_move", lambda *_: 1 / 0)

    after = play_plans(loaded, Change(due, (entry(EntryKind.RESUME, None),)), now)

    assert after.table.standing == ()


@pytest.mark.parametrize("slug", ["tangle", "tanglewood"])
async def test_a_plan_is_only_for_a_turn_of_ones_own(house: House, slug: str) -> None:
    table = await start(house, slug, 3)
    view = (await house.play.perspective(table.id, user(ANN))).view

    assert [game(slug).has_turn(view, seat) for seat in range(3)] == [seat == view.seat for seat in range(3)]


async def test_what_others_did_before_a_planned_turn_is_still_news(house: House, table: Table) -> None:
    await draw(house, table, ANN)
    await draw(house, table, BO)
    await plan(house, table, BO, DRAW)
    await draw(house, table, CY)
    after = await draw(house, table, ANN)

    missed = await house.parlour.record.find_missed(after, user(BO))

    assert after.owing == (2,)
    assert missed is not None
    assert [row.seat for row in missed.rows if row.kind == EntryKind.MOVE] == [2, 0]


async def test_a_planned_turn_has_its_notes_time_and_can_be_taken_back(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    await draw(house, table, ANN)
    times = house.store.standings.times_made_by

    made = await times(user(BO), [table.id], {EntryKind.MOVE}, 10)
    planned = await times(user(BO), [table.id], {EntryKind.PLANNED}, 10)

    assert made == planned != []

    assert await house.can_undo(table.id, user(BO))
    await house.play.undo(table.id, user(BO))

    assert (await house.parlour.table(table.id)).owing == (1,)


async def test_plans_go_with_a_rollback(house: House, table: Table) -> None:
    await draw(house, table, ANN)
    await plan(house, table, CY, DRAW)

    await house.play.rollback(table.id, 1, ADMIN)

    assert (await house.parlour.table(table.id)).plans == ()


async def test_the_plan_of_somebody_who_leaves_goes(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    await plan(house, table, CY, DRAW)

    await house.play.resign(table.id, user(BO))
    await house.hand_over(table.id, 2, ADMIN, Strength.EASY)

    assert (await house.parlour.table(table.id)).plans == ()


async def test_a_paused_table_keeps_its_plans_until_it_goes_on(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    await house.parlour.pauses.pause(table.id, ADMIN, None, admin=True)
    with pytest.raises(Refused):
        await house.play.move(table.id, user(ANN), [DRAW])
    await house.parlour.pauses.resume(table.id, ADMIN, admin=True)

    assert (await draw(house, table, ANN)).owing == (2,)


async def test_whoever_moves_anew_has_no_old_plan(house: House, table: Table) -> None:
    await house.parlour.decide(table.id, plans.add_choice, user_id=user(BO), moves=[DRAW], seen=None)
    await draw(house, table, ANN)

    assert (await draw(house, table, BO)).plans == ()


@pytest.mark.parametrize(("slug", "people"), [("tanglewood", 3), ("tangle", 3), ("tesla", 2)])
@pytest.mark.parametrize("number", range(often(2, 6)))
async def test_in_every_game_plans_come_true(house: House, slug: str, people: int, number: int) -> None:
    table = await start(house, slug, people)
    for _ in range(number * people):
        table = await take_turn(house, table)
    waiting = next(seat for seat in range(people) if seat not in table.owing)
    who = table.seats[waiting]
    others = [one.user_id for one in table.seats if one != who]
    before = [view_facts(await house.play.perspective(table.id, one)) for one in (*others, None)]
    shown = await plan_like_a_computer(house, table, who)

    after = [view_facts(await house.play.perspective(table.id, one)) for one in (*others, None)]
    assert after == before
    history = await house.history(table)
    steps = list[Any]()
    while table.owing != (waiting,) and "planned" not in (await house.history(table))[len(history) :]:
        table, steps = await take_step(house, table)

    if "planned" in (await house.history(table))[len(history) :]:
        played = [event for step in steps if step.seat == waiting for event in step.events]
        assert played[: len(shown)] == shown


@pytest.mark.parametrize(("slug", "people"), [("tanglewood", 3), ("tangle", 3), ("tesla", 2)])
async def test_planned_moves_keep_their_names(house: House, slug: str, people: int) -> None:
    table = await start(house, slug, people)
    decide, naming = house.parlour.decide, move_names(slug).move_name
    planned = list[tuple[Plan, Any, str]]()
    for _ in range(often(8, 40)):
        waiting = next(seat for seat in range(people) if seat not in table.owing)
        who = table.seats[waiting]
        for move in {
            type(move): move for move in await house.parlour.plans.moves(table.id, user(who))
        }.values():
            view = (await planning(house, table, who)).view
            await decide(table.id, plans.add_choice, user_id=user(who), moves=[move], seen=None)
            plan = (await house.parlour.table(table.id)).plan_of(waiting)
            assert plan is not None
            planned.append((plan, move, naming(move, view, table.names)))
            seen = (await planning(house, table, who)).table.moment
            await decide(table.id, plans.take_back, user_id=user(who), seen=seen)
        for _ in range(people):
            table = await take_turn(house, table)

    assert len({type(move) for _, move, _ in planned}) > 1
    for plan, move, name in planned:
        [view] = await house.parlour.plans.recall_views(table, plan)
        assert naming(move, view, table.names) == name


async def start(house: House, slug: str, people: int) -> Table:
    host, *others = (ANN, BO, CY)[:people]
    rules = game(slug)
    opened = await house.lobby.create(GUILD, CHANNEL, host, slug, rules.Options(), tuple(others))
    return await house.lobby.start(opened.id, user(host))


async def take_step(house: House, table: Table) -> tuple[Table, list[Any]]:
    """Let whoever is to move make a medium computer's move."""
    who = user(table.seats[table.owing[0]])
    perspective = await house.play.perspective(table.id, who)
    move = table.game.choose(perspective.view, table.owing[0], Random(1), Strength.MEDIUM)
    _, steps = await house.play.move(table.id, who, [move])
    return await house.parlour.table(table.id), steps


async def take_turn(house: House, table: Table) -> Table:
    seat = table.owing[0]
    while table.owing and table.owing[0] == seat:
        table, _ = await take_step(house, table)
    return table


async def plan_like_a_computer(house: House, table: Table, who: Occupant) -> list[Any]:
    """Send ahead what a medium computer would; return what it promised."""
    perspective = await planning(house, table, who)
    while not perspective.is_whole:
        move = table.game.choose(perspective.view, perspective.me, Random(1), Strength.MEDIUM)
        await house.parlour.decide(
            table.id, plans.add_choice, user_id=user(who), moves=[move], seen=perspective.table.moment
        )
        perspective = await planning(house, table, who)
    await house.parlour.decide(table.id, plans.send, user_id=user(who), seen=perspective.table.moment)
    return list(perspective.events)


async def test_a_standing_answer_pays_upkeep_without_asking(house: House) -> None:
    options = TangleOptions(upkeep="asked")
    opened = await house.lobby.create(GUILD, CHANNEL, ANN, "tangle", options, (BO,))
    table = await house.lobby.start(opened.id, user(ANN))
    for one in (ANN, BO):
        await house.parlour.decide(table.id, plans.set_answer, user_id=user(one), answer="keep_all")

    rows = list[ActionRow]()
    while len(rows) < 150 and "upkeep_kept" not in "".join(row.events for row in rows):
        table, _ = await take_step(house, await house.parlour.table(table.id))
        rows = await house.store.actions(table.id)

    paid = [row for row in rows if '"pay_rest"' in (row.payload or "")]
    assert paid
    assert all(row.kind == "move" for row in paid)


@pytest.fixture
async def asking(house: House) -> Table:
    options = TangleOptions(upkeep="asked")
    opened = await house.lobby.create(GUILD, CHANNEL, ANN, "tangle", options, (BO, CY))
    table = await house.lobby.start(opened.id, user(ANN))
    for one, answer in ((ANN, "keep_all"), (BO, "no_lakes"), (CY, "keep_all")):
        await house.parlour.decide(table.id, plans.set_answer, user_id=user(one), answer=answer)
    return await house.parlour.table(table.id)


async def test_a_plan_is_in_its_own_persons_data_alone_and_goes_with_them(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    mine = await house.parlour.data_export.file(user(BO))
    others = await house.parlour.data_export.file(user(ANN))
    assert mine is not None
    assert others is not None
    assert b'"plan":[[' in mine.data
    assert b'"plan":null' in others.data
    assert b"[[{" not in others.data
    await plan(house, table, CY, DRAW)
    before = (await house.parlour.table(table.id)).plans

    await house.parlour.eraser.erase(user(BO))

    after = await house.parlour.table(table.id)
    assert after.plans == tuple(one for one in before if one.user_id == user(CY)) != ()
    assert str(user(BO)) not in repr(await house.store.personal.tables([table.id]))


async def test_a_standing_answer_is_in_its_own_persons_data_alone_and_goes_with_them(
    house: House, asking: Table
) -> None:
    mine = await house.parlour.data_export.file(user(BO))
    others = await house.parlour.data_export.file(user(ANN))

    assert mine is not None
    assert others is not None
    assert b'"standing_answers":["no_lakes"]' in mine.data
    assert b'"standing_answers":["keep_all"]' in others.data
    await house.parlour.eraser.erase(user(BO))
    after = await house.parlour.table(asking.id)
    assert {one.user_id for one in after.standing} == {user(ANN), user(CY)}


async def test_what_is_taken_back_is_not_played_again_at_once(house: House, table: Table) -> None:
    await plan(house, table, BO, DRAW)
    loaded = await house.parlour._repository.load(table.id)
    due = msgspec.structs.replace(loaded.table, owing=(1,))
    now = await house.parlour._repository.time.now(loaded.table)

    undone = play_plans(loaded, Change(due, (entry(EntryKind.UNDO, None),)), now)
    moved = play_plans(loaded, Change(due, (entry(EntryKind.RESUME, None),)), now)

    assert [one.kind for one in undone.entries] == [EntryKind.UNDO]
    assert undone.table.plan_of(1) is not None
    assert moved.table.plan_of(1) != undone.table.plan_of(1)
