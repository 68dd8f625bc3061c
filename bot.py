"""The entry point: ``python bot.py`` runs the bot, ``python bot.py --help`` lists its other commands."""

import sys

from host.start import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
