"""From the whole truth to what one viewer may know, and back to all that the viewer can't rule out."""

from __future__ import annotations

from random import Random

import msgspec

from engines.game import Seat
from engines.tanglewood.components import LENGTHS, Region
from engines.tanglewood.legal import Question, legal
from engines.tanglewood.moves import KeepBallots, PlayBallots
from engines.tanglewood.truth.ballots import discarded
from engines.tanglewood.truth.state import POLL, State, asked, owing
from engines.tanglewood.view import View


def view_of(state: State, viewer: Seat | None) -> View:
    """What that seat, or with None a spectator, may know. Rules: What is known."""
    over = state.phase == "over"
    tangles = tuple(tangle for tangle in state.deck if tangle != POLL)
    return View(
        **state.lying_open(),
        viewer=viewer,
        before=dict(state.before_last if viewer is None else state.before[viewer]),
        owed=state.owed,
        deck=len(tangles),
        reserve=len(state.reserve),
        hands=tuple(tuple(hand) if over or seat == viewer else None for seat, hand in enumerate(state.hands)),
        held=tuple(len(hand) for hand in state.hands),
        mine=None if viewer is None else state.chosen[viewer],
        owing=owing(state),
        ballot_deck=len(state.ballot_deck),
        ballot_discards=len(discarded(state)),
        dropped=() if viewer is None else tuple(state.dropped[viewer]),
        deck_tangles=tangles if over else None,
        reserve_tangles=tuple(state.reserve) if over else None,
        ballots_left=tuple(state.ballot_deck) if over else None,
    )


def redeal(state: State, viewer: Seat | None, rng: Random) -> State:
    """The state with the decks, the ballots that the viewer doesn't see, and the seed, drawn anew.

    Choices that others have made in secret are made anew too, from what they hold then.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)
    if state.phase == "over":
        return other
    _redeal_tangles(other, rng)
    hidden = [
        pile for piles in (other.hands, other.dropped) for seat, pile in enumerate(piles) if seat != viewer
    ]
    _deal_anew([*hidden, other.ballot_deck], rng)
    for pile in hidden:
        pile.sort()
    for seat, chosen in enumerate(other.chosen):
        if chosen is not None and seat != viewer:
            other.chosen[seat] = _choice(asked(other, seat), rng)
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


def _redeal_tangles(state: State, rng: Random) -> None:
    """Shuffle deck, reserve and box, and put the Poll where it may still lie."""
    hidden = POLL in state.deck
    if hidden:
        state.deck.remove(POLL)
    drawn = LENGTHS[state.options.length].draw_deck - len(state.deck)
    _deal_anew([state.deck, state.reserve, state.box], rng)
    if hidden:
        least, most = LENGTHS[state.options.length].poll_cards_above
        state.deck.insert(rng.randint(max(0, least - drawn), most - drawn), POLL)


def _choice(question: Question, rng: Random) -> tuple[Region, ...]:
    """Any choice that the vote allows."""
    moves = [move for move in legal(question) if isinstance(move, PlayBallots | KeepBallots)]
    return rng.choice(moves).regions
