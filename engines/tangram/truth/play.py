"""Answers, the closing of steps, and the consequences: cards, scoring, the start marker, the end."""

from collections.abc import Iterator

from engines.game import GAME_OVER, HAS_LEFT, IllegalMove, Outcome, Seat
from engines.tangram import moves
from engines.tangram.legal import sentences
from engines.tangram.legal.moves import (
    check_fountain,
    check_tile,
    fountain_fits_somewhere,
    fountains,
    placements,
)
from engines.tangram.pieces.board import Piece, TangramLaid, Water, is_complete, piece_on, score
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, SCORING, START, TILES, TileId
from engines.tangram.pieces.geometry import SIDES, TURNS, canonical_turn
from engines.tangram.truth.state import (
    TangramState,
    ahead,
    answer_of,
    clockwise,
    current,
    in_round,
    owing,
    stuck_tiles,
    tiles_to_answer,
    with_answers,
)
from engines.tangram.view import Answer


def legal_moves(state: TangramState, seat: Seat) -> Iterator[moves.Move]:
    """List every answer that a seat can give or change now."""
    if seat not in range(state.seats) or seat in state.out or state.phase == "over":
        return iter(())
    if state.phase == "side":
        return map(moves.ChooseSide, SIDES)
    if state.phase == "fountain":
        return iter(_answers(state, seat, FOUNTAIN))
    stuck, before, opened = stuck_tiles(state, seat), ahead(state, seat), current(state)
    listed = list[moves.Move]()
    for tile in (*opened, *before):
        if tile not in stuck:
            listed += _answers(state, seat, tile)
    for tile in (*(opened if state.phase == "final" else ()), *before):
        if _has_answered(state, seat, tile):
            listed.append(moves.TakeBack(tile))
    if (
        state.phase == "final"
        and len(stuck) < len(opened)
        and seat not in state.done
        and not tiles_to_answer(state, seat)
    ):
        listed.append(moves.TangramDone())
    return iter(listed)


def _answers(state: TangramState, seat: Seat, tile: TileId) -> list[moves.Move]:
    city = with_answers(state, seat, but=tile)
    if tile != FOUNTAIN:
        return [*placements(city, tile), moves.Decline(tile)]
    free = fountains(city)
    return [*free, moves.DeclineFountain()] if free else []


def _has_answered(state: TangramState, seat: Seat, tile: TileId) -> bool:
    return answer_of(state, seat, None if tile == FOUNTAIN else tile) is not None


def play(state: TangramState, seat: Seat, move: moves.Move) -> list[moves.Event]:
    """Check and record an answer; the last one closes the step."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in range(state.seats) or seat in state.out:
        raise IllegalMove(HAS_LEFT)
    if state.phase == "side" and not isinstance(move, moves.ChooseSide):
        raise IllegalMove(sentences.BOARD_FIRST)
    match move:
        case moves.ChooseSide():
            if state.phase != "side":
                raise IllegalMove(sentences.NO_BOARD_NOW)
            if move.side not in SIDES:
                raise IllegalMove(sentences.NO_SIDE)
            happened = _take_down(state, seat, Answer(START, piece_on(state.cities[seat], move.side)))
        case moves.TangramPlace() | moves.Decline():
            happened = _answer_tile(state, seat, move)
        case moves.TakeBack():
            tile = move.tile
            asked = tile in current(state) or (tile == FOUNTAIN and state.phase == "fountain")
            if asked and state.phase != "final":
                raise IllegalMove(sentences.ONLY_CHANGE)
            if not _has_answered(state, seat, tile):
                raise IllegalMove(sentences.NOT_PLACED)
            state.pending[seat] = [
                answer for answer in state.pending[seat] if (answer.tile or FOUNTAIN) != tile
            ]
            happened = _reopen(state, seat) if asked else [moves.Answered(seat, changed=True)]
        case moves.TangramDone():
            happened = _confirm(state, seat)
        case moves.Fountain() | moves.DeclineFountain():
            if state.phase != "fountain" and FOUNTAIN not in ahead(state, seat):
                raise IllegalMove(sentences.TILE_FIRST)
            city = with_answers(state, seat, but=FOUNTAIN)
            if not fountain_fits_somewhere(city):
                raise IllegalMove(sentences.NO_ROOM_FOR_FOUNTAIN)
            piece = None
            if isinstance(move, moves.Fountain):
                check_fountain(city, move.at, move.corner)
                piece = Water(move.at, move.corner)
            happened = _take_down(state, seat, Answer(None, piece))
    return happened + _go_on(state)


def _answer_tile(
    state: TangramState, seat: Seat, move: moves.TangramPlace | moves.Decline
) -> list[moves.Event]:
    if state.phase == "fountain":
        raise IllegalMove(sentences.FOUNTAIN_NOW)
    if move.tile in stuck_tiles(state, seat):
        raise IllegalMove(sentences.FITS_NOWHERE)
    if move.tile == FOUNTAIN or move.tile not in (*current(state), *ahead(state, seat)):
        raise IllegalMove(sentences.NOT_THAT_TILE)
    piece = None
    if isinstance(move, moves.TangramPlace):
        if move.side not in SIDES or move.turn not in TURNS:
            raise IllegalMove(sentences.NO_TURN)
        if canonical_turn(move.tile, move.side, move.turn) != move.turn:
            named = canonical_turn(move.tile, move.side, move.turn)
            raise IllegalMove(sentences.SAME_TURN.format(turn=move.turn, other=named))
        check_tile(with_answers(state, seat, but=move.tile), move.tile, move.side, move.turn, move.at)
        piece = TangramLaid(move.tile, move.side, move.turn, move.at)
    return _take_down(state, seat, Answer(move.tile, piece))


def _take_down(state: TangramState, seat: Seat, answer: Answer) -> list[moves.Event]:
    changed = answer_of(state, seat, answer.tile) is not None
    others = [other for other in state.pending[seat] if other.tile != answer.tile]
    state.pending[seat] = [*others, answer]
    if state.phase == "final" and answer.tile in current(state):
        return _reopen(state, seat)
    return [moves.Answered(seat, changed)]


def _reopen(state: TangramState, seat: Seat) -> list[moves.Event]:
    if seat not in state.done:
        return []
    state.done.remove(seat)
    return [moves.Reopened(seat)]


def _confirm(state: TangramState, seat: Seat) -> list[moves.Event]:
    if state.phase != "final":
        raise IllegalMove(sentences.NO_CONFIRMING)
    if len(stuck_tiles(state, seat)) == len(current(state)):
        raise IllegalMove(sentences.NOTHING_TO_CONFIRM)
    if seat in state.done:
        raise IllegalMove(
            "You've already confirmed. You can still change an answer until the others are done."
        )
    missing = tiles_to_answer(state, seat)
    if missing:
        names = ", ".join(TILES[tile].name for tile in missing)
        raise IllegalMove(sentences.STILL_MISSING.format(tiles=names))
    state.done.append(seat)
    state.done.sort()
    return [moves.Answered(seat)]


def _go_on(state: TangramState) -> list[moves.Event]:
    """Close steps as long as nobody owes an answer in the open one."""
    happened: list[moves.Event] = []
    while state.phase != "over" and not owing(state):
        happened += _close(state)
    return happened


def _close(state: TangramState) -> list[moves.Event]:
    if state.phase == "side":
        # Rules: Setup.
        for seat in state.remaining:
            given = answer_of(state, seat, START)
            if given is not None and isinstance(given.piece, TangramLaid):
                state.cities[seat] = state.cities[seat].turn(given.piece.side)
        state.pending = [[] for _ in range(state.seats)]
        state.step += 1
        state.phase = "place"
        sides = tuple(city.board or "" for city in state.cities)
        began = moves.TangramRoundBegan(state.round, len(in_round(state)))
        return [moves.SidesShown(sides), began, moves.Revealed(current(state))]
    tiles = current(state) or (FOUNTAIN,)
    happened: list[moves.Event] = [_build(state, tiles)]
    state.pending = [
        [answer for answer in answers if (answer.tile or FOUNTAIN) not in tiles] for answers in state.pending
    ]
    state.done = []
    state.step += 1
    if state.phase == "fountain":
        return happened + _score_round(state)
    if state.phase == "place" and state.card + 1 < len(in_round(state)):
        state.card += 1
        _forget_stuck(state)
        return [*happened, moves.Revealed(current(state))]
    state.phase = "fountain"
    _forget_stuck(state)
    return happened


def _forget_stuck(state: TangramState) -> None:
    """Drop answers given ahead for what fits nowhere any more.

    It is set aside automatically, and nobody learns that there was an answer.
    """
    for seat in state.remaining:
        stuck: set[TileId | None] = set(stuck_tiles(state, seat))
        if state.phase == "fountain" and not fountain_fits_somewhere(state.cities[seat]):
            stuck.add(None)
        state.pending[seat] = [answer for answer in state.pending[seat] if answer.tile not in stuck]


def _build(state: TangramState, tiles: tuple[TileId, ...]) -> moves.Built:
    """Lay the answered pieces into the cities. Rules: A step."""
    pieces: list[tuple[Piece | None, ...]] = []
    stuck: list[tuple[TileId, ...]] = []
    for seat in range(state.seats):
        if seat in state.out:
            pieces.append(())
            stuck.append(())
            state.latest[seat] = ()
            continue
        answered = {answer.tile or FOUNTAIN: answer.piece for answer in state.pending[seat]}
        laid = tuple(answered.get(tile) for tile in tiles)
        pieces.append(laid)
        stuck.append(tuple(tile for tile in tiles if tile not in answered))
        state.latest[seat] = tuple(piece for piece in laid if piece is not None)
        for tile, piece in zip(tiles, laid, strict=True):
            if tile == FOUNTAIN:
                state.fountains[seat] -= 1
            if piece is not None:
                state.cities[seat] = state.cities[seat].add(piece)
            elif tile != FOUNTAIN:
                state.aside[seat] = (*state.aside[seat], tile)
    return moves.Built(tiles, tuple(pieces), tuple(stuck))


def _score_round(state: TangramState) -> list[moves.Event]:
    """Score every city and open the next round. Rules: Scoring a round."""
    cities = tuple(score(city) for city in state.cities)
    for seat in state.remaining:
        state.scores[seat] += cities[seat].points
    state.rounds.append(cities)
    happened: list[moves.Event] = [moves.RoundScored(state.round, cities, tuple(state.scores))]
    if state.round == LAST_ROUND:
        return happened + _finish(state)
    # Rules: Start marker.
    best = max(state.scores[seat] for seat in state.remaining)
    order = clockwise(state)
    after = [*order[1:], order[0]]
    leader = next(seat for seat in after if seat not in state.out and state.scores[seat] == best)
    kept, state.start = leader == state.start, leader
    happened.append(moves.MarkerPassed(leader, kept))
    state.round += 1
    state.card = 0
    state.phase = "final" if state.round == LAST_ROUND else "place"
    began = moves.TangramRoundBegan(state.round, len(in_round(state)))
    return [*happened, began, moves.Revealed(current(state))]


def _finish(state: TangramState) -> list[moves.Event]:
    """Add the bonuses and place the seats. Rules: The end."""
    planning, harmony = [0] * state.seats, [0] * state.seats
    for seat in state.remaining:
        city = state.cities[seat]
        planning[seat] = SCORING.planning_bonus if is_complete(city) else 0
        harmony[seat] = score(city).balance.bonus
        state.scores[seat] += planning[seat] + harmony[seat]
    return [moves.Bonus(tuple(planning), tuple(harmony), tuple(state.scores)), _end(state, "scores")]


def _end(state: TangramState, how: str) -> moves.TangramEnded:
    """Place seats by score. Those who left come last, the last to leave first."""
    staying = state.remaining
    places: list[int | None] = [None] * state.seats
    for seat in staying:
        places[seat] = 1 + sum(state.scores[other] > state.scores[seat] for other in staying)
    for place, seat in enumerate(reversed(state.out), start=len(staying) + 1):
        places[seat] = place
    state.phase = "over"
    state.outcome = Outcome(how, tuple(places), tuple(state.scores))
    return moves.TangramEnded(state.outcome)


def resign(state: TangramState, seat: Seat) -> list[moves.Event]:
    """Leave the game: the city stays, and a last remaining player wins. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in range(state.seats) or seat in state.out:
        raise IllegalMove(sentences.ALREADY_LEFT)
    state.out.append(seat)
    state.pending[seat] = []
    state.done = [other for other in state.done if other != seat]
    happened: list[moves.Event] = [moves.TangramResigned(seat)]
    if len(state.remaining) < min(state.seats, 2):
        return [*happened, _end(state, "left")]
    return happened + _go_on(state)
