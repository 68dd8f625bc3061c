"""What each viewer may know, and the proof of it: everything else drawn anew."""

from __future__ import annotations

from random import Random

import msgspec

from engines.game import Seat
from engines.tangram.city import City, Laid, Water
from engines.tangram.components import TileId
from engines.tangram.legal import fountain_fits, tile_fits
from engines.tangram.truth.state import State, cards, current, forced, in_round, owes
from engines.tangram.view import Answer, Card, View


def view_of(state: State, viewer: Seat | None) -> View:
    """The position as a seat, or with None a spectator, may know it. Rules: State."""
    over = state.phase == "over"
    looker = None if viewer is None or viewer in state.out else viewer
    dealt = len(_past(state)) + len(in_round(state))
    return View(
        **state.lying_open(),
        viewer=viewer,
        cards=tuple(_shown(card, looker, over) for card in cards(state)),
        current=current(state),
        past=_past(state),
        mine=() if viewer is None else tuple(state.pending[viewer]),
        answered=() if over else tuple(seat for seat in range(state.seats) if _has_answered(state, seat)),
        forced=tuple(forced(state, seat) for seat in range(state.seats)),
        deck=len(state.deck) - dealt,
        deck_tiles=tuple(state.deck[dealt:]) if over else None,
    )


def _past(state: State) -> tuple[TileId, ...]:
    tiles = in_round(state)
    return tuple(state.deck[: state.deck.index(tiles[0])])


def _has_answered(state: State, seat: Seat) -> bool:
    return seat not in state.out and not owes(state, seat)


def _known(card: Card, looker: Seat | None) -> bool:
    return card.played or card.where == "up" or (looker is not None and looker in card.holders)


def _shown(card: Card, looker: Seat | None, over: bool) -> Card:
    return card if over or _known(card, looker) else msgspec.structs.replace(card, tile=None)


def secret_cards(state: State, seat: Seat) -> tuple[TileId, ...]:
    """The cards that the seat may see and that not everybody sees."""
    if seat in state.out or state.phase == "over":
        return ()
    return tuple(
        card.tile
        for card in cards(state)
        if card.tile is not None and seat in card.holders and not card.played
    )


def redeal(state: State, viewer: Seat | None, rng: Random) -> State:
    """A state that looks the same to the viewer: unknown cards shuffled, others' answers given anew."""
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    if state.phase == "over":
        return other
    looker = None if viewer is None or viewer in state.out else viewer
    begun = state.deck.index(in_round(state)[0])
    hidden = [begun + place for place, card in enumerate(cards(state)) if not _known(card, looker)]
    hidden += range(begun + len(in_round(state)), len(state.deck))
    tiles = [state.deck[place] for place in hidden]
    rng.shuffle(tiles)
    for place, tile in zip(hidden, tiles, strict=True):
        other.deck[place] = tile
    for seat in range(state.seats):
        if seat not in (looker, *state.out):
            other.pending[seat] = _answers(state, seat, rng)
    return other


def _answers(state: State, seat: Seat, rng: Random) -> list[Answer]:
    """Other answers with which the seat would owe the same."""
    if state.phase == "fountain":
        if not state.pending[seat]:
            return []
        free: list[Water | None] = [*fountain_fits(state.cities[seat]), None]
        return [Answer(None, rng.choice(free))]
    if state.phase == "place" and not state.pending[seat]:
        return []
    stuck = forced(state, seat)
    tiles = [tile for tile in current(state) if tile not in stuck]
    if state.phase == "final" and seat not in state.done:
        tiles = [tile for tile in tiles if rng.random() < 0.5]
    rng.shuffle(tiles)
    city, answers = state.cities[seat], []
    for tile in tiles:
        piece = _somewhere(city, tile, rng)
        answers.append(Answer(tile, piece))
        city = city if piece is None else city.add(piece)
    return answers


def _somewhere(city: City, tile: TileId, rng: Random) -> Laid | None:
    choices: list[Laid | None] = [*tile_fits(city, tile), None]
    return rng.choice(choices)
