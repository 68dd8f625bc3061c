"""The real bot in a simulated Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import simcord

from bot import ParlourBot
from db.store import Store
from engines.workers import Workers
from tests.discord.stage import SETTLE, Stage


@pytest.fixture
async def stage(store: Store, workers: Workers) -> AsyncIterator[Stage]:
    """A server in which the bot runs on a fresh database."""
    env = simcord.Env(ParlourBot(store, workers), settle_timeout=SETTLE)
    await env.start()
    try:
        yield Stage(env)
        env.raise_errors()
    finally:
        await env.shutdown()
