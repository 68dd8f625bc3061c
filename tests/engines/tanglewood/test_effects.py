"""Every effect of a Tangle and every benefit of a step, by name. Rules: Steps, Tangles."""

from typing import get_args

import pytest

from engines.tanglewood import GAME
from engines.tanglewood.events import (
    DrawLevelRose,
    Evicted,
    GainedMarkers,
    GainedVotes,
    Moved,
    NothingHappened,
    PlacedAdjacent,
    PlaceLevelRose,
    Reinforced,
    SawBallots,
    Stepped,
    StoodAtEnd,
    TanglewoodPlanted,
)
from engines.tanglewood.moves import (
    Crossing,
    Export,
    Gather,
    MoveAdjacent,
    PlacedWorker,
    Scatter,
    SentWorker,
    TanglewoodDraw,
    TanglewoodNudge,
    TanglewoodPlaceAdjacent,
    TanglewoodPlant,
)
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Hop
from engines.tanglewood.pieces.components import EFFECTS, FOX_TILES, TRACKS, Deed
from tests.engines.tanglewood.arrange import arrange, count_drawn, legal, only, place, play, refusal


def test_place_1_puts_one_more_here() -> None:
    state, bare = arrange("S1"), arrange("S1", "E", circle=1, steps={"rabbit": 0})

    assert only(place(state), Reinforced).count == 1
    assert only(place(bare), Reinforced).count == 0
    assert (state.workers["E"][0], bare.workers["E"][0]) == (4, 3)


def test_score_1_is_a_vote() -> None:
    state = arrange("S4")

    assert only(place(state), GainedVotes).votes == 1
    assert state.votes == [6, 5, 5, 5]


def test_draw_1_is_a_marker() -> None:
    state = arrange("S8")

    assert only(place(state), GainedMarkers).markers == 1
    assert state.circles[0] == 5


def test_gather_brings_two_from_different_regions() -> None:
    state = arrange("T01")
    place(state)

    moved = only(play(state, Gather((PlacedWorker("A", 0), PlacedWorker("I", 3)))), Moved)

    assert moved.hops == (Hop(0, "A", "E"), Hop(3, "I", "E"))
    assert [state.workers[region] for region in "AEI"] == [(1, 2, 2, 2), (4, 2, 2, 3), (2, 2, 2, 1)]


def test_scatter_sends_two_to_different_regions() -> None:
    state = arrange("T05", seats=3)
    place(state)

    play(state, Scatter((SentWorker(NEUTRAL, "A"), SentWorker(1, "I"))))

    assert [state.workers[region] for region in "AEI"] == [(2, 2, 2, 3), (3, 1, 2, 1), (2, 3, 2, 2)]


def test_double_placement_puts_one_more_and_scores_two() -> None:
    state = arrange("T11", steps={"fox": 2})

    events = place(state)

    assert only(events, Reinforced).count == 1
    assert state.votes[0] == 5 + 1 + 2


def test_evict_takes_one_of_every_other_colour() -> None:
    state = arrange("T14", seats=3, steps={"fox": 2})

    assert only(place(state), Evicted).colours == (1, 2, NEUTRAL)
    assert (state.workers["E"], state.circles) == ((3, 1, 1, 1), [4, 6, 6])


def test_2_ballots_are_seen_by_their_owner_alone() -> None:
    state = arrange("T16")

    saw = only(place(state), SawBallots)

    assert (saw.only, len(saw.regions), len(state.hands[0])) == (0, 2, 4)


@pytest.mark.parametrize(("before", "ballots"), [((2, 1, 0, 0), 1), ((0, 1, 0, 0), 2), ((0, 3, 3, 3), 0)])
def test_regional_ballots_go_by_the_standing_here(before: tuple[int, ...], ballots: int) -> None:
    events = place(arrange("T20", counts={"E": before}))

    assert count_drawn(events) == ballots
    assert any(isinstance(event, NothingHappened) for event in events) == (ballots == 0)


def test_area_ballots_look_at_the_neighbours_too() -> None:
    assert count_drawn(place(arrange("T24", "E", {"E": (0, 3, 3, 3), "B": (3, 2, 2, 2)}))) == 3
    assert count_drawn(place(arrange("T24", "E", {"E": (0, 3, 3, 3), "A": (3, 2, 2, 2)}))) == 0


def test_move_adjacent_goes_either_way() -> None:
    state = arrange("T28")
    place(state)

    play(state, MoveAdjacent("D", (Crossing("in", 1), Crossing("out", 2))))

    assert (state.workers["E"], state.workers["D"]) == ((3, 3, 1, 2), (2, 1, 3, 2))


def test_move_adjacent_may_swap_a_colour_with_itself() -> None:
    state = arrange("T28")
    place(state)
    before = state.workers

    play(state, MoveAdjacent("D", (Crossing("in", 1), Crossing("out", 1))))

    assert state.workers == before


@pytest.mark.parametrize(("card", "left"), [("T32", 3), ("T36", 4)])
def test_place_adjacent_takes_from_its_source(card: str, left: int) -> None:
    state = arrange(card)
    place(state)

    placed = only(play(state, TanglewoodPlaceAdjacent("B")), PlacedAdjacent)

    assert placed.source == ("circle" if left == 3 else "supply")
    assert (state.workers["B"][0], state.circles[0]) == (3, left)


def test_export_2_sends_two_to_one_region_however_far() -> None:
    state = arrange("T39", "A")
    place(state, "A")

    play(state, Export("I", (1, 1)))

    assert (state.workers["A"], state.workers["I"]) == ((3, 0, 2, 2), (2, 4, 2, 2))


def test_draw_refills_by_the_draw_level() -> None:
    state = arrange("T44", draw_levels=[3, 0, 0, 0])

    assert only(place(state), GainedMarkers).markers == 5
    assert state.circles[0] == 9


@pytest.mark.parametrize("track", list(TRACKS))
def test_every_step_of_a_track_brings_its_benefit(track: str) -> None:
    for step, benefit in enumerate(TRACKS[track].steps):  # type: ignore[index]
        state = arrange(circle=0, steps={track: step})  # type: ignore[dict-item]
        events = play(state, TanglewoodDraw(track))  # type: ignore[arg-type]
        given = benefit
        if isinstance(benefit, components.FoxTileDeed):
            given = FOX_TILES[state.fox_tiles[benefit.slot - 1]].benefit
        assert only(events, Stepped).benefit == given
        assert (state.phase == "benefit") == isinstance(given, components.PlantDeed | components.NudgeDeed)


def test_a_level_that_is_the_last_one_is_lost() -> None:
    draw, placing = arrange(circle=0), arrange(circle=0)
    draw.draw_levels[0], placing.place_levels[0] = 4, 3

    rose, risen = (
        only(play(draw, TanglewoodDraw("rabbit")), DrawLevelRose),
        only(play(placing, TanglewoodDraw("bear")), PlaceLevelRose),
    )

    assert (rose.value, rose.lost, draw.draw_levels[0]) == (6, True, 4)
    assert (risen.value, risen.lost, placing.place_levels[0]) == (4, True, 3)


def test_markers_ballots_and_votes_come_at_once() -> None:
    markers, ballots = arrange(circle=0, steps={"rabbit": 2}), arrange(circle=0, steps={"bear": 1})
    votes = arrange(circle=0, steps={"fox": 2})

    play(markers, TanglewoodDraw("rabbit"))
    assert count_drawn(play(ballots, TanglewoodDraw("bear"))) == 1
    play(votes, TanglewoodDraw("fox"))

    assert (markers.circles[0], len(ballots.hands[0]), votes.votes[0]) == (4, 3, 6)


def test_night_planting_takes_from_the_supply_and_no_tangle() -> None:
    state = arrange(circle=0, tiles=["plant"])
    play(state, TanglewoodDraw("fox"))

    assert refusal(state, TanglewoodPlant("Z")) == "There's no such region. Choose A to I."
    events = play(state, TanglewoodPlant("I"))

    assert only(events, TanglewoodPlanted).region == "I"
    assert (state.workers["I"][0], state.circles[0], state.tangles["I"], state.seat) == (3, 2, "S9", 1)


def test_whispers_are_two_ballots_and_the_hoard_two_votes() -> None:
    whispers, hoard = arrange(circle=0, tiles=["whispers"]), arrange(circle=0, tiles=["hoard"])

    assert count_drawn(play(whispers, TanglewoodDraw("fox"))) == 2
    play(hoard, TanglewoodDraw("fox"))

    assert hoard.votes[0] == 7


def test_false_trail_moves_a_worker_of_any_colour() -> None:
    state = arrange(circle=0, seats=3, tiles=["nudge"])
    play(state, TanglewoodDraw("fox"))

    assert only(play(state, TanglewoodNudge("A", NEUTRAL, "B")), Moved).hops == (Hop(NEUTRAL, "A", "B"),)
    assert (state.workers["A"][3], state.workers["B"][3]) == (1, 3)


def test_at_the_end_of_a_track_stands_a_ballot() -> None:
    state = arrange(circle=0, steps={"fox": 6})

    events = play(state, TanglewoodDraw("fox"))

    assert (only(events, StoodAtEnd).track, count_drawn(events)) == ("fox", 1)


def test_other_data_may_ask_several_times() -> None:
    state = arrange(circle=0)
    play(state, TanglewoodDraw())
    state.seat, state.phase = 0, "benefit"
    state.benefit = [components.PlantDeed(1), components.PlantDeed(1)]

    play(state, TanglewoodPlant("A"))
    assert (state.seat, state.phase) == (0, "benefit")
    play(state, TanglewoodPlant("A"))

    assert (state.seat, state.workers["A"][0]) == (1, 4)


def test_an_effect_of_several_deeds_goes_on_after_a_choice() -> None:
    state = arrange("T36")
    place(state)
    state.effect.append(components.Votes(2))

    play(state, TanglewoodPlaceAdjacent("B"))

    assert (state.votes[0], state.seat) == (7, 1)


def test_every_deed_of_the_data_is_known() -> None:
    entries = {type(deed) for effect in EFFECTS.values() for deed in effect.steps}
    entries |= {type(benefit) for track in TRACKS.values() for benefit in track.steps}
    entries |= {type(tile.benefit) for tile in FOX_TILES.values()}

    assert entries == set(get_args(Deed))


def test_a_forced_choice_is_made_for_the_seat() -> None:
    state = arrange("T01", counts={"C": (0, 3, 0, 0)}, empty=True)
    place(state)

    assert GAME.only_move(state, 0) == legal(state)[0]
    assert GAME.only_move(arrange(), 0) is None
