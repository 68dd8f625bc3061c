import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from cogs.core.rulebook import pages
from cogs.play.questions import Picks
from cogs.tanglewood import draft, panel, presenter
from cogs.tanglewood.panel import _ballot_line, _headline, describe_choice
from cogs.ui.text import without_icons
from engines.game import Advice
from engines.tanglewood import GAME, moves, preview
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.pieces.board import NEUTRAL, Counts, Hop, after
from engines.tanglewood.pieces.components import (
    DRAW_BAN,
    EFFECTS,
    MAT,
    RESERVE,
    SETUP,
    TANGLES,
    Faction,
    TangleId,
    TanglewoodOptions,
)
from engines.tanglewood.truth.state import TanglewoodState
from engines.tanglewood.words import captions, event_lines, nouns, previews
from engines.tanglewood.words.board import parts
from tests.engines.tanglewood.arrange import arrange, play

NAMES = ("Ann", "Bo", "Cy", "Dee")


def gives(state: TanglewoodState, count: int = 1) -> str:
    """Return what the Tangle on E gives Ann for `count` workers."""
    return without_icons(previews.gives(GAME.view(state, 0), 0, "E", count, NAMES))


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((0, 4, 4, 4), "You'd draw no ballots, because you'd be 4th here."),
        ((2, 5, 4, 0), "You'd draw 3 ballots, because you'd be 3rd here."),
        ((5, 0, 0, 0), "You'd draw 1 ballot, because you'd be 1st here."),
    ],
)
def test_ballots_by_standing_are_told_as_many_as_they_would_be(counts: Counts, text: str) -> None:
    assert gives(arrange("T20", counts={"E": counts}, empty=True)) == text


@pytest.mark.parametrize(
    ("here", "beside", "text"),
    [
        (
            (0, 4, 0, 0),
            (0, 1, 0, 0),
            "You'd draw no ballots, because you wouldn't be 1st here or in a region beside.",
        ),
        ((5, 4, 0, 0), (0, 1, 0, 0), "You'd draw 3 ballots, because you'd be 1st here."),
        ((0, 4, 0, 0), (2, 1, 0, 0), "You'd draw 3 ballots, because you're 1st in D."),
    ],
)
def test_ballots_of_an_area_say_where_one_would_be_first(here: Counts, beside: Counts, text: str) -> None:
    assert gives(arrange("T24", counts={"E": here, "D": beside}, empty=True)) == text


def test_a_wild_tangle_counts_the_markers_of_its_rabbit_step() -> None:
    view = GAME.view(arrange("T04", circle=2, steps={"rabbit": 2}, empty=True), 0)
    ways = [(track, preview.placement_preview(view, 0, "E", 2, track)) for track in TANGLES["T04"].tracks]
    advice = Advice((moves.TanglewoodPlace("E", 2), moves.TanglewoodStep("rabbit")))

    assert previews.left_in_circle(ways) == (
        "You'd have 2 markers left in your circle with a Rabbit step, or 0 with a Bear or Fox step."
    )
    assert previews.left_in_circle(ways[:1]) == "You'd have 2 markers left in your circle."
    assert "2 markers left in your circle." in presenter.line(view, 0, advice, NAMES)


@pytest.mark.parametrize(
    ("votes", "ballots", "gains"),
    [(0, 0, ""), (2, 0, " You gain 2 votes."), (1, 3, " You gain 1 vote and 3 ballots.")],
)
def test_a_placement_says_what_it_brings_if_it_brings_anything(votes: int, ballots: int, gains: str) -> None:
    ahead = preview.TanglewoodPlacementPreview((3, 1, 0), 2, ballots, votes)

    text = without_icons(panel.placement_line(0, ahead))

    assert text == f"You'd be 1st here. You'd have 2 markers left in your circle.{gains}"


def test_tangles_are_explained_by_region_unless_their_names_do() -> None:
    view = GAME.view(arrange("T20"), 0)
    tangles = dict.fromkeys(view.tangles) | {"A": "T12", "B": "S1", "D": "T12", "I": "T20"}

    text = event_lines.briefly(msgspec.structs.replace(view, tangles=tangles))

    assert text == (
        "**Evict** (in A and D): all other colours lose 1 worker each · "
        "**Regional** (in I): you draw 1 to 3 ballots, depending on your rank here"
    )

    assert EFFECTS.keys() - nouns.BRIEFLY.keys() == {"place_1", "score_1", "ballots"}


def test_ballots_and_choices_tell_the_standings_that_they_would_change() -> None:
    view = GAME.view(arrange("T20", counts={"E": (1, 5, 2, 0)}), 0)

    one, both = (_ballot_line(view, 0, "E", 2, copy) for copy in (1, 2))

    assert one == f"Takes you from 3rd to 2nd for now. You hold 2. Pays {nouns.pays('E')}"
    assert both == f"Both take you from 3rd to 1st for now. You hold 2. Pays {nouns.pays('E')}"

    view = GAME.view(arrange(counts={"B": (2, 3, 0, 0), "C": (0, 0, 1, 0)}, empty=True), 0)

    def told(*made: Hop) -> list[str]:
        return without_icons(previews.standings(view, 0, after(view.workers, made), NAMES)).split("\n")

    assert told(Hop(1, "B", "C"), Hop(1, "B", "C")) == [
        "You'd be 1st in B (now 2nd).",
        "-# If the forest voted now, your choice would change the votes: you +5, Bo +3, Cy −2.",
    ]
    assert told(Hop(0, "B", "C"), Hop(0, "B", "C"))[0] == (
        "You'd be nowhere in B (now 2nd) and 1st in C (now nowhere)."
    )
    assert told(Hop(2, "C", "F"))[0] == "Your standings wouldn't change."
    assert told()[1] == "-# If the forest voted now, your choice would change no votes."


def test_every_tangle_says_what_it_would_give_and_to_whom() -> None:
    assert gives(arrange("T12", counts={"E": (0, 2, 0, 1)})) == "Bo and Dee lose 1 worker each here."
    assert gives(arrange("T12", counts={"E": (3, 0, 0, 0)})).startswith("Nobody else is here")

    assert gives(arrange("T32", circle=1)) == "It does nothing, because your circle is empty then."
    assert gives(arrange("T32", circle=2)).startswith("Place 1 marker from your circle")

    cards: list[TangleId] = ["S1", "S4", "S7", "T01", "T05", "T09", "T16", "T28", "T36", "T39", "T43"]

    lines = [gives(arrange(card)) for card in cards]

    assert all(line.endswith(".") and not line[0].islower() for line in lines)

    text = event_lines.event_line(
        moves.Reinforced(seat=1, region="E", count=0), GAME.view(arrange(), 0), NAMES
    )

    assert without_icons(text or "") == "↳ Bo's circle is empty, so no more workers come."


def test_workers_go_their_ways_in_words() -> None:
    made = [Hop(0, "B", "D"), Hop(NEUTRAL, "F", "D"), Hop(1, "C", "D"), Hop(1, "C", "D")]

    assert without_icons(nouns.ways(made, NAMES)) == (
        "1 of Ann's workers from B to D, 1 neutral worker from F to D and 2 of Bo's workers from C to D"
    )
    view = msgspec.structs.replace(GAME.view(arrange("T20"), 0), active="E")
    assert without_icons(describe_choice(moves.TanglewoodNudge("B", 0, "C"), view, NAMES)) == (
        "move 1 of your workers from B to C"
    )
    assert without_icons(describe_choice(moves.Export("B", (0, 1)), view, NAMES)) == (
        "move 1 of your workers and 1 of Bo's workers from E to B"
    )


def test_a_listener_hears_what_can_be_drawn_and_which_tangle_is_in_use() -> None:
    state = arrange("T20")
    placing = GAME.view(state, 0)
    begun = msgspec.structs.replace(placing, phase="turn")

    said = [" ".join(part.text for part in parts(view, NAMES)) for view in (begun, placing)]

    assert all(re.search(r"you can draw \d marker", text) for text in said)
    assert not any("level is" in text for text in said)
    assert ["Here means" in text for text in said] == [False, placing.phase != "turn"]

    state = arrange("T04", circle=2, empty=True)
    play(state, moves.TanglewoodPlace("E", 1))
    view = GAME.view(state, None)

    spoken = "\n".join(part.text for part in parts(view, NAMES))

    assert view.tangles["E"] is None
    for text in (captions.describe_board(view, NAMES), captions.describe_forest(view, NAMES), spoken):
        assert "Gather" in text
        assert "in use now" in text
        assert "no Tangle" not in text.replace("no Tangles", "")


@pytest.mark.parametrize(
    ("card", "end"),
    [
        ("T14", "Then you use the Tangle **Evict** in Ivy Tor (I), and the votes shown count it."),
        ("T03", "Then you use the Tangle **Gather** in Ivy Tor (I), but the votes shown don't count it."),
    ],
)
def test_a_false_trail_names_the_tangle_that_follows_and_says_if_it_is_counted(card: str, end: str) -> None:
    state = arrange(card, "I", steps={"fox": 3}, counts={"I": (0, 1, 0, 0)}, empty=True)
    play(state, moves.TanglewoodPlace("I", 1))
    view, trail = GAME.view(state, 0), moves.TanglewoodNudge("I", 0, "F")

    play(state, trail)

    assert without_icons(_headline(view)).endswith(end)
    assert preview.workers_to_come(view, 0, trail) == state.workers
    assert preview.effect_of_move(view, 0, trail) == preview.swings(view, state.workers)


@pytest.mark.parametrize(
    ("track", "steps", "text"),
    [
        (None, 0, "grows from 0 to 2, and you can place up to 1 a turn"),
        ("bear", 0, "grows from 0 to 2, and you can place up to 2 a turn"),
        ("rabbit", 2, "grows from 0 to 4, and you can place up to 1 a turn"),
    ],
)
def test_a_hint_to_draw_counts_the_step(track: Faction | None, steps: int, text: str) -> None:
    state = arrange(circle=0, steps={track: steps} if track else None)

    hint = presenter.line(GAME.view(state, 0), 0, Advice((moves.TanglewoodDraw(track),)), NAMES)

    assert text in hint


@pytest.mark.parametrize(
    ("circle", "choice"), [(0, "draw markers"), (1, "draw or place markers"), (20, "place markers")]
)
def test_a_turn_says_only_what_the_circle_allows(circle: int, choice: str) -> None:
    view = GAME.view(arrange(circle=circle), 0)

    assert event_lines.duty(view, 0) == choice
    assert f"Ann must {choice}." in captions.describe_board(view, NAMES)
    assert f"you must {choice}." in parts(view, NAMES)[0].text


@pytest.mark.parametrize(
    ("round_", "text"),
    [
        (3, ""),
        (4, "The forest votes after round 5: your next turn is the last before it."),
        (5, "This is your last turn before the forest votes."),
    ],
)
def test_the_last_turns_before_a_vote_are_counted(round_: int, text: str) -> None:
    assert previews.turns_left(GAME.view(arrange(round=round_, poll_round=4), 0)) == text


def positions(seats: int, seed: int, every: int = 1) -> Iterator[TanglewoodState]:
    """Yield positions of a short game of random moves."""
    options, rng = TanglewoodOptions(length="short"), Random(seed)
    state = GAME.begin(seats, options, GAME.deal(seats, options, b"%d" % seed), b"%d" % seed)
    number = 0
    while prompts := GAME.prompts(state):
        if number % every == 0:
            yield state
        seat = next(iter(prompts))
        GAME.play(state, seat, rng.choice(list(GAME.moves(state, seat))))
        number += 1


def leaves(view: Any, picks: Picks = ()) -> list[Any]:
    """Return every choice that the panel's questions can reach."""
    asked = draft.next_question(view, picks)
    if asked.move is not None:
        return [asked.move]
    return [move for option in asked.options for move in leaves(view, (*asked.picks, option))]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_questions_lead_to_every_legal_choice_and_to_nothing_else(seats: int) -> None:
    asked = 0
    for state in positions(seats, seed=5):
        for seat in GAME.prompts(state):
            view = GAME.view(state, seat)
            legal = choices(view)
            if view.phase != "turn" and len(legal) < 130:
                assert set(leaves(view)) == set(legal)
                asked += 1
    assert asked > 5


def test_a_choice_that_ends_the_turn_is_looked_at_twice_unless_its_button_says_so() -> None:
    twice = 0
    for state in positions(3, seed=9):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        if view.phase not in ("step", "benefit", "effect"):
            continue
        for move in choices(view):
            ends = GAME.ends_turn(view, seat, [move])
            assert draft.is_sent_at_once(view, move) is (isinstance(move, draft.TOLD_WHOLE) or not ends)
            twice += ends
    assert twice


def test_picks_that_lead_nowhere_are_forgotten_and_votes_have_a_table() -> None:
    state = next(one for one in positions(3, seed=7) if one.phase == "effect")
    view = GAME.view(state, next(iter(GAME.prompts(state))))
    assert draft.next_question(view, ("nonsense", "x")) == draft.next_question(view, ())

    state = next(positions(5, seed=8))

    table = event_lines.votes_table(GAME.view(state, None), ("A" * 32, "`", "山田", "Dee", "Eli"))

    assert len(table.splitlines()) == 15
    assert table.count("`") == 10
    assert max(len(line) for line in table.splitlines()[:-1]) <= 22


def test_the_question_says_that_a_region_ends_the_turn_if_nothing_is_confirmed() -> None:
    said = 0
    for state in positions(3, seed=9):
        seat = next(iter(GAME.prompts(state)))
        view = GAME.view(state, seat)
        if view.phase == "turn":
            continue
        asked = draft.next_question(view, ())
        final = [
            move
            for move in choices(view)
            if isinstance(move, moves.TanglewoodPlant | moves.TanglewoodPlaceAdjacent)
            and GAME.ends_turn(view, seat, [move])
        ]

        assert bool(panel._final(view, asked)) is bool(final)
        said += bool(final)
    assert said


def test_the_rules_name_the_numbers_that_are_played_by() -> None:
    rules = " ".join(part for page in pages("tanglewood") for part in page.parts if isinstance(part, str))

    assert f"If your circle has {DRAW_BAN} markers or more" in rules
    assert f"{RESERVE} reserve cards" in rules
    first = getattr(pages("tanglewood")[0].parts[0], "text", "")
    assert f"{SETUP.votes} votes, {SETUP.circle} markers in your circle" in first
    assert f"{SETUP.region_markers} workers in every region, {SETUP.ballots} secret **ballots**" in first
    assert f"Draw level {MAT.draw[0]} and Place level {MAT.place[0]}" in first
