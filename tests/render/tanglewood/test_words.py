import msgspec
import pytest

from engines.game import Outcome
from engines.tanglewood import GAME
from engines.tanglewood.pieces.components import FOX_TILES, TRACKS, FoxTileDeed, NudgeDeed
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import captions
from engines.words import seat_name, short_ordinal
from render.core.text import wrap
from tests.render.positions import forests

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")


def first(seats: int = 4) -> TanglewoodView:
    return GAME.view(next(forests(seats)), None)


def end_game(*places: int | None) -> TanglewoodView:
    return msgspec.structs.replace(first(), phase="over", outcome=Outcome("votes", places), seat=None)


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (end_game(2, 1, 3, 4), "Bo is Mayor"),
        (end_game(1, 1, 3, 4), "A shared victory"),
        (end_game(None, None, None, None), "Called off"),
        (msgspec.structs.replace(first(), phase="over", outcome=None), "Called off"),
        (msgspec.structs.replace(first(), phase="ballots", midgame_done=True), "Final scoring"),
        (msgspec.structs.replace(first(), phase="ballots"), "Mid-game scoring"),
        (msgspec.structs.replace(first(), round=7), "Round 7"),
    ],
)
def test_the_headline(view: TanglewoodView, text: str) -> None:
    assert captions.title(view, NAMES) == text


def test_a_seat_is_told_what_it_is_about() -> None:
    view = first()
    seat = view.order[0]
    assert captions.status(view, seat).short == "to play"
    assert captions.status(view, view.order[1]).short == ""
    assert captions.status(msgspec.structs.replace(view, phase="step"), seat).short == "picks a track"
    assert captions.status(msgspec.structs.replace(view, phase="effect"), seat).short == "to choose"
    assert captions.status(msgspec.structs.replace(view, out=(seat,)), seat).short == "has left"
    voting = msgspec.structs.replace(view, phase="keep", seat=None, owing=(1,))
    assert [captions.status(voting, seat).short for seat in (0, 1)] == ["ready", "to choose"]
    assert captions.status(end_game(2, 1, 3, 4), 1).short == "1st"


def test_places_in_short() -> None:
    assert [short_ordinal(place) for place in range(1, 7)] == ["1st", "2nd", "3rd", "4th", "5th", "6th"]
    assert captions.place_of((0, 2, 2), 0) == "–"
    assert captions.place_of((0, 2, 2), 2) == "2nd"


@pytest.mark.parametrize(
    ("card", "text"),
    [("T12", "Evict (Rabbit track)"), ("T15", "Evict (any track)"), ("S6", "Score 1 (Fox track)")],
)
def test_a_tangle_by_name_and_track(card: str, text: str) -> None:
    assert captions.tangle(card) == text


def test_a_slot_tells_the_benefit_of_its_tile() -> None:
    tiles = tuple(FOX_TILES)
    assert captions.brief(FoxTileDeed(3), tiles) == "False Trail: move 1 worker"
    assert captions.brief(FoxTileDeed(3)) == "Fox tile 3"
    assert captions.brief(NudgeDeed(2)) == "move 2 workers"


def test_every_step_has_words() -> None:
    for track in TRACKS.values():
        for step in track.steps:
            assert captions.brief(step)


def test_those_who_have_left_come_last() -> None:
    view = msgspec.structs.replace(first(), order=(2, 0, 1), out=(3,))
    assert captions.turns(view) == (2, 0, 1, 3)
    assert captions.colours_in_turn(msgspec.structs.replace(first(3), order=(2, 0, 1))) == [
        2,
        0,
        1,
        "neutral",
    ]


def test_changes_are_counted_from_what_was_there_before() -> None:
    view = first()
    before = view.workers | {"B": (1, 2, 4, 2)}
    view = msgspec.structs.replace(view, before=before)
    assert captions.changes(view, "B") == [1, 0, -2, 0]
    assert captions.changes(view, "A") == [0, 0, 0, 0]


def test_a_payment_is_told_only_right_after_a_scoring() -> None:
    paid = {"A": (9, 5, 2, 0)}
    view = msgspec.structs.replace(first(), scorings=(paid,))
    assert captions.just_paid(view, "A") is None
    assert captions.just_paid(msgspec.structs.replace(view, phase="keep"), "A") == (9, 5, 2, 0)
    over = msgspec.structs.replace(view, phase="over")
    assert captions.just_paid(over, "A") is None
    assert captions.just_paid(msgspec.structs.replace(over, scorings=(paid, paid)), "A") == (9, 5, 2, 0)


def test_lines_are_no_wider_than_asked() -> None:
    lines = wrap("Move any 2 workers between here and one adjacent region.", 200, 20)
    assert len(lines) > 2
    assert " ".join(lines) == "Move any 2 workers between here and one adjacent region."


def test_more_workers_of_one_colour() -> None:
    assert captions.with_more((2, 2, 2, 1), "neutral", 3) == (2, 2, 2, 4)
    assert captions.with_more((2, 2, 2, 1), 0, 3) == (5, 2, 2, 1)


def test_a_missing_name_is_replaced() -> None:
    assert seat_name((), 2) == "Seat 3"
    assert captions.short_name(NAMES, "neutral") == "neutral"
    assert captions.short_name(("x" * 40,), 0) == "x" * 15 + "…"
