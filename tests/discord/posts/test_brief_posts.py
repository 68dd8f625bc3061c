"""Changes that leave the board as it is make a line below it, without a new picture."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.core.folding import LENGTH, LINE, QUOTED, fold, newest
from cogs.core.presenter import Presenter, presenter_of
from cogs.core.story import LINES, merge_events
from cogs.posts import board
from cogs.ui.text import without_icons
from engines.engine import select_readable
from engines.registry import SLUGS
from engines.tangle import GAME, moves
from engines.tangle.words import event_lines
from engines.words import join_words, player_with_sign, plural
from tests.discord.games.test_tangle import type_placement
from tests.discord.stage import DiscordStage
from tests.engines.conformance import step
from tests.engines.golden import FIXTURES, load, type_value
from tests.engines.tangle.arrange import begin
from tests.often import often

pytestmark = [pytest.mark.usefixtures("patient")]

VERSUS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    place = await stage.open("Ann", "Bo", **VERSUS)
    await stage.finish_turn("Ann", place)
    return place


async def test_an_administrators_deed_is_a_line_below_the_board(stage: DiscordStage, place: Any) -> None:
    board = stage.post(place)

    await stage.admin.slash(place, "admin pause", reason="a holiday")

    line = stage.post(place)
    assert line.message.id != board.message.id
    assert line.files == []
    assert "###" not in line.text
    assert "An admin paused the table." in line.text
    assert "a holiday" in line.text
    assert "Bo" not in line.text, "nobody is called to move during a pause"
    assert "Take turn" in line.buttons
    assert stage.posts(place)[-2].files == board.files
    assert stage.posts(place)[-2].buttons == {}

    await stage.admin.slash(place, "admin resume")

    resumed = stage.post(place)
    assert resumed.message.id != line.message.id, "it mentions somebody"
    assert [one.id for one in resumed.message.mentions] == [stage["Bo"].id]
    assert resumed.files == []
    assert "Take turn" not in stage.posts(place)[-2].buttons


async def test_several_deeds_in_a_row_are_one_post(stage: DiscordStage, place: Any) -> None:
    before = len(stage.posts(place))

    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="2 days")
    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="3 days")
    await stage.admin.slash(place, "admin pause")

    posts = stage.posts(place)
    assert len(posts) == before + 1
    assert len(posts[-1].text.splitlines()) >= 3
    assert posts[-1].files == []


async def test_the_next_turn_shows_the_board_and_repeats_no_line(stage: DiscordStage, place: Any) -> None:
    await stage.admin.slash(place, "admin deadline", player=stage["Bo"], by="2 days")
    line = stage.post(place).text.splitlines()[0]

    await stage.finish_turn("Bo", place)

    assert stage.post(place).files == ["ribbon-table.png"]
    assert line not in stage.post(place).text


async def test_a_new_name_on_the_board_is_a_new_board(stage: DiscordStage, place: Any) -> None:
    asked = await stage.admin.slash(place, "admin replace", player=stage["Ann"], by=stage["Cy"])
    assert asked.ephemeral
    for name in ("Bo", "Cy"):
        await stage[name].click(stage.post(place).message, label="Agree")

    assert stage.post(place).files == ["ribbon-table.png"]


async def test_a_line_is_posted_once_and_loses_its_buttons_later_though_the_bot_restarted(
    stage: DiscordStage, place: Any
) -> None:
    await stage.admin.slash(place, "admin pause")
    line, store, table = stage.post(place), stage.bot.app.parlour.store, await stage.table()
    before = len(stage.posts(place))
    await stage.restart()
    await stage.refresh("board")
    assert len(stage.posts(place)) == before
    assert stage.post(place).files == []
    await store.ask(1, "board", 0, table.version, True, 0.0)
    await stage.restart()
    assert stage.post(place).message.id == line.message.id

    await stage.admin.slash(place, "admin resume")

    retired = next(post for post in stage.posts(place) if post.message.id == line.message.id)
    assert not retired.buttons
    assert retired.text.strip() == line.text.splitlines()[0]


async def test_a_line_in_the_middle_of_a_turn_tells_and_shows_nothing_of_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla")
    mover = (await stage.due())[0]
    await stage.finish_turn(mover, place)
    mover, board = (await stage.due())[0], stage.post(place)
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])

    await stage.admin.slash(place, "admin deadline", player=stage[mover], by="2 days")

    line = stage.post(place)
    assert line.files == []
    assert "places" not in line.text
    assert stage.posts(place)[-2].message.id == board.message.id

    await stage.finish_turn(mover, place)

    assert re.search(rf"{mover}( \(.*\))? places", stage.post(place).text.replace("*", ""))
    assert "2 days" not in stage.post(place).text.splitlines()[1]


async def test_a_seat_given_up_is_told_once_and_a_turn_that_a_computer_finished(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "HIGHEST", 2000)  # no turn is cut
    place = await stage.open("Ann", "Bo", "Cy", game="tesla")
    await stage.finish_turn((await stage.due())[0], place)
    mover = (await stage.due())[0]
    other = next(name for name in ("Ann", "Bo", "Cy") if name != mover)
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])
    asked = await stage.admin.slash(place, "admin kick", player=stage[other])
    await stage.admin.click(asked.response, label="Yes, do it")
    told = len(stage.posts(place))

    await stage.finish_turn(mover, place)

    assert f"An admin removed {other}" not in "".join(post.text for post in stage.posts(place)[told:])

    mover = (await stage.due())[0]
    choices = await stage[mover].autocomplete(place, "tesla choose", "choice", "place")
    await stage[mover].slash(place, "tesla choose", choice=choices[0]["value"])

    asked = await stage.admin.slash(place, "admin kick", player=stage[mover])
    await stage.admin.click(asked.response, label="Yes, do it")

    _, own, taken, finished, *_ = stage.post(place).text.splitlines()
    assert own.startswith((f"{mover} replaces", f"{mover} places"))
    assert taken.startswith(f"An admin removed {mover}")
    assert finished.removeprefix("**").startswith((f"{mover} (computer) ", f"{mover} (computer): "))


TAKEN = "Ann takes this back:"


async def open_told_turn(stage: DiscordStage, slug: str) -> Any:
    """Return the thread of Ann's lesson, after a post about her turn."""
    await stage["Ann"].slash(stage.channel, f"{slug} learn")
    place, rng = stage.channel.threads[-1], Random(1)
    while not any("Ann" in one.text and "Your lesson begins" not in one.text for one in stage.posts(place)):
        if "Ann" in await stage.due():
            await stage.act("Ann", place, rng)
        await stage.wait(5)
    return place


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_post_says_what_was_taken_back_and_the_next_tells_only_what_was_done_instead(
    stage: DiscordStage, slug: str
) -> None:
    place = await open_told_turn(stage, slug)

    await stage["Ann"].slash(place, "table undo")
    await stage.wait(5)
    said = stage.post(place).text
    await stage.next_post(place, seed=2)
    later = stage.post(place).text

    assert TAKEN in said
    assert "↳ Undone: " in said
    assert TAKEN not in later
    assert "Undone" not in later


async def test_a_turn_of_which_a_step_was_taken_back_is_told_anew_from_its_start(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "HIGHEST", 2000)  # no turn is cut
    await stage["Ann"].slash(stage.channel, "tangle learn")
    place = stage.channel.threads[-1]
    choices = ("earth on C6", "stop", "cast Windfall", "stop", "lakes 1")
    await type_placement(stage, "Ann", place, "B5", "CE", *choices)
    await stage.wait(5)
    told = stage.post(place).text.splitlines()[1]

    await stage["Ann"].slash(place, "table undo")
    await stage.wait(5)
    said = stage.post(place).text
    await stage["Ann"].slash(place, "tangle choose", choice="enchantments 1")
    await stage.wait(5)

    undone, *_ = [line for line in said.splitlines() if line.startswith("↳ Undone: ")]
    assert "upkeep: lakes" in told
    assert "upkeep: lakes" in undone
    assert "moves a" not in undone
    assert "Windfall" not in undone
    assert stage.post(place).text.splitlines()[1] == told.replace("upkeep: lakes", "upkeep: enchantments")


async def test_an_undo_and_a_rollback_between_posts_are_told_without_the_picture(stage: DiscordStage) -> None:
    place = await open_told_turn(stage, "tesla")
    old, posts = stage.post(place), len(stage.posts(place))

    async with stage.bot.app.parlour.outbox.hold([1]):
        await stage["Ann"].slash(place, "table undo")
        asked = (await stage.admin.slash(place, "admin rollback", table=1)).response
        await stage.admin.click(asked, label="Yes, do it")
    await stage.wait(5)

    assert old.alts
    assert TAKEN in stage.post(place).text
    assert "An admin undid some steps." in stage.post(place).text
    assert len(stage.posts(place)) == posts + 1
    assert not stage.posts(place)[-2].alts


NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
FILES = sorted(path for path in FIXTURES.glob("*/*.json") if path.parent.name in ("tangle", "tanglewood"))
NOTHING = (0, 0, 0, 0)
EARTHS = [moves.TangleLaid(0, area, "earth", (0, 1, 0, 0)) for area in ("C8", "C9", "C10")]
WORD = st.text("abcxyz", min_size=1, max_size=9)
CLAUSES = st.lists(st.lists(WORD, min_size=1, max_size=13).map(" ".join), max_size=40)


def line(happened: Sequence[moves.Event]) -> str:
    view = GAME.view(begin(2), None)
    pairs = [(event, event_lines.event_line(event, view, NAMES) or "") for event in happened]
    lines = fold(
        [
            f"{player_with_sign(NAMES, 0)} moves a root.",
            *merge_events(presenter_of("tangle"), pairs, view, NAMES),
        ],
        "Ann",
    )
    assert len(lines) == 1
    return without_icons(lines[0]).partition("Ann ")[2]


def test_tiles_and_cards_in_a_row_are_one_clause_without_their_text() -> None:
    assert line([*EARTHS]) == "moves a root and lays clean earth at C8, C9 and C10 (3 E)."

    unseen = [moves.TookCard(seat=0, card=None)] * 2

    assert (
        line([moves.TookCard(seat=0, card="windfall"), moves.RowFilled(card="landslide"), *unseen])
        == "moves a root and takes Windfall and 2 cards from the pile. New in the row: Landslide."
    )

    assert (
        line([moves.WasCast(0, "windfall", (0, 0, 0, 1))]) == "moves a root and casts **Windfall** for 1 M."
    )


def test_earths_and_plants_are_all_named_and_different_events_get_clauses_of_their_own() -> None:
    areas = [f"C{number}" for number in range(1, 10)]
    grown = [moves.Grew(0, area, "bush", (1, 0, 1, 0)) for area in ("A1", "A2", "A3")]

    text = line([*(moves.TangleLaid(0, area, "earth", (0, 2, 0, 0)) for area in areas), *grown])

    assert all(re.search(rf"\b{area}\b", text) for area in [*areas, "A1", "A2", "A3"])
    assert "(18 E)" in text
    assert "grows A1, A2 and A3 into bushes (3 W + 3 N)" in text

    seeds = [moves.TanglePlanted(0, "bush", "C8"), moves.TanglePlanted(0, "bush", "C1")]

    text = line([EARTHS[0], moves.TangleLaid(0, "C9", "lake", NOTHING), *seeds])

    assert text.startswith("moves a root, lays clean earth at C8 (1 E), lays a lake at C9, ")
    assert text.endswith(", and plants 2 bush seeds at C8 and C1.")

    text = line([moves.Grew(0, "A1", "tree", NOTHING), moves.Grew(0, "A2", "tree", NOTHING, root=True)])

    assert text == "moves a root, grows A1 into a tree and grows A2 into a tree with a new root."


@settings(max_examples=often(15, 200))
@given(CLAUSES)
def test_every_clause_is_in_the_line_or_counted_at_its_end(clauses: list[str]) -> None:
    lines = fold(["Ann begins.", *(f"\u21b3 Ann {clause}." for clause in clauses)], "Ann")

    assert len(lines) == 1
    more = re.search(r" and does (\d+) more things?\.$", lines[0])
    left_out = int(more[1]) if more else 0
    shown = clauses[: len(clauses) - left_out]
    rest = [f"does {plural(left_out, 'more thing')}"] if left_out else []
    text = f"{join_words(['Ann begins', *shown, *rest])}."
    assert lines[0] == text
    assert len(text) <= LINE + len(", and does 40 more things.")


def test_a_line_that_is_cut_still_tells_what_came_to_the_spaces_and_into_the_row() -> None:
    often = [
        moves.TanglePlanted(0, "bush" if number % 2 else "tree", f"C{number}") for number in range(1, 20)
    ]

    text = line([*often, moves.Fed(spaces=(("N", "N"),), tiles=()), moves.RowFilled(card="windfall")])

    assert re.search(r" and does \d+ more things\. ", text)
    assert text.endswith(" New on the board: 1 N at N. New in the row: Windfall.")


def test_gains_of_placements_and_new_cards_are_drawn_together_at_the_end() -> None:
    first, again = (
        moves.Fed(spaces=(("N", "N"), ("E", "E")), tiles=()),
        moves.Fed(spaces=(("N", "N"),), tiles=()),
    )

    text = line(
        [first, moves.RowFilled(card="windfall"), EARTHS[0], again, moves.RowFilled(card="landslide")]
    )

    assert text == (
        "moves a root and lays clean earth at C8 (1 E). New on the board: 2 N at N and 1 E at E. "
        "New in the row: Windfall and Landslide."
    )


def test_a_reserve_a_loss_and_a_shuffle_say_reason_and_number() -> None:
    view = GAME.view(begin(2), None)
    kept = [moves.UpkeepKept(1, "lakes", ("B3", "B4"), paid) for paid in (0, 1, 2)]

    lines = [
        without_icons(event_lines.event_line(one, view, NAMES) or "").partition(" and ")[2] for one in kept
    ]

    assert lines == ["B4 for free.", "B4 for 1 E (1 free).", "B4 for 2 E."]

    lost = [moves.UpkeepLost(1, "lakes", ("B5", "E9"), unasked) for unasked in (True, False)]

    lines = [without_icons(event_lines.event_line(one, view, NAMES) or "") for one in lost]

    assert [line.partition("B5 and E9 ")[2] for line in lines] == [
        "(can't pay 2 E, but keeps the clean earth).",
        "(2 E not paid, but keeps the clean earth).",
    ]

    told = [event_lines.event_line(moves.PileShuffled(number=number), view, NAMES) for number in (1, 12)]

    assert told == ["-# I shuffle 1 discard into a new pile.", "-# I shuffle 12 discards into a new pile."]


def turns(path: Path) -> Iterator[tuple[int, Any, list[Any]]]:
    """Yield a filed game's turns: mover, state after it, events."""
    golden = load(path)
    rules, state = golden.game, golden.begin()
    happened, seat = list[Any](), golden.entries[0].seat
    for entry in golden.entries:
        if entry.seat != seat:
            yield seat, rules.view(state, None), happened
            happened, seat = [], entry.seat
        move = None if entry.move is None else type_value(entry.move, rules.Move)
        happened += select_readable(step(rules, state, seat, move), None)
    yield seat, rules.view(state, None), happened


def find_told_events(speaker: Presenter, view: Any, happened: Sequence[Any]) -> list[tuple[Any, str]]:
    pairs = [(event, speaker.words.event_line(event, view, NAMES)) for event in happened]
    return [(event, told) for event, told in pairs if told is not None]


ACTION = re.compile(r"(?<=[a-z]) \([a-z][^()]*\)$")
"""The name of a space, left out where its action follows."""


def clauses(lines: Sequence[str], name: str) -> set[str]:
    """Return the clauses of some lines, without actor, quotes and ending."""
    texts = [QUOTED.sub("", without_icons(told)) for told in lines]
    plain = [re.sub(r"^(-# |\u21b3 )?", "", text).removeprefix(f"{name} ") for text in texts]
    return {told.removesuffix(".").removesuffix(" from Windfall").lower() for told in plain}


@pytest.mark.parametrize("path", FILES[:: often(6, 1)], ids=lambda path: path.stem)
def test_every_event_of_a_turn_is_in_its_line_or_counted(path: Path) -> None:
    speaker = presenter_of(path.parent.name)
    for seat, view, happened in turns(path):
        drawn = merge_events(speaker, find_told_events(speaker, view, happened), view, NAMES)
        lines = fold(drawn, NAMES[seat])

        said = "\n".join(map(without_icons, lines)).lower()
        missing = [one for one in clauses(drawn, NAMES[seat]) if ACTION.sub("", one) not in said]
        missing = [one for one in missing if not (one.startswith("draws ") and "draws " in said)]
        counted = sum(int(more) for more in re.findall(r" and does (\d+) more things?\.", said))
        assert len(missing) <= counted, (missing, said)


def test_a_post_that_has_no_room_for_all_lines_counts_the_earlier_ones() -> None:
    lines = [f"Ann moves, {letter * 200}." for letter in "abcdefghijkl"]

    kept = newest(lines, LINES, room=LENGTH)

    assert kept[1:] == lines[-len(kept) + 1 :]
    assert f"for {len(lines) - len(kept) + 1} earlier lines" in kept[0]
    assert len("\n".join(kept)) <= LENGTH
