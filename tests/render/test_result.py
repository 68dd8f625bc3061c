"""Result cards and their charts: everything that ended a game is there, large enough, and told in words."""

from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.core.presenter import presenter_of
from cogs.standings.words import length, rank_seats
from engines.game import Outcome
from engines.registry import SLUGS
from engines.words import ALT_LIMIT
from render import result as results
from render.chart import Chart, space_out, tells
from render.core.canvas import Canvas
from render.core.theme import LIGHT
from render.result import WIDTH, PlacedSeat, ResultCard, card
from tables.review.record import RecordedTurn
from tests.engines import golden
from tests.render.images import KIBIBYTE, LONG_NAMES

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
PLAIN = ResultCard(
    title="Nim",
    number=7,
    options="2 to 4 players",
    length="8 turns in 3 days",
    told="Bo wins!",
    seats=(PlacedSeat(1, 1, 12), PlacedSeat(0, 2, -3)),
    charted="Points",
    tallies=((0, 0), (1, 5), (-3, 12)),
)


@cache
def of_a_game(slug: str, name: str) -> ResultCard:
    result = golden.load(golden.FIXTURES / slug / f"{name}.json")
    rules, state = result.game, result.begin()
    views = [rules.view(state, None)]
    for entry in result.entries:
        result.replay(state, entry)
        views.append(rules.view(golden.type_value(golden.plain(state), rules.State), None))
    speaker, end = presenter_of(slug), views[-1]
    return ResultCard(
        title=rules.title,
        number=12,
        options=speaker.summary(end.options, result.seats),
        length=f"{len(views) - 1} turns in 12 days",
        told=speaker.words.result(end, NAMES[: result.seats]),
        seats=rank_seats(end.outcome),
        colours=tuple(speaker.colours(end, "light")),
        charted=speaker.charted,
        tallies=tuple(tally for view in views if (tally := rules.tally(view, end)) is not None),
        decided="Turn 4 decided it, +12 points: Bo closes a ring of 6",
        board=import_module(f"render.{slug}").board(end, NAMES[: result.seats]).png,
    )


GAMES = {
    "ribbon": "table-3",
    "tesla": "table-3-rulebook-80",
    "tangram": "table-5",
    "tanglewood": "table-4-fixed",
    "tangle": "table-4",
}
every_game = pytest.mark.parametrize("slug", SLUGS)


def open_image(result: ResultCard, names: Any = NAMES) -> Image.Image:
    return Image.open(BytesIO(card(result, names).png)).convert("RGB")


def draw_chart(tallies: tuple[tuple[int | None, ...], ...]) -> Image.Image:
    canvas = Canvas(1000, 520, LIGHT, LIGHT.card)
    Chart("Points", tallies, LIGHT.seats).draw(canvas, (0, 0, 1000, 520))
    return canvas.image


def count_seat_pixels(image: Image.Image, seat: int) -> int:
    return sum(count for count, colour in image.getcolors(1 << 20) or () if colour == LIGHT.seats[seat])


@pytest.mark.essential
@every_game
def test_a_card_is_upright_light_and_told_in_words(slug: str) -> None:
    result = of_a_game(slug, GAMES[slug])

    picture = card(result, NAMES)

    image = Image.open(BytesIO(picture.png))
    assert image.width == WIDTH
    assert image.width < image.height < 2.1 * image.width
    assert len(picture.png) < 300 * KIBIBYTE
    assert picture.name == "result.png"
    assert len(picture.alt) <= ALT_LIMIT
    assert picture.alt.startswith(f"{result.title}, table 12. {result.told}")
    assert all(NAMES[one.seat] in picture.alt for one in result.seats)
    assert f"A chart shows the game turn by turn: {result.charted}." in picture.alt


@every_game
def test_the_first_to_arrive_is_listed_first(slug: str) -> None:
    places = [one.place for one in of_a_game(slug, GAMES[slug]).seats]

    assert places[0] == 1
    assert places == sorted(places, key=lambda place: place or 99)


def test_a_team_has_no_places_and_unplaced_seats_come_last() -> None:
    won, lost = Outcome("untangled", (1, 1), won=True), Outcome("tangled", (None, None), won=False)
    assert rank_seats(won) == rank_seats(lost) == (PlacedSeat(0, None, None), PlacedSeat(1, None, None))
    outcome = Outcome("votes", (2, None, 1), (7, 0, 9))
    assert rank_seats(outcome) == (PlacedSeat(2, 1, 9), PlacedSeat(0, 2, 7), PlacedSeat(1, None, 0))


@pytest.mark.parametrize(
    "change", [{"told": "Ann wins!"}, {"number": 8}, {"length": "9 turns"}, {"title": "Chess"}]
)
def test_everything_that_is_known_can_be_seen(change: dict[str, Any]) -> None:
    other = msgspec.structs.replace(PLAIN, **change)

    assert ImageChops.difference(open_image(PLAIN), open_image(other)).getbbox() is not None


def test_a_long_name_changes_nothing_else_and_a_long_sentence_takes_a_line() -> None:
    plain, long = open_image(PLAIN), open_image(PLAIN, LONG_NAMES)

    box = ImageChops.difference(plain, long).getbbox()

    assert long.size == plain.size
    assert box is not None
    assert box[3] - box[1] < 2 * results.ROW

    longer = msgspec.structs.replace(PLAIN, told="Bo wins, and everybody else has to wait for another time.")

    assert open_image(longer).height == open_image(PLAIN).height + results.LEADING


def test_without_anything_to_chart_there_is_no_chart() -> None:
    without = [msgspec.structs.replace(PLAIN, tallies=tallies) for tallies in ((), ((3, 4),), ((0, 0),) * 5)]

    for result in without:
        assert open_image(result).height < open_image(PLAIN).height - results.CHART
        assert "chart" not in card(result, NAMES).alt


@pytest.mark.parametrize("seat", range(5))
def test_lines_that_are_the_same_all_along_can_all_be_seen(seat: int) -> None:
    alone = draw_chart((tuple(9 * (other == seat) for other in range(5)), (9,) * 5))
    together = draw_chart(((0,) * 5, (9,) * 5))

    assert count_seat_pixels(together, seat) > 0.6 * count_seat_pixels(alone, seat)


def test_every_line_is_told_by_its_emblem_too() -> None:
    one, other = (draw_chart(((0, 0), (5, 5), tallies)) for tallies in ((9, 0), (0, 9)))

    assert ImageChops.difference(one.convert("L"), other.convert("L")).getbbox() is not None


def test_the_line_of_a_seat_ends_where_it_is_out_and_a_teams_has_no_emblem() -> None:
    stays = draw_chart(((0, 9), (1, 5), (2, 5), (3, 5)))
    leaves = draw_chart(((0, 9), (1, 5), (2, None), (3, None)))

    right = (600, 60, 1000, 440)
    assert count_seat_pixels(leaves.crop(right), 1) == 0 < count_seat_pixels(stays.crop(right), 1)
    assert count_seat_pixels(leaves, 1) > 0

    image = draw_chart(((4,), (2,), (0,)))

    assert all(count_seat_pixels(image, seat) == 0 for seat in range(1, 5))


def test_numbers_at_ends_of_lines_never_meet_and_unchanged_ones_tell_nothing() -> None:
    for wanted in ([5.0] * 5, [0, 100, 100, 0], [99, 98, 97], [50]):
        values = sorted(space_out(wanted, 12, 0, 100))

        assert all(later - earlier >= 12 for earlier, later in pairwise(values))
        assert values[-1] <= 100

    assert not tells(())
    assert not tells(((3, None), (3, None)))
    assert tells(((3, 4), (3, 5)))


def test_a_duration_uses_its_largest_unit() -> None:
    def took(seconds: float) -> str:
        return length([RecordedTurn(0, 1, 0, (), 1000.0), RecordedTurn(61, 99, 1, (0,), 1000.0 + seconds)])

    assert took(12.4 * 86_400) == "61 turns in 12 days"
    assert took(5 * 3600) == "61 turns in 5 hours"
    assert took(60) == "61 turns in 1 minute"
    assert took(2) == "61 turns"
