"""The private panel: a root and its destination, then its action, payments, cards, the trackers."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.play.assembly import undo_buttons
from cogs.play.panel import load_draft, panel_press
from cogs.tangle import draft as drafts
from cogs.ui import page as pages
from cogs.ui.form import Field
from cogs.ui.page import MENU_LIMIT, PRIMARY, SUCCESS, Button, Menu, Option, Page, Part
from cogs.ui.press import Press
from cogs.ui.text import without_icons
from engines.game import IllegalMove, Seat
from engines.marks import capital, sign, with_icon
from engines.tangle import decisions, moves, preview
from engines.tangle.legal import context, tiles
from engines.tangle.legal.moves import LandingObstacle, choices, obstacle
from engines.tangle.pieces import card_language, components
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.components import AREAS, CARDS, NOTHING, PAID_IN, SPACES, TRACKS, Amount
from engines.tangle.view import TangleView
from engines.tangle.words import event_lines, nouns, previews, questions
from engines.tangle.words.previews import Warnings
from engines.words import join_words, ordinal
from tables.core.table import Table
from tables.play.play import Perspective

ONE_OR_MORE = "Where? Choose one or more"
COSTING = (
    decisions.Earths,
    decisions.Meadows,
    decisions.Growing,
    decisions.Sprouting,
    decisions.Hedging,
    decisions.TakingOver,
    decisions.Diverse,
)
"""The decisions whose answers usually cost something."""
MENUS, SHORT = 3, 36
"""Menus of one question in a panel; letters of a button in a row."""
AND_ENDS = " and end the turn"
NO_EFFECT = "Does nothing now"


async def panel(app: App, perspective: Perspective) -> Page:
    draft = await load_draft(app, perspective, drafts.TangleDraft)
    match perspective.view.decision:
        case decisions.Upkeep() as upkeep:
            return await _upkeep(app, perspective, upkeep)
        case decisions.Placing():
            return await _placing(app, perspective, draft)
        case _:
            return await _asking(app, perspective, draft)


async def _placing(app: App, perspective: Perspective, draft: drafts.TangleDraft) -> Page:
    table, view = perspective.table, perspective.view
    starts = drafts.starts(view)
    start = draft.start if draft.start in starts else starts[0]
    ends = {move.to: move for move in drafts.ends(view, start)}
    if draft.to in ends:
        return await _placement_page(app, perspective, ends[draft.to])
    sleeping = drafts.sleeper_may_stay(view)
    lead = "Move the root that slept, or leave it there." if sleeping else "Place a root."
    lead = f"**{lead}** Where does the root from **{start}** go?"
    tolls = previews.unpaid_tolls(view)
    lines = [lead, drafts.purse(perspective), *([f"-# {tolls}"] if tolls else [])]
    page = Page(["\n".join(lines)])
    if isinstance(view.decision, decisions.Placing) and view.decision.paid is not None:
        change = Button("Change", panel_press(table, "change_upkeep"))
        text = f"You paid {nouns.amount(view.decision.paid.price)} for upkeep."
        page.parts.append(pages.ButtonLine(text, change))
    page.parts.append(await app.pictures.special(table, "roots", view))
    if len(starts) > 1:
        page.parts.append(
            [
                Button(
                    f"From {one}", panel_press(table, "start", one), PRIMARY if one == start else pages.PLAIN
                )
                for one in starts
            ]
        )
    barred = {move: obstacle(view, move) for to, move in ends.items() if to in SPACES}
    spaces = sorted(barred, key=lambda move: barred[move] is not None)
    reached = [
        Option(nouns.place(view, move.to), move.to, brings(view, table.names, move, barred[move]))
        for move in spaces
    ]
    page.parts += _menus(panel_press(table, "to", "space"), "Where does it go?", reached)
    homes = [
        Option(f"Home to {nouns.place(view, to)}", to, brings(view, table.names, move, None))
        for to, move in ends.items()
        if to not in SPACES
    ]
    ways = [Button(one.label, panel_press(table, "to", one.value)) for one in homes]
    if len(homes) > 1:
        page.parts += _menus(panel_press(table, "to", "home"), "Home to which tree?", homes)
        ways = []
    if sleeping:
        ways.append(Button("Leave it there", panel_press(table, "done")))
    page.parts.append([*ways, *await undo_buttons(app, perspective)])
    return drafts.with_notes(perspective, page)


def brings(
    view: TangleView, names: Sequence[str], move: moves.TanglePlace, why: LandingObstacle | None
) -> str:
    """Return a placement in a menu's line; `why` its space does nothing."""
    ahead, me = drafts.preview(view, move), view.viewer or 0
    lines = [f"pay {nouns.colour(seat, names)} {count}" for seat, count in ahead.toll]
    lines += (gained := previews.gains(ahead, me))
    others = [line.removesuffix(".") for line in previews.others_gains(ahead, me, names)]
    if move.to in SPACES:
        what = nouns.action(view, move.to)
        taken = what in ("resource", "gather_water") and ahead.gained != NOTHING
        if why is not None:
            verdict = ("Nothing else" if gained else "No use now") if lines else NO_EFFECT
            lines.append(f"{verdict}: {previews.obstacle_text(why, what)}")
        elif not taken:
            lines.append(nouns.does_briefly(what, context.context_of(view).powers))
    return "".join(f"{capital(line)}. " for line in [*lines, *others] if line).rstrip()


async def _placement_page(app: App, perspective: Perspective, move: moves.TanglePlace) -> Page:
    table, view = perspective.table, perspective.view
    why = obstacle(view, move)
    lines = [f"**Move your root from {move.start} to {nouns.place(view, move.to)}.**"]
    ahead = drafts.preview(view, move)
    if move.to in SPACES:
        what = nouns.action(view, move.to)
        if why is not None:
            verdict = f"The space does nothing{' else' * bool(previews.gains(ahead, perspective.me))} now"
            lines.append(f"**{verdict}: {previews.obstacle_text(why, what)}.** Place your root anyway?")
        lines.append(nouns.does(what, context.context_of(view).powers))
    else:
        casts = (
            ". You can't cast a card now" if ends_turn(perspective, [move]) else ", so you can cast a card"
        )
        lines.append(f"The root comes home{casts}.")
    lines += [f"You {line}." for line in previews.gains(ahead, perspective.me)]
    if ahead.toll:
        paid = [f"{nouns.colour(seat, table.names)} {count}" for seat, count in ahead.toll]
        lines.append(f"You pay {join_words(paid)} for the roots below your root, in any resources.")
    lines += previews.others_gains(ahead, perspective.me, table.names)
    lines += previews.sources(view, ahead, perspective.me, table.names)
    after = drafts.foresee(view, perspective.me, [move])
    before = ", before you pay" if isinstance(after.decision, decisions.Toll) else ""
    lines.append(f"-# Then you'd have {drafts.possessions(after, perspective.me)}{before}.")
    picture = await draw_focus(app, table, view, move)
    label = "Place it" if why is None else "Place it anyway"
    label += _end(perspective, [move])
    row = [
        Button(label, panel_press(table, "place", f"{move.start}/{move.to}"), SUCCESS),
        Button("Choose again", panel_press(table, "back")),
    ]
    return drafts.with_notes(perspective, Page(["\n".join(lines), picture, row]), [move])


def is_placed_at_once(perspective: Perspective, move: moves.TanglePlace) -> bool:
    """Return True if a placement is sent without a page before it.

    A toll, a space without use, upkeep, cards that come at once and the turn's end have that page. Without
    it, **Undo** follows.
    """
    view = perspective.view
    if _may_draw(view):
        return False
    if move.to in SPACES and (obstacle(view, move) is not None or drafts.preview(view, move).toll):
        return False
    return drafts.new_upkeep(perspective, [move]) == Warnings() and not ends_turn(perspective, [move])


def _may_draw(view: TangleView) -> bool:
    """Return True if the viewer's enchantments can bring cards: no undo."""
    gains = context.context_of(view).powers.gains.values()
    return any(gain.cards for pairs in gains for _, gain in pairs)


async def draw_focus(app: App, table: Table, view: TangleView, move: moves.TanglePlace) -> Shown:
    ends = (move.start, move.to)
    around = [area for area in view.tiles if move.to in SPACES and move.to in AREAS[area].spaces]
    homes = [where for where in ends if where not in SPACES]
    spaces = tuple(where for where in ends if where in SPACES)
    return await app.pictures.special(table, "focus", view, (*around, *homes), spaces)


def _menus(press: Press, title: str, lines: Sequence[Option], most: int = 1) -> list[Part]:
    chunks = [lines[start : start + MENU_LIMIT] for start in range(0, len(lines), MENU_LIMIT)][:MENUS]
    return [
        Menu(
            Press(press.room, press.verb, press.table, press.moment, f"{press.arg}{number}"),
            f"{number + 1}/{len(chunks)}: {title}" if len(chunks) > 1 else title,
            chunk,
            most=min(most, len(chunk)),
        )
        for number, chunk in enumerate(chunks)
    ]


async def _asking(app: App, perspective: Perspective, draft: drafts.TangleDraft) -> Page:
    table, view = perspective.table, perspective.view
    asked = drafts.next_question(view, draft.picks)
    if pending := drafts.pending(view, draft):
        return await _sending(app, perspective, pending)
    lines = [questions.headline(view, table.names)]
    chosen = bool(draft.picks) and bool(asked.picks)
    if asked.picks:
        lines.append(_picks_line(perspective, asked, chosen=chosen))
    lines.append(drafts.purse(perspective))
    upkeep = drafts.new_upkeep_of_answers(perspective)
    page = Page(["\n".join([*lines, *upkeep.others])], warnings=upkeep.urgent)
    picture = await _scenery(app, perspective, asked)
    page.parts += [] if picture is None else [picture]
    page.parts += _answers(perspective, asked)
    pushes = [] if chosen else drafts.pushes(view)
    closes = drafts.may_close(view) and not pushes
    can_cast = bool(pushes or closes) and any(isinstance(move, moves.Cast) for move in choices(view))
    if pushes:
        title = "Or push, end turn" if can_cast else "Push trackers, end turn"
        named = [(steps_label(view, steps.by, up=True), steps.by) for steps in pushes]
        options = [Option(label, " ".join(map(str, by)), about) for (label, about), by in named]
        page.parts += _menus(panel_press(table, "push"), title, options)
    style = pages.PLAIN if asked.options else PRIMARY
    label = questions.closing(view) + _end(perspective, [moves.TangleDone()]) if closes else ""
    if isinstance(view.decision, decisions.Casting) and not can_cast:
        label = "End the turn"
    first = [Button(label, panel_press(table, "done"), style)] if closes else []
    if chosen:
        first.append(Button("Choose again", panel_press(table, "again")))
    page.parts.append([*first, *await undo_buttons(app, perspective)])
    return drafts.with_notes(perspective, page)


def _picks_line(perspective: Perspective, asked: drafts.Asked, *, chosen: bool) -> str:
    """Return the answers so far, those without a choice too."""
    text = ", ".join(_pick(perspective, made)[0] for made in asked.picks)
    if chosen:
        return f"-# Chosen so far: {text}."
    if isinstance(perspective.view.decision, decisions.Planting):
        bush, tree = perspective.view.players[perspective.me].seeds
        own = nouns.seed("bush", bush) if asked.picks == ("bush",) else nouns.seed("tree", tree)
        return f"-# You have {'one' if bush + tree == 1 else bush + tree} {own}."
    return f"-# Your only choice: {text}."


async def _scenery(app: App, perspective: Perspective, asked: drafts.Asked) -> Shown | None:
    """Return a picture for a choice: part of the board, or cards.

    Trackers have none: the lines of the menu describe their result, and in words those of areas too.
    """
    table, view = perspective.table, perspective.view
    match view.decision:
        case decisions.Casting():
            return await app.pictures.hand(perspective)
        case decisions.Pushing() | decisions.Lowering():
            return None
        case _:
            areas, spaces = drafts.candidates(view, asked)
            if (not areas and not spaces) or (app.is_text_only and {*areas, *spaces} <= {*asked.options}):
                return None
            return await app.pictures.special(table, "focus", view, areas, spaces)


def _answers(perspective: Perspective, asked: drafts.Asked) -> list[Part]:
    table, view = perspective.table, perspective.view
    lines, most = _lines(perspective, asked), drafts.most_answers(view)
    are_places = all(line.value in AREAS for line in lines)
    is_said_above = are_places or isinstance(view.decision, decisions.Pushing)
    short = all(
        len(without_icons(line.label)) <= SHORT and (is_said_above or not line.description) for line in lines
    )
    if len(lines) == 1 or (len(lines) <= 4 and short):
        row = [Button(line.label, panel_press(table, "pick", line.value), PRIMARY) for line in lines]
        facts = " · ".join(f"{line.value}: {line.description}" for line in lines if line.description)
        return [f"-# {facts}", row] if facts and are_places else [row]
    if most > 1 and len(lines) > MENU_LIMIT:
        return [[Button("Choose areas", panel_press(table, "areas"), PRIMARY)]]
    # The number keeps a second menu with the same lines apart from the first one, whose choice it would show.
    title = ONE_OR_MORE if most > 1 else questions.asking(view, len(asked.picks))
    return _menus(panel_press(table, "chosen", f"{len(asked.picks)}."), title, lines, most)


def _lines(perspective: Perspective, asked: drafts.Asked) -> list[Option]:
    """Return a line for each answer, the cheapest first."""
    view = perspective.view
    corners = context.context_of(view).board.corners

    def rank(option: tuple[str, Amount]) -> tuple[int, int]:
        return sum(option[1]), -corners.get(option[0], 0)

    priced = sorted(drafts.prices(view, asked).items(), key=rank)
    if isinstance(view.decision, decisions.Toll):
        paid = sorted(asked.options, key=lambda one: drafts.unevenness(view, nouns.parse_amount(one)))
        priced = [(one, NOTHING) for one in paid]
    lines = [(*_pick(perspective, option), option, price) for option, price in priced]
    return [Option(_with_price(view, label, price), option, about) for label, about, option, price in lines]


def area_fields(perspective: Perspective) -> list[Field]:
    """Return the menus of a form for many areas."""
    lines = sorted(
        _lines(perspective, drafts.next_question(perspective.view, ())),
        key=lambda line: (line.value[0], int(line.value[1:])),
    )
    chunks = [lines[start : start + MENU_LIMIT] for start in range(0, len(lines), MENU_LIMIT)]
    most = drafts.most_answers(perspective.view)
    return [
        Field(str(number), f"{chunk[0].value} to {chunk[-1].value}", options=chunk, most=most)
        for number, chunk in enumerate(chunks)
    ]


def _with_price(view: TangleView, label: str, price: Amount) -> str:
    """Return a label with its price, or "free" for what usually costs."""
    if price != NOTHING:
        return f"{label}, for {nouns.amount(price)}"
    return f"{label}, free" if isinstance(view.decision, COSTING) else label


def _effect(view: TangleView, card: components.CardId) -> str:
    text = nouns.card_text(card)
    return f"{NO_EFFECT}. {text}" if previews.does_nothing(view, card) else text


def _pick(perspective: Perspective, option: str) -> tuple[str, str]:
    view, names = perspective.view, perspective.table.names
    if option in AREAS:
        lies = view.tiles.get(option)
        whose = "" if lies is None else nouns.tile(view, lies, names)
        about = ", ".join(filter(None, [whose, nouns.touching(view, option)]))
        is_lakes = isinstance(view.decision, decisions.Lakes)
        spares = nouns.shelter(view, option, perspective.me) if is_lakes else ""
        about = "; ".join(filter(None, [spares, about]))
        return option if lies is None else _tile_label(view, option, lies), about
    if option in CARDS:
        return nouns.card(option), _effect(view, option)
    kind, _, rest = option.partition(" ")
    match kind:
        case "row":
            drawn, slot = view.row[int(rest)], int(rest)
            twin = f", {ordinal(slot + 1)} in the row" if view.row.count(drawn) > 1 else ""
            costs = nouns.amount(nouns.card_price(view, drawn, perspective.me))
            return nouns.card(drawn) + twin, f"Costs {costs}. {nouns.card_text(drawn)}"
        case "pile":
            return with_icon("tangle_card", "The top card of the pile"), ""
        case "hand" | "discard" if rest in CARDS:
            where = "your hand" if kind == "hand" else "the discards"
            return f"{nouns.card(rest)} from {where}", _effect(view, rest)
        case "trade":
            return f"1 {sign(f'tangle_{rest.lower()}', rest)} for 1 M", ""
        case "buy":
            return with_icon(f"tangle_{rest}_seed", f"A {rest} seed"), ""
        case "bush" | "tree":
            return with_icon(f"tangle_{option}_seed", option.capitalize()), ""
        case "earth" | "meadow" | "W" | "E" | "N" | "M":
            return with_icon(f"tangle_{option.lower()}", option.capitalize()), ""
        case "grow":
            return with_icon("tangle_do_grow", "Grow"), ""
        case _ if option in SPACES:
            return nouns.place(view, option), ""
        case _:
            if isinstance(view.decision, decisions.Pushing | decisions.Lowering):
                by = [int(number) for number in option.split()]
                return steps_label(view, by, up=isinstance(view.decision, decisions.Pushing))
            return nouns.amount(nouns.parse_amount(option)), ""


def _tile_label(view: TangleView, area: components.AreaCode, lies: TangleTile) -> str:
    grown = tiles.next_kind(lies) if isinstance(view.decision, decisions.Growing) else None
    if grown is None:
        return with_icon(f"tangle_{lies.kind}", area)
    return with_icon(f"tangle_{grown}", f"{area} into a {nouns.KINDS[grown]}")


def steps_label(view: TangleView, by: Sequence[int], *, up: bool) -> tuple[str, str]:
    """Return steps on the tracks, and what they bring and leave."""
    way = -1 if up else 1
    left = {track: steps + way * n for track, steps, n in zip(TRACKS, view.trackers, by, strict=True) if n}
    reached = [track for track, number in left.items() if up and not number]
    costs = [(preview.bill(view, view.viewer or 0, track), track) for track in reached]
    owed = sorted((cost for cost in costs if cost[0].owed), key=lambda cost: -cost[0].lost) or costs[:1]
    waits = {track for track, to in zip(TRACKS, view.markers, strict=True) if to is not None}
    due = capital(
        ", ".join(f"{'later ' * (cost[1] in waits)}{previews.bill_briefly(*cost)}" for cost in owed)
    )
    ahead = f"{'Left' if due else 'Steps left'}: {join_words(map(str, left.values()))}"
    return capital(nouns.name_pushes([-way * n for n in by])), f"{due}. {ahead}" if due else ahead


async def _sending(app: App, perspective: Perspective, pending: str) -> Page:
    """Return the page that confirms the turn's end or a gift."""
    table, view = perspective.table, perspective.view
    made = drafts.moves_to_confirm(view, pending)
    pushing = any(isinstance(move, moves.Steps) for move in made)
    entries = [
        "cast nothing"
        if pushing and isinstance(move, moves.TangleDone)
        else event_lines.move_name(move, view, table.names)
        for move in made
    ]
    told = pushing or isinstance(view.decision, decisions.Toll)
    cost = NOTHING if told else drafts.prices_of(view, made)
    price = "" if cost == NOTHING else f", for {nouns.amount(cost)}"
    lines = [f"You choose to **{join_words(entries)}**{price}."]
    after = drafts.foresee(view, perspective.me, made)
    if after.players[perspective.me] != view.players[perspective.me]:
        lines.append(f"-# You'd have {drafts.possessions(after, perspective.me)}.")
    for move in made:
        if isinstance(move, moves.Cast):
            lines += ["**The card does nothing now.**"] if previews.does_nothing(view, move.card) else []
            lines.append(nouns.card_text(move.card))
    upkeep = drafts.new_upkeep(perspective, made)
    lines += upkeep.others or ([] if upkeep.urgent else drafts.describe_free_upkeep(view, table.names, made))
    row = [
        Button(f"Confirm{_end(perspective, made)}", panel_press(table, "confirm", pending), SUCCESS),
        Button("Choose again", panel_press(table, "again")),
    ]
    buttons = [*row, *await undo_buttons(app, perspective)]
    areas = tuple(areas_of(made))
    pictures = [await app.pictures.special(table, "focus", view, areas)] if areas else []
    return drafts.with_notes(perspective, Page(["\n".join(lines), *pictures, buttons]), made)


def areas_of(made: Sequence[moves.Move]) -> list[str]:
    return [path[-1] for move in made for path in drafts.paths(move)[:1] if path and path[-1] in AREAS]


def needs_confirmation(perspective: Perspective, move: moves.Move) -> bool:
    """Return True if a move ends the turn or gives something away.

    An enchantment needs none if it can be undone, does something now and brings no upkeep: its line in the
    menu has price and text. Nor do trackers that bring no upkeep, as their question says that they end the
    turn.
    """
    if isinstance(move, moves.Cast):
        draws = any(isinstance(op, card_language.GainOnce) and op.cards for op in CARDS[move.card].ops)
        return (
            draws
            or _may_draw(perspective.view)
            or previews.does_nothing(perspective.view, move.card)
            or drafts.new_upkeep(perspective, [move]) != Warnings()
            or ends_turn(perspective, [move])
        )
    if isinstance(move, moves.Steps):
        return drafts.brings_upkeep(perspective, [move])
    return isinstance(move, moves.Offer) or ends_turn(perspective, [move])


def ends_turn(perspective: Perspective, made: Sequence[moves.Move]) -> bool:
    return perspective.table.game.ends_turn(perspective.view, perspective.me, made)


def payable_moves(perspective: Perspective, made: Sequence[moves.Move]) -> list[moves.Move]:
    """Return the first moves that the rules accept together."""

    def is_refused(number: int) -> bool:
        with suppress(IllegalMove):
            ends_turn(perspective, made[:number])
            return False
        return True

    return list(made[: bisect_left(range(1, len(made) + 1), True, key=is_refused)])


def _end(perspective: Perspective, made: Sequence[moves.Move]) -> str:
    return AND_ENDS if ends_turn(perspective, made) else ""


async def _upkeep(app: App, perspective: Perspective, upkeep: decisions.Upkeep) -> Page:
    table, view, me = perspective.table, perspective.view, perspective.me
    items, free, track = upkeep.items[me], upkeep.free[me], upkeep.track
    cost = preview.rest_of_bill(view, me, upkeep)
    each = f"{nouns.cost(track, 1)} each" + (f", but {free} for free" if free else "")
    lines = [
        f"**Pay upkeep for your {nouns.TRACK_NAMES[track]}: {each}.** You lose what you don't pay for.",
        f"{_terms(cost, track)} Your {nouns.TRACK_NAMES[track]}: {join_words(list(map(nouns.item, items)))}.",
        drafts.purse(perspective),
    ]
    page = Page(["\n".join(lines)])
    areas = tuple(one for one in items if one in AREAS)
    most = len(items) - cost.lost
    has_menu = len(items) > 1 and bool(most)
    if areas and not (app.is_text_only and has_menu):
        page.parts.append(await app.pictures.special(table, "focus", view, areas))
    if has_menu:
        saves = "" if cost.lost else f" Dropping it saves 1 {PAID_IN[track]}."
        options = keep_options(view, items[:MENU_LIMIT], table.names, saves)
        page.parts.append(
            Menu(
                panel_press(table, "keep"), "What do you want to keep?", options, most=min(most, len(options))
            )
        )
    payable = any(isinstance(move, moves.PayRest) for move in choices(view))
    row = [
        Button(
            f"Keep {'it' if len(items) == 1 else 'all'} ({nouns.cost(track, cost.owed)})",
            panel_press(table, "pay_rest"),
            SUCCESS,
            disabled=not payable,
        ),
        Button("Drop it" if len(items) == 1 else "Drop all", panel_press(table, "drop_rest"), pages.DANGER),
    ]
    page.parts.append([*row, *await undo_buttons(app, perspective)])
    return drafts.with_notes(perspective, page)


def keep_options(view: TangleView, items: Sequence[str], names: Sequence[str], saves: str) -> list[Option]:
    """Return a line for each tile or card, equal cards told apart."""
    seen, options = Counter[str](), []
    for one in items:
        seen[one] += 1
        if one in CARDS:
            copy = f", {ordinal(seen[one])} copy" if seen[one] > 1 else ""
            label, about = f"{nouns.item(one)}{copy}", f"{saves} {nouns.card_text(one)}".strip()
        else:
            lies = view.tiles[one]
            about = f"{capital(nouns.tile(view, lies, names))}.{saves}"
            label = with_icon(f"tangle_{lies.kind}", one)
        options.append(Option(label, f"{one} {seen[one]}", about))
    return options


def _terms(cost: preview.Bill, track: card_language.TrackName) -> str:
    """Say how many items a seat can keep, or what dropping saves."""
    number, one = len(cost.items), nouns.cost(track, 1)
    if cost.lost:
        return f"You can keep {number - cost.lost} at most: you have {nouns.cost(track, cost.held)}."
    if number == 1:
        return f"Dropping it saves {one}."
    most = f", up to {nouns.cost(track, cost.owed)} in all" if cost.owed < number else ""
    return f"Each one that you drop saves {one}{most}."


def keep_moves(upkeep: decisions.Upkeep, seat: Seat, keep: Sequence[str]) -> list[moves.Move]:
    """Return the moves that keep items ("C6 1") and drop all others."""
    left = Counter(upkeep.items[seat])
    wanted = Counter(one.rpartition(" ")[0] for one in keep)
    dropped = left - wanted
    made: list[moves.Move] = [moves.Drop(one) for one, number in dropped.items() for _ in range(number)]
    if len(upkeep.items[seat]) - len(made) > upkeep.free[seat]:
        made.append(moves.PayRest())
    return made
