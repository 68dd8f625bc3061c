from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cogs.learning import course
from engines import engine
from engines.analysis.search import Playout, rank_candidates
from engines.game import ADVISED, Advice, Seat, Strength
from engines.registry import SLUGS, AnyGame, game
from engines.ribbon.preview import can_end_safely
from engines.tangle import decisions
from engines.tangle.computer import policy
from engines.tangle.computer.search import winning_move
from engines.tangle.legal.moves import choices as tangle_choices
from engines.tangle.truth.visibility import TangleTrial
from engines.tanglewood.computer.evaluation import is_idle
from engines.tanglewood.legal.moves import choices as tanglewood_choices
from engines.tangram.computer import PLENTY, answer, next_tile, rest_of
from engines.tangram.computer.evaluation import cover_of, rank_ways
from engines.tangram.computer.search import endings
from engines.tangram.moves import Decline
from engines.tangram.pieces.board import ONES, squares_touched
from engines.tangram.pieces.components import LAST_ROUND
from engines.tesla.computer import ONE_TILE
from engines.tesla.computer.planning import marker_moves
from engines.tesla.computer.search import winning_turn
from engines.tesla.legal.position import position_of
from engines.tesla.moves import Discard, Take, TeslaEndTurn
from tests.engines import golden
from tests.engines.tesla.test_computer import can_take, positions
from tests.often import often
from tests.strength.matches import MATCHES, MadeMove, play_game, play_moves

GAMES = {"ribbon": often(8, 20), "tesla": often(1, 2), "tangram": 2, "tanglewood": 2, "tangle": often(1, 2)}
WEAKER = [Strength.EASY, Strength.CASUAL]
weaker = pytest.mark.parametrize("strength", WEAKER)
weaker_tesla = pytest.mark.parametrize("strength", WEAKER, ids="{}@tesla".format)
"""Likewise, with tests of the same games in one process."""


def play_games(slug: str, strength: Strength) -> Iterator[MadeMove]:
    """Play some games between equals; yield each move that was a choice."""
    rules = game(slug)

    def choose(view: Any, seat: Seat, luck: Random) -> Any:
        return rules.choose(view, seat, luck, strength)

    for number in range(GAMES[slug]):
        yield from play_moves(slug, number, Random(number + 1), choose)


@cache
def tesla_moves(strength: Strength) -> list[MadeMove]:
    """Play games of Tesla's Tangle once for several tests."""
    return [made._replace(after=made.after.copy()) for made in play_games("tesla", strength)]


@weaker
def test_ribbon_never_goes_out_where_the_turn_can_end_clean(strength: Strength) -> None:
    for made in play_games("ribbon", strength):
        if can_end_safely(made.view):
            assert made.seat not in made.after.out


@weaker_tesla
def test_tesla_never_puts_itself_out(strength: Strength) -> None:
    for made in tesla_moves(strength):
        assert made.seat not in made.after.out


@pytest.mark.parametrize("strength", [*WEAKER, Strength.MEDIUM], ids="{}@tesla".format)
def test_tesla_ends_no_turn_with_nothing_done(strength: Strength) -> None:
    for made in tesla_moves(strength):
        assert made.view.acted or not isinstance(made.move, Discard | TeslaEndTurn)


@weaker_tesla
def test_tesla_takes_back_the_marker_that_gains_most(strength: Strength) -> None:
    taken = 0
    for made in tesla_moves(strength):
        if isinstance(made.move, Take):
            pairs = marker_moves(position_of(made.view), cashes=True)
            gains = [pair for pair in pairs if isinstance(pair[1], Take)]
            gain = next(gain for gain, move in gains if move == made.move)
            taken += 1
            assert gain == max(gains, key=lambda pair: pair[0])[0]
    assert taken


@weaker_tesla
def test_tesla_takes_a_win_that_one_tile_reaches(strength: Strength) -> None:
    for made in tesla_moves(strength):
        won = winning_turn(position_of(made.view), ONE_TILE)
        assert won is None or made.move == won[0]


@weaker
def test_tanglewood_makes_no_choice_without_effect(strength: Strength) -> None:
    for made in play_games("tanglewood", strength):
        if is_idle(made.view, made.seat, made.move):
            assert all(is_idle(made.view, made.seat, move) for move in tanglewood_choices(made.view))


@weaker
@pytest.mark.usefixtures("brief_thoughts")
def test_tangle_places_no_root_for_nothing(strength: Strength) -> None:
    rules, placed = game("tangle"), 0
    for made in play_games("tangle", strength):
        if not isinstance(made.view.decision, decisions.Placing):
            continue
        placed += 1
        trial = TangleTrial.of(made.view, Random(0))
        if policy.is_idle(trial, made.seat, made.move):
            won = winning_move(made.view, made.seat, Random(0), rules, TangleTrial)
            ways = policy.placements(tangle_choices(made.view))
            assert won is not None or all(policy.is_idle(trial, made.seat, move) for move in ways)
    assert placed


@pytest.mark.parametrize("strength", [*WEAKER, Strength.MEDIUM])
def test_tangram_sets_no_tile_aside_while_there_is_plenty_of_room(strength: Strength) -> None:
    for made in play_games("tangram", strength):
        if isinstance(made.move, Decline):
            city = made.view.without(made.move.tile)
            untouched = ONES & ~squares_touched(city.built)
            assert untouched.bit_count() < PLENTY or not rank_ways(cover_of(city), made.move.tile)


def test_tangram_gets_the_most_out_of_its_very_last_tile() -> None:
    lasts = 0
    for made in play_games("tangram", Strength.EASY):
        tile = next_tile(made.view, made.seat) if made.view.phase != "side" else None
        if tile is None or made.view.round != LAST_ROUND:
            continue
        rest = rest_of(made.view, made.seat, tile)
        if len(rest) == 1:
            lasts += 1
            _, best = endings(made.view.without(tile), rest)[0]
            assert made.move == answer(tile, best)
    assert lasts


def longest(slug: str) -> list[Path]:
    return sorted(golden.paths(slug), key=lambda path: (-path.stat().st_size, path.name))[: often(1, 2)]


FILES = [
    pytest.param(path, id=f"{slug}-{path.stem}-{slug}@advised") for slug in SLUGS for path in longest(slug)
]
LOOKS = often(2, 8)
"""The number of positions of a game on file at which somebody asks."""

ASKING = often(1, 9)
"""The seats to move that ask at a position."""

every_file = pytest.mark.parametrize("path", FILES)


def filed_positions(path: Path) -> Iterator[tuple[AnyGame, Any]]:
    """Yield positions of a filed game with each seat to move."""
    result = golden.load(path)
    rules, state = result.game, result.begin()
    every = max(1, len(result.entries) // LOOKS)
    for number, entry in enumerate(result.entries):
        if number % every == 0:
            yield rules, golden.type_value(golden.plain(state), rules.State)
        result.replay(state, entry)
    yield rules, state


def brings(rules: AnyGame, what: str) -> bool:
    return what in type(rules).__dict__


def get_advice(rules: AnyGame, state: Any, seat: int) -> list[Advice]:
    return _advise(rules.slug, msgspec.msgpack.encode(state), seat)


@cache
def _advise(slug: str, state: bytes, seat: int) -> list[Advice]:
    """Ask once. It takes long, and the tests of a game run in one process."""
    return engine.advise(slug, state, seat)


@every_file
def test_advice_is_legal_and_tells_some_different_choices(path: Path) -> None:
    asked = 0
    for rules, state in filed_positions(path):
        for seat in list(rules.prompts(state))[:ASKING]:
            advice = get_advice(rules, state, seat)

            assert 1 <= len(advice) <= ADVISED
            assert len({choice.moves for choice in advice}) == len(advice)
            for choice in advice:
                trial = golden.type_value(golden.plain(state), rules.State)
                for move in choice.moves:
                    rules.play(trial, seat, move)
            asked += len(advice) > 1
    assert asked or not brings(rules, "advice")


@every_file
def test_advice_is_the_same_whatever_the_seat_can_not_know(path: Path) -> None:
    for rules, state in filed_positions(path):
        for seat in list(rules.prompts(state))[: min(2, ASKING)]:
            unknown = rules.resample_hidden(
                golden.type_value(golden.plain(state), rules.State), seat, Random(5)
            )

            assert get_advice(rules, unknown, seat) == get_advice(rules, state, seat)


@every_file
def test_the_last_estimates_put_the_winner_first(path: Path) -> None:
    *_, (rules, state) = filed_positions(path)
    outcome, result = rules.outcome(state), golden.load(path)
    if outcome is None or outcome.won is not None or result.seats == 1:
        return
    last = {seat: rules.estimate(rules.view(state, seat), seat) for seat in range(result.seats)}
    known = {seat: worth for seat, worth in last.items() if worth is not None}
    if not known:
        return
    best = max(known, key=lambda seat: known[seat])

    assert outcome.places[best] == 1


def noisy(world: float, candidate: int, luck: Random) -> Playout:
    """Score a candidate, plus or minus the world and the luck."""
    return Playout(candidate + world + luck.gauss(0, 0.5), 1)


def test_the_same_luck_gives_the_same_order_with_dropped_items_last() -> None:
    one, two = (rank_candidates(range(9), Random.random, noisy, Random(3), 200) for _ in range(2))

    assert one == two

    pairs = rank_candidates(range(6), Random.random, noisy, Random(2), 600)

    assert sorted(one.candidate for one in pairs) == list(range(6))
    assert [one.candidate for one in pairs[:2]] == [5, 4]


def test_more_nodes_find_the_best_more_often() -> None:
    def found(budget: int) -> int:
        return sum(
            rank_candidates([1, 0, 2], Random.random, wild, Random(number), budget)[0].candidate == 2
            for number in range(60)
        )

    def wild(world: float, candidate: int, luck: Random) -> Playout:
        return Playout(candidate + Random(f"{luck.random()} {candidate}").gauss(0, 3), 1)

    assert found(400) > found(4) > 20


def test_all_are_tried_in_the_same_worlds_with_the_same_luck() -> None:
    seen: dict[int, list[tuple[float, float]]] = {one: [] for one in range(4)}

    def noted(world: float, candidate: int, luck: Random) -> Playout:
        seen[candidate].append((world, luck.random()))
        return Playout(candidate, 1)

    rank_candidates(range(4), Random.random, noted, Random(1), 40)

    longest = max(seen.values(), key=len)
    assert all(tried == longest[: len(tried)] for tried in seen.values())
    assert len(seen[3]) > len(seen[0])


@pytest.mark.parametrize("nodes", [1, 50])
def test_the_budget_counts_nodes(nodes: int) -> None:
    tried = 0

    def counted(world: float, candidate: int, luck: Random) -> Playout:
        nonlocal tried
        tried += 1
        return Playout(candidate, nodes)

    rank_candidates(range(8), Random.random, counted, Random(1), 600)

    assert 600 <= tried * nodes <= 600 + 3 * 8 * nodes


def test_a_single_candidate_needs_no_world_and_early_thinking_counts_as_one() -> None:
    def never(luck: Random) -> float:
        raise AssertionError

    assert [
        one.candidate for one in rank_candidates(["only"], never, lambda *_: Playout(0, 1), Random(1), 10)
    ] == ["only"]

    def level(world: float, candidate: str, luck: Random) -> Playout:
        return Playout(0.0, 1)

    pairs = rank_candidates(["a", "b"], Random.random, level, Random(1), 1, prior=[0.0, 4.0])

    assert [(one.candidate, one.value) for one in pairs] == [("b", 2.0), ("a", 0.0)]


MATCHES_EACH = {"ribbon": 30, "tesla": 6, "tangram": 8, "tanglewood": 6, "tangle": 6}
"""The number of games of each kind."""


def wins(slug: str, player: str, against: str) -> float:
    """Return a player's wins against another one at all other seats.

    The player takes one seat after another.
    """
    match = msgspec.structs.replace(MATCHES[slug], player=player, against=against)
    return sum(play_game(match, number).won for number in range(MATCHES_EACH[slug]))


@pytest.mark.thorough
@pytest.mark.parametrize("slug", MATCHES_EACH)
def test_the_easy_one_loses_to_the_medium_one(slug: str) -> None:
    assert wins(slug, Strength.MEDIUM, Strength.EASY) >= 0.66 * MATCHES_EACH[slug]


@pytest.mark.thorough
@pytest.mark.parametrize("slug", MATCHES_EACH)
def test_the_casual_one_is_between_them(slug: str) -> None:
    assert wins(slug, Strength.CASUAL, Strength.EASY) >= MATCHES_EACH[slug] / MATCHES[slug].seats
    assert wins(slug, Strength.MEDIUM, Strength.CASUAL) >= MATCHES_EACH[slug] / MATCHES[slug].seats


@pytest.mark.thorough
@pytest.mark.parametrize("slug", MATCHES_EACH)
def test_the_strong_one_holds_its_own_against_the_medium_one(slug: str) -> None:
    assert wins(slug, Strength.STRONG, Strength.MEDIUM) >= MATCHES_EACH[slug] / MATCHES[slug].seats


FIRST_TURNS = 8
PLAYS = often([1], range(12))
"""The plays of a lesson; in every other one the learner is easy, and may lose."""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_lesson_lasts_its_first_turns_unless_the_learner_blunders(slug: str) -> None:
    rules, table = game(slug), course(slug).learn
    assert table is not None
    options = rules.settle(table.seats, msgspec.convert(table.options, rules.Options))
    seed = bytes.fromhex(table.seed)

    def turn_of(state: Any) -> int:
        return rules.turn_at(rules.post_counter(state), table.seats, options) or 0

    for play in PLAYS:
        learner = Strength.MEDIUM if play % 2 else Strength.EASY
        state = rules.begin(table.seats, options, rules.deal(table.seats, options, seed), seed)
        while (turn := turn_of(state)) < FIRST_TURNS and (owing := rules.prompts(state)):
            seat = next(iter(owing))
            luck = Random(msgspec.msgpack.encode((play, turn)))
            if seat == 0:
                move = rules.choose(rules.view(state, seat), seat, luck, learner)
            else:
                encoded = msgspec.msgpack.encode(state)
                entropy = sha256(bytes([play]) + encoded).digest()
                move = engine.teach(slug, encoded, seat, entropy)
            rules.play(state, seat, move)
            assert rules.prompts(state) or (seat == 0 and learner is Strength.EASY)


def test_a_lesson_plays_the_easy_players_move_where_nothing_ends() -> None:
    rules = game("tesla")
    options = rules.settle(2, rules.Options())
    state = rules.begin(2, options, rules.deal(2, options, b"any"), b"any")
    seat = next(iter(rules.prompts(state)))

    for number in range(3):
        entropy = bytes([number])
        easy = rules.choose(rules.view(state, seat), seat, Random(entropy), Strength.EASY)
        assert engine.teach("tesla", msgspec.msgpack.encode(state), seat, entropy) == easy


def test_a_lesson_passes_a_turn_that_wins() -> None:
    rules = game("tesla")
    state = next(near for near in positions() if can_take(near, near.seat))
    easy = rules.choose(rules.view(state, state.seat), state.seat, Random(b""), Strength.EASY)
    won = state.copy()
    rules.play(won, state.seat, easy)
    assert not rules.prompts(won)

    move = engine.teach("tesla", msgspec.msgpack.encode(state), state.seat, b"")

    rules.play(state, state.seat, move)
    assert rules.prompts(state)
