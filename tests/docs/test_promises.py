"""The numbers that the pages about privacy and security promise are those of the code."""

from pathlib import Path

import pytest

from cogs.core import pictures
from cogs.review import page
from cogs.ui import answering
from host.settings import Settings
from tables.clocks.pace import DAY
from tables.learning import hints
from tables.lobby import invitations, looking
from tables.play import seats
from tables.review import format as files
from tables.review import import_export
from tables.study import reviews, studies

RUNNING = Path(__file__).parents[2] / "docs" / "running"
PROMISES = {
    "a search for a game for a week": ("privacy", looking.WISH_LASTS / DAY, 7),
    "30 days (the people who run the bot may have set another number)": (
        "privacy",
        Settings.model_fields["keep_removed_days"].default,
        30,
    ),
    "twenty presses or commands in ten seconds": (
        "security",
        (answering.PRESSES, answering.SECONDS),
        (20, 10),
    ),
    "20 people a day per inviter, 50 per table": (
        "security",
        (invitations.MOST_A_DAY, invitations.MOST_INVITED),
        (20, 50),
    ),
    "nobody gets more than 5 a day (further": ("security", invitations.NOTIFIED_A_DAY, 5),
    "5 people a seat; nobody gets more than 3 a day": (
        "security",
        (seats.MOST_ASKED, seats.OFFERED_A_DAY),
        (5, 3),
    ),
    "at most 2 MB": ("security", files.LARGEST_FILE, 2_000_000),
    "ten games a day, a server fifty": (
        "security",
        (import_export.MOST_OF_ONE, import_export.MOST_HERE),
        (10, 50),
    ),
    "one game at a time, 25 seconds | two at a time": (
        "security",
        (studies.WEIGHING_SECONDS, studies.COMPARISONS),
        (25, 2),
    ),
    "1,024 turns' losses, 64 answers": ("security", (reviews.CACHED_LOSSES, studies.CACHED), (1024, 64)),
    "64 verdicts": ("security", reviews.CACHED, 64),
    "256 of each": ("security", hints.KEPT, 256),
    "drawing frames | two at a time | eight at a time": (
        "security",
        (pictures.MOST_EACH, pictures.MOST_AT_ONCE),
        (2, 8),
    ),
    "building the page | one at a time | eight at a time": ("security", page.MOST_AT_ONCE, 8),
}
"""Sentences with their page, the code's numbers and the promised ones."""


@pytest.mark.parametrize("sentence", PROMISES)
def test_a_promised_number_is_the_codes(sentence: str) -> None:
    page, known, promised = PROMISES[sentence]
    text = " ".join((RUNNING / f"{page}.md").read_text("utf-8").split())

    assert sentence in text
    assert known == promised
