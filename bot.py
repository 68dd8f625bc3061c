"""The entry point: ``python bot.py`` runs the bot, ``python bot.py --help`` lists its other commands."""

import sys

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036  # said before a module is read that it can't read
        sys.exit(
            "Tangle Parlour needs Python 3.11 or later; this is Python {}.{}.".format(*sys.version_info[:2])
        )
    if not sys.argv[1:]:
        print("Starting…", flush=True)
    # Each worker process loads this file, too, and needs nothing of the bot.
    from host.start import main

    sys.exit(main(sys.argv[1:]))
