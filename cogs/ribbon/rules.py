"""The rules of Ribbon Tangle as pages to leaf through; docs/games/ribbon.md has them in full."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cogs.ui.page import Page
from render.picture import Picture

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

IDEA = """### Ribbon Tangle · the idea
Twelve cards lie in a circle, face down, and three ribbons run round it: 🟢 green outside, then 🟠 orange, then \
🟣 purple. Card by card the circle is turned up, and where the cards don't fit, a ribbon gets tangled.

**Versus** (2 or 3): one ribbon is yours. Whoever ends the own turn with the own ribbon tangled is out; the last \
one left wins.
**Co-op** (2 or 3) and **solo**: look after all three together, and turn all twelve cards up."""

CARD = """### A card
At each edge of a card a ribbon lies **low**, on its dark side, or **high**, on its light side. It may turn over on \
the way: then it *rises* or *falls*.

*Left* is the edge towards the place before, *right* the one towards the next place, clockwise. Cards never turn \
round, so left stays left wherever a card goes.

There are 18 cards, A to R, all different. Twelve lie in the circle, the others are in your hands."""

TANGLES = """### Tangles
Two face-up neighbours meet at a **junction**. A ribbon that is low on one of them and high on the other is \
**tangled** there; any other runs on.

A card that lies face down tangles nothing yet.

On the board a tangle is a red cross with the letter of its ribbon. A small grey one is nobody's trouble: its \
ribbon belongs to no player."""

TURN = """### Your turn
**1. Flip** a face-down card. You must, as long as there is one.
**2. Swap**, if you like: a face-up card changes places with a neighbour, be that face up or face down.
**3. Exchange**, if you like: put a card of your hand down for a face-up card, and take that one.
**4. End** your turn.

One swap at most, and before the exchange; one exchange at most. The very first turn of a game is only a flip."""

VERSUS = """### Versus
Each chooses a ribbon before hands are seen (or after that, or ribbons are dealt: an option). Only your own can \
put you out, and only when your own turn ends. So clear yours, and leave the next player a knot.

Hands are secret. A card that you took from the circle has been seen by all: an eye marks it.

**Three players:** the two cards of the first who is out are shuffled and dealt to the others, one each. That \
colour means nothing from then on. **Two players:** the third colour means nothing from the start."""

TIES = """### Ties
Only when all twelve cards were face up as your turn began, and before you do anything else, you may **offer a \
tie**: if no player's ribbon is tangled, or if this position begins a turn for the second time. All others must \
say yes; one no, and you play on.

By itself the game is a tie when a position begins a turn for the third time, or after 40 turns that ended with a \
full circle."""

TEAM = """### Co-op
All hands are open, and you may talk as much as you like; each plays from the own hand.

**While a card is face down**, any tangle at the end of a turn loses the game.
**Once all twelve are up**, tangles that stood when your turn began must be gone when it ends. New ones are \
allowed: the next player has to undo them.

All cards up and no tangle **wins at once**, in the middle of a turn too. After 24 turns that ended with a full \
circle the ribbons win."""

SOLO = """### Solo
As co-op, with the hands taking turns. **Easy:** two hands of three cards. **Medium:** three of two. **Hard:** two \
of two, and two cards stay out of the game.

You see all hands and choose the one for your first turn. Each turn after that uses the next, round and round. \
As the first turn is only a flip, your choice is first played when it comes round again."""

HERE = """### Playing it here
**Take turn** opens a panel that only you see. Flip with its first menu. Then pick a swap and an exchange in any \
order: each line says what would come of it, and the picture shows it. **Nothing is sent before End turn**; if \
ending would lose, you are asked once more.

**My hand** shows your cards, with each ribbon's side at both edges. Everything can be typed too: `/ribbon flip`, \
`/ribbon swap`, `/ribbon exchange`, `/ribbon end`. A typed swap can be taken back with `/table undo`; what has \
been seen can't."""


@cache
def pages() -> list[Page]:
    """The pages, one idea each, most with a picture of it."""
    return [
        Page(
            [IDEA, _picture("ribbon-versus.png", "A circle of cards with three ribbons; purple has tangles.")]
        ),
        Page(
            [
                CARD,
                _picture(
                    "ribbon-card.png",
                    "Card A: green rises from low to high, orange stays low, purple stays high.",
                ),
            ]
        ),
        Page(
            [
                TANGLES,
                _picture(
                    "ribbon-junctions.png",
                    "Cards A, C, L at 11, 12, 1. At 11-12 every ribbon runs on; at 12-1 green, low on C and high "
                    "on L, is tangled.",
                ),
            ]
        ),
        Page(
            [
                TURN,
                _picture(
                    "ribbon-swap.png",
                    "A, C, L become A, L, C by a swap of 12 and 1: green is clean, purple is tangled.",
                ),
                _picture(
                    "ribbon-exchange.png",
                    "A, C, L become A, C, M by an exchange at 1: nothing is tangled.",
                ),
            ]
        ),
        Page([VERSUS]),
        Page([TIES]),
        Page(
            [
                TEAM,
                _picture("ribbon-coop.png", "A full circle; two tangles at 7-8 must go this turn."),
            ]
        ),
        Page([SOLO, _picture("ribbon-solo.png", "A solo game with three open hands, the first one in use.")]),
        Page([HERE, _picture("ribbon-hand.png", "A hand of three cards; an eye marks the one seen by all.")]),
    ]


@cache
def cover() -> Picture:
    """The circle in small."""
    return _picture(
        "ribbon-cover.png", "A full circle of cards, and three ribbons round it without a tangle."
    )


def _picture(name: str, alt: str) -> Picture:
    return Picture((PICTURES / name).read_bytes(), alt, name)
