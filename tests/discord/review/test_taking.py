import json
from typing import Any

import pytest
from msgspec import Raw

from cogs.core import story
from tables.core.table import EVER, Forked, Phase, encode
from tables.review.format import LARGEST_FILE, Chair, DealFile, write
from tests.discord.stage import DiscordStage, form_of, pick, read_message
from tests.engines.cases import CASES
from tests.tables.house import arrange_deal
from tests.tables.stories import finish_story

DECK = "ABCDEFGHIJKLMNOPQR"


@pytest.fixture
async def over(stage: DiscordStage, place: Any) -> Any:
    await stage.finish_turn("Ann", place)
    asked = await stage["Bo"].slash(place, "table resign")
    await stage["Bo"].click(asked.response, label="Resign")
    assert (await stage.table()).phase is Phase.OVER
    return place


async def file_of(result: Any) -> tuple[str, bytes]:
    (attachment,) = result.response.attachments
    return attachment.filename, await attachment.read()


async def export_game(stage: DiscordStage, name: str, place: Any) -> bytes:
    _, data = await file_of(await stage[name].slash(place, "table export"))
    return data


def kitchen() -> bytes:
    """Return the file of a deal by hand."""
    return write(
        DealFile(
            game="ribbon",
            options=Raw(encode({"first": "host", "ribbon_choice": "after_hand"})),
            seats=[Chair("Granny"), Chair("<@101> *Tom*")],
            deal=Raw(encode(arrange_deal(DECK))),
        )
    )


async def test_a_finished_game_is_exported_whole_and_reopened(stage: DiscordStage, over: Any) -> None:
    answer = await stage["Dee"].slash(over, "table export")
    name, data = await file_of(answer)
    opened = await stage["Dee"].slash(stage.channel, "table import", file=(name, data))

    assert answer.ephemeral
    assert name == "ribbon-1.json"
    assert json.loads(data)["seats"] == [{"name": "Ann"}, {"name": "Bo"}]
    assert "Your game is at table 2" in opened.response.content
    table = await stage.table(2)
    assert (table.phase, table.people) == (Phase.OVER, [])
    thread = stage.channel.threads[-1]
    (post,) = stage.posts(thread)
    assert "I have it from a file" in post.text
    assert "Ann wins, because Bo is out." in post.text
    assert list(post.buttons) == ["Share", "Replay", "What decided it", "More"]
    assert post.files == ["result.png"]
    assert post.message.mentions == []
    assert await export_game(stage, "Cy", thread) == data
    more = await stage["Cy"].click(post.message, label="More")
    checked = await stage["Cy"].click(more.response, label="Check the deal")
    assert "All three are from this game's file" in checked.response.content
    assert "It matches" in checked.response.content


async def test_a_running_game_is_exported_as_its_asker_knows_it(stage: DiscordStage, place: Any) -> None:
    answer = await stage["Ann"].slash(place, "table export")
    _, data = await file_of(answer)

    assert "so far, with everything you're allowed to see" in read_message(answer.response).text
    assert json.loads(data)["viewer"] == 0
    assert (await stage.table()).seed.hex() not in data.decode()
    refused = await stage["Ann"].slash(stage.channel, "table import", file=("game.json", data))
    assert "before its game was over" in refused.response.content
    refused = await stage["Ann"].slash(place, "table import", file=("game.json", kitchen()))
    assert "not in a thread" in refused.response.content
    assert len(await stage.bot.app.parlour.tables_in(stage.guild.id, EVER)) == 1

    await stage.finish_turn("Ann", place)

    texts = {
        name: (await file_of(await stage[name].slash(place, "table log")))[1].decode()
        for name in ("Ann", "Bo", "Dee")
    }

    assert all("The game isn't over yet." in text for text in texts.values())
    hands = {
        card for name in ("Ann", "Bo") for hand in (await stage.view(name)).hands for card in hand if card
    }
    assert not any(f"card {card}" in texts["Dee"] for card in hands)


async def test_a_file_that_is_none_gets_a_sentence_and_makes_nothing(stage: DiscordStage) -> None:
    for data, text in (
        (b"", "isn't an exported game"),
        (b"\x89PNG", "isn't an exported game"),
        (b'{"format": "tangle-parlour", "version": 9}', "newer version"),
        (b" " * (LARGEST_FILE + 1), "too large"),
    ):
        refused = await stage["Ann"].slash(stage.channel, "table import", file=("game.json", data))
        assert refused.ephemeral
        assert text in refused.response.content
    assert await stage.bot.app.parlour.tables_in(stage.guild.id, EVER) == []


async def test_a_lobby_has_nothing_to_take_along(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")

    for command in ("table export", "table log", "table history"):
        refused = await stage["Ann"].slash(stage.channel, command)
        assert "hasn't begun" in refused.response.content
    refused = await stage["Ann"].slash(stage.channel, "table fork", at=0)
    assert "once it's over" in refused.response.content
    refused = await stage["Ann"].slash(stage.channel, "table board", words=True)
    assert "Table 1 hasn't begun, so there's no board yet" in refused.response.content


async def test_a_deal_by_hand_opens_a_lobby_whose_seats_are_chosen(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "table import", file=("deal.json", kitchen()))
    card = stage.card()
    assert "Someone set up this deal by hand" in card.text
    assert "*free*, \\<\\@101\\> \\*Tom\\*'s seat" in card.text
    assert card.message.mentions == []
    assert "Join" not in card.buttons

    await pick(stage["Ann"], card.message, "seat", "1")
    assert "*free*, Granny's seat" in stage.card().text
    await pick(stage["Bo"], stage.card().message, "seat", "0")
    assert list(form_of(await stage["Ann"].click(stage.card().message, label="Options"))) == ["thinking"]
    await stage["Ann"].click(stage.card().message, label="Start")

    thread = stage.channel.threads[-1]
    assert "with a deal that was set up by hand" in stage.post(thread).text
    assert (await stage.table()).names == ["Bo", "Ann"]
    verdict = await stage["Ann"].slash(thread, "table verify")
    assert "set up by hand" in verdict.response.content
    more = await stage["Cy"].click(stage.post(thread).message, label="More")
    assert "Check the deal" not in read_message(more.response).buttons


async def test_a_finished_game_is_forked_by_anybody_and_seats_typed(stage: DiscordStage, over: Any) -> None:
    offered = await stage["Cy"].autocomplete(over, "table fork", "at", "")
    assert [choice["name"] for choice in offered] == ["1 · Ann", "0 · the deal"]
    refused = await stage["Cy"].slash(over, "table fork", at=99)
    assert "Choose a turn from 0 to 1." in refused.response.content
    answer = await stage["Cy"].slash(over, "table fork", at=0)

    assert "Table 2 is open. [Go there](https://discord.com/channels/" in answer.response.content
    table = await stage.table(2)
    assert isinstance(table.origin, Forked)
    card = stage.card()
    assert "This game continues from the deal of table 1. It doesn't count for the ratings." in card.text
    assert card.values("seat") == ["1"]
    await pick(stage["Cy"], card.message, "computer", "strong")
    await stage["Cy"].click(stage.card().message, label="Start")
    thread = stage.channel.threads[-1]
    assert "continues from the deal of table 1" in stage.posts(thread)[0].text
    result = await stage["Cy"].slash(thread, "table verify")
    assert "Check the deal at the other table" in result.response.content

    await stage["Cy"].slash(over, "table fork", at=0)

    refused = await stage["Dee"].slash(stage.channel, "table join", table=3, seat=1)
    await stage["Dee"].slash(stage.channel, "table join", table=3, seat=2)
    shown = await stage["Eli"].slash(stage.channel, "table show", table=3)

    assert "That seat is taken" in refused.response.content
    assert (await stage.table(3)).names == ["Cy", "Dee"]
    assert "*free*" not in stage.card().text
    assert "2 of 2 seats taken" in read_message(shown.response).text
    assert "continues from the deal of table 1" in read_message(shown.response).text


async def test_the_first_post_of_a_fork_says_where_it_comes_from_however_much_it_tells(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "LINES", 2)
    data = finish_story(CASES[0], 1).file()
    await stage["Ann"].slash(stage.channel, "table import", file=("game.json", data))
    place, turns = stage.channel.threads[-1], await stage.bot.app.parlour.record.turns(await stage.table())
    await stage["Cy"].slash(place, "table fork", at=turns[-2].number)
    while (await stage.table(2)).taken < (await stage.table(2)).room:
        await pick(stage["Cy"], stage.card().message, "computer", "strong")

    await stage["Cy"].click(stage.card().message, label="Start")

    first = stage.posts(stage.channel.threads[-1])[0].text.splitlines()
    assert first[1] == f"This game continues from turn {turns[-2].number} of table 1. Good luck!"
    assert first[2].startswith("-# See **More** for ")


async def test_the_log_tells_the_whole_game_in_plain_words_and_the_history_has_its_button(
    stage: DiscordStage, over: Any
) -> None:
    history = await stage["Dee"].slash(over, "table history")
    export = await stage["Dee"].click(history.response, label="Export")
    log = await stage["Dee"].click(history.response, label="Log")
    answer = await stage["Dee"].slash(over, "table log")
    name, data = await file_of(answer)
    text = data.decode()

    assert export.ephemeral
    assert (await file_of(export))[1] == await export_game(stage, "Dee", over)
    assert log.ephemeral
    assert await file_of(log) == (name, data)
    assert answer.ephemeral
    assert name == "ribbon-1.txt"
    assert text.splitlines()[0] == "Ribbon Tangle, table 1"
    assert "Players: Ann, Bo" in text
    assert "Turn 1: Ann" in text
    assert "Ann flips" in text
    assert "Bo leaves the game." in text
    assert "The end: Ann wins, because Bo is out." in text
    assert not {"**", "\\", "`", "<t:", "-#"} & {
        mark for mark in ("**", "\\", "`", "<t:", "-#") if mark in text
    }
