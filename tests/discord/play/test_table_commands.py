from typing import Any

from engines.registry import games
from tests.discord.stage import DiscordStage, pick, read_message


async def test_the_list_shows_open_tables_and_who_is_waited_for(stage: DiscordStage) -> None:
    empty = await stage["Cy"].slash(stage.channel, "table list")
    assert "No open tables here" in empty.response.content

    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    listed = await stage["Cy"].slash(stage.channel, "table list")

    assert "Ribbon Tangle with Ann and Bo" in read_message(listed.response).text
    assert "waiting for Ann" in read_message(listed.response).text


async def test_a_command_means_its_threads_or_the_only_table(stage: DiscordStage, place: Any) -> None:
    other = stage.guild.create_text_channel("elsewhere")

    here = await stage["Cy"].slash(place, "table show")
    there = await stage["Ann"].slash(other, "table show")
    nowhere = await stage["Cy"].slash(other, "table show")

    assert "**Table 1**" in read_message(here.response).text
    assert "**Table 1**" in read_message(there.response).text
    assert "No table here" in nowhere.response.content


async def test_one_who_sits_at_several_tables_says_which(stage: DiscordStage, place: Any) -> None:
    await stage.open("Ann", mode="solo")
    other = stage.guild.create_text_channel("elsewhere")

    asked = await stage["Ann"].slash(other, "table board")
    offered = await stage["Ann"].autocomplete(other, "table board", "table", "")
    named = await stage["Ann"].slash(other, "table board", table=2)

    assert "several tables" in asked.response.content
    assert {choice["value"] for choice in offered} == {1, 2}
    assert read_message(named.response).files == ["ribbon-table.png"]


async def test_a_hand_is_for_its_owner_alone(stage: DiscordStage, place: Any) -> None:
    own = await stage["Bo"].slash(place, "ribbon hand")
    strangers = await stage["Dee"].slash(place, "table hand")

    assert own.ephemeral
    assert read_message(own.response).files == ["ribbon-hand.png"]
    assert "don't play" in strangers.response.content
    assert all(message.flags.ephemeral for message in place.history(viewer=stage["Bo"])[-1:])


async def test_history_tells_what_happened_without_what_is_secret(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)

    result = await stage["Dee"].slash(place, "table history")

    text = read_message(result.response).text
    assert "Ann flips" in text
    hands = {
        card for name in ("Ann", "Bo") for hand in (await stage.view(name)).hands for card in hand if card
    }
    assert not any(f"card {card}" in text for card in hands)


async def test_history_is_leafed_through(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="coop", computers=2, first="host")
    for _ in range(3):
        asked = await stage.admin.slash(place, "admin skip")
        await stage.admin.click(asked.response, label="Yes, do it")
    answer = await stage["Ann"].slash(place, "table history")
    await stage["Ann"].click(answer.response, label="All lines")
    assert "page 2 of 2" in read_message(answer.response).text

    await stage["Ann"].click(answer.response, label="Earlier")

    assert "page 1 of 2" in read_message(answer.response).text
    assert "The game begins" in read_message(answer.response).text


async def test_the_promise_is_told_at_the_start_and_kept_later(stage: DiscordStage, place: Any) -> None:
    assert "The draw is fair. Anyone can check it at the end." in stage.post(place).text
    during = await stage["Bo"].slash(place, "table verify")
    assert "Seed" not in during.response.content
    promise = during.response.content.split("`")[1]
    assert promise not in stage.post(place).text

    await stage.finish(place)

    more = await stage["Bo"].click(stage.post(place).message, label="More")
    assert "Check the deal" in read_message(more.response).buttons
    assert "Seed" not in stage.post(place).text
    after = await stage["Bo"].slash(place, "table verify")
    assert promise in after.response.content
    assert "It matches" in after.response.content


async def test_commands_work_in_a_dm_for_those_who_sit_there(stage: DiscordStage, place: Any) -> None:
    shown = await stage["Ann"].user.slash("table board")
    strangers = await stage["Dee"].user.slash("table board", table=1)

    assert read_message(shown.response).files == ["ribbon-table.png"]
    assert "aren't at" in strangers.response.content


async def test_the_help_fits_on_one_screen_and_opens_tables_lessons_and_rules(stage: DiscordStage) -> None:
    answer = await stage["Dee"].slash(stage.channel, "help")

    assert answer.ephemeral
    assert len(read_message(answer.response).text) < 1500
    await stage["Dee"].click(answer.response, label="Play Ribbon Tangle")
    assert (await stage.table()).names == ["Dee"]

    lines = read_message(answer.response).menus["learn"]["options"]
    assert [line["label"] for line in lines] == [f"Learn {one.title}" for one in games()]
    assert "about 30 minutes" in next(line["description"] for line in lines if line["value"] == "tangle")
    await pick(stage["Dee"], answer.response, "learn", "tangle")
    table = await stage.table(2)
    assert (table.slug, table.learning, table.phase) == ("tangle", True, "play")

    answer = await stage["Dee"].slash(stage.channel, "help")
    opened = await pick(stage["Dee"], answer.response, "open", "ribbon")
    assert "tangled" in read_message(opened.response).text


async def test_every_picture_has_words_for_those_who_cannot_see_it(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)

    pictures = [a for m in place.history() for a in m.attachments]

    assert len(pictures) >= 2
    assert all(a.description and len(a.description) <= 1024 for a in pictures)
