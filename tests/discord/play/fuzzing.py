"""A server full of people who try everything: what they do, and what must be true whatever they did."""

import logging
import re
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import discord
import msgspec
import simcord
from PIL import Image
from simcord.components import walk_components
from simcord.interactions import command_leaves

from cogs.core.pictures import Pictures
from cogs.ui import press as presses
from cogs.ui.press import Press, parse
from engines.game import Seat, Strength
from engines.registry import SLUGS, game
from render.core.canvas import Picture
from tables.core.change import TableState
from tables.core.table import NO_SERVER, OPEN, Phase, Refused, Table
from tables.review.inspect import Inspection
from tests.discord.stage import DiscordStage

STRINGS = (
    *(
        "",
        " ",
        "x",
        "0",
        "-1",
        "A1",
        "²",
        "1d",
        "3 days",
        "ribbon",
        "{}",
        "null",
        "名前",
        "\n\r\t",
        "9" * 400,
    ),
    *("@everyone", "@here", "<@&1>", "<@17>", "**b** ||c|| `d` [e](http://f.g)", "```", "> # h"),
    *("\u202eevil\u202c", "\u200b" * 40, "a" * 6000, "😀" * 4000, "'; drop table tables; --"),
)
NAMES = ("\u202eevil", "\u200b", "**b** `c`", "@everyone", "<@17>", "a" * 32, "😀" * 32, "名前", "x")
NUMBERS = (0, 1, 2, 3, 7, -1, 99, 10**6, 2**31, 2**53 - 1, -(2**53) + 1)
ARGUMENTS = ("", "0", "-1", "x", "A1", "²", "99999", "1.1", "a.b.c.d", "a-b", "1,2", "9" * 18)
BUTTON, MENU = 2, 3
THREAD_BEGUN = 18
TOKEN = re.compile("view[0-9a-f]{12}")
MANY = 6
"""The number of open tables from which on no further games begin."""
OLD = 400
"""The number of past buttons and menus that are remembered."""
HOURS = (0.05, 0.2, 1, 6, 30, 80)


class Trouble(AssertionError):
    """Raised for something that must never happen."""


class Errors(logging.Handler):
    """Keeps the errors that the bot logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class Views:
    """Records who has which view: a picture is named after the view that it was drawn from."""

    def __init__(self) -> None:
        self._viewers: dict[str, set[tuple[int, Seat | None]]] = defaultdict(set)

    def note(self, table: int, view: Any, viewer: Seat | None) -> None:
        """Record that a viewer of a table may see this."""
        self._viewers[self.token(view)].add((table, viewer))

    @staticmethod
    def token(view: Any) -> str:
        """Return a view's name by its content, except its latest events."""
        result = msgspec.to_builtins(view, str_keys=True)
        for passing in ("since", "changed", "marked", "last"):
            result.pop(passing, None)
        return f"view{hash(msgspec.json.encode(result, order='sorted')) & 0xFFFFFFFFFFFF:012x}"

    def viewers(self, token: str) -> set[tuple[int, Seat | None]]:
        """Return the viewers who may see a picture of that view."""
        return self._viewers.get(token, set())


def blank() -> bytes:
    drawn = BytesIO()
    Image.new("1", (1, 1)).save(drawn, "PNG")
    return drawn.getvalue()


BLANK = blank()


async def name_picture(_pictures: Pictures, room: str, what: str, *args: Any) -> Picture | None:
    """Replace `Pictures._picture`: draw nothing, and put the content in the alt text."""
    token = Views.token(args[0]) if room in SLUGS else "no view"
    return Picture(BLANK, f"{what} {token}.", f"{room}-{what}.png")


class FuzzedWorld:
    """Two servers, their people and administrators, and what they do."""

    def __init__(self, stage: DiscordStage, rng: Random) -> None:
        self.stage, self.env, self.rng = stage, stage.env, rng
        elsewhere = self.env.create_guild("Elsewhere")
        far = elsewhere.create_text_channel("far")
        odd, odder = rng.sample(NAMES, 2)
        admins = elsewhere.create_role("Admin", permissions=discord.Permissions(manage_guild=True))
        self._there = [
            elsewhere.add_member(self.env.create_user("zed", global_name=odder)),
            elsewhere.add_member(self.env.create_user("ole", global_name="Ole"), roles=[admins]),
        ]
        stage.people["Odd"] = stage.guild.add_member(self.env.create_user("odd", global_name=odd))
        self._here = [*stage.people.values(), stage.admin]
        self._guilds = (stage.guild.id, elsewhere.id)
        self._places = {stage.channel.id: stage.channel, far.id: far}
        # Whom everybody names in what they type, and who has nothing to do with any of it.
        bystander = stage.guild.add_member(self.env.create_user("far", global_name="Far"))
        self._strings = (*STRINGS, f"<@{bystander.id}>", f"hi <@!{bystander.id}> @everyone")
        self.ids = {person.id for person in (*self._here, *self._there)}
        self.apart = (stage["Ann"].id, stage["Dee"].id)
        self.errors, self.views = Errors(), Views()
        self.steps = 0
        self._old: list[str] = []
        self._seen: dict[int, str | None] = {}
        self._failures = 0

    def place(self) -> tuple[Any, list[Any]]:
        threads = [thread for channel in self._places.values() for thread in channel.threads]
        place = self.rng.choice([*self._places.values(), *threads])
        assert place.guild is not None
        return place, self._here if place.guild.id == self._guilds[0] else self._there

    async def tables(self) -> list[Table]:
        parlour = self.stage.bot.app.parlour
        return [table for guild in self._guilds for table in await parlour.tables_in(guild, OPEN)]

    async def types(self) -> None:
        place, people = self.place()
        who = self.rng.choice(people)
        roots = self.env.backend.visible_commands(user_id=who.id, channel_id=place.id)
        leaves = [leaf for root in roots for leaf in command_leaves(root)]
        path, leaf = self.rng.choice(leaves)
        options = {
            option["name"]: self._value(option, people)
            for option in leaf.get("options") or []
            if option.get("required") or self.rng.random() < 0.35
        }
        await self._follow_up(who, who.slash(place, " ".join(path), **options))

    def _value(self, option: dict[str, Any], people: list[Any]) -> Any:
        rng = self.rng
        if option.get("choices"):
            return rng.choice(option["choices"])["value"]
        match option["type"]:
            case 4:
                least, most = option.get("min_value", NUMBERS[-1]), option.get("max_value", NUMBERS[-2])
                return min(max(rng.choice((*range(1, 9), *NUMBERS)), least), most)
            case 5:
                return rng.random() < 0.5
            case 6:
                return rng.choice(people)
            case 7:
                return self.stage.channel
            case 8:
                return self.stage.guild.create_role("Role")
            case 11:
                return "file.json", rng.choice((b"", b"{}", b"\xff\xfe", b"[" * 5000, b'{"format":"tangle"}'))
            case _:
                least, most = option.get("min_length", 0), option.get("max_length", 6000)
                return rng.choice(self._strings).ljust(least, "x")[:most] or "x"

    async def presses(self) -> None:
        place, people = self.place()
        who = self.rng.choice(people)
        messages = [m for m in place.history(viewer=who) if m.components][-6:]
        if not messages:
            return await self.opens()
        message = self.rng.choice(messages)
        await self._use(who, message)

    async def opens(self) -> None:
        """Seat people of the server and start a game."""
        parlour = self.stage.bot.app.parlour
        slug = self.rng.choice(SLUGS)
        if len(await self.tables()) > MANY:
            return await self.presses()
        place, people = self._places[self.stage.channel.id], self._here
        host, *others = self.rng.sample(people, self.rng.randint(1, 4))
        await self._follow_up(host, host.slash(place, f"{slug} new", computers=self.rng.randint(0, 2)))
        table = next(iter(await parlour.tables_in(self.stage.guild.id, (Phase.LOBBY,))), None)
        if table is None:
            return None
        card = self.stage.card().message
        for who in (*others, host):
            await self._follow_up(who, who.click(card, label="Start" if who is host else "Join"))

    async def forges(self) -> None:
        """Send a press that no message of theirs carries."""
        room, verb = self.rng.choice(presses.list_presses())
        tables = await self.tables()
        table = self.rng.choice(tables) if tables else None
        number = self.rng.choice([table.id if table else 1, table.id if table else 0, 0, 4711, 10**12])
        moment = table.version if table and self.rng.random() < 0.7 else self.rng.choice((0, 1, 10**9))
        argument = self.rng.choice(ARGUMENTS)
        values = tuple(self.rng.sample(ARGUMENTS, self.rng.randint(0, 3)))
        values = tuple(value for value in values if value)
        who = self.rng.choice([*self._here, *self._there])
        press = Press(room, verb, number, moment, argument, values)
        await self._follow_up(who, self.stage.send_press_as(who, press))

    async def presses_again(self) -> None:
        """Press a button of a past message, no matter whose it was."""
        if not self._old:
            return await self.forges()
        press = parse(self.rng.choice(self._old))
        if press is None:
            return None
        who = self.rng.choice([*self._here, *self._there])
        await self._follow_up(who, self.stage.send_press_as(who, press))

    async def floods(self) -> None:
        if self.rng.random() < 0.85:
            return await self.presses()
        who = self.rng.choice(self._here)
        press = Press("rules", "open", 0, 0, self.rng.choice(SLUGS))
        for _ in range(25):
            await self._follow_up(who, self.stage.send_press_as(who, press))

    async def moves(self) -> None:
        """Make a legal move for somebody, so that games go on."""
        tables = [table for table in await self.tables() if table.owing]
        if not tables:
            return await self.opens()
        table = self.rng.choice(tables)
        seat = self.rng.choice(table.owing)
        user = table.seats[seat].user_id
        if user is None:
            return None
        async with self.stage.run_by_itself() as parlour:
            loaded = await parlour._repository.load(table.id)
            move = await parlour.play.choose_move(loaded, seat, Strength.MEDIUM)
            try:
                await parlour.play.move(table.id, user, [move])
            except Refused:
                return None

    async def waits(self) -> None:
        if self.rng.random() < 0.5:
            return await self.forges()
        await self.stage.wait(3600 * self.rng.choice(HOURS))

    async def restarts(self) -> None:
        """Restart the bot; rarely, or memory would never hold anything."""
        if self.rng.random() < 0.7:
            return await self.types()
        await self.stage.restart()

    async def _use(self, who: Any, message: Any) -> None:
        entries = [part for part in walk_components(message.components) if part.get("custom_id")]
        usable = [part for part in entries if not part.get("disabled")]
        if not usable:
            return
        part = self.rng.choice(usable)
        if part["type"] == BUTTON:
            await self._follow_up(who, who.click(message, custom_id=part["custom_id"]))
        elif part["type"] == MENU:
            lines = [line["value"] for line in part["options"]]
            least, most = part.get("min_values", 1), part.get("max_values", 1)
            values = self.rng.sample(lines, min(len(lines), self.rng.randint(least, most)))
            await self._follow_up(who, who.select(message, values, custom_id=part["custom_id"]))

    async def _follow_up(self, who: Any, doing: Any) -> None:
        """Do it, and fill in and send a form. What Discord itself would refuse is no step."""
        try:
            result = await doing
        except (simcord.SetupError, simcord.BackendError):
            return
        if result.modal is not None:
            fields = [part for part in walk_components(result.modal["components"]) if part["type"] == 4]
            values = {
                field["custom_id"]: self.rng.choice(self._strings)[: field.get("max_length", 4000)].ljust(
                    int(field.get("required", True)), "x"
                )
                for field in fields
            }
            try:
                await who.submit_modal(result, values)
            except (simcord.SetupError, simcord.BackendError):
                return

    async def check(self) -> None:
        """Check that the last step has broken nothing."""
        self.steps += 1
        failures = [getattr(error, "original", error) for error in self.env.errors[self._failures :]]
        self._failures = len(self.env.errors)
        require(not [error for error in failures if not isinstance(error, Refused)], failures)
        require(not self.errors.records, [record.getMessage() for record in self.errors.records])
        tables = await self.tables()
        secrets = [
            (table, value)
            for table in tables
            if table.deal is not None
            for value in (table.seed.hex(), table.salt.hex(), table.deal)
        ]
        # Lessons and daily deals belong to no server, and may look like a seat of a table that does.
        tables += await self.stage.bot.app.parlour.tables_in(NO_SERVER, OPEN)
        for table in tables:
            await self._lawful(table)
        for message in self._fresh():
            self._check_message(message, tables, secrets)

    def _fresh(self) -> Iterator[Any]:
        """Yield messages sent or edited since the last step. Only the bot writes here."""
        for channel in self.env.backend.messages.values():
            for message in list(channel.values()):
                stamp = f"{message.edited_timestamp} {hash(str(message.components))}"
                if self._seen.get(message.id) != stamp:
                    self._seen[message.id] = stamp
                    yield message

    def _check_message(self, message: Any, tables: list[Table], secrets: list[tuple[Table, str]]) -> None:
        """Check that a message reveals and pings only what it may."""
        if message.type == THREAD_BEGUN:
            return  # Discord's own line with the thread's name, which calls nobody
        text = str((message.content, message.components, message.attachments))
        require(not message.mention_everyone, text)
        require(set(message.ping_user_ids) <= self.ids, text)
        for table, secret in secrets:
            require(secret not in text, f"table {table.id}: {text}")
        require("something went wrong" not in text, text)
        self._old += [
            part["custom_id"] for part in walk_components(message.components) if part.get("custom_id")
        ]
        del self._old[:-OLD]
        going = {table.id: table for table in tables if table.phase is Phase.PLAY}
        for token in set(TOKEN.findall(text)):
            pairs = {(number, viewer) for number, viewer in self.views.viewers(token) if number in going}
            if pairs and not any(self._may_see(message, going[number], viewer) for number, viewer in pairs):
                raise Trouble(f"{message.channel_id}: {text} is for {pairs}")

    def _may_see(self, message: Any, table: Table, viewer: Seat | None) -> bool:
        """Return True if all readers may know the viewer's information."""
        if viewer is None:
            return True
        user = table.seats[viewer].user_id
        if message.is_ephemeral:
            return bool(message.visible_to(user))
        dm = self.env.backend.channels[message.channel_id]
        return user in getattr(dm, "recipient_ids", ())

    async def _lawful(self, table: Table) -> None:
        """Check a table against the rules of its game."""
        loaded: TableState = await self.stage.bot.app.parlour._repository.load(table.id)
        if loaded.position is None:
            return
        rules = game(table.slug)
        state = msgspec.msgpack.decode(loaded.position.state, type=rules.State)
        owing = set(rules.prompts(state))
        require(owing == set(loaded.table.owing), (table.id, owing, loaded.table.owing))
        require(bool(owing) == (loaded.table.phase is Phase.PLAY), (table.id, loaded.table.phase))
        for viewer in (None, *range(len(table.seats))):
            self.views.note(table.id, rules.view(state, viewer), viewer)

    async def replay_all(self) -> None:
        """Check that every log obeys the rules and leads to its table."""
        parlour = self.stage.bot.app.parlour
        inspection = Inspection(parlour.store, parlour.workers)
        for table in await self.tables():
            if table.deal is not None:
                finding = await inspection.find(await inspection.table(table.id))
                require(not finding.amiss, (table.id, finding.departed, finding.difference))


def require(well: bool, result: object) -> None:
    """Raise Trouble unless `well`."""
    if not well:
        raise Trouble(str(result)[:4000])
