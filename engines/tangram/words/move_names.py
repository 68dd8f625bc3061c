"""Moves of Tangram City by name."""

from typing import assert_never

from engines.marks import with_icon
from engines.tangram import moves
from engines.tangram.legal.tile_cursor import CORNER_NAMES, over
from engines.tangram.pieces.city import TangramLaid
from engines.tangram.pieces.components import FOUNTAIN, TILES
from engines.tangram.view import TangramView
from engines.tangram.words.nouns import tile
from engines.words import Names


def move_name(move: moves.Move, _view: TangramView, _names: Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`."""
    match move:
        case moves.ChooseSide(side):
            return f"choose the {with_icon(f'tangram_{side}_square', side)} side of your board"
        case moves.TangramPlace(number, side, turn, at):
            piece = with_icon(f"tangram_{side}_{TILES[number].name}", TILES[number].name)
            squares = over(TangramLaid(number, side, turn, at)).squares
            turned = f"turned {turn}°" if turn else "not turned"
            return f"place the {piece} at {at}, {side}, {turned} ({squares})"
        case moves.Fountain(at, corner):
            return f"place the {tile(FOUNTAIN)} on the {CORNER_NAMES[corner]} half of {at}"
        case moves.Decline(number):
            return f"set the {tile(number)} aside"
        case moves.DeclineFountain():
            return f"set the {tile(FOUNTAIN)} aside"
        case moves.TakeBack(number):
            return f"take back the {tile(number)}"
        case moves.TangramDone():
            return "confirm your answers"
        case _:
            assert_never(move)


def unseen_name(_move: moves.Move) -> str:
    """Return nothing: all answer at once, so nobody's turn is expected."""
    return ""
