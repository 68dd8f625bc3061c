"""Games by clicks with the real bot, on a Discord that refuses what Discord refuses."""

from functools import partial

import pytest
from aiohttp import ClientSession

from tests.strict import play
from tests.strict.api import wire
from tests.strict.api.errors import ANSWERED, DMS_CLOSED, NO_MUTUAL_SERVER, OLD_EDITS
from tests.strict.api.permissions import PUBLIC_THREADS, SEND_IN_THREADS
from tests.strict.api.world import (
    ANNOUNCEMENT,
    ANNOUNCEMENT_THREAD,
    FORUM,
    PUBLIC_THREAD,
    STAGE,
    VOICE,
    Message,
    Overwrite,
)
from tests.strict.client import Client
from tests.strict.conftest import Strict, build
from tests.strict.people import SeenMessage, StrictPerson

UNKNOWN_MESSAGE = 10008

pytestmark = [pytest.mark.asyncio(loop_scope="module")]


def says(message: Message, text: str) -> bool:
    return text in SeenMessage(message).text


@pytest.mark.essential
async def test_a_game_is_opened_joined_started_and_played_by_clicks(scene: Strict) -> None:
    before = len(scene.server.requests)
    card = await play.open_table(scene)
    assert SeenMessage(card).pictures == ["ribbon-cover.png"]

    await scene["Bo"].click(card, "Join")
    await scene.until(lambda: says(card, "Bo"), why="Bo on the card")
    await scene["Ann"].select(card, "computer:2", ["easy"])
    await scene.until(lambda: says(card, "computer, easy"), why="the computer on the card")
    thread = await play.begin(scene, card)

    assert thread.id == card.id
    first = scene.boards(thread)[0]
    second = await play.next_board(scene, thread, ("Ann", "Bo"))
    await scene.until(lambda: not SeenMessage(first.message).buttons, why="an old post without buttons")
    assert SeenMessage(first.message).pictures == first.pictures
    assert "Take turn" in second.buttons
    assert play.refusals(scene, before) == []


async def test_each_press_and_form_changes_the_card_and_keeps_its_thumbnail(scene: Strict) -> None:
    before = len(scene.server.requests)
    card = await play.open_table(scene)

    for name, label, shows in (
        ("Bo", "Join", "Bo"),
        ("Bo", "Leave", "free"),
        ("Ann", "easy", "computer, easy"),
        ("Ann", "Remove computer", "free"),
    ):
        if label == "easy":
            answer = await scene[name].select(card, "computer:1", [label])
        else:
            answer = await scene[name].click(card, label)
        assert answer.interaction.answer in (6, 7), f"{label}: {answer.text}"
        await scene.until(partial(says, card, shows), why=f"{label} on the card")
        assert SeenMessage(card).pictures == ["ribbon-cover.png"]
    assert scene.cards()[-1].message is card
    assert len(scene.channel.public) == 1
    assert play.refusals(scene, before) == []

    await scene["Ann"].submit(await scene["Ann"].click(card, "Options"), mode="solo")
    await scene.until(lambda: says(card, "Solo, "), why="the mode on the card")
    form = await scene["Ann"].click(card, "Pace and time")
    await scene["Ann"].submit(form, own_pace="1h + 5m, cap 2h", late="computer")
    await scene.until(lambda: says(card, "1 hour"), why="the pace on the card")
    assert len(scene.channel.public) == 1
    assert SeenMessage(card).pictures == ["ribbon-cover.png"]
    assert play.refusals(scene, before) == []


async def test_a_game_starts_and_ends_with_its_result(scene: Strict) -> None:
    before = len(scene.server.requests)
    thread = await play.begin(scene, await play.open_table(scene, mode="solo"))

    for _ in range(30):
        if "Rematch" in scene.boards(thread)[-1].buttons:
            break
        await play.next_board(scene, thread, ("Ann",))
    assert "Rematch" in scene.boards(thread)[-1].buttons
    assert play.refusals(scene, before) == []


# What got through though nobody was told


async def test_a_card_that_got_through_stands_once(scene: Strict) -> None:
    scene.server.faults.add("POST", "/callback", times=1, got_through=True, when=lambda b: b.get("type") == 4)

    card = await play.open_table(scene)

    await scene.until(lambda: scene.server.requests[-1].code == 40060, why="the answer once more")
    await scene["Bo"].click(card, "Join")
    await scene.until(lambda: says(card, "Bo"), why="Bo on the card")
    assert [one.message for one in scene.cards()] == [card]
    assert len(scene.channel.public) == 1


async def test_a_press_that_got_through_leaves_the_card_in_place(scene: Strict) -> None:
    card = await play.open_table(scene)
    scene.server.faults.add("POST", "/callback", times=1, got_through=True)

    await scene["Bo"].click(card, "Join")

    await scene.until(lambda: says(card, "Bo"), why="Bo on the card")
    await scene["Cy"].click(card, "Join")
    await scene.until(lambda: says(card, "Cy"), why="Cy on the card")
    assert SeenMessage(card).pictures == ["ribbon-cover.png"]
    assert [one.message for one in scene.cards()] == [card]


async def test_an_earlier_tests_repeated_answer_counts_as_none_here(house: Strict, scene: Strict) -> None:
    answer = await scene["Ann"].slash(scene.channel, "help")
    one, before = answer.interaction, len(scene.server.requests)
    later = build(house.server, house.folder)

    async with ClientSession() as session:
        await Client(scene.server, session).post(f"/interactions/{one.id}/{one.token}/callback", {"type": 6})

    assert [refused["answer"]["code"] for refused in play.refusals(scene, before)] == [ANSWERED[1]]
    assert play.refusals(later, before) == []


async def test_a_thread_that_got_through_is_made_once(scene: Strict) -> None:
    card = await play.open_table(scene, mode="solo")
    scene.server.faults.add("POST", f"/messages/{card.id}/threads", times=1, got_through=True)

    thread = await play.begin(scene, card)

    assert thread.id == card.id
    assert len(scene.threads) == 1
    assert len(scene.boards(thread)) == 1


@pytest.mark.parametrize("cuts", [False, True], ids=["502", "cut"])
async def test_a_board_that_got_through_is_posted_once_and_loses_its_buttons(
    scene: Strict, cuts: bool
) -> None:
    card = await play.open_table(scene, mode="solo")
    post = f"/channels/{card.id}/messages$"
    fault = scene.server.faults.add("POST", post, times=1, got_through=True, cuts=cuts)

    thread = await play.begin(scene, card)

    assert fault.hits == 1
    first = scene.boards(thread)[0]
    await play.next_board(scene, thread, ("Ann",))
    assert len(scene.boards(thread)) == 2
    await scene.until(lambda: not SeenMessage(first.message).buttons, 15.0, "an old post without buttons")


async def test_each_later_board_that_got_through_is_posted_once(scene: Strict) -> None:
    thread = await play.versus(scene)
    scene.server.faults.add("POST", f"/channels/{thread.id}/messages$", times=1, got_through=True)

    await play.type_flip(scene["Ann"], thread)

    await scene.until(lambda: says(scene.boards(thread)[-1].message, "Ann flips"), 60.0, "Ann's turn")
    await play.next_board(scene, thread, ("Bo",))
    assert len(scene.boards(thread)) == 3


# What Discord limits


async def test_a_limit_of_a_route_is_waited_out(scene: Strict) -> None:
    thread = await play.versus(scene)
    scene.server.faults.limit("POST", f"/channels/{thread.id}/messages$", 0.5, scope="shared", times=2)

    await play.type_flip(scene["Ann"], thread)

    await scene.until(lambda: len(scene.boards(thread)) == 2, 60.0, "the second board")


async def test_a_long_limit_postpones_a_post(scene: Strict) -> None:
    thread = await play.versus(scene)
    fault = scene.server.faults.limit("POST", f"/channels/{thread.id}/messages$", 31.0, times=None)

    await play.type_flip(scene["Ann"], thread)

    await scene.until(lambda: fault.hits > 0, why="a post that was limited")
    assert len(scene.boards(thread)) == 1
    assert scene.bots[0].is_running


async def test_old_posts_that_can_not_be_edited_hold_nothing_up(scene: Strict) -> None:
    thread = await play.versus(scene)
    scene.world.refuses_old_edits = True
    scene.world.pass_time(7200)

    for name in ("Ann", "Bo"):
        await play.next_board(scene, thread, (name,))
    await scene.until(lambda: any(one.code == 30046 for one in scene.server.requests), why="a refused edit")
    assert len(scene.boards(thread)) == 3


async def test_a_card_that_is_too_old_to_edit_still_takes_people(scene: Strict) -> None:
    await play.open_table(scene)
    scene.world.refuses_old_edits = True
    scene.world.pass_time(7200)

    await scene["Bo"].slash(scene.channel, "table join")
    await scene["Ann"].slash(scene.channel, "table start")

    assert len(scene.boards(await play.board_of(scene))) == 1


# Places where little is allowed


async def test_without_room_for_a_thread_the_game_goes_on_in_the_channel(scene: Strict) -> None:
    scene.guild.thread_limit = 0
    card = await play.open_table(scene, mode="solo")

    await scene["Ann"].click(card, "Start")

    await scene.until(lambda: len(scene.boards(scene.channel)) == 2, 60.0, "a card and a board")
    assert any(says(one, "can't make a thread for it, so the game") for one in scene.channel.public)
    await play.next_board(scene, scene.channel, ("Ann",))
    assert scene.threads == []
    assert says(card, "The game is running below.")


async def test_a_game_whose_thread_is_locked_goes_on_in_the_channel(scene: Strict) -> None:
    before = len(scene.server.requests)
    thread = await play.versus(scene)
    scene.owner.lock(thread)

    await play.type_flip(scene["Ann"], thread)

    await scene.until(lambda: says(scene.channel.public[-1], "Ann flips"), 60.0, "the board in the channel")
    assert len(scene.boards(thread)) == 1
    refused = play.refusals(scene, before)
    assert {one["answer"]["code"] for one in refused} == {50013}
    assert len(refused) < 5, refused


async def test_a_game_whose_thread_is_archived_and_locked_goes_on_in_the_channel(scene: Strict) -> None:
    thread = await play.versus(scene)
    scene.owner.lock(thread)
    scene.owner.archive(thread)

    await play.type_flip(scene["Ann"], scene.channel)

    await scene.until(lambda: says(scene.channel.public[-1], "Ann flips"), 60.0, "the board in the channel")
    assert any(says(one, "Its thread is locked") for one in scene.channel.public)
    assert not any(says(one, "can't make a thread") for one in scene.channel.public)


async def test_a_role_that_cannot_be_pinged_is_not_asked_around(scene: Strict) -> None:
    world, owner = scene.world, scene.owner
    role = world.add_role(scene.guild, "Players", 0)
    world.tell(
        "GUILD_ROLE_CREATE",
        {"guild_id": str(scene.guild.id), "role": wire.role(scene.guild, role.id)},
        scene.guild.id,
    )
    admin = StrictPerson(world, world.users[scene.guild.owner_id])
    chosen = await admin.slash(scene.channel, "admin config", ask_role=role.id)
    assert "Allow anyone to @mention this role" in chosen.text
    card = await play.open_table(scene)

    refused = await scene["Ann"].click(card, "Ask around")
    assert "would get my ping" in refused.text
    assert not any(one.role_pings for one in scene.channel.public)

    owner.change_role(scene.guild, role, mentionable=True)
    asked = await scene["Ann"].click(card, "Ask around")
    assert "I've asked around" in asked.text
    assert [one.role_pings for one in scene.channel.public if one.role_pings] == [{role.id}]


async def test_an_old_board_loses_its_buttons_once_old_edits_are_accepted(scene: Strict) -> None:
    thread = await play.versus(scene)
    old = scene.boards(thread)[0].message
    scene.server.faults.refuse("PATCH", f"/messages/{old.id}$", 429, 30046, OLD_EDITS[2], times=2)

    await play.type_flip(scene["Ann"], thread)
    await scene.until(lambda: len(scene.boards(thread)) > 1, 60.0, "the next board")
    assert "Take turn" in SeenMessage(old).buttons

    await scene.until(
        lambda: "Take turn" not in SeenMessage(old).buttons, 60.0, "no buttons on the old board"
    )


@pytest.mark.parametrize("lacks", [PUBLIC_THREADS, SEND_IN_THREADS], ids=["create", "send"])
async def test_a_missing_permission_is_named_before_a_game_starts(scene: Strict, lacks: int) -> None:
    card = await play.open_table(scene, mode="solo")
    scene.channel.overwrites.append(Overwrite(scene.world.bot.id, False, deny=lacks))
    scene.owner.notify_change(scene.channel)

    answer = await scene["Ann"].click(card, "Start")

    assert answer.is_private
    assert "Threads" in answer.text
    assert "Start" in SeenMessage(card).buttons


async def test_a_game_in_an_announcement_channel_gets_its_kind_of_thread(scene: Strict) -> None:
    before = len(scene.server.requests)
    news = scene.world.add_channel(scene.guild, "news", ANNOUNCEMENT)
    scene.owner.invite_bot(scene.guild)

    thread = await play.begin(scene, await play.open_table(scene, place=news, mode="solo"))

    assert (thread.type, thread.parent_id) == (ANNOUNCEMENT_THREAD, news.id)
    scene.owner.delete(thread)
    await scene.until(lambda: any(map(scene.boards, scene.threads)), 60.0, "the board in a new thread")
    assert [one.type for one in scene.threads] == [ANNOUNCEMENT_THREAD]
    # The edit of the board in the deleted thread is how the bot finds out that it is gone.
    assert {one["answer"]["code"] for one in play.refusals(scene, before)} <= {UNKNOWN_MESSAGE}


async def test_a_deleted_board_is_posted_again(scene: Strict) -> None:
    thread = await play.versus(scene)
    scene.owner.delete_message(scene.boards(thread)[0].message)

    await play.type_flip(scene["Ann"], thread)

    await scene.until(lambda: len(scene.boards(thread)) == 1, 60.0, "a new board")


async def test_an_archived_thread_is_opened_and_a_deleted_one_made_again(scene: Strict) -> None:
    thread = await play.versus(scene)

    scene.owner.archive(thread)

    await scene.until(lambda: not thread.archived, why="an open thread")
    await play.type_flip(scene["Ann"], thread)
    await scene.until(lambda: len(scene.boards(thread)) == 2, 60.0, "the second board")

    scene.owner.delete(thread)

    await scene.until(lambda: any(map(scene.boards, scene.threads)), 60.0, "the board in a new thread")
    assert len(scene.threads) == 1


async def test_a_game_goes_on_though_its_channel_is_deleted(scene: Strict) -> None:
    other = scene.world.add_channel(scene.guild, "other")
    scene.owner.invite_bot(scene.guild)
    thread = await play.versus(scene)

    scene.owner.delete(scene.channel)

    await scene.until(lambda: any(map(scene.boards, scene.threads)), 60.0, "the board elsewhere")
    assert [one.parent_id for one in scene.threads] == [other.id]
    assert thread.id not in scene.world.channels


@pytest.mark.parametrize("refusal", [DMS_CLOSED, NO_MUTUAL_SERVER], ids=["closed", "strangers"])
async def test_a_person_without_dms_is_told_in_thread(scene: Strict, refusal: tuple[int, int, str]) -> None:
    scene["Ann"].user.dm_refusal = refusal

    thread = await play.versus(scene)

    await scene.until(
        lambda: any("you don't allow DMs" in SeenMessage(one).text for one in thread.public),
        why="a word in the thread",
    )
    assert scene.server.requests[-1].status < 400 or scene.server.requests[-1].code == refusal[1]


@pytest.mark.parametrize("kind", [VOICE, STAGE, PUBLIC_THREAD], ids=["voice", "stage", "thread"])
async def test_no_table_opens_where_none_can_live(scene: Strict, kind: int) -> None:
    if kind == PUBLIC_THREAD:
        place = scene.world.add_thread(scene.channel, "talk", kind, scene["Ann"].id)
    else:
        place = scene.world.add_channel(scene.guild, "talk", kind)
    scene.owner.invite_bot(scene.guild)

    answer = await scene["Ann"].slash(place, "ribbon new")

    assert answer.is_private
    assert "Open the table in" in answer.text


async def test_menus_on_people_and_posts_are_answered(scene: Strict) -> None:
    before = len(scene.server.requests)
    card = await play.open_table(scene, "Ann", mode="coop", first="host")
    invited = await scene["Ann"].menu(scene.channel, "Invite to a table", scene["Bo"])
    profile = await scene["Ann"].menu(scene.channel, "Profile", scene["Bo"])
    rematch = await scene["Ann"].menu(scene.channel, "Play rematch", scene["Bo"])
    await scene["Bo"].click(card, "Join")
    await scene["Ann"].click(card, "Start")
    await scene.until(lambda: card.id in scene.world.channels, play.SHOWN_WITHIN, "a thread")
    thread = scene.world.channels[card.id]
    await scene.until(lambda: scene.boards(thread), play.SHOWN_WITHIN, "a board")
    post = scene.boards(thread)[-1].message
    answers = [await scene["Ann"].menu(thread, name, post) for name in ("Read it to me", "What happened")]
    sandbox = await scene["Ann"].menu(thread, "Try from here", post)

    assert "I've invited Bo to table" in invited.text
    assert "finished" in profile.text
    assert "You haven't finished a game with Bo here yet" in rematch.text
    assert all(answer.is_private and answer.text for answer in (*answers, sandbox))
    assert play.refusals(scene, before) == []


async def test_help_is_answered_wherever_discord_offers_it(scene: Strict) -> None:
    ann = scene["Ann"]
    ann.has_installed = True
    forum = scene.world.add_channel(scene.guild, "forum", FORUM)
    foreign = scene.world.add_guild("Elsewhere", has_bot=False)
    scene.world.add_member(foreign, ann.user)
    places = [
        scene.world.dm(ann.id),
        scene.world.add_thread(forum, "post", PUBLIC_THREAD, ann.id),
        scene.world.add_channel(foreign, "games"),
    ]
    scene.owner.invite_bot(scene.guild)
    known = next(one for one in scene.world.commands.values() if one["name"] == "help")

    offered = [place for place in places if ann.can_use(place, known)]
    answers = [await ann.slash(place, "help") for place in offered]

    assert len(answers) >= 2
    assert all(answer.text for answer in answers)


@pytest.mark.parametrize(
    "name",
    [
        "🎲🎲",
        "**_",
        "[a](https://x.y)",
        "<a:/[x](https://x.y)>",
        "\u202eeve",
        "\u200b",
        "\u3164",
        "@everyone <t:0>",
    ],
)
async def test_any_name_can_play(scene: Strict, name: str) -> None:
    before = len(scene.server.requests)
    scene["Bo"].user.display = name

    thread = await play.versus(scene, "Bo", "Ann")

    await play.next_board(scene, thread, ("Bo",))
    await play.next_board(scene, thread, ("Ann",))
    assert play.refusals(scene, before) == []


async def test_autocomplete_offers_tables(scene: Strict) -> None:
    await play.open_table(scene)

    lines = await scene["Ann"].types(scene.channel, "table show", "table", "Ann")

    assert len(lines) == 1
    assert "Ann" in lines[0]["name"]


# Connections


async def test_it_resumes_after_a_close_and_a_cut(scene: Strict) -> None:
    gateway = scene.server.gateway
    logins = gateway.identifies

    before = play.connections(scene)
    await gateway.close(4000)
    await play.wait_for_reconnect(scene, before)
    await play.still_answers(scene)
    for act in (gateway.cut_off, gateway.ask_to_reconnect):
        before = play.connections(scene)
        act()
        await play.wait_for_reconnect(scene, before)
        await play.still_answers(scene)
    assert gateway.identifies == logins


async def test_a_command_from_an_outage_is_too_old_to_answer(scene: Strict) -> None:
    scene.world.answer_within = 3.0
    before, requests = play.connections(scene), len(scene.server.requests)
    await scene.server.gateway.close(4000)
    late = scene["Ann"].begin_slash(scene.channel, "ribbon new")
    scene.world.pass_time(4.0)

    await play.wait_for_reconnect(scene, before)
    await scene.until(lambda: any(one["answer"]["code"] == 10062 for one in play.refusals(scene, requests)))

    assert late.interaction.answer is None
    assert scene.cards() == []
