"""Points discord.py at the strict Discord, in every process whose PYTHONPATH begins with this folder.

The modules are changed when they are first imported, so a process that needs no discord.py imports none.
"""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

ADDRESS = os.environ.get("STRICT_DISCORD", "")


def _redirect(module: ModuleType) -> None:
    """Change where a module of discord.py looks for Discord."""
    if module.__name__ == "discord.http":
        module.Route.BASE = f"{ADDRESS}api/v10"
    else:
        import yarl

        module.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(ADDRESS.replace("http", "ws", 1))


class RedirectingLoader(SourceFileLoader):
    """Loads a module, and changes it."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _redirect(module)


class RedirectingFinder(MetaPathFinder):
    """Finds the modules of discord.py that know Discord's addresses."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in ("discord.http", "discord.gateway"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = RedirectingLoader(fullname, spec.origin)
        return spec


if ADDRESS:
    sys.meta_path.insert(0, RedirectingFinder())
