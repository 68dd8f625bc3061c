"""The rules of Ribbon Tangle as pages to leaf through; docs/games/ribbon.md has them in full."""

from __future__ import annotations

from functools import cache, partial

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from render.core.picture import Picture

_picture = partial(page_picture, "ribbon")

IDEA = """### Ribbon Tangle · the idea
Twelve cards lie in a circle, face down, and three ribbons run round it: 🟢 green outside, then 🟠 orange, then \
🟣 purple. The cards of the circle are flipped one at a time. Where neighbours don't fit, a ribbon is tangled.

**Versus** (2 or 3): one ribbon is yours. End your turn with it tangled, and you are out; the last one left wins.
**Co-op** (2 or 3) and **solo**: look after all three ribbons, and turn all twelve cards up."""

CARD = """**A card.** At each edge a ribbon lies *low*, on its dark side, or *high*, on its light side; on the way it \
may rise or fall. Left is towards the place before, right towards the next, clockwise. Cards never turn round. The \
18 cards, A to R, are all different."""

TANGLES = """**A tangle.** Where two face-up neighbours meet, a ribbon that is low on one and high on the other is \
tangled. A card that lies face down tangles nothing. A small grey cross is a ribbon that no player owns."""

TURN = """### Your turn
**1. Flip** a face-down card. You must, as long as there is one.
**2. Swap**, if you like: a face-up card changes places with a neighbour, face up or face down."""

EXCHANGE = """**3. Exchange**, if you like: put down a card of your hand and take a face-up card for it. Everybody \
has seen that one, so an eye marks it in your hand."""

END = """**4. End** your turn. One swap at most, then one exchange at most. The very first turn of a game is only a \
flip.

**Take turn** opens a panel for you alone: pick a swap and an exchange in any order, and see what they would \
do. Nothing is sent before **End turn**, and if that would lose, you are asked once more. **My hand** shows \
your cards. Everything can be typed, too: `/ribbon flip` and so on."""

VERSUS = """### Versus
Each chooses a ribbon before hands are seen; by option after that, or ribbons are dealt. Only your own can put you \
out, and only when your own turn ends. So clear yours, and leave the next player a knot. Hands are secret.

**Three players:** the two cards of the first who is out are shuffled and dealt to the others, one each. That \
colour doesn't matter from then on. **Two players:** the third colour never matters."""

TIES = """**Ties.** If all twelve cards were up when your turn began, you may offer a tie before you do anything \
else, if no player's ribbon is tangled, or if this position begins a turn for the second time. All \
others must say yes. The game is also a tie when a position begins a turn for the third time, or after 40 \
turns that ended with a full circle."""

TEAM = """### Co-op and solo
All hands are open: talk as much as you like. Each plays from their own hand.
**While a card is face down**, any tangle at the end of a turn loses the game.
**Once all twelve are up**, tangles that stood when your turn began must be gone when it ends; new ones are \
allowed.
**All up and no tangle wins** at once, in the middle of a turn too. After 24 turns that ended with a full circle \
the ribbons win."""

SOLO = """**Solo** is co-op with hands that take turns: two of three cards (easy), three of two (medium), two of two \
(hard; two cards stay out of the game). You see them all and choose the one for your first turn, and each turn uses \
the next. As the first turn is only a flip, your choice is first played when it comes round again."""


@cache
def pages() -> list[Page]:
    """One page for each thing to know, with pictures of it."""
    return [
        Page(
            [
                Heading(IDEA, cover()),
                CARD,
                _picture(
                    "card.png",
                    "Card A: green rises from low to high, orange stays low, purple stays high.",
                ),
                TANGLES,
                _picture(
                    "junctions.png",
                    "Cards A, C, L at 11, 12, 1. At 11-12 every ribbon runs on. At 12-1 green is tangled: low on C, "
                    "high on L.",
                ),
            ]
        ),
        Page(
            [
                TURN,
                _picture(
                    "swap.png",
                    "A, C, L become A, L, C by a swap of 12 and 1: green is clean now, purple is tangled.",
                ),
                EXCHANGE,
                _picture(
                    "exchange.png",
                    "A, C, L become A, C, M by an exchange at 1: nothing is tangled now.",
                ),
                END,
            ]
        ),
        Page(
            [
                VERSUS,
                _picture(
                    "versus.png",
                    "Turn 9 of a game for three: Ann, green, is out; Bo's purple has three tangles; Cy, orange, is "
                    "to move.",
                ),
                TIES,
            ]
        ),
        Page(
            [
                TEAM,
                _picture("coop.png", "A full circle in co-op; two tangles at 7-8 must go this turn."),
                SOLO,
            ]
        ),
    ]


@cache
def cover() -> Picture:
    """The circle in small."""
    return _picture("cover.png", "A full circle of cards, and three ribbons round it without a tangle.")
