import pytest

from engines.tangle import GAME
from engines.tangle.decisions import Casting, Placing, Upkeep
from engines.tangle.legal.moves import choices
from engines.tangle.moves import (
    Cast,
    DropRest,
    Earth,
    Grow,
    Hedge,
    Lake,
    Meadow,
    Offer,
    PayToll,
    Steps,
    Takeover,
    TakePile,
    TakeRow,
    TangleDone,
    TanglePlace,
    TanglePlant,
    TangleSwap,
)
from engines.tangle.pieces.components import SPACES
from tests.engines.tangle import arrange


def test_seat_0_begins() -> None:
    assert list(GAME.prompts(arrange.begin())) == [0]


def test_resources_never_run_out_but_seeds_do() -> None:
    state = arrange.begin()
    state.seeds = (0, 0)
    arrange.play(state, 0, "place B5 BS")
    assert state.players[0].seeds == (0, 0)


def test_tiles_run_out() -> None:
    state = arrange.begin()
    arrange.change(state, 0, stash=(2, 9, 2, 2), tiles=(1, 5, 5, 3))
    arrange.play(state, 0, "place B5 CE", "earth C6")
    assert not arrange.areas(arrange.legal(state, 0), Earth)


@pytest.mark.parametrize("owner", [0, 1])
def test_a_lake_of_any_player_spares_what_borders_it_the_growth_upkeep(owner: int) -> None:
    state = arrange.begin()
    arrange.put(state, owner, "lake", "C7")
    arrange.put(state, 0, "meadow", "C6")
    arrange.stash(state, 0, 0, 0, 0, 0)
    state.markers = (None, 0, None)
    state.seat = 1
    arrange.play(state, 1, "place B9 E5")
    assert state.tiles["C6"].kind == "meadow"


def test_a_lake_lies_beside_an_own_tile_or_on_any_own_clean_earth() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C11")
    arrange.play(state, 0, "place B5 LA")
    offered = arrange.areas(arrange.legal(state, 0), Lake)
    assert {"C6", "C11", "C10"} <= offered
    assert "C8" not in offered


def test_meadows_of_the_meadow_space_need_not_touch() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6", "C9")
    arrange.play(state, 0, "place B5 ME")
    assert arrange.areas(arrange.legal(state, 0), Meadow) == {"C6", "C9"}


def test_spreading_needs_a_meadow_that_was_there_before() -> None:
    state = arrange.begin(3)
    arrange.put(state, 0, "meadow", "C6")
    arrange.put(state, 0, "earth", "C7", "C8")
    arrange.play(state, 0, "place B5 SM")
    assert arrange.areas(arrange.legal(state, 0), Meadow) == {"C7"}
    arrange.play(state, 0, "meadow C7")
    assert arrange.have(state, 0)[2] == 1
    assert not arrange.areas(arrange.legal(state, 0), Meadow)


def test_going_home_triggers_nothing() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "meadow", "E10", cubes=2)
    arrange.play(state, 0, "place B5 E9")
    assert arrange.have(state, 0) == (2, 2, 2, 2)
    assert state.tiles["E9"].roots == 2


def test_a_root_goes_to_another_place_and_never_stays() -> None:
    state = arrange.begin()
    assert arrange.refusal_of(state, 0, "place B5 B5") == "That root is already there."
    assert arrange.refusal_of(state, 0, "place B5 B9") == "That isn't one of your trees."
    assert arrange.refusal_of(state, 0, "place EN CE") == "You have no root there."
    assert arrange.refusal_of(state, 0, "place B5 X") == "You can't do anything there."


def test_one_root_stands_on_each_first_tree_and_three_wait() -> None:
    state = arrange.begin()
    assert [state.tiles[area].roots for area in ("B5", "E9", "B9", "E5")] == [1, 1, 1, 1]
    assert state.players[0].roots == 3


def test_saplings_and_trees_are_not_sacrificed() -> None:
    state = arrange.begin(centre="sacrifice")
    arrange.put(state, 0, "sapling", "C6")
    arrange.put(state, 0, "earth", "C7")
    arrange.play(state, 0, "place B5 X")
    assert {move.area for move in arrange.legal(state, 0) if isinstance(move, Offer)} == {"C7"}


def test_the_topmost_own_root_leaves_and_the_others_slide_down() -> None:
    state = arrange.begin()
    arrange.root(state, 0, "N")
    arrange.root(state, 1, "N")
    arrange.root(state, 0, "N")
    arrange.root(state, 1, "N")
    arrange.play(state, 0, "place N E9")
    assert state.roots["N"] == (0, 1, 1)


def test_a_placements_harvest_pays_for_its_action() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "bush", "C6", cubes=3)
    arrange.stash(state, 0, 0, 0, 0, 0)
    arrange.play(state, 0, "place B5 CE")
    assert arrange.areas(arrange.legal(state, 0), Earth)


def test_every_part_of_an_action_may_be_declined_but_three_draws_run() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "earth", "C6", seed="bush")
    arrange.play(state, 0, "place B5 CG")
    assert TangleDone() in arrange.legal(state, 0)
    assert TangleDone() in arrange.legal(arrange.prepare("place B5 LA"), 0)
    arrange.play(state, 0, "done")
    state = arrange.begin(4)
    arrange.play(state, 0, "place B5 EN")
    assert TangleDone() not in arrange.legal(state, 0)


def test_planting_and_swapping_are_no_changes_but_a_new_root_is() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "earth", "C6")
    arrange.change(state, 0, seeds=(1, 0))
    arrange.play(state, 0, "place B5 PL", "plant bush C6")
    assert state.seat == 1
    assert state.trackers == (5, 5, 5)


def test_the_acting_seat_pushes_the_trackers_as_it_likes() -> None:
    state = arrange.begin()
    arrange.play(state, 0, "place B5 LA", "lake C6")
    assert {move.by for move in arrange.legal(state, 0) if isinstance(move, Steps)} == {
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    }


def test_upkeep_may_always_be_refused() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "lake", "C6")
    state.markers = (0, None, None)
    state.seat = 1
    arrange.play(state, 1, "place B9 E5")
    assert DropRest() in arrange.legal(state, 0)
    arrange.play(state, 0, "drop_rest")
    assert arrange.have(state, 0)[1] == 2


def test_an_empty_pile_is_made_of_the_discards() -> None:
    state = arrange.begin()
    arrange.row_and_pile(state, ["windfall", "old_lore", "rune_storm"], [], ["seed_wind"])
    arrange.play(state, 0, "place B5 EN", "pile")
    assert state.hands[0] == ["seed_wind"]


def test_with_nothing_to_draw_the_draw_lapses() -> None:
    state = arrange.begin()
    arrange.row_and_pile(state, [], [], [])
    arrange.play(state, 0, "place B5 EN")
    assert state.seat == 1


def test_there_is_no_hand_limit() -> None:
    state = arrange.begin()
    arrange.give(state, 0, *["rune_storm", "windfall", "old_lore", "seed_vault", "berry_year", "mirror_pool"])
    arrange.play(state, 0, "place B5 EN", "pile", "pile", "pile")
    assert len(state.hands[0]) == 9


def test_a_sacrificed_lake_is_an_extra_placement_after_the_toll() -> None:
    state = arrange.begin(centre="sacrifice")
    arrange.put(state, 0, "lake", "C6")
    arrange.play(state, 0, "place B5 X", "offer C6")
    assert all(isinstance(move, TanglePlace) for move in arrange.legal(state, 0))
    assert "C6" not in state.tiles


def test_hidden_hands_are_asked_to_cast_even_if_nothing_can_be_paid() -> None:
    state = arrange.begin()
    arrange.stash(state, 0, 2, 2, 2, 0)
    arrange.give(state, 0, "tree_ghost")
    arrange.play(state, 0, "place B5 LA", "done")
    assert arrange.legal(state, 0) == [TangleDone()]


def test_without_a_root_at_home_casting_is_skipped() -> None:
    state = arrange.begin()
    arrange.give(state, 0, "windfall")
    arrange.play(state, 0, "place B5 N")
    assert Cast("windfall") in arrange.legal(state, 0)
    arrange.play(state, 0, "done")
    arrange.play(state, 1, "place B9 E5")
    arrange.play(state, 0, "place E9 M")
    assert state.seat == 1


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("place B5 W", (4, 2, 2, 2)),
        ("place B5 E", (2, 4, 2, 2)),
        ("place B5 N", (2, 2, 4, 2)),
        ("place B5 M", (2, 2, 2, 4)),
        ("root 0 N N; place B5 N", (2, 2, 4, 2)),
        ("put 0 tree C6; place B5 GW", (5, 2, 2, 2)),
        ("put 1 earth C6 C7; stash 0 0 3 0 0; place B5 CE; earth C8", (0, 0, 0, 0)),
        ("front 0 deep_taproot deep_taproot; place B5 M", (2, 2, 2, 6)),
        ("front 0 deep_taproot; place B5 S1", (2, 2, 3, 3)),
        ("front 0 tree_ghost; place B5 GW", (4, 2, 2, 2)),
    ],
    ids=[
        *("all that lies on W", "all that lies on E", "all that lies on N", "all that lies on M"),
        "own roots below cost nothing",
        "gather water gives one for each own tree",
        "jumping costs the distance whatever lies between",
        "deep taproot takes more of a basic resource",
        "deep taproot takes no more of a spring",
        "a ghost is no tree to gather water from",
    ],
)
def test_what_a_placement_brings_and_costs(script: str, left: tuple[int, ...]) -> None:
    assert arrange.have(arrange.prepare(script, 3), 0) == left


def test_planting_takes_own_seeds_onto_clean_earth() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6", "C7")
    arrange.change(state, 0, seeds=(1, 1))
    arrange.play(state, 0, "place B5 PL", "plant tree C6")
    assert {move for move in arrange.legal(state, 0) if isinstance(move, TanglePlant)} == {
        TanglePlant("bush", "C7")
    }


def test_spread_bushes_puts_seeds_of_the_supply_beside_bushes() -> None:
    state = arrange.begin(3)
    arrange.put(state, 0, "bush", "E10")
    arrange.put(state, 0, "earth", "E11")
    arrange.play(state, 0, "place B5 SB")
    assert arrange.areas(arrange.legal(state, 0), Hedge) == {"E11"}
    arrange.play(state, 0, "hedge E11")
    assert state.tiles["E11"].seed == "bush"
    assert state.seeds == (9, 10)
    assert arrange.have(state, 0)[1] == 1


def test_gather_enchantments_draws_for_each_meadow() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "meadow", "C6", "C7")
    arrange.play(state, 0, "place B5 GE", "pile")
    assert TakePile() in arrange.legal(state, 0)
    arrange.play(state, 0, "pile")
    assert len(state.hands[0]) == 2


def test_contained_growth_grows_once_and_bedews_every_bush() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "earth", "C6", seed="bush")
    arrange.put(state, 0, "bush", "C7", cubes=1)
    arrange.play(state, 0, "place B5 CG", "grow C6")
    assert (state.tiles["C6"].cubes, state.tiles["C7"].cubes) == (1, 2)


def test_mana_is_changed_into_anything() -> None:
    state = arrange.begin(4)
    arrange.stash(state, 0, 0, 0, 0, 8)
    arrange.play(state, 0, "place B5 MT", "trade W", "trade E", "trade N", "buy bush", "buy tree")
    assert arrange.have(state, 0) == (1, 1, 1, 0)
    assert state.players[0].seeds == (1, 1)
    state = arrange.begin(4)
    arrange.play(state, 0, "place B5 MT")
    assert any(isinstance(move, TakeRow) for move in arrange.legal(state, 0))


def test_diverse_growth_allows_each_thing_once() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "earth", "C6", seed="bush")
    arrange.put(state, 0, "earth", "C7", "C8")
    arrange.stash(state, 0, 5, 5, 5, 5)
    arrange.play(state, 0, "place B5 DG", "meadow C7")
    moves = arrange.legal(state, 0)
    assert not arrange.areas(moves, Meadow)
    assert arrange.areas(moves, Earth)
    assert arrange.areas(moves, Grow) == {"C6"}


def test_swaps_name_the_tile_that_comes_first_on_the_board_first() -> None:
    state = arrange.begin(4)
    arrange.put(state, 0, "earth", "C6")
    arrange.play(state, 0, "place B5 SL")
    assert TangleSwap("B5", "C6") in arrange.legal(state, 0)
    assert arrange.refusal_of(state, 0, "swap C6 B5")


def test_an_exchanged_space_loses_its_own_action_and_gets_the_alternative() -> None:
    state = arrange.begin(3, exchange=(("S1", "takeover"),))
    assert "S1" not in state.resources
    arrange.put(state, 0, "earth", "B6")
    arrange.put(state, 1, "earth", "B7")
    arrange.play(state, 0, "place B5 S1")
    assert any(isinstance(move, Takeover) for move in arrange.legal(state, 0))


def test_a_toll_is_paid_to_each_owner_in_ascending_order() -> None:
    state = arrange.begin(3)
    arrange.root(state, 2, "N")
    arrange.root(state, 1, "N")
    arrange.play(state, 0, "place B5 N")
    assert {move.to for move in arrange.legal(state, 0) if isinstance(move, PayToll)} == {1}
    arrange.play(state, 0, "toll 1 1 0 0 0")
    assert {move.to for move in arrange.legal(state, 0) if isinstance(move, PayToll)} == {2}


def test_every_space_in_play_has_six_bordering_areas() -> None:
    state = arrange.begin(4)
    view = GAME.view(state, 0)
    assert set(view.resources) == {code for code, space in SPACES.items() if space.action == "resource"}


def test_moves_that_are_not_asked_are_refused_with_a_sentence() -> None:
    state = arrange.begin()
    for line in ("earth C6", "done", "cast windfall", "steps 1 0 0", "pay_rest", "row 0", "toll 1 1 0 0 0"):
        assert arrange.refusal_of(state, 0, line) == "You can't answer that now."
    assert arrange.refusal_of(state, 1, "place B9 CE") == "It isn't your turn."
    assert arrange.read("place B5 Z9") not in arrange.legal(state, 0)
    assert arrange.refusal_of(state, 0, "place B5 Z9")


def test_tiles_stay_and_the_hand_is_discarded() -> None:
    state = arrange.begin(3)
    arrange.give(state, 1, "windfall", "landslide")
    arrange.put(state, 1, "meadow", "C7")
    arrange.root(state, 1, "N")
    tiles, roots = dict(state.tiles), dict(state.roots)
    GAME.resign(state, 1)

    assert (state.tiles, state.roots) == (tiles, roots)
    assert sorted(state.discards) == ["landslide", "windfall"]
    assert state.players[1].held == 0
    assert GAME.hand(state, 1) is None
    arrange.play(state, 0, "place B5 W")
    assert state.seat == 2


def test_its_tiles_and_roots_give_and_take_nothing() -> None:
    state = arrange.begin(3)
    arrange.put(state, 1, "meadow", "C8")
    arrange.put(state, 1, "bush", "B6", cubes=3)
    arrange.root(state, 1, "TS")
    arrange.front(state, 1, "thorn_toll", "iron_grip")
    GAME.resign(state, 1)
    before = arrange.have(state, 1)
    arrange.play(state, 0, "place B5 TS")

    assert arrange.have(state, 1) == before
    assert arrange.have(state, 0) == (2, 2, 2, 2)
    assert state.tiles["C8"].cubes == 0
    assert state.tiles["B6"].cubes == 3


def test_its_turn_ends_without_steps() -> None:
    state = arrange.begin(3)
    arrange.play(state, 0, "place B5 CE", "earth C6")
    GAME.resign(state, 0)

    assert (state.seat, state.round, state.turn) == (1, 1, 2)
    assert state.trackers == (4, 4, 4)
    assert state.agenda == [Casting(), Placing()]
    arrange.play(state, 1, "place B8 W")
    arrange.play(state, 2, "place C11 N")
    assert (state.seat, state.round) == (1, 2)


def test_its_markers_go_to_the_next_who_remains() -> None:
    state = arrange.begin(4)
    state.markers = (2, 1, 2)
    GAME.resign(state, 3)
    GAME.resign(state, 2)

    assert state.markers == (0, 1, 0)


def test_upkeep_goes_on_without_it() -> None:
    state = arrange.begin(3)
    for seat, area in enumerate(("C6", "B7", "C10")):
        arrange.put(state, seat, "lake", area)
    state.markers = (1, 1, None)
    arrange.play(state, 0, "place B5 W")
    assert list(GAME.prompts(state)) == [0, 1, 2]

    GAME.resign(state, 1)
    assert list(GAME.prompts(state)) == [0, 2]
    assert isinstance(state.decision, Upkeep)
    arrange.play(state, 2, "pay_rest")
    arrange.play(state, 0, "drop_rest")
    assert (state.seat, state.turn) == (2, 3)
    assert not any(marker is not None for marker in state.markers)
    assert state.tiles["B7"].kind == "lake"
    assert arrange.have(state, 2) == (2, 1, 2, 2)


def test_nobody_waits_for_what_only_it_owed() -> None:
    state = arrange.begin(3)
    arrange.put(state, 2, "lake", "C10")
    state.markers = (1, None, None)
    arrange.play(state, 0, "place B5 W")
    assert list(GAME.prompts(state)) == [2]

    GAME.resign(state, 2)
    assert list(GAME.prompts(state)) == [1]
    assert isinstance(state.decision, Placing)
    assert not any(marker is not None for marker in state.markers)


def test_a_toll_to_it_is_waived() -> None:
    state = arrange.begin(3)
    arrange.root(state, 1, "CE")
    arrange.root(state, 2, "CE")
    arrange.play(state, 0, "place B5 CE", "done")
    assert state.reserve == 2

    GAME.resign(state, 1)
    assert state.reserve == 1
    assert {move.to for move in arrange.legal(state, 0)} == {2}  # type: ignore[union-attr]


def test_its_land_can_not_be_taken_over() -> None:
    state = arrange.begin(3, centre="takeover")
    arrange.put(state, 1, "earth", "B6")
    arrange.put(state, 2, "earth", "C6")
    arrange.stash(state, 0, 9, 9, 9, 9)
    arrange.play(state, 0, "place B5 X")
    GAME.resign(state, 1)

    assert {getattr(move, "area", "C6") for move in choices(GAME.view(state, 0))} == {"C6"}


def test_its_lakes_stay_lakes() -> None:
    state = arrange.begin(3)
    arrange.put(state, 1, "lake", "C7")
    arrange.put(state, 0, "earth", "C6", seed="bush")
    GAME.resign(state, 1)
    arrange.stash(state, 0, 0, 0, 1, 0)
    arrange.play(state, 0, "place B5 GR", "grow C6")

    assert state.tiles["C6"].kind == "bush"


def test_the_last_one_left_has_won() -> None:
    state = arrange.begin(4)
    for seat in (2, 0, 3):
        GAME.resign(state, seat)

    assert state.outcome is not None
    assert (state.outcome.how, state.outcome.places) == ("left", (3, 1, 4, 2))
    assert GAME.view(state, None).shown == [(), (), (), ()]
