"""Erasure: nothing leads to the person any more, and everybody else plays on as before."""

import asyncio
import json
from itertools import count
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from db.connection.writer import DatabaseUnavailable
from db.processes import ChangeNotice, decode_notice
from db.records import AuditRow, InvitationRow, OutboxRow, PostRow
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, HOUR, MINUTE, NONE, PACES
from tables.core.history import EntryKind, payload_of
from tables.core.people import Notices, begin_holiday
from tables.core.table import SUFFIX, Occupant, Phase, ProposalKind, Refused, Table, Terms
from tables.cups.cups import CupTerms
from tables.lobby import decisions as lobby_decisions
from tables.servers.audit import Audit
from tables.servers.erasure import NAME
from tables.standings.ratings import WHOLE_ENTRIES, results_of
from tables.time import lateness
from tables.time.lateness import give_to_computer
from tests.conftest import EITHER_DATABASE
from tests.db.rows import everything
from tests.engines.ribbon.games import TIE
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, user
from tests.tables.servers.test_killed_in_time import WriteLine, WriterKilled
from tests.tables.servers.test_servers import record_statements
from tests.tables.standings.test_rivals import RIBBON, begin_game

DATABASES = EITHER_DATABASE

pytestmark = [pytest.mark.usefixtures("clean")]

ZED = Occupant("Zed Quux", 987_654_321_012_345_678)
ZED_ID = user(ZED)
YIELDS = 100
"""The number of turns of others before a test gives up."""
NAMED_IN = {
    *("actions", "audit", "blocks", "cup_players", "cup_tables", "cups", "followers", "invitations"),
    *("named", "notes", "outbox", "people", "posts", "ratings", "results", "seats", "tables", "unwanted"),
    "wishes",
}
"""The tables with rows about a person who has done everything."""


async def rows_that_tell(database: str) -> list[str]:
    """Return rows of all tables with the id or the name."""
    result = []
    for name, rows in (await everything(database)).items():
        for row in rows:
            text = " ".join(one.decode("latin1") if isinstance(one, bytes) else str(one) for one in row)
            if str(ZED_ID) in text or ZED.name in text:
                result.append(f"{name}: {text[:200]}")
    return result


async def win_game(house: House, winner: Occupant, *losers: Occupant) -> Table:
    """Play a game that all but one leave, one after the other."""
    table = await begin_game(house, winner, *losers)
    for loser in losers:
        house.clock.now += MINUTE
        table = await house.play.resign(table.id, user(loser))
    await house.settle()
    assert table.phase is Phase.OVER
    return table


async def together(house: House, *people: Occupant, terms: Terms | None = None) -> Table:
    """Start a co-op game; the first person is to move."""
    host, *others = people
    options = RibbonOptions(mode="coop", first="host")
    table = await house.lobby.create(
        GUILD, CHANNEL, host, RIBBON, options, tuple(others), terms=terms or Terms(NONE)
    )
    return await house.lobby.start(table.id, user(host))


async def standings(house: House) -> dict[str, int]:
    board = await house.parlour.standings.leaderboard(GUILD, RIBBON, None, 0, 100)
    return {row.name: row.rating for row in board.rows}


async def everywhere(house: House) -> Table:
    """Leave Zed in as many rows as possible. Return the longest running game."""
    parlour, store = house.parlour, house.store
    finished = await win_game(house, ZED, ANN)
    await win_game(house, ANN, ZED, BO)
    await parlour.import_export.fork(finished.id, 0, ANN)
    await house.decide((await house.gather(ZED)).id, lobby_decisions.leave, user_id=ZED_ID)
    expired = await house.gather(ZED, BO)
    house.clock.now += 8 * DAY
    await house.parlour.due.look(expired.id)
    lobby = await house.gather(ZED, ANN)
    await parlour.kick((await house.gather(BO, ZED)).id, ZED_ID, ADMIN)
    solo = await house.lobby.create(GUILD, CHANNEL, ZED, RIBBON, RibbonOptions(mode="solo"))
    await house.lobby.start(solo.id, ZED_ID)

    table = await together(house, ZED, ANN, BO, terms=Terms(PACES["daily"]))
    await house.play_moves(table, "flip 1")
    await parlour.proposals.propose(table.id, ZED_ID, ProposalKind.PAUSE)
    await parlour.proposals.decline(table.id, user(ANN))
    await parlour.decide(table.id, lateness.extend_time, actor_id=ADMIN, user_id=ZED_ID, seconds=HOUR)
    await parlour.pauses.pause(table.id, ADMIN, None)
    await parlour.pauses.resume(table.id, ZED_ID)
    await parlour.drafts.write()
    await parlour.personal_settings.change(
        ZED_ID, lambda known: begin_holiday(known, house.clock.now + DAY, "at my aunt's", house.clock.now)
    )
    await house.play_moves(table, "flip 2; pass")
    await parlour.proposals.propose(table.id, user(BO), ProposalKind.UNDO)

    given = await together(house, ANN, ZED)
    await house.play.skip(given.id, ADMIN)
    await parlour.proposals.offer_seat(given.id, ZED_ID, user(CY), "Cy")
    await parlour.proposals.agree(given.id, user(CY))
    taken = await together(house, ANN, CY, BO)
    await parlour.proposals.offer_seat(taken.id, user(CY), ZED_ID, ZED.name)
    await parlour.proposals.agree(taken.id, ZED_ID)
    late = await together(house, ANN, ZED)
    await house.decide(late.id, give_to_computer, seat=1, why="agreed", actor_id=user(ANN))
    handed = await together(house, ANN, ZED)
    await house.hand_over(handed.id, 1, ZED_ID, Strength.MEDIUM)
    asked = await together(house, ANN, BO)
    await parlour.proposals.offer_seat(asked.id, user(BO), ZED_ID, ZED.name)

    gathering = await parlour.cups.open(GUILD, CHANNEL, ZED, RIBBON, CupTerms(8, NONE))
    await parlour.cups.join(gathering.id, user(ANN), "Ann")
    cup = await parlour.cups.open(GUILD, CHANNEL + 1, ANN, RIBBON, CupTerms(8, NONE))
    for occupant in (ZED, CY, DEE):
        await parlour.cups.join(cup.id, user(occupant), occupant.name)
    await parlour.cups.start(cup.id, user(ANN))
    for _ in range(4):
        await parlour.running.sweep()

    await parlour.notes.write(table.id, ZED_ID, "Ann bluffs")
    await store.relations.follow(given.id, ZED_ID, True)
    await store.relations.invite(InvitationRow(lobby.id, ZED_ID, user(DEE), house.clock.now), 0.0, 9)
    await store.relations.invite(InvitationRow(lobby.id, user(CY), ZED_ID, house.clock.now), 0.0, 9)
    await store.relations.set_unwanted(ZED_ID, user(DEE), wanted=False)
    await store.relations.set_unwanted(user(CY), ZED_ID, wanted=False)
    await store.ask(lobby.id, "full", ZED_ID, 0, False, house.clock.now + HOUR)
    await parlour.blocks.block(ZED_ID, user(DEE))
    await parlour.blocks.block(user(CY), ZED_ID)
    await parlour.looking.look(GUILD, ZED_ID, ZED.name, ["tangle"], [])
    await parlour.personal_settings.change(
        ZED_ID, lambda known: replace(known, notices=Notices.DM, digest_hour=8)
    )
    for actor, detail in (
        (ZED_ID, ""),
        (ADMIN, str(ZED_ID)),
        (ADMIN, f"{ZED_ID}: 60 seconds"),
        (ADMIN, f'{{"person": {ZED_ID}}}'),
    ):
        await store.administration.add_audit(
            AuditRow(GUILD, table.id, actor, "kick", detail, house.clock.now)
        )
    await store.administration.add_audit(
        AuditRow(GUILD, table.id, ADMIN, "replace", f"{ZED.name} by Bo", house.clock.now)
    )
    memo = '{"text": "Zed Quux flips 1"}'
    shown = OutboxRow(table.id, "board", 0, 0, True, 0, 0.0)
    await store.finish_post(shown, PostRow(table.id, "board", 0, CHANNEL, 77, 0, memo))
    await house.settle()
    return table


@pytest.mark.essential
async def test_no_column_tells_of_who_was_erased_and_others_games_go_on(house: House, database: str) -> None:
    table = await everywhere(house)
    assert {row.split(":")[0] for row in await rows_that_tell(database)} >= NAMED_IN

    await house.parlour.eraser.erase(ZED_ID)
    await house.settle()
    await house.parlour.resume()
    await house.settle()

    assert await rows_that_tell(database) == []
    assert (await house.parlour.data_export.count_data(ZED_ID)).nothing

    table = await house.parlour.table(table.id)
    assert table.phase is Phase.PLAY
    assert table.seats[0] == Occupant(f"{NAME}{SUFFIX}", None, Strength.STRONG)
    assert table.names[1:] == ["Ann", "Bo"]
    again = house.restart()
    for row in await house.store.tables_in(GUILD, list(Phase)):
        if row.phase == Phase.PLAY:
            await again.parlour.play.perspective(row.id, None)
            assert row.host_id
    gathering, cup = [await house.parlour.cups.cup(number) for number in (1, 2)]
    assert [one.name for one in gathering.entrants] == ["Ann"]
    assert [(one.name, one.dropped) for one in cup.entrants if one.user_id < 0] == [(NAME, True)]
    assert len(cup.standings) == 4
    assert await find_payloads(house, table, EntryKind.HAND_OVER) == [{"name": NAME, "own": True}]
    await again.stop()


async def test_a_game_that_nobody_else_plays_is_closed(house: House) -> None:
    options = RibbonOptions(mode="solo")
    table = await house.lobby.create(GUILD, CHANNEL, ZED, RIBBON, options)
    await house.lobby.start(table.id, ZED_ID)

    await house.parlour.eraser.erase(ZED_ID)

    table = await house.parlour.table(table.id)
    assert (table.phase, table.names) == (Phase.CLOSED, [NAME])
    assert await find_payloads(house, table, EntryKind.CLOSE) == ["left"]


async def test_an_open_lobby_passes_on_and_a_closed_one_stays_closed(house: House) -> None:
    lobby = await house.gather(ZED, ANN)
    expired = await house.gather(ZED, BO)
    house.clock.now += 8 * DAY
    await house.parlour.due.look(expired.id)

    await house.parlour.eraser.erase(ZED_ID)

    lobby = await house.parlour.table(lobby.id)
    assert (lobby.phase, lobby.names, lobby.host_id) == (Phase.LOBBY, ["Ann"], user(ANN))
    with pytest.raises(Refused, match="can't reopen"):
        await house.decide(expired.id, lobby_decisions.reopen, user_id=user(BO))


async def test_ratings_of_the_others_stay_and_follow_from_the_results(house: House) -> None:
    for winner, *losers in ((ZED, ANN), (ANN, ZED, BO), (BO, ZED), (ZED, CY), (ANN, BO)):
        await win_game(house, winner, *losers)
    going = await begin_game(house, CY, ZED, ANN)
    before = await standings(house)

    await house.parlour.eraser.erase(ZED_ID)

    assert await standings(house) == {name: rating for name, rating in before.items() if name != ZED.name}
    kept = await standings(house)
    await house.parlour.standings.recount(GUILD, RIBBON)
    assert await standings(house) == kept
    assert await house.store.standings.find_wrong_ratings() == []
    await house.play.resign(going.id, user(ANN))
    await house.settle()
    moved = await standings(house)
    await house.parlour.standings.recount(GUILD, RIBBON)
    assert await standings(house) == moved
    for row in await house.store.tables_in(GUILD, [Phase.OVER]):
        table = await house.parlour.table(row.id)
        trace, entries = (
            await house.store.entry_headers(row.id),
            await house.store.entries(row.id, WHOLE_ENTRIES),
        )
        kept_rows = await house.store.standings.of_table(row.id)
        assert [replace(one, before=None, after=None) for one in kept_rows] == results_of(
            table, trace, entries
        )


async def test_former_players_are_in_no_list_and_erased_once_a_minute(house: House) -> None:
    await win_game(house, ZED, ANN)
    await win_game(house, ZED, ANN)

    await house.parlour.eraser.erase(ZED_ID)

    profile = await house.parlour.standings.profile(GUILD, user(ANN), user(ANN))
    assert profile.opponents == ()
    assert set(await standings(house)) == {"Ann"}

    await house.gather(ZED)

    with pytest.raises(Refused, match="erased your data just now"):
        await house.parlour.eraser.erase(ZED_ID)

    house.clock.now += MINUTE
    await house.parlour.eraser.erase(ZED_ID)
    assert (await house.parlour.data_export.count_data(ZED_ID)).nothing


async def test_a_finished_game_goes_on_with_a_computer_in_their_place(house: House) -> None:
    table = await house.play_moves(await house.start(ANN, ZED, mode="versus"), TIE)
    assert table.phase is Phase.OVER
    await house.parlour.eraser.erase(ZED_ID)
    over = await house.parlour.table(table.id)
    assert (over.names, over.people) == (["Ann", NAME], [user(ANN)])

    table = await house.play.rollback(table.id, 1, ADMIN)

    assert table.phase is Phase.PLAY
    assert table.seats[1] == Occupant(f"{NAME}{SUFFIX}", None, Strength.STRONG)


async def test_former_players_are_told_apart_and_no_rematch_waits_for_them(house: House) -> None:
    table = await win_game(house, ZED, ANN, BO)
    await house.parlour.eraser.erase(ZED_ID)

    rematch = await house.parlour.lobby.rematch(table.id, user(ANN))

    assert rematch.names == ["Ann", "Bo"]
    assert not any(occupant.nobody for occupant in rematch.seats)

    await house.parlour.eraser.erase(user(ANN))

    assert (await house.parlour.table(table.id)).names == [NAME, f"{NAME} 2", "Bo"]
    assert len({row.user_id for row in await house.store.standings.of_table(table.id)}) == 3


async def test_work_under_way_writes_nothing_back_after_an_erasure(house: House, database: str) -> None:
    table = await together(house, ZED, ANN)
    await house.settle()
    erasing: list[asyncio.Task[None]] = []

    async def asks(row: OutboxRow) -> None:
        if row.target == ZED_ID:
            erasing.append(asyncio.create_task(house.parlour.eraser.erase(ZED_ID)))
            for _ in range(YIELDS):
                await asyncio.sleep(0)
                if house.parlour.outbox.on_hold(table.id):
                    break
                await house.store.counts()

    house.courier.during = asks
    await house.parlour.refresh(table.id, "hand", ZED_ID)
    await house.settle()
    await asyncio.gather(*erasing)
    await house.settle()

    assert len(erasing) == 1
    assert await rows_that_tell(database) == []


async def test_a_draft_that_they_left_is_not_written_down_any_more(house: House) -> None:
    table = await together(house, ZED, ANN)
    await house.parlour.save_draft(table, 0, RibbonOptions())

    await house.parlour.eraser.erase(ZED_ID)
    await house.parlour.drafts.write()

    assert await house.store.draft(table.id, 0) is None


async def test_a_name_like_one_of_our_words_breaks_nothing(house: House) -> None:
    sly = Occupant("pause", 777_777_777_777_777_777)
    table = await together(house, ANN, sly)
    await house.parlour.proposals.propose(table.id, user(ANN), ProposalKind.PAUSE)

    await house.parlour.eraser.erase(user(sly))

    (proposed,) = await find_payloads(house, table, EntryKind.PROPOSE)
    assert proposed[:2] == ["Ann", "pause"]


async def read_data_file(house: House, user_id: int) -> Any:
    taken = await house.parlour.data_export.file(user_id)
    assert taken is not None
    return json.loads(taken.data)


async def test_the_data_file_holds_no_secrets_of_others(house: House) -> None:
    table = await everywhere(house)
    await house.play.skip(table.id, ZED_ID)  # as an administrator

    file = await read_data_file(house, ZED_ID)

    assert file["user_id"] == str(ZED_ID)
    assert [note["text"] for note in file["notes"]] == ["Ann bluffs"]
    assert file["settings"][0]["notices"] == "dm"
    assert {row["blocked_id"] for row in file["blocked"]} == {user(DEE)}
    (told_of,) = [one for one in file["tables"] if one["table"] == table.id]
    assert told_of["seat"] == 0
    assert [did["what"] for did in told_of["you"] if did["did"] == "move" and did["seat"] == 0]
    assert not [did for did in told_of["you"] if did["did"] == "move" and did["seat"] != 0 and "what" in did]
    assert "Ann bluffs" not in json.dumps(await read_data_file(house, user(ANN)))


async def test_that_boards_are_described_is_in_the_file_and_goes_with_the_person(house: House) -> None:
    people = house.parlour.people
    known = await people.person(ZED_ID)
    await people.save(known, replace(known, in_words=True))

    file = await read_data_file(house, ZED_ID)
    await house.parlour.eraser.erase(ZED_ID)

    assert file["settings"][0]["in_words"] is True
    assert not (await people.person(ZED_ID)).in_words
    assert await house.store.people([ZED_ID]) == []


async def test_of_who_never_came_nothing_is_kept_and_nothing_is_written(house: House) -> None:
    await win_game(house, ANN, BO)

    assert (await house.parlour.data_export.count_data(ZED_ID)).nothing
    assert await house.parlour.data_export.file(ZED_ID) is None
    with record_statements() as asked:
        await house.parlour.eraser.erase(ZED_ID)

    assert [statement for statement, _ in asked if not statement.startswith("SELECT")] == []
    assert set(await standings(house)) == {"Ann", "Bo"}


async def test_a_failed_erasure_can_be_retried_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await win_game(house, ZED, ANN)
    with monkeypatch.context() as broken:
        failing = AsyncMock(side_effect=DatabaseUnavailable("gone", "test"))
        broken.setattr(house.store.erasure, "begin", failing)
        with pytest.raises(DatabaseUnavailable):
            await house.parlour.eraser.erase(ZED_ID)

    await house.parlour.eraser.erase(ZED_ID)

    assert (await house.parlour.data_export.count_data(ZED_ID)).nothing


async def test_others_forget_only_what_is_erased(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[ChangeNotice | None] = []
    monkeypatch.setattr("db.access.notify", lambda _, text: notes.append(decode_notice(text)))
    house.store.shards.divide(2, {0})
    await win_game(house, ANN, BO)
    table = await win_game(house, ZED, ANN)
    await house.parlour.blocks.block(user(CY), ZED_ID)
    notes.clear()

    await house.parlour.eraser.erase(ZED_ID)

    pairs = [(note.subject, note.number) for note in notes if note is not None]
    assert pairs == [("rewritten", table.id), ("person", ZED_ID), ("person", user(CY))]


async def test_a_rewritten_table_is_read_again_by_other_processes(house: House, elsewhere: House) -> None:
    house.store.shards.divide(2, {0})
    elsewhere.store.shards.divide(2, {1})
    table, other = await win_game(house, ZED, ANN), await win_game(house, ANN, BO)
    for one in (table, other):
        assert ZED.name not in str(await elsewhere.parlour.table(other.id))
        await elsewhere.parlour.table(one.id)
    await house.parlour.eraser.erase(ZED_ID)

    elsewhere.parlour.ownership.on_notice(ChangeNotice("other", "rewritten", table.id))

    assert ZED.name not in str(await elsewhere.parlour.table(table.id))


async def test_a_long_audit_log_is_rewritten_in_parts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.subjects.erasure.ENTRIES", 2)
    for _ in range(5):
        for actor, person in ((ZED_ID, user(ANN)), (ADMIN, ZED_ID)):
            detail = f'{{"person":{person}}}'
            row = AuditRow(GUILD, 7, actor, "kick", detail, house.clock.now)
            await house.store.administration.add_audit(row)
    parts = AsyncMock(side_effect=house.store.erasure.rewrite_audit)
    monkeypatch.setattr(house.store.erasure, "rewrite_audit", parts)

    await house.parlour.eraser.erase(ZED_ID)

    entries, _ = await Audit(house.store).page(GUILD, None, None, 1)
    assert {entry.details.person for entry in entries if entry.actor_id == ADMIN} == {0}
    assert {entry.actor_id for entry in entries} == {0, ADMIN}
    assert parts.await_count == 3


async def find_payloads(house: House, table: Table, kind: EntryKind) -> list[Any]:
    return [payload_of(row) for row in await house.store.actions(table.id) if row.kind == kind]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.servers.erasure.GROUP", 1)


async def add_traces(house: House, zed: Occupant, group: int = 0) -> list[int]:
    """Add tables and a cup of Zed's with a group. Return the tables at which they sat."""
    ann, bo, cy, dee = (Occupant(one.name, user(one) + 1000 * group) for one in (ANN, BO, CY, DEE))
    finished = await win_game(house, zed, ann)
    await house.parlour.import_export.fork(finished.id, 0, ann)
    going = await together(house, zed, ann, bo)
    taken = await together(house, ann, zed)
    cup = await house.parlour.cups.open(GUILD + group, CHANNEL + group, ann, "ribbon", CupTerms(8, NONE))
    for occupant in (zed, cy, dee):
        await house.parlour.cups.join(cup.id, user(occupant), occupant.name)
    await house.parlour.notes.write(going.id, user(zed), "Ann bluffs")
    await house.settle()
    return [finished.id, going.id, taken.id]


async def rows_about(database: str, zed: Occupant) -> dict[str, list[str]]:
    """Return rows with somebody's id or name, by kind."""
    result: dict[str, list[str]] = {}
    for name, rows in (await everything(database)).items():
        lines = [str(row) for row in rows if str(user(zed)) in str(row) or zed.name in str(row)]
        if lines:
            result[name] = lines
    return result


async def half_gone(database: str, zed: Occupant, tables: list[int]) -> list[int]:
    """Return tables that name somebody only in their seats or their history."""
    rows = await everything(database)

    def told(kind: str, number: int) -> bool:
        own = [str(row) for row in rows[kind] if row[0] == number]
        return any(zed.name in row or str(user(zed)) in row for row in own)

    return [number for number in tables if told("seats", number) != told("actions", number)]


@pytest.mark.essential
@pytest.mark.databases(["sqlite"])
@pytest.mark.usefixtures("one_by_one")
async def test_a_crash_between_parts_is_repaired_without_asking_again(house: House, database: str) -> None:
    interrupted = 0
    for at_write in count(step=often(5, 1)):
        zed = Occupant(f"Zed {at_write} Quux", 987_654_321_012_345_000 + at_write)
        tables = await add_traces(house, zed, at_write)
        line = WriteLine(house)
        line.left = at_write
        try:
            await house.parlour.eraser.erase(user(zed))
        except WriterKilled:
            died = True
        else:
            died = False
        line.mend()
        begun = user(zed) in await house.store.erasure.unfinished()
        if begun:
            assert await half_gone(database, zed, tables) == []
            interrupted += 1

        house = house.restart()
        await house.parlour.resume()
        await house.settle()

        if begun or not died:
            assert await rows_about(database, zed) == {}
            assert await house.store.standings.find_wrong_ratings() == []
            assert (await house.parlour.table(tables[1])).names[1:] == ["Ann", "Bo"]
        if not died:
            break

    assert interrupted >= len(tables) // often(5, 1)


@pytest.mark.databases(["sqlite"])
@pytest.mark.usefixtures("one_by_one")
async def test_others_move_while_somebody_is_erased(house: House) -> None:
    zed = Occupant("Zed Quux", 987_654_321_012_345_678)
    await add_traces(house, zed)
    options = RibbonOptions(mode="coop", first="host")
    table = await house.lobby.create(GUILD, CHANNEL, BO, "ribbon", options, (CY,))
    await house.lobby.start(table.id, user(BO))
    erasing = asyncio.create_task(house.parlour.eraser.erase(user(zed)))
    while user(zed) not in await house.store.erasure.unfinished():
        assert not erasing.done()

    meanwhile: list[bool] = []
    while not erasing.done() and len(meanwhile) < 4:
        seat = (await house.parlour.table(table.id)).owing[0]
        person = (BO, CY)[seat]
        legal = await house.play.moves(table.id, user(person))
        await house.play.move(table.id, user(person), [legal[0]])
        meanwhile.append(user(zed) in await house.store.erasure.unfinished())
    await erasing

    assert meanwhile[0]
    assert await house.store.erasure.unfinished() == {}
