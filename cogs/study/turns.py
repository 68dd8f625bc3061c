"""A turn tried again: its panel, and what the strong computer thinks of the try."""

from discord.ext import commands

from cogs.core.app import App, app_of, name_of
from cogs.core.lookup import asker_perspective
from cogs.core.story import whole_turn
from cogs.play.assembly import on_study_panel, undo_buttons
from cogs.play.panel import at_the_end, show_study
from cogs.review.turning_points import most_important
from cogs.study import words
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import Press, on_press
from tables.core.table import Occupant, Study, StudyKind, Table
from tables.play.play import Perspective
from tables.study.positions import is_turn_over
from tables.study.reviews import FAILURES, TurnLine, TurnReview


@on_press("study", "turn")
async def on_try_again(interaction: Interaction, press: Press) -> None:
    """Open one of the asker's turns once more."""
    app, user = app_of(interaction), interaction.user
    await asker_perspective(interaction, press.table)
    person = Occupant(name_of(user), user.id)
    table = await app.parlour.studies.try_again(press.table, press.number, person)
    await show_study(interaction, table, StudyKind.TURN, edit=press.moment == 1)


@on_study_panel
async def add_turn_heading(app: App, perspective: Perspective, page: Page) -> None:
    """Say above a panel which turn is tried again."""
    table, study = perspective.table, perspective.table.study
    if study is not None and study.kind is StudyKind.TURN:
        page.parts.insert(0, words.turn_title(study.turn, is_new=table.version == 1))


@at_the_end
async def turn_over_page(app: App, perspective: Perspective) -> Page | None:
    """Return the verdict on a finished try, else None."""
    table, study = perspective.table, perspective.table.study
    if study is None or not is_turn_over(table):
        return None
    again = Button("Once more", Press("study", "turn", study.table, 1, str(study.turn)), PRIMARY)
    see = Button(f"See turn {study.turn}", Press("record", "turn", study.table, 0, str(study.turn)))
    row = [*await undo_buttons(app, perspective), again, see]
    try:
        review = await app.parlour.studies.reviews.review(table)
    except FAILURES:
        board = await app.pictures.board(table, perspective.view)
        return Page([f"🔁 **Turn {study.turn} again**\n{words.TOO_LONG}", row, board])
    lines = [f"🔁 **Turn {study.turn} again**", words.verdict(table, review)]
    if review.own.is_same_as(review.best):
        lines.append(words.SAME_CHOICE)
    lines.append(words.expectation(table, review))
    lines += _comparison(table, review, study)
    board = await app.pictures.board(table, review.own.view)
    return Page(["\n".join(filter(None, lines)), row, board])


def _comparison(table: Table, review: TurnReview, study: Study) -> list[str]:
    """Return what was played then, and the computer's own choice."""
    result = []
    if not review.is_possible:
        result += [f"**You played then**: {' '.join(_lines(table, review.played, study))}", words.NOT_THERE]
    elif not review.own.is_same_as(review.played):
        result.append(f"**You played then**: {words.choices(table, review.played)}")
    if not review.own.is_same_as(review.best):
        result.append(f"**I'd play**: {words.choices(table, review.best)}")
    return result


def _lines(table: Table, line: TurnLine, study: Study) -> list[str]:
    return most_important(whole_turn(table, line.before, line.view, line.rows, study.seat))


async def setup(_bot: commands.Bot) -> None:
    """Load this room: its presses are registered by its import."""
