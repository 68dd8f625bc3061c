"""Run all benchmarks, or the named parts: ``python -m benchmarks [rules pictures …]``.

``python -m benchmarks strength``, ``levels`` and ``wins`` take arguments of their own, and run only if named;
so does ``ahead``, which takes an hour.
"""

import sys
from importlib import import_module

from benchmarks.measure import HEAD

PARTS = {
    part.rpartition(".")[2]: part
    for part in (
        "engines.rules",
        "engines.engines",
        "engines.playouts",
        "engines.chances",
        "pictures",
        "engines.tesla",
        "engines.tangram",
        "engines.tanglewood",
        "engines.tangle",
        "tables.committed",
        "tables.clocks",
        "tables.record",
        "tables.replay",
        "tables.waits",
        "tables.ahead",
        "tables.looking",
        "tables.lists",
        "tables.duels",
        "tables.standings",
        "cogs.daily",
        "cogs.flow",
        "cogs.presses",
        "cogs.words",
        "cogs.panels",
        "cogs.statements",
        "cogs.costs",
        "cogs.pages",
        "tables.startup",
        "tables.sizes",
        "tables.load",
    )
}
"""The module of each part."""
LONG = ("ahead",)
"""Parts that take an hour, and run only if named."""
ALONE = ("strength", "levels", "wins")
"""Parts about computer players with arguments of their own, which take hours if all is played."""


def main() -> int:
    """Print one table a part. The exit code is 2 for an unknown part."""
    if sys.argv[1:] and sys.argv[1] in ALONE:
        code: int = import_module(f"benchmarks.engines.{sys.argv[1]}").main(sys.argv[2:])
        return code
    wanted = sys.argv[1:] or [part for part in PARTS if part not in LONG]
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(
            f"There is no part {', '.join(unknown)}; choose from {', '.join((*PARTS, *ALONE))}.",
            file=sys.stderr,
        )
        return 2
    for part in wanted:
        module = import_module(f"benchmarks.{PARTS[part]}")
        print(f"\n### {part}\n\n{getattr(module, 'HEAD', HEAD)}", flush=True)
        for figure in module.measure():
            print(figure.row(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
