"""`/admin config`: without options it shows all settings, with some it tells what has changed and no more."""

import pytest

from db.records import ServerSettings
from tests.discord.stage import DiscordStage, read_message

pytestmark = pytest.mark.slow


async def test_without_options_every_setting_is_shown(stage: DiscordStage) -> None:
    shown = await stage.admin.slash(stage.channel, "admin config")

    assert read_message(shown.response).text.count("**: ") >= 15


async def test_the_answer_tells_the_change_and_nothing_else(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", most_tables=2)

    changed = await stage.admin.slash(stage.channel, "admin config", most_tables=3, hints=False)

    assert read_message(changed.response).text.splitlines()[:3] == [
        "**Limit of open tables**: 3 (was: 2)",
        "**Hints**: none (was: on request)",
    ]
    log = read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text
    assert (
        "changed the settings. **Limit of open tables**: 3 (was: 2); "
        "**Hints**: none (was: on request)." in log
    )


async def test_an_unchanged_setting_says_so(stage: DiscordStage) -> None:
    same = await stage.admin.slash(stage.channel, "admin config", computers=True)

    assert "Nothing changed, because it was already like that." in read_message(same.response).text


async def test_a_server_whose_usual_pace_is_forbidden_can_change_what_else_it_likes(
    stage: DiscordStage,
) -> None:
    odd = ServerSettings(stage.guild.id, pace="daily", forbidden_paces=("daily",))
    await stage.bot.app.parlour.store.save_guild(odd)

    changed = await stage.admin.slash(stage.channel, "admin config", hints=False)
    refused = await stage.admin.slash(stage.channel, "admin config", forbid_pace="weekly")

    assert "**Hints**: none (was: on request)" in read_message(changed.response).text
    assert "so you can't forbid it" in refused.response.content
