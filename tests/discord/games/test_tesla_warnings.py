"""A win or a loss that is near is said first in every panel of Tesla's Tangle, and nothing hides it."""

from collections.abc import Awaitable, Callable, Iterator
from random import Random
from typing import Any

import pytest
from simcord.components import walk_components

from cogs.learning.lessons import course
from cogs.play.assembly import assemble
from cogs.tesla import panel, presenter
from cogs.tesla.draft import TeslaDraft, look
from cogs.tesla.presenter import applicable_notes
from cogs.ui.page import Page
from cogs.ui.text import without_icons
from engines.game import Advice, Seat
from engines.tesla import GAME, preview
from engines.tesla.moves import Take, TeslaPlace
from engines.tesla.pieces.components import Face
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, previews
from tables.play.play import Perspective
from tests.discord.stage import GALLERY, TEXT, DiscordStage
from tests.engines.tesla.arrange import arrange, find_turn, line, read, ring
from tests.engines.tesla.walks import walk
from tests.often import often

pytestmark = pytest.mark.slow
NAMES = ["Ann", "Bo"]
TRIES = often(12, 80)
"""The positions of random games that are tried for each step of a panel."""


def face(lie: str) -> Face:
    return find_turn(lie)[0]


def can_win(view: TeslaView, seat: Seat) -> bool:
    """Count plainly if one marker brings a seat to the goal."""
    board = view.board
    values = [
        board.circuits[board.circuit_at(cell, marker.segment)].value
        for cell, marker in board.markers.items()
        if marker.seat == seat
    ]
    return view.scores[seat] + max(values, default=0) >= view.options.win


def texts(page: Page) -> str:
    """Return the text of a page above its first picture."""
    shown = list(walk_components([item.to_component_dict() for item in page.view().children]))
    kinds = [one["type"] for one in shown]
    first = kinds.index(GALLERY) if GALLERY in kinds else len(kinds)
    return "\n".join(without_icons(one["content"]) for one in shown[:first] if one["type"] == TEXT)


def positions_with_threat(phase: str) -> Iterator[TeslaState]:
    """Yield positions of random games in which the other seat can win."""
    for number in range(0, 60, 3):
        for state, *_ in walk(number, 80):
            other = 1 - state.seat
            most = event_lines.best_marker(GAME.view(state, state.seat), other)
            if state.phase == phase and most:
                state.scores[other] = state.options.win - most
                state.scores[state.seat] = state.options.win - 20
                yield state
                break


def answer_with(draft: TeslaDraft) -> Callable[..., Awaitable[TeslaDraft]]:
    async def load(*_: object) -> TeslaDraft:
        return draft

    return load


@pytest.mark.parametrize("step", ["home", "tile", "marker", "discard"])
@pytest.mark.parametrize("is_spoken", [False, True])
async def test_a_win_next_turn_is_said_first_in_the_smallest_panel(
    stage: DiscordStage, bare_names: list[str], monkeypatch: pytest.MonkeyPatch, step: Any, *, is_spoken: bool
) -> None:
    for module in ("screen", "assembly"):
        monkeypatch.setattr(f"cogs.play.{module}.ONE_SCREEN", 0)
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft(step=step)))
    await stage.open("Ann", "Bo", game="tesla")
    table, met = await stage.table(), 0
    for state in [*positions_with_threat("tiles"), *positions_with_threat("end")][:TRIES]:
        view = GAME.view(state, state.seat)
        assert can_win(view, 1 - state.seat)
        app = stage.bot.app.in_words() if is_spoken else stage.bot.app
        page = await assemble(app, Perspective(table, state.seat, view), panel.panel)
        page.is_spoken = is_spoken
        first = texts(page).split("\n")[int(is_spoken)]
        assert f"{table.names[1 - state.seat]} can win next turn." in first.replace("**", ""), texts(page)
        met += 1
    assert met > 5
    bare_names.clear()


async def test_a_question_before_an_idle_end_says_who_can_win(
    stage: DiscordStage, bare_names: list[str]
) -> None:
    await stage.open("Ann", "Bo", game="tesla")
    state = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[["03"], []])

    page = panel.ask_idle(await stage.table(), GAME.view(state, 0))

    assert "Bo can win next turn" in texts(page)
    bare_names.clear()


def tell_wins(state: TeslaState, told: str) -> list[str]:
    """Return what a panel says about wins after a placement."""
    view = GAME.view(state, 0)
    for held in set(state.hands[0]):
        for fit in preview.fits(view, held):
            draft = TeslaDraft(tile=state.hands[0].index(held) + 1, cell=fit.move.cell, turn=fit.move.turn)
            ahead = look(view, NAMES, draft)
            if told in without_icons(ahead.told):
                return [without_icons(text) for text in ahead.wins]
    raise AssertionError(told)


def test_a_place_that_stops_a_win_says_so_as_does_its_hint() -> None:
    state = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[[face("01-34")], []])
    view = GAME.view(state, 0)
    cut = next(
        fit.move
        for fit in preview.fits(view, face("01-34"))
        if "cuts Bo's A from 8 to 5"
        in without_icons(previews.effect(view, preview.move_preview(view, fit.move), NAMES))
    )

    assert tell_wins(state, "cuts Bo's A from 8 to 5") == ["Then Bo can't win with one marker next turn."]
    reasons = [
        without_icons(one) for one in presenter._gains(view, preview.move_preview(view, cut).view, NAMES, 0)
    ]
    assert reasons[0] == "then Bo can't win with one marker next turn"


def test_a_hint_says_the_win_that_a_later_tile_of_the_turn_stops_or_brings() -> None:
    stops = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[["03", face("01-34")], []])
    wins = arrange(line(8), {"Z50": (0, "14")}, scores=(41, 20), hands=[["03"], []])
    grow, cut = (read(one) for one in ("place Z51 14", "replace AB50 01-34"))

    assert "after the rest of the turn Bo can't win with one marker" in explain_hint(stops, grow, cut)
    assert "rest of the turn" not in explain_hint(stops, cut, grow)
    assert explain_hint(wins, read("place Y50 14"), read("take Z50")).startswith("the rest of the turn wins")


def test_a_hint_says_what_a_later_tile_of_the_turn_pays_to_somebody() -> None:
    nearly = {cell: lie for cell, lie in ring("Z50").items() if cell != "Z49"}
    state = arrange({**nearly, **line(2, "Z60")}, {"AA50": (1, "35")}, hands=[["03", "02"], []])
    aside, close = (
        read(f"place {cell} {lie}")
        for cell, lie in ((list(line(3, "Z60"))[-1], "14"), ("Z49", ring("Z50")["Z49"]))
    )

    said = hint_of(state, aside, close)

    assert "Later in that turn: Bo would score 12 points." in said
    assert "Later" not in hint_of(state, close, aside)


def test_a_tile_that_only_turns_the_end_of_a_circuit_says_so() -> None:
    state = arrange(line(3), {"Z50": (1, "14")}, hands=[[face("45")], []])
    view = GAME.view(state, 0)
    last = list(line(3))[-1]
    turned = next(one.move for one in preview.fits(view, face("45")) if one.move.cell == last)

    said = previews.effect(view, preview.move_preview(view, turned), NAMES)

    assert without_icons(said).startswith("changes no owned circuit's length, but turns an end of Bo's A")


def hint_of(state: TeslaState, *turn: Any) -> str:
    """Return a hint's line for a turn's first move."""
    return without_icons(presenter.line(GAME.view(state, 0), 0, Advice(turn[:1], turn), NAMES))


def explain_hint(state: TeslaState, *turn: Any) -> str:
    """Return a hint's reason for a turn's first move."""
    return hint_of(state, *turn).partition("**Why:** ")[2].partition(".")[0]


def test_advice_of_the_strong_computer_leads_to_the_whole_turn() -> None:
    state = arrange(line(8), {"Z50": (0, "14")}, scores=(41, 20), hands=[["03"], []])

    best, *others = GAME.advice(GAME.view(state, 0), 0, Random(1))

    assert [type(move) for move in best.leads_to] == [TeslaPlace, Take]
    assert all(one.leads_to[:1] in ((), one.moves) for one in others)


async def test_the_gap_after_a_marker_is_said_as_what_would_be(
    stage: DiscordStage, bare_names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.open("Ann", "Bo", game="tesla")
    here = Perspective(await stage.table(), 0, GAME.view(arrange(line(2), scores=(-30, 0)), 0))
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("marker")))
    marking = await panel.panel(stage.bot.app, here)
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("home")))
    home = await panel.panel(stage.bot.app, here)

    assert "You'd be 32 points behind the leader." in "".join(marking.warnings)
    assert "You're 30 points behind the leader." in "".join(home.warnings)
    bare_names.clear()


@pytest.mark.parametrize(("lie", "is_told"), [("01-34", True), ("14", False)])
async def test_where_to_find_cuts_is_said_only_of_a_tile_that_can_cut(
    stage: DiscordStage, bare_names: list[str], monkeypatch: pytest.MonkeyPatch, lie: str, *, is_told: bool
) -> None:
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("tile", tile=1)))
    await stage.open("Ann", "Bo", game="tesla")
    state = arrange(line(8), {"Z50": (1, "14")}, hands=[[face(lie)], []])

    page = await panel.panel(stage.bot.app, Perspective(await stage.table(), 0, GAME.view(state, 0)))

    assert ([panel.CUTS] in page.optional) is is_told
    assert "Adjust" not in str([one.text for one in course("tesla").lesson])
    bare_names.clear()


def test_somebody_behind_is_left_least_behind() -> None:
    behind = GAME.view(arrange(scores=(0, 33), hands=[["03"], []]), 0)
    ahead = GAME.view(arrange(scores=(33, 0), hands=[["03"], []]), 0)

    assert presenter._gains(behind, behind, NAMES, 0) == [
        "of the moves I looked at, it leaves you least behind (33 points)"
    ]
    assert presenter._gains(ahead, ahead, NAMES, 0) == [presenter.FURTHEST]


@pytest.mark.parametrize(
    ("scores", "length", "is_close"),
    [((-45, 0), 2, True), ((-44, 0), 2, False), ((-40, 0), 10, True), ((-40, 0), 9, False)],
)
def test_the_note_about_dropping_out_is_for_those_whom_one_marker_can_put_out(
    scores: tuple[int, int], length: int, *, is_close: bool
) -> None:
    view = GAME.view(arrange(line(length), {"Z50": (1, "14")}, scores=scores, hands=[["03"], []]), 0)

    assert ("behind" in applicable_notes(view, 0)) is is_close
    assert any("You could be out soon" in one for one in event_lines.dangers(view, NAMES, 0)) is is_close


def test_the_danger_of_dropping_out_names_the_limit_and_the_distance() -> None:
    view = GAME.view(arrange(scores=(-46, 0)), 0)

    assert event_lines.dangers(view, NAMES, 0) == (
        "**You could be out soon.** You're 46 points behind the leader. At 50 you're out.",
    )


def test_the_note_about_a_win_next_turn_comes_before_all_others() -> None:
    view = GAME.view(arrange(line(8), {"Z50": (1, "14")}, scores=(-5, 43), hands=[["03"], []]), 0)

    assert applicable_notes(view, 0)[0] == "winning"
    assert "behind" in applicable_notes(view, 0)
