"""The contract that every game keeps, with the draws and the changes that all of them use.

A game is a value with methods and no state of its own: a position is a `State`, a decision is a
`Move`, a line of what happened is an `Event`, and what one viewer may know is a `View`. All of them
are `msgspec.Struct`s, so they encode to JSON and MessagePack alike.

See docs/adding-a-game.md for how a game is written against this contract.

Games find the changes of a board from views alone, in `Game.since`; pictures and words show them.

The standard library promises the same `random()` on every version but not the same `shuffle`; a table's deal
must be checkable years later, so draws are derived from SHA-256.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from hashlib import sha256
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Generic, TypeVar, cast, get_origin

import msgspec

from engines.marks import quote

Seat = int
"""A player's place at a table: 0, 1, ... in turn order."""


NOT_YOUR_TURN = "It isn't your turn."
GAME_OVER = "The game is over."
HAS_LEFT = "You're no longer in this game."
"""The refusal of a move out of turn; callers that know names add whose turn it is."""


class Discreet(msgspec.Struct, frozen=True):
    """Shows flags, kinds, seats and other discreet values in its `repr`: all else can be secret.

    >>> held = [("seat", int), ("cards", str), ("is_open", bool)]
    >>> msgspec.defstruct("Held", held, bases=(Discreet,), frozen=True)(1, "XY", False)
    Held(seat=1, is_open=False)
    """

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in self.__struct_fields__)
        shown = (
            f"{name}={value!r}"
            for name, value in values
            if name == "seat" or isinstance(value, bool | StrEnum | Discreet)
        )
        return f"{type(self).__name__}({', '.join(shown)})"


class IllegalMove(Exception):
    """A move that the rules refuse; its text is a sentence for the player.

    The state that was passed in is exactly as it was.
    """


def clip(typed: str, most: int = 12) -> str:
    """Shorten a line, with a mark where it was cut.

    >>> clip("C4"), clip("C4" * 1000)
    ('C4', 'C4C4C4C4C4C…')
    """
    return typed if len(typed) <= most else typed[: most - 1] + "…"


def repeat(typed: str, most: int = 12) -> str:
    """Quote typed text, shortened, for a refusal."""
    return quote(clip(typed, most), "")


class IllegalSetup(Exception):
    """Seats or options that don't go together; its text is a sentence for the player."""


class IllegalDeal(Exception):
    """A hand-arranged deal that doesn't fit the game; its text says why."""


class Strength(StrEnum):
    """The strength of a computer player."""

    EASY = "easy"
    CASUAL = "casual"
    MEDIUM = "medium"
    STRONG = "strong"


class Thinking(StrEnum):
    """Says how long computers look ahead. `QUICK` takes at most half the usual time."""

    USUAL = "usual"
    QUICK = "quick"


class Advice(msgspec.Struct, frozen=True):
    """A choice that the strong computer recommends: the `moves` that carry it out, in order.

    `leads_to` is the consequence that the computer expects, in a struct of the game's own, if a preview from
    the view doesn't tell it all.
    """

    moves: tuple[Any, ...]
    leads_to: Any = None


ADVISED = 3


class Prompt(msgspec.Struct, frozen=True):
    """The decision that a seat owes. `kind` names it, for example ``flip``."""

    kind: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the game's history. Each game's events are a tagged union of subclasses.

    `reveals` marks the line that undo may not cross: somebody has seen something new, or the seat has
    committed itself. `only` is the one seat that may read the line; None means everybody. `is_sure` marks
    a kind that reveals something only by the lines after it: a number of cards, and then the cards.
    """

    is_sure: ClassVar[bool] = False
    reveals: bool = False
    only: Seat | None = None


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game.

    `how` is the game's own word for the ending. `places` has one entry a seat: 1 for the best, ties share
    the better place, None if a seat has no place (a team that lost). `scores` has one entry a seat if
    the game keeps score, else it is None. `won` is set by games that a team wins or loses as one, else it is
    None.
    """

    how: str
    places: tuple[int | None, ...]
    scores: tuple[int, ...] | None = None
    won: bool | None = None

    @property
    def winners(self) -> list[Seat]:
        return [seat for seat, place in enumerate(self.places) if place == 1]


StateT = TypeVar("StateT", bound=msgspec.Struct)
MoveT = TypeVar("MoveT", bound=msgspec.Struct)
EventT = TypeVar("EventT", bound=Event)
ViewT = TypeVar("ViewT", bound=msgspec.Struct)
DealT = TypeVar("DealT", bound=msgspec.Struct)
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


class Game(ABC, Generic[StateT, MoveT, EventT, ViewT, DealT, OptionsT]):
    """The rules of one game.

    Class attributes: `slug` (the folder and command name), `title`, `seats` (the seat counts that some
    option allows), and the types used to encode and decode (`State`, `Move`, `Event`, `View`, `Deal`,
    `Options`; `Move` and `Event` are unions of tagged structs). `simultaneous` says that all seats answer at
    once and may change their answers until the beat ends: an answer leaves the panels of the others as they
    are. `draws_seats` says that seats are numbered in turn order and drawn when the game starts, for a game
    whose deal draws no first player. `most_steps` limits the steps of a game that is read from a file.
    `chance_scale` is the lead in `estimate` that makes a win e times as likely; 0 if it isn't measured.
    `thinks_quickly` is False for a game whose computers take their usual time for `Thinking.QUICK`, too.
    `play` is called on the event loop, and takes a few milliseconds at most.

    >>> from engines.registry import game
    >>> rules = game("ribbon")
    >>> options, seed = rules.Options(), b"seed"
    >>> state = rules.begin(2, options, rules.deal(2, options, seed), seed)
    >>> rules.prompts(state)
    {0: Prompt(kind='choose_ribbon')}
    >>> rules.play(state, 0, next(rules.moves(state, 0)))
    [RibbonChosen(seat=0, colour='green', reveals=True, only=None)]
    >>> rules.prompts(state), rules.outcome(state)
    ({1: Prompt(kind='choose_ribbon')}, None)
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    simultaneous: ClassVar[bool] = False
    draws_seats: ClassVar[bool] = False
    most_steps: ClassVar[int] = 2000
    chance_scale: ClassVar[float] = 0.0
    thinks_quickly: ClassVar[bool] = True
    State: ClassVar[type[msgspec.Struct]]
    Move: ClassVar[Any]
    Event: ClassVar[Any]
    View: ClassVar[type[msgspec.Struct]]
    Deal: ClassVar[type[msgspec.Struct]]
    Options: ClassVar[type[msgspec.Struct]]

    def seats_for(self, options: OptionsT) -> range:
        """Return the seat counts that a table with these options may start with."""
        return self.seats

    def settle(self, seats: int, options: OptionsT) -> OptionsT:
        """Normalise the options for that many seats.

        Reset those that can't matter to their default. Raise IllegalSetup if the game can't be played like
        that.
        """
        allowed = self.seats_for(options)
        if seats not in allowed:
            wanted = str(allowed[0]) if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            raise IllegalSetup(f"{self.title} with these options needs {wanted} players, not {seats}.")
        return options

    @abstractmethod
    def deal(self, seats: int, options: OptionsT, seed: bytes) -> DealT:
        """Draw every random outcome of the set-up from the seed, as plain data."""

    @abstractmethod
    def begin(self, seats: int, options: OptionsT, deal: DealT, seed: bytes) -> StateT:
        """Return the first state: only `deal` is random.

        Later draws come from the seed.

        Raises:
            IllegalSetup: if seats and options don't go together.
            IllegalDeal: if the deal isn't one that could be dealt.
        """

    @abstractmethod
    def prompts(self, state: StateT) -> Mapping[Seat, Prompt]:
        """Return the decisions that seats owe, in seat order. Empty when the game is over."""

    @abstractmethod
    def moves(self, state: StateT, seat: Seat) -> Iterator[MoveT]:
        """Yield every legal move of a seat, each once, in a stable order.

        Yields nothing for a seat that owes nothing, except that in a simultaneous game a seat that has
        answered may list its answers until the beat ends.
        """

    @abstractmethod
    def play(self, state: StateT, seat: Seat, move: MoveT) -> list[EventT]:
        """Check the move, then carry it out on the state.

        Raises:
            IllegalMove: with a sentence for the player; the state is as it was.
        """

    @abstractmethod
    def resign(self, state: StateT, seat: Seat) -> list[EventT]:
        """Take a seat out of the game at its own wish.

        Any remaining seat may, at any time. Raise IllegalMove if the seat is out already or the game is over.
        """

    @abstractmethod
    def view(self, state: StateT, viewer: Seat | None, *, reveals: bool = True) -> ViewT:
        """Return what that seat, or with None a spectator, may know.

        When the game is over it shows everything, unless `reveals` is False because others play the same
        deal.
        """

    def since(self, view: ViewT, seen: Sequence[ViewT]) -> ViewT:
        """Return the view with everything marked that differs from an earlier view.

        `seen` are the same viewer's earlier views, the oldest first and then one after each turn: they say
        who changed what. If turns are left out, nobody is named. A game whose pictures mark nothing leaves
        the view as it is.
        """
        return view

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result; None during the game, or if it was called off."""
        whole: Any = state
        return cast(Outcome | None, whole.outcome)

    @abstractmethod
    def post_counter(self, state: StateT) -> int:
        """Return a counter that grows whenever the table should get a fresh post."""

    def turn_at(self, beat: int, seats: int, options: OptionsT) -> int | None:
        """Return a key of the turn that a beat belongs to.

        Beats with the same key are one turn, in the record as in simulations. None before the first turn.
        """
        return beat

    def only_move(self, state: StateT, seat: Seat) -> MoveT | None:
        return None

    def automatic_move(self, state: StateT, seat: Seat) -> MoveT | None:
        """Return the move that the table's options make for the seat, or None."""
        return None

    def ends_turn(self, view: ViewT, seat: Seat, moves: Sequence[MoveT]) -> bool:
        """Return True if these legal moves, played in order, end the seat's turn.

        Buttons announce it before a press. False if the view doesn't tell.
        """
        return False

    def ahead(self, view: ViewT, seat: Seat) -> ViewT | None:
        """Return the seat's next turn if everybody before it does nothing.

        From its view alone. None if it owes something now, or if a game can't tell.
        """
        return None

    def has_turn(self, view: ViewT, seat: Seat) -> bool:
        """Return True if what a seat owes belongs to its own turn. A plan is for that alone."""
        return True

    def preview(self, view: ViewT, seat: Seat, move: MoveT) -> Any:
        """Return what the panel shows of a move's effect.

        A plan promises it. None if its events say it all.
        """
        return None

    def foresee(self, view: ViewT, seat: Seat, moves: Sequence[MoveT]) -> ViewT:
        """Return a seat's view after the sure effects of its moves.

        It ends before the turn does. The view as it is, in a game whose previews say it all.
        """
        return view

    def own_facts(self, view: ViewT, seat: Seat) -> Any:
        """Return what a seat has: a plan promises it after each choice."""
        return None

    def standing_answers(self, options: OptionsT) -> tuple[str, ...]:
        """Return the answers that people can give once for a whole game."""
        return ()

    def standing_move(self, view: ViewT, seat: Seat, answer: str) -> MoveT | None:
        """Return the move of a standing answer; None to ask the seat."""
        return None

    def is_answer_secret(self, view: ViewT, seat: Seat) -> bool:
        """Return True if nobody may learn how the seat answers now.

        A standing answer waits then, as its time would tell that it was given ahead.
        """
        return False

    def copy(self, state: StateT) -> StateT | None:
        """Return an independent copy if that is faster than decoding, else None."""
        return None

    def tally(self, view: ViewT, end: ViewT) -> tuple[int | None, ...] | None:
        """Return the charted numbers of one spectator's view.

        One number a seat, None if it is out; a single one for a team. None if a game has no
        chart. `end` is the last view, in which everything is open.
        """
        return None

    def tally_at_exit(self, view: ViewT, end: ViewT, seat: Seat) -> int | None:
        """Return the charted number with which a seat has just gone out.

        None if its line ends a turn before.
        """
        return None

    def hand(self, state: StateT, seat: Seat) -> bytes | None:
        """Return bytes that change with this seat's secret hand, if any."""
        return None

    @abstractmethod
    def choose(
        self, view: ViewT, seat: Seat, rng: Random, strength: Strength, thinking: Thinking = Thinking.USUAL
    ) -> MoveT:
        """Choose a legal move for a seat from its own view.

        `thinking` only matters to players that look ahead.
        """

    def advice(self, view: ViewT, seat: Seat, rng: Random) -> list[Advice]:
        """Return the strong computer's best choices for a seat, best first.

        At most `ADVISED`, none twice; nothing for a seat that has nothing to decide. By default, the move
        that `choose` chooses.
        """
        return [Advice((self.choose(view, seat, rng, Strength.STRONG),))]

    def estimate(self, view: ViewT, seat: Seat) -> float | None:
        """Estimate a seat's prospects, in the game's own unit, from its own view.

        Higher is better, and estimates from the views of other seats are comparable; for a game that all win
        or lose as one it is about the team. None if the computer has no estimate.
        """
        return None

    def is_team_game(self, options: OptionsT) -> bool:
        return False

    @abstractmethod
    def sample_state(self, view: ViewT, luck: Random) -> StateT:
        """Sample a state that fits a seat's view.

        Its hidden parts are drawn as they may be dealt. With it a computer player can look ahead, and knows
        no more than a person in its place. Open facts that no view keeps, such as how often a position has
        come up, are forgotten. Raise ValueError for the view of a spectator.
        """

    @abstractmethod
    def resample_hidden(
        self, state: StateT, viewer: Seat | None, rng: Random, *, reveals: bool = True
    ) -> StateT:
        """Redraw everything that the viewer may not know.

        `reveals` is as in `view`. Used by tests to prove that views and pictures hide by construction.
        """


AnyGame = Game[Any, Any, Any, Any, Any, Any]


def fields_of(value: msgspec.Struct, public: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the fields of `public`, which the value's type extends, by name. Copy lists and dicts."""
    names, values, changing = _fields(public)
    result = dict(zip(names, values(value), strict=True))
    for name in changing:
        result[name] = result[name].copy()
    return result


@cache
def _fields(public: type[msgspec.Struct]) -> tuple[tuple[str, ...], Callable[[Any], Any], tuple[str, ...]]:
    fields = msgspec.structs.fields(public)
    names = tuple(field.name for field in fields)
    changing = (field.name for field in fields if hasattr(get_origin(field.type) or field.type, "copy"))
    return names, attrgetter(*names), tuple(changing)


MOST_STRESSED = 12
"""From more changes than this, only those of the last turn are stressed."""


class BoardChange(msgspec.Struct, frozen=True):
    """A change at one place.

    Attributes:
        place: the name of the place.
        kind: how it changed, in a word of the game.
        seat: the seat that changed it; None if the views don't say.
        start: the place that it came from, or changed with.
        points: what the seat won or lost there.
        is_latest: False if a later turn changed something too.
    """

    place: str
    kind: str
    seat: Seat | None = None
    start: str | None = None
    points: int = 0
    is_latest: bool = True


def join_turns(turns: Iterable[Sequence[BoardChange]]) -> tuple[BoardChange, ...]:
    """Return the changes of several turns, the last turn's first.

    Of several at a place that are alike, the last one counts.

    >>> first, second = BoardChange("A", "new", 0), BoardChange("B", "new", 1)
    >>> [(one.place, one.is_latest) for one in join_turns([[first], [second]])]
    [('B', True), ('A', False)]
    """
    result: dict[tuple[str, str], BoardChange] = {}
    for changes in reversed([turn for turn in turns if turn]):
        is_latest = not result
        for change in changes:
            result.setdefault(
                (change.place, change.kind), msgspec.structs.replace(change, is_latest=is_latest)
            )
    return tuple(result.values())


def is_quiet(change: BoardChange, changes: Sequence[BoardChange]) -> bool:
    """Return True if many changes leave this one without stress."""
    return len(changes) > MOST_STRESSED and not change.is_latest


T = TypeVar("T")
SEED_SIZE = 32
"""Bytes."""


class Draws:
    """An endless stream of draws from ``(seed, counter)``.

    >>> Draws(b"seed", 0).shuffle("ABCDEF")
    ['B', 'D', 'F', 'E', 'A', 'C']
    >>> Draws(b"seed", 0).shuffle("ABCDEF") == Draws(b"seed", 0).shuffle("ABCDEF")
    True
    """

    def __init__(self, seed: bytes, counter: int) -> None:
        self._key = sha256(counter.to_bytes(8, "big") + seed).digest()
        self._block = 0

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, uniformly. Raises ValueError unless n > 0."""
        if n < 1:
            raise ValueError("a draw needs at least one outcome")
        limit = (1 << 64) - (1 << 64) % n
        while True:
            word = int.from_bytes(sha256(self._key + self._block.to_bytes(8, "big")).digest()[:8], "big")
            self._block += 1
            if word < limit:
                return word % n

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return the things in random order (Fisher-Yates from the end). Leave the argument alone."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            pick = self.below(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return order
