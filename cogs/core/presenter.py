"""What each game provides, so that everything around it is the same for all games."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Protocol

import msgspec

from cogs.core import rulebook
from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.ui.page import Button, Described, Page
from engines.game import Advice, Seat
from engines.registry import SLUGS
from render.core.palette import SEAT_COLOURS, Rgb
from render.core.picture import Picture
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
    """One option that a table may set: the field's name, its title, and its values."""

    name: str
    title: str
    values: Sequence[Value]


def choices_of(slug: str) -> dict[str, Choice]:
    """The options of a game with all their values, by name, from the `options.toml` of its room."""
    written = tomllib.loads((rulebook.COGS / slug / "options.toml").read_text("utf-8"))
    return {one.name: one for one in msgspec.convert(written["choice"], list[Choice])}


class Illustration(msgspec.Struct, frozen=True):
    """A picture that a post shows besides the board: drawn by `what(view, names, *args)` of the game's room.

    `name` and `alt` are the picture's own, once it has been drawn.
    """

    what: str
    args: tuple[int, ...] = ()
    name: str = ""
    alt: str = ""


class Words(Protocol):
    """A game's `words`: what it says."""

    def event_line(self, event: Any, view: Any, names: Sequence[str], /) -> str | None:
        """What happened in one sentence, or None for an event that needs no line."""

    def duty(self, view: Any, seat: Seat, /) -> str:
        """What that seat owes, as the end of a sentence: "turn up a card"."""

    def result(self, view: Any, names: Sequence[str], /) -> str:
        """How the game ended, in a sentence or two."""


class Panel(Protocol):
    """A game's `panel`."""

    async def panel(self, app: App, perspective: Perspective, /) -> Page:
        """The private panel of a seat that owes a move, with what it has drafted."""


class Hints(Protocol):
    """A game's `hints`: what is said, drafted and shown of the moves that the strong computer advises."""

    def line(self, view: Any, seat: Seat, advice: Advice, names: Sequence[str], /) -> str:
        """The moves with what they come to, in a sentence."""

    def draft(self, view: Any, seat: Seat, moves: Sequence[Any], /) -> msgspec.Struct | None:
        """The draft that the panel holds once they are tried; None for what can only be done."""

    async def picture(self, app: App, perspective: Perspective, moves: Sequence[Any], /) -> Shown | None:
        """The position as it would be then, or with their places marked; None where there is none to show."""


class Lessons(Protocol):
    """A game's `lessons`: which first-time notes apply."""

    def met(self, view: Any, seat: Seat, /) -> Sequence[str]:
        """The keys of what a seat that is to move meets just now, in the order in which it is told.

        It is asked for each panel on the event loop, so it takes well below a millisecond.
        """


class NoLessons:
    """The lessons of a game that brings none."""

    def met(self, _view: Any, _seat: Seat, /) -> Sequence[str]:
        """Nothing is met."""
        return ()


class PlainHints:
    """The hints of a game that brings none of its own: they name the moves, and can be done at once."""

    def line(self, _view: Any, _seat: Seat, advice: Advice, _names: Sequence[str], /) -> str:
        """The moves by what they are called."""
        text = ", then ".join(_described(move) for move in advice.moves)
        return f"{text[:1].upper()}{text[1:]}."

    def draft(self, _view: Any, _seat: Seat, _moves: Sequence[Any], /) -> msgspec.Struct | None:
        """Nothing is drafted."""
        return None

    async def picture(self, _app: App, _perspective: Perspective, _moves: Sequence[Any], /) -> Shown | None:
        """Nothing is marked."""
        return None


def _described(move: msgspec.Struct) -> str:
    """A move in the words of its type: "take, heap 2, number 3"."""
    parts = [str(move.__struct_config__.tag).replace("_", " ")]
    parts += [f"{name} {getattr(move, name)}" for name in move.__struct_fields__]
    return ", ".join(parts)


class Presenter(ABC):
    """One game's words and panels, from the modules of its room. It sees views, never states.

    Class attributes: `slug`; `tagline`, what the game is in one line; `length`, how long it takes; `weight`,
    how much there is to learn: "easy", "medium" or "demanding"; `boards`, the names of the pictures that show
    the whole board; `charted`, what `Game.tally` counts; `estimated`, the unit of `Game.estimate`; `ends`,
    the event that ends a turn, after which the panel says farewell; `asks`, the event that a panel's own
    question tells.
    """

    slug: ClassVar[str]
    tagline: ClassVar[str]
    length: ClassVar[str]
    weight: ClassVar[str]
    boards: ClassVar[tuple[str, ...]] = ("table",)
    charted: ClassVar[str] = ""
    estimated: ClassVar[tuple[str, str]] = ("point", "points")
    ends: ClassVar[type[Any] | tuple[()]] = ()
    asks: ClassVar[type[Any] | tuple[()]] = ()

    def __init__(
        self,
        words: Words,
        panel: Panel,
        hints: Hints | None = None,
        lessons: Lessons | None = None,
    ) -> None:
        self.event_line = words.event_line
        self.duty = words.duty
        self.result = words.result
        self.panel = panel.panel
        self.hints: Hints = hints or PlainHints()
        self.lessons: Lessons = lessons or NoLessons()

    @abstractmethod
    def choices(self, options: Any) -> list[Choice]:
        """The options that matter when the others are as given."""

    @abstractmethod
    def summary(self, options: Any, seats: int | None = None) -> str:
        """The options in a few words, for the lobby card."""

    def cover(self) -> Picture:
        """A small picture that stands for the game."""
        return rulebook.cover(self.slug)

    def rules(self) -> list[Page]:
        """The rules in our own words, a page at a time."""
        return rulebook.pages(self.slug)

    def shows_board(self, page: Page) -> bool:
        """Whether one of the pictures of a page shows the whole board, or its words tell it."""
        names = {f"{self.slug}-{name}.png" for name in self.boards}
        return any(
            (isinstance(part, Picture) and part.name in names) or (isinstance(part, Described) and part.whole)
            for part in page.parts
        )

    def illustrations(self, events: Sequence[Any]) -> list[Illustration]:
        """Pictures that help to tell what happened, besides that of the board."""
        return []

    def colours(self, view: Any) -> Sequence[Rgb]:
        """The colours of the seats' emblems, where the game has others than the house."""
        return SEAT_COLOURS

    def seat_sign(self, view: Any, seat: Seat) -> str:
        """The sign that stands before a seat's player in texts: its shape in its colour."""
        return f"seat_{seat + 1}"

    def dm_buttons(self, perspective: Perspective) -> list[Button]:
        """Buttons for the hand message besides Take turn: decisions that need no board."""
        return []

    def uneven(self, view: Any) -> str | None:
        """Why seats begin with different things, for the post of the start; None where they don't."""
        return None

    def forced_line(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        """The line of a move that was made for a seat because there was no other."""
        return f"{line} (There was nothing to choose.)"

    def obvious(self, view: Any) -> tuple[Any, str] | None:
        """The only move that the viewer has, where others don't know that, and what the viewer is told of it.

        It is made without asking. None where there is something to decide.
        """
        return None

    def hand_text(self, view: Any) -> str | None:
        """What the cards of the viewer's hand say, for small screens; None where there are none."""
        return None

    def row_text(self, view: Any) -> str | None:
        """The same of the cards that lie open for everybody, which change more often than a hand."""
        return None

    def digest(self, events: Sequence[Any], seat: Seat, view: Any, names: Sequence[str]) -> str | None:
        """All events of a seat's turn in one line; None where their own lines are joined."""
        return None

    def several_line(self, events: Sequence[Any], view: Any, names: Sequence[str]) -> str | None:
        """The line that tells two or more events of a turn together; None where each has its own."""
        return None

    def before(self, view: Any, event: Any) -> Any:
        """The view without what an event has changed in it, as far as earlier lines are told by that."""
        return view


@cache
def presenter_of(slug: str) -> Presenter:
    """The presenter of a hosted game, from its cog's room."""
    if slug not in SLUGS:
        raise KeyError(slug)
    found: Presenter = import_module(f"cogs.{slug}").PRESENTER
    return found


def presenter(table: Table) -> Presenter:
    """The presenter of the game that is played at a table."""
    return presenter_of(table.slug)
