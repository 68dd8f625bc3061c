"""A tie in versus: offered from the panel, answered in the thread's panel or in the hand message."""

from typing import Any

import pytest

from engines.registry import game
from engines.ribbon.truth.state import RibbonDeal
from tests.discord.stage import DiscordStage, read_message


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


async def test_the_last_face_down_card_is_flipped_without_asking(stage: DiscordStage, place: Any) -> None:
    text = "\n".join(post.text for post in stage.posts(place))

    assert "Bo flips card A at 12. It was the last face-down card." in text
    assert "All 12 cards are up." in text


async def test_an_offer_pings_those_who_owe_an_answer(stage: DiscordStage, place: Any) -> None:
    await offer_tie(stage, place)

    post = stage.post(place)
    assert "Ann offers a tie." in post.text
    assert [user.id for user in post.message.mentions] == [stage["Bo"].id]


async def test_a_tie_is_agreed_from_the_hand_message(stage: DiscordStage, place: Any) -> None:
    await offer_tie(stage, place)
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


async def test_an_answer_that_comes_twice_is_told_so(stage: DiscordStage, place: Any) -> None:
    await offer_tie(stage, place)
    message = stage["Bo"].user.dm_channel.history()[-1]
    result, _ = await stage.panel("Bo", place)
    await stage["Bo"].click(result.response, label="No, play on")

    late = await stage["Bo"].slash(place, "ribbon choose", choice="say yes")

    assert late.ephemeral
    assert "turn" in late.response.content or "phase" in late.response.content
    assert message is not None
