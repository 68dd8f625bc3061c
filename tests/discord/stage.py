"""A Discord server to play in: people who type, press and read as they would in the app."""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import discord
import simcord
from discord.ext import tasks
from simcord.components import walk_components

from cogs.core.presenter import presenter_of
from cogs.discord.messages import nonce_of, send
from cogs.discord.work import COMMANDS_FACT
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import Press, parse
from cogs.ui.text import without_icons
from db.store import Store
from engines.marks import CLOSE, OPEN
from engines.registry import SLUGS
from engines.workers import Workers
from host.client import ParlourBot
from tables.parlour import Parlour
from tests.discord.players import turn_of

SETTLE = 120.0
"""Seconds in which a bot comes to rest on a machine that does much else."""
LOOKS_EVERY = 11.0
"""Seconds after which everything that the bot repeats was done once."""
LOOK = 0.005
LONG, SELDOM = 600.0, 250.0
"""The seconds from which on a wait is long, and the seconds between the bot's checks in it."""
MARKS = re.compile("|".join(re.escape(repr(letter)[1:-1]) for letter in f"\ue000\ue001\ue002{OPEN}{CLOSE}"))
"""Letters that mark signs and the words of people, as Discord's payloads show them."""
FORGED = count(1)
PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eli")
BUTTON, MENU, LINE, TEXT, GALLERY, RADIO = 2, 3, 4, 10, 12, 21
NOTHING_FILLED: Mapping[str, Any] = {}
TAGLINES = [presenter_of(slug).tagline for slug in SLUGS]


@dataclass
class ShownMessage:
    """A message as somebody sees it: its words, its buttons, its menus."""

    message: Any
    components: list[dict[str, Any]]

    @property
    def text(self) -> str:
        words = [c["content"] for c in self.components if c.get("type") == TEXT]
        return "\n".join([*words, self.message.content])

    @property
    def buttons(self) -> dict[str, dict[str, Any]]:
        return {c["label"]: c for c in self.components if c.get("type") == BUTTON and "label" in c}

    @property
    def menus(self) -> dict[str, dict[str, Any]]:
        result = {}
        for c in self.components:
            press = parse(c.get("custom_id", ""))
            if c.get("type") == MENU and press is not None:
                result[press.verb] = c
        return result

    def values(self, verb: str) -> list[str]:
        return [option["value"] for option in self.menus[verb]["options"]]

    @property
    def files(self) -> list[str]:
        return [attachment.filename for attachment in self.message.attachments]

    @property
    def alts(self) -> list[str | None]:
        galleries = [c for c in self.components if c.get("type") == GALLERY]
        return [item.get("description") for gallery in galleries for item in gallery["items"]]


def text_above_picture(page: Page) -> str:
    """Return the text of a page above its first picture."""
    shown = list(walk_components([item.to_component_dict() for item in page.view().children]))
    kinds = [one["type"] for one in shown]
    first = kinds.index(GALLERY) if GALLERY in kinds else len(kinds)
    return "\n".join(without_icons(one["content"]) for one in shown[:first] if one["type"] == TEXT)


def texts_of(page: Page) -> list[str]:
    return [item.content for item in page.view().walk_children() if isinstance(item, discord.ui.TextDisplay)]


def answer_with(answer: object) -> Callable[..., Awaitable[object]]:
    """Return a function that answers so whatever it is asked."""

    async def load(*_: object) -> object:
        return answer

    return load


def read_message(message: Any) -> ShownMessage:
    roots = message.components
    plain = [c if isinstance(c, dict) else c.to_dict() for c in roots]
    return ShownMessage(message, list(walk_components(plain)))


class Simulation(simcord.Env):
    """The simulated Discord, which looks more often whether the bot has come to rest."""

    async def _settle_internal(self, *, idle: float = LOOK, **more: Any) -> None:
        if more.get("timeout") is not None:
            # A start is given five seconds, in which a computer player may not be done thinking.
            more["timeout"] = max(more["timeout"], SETTLE)
        await super()._settle_internal(idle=min(idle, LOOK), **more)

    async def advance_time(self, seconds: float, /) -> None:
        """Let time pass; the bot checks less often, but without gaps."""
        slowed = {
            loop: every
            for loop in loops(self.bot)
            if seconds > LONG
            and (every := 3600 * (loop.hours or 0) + 60 * (loop.minutes or 0) + (loop.seconds or 0)) < SELDOM
        }
        for loop in slowed:
            loop.change_interval(seconds=SELDOM)
        try:
            await super().advance_time(seconds)
        finally:
            for loop, interval in slowed.items():
                loop.change_interval(seconds=interval)


def loops(bot: Any) -> list[tasks.Loop[Any]]:
    owners = (bot, *bot.cogs.values()) if isinstance(bot, ParlourBot) else ()
    return [loop for owner in owners for loop in vars(owner).values() if isinstance(loop, tasks.Loop)]


class KnownBot(ParlourBot):
    """A bot whose commands Discord knows already: working them out takes longer than many a flow."""

    async def _register_commands(self) -> None:
        pass


TOLD: dict[str, list[dict[str, Any]]] = {}
"""The commands that the first bot of this process told Discord, by the fact that it kept of them."""
GIVEN = ("id", "application_id")
"""The fields that Discord adds to a command."""


async def simulation(store: Store, workers: Workers) -> simcord.Env:
    """Return a simulated Discord in which the bot runs.

    The bot is built when the simulated clock runs already, as it reads the time when it is built; until then
    an empty client holds its place.
    """
    nobody = discord.AutoShardedClient(intents=discord.Intents(guilds=True), shard_count=1)
    env = Simulation(nobody, settle_timeout=SETTLE, shard_count=1)
    await env.start()
    for fact, commands in TOLD.items():
        env.backend.register_commands(None, commands)
        await store.save_fact(COMMANDS_FACT, fact)
    with env.time_context():
        await env.restart_bot(KnownBot(store, workers) if TOLD else ParlourBot(store, workers))
    if not TOLD:
        result = env.backend.commands[None].values()
        plain = [{key: value for key, value in command.items() if key not in GIVEN} for command in result]
        TOLD[str(await store.fact(COMMANDS_FACT))] = plain
    return env


class AnyStage(ABC):
    """A place to play at: the simulated Discord, or a desk without it."""

    @property
    @abstractmethod
    def parlour(self) -> Parlour:
        """Return the tables."""

    @abstractmethod
    def __getitem__(self, name: str) -> Any:
        """Return a person, who clicks, selects and types."""

    @abstractmethod
    async def open(self, *names: str, game: str = "ribbon", computers: int = 0, **options: Any) -> Any:
        """Open a table, let the others join, and start. The first person is the host. Return its place."""

    @abstractmethod
    def posts(self, place: Any) -> list[ShownMessage]:
        """Return every public message of a place, oldest first."""

    def post(self, place: Any) -> ShownMessage:
        return self.posts(place)[-1]

    async def table(self, number: int = 1) -> Any:
        return await self.parlour.table(number)

    async def view(self, who: str | None = None, number: int = 1) -> Any:
        user = None if who is None else self[who].id
        return (await self.parlour.play.perspective(number, user)).view

    async def due(self, number: int = 1) -> list[str]:
        """Return the names of those who are to move."""
        table = await self.table(number)
        return [table.names[seat] for seat in table.owing]

    async def panel(self, name: str, place: Any) -> tuple[Any, ShownMessage]:
        """Press Take turn; return the answer, and its panel."""
        result = await self[name].click(self.post(place).message, label="Take turn")
        assert result.ephemeral
        return result, read_message(result.response)

    async def unfold(self, name: str, result: Any) -> ShownMessage:
        """Press More in a panel; return the whole panel."""
        await self[name].click(result.response, label="More")
        return read_message(result.response)

    async def refuses(self, name: str, place: Any, typed: Sequence[tuple[str, Any, str]]) -> None:
        """Check that each typed command is refused so and changes nothing."""
        version = (await self.table()).version
        for command, options, text in typed:
            answer = await self[name].slash(place, command, **options)
            assert answer.ephemeral, (command, options)
            assert text in answer.response.content, (command, options, answer.response.content)
            assert (await self.table()).version == version, (command, options)

    async def act(self, name: str, place: Any, rng: Random, number: int = 1) -> None:
        await turn_of((await self.table(number)).slug)(self, name, place, rng)

    async def panel_flip(self, name: str, place: Any) -> None:
        result, panel = await self.panel(name, place)
        await pick(self[name], result.response, "flip", panel.values("flip")[0])

    async def finish_turn(self, name: str, place: Any, seed: int = 0) -> None:
        """Take turns by clicks until others are to move, or a fresh post."""
        before = len(self.posts(place))
        rng = Random(seed)
        while len(self.posts(place)) == before:
            await self.act(name, place, rng)

    async def next_post(self, place: Any, seed: int = 0, turns: int = 40) -> None:
        """Let everybody take turns by clicks until a fresh post."""
        before = len(self.posts(place))
        rng = Random(seed)
        for _ in range(turns):
            if len(self.posts(place)) > before:
                return
            await self.act((await self.due())[0], place, rng)
        raise AssertionError("nothing was posted")

    async def finish(self, place: Any, seed: int = 0, turns: int = 200) -> None:
        rng = Random(seed)
        for _ in range(turns):
            if "Rematch" in self.post(place).buttons:
                return
            await self.act((await self.due())[0], place, rng)
        raise AssertionError("the game did not end")


class DiscordStage(AnyStage):
    """One server with a channel, some members and an administrator."""

    def __init__(self, env: simcord.Env) -> None:
        self.env = env
        self.trouble = False
        self.guild = env.create_guild("Parlour")
        self.channel = self.guild.create_text_channel("games")
        self.people = {
            name: self.guild.add_member(env.create_user(name.lower(), global_name=name)) for name in PEOPLE
        }
        admins = self.guild.create_role("Admin", permissions=discord.Permissions(manage_guild=True))
        self.admin: Any = self.guild.add_member(env.create_user("max", global_name="Max"), roles=[admins])

    @property
    def bot(self) -> ParlourBot:
        """Return the running bot; another one after a restart."""
        assert isinstance(self.env.bot, ParlourBot)
        return self.env.bot

    @property
    def parlour(self) -> Parlour:
        return self.bot.app.parlour

    @property
    def marked(self) -> list[Any]:
        """Return messages that show a sign's or a name's mark."""
        sent = [message for place in self.env.backend.messages.values() for message in place.values()]
        return [one for one in [*sent, *self.env.backend.transcript] if MARKS.search(repr(one))]

    def find_channel(self, place: Any) -> Any:
        return self.bot.get_channel(place.id)

    def is_archived(self, place: Any) -> bool:
        metadata = self.env.backend.channels[place.id].thread_metadata
        assert metadata is not None
        return metadata.archived

    def archive(self, place: Any) -> None:
        self.env.backend.edit_channel(place.id, {}, thread_metadata={"archived": True})

    @contextmanager
    def away(self) -> Iterator[None]:
        """Hide all events from the bot."""
        listeners, self.env.backend.subscribers[:] = list(self.env.backend.subscribers), []
        try:
            yield
        finally:
            self.env.backend.subscribers[:] = listeners

    async def report_gateway(self, event: str) -> None:
        """Report the gateway to the bot as lost (`disconnect`) or back (`resumed`)."""
        with self.env.time_context():
            self.bot.dispatch(event)
            await self.env.settle()

    def __getitem__(self, name: str) -> Any:
        return self.people[name]

    def card(self) -> ShownMessage:
        for message in reversed(self.channel.history()):
            shown = read_message(message)
            if "tp:lobby:" in str(shown.components) or any(line in shown.text for line in TAGLINES):
                return shown
        raise AssertionError("there is no lobby card in the channel")

    async def open(self, *names: str, game: str = "ribbon", computers: int = 0, **options: Any) -> Any:
        """Open a table, let the others join, and start. The first person is the host. Return the thread."""
        host, *others = names
        await self[host].slash(self.channel, f"{game} new", computers=computers, **options)
        for name in others:
            await self[name].click(self.card().message, label="Join")
        await self[host].click(self.card().message, label="Start")
        return self.channel.threads[-1]

    def allow_admin(self, *whom: Any) -> None:
        """Allow some roles or members the `/admin` commands by the server's Integrations."""
        command: Any = self.env.backend.find_command("admin", None, type=1)
        self.guild.set_command_permissions(int(command["id"]), dict.fromkeys(whom, True))

    def lookups(self) -> list[str]:
        return [request.path for request in self.env.http_requests if request.method == "GET"]

    def history_requests(self) -> list[str]:
        """Return the bot's requests for existing messages."""
        return [path for path in self.lookups() if "/messages" in path]

    def post(self, place: Any) -> ShownMessage:
        return read_message(next(m for m in reversed(place.history()) if not m.flags.ephemeral))

    def posts(self, place: Any) -> list[ShownMessage]:
        return [read_message(m) for m in place.history() if not m.flags.ephemeral]

    async def send_press(self, name: str, press: Press) -> Any:
        """Return the answer to a forged or an old press."""
        return await self.send_press_as(self[name], press)

    async def send_press_as(self, who: Any, press: Press, channel: Any = None) -> Any:
        message = await self.forge_message(press, channel)
        if press.values:
            return await who.select(message, list(press.values), custom_id=press.custom_id)
        return await who.click(message, custom_id=press.custom_id)

    async def forge_message(self, press: Press, channel: Any = None) -> Any:
        """Post a bot's message with the press, as old versions sent it."""
        parts: list[Any]
        if press.values:
            lines = [Option(value, value) for value in press.values]
            parts = [Menu(press, "Forged", lines, most=len(press.values))]
        else:
            parts = [[Button("Forged", press)]]
        return await send(
            self.find_channel(channel or self.channel), Page(["?", *parts]), nonce_of(next(FORGED))
        )

    async def refresh(self, kind: str, target: int = 0, *, fresh: bool = False) -> None:
        """Let the bot show something again by itself."""
        async with self.run_by_itself() as parlour:
            await parlour.refresh(1, kind, target, fresh=fresh)

    @asynccontextmanager
    async def run_by_itself(self) -> AsyncIterator[Parlour]:
        """Run the parlour's own work in the bot's time, to the end."""
        parlour = self.bot.app.parlour
        with self.env.time_context():
            yield parlour
            await parlour.outbox.finish()
        await self.env.settle()

    async def restart(self) -> None:
        """Stop the bot; start another on the same database, a second later."""
        parlour = self.bot.app.parlour
        await parlour.close()
        self.env.backend.advance_clock(1.0)
        with self.env.time_context():
            await self.env.restart_bot(ParlourBot(parlour.store, parlour.workers))
        await self.env.settle()

    async def wait(self, seconds: float) -> None:
        """Let N seconds pass, then let the bot check for due work. See the fixture `patient`."""
        self.env.backend.advance_clock(seconds)
        with self.env.time_context():
            for loop in loops(self.bot):
                loop.restart()  # it would make up for every round that it missed
        await self.env.advance_time(LOOKS_EVERY)


async def pick(actor: Any, response: Any, verb: str, *values: str) -> Any:
    menu = read_message(response).menus[verb]
    return await actor.select(response, list(values), custom_id=str(menu["custom_id"]))


def form_of(shown: Any) -> dict[str, dict[str, Any]]:
    """Return the fields of an opened form, by name."""
    assert shown.modal is not None, read_message(shown.response).text
    fields = [label["component"] for label in shown.modal["components"]]
    return {field["custom_id"]: field for field in fields}


def values_of(field: dict[str, Any], *, chosen: bool = False) -> list[str]:
    """Return the values that a field offers, or the chosen ones."""
    return [one["value"] for one in field["options"] if one.get("default") or not chosen]


async def fill(
    actor: Any, pressed: Any, label: str, values: Mapping[str, Any] = NOTHING_FILLED, **more: Any
) -> Any:
    """Press a button, and send its form with some new values."""
    shown = await actor.click(pressed, label=label)
    return await submit(actor, shown, values, **more)


async def submit(actor: Any, shown: Any, values: Mapping[str, Any] = NOTHING_FILLED, **more: Any) -> Any:
    filled: dict[str, Any] = {}
    for name, field in form_of(shown).items():
        if "options" in field:
            chosen = values_of(field, chosen=True)
            filled[name] = next(iter(chosen), None) if field["type"] == RADIO else chosen
        elif field["type"] == LINE:
            filled[name] = field.get("value") or ""
    return await actor.submit_modal(shown, {**filled, **values, **more})
