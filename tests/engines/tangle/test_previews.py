"""The previews of Tangle: what they say comes true, whatever the card and the space."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engines.game import Event, Seat
from engines.tangle import GAME
from engines.tangle.decisions import Casting, Upkeep
from engines.tangle.events import Fed, Gained, Harvested, PileShuffled, RowFilled, SawCard, TollPaid, Took
from engines.tangle.legal.context import board_of
from engines.tangle.moves import Cast, Move, TanglePlace
from engines.tangle.pieces.components import CARDS, SPACES, CardId, size, total
from engines.tangle.truth.state import TangleState
from engines.tangle.view import TanglePublic
from engines.tangle.words.nouns import DOES
from tests.engines.tangle.arrange import begin, change, front, give, legal, put, stash
from tests.engines.tangle.test_properties import BOARDS, every_number_of_seats, positions
from tests.often import often

UNSEEN = (SawCard, RowFilled, PileShuffled)
MOVES, TRIES = 6, 5
"""The moves to try at each position, and the ways to play on after a card."""
pytestmark = pytest.mark.slow


def open_facts(position: TanglePublic) -> dict[str, object]:
    """Return the open facts that don't depend on unseen cards."""
    facts = position.public_fields()
    return {name: fact for name, fact in facts.items() if name not in ("row", "discards")}


def check(state: TangleState, seat: Seat, move: Move) -> None:
    view = GAME.view(state, seat)
    after, ahead = GAME.foresee(view, seat, [move]), GAME.preview(view, seat, move)
    played = state.copy()
    events = GAME.play(played, seat, move)
    if (played.turn, played.phase) == (state.turn, "play") and not isinstance(state.decision, Upkeep):
        seen = not any(isinstance(event, UNSEEN) for event in events)
        assert open_facts(after) == open_facts(played)
        assert after.decision == played.decision or not seen
        if seen:
            assert after.row == played.row
            assert after.discards == played.discards
            assert after.hand == tuple(played.hands[seat])
    if ahead is not None:
        check_placement(ahead, seat, events, played)


def check_placement(ahead: Any, seat: Seat, events: Sequence[Event], played: TangleState) -> None:
    brought = [event.gained for event in events if isinstance(event, Harvested | Took) and event.seat == seat]
    gained = [event for event in events if isinstance(event, Gained)]
    fed = [event for event in events if isinstance(event, Fed)]
    paid = sum(size(event.paid) for event in events if isinstance(event, TollPaid))
    assert ahead.gained == total([*brought, *(event.amount for event in gained if event.seat == seat)])
    assert list(ahead.gifts) == gained
    assert (ahead.fed, ahead.tiles) == ((fed[0].spaces, fed[0].tiles) if fed else ((), ()))
    assert sum(count for _, count in ahead.toll) == paid + played.reserve


@every_number_of_seats
def test_a_preview_comes_true_in_random_games(seats: int) -> None:
    rng = Random(seats)
    for state in positions(seats):
        for seat in GAME.prompts(state):
            moves = legal(state, seat)
            for move in rng.sample(moves, min(len(moves), MOVES)):
                check(state, seat, move)


def crowd(card: CardId, **options: Any) -> TangleState:
    """Arrange a card in front of two seats, roots everywhere, and land."""
    state = begin(4, **options)
    for seat in (0, 1)[: CARDS[card].copies]:
        front(state, seat, card)
    state.roots = dict.fromkeys(board_of(state).spaces, (1, 0, 2))
    put(state, 0, "meadow", "C6", "D9", cubes=2)
    put(state, 0, "bush", "C9", cubes=1)
    put(state, 0, "lake", "D8")
    put(state, 0, "earth", "C7", "D7")
    put(state, 0, "earth", "C8", seed="bush")
    put(state, 0, "earth", "D6", seed="tree")
    put(state, 0, "sapling", "C5")
    put(state, 1, "meadow", "E6", "D11", cubes=1)
    put(state, 1, "bush", "C11", "D5")
    change(state, 0, seeds=(1, 1))
    stash(state, 0, 5, 5, 5, 5)
    give(state, 0, "windfall" if card != "windfall" else "landslide")
    return state


@pytest.mark.parametrize("card", CARDS)
def test_a_preview_of_every_space_comes_true_with_every_card(card: CardId) -> None:
    rng, tried = Random(card), set[str]()
    for options in BOARDS[1:]:
        state = crowd(card, **options)
        for move in legal(state, 0):
            check(state, 0, move)
            if isinstance(move, TanglePlace) and move.to in SPACES:
                tried.add(board_of(state).spaces[move.to])
                if rng.random() < often(0.25, 1):
                    play_on(state, move, rng)
    assert tried == DOES.keys() - {""}


@pytest.mark.parametrize("card", CARDS)
def test_a_preview_of_every_card_that_is_cast_comes_true(card: CardId) -> None:
    state, rng = crowd("old_lore" if card == "quiet_chant" else "quiet_chant"), Random(card)
    give(state, 0, card)
    state.agenda = [Casting()]

    check(state, 0, Cast(card))
    for _ in range(TRIES):
        play_on(state, Cast(card), rng)


def play_on(state: TangleState, move: Move, rng: Random) -> None:
    """Play a move and random ones, and check the preview of each."""
    other = state.copy()
    GAME.play(other, 0, move)
    while other.turn == state.turn and GAME.prompts(other) and min(GAME.prompts(other)) == 0:
        moves = legal(other, 0)
        made = rng.choice(moves)
        check(other, 0, made)
        GAME.play(other, 0, made)
