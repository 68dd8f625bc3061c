import msgspec
import pytest

from engines.game import BoardChange
from engines.tesla.view import TeslaChanges, TeslaView
from render.tesla import board, turn
from render.tesla.colours import THEMES
from tests.render.pixels import count_pixels
from tests.render.positions import NAMES
from tests.render.tesla.test_words import view_circuit

LIGHT = THEMES["light"]
pytestmark = pytest.mark.slow


def view_with(*news: BoardChange) -> TeslaView:
    view = view_circuit()
    placed = tuple(one.place for one in news if one.kind == "placed")
    return msgspec.structs.replace(view, news=news, changes=TeslaChanges(placed=placed))


def first_cell() -> str:
    return next(iter(view_circuit().board.tiles))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_new_tile_is_ringed_in_the_colour_of_its_seat(seat: int) -> None:
    ringed = board(view_with(BoardChange(first_cell(), "placed", seat)), NAMES)

    colour = LIGHT.seats[seat]
    assert count_pixels(ringed, colour) > count_pixels(board(view_with(), NAMES), colour)


def test_points_are_written_where_they_were_made() -> None:
    plain = board(view_with(), NAMES)
    made = [BoardChange(first_cell(), "points 0", 0, points=points) for points in (14, 15)]

    pictures = {board(view_with(one), NAMES).png for one in made}

    assert len(pictures | {plain.png}) == 3


def test_a_players_own_circuits_shine_in_their_panel() -> None:
    view = view_circuit()
    hands = tuple(("02-35",) for _ in range(view.seats))
    looks = [msgspec.structs.replace(view, viewer=seat, hands=hands) for seat in range(2)]

    assert turn(looks[0], NAMES).png != turn(looks[1], NAMES).png


def test_a_seat_that_is_out_moves_no_bar_of_the_others() -> None:
    view = msgspec.structs.replace(view_circuit(), scores=[5, -3], out=[1], places=[None, 2])
    lower = msgspec.structs.replace(view, scores=[5, -30])

    blue = LIGHT.seats[0]
    assert count_pixels(board(view, NAMES), blue) == count_pixels(board(lower, NAMES), blue)
