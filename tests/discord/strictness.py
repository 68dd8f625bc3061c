"""Makes the simulated Discord as strict as the real one about files, nonces and answers that get lost.

Discord lists no file that a component shows among a message's attachments, drops the files that an edit
doesn't name, and takes one message of a nonce within some minutes.
"""

from fnmatch import fnmatch
from types import SimpleNamespace
from typing import Any

import pytest
from simcord import results
from simcord.backend import errors, serializers
from simcord.http import _helpers, client, router
from simcord.http.routes import interactions, messages

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
