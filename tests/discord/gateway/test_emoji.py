import logging
from collections.abc import Iterator
from typing import Any

import aiohttp
import discord
import pytest
from simcord.backend.models import GuildEmoji

from cogs.discord.emoji import LONGEST_LIMIT, MOST_EMOJI, Catalogue, emoji_name, upload_signs
from cogs.ui import text
from cogs.ui.text import with_signs
from engines.marks import sign, with_icon
from render.core.emoji import signs_of
from tests.discord.stage import DiscordStage

HOUSE = signs_of("house")
LIMIT = 2000


@pytest.fixture(autouse=True)
def none_shown() -> Iterator[None]:
    yield
    text.show({})


async def upload_all_signs(stage: DiscordStage) -> Catalogue:
    with stage.env.time_context():
        return await upload_signs(stage.bot, HOUSE, pause=0)


def there(stage: DiscordStage) -> dict[int, GuildEmoji]:
    return stage.env.backend.application_emojis


def names(stage: DiscordStage) -> set[str]:
    return {emoji.name for emoji in there(stage).values()}


async def test_at_the_first_start_every_sign_is_told_to_discord_and_at_the_next_none(
    stage: DiscordStage,
) -> None:
    await upload_all_signs(stage)

    assert names(stage) == {emoji_name(sign, png) for sign, png in HOUSE.items()}
    crown = next(emoji for emoji in there(stage).values() if emoji.name.startswith("tp_crown_"))
    assert with_signs(sign("crown", "won"), LIMIT) == f"<:{crown.name}:{crown.id}>"
    assert with_signs(with_icon("crown", "Eve"), LIMIT) == f"<:{crown.name}:{crown.id}> Eve"
    before = dict(there(stage))
    text.show({})
    catalogue = await upload_all_signs(stage)
    assert there(stage) == before
    assert set(catalogue.shown) == set(HOUSE)


async def test_a_sign_that_looks_different_now_takes_the_place_of_the_old_one(stage: DiscordStage) -> None:
    older = stage.env.backend.create_application_emoji("tp_crown_000000")

    await upload_all_signs(stage)

    assert older.id not in there(stage)
    assert len(there(stage)) == len(HOUSE)


async def test_emoji_of_other_names_are_left_alone(stage: DiscordStage) -> None:
    others = {
        stage.env.backend.create_application_emoji(name).name
        for name in ("crown", "tp_crown", "my_tp_crown_000000", "tp_crown_00000g")
    }

    await upload_all_signs(stage)

    assert others <= names(stage)


async def test_a_refused_upload_is_told_once(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=None, status=403)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert (
        with_signs(f"{with_icon('seat_1', 'Eve')} gains 2 {sign('crown', 'C')}.", LIMIT) == "Eve gains 2 C."
    )
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"{len(HOUSE)} of {len(HOUSE)} emoji are missing, so words replace them until the next start"
    ]


@pytest.mark.parametrize("status", [400, 403, 413, 500])
async def test_one_that_is_refused_keeps_no_other_back(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=1, status=status)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        catalogue = await upload_all_signs(stage)

    [sign] = catalogue.missing
    assert len(there(stage)) == len(HOUSE) - 1
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith(
        f"1 of {len(HOUSE)} emoji are missing, so words replace them until the next start: {sign}: {status} "
    )


@pytest.mark.parametrize("status", [401, 429])
async def test_an_error_of_every_upload_ends_the_attempt_until_the_next_start(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=1, status=status)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert not there(stage)
    assert len(caplog.records) == 1
    assert (await upload_all_signs(stage)).missing == []


@pytest.mark.parametrize(
    "error", [discord.RateLimited(LONGEST_LIMIT + 1), aiohttp.ClientConnectionError("lost")]
)
async def test_a_long_limit_or_a_lost_connection_ends_the_attempt_with_one_line(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def failed(**_emoji: Any) -> discord.Emoji:
        raise error

    monkeypatch.setattr(stage.bot, "create_application_emoji", failed)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"{len(HOUSE)} of {len(HOUSE)} emoji are missing, so words replace them until the next start"
    ]


async def test_an_upload_waits_out_a_limit(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    upload, limits = stage.bot.create_application_emoji, [discord.RateLimited(0.0), discord.RateLimited(0.0)]

    async def limited(**emoji: Any) -> discord.Emoji:
        if limits:
            raise limits.pop()
        return await upload(**emoji)

    monkeypatch.setattr(stage.bot, "create_application_emoji", limited)

    catalogue = await upload_all_signs(stage)

    assert limits == []
    assert catalogue.missing == []


async def test_no_more_emoji_are_made_than_an_application_may_have(stage: DiscordStage) -> None:
    for number in range(MOST_EMOJI - 3):
        stage.env.backend.create_application_emoji(f"other_{number}")
    old = stage.env.backend.create_application_emoji("tp_crown_000000")

    catalogue = await upload_all_signs(stage)

    assert len(there(stage)) == MOST_EMOJI
    assert len(catalogue.shown) == 3
    assert old.id not in there(stage)
