import re
from typing import Any

import pytest

from cogs.play.assembly import ONE_SCREEN, one_screen
from cogs.ui.page import CONTROL, FRAME_HEIGHT, GAP, LINE, WIDTH, Button, Extra, Menu, Option, Page, height
from cogs.ui.press import Press
from engines.registry import SLUGS, game
from render.core.canvas import Canvas, Picture
from render.tangle.colours import THEMES
from tables.clocks.pace import NONE
from tables.core.table import Table, Terms
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, pick, read_message


async def begin_turn(stage: AnyStage, place: Any) -> tuple[Any, Any]:
    """Return Bo's panel on turn 2, after the flip."""
    await stage.finish_turn("Ann", place)
    result, panel = await stage.panel("Bo", place)
    await pick(stage["Bo"], result.response, "flip", panel.values("flip")[0])
    return result, read_message(result.response)


async def test_panel_and_typed_moves_name_all_places_and_do_the_same(stage: DiscordStage, place: Any) -> None:
    _, panel = await stage.panel("Ann", place)

    assert panel.values("flip") == [str(number) for number in range(1, 13)]
    assert "it's the first turn of the game" in panel.text
    assert panel.files == ["ribbon-turn.png"]

    offered = await stage["Ann"].autocomplete(place, "ribbon choose", "choice", "")
    assert [choice["value"] for choice in offered] == [f"flip {number}" for number in range(1, 13)]

    answer = await stage["Ann"].slash(place, "ribbon choose", choice="flip 4")

    assert read_message(answer.response).text.startswith("**Done.**")
    assert "Ann flips" in stage.post(place).text


async def test_a_draft_is_previewed_in_any_order_and_sent_as_a_whole(desk: Desk, table: Table) -> None:
    result, panel = await begin_turn(desk, table)
    version = (await desk.table()).version
    hand = panel.values("put")

    await pick(desk["Bo"], result.response, "put", hand[0])
    taken = read_message(result.response).values("take")[0]
    await pick(desk["Bo"], result.response, "take", taken)
    await pick(desk["Bo"], result.response, "swap", read_message(result.response).values("swap")[0])
    drafted = read_message(result.response)

    assert "Nothing counts yet" in drafted.text
    assert (await desk.table()).version == version

    await desk["Bo"].click(result.response, label="End turn")
    if "End my turn anyway" in read_message(result.response).buttons:
        await desk["Bo"].click(result.response, label="End my turn anyway")

    text = desk.post(table).text
    assert "swaps" in text
    assert f"puts {hand[0]} in place of {taken}" in text


async def test_a_draft_is_kept_until_clear_and_is_a_preview_in_words(stage: DiscordStage, place: Any) -> None:
    result, panel = await begin_turn(stage, place)
    await pick(stage["Bo"], result.response, "swap", panel.values("swap")[0])
    await stage.env.advance_time(3600)

    again, reopened = await stage.panel("Bo", place)

    chosen = [o["value"] for o in reopened.menus["swap"]["options"] if o.get("default")]
    assert chosen == [panel.values("swap")[0]]
    await stage["Bo"].click(again.response, label="Clear")
    assert not [o for o in read_message(again.response).menus["swap"]["options"] if o.get("default")]

    await stage["Bo"].slash(place, "me words")
    swap = panel.values("swap")[0]

    await pick(stage["Bo"], result.response, "swap", swap)

    preview, _, present = read_message(result.response).text.partition("**What changed last**")
    swapped = f"The cards at {swap} and {int(swap) % 12 + 1} changed places."
    assert re.search(rf"^Preview\. .*{swapped} .*[Pp]lace {swap}(:| is)", preview, re.MULTILINE)
    assert "tangled" in preview.partition("Preview. ")[2]
    assert swapped not in present


async def test_a_press_out_of_turn_or_after_the_end_is_answered(stage: DiscordStage, place: Any) -> None:
    for who, text in (("Dee", "You aren't playing at this table"), ("Bo", "It's **Ann**'s turn")):
        answer = await stage[who].click(stage.post(place).message, label="Take turn")
        assert answer.ephemeral
        assert text in answer.response.content

    old, panel = await stage.panel("Ann", place)
    await stage.finish(place)

    pressed = await pick(stage["Ann"], old.response, "flip", panel.values("flip")[-1])
    typed = await stage["Ann"].slash(place, "ribbon choose", choice="flip 3", table=1)

    for answer in (pressed, typed):
        assert answer.ephemeral
        assert "finished" in answer.response.content


async def test_a_stale_panel_is_replaced_by_a_fresh_one(desk: Desk, table: Table) -> None:
    old, panel = await desk.panel("Ann", table)
    await desk.finish_turn("Ann", table)
    await desk.finish_turn("Bo", table)
    if "Rematch" in desk.post(table).buttons:
        return

    await pick(desk["Ann"], old.response, "flip", panel.values("flip")[-1])

    fresh = read_message(old.response)
    assert "has changed" in fresh.text
    assert len(fresh.values("flip")) == 10


@pytest.mark.essential
async def test_ending_a_turn_that_loses_is_asked_about_once_more(desk: Desk, table: Table) -> None:
    for _ in range(40):
        name = (await desk.due())[0]
        result, panel = await desk.panel(name, table)
        await pick(desk[name], result.response, "flip", panel.values("flip")[0])
        if "End turn" not in read_message(result.response).buttons:
            continue
        await desk[name].click(result.response, label="End turn")
        asked = read_message(result.response)
        if "Choose again" in asked.buttons:
            break
    version = (await desk.table()).version
    assert "you're out" in asked.text

    await desk[name].click(result.response, label="Choose again")
    assert "End turn" in read_message(result.response).buttons
    assert (await desk.table()).version == version

    typed = await desk[name].slash(table, "ribbon end")
    assert "you're out" in read_message(typed.response).text
    await desk[name].click(typed.response, label="End my turn anyway")
    assert (await desk.table()).phase == "over"


async def find_ways_out(desk: Desk, table: Table) -> tuple[str, Any, list[str]]:
    """Play until a tangle can be cleared. Return who, the panel, and the buttons that clear it."""
    for _ in range(60):
        name = (await desk.due())[0]
        result, panel = await desk.panel(name, table)
        await pick(desk[name], result.response, "flip", panel.values("flip")[-1])
        panel = read_message(result.response)
        if "**Untangle" in panel.text:
            return name, result, [label for label in panel.buttons if label.endswith(": safe, end turn")]
        if "End turn" in panel.buttons:
            await desk[name].click(result.response, label="End turn")
    raise AssertionError("nobody can clear a tangle")


async def test_a_tangle_is_cleared_and_the_turn_ended_by_one_press_where_hints_are_allowed(
    desk: Desk,
) -> None:
    casual = Terms(NONE, rated=False)
    table = await desk.open("Ann", "Bo", terms=casual, mode="versus", first="host", ribbon_choice="random")
    name, result, ways = await find_ways_out(desk, table)

    await desk[name].click(result.response, label=ways[0])

    assert name not in await desk.due()
    assert (await desk.table()).phase == "play"
    assert "is out" not in desk.post(table).text


async def test_no_button_of_a_rated_game_against_others_plays_a_safe_turn(desk: Desk, table: Table) -> None:
    _, _, ways = await find_ways_out(desk, table)

    assert ways == []


async def test_the_places_to_flip_are_listed_from_safe_to_risky_below_the_own_hand(
    desk: Desk, table: Table
) -> None:
    await desk.finish_turn("Ann", table)

    _, panel = await desk.panel("Bo", table)

    labels = [option["label"] for option in panel.menus["flip"]["options"]]
    risky = [label for label in labels if "tangle you" in label]
    assert labels == [label for label in labels if label.endswith(": adds no tangle")] + risky
    assert len(risky) in (0, 1, 2)
    assert panel.files == ["ribbon-turn.png"]
    (alt,) = panel.alts
    assert (alt or "").startswith("Bo has ")
    assert "**Flip a card,** then swap and exchange if you like.\n" in panel.text


async def test_only_their_owner_types_cards_and_undoes_a_swap_no_flip(
    stage: DiscordStage, place: Any
) -> None:
    _, panel = await begin_turn(stage, place)
    hand = [card for card in (await stage.view("Bo")).hands[1] if card]

    own, others, strangers = [
        await stage[name].autocomplete(place, "ribbon choose", "choice", "put ")
        for name in ("Bo", "Ann", "Dee")
    ]

    assert {choice["value"].split()[1] for choice in own} == set(hand)
    assert others == strangers == []

    before = (await stage.view()).circle
    await stage["Bo"].slash(place, "ribbon choose", choice=f"swap {panel.values('swap')[0]} and")
    assert (await stage.view()).circle != before

    await stage["Bo"].slash(place, "table undo")
    assert (await stage.view()).circle == before

    refused = await stage["Bo"].slash(place, "table undo")
    assert refused.ephemeral
    assert "can't undo it" in refused.response.content
    strangers = await stage["Ann"].slash(place, "table undo")
    assert "nothing to undo" in strangers.response.content


async def test_another_phases_move_is_refused_and_panels_tell_turns(stage: DiscordStage, place: Any) -> None:
    typed: list[tuple[str, dict[str, Any], str]] = [
        ("ribbon choose", {"choice": choice}, "That isn't one of the choices")
        for choice in ("swap 1 and 2", "offer a tie", "take green", "put 💣 at 1")
    ]

    await stage.refuses("Ann", place, [("ribbon end", {}, "You can't do that yet"), *typed])

    answer = await stage["Ann"].slash(stage.channel, "ribbon choose", choice="flip 4")

    assert "Ann flips" in read_message(answer.response).text


async def test_leaving_means_resigning_or_a_computer_and_is_done_once(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", "Cy", mode="versus", first="host", ribbon_choice="random")
    more = {name: await stage[name].click(stage.post(place).message, label="More") for name in ("Bo", "Cy")}
    asked = await stage["Bo"].click(more["Bo"].response, label="Leave the game")
    await stage["Bo"].click(asked.response, label="Resign")
    asked = await stage["Cy"].click(more["Cy"].response, label="Leave the game")
    await stage["Cy"].click(asked.response, label="Let a computer take my seat")
    assert (await stage.table()).seats[2].computer
    assert "Cy leaves. A computer player takes the seat" in stage.post(place).text

    left = await stage["Bo"].click(more["Bo"].response, label="Leave the game")
    replaced = await stage["Cy"].click(more["Cy"].response, label="Leave the game")

    assert "You're no longer in this game" in left.response.content
    assert "You aren't playing at this table" in replaced.response.content

    asked = await stage["Ann"].slash(place, "table resign")
    assert "This game doesn't count for the ratings." in read_message(asked.response).text
    await stage["Ann"].click(asked.response, label="Resign")

    assert (await stage.table()).phase == "over"
    assert "wins, because " in stage.post(place).text


async def test_leaving_shows_first_its_effect_on_rating_and_table(stage: DiscordStage, place: Any) -> None:
    together = await stage.open("Ann", "Bo", mode="coop", first="host")
    fun = await stage.open("Ann", "Bo", first="host", ribbon_choice="random", rated=False)
    computers = await stage.open("Ann", "Bo", computers=1, mode="versus", ribbon_choice="random")
    await stage.admin.slash(stage.channel, "admin config", rate_computers=True)
    counting = await stage.open("Ann", "Bo", computers=1, mode="versus", ribbon_choice="random")

    rated, none, *unrated, with_computers = [
        read_message((await stage["Bo"].slash(where, "table resign")).response).text
        for where in (place, together, fun, computers, counting)
    ]

    assert "This game counts for the ratings: you come last, even with a computer in your seat." in rated
    assert "rating" not in none
    for text in unrated:
        assert "This game doesn't count for the ratings." in text
        assert "you come last" not in text
    assert "This game counts for the ratings" in with_computers
    assert "you come last" in with_computers

    where = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="blind")

    asked = await stage["Bo"].slash(where, "table resign")
    assert "Resigning now closes the table without a result." in read_message(asked.response).text
    await stage["Bo"].click(asked.response, label="Resign")

    assert (await stage.table(6)).phase == "closed"


@pytest.mark.parametrize("slug", SLUGS)
async def test_the_rules_and_other_pages_are_leafed_through(stage: DiscordStage, slug: str) -> None:
    shown = await stage["Ann"].slash(stage.channel, f"{slug} rules")
    texts = [read_message(shown.response).text]
    assert read_message(shown.response).buttons["Back"]["disabled"]
    while not read_message(shown.response).buttons["Next"].get("disabled"):
        await stage["Ann"].click(shown.response, label="Next")
        texts.append(read_message(shown.response).text)

    assert len(texts) >= 4
    assert all(len(text) < 4000 for text in texts)
    assert game(slug).title in "".join(texts)
    if slug == "tangle":
        assert read_message((await stage["Ann"].slash(stage.channel, "tangle cards")).response).files
    if slug == "tanglewood":
        almanac = await stage["Ann"].slash(stage.channel, "tanglewood almanac")
        assert "The almanac" in read_message(almanac.response).text


async def test_half_an_exchange_is_asked_about_before_it_is_dropped(desk: Desk, table: Table) -> None:
    for name in ("Ann", "Bo"):
        await desk.finish_turn(name, table)
    result, panel = await desk.panel("Ann", table)
    await pick(desk["Ann"], result.response, "flip", panel.values("flip")[0])
    panel = read_message(result.response)
    await pick(desk["Ann"], result.response, "put", panel.values("put")[1])
    assert "**Now choose the card you take.** Nothing counts yet." in read_message(result.response).text

    await desk["Ann"].click(result.response, label="End turn")

    assert "You chose a card to put down, but no card to take" in read_message(result.response).text
    await desk["Ann"].click(result.response, label="Choose the other card")
    assert "End turn" in read_message(result.response).buttons


PRESS = Press("table", "turn")


def row(*labels: str) -> list[Button]:
    return [Button(label, PRESS) for label in labels]


MORE = Button("More", PRESS)


def test_a_panel_shows_the_longest_recap_that_fits_one_screen() -> None:
    recaps = ["It happened.\n" * 9, "It happened."]
    low, tall = Page(["Where to?"]), Page(["Where to?"] * 14)

    assert one_screen(low, recaps, [], MORE).parts == [recaps[0], "Where to?", [MORE]]
    assert one_screen(tall, recaps, [], MORE).parts[0] == recaps[1]
    assert one_screen(Page(["Where to?"] * 40), recaps, [], MORE).parts[0] == recaps[1]


def test_a_panel_shows_the_first_extras_for_which_one_screen_has_room_and_keeps_the_games_page() -> None:
    hint = Button("Hint", PRESS)
    extras: list[Extra] = [hint, ["Too long.\n" * 30], ["Short."]]
    own = Page(["Where to?", row("End turn")])
    page = one_screen(own, ["It happened."], extras, MORE)

    assert page.parts == ["It happened.", "Where to?", [*row("End turn"), hint, MORE], "Short."]
    assert height(page) <= ONE_SCREEN
    assert own.parts == ["Where to?", row("End turn")]


def test_a_page_is_as_tall_as_its_lines_its_picture_its_buttons_and_its_menus() -> None:
    assert height(Page(["Where to?"])) == FRAME_HEIGHT + LINE
    assert height(Page(["**Place a root.** Where does the root from **B5** go?"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["One\nTwo"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["m" * 34])) == FRAME_HEIGHT + LINE
    assert height(Page(["m" * 35])) == FRAME_HEIGHT + 2 * LINE

    picture = Picture(Canvas(1000, 500, THEMES["light"]).png(), "Paper.", "paper.png")
    assert height(Page([picture])) == FRAME_HEIGHT + GAP + WIDTH // 2

    assert height(Page([row("A", "B", "C")])) == FRAME_HEIGHT + CONTROL
    assert (
        height(Page([row("Place, show all", "Next fit", "Flip", "Set aside")])) == FRAME_HEIGHT + 2 * CONTROL
    )
    few, many = (Menu(PRESS, "Which?", [Option(str(one), str(one)) for one in range(n)]) for n in (2, 25))
    assert height(Page([few])) == height(Page([many])) > FRAME_HEIGHT
