import re
from collections import Counter
from io import BytesIO
from random import Random

import pytest
from msgspec.structs import replace
from PIL import Image

from cogs.core.rulebook import page_number, pages
from cogs.tangle import presenter
from cogs.tangle.draft import candidates, describe_free_upkeep, foresee, next_question, preview, pushes
from cogs.tangle.panel import brings, keep_options, steps_label
from cogs.tangle.presenter import applicable_notes
from cogs.ui.text import without_icons
from engines.game import Advice
from engines.tangle import GAME, decisions
from engines.tangle.legal.context import context_of
from engines.tangle.legal.moves import choices, obstacle
from engines.tangle.moves import Cast, Fed, Grow, Meadow, Offer, Steps, TanglePlace, UpkeepKept, UpkeepLost
from engines.tangle.pieces.components import EXTRA_STEPS, NUMBERS, START, SUPPLY, TangleOptions
from engines.tangle.preview import TurnPreview
from engines.tangle.truth.play import end_turn, settle
from engines.tangle.truth.state import TangleState
from engines.tangle.view import TangleView
from engines.tangle.words import board, captions, event_lines, nouns, previews, questions
from engines.tangle.words.event_lines import event_line
from render.core.canvas import Picture
from tests.engines.tangle.arrange import begin, change, front, give, play, put, root, stash
from tests.engines.tangle.test_properties import positions

NAMES = ("Ann", "Bo")
PHONE = 50
"""The letters of a menu's line that a phone shows."""


def anns(state: TangleState) -> TangleView:
    return GAME.view(state, 0)


def line(state: TangleState, to: str) -> str:
    view, move = anns(state), TanglePlace("B5", to)
    return without_icons(brings(view, NAMES, move, obstacle(view, move)))


def test_a_space_that_is_too_dear_names_price_gain_and_toll() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    put(state, 0, "earth", "D11", seed="bush")
    stash(state, 0, 0, 1, 0, 2)

    assert line(state, "ME") == "Does nothing now: you need 2 N, but you have none."
    assert line(state, "GR") == "Does nothing now: you need 1 W and 1 N, but you have no W and no N."

    state = begin()
    put(state, 0, "earth", "C6")
    put(state, 0, "meadow", "C12", cubes=1)
    stash(state, 0, 0, 1, 0, 2)

    assert line(state, "ME") == "Get 1 N. Nothing else: you need 2 N, but you have 1."

    state = begin()
    put(state, 0, "earth", "C6")
    root(state, 1, "ME")
    front(state, 0, "landslide")
    stash(state, 0, 0, 0, 2, 0)

    assert line(state, "ME") == "Pay Bo 1. No use now: you need 2 N and must keep 1 for the toll."
    why = obstacle(anns(state), TanglePlace("B5", "ME"))
    assert why is not None
    assert without_icons(previews.obstacle_text(why, "place_meadows")) == (
        "you need 2 N and must keep 1 for the toll"
    )


def test_the_nearest_condition_says_all_that_it_needs() -> None:
    state = begin()
    put(state, 0, "earth", "C6", "C7", "D6", "D7")

    assert describe_condition(state, "garden").startswith(
        "For **Three of All** you have 2 of 3 trees, 0 of 3 meadows"
    )
    assert "connected tiles" in describe_condition(state, "one_land")
    assert "enchantments in front of you" in describe_condition(state, "old_forest")

    state = begin()
    put(state, 0, "meadow", "C6")

    text = describe_condition(state, "garden")

    assert text.endswith("you have 2 of 3 trees, 1 of 3 meadows, 0 of 3 bushes and 0 of 3 lakes: 9 to go.")

    state = begin()
    state.conditions[0] = ("berry_wood", "great_grove", "bees")

    said = previews.nearest(anns(state), 0)

    assert said.startswith(
        "You're equally close to **Berry Wood** and **Field and Hedge**. For **Berry Wood** you have "
    )


def describe_condition(state: TangleState, condition: str) -> str:
    state.conditions[0] = (condition,)
    return previews.nearest(anns(state), 0)


def every_warning(view: TangleView, within: int = previews.DUE) -> list[str]:
    noted = previews.warnings(view, 0, NAMES, within)
    return [*noted.urgent, *noted.others]


def view_with(state: TangleState, decision: decisions.Decision) -> TangleView:
    view = anns(state)
    return replace(view, decision=decision, agenda=(*view.agenda[:-1], decision))


def test_an_upkeep_that_is_near_and_would_cost_something_is_warned_of() -> None:
    state = begin()
    put(state, 0, "lake", "C6", "C7")
    put(state, 1, "lake", "C8")
    stash(state, 0, 2, 1, 2, 2)
    state.trackers = (3, 3, 3)
    assert every_warning(anns(state)) == []

    state.trackers = (2, 2, 3)
    (near,) = every_warning(anns(state))
    state.markers = (1, None, None)
    (due,) = every_warning(anns(state))

    assert "Upkeep for lakes is 2 steps away.** You have 1 E, so you'd lose 1 of 2." in without_icons(near)
    assert "Upkeep for lakes is due at the start of Bo's next turn.**" in without_icons(due)


def test_a_warning_counts_what_the_move_brings_costs_lays_and_takes() -> None:
    state = begin()
    put(state, 0, "lake", "C6", "C7")
    stash(state, 0, 2, 1, 2, 2)
    state.trackers = (1, 3, 3)
    state.resources["E"] = (0, 3, 0, 0)
    seen = anns(state)

    (before,) = every_warning(seen)
    (after,) = every_warning(foresee(seen, 0, [TanglePlace("B5", "E")]))
    pushing = view_with(state, decisions.Pushing(1))
    (pushed,) = every_warning(foresee(pushing, 0, [Steps((1, 0, 0))]))

    assert "You have 1 E, so you'd lose 1 of 2." in without_icons(before)
    assert "You'd pay 2 E." in without_icons(after)
    assert "The lakes tracker is at the top, so upkeep is due at the start of your next turn.**" in (
        without_icons(pushed)
    )
    assert every_warning(seen, within=0) == []

    state.resources["E"] = begin().resources["E"]
    seen = view_with(state, decisions.Sacrificing())

    (before,) = every_warning(seen)
    (after,) = every_warning(foresee(seen, 0, [Offer("C6")]))

    assert "You have 1 E, so you'd lose 1 of 2." in without_icons(before)
    assert "You'd pay 1 E." in without_icons(after)


@pytest.mark.parametrize(("nourishment", "lacking"), [(4, "2 of 3 meadows"), (2, "1 of 3 meadows")])
def test_a_preview_counts_what_moves_grow_and_ends_with_the_resources(nourishment: int, lacking: str) -> None:
    state = begin()
    state.conditions[0] = ("garden",)
    put(state, 0, "earth", "C6", "C7")
    stash(state, 0, 0, 0, nourishment, 0)
    seen = view_with(state, decisions.Meadows(left=2))

    assert "3 meadows" in previews.nearest(seen, 0)
    assert lacking in previews.nearest(foresee(seen, 0, [Meadow("C6"), Meadow("C7")]), 0)


def test_a_hint_says_what_speaks_for_a_placement_and_which_conditions_come_nearer() -> None:
    state = begin()
    put(state, 0, "lake", "C6", "C7")
    stash(state, 0, 2, 0, 2, 2)
    state.trackers = (1, 3, 3)
    state.resources["E"] = (0, 3, 0, 0)
    state.hands[0] = []

    spring = without_icons(presenter.line(anns(state), 0, Advice((TanglePlace("B5", "E"),)), NAMES))
    cards = without_icons(presenter.line(anns(state), 0, Advice((TanglePlace("B5", "EN"),)), NAMES))

    assert spring.endswith("**Why:** you have no E and you can keep 2 more at upkeep for lakes.")
    assert "**Why:** you have no cards" in cards

    ahead = TurnPreview((("lakes", 1),), (("garden", 2), ("deep_wood", 1)))

    state = begin()
    give(state, 0, "windfall")
    state.agenda = [decisions.Casting()]

    said = without_icons(presenter.line(anns(state), 0, Advice((Cast("windfall"),), ahead), NAMES))

    assert said.endswith("You can get: lakes +1, **2 nearer to Three of All and 1 nearer to Deep Wood**.")


def test_trackers_that_can_be_pushed_instead_of_casting_bring_their_note() -> None:
    state = begin(hands=True)
    give(state, 0, "windfall")
    play(state, 0, "place B5 CE")
    assert "steps" not in applicable_notes(anns(state), 0)

    play(state, 0, "earth C6", "done")

    assert isinstance(anns(state).decision, decisions.Casting)
    assert applicable_notes(anns(state), 0)[-2:] == ["cast", "steps"]


@pytest.mark.parametrize(
    ("trackers", "marker", "notes"),
    [
        ((3, 3, 3), None, []),
        ((3, 3, 2), None, ["soon_cards"]),
        ((0, 2, 3), None, ["soon_lakes", "soon_growth"]),
        ((3, 3, 3), 1, ["due"]),
        ((3, 3, 0), 1, ["waiting", "due"]),
    ],
)
def test_a_note_about_upkeep_is_true_for_where_its_tracker_and_marker_are(
    trackers: tuple[int, int, int], marker: int | None, notes: list[str]
) -> None:
    state = begin()
    state.trackers, state.markers = trackers, (None, None, marker)

    assert [one for one in applicable_notes(anns(state), 0) if one[:4] in ("soon", "due", "wait")] == notes


def test_lines_of_trackers_say_losses_and_free_upkeep() -> None:
    pushing = view_with(begin(), decisions.Pushing(1))
    pushing = replace(pushing, trackers=(3, 3, 1))

    (line,) = describe_free_upkeep(pushing, NAMES, [Steps((0, 0, 1))])
    assert without_icons(line) == (
        "-# Then you get the enchantments marker, and everyone pays at the start of your next turn: you'd "
        "pay nothing."
    )
    assert describe_free_upkeep(pushing, NAMES, [Steps((1, 0, 0))]) == []

    state = begin(hands=True)
    front(state, 0, "landslide", "windfall", "old_lore")
    put(state, 0, "lake", "C6", "C7")
    stash(state, 0, 0, 1, 0, 0)
    state.trackers = (1, 3, 1)
    view = anns(state)

    assert describe_steps(view, 0, 0, 1) == ("Enchantments +1", "Lose all 3 enchantments. Left: 0")
    assert describe_steps(view, 1, 0, 1) == (
        "Lakes +1, enchantments +1",
        "Lose all 3 enchantments, lose 1 of 2 lakes. Left: 0 and 0",
    )
    assert describe_steps(view, 0, 1, 0) == ("Bushes and meadows +1", "Steps left: 2")


def test_a_tracker_that_would_wait_names_who_gets_its_marker_again() -> None:
    state = begin()
    state.trackers, state.markers = (3, 3, 1), (None, None, 1)
    pushing, push = view_with(state, decisions.Pushing(1)), Steps((0, 0, 1))
    waits = (
        "waits at the top, because Bo has its marker. Bo gets it again at the end of Bo's next turn, and "
        "everyone pays at the start of Bo's turn after that"
    )

    (free,) = describe_free_upkeep(pushing, NAMES, [push])
    heading = without_icons(questions.headline(pushing, NAMES))
    front(state, 0, "windfall")
    pushing = view_with(state, decisions.Pushing(1))
    after = foresee(pushing, 0, [push])
    (noted,) = previews.warnings_of_choices(pushing, 0, NAMES, {"": after}, lead="then ").others
    spoken = "\n".join(part.text for part in board.parts(after, NAMES))

    assert without_icons(free) == f"-# Then the enchantments tracker {waits}: you'd pay nothing."
    assert f"But the enchantments tracker then {waits}." in heading
    assert "Bo's next turn, and again at Bo's turn after that: its tracker waits at the top" in without_icons(
        noted
    )
    assert describe_steps(pushing, 0, 0, 1)[1] == "Later pay 1 N. Left: 0"
    assert "The tracker waits there, so upkeep is due again at the start of Bo's turn after that." in spoken

    state = begin()
    state.trackers, state.markers = (3, 3, 0), (None, None, 1)

    end_turn(state)
    settle(state)
    paid = anns(state)
    end_turn(state)

    assert (paid.seat, paid.markers[2], paid.trackers[2]) == (1, None, 0)
    assert (state.markers[2], state.trackers[2]) == (1, 3)


def describe_steps(view: TangleView, *by: int) -> tuple[str, str]:
    label, about = steps_label(view, by, up=True)
    return without_icons(label), without_icons(about)


@pytest.mark.essential
@pytest.mark.parametrize("seats", [2, 3], ids="{}@seats".format)
def test_menu_lines_are_whole_on_a_phone(seats: int) -> None:
    lines = Counter[bool]()
    for state in positions(seats):
        for seat in GAME.prompts(state):
            view = GAME.view(state, seat)
            placing = [move for move in choices(view) if isinstance(move, TanglePlace)]
            texts = [brings(view, ["A", "B", "C"], move, obstacle(view, move)) for move in placing]
            texts += [steps_label(view, steps.by, up=True)[1] for steps in pushes(view)]
            lines.update(len(without_icons(text)) > PHONE for text in texts)

    assert lines[False] > 100
    assert lines[True] < lines[False] / 50, "several tolls and gains at once"


def test_lines_name_what_is_paid_and_what_does_nothing() -> None:
    state = begin()
    put(state, 0, "earth", "C6")
    assert line(state, "CE") == "Earth, 1 E a step."
    assert line(state, "ME") == "Meadows, 2 N each."

    front(state, 0, "soft_loam", "seed_wind", "long_runner")

    assert line(state, "CE") == "Earth, 1 E a step, first 2 for 1 E less, 2 tiles jumped free."
    assert line(state, "ME") == "Meadows, 1 N each."
    assert without_icons(nouns.does("place_meadows", context_of(anns(state)).powers)) == (
        "You may lay any number of meadows on your clean earth for 1 N each."
    )

    state = begin()
    give(state, 0, "creeping_root")
    state.agenda = [decisions.Casting()]
    view = anns(state)
    assert previews.does_nothing(view, "creeping_root")
    said = without_icons(presenter.line(view, 0, Advice((Cast("creeping_root"),)), NAMES))
    assert said.endswith("Its effect does nothing now.")

    put(state, 1, "earth", "B4")

    assert not previews.does_nothing(anns(state), "creeping_root")
    assert "take over up to 2" in without_icons(
        presenter.line(anns(state), 0, Advice((Cast("creeping_root"),)), NAMES)
    )


def test_tolls_upkeep_and_gains_are_named_with_their_numbers() -> None:
    state = begin()
    assert previews.unpaid_tolls(anns(state)) == ""

    root(state, 1, "BS")
    root(state, 1, "BS")
    stash(state, 0, 0, 0, 1, 0)

    assert (
        without_icons(previews.unpaid_tolls(anns(state))) == "You can't go to BS (toll of 2): you have 1 N."
    )

    state = begin()
    front(state, 0, "landslide", "windfall", "old_lore")
    front(state, 1, "thorn_toll")
    stash(state, 0, 0, 0, 0, 0)

    text = without_icons(previews.bills(anns(state), 0, "cards", NAMES))

    assert text == "you have 0 N, so you'd lose all 3; Bo would pay 1 N"
    assert without_icons(previews.bills(anns(state), 0, "lakes", NAMES)) == "nobody would pay"

    state = begin()
    put(state, 1, "meadow", "C7")

    fed = event_line(Fed((("E", "E"),), ("C7",)), anns(state), NAMES)

    assert without_icons(fed or "") == "-# New on the board: 1 E at E and 1 N at C7."


def test_panels_ask_for_seeds_areas_and_resources_only_where_there_is_a_choice() -> None:
    state = begin()
    change(state, 0, seeds=(2, 0))
    put(state, 0, "earth", "C6", "C7")
    play(state, 0, "place B5 PL")

    question = next_question(anns(state), ())

    assert question.picks == ("bush",)
    assert list(question.options) == ["C6", "C7"]
    play(state, 0, "plant bush C6")
    left = next_question(anns(state), ())
    assert (left.move, list(left.options)) == (None, ["C7"])

    state = begin()
    change(state, 0, seeds=(1, 1))
    put(state, 0, "earth", "C6", "C7")
    play(state, 0, "place B5 PL")
    question = next_question(anns(state), ())
    assert list(question.options) == ["bush", "tree"]
    assert candidates(anns(state), question) == (("C6", "C7"), ())

    state = begin(centre="sacrifice")
    put(state, 0, "earth", "C6", "C7")
    play(state, 0, "place B5 X")

    question = next_question(anns(state), ("C6",))

    assert list(question.options) == ["W", "E", "N", "M"]
    assert candidates(anns(state), question) == (("C6",), ())


def test_the_rules_show_the_spaces_of_each_number_of_players_upright() -> None:
    shown = [part for page in pages("tangle") for part in page.parts if isinstance(part, Picture)]
    spaces = [Image.open(BytesIO(one.png)) for one in shown if one.name.startswith("tangle-spaces-")]

    assert len(spaces) == 3
    assert all(picture.width == 1000 for picture in spaces)
    first = pages("tangle")[page_number("tangle", "All cards, part 1 of 7")].parts[1]
    assert isinstance(first, Picture)
    assert first.name == "tangle-cards-1.png"


def test_equal_cards_to_keep_have_names_of_their_own() -> None:
    options = keep_options(anns(begin()), ["windfall", "windfall"], NAMES, " Dropping it saves 1 N.")

    assert [without_icons(one.label) for one in options] == ["Windfall", "Windfall, second copy"]
    assert [one.value for one in options] == ["windfall 1", "windfall 2"]


def test_the_rules_name_the_numbers_that_are_played_by() -> None:
    shown = (part for page in pages("tangle") for part in page.parts)
    rules = " ".join(part if isinstance(part, str) else getattr(part, "text", "") for part in shown)

    assert f"You have {SUPPLY.roots - 2} more roots in store" in rules
    assert f", {START[0]} of each resource, " in rules
    assert f"{NUMBERS.conditions} conditions and {NUMBERS.hand} enchantments" in rules
    assert f"After {TangleOptions().round_limit} rounds" in rules
    assert f"restarts {2 + EXTRA_STEPS} steps below the top (2 players), {3 + EXTRA_STEPS} (3 p" in rules
    assert f"as soon as the tracker is {previews.DUE} steps below the top" in rules
    assert f"(a meadow holds up to {NUMBERS.meadow_cap})" in rules
    assert f"the open row of {NUMBERS.row}," in rules
    stacks = f"{SUPPLY.meadow} meadows, {SUPPLY.lake} lakes, and {SUPPLY.sapling_tree} for saplings"
    assert f"You have {SUPPLY.earth_bush} tiles for earth and bushes, {stacks}" in rules
    assert f"{SUPPLY.bush_seeds} bush seeds and {SUPPLY.tree_seeds} tree seeds" in rules


def test_a_growth_that_would_cost_a_card_says_so_with_its_name() -> None:
    state = begin()
    state.markers = (None, None, 1)
    front(state, 0, "windfall")
    put(state, 0, "earth", "E5", "E6", seed="bush")
    stash(state, 0, 1, 0, 1, 0)
    seen = view_with(state, decisions.Growing())
    then = {f"grow {area}": foresee(seen, 0, [Grow(area)]) for area in ("E5", "E6")}

    (loss,) = previews.warnings_of_choices(seen, 0, NAMES, then).urgent

    assert without_icons(loss).endswith("If you grow E5 or E6, you'd have 0 N and lose Windfall.")


def test_upkeep_that_waits_or_is_paid_now_says_when_it_comes_again() -> None:
    state = begin()
    front(state, 0, "landslide", "windfall")
    stash(state, 0, 2, 2, 3, 2)
    state.trackers = (3, 3, 0)
    (mine,) = previews.warnings(anns(state), 0, NAMES).urgent
    state.markers = (None, None, 1)
    (again,) = previews.warnings(anns(state), 0, NAMES).urgent

    assert without_icons(mine) == (
        "⚠️ **The enchantments tracker is at the top, so upkeep is due at the start of your next turn.** "
        "You'd pay 2 N."
    )
    assert without_icons(again) == (
        "⚠️ **Upkeep for enchantments is due at the start of Bo's next turn, and again at Bo's turn after "
        "that: its tracker waits at the top, and Bo gets the marker.** You'd pay 2 N each time, and you "
        "have 3 N."
    )

    state = begin()
    front(state, 0, "landslide", "windfall")
    state.trackers = (3, 3, 0)
    seen = view_with(state, decisions.Upkeep("cards", (("landslide", "windfall"), ()), (0, 0)))

    (again,) = previews.warnings(seen, 0, NAMES).urgent

    assert without_icons(again) == (
        "⚠️ **The enchantments tracker is at the top already, so this upkeep is due again at the start of "
        "your next turn.**"
    )


def test_a_landing_counts_what_enchantments_and_lakes_bring() -> None:
    state = begin()
    front(state, 0, "bold_creeper", "seed_vault")
    front(state, 1, "thorn_toll")
    root(state, 1, "BS")

    assert line(state, "BS") == "Pay Bo 1. Get 1 W, 1 N and 1 bush seed. Bo gets 1 M."
    ahead = preview(anns(state), TanglePlace("B5", "BS"))
    assert list(map(without_icons, previews.sources(anns(state), ahead, 0, NAMES))) == [
        "-# That includes 1 W and 1 N from Bold Creeper and 1 bush seed from Seed Vault.",
        "-# Your root also adds 1 N to space N.",
    ]

    state = begin()
    front(state, 0, "homecoming")
    root(state, 0, "E")

    assert without_icons(brings(anns(state), NAMES, TanglePlace("E", "B5"), None)) == (
        "Get 1 W, 1 N and 2 M."
    )

    state = begin()
    put(state, 0, "meadow", "C6")
    put(state, 0, "bush", "D5")
    put(state, 1, "meadow", "C4")
    put(state, 0, "earth", "C5")
    assert nouns.shelter(anns(state), "C5", 0) == "shelters your meadow C6 and bush D5"

    put(state, 1, "lake", "D6")

    assert nouns.shelter(anns(state), "C5", 0) == "shelters your meadow C6"
    assert nouns.shelter(anns(state), "D7", 0) == ""


def test_a_hint_warns_of_the_loss_that_the_menu_warns_of_and_counts_no_card_that_upkeep_takes() -> None:
    state = begin(hands=True)
    front(state, 0, "landslide")
    give(state, 0, "windfall")
    stash(state, 0, 0, 0, 1, 2)
    state.markers = (None, None, 1)
    state.agenda = [decisions.Casting()]
    view, cast = anns(state), Cast("windfall")

    (advised,) = (one for one in GAME.advice(view, 0, Random(1)) if one.moves == (cast,))
    said = without_icons(presenter.line(view, 0, advised, NAMES))

    warned = previews.warnings(foresee(view, 0, [cast]), 0, NAMES, lead="then ").urgent
    assert "Then you'd have 1 N and lose 1 of 2." in said
    assert said.endswith("\n".join(map(without_icons, warned)))
    assert "enchantments +1" not in said


def test_a_card_costs_its_seat_the_same_wherever_it_is_named() -> None:
    state = begin()
    front(state, 0, "quiet_chant")
    give(state, 0, "creeping_root")
    view = anns(state)
    by_ear = next(
        part.text for part in board.parts(view, NAMES) if part.heading == "Your cards and conditions"
    )

    for text in (
        without_icons(previews.hand_text(view) or ""),
        by_ear,
        board.describe_place(view, NAMES, "Creeping Root", ()),
        captions.describe_hand(view, 0, NAMES),
    ):
        assert re.search(r"Creeping Root(\*\*)? costs 1 (M|mana)\.", text)
    assert nouns.card_price(view, "creeping_root", 1) == nouns.card_price(view, "creeping_root", None)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (["drop landslide", "pay_rest"], "loses Landslide (1 N not paid) and keeps Quiet Chant for 1 N."),
        (["pay quiet_chant", "drop_rest"], "loses Landslide (1 N not paid) and keeps Quiet Chant for 1 N."),
        (["pay_rest"], "keeps Quiet Chant and Landslide for 2 N."),
        (["drop_rest"], "loses Quiet Chant and Landslide (2 N not paid)."),
    ],
)
def test_an_answer_to_upkeep_is_one_line_the_loss_first(made: list[str], text: str) -> None:
    state = begin(upkeep="asked")
    front(state, 0, "quiet_chant", "landslide")
    stash(state, 0, 0, 0, 2, 0)
    state.agenda.append(decisions.Upkeep("cards", (state.players[0].front, ()), (0, 0)))

    kinds = UpkeepKept | UpkeepLost
    events = [event for one in made for event in play(state, 0, one) if isinstance(event, kinds)]

    line = (
        event_lines.several_line(events, anns(state), NAMES)
        if events[1:]
        else event_line(events[0], anns(state), NAMES)
    )
    assert without_icons(line or "") == f"↳ Ann {text}"
