"""A sandbox: play on from a turn, against computers or for all sides, and forget it."""

from discord.ext import commands

from cogs.core.app import App, app_of, name_of
from cogs.core.lookup import asker_perspective
from cogs.core.presenter import presenter
from cogs.play.assembly import on_study_panel, undo_buttons
from cogs.play.panel import at_the_end, show_study
from cogs.study import words
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Page
from cogs.ui.press import NOT_OURS, Press, on_press
from cogs.ui.reply import reply
from engines.names import quote_player
from tables.core.table import Occupant, Phase, Refused, Study, StudyKind, Table
from tables.play.play import Perspective
from tables.study.studies import OpenSandbox

COMPUTERS, ALL_SIDES = "computers", "all"
"""The players of the other sides, in a press's argument."""
ASK = (
    "🧪 **Sandbox**: play on after this turn, as often as you like. Who plays the others?\n"
    f"{words.NOTHING_COUNTS}"
)


@on_press("study", "sandbox")
async def on_sandbox(interaction: Interaction, press: Press) -> None:
    """Ask who plays the other sides; alone, there is nothing to ask."""
    _, perspective = await asker_perspective(interaction, press.table)
    turn = press.number
    if len(perspective.table.seats) == 1:
        return await _open(interaction, press.table, turn, ALL_SIDES)
    sandbox = await app_of(interaction).parlour.studies.find_sandbox(press.table, turn, interaction.user.id)
    row = [
        Button("Computers", _press(press.table, turn, COMPUTERS), PRIMARY),
        Button("I play all sides", _press(press.table, turn, ALL_SIDES)),
    ]
    await reply(interaction, Page(["\n".join([ASK, *_open_lines(sandbox)]), row]))


def _open_lines(sandbox: OpenSandbox | None) -> list[str]:
    if sandbox is None:
        return []
    study = sandbox.table.study
    if sandbox.is_from_turn:
        same, other = (
            ("I play all sides", "Computers") if sandbox.all_sides else ("Computers", "I play all sides")
        )
        return [f"-# **{same}** goes on with the sandbox that you have. **{other}** replaces it."]
    after = "" if study is None else f", after turn {study.turn} of table {study.table}"
    return [f"-# This replaces the sandbox that you have{after}."]


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
    await asker_perspective(interaction, source_id)
    person = Occupant(name_of(user), user.id)
    table = await app.parlour.studies.play_on(
        source_id, turn, person, all_sides=sides == ALL_SIDES, anew=anew
    )
    await show_study(interaction, table, StudyKind.SANDBOX, edit=edit)


@on_study_panel
async def add_sandbox_heading(app: App, perspective: Perspective, page: Page) -> None:
    """Add a sandbox's heading and its ways out to a panel."""
    table, study = perspective.table, perspective.table.study
    if study is None or study.kind is not StudyKind.SANDBOX:
        return
    is_alone = len(table.seats) == 1 or _sides(table, study) != ALL_SIDES
    playing = "" if is_alone else quote_player(table.names, perspective.me)
    page.parts.insert(0, words.sandbox_title(study.turn, is_new=table.version == 1, playing=playing))
    page.optional += _ways(study.table, study.turn, _sides(table, study))


def _ways(source_id: int, turn: int, sides: str) -> list[Button]:
    see = Button("Back to the game", Press("record", "turn", source_id, 0, str(turn)))
    return [Button("Start over", _press(source_id, turn, sides, "anew")), see]


def _press(source_id: int, turn: int, sides: str, verb: str = "open") -> Press:
    return Press("study", verb, source_id, 0, f"{turn}.{sides}")


@at_the_end
async def sandbox_over_page(app: App, perspective: Perspective) -> Page | None:
    """Return the end of a sandbox's game; None before it."""
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
