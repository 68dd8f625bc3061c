"""The moves of Tesla's Tangle, and the events that follow, one line each.

A `tile` is named by its face as in the data, ``"01-23"``; `turn` is how many sides it is turned clockwise,
the lowest number that gives the same face; a `segment` is the pair of sides that it joins on the turned
tile, lower first; a `cell` is a name as on the picture, ``"Z50"``.

A seat may take back everything that it does with its own tiles and markers until it draws; a draw and a
reshuffle show something new.
"""

import msgspec

from engines import game
from engines.game import Outcome, Seat
from engines.tesla.pieces.board import Cell, CircuitId
from engines.tesla.pieces.components import Face, Lie, Segment


class TeslaPlace(msgspec.Struct, frozen=True, tag="place", gc=False):
    """Lay a tile of the hand on an empty cell."""

    tile: Face
    turn: int
    cell: Cell


class Replace(msgspec.Struct, frozen=True, tag="replace", gc=False):
    """Lay a tile of the hand in the place of another."""

    tile: Face
    turn: int
    cell: Cell


class Mark(msgspec.Struct, frozen=True, tag="mark", gc=False):
    """Put a marker on a segment, for the value of its circuit."""

    cell: Cell
    segment: Segment


class Take(msgspec.Struct, frozen=True, tag="take", gc=False):
    """Take your own marker back, for the value of its circuit."""

    cell: Cell


class Replay(msgspec.Struct, frozen=True, tag="replay", gc=False):
    """Put a marker that was just paid out on a segment, for the value of its circuit."""

    cell: Cell
    segment: Segment


class EndReplay(msgspec.Struct, frozen=True, tag="end_replay"):
    """Leave the markers that could still be replayed in the supply."""


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """Discard tiles, in the order of the data, and end the turn."""

    tiles: tuple[Face, ...]


class TeslaEndTurn(msgspec.Struct, frozen=True, tag="end_turn"):
    """End the turn and keep all tiles."""


Move = TeslaPlace | Replace | Mark | Take | Replay | EndReplay | Discard | TeslaEndTurn


class TeslaFinal(game.Event, frozen=True, kw_only=True):
    """A line that undo may never cross."""

    reveals: bool = True


class TeslaPlaced(game.Event, frozen=True, tag="placed"):
    """A seat laid a tile on a cell; `replaced` is the lie of the tile that it replaced."""

    seat: Seat
    cell: Cell
    lie: Lie
    replaced: Lie | None = None


class Joined(game.Event, frozen=True, tag="joined"):
    """A placement joined several circuits, or lengthened one.

    Attributes:
        seat: the seat that placed the tile.
        circuit: the number of the circuit now; `length` and `closed` as it is now.
        joined: the circuits that have become one; a single one was lengthened.
        markers: for each seat the number of its markers on them before ownership was decided.
        reach: for each seat the length of the pieces with its markers, if these decided; else None.
        owner: the seat that owns it now, None if nobody does.
        returned: for each seat the number of its markers that went back without points.
        cells: where those were; nothing in an older event.
    """

    seat: Seat
    circuit: CircuitId
    length: int
    closed: bool
    joined: tuple[CircuitId, ...]
    markers: tuple[int, ...]
    reach: tuple[int, ...] | None
    owner: Seat | None
    returned: tuple[int, ...]
    cells: tuple[Cell, ...] = ()


class Closed(game.Event, frozen=True, tag="closed"):
    """A ring pays: `count` markers of `owner`, `points` for each; nobody's ring pays nobody."""

    seat: Seat
    circuit: CircuitId
    length: int
    owner: Seat | None
    count: int
    points: int


class Split(game.Event, frozen=True, tag="split"):
    """A replacement cut a circuit; `parts` are the lengths of the circuits with its parts, longest first."""

    seat: Seat
    circuit: CircuitId
    length: int
    owner: Seat | None
    parts: tuple[int, ...]


class Marked(game.Event, frozen=True, tag="marked"):
    """A seat put a marker on a segment; `replayed` if a closure has just paid it."""

    seat: Seat
    cell: Cell
    segment: Segment
    circuit: CircuitId
    cost: int
    score: int
    replayed: bool = False


class Taken(game.Event, frozen=True, tag="taken"):
    """A seat took a marker back into its supply, and scored its circuit's value."""

    seat: Seat
    cell: Cell
    circuit: CircuitId
    gain: int
    score: int


class ReplayEnded(game.Event, frozen=True, tag="replay_ended"):
    """The seat left `forfeited` markers that it could have replayed in its supply."""

    seat: Seat
    forfeited: int


class Discarded(TeslaFinal, frozen=True, tag="discarded"):
    """A seat discarded tiles."""

    seat: Seat
    tiles: tuple[Face, ...]


class TilesReshuffled(TeslaFinal, frozen=True, tag="reshuffled"):
    """The bag was empty, and the discards were shuffled into it."""

    count: int


class TeslaTurnEnded(TeslaFinal, frozen=True, tag="turn_ended"):
    """A turn is over, with the number of tiles drawn and the points of the turn."""

    seat: Seat
    drawn: int
    net: int


class Drawn(game.Event, frozen=True, kw_only=True, tag="drawn"):
    """The tiles that a seat drew, for that seat alone."""

    tiles: tuple[Face, ...]
    only: Seat | None
    reveals: bool = True


class TeslaEliminated(TeslaFinal, frozen=True, tag="eliminated"):
    """A seat is out, `behind` points behind the leader; its markers leave the board, its tiles the hand."""

    seat: Seat
    score: int
    behind: int


class TeslaResigned(TeslaFinal, frozen=True, tag="resigned"):
    """A seat left the game."""

    seat: Seat


class TeslaEnded(TeslaFinal, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


Event = (
    TeslaPlaced
    | Joined
    | Closed
    | Split
    | Marked
    | Taken
    | ReplayEnded
    | Discarded
    | TilesReshuffled
    | TeslaTurnEnded
    | Drawn
    | TeslaEliminated
    | TeslaResigned
    | TeslaEnded
)
