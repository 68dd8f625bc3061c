"""Views of a state for one viewer, states that fit a view, and a seat's next turn."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import msgspec
from msgspec.structs import replace

from engines.game import SEED_SIZE, Seat
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import Question, legal
from engines.tanglewood.moves import KeepBallots, PlayBallots
from engines.tanglewood.pieces import components
from engines.tanglewood.preview import swings
from engines.tanglewood.truth.play import later_in_round, list_discards
from engines.tanglewood.truth.state import POLL, TanglewoodState, is_asked, owing, question_for
from engines.tanglewood.view import TanglewoodView


def view_of(state: TanglewoodState, viewer: Seat | None, *, reveals: bool = True) -> TanglewoodView:
    """Return what that seat, or with None a spectator, may know. Rules: What is known."""
    over = state.phase == "over" and reveals
    tangles = tuple(tangle for tangle in state.deck if tangle != POLL)
    return TanglewoodView(
        **state.public_fields(),
        viewer=viewer,
        before=dict(state.before_last if viewer is None else state.before[viewer]),
        deck=len(tangles),
        reserve=len(state.reserve),
        hands=tuple(tuple(hand) if over or seat == viewer else None for seat, hand in enumerate(state.hands)),
        held=tuple(len(hand) for hand in state.hands),
        mine=None if viewer is None else state.chosen[viewer],
        owing=owing(state),
        ballot_deck=len(state.ballot_deck),
        ballot_discards=len(list_discards(state)),
        dropped=() if viewer is None else tuple(state.dropped[viewer]),
        deck_tangles=tangles if over else None,
        reserve_tangles=tuple(state.reserve) if over else None,
        ballots_left=tuple(state.ballot_deck) if over else None,
    )


def sample_state(view: TanglewoodView, luck: Random) -> TanglewoodState:
    """Sample a state that fits a seat's view.

    Others' secret choices are any that they may make. Raise ValueError for the view of a spectator.
    """
    viewer = view.viewer
    if viewer is None:
        raise ValueError("a spectator imagines nothing")
    seen = {view.card, *view.discards, *view.tangles.values()}
    tangles = [tangle for tangle in components.REGULAR_TANGLES if tangle not in seen]
    hidden = Counter(components.BALLOTS) - Counter(
        [*view.played_ballots, *view.dropped, *(view.hands[viewer] or ())]
    )
    ballots = sorted(hidden.elements())
    luck.shuffle(tangles)
    luck.shuffle(ballots)
    hands = [
        sorted(_take(ballots, held)) if hand is None else list(hand)
        for hand, held in zip(view.hands, view.held, strict=True)
    ]
    dropped: list[list[components.Region]] = [[] for _ in range(view.seats)]
    unplayed = view.ballot_discards - len(view.played_ballots) - len(view.dropped)
    dropped[viewer - 1] = sorted(_take(ballots, unplayed))
    dropped[viewer] = list(view.dropped)
    state = TanglewoodState(
        **view.public_fields(),
        seed=luck.randbytes(SEED_SIZE),
        before=[view.before] * view.seats,
        before_turn=view.before,
        before_last=view.before,
        deck=_take(tangles, view.deck),
        reserve=_take(tangles, view.reserve),
        box=tangles,
        hands=hands,
        chosen=[None] * view.seats,
        ballot_deck=ballots,
        dropped=dropped,
    )
    if view.poll_round is None:
        state.deck.insert(_depth_of_poll(view.options, view.deck, luck), POLL)
    if view.phase in ("ballots", "keep"):
        for seat in state.remaining:
            if seat not in view.owing and is_asked(state, seat):
                state.chosen[seat] = view.mine if seat == viewer else _choice(question_for(state, seat), luck)
    return state


def _take(pile: list[str], number: int) -> list[str]:
    return [pile.pop() for _ in range(number)]


def resample_hidden(
    state: TanglewoodState, viewer: Seat | None, rng: Random, *, reveals: bool = True
) -> TanglewoodState:
    """Redraw the decks, hidden ballots, and the seed.

    Secret choices of others are made again too, from their new hands.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=TanglewoodState)
    if state.phase == "over" and reveals:
        return other
    has_poll = POLL in other.deck
    if has_poll:
        other.deck.remove(POLL)
    depth = _depth_of_poll(other.options, len(other.deck), rng)
    _deal_anew([other.deck, other.reserve, other.box], rng)
    if has_poll:
        other.deck.insert(depth, POLL)
    hidden = [
        pile for piles in (other.hands, other.dropped) for seat, pile in enumerate(piles) if seat != viewer
    ]
    _deal_anew([*hidden, other.ballot_deck], rng)
    for pile in hidden:
        pile.sort()
    for seat, chosen in enumerate(other.chosen):
        if chosen is not None and seat != viewer:
            other.chosen[seat] = _choice(question_for(other, seat), rng)
    other.seed = rng.randbytes(len(state.seed))
    other.planned = []
    return other


def _deal_anew(piles: list[list[str]], rng: Random) -> None:
    """Shuffle all of the piles together and deal them out again in their sizes."""
    cards = [card for pile in piles for card in pile]
    rng.shuffle(cards)
    rest = iter(cards)
    for pile in piles:
        pile[:] = [next(rest) for _ in pile]


def _depth_of_poll(options: components.TanglewoodOptions, left: int, rng: Random) -> int:
    """Draw the number of remaining Tangles above the Poll."""
    length = components.LENGTHS[options.length]
    least, most = (above - (length.draw_deck - left) for above in length.poll_cards_above)
    return rng.randint(max(0, least), max(0, most))


def _choice(question: Question, rng: Random) -> tuple[components.Region, ...]:
    moves = [move for move in legal(question) if isinstance(move, PlayBallots | KeepBallots)]
    return rng.choice(moves).regions


MOST_VOTES = "most_votes"
"""The standing answer that plays and keeps the ballots worth most votes now."""


def ahead(view: TanglewoodView, seat: Seat) -> TanglewoodView | None:
    """Return the seat's next turn, from its view alone.

    None during a vote, before one that comes first, and while a Tangle is carried out: nobody knows the next
    one there.
    """
    if view.viewer != seat or view.seat in (None, seat) or seat in view.out or view.card is not None:
        return None
    playing = [other for other in view.order if other not in view.out]
    begins_round = seat not in later_in_round(view, view.seat)
    if begins_round and view.round == view.scoring_round:
        return None
    between = (playing.index(seat) - playing.index(view.seat)) % len(playing)
    turns, number = view.turns + between, view.round + begins_round
    return replace(view, phase="turn", seat=seat, owing=(seat,), turns=turns, round=number, benefit=[])


def standing_answer(view: TanglewoodView, seat: Seat, answer: str) -> PlayBallots | KeepBallots | None:
    """Return the ballots of a seat by its standing answer. None if it isn't asked about ballots."""
    hand = view.hands[seat]
    if answer != MOST_VOTES or hand is None or view.phase not in ("ballots", "keep"):
        return None
    if view.phase == "ballots":
        return PlayBallots(_worth_most(view, seat, hand, components.SCORING.ballots_played))
    return KeepBallots(_worth_most(view, seat, hand, min(components.SCORING.ballots_kept, len(hand))))


def _worth_most(
    view: TanglewoodView, seat: Seat, hand: Sequence[components.Region], number: int
) -> tuple[components.Region, ...]:
    """Return the ballots that bring the seat most votes now.

    Of equal ones those that bring the others fewest, then the first.
    """

    def gain(regions: tuple[components.Region, ...]) -> tuple[int, int]:
        change = swings(view, workers_after(view.workers, seat, PlayBallots(regions), view.active))
        return change[seat], 2 * change[seat] - sum(change)

    return max(combinations(sorted(hand), number), key=gain)
