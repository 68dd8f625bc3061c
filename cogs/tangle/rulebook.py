"""The rules of Tangle as pages to leaf through; docs/games/tangle.md has them in full."""

from __future__ import annotations

from functools import cache, partial

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.picture import Picture

_picture = partial(page_picture, "tangle")
CARD_PAGES = 7
"""The page with which the cards begin, from 0."""

SPACE_PAGES = ("spaces-1.png", "spaces-2.png", "spaces-3.png")
CARDS = ("cards-1.png", "cards-2.png", "cards-3.png", "cards-4.png")

IDEA = """### Tangle · the idea
Two old trees are yours in a wasteland. Your **roots** wander from space to space; each space lets you do something: take \
resources, lay **clean earth**, **lakes** and **meadows**, plant **seeds**, let **bushes** and **trees** grow, draw cards. \
Fulfil one of your three secret **conditions** at the end of any turn, and you win."""

TURN = """### Your turn
1. **Upkeep**, if its marker lies in front of you: everybody pays.
2. **Place** one root: from a space or from one of your trees to another space, or home to another tree of yours.
3. Do what the space says, and pay 1 resource to each opponent for each root of theirs below yours.
4. **Cast** enchantments, one for each of your roots at home, as you like.
5. **Push** the upkeep trackers, a step for each tile laid or turned and each new root.

Resources: **W** water, **E** earth, **N** nourishment, **M** mana. You can undo every step of a turn until a card is \
drawn or the turn ends."""

LAND = """### The land
The circles are **spaces**, the hexagons between them **areas**, each for one tile. A root on a space brings 1 resource to each resource \
space that an arrow leads to from there. Your meadows and bushes beside the space give you what lies on them; those of \
others get 1 more: meadows **N** up to three, bushes **E** without end."""

BOXES = """### Below the land
Each player has a box of three lines, then that player's cards; one with a ring works as long as it lies there, one with an hourglass \
worked once:
1. what is in the purse: **W E N M**, bush seeds (**b**), tree seeds (**t**);
2. what is left to lay: clean earth, meadows, lakes, saplings, roots; last the cards in hand;
3. what stands on the land: trees (**T**), saplings (**s**), meadows (**M**), bushes (**B**), lakes (**L**); last the cards played.

Below the boxes three ladders for upkeep: a black disc with the steps still to go, what is paid for (**L** lakes, \
**G** bushes and meadows, **C** cards), and the price of each. Beside them the cards that everybody can draw."""

GROW = """### Growing
A **bush seed** on clean earth grows into a bush. A **tree seed** becomes a sapling, and a **sapling** a tree, with a new \
root if you have one left. Each growth costs 1 W and 1 N; every lake beside the area, anybody's, saves 1 W."""

UPKEEP = """### Upkeep
Three tracks: **lakes** cost 1 E each, **bushes and meadows** 1 W each unless a lake lies beside them, **enchantments** \
1 N each. When a tracker is at the top at the end of a turn, its marker goes in front of that player, and at the start of \
that player's next turn *everybody* pays, or loses what they don't pay for: tiles become clean earth, cards are discarded. The \
panel warns you of an upkeep that is two steps away or nearer."""

SPACES = """### The spaces
Twelve for two players, six more for three, six more for four. *Clean earth* is a tile of yours on which nothing grows \
yet. The panel says what each space would do, give and cost now, and lists those where you could do nothing last."""


CARD_TEXT = """### All cards, {number} of {count}
The cost stands on each enchantment. A victory condition says what must lie on your land, or in front of you."""


@cache
def pages() -> list[Page]:
    """One page for each thing to know, with pictures of it; from `CARD_PAGES` on, every card."""
    found = [
        Page([Heading(IDEA, cover()), _picture("board.png", "A game for two, in the middle.")]),
        Page([TURN, _picture("hand.png", "Cards and conditions, with how far each is met.")]),
        Page([LAND, _picture("focus.png", "A part of the land, with areas to choose from marked.")]),
        Page([BOXES, _picture("board.png", "The land with boxes, upkeep ladders and cards below it.")]),
        Page([GROW, _picture("growth.png", "Seeds, what they grow into, and what it costs.")]),
        Page([SPACES, *(_picture(name, "Action spaces with their signs.") for name in SPACE_PAGES)]),
        Page([UPKEEP]),
    ]
    for number, name in enumerate(CARDS, start=1):
        text = CARD_TEXT.format(number=number, count=len(CARDS))
        found.append(Page([text, _picture(name, "Enchantments and victory conditions.")]))
    return found


@cache
def cover() -> Picture:
    """The land in small."""
    return _picture("cover.png", "A land of hexagons with trees, bushes, meadows and lakes.")
