import re
from random import Random
from typing import Any

import msgspec
import pytest

from cogs.core.presenter import presenter_of
from cogs.discord.messages import Memo
from cogs.tanglewood.panel import panel, placement_page
from cogs.ui.text import without_icons
from db.records import OutboxRow
from engines.registry import game
from engines.tanglewood import GAME
from engines.tanglewood.moves import PlanUnfit
from engines.tanglewood.pieces.components import BALLOTS, FOX_TILES, REGULAR_TANGLES, STARTERS
from engines.tanglewood.truth.state import TanglewoodDeal
from engines.tanglewood.words.captions import changes
from tables.core.table import Table
from tables.play.play import Perspective
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, pick, read_message
from tests.engines.tanglewood.arrange import arrange

PEOPLE = ("Ann", "Bo", "Cy")
COMING = ("T01", "T15", "T28", "T39")
"""Turned up in this order: Gather (Rabbit), a wild Evict, Move Adjacent (Rabbit), Export (Rabbit)."""


@pytest.fixture
def fixed_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal starters from A on, ballots A A A…, and the Tangles above."""
    others = [tangle for tangle in REGULAR_TANGLES if tangle not in COMING]
    tangles = (*others[:10], *COMING, *others[10:])
    deal = TanglewoodDeal(0, tuple(STARTERS), tangles, 9, BALLOTS, tuple(FOX_TILES))
    monkeypatch.setattr(type(game("tanglewood")), "deal", lambda *_: deal)


@pytest.fixture
async def table(desk: Desk, fixed_deal: None) -> Table:
    return await desk.open(*PEOPLE, game="tanglewood", first="host", length="short")


@pytest.fixture
async def place(stage: DiscordStage, fixed_deal: None) -> Any:
    return await stage.open(*PEOPLE, game="tanglewood", first="host", length="short")


async def until(stage: AnyStage, place: Any, phase: str) -> None:
    """Play on by clicks until all choose ballots or keep them."""
    rng = Random(7)
    while (await stage.view()).phase != phase:
        await stage.act((await stage.due())[0], place, rng)


async def test_a_placement_with_an_automatic_tangle_is_three_clicks(desk: Desk, table: Table) -> None:
    result, panel = await desk.panel("Ann", table)
    assert "Place 1 marker in a region, or draw markers" in panel.text
    assert panel.files == ["tanglewood-forest.png"]

    await desk["Ann"].click(result.response, label="D")
    shown = read_message(result.response)
    assert shown.files == ["tanglewood-preview.png"]
    assert "left in your circle." in shown.text
    assert "Placing ends your turn." in shown.text
    assert "You take step 1 of the Rabbit track (you draw 3 markers from now on)." in shown.text
    await desk["Ann"].click(result.response, label="Place 1: 1st with 3")

    view = await desk.view()
    assert (view.workers["D"], view.votes[0], view.draw_levels[0]) == ((3, 2, 2, 2), 6, 1)
    assert "Next: **Bo**" in read_message(result.response).text


async def test_a_draw_takes_two_clicks_and_may_be_taken_back_and_a_turn_is_told_in_one_line(
    stage: DiscordStage, place: Any
) -> None:
    result, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(result.response, label="Draw 2, end turn")
    assert (await stage.view()).circles[0] == 7

    await stage["Ann"].click(result.response, label="Undo")

    view = await stage.view()
    assert (view.circles[0], view.seat) == (5, 0)
    assert "**Ann**: draw or place markers." in stage.post(place).text
    await stage["Ann"].slash(place, "tanglewood place", region="D")
    assert (
        "**Ann (6 votes)** places 1 marker in Dusk Hollow (D) for **Score 1**, takes Rabbit step 1 and "
        "gains **1 vote**. From now on, Ann draws 3 markers at a time." in stage.post(place).text
    )
    assert {user.id for user in stage.post(place).message.mentions} == {stage["Bo"].id}


@pytest.mark.essential
async def test_a_draw_with_a_step_is_a_menu_that_a_typed_draw_asks_with(desk: Desk, table: Table) -> None:
    rng, view = Random(3), await desk.view()
    while view.phase != "turn" or view.circles[view.seat] >= view.most_placeable(view.seat):
        await desk.act((await desk.due())[0], table, rng)
        view = await desk.view()
    name, drawn = (await desk.due())[0], view.draw_value(view.seat)
    menu = (await desk.panel(name, table))[1].menus["drawn"]
    assert menu["placeholder"] == f"Draw {drawn} and take a step"
    assert {line["description"] for line in menu["options"]} <= {"Ends your turn", "Then you make a choice"}

    asked = await desk[name].slash(table, "tanglewood draw")

    message = read_message(asked.response)
    assert "You can also take a step" in message.text
    assert [line["value"] for line in message.menus["drawn"]["options"]] == ["rabbit", "bear", "fox", "none"]
    assert (await desk.due())[0] == name
    await pick(desk[name], asked.response, "drawn", "none")
    assert (await desk.due())[0] != name


async def test_a_typed_placement_without_a_number_asks_how_many(desk: Desk, table: Table) -> None:
    rng, view = Random(5), await desk.view()
    while view.phase != "turn" or min(view.most_placeable(view.seat), view.circles[view.seat]) < 2:
        await desk.act((await desk.due())[0], table, rng)
        view = await desk.view()
    name = (await desk.due())[0]
    region = next(region for region, card in view.tangles.items() if card is not None)

    asked = await desk[name].slash(table, "tanglewood place", region=region)

    message = read_message(asked.response)
    assert "**Place up to 2 markers in" in message.text
    assert "Then you use the Tangle" in message.text
    assert await desk.view() == view
    label = next(label for label in message.buttons if label.startswith("Place 2"))
    await desk[name].click(asked.response, label=label)
    assert (await desk.view()).circles[view.seat] != view.circles[view.seat]


async def test_gather_asks_for_two_regions_then_for_both_workers(desk: Desk, table: Table) -> None:
    await desk["Ann"].slash(table, "tanglewood place", region="A")
    result, panel = await desk.panel("Bo", table)
    assert "A" in panel.buttons
    await desk["Bo"].click(result.response, label="A")
    assert "Then you make a choice" in read_message(result.response).text
    await desk["Bo"].click(result.response, label="Place 1: 2nd with 3")
    assert "From which regions?" in read_message(result.response).text

    menu = read_message(result.response).menus["chosen"]
    assert (menu["min_values"], menu["max_values"]) == (2, 2)
    await desk["Bo"].select(result.response, ["F", "C"], custom_id=menu["custom_id"])
    assert "Chosen so far: C and F." in read_message(result.response).text
    assert "Whose workers move from C and F?" in read_message(result.response).text
    pairs = read_message(result.response).menus["chosen"]["options"]
    assert len(pairs) == 16
    assert pairs[0]["label"] == "Bring 2 of Ann's workers, one from C and one from F to A"
    gains = [
        int(entries[0]) for one in pairs if (entries := re.search(r"(?<=you )\+\d+", one["description"]))
    ]
    assert gains == sorted(gains, reverse=True)
    assert gains
    assert [(one["label"], one["description"]) for one in pairs if one["value"] == "0n"] == [
        (
            "Bring Ann's worker from C and the neutral one from F to A",
            "Change in votes: you +2, Ann +2, Cy +5",
        )
    ]
    await pick(desk["Bo"], result.response, "chosen", "0n")
    assert (
        "You choose to **move 1 of Ann's workers from C to A and 1 neutral worker from F to A**"
        in read_message(result.response).text
    )
    (alt,) = read_message(result.response).alts
    assert "Clover Dell (C): Ann has 1 worker instead of 2" in (alt or "")
    assert (await desk.view()).workers["C"] == (2, 2, 2, 2)
    await desk["Bo"].click(result.response, label="Confirm, end turn")

    view = await desk.view()
    assert view.workers["C"] == (1, 2, 2, 2)
    assert view.workers["F"] == (2, 2, 2, 1)
    assert view.workers["A"] == (5, 3, 2, 3)
    assert "moves 1 of Ann's workers from C to A and 1 neutral worker from F to A." in desk.post(table).text


async def test_a_wild_tangle_asks_for_a_track(desk: Desk, table: Table) -> None:
    await desk["Ann"].slash(table, "tanglewood place", region="A")
    await desk["Bo"].slash(table, "tanglewood place", region="B")
    result = await desk["Cy"].slash(table, "tanglewood place", region="B")
    assert "Take a step on any track" in read_message(result.response).text

    bear = "Step 1 of the Bear track: you can place 2 markers from now on · ends your turn"
    await desk["Cy"].click(result.response, label=bear)

    view = await desk.view()
    assert view.place_levels[2] == 1
    assert (
        "Ann and Bo each take 1 worker from B back into their circle. "
        "1 neutral worker leaves the game." in desk.post(table).text
    )


async def test_move_adjacent_takes_two_workers_at_once(desk: Desk, table: Table) -> None:
    for name, region in zip(PEOPLE, "ABD", strict=True):
        await desk[name].slash(table, "tanglewood place", region=region)
    result = await desk["Ann"].slash(table, "tanglewood place", region="D")
    assert "Which region? Workers move between" in read_message(result.response).text
    await pick(desk["Ann"], result.response, "chosen", "A")
    shown = read_message(result.response)
    assert "Which two workers move between D and A?" in shown.text
    best = next(c for c in shown.components if c.get("placeholder") == "Who moves? Best first")
    assert len(best["options"]) == 25
    ways = {option["value"]: option["label"] for option in shown.menus["chosen"]["options"]}
    assert ways["in 0#1"] == "1 of Ann's workers from A to D" == ways["in 0#2"].removesuffix(", a second one")
    await desk["Ann"].select(result.response, [best["options"][0]["value"]], custom_id=best["custom_id"])
    assert "You choose to **" in read_message(result.response).text
    await desk["Ann"].click(result.response, label="Choose again")
    assert "Which region? Workers move between" in read_message(result.response).text
    await pick(desk["Ann"], result.response, "chosen", "A")
    await pick(desk["Ann"], result.response, "chosen", "out n#1", "in 0#1")

    await desk["Ann"].click(result.response, label="Confirm, end turn")

    view = await desk.view()
    assert view.workers["D"] == (4, 2, 3, 1)
    assert view.workers["A"] == (3, 2, 2, 3)


async def test_one_line_answers_all_questions_of_a_choice(desk: Desk, table: Table) -> None:
    for name, region in zip(PEOPLE, "ABD", strict=True):
        await desk[name].slash(table, "tanglewood place", region=region)
    result = await desk["Ann"].slash(table, "tanglewood place", region="D")
    shown = read_message(result.response)
    best = shown.menus["whole"]["options"][0]
    assert best["label"].endswith("from E to D")
    assert "A choice from the first menu ends your turn." in shown.text

    await pick(desk["Ann"], result.response, "whole", best["value"])

    assert "from E to D" in desk.post(table).text
    assert await desk.due() == ["Bo"]


async def test_one_press_places_and_takes_a_wild_tangles_step(desk: Desk, table: Table) -> None:
    await desk["Ann"].slash(table, "tanglewood place", region="A")
    await desk["Bo"].slash(table, "tanglewood place", region="B")
    result, _ = await desk.panel("Cy", table)
    await desk["Cy"].click(result.response, label="B")
    labels = list(read_message(result.response).buttons)
    assert [label for label in labels if label.endswith(", Fox step")] != []

    bear = next(label for label in labels if label.endswith(", Bear step · ends your turn"))
    await desk["Cy"].click(result.response, label=bear)

    assert (await desk.view()).place_levels[2] == 1
    assert await desk.due() != ["Cy"]


async def test_a_choice_is_typed_as_autocomplete_offers_it(desk: Desk, table: Table) -> None:
    await desk["Ann"].slash(table, "tanglewood place", region="A")
    await desk["Bo"].slash(table, "tanglewood place", region="A")
    offered = await desk["Bo"].autocomplete(table, "tanglewood choose", "choice", "ann's worker from c and y")
    assert offered[0]["value"] == "bring Ann's worker from C and yours from D to A"

    await desk["Bo"].slash(table, "tanglewood choose", choice=offered[0]["value"])

    assert (await desk.view()).workers["A"] == (5, 4, 2, 2)


REFUSED = [
    ("tanglewood place", {"region": "J"}, "There's no such region. Choose A to I."),
    ("tanglewood place", {"region": "E", "count": 2}, "Your Place level lets you place at most 1 marker."),
    ("tanglewood place", {"region": "E", "count": 0}, "Place at least one marker."),
    ("tanglewood place", {"region": " ", "count": 1}, "There's no such region. Choose A to I."),
    (
        "tanglewood draw",
        {"step": "bear"},
        "When you draw, you take a step only if your circle has fewer markers than you can place.",
    ),
]


async def test_regions_are_offered_and_all_see_the_forests_vote(stage: DiscordStage, place: Any) -> None:
    await stage.refuses("Ann", place, REFUSED)

    offered = await stage["Ann"].autocomplete(place, "tanglewood place", "region", "dusk")

    assert [(choice["name"], choice["value"]) for choice in offered] == [
        ("Dusk Hollow (D): Score 1 (Rabbit)", "D")
    ]

    await stage["Ann"].slash(place, "tanglewood place", region="E")

    answer = await stage["Dee"].slash(place, "tanglewood votes")

    assert answer.ephemeral
    assert "E     8    ·    ·" in read_message(answer.response).text
    assert "=    14    5    5" in read_message(answer.response).text
    result, _ = await stage.panel("Bo", place)
    await stage.unfold("Bo", result)
    await stage["Bo"].click(result.response, label="Votes now")
    assert "If the forest voted now" in read_message(result.response).text
    await stage["Bo"].click(result.response, label="Back")
    assert "in a region, or draw" in read_message(result.response).text


@pytest.mark.essential
async def test_ballots_are_secret_dms_until_all_have_chosen(stage: DiscordStage, place: Any) -> None:
    await until(stage, place, "ballots")
    due = await stage.due()
    assert len(due) > 1
    name = due[0]
    before = stage.post(place).text
    message = stage[name].user.dm_channel.history()[-1]
    result = await stage[name].user.click(message, label="Take turn")
    assert "Play 2 Secret Ballots" in read_message(result.response).text
    values = read_message(result.response).values("chosen")[:2]
    await pick(stage[name].user, result.response, "chosen", *values)
    assert "You can't change your choice later" in read_message(result.response).text

    await stage[name].user.click(result.response, label="Confirm")

    assert name not in await stage.due()
    post = stage.post(place).text
    assert post.splitlines()[0] == before.splitlines()[0]
    for other in due[1:]:
        view = await stage.view(other)
        assert view.mine is None
        assert view.hands[PEOPLE.index(name)] is None
    assert f"<@{stage[due[1]].id}>" in post or f"**{due[1]}**" in post


async def test_a_panel_of_ballots_stays_good_while_others_choose(stage: DiscordStage, place: Any) -> None:
    await until(stage, place, "ballots")
    first, second, *_ = await stage.due()
    mine, panel = await stage.panel(first, place)
    await stage.act(second, place, Random(1))

    await pick(stage[first], mine.response, "chosen", *panel.values("chosen")[:2])
    assert "has changed" not in read_message(mine.response).text
    version = (await stage.table()).version
    await stage[first].click(mine.response, label="Confirm")

    assert (await stage.table()).version > version


async def test_a_scoring_is_told_by_region_with_a_lasting_table(stage: DiscordStage, place: Any) -> None:
    await until(stage, place, "ballots")
    rng = Random(7)
    while (await stage.view()).phase == "ballots":
        await stage.act((await stage.due())[0], place, rng)

    post = stage.post(place)
    assert "Ballots: Ann " in post.text
    assert "**Votes:**" in post.text
    assert post.files == ["tanglewood-scoring.png", "tanglewood-table.png"]
    table = post.message.attachments[0].description
    assert all(f"({letter})" in table for letter in "ABCDEFGHI")
    marked = post.message.id
    while stage.post(place).message.id == marked:
        await stage.act((await stage.due())[0], place, rng)

    older = next(shown for shown in stage.posts(place) if shown.message.id == marked)
    assert len(older.files) == 2
    assert not older.buttons


async def test_an_adopted_scoring_keeps_the_words_of_both_pictures(stage: DiscordStage, place: Any) -> None:
    await until(stage, place, "ballots")
    rng, store, before = Random(3), stage.bot.app.parlour.store, None
    while (await stage.view()).phase == "ballots":
        before = await store.find_last_post(1, "board", 0)
        await stage.act((await stage.due())[0], place, rng)
    scoring = stage.post(place)
    assert before is not None
    await store.finish_post(OutboxRow(1, "board", 0, 0, True, 0, 0.0), before)
    await store.ask(1, "board", 0, (await stage.table()).version, True, 0.0)

    await stage.restart()

    noted = await store.find_last_post(1, "board", 0)
    assert noted is not None
    assert noted.message_id == scoring.message.id
    memo = msgspec.json.decode(noted.memo, type=Memo)
    assert [*(scene.alt for scene in memo.illustrations), memo.alt] == scoring.alts
    assert len(scoring.alts) == 2
    assert all(scoring.alts)


def test_a_planned_reshuffle_that_does_not_fit_is_told() -> None:
    rules = game("tanglewood")
    deal = rules.deal(3, rules.Options(), b"told")
    view = rules.view(rules.begin(3, rules.Options(), deal, b"told"), None)

    line = presenter_of("tanglewood").words.event_line(PlanUnfit(number=9), view, PEOPLE)

    assert line is not None
    assert "doesn't match the 9 discarded ballots" in line


async def test_a_panel_marks_all_that_has_changed_since_ones_own_last_turn(
    desk: Desk, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk["Ann"].slash(table, "tanglewood draw")
    await desk["Bo"].slash(table, "tanglewood place", region="D")
    await desk["Cy"].slash(table, "tanglewood place", region="E")
    shown: list[Any] = []
    special = desk.app.pictures.special

    async def looked_at(table: Any, what: str, view: Any) -> Any:
        shown.append(view)
        return await special(table, what, view)

    monkeypatch.setattr(desk.app.pictures, "special", looked_at)
    await desk.panel("Ann", table)

    marked = {region for region in shown[0].workers if any(changes(shown[0], region))}
    assert marked == {"D", "E"}


async def test_a_wild_placement_names_its_step_and_the_last_turn(desk: Desk, table: Table) -> None:
    table = await desk.table()
    state = arrange("T15", "I", circle=1, seats=len(table.seats), steps={"fox": 3}, round=4, poll_round=4)
    seen = Perspective(table, 0, GAME.view(state, 0))

    page = await placement_page(desk.app, seen, "I")
    home = await panel(desk.app, seen)

    shown = without_icons(str(page.parts[0]))
    assert "With a Fox step, you then make a choice. With a Rabbit or Bear step, your turn ends." in shown
    vote = "The forest votes after round 5: your next turn is the last before it."
    assert f"-# {vote} With an empty circle, you can only draw then." in shown
    assert vote in str(home.parts[0])
