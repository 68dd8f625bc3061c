"""`python bot.py simulate`: computers play many games, and print statistics; see docs/simulate.md."""

import argparse
import asyncio
import csv
import io
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from cogs.review.import_export import PageWriter
from db.records import TableWrite
from db.store import Store
from engines import engine, registry
from engines.analysis import simulation, statistics
from engines.components import CannotLeaveOut, without
from engines.game import IllegalSetup, Strength
from engines.workers import Urgency, Workers
from host.components import UnusableData, encode, knowledge, read_file, run_elsewhere
from render.chart import report
from render.core.theme import LIGHT
from tables.core.repository import Repository
from tables.core.table import encode as encode_stored
from tables.review import format as files
from tables.review import import_export, record

LONGEST = 3600.0
"""Seconds that a game may take."""
SHOWN = 15
"""Rows of usage in the terminal; files have them all."""
FINE, UNUSABLE = 0, 2


P = ParamSpec("P")
R = TypeVar("R")


class BadPlan(Exception):
    """Raised if the input can't be simulated; its text is a sentence."""


def main(arguments: Sequence[str]) -> int:
    """Play the games and print the statistics. The exit code is 2 on failure."""
    wish = _parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        plan = _plan(wish)
        rivals = _rivals(wish, plan)
        for path in (wish.csv, wish.json, wish.report):
            if path is not None and not path.parent.is_dir():
                raise BadPlan(f"There's no folder {path.parent} for {path.name}.")
    except (BadPlan, CannotLeaveOut, IllegalSetup, UnusableData) as reason:
        print(reason, file=sys.stderr)
        return UNUSABLE
    plans = [plan, *(rival.plan for rival in rivals)]
    if wish.page:
        for number in dict.fromkeys(wish.page):  # some of the games, counted from 1
            page = Path(f"{plan.slug}-{number}.html")
            page.write_bytes(asyncio.run(run_elsewhere(LONGEST, make_page, plan, wish.seed, number - 1)))
            print(f"{page}: game {number} as a page")
    games, *others = asyncio.run(_play_games(plans, wish.seed, wish.games, wish.workers, console))
    if not games:
        print("No game was finished.", file=sys.stderr)
        return UNUSABLE
    result = statistics.figures(games)
    changes = [
        statistics.compare_games(rival.name, other, games)
        if rival.is_before
        else statistics.compare_games(rival.name, games, other)
        for rival, other in zip(rivals, others, strict=True)
        if {one.number for one in other} & {one.number for one in games}
    ]
    title = _title(plan, wish.seed, result)
    _show(Console(), title, result)
    show_changes(Console(), changes)
    if wish.csv is not None:
        text = io.StringIO()
        written = csv.writer(text, lineterminator="\n")
        written.writerow(statistics.Usage.__struct_fields__)
        written.writerows(msgspec.structs.astuple(one) for one in result.used)
        wish.csv.write_text(text.getvalue(), "utf-8")
    if wish.json is not None:
        whole: dict[str, Any] = {"title": title, **msgspec.to_builtins(result)}
        if changes:
            whole["changes"] = msgspec.to_builtins(changes)
        wish.json.write_text(msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n", "utf-8")
    if wish.report is not None:
        wish.report.write_text(report(title, result), "utf-8")
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bot.py simulate", description="Let computers play many games; see docs/simulate.md."
    )
    parser.add_argument("game", choices=registry.SLUGS)
    parser.add_argument("--players", type=int, help="seats; without it, the fewest")
    parser.add_argument("--games", type=_number, default=100, help="how many games (100)")
    parser.add_argument(
        "--strength",
        default="medium",
        help=f"{', '.join(Strength)} (medium is the default); or one each: strong,easy",
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=CHOICE", help="as of /… new")
    parser.add_argument("--data", type=Path, metavar="FILE", help="play with this component data, not ours")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out a card, tile or space, by its name in the statistics",
    )
    parser.add_argument(
        "--compare-options", action="store_true", help="also play every other choice of each option"
    )
    parser.add_argument("--seed", default="1", help="any text; the same text gives the same games")
    parser.add_argument("--workers", type=_number, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--csv", type=Path, help="write what was used to a file, a line each")
    parser.add_argument("--json", type=Path, help="write all figures to a file")
    parser.add_argument("--report", type=Path, help="write a page with charts, in one file")
    parser.add_argument(
        "--page",
        type=_number,
        action="append",
        default=[],
        metavar="N",
        help="write game N, turn by turn, as a page GAME-N.html in this folder; may be repeated",
    )
    return parser


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _plan(wish: argparse.Namespace) -> simulation.SimulationPlan:
    rules = registry.game(wish.game)
    strengths = [one.strip() for one in wish.strength.split(",")]
    if any(one not in list(Strength) for one in strengths):
        raise BadPlan(f"Strengths are {', '.join(Strength)}, not {wish.strength}.")
    seats = wish.players or (len(strengths) if len(strengths) > 1 else None)
    options = _options(rules.Options, wish.option)
    if seats is None:
        seats = rules.seats_for(msgspec.json.decode(options, type=rules.Options))[0]
    if len(strengths) == 1:
        strengths *= seats
    if len(strengths) != seats:
        raise BadPlan(
            f"There are {seats} players, and {len(strengths)} strengths: give one, or one for each."
        )
    data = _data(wish, msgspec.to_builtins(simulation.settle_options(wish.game, seats, options)), seats)
    label = " ".join(
        [*([wish.data.name] if wish.data else []), *(f"without {name}" for name in wish.without)]
    )
    return simulation.SimulationPlan(wish.game, options, tuple(map(Strength, strengths)), data, label)


def _data(wish: argparse.Namespace, options: dict[str, Any], seats: int) -> bytes | None:
    """Return the component data to play with, as JSON, if not ours."""
    if wish.data is None and not wish.without:
        return None
    read = read_file(wish.game, wish.data)
    assert read.data is not None
    for doubt in read.doubts:
        print(f"Not as the rulebook has it: {doubt}", file=sys.stderr)
    return msgspec.json.encode(without(knowledge(wish.game), read.data, options, seats, wish.without))


def _options(options: type[msgspec.Struct], typed: Sequence[str]) -> bytes:
    """Return the options as JSON. Raise BadPlan for an invalid one."""
    chosen: dict[str, object] = {}
    for one in typed:
        name, equals, value = one.partition("=")
        if name not in options.__struct_fields__ or not equals:
            known = ", ".join(options.__struct_fields__)
            is_known = name in options.__struct_fields__
            why = f"Write {name}=CHOICE." if is_known else f"There's no option “{name}”. Options: {known}."
            raise BadPlan(why)
        chosen[name] = _choice(value)
        try:
            msgspec.convert({name: chosen[name]}, options)
        except msgspec.ValidationError:
            raise BadPlan(f"{name} is one of {', '.join(choices_of(options, name))}, not {value}.") from None
    return msgspec.json.encode(chosen)


def choices_of(options: type[msgspec.Struct], name: str) -> list[str]:
    """Return the possible values of an option, unless it is a list."""
    known = msgspec.inspect.type_info(options)
    assert isinstance(known, msgspec.inspect.StructType)
    kind = next(field.type for field in known.fields if field.name == name)
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return []
    values = kind.values if isinstance(kind, msgspec.inspect.LiteralType) else (True, False)
    return [value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in values]


def _choice(text: str) -> object:
    """Return a typed choice: a number, yes or no, or a word."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


class _Rival(msgspec.Struct, frozen=True):
    """Games to compare with those of the plan, as the state before the change or after it."""

    name: str
    plan: simulation.SimulationPlan
    is_before: bool


def _rivals(wish: argparse.Namespace, plan: simulation.SimulationPlan) -> list[_Rival]:
    rivals = []
    if plan.data is not None:
        before = read_file(wish.game, wish.data) if wish.without and wish.data else None
        data = None if before is None else encode(before)
        against = wish.data.name if before is not None else "ours"
        rivals.append(_Rival(f"{plan.label}, against {against}", replace(plan, data=data, label=""), True))
    if wish.compare_options and wish.data is not None:
        raise BadPlan("--compare-options works with our data only. Leave out --data.")
    if wish.compare_options:
        for name, options, reason in other_choices(plan):
            if reason:
                print(f"Not compared: {name}. {reason}", file=sys.stderr)
            else:
                rivals.append(_Rival(name, replace(plan, options=options), False))
        if not any(not rival.is_before for rival in rivals):
            raise BadPlan("No option has another choice for these seats.")
    return rivals


def other_choices(plan: simulation.SimulationPlan) -> Iterator[tuple[str, bytes, str]]:
    """Yield each other choice of the options.

    Its name, all options with it, and why it can't be compared, if so.
    """
    rules, seats = registry.game(plan.slug), len(plan.strengths)
    usual = simulation.settle_options(plan.slug, seats, plan.options)
    typed, chosen = msgspec.json.decode(plan.options), msgspec.to_builtins(usual)
    listed: Mapping[str, Sequence[Any]] = {}  # the values to compare of options that are lists
    known = registry.component_facts(plan.slug)
    if known is not None:
        ours = read_file(plan.slug, None).data
        assert ours is not None
        listed = known.choices(ours, seats)
    for name in rules.Options.__struct_fields__:
        for value in listed.get(name) or map(_choice, choices_of(rules.Options, name)):
            if value in (chosen.get(name), typed.get(name)):
                continue
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            options, reason = msgspec.json.encode({**typed, name: value}), ""
            try:
                if simulation.settle_options(plan.slug, seats, options) == usual:
                    reason = "It changes nothing here."
            except IllegalSetup as refusal:
                reason = str(refusal)
            yield f"{name}={text}", options, reason


async def _play_games(
    plans: Sequence[simulation.SimulationPlan], seed: str, games: int, workers: int, console: Console
) -> list[list[simulation.SimulatedGame]]:
    """Play the games of each plan in worker processes.

    After Ctrl-C, return the finished ones.

    A process plays with one set of component data, so each set has processes of its own.
    """
    done: list[list[simulation.SimulatedGame]] = [[] for _ in plans]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task(registry.game(plans[0].slug).title, total=games * len(plans))
        for data in dict.fromkeys(plan.data for plan in plans):
            # By number, so that after Ctrl-C most games have a partner to compare with.
            alike = [index for index, plan in enumerate(plans) if plan.data == data]
            jobs = iter([(index, number) for number in range(games) for index in alike])
            if not await _play_jobs(plans, jobs, seed, workers, done, lambda: progress.advance(bar)):
                break
    return [sorted(some, key=lambda one: one.number) for some in done]


async def _play_jobs(
    plans: Sequence[simulation.SimulationPlan],
    jobs: Iterator[tuple[int, int]],
    seed: str,
    workers: int,
    done: list[list[simulation.SimulatedGame]],
    advance: Callable[[], object],
) -> bool:
    """Play some games in processes of their own. Return False if Ctrl-C ended them."""
    pool = Workers(workers, dict.fromkeys(Urgency, LONGEST))

    async def play_on() -> None:
        for index, number in jobs:
            done[index].append(await pool.run(simulation.simulate_game, plans[index], seed, number))
            advance()

    playing = [asyncio.create_task(play_on()) for _ in range(workers)]
    with suppress(NotImplementedError):  # what asyncio raises on Windows
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: [one.cancel() for one in playing])
    ended = await asyncio.gather(*playing, return_exceptions=True)
    pool.close()
    for one in ended:
        if isinstance(one, Exception):
            raise one
    return not any(isinstance(one, asyncio.CancelledError) for one in ended)


def _title(plan: simulation.SimulationPlan, seed: str, result: statistics.Figures) -> str:
    strengths = list(dict.fromkeys(plan.strengths))
    who = strengths[0] if len(strengths) == 1 else ", ".join(plan.strengths)
    chosen = "" if plan.options == b"{}" else f", {plan.options.decode()}"
    chosen += f", {plan.label}" if plan.label else ""
    title, seats = registry.game(plan.slug).title, len(plan.strengths)
    return f"{title}: {result.games} games, {seats} × {who}{chosen}, seed {seed}"


def _show(console: Console, title: str, result: statistics.Figures) -> None:
    console.print(title, style="bold")
    seats = Table("Seat", "Wins", "95% interval", "Score", "Quarter to quarter", title="Seats")
    for number, seat in enumerate(result.seats, start=1):
        low, high = seat.interval
        score = seat.scores
        between = "" if score is None else f"{score.low:g} to {score.high:g}"
        median = "" if score is None else f"{score.median:g}"
        seats.add_row(str(number), f"{seat.wins:.1%}", f"{low:.1%} to {high:.1%}", median, between)
    console.print(seats)
    lengths = Table("Length", "Median", "Quarter to quarter", "Least", "Most", title="Lengths")
    for name, spread in (("turns", result.turns), ("decisions", result.decisions)):
        between = f"{spread.low:g} to {spread.high:g}"
        lengths.add_row(name, f"{spread.median:g}", between, f"{spread.least:g}", f"{spread.most:g}")
    console.print(lengths)
    ends = Table("Ended by", "Games", title="Ends")
    for how, number in result.ends.items():
        ends.add_row(how, f"{number} ({number / result.games:.0%})")
    console.print(ends)
    kinds = [one for one in result.used if statistics.SEPARATOR not in one.name]
    console.print(_usage_table("Moves", kinds))
    console.print(
        _usage_table("What they named most", [one for one in result.used if one not in kinds][:SHOWN])
    )


def show_changes(console: Console, changes: Sequence[statistics.BalanceComparison]) -> None:
    """Print each change of the balance; a star marks the clear ones."""
    for one in changes:
        table = Table(
            "", "Before", "After", "Change", "95% interval", title=f"{one.name} ({one.games} pairs)"
        )
        for shift in one.shifts:
            before, after = (_measure(value, shift) for value in (shift.before, shift.after))
            ends = " to ".join(_measure(end, shift, "+") for end in (shift.low, shift.high))
            ends = ends if isfinite(shift.low) else f"fewer than {statistics.FEWEST_PAIRS} pairs"
            star = " *" if shift.is_clear else ""
            table.add_row(shift.measure, before, after, f"{_measure(shift.change, shift, '+')}{star}", ends)
        console.print(table)


def _measure(value: float, shift: statistics.BalanceShift, sign: str = "") -> str:
    return f"{value:{sign}.1%}" if shift.is_share else f"{value:{sign}.2f}"


def _usage_table(title: str, used: Sequence[statistics.Usage]) -> Table:
    table = Table("", "A game", "Seats that did", "Won with it", "Won without", title=title)
    for one in used:
        won = ["" if share is None else f"{share:.1%}" for share in (one.won, one.won_without)]
        table.add_row(one.name, f"{one.times:.2f}", f"{one.share:.0%}", *won)
    return table


class InPlace(Workers):
    """Does all work at once, in this process."""

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return work(*args, **kwargs)


def make_page(plan: simulation.SimulationPlan, seed: str, number: int) -> bytes:
    """Play a game, and return it as a page.

    Everything happens in this process, since it alone has the component data.
    """
    course, steps = simulation.GameCourse(plan, seed, number), list[files.FileStep]()
    while (step := course.step()) is not None:
        events, move = (msgspec.Raw(msgspec.json.encode(part)) for part in (step.events, step.move))
        steps.append(files.FileStep(step.seat, 0.0, events, move, step.forced))
    file = files.GameFile(
        game=plan.slug,
        options=msgspec.Raw(encode_stored(course.options).encode()),
        seats=[
            files.Chair(f"Seat {seat}", strength) for seat, strength in enumerate(plan.strengths, start=1)
        ],
        deal=msgspec.Raw(encode_stored(course.deal).encode()),
        seed=course.secret.hex(),
        salt=course.secret.hex(),
        begun=0.0,
        steps=steps,
        outcome=msgspec.Raw(encode_stored(course.rules.outcome(course.state)).encode()),
    )
    title = f"{registry.game(plan.slug).title}, game {number + 1} of seed {seed}"
    return asyncio.run(_page_of(files.write(file), title))


async def _page_of(file: bytes, title: str) -> bytes:
    past = import_export.import_file(file)
    if not isinstance(past, import_export.ImportedGame):
        raise TypeError("a simulated game has ended")
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(f"sqlite:///{folder}/game.db")
        try:
            workers = InPlace(1)
            repository = Repository(store, engine.Engine(workers), time.time)
            row, seats = import_export.imported_rows(0, 0, 0, past, 0.0)
            *earlier, (_, end) = past.states
            number = await store.create(
                row, seats, past=TableWrite(0, 0, {}, past.rows, end, earlier=tuple(earlier))
            )
            table = await repository.table(number)
            writer = PageWriter(record.Record(repository), workers, table, None, LIGHT.name, title=title)
            return await writer.write()
        finally:
            await store.close()
