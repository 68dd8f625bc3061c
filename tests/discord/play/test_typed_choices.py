"""Typed options: the code or name that was typed comes first, and a line of the list is understood."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.core.lookup import TITLES
from cogs.lobby.terms import pace_of
from cogs.ui.form import find_matches, read_choice
from tests.discord.stage import DiscordStage, read_message

pytestmark = pytest.mark.slow
GAME_OPTIONS = [
    ("leaderboard", "game"),
    ("profile", "game"),
    ("learn", "game"),
    ("puzzle", "game"),
    ("cup new", "game"),
    ("admin tables", "game"),
]


async def offers(stage: DiscordStage, place: Any, command: str, option: str, typed: str) -> list[Any]:
    offered = await stage["Ann"].autocomplete(place, command, option, typed)
    return [choice["value"] for choice in offered]


async def test_the_letter_of_a_region_offers_that_region_alone(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tanglewood")

    for letter in "ABCDEFGHI":
        assert await offers(stage, place, "tanglewood place", "region", letter.lower()) == [letter]


@pytest.mark.parametrize(("slug", "codes"), [("tanglewood", "BCDEFGHI"), ("tangle", ["CE", "LA", "M", "W"])])
async def test_the_code_of_a_place_offers_the_choices_there_first(
    stage: DiscordStage, slug: str, codes: Sequence[str]
) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game=slug)
    name, beginning = (await stage.due())[0], rf"\b{'place' if slug == 'tanglewood' else ''}"
    for code in codes:
        offered = await stage[name].autocomplete(place, f"{slug} choose", "choice", code.lower())

        assert re.search(rf"{beginning}.*\b{code}\b", offered[0]["name"]), (code, offered[0])


@pytest.mark.parametrize("typed", ["Z", "J", "zebra"])
async def test_no_region_is_offered_or_taken_for_an_unknown_letter(stage: DiscordStage, typed: str) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tanglewood")

    assert await offers(stage, place, "tanglewood place", "region", typed) == []
    await stage.refuses(
        "Ann", place, [("tanglewood place", {"region": typed}, "There's no such region. Choose A to I.")]
    )


async def test_a_word_that_begins_with_a_region_s_letter_is_no_region(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game="tanglewood")

    await stage.refuses("Ann", place, [("tanglewood place", {"region": "hello"}, "There's no such region.")])


async def test_the_code_of_a_space_is_offered_alone(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangle")

    assert await offers(stage, place, "tangle look", "at", "m") == ["M"]
    assert await offers(stage, place, "tangle look", "at", "c6") == ["C6"]
    assert await offers(stage, place, "tangle look", "at", "zz") == []


@pytest.mark.parametrize(("command", "option"), GAME_OPTIONS)
async def test_the_title_of_a_game_is_offered_first(stage: DiscordStage, command: str, option: str) -> None:
    stage.allow_admin(stage["Ann"])

    assert (await offers(stage, stage.channel, command, option, "Tangle"))[0] == "tangle"
    assert (await offers(stage, stage.channel, command, option, "tangle"))[0] == "tangle"
    assert await offers(stage, stage.channel, command, option, "chess") == []


@pytest.mark.parametrize("slug", TITLES)
async def test_a_game_is_taken_by_its_title(stage: DiscordStage, slug: str) -> None:
    answer = await stage["Ann"].slash(stage.channel, "leaderboard", game=TITLES[slug])

    assert TITLES[slug] in read_message(answer.response).text


async def test_an_unknown_game_is_refused_with_the_titles(stage: DiscordStage) -> None:
    answer = await stage["Ann"].slash(stage.channel, "leaderboard", game="chess")

    assert "I don't know that game. Choose Ribbon Tangle, " in read_message(answer.response).text


async def test_a_pace_is_offered_by_its_name_alone(stage: DiscordStage) -> None:
    assert await offers(stage, stage.channel, "ribbon new", "pace", "e") == []
    assert await offers(stage, stage.channel, "ribbon new", "pace", "wee") == ["weekly"]
    assert await offers(stage, stage.channel, "ribbon new", "pace", "no clock") == ["none"]


async def test_every_line_of_the_paces_is_understood(stage: DiscordStage) -> None:
    for typed in ("", "3d + 12h, cap 5d"):
        for choice in await stage["Ann"].autocomplete(stage.channel, "ribbon new", "pace", typed):
            assert pace_of(choice["name"]).name == choice["value"]


async def test_every_line_of_the_time_zones_is_understood(stage: DiscordStage) -> None:
    for choice in await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", ""):
        await stage["Ann"].slash(stage.channel, "me zone", zone=choice["name"])

        person = await stage.bot.app.parlour.people.person(stage["Ann"].id)
        assert person.zone == choice["value"]


def test_a_shorter_code_is_taken_before_a_longer_one() -> None:
    cells = {cell: cell for cell in ("AA4", "A4", "A49", "A40")}

    assert find_matches(cells, "a4") == ["A4"]
    assert read_choice(cells, "a4") == "A4"


def test_a_whole_name_is_taken_before_one_that_contains_it() -> None:
    moves = {name: name for name in ("flip 10", "flip 1", "swap 1 and flip 1")}

    assert find_matches(moves, "flip 1") == ["flip 1", "flip 10", "swap 1 and flip 1"]
    assert read_choice(moves, "FLIP  1") == "flip 1"


def test_two_names_that_fit_are_no_choice() -> None:
    assert read_choice({"Seed Wind": "Seed Wind", "Seed Rain": "Seed Rain"}, "seed") is None


def test_nothing_typed_is_no_choice() -> None:
    assert read_choice({"E": "Elder Grove (E)"}, " ") is None
