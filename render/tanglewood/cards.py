"""A Tangle as a card: its name, its effect as a sign, and its track. All of them on one sheet."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engines.tanglewood.pieces.components import (
    COMPONENTS,
    EFFECTS,
    REGULAR_TANGLES,
    STARTERS,
    TANGLES,
    TRACKS,
    EffectKey,
    Faction,
    FoxTileDeed,
    FoxTileKey,
    TangleId,
    TanglewoodTangle,
)
from engines.tanglewood.words import captions
from render.core.canvas import Box, Canvas, Point, on_circle
from render.core.text import wrap
from render.core.theme import mix
from render.tanglewood import signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

SIGN, HEAD = 80, 56
"""The size of an effect's sign, and of the faction's head whose track it steps."""
NAME = 36
SHADOW = 2, 4
"""The offset of a card's shadow to the right and down."""


def tangle(canvas: TanglewoodCanvas, card: TangleId, box: Box, *, raised: bool = False) -> None:
    """Draw a Tangle in a region. A raised one is being carried out."""
    result = TANGLES[card]
    theme = canvas.theme
    left, top, right, bottom = box
    x, y = SHADOW
    canvas.box((left + x, top + y, right + x, bottom + y), mix(theme.paper, theme.shade, 0.45), radius=12)
    canvas.box(box, theme.highlight if raised else theme.ink, radius=12)
    line = 5 if raised else 2
    canvas.box((left + line, top + line, right - line, bottom - line), theme.card, radius=12 - line)
    tracks(canvas, result.tracks, (right - 12 - HEAD / 2, (top + NAME + 10 + bottom) / 2))
    # The text of the effect is in the almanac and in panels.
    effect, middle = EFFECTS[result.effect], (top + NAME + 9 + bottom) / 2
    first, *rest = wrap(effect.name, right - left - 20, NAME, 700)
    canvas.word(((left + right) / 2, top + 24), first, NAME, theme.ink, weight=700)
    # The end of a long name is beside the sign.
    taken = canvas.write((left + 14, middle), rest[0], NAME, theme.ink, weight=700) if rest else 0.0
    signs.effect(canvas, effect.steps, ((left + taken + right - HEAD) / 2, middle), SIGN)


def tracks(canvas: TanglewoodCanvas, which: tuple[Faction, ...], centre: Point) -> None:
    """Draw the head of a Tangle's track, or several in a ring."""
    if len(which) == 1:
        signs.faction(canvas, which[0], centre, HEAD)
        return
    for index, faction in enumerate(which):
        signs.faction(canvas, faction, on_circle(centre, 0.42 * HEAD, 360 * index / len(which)), 0.66 * HEAD)


def empty(canvas: TanglewoodCanvas, box: Box) -> None:
    canvas.box(box, canvas.theme.forest_edge, radius=12, border=2)


WIDTH, MARGIN, GAP = 1200, 24, 18
COLUMNS, TALL, TITLE = 2, 288, 76
PAGE_SIGN, PAGE_HEAD, TEXT = 124, 44, 33
CELL = 326
"""The height of a track in the table of tracks."""


def effects(
    theme: TanglewoodTheme, title: str, tangles: Mapping[TangleId, TanglewoodTangle]
) -> TanglewoodCanvas:
    """Draw a card for each effect, with its Tangles by track."""
    keys = list(dict.fromkeys(tangle.effect for tangle in tangles.values()))
    rows = -(-len(keys) // COLUMNS)
    canvas = Canvas(WIDTH, 2 * MARGIN + TITLE + rows * (TALL + GAP) - GAP, theme)
    canvas.write((MARGIN + 4, MARGIN + 28), title, 46, theme.ink, weight=700)
    text = "1 head: 1 card with this track; framed: any track"
    canvas.write((WIDTH - MARGIN - 4, MARGIN + 30), text, TEXT, theme.muted, anchor="right")
    wide = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    for index, key in enumerate(keys):
        row, column = divmod(index, COLUMNS)
        left = MARGIN + column * (wide + GAP)
        top = MARGIN + TITLE + row * (TALL + GAP)
        offered = Counter(tangle.tracks for tangle in tangles.values() if tangle.effect == key)
        _effect(canvas, key, offered, (left, top, left + wide, top + TALL))
    return canvas


def _effect(
    canvas: TanglewoodCanvas, key: EffectKey, offered: Counter[tuple[Faction, ...]], box: Box
) -> None:
    theme = canvas.theme
    left, top, right, bottom = box
    canvas.box((left + 2, top + 5, right + 2, bottom + 5), mix(theme.paper, theme.shade, 0.45), radius=18)
    canvas.box(box, theme.ink, radius=18)
    canvas.box((left + 2, top + 2, right - 2, bottom - 2), theme.card, radius=16)
    effect = EFFECTS[key]
    signs.effect(canvas, effect.steps, (left + 20 + PAGE_SIGN / 2, (top + bottom) / 2), PAGE_SIGN)
    pen, room = left + PAGE_SIGN + 44, right - left - PAGE_SIGN - 58
    canvas.write((pen, top + 34), effect.name, 38, theme.ink, weight=700, width=room)
    for index, line in enumerate(wrap(effect.text, room, TEXT)):
        canvas.write((pen, top + 80 + index * (TEXT + 4)), line, TEXT, theme.muted)
    x, y = pen, bottom - 34
    for draw_tracks, count in offered.items():
        wide = len(draw_tracks) * PAGE_HEAD
        if len(draw_tracks) > 1:
            frame = (x - 6, y - PAGE_HEAD / 2 - 4, x + wide + 6, y + PAGE_HEAD / 2 + 4)
            canvas.box(frame, theme.ink, radius=14)
            canvas.box((frame[0] + 2, frame[1] + 2, frame[2] - 2, frame[3] - 2), theme.trail_light, radius=12)
        for index, faction in enumerate(draw_tracks):
            signs.faction(canvas, faction, (x + (index + 0.5) * PAGE_HEAD, y), PAGE_HEAD - 6)
        x += wide + 8
        if count > 1:
            x += canvas.write((x, y), f"\u00d7{count}", TEXT, theme.ink, weight=700) + 8
        x += 10


def draw_tracks(theme: TanglewoodTheme, tiles: Sequence[FoxTileKey] = ()) -> TanglewoodCanvas:
    """Draw the three tracks with every step's sign and words. `tiles` are on the slots, if known."""
    canvas = Canvas(WIDTH, 2 * MARGIN + len(TRACKS) * (CELL + GAP) - GAP, theme)
    for index, track in enumerate(TRACKS.values()):
        top = MARGIN + index * (CELL + GAP)
        colour = theme.factions[track.key]
        canvas.box((MARGIN, top, WIDTH - MARGIN, top + CELL), mix(colour, theme.card, 0.35), radius=20)
        inner = (MARGIN + 3, top + 3, WIDTH - MARGIN - 3, top + CELL - 3)
        canvas.box(inner, mix(colour, theme.card, 0.85), radius=17)
        signs.faction(canvas, track.key, (MARGIN + 60, top + 108), 104)
        canvas.write((MARGIN + 60, top + 206), track.name, TEXT, theme.ink, weight=700, anchor="middle")
        wide = (WIDTH - 2 * MARGIN - 120) / len(track.steps)
        for number, step in enumerate(track.steps):
            x = MARGIN + 118 + number * wide
            canvas.line([(x, top + 16), (x, top + CELL - 16)], mix(colour, theme.card, 0.35), 2)
            canvas.badge((x + 34, top + 40), 30, str(number + 1), colour)
            signs.deed(canvas, step, (x + wide / 2 + 10, top + 96), 92, tuple(tiles))
            lines = wrap(captions.brief(step, tiles), wide - 6, TEXT, 600)
            for row, line in enumerate(lines):
                y = top + 232 + (row - (len(lines) - 1) / 2) * 38
                canvas.write((x + wide / 2, y), line, TEXT, theme.ink, weight=600, anchor="middle")
    return canvas


def pages(theme: TanglewoodTheme) -> list[tuple[TanglewoodCanvas, str]]:
    regular = f"The {len(REGULAR_TANGLES)} Tangles"
    starters = f"The {len(STARTERS)} Starters"
    slots = [step for track in TRACKS.values() for step in track.steps if isinstance(step, FoxTileDeed)]
    tiles = [tile.key for tile in COMPONENTS.fox_tile][: len(slots)]
    return [
        (effects(theme, regular, REGULAR_TANGLES), captions.describe_effects(regular, REGULAR_TANGLES)),
        (effects(theme, starters, STARTERS), captions.describe_effects(starters, STARTERS)),
        (draw_tracks(theme, tiles), captions.describe_tracks(tiles)),
    ]
