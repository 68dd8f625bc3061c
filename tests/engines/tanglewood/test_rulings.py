"""Every ruling of the table in the rules, in its order. Rules: Rulings."""

import pytest

from engines.tanglewood import GAME, moves
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, adjacent, colours, votes
from engines.tanglewood.preview import swings
from engines.tanglewood.truth.state import POLL, TanglewoodState
from engines.tanglewood.truth.visibility import MOST_VOTES
from engines.tanglewood.view import TanglewoodView, would_score
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
    pairs = {"".join(sorted((one, other))) for one in components.REGIONS for other in adjacent(one)}

    assert sorted(pairs) == ["AB", "AD", "BC", "BE", "CF", "DE", "DG", "EF", "EH", "FI", "GH", "HI"]


def test_exactly_the_draw_value_is_drawn() -> None:
    state = arrange(draw_levels=[2, 0, 0, 0])

    play(state, moves.TanglewoodDraw())

    assert state.circles[0] == 5 + 4


def test_fewer_than_entitled_is_compared_before_the_draw() -> None:
    assert moves.TanglewoodDraw("bear") in legal(arrange(circle=1, place_levels=[1, 0, 0, 0]))
    assert moves.TanglewoodDraw("bear") not in legal(arrange(circle=2, place_levels=[1, 0, 0, 0]))


def test_that_step_is_like_any_other() -> None:
    brings, ends = arrange(circle=0, steps={"bear": 3}), arrange(circle=0, steps={"bear": 6})

    play(brings, moves.TanglewoodDraw("bear"))

    assert brings.votes[0] == 7
    assert count_drawn(play(ends, moves.TanglewoodDraw("bear"))) == 1


@pytest.mark.parametrize("card", ["T20", "T24"])
def test_ballots_go_by_unfriendly_ties_and_count_the_neutral_colour(card: str) -> None:
    counts = {"E": (2, 0, 0, 3)} | dict.fromkeys(adjacent("E"), (2, 2, 2, 2))

    events = place(arrange(card, counts=counts, seats=3))

    assert count_drawn(events) == (2 if card == "T20" else 0)


def test_a_finished_track_may_be_chosen() -> None:
    state = arrange("T15", steps={"bear": 6})
    place(state)

    assert moves.TanglewoodStep("bear") in legal(state)
    assert count_drawn(play(state, moves.TanglewoodStep("bear"))) == 1


def test_a_gained_level_counts_from_the_next_placement_or_draw() -> None:
    placing, drawing = arrange("T10", circle=1), arrange("T43", circle=1)

    place(placing)
    place(drawing)

    assert placing.workers["E"][0] == 3
    assert drawing.circles[0] == 3


def test_evicted_workers_go_into_the_circle_above_any_limit() -> None:
    state = arrange("T12", circles=[5, 20, 25, 0])

    place(state)

    assert state.circles == [4, 21, 26, 1]


@pytest.mark.parametrize("card", ["T01", "T05", "T28", "T39"])
def test_as_many_as_possible_are_moved(card: str) -> None:
    state = arrange(card)
    place(state)

    for move in legal(state):
        assert isinstance(move, moves.Gather | moves.Scatter | moves.MoveAdjacent | moves.Export)
        assert len(move.colours if isinstance(move, moves.Export) else move.workers) == 2
    assert refusal(state, _one_worker_less(legal(state)[0])) == "You must move two workers."


def _one_worker_less(move: object) -> moves.Gather | moves.Scatter | moves.MoveAdjacent | moves.Export:
    match move:
        case moves.Gather(workers):
            return moves.Gather(workers[:1])
        case moves.Scatter(sent):
            return moves.Scatter(sent[:1])
        case moves.MoveAdjacent(region, crossings):
            return moves.MoveAdjacent(region, crossings[:1])
        case moves.Export(to, gone):
            return moves.Export(to, gone[:1])
    raise AssertionError(move)


def test_move_adjacent_uses_one_region_for_both_workers() -> None:
    state = arrange("T28")
    place(state)

    assert {move.region for move in legal(state) if isinstance(move, moves.MoveAdjacent)} == set(
        adjacent("E")
    )


@pytest.mark.parametrize("card", ["T01", "T05", "T39"])
def test_scatter_export_and_gather_reach_any_region(card: str) -> None:
    state = arrange(card, "A")
    place(state, "A")

    assert any("I" in repr(move) for move in legal(state))


def test_fox_tiles_are_shuffled_or_fixed() -> None:
    dealt = {GAME.deal(4, components.TanglewoodOptions(), bytes([number])).tiles for number in range(20)}
    fixed = {
        GAME.deal(4, components.TanglewoodOptions(fox_tiles="fixed"), bytes([number])).tiles
        for number in range(20)
    }

    assert len(dealt) > 5
    assert fixed == {tuple(components.FOX_TILES)}


def test_every_seat_gets_each_tile_once() -> None:
    state = arrange(tiles=["hoard"], circles=[0, 0, 5, 5])

    play(state, moves.TanglewoodDraw("fox"), moves.TanglewoodDraw("fox"))

    assert state.votes[:2] == [7, 7]
    assert state.fox_tiles[0] == "hoard"


def test_the_deck_is_exhausted_when_its_last_tangle_is_drawn() -> None:
    state = arrange("S4", deck=["T45", "T44"], midgame_done=True)

    assert not any(isinstance(event, moves.DeckRanOut) for event in place(state))
    assert only(play(state, moves.TanglewoodPlace("D", 1)), moves.DeckRanOut).round == 1


@pytest.mark.parametrize(("length", "above"), [("full", range(15, 20)), ("short", range(9, 12))])
def test_the_poll_lies_anywhere_in_its_range(length: str, above: range) -> None:
    options = components.TanglewoodOptions(length=length)  # type: ignore[arg-type]
    dealt = {GAME.deal(4, options, bytes([number])).above_poll for number in range(80)}

    assert dealt == set(above)


def test_the_poll_is_never_last_and_is_no_tangle() -> None:
    for length in components.LENGTHS.values():
        assert length.draw_deck - max(length.poll_cards_above) >= components.LEAST_BELOW_POLL
    assert GAME.view(begin(), None).deck == 35
    state = arrange("S4", deck=[POLL, *(f"T{number}" for number in range(20, 31))])
    events = place(state)
    assert only(events, moves.PollTurnedUp).round == 1
    assert (state.tangles["E"], GAME.view(state, None).deck) == ("T20", 10)


def before_the_vote(*hands: str) -> TanglewoodState:
    """Return mid-game after all but seat 3, which draws now."""
    state = arrange(hands=hands, poll_round=4, round=5, seat=3)
    play(state, moves.TanglewoodDraw())
    return state


def test_with_fewer_than_two_ballots_all_are_played() -> None:
    state = before_the_vote("A", "", "BC", "DE")

    assert state.played == [(("A",), (), ("B", "C"), ("D", "E"))]


def test_ballots_discarded_unplayed_stay_secret() -> None:
    state = before_the_vote("AAC", "", "", "")
    GAME.play(state, 0, moves.PlayBallots(("A", "A")))
    GAME.play(state, 0, moves.KeepBallots(()))

    assert (GAME.view(state, 0).dropped, GAME.view(state, 1).dropped) == (("C",), ())
    assert GAME.view(state, 1).ballot_discards == 3


def test_a_seat_may_keep_fewer_than_two_and_draws_new_ones() -> None:
    state = before_the_vote("AABC", "", "", "")
    GAME.play(state, 0, moves.PlayBallots(("A", "A")))

    assert legal(state, 0) == [moves.KeepBallots(kept) for kept in ((), ("B",), ("C",), ("B", "C"))]
    GAME.play(state, 0, moves.KeepBallots(("C",)))
    assert len(state.hands[0]) == 2
    assert "C" in state.hands[0]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_only_three_seats_have_a_neutral_colour(seats: int) -> None:
    assert (NEUTRAL in colours(seats)) == (seats == 3)


def test_rabbit_feeds_the_circle_bear_the_placements_and_fox_has_the_tiles() -> None:
    kinds = {
        track.key: [type(step).__name__ for step in track.steps] for track in components.COMPONENTS.track
    }

    assert kinds["rabbit"].count("RaiseDrawLevel") == 4
    assert kinds["bear"].count("RaisePlaceLevel") == 3
    assert kinds["fox"].count("FoxTileDeed") == 4


def test_markers_never_run_out() -> None:
    state = arrange(counts={"E": (200, 2, 2, 2)})

    place(state)

    assert state.workers["E"][0] == 201


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
    assert sum(sum(votes(region, (4, 3, 2, 1), 4)) for region in components.REGIONS) == 142


def test_leaving_off_turn_is_skipped_and_the_workers_stay() -> None:
    state = begin()

    (event,) = GAME.resign(state, 1)
    play(state, moves.TanglewoodDraw())

    assert event == moves.TanglewoodResigned(seat=1)
    assert state.seat == 2
    assert state.workers["A"] == (2, 2, 2, 2)
    assert (state.hands[1], len(state.dropped[1])) == ([], 2)


def test_leaving_in_turn_leaves_a_new_tangle() -> None:
    state = arrange("T01")
    place(state)

    events = GAME.resign(state, 0)

    assert only(events, moves.TurnedUp).region == "E"
    assert (state.discards, state.card, state.effect, state.seat) == (["T01"], None, [], 1)


def test_leaving_before_placing_takes_no_tangle() -> None:
    state = begin()

    assert [type(event) for event in GAME.resign(state, 0)] == [moves.TanglewoodResigned]
    assert state.seat == 1


def test_the_last_seat_of_a_round_leaves() -> None:
    state = begin()
    play(state, moves.TanglewoodDraw(), moves.TanglewoodDraw(), moves.TanglewoodDraw())

    events = GAME.resign(state, 3)

    assert only(events, moves.TanglewoodRoundBegan) == moves.TanglewoodRoundBegan(round=2, order=(0, 1, 2))
    assert (state.seat, state.round) == (0, 2)


def test_a_seat_that_has_left_gets_no_votes_and_still_counts() -> None:
    state = arrange(counts={"D": (4, 2, 2, 1)})
    GAME.resign(state, 2)
    GAME.resign(state, 0)

    assert would_score(GAME.view(state, None))["D"] == (0, 2, 0, 0)


def test_its_workers_are_evicted_into_its_circle() -> None:
    state = arrange("T12")
    GAME.resign(state, 2)

    place(state)

    assert state.circles == [4, 6, 6, 6]


def test_leaving_during_a_vote_leaves_it_to_the_others() -> None:
    state = arrange(hands=["ABC", "DEF", "GH", "I"], poll_round=4, round=5, seat=3)
    play(state, moves.TanglewoodDraw())
    GAME.play(state, 0, moves.PlayBallots(("A", "B")))

    GAME.resign(state, 1)

    assert state.played == [(("A", "B"), (), ("G", "H"), ("I",))]
    assert list(GAME.prompts(state)) == [0]
    events = GAME.play(state, 0, moves.KeepBallots(("C",)))
    assert only(events, moves.Kept).discarded == (0, 0, 0, 0)
    assert only(events, moves.TanglewoodRoundBegan).order == (3, 2, 0)
    assert [len(hand) for hand in state.hands] == [2, 0, 2, 2]


def test_the_last_one_left_has_won() -> None:
    state = begin()
    GAME.resign(state, 2)
    GAME.resign(state, 0)

    events = GAME.resign(state, 3)

    assert only(events, moves.TanglewoodEnded).outcome.places == (3, 1, 4, 2)
    assert only(events, moves.TanglewoodEnded).outcome.how == "left"
    assert not GAME.prompts(state)


def test_those_who_left_are_placed_behind_all_others() -> None:
    state = arrange(hands=[""] * 4, votes=[90, 10, 20, 20], out_round=8, round=9, midgame_done=True)
    GAME.resign(state, 0)

    draw_all_round(state)

    assert state.outcome is not None
    assert state.outcome.places == (4, 3, 1, 1)


def test_the_beat_grows_with_turns_and_votes() -> None:
    state = arrange("T01", hands=["ABC", "", "", ""], poll_round=4, round=5, order=[1, 2, 3, 0])
    beats = [GAME.post_counter(state)]

    place(state)
    assert GAME.post_counter(state) == beats[-1]
    for move in (legal(state)[0], moves.PlayBallots(("A", "B")), moves.KeepBallots(())):
        GAME.play(state, 0, move)
        beats.append(GAME.post_counter(state))

    assert beats == sorted(set(beats))


def test_the_hand_that_goes_by_dm() -> None:
    state = begin()
    first = GAME.hand(state, 0)
    play(state, moves.TanglewoodPlace("D", 1))

    assert first == GAME.hand(state, 0)
    GAME.resign(state, 0)
    assert GAME.hand(state, 0) is None


def test_pictures_compare_with_the_last_own_turn() -> None:
    state = begin()

    play(state, moves.TanglewoodPlace("D", 1), moves.TanglewoodPlace("G", 1))

    seen = {viewer: GAME.view(state, viewer).before for viewer in (None, 0, 1, 2)}
    assert seen[0] == {**seen[2], "D": (3, 2, 2, 2)} == seen[None]
    assert seen[1] == {**seen[0], "G": (2, 3, 2, 2)} == state.workers
    assert seen[2]["D"] == (2, 2, 2, 2)


def count_votes(view: TanglewoodView, move: moves.PlayBallots) -> int:
    return swings(view, workers_after(view.workers, 0, move, view.active))[0]


@pytest.mark.parametrize("hand", ["ABC", "AAB", "EEEF", "ABCDI", "GGHHI"])
def test_no_other_ballots_bring_more(hand: str) -> None:
    state = arrange(hands=[hand, "DE", "FG", "HI"], phase="ballots", seat=None)
    view = GAME.view(state, 0)

    answer = GAME.standing_move(view, 0, MOST_VOTES)

    legal = list(GAME.moves(state, 0))
    assert isinstance(answer, moves.PlayBallots)
    assert answer in legal
    assert all(
        count_votes(view, answer) >= count_votes(view, move)
        for move in legal
        if isinstance(move, moves.PlayBallots)
    )


@pytest.mark.parametrize(("hand", "kept"), [("ABC", 2), ("A", 1)])
def test_as_many_as_allowed_are_kept(hand: str, kept: int) -> None:
    state = arrange(hands=[hand, "", "", ""], phase="keep", seat=None)

    answer = GAME.standing_move(GAME.view(state, 0), 0, MOST_VOTES)

    assert isinstance(answer, moves.KeepBallots)
    assert len(answer.regions) == kept
    assert answer in list(GAME.moves(state, 0))


def test_nothing_but_ballots_is_answered() -> None:
    view = GAME.view(arrange(), 0)

    assert GAME.standing_move(view, 0, MOST_VOTES) is None
    assert not GAME.is_answer_secret(view, 0)
