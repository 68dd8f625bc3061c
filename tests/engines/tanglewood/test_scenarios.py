from random import Random
from typing import Any

import pytest

from engines.game import Outcome
from engines.tanglewood import GAME, moves
from engines.tanglewood.pieces.board import NEUTRAL, Hop
from engines.tanglewood.pieces.components import REGIONS, REGULAR_TANGLES, TanglewoodOptions
from engines.tanglewood.truth.play import list_discards
from engines.tanglewood.truth.state import POLL, TanglewoodState
from engines.tanglewood.view import would_score
from tests.engines.tanglewood.arrange import (
    arrange,
    begin,
    copy_state,
    count_drawn,
    draw_all_round,
    legal,
    mingle,
    only,
    place,
    play,
    refusal,
)

OPENING = {3: (2, 2, 2, 2), 4: (2, 2, 2, 2), 5: (2, 2, 2, 2, 2)}


@pytest.mark.parametrize(("seats", "ballots", "workers"), [(3, 39, 72), (4, 37, 72), (5, 35, 90)])
def test_1_setup(seats: int, ballots: int, workers: int) -> None:
    state = begin(seats)
    view = GAME.view(state, None)

    assert (view.ballot_deck, view.deck, view.reserve) == (ballots, 35, 10)
    assert POLL in state.deck
    assert all(counts == OPENING[seats] for counts in view.workers.values())
    assert sum(map(sum, view.workers.values())) == workers
    assert set(would_score(view).values()) == {(0,) * seats}


def test_2_the_first_turn_and_no_draw_at_twenty() -> None:
    state = begin()

    assert legal(state) == [moves.TanglewoodDraw(), *(moves.TanglewoodPlace(region, 1) for region in REGIONS)]
    assert legal(arrange(circle=0)) == [
        moves.TanglewoodDraw(),
        moves.TanglewoodDraw("rabbit"),
        moves.TanglewoodDraw("bear"),
        moves.TanglewoodDraw("fox"),
    ]
    nearly_full, full = arrange(circle=19), arrange(circle=20)
    assert moves.TanglewoodDraw() in legal(nearly_full)
    assert not any(isinstance(move, moves.TanglewoodDraw) for move in legal(full))
    assert refusal(full, moves.TanglewoodDraw()) == "Your circle is full, so place some markers first."
    play(nearly_full, moves.TanglewoodDraw())
    assert nearly_full.circles[0] == 21


def test_3_the_step_with_draw_comes_after_the_markers() -> None:
    state = arrange(circle=0)

    play(state, moves.TanglewoodDraw("rabbit"))

    assert (state.circles[0], state.draw_levels[0], state.seat) == (2, 1, 1)
    assert GAME.view(state, 0).draw_value(0) == 3
    sentence = "When you draw, you take a step only if your circle has fewer markers than you can place."
    assert refusal(arrange(circle=1), moves.TanglewoodDraw("rabbit")) == sentence


@pytest.mark.parametrize(("circle", "workers"), [(1, 3), (2, 4)])
def test_4_the_second_worker_comes_from_the_circle_and_votes_come_in_any_case(
    circle: int, workers: int
) -> None:
    state = arrange("T10", circle=circle)

    place(state)

    assert state.workers["E"] == (workers, 2, 2, 2)
    assert (state.votes[0], state.circles[0], state.place_levels[0]) == (7, 0, 1)


def test_5_the_markers_of_the_step_come_before_the_effect() -> None:
    state = arrange("T09", circle=1, steps={"rabbit": 2})

    place(state)

    assert (state.workers["E"], state.circles[0], state.votes[0]) == ((4, 2, 2, 2), 1, 7)


def test_6_evict_takes_one_of_each_other_colour_present_and_a_neutral_worker_out_of_the_game() -> None:
    state = arrange("T12", counts={"E": (1, 2, 0, 3)})
    three = arrange("T12", counts={"E": (1, 2, 0, 3)}, seats=3)

    assert only(place(state), moves.Evicted).colours == (1, 3)
    assert only(place(three), moves.Evicted).colours == (1, NEUTRAL)

    assert (state.workers["E"], state.circles) == ((2, 1, 0, 2), [4, 6, 5, 6])
    assert (three.workers["E"], three.circles) == ((2, 1, 0, 2), [4, 6, 5])


@pytest.mark.parametrize(
    ("before", "ballots"), [((3, 2, 1, 0), 1), ((1, 2, 1, 1), 2), ((0, 2, 2, 0), 3), ((0, 3, 2, 2), 0)]
)
def test_7_regional_ballots(before: tuple[int, ...], ballots: int) -> None:
    assert count_drawn(place(arrange("T20", counts={"E": before}))) == ballots


def test_8_area_ballots() -> None:
    leading = arrange("T24", "A", {"A": (2, 2, 2, 2), "B": (4, 3, 0, 0)})
    level = arrange("T24", "A", {"A": (2, 3, 2, 2), "B": (3, 3, 0, 0), "D": (2, 2, 2, 2), "E": (9, 0, 0, 0)})

    assert count_drawn(place(leading, "A")) == 3
    assert count_drawn(place(level, "A")) == 0


def test_9_area_ballots_count_the_neutral_colour() -> None:
    counts = {"A": (2, 2, 2, 4), "B": (3, 0, 0, 3), "D": (2, 0, 0, 2)}

    events = place(arrange("T24", "A", counts, seats=3), "A")

    assert count_drawn(events) == 0
    assert only(events, moves.NothingHappened).tangle == "T24"


@pytest.mark.parametrize(
    ("card", "here", "four", "five"),
    [
        ("T01", "E", 448, 700),
        ("T05", "E", 448, 700),
        ("T39", "E", 80, 120),
        ("T28", "E", 144, 220),
        ("T28", "A", 72, 110),
        ("T36", "E", 4, 4),
        ("T36", "A", 2, 2),
    ],
)
def test_10_the_number_of_choices_of_a_tangle(card: str, here: str, four: int, five: int) -> None:
    for seats, number in ((4, four), (5, five)):
        state = arrange(card, here, seats=seats)
        place(state, here)
        assert (state.phase, len(legal(state))) == ("effect", number)


@pytest.mark.parametrize(("tile", "four", "five"), [("plant", 9, 9), ("nudge", 96, 120)])
def test_10_the_number_of_choices_of_a_fox_tile(tile: str, four: int, five: int) -> None:
    for seats, number in ((4, four), (5, five)):
        state = arrange("S6", seats=seats, tiles=[tile])
        place(state)
        assert (state.phase, len(legal(state))) == ("benefit", number)


def test_11_gather_takes_what_there_is_and_a_forced_choice_is_made_for_the_seat() -> None:
    one, none = arrange("T01", counts={"C": (0, 3, 0, 0)}, empty=True), arrange("T01", empty=True)

    place(one)
    events = place(none)

    assert legal(one) == [moves.Gather((moves.PlacedWorker("C", 1),))]
    assert GAME.only_move(one, 0) == legal(one)[0]
    assert GAME.only_move(arrange(), 0) is None
    assert only(events, moves.NothingHappened).tangle == "T01"
    assert none.seat == 1


def test_12_with_one_worker_here_one_is_sent() -> None:
    scatter = arrange("T05", counts={"E": (0, 0, 0, 0)})
    export = arrange("T39", counts={"E": (0, 0, 0, 0)})

    place(scatter)
    place(export)

    others = [region for region in REGIONS if region != "E"]
    assert legal(scatter) == [moves.Scatter((moves.SentWorker(0, to),)) for to in others]
    assert legal(export) == [moves.Export(to, (0,)) for to in others]


def test_13_regions_that_allow_two_go_first() -> None:
    one = arrange("T28", "A", {"A": (0, 0, 0, 0), "B": (0, 0, 0, 0), "D": (0, 1, 0, 0)})
    none = arrange("T28", "A", {"A": (0, 0, 0, 0), "B": (0, 0, 0, 0), "D": (0, 0, 0, 0)})

    place(one, "A")
    place(none, "A")

    out = moves.Crossing("out", 0)
    assert legal(one) == [moves.MoveAdjacent("D", (moves.Crossing("in", 1), out))]
    assert legal(none) == [moves.MoveAdjacent("B", (out,)), moves.MoveAdjacent("D", (out,))]


def test_14_place_adjacent_from_an_empty_circle_is_skipped() -> None:
    circle, supply = arrange("T32", circle=1), arrange("T36", circle=1)

    place(circle)
    place(supply)

    assert (circle.phase, circle.seat) == ("turn", 1)
    assert legal(supply) == [moves.TanglewoodPlaceAdjacent(region) for region in "BDFH"]


def test_15_the_draw_card_counts_the_level_that_its_step_brings() -> None:
    state = arrange("T43")

    place(state)

    assert (state.draw_levels[0], state.circles[0]) == (1, 7)


def test_16_at_the_end_of_a_track_a_ballot_is_drawn() -> None:
    state = arrange("S5", steps={"bear": 6})

    events = place(state)

    assert (count_drawn(events), state.votes[0], state.steps[0]["bear"]) == (1, 6, 6)
    assert only(events, moves.StoodAtEnd).track == "bear"


def test_17_a_wild_card_asks_for_the_track() -> None:
    state = arrange("T15")

    place(state)

    assert (state.phase, len(legal(state))) == ("step", 3)
    play(state, moves.TanglewoodStep("bear"))
    assert (state.place_levels[0], state.workers["E"]) == (1, (3, 1, 1, 1))
    assert (state.circles, state.seat) == ([4, 6, 6, 6], 1)


def test_18_a_nudge_may_take_the_own_worker_away() -> None:
    state = arrange(
        "T22", counts={"E": (0, 3, 2, 0)}, steps={"fox": 3}, tiles=["plant", "whispers", "nudge", "hoard"]
    )

    first = place(state)
    assert state.workers["E"] == (1, 3, 2, 0)
    events = play(state, moves.TanglewoodNudge("E", 0, "F"))

    assert only(first, moves.Stepped).step == 4
    assert (count_drawn(events), state.workers["F"]) == (0, (3, 2, 2, 2))


def test_19_the_poll_and_a_scoring_in_which_nobody_is_asked() -> None:
    state = begin()
    state.deck.remove(POLL)
    state.deck.insert(0, POLL)

    play(state, moves.TanglewoodDraw(), moves.TanglewoodDraw())
    events = play(state, moves.TanglewoodPlace("D", 1))

    assert (only(events, moves.PollTurnedUp).round, state.poll_round, len(state.deck)) == (1, 1, 34)
    play(state, moves.TanglewoodDraw())
    assert (state.round, state.phase) == (2, "turn")
    events = draw_all_round(state)
    assert (state.phase, state.round, state.seat, state.order) == ("turn", 3, 3, [3, 2, 1, 0])
    assert [len(hand) for hand in state.hands] == [2, 2, 2, 2]
    assert only(events, moves.TanglewoodRoundBegan) == moves.TanglewoodRoundBegan(
        round=3, order=(3, 2, 1, 0), turned=True
    )


def mid_game(**changes: Any) -> TanglewoodState:
    """Return the turn before scenario 20's mid-game scoring: seat 3 draws."""
    state = arrange(
        counts={"D": (1, 4, 4, 2)}, hands=["AAC", "AB", "E", ""], poll_round=4, round=5, seat=3, **changes
    )
    play(state, moves.TanglewoodDraw())
    return state


def test_20_mid_game_and_28_two_equal_ballots() -> None:
    state = mid_game()

    assert (state.phase, list(GAME.prompts(state))) == ("ballots", [0])
    assert legal(state, 0) == [moves.PlayBallots(("A", "A")), moves.PlayBallots(("A", "C"))]
    events = GAME.play(state, 0, moves.PlayBallots(("A", "A")))
    assert (state.hands[0], sorted(state.played_ballots)) == (["C"], list("AAABE"))
    assert only(events, moves.BallotsShown).ballots == (("A", "A"), ("A", "B"), ("E",), ())
    assert [state.workers[region] for region in "ABE"] == [(8, 5, 2, 2), (2, 5, 2, 2), (2, 2, 5, 2)]
    (paid,) = state.scorings
    assert [paid[region] for region in "ABDE"] == [(9, 5, 0, 0), (0, 9, 0, 0), (0, 5, 5, 2), (0, 0, 8, 0)]
    assert not any(sum(paid[region]) for region in "CFGHI")
    assert state.votes == [14, 24, 18, 7]
    assert (state.phase, list(GAME.prompts(state))) == ("keep", [0])
    assert legal(state, 0) == [moves.KeepBallots(()), moves.KeepBallots(("C",))]


def test_21_keeping_nothing() -> None:
    state = mid_game(ballot_deck=list("FGHIFGHIDD"))
    GAME.play(state, 0, moves.PlayBallots(("A", "A")))

    events = GAME.play(state, 0, moves.KeepBallots(()))

    assert only(events, moves.Kept).discarded == (1, 0, 0, 0)
    assert state.dropped[0] == ["C"]
    assert [event.seat for event in events if isinstance(event, moves.DrewBallots)] == [3, 2, 1, 0]
    assert [state.hands[seat] for seat in (3, 2, 1, 0)] == [["F", "G"], ["H", "I"], ["F", "G"], ["H", "I"]]


def test_22_the_deck_runs_out_and_one_more_round_is_played() -> None:
    state = arrange(
        order=[3, 2, 1, 0],
        seat=1,
        round=13,
        poll_round=5,
        midgame_done=True,
        deck=["T45"],
        hands=["AAC", "AB", "CD", "EF"],
    )

    play(state, moves.TanglewoodPlace("D", 1))

    assert (state.out_round, len(state.deck), state.reserve) == (13, 10, [])
    assert (state.seat, state.round) == (0, 13)
    play(state, moves.TanglewoodDraw())
    assert (state.seat, state.round) == (3, 14)
    draw_all_round(state)
    assert (state.phase, list(GAME.prompts(state))) == ("ballots", [0])
    GAME.play(state, 0, moves.PlayBallots(("A", "C")))
    assert state.phase == "over"


def test_23_mid_game_and_end_never_come_at_once() -> None:
    state = begin(5)
    state.deck = [POLL, *state.deck[1:11]]
    state.circles = [15] * 5
    ran_out = []

    while state.phase != "over" and state.round < 3:
        seat = next(iter(GAME.prompts(state)))
        move = next(move for move in legal(state, seat) if not isinstance(move, moves.TanglewoodDraw))
        events = GAME.play(state, seat, move)
        ran_out += [(event.round, seat) for event in events if isinstance(event, moves.DeckRanOut)]

    assert (state.poll_round, ran_out) == (1, [(2, 4)])
    assert (state.round, state.midgame_done, len(state.scorings)) == (3, True, 1)
    draw_all_round(state)
    assert (state.round, GAME.view(state, None).final) == (3, True)
    assert state.phase in ("ballots", "over")


def test_24_an_empty_ballot_deck_is_shuffled_anew() -> None:
    state = arrange("T16", hands=["", "", "", ""], ballot_deck=["C"], played_ballots=list("ABB"))
    bare = arrange("T16", hands=["", "", "", ""], ballot_deck=["C"])

    assert count_drawn(place(state)) == 2
    assert count_drawn(place(bare)) == 1

    assert "C" in state.hands[0]
    assert sorted([*state.hands[0], *state.ballot_deck]) == list("ABBC")
    assert (len(state.ballot_deck), list_discards(state)) == (2, [])
    assert bare.hands[0] == ["C"]


def test_25_a_shared_victory() -> None:
    state = arrange(
        hands=["", "", "", ""], votes=[70, 82, 82, 60], out_round=8, round=9, seat=3, midgame_done=True
    )

    play(state, moves.TanglewoodDraw())

    assert state.outcome == Outcome("votes", (3, 1, 1, 4), (70, 82, 82, 60))


def test_26_refusals() -> None:
    state = arrange(circle=1)

    assert (
        refusal(state, moves.TanglewoodPlace("E", 2)) == "Your Place level lets you place at most 1 marker."
    )
    assert refusal(state, moves.TanglewoodPlace("E", 0)) == "Place at least one marker."
    assert refusal(state, moves.TanglewoodPlace("J", 1)) == "There's no such region. Choose A to I."
    assert refusal(state, moves.TanglewoodPlace("E", 1), seat=2) == "It isn't your turn."
    export, nudge = arrange("T39"), arrange("S6", tiles=["nudge"])
    place(export)
    place(nudge)
    assert refusal(export, moves.Export("A", (2, 0))).startswith("List them in this order")
    assert refusal(nudge, moves.TanglewoodNudge("A", 0, "E")) == "Those regions aren't adjacent."


@pytest.mark.parametrize("phase", ["ballots", "keep"])
def test_27_what_is_chosen_in_secret_is_in_no_other_view(phase: str) -> None:
    state = arrange(
        hands=["ABCD", "EFGH", "AIH", "BC"], poll_round=4, round=5, seat=3, ballot_deck=list("ABCDEFGHI")
    )
    play(state, moves.TanglewoodDraw())
    if phase == "keep":
        for seat in (0, 1, 2):
            GAME.play(state, seat, legal(state, seat)[0])
    assert state.phase == phase
    one, other = copy_state(state), copy_state(state)
    GAME.play(one, 1, legal(one, 1)[0])
    other.hands[1], other.ballot_deck[:2] = sorted(["I", *other.hands[1][1:]]), ["E", "A"]
    GAME.play(other, 1, legal(other, 1)[-1])

    for viewer in (None, 0, 2, 3):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)
    assert GAME.view(one, 1) != GAME.view(other, 1)
    assert 1 not in GAME.view(one, None).owing


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("length", ["full", "short"])
def test_29_a_view_does_not_change_with_what_nobody_knows(seats: int, length: str) -> None:
    state, rng = begin(seats, length=length), Random(seats)
    for _ in range(40):
        seat = next(iter(GAME.prompts(state)))
        GAME.play(state, seat, rng.choice(legal(state, seat)))
    for viewer in (None, *range(seats)):
        other = copy_state(state)
        others = [seat for seat in range(seats) if seat != viewer]
        mingle(
            [other.ballot_deck, *(pile[seat] for pile in (other.hands, other.dropped) for seat in others)],
            rng,
        )
        for hand in other.hands:
            hand.sort()
        mingle([other.deck, other.reserve, other.box], rng)
        if POLL in state.deck:
            pile = next(pile for pile in (other.deck, other.reserve, other.box) if POLL in pile)
            place_of_poll = rng.randrange(len(other.deck))
            pile[pile.index(POLL)], other.deck[place_of_poll] = other.deck[place_of_poll], POLL
        assert other != state
        assert GAME.view(other, viewer) == GAME.view(state, viewer)


@pytest.mark.parametrize(("seats", "rounds"), [(3, 16), (4, 12), (5, 10)])
def test_30_whole_random_games(seats: int, rounds: int) -> None:
    played = []
    for number in range(6):
        rng, seed = Random(number), bytes([number])
        state = GAME.begin(seats, TanglewoodOptions(), GAME.deal(seats, TanglewoodOptions(), seed), seed)
        turns = [0] * seats
        while prompts := GAME.prompts(state):
            seat = rng.choice(list(prompts))
            move = rng.choice(legal(state, seat))
            turns[seat] += isinstance(move, moves.TanglewoodDraw | moves.TanglewoodPlace)
            GAME.play(state, seat, move)
        assert len(set(turns)) == 1
        assert len(state.scorings) == 2
        played.append(state.round)
    assert abs(sum(played) / len(played) - rounds) < 1.5


def test_30_every_tangle_and_hop_is_where_it_was() -> None:
    state = arrange("T39")
    place(state)

    moved = only(play(state, moves.Export("A", (0, 1))), moves.Moved)

    assert moved.hops == (Hop(0, "E", "A"), Hop(1, "E", "A"))
    assert (state.workers["E"], state.workers["A"]) == ((2, 1, 2, 2), (3, 3, 2, 2))
    lying = [card for card in state.tangles.values() if card is not None]
    cards = [*lying, *state.deck, *state.reserve, *state.box, *state.discards]
    assert sorted(card for card in cards if card in REGULAR_TANGLES) == list(REGULAR_TANGLES)
