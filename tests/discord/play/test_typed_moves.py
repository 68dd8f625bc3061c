"""Typed moves that end a turn or can't be undone: their effect comes before they are made."""

from typing import Any

import pytest

from cogs.play import game_cog
from cogs.play.game_cog import preview_page
from cogs.ui.text import to_label, without_icons
from engines.analysis.ahead import foresee
from engines.registry import SLUGS, game, move_names
from engines.tanglewood.moves import TanglewoodDraw
from engines.tanglewood.pieces.components import TRACKS
from tables.play.play import Perspective
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, read_message
from tests.engines.tanglewood.arrange import arrange

PLAYERS = {slug: ("Ann", "Bo", "Cy")[: max(2, min(game(slug).seats))] for slug in SLUGS}


@pytest.fixture(autouse=True)
def no_previews() -> None:
    """Show previews, which other tests of flows leave out."""
    assert vars(game_cog)["preview_page"] is preview_page


async def open_game(stage: AnyStage, slug: str) -> tuple[Any, str]:
    place = await stage.open(*PLAYERS[slug], game=slug)
    return place, sorted(await stage.due())[0]


async def name_moves(stage: DiscordStage, who: str, *, is_asked: bool) -> list[str]:
    """Name the moves that have a preview, or the others."""
    app = stage.bot.app
    perspective = await app.parlour.play.perspective(1, stage[who].id)
    naming = move_names(perspective.table.slug).move_name
    return [
        to_label(naming(move, perspective.view, perspective.table.names))
        for move in await app.parlour.play.moves(1, stage[who].id)
        if (await preview_page(app, perspective, stage[who].id, move) is not None) == is_asked
    ]


@pytest.mark.any_game
@pytest.mark.parametrize("slug", ["ribbon", "tanglewood", "tangle"])
async def test_a_final_typed_move_is_made_by_its_preview(stage: DiscordStage, slug: str) -> None:
    place, who = await open_game(stage, slug)
    for _ in range(12):
        named = await name_moves(stage, who, is_asked=True)
        if named:
            break
        first = (await name_moves(stage, who, is_asked=False))[-1]
        await stage[who].slash(place, f"{slug} choose", choice=first)
    version = (await stage.table()).version

    asked = await stage[who].slash(place, f"{slug} choose", choice=named[0])

    shown = read_message(asked.response)
    assert (await stage.table()).version == version
    assert "This ends your turn." in shown.text or "You can't undo this." in shown.text
    assert list(shown.buttons) == ["Do it"]
    await stage[who].click(asked.response, label="Do it")
    assert (await stage.table()).version > version


async def test_ending_a_turn_of_teslas_tangle_is_shown_first(stage: DiscordStage) -> None:
    place, who = await open_game(stage, "tesla")
    first = next(name for name in await name_moves(stage, who, is_asked=False) if name.startswith("place "))
    await stage[who].slash(place, "tesla choose", choice=first)

    asked = await stage[who].slash(place, "tesla done")

    assert "This ends your turn." in read_message(asked.response).text
    assert await stage.due() == [who]
    await stage[who].click(asked.response, label="Do it")
    assert await stage.due() != [who]


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_preview_tells_nothing_that_its_player_cannot_know(desk: Desk, slug: str) -> None:
    _, who = await open_game(desk, slug)
    perspective = await desk.app.parlour.play.perspective(1, desk[who].id)

    for move in (await desk.app.parlour.play.moves(1, desk[who].id))[:60]:
        foresight = foresee(slug, perspective.view, perspective.me, [move])
        assert not any(event.reveals for event in foresight.events)


async def test_a_typed_draw_names_the_ballots_that_its_step_brings(desk: Desk) -> None:
    await open_game(desk, "tanglewood")
    app, user, bear = desk.app, desk["Ann"].id, len(TRACKS["bear"].steps)
    view = game("tanglewood").view(arrange(seats=3, circle=0, steps={"bear": bear}), 0)
    perspective = Perspective(await desk.table(), 0, view)

    page = await preview_page(app, perspective, user, TanglewoodDraw("bear"))

    text = without_icons(str(page.parts[0])) if page is not None else ""
    assert "draws 1 ballot." in text
    assert "something new" not in text
    assert "ballot:" not in text


async def test_a_flip_that_is_typed_is_final_and_names_no_card(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    asked = await desk["Ann"].slash(table, "ribbon choose", choice="flip 6")

    text = read_message(asked.response).text
    assert text.startswith("**Flip 6?**")
    assert "You can't undo this." in text
    assert "flips" not in text


async def test_who_has_chosen_so_makes_typed_moves_at_once(stage: DiscordStage) -> None:
    place, who = await open_game(stage, "tanglewood")
    answer = await stage[who].slash(stage.channel, "me typed", on=False)
    version = (await stage.table()).version

    await stage[who].slash(place, "tanglewood place", region="E")

    assert "**Typed moves**: made at once" in read_message(answer.response).text
    assert (await stage.table()).version > version


async def test_a_preview_shows_what_placing_does_and_is_outdated_once_the_turn_is_over(
    stage: DiscordStage,
) -> None:
    place, who = await open_game(stage, "tanglewood")
    final = [name for name in await name_moves(stage, who, is_asked=True) if name.startswith("place 1 ")]
    letters = [name.rpartition("(")[2][:1] for name in final[:2]]
    first, second = [await stage[who].slash(place, "tanglewood place", region=one) for one in letters]
    shown = read_message(first.response).text
    assert f"{who} places 1 marker" in shown
    assert "This ends your turn." in shown
    assert await stage.due() == [who]
    await stage[who].click(first.response, label="Do it")
    version = (await stage.table()).version

    await stage[who].click(second.response, label="Do it")

    assert (await stage.table()).version == version
    assert "changed" in read_message(second.response).text


async def test_only_the_last_answer_of_a_step_is_shown_first(stage: DiscordStage) -> None:
    place, who = await open_game(stage, "tangram")
    assert await name_moves(stage, who, is_asked=True) == []
    first = next(name for name in await name_moves(stage, who, is_asked=False) if "at" in name)
    await stage[who].slash(place, "tangram choose", choice=first)
    (other,) = await stage.due()

    named = next(name for name in await name_moves(stage, other, is_asked=True) if "at" in name)
    asked = await stage[other].slash(place, "tangram choose", choice=named)

    assert "You can't undo this." in read_message(asked.response).text
    assert await stage.due() == [other]
