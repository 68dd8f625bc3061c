"""Tangram City's boards in Discord: start pieces, sides that are chosen at once, tables from before."""

from typing import Any

import msgspec
import pytest

from cogs.tangram.presenter import TangramPresenter
from engines.tangram.pieces.board import START_SIDES
from engines.tangram.pieces.components import TangramOptions
from tests.discord.stage import DiscordStage, read_message

pytestmark = pytest.mark.slow


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    """The thread of a game for two who choose their sides."""
    return await stage.open("Ann", "Bo", game="tangram", sides="choose")


async def test_a_new_table_has_start_pieces_on_drawn_sides(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", game="tangram")

    view = await stage.view()
    assert view.phase == "place"
    assert all(city.board in START_SIDES for city in view.cities)


async def test_a_side_is_chosen_in_two_clicks_from_a_picture_of_both(stage: DiscordStage, place: Any) -> None:
    assert "choose the side of your board" in stage.post(place).text
    result, panel = await stage.panel("Ann", place)
    assert panel.files == ["tangram-sides.png"]
    assert {"Black", "Green"} <= set(panel.buttons)

    await stage["Ann"].click(result.response, label="Green")

    text = read_message(result.response).text
    assert "You've chosen green" in text
    assert "until Bo is done" in text
    assert "Change to black" in read_message(result.response).buttons
    assert (await stage.view("Bo")).answered == (0,)
    assert (await stage.view("Bo")).cities[0].start is None


async def test_a_side_is_changed_until_the_last_one_has_chosen(stage: DiscordStage, place: Any) -> None:
    result, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(result.response, label="Green")
    await stage["Ann"].click(result.response, label="Change to black")
    bos, panel = await stage.panel("Bo", place)
    assert "You're the last to answer" in panel.text

    await stage["Bo"].click(bos.response, label="Green")

    view = await stage.view()
    assert [city.start.side for city in view.cities] == ["black", "green"]
    assert view.phase == "place"
    assert any("Ann starts with black" in post.text for post in stage.posts(place))


async def test_a_side_is_chosen_by_typing(stage: DiscordStage, place: Any) -> None:
    offered = await stage["Ann"].autocomplete(place, "tangram choose", "choice", "green")

    await stage["Ann"].slash(place, "tangram choose", choice=offered[0]["value"])

    assert (await stage.view("Ann")).draft.start.side == "green"


async def test_computers_choose_their_sides_at_once(stage: DiscordStage) -> None:
    place = await stage.open("Ann", game="tangram", computers=2, sides="choose")
    result, _ = await stage.panel("Ann", place)

    await stage["Ann"].click(result.response, label="Black")

    view = await stage.view()
    assert view.phase == "place"
    assert view.cities[0].start.side == "black"
    assert all(city.start is not None for city in view.cities)


async def test_boards_are_described_in_words_while_a_side_is_chosen(stage: DiscordStage, place: Any) -> None:
    looked = await stage["Ann"].slash(place, "tangram look")

    text = read_message(looked.response).text.lower()
    assert "choose the black side of your board" in text
    assert "choose the green side of your board" in text


def menu_values(page: Any) -> dict[str, str]:
    """Return the values of a page's menus, each with its menu's id."""
    menus = [one for one in read_message(page).components if "options" in one]
    return {line["value"]: menu["custom_id"] for menu in menus for line in menu["options"]}


async def test_the_options_of_a_lobby_offer_boards_and_sides(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tangram new")
    panel = await stage["Ann"].click(stage.card().message, label="Options")
    values = menu_values(panel.response)
    assert {"start", "plain", "random", "choose"} <= set(values)
    assert "printed" not in values

    await stage["Ann"].select(panel.response, ["choose"], custom_id=values["choose"])
    assert "choose your side" in stage.card().text
    await stage["Ann"].select(panel.response, ["plain"], custom_id=values["plain"])

    assert "plain boards" in stage.card().text
    assert "choose" not in menu_values(panel.response)


def test_old_boards_are_told_but_not_offered() -> None:
    presenter = TangramPresenter.__new__(TangramPresenter)
    offered = {value.value for value in presenter.choices(TangramOptions())[0].values}

    assert offered == {"start", "plain"}
    assert presenter.summary(TangramOptions("printed")) == "1 to 5 players · printed boards"
    assert presenter.summary(msgspec.json.decode(b'{"boards":"plain"}', type=TangramOptions)) == (
        "1 to 5 players · plain boards"
    )
    assert [choice.name for choice in presenter.choices(TangramOptions("plain"))] == ["boards"]
