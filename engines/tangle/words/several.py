"""Repeated events of a turn in one line."""

from collections.abc import Sequence
from typing import Any, cast

from engines import words
from engines.game import Seat
from engines.tangle import events
from engines.tangle.legal.prices import HEDGE
from engines.tangle.pieces.amounts import NOTHING, Amount, times
from engines.tangle.view import TangleView
from engines.tangle.words import event_lines, nouns
from engines.words import join_words, player_with_sign


def several_line(happened: Sequence[events.Event], view: TangleView, names: words.Names) -> str | None:
    """Return one line for tiles placed in a row, with their price.

    Also for cards taken, the gains of placements, and cards that come into the row.
    """

    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    first, *_ = happened
    match first:
        case events.TangleLaid(seat=seat, kind=what) if _alike(happened, "seat", "kind"):
            kinds = nouns.kind(what) if what == "earth" else f"{len(happened)} {nouns.kind(what)}s"
            return f"↳ {who(seat)} lays {kinds} at {_areas(happened)}{nouns.price_suffix(_price(happened))}."
        case events.Grew(kind=what) if _alike(happened, "seat", "kind", "root"):
            into = (
                f"{nouns.kind(what)}{'es' if what == 'bush' else 's'}{nouns.price_suffix(_price(happened))}"
            )
            return f"↳ {_areas(happened)} grow into {into}{', each with a new root' if first.root else ''}."
        case events.TanglePlanted(seat=seat, seed=which) if _alike(happened, "seat", "seed", "hedge"):
            price = HEDGE if first.hedge else NOTHING
            seeds = f"{len(happened)} {nouns.seed(which, len(happened))}"
            cost = nouns.price_suffix(times(price, len(happened)))
            return f"↳ {who(seat)} plants {seeds} at {_areas(happened)}{cost}."
        case events.TookCard(seat=seat) if _alike(happened, "seat"):
            taken = [event.card for event in cast("Sequence[events.TookCard]", happened)]
            drawn = [nouns.card(card) for card in taken if card is not None]
            unseen = taken.count(None)
            drawn += [f"{'a card' if unseen == 1 else f'{unseen} cards'} from the pile"] if unseen else []
            return f"↳ {who(seat)} takes {join_words(drawn)}{nouns.price_suffix(_price(happened))}."
        case events.Fed() if _alike(happened):
            return event_lines.describe_placement_gains(cast("Sequence[events.Fed]", happened), view)
        case events.RowFilled() if _alike(happened):
            cards = [nouns.card(event.card) for event in cast("Sequence[events.RowFilled]", happened)]
            return f"-# New in the row: {join_words(cards)}."
        case _:
            return None


def _alike(happened: Sequence[Any], *fields: str) -> bool:
    """Return True if all events share a type and these fields."""
    return len({(type(event), *(getattr(event, field, None) for field in fields)) for event in happened}) == 1


def _areas(happened: Sequence[Any]) -> str:
    return join_words([event.area for event in happened])


def _price(happened: Sequence[Any]) -> Amount:
    water, earth, nourishment, mana = map(sum, zip(*(event.price for event in happened), strict=True))
    return water, earth, nourishment, mana
