import re
from itertools import islice
from typing import Any

import pytest

from cogs.core.rulebook import pages
from cogs.tesla import presenter
from cogs.tesla.draft import (
    Ending,
    TeslaDraft,
    best_places,
    ending_after,
    is_winning,
    look,
    own_hand,
    with_usual_choice,
)
from cogs.tesla.panel import _marker_text, _whole_hand_cells
from cogs.tesla.presenter import CHOICES
from cogs.ui.page import Button
from cogs.ui.text import without_icons
from engines.game import Advice
from engines.tesla import GAME, preview
from engines.tesla.legal.moves import placements
from engines.tesla.moves import Closed, Mark, Replace, Take, TeslaEndTurn, TeslaPlace
from engines.tesla.pieces.board import beyond, circuit_name
from engines.tesla.pieces.components import BALANCED, COMMON, TeslaOptions
from engines.tesla.truth.state import TeslaState
from engines.tesla.view import TeslaView, compare_circuits
from engines.tesla.words import board, event_lines, previews
from tests.engines.tesla.arrange import arrange, find_turn, line, read, ring, run
from tests.engines.tesla.recount import walk

NAMES = ["Ann", "Bo", "Cy"]
NOTHING = previews.CHANGES_NOTHING
NAMES_OF_FOUR = [*NAMES, "Dee"]
LOOPS = {"AA50": "34", "Z51": "05", "Y51": "05", "Y50": "12"}


def face(lie: str) -> str:
    return find_turn(lie)[0]


def tell_moves(state: TeslaState, script: str, seat: int | None = None) -> list[str]:
    happened = run(state, script)
    view = GAME.view(state, None)
    lines = [
        event_lines.event_line(event, view, NAMES[: state.seats])
        for event in happened
        if event.only in (None, seat)
    ]
    return [without_icons(text) for text in lines if text is not None]


def ahead(state: TeslaState, move: str) -> tuple[str, tuple[str, ...]]:
    made: Any = read(move)
    view = GAME.view(state, state.seat)
    after = preview.move_preview(view, made)
    warned = previews.unwelcome_effects(after.events, after.view, NAMES, state.seat)
    return without_icons(previews.effect(view, after, NAMES)), tuple(map(without_icons, warned))


def test_a_join_says_whose_it_is_and_why() -> None:
    assert tell_moves(arrange(hands=[["03"], []]), "place AA50 14") == ["Ann places a tile at AA50."]

    tiles = line(5)
    del tiles["AC50"]
    markers = {"Z50": (0, "14"), "AA50": (0, "14"), "AD50": (1, "14")}
    state = arrange(tiles, markers, hands=[["03"], []])

    assert (
        ahead(state, "place AC50 14")[0]
        == "your A grows from 3 to 5 (worth 10 with 2 markers) by joining Bo's B (1); Bo's marker goes back"
    )
    assert tell_moves(state, "place AC50 14")[1] == (
        "↳ Circuits A and B join. A is now 5 long and belongs to Ann. "
        "Bo's marker goes back for no points: Ann had more markers (2 to 1)."
    )

    tiles = line(8)
    del tiles["AD50"]
    state = arrange(tiles, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=[[], ["03"]], seat=1)

    assert ahead(state, "place AD50 14")[1] == ("Your marker would go back for no points.",)
    assert tell_moves(state, "place AD50 14")[1] == (
        "↳ Circuits A and B join. A is now 8 long and belongs to Ann. "
        "Bo's marker goes back for no points: Ann's circuit was longer (4 to 3)."
    )

    tiles = line(7)
    del tiles["AC50"]
    state = arrange(tiles, {"Z50": (0, "14"), "AF50": (1, "14")}, hands=[["03"], []])

    assert ahead(state, "place AC50 14")[0] == (
        "your marker goes back; Bo's marker goes back; joins your A (3) and Bo's B (3): B of 7 is free"
    )


def test_a_cut_says_what_is_left_and_whose_it_is() -> None:
    at_the_end = arrange(line(7), {"AF50": (1, "14")}, hands=[[face("01-34")], []])
    at_both = arrange(line(7), {"Z50": (1, "14"), "AF50": (1, "14")}, hands=[[face("01-34")], []])
    free = arrange(line(7), hands=[[face("01-34")], []])

    assert ahead(at_the_end, "replace AB50 01-34")[0] == "cuts Bo's A from 7 to 5; B of 3 is free"
    assert ahead(at_both, "replace AB50 01-34")[0] == "cuts Bo's A from 7 to 5; splits off Bo's B of 3"
    assert ahead(free, "replace AB50 01-34")[0] == "cuts free A from 7 to 5; B of 3 is free"

    state = arrange(line(5), {"Z50": (1, "14")}, hands=[[face("01-34")], []])

    assert ahead(state, "replace AB50 01-34")[0] == "cuts Bo's A from 5 to 3; B of 3 is free"
    assert tell_moves(state, "replace AB50 01-34")[:2] == [
        "Ann replaces the tile at AB50.",
        "↳ Bo's circuit A of 5 is cut. Its parts are now in circuits of 3 and 3.",
    ]


def test_parts_and_free_circuits_that_go_and_come_are_told() -> None:
    tiles = {**line(7), **line(4, "AB50", side=0), "AB50": "03-14"}
    markers = {"AF50": (0, "14"), beyond("hex", "AB50", 0): (1, "03")}
    state = arrange(tiles, markers, hands=[[face("01-34")], []])

    assert ahead(state, "replace AB50 01-34")[0] == (
        "your A grows from 7 to 8 by joining 3 of Bo's B; Bo's marker goes back; "
        "2 of your A become free C of 3"
    )

    lone = arrange({"Z50": "14", "Z60": "01-34"}, hands=[[face("03")], []])
    pair = arrange({"Z50": "14", "Z60": "01-34"}, hands=[[face("01-34")], []])
    beside = arrange({"Z50": "14"}, {"Z50": (1, "14")}, hands=[[face("03")], []])

    assert ahead(lone, "replace Z60 03")[0] == f"{NOTHING}; gone: B (1), C (1); new: D (1)"
    assert ahead(pair, "replace Z50 01-34")[0] == f"{NOTHING}; gone: A (1); new: D (1), E (1)"
    assert ahead(beside, "place Z49 14")[0] == f"{NOTHING}; new: B (1)"


def test_a_line_of_a_menu_ends_with_a_whole_part() -> None:
    names = [name * 7 for name in NAMES_OF_FOUR]
    shortened = 0
    for state in (state for number in range(2) for state, _, _, _ in islice(walk(number, 80), 0, None, 4)):
        view = GAME.view(state, state.seat)
        held = own_hand(view) if state.phase == "tiles" else ()
        for tile in range(1, len(held) + 1):
            for shown in look(view, names, TeslaDraft(tile=tile)).places[::3]:
                cell, turn = shown.value.split()
                draft = TeslaDraft(tile=tile, cell=cell, turn=int(turn))
                whole, part = without_icons(look(view, names, draft).told), without_icons(shown.description)
                assert len(part) <= 100
                assert whole[: len(part)].lower() == part.lower()
                assert whole[len(part) :].startswith(("; ", ", with ")) or len(whole) == len(part)
                shortened += len(whole) > len(part)
    assert shortened


def test_what_all_tiles_use_says_which_they_replace() -> None:
    placed = tuple(
        kind(face("03"), 0, cell)
        for kind, cell in ((TeslaPlace, "Y52"), (TeslaPlace, "AD46"), (Replace, "AD46"))
    )

    told = _whole_hand_cells([Button("Place all 3 tiles")], Ending(None, placed))

    assert told == [["-# **Place all 3 tiles** uses Y52 and AD46 and then replaces AD46."]]


def test_a_placement_says_whose_each_changed_circuit_is() -> None:
    told = 0
    for state in (state for number in range(4) for state, _, _, _ in walk(number, 80)):
        view = GAME.view(state, state.seat)
        for held in sorted(set(state.hands[state.seat])) if state.phase == "tiles" else ():
            for fit in preview.fits(view, held)[::9]:
                told += owners_told(view, preview.move_preview(view, fit.move))
    assert told > 50


def owners_told(view: TeslaView, after: preview.MovePreview) -> int:
    """Check that a text names each owned circuit; return their number."""
    text = without_icons(previews.effect(view, after, NAMES_OF_FOUR))
    rings = {event.circuit for event in after.events if isinstance(event, Closed)}
    for length, part in re.findall(r" to (\d+)[^;]* by joining (?:free|your|\w+'s) [A-Z]+ \((\d+)", text):
        assert int(length) > int(part)
    told = 0
    for one in compare_circuits(view.board, after.view.board):
        for old in one.before if one.after is not None else ():
            whose = "free" if old.owner is None else f"{NAMES_OF_FOUR[old.owner]}'s"
            whole = f"joining {'your' if old.owner == view.seat else whose} {circuit_name(old.circuit)} ("
            assert one.kept[old.circuit] == old.length or whole not in text
        now, was = one.after, [was for was in one.before if was.owner is not None]
        if now is None or now.circuit in rings or not was:
            continue
        was_free = any(old.circuit == now.circuit and old.owner is None for old in one.before)
        name = circuit_name(now.circuit)
        if now.owner is None:
            is_free = rf"\b{name} of {now.length} is free|free {name}( of {now.length})?"
            assert was_free or re.search(is_free, text)
        elif now.length != was[0].length:
            whose = "your" if now.owner == view.seat else f"{NAMES_OF_FOUR[now.owner]}'s"
            assert f"{whose} {name} " in text
            assert f" {now.length}" in text
        told += 1
    return told


def test_a_ring_says_what_each_marker_is_paid() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    markers = {"Z49": (1, around["Z49"]), "Y50": (1, around["Y50"])}
    state = arrange(around, markers, hands=[[face(last)], []])

    effect, warned = ahead(state, f"place AA50 {last}")

    assert effect == "Bo gets +24 points for a ring of 6 (2 markers, 12 each)"
    assert warned == ("Bo would score 24 points.",)
    assert tell_moves(state, f"place AA50 {last}")[-1] == (
        "↳ Bo's circuit A becomes a ring of 6. "
        "Bo gets **+24 points** (2 markers, 12 each) and the 2 markers back."
    )

    assert tell_moves(arrange(around, hands=[[face(last)], []]), f"place AA50 {last}")[-1] == (
        "↳ Circuit A becomes a free ring of 6."
    )


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        ((0, -20), ""),
        ((42, 0), "**You win the game.**"),
        ((0, -42), "**You win the game, because nobody else is left.**"),
        ((0, -42, 0), ""),
        ((0, -42, -42), "**You win the game, because nobody else is left.**"),
    ],
)
def test_a_marker_taken_back_wins_by_points_or_where_all_others_are_out(
    scores: tuple[int, ...], result: str
) -> None:
    state = arrange(line(8), {"Z50": (0, "14")}, hands=[[] for _ in scores], scores=scores)
    view = GAME.view(state, 0)
    (site,) = preview.sites(view)[:1]

    after = preview.move_preview(view, Take("Z50")).view

    assert is_winning(Take("Z50"), after) is bool(result)
    text = _marker_text(view, NAMES[: len(scores)], site, Take("Z50"), after, any_site=True)
    assert result in text
    assert bool(result) is ("win the game" in text)


@pytest.mark.parametrize(
    ("length", "scores", "proposed"),
    [(8, (0, 0), "take Z50"), (4, (0, 0), "put "), (4, (-49, 0), None), (4, (-49, -49), "put ")],
)
def test_the_marker_that_is_proposed_has_grown_or_costs_little_and_ruins_nobody(
    length: int, scores: tuple[int, int], proposed: str | None
) -> None:
    tiles = line(length) | {"Z53": "03"}
    view = GAME.view(arrange(tiles, {"Z50": (0, "14")}, hands=[[], []], scores=scores), 0)

    draft = with_usual_choice(view, preview.sites(view), TeslaDraft("marker"))

    assert draft.spot == proposed
    if proposed == "put ":
        assert view.board.circuits[draft.circuit or 0].length == 1


def test_a_turn_can_end_with_the_marker_that_its_tile_makes_room_for() -> None:
    state = arrange({"Z50": "14"}, {"Z50": (1, "14")}, hands=[[face("14")], []])
    view = GAME.view(state, 0)

    ending = ending_after(view, preview.fits(view, face("14"))[0].move)

    assert not preview.can_mark(view)
    assert look(view, NAMES, TeslaDraft(tile=1)).marks
    assert ending is not None
    assert ending.marker is not None
    assert [type(move) for move in ending.marker.moves_to_the_end()] == [Mark, TeslaEndTurn]

    five = {cell: lie for cell, lie in ring().items() if cell != "AA50"}
    state = arrange(five, {"Y50": (0, "02")}, hands=[[face(ring()["AA50"])], []])
    view = GAME.view(state, 0)
    closing = next(
        fit for fit in preview.fits(view, face(ring()["AA50"])) if "ring of 6" in ahead_of(state, fit.move)
    )

    assert ending_after(view, closing.move) is None


def test_all_tiles_are_placed_where_they_change_something() -> None:
    view = GAME.view(arrange(line(3), {"Z50": (0, "14")}, hands=[[face("14"), face("03")], []]), 0)
    shown = preview.fits(view, face("03"))[1].move

    made = best_places(view, NAMES, shown)

    after = preview.move_preview(view, shown).view
    second = look(after, NAMES, TeslaDraft()).fit
    assert second is not None
    assert made == (shown, second.move)

    hands = [[face("12-34"), face("12-34")], []]
    view = GAME.view(arrange(LOOPS, {"AA50": (1, "34")}, scores=(0, 45), hands=hands), 0)
    best = look(view, NAMES, TeslaDraft())
    assert (best.told, best.is_best) == (f"{previews.CHANGES_NOTHING}; new: C (1), D (1)", True)
    assert best.fit is not None

    assert best_places(view, NAMES, best.fit.move) == (best.fit.move,)


def test_events_are_told_with_prices_to_whom_they_concern() -> None:
    state = arrange(line(3), scores=(5, 0))

    assert tell_moves(state, "mark AA50 14; end") == [
        "Ann puts a marker on circuit A at AA50: −3 points.",
        "Ann ends the turn (−3 points) and draws no tiles.",
    ]
    assert (
        tell_moves(state, "end; take AA50")[-1]
        == "Ann takes back a marker from circuit A at AA50: **+3 points**."
    )

    script, bag = "end", ["01", "03-14-25", "01-24"]

    assert any(
        text == "You draw 3 tiles. **My hand** shows them."
        for text in tell_moves(arrange(hands=[["02"], []], bag=bag), script, seat=0)
    )
    assert not any(
        "You draw" in text for text in tell_moves(arrange(hands=[["02"], []], bag=bag), script, seat=1)
    )

    view = GAME.view(arrange(), None)
    happened = run(arrange(hands=[["03"], []]), "place AA50 14")

    assert (
        without_icons(event_lines.event_line(happened[0], view, ["*A*", "B"]) or "")
        == r"\*A\* places a tile at AA50."
    )


def test_endings_are_said_and_warned_of() -> None:
    state = arrange(line(5), {"Z50": (0, "14")}, scores=(28, -20, 0), hands=[[], [], []])

    assert "**Bo is out** with −20 points, 53 behind the leader." in tell_moves(state, "take Z50")
    assert tell_moves(state, "2 leave")[0] == "Cy leaves the game."
    assert (
        without_icons(event_lines.result(GAME.view(state, None), NAMES))
        == "Ann wins, because Bo and Cy are out."
    )

    won = arrange(line(5), {"Z50": (0, "14")}, scores=(46, 30))
    run(won, "take Z50")
    shared = arrange(scores=(7, 7))
    run(shared, "end; end; end; end")

    assert without_icons(event_lines.result(GAME.view(won, None), NAMES)) == (
        "Ann wins with 51 points, 21 more than Bo!"
    )
    assert without_icons(event_lines.result(GAME.view(shared, None), NAMES)) == (
        "Ann and Bo share the win with 7 points, because nobody placed a tile or used a marker for 2 turns."
    )

    state = arrange(LOOPS, {"AA50": (1, "34")}, scores=(0, 45), hands=[[face("12-34")], []])

    effect, warned = ahead(state, "place Z50 12-34")

    assert "ends the game" in effect
    assert "The game would end, and you wouldn't win." in warned


def standing(state: TeslaState) -> str:
    return without_icons(event_lines.standing(GAME.view(state, state.seat), NAMES, state.seat))


def dangers(state: TeslaState) -> str:
    lines = event_lines.dangers(GAME.view(state, state.seat), NAMES, state.seat)
    return without_icons("\n".join(lines)).replace("**", "")


def test_a_possible_win_or_loss_is_announced_with_its_price() -> None:
    near = arrange(line(8), {"Z50": (1, "14")}, scores=(10, 44))
    far = arrange(line(8), {"Z50": (1, "14")}, scores=(0, 20))

    line_about_bo = "Bo can win next turn. They need 6 more points, and one of their markers earns 8."
    assert dangers(near) == f"{line_about_bo}\nYou're 34 points behind the leader. At 50 you're out."
    assert dangers(far) == ""

    state = arrange(line(8), {"Z50": (1, "14")}, scores=(-30, 15))

    assert dangers(state) == "You could be out soon. You're 45 points behind the leader. At 50 you're out."


@pytest.mark.parametrize(("own", "is_told"), [(-24, False), (-25, True), (-34, True), (-38, True)])
def test_from_half_way_to_ruin_on_all_read_and_hear_the_gap(own: int, *, is_told: bool) -> None:
    state = arrange(line(2), scores=(own, 0), hands=[[face("03")], []])
    seen_by_bo = without_icons(event_lines.standing(GAME.view(state, 1), NAMES, 1))
    heard = "\n".join(part.text for part in board.parts(GAME.view(state, 1), NAMES))

    assert (f"You're {-own} points behind the leader. At 50 you're out." in dangers(state)) is is_told
    assert (f"Ann has −{-own} ({-own} behind)" in seen_by_bo) is is_told
    assert (f"Ann is {-own} points behind the leader (out at 50)." in heard) is is_told


def test_points_that_a_tile_brings_are_in_the_score_below_it() -> None:
    around = ring("Z50")
    last = around.pop("AA50")
    state = arrange(around, {"Z49": (1, around["Z49"])}, scores=(-20, 0), hands=[[face(last)], []])
    view = GAME.view(state, 0)
    closing = next(
        fit for fit in preview.fits(view, face(last)) if "ring of 6" in ahead_of(state, fit.move)
    ).move

    shown = look(view, NAMES, TeslaDraft(tile=1, cell=closing.cell, turn=closing.turn))

    assert shown.wins == ["You'd be 32 points behind the leader. At 50 you're out."]

    five = {cell: lie for cell, lie in ring().items() if cell != "AA50"}
    state = arrange(five, {"Y50": (0, "02")}, scores=(3, 0), hands=[[face(ring()["AA50"])], []])
    view = GAME.view(state, 0)
    ending = next(
        fit for fit in preview.fits(view, face(ring()["AA50"])) if "ring of 6" in ahead_of(state, fit.move)
    )

    shown = look(view, NAMES, TeslaDraft(tile=1, cell=ending.move.cell, turn=ending.move.turn))

    assert without_icons(shown.standing).startswith("You'd have **15** points")


def test_who_listens_hears_whose_marker_left_the_board_and_what_it_earned() -> None:
    joined = line(8)
    del joined["AD50"]
    lost = arrange(joined, {"Z50": (0, "14"), "AE50": (1, "14")}, hands=[["03"], []])
    around = ring("Z50")
    last = around.pop("AA50")
    paid = arrange(around, {"Z49": (1, around["Z49"])}, hands=[[face(last)], []])
    own = arrange(line(3), {"Z50": (0, "14")})
    before = GAME.view(paid, 1)

    run(lost, "place AD50 14")
    run(paid, f"place AA50 {last}; end")
    run(own, "take Z50")

    assert "Your marker at AE50 went back for no points." in hear_changes(GAME.view(lost, 1))
    assert "Bo's marker at Z49 went back and earned 12 points." in hear_changes(GAME.view(paid, 0))
    assert "Your marker at Z50 went back and earned 3 points." in hear_changes(GAME.view(own, 0))
    since = hear_changes(GAME.since(GAME.view(paid, 1), [before]))
    assert since[-3:] == [
        "Your marker at Z49 went back and earned 12 points.",
        "Ann changed the board at AA50 and Z49.",
        "You got 12 points.",
    ]


def test_who_listens_hears_that_a_tile_was_replaced_and_what_it_cut_and_grew() -> None:
    tiles = {**line(7), **line(4, "AB50", side=0), "AB50": "03-14"}
    markers = {"AF50": (0, "14"), beyond("hex", "AB50", 0): (1, "03")}
    state = arrange(tiles, markers, hands=[["03", face("01-34")], []])
    cut = arrange(line(7), {"AF50": (1, "14")}, hands=[["03", face("01-34")], []])
    before, uncut = GAME.view(state, 1), GAME.view(cut, 1)

    run(state, "place AG50 14; replace AB50 01-34; end")
    run(cut, "replace AB50 01-34; place Y50 14; end")

    for view in (GAME.view(state, 1), GAME.since(GAME.view(state, 1), [before])):
        heard = hear_changes(view)
        assert any(one.startswith("New tile at AG50: ") for one in heard)
        assert any(one.startswith("Replaced tile at AB50: ") for one in heard)
        assert "Ann's circuit A grew from 7 to 9." in heard
    for view in (GAME.view(cut, 1), GAME.since(GAME.view(cut, 1), [uncut])):
        assert "Your circuit A was cut from 7 to 5." in hear_changes(view)
        assert not any("circuit B " in one and "from" in one for one in hear_changes(view))


def hear_changes(view: TeslaView) -> list[str]:
    return board.describe_changes(view, NAMES[: view.seats])


def test_dangers_are_told_as_they_will_be_after_the_tile() -> None:
    state = arrange(line(8), {"Z50": (1, "14")}, scores=(20, 41), hands=[[face("14")], []])
    view = GAME.view(state, 0)
    longer = next(
        fit for fit in preview.fits(view, face("14")) if "A grows from 8 to 9" in ahead_of(state, fit.move)
    )

    shown = look(view, NAMES, TeslaDraft(tile=1, cell=longer.move.cell, turn=longer.move.turn))

    assert dangers(state) == ""
    assert [without_icons(one) for one in shown.wins] == ["⚠️ Bo can win right after this turn."]
    assert shown.standing.startswith("You have")


def ahead_of(state: TeslaState, move: Any) -> str:
    view = GAME.view(state, state.seat)
    return without_icons(previews.effect(view, preview.move_preview(view, move), NAMES))


def test_rules_and_first_turns_name_the_numbers_that_are_played_by() -> None:
    state = arrange(scores=(0, -30))
    state.turn = 1

    assert "Going first is a big advantage" in standing(state)

    rules = " ".join(part for page in pages("tesla") for part in page.parts if isinstance(part, str))

    first = getattr(pages("tesla")[0].parts[0], "text", "")
    assert f"any number of your {COMMON.hand}, or none." in rules
    assert "10 for 2 players, 6 for 3, or 5 for 4" in first
    assert COMMON.markers == {2: 10, 3: 6, 4: 5}
    assert f"**draw** until you have {COMMON.hand}" in rules
    assert f"fall **{COMMON.behind} or more points behind** the leader" in rules
    assert f"the others start at {BALANCED.others_start}." in rules
    assert f"the others start at {BALANCED.others_start}" in CHOICES["opening"].values[1].description


def test_hints_for_a_first_turn_say_why() -> None:
    options = GAME.settle(2, TeslaOptions())
    state = GAME.begin(2, options, GAME.deal(2, options, b"seed"), b"seed")
    seat = state.seat

    view = GAME.view(state, seat)
    text = presenter.line(view, seat, Advice((TeslaEndTurn(),)), NAMES)
    texts = [
        presenter.line(view, seat, Advice((move,)), NAMES)
        for move in placements(view.board, tuple(state.hands[seat]))
    ]

    assert text.startswith("End the turn")
    assert text.endswith(
        " **Why:** you can't use a marker this turn, so others could mark the circuits you make."
    )

    assert all("**Why:**" in text for text in texts)
    assert any("grows to 2" in text for text in texts)
    assert any(presenter.FURTHEST in text for text in texts)


def hint(state: TeslaState, script: str) -> str:
    move: Any = read(script)
    view = GAME.view(state, state.seat)
    return without_icons(presenter.line(view, state.seat, Advice((move,)), NAMES[: state.seats]))


def test_hints_for_tiles_and_markers_say_why() -> None:
    mine = arrange(line(4), {"Z50": (0, "14")}, hands=[[face("14")], []])
    theirs = arrange(line(5), {"Z50": (1, "14")}, hands=[[face("01-34")], []])
    free = arrange(line(4), hands=[[face("03")], []])

    assert hint(mine, "place Y50 14").endswith(" **Why:** one of your markers can earn 1 more.")
    assert hint(theirs, "replace AB50 01-34").endswith(" **Why:** Bo's best marker earns 2 less.")
    assert "a circuit without markers grows to 5" in hint(free, "place Y50 14")

    state = arrange(line(3), {"Z50": (0, "14")}, scores=(20, 0))
    closed = arrange(ring("Z50"), {"Z49": (0, ring("Z50")["Z49"])}, scores=(20, 0))
    won = arrange(line(5), {"Z50": (0, "14")}, scores=(46, 30))

    assert hint(arrange(line(2)), "mark Z50 14").endswith(
        "the circuit can still grow, and a marker costs little now."
    )
    assert hint(state, "take Z50").endswith("others can cut this circuit or join it to theirs.")
    assert hint(closed, "take Z49").endswith("a ring hardly grows.")
    assert hint(won, "take Z50").endswith("you win the game.")


def test_a_marker_is_possible_while_one_is_left_or_can_be_taken() -> None:
    lying = {"Z50": (0, "14")}
    assert preview.can_mark(GAME.view(arrange(line(3)), 0))
    assert preview.can_mark(GAME.view(arrange(line(3), lying, supplies=[0, 6]), 0))

    assert not preview.can_mark(GAME.view(arrange(line(3), supplies=[0, 6]), 0))
    assert not preview.can_mark(GAME.view(arrange(line(3), lying, may_mark=False), 0))
