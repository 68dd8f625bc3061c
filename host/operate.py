"""Commands for operators of the bot: `python bot.py check`, `backup`, …; see docs/running/operating.md."""

import argparse
import asyncio
import platform
import shutil
import sys
import sysconfig
import time
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import aiohttp
import discord
from PIL import Image, ImageOps
from pydantic import SecretStr

from cogs import VERSION
from cogs.discord.trial import ServerTrial, answer_of, read_application
from cogs.review.import_export import PageWriter
from db.backup import BadCopy, backup, move, restore
from db.condition import Condition, DatabaseStatus, require_there, require_usable
from db.connection import opening, trouble, writer
from db.store import Store
from engines.game import Seat
from engines.workers import Workers
from host import components, puzzles, simulate
from host.settings import BadSettings, Settings, load
from render.core.text import FontFace, font
from render.core.theme import LIGHT
from tables.core.table import Table
from tables.review import inspect
from tables.review.record import Record

FINE, AMISS, UNUSABLE = 0, 1, 2
"""Exit codes: all is well; something has to be fixed; the command failed."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # what is listened at, not by us
PATIENCE = 10.0
"""Seconds to wait for a bot's answer."""
SLOW = "built without optimisation, so it takes 1.2 to 1.75 times as long"
LEAST_FREE = 200 * 1024 * 1024
"""Bytes that should be free on the database's disk."""
PRACTISED = (
    "no token, so the bot runs practice mode, on PRACTICE_DATABASE_URL; this command uses DATABASE_URL"
)
COUNTED = {
    "actions": "steps of all tables",
    "snapshots": "positions kept",
    "outbox": "posts to send",
    "people": "people with settings",
    "guilds": "servers with settings",
}
"""The counted things, in words."""
NAMED = 10
"""Unreadable rows that `check` names."""
LISTING = tomllib.loads(Path(__file__).with_name("listing.toml").read_text("utf-8"))
LISTED = {"summary": 200, "description": 400}
"""The most letters of the texts in Discord's directory."""
PICTURES, WIDE = Path(__file__).parents[1] / "docs" / "pictures", (1280, 720)
Line = tuple[bool | None, str]
T = TypeVar("T")


async def _on_discord(token: str, server: int | None, channel: int | None) -> AsyncIterator[Line]:
    """Log in; with a server, try there everything that a table needs."""
    async with discord.AutoShardedClient(
        intents=discord.Intents.none(), allowed_mentions=discord.AllowedMentions.none()
    ) as client:
        try:
            await client.login(token)
        except discord.LoginFailure:
            yield False, "token: Discord doesn't accept it; copy it again from the developer portal"
            return
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            yield False, f"token: {answer_of(error)}; try again later"
            return
        yield True, f"token: Discord knows it as {client.user}"
        async for finding in read_application(client):
            yield finding.is_ok, finding.text
        about = client.application
        for address in (about.terms_of_service_url, about.privacy_policy_url) if about else ():
            if address:
                status, _ = await _request_page(address)
                yield status == 200, f"application: {address} answers {status or 'nothing'}"
        if server is not None:
            async for finding in ServerTrial(client, server, channel).findings():
                yield finding.is_ok, finding.text


async def _tell(lines: AsyncIterator[Line]) -> bool:
    """Print lines as they come; return True if all are well."""
    all_well = True
    async for line in lines:
        all_well &= _print_line(line)
    return all_well


def _print_line(line: Line) -> bool:
    well, text = line
    print(f"{'note' if well is None else 'ok  ' if well else 'BAD '} {text}", flush=True)
    return well is not False


def _describe(at: trouble.DatabaseLabel, status: DatabaseStatus) -> str:
    match status.condition:
        case Condition.EMPTY if at.file is not None and not at.file.exists():
            return f"the first start creates {at}"
        case Condition.EMPTY:
            return f"{at} is empty; the first start creates its tables"
        case Condition.OLDER:
            return f"{at} is at version {status.version}; the next start updates it"
        case Condition.USABLE:
            return f"{at} is at version {status.version}, a newer one that this version can use"
        case _:
            return f"{at}, at version {status.version}"


def _rows(settings: Settings) -> Iterator[Line]:
    """Count unreadable rows, unless a start would change the database."""
    at = trouble.DatabaseLabel.of(settings.database_url)
    try:
        if asyncio.run(require_usable(at)).condition is not Condition.CURRENT:
            return
        found = asyncio.run(_with_store(settings, inspect.find_unreadable))
    except (trouble.DatabaseUnreachable, writer.DatabaseUnavailable):  # the line before says so
        return
    if found:
        names = ", ".join(found[:NAMED]) + (", …" if len(found) > NAMED else "")
        yield False, f"rows: {len(found)} can't be read and are left out: {names}; the log says why"
    else:
        yield True, "rows: all can be read"


def is_optimised(flags: str | None, options: str | None) -> bool:
    """Return True if an interpreter was compiled for speed.

    >>> is_optimised("-O3", "--enable-optimizations"), is_optimised("-O3", ""), is_optimised(None, None)
    (True, False, True)
    """
    if flags is None or options is None or "--with-pydebug" in options:
        return options is None
    # A distribution's own is profiled without that option.
    return (
        any(word in options for word in ("--enable-optimizations", "--prefix=/usr'")) and "-O0" not in flags
    )


def findings(settings: Settings) -> Iterator[Line]:
    """Yield a line about everything that the bot needs here."""
    flags, options = (sysconfig.get_config_var(name) for name in ("PY_CFLAGS", "CONFIG_ARGS"))
    speed = "" if is_optimised(flags, options) else f" ({SLOW})"
    yield True, f"version: Tangle Parlour {VERSION}, Python {platform.python_version()}{speed}"
    yield True, f"settings: {'a token is set' if settings.discord_token else PRACTISED}"
    at = trouble.DatabaseLabel.of(settings.database_url)
    try:  # as a start does, but change nothing
        yield True, f"database: {_describe(at, asyncio.run(require_usable(at)))}"
    except trouble.DatabaseUnreachable as reason:
        yield False, f"database: {reason}"
    yield from _rows(settings)
    try:
        for face in FontFace:
            font(face, 20)
        yield True, "fonts: all there"
    except (OSError, ImportError) as error:
        yield False, f"fonts: {error}; `make run` installs what is missing"
    folder = Path() if at.file is None or not at.file.parent.is_dir() else at.file.parent
    free = shutil.disk_usage(folder).free
    text = f"{free // 1024**2} MB free in {folder.resolve()}"
    is_enough = free >= LEAST_FREE
    yield is_enough, f"disk: {text}" if is_enough else f"disk: only {text}; make room there"


def _check(settings: Settings, wish: argparse.Namespace) -> int:
    if wish.channel is not None and wish.server is None:
        print("--channel needs --server, the channel's server.", file=sys.stderr)
        return UNUSABLE
    is_well = all(list(map(_print_line, findings(settings))))
    token = settings.discord_token
    if not (wish.token or wish.server is not None):
        return FINE if is_well else AMISS
    if token is None:
        _print_line((False, "token: DISCORD_TOKEN is missing"))
        return AMISS
    return FINE if _ask_discord(token, wish) and is_well else AMISS


def _ask_discord(token: SecretStr, wish: argparse.Namespace) -> bool:
    server, channel = (getattr(wish, name, None) for name in ("server", "channel"))
    return asyncio.run(_tell(_on_discord(token.get_secret_value(), server, channel)))


def _migrate(settings: Settings, _wish: argparse.Namespace) -> int:
    async def open_store() -> None:
        await (await Store.open(settings.database_url)).close()

    asyncio.run(open_store())
    print("The database is up to date.")
    return FINE


def _backup(settings: Settings, wish: argparse.Namespace) -> int:
    backup(settings.database_url, wish.path)
    print(f"{wish.path}: a whole copy, verified.")
    return FINE


def _restore(settings: Settings, wish: argparse.Namespace) -> int:
    restore(settings.database_url, wish.path, force=wish.force)
    print("The copy is in place. Start the bot; it updates the copy.")
    return FINE


def _address(text: str) -> str:
    try:
        return opening.database_url(text).render_as_string(hide_password=False)
    except ValueError as reason:
        raise argparse.ArgumentTypeError(str(reason)) from None


def _copy(_settings: Settings, wish: argparse.Namespace) -> int:
    for name, number in asyncio.run(move(wish.source, wish.target)).items():
        print(f"{name:<24}{number:>12,}")
    print("All rows are copied and compared. Set DATABASE_URL to the target, and start the bot.")
    return FINE


def _health(settings: Settings, _wish: argparse.Namespace) -> int:
    if settings.metrics_port is None:
        print("METRICS_PORT is not set, so I can't reach the bot.", file=sys.stderr)
        return UNUSABLE
    address = f"http://{_reachable(settings.metrics_host)}:{settings.metrics_port}/health"
    status, text = asyncio.run(_request_page(address))
    print(text)
    return FINE if status == 200 else AMISS


def _reachable(host: str) -> str:
    """Return the host by which a listener is reached from this machine.

    >>> _reachable("0.0.0.0"), _reachable("::1")
    ('127.0.0.1', '[::1]')
    """
    host = EVERYWHERE.get(host, host)
    return f"[{host}]" if ":" in host else host


async def _request_page(address: str) -> tuple[int, str]:
    """Return the status and text of an answer; 0 if nobody answers."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE)) as session,
            session.get(address) as answer,
        ):
            return answer.status, await answer.text()
    except (aiohttp.ClientError, TimeoutError) as error:
        why = type(error).__name__ if isinstance(error, TimeoutError) else "nothing is listening there"
        return 0, (
            f"The bot doesn't answer at {address}: {why}. It must be running with METRICS_PORT set, "
            "also in practice mode."
        )


def _adopt(settings: Settings, _wish: argparse.Namespace) -> int:
    owner = asyncio.run(_on_the_store(settings, lambda store: store.ownership.release()))
    whose = "of no application yet" if owner is None else f"of application {owner} until now"
    print(f"The database was {whose}. Now it goes to the next bot that starts on it.")
    return FINE


def _note_left(settings: Settings, wish: argparse.Namespace) -> int:
    async def note_removed(store: Store) -> set[int]:
        unknown = set(wish.servers) - await store.servers.known_servers()
        for guild_id in wish.servers if not unknown else ():
            await store.servers.note_removed(guild_id, time.time())
        return unknown

    unknown = asyncio.run(_on_the_store(settings, note_removed))
    if unknown:
        text = ", ".join(map(str, sorted(unknown)))
        print(f"The database has nothing on {text}. Nothing changed.", file=sys.stderr)
        return UNUSABLE
    print("Noted. Start the bot; it keeps their data for KEEP_REMOVED_DAYS.")
    return FINE


async def _on_the_store(settings: Settings, what: Callable[[Store], Awaitable[T]]) -> T:
    """Use the database; refuse if a bot runs on that file."""
    require_there(trouble.DatabaseLabel.of(settings.database_url))
    with trouble.hold_file(settings.database_url):
        return await _with_store(settings, what)


async def _with_store(settings: Settings, what: Callable[[Store], Awaitable[T]]) -> T:
    """Use the database, even while a bot runs."""
    require_there(trouble.DatabaseLabel.of(settings.database_url))
    store = await Store.open(settings.database_url)
    try:
        return await what(store)
    finally:
        await store.close()


def _stats(settings: Settings, _wish: argparse.Namespace) -> int:
    for name, number in asyncio.run(_with_store(settings, Store.counts)).items():
        print(f"{COUNTED.get(name, name):<24}{number:>12,}")
    return FINE


def _tables(settings: Settings, wish: argparse.Namespace) -> int:
    return inspect.main(wish.rest, settings.database_url, write_page)


async def write_page(record: Record, workers: Workers, table: Table, seat: Seat | None) -> bytes:
    return await PageWriter(record, workers, table, seat, LIGHT.name).write()


Command = Callable[[Settings, argparse.Namespace], int]


def _listing(settings: Settings, wish: argparse.Namespace) -> int:
    """Print the texts, write the pictures; check the application's addresses."""
    for name, most in LISTED.items():
        print(f"{name}, {len(LISTING[name].strip())} of {most} letters:\n\n{LISTING[name].strip()}\n")
    wish.out.mkdir(parents=True, exist_ok=True)
    for name in LISTING["pictures"]:
        with Image.open(PICTURES / name) as image:
            wide = ImageOps.pad(image.convert("RGB"), WIDE, color=LIGHT.paper)
        wide.save(wish.out / f"{Path(name).parent}.png")
    print(f"tags: {', '.join(LISTING['tags'])}\npictures: {len(LISTING['pictures'])} in {wish.out}")
    return AMISS if settings.discord_token and not _ask_discord(settings.discord_token, wish) else FINE


def _with_own_parser(run: Callable[[Sequence[str]], int]) -> Command:
    return lambda _settings, wish: run(wish.rest)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bot.py", description="Tangle Parlour. Without a command, run the bot; see docs/running/operating.md."
    )
    parser.add_argument("--version", action="version", version=f"Tangle Parlour {VERSION}")
    ways = parser.add_subparsers(metavar="command", required=True)

    def way(name: str, command: Command, text: str) -> argparse.ArgumentParser:
        parser = ways.add_parser(name, help=text, description=text)
        parser.set_defaults(command=command)
        return parser

    check = way("check", _check, "check settings, database, fonts and disk space; try Discord")
    check.add_argument(
        "--token", action="store_true", help="also ask Discord about the token and its application"
    )
    check.add_argument(
        "--server", type=int, metavar="ID", help="try everything a table needs in this server, then clean up"
    )
    check.add_argument("--channel", type=int, metavar="ID", help="in this channel of the server")
    way("migrate", _migrate, "update the database without starting the bot")
    way("backup", _backup, "copy the database to a file, while the bot runs").add_argument("path", type=Path)
    back = way("restore", _restore, "replace the database by a copy, while the bot is stopped")
    back.add_argument("path", type=Path)
    back.add_argument("--force", action="store_true", help="even if a database exists")
    carry = way("copy", _copy, "move a database into an empty one, e.g. from SQLite to PostgreSQL")
    carry.add_argument("source", type=_address, help="the URL to copy from, like sqlite:///parlour.db")
    carry.add_argument("target", type=_address, help="the URL of an empty database")
    way("adopt", _adopt, "give the database to the next bot that starts on it, with another token")
    gone = way("left", _note_left, "note that servers have removed the bot, if it took that for an outage")
    gone.add_argument("servers", type=int, nargs="+", help="the ids of servers, as in the log")
    way("health", _health, "check that the running bot works (METRICS_PORT)")
    way("listing", _listing, "print what Discord's directory asks for").add_argument(
        "--out", type=Path, default=Path("build/listing"), help="the folder of its pictures"
    )
    way("stats", _stats, "count what's in the database")
    way("tables", _tables, "show, export, replay or patch a table; tables --help tells more")
    way("simulate", ELSEWHERE["simulate"], "let computers play many games; simulate --help tells more")
    way("puzzles", ELSEWHERE["puzzles"], "make a game's puzzles; puzzles --help tells more")
    way(
        "scenario", ELSEWHERE["scenario"], "open a reported game in practice mode; scenario --help tells more"
    )
    way("components", ELSEWHERE["components"], "check and draw component data; components --help tells more")
    return parser


ELSEWHERE: dict[str, Command] = {
    "tables": _tables,
    "simulate": _with_own_parser(simulate.main),
    "puzzles": _with_own_parser(puzzles.main),
    "components": _with_own_parser(components.main),
    # It loads practice mode, which no other command needs.
    "scenario": lambda settings, wish: import_module("host.scenario").main(settings, wish.rest),
}
"""The commands that have a parser of their own."""


def main(arguments: Sequence[str]) -> int:
    """Run a command; return its exit code. It is 1 if something has to be fixed, 2 if the command failed."""
    if arguments[0] in ELSEWHERE:
        # What follows is for another parser, options too.
        wish = argparse.Namespace(command=ELSEWHERE[arguments[0]], rest=list(arguments[1:]))
    else:
        wish = _parser().parse_args(arguments)
    try:
        settings = load()
        try:
            return int(wish.command(settings, wish))
        except writer.DatabaseUnavailable as reason:
            raise trouble.describe_unavailable(
                trouble.DatabaseLabel.of(settings.database_url), reason
            ) from reason
    except (trouble.AlreadyInUse, BadSettings, BadCopy, trouble.DatabaseUnreachable) as reason:
        print(reason, file=sys.stderr)
        return UNUSABLE
