"""The private panel: place or draw, then the questions of steps, Tangles and scorings."""

from collections import Counter
from collections.abc import Mapping, Sequence

from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.play import assembly
from cogs.play.panel import load_draft, panel_press
from cogs.tanglewood import draft as drafts
from cogs.ui.page import MENU_LIMIT, PLAIN, PRIMARY, SUCCESS, Button, Extra, Menu, Option, Page, Part
from engines.game import Seat
from engines.marks import capital, with_icon
from engines.tanglewood import moves, preview
from engines.tanglewood.legal.moves import Asking, hops, markers_added
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import more, standing
from engines.tanglewood.pieces.components import DRAW_BAN, REGIONS, SCORING, Region
from engines.tanglewood.preview import TanglewoodPlacementPreview, swings, workers_to_come
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import event_lines, nouns, previews
from engines.tanglewood.words.event_lines import move_name
from engines.words import group_by, join_words, plural
from tables.core.table import Table
from tables.play.play import Perspective

NO_STEP = "none"
ENDS = " · ends your turn"
BEST = "Who moves? Best first"
FINAL = " A choice from the first menu ends your turn."
ON_THE_MAP = (components.Reinforce, components.Evict)
"""The deeds without a choice that change the workers."""
NOTED = "Each line shows how the votes would change if the forest voted now."
CIRCLE = with_icon("tanglewood_circle", "circle")


async def panel(app: App, perspective: Perspective) -> Page:
    draft = await load_draft(app, perspective, drafts.TanglewoodDraft)
    if draft.votes:
        table, view = perspective.table, perspective.view
        counted = f"Each Secret Ballot would add {SCORING.ballot_markers} workers."
        text = f"**If the forest voted now**, without ballots, you'd all get these votes. {counted}"
        text += f"\n{event_lines.votes_table(view, table.names)}"
        return Page([text, [Button("Back", panel_press(table, "home"), PRIMARY)]])
    if perspective.view.phase != "turn":
        return await _choice(app, perspective, draft)
    if draft.region is not None and perspective.view.circles[perspective.me]:
        return await placement_page(app, perspective, draft.region)
    return await _home(app, perspective)


def _votes_button(table: Table) -> Button:
    return Button(with_icon("tanglewood_votes", "Votes now"), panel_press(table, "votes"))


async def _home(app: App, perspective: Perspective) -> Page:
    """Return the page of nine regions, or a draw."""
    table, view, me = perspective.table, perspective.view, perspective.me
    circle, most = view.circles[me], view.most_placeable(me)
    if not circle:
        text = "**Draw markers, because your circle is empty.**"
    elif circle >= DRAW_BAN:
        text = f"**Place markers in a region.** You have {circle} in your {CIRCLE}, so you can't draw."
    else:
        text = (
            f"**Place {_most(min(most, circle))} in a region, or draw markers.** "
            f"You have {circle} in your {CIRCLE}."
        )
    text += f" {last}" if (last := previews.turns_left(view)) else ""
    if circle < most and circle < DRAW_BAN:
        text += " You have few markers, so if you draw, you can also take a step."
    page = Page([text, await app.pictures.special(table, "forest", view)])
    if circle:
        page.parts += _grid(
            table, "region", {region: _region_button(app, view, region) for region in REGIONS}
        )
    page.parts.append(draw_menu(perspective))
    if undo := await assembly.undo_buttons(app, perspective):
        page.parts.append(undo)
    lines = [event_lines.briefly(view), *([capital(nouns.SUPPLY)] if nouns.is_early(view) else [])]
    page.optional = [_votes_button(table)]
    page.optional += [[f"-# {line}."] for line in lines if line]
    return page


def _most(number: int) -> str:
    """Return how many markers can be placed.

    >>> _most(1), _most(3)
    ('1 marker', 'up to 3 markers')
    """
    return f"up to {number} markers" if number > 1 else "1 marker"


def _region_button(app: App, view: TanglewoodView, region: Region) -> str:
    """Return a region's letter with its Tangle's sign, or in words."""
    card = view.tangles[region]
    if card is None:
        return region
    if app.is_text_only:
        return f"{region} {components.effect_of(card).name}"
    return with_icon(nouns.effect_sign(card), region)


def _grid(table: Table, verb: str, labels: dict[Region, str]) -> list[Part]:
    """Return buttons arranged like the regions; those without a label are disabled."""
    rows: list[Part] = []
    for row in range(components.COMPONENTS.board.rows):
        rows.append(
            [
                Button(
                    labels.get(region, region),
                    panel_press(table, verb, region),
                    PRIMARY if region in labels else PLAIN,
                    disabled=region not in labels,
                )
                for region, facts in REGIONS.items()
                if facts.row == row
            ]
        )
    return rows


def draw_menu(perspective: Perspective) -> Part:
    """Return a draw's controls, with a step for a low circle."""
    table, view, me = perspective.table, perspective.view, perspective.me
    label, banned = with_icon("tanglewood_draw", f"Draw {view.draw_value(me)}"), view.circles[me] >= DRAW_BAN
    if view.circles[me] >= view.most_placeable(me):
        return [Button(f"{label}, end turn", panel_press(table, "draw", NO_STEP), disabled=banned)]
    lines = [
        Option(
            capital(nouns.step(view, me, track)),
            track,
            "Ends your turn"
            if preview.ends_turn(view, me, moves.TanglewoodDraw(track))
            else "Then you make a choice",
        )
        for track in components.TRACKS
    ]
    lines.append(Option("No step", NO_STEP, "Ends your turn"))
    return Menu(panel_press(table, "drawn"), f"Draw {view.draw_value(me)} and take a step", lines)


def _end(view: TanglewoodView, me: Seat, move: moves.Move) -> str:
    return ENDS if preview.ends_turn(view, me, move) else ""


async def placement_page(app: App, perspective: Perspective, region: Region) -> Page:
    """Preview the largest placement in a region, with smaller ones."""
    table, view, me = perspective.table, perspective.view, perspective.me
    card = view.tangles[region]
    if card is None:
        return await _home(app, perspective)
    most = min(view.most_placeable(me), view.circles[me])
    ahead = preview.placement_preview(view, me, region, most)
    tracks = components.TANGLES[card].tracks
    if len(tracks) > 1:
        steps = join_words([nouns.a_step(view, me, track) for track in tracks], "or")
        step = f"You take {steps}."
    else:
        step = f"You take {nouns.a_step(view, me, tracks[0])}."
    wild = {
        track: preview.placement_preview(view, me, region, most, track) for track in tracks if len(tracks) > 1
    }
    left = previews.left_in_circle(list(wild.items()) or [("", ahead)])
    left += previews.choice_to_come(wild) if wild else " Then you make a choice." if ahead.asks else ""
    given = group_by(tracks, lambda track: previews.gives(view, me, region, most, table.names, track))
    gives = " ".join(
        text if len(given) == 1 else f"With a {join_words(map(capital, ways), 'or')} step: {text}"
        for text, ways in given.items()
    )
    shown_for = f" (if you place {plural(most, 'marker')})" if most > 1 else ""
    lines = [
        f"**Place {_most(most)} in {nouns.place(region)}.** It pays {nouns.pays_for_places(region)}.",
        step,
        f"Then you use the Tangle **{nouns.effect(card)}**{shown_for}. {gives}",
        f"-# {left}",
    ]
    lines += previews.votes_to_come(view, [ahead, *wild.values()])
    sends = {number: moves.TanglewoodPlace(region, number) for number in range(most, 0, -1)}
    all_end = all(preview.ends_turn(view, me, move) for move in sends.values())
    if all_end:
        lines[3] += " Placing ends your turn."
    page = Page(["\n".join(lines)])
    page.parts.append(await draw_placement(app, perspective, region, ahead))
    page.parts += _placements(perspective, region, most) if len(tracks) > 1 else []
    row = []
    for number, move in sends.items():
        if number == most and len(tracks) > 1:
            continue
        workers = preview.placement_preview(view, me, region, number).workers
        place = f"{nouns.standing_word(standing(workers, me))} with {workers[me]}"
        label = f"Place {number}: {place}{'' if all_end else _end(view, me, move)}"
        row.append(Button(label, panel_press(table, "place", f"{region}{number}"), SUCCESS))
    page.parts.append([*row, Button("Choose again", panel_press(table, "home"))])
    page.optional = [[f"-# {nouns.STANDING}. {capital(nouns.SUPPLY)}."]] if nouns.is_early(view) else []
    return page


def _placements(perspective: Perspective, region: Region, count: int) -> list[Part]:
    """Return buttons that place markers and take a wild step."""
    table, view, me = perspective.table, perspective.view, perspective.me
    card, row = view.tangles[region], list[Button]()
    for track in () if card is None else components.TANGLES[card].tracks:
        ahead = preview.placement_preview(view, me, region, count, track)
        place = f"{nouns.standing_word(standing(ahead.workers, me))} with {ahead.workers[me]}"
        label = f"Place {count}: {place}, {capital(track)} step{'' if ahead.asks else ENDS}"
        row.append(Button(label, panel_press(table, "place", f"{region}{count}{track}"), SUCCESS))
    return [row]


async def draw_placement(
    app: App, perspective: Perspective, region: Region, ahead: TanglewoodPlacementPreview
) -> Shown:
    view, me = perspective.view, perspective.me
    added = {region: ahead.workers[me] - view.workers[region][me]}
    evicted = tuple(moves.PlacedWorker(region, colour) for colour in ahead.evicted)
    return await app.pictures.special(perspective.table, "preview", view, (), added, evicted)


def placement_line(me: Seat, ahead: TanglewoodPlacementPreview) -> str:
    lines = [
        f"you'd be {nouns.standing_word(standing(ahead.workers, me))} here",
        f"you'd have {plural(ahead.circle, 'marker')} left in your circle",
    ]
    gains = [(ahead.votes, "vote"), (ahead.ballots, "ballot")]
    if any(number for number, _ in gains):
        counted = [nouns.count_with_sign(number, what) for number, what in gains if number]
        lines.append(f"you gain {join_words(counted)}")
    if ahead.asks:
        lines.append("then you make a choice")
    return f"{'. '.join(map(capital, lines))}."


async def _choice(app: App, perspective: Perspective, draft: drafts.TanglewoodDraft) -> Page:
    table, view = perspective.table, perspective.view
    asked = drafts.next_question(view, draft.picks)
    lines = [_headline(view) if not asked.picks or view.card is None else _effect_here(view, view.card)]
    if asked.picks and asked.move is None:
        entries = [nouns.pick(made, table.names, *_between(view, asked)) for made in asked.picks]
        lines.append(f"-# Chosen so far: {join_words(entries)}.")
    if asked.move is not None:
        return await _confirm(app, perspective, asked, lines)
    best: list[tuple[tuple[str, ...], moves.Move, list[int]]] = []
    if drafts.is_first_of_several(asked) and perspective.table.suggests:
        best = list(await app.workers.run(drafts.best_choices, perspective.view))
    ends = any(preview.ends_turn(view, perspective.me, move) for _, move, _ in best)
    lines.append(_question(view, asked) + (FINAL if ends else _final(view, asked)))
    page = Page(["\n".join(lines)])
    hand = await app.pictures.hand(perspective) if view.phase in ("ballots", "keep") else None
    page.parts.append(hand or await app.pictures.special(table, "forest", view))
    if best:
        whole = [_choice_line(perspective, "/".join(picks), move, votes) for picks, move, votes in best]
        page.parts.append(Menu(panel_press(table, "whole"), BEST, whole))
    page.parts += _question_answers(perspective, asked)
    again = [Button("Choose again", panel_press(table, "again"))] if asked.picks else []
    page.parts.append([*again, *await assembly.undo_buttons(app, perspective)])
    has_votes = table.suggests and asked.picks and drafts.endings(view, asked.picks)
    noted: list[Extra] = [[f"-# {NOTED}"]] if has_votes else []
    page.optional = [_votes_button(table), *noted]
    return page


async def _confirm(app: App, perspective: Perspective, asked: drafts.Asked, lines: list[str]) -> Page:
    table, view = perspective.table, perspective.view
    assert asked.move is not None
    lines.append(f"You choose to **{describe_choice(asked.move, view, table.names)}**.")
    if view.phase in ("ballots", "keep"):
        lines.append("-# You can't change your choice later.")
    made, brought = hops(asked.move, view.active), markers_added(asked.move)
    pictures, standings = list[Part](), list[Extra]()
    if made or brought:
        me = perspective.me
        workers = workers_to_come(view, me, asked.move)
        standings.append([previews.standings(view, me, workers, table.names)])
        pictures.append(await app.pictures.special(table, "preview", view, made, brought))
    page = Page(["\n".join(lines), *pictures])
    confirm = "Confirm, end turn" if preview.ends_turn(view, perspective.me, asked.move) else "Confirm"
    row = [
        Button(confirm, panel_press(table, "confirm", "/".join(asked.picks)), SUCCESS),
        Button("Choose again", panel_press(table, "again")),
    ]
    page.parts.append([*row, *await assembly.undo_buttons(app, perspective)])
    page.optional = [*standings, _votes_button(table)]
    return page


def describe_choice(move: moves.Move, view: TanglewoodView, names: Sequence[str]) -> str:
    made = hops(move, view.active)
    return f"move {nouns.ways(made, names, view.viewer, 'your')}" if made else move_name(move, view, names)


def _headline(view: TanglewoodView) -> str:
    match view.phase:
        case "ballots":
            workers = f"Each ballot adds {SCORING.ballot_markers} of your workers to its region"
            return f"**Play {SCORING.ballots_played} Secret Ballots.** {workers}."
        case "keep":
            return f"**Keep up to {SCORING.ballots_kept} ballots.** Then you draw ballots until you have 2."
        case "step":
            return f"**Take a step on any track.**{_tangle_to_come(view)}"
        case "benefit" if isinstance(view.owed, components.PlantDeed):
            planting = "**Night Planting:** put a marker from your supply into any region."
            return f"{planting}{_tangle_to_come(view, counted=True)}"
        case "benefit":
            trail = "**False Trail:** move one worker of any colour to an adjacent region."
            return f"{trail}{_tangle_to_come(view, counted=True)}"
        case _ if view.card is not None:
            return f"{_effect_here(view, view.card)}: {components.effect_of(view.card).text}"
        case _:
            return "**Your choice.**"


def _tangle_to_come(view: TanglewoodView, *, counted: bool = False) -> str:
    """Return the Tangle that follows a step; `counted`: say if the shown votes count it."""
    if view.card is None:
        return ""
    votes, deeds = "", components.effect_of(view.card).steps
    if counted and any(isinstance(deed, Asking) for deed in deeds):
        votes = ", but the votes shown don't count it"
    elif counted and any(isinstance(deed, ON_THE_MAP) for deed in deeds):
        votes = ", and the votes shown count it"
    return f" Then you use the {_effect_here(view, view.card)}{votes}."


def _effect_here(view: TanglewoodView, card: components.TangleId) -> str:
    return f"Tangle **{nouns.effect(card)}** in {nouns.place(view.active or '')}"


def _final(view: TanglewoodView, asked: drafts.Asked) -> str:
    """Return a warning for regions that end the turn unconfirmed."""
    if drafts.is_first_of_several(asked) or not all(option in REGIONS for option in asked.options):
        return ""
    picks = [(*asked.picks, option) for option in asked.options]
    sent = [move for pick in picks if (move := drafts.next_question(view, pick).move) is not None]
    regions = (moves.TanglewoodPlant, moves.TanglewoodPlaceAdjacent)
    is_final = any(
        isinstance(move, regions) and preview.ends_turn(view, view.viewer or 0, move) for move in sent
    )
    return " Your choice ends your turn." if is_final else ""


def _question(view: TanglewoodView, asked: drafts.Asked) -> str:
    number = len(asked.picks)
    match view.phase, view.owed:
        case "step", _:
            return "Which track?"
        case "ballots", _:
            return "Which ballots do you play?"
        case "keep", _:
            return "Which ballots do you keep? You discard the others."
        case _, components.NudgeDeed():
            return ("From which region?", "Whose worker goes where?")[number]
        case _, components.Shift(way="in") if number:
            return f"Whose workers move from {join_words(list(asked.picks[0]))}?"
        case _, components.Shift(way="in"):
            return "From which regions?"
        case _, components.Shift(way="out", spread="apart") if number:
            return f"Whose workers move to {join_words(list(asked.picks[0]))}?"
        case _, components.Shift(way="out", spread="apart"):
            return "To which regions?"
        case _, components.Shift(way="out"):
            return ("Whose workers leave?", "Where to?")[number]
        case _, components.Shift():
            if not number:
                return "Which region? Workers move between that region and this one."
            in_pairs = any(drafts.AND in option for option in asked.options)
            which = "Which two workers move" if in_pairs else "Which worker moves"
            return f"{which} between {' and '.join(_between(view, asked))}?"
        case _:
            return "Where?"


def _between(view: TanglewoodView, asked: drafts.Asked) -> tuple[Region, ...]:
    """Return the two regions between which workers are to go."""
    match view.owed:
        case components.Shift(way="both") if asked.picks and view.active is not None:
            return view.active, asked.picks[0]
        case _:
            return ()


def _question_answers(perspective: Perspective, asked: drafts.Asked) -> list[Part]:
    table, view, options = perspective.table, perspective.view, asked.options
    if view.phase == "step":
        me, tracks = perspective.me, [one for option in options for one in components.TRACKS if one == option]
        return [
            [
                Button(
                    capital(nouns.step(view, me, track)) + _end(view, me, moves.TanglewoodStep(track)),
                    panel_press(table, "pick", track),
                    PRIMARY,
                )
                for track in tracks
            ]
        ]
    if view.phase in ("ballots", "keep"):
        return _ballots(perspective)
    if all(option in REGIONS for option in options) and drafts.is_first_of_several(asked):
        title = _question(view, asked).partition("?")[0] + "?"
        lines = [_region_line(perspective, region) for region in options]
        return [Menu(panel_press(table, "chosen", "0"), title, lines)]
    if all(option in REGIONS for option in options):
        labels = {option: _region_label(perspective, asked, option) for option in options}
        if len(labels) > assembly.BUTTONS_PER_ROW:
            return _grid(table, "pick", labels)
        return [[Button(label, panel_press(table, "pick", one), PRIMARY) for one, label in labels.items()]]
    if all(option[0] in REGIONS for option in options):
        number, places = len(options[0]), [one for one in REGIONS if any(one in option for option in options)]
        lines = [_region_line(perspective, region) for region in places]
        return [Menu(panel_press(table, "chosen"), f"Which {number} regions?", lines, number, number)]
    # The number keeps a second menu apart from the first one, whose choice it would show.
    pressed = panel_press(table, "chosen", str(len(asked.picks)))
    if asked.picks and (result := drafts.endings(view, asked.picks)):
        title = BEST if table.suggests else "Who goes where?"
        parts: list[Part] = [Menu(pressed, title, _with_votes(perspective, result))]
        if len(result) > MENU_LIMIT:
            any_two = panel_press(table, "chosen", "two")
            parts.append(Menu(any_two, "Any 2: which workers?", _crossers(perspective, asked), 2, 2))
        return parts
    if all(len(option) == 1 for option in options):
        return [
            [
                Button(_option_label(perspective, option), panel_press(table, "pick", option), PRIMARY)
                for option in options
            ]
        ]
    title = _question(view, asked).partition("?")[0] + "?"
    return [Menu(pressed, title, [Option(_option_label(perspective, one), one) for one in options])]


def _crossers(perspective: Perspective, asked: drafts.Asked) -> list[Option]:
    """Return the workers' lines; two alike get two lines."""
    between = _between(perspective.view, asked)
    alike: Counter[str] = Counter()
    for option in asked.options:
        alike |= Counter(option.split(drafts.AND))
    return [
        Option(
            _option_label(perspective, one, *between) + (", a second one" if copy > 1 else ""),
            f"{one}{drafts.COPY}{copy}",
        )
        for one, number in alike.items()
        for copy in range(1, number + 1)
    ]


def _with_votes(perspective: Perspective, result: Mapping[str, moves.Move]) -> list[Option]:
    """Return the choices with the most votes, by their answers.

    In a puzzle their order and their lines say nothing of votes.
    """
    view, me, names = perspective.view, perspective.me, perspective.table.names
    if not perspective.table.suggests:
        return [
            Option(capital(move_name(move, view, names)), option)
            for option, move in list(result.items())[:MENU_LIMIT]
        ]
    changes = {option: swings(view, workers_to_come(view, me, move)) for option, move in result.items()}
    best = sorted(result, key=lambda option: (-changes[option][me], sum(changes[option])))
    return [
        _choice_line(perspective, option, result[option], changes[option]) for option in best[:MENU_LIMIT]
    ]


def _choice_line(perspective: Perspective, option: str, move: moves.Move, votes: Sequence[int]) -> Option:
    names, view = perspective.table.names, perspective.view
    change = previews.describe_swings(votes, perspective.me, names) or "no change in votes"
    return Option(capital(move_name(move, view, names)), option, capital(change))


def _region_label(perspective: Perspective, asked: drafts.Asked, region: Region) -> str:
    """Return a region; with only a marker, with the new standing."""
    view, me = perspective.view, perspective.me
    move = drafts.next_question(view, (*asked.picks, region)).move
    if not isinstance(move, moves.TanglewoodPlant | moves.TanglewoodPlaceAdjacent):
        return region
    return f"{region}: {nouns.standing_word(standing(more(view.workers[region], me, 1), me))}"


def _option_label(perspective: Perspective, option: str, *between: Region) -> str:
    return capital(nouns.pick(option, perspective.table.names, *between))


def _region_line(perspective: Perspective, region: Region) -> Option:
    view, names = perspective.view, perspective.table.names
    lines = [
        f"{nouns.colour(colour, names)} {view.count(region, colour)}"
        for colour in view.colours
        if view.count(region, colour)
    ]
    return Option(nouns.place(region), region, ", ".join(lines) or "nobody")


def _ballots(perspective: Perspective) -> list[Part]:
    """Return the hand's ballots, at most two usable a region."""
    table, view, me = perspective.table, perspective.view, perspective.me
    keeping = view.phase == "keep"
    held = Counter(view.hands[me] or ())
    lines = [
        Option(
            nouns.ballot(region) if copy == 1 else f"{nouns.ballot(region)}, second ballot",
            f"{region}{copy}",
            _ballot_line(view, me, region, number, copy),
        )
        for region, number in sorted(held.items())
        for copy in range(1, min(number, SCORING.ballots_played) + 1)
    ]
    most = min(SCORING.ballots_kept if keeping else SCORING.ballots_played, len(lines))
    menu = Menu(
        panel_press(table, "chosen"),
        "Which do you keep?" if keeping else f"Which {most} do you play?",
        lines,
        1 if keeping else most,
        most,
    )
    return [menu, [Button("Keep none", panel_press(table, "pick", ""))]] if keeping else [menu]


def _ballot_line(view: TanglewoodView, me: Seat, region: Region, held: int, copy: int) -> str:
    """Return a ballot's effect (or a second one's), and its payment."""
    workers = view.workers[region]
    stands = standing(workers, me)
    now = "" if stands is None else nouns.standing_word(stands)
    then = nouns.standing_word(standing(more(workers, me, copy * SCORING.ballot_markers), me))
    both, s = ("both ", "") if copy > 1 else ("", "s")
    places = f"take{s} you from {now} to {then}" if stands is not None else f"put{s} you {then}"
    effect = capital(f"{both}{f'keep{s} you {now}' if now == then else places}")
    several = f" You hold {held}." if held > 1 else ""
    return f"{effect} for now.{several} Pays {nouns.pays(region)}"
