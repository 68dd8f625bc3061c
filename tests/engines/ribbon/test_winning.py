"""Win in one: a circle that can be untangled is, and a rival who can be left no way out is left none."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.moves import Flip
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.view import RibbonView
from tests.engines.ribbon.arrange import arranging
from tests.often import often

pytestmark = pytest.mark.slow
PARTS = often(1, 5)
"""The games are parted, so that several processes can look at once."""

WINS = often(1, 500 // PARTS)
"""The number of positions of each part in which a turn wins and must be played."""
STRENGTHS = (Strength.MEDIUM, Strength.STRONG)
EARLIEST = {"coop": often(168, 0), "versus": often(307, 0)}
"""The game from which on it is looked for them: the first that has one, where one is enough."""


def positions(part: int, **options: Any) -> Iterator[RibbonState]:
    """Yield full circles that the seat to act may arrange."""
    for number in count(EARLIEST[options["mode"]] + part, PARTS):
        rng, seed = Random(number), number.to_bytes(8, "big")
        settled = GAME.settle(2, RibbonOptions(**options))
        state = GAME.begin(2, settled, GAME.deal(2, settled, seed), seed)
        while (prompts := GAME.prompts(state)) and state.turn < 40:
            seat = next(iter(prompts))
            view = GAME.view(state, seat)
            if view.full and state.phase == "arrange" and not (state.swapped or state.exchanged):
                yield copy_state(state)
            GAME.play(state, seat, GAME.choose(view, seat, rng, Strength.MEDIUM))


def leaves_no_way_out(view: RibbonView, state: RibbonState, draft: TurnDraft) -> bool:
    """Return True if every end of the other's turn puts it out."""
    if losing_tangles(view, apply_draft(view.circle, draft)):
        return False
    after = copy_state(state)
    after.circle = tuple(apply_draft(view.circle, draft))
    after.seat = 1 - view.seat
    if draft.exchange is not None:
        place, card = draft.exchange
        before = view.circle if draft.swap is None else apply_draft(view.circle, TurnDraft(draft.swap))
        taken = before[place - 1]
        assert taken is not None
        after.hands[view.seat] = [taken if held == card else held for held in after.hands[view.seat]]
    theirs = GAME.view(after, after.seat)
    return all(losing_tangles(theirs, apply_draft(theirs.circle, reply)) for reply in drafts(theirs))


def copy_state(state: RibbonState) -> RibbonState:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=RibbonState)


def end_turn(state: RibbonState, strength: Strength) -> RibbonState:
    after = copy_state(state)
    seat, turn = after.seat, after.turn
    while after.turn == turn and after.phase == "arrange":
        GAME.play(after, seat, GAME.choose(GAME.view(after, seat), seat, Random(1), strength))
    return after


@pytest.mark.parametrize("part", range(PARTS))
def test_a_team_untangles_what_it_can(part: int) -> None:
    won = 0
    for state in positions(part, mode="coop"):
        view = GAME.view(state, state.seat)
        if any(is_winning(view, apply_draft(view.circle, draft)) for draft in drafts(view)):
            for strength in STRENGTHS:
                outcome = end_turn(state, strength).outcome
                assert outcome is not None
                assert outcome.won
            won += 1
        if won == WINS:
            return


@pytest.mark.parametrize("part", range(PARTS))
def test_a_rival_is_left_no_way_out_where_that_can_be(part: int) -> None:
    won = 0
    for state in positions(part, mode="versus"):
        view = GAME.view(state, state.seat)
        if any(leaves_no_way_out(view, state, draft) for draft in drafts(view)):
            for strength in STRENGTHS:
                theirs = GAME.view(end_turn(state, strength), 1 - state.seat)
                assert all(
                    losing_tangles(theirs, apply_draft(theirs.circle, reply)) for reply in drafts(theirs)
                )
            won += 1
        if won == WINS:
            return


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_rival_is_left_no_flip_that_helps(strength: Strength) -> None:
    open_hands = ["PIB", "LCR"]
    state = arranging("KJMDNFH?QGE?", open_hands, shown=[list(hand) for hand in open_hands])

    after = end_turn(state, strength)

    places = [place for place, card in enumerate(after.circle, start=1) if card is None]
    assert len(places) == 2
    for place in places:
        flipped = copy_state(after)
        GAME.play(flipped, 1, Flip(place))
        theirs = GAME.view(flipped, 1)
        assert all(losing_tangles(theirs, apply_draft(theirs.circle, reply)) for reply in drafts(theirs))
