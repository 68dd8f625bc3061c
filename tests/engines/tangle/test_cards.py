"""Every enchantment of Tangle, by what it does; and hooks and events that no card uses yet."""

import pytest

from engines.game import Seat
from engines.tangle import moves
from engines.tangle.legal.context import counts
from engines.tangle.pieces.board import Kind
from engines.tangle.pieces.components import CARDS, Amount, CardId
from engines.tangle.truth.state import TangleState
from tests.engines.tangle import arrange


def cast(card: CardId, state: TangleState | None = None) -> TangleState:
    """Let seat 0 move a root and cast an affordable card. The root is between its trees."""
    result = arrange.begin() if state is None else state
    arrange.stash(result, 0, 5, 5, 5, 5)
    arrange.give(result, 0, card, "windfall" if card != "windfall" else "thorn_toll")
    arrange.play(result, 0, "place B5 E9", f"cast {card}")
    return result


def test_every_card_can_be_cast_and_lies_in_front_of_its_owner() -> None:
    for card in CARDS:
        state = cast(card)
        assert card in state.players[0].front
        assert arrange.have(state, 0)[3] <= 5 - CARDS[card].cost[3] + 5


def test_an_unpayable_or_missing_card_is_not_cast() -> None:
    state = arrange.begin()
    arrange.stash(state, 0, 5, 5, 5, 1)
    arrange.give(state, 0, "seed_wind", "windfall")
    arrange.play(state, 0, "place B5 N")

    assert arrange.refusal_of(state, 0, "cast seed_wind") == "You can't pay that: you need 1 M more."
    assert arrange.refusal_of(state, 0, "cast old_lore") == "You don't have that card."


@pytest.mark.parametrize(
    ("card", "script", "left"),
    [
        ("soft_loam", "place B5 CE; earth C6; earth C7", (2, 2, 2, 2)),
        ("soft_loam", "place B5 CE; earth C6; earth C7; earth C8", (2, 1, 2, 2)),
        ("seed_wind", "put 0 earth C6; place B5 ME; meadow C6", (2, 2, 1, 2)),
        ("warm_rain", "put 0 earth C6 C7 seed=bush; place B5 GR; grow C6", (2, 2, 2, 2)),
        ("warm_rain", "put 0 earth C6 C7 seed=bush; place B5 GR; grow C6; grow C7", (1, 2, 1, 2)),
        ("homecoming", "place B5 E9", (3, 2, 3, 4)),
        ("berry_year", "put 0 earth C6 seed=bush; place B5 GR; grow C6", (1, 4, 1, 3)),
        ("mirror_pool", "place B5 LA; lake C6", (4, 2, 2, 3)),
    ],
)
def test_a_lasting_card_makes_cheaper_or_rewards(card: CardId, script: str, left: Amount) -> None:
    """Soft Loam: the first two earth of an action. Warm Rain: its first growth."""
    assert arrange.have(arrange.prepare(f"front 0 {card}; {script}"), 0) == left


def test_long_runner_lets_earth_jump_for_nothing() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "long_runner")
    arrange.stash(state, 0, 2, 1, 2, 2)

    arrange.play(state, 0, "place B5 CE")

    assert {"C8", "C4"} <= arrange.areas(arrange.legal(state, 0), moves.Earth)


@pytest.mark.parametrize(
    ("card", "kind", "track"),
    [("still_water", "lake", 0), ("leaf_mulch", "meadow", 1), ("leaf_mulch", "bush", 1)],
)
def test_free_upkeep_keeps_tiles_without_asking(card: CardId, kind: Kind, track: int) -> None:
    state = arrange.begin()
    arrange.put(state, 0, kind, "C6", "C7")
    arrange.front(state, 0, card)
    arrange.stash(state, 0, 0, 0, 0, 0)
    markers: list[Seat | None] = [None, None, None]
    markers[track] = 0
    state.markers = (markers[0], markers[1], markers[2])
    state.seat = 1

    arrange.play(state, 1, "place B9 E5")

    assert state.tiles["C6"].kind == state.tiles["C7"].kind == kind
    assert state.seat == 0


def test_wide_meadow_holds_more() -> None:
    state = arrange.begin()
    arrange.put(state, 1, "meadow", "C7", cubes=4)
    arrange.front(state, 1, "wide_meadow")

    arrange.play(state, 0, "place B5 TS")

    assert state.tiles["C7"].cubes == 5


def test_rising_sap_rewards_a_tree() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "sapling", "C6")
    arrange.front(state, 0, "rising_sap")

    arrange.play(state, 0, "place B5 GR", "grow C6")

    assert arrange.have(state, 0) == (1, 2, 1, 4)
    assert len(state.hands[0]) == 1


@pytest.mark.parametrize(("space", "seeds"), [("BS", (2, 0)), ("TS", (0, 2))])
def test_seed_vault_takes_one_more_of_that_seed(space: str, seeds: tuple[int, int]) -> None:
    state = arrange.begin()
    arrange.front(state, 0, "seed_vault")

    arrange.play(state, 0, f"place B5 {space}")

    assert state.players[0].seeds == seeds


def test_old_lore_draws_a_card_before_the_three() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "old_lore")
    top = state.pile[0]

    arrange.play(state, 0, "place B5 EN")

    assert state.hands[0] == [top]
    assert arrange.have(state, 0)[3] == 3


@pytest.mark.parametrize(
    ("card", "what"),
    [
        ("tree_ghost", "trees"),
        ("field_ghost", "meadows"),
        ("hedge_ghost", "bushes"),
        ("spring_ghost", "lakes"),
    ],
)
def test_ghosts_count_as_what_they_show(card: CardId, what: str) -> None:
    state = arrange.begin()
    before = counts(state.tiles, (), 0)
    arrange.front(state, 0, card)

    after = counts(state.tiles, state.players[0].front, 0)

    assert after[what] == before[what] + 1  # type: ignore[index]
    assert after["enchantments"] == 1


def test_landslide_lays_three_where_each_would_cost_one() -> None:
    state = cast("landslide")

    assert "C8" not in arrange.areas(arrange.legal(state, 0), moves.Earth)
    arrange.play(state, 0, "earth C6", "earth C7", "earth C8")

    assert arrange.have(state, 0) == (5, 5, 5, 3)
    assert state.changes == 3


def test_sudden_bloom_turns_two_earth_into_meadows() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6", "C7", "C8")

    cast("sudden_bloom", state)
    assert arrange.areas(arrange.legal(state, 0), moves.Meadow) == {"C6", "C7", "C8"}
    arrange.play(state, 0, "meadow C6", "meadow C7")

    assert arrange.have(state, 0) == (5, 5, 5, 3)
    assert state.tiles["C8"].kind == "earth"


def test_spring_rush_makes_two_growths_on_different_tiles() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6", seed="tree")
    arrange.put(state, 0, "sapling", "C7")

    cast("spring_rush", state)
    arrange.play(state, 0, "grow C6")
    assert arrange.areas(arrange.legal(state, 0), moves.Grow) in ({"C7"}, set())
    if arrange.legal(state, 0) and arrange.areas(arrange.legal(state, 0), moves.Grow):
        arrange.play(state, 0, "grow C7")

    assert (state.tiles["C6"].kind, state.tiles["C7"].kind) == ("sapling", "tree")
    assert arrange.have(state, 0) == (5, 5, 5, 2)


def test_wellspring_lays_a_lake_and_then_gives_water() -> None:
    state = cast("wellspring")
    assert "C6" in arrange.areas(arrange.legal(state, 0), moves.Lake)

    arrange.play(state, 0, "lake C6")

    assert arrange.have(state, 0) == (6, 5, 5, 4)


def test_windfall_gives_a_seed_of_each() -> None:
    state = cast("windfall")

    assert state.players[0].seeds == (1, 1)
    assert state.seeds == (9, 9)


def test_rune_storm_draws_three_without_lore() -> None:
    state = arrange.begin()
    arrange.front(state, 0, "old_lore")

    cast("rune_storm", state)
    assert any(isinstance(move, moves.TakeRow) for move in arrange.legal(state, 0))
    arrange.play(state, 0, "pile", "pile")
    assert moves.TakePile() in arrange.legal(state, 0)
    arrange.play(state, 0, "row 0")

    assert len(state.hands[0]) == 4


def test_turned_season_moves_trackers_down_as_far_as_there_is_room() -> None:
    state = arrange.begin()
    state.trackers = (0, 2, 3)

    cast("turned_season", state)

    assert state.trackers == (3, 3, 3) or any(
        isinstance(move, moves.Lower) for move in arrange.legal(state, 0)
    )


def test_ripe_harvest_takes_what_lies_on_tiles_and_one_more_from_each() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "meadow", "C6", cubes=2)
    arrange.put(state, 0, "bush", "C7")

    cast("ripe_harvest", state)

    assert arrange.have(state, 0) == (5, 6, 8, 4)
    assert state.tiles["C6"].cubes == 0


def test_sap_thief_takes_twice_and_may_take_from_the_same_tile() -> None:
    state = arrange.begin()
    arrange.put(state, 1, "bush", "C7", cubes=5)
    arrange.put(state, 1, "meadow", "C8", cubes=2)

    cast("sap_thief", state)
    assert arrange.areas(arrange.legal(state, 0), moves.Drain) == {"C7", "C8"}
    arrange.play(state, 0, "drain C7", "drain C7")

    assert arrange.have(state, 0) == (5, 10, 5, 4)
    assert state.tiles["C7"].cubes == 0


def test_creeping_root_takes_two_empty_earth_over_for_nothing() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6")
    arrange.put(state, 1, "earth", "C7", "D7")

    cast("creeping_root", state)
    assert {move for move in arrange.legal(state, 0) if isinstance(move, moves.Takeover)} == {
        moves.Takeover("C7")
    }
    arrange.play(state, 0, "takeover C7")
    if state.tiles["D7"].owner == 1:
        arrange.play(state, 0, "takeover D7")

    assert (state.tiles["C7"].owner, state.tiles["D7"].owner) == (0, 0)
    assert arrange.have(state, 0) == (5, 5, 5, 3)


def test_shifting_ground_swaps_up_to_three_tiles() -> None:
    state = arrange.begin()
    arrange.put(state, 0, "earth", "C6")

    cast("shifting_ground", state)

    assert any(isinstance(move, moves.TangleSwap) for move in arrange.legal(state, 0))


def test_roots_return_brings_a_root_home() -> None:
    state = arrange.begin()
    arrange.root(state, 0, "N", "M")

    cast("roots_return", state)

    assert {move for move in arrange.legal(state, 0) if isinstance(move, moves.Recall)} == {
        moves.Recall("N", "B5"),
        moves.Recall("N", "E9"),
        moves.Recall("M", "B5"),
        moves.Recall("M", "E9"),
    }


def test_mixed_offering_gives_three_of_choice() -> None:
    state = cast("mixed_offering")

    assert len([move for move in arrange.legal(state, 0) if isinstance(move, moves.Choose)]) == 20
    arrange.play(state, 0, "choose 0 1 0 2")
    assert arrange.have(state, 0) == (5, 6, 5, 6)
