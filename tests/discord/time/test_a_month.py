"""A month of five tables, day by day, with everything that happens to people and bots in a month."""

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from cogs.core.pictures import Pictures
from cogs.discord import messages
from cogs.posts import courier
from cogs.ui.page import Button, Page
from db.store import Store
from engines.game import Strength
from engines.workers import Workers
from host.client import ParlourBot
from render.core.canvas import Picture
from tables.clocks.pace import DAY, HOUR, Quiet
from tables.core import downtime
from tables.core.people import Notices, Person, begin_holiday
from tables.core.table import Refused, Table
from tests.discord.stage import DiscordStage, loops
from tests.tables.account import Account, Duty, Standing

pytestmark = [pytest.mark.thorough]
DAYS = 30
DOWN = range(14, 17)
LOOKS = HOUR
"""The bot looks every hour here, so that a month doesn't take one."""
WHILE = 4 * HOUR
"""The interval at which people check their tables, if they do."""
PICTURE = Picture(b"", "A picture.", "picture.png")
TABLES: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("ribbon", ("Ann", "Bo"), {"mode": "coop", "pace": "brisk"}),
    ("tangram", ("Bo", "Cy"), {"pace": "daily", "when_late": "computer"}),
    ("tesla", ("Cy", "Dee"), {"pace": "relaxed", "when_late": "forfeit"}),
    ("tanglewood", ("Ann", "Dee", "Eli"), {"pace": "daily", "length": "short"}),
    ("tangle", ("Eli", "Bo"), {"pace": "2d+6h cap 3d", "when_late": "computer"}),
)
EAGER = {"Ann": 0.6, "Bo": 0.4, "Cy": 0.2, "Dee": 0.4, "Eli": 0.1}
"""The probability that somebody checks their tables each time, while they are up."""


class ProcessKilled(Exception):
    """The process is dead: nothing that it still tries is done."""


@dataclass
class Sent:
    """A message that was sent: when, whom it mentions, the mark of a notice, the table."""

    at: float
    mentions: tuple[int, ...]
    mark: str
    table: int


@dataclass
class Post:
    """Stands between the bot and Discord: writes down what is sent, and may cut the line."""

    stage: DiscordStage
    sent: list[Sent] = field(default_factory=list)
    writes: float = float("inf")
    """The number of writes left before the process dies."""

    @property
    def dead(self) -> bool:
        return self.writes <= 0

    def note(self, page: Page) -> None:
        presses = [
            button.press
            for part in page.parts
            if isinstance(part, list)
            for button in part
            if isinstance(button, Button) and button.press is not None
        ]
        if presses:
            mark = next((press.arg for press in presses if press.arg and press.verb == "turn"), "")
            self.sent.append(Sent(now(self.stage), tuple(page.mentions), mark, presses[0].table))

    def pings(self, duty: Duty, ended: float, kind: str) -> list[Sent]:
        """Return the messages of a kind that announced a duty to somebody."""
        end = ended if duty.end is None else duty.end
        return [
            sent
            for sent in self.sent
            if duty.user in sent.mentions
            and sent.table == duty.table
            and sent.mark.rstrip("012") == kind
            and duty.begin <= sent.at < end
        ]


def now(stage: DiscordStage) -> float:
    with stage.env.time_context():
        return stage.bot.app.parlour.clock()


@pytest.fixture(autouse=True)
def seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adapt the gap to a bot that checks rarely, and skip drawing."""
    monkeypatch.setattr(downtime, "SHORTEST_OUTAGE", 2 * LOOKS)

    async def drawn(*_args: object) -> Picture:
        return PICTURE

    for kind in ("board", "hand", "special"):
        monkeypatch.setattr(Pictures, kind, drawn)


@pytest.fixture
def post(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> Post:
    """Return everything sent from now on, by whichever bot runs."""
    line = Post(stage)
    send, write = messages.send, stage.bot.app.parlour.store._writer.write

    async def noted(place: Any, page: Page, nonce: str) -> Any:
        if line.dead:
            raise ProcessKilled
        message = await send(place, page, nonce)
        line.note(page)
        return message

    async def written(job: Any) -> Any:
        line.writes -= 1
        if line.dead:
            raise ProcessKilled
        return await write(job)

    monkeypatch.setattr(courier, "send", noted)
    monkeypatch.setattr(stage.bot.app.parlour.store._writer, "write", written)
    stage.trouble = True
    return line


async def reborn(stage: DiscordStage, post: Post, seconds: float = 1.0) -> None:
    """Kill the process; restart it after a while on its data."""
    post.writes = 0
    parlour = stage.bot.app.parlour
    await parlour.computers.stop()
    await parlour.outbox.finish()
    stage.bot._sweep.cancel()
    stage.env.backend.advance_clock(seconds)
    post.writes = float("inf")
    with stage.env.time_context():
        await stage.env.restart_bot(ParlourBot(parlour.store, parlour.workers))
    for loop in loops(stage.bot):
        loop.change_interval(seconds=LOOKS)
    await stage.env.settle()


async def turn(stage: DiscordStage, name: str, table: Table) -> None:
    """Take somebody's whole turn, as a medium computer would."""
    parlour, user = stage.bot.app.parlour, stage[name].id
    async with stage.run_by_itself():
        while True:
            loaded = await parlour._repository.load(table.id)
            seat = loaded.table.seat_of(user)
            if seat is None or seat not in loaded.table.awaited or loaded.table.beat != table.beat:
                return
            move = await parlour.play.choose_move(loaded, seat, Strength.MEDIUM)
            await parlour.play.move(table.id, user, [move])


async def await_computers(stage: DiscordStage) -> None:
    """Pause the simulated clock until the computers, in real time, have moved."""
    async with stage.run_by_itself() as parlour:
        await parlour.computers.finish()


async def some_time(stage: DiscordStage, post: Post, people: dict[str, Person], rng: Random) -> None:
    """Let four hours pass; whoever is up and willing takes turns."""
    await stage.env.advance_time(WHILE)
    await await_computers(stage)
    for name, person in people.items():
        at = now(stage)
        if person.awake_at(at) > at or rng.random() > EAGER[name]:
            continue
        for table in await stage.bot.app.parlour.tables_of(person.user_id):
            with suppress(ProcessKilled, Refused):
                await turn(stage, name, table)
                await await_computers(stage)
            await stage.env.advance_time(60)
    if rng.random() < 0.15:
        post.writes = rng.randint(1, 6)
        with suppress(ProcessKilled, Refused):
            await stage.env.advance_time(LOOKS)
        await reborn(stage, post)


async def set_up(stage: DiscordStage, people: dict[str, Person]) -> None:
    """Set everybody's wishes for pings, and begin the tables."""
    for person in people.values():
        await stage.bot.app.parlour.people.save(Person(person.user_id), person)
    for slug, names, options in TABLES:
        await stage.open(*names, game=slug, **options)
    for loop in loops(stage.bot):
        loop.change_interval(seconds=LOOKS)
    await stage.env.advance_time(10)


def habits(stage: DiscordStage) -> dict[str, Person]:
    """Return night owls, early birds, and people with their own pings."""
    ids = {name: stage[name].id for name in EAGER}
    return {
        "Ann": Person(ids["Ann"], zone="America/New_York", quiet=Quiet(23 * 60, 8 * 60, "America/New_York")),
        "Bo": Person(
            ids["Bo"], notices=Notices.DM, zone="Europe/Berlin", quiet=Quiet(22 * 60, 7 * 60, "Europe/Berlin")
        ),
        "Cy": Person(ids["Cy"]),
        "Dee": Person(ids["Dee"], notices=Notices.BOTH),
        "Eli": Person(ids["Eli"], quiet=Quiet(0, 9 * 60, "Asia/Kathmandu"), zone="Asia/Kathmandu"),
    }


async def test_in_a_month_every_notice_is_sent_once_and_every_clock_is_right(
    stage: DiscordStage, post: Post, store: Store, workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    rng, people = Random(30), habits(stage)
    caplog.set_level(logging.CRITICAL)
    await set_up(stage, people)

    for day in range(DAYS):
        if day == 5:
            at = now(stage)
            people["Cy"] = begin_holiday(people["Cy"], at + 7 * DAY, "in the hills", at)
            known = await stage.bot.app.parlour.people.person(people["Cy"].user_id)
            await stage.bot.app.parlour.people.save(known, people["Cy"])
        if day == DOWN.start:
            await reborn(stage, post, len(DOWN) * DAY)
        if day not in DOWN:
            for _ in range(round(DAY / WHILE)):
                await some_time(stage, post, people, rng)
    await reborn(stage, post)
    await stage.env.advance_time(2 * LOOKS)

    parlour, end = stage.bot.app.parlour, now(stage)
    gaps = [(gap.begin, gap.end) for gap in await store.downtime.gaps()]
    assert [round((until - since) / DAY) for since, until in gaps if until - since > DAY] == [len(DOWN)]
    standing = Standing({person.user_id: person for person in people.values()}, gaps)
    late = 0
    for number in range(1, len(TABLES) + 1):
        table = await stage.table(number)
        late += sum(row.kind == "late" for row in await store.actions(number))
        account = await Account(table, standing).finish(parlour)
        assert table.due_at is None or table.due_at > end - 2 * LOOKS
        for seat, clock in enumerate(table.clocks):
            if table.seats[seat].user_id is not None and table.owing:
                rest = (await parlour._repository.time.rests(table))[table.seats[seat].user_id or 0]
                held = clock.settle(end, rest).left
                assert held == pytest.approx(account.bank_left(seat, end), abs=600), (number, seat)
        for duty in account.duties:
            once(post, duty, people, end)
    assert late >= 2


def once(post: Post, duty: Duty, people: dict[str, Person], end: float) -> None:
    """Check one punctual announcement of a duty, with two reminders at most."""
    person = next(person for person in people.values() if person.user_id == duty.user)
    notices = [*post.pings(duty, end, ""), *post.pings(duty, end, "notice")]
    heard = person.awake_at(duty.begin) + 3 * HOUR
    most = 2 if person.notices is Notices.BOTH else 1
    assert len(notices) <= most, (duty, notices)
    if heard < (end if duty.end is None else duty.end):
        assert notices, (duty, person)
    assert len(post.pings(duty, end, "reminder")) <= 2 * most
