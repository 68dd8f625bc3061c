"""Settings as data: each has words in a TOML file, its part of a form, and typed options."""

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from keyword import iskeyword
from pathlib import Path
from typing import Any, Generic, TypeVar

import discord
import msgspec
from discord import app_commands
from msgspec.structs import replace

from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.page import Button, Option, Part
from cogs.ui.press import NOT_OURS, Press, number_of
from cogs.ui.text import Interaction
from engines.marks import capital
from tables.core.table import Refused

S = TypeVar("S")
Change = Callable[[S], S]
Save = Callable[[Interaction, Change[S]], Awaitable[None]]
Suggestions = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class SettingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one setting.

    Attributes:
        effect: what it does; the help of its choice in a form.
        note: a step to take after it was set.
        values: the words of each value.
        options: the typed options, with their descriptions.
        fields: the label and the help of each line that is typed into a form.
    """

    title: str
    effect: str
    note: str = ""
    values: dict[str, str] = {}
    options: dict[str, str] = {}
    fields: dict[str, tuple[str, str]] = {}


def load_words(path: Path) -> dict[str, SettingWords]:
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, SettingWords])


@dataclass(frozen=True)
class PanelContext(Generic[S]):
    """The facts on which a page of settings depends."""

    settings: S
    guild: discord.Guild | None
    now: float


@dataclass(frozen=True)
class Setting(ABC, Generic[S]):
    """One setting: its name, all words, and the field that it sets.

    Subclasses say what a form asks for, and read what was filled in there or typed as options.
    """

    name: str
    all_words: Mapping[str, SettingWords]
    field_name: str = ""

    @property
    def words(self) -> SettingWords:
        return self.all_words[self.name]

    @property
    def field(self) -> str:
        return self.field_name or self.name

    @abstractmethod
    def value(self, settings: S, now: float) -> str:
        """Return the value in words."""

    @abstractmethod
    def fields(self, at: PanelContext[S]) -> list[Field]:
        """Return what a form asks for, with the current values."""

    @abstractmethod
    def fill(self, interaction: Interaction, settings: S, filled: Typed) -> S:
        """Return the settings, changed by a filled form. Raise Refused if it makes no sense."""

    def choice(self, value: str, options: Sequence[Option] = (), most: int = 1, **more: Any) -> Field:
        """Return the field of a choice, named and explained like the setting."""
        words = self.words
        return Field(self.name, words.title, words.effect, value, options=options, most=most, **more)

    def lines(self, *values: str, longest: int = 40, required: int = 0) -> list[Field]:
        """Return the lines to type; the first `required` can't be empty."""
        pairs = enumerate(zip(self.words.fields.items(), values, strict=True))
        return [
            Field(name, label, about, value, longest, number < required)
            for number, ((name, (label, about)), value) in pairs
        ]

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        """Return each typed option's type and default."""
        return [(str | None, None)] * len(self.words.options)

    def suggestions(self) -> dict[str, Suggestions]:
        return {}

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        """Return the settings, changed by typed options. Raise Refused if they make no sense."""
        return settings

    def warning(self, at: PanelContext[S]) -> str:
        return ""

    def short(self, settings: S, now: float = 0.0) -> str:
        return f"**{self.words.title}**: {self.value(settings, now)}"

    def whole(self, at: PanelContext[S]) -> str:
        """Return the value with its warning and its note."""
        warning, note = self.warning(at), self.words.note
        lines = [f"⚠ {warning}" if warning else "", f"-# {note}" if note else ""]
        return "\n".join([self.short(at.settings, at.now), *filter(None, lines)])


@dataclass(frozen=True)
class Group(Generic[S]):
    """Settings that share a button and its form of at most five fields."""

    name: str
    title: str
    rows: tuple[Setting[S], ...]

    def parts(self, room: str, at: PanelContext[S]) -> list[Part]:
        text = "\n".join(row.whole(at) for row in self.rows)
        return [text, [Button(self.title, Press(room, self.name))]]

    async def ask(self, interaction: Interaction, at: PanelContext[S], save: Save[S]) -> None:
        """Ask for all values by a form, and save those that changed.

        What somebody else has changed since stays.
        """
        fields = [(row, row.fields(at)) for row in self.rows]

        async def on_filled(answered: Interaction, filled: Typed) -> None:
            changed = [
                row
                for row, asked in fields
                if any(set(filled[one.name].split("\n")) != set(one.value.split("\n")) for one in asked)
            ]

            def change(settings: S) -> S:
                for row in changed:
                    settings = row.fill(answered, settings, filled)
                return settings

            await save(answered, change)

        asked = [field for _, asked in fields for field in asked]
        await ask(interaction, InputForm(self.title, asked, on_filled))


@dataclass(frozen=True)
class Switch(Setting[S]):
    """Turns a field on or off; `default` is that of its typed option."""

    default: bool | None = None

    def value(self, settings: S, now: float) -> str:
        key = "on" if getattr(settings, self.field) else "off"
        return self.words.values.get(key, key)

    def fields(self, at: PanelContext[S]) -> list[Field]:
        lines = [Option(capital(self.words.values.get(key, key)), key) for key in ("on", "off")]
        return [self.choice("on" if getattr(at.settings, self.field) else "off", lines, required=True)]

    def fill(self, interaction: Interaction, settings: S, filled: Typed) -> S:
        return _replace(settings, **{self.field: filled[self.name] == "on"})

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(bool if self.default is not None else bool | None, self.default)]

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        (wanted,) = given.values()
        return _replace(settings, **{self.field: wanted})


@dataclass(frozen=True)
class Selection(Setting[S]):
    """Chooses one of several values; `key` and `saved` convert a field's value.

    `texts` are the words of each value, if the TOML file has none; `about` describes them.
    """

    key: Callable[[Any], str] = str
    saved: Callable[[str], Any] = str
    texts: Mapping[str, str] | None = None
    about: Mapping[str, str] | None = None
    default: Any = None

    @property
    def values(self) -> Mapping[str, str]:
        return self.texts or self.words.values

    def value(self, settings: S, now: float) -> str:
        return self.values[self.key(getattr(settings, self.field))]

    def fields(self, at: PanelContext[S]) -> list[Field]:
        about = self.about or {}
        lines = [Option(capital(words), key, about.get(key, "")) for key, words in self.values.items()]
        return [self.choice(self.key(getattr(at.settings, self.field)), lines, required=True)]

    def fill(self, interaction: Interaction, settings: S, filled: Typed) -> S:
        return _replace(settings, **{self.field: self.saved(filled[self.name])})

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(str if self.default is Parameter.empty else str | None, self.default)]

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        (key,) = given.values()
        if key not in self.values:
            raise Refused(NOT_OURS)
        return _replace(settings, **{self.field: self.saved(key)})


@dataclass(frozen=True)
class RoleSetting(Setting[S]):
    """Chooses a role of people, or none. `require` raises Refused for askers who can't."""

    require: Callable[[Interaction], None] = lambda _interaction: None

    def value(self, settings: S, now: float) -> str:
        role = getattr(settings, self.field)
        return self.words.values["none"] if role is None else f"<@&{role}>"

    def fields(self, at: PanelContext[S]) -> list[Field]:
        return [self.choice(existing_ids(at.guild, [getattr(at.settings, self.field)]), pick="role")]

    def fill(self, interaction: Interaction, settings: S, filled: Typed) -> S:
        number, guild = number_of(filled[self.name] or "0") or None, interaction.guild
        self._require(interaction, None if number is None or guild is None else guild.get_role(number))
        return _replace(settings, **{self.field: number})

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return (discord.Role | None, None), (bool, False)

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        name, clear = self.words.options
        role = None if clear in given else given[name]
        self._require(interaction, role)
        return _replace(settings, **{self.field: None if role is None else role.id})

    def _require(self, interaction: Interaction, role: discord.Role | None) -> None:
        self.require(interaction)
        if role is not None and role.is_bot_managed():
            raise Refused(f"{role.mention} belongs to a bot. Choose another one.")


def existing_ids(guild: discord.Guild | None, ids: Sequence[int | None]) -> str:
    """Return the ids that still exist, one a line."""
    if guild is None:
        return ""
    return "\n".join(str(one) for one in ids if one and (guild.get_role(one) or guild.get_channel(one)))


def with_options(rows: Sequence[Setting[Any]]) -> Callable[[Any], Any]:
    """Return a decorator: a cog's command gets the options of some settings.

    They take the place of its last parameter, and come before those that are named only.
    """

    def decorate(callback: Any) -> Any:
        own = list(signature(callback, eval_str=True).parameters.values())[:-1]
        # discord.py reads here what the command asks for; of a function within another it expects no cog.
        own = own[1:] if "<locals>" in callback.__qualname__ else own
        parameters = [one for one in own if one.kind is not Parameter.KEYWORD_ONLY]
        for row in rows:
            for name, (kind, default) in zip(row.words.options, row.parameters(), strict=False):
                safe = _python_name(name)
                asked = Parameter(safe, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
                parameters.append(asked)
                app_commands.describe(**{safe: row.words.options[name]})(callback)
                app_commands.rename(**{safe: name})(callback)
                if isinstance(row, Selection):
                    lines = [app_commands.Choice(name=text, value=key) for key, text in row.values.items()]
                    app_commands.choices(**{safe: lines})(callback)
            app_commands.autocomplete(**row.suggestions())(callback)
        named = [one for one in own if one.kind is Parameter.KEYWORD_ONLY]
        callback.__signature__ = Signature([*parameters, *named])
        return callback

    return decorate


def change_by_options(
    interaction: Interaction, rows: Sequence[Setting[S]], typed: Mapping[str, Any]
) -> Change[S]:
    def apply(settings: S) -> S:
        for row in rows:
            known = {name: typed[_python_name(name)] for name in row.words.options}
            defaults = [default for _, default in row.parameters()]
            given = {
                name: value
                for (name, value), default in zip(known.items(), defaults, strict=False)
                if value is not None and (value or default is not False)
            }
            if given:
                settings = row.read(interaction, settings, given)
        return settings

    return apply


def _python_name(option: str) -> str:
    """Return a parameter's name: `from` is none in Python."""
    return f"{option}_" if iskeyword(option) else option


def _replace(settings: S, **fields: Any) -> S:
    return replace(settings, **fields)  # type: ignore[type-var]  # every kind of settings is a Struct
