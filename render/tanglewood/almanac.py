"""The almanac: every Tangle by its effect with its tracks, and the benefit of every step."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engines.tanglewood.pieces.components import (
    COMPONENTS,
    EFFECTS,
    REGULAR_TANGLES,
    STARTERS,
    TRACKS,
    EffectKey,
    Faction,
    FoxTileDeed,
    FoxTileKey,
    TangleId,
    TanglewoodTangle,
)
from engines.tanglewood.words import captions
from render.core.canvas import Box, Canvas
from render.core.text import wrap
from render.core.theme import mix
from render.tanglewood import signs
from render.tanglewood.colours import TanglewoodCanvas, TanglewoodTheme

WIDTH, MARGIN, GAP = 1200, 24, 18
COLUMNS, TALL, TITLE = 2, 276, 76
SIGN, HEAD, TEXT = 124, 44, 27
CELL = 284
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
    canvas.write((WIDTH - MARGIN - 4, MARGIN + 30), text, TEXT, theme.muted, anchor="right", width=740)
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
    signs.effect(canvas, effect.steps, (left + 20 + SIGN / 2, (top + bottom) / 2), SIGN)
    pen, room = left + SIGN + 40, right - left - SIGN - 58
    canvas.write((pen, top + 34), effect.name, 38, theme.ink, weight=700, width=room)
    for index, line in enumerate(wrap(effect.text, room, TEXT)):
        canvas.write((pen, top + 76 + index * (TEXT + 5)), line, TEXT, theme.muted)
    x, y = pen, bottom - 34
    for tracks, count in offered.items():
        wide = len(tracks) * HEAD
        if len(tracks) > 1:
            frame = (x - 6, y - HEAD / 2 - 4, x + wide + 6, y + HEAD / 2 + 4)
            canvas.box(frame, theme.ink, radius=14)
            canvas.box((frame[0] + 2, frame[1] + 2, frame[2] - 2, frame[3] - 2), theme.trail_light, radius=12)
        for index, faction in enumerate(tracks):
            signs.faction(canvas, faction, (x + (index + 0.5) * HEAD, y), HEAD - 6)
        x += wide + 8
        if count > 1:
            x += canvas.write((x, y), f"\u00d7{count}", TEXT, theme.ink, weight=700) + 8
        x += 10


def tracks(theme: TanglewoodTheme, tiles: Sequence[FoxTileKey] = ()) -> TanglewoodCanvas:
    """Draw the three tracks with every step's sign and words. `tiles` are on the slots, if known."""
    canvas = Canvas(WIDTH, 2 * MARGIN + len(TRACKS) * (CELL + GAP) - GAP, theme)
    for index, track in enumerate(TRACKS.values()):
        top = MARGIN + index * (CELL + GAP)
        colour = theme.factions[track.key]
        canvas.box((MARGIN, top, WIDTH - MARGIN, top + CELL), mix(colour, theme.card, 0.35), radius=20)
        inner = (MARGIN + 3, top + 3, WIDTH - MARGIN - 3, top + CELL - 3)
        canvas.box(inner, mix(colour, theme.card, 0.85), radius=17)
        signs.faction(canvas, track.key, (MARGIN + 82, top + 108), 116)
        canvas.write((MARGIN + 82, top + 206), track.name, 40, theme.ink, weight=700, anchor="middle")
        wide = (WIDTH - 2 * MARGIN - 168) / len(track.steps)
        for number, step in enumerate(track.steps):
            x = MARGIN + 160 + number * wide
            canvas.line([(x, top + 16), (x, top + CELL - 16)], mix(colour, theme.card, 0.35), 2)
            canvas.badge((x + 28, top + 36), 25, str(number + 1), colour)
            signs.deed(canvas, step, (x + wide / 2 + 4, top + 86), 92, tuple(tiles))
            text = captions.brief(step, tiles)
            lines = wrap(text, wide - 10, 27, 600)
            for row, line in enumerate(lines):
                y = top + 206 + (row - (len(lines) - 1) / 2) * 33
                canvas.write(
                    (x + wide / 2, y), line, 27, theme.ink, weight=600, anchor="middle", width=wide - 12
                )
    return canvas


def pages(theme: TanglewoodTheme) -> list[tuple[TanglewoodCanvas, str]]:
    regular = f"The {len(REGULAR_TANGLES)} Tangles"
    starters = f"The {len(STARTERS)} Starters"
    slots = [step for track in TRACKS.values() for step in track.steps if isinstance(step, FoxTileDeed)]
    tiles = [tile.key for tile in COMPONENTS.fox_tile][: len(slots)]
    return [
        (effects(theme, regular, REGULAR_TANGLES), captions.describe_effects(regular, REGULAR_TANGLES)),
        (effects(theme, starters, STARTERS), captions.describe_effects(starters, STARTERS)),
        (tracks(theme, tiles), captions.describe_tracks(tiles)),
    ]
