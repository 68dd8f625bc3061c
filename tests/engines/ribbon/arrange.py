"""Arranging games of Ribbon Tangle by hand: a deal from letters, a game from a line of words."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from engines.game import Seat
from engines.ribbon import GAME
from engines.ribbon.moves import (
    AnswerTie,
    ChooseHand,
    ChooseRibbon,
    Event,
    Exchange,
    Flip,
    Move,
    OfferTie,
    RibbonEndTurn,
    RibbonSwap,
)
from engines.ribbon.pieces.board import RibbonTangle, parse, spell, tangles
from engines.ribbon.pieces.components import CARDS, PLACES, Colour, RibbonOptions
from engines.ribbon.preview import TurnDraft, can_end_safely, drafts
from engines.ribbon.truth.state import RibbonDeal, RibbonState

SEED = b"tangle parlour"
SHOW_EVERYTHING_IN_ORDER = "; pass; ".join(f"flip {place}" for place in range(2, 13))
"""Turns 2 to 12: flip the next place and pass, up to the flip of place 12."""


def begin(
    deck: str,
    seats: int = 2,
    first: Seat = 0,
    colours: Sequence[Colour] | None = None,
    eliminated: str | None = None,
    **options: Any,
) -> RibbonState:
    """Begin a game from a deck order of eighteen letters."""
    deal = RibbonDeal(
        tuple(deck), first, tuple(colours) if colours else None, tuple(eliminated) if eliminated else None
    )
    return GAME.begin(seats, GAME.settle(seats, RibbonOptions(**options)), deal, SEED)


def arranging(circle: str, hands: Sequence[str], **fields: Any) -> RibbonState:
    """Return a state in phase `arrange`; the other cards are face down."""
    mode = fields.pop("mode", "versus")
    seats = 1 if mode == "solo" else len(hands)
    faces = parse(circle)
    beneath = iter(card for card in CARDS if card not in circle and card not in "".join(hands))
    ribbons = ["green", "orange", "purple"][:seats] if mode == "versus" else [None] * seats
    state: RibbonState = msgspec.convert(
        {
            "options": RibbonOptions(mode=mode),
            "seats": seats,
            "seed": SEED,
            "phase": "arrange",
            "turn": 2 + sum(face is not None for face in faces),
            "seat": 0,
            "circle": tuple(faces),
            "beneath": [next(beneath) if face is None else None for face in faces],
            "hands": [list(hand) for hand in hands],
            "shown": [[] for _ in hands],
            "aside": [],
            "ribbons": tuple(ribbons),
            "start_hand": 0 if mode == "solo" else None,
            "full_at_start": None not in faces,
            "standing": tangles(faces) if mode != "versus" and None not in faces else (),
            **fields,
        },
        RibbonState,
    )
    assert len(faces) == PLACES
    return state


def read(words: str) -> Move | None:
    """Read a move. ``flip 4``, ``exchange 10 N``, ``pass``, ``yes``; ``leave`` is none."""
    match words.split():
        case ["leave"]:
            return None
        case ["green" | "orange" | "purple" as colour]:
            return ChooseRibbon(colour)
        case ["hand", hand]:
            return ChooseHand(int(hand))
        case ["flip", place]:
            return Flip(int(place))
        case ["swap", place]:
            return RibbonSwap(int(place))
        case ["exchange", place, card]:
            return Exchange(int(place), card)
        case ["pass"]:
            return RibbonEndTurn()
        case ["tie"]:
            return OfferTie()
        case ["yes" | "no" as answer]:
            return AnswerTie(answer == "yes")
    raise ValueError(words)


def steps(state: RibbonState, script: str) -> Iterable[tuple[Seat, Move | None, list[Event]]]:
    """Play moves in words.

    They are split at ``;``; the seat to act makes them unless one is named: ``1 yes``.
    """
    for words in script.split(";"):
        seat, named, rest = words.strip().partition(" ")
        chosen = (int(seat), rest) if named and seat.isdigit() else (state.seat, words.strip())
        move = read(chosen[1])
        played = GAME.resign(state, chosen[0]) if move is None else GAME.play(state, chosen[0], move)
        yield chosen[0], move, played


def run(state: RibbonState, script: str) -> list[Event]:
    return [event for _, _, played in steps(state, script) for event in played]


def last(state: RibbonState, script: str) -> list[Event]:
    return [played for _, _, played in steps(state, script)][-1]


def legal(state: RibbonState, seat: Seat | None = None) -> list[Move]:
    return list(GAME.moves(state, state.seat if seat is None else seat))


def circle(state: RibbonState) -> str:
    return spell(state.circle)


def labels(result: Iterable[RibbonTangle]) -> str:
    return " ".join(tangle.label for tangle in result)


def list_tangled(state: RibbonState) -> str:
    return labels(tangles(state.circle))


def hands(state: RibbonState) -> list[str]:
    return ["".join(hand) for hand in state.hands]


def outcome(state: RibbonState) -> tuple[str, tuple[int | None, ...]] | None:
    return None if state.outcome is None else (state.outcome.how, state.outcome.places)


def prolong(state: RibbonState, turns: int) -> list[tuple[Seat, Move]]:
    """Play N turns without a losing tangle or a repeated position."""
    made: list[tuple[Seat, Move]] = []
    for _ in range(turns):
        seat = state.seat
        ways = ([*in_moves(draft), RibbonEndTurn()] for draft in drafts(GAME.view(state, seat)))
        moves = next(moves for moves in ways if _goes_on(state, moves))
        made += [(seat, move) for move in moves]
        for move in moves:
            GAME.play(state, seat, move)
    return made


def _goes_on(state: RibbonState, moves: list[Move]) -> bool:
    trial = deepcopy(state)
    for move in moves:
        if trial.phase != "arrange":
            return False
        GAME.play(trial, state.seat, move)
    if trial.outcome is not None:
        return trial.outcome.how in ("limit", "tie_limit")
    return trial.begun < 2 and can_end_safely(GAME.view(trial, trial.seat))


def in_moves(draft: TurnDraft) -> list[Move]:
    """Return a draft's moves, without the end of the turn."""
    swap: list[Move] = [] if draft.swap is None else [RibbonSwap(draft.swap)]
    return swap if draft.exchange is None else [*swap, Exchange(*draft.exchange)]
