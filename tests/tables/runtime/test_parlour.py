import asyncio

import msgspec
import pytest

from db.records import AuditRow, PostRow, ServerSettings
from engines.game import Strength
from tables.core.table import EVER, Phase, Refused, RematchExists, Table
from tests.engines.ribbon.games import NEARLY
from tests.tables.conftest import Dealt
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, GUILD, House, user


class ParlourSketch(msgspec.Struct):
    """A draft of some move."""

    swap: int


@pytest.fixture
async def past_game(house: House) -> Table:
    table = await house.gather(ANN, BO, mode="coop")
    await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)
    table = await house.lobby.start(table.id, user(ANN))
    return await house.play.resign(table.id, user(BO))


async def test_tables_are_found_by_server_place_and_person(house: House, lobby: Table) -> None:
    house.clock.now += 1
    game = await house.start(BO, CY)
    await house.parlour.keep_thread(game.id, 44)
    game = await house.parlour.table(game.id)

    assert await house.parlour.tables_in(GUILD) == [game, lobby]
    assert await house.parlour.tables_in(GUILD, limit=1) == [game]
    assert await house.parlour.tables_in(GUILD, [Phase.LOBBY]) == [lobby]
    assert await house.parlour.tables_at(CHANNEL) == [lobby]
    assert await house.parlour.tables_at(44) == [game]
    assert await house.parlour.tables_of(user(CY)) == [game]


async def test_ended_tables_are_found_only_on_request(house: House, past_game: Table) -> None:
    assert await house.parlour.tables_of(user(ANN)) == []
    assert await house.parlour.tables_of(user(ANN), EVER) == [past_game]


async def test_a_rematch_is_a_lobby_of_the_same_whose_host_asked(house: House, past_game: Table) -> None:
    again = await house.parlour.lobby.rematch(past_game.id, user(BO))

    assert (again.phase, again.host_id, again.options) == (Phase.LOBBY, user(BO), past_game.options)
    assert sorted(again.names) == sorted(past_game.names)
    assert again.seats[0] == BO
    assert again.seed != past_game.seed
    assert (await house.lobby.start(again.id, user(BO))).phase is Phase.PLAY


async def test_there_is_one_rematch_of_a_game(house: House, past_game: Table) -> None:
    answers = await asyncio.gather(
        house.parlour.lobby.rematch(past_game.id, user(ANN)),
        house.parlour.lobby.rematch(past_game.id, user(BO)),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers] == [Table, RematchExists]
    with pytest.raises(Refused, match=f"There's already a rematch: table {past_game.id + 1}"):
        await house.restart().parlour.lobby.rematch(past_game.id, user(ANN))
    assert len(await house.parlour.tables_of(user(ANN))) == 1


async def test_only_those_who_played_ask_for_a_rematch(house: House, past_game: Table) -> None:
    with pytest.raises(Refused, match="Only people who played here"):
        await house.parlour.lobby.rematch(past_game.id, user(CY))


async def test_a_game_that_goes_on_has_no_rematch(house: House, duel: Table) -> None:
    with pytest.raises(Refused, match="isn't over yet"):
        await house.parlour.lobby.rematch(duel.id, user(ANN))


async def test_a_rematch_leaves_the_finished_game_as_it_was(house: House, past_game: Table) -> None:
    state = await house.state(past_game)

    await house.parlour.lobby.rematch(past_game.id, user(ANN))

    after = await house.parlour.table(past_game.id)
    assert (after.phase, after.outcome, after.seats) == (Phase.OVER, past_game.outcome, past_game.seats)
    assert await house.state(after) == state
    assert await house.waiting(after) == await house.waiting(past_game)


async def test_a_draft_is_valid_for_the_version_that_it_was_made_from(house: House, deal_next: Dealt) -> None:
    deal_next(NEARLY)
    table = await house.start(ANN, BO, mode="coop")
    table = await house.play_moves(table, "flip 1; flip 2")
    await house.parlour.save_draft(table, 1, ParlourSketch(swap=3))
    await house.parlour.save_draft(table, 1, ParlourSketch(swap=4))

    assert await house.parlour.drafts.draft(table, 1, ParlourSketch) == ParlourSketch(swap=4)
    await house.parlour.resume()
    assert await house.restart().parlour.drafts.draft(table, 1, ParlourSketch) == ParlourSketch(swap=4)
    assert await house.parlour.drafts.draft(table, 0, ParlourSketch) is None
    table = await house.play_moves(table, "swap 1")
    assert await house.parlour.drafts.draft(table, 1, ParlourSketch) is None


async def test_settings_have_defaults_until_they_are_saved(house: House) -> None:
    assert await house.parlour.settings(GUILD) == ServerSettings(GUILD, None, "threads")

    await house.store.save_guild(ServerSettings(GUILD, 7, "channel"))

    assert await house.parlour.settings(GUILD) == ServerSettings(GUILD, 7, "channel")


async def test_an_admin_action_is_logged_with_its_time(house: House) -> None:
    await house.parlour.write_down(GUILD, 7, ADMIN, "kick", person=user(ANN))

    assert await house.store.administration.audit(GUILD) == [
        AuditRow(GUILD, 7, ADMIN, "kick", '{"person":101}', house.clock.now)
    ]


async def test_something_is_shown_anew_when_asked_for(house: House, duel: Table) -> None:
    await house.parlour.refresh(duel.id, "board", fresh=True)
    await house.parlour.refresh(duel.id, "hand", user(BO))
    await house.settle()

    assert house.courier.take_shown() == [("board", 0, True), ("hand", user(BO), False)]


async def test_a_message_that_answered_a_command_counts_as_delivered(house: House, lobby: Table) -> None:
    lobby = await house.lobby.join(lobby.id, user(BO), "Bo")

    await house.parlour.note_post(lobby, "lobby", 0, channel_id=CHANNEL, message_id=77, memo="memo")

    assert await house.waiting(lobby) == []
    assert await house.store.find_last_post(lobby.id, "lobby", 0) == PostRow(
        lobby.id, "lobby", 0, CHANNEL, 77, lobby.version, "memo"
    )


async def test_a_message_that_was_redrawn_at_a_press_need_not_be_shown_again(house: House) -> None:
    table = await house.gather(ANN)
    await house.parlour.note_post(table, "lobby", 0, CHANNEL, 77)
    table = await house.lobby.join(table.id, user(BO), "Bo")

    await house.parlour.note_shown(table, "lobby", 0)

    assert await house.waiting(table) == []
    post = await house.store.find_last_post(table.id, "lobby", 0)
    assert post is not None
    assert post.message_id == 77


async def test_an_edit_shows_what_happened_since_its_drawing(house: House, lobby: Table) -> None:
    older = await house.lobby.join(lobby.id, user(BO), "Bo")
    await house.lobby.join(lobby.id, user(CY), "Cy")

    await house.parlour.note_shown(older, "lobby", 0)

    assert ("lobby", 0, False) in await house.waiting(lobby)


async def test_a_table_that_was_never_opened_is_refused(house: House) -> None:
    with pytest.raises(Refused, match="There's no table 77"):
        await house.parlour.table(77)
