from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from db.connection.writer import DatabaseUnavailable
from engines.game import Thinking
from engines.registry import game
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from tests.discord.review.test_taking import kitchen
from tests.discord.stage import DiscordStage, fill, form_of, read_message


@pytest.fixture
async def lobby(stage: DiscordStage) -> DiscordStage:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    return stage


async def test_a_new_table_shows_free_seats_taken_by_button_and_command(lobby: DiscordStage) -> None:
    card = lobby.card()

    assert "Ribbon Tangle · table 1" in card.text
    assert "Versus for 2 or 3" in card.text
    assert card.text.count("free") == 2
    assert "easy to learn" in card.text
    assert card.buttons["Start"]["disabled"]
    assert card.buttons["Start"]["style"] == discord.ButtonStyle.success.value
    assert card.buttons["Join"]["style"] == discord.ButtonStyle.secondary.value
    assert "The game needs 1 more player or a computer." in card.text
    rules = await lobby["Dee"].click(card.message, label="Rules")
    assert rules.ephemeral

    await lobby["Bo"].click(lobby.card().message, label="Join")
    await lobby["Cy"].slash(lobby.channel, "table join")
    assert (await lobby.table()).names == ["Ann", "Bo", "Cy"]
    assert lobby.card().buttons["Join"]["disabled"]

    await lobby["Bo"].click(lobby.card().message, label="Leave")
    await lobby["Cy"].slash(lobby.channel, "table leave")

    assert (await lobby.table()).names == ["Ann"]
    assert lobby.card().text.count("free") == 2


async def test_the_host_changes_the_options_in_one_form(lobby: DiscordStage) -> None:
    assert "move quickly" not in lobby.card().text

    wish = {"mode": "solo", "difficulty": "hard", "ribbon_choice": "random", "thinking": "quick"}
    answer = await fill(lobby["Ann"], lobby.card().message, "Options", wish)

    assert not answer.ephemeral
    table = await lobby.table()
    assert (table.options.mode, table.options.difficulty, table.thinking) == ("solo", "hard", Thinking.QUICK)
    assert table.options.ribbon_choice == RibbonOptions().ribbon_choice  # it's for versus alone
    assert "Strong computers move quickly and play a bit weaker." in lobby.card().text
    assert "Solo, hard" in lobby.card().text
    assert not lobby.card().buttons["Start"]["disabled"]
    await lobby["Bo"].slash(lobby.channel, "ribbon new", computers=1, strength="strong", thinking="quick")
    assert (await lobby.table(2)).thinking is Thinking.QUICK


async def test_options_that_are_for_fewer_people_are_refused_as_a_whole(lobby: DiscordStage) -> None:
    await lobby["Bo"].click(lobby.card().message, label="Join")

    refused = await fill(lobby["Ann"], lobby.card().message, "Options", mode="solo", thinking="quick")

    assert "Someone has to leave first" in read_message(refused.response).text
    table = await lobby.table()
    assert (table.options.mode, table.thinking) == ("versus", Thinking.USUAL)


@pytest.mark.parametrize(("hidden", "strength"), [(False, "easy"), (True, "medium")])
async def test_computers_beside_a_host_who_hides_tell_nothing(
    stage: DiscordStage, hidden: bool, strength: str
) -> None:
    await stage["Ann"].slash(stage.channel, "me hide", hidden=hidden)

    await stage["Ann"].slash(stage.channel, "ribbon new", computers=1)

    assert (await stage.table()).seats[1].strength == strength
    assert ("suggested" in str(stage.card().menus["computer"])) is not hidden


async def test_where_computers_are_off_only_lessons_have_them(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", computers=False)
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    assert "computer" not in stage.card().menus
    assert "The game needs 1 more player." in stage.card().text
    options = form_of(await stage["Ann"].click(stage.card().message, label="Options"))
    assert "thinking" not in options

    await stage["Ann"].slash(stage.channel, "tesla learn")
    refused = await stage["Ann"].slash(stage.channel, "tesla new", computers=1)

    assert (await stage.table(2)).phase == "play"
    assert "Computer players are off" in refused.response.content


async def test_the_start_opens_a_thread_of_the_longest_life_and_sends_the_hands(lobby: DiscordStage) -> None:
    await lobby["Bo"].click(lobby.card().message, label="Join")

    await lobby["Ann"].click(lobby.card().message, label="Start")

    thread = lobby.find_channel(lobby.channel.threads[0])
    assert thread.auto_archive_duration == 10080
    assert thread.name == "Ribbon Tangle 1: Ann, Bo"
    assert "The draw is fair. Anyone can check it at the end." in lobby.post(lobby.channel.threads[0]).text
    assert f"/{thread.id}" in lobby.card().text
    assert not lobby.card().buttons


async def test_hands_come_by_dm_once_ribbons_are_chosen_and_never_before(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="blind", first="host")
    assert stage["Ann"].user.dm_channel.history() == []

    for name, ribbon in (("Ann", "Green"), ("Bo", "Orange")):
        result, _ = await stage.panel(name, place)
        await stage[name].click(result.response, label=ribbon)

    for name in ("Ann", "Bo"):
        dm = read_message(stage[name].user.dm_channel.history()[-1])
        assert dm.files == ["ribbon-hand.png"]
        assert {"Take turn", "To the table"} <= set(dm.buttons)


async def test_a_rematch_seats_the_same_people_and_again_if_closed(stage: DiscordStage, over: Any) -> None:
    end = stage.post(over).message

    answer = await stage["Bo"].click(end, label="Rematch")
    again = await stage["Ann"].click(end, label="Rematch")

    table = await stage.table(2)
    link = answer.response.content.partition("[Go there]")[2]
    assert f"<@{stage['Ann'].id}>, Bo wants to play again at table 2." in stage.post(over).text
    assert again.response.content == f"There's already a rematch: table 2. [Go there]{link}"
    assert table.names == ["Bo", "Ann"]
    assert table.options.mode == "coop"
    assert "table 2" in stage.card().text

    answer = await stage["Bo"].slash(over, "ribbon new")

    assert answer.ephemeral
    assert "not in a thread" in answer.response.content

    await stage["Bo"].click(stage.card().message, label="Cancel")

    await stage["Bo"].click(end, label="Rematch")

    assert (await stage.table(3)).phase == "lobby"
    assert (await stage.table(3)).names == ["Bo", "Ann"]


Way = Callable[[DiscordStage, Any], Awaitable[Any]]
WAYS: dict[str, Way] = {
    "command": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon new"),
    "with computers": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon new", computers=1),
    "lesson": lambda stage, _: stage["Ann"].slash(stage.channel, "ribbon learn"),
    "deal by hand": lambda stage, _: stage["Ann"].slash(
        stage.channel, "table import", file=("deal.json", kitchen())
    ),
    "fork": lambda stage, _: stage["Ann"].slash(stage.channel, "table fork", at=1, table=1),
}


@pytest.fixture
async def over(stage: DiscordStage) -> Any:
    """Return the thread of a finished game of Ann and Bo."""
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish(place)
    return place


def unreachable(stage: DiscordStage) -> None:
    """Make Discord refuse all answers and messages."""
    stage.trouble = True
    for route in ("/interactions/*/callback", "/channels/*/messages", "/webhooks/*"):
        stage.env.inject_error(
            "POST", route, status=403, code=50013, message="Missing Permissions", times=None
        )


@pytest.mark.parametrize("way", WAYS)
async def test_a_table_that_cannot_be_shown_is_closed_again(stage: DiscordStage, over: Any, way: str) -> None:
    unreachable(stage)

    await WAYS[way](stage, over)

    assert (await stage.table(2)).phase == "closed"
    assert await stage.bot.app.parlour.store.tables_in(stage.guild.id, ("lobby", "play"), 10) == []


async def test_a_closed_lobby_names_its_people(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.trouble = True

    async def full(*_: Any) -> None:
        raise DatabaseUnavailable("no space left", "full")

    with monkeypatch.context() as broken:
        broken.setattr(stage.bot.app.parlour.lobby, "add_computer", full)
        await stage["Ann"].slash(stage.channel, "ribbon learn")
    await stage["Ann"].slash(stage.channel, "table import", file=("deal.json", kitchen()))
    await stage["Ann"].click(stage.card().message, label="Cancel")

    listed = read_message((await stage.admin.slash(stage.channel, "admin tables", which="closed")).response)
    offered = await stage["Ann"].autocomplete(stage.channel, "table show", "table", "")

    assert (await stage.table(1)).names == ["Ann", ""]
    assert listed.text.count(" with Ann · closed") == 2
    assert [one["description"] for one in listed.menus["choose"]["options"]] == ["Ann", "Ann"]
    assert sorted(one["name"] for one in offered) == ["1 · Ribbon Tangle: Ann", "2 · Ribbon Tangle: Ann"]


async def test_a_table_of_a_match_whose_card_cannot_be_asked_for_is_closed_again(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await stage["Ann"].slash(stage.channel, "looking")
    await fill(stage["Ann"], mine.response, "Choose games", games=["tesla"])
    theirs = await stage["Bo"].slash(stage.channel, "looking")

    async def full(*_: Any, **__: Any) -> None:
        raise DatabaseUnavailable("no space left", "full")

    monkeypatch.setattr(stage.bot.app.parlour, "refresh", full)
    await fill(stage["Bo"], theirs.response, "Choose games", games=["tesla"])

    assert (await stage.table(1)).phase == "closed"


@pytest.fixture
async def place(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a game with a full clean circle; Ann is to move. It is turn 13, with all cards up."""
    deal = RibbonDeal(deck=tuple("QIGEKBPMDNCAFLHOJR"), first=0, colours=("green", "orange", "purple"))
    monkeypatch.setattr(type(game("ribbon")), "deal", lambda *_: deal)
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    for number in range(1, 13):
        name = "Ann" if number % 2 else "Bo"
        if number < 12:
            await stage[name].slash(place, "ribbon choose", choice=f"flip {number}")
        if number > 1:
            await stage[name].slash(place, "ribbon end")
    assert await stage.due() == ["Ann"]
    return place


async def offer_tie(stage: DiscordStage, place: Any) -> None:
    result, panel = await stage.panel("Ann", place)
    assert "Offer a tie" in panel.buttons
    await stage["Ann"].click(result.response, label="Offer a tie")
    assert await stage.due() == ["Bo"]


async def test_the_last_card_flips_unasked_and_a_tie_is_agreed_by_dm(stage: DiscordStage, place: Any) -> None:
    text = "\n".join(post.text for post in stage.posts(place))

    assert "Bo flips A at 12. It was the last face-down card." in text
    assert "All 12 cards are up." in text

    await offer_tie(stage, place)
    post = stage.post(place)
    assert "Ann offers a tie." in post.text
    message = stage["Bo"].user.dm_channel.history()[-1]
    assert {"Yes, a tie", "No, play on"} <= set(read_message(message).buttons)

    await stage["Bo"].user.click(message, label="Yes, a tie")

    assert (await stage.table()).phase == "over"
    assert "Ann and Bo agree on a tie." in stage.post(place).text


async def test_a_tie_is_declined_from_the_panel_and_the_buttons_go(stage: DiscordStage, place: Any) -> None:
    await offer_tie(stage, place)
    result, _ = await stage.panel("Bo", place)

    await stage["Bo"].click(result.response, label="No, play on")

    assert await stage.due() == ["Ann"]
    assert "Bo says no." in stage.post(place).text
    _, panel = await stage.panel("Ann", place)
    assert "Offer a tie" not in panel.buttons
    message = stage["Bo"].user.dm_channel.history()[-1]
    assert "Yes, a tie" not in read_message(message).buttons
    late = await stage["Bo"].slash(place, "ribbon choose", choice="say yes")
    assert late.ephemeral
    assert "It's **Ann**'s turn" in late.response.content
