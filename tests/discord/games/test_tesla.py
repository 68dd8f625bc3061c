import re
from random import Random
from typing import Any

import pytest

from cogs.play.panel import step_lines
from cogs.ui.page import PLAIN, SUCCESS
from engines.registry import game
from engines.tesla import moves
from engines.tesla.truth.state import TeslaDeal
from tables.core.table import Table
from tests.discord.desk import Desk
from tests.discord.players import tesla as player
from tests.discord.stage import AnyStage, DiscordStage, fill, pick, read_message

FIRST = ("03-14-25", "03", "01-23", "02")


def deal_with(*top: str) -> TeslaDeal:
    """Return a deal with these first two hands; Ann goes first."""
    rules = game("tesla")
    options = rules.settle(2, rules.Options())
    bag = list(rules.deal(2, options, b"any").bag)
    for face in top:
        bag.remove(face)
    return TeslaDeal(bag=(*top, *bag), first=0)


@pytest.fixture
def fixed_bag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal Ann three straights, a straight, two sharp bends, a wide bend."""
    deal = deal_with(*FIRST, "03", "03", "01", "01-23-45")
    monkeypatch.setattr(type(game("tesla")), "deal", lambda *_: deal)


@pytest.fixture
async def table(desk: Desk, fixed_bag: None) -> Table:
    return await desk.open("Ann", "Bo", game="tesla", opening="rulebook")


async def open_pad(desk: Desk, name: str, result: Any) -> None:
    """Press Adjust, behind More where the screen is full."""
    if "Adjust" not in read_message(result.response).buttons:
        await desk[name].click(result.response, label="More")
    await desk[name].click(result.response, label="Adjust")


def label_of(result: Any, beginning: str) -> str:
    return next(one for one in read_message(result.response).buttons if one.startswith(beginning))


async def test_one_press_places_marks_the_shortest_and_ends_the_turn(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)
    label = label_of(result, "Place, mark ")
    assert label.endswith("end turn")

    await desk["Ann"].click(result.response, label=label)

    assert await desk.due() == ["Bo"]
    text = desk.post(table).text
    assert "places a tile at" in text
    assert "marks " in text


async def test_all_tiles_are_placed_in_one_press_taken_back_one_by_one_and_the_next_press_ends_the_turn(
    desk: Desk, table: Table
) -> None:
    result, _ = await desk.panel("Ann", table)

    await desk["Ann"].click(result.response, label=label_of(result, "Place all "))

    view = await desk.view("Ann")
    assert len(view.board.tiles) == 1 + len(FIRST)
    assert view.hands[0] == ()
    assert await desk.due() == ["Ann"]
    for _ in FIRST:
        await desk["Ann"].click(result.response, label="Undo")
    assert (await desk.view("Ann")).hands[0] == FIRST
    assert "Undo" not in read_message(result.response).buttons

    await desk["Ann"].click(result.response, label=label_of(result, "Place all "))
    await desk["Ann"].click(result.response, label=label_of(result, "Mark "))
    assert await desk.due() == ["Bo"]
    assert ", marks " in desk.post(table).text


async def test_tiles_placed_in_one_press_are_told_in_one_line(desk: Desk, table: Table) -> None:
    play, ann = desk.parlour.play, desk["Ann"].id
    listed = [move for move in await play.moves(1, ann) if isinstance(move, moves.TeslaPlace)]
    first = next(move for move in listed if move.tile == "03")
    second = next(move for move in listed if move.tile == "02" and move.cell != first.cell)

    before = (await play.perspective(1, ann)).view
    perspective, steps = await play.move(1, ann, [first, second])

    (line,) = step_lines(perspective, steps, before)
    assert f"places tiles at {first.cell} and {second.cell}." in line


async def test_the_first_post_says_why_others_begin_below_zero(desk: Desk, fixed_bag: None) -> None:
    table = await desk.open("Ann", "Bo", game="tesla", opening="balanced")

    assert "Going first is a big advantage, so the others start at −30" in desk.post(table).text


async def test_the_panel_proposes_a_place_and_its_arrows_move_among_others(desk: Desk, table: Table) -> None:
    result, panel = await desk.panel("Ann", table)
    assert "Next place" in panel.buttons
    assert "Left" not in panel.buttons
    assert "group" not in panel.menus

    await open_pad(desk, "Ann", result)

    panel = read_message(result.response)
    assert {"Left", "Up", "Down", "Right", "Hide arrows"} <= set(panel.buttons)
    assert panel.values("group")[0] == "best"
    await desk["Ann"].click(result.response, label="Hide arrows")
    assert "Left" not in read_message(result.response).buttons

    others = [label for label in panel.buttons if label.startswith("Tile")]
    assert len(others) == 3
    assert "**Tile " in panel.text
    version = (await desk.table()).version

    await desk["Ann"].click(result.response, label="Tile 2")

    panel = read_message(result.response)
    assert re.search(r"Tile 2 at [A-Z]+\d+, .*:\*\* free [A-C] grows to 2", panel.text)
    assert len(panel.values("spot")) <= 25
    assert panel.files == ["tesla-preview.png"]
    assert (await desk.table()).version == version

    await desk["Ann"].click(result.response, label="Tile 3")
    await open_pad(desk, "Ann", result)
    legal = {(move.cell, move.turn) for move in await legal_moves(desk, "Ann", "01-23")}
    been = set()

    for label in ("Left", "Right", "Up", "Down", "Next place", "Next place", "Left", "Down"):
        await desk["Ann"].click(result.response, label=label)
        been.add(cursor(read_message(result.response)))
    turning = next(label for label in read_message(result.response).buttons if label.startswith("Rotate ("))
    if not read_message(result.response).buttons[turning].get("disabled"):
        await desk["Ann"].click(result.response, label=turning)
        been.add(cursor(read_message(result.response)))

    assert been <= legal
    assert len(been) > 3


async def test_a_place_that_changes_no_circuit_is_not_recommended(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)
    idle: list[str] = []
    for tile in ("Tile 1", "Tile 2", "Tile 3", "Tile 4"):
        panel = read_message(result.response)
        if label := next((label for label in panel.buttons if label.startswith(tile)), None):
            await desk["Ann"].click(result.response, label=label)
        options = read_message(result.response).menus["spot"]["options"]
        idle = [one["value"] for one in options if one["description"].startswith("No player's circuit")]
        if idle:
            break
    assert "no good place" not in read_message(result.response).text
    assert read_message(result.response).buttons["Place"]["style"] == SUCCESS.value

    await pick(desk["Ann"], result.response, "spot", idle[0])

    panel = read_message(result.response)
    assert "no good place" not in panel.text
    assert panel.buttons["Place"]["style"] == PLAIN.value


async def legal_moves(desk: Desk, name: str, face: str) -> list[Any]:
    made = await desk.parlour.play.moves(1, desk[name].id)
    return [move for move in made if isinstance(move, moves.TeslaPlace | moves.Replace) and move.tile == face]


def cursor(panel: Any) -> tuple[str, int]:
    """Return the cursor's place in the panel's own words."""
    match = re.search(
        r"Tile \d (?:would replace the tile )?at (\S+), (?:turned (\d+)°|not turned)", panel.text
    )
    assert match is not None, panel.text
    return match[1], int(match[2] or 0) // 60


async def test_places_are_listed_by_kind_and_in_pages(desk: Desk, table: Table) -> None:
    await advance(desk, table, turns=6)
    name = (await desk.due())[0]
    result, panel = await desk.panel(name, table)
    tile = next(label for label in panel.buttons if label.startswith("Tile "))
    await desk[name].click(result.response, label=tile)
    await open_pad(desk, name, result)

    panel = read_message(result.response)
    labels = " ".join(option["label"] for option in panel.menus["group"]["options"])
    counts = [int(number) for number in re.findall(r"\((\d+)\)", labels)]
    assert len(counts) == len(panel.menus["group"]["options"])
    listed = list(panel.values("spot"))
    while "More places" in panel.buttons and not panel.buttons["More places"].get("disabled"):
        await desk[name].click(result.response, label="More places")
        panel = read_message(result.response)
        listed += panel.values("spot")

    view = await desk.view(name)
    face = view.hands[view.seat][int(tile.split()[1]) - 1]
    assert counts[0] == sum(counts[1:]) == len(listed)
    assert set(listed) == {f"{move.cell} {move.turn}" for move in await legal_moves(desk, name, face)}


async def advance(desk: Desk, table: Table, turns: int) -> None:
    for number in range(turns):
        await desk.act((await desk.due())[0], table, Random(number))


async def test_a_turn_in_which_nothing_was_done_is_asked_about(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)

    await desk["Ann"].click(result.response, label="End turn")
    assert await desk.due() == ["Ann"]
    await desk["Ann"].click(result.response, label="Back")
    assert "Place" in read_message(result.response).buttons
    await desk["Ann"].click(result.response, label="End turn")
    await desk["Ann"].click(result.response, label="End my turn")

    assert await desk.due() == ["Bo"]


async def test_tiles_are_thrown_away_by_toggles(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)
    await desk.unfold("Ann", result)
    await desk["Ann"].click(result.response, label="Discard")
    assert read_message(result.response).buttons["Discard and end turn"]["disabled"]

    await desk["Ann"].click(result.response, label="Tile 1")
    await desk["Ann"].click(result.response, label="Tile 3")
    await desk["Ann"].click(result.response, label="✓ Tile 1")
    await desk["Ann"].click(result.response, label="Discard 1 tile and end turn")

    view = await desk.view("Ann")
    assert view.discards == ["01-23"]
    assert view.hands[0][:3] == ("03-14-25", "03", "02")
    assert await desk.due() == ["Bo"]


async def choose(stage: AnyStage, name: str, place: Any, *choices: str) -> None:
    for choice in choices:
        await stage[name].slash(place, "tesla choose", choice=choice)


async def list_choices(stage: AnyStage, name: str, place: Any, typed: str) -> list[str]:
    return [
        choice["value"] for choice in await stage[name].autocomplete(place, "tesla choose", "choice", typed)
    ]


async def test_a_whole_turn_is_typed(desk: Desk, table: Table) -> None:
    assert await list_choices(desk, "Ann", table, "tile 2 at aa50") == ["place tile 2 at AA50, turned 60°"]

    await choose(desk, "Ann", table, "tile 2 at aa50", "mark aa50", "discard tiles 1 and 3")

    text = desk.post(table).text
    assert "places a tile at AA50, marks B (−2), discards 2 tiles and draws" in text
    view = await desk.view()
    assert view.scores == [-2, 0]
    assert view.board.markers["AA50"].segment == (1, 4)


async def test_a_typed_replacement_and_a_typed_end(desk: Desk, table: Table) -> None:
    assert len(await list_choices(desk, "Ann", table, "replace z50 with tile 2")) == 3

    await choose(desk, "Ann", table, "with tile 2, turned 120°")
    await desk["Ann"].slash(table, "tesla done")

    assert (await desk.view()).board.tiles["Z50"].lie == "25"
    assert "Ann replaces Z50 and draws 1 tile." in desk.post(table).text
    assert await desk.due() == ["Bo"]


async def test_a_marker_is_taken_by_typing(desk: Desk, table: Table) -> None:
    await choose(desk, "Ann", table, "mark z50, upper right", "end")
    await choose(desk, "Bo", table, "2 at aa49", "end")
    assert await list_choices(desk, "Ann", table, "take") == [
        "take back the marker at Z50: circuit A for 2 points"
    ]

    await choose(desk, "Ann", table, "take")

    assert (await desk.view()).scores == [1, 0]


async def test_a_turn_of_one_tile_and_one_marker_takes_four_clicks(desk: Desk, table: Table) -> None:
    listed = await list_choices(desk, "Ann", table, "")

    assert len(listed) == 25
    assert listed[0] == "end the turn"
    assert {one.split()[0] for one in listed} >= {"end", "mark", "discard"}

    result, _ = await desk.panel("Ann", table)
    clicks = 1
    for label in ("Place", "Marker", "Confirm, end turn"):
        await desk["Ann"].click(result.response, label=label)
        clicks += 1

    assert await desk.due() == ["Bo"]
    assert clicks == 4
    text = desk.post(table).text
    assert "**Ann (−1 point)** places a tile at" in text
    assert "marks " in text


async def test_hands_come_by_dm_when_drawn_not_for_each_tile(stage: DiscordStage, fixed_bag: None) -> None:
    place = await stage.open("Ann", "Bo", game="tesla", opening="rulebook")
    messages = stage["Ann"].user.dm_channel.history()
    assert len(messages) == 1
    result, _ = await stage.panel("Ann", place)
    await player.lay(stage, "Ann", result, Random(1))
    assert len(stage["Ann"].user.dm_channel.history()) == len(messages)
    before = stage["Ann"].user.dm_channel.history()[-1].attachments[0].id

    await stage["Ann"].click(result.response, label="End turn")

    after = stage["Ann"].user.dm_channel.history()[-1]
    assert after.attachments[0].id != before
    assert "Take turn" in read_message(after).buttons


@pytest.fixture
def poor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start everybody 49 points behind the leader, who has 0."""
    rules = type(game("tesla"))
    begin = rules.begin

    def behind(_rules: Any, *args: Any) -> Any:
        state = begin(*args)
        state.scores[:] = [-49, 0]
        return state

    monkeypatch.setattr(rules, "begin", behind)


async def test_a_marker_that_ruins_its_seat_is_asked(desk: Desk, poor: None, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)
    await desk["Ann"].click(result.response, label="Marker")
    await pick(desk["Ann"], result.response, "circuit", read_message(result.response).values("circuit")[0])
    panel = read_message(result.response)
    assert "You'd be out" in panel.text
    assert "Confirm −1 and be out" in panel.buttons

    typed = await desk["Ann"].slash(table, "tesla choose", choice="mark z50, upper right")
    assert "You'd be out" in read_message(typed.response).text
    assert await desk.due() == ["Ann"]
    await desk["Ann"].click(typed.response, label="Confirm −1 and be out")

    assert "Bo wins, because Ann is out." in desk.post(table).text.replace("**", "")


async def test_options_are_numbers_and_words_in_the_lobby(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tesla new")
    wish = {"win": "80", "tiles": "square", "opening": "balanced"}

    await fill(stage["Ann"], stage.card().message, "Options", wish)

    table = await stage.table()
    assert (table.options.win, table.options.tiles, table.options.opening) == (80, "square", "balanced")
    assert "first to 80 points · square tiles · balanced start" in stage.card().text
