"""A table as the rest of the code sees it, and the two ways in which an action is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

import msgspec

from db.records import SeatRow, TableRow
from engines.game import Outcome, Seat, Strength, Thinking
from engines.registry import AnyGame, game
from tables.clocks.clock import Clock
from tables.clocks.pace import NONE, Pace
from tables.core.stored import read, stored

NO_SERVER = 0
"""In place of a server's number at a table that belongs to none."""
SUFFIX = " (computer)"
"""What a computer is called that plays on for somebody."""


class Refused(Exception):
    """A wish that a table's phase or a person's rights don't allow; its text says what to do instead."""


class Stale(Refused):
    """The wish was made from an older version of the table."""

    def __init__(self) -> None:
        super().__init__("The table has moved on since this was shown. Here is how it stands now.")


class PlayedAgain(Refused):
    """A rematch was asked for where there is one: at the table `again`."""

    def __init__(self, again: int) -> None:
        super().__init__(f"There is a rematch already: table {again}.")
        self.again = again


class Phase(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAY = "play"
    OVER = "over"
    CLOSED = "closed"
    EXPIRED = "expired"


OPEN = (Phase.LOBBY, Phase.PLAY)
EVER = tuple(Phase)


class WhenLate(StrEnum):
    """What happens to a seat that is late."""

    OTHERS = "others"
    COMPUTER = "computer"
    FORFEIT = "forfeit"


class Obstacle(StrEnum):
    """A reason why a board can't be shown until somebody in the server changes something."""

    THREADS_FULL = "threads full"
    LOCKED = "locked"
    NO_PERMISSION = "no permission"
    NO_CHANNEL = "no channel"


class Hints(StrEnum):
    """Whether the computer gives hints at a table: `USUAL` is always but in a rated game against others."""

    USUAL = "usual"
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Terms(msgspec.Struct, frozen=True):
    """How time is kept at a table, and whether it starts on its own when the last seat is taken.

    Only who is invited joins a `private` one. A `rated` one counts for the ratings, if all else allows it.
    `hints` says whether the computer gives some, `thinking` how long computer players think.
    """

    pace: Pace
    when_late: WhenLate = WhenLate.OTHERS
    starts_full: bool = False
    private: bool = False
    rated: bool = True
    hints: Hints = Hints.USUAL
    thinking: Thinking = Thinking.USUAL


class ProposalKind(StrEnum):
    """What the people at a table may agree on."""

    PAUSE = "pause"
    UNDO = "undo"
    END = "end"
    REPLACE = "replace"
    OFFER = "offer"
    GIVE = "give"
    TAKE = "take"


class Proposal(msgspec.Struct, frozen=True):
    """What somebody has proposed to the others: who has agreed, and until when they may.

    `seat` is the seat that it is about, where it is about one, and `owner` the person who has it. `to` is who
    is to have it, called `name`. `made_at` is the version that it was made at, which no other proposal has.
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
    """Who sits on one seat: a person by id, or a computer player by strength.

    A computer may keep the seat for a person, who may come back to it (`kept_for`). Who is a former player by
    now, and had the seat to the end, has left a number below zero there.
    """

    name: str
    user_id: int | None = None
    strength: Strength | None = None
    kept_for: int | None = None

    @property
    def computer(self) -> bool:
        """Whether a computer player holds the seat."""
        return self.strength is not None

    @property
    def nobody(self) -> bool:
        """Whether nobody here holds the seat: it waits for somebody, or who played it is only a name."""
        return self.user_id is None and self.strength is None

    @property
    def owner(self) -> int | None:
        """Who holds the seat, by user id or by the number of a former player; None for a computer."""
        return self.kept_for if self.nobody else self.user_id


class Laid(msgspec.Struct, frozen=True, tag="laid"):
    """Where a table comes from whose deal (JSON) was laid by hand; `names` are those of its seats."""

    deal: str
    names: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Laid(names={self.names})"


class Taught(Laid, frozen=True, tag="taught"):
    """Where a table comes from that is for learning: its deal was chosen so that much comes up early."""


class Imported(msgspec.Struct, frozen=True, tag="imported"):
    """Where a table comes from that was read from a file when its game was over.

    `by_hand`: its deal was laid by hand.
    """

    by_hand: bool = False


class Forked(msgspec.Struct, frozen=True, tag="forked"):
    """Where a table comes from that goes on from a turn of another table's game.

    `version` is that of the other table after the turn, `names` are those of its seats; `by_hand`: its
    deal was laid by hand.
    """

    table: int
    turn: int
    version: int
    names: tuple[str, ...]
    by_hand: bool = False


class OfTheDay(msgspec.Struct, frozen=True, tag="daily"):
    """Where a table comes from at which somebody plays the deal of a day (like ``2026-11-23``) alone.

    It belongs to no server, is shown nowhere but in its person's panel, and has no clock.
    """

    by_hand: ClassVar[bool] = False
    day: str


Origin = Laid | Taught | Imported | Forked | OfTheDay


class Table(msgspec.Struct, frozen=True):
    """One table at one version.

    It lives in its thread, or in its channel itself while `thread_id` is None or names the channel. `owing`
    are the seats that owe a move. `seed` and `salt` are secret until the game is over.

    `clocks` are those of the seats, in play. A paused table stands since `paused_at`, and goes on by itself
    at `paused_until`; of one that is `held` no player ends the pause. `due_at` is when time makes something
    happen next.

    While there is an `obstacle` its board can't be shown, and clocks stand.

    At an `ordered` table nobody draws seats: all play as they sit.

    `ticks` counts the changes that leave the version alone, as only time makes them.

    `origin` says where a table comes from that was not dealt here; None for all others. A game is rated
    only without one.
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
    ordered: bool = False
    clocks: tuple[Clock, ...] = ()
    paused_at: float | None = None
    paused_until: float | None = None
    held: bool = False
    proposal: Proposal | None = None
    due_at: float | None = None
    origin: Origin | None = None
    obstacle: Obstacle | None = None
    ticks: int = 0

    @property
    def game(self) -> AnyGame:
        """The rules that are played at this table."""
        return game(self.slug)

    @property
    def moment(self) -> int:
        """What a panel, and what is drafted in it, belongs to: it is stale as soon as this changes.

        The version; in a simultaneous game the beat, for the others' answers change nothing in it.
        """
        return self.beat if self.game.simultaneous else self.version

    @property
    def is_stopped(self) -> bool:
        """Return True while no clock runs: in a pause, and while the board can't be shown."""
        return self.paused_at is not None or self.obstacle is not None

    @property
    def has_thread(self) -> bool:
        """Return True if it lives in a thread, and not in its channel itself."""
        return self.thread_id not in (None, self.channel_id)

    @property
    def names(self) -> list[str]:
        """The players' names in seat order."""
        return [occupant.name for occupant in self.seats]

    @property
    def players(self) -> list[str]:
        """The names of all who play here, in seat order; those of a lobby's free seats are left out."""
        return [one.name for one in self.seats if self.deal is not None or not one.nobody]

    @property
    def arranged(self) -> tuple[str, ...]:
        """The names of the seats, where deal, options and seats were settled when the lobby was opened.

        Its free seats are in `seats` too, each waiting for somebody to choose it.
        """
        return self.origin.names if isinstance(self.origin, Laid | Forked) else ()

    @property
    def learning(self) -> bool:
        """Whether it is for learning: first-time notes are told again, and every step may be taken back."""
        return isinstance(self.origin, Taught)

    @property
    def is_alone(self) -> bool:
        """Return True if it belongs to no server: it is shown to its one person, and has no clock."""
        return self.guild_id == NO_SERVER

    @property
    def day(self) -> str | None:
        """The day whose deal is played here by somebody alone; None at all other tables."""
        return self.origin.day if isinstance(self.origin, OfTheDay) else None

    @property
    def by_hand(self) -> bool:
        """Whether the deal was laid by hand."""
        return isinstance(self.origin, Laid) or (self.origin is not None and self.origin.by_hand)

    @property
    def room(self) -> int:
        """How many may sit here."""
        return len(self.arranged) or max(self.game.seats_for(self.options))

    @property
    def taken(self) -> int:
        """How many seats somebody has taken."""
        return sum(not occupant.nobody for occupant in self.seats)

    @property
    def people(self) -> list[int]:
        """The user ids of the people at the table, in seat order."""
        return [occupant.user_id for occupant in self.seats if occupant.user_id is not None]

    @property
    def computers_owing(self) -> list[Seat]:
        """The seats that owe a move which a computer makes: its own, and those it makes a late turn for."""
        if self.paused_at is not None:
            return []
        return [seat for seat in self.owing if self.seats[seat].computer or self.clock(seat).deputy]

    @property
    def awaited(self) -> list[Seat]:
        """The seats of people who owe a move."""
        if self.phase is not Phase.PLAY:
            return []
        return [seat for seat in self.owing if not self.seats[seat].computer]

    @property
    def terms(self) -> Terms:
        """How time is kept here."""
        return Terms(*(getattr(self, name) for name in Terms.__struct_fields__))

    def clock(self, seat: Seat) -> Clock:
        """The clock of a seat; before the game, a full one."""
        return self.clocks[seat] if seat < len(self.clocks) else Clock(self.pace.bank)

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat of a person, or None for somebody who doesn't play here."""
        for seat, occupant in enumerate(self.seats):
            if occupant.user_id == user_id:
                return seat
        return None

    def __repr__(self) -> str:
        return f"Table(id={self.id}, slug={self.slug!r}, phase={self.phase.value!r}, version={self.version})"


def from_rows(row: TableRow, seats: list[SeatRow]) -> Table:
    """The table of a database row and its seats' rows."""
    options = msgspec.json.decode(row.options, type=game(row.game).Options)
    occupants = tuple(read(Occupant, seat) for seat in seats)
    return read(Table, row, slug=row.game, options=options, seats=occupants)


APART = ("id", "slug", "version", "origin", "thread_id", "seats", "clocks", "due_at", "obstacle", "ticks")


def columns(table: Table) -> dict[str, Any]:
    """The values of a table's database row, but for its number, version, origin and thread.

    Its origin never changes. The thread is written apart, by the one who makes it, and must not be undone
    by a move that was under way.
    """
    return {
        "game": table.slug,
        "computer_due": table.phase is Phase.PLAY and bool(table.computers_owing),
        **stored(table, *APART),
        **timed_columns(table),
    }


def timed_columns(table: Table) -> dict[str, Any]:
    """The values of a table's row that change though its history doesn't."""
    return {
        "clocks": encode(table.clocks),
        "due_at": table.due_at,
        "obstacle": table.obstacle,
        "ticks": table.ticks,
    }


def seat_rows(table: Table) -> tuple[SeatRow, ...]:
    """The rows of a table's seats."""
    return tuple(
        SeatRow(seat, occupant.user_id, occupant.name, occupant.strength, occupant.kept_for)
        for seat, occupant in enumerate(table.seats)
    )


def encode(value: Any) -> str:
    """JSON text of any of our values."""
    return msgspec.json.encode(value).decode()
