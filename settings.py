"""Every setting of the bot, read once from the environment or a `.env` file and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from db.opening import database_url

HERE = Path(__file__).resolve().parent


class BadSettings(Exception):
    """The settings can't be used; its text has one sentence a line, each about one setting."""


class Settings(BaseSettings):
    """The settings, with their defaults. `.env.example` lists them for people."""

    model_config = SettingsConfigDict(env_file=HERE / ".env", env_file_encoding="utf-8", extra="ignore")

    discord_token: SecretStr | None = None
    database_url: str = Field(default="sqlite:///parlour.db", repr=False)
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    metrics_host: str = "127.0.0.1"
    workers: int = Field(default=2, ge=2, le=32)
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
        if token.count(".") != 2 or len(token) < 50 or any(character.isspace() for character in token):
            raise ValueError("does not look like a bot's token; copy it again from the developer portal")
        return token

    @field_validator("metrics_port", mode="before")
    @classmethod
    def _port(cls, value: object) -> object:
        return None if value == "" else value

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


def load() -> Settings:
    """The settings of this process.

    Raises:
        BadSettings: with one sentence for every setting that can't be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise BadSettings("\n".join(_sentence(dict(item)) for item in error.errors())) from None


def _sentence(item: dict[str, object]) -> str:
    place = item["loc"]
    name = str(place[0] if isinstance(place, tuple) else place).upper()
    reason = str(item["msg"]).removeprefix("Value error, ")
    reason = reason[0].lower() + reason[1:]
    return f"{name}: {reason}."
