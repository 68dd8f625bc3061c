"""Tesla's Tangle tells whole turns in posts, and says first in its panels that a win or a loss is near."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cogs.core.presenter import presenter_of
from cogs.learning import course
from cogs.play.assembly import assemble
from cogs.review.turning_points import decisive
from cogs.tesla import panel, presenter
from cogs.tesla.draft import TeslaDraft, look, look_to_the_end
from cogs.tesla.presenter import applicable_notes
from cogs.ui.text import without_icons
from engines.game import Advice, Outcome, Seat
from engines.tesla import GAME, preview
from engines.tesla.moves import Take, TeslaPlace
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, previews
from engines.tesla.words.event_lines import move_name
from tables.learning import chance_swings, final_chance
from tables.play.play import Perspective
from tests.discord.desk import Desk
from tests.discord.stage import answer_with, text_above_picture
from tests.engines.tesla.arrange import arrange, find_turn, legal, line, read, ring, run
from tests.engines.tesla.recount import walk
from tests.often import often

NAMES = ["Ann", "Bo", "Cy"]


def post(state: TeslaState, script: str) -> str:
    seat, before = state.seat, GAME.view(state, None)
    happened = run(state, script)
    text = event_lines.digest(happened, seat, before, GAME.view(state, None), NAMES[: state.seats])
    return without_icons(text or "").replace("**", "")


def face(lie: str) -> str:
    return find_turn(lie)[0]


def threat_to_win() -> TeslaState:
    """Return Ann's turn before one in which Bo's marker wins."""
    return arrange(line(8), {"Z50": (1, "14")}, scores=(30, 44), hands=[["03"], []])


def estimates(state: TeslaState) -> tuple[float | None, ...]:
    return tuple(GAME.estimate(GAME.view(state, seat), seat) for seat in range(state.seats))


def test_a_turn_that_lets_a_win_stand_decided_the_game_and_is_told() -> None:
    state = threat_to_win()
    seen = [estimates(state)]
    run(state, "place Y50 14; end")
    seen.append(estimates(state))
    run(state, "take Z50")
    seen.append(estimates(state))
    assert state.outcome is not None
    outcome = Outcome("points", state.outcome.places)

    of_loser, of_winner = (
        chance_swings(seen, seat, GAME.chance_scale, final_chance(outcome, seat)) for seat in (0, 1)
    )

    assert [swing.turn for swing in decisive(of_loser, won=False)] == [1]
    assert [swing.turn for swing in decisive(of_winner, won=True)] == [1]
    assert of_winner[0].chances is not None
    assert of_winner[0].chances[1] > 0.999

    assert post(threat_to_win(), "place Y50 14; end").endswith("Bo can still win with one marker.")
    assert "can win" not in post(threat_to_win(), "place Y50 14; end")

    chances = [(0.0, 0.0), (0.0, 60.0), (0.0, 0.0), (0.0, 60.0), (0.0, 20.0), (0.0, 1000.0), (0.0, 1060.0)]

    swings = decisive(chance_swings(list(chances), 0, 35.0, 0.0), won=False)

    assert 5 in [swing.turn for swing in swings]

    state = arrange(line(8), {"Z50": (0, "14")}, scores=(25, -20))
    far = arrange(line(8), {"Z50": (0, "14")}, scores=(25, 0))

    own, other = estimates(state)
    assert own is not None
    assert other is not None
    assert own - other > 900
    assert (estimates(far)[0] or 0) < 100


def test_a_ring_says_what_each_marker_earns_or_that_nobody_owns_it() -> None:
    around = ring("Z50")
    open_ring = {cell: lie for cell, lie in around.items() if cell != "Z49"}
    markers = {"AA50": (0, around["AA50"]), "Y50": (0, around["Y50"])}
    state = arrange(open_ring, markers, hands=[[face(around["Z49"])], []])

    assert "Ann scores 24 for ring A of 6 (2 markers, 12 each) and gets the markers back." in post(
        state, f"place Z49 {around['Z49']}"
    )

    state = arrange(open_ring, hands=[[face(around["Z49"])], []])

    assert "Circuit A becomes a free ring of 6." in post(state, f"place Z49 {around['Z49']}")


def test_joined_and_cut_circuits_say_what_they_took_in() -> None:
    tiles = line(6)
    del tiles[list(line(6))[3]]
    state = arrange(tiles, {"Z50": (0, "14")}, hands=[["03"], []])

    assert "Ann's circuit A grows from 3 to 6." in post(state, f"place {list(line(6))[3]} 14")

    tiles = line(10)
    del tiles["AC50"]
    markers = {"Z50": (0, "14"), "AD50": (0, "14")}
    state = arrange(tiles, markers, hands=[["03", face("01-34")], []])

    joined = post(arrange(tiles, markers, hands=[["03"], []]), "place AC50 14")
    cut = post(state, "place AC50 14; replace AE50 01-34")

    assert "grows from 6 to 10 (worth 20 with 2 markers, joined by Ann's A)" in joined
    assert "stays 6 long (worth 12 with 2 markers): it loses a part and gets Ann's A" in cut


@pytest.mark.parametrize(("rest", "is_told"), [(4, False), (5, True)])
def test_a_long_free_part_that_a_turn_cut_off_is_told(rest: int, *, is_told: bool) -> None:
    tiles = line(rest + 5)
    cell = list(tiles)[rest - 1]
    state = arrange(tiles, {list(tiles)[-1]: (1, "14")}, hands=[[face("01-34")], []])

    told = post(state, f"replace {cell} 01-34")

    assert f"Bo's circuit A shrinks from {rest + 5} to 6." in told
    assert (f"Circuit B ({rest} long) is free." in told) is is_told


def test_a_marker_that_goes_back_says_why() -> None:
    tiles = line(8)
    del tiles["AD50"]
    by_length = arrange(tiles, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=[[], ["03"]], seat=1)
    more = {"Z50": (0, "14"), "AA50": (0, "14"), "AE50": (1, "14")}
    by_number = arrange(tiles, more, hands=[[], ["03"]], seat=1)
    even = line(7)
    del even["AC50"]
    by_nothing = arrange(even, {"Z50": (0, "14"), "AF50": (1, "14")}, hands=[["03"], []])

    back = "goes back for no points:"
    assert f"Bo's marker on B {back} Ann's circuit was longer (4 to 3)." in post(by_length, "place AD50 14")
    assert f"Bo's marker on B {back} Ann had more markers (2 to 1)." in post(by_number, "place AD50 14")
    assert "Ann's marker on A and Bo's marker on B go back for no points: Ann and Bo tied." in post(
        by_nothing, "place AC50 14"
    )

    markers = {"Z50": (0, "14"), "AE50": (1, "14")}
    state = arrange(tiles, markers, hands=[[], ["03", face("01-34")]], seat=1)

    told = post(state, "place AD50 14; replace AB50 01-34")

    assert "Bo's marker on B goes back for no points: Ann's circuit was longer when they met." in told


def test_tiles_keep_their_numbers_throughout_a_turn() -> None:
    state = arrange(line(3), hands=[["03", "02", "01"], []])
    first = GAME.view(state, 0)
    run(state, "place Y50 14")
    later = GAME.view(state, 0)
    move = next(one for one in legal(state) if isinstance(one, TeslaPlace) and one.tile == "01")

    named = move_name(move, presenter_of("tesla").view_to_name(later, first), NAMES)

    assert "tile 3" in without_icons(named)
    assert "tile 2" in without_icons(move_name(move, later, NAMES))


def test_lines_of_places_name_rings_and_are_short() -> None:
    around = ring("Z50")
    open_ring = {cell: lie for cell, lie in around.items() if cell != "Z49"}
    markers = {"AA50": (0, around["AA50"])}
    tiles = {**open_ring, **line(3, "Z60")}
    view = GAME.view(arrange(tiles, markers, hands=[[face(around["Z49"]), "03"], []]), 0)
    found = False
    for fit in preview.fits(view, "03"):
        draft = TeslaDraft(tile=2, cell=fit.move.cell, turn=fit.move.turn)
        _, ending = look_to_the_end(view, NAMES[:2], draft)
        if (
            ending is not None
            and len(ending.placed) == 2
            and "Z49" in [one.cell for one in ending.placed[1:]]
        ):
            assert ending.rings == ("you get +12 points for a ring of 6",)
            found = True
    assert found

    state = arrange(line(8), hands=[["03", face("01-34")], []])
    view = GAME.view(state, 0)

    labels = [one.label for tile in (1, 2) for one in look(view, NAMES[:2], TeslaDraft(tile=tile)).places]

    assert any(label.endswith("°, replaces") for label in labels)
    assert max(map(len, labels)) <= 22


PAIR = ["Ann", "Bo"]
TRIES = often(12, 80)
"""The positions of random games that are tried for each step of a panel."""


def can_win(view: TeslaView, seat: Seat) -> bool:
    """Count plainly if one marker brings a seat to the goal."""
    board = view.board
    values = [
        board.circuits[board.circuit_at(cell, marker.segment)].value
        for cell, marker in board.markers.items()
        if marker.seat == seat
    ]
    return view.scores[seat] + max(values, default=0) >= view.options.win


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


@pytest.mark.parametrize("step", ["home", "tile", "marker", "discard"])
@pytest.mark.parametrize("is_spoken", [False, True])
async def test_a_win_next_turn_is_said_first_in_the_smallest_panel(
    desk: Desk, bare_names: list[str], monkeypatch: pytest.MonkeyPatch, step: Any, *, is_spoken: bool
) -> None:
    monkeypatch.setattr("cogs.play.assembly.ONE_SCREEN", 0)
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft(step=step)))
    await desk.open("Ann", "Bo", game="tesla")
    table, met = await desk.table(), 0
    for state in [*positions_with_threat("tiles"), *positions_with_threat("end")][:TRIES]:
        view = GAME.view(state, state.seat)
        assert can_win(view, 1 - state.seat)
        app = desk.app.in_words() if is_spoken else desk.app
        page = await assemble(app, Perspective(table, state.seat, view), panel.panel)
        page.is_spoken = is_spoken
        text = text_above_picture(page)
        first = text.split("\n")[int(is_spoken)]
        assert f"{table.names[1 - state.seat]} can win next turn." in first.replace("**", ""), text
        met += 1
    assert met > 5
    bare_names.clear()


def tell_wins(state: TeslaState, told: str) -> list[str]:
    """Return what a panel says about wins after a placement."""
    view = GAME.view(state, 0)
    for held in set(state.hands[0]):
        for fit in preview.fits(view, held):
            draft = TeslaDraft(tile=state.hands[0].index(held) + 1, cell=fit.move.cell, turn=fit.move.turn)
            ahead = look(view, PAIR, draft)
            if told in without_icons(ahead.told):
                return [without_icons(text) for text in ahead.wins]
    raise AssertionError(told)


def test_a_place_says_which_win_it_stops_and_which_end_it_turns() -> None:
    state = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[[face("01-34")], []])
    view = GAME.view(state, 0)
    cut = next(
        fit.move
        for fit in preview.fits(view, face("01-34"))
        if "cuts Bo's A from 8 to 5"
        in without_icons(previews.effect(view, preview.move_preview(view, fit.move), PAIR))
    )

    assert tell_wins(state, "cuts Bo's A from 8 to 5") == ["Then Bo can't win with one marker next turn."]
    reasons = [
        without_icons(one) for one in presenter._gains(view, preview.move_preview(view, cut).view, PAIR, 0)
    ]
    assert reasons[0] == "then Bo can't win with one marker next turn"

    state = arrange(line(3), {"Z50": (1, "14")}, hands=[[face("45")], []])
    view = GAME.view(state, 0)
    last = list(line(3))[-1]
    turned = next(one.move for one in preview.fits(view, face("45")) if one.move.cell == last)

    said = previews.effect(view, preview.move_preview(view, turned), PAIR)

    assert without_icons(said).startswith("no player's circuit changes length, but an end of Bo's A moves")


def test_a_hint_says_what_later_tiles_of_the_turn_bring() -> None:
    stops = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[["03", face("01-34")], []])
    wins = arrange(line(8), {"Z50": (0, "14")}, scores=(41, 20), hands=[["03"], []])
    grow, cut = (read(one) for one in ("place Z51 14", "replace AB50 01-34"))

    assert "after the rest of the turn Bo can't win with one marker" in explain_hint(stops, grow, cut)
    assert "rest of the turn" not in explain_hint(stops, cut, grow)
    assert explain_hint(wins, read("place Y50 14"), read("take Z50")).startswith("the rest of the turn wins")

    nearly = {cell: lie for cell, lie in ring("Z50").items() if cell != "Z49"}
    state = arrange({**nearly, **line(2, "Z60")}, {"AA50": (1, "35")}, hands=[["03", "02"], []])
    aside, close = (
        read(f"place {cell} {lie}")
        for cell, lie in ((list(line(3, "Z60"))[-1], "14"), ("Z49", ring("Z50")["Z49"]))
    )

    said = hint_of(state, aside, close)

    assert "Later in that turn: Bo would score 12 points." in said
    assert "Later" not in hint_of(state, close, aside)


def hint_of(state: TeslaState, *turn: Any) -> str:
    """Return a hint's line for a turn's first move."""
    return without_icons(presenter.line(GAME.view(state, 0), 0, Advice(turn[:1], turn), PAIR))


def explain_hint(state: TeslaState, *turn: Any) -> str:
    """Return a hint's reason for a turn's first move."""
    return hint_of(state, *turn).partition("**Why:** ")[2].partition(".")[0]


def test_advice_of_the_strong_computer_leads_to_the_whole_turn() -> None:
    state = arrange(line(8), {"Z50": (0, "14")}, scores=(41, 20), hands=[["03"], []])

    best, *others = GAME.advice(GAME.view(state, 0), 0, Random(1))

    assert [type(move) for move in best.leads_to] == [TeslaPlace, Take]
    assert all(one.leads_to[:1] in ((), one.moves) for one in others)


async def test_the_gap_after_a_marker_is_said_and_at_an_idle_end_who_wins(
    desk: Desk, bare_names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.open("Ann", "Bo", game="tesla")
    here = Perspective(await desk.table(), 0, GAME.view(arrange(line(2), scores=(-30, 0)), 0))
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("marker")))
    marking = await panel.panel(desk.app, here)
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("home")))
    home = await panel.panel(desk.app, here)

    assert "You'd be 32 points behind the leader." in "".join(marking.warnings)
    assert "You're 30 points behind the leader." in "".join(home.warnings)

    state = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 44), hands=[["03"], []])
    assert "Bo can win next turn" in text_above_picture(panel.ask_idle(here.table, GAME.view(state, 0)))
    bare_names.clear()


@pytest.mark.parametrize(("lie", "is_told"), [("01-34", True), ("14", False)])
async def test_where_to_find_cuts_is_said_only_of_a_tile_that_can_cut(
    desk: Desk, bare_names: list[str], monkeypatch: pytest.MonkeyPatch, lie: str, *, is_told: bool
) -> None:
    monkeypatch.setattr(panel, "load_draft", answer_with(TeslaDraft("tile", tile=1)))
    await desk.open("Ann", "Bo", game="tesla")
    state = arrange(line(8), {"Z50": (1, "14")}, hands=[[face(lie)], []])

    page = await panel.panel(desk.app, Perspective(await desk.table(), 0, GAME.view(state, 0)))

    assert ([panel.CUTS] in page.optional) is is_told
    assert "Adjust" not in str([one.text for one in course("tesla").lesson])
    bare_names.clear()


def test_dangers_and_distances_name_their_numbers() -> None:
    behind = GAME.view(arrange(scores=(0, 33), hands=[["03"], []]), 0)
    ahead = GAME.view(arrange(scores=(33, 0), hands=[["03"], []]), 0)

    assert presenter._gains(behind, behind, PAIR, 0) == [
        "of the moves I looked at, it leaves you least behind (33 points)"
    ]
    assert presenter._gains(ahead, ahead, PAIR, 0) == [presenter.FURTHEST]

    view = GAME.view(arrange(line(8), {"Z50": (1, "14")}, scores=(-5, 43), hands=[["03"], []]), 0)

    assert applicable_notes(view, 0)[0] == "winning"
    assert "behind" in applicable_notes(view, 0)


@pytest.mark.parametrize(
    ("scores", "length", "is_close"),
    [((-45, 0), 2, True), ((-44, 0), 2, False), ((-40, 0), 10, True), ((-40, 0), 9, False)],
)
def test_the_note_about_dropping_out_is_for_those_whom_one_marker_can_put_out(
    scores: tuple[int, int], length: int, *, is_close: bool
) -> None:
    view = GAME.view(arrange(line(length), {"Z50": (1, "14")}, scores=scores, hands=[["03"], []]), 0)

    assert ("behind" in applicable_notes(view, 0)) is is_close
    assert any("You could be out soon" in one for one in event_lines.dangers(view, PAIR, 0)) is is_close
