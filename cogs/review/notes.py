"""A person's private note about a table: the form, and the line that shows it."""

from cogs.core.app import App, app_of
from cogs.ui.answering import say
from cogs.ui.form import Field, InputForm, Typed, ask
from cogs.ui.interaction import Interaction
from cogs.ui.press import Press, on_press
from engines.names import quote
from tables.play.play import Perspective
from tables.review.notes import LONGEST

KEPT = "📝 I've saved your note about table {table}. Only you can see it, in your panel and under `/mine`."
GONE = "Your note about table {table} is gone."


def line(note: str) -> str:
    r"""Return a note as one small line, without formatting.

    >>> from engines.names import unquote
    >>> unquote(line("beware\n# of Bo"))
    '-# 📝 beware · # of Bo'
    """
    text = " · ".join(part.strip() for part in note.splitlines() if part.strip())
    return f"-# 📝 {quote(text)}"


async def note_of(app: App, perspective: Perspective) -> str | None:
    """Return the viewer's note about the table; None without one."""
    user_id = None if perspective.seat is None else perspective.table.seats[perspective.seat].user_id
    if user_id is None:
        return None
    note = (await app.parlour.notes.of(user_id, [perspective.table.id])).get(perspective.table.id)
    return None if note is None else line(note)


async def write(interaction: Interaction, table_id: int, text: str) -> None:
    kept = await app_of(interaction).parlour.notes.write(table_id, interaction.user.id, text)
    await say(interaction, (KEPT if kept else GONE).format(table=table_id))


@on_press("table", "note")
async def form(interaction: Interaction, press: Press) -> None:
    parlour = app_of(interaction).parlour
    await parlour.table(press.table)
    note = (await parlour.notes.of(interaction.user.id, [press.table])).get(press.table, "")
    help_line = "Only you can see this note. To delete it, empty the box and send."
    field = Field("note", "Your note", help_line, note, longest=LONGEST, tall=True)

    async def on_filled(answer: Interaction, typed: Typed) -> None:
        await write(answer, press.table, typed["note"])

    await ask(interaction, InputForm(f"Note about table {press.table}", [field], on_filled))
