"""The presenter of Tangle: options, words, panel, hints and notes."""

from collections.abc import Sequence
from typing import Any

from cogs.core import pictures, presenter
from cogs.core.app import App
from cogs.tangle.draft import foresee, paths, preview, price, pushes
from cogs.tangle.panel import brings, draw_focus
from engines import marks, words
from engines.game import Advice, Seat
from engines.tangle import decisions, moves
from engines.tangle.legal.context import counts, lacking
from engines.tangle.legal.moves import choices, obstacle
from engines.tangle.pieces import components
from engines.tangle.preview import TurnPreview, bill
from engines.tangle.view import TangleView
from engines.tangle.words import event_lines, nouns, previews, questions
from tables.play.play import Perspective

CHOICES = presenter.choices_of("tangle")


class TanglePresenter(presenter.Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tangle"
    ends = moves.TangleTurnEnded
    charted = "What each player still needs for their closest condition"
    estimated = ("round", "rounds")
    strikes = (moves.TileTakenOver, moves.UpkeepLost, moves.TollPaid)
    shown = (
        r"^\*\*Before .* pays upkeep\*\* for each (\w+).*\n(?=(?:.*\n)*\*\*Everyone pays upkeep for \1)",
        r" New on the board: [^.]*\.",
        r" New in the row: [^.]*\.",
        r" Steps left until upkeep: [^.1]*\.",
        r"^\*\*Upkeep for .*: nobody owed any.\*\*\n?",
        r"^↳ (?!.* loses ).* keeps .*\n?",
        r" \(\d+ [^()]*\)",
        " not beside a lake",
        ", but keeps the clean earth",
        r"^\*\*Everyone pays upkeep for .*\*\*(?:\n(?!↳)|\Z)",
        r",? each with a new root| with a new root",
        r"(?<=\*\*) for \d+ [^ ,.]+",
        r" Round \d+ begins\.|the (?:lake|bush|meadow|clean earth) at (?=[A-Z]\d)",
        r" Steps left until upkeep: [^.]*\.",
        r" from [A-Z]+\d*(?= to )|, gains [^,.]* from [A-Z][^,.]*(?=,)",
        r"(?<=\w), and keeps [^.]*",
        r" \(can't pay [^()]*\)",
        r"(?<=pays upkeep\*\*) for each [^.]*",
    )
    losses = r" loses | takes [A-Z]\d+.* from "
    tagline = "Turn a wasteland green with your roots, and be the first to meet a secret condition."
    length = "about 45 minutes a player"
    weight = presenter.Weight.DEMANDING
    standing = (
        "What about upkeep?",
        {"keep_all": "Always pay for everything", "no_lakes": "Pay for everything but lakes"},
    )

    def several_line(self, events: Sequence[Any], view: TangleView, names: Sequence[str]) -> str | None:
        line = event_lines.several_line(events, view, names)
        return None if line is None else nouns.with_few_signs(line)

    def retell(self, event: Any, line: str, before: TangleView | None, after: TangleView) -> str | None:
        return event_lines.retell(event, line, before, after)

    def hand_text(self, view: TangleView) -> str | None:
        return previews.hand_text(view)

    def row_text(self, view: TangleView) -> str | None:
        return previews.row_text(view)

    def choices(self, options: components.TangleOptions) -> list[presenter.Choice]:
        """Return the same three options always; spaces are exchanged by the command."""
        return [CHOICES["centre"], CHOICES["round_limit"], CHOICES["upkeep"]]

    def summary(self, options: components.TangleOptions, seats: int | None = None) -> str:
        lines = ["2 to 4 players"]
        centres = {value.value: value.label for value in CHOICES["centre"].values}
        if options.centre != "none":
            lines.append(f"{centres[options.centre]} in the centre")
        lines += [f"{centres[action]} on space {space}" for space, action in options.exchange]
        if options.round_limit != 50:
            lines.append(f"at most {options.round_limit} rounds" if options.round_limit else "no round limit")
        if options.upkeep == "asked":
            lines.append("I always ask how to pay upkeep")
        return " · ".join(lines)

    def explain_forced_move(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        is_paid = " keeps " in line and not line.endswith(" free.")
        return f"{line.removesuffix('.')} (paid automatically).".replace(") (", ", ") if is_paid else line

    @property
    def automatic_moves(self) -> tuple[moves.Move, ...]:
        return (moves.TangleDone(),)

    def obvious(self, view: TangleView) -> tuple[moves.Move, str] | None:
        """Cast nothing if nothing in the hand can be paid for."""
        if isinstance(view.decision, decisions.Casting) and choices(view) == [moves.TangleDone()]:
            return moves.TangleDone(), "-# You can't afford any of your enchantments, so you cast none."
        return None


FEW_CARDS = 1
"""Cards up to which a player should draw."""
DRAWING: tuple[components.Action, ...] = ("take_cards", "gather_cards")


def line(view: TangleView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    """Return a placement with its gains, or a choice's price."""
    lost = previews.losses(foresee(view, seat, advice.moves), seat, names, lead="then ")
    loss = "".join(f"\n{line}" for line in lost)
    match advice.moves[0]:
        case moves.TanglePlace(start, to) as move if to in components.SPACES:
            result = brings(view, names, move, obstacle(view, move))
            text = f"From {start} to **{nouns.place(view, to)}**: {result}"
            return text + _why(view, seat, move) + _turn_preview(advice.leads_to) + loss
        case moves.TanglePlace(start, to):
            home = f"From {start} home to **{nouns.place(view, to)}**"
            cards = len(view.hand or ())
            return f"{home}, so you can cast a card. You have {cards} card{'' if cards == 1 else 's'}."
        case moves.Cast(card) as move:
            text = f"Cast **{nouns.card(card)}**{_price(view, move)}."
            if previews.does_nothing(view, card):
                return f"{text} Its effect does nothing now.{_turn_preview(advice.leads_to)}{loss}"
            return f"{text} {nouns.card_text(card)}{_turn_preview(advice.leads_to)}{loss}"
        case moves.TangleDone():
            return f"**{questions.closing(view)}**."
        case move:
            text = event_lines.move_name(move, view, names)
            return f"**{marks.capital(text)}**{_price(view, move)}.{loss}"


def _why(view: TangleView, seat: Seat, move: moves.TanglePlace) -> str:
    """Return why a placement helps: the resources that the seat lacks."""
    ahead, stash, held = preview(view, move), view.players[seat].stash, len(view.hand or ())
    reasons = []
    if ahead.action in DRAWING and held <= FEW_CARDS:
        reasons.append("you have only one card" if held else "you have no cards")
    reasons += [
        f"you have no {nouns.resource(what)}"
        for what, has, gets in zip(components.RESOURCES, stash, ahead.gained, strict=True)
        if gets and not has
    ]
    for track in components.TRACKS:
        now, then = (bill(one, seat, track).lost for one in (view, foresee(view, seat, [move])))
        if now > then:
            reasons.append(f"you can keep {now - then} more at upkeep for {nouns.TRACK_NAMES[track]}")
    return words.why(reasons)


def _turn_preview(ahead: TurnPreview | None) -> str:
    if ahead is None:
        return ""
    lines = [f"{name} +{number}" for name, number in ahead.more]
    if ahead.nearer:
        nearer = words.join_words(
            f"{number} nearer to {components.CONDITIONS[one].name}" for one, number in ahead.nearer
        )
        lines.append(f"**{nearer}**")
    return f" You can get: {', '.join(lines)}." if lines else ""


def _price(view: TangleView, move: moves.Move) -> str:
    cost = price(view, move)
    return "" if cost == components.NOTHING else f" for {nouns.amount(cost)}"


async def picture(app: App, perspective: Perspective, made: Sequence[moves.Move]) -> pictures.Shown | None:
    table, view = perspective.table, perspective.view
    match made[0]:
        case moves.TanglePlace() as move:
            return await draw_focus(app, table, view, move)
        case move:
            areas = tuple(named for ways in paths(move)[:1] for named in ways if named in components.AREAS)
            return await app.pictures.special(table, "focus", view, areas) if areas else None


NEAR = 3
"""Missing items of a condition that is near."""


def applicable_notes(view: TangleView, seat: Seat) -> list[str]:
    """Return a deciding seat's notes, the most urgent first."""
    if view.decision is None:
        return []
    texts = ["start"]
    have = counts(view.tiles, view.players[seat].front, seat)
    if any(lacking(one, have) <= NEAR for one in view.conditions or ()):
        texts.append("near")
    texts.append(str(view.decision.__struct_config__.tag))
    if pushes(view):
        texts.append("steps")
    if isinstance(view.decision, decisions.Placing):
        if any(owner != seat for roots in view.roots.values() for owner in roots):
            texts.append("below")
        pairs = list(zip(view.trackers, view.markers, strict=True))
        notes = ["waiting"] if any(marker is not None and not steps for steps, marker in pairs) else []
        notes += ["due"] if any(marker is not None for _, marker in pairs) else []
        near = (marker is None and steps <= previews.DUE for steps, marker in pairs)
        texts += notes + [
            f"soon_{track}" for track, is_near in zip(components.TRACKS, near, strict=True) if is_near
        ]
    return texts
