"""Rules for laying, growing, swapping and offering tiles, and for moving roots.

Rules: Placement, Action spaces, Growing.

Every action that lays something needs a tile of its stack; its location and price differ.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import assert_never

import msgspec

from engines.game import IllegalMove
from engines.tangle import decisions
from engines.tangle.legal import prices, sentences
from engines.tangle.legal.context import Context, CountedRule, Rule, check_own_tree, check_size, one_less
from engines.tangle.moves import (
    ChangeUpkeep,
    Earth,
    Grow,
    Hedge,
    Lake,
    Meadow,
    Offer,
    Recall,
    Sprout,
    Takeover,
    TanglePlace,
    TanglePlant,
    TangleSwap,
)
from engines.tangle.pieces import components
from engines.tangle.pieces.board import STACK_OF, STACKS, Kind, Mask, TangleTile
from engines.tangle.view import TanglePublic

OFFERS_MOST = 10
"""The most extra placements that offers give in a turn."""

_AREA_ORDER = {code: number for number, code in enumerate(components.AREAS)}


class EarthsRule(Rule[decisions.Earths, Earth]):
    """Clean earth on an empty area, the dearer the farther away; free only where it would cost 1."""

    decision, answers = decisions.Earths, (Earth,)

    def choices(self, context: Context, decision: decisions.Earths) -> Iterable[Earth]:
        """Yield empty areas as far away as the seat can pay for."""
        if not _has(context, "earth"):
            return ()
        jumps = 1 if decision.free else prices.count_payable_jumps(context, decision.laid)
        if not jumps:
            return ()
        near = context.board.within(jumps + context.powers.reach, context.own)
        return map(Earth, context.board.among(context.empty & near))

    def check(self, context: Context, decision: decisions.Earths, move: Earth) -> None:
        """Require an empty area, and a near one if nothing is paid."""
        _check_in_play(context, move.area)
        if move.area in context.public.tiles:
            raise IllegalMove(sentences.NOT_EMPTY)
        _check_stack(context, "earth")
        if decision.free and prices.count_jumps(context, move.area) > 1:
            reach = context.powers.reach
            raise IllegalMove(sentences.too_far(reach + 1) if reach else sentences.not_beside("tiles"))

    def price(self, context: Context, decision: decisions.Earths, move: Earth) -> components.Amount:
        return components.NOTHING if decision.free else prices.earth(context, move.area, decision.laid)

    def rest(self, decision: decisions.Earths, move: Earth) -> decisions.Earths | None:
        return one_less(decision, laid=decision.laid + 1)


class LakesRule(CountedRule[decisions.Lakes, Lake]):
    """A lake on an empty area beside an own tile, or on own clean earth."""

    decision, answers = decisions.Lakes, (Lake,)

    def choices(self, context: Context, decision: decisions.Lakes) -> Iterable[Lake]:
        """Yield empty areas beside the seat's land, and its clean earth."""
        if not _has(context, "lake"):
            return ()
        beside = context.board.around(context.own) & context.empty
        return map(Lake, context.board.among(beside | context.clean))

    def check(self, context: Context, decision: decisions.Lakes, move: Lake) -> None:
        _check_in_play(context, move.area)
        _check_stack(context, "lake")
        if move.area not in context.public.tiles:
            _check_beside(context, move.area, context.own, "tiles")
        elif not _is_clean(context.tile(move.area)):
            raise IllegalMove(sentences.NOT_EMPTY)


class MeadowsRule(Rule[decisions.Meadows, Meadow]):
    """A meadow on own clean earth; a spreading one only beside earlier own meadows."""

    decision, answers = decisions.Meadows, (Meadow,)

    def choices(self, context: Context, decision: decisions.Meadows) -> Iterable[Meadow]:
        """Yield clean earth, all at the same price."""
        if not _has(context, "meadow") or not context.can_pay(self._price(context, decision)):
            return ()
        clean = context.clean if decision.only is None else context.clean & context.board.mask(decision.only)
        return map(Meadow, context.board.among(clean))

    def check(self, context: Context, decision: decisions.Meadows, move: Meadow) -> None:
        _check_clean(context, move.area)
        if decision.only is not None and move.area not in decision.only:
            raise IllegalMove(sentences.not_beside("meadows"))
        _check_stack(context, "meadow")

    def price(self, context: Context, decision: decisions.Meadows, move: Meadow) -> components.Amount:
        return self._price(context, decision)

    def _price(self, context: Context, decision: decisions.Meadows) -> components.Amount:
        if decision.free:
            return components.NOTHING
        return prices.meadow(context, decision.laid, spread=decision.only is not None)

    def rest(self, decision: decisions.Meadows, move: Meadow) -> decisions.Meadows | None:
        return one_less(decision, laid=decision.laid + 1)


class PlantingRule(Rule[decisions.Planting, TanglePlant]):
    """A seed of the seat's own on clean earth without one, as long as there are any."""

    decision, answers = decisions.Planting, (TanglePlant,)

    def choices(self, context: Context, decision: decisions.Planting) -> Iterable[TanglePlant]:
        """Pair the seat's kinds of seeds with each free clean earth."""
        areas = list(context.board.among(context.seedless))
        held = (seed for seed, number in zip(components.SEEDS, context.player.seeds, strict=True) if number)
        return (TanglePlant(seed, area) for seed in held for area in areas)

    def check(self, context: Context, decision: decisions.Planting, move: TanglePlant) -> None:
        _check_seedless(context, move.area)
        _check_seed(context.player.seeds, move.seed)

    def rest(self, decision: decisions.Planting, move: TanglePlant) -> decisions.Planting:
        return decision


class HedgingRule(Rule[decisions.Hedging, Hedge]):
    """A bush seed of the supply on clean earth beside an own bush."""

    decision, answers = decisions.Hedging, (Hedge,)

    def choices(self, context: Context, decision: decisions.Hedging) -> Iterable[Hedge]:
        """Yield clean earth without a seed beside bushes."""
        if not context.public.seeds[0] or not context.can_pay(prices.HEDGE):
            return ()
        beside = context.board.around(context.own_of("bush"))
        return map(Hedge, context.board.among(context.seedless & beside))

    def check(self, context: Context, decision: decisions.Hedging, move: Hedge) -> None:
        _check_seedless(context, move.area)
        _check_beside(context, move.area, context.own_of("bush"), "bushes")
        _check_seed(context.public.seeds, "bush")

    def price(self, context: Context, decision: decisions.Hedging, move: Hedge) -> components.Amount:
        return prices.HEDGE

    def rest(self, decision: decisions.Hedging, move: Hedge) -> decisions.Hedging:
        return decision


class SproutingRule(Rule[decisions.Sprouting, Sprout]):
    """A sapling on clean earth beside an own tree."""

    decision, answers = decisions.Sprouting, (Sprout,)

    def choices(self, context: Context, decision: decisions.Sprouting) -> Iterable[Sprout]:
        """Yield clean earth beside trees that the seat can pay for."""
        if not _has(context, "sapling"):
            return ()
        beside = context.board.around(context.own_of("tree"))
        return self.payable(context, decision, map(Sprout, context.board.among(context.clean & beside)))

    def check(self, context: Context, decision: decisions.Sprouting, move: Sprout) -> None:
        _check_clean(context, move.area)
        _check_beside(context, move.area, context.own_of("tree"), "trees")
        _check_stack(context, "sapling")

    def price(self, context: Context, decision: decisions.Sprouting, move: Sprout) -> components.Amount:
        return prices.sprout(context, move.area)

    def rest(self, decision: decisions.Sprouting, move: Sprout) -> decisions.Sprouting:
        return decision


class GrowingRule(Rule[decisions.Growing, Grow]):
    """A seed or a sapling takes its next step, each area once in an action. Rules: Growing."""

    decision, answers = decisions.Growing, (Grow,)

    def choices(self, context: Context, decision: decisions.Growing) -> Iterable[Grow]:
        board, sapling = context.board, _has(context, "sapling")
        ripe = (context.clean & ~context.seedless | context.own_of("sapling")) & ~board.mask(decision.grown)
        tiles = context.public.tiles
        able = (area for area in board.among(ripe) if sapling or next_kind(tiles[area]) != "sapling")
        return self.payable(context, decision, map(Grow, able))

    def check(self, context: Context, decision: decisions.Growing, move: Grow) -> None:
        """Require something that can grow, and a sapling if needed."""
        _check_in_play(context, move.area)
        if move.area in decision.grown:
            raise IllegalMove(sentences.HAS_GROWN)
        kind = next_kind(context.tile(move.area))
        if kind is None:
            raise IllegalMove(sentences.NOTHING_GROWS)
        if kind == "sapling":
            _check_stack(context, "sapling")

    def price(self, context: Context, decision: decisions.Growing, move: Grow) -> components.Amount:
        return components.NOTHING if decision.free else prices.growth(context, move.area, len(decision.grown))

    def rest(self, decision: decisions.Growing, move: Grow) -> decisions.Growing | None:
        """Return the decision with one less, and that area grown."""
        return one_less(decision, grown=(*decision.grown, move.area))


class DiverseRule(Rule[decisions.Diverse, Earth | Meadow | Grow]):
    """At most one clean earth, one meadow and one growth, each at the price of the first of an action."""

    decision, answers = decisions.Diverse, (Earth, Meadow, Grow)

    def choices(self, context: Context, decision: decisions.Diverse) -> Iterable[Earth | Meadow | Grow]:
        """Yield the open ones of the three."""
        return chain(
            EARTHS.choices(context, decisions.Earths()) if decision.earth else (),
            MEADOWS.choices(context, decisions.Meadows()) if decision.meadow else (),
            GROWING.choices(context, decisions.Growing()) if decision.grow else (),
        )

    def check(self, context: Context, decision: decisions.Diverse, move: Earth | Meadow | Grow) -> None:
        match move:
            case Earth() if decision.earth:
                EARTHS.check(context, decisions.Earths(), move)
            case Meadow() if decision.meadow:
                MEADOWS.check(context, decisions.Meadows(), move)
            case Grow() if decision.grow:
                GROWING.check(context, decisions.Growing(), move)
            case _:
                raise IllegalMove(sentences.ALREADY_USED)

    def price(
        self, context: Context, decision: decisions.Diverse, move: Earth | Meadow | Grow
    ) -> components.Amount:
        """Return the price of the first of an action."""
        match move:
            case Earth():
                return EARTHS.price(context, decisions.Earths(), move)
            case Meadow():
                return MEADOWS.price(context, decisions.Meadows(), move)
            case Grow():
                return GROWING.price(context, decisions.Growing(), move)
            case _:
                assert_never(move)

    def rest(self, decision: decisions.Diverse, move: Earth | Meadow | Grow) -> decisions.Diverse:
        return msgspec.structs.replace(decision, **{str(type(move).__struct_config__.tag): False})


class SwappingRule(Rule[decisions.Swapping, TangleSwap]):
    """Two own tiles are swapped."""

    decision, answers = decisions.Swapping, (TangleSwap,)

    def choices(self, context: Context, decision: decisions.Swapping) -> Iterable[TangleSwap]:
        """Yield pairs of own tiles that keep to the limit."""
        used, most = set(decision.areas), decision.most
        pairs = combinations(context.board.among(context.own), 2)
        return (TangleSwap(a, b) for a, b in pairs if len(used | {a, b}) <= most)

    def check(self, context: Context, decision: decisions.Swapping, move: TangleSwap) -> None:
        """Require two own tiles, in the order of the data file, within the limit."""
        for area in (move.a, move.b):
            _check_in_play(context, area)
            if context.tile(area) is None:
                raise IllegalMove(sentences.NOT_YOURS)
        if _AREA_ORDER[move.a] >= _AREA_ORDER[move.b]:
            raise IllegalMove(sentences.NOT_TO_SWAP)
        if len({*decision.areas, move.a, move.b}) > decision.most:
            raise IllegalMove(sentences.more_tiles_than(decision.most))

    def rest(self, decision: decisions.Swapping, move: TangleSwap) -> decisions.Swapping | None:
        """Return the decision with one less, and those tiles in it."""
        return one_less(decision, areas=tuple(sorted({*decision.areas, move.a, move.b})))


class SacrificingRule(Rule[decisions.Sacrificing, Offer]):
    """Own tiles are given up for something. Rules: Alternative spaces."""

    decision, answers = decisions.Sacrificing, (Offer,)

    def choices(self, context: Context, decision: decisions.Sacrificing) -> Iterable[Offer]:
        for area in context.board.among(context.own):
            match context.public.tiles[area].kind:
                case "earth":
                    yield from (Offer(area, resource) for resource in components.RESOURCES)
                case "bush":
                    yield from (Offer(area, source="hand", card=card) for card in dict.fromkeys(context.hand))
                    discards = dict.fromkeys(context.public.discards)
                    yield from (Offer(area, source="discard", card=card) for card in discards)
                case "lake" | "meadow":
                    if context.public.offered < OFFERS_MOST:
                        yield Offer(area)
                case "sapling" | "tree":
                    pass

    def check(self, context: Context, decision: decisions.Sacrificing, move: Offer) -> None:
        tile = context.tile(move.area)
        if tile is None:
            raise IllegalMove(sentences.NOT_YOURS)
        match tile.kind:
            case "earth":
                fits = move.resource in components.RESOURCES and move.source is None and move.card is None
            case "lake" | "meadow":
                fits = move.resource is None and move.source is None and move.card is None
                if context.public.offered >= OFFERS_MOST:
                    raise IllegalMove(sentences.placements_at_most(OFFERS_MOST))
            case "bush":
                fits = move.resource is None and move.source in ("hand", "discard")
                held = context.hand if move.source == "hand" else context.public.discards
                if fits and move.card not in held:
                    hand = move.source == "hand"
                    raise IllegalMove(sentences.NOT_HELD if hand else sentences.NOT_DISCARDED)
            case "sapling" | "tree":
                raise IllegalMove(sentences.NOT_TO_OFFER)
        if not fits:
            raise IllegalMove(sentences.WHAT_FOR)

    def gain(self, public: TanglePublic, decision: decisions.Sacrificing, move: Offer) -> components.Amount:
        """Return the resource that clean earth is offered for."""
        return components.NOTHING if move.resource is None else components.unit(move.resource)

    def rest(self, decision: decisions.Sacrificing, move: Offer) -> decisions.Sacrificing:
        return decision


class TakingOverRule(CountedRule[decisions.TakingOver, Takeover]):
    """An opponent's clean earth without seed beside an own tile. Rules: Alternative spaces."""

    decision, answers = decisions.TakingOver, (Takeover,)

    def choices(self, context: Context, decision: decisions.TakingOver) -> Iterable[Takeover]:
        if not _has(context, "earth") or not (decision.free or prices.can_take_over(context)):
            return ()
        areas = filter(
            lambda area: _is_seedless(context.public.tiles[area]),
            context.board.among(context.board.around(context.own) & context.opponents),
        )
        if decision.free:
            return map(Takeover, areas)
        gifts = list(components.ways(prices.GIFT, components.minus(context.stash, prices.TAKEOVER)))
        return (Takeover(area, gift) for area in areas for gift in gifts)

    def check(self, context: Context, decision: decisions.TakingOver, move: Takeover) -> None:
        _check_in_play(context, move.area)
        tile = context.public.tiles.get(move.area)
        if tile is None or not context.is_opponent(tile.owner) or not _is_seedless(tile):
            raise IllegalMove(sentences.NOT_TO_TAKE_OVER)
        _check_beside(context, move.area, context.own, "tiles")
        _check_stack(context, "earth")
        if decision.free:
            if move.pay is not None:
                raise IllegalMove(sentences.NOT_ASKED)
        elif move.pay is None:
            raise IllegalMove(sentences.exactly(prices.GIFT))
        else:
            check_size(move.pay, prices.GIFT)

    def price(self, context: Context, decision: decisions.TakingOver, move: Takeover) -> components.Amount:
        return components.NOTHING if move.pay is None else components.plus(prices.TAKEOVER, move.pay)


EARTHS, MEADOWS, GROWING = EarthsRule(), MeadowsRule(), GrowingRule()
PlacingAnswer = TanglePlace | ChangeUpkeep


class PlacingRule(Rule[decisions.Placing, PlacingAnswer]):
    """A root moves. Any start goes with any other end."""

    decision, answers = decisions.Placing, (TanglePlace, ChangeUpkeep)

    def choices(self, context: Context, decision: decisions.Placing) -> Iterator[PlacingAnswer]:
        """Pair each of the seat's roots with each possible end."""
        board, roots, tiles, seat = context.board, context.public.roots, context.public.tiles, context.seat
        trees = list(board.among(context.own_of("tree")))
        if decision.sleeper is None:
            starts = [space for space in board.spaces if seat in roots.get(space, ())]
            starts += [tree for tree in trees if tiles[tree].roots]
        else:
            starts = [decision.sleeper] if seat in roots.get(decision.sleeper, ()) else []
        ends = [space for space in board.usable if space not in roots or prices.can_pay_toll(context, space)]
        ends += trees
        yield from (TanglePlace(start, end) for start in starts for end in ends if start != end)
        if decision.paid is not None:
            yield ChangeUpkeep()

    def check(self, context: Context, decision: decisions.Placing, move: PlacingAnswer) -> None:
        """Require a movable root and an end, or changeable upkeep."""
        if isinstance(move, ChangeUpkeep):
            if decision.paid is None:
                raise IllegalMove(sentences.NOTHING_TO_CHANGE)
            return
        tile = context.tile(move.start)
        stands = tile.roots if tile is not None else context.seat in context.public.roots.get(move.start, ())
        if not stands:
            raise IllegalMove(sentences.NO_ROOT_THERE)
        if decision.sleeper not in (None, move.start):
            raise IllegalMove(sentences.NOT_THE_SLEEPER)
        if move.start == move.to:
            raise IllegalMove(sentences.STANDS_THERE)
        if move.to in components.AREAS:
            check_own_tree(context, move.to)
        elif not context.board.spaces.get(move.to):
            raise IllegalMove(sentences.NOTHING_TO_DO)
        elif not prices.can_pay_toll(context, move.to):
            raise IllegalMove(sentences.TOLL_TOO_HIGH)

    def gain(
        self, public: TanglePublic, decision: decisions.Placing, move: PlacingAnswer
    ) -> components.Amount:
        """Return what was paid, if the seat changes its upkeep."""
        if not isinstance(move, ChangeUpkeep) or decision.paid is None:
            return components.NOTHING
        return decision.paid.price

    def rest(self, decision: decisions.Placing, move: PlacingAnswer) -> decisions.Placing | None:
        """Return the placement that still follows a change of upkeep."""
        return msgspec.structs.replace(decision, paid=None) if isinstance(move, ChangeUpkeep) else None

    def may_end(self, decision: decisions.Placing) -> bool:
        """Allow only a root that has slept to stay."""
        return decision.sleeper is not None


class RecallingRule(CountedRule[decisions.Recalling, Recall]):
    """Roots come home from spaces."""

    decision, answers = decisions.Recalling, (Recall,)

    def choices(self, context: Context, decision: decisions.Recalling) -> Iterable[Recall]:
        trees = list(context.board.among(context.own_of("tree")))
        roots, seat = context.public.roots, context.seat
        spaces = (space for space in context.board.spaces if seat in roots.get(space, ()))
        return (Recall(space, tree) for space in spaces for tree in trees)

    def check(self, context: Context, decision: decisions.Recalling, move: Recall) -> None:
        if context.seat not in context.public.roots.get(move.start, ()):
            raise IllegalMove(sentences.NO_ROOT_THERE)
        check_own_tree(context, move.to)


RULES = (
    PlacingRule(),
    RecallingRule(),
    EARTHS,
    LakesRule(),
    MEADOWS,
    PlantingRule(),
    HedgingRule(),
    SproutingRule(),
    GROWING,
    DiverseRule(),
    SwappingRule(),
    SacrificingRule(),
    TakingOverRule(),
)


def next_kind(tile: TangleTile | None) -> Kind | None:
    match tile:
        case TangleTile(kind="sapling"):
            return "tree"
        case TangleTile(kind="earth", seed="bush"):
            return "bush"
        case TangleTile(kind="earth", seed="tree"):
            return "sapling"
        case _:
            return None


def _has(context: Context, kind: Kind) -> bool:
    return context.player.tiles[STACKS.index(STACK_OF[kind])] > 0


def _check_in_play(context: Context, area: components.AreaCode) -> None:
    if area not in context.board.bit:
        raise IllegalMove(sentences.NOT_IN_PLAY)


def _check_stack(context: Context, kind: Kind) -> None:
    if not _has(context, kind):
        raise IllegalMove(sentences.NO_SUCH_TILE)


def _check_seed(seeds: tuple[int, int], seed: components.Seed) -> None:
    if not components.seeds_of(seeds, seed):
        raise IllegalMove(sentences.NO_SUCH_SEED)


def _is_clean(tile: TangleTile | None) -> bool:
    return tile is not None and tile.kind == "earth"


def _is_seedless(tile: TangleTile) -> bool:
    return tile.kind == "earth" and tile.seed is None


def _check_clean(context: Context, area: components.AreaCode) -> None:
    _check_in_play(context, area)
    if not _is_clean(context.tile(area)):
        raise IllegalMove(sentences.NOT_CLEAN)


def _check_seedless(context: Context, area: components.AreaCode) -> None:
    _check_clean(context, area)
    tile = context.tile(area)
    if tile is not None and tile.seed is not None:
        raise IllegalMove(sentences.HAS_SEED)


def _check_beside(context: Context, area: components.AreaCode, mask: Mask, things: str) -> None:
    if not context.board.borders[area] & mask:
        raise IllegalMove(sentences.not_beside(things))
