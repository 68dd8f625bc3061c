"""`python bot.py scenario FILE`: a reported game becomes a table in practice mode, and the stub of a test."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from db.connection import trouble
from db.records import SeatRow, ServerSettings
from engines import engine, registry
from engines.game import IllegalDeal, IllegalMove, IllegalSetup, Seat
from host.monitoring import set_up
from host.practice import GUILD_ID, PEOPLE, PracticeSession, practise
from host.settings import PRACTICE_SETTING, Settings
from tables.core.table import CustomDeal, Refused, encode
from tables.lobby.decisions import StartContext, start
from tables.lobby.lobby import begin_alone, new_row, on_terms
from tables.review import format as files
from tables.study.studies import TERMS

FINE, UNUSABLE = 0, 2
STUB = """
from pathlib import Path

from host.scenario import read_scenario


def test_what_was_reported() -> None:
    scenario = read_scenario(Path("{path}"))

    position = scenario.play({steps})

    assert position.outcome is None  # what should be so?
"""


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as reported. A move of None is a seat that leaves; without a deal, the seed gives it."""

    game: str
    seats: int
    seed: files.Hex = "00"
    options: dict[str, Any] = {}
    deal: dict[str, Any] | None = None
    moves: list[tuple[Seat, dict[str, Any] | None]] = []

    def set_up(self) -> tuple[Any, Any]:
        """Return the options and the deal. Raise IllegalSetup if the options don't fit."""
        rules = registry.game(self.game)
        options = _convert(self.options, rules.Options, "The options")
        if self.seats not in rules.seats_for(options):
            raise IllegalSetup(f"{self.seats} seats don't fit these options.")
        options = rules.settle(self.seats, options)
        if self.deal is not None:
            return options, _convert(self.deal, rules.Deal, "The deal")
        return options, rules.deal(self.seats, options, bytes.fromhex(self.seed))

    def read_moves(self, steps: int | None) -> list[tuple[Seat, Any]]:
        move = registry.game(self.game).Move
        return [
            (seat, made and _convert(made, move, f"Move {number}, of seat {seat}"))
            for number, (seat, made) in enumerate(self.moves[:steps], 1)
        ]

    def play(self, steps: int | None = None) -> engine.Position:
        """Return the position after some moves. An IllegalMove names the first refused."""
        options, deal = (encode(part).encode() for part in self.set_up())
        position = engine.begin(self.game, self.seats, options, deal, bytes.fromhex(self.seed)).position
        for number, (seat, move) in enumerate(self.read_moves(steps), 1):
            leave = partial(engine.resign, self.game, self.seats, position.state, seat)
            play = partial(engine.play, self.game, self.seats, position.state, [(seat, move)])
            try:
                position = (leave() if move is None else play()).position
            except IllegalMove as reason:
                raise IllegalMove(f"Move {number}, of seat {seat}: {reason}") from None
        return position


def _convert(value: dict[str, Any], kind: Any, where: str) -> Any:
    """Convert a part of a scenario. Raise ValueError for a field too many or too few."""
    try:
        made = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{where}: {error}") from None
    if unknown := value.keys() - {*made.__struct_fields__, "type"}:
        raise ValueError(f"{where}: “{min(unknown)}” is unknown there.")
    return made


def read_scenario(path: Path) -> Scenario:
    """Read an exported game, or a seed and moves in TOML.

    Raises:
        Refused, ValueError: with a sentence that says what is wrong.
    """
    if path.suffix == ".toml":
        scenario = msgspec.toml.decode(path.read_bytes(), type=Scenario)
        if scenario.game not in registry.SLUGS:
            raise ValueError(f"“{scenario.game}” isn't a game: {', '.join(registry.SLUGS)}.")
        return scenario
    file, decode = files.read(path.read_bytes()), msgspec.json.decode
    laid = Scenario(file.game, len(file.seats), "00", decode(file.options), decode(file.deal))
    if isinstance(file, files.DealFile):
        return laid
    made = [(one.seat, bytes(one.move)) for one in file.steps if not one.forced]
    moves = [(seat, decode(move) if move else None) for seat, move in made]
    return replace(laid, seed=file.seed, moves=moves)


async def open_table(session: PracticeSession, scenario: Scenario, steps: int | None) -> int:
    """Open the table and play its moves; return its number."""
    parlour, people = session.bot.app.parlour, session.members[: scenario.seats]
    (options, deal), now = scenario.set_up(), parlour.clock()
    row = new_row(GUILD_ID, session.channel.id, people[0].id, scenario.game, encode(options), now)
    row = replace(on_terms(row, replace(TERMS, private=False), ordered=True), seed=scenario.seed)
    row = replace(row, origin=encode(CustomDeal(encode(deal), PEOPLE[: scenario.seats])))
    seats = [SeatRow(seat, one.id, PEOPLE[seat], None) for seat, one in enumerate(people)]
    begin = partial(start, beginning=StartContext(ServerSettings(0)), user_id=people[0].id)
    started = begin_alone(row, seats, begin, now)
    number = await parlour.store.create(started.table, started.seats, (), started.past)
    for seat, move in scenario.read_moves(steps):
        play, who = parlour.play, people[seat].id
        await (play.resign(number, who) if move is None else play.move(number, who, [move]))
    await parlour.refresh(number, "board")
    await parlour.outbox.finish()
    return number


def main(settings: Settings, arguments: Sequence[str]) -> int:
    """Open the table in practice mode. The exit code is 2 if it can't be."""
    parser = argparse.ArgumentParser("bot.py scenario", description="Open a reported game in practice mode.")
    parser.add_argument("file", type=Path, help="an export (.json), or a seed and moves (.toml)")
    parser.add_argument("--steps", type=int, help="how many of its moves to play (all)")
    wish = parser.parse_args(arguments)
    try:
        scenario = read_scenario(wish.file)
        scenario.play(wish.steps)
    except (Refused, IllegalMove, IllegalSetup, IllegalDeal, ValueError, OSError) as reason:
        print(f"{wish.file}: {reason}", file=sys.stderr)
        return UNUSABLE
    print(STUB.format(path=wish.file, steps="" if wish.steps is None else wish.steps))
    set_up(settings)
    with suppress(KeyboardInterrupt), trouble.hold_file(settings.practice_database_url, PRACTICE_SETTING):
        asyncio.run(practise(settings, partial(open_table, scenario=scenario, steps=wish.steps)))
    return FINE
