"""The moves of Tangram City, and the events that follow, one line each.

A `tile` is the number of its card; `at` is the square of the top left corner of the box around the turned
tile; `turn` the lowest that gives the same form.

A seat's answers stay secret until all have answered; then the step closes and shows everything at once, and
the next card with it.
"""

import msgspec

from engines import game
from engines.game import Outcome, Seat
from engines.tangram.pieces.board import Piece, Score
from engines.tangram.pieces.components import BoardSide, TileId
from engines.tangram.pieces.geometry import Corner, Side, Square, Turn


class ChooseSide(msgspec.Struct, frozen=True, tag="side"):
    """Before the first round: choose the side of the own board, by the colour of its start piece."""

    side: Side


class TangramPlace(msgspec.Struct, frozen=True, tag="place"):
    """Lay the tile of the card into the own city."""

    tile: TileId
    side: Side
    turn: Turn
    at: Square


class Decline(msgspec.Struct, frozen=True, tag="decline"):
    """Set the tile of the card aside for good."""

    tile: TileId


class TakeBack(msgspec.Struct, frozen=True, tag="take_back"):
    """Take back an answer of the last round, or one that was given ahead, to give another or none yet.

    `tile` is `FOUNTAIN` for a fountain that was answered ahead.
    """

    tile: TileId


class TangramDone(msgspec.Struct, frozen=True, tag="done"):
    """Last round: confirm the answers for all tiles."""


class Fountain(msgspec.Struct, frozen=True, tag="fountain"):
    """Lay a fountain on half a square."""

    at: Square
    corner: Corner


class DeclineFountain(msgspec.Struct, frozen=True, tag="decline_fountain"):
    """Let this round's fountain go."""


Move = ChooseSide | TangramPlace | Decline | TakeBack | TangramDone | Fountain | DeclineFountain


class TangramFinal(game.Event, frozen=True, kw_only=True):
    """A line that undo may never cross."""

    reveals: bool = True


class SidesShown(TangramFinal, frozen=True, tag="sides"):
    """Everybody has chosen a side: each seat's, the board's own name if the seat has left."""

    sides: tuple[BoardSide, ...]


class TangramRoundBegan(TangramFinal, frozen=True, tag="round_began"):
    """A round begins; `cards` is the number of its cards."""

    round: int
    cards: int


class Revealed(TangramFinal, frozen=True, tag="revealed"):
    """The cards in play now: one, in the last round all three."""

    tiles: tuple[TileId, ...]


class Answered(game.Event, frozen=True, tag="answered"):
    """A seat answered for the open step, or changed its answer; nobody else may know how."""

    seat: Seat
    changed: bool = False


class Reopened(game.Event, frozen=True, tag="reopened"):
    """Last round: a seat took an answer back."""

    seat: Seat


class Built(TangramFinal, frozen=True, tag="built"):
    """The step closed: every seat's pieces.

    Attributes:
        tiles: the cards of the step, empty in a step of fountains.
        pieces: for each seat its pieces, in the order of the cards, None if it declined.
        forced: the seats that had no place for a tile and declined automatically, by tile.
    """

    tiles: tuple[TileId, ...]
    pieces: tuple[tuple[Piece | None, ...], ...]
    forced: tuple[tuple[TileId, ...], ...]


class RoundScored(TangramFinal, frozen=True, tag="round_scored"):
    """Each city's points in a round, and the totals after it."""

    round: int
    cities: tuple[Score, ...]
    scores: tuple[int, ...]


class MarkerPassed(TangramFinal, frozen=True, tag="marker_passed"):
    """This seat has the start marker for the next round; `kept` if it had it before."""

    seat: Seat
    kept: bool


class Bonus(TangramFinal, frozen=True, tag="bonus"):
    """Each seat's bonuses at the end: for a full city, for its balance; and the final scores."""

    planning: tuple[int, ...]
    balance: tuple[int, ...]
    scores: tuple[int, ...]


class TangramResigned(TangramFinal, frozen=True, tag="resigned"):
    """A seat left the game; its city stays as it is."""

    seat: Seat


class TangramEnded(TangramFinal, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


Event = (
    SidesShown
    | TangramRoundBegan
    | Revealed
    | Answered
    | Reopened
    | Built
    | RoundScored
    | MarkerPassed
    | Bonus
    | TangramResigned
    | TangramEnded
)
