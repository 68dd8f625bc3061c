"""`/puzzle`: a position from a game between computers, to be solved in the game's own panel."""

from discord import app_commands
from discord.ext import commands

from cogs.core.app import App, app_of, name_of
from cogs.core.lookup import asker_perspective, offer_games, read_game
from cogs.core.presenter import presenter
from cogs.play import assembly, panel
from cogs.ui.form import reply
from cogs.ui.page import PRIMARY, Button, Extra, Page
from cogs.ui.press import NOT_OURS, Press, on_press, slug_of
from cogs.ui.text import Interaction, Line, anywhere
from engines import marks, words
from engines.analysis.puzzle_making import PuzzleEntry
from engines.analysis.puzzles import PuzzleStep
from engines.registry import game, move_names
from tables.clocks.pace import read_day
from tables.core.table import Occupant, Refused, StudyKind, Table
from tables.play.play import Perspective
from tables.puzzles import PuzzleProgress, PuzzleResult, points_of

SIGN = "🧩"
SOLVED_YESTERDAY = "You solved a puzzle yesterday."
NOTHING_YET = "You haven't tried a puzzle yet. `/puzzle` opens one."
DIFFICULTIES = {"easy": "", "medium": "medium", "strong": "hard"}
"""An easy find for a computer that searches says nothing about people."""
TOUGHEST = "very hard"
COUNTS = "-# Your first try counts for your rating."
COUNTS_NOT = "This try doesn't count, because it isn't your first."
HINT_ASKED = "Show the first step? Solving the puzzle then earns about a third as much."
SOLUTION_COSTS = "Show the solution? This is your first try at this puzzle, so it counts as a miss."


def difficulty(entry: PuzzleEntry | None) -> str:
    """Name a puzzle's difficulty by the weakest computer that finds it.

    >>> from engines.game import Strength
    >>> [difficulty(PuzzleEntry("a", Strength.STRONG, is_found)) for is_found in (True, False)]
    ['hard', 'very hard']
    """
    if entry is None or not entry.is_found:
        return TOUGHEST
    return DIFFICULTIES.get(entry.difficulty, TOUGHEST)


def puzzle_heading(title: str, task: str, level: str, *, is_new: bool) -> str:
    """Return the line above a puzzle's panel, whole on the first one.

    >>> puzzle_heading("Tangle", "Win this turn.", "hard", is_new=True)
    '🧩 **Tangle puzzle** (hard): **Win this turn.**'
    """
    if not is_new:
        return f"{SIGN} {task}"
    return f"{SIGN} **{title} puzzle**{f' ({level})' if level else ''}: **{task}**"


def verdict(result: PuzzleResult, miss: str = "") -> str:
    """Return what a finished try lacks, and what it was worth."""
    head = f"{SIGN} **Solved!**" if result.is_solved else f"{SIGN} **Not quite.** {miss}"
    if not result.is_first:
        return f"{head.rstrip()} {COUNTS_NOT}"
    sign = "+" if result.change >= 0 else "−"
    return f"{head} Your rating: **{result.rating}** ({sign}{abs(result.change)})."


def progress(known: PuzzleProgress) -> list[str]:
    lines = []
    for row in known.players:
        solved = f"{row.solved} of {words.plural(row.tried, 'puzzle')} solved at the first try"
        if hinted := known.hinted.get(row.game, 0):
            solved += ", with a hint" if row.solved == 1 else f", {hinted} of them with a hint"
        lines.append(f"{game(row.game).title}: **{points_of(row)}**, {solved}")
    if known.streak == 1:
        lines.append("You've solved a puzzle today." if known.has_solved_today else SOLVED_YESTERDAY)
    elif known.streak:
        lines.append(f"You've solved a puzzle on {known.streak} days in a row.")
    return lines or [NOTHING_YET]


class PuzzleCommand(commands.Cog):
    """The `/puzzle` command, which needs no server."""

    @anywhere
    @app_commands.command(description="Solve a puzzle from a game between computers")
    @app_commands.describe(game="Which game. Leave it out to go on with your open puzzle")
    @app_commands.autocomplete(game=offer_games)
    async def puzzle(self, interaction: Interaction, game: Line | None = None) -> None:
        await _open(interaction, None if game is None else read_game(game))


async def _open(interaction: Interaction, slug: str | None, *, edit: bool = False) -> None:
    table = await app_of(interaction).parlour.puzzles.open(_asker(interaction), slug)
    await panel.show_study(interaction, table, StudyKind.PUZZLE, edit=edit)


def _asker(interaction: Interaction) -> Occupant:
    return Occupant(name_of(interaction.user), interaction.user.id)


@assembly.on_study_panel
async def add_task(app: App, perspective: Perspective, page: Page) -> None:
    table = perspective.table
    if not _is_puzzle(table):
        return
    puzzles, is_new = app.parlour.puzzles, table.version == 1
    text = await puzzles.describe(table, perspective.view)
    level = difficulty(await puzzles.difficulty(table))
    heading = puzzle_heading(table.game.title, text.task, level, is_new=is_new)
    given = "\n".join(f"-# {line}" for line in text.given.splitlines())
    user_id = table.seats[perspective.me].user_id or 0
    if not await puzzles.has_tried(table, user_id):
        heading += f"\n{COUNTS}"
    page.parts.insert(0, f"{heading}\n{given}" if is_new else heading)
    later: list[Extra] = [] if is_new else [[given]]
    page.optional[:0] = [
        *later,
        Button("Hint", Press("puzzle", "hint", table.id), emoji="💡"),
        Button("Solution", Press("puzzle", "ask", table.id)),
        Button("Rules", Press("rules", "open", 0, 0, table.slug)),
    ]


def _is_puzzle(table: Table) -> bool:
    return table.study is not None and table.study.kind is StudyKind.PUZZLE


@panel.at_the_end
async def puzzle_over_page(app: App, perspective: Perspective) -> Page | None:
    table = perspective.table
    if not _is_puzzle(table):
        return None
    user_id = table.seats[perspective.me].user_id or 0
    result = await app.parlour.puzzles.settle(table, user_id)
    if result is None:
        return None
    if result.is_solved:
        reason, _ = await app.parlour.puzzles.explain(table)
        lines = [verdict(result), reason]
    else:
        lines = [verdict(result, await app.parlour.puzzles.describe_miss(table))]
    board = await app.pictures.board(table, perspective.view)
    ways = [*await assembly.undo_buttons(app, perspective), *_ways(table, is_solved=result.is_solved)]
    return Page(["\n".join(lines), ways, board])


def _ways(table: Table, *, is_solved: bool, knows_solution: bool = False) -> list[Button]:
    following = Button("Next puzzle", Press("puzzle", "next", 0, 0, table.slug), PRIMARY)
    mine = Button("My puzzles", Press("puzzle", "mine"))
    if is_solved:
        return [following, mine]
    again = Button("Try again", Press("puzzle", "again", table.id))
    solution = [] if knows_solution else [Button("Solution", Press("puzzle", "solution", table.id))]
    return [again, *solution, following, mine]


@on_press("puzzle", "next")
async def on_next(interaction: Interaction, press: Press) -> None:
    await _open(interaction, slug_of(press.arg), edit=True)


@on_press("puzzle", "day")
async def on_puzzle_of_day(interaction: Interaction, press: Press) -> None:
    """Open a day's puzzle, the same for everybody."""
    text, _, slug = press.arg.partition(".")
    parlour, day = app_of(interaction).parlour, read_day(text)
    if day is None or day > parlour.puzzles.today:
        raise Refused(NOT_OURS)
    table = await parlour.puzzles.open_of_day(_asker(interaction), slug_of(slug), day)
    await panel.show_study(interaction, table, StudyKind.PUZZLE, edit=False)


@on_press("puzzle", "again")
async def on_again(interaction: Interaction, press: Press) -> None:
    """Begin the same puzzle once more; that doesn't count."""
    table = await _own_puzzle(interaction, press)
    again = await app_of(interaction).parlour.puzzles.open_again(table, _asker(interaction))
    await panel.show_study(interaction, again, StudyKind.PUZZLE, edit=True)


@on_press("puzzle", "hint")
async def on_hint(interaction: Interaction, press: Press) -> None:
    """Ask before showing the hint, unless it costs nothing."""
    table = await _own_puzzle(interaction, press)
    if await app_of(interaction).parlour.puzzles.is_hint_free(table, interaction.user.id):
        return await on_show_hint(interaction, press)
    row = [Button("Show the hint", Press("puzzle", "show_hint", table.id)), _back(table)]
    await reply(interaction, Page([HINT_ASKED, row]), edit=True)


@on_press("puzzle", "show_hint")
async def on_show_hint(interaction: Interaction, press: Press) -> None:
    """Show the solution's first step; the puzzle then counts less."""
    table = await _own_puzzle(interaction, press)
    puzzles = app_of(interaction).parlour.puzzles
    await puzzles.note_hint(table, interaction.user.id)
    _, steps = await puzzles.explain(table)
    first = _name_step(table, steps[0])
    await reply(interaction, Page([f"💡 Begin like this: {first}.", [_back(table)]]), edit=True)


def _name_step(table: Table, step: PuzzleStep) -> str:
    return marks.capital(move_names(table.slug).move_name(step.move, step.before, table.names))


def _back(table: Table) -> Button:
    return Button("Back", Press("table", "turn", table.id, table.version))


@on_press("puzzle", "ask")
async def on_ask(interaction: Interaction, press: Press) -> None:
    """Ask before showing the solution, unless it costs nothing."""
    table = await _own_puzzle(interaction, press)
    if await app_of(interaction).parlour.puzzles.has_tried(table, interaction.user.id):
        return await on_solution(interaction, press)
    row = [Button("Show the solution", Press("puzzle", "solution", table.id)), _back(table)]
    await reply(interaction, Page([SOLUTION_COSTS, row]), edit=True)


@on_press("puzzle", "solution")
async def on_solution(interaction: Interaction, press: Press) -> None:
    """Show the solution; without a try, that is a miss."""
    table = await _own_puzzle(interaction, press)
    app = app_of(interaction)
    await app.parlour.puzzles.keep_try(table, interaction.user.id, solved=False)
    reason, steps = await app.parlour.puzzles.explain(table)
    ends, lines = presenter(table).ends, [f"{SIGN} **{await app.parlour.puzzles.task(table)}**"]
    # Forced steps are left out, unless they end a turn.
    chosen = [one for one in steps if not one.is_forced or any(isinstance(it, ends) for it in one.events)]
    lines += [f"{number}. {_name_step(table, step)}" for number, step in enumerate(chosen, start=1)]
    lines += ["", reason]
    board = await app.pictures.board(table, steps[-1].after)
    ways = _ways(table, is_solved=False, knows_solution=True)
    await reply(interaction, Page(["\n".join(lines), ways, board]), edit=True)


@on_press("puzzle", "mine")
async def on_mine(interaction: Interaction, press: Press) -> None:
    known = await app_of(interaction).parlour.puzzles.progress(interaction.user.id)
    await reply(interaction, Page(["\n".join([f"{SIGN} **Your puzzles**", *progress(known)])]))


async def _own_puzzle(interaction: Interaction, press: Press) -> Table:
    _, perspective = await asker_perspective(interaction, press.table)
    if not _is_puzzle(perspective.table):
        raise Refused(NOT_OURS)
    return perspective.table


async def setup(bot: commands.Bot) -> None:
    await bot.add_cog(PuzzleCommand())
