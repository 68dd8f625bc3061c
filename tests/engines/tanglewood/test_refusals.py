"""Every sentence with which a move is refused, and what may be taken back."""

from typing import Any

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalMove, IllegalSetup
from engines.tanglewood import GAME
from engines.tanglewood.events import PlanUnfit
from engines.tanglewood.moves import (
    Crossing,
    Export,
    Gather,
    KeepBallots,
    Move,
    MoveAdjacent,
    PlacedWorker,
    PlayBallots,
    Scatter,
    SentWorker,
    TanglewoodDraw,
    TanglewoodNudge,
    TanglewoodPlace,
    TanglewoodPlaceAdjacent,
    TanglewoodPlant,
    TanglewoodStep,
)
from engines.tanglewood.pieces.board import NEUTRAL
from engines.tanglewood.pieces.components import COMPONENTS, Shift, TanglewoodOptions, check_components
from engines.tanglewood.truth.state import TanglewoodState
from tests.engines.tanglewood.arrange import SEED, arrange, begin, deal, legal, only, place, play, refusal

NO_SECOND = "There's no second worker of that colour there."
NO_WORKER = "There's no worker of that colour there."
IN_ORDER = "List them in this order: regions by letter, seats by number, the neutral colour last."


def effect(card: str, **counts: tuple[int, ...]) -> TanglewoodState:
    state = arrange(card, counts=counts)
    place(state)
    return state


def test_an_empty_circle_comes_first_then_the_level_then_the_circle() -> None:
    assert refusal(arrange(circle=0), TanglewoodPlace("A", 3)) == "Your circle is empty, so draw markers."
    assert (
        refusal(arrange(circle=1, place_levels=[1, 0, 0, 0]), TanglewoodPlace("A", 3))
        == "Your Place level lets you place at most 2 markers."
    )
    assert (
        refusal(arrange(circle=1, place_levels=[1, 0, 0, 0]), TanglewoodPlace("A", 2))
        == "You have only 1 marker in your circle."
    )


def test_a_card_offers_its_tracks_only() -> None:
    state = effect("T15")

    assert refusal(state, TanglewoodStep("wolf")) == "That Tangle doesn't show this track."  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (Gather((PlacedWorker("A", 0), PlacedWorker("A", 1))), "Choose two different regions."),
        (Gather((PlacedWorker("A", 0), PlacedWorker("E", 1))), "You can't choose the active region."),
        (Gather((PlacedWorker("A", 0), PlacedWorker("K", 1))), "There's no such region. Choose A to I."),
        (Gather((PlacedWorker("A", 0), PlacedWorker("B", NEUTRAL))), NO_WORKER),
        (Gather((PlacedWorker("A", 0), PlacedWorker("B", 3))), NO_WORKER),
        (Gather((PlacedWorker("A", 0),)), "You must move two workers."),
        (Gather((PlacedWorker("B", 0), PlacedWorker("A", 0))), IN_ORDER),
        (Export("A", (0, 0)), "First choose which workers come here, and from where."),
    ],
)
def test_gather(move: Move, sentence: str) -> None:
    assert refusal(effect("T01", B=(2, 2, 2, 0)), move) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (Scatter((SentWorker(1, "A"), SentWorker(1, "B"))), NO_SECOND),
        (Scatter((SentWorker(3, "A"), SentWorker(1, "B"))), NO_WORKER),
        (Scatter((SentWorker(0, "A"), SentWorker(1, "A"))), "Choose two different regions."),
        (Scatter((SentWorker(0, "B"), SentWorker(1, "A"))), IN_ORDER),
        (Scatter(()), "You must move two workers."),
    ],
)
def test_scatter(move: Move, sentence: str) -> None:
    assert refusal(effect("T05", E=(2, 1, 2, 0)), move) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (MoveAdjacent("A", (Crossing("in", 0), Crossing("in", 1))), "Choose adjacent regions."),
        (MoveAdjacent("E", (Crossing("in", 0), Crossing("in", 1))), "You can't choose the active region."),
        (MoveAdjacent("B", (Crossing("in", 1), Crossing("in", 1))), NO_SECOND),
        (MoveAdjacent("B", (Crossing("out", 0), Crossing("in", 0))), IN_ORDER),
        (MoveAdjacent("B", (Crossing("in", 0),)), "You must move two workers."),
    ],
)
def test_move_adjacent(move: Move, sentence: str) -> None:
    assert refusal(effect("T28", B=(2, 1, 2, 2)), move) == sentence


def test_export_and_place_adjacent() -> None:
    export, adjacent = effect("T39", E=(0, 1, 0, 0)), effect("T36")

    assert refusal(export, Export("A", (1, 1))) == NO_SECOND
    assert refusal(export, Export("E", (0, 1))) == "You can't choose the active region."
    assert refusal(adjacent, TanglewoodPlaceAdjacent("A")) == "Choose adjacent regions."
    assert refusal(adjacent, TanglewoodPlaceAdjacent("E")) == "You can't choose the active region."
    assert refusal(effect("T39", E=(0, 0, 0, 0)), Export("A", ())) == "You must move one worker."


def test_nudge_and_plant() -> None:
    nudge, plant = arrange(circle=0, tiles=["nudge"]), arrange(circle=0, tiles=["plant"])
    play(nudge, TanglewoodDraw("fox"))
    play(plant, TanglewoodDraw("fox"))

    assert refusal(nudge, TanglewoodNudge("A", NEUTRAL, "B")) == NO_WORKER
    assert refusal(nudge, TanglewoodNudge("A", 0, "Q")) == "There's no such region. Choose A to I."
    assert refusal(plant, TanglewoodDraw()) == "First choose a region for your marker."
    assert refusal(plant, TanglewoodPlant("a")) == "There's no such region. Choose A to I."


def test_ballots() -> None:
    state = arrange(hands=["ABC", "DEF", "", ""], poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())

    assert refusal(state, PlayBallots(("A",)), 0) == "Choose exactly two ballots."
    assert refusal(state, PlayBallots(("A", "A")), 0) == "You don't have that ballot."
    assert refusal(state, PlayBallots(("B", "A")), 0) == IN_ORDER
    assert refusal(state, TanglewoodDraw(), 0) == "You can't do that yet. First choose your ballots."
    assert refusal(state, PlayBallots(("A", "B")), 2) == "You have nothing to choose."
    GAME.play(state, 0, PlayBallots(("A", "B")))
    assert refusal(state, PlayBallots(("A", "C")), 0) == "You've already chosen."


def test_keeping() -> None:
    state = arrange(hands=["ABCDE", "DE", "", ""], poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())
    GAME.play(state, 0, PlayBallots(("A", "B")))

    assert refusal(state, KeepBallots(("C", "D", "E")), 0) == "You can keep at most two ballots."
    assert refusal(state, KeepBallots(("A",)), 0) == "You don't have that ballot."
    assert (
        refusal(state, PlayBallots(("C", "D")), 0)
        == "You can't do that yet. First choose the ballots to keep."
    )


def test_when_the_game_is_over_nothing_may_be_done() -> None:
    state = begin(3)
    GAME.resign(state, 1)
    assert refusal(state, TanglewoodDraw(), 1) == "You're no longer in this game."
    GAME.resign(state, 2)

    assert refusal(state, TanglewoodDraw(), 0) == "The game is over."
    with pytest.raises(IllegalMove, match="over"):
        GAME.resign(state, 0)


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
    options = TanglewoodOptions(first="host", fox_tiles="fixed")

    with pytest.raises(IllegalDeal):
        GAME.begin(4, options, deal(**changes), SEED)


def test_a_planned_reshuffle_of_other_ballots_than_the_discards_is_told_and_left_to_the_seed() -> None:
    discards = list("ABCDEFGHI")
    planned = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=discards, planned=[("A", "C")])
    drawn = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=discards)

    events, usual = place(planned), place(drawn)

    assert only(events, PlanUnfit).number == 9
    assert [event for event in events if not isinstance(event, PlanUnfit)] == usual
    assert planned == drawn


def test_a_reshuffle_that_the_deal_lays_down() -> None:
    state = arrange("T16", hands=[""] * 4, ballot_deck=[], played_ballots=list("ABC"), planned=[tuple("CBA")])

    place(state)

    assert (state.hands[0], state.ballot_deck, state.planned) == (["B", "C"], ["A"], [])


@pytest.mark.parametrize("seats", [2, 6])
def test_three_to_five_players(seats: int) -> None:
    with pytest.raises(IllegalSetup):
        GAME.settle(seats, TanglewoodOptions())


def test_components_that_do_not_go_together() -> None:
    def wrong(**changes: Any) -> str:
        with pytest.raises(ValueError, match=r".") as refused:
            check_components(msgspec.structs.replace(COMPONENTS, **changes))
        return str(refused.value)

    replace = msgspec.structs.replace
    full = COMPONENTS.length[0]
    both = replace(COMPONENTS.effects["gather"], steps=(Shift(2, "both", "apart", "any"),))
    assert "tangles" in wrong(tangle=COMPONENTS.tangle[1:])
    assert "too few" in wrong(length=(replace(full, draw_deck=36),))
    assert "below the Poll" in wrong(length=(replace(full, poll_cards_above=(15, 26)),))
    assert "both directions" in wrong(effects={"gather": both})


def test_a_draw_without_ballots_may_be_taken_back() -> None:
    state = arrange(circle=0)

    assert not any(event.reveals for event in play(state, TanglewoodDraw("rabbit")))


def test_a_placement_may_be_taken_back_until_the_last_choice() -> None:
    state = arrange("T08", tiles=["plant"])

    assert not any(event.reveals for event in place(state))
    assert not any(event.reveals for event in play(state, TanglewoodStep("fox")))
    assert not any(event.reveals for event in play(state, TanglewoodPlant("A")))
    assert any(event.reveals for event in play(state, legal(state)[0]))


def test_a_choice_of_ballots_is_final() -> None:
    state = arrange(hands=["ABC", "DEF", "", ""], poll_round=4, round=5, seat=3)
    play(state, TanglewoodDraw())

    (event,) = GAME.play(state, 1, PlayBallots(("D", "F")))

    assert event.reveals
    assert only([event], type(event)) == event
