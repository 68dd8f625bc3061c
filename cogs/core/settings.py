"""Settings as data: each has words in a TOML file, a control on a panel, and typed options."""

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
from cogs.ui.page import Button, ButtonLine, Menu, Option, Part, Pick
from cogs.ui.press import NOT_OURS, Press
from cogs.ui.text import Interaction
from engines.marks import capital
from tables.core.table import Refused

S = TypeVar("S")
Change = Callable[[S], S]
Suggestions = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class SettingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one setting.

    Attributes:
        effect: what it does.
        note: a step to take after it was set.
        values: the words of each value.
        labels: the labels of buttons; the invitation of a menu.
        options: the typed options, with their descriptions.
        form: the title of its form.
        fields: the label and the help of each line of its form.
        required: the lines that must be typed.
    """

    title: str
    effect: str
    note: str = ""
    values: dict[str, str] = {}
    labels: dict[str, str] = {}
    options: dict[str, str] = {}
    form: str = ""
    fields: dict[str, tuple[str, str]] = {}
    required: tuple[str, ...] = ()


def load_words(path: Path) -> dict[str, SettingWords]:
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, SettingWords])


@dataclass(frozen=True)
class PanelContext(Generic[S]):
    """The facts that a control is drawn from."""

    press: Press
    settings: S
    guild: discord.Guild | None
    now: float


@dataclass(frozen=True)
class PressContext(Generic[S]):
    """A press of a control, and the function that saves the change that it makes."""

    interaction: Interaction
    press: Press
    settings: S
    save: Callable[[Interaction, Change[S]], Awaitable[None]]

    @property
    def picked_id(self) -> int | None:
        return self.press.choice_number if self.press.values else None

    async def save_fields(self, **fields: Any) -> None:
        await self.save(self.interaction, lambda settings: _replace(settings, **fields))


@dataclass(frozen=True)
class Setting(ABC, Generic[S]):
    """One setting: its name in presses, all words, and the field that it sets.

    Subclasses show it by a button beside its words or by menus below them, and read typed options.
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

    def button(self, at: PanelContext[S]) -> Button | None:
        return None

    def menus(self, at: PanelContext[S]) -> list[Part]:
        return []

    @abstractmethod
    async def answer(self, at: PressContext[S]) -> None:
        """Change the setting, or ask for it by a form."""

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

    def whole(self, settings: S, now: float = 0.0) -> str:
        return f"{self.short(settings, now)}\n-# {self.words.effect}"

    def parts(self, room: str, settings: S, guild: discord.Guild | None, now: float = 0.0) -> list[Part]:
        at = PanelContext(Press(room, self.name), settings, guild, now)
        text, warning, button = self.whole(settings, now), self.warning(at), self.button(at)
        text += f"\n⚠ {warning}" if warning else ""
        note = [f"-# {self.words.note}"] if self.words.note else []
        return [text if button is None else ButtonLine(text, button), *self.menus(at), *note]

    async def ask(self, at: PressContext[S], values: Mapping[str, str], longest: int = 40) -> None:
        """Ask for the setting by a form that holds its current values."""

        async def on_filled(answered: Interaction, given: Typed) -> None:
            await at.save(answered, lambda settings: self.read(answered, settings, given))

        fields = [
            Field(name, label, about, values[name], longest, required=name in self.words.required)
            for name, (label, about) in self.words.fields.items()
        ]
        await ask(at.interaction, InputForm(self.words.form, fields, on_filled))


@dataclass(frozen=True)
class Switch(Setting[S]):
    """Turns a field on or off; `default` is that of its typed option."""

    default: bool | None = None

    def value(self, settings: S, now: float) -> str:
        key = "on" if getattr(settings, self.field) else "off"
        return self.words.values.get(key, key)

    def button(self, at: PanelContext[S]) -> Button | None:
        wanted = not getattr(at.settings, self.field)
        key = "on" if wanted else "off"
        label = self.words.labels.get(key, f"{self.words.title}: turn {key}")
        return Button(label, replace(at.press, arg=str(int(wanted))))

    async def answer(self, at: PressContext[S]) -> None:
        await at.save_fields(**{self.field: bool(at.press.number)})

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(bool if self.default is not None else bool | None, self.default)]

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        (wanted,) = given.values()
        return _replace(settings, **{self.field: wanted})


@dataclass(frozen=True)
class Selection(Setting[S]):
    """Chooses one of several values; `key` and `saved` convert a field's value.

    Two are switched by a button, more are chosen from a menu. `lines` are the words of each value, if the
    TOML file has none; `about` describes them.
    """

    key: Callable[[Any], str] = str
    saved: Callable[[str], Any] = str
    lines: Mapping[str, str] | None = None
    about: Mapping[str, str] | None = None
    default: Any = None

    @property
    def values(self) -> Mapping[str, str]:
        return self.lines or self.words.values

    def value(self, settings: S, now: float) -> str:
        return self.values[self._current(settings)]

    def button(self, at: PanelContext[S]) -> Button | None:
        if len(self.values) > 2:
            return None
        other = next(key for key in self.values if key != self._current(at.settings))
        label = self.words.labels.get(other, capital(self.values[other]))
        return Button(label, replace(at.press, arg=other))

    def menus(self, at: PanelContext[S]) -> list[Part]:
        if len(self.values) == 2:
            return []
        current = self._current(at.settings)
        lines = [
            Option(capital(words), key, (self.about or {}).get(key, ""), chosen=key == current)
            for key, words in self.values.items()
        ]
        return [Menu(at.press, self.words.title, lines)]

    async def answer(self, at: PressContext[S]) -> None:
        await at.save_fields(**self._read(at.press.values[0] if at.press.values else at.press.arg))

    def parameters(self) -> Sequence[tuple[Any, Any]]:
        return [(str if self.default is Parameter.empty else str | None, self.default)]

    def read(self, interaction: Interaction, settings: S, given: Mapping[str, Any]) -> S:
        (key,) = given.values()
        return _replace(settings, **self._read(key))

    def _current(self, settings: S) -> str:
        return self.key(getattr(settings, self.field))

    def _read(self, key: str) -> dict[str, Any]:
        if key not in self.values:
            raise Refused(NOT_OURS)
        return {self.field: self.saved(key)}


@dataclass(frozen=True)
class RoleSetting(Setting[S]):
    """Chooses a role of people, or none. `require` raises Refused for askers who can't."""

    require: Callable[[Interaction], None] = lambda _interaction: None

    def value(self, settings: S, now: float) -> str:
        role = getattr(settings, self.field)
        return self.words.values["none"] if role is None else f"<@&{role}>"

    def menus(self, at: PanelContext[S]) -> list[Part]:
        chosen = existing_ids(at.guild, [getattr(at.settings, self.field)])
        return [Pick(at.press, self.words.labels["menu"], "role", chosen)]

    async def answer(self, at: PressContext[S]) -> None:
        number, guild = at.picked_id, at.interaction.guild
        self._require(at.interaction, None if number is None or guild is None else guild.get_role(number))
        await at.save_fields(**{self.field: number})

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


def existing_ids(guild: discord.Guild | None, ids: Sequence[int | None]) -> list[int]:
    if guild is None:
        return []
    return [one for one in ids if one is not None and (guild.get_role(one) or guild.get_channel(one))]


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
