"""Typed choices of every game: who may make them, what they mean, what is offered first."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from cogs.core.lookup import TITLES
from cogs.lobby.terms import pace_of
from cogs.play.questions import by_name
from cogs.ui.form import find_matches, read_choice
from engines.game import Game
from engines.marks import unquote
from engines.registry import SLUGS, game
from tables.core.table import Refused
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, read_message


async def offers(stage: AnyStage, place: Any, command: str, option: str, typed: str) -> list[Any]:
    offered = await stage["Ann"].autocomplete(place, command, option, typed)
    return [choice["value"] for choice in offered]


async def test_a_letter_offers_its_region_alone_and_an_unknown_one_none(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", "Cy", game="tanglewood")

    for letter in "ABCDEFGHI":
        assert await offers(desk, table, "tanglewood place", "region", letter.lower()) == [letter]

    why = "There's no such region. Choose A to I."
    for typed in ("Z", "J", "zebra", "hello"):
        assert await offers(desk, table, "tanglewood place", "region", typed) == []
        await desk.refuses("Ann", table, [("tanglewood place", {"region": typed}, why)])


@pytest.mark.parametrize(("slug", "codes"), [("tanglewood", "BCDEFGHI"), ("tangle", ["CE", "LA", "M", "W"])])
async def test_a_places_code_offers_its_choices(desk: Desk, slug: str, codes: Sequence[str]) -> None:
    table = await desk.open("Ann", "Bo", "Cy", game=slug)
    name, beginning = (await desk.due())[0], rf"\b{'place' if slug == 'tanglewood' else ''}"
    for code in codes:
        offered = await desk[name].autocomplete(table, f"{slug} choose", "choice", code.lower())

        assert re.search(rf"{beginning}.*\b{code}\b", offered[0]["name"]), (code, offered[0])


async def test_the_code_of_a_space_is_offered_alone(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", game="tangle")

    assert await offers(desk, table, "tangle look", "at", "m") == ["M"]
    assert await offers(desk, table, "tangle look", "at", "c6") == ["C6"]
    assert await offers(desk, table, "tangle look", "at", "zz") == []


async def test_a_game_is_offered_and_taken_by_its_title(stage: DiscordStage) -> None:
    stage.allow_admin(stage["Ann"])
    for command in ("leaderboard", "profile", "learn", "puzzle", "cup new", "admin tables"):
        for typed in ("Tangle", "tangle"):
            assert (await offers(stage, stage.channel, command, "game", typed))[0] == "tangle", command
        assert await offers(stage, stage.channel, command, "game", "chess") == []

    for title in TITLES.values():
        answer = await stage["Ann"].slash(stage.channel, "leaderboard", game=title)
        assert title in read_message(answer.response).text
    answer = await stage["Ann"].slash(stage.channel, "leaderboard", game="chess")

    assert "I don't know that game. Choose Ribbon Tangle, " in read_message(answer.response).text


async def test_every_line_of_paces_and_time_zones_is_understood(stage: DiscordStage) -> None:
    assert await offers(stage, stage.channel, "ribbon new", "pace", "e") == []
    assert await offers(stage, stage.channel, "ribbon new", "pace", "wee") == ["weekly"]
    assert await offers(stage, stage.channel, "ribbon new", "pace", "no clock") == ["none"]
    for typed in ("", "3d + 12h, cap 5d"):
        for choice in await stage["Ann"].autocomplete(stage.channel, "ribbon new", "pace", typed):
            assert pace_of(choice["name"]).name == choice["value"]

    for choice in await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", ""):
        await stage["Ann"].slash(stage.channel, "me zone", zone=choice["name"])

        person = await stage.bot.app.parlour.people.person(stage["Ann"].id)
        assert person.zone == choice["value"]


def test_shorter_codes_and_whole_names_go_first_and_two_names_that_fit_are_no_choice() -> None:
    cells = {cell: cell for cell in ("AA4", "A4", "A49", "A40")}

    assert find_matches(cells, "a4") == ["A4"]
    assert read_choice(cells, "a4") == "A4"

    moves = {name: name for name in ("flip 10", "flip 1", "swap 1 and flip 1")}

    assert find_matches(moves, "flip 1") == ["flip 1", "flip 10", "swap 1 and flip 1"]
    assert read_choice(moves, "FLIP  1") == "flip 1"

    assert read_choice({"Seed Wind": "Seed Wind", "Seed Rain": "Seed Rain"}, "seed") is None
    assert read_choice({"E": "Elder Grove (E)"}, " ") is None


@pytest.mark.parametrize("slug", SLUGS)
async def test_only_a_choice_of_the_player_to_move_counts(stage: DiscordStage, slug: str) -> None:
    players = ("Ann", "Bo", "Cy")[: max(2, min(game(slug).seats))]
    place = await stage.open(*players, game=slug)
    command, due = f"{slug} choose", await stage.due()
    listed = {
        name: [one["value"] for one in await stage[name].autocomplete(place, command, "choice", "")]
        for name in (*players, "Dee")
    }
    common = listed[due[0]][-1][:2]

    for choice in (" ", "no such move"):
        await stage.refuses(
            due[0],
            place,
            [(command, {"choice": choice}, "That isn't one of the choices now. You can choose “")],
        )
    await stage.refuses(due[0], place, [(command, {"choice": common}, "choices fit that: “")])
    # Where turns are planned, a choice of somebody who waits goes into their plan.
    planning = set(players) - set(due) if type(game(slug)).ahead is not Game.ahead else set[str]()
    for name in listed.keys() - due - planning:
        text = "You aren't playing at this table" if name == "Dee" else f"It's **{due[0]}**'s turn"
        await stage.refuses(name, place, [(command, {"choice": listed[due[0]][0]}, text)])

    assert all(
        1 < len(listed[name]) <= 25 if name in due else not listed[name] for name in listed.keys() - planning
    )
    version = (await stage.table()).version
    for name in planning:
        answer = await stage[name].slash(place, command, choice=listed[name][0])
        assert answer.ephemeral
        assert ((await stage.table()).version, await stage.due()) == (version, due)
    await stage[due[0]].slash(place, command, choice=listed[due[0]][-1].upper())
    assert (await stage.table()).version > version


async def open_waiting(stage: AnyStage) -> tuple[Any, str, str]:
    """Open a table; return its place, mover and waiter."""
    place = await stage.open("Ann", "Bo", game="tesla")
    (mover,) = await stage.due()
    return place, mover, "Bo" if mover == "Ann" else "Ann"


async def test_a_choice_out_of_turn_or_after_a_whole_plan_says_whose_turn_it_is(desk: Desk) -> None:
    table, mover, other = await open_waiting(desk)

    text = f"It's **{mover}**'s turn. You can plan yours. That isn't one of the choices now. You can choose"
    await desk.refuses(other, table, [("tesla choose", {"choice": "no such move"}, text)])

    asked = await desk[other].slash(table, "tesla choose", choice="end the turn")
    await desk[other].click(asked.response, label="End my turn")

    assert await desk[other].autocomplete(table, "tesla choose", "choice", "") == []
    planned = f"It's **{mover}**'s turn. Yours is planned: **Take turn** shows your plan."
    for command, options in (("tesla choose", {"choice": "end your turn"}), ("tesla done", {})):
        await desk.refuses(other, table, [(command, options, planned)])


SWAPS = {f"swap {place} and {place % 12 + 1}: A and B": place for place in range(1, 13)}
TILES = {
    "place tile 1 at AA49, not turned": 1,
    "place tile 1 at AA49, turned 60°": 2,
    "place tile 2 at AB49, not turned": 3,
    "replace Z50 with tile 1, not turned": 4,
    "end the turn": 5,
}


def refusal(moves: dict[str, int], typed: str, *why: str) -> str:
    with pytest.raises(Refused) as refused:
        by_name(moves, typed, *why)
    return unquote(str(refused.value))


def test_a_typed_choice_that_fits_several_or_nothing_says_what_can_be_chosen() -> None:
    assert refusal(SWAPS, "swap 4") == (
        "2 choices fit that: “swap 4 and 5: A and B”, “swap 3 and 4: A and B”. Type one of them."
    )
    assert refusal(TILES, "place 1 at AA49") == (
        "2 choices fit that: “place tile 1 at AA49, not turned”, “place tile 1 at AA49, turned 60°”. "
        "Type one of them."
    )
    assert refusal(SWAPS, "swap").endswith(", and 7 more. Type one of them.")

    assert refusal(TILES, "flip 1") == (
        "That isn't one of the choices now. You can choose “place tile 1 at AA49, not turned” "
        "(or 2 more like it), “replace Z50 with tile 1, not turned” or “end the turn”."
    )
    assert refusal({}, "flip 1") == "That isn't one of the choices now. There's nothing to choose now."


def test_words_of_a_choice_are_understood_in_any_order_and_those_in_order_first() -> None:
    assert by_name(TILES, "place 2 at AB49") == 3
    assert by_name(TILES, "AB49 2") == 3
    assert by_name(TILES, "replace Z50 1") == 4
    assert by_name(TILES, "place 1 AA49 60") == 2
    assert by_name(SWAPS, "swap 4 and 5") == by_name(SWAPS, "swap 4 and") == 4
    assert by_name(SWAPS, "5 4") == 4

    cards = {"put K at 3 and take Q": 1, "put Q at 3 and take K": 2}

    assert by_name(cards, "put K at 3") == 1
    assert by_name(cards, "take K") == 2


async def test_a_second_flip_says_that_you_have_flipped(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", game="ribbon")
    for _ in range(6):
        (mover,) = await desk.due()
        listed = await desk[mover].autocomplete(table, "ribbon choose", "choice", "")
        if any(one["value"].startswith("swap") for one in listed):
            break
        await desk[mover].slash(table, "ribbon choose", choice=listed[0]["value"])

    text = "You've flipped already. You can choose “"
    await desk.refuses(mover, table, [("ribbon choose", {"choice": "flip 1"}, text)])
