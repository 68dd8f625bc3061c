from typing import Any

import msgspec
import pytest

from engines.game import IllegalMove
from engines.ribbon import GAME
from engines.ribbon.moves import Exchange, RibbonEndTurn, RibbonSwap
from engines.ribbon.pieces.board import place_after_swap, tangles
from engines.ribbon.preview import (
    TurnDraft,
    can_end_safely,
    drafts,
    exchanges,
    is_won,
    losing_tangles,
    must_go,
    preview_turn,
    risky_cards,
    safe_drafts,
    swaps,
    would_lose,
)
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.view import RibbonChanges, RibbonView, hand_to_use, matters, owner, tangles_of
from tests.engines.cases import CASES
from tests.engines.conformance import decode_state, encode_state, sample
from tests.engines.ribbon.arrange import arranging, begin, in_moves, labels, legal, run
from tests.engines.ribbon.games import CLEAN, NEARLY, NEARLY_FULL, THREE, VERSUS_FULL

RIBBON = next(case for case in CASES if case.slug == "ribbon")


def arrange_positions(games: int) -> list[RibbonState]:
    return [
        state
        for _, _, steps in sample(RIBBON, games, "drafts")
        for step in steps
        if (state := decode_state(GAME, step.before)).phase == "arrange"
    ]


def team() -> RibbonView:
    """Return the worked co-op turn.

    Circle ``QIGEKBHMDNCA`` with 7G and 7P tangled, seat 0 holding F, J, L.
    """
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    view: RibbonView = GAME.view(state, 0)
    return view


def test_a_preview_is_the_view_that_playing_it_gives() -> None:
    for state in arrange_positions(25):
        view = GAME.view(state, state.seat)
        for draft in list(drafts(view))[::7]:
            preview = preview_turn(view, draft.swap, draft.exchange)
            played: RibbonState = decode_state(GAME, encode_state(state))
            for move in in_moves(draft):
                GAME.play(played, state.seat, move)
            if played.phase != "over":
                assert preview == GAME.view(played, state.seat)
            else:
                assert is_won(preview)
                assert preview.circle == tuple(played.circle)


def test_drafts_are_the_ways_to_end_a_turn_each_once() -> None:
    for state in arrange_positions(10):
        view = GAME.view(state, state.seat)
        listed = list(drafts(view))
        assert listed[0] == TurnDraft()
        assert len(set(listed)) == len(listed) <= 481
        firsts = {in_moves(draft)[0] if in_moves(draft) else RibbonEndTurn() for draft in listed}
        assert firsts == {
            move for move in legal(state) if isinstance(move, RibbonSwap | Exchange | RibbonEndTurn)
        }


@pytest.mark.slow
def test_ending_a_turn_loses_exactly_when_the_view_warns_of_it() -> None:
    for state in arrange_positions(60):
        warned = would_lose(GAME.view(state, state.seat))
        seat = state.seat
        GAME.play(state, seat, RibbonEndTurn())
        if state.options.mode == "versus":
            assert bool(warned) == (seat in state.out)
        else:
            assert warned == state.lost_by


def test_a_preview_refuses_what_play_refuses_with_the_same_words() -> None:
    view = team()
    tried: list[tuple[dict[str, Any], str]] = [
        ({"swap": 13}, "There's no such place. Choose 1 to 12."),
        ({"exchange": (0, "F")}, "There's no such place. Choose 1 to 12."),
        ({"exchange": (1, "O")}, "You don't have that card."),
    ]
    for draft, reason in tried:
        with pytest.raises(IllegalMove) as refusal:
            preview_turn(view, **draft)
        assert str(refusal.value) == reason
    with pytest.raises(IllegalMove, match="You've already swapped"):
        preview_turn(preview_turn(view, swap=1), swap=2)
    with pytest.raises(IllegalMove, match="You've already exchanged"):
        preview_turn(preview_turn(view, exchange=(8, "J")), exchange=(8, "M"))


def test_nothing_can_be_arranged_in_another_phase() -> None:
    view = GAME.view(begin(NEARLY, mode="coop"), 0)
    assert list(drafts(view)) == []
    assert not swaps(view)
    assert not exchanges(view)
    with pytest.raises(IllegalMove, match="swap or exchange now"):
        preview_turn(view, swap=1)


def test_a_solo_preview_tells_a_resting_hand_from_a_card_not_held() -> None:
    state = arranging("QI??????????", ["FO", "LJ"], mode="solo", turn=3)
    view = GAME.view(state, 0)
    with pytest.raises(IllegalMove, match="You can't use that hand this turn"):
        preview_turn(view, exchange=(1, "L"))


@pytest.mark.parametrize(
    ("draft", "tangled", "lost_by"),
    [
        (TurnDraft(), "7G 7P", "7G 7P"),
        (TurnDraft(exchange=(8, "J")), "8O 8P", ""),
        (TurnDraft(swap=8), "7O 8O 8P 9G", ""),
        (TurnDraft(swap=8, exchange=(8, "L")), "7P 8G 8P 9G", "7P"),
    ],
)
def test_a_draft_in_coop_is_warned_of_by_what_stood_before(
    draft: TurnDraft, tangled: str, lost_by: str
) -> None:
    preview = preview_turn(team(), draft.swap, draft.exchange)
    assert labels(preview.tangles) == tangled
    assert labels(would_lose(preview)) == labels(must_go(preview)) == lost_by
    assert not is_won(preview)


def test_a_draft_that_wins_is_known() -> None:
    assert is_won(preview_turn(team(), exchange=(8, "F")))


def test_a_draft_marks_the_card_it_takes_as_shown() -> None:
    preview = preview_turn(team(), exchange=(8, "F"))
    assert preview.hands[0] == ("M", "J", "L")
    assert preview.shown[0] == ("M",)
    assert hand_to_use(preview) == ("M", "J", "L")
    assert preview.changes == RibbonChanges(exchanged=8)


def test_a_tie_can_no_longer_be_offered_in_a_preview() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    view = GAME.view(state, 0)
    assert view.may_offer
    preview = preview_turn(view, swap=3)
    run(state, "swap 3")
    assert preview == GAME.view(state, 0)
    assert not preview.may_offer


def test_an_exchange_follows_its_card_when_a_swap_is_drafted_later() -> None:
    assert [place_after_swap(place, 8) for place in (7, 8, 9)] == [7, 9, 8]
    assert [place_after_swap(place, 12) for place in (12, 1)] == [1, 12]


@pytest.mark.parametrize(("hand", "way_out"), [("IKH", True), ("BCD", False)])
def test_a_seat_is_told_whether_anything_clears_its_ribbon(hand: str, way_out: bool) -> None:
    state = arranging("AEFGJL??????", [hand, "MNO"])
    view = GAME.view(state, 0)
    assert can_end_safely(view) == way_out == any(not losing_tangles(view, c) for c in reachable(view))


def reachable(view: RibbonView) -> list[tuple[str | None, ...]]:
    return [preview_turn(view, draft.swap, draft.exchange).circle for draft in drafts(view)]


def test_a_safe_draft_ends_the_turn_without_a_loss() -> None:
    for state in arrange_positions(6):
        view = GAME.view(state, state.seat)
        for draft in safe_drafts(view, 3):
            after, seat = decode_state(GAME, encode_state(state)), state.seat
            for move in in_moves(draft):
                GAME.play(after, seat, move)
            if after.outcome is None and after.phase == "arrange" and after.seat == seat:
                GAME.play(after, seat, RibbonEndTurn())
            assert seat not in after.out
            assert after.outcome is None or after.outcome.won is not False


def test_safe_drafts_begin_with_the_fewest_steps() -> None:
    view = GAME.view(arranging("AEFGJL??????", ["IKH", "MNO"]), 0)

    steps = [(one.swap is not None) + (one.exchange is not None) for one in safe_drafts(view, 99)]

    assert steps == sorted(steps)
    assert steps


def test_no_draft_is_safe_if_nothing_clears_the_ribbon() -> None:
    assert safe_drafts(GAME.view(arranging("AEFGJL??????", ["BCD", "MNO"]), 0), 3) == []


@pytest.mark.parametrize("mode", ["versus", "coop"])
def test_a_place_counts_the_unseen_cards_that_would_tangle(mode: str) -> None:
    view = GAME.view(arranging("AE?GJL??????", ["IKH", "MNO"], mode=mode), 0)
    own = view.ribbons[0] if mode == "versus" else None
    for place in (3, 7, 9):
        risky = 0
        for card in view.unseen:
            circle = tuple(card if at == place else old for at, old in enumerate(view.circle, start=1))
            new = set(tangles(circle)) - set(tangles(view.circle))
            risky += any(own in (None, one.colour) for one in new)
        assert risky_cards(view, place) == risky


def test_a_viewer_who_cannot_see_the_hand_drafts_only_what_is_shown() -> None:
    state = arranging("????Q???????", ["ABC", "DEF"], shown=[["B"], []])
    view = GAME.view(state, None)
    assert hand_to_use(view) == ("B",)
    assert exchanges(view) == ((5, "B"),)


def test_ribbons_and_their_owners() -> None:
    state = begin(THREE, 3, first=2, eliminated="LB")
    run(state, "purple; green; flip 8; flip 9; swap 8; exchange 9 Q")
    view = GAME.view(state, 0)
    assert [owner(view, colour) for colour in ("green", "orange", "purple")] == [0, 1, 2]
    assert labels(tangles_of(view, "orange")) == "8O"
    run(state, "pass")
    after = GAME.view(state, 1)
    assert owner(after, "green") is None
    assert after.remaining == [1, 2]
    assert [tangle.label for tangle in after.tangles if matters(after, tangle)] == ["8O", "8P"]


def test_in_coop_every_tangle_matters() -> None:
    assert all(matters(team(), tangle) for tangle in team().tangles)


def test_a_view_is_a_value() -> None:
    view = team()
    before = msgspec.json.encode(view)
    preview_turn(view, swap=1, exchange=(4, "F"))
    assert msgspec.json.encode(view) == before
