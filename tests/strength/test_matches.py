"""Matches between computer players are fair, and the same whenever they are played."""

import msgspec

from engines.game import Strength
from engines.registry import game
from tests.strength.matches import MATCHES, MatchGame, play_game, tally_games
from tests.strength.revision import ROOT

QUICK = msgspec.structs.replace(MATCHES["ribbon"], player=Strength.MEDIUM, against=Strength.MEDIUM)

POINTS = msgspec.structs.replace(MATCHES["tangram"], player=Strength.MEDIUM, against=Strength.MEDIUM)


def test_a_match_is_of_a_game_that_is_hosted_and_of_seats_that_it_has() -> None:
    for slug, match in MATCHES.items():
        rules = game(slug)
        options = msgspec.json.decode(match.options, type=rules.Options)
        assert slug == match.slug
        assert rules.settle(match.seats, options) is not None


def test_playing_oneself_at_every_seat_wins_the_fair_share() -> None:
    won = [play_game(QUICK, number).won for number in (0, 1)]

    assert sum(won) == 1


def test_the_same_number_gives_the_same_game() -> None:
    one, two = play_game(QUICK, 3), play_game(QUICK, 3)

    assert (one.won, len(one.own), len(one.theirs)) == (two.won, len(two.own), len(two.theirs))


def test_a_player_of_other_code_plays_a_whole_game() -> None:
    match = msgspec.structs.replace(MATCHES["ribbon"], player=Strength.EASY, against=str(ROOT))

    played = play_game(match, 0)

    assert 0.0 <= played.won <= 1.0
    assert sum(played.theirs) > 0


def test_a_tally_tells_the_median_and_the_most_of_what_decisions_took() -> None:
    tally = tally_games([MatchGame(1.0, (1.0, 3.0), (0.5,)), MatchGame(0.5, (8.0,), ())])

    assert (tally.games, tally.wins) == (2, 1.5)
    assert (tally.own, tally.theirs) == ((3.0, 8.0), (0.5, 0.5))
    assert tally.margin is None


def test_a_tally_has_the_mean_margin_with_its_interval() -> None:
    tally = tally_games([MatchGame(1.0, (), (), margin=margin) for margin in (20.0, 30.0) * 10])

    assert tally.margin is not None
    mean, low, high = tally.margin
    assert mean == 25
    assert 20 < low < mean < high < 30


def test_the_margin_is_the_points_before_the_best_other_seat() -> None:
    one, other = (play_game(POINTS, number).margin for number in (0, 1))

    assert one is not None
    assert other == -one
