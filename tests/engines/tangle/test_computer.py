from collections.abc import Iterator
from itertools import count
from random import Random
from unittest.mock import Mock

import pytest

from engines.game import Seat, Strength
from engines.tangle import GAME, computer
from engines.tangle.computer import evaluation
from engines.tangle.computer.policy import after, card_appeal, is_idle, upkeep_harm
from engines.tangle.computer.search import winning_line
from engines.tangle.decisions import Placing
from engines.tangle.legal.context import Context, shortfall
from engines.tangle.moves import (
    Cast,
    Drop,
    DropRest,
    Earth,
    Grow,
    Meadow,
    Move,
    PayRest,
    PayToll,
    Steps,
    Takeover,
    TakePile,
    TangleDone,
    TanglePlace,
    TangleSwap,
)
from engines.tangle.pieces.components import CARDS, CONDITIONS, TangleOptions
from engines.tangle.truth.state import TangleState, context_for
from engines.tangle.truth.visibility import TangleTrial
from tests.engines.conformance import is_advised
from tests.engines.tangle.arrange import begin, change, front, give, play, put, root, stash

STRONG, MEDIUM, EASY = Strength.STRONG, Strength.MEDIUM, Strength.EASY
LACKING_LESS = ["wide_fields", "flowered_wood", "nursery", "berry_wood", "great_grove", "old_forest"]
"""Three for each seat; at the start seat 1 lacks less for its own."""

FRESH = evaluation.Holdings({"trees": 2, "tiles": 2, "group": 1}, costs=(2, 2, 2))


def decide(state: TangleState, seat: Seat = 0, strength: Strength = STRONG, seed: int = 0) -> Move:
    return GAME.choose(GAME.view(state, seat), seat, Random(seed), strength)


def plan_of(condition: str, held: evaluation.Holdings) -> evaluation.ConditionPlan:
    (plan,) = evaluation.plans((condition,), held)
    return plan


def play_game(number: int, strengths: list[Strength], until: int | None = None) -> TangleState:
    rng, seed, seats = Random(number), number.to_bytes(8, "big"), len(strengths)
    state = GAME.begin(seats, TangleOptions(), GAME.deal(seats, TangleOptions(), seed), seed)
    while prompts := GAME.prompts(state):
        seat = min(prompts)
        if state.turn == until and isinstance(state.decision, Placing):
            break
        GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, strengths[seat]))
    return state


@pytest.mark.parametrize("strength", [MEDIUM, STRONG])
def test_a_turn_that_wins_late_is_played(strength: Strength, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr(computer, "winning_move", lambda *_: None)
        state = play_game(8211, [MEDIUM, MEDIUM], until=43)
    seat = state.seat

    while state.turn == 43 and state.outcome is None:
        GAME.play(state, seat, decide(state, seat, strength))

    assert state.outcome is not None
    assert state.outcome.places[seat] == 1


def test_the_search_follows_a_condition_in_reach_even_if_another_is_nearer() -> None:
    state = begin(conditions=["broad_realm", "bees", "old_forest"])
    put(state, 0, "tree", "B6")
    put(state, 0, "meadow", "B7", "D8", "D9")
    put(state, 0, "bush", "D10", "D11", "E5", "E7", "E10")
    put(state, 0, "earth", "C6")
    front(state, 0, "thorn_toll", "light_step", "iron_grip", "still_water", "leaf_mulch", "wide_meadow")
    stash(state, 0, 0, 3, 0, 0)

    line = winning_line(GAME.view(state, 0), 0, Random(1), GAME, TangleTrial, most=200)

    assert [type(move) for move in line[:4]] == [TanglePlace, Earth, Earth, Earth]


def test_the_search_drops_what_can_not_win_and_does_nothing_more_once_a_condition_is_fulfilled() -> None:
    state = begin(conditions=["hedge_maze", "bees", "wide_fields"])
    put(state, 0, "tree", "B6")
    put(state, 0, "meadow", "B7")
    put(state, 0, "bush", "B3", "B4", "C4", "D8", "D9")
    front(state, 0, "thorn_toll", "light_step", "iron_grip")
    give(state, 0, "shifting_ground")

    line = winning_line(GAME.view(state, 0), 0, Random(1), GAME, TangleTrial, most=100)

    assert Cast("shifting_ground") in line
    assert not any(isinstance(move, TangleSwap) for move in line)

    state = begin(conditions=["thicket", "bees", "wide_fields"])
    put(state, 0, "bush", "B3", "B4", "C4", "D8", "D9")
    rules = Mock(wraps=GAME)

    line = winning_line(GAME.view(state, 0), 0, Random(1), rules, TangleTrial, near=20)

    tried = [call.args[2] for call in rules.play.call_args_list]
    assert line == ()
    assert set(map(type, tried)) == {TanglePlace}


@pytest.mark.parametrize(("condition", "are_all"), [("one_land", True), ("broad_realm", False)])
def test_the_search_tries_sites_alike_late_unless_a_group_may_grow(condition: str, are_all: bool) -> None:
    state = begin(conditions=[condition, "bees", "old_forest"])
    put(state, 0, "earth", "B6", "B7", "D8", "D9", "D10", "D11", "C6", "C8", "C9")
    play(state, 0, "place B5 CE")
    sites = [move for move in GAME.moves(state, 0) if isinstance(move, Earth)]
    rules = Mock(wraps=GAME)

    winning_line(GAME.view(state, 0), 0, Random(1), rules, TangleTrial, near=99, estimate=lambda *_: None)

    tried = [call.args[2] for call in rules.play.call_args_list]
    early = tried[: tried.index(TangleDone())]
    assert early
    assert (early == sites) == are_all
    assert set(sites) <= set(tried)


@pytest.mark.parametrize(("condition", "is_swapped"), [("one_land", True), ("broad_realm", False)])
def test_the_search_swaps_tiles_late_unless_a_group_may_grow(condition: str, is_swapped: bool) -> None:
    state = begin(conditions=[condition, "bees", "old_forest"])
    put(state, 0, "earth", "B6", "B7", "D8", "D9", "D10", "D11", "C6", "C8", "C9")
    give(state, 0, "shifting_ground", "landslide")
    stash(state, 0, 0, 0, 0, 3)
    play(state, 0, "place B5 CE", "cast shifting_ground")
    rules = Mock(wraps=GAME)

    winning_line(
        GAME.view(state, 0), 0, Random(1), rules, TangleTrial, near=99, most=3, estimate=lambda *_: 1
    )

    tried = [call.args[2] for call in rules.play.call_args_list]
    assert isinstance(tried[0], TangleSwap) == is_swapped


def test_the_search_counts_on_no_card_that_refills_the_row() -> None:
    state = begin(conditions=["hedge_maze", "bees", "wide_fields"])
    put(state, 0, "tree", "B6")
    put(state, 0, "meadow", "B7")
    put(state, 0, "bush", "B3", "B4", "C4", "D8")
    front(state, 0, "thorn_toll", "light_step", "iron_grip")
    stash(state, 0, 0, 0, 0, 3)
    state.row = ["leaf_mulch", "leaf_mulch", "carved_stone"]
    play(state, 0, "place B5 EN")
    view = GAME.view(state, 0)
    wins = (seed for seed in count() if GAME.sample_state(view, Random(seed)).pile[0] == "hedge_ghost")

    line = winning_line(view, 0, Random(next(wins)), GAME, TangleTrial, estimate=lambda *_: 1)

    assert line == ()


def test_the_search_counts_on_the_round_limit() -> None:
    state = begin(conditions=LACKING_LESS, round_limit=30)
    state.round, state.turn, state.seat = 30, 60, 1
    give(state, 1, "tree_ghost")
    stash(state, 1, 0, 0, 0, 0)

    line = winning_line(GAME.view(state, 1), 1, Random(1), GAME, TangleTrial, near=20)

    for move in line:
        GAME.play(state, 1, move)
    assert state.outcome is not None
    assert state.outcome.places == (2, 1)


def test_every_condition_is_as_far_away_at_the_start() -> None:
    times = {condition: plan_of(condition, FRESH).time for condition in CONDITIONS}
    assert times == pytest.approx(dict.fromkeys(CONDITIONS, evaluation.USUAL))


def test_a_plan_uses_what_is_there_first_and_a_seed_grows_twice_into_a_tree() -> None:
    held = evaluation.Holdings(
        {"trees": 3, "saplings": 1, "meadows": 2, "bushes": 0, "lakes": 1, "enchantments": 5},
        planted=(1, 0),
        seeds=(0, 1),
        clean=1,
        stash=(1, 0, 9, 9),
        costs=(1, 3),
    )
    plan = plan_of("old_forest", held)

    assert (plan.trees, plan.bushes, plan.meadows, plan.lakes, plan.cards) == (1, 2, 0, 1, 2)
    assert plan.fetch == (1, 0)
    assert plan.plant == (1, 0)
    assert plan.grow == 3
    assert plan.earth == 0
    assert plan.bill == (3, 0, 3, 4)

    plan = plan_of("old_forest", FRESH)

    assert (plan.trees, plan.fetch, plan.plant) == (2, (2, 2), (2, 2))
    assert plan.grow == 2 * 2 + 2
    assert plan.earth == 2 + 4
    assert plan.bill == (6, 6, 2 * 2 + 6, 3 * 2 + 4 * 2)


def test_a_fulfilled_condition_takes_no_time() -> None:
    need = dict(CONDITIONS["garden"].need)
    assert plan_of("garden", evaluation.Holdings(need)).time == 0
    state = begin(conditions=["garden", "thicket", "bees"])
    before = evaluation.value(context_for(state, 0), state.conditions[0])
    for kind, areas in (("meadow", ["B3", "B4", "C4"]), ("lake", ["B6", "B7", "C7"])):
        put(state, 0, kind, *areas)  # type: ignore[arg-type]
    put(state, 0, "bush", "D8", "D9", "D10")
    put(state, 0, "tree", "E10")
    assert evaluation.value(context_for(state, 0), state.conditions[0]) > before + evaluation.COMPLETE


def test_tiles_on_the_board_count_as_held_and_lasting_cards_have_a_worth() -> None:
    state = begin()
    put(state, 0, "earth", "C6", seed="bush")
    put(state, 0, "earth", "C7")
    give(state, 0, "landslide", "windfall")
    held = evaluation.holdings(context_for(state, 0))

    assert (held.planted, held.clean, held.costs) == ((1, 0), 1, (1, 2))
    assert held.have["trees"] == 2

    assert all(
        evaluation.evaluate_card(card) > 0
        for card, facts in CARDS.items()
        if facts.hooks and "ghost" not in card
    )
    assert not evaluation.evaluate_card("landslide")
    assert card_appeal("windfall") > card_appeal("tree_ghost")


def test_upkeep_that_can_not_be_paid_hurts_more() -> None:
    state = begin()
    put(state, 0, "lake", "C6", "C7")
    rich, poor = begin(), state
    put(rich, 0, "lake", "C6", "C7")
    stash(poor, 0, 2, 0, 2, 2)

    assert upkeep_harm(Context(poor, 0, (), 0), "lakes") > upkeep_harm(Context(rich, 0, (), 0), "lakes") > 0
    front(poor, 0, "still_water")
    assert upkeep_harm(Context(poor, 0, (), 0), "lakes") == 0


def test_it_lets_grow_what_wins() -> None:
    state = begin(conditions=["garden", "great_grove", "deep_wood"])
    put(state, 0, "meadow", "B3", "B4", "C4")
    put(state, 0, "lake", "B6", "B7", "C7")
    put(state, 0, "bush", "D8", "D9")
    put(state, 0, "tree", "E10")
    put(state, 0, "earth", "D10", seed="bush")
    stash(state, 0, 1, 0, 1, 0)

    move = decide(state)
    assert isinstance(move, TanglePlace)
    assert move.to == "GR"
    GAME.play(state, 0, move)
    assert state.outcome is not None or decide(state) == Grow("D10")


def test_it_lays_meadows_only_as_long_as_it_needs_them_and_pays_with_what_it_needs_least() -> None:
    state = begin(conditions=["thicket", "bees", "wide_fields"])
    put(state, 0, "earth", "C6", "C7", "C8")
    stash(state, 0, 0, 0, 6, 0)
    play(state, 0, "place B5 ME")

    assert isinstance(decide(state), Meadow)

    state = begin(conditions=["garden", "bees", "herons"])
    root(state, 1, "BS")
    stash(state, 0, 2, 2, 2, 30)
    play(state, 0, "place B5 BS")

    assert decide(state) == PayToll(1, (0, 0, 0, 1))


def test_it_casts_what_it_needs_and_can_pay() -> None:
    state = begin(conditions=["old_forest", "rune_circle", "standing_stones"])
    give(state, 0, "deep_taproot", "windfall")
    stash(state, 0, 0, 0, 0, 5)
    play(state, 0, "place B5 W")

    assert isinstance(decide(state), Cast)
    stash(state, 0, 0, 0, 0, 0)
    assert decide(state) == TangleDone()


def test_it_pays_upkeep_for_what_it_needs_and_drops_what_is_of_no_use() -> None:
    state = begin(conditions=["lake_country", "mirror_wood", "garden"])
    put(state, 1, "lake", "D8")
    put(state, 0, "lake", "C6", "C7", "C8")
    stash(state, 0, 0, 3, 0, 0)
    state.markers = (1, None, None)
    play(state, 0, "place B5 W")
    while state.seat == 0:
        GAME.play(state, 0, decide(state))

    assert decide(state, 0) == PayRest()
    stash(state, 0, 0, 1, 0, 0)
    assert isinstance(decide(state, 0), Drop)

    state = begin(conditions=["garden", "bees", "hedge_maze"])
    put(state, 1, "lake", "D8")
    front(state, 0, "landslide", "landslide", "sudden_bloom", "sudden_bloom", "spring_rush", "rune_storm")
    state.markers = (None, None, 1)
    front(state, 1, "old_lore")
    play(state, 0, "place B5 W")
    while state.seat == 0:
        GAME.play(state, 0, decide(state))

    assert isinstance(decide(state, 0), Drop | DropRest)


def test_it_pushes_the_track_that_hurts_the_other() -> None:
    state = begin(conditions=["garden", "bees", "herons"])
    put(state, 1, "bush", "B8", "C10", "C9")
    put(state, 0, "lake", "D10", "E8", "E10")
    stash(state, 0, 0, 1, 0, 0)
    stash(state, 1, 0, 0, 0, 0)
    state.trackers = (1, 1, 3)
    play(state, 0, "place B5 CE", "earth C6")

    assert decide(state) == Steps((0, 1, 0))


def test_the_easy_one_misjudges() -> None:
    state = begin()
    trial, conditions = TangleTrial(state.copy()), state.conditions[0]
    best = max(after(trial, conditions, move) for move in GAME.moves(state, 0))
    moves = {decide(state, strength=EASY, seed=seed) for seed in range(30)}

    assert len(moves) > 5
    assert all(after(trial, conditions, move) <= best + 1e-9 for move in moves)


def test_a_root_at_home_without_a_card_and_a_lake_that_is_not_laid_bring_nothing() -> None:
    state = begin()
    root(state, 0, "W")
    home = TanglePlace("W", "B5")

    assert is_idle(TangleTrial(state.copy()), 0, home)
    give(state, 0, "windfall", "deep_taproot", "old_lore")
    assert not is_idle(TangleTrial(state.copy()), 0, home)
    stash(state, 0, 2, 2, 2, 0)
    assert is_idle(TangleTrial(state.copy()), 0, home)

    state = begin(conditions=["hedge_maze", "bees", "wild_garden"])
    lake = TanglePlace("B5", "LA")

    assert is_idle(TangleTrial(state.copy()), 0, lake)
    assert all(decide(state, strength=EASY, seed=seed) != lake for seed in range(60))


def test_a_card_that_upkeep_takes_at_once_is_not_cast_and_earth_is_taken_without_a_plan() -> None:
    state = begin(conditions=["old_forest", "rune_circle", "standing_stones"])
    give(state, 0, "deep_taproot")
    stash(state, 0, 0, 0, 0, 5)
    play(state, 0, "place B5 W")
    before = decide(state, strength=EASY)
    state.markers = (None, None, 1)

    assert (before, decide(state, strength=EASY)) == (Cast("deep_taproot"), TangleDone())
    stash(state, 0, 0, 0, 1, 5)
    assert decide(state, strength=EASY) == Cast("deep_taproot")

    state = begin(conditions=["old_forest", "rune_circle", "standing_stones"])
    put(state, 0, "earth", "C6", "D6", "E6", "E7", seed="bush")
    put(state, 0, "earth", "B6", "C7", "D8", "E8", "D9")
    put(state, 1, "earth", "B7")
    give(state, 0, "creeping_root")
    stash(state, 0, 0, 0, 5, 5)
    play(state, 0, "place B5 W", "cast creeping_root")

    assert isinstance(decide(state, strength=EASY), Takeover)


def test_it_is_asked_in_its_turn_only_and_plays_on_with_covered_roots_and_an_empty_stash() -> None:
    state = begin()
    for view, seat in ((GAME.view(state, 1), 1), (GAME.view(state, 0), 1), (GAME.view(state, None), 0)):
        with pytest.raises(ValueError, match="owes no move"):
            GAME.choose(view, seat, Random(0), STRONG)

    state = begin(4)
    for space in ("CE", "ME", "GR", "PL"):
        root(state, 1, space)
    change(state, 0, stash=(0, 0, 0, 0))
    GAME.play(state, 0, decide(state))


@pytest.mark.thorough
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strong_players_fulfil_a_condition_in_about_twenty_rounds(seats: int) -> None:
    games = [play_game(number, [STRONG] * seats) for number in range(4)]

    assert all(game.outcome is not None and game.outcome.how == "condition" for game in games)
    assert 14 <= sum(game.round for game in games) / len(games) <= 25


@pytest.mark.thorough
def test_the_strong_one_beats_the_medium_one() -> None:
    won = 0
    for number in range(48):
        strong = number % 2
        outcome = play_game(number, [MEDIUM, STRONG] if strong else [STRONG, MEDIUM]).outcome
        assert outcome is not None
        won += outcome.places[strong] == 1

    assert won >= 30


PARTS = 5
"""The games are parted, so that several processes can look at once."""

WINS = 500 // PARTS
"""The number of positions of each part in which a turn wins and must be played."""

ADVISED = 20 // PARTS
"""The number of those in which the winning turn must be advised."""

DEEP = 2
"""The number of moves of a turn that are all tried."""


def positions(part: int) -> Iterator[TangleState]:
    """Yield positions in which the seat to place lacks little."""
    for number in count(part, PARTS):
        rng, seed = Random(number), number.to_bytes(8, "big")
        state = GAME.begin(2, TangleOptions(), GAME.deal(2, TangleOptions(), seed), seed)
        while prompts := GAME.prompts(state):
            seat = next(iter(prompts))
            if isinstance(state.decision, Placing) and shortfall(state, seat, state.conditions[seat]) <= 2:
                yield state.copy()
            GAME.play(state, seat, GAME.choose(GAME.view(state, seat), seat, rng, Strength.MEDIUM))


def wins(state: TangleState, seat: int, deep: int = DEEP) -> bool:
    """Return True if `deep` moves can win the turn, by trying all. Cards from the pile are left out."""
    for move in GAME.moves(state, seat):
        if isinstance(move, TakePile):
            continue
        after = state.copy()
        GAME.play(after, seat, move)
        if after.outcome is not None:
            if after.outcome.places[seat] == 1:
                return True
        elif (
            deep > 1
            and after.turn == state.turn
            and seat in GAME.prompts(after)
            and wins(after, seat, deep - 1)
        ):
            return True
    return False


def plays_on(state: TangleState, strength: Strength) -> bool:
    seat, turn = state.seat, state.turn
    while state.outcome is None and state.turn == turn:
        owing = next(iter(GAME.prompts(state)))
        GAME.play(state, owing, GAME.choose(GAME.view(state, owing), owing, Random(1), strength))
    return state.outcome is not None and state.outcome.places[seat] == 1


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_a_turn_that_wins_is_found_and_played_and_advised(part: int) -> None:
    won = 0
    for state in positions(part):
        if wins(state, state.seat):
            won += 1
            assert won > ADVISED or is_advised(GAME, state, state.seat)
            assert plays_on(state.copy(), Strength.STRONG if won % 2 else Strength.MEDIUM)
        if won == WINS:
            return
