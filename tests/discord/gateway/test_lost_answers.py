"""Discord does what it is asked and answers 502: nothing comes twice, and nothing is lost."""

from typing import Any

import pytest

from tests.discord.simulation import lose_answers
from tests.discord.stage import DiscordStage


async def test_a_thread_without_a_card_is_made_from_a_message_and_only_once(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="coop", computers=1)
    stage.env.backend.delete_message(stage.channel.id, stage.card().message.id)
    lose_answers(stage.env.backend, "POST", f"/channels/{stage.channel.id}/messages")
    lose_answers(stage.env.backend, "POST", "/channels/*/messages/*/threads")

    await stage["Ann"].slash(stage.channel, "table start", table=1)
    start = [post for post in stage.posts(stage.channel) if "continues in this thread" in post.text]
    await stage.env.advance_time(10)
    stage.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160004, times=1)
    await stage.env.advance_time(60)

    (thread,) = stage.channel.threads
    assert [post.message.id for post in start] == [thread.id]
    assert "Take turn" in stage.post(thread).buttons


async def test_a_refused_edit_of_an_old_post_sends_nothing_again(
    stage: DiscordStage, place: Any, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(stage.posts(place))
    stage.env.inject_error("PATCH", f"/channels/{place.id}/messages/*", status=429, code=30046, times=None)

    await stage.panel_flip("Ann", place)
    await stage.env.advance_time(1200)

    assert len(stage.posts(place)) == before + 1
    assert sum("an older post stays as it is" in line for line in caplog.messages) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


async def test_a_move_away_from_an_unseen_channel_posts_one_card(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new")
    lounge = stage.guild.create_text_channel("lounge")
    stage.env.inject_error("*", f"/channels/{stage.channel.id}*", status=403, code=50001, times=None)

    await stage.admin.slash(lounge, "admin move", channel=lounge, table=1)
    for _ in range(6):
        await stage.env.advance_time(1800)

    assert len([post for post in stage.posts(lounge) if "Join" in post.buttons]) == 1


async def test_a_game_moved_away_from_an_unseen_channel_goes_on_once(stage: DiscordStage, place: Any) -> None:
    lounge = stage.guild.create_text_channel("lounge")
    stage.env.inject_error("*", f"/channels/{place.id}*", status=403, code=50001, times=None)

    await stage.admin.slash(lounge, "admin move", channel=lounge, table=1)
    for _ in range(6):
        await stage.env.advance_time(1800)

    (thread,) = lounge.threads
    assert len([post for post in stage.posts(thread) if "Take turn" in post.buttons]) == 1
    assert await stage.bot.app.parlour.store.outbox_of(1, 1e12) == []


async def test_ask_around_comes_once(stage: DiscordStage) -> None:
    role = stage.guild.create_role("Players", mentionable=True)
    await stage.admin.slash(stage.channel, "admin config", ask_role=role)
    await stage["Ann"].slash(stage.channel, "ribbon new")

    asked = await stage["Ann"].click(stage.card().message, label="Ask around")

    assert "I've asked around" in asked.response.content
    sent = [one for one in stage.env.http_requests if one.path == f"/channels/{stage.channel.id}/messages"]
    assert all((one.json or {}).get("enforce_nonce") for one in sent if one.method == "POST")


async def test_a_profile_and_a_replay_for_everybody_come_once(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    profile = await stage["Ann"].slash(place, "profile")
    replay = await stage["Ann"].click(stage.post(place).message, label="Replay")
    requests = len(stage.env.http_requests)

    await stage["Ann"].click(profile.response, label="Show everyone")
    await stage["Ann"].click(replay.response, label="Show it to everyone")

    sent = [one for one in stage.env.http_requests[requests:] if one.path == f"/channels/{place.id}/messages"]
    assert len(sent) == 2
    assert all((one.json or {}).get("enforce_nonce") for one in sent)
