"""The words of settings are true whether a setting is on or off."""

import pytest

from cogs.people.settings import WORDS as PERSONAL
from cogs.servers.settings import WORDS as SERVER

DOING = ("I send", "I show", "I post", "I remind", "This message", "The computer says", "When this is on")


@pytest.mark.parametrize("name", [*PERSONAL, *SERVER])
def test_a_setting_that_is_off_is_not_described_as_if_it_worked(name: str) -> None:
    words = [one[name] for one in (PERSONAL, SERVER) if name in one]

    assert not any(one.effect.startswith(DOING) for one in words)


def test_a_page_of_settings_never_refers_to_itself() -> None:
    assert not any("page **" in f"{one.effect} {one.note}" for one in SERVER.values())
