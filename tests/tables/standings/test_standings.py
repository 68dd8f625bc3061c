"""Results and ratings: who counts and who doesn't, and that they follow from what was played alone."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import text

from db.records import RatingRow, ResultRow, ServerSettings
from engines.game import Strength
from tables.clocks.pace import MINUTE
from tables.core.table import Forked, Occupant, Phase, Refused, Table
from tables.play.seats import take_over
from tables.standings.ratings import FIRST, SURE_AFTER, WHOLE_ENTRIES, ResultKind, after_games, results_of
from tests.conftest import EITHER_DATABASE
from tests.db.rows import connect
from tests.engines.ribbon.games import FILL, TIE
from tests.often import often
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user
from tests.tables.standings.test_rivals import RIBBON, begin_game, lose_game

DATABASES = EITHER_DATABASE

pytestmark = [pytest.mark.usefixtures("clean")]

LAST = "; flip 12"
"""Turns up the last card, which nobody is asked to do."""
FULL = FILL.removesuffix(LAST)
"""Turns up the whole circle."""


async def results(house: House, table: Table) -> dict[str, ResultRow]:
    return {row.name: row for row in await house.parlour.standings.count_table(table.id)}


async def ratings(house: House, guild_id: int = GUILD) -> dict[str, int]:
    board = await house.parlour.standings.leaderboard(guild_id, RIBBON, None, 0, 100)
    return {row.name: row.rating for row in board.rows}


async def results_from_histories(house: House, guild_id: int) -> list[ResultRow]:
    """Return results from a server's finished histories, the oldest first."""
    tables = await house.restart().parlour.tables_in(guild_id, [Phase.OVER], 1000)
    result = []
    for table in tables:
        trace, entries = (
            await house.store.entry_headers(table.id),
            await house.store.entries(table.id, WHOLE_ENTRIES),
        )
        result.append(results_of(table, trace, entries))
    games = sorted((rows for rows in result if rows), key=lambda rows: (rows[0].ended_at, rows[0].table_id))
    return [row for rows in games for row in rows]


def without_dust(row: RatingRow) -> RatingRow:
    """Round the last digits off: they depend on the order of players, which an erasure changes."""
    return replace(row, mu=round(row.mu, 9), sigma=round(row.sigma, 9))


async def require_true(house: House, guild_id: int = GUILD) -> None:
    """Check that results and ratings come from all histories and nothing else.

    Of former players nothing is kept that they have come to.
    """
    rows = await results_from_histories(house, guild_id)
    rated = [row for row in rows if row.counts and row.kind == ResultKind.VERSUS]
    entries, after = after_games(rated, {})
    kept = {row.user_id: row for row in await house.store.standings.ratings(guild_id, RIBBON)}
    assert {user_id: without_dust(row) for user_id, row in kept.items()} == {
        user_id: without_dust(row) for user_id, row in after.items() if user_id > 0
    }
    for row in {(row.table_id, row.user_id): row for row in (*rows, *entries)}.values():
        if row.user_id < 0:
            row = replace(row, before=None, after=None)
        assert row in await house.store.standings.of_table(row.table_id)
    assert await house.store.standings.uncounted() == []
    assert await house.store.standings.find_wrong_ratings() == []


async def erase(address: str, table_id: int | None = None) -> None:
    """Erase a table as docs/running/admin.md says, or all of them."""
    async with connect(address) as connection:
        if address.startswith("sqlite"):
            await connection.execute(text("pragma foreign_keys = on"))
        await connection.execute(text(f"delete from tables where id = {table_id or 'id'}"))


async def test_a_win_counts_once_where_it_was_noted_who_sat_there(house: House) -> None:
    table = await lose_game(house, BO, ANN)

    rows = await results(house, table)
    assert [(rows[name].place, rows[name].before) for name in ("Ann", "Bo")] == [(1, FIRST), (2, FIRST)]
    now = await ratings(house)
    assert now == {"Ann": rows["Ann"].after, "Bo": rows["Bo"].after}
    assert now["Ann"] > FIRST > now["Bo"]
    await require_true(house)
    assert await ratings(house, GUILD + 1) == {}
    assert (await house.parlour.standings.leaderboard(GUILD, "tesla", None, 0, 10)).rows == ()
    await house.parlour.standings.count_table(table.id)
    await house.parlour.standings.sweep()
    assert {row.games for row in await house.store.standings.ratings(GUILD, RIBBON)} == {1}

    entries = await house.store.entries(table.id, WHOLE_ENTRIES)
    old = [replace(row, payload=None) if row.kind == "start" else row for row in entries]

    assert results_of(table, await house.store.entry_headers(table.id), old) == []
    assert results_of(table, await house.store.entry_headers(table.id), entries) != []


async def test_all_who_left_share_the_last_place(house: House) -> None:
    rows = await results(house, await lose_game(house, BO, CY, ANN))

    assert {name: row.place for name, row in rows.items()} == {"Ann": 1, "Bo": 2, "Cy": 2}
    assert {name: row.stayed for name, row in rows.items()} == {"Ann": True, "Bo": False, "Cy": False}


async def test_a_replaced_player_comes_last_whatever_the_computer_does(house: House) -> None:
    table = await begin_game(house, ANN, BO, CY)
    await house.hand_over(table.id, table.seat_of(user(ANN)) or 0, ADMIN, Strength.MEDIUM)
    await house.play.resign(table.id, user(BO))
    table = await house.play.resign(table.id, user(CY)) if not (await over(house, table)) else table
    await house.settle()

    rows = await results(house, table)

    assert (await house.parlour.table(table.id)).phase is Phase.OVER
    assert all(not row.stayed for row in rows.values())
    assert not any(row.counts for row in rows.values())
    assert await ratings(house) == {}


async def over(house: House, table: Table) -> bool:
    return (await house.parlour.table(table.id)).phase is Phase.OVER


async def test_a_late_newcomer_is_unrated_and_the_predecessor_comes_last(house: House) -> None:
    table = await begin_game(house, ANN, BO)
    seat = table.seat_of(user(ANN))
    assert seat is not None
    await house.decide(
        table.id, take_over, seat=seat, user_id=user(CY), name="Cy", why="offered", actor_id=user(ANN)
    )
    table = await house.play.resign(table.id, user(BO))
    await house.settle()

    rows = await results(house, table)

    assert table.outcome is not None
    assert table.outcome.places[seat] == 1
    assert {name: (row.place, row.stayed) for name, row in rows.items()} == {
        "Ann": (1, False),
        "Bo": (1, False),
    }
    assert await ratings(house) == {}


@pytest.mark.parametrize("allowed", [False, True])
async def test_computers_tables_count_only_by_the_setting_at_start(house: House, allowed: bool) -> None:
    await house.store.save_guild(ServerSettings(GUILD, rate_computers=allowed))
    table = await begin_game(house, BO, ANN, computers=1)
    await house.store.save_guild(ServerSettings(GUILD, rate_computers=not allowed))
    await house.play.resign(table.id, user(BO))
    await house.settle()
    table = await house.parlour.table(table.id)
    while table.phase is Phase.PLAY and table.owing == (table.seat_of(user(ANN)),):
        (move, *_) = await house.play.moves(table.id, user(ANN))
        await house.play.move(table.id, user(ANN), [move])
        await house.settle()
        table = await house.parlour.table(table.id)

    rows = await results(house, table)

    assert table.phase is Phase.OVER
    assert {row.counts for row in rows.values()} == {allowed}
    assert set(await ratings(house)) == ({"Ann", "Bo"} if allowed else set())
    assert rows["Bo"].place == 3
    await require_true(house)


async def test_one_person_among_computers_is_not_rated(house: House) -> None:
    await house.store.save_guild(ServerSettings(GUILD, rate_computers=True))
    table = await begin_game(house, ANN, computers=1)
    table = await house.play.resign(table.id, user(ANN))
    await house.settle()

    assert not (await results(house, table))["Ann"].counts
    assert await ratings(house) == {}


async def test_alone_and_together_are_no_matter_of_ratings(house: House) -> None:
    solo = await house.start(ANN, mode="solo", difficulty="medium")
    solo = await house.play_moves(solo, f"hand 3; {FULL}")
    coop = await house.start(ANN, BO, mode="coop")
    coop = await house.play_moves(coop, FULL)
    await house.settle()

    alone = (await house.parlour.standings.bests(GUILD, RIBBON, ResultKind.SOLO, None))[0]
    together = await house.parlour.standings.bests(GUILD, RIBBON, ResultKind.COOP, None)

    assert (solo.phase, coop.phase) == (Phase.OVER, Phase.OVER)
    assert (alone.name, alone.games, alone.wins) == ("Ann", 1, 1)
    assert json.loads(alone.options)["difficulty"] == "medium"
    assert {(row.name, row.wins) for row in together} == {("Ann", 1), ("Bo", 1)}
    assert await house.parlour.standings.kinds(GUILD, RIBBON) == [ResultKind.COOP, ResultKind.SOLO]
    tallies = (await house.parlour.standings.profile(GUILD, user(ANN), user(ANN))).tallies
    assert {(row.kind, row.won, row.place, row.games) for row in tallies} == {
        ("solo", True, None, 1),
        ("coop", True, None, 1),
    }
    assert await ratings(house) == {}


async def test_a_fork_counts_nowhere_and_an_import_is_not_taken_back(house: House) -> None:
    source = await lose_game(house, BO, ANN)
    before = await ratings(house)
    fork = await house.parlour.import_export.fork(source.id, 0, CY)
    await house.lobby.sit(fork.id, user(ANN), "Ann", 1)
    table = await house.lobby.start(fork.id, user(CY))
    table = await house.play.resign(table.id, user(CY))
    await house.settle()

    assert (table.phase, type(table.origin)) == (Phase.OVER, Forked)
    assert await results(house, table) == {}
    assert await ratings(house) == before
    (start,) = [row for row in await house.store.actions(table.id) if row.kind == "start"]
    assert start.payload is None

    file = await house.parlour.import_export.export(source.id, None)
    opened = await house.parlour.import_export.open(GUILD, CHANNEL, CY, file)

    with pytest.raises(Refused, match="Nobody here played this game"):
        await house.play.rollback(opened.id, 1, ADMIN)
    assert "101" not in file.decode()


async def test_a_finished_game_goes_on_after_a_rollback(house: House) -> None:
    await lose_game(house, BO, ANN)
    before = await ratings(house)
    table = await house.start(ANN, BO, mode="versus")
    table = await house.play_moves(table, TIE)
    await house.settle()
    assert table.phase is Phase.OVER
    assert await ratings(house) != before
    house.courier.take_shown()

    table = await house.play.rollback(table.id, 1, ADMIN)
    await house.settle()

    assert (table.phase, table.outcome) == (Phase.PLAY, None)
    assert await results(house, table) == {}
    assert await ratings(house) == before
    assert {kind for kind, _, _ in house.courier.take_shown()} >= {"board", "lobby"}
    await require_true(house)

    table = await house.play_moves(table, "yes")
    await house.settle()
    assert table.phase is Phase.OVER
    assert await ratings(house) != before
    await require_true(house)


async def test_an_older_game_that_changes_changes_all_that_came_after(house: House) -> None:
    first = await house.start(ANN, BO, mode="versus")
    first = await house.play_moves(first, TIE)
    later = await lose_game(house, BO, ANN)
    then = await results(house, later)

    await house.play.rollback(first.id, 1, ADMIN)
    await house.settle()

    now = await results(house, later)
    assert now["Ann"].before == FIRST
    assert now["Ann"].after != then["Ann"].after
    await require_true(house)


async def test_the_next_sweep_counts_after_a_crash(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.parlour, "on_game_end", lambda _table: None)
    table = await lose_game(house, BO, ANN)
    assert await ratings(house) == {}
    assert await house.store.standings.uncounted() == [(table.id, table.version)]

    again = house.restart()
    await again.parlour.resume()

    assert set(await ratings(again)) == {"Ann", "Bo"}
    await require_true(again)


async def test_a_crash_during_new_ratings_is_mended(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await lose_game(house, BO, ANN)
    second = await lose_game(house, ANN, BO)
    standings, store = house.parlour.standings, house.store.standings

    async def crash(*_: object) -> None:
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as patched:
        patched.setattr(store, "replace_ratings", crash)
        with pytest.raises(RuntimeError):
            await standings.recount(GUILD, RIBBON)
    assert len(await ratings(house)) == 2
    assert second.phase is Phase.OVER

    await standings.recount(GUILD, RIBBON)

    await require_true(house)


@pytest.mark.parametrize(
    ("later", "forgotten", "number", "left"),
    [
        ((ANN, CY), (), 0, {"Ann", "Cy"}),
        ((ANN, BO, CY), (ANN, BO), 0, {"Cy"}),
        ((ANN, CY), (ANN, BO), 1, set()),
    ],
    ids=["of people", "of former players", "of which one is left"],
)
async def test_an_erased_table_is_noticed_at_the_next_start(
    house: House,
    database: str,
    later: tuple[Occupant, ...],
    forgotten: tuple[Occupant, ...],
    number: int,
    left: set[str],
) -> None:
    tables = [await lose_game(house, BO, ANN), await lose_game(house, *later)]
    for gone in forgotten:
        await house.parlour.eraser.erase(user(gone))
    then = await ratings(house)

    await erase(database, tables[number].id)
    assert await ratings(house) == then
    again = house.restart()
    await again.parlour.standings.sweep()

    assert set(await ratings(again)) == left
    assert await ratings(again) != then
    await require_true(again)


@settings(max_examples=often(5, 12), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("lost"), st.permutations([ANN, BO, CY]), st.integers(2, 3)),
            st.tuples(st.just("tied"), st.permutations([ANN, BO, CY]), st.integers(0, 9)),
            st.tuples(st.just("rollback"), st.just([]), st.integers(0, 9)),
            st.tuples(st.just("erased"), st.just([]), st.integers(0, 9)),
            st.tuples(st.just("forgotten"), st.permutations([ANN, BO, CY]), st.just(0)),
        ),
        max_size=8,
    )
)
async def test_kept_ratings_are_always_those_of_the_histories(
    house: House, database: str, events: list[tuple[str, list[Occupant], int]]
) -> None:
    await erase(database)
    house = house.restart()
    for what, people, number in events:
        house.clock.now += MINUTE
        tables = sorted(await house.parlour.tables_in(GUILD, [Phase.OVER], 100), key=lambda one: one.id)
        chosen = tables[number % len(tables)] if tables else None
        match what:
            case "lost":
                await lose_game(house, *people[:number])
            case "tied":
                table = await house.start(*people[:2], mode="versus")
                await house.play_moves(table, TIE)
            case "rollback" if chosen is not None and await house.parlour.history.last_steps(chosen, 1):
                await house.play.rollback(chosen.id, 1, ADMIN)
                await house.play.close(chosen.id, ADMIN)
            case "forgotten":
                await house.parlour.eraser.erase(user(people[0]))
            case "erased" if chosen is not None:
                await erase(database, chosen.id)
                house = house.restart()
            case _:
                pass
        await house.settle()
        await house.parlour.standings.sweep()
        await require_true(house)


async def test_the_trend_goes_over_the_last_five_games(house: House) -> None:
    for _ in range(SURE_AFTER + 2):
        await lose_game(house, BO, ANN)

    (ann, _) = (await house.parlour.standings.leaderboard(GUILD, RIBBON, None, 0, 10)).rows

    assert (ann.name, ann.rank, ann.games, ann.wins) == ("Ann", 1, 7, 7)
    recent = list(ann.recent)
    assert len(recent) == SURE_AFTER + 1
    assert recent == sorted(recent)
    assert recent[-1] == ann.rating


async def test_a_tie_moves_equals_not_at_all_and_pauses_are_no_ones_turn(house: House) -> None:
    table = await house.start(ANN, BO, mode="versus")
    for move in TIE.split(";"):
        house.clock.now += MINUTE
        if move.strip() == "flip 5":
            await house.parlour.pauses.pause(table.id, user(ANN), None, admin=True)
            house.clock.now += 100 * MINUTE
            await house.parlour.pauses.resume(table.id, user(ANN), admin=True)
        table = await house.play_moves(table, move)

    rows = await results(house, table)

    turns = await house.parlour.record.turns(table)
    spent = sum(row.seconds for row in rows.values())
    assert spent == turns[-1].at - turns[0].at - 100 * MINUTE
    beats = {row.beat for row in await house.store.entry_headers(table.id) if row.beat is not None}
    assert sum(row.turns for row in rows.values()) == len(beats)

    assert {row.place for row in rows.values()} == {1}
    assert {row.games for row in await house.store.standings.ratings(GUILD, RIBBON)} == {1}
    now = await ratings(house)
    assert now["Ann"] == now["Bo"]
    await require_true(house)


async def test_a_name_that_has_changed_is_the_newest_one(house: House) -> None:
    await lose_game(house, BO, ANN)
    await lose_game(house, BO, Occupant("Anna", user(ANN)))
    assert set(await ratings(house)) == {"Anna", "Bo"}

    await house.parlour.standings.rename(GUILD, user(BO), "Robert")
    await house.parlour.standings.recount(GUILD, RIBBON)

    assert set(await ratings(house)) == {"Anna", "Robert"}
    profile = await house.parlour.standings.profile(GUILD, user(BO), user(BO))
    assert [row.name for row in profile.opponents] == ["Anna"]
