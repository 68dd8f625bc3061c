"""The standings of a cup as a picture: everybody is on it, large enough, and told in words."""

from io import BytesIO
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.words import ALT_LIMIT
from render import cup
from render.core.theme import LIGHT
from render.cup import NARROW, ONE_COLUMN, SMALLEST, WIDE, WIDTH, CupLine, CupStandings, picture

NAMES = ("Ann", "Bartholomew the Elder", "山田太郎", "W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202eمرحبا\n")
KIBIBYTE = 1024


def standings(players: int, **fields: Any) -> CupStandings:
    lines = tuple(
        CupLine(number, NAMES[number % len(NAMES)], 130 - number, 257 - number, 64, 65, out=number % 9 == 8)
        for number in range(1, players + 1)
    )
    return msgspec.structs.replace(CupStandings("Nim", 7, "Round 2 of 8", lines), **fields)


def open_image(shown: CupStandings) -> Image.Image:
    return Image.open(BytesIO(picture(shown).png)).convert("RGB")


@pytest.mark.parametrize("players", [4, ONE_COLUMN, ONE_COLUMN + 1, 63, 64])
def test_any_cup_fits_on_a_picture_that_discord_shows_whole(players: int) -> None:
    drawn = picture(standings(players))

    image = Image.open(BytesIO(drawn.png))
    assert image.width == WIDTH
    assert image.height < 2 * WIDTH
    assert len(drawn.png) < 200 * KIBIBYTE
    assert drawn.name == "standings.png"
    assert len(drawn.alt) <= ALT_LIMIT


def test_nothing_is_too_small_to_read() -> None:
    assert SMALLEST >= WIDTH / 45
    assert min(WIDE.size, NARROW.size, 25 * 0.98) >= SMALLEST


def test_everybody_is_told_in_words() -> None:
    line = CupLine(1, "Ann_A", 5, 9, 2, 3)

    result = picture(
        CupStandings("Nim", 7, "Round 2 of 3", (line, msgspec.structs.replace(line, place=2, out=True)))
    )

    assert result.alt == (
        "These are the standings of cup 7 in Nim. Round 2 of 3. "
        "Ann_A is 1st with 5 points and a tie-break of 4½. "
        "Ann_A is 2nd with 5 points and a tie-break of 4½. Ann_A has dropped out."
    )


@pytest.mark.parametrize("players", [5, 30])
@pytest.mark.parametrize(
    "change", [{"name": "Zoe"}, {"points": 2}, {"tie_break": 1}, {"place": 3}, {"out": True}]
)
def test_everything_that_is_known_can_be_seen(players: int, change: dict[str, Any]) -> None:
    one = standings(players)
    other = msgspec.structs.replace(
        one, lines=(msgspec.structs.replace(one.lines[0], **change), *one.lines[1:])
    )

    assert ImageChops.difference(open_image(one), open_image(other)).getbbox() is not None


def test_a_dropout_is_marked_however_long_the_name() -> None:
    long = standings(1, lines=(CupLine(1, "W" * 200, 1, 1, 1, 1),))
    out = standings(1, lines=(CupLine(1, "W" * 200, 1, 1, 1, 1, out=True),))

    box = ImageChops.difference(open_image(long), open_image(out)).getbbox()

    assert box is not None
    assert box[0] < WIDTH / 4


def test_the_first_place_is_lit_at_the_end_alone() -> None:
    def lit(image: Image.Image) -> int:
        return sum(count for count, colour in image.getcolors(1 << 20) or () if colour == LIGHT.highlight)

    assert lit(open_image(standings(4, final=True))) > lit(open_image(standings(4))) + 1000


def test_the_same_standings_are_the_same_to_the_byte() -> None:
    assert picture(standings(30)) == picture(standings(30))
    assert cup.half(3) == "1½"
