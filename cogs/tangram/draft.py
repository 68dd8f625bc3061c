"""The panel's cursor and its "next fit": places ranked by their prospects.

A worker ranks them, for a tile can have hundreds of places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import msgspec

from engines.game import Seat
from engines.tangram.computer.evaluation import rank_places
from engines.tangram.legal.moves import Nudge, TileCursor, over
from engines.tangram.moves import Decline, DeclineFountain, Fountain, TangramPlace
from engines.tangram.pieces.components import FOUNTAIN, TileId
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, Quarters
from engines.tangram.view import Answer, TangramView

Jump = Literal["next", "previous"]
ALL = "all"
"""The argument of a press that places all tiles."""
MOST_OTHERS = 3
"""Further places shown small: the best that really differ."""


TangramAnswer = TangramPlace | Fountain | Decline | DeclineFountain
"""An answer for a tile or the fountain."""


class TangramDraft(msgspec.Struct, frozen=True):
    """A seat's progress in its panel.

    Attributes:
        cursor: the tile held over the city; None before the panel is opened in this step.
        declining: True while the panel asks about setting the tile aside.
        busy: True while a seat that has answered changes its answer.
        later: True if it leaves the answers that it can give ahead for later.
        by_hand: True if its panel shows the arrows.
    """

    cursor: TileCursor | None = msgspec.field(default=None, name="ghost")
    declining: bool = False
    busy: bool = False
    later: bool = False
    by_hand: bool = False


@dataclass(frozen=True)
class TangramPreview:
    """The cursor and its options.

    Attributes:
        trouble: why the tile can't be laid there; None if it can.
        places: the number of places; `rank` is this one's, the best one 1, None elsewhere.
        others: the next best places, and their ranks.
    """

    cursor: TileCursor
    trouble: str | None
    places: int
    rank: int | None
    others: tuple[tuple[int, TileCursor], ...] = ()


def look(
    view: TangramView,
    tile: TileId,
    cursor: TileCursor | None,
    nudge: Nudge | Jump | None = None,
    *,
    suggests: bool = True,
) -> TangramPreview:
    """Return a tile's cursor, moved by `nudge`; at first the best.

    Unless it `suggests` places, they come row by row, and none is ranked.
    """
    city, pieces = view.without(tile), rank_places(view, tile)
    places = [over(piece) for piece in pieces]
    if not suggests:
        places.sort(key=lambda place: (place.row, place.column, place.side, place.turn))
    if cursor is None or cursor.tile != tile:
        cursor = places[0] if places else TileCursor(tile)
    elif nudge == "next":
        cursor = following(places, cursor)
    elif nudge == "previous":
        cursor = following(places, cursor, -1)
    elif nudge is not None:
        cursor = cursor.nudge(nudge)
    if not suggests:
        return TangramPreview(cursor, cursor.trouble(city), len(places), None)
    rank = places.index(cursor.named) + 1 if cursor.named in places else None
    others = [(place + 1, places[place]) for place in apart([piece.quarters for piece in pieces], rank)]
    return TangramPreview(cursor, cursor.trouble(city), len(places), rank, tuple(others))


def apart(covers: Sequence[Quarters], rank: int | None) -> list[int]:
    """Return the first places that hardly overlap.

    If they are too few, the first of the others follow. Places count from 0, ranks from 1.

    >>> apart([0b1111, 0b1110, 0b1100, 0b110000, 0b1100000000], 1)
    [3, 4, 1]
    """
    left = [place for place in range(len(covers)) if place + 1 != rank]
    taken, numbers = [] if rank is None else [covers[rank - 1]], list[int]()
    for place in left:
        size = covers[place].bit_count()
        if len(numbers) < MOST_OTHERS and all(
            2 * (covers[place] & other).bit_count() < size for other in taken
        ):
            numbers.append(place)
            taken.append(covers[place])
    return (numbers + [place for place in left if place not in numbers])[:MOST_OTHERS]


def following(places: list[TileCursor], cursor: TileCursor, step: int = 1) -> TileCursor:
    """Return the place `step` further; from elsewhere the best one."""
    if cursor.named in places:
        return places[(places.index(cursor.named) + step) % len(places)]
    return places[0] if places else cursor


def encode_cursor(cursor: TileCursor) -> str:
    """Return a cursor as a word of a press.

    >>> encode_cursor(TileCursor(6, "green", 90, 2, 3))
    '6.green.90.2.3'
    """
    return f"{cursor.tile}.{cursor.side}.{cursor.turn}.{cursor.column}.{cursor.row}"


def read(text: str) -> TileCursor | None:
    """Return the cursor that `encode_cursor` encoded; None if malformed.

    >>> read("6.green.90.2.3") == TileCursor(6, "green", 90, 2, 3), read("6.red.90.2.3"), read("")
    (True, None, None)
    """
    parts = [int(part) if part.isdecimal() else part for part in text.split(".")]
    try:
        cursor = msgspec.convert(dict(zip(TileCursor.__struct_fields__, parts, strict=True)), TileCursor)
    except ValueError:
        return None
    return cursor if cursor == cursor.inside() else None


def jump(cursor: TileCursor, to: str) -> TileCursor:
    """Return the cursor moved to a column ("C") or a row ("4")."""
    if to.isdigit():
        return msgspec.structs.replace(cursor, row=min(int(to), HEIGHT) - 1).inside()
    return msgspec.structs.replace(cursor, column=min(ord(to) - ord("A"), WIDTH - 1)).inside()


def has_answered(view: TangramView, tile: TileId) -> bool:
    """Return True if the viewer answered for a tile (`FOUNTAIN`: fountain)."""
    return any((answer.tile or FOUNTAIN) == tile for answer in view.mine)


def tiles_to_answer(view: TangramView) -> tuple[TileId, ...]:
    """Return the tiles to answer: those that fit, and those ahead."""
    if view.phase == "fountain":
        return (FOUNTAIN,)
    return (*(tile for tile in view.current if tile not in stuck(view)), *view.ahead)


def open_tiles(view: TangramView) -> list[TileId]:
    return [tile for tile in tiles_to_answer(view) if not has_answered(view, tile)]


def best_answers(view: TangramView) -> list[TangramAnswer]:
    """Return answers for all open tiles that place most of them. What then fits nowhere is set aside."""
    return max((_answers_in_order(view, order) for order in permutations(open_tiles(view))), key=count_placed)


def count_placed(answers: Sequence[TangramAnswer]) -> int:
    return sum(isinstance(answer, TangramPlace | Fountain) for answer in answers)


def _answers_in_order(view: TangramView, order: Sequence[TileId]) -> list[TangramAnswer]:
    """Place each tile at its best place that the earlier ones leave."""
    result: list[TangramAnswer] = []
    for tile in order:
        piece = next(iter(rank_places(view, tile)), None)
        if piece is None:
            result.append(DeclineFountain() if tile == FOUNTAIN else Decline(tile))
        else:
            result.append(over(piece).move)
            view = msgspec.structs.replace(view, mine=(*view.mine, Answer(tile, piece)))
    return result


def other_answers(view: TangramView, tile: TileId) -> list[TileId]:
    free = tiles_to_answer(view) if view.phase == "final" else view.ahead
    return [other for other in free if other != tile and has_answered(view, other)]


def stuck(view: TangramView) -> tuple[TileId, ...]:
    return () if view.viewer is None else view.forced[view.viewer]


def is_last(view: TangramView, computers: Sequence[Seat]) -> bool:
    """Return True if only computers have yet to answer."""
    return not any(
        seat not in view.out and seat not in view.answered and seat != view.viewer and seat not in computers
        for seat in range(view.seats)
    )
