"""Explains errors of Discord that end the bot: a sentence and an exit code each."""

import aiohttp
import discord

DISCORD_ERRORS = (
    aiohttp.ClientConnectionError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
    discord.LoginFailure,
    discord.PrivilegedIntentsRequired,
    discord.RateLimited,
)
"""Errors of Discord that end the bot."""
TRY_LATER, GIVE_UP = 1, 2
"""Exit codes: a restart can help, or somebody has to fix something first."""
TOKEN_RESET, INTENTS = 4004, (4013, 4014)
CLOSED_FOR_GOOD = {
    TOKEN_RESET: "DISCORD_TOKEN: Discord no longer accepts it; copy the new one from the developer portal.",
    **dict.fromkeys((4010, 4011), "SHARD_COUNT: Discord refuses it; remove it, or choose a higher number."),
    4012: "Discord no longer supports this gateway version; update the bot.",
    **dict.fromkeys(
        INTENTS, "Discord refuses the bot's intents: allow them in the developer portal, or update the bot."
    ),
}
"""Advice for each code with which Discord closes a gateway connection for good."""


def explain_exit(error: Exception) -> tuple[str, int]:
    """Return the sentence and the exit code for one of `DISCORD_ERRORS`."""
    match error:
        case discord.PrivilegedIntentsRequired():
            return CLOSED_FOR_GOOD[INTENTS[0]], GIVE_UP
        case discord.ConnectionClosed(code=code) if code in CLOSED_FOR_GOOD:
            return CLOSED_FOR_GOOD[code], GIVE_UP
        case discord.LoginFailure() | discord.HTTPException(status=401):
            return (
                "DISCORD_TOKEN: Discord doesn't accept it; copy it again from the developer portal.",
                GIVE_UP,
            )
        case discord.HTTPException():
            return f"Discord fails: it answers {_answer(error)}. Try again later.", TRY_LATER
        case _:
            return f"I can't reach Discord: {str(error).rstrip('.')}. Try again later.", TRY_LATER


def _answer(error: discord.HTTPException) -> str:
    """Return Discord's answer on one line; leave out a page of Cloudflare's."""
    details = "; ".join(error.text.splitlines()) if error.code else ""
    return f"{error.status} {error.response.reason}" + (f" ({details.rstrip('.')})" if details else "")
