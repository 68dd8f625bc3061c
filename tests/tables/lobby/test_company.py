import asyncio
import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from db.records import ServerSettings
from tables.clocks.pace import DAY, HOUR, NONE, PACES
from tables.core.change import NO_SEAT
from tables.core.table import Occupant, Phase, Refused, Table, Terms
from tables.lobby.decisions import commitment, draw_of, secret
from tables.lobby.invitations import ASKED_APART, MOST, MOST_A_DAY, NOTIFIED_A_DAY
from tables.lobby.looking import WISH_LASTS, fewest
from tests.db.rows import connect, everything
from tests.tables.house import ADMIN, ANN, BO, CHANNEL, CY, DEE, GUILD, House, user

pytestmark = pytest.mark.usefixtures("nearly")


async def open_private_lobby(house: House, *others: Occupant) -> Table:
    options = (await house.gather(ANN)).options
    return await house.lobby.create(
        GUILD, CHANNEL, ANN, "ribbon", options, others, terms=Terms(NONE, private=True)
    )


async def join(house: House, table: Table, occupant: Occupant) -> Table:
    return await house.lobby.join(table.id, user(occupant), occupant.name)


async def test_only_the_invited_join_a_private_table_which_stays_so(house: House) -> None:
    table = await open_private_lobby(house)
    with pytest.raises(Refused, match="This table is private"):
        await join(house, table, BO)

    await house.parlour.invitations.invite(table.id, user(ANN), user(BO), "Bo")
    await house.parlour.outbox.sweep(lambda _table: False)
    await house.settle()

    assert ("invited", user(BO), True) in house.courier.take_shown()
    assert (await join(house, table, BO)).people == [user(ANN), user(BO)]
    with pytest.raises(Refused, match="private"):
        await join(house, table, CY)

    started = await house.lobby.start(table.id, user(ANN))

    assert started.phase is Phase.PLAY
    assert (await house.restart().parlour.table(table.id)).private


async def test_a_private_table_is_in_no_list_but_of_those_who_belong_there(house: House) -> None:
    table, company = await open_private_lobby(house), house.parlour.invitations
    await house.parlour.invitations.invite(table.id, user(ANN), user(BO), "Bo")
    tables = await house.parlour.tables_in(GUILD)

    async def listed(user_id: int | None) -> bool:
        return table.id in [one.id for one in await company.filter_offers(tables, user_id)]

    assert [await listed(user(one)) for one in (ANN, BO, CY)] == [True, True, False]
    assert not await listed(None)
    assert [await company.can_see(table, user(one)) for one in (ANN, BO, CY)] == [True, True, False]


async def test_invitations_follow_the_tables_rules(house: House) -> None:
    table, invite = await house.gather(ANN, BO), house.parlour.invitations.invite

    with pytest.raises(Refused, match="Only people at the table"):
        await invite(table.id, user(CY), user(DEE), "Dee")
    with pytest.raises(Refused, match="Bo is already at this table"):
        await invite(table.id, user(ANN), user(BO), "Bo")
    await invite(table.id, user(ANN), user(CY), "Cy")
    with pytest.raises(Refused, match="Cy is already invited"):
        await invite(table.id, user(BO), user(CY), "Cy")
    await house.lobby.start(table.id, user(ANN))
    with pytest.raises(Refused):
        await invite(table.id, user(ANN), user(DEE), "Dee")


@pytest.mark.parametrize("blocker", [ANN, BO])
async def test_a_blocked_person_cannot_join_the_blocker(house: House, blocker: Occupant) -> None:
    other = BO if blocker is ANN else ANN
    table = await house.gather(ANN)
    await house.parlour.blocks.block(user(blocker), user(other))

    with pytest.raises(Refused, match=NO_SEAT):
        await join(house, table, BO)
    assert table.id not in [
        one.id
        for one in await house.parlour.invitations.filter_offers(
            await house.parlour.tables_in(GUILD), user(BO)
        )
    ]

    await house.parlour.blocks.unblock(user(blocker), user(other))
    assert (await join(house, table, BO)).people == [user(ANN), user(BO)]


async def test_a_blocked_person_gets_no_invitation_and_no_offered_seat(house: House) -> None:
    await house.parlour.blocks.block(user(CY), user(ANN))
    lobby = await house.gather(ANN, BO, mode="coop", first="host")
    await house.parlour.invitations.invite(lobby.id, user(ANN), user(CY), "Cy")
    table = await house.lobby.start(lobby.id, user(ANN))

    with pytest.raises(Refused, match=NO_SEAT):
        await house.parlour.proposals.offer_seat(table.id, user(BO), user(CY), "Cy")
    await house.parlour.outbox.sweep(lambda _table: False)
    await house.settle()
    assert user(CY) not in [target for _, target, _ in house.courier.take_shown()]


async def test_one_blocks_neither_oneself_nor_more_than_a_hundred(house: House) -> None:
    blocks = house.parlour.blocks
    with pytest.raises(Refused, match="That's you"):
        await blocks.block(user(ANN), user(ANN))
    with pytest.raises(Refused, match="You haven't blocked that person"):
        await blocks.unblock(user(ANN), user(BO))
    for number in range(MOST):
        await blocks.block(user(ANN), 5000 + number)
    await blocks.block(user(ANN), 5000)

    with pytest.raises(Refused, match="100 people"):
        await blocks.block(user(ANN), user(BO))
    assert len(await blocks.blocks_of(user(ANN))) == MOST


async def test_followers_are_told_of_the_end_and_players_need_not_follow(house: House, table: Table) -> None:
    company = house.parlour.invitations
    assert await company.follow(table.id, user(CY))
    assert await company.follow(table.id, user(DEE))
    assert not await company.follow(table.id, user(DEE))
    with pytest.raises(Refused, match="You're at this table"):
        await company.follow(table.id, user(ANN))

    await house.play.resign(table.id, user(ANN))
    await house.settle()

    ended = [target for kind, target, _ in house.courier.take_shown() if kind == "ended"]
    assert ended == [user(CY)]
    with pytest.raises(Refused, match="is over"):
        await company.follow(table.id, user(DEE))


async def test_around_is_asked_by_the_host_and_once_in_six_hours(house: House) -> None:
    table, company = await house.gather(ANN), house.parlour.invitations
    with pytest.raises(Refused, match="has no role for me to ping"):
        await company.require_asking(table.id, user(ANN))
    await house.store.save_guild(ServerSettings(GUILD, asked_role_id=77))
    with pytest.raises(Refused, match="Only the host"):
        await company.require_asking(table.id, user(BO))

    assert await company.require_asking(table.id, user(ANN)) == 77
    await company.note_asking(GUILD)
    await house.store.save_guild(ServerSettings(GUILD, asked_role_id=78))
    with pytest.raises(Refused, match="in 6 h"):
        await company.note_asking(GUILD)
    house.clock.now += ASKED_APART
    assert await company.require_asking(table.id, user(ANN)) == 78
    await company.note_asking(GUILD)


async def test_a_refused_ping_uses_up_nothing_and_none_is_for_a_full_table(house: House) -> None:
    await house.store.save_guild(ServerSettings(GUILD, asked_role_id=77))
    company = house.parlour.invitations
    at = await company.note_asking(GUILD)

    await company.forget_asking(GUILD, at)

    assert await company.note_asking(GUILD) == at

    table = await house.gather(ANN, BO, CY, mode="versus")
    assert table.taken == table.room

    with pytest.raises(Refused, match="All seats are taken"):
        await house.parlour.invitations.require_asking(table.id, user(ANN))


async def test_a_rematch_turns_the_order_of_the_seats_on_by_one_and_keeps_it(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="versus")
    table = await house.play_moves(table, "purple; green; flip 8; leave; leave")
    await house.parlour.blocks.block(user(DEE), user(BO))

    again = await house.parlour.lobby.rematch(table.id, user(CY))

    assert again.names == ["Bo", "Cy", "Ann"]
    assert again.host_id == user(CY)
    assert (again.terms, again.options) == (table.terms, table.options)
    assert again.ordered


async def test_a_rematch_goes_on_without_whom_the_asker_has_blocked(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="versus")
    table = await house.play_moves(table, "purple; green; flip 8; leave; leave")
    await house.parlour.blocks.block(user(CY), user(ANN))

    assert (await house.parlour.lobby.rematch(table.id, user(CY))).names == ["Bo", "Cy"]


async def lobbies(house: House, number: int) -> list[Table]:
    return [await house.gather(ANN) for _ in range(number)]


async def send_invitation(house: House, table: Table, user_id: int, by: Occupant = ANN) -> bool:
    """Invite somebody to a table; return True if they get a message."""
    await house.parlour.invitations.invite(table.id, user(by), user_id, "Somebody")
    return ("invited", user_id, True) in await house.waiting(table)


async def test_one_person_invites_twenty_people_a_day(house: House) -> None:
    tables = await lobbies(house, 2)
    for number in range(MOST_A_DAY):
        assert await send_invitation(house, tables[number % 2], 5000 + number)
        house.clock.now += 60

    with pytest.raises(Refused, match="You've invited 20 people in the last 24 hours"):
        await send_invitation(house.restart(), tables[0], 6000)
    assert 6000 not in await house.store.relations.invitees(tables[0].id)

    house.clock.now += DAY - 60 * MOST_A_DAY + 1
    assert await send_invitation(house, tables[0], 6000)


async def test_a_person_is_told_of_five_invitations_a_day_and_the_others_stand(house: House) -> None:
    for table in await lobbies(house, NOTIFIED_A_DAY):
        assert await send_invitation(house, table, user(DEE))
    sixth = await house.gather(BO)

    assert not await send_invitation(house.restart(), sixth, user(DEE), BO)
    assert await house.store.relations.invitees(sixth.id) == [user(DEE)]

    house.clock.now += DAY + 1
    assert await send_invitation(house, await house.gather(BO), user(DEE), BO)


async def test_a_refused_invitation_that_was_got_silences_the_same_person(house: House) -> None:
    first, second, third = await lobbies(house, 3)
    company = house.parlour.invitations
    assert await send_invitation(house, first, user(DEE))
    await company.want(first.id, user(DEE), wanted=False)

    assert not await send_invitation(house, second, user(DEE))
    assert await house.store.relations.invitees(second.id) == [user(DEE)]
    assert await send_invitation(house, await house.gather(BO), user(DEE), BO)

    await company.want(first.id, user(DEE), wanted=True)
    assert await send_invitation(house, third, user(DEE))
    with pytest.raises(Refused, match="That invitation is no longer valid"):
        await house.parlour.invitations.want((await house.gather(ANN)).id, user(DEE), wanted=False)


async def test_people_who_look_for_the_same_match_which_is_no_invitation(house: House) -> None:
    look = house.parlour.looking.look
    assert await look(GUILD, user(ANN), "Ann", ["tesla", "ribbon"], ["daily"]) is None
    house.clock.now += HOUR
    assert await look(GUILD, user(BO), "Bo", ["tesla"], ["brisk"]) is None
    assert await look(GUILD + 1, user(DEE), "Dee", ["tesla"], []) is None

    match = await look(GUILD, user(CY), "Cy", ["tesla"], ["daily", "weekly"])

    assert match is not None
    assert (match.game, match.pace) == ("tesla", PACES["daily"])
    assert [row.name for row in match.people] == ["Ann", "Cy"]
    assert [row.game for row in await house.parlour.looking.of(GUILD, user(ANN))] == ["ribbon", "tesla"]

    table = await house.parlour.looking.open(match, CHANNEL, CY)

    assert (table.slug, table.names, table.pace) == ("tesla", ["Cy"], PACES["daily"])
    assert await house.store.relations.invitees(table.id) == [user(ANN)]
    assert ("invited", user(ANN), True) in await house.waiting(table)
    assert [row.game for row in await house.parlour.looking.of(GUILD, user(ANN))] == ["ribbon"]
    assert await house.store.relations.times_invited(user(ANN), 0.0) == 0


async def test_a_refused_match_uses_up_no_wish_and_a_week_old_one_is_none(house: House) -> None:
    look = house.parlour.looking.look
    await look(GUILD, user(ANN), "Ann", ["tesla"], [])
    await house.store.save_guild(ServerSettings(GUILD, most_tables=1))
    await house.gather(DEE)
    match = await look(GUILD, user(BO), "Bo", ["tesla"], [])
    assert match is not None

    with pytest.raises(Refused, match="at a time"):
        await house.parlour.looking.open(match, CHANNEL, BO)

    assert [row.name for row in await house.parlour.looking.looking(GUILD, "tesla")] == ["Ann", "Bo"]

    house.clock.now += WISH_LASTS + 1

    assert await look(GUILD, user(BO), "Bo", ["tesla"], []) is None


async def test_two_matches_at_once_use_no_wish_twice(house: House) -> None:
    look = house.parlour.looking.look
    await look(GUILD, user(ANN), "Ann", ["tesla"], ["daily"])
    house.clock.now += 1
    first = await look(GUILD, user(BO), "Bo", ["tesla"], ["daily"])
    house.clock.now += 1
    second = await look(GUILD, user(CY), "Cy", ["tesla"], ["daily"])
    assert first is not None
    assert second is not None
    assert user(ANN) in {row.user_id for row in first.people} & {row.user_id for row in second.people}

    opened = await asyncio.gather(
        house.parlour.looking.open(first, CHANNEL, BO),
        house.restart().parlour.looking.open(second, CHANNEL, CY),
        return_exceptions=True,
    )

    tables = [one for one in opened if isinstance(one, Table)]
    (refused,) = [one for one in opened if isinstance(one, Refused)]
    assert len(tables) == 1
    assert "has left the queue" in str(refused)
    assert len(await house.parlour.tables_in(GUILD)) == 1


async def test_any_pace_means_that_of_the_server_first(house: House) -> None:
    look = house.parlour.looking.look
    await house.store.save_guild(ServerSettings(GUILD, pace="weekly", forbidden_paces=("daily",)))
    await look(GUILD, user(ANN), "Ann", ["tesla"], [])
    match = await look(GUILD, user(BO), "Bo", ["tesla"], [])
    await look(GUILD, user(CY), "Cy", ["tesla"], ["daily"])

    assert match is not None
    assert match.pace == PACES["weekly"]
    assert await look(GUILD, user(DEE), "Dee", ["tesla"], ["daily"]) is None


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["tesla", "ribbon", "tanglewood"])), max_size=12),
    st.sets(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=5),
)
async def test_nobody_who_is_blocked_is_ever_offered(
    house: House, looks: list[tuple[int, str]], pairs: set[tuple[int, int]]
) -> None:
    guild = int(house.clock.now)
    house.clock.now += 1
    people = {number: guild * 10 + number for number in range(1, 7)}
    for one, other in pairs:
        if one != other:
            await house.parlour.blocks.block(people[one], people[other])
    apart = {frozenset((people[one], people[other])) for one, other in pairs}

    for number, slug in looks:
        match = await house.parlour.looking.look(guild, people[number], str(number), [slug], [])
        if match is not None:
            ids = [row.user_id for row in match.people]
            assert len(ids) >= fewest(slug)
            assert not any(frozenset((a, b)) in apart for a in ids for b in ids if a != b)


def test_secrets_are_long_and_unique_and_anybody_can_compute_the_hash() -> None:
    drawn = [secret() for _ in range(20)]

    assert {(len(seed), len(salt)) for seed, salt in drawn} == {(32, 16)}
    assert len({seed for seed, _ in drawn}) == len({salt for _, salt in drawn}) == 20
    assert commitment(b"seed", b"salt") == sha256(b"saltseed").hexdigest()


async def test_the_promise_is_known_during_the_game_and_nothing_else_or_before(
    house: House, duel: Table
) -> None:
    assert draw_of(await house.gather(ANN)) is None
    draw = draw_of(duel)

    assert draw is not None
    assert draw.commitment == commitment(duel.seed, duel.salt)
    assert (draw.seed, draw.salt, draw.matches) == (None, None, None)


async def test_after_the_game_everybody_can_check_that_the_promise_was_kept(house: House) -> None:
    table = await house.start(ANN, BO)
    promised = draw_of(table)
    await house.play_moves(table, "green; orange; leave")

    draw = draw_of(await house.restart().parlour.table(table.id))

    assert promised is not None
    assert draw is not None
    assert draw.seed is not None
    assert draw.salt is not None
    assert sha256(bytes.fromhex(draw.salt + draw.seed)).hexdigest() == promised.commitment
    assert draw.commitment == promised.commitment
    assert draw.matches


async def overwrite(database: str, **values: str) -> None:
    """Change columns of every table behind the parlour's back."""
    names = ", ".join(f"{name} = :{name}" for name in values)
    async with connect(database) as connection:
        await connection.execute(text(f"UPDATE tables SET {names}"), values)


async def test_the_draw_of_a_closed_table_is_opened_and_one_tampered_with_found_out(
    database: str, house: House, duel: Table
) -> None:
    duel = await house.play.close(duel.id, ADMIN)
    opened = draw_of(duel)
    assert opened is not None
    assert opened.matches
    assert duel.deal is not None
    deal = json.loads(duel.deal)
    deal["deck"][0], deal["deck"][1] = deal["deck"][1], deal["deck"][0]

    await overwrite(database, deal=json.dumps(deal, separators=(",", ":")))

    draw = draw_of(await house.restart().parlour.table(duel.id))
    assert draw is not None
    assert draw.matches is False


@pytest.mark.parametrize("column", ["seed", "salt"])
async def test_another_seed_or_salt_does_not_keep_the_promise(
    database: str, house: House, column: str, duel: Table
) -> None:
    promised = draw_of(duel)
    await house.play.close(duel.id, ADMIN)

    await overwrite(database, **{column: "00" * 16})

    draw = draw_of(await house.restart().parlour.table(duel.id))
    assert promised is not None
    assert draw is not None
    assert draw.commitment != promised.commitment


async def test_no_message_and_no_wish_for_one_holds_a_secret(database: str, house: House) -> None:
    table = await house.start(ANN, BO)
    await house.play_moves(table, "green; orange; flip 8; flip 9")
    await house.settle()
    await house.parlour.refresh(table.id, "board", fresh=True)
    rows = await everything(database)
    shown: list[Any] = [row for row, _ in house.courier.shown]

    assert table.deal is not None
    assert shown
    assert rows["posts"]
    assert {type(value) for row in rows["outbox"] for value in row} <= {int, str, bool, float}
    for secret_text in (table.seed.hex(), table.salt.hex(), table.deal):
        assert secret_text not in repr((rows["outbox"], rows["posts"], rows["audit"], rows["drafts"], shown))
