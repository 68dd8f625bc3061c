"""Caches of pictures, which tests clear before they count drawings."""

import sys


def forget(room: str) -> None:
    """Clear every cache of the functions in a room."""
    for name, module in list(sys.modules.items()):
        if name == room or name.startswith(f"{room}."):
            for result in vars(module).values():
                clear = getattr(result, "cache_clear", None)
                if clear is not None:
                    clear()
