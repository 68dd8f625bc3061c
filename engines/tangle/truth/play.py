"""The effect of each move on the state, the agenda of a turn, and its end. Rules: A turn."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import assert_never

import msgspec

from engines.game import GAME_OVER, HAS_LEFT, NOT_YOUR_TURN, IllegalMove, Outcome, Seat
from engines.tangle import decisions, moves
from engines.tangle.decisions import Casting, Decision, Placing, Toll, Upkeep
from engines.tangle.legal import sentences
from engines.tangle.legal.context import board_of, counts, lacking, powers, shortfall, somebody_has_won
from engines.tangle.legal.moves import gain_of, legal, price_of, rule_of
from engines.tangle.legal.resources import roots_at_home
from engines.tangle.pieces.components import AREAS, NOTHING, TRACKS, Amount, size
from engines.tangle.truth import effects, upkeep
from engines.tangle.truth.state import (
    TangleState,
    add_seeds,
    context_for,
    earn,
    move_marker,
    owing,
    pay,
    supply_seeds,
)
from engines.tangle.view import TurnChanges


def do(state: TangleState, decision: Decision, move: moves.Move, price: Amount) -> list[moves.Event]:
    """Carry out a move without closing its decision or paying upkeep."""
    seat = state.seat
    gain = gain_of(state, decision, move)
    pay(state, seat, price)
    earn(state, seat, gain)
    match move:
        case moves.TanglePlace(start, to):
            return effects.place(state, start, to)
        case moves.ChangeUpkeep():
            return upkeep.reopen(state, decision)
        case moves.Recall(start, to):
            return effects.recall(state, start, to)
        case moves.PayToll(to, paid):
            # Pay an opponent, and reduce the reserve. Rules: Toll.
            earn(state, to, paid)
            state.reserve -= sum(paid)
            return [moves.TollPaid(state.seat, to, paid)]
        case moves.Cast(card):
            return effects.cast(state, seat, card, price)
        case moves.TakeRow(slot):
            return effects.take_row(state, seat, slot, price)
        case moves.TakePile():
            return effects.take_pile(state, seat, price)
        case moves.Earth(area):
            return effects.lay(state, area, "earth", price)
        case moves.Lake(area):
            return effects.lay(state, area, "lake", price)
        case moves.Meadow(area):
            return effects.lay(state, area, "meadow", price)
        case moves.Sprout(area):
            return effects.lay(state, area, "sapling", price)
        case moves.Grow(area):
            return effects.grow(state, area, price)
        case moves.TanglePlant(seed, area):
            return effects.plant_seed(state, seed, area)
        case moves.Hedge(area):
            return effects.hedge(state, area)
        case moves.TangleSwap(a, b):
            return effects.swap(state, a, b)
        case moves.Takeover(area, gift):
            return effects.take_over(state, area, gift or NOTHING)
        case moves.Offer():
            return _offer(state, move)
        case moves.Drain(area):
            effects.set_cubes(state, area, state.tiles[area].cubes - size(gain))
            return [moves.Drained(seat, area, gain)]
        case moves.Choose():
            return [moves.Gained(seat, None, gain)]
        case moves.Trade(resource):
            return [moves.Traded(seat, resource)]
        case moves.Buy(seed):
            supply_seeds(state, seed, -1)
            add_seeds(state, seat, seed, 1)
            return [moves.TookSeed(seat, seed, price)]
        case moves.Steps(by):
            state.trackers = _move_trackers(state.trackers, by, -1)
            return [moves.StepsMade(seat, by)]
        case moves.Lower(by):
            state.trackers = _move_trackers(state.trackers, by, 1)
            return [moves.Lowered(seat, by)]
        case moves.TangleDone():
            return []
        case moves.PayRest() | moves.DropRest() | moves.Pay() | moves.Drop():
            raise ValueError("upkeep is answered by every seat for itself")
        case _:
            assert_never(move)


def _offer(state: TangleState, move: moves.Offer) -> list[moves.Event]:
    """Give up an own tile for something. Rules: Alternative spaces."""
    seat = state.seat
    kind = effects.take_up(state, move.area).kind
    happened: list[moves.Event] = [moves.Offered(seat, move.area, kind, move.resource, move.card)]
    if move.resource is not None:
        return happened
    if move.card is not None:
        return happened + effects.cast(state, seat, move.card, NOTHING, discarded=move.source == "discard")
    state.offered += 1
    return happened + effects.place_again(state, 1)


def _move_trackers(trackers: moves.Steps3, by: moves.Steps3, way: int) -> moves.Steps3:
    """Return the trackers after these steps, down with a `way` of 1 and up with -1."""
    lakes, growth, cards = (left + way * step for left, step in zip(trackers, by, strict=True))
    return (lakes, growth, cards)


def end_turn(state: TangleState) -> list[moves.Event]:
    """Call for upkeep, check for victory, and begin the next turn."""
    ended, following = state.seat, next_seat(state, state.seat)
    # Markers at home go to seats whose tracker is at the top.
    seat = ended if ended not in state.out else following
    happened: list[moves.Event] = []
    trackers = list(state.trackers)
    for number, track in enumerate(TRACKS):
        if not trackers[number] and state.markers[number] is None:
            trackers[number] = board_of(state).bottom
            move_marker(state, number, seat)
            happened.append(moves.MarkerCame(track=track, seat=seat))
    lakes, growth, cards = trackers
    state.trackers = (lakes, growth, cards)
    happened.append(moves.TangleTurnEnded(seat=ended))
    if somebody_has_won(state, state.conditions):
        return happened + _show(state) + finish(state, "condition", _shortfalls(state))
    if following <= ended:
        if state.round == state.options.round_limit:
            return happened + finish(state, "limit", _shortfalls(state))
        state.round += 1
        happened.append(moves.TangleRoundBegan(round=state.round))
    return happened + begin_turn(state, following)


def _shortfalls(state: TangleState) -> dict[Seat, int]:
    return {seat: shortfall(state, seat, state.conditions[seat]) for seat in state.remaining}


def next_seat(state: TangleState, seat: Seat) -> Seat:
    staying = state.remaining
    return next((other for other in staying if other > seat), staying[0])


def begin_turn(state: TangleState, seat: Seat) -> list[moves.Event]:
    """Begin a seat's turn. Upkeep that is due, a sleeping root, then the placement. Rules: A turn."""
    state.seat = seat
    state.turn += 1
    state.beat += 1
    state.changes = state.reserve = state.extra = state.offered = 0
    state.agenda = [Casting(), Placing()]
    sleeper = state.players[seat].sleeper
    if sleeper is not None:
        effects.wake(state, seat)
        state.agenda.append(Placing(sleeper))
    return upkeep.open_due(state)


def _show(state: TangleState) -> list[moves.Event]:
    """Show all fulfilled conditions."""
    for seat in state.remaining:
        have = counts(state.tiles, state.players[seat].front, seat)
        state.shown[seat] = tuple(one for one in state.conditions[seat] if not lacking(one, have))
    pairs = ((seat, condition) for seat, shown in enumerate(state.shown) for condition in shown)
    return [moves.ConditionShown(seat=seat, condition=condition) for seat, condition in pairs]


def finish(state: TangleState, how: str, shortfalls: dict[Seat, int]) -> list[moves.Event]:
    """Place seats by shortfall, ties share. Those who left come last, the last to leave first."""
    places: list[int | None] = [None] * state.seats
    for seat, lacks in shortfalls.items():
        places[seat] = 1 + sum(other < lacks for other in shortfalls.values())
    for place, seat in enumerate(reversed(state.out), start=len(shortfalls) + 1):
        places[seat] = place
    state.phase = "over"
    state.agenda = []
    state.reserve = state.extra = 0
    state.beat += 1
    state.outcome = Outcome(how, tuple(places))
    return [moves.TangleEnded(outcome=state.outcome)]


def carry_out(state: TangleState, decision: Decision, move: moves.Move, price: Amount) -> list[moves.Event]:
    rest = None if isinstance(move, moves.TangleDone) else rule_of(decision).rest(decision, move)
    state.agenda.pop()
    if rest is not None:
        state.agenda.append(rest)
    happened = do(state, decision, move, price)
    if rest is None:
        happened += _after_closing(state, decision, is_declined=isinstance(move, moves.TangleDone))
    return happened


def settle(state: TangleState) -> list[moves.Event]:
    """Go on until somebody has something to decide. Rules: A turn."""
    happened: list[moves.Event] = []
    while state.phase == "play":
        step = next_automatic(state)
        if step is None:
            break
        happened += step
    return happened


def next_automatic(state: TangleState) -> list[moves.Event] | None:
    """Do the next automatic thing; None if a decision is due."""
    decision = state.decision
    if decision is None:
        return end_turn(state)
    if state.extra and (
        not decision.extra
        if isinstance(decision, decisions.Placing)
        else isinstance(decision, decisions.Casting)
    ):
        state.extra -= 1
        state.agenda.append(decisions.Placing(extra=True))
        return []
    match decision:
        case decisions.Upkeep(items=items):
            return None if any(items) else upkeep.close(state)
        case decisions.Placing():
            return None
        case decisions.Casting() if _may_cast(state, decision):
            return None
        case decisions.Casting():
            return carry_out(state, decision, moves.TangleDone(), NOTHING)
        case decisions.RunningCard():
            if not decision.ops:
                state.agenda.pop()
                return []
            state.agenda[-1] = decisions.RunningCard(decision.ops[1:], decision.card)
            return effects.run(state, decision.ops[0], decision.card)
        case decisions.Pushing(0) | decisions.Lowering(0) | decisions.DrawingCards(0):
            state.agenda.pop()
            return []
        case _:
            context = context_for(state, state.seat)
            first = list(islice(legal(context, decision), 2))
            if len(first) > 1:
                return None
            if first:
                return carry_out(state, decision, first[0], price_of(context, decision, first[0]))
            state.agenda.pop()
            return []


def _may_cast(state: TangleState, decision: decisions.Casting) -> bool:
    """Return True if the seat is asked, even without means. That is its secret. Rules: Casting."""
    context = context_for(state, state.seat)
    return bool(context.hand) and decision.cast < roots_at_home(context)


def _after_closing(state: TangleState, decision: Decision, *, is_declined: bool) -> list[moves.Event]:
    match decision:
        case decisions.Placing(paid=paid) if is_declined and isinstance(state.decision, decisions.Placing):
            # Upkeep can be changed until the first placement, and there has been none.
            state.agenda[-1] = msgspec.structs.replace(state.decision, paid=paid)
        case decisions.Casting():
            count = max(0, state.changes - powers(state.players[state.seat].front).slow)
            state.agenda.append(decisions.Pushing(min(count, sum(state.trackers))))
        case decisions.Growing(contained=True):
            context = context_for(state, state.seat)
            bushes = tuple(context.board.among(context.own_of("bush")))
            for area in bushes:
                effects.set_cubes(state, area, state.tiles[area].cubes + 1)
            return [moves.Bedewed(state.seat, bushes)] if bushes else []
        case _:
            pass
    return []


def legal_moves(state: TangleState, seat: Seat) -> Iterator[moves.Move]:
    """Yield every legal move of a seat, once, in a stable order. None if it owes nothing."""
    if state.decision is None or seat not in owing(state):
        return iter(())
    return legal(context_for(state, seat), state.decision)


def play(state: TangleState, seat: Seat, move: moves.Move) -> list[moves.Event]:
    """Carry out a move and its automatic follow-ups. Raises IllegalMove with the state untouched."""
    decision, owed, turn = state.decision, owing(state), state.turn
    if decision is None or seat not in owed:
        if state.phase == "over":
            raise IllegalMove(GAME_OVER)
        if seat not in state.remaining:
            raise IllegalMove(HAS_LEFT)
        raise IllegalMove(sentences.OWES_NOTHING if isinstance(decision, Upkeep) else NOT_YOUR_TURN)
    price = price_of(context_for(state, seat), decision, move)
    if isinstance(decision, Upkeep):
        happened = upkeep.answer(state, seat, move, price) + upkeep.settle_automatic(state)
    else:
        happened = carry_out(state, decision, move, price)
    happened += settle(state)
    _call(state, owed, turn)
    return _record_changes(state, happened)


def resign(state: TangleState, seat: Seat) -> list[moves.Event]:
    """Take a seat out of the game. Raises IllegalMove if it isn't in it. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in state.remaining:
        raise IllegalMove(HAS_LEFT)
    owed, turn = owing(state), state.turn
    state.out.append(seat)
    effects.discard_hand(state, seat)
    happened: list[moves.Event] = [moves.TangleResigned(seat=seat)]
    staying = state.remaining
    if len(staying) == 1:
        return happened + finish(state, "left", dict.fromkeys(staying, 0))
    upkeep.excuse(state, seat)
    paid_now = state.decision.track if isinstance(state.decision, Upkeep) else None
    for number, track in enumerate(TRACKS):
        if state.markers[number] == seat and track != paid_now:
            move_marker(state, number, next_seat(state, seat))
    if seat == state.seat:
        state.agenda = [state.agenda[-1]] if isinstance(state.decision, Upkeep) else []
        state.extra = 0
    agenda: list[Decision] = []
    for decision in state.agenda:  # nobody owes it a toll any more
        if isinstance(decision, Toll):
            due = tuple((to, count) for to, count in decision.due if to != seat)
            state.reserve = sum(count for _, count in due)
            agenda += [Toll(due)] if due else []
        else:
            agenda.append(decision)
    state.agenda = agenda
    happened += settle(state)
    _call(state, owed, turn)
    return _record_changes(state, happened)


def _call(state: TangleState, owed: tuple[Seat, ...], turn: int) -> None:
    """Start a new beat if somebody else owes in the same turn."""
    if state.turn == turn and set(owing(state)) - set(owed):
        state.beat += 1


def _record_changes(state: TangleState, happened: list[moves.Event]) -> list[moves.Event]:
    """Record the places that the events changed, for the turn. Return the events."""
    for event in happened:
        if isinstance(event, moves.TangleTurnEnded):
            state.before, state.changed = state.changed, TurnChanges()
        else:
            places = _places(event)
            if places:
                areas = [place for place in places if place in AREAS]
                effects = [place for place in places if place not in AREAS]
                state.changed = TurnChanges(
                    _merge_places(state.changed.areas, areas), _merge_places(state.changed.spaces, effects)
                )
    return happened


def _merge_places(places: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*places, *more)))


def _places(event: moves.Event) -> tuple[str, ...]:
    """Return the areas and spaces that an event changed.

    Resources that grow on spaces are left out: they grow with every placement.
    """
    match event:
        case moves.RootMoved(start=start, to=to) | moves.Recalled(start=start, to=to):
            return (start, to)
        case (
            moves.TangleLaid()
            | moves.Grew()
            | moves.TanglePlanted()
            | moves.Offered()
            | moves.TileTakenOver()
        ):
            return (event.area,)
        case moves.Drained(area=area):
            return (area,)
        case moves.Fed(tiles=areas) | moves.Harvested(areas=areas) | moves.Bedewed(areas=areas):
            return areas
        case moves.TangleSwapped(a=a, b=b):
            return (a, b)
        case moves.UpkeepLost(items=items, track=track) if track != "cards":
            return items
        case _:
            return ()
