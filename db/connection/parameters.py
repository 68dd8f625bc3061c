"""Translates the parameters of a PostgreSQL address into what the driver and the tools take."""

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy.engine import URL

PARTS = {"user": "username", "password": "password", "dbname": "database", "database": "database"}
PLACES = frozenset({"host", "port"})
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "ssl": SSL_MODES,
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
    "channel_binding": ("disable", "prefer"),
    "gssencmode": ("disable", "prefer"),
}
UNSUPPORTED = frozenset({"channel_binding", "gssencmode"})
"""Parameters the driver can't follow; a preference is dropped, a demand refused."""
FILES = ("sslrootcert", "sslcert", "sslkey")
SYSTEM = "system"
"""The root certificates of this machine, as a value of sslrootcert."""
STARTUP = frozenset({"application_name", "options"})
"""Parameters that the server itself reads when a connection starts."""
KNOWN = PLACES | STARTUP | {*CHOICES, *FILES, "connect_timeout"}
TOOL_VARIABLES = {
    "ssl": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "application_name": "PGAPPNAME",
    "options": "PGOPTIONS",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}
"""The environment variables in which PostgreSQL's own tools expect parameters."""


def server_url(url: URL) -> URL:
    """Return the URL with its parameters checked and spelled our way.

    Raises:
        ValueError: with a sentence that names the parameter.
    """
    query: dict[str, Any] = {
        name: value if name in PLACES or isinstance(value, str) else value[-1]
        for name, value in url.query.items()
    }
    parts = {PARTS[name]: query.pop(name) for name in PARTS if name in query}
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    if query.get("ssl") in ("true", "1"):
        query["ssl"] = "require"
    for name in query:
        _require_valid(name, str(query[name]))
    if query.get("sslrootcert") == SYSTEM and query.setdefault("ssl", "verify-full") != "verify-full":
        raise ValueError("has sslrootcert=system, which needs sslmode=verify-full")
    url = url.set(query={name: query[name] for name in query if name not in UNSUPPORTED}, **parts)
    if not url.database:
        raise ValueError("names no database; try postgresql://user:password@host/database")
    _require_host(url)
    return url


def _require_valid(name: str, value: str) -> None:
    spelled = "sslmode" if name == "ssl" else name
    if name not in KNOWN:
        raise ValueError(f"has the parameter “{name}”, which the bot doesn't know; leave it out")
    if name in UNSUPPORTED and value == "require":
        raise ValueError(
            f"has {name}=require, which the bot's driver can't do; leave it out, and let "
            "sslmode=verify-full make sure of the server"
        )
    if name in CHOICES and value not in CHOICES[name]:
        raise ValueError(f"has {spelled}={value}; it can be {', '.join(CHOICES[name])}")
    if name == "connect_timeout" and not (value.isascii() and value.isdigit()):
        raise ValueError(f"has connect_timeout={value}; it must be a whole number of seconds")
    if name in FILES and not (name == "sslrootcert" and value == SYSTEM) and not Path(value).is_file():
        raise ValueError(f"has {name}={value}, a file that isn't there")


def _require_host(url: URL) -> None:
    if url.port is not None and not 0 < url.port < 65536:
        raise ValueError(f"has the port {url.port}; it must be between 1 and 65535")
    try:
        (url.host or "").encode("idna")
    except UnicodeError:
        raise ValueError(f"has the host {url.host}, which can't be a host's name") from None


def without_parameters(url: URL) -> URL:
    """Return the URL without what `driver_arguments` translates."""
    return url.difference_update_query(KNOWN - PLACES)


def driver_arguments(url: URL) -> dict[str, Any]:
    """Return the URL's parameters as arguments of asyncpg's."""
    query = {name: str(value) for name, value in url.query.items()}
    result: dict[str, Any] = {**_encryption(query)}
    settings = {name: query[name] for name in STARTUP if name in query}
    if settings:
        result["server_settings"] = settings
    if int(query.get("connect_timeout", 0)):
        result["timeout"] = int(query["connect_timeout"])
    if "target_session_attrs" in query:
        result["target_session_attrs"] = query["target_session_attrs"]
    return result


def _encryption(query: Mapping[str, str]) -> dict[str, Any]:
    files = {name: query[name] for name in FILES if name in query}
    if query.get("sslrootcert") == SYSTEM:
        context = ssl.create_default_context()
        if "sslcert" in files:
            context.load_cert_chain(files["sslcert"], files.get("sslkey"))
        return {"ssl": context}
    if files:  # the driver takes files in an address alone
        mode = {"sslmode": query["ssl"]} if "ssl" in query else {}
        return {"dsn": f"postgresql:///?{urlencode(mode | files)}"}
    return {"ssl": query["ssl"]} if "ssl" in query else {}


def tool_environment(url: URL) -> dict[str, str]:
    """Return the environment variables that tell PostgreSQL's tools the address."""
    host = url.host or url.query.get("host") or ""
    named = {
        "PGHOST": host if isinstance(host, str) else ",".join(host),
        "PGPORT": None if url.port is None else str(url.port),
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        **{variable: url.query.get(name) for name, variable in TOOL_VARIABLES.items()},
    }
    return {variable: str(value) for variable, value in named.items() if value}
