"""A turn tried again, and a sandbox to play on from it."""

from discord.ext import commands

from cogs.core import lookup, story, words
from cogs.core.app import App, app_of, name_of
from cogs.core.presenter import presenter
from cogs.play.assembly import on_study_panel, undo_buttons
from cogs.play.panel import at_the_end, show_study
from cogs.review.turning_points import most_important
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import NOT_OURS, Press, on_press
from cogs.ui.text import Interaction
from engines.marks import capital, quote_player
from tables.core.table import Occupant, Phase, Refused, Study, StudyKind, Table
from tables.play.play import Perspective
from tables.study import reviews, studies

NOTHING_COUNTS = "-# Only you see this, and nothing counts. I've reshuffled what you couldn't see."
SAME_CHOICE = "That's what I'd do, too."
AS_GOOD = "Your turn is as good as mine."
NOT_THERE = "-# I can't compare this turn: it depends on what you couldn't see, and I've reshuffled that."
TOO_LONG = "I couldn't compare this in time. Open the turn again later."


def sandbox_title(turn: int, *, is_new: bool, playing: str = "") -> str:
    """Return the line above a sandbox. With all sides, `playing` is the quoted name of the player to move."""
    where = f"after turn {turn}" if turn else "from the deal"
    whose = f" You're playing **{playing}** now." if playing else ""
    if not is_new:
        return f"-# 🧪 Sandbox {where}.{whose}"
    return f"🧪 **Sandbox** {where}. I keep it for a day.{whose}\n{NOTHING_COUNTS}"


def value(table: Table, review: reviews.TurnReview, number: float | None) -> str:
    """Format what a position is worth. For example "60%", "3 points ahead", or "unknown"."""
    if number is None:
        return "unknown"
    if review.is_chance:
        return f"{round(100 * number)}%"
    one, many = presenter(table).estimated
    size = f"{abs(number):.1f}".removesuffix(".0")
    text = f"{size} {one if size == '1' else many}"
    if len(table.seats) == 1 or table.game.is_team_game(table.options):
        return f"−{text}" if number < 0 else text
    return f"{text} {'behind' if number < 0 else 'ahead'}"


def choices(table: Table, line: reviews.TurnLine) -> str:
    """Name the moves of a turn, as a hint does. What is forced isn't named."""
    return capital("; ".join(words.name_choices(table, line.choices)) or "nothing") + "."


def verdict(table: Table, review: reviews.TurnReview) -> str:
    own, what = value(table, review, review.own.value), "Your chance of winning is now"
    if not review.is_chance:
        what = "My estimate for you is"
    others, first = [], f"{what} **{own}**."
    if review.own.is_same_as(review.played):
        first = f"{first} In the game, you played the same."
    elif review.is_possible:
        others.append(f"{value(table, review, review.played.value)} with the turn you played then")
    if not review.own.is_same_as(review.best):
        if is_as_good(table, review):
            first = f"{first} {AS_GOOD}"
        else:
            others.append(f"{value(table, review, review.best.value)} with my turn")
    return first if not others else f"{first} It would be {' and '.join(others)}."


def is_as_good(table: Table, review: reviews.TurnReview) -> bool:
    """Return True if a try is worth the computer's choice."""
    own, best = review.own.value, review.best.value
    if own is None or best is None:
        return False
    return own >= best or value(table, review, own) == value(table, review, best)


def expectation(table: Table, review: reviews.TurnReview) -> str:
    if review.reply is None or not (named := words.name_expected(table, review.reply)):
        return ""
    seat = review.reply.seat
    if table.study is not None and seat == table.study.seat:
        return f"I'd go on like this: {named}."
    return f"I expect {quote_player(table.names, seat)} to {named}."


COMPUTERS, ALL_SIDES = "computers", "all"
"""The players of the other sides, in a press's argument."""
ASK = (
    f"🧪 **Sandbox**: play on after this turn, as often as you like. Who plays the others?\n{NOTHING_COUNTS}"
)


@on_press("study", "sandbox")
async def on_sandbox(interaction: Interaction, press: Press) -> None:
    """Ask who plays the other sides; alone, there is nothing to ask."""
    _, perspective = await lookup.asker_perspective(interaction, press.table)
    turn = press.number
    if len(perspective.table.seats) == 1:
        return await _open(interaction, press.table, turn, ALL_SIDES)
    sandbox = await app_of(interaction).parlour.studies.find_sandbox(press.table, turn, interaction.user.id)
    row = [
        Button("Computers", _press(press.table, turn, COMPUTERS), PRIMARY),
        Button("I play all sides", _press(press.table, turn, ALL_SIDES)),
    ]
    await reply(interaction, Page(["\n".join([ASK, *_open_lines(sandbox)]), row]))


def _open_lines(sandbox: studies.OpenSandbox | None) -> list[str]:
    if sandbox is None:
        return []
    study = sandbox.table.study
    if sandbox.is_from_turn:
        same, other = (
            ("I play all sides", "Computers") if sandbox.all_sides else ("Computers", "I play all sides")
        )
        return [f"-# **{same}** goes on with your sandbox. **{other}** replaces it."]
    begun = "" if study is None else f", which began after turn {study.turn} of table {study.table}"
    return [f"-# This replaces your sandbox{begun}."]


@on_press("study", "open", "anew")
async def on_open(interaction: Interaction, press: Press) -> None:
    number, _, sides = press.arg.partition(".")
    if not number.isdecimal() or len(number) > 6 or sides not in (COMPUTERS, ALL_SIDES):
        raise Refused(NOT_OURS)
    await _open(interaction, press.table, int(number), sides, anew=press.verb == "anew", edit=True)


async def _open(
    interaction: Interaction, source_id: int, turn: int, sides: str, *, anew: bool = False, edit: bool = False
) -> None:
    app, user = app_of(interaction), interaction.user
    await lookup.asker_perspective(interaction, source_id)
    person = Occupant(name_of(user), user.id)
    table = await app.parlour.studies.play_on(
        source_id, turn, person, all_sides=sides == ALL_SIDES, anew=anew
    )
    await show_study(interaction, table, StudyKind.SANDBOX, edit=edit)


@on_study_panel
async def add_sandbox_heading(app: App, perspective: Perspective, page: Page) -> None:
    table, study = perspective.table, perspective.table.study
    if study is None or study.kind is not StudyKind.SANDBOX:
        return
    is_alone = len(table.seats) == 1 or _sides(table, study) != ALL_SIDES
    playing = "" if is_alone else quote_player(table.names, perspective.me)
    page.parts.insert(0, sandbox_title(study.turn, is_new=table.version == 1, playing=playing))
    page.optional += _ways(study.table, study.turn, _sides(table, study))


def _ways(source_id: int, turn: int, sides: str) -> list[Button]:
    see = Button("Back to the game", Press("record", "turn", source_id, 0, str(turn)))
    return [Button("Start over", _press(source_id, turn, sides, "anew")), see]


def _press(source_id: int, turn: int, sides: str, verb: str = "open") -> Press:
    return Press("study", verb, source_id, 0, f"{turn}.{sides}")


@at_the_end
async def sandbox_over_page(app: App, perspective: Perspective) -> Page | None:
    table, study = perspective.table, perspective.table.study
    if study is None or study.kind is not StudyKind.SANDBOX or table.phase is Phase.PLAY:
        return None
    result = presenter(table).words.result(perspective.view, table.names)
    board = await app.pictures.board(table, perspective.view)
    ways = [*await undo_buttons(app, perspective), *_ways(study.table, study.turn, _sides(table, study))]
    return Page([f"🧪 **{result}**", ways, board])


def _sides(table: Table, study: Study) -> str:
    owner = table.seats[study.seat].user_id
    return ALL_SIDES if all(one.user_id == owner for one in table.seats) else COMPUTERS


async def setup(_bot: commands.Bot) -> None:
    """Load this room: its presses are registered by its import."""


@on_press("study", "turn")
async def on_try_again(interaction: Interaction, press: Press) -> None:
    app, user = app_of(interaction), interaction.user
    await lookup.asker_perspective(interaction, press.table)
    person = Occupant(name_of(user), user.id)
    table = await app.parlour.studies.try_again(press.table, press.number, person)
    await show_study(interaction, table, StudyKind.TURN, edit=press.moment == 1)


@on_study_panel
async def add_turn_heading(app: App, perspective: Perspective, page: Page) -> None:
    table, study = perspective.table, perspective.table.study
    if study is not None and study.kind is StudyKind.TURN:
        page.parts.insert(
            0,
            (
                f"🔁 **Turn {study.turn} again.** What would you do now?\n{NOTHING_COUNTS}"
                if table.version == 1
                else f"-# 🔁 Turn {study.turn} again"
            ),
        )


@at_the_end
async def turn_over_page(app: App, perspective: Perspective) -> Page | None:
    """Return the verdict on a finished try, else None."""
    table, study = perspective.table, perspective.table.study
    if study is None or not reviews.is_turn_over(table):
        return None
    again = Button("Once more", Press("study", "turn", study.table, 1, str(study.turn)), PRIMARY)
    see = Button(f"See turn {study.turn}", Press("record", "turn", study.table, 0, str(study.turn)))
    row = [*await undo_buttons(app, perspective), again, see]
    try:
        review = await app.parlour.studies.reviews.review(table)
    except reviews.FAILURES:
        board = await app.pictures.board(table, perspective.view)
        return Page([f"🔁 **Turn {study.turn} again**\n{TOO_LONG}", row, board])
    lines = [f"🔁 **Turn {study.turn} again**", verdict(table, review)]
    if review.own.is_same_as(review.best):
        lines.append(SAME_CHOICE)
    lines.append(expectation(table, review))
    result = []
    if not review.is_possible:
        then = review.played
        told = most_important(story.whole_turn(table, then.before, then.view, then.rows, study.seat))
        result += [f"**In the game, you played**: {' '.join(told)}", NOT_THERE]
    elif not review.own.is_same_as(review.played):
        result.append(f"**In the game, you played**: {choices(table, review.played)}")
    if not review.own.is_same_as(review.best):
        result.append(f"**I'd play**: {choices(table, review.best)}")
    lines += result
    board = await app.pictures.board(table, review.own.view)
    return Page(["\n".join(filter(None, lines)), row, board])
