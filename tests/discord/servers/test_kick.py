"""`/admin kick`: what is said before it, what comes of it, and who is mentioned after a seat has changed."""

from typing import Any

import pytest

from tests.discord.stage import DiscordStage, pick, read_message

pytestmark = pytest.mark.slow
COOP: dict[str, Any] = {"mode": "coop", "first": "host", "ribbon_choice": "random"}


async def ask_kick(stage: DiscordStage, name: str) -> Any:
    player = stage[name]
    return (await stage.admin.slash(stage.channel, "admin kick", player=player, table=1)).response


async def kick(stage: DiscordStage, name: str) -> str:
    question = await ask_kick(stage, name)
    return read_message((await stage.admin.click(question, label="Yes, do it")).response).text


def find_mentions(stage: DiscordStage, place: Any) -> list[str]:
    """Return the people that the newest post mentions."""
    return [user.display_name for user in stage.post(place).message.mentions]


async def test_the_question_before_a_kick_says_that_a_computer_plays_on_for_good(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **COOP)

    question = read_message(await ask_kick(stage, "Ann")).text

    assert "**Kick Ann from table 1?** A computer takes their seat. You can't undo this." in question


async def test_a_kick_offers_the_seat_to_people_who_look_as_its_question_says(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    search = await stage["Cy"].slash(stage.channel, "looking")
    await pick(stage["Cy"], search.response, "games", "ribbon")

    question = await ask_kick(stage, "Ann")
    assert "People who look for a game can take the seat" in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert "I'm offering Ann's seat at table 1 to people who look" in read_message(question).text


async def test_the_last_persons_kick_closes_the_table_and_makes_nobody_win(stage: DiscordStage) -> None:
    place = await stage.open("Ann", computers=1, mode="versus")

    question = await ask_kick(stage, "Ann")
    assert "the table would close without a result" in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    table = await stage.table()
    assert (table.phase, table.outcome) == ("closed", None)
    assert (
        "removed the last player from the table, so the game ends without a result" in stage.post(place).text
    )


async def test_a_lone_hosts_kick_closes_the_lobby_as_its_question_says(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tangle new", computers=1)

    question = await ask_kick(stage, "Ann")
    assert "Nobody else is there, so the lobby closes." in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert (await stage.table()).phase == "closed"


async def test_kicking_a_host_announces_the_next_one(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tesla new")
    await stage["Bo"].click(stage.card().message, label="Join")

    question = await ask_kick(stage, "Ann")
    assert "They can join again. Bo becomes the host." in read_message(question).text
    await stage.admin.click(question, label="Yes, do it")

    assert (await stage.table()).host_id == stage["Bo"].id
    result = stage["Ann"].user.dm_channel.history()[-1]
    assert (
        "An admin removed you from **Tesla's Tangle**, table 1, before its game began."
        in read_message(result).text
    )


async def test_a_kick_that_would_do_something_else_by_now_is_not_carried_out(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **COOP)
    question = await ask_kick(stage, "Ann")
    await kick(stage, "Bo")

    answer = await stage.admin.click(question, label="Yes, do it")

    assert "has changed" in answer.response.content
    table = await stage.table()
    assert (table.phase, table.seat_of(stage["Ann"].id)) == ("play", 0)


async def test_a_kick_mentions_the_player_to_move_once(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", **COOP)
    assert find_mentions(stage, place) == ["Ann"]

    await kick(stage, "Bo")

    assert find_mentions(stage, place) == ["Ann"]
    assert "An admin removed Bo from the table. A computer player takes the seat." in stage.post(place).text


async def test_a_takeover_mentions_the_player_to_move(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **COOP)

    await stage["Ann"].slash(place, "table offer", member=stage["Dee"])
    await stage["Dee"].click(stage.post(place).message, label="Agree")

    assert await stage.due() == ["Dee"]
    assert find_mentions(stage, place) == ["Dee"]


async def test_the_player_to_move_is_not_pinged_again_when_another_leaves(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", **COOP)
    more = await stage["Bo"].click(stage.post(place).message, label="More")
    leaving = await stage["Bo"].click(more.response, label="Leave the game")

    await stage["Bo"].click(leaving.response, label="Let a computer take my seat")

    assert find_mentions(stage, place) == []


async def test_a_person_who_lost_a_seat_reads_who_has_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **COOP)
    await stage.admin.slash(place, "admin replace", player=stage["Bo"], by=stage["Dee"])
    for name in ("Ann", "Dee"):
        await stage[name].click(stage.post(place).message, label="Agree")

    text = "\n".join(read_message(message).text for message in stage["Bo"].user.dm_channel.history())
    assert "An admin gave Dee your seat at **Ribbon Tangle**, table 1. The others agreed." in text


@pytest.mark.any_game
@pytest.mark.parametrize("game", ["ribbon", "tangram", "tanglewood", "tangle", "tesla"])
async def test_a_kick_does_what_its_question_says_in_every_game(stage: DiscordStage, game: str) -> None:
    others = ("Bo", "Cy") if game == "tanglewood" else ("Bo",)
    await stage.open("Ann", *others, game=game)

    assert "A computer takes Ann's seat" in await kick(stage, "Ann")
    for name in others[:-1]:
        await kick(stage, name)
    assert (await stage.table()).people == [stage[others[-1]].id]
    assert "was the last one at table 1, so it's closed" in await kick(stage, others[-1])

    table = await stage.table()
    assert (table.phase, table.outcome) == ("closed", None)


async def test_whom_to_kick_is_chosen_in_the_panel(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **COOP)
    panel = (await stage.admin.slash(stage.channel, "admin panel")).response
    await pick(stage.admin, panel, "page", "tables")
    await pick(stage.admin, panel, "choose", "1")
    await stage.admin.click(panel, label="Kick…")
    await pick(stage.admin, panel, "whom", str(stage["Bo"].id))

    await stage.admin.click(panel, label="Yes, do it")

    assert "A computer takes Bo's seat at table 1." in read_message(panel).text
