"""Tesla's Tangle as the deal of the day: a duel with the strong computer."""

from pathlib import Path

from engines.daily import DailyDuel

DAILY = DailyDuel(Path(__file__).with_name("daily.toml"))
