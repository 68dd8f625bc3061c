"""`python bot.py check --server` tries Discord in a minute, says in a line each what works, and cleans up."""

import pytest

from tests.strict.api.permissions import ATTACH, PUBLIC_THREADS
from tests.strict.api.world import ANNOUNCEMENT, CATEGORY, FORUM, PUBLIC_THREAD, STAGE, VOICE, Overwrite
from tests.strict.conftest import Strict
from tests.strict.process import StrictBot

pytestmark = pytest.mark.slow
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
    assert all(line.startswith(("ok ", "BAD")) for line in bot.lines), bot.output
    for step in STEPS:
        assert sum(step in line for line in bot.lines) >= 1, f"{step}\n{bot.output}"
    assert strict.channel.public == []
    assert strict.world.surprises == []
    assert strict.server.gateway.identifies == 0


async def test_without_a_channel_the_first_fitting_one_is_taken(strict: Strict) -> None:
    bot, code = await check(strict)

    assert (code, bad(bot)) == (0, []), bot.output
    assert bot.has_said("permissions in #games")


async def test_missing_permissions_are_named_with_what_they_mean(strict: Strict) -> None:
    denied = ATTACH | PUBLIC_THREADS
    strict.channel.overwrites.append(Overwrite(strict.world.bot.id, False, deny=denied))

    bot, code = await check(strict, "--channel", str(strict.channel.id))

    assert code == 1
    assert bot.has_said("Attach Files")
    assert bot.has_said("Nobody can open tables there")
    assert any("code 50013" in line for line in bad(bot)), bot.output


async def test_a_server_without_the_bot_is_said(strict: Strict) -> None:
    strict.guild.has_bot = False

    bot, code = await check(strict)

    assert code == 1
    assert any("`make run` prints an invite link" in line for line in bad(bot)), bot.output


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


async def test_an_announcement_channel_is_as_good_as_a_text_channel(strict: Strict) -> None:
    news = strict.world.add_channel(strict.guild, "news", ANNOUNCEMENT)

    bot, code = await check(strict, "--channel", str(news.id))

    assert (code, bad(bot)) == (0, []), bot.output
    assert bot.has_said("a thread from the card: made")


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
async def test_a_place_without_room_for_tables_is_called_what_it_is(
    strict: Strict, kind: int, name: str
) -> None:
    if kind == PUBLIC_THREAD:
        place = strict.world.add_thread(strict.channel, "place", kind, strict.world.bot.id)
    else:
        place = strict.world.add_channel(strict.guild, "place", kind)

    bot, code = await check(strict, "--channel", str(place.id))

    assert code == 1
    assert any(f"#place is {name}, where no table can be" in line for line in bad(bot)), bot.output


async def test_a_channel_that_is_not_there_is_said(strict: Strict) -> None:
    bot, code = await check(strict, "--channel", "5")

    assert code == 1
    assert any("5 can't be seen" in line and "10003" in line for line in bad(bot)), bot.output


async def test_the_roles_that_can_be_pinged_are_named(strict: Strict) -> None:
    for name, is_mentionable in (("Players", True), ("Quiet", False)):
        strict.world.add_role(strict.guild, name, 0).mentionable = is_mentionable

    bot, _ = await check(strict)

    assert bot.has_said("Ask around: I can ping only @Players;")
