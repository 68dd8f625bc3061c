"""Views of a state for one viewer, and random states that the viewer can't tell from it."""

from random import Random

import msgspec

from engines.game import Seat
from engines.tangram.legal.moves import fountain_fits, fountain_fits_somewhere, tile_fits
from engines.tangram.pieces.board import City, Piece, piece_on
from engines.tangram.pieces.components import FOUNTAIN, START, TILES, TileId
from engines.tangram.pieces.geometry import SIDES
from engines.tangram.truth.state import (
    TangramState,
    ahead,
    cards,
    cards_seen,
    count_past,
    current,
    in_round,
    is_known,
    owes,
    owing,
    stuck_tiles,
    with_answers,
)
from engines.tangram.view import Answer, TangramView


def view_of(state: TangramState, viewer: Seat | None, *, reveals: bool = True) -> TangramView:
    """Return the position as a viewer may know it. Rules: State."""
    over = state.phase == "over"
    is_open = over and reveals
    looker = None if viewer is None or viewer in state.out else viewer
    past, opened, owed = tuple(state.deck[: count_past(state)]), current(state), owing(state)
    dealt = len(past) + len(in_round(state))
    return TangramView(
        **state.public_fields(),
        viewer=viewer,
        cards=tuple(cards(state) if is_open else cards_seen(state, looker)),
        current=opened,
        past=past,
        mine=() if viewer is None else tuple(state.pending[viewer]),
        answered=() if over else tuple([seat for seat in state.remaining if seat not in owed]),
        forced=tuple([stuck_tiles(state, seat) for seat in range(state.seats)]),
        deck=len(state.deck) - dealt,
        deck_tiles=tuple(state.deck[dealt:]) if is_open else None,
    )


def secret_cards(state: TangramState, seat: Seat) -> tuple[TileId, ...]:
    if seat in state.out or state.phase == "over":
        return ()
    held = [card for card in cards(state) if seat in card.holders and not card.played]
    return tuple(card.tile for card in held if card.tile is not None)


def resample_hidden(
    state: TangramState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> TangramState:
    """Shuffle the cards that the viewer doesn't know, and redraw others' answers."""
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TangramState)
    if state.phase == "over" and reveals:
        return other
    looker = None if viewer is None or viewer in state.out else viewer
    begun = count_past(state)
    hidden = [begun + place for place, card in enumerate(cards(state)) if not is_known(card, looker)]
    hidden += range(begun + len(in_round(state)), len(state.deck))
    tiles = [state.deck[place] for place in hidden]
    rng.shuffle(tiles)
    for place, tile in zip(hidden, tiles, strict=True):
        other.deck[place] = tile
    for seat in range(state.seats):
        if seat not in (looker, *state.out):
            gave = bool(state.pending[seat]) if state.phase == "fountain" else not owes(state, seat)
            other.pending[seat] = _answers(state, seat, rng, gave=gave)
            other.pending[seat] += _answers_ahead(other, seat, rng)
    return other


def sample_state(view: TangramView, luck: Random) -> TangramState:
    """Sample a state that fits a seat's view.

    Unknown cards shuffled, any answers of others. Raise ValueError for the view of a spectator.
    """
    viewer = view.viewer
    if viewer is None:
        raise ValueError("a spectator imagines nothing")
    seen = {*view.past, *(card.tile for card in view.cards)}
    unknown = [tile for tile in TILES if tile not in seen]
    luck.shuffle(unknown)
    dealt = [unknown.pop() if card.tile is None else card.tile for card in view.cards]
    state = TangramState(
        **view.public_fields(), deck=[*view.past, *dealt, *unknown], pending=[[] for _ in view.cities]
    )
    if view.phase == "place":
        state.card = sum(card.played for card in view.cards) - 1
    if view.phase == "final":
        state.done = [seat for seat in view.answered if len(stuck_tiles(state, seat)) < len(dealt)]
    for seat in state.remaining:
        if seat != viewer:
            gave = seat in view.answered and (
                view.phase != "fountain" or fountain_fits_somewhere(state.cities[seat])
            )
            state.pending[seat] = _answers(state, seat, luck, gave=gave)
            state.pending[seat] += _answers_ahead(state, seat, luck)
    state.pending[viewer] = list(view.mine)
    return state


def _answers(state: TangramState, seat: Seat, rng: Random, *, gave: bool) -> list[Answer]:
    if state.phase == "side":
        return [Answer(START, piece_on(state.cities[seat], rng.choice(SIDES)))] if gave else []
    if state.phase == "fountain":
        return [Answer(None, _somewhere(state.cities[seat], FOUNTAIN, rng))] if gave else []
    if state.phase == "place" and not gave:
        return []
    stuck = stuck_tiles(state, seat)
    tiles = [tile for tile in current(state) if tile not in stuck]
    if state.phase == "final" and not gave:
        tiles = [tile for tile in tiles if rng.random() < 0.5]
    rng.shuffle(tiles)
    city, answers = state.cities[seat], []
    for tile in tiles:
        piece = _somewhere(city, tile, rng)
        answers.append(Answer(tile, piece))
        city = city if piece is None else city.add(piece)
    return answers


def _answers_ahead(state: TangramState, seat: Seat, rng: Random) -> list[Answer]:
    """Draw answers that a seat may have given ahead. Nobody else knows of them."""
    city, answers = with_answers(state, seat), []
    for tile in ahead(state, seat):
        if rng.random() < 0.5:
            piece = _somewhere(city, tile, rng)
            answers.append(Answer(None if tile == FOUNTAIN else tile, piece))
            city = city if piece is None else city.add(piece)
    return answers


def _somewhere(city: City, tile: TileId, rng: Random) -> Piece | None:
    fits = fountain_fits(city) if tile == FOUNTAIN else tile_fits(city, tile)
    choices: list[Piece | None] = [*fits, None]
    return rng.choice(choices)
