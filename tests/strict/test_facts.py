"""Every fact about Discord is enforced by something that is there, or says why not."""

import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from tests.strict.test_rules import RULES

FACTS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))["fact"]


def is_there(name: str) -> bool:
    """Return True for a rule and for a name of this folder."""
    try:
        return name in RULES or callable(resolve_name(f"tests.strict.{name}"))
    except (ValueError, ImportError, AttributeError):
        return False


def test_each_fact_is_told_once_and_named_by_something_that_exists() -> None:
    named = {name for fact in FACTS for name in (*fact.get("by", ()), *fact.get("flows", ()))}
    entries = [fact["says"] for fact in FACTS]

    assert [name for name in sorted(named) if not is_there(name)] == []
    assert len(entries) == len({*entries})
    for fact in FACTS:
        assert fact.get("by") or fact.get("flows"), fact
        assert set(fact) <= {"says", "by", "flows", "not"}, fact
        assert fact.get("not", "because").startswith("because"), fact
