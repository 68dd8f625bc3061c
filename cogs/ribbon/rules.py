"""The rules of Ribbon Tangle as pages to leaf through; docs/games/ribbon.md has them in full."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cogs.ui.page import Page
from render.picture import Picture

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"

IDEA = """### Ribbon Tangle · the idea
Twelve cards lie in a circle, face down. Three ribbons run round it: 🟢 green outside, 🟠 orange, 🟣 purple \
inside. On every card each ribbon lies **low** (dark) or **high** (light) at either edge, and may change on the way.

Where two face-up neighbours meet and a ribbon is low on one and high on the other, that ribbon is **tangled** \
there. A face-down card tangles nothing.

**Versus** (2 or 3): one ribbon is yours. If it is tangled anywhere when *your own* turn ends, you are out. The \
last one left wins.
**Co-op** (2 or 3) and **solo**: no ribbon may be tangled when a turn ends. Turn all twelve cards up without a \
tangle and the team wins."""

TURN = """### Your turn
**1. Flip** a face-down card. You must, while there is one. The very first turn of the game is only this.
**2. Swap**, if you like: a face-up card changes places with a neighbour, whether that one is face up or down.
**3. Exchange**, if you like: a card of your hand goes down for a face-up card, which you take. Everybody knows \
that you hold it now (an eye marks it).
**4. End your turn.**

A swap comes before an exchange; one of each at most. Cards never turn round: left stays left.

On Discord you pick swap and exchange in any order, look at the preview, and send them with **End turn**. \
Nothing is sent before. If ending would lose, you are asked once more."""

VERSUS = """### Versus
Choose a ribbon first (or let it be dealt). Only your own ribbon matters, and only when your own turn ends: \
tangle the others while you keep clear.

With three players, the hand of the one who is out is shuffled and dealt to the other two, and that colour no \
longer matters. With two players the third colour belongs to nobody from the start.

**Ties.** When all cards are up at the start of your turn, and nobody's ribbon is tangled or the position has \
come before, you may offer a tie before you do anything else. All others must agree. The third time that the \
same position begins a turn, and after 40 turns with a full circle, the game is a tie by itself."""

TEAM = """### Co-op and solo
All hands are open; talk as much as you like. Each plays from the own hand only.

While a card is still face down, any tangle at the end of a turn loses. Once all twelve are up it is gentler: \
tangles that stood **when the turn began** must be gone when it ends, new ones are allowed. No tangle and all \
cards up wins at once. After 24 turns with a full circle the ribbons win.

**Solo.** You have two or three hands and choose the first. Each turn uses the next one, round and round; your \
first turn is only a flip."""


@cache
def pages() -> list[Page]:
    """The pages, each with a picture of what it speaks of."""
    return [
        Page([IDEA, *_picture("ribbon-versus.png", "A circle of cards with three ribbons.")]),
        Page([TURN, *_picture("ribbon-hand.png", "A hand of three cards.")]),
        Page([VERSUS]),
        Page([TEAM, *_picture("ribbon-solo.png", "A solo game with its open hands.")]),
    ]


@cache
def cover() -> Picture:
    """The circle in small."""
    return _picture("ribbon-cover.png", "A circle of cards with three ribbons running through it.")[0]


def _picture(name: str, alt: str) -> list[Picture]:
    return [Picture((PICTURES / name).read_bytes(), alt, name)]
