"""The facts open to everybody, and the view of one viewer.

A `TangramView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Literal

import msgspec

from engines.game import BoardChange, Outcome, Seat, fields_of, join_turns
from engines.tangram.legal.moves import fits_somewhere, fountain_fits_somewhere
from engines.tangram.pieces.board import City, Piece, Score, TangramLaid
from engines.tangram.pieces.components import FOUNTAIN, START, TangramOptions, TileId

Phase = Literal["side", "place", "final", "fountain", "over"]


class TangramPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. Seats count from 0, rounds from 1.

    The elements of its lists are only replaced, never changed: a copy of these is a copy of all.

    Attributes:
        phase: ``side``: everybody chooses the side of the board, before the cards are dealt; ``place``: the
            tile of a card; ``final``: the three tiles of the last round in any order; ``fountain``; ``over``.
        step: the number of the open step, over the whole game.
        round: the number of the round.
        start: the seat with the start marker.
        cities: as of the last closed step.
        latest: for each seat the pieces that it laid in the last closed step.
        scores: the points of every seat.
        rounds: each city's score in each round so far, by round and then seat.
        aside: for each seat the tiles that it declined.
        fountains: for each seat how many fountains it has left.
        out: the seats that have left, first one first.
        outcome: how the game ended, None during the game.
    """

    options: TangramOptions
    seats: int
    phase: Phase = "place"
    step: int = 1
    round: int = 1
    start: Seat
    cities: list[City]
    latest: list[tuple[Piece, ...]]
    scores: list[int]
    rounds: list[tuple[Score, ...]] = []
    aside: list[tuple[TileId, ...]]
    fountains: list[int]
    out: list[Seat] = []
    outcome: Outcome | None = None

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, TangramPublic)

    @property
    def remaining(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


Where = Literal["up", "down", "held"]
"""The location of a dealt card: face up or down in the middle, or held by those who may see it."""


class TangramCard(msgspec.Struct, frozen=True):
    """One card of the round.

    Attributes:
        tile: its tile, None if the viewer may not know it.
        where: its location after the deal.
        holders: the seats that may see it since the deal; empty in the middle.
        played: True once it has been revealed, including the one in play.
    """

    tile: TileId | None
    where: Where
    holders: tuple[Seat, ...] = ()
    played: bool = False


class Answer(msgspec.Struct, frozen=True):
    """A seat's answer in the open step, or ahead of a later one: a piece, or None if it declines.

    `tile` is the card that it answers, None if it is the fountain's; before the first round it is `START`,
    and the piece is on the chosen side.
    """

    tile: TileId | None
    piece: Piece | None


class TangramView(TangramPublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Attributes:
        viewer: the seat that looks; None if it is a spectator.
        cards: the cards of the round in the order of play.
        current: the tiles of the open step; none in a fountain step.
        past: the cards of the rounds before, in the order of play.
        mine: the viewer's answers so far in the open step, and ahead of later ones.
        answered: the seats that owe no answer in the open step any more.
        forced: for each seat the tiles of the open step that fit nowhere in its city.
        news: the points made since an earlier view; unset without one.
        deck: the number of cards still to be dealt; `deck_tiles` which, when the game is over.
    """

    viewer: Seat | None
    cards: tuple[TangramCard, ...]
    current: tuple[TileId, ...]
    past: tuple[TileId, ...]
    mine: tuple[Answer, ...]
    answered: tuple[Seat, ...]
    forced: tuple[tuple[TileId, ...], ...]
    deck: int
    deck_tiles: tuple[TileId, ...] | None
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def draft(self) -> City:
        """The viewer's city with its answers so far; ValueError for a spectator."""
        return self.without(None)

    @property
    def ahead(self) -> tuple[TileId, ...]:
        """The tiles that the viewer may answer, or has answered, ahead. Rules: Answering ahead."""
        if self.viewer is None or self.viewer in self.out or self.phase not in ("place", "final"):
            return ()
        settled = {*self.forced[self.viewer], *(answer.tile for answer in self.mine)}
        asked = bool(set(self.current) - settled)
        return foresee(self.cards, self.mine, self.draft, asked=asked)

    def without(self, tile: TileId | None) -> City:
        """Return the viewer's city with its answers for other tiles than this one.

        Raise ValueError for a spectator.
        """
        if self.viewer is None:
            raise ValueError("a spectator has no city")
        city = self.cities[self.viewer]
        for answer in self.mine:
            if answer.tile == START and isinstance(answer.piece, TangramLaid):
                city = city.turn(answer.piece.side)
            elif answer.piece is not None and (tile is None or (answer.tile or FOUNTAIN) != tile):
                city = city.add(answer.piece)
        return city


def foresee(
    cards: Sequence[TangramCard], answers: Sequence[Answer], city: City, *, asked: bool
) -> tuple[TileId, ...]:
    """Return the next known tiles that fit, then the fountain.

    `answers` are those of the seat that knows these cards, `city` is its city with all of them. Answered
    tiles are always included, and nothing else while the seat is still `asked` for an answer in the open
    step.
    """
    coming = [card.tile for card in cards if not card.played]
    known = [tile for tile in takewhile(lambda tile: tile is not None, coming) if tile is not None]
    answered = {answer.tile for answer in answers}
    numbers = [tile for tile in known if tile in answered or (not asked and fits_somewhere(city, tile))]
    if len(known) == len(coming) and (None in answered or (not asked and fountain_fits_somewhere(city))):
        numbers.append(FOUNTAIN)
    return tuple(numbers)


def tally(view: TangramView) -> tuple[int | None, ...]:
    """Return the scores, None if a seat has left."""
    return tuple(None if seat in view.out else score for seat, score in enumerate(view.scores))


def since(view: TangramView, seen: Sequence[TangramView]) -> TangramView:
    """Mark every new piece since an earlier view, and the points made."""
    latest = [
        tuple(piece for piece in now.pieces if piece not in then.pieces)
        for now, then in zip(view.cities, seen[0].cities, strict=True)
    ]
    gains = [now - then for now, then in zip(view.scores, seen[0].scores, strict=True)]
    news = [BoardChange("", f"points {seat}", seat, points=gain) for seat, gain in enumerate(gains) if gain]
    return msgspec.structs.replace(view, latest=latest, news=join_turns([news]))
