"""Files that hostile or clumsy hands have typed: one sentence, and nothing is made."""

import json
import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from engines.registry import game
from tables.core.table import EVER, Refused, encode
from tables.review.format import LARGEST_FILE, Chair, DealFile, is_importable, read, write
from tables.review.import_export import ImportedDeal, ImportedGame, import_file
from tests.db.rows import everything
from tests.engines.cases import CASES, GameCase
from tests.engines.test_conformance import hypothetical
from tests.tables.house import ANN, CHANNEL, GUILD, House
from tests.tables.stories import PEOPLE, finish_story

DATABASES = ["sqlite"]
LONGEST = 400
RIBBON = next(case for case in CASES if case.slug == "ribbon")
every_game = pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
Change = Callable[[dict[str, Any]], object]


@cache
def whole(case: GameCase) -> bytes:
    return finish_story(case, 1).file()


def make_deal_file(case: GameCase) -> bytes:
    table, rules = case.tables[0], case.game
    return write(
        DealFile(
            game=case.slug,
            options=Raw(encode(table.options)),
            seats=[Chair(occupant.name) for occupant in PEOPLE[: table.seats]],
            deal=Raw(encode(rules.deal(table.seats, table.options, b"by hand"))),
        )
    )


def change_data(data: bytes, change: Change) -> bytes:
    file = json.loads(data)
    change(file)
    return json.dumps(file).encode()


def refusal(data: bytes) -> str:
    """Return why a file is refused; check that it is a sentence."""
    with pytest.raises(Refused) as refused:
        import_file(data)
    text = str(refused.value)
    assert text[0].isupper(), text
    assert text.endswith("."), text
    assert len(text) <= LONGEST, text
    return text


def test_a_file_is_written_as_it_is_read_with_a_step_on_each_line() -> None:
    for case in CASES:
        assert write(read(whole(case))) == whole(case)
        assert write(read(make_deal_file(case))) == make_deal_file(case)

    lines = whole(CASES[0]).decode().splitlines()
    steps = json.loads(whole(CASES[0]))["steps"]

    assert [line for line in lines if line.startswith('{"seat"')][3].rstrip(",") == json.dumps(
        steps[3], separators=(",", ":")
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "isn't an exported game"),
        (b"\xff\xfe\x00", "isn't an exported game"),
        (b"GIF89a", "isn't an exported game"),
        (b"[1, 2, 3]", "isn't an exported game"),
        (b"[" * 100_000, "isn't an exported game"),
        (b'{"format": ' * 50_000, "isn't an exported game"),
        (b'{"format": NaN}', "isn't an exported game"),
        (b'{"name": "package", "version": "1.0"}', "isn't an exported game"),
        (b" " * (LARGEST_FILE + 1), "too large: 2 MB"),
        (b'{"format": "tangle-parlour", "version": 2, "kind": "saga"}', "newer version"),
        (b'{"format": "tangle-parlour", "version": "1"}', 'has the format "1"'),
        (b'{"format": "tangle-parlour"}', "has the format null"),
        (
            b'{"format": "tangle-parlour", "version": 1, "game": "chess"}',
            "I don't know that file's game, “chess”",
        ),
        (b'{"format": "tangle-parlour", "version": 1, "game": "../etc"}', "I don't know that file's game"),
        (b'{"format": "tangle-parlour", "version": 1, "game": ["ribbon"]}', "I don't know that file's game"),
        (
            b'{"format": "tangle-parlour", "version": 1, "game": "ribbon", "kind": "part"}',
            "before its game was over",
        ),
        (
            b'{"format": "tangle-parlour", "version": 1, "game": "ribbon", "kind": "saga"}',
            "I can't read that file",
        ),
    ],
)
def test_a_foreign_file_is_refused_with_a_reason(data: bytes, text: str) -> None:
    assert text in refusal(data)


def test_a_game_of_more_steps_than_one_may_have_is_refused_before_it_is_played() -> None:
    data = whole(RIBBON)
    file = json.loads(data)
    file["steps"] = file["steps"][:1] * (game("ribbon").most_steps + 1)

    long = json.dumps(file).encode()
    assert refusal(long) == ("That game has 701 steps. The limit for Ribbon Tangle is 700.")
    assert is_importable("ribbon", data)
    assert not is_importable("ribbon", long)


def steps(change: Callable[[list[dict[str, Any]]], object]) -> Change:
    return lambda file: change(file["steps"])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda file: file.update(extra=1), "unknown field 'extra'"),
        (lambda file: file.pop("deal"), "missing required field 'deal'"),
        (lambda file: file.update(seats=[{"name": "x"}] * 100), "they don't allow 100 players"),
        (lambda file: file.update(seats=[]), "they don't allow 0 players"),
        (lambda file: file["seats"][0].update(name="A" * 10_000), "name of seat 0"),
        (lambda file: file["seats"][0].update(name="A\nB"), "name of seat 0"),
        (lambda file: file["seats"][0].update(name="A\x00B"), "name of seat 0"),
        (lambda file: file["seats"][0].update(name="  "), "name of seat 0"),
        (lambda file: file["seats"][0].update(name=7), "I can't read that file"),
        (lambda file: file["seats"][0].update(computer="genius"), "I can't read that file"),
        (lambda file: file["seats"][0].update(user_id=101), "unknown field 'user_id'"),
        (lambda file: file.update(seed="xyz"), "I can't read that file"),
        (lambda file: file.update(seed="00" * 5000), "I can't read that file"),
        (lambda file: file.update(begun=1e300), "I can't read that file"),
        (lambda file: file.update(begun=-1), "I can't read that file"),
        (lambda file: file["options"].update(mode="poker"), "I can't read the options in that file"),
        (lambda file: file["options"].update(stake=3), "I don't know “stake”"),
        (lambda file: file["deal"]["deck"].reverse(), "of that game breaks the rules"),
        (
            lambda file: file["deal"]["deck"].append("A"),
            "I can't set up the deal in that file: The deck must have 18 cards",
        ),
        (
            lambda file: file["deal"]["deck"].insert(0, "A" * 9999),
            "has a card that doesn't exist: AAAAAAAAAAA…",
        ),
        (steps(lambda made: made[4].update(seat=10**1000)), "There's no seat 1000"),
        (lambda file: file["deal"].update(first=10**30), "can't set up the deal"),
        (lambda file: file["deal"].update(marked=["A"]), "I don't know “marked”"),
        (lambda file: file.update(deal=[]), "I can't read the deal in that file"),
        (lambda file: file.update(outcome=None), "I can't read the outcome in that file"),
        (lambda file: file["outcome"].update(how="magic"), "don't lead to the result that the file gives"),
        (steps(lambda made: made.pop()), "stops before the game is over"),
        (steps(lambda made: made.clear()), "stops before the game is over"),
        (steps(lambda made: made.append(made[-1])), "breaks the rules"),
        (steps(lambda made: made.insert(2, made[1])), "Step 3 of that game breaks the rules"),
        (steps(lambda made: made[4].update(seat=7)), "There's no seat 7."),
        (steps(lambda made: made[4].update(seat=-1)), "There's no seat -1."),
        (steps(lambda made: made[4].update(seat=2**70)), "There's no seat"),
        (steps(lambda made: made[4].update(at="soon")), "I can't read that file"),
        (steps(lambda made: made[4].update(forced=True)), "Step 5 of that game breaks the rules"),
        (steps(lambda made: made[4].update(events=[])), "The rules give this step a different result."),
        (steps(lambda made: made[4].update(events={})), "I can't read the events of step 5 in that file"),
        (
            steps(lambda made: made[4]["events"][0].update(seat=7)),
            "The rules give this step a different result",
        ),
        (steps(lambda made: made[4]["events"][0].update(whisper=1)), "I don't know “whisper”"),
        (steps(lambda made: made[4].update(move={"type": "pass"})), "move of step 5 in that file"),
        (steps(lambda made: made[4].update(move={"type": "flip", "place": 99})), "Step 5 of that game"),
        (steps(lambda made: made[4].update(move=None)), "move of step 5 in that file"),
        (steps(lambda made: made[4]["move"].update(note="hi")), "I don't know “note”"),
    ],
)
def test_a_file_with_one_thing_wrong_is_refused_and_says_which(change: Change, text: str) -> None:
    assert text in refusal(change_data(whole(CASES[0]), change))


def test_a_file_that_is_nested_deeply_has_endless_numbers_or_no_text_is_refused() -> None:
    for depth in (500, 900, 990, 2000, 100_000):
        nest = b"[" * depth + b"]" * depth
        for field in (b'"options": {', b'"deal": {', b'"outcome": {'):
            bent = re.sub(field + rb".*", field[:-1] + nest + b",", whole(CASES[0]), count=1)
            assert refusal(bent.replace(b",\n}", b"\n}"))
    long = re.sub(rb'"version": *\d+', b'"version": ' + b"9" * 6000, whole(CASES[0]), count=1)

    assert refusal(long)
    assert "isn't an exported game" in refusal(b"\xff\xfe\xff")


@pytest.mark.any_game
@every_game
def test_a_move_of_another_game_is_refused(case: GameCase) -> None:
    other = next(other for other in CASES if other != case and other.slug != "tangram")
    theirs = json.loads(whole(other))["steps"][0]["move"]

    text = refusal(change_data(whole(case), lambda file: file["steps"][0].update(move=theirs)))

    assert "step 1" in text.lower()


@pytest.mark.any_game
@every_game
def test_any_typed_file_makes_a_legal_game_or_one_sentence(case: GameCase) -> None:
    data = {"game": json.loads(whole(case)), "deal": json.loads(make_deal_file(case))}
    said: list[str] = []

    @hypothetical(case, 600)
    @given(st.randoms(use_true_random=False), st.sampled_from(["game", "deal", "deal"]))
    def check(rng: Random, kind: str) -> None:
        bent = bend(json.loads(json.dumps(data[kind])), rng)
        try:
            assert isinstance(import_file(json.dumps(bent).encode()), ImportedGame | ImportedDeal)
        except Refused as reason:
            said.append(str(reason))

    check()
    assert said
    for text in said:
        assert text.endswith("."), text
        assert len(text) <= LONGEST, text


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    7,
    10**25,
    1.5,
    "",
    "A" * 20_000,
    "<@101> @everyone",
    "\x00",
    [],
    {},
    [[[[]]]],
    {"type": "flip", "place": 1},
]


def bend(file: Any, rng: Random) -> Any:
    """Replace, double, drop or move one thing in the file."""
    at: Any = file
    while True:
        keys: list[Any] = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = rng.choice(keys)
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.8:
            at = at[key]
            continue
        match rng.randrange(4):
            case 0:
                del at[key]
            case 1 if isinstance(at, list):
                at.insert(rng.choice(keys), at[key])
            case 2:
                other = rng.choice(keys)
                at[key], at[other] = at[other], at[key]
            case _:
                at[key] = rng.choice(JUNK)
        return file


async def test_a_file_that_is_refused_makes_nothing(house: House, database: str) -> None:
    before = await everything(database)

    for change in (steps(lambda made: made.pop()), lambda file: file.update(game="chess")):
        with pytest.raises(Refused):
            await house.parlour.import_export.open(GUILD, CHANNEL, ANN, change_data(whole(CASES[0]), change))
    with pytest.raises(Refused):
        await house.parlour.import_export.open(GUILD, CHANNEL, ANN, b"not a file")

    assert await everything(database) == before
    assert await house.parlour.tables_in(GUILD, EVER) == []


@pytest.mark.parametrize(
    ("options", "sides", "stored"),
    [
        ({"boards": "start", "sides": "random"}, ["3-green", "1-black"], '{"boards":"start"}'),
        ({}, ["3-green", "1-black"], '{"boards":"start"}'),
        ({"boards": "start", "sides": "choose"}, ["3", "1"], '{"boards":"start","sides":"choose"}'),
        ({"boards": "plain"}, None, '{"boards":"plain"}'),
        ({"boards": "printed"}, ["3b", "1a"], '{"boards":"printed"}'),
    ],
)
def test_a_file_may_give_the_usual_value_and_old_ones_are_read_as_they_were(
    options: dict[str, str], sides: list[str] | None, stored: str
) -> None:
    data = write(
        DealFile(
            game="tangram",
            options=Raw(encode(options)),
            seats=[Chair("Ann"), Chair("Bo")],
            deal=Raw(encode({"deck": [*range(1, 24)], "start": 0, "sides": sides})),
        )
    )

    imported = import_file(data)

    assert isinstance(imported, ImportedDeal)
    assert imported.options == stored


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_a_windows_editor_has_saved_is_read(encoding: str) -> None:
    data = whole(CASES[0])

    assert read(data.decode().encode(encoding)) == read(data)
