"""Tangram City: six rounds of tiles that fit into everybody's own city, black or green side up."""

from engines.tangram.game import GAME as GAME
