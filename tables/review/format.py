"""The file format of a game: content, writing, and strict reading.

docs/format.md explains it to people who read or write such files themselves.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw

from engines import engine, marks
from engines.game import IllegalSetup, Seat, Strength, Thinking, clip, repeat
from engines.registry import SLUGS, AnyGame, game
from tables.core.table import Refused

FORMAT: Literal["tangle-parlour"] = "tangle-parlour"
VERSION: Literal[1] = 1
LARGEST_FILE = 2_000_000
"""The bytes of the largest file that is read."""
_LATEST = 253_402_300_799
"""The last second of the year 9999."""
_COMPLAINT = 160
"""The most characters of a complaint about a wrong field, which can quote the file."""

FOREIGN = "That isn't an exported game. `/table export` makes one."
_NAME = re.compile(r"(?! )[^\x00-\x1f\x7f\u2028\u2029]{1,64}(?<! )")
Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2}){1,32}\Z")]
Instant = Annotated[float, Meta(ge=0, le=_LATEST)]
"""Seconds since 1970."""


class Chair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The occupant of a seat: a name, and a computer player's strength."""

    name: str
    computer: Strength | None = None


class FileStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step: the seat, the time, the move and the events as the game writes them.

    Without a move the seat has left the game, or the exporter can't know the move.
    """

    seat: int
    at: Instant
    events: Raw
    move: Raw = Raw()
    forced: bool = False


class FileHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """The head of every file."""

    format: Literal["tangle-parlour"] = FORMAT
    version: Literal[1] = VERSION
    game: str
    options: Raw
    seats: list[Chair]


class GameFile(FileHead, frozen=True, tag="game", kw_only=True):
    """A finished game, with all that was hidden in it.

    Attributes:
        deal: what chance decided in the set-up.
        by_hand: True for a hand-made deal, which has no seed.
        seed: the source of every later draw; with `salt` the promise at the start.
        thinking: the thinking time of its computer players.
        begun: the time at which the game began.
        steps: every active step, in order.
        outcome: how it ended.
    """

    deal: Raw
    by_hand: bool = False
    seed: Hex
    salt: Hex
    thinking: Thinking = Thinking.USUAL
    begun: Instant
    steps: list[FileStep]
    outcome: Raw


class PartFile(FileHead, frozen=True, tag="part", kw_only=True):
    """A game without a result, as far as a seat, or with None everybody, knows it."""

    viewer: Seat | None
    thinking: Thinking = Thinking.USUAL
    begun: Instant
    steps: list[FileStep]


class DealFile(FileHead, frozen=True, tag="deal", kw_only=True):
    """A hand-made deal, to be played."""

    deal: Raw


File = GameFile | PartFile | DealFile


def write(file: File) -> bytes:
    """Write a file: JSON with one field, and one step, a line. Always the same bytes."""
    return ("{\n" + ",\n".join(_fields(file)) + "\n}\n").encode()


def _fields(file: File) -> Iterator[str]:
    kind = type(file).__struct_config__.tag
    yield f'"format": {_json(file.format)}'
    yield f'"version": {_json(file.version)}'
    yield f'"kind": {_json(kind)}'
    for field in msgspec.structs.fields(file):
        value = getattr(file, field.name)
        if field.name in ("format", "version") or value is False or value is Thinking.USUAL:
            continue
        if field.name == "steps":
            lines = ",\n".join(_json(_step(made)) for made in value)
            yield f'"steps": [\n{lines}\n]' if value else '"steps": []'
        else:
            yield f'"{field.name}": {_json(value)}'


def _step(made: FileStep) -> dict[str, Any]:
    """Return a step without default values."""
    entries: dict[str, Any] = {"seat": made.seat, "at": made.at}
    if bytes(made.move):
        entries["move"] = made.move
    if made.forced:
        entries["forced"] = True
    return {**entries, "events": made.events}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Cover(msgspec.Struct):
    """The part of a file that says what it is."""

    format: Any = None
    version: Any = None
    kind: Any = None
    game: Any = None


def require_small(size: int) -> None:
    if size > LARGEST_FILE:
        raise Refused(f"That file is too large: {LARGEST_FILE // 1_000_000} MB is the limit.")


class _Length(msgspec.Struct):
    """The part of a file that says how long its game was."""

    steps: list[Raw] = []


def is_importable(slug: str, data: bytes) -> bool:
    steps = msgspec.json.decode(data, type=_Length).steps
    return len(data) <= LARGEST_FILE and len(steps) <= game(slug).most_steps


def read(data: bytes) -> GameFile | DealFile:
    """Read a file with a hosted game.

    Raises:
        Refused: with a sentence that says what is wrong.
    """
    require_small(len(data))
    try:
        data = marks.decode_file(data).encode()
    except (UnicodeDecodeError, UnicodeEncodeError):
        raise Refused(FOREIGN) from None
    try:
        cover = msgspec.json.decode(data, type=_Cover)
    except (msgspec.DecodeError, RecursionError, ValueError):
        raise Refused(FOREIGN) from None
    if cover.format != FORMAT:
        raise Refused(FOREIGN)
    if not isinstance(cover.version, int) or cover.version != VERSION:
        newer = isinstance(cover.version, int) and cover.version > VERSION
        text = clip(_json(cover.version))
        raise Refused(
            f"That file is from a newer version of the bot: its format is {text}, mine is {VERSION}."
            if newer
            else f"That file has the format {text}, but I only know {VERSION}."
        )
    if cover.game not in SLUGS:
        named = f"“{repeat(cover.game)}”" if isinstance(cover.game, str) else "one without a name"
        raise Refused(f"I don't know that file's game, {named}. I have {', '.join(SLUGS)}.")
    if cover.kind == "part":
        raise Refused(
            "Someone exported that file before its game was over. Export the game again when it's over."
        )
    try:
        file: GameFile | DealFile = msgspec.json.decode(data, type=GameFile | DealFile)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Refused(f"I can't read that file: {complaint(error)}") from None
    for seat, chair in enumerate(file.seats):
        if _NAME.fullmatch(chair.name) is None:
            raise Refused(
                f"I can't use the name of seat {seat} in that file. A name is one line of at most "
                "64 characters."
            )
    return file


def complaint(error: object) -> str:
    """Return what is wrong with a file, as the bounded end of a sentence."""
    if isinstance(error, RecursionError):
        return "it's nested too deeply."
    text = " ".join(str(error).replace("`", "'").split())
    return f"{clip(text.removesuffix('.'), _COMPLAINT)}."


def read_options(file: GameFile | DealFile) -> Any:
    """Return the options of a file, settled for its seats.

    Raise Refused if they are none of the game, or don't suit that many players.
    """
    rules, seats = game(file.game), len(file.seats)
    options = convert(file.options, rules.Options, "options")
    try:
        if seats not in rules.seats_for(options):
            raise IllegalSetup(f"they don't allow {seats} {'player' if seats == 1 else 'players'}")
        return rules.settle(seats, options)
    except IllegalSetup as reason:
        raise Refused(f"The options in that file don't fit: {complaint(reason)}") from None


def read_steps(file: GameFile) -> Iterator[engine.RecordedStep]:
    """Yield the steps of a file, to be replayed.

    Raises:
        Refused: at the first move or event that isn't the game's.
    """
    rules: AnyGame = game(file.game)
    for number, made in enumerate(file.steps, 1):
        move = None
        if bytes(made.move):
            move = msgspec.json.encode(convert(made.move, rules.Move, f"move of step {number}"))
        convert(made.events, list[rules.Event], f"events of step {number}")  # type: ignore[name-defined]  # a value
        yield engine.RecordedStep(made.seat, move, bytes(made.events), made.forced)


def convert(raw: Raw, kind: Any, what: str) -> Any:
    """Convert a part of a file to the game's own type. Raise Refused for anything foreign."""
    try:
        value = msgspec.json.decode(raw, type=kind)
        given, known = msgspec.json.decode(raw), msgspec.to_builtins(value)
        if isinstance(value, msgspec.Struct):  # a field that isn't written by default may be given
            known = msgspec.structs.asdict(value) | known
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Refused(f"I can't read the {what} in that file: {complaint(error)}") from None
    strange = _strange(given, known)
    if strange is not None:
        raise Refused(f"I can't read the {what} in that file: I don't know {clip(strange, 40)}.")
    return value


def _strange(given: Any, known: Any) -> str | None:
    """Return the first field of plain data that its conversion lacks."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            text = f"“{repeat(name, 40)}”" if name not in known else _strange(value, known[name])
            if text is not None:
                return text
    elif isinstance(given, list) and isinstance(known, (list, tuple)):
        for one, other in zip(given, known, strict=False):
            text = _strange(one, other)
            if text is not None:
                return text
    return None
