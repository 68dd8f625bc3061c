"""A quick and strict simulation: sketched pictures, and rules of Discord that SimCord lacks."""

import asyncio
import os
import pickle
from collections.abc import Callable
from fnmatch import fnmatch
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar

import msgspec
import pytest
from simcord import results
from simcord.backend import errors, serializers
from simcord.http import _helpers, client, router
from simcord.http.routes import interactions, messages

from cogs.tanglewood import draft as tanglewood
from cogs.tangram import draft as tangram
from engines import engine
from engines.ribbon.preview import safe_drafts
from engines.workers import Urgency, Workers
from render.core import canvas
from tests.conftest import SharedWorkers
from tests.discord.sketches import sketch

P = ParamSpec("P")
R = TypeVar("R")
REMEMBERED: set[Callable[..., Any]] = {
    engine.think,
    engine.chart_steps,
    engine.estimate_steps,
    tangram.look,
    tangram.best_answers,
    tanglewood.best_choices,
    safe_drafts,
}
"""Functions of positions that many flows call; their arguments alone decide the result."""


class Memory:
    """Answers that some test was given, in memory and in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: dict[str, bytes] = {}
        folder.mkdir(exist_ok=True)

    def find(self, key: str) -> bytes | None:
        """Return a pickled answer, or None."""
        file = self._folder / key
        if key not in self._answers and file.exists():
            self._answers[key] = file.read_bytes()
        return self._answers.get(key)

    def keep(self, key: str, answer: bytes) -> None:
        self._answers[key] = answer
        unfinished = self._folder / f"{key}.{os.getpid()}"
        unfinished.write_bytes(answer)
        unfinished.rename(self._folder / key)


class Sketchers(SharedWorkers):
    """A process that sketches pictures, before others that do everything else."""

    def __init__(self, others: Workers, memory: Memory) -> None:
        super().__init__(1)
        self._others = others
        self._memory = memory

    async def run_with(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if work is canvas.draw:
            return await super().run_with(urgency, partial(sketch, work), *args, **kwargs)
        if work in REMEMBERED:
            return await self._remember(urgency, work, *args, **kwargs)
        return await self._others.run_with(urgency, work, *args, **kwargs)

    async def _remember(self, urgency: Urgency, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        key = sha256(msgspec.msgpack.encode((work.__qualname__, args, kwargs))).hexdigest()
        before = self._memory.find(key)
        if before is None:
            answer = await self._others.run_with(urgency, work, *args, **kwargs)
            self._memory.keep(key, pickle.dumps(answer))
            return answer
        await asyncio.sleep(0)
        again: R = pickle.loads(before)  # noqa: S301  this class wrote it
        return again


V2 = 1 << 15
LOST_ANSWERS, NONCES = "lost_answers", "nonces"
"""Names of what the simulated backend keeps for these rules."""
DOCUMENTED = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"


def be_strict(patch: pytest.MonkeyPatch) -> None:
    lenient_payload, lenient_changes = serializers.message_payload, _helpers.message_edit_changes
    lenient_send, lenient_dispatch = _helpers.bot_message, router.dispatch

    def payload(backend: Any, message: Any, **more: Any) -> Any:
        result = lenient_payload(backend, message, **more)
        return {**result, "attachments": []} if message.flags & V2 else result

    def changes(ctx: Any, message: Any = None, *, body: dict[str, Any] | None = None) -> dict[str, Any]:
        asked = dict(ctx.body() if body is None else body)
        if "components" in asked:
            asked.setdefault("attachments", [{"id": str(number)} for number in range(len(ctx.files))])
        there = {one["id"]: one["filename"] for one in (message.attachments if message else ())}
        for kept in asked.get("attachments") or ():
            name = there.get(str(kept.get("id")))
            if name is not None and kept.get("filename") != name:
                raise errors.invalid_form_body(f"{DOCUMENTED}: {name} is kept by its id alone")
        return lenient_changes(ctx, message, body=asked)

    def send(ctx: Any, channel_id: int, **more: Any) -> Any:
        nonce = ctx.body().get("nonce")
        known = vars(ctx.backend).setdefault(NONCES, {})
        earlier = None if nonce is None else known.get((channel_id, nonce))
        if earlier is not None and earlier in ctx.backend.messages[channel_id]:
            return ctx.backend.messages[channel_id][earlier]
        message = lenient_send(ctx, channel_id, **more)
        if nonce is not None:
            known[channel_id, nonce] = message.id
        return message

    def dispatch(backend: Any, method: str, path: str, **more: Any) -> Any:
        answer = lenient_dispatch(backend, method, path, **more)
        for lost in vars(backend).get(LOST_ANSWERS, ()):
            if lost["times"] and lost["method"] == method and fnmatch(path, lost["path"]):
                lost["times"] -= 1
                raise errors.BackendError(502, 0, "Bad Gateway")
        return answer

    patch.setattr(serializers, "message_payload", payload)
    # Who looks at a message in a test sees its files, as people do.
    patch.setattr(results, "serializers", SimpleNamespace(message_payload=lenient_payload))
    for module in (_helpers, messages, interactions):
        patch.setattr(module, "message_edit_changes", changes)
    patch.setattr(messages, "bot_message", send)
    for module in (router, client):
        if getattr(module, "dispatch", None) is lenient_dispatch:
            patch.setattr(module, "dispatch", dispatch)


def lose_answers(backend: Any, method: str, path: str, times: int = 1) -> None:
    """Let Discord carry a request out, but answer it with 502."""
    lost = {"method": method, "path": path, "times": times}
    vars(backend).setdefault(LOST_ANSWERS, []).append(lost)


def find_messages_without_nonce(backend: Any) -> list[Any]:
    """Return the messages of the bot that could come twice."""
    return [
        one
        for one in backend.http_requests
        if one.method == "POST"
        and fnmatch(one.path, "/channels/*/messages")
        and not (one.json or {}).get("nonce")
    ]
