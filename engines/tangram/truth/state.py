"""The full state of one table, never shown to anybody as it is, and its set-up. Rules: Setup."""

from functools import lru_cache
from typing import Self

import msgspec

from engines.game import Seat
from engines.tangram.legal.moves import fits_somewhere, fountain_fits_somewhere
from engines.tangram.pieces import components
from engines.tangram.pieces.board import City
from engines.tangram.view import Answer, TangramCard, TangramPublic, Where, foresee


class TangramDeal(msgspec.Struct, frozen=True):
    """Every random outcome of a game.

    Attributes:
        deck: all the cards; each round takes its own from the front, in the order of play.
        start: the seat that has the start marker first.
        sides: the side that each seat gets, or if it may choose one the board; None with plain boards.
    """

    deck: tuple[components.TileId, ...]
    start: Seat
    sides: tuple[components.BoardSide, ...] | None = None


class TangramState(TangramPublic, kw_only=True):
    """A position with all hidden information. Seats, rounds and steps count as in `TangramView`.

    Attributes:
        deck: all the cards, in the order of play.
        card: the card of the round in play, counted from 0.
        pending: each seat's answers in the open step, and ahead of later ones.
        done: last round: the seats that have confirmed their answers.
    """

    deck: list[components.TileId]
    card: int = 0
    pending: list[list[Answer]]
    done: list[Seat] = msgspec.field(default_factory=list)

    def copy(self) -> Self:
        return msgspec.structs.replace(
            self,
            deck=self.deck[:],
            pending=[answers[:] for answers in self.pending],
            done=self.done[:],
            **self.public_fields(),
        )


def clockwise(state: TangramState) -> list[Seat]:
    """Return every seat, from the one with the start marker on."""
    return [(state.start + step) % state.seats for step in range(state.seats)]


def in_round(state: TangramState) -> list[components.TileId]:
    """Return the dealt cards of the round, in the order of play."""
    if state.phase == "side":
        return []
    before = count_past(state)
    rounds, is_last = components.ROUNDS, state.round == components.LAST_ROUND
    size = rounds.cards_final if is_last else rounds.cards_regular
    return state.deck[before : before + size]


def count_past(state: TangramState) -> int:
    """Count the cards of the rounds before."""
    return components.ROUNDS.cards_regular * (state.round - 1)


def current(state: TangramState) -> tuple[components.TileId, ...]:
    """Return the tiles of the open step."""
    match state.phase:
        case "place":
            return (state.deck[count_past(state) + state.card],)
        case "final":
            return tuple(in_round(state))
        case _:
            return ()


def cards(state: TangramState) -> tuple[TangramCard, ...]:
    """Return the dealt cards of the round. Rules: Cards."""
    tiles, is_last = tuple(in_round(state)), state.round == components.LAST_ROUND
    shown = len(tiles) if is_last or state.phase != "place" else state.card + 1
    return _cards_of_round(tiles, state.seats, state.start, is_last, shown)


@lru_cache(maxsize=1024)
def _cards_of_round(
    tiles: tuple[components.TileId, ...], seats: int, start: Seat, is_last: bool, shown: int
) -> tuple[TangramCard, ...]:
    """Return the cards of a round; the first `shown` are played."""
    order = [(start + step) % seats for step in range(seats)]
    holders: list[tuple[Where, tuple[Seat, ...]]]
    if is_last:
        holders = [("up", ())] * len(tiles)
    elif seats == 1:
        holders = [("up", ()), ("up", ()), ("down", ()), ("down", ())]
    elif seats == 2:
        holders = [("up", ()), ("down", ()), *(("held", (seat,)) for seat in order)]
    else:
        split = 2 if seats < 5 else 3
        groups = (order[:1], order[1:split], order[split:])
        holders = [("up", ()), *(("held", tuple(sorted(group))) for group in groups)]
    return (
        tuple(
            TangramCard(tile, where, held, played=place < shown)
            for place, (tile, (where, held)) in enumerate(zip(tiles, holders, strict=True))
        )
        if tiles
        else ()
    )


def cards_seen(state: TangramState, looker: Seat | None) -> list[TangramCard]:
    """Return the round's cards as a viewer knows them. Rules: Cards."""
    return [
        card if is_known(card, looker) else msgspec.structs.replace(card, tile=None) for card in cards(state)
    ]


def is_known(card: TangramCard, looker: Seat | None) -> bool:
    return card.played or card.where == "up" or (looker is not None and looker in card.holders)


def stuck_tiles(state: TangramState, seat: Seat) -> tuple[components.TileId, ...]:
    """Return the open tiles that fit nowhere. Rules: Placing tiles."""
    return tuple(tile for tile in current(state) if not fits_somewhere(state.cities[seat], tile))


def answer_of(state: TangramState, seat: Seat, tile: components.TileId | None) -> Answer | None:
    """Return a seat's answer for a tile, the fountain's with None; None without an answer."""
    return next((answer for answer in state.pending[seat] if answer.tile == tile), None)


def tiles_to_answer(state: TangramState, seat: Seat) -> list[components.TileId]:
    answered, city = [answer.tile for answer in state.pending[seat]], state.cities[seat]
    return [tile for tile in current(state) if tile not in answered and fits_somewhere(city, tile)]


def with_answers(state: TangramState, seat: Seat, but: components.TileId | None = None) -> City:
    city = state.cities[seat]
    for answer in state.pending[seat]:
        if answer.piece is not None and (answer.tile or components.FOUNTAIN) != but:
            city = city.add(answer.piece)
    return city


def ahead(state: TangramState, seat: Seat) -> tuple[components.TileId, ...]:
    """Return the tiles that a seat may answer, or has answered, ahead. Rules: Answering ahead."""
    if seat in state.out or state.phase not in ("place", "final"):
        return ()
    asked = bool(tiles_to_answer(state, seat))
    return foresee(cards_seen(state, seat), state.pending[seat], with_answers(state, seat), asked=asked)


def owes(state: TangramState, seat: Seat) -> bool:
    if seat in state.out:
        return False
    match state.phase:
        case "side":
            return answer_of(state, seat, components.START) is None
        case "place":
            return bool(tiles_to_answer(state, seat))
        case "final":
            return seat not in state.done and len(stuck_tiles(state, seat)) < len(current(state))
        case "fountain":
            return answer_of(state, seat, None) is None and fountain_fits_somewhere(state.cities[seat])
        case "over":
            return False


def owing(state: TangramState) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(state.seats) if owes(state, seat))
