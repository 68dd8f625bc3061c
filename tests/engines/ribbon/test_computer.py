from collections import Counter
from collections.abc import Iterator
from itertools import count as count_up
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Strength
from engines.ribbon import GAME, moves
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
from engines.ribbon.pieces.board import parse, spell, swap_cards, tangles
from engines.ribbon.pieces.components import CARDS, COLOURS, RibbonOptions
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.truth.state import RibbonState
from engines.ribbon.view import RibbonView
from tests.engines.cases import TableChoice
from tests.engines.conformance import fresh
from tests.engines.ribbon.arrange import arranging, begin, outcome, run
from tests.engines.ribbon.games import CLEAN, NEARLY, NEARLY_FULL, VERSUS_FULL, WORKED
from tests.often import often

STRONG, MEDIUM = Strength.STRONG, Strength.MEDIUM


def decide(
    state: RibbonState, strength: Strength = STRONG, seed: int = 0, seat: int | None = None
) -> moves.Move:
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


def test_a_seat_with_an_open_hand_holds_nothing_else_and_hidden_gaps_are_found() -> None:
    circle = numbers("QIGEKBHMDNCA")

    assert can_escape(circle, numbers("F"), [], [], EVERY_RIBBON)
    assert not can_escape(circle, numbers("L"), [], numbers("F"), EVERY_RIBBON)
    assert can_escape(circle, numbers("L"), numbers("F"), numbers("F"), EVERY_RIBBON)

    circle = numbers(parse("A??Q????????"))
    assert face_down_places(circle) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [place for place in face_down_places(circle) if is_gap(circle, place)] == [5, 6, 7, 8, 9, 10]


def test_strong_flips_where_nothing_can_tangle() -> None:
    state = arranging("AEFGJL??????", ["BCD", "MNO"], phase="flip")
    assert {decide(state, seed=seed) for seed in range(4)} <= {moves.Flip(place) for place in range(8, 12)}


def test_strong_finds_the_exchange_that_wins_and_carries_its_plan_out_in_two_steps() -> None:
    state = begin(NEARLY, mode="coop")
    run(state, NEARLY_FULL)
    assert decide(state) == moves.Exchange(8, "F")

    state.circle = swap_cards(state.circle, 1)
    state.standing = tangles(state.circle)
    assert decide(state) == moves.RibbonSwap(1)
    run(state, "swap 1")
    assert decide(state) == moves.Exchange(8, "F")


@pytest.mark.parametrize("strength", Strength)
def test_a_player_that_nothing_can_save_ends_its_turn(strength: Strength) -> None:
    state = arranging("AEFGJL??????", ["BCD", "MNO"])
    assert decide(state, strength) == moves.RibbonEndTurn()


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
    assert decide(state) != moves.OfferTie()
    run(state, "pass; pass")
    assert decide(state) == moves.OfferTie()
    assert decide(state, MEDIUM) != moves.OfferTie()
    run(state, "tie; 1 no")
    assert decide(state) != moves.OfferTie()


@pytest.mark.parametrize(
    ("full_turns", "begun", "strength", "says"),
    [(5, 1, STRONG, False), (6, 1, STRONG, True), (1, 2, STRONG, True), (1, 1, MEDIUM, True)],
)
def test_a_tie_is_answered_by_patience(full_turns: int, begun: int, strength: Strength, says: bool) -> None:
    state = begin(CLEAN)
    run(state, VERSUS_FULL)
    state.full_turns, state.begun = full_turns, begun
    run(state, "tie")
    assert decide(state, strength, seat=1) == moves.AnswerTie(says)


def test_after_seeing_its_hand_it_takes_the_ribbon_with_most_crossings() -> None:
    state = begin("DKGMFCLIRQBHANEJPO", ribbon_choice="after_hand")
    assert "".join(state.hands[0]) == "AEP"
    assert {decide(state, seed=seed) for seed in range(20)} == {
        moves.ChooseRibbon("green"),
        moves.ChooseRibbon("orange"),
    }


def test_blind_it_takes_any_ribbon_and_it_has_nothing_to_decide_when_the_game_is_over() -> None:
    state = begin(WORKED)
    assert {decide(state, seed=seed) for seed in range(40)} == {
        moves.ChooseRibbon(colour) for colour in COLOURS
    }
    run(state, "green; purple; 0 leave")
    with pytest.raises(ValueError, match="nobody owes a move"):
        decide(state)


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


PARTS = often(1, 5)
"""The games are parted, so that several processes can look at once."""

WINS = often(1, 500 // PARTS)
"""The number of positions of each part in which a turn wins and must be played."""
STRENGTHS = (Strength.MEDIUM, Strength.STRONG)
EARLIEST = {"coop": often(168, 0), "versus": often(307, 0)}
"""The game from which on it is looked for them: the first that has one, where one is enough."""


def positions(part: int, **options: Any) -> Iterator[RibbonState]:
    """Yield full circles that the seat to act may arrange."""
    for number in count_up(EARLIEST[options["mode"]] + part, PARTS):
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
        GAME.play(flipped, 1, moves.Flip(place))
        theirs = GAME.view(flipped, 1)
        assert all(losing_tangles(theirs, apply_draft(theirs.circle, reply)) for reply in drafts(theirs))
