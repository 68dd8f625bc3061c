import re
from typing import Any, get_args

import msgspec
import pytest
from PIL import ImageChops

from engines.game import BoardChange, Outcome
from engines.tangle import GAME, decisions
from engines.tangle.decisions import Decision
from engines.tangle.pieces.board import Kind, TangleTile
from engines.tangle.pieces.components import ALTERNATIVES, CARDS, CONDITIONS, SPACES, TRACKS, TangleOptions
from engines.tangle.view import TangleView, TurnChanges
from engines.tangle.words import captions
from engines.tangle.words.spoken import TRACK_NAMES
from engines.words import ALT_LIMIT
from render.core.canvas import Box, Canvas
from render.core.text import fit, wrap
from render.tangle import LAND, WIDTH, almanac, board, cards, colours, focus, hand, roots, scoreboard, sheets
from render.tangle.colours import LEAST, THEMES
from tests.engines.cases import CASES
from tests.engines.conformance import fresh, walk
from tests.often import often
from tests.render.images import KIBIBYTE, count_pixels, difference, inside, open_image
from tests.render.positions import lands, pack_game, unpack

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee")
SEATS = range(2, 5)
DECISIONS: tuple[Decision, ...] = (
    decisions.Upkeep("cards", (("windfall",), ("landslide",)), (0, 0)),
    decisions.Placing(),
    decisions.Placing("X"),
    decisions.Toll(((1, 2),)),
    decisions.Casting(),
    decisions.Pushing(2),
    decisions.Earths(),
    decisions.Lakes(),
    decisions.Meadows(),
    decisions.Planting(),
    decisions.Growing(),
    decisions.DrawingCards(2),
    decisions.Sprouting(),
    decisions.Hedging(),
    decisions.Transforming(),
    decisions.Swapping(2, 3),
    decisions.Diverse(),
    decisions.Sacrificing(),
    decisions.TakingOver(),
    decisions.GainingAny(3),
    decisions.Draining(2, 3),
    decisions.Recalling(1),
    decisions.Lowering(4),
    decisions.RunningCard(ops=(), card="windfall"),
)


def view_growth(seats: int = 3, viewer: int | None = None, **fields: Any) -> TangleView:
    positions = pack_game("tangle", seats - 2)
    view = GAME.view(unpack("tangle", positions[2 * len(positions) // 3]), viewer)
    return msgspec.structs.replace(view, **({"changed": TurnChanges()} | fields))


def around(code: str, seats: int = 3) -> Box:
    laid = colours.fitting(seats, WIDTH, LAND)
    x, y = laid.space(code) if code in SPACES else laid.area(code)
    reach = 1.3 * laid.unit
    return x - reach, y - reach, x + reach, y + reach


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: str(decision.__struct_config__.tag))
def test_every_decision_can_be_drawn(decision: Decision) -> None:
    assert {type(one) for one in DECISIONS} == set(get_args(Decision))
    picture = board(view_growth(2, decision=decision, owing=(0,)), NAMES)
    assert re.search(r"Ann \w+.*\. Ann has ", picture.alt)


@pytest.mark.parametrize("seats", SEATS)
def test_only_what_is_in_play_is_drawn_and_large_enough_at_a_width_of_400(seats: int) -> None:
    in_play = {area.code for area in colours.areas(seats)} | {space.code for space in colours.spaces(seats)}
    assert ("A1" in in_play) == (seats > 2)
    assert ("C1" in in_play) == (seats > 3)
    laid = colours.fitting(seats, WIDTH, LAND)
    assert {code for code, _, _ in laid.places()} == in_play
    for _, (x, y), radius in laid.places():
        assert radius <= x <= laid.width - radius
        assert radius <= y <= laid.height - radius
    assert 0.4 * laid.unit * 400 / WIDTH >= 9


def test_places_do_not_cover_each_other() -> None:
    entries = colours.fitting(4, WIDTH, LAND).places()
    for index, (_, (x, y), radius) in enumerate(entries):
        for _, (u, v), other in entries[:index]:
            assert (x - u) ** 2 + (y - v) ** 2 >= (radius + other) ** 2


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_tile_changes_its_area_and_nothing_else_on_the_land(kind: Kind) -> None:
    view = view_growth()
    code = next(area.code for area in colours.areas(3) if area.code not in view.tiles)
    more = msgspec.structs.replace(view, tiles=view.tiles | {code: TangleTile(1, kind)})
    land = colours.fitting(3, WIDTH, LAND).height
    one, two = (open_image(board(each, NAMES)).crop((0, 0, WIDTH, land)) for each in (view, more))
    assert inside(ImageChops.difference(one, two).getbbox(), around(code))


def test_everything_on_a_tile_can_be_seen() -> None:
    code = "C6"
    seen = set()
    lying = [TangleTile(seat, kind) for seat in range(3) for kind in get_args(Kind)]
    lying += [TangleTile(0, "earth", seed="bush"), TangleTile(0, "earth", seed="tree")]
    lying += [TangleTile(0, kind, cubes=cubes) for kind in ("bush", "meadow") for cubes in (1, 5, 23)]
    lying += [TangleTile(0, "tree", roots=roots) for roots in range(1, 6)]
    for tile in lying:
        view = view_growth()
        seen.add(
            open_image(board(msgspec.structs.replace(view, tiles=view.tiles | {code: tile}), NAMES)).tobytes()
        )
    assert len(seen) == len(lying)


@pytest.mark.essential
def test_the_order_of_a_pile_of_roots_and_a_root_that_sleeps_can_be_seen() -> None:
    piles = [(0, 1), (1, 0), (0, 0, 1), (0, 1, 1), (0, 1, 2, 0, 1)]
    view = view_growth(roots={})
    drawn = [board(msgspec.structs.replace(view, roots={"CE": pile}), NAMES) for pile in piles]
    assert len({open_image(picture).tobytes() for picture in drawn}) == len(piles)
    assert "Roots on the spaces, from the top: Bo, Ann, Cy, Bo and Ann on CE." in drawn[-1].alt
    for picture in drawn:
        assert inside(difference(board(view, NAMES), picture), around("CE"))
    awake = view_growth(2, roots={"X": (0,)}, centre="hibernate")
    players = (msgspec.structs.replace(awake.players[0], sleeper="X"), awake.players[1])
    asleep = msgspec.structs.replace(awake, players=players)
    assert inside(difference(board(awake, NAMES), board(asleep, NAMES)), around("X", 2))


@pytest.mark.parametrize("space", ["E", "S1"])
def test_resources_on_a_space_are_drawn(space: str) -> None:
    view = view_growth()
    seen = set()
    for lies in ((0, 0, 0, 0), (1, 2, 0, 0), (1, 1, 1, 1), (12, 11, 10, 13)):
        other = msgspec.structs.replace(view, resources=view.resources | {space: lies})
        picture = board(other, NAMES)
        seen.add(open_image(picture).crop(around(space)).tobytes())
    assert len(seen) == 4


def test_changes_are_outlined_where_they_happened_and_an_exchanged_space_is_fed_no_more() -> None:
    plain = board(view_growth(), NAMES)
    for code, changed in (("C6", TurnChanges(areas=("C6",))), ("CE", TurnChanges(spaces=("CE",)))):
        picture = board(view_growth(changed=changed), NAMES)
        assert inside(difference(plain, picture), around(code))
        assert count_pixels(picture, LIGHT.gold) > count_pixels(plain, LIGHT.gold) + 500
        assert f"The board changed at {code}." in picture.alt
    view = view_growth()
    lies = {space: amount for space, amount in view.resources.items() if space != "S1"}
    options = TangleOptions(exchange=(("S1", "takeover"),))
    plain = board(view, NAMES)
    other = board(msgspec.structs.replace(view, options=options, resources=lies), NAMES)
    left, top, right, bottom = around("S1")
    assert inside(difference(plain, other), (left - 80, top - 80, right + 80, bottom + 80))


@pytest.mark.parametrize("centre", [None, *ALTERNATIVES])
def test_the_centre_shows_its_action(centre: str | None) -> None:
    none, some = (board(view_growth(centre=action), NAMES) for action in (None, centre))
    assert (difference(none, some) is None) == (centre is None)


@pytest.mark.parametrize("seats", SEATS[: often(1, 3)])
def test_the_tracks_show_tracker_and_marker(seats: int) -> None:
    drawn, entries = set(), set()
    for index, track in enumerate(TRACKS):
        for steps in range(seats + 2):
            for owner in (None, *range(seats)):
                trackers = [1, 1, 1]
                markers: list[int | None] = [None, None, None]
                trackers[index], markers[index] = steps, owner
                if steps in (0, seats + 1) or owner is None:
                    view = view_growth(seats, trackers=tuple(trackers), markers=tuple(markers))
                    picture = board(view, NAMES)
                    drawn.add(picture.png)
                    entries.add(picture.alt)
                    due = "" if owner is None else f" (upkeep due before {NAMES[owner]}'s turn)"
                    assert f"{TRACK_NAMES[track]} {steps}{due}" in picture.alt
    assert len(drawn) == len(entries)


def test_the_player_to_move_looks_different_and_many_enchantments_and_large_numbers_fit() -> None:
    pictures = [board(view_growth(seat=seat, owing=(seat,)), NAMES) for seat in range(3)]
    assert len({picture.png for picture in pictures}) == 3
    assert "Bo must place" in board(view_growth(seat=1, owing=(1,), decision=decisions.Placing()), NAMES).alt
    every = tuple(CARDS)
    view = view_growth(4)
    player = msgspec.structs.replace(view.players[0], front=(*every[:12], *every[:3]), stash=(99, 99, 99, 99))
    more = msgspec.structs.replace(view, players=(player,) * 4, row=(), pile=0)
    picture = board(more, NAMES)
    width, height = open_image(picture).size
    assert height <= 1.8 * width
    assert len(picture.png) <= 300 * KIBIBYTE


def test_the_end_shows_what_the_winners_fulfilled_and_the_others_lack() -> None:
    shown = ((), ("garden", "thicket"), ())
    outcome = Outcome("condition", (2, 1, 2))
    over = view_growth(
        phase="over", owing=(), decision=None, outcome=outcome, shown=shown, secrets=(("garden",),) * 3
    )
    picture = board(over, NAMES)
    assert picture.alt.startswith("Bo wins after ")
    assert "Bo wins with Three of All and The Thicket." in picture.alt
    assert difference(picture, board(msgspec.structs.replace(over, shown=((), (), ())), NAMES)) is not None
    both = msgspec.structs.replace(over, outcome=Outcome("condition", (1, 1, 3)))
    assert board(both, NAMES).alt.startswith("A shared victory after ")
    off = msgspec.structs.replace(over, outcome=None, secrets=None)
    assert board(off, NAMES).alt.startswith("Called off after ")
    view = GAME.view(unpack("tangle", pack_game("tangle", 2)[-1]), None)
    assert view.over
    assert view.outcome is not None
    for seat, place in enumerate(view.outcome.places):
        lacks = place != 1 or view.outcome.how == "limit"
        text = board(view, NAMES).alt.partition(f"{NAMES[seat]} comes ")[2].partition(", and has")[0]
        assert text.startswith(f"{place}")
        assert (" and needs " in text) == lacks


@pytest.mark.parametrize("card", CARDS)
def test_the_name_of_a_face_up_card_fits_its_two_lines(card: str) -> None:
    canvas = Canvas(420, scoreboard.CARD, THEMES["light"])

    lines = sheets.heading(canvas, card, (0, 0, 410, scoreboard.CARD - 4), LEAST)

    assert lines <= 2


def view_hand(*hand: str, **fields: Any) -> TangleView:
    return view_growth(viewer=1, hand=hand, **fields)


def test_a_hand_tells_its_cards_and_what_each_condition_lacks() -> None:
    view = view_hand("quiet_chant", "landslide", "landslide", conditions=("garden", "one_land"), tiles={})
    picture = hand(view, 1, NAMES)
    assert picture is not None
    assert picture.alt.startswith("Bo holds Quiet Chant and Landslide ×2.")
    lacking = "3 trees, 3 meadows, 3 bushes and 3 lakes"
    assert f"For Three of All, Bo still needs {lacking}." in picture.alt
    assert "Quiet Chant costs 2 mana. Pay 1 M less to cast an enchantment." in picture.alt
    assert len(picture.png) <= 150 * KIBIBYTE


def test_hands_of_other_cards_or_conditions_differ_and_only_missing_parts_are_bold() -> None:
    drawn = {open_image(hand(view_hand(card), 1, NAMES)).tobytes() for card in CARDS}
    assert len(drawn) == len(CARDS)
    drawn = {
        open_image(hand(view_hand(conditions=(condition,)), 1, NAMES)).tobytes() for condition in CONDITIONS
    }
    assert len(drawn) == len(CONDITIONS)
    tiles = {area.code: TangleTile(1, "tree") for area in colours.areas(3)[:3]}
    lacking = hand(view_hand(conditions=("garden",), tiles={}), 1, NAMES)
    fewer = hand(view_hand(conditions=("garden",), tiles=tiles), 1, NAMES)
    assert fewer is not None
    assert "Bo still needs 3 meadows, 3 bushes and 3 lakes." in fewer.alt
    danger = (192, 31, 47)
    assert count_pixels(lacking, danger) > count_pixels(fewer, danger) > 0


def test_a_hand_of_any_size_can_be_drawn_and_an_empty_one_has_no_picture() -> None:
    ids = [card.id for card in CARDS.values() for _ in range(card.copies)]
    for size in (0, 1, 3, 12, 51):
        picture = hand(view_hand(*ids[:size]), 1, NAMES)
        assert picture is not None
        assert len(picture.png) <= 280 * KIBIBYTE
        assert len(picture.alt) <= ALT_LIMIT
        assert open_image(picture).width == 1200
    assert hand(view_hand(conditions=()), 1, NAMES) is None


def test_a_focus_marks_and_holds_its_candidates_and_tells_what_lies_there() -> None:
    view = view_growth(
        tiles={"C6": TangleTile(0, "meadow", cubes=2), "D7": TangleTile(1, "earth", seed="bush")},
        roots={"CE": (1,)},
    )
    picture = focus(view, NAMES, ("C6", "C7", "D7"), ("CE", "TS"))
    assert picture.alt == (
        "A part of the land. Area C6: Ann's meadow, 2 resources on it. Area C7: empty. "
        "Area D7: Bo's earth, bush seed. Space CE has a root of Bo. Space TS is empty."
    )
    assert count_pixels(picture, LIGHT.gold) > 5000
    assert count_pixels(focus(view, NAMES, (), ()), LIGHT.gold) == 0
    view = view_growth(4)
    assert count_pixels(focus(view, NAMES, ()), LIGHT.gold) < 1500
    for area in colours.areas(4)[:: often(12, 3)]:
        assert count_pixels(focus(view, NAMES, (area.code,)), LIGHT.gold) > 1500


@pytest.mark.parametrize("seats", SEATS)
def test_a_focus_is_of_moderate_size_whatever_is_chosen(seats: int) -> None:
    view = view_growth(seats)
    areas, spaces = colours.areas(seats), colours.spaces(seats)
    for few in (1, 3, 10, 70):
        chosen = tuple(area.code for area in areas[-few:]), tuple(space.code for space in spaces[: few // 3])
        picture = focus(view, NAMES, *chosen)
        width, height = open_image(picture).size
        assert 600 <= width <= 1250
        assert 500 <= height <= 1250
        assert len(picture.png) <= 300 * KIBIBYTE
        assert len(picture.alt) <= ALT_LIMIT


def test_the_land_alone_is_that_of_the_board() -> None:
    view = view_growth(3, tiles={"C6": TangleTile(0, "meadow", cubes=2)}, roots={"CE": (1,)})
    alone, whole = open_image(roots(view, NAMES)), open_image(board(view, NAMES))
    assert alone.height < whole.height
    assert ImageChops.difference(alone, whole.crop((0, 0, *alone.size))).getbbox() is None
    assert "C6: Ann's meadow, 2 resources on it." in roots(view, NAMES).alt


def test_cards_are_shown_with_words_and_the_almanac_has_all() -> None:
    picture = cards(("old_lore", "landslide"))
    assert picture.alt.startswith("2 enchantments. Old Lore costs 2 mana. When you use the space")
    assert cards(("old_lore",)).png != cards(("landslide",)).png
    assert open_image(cards(("old_lore",))).width < open_image(picture).width
    pages = almanac(LIGHT)
    assert [page.name for page in pages] == [
        f"tangle-cards-{number}.png" for number in range(1, len(pages) + 1)
    ]
    for page in pages:
        assert 1000 <= open_image(page).width <= 1400
        assert len(page.png) <= 150 * KIBIBYTE
        assert len(page.alt) <= ALT_LIMIT


@pytest.fixture(scope="module")
def later() -> TangleView:
    """Return a view of Ann's while both have roots on spaces."""
    case = next(case for case in CASES if case.slug == "tangle")
    table = case.usual_tables[0]
    state = fresh(case.game, table, b"changes")
    for reached, _ in walk(case.game, table, b"changes", 1.0):
        state = reached
        if len({seat for owners in state.roots.values() for seat in owners}) > 1:
            break
    view: TangleView = case.game.view(state, 0)
    return view


def with_news(view: TangleView, *news: BoardChange) -> TangleView:
    spaces = tuple(one.place for one in news)
    return msgspec.structs.replace(view, changed=TurnChanges((), spaces), news=news)


def test_a_changed_space_has_its_seats_colour_and_a_moved_root_an_arrow(later: TangleView) -> None:
    pictures = {board(with_news(later, BoardChange("CE", "roots", seat)), NAMES).png for seat in (None, 0, 1)}
    assert len(pictures) == 3
    still, moved = (with_news(later, BoardChange("CE", "roots", 0, start=start)) for start in (None, "EN"))
    assert board(still, NAMES).png != board(moved, NAMES).png
    left = with_news(later, BoardChange("CE", "roots", 0, start="EN"), BoardChange("EN", "roots", 0))
    assert difference(board(moved, NAMES), board(left, NAMES)) is None


def test_a_choice_marks_no_changes_and_own_roots_are_bolder(later: TangleView) -> None:
    changed = with_news(later, BoardChange("CE", "roots", 0, start="EN"))
    assert focus(changed, NAMES, (), ("CE",)).png == focus(later, NAMES, (), ("CE",)).png
    other = msgspec.structs.replace(later, viewer=1)
    assert roots(later, NAMES).png != roots(other, NAMES).png
    assert board(later, NAMES).png == board(other, NAMES).png


def first(seats: int = 3, **fields: Any) -> TangleView:
    return msgspec.structs.replace(GAME.view(next(lands(seats)), None), **fields)


def end_game(*places: int | None) -> TangleView:
    return first(len(places), phase="over", outcome=Outcome("condition", places), owing=(), decision=None)


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (first(), "Round 1 of 50"),
        (first(options=TangleOptions(round_limit=0), round=7), "Round 7"),
        (end_game(2, 1, 3), "Bo wins"),
        (end_game(1, 3, 1), "A shared victory"),
        (end_game(None, None), "Called off"),
    ],
)
def test_the_headline_tells_the_round_or_the_end(view: TangleView, text: str) -> None:
    assert captions.title(view, NAMES) == text


def test_the_pool_the_turns_gains_and_the_duties_are_shown() -> None:
    assert captions.supply(first()) == ["pile 39", "discards 0"]
    assert captions.supply(first(changes=1, extra=2))[:2] == ["1 change", "2 more placements"]
    assert captions.supply(first(changes=2, extra=1))[:2] == ["2 changes", "1 more placement"]
    assert captions.supply(first(reserve=3))[0] == "toll 3"
    assert captions.supply(end_game(1, 2))[0] == "after round 1"
    assert captions.status(first(), 0).short == "to place"
    assert captions.status(first(), 1).short == ""
    assert captions.status(first(decision=decisions.Lakes()), 0).short == "to act"
    upkeep = decisions.Upkeep("lakes", ((), ("C6",), ()), (0, 0, 0))
    waiting = first(decision=upkeep, owing=(1,))
    assert [captions.status(waiting, seat).short for seat in range(3)] == ["turn", "owes upkeep", ""]


def test_the_opening_and_conditions_in_words() -> None:
    text = captions.describe_board(first(2), NAMES)
    assert text.startswith(
        "Round 1 of 50. The pile has 42 cards. There are no discards. "
        "The supply has 10 bush seeds and 10 tree seeds. Ann must place a root. Ann has "
        "2 water, 2 earth, 2 nourishment and 2 mana, plus 2 trees and 3 cards in hand. "
        "Bo has 2 water, 2 earth, 2 nourishment and 2 mana, plus 2 trees"
    )
    assert "Steps to the top of the upkeep tracks: lakes 3; bushes and meadows 3; enchantments 3." in text
    assert "Resources: 2 earth on space E, 2 water on space W, 2 mana on space M and 2 nourishment" in text
    text = captions.describe_conditions(["one_land", "broad_realm"])
    assert "13 connected tiles and 8 enchantments in front of you" in text
    assert "15 tiles in all" in text


def test_areas_in_words_list_their_contents_and_spaces_their_roots() -> None:
    view = first(
        tiles={
            "C6": TangleTile(0, "bush", cubes=3),
            "C7": TangleTile(1, "tree", roots=2),
            "C8": TangleTile(2, "earth", seed="tree"),
            "C9": TangleTile(2, "lake"),
        }
    )
    lines = [captions.tile(view, NAMES, code) for code in ("C6", "C7", "C8", "C9", "D7")]
    assert lines == [
        "Ann's bush, 3 resources on it",
        "Bo's tree, 2 roots at home",
        "Cy's earth, tree seed",
        "Cy's lake",
        "empty",
    ]
    view = first(roots={"E": (2, 0)}, resources={"E": (0, 4, 0, 0), "W": (0, 0, 0, 0)})
    told = captions.describe_focus(view, NAMES, (), ("E", "W", "CE"))
    assert told == (
        "A part of the land. Space E has 4 earth, and roots of Ann and Cy from the top. "
        "Space W is empty. Space CE is empty."
    )


def test_cards_have_the_names_of_menus_in_two_lines_and_long_alt_texts_end_with_a_sentence() -> None:
    assert [name for _, name in captions.several(list(CARDS))] == [card.name for card in CARDS.values()]
    for card in CARDS.values():
        lines = wrap(card.name, 260, LEAST, 600)
        assert len(lines) <= 2
        assert all(fit(line, 10_000, LEAST, 600).width <= 260 for line in lines)
    text = captions.describe_cards(CARDS)
    assert len(text) <= ALT_LIMIT
    assert text.startswith("39 enchantments.")
    assert text.endswith(".")
    assert captions.keep_together("pay 1 W and 2 N") == "pay 1\u00a0W and 2\u00a0N"
