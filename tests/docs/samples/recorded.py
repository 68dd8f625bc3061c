"""Games that the pictures show, on file as the moves that strong computers once chose.

So a better computer changes no picture.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engines.registry import game

FILE = Path(__file__).with_name("moves.json")


def read_moves(slug: str, deal: str) -> Iterator[Any]:
    """Yield the moves of a game on file.

    Raises:
        LookupError: after the last one.
    """
    rules = game(slug)
    recorded = msgspec.json.decode(FILE.read_bytes(), type=dict[str, dict[str, list[Any]]])
    for move in recorded[slug][deal]:
        yield msgspec.convert(move, rules.Move)
    raise LookupError(f"no more moves of {slug} {deal} are on file")
