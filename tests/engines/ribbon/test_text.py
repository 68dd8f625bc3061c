"""A position in plain text, as logs and filed games write it."""

from __future__ import annotations

from engines.ribbon import GAME
from engines.ribbon.truth.state import RibbonState
from tests.engines.ribbon.arrange import begin, run
from tests.engines.ribbon.games import CLEAN, NEARLY, NEARLY_FULL, VERSUS_FULL, WORKED, WORKED_GAME


def text(state: RibbonState, viewer: int | None = None) -> list[str]:
    return GAME.text(GAME.view(state, viewer)).splitlines()


def test_a_spectator_reads_what_lies_open() -> None:
    state = begin(WORKED)
    run(state, WORKED_GAME.rpartition("; flip 3")[0])
    assert text(state) == [
        "versus, turn 6, flip owed by seat 1",
        "circle ???????QINJH",
        "tangles 9P 10P 11O 11P",
        "seat 0 green: ?R? (shown R)",
        "seat 1 purple: ?B? (shown B)",
        "unseen ACDEFGKLMOP",
    ]


def test_a_seat_reads_its_own_hand_too() -> None:
    state = begin(WORKED)
    run(state, "green; purple")
    assert text(state, 0)[3:] == ["seat 0 green: ENP", "seat 1 purple: ???", "unseen ABCDFGHIJKLMOQR"]


def test_a_full_circle_in_versus_says_how_often_it_came() -> None:
    state = begin(CLEAN)
    run(state, f"{VERSUS_FULL}; tie")
    assert text(state)[0] == "versus, turn 13, tie_vote owed by seat 1"
    assert text(state)[5] == "full-circle turns 1, position begun 1"


def test_a_team_reads_what_stands() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    assert text(state) == [
        "coop, turn 13, arrange owed by seat 0",
        "circle QIGEKBHMDNCA",
        "tangles 7G 7P",
        "seat 0: FJL",
        "seat 1: OPR",
        "standing 7G 7P",
        "full-circle turns 1, position begun 0",
    ]


def test_a_solo_player_reads_which_hand_is_in_use() -> None:
    state = begin(CLEAN, 1, difficulty="hard")
    run(state, "hand 2")
    assert text(state)[3:] == ["hand 1: FH", "hand 2: LO in use", "aside ??", "unseen ABCDEGIJKMNPQR"]


def test_the_end_says_how_and_opens_everything() -> None:
    state = begin(WORKED)
    run(state, WORKED_GAME)
    assert text(state)[:2] == [
        "versus, turn 6, over: last_untangled, places 1, 2",
        "circle ??G????QINJH over DK?MFCL?????",
    ]
    lost = begin("QAIGEKBHMDNCFOJPLR", 3, first=1, mode="coop")
    run(lost, "flip 1; flip 2; pass")
    assert text(lost)[0] == "coop, turn 2, over: tangled by 1O 1P, places -, -, -"


def test_a_table_that_was_called_off_says_so() -> None:
    state = begin(WORKED)
    run(state, "0 leave")
    assert text(state)[0] == "versus, turn 1, called off"
