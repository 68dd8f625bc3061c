"""A player that hears: it knows texts and labels, and presses what sounds like going on."""

import re
from random import Random
from typing import Any

from tests.discord.stage import DiscordStage, ShownMessage, read_message

LEADS_AWAY = re.compile(
    r"(In words|What happened|All that happened|More|Hint|Undo|Back|No, keep it|Stay"
    r"|Choose again|Clear|No more notes|New: .*|Votes now|Discard|Marker|Previous fit|Rules|To the table"
    r"|What you can do|Left|Up|Down|Right|Turn|Flip|Rotate.*|Earlier .*|Later .*|Change .*"
    r"|Take .* back|Another.*|Back to .*)"
)
"""Buttons that don't bring a turn to its end."""
GOES_ON = re.compile(
    r"(Place( .*)?|Yes.*|Confirm.*|Send.*|End .*|Done.*|Draw .*|Keep .*|Discard and end turn|Set .*aside.*"
    r"|Take turn|Let the .* go|Leave .*|Lay .*|Finish.*|Stop.*|Pass.*|No .*)"
)
"""The labels that go on with a turn."""
ASIDE = re.compile(
    r"(Choose a heading|Which places|Jump to|Which neighbours|Which card do you put|Which do you take"
    r"|Or only)"
)
"""Menus that need not be answered."""
READ_ALOUD = re.compile("[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ue000-\uf8ff\U0001f000-\U0001faff]|<a?:")
"""Characters that a screen reader must not get: arrows, emoji, those of applications."""
SAFE = re.compile(r"no tangles|wins|you 0|must go: 0")
"""The text of a menu's line that keeps one in the game."""
PATIENCE = 10
"""The presses of a turn after which the listener only presses what ends it."""


def hear(shown: ShownMessage) -> ShownMessage:
    """Return a private answer of words alone, with distinct labels."""
    assert not shown.files, shown.files
    labels = [c["label"] for c in shown.components if "label" in c and c.get("type") == 2]
    titles = [c["placeholder"] for c in shown.components if "placeholder" in c]
    for text in [shown.text, *labels, *titles]:
        assert not READ_ALOUD.search(text), text
    assert all(re.search("[A-Za-z]", label) for label in [*labels, *titles])
    assert len({*labels}) == len(labels), labels
    assert len({*titles}) == len(titles), titles
    return shown


class Listener:
    """One of the players of a table, who has set that boards are described in words."""

    def __init__(self, stage: DiscordStage, name: str, slug: str, rng: Random) -> None:
        self.stage, self.name, self.slug, self.rng = stage, name, slug, rng
        self.read = 0

    async def turn(self, place: Any) -> None:
        """Ask for the options, and press on until others move."""
        stage, who = self.stage, self.stage[self.name]
        can = hear(read_message((await who.slash(place, f"{self.slug} look")).response)).text
        result = await who.click(stage.post(place).message, label="Take turn")
        assert result.ephemeral
        for presses in range(4 * PATIENCE):
            panel = hear(read_message(result.response))
            self.read += len(panel.text)
            if not await self._press(result, panel, can, ends=presses > PATIENCE):
                return

    async def _press(self, result: Any, panel: ShownMessage, can: str, *, ends: bool) -> bool:
        """Press or choose one thing by label; return False if none."""
        labels = [
            label
            for label, button in panel.buttons.items()
            if not button.get("disabled") and not LEADS_AWAY.fullmatch(label) and label != "Take turn"
        ]
        saving = [
            (menu, line)
            for menu in panel.components
            if "placeholder" in menu and "**Clear " in panel.text
            for line in menu["options"]
            if SAFE.search(line.get("description") or "") and not line.get("default")
        ]
        if saving:
            menu, line = self.rng.choice(saving)
            await self._select(result, menu, [line])
            return True
        onward = [label for label in labels if GOES_ON.fullmatch(label)]
        menus = [c for c in panel.components if "placeholder" in c and not ASIDE.search(c["placeholder"])]
        asked = [menu for menu in menus if not any(one.get("default") for one in menu["options"])]
        if onward and (ends or self.rng.random() < 0.5 or not (labels or menus)):
            await self.stage[self.name].click(result.response, label=self.rng.choice(onward))
        elif asked or (menus and not labels):
            await self._choose(result, self.rng.choice(asked or menus), can)
        elif labels:
            await self.stage[self.name].click(result.response, label=self.rng.choice(labels))
        else:
            return False
        return True

    async def _choose(self, result: Any, menu: dict[str, Any], can: str) -> None:
        """Choose lines of a menu: those of places within reach, if any."""
        lines = menu["options"]
        named = [one for one in lines if set(re.findall(r"\w+", one["label"])) & set(re.findall(r"\w+", can))]
        least = max(1, menu.get("min_values", 1))
        chosen = self.rng.sample(named if len(named) >= least else lines, least)
        await self._select(result, menu, chosen)

    async def _select(self, result: Any, menu: dict[str, Any], lines: list[dict[str, Any]]) -> None:
        """Choose lines by their labels, as a listener does."""
        values = [one["value"] for one in lines]
        await self.stage[self.name].select(result.response, values, custom_id=menu["custom_id"])
