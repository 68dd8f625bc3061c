import pytest

from cogs.daily import words
from db.records import DailyDealRow, DailyPlayRow
from engines.analysis.daily import GOOD, MOST_SIGNS
from engines.registry import SLUGS
from tables.daily import rules


@pytest.mark.parametrize("slug", SLUGS)
def test_shared_text_is_no_wider_than_a_phone(slug: str) -> None:
    signs = GOOD * MOST_SIGNS
    play = DailyPlayRow(
        1,
        "2026-11-24",
        slug,
        0,
        1,
        "Ann",
        0.0,
        said="won on the tie-break",
        moves=200,
        seconds=86_000,
        signs=signs,
    )
    for level in rules(slug).levels:
        deal = DailyDealRow("2026-11-24", slug, level.name, 2, "{}", "", "")

        lines = words.shareable_text(deal, play).splitlines()

        assert max(len(line) for line in lines) <= 32
        assert lines[:2] == ["Tangle Parlour", "Deal of the day, 2026-11-24"]
        assert lines[-3:] == ["won on the tie-break", "200 moves, 23 h 53 min", signs]
