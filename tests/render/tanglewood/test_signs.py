"""Every deed, faction and thing that is counted has a sign of its own."""

from typing import get_args

import pytest
from PIL import Image, ImageChops

from engines.tanglewood.pieces.components import (
    EFFECTS,
    FOX_TILES,
    REGIONS,
    TRACKS,
    Ballots,
    Deed,
    FoxTileDeed,
    LeadBallots,
    Markers,
    NudgeDeed,
    PlantDeed,
    RaiseDrawLevel,
    Shift,
    Votes,
)
from render.core.canvas import Canvas
from render.tanglewood import land, places, signs
from render.tanglewood.colours import THEMES, TanglewoodCanvas
from render.tanglewood.signs import Thing

LIGHT = THEMES["light"]

SIZE = 80


def on_paper(deeds: tuple[Deed, ...], tiles: tuple[str, ...] = ()) -> TanglewoodCanvas:
    canvas = Canvas(2 * SIZE, 2 * SIZE, LIGHT)
    if tiles:
        signs.deed(canvas, deeds[0], (SIZE, SIZE), SIZE, tiles)
    else:
        signs.effect(canvas, deeds, (SIZE, SIZE), SIZE)
    return canvas


def find_paint_box(canvas: TanglewoodCanvas) -> tuple[int, int, int, int] | None:
    """Return the box of everything that is no longer paper."""
    return ImageChops.difference(canvas.image, Image.new("RGB", canvas.image.size, LIGHT.paper)).getbbox()


def test_every_effect_has_a_sign_of_its_own() -> None:
    drawn = {on_paper(effect.steps).image.tobytes() for effect in EFFECTS.values()}
    assert len(drawn) == len(EFFECTS)


@pytest.mark.parametrize("key", EFFECTS)
def test_the_sign_of_an_effect_keeps_about_to_its_square(key: str) -> None:
    box = find_paint_box(on_paper(EFFECTS[key].steps))
    assert box is not None
    assert min(box) >= 0.4 * SIZE
    assert max(box) <= 1.7 * SIZE


def test_every_kind_of_deed_can_be_drawn() -> None:
    known = {type(deed) for effect in EFFECTS.values() for deed in effect.steps}
    known |= {type(step) for track in TRACKS.values() for step in track.steps}
    known |= {type(tile.benefit) for tile in FOX_TILES.values()}
    assert known == set(get_args(Deed))
    for deed in (
        Shift(2, "in", "together", "any"),
        Ballots(7),
        RaiseDrawLevel(2),
        PlantDeed(2),
        NudgeDeed(3),
    ):
        assert find_paint_box(on_paper((deed,))) is not None


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        (Votes(2), "2"),
        (Markers(1), "1"),
        (Ballots(2), ""),
        (Ballots(4), "4"),
        (RaiseDrawLevel(1), ""),
        (RaiseDrawLevel(2), "2"),
        (LeadBallots(3), "3"),
    ],
)
def test_an_amount_is_told_where_the_sign_does_not_show_it(deed: Deed, text: str) -> None:
    assert signs.amount(deed) == text


def test_a_slot_shows_the_benefit_of_its_tile() -> None:
    tiles = tuple(FOX_TILES)
    for slot, key in enumerate(tiles, start=1):
        shown = on_paper((FoxTileDeed(slot),), tiles).image.tobytes()
        assert shown == on_paper((FOX_TILES[key].benefit,)).image.tobytes()
    assert find_paint_box(on_paper((FoxTileDeed(9),))) is not None


def test_factions_and_things_look_different() -> None:
    drawn = set()
    for faction in TRACKS:
        canvas = Canvas(SIZE, SIZE, LIGHT)
        signs.faction(canvas, faction, (SIZE / 2, SIZE / 2), 0.8 * SIZE)
        drawn.add(canvas.image.tobytes())
    for thing in get_args(Thing):
        canvas = Canvas(SIZE, SIZE, LIGHT)
        signs.thing(canvas, thing, (SIZE / 2, SIZE / 2), 0.8 * SIZE)
        drawn.add(canvas.image.tobytes())
    assert len(drawn) == len(TRACKS) + len(get_args(Thing))


def test_the_neutral_emblem_is_no_seats() -> None:
    drawn = set()
    for colour in (*range(5), "neutral"):
        canvas = Canvas(40, 40, LIGHT)
        places.emblem(canvas, "neutral" if isinstance(colour, str) else colour, (20, 20), 12, (0, 0, 0))
        drawn.add(canvas.image.tobytes())
    assert len(drawn) == len(LIGHT.seats) + 1


@pytest.mark.parametrize("region", REGIONS)
def test_every_region_has_its_own_plants(region: str) -> None:
    assert land.around(LIGHT, region, 0, 0, 400)


def test_a_region_that_the_map_does_not_know_has_a_plain_floor() -> None:
    assert LIGHT.ground("Z").tint == LIGHT.unknown
    assert land.around(LIGHT, "Z", 0, 0, 400) == []
