import logging

import discord
import pytest

from tests.strict.api.errors import Json
from tests.strict.api.world import DM, FORUM, PUBLIC_THREAD, STAGE, VOICE, StrictChannel
from tests.strict.conftest import Strict
from tests.strict.steps import COMMAND


def place_of(strict: Strict, kind: str) -> StrictChannel:
    """Return a place in which commands can be used."""
    world, guild, ann = strict.world, strict.guild, strict["Ann"]
    match kind:
        case "bot DM":
            return world.dm(ann.id)
        case "group DM":
            group = StrictChannel(world.snowflake(), DM, recipients=(ann.id, strict["Bo"].id))
            world.channels[group.id] = group
            return group
        case "thread":
            return world.add_thread(strict.channel, "t", PUBLIC_THREAD, ann.id)
        case "forum post":
            return world.add_thread(world.add_channel(guild, "f", FORUM), "p", PUBLIC_THREAD, ann.id)
        case "voice" | "stage":
            return world.add_channel(guild, "v", VOICE if kind == "voice" else STAGE)
    foreign = world.add_guild("Elsewhere", has_bot=False)
    world.add_member(foreign, ann.user)
    return world.add_channel(foreign, "games")


@pytest.mark.parametrize(
    ("kind", "context", "owner"),
    [("bot DM", 1, "0"), ("group DM", 2, "Ann"), ("server without the bot", 0, "Ann")]
    + [(kind, 0, "Parlour") for kind in ("thread", "forum post", "voice", "stage")],
)
def test_commands_come_from_everywhere(strict: Strict, kind: str, context: int, owner: str) -> None:
    heard: list[Json] = []
    strict.world.listeners.append(lambda event, data, _: heard.append(data) if "INTER" in event else None)
    strict.world.commands[1] = COMMAND
    strict["Ann"].has_installed = owner == "Ann"

    strict["Ann"].begin_slash(place_of(strict, kind), "play now")

    numbers = {"Ann": str(strict["Ann"].id), "Parlour": str(strict.guild.id), "0": "0"}
    owners = {"1" if owner == "Ann" else "0": numbers[owner]}
    assert (heard[0]["context"], heard[0]["authorizing_integration_owners"]) == (context, owners)
    assert ("user" in heard[0]) is (context > 0)
    assert int(heard[0]["app_permissions"]) > 0 or owner == "Ann"


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        ({"contexts": [0]}, "bot DM"),
        ({"contexts": [1]}, "thread"),
        ({"integration_types": [0]}, "server without the bot"),
        ({"default_member_permissions": "32"}, "thread"),
    ],
)
def test_discord_offers_a_command_only_where_it_may_be_used(strict: Strict, limits: Json, kind: str) -> None:
    strict["Ann"].has_installed = True

    strict.world.commands[1] = {**COMMAND, "integration_types": [0], **limits}

    assert not strict["Ann"].can_use(place_of(strict, kind), strict.world.commands[1])


def test_a_lost_shard_is_logged_by_another_name_than_a_lost_client() -> None:
    assert {module._log.name for module in (discord.client, discord.shard)} == {
        "discord.client",
        "discord.shard",
    }
    assert logging.getLogger("discord.shard").parent is logging.getLogger("discord")
