"""Put whole games on file: ``python -m tests.engines.record [--again] [slug ...]``.

Files that are there stay as they are, since they show what an older version played; with ``--again``
they are written again.
"""

import argparse
from collections.abc import Iterator
from importlib import import_module
from random import Random

import msgspec

from engines.game import Strength
from tests.engines.cases import CASES, GameCase, TableChoice
from tests.engines.conformance import fresh
from tests.engines.golden import FIXTURES, Script, dump, record_game


def by_computer(case: GameCase, table: TableChoice, name: str) -> Script:
    """Return a game in which seat 0 plays best."""
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


def scripts(case: GameCase) -> Iterator[Script]:
    """Yield one game for every usual table, and the module's own arrangements."""
    usual = msgspec.structs.asdict(case.game.Options())
    for table in case.usual_tables:
        chosen = msgspec.structs.asdict(table.options)
        unusual = [str(value) for name, value in chosen.items() if value != usual[name]]
        yield by_computer(case, table, "-".join(["table", str(table.seats), *unusual]))
    yield from import_module(f"tests.engines.{case.slug}.games").arrange_games()


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
                path.write_text(dump(record_game(case.slug, script)), encoding="utf-8")


if __name__ == "__main__":
    main()
