import re
from random import Random
from typing import Any

import pytest

from engines.game import Strength
from engines.registry import game
from engines.tanglewood.pieces.components import BALLOTS, FOX_TILES, REGULAR_TANGLES, STARTERS
from engines.tanglewood.truth.state import TanglewoodDeal
from engines.tesla.moves import Mark, Replace
from tables.core.table import Table
from tables.play import plans
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, ShownMessage, pick, read_message


@pytest.fixture
async def table(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Table:
    deal = TanglewoodDeal(0, tuple(STARTERS), tuple(REGULAR_TANGLES), 9, BALLOTS, tuple(FOX_TILES))
    monkeypatch.setattr(type(game("tanglewood")), "deal", lambda *_: deal)
    return await desk.open("Ann", "Bo", "Cy", game="tanglewood", first="host", length="short")


@pytest.fixture
async def place(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> Any:
    deal = TanglewoodDeal(0, tuple(STARTERS), tuple(REGULAR_TANGLES), 9, BALLOTS, tuple(FOX_TILES))
    monkeypatch.setattr(type(game("tanglewood")), "deal", lambda *_: deal)
    return await stage.open("Ann", "Bo", "Cy", game="tanglewood", first="host", length="short")


async def click(stage: AnyStage, name: str, result: Any, label: str) -> ShownMessage:
    await stage[name].click(result.response, label=label)
    return read_message(result.response)


async def plan(stage: AnyStage, name: str, place: Any, region: str = "D") -> Any:
    result, _ = await stage.panel(name, place)
    await click(stage, name, result, region)
    await click(stage, name, result, "Place 1: 1st with 3")
    await click(stage, name, result, "Send ahead")
    return result


async def test_take_turn_out_of_turn_and_more_open_a_plan(stage: DiscordStage, place: Any) -> None:
    behind = await stage["Bo"].click(stage.post(place).message, label="More")
    assert "Plan yours" in (await click(stage, "Bo", behind, "Plan my turn")).text
    result, panel = await stage.panel("Bo", place)
    assert "It's Ann's turn" in panel.text
    assert "Plan yours" in panel.text
    assert panel.files == ["tanglewood-forest.png"]

    await click(stage, "Bo", result, "More")
    folded = await click(stage, "Bo", result, "Less")
    assert folded.files == panel.files
    assert "Plan yours" in folded.text
    assert "Less" not in folded.buttons

    shown = await click(stage, "Bo", result, "D")
    assert shown.files == ["tanglewood-preview.png"]
    assert "Plan yours" in shown.text


async def test_a_turn_sent_ahead_is_played_without_a_mention(stage: DiscordStage, place: Any) -> None:
    result = await plan(stage, "Bo", place)
    assert "Your turn is planned" in read_message(result.response).text
    assert (await stage.view()).workers["D"][1] == 2

    await stage["Ann"].slash(place, "tanglewood draw")

    assert (await stage.view()).workers["D"][1] == 3
    post = stage.post(place)
    assert "Bo planned this turn in advance" in post.text
    assert {user.id for user in post.message.mentions} == {stage["Cy"].id}
    assert len(stage.posts(place)) == 2


async def test_a_plan_that_no_longer_fits_says_why(stage: DiscordStage, place: Any) -> None:
    await plan(stage, "Bo", place)

    await stage["Ann"].slash(place, "tanglewood place", region="d")

    post = stage.post(place)
    assert {user.id for user in post.message.mentions} == {stage["Bo"].id}
    assert "so I didn't play Bo's plan" in post.text
    assert "Ann places 1 marker in D" in post.text
    _, panel = await stage.panel("Bo", place)
    assert "I didn't play your plan, because " in panel.text
    assert "You planned: Place 1 marker in" in panel.text
    assert "more." not in panel.text.split("You planned")[1].split("\n")[0]
    assert "-# Before: " in panel.text
    assert "-# Now: " in panel.text


async def test_a_plan_is_seen_by_nobody_else_and_an_old_one_can_be_played_after_all(
    desk: Desk, table: Table
) -> None:
    before = [post.text for post in desk.posts(table)]
    _, panel = await desk.panel("Ann", table)
    view = await desk.view()

    await plan(desk, "Bo", table, "E")

    assert [post.text for post in desk.posts(table)] == before
    assert (await desk.panel("Ann", table))[1].text == panel.text
    assert await desk.view() == view
    result, _ = await desk.panel("Bo", table)
    await click(desk, "Bo", result, "Change the plan")
    await desk["Ann"].slash(table, "tanglewood draw")

    result, panel = await desk.panel("Bo", table)
    assert "You planned this turn" in panel.text
    await click(desk, "Bo", result, "Play my plan")

    assert (await desk.due()) == ["Cy"]
    assert (await desk.view()).workers["E"][1] == 3


async def test_typed_moves_out_of_turn_are_planned_as_look_says_and_told_so(desk: Desk, table: Table) -> None:
    before = read_message((await desk["Bo"].slash(table, "tanglewood look")).response)
    assert "It isn't your turn yet" in before.text
    assert "what you can plan" in before.text
    assert "place" in before.text.lower()

    result = await desk["Bo"].slash(table, "tanglewood place", region="d")

    shown = read_message(result.response)
    assert "Your whole turn is planned" in shown.text
    assert "Bo places 1 marker in D" in shown.text
    assert await desk.due() == ["Ann"]
    after = read_message((await desk["Bo"].slash(table, "tanglewood look")).response)
    assert "what you can plan" not in after.text
    await click(desk, "Bo", result, "Undo")
    assert "Plan yours" in read_message(result.response).text
    shown = read_message(
        (await desk["Bo"].slash(table, "tanglewood choose", choice="place 1 marker in Acorn")).response
    )
    assert "Planned: Bo places" in shown.text.replace("*", "")


async def test_an_outdated_panel_of_a_turn_opens_no_plan_and_one_of_a_plan_makes_no_move(
    desk: Desk, table: Table
) -> None:
    anns, _ = await desk.panel("Ann", table)
    result, _ = await desk.panel("Bo", table)
    await click(desk, "Bo", result, "D")
    await desk["Ann"].slash(table, "tanglewood draw")
    workers = (await desk.view()).workers

    shown = await click(desk, "Ann", anns, "D")

    assert "It's" in shown.text
    assert "Plan yours" not in shown.text

    shown = await click(desk, "Bo", result, "Place 1: 1st with 3")

    assert "The table has changed" in shown.text
    assert (await desk.view()).workers == workers
    assert await desk.due() == ["Bo"]


async def test_a_standing_answer_is_chosen_behind_more(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangle", upkeep="asked")
    result = await stage["Bo"].click(stage.post(place).message, label="More")
    shown = await click(stage, "Bo", result, "Standing answers")
    assert "Ask me each time" in shown.text

    await pick(stage["Bo"], result.response, "standing_set", "no_lakes")

    assert "everything but lakes" in read_message(result.response).text
    assert [(one.answer, one.seat) for one in (await stage.table()).standing] == [
        ("no_lakes", (await stage.table()).seat_of(stage["Bo"].id))
    ]
    assert "Board now" in (await click(stage, "Bo", result, "Back")).buttons


@pytest.mark.parametrize("slug", ["tangle", "tesla"])
async def test_other_games_plan_by_clicks(desk: Desk, slug: str) -> None:
    table = await desk.open("Ann", "Bo", game=slug)
    due = await desk.due()
    waiting = next(name for name in ("Ann", "Bo") if name not in due)
    version = (await desk.table()).version

    await desk.act(waiting, table, Random(4))

    table = await desk.table()
    plan = table.plan_of(table.seat_of(desk[waiting].id))
    assert plan is not None
    assert len(plan.promises) >= 1
    assert table.version == version


async def test_a_plan_is_read_aloud(stage: DiscordStage, place: Any) -> None:
    await stage["Bo"].slash(place, "me words")

    result, panel = await stage.panel("Bo", place)

    assert "It's Ann's turn.** Plan yours" in panel.text
    assert panel.files == []
    shown = await click(stage, "Bo", result, next(label for label in panel.buttons if label.startswith("D ")))
    assert "left in your circle" in shown.text
    assert shown.files == []


async def step(stage: AnyStage, wanted: Any = None) -> None:
    """Let whoever is to move make the wanted move, or a computer's."""
    play, table = stage.parlour.play, await stage.table()
    seat, user_id = table.owing[0], table.seats[table.owing[0]].user_id
    view = (await play.perspective(1, user_id)).view
    await play.move(1, user_id, [wanted or table.game.choose(view, seat, Random(1), Strength.CASUAL)])


async def test_a_marker_planned_on_a_tile_that_is_replaced_locks_nobody_out(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla")
    bo, parlour = stage["Bo"].id, stage.bot.app.parlour
    pair: tuple[Mark, Replace] | None = None
    while pair is None:
        while await stage.due() != ["Ann"]:
            await step(stage)
        laid = [one for one in await parlour.play.moves(1, stage["Ann"].id) if isinstance(one, Replace)]
        marks = [one for one in await parlour.plans.moves(1, bo) if isinstance(one, Mark)]
        pair = next(((mark, tile) for mark in marks for tile in laid if mark.cell == tile.cell), None)
        if pair is None:
            await step(stage)
    await parlour.decide(1, plans.add_choice, user_id=bo, moves=[pair[0]], seen=None)
    await step(stage, pair[1])
    while await stage.due() != ["Bo"]:
        await step(stage)

    result, panel = await stage.panel("Bo", place)

    assert f"You planned this turn:** Mark {pair[0].cell}" in panel.text
    assert "Drop the plan" in panel.buttons
    assert "You planned" not in (await click(stage, "Bo", result, "Drop the plan")).text


PARTS = {
    "hint": "cogs.play.assembly._may_ask_for_hints",
    "note": "cogs.play.assembly.note_of",
    "deadline": "cogs.play.assembly._deadline",
    "lesson": "cogs.play.assembly.lesson_of",
    "catch-up": "cogs.play.assembly.recap_missed",
    "missed turns": "tables.review.record.Record.find_missed",
    "undo": "tables.play.play.Play.can_undo",
    "plan": "tables.play.plans.Plans.plan_in_hand",
    "words of the plan": "tables.play.plans.Plans.recall_views",
    "next table": "tables.people.Overviews.next_turn",
    "recap": "cogs.play.panel._step_lines",
}
"""The parts above and below a panel's choices, by the function that makes it."""


@pytest.mark.parametrize("part", PARTS)
async def test_nothing_optional_keeps_a_panel_from_being_made(
    stage: DiscordStage,
    place: Any,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await plan(stage, "Bo", place)
    await stage["Ann"].slash(place, "tanglewood place", region="d")

    def fail(*_: Any, **_more: Any) -> Any:
        raise KeyError(part)

    async def fail_later(*_: Any, **_more: Any) -> Any:
        raise KeyError(part)

    monkeypatch.setattr(PARTS[part], fail if part == "recap" else fail_later)
    stage.trouble = True

    _, panel = await stage.panel("Bo", place)

    assert "Sorry" not in panel.text
    assert "E" in panel.buttons
    assert ("Drop the plan" in panel.buttons) == (part != "plan")
    shown = read_message((await stage["Bo"].slash(place, "tanglewood place", region="e")).response)
    assert "Sorry" not in shown.text
    assert await stage.due() == ["Cy"]
    assert "the panel is without its" in caplog.text


async def test_a_plan_that_was_not_sent_names_all_its_choices(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangle")
    first = (await stage.due())[0]
    planner = "Bo" if first == "Ann" else "Ann"
    for typed in ("to CE", "lay clean earth"):
        offered = await stage[planner].autocomplete(place, "tangle choose", "choice", typed)
        await stage[planner].slash(place, "tangle choose", choice=offered[0]["value"])

    await stage.finish_turn(first, place)

    _, panel = await stage.panel(planner, place)
    assert re.search(
        r"planned this turn: Move a root from \w+ to CE .*, then lay clean earth on \w+\.",
        panel.text.replace("*", ""),
    )
