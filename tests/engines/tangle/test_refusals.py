"""Every sentence with which a move is refused; the state stays as it was each time."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import msgspec
import pytest

from engines.game import IllegalDeal, IllegalSetup, Seat
from engines.tangle import GAME
from engines.tangle.computer.search import shortfall_in_reach
from engines.tangle.legal.context import Counts, counts_of
from engines.tangle.legal.moves import LandingObstacle, obstacle
from engines.tangle.moves import Cast, Move, TakePile, TakeRow, TangleDone, TanglePlace
from engines.tangle.pieces.components import CardId, TangleOptions
from engines.tangle.truth.state import TangleState, context_for
from tests.engines.tangle.arrange import (
    SEED,
    begin,
    change,
    front,
    give,
    legal,
    play,
    prepare,
    put,
    refusal_of,
    root,
    stash,
)
from tests.often import often


def land_root(to: str, seats: int = 4, **options: object) -> TangleState:
    """Return a state just after seat 0, which is rich, landed. It has earth on C6 and C7, with a seed."""
    state = begin(seats, **options)  # type: ignore[arg-type]
    stash(state, 0, 9, 9, 9, 9)
    put(state, 0, "earth", "C6")
    put(state, 0, "earth", "C7", seed="bush")
    put(state, 0, "lake", "C5")
    change(state, 0, seeds=(1, 0))
    play(state, 0, f"place B5 {to}")
    return state


def test_upkeep_and_placing() -> None:
    state = begin()
    put(state, 1, "lake", "D8", "D9")
    stash(state, 1, 0, 1, 0, 0)
    state.markers = (1, None, None)
    play(state, 0, "place B5 W")

    assert refusal_of(state, 0, "pay_rest") == "You have nothing to pay now."
    assert refusal_of(state, 1, "pay_rest") == "Together they cost 2 E, so you can't pay for all of them."
    assert refusal_of(state, 1, "pay C6") == "You don't pay for that tile or card now."
    assert refusal_of(state, 1, "done") == "You can't answer that now."
    stash(state, 1, 0, 0, 0, 0)
    assert refusal_of(state, 1, "pay D8") == "You have no E left."
    stash(state, 1, 0, 9, 0, 0)
    play(state, 1, "pay D8")
    assert refusal_of(state, 1, "drop D9") == "This is the last one: choose **Keep it** or **Drop it**."
    assert refusal_of(state, 1, "pay D9") == "This is the last one: choose **Keep it** or **Drop it**."

    state = begin(centre="hibernate")
    assert refusal_of(state, 0, "place B5 nowhere") == "You can't do anything there."
    play(state, 0, "place B5 X")
    play(state, 1, "place B9 W")
    assert refusal_of(state, 0, "place E9 CE") == "Only the root that slept can move now."


def test_toll_and_casting() -> None:
    state = begin(3)
    root(state, 1, "CE")
    root(state, 2, "CE")
    play(state, 0, "place B5 CE", "done")
    assert refusal_of(state, 0, "toll 2 1 0 0 0") == "Pay the other player first."
    assert refusal_of(state, 0, "toll 1 1 1 0 0") == "Choose exactly 1."
    stash(state, 0, 0, 1, 0, 1)
    assert refusal_of(state, 0, "toll 1 1 0 0 0") == "You can't pay that: you need 1 W more."

    state = begin()
    give(state, 0, "windfall", "rune_storm")
    play(state, 0, "place B5 W")
    assert refusal_of(state, 0, "cast landslide") == "You don't have that card."
    state.agenda[-1] = type(state.agenda[-1])(cast=1)  # type: ignore[call-arg]
    assert refusal_of(state, 0, "cast windfall") == "You have no free root at home."


def test_laying_and_how_far_free_earth_can_be_laid() -> None:
    state = land_root("CE")
    assert refusal_of(state, 0, "earth C6") == "That area isn't empty."
    assert refusal_of(state, 0, "earth Z9") == "That place isn't in this game."
    change(state, 0, tiles=(0, 0, 0, 0))
    assert refusal_of(state, 0, "earth D6") == "You have none of those tiles left."

    state = land_root("LA")
    assert refusal_of(state, 0, "lake B9") == "That area isn't empty."
    assert refusal_of(state, 0, "lake F4") == "That isn't next to any of your tiles."

    state = land_root("ME")
    assert refusal_of(state, 0, "meadow B6") == "That isn't your clean earth."
    stash(state, 0, 9, 9, 1, 9)
    assert refusal_of(state, 0, "meadow C6") == "You can't pay that: you need 1 N more."

    state = free_earth()
    assert refusal_of(state, 0, "earth D12") == "That isn't next to any of your tiles."

    state = free_earth("long_runner")
    assert refusal_of(state, 0, "earth C3") == "That's more than 3 areas away from your tiles."


def free_earth(*lasting: CardId) -> TangleState:
    """Return a state after Landslide, with enchantments in front of seat 0."""
    state = begin()
    stash(state, 0, 9, 9, 9, 9)
    front(state, 0, *lasting)
    give(state, 0, "landslide", "windfall")
    play(state, 0, "place B5 E9", "cast landslide")
    return state


def test_planting_growing_and_repeated_work() -> None:
    state = land_root("PL")
    assert refusal_of(state, 0, "plant bush C7") == "That area already has a seed."
    assert refusal_of(state, 0, "plant tree C6") == "No such seeds are left."

    state = land_root("GR")
    assert refusal_of(state, 0, "grow C6") == "Nothing can grow there."

    state = land_root("SP")
    assert refusal_of(state, 0, "sprout C7") == "That isn't next to any of your trees."

    state = begin(4)
    put(state, 0, "bush", "B6")
    put(state, 0, "earth", "B7", "C6")
    play(state, 0, "place B5 SB")
    assert refusal_of(state, 0, "hedge C6") == "That isn't next to any of your bushes."
    state.seeds = (0, 0)
    assert refusal_of(state, 0, "hedge B7") == "No such seeds are left."

    state = begin(4)
    put(state, 0, "meadow", "B6")
    put(state, 0, "earth", "B7", "C6")
    play(state, 0, "place B5 SM")
    assert refusal_of(state, 0, "meadow C6") == "That isn't next to any of your meadows."

    state = land_root("DG")
    play(state, 0, "earth D7")
    assert refusal_of(state, 0, "earth D6") == "You've already done that in this action."


def test_cards_mana_and_swapping() -> None:
    state = land_root("EN")
    state.row, state.pile = state.row[:1], []
    state.discards = []
    assert refusal_of(state, 0, "row 1") == "The row has no such card."
    assert refusal_of(state, 0, "pile") == "The pile is empty."

    state = land_root("MT")
    state.seeds = (0, 0)
    assert refusal_of(state, 0, "buy bush") == "No such seeds are left."
    assert refusal_of(state, 0, "trade M") == "You can't answer that now."
    stash(state, 0, 9, 9, 9, 0)
    assert refusal_of(state, 0, "trade W") == "You can't pay that: you need 1 M more."

    state = land_root("SL")
    assert refusal_of(state, 0, "swap C7 C6") == "Name two tiles, in the same order as on the board."
    assert refusal_of(state, 0, "swap C6 D4") == "That isn't your tile."
    assert refusal_of(state, 0, "swap C6 Z1") == "That place isn't in this game."
    put(state, 0, "earth", "D7")
    play(state, 0, "swap C6 C7")
    assert refusal_of(state, 0, "swap D7 D12") == "You can swap at most three tiles."


def test_offering_and_taking_over() -> None:
    state = land_root("X", 2, centre="sacrifice")
    put(state, 0, "bush", "D8")
    assert refusal_of(state, 0, "offer C6") == "Choose what you want for that tile."
    assert refusal_of(state, 0, "offer C5 M") == "Choose what you want for that tile."
    assert refusal_of(state, 0, "offer B5") == "You can't offer saplings or trees."
    assert refusal_of(state, 0, "offer D10 M") == "That isn't your tile."
    assert refusal_of(state, 0, "offer D8 hand landslide") == "You don't have that card."
    assert refusal_of(state, 0, "offer D8 discard landslide") == "That card isn't in the discards."
    state.offered = 10
    assert refusal_of(state, 0, "offer C5") == "You can get at most 10 extra placements in a turn."

    state = begin(centre="takeover")
    put(state, 1, "earth", "B6", "D8")
    put(state, 1, "earth", "C6", seed="bush")
    play(state, 0, "place B5 X")
    assert refusal_of(state, 0, "takeover C6 1 1 0 0") == "That isn't an opponent's empty clean earth."
    assert refusal_of(state, 0, "takeover D8 1 1 0 0") == "That isn't next to any of your tiles."
    assert refusal_of(state, 0, "takeover B6 1 0 0 0") == "Choose exactly 2."
    assert refusal_of(state, 0, "takeover B6") == "Choose exactly 2."
    assert refusal_of(state, 0, "takeover B6 0 2 0 0") == "You can't pay that: you need 1 E more."


def test_choices_of_cards_and_steps_are_checked() -> None:
    state = begin()
    put(state, 1, "meadow", "D8")
    put(state, 1, "bush", "D7", cubes=2)
    put(state, 1, "bush", "C7", cubes=2)
    give(state, 0, "sap_thief", "roots_return", "turned_season", "mixed_offering", "creeping_root")
    stash(state, 0, 0, 0, 0, 9)
    play(state, 0, "place B5 W", "cast sap_thief")
    assert refusal_of(state, 0, "drain D8") == "Your opponents' meadows and bushes there are all empty."

    for card, line, sentence in (
        ("roots_return", "recall N E9", "You have no root there."),
        ("roots_return", "recall W C6", "That isn't one of your trees."),
        ("turned_season", "lower 3 0 0", "Choose exactly 4."),
        ("turned_season", "lower 1 3 0", "You don't have that many steps left."),
        ("mixed_offering", "choose 1 1 0 0", "Choose exactly 3."),
        ("creeping_root", "takeover C6 1 1 0 0", "That isn't an opponent's empty clean earth."),
    ):
        state = begin()
        put(state, 1, "earth", "B6", "B4")
        root(state, 0, "M")
        give(state, 0, card, "windfall")
        stash(state, 0, 0, 0, 0, 9)
        state.trackers = (0, 1, 3)
        play(state, 0, "place B5 W", f"cast {card}")
        assert refusal_of(state, 0, line) == sentence
    assert refusal_of(state, 0, "takeover B6 1 1 0 0") == "You can't answer that now."

    state = begin()
    front(state, 1, "old_lore")
    play(state, 0, "place B5 CE", "earth C6", "done")
    assert refusal_of(state, 0, "steps 1 1 0") == "Choose exactly 1."
    assert refusal_of(state, 0, "steps 0 0 0") == "Choose exactly 1."
    state.trackers = (0, 2, 2)
    assert refusal_of(state, 0, "steps 1 0 0") == "You don't have that many steps left."


def find_obstacle(state: TangleState, to: str) -> LandingObstacle | None:
    return obstacle(GAME.view(state, 0), TanglePlace("B5", to))


PLACE = LandingObstacle("place")
COVERED = "put 0 earth D11 seed=bush; root 1 GR; stash 0 0 1 0 0"


@pytest.mark.parametrize(
    ("script", "space", "found"),
    [
        ("put 0 earth C6; stash 0 2 2 1 2", "ME", LandingObstacle("price", (0, 0, 2, 0), (2, 2, 1, 2))),
        ("put 0 earth C6; put 0 meadow C12 cubes=2; stash 0 0 0 0 0", "ME", None),
        (COVERED, "GR", LandingObstacle("price", (1, 0, 1, 0), (0, 1, 0, 0), kept=1)),
        (f"{COVERED}; front 0 bold_creeper", "GR", None),
        (
            "put 0 earth C6; root 1 ME; stash 0 0 0 2 0",
            "ME",
            LandingObstacle("price", (0, 0, 2, 0), (0, 0, 2, 0), kept=1),
        ),
        *(("", space, PLACE) for space in ("ME", "PL", "GR", "SP", "GE", "CG")),
        ("put 0 bush C6", "CG", None),
    ],
    ids=[
        "the price and the resources are named",
        "gains of own tiles can be spent at once",
        "a covered root costs a toll",
        "the gift for covering a root can be spent",
        "the reserve for a toll can't be spent",
        *(f"no clean earth for {space}" for space in ("ME", "PL", "GR", "SP", "GE", "CG")),
        "contained growth feeds bushes",
    ],
)
def test_what_is_in_the_way_of_a_root(script: str, space: str, found: LandingObstacle | None) -> None:
    assert find_obstacle(prepare(script, 4), space) == found


def test_seeds_and_tiles_may_be_missing_but_nothing_is_in_the_way_of_a_root_that_takes() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    assert find_obstacle(state, "PL") == LandingObstacle("seed")

    change(state, 0, tiles=(0, 5, 0, 3))
    assert find_obstacle(state, "LA") == LandingObstacle("tile")
    assert find_obstacle(state, "CE") == LandingObstacle("tile")

    state.seeds = (0, 3)
    assert find_obstacle(state, "BS") == LandingObstacle("supply")
    assert find_obstacle(state, "TS") is None

    state = begin(4)

    assert [space for space in ("E", "S1", "GW", "EN", "BS", "SL") if find_obstacle(state, space)] == []


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (5, {}, "Tangle with these options needs 2 to 4 players, not 5."),
        (2, {"exchange": (("SP", "takeover"),)}, "With 2 players, you can't exchange the space SP."),
        (3, {"exchange": (("MT", "takeover"),)}, "With 3 players, you can't exchange the space MT."),
        (4, {"exchange": (("CE", "takeover"),)}, "With 4 players, you can't exchange the space CE."),
        (4, {"exchange": (("?", "takeover"),)}, "With 4 players, you can't exchange the space ?."),
        (4, {"exchange": (("SP", "takeover"), ("SP", "sacrifice"))}, "You can exchange a space only once."),
        (
            4,
            {"exchange": (("SP", "takeover"), ("MT", "takeover"))},
            "You can use each alternative space only once.",
        ),
        (
            4,
            {"centre": "takeover", "exchange": (("SP", "takeover"),)},
            "You can use each alternative space only once.",
        ),
        (
            4,
            {"centre": "random", "exchange": (("SP", "takeover"), ("MT", "sacrifice"), ("S1", "hibernate"))},
            "No alternative space is left for the centre.",
        ),
    ],
)
def test_unplayable_setups_are_refused(seats: int, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(IllegalSetup) as refusal:
        GAME.settle(seats, TangleOptions(**options))
    assert str(refusal.value) == sentence


def test_a_random_centre_is_one_of_those_left_and_exchanged_spaces_are_put_in_order() -> None:
    options = GAME.settle(4, TangleOptions(centre="random", exchange=(("SP", "takeover"),)))
    drawn = {GAME.deal(4, options, bytes([number])).centre for number in range(40)}
    assert drawn == {"sacrifice", "hibernate"}
    deal = GAME.deal(4, options, SEED)
    assert GAME.begin(4, options, deal, SEED).centre == deal.centre
    with pytest.raises(IllegalDeal, match="no other space"):
        GAME.begin(4, options, msgspec.structs.replace(deal, centre="takeover"), SEED)
    one = GAME.settle(4, TangleOptions(exchange=(("SP", "takeover"), ("MT", "sacrifice"))))
    assert one == GAME.settle(4, TangleOptions(exchange=(("MT", "sacrifice"), ("SP", "takeover"))))


def test_a_deal_by_hand_is_checked_and_goes_round_seat_by_seat() -> None:
    deal = GAME.deal(2, TangleOptions(), SEED)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"conditions": deal.conditions[1:]}, "The victory conditions must be all 20, each once."),
        ({"cards": (*deal.cards[1:], deal.cards[1])}, "The enchantments must be all 51, each once."),
        ({"centre": "hibernate"}, "With these options, no centre is drawn, so a deal can't name one."),
    ]
    for changed, sentence in wrong:
        with pytest.raises(IllegalDeal) as refusal:
            GAME.begin(2, TangleOptions(), msgspec.structs.replace(deal, **changed), SEED)
        assert str(refusal.value) == sentence
    deal = GAME.deal(3, TangleOptions(), SEED)
    state = GAME.begin(3, TangleOptions(), deal, SEED)
    for seat in range(3):
        assert state.conditions[seat] == deal.conditions[3 * seat : 3 * seat + 3]
        assert sorted(state.hands[seat]) == sorted(deal.cards[3 * seat : 3 * seat + 3])
    assert tuple(state.row) == deal.cards[9:12]
    assert tuple(state.pile) == deal.cards[12:]
    assert state.box == deal.conditions[9:]


GAMES = range(often(24, 400))
LONG = 160
"""The last turn of these games: bounds don't depend on what comes later."""


def is_in_reach(state: TangleState, seat: Seat, **need: int) -> bool:
    """Return True if the bounds allow the seat these numbers, like ``trees=3``."""
    context = context_for(state, seat)
    return shortfall_in_reach(context, state.agenda, [cast(Counts, need)], counts_of(context)) is not None


def random_turns(number: int) -> Iterator[list[TangleState]]:
    """Yield the positions of each turn of a game of random moves."""
    luck = Random(number)
    seats = luck.choice((2, 2, 3, 4))
    options = GAME.settle(seats, TangleOptions(centre=luck.choice(("none", "sacrifice", "takeover"))))
    seed = number.to_bytes(4, "big")
    state = GAME.begin(seats, options, GAME.deal(seats, options, seed), seed)
    while state.turn < LONG and GAME.prompts(state):
        turn, known, positions = state.turn, Counter(state.hands[state.seat]) + Counter(state.row), []
        while state.turn == turn and (prompts := GAME.prompts(state)):
            positions.append(GAME.copy(state))
            seat = next(iter(prompts))
            move = _random_move(legal(state, seat), state.row, known, luck)
            known.subtract([move.card] if isinstance(move, Cast) else [])
            GAME.play(state, seat, move)
        yield positions


def _random_move(moves: list[Move], row: list[CardId], known: Counter[CardId], luck: Random) -> Move:
    """Choose a move, mostly one that goes on. It uses an unseen card only if it has to."""

    def is_seen(move: Move) -> bool:
        match move:
            case TakePile():
                return False
            case TakeRow(slot):
                return known[row[slot]] > 0
            case Cast(card):
                return known[card] > 0
            case _:
                return True

    seen = [move for move in moves if is_seen(move)]
    active = [move for move in seen if not isinstance(move, TangleDone)]
    return luck.choice(active if active and luck.random() < 0.85 else seen or moves)


@pytest.mark.parametrize("number", GAMES)
def test_whatever_a_turn_reaches_is_within_the_bounds_before(number: int) -> None:
    for positions in random_turns(number):
        seat = positions[0].seat
        for later, state in enumerate(positions):
            reached = dict(counts_of(context_for(state, seat)))
            for before in positions[:later]:
                assert is_in_reach(before, seat, **reached), (before.turn, before.agenda)


REACHES: dict[str, tuple[str, dict[str, int] | None, dict[str, int] | None]] = {
    "a lake a placement is the most": ("place B5 LA", {"lakes": 1}, {"lakes": 2}),
    "a card in hand adds what it brings": ("give 0 spring_ghost; place B5 LA", {"lakes": 2}, None),
    "a card adds nothing if it can't be paid": (
        "give 0 spring_ghost; place B5 LA; stash 0 2 2 2 1",
        None,
        {"lakes": 2},
    ),
    "a gain on the way pays for a card": (
        "give 0 spring_ghost; front 0 mirror_pool; stash 0 0 0 0 0; place B5 LA",
        {"lakes": 2},
        None,
    ),
    "a gain that nothing brings pays for no card": (
        "give 0 spring_ghost; front 0 berry_year; stash 0 0 0 0 0; place B5 LA",
        None,
        {"lakes": 2},
    ),
    "no more cards are cast than roots are at home": (
        "give 0 thorn_toll light_step; place B5 N",
        {"enchantments": 1},
        {"enchantments": 2},
    ),
    "a new tree brings a root for a card": (
        "put 0 sapling B6; give 0 thorn_toll light_step; place B5 GR",
        {"trees": 3, "enchantments": 2},
        None,
    ),
    "a tree takes two growths of its seed": (
        "put 0 earth B6 seed=tree; place B5 GR",
        {"saplings": 1},
        {"trees": 3},
    ),
    "a card may bring the second growth": (
        "put 0 earth B6 seed=tree; place B5 GR; give 0 spring_rush; stash 0 2 2 2 3",
        {"trees": 3},
        None,
    ),
    "meadows need clean earth and tiles of the stack": (
        "put 0 earth B6 B7; stash 0 0 0 9 0; place B5 ME",
        {"meadows": 2},
        {"meadows": 3},
    ),
    "clean earth costs its distance": ("stash 0 0 1 0 0; place B5 CE", None, {"tiles": 4}),
    "clean earth costs what discounts leave": (
        "stash 0 0 1 0 0; place B5 CE; front 0 soft_loam",
        {"tiles": 5},
        None,
    ),
    "a root back home allows a card again": (
        "root 0 N; give 0 thorn_toll light_step roots_return; place B5 W",
        {"enchantments": 2},
        None,
    ),
    "a root that left after a card takes nothing away": (
        "put 0 earth B6; give 0 second_stride thorn_toll; stash 0 2 2 2 4; place B5 N;"
        "cast second_stride; place E9 ME",
        {"meadows": 1},
        None,
    ),
    "a further placement has no bound": ("give 0 second_stride; place B5 N", {"lakes": 5}, None),
}


@pytest.mark.parametrize(("script", "reached", "beyond"), REACHES.values(), ids=REACHES)
def test_the_bounds_of_a_turn(
    script: str, reached: dict[str, int] | None, beyond: dict[str, int] | None
) -> None:
    state = prepare(script)

    assert reached is None or is_in_reach(state, 0, **reached)
    assert beyond is None or not is_in_reach(state, 0, **beyond)


def test_only_conditions_in_reach_are_estimated_with_the_row_and_the_last_round() -> None:
    state = begin()
    stash(state, 0, 0, 2, 0, 0)
    play(state, 0, "place B5 CE")
    context = context_for(state, 0)
    have, near, far = counts_of(context), cast(Counts, {"meadows": 1}), cast(Counts, {"tiles": 4})

    assert shortfall_in_reach(context, state.agenda, [near, far], have) == 2
    assert shortfall_in_reach(context, state.agenda, [near], have) is None

    state = begin(cards=["spring_ghost"], hands=False)
    state.row = ["spring_ghost", *state.row[1:]]
    play(state, 0, "place B5 EN")

    assert is_in_reach(state, 0, lakes=1)

    state = begin(round_limit=30)
    state.round = 30
    give(state, 0, "thorn_toll")
    play(state, 0, "place B5 N")

    assert is_in_reach(state, 0, lakes=5)
