"""The rules of Tanglewood as pages to leaf through; docs/games/tanglewood.md has them in full."""

from __future__ import annotations

from functools import cache, partial

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.picture import Picture

_picture = partial(page_picture, "tanglewood")
ALMANAC = 4
"""The page with which the almanac begins, from 0."""

IDEA = """### Tanglewood · the idea
You want to be Mayor of the forest. It has nine **regions**; in each, the players with most, second and third most \
**workers** get votes, in mid-game and at the end. Most **votes** win.

On your turn you **place** markers from your **circle** in one region, where they are **workers**, or you **draw** new ones into it. Where you \
place, you carry out the **Tangle** that lies there: a step up a track, then its effect.

Below the map each player's box counts the markers in the circle, the ballots in the hand, the Draw level and the \
Place level."""

TURN = """### Your turn
**Draw**: as many markers as your Draw level says, from the supply into your circle. If you had fewer there than you may \
place, you also take a step on a track of your choice.

**Place**: 1 to as many as your Place level says, all in one region. Then its Tangle: a **step** on the track that it \
shows (three signs: any), with what that step gives, then its **effect**, in full as far as possible. A new Tangle is \
turned up.

**Tracks**: Rabbit fills your circle faster, Bear lets you place more, Fox leads to four tiles, \
which are dealt afresh in each game. At the end of a track you draw a ballot instead."""

VOTES = """### Standing and votes
Your **standing** in a region is the number of players who have at least as many workers there as you, yourself \
included. So **ties are unfriendly**: two who are level at the top are both 2nd, and nobody is 1st.
A region pays the 1st, 2nd and 3rd, as the medals beside its name say. With three players a **neutral colour** stands \
about that counts for the standing and gets nothing."""

BALLOTS = """### Secret Ballots
Each time the forest votes, everybody first plays **two ballots** in secret; each brings three workers into its region. All \
are shown at once, then every region is scored.

**Mid-game**: when the **Opinion Poll** turns up among the Tangles, this round and one more are played, then the forest \
votes. You may keep two of the ballots that are left, and fill up to two. Then the **order turns round**.
**The end**: when the last Tangle of the deck is drawn, this round and one more are played, then it votes for good."""

ALMANAC_TEXT = """### The almanac
Every effect, once. *Here* is the region in which you placed. Any worker may be moved, yours and the neutral ones too."""


@cache
def pages() -> list[Page]:
    """One page for each thing to know, with pictures of it; from `ALMANAC` on, every Tangle."""
    return [
        Page([Heading(IDEA, cover()), _picture("board.png", "The forest in mid-game.")]),
        Page([TURN, _picture("tracks.png", "The three faction tracks and the Fox tiles.")]),
        Page([VOTES, _picture("standing.png", "Four regions with ties, and what they pay.")]),
        Page([BALLOTS, _picture("hand.png", "A hand of ballots with the standing in each region.")]),
        Page(
            [
                ALMANAC_TEXT,
                _picture("almanac-1.png", "The 45 Tangles by effect, with their tracks."),
            ]
        ),
        Page(
            [
                "### The Starters\nOne lies in each region when the game begins. Like every Tangle, each is discarded once it is carried out.",
                _picture("almanac-2.png", "The nine Starters by effect, with their tracks."),
            ]
        ),
        Page(
            [
                "### All tracks\nWhat each step brings, from left to right. At the end of a track you draw a ballot.",
                _picture("almanac-3.png", "The tracks step by step, and the Fox tiles."),
            ]
        ),
    ]


@cache
def cover() -> Picture:
    """The forest in small."""
    return _picture("cover.png", "A forest map with workers of several colours.")
