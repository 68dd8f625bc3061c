import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from db.records import AuditRow, ServerSettings
from db.store import Store
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from engines.tangle.pieces.components import TangleOptions as Tangle
from tables.core.change import MOST_OPEN
from tables.core.table import OPEN, Occupant, Phase, Refused, Table
from tables.core.turns import EXPIRES_AFTER
from tables.lobby import decisions as lobby_decisions
from tables.lobby.decisions import require_opening, seat_order
from tables.lobby.invitations import SECONDS, TableLists
from tables.servers.audit import Details, entry_of
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, user


async def test_opening_a_table_makes_its_host_sit_first(house: House) -> None:
    table = await house.gather(ANN, mode="coop")

    assert (table.guild_id, table.channel_id, table.thread_id) == (GUILD, CHANNEL, None)
    assert (table.host_id, table.seats) == (user(ANN), (ANN,))
    assert (table.phase, table.version, table.owing) == (Phase.LOBBY, 0, ())
    assert table.options == RibbonOptions(mode="coop")
    assert await house.restart().parlour.table(table.id) == table


async def test_others_are_seated_as_there_is_room_and_every_table_has_its_own_secret(house: House) -> None:
    table = await house.gather(ANN, BO, CY, DEE)

    assert table.seats == (ANN, BO, CY)

    tables = [await house.gather(ANN), await house.gather(ANN)]

    assert len({table.seed for table in tables}) == len({table.salt for table in tables}) == 2


async def test_a_computer_hosts_no_table_and_nobody_joins_a_game_for_one(house: House) -> None:
    with pytest.raises(ValueError, match="a person"):
        await house.gather(Occupant("Ada", None, Strength.STRONG))

    table = await house.gather(ANN, mode="solo")

    with pytest.raises(Refused, match="is for one player"):
        await ask(house, table, "join", DEE)


async def test_nobody_has_more_open_tables_than_they_can_checking(house: House) -> None:
    tables = [await house.gather(ANN, BO) for _ in range(MOST_OPEN)]

    with pytest.raises(Refused, match=f"already at {MOST_OPEN} open tables"):
        await house.gather(BO)

    await house.decide(tables[0].id, lobby_decisions.cancel, user_id=user(ANN))
    assert (await house.gather(BO)).host_id == user(BO)


async def test_people_join_in_turn_and_leave_a_free_seat(house: House, lobby: Table) -> None:
    await house.lobby.join(lobby.id, user(BO), "Bo")

    lobby = await house.lobby.join(lobby.id, user(CY), "Cy")

    assert lobby.seats == (ANN, BO, CY)
    assert await house.history(lobby) == ["join", "join"]
    assert await house.restart().parlour.table(lobby.id) == lobby
    lobby = (await house.decide(lobby.id, lobby_decisions.leave, user_id=user(BO))).table
    assert (lobby.seats, lobby.host_id) == ((ANN, CY), user(ANN))
    assert await house.restart().parlour.table(lobby.id) == lobby


async def test_of_two_who_want_the_last_seat_one_gets_it(house: House) -> None:
    table = await house.gather(ANN, BO)

    answers = await asyncio.gather(
        house.lobby.join(table.id, user(CY), "Cy"),
        house.lobby.join(table.id, user(DEE), "Dee"),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers].count(Refused) == 1
    assert len((await house.parlour.table(table.id)).seats) == 3


async def test_after_the_host_the_next_person_is_host_and_sits_first(house: House, lobby: Table) -> None:
    lobby = await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)
    computer = lobby.seats[1]
    await house.lobby.join(lobby.id, user(BO), "Bo")

    lobby = (await house.decide(lobby.id, lobby_decisions.leave, user_id=user(ANN))).table

    assert (lobby.seats, lobby.host_id) == ((BO, computer), user(BO))
    assert await house.restart().parlour.table(lobby.id) == lobby


async def test_the_last_person_to_leave_closes_the_table(house: House, lobby: Table) -> None:
    await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)

    lobby = (await house.decide(lobby.id, lobby_decisions.leave, user_id=user(ANN))).table

    assert lobby.phase is Phase.CLOSED
    assert await house.parlour.tables_of(user(ANN)) == []
    with pytest.raises(Refused, match="was closed"):
        await house.lobby.join(lobby.id, user(BO), "Bo")


async def test_an_administrator_takes_anybody_from_a_seat(house: House) -> None:
    table = await house.gather(ANN, BO)
    table = await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)

    table = (await house.decide(table.id, lobby_decisions.remove_computer, user_id=user(ANN))).table
    assert table.seats == (ANN, BO)

    table = await house.parlour.kick(table.id, user(ANN), ADMIN)
    assert (table.seats, table.host_id) == ((BO,), user(BO))

    table = await house.parlour.kick(table.id, user(BO), ADMIN)
    assert table.phase is Phase.CLOSED


async def test_computers_have_names_that_nobody_else_has(house: House) -> None:
    table = await house.gather(Occupant("Ada", 7))
    await house.lobby.add_computer(table.id, 7, Strength.MEDIUM)

    table = await house.lobby.add_computer(table.id, 7, Strength.STRONG)

    assert len(set(table.names)) == 3
    assert [occupant.strength for occupant in table.seats] == [None, Strength.MEDIUM, Strength.STRONG]
    assert table.people == [7]


async def test_the_computer_that_came_last_goes_first(house: House, lobby: Table) -> None:
    first = await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)
    await house.lobby.add_computer(lobby.id, user(ANN), Strength.STRONG)

    assert (
        (await house.decide(lobby.id, lobby_decisions.remove_computer, user_id=user(ANN))).table
    ).seats == first.seats
    assert (
        (await house.decide(lobby.id, lobby_decisions.remove_computer, user_id=user(ANN))).table
    ).seats == (ANN,)
    with pytest.raises(Refused, match="no computer players"):
        await house.decide(lobby.id, lobby_decisions.remove_computer, user_id=user(ANN))


async def test_options_can_be_changed_while_they_fit_those_who_sit_there(house: House, lobby: Table) -> None:
    solo = RibbonOptions(mode="solo", difficulty="hard")

    lobby = await house.lobby.set_terms(lobby.id, user(ANN), options=solo)

    assert lobby.options == solo
    assert await house.restart().parlour.table(lobby.id) == lobby
    await house.lobby.set_terms(lobby.id, user(ANN), options=RibbonOptions(mode="coop"))
    await house.lobby.join(lobby.id, user(BO), "Bo")
    with pytest.raises(Refused, match="for 1 player at most, and 2 are here"):
        await house.lobby.set_terms(lobby.id, user(ANN), options=solo)


async def test_a_cancelled_table_is_closed_without_a_game(house: House) -> None:
    table = await house.gather(ANN, BO)

    table = (await house.decide(table.id, lobby_decisions.cancel, user_id=user(ANN))).table

    assert (table.phase, table.deal, table.outcome) == (Phase.CLOSED, None, None)
    with pytest.raises(Refused, match="was closed"):
        await house.lobby.start(table.id, user(ANN))


async def ask(house: House, table: Table, wish: str, who: Occupant) -> None:
    """Let somebody ask a lobby for something."""
    if wish in {"join", "add_computer", "start"}:
        more: dict[str, Any] = {"join": "Cy", "add_computer": Strength.MEDIUM}
        await getattr(house.lobby, wish)(table.id, user(who), *([more[wish]] if wish in more else ()))
    elif wish == "set_terms":
        await house.lobby.set_terms(table.id, user(who), options=RibbonOptions())
    else:
        await house.decide(table.id, getattr(lobby_decisions, wish), user_id=user(who))


HOSTS = "Only the host, Ann, can do that"


@pytest.mark.parametrize(
    ("people", "who", "wish", "reason"),
    [
        ((ANN,), ANN, "join", "You're already at this table"),
        ((ANN, BO, CY), DEE, "join", "All 3 seats are taken"),
        ((ANN,), BO, "leave", "You aren't at this table"),
        ((ANN, BO, CY), ANN, "add_computer", "Every seat is taken"),
        ((ANN,), ANN, "start", r"are for 2 or 3 players, and 1 is here\. Add a computer player"),
        *(
            ((ANN, BO), BO, wish, HOSTS)
            for wish in ("add_computer", "remove_computer", "set_terms", "cancel", "start")
        ),
    ],
)
async def test_a_wish_is_refused_with_its_reason(
    house: House, people: tuple[Occupant, ...], who: Occupant, wish: str, reason: str
) -> None:
    table = await house.gather(*people)

    with pytest.raises(Refused, match=reason):
        await ask(house, table, wish, who)

    assert await house.restart().parlour.table(table.id) == table


async def test_a_game_starts_with_a_deal_and_somebody_who_owes_a_move(house: House) -> None:
    table = await house.gather(ANN, BO, first="host", ribbon_choice="random")

    table = await house.lobby.start(table.id, user(ANN))

    assert (table.phase, table.version, table.owing) == (Phase.PLAY, 1, (0,))
    assert table.deal is not None
    assert await house.restart().parlour.table(table.id) == table


@pytest.mark.parametrize("wish", ["join", "leave", "add_computer", "set_terms", "cancel", "start"])
async def test_the_lobby_is_closed_once_the_game_has_begun(house: House, wish: str, duel: Table) -> None:
    with pytest.raises(Refused, match="has already begun"):
        await ask(house, duel, wish, CY if wish == "join" else ANN)

    assert await house.restart().parlour.table(duel.id) == duel


@pytest.mark.parametrize("wish", ["join", "leave", "set_terms", "cancel"])
async def test_each_change_of_a_lobby_asks_for_its_card_to_be_redrawn(house: House, wish: str) -> None:
    table = await house.gather(ANN, BO)

    await ask(house, table, wish, CY if wish == "join" else ANN)

    assert ("lobby", 0, False) in await house.waiting(table)


async def test_a_table_is_touched_when_something_happens_at_it(house: House, lobby: Table) -> None:
    house.clock.now += 60

    touched = await house.lobby.join(lobby.id, user(BO), "Bo")

    touched_at = lobby.created_at + 60
    assert touched == replace(
        lobby, version=1, seats=(ANN, BO), touched_at=touched_at, due_at=touched_at + EXPIRES_AFTER
    )


async def test_seats_are_drawn_from_the_tables_own_seed_for_a_game_that_wants_it(house: House) -> None:
    table = await house.gather(ANN, BO, CY)
    assert seat_order(table) == [ANN, BO, CY]

    other = replace(table, slug="tangle", options=Tangle())
    drawn = [seat_order(replace(other, seed=bytes([number]))) for number in range(40)]

    assert all(sorted(order, key=str) == sorted((ANN, BO, CY), key=str) for order in drawn)
    assert len({order[0] for order in drawn}) == 3
    assert drawn[0] == seat_order(replace(other, seed=bytes([0])))


GAMES, LOUNGE, PLAYERS = 10, 11, 20


@pytest.mark.parametrize(
    ("open_in", "role", "channel", "roles", "refused"),
    [
        ((), None, LOUNGE, [], None),
        ((GAMES, LOUNGE), None, LOUNGE, [], None),
        ((GAMES,), None, LOUNGE, [], f"Open yours in <#{GAMES}>"),
        ((), PLAYERS, LOUNGE, [PLAYERS, 21], None),
        ((), PLAYERS, LOUNGE, [21], f"Only members of <@&{PLAYERS}>"),
        ((GAMES,), PLAYERS, GAMES, [], f"Only members of <@&{PLAYERS}>"),
    ],
)
def test_tables_are_opened_where_and_by_whom_the_server_says(
    open_in: tuple[int, ...], role: int | None, channel: int, roles: list[int], refused: str | None
) -> None:
    settings = ServerSettings(GUILD, open_in=open_in, open_role_id=role)

    if refused is None:
        require_opening(settings, channel, roles)
    else:
        with pytest.raises(Refused, match=refused):
            require_opening(settings, channel, roles)


async def test_a_server_without_computers_has_none_at_new_tables_or_rematches(house: House) -> None:
    table = await house.gather(ANN, mode="coop")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(table.id, user(ANN))
    await house.play.close(table.id, ADMIN)
    await house.store.save_guild(ServerSettings(GUILD, computers=False))
    lobby = await house.gather(ANN)

    with pytest.raises(Refused, match="Computer players are off"):
        await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)
    again = await house.parlour.lobby.rematch(table.id, user(ANN))

    assert again.names == ["Ann"]


@pytest.mark.parametrize(
    ("detail", "read"), [("", Details()), ('{"person":101}', Details(person=101)), ("{", Details(what="{"))]
)
def test_an_action_tells_its_details_and_a_damaged_one_what_is_left(detail: str, read: Details) -> None:
    assert entry_of(AuditRow(GUILD, 7, ADMIN, "kick", detail, 5.0)).details == read


async def test_a_table_moves_with_its_posts_and_keeps_no_old_thread(house: House) -> None:
    table = await house.start(ANN, BO, mode="versus")
    await house.parlour.keep_thread(table.id, 55)

    moved = await house.parlour.moving.move(table.id, ADMIN, LOUNGE)

    assert (moved.channel_id, moved.thread_id) == (LOUNGE, None)
    row = await house.store.table(table.id)
    assert row is not None
    assert (row.channel_id, row.thread_id) == (LOUNGE, None)
    with pytest.raises(Refused, match="is already in <#11>"):
        await house.parlour.moving.move(table.id, ADMIN, LOUNGE)

    with pytest.raises(Refused, match="has changed"):
        await house.parlour.keep_thread(table.id, 55, CHANNEL)

    assert (await house.parlour.table(table.id)).thread_id is None


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the queries that reach the database."""
    asked: list[str] = []

    def counted(name: str) -> Any:
        query = getattr(Store, name)

        def ask(*args: Any, **how: Any) -> Any:
            asked.append(name)
            return query(*args, **how)

        return ask

    for name in ("tables_in", "tables_at", "tables_of", "seats", "seats_of"):
        monkeypatch.setattr(Store, name, counted(name))
    return asked


async def test_seats_of_all_tables_are_read_in_one_query(house: House, queries: list[str]) -> None:
    for _ in range(5):
        await house.gather(ANN, BO)
    queries.clear()

    tables = await house.parlour.tables_in(GUILD)

    assert [table.names for table in tables] == [["Ann", "Bo"]] * 5
    assert queries == ["tables_in", "seats_of"]


async def test_a_fresh_answer_is_not_asked_for_again(house: House, queries: list[str]) -> None:
    await house.gather(ANN)
    recent = house.parlour.table_lists
    queries.clear()

    for _ in range(3):
        assert len(await recent.tables_in(GUILD)) == 1
        assert len(await recent.tables_at(CHANNEL)) == 1
        assert len(await recent.tables_of(user(ANN))) == 1
        assert await recent.tables_of(user(ANN), [Phase.OVER]) == []

    assert [query for query in queries if query != "seats_of"] == [
        "tables_in",
        "tables_at",
        "tables_of",
        "tables_of",
    ]


async def test_changes_here_show_at_once(house: House) -> None:
    recent = house.parlour.table_lists
    assert await recent.tables_in(GUILD) == []
    assert await recent.tables_of(user(BO)) == []

    table = await house.gather(ANN)
    assert await recent.tables_in(GUILD) == [table]

    table = await house.lobby.join(table.id, user(BO), "Bo")
    assert await recent.tables_of(user(BO)) == [table]
    assert await recent.tables_at(CHANNEL) == [table]
    assert await recent.tables_of(user(CY)) == []


async def test_changes_elsewhere_show_within_seconds() -> None:
    now, answers = [0.0], [["first"], ["second"]]

    async def query(_subject: int, _phases: Sequence[Phase] = OPEN) -> Any:
        return answers.pop(0)

    recent = TableLists(query, query, query, timer=lambda: now[0])
    seen: list[Any] = []
    for seconds in (0.0, SECONDS - 0.1, 0.2):
        now[0] += seconds
        seen.append(await recent.tables_in(GUILD))

    assert seen == [["first"], ["first"], ["second"]]
