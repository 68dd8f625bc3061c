"""Leaving a game, and the clockwork around turns: what is passed on, told and counted. Rules: Leaving."""

from engines.tanglewood import GAME
from engines.tanglewood.events import (
    Kept,
    TanglewoodEnded,
    TanglewoodResigned,
    TanglewoodRoundBegan,
    TurnedUp,
)
from engines.tanglewood.moves import KeepBallots, PlayBallots, TanglewoodDraw, TanglewoodPlace
from engines.tanglewood.view import would_score
from tests.engines.tanglewood.arrange import arrange, begin, draw_all_round, legal, only, place, play


def test_leaving_off_turn_is_skipped_and_the_workers_stay() -> None:
    state = begin()

    (event,) = GAME.resign(state, 1)
    play(state, TanglewoodDraw())

    assert event == TanglewoodResigned(seat=1)
    assert state.seat == 2
    assert state.workers["A"] == (2, 2, 2, 2)
    assert (state.hands[1], len(state.dropped[1])) == ([], 2)


def test_leaving_in_turn_leaves_a_new_tangle() -> None:
    state = arrange("T01")
    place(state)

    events = GAME.resign(state, 0)

    assert only(events, TurnedUp).region == "E"
    assert (state.discards, state.card, state.effect, state.seat) == (["T01"], None, [], 1)


def test_leaving_before_placing_takes_no_tangle() -> None:
    state = begin()

    assert [type(event) for event in GAME.resign(state, 0)] == [TanglewoodResigned]
    assert state.seat == 1


def test_the_last_seat_of_a_round_leaves() -> None:
    state = begin()
    play(state, TanglewoodDraw(), TanglewoodDraw(), TanglewoodDraw())

    events = GAME.resign(state, 3)

    assert only(events, TanglewoodRoundBegan) == TanglewoodRoundBegan(round=2, order=(0, 1, 2))
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
    play(state, TanglewoodDraw())
    GAME.play(state, 0, PlayBallots(("A", "B")))

    GAME.resign(state, 1)

    assert state.played == [(("A", "B"), (), ("G", "H"), ("I",))]
    assert list(GAME.prompts(state)) == [0]
    events = GAME.play(state, 0, KeepBallots(("C",)))
    assert only(events, Kept).discarded == (0, 0, 0, 0)
    assert only(events, TanglewoodRoundBegan).order == (3, 2, 0)
    assert [len(hand) for hand in state.hands] == [2, 0, 2, 2]


def test_the_last_one_left_has_won() -> None:
    state = begin()
    GAME.resign(state, 2)
    GAME.resign(state, 0)

    events = GAME.resign(state, 3)

    assert only(events, TanglewoodEnded).outcome.places == (3, 1, 4, 2)
    assert only(events, TanglewoodEnded).outcome.how == "left"
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
    for move in (legal(state)[0], PlayBallots(("A", "B")), KeepBallots(())):
        GAME.play(state, 0, move)
        beats.append(GAME.post_counter(state))

    assert beats == sorted(set(beats))


def test_the_hand_that_goes_by_dm() -> None:
    state = begin()
    first = GAME.hand(state, 0)
    play(state, TanglewoodPlace("D", 1))

    assert first == GAME.hand(state, 0)
    GAME.resign(state, 0)
    assert GAME.hand(state, 0) is None


def test_pictures_compare_with_the_last_own_turn() -> None:
    state = begin()

    play(state, TanglewoodPlace("D", 1), TanglewoodPlace("G", 1))

    seen = {viewer: GAME.view(state, viewer).before for viewer in (None, 0, 1, 2)}
    assert seen[0] == {**seen[2], "D": (3, 2, 2, 2)} == seen[None]
    assert seen[1] == {**seen[0], "G": (2, 3, 2, 2)} == state.workers
    assert seen[2]["D"] == (2, 2, 2, 2)
