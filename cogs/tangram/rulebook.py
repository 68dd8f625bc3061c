"""The rules of Tangram City as pages to leaf through; docs/games/tangram.md has them in full."""

from __future__ import annotations

from functools import cache, partial

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.picture import Picture

_picture = partial(page_picture, "tangram")

IDEA = """### Tangram City · the idea
Everybody builds a city of 7 by 7 squares, from the same tiles. A card says which tile comes next, and all place it at \
the same time, each where they like. A tile is **black** on one side and **green** on the other, its mirror image.

After each of six rounds the **largest rectangle** of fully built squares in your city brings a point a square. At the \
end there is a bonus for a **balance** of black and green, and one for a **full city**. Most points win."""

ROUND = """### A round
Five rounds have four cards, the sixth has three. Each card is one **step**: its tile is shown, all place it, and when \
the last has answered, all cities are shown at once. Until then you may change your mind, and nobody sees what you did.

Then everybody places a **fountain**, half a square of water. Then the round is scored."""

PLACE = """### Placing
Turn a tile, flip it, lay it anywhere inside your city on empty ground; it need not touch anything. Half squares lie in \
a corner, and two opposite halves fill a square. Or set it aside: then it never comes back. If it fits nowhere, it is set aside \
for you.

**Take turn** opens a panel with the tile over your city at a good place. **Place** lays it; **Next fit** shows another; \
arrows, **Turn** and **Flip** move it as you like, and where it can't lie you are told why."""

SCORE = """### Scoring
A square is **fully built** when both its halves are covered, whatever their colour. The largest rectangle of such \
squares counts; everything outside counts nothing. Everybody begins with 1 point.

The **start marker** goes to the leader after each round; with several leaders, to the next of them clockwise. It decides who sees which card early."""

BALANCE = """**Balance.** A fully built square counts for black or for green if it holds that colour and not the other; \
water makes no difference. Black and green together count for neither. At the end the difference of the two counts \
brings **20** points if it is 0, **10** if it is 1 or 2, **5** if it is 3 or 4.
**A full city**, all 49 squares, brings **15**."""

CARDS = """### Who sees which cards
One card of a round lies open. With two players one more lies hidden, and each holds one. Three hold one each. With four \
and five the start seat holds one, and neighbours share the others. You see the cards that you hold or share with the \
picture of **My hand**. Alone, you see two of the four. They are played in this order: the open one, the hidden one, \
then those of the players, from the start marker on.
**Ahead**: you can already answer the next cards if you know them, and the fountain after the last \
card. Nobody sees it, and you can change it until everybody is asked.

**The last round** has three cards, all open. Place them in any order, change them as you like, and **confirm**."""


SIGNS = """### What the signs mean
**Framed in red**: the largest rectangle, with its points. **Outlined in white**: what was laid in the last step. \
**Dashed**: your own answer, which nobody else sees yet.
**Scales**: how far black and green are apart. \
**Flag**: the start marker. **Drop**: fountains left.
A **dark card** is hidden; the emblems on it say who has seen it. **!** beside a name: another tile looks much like it."""


@cache
def pages() -> list[Page]:
    """One page for each thing to know, with pictures of it."""
    return [
        Page(
            [
                Heading(IDEA, cover()),
                _picture("board.png", "Three cities in round 4."),
                ROUND,
            ]
        ),
        Page(
            [
                PLACE,
                _picture(
                    "tiles.png",
                    "All 23 tiles, black side up, and one of them in all its turns, black and green.",
                ),
                _picture(
                    "preview.png",
                    "The panel's picture: a tile held over your own city, where it fits.",
                ),
            ]
        ),
        Page(
            [
                SCORE,
                _picture("rectangle.png", "A city with its largest rectangle outlined: 4 by 4, 16 points."),
                BALANCE,
                _picture("balance.png", "Squares that count for black, for green, and for neither."),
            ]
        ),
        Page(
            [
                SIGNS,
                CARDS,
                _picture("hand.png", "Your own city with the cards that this player may see."),
            ]
        ),
    ]


@cache
def cover() -> Picture:
    """A city in small."""
    return _picture("cover.png", "A finished city of black roofs, green gardens and blue fountains.")
