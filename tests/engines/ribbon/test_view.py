from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import IllegalMove
from engines.ribbon import GAME
from engines.ribbon.moves import Exchange, RibbonEndTurn, RibbonSwap
from engines.ribbon.pieces.board import place_after_swap, spell, tangles
from engines.ribbon.pieces.components import CARDS
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
from engines.ribbon.words import board
from tests.engines.cases import CASES
from tests.engines.conformance import decode_state, encode_state, sample
from tests.engines.ribbon.arrange import arranging, begin, circle, hands, in_moves, labels, legal, run
from tests.engines.ribbon.games import (
    CLEAN,
    FIRST_OUT,
    NEARLY,
    NEARLY_FULL,
    THREE,
    VERSUS_FULL,
    WORKED,
    WORKED_GAME,
)

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


def test_nothing_can_be_arranged_in_another_phase_or_with_a_resting_hand() -> None:
    view = GAME.view(begin(NEARLY, mode="coop"), 0)
    assert list(drafts(view)) == []
    assert not swaps(view)
    assert not exchanges(view)
    with pytest.raises(IllegalMove, match="swap or exchange now"):
        preview_turn(view, swap=1)
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
def test_a_coop_draft_is_warned_of_by_what_was_there(draft: TurnDraft, tangled: str, lost_by: str) -> None:
    preview = preview_turn(team(), draft.swap, draft.exchange)
    assert labels(preview.tangles) == tangled
    assert labels(would_lose(preview)) == labels(must_go(preview)) == lost_by
    assert not is_won(preview)


def test_a_draft_marks_the_card_it_takes_as_shown_and_knows_that_it_wins() -> None:
    preview = preview_turn(team(), exchange=(8, "F"))
    assert preview.hands[0] == ("M", "J", "L")
    assert preview.shown[0] == ("M",)
    assert hand_to_use(preview) == ("M", "J", "L")
    assert preview.changes == RibbonChanges(exchanged=8)
    assert is_won(preview)


def test_a_tie_can_no_longer_be_offered_in_a_preview() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    view = GAME.view(state, 0)
    assert view.may_offer
    preview = preview_turn(view, swap=3)
    run(state, "swap 3")
    assert preview == GAME.view(state, 0)
    assert not preview.may_offer


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


def test_safe_drafts_begin_with_the_fewest_steps_and_none_is_if_nothing_clears_the_ribbon() -> None:
    view = GAME.view(arranging("AEFGJL??????", ["IKH", "MNO"]), 0)

    steps = [(one.swap is not None) + (one.exchange is not None) for one in safe_drafts(view, 99)]

    assert steps == sorted(steps)
    assert steps
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


def test_ribbons_and_their_owners_and_in_coop_every_tangle_matters() -> None:
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
    assert all(matters(team(), tangle) for tangle in team().tangles)


def test_a_view_is_a_value_and_an_exchange_follows_its_card_when_a_swap_is_drafted_later() -> None:
    view = team()
    before = msgspec.json.encode(view)
    preview_turn(view, swap=1, exchange=(4, "F"))
    assert msgspec.json.encode(view) == before
    assert [place_after_swap(place, 8) for place in (7, 8, 9)] == [7, 9, 8]
    assert [place_after_swap(place, 12) for place in (12, 1)] == [1, 12]


def begin_worked_game() -> RibbonState:
    """Return the worked game at turn 6. Seat 0 is known to hold R, seat 1 to hold B."""
    state = begin(WORKED)
    run(state, WORKED_GAME.rpartition("; flip 3")[0])
    return state


def hands_seen(state: RibbonState, viewer: int | None) -> list[str]:
    return [spell(hand) for hand in GAME.view(state, viewer).hands]


def letters(view: RibbonView) -> str:
    named = {card for cards in (view.circle, view.beneath, view.aside, *view.hands) for card in cards if card}
    return "".join(sorted(named))


def test_a_face_down_card_stays_unknown_when_it_is_swapped() -> None:
    state = arranging("????Q???????", ["ABC", "DEF"])
    beneath = state.beneath[3]
    run(state, "swap 4")
    assert state.beneath[4] == beneath
    for viewer in (0, 1, None):
        assert GAME.view(state, viewer).beneath == (None,) * 12


def test_the_state_has_nothing_more_in_a_view_than_it_may_say() -> None:
    state = begin_worked_game()
    names = set(RibbonView.__struct_fields__)
    assert names.isdisjoint({"seed", "draws", "eliminated", "positions"})
    assert letters(GAME.view(state, None)) == "BHIJNQR"
    assert b"tangle parlour" not in msgspec.msgpack.encode(GAME.view(state, None))


@pytest.mark.parametrize(("viewer", "unseen"), [(0, "ACDFGKLMO"), (1, "CDEFGKLMP"), (None, "ACDEFGKLMOP")])
def test_unseen_is_what_a_player_with_a_good_memory_cannot_place(viewer: int | None, unseen: str) -> None:
    assert "".join(GAME.view(begin_worked_game(), viewer).unseen) == unseen


def test_before_a_blind_choice_all_is_unseen_and_with_dealt_ribbons_hands_are_seen_at_once() -> None:
    state = begin(WORKED)
    assert GAME.view(state, 0).unseen == CARDS
    state = begin(WORKED, ribbon_choice="random", colours=("green", "purple", "orange"))
    assert hands_seen(state, 0) == ["ENP", "???"]


def test_a_shown_card_stays_shown_until_it_is_played() -> None:
    state = arranging("????Q???????", ["ABC", "DEF"], ribbons=["green", "orange"])
    run(state, "exchange 5 B; pass; flip 1; pass; flip 9")
    assert GAME.view(state, 1).hands[0] == (None, "Q", None)
    run(state, "exchange 9 Q")
    assert GAME.view(state, 1).hands[0] == (None, circle_taken(state), None)
    assert "Q" in circle(state)


def circle_taken(state: RibbonState) -> str:
    (card,) = state.shown[0]
    return card


def test_a_seat_that_is_out_sees_as_a_spectator_and_only_the_receiver_knows_a_dealt_card() -> None:
    state = begin(THREE, 3, first=2, eliminated="LB")
    run(state, FIRST_OUT)
    assert GAME.view(state, 0) == GAME.view(state, None)
    assert hands_seen(state, 1) == ["", "RNL", "???"]
    assert hands_seen(state, 2) == ["", "???", "MJB"]
    assert hands_seen(state, None) == ["", "???", "???"]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_everything_is_open_when_the_game_is_over(viewer: int | None) -> None:
    state = begin(WORKED)
    run(state, WORKED_GAME)
    view = GAME.view(state, viewer)
    assert hands_seen(state, viewer) == ["ERP", "ABO"]
    assert spell(view.beneath) == "DK?MFCL?????"
    assert spell(view.circle) == "??G????QINJH"
    assert [tangle.label for tangle in view.tangles] == ["9P", "10P", "11O", "11P"]
    assert view.unseen == ()
    assert letters(view) == "".join(CARDS)


def test_a_view_says_whose_turn_it_is_and_who_owes() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie")
    view = GAME.view(state, None)
    assert (view.seat, view.owes, view.phase) == (0, (1,), "tie_vote")


def test_the_last_turns_changes_stay_until_this_one_has_some_and_a_taken_flip_is_an_exchange() -> None:
    state = begin(WORKED)
    run(state, "green; purple; flip 10; flip 9; swap 9")
    assert GAME.view(state, None).changes == RibbonChanges(flipped=10, swap=9)
    run(state, "pass")
    assert GAME.view(state, None).changes == RibbonChanges(flipped=10, swap=9)
    run(state, "flip 8; swap 8; exchange 10 N")
    assert GAME.view(state, None).changes.places() == {8: "swapped", 9: "flipped", 10: "exchanged"}
    state = arranging("????Q???????", ["ABC", "DEF"], changes=RibbonChanges(flipped=5))
    run(state, "exchange 5 B")
    assert GAME.view(state, None).changes == RibbonChanges(exchanged=5)


def test_a_redeal_moves_only_what_the_viewer_cannot_place() -> None:
    state = begin_worked_game()
    rng = Random(1)
    seen_elsewhere = set()
    for _ in range(60):
        other = GAME.resample_hidden(state, 1, rng)
        assert other.circle == state.circle
        assert other.hands[1] == state.hands[1]
        assert other.hands[0][1] == "R"
        assert sorted(filter(None, [*other.beneath, *other.hands[0]])) == sorted("DKGMFCLEPR")
        seen_elsewhere.add(other.hands[0][0])
    assert seen_elsewhere == set("DKGMFCLEP")


def test_a_redeal_keeps_the_count_of_positions_consistent() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; pass; pass; exchange 4 F")
    before = encode_state(state)
    other = next(
        o for n in range(9) if (o := GAME.resample_hidden(state, None, Random(n))).hands != state.hands
    )
    assert encode_state(state) == before
    for position in other.positions[-2:]:
        assert position.hands[1] == tuple(sorted(other.hands[1]))
    one, two = deepcopy(state), deepcopy(other)
    assert [len(set(map(encode_state, s.positions))) for s in (one, two)] == [2, 2]


def test_a_redeal_of_a_finished_game_changes_nothing_that_can_be_seen() -> None:
    state = begin(WORKED)
    run(state, WORKED_GAME)
    other = GAME.resample_hidden(state, None, Random(1))
    assert (hands(other), other.beneath) == (hands(state), state.beneath)


def test_before_a_blind_choice_your_hand_says_when_you_see_it() -> None:
    view = GAME.view(begin(WORKED), 0)

    text = "\n".join(part.text for part in board.parts(view, ("Ann", "Bo")))

    assert "in hand. You'll see them once everyone has a ribbon." in text
    assert "You can't see them." in text
