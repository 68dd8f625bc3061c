from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.computer.evaluation import (
    EVERY_RIBBON,
    FACE_DOWN,
    RIBBON,
    can_clear,
    can_escape,
    count,
    face_down_places,
    is_gap,
    numbers,
)
from engines.ribbon.moves import (
    AnswerTie,
    ChooseRibbon,
    Exchange,
    Flip,
    Move,
    OfferTie,
    RibbonEndTurn,
    RibbonSwap,
)
from engines.ribbon.pieces.board import parse, spell, swap_cards, tangles
from engines.ribbon.pieces.components import CARDS, COLOURS, RibbonOptions
from engines.ribbon.preview import apply_draft, drafts, losing_tangles
from engines.ribbon.truth.state import RibbonState
from tests.engines.cases import TableChoice
from tests.engines.conformance import fresh
from tests.engines.ribbon.arrange import arranging, begin, outcome, run
from tests.engines.ribbon.games import CLEAN, NEARLY, NEARLY_FULL, VERSUS_FULL, WORKED
from tests.often import often

STRONG, MEDIUM = Strength.STRONG, Strength.MEDIUM


pytestmark = pytest.mark.slow


def decide(state: RibbonState, strength: Strength = STRONG, seed: int = 0, seat: int | None = None) -> Move:
    seat = state.seat if seat is None else seat
    return GAME.choose(GAME.view(state, seat), seat, Random(seed), strength)


def play_game(table: TableChoice, strengths: list[Strength], number: int) -> RibbonState:
    rng = Random(number)
    state: RibbonState = fresh(GAME, table, number.to_bytes(16, "big"))
    while owing := list(GAME.prompts(state)):
        seat = owing[0]
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, strengths[seat]))
    return state


def table(seats: int, **options: Any) -> TableChoice:
    return TableChoice(seats, GAME.settle(seats, RibbonOptions(**options)))


def random_circle(rng: Random) -> tuple[str | None, ...]:
    cards = rng.sample(CARDS, 12)
    return tuple(None if rng.random() < 0.4 else card for card in cards)


def test_counting_agrees_with_the_rules() -> None:
    rng = Random(1)
    for _ in range(300):
        circle = random_circle(rng)
        assert count(numbers(circle), EVERY_RIBBON) == len(tangles(circle))
        for colour in COLOURS:
            own = [tangle for tangle in tangles(circle) if tangle.colour == colour]
            assert count(numbers(circle), RIBBON[colour]) == len(own)


@pytest.mark.parametrize("mode", ["versus", "coop"])
def test_the_short_cut_finds_a_way_out_exactly_when_there_is_one(mode: str) -> None:
    rng = Random(2)
    answers: Counter[bool] = Counter()
    for _ in range(250):
        circle = random_circle(rng)
        spare = [card for card in CARDS if card not in circle]
        hand = rng.sample(spare, 3)
        state = arranging(spell(circle), ["".join(hand), ""], mode=mode)
        view = GAME.view(state, 0)
        every_way = (apply_draft(view.circle, draft) for draft in drafts(view))
        if mode == "coop":
            expected = any(not tangles(way) for way in every_way)
        else:
            expected = any(not losing_tangles(view, way) for way in every_way)
        clash = RIBBON["green"] if mode == "versus" else EVERY_RIBBON
        answers[expected] += 1
        line = numbers(circle)
        assert can_clear(line, numbers(hand), clash) == expected
        assert line == numbers(circle)
    assert min(answers.values()) > 10


def test_a_seat_escapes_if_some_hand_and_some_flip_let_it() -> None:
    rng, escapes = Random(5), set()
    for _ in range(300):
        cards = rng.sample(range(len(CARDS)), len(CARDS))
        circle, known, unseen = cards[:10] + [FACE_DOWN] * 2, cards[10:12], cards[12:15]

        expected = any(
            can_clear([*circle[:10], *flipped], [*known, held], RIBBON["green"])
            for held, card in permutations(unseen, 2)
            for flipped in ([card, FACE_DOWN], [FACE_DOWN, card])
        )

        assert can_escape(circle, known, unseen, unseen, RIBBON["green"]) == expected
        escapes.add(expected)
    assert escapes == {True, False}


def test_a_seat_with_an_open_hand_holds_nothing_else() -> None:
    circle = numbers("QIGEKBHMDNCA")

    assert can_escape(circle, numbers("F"), [], [], EVERY_RIBBON)
    assert not can_escape(circle, numbers("L"), [], numbers("F"), EVERY_RIBBON)
    assert can_escape(circle, numbers("L"), numbers("F"), numbers("F"), EVERY_RIBBON)


def test_hidden_places_and_gaps() -> None:
    circle = numbers(parse("A??Q????????"))
    assert face_down_places(circle) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [place for place in face_down_places(circle) if is_gap(circle, place)] == [5, 6, 7, 8, 9, 10]


def test_strong_flips_where_nothing_can_tangle() -> None:
    state = arranging("AEFGJL??????", ["BCD", "MNO"], phase="flip")
    assert {decide(state, seed=seed) for seed in range(4)} <= {Flip(place) for place in range(8, 12)}


def test_strong_finds_the_exchange_that_wins() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    assert decide(state) == Exchange(8, "F")


def test_strong_carries_its_plan_out_in_two_steps() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    state.circle = swap_cards(state.circle, 1)
    state.standing = tangles(state.circle)
    assert decide(state) == RibbonSwap(1)
    run(state, "swap 1")
    assert decide(state) == Exchange(8, "F")


@pytest.mark.parametrize("strength", Strength)
def test_a_player_that_nothing_can_save_ends_its_turn(strength: Strength) -> None:
    state = arranging("AEFGJL??????", ["BCD", "MNO"])
    assert decide(state, strength) == RibbonEndTurn()


@pytest.mark.parametrize("strength", [MEDIUM, STRONG])
@pytest.mark.parametrize("mode", ["versus", "coop"])
def test_a_player_that_can_be_saved_stays_in(strength: Strength, mode: str) -> None:
    for seed in range(often(1, 6)):
        state = arranging("?QI????????A", ["JBN", "HKO"], mode=mode)
        turn, rng = state.turn, Random(seed)
        while state.turn == turn and state.phase == "arrange":
            GAME.play(state, 0, GAME.choose(GAME.view(state, 0), 0, rng, strength))
        assert state.phase == "flip"


def test_strong_offers_a_tie_when_a_position_comes_again() -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    assert decide(state) != OfferTie()
    run(state, "pass; pass")
    assert decide(state) == OfferTie()
    assert decide(state, MEDIUM) != OfferTie()
    run(state, "tie; 1 no")
    assert decide(state) != OfferTie()


@pytest.mark.parametrize(
    ("full_turns", "begun", "strength", "says"),
    [(5, 1, STRONG, False), (6, 1, STRONG, True), (1, 2, STRONG, True), (1, 1, MEDIUM, True)],
)
def test_a_tie_is_answered_by_patience(full_turns: int, begun: int, strength: Strength, says: bool) -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    state.full_turns, state.begun = full_turns, begun
    run(state, "tie")
    assert decide(state, strength, seat=1) == AnswerTie(says)


def test_after_seeing_its_hand_it_takes_the_ribbon_with_most_crossings() -> None:
    state = begin("DKGMFCLIRQBHANEJPO", ribbon_choice="after_hand")
    assert "".join(state.hands[0]) == "AEP"
    assert {decide(state, seed=seed) for seed in range(20)} == {ChooseRibbon("green"), ChooseRibbon("orange")}


def test_blind_it_takes_any_ribbon() -> None:
    state = begin(WORKED)
    assert {decide(state, seed=seed) for seed in range(40)} == {ChooseRibbon(colour) for colour in COLOURS}


@pytest.mark.parametrize("strength", Strength)
def test_it_decides_from_its_view_alone(strength: Strength) -> None:
    state = begin(CLEAN)
    run(state, "green; orange; flip 1; flip 2; pass; flip 3")
    decided = decide(state, strength)
    for seed in range(often(2, 5)):
        other = GAME.resample_hidden(state, 0, Random(seed))
        assert decide(other, strength) == decided


def test_it_has_nothing_to_decide_when_the_game_is_over() -> None:
    state = begin(WORKED)
    run(state, "green; purple; 0 leave")
    with pytest.raises(ValueError, match="nobody owes a move"):
        decide(state)


def test_it_leaves_the_view_as_it_was() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, "flip 1; flip 2")
    view = GAME.view(state, 1)
    before = msgspec.json.encode(view)
    GAME.choose(view, 1, Random(0), STRONG)
    assert msgspec.json.encode(view) == before


@pytest.mark.thorough
@pytest.mark.parametrize("strong", [0, 1])
def test_strong_beats_medium_from_either_seat(strong: int) -> None:
    strengths = [STRONG if seat == strong else MEDIUM for seat in range(2)]
    games = [play_game(table(2, first="host"), strengths, number) for number in range(60)]
    won = sum(state.outcome is not None and state.outcome.places[strong] == 1 for state in games)
    assert won >= 36


@pytest.mark.thorough
def test_strong_holds_its_own_against_two_medium_ones() -> None:
    games = [play_game(table(3), [STRONG, MEDIUM, MEDIUM], number) for number in range(45)]
    assert sum(state.out.count(0) == 0 for state in games) >= 20


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seats", "options", "least", "most"),
    [
        (2, {"mode": "coop"}, 20, 42),
        (3, {"mode": "coop"}, 11, 34),
        (1, {"difficulty": "easy"}, 20, 42),
        (1, {"difficulty": "hard"}, 8, 30),
    ],
)
def test_a_strong_team_wins_its_share(seats: int, options: dict[str, Any], least: int, most: int) -> None:
    games = [play_game(table(seats, **options), [STRONG] * seats, number) for number in range(60)]
    assert least <= sum(outcome(state) == ("untangled", (1,) * seats) for state in games) <= most


@pytest.mark.thorough
def test_a_medium_team_hardly_ever_wins() -> None:
    games = [play_game(table(2, mode="coop"), [MEDIUM, MEDIUM], number) for number in range(60)]
    assert sum(outcome(state) == ("untangled", (1, 1)) for state in games) <= 4
