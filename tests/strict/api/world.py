"""The state of a strict Discord: users, servers, channels, messages, the application, its clock."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from tests.strict.api.errors import Json, Refusal, unknown
from tests.strict.api.permissions import BOT, EVERYONE, MANAGE_GUILD

EPOCH = 1_420_070_400_000
TEXT, DM, VOICE, CATEGORY, ANNOUNCEMENT = 0, 1, 2, 4, 5
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM = 10, 11, 12, 13, 15
THREADS = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)
EPHEMERAL, LOADING, HAS_THREAD, COMPONENTS_V2 = 64, 128, 32, 1 << 15
SESSION_STARTS, SESSIONS_LAST = 1000, 86_400.0
PNG = b"\x89PNG\r\n\x1a\n"


class Pulse:
    """Wakes whoever waits for a change."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def beat(self) -> None:
        self._event.set()
        self._event = asyncio.Event()

    async def next(self, seconds: float) -> None:
        """Wait for the next change, but no longer than that."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            pass


@dataclass
class User:
    """A person or a bot. `dm_refusal` is how Discord refuses a DM to them."""

    id: int
    name: str
    display: str
    bot: bool = False
    dm_refusal: tuple[int, int, str] | None = None


@dataclass
class Role:
    """A role of a server."""

    id: int
    name: str
    permissions: int
    mentionable: bool = False


@dataclass
class Overwrite:
    """Permissions that a channel allows or denies a role or a member."""

    target_id: int
    is_role: bool
    allow: int = 0
    deny: int = 0


@dataclass
class File:
    """A file of a message."""

    id: int
    name: str
    data: bytes = field(repr=False)
    content_type: str
    description: str | None = None

    @property
    def size(self) -> tuple[int, int] | None:
        """Return the width and height of a PNG."""
        if not self.data.startswith(PNG):
            return None
        return int.from_bytes(self.data[16:20]), int.from_bytes(self.data[20:24])


@dataclass
class Message:
    """A message. Only its `audience` sees it, if it has one."""

    id: int
    channel_id: int
    author_id: int
    created: float
    content: str = ""
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    flags: int = 0
    type: int = 0
    files: dict[int, File] = field(default_factory=dict)
    shown: set[int] = field(default_factory=set)
    """The files that its components show."""
    pings: set[int] = field(default_factory=set)
    role_pings: set[int] = field(default_factory=set)
    nonce: str | None = None
    edited: float | None = None
    audience: int | None = None
    interaction: Json | None = None
    edits: int = 0


@dataclass
class StrictChannel:
    """A channel, a thread or a DM. A `locked` channel takes no new thread, a locked thread no message."""

    id: int
    type: int
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    overwrites: list[Overwrite] = field(default_factory=list)
    recipients: tuple[int, ...] = ()
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    archives_after: int = 10080
    created: float = 0.0
    messages: dict[int, Message] = field(default_factory=dict)
    nonces: dict[tuple[int, str], tuple[float, int]] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        return self.type in THREADS

    @property
    def public(self) -> list[Message]:
        """Return the messages that everybody sees, oldest first."""
        return [
            self.messages[number] for number in sorted(self.messages) if not self.messages[number].audience
        ]


@dataclass
class StrictGuild:
    """A server. The bot may be in it or not."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    has_bot: bool = True
    system_channel_id: int | None = None
    thread_limit: int = 1000


@dataclass
class Emoji:
    """An emoji of the application."""

    id: int
    name: str


@dataclass
class Interaction:
    """A press, a command or a form, and how the bot has answered it."""

    id: int
    token: str
    type: int
    user_id: int
    channel_id: int
    guild_id: int | None
    created: float
    payload: Json
    message_id: int | None = None
    answer: int | None = None
    """The type of the first answer."""
    data: Json = field(default_factory=dict)
    """The content of a form, or of autocomplete's lines."""
    original_id: int | None = None
    messages: list[int] = field(default_factory=list)
    """The messages that its token may edit: the answer and those that followed it."""


Listener = Callable[[str, Json, int | None], None]


class StrictWorld:
    """All state of the strict Discord. `surprises` must be empty at the end of a test."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.pulse = Pulse()
        self.listeners: list[Listener] = []
        self.surprises: list[str] = []
        self._shift = 0.0
        self._numbers = count()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, StrictGuild] = {}
        self.channels: dict[int, StrictChannel] = {}
        self.interactions: dict[str, Interaction] = {}
        self.emojis: dict[int, Emoji] = {}
        self.commands: dict[int, Json] = {}
        self.commands_made: list[float] = []
        self.command_permissions: dict[int, list[Json]] = {}
        self.answer_within = 3.0
        self.edit_within = 900.0
        self.refuses_old_edits = False
        self._sessions_left = SESSION_STARTS
        self.sessions_reset_at = self.now() + SESSIONS_LAST
        self.bot = self.add_user("tangle", bot=True)
        self.application_id = self.bot.id
        self.operator = self.add_user("operator")

    # The clock and its numbers

    def now(self) -> float:
        return time.time() + self._shift

    def pass_time(self, seconds: float) -> None:
        """Let some seconds pass at once, without waiting."""
        self._shift += seconds
        self.pulse.beat()

    def snowflake(self) -> int:
        milliseconds = int(self.now() * 1000) - EPOCH
        return milliseconds << 22 | next(self._numbers) & 0x3FFFFF

    def stamp(self, seconds: float) -> str:
        return datetime.fromtimestamp(seconds, UTC).isoformat()

    # Session starts

    @property
    def sessions_left(self) -> int:
        if self.now() >= self.sessions_reset_at:
            self._sessions_left, self.sessions_reset_at = SESSION_STARTS, self.now() + SESSIONS_LAST
        return self._sessions_left

    def use_session(self) -> None:
        self._sessions_left -= 1

    def exhaust_sessions(self, seconds: float) -> None:
        """Refuse logins for that long."""
        self._sessions_left, self.sessions_reset_at = 0, self.now() + seconds

    # People, servers and places

    def add_user(self, name: str, *, bot: bool = False) -> User:
        user = User(self.snowflake(), name.lower(), name, bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, *, has_bot: bool = True) -> StrictGuild:
        """Add a server with an owner and the usual permissions."""
        owner = self.add_user(f"{name} owner")
        guild = StrictGuild(self.snowflake(), name, owner.id, has_bot=has_bot)
        guild.roles[guild.id] = Role(guild.id, "@everyone", EVERYONE)
        guild.members[owner.id] = []
        if has_bot:
            own = self.add_role(guild, "tangle", BOT)
            guild.members[self.bot.id] = [own.id]
        self.guilds[guild.id] = guild
        return guild

    def add_role(self, guild: StrictGuild, name: str, permissions: int = MANAGE_GUILD) -> Role:
        role = Role(self.snowflake(), name, permissions)
        guild.roles[role.id] = role
        return role

    def add_member(self, guild: StrictGuild, user: User, roles: tuple[Role, ...] = ()) -> None:
        guild.members[user.id] = [role.id for role in roles]

    def add_channel(self, guild: StrictGuild, name: str, kind: int = TEXT) -> StrictChannel:
        channel = StrictChannel(self.snowflake(), kind, name, guild.id, created=self.now())
        self.channels[channel.id] = channel
        return channel

    def add_thread(
        self, parent: StrictChannel, name: str, kind: int, owner: int, number: int = 0
    ) -> StrictChannel:
        thread = StrictChannel(
            number or self.snowflake(),
            kind,
            name,
            parent.guild_id,
            parent.id,
            owner_id=owner,
            created=self.now(),
        )
        self.channels[thread.id] = thread
        return thread

    def dm(self, user_id: int) -> StrictChannel:
        """Return the DM with a user; make it if there is none."""
        for channel in self.channels.values():
            if channel.type == DM and channel.recipients == (user_id,):
                return channel
        channel = StrictChannel(self.snowflake(), DM, recipients=(user_id,), created=self.now())
        self.channels[channel.id] = channel
        return channel

    # Finding

    def guild(self, guild_id: int) -> StrictGuild:
        """Return a server that the bot is in. Raises Refusal: 10004, or 50001 if it isn't in it."""
        result = self.guilds.get(guild_id)
        if result is None:
            raise unknown("Guild")
        if not result.has_bot:
            raise Refusal(403, 50001, "Missing Access")
        return result

    def channel(self, channel_id: int) -> StrictChannel:
        """Return a channel. Raises Refusal: 10003."""
        result = self.channels.get(channel_id)
        if result is None:
            raise unknown("Channel")
        return result

    def message(self, channel: StrictChannel, message_id: int, *, hidden: bool = False) -> Message:
        """Return a message, a private one only if `hidden`. Raises Refusal: 10008."""
        result = channel.messages.get(message_id)
        if result is None or (result.audience is not None and not hidden):
            raise unknown("Message")
        return result

    def threads(self, guild_id: int | None, *, archived: bool = False) -> list[StrictChannel]:
        return [
            one
            for one in self.channels.values()
            if one.is_thread and one.guild_id == guild_id and one.archived == archived
        ]

    def channels_of(self, guild_id: int) -> list[StrictChannel]:
        """Return the channels of a server without its threads."""
        return [one for one in self.channels.values() if one.guild_id == guild_id and not one.is_thread]

    def messages(self) -> Iterator[Message]:
        for channel in list(self.channels.values()):
            yield from channel.messages.values()

    # Telling

    def tell(self, event: str, data: Any, guild_id: int | None = None) -> None:
        """Send an event to the gateway sessions that should hear it."""
        for listener in self.listeners:
            listener(event, data, guild_id)
        self.pulse.beat()
