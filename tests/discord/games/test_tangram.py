import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
import pytest

from cogs.core.rulebook import pages
from cogs.tangram import draft as drafts
from cogs.tangram.presenter import TangramPresenter
from engines.analysis.simulation import GameCourse, SimulationPlan
from engines.game import Seat, Strength
from engines.registry import game
from engines.tangram.legal.moves import over
from engines.tangram.moves import Decline, DeclineFountain
from engines.tangram.pieces.board import TangramLaid
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, ROUNDS, SCORING, TILES, TangramOptions
from engines.tangram.truth.state import TangramDeal, TangramState
from engines.tangram.view import TangramView
from engines.tangram.words.event_lines import RANKS
from tables.clocks.pace import HOUR
from tables.core.table import Table
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, fill, form_of, pick, read_message, values_of

FIRST = (6, 2, 19, 11, 20, 4)


@pytest.fixture
def fixed_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal domino, triangle, bar, roof first; Ann has the start marker."""
    deck = (*FIRST, *(tile for tile in TILES if tile not in FIRST))
    monkeypatch.setattr(type(game("tangram")), "deal", lambda *_: TangramDeal(deck, 0))


@pytest.fixture
async def table(desk: Desk, fixed_deck: None) -> Table:
    return await desk.open("Ann", "Bo", game="tangram", boards="plain")


@pytest.fixture
async def place(stage: DiscordStage, fixed_deck: None) -> Any:
    return await stage.open("Ann", "Bo", game="tangram", boards="plain")


async def decline(stage: AnyStage, name: str, place: Any) -> None:
    offered = await stage[name].autocomplete(place, "tangram choose", "choice", "aside")
    asked = await stage[name].slash(place, "tangram choose", choice=offered[0]["value"])
    await stage[name].click(asked.response, label="Yes, set it aside")


async def to_the_edge(stage: AnyStage, result: Any, arrow: str) -> None:
    """Press one of Ann's arrows until it leads no further."""
    while not read_message(result.response).buttons[arrow].get("disabled"):
        await stage["Ann"].click(result.response, label=arrow)


async def test_a_place_that_is_shown_small_is_taken_at_once(desk: Desk, table: Table) -> None:
    result, panel = await desk.panel("Ann", table)
    assert [label for label in panel.buttons if label.startswith("Place ")] == [
        "Place at 2",
        "Place at 3",
        "Place at 4",
    ]
    assert "**Place at 2** puts the tile at the next best place" in (await desk.unfold("Ann", result)).text
    await desk["Ann"].click(result.response, label="Next fit")
    second = read_message(result.response).text
    await desk.unfold("Ann", result)
    await desk["Ann"].click(result.response, label="Previous fit")
    assert "This is number 1." in read_message(result.response).text

    await desk["Ann"].click(result.response, label="Place at 2")

    (answer,) = (await desk.view("Ann")).mine
    assert over(answer.piece).squares in second


async def test_the_pad_moves_jumps_turns_flips_and_says_what_is_wrong(desk: Desk, table: Table) -> None:
    await desk["Ann"].slash(table, "tangram choose", choice="at A1, black, not turned")
    await decline(desk, "Bo", table)
    result, _ = await desk.panel("Ann", table)
    await desk["Ann"].click(result.response, label="Adjust")
    await to_the_edge(desk, result, "Up")
    await to_the_edge(desk, result, "Left")

    assert "⚠️ A1 is already built." in read_message(result.response).text
    assert read_message(result.response).buttons["Place"]["disabled"]
    for label in ("Right", "Down", "Turn", "Flip"):
        await desk["Ann"].click(result.response, label=label)
    await desk["Ann"].click(result.response, label="Next fit")

    assert "Here it covers" in read_message(result.response).text
    assert (await desk.view("Ann")).answered == ()

    assert len(read_message(result.response).values("jump")) == 14
    for goal in ("D", "7"):
        await pick(desk["Ann"], result.response, "jump", goal)
    await desk["Ann"].click(result.response, label="Place")

    (answer,) = (await desk.view("Ann")).mine
    assert answer.piece.at[0] == "D"


async def test_the_others_panels_stay_open_while_somebody_answers_and_tell_no_old_news(
    desk: Desk, table: Table
) -> None:
    anns, _ = await desk.panel("Ann", table)
    bos, _ = await desk.panel("Bo", table)
    await desk["Bo"].click(bos.response, label="Adjust")
    await desk["Bo"].click(bos.response, label="Turn")
    await desk["Ann"].click(anns.response, label="Place")

    await desk["Bo"].click(bos.response, label="Next fit")

    assert "has changed" not in read_message(bos.response).text
    await desk["Bo"].click(bos.response, label="Place, show all")
    view = await desk.view()
    assert view.step == 2
    assert len(view.cities[0].pieces) == len(view.cities[1].pieces) == 1
    assert "Everyone can now see the" in desk.post(table).text
    panel = read_message(bos.response).text
    assert "**Place the triangle.**" in panel
    assert "Everyone can now see the" not in panel


async def test_an_answer_takes_two_clicks_and_is_changed_until_the_step_closes(
    desk: Desk, table: Table
) -> None:
    result, panel = await desk.panel("Ann", table)
    assert "Here it covers" in panel.text
    assert panel.files == ["tangram-preview.png"]
    await desk["Ann"].click(result.response, label="Place")
    assert "until Bo is done" in read_message(result.response).text
    assert (await desk.view("Ann")).answered == (0,)
    await desk["Ann"].click(result.response, label="Change the domino")
    await desk["Ann"].click(result.response, label="Next fit")
    await desk["Ann"].click(result.response, label="Place")
    again, panel = await desk.panel("Ann", table)
    assert "Placed" in panel.text
    assert again.ephemeral

    await decline(desk, "Bo", table)
    stale = await desk["Ann"].click(result.response, label="Change the domino")

    assert "has changed" in read_message(stale.response).text
    assert len((await desk.view()).cities[0].pieces) == 1


async def test_an_answer_that_is_looked_at_again_may_be_kept_and_typed_declining_asks(
    desk: Desk, table: Table
) -> None:
    await desk["Ann"].slash(table, "tangram choose", choice="at C3, black, not turned")
    result, _ = await desk.panel("Ann", table)
    await desk["Ann"].click(result.response, label="Change the domino")
    await desk["Ann"].click(result.response, label="Next fit")
    assert "Your answer so far: black on C3-C4" in read_message(result.response).text

    await desk["Ann"].click(result.response, label="Keep my answer")

    assert "Placed" in read_message(result.response).text
    assert (await desk.view("Ann")).mine[0].piece == TangramLaid(6, "black", 0, "C3")

    asked = await desk["Ann"].slash(table, "tangram choose", choice="aside")

    assert "Until you say yes, I keep your old answer" in read_message(asked.response).text
    assert (await desk.view("Ann")).mine[0].piece is not None
    await desk["Ann"].click(asked.response, label="Yes, set it aside")
    assert (await desk.view("Ann")).mine[0].piece is None


async def test_the_panel_comes_back_as_it_was(stage: DiscordStage, place: Any) -> None:
    result, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(result.response, label="Next fit")
    before = read_message(result.response).text
    assert "This is number 2." in before
    await stage.env.advance_time(16 * 60)

    _, reopened = await stage.panel("Ann", place)

    assert reopened.text.endswith(before)


async def test_against_computers_the_panel_says_that_an_answer_closes_the_step(desk: Desk) -> None:
    table = await desk.open("Ann", game="tangram", computers=2)

    _, panel = await desk.panel("Ann", table)

    assert "Place, show all" in panel.buttons
    assert "You're the last to answer" not in panel.text


async def test_one_post_a_step_and_who_is_waited_for_is_edited_in_and_answers_are_secret(
    stage: DiscordStage, place: Any
) -> None:
    for name, own in (("Ann", 19), ("Bo", 11)):
        view = await stage.view(name)
        assert [card.tile for card in view.cards] == [6, None, *([19, None] if own == 19 else [None, 11])]
        assert len(stage[name].user.dm_channel.history()) == 1
    posts = len(stage.posts(place))
    assert "place the domino" in stage.post(place).text
    assert {user.id for user in stage.post(place).message.mentions} == {stage["Ann"].id, stage["Bo"].id}

    await stage["Ann"].slash(place, "tangram choose", choice="at C3, green, not turned")
    everything = "\n".join(post.text for post in stage.posts(place))
    assert "C3" not in everything
    assert "green" not in everything
    history = await stage["Bo"].slash(place, "table history")
    assert "C3" not in read_message(history.response).text
    assert len(stage.posts(place)) == posts
    assert "Ann" not in stage.post(place).text.split("\n")[-2:][0]
    assert f"<@{stage['Bo'].id}>" in stage.post(place).text or "**Bo**" in stage.post(place).text
    await decline(stage, "Bo", place)

    assert len(stage.posts(place)) == posts + 1
    text = stage.post(place).text
    assert re.search(r"Ann places the \*\*domino\*\*: green on C3-[A-Z]\d\. Bo sets it aside\.", text)
    assert "Everyone can now see the **triangle**." in text


async def test_who_has_just_answered_is_mentioned_once_a_round(stage: DiscordStage, place: Any) -> None:
    ann = stage["Ann"].id
    for name in ("Ann", "Bo"):
        await decline(stage, name, place)
    assert not stage.post(place).message.mentions
    assert "**Ann**" in stage.post(place).text

    await decline(stage, "Ann", place)
    await stage.wait(HOUR)
    await decline(stage, "Bo", place)
    assert {user.id for user in stage.post(place).message.mentions} == {ann}, "Ann has gone away meanwhile"

    for name in ("Ann", "Bo") * 2 + ("Ann", "Bo"):
        await decline(stage, name, place)
    assert (await stage.view()).round == 2
    assert stage.post(place).message.mentions == [], "both have just answered"


async def test_a_computers_move_for_somebody_is_not_theirs(stage: DiscordStage, place: Any) -> None:
    await decline(stage, "Ann", place)
    asked = await stage.admin.slash(place, "admin skip")
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.view()).step == 2
    assert {user.id for user in stage.post(place).message.mentions} == {stage["Bo"].id}


async def test_a_typed_part_of_a_place_is_enough_if_it_is_unique(desk: Desk, table: Table) -> None:
    offered = await desk["Ann"].autocomplete(table, "tangram choose", "choice", "at g2")
    assert [choice["name"] for choice in offered] == [
        "place the domino at G2, black, not turned (G2-G3)",
        "place the domino at G2, green, not turned (G2-G3)",
    ]

    await desk["Ann"].slash(table, "tangram choose", choice="at g1, green")

    assert (await desk.view("Ann")).mine[0].piece == TangramLaid(6, "green", 0, "G1")


async def test_the_fountain_has_a_pad_of_its_own(desk: Desk, table: Table) -> None:
    for _ in range(4):
        for name in ("Ann", "Bo"):
            await decline(desk, name, table)
    result, panel = await desk.panel("Ann", table)
    assert "Place the fountain" in panel.text
    assert "Flip" not in panel.buttons

    await desk["Ann"].click(result.response, label="Adjust")
    await desk["Ann"].click(result.response, label="Turn")
    await desk["Ann"].click(result.response, label="Place")
    await desk["Bo"].slash(table, "tangram choose", choice="top left half of b2")

    view = await desk.view()
    assert view.round == 2
    assert view.cities[1].pieces[0].corner == "r"
    assert "Points after round 1: **Ann 1** (±0), **Bo 1** (±0)." in desk.post(table).text


async def test_an_answer_that_has_become_the_last_is_asked_for_again(desk: Desk, table: Table) -> None:
    result, _ = await desk.panel("Bo", table)
    await decline(desk, "Ann", table)

    await desk["Bo"].click(result.response, label="Place")

    assert "Everyone else is done now, so your answer will be final." in read_message(result.response).text
    assert (await desk.view("Bo")).mine == ()
    await desk["Bo"].click(result.response, label="Place, show all")
    assert (await desk.view()).cities[1].pieces


async def to_the_triangle(stage: AnyStage, place: Any) -> Any:
    """Answer for the triangle; return Ann's panel, with the bar next."""
    for name in ("Ann", "Bo"):
        await decline(stage, name, place)
    result, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(result.response, label="Place")
    return result


async def test_a_known_card_is_answered_ahead_at_once_or_later_without_a_mention(
    stage: DiscordStage, place: Any
) -> None:
    result = await to_the_triangle(stage, place)
    assert "Placed. The bar comes next. You can place it now or later." in read_message(result.response).text
    before = await stage.view("Bo")
    await stage["Ann"].click(result.response, label="Later")
    assert {"Change the triangle", "Place the bar"} <= set(read_message(result.response).buttons)
    again, _ = await stage.panel("Ann", place)
    await stage["Ann"].click(again.response, label="Place the bar")
    assert "The bar comes next" in read_message(again.response).text

    await stage["Ann"].click(again.response, label="Place")

    assert "until Bo is done" in read_message(again.response).text
    assert await stage.view("Bo") == before
    await decline(stage, "Bo", place)
    assert (await stage.table()).owing == (1,)
    assert "**Bo**: place the bar" in stage.post(place).text
    assert not stage.post(place).message.mentions, "Ann has answered, and Bo is still here"


async def test_an_answer_in_the_way_is_undone_where_it_is_shown(desk: Desk, table: Table) -> None:
    for name in ("Ann", "Bo"):
        await decline(desk, name, table)
    ann = desk["Ann"]
    await ann.slash(table, "tangram choose", choice="triangle at A1, black, not turned")
    await ann.slash(table, "tangram choose", choice="bar at c3, black, not turned")
    result, _ = await desk.panel("Ann", table)
    await ann.click(result.response, label="Change the triangle")
    await ann.click(result.response, label="Adjust")
    for menu in ("C", "3"):
        await pick(ann, result.response, "jump", menu)
    assert "Your other answers block that place" in read_message(result.response).text

    await ann.click(result.response, label="Take the bar back")

    assert [answer.tile for answer in (await desk.view("Ann")).mine] == [2]
    assert "Here it covers" in read_message(result.response).text


async def test_a_fountain_answered_ahead_is_offered_one_tile_earlier(desk: Desk, table: Table) -> None:
    for _ in range(2):
        for name in ("Ann", "Bo"):
            await decline(desk, name, table)
    bo = desk["Bo"]
    await decline(desk, "Bo", table)
    await bo.slash(table, "tangram choose", choice="bottom right half of A1")
    await decline(desk, "Ann", table)

    result, panel = await desk.panel("Bo", table)
    assert "Place the roof" in panel.text
    await bo.click(result.response, label="✓ Fountain")
    assert "Move or turn the fountain" in read_message(result.response).text
    await bo.click(result.response, label="Adjust")
    await pick(bo, result.response, "jump", "G")
    await bo.click(result.response, label="Place")
    assert [answer.piece.at for answer in (await desk.view("Bo")).mine] == ["G1"]

    await bo.click(result.response, label="✓ Fountain")
    await bo.click(result.response, label="Take it back")

    assert (await desk.view("Bo")).mine == ()
    assert "Place the roof" in read_message(result.response).text


async def open_last_round(desk: Desk) -> Table:
    """Open a table at which Ann has set 25 tiles aside."""
    table = await desk.open("Ann", game="tangram", boards="plain")
    for _ in range(25):
        view = await desk.view()
        aside = DeclineFountain() if view.phase == "fountain" else Decline(view.current[0])
        await desk.parlour.play.move(1, desk["Ann"].id, [aside])
    return table


async def test_the_last_round_asks_for_three_and_is_confirmed(desk: Desk, fixed_deck: None) -> None:
    table = await open_last_round(desk)
    result, panel = await desk.panel("Ann", table)
    tiles = [TILES[tile].name.capitalize() for tile in (await desk.view()).current]
    assert [label for label in panel.buttons if label in tiles] == tiles

    await desk["Ann"].click(result.response, label=tiles[1])
    for _ in range(3):
        await desk["Ann"].click(result.response, label="Place")
    assert "Placed. The fountain comes next" in read_message(result.response).text
    await desk["Ann"].click(result.response, label="Later")
    assert "You've answered everything" in read_message(result.response).text
    await desk["Ann"].slash(table, "tangram choose", choice=f"take back the {tiles[0]}")
    reopened, _ = await desk.panel("Ann", table)
    await desk["Ann"].click(reopened.response, label="Set aside")
    assert "you lose the tile" in read_message(reopened.response).text
    await desk["Ann"].click(reopened.response, label="No, keep it")
    await desk["Ann"].click(reopened.response, label="Set aside")
    await desk["Ann"].click(reopened.response, label="Yes, set it aside")
    await desk["Ann"].click(reopened.response, label="Confirm")

    view = await desk.view()
    assert view.phase == "fountain"
    assert len(view.cities[0].pieces) == 2


async def test_one_press_places_all_tiles_of_the_last_round(desk: Desk, fixed_deck: None) -> None:
    table = await open_last_round(desk)
    result, panel = await desk.panel("Ann", table)
    every = next(label for label in panel.buttons if label.startswith("Place all "))

    await desk["Ann"].click(result.response, label=every)
    assert "You've answered everything" in read_message(result.response).text
    await desk["Ann"].click(result.response, label="Confirm")

    assert len((await desk.view()).cities[0].pieces) >= 3


async def test_a_side_is_chosen_and_changed_until_all_have_chosen(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", game="tangram", sides="choose")
    assert "choose the side of your board" in desk.post(table).text
    looked = read_message((await desk["Ann"].slash(table, "tangram look")).response).text.lower()
    for colour in ("black", "green"):
        assert f"choose the {colour} side of your board" in looked
    result, panel = await desk.panel("Ann", table)
    assert panel.files == ["tangram-sides.png"]
    assert {"Black", "Green"} <= set(panel.buttons)

    await desk["Ann"].click(result.response, label="Green")
    text = read_message(result.response).text
    assert "You've chosen green" in text
    assert "until Bo is done" in text
    assert (await desk.view("Bo")).answered == (0,)
    assert (await desk.view("Bo")).cities[0].start is None

    await desk["Ann"].click(result.response, label="Change to black")
    _, panel = await desk.panel("Bo", table)
    assert "You're the last to answer" in panel.text
    offered = await desk["Bo"].autocomplete(table, "tangram choose", "choice", "green")
    await desk["Bo"].slash(table, "tangram choose", choice=offered[0]["value"])
    view = await desk.view()
    assert [city.start.side for city in view.cities] == ["black", "green"]
    assert view.phase == "place"
    assert any("Ann starts with black" in post.text for post in desk.posts(table))


async def test_lobbies_offer_boards_and_sides_but_no_old_boards(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tangram new")
    form = form_of(await stage["Ann"].click(stage.card().message, label="Options"))
    assert values_of(form["boards"]) == ["start", "plain"]
    assert values_of(form["sides"]) == ["random", "choose"]

    await fill(stage["Ann"], stage.card().message, "Options", sides="choose")
    assert "choose your side" in stage.card().text
    await fill(stage["Ann"], stage.card().message, "Options", boards="plain")

    assert "plain boards" in stage.card().text
    assert (await stage.table()).options.sides == TangramOptions().sides

    presenter = TangramPresenter.__new__(TangramPresenter)
    offered = {value.value for value in presenter.choices(TangramOptions())[0].values}

    assert offered == {"start", "plain"}
    assert presenter.summary(TangramOptions("printed")) == "1 to 5 players · printed boards"
    assert presenter.summary(msgspec.json.decode(b'{"boards":"plain"}', type=TangramOptions)) == (
        "1 to 5 players · plain boards"
    )
    assert [choice.name for choice in presenter.choices(TangramOptions("plain"))] == ["boards"]


PLAN = SimulationPlan("tangram", b"{}", (Strength.EASY, Strength.EASY))
RULES = game("tangram")


def last_rounds(open_tiles: int) -> Iterator[tuple[TangramState, TangramView, Seat]]:
    """Yield positions whose seat still has that many tiles to place."""
    for number in count():
        course = GameCourse(PLAN, "last rounds", number)
        while prompts := RULES.prompts(course.state):
            seat = next(iter(prompts))
            view = RULES.view(course.state, seat)
            if view.phase == "final" and len(drafts.open_tiles(view)) == open_tiles:
                yield course.state, view, seat
            course.step()


@pytest.mark.parametrize("open_tiles", [2, 3])
def test_tiles_that_the_others_leave_no_room_for_are_set_aside(open_tiles: int) -> None:
    state, view, seat = next(
        (state, view, seat)
        for state, view, seat in last_rounds(open_tiles)
        if drafts.count_placed(drafts.best_answers(view)) < open_tiles
    )

    answers = drafts.best_answers(view)
    for answer in answers:
        RULES.play(state, seat, answer)

    assert any(isinstance(answer, Decline) for answer in answers)
    assert set(drafts.open_tiles(RULES.view(state, seat))) <= {FOUNTAIN}


def test_all_tiles_are_placed_where_some_order_has_room_for_all() -> None:
    orders = (drafts.best_answers(view) for _, view, _ in last_rounds(3))
    placed = next(answers for answers in orders if drafts.count_placed(answers) == 3)

    assert not any(isinstance(answer, Decline) for answer in placed)


def test_the_rules_name_the_numbers_that_are_played_by() -> None:
    shown = (part for page in pages("tangram") for part in page.parts)
    rules = " ".join(part if isinstance(part, str) else getattr(part, "text", "") for part in shown)

    cards = f"Rounds 1 to {ROUNDS.regular} have {ROUNDS.cards_regular} cards each"
    assert f"{cards}." in rules
    assert f"Round {LAST_ROUND} has {ROUNDS.cards_final} cards, all in one step." in rules
    assert f"All {len(TILES)} tiles come up" in rules
    assert f"one of their {ROUNDS.fountains} **fountains**" in rules
    assert f"Everyone starts with {ROUNDS.start_points} point." in rules
    assert [rank for least, rank in RANKS if not re.search(rf"{rank} from {least}\b", rules)] == []
    assert [points for _, points in SCORING.balance if f"**{points}** points if" not in rules] == []
    assert f"difference is {SCORING.balance[-1][0] + 1} or more, you get nothing" in rules
    assert f"**{SCORING.planning_bonus}** more points" in rules
