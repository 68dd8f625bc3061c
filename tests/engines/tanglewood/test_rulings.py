"""Every ruling of the table in the rules, in its order. Rules: Rulings."""

import pytest

from engines.tanglewood import GAME
from engines.tanglewood.events import DeckRanOut, DrewBallots, Evicted, PollTurnedUp
from engines.tanglewood.moves import (
    Export,
    Gather,
    KeepBallots,
    MoveAdjacent,
    PlayBallots,
    Scatter,
    TanglewoodDraw,
    TanglewoodPlace,
    TanglewoodStep,
)
from engines.tanglewood.pieces.board import NEUTRAL, adjacent, colours, votes
from engines.tanglewood.pieces.components import (
    COMPONENTS,
    DRAW_BAN,
    FOX_TILES,
    LEAST_BELOW_POLL,
    LENGTHS,
    REGIONS,
    TanglewoodOptions,
)
from engines.tanglewood.truth.play import list_discards
from engines.tanglewood.truth.state import POLL, TanglewoodState
from tests.engines.tanglewood.arrange import (
    arrange,
    begin,
    count_drawn,
    draw_all_round,
    legal,
    only,
    place,
    play,
    refusal,
)


def test_the_board_is_three_by_three() -> None:
    pairs = {"".join(sorted((one, other))) for one in REGIONS for other in adjacent(one)}

    assert sorted(pairs) == ["AB", "AD", "BC", "BE", "CF", "DE", "DG", "EF", "EH", "FI", "GH", "HI"]


def test_exactly_the_draw_value_is_drawn() -> None:
    state = arrange(draw_levels=[2, 0, 0, 0])

    play(state, TanglewoodDraw())

    assert state.circles[0] == 5 + 4


def test_the_step_with_draw_comes_after_the_markers() -> None:
    state = arrange(circle=0)

    play(state, TanglewoodDraw("rabbit"))

    assert (state.circles[0], state.draw_levels[0]) == (2, 1)


def test_fewer_than_entitled_is_compared_before_the_draw() -> None:
    assert TanglewoodDraw("bear") in legal(arrange(circle=1, place_levels=[1, 0, 0, 0]))
    assert TanglewoodDraw("bear") not in legal(arrange(circle=2, place_levels=[1, 0, 0, 0]))


def test_that_step_is_like_any_other() -> None:
    brings, ends = arrange(circle=0, steps={"bear": 3}), arrange(circle=0, steps={"bear": 6})

    play(brings, TanglewoodDraw("bear"))

    assert brings.votes[0] == 7
    assert count_drawn(play(ends, TanglewoodDraw("bear"))) == 1


def test_no_draw_at_twenty() -> None:
    assert (
        refusal(arrange(circle=DRAW_BAN), TanglewoodDraw())
        == "Your circle is full, so place some markers first."
    )


def test_first_draws_one_ballot_and_third_three() -> None:
    assert count_drawn(place(arrange("T20"))) == 1
    assert count_drawn(place(arrange("T20", counts={"E": (0, 3, 2, 0)}))) == 3


@pytest.mark.parametrize("card", ["T20", "T24"])
def test_ballots_go_by_unfriendly_ties_and_count_the_neutral_colour(card: str) -> None:
    counts = {"E": (2, 0, 0, 3)} | dict.fromkeys(adjacent("E"), (2, 2, 2, 2))

    events = place(arrange(card, counts=counts, seats=3))

    assert count_drawn(events) == (2 if card == "T20" else 0)


def test_a_finished_track_may_be_chosen() -> None:
    state = arrange("T15", steps={"bear": 6})
    place(state)

    assert TanglewoodStep("bear") in legal(state)
    assert count_drawn(play(state, TanglewoodStep("bear"))) == 1


def test_a_gained_level_counts_from_the_next_placement_or_draw() -> None:
    placing, drawing = arrange("T10", circle=1), arrange("T43", circle=1)

    place(placing)
    place(drawing)

    assert placing.workers["E"][0] == 3
    assert drawing.circles[0] == 3


def test_evict_takes_one_of_each_other_colour_present() -> None:
    state = arrange("T12", counts={"E": (3, 4, 0, 1)})

    assert only(place(state), Evicted).colours == (1, 3)
    assert state.workers["E"] == (4, 3, 0, 0)


def test_evict_takes_a_neutral_worker_out_of_the_game() -> None:
    state = arrange("T12", counts={"E": (1, 0, 0, 2)}, seats=3)

    assert only(place(state), Evicted).colours == (NEUTRAL,)
    assert (state.workers["E"], state.circles) == ((2, 0, 0, 1), [4, 5, 5])


def test_evicted_workers_go_into_the_circle_above_any_limit() -> None:
    state = arrange("T12", circles=[5, 20, 25, 0])

    place(state)

    assert state.circles == [4, 21, 26, 1]


@pytest.mark.parametrize("card", ["T01", "T05", "T28", "T39"])
def test_as_many_as_possible_are_moved(card: str) -> None:
    state = arrange(card)
    place(state)

    for move in legal(state):
        assert isinstance(move, Gather | Scatter | MoveAdjacent | Export)
        assert len(move.colours if isinstance(move, Export) else move.workers) == 2
    assert refusal(state, _one_worker_less(legal(state)[0])) == "You must move two workers."


def _one_worker_less(move: object) -> Gather | Scatter | MoveAdjacent | Export:
    match move:
        case Gather(workers):
            return Gather(workers[:1])
        case Scatter(sent):
            return Scatter(sent[:1])
        case MoveAdjacent(region, crossings):
            return MoveAdjacent(region, crossings[:1])
        case Export(to, gone):
            return Export(to, gone[:1])
    raise AssertionError(move)


def test_move_adjacent_uses_one_region_for_both_workers() -> None:
    state = arrange("T28")
    place(state)

    assert {move.region for move in legal(state) if isinstance(move, MoveAdjacent)} == set(adjacent("E"))


@pytest.mark.parametrize("card", ["T01", "T05", "T39"])
def test_scatter_export_and_gather_reach_any_region(card: str) -> None:
    state = arrange(card, "A")
    place(state, "A")

    assert any("I" in repr(move) for move in legal(state))


def test_the_second_worker_comes_from_the_circle_and_votes_come_in_any_case() -> None:
    two, one = arrange("T10"), arrange("T10", circle=1)

    place(two)
    place(one)

    assert (two.circles[0], one.circles[0]) == (3, 0)
    assert (two.votes[0], one.votes[0]) == (7, 7)


def test_fox_tiles_are_shuffled_or_fixed() -> None:
    dealt = {GAME.deal(4, TanglewoodOptions(), bytes([number])).tiles for number in range(20)}
    fixed = {
        GAME.deal(4, TanglewoodOptions(fox_tiles="fixed"), bytes([number])).tiles for number in range(20)
    }

    assert len(dealt) > 5
    assert fixed == {tuple(FOX_TILES)}


def test_every_seat_gets_each_tile_once() -> None:
    state = arrange(tiles=["hoard"], circles=[0, 0, 5, 5])

    play(state, TanglewoodDraw("fox"), TanglewoodDraw("fox"))

    assert state.votes[:2] == [7, 7]
    assert state.fox_tiles[0] == "hoard"


def test_the_deck_is_exhausted_when_its_last_tangle_is_drawn() -> None:
    state = arrange("S4", deck=["T45", "T44"], midgame_done=True)

    assert not any(isinstance(event, DeckRanOut) for event in place(state))
    assert only(play(state, TanglewoodPlace("D", 1)), DeckRanOut).round == 1


@pytest.mark.parametrize(("length", "above"), [("full", range(15, 20)), ("short", range(9, 12))])
def test_the_poll_lies_anywhere_in_its_range(length: str, above: range) -> None:
    options = TanglewoodOptions(length=length)  # type: ignore[arg-type]
    dealt = {GAME.deal(4, options, bytes([number])).above_poll for number in range(80)}

    assert dealt == set(above)


def test_the_poll_is_never_last_and_is_no_tangle() -> None:
    for length in LENGTHS.values():
        assert length.draw_deck - max(length.poll_cards_above) >= LEAST_BELOW_POLL
    assert GAME.view(begin(), None).deck == 35
    state = arrange("S4", deck=[POLL, *(f"T{number}" for number in range(20, 31))])
    events = place(state)
    assert only(events, PollTurnedUp).round == 1
    assert (state.tangles["E"], GAME.view(state, None).deck) == ("T20", 10)


def before_the_vote(*hands: str) -> TanglewoodState:
    """Return mid-game after all but seat 3, which draws now."""
    state = arrange(hands=hands, poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())
    return state


def test_with_fewer_than_two_ballots_all_are_played() -> None:
    state = before_the_vote("A", "", "BC", "DE")

    assert state.played == [(("A",), (), ("B", "C"), ("D", "E"))]


def test_the_same_ballot_twice_is_six_workers() -> None:
    state = before_the_vote("AAA", "", "", "")

    assert legal(state, 0) == [PlayBallots(("A", "A"))]
    GAME.play(state, 0, PlayBallots(("A", "A")))
    assert state.workers["A"] == (8, 2, 2, 2)


def test_an_empty_ballot_deck_takes_the_discards_then_fewer_are_drawn() -> None:
    state = arrange("T16", hands=["", "", "", ""], ballot_deck=[], played_ballots=["A"])

    assert count_drawn(place(state)) == 1
    assert (state.ballot_deck, list_discards(state)) == ([], [])


def test_ballots_discarded_unplayed_stay_secret() -> None:
    state = before_the_vote("AAC", "", "", "")
    GAME.play(state, 0, PlayBallots(("A", "A")))
    GAME.play(state, 0, KeepBallots(()))

    assert (GAME.view(state, 0).dropped, GAME.view(state, 1).dropped) == (("C",), ())
    assert GAME.view(state, 1).ballot_discards == 3


def test_in_mid_game_ballots_are_drawn_in_the_new_turn_order() -> None:
    state = arrange(hands=["", "", "", ""], poll_round=4, round=5, seat=3)

    events = play(state, TanglewoodDraw())

    assert [event.seat for event in events if isinstance(event, DrewBallots)] == [3, 2, 1, 0]


def test_a_seat_may_keep_fewer_than_two_and_draws_new_ones() -> None:
    state = before_the_vote("AABC", "", "", "")
    GAME.play(state, 0, PlayBallots(("A", "A")))

    assert legal(state, 0) == [KeepBallots(kept) for kept in ((), ("B",), ("C",), ("B", "C"))]
    GAME.play(state, 0, KeepBallots(("C",)))
    assert len(state.hands[0]) == 2
    assert "C" in state.hands[0]


def test_the_scoring_example_that_names_green_twice() -> None:
    assert votes("D", (3, 3, 3, 1), 4) == (2, 2, 2, 0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_only_three_seats_have_a_neutral_colour(seats: int) -> None:
    assert (NEUTRAL in colours(seats)) == (seats == 3)


def test_without_a_worker_there_is_no_standing() -> None:
    assert votes("D", (3, 1, 0, 0), 3) == (8, 5, 0)


def test_rabbit_feeds_the_circle_bear_the_placements_and_fox_has_the_tiles() -> None:
    kinds = {track.key: [type(step).__name__ for step in track.steps] for track in COMPONENTS.track}

    assert kinds["rabbit"].count("RaiseDrawLevel") == 4
    assert kinds["bear"].count("RaisePlaceLevel") == 3
    assert kinds["fox"].count("FoxTileDeed") == 4


def test_markers_never_run_out() -> None:
    state = arrange(counts={"E": (200, 2, 2, 2)})

    place(state)

    assert state.workers["E"][0] == 201


def test_all_with_the_most_votes_have_won() -> None:
    state = arrange(hands=["", "", "", ""], votes=[9, 9, 9, 9], out_round=8, round=9, midgame_done=True)

    draw_all_round(state)

    assert state.outcome is not None
    assert state.outcome.places == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("counts", "seats", "paid"),
    [
        ((2, 2, 2, 2), 4, (0, 0, 0, 0)),
        ((3, 3, 3, 1), 4, (2, 2, 2, 0)),
        ((1, 4, 4, 2), 4, (0, 5, 5, 2)),
        ((4, 2, 2, 1), 4, (8, 2, 2, 0)),
        ((3, 2, 2, 2, 1), 5, (8, 0, 0, 0, 0)),
        ((3, 3, 2, 2, 1), 5, (5, 5, 0, 0, 0)),
        ((3, 3, 2, 3), 3, (2, 2, 0)),
        ((4, 2, 1, 5), 3, (5, 2, 0)),
        ((3, 1, 0, 0), 3, (8, 5, 0)),
    ],
)
def test_a_region_pays_by_its_rule(counts: tuple[int, ...], seats: int, paid: tuple[int, ...]) -> None:
    assert votes("D", counts, seats) == paid


def test_a_full_scoring_without_ties_pays_142() -> None:
    assert sum(sum(votes(region, (4, 3, 2, 1), 4)) for region in REGIONS) == 142
