"""The contracts that each game's cog fulfils, so that everything shared treats games alike."""

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Protocol

import msgspec

from cogs.core import rulebook
from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.ui.page import Button, Described, Page
from engines import marks, registry, words
from engines.game import Advice, Seat
from render.core.canvas import Picture
from render.core.theme import THEMES, Rgb
from tables.core.table import Table
from tables.play.play import Perspective


@dataclass(frozen=True)
class Value:
    """One value of an option, as people read it."""

    value: str
    label: str
    description: str = ""


@dataclass(frozen=True)
class Choice:
    """An option that a table may set: its field's name, its title, and its values."""

    name: str
    title: str
    values: Sequence[Value]


def choices_of(slug: str) -> dict[str, Choice]:
    """Return a game's options by name, from its `options.toml`."""
    written = tomllib.loads((rulebook.COGS / slug / "options.toml").read_text("utf-8"))
    return {one.name: one for one in msgspec.convert(written["choice"], list[Choice])}


class Illustration(msgspec.Struct, frozen=True):
    """An extra picture of a post, drawn by `what(view, names, *args)` of the game's room.

    `name` and `alt` are the picture's own, once it is drawn.
    """

    what: str
    args: tuple[int, ...] = ()
    name: str = ""
    alt: str = ""


class Panel(Protocol):
    """A game's `panel`.

    >>> from inspect import iscoroutinefunction
    >>> iscoroutinefunction(presenter_of("ribbon").panel)
    True
    """

    async def panel(self, app: App, perspective: Perspective, /) -> Page:
        """Return the private panel of a seat to move, with its draft."""


class GameHints(Protocol):
    """A game's `hints`: text and picture of the moves that the strong computer advises.

    >>> from engines.ribbon.moves import Flip
    >>> PlainHints("ribbon").line(None, 0, Advice((Flip(3),)), ["Ann", "Bo"])
    'Flip 3.'
    """

    def line(self, view: Any, seat: Seat, advice: Advice, names: Sequence[str], /) -> str:
        """Return the advised moves and their effect, in a sentence."""

    async def picture(self, app: App, perspective: Perspective, moves: Sequence[Any], /) -> Shown | None:
        """Return a preview of the moves; None if there is none."""


class LessonPicker(Protocol):
    """A game's `lessons`: picks the first-time notes that apply.

    >>> NoLessons().applicable_notes(None, 0)
    ()
    """

    def applicable_notes(self, view: Any, seat: Seat, /) -> Sequence[str]:
        """Return the keys of a seat's notes, in order.

        Called for each panel on the event loop, so it must take well below a millisecond.
        """


class NoLessons:
    """The lessons of a game without any."""

    def applicable_notes(self, _view: Any, _seat: Seat, /) -> Sequence[str]:
        return ()


class PlainHints:
    """The hints of a game that brings none of its own: they name moves that can be made at once."""

    def __init__(self, slug: str) -> None:
        self._slug = slug

    def line(self, view: Any, _seat: Seat, advice: Advice, names: Sequence[str], /) -> str:
        naming = registry.move_names(self._slug).move_name
        return f"{marks.capital(', then '.join(naming(move, view, names) for move in advice.moves))}."

    async def picture(self, _app: App, _perspective: Perspective, _moves: Sequence[Any], /) -> Shown | None:
        return None


class Weight(StrEnum):
    """Says how much there is to learn in a game."""

    EASY = "easy to learn"
    MEDIUM = "takes a game to learn"
    DEMANDING = "takes time to learn"


PLAYERS_FROM_TO = re.compile(r"\d+ (to|or) \d+ players")
"""The numbers of players that a lobby's options allow."""


class Presenter(ABC):
    """One game's words and panels, from the modules of its room. It sees views, never states.

    Class attributes: `tagline`, the game in one line; `length`, how long it takes; `weight`, how hard it is
    to learn; `boards`, the names of the pictures that show the whole board below the controls; `questions`,
    those that show it above them; `charted`, the count of `Game.tally`; `estimated`, the unit of
    `Game.estimate`; `strikes`, events that others do to a player, the worst first; `only_gains`, events that
    say nothing else than a gain; `says_gains`, whether clauses say them; `ends`, the event that ends a turn;
    `asks`, the event that a panel's own question reports; `standing`, the question answered once for all, and
    its labels; `shown`, patterns of sentences that a long post leaves to its picture; `losses`, a
    pattern of what others lost, which it always tells.

    >>> from engines.registry import game
    >>> presenter_of("ribbon").summary(game("ribbon").Options(), 2)
    'Versus for 2 or 3 players'
    """

    slug: ClassVar[str]
    tagline: ClassVar[str]
    length: ClassVar[str]
    weight: ClassVar[Weight]
    boards: ClassVar[tuple[str, ...]] = ("table",)
    questions: ClassVar[tuple[str, ...]] = ()
    charted: ClassVar[str] = ""
    estimated: ClassVar[tuple[str, str]] = ("point", "points")
    says_gains: ClassVar[bool] = False
    only_gains: ClassVar[tuple[type[Any], ...]] = ()
    strikes: ClassVar[tuple[type[Any], ...]] = ()
    shown: ClassVar[tuple[str, ...]] = ()
    losses: ClassVar[str] = "(?!)"
    ends: ClassVar[type[Any] | tuple[()]] = ()
    asks: ClassVar[type[Any] | tuple[()]] = ()
    standing: ClassVar[tuple[str, Mapping[str, str]]] = ("", {})

    def __init__(
        self, panel: Panel, hints: GameHints | None = None, lessons: LessonPicker | None = None
    ) -> None:
        self.words = registry.event_lines(self.slug)
        self.panel = panel.panel
        self.hints: GameHints = hints or PlainHints(self.slug)
        self.lessons: LessonPicker = lessons or NoLessons()

    @abstractmethod
    def choices(self, options: Any) -> list[Choice]:
        """Return the options that matter, given the others."""

    def length_with(self, _options: Any, /) -> str:
        """Return how long a game takes with these options."""
        return self.length

    @abstractmethod
    def summary(self, options: Any, seats: int | None = None) -> str:
        """Return the options in a few words, for the lobby card."""

    def describe_game(self, options: Any, seats: int) -> str:
        """Return the options of a game that has begun, with its players.

        >>> from engines.registry import game
        >>> presenter_of("ribbon").describe_game(game("ribbon").Options(), 2)
        'Versus for 2 players'
        """
        return PLAYERS_FROM_TO.sub(words.plural(seats, "player"), self.summary(options, seats), count=1)

    def cover(self) -> Picture:
        return rulebook.cover(self.slug)

    def rules(self) -> list[Page]:
        return rulebook.pages(self.slug)

    def shows_board(self, page: Page) -> bool:
        return _shows(page, {f"{self.slug}-{name}.png" for name in self.boards})

    def needs_board(self, page: Page) -> bool:
        """Return True if no picture of a page shows the whole board."""
        return not _shows(page, {f"{self.slug}-{name}.png" for name in (*self.boards, *self.questions)})

    def illustrations(self, events: Sequence[Any]) -> list[Illustration]:
        return []

    def colours(self, view: Any, theme: str) -> Sequence[Rgb]:
        """Return the colours of the seats' emblems; by default the house's."""
        return THEMES[theme].seats

    def seat_sign(self, view: Any, seat: Seat) -> str:
        """Return the name of a seat's sign: its shape in its colour."""
        return f"seat_{seat + 1}"

    def dm_buttons(self, perspective: Perspective) -> list[Button]:
        """Return extra buttons for the hand message: decisions that need no board."""
        return []

    def uneven(self, view: Any) -> str | None:
        """Return why seats start with different things; None if they don't."""
        return None

    def explain_forced_move(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        return f"{line} (It was the only choice.)"

    @property
    def automatic_moves(self) -> tuple[Any, ...]:
        """Return the moves that `obvious` makes."""
        return ()

    def obvious(self, view: Any) -> tuple[Any, str] | None:
        """Return an automatic move and its line.

        None if there is a choice. The viewer has no other move, but the others don't know that.
        """
        return None

    def hand_text(self, view: Any) -> str | None:
        return None

    def row_text(self, view: Any) -> str | None:
        """Return the open cards for small screens; None if there are none."""
        return None

    def digest(
        self, events: Sequence[Any], seat: Seat, before: Any, after: Any, names: Sequence[str]
    ) -> str | None:
        """Return a turn in one line; None to join its events' lines.

        `before` and `after` are the views of its start and its end.
        """
        return None

    def retell(self, event: Any, line: str, before: Any, after: Any) -> str | None:
        """Return an event's line after its turn; None if it's untrue then.

        `before` and `after` are the views of the turn's start (None if unknown) and its end.
        """
        return line

    def totals(self, view: Any) -> Sequence[int]:
        """Return every seat's points, as everybody knows them; empty without points."""
        return ()

    def gains(self, event: Any) -> Mapping[Seat, int]:
        return {}

    def several_line(self, events: Sequence[Any], view: Any, names: Sequence[str]) -> str | None:
        return None

    def view_to_name(self, view: Any, first: Any) -> Any:
        """Return the view in which a turn's later move is named. At its start it's `first`."""
        return view

    def before(self, view: Any, event: Any) -> Any:
        """Return the view before an event, for earlier lines."""
        return view


def _shows(page: Page, names: Collection[str]) -> bool:
    return any(
        (isinstance(part, Picture) and part.name in names) or (isinstance(part, Described) and part.whole)
        for part in page.parts
    )


@cache
def presenter_of(slug: str) -> Presenter:
    if slug not in registry.SLUGS:
        raise KeyError(slug)
    result: Presenter = import_module(f"cogs.{slug}").PRESENTER
    return result


def presenter(table: Table) -> Presenter:
    return presenter_of(table.slug)
