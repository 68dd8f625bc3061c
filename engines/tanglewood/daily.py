"""Tanglewood as the deal of the day: an election against two strong computers."""

from pathlib import Path

from engines.daily import DailyDuel


class TanglewoodDaily(DailyDuel):
    """Decided by a margin of votes."""

    unit = ("vote", "votes")


DAILY = TanglewoodDaily(Path(__file__).with_name("daily.toml"))
