import re
from itertools import islice
from typing import Any, get_args

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.game import BoardChange, Outcome
from engines.tanglewood import GAME
from engines.tanglewood.moves import PlacedWorker
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Hop
from engines.tanglewood.pieces.components import FOX_TILES, TRACKS, FoxTileDeed, NudgeDeed
from engines.tanglewood.preview import try_choice
from engines.tanglewood.truth.state import TanglewoodState
from engines.tanglewood.view import Phase, TanglewoodView
from engines.tanglewood.words import captions
from engines.words import ALT_LIMIT, seat_name
from render.core.canvas import Canvas, Picture
from render.tanglewood import almanac, board, forest, hand, land, places, preview, scoreboard, scoring, signs
from render.tanglewood.colours import THEMES, TanglewoodCanvas
from render.tanglewood.land import ForestPlan
from render.tanglewood.signs import Thing
from tests.engines.cases import CASES
from tests.engines.conformance import fresh
from tests.render.images import KIBIBYTE, count_pixels, difference, inside, open_image
from tests.render.positions import forests, pack_game, unpack

LIGHT = THEMES["light"]

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")


def reach_phase(phase: Phase, seats: int = 4, skip: int = 0) -> TanglewoodState:
    """Return the first position in that phase or later."""
    states = (unpack("tanglewood", packed) for packed in pack_game("tanglewood", seats - 3))
    state: TanglewoodState = next(islice((state for state in states if state.phase == phase), skip, None))
    return state


def view_phase(phase: Phase, seats: int = 4, **fields: Any) -> TanglewoodView:
    return msgspec.structs.replace(GAME.view(reach_phase(phase, seats), None), **fields)


@pytest.mark.parametrize("seats", range(3, 6))
def test_every_phase_can_be_drawn_for_every_number_of_seats(seats: int) -> None:
    first: dict[Phase, Picture] = {}
    for packed in pack_game("tanglewood", seats - 3):
        state = unpack("tanglewood", packed)
        if state.phase not in first:
            first[state.phase] = board(GAME.view(state, None), NAMES)
    assert set(first) == set(get_args(Phase))
    assert "Round 1. " in first["turn"].alt
    assert "the mid-game scoring, after" in first["ballots"].alt
    assert "the mid-game scoring is over" in first["keep"].alt
    assert first["over"].alt.split(" after")[0].endswith(("is Mayor", "A shared victory"))
    over = view_phase("over", seats)
    assert over.outcome is not None
    winner = over.outcome.places.index(1)
    assert re.search(rf"{NAMES[winner]}(?: has)? {over.votes[winner]}\b", first["over"].alt)
    assert "The Tangle in use is " in first["effect"].alt
    assert len({picture.png for picture in first.values()}) == len(first)


def test_a_worker_more_changes_its_region_alone_and_the_active_one_is_outlined() -> None:
    view = view_phase("turn", active=None)
    counts = view.workers["E"]
    more = view.workers | {"E": (counts[0] + 1, *counts[1:])}
    view = msgspec.structs.replace(view, before=view.workers)
    other = msgspec.structs.replace(view, workers=more, before=more)
    assert inside(difference(board(view, NAMES), board(other, NAMES)), ForestPlan(4).box("E"))
    none, active = (board(view_phase("turn", active=region), NAMES) for region in (None, "E"))
    box = ForestPlan(4).box("E")
    assert inside(difference(none, active), (box[0] - 12, box[1] - 12, box[2] + 12, box[3] + 12))
    assert count_pixels(active, LIGHT.highlight) > count_pixels(none, LIGHT.highlight) + 4000


def test_changes_are_marked_where_they_happened() -> None:
    view = view_phase("turn")
    counts = view.workers["C"]
    before = view.workers | {"C": (counts[0] + 1, *counts[1:])}
    same, changed = (
        board(msgspec.structs.replace(view, before=was), NAMES) for was in (view.workers, before)
    )
    box = difference(same, changed)
    assert inside(box, ForestPlan(4).box("C"))
    assert box is not None
    assert box[3] - box[1] < 40


def test_a_card_that_is_carried_out_and_every_track_of_a_wild_one_show() -> None:
    view = view_phase("effect")
    assert view.active is not None
    assert view.card is not None
    gone = msgspec.structs.replace(view, card=None)
    assert inside(difference(board(view, NAMES), board(gone, NAMES)), ForestPlan(4).box(view.active))
    drawn = set()
    for card in ("T12", "T13", "T14", "T15"):
        view = view_phase("turn")
        view = msgspec.structs.replace(view, tangles=view.tangles | {"A": card})
        drawn.add(board(view, NAMES).png)
    assert len(drawn) == 4


def test_the_turn_order_is_shown_and_a_seat_that_has_chosen_looks_different() -> None:
    view = view_phase("turn")
    turned = msgspec.structs.replace(view, order=view.order[::-1])
    one, two = board(view, NAMES), board(turned, NAMES)
    names = [NAMES[seat] for seat in view.order]
    assert f". {names[0]} has 5 votes" in one.alt
    assert f". {names[-1]} has 5 votes" in two.alt
    assert one.png != two.png
    view = view_phase("ballots", owing=(0, 1, 2))
    fewer = msgspec.structs.replace(view, owing=(1, 2))
    before, after = board(view, NAMES), board(fewer, NAMES)
    assert "Ann must choose" in before.alt
    assert "Ann has answered" in after.alt
    box = difference(before, after)
    assert box is not None
    assert box[1] > ForestPlan(4).height
    assert box[2] - box[0] < 340


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"poll_round": None, "midgame_done": False, "out_round": None}, "Opinion Poll is still to come"),
        ({"poll_round": 5, "midgame_done": False, "out_round": None}, "scoring comes after round 6"),
        ({"poll_round": 5, "midgame_done": True, "out_round": None}, "mid-game scoring is over"),
        ({"poll_round": 5, "midgame_done": True, "out_round": 11}, "round 12 is the last one"),
        ({"deck": 1, "out_round": None}, "1 Tangle left"),
    ],
)
def test_the_alt_text_says_how_long_the_game_lasts(fields: dict[str, Any], text: str) -> None:
    assert text in board(view_phase("turn", **fields), NAMES).alt


def test_after_a_scoring_each_region_says_what_it_paid_and_before_there_is_no_table() -> None:
    view = view_phase("over")
    assert view.scorings
    nothing = dict.fromkeys(components.REGIONS, (0,) * view.seats)
    unpaid = msgspec.structs.replace(view, scorings=(view.scorings[0], nothing))
    gold = LIGHT.metals[0]
    assert count_pixels(board(view, NAMES), gold) > count_pixels(board(unpaid, NAMES), gold) + 3000
    for number in (0, 1, 3):
        with pytest.raises(ValueError, match="no scoring"):
            scoring(view_phase("turn"), NAMES, number)


def view_hand(*ballots: str, seat: int = 1) -> TanglewoodView:
    view = GAME.view(reach_phase("turn", skip=20), seat)
    hands = tuple(ballots if index == seat else None for index in range(view.seats))
    return msgspec.structs.replace(view, hands=hands)


def test_an_alt_text_lists_numbers_for_long_names_and_neutrals_at_three_seats_only() -> None:
    view = view_phase("turn", 4)
    short, long = board(view, NAMES).alt, board(view, ["A name that is long"] * 4).alt
    assert "Acorn Rise (A): Ann " in short
    assert "in numbers for " in long
    assert re.search(r"Acorn Rise \(A\): \d, \d, \d, \d; .*Fox \d, \d, \d, \d\.$", long)
    three, four = (board(view_phase("turn", seats), NAMES) for seats in (3, 4))
    assert "neutral" in three.alt
    assert "neutral" not in four.alt
    assert count_pixels(three, LIGHT.neutral) > count_pixels(four, LIGHT.neutral) + 1500


def test_the_forest_alone_is_that_of_the_board() -> None:
    view = view_phase("effect")
    alone, whole = open_image(forest(view, NAMES)), open_image(board(view, NAMES))
    assert alone.height < whole.height
    assert ImageChops.difference(alone, whole.crop((0, 0, *alone.size))).getbbox() is None
    assert forest(view, NAMES).alt.startswith("The forest. Workers in Acorn Rise (A): Ann ")


def test_a_hand_shows_each_region_with_its_ballots_and_looks_different() -> None:
    picture = hand(view_hand("A", "C", "C", "I"), 1, NAMES)
    assert picture is not None
    assert picture.alt.startswith("You hold 4 Secret Ballots.")
    assert "If you play one of your 2 Clover Dell (C) ballots, you stay 1st there." in picture.alt
    assert len(picture.png) <= 150 * KIBIBYTE
    drawn = {open_image(hand(view_hand(region), 1, NAMES)).tobytes() for region in components.REGIONS}
    drawn.add(open_image(hand(view_hand("A", "A"), 1, NAMES)).tobytes())
    assert len(drawn) == len(components.REGIONS) + 1


def test_a_hand_of_any_size_can_be_drawn_and_an_empty_one_has_no_picture() -> None:
    assert hand(view_hand(), 1, NAMES) is None
    for size in (1, 2, 5, 9, 30):
        ballots = tuple(sorted((list(components.REGIONS) * 4)[:size]))
        picture = hand(view_hand(*ballots), 1, NAMES)
        assert picture is not None
        assert len(picture.png) <= 250 * KIBIBYTE
        assert len(picture.alt) <= ALT_LIMIT


def level(viewer: int = 0, seats: int = 4) -> TanglewoodView:
    """Return the opening board with two workers of every colour everywhere."""
    return GAME.view(unpack("tanglewood", pack_game("tanglewood", seats - 3)[0]), viewer)


def test_a_preview_tells_standing_and_votes_now_and_then() -> None:
    picture = preview(level(), NAMES, (), {"E": 1})
    assert picture.alt == (
        "Preview. If the forest voted now, you'd get 0 votes. After this, you'd get 8 votes. "
        "Elder Grove (E): Ann has 3 workers instead of 2, and is 1st. "
        "You'd get 8 votes there, instead of 0."
    )
    assert count_pixels(picture, LIGHT.ink) > 1000


def test_a_preview_shows_every_region_that_changes_in_the_order_of_the_map() -> None:
    hops = (Hop(1, "I", "E"), Hop(2, "A", "E"))
    attempt = try_choice(level(), hops, {"E": 2})
    assert list(attempt.after) == ["A", "E", "I"]
    assert attempt.after["E"] == (4, 3, 3, 2)
    assert attempt.after["A"] == (2, 2, 1, 2)
    assert attempt.paid == {"A": (0, 2), "E": (0, 8), "I": (0, 2)}
    assert attempt.total == (0, 12)
    picture = preview(level(), NAMES, hops, {"E": 2})
    assert "Cy, Dee and Ann rise from 4th to 3rd" in picture.alt
    assert picture.alt.index("Acorn Rise (A)") < picture.alt.index("Elder Grove (E)")


def test_a_preview_shows_neutral_moves_evictions_or_nothing_to_a_player() -> None:
    attempt = try_choice(level(seats=3), (Hop(NEUTRAL, "A", "B"),), {})
    assert attempt.after == {"A": (2, 2, 2, 1), "B": (2, 2, 2, 3)}
    assert (
        "The neutral colour has 1 worker instead of 2"
        in preview(level(seats=3), NAMES, (Hop(NEUTRAL, "A", "B"),), {}).alt
    )
    gone = tuple(PlacedWorker("E", colour) for colour in (1, 2, 3))
    attempt = try_choice(level(), (), {"E": 1}, gone)
    assert attempt.after == {"E": (3, 1, 1, 1)}
    assert attempt.paid == {"E": (0, 8)}
    assert (
        "Bo, Cy and Dee each have 1 worker instead of 2, and stay 4th"
        in preview(level(), NAMES, (), {"E": 1}, gone).alt
    )
    view = msgspec.structs.replace(level(), active="H")
    text = preview(view, NAMES, (), {}).alt
    assert "Hazel Bank (H): nothing changes" in text
    with pytest.raises(ValueError, match="spectator"):
        preview(view_phase("turn"), NAMES, (), {"A": 1})


@pytest.mark.parametrize("seats", range(3, 6))
def test_the_table_of_a_scoring_tells_what_was_gained(seats: int) -> None:
    view = view_phase("over", seats)
    for number in (1, 2):
        picture = scoring(view, NAMES, number)
        paid = view.scorings[number - 1].values()
        for seat in range(seats):
            assert f"{NAMES[seat]} gains {sum(region[seat] for region in paid)} vote" in picture.alt
        assert 1000 <= open_image(picture).width <= 1400
        assert len(picture.png) <= 150 * KIBIBYTE
    assert scoring(view, NAMES, 1).alt.startswith("Mid-game scoring. Ann gains ")
    assert scoring(view, NAMES, 2).alt.startswith("Final scoring. Ann gains ")


def test_the_almanac_tells_every_effect() -> None:
    pages = almanac(LIGHT)
    assert [page.name for page in pages] == [f"tanglewood-almanac-{number}.png" for number in (1, 2, 3)]
    text = " ".join(page.alt for page in pages)
    for name in ("Gather", "Evict", "Place +1", "Rabbit", "Night Planting"):
        assert name in text
    for page in pages:
        assert 1000 <= open_image(page).width <= 1400
        assert len(page.alt) <= ALT_LIMIT


def view_with(*news: BoardChange) -> TanglewoodView:
    case = next(case for case in CASES if case.slug == "tanglewood")
    table = next(one for one in case.usual_tables if one.seats == 4)
    view = case.game.view(fresh(case.game, table, b"changes"), None)
    before = {region: tuple(max(0, one - 1) for one in counts) for region, counts in view.workers.items()}
    changed: TanglewoodView = msgspec.structs.replace(view, before=before, news=news)
    return changed


def test_changes_of_another_seat_moved_workers_and_won_votes_are_marked() -> None:
    change = BoardChange("E", "1", 0)
    assert places.find_maker(view_with(change), "E", 1) == 0
    assert places.find_maker(view_with(BoardChange("E", "0", 0)), "E", 0) is None
    assert forest(view_with(change), NAMES).png != forest(view_with(), NAMES).png
    for place in ("F", "I"):
        still, moved = (view_with(BoardChange(place, "0", 0, start=start)) for start in (None, "E"))
        assert forest(moved, NAMES).png != forest(still, NAMES).png
    pictures = {
        board(view_with(BoardChange("", "votes 1", 1, points=gain)), NAMES).png for gain in (0, 14, 15)
    }
    assert len(pictures) == 3


SIZE = 80


def on_paper(deeds: tuple[components.Deed, ...], tiles: tuple[str, ...] = ()) -> TanglewoodCanvas:
    canvas = Canvas(2 * SIZE, 2 * SIZE, LIGHT)
    if tiles:
        signs.deed(canvas, deeds[0], (SIZE, SIZE), SIZE, tiles)
    else:
        signs.effect(canvas, deeds, (SIZE, SIZE), SIZE)
    return canvas


def find_paint_box(canvas: TanglewoodCanvas) -> tuple[int, int, int, int] | None:
    """Return the box of everything that is no longer paper."""
    return ImageChops.difference(canvas.image, Image.new("RGB", canvas.image.size, LIGHT.paper)).getbbox()


def test_every_effect_has_a_sign_and_every_kind_of_deed_can_be_drawn() -> None:
    drawn = {on_paper(effect.steps).image.tobytes() for effect in components.EFFECTS.values()}
    assert len(drawn) == len(components.EFFECTS)
    known = {type(deed) for effect in components.EFFECTS.values() for deed in effect.steps}
    known |= {type(step) for track in components.TRACKS.values() for step in track.steps}
    known |= {type(tile.benefit) for tile in components.FOX_TILES.values()}
    assert known == set(get_args(components.Deed))
    for deed in (
        components.Shift(2, "in", "together", "any"),
        components.Ballots(7),
        components.RaiseDrawLevel(2),
        components.PlantDeed(2),
        components.NudgeDeed(3),
    ):
        assert find_paint_box(on_paper((deed,))) is not None


def test_the_sign_of_an_effect_keeps_about_to_its_square() -> None:
    for key, effect in components.EFFECTS.items():
        box = find_paint_box(on_paper(effect.steps))
        assert box is not None, key
        assert 0.4 * SIZE <= min(box) < max(box) <= 1.7 * SIZE, key


@pytest.mark.parametrize(
    ("deed", "text"),
    [
        (components.Votes(2), "2"),
        (components.Markers(1), "1"),
        (components.Ballots(2), ""),
        (components.Ballots(4), "4"),
        (components.RaiseDrawLevel(1), ""),
        (components.RaiseDrawLevel(2), "2"),
        (components.LeadBallots(3), "3"),
    ],
)
def test_an_amount_is_told_where_the_sign_does_not_show_it(deed: components.Deed, text: str) -> None:
    assert signs.amount(deed) == text


def test_a_slot_shows_the_benefit_of_its_tile_and_the_neutral_emblem_is_no_seats() -> None:
    tiles = tuple(components.FOX_TILES)
    for slot, key in enumerate(tiles, start=1):
        shown = on_paper((components.FoxTileDeed(slot),), tiles).image.tobytes()
        assert shown == on_paper((components.FOX_TILES[key].benefit,)).image.tobytes()
    assert find_paint_box(on_paper((components.FoxTileDeed(9),))) is not None
    drawn = set()
    for colour in (*range(5), "neutral"):
        canvas = Canvas(40, 40, LIGHT)
        places.emblem(canvas, "neutral" if isinstance(colour, str) else colour, (20, 20), 12, (0, 0, 0))
        drawn.add(canvas.image.tobytes())
    assert len(drawn) == len(LIGHT.seats) + 1


def test_factions_and_things_look_different() -> None:
    drawn = set()
    for faction in components.TRACKS:
        canvas = Canvas(SIZE, SIZE, LIGHT)
        signs.faction(canvas, faction, (SIZE / 2, SIZE / 2), 0.8 * SIZE)
        drawn.add(canvas.image.tobytes())
    for thing in get_args(Thing):
        canvas = Canvas(SIZE, SIZE, LIGHT)
        signs.thing(canvas, thing, (SIZE / 2, SIZE / 2), 0.8 * SIZE)
        drawn.add(canvas.image.tobytes())
    assert len(drawn) == len(components.TRACKS) + len(get_args(Thing))


def test_every_region_has_plants_and_an_unknown_one_a_plain_floor() -> None:
    assert all(land.around(LIGHT, region, 0, 0, 400) for region in components.REGIONS)
    assert LIGHT.ground("Z").tint == LIGHT.unknown
    assert land.around(LIGHT, "Z", 0, 0, 400) == []


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


def test_places_names_and_more_workers_in_short() -> None:
    assert captions.place_of((0, 2, 2), 0) == "–"
    assert captions.place_of((0, 2, 2), 2) == "2nd"
    assert captions.with_more((2, 2, 2, 1), "neutral", 3) == (2, 2, 2, 4)
    assert captions.with_more((2, 2, 2, 1), 0, 3) == (5, 2, 2, 1)
    assert seat_name((), 2) == "Seat 3"
    assert captions.short_name(NAMES, "neutral") == "neutral"
    assert captions.short_name(("x" * 40,), 0) == "x" * 15 + "…"


def test_a_tangle_by_name_and_track() -> None:
    assert [captions.name_with_track(card) for card in ("T12", "T15", "S6")] == [
        "Evict (Rabbit track)",
        "Evict (any track)",
        "Score 1 (Fox track)",
    ]


def test_a_slot_tells_its_tiles_benefit_and_every_step_has_words() -> None:
    tiles = tuple(FOX_TILES)
    assert captions.brief(FoxTileDeed(3), tiles) == "False Trail: move 1 worker"
    assert captions.brief(FoxTileDeed(3)) == "Fox tile 3"
    assert captions.brief(NudgeDeed(2)) == "move 2 workers"
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


def test_every_number_of_a_track_is_within_it() -> None:
    rails = scoreboard._rails(LIGHT, 1240, 0, tuple(FOX_TILES))

    for index in range(1, len(TRACKS) + 1):
        gap = rails.crop((0, index * scoreboard.TRACK - 2, rails.width, index * scoreboard.TRACK))
        assert gap.getcolors() == [(2 * rails.width, LIGHT.paper)]
