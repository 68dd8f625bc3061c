"""`python bot.py simulate`: computers play many games, and print statistics; see docs/simulate.md."""

from __future__ import annotations

import argparse
import asyncio
import csv
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engines.game import IllegalSetup, Strength
from engines.registry import SLUGS, game
from engines.simulation import SimulatedGame, SimulationPlan, settle_options, simulate_game
from engines.statistics import SEPARATOR, Figures, Spread, Usage, figures
from engines.workers import Urgency, Workers
from render.report import report

LONGEST = 3600.0
"""Seconds that a game may take."""
SHOWN = 15
"""Rows of usage in the terminal; files have them all."""
FINE, UNUSABLE = 0, 2


class BadPlan(Exception):
    """Raised if the input can't be simulated; its text is a sentence."""


def main(arguments: Sequence[str]) -> int:
    """Play the games and print the statistics.

    The exit code is 2 on failure.
    """
    wish = _parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        plan = _plan(wish)
        for path in (wish.csv, wish.json, wish.report):
            if path is not None and not path.parent.is_dir():
                raise BadPlan(f"There's no folder {path.parent} for {path.name}.")
    except (BadPlan, IllegalSetup) as reason:
        print(reason, file=sys.stderr)
        return UNUSABLE
    games = asyncio.run(_play_games(plan, wish.seed, wish.games, wish.workers, console))
    if not games:
        print("No game was finished.", file=sys.stderr)
        return UNUSABLE
    result = figures(games)
    _show(Console(), plan, wish.seed, result)
    texts = {wish.csv: as_csv, wish.json: as_json, wish.report: report}
    for path, text in texts.items():
        if path is not None:
            path.write_text(text(_title(plan, wish.seed, result), result), "utf-8")
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bot.py simulate", description="Let computers play many games; see docs/simulate.md."
    )
    parser.add_argument("game", choices=SLUGS)
    parser.add_argument("--players", type=int, help="seats; without it, the fewest")
    parser.add_argument("--games", type=_number, default=100, help="how many games (100)")
    parser.add_argument(
        "--strength",
        default="medium",
        help="easy, medium (the default) or strong; or one each: strong,easy",
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=CHOICE", help="as of /… new")
    parser.add_argument("--seed", default="1", help="any text; the same text gives the same games")
    parser.add_argument("--workers", type=_number, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--csv", type=Path, help="write what was used to a file, a line each")
    parser.add_argument("--json", type=Path, help="write all figures to a file")
    parser.add_argument("--report", type=Path, help="write a page with charts, in one file")
    return parser


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _plan(wish: argparse.Namespace) -> SimulationPlan:
    rules = game(wish.game)
    strengths = [one.strip() for one in wish.strength.split(",")]
    if any(one not in list(Strength) for one in strengths):
        raise BadPlan(f"Strengths are {', '.join(Strength)}, not {wish.strength}.")
    seats = wish.players or (len(strengths) if len(strengths) > 1 else None)
    options = _options(rules.Options, wish.option)
    if seats is None:
        chosen = msgspec.json.decode(options, type=rules.Options)
        seats = rules.seats_for(chosen)[0]
    if len(strengths) == 1:
        strengths *= seats
    if len(strengths) != seats:
        raise BadPlan(
            f"There are {seats} players, and {len(strengths)} strengths: give one, or one for each."
        )
    settle_options(wish.game, seats, options)
    return SimulationPlan(wish.game, options, tuple(map(Strength, strengths)))


def _options(options: type[msgspec.Struct], typed: Sequence[str]) -> bytes:
    """Return the options as JSON. Raise BadPlan for an invalid one."""
    chosen: dict[str, object] = {}
    for one in typed:
        name, equals, value = one.partition("=")
        if name not in options.__struct_fields__ or not equals:
            known = ", ".join(options.__struct_fields__)
            raise BadPlan(f"“{one}” isn't an option. Write NAME=CHOICE with one of: {known}.")
        chosen[name] = _choice(value)
        try:
            msgspec.convert({name: chosen[name]}, options)
        except msgspec.ValidationError:
            raise BadPlan(f"{name} is one of {', '.join(_choices(options, name))}, not {value}.") from None
    return msgspec.json.encode(chosen)


def _choices(options: type[msgspec.Struct], name: str) -> list[str]:
    """Return the possible values of an option."""
    known = msgspec.inspect.type_info(options)
    assert isinstance(known, msgspec.inspect.StructType)
    kind = next(field.type for field in known.fields if field.name == name)
    values = kind.values if isinstance(kind, msgspec.inspect.LiteralType) else (True, False)
    return [value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in values]


def _choice(text: str) -> object:
    """Return a typed choice: a number, yes or no, or a word."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


async def _play_games(
    plan: SimulationPlan, seed: str, games: int, workers: int, console: Console
) -> list[SimulatedGame]:
    """Play games in worker processes; after Ctrl-C return the finished ones."""
    pool = Workers(workers, dict.fromkeys(Urgency, LONGEST))
    done: list[SimulatedGame] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    numbers = iter(range(games))
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(game(plan.slug).title, total=games)

        async def play_on() -> None:
            for number in numbers:
                done.append(await pool.run(simulate_game, plan, seed, number))
                progress.advance(bar)

        playing = [asyncio.create_task(play_on()) for _ in range(workers)]
        with suppress(NotImplementedError):  # what asyncio raises on Windows
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, lambda: [one.cancel() for one in playing])
        ended = await asyncio.gather(*playing, return_exceptions=True)
        pool.close()
    for one in ended:
        if isinstance(one, Exception):
            raise one
    return sorted(done, key=lambda one: one.number)


def _title(plan: SimulationPlan, seed: str, result: Figures) -> str:
    """Return the games and options in a line."""
    strengths = list(dict.fromkeys(plan.strengths))
    who = strengths[0] if len(strengths) == 1 else ", ".join(plan.strengths)
    chosen = "" if plan.options == b"{}" else f", {plan.options.decode()}"
    title, seats = game(plan.slug).title, len(plan.strengths)
    return f"{title}: {result.games} games, {seats} × {who}{chosen}, seed {seed}"


def _show(console: Console, plan: SimulationPlan, seed: str, result: Figures) -> None:
    console.print(_title(plan, seed, result), style="bold")
    seats = Table("Seat", "Wins", "95 % interval", "Score", "Quarter to quarter", title="Seats")
    for number, seat in enumerate(result.seats, start=1):
        low, high = seat.interval
        score = seat.scores
        between = "" if score is None else f"{score.low:g} to {score.high:g}"
        median = "" if score is None else f"{score.median:g}"
        seats.add_row(str(number), f"{seat.wins:.1%}", f"{low:.1%} to {high:.1%}", median, between)
    console.print(seats)
    lengths = Table("Length", "Median", "Quarter to quarter", "Least", "Most", title="Lengths")
    for name, spread in (("turns", result.turns), ("decisions", result.decisions)):
        lengths.add_row(name, *_spread_row(spread))
    console.print(lengths)
    ends = Table("Ended by", "Games", title="Ends")
    for how, number in result.ends.items():
        ends.add_row(how, f"{number} ({number / result.games:.0%})")
    console.print(ends)
    kinds = [one for one in result.used if SEPARATOR not in one.name]
    console.print(_usage_table("Moves", kinds))
    console.print(
        _usage_table("What they named most", [one for one in result.used if one not in kinds][:SHOWN])
    )


def _usage_table(title: str, used: Sequence[Usage]) -> Table:
    table = Table("", "A game", "Seats that did", "Won with it", "Won without", title=title)
    for one in used:
        won = map(_share, (one.won, one.won_without))
        table.add_row(one.name, f"{one.times:.2f}", f"{one.share:.0%}", *won)
    return table


def _spread_row(spread: Spread) -> tuple[str, ...]:
    between = f"{spread.low:g} to {spread.high:g}"
    return f"{spread.median:g}", between, f"{spread.least:g}", f"{spread.most:g}"


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def as_csv(_title: str, result: Figures) -> str:
    """Return the usage, a line each."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(Usage.__struct_fields__)
    written.writerows(msgspec.structs.astuple(one) for one in result.used)
    return text.getvalue()


def as_json(title: str, result: Figures) -> str:
    whole: dict[str, Any] = {"title": title, **msgspec.to_builtins(result)}
    return msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n"
