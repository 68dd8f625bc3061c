from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Seat, Strength
from engines.tangle import GAME
from engines.tangle.decisions import Casting, Decision, DrawingCards, Growing, Placing, Toll, Upkeep
from engines.tangle.legal.context import board_of, context_of, counts, largest_group
from engines.tangle.legal.moves import choices, decision_at, obstacle, offers
from engines.tangle.legal.resources import shares
from engines.tangle.moves import (
    Cast,
    DropRest,
    Event,
    Fed,
    Gained,
    Harvested,
    Move,
    PileShuffled,
    RowFilled,
    SawCard,
    TanglePlace,
    TangleTurnEnded,
    TollPaid,
    Took,
)
from engines.tangle.pieces import components
from engines.tangle.pieces.board import STACK_OF, STACKS, TangleTile, board
from engines.tangle.truth.state import TangleState, owing
from engines.tangle.view import TanglePublic
from engines.tangle.words.nouns import DOES
from tests.engines.tangle.arrange import begin, change, front, give, legal, put, stash
from tests.often import often
from tests.thinking import choose_briefly

SEATS = st.integers(2, 4)
every_number_of_seats = pytest.mark.parametrize("seats", [2, 3, 4], ids="{}@seats".format)
"""Keeps tests of the same games in one process."""
with_three, with_four = (pytest.mark.parametrize("seats", [seats], ids="{}@seats".format) for seats in (3, 4))
"""Likewise, for tests that one number of seats is enough for."""
some = settings(max_examples=often(4, 16), deadline=None, database=None)
BOARDS: list[dict[str, Any]] = [
    {},
    {"centre": "sacrifice"},
    {"centre": "hibernate", "exchange": (("SP", "takeover"),)},
    {"centre": "takeover", "exchange": (("S1", "sacrifice"), ("SB", "hibernate"))},
]


def walk(
    seats: int, number: int, leave: float = 0.0, care: float = 0.5, **options: Any
) -> Iterator[tuple[TangleState, list[Event]]]:
    """Yield each move's state and events; `care` is the sensible share."""
    rng, seed = Random(number), number.to_bytes(4, "big")
    chosen = GAME.settle(seats, components.TangleOptions(**options))
    state = GAME.begin(seats, chosen, GAME.deal(seats, chosen, seed), seed)
    yield state, []
    while prompts := GAME.prompts(state):
        seat = rng.choice(list(prompts))
        if rng.random() < leave:
            yield state, GAME.resign(state, seat)
        elif rng.random() < care:
            move = choose_briefly(GAME, GAME.view(state, seat), seat, rng, Strength.MEDIUM)
            yield state, GAME.play(state, seat, move)
        else:
            yield state, GAME.play(state, seat, rng.choice(legal(state, seat)))


@cache
def positions(seats: int) -> tuple[TangleState, ...]:
    """Return positions of games on different boards, with and without leaving."""
    return tuple(
        state.copy()
        for number, options in enumerate(BOARDS[: often(1, 4)])
        if seats > 2 or "exchange" not in options
        for state, _ in walk(seats, number, leave=0.004 * (number % 2), **options)
    )


@every_number_of_seats
def test_the_board_is_the_lattice(seats: int) -> None:
    land = board(seats)
    assert list(land.areas) == in_play(seats)
    for code in land.areas:
        assert list(land.among(land.borders[code])) == plain_borders(code, seats)
        assert land.corners[code] == len(plain_corners(code, seats))
        assert set(components.AREAS[code].borders) & set(land.areas) == set(plain_borders(code, seats))
    for space in land.spaces:
        assert len(land.beside[space]) == 6
        assert list(land.beside[space]) == [
            code for code in land.areas if space in plain_corners(code, seats)
        ]


@given(SEATS, st.data())
@some
def test_distances_and_groups_are_what_their_definitions_say(seats: int, data: st.DataObject) -> None:
    land = board(seats)
    own = data.draw(st.sets(st.sampled_from(land.areas), min_size=1, max_size=25))
    for code in data.draw(st.lists(st.sampled_from(land.areas), max_size=6)):
        assert land.distance(code, land.mask(own)) == plain_distance(code, own, seats)
    assert set(land.among(land.mask(own))) == own
    assert land.largest_group(land.mask(own)) == largest_group(own) == plain_group(own, seats)
    around = {near for code in own for near in plain_borders(code, seats)}
    assert set(land.among(land.around(land.mask(own)))) == around


@every_number_of_seats
def test_a_space_feeds_exactly_where_the_arrows_point(seats: int) -> None:
    land = board(seats)
    for space in land.spaces:
        arrows = {to: facts.arrows[space] for to, facts in components.SPACES.items() if space in facts.arrows}
        assert dict(land.feeds[space]) == {to: kind for to, kind in arrows.items() if to in land.spaces}
    exchanged = board(4, (("S1", "sacrifice"),))
    assert "S1" not in exchanged.start
    assert all(to != "S1" for feeds in exchanged.feeds.values() for to, _ in feeds)


@every_number_of_seats
def test_tiles_roots_seeds_and_cards_are_conserved(seats: int) -> None:
    for state in positions(seats):
        players, tiles = state.players, state.tiles
        for seat, player in enumerate(players):
            own = [tile for tile in tiles.values() if tile.owner == seat]
            lying = Counter(STACK_OF[tile.kind] for tile in own)
            assert [lying[stack] + left for stack, left in zip(STACKS, player.tiles, strict=True)] == [
                10,
                5,
                5,
                5,
            ]
            abroad = sum(stack.count(seat) for stack in state.roots.values())
            assert player.roots + abroad + sum(tile.roots for tile in own) == components.SUPPLY.roots
            assert player.held == len(state.hands[seat])
        for number, seed in enumerate(("bush", "tree")):
            planted = sum(tile.seed == seed for tile in tiles.values())
            assert state.seeds[number] + planted + sum(player.seeds[number] for player in players) == 10
        fronts = [card for player in players for card in player.front]
        held = [card for hand in state.hands for card in hand]
        assert sorted([*fronts, *held, *state.pile, *state.row, *state.discards]) == sorted(
            components.ALL_CARDS
        )
        assert sorted([*sum(state.conditions, ()), *state.box]) == sorted(components.CONDITIONS)


@every_number_of_seats
def test_nothing_ever_falls_below_zero(seats: int) -> None:
    bottom = board(seats).bottom
    for state in positions(seats):
        for player in state.players:
            assert min(*player.stash, *player.seeds, *player.tiles, player.roots) >= 0
        assert min(map(min, state.resources.values())) >= 0
        assert min(*state.seeds, state.reserve, state.extra, state.changes, state.offered) >= 0
        assert all(0 <= left <= bottom for left in state.trackers)
        for tile in state.tiles.values():
            assert not tile.cubes or tile.kind in ("bush", "meadow")
            assert not tile.roots or tile.kind == "tree"
            assert tile.seed is None or tile.kind == "earth"
        assert all(state.roots.values())


@every_number_of_seats
def test_the_reserve_equals_the_debt_and_only_what_leaves_a_choice_is_asked(seats: int) -> None:
    for state in positions(seats):
        due = [count for decision in state.agenda if isinstance(decision, Toll) for _, count in decision.due]
        assert state.reserve == sum(due)
        assert components.size(state.players[state.seat].stash) >= state.reserve
    for state in positions(seats):
        for seat in owing(state):
            asked: Decision | None = state.decision
            if not isinstance(asked, Placing | Casting):
                assert len(legal(state, seat)) > 1
            if isinstance(asked, Upkeep):
                assert DropRest() in legal(state, seat)
                assert len(asked.items[seat]) > asked.free[seat]


@every_number_of_seats
def test_a_view_asks_for_the_same_moves_as_the_truth(seats: int) -> None:
    for state in positions(seats)[::2]:
        for seat in range(seats):
            view = GAME.view(state, seat)
            assert choices(view) == legal(state, seat)
        assert choices(GAME.view(state, None)) == []


@every_number_of_seats
def test_an_action_asks_something_just_where_nothing_is_in_its_way(seats: int) -> None:
    rng = Random(seats)
    for state in positions(seats):
        if not isinstance(state.decision, Placing):
            continue
        view, seat = GAME.view(state, state.seat), state.seat
        context = context_of(view)
        ends = {move.to: move for move in legal(state, seat) if isinstance(move, TanglePlace)}
        for move in rng.sample(list(ends.values()), 4):
            asked = decision_at(context, context.board.spaces.get(move.to, ""))
            if asked is None or isinstance(asked, DrawingCards):
                continue
            other = state.copy()
            GAME.play(other, seat, move)
            feeds = isinstance(asked, Growing) and asked.contained and context.own_of("bush")
            asks = isinstance(other.decision, type(asked))
            assert asks == (obstacle(view, move) is None) or feeds


@pytest.mark.parametrize("number", range(often(2, 12)))
def test_every_tile_that_a_turn_changes_is_marked(number: int) -> None:
    begun: dict[str, TangleTile] | None = None
    for state, events in walk(2 + number % 3, number, **BOARDS[number % 2]):
        ended = any(isinstance(event, TangleTurnEnded) for event in events)
        marked = {*state.changed.areas, *(state.before.areas if ended else ())}
        if begun is not None:
            assert {area for area in components.AREAS if state.tiles.get(area) != begun.get(area)} <= marked
        if ended or begun is None:
            begun = dict(state.tiles)


@with_four
def test_every_price_that_is_named_is_what_is_paid(seats: int) -> None:
    for state in positions(seats)[::5]:
        for seat in owing(state):
            for move, price in offers(GAME.view(state, seat)):
                assert components.covers(state.players[seat].stash, price), move


def test_a_beat_grows_with_every_turn_and_whenever_somebody_owes_who_did_not() -> None:
    walked = [(GAME.post_counter(state), state.turn, owing(state)) for state, _ in walk(3, 8)]
    assert any(len(owed) > 1 for _, _, owed in walked)
    for (beat, turn, owed), (later, then, owed_then) in pairwise(walked):
        assert later >= beat + (then - turn)
        assert later > beat or not set(owed_then) - set(owed)


@given(st.integers(0, 12), st.tuples(*[st.integers(0, 6)] * 4))
@some
def test_ways_and_shares_are_all_there_are(count: int, most: tuple[int, int, int, int]) -> None:
    entries = list(components.ways(count, most))
    assert len(set(entries)) == len(entries)
    assert all(components.size(way) == count and components.covers(most, way) for way in entries)
    parts = [range(limit + 1) for limit in most]
    every = [(w, e, n, m) for w in parts[0] for e in parts[1] for n in parts[2] for m in parts[3]]
    assert len(entries) == sum(sum(way) == count for way in every)
    three = list(shares(count, most[:3]))
    assert sorted(three) == sorted({way[:3] for way in every if sum(way[:3]) == count})


@with_three
def test_numbers_are_those_of_the_tiles(seats: int) -> None:
    for state in positions(seats)[::5]:
        for seat, player in enumerate(state.players):
            own = [tile.kind for tile in state.tiles.values() if tile.owner == seat]
            ghosts = Counter(card.split("_")[0] for card in player.front if card.endswith("ghost"))
            numbers = counts(state.tiles, player.front, seat)
            assert numbers["trees"] == own.count("tree") + ghosts["tree"]
            assert numbers["lakes"] == own.count("lake") + ghosts["spring"]
            assert numbers["tiles"] == len(own)
            assert numbers["enchantments"] == len(player.front)


def in_play(seats: int) -> list[components.AreaCode]:
    return [code for code, area in components.AREAS.items() if area.section <= seats]


def edges(code: components.AreaCode) -> set[frozenset[tuple[int, int]]]:
    """Return the three sides of a triangle, each as its two ends."""
    area = components.AREAS[code]
    if area.up:
        corners = [(area.x, area.y), (area.x - 1, area.y + 1), (area.x + 1, area.y + 1)]
    else:
        corners = [(area.x - 1, area.y), (area.x + 1, area.y), (area.x, area.y + 1)]
    return {
        frozenset(side)
        for side in ((corners[0], corners[1]), (corners[1], corners[2]), (corners[0], corners[2]))
    }


def plain_borders(code: components.AreaCode, seats: int) -> list[components.AreaCode]:
    return [other for other in in_play(seats) if other != code and edges(code) & edges(other)]


def plain_corners(code: components.AreaCode, seats: int) -> list[components.SpaceCode]:
    points = {point for edge in edges(code) for point in edge}
    return [
        space.code
        for space in components.SPACES.values()
        if space.section <= seats and (space.x, space.y) in points
    ]


def plain_distance(start: components.AreaCode, goals: Collection[components.AreaCode], seats: int) -> int:
    reached, steps = {start}, 0
    while not reached & set(goals):
        reached |= {near for code in reached for near in plain_borders(code, seats)}
        steps += 1
    return steps


def plain_group(own: Collection[components.AreaCode], seats: int) -> int:
    """Return the most connected areas, by growing groups."""
    most = 0
    for start in own:
        group = {start}
        while True:
            grown = group | {near for code in group for near in plain_borders(code, seats) if near in own}
            if grown == group:
                break
            group = grown
        most = max(most, len(group))
    return most


UNSEEN = (SawCard, RowFilled, PileShuffled)
MOVES, TRIES = 6, 5
"""The moves to try at each position, and the ways to play on after a card."""


def open_facts(position: TanglePublic) -> dict[str, object]:
    """Return the open facts that don't depend on unseen cards."""
    facts = position.public_fields()
    return {name: fact for name, fact in facts.items() if name not in ("row", "discards")}


def check(state: TangleState, seat: Seat, move: Move) -> None:
    view = GAME.view(state, seat)
    after, ahead = GAME.foresee(view, seat, [move]), GAME.preview(view, seat, move)
    played = state.copy()
    events = GAME.play(played, seat, move)
    if (played.turn, played.phase) == (state.turn, "play") and not isinstance(state.decision, Upkeep):
        seen = not any(isinstance(event, UNSEEN) for event in events)
        assert open_facts(after) == open_facts(played)
        assert after.decision == played.decision or not seen
        if seen:
            assert after.row == played.row
            assert after.discards == played.discards
            assert after.hand == tuple(played.hands[seat])
    if ahead is not None:
        check_placement(ahead, seat, events, played)


def check_placement(ahead: Any, seat: Seat, events: Sequence[Event], played: TangleState) -> None:
    brought = [event.gained for event in events if isinstance(event, Harvested | Took) and event.seat == seat]
    gained = [event for event in events if isinstance(event, Gained)]
    fed = [event for event in events if isinstance(event, Fed)]
    paid = sum(components.size(event.paid) for event in events if isinstance(event, TollPaid))
    assert ahead.gained == components.total(
        [*brought, *(event.amount for event in gained if event.seat == seat)]
    )
    assert list(ahead.gifts) == gained
    assert (ahead.fed, ahead.tiles) == ((fed[0].spaces, fed[0].tiles) if fed else ((), ()))
    assert sum(count for _, count in ahead.toll) == paid + played.reserve


@every_number_of_seats
def test_a_preview_comes_true_in_random_games(seats: int) -> None:
    rng = Random(seats)
    for state in positions(seats):
        for seat in GAME.prompts(state):
            moves = legal(state, seat)
            for move in rng.sample(moves, min(len(moves), MOVES)):
                check(state, seat, move)


def crowd(card: components.CardId, **options: Any) -> TangleState:
    """Arrange a card in front of two seats, roots everywhere, and land."""
    state = begin(4, **options)
    for seat in (0, 1)[: components.CARDS[card].copies]:
        front(state, seat, card)
    state.roots = dict.fromkeys(board_of(state).spaces, (1, 0, 2))
    put(state, 0, "meadow", "C6", "D9", cubes=2)
    put(state, 0, "bush", "C9", cubes=1)
    put(state, 0, "lake", "D8")
    put(state, 0, "earth", "C7", "D7")
    put(state, 0, "earth", "C8", seed="bush")
    put(state, 0, "earth", "D6", seed="tree")
    put(state, 0, "sapling", "C5")
    put(state, 1, "meadow", "E6", "D11", cubes=1)
    put(state, 1, "bush", "C11", "D5")
    change(state, 0, seeds=(1, 1))
    stash(state, 0, 5, 5, 5, 5)
    give(state, 0, "windfall" if card != "windfall" else "landslide")
    return state


@pytest.mark.parametrize("card", components.CARDS)
def test_a_preview_of_every_space_comes_true_with_every_card(card: components.CardId) -> None:
    rng, tried, spaces = Random(card), set[str](), set[str]()
    number = list(components.CARDS).index(card) % len(BOARDS[1:])
    for options in often(BOARDS[1:][number:][:1], BOARDS[1:]):
        state = crowd(card, **options)
        spaces |= set(board_of(state).spaces.values())
        for move in legal(state, 0):
            check(state, 0, move)
            if isinstance(move, TanglePlace) and move.to in components.SPACES:
                tried.add(board_of(state).spaces[move.to])
                if rng.random() < often(0.04, 1):
                    play_on(state, move, rng)
    assert tried == spaces - {""}
    assert spaces <= DOES.keys()


@pytest.mark.parametrize("card", components.CARDS)
def test_a_preview_of_every_card_that_is_cast_comes_true(card: components.CardId) -> None:
    state, rng = crowd("old_lore" if card == "quiet_chant" else "quiet_chant"), Random(card)
    give(state, 0, card)
    state.agenda = [Casting()]

    check(state, 0, Cast(card))
    for _ in range(TRIES):
        play_on(state, Cast(card), rng)


def play_on(state: TangleState, move: Move, rng: Random) -> None:
    """Play a move and random ones, and check the preview of each."""
    other = state.copy()
    GAME.play(other, 0, move)
    while other.turn == state.turn and GAME.prompts(other) and min(GAME.prompts(other)) == 0:
        moves = legal(other, 0)
        made = rng.choice(moves)
        check(other, 0, made)
        GAME.play(other, 0, made)
