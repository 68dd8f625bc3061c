"""Scenario 14 and the rulings on boards: start pieces, their sides, and tables from before there were any."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, Strength
from engines.tangram import GAME
from engines.tangram.events import Answered, Revealed, SidesShown, TangramRoundBegan
from engines.tangram.legal.moves import CORNER_NAMES
from engines.tangram.moves import ChooseSide
from engines.tangram.pieces.board import START_SIDES, City, TangramLaid, Water, balance, score
from engines.tangram.pieces.components import START_PIECES, TILES, TangramOptions
from engines.tangram.pieces.geometry import FILL, Corner
from engines.tangram.truth.setup import board_of
from engines.tangram.truth.state import TangramDeal
from tests.engines.golden import load, paths, plain
from tests.engines.tangram.arrange import begin, covers, decline_all, only, refusal, run

DECK = tuple(TILES)
CORNERS = {FILL[corner]: corner for corner in CORNER_NAMES}
OPPOSITE: dict[Corner, Corner] = {"7": "L", "L": "7", "J": "r", "r": "J"}
every_side = pytest.mark.parametrize("side", START_SIDES)


def parts(side: str) -> tuple[str, str, str]:
    """Return a start piece's whole square, half square and free half."""
    covered = covers(START_SIDES[side])
    (whole,) = [square for square, quarters in covered.items() if quarters == 15]
    (half,) = [square for square in covered if square != whole]
    return whole, half, OPPOSITE[CORNERS[covered[half]]]


def test_there_are_five_boards_each_with_its_piece_at_another_place() -> None:
    assert len(START_PIECES) == 5
    assert len({piece.quarters for piece in START_SIDES.values()}) == 10
    assert {piece.tile for piece in START_SIDES.values()} == {4}


@pytest.mark.parametrize("board", START_PIECES)
def test_the_green_side_is_the_mirror_image_of_the_black_side(board: str) -> None:
    mirrored = {1: 1, 2: 8, 4: 4, 8: 2}

    def mirror(quarters: int) -> int:
        return sum(other for one, other in mirrored.items() if quarters & one)

    black, green = (covers(START_SIDES[f"{board}-{side}"]) for side in ("black", "green"))

    assert green == {f"{'GFEDCBA'['ABCDEFG'.index(at[0])]}{at[1]}": mirror(q) for at, q in black.items()}
    assert START_SIDES[f"{board}-green"].side == "green"


@pytest.mark.parametrize("sides", ["random", "choose"])
def test_2_seats_never_have_the_same_board(sides: Any) -> None:
    options = TangramOptions("start", sides)
    for seed in range(30):
        deal = GAME.deal(5, options, bytes([seed]))
        assert deal.sides is not None
        assert sorted(map(board_of, deal.sides)) == ["1", "2", "3", "4", "5"]


def test_the_board_and_its_side_are_drawn() -> None:
    dealt = {side for n in range(90) for side in GAME.deal(1, TangramOptions(), bytes([n])).sides or ()}

    assert dealt == set(START_SIDES)


@every_side
def test_the_piece_is_built_from_the_start_and_nothing_goes_over_it(side: str) -> None:
    whole, half, _ = parts(side)
    state = GAME.begin(1, TangramOptions(), TangramDeal(DECK, 0, (side,)), b"")

    assert refusal(state, f"0 place 1 black 0 {whole}") == f"{whole} is already built."
    corner = CORNERS[covers(START_SIDES[side])[half]]
    built = f"The {CORNER_NAMES[corner]} half of {half} is already built."
    assert refusal(state, f"0 place 1 green 0 {half}") == built
    decline_all(state, 4)
    assert refusal(state, f"0 fountain {half} {corner}") == built


@every_side
def test_alone_it_is_a_rectangle_of_1_and_counts_for_its_colour(side: str) -> None:
    state = GAME.begin(1, TangramOptions(), TangramDeal(DECK, 0, (side,)), b"")

    decline_all(state, 5)

    assert state.scores == [2]
    counted = score(state.cities[0]).balance
    assert (counted.black, counted.green) == ((1, 0) if side.endswith("black") else (0, 1))


@every_side
def test_its_half_square_is_completed_by_a_fountain_or_a_half_tile(side: str) -> None:
    _, half, corner = parts(side)
    colour = side.partition("-")[2]

    def counts(*pieces: Any) -> tuple[int, int]:
        found = balance(City(pieces, side))
        return found.black, found.green

    own, other = ((2, 0), (1, 0)) if colour == "black" else ((0, 2), (0, 1))
    assert counts(Water(half, corner)) == own  # type: ignore[arg-type]  # any text, to try all of them
    for tile_colour in ("black", "green"):
        piece = next(
            laid for laid in half_tiles(side, tile_colour) if not laid.quarters & City((), side).built
        )
        assert counts(piece) == (own if tile_colour == colour else other)
        assert City((piece,), side).built.bit_count() == 6 + piece.quarters.bit_count()


def half_tiles(side: str, colour: str) -> list[TangramLaid]:
    """Return triangles of a colour that complete the half square."""
    _, half, corner = parts(side)
    lying = [
        TangramLaid(2, colour, turn, at)  # type: ignore[arg-type]  # any text, to try all of them
        for turn in (0, 90, 180, 270)
        for at in (half, *neighbours(half))
    ]
    return [laid for laid in lying if fits(laid) and covers(laid).get(half) == FILL[corner]]


def neighbours(square: str) -> list[str]:
    column, row = ord(square[0]), int(square[1])
    return [f"{chr(column - 1)}{row}", f"{square[0]}{row - 1}"]


def fits(laid: TangramLaid) -> bool:
    try:
        return bool(laid.quarters)
    except ValueError:
        return False


def test_it_is_no_tile_and_all_23_are_still_to_come() -> None:
    state = begin(2, boards="start")

    assert sorted(state.deck) == sorted(TILES)
    assert [city.pieces for city in state.cities] == [(), ()]


def test_nobody_sees_a_side_before_all_have_chosen() -> None:
    black, green = (begin(3, boards="start", sides="choose") for _ in range(2))
    run(black, "1 side black")
    run(green, "1 side green")

    for viewer in (None, 0, 2):
        assert GAME.view(black, viewer) == GAME.view(green, viewer)
        assert GAME.view(black, viewer).answered == (1,)
        assert GAME.view(black, viewer).cards == ()
    assert GAME.view(black, 1).draft.board == "2-black"
    assert GAME.view(green, 1).draft.board == "2-green"


def test_a_side_may_be_chosen_anew_until_the_last_one_has_chosen() -> None:
    state = begin(2, boards="start", sides="choose")
    run(state, "0 side black")
    assert list(GAME.moves(state, 0)) == [ChooseSide("black"), ChooseSide("green")]
    assert only(run(state, "0 side green"), Answered).changed

    events = run(state, "1 side black")

    assert [type(event) for event in events] == [Answered, SidesShown, TangramRoundBegan, Revealed]
    assert only(events, SidesShown).sides == ("1-green", "2-black")
    assert [city.board for city in state.cities] == ["1-green", "2-black"]
    assert (state.phase, state.round, state.step) == ("place", 1, 2)
    assert refusal(state, "0 side black") == "You can't choose the side of your board now."


def test_before_the_sides_are_chosen_nothing_else_is_possible() -> None:
    state = begin(1, boards="start", sides="choose")

    assert refusal(state, "0 place 1 black 0 A1") == "First choose the side of your board."
    assert refusal(state, "0 side red") == "Choose black or green."
    assert GAME.hand(state, 0) is None


def test_who_leaves_before_choosing_is_not_awaited() -> None:
    state = begin(3, boards="start", sides="choose")
    run(state, "0 side black; 2 side green")

    events = run(state, "1 leave")

    assert only(events, SidesShown).sides == ("1-black", "2", "3-green")


@pytest.mark.parametrize("strength", list(Strength))
def test_computers_choose_at_once_and_either_side(strength: Strength) -> None:
    view = GAME.view(begin(1, boards="start", sides="choose"), 0)

    chosen = {GAME.choose(view, 0, Random(number), strength) for number in range(20)}

    assert chosen == {ChooseSide("black"), ChooseSide("green")}


@pytest.mark.parametrize(
    ("options", "sides"),
    [
        (TangramOptions(), None),
        (TangramOptions(), ("1-black",)),
        (TangramOptions(), ("1-black", "1-green")),
        (TangramOptions(), ("1a", "2b")),
        (TangramOptions(), ("1", "2")),
        (TangramOptions("start", "choose"), ("1-black", "2-black")),
        (TangramOptions("start", "choose"), ("1", "1")),
        (TangramOptions("plain"), ("1-black", "2-black")),
        (TangramOptions("printed"), ("1-black", "2-black")),
    ],
)
def test_boards_that_could_not_be_dealt_are_refused(options: TangramOptions, sides: Any) -> None:
    with pytest.raises(IllegalDeal):
        GAME.begin(2, options, TangramDeal(DECK, 0, sides), b"")


@pytest.mark.parametrize("boards", ["plain", "printed"])
def test_old_tables_keep_their_boards_and_are_written_as_they_were(boards: str) -> None:
    stored = f'{{"boards":"{boards}"}}'.encode()

    options = msgspec.json.decode(stored, type=TangramOptions)

    assert options.boards == boards
    assert msgspec.json.encode(options) == stored
    assert msgspec.json.encode(GAME.settle(2, options)) == stored


def test_the_boards_are_always_written_so_that_no_default_decides_later() -> None:
    assert msgspec.json.encode(TangramOptions()) == b'{"boards":"start"}'
    assert msgspec.json.encode(TangramOptions("start", "choose")) == b'{"boards":"start","sides":"choose"}'


@pytest.mark.parametrize("path", paths("tangram"), ids=lambda path: path.stem)
def test_a_deal_comes_from_its_seed_as_it_did_so_that_old_games_can_be_verified(path: Path) -> None:
    golden = load(path)
    options = msgspec.convert(golden.options, TangramOptions)
    if golden.seed:
        assert plain(GAME.deal(golden.seats, options, bytes.fromhex(golden.seed))) == golden.deal


def test_without_start_pieces_there_is_no_side_to_choose() -> None:
    assert GAME.settle(2, TangramOptions("plain", "choose")) == TangramOptions("plain")
    assert GAME.settle(2, TangramOptions("printed", "choose")) == TangramOptions("printed")


def test_a_deal_without_boards_says_how_to_begin_with_empty_cities() -> None:
    with pytest.raises(IllegalDeal, match='add "boards": "plain" to the options'):
        GAME.begin(2, TangramOptions(), TangramDeal(DECK, 0), b"")
