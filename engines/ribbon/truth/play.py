"""The effect of each move on the state: every function checks first and changes the state after.

The rules in words are on docs/games/ribbon.md; each function names the section that it carries out.
"""

from collections.abc import Iterator

from engines.game import GAME_OVER, HAS_LEFT, NOT_YOUR_TURN, Draws, IllegalMove, Outcome, Seat
from engines.ribbon import moves
from engines.ribbon.legal import sentences
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.board import RibbonTangle
from engines.ribbon.pieces.components import CARDS, COLOURS, LIMITS, PLACES, Card, Colour
from engines.ribbon.truth.state import RibbonPosition, RibbonState, hand_in_use, may_offer, next_seat, owing
from engines.ribbon.view import RibbonChanges

_EVERY_PLACE = range(1, PLACES + 1)
_FLIPS = {place: moves.Flip(place) for place in _EVERY_PLACE}
_SWAPS = {place: moves.RibbonSwap(place) for place in _EVERY_PLACE}
_EXCHANGES = {(place, card): moves.Exchange(place, card) for place in _EVERY_PLACE for card in CARDS}


def legal_moves(state: RibbonState, seat: Seat) -> Iterator[moves.Move]:
    """Yield every legal move of a seat in a fixed order."""
    if seat not in owing(state):
        return
    match state.phase:
        case "choose_ribbon":
            yield from (moves.ChooseRibbon(colour) for colour in COLOURS if colour not in state.ribbons)
        case "choose_hand":
            yield from (moves.ChooseHand(hand) for hand in range(1, len(state.hands) + 1))
        case "flip":
            yield from (_FLIPS[place] for place in _EVERY_PLACE if state.circle[place - 1] is None)
        case "arrange":
            if not (state.swapped or state.exchanged):
                yield from (_SWAPS[place] for place in circles.swaps(state.circle))
            if not state.exchanged:
                used = hand_in_use(state, state.turn)
                hand = [] if used is None else state.hands[used]
                for place in _EVERY_PLACE:
                    if state.circle[place - 1] is not None:
                        yield from (_EXCHANGES[place, card] for card in hand)
            yield moves.RibbonEndTurn()
            if may_offer(state):
                yield moves.OfferTie()
        case "tie_vote":
            yield from (moves.AnswerTie(True), moves.AnswerTie(False))


def play(state: RibbonState, seat: Seat, move: moves.Move) -> list[moves.Event]:
    """Carry out one move. Raises IllegalMove with the state untouched."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in owing(state):
        raise IllegalMove(NOT_YOUR_TURN)
    match state.phase, move:
        case "choose_ribbon", moves.ChooseRibbon(colour):
            return _choose_ribbon(state, colour)
        case "choose_hand", moves.ChooseHand(hand):
            # Rules: `choose_hand`.
            if not 1 <= hand <= len(state.hands):
                raise IllegalMove(sentences.NO_HAND)
            state.start_hand = hand - 1
            state.phase = "flip"
            return [moves.HandChosen(hand)]
        case "flip", moves.Flip(place):
            return _flip(state, place)
        case "arrange", moves.RibbonSwap(place):
            circles.check_swap(state.circle, place, has_swapped=state.swapped, has_exchanged=state.exchanged)
            one, two = place - 1, place % PLACES
            state.circle = circles.swap_cards(state.circle, place)
            state.beneath[one], state.beneath[two] = state.beneath[two], state.beneath[one]
            state.swapped = True
            state.changes = state.changes.after_swap(place)
            return _after_arranging(state, moves.RibbonSwapped(state.seat, place))
        case "arrange", moves.Exchange(place, card):
            return _exchange(state, place, card)
        case "arrange", moves.RibbonEndTurn():
            return _end_turn_versus(state) if state.options.mode == "versus" else _end_turn_team(state)
        case "arrange", moves.OfferTie():
            # Rules: Ties.
            if not may_offer(state):
                raise IllegalMove(sentences.NO_OFFER_NOW)
            state.offered = True
            state.voters = [seat for seat in state.remaining if seat != state.seat]
            state.phase = "tie_vote"
            return [moves.TieOffered(state.seat)]
        case "tie_vote", moves.AnswerTie(accept):
            return _answer_tie(state, seat, accept)
    raise IllegalMove(sentences.NOT_NOW[state.phase])


def resign(state: RibbonState, seat: Seat) -> list[moves.Event]:
    """Take a seat out of the game. Raises IllegalMove if it isn't in it. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in state.remaining:
        raise IllegalMove(HAS_LEFT)
    happened: list[moves.Event] = [moves.RibbonResigned(seat)]
    if state.phase in ("choose_ribbon", "choose_hand"):
        state.phase = "over"
        return happened
    if state.options.mode != "versus":
        return [*happened, _finish_team(state, "resigned")]
    happened += _take_out(state, seat)
    if state.outcome is not None:
        return happened
    if seat == state.seat:
        return happened + _next_turn(state)
    if state.phase == "tie_vote":
        state.voters = [voter for voter in state.voters if voter != seat]
        if not state.voters:
            happened.append(_finish_tie(state, "tie_agreed"))
    return happened


def _choose_ribbon(state: RibbonState, colour: Colour) -> list[moves.Event]:
    """Rules: `choose_ribbon`."""
    if colour not in COLOURS:
        raise IllegalMove(sentences.NO_RIBBON)
    if colour in state.ribbons:
        raise IllegalMove(sentences.RIBBON_TAKEN)
    happened: list[moves.Event] = [_own(state, state.seat, colour)]
    state.seat = next_seat(state, state.seat)
    if state.seats == 3 and state.ribbons.count(None) == 1:
        last = next(colour for colour in COLOURS if colour not in state.ribbons)
        happened.append(_own(state, state.seat, last))
        state.seat = next_seat(state, state.seat)
    if None not in state.ribbons:
        state.phase = "flip"
    return happened


def _own(state: RibbonState, seat: Seat, colour: Colour) -> moves.Event:
    state.ribbons = (*state.ribbons[:seat], colour, *state.ribbons[seat + 1 :])
    return moves.RibbonChosen(seat, colour)


def _flip(state: RibbonState, place: int) -> list[moves.Event]:
    """Rules: `flip`."""
    circles.check_place(place)
    card = state.beneath[place - 1]
    if card is None:
        raise IllegalMove(sentences.FACE_UP)
    state.circle = circles.exchange_card(state.circle, place, card)
    state.beneath[place - 1] = None
    state.changes = RibbonChanges(flipped=place)
    happened: list[moves.Event] = [moves.Flipped(state.seat, place, card)]
    if circles.is_full(state.circle):
        happened.append(moves.CircleFull())
    if _is_team_win(state):
        return [*happened, _finish_team(state, "untangled")]
    if state.turn == 1:
        happened.append(moves.RibbonTurnEnded(state.seat, ()))
        return happened + _next_turn(state)
    state.phase = "arrange"
    return happened


def _exchange(state: RibbonState, place: int, card: Card) -> list[moves.Event]:
    """Rules: `arrange`."""
    used = hand_in_use(state, state.turn)
    assert used is not None
    circles.check_exchange(
        state.circle,
        place,
        card,
        has_exchanged=state.exchanged,
        hand=state.hands[used],
        resting=[held for hand in state.hands for held in hand] if state.options.mode == "solo" else (),
    )
    taken = state.circle[place - 1]
    assert taken is not None
    hand, shown = state.hands[used], state.shown[used]
    state.circle = circles.exchange_card(state.circle, place, card)
    hand[hand.index(card)] = taken
    if card in shown:
        shown.remove(card)
    shown.append(taken)
    state.exchanged = True
    state.changes = state.changes.after_exchange(place)
    secret = state.options.mode == "versus"
    return _after_arranging(state, moves.Exchanged(state.seat, place, card, taken, reveals=secret))


def _after_arranging(state: RibbonState, event: moves.Event) -> list[moves.Event]:
    return [event, _finish_team(state, "untangled")] if _is_team_win(state) else [event]


def _is_team_win(state: RibbonState) -> bool:
    team = state.options.mode != "versus"
    return team and circles.is_full(state.circle) and not circles.tangles(state.circle)


def _end_turn_versus(state: RibbonState) -> list[moves.Event]:
    """Rules: `end_turn`, versus."""
    seat, tangles = state.seat, circles.tangles(state.circle)
    lost_by = tuple(tangle for tangle in tangles if tangle.colour == state.ribbons[seat])
    if lost_by:
        happened: list[moves.Event] = [moves.RibbonEliminated(seat, lost_by), *_take_out(state, seat)]
        return happened if state.outcome else happened + _next_turn(state)
    happened = [moves.RibbonTurnEnded(seat, tangles)]
    if _full_turns(state) >= LIMITS.full_turns_versus:
        return [*happened, _finish_tie(state, "tie_limit")]
    return happened + _next_turn(state)


def _end_turn_team(state: RibbonState) -> list[moves.Event]:
    """Rules: `end_turn`, co-op and solo."""
    tangles = circles.tangles(state.circle)
    happened: list[moves.Event] = [moves.RibbonTurnEnded(state.seat, tangles)]
    lost_by = tangles
    if circles.is_full(state.circle):
        lost_by = tuple(tangle for tangle in tangles if tangle in state.standing)
    if lost_by:
        return [*happened, _finish_team(state, "tangled", lost_by)]
    if _full_turns(state) >= LIMITS.full_turns_coop:
        return [*happened, _finish_team(state, "limit")]
    return happened + _next_turn(state)


def _full_turns(state: RibbonState) -> int:
    if circles.is_full(state.circle):
        state.full_turns += 1
    return state.full_turns


def _next_turn(state: RibbonState) -> list[moves.Event]:
    """Rules: Start of a turn."""
    state.seat = next_seat(state, state.seat)
    state.turn += 1
    state.swapped = state.exchanged = state.offered = False
    state.voters = []
    state.changes, state.last_changes = RibbonChanges(), state.changes
    state.full_at_start = circles.is_full(state.circle)
    versus = state.options.mode == "versus"
    state.standing = () if versus else circles.tangles(state.circle)
    state.begun = 0
    state.phase = "arrange" if state.full_at_start else "flip"
    if versus and state.full_at_start:
        hands = tuple(tuple(sorted(hand)) for hand in state.hands)
        position = RibbonPosition(state.seat, state.circle, hands)
        state.positions.append(position)
        state.begun = state.positions.count(position)
        if state.begun >= LIMITS.repetition_tie:
            return [_finish_tie(state, "tie_repetition")]
        return []
    return []


def _answer_tie(state: RibbonState, seat: Seat, accept: bool) -> list[moves.Event]:
    """Rules: Ties."""
    happened: list[moves.Event] = [moves.TieAnswered(seat, accept)]
    if not accept:
        state.voters = []
        state.phase = "arrange"
        return happened
    state.voters = [voter for voter in state.voters if voter != seat]
    if state.voters:
        return happened
    return [*happened, _finish_tie(state, "tie_agreed")]


def _take_out(state: RibbonState, seat: Seat) -> list[moves.Event]:
    """Rules: Elimination, except for the turn that comes after it."""
    state.out = (*state.out, seat)
    rest = state.remaining
    if len(rest) == 1:
        return [_finish(state, Outcome("last_untangled", _places(state)))]
    state.positions = []
    state.begun = state.full_turns = 0
    first = next_seat(state, seat)
    receivers = (first, next_seat(state, first))
    cards = sorted(state.hands[seat])
    if state.eliminated is not None and sorted(state.eliminated) == cards:
        cards = list(state.eliminated)
    else:
        cards = Draws(state.seed, state.draws).shuffle(cards)
        state.draws += 1
    state.hands[seat], state.shown[seat] = [], []
    for receiver, card in zip(receivers, cards, strict=True):
        state.hands[receiver].append(card)
    received = [moves.CardReceived(to, card, only=to) for to, card in zip(receivers, cards, strict=True)]
    return [moves.CardsDealt(seat, receivers), *received]


def _places(state: RibbonState) -> tuple[int, ...]:
    """Give the remaining seats first place. Those that went out later are placed better."""
    return tuple(
        state.seats - state.out.index(seat) if seat in state.out else 1 for seat in range(state.seats)
    )


def _finish_tie(state: RibbonState, how: str) -> moves.Finished:
    return _finish(state, Outcome(how, _places(state)))


def _finish_team(state: RibbonState, how: str, lost_by: tuple[RibbonTangle, ...] = ()) -> moves.Finished:
    won = how == "untangled"
    return _finish(state, Outcome(how, (1 if won else None,) * state.seats, won=won), lost_by)


def _finish(state: RibbonState, outcome: Outcome, lost_by: tuple[RibbonTangle, ...] = ()) -> moves.Finished:
    state.phase = "over"
    state.voters = []
    state.outcome = outcome
    state.lost_by = lost_by
    return moves.Finished(outcome, lost_by)
