from copy import deepcopy

import pytest

from engines.game import IllegalMove
from engines.ribbon import GAME, moves
from engines.ribbon.pieces.board import exchange_card, parse, spell, swap_cards, tangles
from engines.ribbon.pieces.components import CARDS, LIMITS
from engines.ribbon.truth.state import RibbonState
from tests.engines.cases import CASES
from tests.engines.conformance import decode_state, encode_state, fresh, sample
from tests.engines.conformance import step as play
from tests.engines.ribbon import arrange, games

RIBBON = next(case for case in CASES if case.slug == "ribbon")


@pytest.mark.parametrize(("pair", "text"), [("AE", "1G"), ("EA", "1O"), ("MR", "1G 1P"), ("QB", "")])
def test_scenario_01_basic_tangles(pair: str, text: str) -> None:
    assert arrange.labels(tangles(parse(pair + "?" * 10))) == text


def test_scenario_02_round_the_corner() -> None:
    assert arrange.labels(tangles(parse("A??????????Q"))) == "12O 12P"


def test_scenario_03_a_face_down_neighbour_tangles_nothing() -> None:
    assert arrange.labels(tangles(parse("A?E?????????"))) == ""


def test_scenario_04_clean_circle() -> None:
    clean = parse("QIGEKBPMDNCA")
    assert arrange.labels(tangles(clean)) == ""
    assert spell(swap_cards(clean, 3)) == "QIEGKBPMDNCA"
    assert arrange.labels(tangles(swap_cards(clean, 3))) == "2O 4O"
    assert spell(swap_cards(clean, 12)) == "AIGEKBPMDNCQ"
    assert arrange.labels(tangles(swap_cards(clean, 12))) == "1G 1O 1P 11G 12O 12P"
    assert spell(exchange_card(clean, 5, "L")) == "QIGELBPMDNCA"
    assert arrange.labels(tangles(exchange_card(clean, 5, "L"))) == "4G 4O 5G 5O"


def test_scenario_05_setup() -> None:
    assert arrange.hands(arrange.begin(games.WORKED, first=0)) == ["ENP", "ARO"]
    assert arrange.hands(arrange.begin(games.WORKED, first=1)) == ["ARO", "ENP"]
    three = arrange.begin(games.THREE, 3, first=2)
    assert arrange.hands(three) == ["QL", "RN", "MJ"]
    assert three.beneath[0] == "F"


def test_scenario_06_worked_versus_game() -> None:
    state = arrange.begin(games.WORKED)
    at_turn_ends = [
        (arrange.circle(state), arrange.list_tangled(state))
        for _, _, events in arrange.steps(state, games.WORKED_GAME)
        if isinstance(events[-1], moves.RibbonTurnEnded)
    ]
    assert at_turn_ends == [
        ("?????????Q??", ""),
        ("????????QJ??", "9G 9O"),
        ("???????QIN??", "9P"),
        ("???????IQNR?", "8G 8O 10G 10O"),
        ("???????QINJH", "9P 10P 11O 11P"),
    ]
    assert (arrange.circle(state), arrange.list_tangled(state)) == ("??G????QINJH", "9P 10P 11O 11P")
    assert arrange.outcome(state) == ("last_untangled", (1, 2))
    assert state.shown == [["R"], ["B"]]


def test_scenario_07_first_turn() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, "green; purple")
    assert arrange.legal(state) == [moves.Flip(place) for place in range(1, 13)]
    arrange.run(state, "flip 10")
    assert (state.turn, state.seat, state.phase) == (2, 1, "flip")


def test_scenario_08_legal_swaps() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, "green; purple; flip 10; flip 9")
    assert len(arrange.legal(state)) == 10
    assert [move.place for move in arrange.legal(state) if isinstance(move, moves.RibbonSwap)] == [8, 9, 10]
    with pytest.raises(IllegalMove, match="swap two face-down cards"):
        arrange.run(state, "swap 3")
    arrange.run(state, "swap 8")
    assert arrange.circle(state) == "???????J?Q??"
    assert GAME.view(state, 1).beneath[8] is None


def test_scenario_09_order() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, "green; purple; flip 10; flip 9; exchange 9 A")
    assert arrange.legal(state) == [moves.RibbonEndTurn()]


def test_scenario_10_somebody_elses_tangle() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, "green; purple; flip 10; flip 9; swap 9; pass")
    assert arrange.list_tangled(state) == "9G 9O"
    assert state.out == ()
    arrange.run(state, "flip 8; swap 8; exchange 10 N; pass")
    assert arrange.list_tangled(state) == "9P"
    assert state.out == ()


def test_scenario_11_three_seats_first_one_out() -> None:
    state = arrange.begin(games.THREE, 3, first=2, eliminated="LB")
    arrange.run(state, "purple; green")
    assert state.ribbons == ("green", "orange", "purple")
    arrange.run(state, "flip 8; flip 9")
    assert arrange.circle(state) == "???????BD???"
    assert len(arrange.legal(state)) == 8
    arrange.run(state, "swap 8")
    assert arrange.list_tangled(state) == ""
    arrange.run(state, "exchange 9 Q")
    assert arrange.list_tangled(state) == "8G 8O 8P"
    assert isinstance(arrange.last(state, "pass")[0], moves.RibbonEliminated)
    assert arrange.hands(state) == ["", "RNL", "MJB"]
    assert state.shown == [[], [], []]
    assert (state.turn, state.seat, state.phase, state.out) == (3, 1, "flip", (0,))
    arrange.run(state, "flip 1; exchange 9 N; pass; 2 leave")
    assert arrange.outcome(state) == ("last_untangled", (3, 1, 2))


def test_scenario_12_who_learns_what() -> None:
    before = arrange.begin(games.THREE, 3, first=2, eliminated="LB")
    arrange.run(before, games.FIRST_OUT.removesuffix("; pass"))
    assert "".join(GAME.view(before, None).unseen) == "ACEFGHIJKLMNOPR"
    assert "".join(GAME.view(before, 1).unseen) == "ACEFGHIJKLMOP"
    events = arrange.run(before, "pass")
    assert "".join(GAME.view(before, 1).unseen) == "ABCEFGHIJKMOP"
    received = [event for event in events if isinstance(event, moves.CardReceived)]
    assert [(event.only, event.card) for event in received] == [(1, "L"), (2, "B")]


@pytest.mark.parametrize(("choice", "visible"), [("blind", None), ("after_hand", "E")])
def test_scenario_13_blind_choice(choice: str, visible: str | None) -> None:
    state = arrange.begin(games.WORKED, ribbon_choice=choice)
    arrange.run(state, "green")
    for viewer in (None, 0, 1):
        for seat, hand in enumerate(GAME.view(state, viewer).hands):
            own = visible is not None and seat == viewer
            assert hand == (tuple(state.hands[seat]) if own else (None,) * 3)
    arrange.run(state, "purple")
    assert GAME.view(state, 0).hands == (("E", "N", "P"), (None, None, None))


def test_scenario_14_full_circle_in_versus() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, games.VERSUS_FULL.removesuffix("; pass"))
    assert (state.turn, len(arrange.legal(state))) == (12, 49)
    assert moves.OfferTie() not in arrange.legal(state)
    arrange.run(state, "pass")
    assert (state.turn, state.phase, len(arrange.legal(state))) == (13, "arrange", 50)
    assert moves.OfferTie() in arrange.legal(state)


def test_scenario_15_repetition() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, games.VERSUS_FULL)
    for turn, begun in ((13, 1), (14, 1), (15, 2), (16, 2)):
        assert (state.turn, GAME.view(state, None).begun) == (turn, begun)
        arrange.run(state, "pass")
    assert state.turn == 17
    assert arrange.outcome(state) == ("tie_repetition", (1, 1))


def test_scenario_16_offer_declined() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, f"{games.VERSUS_FULL}; tie")
    assert list(GAME.prompts(state)) == [1]
    assert arrange.legal(state, 0) == []
    arrange.run(state, "1 no")
    assert (state.seat, state.phase, len(arrange.legal(state))) == (0, "arrange", 49)
    assert moves.OfferTie() not in arrange.legal(state)
    arrange.run(state, "swap 3")
    assert (arrange.list_tangled(state), len(arrange.legal(state))) == ("2O 4O", 37)
    arrange.run(state, "pass")
    assert (state.turn, state.out) == (14, ())
    assert moves.OfferTie() not in arrange.legal(state)
    arrange.run(state, "pass")
    assert arrange.outcome(state) == ("last_untangled", (1, 2))


def test_scenario_17_a_ribbon_that_nobody_owns() -> None:
    state = arrange.begin(games.CLEAN)
    arrange.run(state, f"green; purple; {games.FILL}; pass; tie; 1 no; swap 3; pass")
    assert (state.turn, arrange.list_tangled(state)) == (14, "2O 4O")
    assert moves.OfferTie() in arrange.legal(state)


def test_scenario_18_coop_strict() -> None:
    state = arrange.begin("QAIGEKBHMDNCFOJPLR", 3, first=1, mode="coop")
    arrange.run(state, "flip 1; flip 2")
    assert (state.turn, state.seat, arrange.list_tangled(state)) == (2, 2, "1O 1P")
    arrange.run(state, "pass")
    assert arrange.outcome(state) == ("tangled", (None, None, None))
    assert arrange.labels(state.lost_by) == "1O 1P"


def test_scenario_19_coop_won_in_mid_turn() -> None:
    state = arrange.begin(games.CLEAN, mode="coop")
    arrange.run(state, games.FILL)
    assert (state.turn, state.seat, state.phase) == (12, 1, "over")
    assert arrange.outcome(state) == ("untangled", (1, 1))


def test_scenario_20_coop_last_flip() -> None:
    state = arrange.begin(games.NEARLY, mode="coop")
    assert arrange.hands(state) == ["FJL", "OPR"]
    arrange.run(state, games.NEARLY_FULL.removesuffix("; pass"))
    assert (state.turn, state.seat, arrange.list_tangled(state)) == (12, 1, "7G 7P")
    arrange.run(state, "pass")
    assert (state.turn, state.seat, state.phase) == (13, 0, "arrange")
    assert arrange.labels(state.standing) == "7G 7P"


@pytest.mark.parametrize(
    ("turn", "lies", "text", "verdict", "by"),
    [
        ("pass", "QIGEKBHMDNCA", "7G 7P", "tangled", "7G 7P"),
        ("exchange 8 F", "QIGEKBHFDNCA", "", "untangled", ""),
        ("exchange 8 J; pass", "QIGEKBHJDNCA", "8O 8P", None, ""),
        ("swap 8; pass", "QIGEKBHDMNCA", "7O 8O 8P 9G", None, ""),
        ("swap 8; exchange 8 L; pass", "QIGEKBHLMNCA", "7P 8G 8P 9G", "tangled", "7P"),
    ],
)
def test_scenario_20_worked_coop_turn(turn: str, lies: str, text: str, verdict: str | None, by: str) -> None:
    state = arrange.begin(games.NEARLY, mode="coop")
    arrange.run(state, f"{games.NEARLY_FULL}; {turn}")
    assert (arrange.circle(state), arrange.list_tangled(state)) == (lies, text)
    assert (state.outcome and state.outcome.how) == verdict
    assert arrange.labels(state.lost_by) == by


def test_scenario_21_solo_rotation() -> None:
    state = arrange.begin(games.CLEAN, 1, difficulty="medium")
    assert arrange.hands(state) == ["FO", "LJ", "HR"]
    arrange.run(state, "hand 3")
    used = [GAME.view(state, 0).hand_in_use]
    arrange.run(state, "flip 1; flip 2")
    with pytest.raises(IllegalMove, match="You can't use that hand this turn"):
        arrange.run(state, "exchange 1 L")
    for place in range(3, 6):
        used.append(GAME.view(state, 0).hand_in_use)
        arrange.run(state, f"pass; flip {place}")
    used.append(GAME.view(state, 0).hand_in_use)
    assert used == [2, 0, 1, 2, 0]


def test_scenario_22_solo_hard() -> None:
    state = arrange.begin(games.CLEAN, 1, difficulty="hard")
    assert arrange.hands(state) == ["FH", "LO"]
    assert state.aside == ["J", "R"]
    arrange.run(state, "hand 1; flip 1")
    view = GAME.view(state, 0)
    assert view.aside == (None, None)
    assert {"J", "R"} <= set(view.unseen)
    arrange.run(state, "leave")
    assert GAME.view(state, 0).aside == ("J", "R")
    assert GAME.view(state, 0).unseen == ()


def test_scenario_23_conservation() -> None:
    for _, _, played in sample(RIBBON, 60, "conservation"):
        sizes: list[int] = []
        for step in played:
            state: RibbonState = decode_state(GAME, step.before)
            places = list(zip(state.circle, state.beneath, strict=True))
            assert all((up is None) != (down is None) for up, down in places)
            held = [card for hand in state.hands for card in hand]
            on_table = [up or down for up, down in places]
            assert len(on_table) == 12
            assert sorted([*map(str, on_table), *held, *state.aside]) == sorted(CARDS)
            assert all(set(shown) <= set(hand) for shown, hand in zip(state.shown, state.hands, strict=True))
            now = [len(hand) for hand in state.hands]
            assert now == (sizes or now) or sorted(now) == [0, 3, 3]
            sizes = now


def test_scenario_24_hidden_stays_hidden() -> None:
    state = arrange.begin(games.WORKED)
    arrange.run(state, games.WORKED_GAME.rpartition("; flip 3")[0])
    one_other = deepcopy(state)
    one_other.beneath[0], one_other.hands[0][0] = str(state.hands[0][0]), str(state.beneath[0])
    assert encode_state(one_other) != encode_state(state)
    for blind in (None, 1):
        assert GAME.view(one_other, blind) == GAME.view(state, blind)
    assert arrange.legal(one_other, 1) == arrange.legal(state, 1)
    assert GAME.view(one_other, 0) != GAME.view(state, 0)


def test_scenario_25_every_game_ends() -> None:
    for table, seed, played in sample(RIBBON, 40, "ends"):
        state = fresh(GAME, table, seed)
        for step in played:
            hidden = state.circle.count(None)
            assert hidden or state.full_turns < LIMITS.full_turns_versus
            play(GAME, state, step.seat, step.move)
            assert state.circle.count(None) == hidden - isinstance(step.move, moves.Flip)
        assert state.phase == "over"


def test_scenario_26_limits() -> None:
    versus = arrange.begin(games.CLEAN)
    arrange.run(versus, games.VERSUS_FULL)
    arrange.prolong(versus, 38)
    assert (versus.turn, versus.outcome) == (51, None)
    arrange.prolong(versus, 1)
    assert (versus.turn, arrange.outcome(versus)) == (51, ("tie_limit", (1, 1)))
    team = arrange.begin(games.NEARLY, mode="coop")
    arrange.run(team, games.NEARLY_FULL)
    arrange.prolong(team, 22)
    assert (team.turn, team.outcome) == (35, None)
    arrange.prolong(team, 1)
    assert (team.turn, arrange.outcome(team)) == (35, ("limit", (None, None)))


@pytest.mark.parametrize(("mode", "exchange_shows"), [("versus", True), ("coop", False)])
def test_scenario_27_undo_and_secrets(mode: str, exchange_shows: bool) -> None:
    state = arrange.begin(games.WORKED, mode=mode)
    arrange.run(state, ("green; purple; " if mode == "versus" else "") + "flip 10")
    assert any(event.reveals for event in arrange.run(state, "flip 9"))
    assert not any(event.reveals for event in arrange.run(state, "swap 9"))
    assert any(event.reveals for event in arrange.run(state, "exchange 9 A")) == exchange_shows
    assert any(event.reveals for event in arrange.run(state, "pass"))
