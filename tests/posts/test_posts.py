"""Posts tell the turn that happened: readers of every game check each sentence against the boards."""

import re
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from typing import Any

import pytest

from cogs.core import story
from cogs.core.folding import fold
from cogs.core.presenter import Presenter, presenter_of
from cogs.core.story import merge_events
from cogs.tangle.presenter import TanglePresenter
from cogs.tanglewood.presenter import TanglewoodPresenter
from cogs.ui.text import without_icons
from engines.game import Seat
from engines.registry import SLUGS
from engines.tangle import GAME as TANGLE
from engines.tangle.moves import MarkerCame, RowFilled, TanglePlanted, TookCard, UpkeepBegan
from engines.tangle.words import event_lines as tangle_lines
from engines.tanglewood import GAME as TANGLEWOOD
from engines.tanglewood import moves
from engines.tanglewood.pieces.components import RaisePlaceLevel
from engines.tanglewood.words import event_lines as tanglewood_lines
from engines.tesla import GAME as TESLA
from engines.tesla import moves as tesla_events
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import compare_circuits
from engines.tesla.words import event_lines as tesla_lines
from tests.engines.tangle.arrange import begin as begin_tangle
from tests.engines.tanglewood.arrange import begin as begin_tanglewood
from tests.engines.tesla.arrange import arrange, line, run
from tests.often import often
from tests.posts.games import NAMES, play_turns
from tests.posts.reader import PostReader, problems_of

Patch = pytest.MonkeyPatch
LEFTOVERS = re.compile(r": [a-z]+: |, You |\b\d+ \w+ \((?:twice|\d+ times)\)|\S Nothing happens")
"""Two colons, a capital within a sentence, an unclear number, an effect without its name."""
MOST_TURNS = 60
"""Turns after which a fault that nobody found counts as missed."""


def reader(slug: str) -> PostReader:
    result: PostReader = import_module(f"tests.posts.{slug}").READER
    return result


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("number", range(often(1, 60)))
def test_every_sentence_of_a_game_is_true_and_nothing_that_matters_is_missing(slug: str, number: int) -> None:
    turns = list(play_turns(slug, number))

    assert not problems_of(reader(slug), turns)
    assert not [turn.text for turn in turns if LEFTOVERS.search(turn.text)]


def say(slug: str, old: str, new: str) -> Callable[[Patch], None]:
    """Return a fault: a game's sentences say something else."""

    def plant(patch: Patch) -> None:
        words = presenter_of(slug).words
        line = words.event_line

        def event_line(*args: Any) -> str | None:
            text = line(*args)
            return None if text is None else text.replace(old, new)

        patch.setattr(words, "event_line", event_line)

    return plant


def change(owner: Any, name: str, value: Any) -> Callable[[Patch], None]:
    """Return a fault: something of the program is something else."""
    return lambda patch: patch.setattr(owner, name, value)


turn_lines = story.turn_lines
FAULTS: dict[str, tuple[str, int, Callable[[Patch], None]]] = {
    "a joined circuit of somebody is left out": (
        "tesla",
        0,
        change(tesla_lines, "compare_circuits", lambda before, after: compare_circuits(before, after)[1:]),
    ),
    "a circuit is still somebody's after the last marker was cashed in": (
        "tesla",
        0,
        change(tesla_lines, "compare_circuits", lambda before, after: compare_circuits(after, before)),
    ),
    "somebody who can win is left out": ("tesla", 4, change(tesla_lines, "best_marker", lambda *_: -99)),
    "a turn's points are those of the turn before": (
        "tesla",
        0,
        change(story, "format_total", lambda points: str(points + 1)),
    ),
    "a new limit has no subject": (
        "tanglewood",
        0,
        say("tanglewood", " can place up to", "'s turn can place up to"),
    ),
    "the order is turned for one round": ("tanglewood", 8, say("tanglewood", "From round", "In round")),
    "evicted workers are lost": (
        "tanglewood",
        7,
        say("tanglewood", "back into their circle", "out of the game"),
    ),
    "points of a vote go to somebody else": (
        "tanglewood",
        0,
        change(TanglewoodPresenter, "gains", lambda *_: {0: 1}),
    ),
    "a card that was taken is new in the row": (
        "tangle",
        1,
        change(TanglePresenter, "retell", lambda _self, _event, line, *_: line),
    ),
    "upkeep takes from plants beside a lake": (
        "tangle",
        1,
        say("tangle", "bush or meadow not beside a lake", "bush or meadow"),
    ),
    "a lost tile is left out": ("tangle", 6, say("tangle", " loses ", " keeps ")),
    "a price is wrong": ("tangle", 0, say("tangle", " for 1 ", " for 2 ")),
    "a turn is told with who is out at the end of the post": (
        "ribbon",
        6,
        change(story, "turn_lines", lambda table, view, _, rows: turn_lines(table, view, {}, rows)),
    ),
    "a tangle that is left is miscounted": ("ribbon", 2, say("ribbon", " 1.", " 2.")),
    "somebody out is left out": ("ribbon", 6, say("ribbon", " is out", " plays on")),
    "totals are those before the round": ("tangram", 0, say("tangram", "** (", "0** (")),
    "a tile that nobody could place is said to have room": (
        "tangram",
        1,
        say("tangram", " no room", " room"),
    ),
    "a tile is in a wrong place": ("tangram", 0, say("tangram", "green on", "black on")),
}
"""Each fault's game, and the number of one that shows it soon."""


@pytest.mark.parametrize("fault", FAULTS)
def test_the_readers_find_a_planted_fault(fault: str, monkeypatch: Patch) -> None:
    slug, number, plant = FAULTS[fault]
    plant(monkeypatch)

    assert any(reader(slug).read(turn) for turn in islice(play_turns(slug, number), MOST_TURNS))


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_high_post_leaves_out_or_keeps_is_said_in_games(slug: str, monkeypatch: Patch) -> None:
    told = list[str]()

    def keep(*args: Any) -> list[str]:
        told.extend(turn_lines(*args))
        return []

    monkeypatch.setattr(story, "turn_lines", keep)
    for number in range(3):
        list(play_turns(slug, number))

    speaker, whole = presenter_of(slug), "\n".join(told)
    text = whole
    for pattern in (*speaker.shown, *({speaker.losses} - {Presenter.losses})):
        assert any(re.search(pattern, one, re.MULTILINE) for one in (whole, text)), pattern
        text = re.sub(pattern, "", text, flags=re.MULTILINE)


def test_no_verb_goes_on_after_a_second_sentence() -> None:
    lines = ["Ann flips A. It was the last card.", "Ann rests."]

    assert fold(lines, "Ann") == lines


def tesla_turn(state: TeslaState, script: str) -> str:
    before = TESLA.view(state, None)
    seat = state.seat
    happened = [event for event in run(state, script) if event.only is None]
    return without_icons(tesla_lines.digest(happened, seat, before, TESLA.view(state, None), NAMES) or "")


def post_lines(slug: str, happened: list[Any], view: Any, seat: Seat) -> str:
    speaker = presenter_of(slug)
    lines = [(one, speaker.words.event_line(one, view, NAMES)) for one in happened]
    pairs = [(one, told) for one, text in lines if text and (told := speaker.retell(one, text, view, view))]
    return without_icons("\n".join(fold(merge_events(speaker, pairs, view, NAMES), NAMES[seat])))


ANNS, BOS = {"Z50": (0, "14")}, {"Z50": (1, "14")}
PAIR = [["03", "12"], []]
TESLA_TURNS: dict[str, tuple[TeslaState, str, list[str]]] = {
    "tiles are told in the order laid": (
        arrange(line(3), hands=[["03", "03", "01-34", "03"], []]),
        "place AC50 14; place AD50 14; replace AA50 01-34; place AE50 14; end",
        ["^Ann places tiles at AC50 and AD50, replaces AA50, places a tile at AE50 and draws"],
    ),
    "a turn without a deed ends": (arrange(line(3)), "end", ["^Ann ends the turn.$"]),
    "a circuit is free after its last marker was cashed in": (
        arrange(line(5), BOS, hands=PAIR[::-1], seat=1),
        "place AE50 14; take Z50; end",
        [
            "^Bo places a tile at AE50 and takes back a marker from A (**+6**).",
            "Circuit A (6 long) is free (was Bo's).",
        ],
    ),
    "free circuits are left out beside owned ones": (
        arrange(line(5), ANNS, hands=PAIR),
        "place AE50 14; end",
        ["Ann's circuit A grows from 5 to 6.", "!free"],
    ),
    "somebody who can win with one marker is named": (
        arrange(line(5), ANNS, hands=PAIR, scores=(44, 20)),
        "place AE50 14; end",
        ["**Ann can win** with one marker."],
    ),
}
"""Each with a turn and what its post says: `^` begins, `$` ends, `!` is left out."""


@pytest.mark.parametrize(("state", "script", "said"), TESLA_TURNS.values(), ids=TESLA_TURNS)
def test_a_turn_of_teslas_tangle(state: TeslaState, script: str, said: list[str]) -> None:
    text = f"^{tesla_turn(state, script)}$"

    assert [one for one in said if (one.removeprefix("!") in text) == one.startswith("!")] == []


def test_wires_that_one_tile_exchanges_are_one_line_of_the_history() -> None:
    cut = [tesla_events.Split(0, 1, 17, None, (12, 5)), tesla_events.Split(0, 5, 12, 0, (12, 5))]
    joined = [
        tesla_events.Joined(0, 5, 12, False, (1, 5), (1, 0), None, 0, (0, 0)),
        tesla_events.Joined(0, 1, 5, False, (1, 5), (0, 0), None, None, (0, 0)),
    ]

    text = without_icons(tesla_lines.reconnection([*cut, *joined], NAMES) or "")

    assert text == (
        "↳ Circuits A and E are reconnected: Ann's circuit E is 12 long, and circuit A is 5 long and free."
    )


def test_a_ballot_that_somebody_draws_after_the_vote_is_not_somebody_elses() -> None:
    view = TANGLEWOOD.view(begin_tanglewood(3), None)
    happened = [
        moves.Kept(discarded=(0, 2, 1)),
        moves.DrewBallots(seat=1, number=1),
        moves.DrewBallots(seat=2, number=2),
    ]

    text = post_lines("tanglewood", happened, view, 1)

    assert "Ballots discarded: Bo 2, Cy 1." in text
    assert "Bo draws 1 ballot" in text
    assert "Cy draws 2 ballots" in text


def test_a_new_limit_has_a_subject() -> None:
    view = TANGLEWOOD.view(begin_tanglewood(3), None)
    happened = [moves.Drew(0, 3), moves.Stepped(0, "bear", 3, RaisePlaceLevel(1)), moves.PlaceLevelRose(0, 3)]

    assert post_lines("tanglewood", happened, view, 0) == (
        "Ann draws 3 markers and takes Bear step 3. From now on, Ann can place up to 3 markers at a time."
    )


def test_a_reversed_order_holds_from_now_on_and_evicted_workers_go_back_into_their_circles() -> None:
    view = TANGLEWOOD.view(begin_tanglewood(3), None)
    began = moves.TanglewoodRoundBegan(round=6, order=(2, 1, 0), turned=True)
    gone = moves.Evicted(seat=2, region="I", colours=(1, 0, "neutral"))

    lines = [without_icons(tanglewood_lines.event_line(one, view, NAMES) or "") for one in (began, gone)]

    assert lines == [
        "From round 6 on, the turn order is reversed: Cy, Bo and Ann.",
        "↳ Bo and Ann each take 1 worker from I back into their circle. 1 neutral worker leaves the game.",
    ]


def test_only_cards_that_still_lie_in_the_row_are_new() -> None:
    state = begin_tangle(2)
    state.row = ["ripe_harvest", *state.row[:3]]
    view = TANGLE.view(state, None)
    took = [TookCard(seat=0, card=card) for card in ("creeping_root", "turned_season")]
    filled = [RowFilled(card=card) for card in ("creeping_root", "turned_season", "ripe_harvest")]

    text = post_lines("tangle", [filled[0], took[0], filled[1], took[1], filled[2]], view, 0)

    assert text == "-# New in the row: Ripe Harvest.\n↳ Ann takes Creeping Root and Turned Season."


def test_upkeep_is_told_in_few_words_and_a_card_of_the_pile_and_a_seed_say_their_price() -> None:
    view = TANGLE.view(begin_tangle(2), None)
    events = (
        MarkerCame(track="growth", seat=1),
        TookCard(seat=0, card=None, price=(0, 0, 0, 1)),
        TanglePlanted(0, "bush", "C8", hedge=True),
    )

    lines = [without_icons(tangle_lines.event_line(one, view, NAMES) or "") for one in events]

    assert lines == [
        "**Before Bo's next turn, everyone pays upkeep** for each bush or meadow not beside a lake (1 W).",
        "↳ Ann takes a card from the pile (1 M).",
        "↳ Ann plants a bush seed at C8 (1 E).",
    ]
    told = post_lines("tangle", [UpkeepBegan(track="lakes")], view, 0)
    assert told == "**Upkeep for lakes: nobody owed any.**"
