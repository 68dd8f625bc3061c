"""The panel of Nim: one menu for each heap."""

from cogs.core.app import App
from cogs.play.panel import panel_press
from cogs.ui.page import Menu, Option, Page
from tables.play.play import Perspective


async def panel(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    page = Page(["**Take stones from one heap.**", await app.pictures.board(table, view)])
    for heap, stones in enumerate(view.heaps, start=1):
        if stones:
            lines = [
                Option(f"{number} of {stones}", str(number), f"leaves {stones - number}")
                for number in range(1, stones + 1)
            ]
            press = panel_press(table, "take", str(heap))
            page.parts.append(Menu(press, f"Take from heap {heap} …", lines))
    return page
