"""The pages of the administrators' panel, and the menu that links them."""

from cogs.ui.page import Menu, Option
from cogs.ui.press import Press

TABLES, AUDIT = "tables", "audit"
TITLES = {
    TABLES: ("Tables", "See who has to move, and manage tables"),
    "opening": ("Who and where", "Who can open tables, and where"),
    "time": ("Time", "The usual pace, forbidden paces, late players"),
    "limits": ("Limits and computers", "Limits for open tables, and computer players"),
    "ratings": ("Ratings", "Which tables count"),
    "calls": ("Pings and notice board", "Who gets a ping from Ask around, and where all tables are listed"),
    "daily": ("Daily", "The deal of the day: where, when, which games"),
    "admins": ("Who can use /admin", "Who else can do this, besides members with Manage Server"),
    AUDIT: ("What was done", "Who did it, and when"),
}
"""The pages of the panel, with their contents."""


def ways(current: str) -> Menu:
    lines = [Option(title, name, about, chosen=name == current) for name, (title, about) in TITLES.items()]
    return Menu(Press("panel", "page"), "Page", lines)
