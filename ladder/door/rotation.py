"""Authors give their bot a new token: its own present one is the right to it."""

from __future__ import annotations

from typing import Final

from ladder.door.doer import doer
from ladder.errors import NotAllowedError, TooManyError
from ladder.names import checked
from ladder.rpc.identity import ADMIN, Identity
from ladder.store.audit import Deed
from ladder.store.credentials import wall_ms
from ladder.store.registry import Registry
from ladder.store.tokens import Scope
from lastcard.names import BOT
from lastcard.strikes import Strikes

PER_MINUTE: Final = 5
"""New tokens of one bot: each stays in the store."""


class Rotation:
    """Makes new tokens of bots."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._made = Strikes(limit=PER_MINUTE)

    def rotate(self, name: str, request_id: str, caller: Identity) -> str:
        """Return a new token of a bot; the same request again returns the same. The newest one before it stays good.

        Raises:
            RequestError: the caller may not, or did so too often.
            StoreError: a field is not what it may be, there is no such bot, or the store does not answer.
        """
        checked(BOT, name, "name")
        caller.require(Scope.OWNER)
        if caller.bot != name and ADMIN not in caller.scopes:
            sentence = f"this token is one of {caller.bot}: a new one of {name} needs one of {name}"
            raise NotAllowedError("FOREIGN_BOT", sentence, field="name", value=name, allowed=[caller.bot])
        if self._made.out(name):
            raise TooManyError("ROTATION_RATE", f"too many new tokens of {name}; wait {self._made.penalty_s:.0f} s")
        self._made.add(name)
        now_ms = wall_ms()
        deed = Deed(doer(caller), "rotate", name, "", now_ms)
        return self._registry.rotate(name, request_id, now_ms=now_ms, deed=deed)
