"""The puzzles of all games: each is sound, fair and the same in every process."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engines.analysis import puzzle_making
from engines.analysis.puzzles import PLAYERS, TRIES, Puzzle, PuzzleCandidate, PuzzleGame, write
from engines.game import Strength
from engines.marks import to_plain
from engines.registry import SLUGS, move_names, puzzles
from engines.ribbon.moves import RibbonEndTurn
from engines.tangle.legal.context import shortfall
from engines.tangle.pieces.components import CARDS, CONDITIONS
from engines.tanglewood.game import votes_with_regions
from engines.tanglewood.moves import TanglewoodDraw
from engines.tangram.moves import Decline, DeclineFountain, TangramDone
from engines.tesla.moves import TeslaEndTurn
from engines.words import SEAT_COLOURS
from tests.often import often

EVERY, REDEALS = often(10, 1), often(3, 50)
"""The puzzles that are tried, and the redeals of each."""
GAMES = [slug for slug in SLUGS if puzzles(slug) is not None]


@cache
def offer_of(slug: str) -> PuzzleGame:
    result = puzzles(slug)
    assert result is not None
    return result


def first_puzzle(slug: str, kind: str | None = None) -> Puzzle:
    return next(one for one in offer_of(slug).puzzles if kind in (None, one.kind))


every_game = pytest.mark.parametrize("slug", GAMES)


def test_every_game_offers_puzzles() -> None:
    assert sorted(GAMES) == ["ribbon", "tangle", "tanglewood", "tangram", "tesla"]


@every_game
def test_a_game_has_many_puzzles_each_once_with_its_difficulty_in_tries(slug: str) -> None:
    ids = [one.id for one in offer_of(slug).puzzles]

    assert len(ids) >= 200
    assert len(set(ids)) == len(ids)

    for puzzle in offer_of(slug).puzzles:
        assert len(puzzle.found_by) == len(PLAYERS)
        assert all(0 <= found <= TRIES for found in puzzle.found_by)


@every_game
def test_a_solution_is_legal_and_reaches_the_aim_whatever_is_hidden(slug: str) -> None:
    offer = offer_of(slug)

    for puzzle in offer.puzzles[::EVERY]:
        assert puzzle_making.is_sound(offer, puzzle, REDEALS, Random(7)), puzzle.id


@every_game
def test_half_a_solution_is_none(slug: str) -> None:
    offer = offer_of(slug)

    for puzzle in offer.puzzles[::EVERY]:
        for length in range(len(puzzle.solution)):
            short = msgspec.structs.replace(puzzle, solution=puzzle.solution[:length])
            assert not puzzle_making.solves(offer, short, offer.start(puzzle, Random(7)), Random(7)), (
                puzzle.id
            )


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug != "tangle"])
def test_doing_nothing_solves_no_puzzle(slug: str) -> None:
    """Tangle has no such turn: a root must be moved."""
    offer = offer_of(slug)

    for puzzle in offer.puzzles[::EVERY]:
        state = do_nothing(offer, puzzle)
        assert not offer.is_solved(puzzle, state), puzzle.id


def do_nothing(offer: PuzzleGame, puzzle: Puzzle) -> Any:
    state, seat, made = offer.start(puzzle, Random(7)), puzzle.seat, list[object]()
    while not offer.is_over(puzzle, state):
        idle = [move for move in offer.rules.moves(state, seat) if is_idle(move)]
        # An answer can be given again until the round ends.
        made.append(next((move for move in idle if move not in made), idle[0]))
        offer.rules.play(state, seat, made[-1])
    return state


def is_idle(move: object) -> bool:
    ends = TeslaEndTurn | RibbonEndTurn | Decline | TangramDone | DeclineFountain
    return isinstance(move, ends) or move == TanglewoodDraw()


@every_game
def test_a_view_holds_nothing_hidden(slug: str) -> None:
    offer = offer_of(slug)

    for puzzle in offer.puzzles[::EVERY]:
        state = offer.start(puzzle, Random(7))
        other = offer.rules.resample_hidden(state, puzzle.seat, Random(8))
        assert puzzle.view.viewer == puzzle.seat
        for dealt in (state, other):
            assert encode(offer.rules.view(dealt, puzzle.seat)) == encode(puzzle.view), puzzle.id


def encode(view: msgspec.Struct) -> bytes:
    return msgspec.json.encode(view)


@every_game
def test_a_puzzle_is_told_in_sentences(slug: str) -> None:
    offer, names = offer_of(slug), move_names(slug)

    for puzzle in offer.puzzles[::EVERY]:
        given = offer.describe_given(puzzle, puzzle.view)
        texts = [offer.task(puzzle), offer.reason(puzzle), offer.reason(puzzle, ["Ann"] * puzzle.seats)]
        assert 10 < len(to_plain(given)) <= 350
        for text in map(to_plain, texts):
            assert text[0].isupper()
            assert text.endswith(".")
            assert len(text) <= 600
        for step in offer.steps(puzzle):
            assert names.move_name(step.move, step.before, ["Ann"] * puzzle.seats)


@every_game
def test_a_file_is_read_as_it_was_written(slug: str, tmp_path: Path) -> None:
    offer, file = offer_of(slug), tmp_path / "puzzles"
    file.write_bytes(write(offer.puzzles[::EVERY]))

    assert offer.file.stat().st_size < 500_000
    assert tuple(offer.read(file)) == offer.puzzles[::EVERY]


def test_a_position_and_its_aim_always_have_the_same_id() -> None:
    offer, puzzle = offer_of("tesla"), first_puzzle("tesla")

    again = puzzle_making.make_puzzle(offer, puzzle.view, puzzle.seat, PuzzleCandidate(puzzle.solution))
    other = puzzle_making.make_puzzle(
        offer, puzzle.view, puzzle.seat, PuzzleCandidate(puzzle.solution, target=3)
    )

    assert again.id == puzzle.id != other.id


def test_puzzles_that_chance_solves_or_unsound_ones_go_and_those_easy_ones_find_need_room() -> None:
    offer, puzzle = offer_of("tangram"), first_puzzle("tangram")
    trivial = msgspec.structs.replace(puzzle, target=0)

    assert puzzle_making.can_solve(offer, trivial, Random(1), None)
    assert puzzle_making.judge(offer, trivial, room_for_easy=True) is None
    unsound = msgspec.structs.replace(puzzle, target=99)
    assert puzzle_making.judge(offer, unsound, room_for_easy=True) is None

    offer = offer_of("ribbon")
    easy = next(one for one in offer.puzzles if one.found_by[0] == TRIES)

    assert puzzle_making.judge(offer, easy, room_for_easy=True) == easy
    assert puzzle_making.judge(offer, easy, room_for_easy=False) is None


@pytest.mark.essential
def test_the_same_seed_makes_the_same_puzzles() -> None:
    offer = offer_of("ribbon")
    played: list[int] = []

    first = list(puzzle_making.make_puzzles(offer, "a seed", 14, 3, played.append))

    assert first == list(puzzle_making.make_puzzles(offer, "a seed", 14, 3, played.append))
    assert first
    assert first != list(puzzle_making.make_puzzles(offer, "another seed", 14, 3, played.append))


def test_the_difficulties_are_a_table() -> None:
    puzzle = first_puzzle("ribbon")
    found = [msgspec.structs.replace(puzzle, found_by=numbers) for numbers in ((0, 2, 5), (3, 5, 5))]

    assert puzzle_making.difficulty_table(found).splitlines()[2:] == [
        "| easy | 1 | 0 | 1 | 0 |",
        "| medium | 0 | 1 | 0 | 1 |",
        "| strong | 0 | 0 | 0 | 2 |",
    ]
    assert [one.difficulty for one in found] == [Strength.STRONG, Strength.EASY]


@every_game
def test_a_miss_says_in_a_sentence_what_lacks(slug: str) -> None:
    offer = offer_of(slug)

    for puzzle in offer.puzzles[::EVERY]:
        state, luck = offer.start(puzzle, Random(7)), Random(puzzle.id)
        while not offer.is_over(puzzle, state) and puzzle.seat in offer.rules.prompts(state):
            offer.rules.play(state, puzzle.seat, luck.choice(list(offer.rules.moves(state, puzzle.seat))))
        if offer.is_solved(puzzle, state):
            continue
        text = to_plain(offer.describe_miss(puzzle, state, ["Ann"] * puzzle.seats))
        assert text[0].isupper()
        assert text.endswith(".")
        assert len(text) <= 250


def test_tesla_gives_everybodys_points_and_what_wins() -> None:
    offer = offer_of("tesla")
    puzzle = next(one for one in offer.puzzles if one.seats == 3 and not one.view.out)
    scores = [str(score).replace("-", "−") for score in puzzle.view.scores]

    text = to_plain(offer.describe_given(puzzle, puzzle.view, ["Ann", "Bo", "Cy"]))

    assert text.startswith(f"You ({SEAT_COLOURS[puzzle.seat]}) have {scores[puzzle.seat]}")
    assert all(score in text for score in scores)
    assert text.endswith("You win at 50 points, or when all others are 50 points behind.")


def test_tangle_gives_what_each_condition_lacks_and_the_cards() -> None:
    offer, puzzle = offer_of("tangle"), first_puzzle("tangle")

    *conditions, cards = offer.describe_given(puzzle, puzzle.view).splitlines()

    assert len(conditions) == len(puzzle.view.conditions)
    assert all(
        CONDITIONS[one].name in line for one, line in zip(puzzle.view.conditions, conditions, strict=True)
    )
    assert all(CARDS[card].name in cards for card in puzzle.view.hand)


def test_tanglewood_gives_votes_in_the_unit_of_the_task() -> None:
    offer, puzzle = offer_of("tanglewood"), first_puzzle("tanglewood")
    total = votes_with_regions(puzzle.view, puzzle.seat)

    text = to_plain(offer.describe_given(puzzle, puzzle.view))

    assert text.startswith(f"You ({SEAT_COLOURS[puzzle.seat]}) have {puzzle.view.votes[puzzle.seat]} votes.")
    assert text.endswith(f"{total} in all.")


@pytest.mark.parametrize("kind", ["round", "last"])
def test_tangram_gives_what_the_city_would_score_as_it_is(kind: str) -> None:
    offer, puzzle = offer_of("tangram"), first_puzzle("tangram", kind)

    state = do_nothing(offer, puzzle)

    scored = state.scores[puzzle.seat] - puzzle.view.scores[puzzle.seat]
    assert f"would score {scored} points" in offer.describe_given(puzzle, puzzle.view)


def test_ribbon_gives_the_next_hand_where_two_turns_count() -> None:
    offer = offer_of("ribbon")
    puzzle = next(one for one in offer.puzzles if one.target == 2)
    hands, used = puzzle.view.hands, puzzle.view.hand_in_use

    text = to_plain(offer.describe_given(puzzle, puzzle.view))

    assert text.startswith("You play alone")
    assert text.endswith(
        f"{' '.join(hands[used])}, and next turn {' '.join(hands[(used + 1) % len(hands)])}."
    )


def test_a_forced_move_of_a_solution_is_known() -> None:
    puzzle = next(one for one in offer_of("ribbon").puzzles if len(one.solution) == 3 and one.kind == "clean")

    steps = offer_of("ribbon").steps(puzzle)

    assert [step.is_forced for step in steps] == [False, False, True]


def test_tangle_asks_for_a_condition_that_still_lacks_something() -> None:
    offer, puzzle = offer_of("tangle"), first_puzzle("tangle")
    lacks = shortfall(puzzle.view, puzzle.seat, puzzle.view.conditions)

    state = offer.start(puzzle, Random(1))
    assert puzzle_making.solves(offer, puzzle, state, Random(1))

    assert lacks > 0
    assert state.outcome.places[puzzle.seat] == 1


def test_ribbon_asks_for_a_win_of_a_game_that_is_played_alone() -> None:
    offer, puzzle = offer_of("ribbon"), first_puzzle("ribbon", "win")
    state = offer.start(puzzle, Random(1))

    assert puzzle_making.solves(offer, puzzle, state, Random(1))

    assert state.outcome.won
    assert state.turn < puzzle.view.turn + (puzzle.target or 0)


def test_tangram_asks_for_the_points_of_the_round() -> None:
    offer, puzzle = offer_of("tangram"), first_puzzle("tangram", "round")
    poor, good = (offer.start(puzzle, Random(1)) for _ in range(2))

    for move in (Decline(puzzle.view.current[0]), DeclineFountain()):
        offer.rules.play(poor, puzzle.seat, move)
    solved = puzzle_making.solves(offer, puzzle, good, Random(1))

    assert offer.is_over(puzzle, poor)
    assert not offer.is_solved(puzzle, poor)
    assert solved
    assert good.scores[0] - puzzle.view.scores[0] == puzzle.target


def test_tanglewood_asks_for_the_most_votes_of_the_turn() -> None:
    offer, puzzle = offer_of("tanglewood"), first_puzzle("tanglewood")
    idle, good = (offer.start(puzzle, Random(1)) for _ in range(2))

    offer.rules.play(idle, puzzle.seat, TanglewoodDraw())
    solved = puzzle_making.solves(offer, puzzle, good, Random(1))

    assert offer.is_over(puzzle, idle)
    assert not offer.is_solved(puzzle, idle)
    assert solved
    assert votes_with_regions(good, puzzle.seat) == puzzle.target
    assert votes_with_regions(idle, puzzle.seat) < votes_with_regions(good, puzzle.seat)
