"""Who does something with a token, in the words of the audit."""

from __future__ import annotations

from ladder.rpc.identity import Identity


def doer(caller: Identity) -> str:
    """Return who acts: `bot:NAME` where the token is a bot's, whoever owns it; "" where none came.

    Authors choose the name of an owner as they like: it says nothing of who they are.
    """
    return f"bot:{caller.bot}" if caller.bot else caller.owner
