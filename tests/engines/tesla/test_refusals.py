import pytest

from engines.game import IllegalMove
from engines.tesla import GAME
from engines.tesla.moves import Discard, Mark, Move, Replace, Take, TeslaEndTurn, TeslaPlace
from tests.engines.conformance import encode_state
from tests.engines.tesla.arrange import arrange, begin, line, refusal, ring, run

RING = ring("Z50")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("place AA50 02", "You don't have that tile."),
        ("place AA50 25", "A blank side would meet a wire at the left. Turn the tile."),
        ("place AA49 14", "A blank side would meet a wire at the lower left. Turn the tile."),
        ("place AA49 01-25-34", "You don't have that tile."),
        ("place Z50 03", "Z50 has a tile. Replace it, or choose an empty cell."),
        ("place AC50 03", "Cell AC50 touches no tile. Choose an empty cell next to a tile."),
        ("place -A50 03", "Cell -A50 touches no tile. Choose an empty cell next to a tile."),
        ("place Z 03", "There's no such cell. Cells have names like Z50."),
        ("place z50 03", "There's no such cell. Cells have names like Z50."),
        ("replace AA50 03", "AA50 has no tile to replace."),
        ("mark AA50 03", "That cell has no tile, so you can't put a marker there."),
        ("mark Z50 01", "The tile on Z50 doesn't have that wire."),
        ("take Z50", "That cell has no marker."),
        ("discard 01", "You can only discard your own tiles."),
        ("discard 03 03 03", "You can only discard your own tiles."),
        ("discard 01-23 03", "Name the tiles to discard, in the same order as in the tile list."),
        ("discard", "Choose tiles to discard, or end your turn and keep them all."),
        ("replay Z50 03", "You have no markers to put back from a closed ring."),
        ("enough", "You have no markers to put back from a closed ring."),
    ],
)
def test_at_the_start_tile(words: str, sentence: str) -> None:
    assert refusal(arrange(hands=[["03", "01-23", "03"], []]), words) == sentence


def test_a_wire_may_not_meet_a_blank_side() -> None:
    state = arrange(line(2), hands=[["03"], []])

    assert refusal(state, "place Z49 25") == (
        "A wire would meet a blank side at the lower right. Turn the tile."
    )
    assert refusal(state, "place Z51 03") == (
        "A wire would meet a blank side at the upper right. Turn the tile."
    )


def test_a_tile_that_fits_in_no_turn_has_to_go_elsewhere() -> None:
    state = arrange({"Z50": "03", "AB49": "03", "AA48": "03"}, hands=[["01-23-45"], []])

    assert refusal(state, "place AA49 01-23-45") == (
        "A wire would meet a blank side at the right and upper left. Choose another cell for this tile."
    )


def test_sides_of_squares_have_names_of_their_own() -> None:
    state = arrange(hands=[["01"], []], shaped="square")

    assert refusal(state, "place Z49 03") == "A blank side would meet a wire at the bottom. Turn the tile."


def test_some_tiles_cannot_be_replaced() -> None:
    state = arrange(line(3), {"AA50": (1, "14")}, hands=[["03"], []])

    assert refusal(state, "replace AA50 03") == ("AA50 has a marker, so you can't replace its tile.")
    assert refusal(state, "replace AB50 14") == (
        "Your tile looks the same as the tile on AB50. Turn your tile, or choose another cell."
    )


def test_a_ring_stays_closed() -> None:
    state = arrange(RING, hands=[["02-14"], []])

    assert RING["AA50"] == "35"
    assert refusal(state, "replace AA50 03-15") == (
        "You can't open a ring. Turn the tile, or choose another cell."
    )


@pytest.mark.parametrize("turn", [-1, 3, 6])
def test_a_turn_has_one_name(turn: int) -> None:
    state = arrange(hands=[["03"], []])

    with pytest.raises(IllegalMove, match="only 3 different rotations"):
        GAME.play(state, 0, TeslaPlace("03", turn, "AA50"))


def test_markers_of_others() -> None:
    state = arrange(line(2), {"Z50": (1, "14")})

    assert refusal(state, "take Z50") == "That marker belongs to another player. Take back one of yours."
    assert refusal(state, "mark Z50 14") == ("Z50 already has a marker. Choose another tile of the circuit.")
    assert refusal(state, "mark AA50 14") == (
        "That circuit belongs to another player. Choose a free circuit or one of yours."
    )


def test_an_empty_supply() -> None:
    state = arrange(line(2), supplies=[0, 10])

    assert refusal(state, "mark Z50 14") == "You have no markers left. Take one back first."


def test_after_the_marker() -> None:
    state = arrange(line(3), {"AA50": (0, "14")}, hands=[["03"], []])
    run(state, "mark Z50 14")

    assert (
        refusal(state, "place AC50 14") == "You've used your marker, so you can't place tiles. End your turn."
    )
    assert refusal(state, "take AA50") == "You've already used a marker this turn. End your turn."
    assert refusal(state, "mark AB50 14") == "You've already used a marker this turn. End your turn."


def test_the_first_turn_of_the_balanced_opening() -> None:
    assert refusal(begin([], opening="balanced"), "mark Z50 03") == (
        "You go first, so you can't use a marker this turn. Place tiles or end your turn."
    )


@pytest.mark.parametrize("words", ["end", "discard 01", "place AA50 03", "mark Y50 02", "take Y50"])
def test_while_markers_can_be_replayed(words: str) -> None:
    nearly = {cell: lie for cell, lie in RING.items() if cell != "Z49"}
    state = arrange(nearly, {"AA50": (0, "35")}, hands=[["02", "01"], []])
    run(state, f"place Z49 {RING['Z49']}")

    assert refusal(state, words) == (
        "First put the markers of your ring back on the board, or choose to stop."
    )


@pytest.mark.parametrize(
    "move",
    [
        TeslaPlace("03", 0, "AA49"),
        Replace("03", 0, "Z50"),
        Mark("Z50", (0, 3)),
        Take("Z50"),
        Discard(("03",)),
        TeslaEndTurn(),
    ],
)
def test_out_of_turn_and_after_the_end(move: Move) -> None:
    state = arrange(hands=[["03"], ["03"]])
    before = encode_state(state)
    with pytest.raises(IllegalMove, match=r"It isn't your turn\."):
        GAME.play(state, 1, move)
    assert encode_state(state) == before

    run(state, "1 leave")
    with pytest.raises(IllegalMove, match=r"The game is over\."):
        GAME.play(state, 0, move)
