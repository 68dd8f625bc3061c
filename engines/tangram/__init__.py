"""Tangram City: six rounds of tiles that fit into everybody's own city, black or green side up."""

from __future__ import annotations

from engines.tangram.game import Tangram

GAME = Tangram()
