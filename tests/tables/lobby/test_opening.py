import pytest

from db.records import AuditRow, ServerSettings
from engines.game import Strength
from tables.core.table import Refused
from tables.lobby.decisions import require_opening
from tables.servers.audit import Details, entry_of
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, GUILD, House, user

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


async def test_a_server_without_computer_players_has_none_at_new_tables_nor_at_rematches(
    house: House,
) -> None:
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


async def test_a_table_moves_with_its_posts_and_forgets_its_thread(house: House) -> None:
    table = await house.start(ANN, BO, mode="versus")
    await house.parlour.keep_thread(table.id, 55)

    moved = await house.parlour.moving.move(table.id, ADMIN, LOUNGE)

    assert (moved.channel_id, moved.thread_id) == (LOUNGE, None)
    row = await house.store.table(table.id)
    assert row is not None
    assert (row.channel_id, row.thread_id) == (LOUNGE, None)
    with pytest.raises(Refused, match="is already in <#11>"):
        await house.parlour.moving.move(table.id, ADMIN, LOUNGE)


async def test_a_thread_that_was_made_for_the_old_channel_is_not_kept(house: House) -> None:
    table = await house.start(ANN, BO, mode="versus")
    await house.parlour.moving.move(table.id, ADMIN, LOUNGE)

    with pytest.raises(Refused, match="has changed"):
        await house.parlour.keep_thread(table.id, 55, CHANNEL)

    assert (await house.parlour.table(table.id)).thread_id is None
