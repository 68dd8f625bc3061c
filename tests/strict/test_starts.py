import asyncio
import logging
from collections.abc import Callable
from typing import Any

import discord
import pytest

from cogs.discord.trial import judge_application
from tests.strict.api.gateway import ENDING
from tests.strict.api.permissions import ATTACH, PUBLIC_THREADS
from tests.strict.api.world import ANNOUNCEMENT, CATEGORY, FORUM, PUBLIC_THREAD, STAGE, VOICE, Overwrite
from tests.strict.conftest import Strict
from tests.strict.play import open_table, still_answers, wait_for_reconnect
from tests.strict.process import StrictBot

DOCKER_WAITS = 10.0
"""Seconds that Docker gives a container to stop."""


def commands_put(strict: Strict) -> int:
    return strict.server.count("PUT", "/commands")


@pytest.mark.thorough
async def test_a_second_start_registers_nothing_again(strict: Strict, bot: StrictBot) -> None:
    assert commands_put(strict) == 1
    await bot.kill()

    again = strict.bot()
    await again.start()
    await again.ready()

    assert commands_put(strict) == 1
    assert len(strict.world.commands) > 10


@pytest.mark.thorough
async def test_the_signs_are_uploaded_as_emoji(strict: Strict, bot: StrictBot) -> None:
    await strict.until(lambda: len(strict.world.emojis) >= 2, 60.0, "two emoji")

    assert all(one.name.startswith("tp_") for one in strict.world.emojis.values())


@pytest.mark.thorough
async def test_check_knows_the_token(strict: Strict) -> None:
    strict.world.exhaust_sessions(60.0)
    bot = strict.bot()
    await bot.start(["check", "--token"])

    assert await bot.wait_for_end() == 0, bot.output
    assert bot.has_said("Discord knows it as tangle")
    assert bot.has_said("ok   application: servers can add it"), bot.output
    assert bot.has_said("ok   application: no commands are registered. The bot registers"), bot.output
    assert strict.server.gateway.identifies == 0


REFUSALS: dict[str, Callable[[Strict], object]] = {
    "a limit of an hour": lambda strict: strict.server.faults.limit("GET", "/users/@me", 3600.0, times=None),
    "a limit of the gateway": lambda strict: strict.server.faults.limit(
        "GET", "/gateway/bot", 3600.0, times=None
    ),
    "a ban": lambda strict: strict.server.faults.ban(),
}
SHORT = "a limit of an hour"


@pytest.mark.parametrize(
    "what", [pytest.param(one, marks=() if one == SHORT else pytest.mark.thorough) for one in REFUSALS]
)
async def test_a_start_that_discord_limits_waits_or_ends_with_a_sentence(strict: Strict, what: str) -> None:
    REFUSALS[what](strict)
    bot = strict.bot()
    await bot.start()

    await strict.until(lambda: bot.has_said("Discord") or not bot.is_running, 60.0, "a sentence")

    code = await bot.stop() if bot.is_running else await bot.wait_for_end()
    assert bot.has_said("Discord"), bot.output
    assert code in (0, 1)
    assert sum(one.status == 429 for one in strict.server.requests) <= 3
    bot.require_no_traceback()


async def test_a_start_goes_on_though_discord_takes_no_new_command(strict: Strict) -> None:
    strict.world.commands_made.extend([strict.world.now()] * 200)
    bot = strict.bot()
    await bot.start()
    await bot.ready()

    assert bot.has_said("can't register the commands; the old ones go on"), bot.output
    assert bot.has_said("30034"), bot.output
    assert await bot.stop() == 0
    bot.require_no_traceback()


async def test_a_start_keeps_the_command_of_an_activity(strict: Strict) -> None:
    strict.owner.turn_on_activities()
    (launch,) = strict.world.commands
    for _ in range(2):
        bot = strict.bot()
        await bot.start()
        await bot.ready()
        assert await bot.stop() == 0, bot.output

    assert launch in strict.world.commands
    assert len(strict.world.commands) > 10
    assert commands_put(strict) == 1


@pytest.mark.thorough
async def test_commands_of_another_version_are_replaced(strict: Strict, bot: StrictBot) -> None:
    await bot.kill()
    changed = next(iter(strict.world.commands.values()))
    changed["description"] = "Something else"

    again = strict.bot()
    await again.start()
    await again.ready()

    assert commands_put(strict) == 2
    assert "Something else" not in str(strict.world.commands)


@pytest.mark.thorough
@pytest.mark.parametrize("code", [4001, 4002, 4003, 4005, 4007, 4008, 4009])
async def test_it_comes_back_after_each_close(strict: Strict, bot: StrictBot, code: int) -> None:
    await strict.server.gateway.close(code)

    await wait_for_reconnect(strict, 1)
    assert strict.server.gateway.identifies == (2 if code in ENDING else 1)
    await still_answers(strict)


@pytest.mark.thorough
async def test_it_logs_in_again_if_its_session_is_invalid(strict: Strict, bot: StrictBot) -> None:
    strict.server.gateway.invalidate(resumable=False)

    await wait_for_reconnect(strict, 1)
    await still_answers(strict)


@pytest.mark.thorough
async def test_it_leaves_a_zombie(strict: Strict, bot: StrictBot) -> None:
    gateway = strict.server.gateway
    gateway.is_zombie = True
    first = gateway.connections[0]

    await strict.until(lambda: first not in gateway.connections, 180.0, "an end of the zombie")
    gateway.is_zombie = False

    await wait_for_reconnect(strict, 1)
    await still_answers(strict)


@pytest.mark.thorough
async def test_it_answers_again_after_a_ban(strict: Strict, bot: StrictBot) -> None:
    ban = strict.server.faults.ban()
    for number in range(5):
        strict["Ann"].begin_slash(strict.channel, "ribbon new")

        def is_refused(before: int = number) -> bool:
            return ban.hits > before

        await strict.until(is_refused, why="a refused answer")

    ban.end()

    await still_answers(strict)


@pytest.mark.thorough
async def test_a_kill_loses_no_post(strict: Strict, bot: StrictBot) -> None:
    card = await open_table(strict, mode="solo")
    await strict["Ann"].click(card, "Start")
    await bot.kill()

    again = strict.bot()
    await again.start()
    await again.ready()

    await strict.until(lambda: any(map(strict.boards, strict.threads)), 60.0, "the board")
    assert len(strict.threads) == 1
    assert len(strict.boards(strict.threads[0])) == 1


@pytest.mark.thorough
async def test_a_stop_soon_after_a_start_is_quick(strict: Strict, bot: StrictBot) -> None:
    async with asyncio.timeout(DOCKER_WAITS):
        assert await bot.stop() == 0


STEPS = (
    "token: Discord knows it as",
    "logins:",
    "server: Parlour",
    "permissions in #games: all there",
    "Ask around: I can ping no role",
    "a card with a picture: posted",
    "the same again: Discord recognised it",
    "an edit that names no file: Discord",
    "an edit that uploads the picture: shown",
    "an edit that names its file, as a press does: the picture stays",
    "a thread from the card: made",
    "a board: posted",
    "an edit of the board: shown",
    "an old board without buttons: the picture stays",
    "a DM to operator: sent",
    "private answers: not tried",
    "cleaning up:",
)


async def check(strict: Strict, *arguments: str) -> tuple[StrictBot, int]:
    """Run the command; return it, and its exit code."""
    bot = strict.bot()
    await bot.start(["check", "--server", str(strict.guild.id), *arguments])
    code = await bot.wait_for_end()
    bot.require_no_traceback()
    return bot, code


def bad(bot: StrictBot) -> list[str]:
    return [line for line in bot.lines if line.startswith("BAD")]


async def test_every_step_is_one_line_and_all_is_cleaned_up(strict: Strict) -> None:
    bot, code = await check(strict, "--channel", str(strict.channel.id))

    assert (code, bad(bot)) == (0, []), bot.output
    assert all(line.startswith(("ok ", "note", "BAD")) for line in bot.lines), bot.output
    for step in STEPS:
        assert sum(step in line for line in bot.lines) >= 1, f"{step}\n{bot.output}"
    assert strict.channel.public == []
    assert strict.world.surprises == []
    assert strict.server.gateway.identifies == 0


@pytest.mark.parametrize("is_news", [False, True])
async def test_any_fitting_channel_is_as_good_and_the_first_is_taken(strict: Strict, is_news: bool) -> None:
    news = strict.world.add_channel(strict.guild, "news", ANNOUNCEMENT)

    bot, code = await check(strict, *(("--channel", str(news.id)) if is_news else ()))

    assert (code, bad(bot)) == (0, []), bot.output
    assert bot.has_said(f"permissions in #{'news' if is_news else 'games'}")
    assert bot.has_said("a thread from the card: made")


def deny(strict: Strict) -> None:
    denied = ATTACH | PUBLIC_THREADS
    strict.channel.overwrites.append(Overwrite(strict.world.bot.id, False, deny=denied))


TROUBLES: dict[str, tuple[Callable[[Strict], object], tuple[str, ...], tuple[str, ...]]] = {
    "permissions": (deny, (), ("Attach Files", "Nobody can open tables there", "code 50013")),
    "no bot": (lambda s: setattr(s.guild, "has_bot", False), (), ("`make run` prints an invite link",)),
    "no channel": (lambda _: None, ("--channel", "5"), ("I can't see 5", "10003")),
}


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_what_is_missing_is_named_with_what_it_means(strict: Strict, trouble: str) -> None:
    begin, arguments, texts = TROUBLES[trouble]
    begin(strict)

    bot, code = await check(strict, *(arguments or ("--channel", str(strict.channel.id))))

    assert code == 1
    assert all(any(text in line for line in bot.lines) for text in texts), bot.output
    assert any(texts[-1] in line for line in bad(bot)), bot.output


async def test_an_invitation_without_commands_is_named(strict: Strict) -> None:
    strict.server.faults.refuse("GET", f"/guilds/{strict.guild.id}/commands", 403, 50001, "Missing Access")

    bot, code = await check(strict, "--channel", str(strict.channel.id))

    assert code == 1
    assert any("Discord shows no commands there" in line for line in bad(bot)), bot.output


PORTAL: dict[str, tuple[dict[str, Any], str]] = {
    "code grant": ({"bot_require_code_grant": True}, "“Requires OAuth2 Code Grant” is on"),
    "people only": ({"integration_types_config": {"1": {}}}, "servers can't add it. Tick “Guild Install”"),
    "link": (
        {"install_params": {"scopes": ["bot"], "permissions": "1024"}},
        "its install link lacks applications.commands, Send Messages",
    ),
    "endpoint": ({"interactions_endpoint_url": "https://example.org"}, "no press reaches the bot"),
    "activities": ({"flags": 1 << 17}, "Activities are on"),
    "intents": ({"flags": 1 << 19}, "privileged intents are on (gateway_message_content_limited)"),
    "growth": ({"flags": 1 << 16}, "until it's verified"),
    "private": ({"bot_public": False}, "private, so only its owner can add it"),
}


@pytest.mark.parametrize("switch", PORTAL)
def test_a_switch_of_the_portal_is_named(switch: str) -> None:
    about, said = PORTAL[switch]

    (found,) = (one for one in judge_application(about, True, True) if said in one.text)

    assert found.is_ok is (None if switch == "private" else False)


async def test_no_room_for_threads_is_said_and_the_rest_is_tried(strict: Strict) -> None:
    strict.server.faults.refuse(
        "POST", "/threads", 400, 160006, "Maximum number of active threads reached", times=1
    )

    bot, code = await check(strict, "--channel", str(strict.channel.id))

    assert code == 1
    assert any("code 160006" in line and "in the channel itself" in line for line in bad(bot)), bot.output
    assert bot.has_said("a board: posted")
    assert strict.channel.public == []


async def test_a_channel_without_its_server_is_refused(strict: Strict) -> None:
    bot = strict.bot()
    await bot.start(["check", "--channel", "5"])

    assert await bot.wait_for_end() == 2
    assert bot.has_said("--channel needs --server")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (FORUM, "a forum"),
        (VOICE, "a voice channel"),
        (STAGE, "a stage channel"),
        (CATEGORY, "a category"),
        (PUBLIC_THREAD, "a thread"),
    ],
)
async def test_a_place_without_room_for_tables_is_named(strict: Strict, kind: int, name: str) -> None:
    if kind == PUBLIC_THREAD:
        place = strict.world.add_thread(strict.channel, "place", kind, strict.world.bot.id)
    else:
        place = strict.world.add_channel(strict.guild, "place", kind)

    bot, code = await check(strict, "--channel", str(place.id))

    assert code == 1
    assert any(f"#place is {name}, which can't have tables" in line for line in bad(bot)), bot.output


async def test_the_roles_that_can_be_pinged_are_named(strict: Strict) -> None:
    for name, is_mentionable in (("Players", True), ("Quiet", False)):
        strict.world.add_role(strict.guild, name, 0).mentionable = is_mentionable

    bot, _ = await check(strict)

    assert bot.has_said("Ask around: I can ping only @Players.")


def test_a_lost_shard_is_logged_by_another_name_than_a_lost_client() -> None:
    assert {module._log.name for module in (discord.client, discord.shard)} == {
        "discord.client",
        "discord.shard",
    }
    assert logging.getLogger("discord.shard").parent is logging.getLogger("discord")
