"""The presenter of Ribbon Tangle: options, words, panel, hints and notes."""

from collections.abc import Sequence

import msgspec

from cogs.core import pictures, presenter
from cogs.core.app import App
from cogs.ribbon import panel
from cogs.ribbon.draft import RibbonDraft, exchange_of, preview
from cogs.ui.page import Button
from engines.game import Advice, Seat
from engines.marks import capital, quote_player
from engines.ribbon import computer, moves
from engines.ribbon.pieces.board import after
from engines.ribbon.pieces.board import swap_cards as with_swap
from engines.ribbon.pieces.components import FACES, RibbonOptions
from engines.ribbon.preview import can_end_safely, losing_tangles, risky_cards
from engines.ribbon.view import Phase, RibbonView, owner, tangles_of
from engines.ribbon.words import event_lines, nouns
from engines.words import plural, why
from render.core.theme import Rgb
from render.ribbon.colours import THEMES
from tables.play.play import Perspective

CHOICES = presenter.choices_of("ribbon")


class RibbonPresenter(presenter.Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "ribbon"
    ends = moves.RibbonTurnEnded
    questions = ("turn",)
    charted = "Tangles of each ribbon"
    estimated = ("percentage point", "percentage points")
    strikes = (moves.RibbonTurnEnded,)
    tagline = "Twelve cards, three ribbons: keep yours untangled."
    length = "about 15 minutes"
    weight = presenter.Weight.EASY

    def colours(self, view: RibbonView, theme: str) -> Sequence[Rgb]:
        if view.mode != "versus":
            return super().colours(view, theme)
        return [THEMES[theme].emblem(colour) for colour in view.ribbons]

    def seat_sign(self, view: RibbonView, seat: Seat) -> str:
        return nouns.seat_sign(view, seat)

    def choices(self, options: RibbonOptions) -> list[presenter.Choice]:
        """Return the mode first, then its own options."""
        match options.mode:
            case "versus":
                return [CHOICES["mode"], CHOICES["ribbon_choice"], CHOICES["first"]]
            case "coop":
                return [CHOICES["mode"], CHOICES["first"]]
            case "solo":
                return [CHOICES["mode"], CHOICES["difficulty"]]

    def summary(self, options: RibbonOptions, seats: int | None = None) -> str:
        match options.mode:
            case "solo":
                return f"Solo, {options.difficulty} level"
            case "coop":
                lines = ["Co-op for 2 or 3 players"]
            case "versus":
                lines = ["Versus for 2 or 3 players"]
                if options.ribbon_choice == "after_hand":
                    lines.append("you choose your ribbon after you see your hand")
                elif options.ribbon_choice == "random":
                    lines.append("I deal the ribbons at random")
        if options.first == "host":
            lines.append("the host goes first")
        return " · ".join(lines)

    def dm_buttons(self, perspective: Perspective) -> list[Button]:
        return panel.buttons_for_dm(perspective)

    def explain_forced_move(self, line: str, seat: Seat, names: Sequence[str]) -> str:
        return f"{line} It was the last face-down card."

    def before(self, view: RibbonView, event: moves.Event) -> RibbonView:
        """Keep a player in whom the event takes out."""
        return event_lines.before(view, event)


STUCK, OPEN = "nobody can gain anything now", "a player can still get tangled"
"""The reasons for a tie, and against one."""


def line(view: RibbonView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    """Return the moves, with everybody's tangles or the harmless cards."""
    match advice.moves[0]:
        case moves.Flip(place):
            others = [one for one, card in enumerate(view.circle, start=1) if card is None and one != place]
            is_safest = not risky_cards(view, place) or all(risky_cards(view, one) for one in others)
            reason = why([] if is_safest else ["it keeps the safe places for later"])
            return f"Flip **{place}**, {panel.where(view, place)}: {_chances(view, place)}.{reason}"
        case moves.ChooseRibbon(colour):
            ways = len({FACES[card].crossing(colour) for card in view.hands[seat] if card is not None})
            runs = f"it runs in {'only 1 way' if ways == 1 else f'{ways} different ways'} across your cards"
            unseen = "you haven't seen your hand yet, so all ribbons are equally good"
            return f"Take {nouns.SWATCH[colour]} **{colour}**.{why([runs if ways else unseen])}"
        case moves.ChooseHand(hand):
            return f"Begin with **hand {hand}**.{why(['all hands are equally good while no card is up'])}"
        case moves.AnswerTie(accept):
            return "**Yes**, a tie." + why([STUCK]) if accept else "**No**, play on." + why([OPEN])
        case _:
            draft = make_draft(view, advice.moves)
            ahead = preview(view, draft)
            ends = isinstance(advice.moves[-1], moves.RibbonEndTurn)
            text = f"{_draft_steps(view, draft, ends=ends)}: {event_lines.preview(ahead, names, seat)}."
            text = text.replace(": tangles: ", ". Tangles: ")
            if view.phase == "arrange" and losing_tangles(view, ahead.circle) and not can_end_safely(view):
                is_versus = view.mode == "versus"
                whose, end = ("your ribbon", "you're out") if is_versus else ("every tangle", "you lose")
                text = f"You can't clear {whose} this turn, so {end} when you end it. {text}"
            return text + why(_gains(view, ahead, names, seat))


def _gains(view: RibbonView, ahead: RibbonView, names: Sequence[str], seat: Seat) -> list[str]:
    """Return the tangles that a turn's end clears and makes."""
    if view.mode != "versus":
        fewer = len(view.tangles) - len(ahead.tangles)
        return [f"it clears {plural(fewer, 'tangle')}"] if fewer > 0 else []
    reasons = []
    for other, colour in enumerate(view.ribbons):
        if colour is None or owner(view, colour) is None:
            continue
        now, then = len(tangles_of(view, colour)), len(tangles_of(ahead, colour))
        if other == seat and now and not then:
            reasons.append("it clears your ribbon")
        if other != seat and then > now:
            reasons.append(f"{quote_player(names, other)} must clear {plural(then, 'tangle')}")
    return reasons


def _draft_steps(view: RibbonView, draft: RibbonDraft, *, ends: bool) -> str:
    lines = []
    if draft.swap is not None:
        lines.append(f"swap **{draft.swap} and {after(draft.swap)}**")
    exchange = exchange_of(view, draft)
    if exchange is not None:
        taken = "" if draft.take is None else nouns.face_up(draft.take)
        lines.append(f"put **{nouns.face_up(exchange[1])}** at **{exchange[0]}** and take {taken}")
    return capital(", then ".join([*lines, *(["end the turn"] if ends else [])]))


def _chances(view: RibbonView, place: int) -> str:
    """Return how many unseen cards tangle there, and can't be cleared."""
    whose = "your ribbon" if view.mode == "versus" else "a ribbon"
    risky, unseen = risky_cards(view, place), len(view.unseen)
    if not risky:
        return f"no card can tangle {whose} there"
    stuck = unseen - computer.count_clearable(view, place)
    clears = f"with {stuck} of them you couldn't clear it" if stuck else "you could always clear it"
    adds = event_lines.risk_text(view, view.seat)
    return f"{risky} of {unseen} unseen cards {adds}, {'and' if stuck else 'but'} {clears}"


def make_draft(view: RibbonView, made: Sequence[moves.Move]) -> RibbonDraft:
    draft, circle = RibbonDraft(), view.circle
    for move in made:
        match move:
            case moves.RibbonSwap(place):
                draft, circle = msgspec.structs.replace(draft, swap=place), with_swap(circle, place)
            case moves.Exchange(place, card):
                draft = msgspec.structs.replace(draft, put=card, take=circle[place - 1])
            case _:
                pass
    return draft


async def picture(app: App, perspective: Perspective, made: Sequence[moves.Move]) -> pictures.Shown | None:
    """Return the circle after the moves, or with a flip's place marked."""
    table, view = perspective.table, perspective.view
    match made[0]:
        case moves.Flip(place):
            marked = msgspec.structs.replace(view, differs=(place,), news=msgspec.UNSET)
            return await app.pictures.board(table, marked)
        case _ if view.phase == "arrange":
            return await app.pictures.board(table, preview(view, make_draft(view, made)))
        case _:
            return None


PICTURED: tuple[Phase, ...] = ("flip", "arrange")
"""The phases in which a panel shows the board, your own hand, and so the eyes of the cards."""


def applicable_notes(view: RibbonView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase == "tie_vote" or (view.phase == "arrange" and view.may_offer):
        texts.append("tie")
    if view.mode != "versus":
        texts.append("team")
    colour = view.ribbons[seat] if view.mode == "versus" else None
    if view.phase == "arrange":
        if colour is not None and tangles_of(view, colour):
            texts.append("mine" if can_end_safely(view) else "lost")
        texts.append("swap")
    elif view.phase == "flip" and colour is not None and tangles_of(view, colour):
        texts.append("mine")
    if colour is not None and any(owner(view, one.colour) not in (None, seat) for one in view.tangles):
        texts.append("theirs")
    if view.phase == "flip":
        texts.append("flip")
    if view.phase in PICTURED and any(view.shown):
        texts.append("seen")
    if view.full:
        texts.append("full")
    return texts
