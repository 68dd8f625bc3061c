"""Every effect of a Tangle and every benefit of a step, by name. Rules: Steps, Tangles."""

from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup
from engines.tanglewood import GAME, moves
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Hop
from engines.tanglewood.truth.state import TanglewoodState
from tests.engines.tanglewood.arrange import (
    SEED,
    arrange,
    count_drawn,
    deal,
    legal,
    only,
    place,
    play,
    refusal,
)


def test_place_1_puts_one_more_here() -> None:
    state, bare = arrange("S1"), arrange("S1", "E", circle=1, steps={"rabbit": 0})

    assert only(place(state), moves.Reinforced).count == 1
    assert only(place(bare), moves.Reinforced).count == 0
    assert (state.workers["E"][0], bare.workers["E"][0]) == (4, 3)


def test_score_1_is_a_vote_and_draw_1_is_a_marker() -> None:
    state = arrange("S4")

    assert only(place(state), moves.GainedVotes).votes == 1
    assert state.votes == [6, 5, 5, 5]

    state = arrange("S8")

    assert only(place(state), moves.GainedMarkers).markers == 1
    assert state.circles[0] == 5


def test_gather_brings_two_from_different_regions() -> None:
    state = arrange("T01")
    place(state)

    moved = only(
        play(state, moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("I", 3)))), moves.Moved
    )

    assert moved.hops == (Hop(0, "A", "E"), Hop(3, "I", "E"))
    assert [state.workers[region] for region in "AEI"] == [(1, 2, 2, 2), (4, 2, 2, 3), (2, 2, 2, 1)]


def test_scatter_sends_two_to_different_regions() -> None:
    state = arrange("T05", seats=3)
    place(state)

    play(state, moves.Scatter((moves.SentWorker(NEUTRAL, "A"), moves.SentWorker(1, "I"))))

    assert [state.workers[region] for region in "AEI"] == [(2, 2, 2, 3), (3, 1, 2, 1), (2, 3, 2, 2)]


def test_2_ballots_are_seen_by_their_owner_alone() -> None:
    state = arrange("T16")

    saw = only(place(state), moves.SawBallots)

    assert (saw.only, len(saw.regions), len(state.hands[0])) == (0, 2, 4)


def test_move_adjacent_goes_either_way_and_may_swap_a_colour_with_itself() -> None:
    state = arrange("T28")
    place(state)

    play(state, moves.MoveAdjacent("D", (moves.Crossing("in", 1), moves.Crossing("out", 2))))

    assert (state.workers["E"], state.workers["D"]) == ((3, 3, 1, 2), (2, 1, 3, 2))

    state = arrange("T28")
    place(state)
    before = state.workers

    play(state, moves.MoveAdjacent("D", (moves.Crossing("in", 1), moves.Crossing("out", 1))))

    assert state.workers == before


@pytest.mark.parametrize(("card", "left"), [("T32", 3), ("T36", 4)])
def test_place_adjacent_takes_from_its_source(card: str, left: int) -> None:
    state = arrange(card)
    place(state)

    placed = only(play(state, moves.TanglewoodPlaceAdjacent("B")), moves.PlacedAdjacent)

    assert placed.source == ("circle" if left == 3 else "supply")
    assert (state.workers["B"][0], state.circles[0]) == (3, left)


@pytest.mark.parametrize("track", list(components.TRACKS))
def test_every_step_of_a_track_brings_its_benefit(track: str) -> None:
    for step, benefit in enumerate(components.TRACKS[track].steps):  # type: ignore[index]
        state = arrange(circle=0, steps={track: step})  # type: ignore[dict-item]
        events = play(state, moves.TanglewoodDraw(track))  # type: ignore[arg-type]
        given = benefit
        if isinstance(benefit, components.FoxTileDeed):
            given = components.FOX_TILES[state.fox_tiles[benefit.slot - 1]].benefit
        assert only(events, moves.Stepped).benefit == given
        assert (state.phase == "benefit") == isinstance(given, components.PlantDeed | components.NudgeDeed)


def test_a_level_that_is_the_last_one_is_lost() -> None:
    draw, placing = arrange(circle=0), arrange(circle=0)
    draw.draw_levels[0], placing.place_levels[0] = 4, 3

    rose, risen = (
        only(play(draw, moves.TanglewoodDraw("rabbit")), moves.DrawLevelRose),
        only(play(placing, moves.TanglewoodDraw("bear")), moves.PlaceLevelRose),
    )

    assert (rose.value, rose.lost, draw.draw_levels[0]) == (6, True, 4)
    assert (risen.value, risen.lost, placing.place_levels[0]) == (4, True, 3)


def test_markers_ballots_and_votes_come_at_once() -> None:
    markers, ballots = arrange(circle=0, steps={"rabbit": 2}), arrange(circle=0, steps={"bear": 1})
    votes = arrange(circle=0, steps={"fox": 2})

    play(markers, moves.TanglewoodDraw("rabbit"))
    assert count_drawn(play(ballots, moves.TanglewoodDraw("bear"))) == 1
    play(votes, moves.TanglewoodDraw("fox"))

    assert (markers.circles[0], len(ballots.hands[0]), votes.votes[0]) == (4, 3, 6)


def test_night_planting_takes_from_the_supply_and_no_tangle() -> None:
    state = arrange(circle=0, tiles=["plant"])
    play(state, moves.TanglewoodDraw("fox"))

    events = play(state, moves.TanglewoodPlant("I"))

    assert only(events, moves.TanglewoodPlanted).region == "I"
    assert (state.workers["I"][0], state.circles[0], state.tangles["I"], state.seat) == (3, 2, "S9", 1)


def test_whispers_are_two_ballots_the_hoard_two_votes_and_false_trail_moves_any_worker() -> None:
    whispers, hoard = arrange(circle=0, tiles=["whispers"]), arrange(circle=0, tiles=["hoard"])

    assert count_drawn(play(whispers, moves.TanglewoodDraw("fox"))) == 2
    play(hoard, moves.TanglewoodDraw("fox"))

    assert hoard.votes[0] == 7

    state = arrange(circle=0, seats=3, tiles=["nudge"])
    play(state, moves.TanglewoodDraw("fox"))

    assert only(play(state, moves.TanglewoodNudge("A", NEUTRAL, "B")), moves.Moved).hops == (
        Hop(NEUTRAL, "A", "B"),
    )
    assert (state.workers["A"][3], state.workers["B"][3]) == (1, 3)


def test_other_data_may_ask_several_times_and_several_deeds_go_on_after_a_choice() -> None:
    state = arrange(circle=0)
    play(state, moves.TanglewoodDraw())
    state.seat, state.phase = 0, "benefit"
    state.benefit = [components.PlantDeed(1), components.PlantDeed(1)]

    play(state, moves.TanglewoodPlant("A"))
    assert (state.seat, state.phase) == (0, "benefit")
    play(state, moves.TanglewoodPlant("A"))

    assert (state.seat, state.workers["A"][0]) == (1, 4)

    state = arrange("T36")
    place(state)
    state.effect.append(components.Votes(2))

    play(state, moves.TanglewoodPlaceAdjacent("B"))

    assert (state.votes[0], state.seat) == (7, 1)


NO_SECOND = "There's no second worker of that colour there."
NO_WORKER = "There's no worker of that colour there."
IN_ORDER = "List them in this order: regions by letter, seats by number, the neutral colour last."


def effect(card: str, **counts: tuple[int, ...]) -> TanglewoodState:
    state = arrange(card, counts=counts)
    place(state)
    return state


def test_an_empty_circle_comes_first_then_the_level_and_a_card_offers_its_tracks_only() -> None:
    assert (
        refusal(arrange(circle=0), moves.TanglewoodPlace("A", 3)) == "Your circle is empty, so draw markers."
    )
    assert (
        refusal(arrange(circle=1, place_levels=[1, 0, 0, 0]), moves.TanglewoodPlace("A", 3))
        == "Your Place level lets you place at most 2 markers."
    )
    assert (
        refusal(arrange(circle=1, place_levels=[1, 0, 0, 0]), moves.TanglewoodPlace("A", 2))
        == "You have only 1 marker in your circle."
    )

    state = effect("T15")

    wolf = moves.TanglewoodStep("wolf")  # type: ignore[arg-type]
    assert refusal(state, wolf) == "Choose a track that this Tangle shows: Rabbit, Bear, Fox."


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (
            moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("A", 1))),
            "Choose two different regions.",
        ),
        (
            moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("E", 1))),
            "You can't choose the region you placed in.",
        ),
        (
            moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("K", 1))),
            "There's no such region. Choose A to I.",
        ),
        (moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("B", NEUTRAL))), NO_WORKER),
        (moves.Gather((moves.PlacedWorker("A", 0), moves.PlacedWorker("B", 3))), NO_WORKER),
        (moves.Gather((moves.PlacedWorker("B", 0), moves.PlacedWorker("A", 0))), IN_ORDER),
        (moves.Export("A", (0, 0)), "First choose which workers come here, and from where."),
    ],
)
def test_gather(move: moves.Move, sentence: str) -> None:
    assert refusal(effect("T01", B=(2, 2, 2, 0)), move) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (moves.Scatter((moves.SentWorker(1, "A"), moves.SentWorker(1, "B"))), NO_SECOND),
        (moves.Scatter((moves.SentWorker(3, "A"), moves.SentWorker(1, "B"))), NO_WORKER),
        (
            moves.Scatter((moves.SentWorker(0, "A"), moves.SentWorker(1, "A"))),
            "Choose two different regions.",
        ),
        (moves.Scatter((moves.SentWorker(0, "B"), moves.SentWorker(1, "A"))), IN_ORDER),
    ],
)
def test_scatter(move: moves.Move, sentence: str) -> None:
    assert refusal(effect("T05", E=(2, 1, 2, 0)), move) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (
            moves.MoveAdjacent("A", (moves.Crossing("in", 0), moves.Crossing("in", 1))),
            "Choose adjacent regions.",
        ),
        (
            moves.MoveAdjacent("E", (moves.Crossing("in", 0), moves.Crossing("in", 1))),
            "You can't choose the region you placed in.",
        ),
        (moves.MoveAdjacent("B", (moves.Crossing("in", 1), moves.Crossing("in", 1))), NO_SECOND),
        (moves.MoveAdjacent("B", (moves.Crossing("out", 0), moves.Crossing("in", 0))), IN_ORDER),
    ],
)
def test_move_adjacent(move: moves.Move, sentence: str) -> None:
    assert refusal(effect("T28", B=(2, 1, 2, 2)), move) == sentence


def test_export_and_place_adjacent() -> None:
    export, adjacent = effect("T39", E=(0, 1, 0, 0)), effect("T36")

    assert refusal(export, moves.Export("A", (1, 1))) == NO_SECOND
    here = "You can't choose the region you placed in."
    assert refusal(export, moves.Export("E", (0, 1))) == here
    assert refusal(adjacent, moves.TanglewoodPlaceAdjacent("A")) == "Choose adjacent regions."
    assert (
        refusal(adjacent, moves.TanglewoodPlaceAdjacent("E")) == "You can't choose the region you placed in."
    )
    assert refusal(effect("T39", E=(0, 0, 0, 0)), moves.Export("A", ())) == "You must move one worker."


def test_nudge_and_plant() -> None:
    nudge, plant = arrange(circle=0, tiles=["nudge"]), arrange(circle=0, tiles=["plant"])
    play(nudge, moves.TanglewoodDraw("fox"))
    play(plant, moves.TanglewoodDraw("fox"))

    assert refusal(nudge, moves.TanglewoodNudge("A", NEUTRAL, "B")) == NO_WORKER
    assert refusal(nudge, moves.TanglewoodNudge("A", 0, "Q")) == "There's no such region. Choose A to I."
    assert refusal(plant, moves.TanglewoodDraw()) == "First choose a region for your marker."
    assert refusal(plant, moves.TanglewoodPlant("a")) == "There's no such region. Choose A to I."


def test_ballots() -> None:
    state = arrange(hands=["ABC", "DEF", "", ""], poll_round=4, round=5, seat=3)
    play(state, moves.TanglewoodDraw())

    assert refusal(state, moves.PlayBallots(("A",)), 0) == "Choose exactly two ballots."
    assert refusal(state, moves.PlayBallots(("A", "A")), 0) == "You don't have that ballot."
    assert refusal(state, moves.PlayBallots(("B", "A")), 0) == IN_ORDER
    assert refusal(state, moves.TanglewoodDraw(), 0) == "You can't do that yet. First choose your ballots."
    assert refusal(state, moves.PlayBallots(("A", "B")), 2) == "You have nothing to choose."
    GAME.play(state, 0, moves.PlayBallots(("A", "B")))
    assert refusal(state, moves.PlayBallots(("A", "C")), 0) == "You've already chosen."


def test_keeping() -> None:
    state = arrange(hands=["ABCDE", "DE", "", ""], poll_round=4, round=5, seat=3)
    play(state, moves.TanglewoodDraw())
    GAME.play(state, 0, moves.PlayBallots(("A", "B")))

    assert refusal(state, moves.KeepBallots(("C", "D", "E")), 0) == "You can keep at most two ballots."
    assert refusal(state, moves.KeepBallots(("A",)), 0) == "You don't have that ballot."
    assert (
        refusal(state, moves.PlayBallots(("C", "D")), 0)
        == "You can't do that yet. First choose the ballots to keep."
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"first": 4},
        {"first": 1},
        {"above_poll": 14},
        {"above_poll": 20},
        {"tiles": ("plant", "plant", "nudge", "hoard")},
        {"tiles": ("nudge", "whispers", "plant", "hoard")},
        {"reshuffles": (("A",) * 6,)},
        {"reshuffles": ((),)},
        {"reshuffles": (("Z",),)},
    ],
)
def test_a_deal_that_could_not_be_dealt(changes: dict[str, Any]) -> None:
    options = components.TanglewoodOptions(first="host", fox_tiles="fixed")

    with pytest.raises(IllegalDeal):
        GAME.begin(4, options, deal(**changes), SEED)


def test_a_planned_reshuffle_of_other_ballots_than_the_discards_is_told_and_left_to_the_seed() -> None:
    discards = list("ABCDEFGHI")
    planned = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=discards, planned=[("A", "C")])
    drawn = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=discards)

    events, usual = place(planned), place(drawn)

    assert only(events, moves.PlanUnfit).number == 9
    assert [event for event in events if not isinstance(event, moves.PlanUnfit)] == usual
    assert planned == drawn


def test_a_reshuffle_that_the_deal_lays_down() -> None:
    state = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=list("ABC"), planned=[tuple("CBA")])

    place(state)

    assert (state.hands[0], state.ballot_deck, state.planned) == (["B", "C"], ["A"], [])


@pytest.mark.parametrize("seats", [2, 6])
def test_three_to_five_players(seats: int) -> None:
    with pytest.raises(IllegalSetup):
        GAME.settle(seats, components.TanglewoodOptions())


def test_components_that_do_not_go_together() -> None:
    def wrong(**changes: Any) -> str:
        with pytest.raises(ValueError, match=r".") as refused:
            components.check_components(msgspec.structs.replace(components.COMPONENTS, **changes))
        return str(refused.value)

    replace = msgspec.structs.replace
    full = components.COMPONENTS.length[0]
    both = replace(
        components.COMPONENTS.effects["gather"], steps=(components.Shift(2, "both", "apart", "any"),)
    )
    assert "tangles" in wrong(tangle=components.COMPONENTS.tangle[1:])
    assert "too few" in wrong(length=(replace(full, draw_deck=36),))
    assert "below the Poll" in wrong(length=(replace(full, poll_cards_above=(15, 26)),))
    assert "both directions" in wrong(effects={"gather": both})


def test_draws_and_placements_may_be_taken_back_and_a_choice_of_ballots_is_final() -> None:
    state = arrange("T08", tiles=["plant"])

    assert not any(event.reveals for event in place(state))
    assert not any(event.reveals for event in play(state, moves.TanglewoodStep("fox")))
    assert not any(event.reveals for event in play(state, moves.TanglewoodPlant("A")))
    assert any(event.reveals for event in play(state, legal(state)[0]))

    state = arrange(circle=0)

    assert not any(event.reveals for event in play(state, moves.TanglewoodDraw("rabbit")))

    state = arrange(hands=["ABC", "DEF", "", ""], poll_round=4, round=5, seat=3)
    play(state, moves.TanglewoodDraw())

    (event,) = GAME.play(state, 1, moves.PlayBallots(("D", "F")))

    assert event.reveals
    assert only([event], type(event)) == event
