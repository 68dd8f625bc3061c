from collections.abc import Callable

import msgspec
from PIL import Image

from engines.ribbon import GAME
from engines.ribbon.moves import ChooseRibbon, Exchange, Flip, Move, RibbonEndTurn, RibbonSwap
from engines.ribbon.pieces.components import CARDS, COLOURS, Card, RibbonOptions, right_side
from engines.ribbon.view import RibbonView
from render.core.canvas import Canvas, Picture, polygon_mask, ring_points
from render.ribbon import board, hand, ring
from render.ribbon.colours import THEMES
from tests.docs.samples.recorded import read_moves
from tests.docs.samples.show import as_picture, load_pictures, open_image

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy")
CLEAN_CIRCLE = "QIGEKBPMDNCA"
COVER = 400
SMALL = 0.72
PLACES_11_TO_1 = ring_points(ring.MIDDLE, 254, 536, -45, 45)
AROUND_THEM = (178, 0, 902, 366)


def versus() -> RibbonView:
    """Return a late game of three computers for the seat to act."""
    return _play_until(3, RibbonOptions(), 1, lambda view: view.turn == 9 and view.exchanged)


def coop() -> RibbonView:
    """Return a full circle whose first tangles must go on this turn."""
    deal = GAME.Deal(deck=tuple("QIGEKBHMDNCAFOJPLR"), first=0)
    state = GAME.begin(2, GAME.settle(2, RibbonOptions(mode="coop")), deal, b"")
    for place in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 7):
        GAME.play(state, state.seat, Flip(place))
        if place != 1:
            GAME.play(state, state.seat, RibbonEndTurn())
    return GAME.view(state, None)


def solo() -> RibbonView:
    return _play_until(
        1, RibbonOptions(difficulty="medium"), 1, lambda view: view.turn == 10 and view.phase == "arrange"
    )


def _play_until(
    seats: int, options: RibbonOptions, seed: int, until: Callable[[RibbonView], bool]
) -> RibbonView:
    """Play a game on file to a view that `until` accepts."""
    options, key = GAME.settle(seats, options), seed.to_bytes(2, "big")
    moves = read_moves("ribbon", f"{seats} {seed}")
    state = GAME.begin(seats, options, GAME.deal(seats, options, key), key)
    while prompts := GAME.prompts(state):
        seat = next(iter(prompts))
        view = GAME.view(state, seat)
        if until(view):
            return view
        GAME.play(state, seat, next(moves))
    return GAME.view(state, None)


def lesson(*moves: Move) -> RibbonView:
    """Return turn 3 of a game for two after Ann's moves.

    Ann's flip has tangled her own green at 12-1; her moves follow.
    """
    circle: dict[int, Card] = {11: "A", 12: "C", 1: "L"}
    hands = "ENM" + "DHP"  # dealt in turn: Ann holds E, M and H
    rest = iter(card for card in CARDS if card not in circle.values() and card not in hands)
    deck = [circle.get(place) or next(rest) for place in range(1, 13)] + list(hands)
    state = GAME.begin(2, GAME.settle(2, RibbonOptions(first="host")), GAME.Deal(tuple(deck), 0), b"")
    opening = (ChooseRibbon("green"), ChooseRibbon("purple"), Flip(11), Flip(12), RibbonEndTurn(), Flip(1))
    for move in (*opening, *moves):
        GAME.play(state, state.seat, move)
    return GAME.view(state, 0)


def cover() -> Picture:
    """Draw the circle at its best: all face up, no tangle."""
    canvas = Canvas.over(ring.table(LIGHT), LIGHT)
    for place, letter in enumerate(CLEAN_CIRCLE, start=1):
        canvas.paint(ring.bare(LIGHT, place, letter))
    for junction, letter in enumerate(CLEAN_CIRCLE, start=1):
        for colour in COLOURS:
            canvas.paint(ring.bridge(LIGHT, junction, colour, right_side(letter, colour)))
    x, y = ring.MIDDLE
    canvas.write((x, y - 42), "Ribbon", 84, LIGHT.ink, weight=700, anchor="middle")
    canvas.write((x, y + 48), "Tangle", 84, LIGHT.ink, weight=700, anchor="middle")
    edge = round(x - ring.RIM - 16)
    canvas.image = canvas.image.crop((edge, edge, ring.SIZE - edge, ring.SIZE - edge))
    canvas.image = canvas.image.resize((COVER, COVER), Image.Resampling.LANCZOS)
    return as_picture(canvas.png(), "ribbon/cover.png")


def card() -> Picture:
    """Cut out one card, the first of a hand."""
    canvas, beside = Canvas(1060, 404, LIGHT), 482
    canvas.image.paste(open_image(hand(_hand_with_a(), 0, NAMES)).crop((12, 82, 446, 454)), (12, 18))
    captions = load_pictures()["ribbon/card.png"].captions
    for top, (headline, words) in zip((74, 164, 253), captions, strict=True):
        canvas.write((beside, top - 17), headline, 32, LIGHT.ink, weight=700)
        canvas.write((beside, top + 19), words, 26, LIGHT.muted)
    canvas.write((beside, 325), "A ribbon may also fall: high left, low right.", 26, LIGHT.muted)
    return as_picture(canvas.png(palette=LIGHT.large_palette), "ribbon/card.png")


def _hand_with_a() -> RibbonView:
    deal = GAME.Deal(tuple("DKGMFCLIJQBHAENRPO"), 0)
    return GAME.view(GAME.begin(2, GAME.settle(2, RibbonOptions(ribbon_choice="after_hand")), deal, b""), 0)


def junctions() -> Picture:
    """Draw the meeting of neighbours: one clean junction, one tangle."""
    canvas = Canvas(1000, 452, LIGHT)
    canvas.image.paste(_arc(lesson()), (138, 0))
    captions = load_pictures()["ribbon/junctions.png"].captions
    for x, colour, (headline, words) in zip((270, 730), (LIGHT.ink, LIGHT.danger), captions, strict=True):
        canvas.write((x, 384), headline, 32, colour, weight=700, anchor="middle")
        canvas.write((x, 422), words, 26, LIGHT.muted, anchor="middle")
    return as_picture(canvas.png(), "ribbon/junctions.png")


def _before_and_after(name: str, after: RibbonView) -> Picture:
    canvas = Canvas(1100, 368, LIGHT)
    captions = load_pictures()[name].captions
    for left, view, (headline, line) in zip((10, 568), (lesson(), after), captions, strict=True):
        arc = _arc(view)
        size = (round(arc.width * SMALL), round(arc.height * SMALL))
        canvas.image.paste(arc.resize(size, Image.Resampling.LANCZOS), (left, 8))
        x = left + size[0] / 2
        canvas.write((x, 296), headline, 30, LIGHT.ink, weight=700, anchor="middle")
        canvas.write((x, 334), line, 26, LIGHT.muted, anchor="middle")
    canvas.badge((550, 176), 26, "›", LIGHT.highlight)
    return as_picture(canvas.png(), name)


def _arc(view: RibbonView) -> Image.Image:
    """Cut out places 11, 12 and 1 of a board's picture."""
    canvas = Canvas(ring.SIZE, ring.SIZE, LIGHT)
    mask = polygon_mask(tuple(PLACES_11_TO_1), ring.SIZE, ring.SIZE)
    canvas.image.paste(open_image(board(view, NAMES)), (0, 0), mask)
    return canvas.image.crop(AROUND_THEM)


def pictures() -> dict[str, Picture]:
    late = versus()
    held = hand(late, late.seat, NAMES)
    assert held is not None
    public = msgspec.structs.replace(late, viewer=None)
    return {
        "ribbon/versus.png": board(public, NAMES),
        "ribbon/coop.png": board(coop(), NAMES),
        "ribbon/solo.png": board(solo(), NAMES),
        "ribbon/hand.png": held,
        "ribbon/cover.png": cover(),
        "ribbon/card.png": card(),
        "ribbon/junctions.png": junctions(),
        "ribbon/swap.png": _before_and_after("ribbon/swap.png", lesson(RibbonSwap(12))),
        "ribbon/exchange.png": _before_and_after("ribbon/exchange.png", lesson(Exchange(1, "M"))),
    }
