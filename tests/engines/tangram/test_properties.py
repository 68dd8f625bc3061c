from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import IllegalDeal, Strength
from engines.tangram import GAME
from engines.tangram.legal import moves
from engines.tangram.moves import Answered, ChooseSide, Revealed, SidesShown, TangramRoundBegan
from engines.tangram.pieces.board import START_SIDES, City, TangramLaid, Water, balance, score
from engines.tangram.pieces.components import FOUNTAIN, ROUNDS, START_PIECES, TILES, TangramOptions
from engines.tangram.pieces.geometry import FILL, SIDES, TURNS, Corner, canonical_turn, form, spots
from engines.tangram.truth.setup import board_of
from engines.tangram.truth.state import TangramDeal, TangramState
from tests.engines.golden import load, paths, plain
from tests.engines.tangram.arrange import (
    begin,
    covers,
    decline_all,
    only,
    quarters,
    random_city,
    refusal,
    run,
)
from tests.often import often

SEEDS = st.integers(0, 10**6)
some = settings(max_examples=often(8, 45), deadline=None, database=None)


def walk(seats: int, seed: int, **options: Any) -> Iterator[TangramState]:
    """Yield a random game's state before each answer, and at the end."""
    rng, chosen, key = Random(seed), TangramOptions(**options), seed.to_bytes(4, "big")
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, key), key)
    while prompts := GAME.prompts(state):
        yield state
        seat = rng.choice(list(prompts))
        GAME.play(state, seat, rng.choice(list(GAME.moves(state, seat))))
    yield state


@given(SEEDS, st.sampled_from(sorted(TILES)))
@some
def test_fitting_tiles_overlap_nothing_and_all_others_do(seed: int, tile: int) -> None:
    city = random_city(Random(seed))
    fitting = {(laid.side, laid.turn, laid.at) for laid in moves.tile_fits(city, tile)}

    for spot in spots(tile):
        laid = TangramLaid(tile, spot.side, spot.turn, spot.at)
        free = (spot.side, spot.turn, spot.at) in fitting
        assert free == (moves.over(laid).trouble(city) is None) == (not spot.quarters & city.built)
        if free:
            assert quarters(city.add(laid))
    assert bool(fitting) == moves.fits_somewhere(city, tile)


@pytest.mark.parametrize(
    ("boards", "seats"),
    often([("start", 1), ("plain", 3), ("printed", 5)], product(["start", "plain", "printed"], range(1, 6))),
)
def test_cards_tiles_and_fountains_are_conserved(boards: str, seats: int) -> None:
    for seed in range(often(1, 3)):
        for state in walk(seats, seed, boards=boards):
            assert sorted(state.deck) == sorted(TILES)
            played = 23 - _to_come(state)
            for seat in range(seats):
                laid = [piece.tile for piece in state.cities[seat].pieces if isinstance(piece, TangramLaid)]
                water = sum(isinstance(piece, Water) for piece in state.cities[seat].pieces)
                assert len({*laid, *state.aside[seat]}) == len(laid) + len(state.aside[seat]) == played
                assert water + state.fountains[seat] <= ROUNDS.fountains
                quarters(state.cities[seat])


def _to_come(state: TangramState) -> int:
    """Count the cards that have not been closed yet."""
    if state.phase == "over":
        return 0
    before = 4 * (state.round - 1)
    done = state.card if state.phase == "place" else 0 if state.phase == "final" else 99
    return 23 - min(before + done, before + (4 if state.round < 6 else 3))


@pytest.mark.parametrize("tile", sorted(TILES))
def test_four_turns_and_two_flips_bring_a_tile_back(tile: int) -> None:
    for side in SIDES:
        cursor = moves.TileCursor(tile, side)
        for _ in range(4):
            cursor = cursor.nudge("turn")
        assert cursor.form == form(tile, side, 0)
        assert moves.TileCursor(tile, side).nudge("flip").nudge("flip") == moves.TileCursor(tile, side)
        assert all(canonical_turn(tile, side, turn) <= turn for turn in TURNS)


@given(
    st.sampled_from([FOUNTAIN, *sorted(TILES)]),
    st.lists(st.sampled_from(["left", "up", "down", "right", "turn", "flip"]), max_size=30),
)
@some
def test_a_ghost_never_leaves_the_city(tile: int, nudges: list[Any]) -> None:
    cursor = moves.TileCursor(tile)
    for nudge in nudges:
        if tile != FOUNTAIN or nudge != "flip":
            cursor = cursor.nudge(nudge)
    assert 0 <= cursor.column <= 7 - cursor.form.width
    assert 0 <= cursor.row <= 7 - cursor.form.height
    assert cursor.trouble(City()) is None


@pytest.mark.parametrize("strength", list(Strength))
def test_a_computer_player_goes_on_from_answers_that_a_person_gave(strength: Strength) -> None:
    for state in walk(1, 5):
        if state.phase == "final" and len(state.pending[0]) == 1:
            view = GAME.view(state, 0)
            assert GAME.choose(view, 0, Random(1), strength) in list(GAME.moves(state, 0))
            return
    raise AssertionError("no game came so far")


@pytest.mark.thorough
def test_the_strong_player_builds_a_good_city() -> None:
    state = GAME.begin(1, TangramOptions(), GAME.deal(1, TangramOptions(), b"fill"), b"fill")
    rng = Random(2)
    while GAME.prompts(state):
        GAME.play(state, 0, GAME.choose(GAME.view(state, 0), 0, rng, Strength.STRONG))

    assert state.scores[0] >= 90


def test_two_weak_players_build_other_cities_and_free_halves_for_fountains_are_all_found() -> None:
    state = GAME.begin(2, TangramOptions(), GAME.deal(2, TangramOptions(), b"two"), b"two")
    rng = Random(3)
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))

    assert state.cities[0] != state.cities[1]
    assert len(moves.fountain_fits(City())) == 49 * 4


DECK = tuple(TILES)
CORNERS = {FILL[corner]: corner for corner in moves.CORNER_NAMES}
OPPOSITE: dict[Corner, Corner] = {"7": "L", "L": "7", "J": "r", "r": "J"}
every_side = pytest.mark.parametrize("side", START_SIDES)


def parts(side: str) -> tuple[str, str, str]:
    """Return a start piece's whole square, half square and free half."""
    covered = covers(START_SIDES[side])
    (whole,) = [square for square, quarters in covered.items() if quarters == 15]
    (half,) = [square for square in covered if square != whole]
    return whole, half, OPPOSITE[CORNERS[covered[half]]]


def test_there_are_five_boards_each_with_its_own_piece_drawn_and_all_23_tiles_to_come() -> None:
    assert len(START_PIECES) == 5
    assert len({piece.quarters for piece in START_SIDES.values()}) == 10
    assert {piece.tile for piece in START_SIDES.values()} == {4}
    dealt = {side for n in range(90) for side in GAME.deal(1, TangramOptions(), bytes([n])).sides or ()}

    assert dealt == set(START_SIDES)
    state = begin(2, boards="start")

    assert sorted(state.deck) == sorted(TILES)
    assert [city.pieces for city in state.cities] == [(), ()]


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


@every_side
def test_the_piece_is_built_from_the_start_and_nothing_goes_over_it(side: str) -> None:
    whole, half, _ = parts(side)
    state = GAME.begin(1, TangramOptions(), TangramDeal(DECK, 0, (side,)), b"")

    assert refusal(state, f"0 place 1 black 0 {whole}") == f"{whole} is already built."
    corner = CORNERS[covers(START_SIDES[side])[half]]
    built = f"The {moves.CORNER_NAMES[corner]} half of {half} is already built."
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


def test_before_the_sides_are_chosen_nothing_else_is_possible_and_who_leaves_is_not_awaited() -> None:
    state = begin(1, boards="start", sides="choose")

    assert refusal(state, "0 place 1 black 0 A1") == "First choose the side of your board."
    assert refusal(state, "0 side red") == "Choose black or green."
    assert GAME.hand(state, 0) is None

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


def test_the_boards_are_always_written_and_without_start_pieces_there_is_no_side_to_choose() -> None:
    assert msgspec.json.encode(TangramOptions()) == b'{"boards":"start"}'
    assert msgspec.json.encode(TangramOptions("start", "choose")) == b'{"boards":"start","sides":"choose"}'
    assert GAME.settle(2, TangramOptions("plain", "choose")) == TangramOptions("plain")
    assert GAME.settle(2, TangramOptions("printed", "choose")) == TangramOptions("printed")


@pytest.mark.parametrize("path", paths("tangram"), ids=lambda path: path.stem)
def test_a_deal_comes_from_its_seed_as_it_did_so_that_old_games_can_be_verified(path: Path) -> None:
    golden = load(path)
    options = msgspec.convert(golden.options, TangramOptions)
    if golden.seed:
        assert plain(GAME.deal(golden.seats, options, bytes.fromhex(golden.seed))) == golden.deal


def test_a_deal_without_boards_says_how_to_begin_with_empty_cities() -> None:
    with pytest.raises(IllegalDeal, match='add "boards": "plain" to the options'):
        GAME.begin(2, TangramOptions(), TangramDeal(DECK, 0), b"")
