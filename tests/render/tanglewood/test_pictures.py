import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from PIL import Image, ImageChops

from engines.tanglewood import GAME
from engines.tanglewood.moves import PlacedWorker, PlayBallots
from engines.tanglewood.pieces.board import NEUTRAL, Hop
from engines.tanglewood.pieces.components import REGIONS, Length
from engines.tanglewood.preview import try_choice
from engines.tanglewood.truth.state import TanglewoodState
from engines.tanglewood.view import Phase, TanglewoodView
from engines.words import ALT_LIMIT
from render.core.canvas import Box, Picture
from render.tanglewood import almanac, board, forest, hand, land, preview, scoring, signs
from render.tanglewood.colours import THEMES
from render.tanglewood.land import ForestPlan
from render.tanglewood.preview import WIDTH
from tests.often import often
from tests.render.pixels import count_pixels
from tests.render.positions import forests
from tests.render.processes import hashes

LIGHT = THEMES["light"]

pytestmark = pytest.mark.slow
KIBIBYTE = 1024
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
LONG_NAMES = ("W" * 200, "👩‍👩‍👧‍👦" * 40, "\u202e山田\n" * 30, "مرحبا", "देवनागरी")
GAMES: tuple[tuple[int, Length], ...] = tuple(
    (seats, length) for seats in range(3, 6) for length in get_args(Length)
)


@cache
def pack_game(seats: int, length: Length) -> tuple[bytes, ...]:
    return tuple(msgspec.msgpack.encode(state) for state in forests(seats, length))


def unpack(packed: bytes) -> TanglewoodState:
    return msgspec.msgpack.decode(packed, type=TanglewoodState)


def sample_tanglewood(every: int) -> Iterator[TanglewoodState]:
    """Yield every N-th and last position of games of each kind. There is one of each size and length."""
    for seats, length in GAMES:
        game = pack_game(seats, length)
        for step, packed in enumerate(game):
            if step % often(3 * every, every) == 0 or step == len(game) - 1:
                yield unpack(packed)


def reach_phase(phase: Phase, seats: int = 4, skip: int = 0) -> TanglewoodState:
    """Return the first position in that phase or later."""
    data = [packed for packed in pack_game(seats, "full") if unpack(packed).phase == phase]
    return unpack(data[skip])


def view_phase(phase: Phase, seats: int = 4, **fields: Any) -> TanglewoodView:
    return msgspec.structs.replace(GAME.view(reach_phase(phase, seats), None), **fields)


def open_image(picture: Picture | None) -> Image.Image:
    assert picture is not None
    return Image.open(BytesIO(picture.png)).convert("RGB")


def difference(one: Picture, two: Picture) -> Box | None:
    return ImageChops.difference(open_image(one), open_image(two)).getbbox()


def inside(inner: Box | None, outer: Box) -> bool:
    """Return True if something differs, and nothing outside that box."""
    return inner is not None and (
        outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
    )


def test_every_position_gives_a_board_of_moderate_size() -> None:
    phases = set()
    for state in sample_tanglewood(38):
        phases.add((state.seats, state.phase))
        picture = board(GAME.view(state, None), NAMES)
        width, height = open_image(picture).size
        assert 1000 <= width <= 1400
        assert height <= 1.5 * width
        assert len(picture.png) <= 250 * KIBIBYTE
        assert 0 < len(picture.alt) <= ALT_LIMIT
    assert {(seats, "over") for seats in range(3, 6)} <= phases


@pytest.mark.parametrize("seats", range(3, 6))
def test_every_phase_can_be_drawn_for_every_number_of_seats(seats: int) -> None:
    first: dict[Phase, Picture] = {}
    for packed in pack_game(seats, "full"):
        state = unpack(packed)
        if state.phase not in first:
            first[state.phase] = board(GAME.view(state, None), NAMES)
    assert set(first) == set(get_args(Phase))
    assert "Round 1. " in first["turn"].alt
    assert "the mid-game scoring, after" in first["ballots"].alt
    assert "the mid-game scoring is over" in first["keep"].alt
    assert first["over"].alt.split(" after")[0].endswith(("is Mayor", "A shared victory"))
    assert "The Tangle in use is " in first["effect"].alt
    assert len({picture.png for picture in first.values()}) == len(first)


def test_a_worker_more_changes_its_region_and_nothing_else() -> None:
    view = view_phase("turn", active=None)
    counts = view.workers["E"]
    more = view.workers | {"E": (counts[0] + 1, *counts[1:])}
    view = msgspec.structs.replace(view, before=view.workers)
    other = msgspec.structs.replace(view, workers=more, before=more)
    assert inside(difference(board(view, NAMES), board(other, NAMES)), ForestPlan(4).box("E"))


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


def test_the_active_region_is_outlined() -> None:
    none, active = (board(view_phase("turn", active=region), NAMES) for region in (None, "E"))
    box = ForestPlan(4).box("E")
    assert inside(difference(none, active), (box[0] - 12, box[1] - 12, box[2] + 12, box[3] + 12))
    assert count_pixels(active, LIGHT.highlight) > count_pixels(none, LIGHT.highlight) + 4000


def test_a_card_that_is_carried_out_still_shows() -> None:
    view = view_phase("effect")
    assert view.active is not None
    assert view.card is not None
    gone = msgspec.structs.replace(view, card=None)
    assert inside(difference(board(view, NAMES), board(gone, NAMES)), ForestPlan(4).box(view.active))


def test_every_track_of_a_wild_card_shows() -> None:
    drawn = set()
    for card in ("T12", "T13", "T14", "T15"):
        view = view_phase("turn")
        view = msgspec.structs.replace(view, tangles=view.tangles | {"A": card})
        drawn.add(board(view, NAMES).png)
    assert len(drawn) == 4


def test_the_turn_order_is_shown_as_it_is_played() -> None:
    view = view_phase("turn")
    turned = msgspec.structs.replace(view, order=view.order[::-1])
    one, two = board(view, NAMES), board(turned, NAMES)
    names = [NAMES[seat] for seat in view.order]
    assert f"and ballots: {names[0]}" in one.alt
    assert f"and ballots: {names[-1]}" in two.alt
    assert one.png != two.png


def test_a_seat_that_has_chosen_looks_different() -> None:
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


def test_after_a_scoring_each_region_says_what_it_paid() -> None:
    view = view_phase("over")
    assert view.scorings
    nothing = dict.fromkeys(REGIONS, (0,) * view.seats)
    unpaid = msgspec.structs.replace(view, scorings=(view.scorings[0], nothing))
    gold = LIGHT.metals[0]
    assert count_pixels(board(view, NAMES), gold) > count_pixels(board(unpaid, NAMES), gold) + 3000


def test_the_end_shows_places() -> None:
    view = view_phase("over")
    assert view.outcome is not None
    winner = view.outcome.places.index(1)
    picture = board(view, NAMES)
    assert f"{NAMES[winner]} {view.votes[winner]}, " in picture.alt


def test_a_departed_seat_is_named_and_faint() -> None:
    state = reach_phase("turn")
    before = board(GAME.view(state, None), NAMES)
    GAME.resign(state, 3)
    after = board(GAME.view(state, None), NAMES)
    assert "Dee has left" in after.alt
    assert difference(before, after) is not None


def test_the_neutral_colour_is_shown_at_three_seats_only() -> None:
    three, four = (board(view_phase("turn", seats), NAMES) for seats in (3, 4))
    assert "neutral" in three.alt
    assert "neutral" not in four.alt
    assert count_pixels(three, LIGHT.neutral) > count_pixels(four, LIGHT.neutral) + 1500


def test_any_names_can_be_drawn() -> None:
    for state in sample_tanglewood(often(200, 71)):
        picture = board(GAME.view(state, None), LONG_NAMES)
        assert len(picture.alt) <= ALT_LIMIT
        assert len(picture.png) <= 250 * KIBIBYTE
        assert len(board(GAME.view(state, None), ()).png) <= 250 * KIBIBYTE
        view = GAME.view(state, 1)
        held = hand(view, 1, LONG_NAMES)
        assert held is None or len(held.alt) <= ALT_LIMIT
        assert len(preview(view, LONG_NAMES, (), {"A": 1}).alt) <= ALT_LIMIT
        for number in range(1, len(view.scorings) + 1):
            assert len(scoring(view, LONG_NAMES, number).alt) <= ALT_LIMIT


def view_hand(*ballots: str, seat: int = 1) -> TanglewoodView:
    view = GAME.view(reach_phase("turn", skip=20), seat)
    hands = tuple(ballots if index == seat else None for index in range(view.seats))
    return msgspec.structs.replace(view, hands=hands)


def test_an_alt_text_with_long_names_lists_numbers_instead() -> None:
    view = view_phase("turn", 4)
    short, long = board(view, NAMES).alt, board(view, ["A name that is long"] * 4).alt
    assert "Acorn Rise (A): Ann " in short
    assert "in numbers for " in long
    assert re.search(r"Acorn Rise \(A\): \d, \d, \d, \d; .*Fox \d, \d, \d, \d\.$", long)


def test_the_forest_alone_is_that_of_the_board() -> None:
    view = view_phase("effect")
    alone, whole = open_image(forest(view, NAMES)), open_image(board(view, NAMES))
    assert alone.height < whole.height
    assert ImageChops.difference(alone, whole.crop((0, 0, *alone.size))).getbbox() is None
    assert forest(view, NAMES).alt.startswith("The forest. Workers in Acorn Rise (A): Ann ")


def test_a_hand_shows_each_region_once_with_the_number_of_ballots() -> None:
    picture = hand(view_hand("A", "C", "C", "I"), 1, NAMES)
    assert picture is not None
    assert picture.alt.startswith("You hold 4 Secret Ballots.")
    assert "If you play one of your 2 Clover Dell (C) ballots, you stay 1st there." in picture.alt
    assert len(picture.png) <= 150 * KIBIBYTE


def test_hands_of_other_ballots_look_different() -> None:
    drawn = {open_image(hand(view_hand(region), 1, NAMES)).tobytes() for region in REGIONS}
    drawn.add(open_image(hand(view_hand("A", "A"), 1, NAMES)).tobytes())
    assert len(drawn) == len(REGIONS) + 1


def test_a_hand_of_every_size_can_be_drawn() -> None:
    for size in (1, 2, 5, 9, 30):
        ballots = tuple(sorted((list(REGIONS) * 4)[:size]))
        picture = hand(view_hand(*ballots), 1, NAMES)
        assert picture is not None
        assert len(picture.png) <= 250 * KIBIBYTE
        assert len(picture.alt) <= ALT_LIMIT


def test_there_is_no_hand_where_none_may_be_seen() -> None:
    state = reach_phase("turn")
    assert hand(GAME.view(state, 0), 1, NAMES) is None
    assert hand(GAME.view(state, None), 0, NAMES) is None
    assert hand(view_hand(), 1, NAMES) is None


def level(viewer: int = 0, seats: int = 4) -> TanglewoodView:
    """Return the opening board with two workers of every colour everywhere."""
    return GAME.view(unpack(pack_game(seats, "full")[0]), viewer)


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


def test_a_preview_moves_the_neutral_colour_too() -> None:
    attempt = try_choice(level(seats=3), (Hop(NEUTRAL, "A", "B"),), {})
    assert attempt.after == {"A": (2, 2, 2, 1), "B": (2, 2, 2, 3)}
    assert (
        "The neutral colour has 1 worker instead of 2"
        in preview(level(seats=3), NAMES, (Hop(NEUTRAL, "A", "B"),), {}).alt
    )


def test_a_preview_of_an_eviction_shows_who_leaves() -> None:
    gone = tuple(PlacedWorker("E", colour) for colour in (1, 2, 3))
    attempt = try_choice(level(), (), {"E": 1}, gone)
    assert attempt.after == {"E": (3, 1, 1, 1)}
    assert attempt.paid == {"E": (0, 8)}
    assert (
        "Bo, Cy and Dee each have 1 worker instead of 2, and stay 4th"
        in preview(level(), NAMES, (), {"E": 1}, gone).alt
    )


def test_a_preview_of_nothing_shows_the_active_region() -> None:
    view = msgspec.structs.replace(level(), active="H")
    text = preview(view, NAMES, (), {}).alt
    assert "Hazel Bank (H): nothing changes" in text


def test_a_spectator_has_no_preview() -> None:
    with pytest.raises(ValueError, match="spectator"):
        preview(view_phase("turn"), NAMES, (), {"A": 1})


def test_every_preview_is_of_moderate_size() -> None:
    for state in sample_tanglewood(80):
        seat = state.order[0]
        picture = preview(GAME.view(state, seat), NAMES, (), {"A": 1, "E": 2, "I": 1})
        assert open_image(picture).width == WIDTH
        assert len(picture.png) <= 150 * KIBIBYTE


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


@pytest.mark.parametrize("number", [0, 1, 3])
def test_there_is_no_table_of_a_scoring_that_has_not_been(number: int) -> None:
    with pytest.raises(ValueError, match="no scoring"):
        scoring(view_phase("turn"), NAMES, number)


def test_the_almanac_tells_every_effect() -> None:
    pages = almanac(LIGHT)
    assert [page.name for page in pages] == [f"tanglewood-almanac-{number}.png" for number in (1, 2, 3)]
    text = " ".join(page.alt for page in pages)
    for name in ("Gather", "Evict", "Place +1", "Rabbit", "Night Planting"):
        assert name in text
    for page in pages:
        assert 1000 <= open_image(page).width <= 1400
        assert len(page.alt) <= ALT_LIMIT


def draw_all(view: TanglewoodView, viewer: int | None) -> list[Picture | None]:
    pictures: list[Picture | None] = [board(view, NAMES), forest(view, NAMES)]
    pictures += [scoring(view, NAMES, number) for number in range(1, len(view.scorings) + 1)]
    if viewer is not None:
        pictures += [hand(view, viewer, NAMES), preview(view, NAMES, (Hop(1, "A", "B"),), {"E": 1})]
    return pictures


@pytest.mark.thorough
def test_hidden_things_change_no_byte() -> None:
    rng = Random(5)
    for state in sample_tanglewood(67):
        for viewer in (None, 0, state.seats - 1):
            other = GAME.resample_hidden(state, viewer, rng)
            assert draw_all(GAME.view(state, viewer), viewer) == draw_all(GAME.view(other, viewer), viewer)


def test_no_ballot_of_any_hand_shows_on_the_board() -> None:
    views = [view_hand(*ballots) for ballots in (("A", "B"), ("I", "I"))]
    views.append(msgspec.structs.replace(views[0], dropped=("C", "D")))
    assert len({board(view, NAMES) for view in views}) == 1


def test_choices_stay_hidden_until_all_have_chosen() -> None:
    pictures = set()
    for choice in (0, -1):
        state = reach_phase("ballots")
        seat = next(iter(GAME.prompts(state)))
        move = list(GAME.moves(state, seat))[choice]
        assert isinstance(move, PlayBallots)
        GAME.play(state, seat, move)
        assert state.phase == "ballots"
        viewers = [None, *range(state.seats)]
        pictures |= {(viewer, board(GAME.view(state, viewer), NAMES).alt) for viewer in viewers}
        mine = GAME.view(state, seat)
        assert board(mine, NAMES) == board(msgspec.structs.replace(mine, mine=None), NAMES)
    assert len(pictures) == len(viewers), "to nobody does it make a difference"


DRAW = """
from engines.tanglewood import GAME
from engines.tanglewood.pieces.board import Hop
from render.tanglewood import board, hand, preview
from tests.render.positions import forests

first = next(forests(5))
last = next(state for state in forests(3, "short") if state.round == 3)

def all():
    return board(GAME.view(last, None), ("\u5c71\u7530 \U0001f98a", "Bo", "Cy"))

def held():
    return hand(GAME.view(first, 1), 1, ("Ann", "Bo"))

def tried():
    return preview(GAME.view(first, 1), ("Ann", "Bo"), (Hop(0, "A", "E"),), {"E": 1})

draw = [all, held, tried]
"""


@pytest.mark.thorough
def test_every_process_draws_the_same_bytes_in_whatever_order() -> None:
    assert len(hashes(DRAW)) == 1


def test_the_cache_has_a_bound() -> None:
    for kept_pieces in (
        land.land,
        land.plant,
        signs.sign,
        signs.faction_sprite,
        signs.thing_sprite,
        signs.worker_sprite,
    ):
        limit = kept_pieces.cache_info().maxsize
        assert limit is not None
        assert limit <= 256


def test_a_palette_holds_at_most_256_colours() -> None:
    assert len(LIGHT.palette.colours) <= 256


def test_file_names_say_only_what_kind_of_picture_it_is() -> None:
    view = GAME.view(reach_phase("over"), 0)
    pictures = draw_all(msgspec.structs.replace(view, hands=(("A",), None, None, None)), 0)
    assert {picture.name for picture in pictures if picture is not None} == {
        "tanglewood-table.png",
        "tanglewood-forest.png",
        "tanglewood-scoring.png",
        "tanglewood-hand.png",
        "tanglewood-preview.png",
    }
