"""The effect of each move on the state, with the draw at the end of a turn, and leaving."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from engines.game import GAME_OVER, HAS_LEFT, NOT_YOUR_TURN, Draws, IllegalMove, Seat
from engines.tesla import moves
from engines.tesla.legal import sentences
from engines.tesla.legal.actions import act
from engines.tesla.legal.moves import marks, own_markers, placements
from engines.tesla.legal.position import TeslaPosition, count_turn, finish, is_exhausted, pass_turn, take_out
from engines.tesla.pieces.components import COMMON, Face, shape
from engines.tesla.truth.state import TeslaState


def legal_moves(position: TeslaPosition, seat: Seat) -> Iterator[moves.Move]:
    """List every legal move of a seat. Placements cell by cell, markers, discards, the end."""
    if position.phase == "over" or seat != position.seat:
        return iter(())
    if position.phase == "replay":
        return iter([*marks(position, moves.Replay), moves.EndReplay()])
    hand, listed = in_order(position, position.hands[seat]), list[moves.Move]()
    if position.phase == "tiles":
        listed += placements(position.board, tuple(dict.fromkeys(hand)))
        if position.may_mark:
            listed += marks(position, moves.Mark)
            listed += map(moves.Take, own_markers(position))
    return iter([*listed, *_discards(tuple(hand)), moves.TeslaEndTurn()])


@lru_cache(maxsize=1024)
def _discards(hand: tuple[Face, ...]) -> tuple[moves.Discard, ...]:
    """Return every discard of a hand in the order of the data."""
    counts = Counter(hand)
    chosen = product(*(range(count + 1) for count in counts.values()))
    tiles = (
        [face for face, number in zip(counts, numbers, strict=True) for _ in range(number)]
        for numbers in chosen
    )
    return tuple(moves.Discard(tuple(some)) for some in tiles if some)


def in_order(position: TeslaPosition, tiles: Sequence[Face]) -> list[Face]:
    """Sort tiles in the order of the data. Raises KeyError for an unknown tile."""
    return sorted(tiles, key=shape(position.options.tiles).order.__getitem__)


def play(state: TeslaState, seat: Seat, move: moves.Move) -> list[moves.Event]:
    """Carry out one move. Raises IllegalMove with the state untouched. Rules: Your turn."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat != state.seat:
        raise IllegalMove(NOT_YOUR_TURN)
    if not isinstance(move, moves.Discard | moves.TeslaEndTurn):
        return act(state, move)
    if state.phase == "replay":
        raise IllegalMove(sentences.REPLAY_FIRST)
    if isinstance(move, moves.TeslaEndTurn):
        return _end_turn(state)
    # Rules: Discarding and drawing.
    hand, tiles = state.hands[state.seat], move.tiles
    if not tiles:
        raise IllegalMove(sentences.NOTHING_TO_DISCARD)
    if Counter(tiles) - Counter(hand):
        raise IllegalMove(sentences.ONLY_OWN_TILES)
    if list(tiles) != in_order(state, tiles):
        raise IllegalMove(sentences.NOT_SORTED)
    for face in tiles:
        hand.remove(face)
    state.discards += tiles
    return [moves.Discarded(state.seat, tiles), *_end_turn(state, changed=True)]


def resign(state: TeslaState, seat: Seat) -> list[moves.Event]:
    """Take a seat out of the game. Raises IllegalMove if the seat is already out. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in state.remaining:
        raise IllegalMove(HAS_LEFT)
    events: list[moves.Event] = [moves.TeslaResigned(seat), *take_out(state, [seat])]
    if state.outcome is not None:
        return events
    if seat == state.seat:
        return events + pass_turn(state)
    return [*events, finish(state, "exhausted")] if is_exhausted(state) else events


def _end_turn(state: TeslaState, changed: bool = False) -> list[moves.Event]:
    """Rules: Discarding and drawing, Winning and dropping out."""
    seat = state.seat
    drawn, events = _draw(state)
    if drawn:
        events.append(moves.Drawn(tiles=tuple(drawn), only=seat))
    if drawn or changed or state.changes.placed:
        state.refills[seat] += 1
    events.append(moves.TeslaTurnEnded(seat, len(drawn), state.scores[seat] - state.started))
    count_turn(state)
    return events + pass_turn(state)


def _draw(state: TeslaState) -> tuple[list[Face], list[moves.Event]]:
    """Fill the hand of the seat to act. Return the tiles drawn, and the reshuffle if there was one."""
    hand, events, drawn = state.hands[state.seat], [], []
    while len(hand) < COMMON.hand and (state.bag or state.discards):
        if not state.bag:
            state.reshuffles += 1
            state.bag = Draws(state.seed, state.reshuffles).shuffle(state.discards)
            state.discards = []
            events.append(moves.TilesReshuffled(len(state.bag)))
        face = state.bag.pop(0)
        hand.append(face)
        drawn.append(face)
    return drawn, list(events)
