"""The command `choose` of every game: who can use it, and what it takes."""

from typing import Any

import pytest

from cogs.play.questions import by_name
from engines.game import Game
from engines.marks import unquote
from engines.registry import SLUGS, game
from tables.core.table import Refused
from tests.discord.stage import DiscordStage

pytestmark = pytest.mark.slow


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
        text = "You don't play at this table" if name == "Dee" else f"It's **{due[0]}**'s turn"
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


async def open_waiting(stage: DiscordStage) -> tuple[Any, str, str]:
    """Open a table; return its place, mover and waiter."""
    place = await stage.open("Ann", "Bo", game="tesla")
    (mover,) = await stage.due()
    return place, mover, "Bo" if mover == "Ann" else "Ann"


async def test_a_choice_out_of_turn_that_fits_nothing_says_whose_turn_it_is(stage: DiscordStage) -> None:
    place, mover, other = await open_waiting(stage)

    text = f"It's **{mover}**'s turn. You can plan yours. That isn't one of the choices now. You can choose"
    await stage.refuses(other, place, [("tesla choose", {"choice": "no such move"}, text)])


async def test_a_choice_after_a_whole_plan_says_whose_turn_it_is(stage: DiscordStage) -> None:
    place, mover, other = await open_waiting(stage)
    asked = await stage[other].slash(place, "tesla choose", choice="end the turn")
    await stage[other].click(asked.response, label="End my turn")

    assert await stage[other].autocomplete(place, "tesla choose", "choice", "") == []
    planned = f"It's **{mover}**'s turn. Yours is planned: **Take turn** shows your plan."
    for command, options in (("tesla choose", {"choice": "end your turn"}), ("tesla done", {})):
        await stage.refuses(other, place, [(command, options, planned)])


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


def test_a_typed_choice_that_fits_several_names_them() -> None:
    assert refusal(SWAPS, "swap 4") == (
        "2 choices fit that: “swap 4 and 5: A and B”, “swap 3 and 4: A and B”. Type one of them."
    )
    assert refusal(TILES, "place 1 at AA49") == (
        "2 choices fit that: “place tile 1 at AA49, not turned”, “place tile 1 at AA49, turned 60°”. "
        "Type one of them."
    )
    assert refusal(SWAPS, "swap").endswith(", and 7 more. Type one of them.")


def test_words_of_a_choice_are_understood_in_any_order() -> None:
    assert by_name(TILES, "place 2 at AB49") == 3
    assert by_name(TILES, "AB49 2") == 3
    assert by_name(TILES, "replace Z50 1") == 4
    assert by_name(TILES, "place 1 AA49 60") == 2
    assert by_name(SWAPS, "swap 4 and 5") == by_name(SWAPS, "swap 4 and") == 4
    assert by_name(SWAPS, "5 4") == 4


def test_words_in_order_are_meant_before_others() -> None:
    cards = {"put K at 3 and take Q": 1, "put Q at 3 and take K": 2}

    assert by_name(cards, "put K at 3") == 1
    assert by_name(cards, "take K") == 2


def test_a_typed_choice_that_fits_nothing_says_what_can_be_chosen() -> None:
    assert refusal(TILES, "flip 1") == (
        "That isn't one of the choices now. You can choose “place tile 1 at AA49, not turned” "
        "(or 2 more like it), “replace Z50 with tile 1, not turned” or “end the turn”."
    )
    assert refusal({}, "flip 1") == "That isn't one of the choices now. There's nothing to choose now."


async def test_a_second_flip_says_that_you_have_flipped(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="ribbon")
    for _ in range(6):
        (mover,) = await stage.due()
        listed = await stage[mover].autocomplete(place, "ribbon choose", "choice", "")
        if any(one["value"].startswith("swap") for one in listed):
            break
        await stage[mover].slash(place, "ribbon choose", choice=listed[0]["value"])

    text = "You've flipped already. You can choose “"
    await stage.refuses(mover, place, [("ribbon choose", {"choice": "flip 1"}, text)])
