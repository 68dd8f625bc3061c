import msgspec

from engines.game import Outcome
from engines.ribbon.pieces.board import RibbonTangle, parse, tangles
from engines.ribbon.view import RibbonView
from engines.ribbon.words import board as words
from engines.ribbon.words.captions import status, title, to_do
from render.ribbon import board, hand
from tests.render.positions import CLEAN, NAMES, TANGLED, view_circle

WORST = "MRMRMRMRMRMR"


def versus(circle: str = TANGLED) -> RibbonView:
    return view_circle(circle, "FLH", "OJR")


def captions(view: RibbonView) -> list[str]:
    return [caption.text for caption in to_do(view)]


def test_it_says_whose_turn_it_is_and_not_which() -> None:
    alt = board(versus(), NAMES).alt

    assert alt.startswith("It's Ann's turn.")
    assert "Turn 14" not in alt
    assert title(versus(), NAMES) == "Ann's turn"


def test_it_says_tangles_by_colour_and_owner_and_between_places() -> None:
    assert "Bo's orange is tangled at 2-3 and 4-5." in board(versus(), NAMES).alt


def test_it_says_when_a_tangle_is_nobodys() -> None:
    view = msgspec.structs.replace(versus(), tangles=(RibbonTangle(12, "purple"),))
    assert "Purple, which nobody owns, is tangled at 12-1" in board(view, NAMES).alt


def test_it_says_whose_ribbon_is_out_of_the_game() -> None:
    view = msgspec.structs.replace(versus(), tangles=(RibbonTangle(2, "orange"),), out=(1,))

    assert "Bo's orange, out of the game, is tangled at 2-3." in board(view, NAMES).alt
    told = " ".join(part.text for part in words.parts(view, NAMES))
    assert "Bo's ribbon, orange, out of the game, is tangled between 2 and 3" in told


def test_it_says_when_there_is_no_tangle() -> None:
    assert "No tangles." in board(versus(CLEAN), NAMES).alt


def test_it_says_every_card_with_its_ribbons() -> None:
    alt = board(versus(CLEAN), NAMES).alt
    assert "At 1: Q (green falling, orange rising, purple falling)." in alt
    assert "At 12: A (green rising, orange low, purple high)." in alt


def test_it_says_which_cards_lie_face_down() -> None:
    assert "Face down: 3 and 12." in board(versus("QI?EKBPMDNC?"), NAMES).alt


def test_it_counts_hidden_cards_and_names_shown_ones() -> None:
    alt = board(view_circle(CLEAN, "FLH", "OJR", shown=[["L"], []]), NAMES).alt
    assert (
        "Ann has the green ribbon and 3 cards. Everyone has seen L. Bo has the orange ribbon and 3 cards."
        in alt
    )


def test_it_tells_open_hands() -> None:
    alt = board(view_circle(CLEAN, "FLH", "OJR", mode="coop"), NAMES).alt
    assert (
        "Ann has F (green high, orange rising, purple low), L (green high, orange low, purple falling) "
        "and H (green high, orange falling, purple low)." in alt
    )


def test_it_says_which_solo_hand_is_next() -> None:
    picture = hand(view_circle(CLEAN, "FL", "HO", "JR", mode="solo", turn=13), 0, NAMES)
    assert picture is not None
    assert (
        "Hand 3 has J (green high, orange low, purple rising) and "
        "R (green rising, orange falling, purple falling)." in picture.alt
    )
    assert "is in use." in picture.alt


def test_cards_left_aside_are_told_once_they_are_known() -> None:
    view = view_circle(CLEAN, "FL", "HO", mode="solo")
    known = msgspec.structs.replace(view, aside=("J", "R"))
    assert (
        "J (green high, orange low, purple rising) and R (green rising, orange falling, purple falling) "
        "are out of the game." in board(known, NAMES).alt
    )
    assert "aside" not in board(msgspec.structs.replace(view, aside=(None, None)), NAMES).alt


def test_the_worst_circle_still_tells_all_places_and_tangles() -> None:
    circle = parse(WORST)
    view = msgspec.structs.replace(
        view_circle(CLEAN, "FL", "HO", "JQ"), circle=circle, tangles=tangles(circle)
    )
    names = ["A name of thirty-two letters, all"] * 3
    alt = board(view, names).alt
    assert len(alt) <= 1024
    assert "12-1" in alt
    assert "12: R (green rising, orange falling, purple falling)" in alt


def test_a_team_is_told_what_is_still_to_do() -> None:
    assert captions(view_circle("QA??????????", "FLH", "OJR", mode="coop")) == [
        "10 cards face down",
        "2 tangles to clear this turn",
    ]
    assert captions(view_circle(TANGLED, "FLH", "OJR", mode="coop")) == [
        "0 of 24 turns with all cards up",
        "2 tangles to clear this turn",
    ]


def test_full_circle_turns_are_counted_from_the_thirtieth() -> None:
    assert captions(versus()) == []
    assert captions(msgspec.structs.replace(versus(), full_turns=30)) == ["30 of 40 turns with all cards up"]


def test_a_tie_vote_shows_who_asks_and_who_must_answer() -> None:
    view = msgspec.structs.replace(view_circle(CLEAN, "FL", "HO", "JR"), phase="tie_vote", owes=(2,))
    assert [status(view, seat) for seat in range(3)] == ["offers a tie", "said yes", "to answer"]


def test_eliminated_seats_are_named_in_order() -> None:
    view = msgspec.structs.replace(view_circle(CLEAN, "FL", "HO", "JR"), out=(2, 0), owes=(1,))
    assert [status(view, seat) for seat in range(3)] == ["out 2nd", "to move", "out 1st"]


def end_game(
    view: RibbonView, how: str, places: tuple[int | None, ...], won: bool | None = None
) -> RibbonView:
    outcome = Outcome(how, places, won=won)
    return msgspec.structs.replace(view, phase="over", owes=(), outcome=outcome)


def test_every_ending_has_its_headline() -> None:
    team = view_circle(CLEAN, "FLH", "OJR", mode="coop")
    assert title(end_game(versus(), "last_untangled", (2, 1)), NAMES) == "Bo wins"
    assert title(end_game(versus(), "tie_agreed", (1, 1)), NAMES) == "A tie"
    assert title(end_game(team, "untangled", (1, 1), won=True), NAMES) == "Untangled!"
    assert title(end_game(team, "limit", (None, None), won=False), NAMES) == "Tangled"
    assert title(msgspec.structs.replace(versus(), phase="over", owes=()), NAMES) == "Called off"


def test_every_ending_can_be_drawn() -> None:
    for how, places in (("last_untangled", (1, 2)), ("tie_repetition", (1, 1)), ("tie_limit", (1, 1))):
        assert "turn 14" in board(end_game(versus(), how, places), NAMES).alt
    team = view_circle(TANGLED, "FLH", "OJR", mode="coop")
    lost = msgspec.structs.replace(end_game(team, "tangled", (None, None), won=False), lost_by=team.tangles)
    assert "The losing tangles are at 2-3 and 4-5. The game ended on turn 14: lost" in board(lost, NAMES).alt
    for how in ("untangled", "limit", "resigned"):
        assert board(end_game(team, how, (1, 1), won=how == "untangled"), NAMES).alt
