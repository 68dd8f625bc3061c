from typing import Any

import pytest

from cogs.ui.press import Press
from tests.discord.stage import DiscordStage, read_message

COOP: dict[str, Any] = {"mode": "coop", "first": "host"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", "Cy", **COOP)


async def agree(stage: DiscordStage, place: Any, *names: str) -> None:
    for name in names:
        await stage[name].click(stage.post(place).message, label="Agree")


async def test_a_seat_is_offered_and_taken_with_its_hand(stage: DiscordStage, place: Any) -> None:
    offered = await stage["Ann"].slash(place, "table offer", member=stage["Dee"])
    post = stage.post(place)
    await agree(stage, place, "Dee")
    after = stage.post(place)
    refused = await stage["Ann"].slash(place, "table hand")

    assert offered.ephemeral
    assert "Ann offers their seat to Dee." in post.text
    assert f"<@{stage['Dee'].id}>" in post.text
    assert stage["Dee"].id in [user.id for user in post.message.mentions]
    assert "Ann gives the seat to Dee, who plays from now on." in after.text
    assert [user.id for user in after.message.mentions] == [stage["Dee"].id]
    assert await stage.due() == ["Dee"]
    assert (await stage.table()).names == ["Dee", "Bo", "Cy"]
    assert "don't play" in refused.response.content


async def test_a_refused_seat_is_explained_at_once(stage: DiscordStage, place: Any) -> None:
    robot = stage.guild.add_member(stage.env.create_user("robot", bot=True))
    offers = {
        "Bots can't play here": robot,
        "That's you": stage["Bo"],
        "Ann is already at this table": stage["Ann"],
    }
    for why, member in offers.items():
        answer = await stage["Bo"].slash(place, "table offer", member=member)
        assert answer.ephemeral
        assert why in answer.response.content
    assert (await stage.table()).proposal is None

    none = await stage["Dee"].slash(place, "table take")
    persons = await stage["Dee"].slash(place, "table take", seat=1)
    beyond = await stage["Dee"].slash(place, "table take", seat=9)
    own = await stage["Ann"].slash(place, "table take")
    assert "This table has no computer players" in none.response.content
    assert persons.response.content == beyond.response.content == "There's no computer player there."
    assert own.ephemeral
    assert own.response.content == "You already have a seat at table 1."

    for value, why in (
        ("pause", "can't propose that here"),
        ("", "can't propose that here"),
        ("undo", "has changed"),
    ):
        answer = await stage.send_press("Ann", Press("late", "matter", 1, 0, value))
        assert why in answer.response.content
    stranger = await stage.send_press("Dee", Press("late", "propose", 1, 0))
    assert "players at this table" in stranger.response.content


async def test_a_computers_seat_is_asked_for_and_given_when_all_agree(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", computers=1, **COOP)

    before = (await stage.table()).names
    offered = await stage["Dee"].autocomplete(place, "table take", "seat", "")
    asked = await stage["Dee"].slash(place, "table take")
    await agree(stage, place, "Ann", "Bo")

    assert [choice["value"] for choice in offered] == [2]
    assert before == ["Ann", "Ada", "Bo"]
    assert "asked" in asked.response.content
    assert "Everyone agreed, so Dee takes Ada's seat from now on" in stage.post(place).text
    assert (await stage.table()).seats[1].user_id == stage["Dee"].id


async def test_an_administrator_replaces_a_player_by_consent(stage: DiscordStage, place: Any) -> None:
    stage.allow_admin(stage.guild.default_role)
    asked = await stage.admin.slash(place, "admin replace", player=stage["Bo"].user, by=stage["Dee"])
    strangers = await stage["Ann"].slash(place, "admin replace", player=stage["Bo"].user, by=stage["Dee"])
    await agree(stage, place, "Ann", "Cy", "Dee")

    assert "asked" in read_message(asked.response).text
    assert "Only this server's admins can do that" in strangers.response.content
    assert "An admin gave Bo's seat to Dee" in stage.post(place).text
    told = "\n".join(read_message(message).text for message in stage["Bo"].user.dm_channel.history())
    assert "An admin gave Dee your seat at **Ribbon Tangle**, table 1. The others agreed." in told


@pytest.mark.parametrize(
    ("label", "told", "due"),
    [
        ("Undo the last step", "Everyone agreed to undo the last step", ["Ann"]),
        ("End without a result", "Everyone agreed, so the game ends here without a result.", []),
    ],
)
async def test_what_is_proposed_behind_more_is_done_when_all_agree(
    stage: DiscordStage, place: Any, label: str, told: str, due: list[str]
) -> None:
    await stage.panel_flip("Ann", place)
    more = await stage["Bo"].click(stage.post(place).message, label="More")
    proposals = await stage["Bo"].click(more.response, label="Propose…")
    await stage["Bo"].click(proposals.response, label=label)
    another = await stage["Cy"].slash(place, "table offer", member=stage["Dee"])
    await agree(stage, place, "Ann", "Cy")

    assert "This table already has a proposal" in another.response.content
    assert told in stage.post(place).text
    assert await stage.due() == due


async def test_a_refusal_reaches_everyone_at_once(stage: DiscordStage, place: Any) -> None:
    await stage["Bo"].slash(place, "table offer", member=stage["Dee"])
    await stage["Dee"].click(stage.post(place).message, label="Decline")

    assert "Dee declines, so Bo keeps the seat." in stage.post(place).text
    assert "Agree" not in stage.post(place).buttons
