"""Whole games on file: what was decided, what happened, how it ended, and a few saved positions.

The files under ``tests/fixtures/<slug>`` are played again at every change of the rules, and their
saved positions show that tables of an older version still load.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engines.game import Seat
from engines.registry import AnyGame, game
from tests.engines.cases import TableChoice
from tests.engines.conformance import step

FIXTURES = Path(__file__).parents[1] / "fixtures"
_SAVED_EVERY, _SAVED_MOST = 12, 5


class Script(NamedTuple):
    """A game to put on file: its deal and every decision in order; a move of None is a resignation."""

    name: str
    table: TableChoice
    deal: Any
    seed: bytes
    moves: list[tuple[Seat, Any]]


def decide_all(
    rules: AnyGame, state: Any, choice: Callable[[Any, Seat], Any | None]
) -> list[tuple[Seat, Any | None]]:
    """Play a game to its end; return every decision. A choice of None leaves the game."""
    made: list[tuple[Seat, Any | None]] = []
    while prompts := rules.prompts(state):
        seat = min(prompts)
        move = choice(state, seat)
        made.append((seat, move))
        if move is None:
            rules.resign(state, seat)
        else:
            rules.play(state, seat, move)
    return made


class GoldenEntry(msgspec.Struct):
    """One decision and what came of it."""

    seat: Seat
    move: Any
    events: list[Any]


class Golden(msgspec.Struct):
    """One file. `saved` are encoded states by the number of decisions made before."""

    slug: str
    seats: int
    options: Any
    deal: Any
    seed: str
    view: Any
    outcome: Any
    entries: list[GoldenEntry]
    saved: dict[int, Any]

    @property
    def game(self) -> AnyGame:
        return game(self.slug)

    def begin(self) -> Any:
        rules = self.game
        options, deal = type_value(self.options, rules.Options), type_value(self.deal, rules.Deal)
        return rules.begin(self.seats, options, deal, bytes.fromhex(self.seed))

    def replay(self, state: Any, entry: GoldenEntry) -> list[Any]:
        """Return the events that an entry brings now, as plain data."""
        rules = self.game
        move = None if entry.move is None else type_value(entry.move, rules.Move)
        return list(plain(step(rules, state, entry.seat, move)))


def record_game(slug: str, script: Script) -> Golden:
    rules = game(slug)
    state = rules.begin(script.table.seats, script.table.options, script.deal, script.seed)
    entries, saved = [], {}
    every = max(_SAVED_EVERY, len(script.moves) // _SAVED_MOST)
    for number, (seat, move) in enumerate(script.moves):
        if number % every == every // 2:
            saved[number] = plain(state)
        entries.append(GoldenEntry(seat, plain(move), plain(step(rules, state, seat, move))))
    return Golden(
        slug=slug,
        seats=script.table.seats,
        options=plain(script.table.options),
        deal=plain(script.deal),
        seed=script.seed.hex(),
        view=plain(rules.view(state, None)),
        outcome=plain(rules.outcome(state)),
        entries=entries,
        saved=saved,
    )


def plain(value: Any) -> Any:
    """Return the value as JSON gives it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def type_value(value: Any, kind: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def load(path: Path) -> Golden:
    return msgspec.json.decode(path.read_bytes(), type=Golden)


def dump(golden: Golden) -> str:
    """Return the file's text: JSON, one entry or position a line."""
    whole = plain(golden)
    entries, saved = whole.pop("entries"), whole.pop("saved")
    head = [f"{_json(name)}: {_json(value)}" for name, value in whole.items()]
    states = (f"{_json(number)}: {_json(state)}" for number, state in saved.items())
    tail = [f'"entries": [\n{_lines(map(_json, entries))}\n]', f'"saved": {{\n{_lines(states)}\n}}']
    return "{\n" + ",\n".join(head + tail) + "\n}\n"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _lines(lines: Iterable[str]) -> str:
    return ",\n".join(lines)


def paths(slug: str) -> list[Path]:
    return sorted((FIXTURES / slug).glob("*.json"))
