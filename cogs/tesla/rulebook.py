"""The rules of Tesla's Tangle as pages to leaf through; docs/games/tesla.md has them in full."""

from __future__ import annotations

from functools import cache, partial

from cogs.core.pictures import page_picture
from cogs.ui.page import Heading, Page
from engines.tesla.pieces.components import BALANCED, COMMON
from render.core.picture import Picture

_picture = partial(page_picture, "tesla")

IDEA = """### Tesla's Tangle · the idea
Tiles carry wires. Wires that meet make **circuits**, and a circuit is as long as it has pieces of wire. Put a marker \
on a short circuit: that *costs* its length. Let it grow, and take the marker back: that *gains* its length. The \
difference is yours.

**First to 50 points wins** (30 or 80, if the table says so), or the last one left: fall 50 behind the leader, and you are out."""

TURN = f"""**Your turn**, in this order:
**1. Lay tiles**, as many of your {COMMON.hand} as you like, none if you like: next to other tiles, **or in place of one \
that lies there**. So anybody can cut or turn away a circuit, yours too, at any of its tiles that has no marker.
**2. One marker:** put one down, or take one of yours back, or neither. No tiles after that.
**3. Throw away** tiles that you don't want, then **draw** up to {COMMON.hand}.

Your tiles are secret and come by DM. Everything up to the draw can be taken back with **Undo step**."""

FIT = """### Laying tiles
A tile goes to an empty cell next to another tile, turned as you like. It must **fit** all its neighbours: wire meets \
wire, blank meets blank. A tile that touches only with blank sides fits too."""

REPLACE = """**Or replace a tile** that has no marker on it; the old one is thrown away. The new one must look \
different and fit all round. It may cut open circuits, and both parts keep the markers that are on them; but no ring \
may be opened: it must still be a ring, with all its other wires in it."""

MARK = """### Markers
A circuit with your marker is **yours**; nobody else can put one there. You may add more of your own: each is paid \
back by itself. One marker a tile, whatever wires it has; and it guards its tile from being replaced.

Putting one down costs the circuit's length *now*, taking one back gains its length *then*. A **ring** counts double, \
both ways. Your score may go below 0."""

JOIN = """### When circuits join
If a tile joins circuits of several players, the one with **most markers** on them owns the whole. With equal \
markers, the **longer pieces** decide, the new tile not counted. If those are equal too, nobody owns it. All other markers \
go back to their owners, for nothing. A tile may join several circuits by different wires: each is decided for itself."""

RING = """### When a circuit closes
A **ring** pays at once: every marker on it goes back to its owner, with **twice the ring's length** for each. If you \
closed your own ring, you may **replay** its markers: put as many as came back on the board at once, each at its price.

Joins are decided first. An older ring that is touched again pays only if it has taken in another circuit."""

END = f"""### The end
Reach the winning score (30, 50 or 80), and you win on the spot. Fall **{COMMON.behind} or more behind** the leader, and \
you are out: your markers leave the board, and you get nothing for them. The last one left wins.
If everybody ends two turns running without a tile or a marker, or has had 100 turns, the highest score wins."""

OPENING = f"""**The first move is worth a lot.** With the *even start*, usual for two, the first player may not use a \
marker in the first turn, and the others start at {BALANCED.others_start}. With three or four all start alike.

**Hints.** Mark a short piece, then join it to a long circuit that is nobody's: it is yours at once. Several markers on one circuit grow together. A circuit that winds through few tiles is hard to cut. Keep \
an eye on the bars: they show who is close to winning, and who to dropping out.

**Take turn** opens a panel for you alone: pick a tile, go through the best places with what each would do, or move it by \
hand, and place it. Everything can be typed too: `/tesla place`, `/tesla mark` and so on."""


@cache
def pages() -> list[Page]:
    """One page for each thing to know, with pictures of it."""
    return [
        Page([Heading(IDEA, cover()), _marking(), TURN]),
        Page(
            [
                FIT,
                _picture(
                    "fit.png",
                    "A tile that fits: wire on wire, blank on blank. One whose wire meets a blank side, and one whose blank side meets a wire: they don't fit.",
                ),
                REPLACE,
                _picture(
                    "replace.png",
                    "Bo's circuit is 6 long. Ann replaces a tile of it: 4 are left to Bo, 3 are free.",
                ),
            ]
        ),
        Page(
            [
                MARK,
                _picture(
                    "board.png",
                    "A board in the middle of a game for two: tags say how long each marked circuit is.",
                ),
            ]
        ),
        Page(
            [
                JOIN,
                _picture(
                    "join.png",
                    "Ann has a marker on a circuit of 4, Bo on one of 3. A tile joins them: 8 long and Ann's; Bo's marker goes back.",
                ),
                RING,
                _picture(
                    "ring.png",
                    "Five of six tiles of a ring, with two markers of Ann's. Closed, it pays 12 for each: 24.",
                ),
            ]
        ),
        Page([END, OPENING]),
    ]


@cache
def cover() -> Picture:
    """A small piece of a board."""
    return _picture("cover.png", "Six-sided tiles in a ring, and a live wire that runs all the way round.")


def _marking() -> Picture:
    return _picture(
        "mark.png",
        "Ann marks a circuit of 3 for 3 points. Four tiles later it is 7 long, and taking the marker back brings 7.",
    )
