from itertools import pairwise

from cogs.standings.standings import describe_endings
from render.core.canvas import Picture
from render.standings import Section, StandingsEntry, StandingsSheet, sheet
from tables.standings.ratings import MODEL, RECENT, points, uncertainty

RESULTS = "AABABACAADBACAABDACA"
"""The winners of Ann's games of two: she herself, or the opponent."""


def pictures() -> dict[str, Picture]:
    return {"standings/leaderboard.png": _leaderboard(), "standings/profile.png": _profile()}


def _leaderboard() -> Picture:
    people = (
        ("Ann", 31, 19, 45),
        ("Bo", 27, 13, -12),
        ("Cy", 22, 9, 0),
        ("Dee", 9, 4, 88),
        ("Eli", 3, 1, 137),
    )
    entries = []
    for rank, (name, games, wins, change) in enumerate(people, 1):
        sigma = 25 / 3 / (1 + games / 6)
        provisional = " · provisional" if games < RECENT else ""
        detail = f"{games} games · {wins} {'win' if wins == 1 else 'wins'}{provisional}"
        rating = points(27.5 - rank, sigma)
        own = name == "Cy"
        entries.append(
            StandingsEntry(name, detail, f"{rating:,}", f"± {uncertainty(sigma)}", rank, change, own)
        )
    return sheet(StandingsSheet("Tesla's Tangle", "Ratings · Tangle Parlour", (Section(tuple(entries)),)))


def _profile() -> Picture:
    course, sigma = _course()
    lately = course[-1] - course[-1 - RECENT]
    rated = StandingsEntry(
        "Tesla's Tangle", "20 games · 11 wins", f"{course[-1]:,}", f"± {uncertainty(sigma)}", change=lately
    )
    finished = (
        describe_endings("Tesla's Tangle", "20 games", "1st place 11 times, 2nd place 9 times"),
        StandingsEntry("Ribbon Tangle, alone", "6 games", "4 won, 2 lost"),
    )
    against = (StandingsEntry("Bo", "12 games", "7 : 5"), StandingsEntry("Cy", "8 games · 1 tie", "4 : 3"))
    sections = (
        Section((rated,), "Ratings"),
        Section(finished, "Games finished"),
        Section(against, "Against others: finished ahead : behind"),
    )
    return sheet(StandingsSheet("Ann", "Tangle Parlour", sections, "Rating in Tesla's Tangle", course))


def _course() -> tuple[tuple[int, ...], float]:
    """Return Ann's rating before and after each game, and its final uncertainty."""
    ratings = {name: MODEL.rating() for name in "ABCD"}
    course = [points(ratings["A"].mu, ratings["A"].sigma)]
    for winner, after in pairwise(f"{RESULTS}A"):
        other = winner if winner != "A" else after if after != "A" else "B"
        ranks = [1.0, 2.0] if winner == "A" else [2.0, 1.0]
        (mine,), (theirs,) = MODEL.rate([[ratings["A"]], [ratings[other]]], ranks=ranks)
        ratings["A"], ratings[other] = mine, theirs
        course.append(points(mine.mu, mine.sigma))
    return tuple(course), ratings["A"].sigma
