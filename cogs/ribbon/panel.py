"""The private panel: a menu to flip, then a draft of swap and exchange, sent with the turn's end."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import msgspec

from cogs.core.app import App
from cogs.play.assembly import undo_buttons
from cogs.play.panel import load_draft, panel_press
from cogs.posts.board import hand_page
from cogs.ribbon.draft import RibbonDraft, preview, write_draft
from cogs.ui.page import DANGER, PLAIN, PRIMARY, SUCCESS, Button, Menu, Option, Page, Part
from engines.game import Seat
from engines.marks import capital, with_icon
from engines.ribbon import preview as previews
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import COLOURS, Card
from engines.ribbon.preview import would_lose
from engines.ribbon.view import RibbonView, hand_to_use
from engines.ribbon.words import board, event_lines, nouns
from tables.core.table import Table
from tables.play.play import Perspective

MOST_WAYS_OUT = 2
"""Buttons for safe ways to end a turn that would lose."""


async def panel(app: App, perspective: Perspective) -> Page:
    view: RibbonView = perspective.view
    match view.phase:
        case "choose_ribbon":
            return await _choose_ribbon(app, perspective)
        case "choose_hand":
            return await _choose_hand(app, perspective)
        case "tie_vote":
            return Page(["**A tie is on offer.** Do you agree?", tie_buttons(perspective.table)])
        case "flip":
            return await _flip(app, perspective)
        case _:
            return await _arrange(app, perspective)


def tie_buttons(table: Table) -> list[Button]:
    return [
        Button("Yes, a tie", panel_press(table, "answer", "yes"), SUCCESS),
        Button("No, play on", panel_press(table, "answer", "no"), DANGER),
    ]


async def _choose_ribbon(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    free = [colour for colour in COLOURS if colour not in view.ribbons]
    row = [
        Button(colour.capitalize(), panel_press(table, "colour", colour), emoji=nouns.SWATCH[colour])
        for colour in free
    ]
    if view.options.ribbon_choice == "after_hand":
        page = Page(["**Pick a ribbon.** If it's tangled when your turn ends, you're out."])
        page.parts += (await hand_page(app, perspective)).parts[1:]
    else:
        page = Page(["**Pick a ribbon.** You can't know yet which is best: you get your cards after this."])
    page.parts.append(row)
    return page


async def _choose_hand(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    row = [
        Button(
            f"Hand {number}: {' '.join(card or '?' for card in hand)}",
            panel_press(table, "starthand", str(number)),
        )
        for number, hand in enumerate(view.hands, start=1)
    ]
    text = (
        "**Which hand do you use on turn 1?** You play each turn with the next hand. On turn "
        "1 you only flip a card, so you can't play cards from this hand before turn "
        f"{len(view.hands) + 1}."
    )
    return Page([text, *(await hand_page(app, perspective)).parts[1:], row])


def where(view: RibbonView, place: int) -> str:
    """Return a place's neighbours: "between 3 (K) and 5 (face down)"."""
    sides = []
    for neighbour in (circles.before(place), circles.after(place)):
        card = view.circle[neighbour - 1]
        sides.append(f"{neighbour} ({card or 'face down'})")
    return f"between {sides[0]} and {sides[1]}"


async def _flip(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    down = [place for place, card in enumerate(view.circle, start=1) if card is None]
    risks = {place: previews.risky_cards(view, place) for place in down}
    risky = f"of {len(view.unseen)} unseen cards {event_lines.risk_text(view, view.seat)}"
    lines = [
        Option(
            f"Flip {place}: {f'{risks[place]} {risky}' if risks[place] else 'adds no tangle'}",
            str(place),
            f"Place {place} is {where(view, place)}",
        )
        for place in sorted(down, key=risks.__getitem__)
    ]
    if view.turn == 1:
        text = "**Flip a card.** That ends your turn, because it's the first turn of the game."
    else:
        then = event_lines.at_stake(view, view.seat) or "swap and exchange if you like"
        text = f"**Flip a card,** then {then}."
    title = "Flip a card, end turn" if view.turn == 1 else "Which card do you flip?"
    menu = Menu(panel_press(table, "flip"), title, lines)
    page = Page([text, *await _circle_and_hand(app, perspective), menu])
    page.optional = [[f"-# {standing_line(view, table.names, view.seat)}"]]
    return page


async def _circle_and_hand(app: App, perspective: Perspective, *, is_preview: bool = False) -> list[Part]:
    table, view = perspective.table, perspective.view
    if not app.is_text_only:
        return [await app.pictures.special(table, "turn", view)]
    hand = (await hand_page(app, perspective)).parts[1:] if view.mode == "versus" else []
    return [await app.pictures.special(table, "preview" if is_preview else "board", view), *hand]


def standing_line(view: RibbonView, names: Sequence[str], me: Seat) -> str:
    """Return everybody's tangles, the viewer's own colour first."""
    own = view.ribbons[me] if view.mode == "versus" else None
    text = capital(event_lines.preview(view, list(names), me))
    return f"You're {nouns.SWATCH[own]} **{own}**. {text}." if own is not None else f"{text}."


async def _arrange(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    draft = await load_draft(app, perspective, RibbonDraft)
    ahead = preview(view, draft)
    page = Page([_headline(table, view, ahead, draft)])
    is_half = (draft.put is None) != (draft.take is None)
    line = standing_line(ahead, table.names, view.seat)
    # But for half an exchange, the headline counts the tangles.
    own = line if is_half or not table.suggests else line.partition(". ")[0] + "."
    page.optional = [[f"-# {own}"]] if view.mode == "versus" or own == line else []
    seen = msgspec.structs.replace(perspective, view=ahead)
    page.parts += await _circle_and_hand(app, seen, is_preview=ahead != view)
    # A way out is a hint that plays itself.
    if (
        table.suggests
        and would_lose(ahead)
        and draft == RibbonDraft()
        and not (table.rated and await app.parlour.hints.refusal(table))
    ):
        safe = await app.workers.run(previews.safe_drafts, view, MOST_WAYS_OUT)
        page.parts += [[_way_out(table, view, one)] for one in safe]
    page.parts += menus(table, view, draft)
    won, loses = previews.is_won(ahead) and table.suggests, would_lose(ahead) and table.suggests
    style = SUCCESS if won else DANGER if loses else PLAIN if is_idle(table, view, draft) else PRIMARY
    row = [Button("End turn and win" if won else "End turn", panel_press(table, "end"), style)]
    if draft != RibbonDraft():
        row.append(Button("Clear", panel_press(table, "clear")))
    elif view.may_offer:
        row.append(Button("Offer a tie", panel_press(table, "tie")))
    page.parts.append([*row, *await undo_buttons(app, perspective)])
    return page


def _way_out(table: Table, view: RibbonView, draft: previews.TurnDraft) -> Button:
    """Return the button that plays a safe draft and ends the turn."""
    made = []
    if draft.swap is not None:
        made.append(f"swap {draft.swap} and {circles.after(draft.swap)}")
    if draft.exchange is not None:
        place, card = draft.exchange
        made.append(f"put {nouns.face_up(card)} at {place}")
    wins = previews.is_winning(view, previews.apply_draft(view.circle, draft))
    label = f"{capital(' and '.join(made))}: {'you win' if wins else 'safe, end turn'}"
    return Button(label, panel_press(table, "play", write_draft(draft)), SUCCESS)


def _headline(table: Table, view: RibbonView, ahead: RibbonView, draft: RibbonDraft) -> str:
    """Return what to do; a puzzle's doesn't judge the turn."""
    if previews.is_won(ahead) and table.suggests:
        return "**You win with this, because no ribbon is tangled.** Now press **End turn and win**."
    danger = would_lose(ahead) if table.suggests else ()
    if draft != RibbonDraft():
        return _preview_headline(table, ahead, draft, loses=bool(danger))
    if danger and not previews.can_end_safely(view):
        what, end = (
            ("your ribbon", "you're out") if view.mode == "versus" else ("the tangles", "you lose the game")
        )
        return f"**You can't clear {what} this turn.** If you end your turn, {end}."
    if danger:
        return f"**Untangle {nouns.describe_tangles(danger)}** before you end your turn."
    if not table.suggests:
        return "**Swap and exchange if you like, then end your turn.**"
    brings = capital(event_lines.preview(view, table.names, view.seat))
    return f"**{brings}.** Swap and exchange if you like, then end your turn."


def _preview_headline(table: Table, ahead: RibbonView, draft: RibbonDraft, *, loses: bool) -> str:
    """Return what a draft would bring; half an exchange asks on."""
    cost = "If you end your turn like this, you lose." if loses else "Nothing counts yet."
    if draft.put is not None and draft.take is None:
        return f"**Now choose the card you take.** {cost}"
    if draft.take is not None and draft.put is None:
        return f"**Now choose the card you put down.** {cost}"
    if not table.suggests:
        return "**This is a preview. Nothing counts yet.**"
    brings = capital(event_lines.preview(ahead, table.names, ahead.seat))
    return f"**{brings}.** {cost}"


def menus(table: Table, view: RibbonView, draft: RibbonDraft) -> list[Menu]:
    """Return a draft's menus; half an exchange asks for its other half."""
    is_half = (draft.put is None) != (draft.take is None)
    puts = [
        Option(
            with_icon(f"ribbon_card_{card.lower()}", f"Card {card}"),
            card,
            board.crossings(card),
            chosen=draft.put == card,
        )
        for card in (hand_to_use(view) if previews.exchanges(view) else ())
    ]
    entries = [_menu(table, "put", "Which card goes down?", puts)]
    if not is_half:
        swaps = []
        for place in previews.swaps(view):
            one, two = view.circle[place - 1], view.circle[circles.after(place) - 1]
            label = f"{place} ({_card(one)}) and {circles.after(place)} ({_card(two)})"
            ahead = preview(view, msgspec.structs.replace(draft, swap=place))
            text = event_lines.preview(ahead, list(table.names), view.seat) if table.suggests else ""
            swaps.append(
                (len(would_lose(ahead)), Option(label, str(place), text, chosen=draft.swap == place))
            )
        entries.insert(0, _menu(table, "swap", "Which neighbours swap?", _safest_first(table, swaps)))
    if draft != RibbonDraft(swap=draft.swap):
        entries.append(_menu(table, "take", "Which card do you take?", _take_lines(table, view, draft)))
    return [menu for menu in entries if menu is not None]


def _menu(table: Table, verb: str, title: str, lines: list[Option]) -> Menu | None:
    if not lines:
        return None
    return Menu(panel_press(table, verb), title, lines, least=0)


def _safest_first(table: Table, lines: Sequence[tuple[int, Option]]) -> list[Option]:
    """Return lines by their tangles; in a puzzle, in their own order."""
    return [line for _, line in (sorted(lines, key=itemgetter(0)) if table.suggests else lines)]


def _card(card: Card | None) -> str:
    return "face down" if card is None else nouns.face_up(card)


def _take_lines(table: Table, view: RibbonView, draft: RibbonDraft) -> list[Option]:
    if not previews.exchanges(view):
        return []
    circle = view.circle if draft.swap is None else circles.swap_cards(view.circle, draft.swap)
    lines = []
    for place, card in enumerate(circle, start=1):
        if card is None:
            continue
        text, danger = board.crossings(card), 0
        if draft.put is not None and table.suggests:
            ahead = preview(view, msgspec.structs.replace(draft, take=card))
            text, danger = event_lines.preview(ahead, list(table.names), view.seat), len(would_lose(ahead))
        label = f"{nouns.face_up(card)} at {place}"
        lines.append((danger, Option(label, card, text, chosen=draft.take == card)))
    return _safest_first(table, lines)


def warning(view: RibbonView) -> str:
    danger = would_lose(view)
    if view.mode == "versus":
        return f"**Your ribbon is tangled {nouns.between(danger)}.** If you end your turn now, you're out."
    who = "you lose" if view.mode == "solo" else "the team loses"
    return (
        f"**A ribbon is still tangled: {nouns.describe_tangles(danger)}.** If you end your turn now, {who}."
    )


def half_exchange_page(table: Table, draft: RibbonDraft) -> Page:
    """Return the question before an end that drops half an exchange."""
    chosen, missing = ("to put down", "to take") if draft.take is None else ("to take", "to put down")
    text = f"**You chose a card {chosen}, but no card {missing}.** End your turn without the exchange?"
    row = [
        Button("Choose the other card", panel_press(table, "back"), PRIMARY),
        Button("End without it", panel_press(table, "drop")),
    ]
    return Page([text, row])


def is_idle(table: Table, view: RibbonView, draft: RibbonDraft) -> bool:
    """Return True if a puzzle's turn would end as it began."""
    return not (table.suggests or view.swapped or view.exchanged) and draft == RibbonDraft()


def idle_page(table: Table) -> Page:
    row = [
        Button("Choose again", panel_press(table, "back"), PRIMARY),
        Button("End turn", panel_press(table, "drop")),
    ]
    return Page(["**You haven't swapped or exchanged a card.** End your turn anyway?", row])


def losing_page(table: Table, view: RibbonView, *, hopeless: bool) -> Page:
    """Return the question before a losing end; `hopeless` if unavoidable."""
    row = [
        Button("End my turn anyway", panel_press(table, "lose"), DANGER),
        Button("Choose again", panel_press(table, "back"), PRIMARY),
    ]
    return Page([warning(view) + (" You can't clear it this turn." if hopeless else ""), row])


def buttons_for_dm(perspective: Perspective) -> list[Button]:
    view: Any = perspective.view
    if view.phase == "tie_vote" and perspective.seat in view.owes:
        return tie_buttons(perspective.table)
    return []
