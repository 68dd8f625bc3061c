"""A loss is said first in every panel of Tangle, and nothing takes its place."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import takewhile
from random import Random

import pytest

from cogs.play.assembly import assemble
from cogs.tangle import panel
from cogs.tangle.draft import TangleDraft, next_question, pushes
from cogs.ui.text import without_icons
from engines.game import Seat
from engines.tangle import GAME, decisions, moves
from engines.tangle.legal.moves import choices
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import AREAS, PAID_IN, RESOURCES, TRACKS
from engines.tangle.view import TangleView
from engines.tangle.words.event_lines import move_name
from engines.tangle.words.nouns import TRACK_NAMES
from tables.play.play import Perspective
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, answer_with, text_above_picture
from tests.engines.tangle.arrange import begin, front, stash
from tests.engines.tangle.test_properties import positions
from tests.often import often

TRIES = often(5, 50)
"""The positions of random games that are tried for each decision."""
OFTEN = {"place", "cast", "steps", "upkeep", "grow"}
"""The decisions in which the random games are sure to threaten somebody with a loss."""


@pytest.fixture(autouse=True)
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every panel the smallest budget of height."""
    monkeypatch.setattr("cogs.play.assembly.ONE_SCREEN", 0)


def tracks_at_a_loss(view: TangleView, me: Seat, *, is_pushing: bool = False) -> list[TrackName]:
    """Count plainly on which tracks the seat would soon lose something.

    To someone who is pushing, all are near.
    """
    result: list[TrackName] = []
    asked = view.decision.track if isinstance(view.decision, decisions.Upkeep) else None
    wet = {near for area, tile in view.tiles.items() if tile.kind == "lake" for near in AREAS[area].borders}
    own = {area: tile for area, tile in view.tiles.items() if tile.owner == me}
    lakes = sum(tile.kind == "lake" for tile in own.values())
    growth = sum(tile.kind in ("bush", "meadow") and area not in wet for area, tile in own.items())
    front, stash = view.players[me].front, view.players[me].stash
    free = Counter({"lakes": 2 * front.count("still_water"), "growth": 2 * front.count("leaf_mulch")})
    free["cards"] = 3 * front.count("carved_stone")
    for track, items, steps, marker in zip(
        TRACKS, (lakes, growth, len(front)), view.trackers, view.markers, strict=True
    ):
        near = marker is not None or steps <= 2 or is_pushing
        held = stash[RESOURCES.index(PAID_IN[track])]
        if near and track != asked and items - free[track] > held:
            result.append(track)
    return result


def losses_now(view: TangleView, me: Seat) -> list[TrackName]:
    return tracks_at_a_loss(view, me, is_pushing=isinstance(view.decision, decisions.Pushing))


def check(lines: Sequence[str], tracks: Sequence[TrackName], told: object) -> None:
    """Check that the first lines tell of these losses."""
    warned = [line.lower() for line in takewhile(lambda one: "Upkeep for" in one or "tracker" in one, lines)]
    for track in tracks:
        assert any(TRACK_NAMES[track] in line and "lose" in line for line in warned), (track, told, lines)


async def perspectives(stage: AnyStage) -> list[Perspective]:
    """Return what deciding seats see close to a loss in random games."""
    await stage.open("Ann", "Bo", game="tangle")
    table, found = await stage.table(), defaultdict[str, list[Perspective]](list)
    for state in positions(2):
        for seat in GAME.prompts(state):
            view = GAME.view(state, seat)
            if losses_now(view, seat):
                found[tag_of(view)].append(Perspective(table, seat, view))
    rng = Random(7)
    return [one for seen in found.values() for one in rng.sample(seen, min(len(seen), TRIES))]


@pytest.mark.essential
@pytest.mark.parametrize("is_spoken", [False, True])
async def test_a_loss_comes_first_in_the_smallest_panel_and_second_by_ear(
    desk: Desk, bare_names: list[str], *, is_spoken: bool
) -> None:
    app, met = desk.app.in_words() if is_spoken else desk.app, set[str]()
    for seen in await perspectives(desk):
        page = await assemble(app, seen, panel.panel)
        page.is_spoken = is_spoken
        lines = text_above_picture(page).split("\n")[is_spoken:]
        check(lines, losses_now(seen.view, seen.me), seen.view.decision)
        met.add(tag_of(seen.view))
    assert met >= OFTEN
    bare_names.clear()


async def test_a_loss_by_the_chosen_moves_comes_first_before_they_are_made(
    desk: Desk, bare_names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, met = Random(7), set[str]()
    for seen in await perspectives(desk):
        draft, made = draw_draft(seen.view, rng)
        if not made:
            continue
        monkeypatch.setattr(panel, "load_draft", answer_with(draft))
        tracks = tracks_at_a_loss(GAME.foresee(seen.view, seen.me, made), seen.me)
        page = await assemble(desk.app, seen, panel.panel)
        check(text_above_picture(page).split("\n"), tracks, made)
        met |= {type(made[-1]).__name__} if tracks else set()
    assert met >= {"TanglePlace", "Steps"}
    bare_names.clear()


def tag_of(view: TangleView) -> str:
    assert view.decision is not None
    return str(view.decision.__struct_config__.tag)


def draw_draft(view: TangleView, rng: Random) -> tuple[TangleDraft, list[moves.Move]]:
    """Return a draft to be confirmed, and its moves. None if one answer isn't enough."""
    if isinstance(view.decision, decisions.Placing):
        placement = rng.choice([move for move in choices(view) if isinstance(move, moves.TanglePlace)])
        return TangleDraft(placement.start, placement.to), [placement]
    if steps := pushes(view):
        push = rng.choice(steps)
        return TangleDraft(push=" ".join(map(str, push.by))), [moves.TangleDone(), push]
    question = next_question(view, ())
    ready = [(path, move) for path, move in question.ways if len(path) == 1]
    if isinstance(view.decision, decisions.Upkeep) or not ready:
        return TangleDraft(), []
    path, move = rng.choice(ready)
    return TangleDraft(picks=path), [move]


async def test_an_upkeep_that_is_too_dear_says_first_how_much_can_be_kept_and_nothing_of_savings(
    desk: Desk, bare_names: list[str]
) -> None:
    await desk.open("Ann", "Bo", game="tangle")
    state = begin()
    front(state, 0, "landslide", "windfall", "sudden_bloom", "leaf_mulch")
    stash(state, 0, 0, 0, 3, 0)
    state.agenda.append(decisions.Upkeep("cards", (state.players[0].front, ()), (0, 0)))
    seen = Perspective(await desk.table(), 0, GAME.view(state, 0))

    page = await assemble(desk.app, seen, panel.panel)
    shown = text_above_picture(page)
    names = [move_name(move, seen.view, ("Ann", "Bo")) for move in choices(seen.view)]

    assert "You can keep 3 at most: you have 3 N." in shown
    assert "saves" not in str([item.to_component_dict() for item in page.view().children])
    assert {name for name in map(without_icons, names) if "saving" in name} == {
        "drop all that is left, saving 3 N"
    }
    bare_names.clear()


async def test_an_upkeep_that_one_can_pay_is_warned_of_once_by_ear(
    desk: Desk, bare_names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.open("Ann", "Bo", game="tangle")
    state = begin()
    front(state, 0, "landslide", "windfall")
    stash(state, 0, 5, 5, 5, 5)
    state.agenda, state.changes, state.trackers = [decisions.Pushing(3)], 3, (3, 3, 3)
    seen = Perspective(await desk.table(), 0, GAME.view(state, 0))
    monkeypatch.setattr(panel, "load_draft", answer_with(TangleDraft(picks=("0 0 3",))))

    for app in (desk.app, desk.app.in_words()):
        shown = text_above_picture(await assemble(app, seen, panel.panel))
        assert shown.count("The enchantments tracker is at the top") == 1
    bare_names.clear()
