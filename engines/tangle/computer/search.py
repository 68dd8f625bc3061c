"""Look-ahead of the strong computer player, and its search for a win in this turn.

The look-ahead plays the best choices on in several deals. All seats play on by judging one placement at a
time. The value of the own position is then compared with the best of the others'.

The search follows what comes closest to a condition first. It never counts on a card from the pile. By upper
bounds it skips hopeless moves; they relax the rules: every action may use all resources of the seat, and a
tile fits anywhere.
"""

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush, nlargest
from itertools import accumulate, count
from random import Random
from typing import Any, NamedTuple

import msgspec

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import AnyGame, Seat, Thinking
from engines.tangle import decisions, moves
from engines.tangle.computer.evaluation import COMPLETE, value
from engines.tangle.computer.policy import (
    TrialFactory,
    after,
    decide,
    decide_upkeep,
    gain_of_card,
    placements,
)
from engines.tangle.computer.policy import rank_moves as by_appeal
from engines.tangle.legal import prices
from engines.tangle.legal.context import Context, Counts, Powers, Thing, counts_of, lacking_of, powers
from engines.tangle.legal.moves import choices, legal
from engines.tangle.pieces import components
from engines.tangle.pieces.board import BEARS, STACKS
from engines.tangle.pieces.card_language import (
    AnyOp,
    EventName,
    ExtraPlacement,
    GainOnce,
    Harvest,
    LowerTrackers,
)
from engines.tangle.view import TangleView


class TangleDepth(NamedTuple):
    """The limits of a look-ahead.

    Attributes:
        choices: the number of choices to compare.
        turns: the number of turns to play on, including the present one.
        placements: the number of placements to choose from in those turns: the ones that looked best to the
            seat at its first turn.
        budget: the placements and cards to judge in total.
    """

    choices: int = 5
    turns: int = 4
    placements: int = 7
    budget: int = 330


STRONG = TangleDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: TangleDepth(choices=3, turns=3, budget=150)}

_THEIRS = 0.6
"""Weight of the best other position, compared with the own one."""


def best(
    view: TangleView,
    seat: Seat,
    rng: Random,
    rules: AnyGame,
    trials: TrialFactory,
    depth: TangleDepth = STRONG,
) -> list[Ranked[moves.Move]]:
    """Compare the choices, best first; not of upkeep.

    It plays placements and cards on. Rules of thumb decide what a space asks then.
    """
    trial, conditions = trials.of(view, rng), view.conditions
    assert conditions is not None
    match view.decision:
        case decisions.Placing():
            worth = {move: after(trial, conditions, move) for move in placements(choices(view))}
        case decisions.Casting():
            worth = {move: gain_of_card(trial, seat, conditions, move) for move in choices(view)}
        case decision:
            assert decision is not None
            return [Ranked(0.0, move) for move in by_appeal(trial.context(seat), decision, conditions)]
    moves = sorted(worth, key=lambda move: -worth[move])[: depth.choices]
    search = _Search(rules, trials, seat, depth)
    if isinstance(view.decision, decisions.Placing):
        search.looked[seat] = worth
    values = [worth[move] for move in moves]
    worlds = partial(rules.sample_state, view)
    return rank_candidates(moves, worlds, search.play_out, rng, depth.budget, values)


class _Search:
    """Plays choices out in worlds.

    Attributes:
        looked: the value of each placement to a seat when all were judged.
    """

    def __init__(self, rules: AnyGame, trials: TrialFactory, seat: Seat, depth: TangleDepth) -> None:
        self._rules, self._trials, self._seat, self._depth = rules, trials, seat, depth
        self.looked: dict[Seat, dict[moves.Move, float]] = {}
        self._nodes = 0

    def play_out(self, world: Any, move: moves.Move, _: Random) -> Playout:
        state: Any = self._rules.copy(world)
        self._nodes = 1
        last = state.turn + self._depth.turns
        self._rules.play(state, self._seat, move)
        while state.outcome is None and state.turn < last:
            mover = next(iter(self._rules.prompts(state)))
            self._rules.play(state, mover, self._move(state, mover))
        return Playout(self._worth(state), self._nodes)

    def _move(self, state: Any, seat: Seat) -> moves.Move:
        unasked: moves.Move | None = self._rules.automatic_move(state, seat)
        if unasked is not None:
            return unasked
        trial, conditions = self._trials.at(state), state.conditions[seat]
        context = trial.context(seat)
        match state.decision:
            case decisions.Placing():
                found = placements(legal(context, state.decision))
                looked = self.looked.get(seat)
                if looked is not None:  # the placements that looked best, and those that are new
                    found = nlargest(
                        self._depth.placements, found, key=lambda move: looked.get(move, COMPLETE)
                    )
                self._nodes += len(found)
                worth = {move: after(trial, conditions, move) for move in found}
                self.looked.setdefault(seat, worth)
                return max(found, key=worth.__getitem__)
            case decisions.Casting():
                found = list(legal(context, state.decision))
                self._nodes += len(found)
                return max(found, key=lambda move: gain_of_card(trial, seat, conditions, move))
            case decisions.Upkeep():
                return decide_upkeep(trial, state.decision, seat, conditions)
            case _:
                return decide(context, state.decision, conditions)

    def _worth(self, state: Any) -> float:
        if state.outcome is not None:
            return COMPLETE if state.outcome.places[self._seat] == 1 else -COMPLETE
        trial = self._trials.at(state)
        own = value(trial.context(self._seat), state.conditions[self._seat])
        rivals = [seat for seat in range(state.seats) if seat != self._seat and seat not in state.out]
        others = (value(trial.context(seat), state.conditions[seat]) for seat in rivals)
        return own - _THEIRS * max(others)


_MANY = 99
_MANA = components.RESOURCES.index("M")
_BORNE = components.total(components.unit(resource, _MANY) for resource in BEARS.values())
_LAKES_AROUND = components.unit("W", _MANY)
"""The water that lakes may spare a growth."""

_GROWN: tuple[EventName, ...] = ("grow", "bush", "sapling", "tree")
_EVENTS: dict[type[decisions.Decision | AnyOp], tuple[EventName, ...]] = {
    decisions.Casting: ("cast",),
    decisions.Earths: ("earth",),
    decisions.TakingOver: ("earth",),
    decisions.Lakes: ("lake",),
    decisions.Meadows: ("meadow",),
    decisions.Sprouting: ("sapling",),
    decisions.Growing: _GROWN,
    decisions.Diverse: ("earth", "meadow", *_GROWN),
    Harvest: ("harvest",),
}
"""The events that decisions and cards may bring; all others are those of a placement."""


class RestOfTurn(msgspec.Struct):
    """The most that a seat can still do in its turn.

    Attributes:
        powers: those of the cards in front of it and of `cards`.
        stash: its resources and gains.
        cards: the cards that it could cast.
        bonus: what these add to numbers in conditions.
        roots: the number of roots that allow a card each.
        seeds: the seeds on its tiles, and those that it could plant, [bush, tree].
        saplings: the number of its saplings, and of those that it could lay.
        growths: the number of growths in each action that grows.
        can_swap: True if its tiles can change places.
        is_open: True if something may follow that has no bound here.
    """

    powers: Powers
    stash: components.Amount
    cards: Sequence[components.CardId]
    bonus: Counts
    roots: int = 0
    seeds: tuple[int, int] = (0, 0)
    saplings: int = 0
    sprouts: int = 0
    growths: list[int] = []
    earths: int = 0
    lakes: int = 0
    meadows: int = 0
    can_swap: bool = False
    is_open: bool = False


def shortfall_in_reach(
    context: Context, agenda: Sequence[decisions.Decision], needs: Iterable[Counts], have: Counts
) -> int | None:
    """Return what the nearest condition in reach still needs.

    None if the rest of the turn surely fulfils no condition. `needs` says what the seat's conditions ask
    for. At the round limit a turn wins without them.
    """
    is_open = context.public.extra or context.public.round == context.public.options.round_limit
    if not is_open:
        rest = _affordable_rest(context, agenda)
        if not rest.is_open:
            needs = [need for need in needs if _can_fulfil(rest, context, need, have)]
    return min((lacking_of(need, have) for need in needs), default=None)


def _affordable_rest(context: Context, agenda: Sequence[decisions.Decision]) -> RestOfTurn:
    cards = _cards_in_reach(context, agenda)
    while True:
        rest = _rest_with(context, agenda, cards)
        payable = [card for card in cards if _count_payable(rest, components.CARDS[card].cost, "cast")]
        if rest.is_open or len(payable) == len(cards):
            return rest
        cards = payable


def _cards_in_reach(context: Context, agenda: Sequence[decisions.Decision]) -> Sequence[components.CardId]:
    """Return the hand, with the row if cards may be drawn. None after the casting."""
    if not any(isinstance(decision, decisions.Casting) for decision in agenda):
        return ()
    asked = (*agenda, *_questions_of(_ops(agenda, context.hand)))
    draws = any(isinstance(decision, decisions.DrawingCards) for decision in asked)
    return (*context.hand, *context.public.row) if draws else context.hand


def _ops(agenda: Sequence[decisions.Decision], cards: Iterable[components.CardId]) -> list[AnyOp]:
    running = (decision.ops for decision in agenda if isinstance(decision, decisions.RunningCard))
    return [op for ops in (*running, *(components.CARDS[card].ops for card in cards)) for op in ops]


def _questions_of(ops: Iterable[AnyOp]) -> Iterable[decisions.Decision]:
    for op in ops:
        if not isinstance(op, GainOnce | Harvest | ExtraPlacement | LowerTrackers):
            yield decisions.decision_for(op)


def _rest_with(
    context: Context, agenda: Sequence[decisions.Decision], cards: Sequence[components.CardId]
) -> RestOfTurn:
    player, ops = context.player, _ops(agenda, cards)
    asked = (*agenda, *_questions_of(ops))
    rest = RestOfTurn(powers((*player.front, *cards)), player.stash, cards, powers(tuple(cards)).counted)
    if any(isinstance(decision, decisions.Planting) for decision in asked):
        rest.seeds = player.seeds
    for tile in context.public.tiles.values():
        if tile.owner == context.seat:
            rest.roots += tile.roots
            rest.saplings += tile.kind == "sapling"
            _add_seeds(rest, tile.seed == "bush", tile.seed == "tree")
    for op in ops:
        match op:
            case GainOnce():
                rest.stash = components.plus(rest.stash, (op.W, op.E, op.N, op.M))
                _add_seeds(rest, op.bush_seed, op.tree_seed)
            case Harvest():
                rest.stash = components.plus(rest.stash, _BORNE)
            case ExtraPlacement():
                rest.is_open = True
            case _:
                pass
    for event in {event for source in (*asked, *ops) for event in _EVENTS.get(type(source), ())}:
        for _, gain in rest.powers.gains.get(event, ()):
            rest.stash = components.plus(
                rest.stash, components.times((gain.W, gain.E, gain.N, gain.M), _MANY)
            )
            _add_seeds(rest, _MANY * gain.bush_seed, _MANY * gain.tree_seed)
    for decision in asked:
        match decision:
            case decisions.GainingAny(count):
                rest.stash = components.plus(rest.stash, (count, count, count, count))
            case decisions.Draining():
                rest.stash = components.plus(rest.stash, _BORNE)
            case _:
                pass
    for decision in asked:
        _add_actions(rest, decision)
    return rest


def _add_seeds(rest: RestOfTurn, bush: int, tree: int) -> None:
    rest.seeds = (rest.seeds[0] + bush, rest.seeds[1] + tree)


def _add_actions(rest: RestOfTurn, decision: decisions.Decision) -> None:
    """Add the tiles, growths and roots that a decision may bring."""
    match decision:
        case decisions.Earths(left, free):
            rest.earths += _most(rest, left, components.NOTHING if free else prices.EARTH, "earth")
        case decisions.TakingOver(left, free):
            rest.earths += _most(rest, left, components.NOTHING if free else prices.TAKEOVER)
        case decisions.Lakes(left):
            rest.lakes += left
        case decisions.Meadows(left, free, only=only):
            price = prices.MEADOW if only is None else prices.SPREAD
            rest.meadows += _most(rest, left, components.NOTHING if free else price, "meadow")
        case decisions.Growing(left, free):
            rest.growths.append(
                _most(rest, left, components.NOTHING if free else _beside_lakes(prices.GROW), "grow")
            )
        case decisions.Sprouting():
            rest.sprouts = _most(rest, None, _beside_lakes(prices.SPROUT))
            rest.saplings += rest.sprouts
        case decisions.Hedging():
            _add_seeds(rest, _MANY, 0)
        case decisions.Diverse(earth, meadow, grow):
            rest.earths += earth
            rest.meadows += meadow
            rest.growths.append(int(grow))
        case decisions.Swapping():
            rest.can_swap = True
        case decisions.Casting(cast):
            rest.roots -= cast
        case decisions.Recalling(left):
            rest.roots += left
        case decisions.Upkeep() | decisions.Placing() | decisions.Transforming() | decisions.Sacrificing():
            rest.is_open = True
        case _:
            pass


def _beside_lakes(price: components.Amount) -> components.Amount:
    return components.less(price, _LAKES_AROUND)


def _most(rest: RestOfTurn, left: int | None, price: components.Amount, thing: Thing | None = None) -> int:
    """Return the most answers that are allowed and paid."""
    payable = _count_payable(rest, price, thing)
    return payable if left is None else min(left, payable)


def _count_payable(rest: RestOfTurn, price: components.Amount, thing: Thing | None) -> int:
    """Count the discounted units that the stash pays for."""
    free = 0
    for off, limit in rest.powers.offs.get(thing, ()) if thing else ():
        if limit is None:
            price = components.less(price, off)
        else:
            free += limit
    paid = (have // each for have, each in zip(rest.stash, price, strict=True) if each)
    return free + min(paid, default=_MANY)


def _can_fulfil(rest: RestOfTurn, context: Context, need: Counts, have: Counts) -> bool:
    """Return True unless a number of a condition is out of reach."""
    lacks = {name: number - have.get(name, 0) - rest.bonus.get(name, 0) for name, number in need.items()}
    stacks, laid = context.player.tiles, rest.earths + rest.lakes
    meadows = min(rest.meadows, context.clean.bit_count() + rest.earths, stacks[STACKS.index("meadow")])
    return (
        lacks.get("tiles", 0) <= laid
        and lacks.get("lakes", 0) <= min(rest.lakes, stacks[STACKS.index("lake")])
        and lacks.get("meadows", 0) <= meadows
        and (lacks.get("group", 0) <= 0 or laid > 0 or rest.can_swap)
        and _can_grow(rest, lacks)
        and lacks.get("enchantments", 0) <= _count_casts(rest, context)
    )


def _can_grow(rest: RestOfTurn, lacks: Counts) -> bool:
    """Return True unless seeds or growths are too few. A tree takes two growths of its seed."""
    bushes, saplings, trees = (max(0, lacks.get(name, 0)) for name in ("bushes", "saplings", "trees"))
    trees_from_seeds, saplings_from_seeds = max(0, trees - rest.saplings), max(0, saplings - rest.sprouts)
    bush_seeds, tree_seeds = rest.seeds
    return (
        bushes <= bush_seeds
        and max(trees_from_seeds, saplings_from_seeds) <= tree_seeds
        and (not trees_from_seeds or len(rest.growths) > 1)
        and bushes + saplings_from_seeds + trees + trees_from_seeds <= sum(rest.growths)
    )


def _count_casts(rest: RestOfTurn, context: Context) -> int:
    """Return the most cards that mana and roots allow. A new tree may bring a root."""
    if not rest.cards:
        return 0
    grown = min(sum(rest.growths), rest.saplings + rest.seeds[1])
    offs = rest.powers.offs.get("cast", ())
    off = components.total(off if limit is None else components.times(off, _MANY) for off, limit in offs)
    costs = sorted(components.less(components.CARDS[card].cost, off)[_MANA] for card in rest.cards)
    payable = sum(spent <= rest.stash[_MANA] for spent in accumulate(costs))
    return max(0, min(rest.roots + min(context.player.roots, grown), payable))


NEAR = 6
"""The search skips a turn that lacks more for its best condition."""

ONE_PLACEMENT = 2
"""The most that a single placement usually adds to a condition."""

Estimate = Callable[[Context, Sequence[decisions.Decision], Sequence[Counts], Counts], int | None]
"""Estimates what a position with some open decisions needs, by conditions and what the seat has."""

_MOVES = 1000
"""Most moves to try."""


def winning_move(
    view: TangleView, seat: Seat, rng: Random, rules: AnyGame, trials: TrialFactory, near: int = NEAR
) -> moves.Move | None:
    """Find the first move of a way to win this turn. None if there is none or the search ends."""
    line = winning_line(view, seat, rng, rules, trials, near)
    return line[0] if line else None


def winning_line(
    view: TangleView,
    seat: Seat,
    rng: Random,
    rules: AnyGame,
    trials: TrialFactory,
    near: int = NEAR,
    most: int = _MOVES,
    estimate: Estimate = shortfall_in_reach,
) -> tuple[moves.Move, ...]:
    """Find all moves of a way to win this turn.

    Empty if there is none or the search ends after `most` moves. It follows the lowest `estimate` of what a
    position still needs, and skips it where that is None. Unless a group
    may grow, swaps come last, and so does all but the first of the sites alike for clean earth.
    """
    world = rules.sample_state(view, rng)
    known = {*world.hands[seat], *world.row}
    needs = [components.CONDITIONS[condition].need for condition in world.conditions[seat]]
    have = counts_of(trials.at(world).context(seat))
    lacks = min(lacking_of(need, have) for need in needs)
    if lacks > near or view.seat != seat:
        return ()
    sites_matter = any(need.get("group", 0) > have["group"] for need in needs)
    waiting: list[tuple[bool, int, int, Any, tuple[moves.Move, ...]]] = [(False, lacks, 0, world, ())]
    tried, order, seen = 0, count(1), {_key(world, seat)}
    while waiting:
        is_late, lacks, _, state, done = heappop(waiting)
        legal = list(rules.moves(state, seat))
        if not (is_late or sites_matter):
            typical = _typical_moves(legal, trials.at(state).context(seat))
            if len(typical) < len(legal):
                heappush(waiting, (True, lacks, next(order), state, done))
                legal = typical
        for move in _promising_moves(legal, state, lacks, known):
            tried += 1
            if tried > most:
                return ()
            after: Any = rules.copy(state)
            rules.play(after, seat, move)
            if after.outcome is not None and after.outcome.places[seat] == 1:
                return (*done, move)
            if after.outcome is not None or after.turn != state.turn or seat not in rules.prompts(after):
                continue
            reached = _key(after, seat)
            if reached in seen:
                continue
            seen.add(reached)
            context = trials.at(after).context(seat)
            left = estimate(context, after.agenda, needs, counts_of(context))
            if left is not None:
                heappush(waiting, (is_late, left, next(order), after, (*done, move)))
    return ()


def _typical_moves(legal: list[moves.Move], context: Context) -> list[moves.Move]:
    """Return the moves without swaps, and one site of each kind."""
    sites: dict[tuple[int, ...], moves.Move] = {}
    typical: list[moves.Move] = []
    for move in legal:
        if isinstance(move, moves.Earth):
            beside = context.board.borders[move.area]
            own = (context.own_of(kind) for kind in ("tree", "bush", "meadow"))
            sites.setdefault(
                (
                    prices.count_jumps(context, move.area),
                    *((beside & mask).bit_count() for mask in (context.lakes, *own)),
                ),
                move,
            )
        elif not isinstance(move, moves.TangleSwap):
            typical.append(move)
    return [*sites.values(), *typical]


def _promising_moves(
    legal: list[moves.Move], state: Any, lacks: int, known: Container[components.CardId]
) -> Iterator[moves.Move]:
    """Yield the moves that may lead to a win this turn.

    Once a condition is fulfilled, nothing else is needed. Trackers don't count for one.
    """
    if not lacks and moves.TangleDone() in legal:
        legal = [moves.TangleDone()]
    for move in legal[:1] if isinstance(state.decision, decisions.Pushing) else legal:
        is_unseen = isinstance(move, moves.Cast) and move.card not in known
        if not is_unseen and not isinstance(move, moves.TakePile | moves.ChangeUpkeep):
            yield move


def _key(state: Any, seat: Seat) -> Hashable:
    """Return a key that ignores the order of moves in a turn."""
    player = state.players[seat]
    return (
        tuple(map(_without_order, state.agenda)),
        frozenset(state.tiles.items()),
        frozenset(state.roots.items()),
        frozenset(state.resources.items()),
        frozenset(Counter(state.hands[seat]).items()),
        frozenset(Counter(player.front).items()),
        tuple((one.stash, one.seeds, one.tiles, one.roots, one.sleeper) for one in state.players),
        (state.seeds, tuple(state.row), tuple(state.pile), tuple(state.discards)),
        (state.trackers, state.markers, state.reserve, state.changes, state.extra, state.offered),
    )


def _without_order(decision: decisions.Decision) -> Hashable:
    if isinstance(decision, decisions.Growing):
        return msgspec.structs.replace(decision, grown=tuple(sorted(decision.grown)))
    return decision
