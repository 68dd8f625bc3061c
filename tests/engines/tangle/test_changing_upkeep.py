"""Rulings on upkeep that was paid automatically, and that its payer can change before the placement."""

from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Seat, Strength
from engines.tangle import GAME, moves
from engines.tangle.decisions import Placing, Upkeep
from engines.tangle.pieces.components import PAID_IN, RESOURCES
from engines.tangle.truth.state import TangleState, owing
from engines.tangle.words.board import describe_changes
from engines.tangle.words.event_lines import event_line, move_name
from tests.engines.tangle.arrange import begin, front, have, legal, play, put, read, refusal_of, stash
from tests.often import often
from tests.thinking import choose_briefly

NAMES = ["Ann", "Bo"]


def due(state: TangleState, *tracks: int) -> None:
    lakes, growth, cards = (0 if track in tracks else None for track in range(3))
    state.markers, state.seat = (lakes, growth, cards), 1
    play(state, 1, "place B9 E5")
    pay_automatically(state)


def pay_automatically(state: TangleState) -> None:
    while unasked := [seat for seat in owing(state) if GAME.automatic_move(state, seat) is not None]:
        GAME.play(state, unasked[0], moves.PayRest())


def with_meadows(**options: Any) -> TangleState:
    """Return a turn with 2 W of 3 paid for meadows."""
    state = begin(**options)
    put(state, 0, "meadow", "C6", "C7")
    stash(state, 0, 3, 0, 0, 0)
    due(state, 1)
    return state


def can_change(state: TangleState, seat: Seat = 0) -> bool:
    return moves.ChangeUpkeep() in legal(state, seat)


def test_changing_gives_back_exactly_what_was_paid() -> None:
    state = with_meadows()
    assert have(state, 0) == (1, 0, 0, 0)

    events = play(state, 0, "change_upkeep")

    assert events == [moves.UpkeepTakenBack(0, (2, 0, 0, 0))]
    assert have(state, 0) == (3, 0, 0, 0)
    assert set(GAME.prompts(state)) == {0}
    assert set(legal(state, 0)) == {
        read(line) for line in ("pay_rest", "drop_rest", "pay C6", "pay C7", "drop C6", "drop C7")
    }


def test_a_seat_that_changes_is_asked_to_the_end_and_what_it_drops_is_dropped() -> None:
    state = with_meadows()
    events = play(state, 0, "change_upkeep")
    assert GAME.automatic_move(state, 0) is None
    events += play(state, 0, "drop C6")
    assert GAME.automatic_move(state, 0) is None
    events += play(state, 0, "pay_rest")

    assert have(state, 0) == (2, 0, 0, 0)
    assert state.tiles["C6"].kind == "earth"
    assert state.tiles["C7"].kind == "meadow"
    assert isinstance(state.decision, Placing)
    assert all(isinstance(move, moves.TanglePlace) for move in legal(state, 0))
    assert not any(event.reveals for event in events), "undo can cross it"


def test_upkeep_can_be_changed_only_once_before_placing_and_keeping_all_costs_the_same() -> None:
    state = with_meadows()
    before = state.copy()
    play(state, 0, "change_upkeep", "pay_rest")
    assert (have(state, 0), state.tiles) == (have(before, 0), before.tiles)
    assert not can_change(state)
    assert refusal_of(state, 0, "change_upkeep") == "You can't change any upkeep now."

    state = with_meadows()
    play(state, 0, "place B5 LA")
    assert refusal_of(state, 0, "change_upkeep") == "You can't answer that now."
    play(state, 0, "done")
    assert not can_change(state)


def test_only_the_seat_whose_turn_it_is_can_change_upkeep() -> None:
    state = begin()
    put(state, 0, "lake", "C6")
    put(state, 1, "lake", "D9")
    due(state, 0)
    assert can_change(state, 0)
    assert refusal_of(state, 1, "change_upkeep") == "It isn't your turn."
    before = have(state, 1)
    play(state, 0, "change_upkeep")
    assert set(GAME.prompts(state)) == {0}
    assert have(state, 1) == before


def test_no_change_is_offered_if_nothing_was_paid_all_was_lost_or_the_seat_was_asked() -> None:
    state = begin()
    front(state, 0, "carved_stone", "windfall")
    due(state, 2)
    assert isinstance(state.decision, Placing)
    assert not can_change(state)

    state = begin()
    put(state, 0, "meadow", "C6")
    stash(state, 0, 0, 0, 0, 0)
    due(state, 1)
    assert state.tiles["C6"].kind == "earth"
    assert not can_change(state)

    state = begin()
    put(state, 0, "meadow", "C6", "C7")
    stash(state, 0, 1, 0, 0, 0)
    due(state, 1)
    play(state, 0, "drop C6")
    pay_automatically(state)
    assert isinstance(state.decision, Placing)
    assert not can_change(state)

    state = with_meadows(upkeep="asked")
    play(state, 0, "pay_rest")
    assert isinstance(state.decision, Placing)
    assert not can_change(state)


def test_what_a_card_keeps_free_is_not_given_back() -> None:
    state = begin()
    front(state, 0, "carved_stone", "landslide", "windfall", "old_lore")
    stash(state, 0, 0, 0, 1, 0)
    due(state, 2)
    assert have(state, 0)[2] == 0
    play(state, 0, "change_upkeep")
    assert have(state, 0)[2] == 1
    play(state, 0, "drop windfall")
    assert have(state, 0)[2] == 1
    assert state.players[0].front == ("carved_stone", "landslide", "old_lore")
    assert isinstance(state.decision, Placing)


def test_several_tracks_are_given_back_together_and_asked_in_order() -> None:
    state = begin()
    put(state, 0, "lake", "C6")
    put(state, 0, "meadow", "E7")
    stash(state, 0, 1, 1, 0, 0)
    due(state, 0, 1)
    assert have(state, 0) == (0, 0, 0, 0)

    play(state, 0, "change_upkeep")

    assert have(state, 0) == (1, 1, 0, 0)
    assert isinstance(state.decision, Upkeep)
    assert state.decision.track == "lakes"
    events = play(state, 0, "pay_rest")
    assert moves.UpkeepBegan(track="growth") in events
    play(state, 0, "drop_rest")
    assert have(state, 0) == (1, 0, 0, 0)
    assert isinstance(state.decision, Placing)


def test_a_lake_that_is_dropped_shelters_nothing_in_the_next_track() -> None:
    state = begin()
    put(state, 0, "lake", "C6")
    put(state, 0, "meadow", "C7")
    put(state, 1, "bush", "C5")
    stash(state, 0, 2, 2, 0, 0)
    due(state, 0, 1)
    assert have(state, 0) == (2, 1, 0, 0)

    beat = GAME.post_counter(state)
    events = play(state, 0, "change_upkeep", "drop_rest")

    assert moves.UpkeepBegan(track="growth", reveals=True) in events
    assert set(GAME.prompts(state)) == {0, 1}
    assert GAME.post_counter(state) > beat
    assert GAME.automatic_move(state, 0) is None
    assert GAME.automatic_move(state, 1) == moves.PayRest()
    assert [*state.markers] == [None, 0, None]

    events = [*play(state, 1, "pay_rest"), *play(state, 0, "drop_rest")]

    assert moves.UpkeepEnded(track="growth") in events
    assert [*state.markers] == [None, None, None]
    assert isinstance(state.decision, Placing)


def test_upkeep_before_one_that_others_paid_stays_as_it_is() -> None:
    state = begin()
    put(state, 0, "lake", "C6")
    put(state, 0, "meadow", "E7")
    put(state, 1, "bush", "D9")
    stash(state, 0, 1, 1, 0, 0)
    due(state, 0, 1)

    play(state, 0, "change_upkeep")

    assert have(state, 0) == (1, 0, 0, 0)
    assert isinstance(state.decision, Upkeep)
    assert state.decision.track == "growth"


def test_the_others_may_go_while_upkeep_is_changed_and_who_changes_ends_the_turn() -> None:
    state = begin(3)
    put(state, 0, "meadow", "C6", "C7")
    state.markers, state.seat = (None, 0, None), 2
    play(state, 2, "place C11 D5")
    pay_automatically(state)
    play(state, 0, "change_upkeep")
    leaving = state.copy()
    GAME.resign(leaving, 0)
    assert leaving.seat == 1
    assert isinstance(leaving.decision, Placing)

    GAME.resign(state, 1)
    play(state, 0, "drop_rest")
    assert isinstance(state.decision, Placing)
    GAME.resign(state, 0)
    assert state.outcome is not None


def test_a_position_without_the_payment_loads() -> None:
    state = with_meadows()
    saved = msgspec.json.decode(msgspec.json.encode(state))
    del saved["agenda"][-1]["paid"]
    loaded = msgspec.json.decode(msgspec.json.encode(saved), type=TangleState)
    assert loaded.decision == Placing()
    assert not can_change(loaded)


def test_computers_and_hints_place_instead_of_changing() -> None:
    view = GAME.view(with_meadows(), 0)
    for strength in (Strength.EASY, Strength.MEDIUM, Strength.STRONG):
        assert isinstance(GAME.choose(view, 0, Random(1), strength), moves.TanglePlace)
    assert all(isinstance(one.moves[0], moves.TanglePlace) for one in GAME.advice(view, 0, Random(1)))


def test_the_payment_and_the_change_are_told_in_words() -> None:
    state = with_meadows()
    view = GAME.view(state, 0)
    assert move_name(moves.ChangeUpkeep(), view, NAMES).startswith("change upkeep: take back 2 ")
    assert "or change the 2 water paid for C6 and C7" in describe_changes(view, NAMES)[0]
    (event,) = GAME.play(state, 0, moves.ChangeUpkeep())
    line = event_line(event, GAME.view(state, None), NAMES)
    assert line is not None
    assert "takes back the 2" in line
    assert "chosen again" in describe_changes(GAME.view(state, 1), NAMES)[0]


@pytest.mark.parametrize("seats", [2, 3])
def test_in_every_game_the_payments_of_a_turn_are_what_is_given_back(seats: int) -> None:
    changed = 0
    for number in range(often(3, 12)):
        rng, options = Random(number), GAME.settle(seats, GAME.Options(round_limit=30))
        seed = number.to_bytes(4, "big")
        state, paid = GAME.begin(seats, options, GAME.deal(seats, options, seed), seed), [0, 0, 0, 0]
        while prompts := GAME.prompts(state):
            seat, turn = rng.choice(list(prompts)), state.turn
            made = legal(state, seat)
            move = moves.ChangeUpkeep() if moves.ChangeUpkeep() in made else rng.choice(made)
            if move != moves.ChangeUpkeep() and rng.random() < 0.6:
                move = choose_briefly(GAME, GAME.view(state, seat), seat, rng, Strength.EASY)
            held, events = have(state, seat), GAME.play(state, seat, move)
            if isinstance(move, moves.ChangeUpkeep):
                changed += 1
                back = [then - before for then, before in zip(have(state, seat), held, strict=True)]
                assert [min(*pair) for pair in zip(back, paid, strict=True)] == back
                assert any(back)
            if state.turn != turn:
                paid = [0, 0, 0, 0]
            for event in events:
                if isinstance(event, moves.UpkeepKept) and event.seat == state.seat:
                    paid[RESOURCES.index(PAID_IN[event.track])] += event.paid
    assert changed


def test_declining_a_root_that_slept_keeps_the_change_of_upkeep() -> None:
    state = with_meadows()
    placing = state.agenda[-1]
    assert isinstance(placing, Placing)
    state.roots["S2"] = (0,)
    state.agenda[-1:] = [
        msgspec.structs.replace(placing, paid=None),
        msgspec.structs.replace(placing, sleeper="S2"),
    ]

    play(state, 0, "done")

    assert can_change(state)


def test_a_change_counts_what_was_free_when_it_was_paid() -> None:
    state = begin()
    put(state, 0, "lake", "B3")
    put(state, 0, "meadow", "C7", "C8", "D9")
    front(state, 0, "leaf_mulch")
    stash(state, 0, 5, 5, 0, 0)
    due(state, 0, 1, 2)
    assert state.players[0].front == ()
    paid = 5 - have(state, 0)[0]

    play(state, 0, "change_upkeep")
    play(state, 0, "pay_rest")
    play(state, 0, "pay_rest")

    assert paid == 1
    assert have(state, 0)[0] == 5 - paid
