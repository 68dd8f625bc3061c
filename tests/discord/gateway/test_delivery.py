"""Every request to show something is met, once, and edits name the files that they keep."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from random import Random
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import msgspec
import pytest
from aiohttp import web
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter

from cogs.discord.messages import Memo
from cogs.discord.work import PAUSES, Rate, Requests, pause_after
from cogs.ui.press import _is_discord_failure
from engines.engine import Engine
from engines.workers import WorkerTimeout
from tests.db.incidents import log_lines
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message

FOR_EVER = 1e12
TABLES = [
    (("Ann", "Bo"), {"game": "ribbon", "mode": "versus", "first": "host"}),
    (("Ann", "Bo"), {"game": "tesla"}),
    (("Ann", "Bo"), {"game": "tangram"}),
    (("Ann", "Bo", "Cy"), {"game": "tanglewood"}),
    (("Ann", "Bo"), {"game": "tangle"}),
]


async def test_one_post_looked_for_first_tells_what_failed_posts_had_to(
    stage: DiscordStage, place: Any
) -> None:
    stage.env.inject_error("POST", f"/channels/{place.id}/messages", status=500, times=1)
    await stage.panel_flip("Ann", place)
    assert stage.history_requests() == []
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    await stage["Bo"].slash(place, "ribbon end")

    await stage.env.advance_time(60)

    assert stage.history_requests() == [f"/channels/{place.id}/messages"]
    text = stage.post(place).text
    assert "Ann flips" in text
    assert len(stage.posts(place)) == 2


async def test_closed_dms_are_mentioned_once_with_a_button_and_reopened_ones_bring_hands_again(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
) -> None:
    dm = stage["Bo"].user.dm_channel
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    notes = [post for post in stage.posts(place) if "you don't allow DMs" in post.text]
    assert len(notes) == 1
    assert f"<@{stage['Bo'].id}>" in notes[0].text
    shown = await stage["Bo"].click(notes[0].message, label="My hand")
    assert shown.ephemeral
    assert read_message(shown.response).files == ["ribbon-hand.png"]
    assert stage["Ann"].user.dm_channel.history()

    await stage.refresh("hand", stage["Bo"].id)
    assert len([post for post in stage.posts(place) if "you don't allow DMs" in post.text]) == 1
    stage.env.backend.faults.clear()
    assert dm.history() == []
    await stage.refresh("hand", stage["Bo"].id)
    assert read_message(dm.history()[-1]).files == ["ribbon-hand.png"]
    assert log_lines(caplog) == []


async def test_a_hand_message_takes_the_turn_and_shows_changes(stage: DiscordStage, place: Any) -> None:
    message = stage["Ann"].user.dm_channel.history()[-1]

    result = await stage["Ann"].user.click(message, label="Take turn")
    await pick(stage["Ann"].user, result.response, "flip", "7")

    assert (await stage.view()).circle[6] is not None
    assert " at 7" in stage.post(place).text

    message = stage["Bo"].user.dm_channel.history()[-1]
    await stage["Bo"].slash(place, "ribbon choose", choice="flip 9")
    card = next(card for card in (await stage.view("Bo")).hands[1] if card)

    await stage["Bo"].slash(place, "ribbon choose", choice=f"put {card} at 9")

    history = stage["Bo"].user.dm_channel.history()
    assert [m.id for m in history] == [message.id]
    assert history[-1].edited_at is not None


def last_dm(stage: DiscordStage, name: str) -> ShownMessage:
    return read_message(stage[name].user.dm_channel.history()[-1])


async def test_the_end_takes_a_hands_cards_and_archives_its_thread(stage: DiscordStage, place: Any) -> None:
    assert last_dm(stage, "Bo").files == ["ribbon-hand.png"]

    await stage.finish(place)

    for name in ("Ann", "Bo"):
        assert last_dm(stage, name).text.strip() == "**Ribbon Tangle**, table 1: the game is over."
        assert last_dm(stage, name).files == []
        assert list(last_dm(stage, name).buttons) == ["To the table"]
    stage.archive(place)
    await stage.env.settle()
    assert stage.is_archived(place)

    asked = await stage.admin.slash(stage.channel, "admin rollback", steps=2, table=1)
    await stage.admin.click(asked.response, label="Yes, do it")
    assert last_dm(stage, "Ann").files == ["ribbon-hand.png"]


@pytest.mark.parametrize(
    ("label", "told"),
    [("Resign", "you have no cards now."), ("Let a computer take my seat", "you've left this game.")],
)
async def test_a_hand_message_loses_its_cards_when_its_person_goes(
    stage: DiscordStage, label: str, told: str
) -> None:
    place = await stage.open("Ann", "Bo", "Cy", mode="versus", first="host", ribbon_choice="random")
    asked = await stage["Bo"].slash(place, "table resign")
    await stage["Bo"].click(asked.response, label=label)

    assert last_dm(stage, "Bo").text.strip() == f"**Ribbon Tangle**, table 1: {told}"
    assert list(last_dm(stage, "Bo").buttons) == ["To the table"]
    assert "Take turn" in last_dm(stage, "Cy").buttons


async def test_archived_threads_are_reopened_and_deleted_made_anew(stage: DiscordStage, place: Any) -> None:
    with stage.away():
        stage.archive(place)

    await stage.restart()

    assert not stage.is_archived(place)

    stage.env.backend.delete_channel(place.id)
    assert not stage.channel.threads
    await stage.env.settle()

    again = stage.channel.threads[-1]
    assert "Take turn" in stage.post(again).buttons
    assert f"/{again.id}" in stage.card().text
    await stage.panel_flip("Ann", again)
    assert "Ann flips" in stage.post(again).text


async def test_a_deleted_channel_moves_the_table_to_another(stage: DiscordStage, place: Any) -> None:
    other = stage.guild.create_text_channel("other")
    stage.env.backend.delete_channel(place.id)
    stage.env.backend.delete_channel(stage.channel.id)
    await stage.env.settle()
    await stage.env.advance_time(60)

    again = other.threads[-1]
    assert any("was deleted, so the game continues here" in post.text for post in stage.posts(again))
    assert "Take turn" in stage.post(again).buttons


async def test_a_deleted_board_comes_back_with_table_show(stage: DiscordStage, place: Any) -> None:
    stage.env.backend.delete_message(place.id, stage.post(place).message.id)

    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    again = await stage["Bo"].slash(stage.channel, "table show", table=1)

    assert "The board was deleted, so I'm posting it again" in read_message(shown.response).text
    [board] = [post for post in stage.posts(place) if "Take turn" in post.buttons]
    assert board.files
    assert "The board was deleted" not in read_message(again.response).text
    private = await stage["Bo"].click(again.response, label="Show the board")
    assert private.ephemeral
    assert read_message(private.response).files


async def test_a_card_deleted_in_the_second_of_a_join_is_posted_again(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    card = stage.card().message
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10008, times=1)
    path = f"/channels/{stage.channel.id}/messages/{card.id}"
    stage.env.inject_error("PATCH", path, status=404, code=10008, times=None)

    answer = await stage["Bo"].click(card, label="Join")
    await stage.env.settle()

    assert "I'm posting a new one" in answer.response.content
    assert stage.card().message.id != card.id
    assert "Bo" in stage.card().text


async def test_missing_permissions_are_named_before_a_table_opens(stage: DiscordStage) -> None:
    muted = stage.guild.create_text_channel(
        "muted", overwrites={stage.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )

    answer = await stage["Ann"].slash(muted, "ribbon new")

    assert answer.ephemeral
    assert "Attach Files" in answer.response.content


async def test_nobody_is_pinged_but_those_who_owe_and_names_never_ping(stage: DiscordStage) -> None:
    evil = stage.guild.add_member(stage.env.create_user("evil", global_name="@everyone <@1> **x**"))
    await stage["Ann"].slash(stage.channel, "ribbon new", ribbon_choice="random", first="host")
    await evil.click(stage.card().message, label="Join")
    await stage["Ann"].click(stage.card().message, label="Start")
    place = stage.channel.threads[-1]

    message = stage.post(place).message

    assert [user.id for user in message.mentions] == [stage["Ann"].id]
    assert not message.mention_everyone


async def test_a_card_that_cannot_be_edited_keeps_no_computer_from_beginning(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=500, times=1)
    stage.trouble = True

    await stage["Ann"].click(stage.card().message, label="Start")
    await stage.env.advance_time(30)

    assert (await stage.table()).phase == "play"
    assert "Take turn" in stage.post(stage.channel.threads[-1]).buttons
    assert (await stage.due()) != ["Ada"]


async def test_of_two_edits_of_a_card_that_cross_the_newer_one_stays(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus")
    card = stage.card().message
    edit = discord.InteractionResponse.edit_message

    async def overtaken(response: discord.InteractionResponse[Any], **how: Any) -> Any:
        monkeypatch.setattr(discord.InteractionResponse, "edit_message", edit)
        await stage.bot.app.parlour.lobby.join(1, stage["Cy"].id, "Cy")
        table = await stage.table()
        await stage.bot.app.parlour.note_shown(table, "lobby", 0)
        return await edit(response, **how)

    monkeypatch.setattr(discord.InteractionResponse, "edit_message", overtaken)
    await stage["Bo"].click(card, label="Join")

    assert (await stage.table()).names == ["Ann", "Bo", "Cy"]
    assert "Cy" in stage.card().text


async def test_a_rate_limit_postpones_a_post_by_as_long_as_it_lasts(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(stage.posts(place))

    async def limited(*_args: Any, **_how: Any) -> None:
        raise discord.RateLimited(300.0)

    with monkeypatch.context() as patched:
        patched.setattr(discord.abc.Messageable, "send", limited)
        await stage.panel_flip("Ann", place)
    await stage.env.advance_time(280)
    assert len(stage.posts(place)) == before

    await stage.env.advance_time(60)
    assert len(stage.posts(place)) == before + 1
    assert "Ann flips" in stage.post(place).text
    assert "not shown yet" in caplog.text


@pytest.mark.any_game
@pytest.mark.parametrize(("people", "options"), TABLES, ids=str)
async def test_a_usual_turn_looks_nothing_up(
    stage: DiscordStage, people: tuple[str, ...], options: dict[str, Any]
) -> None:
    place = await stage.open(*people, **options)
    asked, before = len(stage.lookups()), len(stage.posts(place))

    await stage.next_post(place)

    assert len(stage.posts(place)) > before
    assert stage.lookups()[asked:] == []


@pytest.mark.drawn
async def test_a_board_keeps_unchanged_files_and_a_lost_one_comes_again(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangram")
    before = stage.post(place)
    assert f"<@{stage['Ann'].id}>" in before.text
    requests = len(stage.env.http_requests)

    await stage.act("Ann", place, Random(1))

    edits = [
        request
        for request in stage.env.http_requests[requests:]
        if request.method == "PATCH" and request.path.startswith(f"/channels/{place.id}/messages")
    ]
    assert edits
    kept = [{"id": str(one.id), "filename": one.filename} for one in before.message.attachments]
    assert all((request.json or {})["attachments"] == kept for request in edits)
    after = stage.post(place)
    assert (after.message.id, after.files, after.alts) == (before.message.id, before.files, before.alts)
    assert after.text != before.text

    for _ in range(4):
        await stage.refresh("board")
    before = stage.post(place)
    assert before.files == ["tangram-table.png"]
    _, memo = await memo_of(stage)
    assert [file.filename for file in memo.files] == ["tangram-table.png"]
    stored = stage.env.backend.messages[place.id][before.message.id]
    stored.attachments = [{**one, "id": str(int(one["id"]) + 1)} for one in stored.attachments]

    await stage.refresh("board")

    after = stage.post(place)
    assert after.message.id == before.message.id
    assert after.files == before.files


async def test_a_table_is_told_that_its_computer_takes_longer_and_no_more_when_it_has_moved(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.trouble = True

    async def fail(*_args: object) -> None:
        raise WorkerTimeout("a computer took too long")

    place = await stage.open("Ann", mode="coop", computers=1, first="host")
    with monkeypatch.context() as patched:
        patched.setattr(Engine, "think", fail)
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 1")
        assert "taking longer than expected. I'll try again" in stage.post(place).text

    await stage.env.advance_time(10)

    assert "taking longer than expected" not in "\n".join(post.text for post in stage.posts(place))
    assert (await stage.table()).owing in {(0,), ()}


async def memo_of(stage: DiscordStage) -> tuple[Any, Memo]:
    """Return the row of the newest board, and its memo."""
    row = await stage.bot.app.parlour.store.find_last_post(1, "board", 0)
    assert row is not None
    return row, msgspec.json.decode(row.memo, type=Memo)


async def test_an_old_board_loses_its_buttons_and_keeps_its_files(stage: DiscordStage, place: Any) -> None:
    first = stage.post(place)

    await stage.panel_flip("Ann", place)

    old = next(post for post in stage.posts(place) if post.message.id == first.message.id)
    assert not old.buttons
    assert old.files == first.files == ["ribbon-table.png"]
    assert stage.lookups() == [path for path in stage.lookups() if "/messages/" not in path]

    row, memo = await memo_of(stage)
    without = msgspec.structs.replace(memo, files=())
    store = stage.bot.app.parlour.store
    (waiting, *_) = [one for one in [await store.find_last_post(1, "board", 0)] if one is not None]
    kept = msgspec.structs.replace(waiting, memo=msgspec.json.encode(without).decode())
    await stage.bot.app.parlour.note_post(
        await stage.table(), "board", 0, kept.channel_id, kept.message_id, kept.memo
    )

    await stage.finish_turn("Bo", place)

    old = next(post for post in stage.posts(place) if post.message.id == row.message_id)
    assert not old.buttons
    assert old.files == ["ribbon-table.png"]


async def test_a_card_keeps_its_file_at_edits_and_is_made_anew_if_deleted(stage: DiscordStage) -> None:
    # A press made before the edit would otherwise name a file that is gone.
    await stage["Ann"].slash(stage.channel, "ribbon new")
    first = _file_ids(stage)

    await stage.refresh("lobby")
    await stage["Bo"].click(stage.card().message, label="Join")
    await stage.refresh("lobby")

    assert _file_ids(stage) == first != []

    stage.env.backend.delete_message(stage.channel.id, stage.card().message.id)

    await stage["Cy"].slash(stage.channel, "table join", table=1)

    assert "Cy" in stage.card().text


def _file_ids(stage: DiscordStage) -> list[str]:
    shown = stage.card().message
    return [one["id"] for one in stage.env.backend.messages[shown.channel.id][shown.id].attachments]


OLD_EDITS = {"message": "Maximum number of edits to messages older than 1 hour reached", "code": 30046}
EXPIRED = {"message": "Invalid Webhook Token", "code": 50027}
PAGE = "<!DOCTYPE html>\n<title>Access denied</title>"


class Refusing:
    """A server that gives every request its next answer, and the last one again and again."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, Any]] = []
        self.asked = 0
        self.hangs = asyncio.Event()

    async def answer(self, _request: web.Request) -> web.Response:
        self.asked += 1
        if not self.answers:
            self.hangs.set()
            await asyncio.Event().wait()
        status, body = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(body, str):
            return web.Response(status=status, text=body, content_type="text/html", headers={"Via": "1.1"})
        return web.Response(
            status=status,
            body=discord.utils._to_json(body).encode(),
            headers={"Via": "1.1 google", "Content-Type": "application/json"},
        )


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Refusing]:
    refusing = Refusing()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", refusing.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield refusing
    await runner.cleanup()


@pytest.fixture
async def http(server: Refusing) -> AsyncIterator[HTTPClient]:
    server.answers = [(200, {"id": "1"})]
    client = HTTPClient(asyncio.get_running_loop(), http_trace=Rate(lambda: 1.0).trace())
    await client.static_login("token")
    server.answers = []
    server.asked = 0
    yield client
    await client.close()


def edit() -> Route:
    ids: dict[str, Any] = {"channel_id": 1, "message_id": 2}
    return Route("PATCH", "/channels/{channel_id}/messages/{message_id}", **ids)


async def edit_answer(http: HTTPClient) -> Any:
    """Edit an answer to a press, which bypasses the client's own `request`."""
    ids: dict[str, Any] = {"webhook_id": 1, "webhook_token": "token"}
    route = Route("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", **ids)
    session: aiohttp.ClientSession = http._HTTPClient__session  # type: ignore[attr-defined]  # private
    adapter: Any = AsyncWebhookAdapter  # discord.py types it only in part
    return await adapter().request(route, session, payload={})


async def test_each_answer_of_discord_is_a_second_look_at_the_clock(server: Refusing) -> None:
    """The test server dates its answers, as Discord does."""
    heard: list[float] = []
    server.answers = [(200, {"id": "1"})]
    client = HTTPClient(asyncio.get_running_loop(), http_trace=Rate(lambda: 1.0, heard.append).trace())

    await client.static_login("token")

    await client.close()
    assert heard
    assert abs(heard[-1] - time.time()) < 60


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [(OLD_EDITS, 30046, OLD_EDITS["message"]), (PAGE, 0, "Cloudflare refuses requests from this address")],
)
async def test_a_limit_without_a_time_is_a_refusal_of_posts_and_answers(
    server: Refusing, http: HTTPClient, body: Any, code: int, text: str
) -> None:
    server.answers = [(429, body)]
    for request in (http.request(edit(), json={}), edit_answer(http)):
        with pytest.raises(discord.HTTPException) as refused:
            await request
        assert (refused.value.status, refused.value.code, refused.value.text) == (429, code, text)
        assert _is_discord_failure(refused.value)
    assert server.asked == 2


async def test_a_limit_with_a_time_is_waited_out(server: Refusing, http: HTTPClient) -> None:
    limit = (429, {"retry_after": 0.01, "message": "You are being rate limited.", "global": False})

    for request in (http.request(edit(), json={}), edit_answer(http)):
        server.answers = [limit, (200, {"id": "2"})]
        assert await request == {"id": "2"}


async def test_an_answer_is_not_held_up_or_sent_too_late(server: Refusing, http: HTTPClient) -> None:
    server.answers = [(429, {"retry_after": 600.0, "message": "You are being rate limited."})]

    with pytest.raises(discord.RateLimited) as limited:
        await edit_answer(http)

    assert limited.value.retry_after == 600.0
    assert _is_discord_failure(limited.value)

    server.answers = [(401, EXPIRED)]

    with pytest.raises(discord.HTTPException) as refused:
        await edit_answer(http)

    assert _is_discord_failure(refused.value)


def test_only_limits_and_outages_are_waited_out_at_the_start() -> None:
    def failed(status: int) -> discord.HTTPException:
        response: Any = SimpleNamespace(status=status, reason="for a test")
        return discord.HTTPException(response, None)

    assert [pause_after(failed(status), 0) for status in (400, 401, 403, 404)] == [None] * 4
    assert [pause_after(failed(status), 0) for status in (429, 500, 503)] == [PAUSES[0]] * 3
    assert pause_after(failed(503), len(PAUSES)) is None
    assert sum(PAUSES) < 11 * 60


async def test_a_running_bot_passes_refusals_on(server: Refusing, http: HTTPClient) -> None:
    requests = Requests(http, lambda: False)
    requests.is_starting = False
    server.answers = [(503, "upstream")]

    with pytest.raises(discord.HTTPException):
        await http.request(edit(), json={})

    assert server.asked == 1


async def test_a_stop_gives_a_request_up_silently(server: Refusing, http: HTTPClient) -> None:
    is_closed = [False]
    Requests(http, lambda: is_closed[0])
    under_way = asyncio.create_task(http.request(edit(), json={}))
    await server.hangs.wait()

    is_closed[0] = True
    await http.close()

    await asyncio.wait([under_way], timeout=5)
    assert under_way.cancelled()
    with pytest.raises(asyncio.CancelledError):
        await http.request(edit(), json={})


async def test_a_lost_connection_is_still_an_error(server: Refusing, http: HTTPClient) -> None:
    Requests(http, lambda: False)
    await http.close()

    with pytest.raises(RuntimeError, match="Session is closed"):
        await http.request(edit(), json={})


async def test_an_interrupted_post_comes_later(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    place: Any = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    posts = len(stage.posts(place))
    http, parlour = stage.bot.http, stage.bot.app.parlour

    async def closed(*_route: Any, **_options: Any) -> Any:
        raise RuntimeError("Session is closed")

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.INFO):
        patch.setattr(http, "request", closed)
        Requests(http, lambda: True)
        await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
        assert log_lines(caplog) == []
        assert len(await parlour.store.outbox_of(1, 1e12)) == 1

    await stage.restart()
    await stage.env.advance_time(10)
    assert len(stage.posts(place)) == posts + 1
    assert " at 3." in stage.post(place).text
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []
