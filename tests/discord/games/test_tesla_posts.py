"""Tesla's Tangle tells whole turns: in posts, in proposals, and in what decided a game."""

import pytest

from cogs.core.presenter import presenter_of
from cogs.review.turning_points import decisive
from cogs.tesla.draft import TeslaDraft, look, look_to_the_end
from cogs.ui.text import without_icons
from engines.game import Outcome
from engines.tesla import GAME, preview
from engines.tesla.moves import TeslaPlace
from engines.tesla.truth.state import TeslaState
from engines.tesla.words import event_lines
from engines.tesla.words.event_lines import move_name
from tables.learning.hints import chance_swings, final_chance
from tests.engines.tesla.arrange import arrange, find_turn, legal, line, ring, run

pytestmark = pytest.mark.slow
NAMES = ["Ann", "Bo", "Cy"]


def post(state: TeslaState, script: str) -> str:
    """Play a turn, and return its line in a post."""
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


def test_the_turn_that_lets_a_win_stand_decided_the_game() -> None:
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


def test_a_turn_that_leaves_nothing_open_is_named_before_larger_swings() -> None:
    chances = [(0.0, 0.0), (0.0, 60.0), (0.0, 0.0), (0.0, 60.0), (0.0, 20.0), (0.0, 1000.0), (0.0, 1060.0)]

    swings = decisive(chance_swings(list(chances), 0, 35.0, 0.0), won=False)

    assert 5 in [swing.turn for swing in swings]


def test_a_marker_that_puts_the_last_other_out_is_a_certain_win() -> None:
    state = arrange(line(8), {"Z50": (0, "14")}, scores=(25, -20))
    far = arrange(line(8), {"Z50": (0, "14")}, scores=(25, 0))

    own, other = estimates(state)
    assert own is not None
    assert other is not None
    assert own - other > 900
    assert (estimates(far)[0] or 0) < 100


def test_a_post_says_whose_win_a_turn_let_stand() -> None:
    assert post(threat_to_win(), "place Y50 14; end").endswith("Bo can still win with one marker.")
    assert "can win" not in post(threat_to_win(), "place Y50 14; end")


def test_a_ring_with_several_markers_says_what_each_earns() -> None:
    around = ring("Z50")
    open_ring = {cell: lie for cell, lie in around.items() if cell != "Z49"}
    markers = {"AA50": (0, around["AA50"]), "Y50": (0, around["Y50"])}
    state = arrange(open_ring, markers, hands=[[face(around["Z49"])], []])

    assert "Ann gets +24 for their ring A of 6 (2 markers, 12 each) and the markers back." in post(
        state, f"place Z49 {around['Z49']}"
    )


def test_a_free_circuit_that_an_owned_one_takes_in_is_said_to_be_nobodys() -> None:
    tiles = line(6)
    del tiles[list(line(6))[3]]
    state = arrange(tiles, {"Z50": (0, "14")}, hands=[["03"], []])

    assert "is 6 long, worth 6 (from Ann's A of 3 and nobody's B of 2)" in post(
        state, f"place {list(line(6))[3]} 14"
    )


def test_a_ring_that_nobody_owns_is_said_beside_owned_circuits() -> None:
    around = ring("Z50")
    open_ring = {cell: lie for cell, lie in around.items() if cell != "Z49"}
    state = arrange(open_ring, hands=[[face(around["Z49"])], []])

    assert "Circuit A becomes a ring of 6 that nobody owns." in post(state, f"place Z49 {around['Z49']}")


def test_a_circuit_that_was_joined_and_then_cut_is_said_to_be_cut() -> None:
    tiles = line(10)
    del tiles["AC50"]
    markers = {"Z50": (0, "14"), "AD50": (0, "14")}
    state = arrange(tiles, markers, hands=[["03", face("01-34")], []])

    joined = post(arrange(tiles, markers, hands=[["03"], []]), "place AC50 14")
    cut = post(state, "place AC50 14; replace AE50 01-34")

    assert "is 10 long, worth 20 with 2 markers (from Ann's B of 6 and Ann's A of 3)" in joined
    assert "is 6 long, worth 12 with 2 markers (from parts of Ann's B of 6 and Ann's A of 3)" in cut


@pytest.mark.parametrize(("rest", "is_told"), [(4, False), (5, True)])
def test_a_long_free_part_that_a_turn_cut_off_is_told(rest: int, *, is_told: bool) -> None:
    tiles = line(rest + 5)
    cell = list(tiles)[rest - 1]
    state = arrange(tiles, {list(tiles)[-1]: (1, "14")}, hands=[[face("01-34")], []])

    told = post(state, f"replace {cell} 01-34")

    assert f"Bo's circuit A is 6 long, worth 6 (cut from {rest + 5})" in told
    assert (f"Circuit B is {rest} long and nobody's (cut from Bo's A of {rest + 5})" in told) is is_told


def test_a_marker_that_goes_back_says_why() -> None:
    tiles = line(8)
    del tiles["AD50"]
    by_length = arrange(tiles, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=[[], ["03"]], seat=1)
    more = {"Z50": (0, "14"), "AA50": (0, "14"), "AE50": (1, "14")}
    by_number = arrange(tiles, more, hands=[[], ["03"]], seat=1)
    even = line(7)
    del even["AC50"]
    by_nothing = arrange(even, {"Z50": (0, "14"), "AF50": (1, "14")}, hands=[["03"], []])

    back = "goes back without points, because"
    assert f"Bo's marker on B {back} Ann had the longer piece (4 to 3)." in post(by_length, "place AD50 14")
    assert f"Bo's marker on B {back} Ann had more markers (2 to 1)." in post(by_number, "place AD50 14")
    assert f"Ann's marker on A {back} nobody had more markers or the longer piece." in post(
        by_nothing, "place AC50 14"
    )


def test_lengths_of_pieces_that_lay_only_within_a_turn_are_left_out() -> None:
    tiles = line(8)
    del tiles["AD50"]
    markers = {"Z50": (0, "14"), "AE50": (1, "14")}
    state = arrange(tiles, markers, hands=[[], ["03", face("01-34")]], seat=1)

    told = post(state, "place AD50 14; replace AB50 01-34")

    assert (
        "Bo's marker on B goes back without points, because Ann had the longer piece when they joined."
        in told
    )


def test_tiles_keep_their_numbers_throughout_a_turn() -> None:
    state = arrange(line(3), hands=[["03", "02", "01"], []])
    first = GAME.view(state, 0)
    run(state, "place Y50 14")
    later = GAME.view(state, 0)
    move = next(one for one in legal(state) if isinstance(one, TeslaPlace) and one.tile == "01")

    named = move_name(move, presenter_of("tesla").view_to_name(later, first), NAMES)

    assert "tile 3" in without_icons(named)
    assert "tile 2" in without_icons(move_name(move, later, NAMES))


def test_laying_all_tiles_names_the_rings_that_they_close() -> None:
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


def test_the_lines_of_places_are_short_enough_for_a_closed_menu() -> None:
    state = arrange(line(8), hands=[["03", face("01-34")], []])
    view = GAME.view(state, 0)

    labels = [one.label for tile in (1, 2) for one in look(view, NAMES[:2], TeslaDraft(tile=tile)).places]

    assert any(label.endswith("°, replaces") for label in labels)
    assert max(map(len, labels)) <= 22
