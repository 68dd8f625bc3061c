import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from cogs.review import page
from cogs.review.page import PageWriter
from cogs.review.record import bar
from cogs.ui.press import Press
from engines.game import IllegalMove
from engines.workers import Urgency, Workers
from render.page import layers
from render.page.layers import LayerBatch, LayeredBoard, LayerPile
from tables.review.record import Record
from tests.discord.stage import DiscordStage, read_message

AS_PAGE: dict[str, Any] = {"as": "page"}
VERSUS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture(autouse=True)
def quick_boards(monkeypatch: pytest.MonkeyPatch) -> list[Urgency]:
    """Draw no boards, and note the urgency of each batch."""
    run_with, urgencies = Workers.run_with, list[Urgency]()

    async def run_quickly(
        workers: Workers, urgency: Urgency, work: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        if work is not layers.draw_boards:
            return await run_with(workers, urgency, work, *args, **kwargs)
        urgencies.append(urgency)
        boards = [LayeredBoard((4, 2), f"Seen by {view.viewer}.", (), ()) for view in args[2]]
        return LayerBatch(boards, [], LayerPile())

    monkeypatch.setattr(Workers, "run_with", run_quickly)
    return urgencies


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    place = await stage.open("Ann", "Bo", **VERSUS)
    await stage.finish_turn("Ann", place)
    return place


async def read_page(answer: Any) -> tuple[str, str]:
    (attachment,) = answer.response.attachments
    return attachment.filename, (await attachment.read()).decode()


def last_words(answer: Any) -> str:
    return str((answer.followups or [answer.response])[-1].content)


def headings(page: str) -> list[str]:
    return re.findall(r"<h2 tabindex=\"-1\">([^<]*)</h2>", page)


@pytest.mark.essential
async def test_a_finished_game_is_the_same_page_for_everyone(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    turns = await stage.bot.app.parlour.record.turns(await stage.table())

    name, page = await read_page(await stage["Ann"].slash(place, "table replay", **AS_PAGE))
    other = await read_page(await stage["Dee"].slash(place, "table replay", **AS_PAGE))

    assert (name, page) == other
    assert name == "ribbon-1.html"
    assert len(headings(page)) == len(turns)
    assert "All hands" in page
    assert "Seen by None." in page


async def test_a_running_game_is_the_askers_view_also_by_the_button(
    stage: DiscordStage, place: Any, quick_boards: list[Urgency]
) -> None:
    seen = {}
    for name in ("Ann", "Bo", "Dee"):
        answer = await stage[name].slash(place, "table replay", **AS_PAGE)
        assert answer.ephemeral
        assert "Keep it to yourself" in read_message(answer.response).text
        _, page = await read_page(answer)
        assert "All hands" not in page
        seen[name] = re.findall(r"Seen by (\w+)\.", page)[0]

    names = (await stage.table()).names
    assert seen == {"Ann": str(names.index("Ann")), "Bo": str(names.index("Bo")), "Dee": "None"}

    shown = await stage["Bo"].slash(place, "table replay")

    answer = await stage["Bo"].click(shown.response, label="As a page")

    name, page = await read_page(answer)
    assert name == "ribbon-1.html"
    assert headings(page) == ["The deal", "Turn 1 of 1 · Ann"]
    assert set(quick_boards) == {Urgency.REPLAY}


async def test_a_second_page_waits_and_another_server_gets_none(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with page.reserve(stage["Ann"].id):
        refused = await stage.send_press("Ann", Press("table", "page", 1))
        other = await stage.send_press("Bo", Press("table", "page", 1))
        monkeypatch.setattr(page, "MOST_AT_ONCE", 1)
        busy = await stage.send_press("Bo", Press("table", "page", 1))
    again = await stage.send_press("Ann", Press("table", "page", 1))

    assert refused.ephemeral
    assert last_words(refused) == page.YOURS_FIRST
    assert last_words(busy) == page.ALL_BUSY
    assert (await read_page(other))[0] == (await read_page(again))[0] == "ribbon-1.html"

    elsewhere = stage.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("games")
    stranger = elsewhere.add_member(stage.env.create_user("zoe"))

    typed = await stranger.slash(channel, "table replay", table=1, **AS_PAGE)
    pressed = await stage.send_press_as(stranger, Press("table", "page", 1), channel)

    assert "no table 1 in this server" in last_words(typed)
    assert "no table 1 in this server" in last_words(pressed)


async def test_a_bar_shows_progress(stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "EDIT_INTERVAL", 0.0)
    before = len(stage.env.http_requests)

    answer = await stage.send_press("Ann", Press("table", "page", 1))

    said = "\n".join(str(request.json) for request in stage.env.http_requests[before:])
    assert bar(0.0) in said
    assert bar(1.0) in said
    assert "%" not in read_message(answer.response).text


async def test_a_page_that_is_too_large_is_named_with_its_size(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(_writer: PageWriter) -> bytes:
        await asyncio.sleep(0)
        return b" " * (26 * 1024 * 1024)

    monkeypatch.setattr(PageWriter, "write", write)

    answer = await stage.send_press("Ann", Press("table", "page", 1))

    assert "has 26.0 MB, and you can get files of at most 25.0 MB" in read_message(answer.response).text
    assert not answer.response.attachments


async def test_a_game_of_older_rules_is_refused(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any) -> list[Any]:
        raise IllegalMove("That place is empty.")

    monkeypatch.setattr(Record, "views", refuse)

    answer = await stage.send_press("Ann", Press("table", "page", 1))

    assert "older rules" in last_words(answer)
