"""The file of a game that is taken along: what stands in it, how it is written, and how strictly it is read.

docs/format.md tells it to those who want to read or write such files themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw

from engines.engine import Written
from engines.game import IllegalSetup, Outcome, Seat, Strength, Thinking, clipped, repeat
from engines.registry import SLUGS, AnyGame, game
from tables.core.table import Refused

FORMAT: Literal["tangle-parlour"] = "tangle-parlour"
VERSION: Literal[1] = 1
LARGEST = 2_000_000
"""The bytes of the largest file that is read."""
_LATEST = 253_402_300_799
"""The last second of the year 9999."""
_COMPLAINT = 160
"""The characters of what is said of a wrong field, which may repeat what stands in the file."""

T = TypeVar("T")
_NAME = re.compile(r"(?! )[^\x00-\x1f\x7f\u2028\u2029]{1,64}(?<! )")
Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2}){1,32}\Z")]
Instant = Annotated[float, Meta(ge=0, le=_LATEST)]
"""Seconds since 1970."""


class Chair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sat on a seat: a name, and for a computer player how well it plays."""

    name: str
    computer: Strength | None = None


class FileStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step: the seat, when it was made, the move and the events as the game writes them.

    Without a move the seat has left the game, or the move is nothing to the one who took the file along.
    """

    seat: int
    at: Instant
    events: Raw
    move: Raw = Raw()
    forced: bool = False


class FileHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """What every file begins with."""

    format: Literal["tangle-parlour"] = FORMAT
    version: Literal[1] = VERSION
    game: str
    options: Raw
    seats: list[Chair]


class GameFile(FileHead, frozen=True, tag="game", kw_only=True):
    """A finished game, with all that was hidden in it.

    Attributes:
        deal: what chance decided in the set-up.
        by_hand: whether it was laid by hand, and not drawn from the seed.
        seed: where every later draw comes from; with `salt` what was promised at the start.
        thinking: how long its computer players thought.
        begun: when the game began.
        steps: every step that counts, in order.
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
    """A game without a result, as far as a seat, or with None everybody, may know it."""

    viewer: Seat | None
    thinking: Thinking = Thinking.USUAL
    begun: Instant
    steps: list[FileStep]


class DealFile(FileHead, frozen=True, tag="deal", kw_only=True):
    """A deal by hand, to be played."""

    deal: Raw


File = GameFile | PartFile | DealFile


def write(file: File) -> bytes:
    """The bytes of a file: JSON with one field, and one step, a line. The same file gives the same bytes."""
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
    """A step without what goes without saying."""
    told: dict[str, Any] = {"seat": made.seat, "at": made.at}
    if bytes(made.move):
        told["move"] = made.move
    if made.forced:
        told["forced"] = True
    return {**told, "events": made.events}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Cover(msgspec.Struct):
    """As much of a file as says what it is."""

    format: Any = None
    version: Any = None
    kind: Any = None
    game: Any = None


def require_small(size: int) -> None:
    """Raises Refused for a file of more bytes than are read."""
    if size > LARGEST:
        raise Refused(f"That file is too large: {LARGEST // 1_000_000} MB is the most.")


def require_few_steps(slug: str, steps: int) -> None:
    """Raises Refused for more steps than a game that is played again may have."""
    rules = game(slug)
    if steps > rules.most_steps:
        raise Refused(
            f"That game has {steps} steps; a game of {rules.title} that is imported has {rules.most_steps} "
            "at most."
        )


class _Length(msgspec.Struct):
    """As much of a file as says how long its game was."""

    steps: list[Raw] = []


def importable(slug: str, data: bytes) -> bool:
    """Whether a file that was written here is small enough, and its game short enough, to be read again."""
    steps = msgspec.json.decode(data, type=_Length).steps
    return len(data) <= LARGEST and len(steps) <= game(slug).most_steps


def read(data: bytes) -> GameFile | DealFile:
    """The file of those bytes, with a game that is hosted.

    Raises:
        Refused: with a sentence that says what is wrong.
    """
    require_small(len(data))
    cover = _decoded(data, _Cover)
    if cover is None or cover.format != FORMAT:
        raise Refused("That isn't an exported game: `/table export` makes one.")
    if not isinstance(cover.version, int) or cover.version != VERSION:
        newer = isinstance(cover.version, int) and cover.version > VERSION
        told = clipped(_json(cover.version))
        raise Refused(
            f"That file was written by a newer version of the bot: its format is {told}, mine is {VERSION}."
            if newer
            else f"That file says that its format is {told}; {VERSION} is the only one."
        )
    if cover.game not in SLUGS:
        named = f"“{repeat(cover.game)}”" if isinstance(cover.game, str) else "one without a name"
        raise Refused(f"The game of that file, {named}, is not played here: {', '.join(SLUGS)} are.")
    if cover.kind == "part":
        raise Refused(
            "That file was made before the game had a result. Export it again when the game is over."
        )
    try:
        file: GameFile | DealFile = msgspec.json.decode(data, type=GameFile | DealFile)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Refused(f"That file can't be read: {complaint(error)}") from None
    for seat, chair in enumerate(file.seats):
        if _NAME.fullmatch(chair.name) is None:
            raise Refused(
                f"The name of seat {seat} in that file can't be used: one line, 64 characters at most."
            )
    return file


def _decoded(data: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def complaint(error: object) -> str:
    """What is wrong with a file, as the end of a sentence that isn't long whatever stands in the file."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply."
    text = " ".join(str(error).replace("`", "'").split())
    return f"{clipped(text.removesuffix('.'), _COMPLAINT)}."


def read_options(file: GameFile | DealFile) -> Any:
    """The options of a file, as they are played with its seats.

    Raises:
        Refused: when they are none of the game, or nothing that so many can play.
    """
    rules, seats = game(file.game), len(file.seats)
    options = _typed(file.options, rules.Options, "options")
    try:
        if seats not in rules.seats_for(options):
            raise IllegalSetup(f"With these options {seats} can't play it.")
        return rules.settle(seats, options)
    except IllegalSetup as reason:
        raise Refused(f"The options of that file don't fit: {complaint(reason)}") from None


def read_deal(file: GameFile | DealFile) -> Any:
    """The deal of a file; whether it could be dealt is for `Game.begin` to check. Raises Refused."""
    return _typed(file.deal, game(file.game).Deal, "deal")


def read_steps(file: GameFile) -> Iterator[Written]:
    """The steps of a file, to be played again.

    Raises:
        Refused: at the first whose move or events are none of the game.
    """
    rules: AnyGame = game(file.game)
    for number, made in enumerate(file.steps, 1):
        move = None
        if bytes(made.move):
            move = msgspec.json.encode(_typed(made.move, rules.Move, f"move of step {number}"))
        _typed(made.events, list[rules.Event], f"events of step {number}")  # type: ignore[name-defined]  # a value
        yield Written(made.seat, move, bytes(made.events), made.forced)


def read_outcome(file: GameFile) -> Outcome:
    """How the game of a file ended, as the file says. Raises Refused for anything else."""
    found: Outcome = _typed(file.outcome, Outcome, "outcome")
    return found


def _typed(raw: Raw, kind: Any, what: str) -> Any:
    """A part of a file as the game's own type. Raises Refused for anything that doesn't belong there."""
    try:
        value = msgspec.json.decode(raw, type=kind)
        given, known = msgspec.json.decode(raw), msgspec.to_builtins(value)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Refused(f"The {what} in that file can't be read: {complaint(error)}") from None
    strange = _strange(given, known)
    if strange is not None:
        raise Refused(f"The {what} in that file can't be read: {clipped(strange, 40)} is unknown there.")
    return value


def _strange(given: Any, known: Any) -> str | None:
    """The first field of some plain data that isn't among what was made of it."""
    if isinstance(given, dict) and isinstance(known, dict):
        for name, value in given.items():
            found = f"“{repeat(name, 40)}”" if name not in known else _strange(value, known[name])
            if found is not None:
                return found
    elif isinstance(given, list) and isinstance(known, (list, tuple)):
        for one, other in zip(given, known, strict=False):
            found = _strange(one, other)
            if found is not None:
                return found
    return None
