"""The effect of each move on the state: every function checks first and changes the state after.

The rules in words are on docs/games/tanglewood.md; each function names the section that it carries out.
"""

from collections.abc import Iterator

from engines.game import NOT_YOUR_TURN, IllegalMove, Seat
from engines.tanglewood.events import (
    DeckRanOut,
    Drew,
    Event,
    NothingHappened,
    PollTurnedUp,
    TanglewoodResigned,
    TurnedUp,
)
from engines.tanglewood.legal.deeds import Drawing, ballots_due, carry_choice, carry_out, place, take_step
from engines.tanglewood.legal.moves import Asking, legal
from engines.tanglewood.legal.sentences import why_not
from engines.tanglewood.moves import (
    KeepBallots,
    Move,
    PlayBallots,
    TanglewoodDraw,
    TanglewoodPlace,
    TanglewoodStep,
)
from engines.tanglewood.pieces.components import MAT, TANGLES, Faction, Region, effect_of
from engines.tanglewood.truth.ballots import draw_ballots
from engines.tanglewood.truth.rounds import begin_round, begin_turn, finish, later_in_round
from engines.tanglewood.truth.state import POLL, TanglewoodState, owing, question_for
from engines.tanglewood.truth.voting import choose, open_vote, settle


def legal_moves(state: TanglewoodState, seat: Seat) -> Iterator[Move]:
    """Yield every legal move of a seat, once, in a stable order. None if it owes nothing."""
    if seat in owing(state):
        yield from legal(question_for(state, seat))


def play(state: TanglewoodState, seat: Seat, move: Move) -> list[Event]:
    """Carry out one move. Raises IllegalMove with the state untouched. Rules: Your turn."""
    if seat not in owing(state):
        raise IllegalMove(_no_move_owed(state, seat))
    question = question_for(state, seat)
    if move not in legal(question):
        raise IllegalMove(why_not(question, move))
    match move:
        case TanglewoodDraw(track):
            return _draw(state, seat, track)
        case TanglewoodPlace(region, count):
            return _place(state, seat, region, count)
        case TanglewoodStep(track):
            return [_step(state, seat, track), *_go_on(state, seat)]
        case PlayBallots(regions) | KeepBallots(regions):
            return choose(state, seat, regions)
        case _:
            event = carry_choice(state, seat, state.owed, move)
            del (state.benefit or state.effect)[0]
            return [event, *_go_on(state, seat)]


def resign(state: TanglewoodState, seat: Seat) -> list[Event]:
    """Take a seat out of the game. Raises IllegalMove if it isn't in it. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove("The game is over.")
    if seat not in state.remaining:
        raise IllegalMove("You're no longer in this game.")
    state.out.append(seat)
    state.dropped[seat] = sorted([*state.dropped[seat], *state.hands[seat]])
    state.hands[seat] = []
    state.chosen[seat] = None
    events: list[Event] = [TanglewoodResigned(seat=seat)]
    if len(state.remaining) == 1:
        return [*events, finish(state, "left")]
    if seat == state.seat:
        state.benefit, state.effect = [], []
        return events + _end_turn(state, seat)
    return events + settle(state)


def _no_move_owed(state: TanglewoodState, seat: Seat) -> str:
    if state.phase == "over":
        return "The game is over."
    if seat not in state.remaining:
        return "You're no longer in this game."
    if state.seat is not None:
        return NOT_YOUR_TURN
    return "You've already chosen." if state.chosen[seat] is not None else "You have nothing to choose."


def _draw(state: TanglewoodState, seat: Seat, track: Faction | None) -> list[Event]:
    """Rules: Drawing."""
    number = MAT.draw[state.draw_levels[seat]]
    state.circles[seat] += number
    events: list[Event] = [Drew(seat, number)]
    if track is not None:
        events.append(_step(state, seat, track))
    return events + _go_on(state, seat)


def _place(state: TanglewoodState, seat: Seat, region: Region, count: int) -> list[Event]:
    """Rules: Placing."""
    events = [place(state, seat, region, count)]
    assert state.card is not None
    state.effect = list(effect_of(state.card).steps)
    if TANGLES[state.card].wild:
        state.phase = "step"
        return events
    events.append(_step(state, seat, TANGLES[state.card].tracks[0]))
    return events + _go_on(state, seat)


def _step(state: TanglewoodState, seat: Seat, track: Faction) -> Event:
    """Go up a track, and add its benefit to what is owed. Rules: Steps."""
    event, state.benefit = take_step(state, seat, track)
    return event


def _go_on(state: TanglewoodState, seat: Seat) -> list[Event]:
    """Carry out benefit and effect, up to a choice."""
    events: list[Event] = []
    while queue := state.benefit or state.effect:
        state.phase = "benefit" if state.benefit else "effect"
        if isinstance(queue[0], Drawing):
            due = ballots_due(queue[0], state.workers, seat, state.active)
            done = draw_ballots(state, seat, due) if due else []
        elif not isinstance(queue[0], Asking):
            done = carry_out(state, seat, queue[0])
        elif next(legal(question_for(state, seat)), None) is not None:
            return events
        else:
            done = []
        if not done and state.phase == "effect" and state.card is not None:
            done = [NothingHappened(seat, state.card)]
        del queue[0]
        events += done
    return events + _end_turn(state, seat)


def _end_turn(state: TanglewoodState, seat: Seat) -> list[Event]:
    """Replace the Tangle, and pass the turn on. Rules: Your turn."""
    events = [] if state.card is None else _replace_tangle(state)
    state.before[seat] = state.workers
    state.before_last = state.before_turn
    later = later_in_round(state, seat)
    if later:
        begin_turn(state, later[0])
        return events
    turned = state.out_round if state.midgame_done else state.poll_round
    if turned is not None and state.round == turned + 1:
        return events + open_vote(state)
    return [*events, begin_round(state)]


def _replace_tangle(state: TanglewoodState) -> list[Event]:
    """Replace the Tangle that was carried out. Rules: Placing."""
    assert state.card is not None
    assert state.active is not None
    state.discards.append(state.card)
    state.card = None
    events: list[Event] = []
    tangle = state.deck.pop(0)
    if tangle == POLL:
        state.poll_round = state.round
        events.append(PollTurnedUp(round=state.round))
        tangle = state.deck.pop(0)
    state.tangles[state.active] = tangle
    events.append(TurnedUp(region=state.active, tangle=tangle))
    if not state.deck and state.out_round is None:
        state.out_round = state.round
        state.deck, state.reserve = state.reserve, []
        events.append(DeckRanOut(round=state.round))
    return events
