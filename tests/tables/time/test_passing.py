import pytest
from msgspec.structs import replace

from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.clock import Clock
from tables.clocks.pace import DAY, HOUR, MINUTE, PACES, Quiet
from tables.core import downtime
from tables.core.people import Notices, Person, with_quiet
from tables.core.table import Occupant, Phase, ProposalKind, Refused, Table, Terms, WhenLate
from tables.time import lateness
from tables.time.lateness import give_to_computer
from tests.tables.house import ANN, BO, CHANNEL, CY, GUILD, STEP, House, user

DAILY, LIVE = PACES["daily"], PACES["live"]


pytestmark = [pytest.mark.usefixtures("nearly")]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adapt the gap to a bot that checks rarely."""
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", STEP + 1)


async def waits(house: House, table: Table, seconds: float) -> Table:
    await house.pass_time(seconds)
    return await house.parlour.table(table.id)


async def sleeps(house: House, seconds: float) -> None:
    """Stop the bot for that long, and start it again."""
    house.clock.now += seconds
    await house.parlour.resume()
    await house.settle()


def clock(table: Table, occupant: Occupant) -> Clock:
    return table.clock(next(n for n, s in enumerate(table.seats) if s.name == occupant.name))


def find_readers(house: House, kind: str) -> list[int]:
    return [row.target for row, _ in house.courier.shown if row.kind == kind]


async def test_a_game_begins_with_full_banks_and_clocks_are_written_with_moves(house: House) -> None:
    table = await house.start(ANN, BO, pace="daily")

    owing = table.awaited
    assert all(table.clock(seat).runs == (seat in owing) for seat in range(2))
    assert {clock.left for clock in table.clocks} == {2 * DAY}
    assert table.due_at == house.clock.now + DAY
    table = await waits(house, table, 5 * HOUR)
    table = await house.play_moves(table, "green; orange; flip 1")
    assert (await house.restart().parlour.table(table.id)).clocks == table.clocks


async def test_a_finished_turn_brings_an_increment_and_steps_inside_it_bring_nothing(
    house: House, table: Table
) -> None:
    seat = table.owing[0]
    table = await waits(house, table, HOUR)

    table = await house.play_moves(table, "flip 1")

    assert not table.clock(seat).runs
    assert table.clock(seat).left == 3 * DAY - HOUR
    assert table.clock(1 - seat).runs
    before = table.clock(1 - seat)
    table = await house.play_moves(table, "flip 2")
    assert table.owing == (1 - seat,)
    assert table.clock(1 - seat) == before


async def test_reminders_are_sent_at_half_and_at_a_tenth_of_the_bank(house: House, table: Table) -> None:
    target = table.seats[table.owing[0]].user_id

    await waits(house, table, 1.1 * DAY)
    first = find_readers(house, "reminder")
    await waits(house, table, 0.8 * DAY)

    assert first == [target]
    assert find_readers(house, "reminder") == [target, target]


async def test_a_person_without_reminders_gets_none(house: House, table: Table) -> None:
    for occupant in (ANN, BO):
        await house.parlour.people.save(Person(user(occupant)), Person(user(occupant), reminders=False))

    await waits(house, table, 1.9 * DAY)

    assert find_readers(house, "reminder") == []


async def test_a_late_player_gets_one_notice_and_time_if_others_wait(house: House, table: Table) -> None:
    seat = table.owing[0]

    table = await waits(house, table, 3 * DAY)

    assert (await house.history(table)).count("late") == 1
    assert table.clock(seat).late == pytest.approx(table.created_at + 2 * DAY)
    assert table.phase is Phase.PLAY
    assert table.seats[seat].user_id is not None

    other = user(table.seats[1 - seat])

    table = (await house.parlour.decide(table.id, lateness.wait_longer, user_id=other, seat=seat)).table

    assert (table.clock(seat).left, table.clock(seat).late) == (DAY, None)
    with pytest.raises(Refused, match="isn't late any more"):
        await house.parlour.decide(table.id, lateness.wait_longer, user_id=other, seat=seat)


async def test_alone_against_computers_nobody_is_late(house: House, lobby: Table) -> None:
    await house.lobby.add_computer(lobby.id, user(ANN), Strength.MEDIUM)
    await house.lobby.start(lobby.id, user(ANN))
    await house.settle()

    await waits(house, lobby, 4 * DAY)

    assert "late" not in await house.history(lobby)


async def test_another_person_lets_the_computer_make_a_late_turn_after_an_hour(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    seat = table.owing[0]
    other = user(table.seats[1 - seat])
    table = await waits(house, table, 2 * DAY + 10 * MINUTE)

    with pytest.raises(Refused, match="a little more time"):
        await house.parlour.decide(table.id, lateness.let_computer_move, user_id=other, seat=seat)
    with pytest.raises(Refused, match="Only the others can decide that"):
        await house.parlour.decide(
            table.id, lateness.let_computer_move, user_id=user(table.seats[seat]), seat=seat
        )
    with pytest.raises(Refused, match="Only players at this table"):
        await house.parlour.decide(table.id, lateness.let_computer_move, user_id=user(CY), seat=seat)
    table = await waits(house, table, HOUR)
    await house.parlour.decide(table.id, lateness.let_computer_move, user_id=other, seat=seat)
    await house.settle()

    table = await house.parlour.table(table.id)
    assert table.owing == (1 - seat,)
    assert table.seats[seat].user_id is not None
    assert table.clock(seat).missed == 1


async def test_the_others_give_a_late_seat_to_a_computer_when_all_agree(house: House) -> None:
    table = await house.start(ANN, BO, CY, mode="coop")
    seat = table.owing[0]
    late = user(table.seats[seat])
    others = [user_id for user_id in table.people if user_id != late]
    table = await waits(house, table, 2 * DAY + HOUR)
    agreement = house.parlour.proposals

    table = await agreement.propose(table.id, others[0], ProposalKind.REPLACE, seat)
    assert table.seats[seat].user_id == late
    with pytest.raises(Refused, match="already agreed"):
        await agreement.agree(table.id, others[0])
    with pytest.raises(Refused, match="Only the others can decide that"):
        await agreement.agree(table.id, late)
    table = await agreement.agree(table.id, others[1])
    await house.settle()

    assert table.seats[seat].kept_for == late
    assert table.proposal is None
    assert find_readers(house, "replaced") == [late]


async def test_a_replaced_player_returns_with_two_increments(house: House, table: Table) -> None:
    seat = table.owing[0]
    late = user(table.seats[seat])
    table = await waits(house, table, 2 * DAY + HOUR)
    await house.decide(table.id, give_to_computer, seat=seat, why="agreed", actor_id=None)
    await house.settle()

    with pytest.raises(Refused, match="No computer is playing in your seat"):
        await house.parlour.decide(table.id, lateness.come_back, user_id=user(CY))
    table = (await house.parlour.decide(table.id, lateness.come_back, user_id=late)).table

    assert table.seats[seat].user_id == late
    assert "(computer)" not in table.seats[seat].name
    assert table.clock(seat).left >= 2 * DAY
    with pytest.raises(Refused, match="No computer is playing in your seat"):
        await house.parlour.decide(table.id, lateness.come_back, user_id=late)


@pytest.mark.essential
async def test_where_computers_make_late_turns_the_third_costs_the_seat(house: House) -> None:
    table = await house.start(ANN, BO, pace="daily", when_late=WhenLate.COMPUTER)
    late = [0, 0]
    for _ in range(8):
        table = await waits(house, table, 2.1 * DAY)
        late = [table.clock(seat).missed for seat in range(2)]
        if table.phase is not Phase.PLAY or any(s.kept_for for s in table.seats):
            break

    assert any(occupant.kept_for for occupant in table.seats) or table.phase is Phase.OVER, late
    assert (await house.history(table)).count("late") >= 2


async def test_by_forfeit_who_is_late_leaves_the_game(house: House) -> None:
    table = await house.start(ANN, BO, pace="daily", when_late=WhenLate.FORFEIT)

    table = await waits(house, table, 2.1 * DAY)

    assert "resign" in await house.history(table)


async def test_without_a_pace_the_others_may_act_after_three_days(house: House) -> None:
    table = await house.start(ANN, BO, pace="none", when_late=WhenLate.FORFEIT)
    seat = table.owing[0]

    table = await waits(house, table, 2.9 * DAY)
    assert table.clock(seat).late is None
    table = await waits(house, table, 0.2 * DAY)

    assert table.clock(seat).late is not None
    assert find_readers(house, "reminder") == []
    assert table.phase is Phase.PLAY


async def test_a_pause_ends_at_its_date(house: House, table: Table) -> None:
    await house.parlour.pauses.pause(table.id, 900, house.clock.now + DAY, admin=True)

    table = await waits(house, table, DAY + MINUTE)

    assert table.paused_at is None
    assert [clock.runs for clock in table.clocks] == [seat in table.awaited for seat in range(2)]
    assert (await house.history(table)).count("resume") == 1


async def test_when_a_pause_ends_who_is_waited_for_is_told_anew_but_not_in_their_night(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    owing = table.seats[table.owing[0]]
    minute = int(house.clock.now % DAY // 60)
    night = Quiet((minute - 60) % 1440, (minute + 120) % 1440, "UTC")
    await house.parlour.people.save(Person(user(owing)), Person(user(owing), quiet=night))
    await house.parlour.pauses.pause(table.id, 900, None, admin=True)

    table = await house.parlour.pauses.resume(table.id, 900, admin=True)
    await house.settle()
    assert clock(table, owing).quiet
    assert find_readers(house, "notice") == []
    await waits(house, table, 3 * HOUR)

    assert find_readers(house, "notice") == [user(owing)]


async def test_after_downtime_every_running_clock_has_its_time_back(house: House, table: Table) -> None:
    seat = table.owing[0]
    table = await waits(house, table, HOUR)

    await sleeps(house, 10 * DAY)
    table = await house.parlour.table(table.id)

    assert table.clock(seat).late is None
    [waited] = await house.parlour.waited_people(table)
    assert waited.left == pytest.approx(2 * DAY - HOUR, abs=120)


async def test_a_deadline_right_after_downtime_is_moved_to_an_hour_from_then(house: House) -> None:
    table = await house.start(ANN, BO, mode="coop")
    table = await waits(house, table, 2 * DAY - 5 * MINUTE)

    await sleeps(house, DAY)
    back = house.clock.now

    [waited] = await house.parlour.waited_people(await house.parlour.table(table.id))
    assert waited.until == pytest.approx(back + HOUR, abs=1)
    table = await waits(house, table, HOUR + 2 * MINUTE)
    assert (await house.history(table)).count("late") == 1


async def test_while_discord_is_out_of_reach_no_time_passes(house: House, table: Table) -> None:
    await waits(house, table, HOUR)

    for _ in range(100):
        house.clock.now += HOUR
        await house.parlour.resume(reachable=False)
    await house.parlour.resume()

    [waited] = await house.parlour.waited_people(await house.parlour.table(table.id))
    assert waited.left == pytest.approx(2 * DAY - HOUR, abs=200)


async def test_a_notice_in_quiet_hours_waits_for_their_end(house: House, table: Table) -> None:
    mover, other = table.seats[table.owing[0]], table.seats[1 - table.owing[0]]
    minute = int(house.clock.now % DAY // 60)
    night = Quiet((minute - 60) % 1440, (minute + 120) % 1440, "UTC")
    await house.parlour.people.save(Person(user(other)), Person(user(other), quiet=night))

    table = await house.play_moves(table, "flip 1")
    assert clock(table, other).quiet
    await waits(house, table, HOUR)
    assert find_readers(house, "notice") == []
    await waits(house, table, 2 * HOUR)

    assert find_readers(house, "notice") == [user(other)]
    assert mover.user_id not in find_readers(house, "notice")


@pytest.mark.parametrize(("where", "apart"), [("thread", 0), ("dm", 1), ("both", 1), ("none", 0)])
async def test_notices_go_where_a_person_wants_them(house: House, where: str, apart: int) -> None:
    table = await house.start(ANN, BO, mode="coop")
    other = table.seats[1 - table.owing[0]]
    await house.parlour.people.save(Person(user(other)), Person(user(other), notices=Notices(where)))

    table = await house.play_moves(table, "flip 1")
    await house.settle()

    assert find_readers(house, "notice") == [user(other)] * apart
    assert clock(table, other).quiet == (where in {"dm", "none"})


async def test_nobody_nudges_themselves_or_from_outside(house: House, table: Table) -> None:
    mover = table.seats[table.owing[0]]
    for who, why in ((mover, "nobody else to wait for"), (CY, "Only players at this table")):
        with pytest.raises(Refused, match=why):
            await house.parlour.decide(table.id, lateness.nudge, user_id=user(who))


async def test_a_lobby_expires_a_week_after_the_last_word(house: House, lobby: Table) -> None:
    await waits(house, lobby, 6 * DAY)
    await house.lobby.join(lobby.id, user(CY), "Cy")
    assert (await waits(house, lobby, 6 * DAY)).phase is Phase.LOBBY

    lobby = await waits(house, lobby, DAY + 200)
    assert lobby.phase is Phase.EXPIRED
    assert find_readers(house, "expired") == [user(ANN)]


async def test_a_table_may_start_by_itself_when_it_is_full_even_of_computers(house: House) -> None:
    terms = Terms(DAILY, starts_full=True)
    table = await house.lobby.create(1, 2, ANN, "ribbon", (await house.gather(ANN)).options, (BO,), terms)

    table = await house.lobby.join(table.id, user(CY), "Cy")

    assert table.phase is Phase.PLAY

    table = await house.gather(ANN, BO)
    await house.lobby.set_terms(table.id, user(ANN), starts_full=True)

    table = await house.lobby.add_computer(table.id, user(ANN), Strength.MEDIUM)

    assert table.phase is Phase.PLAY


async def test_a_pace_that_the_server_forbids_is_refused(house: House) -> None:
    settings = await house.parlour.settings(1)
    await house.store.save_guild(replace(settings, forbidden_paces=("live", "custom"), pace="weekly"))

    table = await house.gather(ANN)
    assert table.pace.name == "weekly"
    with pytest.raises(Refused, match="doesn't allow that pace"):
        await house.lobby.set_terms(table.id, user(ANN), pace=LIVE)
    with pytest.raises(Refused, match="Only the host"):
        await house.lobby.set_terms(table.id, user(BO), pace=DAILY)


async def test_an_administrator_gives_a_seat_a_minute_to_thirty_days(house: House, table: Table) -> None:
    seat = table.owing[0]
    decide, late = house.parlour.decide, user(table.seats[seat])
    for seconds in (0, 59, 30 * DAY + 1, -DAY):
        with pytest.raises(Refused, match="from a minute to 30 days"):
            await decide(table.id, lateness.extend_time, actor_id=900, user_id=late, seconds=seconds)
    assert "deadline" not in await house.history(table)

    given = await decide(table.id, lateness.extend_time, actor_id=900, user_id=late, seconds=5 * DAY)
    table = given.table

    assert table.clock(seat).left == 7 * DAY
    assert "deadline" in await house.history(table)


async def test_a_rematch_keeps_the_pace_unless_it_is_forbidden_since(house: House) -> None:
    table = await house.start(ANN, BO, pace="live")
    await house.play.close(table.id, 900)

    again = await house.parlour.lobby.rematch(table.id, user(ANN))
    assert again.pace == LIVE
    other = await house.start(ANN, BO, pace="live")
    await house.play.close(other.id, 900)
    settings = await house.parlour.settings(1)
    await house.store.save_guild(replace(settings, forbidden_paces=("live",)))

    assert (await house.parlour.lobby.rematch(other.id, user(BO))).pace == DAILY


async def test_the_servers_with_changed_tables_are_told_once(house: House, lobby: Table) -> None:
    assert house.parlour.take_touched() == {lobby.guild_id}
    assert house.parlour.take_touched() == set()

    await house.lobby.join(lobby.id, user(BO), "Bo")
    assert house.parlour.take_touched() == {lobby.guild_id}
    await house.parlour.keep_thread(lobby.id, 77)

    assert house.parlour.take_touched() == {lobby.guild_id}


async def test_a_rollback_gives_everybody_an_increment_at_least(house: House, table: Table) -> None:
    table = await waits(house, table, 1.9 * DAY)
    table = await house.play_moves(table, "flip 1")

    table = await house.play.rollback(table.id, 1, 900)

    assert all(clock.left >= DAY for clock in table.clocks)
    assert [clock.runs for clock in table.clocks] == [seat in table.awaited for seat in range(2)]


async def test_quiet_hours_hold_at_more_than_a_hundred_tables(house: House) -> None:
    tables = []
    for number in range(101):
        host = Occupant(f"Host {number}", 5000 + number)
        options = RibbonOptions(mode="coop", first="host")
        terms = Terms(PACES["daily"])
        lobby = await house.lobby.create(GUILD, CHANNEL, host, "ribbon", options, (ANN,), terms)
        tables.append(await house.lobby.start(lobby.id, host.user_id or 0))
        await house.move(tables[-1], host, "flip 1")
    house.clock.now += HOUR

    await house.parlour.personal_settings.change(user(ANN), lambda person: with_quiet(person, 0, 600))

    settled = [(await house.parlour.table(table.id)).clock(1).since for table in tables]
    assert settled == [house.clock.now] * 101
