"""`python bot.py components`: checks, compares and draws component data; see docs/simulate.md."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import msgspec

from engines import components, registry
from engines.words import plural
from engines.workers import P, R, Urgency, Workers

FINE, AMISS, UNUSABLE = 0, 1, 2
"""Exit codes: all agrees; something contradicts the rulebook; the file can't be played with."""
LONGEST = 600.0
"""Seconds that the drawing may take."""


class UnusableData(Exception):
    """A file that no game can be played with; the text is all reasons, a line each."""


def main(arguments: Sequence[str]) -> int:
    """Check, compare and, if asked, draw a data file."""
    parser = argparse.ArgumentParser(
        "bot.py components", description="Check, compare and draw component data; see docs/simulate.md."
    )
    parser.add_argument("game", choices=registry.SLUGS)
    parser.add_argument("file", nargs="?", type=Path, help="a data file; without it, ours")
    parser.add_argument(
        "--sheet", type=Path, metavar="FOLDER", help="draw all components into PNG files in this folder"
    )
    wish = parser.parse_args(arguments)
    try:
        known = knowledge(wish.game)
        read = read_file(wish.game, wish.file)
    except UnusableData as reasons:
        print(reasons, file=sys.stderr)
        return UNUSABLE
    name = "our data" if wish.file is None else wish.file.name
    print(f"{registry.game(wish.game).title}: {name} can be played with.")
    if read.doubts:
        print("\nDiffers from the rulebook:")
    for doubt in read.doubts:
        print(f"- {doubt}")
    if wish.file is not None:
        assert read.data is not None
        ours = read_file(wish.game, None).data
        assert ours is not None
        changes = components.describe_changes(known, ours, read.data)
        print(
            f"\n{plural(len(changes), 'difference')} from our data:"
            if changes
            else "\nNothing differs from ours."
        )
        for change in changes:
            print(f"- {change}")
    if wish.sheet is not None:
        try:
            wish.sheet.mkdir(parents=True, exist_ok=True)
            sheets = asyncio.run(run_elsewhere(LONGEST, draw_sheets, wish.game, encode(read)))
            print(f"\nDrawn into {wish.sheet}, to print at 100%:")
            for name, png in sheets:
                (wish.sheet / name).write_bytes(png)
                print(f"- {name}")
        except OSError as error:
            print(f"I can't write into {wish.sheet}: {error.strerror}.", file=sys.stderr)
            return UNUSABLE
    return AMISS if read.doubts else FINE


def knowledge(slug: str) -> components.KnownComponents:
    """Return what is sure about a game's components.

    Raise UnusableData for a game that says nothing about them.
    """
    known = registry.component_facts(slug)
    if known is None:
        raise UnusableData(f"{registry.game(slug).title} has no component data to check.")
    return known


def read_file(slug: str, path: Path | None) -> components.ReadComponents:
    """Read a data file, or ours.

    Raises:
        UnusableData: with every reason why no game can be played with it.
    """
    known, ours = knowledge(slug), components.our_data(slug)
    try:
        read = components.read_components(known, ours if path is None else path.read_bytes(), ours)
    except OSError as error:
        raise UnusableData(f"I can't read {path}: {error.strerror}.") from error
    if read.data is None:
        name = f"{slug}.toml" if path is None else path.name
        raise UnusableData(
            "\n".join([f"No game can be played with {name}:", *(f"- {one}" for one in read.errors)])
        )
    return read


def encode(read: components.ReadComponents) -> bytes:
    """Return data in the form that `choose_data` takes."""
    return msgspec.json.encode(read.data)


async def run_elsewhere(seconds: float, work: Callable[P, R], *args: P.args, **more: P.kwargs) -> R:
    """Run some work in a process of its own, within `seconds`."""
    workers = Workers(1, dict.fromkeys(Urgency, seconds))
    try:
        return await workers.run(work, *args, **more)
    finally:
        workers.close()


def draw_sheets(slug: str, data: bytes) -> list[tuple[str, bytes]]:
    """Draw a game's sheets: names and PNG files."""
    components.choose_data(slug, data)
    sheets = import_module(f"render.{slug}").proofs()
    return [(f"{slug}-{sheet.name}", sheet.png) for sheet in sheets]
