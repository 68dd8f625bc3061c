from copy import deepcopy
from random import Random

import msgspec
import pytest

from engines.ribbon import GAME
from engines.ribbon.pieces.board import spell
from engines.ribbon.pieces.components import CARDS
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.view import RibbonChanges, RibbonView
from engines.ribbon.words import board
from tests.engines.conformance import encode_state
from tests.engines.ribbon.arrange import arranging, begin, circle, hands, run
from tests.engines.ribbon.games import CLEAN, FIRST_OUT, THREE, VERSUS_FULL, WORKED, WORKED_GAME


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


@pytest.mark.parametrize(
    ("viewer", "seen"), [(0, ["ERP", "?B?"]), (1, ["?R?", "ABO"]), (None, ["?R?", "?B?"])]
)
def test_versus_shows_the_own_hand_and_the_shown_cards_of_others(viewer: int | None, seen: list[str]) -> None:
    assert hands_seen(begin_worked_game(), viewer) == seen


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_coop_shows_every_hand_to_everybody(viewer: int | None) -> None:
    assert hands_seen(begin(WORKED, mode="coop"), viewer) == ["ENP", "ARO"]


@pytest.mark.parametrize("mode", ["versus", "coop"])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_nobody_sees_a_face_down_card(mode: str, viewer: int | None) -> None:
    state = begin(WORKED, mode=mode)
    view = GAME.view(state, viewer)
    assert view.circle == view.beneath == (None,) * 12


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


def test_before_a_blind_choice_everything_is_unseen() -> None:
    state = begin(WORKED)
    assert GAME.view(state, 0).unseen == CARDS


def test_dealt_ribbons_leave_nothing_to_choose_so_hands_are_seen_at_once() -> None:
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


def test_a_seat_that_is_out_sees_what_a_spectator_sees() -> None:
    state = begin(THREE, 3, first=2, eliminated="LB")
    run(state, FIRST_OUT)
    assert GAME.view(state, 0) == GAME.view(state, None)


def test_only_the_receiver_knows_a_dealt_card() -> None:
    state = begin(THREE, 3, first=2, eliminated="LB")
    run(state, FIRST_OUT)
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


def test_the_changes_of_the_last_turn_stay_until_this_one_changes_something() -> None:
    state = begin(WORKED)
    run(state, "green; purple; flip 10; flip 9; swap 9")
    assert GAME.view(state, None).changes == RibbonChanges(flipped=10, swap=9)
    run(state, "pass")
    assert GAME.view(state, None).changes == RibbonChanges(flipped=10, swap=9)
    run(state, "flip 8; swap 8; exchange 10 N")
    assert GAME.view(state, None).changes.places() == {8: "swapped", 9: "flipped", 10: "exchanged"}


def test_a_card_that_was_turned_up_and_taken_is_marked_as_an_exchange() -> None:
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

    assert "in hand. You see them once everyone has a ribbon." in text
    assert "You can't see them." in text
