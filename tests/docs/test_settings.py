"""The documents name every setting, with its default."""

import re
from typing import Any

import pytest

from cogs.core.app import NEEDED
from host.settings import Settings
from tests.docs.pages import read

DEFAULTS = {field.upper(): info.default for field, info in Settings.model_fields.items()}

CALLED = {"read_messages": "View Channels", "send_messages_in_threads": "Send Messages in Threads"}
"""Discord's names of permissions that differ from their own."""


def write_default(default: Any) -> str:
    if default is None:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_example_lists_every_setting_with_its_default() -> None:
    lines = re.findall(r"^([A-Z_]+)=(.*)$", read(".env.example"), re.MULTILINE)
    assert dict(lines) == {setting: write_default(default) for setting, default in DEFAULTS.items()}
    assert len(lines) == len(DEFAULTS)


@pytest.mark.parametrize("setting", DEFAULTS)
def test_the_readme_lists_every_setting_with_its_default(setting: str) -> None:
    default = write_default(DEFAULTS[setting])
    assert f"| `{setting}` | {f'`{default}`' if default else 'none'} |" in read("README.md")


def test_the_permissions_that_are_listed_are_those_of_the_invite() -> None:
    asked = {CALLED.get(permission, permission.replace("_", " ").title()) for permission, on in NEEDED if on}
    listed = re.search(r"exactly these permissions: ([^.]+)\.", read("README.md"))
    assert listed is not None
    assert {" ".join(permission.split()) for permission in listed[1].split(",")} == asked
    assert all(permission in read("docs/running/admin.md") for permission in asked)
