"""Every fact about Discord is enforced by something that is there, or says why not."""

import inspect
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

FACTS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))["fact"]


def is_there(name: str) -> bool:
    """Return True if this folder defines that name."""
    module, *path = name.split(".")
    result: Any = import_module(f"tests.strict.{module}")
    for part in path:
        result = getattr(result, part, None)
    return inspect.isfunction(result) or inspect.isclass(result)


def test_names_in_the_facts_exist() -> None:
    named = {name for fact in FACTS for name in (*fact["by"], *fact.get("flows", ()))}

    assert [name for name in sorted(named) if not is_there(name)] == []


def test_each_fact_is_told_once_and_named_by_something() -> None:
    entries = [fact["says"] for fact in FACTS]

    assert len(entries) == len({*entries})
    for fact in FACTS:
        assert fact["by"], fact
        assert set(fact) <= {"says", "by", "flows", "not"}, fact
        assert fact.get("not", "because").startswith("because"), fact
