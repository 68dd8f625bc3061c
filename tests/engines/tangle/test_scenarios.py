"""The scenarios of Tangle, one test each, in the order in which the rules were settled."""

import pytest

from engines.tangle import GAME, moves
from engines.tangle.decisions import Upkeep
from engines.tangle.legal.context import counts, lacking
from engines.tangle.pieces.components import TangleOptions
from engines.tangle.truth.upkeep import NO_LAKES, standing_answer
from tests.engines.tangle import arrange


@pytest.mark.parametrize(
    ("seats", "pile", "steps", "places"), [(2, 42, 3, 26), (3, 39, 4, 38), (4, 36, 5, 50)]
)
def test_setup(seats: int, pile: int, steps: int, places: int) -> None:
    state = arrange.begin(seats, hands=True)

    assert len(state.pile) == pile
    assert state.trackers == (steps,) * 3
    assert len(arrange.legal(state, 0)) == places


def test_setup_with_an_action_in_the_centre_and_with_springs() -> None:
    assert len(arrange.legal(arrange.begin(2, centre="hibernate"), 0)) == 28
    springs = arrange.begin(4).resources
    assert (springs["S1"], springs["S2"], springs["S3"]) == ((0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 1, 0))


def test_clean_earth_costs_its_distance_and_brings_the_next_nearer() -> None:
    state = arrange.begin(hands=True)

    arrange.play(state, 0, "place B5 CE")

    assert (state.resources["E"], state.resources["M"]) == ((0, 3, 0, 0), (0, 0, 0, 3))
    offered = arrange.areas(arrange.legal(state, 0), moves.Earth)
    near = {"B4", "B6", "C6", "D10", "E8", "E10"}
    assert offered == near | {"B3", "B7", "C5", "C7", "D9", "D11", "E7", "E11"}
    arrange.play(state, 0, "earth C6")
    assert arrange.have(state, 0) == (2, 1, 2, 2)
    assert {"C5", "C7"} <= arrange.areas(arrange.legal(state, 0), moves.Earth)
    arrange.play(state, 0, "earth C7")
    assert arrange.have(state, 0) == (2, 0, 2, 2)
    arrange.play(state, 0, "done")
    assert len([move for move in arrange.legal(state, 0) if isinstance(move, moves.Steps)]) == 6
    arrange.play(state, 0, "steps 2 0 0")
    assert state.trackers == (1, 3, 3)
    assert state.seat == 1


def test_a_placement_feeds_springs_and_a_taken_spring_starts_anew() -> None:
    state = arrange.begin(3)

    arrange.play(state, 0, "place B5 TS")
    assert state.players[0].seeds == (0, 1)
    assert (state.resources["E"], state.resources["S1"]) == ((0, 3, 0, 0), (0, 1, 1, 1))
    arrange.play(state, 1, "place B8 S1")

    assert arrange.have(state, 1) == (2, 3, 3, 3)
    assert state.resources["S1"] == (0, 0, 1, 1)


def test_an_unaffordable_root_cannot_be_placed() -> None:
    state = arrange.begin()
    arrange.root(state, 0, "CE")
    state.seat = 1
    arrange.stash(state, 1, 0, 0, 0, 0)

    assert (
        arrange.refusal_of(state, 1, "place B9 CE")
        == "You can't place your root there, because you can't pay for the roots below it."
    )
    assert len(arrange.legal(state, 1)) == 24


@pytest.mark.parametrize(("roots", "allowed"), [(2, True), (3, False)])
def test_resources_on_a_space_count_as_sure_income(roots: int, allowed: bool) -> None:
    state = arrange.begin()
    arrange.root(state, 0, *["E"] * roots)
    state.seat = 1
    arrange.stash(state, 1, 0, 0, 0, 0)

    assert (moves.TanglePlace("B9", "E") in arrange.legal(state, 1)) == allowed


def test_the_toll_for_roots_below_is_reserved() -> None:
    state = arrange.begin()
    arrange.root(state, 0, "CE")
    state.seat = 1
    arrange.stash(state, 1, 0, 3, 0, 0)

    arrange.play(state, 1, "place B9 CE")
    assert state.reserve == 1
    arrange.play(state, 1, "earth B8")
    assert (
        arrange.refusal_of(state, 1, "earth B6")
        == "You must keep 1 of your resources to pay for the roots below your root."
    )
    arrange.play(state, 1, "earth B7")

    assert arrange.have(state, 0) == (2, 3, 2, 2)
    assert arrange.have(state, 1) == (0, 0, 0, 0)
    assert state.reserve == 0


@pytest.mark.parametrize(
    ("below", "owner", "payer", "due"),
    [(2, ["iron_grip"], [], 3), (2, ["iron_grip"], ["light_step"], 2), (1, [], ["light_step"], 0)],
)
def test_grip_and_light_step_change_tolls(below: int, owner: list[str], payer: list[str], due: int) -> None:
    state = arrange.begin()
    arrange.root(state, 1, *["EN"] * below)
    arrange.front(state, 1, *owner)
    arrange.front(state, 0, *payer)
    arrange.stash(state, 0, 2, 2, 2, 2)

    arrange.play(state, 0, "place B5 EN")

    assert state.reserve == due


def test_a_placement_harvests_own_tiles_and_feeds_those_of_others() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "bush", "C6", cubes=2)
    arrange.put(state, 1, "meadow", "C7", cubes=3)
    arrange.put(state, 1, "meadow", "C8", cubes=2)
    arrange.put(state, 1, "bush", "B6", cubes=4)

    arrange.play(state, 0, "place B5 TS")

    assert arrange.have(state, 0) == (2, 4, 2, 2)
    assert [state.tiles[area].cubes for area in ("C6", "C7", "C8", "B6")] == [0, 3, 3, 5]
    assert state.players[0].seeds == (0, 1)
    assert {"B5", "C6", "C8", "B6"} == set(GAME.view(state, None).changed.areas)


def test_covering_and_being_covered_happen_once_each() -> None:
    state = arrange.begin()
    arrange.root(state, 1, "N", "N")
    arrange.front(state, 1, "thorn_toll")
    arrange.front(state, 0, "bold_creeper")

    arrange.play(state, 0, "place B5 N")

    assert arrange.have(state, 0) == (3, 2, 5, 2)
    assert arrange.have(state, 1) == (2, 2, 2, 3)
    tolls = [move for move in arrange.legal(state, 0) if isinstance(move, moves.PayToll)]
    assert len(tolls) == 10
    assert all(sum(move.pay) == 2 for move in tolls)


def test_growing_costs_less_water_beside_lakes_and_a_tree_brings_a_root() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6", seed="bush")
    arrange.put(state, 1, "lake", "C7")
    arrange.put(state, 0, "sapling", "D10")
    arrange.put(state, 0, "earth", "E8", seed="tree")

    arrange.play(state, 0, "place B5 GR")
    assert arrange.areas(arrange.legal(state, 0), moves.Grow) == {"C6", "D10", "E8"}
    arrange.play(state, 0, "grow C6")
    assert arrange.have(state, 0) == (2, 2, 1, 2)
    arrange.play(state, 0, "grow D10")

    assert arrange.have(state, 0) == (1, 2, 0, 2)
    assert state.tiles["D10"].kind == "tree"
    assert state.tiles["D10"].roots == 1
    assert state.players[0].roots == 2
    steps = [move for move in arrange.legal(state, 0) if isinstance(move, moves.Steps)]
    assert {sum(move.by) for move in steps} == {3}


def test_a_tree_seed_becomes_a_sapling_and_not_a_tree_in_one_action() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "E8", seed="tree")
    arrange.put(state, 0, "sapling", "C6")
    assert state.seeds == (10, 9)
    arrange.change(state, 0, tiles=(9, 5, 5, 3))

    arrange.play(state, 0, "place B5 GR", "grow E8")

    assert state.tiles["E8"].kind == "sapling"
    assert state.seeds == (10, 10)
    assert state.players[0].tiles == (10, 5, 5, 2)
    assert state.changes == 1
    assert arrange.refusal_of(state, 0, "grow E8") == "That has already grown in this action."


def test_sprouting_beside_trees() -> None:
    state = arrange.begin(3)
    arrange.put(state, 0, "earth", "B6", seed="tree")
    arrange.put(state, 0, "earth", "C6")
    arrange.put(state, 1, "lake", "B7")
    arrange.put(state, 1, "lake", "A3")
    arrange.stash(state, 0, 2, 2, 4, 2)

    arrange.play(state, 0, "place B5 SP")
    assert arrange.areas(arrange.legal(state, 0), moves.Sprout) == {"B6", "C6"}
    arrange.play(state, 0, "sprout B6")

    assert arrange.have(state, 0) == (2, 2, 2, 2)
    assert state.seeds == (10, 10)
    assert state.changes == 1


def test_upkeep_is_paid_track_by_track_and_by_all_at_once() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "lake", "C6")
    arrange.put(state, 0, "meadow", "C7", cubes=2)
    arrange.put(state, 1, "lake", "D9")
    arrange.put(state, 1, "bush", "B6", cubes=3)
    arrange.stash(state, 0, 1, 0, 0, 0)
    arrange.stash(state, 1, 2, 2, 0, 0)
    state.markers = (0, 0, None)
    state.seat = 1

    arrange.play(state, 1, "place B9 E5")
    assert state.tiles["C6"].kind == "earth"
    assert set(GAME.prompts(state)) == {1}
    arrange.play(state, 1, "pay_rest")
    assert arrange.have(state, 1) == (2, 1, 0, 0)
    assert set(GAME.prompts(state)) == {0, 1}
    arrange.play(state, 1, "drop_rest")
    assert state.tiles["B6"].kind == "earth"
    assert state.tiles["B6"].cubes == 0
    assert state.players[1].tiles == (9, 5, 4, 3)
    arrange.play(state, 0, "pay_rest")

    assert arrange.have(state, 0) == (0, 0, 0, 0)
    assert [*state.markers, *state.trackers] == [None, None, None, 3, 3, 3]
    assert all(isinstance(move, moves.TanglePlace | moves.ChangeUpkeep) for move in arrange.legal(state, 0))


def test_free_upkeep_counts_for_this_payment_even_if_its_card_is_dropped() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "carved_stone", "landslide", "windfall", "old_lore", "thorn_toll")
    arrange.front(state, 1, "carved_stone", "wellspring", "rune_storm")
    arrange.stash(state, 0, 0, 0, 1, 0)
    state.markers = (None, None, 0)
    state.seat = 1

    arrange.play(state, 1, "place B9 E5")

    assert set(GAME.prompts(state)) == {0}
    assert moves.PayRest() not in arrange.legal(state, 0)
    assert len(arrange.legal(state, 0)) == 11
    arrange.play(state, 0, "drop carved_stone")
    assert moves.PayRest() in arrange.legal(state, 0)
    arrange.play(state, 0, "pay_rest")
    assert arrange.have(state, 0) == (0, 0, 0, 0)
    assert state.players[0].front == ("landslide", "windfall", "old_lore", "thorn_toll")


def test_a_payable_upkeep_is_paid_unless_the_table_asks() -> None:
    state = arrange.begin()
    arrange.front(state, 1, "wellspring", "rune_storm")
    arrange.stash(state, 1, 0, 0, 2, 0)
    state.agenda.append(Upkeep("cards", ((), ("wellspring", "rune_storm")), (0, 0)))

    assert GAME.automatic_move(state, 1) == moves.PayRest()
    assert GAME.automatic_move(state, 0) is None

    arrange.stash(state, 1, 0, 0, 1, 0)
    assert GAME.automatic_move(state, 1) is None

    arrange.stash(state, 1, 0, 0, 2, 0)
    state.options = TangleOptions(upkeep="asked")
    assert GAME.automatic_move(state, 1) is None


@pytest.mark.parametrize(("free", "answered"), [(0, moves.DropRest()), (2, None)])
def test_an_answer_to_pay_no_lakes_asks_of_free_ones(free: int, answered: moves.DropRest | None) -> None:
    state = arrange.begin()
    arrange.put(state, 1, "lake", "C6", "C7", "C8")
    arrange.stash(state, 1, 0, 0, 0, 0)
    state.options = TangleOptions(upkeep="asked")
    state.agenda.append(Upkeep("lakes", ((), ("C6", "C7", "C8")), (0, free)))

    assert standing_answer(state, 1, NO_LAKES) == answered


def test_steps_that_have_only_one_way_are_made_unasked() -> None:
    state = arrange.begin()
    arrange.stash(state, 0, 0, 5, 0, 0)
    state.trackers = (1, 2, 0)
    state.markers = (None, None, 1)

    arrange.play(state, 0, "place B5 CE", "earth C6", "earth C7", "earth C8", "earth C9", "earth C5")

    assert state.seat == 1
    assert [*state.markers, *state.trackers] == [0, 0, None, 3, 3, 0], "nobody has cards to pay for"


def test_slow_season_makes_one_step_less() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "slow_season")
    arrange.stash(state, 0, 0, 3, 0, 0)
    state.trackers = (1, 2, 3)

    arrange.play(state, 0, "place B5 CE", "earth C6", "earth C7", "earth C8")

    assert len(arrange.legal(state, 0)) == 5
    assert all(sum(move.by) == 2 for move in arrange.legal(state, 0) if isinstance(move, moves.Steps))


def test_another_may_win_on_my_turn() -> None:
    state = arrange.begin(conditions=["old_forest", "deep_wood", "great_grove", "garden"])
    arrange.put(state, 1, "tree", "E6")
    arrange.put(state, 1, "meadow", "D5", "D6", "D7")
    arrange.put(state, 1, "bush", "E7", "E8", "D8")
    arrange.put(state, 1, "lake", "C8", "C9", "C10")

    arrange.play(state, 0, "place B5 E9")

    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.places == (2, 1)
    assert state.shown[1] == ("garden",)


def test_a_ghost_counts_for_conditions_alone() -> None:
    state = arrange.begin(3)
    arrange.front(state, 0, "tree_ghost")

    assert counts(state.tiles, state.players[0].front, 0)["trees"] == 3


def test_shifting_takes_everything_along_and_counts_areas() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "bush", "B4", cubes=2)
    arrange.put(state, 0, "earth", "B3", seed="tree")

    arrange.play(state, 0, "place D12 SL")
    assert len(arrange.legal(state, 0)) == 7
    arrange.play(state, 0, "swap B3 B5")
    assert (state.tiles["B3"].kind, state.tiles["B3"].roots) == ("tree", 1)
    assert (state.tiles["B5"].kind, state.tiles["B5"].seed) == ("earth", "tree")
    assert len(arrange.legal(state, 0)) == 6
    assert moves.TangleSwap("B4", "D12") not in arrange.legal(state, 0)
    arrange.play(state, 0, "swap B4 B5")

    assert (state.tiles["B4"].kind, state.tiles["B4"].seed) == ("earth", "tree")
    assert (state.tiles["B5"].kind, state.tiles["B5"].cubes) == ("bush", 2)
    assert state.seat == 1


def test_draws_one_card_at_a_time_from_a_row_that_fills_up() -> None:
    state = arrange.begin()
    arrange.row_and_pile(
        state,
        ["landslide", "windfall", "old_lore"],
        ["rune_storm", "thorn_toll"],
        ["seed_wind", "leaf_mulch"],
    )

    arrange.play(state, 0, "place B5 EN", "row 0")
    assert state.row == ["windfall", "old_lore", "rune_storm"]
    arrange.play(state, 0, "pile")
    assert "thorn_toll" in state.hands[0]
    arrange.play(state, 0, "row 2")

    assert sorted(state.hands[0]) == ["landslide", "rune_storm", "thorn_toll"]
    assert len(state.row) == 3
    assert state.row[2] in ("seed_wind", "leaf_mulch")
    assert (len(state.pile), state.discards) == (1, [])


def test_casting_needs_roots_at_home_and_lasting_cards_work_at_once() -> None:
    state = arrange.begin()
    arrange.stash(state, 0, 2, 2, 2, 4)
    arrange.front(state, 0, "long_runner")
    arrange.give(state, 0, "quiet_chant", "landslide", "windfall")

    arrange.play(state, 0, "place B5 E9", "cast quiet_chant", "cast landslide")

    assert arrange.have(state, 0) == (2, 2, 2, 1)
    assert len(arrange.areas(arrange.legal(state, 0), moves.Earth)) == 24
    arrange.play(state, 0, "done")
    assert state.seat == 1


def test_second_stride_places_again_at_once() -> None:
    state = arrange.begin()
    arrange.give(state, 0, "second_stride", "windfall")

    arrange.play(state, 0, "place B5 N", "cast second_stride")
    assert len(arrange.legal(state, 0)) == 26
    arrange.play(state, 0, "place E9 M")

    assert state.seat == 1


def test_roots_return_lets_another_card_be_cast() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "homecoming")
    arrange.give(state, 0, "roots_return", "windfall")

    arrange.play(state, 0, "place B5 N", "cast roots_return", "recall N E9")

    assert arrange.have(state, 0)[3] == 1
    assert arrange.read("cast windfall") in arrange.legal(state, 0)


def test_sacrifices_on_the_centre() -> None:
    state = arrange.begin(centre="sacrifice")
    arrange.root(state, 1, "X")
    arrange.put(state, 0, "earth", "C6", seed="bush")
    arrange.put(state, 0, "meadow", "C7", cubes=2)
    arrange.put(state, 0, "bush", "D9", cubes=3)
    arrange.give(state, 0, "windfall")
    state.pile.remove("landslide")
    state.discards = ["landslide"]

    arrange.play(state, 0, "place B5 X")
    assert arrange.have(state, 0) == (2, 5, 4, 2)
    assert len(arrange.legal(state, 0)) == 8
    arrange.play(state, 0, "offer C6 M", "offer C7", "offer D9 discard landslide")
    assert "C6" in arrange.areas(arrange.legal(state, 0), moves.Earth)
    arrange.play(state, 0, "done")
    assert any(isinstance(move, moves.PayToll) for move in arrange.legal(state, 0))
    arrange.play(state, 0, "toll 1 0 1 0 0")

    assert all(isinstance(move, moves.TanglePlace) for move in arrange.legal(state, 0))
    assert state.seat == 0


def test_a_sleeping_root_moves_first_in_the_next_turn() -> None:
    state = arrange.begin(centre="hibernate")
    arrange.play(state, 0, "place B5 X")
    arrange.play(state, 1, "place B9 E5")

    assert len(arrange.legal(state, 0)) == 15
    assert moves.TangleDone() in arrange.legal(state, 0)
    arrange.play(state, 0, "place X CE", "done")

    assert all(isinstance(move, moves.TanglePlace) for move in arrange.legal(state, 0))
    assert state.seat == 0


def test_an_aggressive_takeover() -> None:
    state = arrange.begin(centre="takeover")
    arrange.put(state, 0, "earth", "C6")
    arrange.put(state, 1, "earth", "C7", "D7")
    arrange.put(state, 1, "earth", "C8", seed="bush")

    arrange.play(state, 0, "place B5 X")
    ways = [move for move in arrange.legal(state, 0) if isinstance(move, moves.Takeover)]
    assert {move.area for move in ways} == {"C7"}
    assert len(ways) == 9
    arrange.play(state, 0, "takeover C7 1 0 0 1")

    assert arrange.have(state, 0) == (1, 1, 2, 1)
    assert arrange.have(state, 1) == (3, 2, 2, 3)
    assert state.changes == 1
    assert {move.area for move in arrange.legal(state, 0) if isinstance(move, moves.Takeover)} == {"D7"}


def test_the_round_limit_goes_to_who_lacks_least() -> None:
    conditions = ["berry_wood", "great_grove", "old_forest", "wide_fields", "flowered_wood", "nursery"]
    state = arrange.begin(conditions=conditions, round_limit=30)
    state.round = 30
    lacks = [
        lacking(one, counts(state.tiles, (), seat)) for seat in (0, 1) for one in conditions[3 * seat :][:3]
    ]
    assert lacks == [12, 14, 15, 15, 15, 14]

    arrange.play(state, 0, "place B5 E9")
    arrange.play(state, 1, "place B9 E5")

    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.places == (1, 2)
