from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from cogs.core.pictures import NOW
from cogs.play.assembly import _view, recap_missed
from cogs.play.game_cog import preview_page
from cogs.posts.board import board_post
from cogs.tangle import panel
from cogs.tangle.panel import is_placed_at_once, needs_confirmation
from cogs.ui.press import NOT_OURS, parse
from cogs.ui.text import without_icons
from engines.registry import game
from engines.tangle.decisions import Casting, Pushing
from engines.tangle.moves import DropRest, Steps, TangleDone, TanglePlace
from engines.tangle.pieces.components import ALL_CARDS, CARDS, CONDITIONS, CardId
from engines.tangle.truth.state import TangleDeal
from engines.tangle.words import board
from render.core.canvas import Picture
from tables.core.table import Table
from tables.play.play import Perspective
from tests.discord.desk import Desk
from tests.discord.stage import (
    GALLERY,
    MENU,
    AnyStage,
    DiscordStage,
    fill,
    form_of,
    pick,
    read_message,
    submit,
    values_of,
)

ANNS: tuple[CardId, ...] = ("windfall", "landslide", "tree_ghost")
BOS: tuple[CardId, ...] = ("old_lore", "seed_vault", "slow_season")
ROW: tuple[CardId, ...] = ("rune_storm", "berry_year", "wellspring")


def deal_first(first: Sequence[CardId]) -> TangleDeal:
    """Return a deal with the named cards first, others in data order."""
    rest = list(ALL_CARDS)
    for card in first:
        rest.remove(card)
    return TangleDeal(tuple(CONDITIONS), (*first, *rest))


@pytest.fixture
def fixed_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal Ann Windfall, Landslide and a ghost; Bo others. Ann goes first."""
    deal = deal_first((*ANNS, *BOS, *ROW))
    monkeypatch.setattr(type(game("tangle")), "deal", lambda *_: deal)
    monkeypatch.setattr(type(game("tangle")), "draws_seats", False)


@pytest.fixture
async def table(desk: Desk, fixed_deal: None) -> Table:
    return await desk.open("Ann", "Bo", game="tangle")


@pytest.fixture
async def place(stage: DiscordStage, fixed_deal: None) -> Any:
    return await stage.open("Ann", "Bo", game="tangle")


async def to(stage: AnyStage, name: str, result: Any, where: str) -> None:
    """Choose the root's destination."""
    panel = read_message(result.response)
    for menu in panel.components:
        offered = [option["value"] for option in menu.get("options", [])]
        if where in offered and ":to:" in menu["custom_id"]:
            await stage[name].select(result.response, [where], custom_id=menu["custom_id"])
            return
    raise AssertionError(f"{where} is not offered")


def find_offers(panel: Any, what: str) -> dict[str, str]:
    """Return the root's destinations with their descriptions, in the panel's order."""
    menus = [menu for menu in panel.components if f":{what}" in menu.get("custom_id", "")]
    return {option["value"]: option.get("description", "") for menu in menus for option in menu["options"]}


async def type_placement(stage: AnyStage, name: str, place: Any, root: str, to: str, *choices: str) -> None:
    await stage[name].slash(place, "tangle place", root=root, to=to)
    for choice in choices:
        await stage[name].slash(place, "tangle choose", choice=choice)


async def test_a_turn_is_a_root_a_destination_and_what_is_asked_then(desk: Desk, table: Table) -> None:
    result, panel = await desk.panel("Ann", table)
    assert "Place a root" in panel.text
    await to(desk, "Ann", result, "CE")
    laying = read_message(result.response)
    assert "Ann moves a root from B5 to CE (Clean earth)." in laying.text
    assert "1 E at E" in laying.text
    assert "Lay clean earth" in laying.text
    assert "Undo" in laying.buttons
    places = {one["value"]: one for one in laying.menus["chosen"]["options"]}
    assert places["C6"]["description"].startswith("beside ")

    await pick(desk["Ann"], result.response, "chosen", "C6")
    await desk["Ann"].click(result.response, label="Done laying")
    casting = read_message(result.response)
    assert "Cast an enchantment" in casting.text
    assert "Or push, end turn" in [menu["placeholder"] for menu in casting.menus.values()]
    await pick(desk["Ann"], result.response, "push", "1 0 0")

    view = await desk.view()
    assert view.tiles["C6"].kind == "earth"
    assert view.trackers == (2, 3, 3)
    assert view.seat == 1


async def test_each_step_can_be_undone_and_unpayable_choices_fail(desk: Desk, table: Table) -> None:
    result = await desk["Ann"].slash(table, "tangle place", root="B5", to="CE")
    await pick(desk["Ann"], result.response, "chosen", "C6")
    await desk["Ann"].click(result.response, label="Undo")
    assert "C6" not in (await desk.view()).tiles
    await desk["Ann"].click(result.response, label="Undo")
    assert (await desk.view()).tiles["B5"].roots == 1
    assert "Place a root" in read_message(result.response).text

    result = await desk["Ann"].slash(table, "tangle place", root="B5", to="CE")
    menu = read_message(result.response).menus["chosen"]
    assert menu["max_values"] == (await desk.view()).players[0].stash[1] < len(menu["options"])
    await desk["Ann"].select(result.response, ["D11", "C5"], custom_id=menu["custom_id"])

    shown = read_message(result.response)
    assert "You can't pay for C5 and D11 together. You have 2 W, 2 E, 2 N and 2 M. I kept C5." in shown.text
    assert not shown.menus
    assert "C5" not in (await desk.view()).tiles
    await desk["Ann"].click(result.response, label="Confirm")
    assert "C5" in (await desk.view()).tiles


async def test_several_areas_are_laid_at_once_the_nearest_first(desk: Desk, table: Table) -> None:
    result = await desk["Ann"].slash(table, "tangle place", root="B5", to="CE")
    menu = read_message(result.response).menus["chosen"]

    await desk["Ann"].select(result.response, ["C7", "C6"], custom_id=menu["custom_id"])

    view = await desk.view()
    assert {area for area, tile in view.tiles.items() if tile.kind == "earth"} == {"C6", "C7"}
    assert view.players[0].stash == (2, 0, 2, 2)
    assert "lays clean earth at C6 and C7 (2 E)." in read_message(result.response).text
    assert "You have 2 W, no E, 2 N and 2 M" in (await desk.panel("Ann", table))[1].text


async def test_a_card_is_drawn_for_good_and_seen_by_its_owner_alone(stage: DiscordStage, place: Any) -> None:
    result = await stage["Ann"].slash(place, "tangle place", root="B5", to="EN")
    assert "Draw 3 cards" in read_message(result.response).text
    assert "Undo" in read_message(result.response).buttons
    asked = parse(read_message(result.response).menus["chosen"]["custom_id"])
    assert asked is not None

    refused = await stage.send_press("Ann", replace(asked, verb="to", values=("CE",)))
    assert NOT_OURS in read_message(refused.response).text
    assert "Draw 3 cards" in (await stage.panel("Ann", place))[1].text

    await pick(stage["Ann"], result.response, "chosen", "pile")
    assert "Undo" not in read_message(result.response).buttons
    assert "You draw" in read_message(result.response).text
    assert "You draw" not in "\n".join(post.text for post in stage.posts(place))
    assert (await stage.view("Bo")).hands is None


async def test_equal_cards_in_the_row_differ(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = deal_first((*ANNS, *BOS, "spring_rush", "berry_year", "spring_rush"))
    monkeypatch.setattr(type(game("tangle")), "deal", lambda *_: deal)
    monkeypatch.setattr(type(game("tangle")), "draws_seats", False)
    table = await desk.open("Ann", "Bo", game="tangle")

    result = await desk["Ann"].slash(table, "tangle place", root="B5", to="EN")

    labels = [option["label"] for option in read_message(result.response).menus["chosen"]["options"]]
    assert labels == [
        "Spring Rush, first in the row",
        "Berry Year",
        "Spring Rush, third in the row",
        "The top card of the pile",
    ]
    await pick(desk["Ann"], result.response, "chosen", "row 2")
    assert (await desk.view()).row[:2] == ["spring_rush", "berry_year"]


async def test_moves_that_bring_much_have_a_page_before_them_and_the_end_of_a_turn_is_named(
    desk: Desk, table: Table
) -> None:
    table, view = await desk.table(), await desk.view("Ann")
    asked = Pushing(1)
    near = replace(view, trackers=(1, 3, 3), decision=asked, agenda=(asked,))

    assert needs_confirmation(Perspective(table, 0, near), Steps((1, 0, 0)))
    assert not needs_confirmation(Perspective(table, 0, near), Steps((0, 1, 0)))

    ann = replace(view.players[0], front=("old_lore",))
    with_lore = replace(view, players=[ann, *view.players[1:]])
    move = TanglePlace("B5", "EN")

    assert is_placed_at_once(Perspective(table, 0, view), move)
    assert not is_placed_at_once(Perspective(table, 0, with_lore), move)

    casting = replace(view, decision=Casting(), agenda=(Casting(),))

    assert table.game.ends_turn(casting, 0, [TangleDone()])
    assert not table.game.ends_turn(view, 0, [TanglePlace("B5", "CE")])
    result, _ = await desk.panel("Ann", table)
    await to(desk, "Ann", result, "E")
    assert "Cast nothing and end the turn" in read_message(result.response).buttons


@pytest.mark.essential
async def test_a_toll_is_shown_first_and_a_single_choice_is_a_button(desk: Desk, table: Table) -> None:
    await type_placement(desk, "Ann", table, "B5", "CE", "earth on C6", "stop", "stop", "lakes 1")
    result, _ = await desk.panel("Bo", table)
    await to(desk, "Bo", result, "CE")
    shown = read_message(result.response)
    assert "Move your root from B9 to CE (Clean earth)." in shown.text
    assert "You pay Ann 1 for the roots below your root, in any resources." in shown.text
    assert "Place it" in shown.buttons

    await type_placement(desk, "Bo", table, "B9", "BS", "stop")
    await type_placement(desk, "Ann", table, "CE", "TS", "stop")
    await type_placement(desk, "Bo", table, "BS", "CE", "earth on C8", "stop", "stop", "lakes 1")
    result = await desk["Ann"].slash(table, "tangle place", root="TS", to="PL")
    shown = read_message(result.response)
    assert "You have one tree seed." in shown.text
    assert "chosen" not in shown.menus
    assert any(label.startswith("Plant nothing") for label in shown.buttons)

    await desk["Ann"].click(result.response, label="C6")

    assert (await desk.view()).tiles["C6"].seed == "tree"


async def test_more_areas_than_one_menu_has_lines_are_chosen_in_a_form(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "MENU_LIMIT", 9)
    result, _ = await stage.panel("Ann", place)
    await to(stage, "Ann", result, "CE")
    shown = await stage["Ann"].click(result.response, label="Choose areas")
    first, _ = form_of(shown).values()
    assert values_of(first) == ["B3", "B4", "B6", "B7", "C5", "C6", "C7", "D9", "D10"]
    none = await submit(stage["Ann"], shown)
    assert "Choose one area or more." in read_message(none.response).text
    shown = await stage["Ann"].click(none.response, label="Try again")
    many = await submit(stage["Ann"], shown, {"0": ["B3", "B4"], "1": ["E7", "E8"]})
    assert "I kept B4 and E8." in read_message(many.response).text

    await fill(stage["Ann"], result.response, "Choose areas", {"0": ["B4"], "1": ["E8"]})

    view = await stage.view()
    assert [view.tiles[area].owner for area in ("B4", "E8")] == [0, 0]


@pytest.mark.essential
@pytest.mark.usefixtures("fixed_deal")
async def test_upkeep_asks_all_who_owe_at_the_same_time(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangle", upkeep="asked")
    await type_placement(stage, "Ann", place, "B5", "LA", "lake on C6", "stop", "lakes 1")
    await type_placement(stage, "Bo", place, "B9", "LA", "lake on B8", "pay Ann 1 W", "stop", "lakes 1")
    await type_placement(stage, "Ann", place, "LA", "CE", "earth on B6", "stop", "stop", "lakes 1")
    await type_placement(stage, "Bo", place, "LA", "B9", "stop")

    assert sorted(await stage.due()) == ["Ann", "Bo"]
    result, panel = await stage.panel("Bo", place)
    assert "Pay upkeep for your lakes: 1 E each" in panel.text
    await stage["Bo"].click(result.response, label="Drop it")
    assert await stage.due() == ["Ann"]
    result, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(result.response, label="Keep it (1 E)")

    view = await stage.view()
    assert view.tiles["C6"].kind == "lake"
    assert view.tiles["B8"].kind == "earth"


@pytest.mark.essential
async def test_a_post_names_all_changes_and_payable_upkeep_stops_nobody_and_is_told_to_all(
    desk: Desk, table: Table
) -> None:
    start = (await desk.table()).version
    await type_placement(desk, "Ann", table, "B5", "LA", "lake on C6", "stop", "lakes 1")
    await type_placement(desk, "Bo", table, "B9", "LA", "lake on B8", "pay Ann 1 W", "stop", "lakes 1")
    post = await board_post(desk.app, 1, after=start, memo=None)
    [board_] = [part for part in post.page.parts if isinstance(part, Picture)]
    assert "The board changed at B5, B8, B9, C6 and LA." in board_.alt
    await type_placement(desk, "Ann", table, "LA", "CE", "earth on B6", "stop", "stop", "lakes 1")
    await type_placement(desk, "Bo", table, "LA", "B9", "stop")

    assert await desk.due() == ["Ann"]
    text = desk.post(table).text
    assert (
        "**Everyone pays upkeep for lakes.**\n"
        "↳ Ann keeps C6 for 1 E (paid automatically).\n↳ Bo keeps B8 for 1 E (paid automatically)." in text
    )
    assert f"<@{desk['Ann'].id}>: place a root." in text
    _, panel = await desk.panel("Ann", table)
    assert "Place a root" in panel.text

    await type_placement(desk, "Ann", table, "CE", "TS", "stop")
    parlour, bo = desk.app.parlour, desk["Bo"].id

    missed = await parlour.record.find_missed(await desk.table(), bo)
    perspective = await parlour.play.perspective(1, bo)
    recap = await recap_missed(desk.app, perspective, missed)

    told = "\n".join(map(without_icons, recap.lines))
    assert told.startswith(
        "**Everyone pays upkeep for lakes.**\n↳ Ann keeps C6 for 1 E (paid automatically)."
    )
    assert "Bo keeps B8 for 1 E (paid automatically)." in told
    assert "to TS and takes a tree seed" in told


async def test_owing_upkeep_in_anothers_turn_is_no_turn(desk: Desk, fixed_deal: None) -> None:
    table = await desk.open("Ann", "Bo", game="tangle", upkeep="asked")
    await type_placement(desk, "Ann", table, "B5", "LA", "lake on C6", "stop", "lakes 1")
    await type_placement(desk, "Bo", table, "B9", "LA", "lake on B8", "pay Ann 1 W", "stop", "lakes 1")
    await type_placement(desk, "Ann", table, "LA", "TS", "stop")
    await type_placement(desk, "Bo", table, "LA", "CE", "earth on B10", "stop", "stop", "lakes 1")
    await desk["Ann"].slash(table, "tangle place", root="TS", to="B5")

    ended = await desk["Ann"].slash(table, "tangle choose", choice="stop")
    app, user_id = desk.app, desk["Ann"].id
    asked = await preview_page(app, await app.parlour.play.perspective(1, user_id), user_id, DropRest())
    await desk["Ann"].slash(table, "tangle choose", choice="drop all that is left, saving 1 E")
    heard = board.describe_changes(
        await _view(app, await app.parlour.play.perspective(1, user_id), NOW), ("Ann", "Bo")
    )

    duty = "You're next: pay upkeep for your lakes, or lose some."
    assert duty in read_message(ended.response).text
    assert asked is not None
    assert "ends your turn" not in str(asked.parts)
    assert "You changed the board at C6." in heard


async def pay_two_lakes(stage: AnyStage, place: Any) -> None:
    """Begin Ann's turn with 2 E paid for two lakes."""
    await type_placement(stage, "Ann", place, "B5", "LA", "lake on C6", "stop", "lakes 1")
    await type_placement(stage, "Bo", place, "B9", "LA", "lake on B8", "pay Ann 1 W", "stop", "lakes 1")
    await type_placement(stage, "Ann", place, "E9", "LA", "lake on B6", "pay Bo 1 W", "stop", "lakes 1")
    await type_placement(stage, "Bo", place, "LA", "B9", "stop")


async def test_paid_upkeep_can_be_changed_by_clicks_and_typing(desk: Desk, table: Table) -> None:
    await pay_two_lakes(desk, table)
    held = (await desk.view("Ann")).players[0].stash
    result, panel = await desk.panel("Ann", table)
    assert "You paid 2 E for upkeep." in panel.text

    await desk["Ann"].click(result.response, label="Change")
    asked = read_message(result.response)
    assert "You have 2 W, 2 E" in asked.text
    assert "Each one that you drop saves 1 E." in asked.text
    lines = asked.menus["keep"]["options"]
    assert [line["description"].split(". ")[1] for line in lines] == ["Dropping it saves 1 E."] * 2
    await pick(desk["Ann"], result.response, "keep", "C6 1")

    view = await desk.view("Ann")
    assert view.tiles["B6"].kind == "earth"
    assert view.tiles["C6"].kind == "lake"
    assert view.players[0].stash[1] == held[1] + 1
    assert "Change" not in read_message(result.response).buttons
    for _ in range(3):
        await desk["Ann"].click(result.response, label="Undo")
    assert (await desk.view("Ann")).players[0].stash == held
    assert "Change" in read_message(result.response).buttons

    await desk["Ann"].slash(table, "tangle choose", choice="change upkeep")
    result = await desk["Ann"].slash(table, "tangle choose", choice="drop B6")
    assert "Dropping it saves 1 E." in read_message(result.response).text
    await desk["Ann"].slash(table, "tangle choose", choice="drop all that is left, saving 1 E")
    assert {(await desk.view("Ann")).tiles[area].kind for area in ("B6", "C6")} == {"earth"}


REFUSED = [
    ("tangle place", {"root": "B5", "to": "X"}, "You can't do anything there."),
    ("tangle place", {"root": "B5", "to": "ZZ"}, ""),
    ("tangle place", {"root": "CE", "to": "E"}, "You have no root there."),
    ("tangle card", {"name": "Nothing"}, "I don't know that card"),
    ("tangle area", {"code": "Z9"}, "This game has no area Z9"),
]


async def test_moves_are_typed_as_offered_and_others_are_refused(stage: DiscordStage, place: Any) -> None:
    await stage.refuses("Ann", place, REFUSED)

    offered = await stage["Ann"].autocomplete(place, "tangle place", "to", "clean", root="B5")
    assert [(choice["name"], choice["value"]) for choice in offered] == [("CE (Clean earth)", "CE")]
    roots = await stage["Ann"].autocomplete(place, "tangle place", "root", "")
    assert {choice["value"] for choice in roots} == {"B5", "E9"}

    await stage["Ann"].slash(place, "tangle place", root="b5", to="ce")
    choices = await stage["Ann"].autocomplete(place, "tangle choose", "choice", "earth on b")

    assert [choice["value"] for choice in choices] == [
        f"lay clean earth on B{number}" for number in (3, 4, 6, 7)
    ]

    await stage["Ann"].slash(place, "tangle place", root="B5", to="CE")
    version = (await stage.table()).version

    answer = await stage["Ann"].slash(place, "tangle place", root="B5", to="TS")

    assert (
        "You can't place a root now. Your next step: lay clean earth. Use **Take turn**"
        in answer.response.content
    )
    assert (await stage.table()).version == version


async def test_anybody_reads_cards_and_areas_and_owners_their_hands(stage: DiscordStage, place: Any) -> None:
    card = await stage["Dee"].slash(place, "tangle card", name="windfall")
    area = await stage["Dee"].slash(place, "tangle area", code="b5")

    assert "take 1 bush seed and 1 tree seed" in read_message(card.response).text
    assert "Ann's tree with 1 root" in read_message(area.response).text

    for name in ("Ann", "Bo"):
        assert len(stage[name].user.dm_channel.history()) == 1
    answer = await stage["Ann"].slash(place, "tangle hand")
    assert answer.ephemeral
    assert read_message(answer.response).files

    view = await stage.view("Ann")
    assert view.hand is not None
    assert view.conditions is not None
    text = read_message(answer.response).text
    assert len(text) < 3000
    for cards in (view.hand, view.row):
        for one in cards:
            costs = f" ×{cards.count(one)} cost " if cards.count(one) > 1 else " costs "
            assert f"**{CARDS[one].name}**{costs}" in text
    for one in view.conditions:
        assert CONDITIONS[one].name in text


async def test_spaces_are_exchanged_by_the_command(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tangle new", computers=2, takeover="s1")

    await stage["Ann"].click(stage.card().message, label="Start")

    assert (await stage.view()).options.exchange == (("S1", "takeover"),)


async def test_at_the_end_everybodys_conditions_are_told(stage: DiscordStage, place: Any) -> None:
    asked = await stage["Bo"].slash(place, "table resign")
    await stage["Bo"].click(asked.response, label="Resign")

    text = stage.post(place).text
    assert "Bo leaves the game." in text
    assert (
        "Ann still needs 15 more things for The Old Forest, 13 for Deep Wood and 14 for Great Grove." in text
    )


async def test_a_useless_space_asks_once_another_root_may_be_chosen_and_a_root_may_go_home(
    desk: Desk, table: Table
) -> None:
    result, panel = await desk.panel("Ann", table)
    spaces = find_offers(panel, "space")
    assert set(list(spaces)[-3:]) == {"ME", "PL", "GR"}
    assert spaces["ME"].startswith("Does nothing now: you have no clean earth")
    assert "nothing" not in spaces["CE"]

    await to(desk, "Ann", result, "ME")

    assert "The space does nothing now: you have no clean earth" in read_message(result.response).text
    await desk["Ann"].click(result.response, label="Place it anyway")
    assert (await desk.view()).roots == {"ME": (0,)}
    await desk["Ann"].click(result.response, label="Undo")
    await desk["Ann"].click(result.response, label="From E9")

    await desk["Ann"].click(result.response, label="Home to the tree B5")

    assert (await desk.view()).tiles["B5"].roots == 2


async def test_a_card_shows_its_price_and_question_and_is_undone(desk: Desk, table: Table) -> None:
    await type_placement(desk, "Ann", table, "B5", "CE", "earth on C6", "stop")
    before = await desk.view("Ann")
    result, _ = await desk.panel("Ann", table)

    await pick(desk["Ann"], result.response, "chosen", "landslide")

    asked = read_message(result.response)
    assert "Lay clean earth" in asked.text
    assert "Confirm" not in asked.buttons
    await desk["Ann"].click(result.response, label="Undo")
    assert await desk.view("Ann") == before

    result, panel = await desk.panel("Ann", table)
    line = next(one for one in panel.menus["chosen"]["options"] if one["value"] == "windfall")
    assert line["label"] == "Windfall, for 1 M"
    assert line["description"] == "Once: take 1 bush seed and 1 tree seed."

    await pick(desk["Ann"], result.response, "chosen", "windfall")

    shown = read_message(result.response)
    assert "casts **Windfall** for 1 M" in shown.text
    assert not any(label.startswith("Confirm") for label in shown.buttons)
    assert "Undo" in shown.buttons


async def test_a_panel_shows_the_land_or_the_part_to_decide_about(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Ann", table)
    panel = await desk.unfold("Ann", result)

    line = "For **Deep Wood** you have "
    assert line in panel.text
    assert panel.text.index(line) > panel.text.index("Place a root")

    result, panel = await desk.panel("Ann", table)
    kinds = [part["type"] for part in panel.components]
    assert kinds.index(GALLERY) < kinds.index(MENU)
    assert panel.files == ["tangle-land.png"]

    whole = await desk.unfold("Ann", result)
    assert whole.files == ["tangle-land.png"]

    await desk["Ann"].click(result.response, label="Less")
    assert read_message(result.response).files == ["tangle-land.png"]

    await to(desk, "Ann", result, "LA")
    assert read_message(result.response).files == ["tangle-part.png"]

    await pick(desk["Ann"], result.response, "chosen", "C6")
    assert read_message(result.response).files == ["tangle-hand.png"]

    await desk["Ann"].slash(table, "tangle choose", choice="stop")
    result, panel = await desk.panel("Ann", table)
    assert "Lakes** tracker: 3 steps from the top. There, you'd pay 1 E; Bo would pay nothing." in panel.text
    assert not panel.files
    assert "tangle-table.png" in (await desk.unfold("Ann", result)).files


async def test_a_long_turn_is_a_line_and_a_seat_without_payable_cards_is_skipped_and_can_undo(
    stage: DiscordStage, place: Any
) -> None:
    await type_placement(
        stage, "Ann", place, "B5", "CE", "earth on C6", "stop", "cast Windfall", "stop", "enchantments 1"
    )
    post = stage.post(place)
    assert (
        "Ann moves a root from B5 to CE, lays clean earth at C6 (1 E), "
        "casts **Windfall** for 1 M and gains 1 bush seed + 1 tree seed" in post.text
    )
    assert {user.id for user in post.message.mentions} == {stage["Bo"].id}
    await type_placement(stage, "Bo", place, "B9", "TS", "stop")
    await stage["Ann"].slash(place, "tangle place", root="CE", to="LA")
    result, before = await stage.panel("Ann", place)
    await pick(stage["Ann"], result.response, "chosen", "C5")
    text = read_message(result.response).text
    assert "You can't afford any of your enchantments, so you cast none." in text
    assert "Push the upkeep trackers" in text
    result, skipped = await stage.panel("Ann", place)
    assert "Push the upkeep trackers" in skipped.text

    await stage["Ann"].click(result.response, label="Undo")

    shown = read_message(result.response)
    assert "I took back your last step." in shown.text
    assert "You can't afford any" not in shown.text
    assert shown.values("chosen") == before.values("chosen")
