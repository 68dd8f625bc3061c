"""Discord's refusals: status, JSON code, message, and the nested errors of an invalid form."""

from typing import Any

Json = dict[str, Any]
Path = tuple[str | int, ...]
"""The way to a field of a request, from its top."""

INVALID_FORM = 50035
REQUIRED, LENGTH, CHOICES = "BASE_TYPE_REQUIRED", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_CHOICES"
NOT_ATTACHED = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"


class Refusal(Exception):
    """An answer that isn't a success."""

    def __init__(
        self, status: int, code: int, message: str, *, errors: Json | None = None, more: Json | None = None
    ) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.code = code
        self.body: Json = {"message": message, "code": code, **(more or {})}
        if errors is not None:
            self.body["errors"] = errors


def invalid(path: Path, code: str, message: str) -> Refusal:
    """Return a 400 with the code 50035 that names one field."""
    errors: Json = {"_errors": [{"code": code, "message": f"{message} ({code})"}]}
    for part in reversed(path):
        errors = {str(part): errors}
    return Refusal(400, INVALID_FORM, "Invalid Form Body", errors=errors)


def require(condition: object, path: Path, code: str, message: str) -> None:
    if not condition:
        raise invalid(path, code, message)


def require_length(text: object, path: Path, least: int, most: int) -> None:
    require(isinstance(text, str), path, REQUIRED, "This field is required")
    message = f"Must be between {least} and {most} in length."
    require(least <= len(str(text)) <= most, path, LENGTH, message)


def make_unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def unknown(what: str) -> Refusal:
    """Return the 404 for something that isn't there (any more)."""
    codes = {
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "User": 10013,
        "Emoji": 10014,
        "Webhook": 10015,
        "interaction": 10062,
        "application command permissions": 10066,
    }
    return Refusal(404, codes[what], f"Unknown {what}")


MISSING_ACCESS = (403, 50001, "Missing Access")
MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
NOT_THE_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
DMS_CLOSED = (403, 50007, "Cannot send messages to this user")
NO_MUTUAL_SERVER = (403, 50278, "Cannot send messages to this user due to having no mutual guilds")
EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
WRONG_CHANNEL_TYPE = (400, 50024, "Cannot execute action on this channel type")
BAD_TOKEN = (401, 50027, "Invalid Webhook Token")
THREAD_ARCHIVED = (400, 50083, "Thread is archived")
HAS_THREAD = (400, 160004, "A thread has already been created for this message")
LOCKED = (400, 160005, "Thread is locked")
NO_THREAD_ROOM = (400, 160006, "Maximum number of active threads reached")
TOO_LARGE = (413, 40005, "Request entity too large")
ANSWERED = (400, 40060, "Interaction has already been acknowledged.")
OLD_EDITS = (429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later")
TOO_MANY_EMOJI = (400, 30008, "Maximum number of emojis reached (2000)")
TOO_MANY_COMMANDS = (400, 30034, "Max number of daily application command creates has been reached (200)")
NO_ENTRY_POINT = (
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry "
    "Point command in your update request or delete it separately.",
)
