import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path

import msgspec
import pytest

from engines.analysis.simulation import SimulatedGame, SimulationPlan, names_of, settle_options, simulate_game
from engines.analysis.statistics import BalanceShift, compare_games, estimate_change, figures
from engines.components import our_data, read_components, without
from engines.game import Draws, IllegalSetup, Outcome, Strength
from engines.registry import SLUGS, component_facts, game
from engines.tesla.moves import Discard
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import encode_state
from tests.engines.golden import Golden, dump, load, paths, plain, type_value
from tests.often import often

NUMBERS = range(1, often(2, 4))
"""The numbers of the games that are compared; the first is short in every game."""
RIBBON = SimulationPlan("ribbon", b'{"mode":"versus"}', (Strength.EASY, Strength.EASY))


def one(
    number: int, places: tuple[int | None, ...], *used: dict[str, int], how: str = "won"
) -> SimulatedGame:
    return SimulatedGame(number, (0, 1), Outcome(how, places), 10 + number, 20, used)


@pytest.mark.usefixtures("brief_thoughts")
@pytest.mark.parametrize("slug", SLUGS)
def test_computers_play_every_game_to_its_end(slug: str) -> None:
    seats = game(slug).seats_for(game(slug).Options())[0]

    result = simulate_game(SimulationPlan(slug, b"{}", (Strength.EASY,) * seats), "a seed", 0)

    assert len(result.outcome.places) == len(result.used) == seats
    assert result.decisions == sum(
        number for used in result.used for name, number in used.items() if " · " not in name
    )


def test_a_game_is_the_same_in_every_process() -> None:
    here = [simulate_game(RIBBON, "a seed", number) for number in range(3)]

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        assert [
            elsewhere.submit(simulate_game, RIBBON, "a seed", number).result() for number in range(3)
        ] == here

    assert simulate_game(RIBBON, "another seed", 0) != here[0]
    assert here[0] != here[1]


def change_data(slug: str, old: bytes, new: bytes) -> bytes:
    facts, ours = component_facts(slug), our_data(slug)
    assert facts is not None
    assert old in ours
    read = read_components(facts, ours.replace(old, new, 1), ours)
    assert read.errors == ()
    return msgspec.json.encode(read.data)


@pytest.mark.parametrize(
    ("slug", "old", "new"),
    [
        ("ribbon", b'green = "rise"', b'green = "low"'),
        ("tesla", b"closed_factor = 2", b"closed_factor = 9"),
        ("tangram", b"start_points = 1", b"start_points = 9"),
        ("tanglewood", b"votes = [9, 5, 2]", b"votes = [90, 5, 2]"),
        ("tangle", b"start = { W = 2, E = 2,", b"start = { W = 9, E = 9,"),
    ],
)
def test_a_game_plays_with_the_data_of_its_plan(slug: str, old: bytes, new: bytes) -> None:
    seats = game(slug).seats_for(game(slug).Options())[0] + (slug in ("tangram", "ribbon"))
    ours = SimulationPlan(slug, b"{}", (Strength.EASY,) * seats)
    theirs = msgspec.structs.replace(ours, data=change_data(slug, old, new))
    spawn = get_context("spawn")

    with ProcessPoolExecutor(1, mp_context=spawn) as elsewhere:
        games = [elsewhere.submit(simulate_game, theirs, "a seed", number).result() for number in NUMBERS]
        with pytest.raises(RuntimeError, match="already loaded with other data"):
            elsewhere.submit(simulate_game, ours, "a seed", 0).result()

    assert games != [simulate_game(ours, "a seed", number) for number in NUMBERS]


def test_a_process_that_plays_with_our_data_refuses_other_data() -> None:
    assert game("ribbon").title

    with pytest.raises(RuntimeError, match="already loaded"):
        simulate_game(msgspec.structs.replace(RIBBON, data=b"{}"), "a seed", 0)

    assert simulate_game(RIBBON, "a seed", 0).number == 0


@pytest.mark.parametrize(
    ("slug", "options", "seats", "names"),
    [
        ("ribbon", b'{"mode":"solo","difficulty":"hard"}', 1, ["exchange \u00b7 card A"]),
        ("tesla", b"{}", 2, ["place \u00b7 tile 01"]),
        ("tangram", b"{}", 2, ["place \u00b7 tile 11"]),
        ("tanglewood", b"{}", 3, ["gather", "place \u00b7 region E"]),
        ("tangle", b"{}", 2, ["cast \u00b7 card windfall", "place \u00b7 to TS"]),
    ],
)
@pytest.mark.essential
def test_a_game_without_components_never_names_them(
    slug: str, options: bytes, seats: int, names: list[str]
) -> None:
    facts, ours = component_facts(slug), our_data(slug)
    assert facts is not None
    data = read_components(facts, ours, ours).data
    assert data is not None
    settled = msgspec.to_builtins(settle_options(slug, seats, options))
    rest = msgspec.json.encode(without(facts, data, settled, seats, names))
    plan = SimulationPlan(slug, options, (Strength.EASY,) * seats, rest)

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        games = [elsewhere.submit(simulate_game, plan, "a seed", number).result() for number in NUMBERS]

    assert not {name for one in games for used in one.used for name in used} & set(names)


def test_the_figures_are_those_of_the_games_in_any_order() -> None:
    games = [
        one(0, (1, 2), {"place": 3, "place · at A1": 1}, {"place": 2}),
        one(1, (2, 1), {"place": 1}, {"place": 2}, how="left"),
        one(2, (1, 1), {"place": 1}, {"place": 1, "place · at A1": 1}),
    ]

    result = figures(games)

    assert result == figures(games[::-1])
    assert result.games == 3
    assert [seat.wins for seat in result.seats] == [0.5, 0.5]
    assert result.ends == {"won": 2, "left": 1}
    assert (result.turns.least, result.turns.median, result.turns.most) == (10, 11, 12)
    by_name = {usage.name: usage for usage in result.used}
    assert next(iter(by_name)) == "place"
    assert by_name["place"].won_without is None
    assert by_name["place · at A1"].share == 2 / 6
    assert by_name["place · at A1"].won == (1 + 0.5) / 2
    assert by_name["place · at A1"].won_without == (0 + 0 + 1 + 0.5) / 4


def test_seats_are_told_from_the_one_that_decided_first_on() -> None:
    games = [one(0, (1, 2), {}, {}), msgspec.structs.replace(one(1, (2, 1), {}, {}), order=(1, 0))]

    assert [seat.wins for seat in figures(games).seats] == [1, 0]
    assert simulate_game(RIBBON, "a seed", 0).order in {(0, 1), (1, 0)}
    unlike = msgspec.structs.replace(RIBBON, strengths=(Strength.EASY, Strength.MEDIUM))
    assert {simulate_game(unlike, "a seed", number).order for number in range(often(2, 4))} == {(0, 1)}


def test_a_team_that_wins_wins_in_every_seat() -> None:
    team = SimulatedGame(0, (0, 1), Outcome("clean", (1, 1), won=True), 3, 3, ({}, {}))
    lost = SimulatedGame(1, (0, 1), Outcome("tangled", (None, None), won=False), 3, 3, ({}, {}))

    assert [seat.wins for seat in figures([team, lost]).seats] == [0.5, 0.5]


def test_a_move_counts_each_thing_that_it_names_once() -> None:
    assert list(names_of(Discard(("03", "03", "14")))) == [
        "discard",
        "discard · tiles 03",
        "discard · tiles 14",
    ]


def test_options_that_there_are_not_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        settle_options("tesla", 2, b'{"win":55}')
    with pytest.raises(IllegalSetup, match="not 9"):
        settle_options("tangram", 9, b"{}")


def played(number: int, scores: tuple[int, int], turns: int = 10, won: bool | None = None) -> SimulatedGame:
    best = max(scores)
    places = tuple(1 if score == best else 2 for score in scores)
    return SimulatedGame(number, (0, 1), Outcome("points", places, scores, won), turns, 20, ({}, {}))


def shift(name: str, shifts: tuple[BalanceShift, ...]) -> BalanceShift:
    return next(one for one in shifts if one.measure == name)


def test_each_measure_has_its_change_and_interval() -> None:
    before = [played(number, (10, 4)) for number in range(40)]
    after = [played(number, (10, 10) if number % 4 else (4, 10), 12) for number in range(40)]

    result = compare_games("win=30", before, after)

    assert (result.name, result.games) == ("win=30", 40)
    first, margin, turns, shared = (
        shift(name, result.shifts) for name in ("wins of seat 1", "margin", "turns", "shared first places")
    )
    assert (first.before, first.after) == (1, 0.375)
    assert first.low < first.change < first.high
    assert first.is_clear
    assert (margin.before, margin.after) == (6, 1.5)
    assert (turns.low, turns.high) == (2, 2)
    assert (shared.before, shared.after) == (0, 0.75)


def test_only_games_with_a_partner_count() -> None:
    result = compare_games("", [played(1, (1, 2)), played(2, (1, 2))], [played(2, (2, 1)), played(3, (2, 1))])

    assert result.games == 1
    with pytest.raises(ValueError, match="partner"):
        compare_games("", [played(1, (1, 2))], [played(2, (1, 2))])


def test_a_team_has_one_share_of_wins() -> None:
    games = [played(number, (1, 1), won=number % 2 == 0) for number in range(4)]

    assert [one.measure for one in compare_games("", games, games).shifts] == ["wins", "turns"]


def test_pairs_that_agree_make_an_interval_small() -> None:
    alike = [0.0] * 98 + [1.0] * 2
    mixed = [1.0, -1.0] * 50

    assert estimate_change(alike, is_share=True)[1] < estimate_change(mixed, is_share=True)[1] / 2


def test_the_interval_of_a_share_is_that_of_a_published_example() -> None:
    # R's statpsych, ci.prop.ps(.05, 12, 4, 26, 6), which divides by the pairs, not by one less.
    pairs = [1.0] * 26 + [-1.0] * 4 + [0.0] * 18

    assert estimate_change(pairs, is_share=True) == pytest.approx((0.2548, 0.6252), abs=0.002)


FILES = [path for case in CASES for path in paths(case.slug)]

every_file = pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])


@pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
def test_every_choice_of_seats_and_options_is_on_file(case: GameCase) -> None:
    files = [load(path) for path in paths(case.slug)]
    covered = [(golden.seats, type_value(golden.options, case.game.Options)) for golden in files]
    assert all((table.seats, table.options) in covered for table in case.usual_tables)


@every_file
def test_a_game_on_file_goes_as_it_went_and_its_saved_positions_load_and_play_on(path: Path) -> None:
    golden = load(path)
    state = golden.begin()
    for number, entry in enumerate(golden.entries):
        if number in golden.saved:
            loaded = type_value(golden.saved[number], golden.game.State)
            assert encode_state(loaded) == encode_state(state), (
                f"the position before decision {number} of {path.name}"
            )
            state = loaded
        assert golden.replay(state, entry) == entry.events, f"decision {number} of {path.name}"
    assert_ends_as_on_file(golden, state)


@every_file
def test_a_file_is_written_as_it_is_read(path: Path) -> None:
    assert dump(load(path)) == path.read_text(encoding="utf-8")


def assert_ends_as_on_file(golden: Golden, state: msgspec.Struct) -> None:
    rules = golden.game
    assert plain(rules.view(state, None)) == golden.view
    assert plain(rules.outcome(state)) == golden.outcome
    assert not rules.prompts(state)


def test_known_draws_stay_as_they_are_and_the_same_seed_and_counter_give_the_same() -> None:
    draws = Draws(b"tangle parlour", 0)
    assert [draws.below(n) for n in (2, 6, 18, 100, 10**6, 2**40)] == [1, 4, 7, 63, 889868, 565359520605]
    assert "".join(Draws(b"tangle parlour", 0).shuffle("ABCDEFGHIJKLMNOPQR")) == "MCDJREQLOHBKIAPNGF"
    one, two = Draws(b"a", 3), Draws(b"a", 3)
    assert [one.below(1000) for _ in range(50)] == [two.below(1000) for _ in range(50)]


@pytest.mark.parametrize(("seed", "counter"), [(b"b", 3), (b"a", 4), (b"", 3), (b"a\0", 3)])
def test_another_seed_or_counter_gives_other_draws(seed: bytes, counter: int) -> None:
    def first(draws: Draws) -> list[int]:
        return [draws.below(2**60) for _ in range(4)]

    assert first(Draws(seed, counter)) != first(Draws(b"a", 3))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 18])
def test_each_outcome_is_about_equally_likely(n: int) -> None:
    draws = Draws(b"fair", n)
    counts = Counter(draws.below(n) for _ in range(n * 400))
    assert set(counts) == set(range(n))
    assert all(300 < count < 500 for count in counts.values())


def test_each_order_is_about_equally_likely_and_a_shuffle_keeps_every_thing() -> None:
    counts = Counter(tuple(Draws(b"order", counter).shuffle("abc")) for counter in range(2400))
    assert set(counts) == set(permutations("abc"))
    assert all(320 < count < 480 for count in counts.values())
    things = [3, 1, 2, 2]
    assert sorted(Draws(b"keep", 0).shuffle(things)) == [1, 2, 2, 3]
    assert things == [3, 1, 2, 2]
    assert Draws(b"keep", 0).shuffle(range(0)) == []


@pytest.mark.parametrize("n", [0, -1])
def test_a_draw_without_outcomes_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="at least one outcome"):
        Draws(b"none", 0).below(n)


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_draws_do_not_depend_on_the_hash_seed_of_the_process(hash_seed: str) -> None:
    script = "from engines.game import Draws; print(*Draws(b'x', 1).shuffle(range(20)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(n) for n in Draws(b"x", 1).shuffle(range(20))]
