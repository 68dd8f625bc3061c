"""Matches between computer players, and scripted beginners in them, are fair and play the same again."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engines.game import Seat, Strength
from engines.registry import game
from engines.tangle.computer.evaluation import holdings, plans
from engines.tangle.truth.state import context_for
from engines.tanglewood.computer.search import standing
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import PlayBallots
from engines.tesla.moves import Mark, Replace, Take, TeslaPlace
from tests.benchmarks import wins
from tests.benchmarks.levels import BEGINNER, play_level_game
from tests.benchmarks.wins import rows
from tests.often import often
from tests.strength import beginners
from tests.strength.beginners import choose_as_beginner, forgets
from tests.strength.matches import MATCHES, MadeMove, MatchGame, play_game, play_moves, tally_games
from tests.strength.revision import ROOT

QUICK = msgspec.structs.replace(MATCHES["ribbon"], player=Strength.MEDIUM, against=Strength.MEDIUM)

POINTS = msgspec.structs.replace(MATCHES["tangram"], player=Strength.MEDIUM, against=Strength.MEDIUM)


def test_a_match_is_of_a_game_that_is_hosted_and_of_seats_that_it_has() -> None:
    for slug, match in MATCHES.items():
        rules = game(slug)
        options = msgspec.json.decode(match.options, type=rules.Options)
        assert slug == match.slug
        assert rules.settle(match.seats, options) is not None


def test_playing_oneself_wins_the_fair_share_and_the_same_number_gives_the_same_game() -> None:
    won = [play_game(QUICK, number).won for number in (0, 1)]

    assert sum(won) == 1

    one, two = play_game(QUICK, 3), play_game(QUICK, 3)

    assert (one.won, len(one.own), len(one.theirs)) == (two.won, len(two.own), len(two.theirs))


def test_a_player_of_other_code_plays_a_whole_game() -> None:
    match = msgspec.structs.replace(MATCHES["ribbon"], player=Strength.EASY, against=str(ROOT))

    played = play_game(match, 0)

    assert 0.0 <= played.won <= 1.0
    assert sum(played.theirs) > 0


def test_a_tally_tells_the_median_and_the_most_of_decisions_and_the_mean_margin() -> None:
    tally = tally_games([MatchGame(1.0, (1.0, 3.0), (0.5,)), MatchGame(0.5, (8.0,), ())])

    assert (tally.games, tally.wins) == (2, 1.5)
    assert (tally.own, tally.theirs) == ((3.0, 8.0), (0.5, 0.5))
    assert tally.margin is None

    tally = tally_games([MatchGame(1.0, (), (), margin=margin) for margin in (20.0, 30.0) * 10])

    assert tally.margin is not None
    mean, low, high = tally.margin
    assert mean == 25
    assert 20 < low < mean < high < 30


def test_the_margin_is_the_points_before_the_best_other_seat() -> None:
    one, other = (play_game(POINTS, number).margin for number in (0, 1))

    assert one is not None
    assert other == -one


def play_beginners(slug: str, number: int) -> Iterator[MadeMove]:
    """Play a game between beginners; yield each move that was a choice."""

    def choose(view: Any, seat: Seat, luck: Random) -> Any:
        return choose_as_beginner(slug, view, seat, luck).move

    return play_moves(slug, number, Random(number), choose)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", MATCHES)
def test_a_beginner_plays_the_same_whole_game_again(slug: str) -> None:
    match = msgspec.structs.replace(MATCHES[slug], player=Strength.EASY, against=BEGINNER)

    one, two = play_level_game(match, 1), play_level_game(match, 1)

    assert (one.ahead, len(one.own), len(one.theirs)) == (two.ahead, len(two.own), len(two.theirs))
    assert one.theirs


def test_a_turn_of_teslas_tangle_has_several_tiles_and_a_marker() -> None:
    turns: dict[int, list[Any]] = {}
    for made in play_beginners("tesla", 1):
        turns.setdefault(made.view.turn, []).append(made.move)

    tiles = [sum(isinstance(move, TeslaPlace | Replace) for move in moves) for moves in turns.values()]
    markers = [any(isinstance(move, Mark | Take) for move in moves) for moves in turns.values()]
    assert max(tiles) > 1
    assert sum(markers) > len(markers) / 4


@pytest.mark.parametrize("number", range(often(1, 3)))
def test_a_beginner_never_puts_itself_out_by_a_marker(number: int) -> None:
    for made in play_beginners("tesla", number):
        assert made.seat not in made.after.out


def test_ballots_of_a_beginner_who_looks_bring_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginners, "FORGETS", 10_000)

    def votes_by(view: Any, move: PlayBallots) -> float:
        workers = workers_after(view.workers, view.viewer, move, None)
        return standing(msgspec.structs.replace(view, workers=workers), view.viewer)

    made = [one for one in play_beginners("tanglewood", 2) if isinstance(one.move, PlayBallots)]

    assert made
    for one in made:
        ways = game("tanglewood").moves(game("tanglewood").sample_state(one.view, Random(1)), one.seat)
        assert votes_by(one.view, one.move) == max(votes_by(one.view, way) for way in ways)


def test_a_beginner_of_tangle_comes_nearer_to_a_condition_by_round_ten() -> None:
    first: dict[Seat, float] = {}
    last: dict[Seat, float] = {}
    for made in play_beginners("tangle", 1):
        if made.view.turn > 20:
            break
        context = context_for(made.after, made.seat)
        last[made.seat] = plans(made.after.conditions[made.seat], holdings(context))[0].time
        first.setdefault(made.seat, last[made.seat])

    assert all(last[seat] < first[seat] for seat in first)


@pytest.mark.parametrize("slug", ["tesla", "tangle"])
def test_a_beginner_forgets_to_look_in_a_fourth_of_its_turns(slug: str) -> None:
    forgotten: dict[Seat, dict[int, bool]] = {0: {}, 1: {}}
    for made in play_beginners(slug, 1):
        forgotten[made.seat][made.view.turn] = forgets(slug, made.view, made.seat)

    for turns in forgotten.values():
        assert 0.15 < sum(turns.values()) / len(turns) < 0.35


def test_a_row_tells_missed_wins_and_only_checked_games_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        wins.main(["tesla"])

    assert "choose from ribbon, tangle" in capsys.readouterr().err

    medium, strong = rows("ribbon", 1, first=0)

    assert "| medium |" in medium
    assert "| 1 | **0** |" in medium
    assert "| 1 | **0** |" in strong
