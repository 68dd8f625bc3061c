"""The entry point: ``python bot.py`` runs the bot, ``python bot.py --help`` lists its other commands."""

import sys

if __name__ == "__main__":
    if not sys.argv[1:]:
        print("Starting…", flush=True)
    # Each worker process loads this file, too, and needs nothing of the bot.
    from host.start import main

    sys.exit(main(sys.argv[1:]))
