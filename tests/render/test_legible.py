"""Pictures are made for phones: everybody's stand upright, and no letter is too small to be read."""

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from typing import TypeVar

import pytest
from PIL import Image

import render.ribbon
import render.tangle
import render.tanglewood
import render.tangram
import render.tesla
from engines import ribbon, tangle, tanglewood, tangram, tesla
from engines.ribbon.pieces.components import Mode, RibbonOptions
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import over
from engines.tangram.pieces.components import FOUNTAIN
from engines.tesla.pieces.components import Tiles
from engines.tesla.preview import fits, sites
from render.core.canvas import Picture
from render.core.text import legible
from tests.often import often
from tests.render.images import forget
from tests.render.positions import cities, crowd_board, forests, lands, states

T = TypeVar("T")
NAMES = ("Ann", "Bo", "Christopher", "Dee", "Eve")


def after(positions: Iterator[T], turns: int) -> T:
    """Return the position after N turns, or the last one."""
    return list(islice(positions, turns + 1))[-1]


def of_ribbon(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.ribbon.THEMES[name]
    modes: tuple[tuple[int, Mode], ...] = ((3, "versus"), (3, "coop"), (1, "solo"))
    for seats, mode in modes[:tables]:
        state = after(states(seats, RibbonOptions(mode=mode), 4), 14)
        yield render.ribbon.board(ribbon.GAME.view(state, None), NAMES, theme=theme)
        yield render.ribbon.hand(ribbon.GAME.view(state, 0), 0, NAMES, theme=theme)
        yield render.ribbon.turn(ribbon.GAME.view(state, 0), NAMES, theme=theme)


def of_tesla(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.tesla.THEMES[name]
    choices: tuple[tuple[int, Tiles, int], ...] = ((2, "hex", 14), (4, "square", 40), (4, "hex", 90))
    for seats, shape, tiles in choices[:tables]:
        state = crowd_board(tiles, seats, shape, 1)
        yield render.tesla.board(tesla.GAME.view(state, None), NAMES, theme=theme)
        yield render.tesla.turn(tesla.GAME.view(state, state.seat), NAMES, theme=theme)
        view = tesla.GAME.view(state, state.seat)
        yield render.tesla.hand(view, state.seat, NAMES, theme=theme)
        yield render.tesla.choices(view, NAMES, sites(view), theme=theme)
        fit = fits(view, (view.hands[state.seat] or ())[0])[0]
        yield render.tesla.preview(view, NAMES, fit, 1, theme=theme)


def of_tangram(name: str = "light", tables: int = often(3, 5)) -> Iterator[Picture | None]:
    theme = render.tangram.THEMES[name]
    for seats in (5, 1, 3, 2, 4)[:tables]:
        state = after(cities(seats), 21)
        yield render.tangram.board(tangram.GAME.view(state, None), NAMES, theme=theme)
        view = tangram.GAME.view(state, 0)
        yield render.tangram.hand(view, 0, NAMES, theme=theme)
        held, *others = map(over, rank_places(view, view.current[0] if view.current else FOUNTAIN)[:4])
        yield render.tangram.preview(view, NAMES, held, [*enumerate(others, start=2)], theme=theme)


def of_tanglewood(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.tanglewood.THEMES[name]
    for seats in (3, 5, 4)[:tables]:
        state = after(forests(seats), 60)
        yield render.tanglewood.board(tanglewood.GAME.view(state, None), NAMES, theme=theme)
        view = tanglewood.GAME.view(state, 0)
        yield render.tanglewood.hand(view, 0, NAMES, theme=theme)
        yield render.tanglewood.forest(view, NAMES, theme=theme)
        yield render.tanglewood.preview(view, NAMES, (), {"A": 1}, (), theme=theme)
    yield render.tanglewood.scoring(tanglewood.GAME.view(state, None), NAMES, 1, theme=theme)
    yield from render.tanglewood.almanac(theme)


def of_tangle(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.tangle.THEMES[name]
    for seats in (4, 2, 3)[:tables]:
        state = after(lands(seats), 150)
        yield render.tangle.board(tangle.GAME.view(state, None), NAMES, theme=theme)
        yield render.tangle.roots(tangle.GAME.view(state, 0), NAMES, theme=theme)
        yield render.tangle.hand(tangle.GAME.view(state, 0), 0, NAMES, theme=theme)
        yield render.tangle.focus(tangle.GAME.view(state, 0), NAMES, ("C5", "C6"), ("S1",), theme=theme)
    yield from render.tangle.almanac(theme)


GAMES = (of_ribbon, of_tesla, of_tangram, of_tanglewood, of_tangle)


@pytest.mark.parametrize("pictures", GAMES, ids=lambda room: room.__name__[3:])
def test_nothing_is_written_too_small_for_a_phone_and_what_everybody_sees_stands_upright(
    pictures: Callable[[], Iterator[Picture | None]], text_sizes: dict[str, int]
) -> None:
    upright = 0
    for picture in pictures():
        if picture is not None:
            width, height = Image.open(BytesIO(picture.png)).size
            small = {
                text: size for text, size in text_sizes.items() if text.strip() and size < legible(width)
            }
            assert not small, (picture.name, width)
            if picture.name.endswith("table.png"):
                assert height >= width or (picture.name == "tangram-table.png" and height >= 0.85 * width)
                upright += 1
            text_sizes.clear()
            forget("render")
    assert upright
