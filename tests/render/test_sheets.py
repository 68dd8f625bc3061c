import io
from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.words import ALT_LIMIT
from render import chart, cup, result, standings
from render.chart import Chart, Plot
from render.core.canvas import Canvas
from render.core.text import legible
from render.core.theme import LIGHT
from render.cup import NARROW, ONE_COLUMN, SMALLEST, WIDE, CupLine, CupStandings
from render.daily import Boards, Day, FinalBoard, MonthSheet, boards, calendar
from render.standings import WIDTH, Section, StandingsEntry, StandingsSheet, sheet
from tests.often import often
from tests.render.images import KIBIBYTE, LONG_NAMES

ANN = StandingsEntry("Ann", "12 games · 7 wins", "1,640", "± 110", rank=1, change=-30)
BO = StandingsEntry("Bo", "3 games · 1 win · provisional", "1,137", "± 320", rank=2, change=137)
PLAIN = StandingsSheet("Nim", "Ratings · Parlour", (Section((ANN, BO)),))
CHARTED = StandingsSheet(
    "Ann", "Parlour", (Section((ANN,), "Ratings"),), "Rating in Nim", (1000, 1137, 1090, 1210, 1180)
)


def open_image(drawn: StandingsSheet) -> Image.Image:
    return Image.open(BytesIO(sheet(drawn).png)).convert("RGB")


def with_first(**changes: Any) -> StandingsSheet:
    return msgspec.structs.replace(PLAIN, sections=(Section((msgspec.structs.replace(ANN, **changes), BO)),))


def long(people: int) -> StandingsSheet:
    entries = tuple(
        msgspec.structs.replace(BO, rank=rank, name=f"Bo {rank}") for rank in range(1, people + 1)
    )
    return StandingsSheet("Nim", "Parlour", (Section(entries),))


@pytest.mark.parametrize("drawn", [PLAIN, CHARTED, long(10)], ids=["plain", "charted", "long"])
def test_a_sheet_is_light_and_told_in_words(drawn: StandingsSheet) -> None:
    picture = sheet(drawn)

    assert open_image(drawn).width == WIDTH <= 1100
    assert len(picture.png) < 100 * 1024
    assert picture.name == "standings.png"
    assert len(picture.alt) <= ALT_LIMIT
    assert picture.alt.startswith(f"{drawn.title}. {drawn.subtitle}.")


def test_every_line_is_told_with_its_number_and_the_chart_by_its_ends() -> None:
    alt = sheet(PLAIN).alt

    assert "Ann is 1st with a rating of 1,640 ± 110 (−30 lately). 12 games, 7 wins." in alt
    assert "Bo is 2nd with a rating of 1,137 ± 320 (+137 lately). 3 games, 1 win, provisional." in alt
    assert "A chart shows the rating in Nim, from 1000 to 1180 in 4 games." in sheet(CHARTED).alt
    assert open_image(long(10)).height > WIDTH


@pytest.mark.parametrize(
    "change",
    [
        *({"name": "Anna"}, {"detail": "13 games"}, {"value": "1,641"}, {"beside": "± 99"}),
        *({"rank": 3}, {"change": 30}, {"change": 0}, {"own": True}),
    ],
)
def test_everything_that_is_known_can_be_seen(change: dict[str, Any]) -> None:
    assert ImageChops.difference(open_image(PLAIN), open_image(with_first(**change))).getbbox() is not None


def test_where_nothing_is_to_be_said_nothing_is_drawn_and_up_and_down_differ_by_shape() -> None:
    without = open_image(with_first(own=False, beside="", change=0))

    below = (
        WIDTH // 2,
        standings.MARGIN + standings.HEAD + 62,
        WIDTH - 60,
        standings.MARGIN + standings.HEAD + 100,
    )
    assert without.crop(below).getcolors() == [
        (without.crop(below).width * without.crop(below).height, LIGHT.card)
    ]

    up, down = (
        open_image(with_first(change=change)).convert("1", dither=Image.Dither.NONE) for change in (30, -30)
    )

    assert ImageChops.difference(up.convert("L"), down.convert("L")).getbbox() is not None


@pytest.mark.parametrize("name", LONG_NAMES)
def test_any_name_can_be_drawn_and_changes_its_own_line_alone(name: str) -> None:
    box = ImageChops.difference(open_image(PLAIN), open_image(with_first(name=name))).getbbox()

    assert box is not None
    assert box[3] - box[1] < standings.ROW


@pytest.mark.parametrize("rank", [9, 99, 999, 12345])
def test_any_rank_fits_its_badge(rank: int) -> None:
    box = ImageChops.difference(open_image(PLAIN), open_image(with_first(rank=rank))).getbbox()

    assert box is not None
    assert box[2] - box[0] <= 70


@pytest.mark.parametrize("course", [(), (1000,), (1000, 1000)])
def test_without_anything_to_chart_there_is_no_chart(course: tuple[int, ...]) -> None:
    without = msgspec.structs.replace(CHARTED, course=course)

    assert open_image(without).height <= open_image(CHARTED).height - standings.CHART
    assert "chart" not in sheet(without).alt


def test_a_chart_lies_near_its_ratings_or_shows_zero_and_says_what_it_counts() -> None:
    line = [[1000, 1210]]

    near, usual = (Plot.around(line, 2, (0, 0, 100, 100), near=near) for near in (True, False))

    assert (near.low, usual.low) == (1000, 0)

    turns, games = Canvas(600, 520, LIGHT, LIGHT.card), Canvas(600, 520, LIGHT, LIGHT.card)
    for canvas, along in ((turns, "turn"), (games, "game")):
        Chart("Rating", ((1,), (2,)), LIGHT.seats, along=along).draw(canvas, (0, 0, 600, 520))

    assert ImageChops.difference(turns.image, games.image).getbbox() is not None


def test_nothing_is_smaller_than_a_phone_can_show() -> None:
    assert min(standings.SMALL, chart.TICK, chart.LABEL, chart.TITLE, result.ENDING_SIZE) >= legible(WIDTH)


LARGEST = 300 * 1024


def board(width: int = 1200, height: int = 1000) -> bytes:
    return Canvas(width, height, LIGHT).png()


@pytest.mark.parametrize("first", ["2026-02-01", "2026-03-01", "2028-02-01", "2026-08-01"])
def test_every_month_fits_its_picture(first: str) -> None:
    days = {number: Day(number % 3 > 0, number % 5 or None, number) for number in range(1, 29)}
    picture = calendar(MonthSheet("Ann", first, "3 days finished", days, today=4))

    shown = Image.open(io.BytesIO(picture.png))
    assert shown.width == 1080
    assert len(picture.png) < LARGEST
    assert picture.name == "calendar.png"


def test_a_calendar_is_told_in_words_and_is_the_same_again() -> None:
    month = MonthSheet(
        "Ann", "2026-11-01", "1 day finished", {1: Day(True, 1, 10), 2: Day(False), 3: Day(True)}
    )

    picture = calendar(month)

    assert "1: finished 1st with 10 points." in picture.alt
    assert "2: not finished." in picture.alt
    assert "3: finished." in picture.alt
    assert calendar(month) == picture


@pytest.mark.parametrize("name", ["", "😀" * 12, "名前", "a" * 60, "**b**", "مرحبا"])
def test_any_name_can_be_drawn(name: str) -> None:
    assert calendar(MonthSheet(name, "2026-11-01", "0 days finished", {})).png
    assert boards(Boards("The final boards", (FinalBoard(name, "won by 3 points", board()),))).png


@pytest.mark.parametrize("number", often([1, 2, 6], range(1, 7)))
def test_boards_of_any_shape_stand_side_by_side(number: int) -> None:
    shown = tuple(
        FinalBoard(f"{place}. Ann", f"{place} points", board(900 + 50 * place, 700 * place), place == 1)
        for place in range(1, number + 1)
    )

    picture = boards(Boards("The final boards", shown))

    assert Image.open(io.BytesIO(picture.png)).width == 1320
    assert len(picture.png) < LARGEST
    assert f"Place {number}, Ann: {number} points." in picture.alt


NAMES = ("Ann", "Bartholomew the Elder", "山田太郎", "W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202eمرحبا\n")


def rank_players(players: int, **fields: Any) -> CupStandings:
    lines = tuple(
        CupLine(number, NAMES[number % len(NAMES)], 130 - number, 257 - number, 64, 65, out=number % 9 == 8)
        for number in range(1, players + 1)
    )
    return msgspec.structs.replace(CupStandings("Nim", 7, "Round 2 of 8", lines), **fields)


def open_cup(shown: CupStandings) -> Image.Image:
    return Image.open(BytesIO(cup.picture(shown).png)).convert("RGB")


@pytest.mark.parametrize("players", [4, ONE_COLUMN, ONE_COLUMN + 1, 63, 64])
def test_any_cup_fits_on_a_picture_that_discord_shows_whole(players: int) -> None:
    drawn = cup.picture(rank_players(players))

    image = Image.open(BytesIO(drawn.png))
    assert image.width == cup.WIDTH
    assert image.height < 2 * cup.WIDTH
    assert len(drawn.png) < 200 * KIBIBYTE
    assert drawn.name == "standings.png"
    assert len(drawn.alt) <= ALT_LIMIT


def test_everybody_in_a_cup_is_told_in_words_large_enough_and_always_the_same() -> None:
    line = CupLine(1, "Ann_A", 5, 9, 2, 3)

    result = cup.picture(
        CupStandings("Nim", 7, "Round 2 of 3", (line, msgspec.structs.replace(line, place=2, out=True)))
    )

    assert result.alt == (
        "These are the standings of cup 7 in Nim. Round 2 of 3. "
        "Ann_A is 1st with 5 points and a tie-break of 4½. "
        "Ann_A is 2nd with 5 points and a tie-break of 4½. Ann_A has dropped out."
    )

    assert legible(cup.WIDTH) <= SMALLEST
    assert min(WIDE.size, NARROW.size, 25 * 1.24) >= SMALLEST

    assert cup.picture(rank_players(30)) == cup.picture(rank_players(30))
    assert cup.half(3) == "1½"


@pytest.mark.parametrize("players", [5, 30])
@pytest.mark.parametrize(
    "change", [{"name": "Zoe"}, {"points": 2}, {"tie_break": 1}, {"place": 3}, {"out": True}]
)
def test_everything_that_is_known_of_a_cup_can_be_seen(players: int, change: dict[str, Any]) -> None:
    one = rank_players(players)
    other = msgspec.structs.replace(
        one, lines=(msgspec.structs.replace(one.lines[0], **change), *one.lines[1:])
    )

    assert ImageChops.difference(open_cup(one), open_cup(other)).getbbox() is not None


def test_a_dropout_is_marked_however_long_the_name() -> None:
    long = rank_players(1, lines=(CupLine(1, "W" * 200, 1, 1, 1, 1),))
    out = rank_players(1, lines=(CupLine(1, "W" * 200, 1, 1, 1, 1, out=True),))

    box = ImageChops.difference(open_cup(long), open_cup(out)).getbbox()

    assert box is not None
    assert box[0] < cup.WIDTH / 4


def test_the_first_place_is_lit_at_the_end_alone() -> None:
    def lit(image: Image.Image) -> int:
        return sum(count for count, colour in image.getcolors(1 << 20) or () if colour == LIGHT.highlight)

    assert lit(open_cup(rank_players(4, final=True))) > lit(open_cup(rank_players(4))) + 1000
