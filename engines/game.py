"""The contract that every game keeps.

A game is a value with methods and no state of its own: a position is a `State`, a decision is a
`Move`, a line of what happened is an `Event`, and what one viewer may know is a `View`. All of them
are `msgspec.Struct`s, so they encode to JSON and MessagePack alike.

See docs/adding-a-game.md for how a game is written against this contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from engines.names import quote

Seat = int
"""A player's place at a table: 0, 1, ... in turn order."""


NOT_YOUR_TURN = "It isn't your turn."
"""How every game refuses who could move at another time; callers that know names add whose turn it is."""


class IllegalMove(Exception):
    """A move that the rules refuse; its text is a sentence for the player.

    The state that was passed in is exactly as it was.
    """


def clipped(typed: str, most: int = 12) -> str:
    """What somebody typed as a refusal repeats it: the beginning of it, where it is long.

    >>> clipped("C4"), clipped("C4" * 1000)
    ('C4', 'C4C4C4C4C4C…')
    """
    return typed if len(typed) <= most else typed[: most - 1] + "…"


def repeat(typed: str, most: int = 12) -> str:
    """Quote what somebody typed, in a sentence that refuses it."""
    return quote(clipped(typed, most), "")


class IllegalSetup(Exception):
    """Seats or options that do not go together; its text is a sentence for the player."""


class IllegalDeal(Exception):
    """A deal arranged by hand that does not fit the game; its text says what is wrong with it."""


class Strength(StrEnum):
    """How well a computer player plays."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"

    @classmethod
    def _missing_(cls, value: object) -> Strength | None:
        """What was called weak when there were two of them is kept under that name.

        >>> Strength("weak")
        <Strength.MEDIUM: 'medium'>
        """
        return cls.MEDIUM if value == "weak" else None


class Thinking(StrEnum):
    """How long computer players think that look ahead: `QUICK` is about a quarter of what is usual."""

    USUAL = "usual"
    QUICK = "quick"


class Advice(msgspec.Struct, frozen=True):
    """A choice that the strong computer thinks good for a seat: the `moves` that carry it out, in order.

    `leads_to` is what the computer expects to follow from it, in a struct of the game's own, where a preview
    from the view doesn't tell it all.
    """

    moves: tuple[Any, ...]
    leads_to: Any = None


ADVISED = 3
"""The most choices that are advised at once."""


class Prompt(msgspec.Struct, frozen=True):
    """What one seat owes now. `kind` names the decision, for example ``flip``."""

    kind: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One line of what happened. Each game's events are a tagged union of subclasses.

    `reveals` marks the line that undo may not cross: somebody has seen something new, or the seat
    has committed itself. `only` is the one seat that may read the line; None means everybody.
    """

    reveals: bool = False
    only: Seat | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended.

    `how` is the game's own word for the ending. `places` has one entry a seat: 1 for the best, ties
    share the better place, None for a seat that is not placed (a team that lost). `scores` has one
    entry a seat where the game keeps score, else it is None. `won` is set by games that a team wins
    or loses as one, else it is None.
    """

    how: str
    places: tuple[int | None, ...]
    scores: tuple[int, ...] | None = None
    won: bool | None = None


StateT = TypeVar("StateT", bound=msgspec.Struct)
MoveT = TypeVar("MoveT", bound=msgspec.Struct)
EventT = TypeVar("EventT", bound=Event)
ViewT = TypeVar("ViewT", bound=msgspec.Struct)
DealT = TypeVar("DealT", bound=msgspec.Struct)
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


class Game(ABC, Generic[StateT, MoveT, EventT, ViewT, DealT, OptionsT]):
    """The rules of one game.

    Class attributes: `slug` (the folder and command name), `title`, `seats` (the seat counts that
    some option allows), and the types used to encode and decode (`State`, `Move`, `Event`, `View`,
    `Deal`, `Options`; `Move` and `Event` are unions of tagged structs). `simultaneous` says that all seats
    answer at once and may change their answers until the beat ends: what one does leaves the panels of the
    others as they are. `draws_seats` says that seats are numbered in turn order and drawn when the game
    starts, for a game whose deal draws no first player. `most_steps` are so many as a game that is read
    from a file may have. `play` is called on the event loop, and takes a few milliseconds at most.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    simultaneous: ClassVar[bool] = False
    draws_seats: ClassVar[bool] = False
    most_steps: ClassVar[int] = 2000
    State: ClassVar[type[msgspec.Struct]]
    Move: ClassVar[Any]
    Event: ClassVar[Any]
    View: ClassVar[type[msgspec.Struct]]
    Deal: ClassVar[type[msgspec.Struct]]
    Options: ClassVar[type[msgspec.Struct]]

    @abstractmethod
    def seats_for(self, options: OptionsT) -> range:
        """The numbers of seats that a table with these options may be started with."""

    def settle(self, seats: int, options: OptionsT) -> OptionsT:
        """The options as they are played with that many seats; what can't matter is set to its default.

        Raises:
            IllegalSetup: when the game can't be played so.
        """
        allowed = self.seats_for(options)
        if seats not in allowed:
            wanted = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            raise IllegalSetup(f"{self.title} with these options needs {wanted} players, not {seats}.")
        return options

    @abstractmethod
    def deal(self, seats: int, options: OptionsT, seed: bytes) -> DealT:
        """Every random outcome of the set-up, drawn from the seed, as plain data."""

    @abstractmethod
    def begin(self, seats: int, options: OptionsT, deal: DealT, seed: bytes) -> StateT:
        """The first state: nothing in it is random but what `deal` holds; later draws come from the seed.

        Raises:
            IllegalSetup: when seats and options do not go together.
            IllegalDeal: when the deal is not one that could be dealt.
        """

    @abstractmethod
    def prompts(self, state: StateT) -> Mapping[Seat, Prompt]:
        """Who owes a decision now, in seat order; empty when the game is over."""

    @abstractmethod
    def moves(self, state: StateT, seat: Seat) -> Iterator[MoveT]:
        """Every legal move of that seat now, each once, in a stable order.

        None when it owes nothing, except that in a simultaneous game a seat that has answered may list
        its answers until the beat ends.
        """

    @abstractmethod
    def play(self, state: StateT, seat: Seat, move: MoveT) -> list[EventT]:
        """Check the move, then carry it out on the state.

        Raises:
            IllegalMove: with a sentence for the player; the state is as it was.
        """

    @abstractmethod
    def resign(self, state: StateT, seat: Seat) -> list[EventT]:
        """Take a seat out of the game at its own wish; open at any time, to any remaining seat.

        Raises:
            IllegalMove: when the seat is out already or the game is over.
        """

    @abstractmethod
    def view(self, state: StateT, viewer: Seat | None, *, reveals: bool = True) -> ViewT:
        """Return what that seat, or with None a spectator, may know.

        When the game is over it shows everything, unless it `reveals` nothing because others play the same
        deal.
        """

    def since(self, view: ViewT, before: ViewT) -> ViewT:
        """The view with all of the board marked that an earlier view of the same viewer shows otherwise.

        Pictures mark it as they mark what the last turn has changed. A game whose pictures mark nothing
        leaves the view as it is.
        """
        return view

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on, or when it was called off before it began."""

    @abstractmethod
    def beat(self, state: StateT) -> int:
        """A counter that grows whenever the table should get a fresh post: a turn, a round, a card."""

    def forced(self, state: StateT, seat: Seat) -> MoveT | None:
        """The one move that is made for the seat without asking, or None when it has something to decide."""
        return None

    def unasked(self, state: StateT, seat: Seat) -> MoveT | None:
        """One of several legal moves that is made for the seat because the options of the table say so."""
        return None

    def ends_turn(self, view: ViewT, seat: Seat, moves: Sequence[MoveT]) -> bool:
        """Whether these legal moves of a seat end its turn, one after the other, as far as its view tells.

        Buttons say so before they are pressed. False where nothing is known of it.
        """
        return False

    def copied(self, state: StateT) -> StateT | None:
        """Another state to play on, where that is made faster than by decoding; None where it isn't.

        What is played on one of the two never shows in the other.
        """
        return None

    def tally(self, view: ViewT, end: ViewT) -> tuple[int | None, ...] | None:
        """What is charted over the turns of a finished game, as it stood in one view of a spectator's.

        One number a seat, None for a seat that is out; or a single one for a team. None for a game without
        anything to chart. `end` is the last view, in which all lies open.
        """
        return None

    def hand(self, state: StateT, seat: Seat) -> bytes | None:
        """Something that changes when the secret hand that this seat is sent by DM does; None without one."""
        return None

    @abstractmethod
    def choose(
        self,
        view: ViewT,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> MoveT:
        """The computer player: a legal move for a seat that owes one, from its own view alone.

        `thinking` matters to players alone that look ahead.
        """

    def advice(self, view: ViewT, seat: Seat, rng: Random) -> list[Advice]:
        """The choices that the strong computer thinks best for a seat, from its own view alone, best first.

        At most `ADVISED`, none twice. None for a seat that
        has nothing to decide. Without more, what `choose` chooses.
        """
        return [Advice((self.choose(view, seat, rng, Strength.STRONG),))]

    def estimate(self, view: ViewT, seat: Seat) -> float | None:
        """How well a seat stands as the strong computer sees it, in the game's own unit, from its own view.

        The higher the better, and open to comparison with what the views of other seats say; for a game that
        all win or lose as one it is about the team. None where the computer has nothing to say.
        """
        return None

    def together(self, options: OptionsT) -> bool:
        """Whether all seats win or lose as one."""
        return False

    @abstractmethod
    def imagine(self, view: ViewT, luck: Random) -> StateT:
        """A state that a seat in the game can't rule out: what its view hides is drawn as it may be dealt.

        With it a computer player can look ahead, and knows no more than a person in its place. What was open
        once and stands in no view, as how often a position has come up, is as if it hadn't been.

        Raises:
            ValueError: for the view of a spectator.
        """

    @abstractmethod
    def redeal(self, state: StateT, viewer: Seat | None, rng: Random, *, reveals: bool = True) -> StateT:
        """Return a state that the viewer can't tell from this one: what it may not know is redrawn.

        `reveals` is as in `view`. Used by tests to prove that views and pictures hide by construction.
        """

    @abstractmethod
    def text(self, view: ViewT) -> str:
        """The position in plain text, for tests, logs and fixtures; never shown with hidden information."""
