"""Animations of real games: each frame is the board as it stood, in few bytes."""

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageSequence

from engines.registry import SLUGS
from engines.words import ALT_LIMIT
from render.core import animation
from render.core.animation import CAPTION, Frame
from render.core.theme import LIGHT, Palette
from tests.engines import golden

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
LONG = {
    "ribbon": "tie-limit",
    "tesla": "table-3-rulebook-80",
    "tangram": "table-3",
    "tanglewood": "full-circles",
    "tangle": "to-the-limit",
}
"""A game on file of each."""
FRAMES = 12

every_game = pytest.mark.parametrize("slug", SLUGS)


def views(slug: str, most: int = FRAMES) -> list[Any]:
    """Return evenly spread views of a spectator of a filed game."""
    result = golden.load(golden.FIXTURES / slug / f"{LONG[slug]}.json")
    state, rules = result.begin(), result.game
    seen = [rules.view(state, None)]
    for number, entry in enumerate(result.entries, start=1):
        result.replay(state, entry)
        if number * most // len(result.entries) >= len(seen):
            seen.append(rules.view(golden.type_value(golden.plain(state), rules.State), None))
    return seen


def make_frames(seen: list[Any]) -> list[Frame]:
    last = len(seen) - 1
    return [Frame(view, f"Turn {at}", at / last, 0.5 if at < last else 4.0) for at, view in enumerate(seen)]


def animate(slug: str, frames: list[Frame], batch: int) -> bytes:
    reel, blocks = None, []
    for start in range(0, len(frames), batch):
        reel = animation.draw_frames(slug, NAMES, frames[start : start + batch], reel)
        blocks.append(reel.blocks)
    assert reel is not None
    return b"".join((animation.beginning(slug, reel), *blocks, animation.END))


def show_frames(gif: bytes) -> Iterator[Image.Image]:
    """Yield the frames as a viewer sees them."""
    with Image.open(BytesIO(gif)) as film:
        for frame in ImageSequence.Iterator(film):
            yield frame.convert("RGB")


def draw_expected(slug: str, view: Any) -> Image.Image:
    """Draw the board in the size and the colours of an animation."""
    room = import_module(f"render.{slug}")
    table: Image.Image = room.table(view, NAMES).image
    palette: Palette = room.THEMES["light"].palette
    return palette.apply(table.reduce(2)).convert("RGB")


@pytest.mark.any_game
@every_game
def test_each_frame_shows_the_board_as_it_stood(slug: str) -> None:
    seen = views(slug)

    frames = list(show_frames(animate(slug, make_frames(seen), batch=5)))

    assert len(frames) == len(seen)
    for frame, view in zip(frames, seen, strict=True):
        board = draw_expected(slug, view)
        part = frame.crop((0, CAPTION, board.width, CAPTION + board.height))
        assert ImageChops.difference(part, board).getbbox() is None


@pytest.mark.any_game
@every_game
def test_batch_size_changes_no_frame(slug: str) -> None:
    frames = make_frames(views(slug, 6))

    assert (
        animate(slug, frames, batch=1) == animate(slug, frames, batch=4) == animate(slug, frames, batch=100)
    )


def test_the_space_below_a_lower_board_is_paper() -> None:
    seen = views("tesla")
    lowest, highest = sorted((seen[0], seen[-1]), key=lambda view: draw_expected("tesla", view).height)

    for order in ((lowest, highest), (highest, lowest)):
        frames = list(show_frames(animate("tesla", make_frames(list(order)), batch=1)))

        low = frames[order.index(lowest)]
        top = CAPTION + draw_expected("tesla", lowest).height
        assert low.height == CAPTION + draw_expected("tesla", highest).height > top
        assert low.crop((0, top, low.width, low.height)).getcolors() == [
            (low.width * (low.height - top), LIGHT.paper)
        ]


@pytest.mark.any_game
@every_game
def test_it_is_as_wide_as_a_phone_shows_it_sharply(slug: str) -> None:
    assert 500 <= draw_expected(slug, views(slug, 1)[0]).width <= 720


def test_it_is_shown_again_and_again_and_the_last_frame_is_held() -> None:
    with Image.open(BytesIO(animate("ribbon", make_frames(views("ribbon", 5)), batch=3))) as film:
        assert film.format == "GIF"
        assert film.info["loop"] == 0
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]

    assert times == [*[500] * (len(times) - 1), 4000]


def test_the_caption_tells_the_turn_and_fills_a_bar() -> None:
    view = views("ribbon")[0]

    frames = list(
        show_frames(animate("ribbon", [Frame(view, "Turn 1", 0.0, 1), Frame(view, "Turn 2", 1.0, 1)], 2))
    )

    box = ImageChops.difference(*frames).getbbox()
    assert box is not None
    assert box[0] == 0
    assert box[2:] == (frames[0].width, CAPTION)


@pytest.mark.any_game
@every_game
def test_a_kept_file_is_not_packed_again(slug: str) -> None:
    view = views(slug)[-1]
    once = [Frame(view, "The end", 1.0, 1)]

    first, both = (len(animate(slug, once * times, batch=10)) for times in (1, 2))

    assert both - first < 100


@pytest.mark.any_game
@every_game
def test_a_replay_that_is_too_large_becomes_narrower(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gif = animate(slug, make_frames(views(slug, 5)), batch=10)
    monkeypatch.setattr(animation, "LARGEST", len(gif) * 2 // 3)

    smaller = animation.narrower(slug, gif)

    assert len(smaller) <= animation.LARGEST
    with Image.open(BytesIO(gif)) as large, Image.open(BytesIO(smaller)) as small:
        assert large.width / 4 < small.width < large.width
        assert abs(small.height - large.height * small.width / large.width) < 1
        assert [frame.info["duration"] for frame in ImageSequence.Iterator(small)] == [
            frame.info["duration"] for frame in ImageSequence.Iterator(large)
        ]


def test_the_picture_has_words_for_people_who_cannot_see_it() -> None:
    picture = animation.picture(b"GIF", ["A replay of 61 turns.", "Ann wins.", "x" * ALT_LIMIT])

    assert picture.alt == "A replay of 61 turns. Ann wins."
    assert picture.name == "replay.gif"
