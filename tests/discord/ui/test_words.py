"""The board in words: on demand, as a setting, behind headings, place by place."""

import re
from typing import Any

import pytest

from cogs.core.pictures import OPENING
from engines.registry import SLUGS, words
from engines.words import MOST_CHARACTERS
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message
from tests.discord.ui.listener import READ_ALOUD

every_game = pytest.mark.parametrize("slug", SLUGS)


async def open_table(stage: DiscordStage, slug: str) -> tuple[Any, str]:
    """Open a table; return it and the name of the mover."""
    people = ("Ann", "Bo", "Cy") if slug == "tanglewood" else ("Ann", "Bo")
    return await stage.open(*people, game=slug), (await stage.due())[0]


async def ask(stage: DiscordStage, name: str, place: Any, command: str, **options: Any) -> ShownMessage:
    """Return the private answer to a command."""
    answer = await stage[name].slash(place, command, **options)
    assert answer.ephemeral
    return read_message(answer.response)


@pytest.mark.any_game
@every_game
async def test_board_and_panel_are_told_in_words_on_demand(stage: DiscordStage, slug: str) -> None:
    place, who = await open_table(stage, slug)

    shown = await ask(stage, who, place, "table board", words=True)

    assert not shown.files
    assert re.search("you (are|and|must|can place)", shown.text.lower())
    assert f"**{words(slug).parts(await stage.view(who), ['Ann', 'Bo', 'Cy'])[0].heading}**" in shown.text
    assert (await ask(stage, who, place, "table board")).files

    result, panel = await stage.panel(who, place)
    assert (await stage.unfold(who, result)).files
    await stage[who].click(result.response, label="In words")
    spoken = read_message(result.response)
    assert not spoken.files
    assert "What changed last" in spoken.text
    await stage[who].click(result.response, label="Show the picture")
    assert read_message(result.response).files == panel.files


@every_game
async def test_a_place_is_looked_at_and_a_setting_puts_words_in_the_place_of_every_picture(
    stage: DiscordStage, slug: str
) -> None:
    place, who = await open_table(stage, slug)
    at = words(slug).places(await stage.view(who))[0]

    there = await ask(stage, who, place, f"{slug} look", at=at.lower())
    can = await ask(stage, who, place, f"{slug} look")

    assert at.split()[-1].lower() in there.text.lower()
    assert (
        can.text.startswith(("You can", "Your tile", "Barge", "From", "A fountain")) or " fits " in can.text
    )
    assert not there.files
    assert not can.files
    await stage.refuses(who, place, [(f"{slug} look", {"at": "nowhere"}, "“nowhere” isn't on this board")])

    await stage[who].slash(place, "me words")
    _, panel = await stage.panel(who, place)
    history = await ask(stage, who, place, "table history")
    board = await ask(stage, who, place, "table board")
    for shown in (panel, await ask(stage, who, place, "table hand"), history, board):
        assert not shown.files
        assert shown.text.strip()
    assert "In words" not in panel.buttons
    assert len(board.text) <= MOST_CHARACTERS + 200
    assert stage.post(place).files, "others see pictures"


async def test_more_leads_to_the_board_in_words(stage: DiscordStage) -> None:
    place, _ = await open_table(stage, "ribbon")
    more = await stage["Eli"].click(stage.post(place).message, label="More")

    result = await stage["Eli"].click(more.response, label="In words")

    assert "**What changed last**" in read_message(result.response).text


async def test_a_notice_by_dm_has_no_signs_for_who_hears_it(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me words")
    await stage["Ann"].slash(stage.channel, "me notices", where="dm")
    await stage.open("Ann", "Bo", mode="coop", first="host", pace="daily")

    (letter,) = (read_message(one) for one in stage["Ann"].user.dm_channel.history())

    assert "at **Ribbon Tangle**, table 1: flip the first card." in letter.text
    assert not READ_ALOUD.search(letter.text)


async def test_letters_that_stand_for_resources_are_said_by_their_names(stage: DiscordStage) -> None:
    place, who = await open_table(stage, "tangle")
    await stage[who].slash(place, "me words")

    _, panel = await stage.panel(who, place)

    lines = [option for menu in panel.components for option in menu.get("options", ())]
    entries = [option.get("description", "") for option in lines]
    assert "You have 2 water, 2 earth, 2 nourishment, 2 mana." in panel.text
    assert any("earth" in line for line in entries)
    assert not any(f" {letter}" in f"{line}." for line in entries for letter in ("W.", "E.", "N.", "M."))


async def test_a_heading_leads_to_its_part_and_a_spectator_hears_the_public_events(
    stage: DiscordStage,
) -> None:
    place, who = await open_table(stage, "tesla")
    answer = await stage[who].slash(place, "table board", words=True)

    await pick(stage[who], answer.response, "heading", "Bag and discards")

    shown = read_message(answer.response)
    assert shown.text.startswith("**Bag and discards**\nThe bag holds 111 tiles.")
    assert "What you can do" in shown.buttons
    offered = await stage[who].autocomplete(place, "tesla look", "at", "z5")
    assert offered[0]["value"] == "Z50"

    public = await ask(stage, "Eli", place, "table board", words=True)
    can = await ask(stage, "Eli", place, "tesla look")
    assert "Tile 1:" not in public.text
    assert f"{who} can place tiles" in public.text
    assert can.text.strip() == "You can't do anything now."


async def test_a_heading_of_the_board_opens_inside_the_panel_once_or_always(stage: DiscordStage) -> None:
    place, who = await open_table(stage, "tanglewood")
    once, drawn = await stage.panel(who, place)
    await stage.unfold(who, once)
    await stage[who].click(once.response, label="In words")
    menu = read_message(once.response).menus["spoken"]
    await stage[who].select(once.response, ["Decks"], custom_id=menu["custom_id"])
    assert "**Decks**" in read_message(once.response).text
    await stage[who].click(once.response, label="Show the picture")
    assert read_message(once.response).files == drawn.files

    await stage[who].slash(place, "me words")
    result, panel = await stage.panel(who, place)

    await stage[who].select(result.response, ["Decks"], custom_id=panel.menus["spoken"]["custom_id"])

    opened = read_message(result.response)
    assert "**Decks**\nThe deck holds 35 Tangles" in opened.text
    assert "Votes now" in opened.buttons
    assert panel.menus.keys() == opened.menus.keys()
    assert "Show the picture" not in opened.buttons
    assert len(panel.text) < OPENING + 600


async def test_a_turn_that_is_over_is_told_as_it_was(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.panel_flip("Ann", place)
    await stage["Ann"].slash(place, "me words")

    deal = await stage["Ann"].slash(place, "table history", at=0)
    now = read_message((await stage["Ann"].slash(place, "table history")).response)

    assert "Face down: places 1 to 12." in read_message(deal.response).text
    assert "Face down: places 1 to 12." not in now.text


async def test_a_hand_comes_by_dm_in_words_and_is_told_once_in_a_panel(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me words")
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    _, panel = await stage.panel("Ann", place)
    hands = [read_message(one) for one in stage["Ann"].user.dm_channel.history()]

    assert any("cards in hand.\nCard " in one.text for one in hands)
    assert not any(one.files for one in hands)
    assert panel.text.count("cards in hand.\n") == 1


async def test_the_setting_is_turned_on_and_off_in_the_panel(stage: DiscordStage) -> None:
    answer = await stage["Ann"].slash(stage.channel, "me settings")
    assert "**Boards as text**: off" in read_message(answer.response).text

    await stage["Ann"].click(answer.response, label="Show boards as text")
    assert "**Boards as text**: on" in read_message(answer.response).text
    assert (await stage.bot.app.parlour.people.person(stage["Ann"].id)).in_words

    await stage["Ann"].click(answer.response, label="Show boards as pictures")
    assert not (await stage.bot.app.parlour.people.person(stage["Ann"].id)).in_words
