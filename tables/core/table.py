"""A table as the rest of the code sees it, and the two ways to refuse an action."""

from collections.abc import Callable
from enum import Enum, StrEnum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeVar, Union, get_args, get_origin

import msgspec

from db.access import NO_SERVER as NO_SERVER
from db.records import SeatRow, TableRow
from engines.analysis.ahead import Promise
from engines.game import Discreet, Outcome, Seat, Strength, Thinking
from engines.registry import AnyGame, game
from tables.clocks.clock import Clock
from tables.clocks.pace import NONE, Pace, ends, read_pace

T = TypeVar("T", bound=msgspec.Struct)
Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]
UNCONVERTED_TYPES = (bool, int, float, str)


def read(kind: type[T], row: msgspec.Struct, **others: Any) -> T:
    """Build a value from a row with the same field names. `others` are given apart."""
    values = dict(others)
    for name, codec in _codecs(kind).items():
        if name not in others:
            value = getattr(row, name)
            values[name] = value if codec is None or value is None else codec[0](value)
    return kind(**values)


def to_row_values(value: msgspec.Struct, *but: str) -> dict[str, Any]:
    """Return a value's fields as row values, except those in `but`."""
    values: dict[str, Any] = {}
    for name, codec in _codecs(type(value)).items():
        if name not in but:
            field = getattr(value, name)
            values[name] = field if codec is None or field is None else codec[1](field)
    return values


@cache
def _codecs(kind: type[msgspec.Struct]) -> dict[str, Codec | None]:
    """Return the conversion of each field. None if it is stored as it is."""
    return {field.name: _codec(field.type) for field in msgspec.structs.fields(kind)}


def _codec(kind: Any) -> Codec | None:
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    one, *others = (each for each in kinds if each is not NoneType)
    if others:
        return msgspec.json.Decoder(kind).decode, encode
    if one in UNCONVERTED_TYPES:
        return None
    if one is Pace:
        return read_pace, attrgetter("name")
    if one is bytes:
        return bytes.fromhex, bytes.hex
    if isinstance(one, type) and issubclass(one, Enum):
        return one, attrgetter("value")
    return msgspec.json.Decoder(one).decode, encode


def encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


SUFFIX = " (computer)"
"""The end of the name of a computer that plays on for somebody."""


class Refused(Exception):
    """Raised for a wish that isn't allowed; its text says what to do instead."""


class Stale(Refused):
    """Raised for a wish based on an older version of the table."""

    def __init__(self) -> None:
        super().__init__("The table has changed. Here's the latest.")


class NoTable(Refused):
    """Raised if there is no such table, or no longer."""

    def __init__(self, number: int) -> None:
        super().__init__(f"There's no table {number}. `/table list` shows all tables.")
        self.number = number


class UnreadableTable(Refused):
    """Raised for a table with a damaged row."""

    def __init__(self) -> None:
        super().__init__("I can't read this table. I've told the people who run this bot.")


class RematchExists(Refused):
    """Raised if a rematch exists already, at the table `again`."""

    def __init__(self, again: int) -> None:
        super().__init__(f"There's already a rematch: table {again}.")
        self.again = again


class Phase(StrEnum):
    """The phases of a table's life."""

    LOBBY = "lobby"
    PLAY = "play"
    OVER = "over"
    CLOSED = "closed"
    EXPIRED = "expired"


OPEN = (Phase.LOBBY, Phase.PLAY)
EVER = tuple(Phase)


class WhenLate(StrEnum):
    """What happens to a late seat."""

    OTHERS = "others"
    COMPUTER = "computer"
    FORFEIT = "forfeit"


class BoardObstacle(StrEnum):
    """Reasons that keep a board from being posted until somebody in the server acts."""

    THREADS_FULL = "threads full"
    LOCKED = "locked"
    NO_PERMISSION = "no permission"
    NO_CHANNEL = "no channel"
    REFUSED = "refused"


class Hints(StrEnum):
    """When the computer gives hints: `USUAL` is always, except in a rated game against others."""

    USUAL = "usual"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Terms(msgspec.Struct, frozen=True):
    """A table's terms: time, privacy, rating, and starting once the last seat is taken.

    Only invited people join a `private` one. A `rated` one counts for the ratings, if everything else allows
    it. `hints` says if the computer gives some, `thinking` how long computer players think. People who join
    have finished `finishers` percent of their games with others, if they have played enough to tell.
    """

    pace: Pace
    when_late: WhenLate = WhenLate.OTHERS
    starts_full: bool = False
    private: bool = False
    rated: bool = True
    hints: Hints = Hints.USUAL
    thinking: Thinking = Thinking.USUAL
    finishers: int = 0


class ProposalKind(StrEnum):
    """What the people at a table can agree on."""

    PAUSE = "pause"
    UNDO = "undo"
    END = "end"
    REPLACE = "replace"
    OFFER = "offer"
    GIVE = "give"
    TAKE = "take"


class Proposal(msgspec.Struct, frozen=True):
    """A proposal to the others: who has agreed, and its end.

    `seat` is the seat that it is about, if any, and `owner` its person. `to` is the newcomer, called `name`.
    `made_at` is the version of the proposal, unique to it.
    """

    kind: ProposalKind = msgspec.field(name="matter")
    agreed: tuple[int, ...]
    until: float
    seat: Seat | None = None
    to: int | None = None
    name: str = ""
    owner: int | None = None
    made_at: int = 0


class Occupant(msgspec.Struct, frozen=True):
    """The occupant of a seat: a person by id, or a computer player by strength.

    A computer can keep the seat for a person, who can come back to it (`kept_for`). A former player who had
    the seat to the end has left a negative number there.
    """

    name: str
    user_id: int | None = None
    strength: Strength | None = None
    kept_for: int | None = None

    @property
    def computer(self) -> bool:
        return self.strength is not None

    @property
    def nobody(self) -> bool:
        """Return True if nobody here has the seat. It is free, or its player is only a name."""
        return self.user_id is None and self.strength is None

    @property
    def owner(self) -> int | None:
        """Return the occupant by user id or a former player's number. None if a computer plays."""
        return self.kept_for if self.nobody else self.user_id


class CustomDeal(Discreet, frozen=True, tag="laid"):
    """The origin of a table with a hand-made deal (JSON); `names` are those of its seats."""

    deal: str
    names: tuple[str, ...]


class LessonDeal(CustomDeal, frozen=True, tag="taught"):
    """The origin of a table for learning: its deal brings much up early."""


class Imported(msgspec.Struct, frozen=True, tag="imported"):
    """The origin of a table imported from the file of a finished game. `by_hand`: its deal was hand-made."""

    by_hand: bool = False


class Forked(msgspec.Struct, frozen=True, tag="forked"):
    """The origin of a table that goes on from a turn of another table's game.

    `version` is the other table's after the turn, `names` are those of its seats; `by_hand`: its deal was
    hand-made.
    """

    table: int
    turn: int
    version: int
    names: tuple[str, ...]
    by_hand: bool = False


class DailyDeal(msgspec.Struct, frozen=True, tag="daily"):
    """The origin of a table for the deal of a day (like ``2026-11-23``), played alone.

    It belongs to no server, appears only in its person's panel, and has no clock.
    """

    by_hand: ClassVar[bool] = False
    day: str


class StudyKind(StrEnum):
    """The things that a person tries alone: one turn again, playing on from it, or a puzzle."""

    TURN = "turn"
    SANDBOX = "sandbox"
    PUZZLE = "puzzle"


class Study(msgspec.Struct, frozen=True, tag="study"):
    """The origin of a private table that begins at a turn of another table's game.

    It is as one `seat` knew it: what was hidden is drawn anew. `beat` is that of its first position. Like a
    deal of the day, it belongs to no server and has no clock. A `puzzle` has no other table; else `version`
    is that table's, of the position.
    """

    by_hand: ClassVar[bool] = False
    kind: StudyKind
    table: int
    turn: int
    seat: Seat
    beat: int
    puzzle: str = ""
    version: int = 0


Origin = CustomDeal | LessonDeal | Imported | Forked | DailyDeal | Study


class Plan(Discreet, frozen=True, omit_defaults=True):
    """A turn that a person plans before it comes; nobody else sees it.

    Attributes:
        choices: the moves as JSON, a list of them for each choice.
        promises: what each choice was shown to do.
        made_at: the table's version when the last choice was made.
        is_sent: it is played when the turn comes, if it keeps its promises.
        is_missed: the turn came, and it didn't keep them.
    """

    seat: Seat
    user_id: int
    choices: str
    promises: tuple[Promise, ...]
    made_at: int
    is_sent: bool = False
    is_missed: bool = False


class StandingAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answers for a person every time that a game asks the same thing.

    It `is_off` from an undo until its seat has moved. A secret one waits until `at`, or it would be known.
    """

    seat: Seat
    user_id: int
    answer: str
    is_off: bool = False
    at: float = 0.0


class Table(Discreet, frozen=True):
    """One table at one version.

    It has a thread, or is in its channel itself while `thread_id` is None or names the channel. `owing` are
    the seats that owe a move. `seed` and `salt` are secret until the game is over.

    `clocks` are those of the seats, in play. A paused table is stopped since `paused_at`, and goes on by
    itself at `paused_until`; no player ends the pause of one that is `held`. `due_at` is the next instant at
    which time changes something.

    While there is an `obstacle` its board can't be posted, and clocks are stopped. `refusal` is the code
    with which Discord refuses it: below 1,000, the status of an answer without one.

    At an `ordered` table nobody draws seats: all play as they sit.

    `ticks` counts the changes that keep the version, as time and plans make them.

    `origin` is the source of a table that wasn't dealt here; None if it was dealt here. A game is rated only
    without one.
    """

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    slug: str
    options: Any
    phase: Phase
    host_id: int
    version: int
    beat: int
    owing: tuple[Seat, ...]
    seed: bytes
    salt: bytes
    deal: str | None
    outcome: Outcome | None
    seats: tuple[Occupant, ...]
    created_at: float
    touched_at: float
    pace: Pace = NONE
    when_late: WhenLate = WhenLate.OTHERS
    starts_full: bool = False
    private: bool = False
    rated: bool = True
    hints: Hints = Hints.USUAL
    thinking: Thinking = Thinking.USUAL
    finishers: int = 0
    ordered: bool = False
    clocks: tuple[Clock, ...] = ()
    paused_at: float | None = None
    paused_until: float | None = None
    held: bool = False
    proposal: Proposal | None = None
    due_at: float | None = None
    origin: Origin | None = None
    obstacle: BoardObstacle | None = None
    refusal: int = 0
    ticks: int = 0
    plans: tuple[Plan, ...] = ()
    standing: tuple[StandingAnswer, ...] = ()

    @property
    def game(self) -> AnyGame:
        return game(self.slug)

    @property
    def moment(self) -> int:
        """Return the moment of a panel and its draft, which are stale once it changes.

        It is the version; in a simultaneous game the beat, since others' answers change nothing. Who plays
        several sides answers for one after the other.
        """
        alone = len(set(self.people)) == len(self.people)
        return self.beat if self.game.simultaneous and alone else self.version

    @property
    def is_stopped(self) -> bool:
        """Return True while no clock runs: paused, or without a board."""
        return self.paused_at is not None or self.obstacle is not None

    @property
    def has_thread(self) -> bool:
        return self.thread_id not in (None, self.channel_id)

    @property
    def names(self) -> list[str]:
        return [occupant.name for occupant in self.seats]

    @property
    def players(self) -> list[str]:
        """Return the players' names in seat order, without free seats."""
        return [one.name for one in self.seats if self.deal is not None or not one.nobody]

    @property
    def arranged(self) -> tuple[str, ...]:
        """Return the names of seats settled when the lobby opened.

        Its free seats are in `seats` too, each waiting for somebody to choose it.
        """
        return self.origin.names if isinstance(self.origin, CustomDeal | Forked) else ()

    @property
    def learning(self) -> bool:
        """Return True for a lesson. First-time notes come again, and every step can be undone."""
        return isinstance(self.origin, LessonDeal)

    @property
    def study(self) -> Study | None:
        return self.origin if isinstance(self.origin, Study) else None

    @property
    def suggests(self) -> bool:
        """Return True if panels put good choices first. They do everywhere but in puzzles."""
        return self.study is None or self.study.kind is not StudyKind.PUZZLE

    @property
    def undoes_everything(self) -> bool:
        """Return True if every step can be undone, whatever it revealed."""
        return self.learning or self.study is not None

    @property
    def is_alone(self) -> bool:
        """Return True if it belongs to no server. Only its one person sees it, without a clock."""
        return self.guild_id == NO_SERVER

    @property
    def day(self) -> str | None:
        return self.origin.day if isinstance(self.origin, DailyDeal) else None

    def is_secret(self, now: float) -> bool:
        """Return True if others still play the same deal of the day."""
        return self.day is not None and now < ends(self.day)

    @property
    def by_hand(self) -> bool:
        return isinstance(self.origin, CustomDeal) or (self.origin is not None and self.origin.by_hand)

    @property
    def room(self) -> int:
        """Return the number of seats."""
        return len(self.arranged) or max(self.game.seats_for(self.options))

    @property
    def taken(self) -> int:
        return sum(not occupant.nobody for occupant in self.seats)

    @property
    def people(self) -> list[int]:
        """Return the people's user ids in seat order."""
        return [occupant.user_id for occupant in self.seats if occupant.user_id is not None]

    @property
    def computers_owing(self) -> list[Seat]:
        """Return the seats for which a computer owes a move. Its own, and late ones."""
        if self.paused_at is not None:
            return []
        return [
            seat
            for seat in self.owing
            if (self.seats[seat].computer and not self.clock(seat).offered) or self.clock(seat).deputy
        ]

    @property
    def offered_seats(self) -> list[Seat]:
        return [seat for seat, one in enumerate(self.seats) if one.computer and self.clock(seat).offered]

    @property
    def awaited(self) -> list[Seat]:
        if self.phase is not Phase.PLAY:
            return []
        return [seat for seat in self.owing if not self.seats[seat].computer]

    @property
    def terms(self) -> Terms:
        return Terms(*(getattr(self, name) for name in Terms.__struct_fields__))

    def clock(self, seat: Seat) -> Clock:
        """Return a seat's clock; a full one before the game."""
        return self.clocks[seat] if seat < len(self.clocks) else Clock(self.pace.bank)

    def plan_of(self, seat: Seat | None) -> Plan | None:
        return next((plan for plan in self.plans if plan.seat == seat), None)

    def seat_of(self, user_id: int) -> Seat | None:
        """Return a person's seat; None if they don't play.

        Who plays all sides has the seat that is to move.
        """
        own = [seat for seat, occupant in enumerate(self.seats) if occupant.user_id == user_id]
        return next((seat for seat in own if seat in self.owing), own[0] if own else None)

    def __repr__(self) -> str:
        return f"Table(id={self.id}, slug={self.slug!r}, phase={self.phase.value!r}, version={self.version})"


def from_rows(row: TableRow, seats: list[SeatRow]) -> Table:
    """Build a table of its rows. Whatever it raises, they are damaged."""
    options = msgspec.json.decode(row.options, type=game(row.game).Options)
    occupants = tuple(read(Occupant, seat) for seat in seats)
    obstacle, refusal = read_obstacle(row.obstacle)
    table = read(
        Table, row, slug=row.game, options=options, seats=occupants, obstacle=obstacle, refusal=refusal
    )
    planned, standing = (one.seat for one in table.plans), (one.seat for one in table.standing)
    seated = (*planned, *standing, *table.owing)
    if any(not 0 <= seat < len(occupants) for seat in seated):
        raise ValueError("somebody has a seat that isn't there")
    return table


SHORT_OBSTACLES = {BoardObstacle.THREADS_FULL: "full", BoardObstacle.NO_PERMISSION: "forbidden"}
"""Obstacles whose names leave no room in their column for a code."""


def read_obstacle(text: str | None) -> tuple[BoardObstacle | None, int]:
    """Read an obstacle with its code; full threads have none.

    >>> [(str(obstacle), code) for obstacle, code in map(read_obstacle, ("forbidden 50013", "threads full"))]
    [('no permission', 50013), ('threads full', 0)]
    """
    if text is None:
        return None, 0
    name, _, code = text.rpartition(" ")
    if not code.isdigit():
        return BoardObstacle(text), 0
    full_names = {short: obstacle for obstacle, short in SHORT_OBSTACLES.items()}
    return full_names.get(name) or BoardObstacle(name), int(code)


def write_obstacle(table: Table) -> str | None:
    """Return a table's obstacle with its code, as its row saves it."""
    if table.obstacle is None or not table.refusal:
        return table.obstacle
    return f"{SHORT_OBSTACLES.get(table.obstacle, table.obstacle)} {table.refusal}"


OTHER_FIELDS = (
    "id",
    "slug",
    "version",
    "origin",
    "thread_id",
    "seats",
    "clocks",
    "due_at",
    "obstacle",
    "refusal",
    "ticks",
    "plans",
    "standing",
)


def columns(table: Table) -> dict[str, Any]:
    """Return a row's values without number, version, origin and thread.

    The origin never changes. Whoever makes the thread writes it separately, so that a running move can't
    undo it.
    """
    return {"game": table.slug, **to_row_values(table, *OTHER_FIELDS), **time_columns(table)}


def time_columns(table: Table) -> dict[str, Any]:
    """Return the row values that change without the history."""
    return {
        "computer_due": table.phase is Phase.PLAY and bool(table.computers_owing),
        "clocks": encode(table.clocks),
        "due_at": table.due_at,
        "obstacle": write_obstacle(table),
        "ticks": table.ticks,
        "plans": encode(table.plans),
        "standing": encode(table.standing),
    }


def seat_rows(table: Table) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(seat, occupant.user_id, occupant.name, occupant.strength, occupant.kept_for)
        for seat, occupant in enumerate(table.seats)
    )
