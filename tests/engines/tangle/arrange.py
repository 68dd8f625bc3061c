"""Arranging games of Tangle by hand: a deal in plain order, any position in it, and moves in words."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engines.game import Event, Seat
from engines.tangle import GAME, moves
from engines.tangle.pieces import components
from engines.tangle.pieces.board import STACK_OF, STACKS, Kind, TangleTile
from engines.tangle.truth.state import TangleDeal, TangleState
from engines.tangle.view import Player
from tests.engines.conformance import find_refusal

SEED = b"arranged"
ONE_AREA: dict[str, Any] = {
    "earth": moves.Earth,
    "lake": moves.Lake,
    "meadow": moves.Meadow,
    "grow": moves.Grow,
    "sprout": moves.Sprout,
    "hedge": moves.Hedge,
    "drain": moves.Drain,
}


def begin(
    seats: int = 2,
    *,
    cards: Sequence[components.CardId] = (),
    conditions: Sequence[components.ConditionId] = (),
    hands: bool = False,
    **options: Any,
) -> TangleState:
    """Begin a game with the named cards and conditions first. Without `hands` nobody holds a card."""
    chosen = GAME.settle(seats, components.TangleOptions(**options))
    rest = list(components.ALL_CARDS)
    for card in cards:
        rest.remove(card)
    others = [one for one in components.CONDITIONS if one not in conditions]
    state = GAME.begin(seats, chosen, TangleDeal((*conditions, *others), (*cards, *rest)), SEED)
    if not hands:
        for seat in range(seats):
            give(state, seat)
    return state


def change(state: TangleState, seat: Seat, **facts: Any) -> Player:
    state.players[seat] = msgspec.structs.replace(state.players[seat], **facts)
    return state.players[seat]


def stash(state: TangleState, seat: Seat, *amount: int) -> None:
    change(state, seat, stash=amount)


def put(
    state: TangleState,
    seat: Seat,
    kind: Kind,
    *areas: components.AreaCode,
    seed: components.Seed | None = None,
    cubes: int = 0,
    roots: int = 0,
) -> None:
    """Put a seat's tiles on areas, from its stacks. A seed comes from the supply, roots from the stash."""
    for area in areas:
        state.tiles[area] = TangleTile(seat, kind, seed, cubes, roots)
        player = state.players[seat]
        left = [n - (stack == STACK_OF[kind]) for n, stack in zip(player.tiles, STACKS, strict=True)]
        change(state, seat, tiles=tuple(left), roots=player.roots - roots)
        if seed is not None:
            bush, tree = state.seeds
            state.seeds = (bush - (seed == "bush"), tree - (seed == "tree"))


def root(state: TangleState, seat: Seat, *spaces: components.SpaceCode) -> None:
    """Put a seat's roots from its stash on spaces, atop others."""
    for space in spaces:
        state.roots[space] = (*state.roots.get(space, ()), seat)
        change(state, seat, roots=state.players[seat].roots - 1)


def front(state: TangleState, seat: Seat, *cards: components.CardId) -> None:
    for card in cards:
        _fetch(state, card)
    change(state, seat, front=(*state.players[seat].front, *cards))


def give(state: TangleState, seat: Seat, *cards: components.CardId) -> None:
    """Give a seat just these cards; put others under the pile."""
    state.pile += state.hands[seat]
    state.hands[seat] = []
    for card in cards:
        _fetch(state, card)
        state.hands[seat].append(card)
    change(state, seat, held=len(cards))


def _fetch(state: TangleState, card: components.CardId) -> None:
    """Take a card from where it is unseen, or from the row. The pile refills the row."""
    if card in state.pile:
        state.pile.remove(card)
    elif card in state.row:
        place = state.row.index(card)
        state.row[place] = state.pile.pop(0)
    else:
        raise AssertionError(f"{card} is in somebody's hand")


def row_and_pile(
    state: TangleState,
    row: Sequence[components.CardId],
    pile: Sequence[components.CardId],
    discards: Sequence[components.CardId],
) -> None:
    state.row, state.pile, state.discards = list(row), list(pile), list(discards)


def read(words: str) -> moves.Move:
    """Read a move. ``place B5 CE``, ``toll 1 0 1 0 0``, ``offer C6 M``, ``offer D9 hand windfall``."""
    verb, *rest = words.split()
    simple: dict[str, Any] = {
        "done": moves.TangleDone,
        "pay_rest": moves.PayRest,
        "drop_rest": moves.DropRest,
        "change_upkeep": moves.ChangeUpkeep,
        "pile": moves.TakePile,
    }
    if verb in simple:
        made: moves.Move = simple[verb]()
        return made
    if verb in ONE_AREA:
        move: moves.Move = ONE_AREA[verb](rest[0])
        return move
    match verb, rest:
        case "place", [start, to]:
            return moves.TanglePlace(start, to)
        case "recall", [start, to]:
            return moves.Recall(start, to)
        case "swap", [one, two]:
            return moves.TangleSwap(one, two)
        case "toll", [to, *pay]:
            return moves.PayToll(int(to), _amount(pay))
        case "choose", gain:
            return moves.Choose(_amount(gain))
        case (("steps" | "lower"), [lakes, growth, cards]):
            kind = moves.Steps if verb == "steps" else moves.Lower
            return kind((int(lakes), int(growth), int(cards)))
        case "plant", [seed, area]:
            return moves.TanglePlant(msgspec.convert(seed, components.Seed), area)
        case "buy", [seed]:
            return moves.Buy(msgspec.convert(seed, components.Seed))
        case "row", [slot]:
            return moves.TakeRow(int(slot))
        case "trade", [resource]:
            return moves.Trade(msgspec.convert(resource, Any))
        case "cast", [card]:
            return moves.Cast(card)
        case "pay", [item]:
            return moves.Pay(item)
        case "drop", [item]:
            return moves.Drop(item)
        case _:
            return _offer_or_takeover(verb, rest)


def _offer_or_takeover(verb: str, rest: list[str]) -> moves.Move:
    match verb, rest:
        case "takeover", [area]:
            return moves.Takeover(area)
        case "takeover", [area, *pay]:
            return moves.Takeover(area, _amount(pay))
        case "offer", [area]:
            return moves.Offer(area)
        case "offer", [area, ("W" | "E" | "N" | "M") as resource]:
            return moves.Offer(area, resource=msgspec.convert(resource, Any))
        case "offer", [area, source, card]:
            return moves.Offer(area, source=msgspec.convert(source, Any), card=card)
        case _:
            raise ValueError(f"no move: {verb} {rest}")


def _amount(words: Sequence[str]) -> components.Amount:
    water, earth, nourishment, mana = map(int, words)
    return (water, earth, nourishment, mana)


def play(state: TangleState, seat: Seat, *lines: str) -> list[Event]:
    return [event for line in lines for event in GAME.play(state, seat, read(line))]


def refusal_of(state: TangleState, seat: Seat, line: str) -> str:
    return find_refusal(state, lambda: GAME.play(state, seat, read(line)))


def legal(state: TangleState, seat: Seat) -> list[moves.Move]:
    return list(GAME.moves(state, seat))


def lines(*words: str) -> set[moves.Move]:
    return {read(line) for line in words}


def areas(moves: Iterable[moves.Move], kind: type[Any]) -> set[components.AreaCode]:
    return {move.area for move in moves if isinstance(move, kind)}


def have(state: TangleState, seat: Seat) -> components.Amount:
    return state.players[seat].stash


def prepare(script: str, seats: int = 2, **options: Any) -> TangleState:
    """Begin a game and carry out some words, split at ``;``.

    ``put 0 earth C6 C7 seed=bush``, ``root 1 N``, ``front 0 windfall``, ``give 0 windfall``,
    ``stash 0 2 2 1 2``; all else is a move of seat 0, or of the one that is named: ``1 place B9 W``.
    """
    state = begin(seats, **options)
    setting: dict[str, Any] = {"root": root, "front": front, "give": give}
    for words in filter(None, map(str.strip, script.split(";"))):
        verb, *rest = words.split()
        if verb == "put":
            facts = dict(word.split("=") for word in rest if "=" in word)
            kind, *places = (word for word in rest[1:] if "=" not in word)
            more: dict[str, Any] = {
                name: int(fact) if fact.isdigit() else fact for name, fact in facts.items()
            }
            put(state, int(rest[0]), msgspec.convert(kind, Kind), *places, **more)
        elif verb == "stash":
            stash(state, int(rest[0]), *map(int, rest[1:]))
        elif verb in setting:
            setting[verb](state, int(rest[0]), *rest[1:])
        else:
            play(state, int(verb), " ".join(rest)) if verb.isdigit() else play(state, 0, words)
    return state
