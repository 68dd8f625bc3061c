"""Commands about tables; and those and presses of every game where they don't belong change nothing."""

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from cogs.ui.press import Press, list_presses
from engines.registry import SLUGS, game, games
from tests.discord.stage import DiscordStage, pick, read_message

every_game = pytest.mark.parametrize("slug", SLUGS)
PEOPLE = ("Ann", "Bo", "Cy")
TYPED = ("A1", "1", "B5")
"""Texts for any option: a square, an area or a letter; a number; a space."""


def commands_of(stage: DiscordStage, slug: str) -> Iterator[app_commands.Command[Any, ..., Any]]:
    """Yield the commands of a game that are about a table."""
    group = stage.bot.tree.get_command(slug)
    assert isinstance(group, app_commands.Group)
    for command in group.walk_commands():
        if isinstance(command, app_commands.Command) and any(o.name == "table" for o in command.parameters):
            yield command


def fill_options(command: app_commands.Command[Any, ..., Any], number: int) -> dict[str, Any]:
    return {option.name: _value(option, number) for option in command.parameters if option.name != "table"}


def _value(option: app_commands.Parameter, number: int) -> Any:
    if option.choices:
        return option.choices[number % len(option.choices)].value
    if option.type is discord.AppCommandOptionType.string:
        return TYPED[number % len(TYPED)]
    assert option.type is discord.AppCommandOptionType.integer, f"what is typed as {option.name}?"
    return (option.min_value or 0) + 1


async def open_table(stage: DiscordStage, slug: str) -> Any:
    return await stage.open(*PEOPLE[: _seats(slug)], game=slug)


def _seats(slug: str) -> int:
    rules = game(slug)
    return max(2, rules.seats_for(rules.Options())[0])


async def refusal_of(stage: DiscordStage, who: str, where: Any, command: str, /, **options: Any) -> str:
    """Return the private answer to a typed command that changes nothing."""
    before = await stage.table()
    answer = await stage[who].slash(where, command, **options)
    assert answer.ephemeral, f"/{command} {options} is answered in public"
    assert await stage.table() == before, f"/{command} {options} changes the table"
    return str(answer.response.content)


@pytest.mark.any_game
@every_game
async def test_commands_of_other_games_have_no_table_here(stage: DiscordStage, slug: str) -> None:
    place = await open_table(stage, slug)

    for other in SLUGS:
        for command in commands_of(stage, other) if other != slug else ():
            options = fill_options(command, 0)
            here = await refusal_of(stage, "Ann", place, command.qualified_name, **options)
            named = await refusal_of(stage, "Ann", place, command.qualified_name, table=1, **options)

            assert here.startswith(f"You aren't at a {game(other).title} table here."), command.qualified_name
            assert f"`/{other} new`" in here
            assert named == (f"The game at table 1 is {game(slug).title}. Use `/{slug}` there.")


async def test_a_command_finds_the_callers_only_table_of_its_game_anywhere(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", game="ribbon", first="host", ribbon_choice="random")
    place = await stage.open("Ann", "Bo", game="tangle")

    offered = await stage["Ann"].autocomplete(place, "ribbon choose", "choice", "")
    tables = await stage["Ann"].autocomplete(place, "ribbon choose", "table", "")
    answer = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")

    assert [choice["value"] for choice in offered] == [f"flip {number}" for number in range(1, 13)]
    assert [choice["value"] for choice in tables] == [1]
    assert answer.ephemeral
    assert (await stage.view(number=1)).circle[2] is not None


async def test_in_a_channel_a_command_means_the_newest_table_of_its_own_game(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", tables_in="channel")
    for slug in ("ribbon", "tangle"):
        await stage["Ann"].slash(stage.channel, f"{slug} new")
        await stage["Bo"].click(stage.card().message, label="Join")
        await stage["Ann"].click(stage.card().message, label="Start")

    shown = await stage["Ann"].slash(stage.channel, "ribbon board")

    assert read_message(shown.response).files == ["ribbon-table.png"]


@pytest.mark.any_game
@every_game
async def test_other_games_autocomplete_offers_none_of_this_table(stage: DiscordStage, slug: str) -> None:
    place = await open_table(stage, slug)

    for other in SLUGS:
        for command in commands_of(stage, other):
            for option in command.parameters:
                if option.autocomplete:
                    name = command.qualified_name
                    offered = await stage["Ann"].autocomplete(place, name, option.name, "")
                    if other != slug:
                        assert offered == [], f"/{name} {option.name}"
                    elif option.name == "table":
                        assert [choice["value"] for choice in offered] == [1]


@pytest.mark.any_game
@every_game
async def test_presses_of_another_game_are_refused(stage: DiscordStage, slug: str) -> None:
    await open_table(stage, slug)
    before, other = await stage.table(), SLUGS[SLUGS.index(slug) - 1]

    for room, verb in list_presses():
        if room == other:
            answer = await stage.send_press("Ann", Press(room, verb, 1, before.moment, "1"))

            assert answer.ephemeral
            assert f"The game at table 1 is {game(slug).title}" in answer.response.content
    assert await stage.table() == before


@pytest.mark.any_game
@every_game
async def test_before_the_game_begins_its_commands_say_so(stage: DiscordStage, slug: str) -> None:
    await stage["Ann"].slash(stage.channel, f"{slug} new")

    for command in commands_of(stage, slug):
        text = await refusal_of(
            stage, "Ann", stage.channel, command.qualified_name, **fill_options(command, 0)
        )

        assert re.search("has not begun|hasn't begun", text), f"/{command.qualified_name}: {text}"


@pytest.mark.any_game
@every_game
async def test_a_strangers_commands_change_nothing(stage: DiscordStage, slug: str) -> None:
    place = await open_table(stage, slug)

    for command in commands_of(stage, slug):
        await refusal_of(stage, "Eli", place, command.qualified_name, **fill_options(command, 0))


@pytest.mark.any_game
@every_game
async def test_after_the_end_commands_change_nothing(stage: DiscordStage, slug: str) -> None:
    place = await open_table(stage, slug)
    for name in PEOPLE[1 : _seats(slug)]:
        await stage.bot.app.parlour.play.resign(1, stage[name].id)
    assert not (await stage.table()).owing

    for command in commands_of(stage, slug):
        options = fill_options(command, 0)
        here = await refusal_of(stage, "Ann", place, command.qualified_name, **options)
        named = await refusal_of(stage, "Ann", place, command.qualified_name, table=1, **options)

        assert "'s turn" not in named
        assert here.startswith(f"You aren't at a {game(slug).title} table here.")


@pytest.mark.any_game
@every_game
async def test_a_player_gets_private_answers_in_and_out_of_turn(stage: DiscordStage, slug: str) -> None:
    place = await open_table(stage, slug)

    for number, name in enumerate(PEOPLE[: _seats(slug)]):
        for command in commands_of(stage, slug):
            options = fill_options(command, number)
            answer = await stage[name].slash(place, command.qualified_name, table=1, **options)

            assert answer.ephemeral


async def test_the_list_shows_open_tables_and_who_is_waited_for(stage: DiscordStage) -> None:
    empty = await stage["Cy"].slash(stage.channel, "table list")
    assert "No open tables here" in empty.response.content

    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    listed = await stage["Cy"].slash(stage.channel, "table list")

    assert "Ribbon Tangle with Ann and Bo" in read_message(listed.response).text
    assert "waiting for Ann" in read_message(listed.response).text


async def test_a_command_means_its_threads_the_only_or_named_table(stage: DiscordStage, place: Any) -> None:
    other = stage.guild.create_text_channel("elsewhere")

    here = await stage["Cy"].slash(place, "table show")
    there = await stage["Ann"].slash(other, "table show")
    nowhere = await stage["Cy"].slash(other, "table show")

    assert "**Table 1**" in read_message(here.response).text
    assert "**Table 1**" in read_message(there.response).text
    assert "There's no table here" in nowhere.response.content

    await stage.open("Ann", mode="solo")

    asked = await stage["Ann"].slash(other, "table board")
    offered = await stage["Ann"].autocomplete(other, "table board", "table", "")
    named = await stage["Ann"].slash(other, "table board", table=2)

    assert "several tables" in asked.response.content
    assert {choice["value"] for choice in offered} == {1, 2}
    assert read_message(named.response).files == ["ribbon-table.png"]


async def test_a_hand_is_its_owners_and_commands_work_in_their_dm(stage: DiscordStage, place: Any) -> None:
    own = await stage["Bo"].slash(place, "ribbon hand")
    strangers = await stage["Dee"].slash(place, "table hand")

    assert own.ephemeral
    assert read_message(own.response).files == ["ribbon-hand.png"]
    assert "aren't playing" in strangers.response.content
    assert all(message.flags.ephemeral for message in place.history(viewer=stage["Bo"])[-1:])

    shown = await stage["Ann"].user.slash("table board")
    others = await stage["Dee"].user.slash("table board", table=1)

    assert read_message(shown.response).files == ["ribbon-table.png"]
    assert "aren't at" in others.response.content


async def test_history_tells_no_secret_and_every_picture_has_words(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)

    result = await stage["Dee"].slash(place, "table history")

    text = read_message(result.response).text
    assert "Ann flips" in text
    hands = {
        card for name in ("Ann", "Bo") for hand in (await stage.view(name)).hands for card in hand if card
    }
    assert not any(f"card {card}" in text for card in hands)

    pictures = [a for m in place.history() for a in m.attachments]

    assert len(pictures) >= 2
    assert all(a.description and len(a.description) <= 1024 for a in pictures)


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
