"""Pictures are made for phones and for every eye: upright, large enough, and readable in each theme."""

import ast
from collections.abc import Callable, Iterator
from importlib import import_module
from io import BytesIO
from itertools import combinations, islice, pairwise
from math import dist
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PIL import Image, ImageStat

import render
import render.ribbon
import render.tangle
import render.tanglewood
import render.tangram
import render.tesla
from engines import ribbon, tangle, tanglewood, tangram, tesla
from engines.registry import SLUGS
from engines.ribbon.pieces.components import COLOURS, Colour, Mode, RibbonOptions
from engines.tanglewood.pieces.components import REGIONS
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import over
from engines.tangram.pieces.components import FOUNTAIN
from engines.tesla.pieces.components import Tiles
from engines.tesla.preview import fits, sites
from render import cup, daily, result, standings
from render.core.canvas import Picture
from render.core.text import legible
from render.core.theme import LIGHT, THEMES, Rgb, Theme, contrast, luminance
from render.ribbon.colours import THEMES as RIBBON
from render.ribbon.colours import RibbonTheme
from render.tangle.colours import THEMES as TANGLE
from render.tangle.colours import TangleTheme
from render.tanglewood.colours import TanglewoodTheme
from render.tangram.colours import TangramTheme
from render.tesla.colours import THEMES as TESLA
from render.tesla.colours import TeslaTheme
from tests.often import often
from tests.render.images import forget
from tests.render.positions import cities, crowd_board, forests, lands, states

T = TypeVar("T")
NAMES = ("Ann", "Bo", "Christopher", "Dee", "Eve")


def after(positions: Iterator[T], turns: int) -> T:
    """Return the position after N turns, or the last one."""
    return list(islice(positions, turns + 1))[-1]


def draw_ribbon(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.ribbon.THEMES[name]
    modes: tuple[tuple[int, Mode], ...] = ((3, "versus"), (3, "coop"), (1, "solo"))
    for seats, mode in modes[:tables]:
        state = after(states(seats, RibbonOptions(mode=mode), 4), 14)
        yield render.ribbon.board(ribbon.GAME.view(state, None), NAMES, theme=theme)
        yield render.ribbon.hand(ribbon.GAME.view(state, 0), 0, NAMES, theme=theme)
        yield render.ribbon.turn(ribbon.GAME.view(state, 0), NAMES, theme=theme)


def draw_tesla(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
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


def draw_tangram(name: str = "light", tables: int = often(3, 5)) -> Iterator[Picture | None]:
    theme = render.tangram.THEMES[name]
    for seats in (5, 1, 3, 2, 4)[:tables]:
        state = after(cities(seats), 21)
        yield render.tangram.board(tangram.GAME.view(state, None), NAMES, theme=theme)
        view = tangram.GAME.view(state, 0)
        yield render.tangram.hand(view, 0, NAMES, theme=theme)
        held, *others = map(over, rank_places(view, view.current[0] if view.current else FOUNTAIN)[:4])
        yield render.tangram.preview(view, NAMES, held, [*enumerate(others, start=2)], theme=theme)


def draw_tanglewood(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
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


def draw_tangle(name: str = "light", tables: int = 3) -> Iterator[Picture | None]:
    theme = render.tangle.THEMES[name]
    for seats in (4, 2, 3)[:tables]:
        state = after(lands(seats), 150)
        yield render.tangle.board(tangle.GAME.view(state, None), NAMES, theme=theme)
        yield render.tangle.roots(tangle.GAME.view(state, 0), NAMES, theme=theme)
        yield render.tangle.hand(tangle.GAME.view(state, 0), 0, NAMES, theme=theme)
        yield render.tangle.focus(tangle.GAME.view(state, 0), NAMES, ("C5", "C6"), ("S1",), theme=theme)
    yield from render.tangle.almanac(theme)


GAMES = (draw_ribbon, draw_tesla, draw_tangram, draw_tanglewood, draw_tangle)


@pytest.mark.parametrize("pictures", GAMES, ids=lambda room: room.__name__[5:])
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


TEXT, SHAPE = 4.5, 3.0
"""The least contrasts of letters and of large shapes (WCAG 2.2, AA)."""
SIGHTS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""Red, green and blue as people with each colour blindness see them (Machado, Oliveira, Fernandes, 2009)."""
XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8727))
"""From red, green and blue to X, Y and Z, as shares of white (D65)."""
TABLES = often(1, 3)
"""The tables of each game that are drawn in both themes."""
ROOM = Path(render.__path__[0])


def themes_of(slug: str) -> list[Any]:
    themes = import_module(f"render.{slug}.colours").THEMES
    return [pytest.param(themes[name], id=name) for name in THEMES]


every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
of_ribbon = pytest.mark.parametrize("theme", themes_of("ribbon"))
of_tesla = pytest.mark.parametrize("theme", themes_of("tesla"))
of_tangram = pytest.mark.parametrize("theme", themes_of("tangram"))
of_tanglewood = pytest.mark.parametrize("theme", themes_of("tanglewood"))
of_tangle = pytest.mark.parametrize("theme", themes_of("tangle"))


def see(colour: Rgb, sight: str) -> tuple[float, ...]:
    """Return the linear colour that a colour-blind person sees."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    ]
    rows = (sum(share * part for share, part in zip(row, linear, strict=True)) for row in SIGHTS[sight])
    return tuple(min(1.0, max(0.0, part)) for part in rows)


def lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    """Return the colour in CIE L*a*b*."""
    x, y, z = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in (sum(a * b for a, b in zip(row, linear, strict=True)) for row in XYZ)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def least(inks: list[Rgb], grounds: list[Rgb]) -> float:
    """Return the weakest contrast of any ink on any ground."""
    return min(contrast(ink, ground) for ink in inks for ground in grounds)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_every_theme(slug: str) -> None:
    room = import_module(f"render.{slug}")
    assert {name: theme.name for name, theme in room.THEMES.items()} == {name: name for name in THEMES}
    for name, theme in room.THEMES.items():
        assert theme.paper == THEMES[name].paper
        assert len(theme.palette.colours) <= 255


@pytest.mark.parametrize("room", [cup, daily, result, standings], ids=lambda room: room.__name__)
def test_pictures_of_any_game_have_every_theme(room: Any) -> None:
    assert room.THEMES is THEMES


@every_theme
def test_text_reads_on_paper_and_on_cards(theme: Theme) -> None:
    assert least([theme.ink, theme.muted, theme.danger, theme.highlight], [theme.paper, theme.card]) >= TEXT
    assert contrast(theme.card, theme.highlight) >= TEXT


@every_theme
def test_text_reads_on_the_plate_of_whose_turn_it_is_and_faintly_of_who_is_out(theme: Theme) -> None:
    assert contrast(theme.ink, theme.glow) >= 7
    assert contrast(theme.muted, theme.glow) >= TEXT
    assert contrast(theme.highlight, theme.glow) >= 4
    assert SHAPE <= contrast(theme.faded, theme.paper) < TEXT
    assert contrast(theme.faded, theme.card) >= SHAPE
    assert contrast(theme.black, theme.white) >= 14


@every_theme
def test_the_first_four_seats_stand_out_and_so_do_all_in_the_dark(theme: Theme) -> None:
    seats = theme.seats if theme is not LIGHT else theme.seats[:4]
    assert least([*seats], [theme.paper, theme.card]) >= (2.6 if theme is LIGHT else SHAPE)


@of_ribbon
@pytest.mark.parametrize("colour", COLOURS)
def test_the_sides_of_a_ribbon_differ_and_stand_out_from_a_card(theme: RibbonTheme, colour: Colour) -> None:
    dye = theme.dyes[colour]
    assert contrast(theme.letter(colour, 0), dye.dark.body) >= TEXT
    assert contrast(theme.letter(colour, 1), dye.light.body) >= TEXT
    assert contrast(dye.dark.body, dye.light.body) >= SHAPE
    for silk in (dye.dark, dye.light):
        assert all(luminance(one) < luminance(two) for one, two in pairwise(silk.stops))
    assert contrast(dye.light.edge, theme.card) >= SHAPE
    assert contrast(dye.dark.body, theme.card) >= SHAPE


@of_ribbon
def test_a_hand_has_room_in_its_palette_and_letters_read_on_a_card_back(theme: RibbonTheme) -> None:
    assert len(theme.large_palette.colours) <= 255
    assert contrast(theme.back_ink, theme.back) >= 7


@of_tesla
def test_a_wire_stands_out_from_its_tile(theme: TeslaTheme) -> None:
    for current in (theme.free, theme.ready, *theme.live):
        assert contrast(current.body, theme.slate) >= SHAPE
        assert contrast(current.core, current.body) >= 1.5
        assert all(luminance(one) < luminance(two) for one, two in pairwise(current.stops))


@of_tesla
def test_unfocused_parts_are_darker_but_visible(theme: TeslaTheme) -> None:
    assert luminance(theme.faint.body) < luminance(theme.free.body)
    for current in theme.live:
        assert 1.3 <= contrast(theme.fade(current).body, theme.slate) < contrast(current.body, theme.slate)


@of_tesla
def test_letters_read_on_every_seats_colour_and_in_empty_cells(theme: TeslaTheme) -> None:
    for colour in (*theme.seats[:4], theme.ink):
        assert contrast(theme.letter(colour), colour) >= 3.5
    assert contrast(theme.muted, theme.socket) >= TEXT
    assert contrast(theme.black, theme.latest) >= TEXT


@of_tangram
def test_roofs_gardens_and_sand_differ_and_marks_on_a_city_can_be_read(theme: TangramTheme) -> None:
    assert least([theme.roof_middle, theme.roof_light], [theme.sand]) >= SHAPE
    assert max(contrast(theme.hedge, theme.sand), contrast(theme.lawn, theme.sand)) >= SHAPE
    assert contrast(theme.roof_middle, theme.lawn) >= 2
    assert contrast(theme.roof_middle, theme.card) >= SHAPE
    assert contrast(theme.white, theme.survey) >= TEXT
    assert contrast(theme.black, theme.amber) >= TEXT
    assert least([theme.fresh], [theme.fits, theme.done, theme.black]) >= TEXT
    assert contrast(theme.stone, theme.back) >= SHAPE


@of_tangram
def test_no_seat_has_the_colour_of_a_mark(theme: TangramTheme) -> None:
    for mark in (theme.survey, theme.fits, theme.amber):
        for seat in theme.seats:
            assert sum(abs(one - two) for one, two in zip(mark, seat, strict=True)) > 40


@of_tanglewood
@pytest.mark.parametrize("region", REGIONS)
def test_a_regions_floor_is_its_own_and_everything_reads_on_it(theme: TanglewoodTheme, region: str) -> None:
    floor = theme.ground(region)
    assert floor not in [theme.ground(other) for other in REGIONS if other != region]
    assert contrast(theme.ink, floor.tint) >= 7
    assert contrast(theme.card, floor.edge) >= SHAPE
    assert contrast(floor.edge, floor.tint) >= SHAPE
    assert all(contrast(seat, floor.tint) > 1.4 for seat in theme.seats)


@of_tanglewood
def test_signs_of_the_forest_can_be_read(theme: TanglewoodTheme) -> None:
    assert least([theme.black], [*theme.metals]) >= TEXT
    assert least([*theme.factions.values(), theme.seal], [theme.card]) >= SHAPE


@of_tangle
def test_letters_read_on_resources_and_on_tiles(theme: TangleTheme) -> None:
    assert least([theme.card], [*theme.resources.values()]) >= TEXT
    assert least([theme.black], [*theme.floors.values(), theme.gold]) >= TEXT
    assert contrast(theme.faint, theme.dry) >= SHAPE


@pytest.mark.essential
@pytest.mark.parametrize("pictures", GAMES, ids=lambda room: room.__name__[5:])
def test_dark_pictures_show_what_light_do(pictures: Callable[[str, int], Iterator[Picture | None]]) -> None:
    for light, dark in zip(pictures("light", TABLES), pictures("dark", TABLES), strict=True):
        if light is None or dark is None:
            assert light is dark
            continue
        assert (dark.name, dark.alt) == (light.name, light.alt)
        with Image.open(BytesIO(light.png)) as one, Image.open(BytesIO(dark.png)) as other:
            assert one.size == other.size
            brightness = [ImageStat.Stat(image.convert("L")).mean[0] for image in (one, other)]
        assert brightness[1] < 0.7 * brightness[0]


def test_colours_are_only_in_themes() -> None:
    found = [
        f"{path.relative_to(ROOM)}:{node.lineno}"
        for path in sorted(ROOM.rglob("*.py"))
        if path.name not in ("theme.py", "colours.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("rgb")
    ]
    assert not found


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", THEMES)
def test_colours_differ_for_colour_blind_people_too(name: str, sight: str) -> None:
    # Each also has a shape, a pattern or a letter of its own.
    ribbon, tesla = RIBBON[name], TESLA[name]
    for colours, apart in (
        (tesla.seats, 13),
        ([live.body for live in tesla.live], 13),
        ([dye.plain for dye in ribbon.dyes.values()], 13),
        ([dye.light.body for dye in ribbon.dyes.values()], 11),
        ([dye.dark.body for dye in ribbon.dyes.values()], 11),
        (TANGLE[name].resources.values(), 8),
    ):
        seen = [lab(see(colour, sight)) for colour in colours]
        assert min(dist(one, two) for one, two in combinations(seen, 2)) > apart


def test_nobody_draws_in_a_theme_by_name() -> None:
    found = [
        str(path.relative_to(ROOM))
        for path in sorted(ROOM.rglob("*.py"))
        if path.name not in ("__init__.py", "theme.py", "colours.py", "emoji.py")
        and path.parent != ROOM
        and any(
            isinstance(node, ast.Name) and node.id in ("LIGHT", "DARK")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
        )
    ]
    assert found == ["core/canvas.py"]  # masks, which have no colours
