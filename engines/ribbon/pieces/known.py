"""Says what is sure about the components of Ribbon Tangle, whatever the faces of its cards."""

from collections.abc import Iterator
from itertools import combinations
from string import ascii_uppercase

from engines.component_check import CannotLeaveOut, Data, KnownComponents
from engines.ribbon.pieces.components import RibbonComponents

CARDS, PLACES = 18, 12
IDS = ascii_uppercase[:CARDS]
SIDES = {"low": (0, 0), "high": (1, 1), "rise": (0, 1), "fall": (1, 0)}


def _errors(data: RibbonComponents) -> Iterator[str]:
    if len(data.cards) != CARDS:
        yield f"cards: the game has {CARDS} cards, not {len(data.cards)}."
    for face in data.cards:
        if face.id not in IDS or len(face.id) != 1:
            yield f"Card {face.id}: a card's id is a letter from A to {IDS[-1]}."
    if data.circle.places != PLACES:
        yield f"circle, places: the circle has {PLACES} places, not {data.circle.places}."
    if sorted(data.colours.order) != ["green", "orange", "purple"]:
        yield "colours, order: green, orange and purple must be there once each."
    for name, sides in SIDES.items():
        here = data.crossings.get(name)  # type: ignore[call-overload]  # a name that the file may lack
        if here is None or (here.left, here.right) != sides:
            yield f"crossings, {name}: must be left {sides[0]}, right {sides[1]}."
    for mode in ("versus", "coop"):
        for seats in (2, 3):
            size = data.hands.get(mode, {}).get(seats)
            if size is None or PLACES + seats * size != CARDS:
                yield f"hands, {mode}, {seats}: {seats} hands must use the other {CARDS - PLACES} cards."
    for level in ("easy", "medium", "hard"):
        solo = data.solo.get(level)
        if solo is None or PLACES + solo.hands * solo.size + solo.aside != CARDS:
            yield f"solo, {level}: hands and cards aside must use the other {CARDS - PLACES} cards."


def _doubts(data: RibbonComponents) -> Iterator[str]:
    for one, two in combinations(data.cards, 2):
        if (one.green, one.orange, one.purple) == (two.green, two.orange, two.purple):
            yield f"Cards {one.id} and {two.id} are alike; the {CARDS} cards are all different."


def _parts(data: Data, options: Data, seats: int) -> list[str]:
    cards = [face["id"] for face in data["cards"]]
    return [*cards, *map(str, range(1, PLACES + 1)), *data["colours"]["order"]]


def _leave_out(data: Data, options: Data, seats: int, name: str) -> None:
    if name in data["colours"]["order"]:
        raise CannotLeaveOut(f"Ribbon Tangle can't do without {name}: every card has all three ribbons.")
    if name.isdigit():
        raise CannotLeaveOut(f"Ribbon Tangle can't do without place {name}: the circle has 12.")
    solo = data["solo"]["hard"]
    is_hard = seats == 1 and options["difficulty"] == "hard"
    if not is_hard or solo["aside"] == 0:
        room = "circle and hands need every card" if not is_hard else "no card is set aside any more"
        raise CannotLeaveOut(
            f"Ribbon Tangle can't do without card {name}: {room}. "
            "Only hard solo games set 2 aside (--players 1 --option difficulty=hard)."
        )
    solo["aside"] -= 1
    data["cards"] = [face for face in data["cards"] if face["id"] != name]


KNOWN = KnownComponents(
    kind=RibbonComponents,
    labels={"cards": lambda face: f"Card {face['id']}"},
    errors=_errors,
    doubts=_doubts,
    parts=_parts,
    leave_out=_leave_out,
)
