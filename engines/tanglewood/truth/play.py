"""The effect of each move on the state: turns, rounds, ballots and scorings.

The rules in words are on docs/games/tanglewood.md; each function names the section that it carries out.

In a scoring, both choices are secret until the last one is in. A seat that leaves no longer counts. A
region's votes are in `engines/tanglewood/pieces/board.py: votes`.
"""

from collections.abc import Iterator

from engines.game import GAME_OVER, HAS_LEFT, NOT_YOUR_TURN, Draws, IllegalMove, Outcome, Seat
from engines.tanglewood import moves
from engines.tanglewood.legal import deeds
from engines.tanglewood.legal.moves import Asking, legal
from engines.tanglewood.legal.sentences import why_not
from engines.tanglewood.pieces.components import MAT, SCORING, TANGLES, Faction, Region, effect_of
from engines.tanglewood.truth.state import POLL, TanglewoodState, owing, question_for
from engines.tanglewood.view import TanglewoodPublic, would_score


def later_in_round(state: TanglewoodPublic, seat: Seat) -> list[Seat]:
    return [other for other in state.order[state.order.index(seat) + 1 :] if other not in state.out]


def begin_turn(state: TanglewoodState, seat: Seat) -> None:
    """Begin a seat's turn. Rules: Your turn."""
    state.seat = seat
    state.phase = "turn"
    state.turns += 1
    state.before_turn = state.workers


def begin_round(state: TanglewoodState, *, turned: bool = False) -> moves.Event:
    """Open the next round, reversing the turn order if `turned`. Rules. Your turn."""
    state.round += 1
    playing = [seat for seat in state.order if seat not in state.out]
    begin_turn(state, playing[0])
    return moves.TanglewoodRoundBegan(round=state.round, order=tuple(playing), turned=turned)


def finish(state: TanglewoodState, how: str) -> moves.Event:
    """Place seats by votes. Those who left come last, the last to leave first. Rules: The end."""
    staying = state.remaining
    places: list[int | None] = [None] * state.seats
    for seat in staying:
        places[seat] = 1 + sum(state.votes[other] > state.votes[seat] for other in staying)
    for last, seat in enumerate(reversed(state.out), start=len(staying) + 1):
        places[seat] = last
    state.phase = "over"
    state.seat = None
    state.outcome = Outcome(how, tuple(places), tuple(state.votes))
    return moves.TanglewoodEnded(outcome=state.outcome)


def draw_ballots(state: TanglewoodState, seat: Seat, number: int) -> list[moves.Event]:
    """Draw ballots from the deck, fewer if it runs out."""
    happened: list[moves.Event] = []
    drawn: list[Region] = []
    while len(drawn) < number:
        if not state.ballot_deck:
            if not list_discards(state):
                break
            pile = list_discards(state)
            state.reshuffles += 1
            plan = list(state.planned.pop(0)) if state.planned else None
            fits = plan is not None and sorted(plan) == pile
            state.ballot_deck = plan if plan and fits else Draws(state.seed, state.reshuffles).shuffle(pile)
            state.played_ballots = []
            state.dropped = [[] for _ in range(state.seats)]
            entries: list[moves.Event] = [] if plan is None or fits else [moves.PlanUnfit(number=len(pile))]
            happened += [*entries, moves.BallotsReshuffled(number=len(pile))]
        drawn.append(state.ballot_deck.pop(0))
    state.hands[seat] = sorted([*state.hands[seat], *drawn])
    happened.append(moves.DrewBallots(seat=seat, number=len(drawn)))
    if drawn:
        happened.append(moves.SawBallots(seat=seat, regions=tuple(drawn), only=seat))
    return happened


def list_discards(state: TanglewoodState) -> list[Region]:
    """Return all discarded ballots, played and unplayed ones, sorted."""
    return sorted([*state.played_ballots, *(ballot for pile in state.dropped for ballot in pile)])


def choose(state: TanglewoodState, seat: Seat, regions: tuple[Region, ...]) -> list[moves.Event]:
    """Record a seat's legal choice of ballots to play or keep. Rules: Secret ballots."""
    state.chosen[seat] = regions
    return [moves.Chose(seat=seat), *settle(state)]


def settle(state: TanglewoodState) -> list[moves.Event]:
    """Go on as long as nobody owes a choice."""
    happened: list[moves.Event] = []
    while state.phase in ("ballots", "keep") and not owing(state):
        happened += _score(state) if state.phase == "ballots" else _keep(state)
    return happened


def _score(state: TanglewoodState) -> list[moves.Event]:
    """Show the ballots, place their workers and score every region. Rules: Scoring."""
    # Whoever wasn't asked plays all; whoever has left has none.
    choices = zip(state.hands, state.chosen, strict=True)
    shown = tuple(tuple(hand) if chosen is None else chosen for hand, chosen in choices)
    for seat, regions in enumerate(shown):
        for region in regions:
            state.hands[seat].remove(region)
        state.workers = deeds.workers_after(state.workers, seat, moves.PlayBallots(regions), state.active)
        state.played_ballots += regions
    state.played.append(shown)
    state.chosen = [None] * state.seats
    happened: list[moves.Event] = [moves.BallotsShown(ballots=shown)]
    paid = would_score(state)
    gained = [sum(payment[seat] for payment in paid.values()) for seat in range(state.seats)]
    state.votes = [before + gain for before, gain in zip(state.votes, gained, strict=True)]
    state.scorings.append(paid)
    happened += [
        moves.RegionScored(region=region, counts=state.workers[region], votes=payment)
        for region, payment in paid.items()
    ]
    happened.append(moves.Scored(final=state.midgame_done, gained=tuple(gained), votes=tuple(state.votes)))
    if state.midgame_done:
        return [*happened, finish(state, "votes")]
    state.phase = "keep"
    return happened


def _keep(state: TanglewoodState) -> list[moves.Event]:
    """Discard, reverse the order, draw up, open the next round. Rules: After the mid-game scoring."""
    numbers = [0] * state.seats
    for seat in state.remaining:
        kept = list(state.chosen[seat] or ())
        thrown = list(state.hands[seat])
        for ballot in kept:
            thrown.remove(ballot)
        state.hands[seat] = kept
        state.dropped[seat] = sorted([*state.dropped[seat], *thrown])
        numbers[seat] = len(thrown)
    state.chosen = [None] * state.seats
    happened: list[moves.Event] = [moves.Kept(discarded=tuple(numbers))]
    state.midgame_done = True
    state.order.reverse()
    for seat in (seat for seat in state.order if seat not in state.out):
        lacking = SCORING.ballots_kept - len(state.hands[seat])
        if lacking > 0:
            happened += draw_ballots(state, seat, lacking)
    return [*happened, begin_round(state, turned=True)]


def legal_moves(state: TanglewoodState, seat: Seat) -> Iterator[moves.Move]:
    """List every legal move of a seat, once, in a stable order. None if it owes nothing."""
    return legal(question_for(state, seat)) if seat in owing(state) else iter(())


def play(state: TanglewoodState, seat: Seat, move: moves.Move) -> list[moves.Event]:
    """Carry out one move. Raises IllegalMove with the state untouched. Rules: Your turn."""
    if seat not in owing(state):
        if state.phase == "over":
            raise IllegalMove("The game is over.")
        if seat not in state.remaining:
            raise IllegalMove("You're no longer in this game.")
        if state.seat is not None:
            raise IllegalMove(NOT_YOUR_TURN)
        has_chosen = state.chosen[seat] is not None
        raise IllegalMove("You've already chosen." if has_chosen else "You have nothing to choose.")
    question = question_for(state, seat)
    if move not in legal(question):
        raise IllegalMove(why_not(question, move))
    match move:
        case moves.TanglewoodDraw(track):
            # Rules: Drawing.
            number = MAT.draw[state.draw_levels[seat]]
            state.circles[seat] += number
            happened: list[moves.Event] = [moves.Drew(seat, number)]
            if track is not None:
                happened.append(_step(state, seat, track))
            return happened + _go_on(state, seat)
        case moves.TanglewoodPlace(region, count):
            # Rules: Placing.
            happened = [deeds.place(state, seat, region, count)]
            assert state.card is not None
            state.effect = list(effect_of(state.card).steps)
            if TANGLES[state.card].wild:
                state.phase = "step"
                return happened
            happened.append(_step(state, seat, TANGLES[state.card].tracks[0]))
            return happened + _go_on(state, seat)
        case moves.TanglewoodStep(track):
            return [_step(state, seat, track), *_go_on(state, seat)]
        case moves.PlayBallots(regions) | moves.KeepBallots(regions):
            return choose(state, seat, regions)
        case _:
            event = deeds.carry_choice(state, seat, state.owed, move)
            del (state.benefit or state.effect)[0]
            return [event, *_go_on(state, seat)]


def resign(state: TanglewoodState, seat: Seat) -> list[moves.Event]:
    """Take a seat out of the game. Raises IllegalMove if the seat is already out. Rules: Leaving."""
    if state.phase == "over":
        raise IllegalMove(GAME_OVER)
    if seat not in state.remaining:
        raise IllegalMove(HAS_LEFT)
    state.out.append(seat)
    state.dropped[seat] = sorted([*state.dropped[seat], *state.hands[seat]])
    state.hands[seat] = []
    state.chosen[seat] = None
    happened: list[moves.Event] = [moves.TanglewoodResigned(seat=seat)]
    if len(state.remaining) == 1:
        return [*happened, finish(state, "left")]
    if seat == state.seat:
        state.benefit, state.effect = [], []
        return happened + _end_turn(state, seat)
    return happened + settle(state)


def _step(state: TanglewoodState, seat: Seat, track: Faction) -> moves.Event:
    """Go up a track, and add its benefit to what is owed. Rules: Steps."""
    event, state.benefit = deeds.take_step(state, seat, track)
    return event


def _go_on(state: TanglewoodState, seat: Seat) -> list[moves.Event]:
    """Carry out benefit and effect, up to a choice."""
    happened: list[moves.Event] = []
    while queue := state.benefit or state.effect:
        state.phase = "benefit" if state.benefit else "effect"
        if isinstance(queue[0], deeds.Drawing):
            due = deeds.ballots_due(queue[0], state.workers, seat, state.active)
            done = draw_ballots(state, seat, due) if due else []
        elif not isinstance(queue[0], Asking):
            done = deeds.carry_out(state, seat, queue[0])
        elif next(legal(question_for(state, seat)), None) is not None:
            return happened
        else:
            done = []
        if not done and state.phase == "effect" and state.card is not None:
            done = [moves.NothingHappened(seat, state.card)]
        del queue[0]
        happened += done
    return happened + _end_turn(state, seat)


def _end_turn(state: TanglewoodState, seat: Seat) -> list[moves.Event]:
    """Replace the Tangle, and pass the turn on. Rules: Your turn."""
    happened: list[moves.Event] = []
    if state.card is not None:
        # Rules: Placing. The Tangle that was carried out is replaced.
        assert state.active is not None
        state.discards.append(state.card)
        state.card = None
        tangle = state.deck.pop(0)
        if tangle == POLL:
            state.poll_round = state.round
            happened.append(moves.PollTurnedUp(round=state.round))
            tangle = state.deck.pop(0)
        state.tangles[state.active] = tangle
        happened.append(moves.TurnedUp(region=state.active, tangle=tangle))
        if not state.deck and state.out_round is None:
            state.out_round = state.round
            state.deck, state.reserve = state.reserve, []
            happened.append(moves.DeckRanOut(round=state.round))
    state.before[seat] = state.workers
    state.before_last = state.before_turn
    later = later_in_round(state, seat)
    if later:
        begin_turn(state, later[0])
        return happened
    turned = state.out_round if state.midgame_done else state.poll_round
    if turned is not None and state.round == turned + 1:
        # A scoring begins: seats with more ballots than they play choose. Rules: Secret ballots.
        state.phase = "ballots"
        state.seat = None
        return [*happened, moves.VoteBegan(final=state.midgame_done), *settle(state)]
    return [*happened, begin_round(state)]
