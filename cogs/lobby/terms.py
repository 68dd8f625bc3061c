"""The options and time rules of a table being opened: those of `new`, and the lobby card's forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from discord import app_commands

from cogs.core import time_words
from cogs.core.app import app_of
from cogs.core.presenter import choices_of, presenter
from cogs.ui.form import Field, Typed, find_matches, read_choice
from cogs.ui.page import Option
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
FinishersSaid = Literal["80%", "90%", "95%"]
PaceName = Line
OPTION_DESCRIPTIONS = {
    "strength": "How well these computers play (default: your level in recent games against computers)",
    "thinking": (
        "How long strong computers think: quick ones take at most half the time, but play a bit weaker"
    ),
    "pace": f"How much time players have: a pace by name, or your own like {EXAMPLE}",
    "when_late": "What happens if a player is late (default: the server's setting)",
    "start_when_full": "Start automatically once the last seat is taken",
    "private": "Only invited people can join, and the table isn't listed",
    "rated": "Does the game count for the ratings? (default: the server's setting)",
    "hints": "Allow hints? (default: yes, but not in rated games against others)",
    "finishers": "Only newcomers and people who finish this share of their games can join",
}
"""Descriptions of the options that `new` has for every game."""
LATE_MEANS = {
    WhenLate.OTHERS: "The others can wait, let a computer play the turn, or give the seat away",
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
        "People who finish 80% of their games",
        "Only games with others count. People with fewer than 5 games can join too",
    ),
    90: ("People who finish 90% of their games", "People at the table can still invite anyone"),
    95: ("People who finish 95% of their games", "People at the table can still invite anyone"),
}
"""Titles and descriptions of the shares of games that people must finish to join."""
THINKING = {
    game.Thinking.USUAL: ("As usual", "They think for less than a third of a second on most moves"),
    game.Thinking.QUICK: ("Quickly", "They take half of the usual time or less, but play a bit weaker"),
}
"""Titles and descriptions of the thinking times."""
NO_CLOCK = "no clock"
BY_HAND, FULL = "hand", "full"
"""The ways a game can begin."""
PACE_LENGTH = 60


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
        finishers=int(said.finishers.removesuffix("%")) if said.finishers else 0,
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


def pace_fields(settings: ServerSettings, current: Pace) -> list[Field]:
    """Return the fields of a pace: the allowed ones, and a line for an own one."""
    paces = [pace for pace in PACES.values() if is_allowed(settings, pace)]
    paces += [] if current in paces else [current]
    lines = [
        Option(marks.capital(_label(pace)), pace.name, marks.capital(pace_words(pace))) for pace in paces
    ]
    fields = [Field("pace", "Pace", value=current.name, required=True, options=lines)]
    if CUSTOM not in settings.forbidden_paces:
        about = f"Starting time + time per turn, up to a cap, like {EXAMPLE}"
        fields.append(Field("own_pace", "Or a pace of your own", about, longest=PACE_LENGTH))
    return fields


def read_pace_form(filled: Typed) -> Pace:
    """Return the pace of a form; one that was typed comes first."""
    return pace_of(filled.get("own_pace") or filled["pace"])


def time_fields(table: Table, settings: ServerSettings) -> list[Field]:
    """Return the fields of a table's time rules and of its company."""
    late = [
        Option(marks.capital(time_words.WORDS["when_late"][rule]), rule.value, LATE_MEANS[rule])
        for rule in WhenLate
    ]
    starts = [
        Option("When the host presses Start", BY_HAND),
        Option("Automatically, once all seats are taken", FULL),
    ]
    company = [Option(title, str(percent), about) for percent, (title, about) in FINISHERS.items()]
    begins, joining = FULL if table.starts_full else BY_HAND, str(table.finishers)
    fields = [
        *pace_fields(settings, table.pace),
        Field("late", "When someone is late", value=table.when_late.value, required=True, options=late),
        Field("full", "The game begins", value=begins, required=True, options=starts),
    ]
    if not table.arranged:
        fields.append(Field("finishers", "Who can join", value=joining, required=True, options=company))
    return fields


def read_time_form(filled: Typed) -> dict[str, Any]:
    """Return the changed fields of `Terms`. Raise Refused for an unreadable pace."""
    changes = {
        "pace": read_pace_form(filled),
        "when_late": WhenLate(filled["late"]),
        "starts_full": filled["full"] == FULL,
    }
    return changes | ({"finishers": int(filled["finishers"])} if "finishers" in filled else {})


def option_fields(table: Table, settings: ServerSettings) -> list[Field]:
    """Return the fields of a game's options and its computers' thinking."""
    current = msgspec.structs.asdict(table.options)
    applying = {choice.name for choice in presenter(table).choices(table.options)}
    fields = [
        Field(
            choice.name,
            choice.title,
            value=str(current[choice.name]),
            required=choice.name in applying,
            options=[Option(value.label, value.value, value.description) for value in choice.values],
        )
        for choice in ([] if table.arranged else choices_of(table.slug).values())
    ]
    has_computers = settings.computers or any(occupant.computer for occupant in table.seats)
    if has_computers and table.game.thinks_quickly:
        lines = [Option(label, value.value, about) for value, (label, about) in THINKING.items()]
        title = "How long strong computers think"
        fields.append(Field("thinking", title, value=table.thinking.value, required=True, options=lines))
    return fields


def read_option_form(table: Table, filled: Typed) -> dict[str, Any]:
    """Return the changed options and terms. Options that don't apply are as usual."""
    names = {name for name, value in filled.items() if value and name != "thinking"}
    changes: dict[str, Any] = {"thinking": game.Thinking(filled["thinking"])} if "thinking" in filled else {}
    if names:
        kind = type(table.options)
        plain = msgspec.to_builtins(table.options) | {name: filled[name] for name in names}
        options = msgspec.convert(plain, kind, strict=False)
        applying = {choice.name for choice in presenter(table).choices(options)}
        usual = {name: getattr(kind(), name) for name in names - applying}
        changes["options"] = msgspec.structs.replace(options, **usual)
    return changes


def _label(pace: Pace) -> str:
    return (
        pace.name.capitalize() if pace.kept and pace.name in PACES else pace.name if pace.kept else NO_CLOCK
    )
