"""People of nasty and of equal names, through every kind of message: a whole table, a cup, a day."""

import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from cogs.ui.press import Press
from engines.marks import clean
from tables.clocks.pace import DAY
from tests.discord.daily.days import begin_play, finish_play, next_day, turn_on
from tests.discord.stage import DiscordStage, read_message
from tests.discord.ui.nasty import HIDDEN, NASTY, strip_escapes, unescape
from tests.often import often

pytestmark = [pytest.mark.usefixtures("patient")]
LABELS = ("label", "placeholder", "name", "description", "title")
SPECIAL = re.compile(r"[*_~|`<>\[\]@:#\\]")
MARKED = re.compile("[\ue000-\ue004]")
"""Names with letters that mark something: Discord repeats them, beside our messages, to whoever has them."""
USABLE = [name for name in NASTY if not MARKED.search(name)]
EVERY = [name for number, name in enumerate(USABLE) if number % often(5, 1) == 0]
APART = often(2, 1)
"""The number of different names in one flow; with one everybody has the same."""
GROUPS = [tuple(EVERY[first : first + APART]) for first in range(0, len(EVERY), APART)]
PAIRS = GROUPS[:: often(2, 1)]
GAME: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


def rename(stage: DiscordStage, **names: str) -> None:
    for who, name in names.items():
        user = stage.env.create_user(f"{who.lower()}_guest", global_name=name)
        stage.people[who] = stage.guild.add_member(user)


async def begin(stage: DiscordStage, *who: str) -> Any:
    """Begin a game of people with the same names at the table. Return its thread."""
    place = await stage.open(*who, game="ribbon", computers=0, **GAME)
    members = {stage[name].id: stage[name] for name in who}
    for seat in (await stage.table()).seats:
        stage.people[seat.name] = members[seat.user_id]
    return place


def strings(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, dict):
        for inner, value in part.items():
            yield from strings(value, inner)
    elif isinstance(part, list):
        for one in part:
            yield from strings(one, key)
    elif isinstance(part, str):
        yield key, part


def find_strings(stage: DiscordStage, *keys: str) -> list[str]:
    """Return Discord's strings under some keys.

    They come from messages, answers, lines to choose and threads.
    """
    payloads = [payload for kind, _, payload in stage.env.backend.transcript if kind == "HTTP"]
    return [text for payload in payloads for key, text in strings(payload) if key in keys]


def check(stage: DiscordStage, name: str) -> None:
    """Check that no string formats, hides or drops part of a name."""
    texts, labels, who = find_strings(stage, "content"), find_strings(stage, *LABELS), clean(name)
    if SPECIAL.search(who):
        assert [text for text in texts if who in strip_escapes(text)] == []
    if who:
        assert any(who in unescape(text) for text in texts)
        assert any(who in label for label in labels)
    assert [text for text in [*texts, *labels] if HIDDEN.search(text)] == []


async def look(stage: DiscordStage, place: Any, name: str) -> None:
    """Use everything that somebody can read or write during a game."""
    ann, written = stage["Ann"], name.strip() or "x"
    for typed in ("list", "show", "history", "log", "export", "board", "hand", "hint"):
        await ann.slash(place, f"table {typed}")
    await ann.slash(place, "table board", words=True)
    await ann.slash(place, "ribbon look")
    await ann.autocomplete(place, "table show", "table", "")
    await ann.slash(place, "table note", text=f"{written}\n{written}")
    await stage.panel("Ann", place)
    await ann.slash(place, "mine")
    await ann.slash(place, "me away", until="3 days", note=written)
    await stage.env.advance_time(30)
    await ann.slash(place, "me back")


async def administer(stage: DiscordStage, place: Any, name: str) -> None:
    """Do and read everything that an administrator can, with a reason."""
    reason = name.strip() or "x"
    for typed in ("pause", "resume"):
        await stage.admin.slash(place, f"admin {typed}", table=1, reason=reason)
    for way in ("deadline", "kick", "replace", "skip"):
        await stage.send_press_as(stage.admin, Press("admin", "do", 1, 0, way))
    for typed in ("tables", "audit", "panel"):
        await stage.admin.slash(place, f"admin {typed}")


async def finish(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    await stage.env.advance_time(30)
    table = await stage.table()
    for verb in ("replay", "history", "verify", "why", "rematch"):
        await stage.send_press("Bo", Press("table", verb, 1, table.version))
    await stage["Bo"].autocomplete(place, "table fork", "at", "")
    await stage["Bo"].slash(place, "table log")
    await stage["Bo"].slash(stage.channel, "leaderboard", game="ribbon")
    await stage["Bo"].slash(stage.channel, "profile", member=stage["Ann"])
    await stage["Bo"].slash(stage.channel, "mine")


@pytest.mark.parametrize("names", GROUPS)
async def test_nothing_of_a_name_is_formatted_at_a_table(stage: DiscordStage, names: tuple[str, ...]) -> None:
    rename(stage, **dict(zip(("Ann", "Bo", "Cy"), cycle(names), strict=False)))
    place = await begin(stage, "Ann", "Bo")

    await look(stage, place, names[0])
    await administer(stage, place, names[-1])
    await stage["Bo"].slash(place, "table offer", member=stage["Cy"])
    await stage.wait(3 * DAY)
    await stage["Bo"].slash(place, "table resign")
    await finish(stage, place)

    for name in names:
        check(stage, name)


@pytest.mark.parametrize("names", PAIRS)
async def test_cups_and_days_format_nothing_of_a_name(stage: DiscordStage, names: tuple[str, ...]) -> None:
    rename(stage, **dict(zip(("Ann", "Bo"), cycle(names), strict=False)))
    await stage["Ann"].slash(stage.channel, "cup new", game="ribbon", pace="none")
    await stage["Bo"].slash(stage.channel, "cup join")
    await stage["Ann"].slash(stage.channel, "cup start")
    await stage.env.advance_time(25)
    await stage["Ann"].slash(stage.channel, "cup show")
    await turn_on(stage, "ribbon")
    for who in ("Ann", "Bo"):
        await begin_play(stage, who)
        await finish_play(stage, who)
    await stage["Ann"].slash(stage.channel, "daily standing")
    await stage["Ann"].slash(stage.channel, "daily calendar")
    await next_day(stage)

    for name in names:
        check(stage, name)


async def test_two_of_one_name_are_told_apart_in_posts_menus_and_alt_texts(stage: DiscordStage) -> None:
    rename(stage, Ann="Sam", Bo="Sam", Cy="sam")
    await begin(stage, "Ann", "Bo", "Cy")

    names = (await stage.table()).names
    asked = await stage.send_press_as(stage.admin, Press("admin", "do", 1, 0, "kick"))
    thread = stage.channel.threads[-1]
    post = stage.post(thread)

    assert sorted(names) == ["Sam", "Sam (2)", "sam (3)"]
    assert [option["label"] for option in read_message(asked.response).menus["whom"]["options"]] == names
    assert all(name in (post.alts[0] or "") for name in names)
    assert str(thread.name).endswith(", ".join(names))


async def test_by_ear_people_are_called_as_they_are(stage: DiscordStage) -> None:
    rename(stage, Ann="🐱 Sam", Bo="🐶 Sam", Cy="🦊 Cy")
    for who in ("Ann", "Cy"):
        await stage[who].slash(stage.channel, "me words")
    place = await begin(stage, "Ann", "Bo", "Cy")

    _, panel = await stage.panel("Ann", place)
    board = read_message((await stage["Ann"].slash(place, "table board")).response)
    listed = read_message((await stage["Ann"].slash(place, "mine")).response)

    assert "🐶 Sam" in board.text
    assert "🦊 Cy" in board.text
    assert "🐶 Sam and 🦊 Cy" in listed.text
    assert "🎴" not in panel.text


async def test_a_menu_of_a_listener_names_people_of_emoji_alone(stage: DiscordStage) -> None:
    rename(stage, Ann="🦊", Bo="🦊")
    place = await begin(stage, "Ann", "Bo")
    await stage.admin.slash(stage.channel, "me words")

    asked = await stage.send_press_as(stage.admin, Press("admin", "do", 1, 0, "kick"))

    assert [one["label"] for one in read_message(asked.response).menus["whom"]["options"]] == ["🦊", "🦊 (2)"]
    assert stage.post(place)
