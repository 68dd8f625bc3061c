"""Menus on people and on posts do what their commands and buttons do, with the same checks."""

from random import Random
from typing import Any

from cogs.menus import MENUS, NO_LOBBY, NO_POST
from tests.discord.stage import DiscordStage, pick, read_message


async def choose(stage: DiscordStage, who: str, name: str, target: Any, place: Any = None) -> Any:
    return await stage[who].context_menu(place or stage.channel, name, target)


async def test_a_menu_on_a_person_invites_them_to_the_only_table_or_asks_to_which(
    stage: DiscordStage,
) -> None:
    none = await choose(stage, "Ann", "Invite to a table", stage["Bo"])
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop")
    one = await choose(stage, "Ann", "Invite to a table", stage["Bo"])
    await stage["Ann"].slash(stage.channel, "tesla new")
    two = await choose(stage, "Ann", "Invite to a table", stage["Cy"])
    await pick(stage["Ann"], two.response, "invite", "2")
    own = await choose(stage, "Ann", "Invite to a table", stage["Ann"])

    assert NO_LOBBY in none.response.content
    assert "I've invited Bo to table 1" in one.response.content
    assert "Where do you want to invite Cy?" in read_message(two.response).text
    assert "invites you to **Tesla's Tangle**" in read_message(stage["Cy"].user.dm_channel.history()[-1]).text
    assert "That's you" in own.response.content


async def test_a_menu_on_a_person_shows_their_profile_and_opens_a_rematch(stage: DiscordStage) -> None:
    early = await choose(stage, "Ann", "Play rematch", stage["Bo"])
    await stage.finish(await stage.open("Ann", "Bo", mode="versus"))
    profile = await choose(stage, "Cy", "Profile", stage["Bo"])
    again = await choose(stage, "Ann", "Play rematch", stage["Bo"])

    assert "You haven't finished a game with Bo here yet" in early.response.content
    assert profile.ephemeral
    assert read_message(profile.response).files == ["standings.png"]
    assert not again.ephemeral or "Table 2 is open" in again.response.content
    assert set((await stage.table(2)).people) == {stage["Ann"].id, stage["Bo"].id}


async def test_menus_on_a_post_read_it_tell_what_happened_and_open_a_sandbox_of_its_turn(
    stage: DiscordStage,
) -> None:
    place = await stage.open("Ann", game="tesla", computers=1, private=True)
    first, record = stage.post(place).message, stage.bot.app.parlour.record
    begun = (await record.turns(await stage.table()))[-1].number
    await stage.wait(60)
    await stage.act("Ann", place, Random(1))
    await stage.wait(5)
    newest = stage.post(place).message
    turns = await record.turns(await stage.table())
    own = [turn.number for turn in turns if (await stage.table()).seat_of(stage["Ann"].id) in turn.seats][-1]

    read = await choose(stage, "Ann", "Read it to me", newest, place)
    happened = await choose(stage, "Ann", "What happened", newest, place)
    now = await choose(stage, "Ann", "Try from here", newest, place)
    earlier = await choose(stage, "Ann", "Try from here", first, place)
    stranger = await choose(stage, "Cy", "Read it to me", newest, place)

    assert all(one.ephemeral for one in (read, happened, now, earlier, stranger))
    assert read_message(read.response).text.startswith("**What changed last**")
    assert f"**Turn {own + 1} of {turns[-1].number}**" in read_message(happened.response).text
    assert f"tp:study:open:1:0:{turns[-1].number}.computers" in str(read_message(now.response).components)
    assert f"tp:study:open:1:0:{begun}.computers" in str(read_message(earlier.response).components)
    assert "private" in stranger.response.content


async def test_a_menu_on_anything_else_says_so(stage: DiscordStage) -> None:
    said = await stage["Bo"].send(stage.channel, "table 1")
    for name in list(MENUS)[3:]:
        answer = await choose(stage, "Ann", name, said)
        assert answer.ephemeral
        assert NO_POST in answer.response.content
