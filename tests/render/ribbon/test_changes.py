from io import BytesIO

import msgspec
import pytest
from PIL import Image

from engines.game import BoardChange
from engines.ribbon.view import RibbonView
from render.core.canvas import Picture, on_circle
from render.ribbon import board, turn
from render.ribbon.colours import THEMES
from render.ribbon.ring import BADGES, MIDDLE, junction_at, spot
from tests.render.positions import CLEAN, NAMES, view_circle

LIGHT = THEMES["light"]
pytestmark = pytest.mark.slow


def view_with(*news: BoardChange) -> RibbonView:
    view = view_circle(CLEAN, "FLH", "OJR", viewer=0)
    return msgspec.structs.replace(view, ribbons=("green", "orange"), news=news)


def has_colour(
    picture: Picture, at: tuple[float, float], colour: tuple[int, int, int], reach: int = 16
) -> bool:
    image = Image.open(BytesIO(picture.png)).convert("RGB")
    x, y = round(at[0]), round(at[1])
    shades = image.crop((x - reach, y - reach, x + reach, y + reach)).getcolors(10_000) or []
    return any(
        isinstance(shade, tuple) and sum(abs(a - b) for a, b in zip(shade, colour, strict=True)) <= 12
        for _, shade in shades
    )


def test_a_swap_is_an_arrow_between_two_numbers_in_the_colour_of_its_seat() -> None:
    between = on_circle(MIDDLE, BADGES, junction_at(4))

    swapped = board(view_with(BoardChange("4", "swapped", 1, start="5")), NAMES)

    assert has_colour(swapped, between, LIGHT.orange.plain)
    assert not has_colour(board(view_with(), NAMES), between, LIGHT.orange.plain)


def test_an_exchange_is_a_pair_of_arrows_at_the_edge_of_the_middle() -> None:
    edge = spot(7, 162, 214)

    exchanged = board(view_with(BoardChange("7", "exchanged", 0)), NAMES)

    assert has_colour(exchanged, edge, LIGHT.green.plain)
    assert not has_colour(board(view_with(), NAMES), edge, LIGHT.green.plain)


def test_a_flipped_card_has_the_emblem_of_its_seat() -> None:
    corner = spot(9, 34, 206)

    flipped = [board(view_with(BoardChange("9", "flipped", seat)), NAMES).png for seat in (0, 1)]

    assert flipped[0] != flipped[1]
    assert has_colour(board(view_with(BoardChange("9", "flipped", 1)), NAMES), corner, LIGHT.orange.plain)


def test_a_players_own_ribbon_is_bolder_in_their_panel() -> None:
    own = view_with()
    other = msgspec.structs.replace(own, ribbons=("orange", "green"))

    assert turn(own, NAMES).png != turn(other, NAMES).png
