from typing import Any

import discord
import pytest
from sqlalchemy import text

from tables.clocks.pace import HOUR
from tables.lobby.looking import FINISHING
from tables.parlour import Parlour
from tables.standings.ratings import FEWEST_GAMES
from tests.discord.stage import DiscordStage, fill, read_message, submit

COOP: dict[str, Any] = {"mode": "coop", "first": "host"}


def dms(stage: DiscordStage, name: str) -> list[str]:
    return [read_message(message).text for message in stage[name].user.dm_channel.history()]


async def test_the_invited_join_a_private_table_and_some_cannot_be_invited(stage: DiscordStage) -> None:
    await stage["Cy"].slash(stage.channel, "me notices", where="none")
    await stage["Ann"].slash(stage.channel, "ribbon new", private=True, **COOP)
    refused = await stage["Bo"].click(stage.card().message, label="Join")
    invited = await stage["Ann"].slash(stage.channel, "table invite", member=stage["Bo"])
    silently = await stage["Ann"].slash(stage.channel, "table invite", member=stage["Cy"])
    letter = stage["Bo"].user.dm_channel.history()[-1]
    joined = await stage["Bo"].user.click(letter, label="Join")
    await stage["Cy"].click(stage.card().message, label="Join")

    assert "🔒 This table is private" in stage.card().text
    assert "Ask around" not in stage.card().buttons
    assert "This table is private" in refused.response.content
    assert "I've invited Bo to table 1" in invited.response.content
    assert "I've invited Cy to table 1" in silently.response.content
    assert "Ann invites you to **Ribbon Tangle**" in read_message(letter).text
    assert "You're at table 1 now" in joined.response.content
    assert dms(stage, "Cy") == []
    assert (await stage.table()).names == ["Ann", "Bo", "Cy"]

    robot = stage.guild.add_member(stage.env.create_user("robot", bot=True))
    for why, member in {
        "Bots can't play here": robot,
        "That's you": stage["Ann"],
        "Bo is already at this table": stage["Bo"],
    }.items():
        answer = await stage["Ann"].slash(stage.channel, "table invite", member=member, table=1)
        assert answer.ephemeral
        assert why in answer.response.content


async def test_no_thanks_stops_dms_from_the_same_person(stage: DiscordStage) -> None:
    for table in (1, 2):
        await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)
        if table == 1:
            await stage["Ann"].slash(stage.channel, "table invite", member=stage["Bo"], table=1)
    letter = stage["Bo"].user.dm_channel.history()[-1]

    refused = await stage["Bo"].user.click(letter, label="No thanks")
    result = await stage["Ann"].slash(stage.channel, "table invite", member=stage["Bo"], table=2)

    assert "Declined. I won't tell anyone" in read_message(refused.response).text
    assert "I've invited Bo to table 2" in result.response.content
    assert len([text for text in dms(stage, "Bo") if "invites you" in text]) == 1

    await stage["Bo"].user.click(refused.response, label="Allow invitations again")
    await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)
    await stage["Ann"].slash(stage.channel, "table invite", member=stage["Bo"], table=3)
    assert len([text for text in dms(stage, "Bo") if "invites you" in text]) == 2


async def test_a_private_table_is_not_listed_shown_or_offered_to_others(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", private=True, **COOP)
    other = stage.guild.create_text_channel("elsewhere")

    listed = await stage["Cy"].slash(other, "table list")
    shown = await stage["Cy"].slash(other, "table show", table=1)
    offered = await stage["Cy"].autocomplete(other, "table show", "table", "")
    admins = await stage.admin.slash(other, "table show", table=1)
    own = await stage["Ann"].slash(other, "table list")

    assert "No open tables here" in listed.response.content
    assert "Table 1 isn't in this server, or you can't see it." in shown.response.content
    assert offered == []
    assert "Ribbon Tangle with " in read_message(admins.response).text
    assert "Ribbon Tangle with " in read_message(own.response).text


async def test_a_blocked_person_finds_no_seat_and_learns_nothing(stage: DiscordStage) -> None:
    result = await stage["Ann"].slash(stage.channel, "me block", member=stage["Bo"].user)
    await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)

    refused = await stage["Bo"].click(stage.card().message, label="Join")
    listed = await stage["Bo"].slash(stage.channel, "table list")
    mine = await stage["Ann"].slash(stage.channel, "me blocked")
    theirs = await stage["Bo"].slash(stage.channel, "me blocked")

    assert result.ephemeral
    assert refused.response.content == "There's no seat for you at this table."
    assert "No open tables here" in listed.response.content
    assert f"<@{stage['Bo'].id}>" in mine.response.content
    assert "You haven't blocked anyone" in theirs.response.content

    await stage["Ann"].slash(stage.channel, "me unblock", member=stage["Bo"].user)
    await stage["Bo"].click(stage.card().message, label="Join")
    assert (await stage.table()).names == ["Ann", "Bo"]


async def test_followers_are_told_by_dm_how_it_ended(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **COOP)
    follows = await stage["Dee"].slash(place, "table follow")

    async with stage.run_by_itself() as parlour:
        await parlour.play.resign(1, stage["Ann"].id)

    assert "I'll DM you how the game ends" in follows.response.content
    (letter,) = dms(stage, "Dee")
    assert "**Ribbon Tangle**, table 1, has ended. You're following this table." in letter


async def test_asking_around_pings_the_servers_role_once_in_six_hours(stage: DiscordStage) -> None:
    role = stage.guild.create_role("Players", mentionable=True)
    await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)
    card = stage.card().message
    unnamed = await stage["Ann"].click(card, label="Ask around")
    await stage.admin.slash(stage.channel, "admin config", ask_role=role)
    strangers = await stage["Bo"].click(card, label="Ask around")
    stage.env.inject_error("POST", f"/channels/{stage.channel.id}/messages", status=400, code=200000, times=1)
    refused = await stage["Ann"].click(card, label="Ask around")

    answer = await stage["Ann"].click(card, label="Ask around")
    asked = stage.post(stage.channel)
    again = await stage["Ann"].click(card, label="Ask around")
    await stage["Bo"].click(asked.message, label="Join")

    assert "has no role for me to ping" in unnamed.response.content
    assert "Only the host" in strangers.response.content
    assert "Discord refused my ping (code 200000)" in refused.response.content
    assert "I've asked around" in answer.response.content
    assert f"<@&{role.id}> **Ribbon Tangle**, table 1" in asked.text
    assert [mentioned.id for mentioned in asked.message.role_mentions] == [role.id]
    sent = [one for one in stage.env.http_requests if one.path == f"/channels/{stage.channel.id}/messages"]
    assert all((one.json or {}).get("enforce_nonce") for one in sent if one.method == "POST")
    assert "in 6 h" in again.response.content
    assert (await stage.table()).names == ["Ann", "Bo"]


async def test_a_role_that_was_deleted_is_not_asked(stage: DiscordStage) -> None:
    role = stage.guild.create_role("Players")
    await stage.admin.slash(stage.channel, "admin config", ask_role=role)
    await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)
    guild = stage.bot.get_guild(stage.guild.id)
    assert guild is not None
    result = guild.get_role(role.id)
    assert isinstance(result, discord.Role)
    await result.delete()
    await stage.env.settle()

    answer = await stage["Ann"].click(stage.card().message, label="Ask around")

    assert "The role to ping no longer exists" in answer.response.content


async def test_people_who_look_for_the_same_game_are_brought_to_a_table(stage: DiscordStage) -> None:
    mine = await stage["Ann"].slash(stage.channel, "looking")
    await fill(stage["Ann"], mine.response, "Choose games", games=["tesla"])
    alone = read_message(mine.response).text
    theirs = await stage["Bo"].slash(stage.channel, "looking")
    await fill(stage["Bo"], theirs.response, "Choose games", games=["tesla"])
    together = read_message(theirs.response).text

    assert "You're looking for players of Tesla's Tangle." in alone
    assert "**Tesla's Tangle, table 1, is open** below. Ann can join" in together
    assert (await stage.table()).names == ["Bo"]
    letter = stage["Ann"].user.dm_channel.history()[-1]
    await stage["Ann"].user.click(letter, label="Join")
    assert (await stage.table()).names == ["Bo", "Ann"]

    await stage["Ann"].click(mine.response, label="Stop looking")
    assert "Your search has ended" in read_message(mine.response).text
    await fill(stage["Ann"], mine.response, "Choose games", games=["tesla"])
    assert "You're looking for players of Tesla's Tangle" in read_message(mine.response).text


@pytest.mark.parametrize("elsewhere", ["a game of one's own", "a lobby in the channel", "a computer's seat"])
async def test_a_typed_take_finds_the_offered_seat(stage: DiscordStage, elsewhere: str) -> None:
    computers = int(elsewhere == "a computer's seat")
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random", computers=computers)
    offering = (await stage.table()).id
    if elsewhere == "a game of one's own":
        await stage.open("Cy", "Dee", mode="versus", ribbon_choice="random")
    elif elsewhere == "a lobby in the channel":
        await stage["Dee"].slash(stage.channel, "tesla new")
    search = await stage["Cy"].slash(stage.channel, "looking")
    await fill(stage["Cy"], search.response, "Choose games", games=["ribbon"])
    leave = await stage["Ann"].slash(place, "table leave")
    await stage["Ann"].click(leave.response, label="Let a computer take my seat")
    await stage.env.settle()

    answer = await stage["Cy"].slash(stage.channel, "table take")

    assert "The seat is yours" in answer.response.content
    assert stage["Cy"].id in (await stage.table(offering)).people


async def test_a_seat_that_is_given_up_goes_to_somebody_who_looks_for_a_game(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    search = await stage["Cy"].slash(stage.channel, "looking")
    await fill(stage["Cy"], search.response, "Choose games", games=["ribbon"])

    leave = await stage["Ann"].slash(place, "table leave")
    assert "People are looking for this game" in read_message(leave.response).text
    await stage["Ann"].click(leave.response, label="Let a computer take my seat")
    await stage.env.settle()
    waiting = stage.post(place).text
    letter = stage["Cy"].user.dm_channel.history()[-1]
    taken = await stage["Cy"].user.click(letter, label="Take the seat")
    again = await stage["Cy"].user.click(letter, label="Take the seat")
    await stage.env.settle()

    assert "offering your seat" in read_message(leave.response).text
    assert "People looking for a game can take the seat" in waiting
    assert "you can take Ann's seat in a running game" in read_message(letter).text
    assert (
        "The seat is yours, and your search for Ribbon Tangle has ended" in read_message(taken.response).text
    )
    assert "Take turn" in read_message(taken.response).buttons
    assert (await stage.table()).names == ["Cy", "Bo"]
    assert "Cy takes" in stage.post(place).text
    assert "already" in again.response.content


async def test_an_offer_that_cannot_be_sent_ends_and_a_sent_one_counts(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
    await stage["Cy"].slash(stage.channel, "me block", member=stage["Dee"].user)  # or they'd get a table
    for name in ("Cy", "Dee"):
        search = await stage[name].slash(stage.channel, "looking")
        await fill(stage[name], search.response, "Choose games", games=["ribbon"])
    dm = stage["Cy"].user.dm_channel
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    leave = await stage["Ann"].slash(place, "table leave")
    await stage["Ann"].click(leave.response, label="Let a computer take my seat")
    await stage.env.settle()

    async with stage.run_by_itself() as parlour:
        assert await parlour.looking.of(stage.guild.id, stage["Cy"].id) == []
        assert len((await parlour.people.person(stage["Dee"].id)).offers) == 1
        assert (await parlour.people.person(stage["Cy"].id)).offers == ()
        assert (await parlour.table(1)).offered_seats == [0]


async def test_who_has_left_the_server_or_stopped_looking_is_not_matched(stage: DiscordStage) -> None:
    search = await stage["Cy"].slash(stage.channel, "looking")
    await fill(stage["Cy"], search.response, "Choose games", games=["tesla"])
    stage.guild.remove_member(stage["Cy"])
    mine = await stage["Ann"].slash(stage.channel, "looking")
    await fill(stage["Ann"], mine.response, "Choose games", games=["tesla"])
    await stage["Ann"].click(mine.response, label="Stop looking")

    theirs = await stage["Bo"].slash(stage.channel, "looking")
    await fill(stage["Bo"], theirs.response, "Choose games", games=["tesla"])

    assert "You're looking for players of Tesla's Tangle." in read_message(theirs.response).text
    assert dms(stage, "Ann") == []
    async with stage.run_by_itself() as parlour:
        assert await parlour.tables_in(stage.guild.id) == []
        assert await parlour.looking.of(stage.guild.id, stage["Cy"].id) == []


async def lose_tables(parlour: Parlour) -> None:
    """Go back to a database from before the first table."""
    table = await parlour.table(1)
    await parlour.store.servers.erase_tables(table.guild_id, 10)
    await parlour.store._writer.write(lambda it: it.execute(text("DELETE FROM sqlite_sequence")))
    parlour.invalidate_all()


async def test_a_card_that_a_restore_has_lost_seats_nobody_at_another_table(stage: DiscordStage) -> None:
    """The restored database gives the first table's number to the second."""
    await stage["Ann"].slash(stage.channel, "ribbon new", **COOP)
    lost = stage.card().message
    async with stage.run_by_itself() as parlour:
        await lose_tables(parlour)
    await stage["Bo"].slash(stage.channel, "tesla new")
    assert (await stage.table(1)).slug == "tesla"

    answers = [await stage["Cy"].click(lost, label=label) for label in ("Join", "Cancel")]
    await stage["Cy"].click(stage.card().message, label="Join")

    assert all("I've lost this post's table" in answer.response.content for answer in answers)
    assert (await stage.table(1)).names == ["Bo", "Cy"]


async def test_an_old_board_does_not_act_on_a_table_that_began_after_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **COOP)
    lost = stage.post(place).message
    async with stage.run_by_itself() as parlour:
        await lose_tables(parlour)
    await stage.env.advance_time(2 * HOUR)
    await stage.open("Ann", "Bo", **COOP)

    answer = await stage["Ann"].click(lost, label="Take turn")

    assert "I've lost this post's table" in answer.response.content


async def test_a_match_without_a_table_says_why_and_all_keep_looking(stage: DiscordStage) -> None:
    mine = await stage["Ann"].slash(stage.channel, "looking")
    await fill(stage["Ann"], mine.response, "Choose games", games=["tesla"])
    await stage.admin.slash(stage.channel, "admin config", most_tables=1)
    await stage["Cy"].slash(stage.channel, "ribbon new", **COOP)

    theirs = await stage["Bo"].slash(stage.channel, "looking")
    await fill(stage["Bo"], theirs.response, "Choose games", games=["tesla"])

    text = read_message(theirs.response).text
    assert "Enough people want to play Tesla's Tangle, but I couldn't open a table." in text
    assert "allows 1 open table at a time" in text
    assert "You're looking for players of Tesla's Tangle." in text
    assert dms(stage, "Ann") == []
    again = await stage["Ann"].slash(stage.channel, "looking")
    assert "You're looking for players of Tesla's Tangle." in read_message(again.response).text


async def test_a_search_is_changed_in_its_form_and_keeps_the_rest(stage: DiscordStage) -> None:
    panel = (await stage["Ann"].slash(stage.channel, "looking")).response
    await fill(
        stage["Ann"], panel, "Choose games", games=["tesla"], paces=["daily", "weekly"], wants=["near"]
    )
    assert "Paces: daily and weekly. With: “Near my rating”." in read_message(panel).text

    await fill(stage["Ann"], panel, "Change my search", games=["tangle"], paces=[])

    async with stage.run_by_itself() as parlour:
        (wish,) = await parlour.looking.of(stage.guild.id, stage["Ann"].id)
    assert (wish.game, wish.paces, wish.wants) == ("tangle", (), ("near",))
    assert "Paces: any. With: “Near my rating”." in read_message(panel).text


async def test_a_search_that_has_ended_begins_anew_and_says_so(stage: DiscordStage) -> None:
    panel = (await stage["Ann"].slash(stage.channel, "looking")).response
    await fill(stage["Ann"], panel, "Choose games", games=["tesla"])
    other = (await stage["Ann"].slash(stage.channel, "looking")).response
    form = await stage["Ann"].click(panel, label="Change my search")
    await stage["Ann"].click(other, label="Stop looking")

    await submit(stage["Ann"], form, games=["tangle"])

    assert "Your earlier search ended, so this is a new one." in read_message(panel).text


async def test_a_table_for_finishers_says_so_until_all_can_join(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon new", mode="versus", finishers="80%")
    assert "who finish at least 80% of their games" in stage.card().text

    await fill(stage["Ann"], stage.card().message, "Pace and time", finishers="0")

    assert "who finish" not in stage.card().text


async def test_card_and_profile_say_how_somebody_plays_unless_they_hide(stage: DiscordStage) -> None:
    for number in range(1, FEWEST_GAMES + 1):
        place = await stage.open("Ann", "Bo", mode="versus", ribbon_choice="random")
        leave = await stage["Ann"].slash(place, "table leave")
        await stage["Ann"].click(leave.response, label="Resign")
        assert (await stage.table(number)).phase == "over"
    await stage.bot.app.parlour.standings.finish()

    await stage["Bo"].slash(stage.channel, "ribbon new")
    shown = stage.card().text
    profile = await stage["Cy"].slash(stage.channel, "profile", member=stage["Bo"].user)
    await stage["Bo"].slash(stage.channel, "me hide", hidden=True)
    await stage["Cy"].click(stage.card().message, label="Join")
    hidden = stage.card().text
    await stage["Ann"].slash(stage.channel, "cup new", game="ribbon")
    (cup,) = [m for m in stage.channel.history() if "cup 1" in str(m.components)]

    assert "finishes 5 of 5 games" in shown
    assert "Finishes 5 of 5 games" in read_message(profile.response).text
    assert f"1 player finishes fewer than {FINISHING}% of their games" in read_message(cup).text
    assert "finishes" not in hidden
