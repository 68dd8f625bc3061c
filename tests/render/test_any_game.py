"""Promises that the pictures of every game keep."""

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import msgspec
import pytest

import render.ribbon
import render.tangle
import render.tanglewood
import render.tangram
import render.tesla
from engines.game import Seat
from engines.registry import SLUGS, game, words
from engines.tanglewood.pieces.board import Hop
from engines.tangram.legal.moves import TileCursor
from engines.tangram.pieces.components import FOUNTAIN
from engines.tesla import preview
from engines.words import ALT_LIMIT
from render.core.canvas import Picture
from render.ribbon.ring import SIZE
from render.tesla import HIGHEST, MARGIN, WIDTH, scoreboard
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import fresh, walk
from tests.often import often
from tests.render.images import KIBIBYTE, LONG_NAMES, difference, hashes, open_image
from tests.render.positions import GAMES, sample

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
Names = Sequence[str]
CHANGED = re.compile(
    r"Last flip|Places \d|A card from|.*'s last tiles?"
    r"|(New tile|New marker|Returned marker)s? at|Workers( changed|:) |.* changed"
)
STEPS = 12

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
every_game = pytest.mark.parametrize("slug", SLUGS)
other_games = pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "ribbon"])


def of_ribbon(view: Any, viewer: Seat | None, names: Names) -> list[Picture | None]:
    return [render.ribbon.turn(view, names)] + (
        [] if viewer is None else [render.ribbon.hand(view, viewer, names)]
    )


def of_tesla(view: Any, viewer: Seat | None, names: Names) -> list[Picture | None]:
    sites = preview.sites(view) if viewer is not None and viewer == view.seat else []
    drawn: list[Picture | None] = [render.tesla.turn(view, names), render.tesla.choices(view, names, sites)]
    if viewer is not None:
        drawn.append(render.tesla.hand(view, viewer, names))
        tiles = view.hands[viewer] or () if viewer == view.seat else ()
        fits = [fit for tile in tiles[:1] for fit in preview.fits(view, tile)[:1]]
        drawn += [render.tesla.preview(view, names, fit, 1) for fit in fits]
    return drawn


def of_tangram(view: Any, viewer: Seat | None, names: Names) -> list[Picture | None]:
    if viewer is None or viewer in view.out:
        return []
    cursor = TileCursor(view.current[0] if view.current else FOUNTAIN)
    return [render.tangram.hand(view, viewer, names), render.tangram.preview(view, names, cursor)]


def of_tanglewood(view: Any, viewer: Seat | None, names: Names) -> list[Picture | None]:
    drawn: list[Picture | None] = [render.tanglewood.forest(view, names)]
    drawn += [render.tanglewood.scoring(view, names, number) for number in range(1, len(view.scorings) + 1)]
    if viewer is not None:
        drawn.append(render.tanglewood.hand(view, viewer, names))
        drawn.append(render.tanglewood.preview(view, names, (Hop(1, "A", "B"),), {"E": 1}))
    return drawn


def of_tangle(view: Any, viewer: Seat | None, names: Names) -> list[Picture | None]:
    drawn: list[Picture | None] = [render.tangle.roots(view, names)]
    drawn.append(render.tangle.focus(view, names, ("C6", "E8"), ("CE",)))
    return drawn + ([] if viewer is None else [render.tangle.hand(view, viewer, names)])


DRAW: dict[str, Callable[[Any, Seat | None, Names], list[Picture | None]]] = {
    "ribbon": of_ribbon,
    "tesla": of_tesla,
    "tangram": of_tangram,
    "tanglewood": of_tanglewood,
    "tangle": of_tangle,
}
KINDS = {
    "ribbon": {"table", "hand", "turn"},
    "tesla": {"table", "hand", "turn", "preview", "choices"},
    "tangram": {"table", "hand", "preview"},
    "tanglewood": {"table", "forest", "scoring", "hand", "preview"},
    "tangle": {"table", "land", "part", "hand"},
}


def draw_board(slug: str, view: Any, names: Names = NAMES) -> Picture:
    picture: Picture = import_module(f"render.{slug}").board(view, names)
    return picture


def draw_all(slug: str, view: Any, viewer: Seat | None, names: Names = NAMES) -> list[Picture]:
    pictures = [draw_board(slug, view, names), *DRAW[slug](view, viewer, names)]
    return [picture for picture in pictures if picture is not None]


def is_right_size(slug: str, view: Any, width: int, height: int) -> bool:
    if slug == "ribbon":
        return width == SIZE and height <= 1400 and (height == SIZE) is (view.mode == "versus")
    if slug == "tesla":
        return width == WIDTH and 500 <= height <= HIGHEST + scoreboard.height(view) + 3 * MARGIN
    if slug == "tangram":
        return 808 <= width <= 1180 and (width < height <= 1.85 * width or view.seats == 2)
    return 1000 <= width <= 1400 and height <= (1.7 if slug == "tangle" else 1.5) * width


@pytest.mark.parametrize(
    ("slug", "every", "most"),
    [
        ("ribbon", 7, 180),
        ("tesla", 62, 250),
        ("tangram", 58, 250),
        ("tanglewood", 38, 250),
        ("tangle", 60, 300),
    ],
)
def test_every_position_gives_pictures_of_moderate_size(slug: str, every: int, most: int) -> None:
    ended, names = set(), set()
    for state in sample(slug, often(2 * every, every)):
        view = game(slug).view(state, None)
        assert is_right_size(slug, view, *open_image(draw_board(slug, view)).size)
        viewer = next(iter(game(slug).prompts(state)), 0)
        for picture in draw_all(slug, game(slug).view(state, viewer), viewer):
            width, height = open_image(picture).size
            assert 600 <= width <= 1400
            assert height <= 1.85 * width
            assert len(picture.png) <= most * KIBIBYTE
            assert 0 < len(picture.alt) <= ALT_LIMIT
            names.add(picture.name)
        ended |= {state.seats} if not game(slug).prompts(state) else set()
    assert len(ended) >= 2
    assert names == {f"{slug}-{kind}.png" for kind in KINDS[slug]}


@every_game
def test_any_names_can_be_drawn(slug: str) -> None:
    for number, state in enumerate(sample(slug, often(150, 60))):
        for viewer in often((None, 1 % state.seats)[number % 2 :][:1], (None, 1 % state.seats)):
            view = game(slug).view(state, viewer)
            nameless = draw_all(slug, view, viewer, ()) if viewer is None else []
            for picture in draw_all(slug, view, viewer, LONG_NAMES) + nameless:
                # The words of a hand in the circle are many: they fit with names as long as Discord's.
                assert len(picture.alt) <= ALT_LIMIT or picture.name == "ribbon-turn.png"
                assert len(picture.png) <= 300 * KIBIBYTE


@other_games
def test_a_hand_is_on_no_board_and_is_drawn_for_its_owner_alone(slug: str) -> None:
    rules, hand = game(slug), import_module(f"render.{slug}").hand
    for state in islice(GAMES[slug][1](), 3, 60, 19):
        spectator, *seen = [rules.view(state, viewer) for viewer in (None, *range(state.seats))]
        latest = {name: getattr(spectator, name) for name in ("before", "news") if hasattr(spectator, name)}
        boards = {draw_board(slug, msgspec.structs.replace(view, **latest)).png for view in seen}
        assert boards == {draw_board(slug, spectator).png}
        assert hand(spectator, 0, NAMES) is None
        assert [hand(seen[0], other, NAMES) for other in range(1, state.seats)] == [None] * (state.seats - 1)


@other_games
def test_a_departed_seat_is_named_and_looks_different(slug: str) -> None:
    rules, state = game(slug), next(islice(GAMES[slug][-1](), 9, None))
    before = draw_board(slug, rules.view(state, None))

    rules.resign(state, 1)

    after = draw_board(slug, rules.view(state, None))
    assert re.search("Bo (has left|is out)", after.alt)
    assert difference(before, after) is not None


def drawings(slug: str) -> list[Callable[[], list[Picture]]]:
    """Return functions that draw some of a game's first positions, as everybody or seat 1 sees them."""
    views = [
        (game(slug).view(state, viewer), viewer)
        for state in islice(GAMES[slug][-1](), 0, 40, 13)
        for viewer in (None, 0)
    ]
    return [partial(draw_all, slug, view, viewer, ("山田 🦊", *NAMES[1:])) for view, viewer in views]


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=() if slug == "ribbon" else pytest.mark.thorough) for slug in SLUGS]
)
def test_every_process_draws_the_same_bytes_in_whatever_order(slug: str) -> None:
    sheet = "lambda: [test_sheets.sheet(test_sheets.CHARTED)]"
    card = "lambda: [test_result.card(test_result.of_a_game('tangle', 'table-4'), test_result.NAMES)]"

    assert len(hashes(f"[*test_any_game.drawings({slug!r}), {sheet}, {card}]")) == 1


@other_games
def test_caches_of_pieces_have_a_bound(slug: str) -> None:
    caches = [
        value.cache_info()
        for name, module in sys.modules.items()
        if name.startswith(f"render.{slug}.") and name != "render.tesla.paths"  # of few shapes
        for value in vars(module).values()
        if hasattr(value, "cache_info") and value.__module__.startswith(f"render.{slug}.")
    ]
    assert len(caches) > 3
    assert all(cache.maxsize is not None and cache.maxsize <= 800 for cache in caches)


@every_case
def test_an_alt_text_says_first_what_changed(case: GameCase) -> None:
    rules, result = case.game, 0
    table = case.tables[0]
    assert not CHANGED.match(draw_board(case.slug, rules.view(fresh(rules, table, b"alt text"), None)).alt)
    for number, (state, _) in enumerate(walk(rules, table, b"alt text", 1.0)):
        view = rules.view(state, None)
        changed = words(case.slug).describe_changes(view, NAMES)[1:]
        is_going = bool(rules.prompts(state))  # a result comes before all else
        if is_going and number % 4 == 3 and changed and not changed[-1].startswith("Here means"):
            result += 1
            assert CHANGED.match(draw_board(case.slug, view).alt)
        if number == STEPS:
            break
    assert result
