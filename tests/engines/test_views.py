from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cogs.ui.text import to_label
from engines.game import BoardChange, is_quiet
from engines.game import Game as Contract
from engines.marks import to_speech
from engines.registry import SLUGS, game, move_names
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from engines.ribbon.words.board import describe_changes
from engines.tangle.moves import TakeRow
from tests.engines import golden
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import Played, decode_state, fresh, play_shared_games, walk
from tests.engines.ribbon.arrange import read
from tests.engines.ribbon.games import NEARLY
from tests.engines.test_conformance import NAMES, PLAYED_CASES, READ_ALOUD, as_bytes
from tests.often import often

MARKING = [slug for slug in (case.slug for case in CASES) if type(game(slug)).since is not Contract.since]
LOOK_AGAIN = 34
BUSY = {"ribbon": 4, "tangle": 4, "tesla": 9}
"""A turn of each game after two turns that changed something."""


def looks(case: GameCase) -> tuple[Any, Any, int]:
    """Return a seat's first and later view, and the seats' number."""
    table = case.usual_tables[0]
    state = fresh(case.game, table, b"since")
    earlier = case.game.view(state, 0)
    for number, (reached, _) in enumerate(walk(case.game, table, b"since", 1.0)):
        state = reached
        if number == LOOK_AGAIN:
            break
    return earlier, case.game.view(state, 0), table.seats


@pytest.mark.parametrize("case", [case for case in CASES if case.slug in MARKING], ids=lambda case: case.slug)
def test_a_picture_marks_what_is_different_since_an_earlier_look(case: GameCase) -> None:
    earlier, now, seats = looks(case)
    before = as_bytes(now), as_bytes(earlier)
    board = import_module(f"render.{case.slug}").board

    all_of_it, nothing = case.game.since(now, [earlier]), case.game.since(now, [now])

    pictures = {board(view, NAMES[:seats]).png for view in (all_of_it, nothing)}
    assert len(pictures) == 2
    assert (as_bytes(now), as_bytes(earlier)) == before


def test_ribbon_marks_the_places_whose_cards_are_others() -> None:
    rules = game("ribbon")
    state = rules.begin(2, rules.settle(2, RibbonOptions(mode="coop")), RibbonDeal(tuple(NEARLY), 0), b"seed")
    earlier = rules.view(state, 1)
    for seat, words in ((0, "flip 1"), (1, "flip 2"), (1, "pass"), (0, "flip 3")):
        rules.play(state, seat, read(words))

    assert rules.since(rules.view(state, 1), [earlier]).marked == {1, 2, 3}
    assert rules.view(state, 1).marked == {3}


def turns(case: GameCase, seats: int, number: int) -> list[Any]:
    """Return a spectator's views of a game, one after each turn."""
    table = next(one for one in case.usual_tables if one.seats == seats)
    state = fresh(case.game, table, b"turns")
    result, beat = [case.game.view(state, None)], case.game.post_counter(state)
    for reached, _ in walk(case.game, table, b"turns", 1.0):
        if case.game.post_counter(reached) != beat:
            beat = case.game.post_counter(reached)
            result.append(case.game.view(reached, None))
        if len(result) > number:
            break
    return result


@pytest.mark.parametrize("slug", ["ribbon", "tangle", "tesla"])
def test_changes_name_the_seat_that_made_them(slug: str) -> None:
    case = case_of(slug)
    before, after = turns(case, 3, BUSY[slug])[-2:]

    news = case.game.since(after, [before]).news

    assert news
    assert {one.seat for one in news if not one.points} == {before.seat}
    assert all(one.is_latest for one in news)


@pytest.mark.parametrize("slug", ["ribbon", "tangle", "tesla"])
def test_the_last_turns_changes_come_first(slug: str) -> None:
    case = case_of(slug)
    *seen, now = turns(case, 3, BUSY[slug])

    news = case.game.since(now, seen[1:]).news

    order = [one.is_latest for one in news if not one.points]
    assert order == sorted(order, reverse=True)
    assert len({one.seat for one in news}) > 1


@pytest.mark.parametrize("slug", ["ribbon", "tangle", "tanglewood", "tesla"])
def test_nobody_is_named_where_turns_are_left_out(slug: str) -> None:
    case = case_of(slug)
    seen = turns(case, 3, 4)

    news = case.game.since(seen[-1], [seen[0]]).news

    assert {one.seat for one in news if not one.points} == {None}


def test_a_swap_carries_an_earlier_flip_with_it() -> None:
    rules = game("ribbon")
    state = rules.begin(2, rules.settle(2, RibbonOptions(mode="coop")), RibbonDeal(tuple(NEARLY), 0), b"seed")
    seen = [rules.view(state, None)]
    for seat, words in ((0, "flip 4"), (1, "flip 8"), (1, "swap 4"), (1, "pass")):
        rules.play(state, seat, read(words))
        if state.seat != seat:
            seen.append(rules.view(state, None))

    news = rules.since(seen[-1], seen[:-1]).news

    assert [(one.place, one.kind, one.seat, one.start) for one in news] == [
        ("8", "flipped", 1, None),
        ("4", "swapped", 1, "5"),
        ("5", "flipped", 0, "4"),
    ]
    told = describe_changes(rules.since(seen[-1], seen[:-1]), ["Ann", "Bo"])
    assert "Ann flipped the card at place 4." in told
    assert "Bo swapped the cards at places 4 and 5." in told


def test_every_hosted_game_marks_its_board_and_many_changes_leave_the_stress_to_the_last_turn() -> None:
    older = [BoardChange(str(number), "new", 0, is_latest=False) for number in range(12)]
    newest = BoardChange("A", "new", 1)

    assert not any(is_quiet(one, older) for one in older)
    assert [is_quiet(one, [newest, *older]) for one in (newest, older[0])] == [False, True]
    assert [case.slug for case in CASES] == MARKING


def case_of(slug: str) -> GameCase:
    return next(case for case in CASES if case.slug == slug)


def test_tesla_marks_the_tiles_that_were_laid_and_the_markers_that_came() -> None:
    earlier, now, _ = looks(case_of("tesla"))

    changes = case_of("tesla").game.since(now, [earlier]).changes

    assert set(changes.placed) == set(now.board.tiles) - set(earlier.board.tiles)
    assert set(changes.marked) == set(now.board.markers)
    assert changes.taken == ()
    assert set(case_of("tesla").game.since(earlier, [now]).changes.taken) == set(now.board.markers)


def test_tangle_marks_areas_with_other_tiles_and_spaces_with_other_roots() -> None:
    earlier, now, _ = looks(case_of("tangle"))

    changed = case_of("tangle").game.since(now, [earlier]).changed

    assert {area for area in changed.areas if area not in earlier.tiles} == set(now.tiles) - set(
        earlier.tiles
    )
    assert set(changed.spaces) == {
        space for space in now.roots | earlier.roots if now.roots.get(space) != earlier.roots.get(space)
    }


def test_tanglewood_counts_workers_from_then_on() -> None:
    earlier, now, _ = looks(case_of("tanglewood"))

    assert case_of("tanglewood").game.since(now, [earlier]).before == earlier.workers


def test_tangram_city_marks_the_pieces_that_were_laid_since() -> None:
    earlier, now, seats = looks(case_of("tangram"))

    latest = case_of("tangram").game.since(now, [earlier]).latest

    for seat in range(seats):
        then = earlier.cities[seat].pieces
        assert now.cities[seat].pieces == (*then, *latest[seat])
        assert latest[seat]


FILES = [path for slug in SLUGS for path in golden.paths(slug)]


def views(path: Path) -> list[Any]:
    """Return a spectator's views at a filed game's start, middle and end."""
    result = golden.load(path)
    rules, state = result.game, result.begin()
    seen = [rules.view(state, None)]
    for number, entry in enumerate(result.entries, start=1):
        result.replay(state, entry)
        if number in (len(result.entries) // 2, len(result.entries)):
            seen.append(rules.view(golden.type_value(golden.plain(state), rules.State), None))
    return seen


def tallies(slug: str, name: str) -> list[Any]:
    path = golden.FIXTURES / slug / f"{name}.json"
    seen, rules = views(path), golden.load(path).game
    return [rules.tally(view, seen[-1]) for view in seen]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_seat_or_team_in_play_has_a_number_that_ends_with_its_scores(path: Path) -> None:
    result, seen = golden.load(path), views(path)

    for view in seen:
        tally = result.game.tally(view, seen[-1])

        assert tally is not None
        if len(tally) == result.seats > 1:
            assert all(tally[seat] is None for seat in view.out)
        else:
            assert len(tally) == 1
    outcome = seen[-1].outcome
    if outcome is not None and outcome.scores is not None:
        assert tally is not None
        left = [seat for seat, number in enumerate(tally) if number is not None]
        assert [tally[seat] for seat in left] == [outcome.scores[seat] for seat in left]


def test_tallies_count_what_winners_lack_ribbons_chosen_later_tangles_and_the_forests_pay() -> None:
    start, _, end = tallies("tangle", "table-4")

    assert start == (12, 14, 11, 10)
    assert end == (4, 4, 4, 0)

    start, _, end = tallies("ribbon", "table-3-after_hand")

    assert None not in start
    assert sum(number is not None for number in end) == 1

    assert tallies("ribbon", "team-lost")[-1] == (2,)

    _, middle, end = tallies("tanglewood", "table-4-fixed")

    assert min(middle) > 0
    assert end == (85, 73, 72, 74)


LONG = ["W" * 31 + letter for letter in "ABCDEF"]


def is_second_copy(move: Any, view: Any) -> bool:
    """Return True if another move takes the same card of Tangle."""
    return isinstance(move, TakeRow) and view.row[move.slot] in view.row[: move.slot]


@pytest.mark.parametrize("case", PLAYED_CASES)
def test_two_legal_moves_have_different_names(case: GameCase) -> None:
    rules, naming = case.game, move_names(case.slug).move_name
    played = Played(case, play_shared_games(case.slug))
    for table, taken in played.steps(often(40, 200)):
        state = decode_state(rules, taken.before)
        for seat in rules.prompts(state):
            view = rules.view(state, seat)
            listed = [move for move in rules.moves(state, seat) if not is_second_copy(move, view)]
            for names in (NAMES[: table.seats], LONG[: table.seats]):
                named = [naming(move, view, names) for move in listed]
                assert len({to_label(name)[:100].lower() for name in named}) == len(listed)
                assert all(READ_ALOUD.fullmatch(to_speech(name)) for name in named)
