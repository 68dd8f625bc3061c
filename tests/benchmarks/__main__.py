"""Run all benchmarks, or the named parts: ``python -m tests.benchmarks [rules pictures …]``.

``strength``, ``levels`` and ``wins`` take arguments of their own, and run only if named.
"""

import sys
from importlib import import_module

from tests.benchmarks.measure import HEAD

PARTS = (
    "rules",
    "pictures",
    "committed",
    "clocks",
    "record",
    "replay",
    "flow",
    "presses",
    "panels",
    "costs",
    "startup",
    "structure",
    "mentions",
    "load",
)
ALONE = ("strength", "levels", "wins")
"""Parts about computer players with arguments of their own, which take hours if all is played."""


def main() -> int:
    """Print one table a part. The exit code is 2 for an unknown part."""
    if sys.argv[1:] and sys.argv[1] in ALONE:
        code: int = import_module(f"tests.benchmarks.{sys.argv[1]}").main(sys.argv[2:])
        return code
    wanted = sys.argv[1:] or list(PARTS)
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(
            f"There is no part {', '.join(unknown)}; choose from {', '.join((*PARTS, *ALONE))}.",
            file=sys.stderr,
        )
        return 2
    for part in wanted:
        module = import_module(f"tests.benchmarks.{part}")
        print(f"\n### {part}\n\n{getattr(module, 'HEAD', HEAD)}", flush=True)
        for figure in module.measure():
            print(figure.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
