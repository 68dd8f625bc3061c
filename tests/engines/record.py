"""Put whole games on file: ``python -m tests.engines.record [--again] [slug ...]``.

Files that are there stay as they are, since they show what an older version played; with ``--again``
they are written again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from random import Random

import msgspec

from engines.game import Strength
from tests.engines.cases import CASES, Case, Table
from tests.engines.conformance import fresh
from tests.engines.golden import FIXTURES, Script, dump, recorded


def by_computer(case: Case, table: Table, name: str) -> Script:
    """A game in which seat 0 plays well and the others less so."""
    rules, rng, seed = case.game, Random(name), Random(name).randbytes(16)
    state = fresh(rules, table, seed)
    moves = []
    while owing := list(rules.prompts(state)):
        seat = owing[0]
        strength = Strength.MEDIUM if seat else Strength.STRONG
        move = rules.choose(rules.view(state, seat), seat, rng, strength)
        rules.play(state, seat, move)
        moves.append((seat, move))
    return Script(name, table, rules.deal(table.seats, table.options, seed), seed, moves)


def scripts(case: Case) -> Iterator[Script]:
    """One game for every usual table of the case, and those that its own module arranges."""
    usual = msgspec.to_builtins(case.game.Options())
    for table in case.usual_tables:
        chosen = msgspec.to_builtins(table.options)
        unusual = [str(value) for name, value in chosen.items() if value != usual[name]]
        yield by_computer(case, table, "-".join(["table", str(table.seats), *unusual]))
    yield from import_module(f"tests.engines.{case.slug}.games").arranged()


def main() -> None:
    """Write the files that are missing."""
    parser = argparse.ArgumentParser(description="Put whole games on file.")
    parser.add_argument("slugs", nargs="*", default=[case.slug for case in CASES])
    parser.add_argument("--again", action="store_true", help="write files again that are there")
    arguments = parser.parse_args()
    for case in (case for case in CASES if case.slug in arguments.slugs):
        folder = FIXTURES / case.slug
        folder.mkdir(parents=True, exist_ok=True)
        for script in scripts(case):
            path = folder / f"{script.name}.json"
            if arguments.again or not path.exists():
                path.write_text(dump(recorded(case.slug, script)), encoding="utf-8")


if __name__ == "__main__":
    main()
