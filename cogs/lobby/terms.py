"""The time rules of a table being opened: the options of `new`, and the lobby card's menus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from discord import app_commands

from cogs.core import time_words
from cogs.core.app import app_of
from cogs.ui.form import Field, find_matches, read_choice
from cogs.ui.page import Button, Menu, Option, Part
from cogs.ui.press import Press
from cogs.ui.text import Interaction, Line
from db.records import ServerSettings
from engines import game, marks
from tables.clocks.pace import CUSTOM, EXAMPLE, PACES, BadPace, Pace, pace_words, read_pace
from tables.core.table import Hints, Refused, Table, Terms, WhenLate
from tables.learning import require_allowed
from tables.lobby.decisions import is_allowed

Late = Literal["others", "computer", "forfeit"]
HintsSaid = Literal["allowed", "forbidden"]
StrengthSaid = Literal["easy", "casual", "medium", "strong"]
ThinkingSaid = Literal["quick", "usual"]
FinishersSaid = Literal["80 %", "90 %", "95 %"]
PaceName = Line
OPTION_DESCRIPTIONS = {
    "strength": "How well these computers play (default: what suits your last games against computers)",
    "thinking": (
        "How long strong computers think: quick ones take a quarter of the time, but play a bit weaker"
    ),
    "pace": f"How much time players have: a pace by name, or your own like {EXAMPLE}",
    "when_late": "What happens if a player is late (default: the server's setting)",
    "start_when_full": "Start automatically once the last seat is taken",
    "private": "Only invited people can join; no list shows the table",
    "rated": "Does the game count for the ratings? (default: the server's setting)",
    "hints": "Allow hints? (default: yes, but not in rated games against others)",
    "finishers": "Only newcomers and people who finish this share of their games can join",
}
"""Descriptions of the options that `new` has for every game."""
LATE_MEANS = {
    WhenLate.OTHERS: "They can wait, let a computer play the turn, or give the seat away",
    WhenLate.COMPUTER: "After three late turns in a row, the computer keeps the seat",
    WhenLate.FORFEIT: "Same as resigning",
}
"""The consequence of each rule about late players."""
STRENGTHS = {
    game.Strength.EASY: ("Easy computer", "Overlooks a lot, so it's good for a first game"),
    game.Strength.CASUAL: ("Casual computer", "Sees only obvious moves"),
    game.Strength.MEDIUM: ("Medium computer", "Plays well, but plans little"),
    game.Strength.STRONG: ("Strong computer", "Thinks about what you might answer"),
}
"""Titles and descriptions of the computer players."""
FINISHERS = {
    0: ("Everybody", ""),
    80: (
        "People who finish 80 % of their games",
        "Only games with others count. People with fewer than 5 games can join too",
    ),
    90: ("People who finish 90 % of their games", "Anyone at the table can still invite others"),
    95: ("People who finish 95 % of their games", "Anyone at the table can still invite others"),
}
"""Titles and descriptions of the shares of games that people must finish to join."""
THINKING = {
    game.Thinking.USUAL: ("As usual", "They take a third of a second for a move, and at most a second"),
    game.Thinking.QUICK: ("Quickly", "They take a quarter of that time, and play a bit worse"),
}
"""Titles and descriptions of the thinking times."""
NO_CLOCK = "no clock"
BY_HAND, FULL = "hand", "full"
"""The ways a game can begin."""
PACE_LENGTH = 60
PACE_FIELD = Field(
    "pace",
    "Start time + time per turn, up to a cap",
    f"For example {EXAMPLE}",
    longest=PACE_LENGTH,
    required=True,
)
"""The line of a form in which a pace is typed."""


@dataclass(frozen=True)
class TypedTerms:
    """The typed options that `new` has for every game; `OPTION_DESCRIPTIONS` has their descriptions."""

    strength: StrengthSaid | None = None
    thinking: ThinkingSaid = "usual"
    pace: PaceName | None = None
    when_late: Late | None = None
    start_when_full: bool = False
    private: bool = False
    rated: bool | None = None
    hints: HintsSaid | None = None
    finishers: FinishersSaid | None = None


def pace_of(text: str) -> Pace:
    name = _name_of(text)
    try:
        return read_pace(read_choice({pace.name: _label(pace) for pace in PACES.values()}, name) or name)
    except BadPace as reason:
        raise Refused(str(reason)) from None


def resolve_terms(settings: ServerSettings, said: TypedTerms) -> Terms:
    """Return typed terms, completed by the server's. Raise Refused if forbidden."""
    hints = Hints(said.hints or Hints.USUAL)
    require_allowed(settings, hints)
    return Terms(
        pace_of(said.pace or settings.pace),
        WhenLate(said.when_late or settings.when_late),
        starts_full=said.start_when_full,
        private=said.private,
        rated=settings.rated if said.rated is None else said.rated,
        hints=hints,
        thinking=game.Thinking(said.thinking),
        finishers=int(said.finishers.removesuffix(" %")) if said.finishers else 0,
    )


async def paces(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    settings = await app_of(interaction).parlour.settings(interaction.guild_id or 0)
    named = {pace.name: _label(pace) for pace in PACES.values() if is_allowed(settings, pace)}
    typed = _name_of(current)
    offered = [PACES[name] for name in find_matches(named, typed)]
    try:
        own = read_pace(typed)
    except BadPace:
        own = None
    if own is not None and own not in offered and is_allowed(settings, own):
        offered.insert(0, own)
    return choices(offered)


def _name_of(typed: str) -> str:
    return typed.partition(":")[0]


def choices(paces: Sequence[Pace]) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=game.clip(f"{_label(pace)}: {pace_words(pace)}", 100), value=pace.name)
        for pace in paces[:25]
    ]


def parts(table: Table, settings: ServerSettings) -> list[Part]:
    """Return a lobby's time options: pace, lateness, start."""

    def press(verb: str, arg: str = "") -> Press:
        return Press("lobby", verb, table.id, 0, arg)

    own = CUSTOM not in settings.forbidden_paces
    paces = [pace for pace in PACES.values() if is_allowed(settings, pace)]
    if table.pace not in paces:
        paces.append(table.pace)
    lines = [Option(_label(pace), pace.name, pace_words(pace), chosen=pace == table.pace) for pace in paces]
    late = [
        Option(marks.capital(text), rule.value, LATE_MEANS[rule], chosen=rule is table.when_late)
        for rule, text in time_words.WHEN_LATE.items()
    ]
    starts = [
        Option("When the host presses Start", BY_HAND, chosen=not table.starts_full),
        Option("Automatically, once all seats are taken", FULL, chosen=table.starts_full),
    ]
    page: list[Part] = [f"Time for everyone\n-# {pace_words(table.pace)}", Menu(press("pace"), "Pace", lines)]
    if own:
        page.append([Button("A pace of your own", press("custom"))])
    if table.pace.kept:
        page += ["When someone is late", Menu(press("late"), "When someone is late", late)]
    return [*page, "The game begins", Menu(press("full"), "The game begins", starts)]


def thinking_menu(table: Table) -> list[Part]:
    if not table.game.thinks_quickly:
        return []
    lines = [
        Option(label, value.value, about, chosen=table.thinking is value)
        for value, (label, about) in THINKING.items()
    ]
    press = Press("lobby", "thinking", table.id)
    return ["How long strong computers think", Menu(press, "How long strong computers think", lines)]


def finishers_menu(table: Table) -> list[Part]:
    lines = [
        Option(title, str(percent), about, chosen=table.finishers == percent)
        for percent, (title, about) in FINISHERS.items()
    ]
    return ["Who can join", Menu(Press("lobby", "finishers", table.id), "Who can join", lines)]


def _label(pace: Pace) -> str:
    return (
        pace.name.capitalize() if pace.kept and pace.name in PACES else pace.name if pace.kept else NO_CLOCK
    )
