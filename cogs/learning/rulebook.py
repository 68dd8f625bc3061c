"""The rules of any game, page by page."""

from cogs.core.app import app_of
from cogs.core.presenter import presenter_of
from cogs.core.rulebook import page_number
from cogs.ui.interaction import Interaction
from cogs.ui.page import PRIMARY, Button, Menu, Option, Page
from cogs.ui.press import Press, number_of, on_press, slug_of
from cogs.ui.reply import reply
from engines.registry import games


@on_press("table", "rules")
async def on_rules(interaction: Interaction, press: Press) -> None:
    table = await app_of(interaction).parlour.table(press.table)
    await show_rules(interaction, table.slug, 0)


async def show_rules(interaction: Interaction, slug: str, page: int | str, *, edit: bool = False) -> None:
    """Show a page of rules, with links to the others."""
    number = page_number(slug, page) if isinstance(page, str) else page
    await reply(interaction, _rules(slug, number), edit=edit)


def _rules(slug: str, number: int) -> Page:
    pages = presenter_of(slug).rules()
    number = max(0, min(number, len(pages) - 1))
    page = Page(list(pages[number].parts))
    page.parts.append(
        [
            Button("Back", Press("rules", "page", 0, 0, f"{slug}.{number - 1}"), disabled=number == 0),
            Button(f"{number + 1} of {len(pages)}", Press("rules", "here", 0, 0, slug), disabled=True),
            Button(
                "Next",
                Press("rules", "page", 0, 0, f"{slug}.{number + 1}"),
                PRIMARY,
                disabled=number + 1 == len(pages),
            ),
        ]
    )
    return page


@on_press("rules", "page")
async def rules_page(interaction: Interaction, press: Press) -> None:
    slug, _, number = press.arg.partition(".")
    await show_rules(interaction, slug_of(slug), number_of(number), edit=True)


@on_press("rules", "open")
async def rules_open(interaction: Interaction, press: Press) -> None:
    await show_rules(interaction, slug_of(press.arg or press.choice), 0)


def rules_menu() -> Menu:
    lines = [Option(f"Rules of {one.title}", one.slug, presenter_of(one.slug).tagline) for one in games()]
    return Menu(Press("rules", "open"), "Read the rules of a game", lines)
