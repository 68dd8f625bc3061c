"""All settings of the bot, read once from the environment or a `.env` file and checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from db.connection.opening import database_url
from db.processes import AUTO, ShardPlan, shard_ids
from engines.marks import find_encoding

HERE = Path(__file__).resolve().parents[1]
PRACTICE_SETTING = "PRACTICE_DATABASE_URL"
"""The name of the setting for practice mode's database."""


OTHER_SECRETS = {
    r"[\w-]{32}": "a client secret",
    r"[0-9a-f]{64}": "a public key",
    r"\d{17,20}": "an application ID",
}


class BadSettings(Exception):
    """Raised if settings can't be used; its text has one line per setting."""


class Settings(BaseSettings):
    """The settings, with their defaults. `.env.example` describes them."""

    model_config = SettingsConfigDict(env_file=HERE / ".env", env_file_encoding="utf-8", extra="ignore")

    discord_token: SecretStr | None = None
    database_url: str = Field(default="sqlite:///parlour.db", repr=False)
    database_pool: int = Field(default=5, ge=2, le=100)
    database_timeout: int = Field(default=30, ge=1, le=600)
    shard_count: int | None = Field(default=None, ge=1, le=16384)
    shard_ids: str = ""
    shards_per_process: int | None = Field(default=None, ge=1, le=16384)
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    metrics_host: str = "127.0.0.1"
    workers: int = Field(default=2, ge=2, le=32)
    worker_memory_mb: int = Field(default=2048, ge=256, le=1_048_576)
    keep_removed_days: int = Field(default=30, ge=0, le=3650)
    practice_database_url: str = Field(default="sqlite:///practice.db", repr=False)
    practice_port: int = Field(default=8420, ge=0, le=65535)
    practice_browser: bool = Field(default=True, validation_alias=AliasChoices("practice_browser"))

    @field_validator("discord_token", mode="before")
    @classmethod
    def _token(cls, value: object) -> object:
        if not isinstance(value, str) or not value.strip():
            return None
        token = value.strip()
        for shape, name in OTHER_SECRETS.items():
            if re.fullmatch(shape, token):
                raise ValueError(f"that looks like {name}; press Reset Token on the portal's page Bot")
        if token.count(".") != 2 or len(token) < 50 or any(character.isspace() for character in token):
            raise ValueError("does not look like a bot's token; copy it again from the developer portal")
        return token

    @field_validator("metrics_port", "shard_count", "shards_per_process", mode="before")
    @classmethod
    def _none(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("shard_ids")
    @classmethod
    def _shards(cls, value: str) -> str:
        shard_ids(value)
        return value.strip().lower()

    @model_validator(mode="after")
    def _check_division(self) -> Settings:
        named = shard_ids(self.shard_ids)
        if self.shards_per_process is not None and named != AUTO:
            raise ValueError("SHARDS_PER_PROCESS: only works with SHARD_IDS=auto; remove it")
        if named is None:
            return self
        if self.shard_count is None:
            raise ValueError("SHARD_IDS: needs SHARD_COUNT, the total number of shards")
        if named != AUTO and named[-1] >= self.shard_count:
            last = self.shard_count - 1
            raise ValueError(f"SHARD_IDS: there's no shard {named[-1]}; the last of {last + 1} is {last}")
        if self.database_url.startswith("sqlite") and (named == AUTO or len(named) < self.shard_count):
            raise ValueError(
                "SHARD_IDS: several processes need PostgreSQL, as SQLite allows only one; "
                "remove it, or set DATABASE_URL to a server"
            )
        return self

    @field_validator("log_format", mode="before")
    @classmethod
    def _format(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _level(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("database_url", "practice_database_url")
    @classmethod
    def _url(cls, value: str) -> str:
        url = database_url(value)
        name = url.database
        if url.get_backend_name() == "sqlite" and name and name != ":memory:":
            url = url.set(database=str(HERE / name))
        return url.render_as_string(hide_password=False)

    @property
    def plan(self) -> ShardPlan:
        """Return the division of the servers among processes; by default one shard."""
        count, named = self.shard_count or 1, shard_ids(self.shard_ids)
        if named == AUTO:
            return ShardPlan(count, None, min(self.shards_per_process or count, count))
        wanted = tuple(range(count)) if named is None else named
        return ShardPlan(count, wanted, len(wanted))


def load() -> Settings:
    """Read the settings of this process.

    Raises:
        BadSettings: with one sentence for each unusable setting.
    """
    file = Settings.model_config.get("env_file")
    encoding = _env_encoding(file) if isinstance(file, Path) else "utf-8"
    try:
        return Settings(_env_file_encoding=encoding)  # type: ignore[call-arg]  # of the library's own
    except ValidationError as error:
        raise BadSettings("\n".join(_sentence(dict(item)) for item in error.errors())) from None


def _env_encoding(file: Path) -> str:
    """Return the encoding of a settings file: Windows editors vary.

    Raise BadSettings if it can't be read, with the number of the line.
    """
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return "utf-8"
    except OSError as error:
        raise BadSettings(f"{file}: can't be read: {error.strerror}.") from None
    encoding = find_encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(encoding, "ignore") + "\0"
    before, stray, _ = text.partition("\0")
    if stray:
        line = before.count("\n") + 1
        raise BadSettings(f"{file}: line {line} has a character that isn't UTF-8; save the file as UTF-8.")
    return encoding


def _sentence(item: dict[str, object]) -> str:
    place = item["loc"]
    reason = str(item["msg"]).removeprefix("Value error, ")
    if not place:  # about several settings; the sentence names the one to change
        return f"{reason}."
    name = str(place[0] if isinstance(place, tuple) else place).upper()
    reason = reason[0].lower() + reason[1:]
    return f"{name}: {reason}."
