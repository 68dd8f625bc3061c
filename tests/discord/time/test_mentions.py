"""Mentions of posts: for people who are not there, with what was done to them."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from cogs.posts.board import news_for
from db.records import ActionRow, SeatRow
from engines.marks import to_plain
from engines.registry import game
from engines.ribbon import moves as ribbon
from engines.tangle import moves as tangle
from engines.tanglewood import moves as tanglewood
from engines.tesla import moves as tesla
from tables.clocks.pace import MINUTE
from tables.core.history import EntryKind
from tables.core.table import encode, from_rows
from tables.lobby.lobby import new_row
from tests.discord.stage import DiscordStage, fill, read_message

pytestmark = [pytest.mark.usefixtures("patient")]
CODES: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    """Return the thread of a game both players left a while ago."""
    thread = await stage.open("Ann", "Bo", **CODES)
    await stage.wait(11 * MINUTE)
    return thread


def list_mentions(stage: DiscordStage, place: Any) -> list[int]:
    return [user.id for post in stage.posts(place)[-1:] for user in post.message.mentions]


def calls(stage: DiscordStage, place: Any, name: str) -> int:
    """Return how many messages of a thread mention somebody."""
    return sum(stage[name].id in [user.id for user in one.mentions] for one in place.history())


async def play(stage: DiscordStage, name: str, place: Any) -> None:
    """Play a turn by presses in the thread."""
    for _ in range(6):
        if name in await stage.due():
            await stage.act(name, place, Random(1))
    await stage.wait(5)


async def test_somebody_who_is_there_is_not_mentioned(stage: DiscordStage, place: Any) -> None:
    await play(stage, "Ann", place)
    assert list_mentions(stage, place) == [stage["Bo"].id]

    await play(stage, "Bo", place)

    assert list_mentions(stage, place) == []
    assert "**Ann**: flip a card" in stage.post(place).text


async def test_who_has_gone_is_mentioned_ten_minutes_later_and_once(stage: DiscordStage, place: Any) -> None:
    await play(stage, "Ann", place)
    await play(stage, "Bo", place)
    before = calls(stage, place, "Ann")

    await stage.wait(9 * MINUTE)
    assert calls(stage, place, "Ann") == before
    await stage.wait(2 * MINUTE)
    assert calls(stage, place, "Ann") == before + 1
    await stage.wait(30 * MINUTE)

    assert calls(stage, place, "Ann") == before + 1
    assert "is waiting for you at" in read_message(place.history()[-1]).text


async def test_quiet_hours_put_the_mention_off(stage: DiscordStage, place: Any) -> None:
    await play(stage, "Ann", place)
    soon = (stage.env.now() + timedelta(minutes=minutes) for minutes in (5, 65))
    begins, ends = (f"{at.hour}:{at.minute:02}" for at in soon)
    await stage["Ann"].slash(stage.channel, "me quiet", **{"from": begins, "to": ends})
    await play(stage, "Bo", place)
    before = calls(stage, place, "Ann")

    await stage.wait(40 * MINUTE)
    assert calls(stage, place, "Ann") == before
    await stage.wait(40 * MINUTE)

    assert calls(stage, place, "Ann") == before + 1


async def test_a_press_after_the_post_needs_no_mention(stage: DiscordStage, place: Any) -> None:
    await play(stage, "Ann", place)
    await play(stage, "Bo", place)
    before = calls(stage, place, "Ann")
    await stage.wait(8 * MINUTE)
    await stage["Ann"].click(stage.post(place).message, label="My hand")

    await stage.wait(5 * MINUTE)

    assert calls(stage, place, "Ann") == before


async def test_a_press_elsewhere_does_not_count(stage: DiscordStage, place: Any) -> None:
    await play(stage, "Ann", place)
    await stage.wait(11 * MINUTE)
    await stage["Ann"].slash(stage.channel, "mine")

    await play(stage, "Bo", place)

    assert list_mentions(stage, place) == [stage["Ann"].id]


async def test_a_setting_mentions_somebody_always(stage: DiscordStage, place: Any) -> None:
    panel = await stage["Ann"].slash(stage.channel, "me settings")
    await fill(stage["Ann"], panel.response, "Notices", here="on")
    await play(stage, "Ann", place)

    await play(stage, "Bo", place)

    assert list_mentions(stage, place) == [stage["Ann"].id]
    assert "**Mentions**: always" in read_message(panel.response).text


STRUCK = {
    "tangle": (tangle.TileTakenOver(1, "C6", 0, (0, 0, 0, 0)), "Bo takes C6 from you."),
    "tanglewood": (tanglewood.Evicted(1, "E", (0,)), "You take 1 worker from E back into your circle."),
    "tesla": (tesla.Split(1, 1, 5, 0, (4, 2)), "Your circuit A of 5 is cut."),
    "ribbon": (ribbon.RibbonTurnEnded(1, ()), ""),
}
"""An event of Bo's in each game, and the first words of Ann's mention."""


@pytest.mark.parametrize("slug", STRUCK)
def test_a_mention_begins_with_what_was_done_to_its_person(slug: str) -> None:
    event, news = STRUCK[slug]
    rules = game(slug)
    options = rules.settle(3, rules.Options())
    deal = rules.deal(3, options, b"mentions")
    view = rules.view(rules.begin(3, options, deal, b"mentions"), None)
    row = new_row(1, 2, 3, slug, encode(options), 0.0)
    table = from_rows(row, [SeatRow(seat, 100 + seat, name, None) for seat, name in enumerate(("Ann", "Bo"))])
    entry = ActionRow(2, 1, EntryKind.MOVE, 1, 101, None, encode([event]), reveals=True, at=0.0)

    assert to_plain(news_for(table, view, [entry], 0)) == news
    assert news_for(table, view, [entry], 1) == ""
