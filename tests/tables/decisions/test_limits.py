"""Every limit and guard holds where it is written, in one process and between two."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import literal, select, union_all

from db.records import DailyMemberRow, DailyPostRow, ServerSettings
from engines.game import Strength
from tables.clocks.pace import DAY, NONE, begins
from tables.core.change import MOST_OPEN, DecisionContext, TableState
from tables.core.table import OPEN, CustomDeal, Occupant, Phase, ProposalKind, Refused, Table, WhenLate
from tables.cups.cups import MOST_RUNNING, CupTerms
from tables.cups.schedule import CupPhase
from tables.daily import place_plays
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import StartContext, add_computer
from tables.lobby.invitations import MOST
from tables.review import import_export
from tests.conftest import EVERY_DATABASE
from tests.db.rows import points_on
from tests.often import often
from tests.tables.daily.test_plays import TODAY, play_to_the_end
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

DATABASES = EVERY_DATABASE
pytestmark = pytest.mark.usefixtures("nearly")
Way = Callable[[House, House], Awaitable[Callable[[House], Coroutine[Any, Any, object]]]]
"""Prepares a wish of Bo's and returns it, to be carried out in either process."""


def host(number: int) -> Occupant:
    return Occupant(f"Host {number}", 5000 + number)


async def at_once(*wishes: Coroutine[Any, Any, object]) -> list[object]:
    """Carry out wishes at the same time; return what was not refused."""
    results = await asyncio.gather(*wishes, return_exceptions=True)
    strange = [one for one in results if isinstance(one, BaseException) and not isinstance(one, Refused)]
    assert strange == []
    return [one for one in results if not isinstance(one, BaseException)]


async def by_turns(
    houses: Sequence[House], count: int, wish: Callable[[House, int], Coroutine[Any, Any, object]]
) -> list[object]:
    """Carry out some wishes at once, in both processes by turns."""
    return await at_once(*(wish(houses[number % 2], number) for number in range(count)))


async def open_tables(house: House, user_id: int) -> list[Any]:
    return await house.store.tables_of(user_id, OPEN)


async def opening(_here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    return lambda house: house.gather(BO)


async def joining(here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    lobby = await here.gather(host(len(await here.store.tables_in(GUILD, OPEN))))
    return lambda house: house.lobby.join(lobby.id, user(BO), "Bo")


async def sitting(here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    fork = await fork_lobby(here)
    return lambda house: house.lobby.sit(fork.id, user(BO), "Bo", 1)


async def playing_again(here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    table = await here.start(BO, CY, mode="coop")
    await here.play.resign(table.id, user(BO))
    return lambda house: house.lobby.rematch(table.id, user(BO))


async def reopening(here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    lobby = await here.gather(ANN, BO)
    here.clock.now += 8 * DAY
    await here.parlour.due.look(lobby.id)
    assert (await here.parlour.table(lobby.id)).phase is Phase.EXPIRED
    return lambda house: house.decide(lobby.id, lobby_decisions.reopen, user_id=user(BO))


async def taking_over(here: House, _there: House) -> Callable[[House], Coroutine[Any, Any, object]]:
    table = await here.start(ANN, CY, mode="coop")
    await here.hand_over(table.id, 1, user(CY), Strength.EASY)
    await here.parlour.proposals.ask_for_seat(table.id, user(BO), "Bo", 1)
    return lambda house: house.parlour.proposals.agree(table.id, user(ANN))


WAYS: dict[str, Way] = {
    "open": opening,
    "join": joining,
    "sit": sitting,
    "rematch": playing_again,
    "reopen": reopening,
    "take over": taking_over,
}


PAIRS = list(combinations_with_replacement(WAYS, 2))


@pytest.mark.parametrize(
    # Each way meets itself, and the ways after and before it.
    ("first", "second"),
    often([*zip(WAYS, WAYS, strict=True), *pairwise(WAYS)], PAIRS),
)
async def test_people_keep_a_servers_limit(house: House, elsewhere: House, first: str, second: str) -> None:
    one, other = [await WAYS[way](house, elsewhere) for way in (first, second)]
    assert await open_tables(house, user(BO)) == []
    await house.store.save_guild(ServerSettings(GUILD, most_each=1))

    done = await at_once(one(house), other(elsewhere))

    assert len(done) == 1
    assert len(await open_tables(house, user(BO))) == 1


async def test_servers_open_and_people_block_as_many_as_they_may(house: House, elsewhere: House) -> None:
    await house.store.save_guild(ServerSettings(GUILD, most_tables=5))

    done = await by_turns((house, elsewhere), 12, lambda one, number: one.gather(host(number)))

    assert len(done) == len(await house.store.tables_in(GUILD, OPEN)) == 5

    for number in range(MOST - 2):
        await house.parlour.blocks.block(user(BO), 7000 + number)

    done = await by_turns(
        (house, elsewhere), 6, lambda one, number: one.parlour.blocks.block(user(BO), 8000 + number)
    )

    assert len(done) == 2
    assert len(await house.parlour.blocks.blocks_of(user(BO))) == MOST


async def test_imports_are_counted(house: House, elsewhere: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await house.start(ANN, CY, mode="coop")
    await house.play.resign(table.id, user(ANN))
    file = await house.parlour.import_export.export(table.id, None)
    monkeypatch.setattr(import_export, "MOST_HERE", 2)

    done = await by_turns(
        (house, elsewhere),
        5,
        lambda one, number: one.parlour.import_export.open(GUILD, CHANNEL, host(number), file),
    )

    assert len(done) == 2


async def test_four_entrants_fit_into_a_cup_for_four(house: House, elsewhere: House) -> None:
    cup = await house.parlour.cups.open(GUILD, CHANNEL, ANN, "ribbon", CupTerms(4, NONE))

    done = await by_turns(
        (house, elsewhere),
        8,
        lambda one, number: one.parlour.cups.join(cup.id, 5000 + number, f"Guest {number}"),
    )

    now = await house.parlour.cups.cup(cup.id)
    assert (len(done), len(now.entrants), now.phase) == (3, 4, CupPhase.PLAY)
    players = {place for pairing in now.pairings for place in pairing.seats if place is not None}
    assert players == {entrant.user_id for entrant in now.entrants}


async def test_a_fresh_block_keeps_people_apart_in_a_cup(house: House, elsewhere: House) -> None:
    cup = await house.parlour.cups.open(GUILD, CHANNEL, ANN, "ribbon", CupTerms(4, NONE))
    await elsewhere.parlour.blocks.apart_from(user(BO))  # known there as it was
    await house.parlour.blocks.block(user(ANN), user(BO))

    with pytest.raises(Refused, match="no place for you in this cup"):
        await elsewhere.parlour.cups.join(cup.id, user(BO), "Bo")

    assert len((await house.parlour.cups.cup(cup.id)).entrants) == 1


@pytest.mark.parametrize(("channels", "most"), [(MOST_RUNNING + 4, MOST_RUNNING), (1, 1)])
async def test_a_server_has_as_many_cups_as_may_go_on_and_a_channel_one(
    house: House, elsewhere: House, channels: int, most: int
) -> None:
    done = await by_turns(
        (house, elsewhere),
        MOST_RUNNING + 4,
        lambda one, number: one.parlour.cups.open(
            GUILD, CHANNEL + number % channels, host(number), "ribbon", CupTerms(4, NONE)
        ),
    )

    assert len(done) == len(await house.parlour.cups.running_cups(GUILD)) == most


@pytest.mark.parametrize("seed", range(4))
async def test_a_cup_begins_with_those_who_are_in_it(house: House, elsewhere: House, seed: int) -> None:
    cup = await house.parlour.cups.open(GUILD, CHANNEL, ANN, "ribbon", CupTerms(8, NONE))
    for number in range(4):
        await house.parlour.cups.join(cup.id, 5000 + number, f"Guest {number}")

    wishes = [
        house.parlour.cups.start(cup.id, user(ANN)),
        elsewhere.parlour.cups.leave(cup.id, 5000),
        elsewhere.parlour.cups.join(cup.id, 6000, "Late"),
        house.parlour.cups.leave(cup.id, 5001),
    ]
    await at_once(*(wishes[seed:] + wishes[:seed]))

    now = await house.parlour.cups.cup(cup.id)
    players = {place for pairing in now.pairings for place in pairing.seats if place is not None}
    if now.phase is CupPhase.PLAY:
        assert players == {entrant.user_id for entrant in now.entrants}


async def test_two_changes_of_what_a_person_has_set_are_both_kept(house: House, elsewhere: House) -> None:
    for one in (house, elsewhere):
        await one.parlour.people.person(user(BO))

    await asyncio.gather(
        house.parlour.personal_settings.change(user(BO), lambda person: replace(person, reminders=False)),
        elsewhere.parlour.personal_settings.change(user(BO), lambda person: replace(person, hidden=True)),
    )

    house.parlour.people.invalidate()
    person = await house.parlour.people.person(user(BO))
    assert (person.reminders, person.hidden) == (False, True)


@pytest.mark.parametrize("way", ["join", "sit"])
async def test_a_fresh_block_keeps_people_apart_at_a_table(house: House, elsewhere: House, way: str) -> None:
    wish = await WAYS[way](house, elsewhere)
    (table,) = await house.store.tables_in(GUILD, (Phase.LOBBY,))
    await elsewhere.parlour.blocks.apart_from(user(BO))  # known there as it was
    await house.parlour.blocks.block(table.host_id, user(BO))

    with pytest.raises(Refused, match="There's no seat for you"):
        await wish(elsewhere)


async def test_a_board_that_was_put_up_elsewhere_is_not_taken_down(house: House, elsewhere: House) -> None:
    await house.store.save_board(GUILD, 1, None, None)
    await elsewhere.store.save_board(GUILD, 2, None, 1)

    assert not await house.store.save_board(GUILD, None, None, 1)

    row = await house.store.guild(GUILD)
    assert row is not None
    assert row.board_channel_id == 2


async def test_neither_points_nor_membership_are_kept_of_the_erased(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.clock.now = begins(TODAY) + 3600
    post = await house.store.daily.claim_post(DailyPostRow(GUILD, TODAY, "ribbon", CHANNEL, 5))
    for one in (ANN, BO):
        await play_to_the_end(house, one, "ribbon", seed=user(one))
        await house.store.daily.note_members([DailyMemberRow(GUILD, user(one), True, house.clock.now)])
    finishers = place_plays(await house.store.daily.finishers(GUILD, TODAY, "ribbon"))

    await house.parlour.eraser.erase(user(ANN))  # while the results are drawn
    await house.parlour.daily.close(post, finishers)

    assert [row.user_id for row in await points_on(house.store, GUILD, TODAY)] == [user(BO)]

    kept = await house.store.daily.note_members([DailyMemberRow(GUILD, user(ANN), True, house.clock.now)])

    assert kept == set()
    assert await house.store.daily.member_of(user(ANN)) == []


async def test_a_sweep_removes_what_slipped_through(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.clock.now = begins(TODAY) + 3600
    await play_to_the_end(house, BO, "ribbon", seed=3)
    rows = [DailyMemberRow(GUILD, user(one), True, house.clock.now) for one in (ANN, BO)]
    with monkeypatch.context() as unguarded:
        unguarded.setattr("db.subjects.daily._known", everybody)
        await house.store.daily.note_members(rows)
    assert await house.store.daily.member_of(user(ANN)) == [GUILD]

    await house.parlour.eraser.sweep()

    assert await house.store.daily.member_of(user(ANN)) == []
    assert await house.store.daily.member_of(user(BO)) == [GUILD]


def everybody(people: set[int]) -> Any:
    """Find all of some people, as if all were known."""
    return union_all(*(select(literal(one)) for one in people))


async def test_a_counted_reminder_is_not_overwritten_by_a_move_from_elsewhere(
    house: House, elsewhere: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tables.core.downtime.SHORTEST_OUTAGE", float("inf"))
    await house.parlour.resume()
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    seen = await elsewhere.parlour._repository.load(table.id)
    house.clock.now += 1.6 * DAY
    reminded = await house.parlour.due.look(table.id)
    assert reminded.clock(0).reminders > 0
    elsewhere.parlour._repository._cache[table.id] = seen  # as it was known before

    await elsewhere.parlour.pauses.pause(table.id, user(BO), None)

    house.parlour._repository.forget(table.id)
    now = await house.parlour.table(table.id)
    assert now.clock(0).reminders == reminded.clock(0).reminders


async def test_a_sweep_keeps_no_newer_table_with_an_older_position(house: House, elsewhere: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    await elsewhere.move(table, ANN, "flip 1")
    house.clock.now += 2 * DAY

    await house.parlour.due.sweep()

    loaded = await house.parlour._repository.load(table.id)
    assert loaded.position is not None
    assert loaded.position.state == await house.state(table)
    assert (await house.move(table, BO, "flip 2"))[0].seat == 1


async def test_an_agreed_undo_is_done_once_whoever_looks_in_that_moment(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    table = await house.play_moves(table, "flip 1; flip 2; pass")
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)
    house.clock.now += 1

    await asyncio.gather(
        house.parlour.proposals.agree(table.id, user(BO)),
        *(house.parlour.due.look(table.id) for _ in range(3)),
    )
    await house.parlour.due.sweep()

    assert (await house.history(table)).count("rollback") == 1
    assert (await house.history(table))[-2:] == ["agree", "rollback"]


async def test_a_move_that_waits_meanwhile_is_not_taken_back_for_an_agreed_step(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    table = await house.play_moves(table, "flip 1")
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.UNDO)
    (move,) = (await house.play.moves(table.id, user(BO)))[:1]

    agreed, moved = await asyncio.gather(
        house.parlour.proposals.agree(table.id, user(BO)),
        house.play.move(table.id, user(BO), [move]),
        return_exceptions=True,
    )

    assert isinstance(agreed, Table)
    assert isinstance(moved, Refused), "it is Ann's turn again"
    assert (await house.parlour.table(table.id)).owing == (0,)


async def test_moving_before_the_last_consent_keeps_the_seat(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    house.clock.now += 8 * DAY
    await house.parlour.due.look(table.id)
    await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.REPLACE, 0)
    (move,) = (await house.play.moves(table.id, user(ANN)))[:1]

    moved, agreed = await asyncio.gather(
        house.play.move(table.id, user(ANN), [move]),
        house.parlour.proposals.agree(table.id, user(CY)),
        return_exceptions=True,
    )

    assert not isinstance(moved, BaseException)
    assert isinstance(agreed, Refused)
    assert (await house.parlour.table(table.id)).seat_of(user(ANN)) == 0


async def test_a_seat_that_its_owner_has_left_is_given_to_nobody(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    await house.parlour.proposals.offer_seat(table.id, user(ANN), user(DEE), "Dee")

    await house.play.hand_over(table.id, user(ANN), user(ANN), Strength.MEDIUM)

    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(DEE))
    with pytest.raises(Refused, match="Only players at this table"):
        await house.parlour.proposals.give(table.id, ADMIN, user(ANN), user(DEE), "Dee")


async def test_an_agree_to_a_declined_proposal_is_none_to_a_newer_one(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop", pace="daily")
    proposed = await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.PAUSE)
    await house.parlour.proposals.decline(table.id, user(BO), proposed.version)

    with pytest.raises(Refused, match="That proposal is gone"):
        await house.parlour.proposals.agree(table.id, user(CY), proposed.version)

    assert (await house.parlour.table(table.id)).proposal is None

    again = await house.parlour.proposals.propose(table.id, user(BO), ProposalKind.PAUSE)

    with pytest.raises(Refused, match="There's a newer proposal"):
        await house.parlour.proposals.agree(table.id, user(CY), proposed.version)
    with pytest.raises(Refused, match="There's a newer proposal"):
        await house.parlour.proposals.decline(table.id, user(CY), proposed.version)

    standing = (await house.parlour.proposals.agree(table.id, user(CY), again.version)).proposal
    assert standing is not None
    assert standing.agreed == (user(BO), user(CY))


async def test_a_rollback_and_a_skip_that_were_asked_about_before_a_move_are_refused(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily")
    asked = await house.play_moves(table, "flip 1")
    await house.play_moves(asked, "flip 2")

    with pytest.raises(Refused, match="has changed"):
        await house.play.rollback(table.id, 1, ADMIN, asked.version)
    with pytest.raises(Refused, match="has changed"):
        await house.play.skip(table.id, ADMIN, asked.version)

    assert (await house.history(table))[-1] == "move"


async def test_a_kick_takes_whom_it_meant_and_nobody_who_has_the_seat_by_then(house: House) -> None:
    table = await house.gather(ANN, BO, CY)
    await house.decide(table.id, lobby_decisions.leave, user_id=user(BO))

    with pytest.raises(Refused, match="That player has left the seat"):
        await house.parlour.kick(table.id, user(BO), ADMIN)

    assert (await house.parlour.table(table.id)).people == [user(ANN), user(CY)]


async def test_a_move_just_in_time_keeps_the_seat(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop", pace="daily", when_late=WhenLate.FORFEIT)
    house.clock.now += 3 * DAY
    (move,) = (await house.play.moves(table.id, user(ANN)))[:1]

    await asyncio.gather(house.play.move(table.id, user(ANN), [move]), house.parlour.due.sweep())

    table = await house.parlour.table(table.id)
    assert table.phase is Phase.PLAY
    assert table.owing == (1,)
    assert "resign" not in await house.history(table)


async def test_refused_settings_change_nothing_and_two_at_once_are_kept(
    house: House, elsewhere: House
) -> None:
    def refused(row: ServerSettings) -> ServerSettings:
        raise Refused("No.")

    with pytest.raises(Refused, match="No"):
        await house.store.change_guild(GUILD, refused)

    assert await house.store.guild(GUILD) is None

    await asyncio.gather(
        house.store.change_guild(GUILD, lambda row: replace(row, most_tables=7)),
        elsewhere.store.change_guild(GUILD, lambda row: replace(row, most_each=3)),
    )

    settings = await house.store.guild(GUILD)
    assert settings is not None
    assert (settings.most_tables, settings.most_each) == (7, 3)


@pytest.mark.parametrize("way", ["join", "sit"])
async def test_nobody_sits_down_at_one_table_more_than_they_may(house: House, way: str) -> None:
    for number in range(MOST_OPEN):
        await house.gather(Occupant(f"Host {number}", 5000 + number), BO)
    table = await house.gather(ANN) if way == "join" else await fork_lobby(house)
    wish: Any = (user(BO), "Bo") if way == "join" else (user(BO), "Bo", 1)

    with pytest.raises(Refused, match=f"already at {MOST_OPEN} open tables"):
        await getattr(house.lobby, way)(table.id, *wish)

    assert user(BO) not in (await house.parlour.table(table.id)).people


async def fork_lobby(house: House) -> Table:
    """Return a lobby with fixed seats."""
    table = await house.start(ANN, CY, mode="coop")
    finished = await house.play.resign(table.id, user(ANN))
    assert finished.phase is Phase.OVER
    return await house.parlour.import_export.fork(table.id, 0, ANN)


async def test_where_all_names_of_computers_are_taken_another_is_found(house: House) -> None:
    names = ("Ada", "Ivo", "Mia", "Otto", "Zoe")
    lobby = await house.gather(ANN)
    seats = (replace(ANN, name="Ada"), *(Occupant(name) for name in names[1:]))
    table = replace(lobby, origin=CustomDeal("", names), seats=seats)

    change = add_computer(
        TableState(table, None),
        DecisionContext(0.0),
        StartContext(ServerSettings(GUILD)),
        user_id=user(ANN),
        strength=Strength.EASY,
    )

    assert [occupant.name for occupant in change.table.seats] == ["Ada", "Ada 2", "Mia", "Otto", "Zoe"]
