"""Names that Discord would format, hide or turn around, and how its text is read."""

import re

NASTY = (
    "[Sam](https://x.y)",
    "https://x.y/a_b",
    "<https://x.y>",
    "<a:/[x](https://x.y)>",
    "<:x:1> <a:x:1>",
    "<t:0:R>",
    "</mine:1>",
    "<#1> <@1> <@!1> <@&1>",
    "@everyone @here",
    "<id:customize>",
    "# Sam",
    "-# Sam",
    "> Sam",
    f"{3 * chr(62)} Sam",
    "- Sam",
    "* Sam",
    "1. Sam",
    "||Sam||",
    "`Sam` ```Sam",
    "**Sam** __Sam__ ~~Sam~~ *Sam* _Sam_",
    "\\",
    ":smile:",
    "\u202eSam",
    "\u2066Sam",
    "סם",
    "سام 5",
    "Sa\u200bm\ufeff",
    "a\nb\tc\x00d\x1b[0m",
    "\ue000seat_1\ue001x\ue002",
    "\ue003Sam\ue004",
    "Z\u0301\u0302\u0303\u0304\u0305",
    "\u200b",
    "\u3164",
    "\u2800\u034f",
    "🦊",
    "🐱 Sam",
    "👩‍👧 ❤️",
    "4-5 × 60° / ✓ → −1",
    "Ann (computer)",
)
FORMATS = re.compile(r"[*_~|`<>\[\]@#]|://|:\w+:|^\s*([-+]|\d+\.)\s", re.MULTILINE)
"""Text that Discord formats unless there is a backslash before it."""
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\ufeff\ue000-\uf8ff]"
)
"""Characters that show nothing, but for the ends of lines."""
_ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")


def strip_escapes(text: str) -> str:
    """Return Discord's text without the parts that a backslash protects."""
    return _ESCAPED.sub("\0", text)


def unescape(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
