import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from db.records import EntryHeader
from engines.analysis.simulation import SimulationPlan, simulate_game
from engines.game import Strength
from engines.registry import SLUGS, game
from host import operate
from tables.core.downtime import ALIVE
from tables.core.history import EntryKind
from tables.core.table import Refused, Table
from tables.review.inspect import AMISS, FINE, UNUSABLE, main
from tables.review.record import LONGEST, turns_of
from tests.often import often
from tests.tables.house import ANN, BO, House, user

Asked = Callable[..., Awaitable[tuple[int, str, str]]]
Tampered = Callable[..., Awaitable[None]]


@pytest.fixture
def run_inspect(database: str, capsys: pytest.CaptureFixture[str]) -> Asked:
    """Run a command line on the database. Return the exit code, the output and the complaints."""

    async def ask(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, [database, *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return ask


@pytest.fixture
async def table(house: House) -> Table:
    begun = await house.start(ANN, BO)
    return await house.play_moves(begun, "green; orange; flip 8; flip 9")


@pytest.fixture
def edit_database(database: str, house: House) -> Tampered:
    """Yield a function that edits the database behind the resting parlour's back."""

    async def tamper(statement: str, *values: object) -> None:
        await house.settle()
        with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
            assert connection.execute(statement, values).rowcount == 1
        connection.close()

    return tamper


async def test_table_and_lobby_are_shown_as_everybody_sees_them(
    run_inspect: Asked, table: Table, lobby: Table
) -> None:
    code, text, _ = await run_inspect("show", table.id)

    assert code == FINE
    assert text.startswith("table 1: Ribbon Tangle, play, version 5\n")
    assert "seat 0: Ann\nseat 1: Bo\n" in text
    assert "turn 0: version 3, seats 0, 1, 1970-01-12" in text
    assert "\n10 cards are face down.\n" in text
    assert table.seed.hex() not in text

    code, text, _ = await run_inspect("show", lobby.id)

    assert (code, text.splitlines()[-1]) == (FINE, "the game has not begun")


async def test_the_file_is_that_of_the_command(
    run_inspect: Asked, house: House, table: Table, tmp_path: Path
) -> None:
    running = await run_inspect("export", table.id, "--seat", 1)
    assert running[1].encode() == await house.parlour.import_export.export(table.id, 1)

    await house.play_moves(table, "leave")
    code, text, _ = await run_inspect("export", table.id, "--out", tmp_path / "game.json")

    assert (code, text) == (FINE, "")
    assert (tmp_path / "game.json").read_bytes() == await house.parlour.import_export.export(table.id, None)
    assert json.loads((tmp_path / "game.json").read_bytes())["kind"] == "game"


async def test_every_position_is_told_again_and_sound_logs_need_no_patch(
    run_inspect: Asked, table: Table
) -> None:
    code, text, _ = await run_inspect("replay", table.id)
    one = await run_inspect("replay", table.id, "--turn", 1)

    assert code == FINE
    assert text.count("What changed last:") == 3
    assert one[1] in text
    assert one[1].count("What changed last:") == 1
    own = await run_inspect("replay", table.id, "--turn", 1, "--seat", 0)
    assert own[1] != one[1]

    code, text, _ = await run_inspect("patch", table.id, "--write")

    assert (code, text) == (FINE, "table 1: all 4 steps go by the rules\n")


async def test_a_table_becomes_one_page(database: str, house: House, table: Table, tmp_path: Path) -> None:
    pages = {}
    for name, seat in (("all", list[str]()), ("ann", ["--seat", "0"]), ("again", [])):
        pages[name] = tmp_path / f"{name}.html"
        typed = ["show", str(table.id), "--page", str(pages[name]), *seat]
        assert await asyncio.to_thread(main, typed, database, operate.write_page) == FINE

    assert pages["all"].read_bytes() == pages["again"].read_bytes()
    assert pages["all"].read_bytes() != pages["ann"].read_bytes()
    assert "Turn 2 of 2 · Bo" in pages["all"].read_text()
    assert table.seed.hex() not in pages["ann"].read_text()


def test_without_anybody_who_writes_pages_none_is_offered() -> None:
    with pytest.raises(SystemExit):
        main(["nowhere.db", "show", "1", "--page", "page.html"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("show", 99), "There's no table 99"),
        (("replay", 1, "--turn", 9), "the turns 0 to 2"),
        (("replay", 1, "--seat", 2), "the seats 0 to 1"),
        (("export", 2), "hasn't begun"),
        (("patch", 2), "hasn't begun"),
    ],
)
async def test_a_missing_thing_is_named(
    run_inspect: Asked, house: House, table: Table, arguments: tuple[object, ...], text: str
) -> None:
    await house.gather(ANN)

    code, printed, complaint = await run_inspect(*arguments)

    assert (code, printed) == (UNUSABLE, "")
    assert text in complaint


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.db"), "show", "1"]) == UNUSABLE
    assert "There is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main(["mysql://host/no", "show", "1"]) == UNUSABLE


async def test_a_step_that_the_rules_refuse_is_told_and_taken_back_when_asked_to(
    run_inspect: Asked, house: House, table: Table, edit_database: Tampered
) -> None:
    await edit_database('update actions set payload = \'{"type":"flip","place":8}\' where version = 5')
    before = await house.history(table)

    code, text, _ = await run_inspect("patch", table.id)
    assert code == AMISS
    assert "3 of 4 steps go by the rules\nstep 4: " in text
    assert "--- as stored\n+++ by the rules\n" in text
    assert "--write would roll it back to version 4" in text
    assert await house.history(table) == before
    assert (await run_inspect("show", table.id))[0] == AMISS

    await edit_database("update facts set value = '0' where key = ?", ALIVE)
    code, text, _ = await run_inspect("patch", table.id, "--write")
    again = house.restart()
    mended = await again.parlour.table(table.id)

    assert code == FINE
    assert "written: version 6 stands where version 4 did" in text
    assert await again.history(table) == [*before, "rollback"]
    assert await again.waiting(mended) == [("board", 0, True)]
    await again.play_moves(mended, "flip 9")
    assert (await run_inspect("patch", table.id))[0] == FINE


async def test_different_events_are_told(run_inspect: Asked, table: Table, edit_database: Tampered) -> None:
    await edit_database("update actions set events = replace(events, '8', '7') where version = 4")

    code, text, _ = await run_inspect("patch", table.id)

    assert code == AMISS
    assert "2 of 4 steps go by the rules\nstep 3: The rules give this step a different result.\n" in text


async def test_a_stored_position_that_differs_is_told_and_written_anew(
    run_inspect: Asked, house: House, table: Table, edit_database: Tampered
) -> None:
    right = await house.state(table)
    start = await house.state(table, 1)
    await edit_database("insert into snapshots (table_id, version, state) values (1, 5, ?)", start)

    code, text, _ = await run_inspect("patch", table.id)
    assert code == AMISS
    assert "all 4 steps go by the rules" in text
    assert "\n-12 cards are face down.\n+10 cards are face down.\n" in text

    await edit_database("update facts set value = '0' where key = ?", ALIVE)
    assert (await run_inspect("patch", table.id, "--write"))[0] == FINE
    assert await house.restart().state(table) == right


async def test_nothing_is_written_while_a_bot_is_alive_on_the_database(
    run_inspect: Asked, house: House, table: Table, edit_database: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    await edit_database("update actions set events = '[]' where version = 4")
    monkeypatch.setattr("tables.review.inspect.time.time", lambda: house.clock.now + 60)

    code, _, complaint = await run_inspect("patch", table.id, "--write")

    assert code == UNUSABLE
    assert "A bot used this database 60 seconds ago" in complaint


async def test_a_game_that_is_over_is_not_written_to(
    run_inspect: Asked, house: House, table: Table, edit_database: Tampered
) -> None:
    await house.play.resign(table.id, user(BO))
    await edit_database("update actions set events = '[]' where version = 4")

    code, _, complaint = await run_inspect("patch", table.id, "--write")

    assert code == UNUSABLE
    assert "No game is running" in complaint


def test_it_is_run_as_a_module_and_explains_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tables.review.inspect", "--help"], capture_output=True, text=True, check=True
    )

    assert "patch" in done.stdout


async def test_a_note_is_kept_for_its_person_and_table_alone(house: House) -> None:
    first, second = await house.gather(ANN, BO), await house.gather(BO)
    notes = house.parlour.notes

    assert await notes.write(first.id, user(ANN), "  watch Bo's red  ") == "watch Bo's red"

    tables = [first.id, second.id]
    assert await notes.of(user(ANN), tables) == {first.id: "watch Bo's red"}
    assert await notes.of(user(BO), tables) == {}
    assert await house.restart().parlour.notes.of(user(ANN), tables) == {first.id: "watch Bo's red"}
    mine, others = [await house.parlour.overviews.of(user(who), 0) for who in (ANN, BO)]
    assert (mine.notes, others.notes) == ({first.id: "watch Bo's red"}, {})


async def test_a_new_note_replaces_the_old_and_is_cleaned_or_refused(house: House) -> None:
    table, notes = await house.gather(ANN), house.parlour.notes
    await notes.write(table.id, user(ANN), "one")

    await notes.write(table.id, user(ANN), "two")
    assert await notes.of(user(ANN), [table.id]) == {table.id: "two"}
    await notes.write(table.id, user(ANN), " ")
    assert await notes.of(user(ANN), [table.id]) == {}
    await notes.write(table.id, user(ANN), "")

    await notes.write(table.id, user(ANN), "x" * LONGEST)

    with pytest.raises(Refused, match="501 of 500 characters"):
        await notes.write(table.id, user(ANN), "y" * (LONGEST + 1))
    with pytest.raises(Refused, match="no table 99"):
        await notes.write(99, user(ANN), "z")

    assert await notes.of(user(ANN), [table.id]) == {table.id: "x" * LONGEST}

    written = await house.parlour.notes.write(table.id, user(ANN), "red\x00\nblue \ud800 \u202egreen")

    assert written == "red\nblue ? green"
    assert await house.parlour.notes.of(user(ANN), [table.id]) == {table.id: written}


class Watch:
    """Records the beat of every move in the first game that begins, and of no position thought about."""

    def __init__(self, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
        rules = game(slug)
        self.beats: list[int] = []
        self._rules, self._begin, self._play = rules, rules.begin, rules.play
        self._state: Any = None
        monkeypatch.setattr(rules, "begin", self.begin)
        monkeypatch.setattr(rules, "play", self.play)

    def begin(self, *setup: Any) -> Any:
        state = self._begin(*setup)
        self._state = self._state or state
        return state

    def play(self, state: Any, *move: Any) -> Any:
        if state is self._state:
            self.beats.append(self._rules.post_counter(state))
        return self._play(state, *move)


@pytest.mark.parametrize("slug", [pytest.param(slug) for slug in SLUGS])
def test_a_simulation_counts_turns_as_the_record_does(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game(slug)
    options = rules.Options()
    seats = rules.seats_for(options)[often(0, -1)]
    watch = Watch(slug, monkeypatch)

    result = simulate_game(SimulationPlan(slug, b"{}", (Strength.EASY,) * seats), "turns", 0)

    start = EntryHeader(version=1, base=0, kind=EntryKind.START, seat=None, at=0.0, beat=None)
    moves = [
        EntryHeader(version=number + 2, base=number + 1, kind=EntryKind.MOVE, seat=0, at=0.0, beat=beat)
        for number, beat in enumerate(watch.beats)
    ]
    turn_at = partial(rules.turn_at, seats=seats, options=rules.settle(seats, options))
    record = turns_of([start, *moves], len(moves) + 1, turn_at=turn_at)
    assert result.turns == record[-1].number > 0


def test_the_votes_of_tanglewood_belong_to_the_turn_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, watch = game("tanglewood"), Watch("tanglewood", monkeypatch)
    short = SimulationPlan("tanglewood", b'{"length":"short"}', (Strength.EASY,) * 3)

    result = simulate_game(short, "votes", 0)

    phases = {beat % 4 for beat in watch.beats}
    assert phases == {0, 1, 2}
    assert watch.beats == sorted(watch.beats)
    assert result.turns == len({beat for beat in watch.beats if beat % 4 == 0})
    assert rules.turn_at(watch.beats[-1], 3, rules.Options()) == result.turns
