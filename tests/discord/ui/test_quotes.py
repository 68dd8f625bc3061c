"""The words of people appear as they are, whatever they hold, and nothing in them is formatted."""

import re
from collections.abc import Iterator

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.words import plain
from cogs.ui.page import Button, ButtonLine, Menu, Option, Page
from cogs.ui.press import Press
from cogs.ui.text import to_label, without_icons
from engines.marks import (
    CLOSE,
    OPEN,
    clean,
    make_distinct,
    player_name,
    quote,
    quote_player,
    to_plain,
    to_speech,
    with_icon,
)
from engines.words import seat_name as drawn_name
from tests.discord.ui.nasty import FORMATS, HIDDEN, NASTY, strip_escapes, unescape

ANYTHING = st.one_of(st.sampled_from(NASTY), st.text(max_size=40), st.text("<>@#*_~|`[]():/\\.- 1aא🦊\u202e"))
PRESS = Press("table", "turn", 1)


def texts_of(page: Page) -> list[str]:
    items = page.view().walk_children()
    return [item.content for item in items if isinstance(item, discord.ui.TextDisplay)]


def labels_of(page: Page) -> Iterator[str]:
    """Yield the labels of a message's buttons and menus."""
    for item in page.view().walk_children():
        if isinstance(item, discord.ui.Button):
            yield item.label or ""
        elif isinstance(item, discord.ui.Select):
            yield item.placeholder or ""
            for option in item.options:
                yield from (option.label, option.description or "")


def message(name: str, *, is_heard: bool) -> Page:
    who = quote(name)
    menu = Menu(PRESS, f"Or not {who}?", [Option(f"1, {who}", "1", f"with {who}")])
    line = ButtonLine(f"- {who}", Button(f"Nudge {who}", PRESS))
    return Page([f"**{who}** wins.\n{who}: 5", line, menu, [Button(f"Ask {who}", PRESS)]], is_spoken=is_heard)


@pytest.mark.parametrize("is_heard", [False, True])
@given(name=ANYTHING)
def test_nothing_in_a_text_is_formatted_but_our_own_words(name: str, is_heard: bool) -> None:
    shown = clean(name) or "(no name)"

    text, line = texts_of(message(name, is_heard=is_heard))

    for said in (text, line):
        rest = strip_escapes(said).replace("**", "").removeprefix("- ").replace(": 5", "")
        assert not re.search(FORMATS, rest), said
        assert shown in unescape(said)
        assert OPEN not in said
        assert CLOSE not in said


@pytest.mark.parametrize("is_heard", [False, True])
@given(name=ANYTHING)
def test_a_label_names_people_as_they_are(name: str, is_heard: bool) -> None:
    shown = clean(name) or "(no name)"

    labels = list(labels_of(message(name, is_heard=is_heard)))

    assert len(labels) == 5
    assert all(shown in label.replace("\u2068", "") for label in labels)


@given(name=ANYTHING)
def test_invisible_characters_are_left_out_everywhere(name: str) -> None:
    for shown in (
        without_icons(quote(name)),
        to_label(quote(name)),
        plain(quote(name)),
        drawn_name([name], 0),
    ):
        assert shown.strip()
        assert not HIDDEN.search(shown)


@pytest.mark.parametrize("name", ["סם", "سام", "Sam א"])
def test_a_name_that_is_read_from_right_to_left_keeps_the_order_around_it(name: str) -> None:
    assert without_icons(f"{quote(name)}: 5") == f"\u2068{name}\u2069: 5"
    assert to_label(f"{quote(name)}: 5") == f"\u2068{name}\u2069: 5"


@given(name=ANYTHING)
def test_reading_aloud_leaves_names_as_they_are(name: str) -> None:
    assert to_plain(to_speech(f"🏆 {quote(name)} → 5")) == f"{clean(name) or '(no name)'} to 5"


@pytest.mark.parametrize("name", ["🦊", "🐱 Sam", "1-2", "A / B", "✓ done", "60°", "B"])
def test_only_our_own_words_are_read_aloud_in_other_words(name: str) -> None:
    said = to_speech(f"⚠️ {with_icon('seat_1', quote_player([name], 0))} pays 2×3 W.")

    assert to_plain(said) == f"Warning: {name} pays 2 times 3 W."


def test_two_players_of_one_name_are_told_apart() -> None:
    names = ["Sam", "sam", "\u202eSam", "", "Player 4"]

    shown = [player_name(names, seat) for seat in range(len(names))]

    assert shown == ["Sam", "sam (2)", "Sam (3)", "Player 4", "Player 4 (2)"]
    assert shown == [drawn_name(names, seat) for seat in range(len(names))]
    assert shown == [to_plain(quote_player(names, seat)) for seat in range(len(names))]


@given(st.lists(ANYTHING, max_size=6))
def test_no_two_players_are_ever_shown_alike(names: list[str]) -> None:
    shown = [player_name(names, seat) for seat in range(len(names))]

    assert len(set(shown)) == len(names)
    assert all(shown)


@given(ANYTHING)
def test_a_number_is_added_only_to_a_name_that_is_taken(name: str) -> None:
    assert make_distinct(name, []) == name
    assert clean(name) == "" or make_distinct(name, [name]) == f"{name} (2)"


def test_quoting_twice_changes_nothing() -> None:
    assert all(quote(quote(name)) == quote(name) for name in NASTY)


def test_joined_emoji_stay_one() -> None:
    assert clean("👩‍👧 ❤️ 🏳️‍🌈") == "👩‍👧 ❤️ 🏳️‍🌈"
    assert clean("a\u200db") == "ab"
