"""Who may register a bot, in whose name, and how often; what was done with a token is in the audit."""

from __future__ import annotations

from typing import Final

from ladder.door.doer import doer
from ladder.errors import NotAllowedError, TooManyError
from ladder.readings.profiles import Profile, profile
from ladder.rpc.identity import ADMIN, Identity
from ladder.store.audit import Deed
from ladder.store.credentials import wall_ms
from ladder.store.names import check_author, check_owner, check_request_id
from ladder.store.registry import Registry
from lastcard.strikes import Strikes

SCOPE: Final = "owner"
HOUSE: Final = "house"
"""Owner of the operator's own bots: a token of scope `admin` registers them; they are rated against each other."""


class Registration:
    """Registers bots."""

    def __init__(self, registry: Registry, *, closed: bool, per_minute: int) -> None:
        self._registry = registry
        self._closed = closed
        self._tries = Strikes(limit=per_minute) if per_minute else None

    def register(self, name: str, owner: str, request_id: str, caller: Identity, peer: str) -> tuple[Profile, str]:
        """Return the new bot and its token; the same request again returns the same.

        Raises:
            RequestError: the caller may not.
            StoreError: a field is not what it may be, the name is taken, or the store does not answer.
        """
        if self._closed:
            caller.require(SCOPE)
        self._check_owner(owner, caller)
        check_request_id(request_id)
        self._check_rate(peer)
        now_ms = wall_ms()
        deed = _deed(name, owner, caller, now_ms)
        vouched = self._vouched(caller)
        row, token = self._registry.register(
            name, owner, request_id, now_ms=now_ms, house=owner == HOUSE, vouched=vouched, deed=deed
        )
        return profile(row, online=False), token

    def _vouched(self, caller: Identity) -> bool:
        """Return whether the owner is no mere claim: an operator gave the token, or that of the bot which registers."""
        if not caller.bot:
            return bool(caller.owner)
        rows = self._registry.find([caller.bot])
        return caller.bot in rows and rows[caller.bot].vouched

    def _check_owner(self, owner: str, caller: Identity) -> None:
        check_owner(owner)
        if caller.bot or not caller.owner:  # no operator gave this token
            check_author(owner)
        if owner == HOUSE:
            caller.require(ADMIN)
        if caller.owner and caller.owner != owner and ADMIN not in caller.scopes:
            sentence = f"this token registers bots of {caller.owner!r} only"
            raise NotAllowedError("FOREIGN_OWNER", sentence, field="owner", value=owner, allowed=[caller.owner])

    def _check_rate(self, peer: str) -> None:
        if self._tries is None:
            return
        if self._tries.out(peer):
            sentence = f"too many registrations from here; wait {self._tries.penalty_s:.0f} s"
            raise TooManyError("REGISTRATION_RATE", sentence)
        self._tries.add(peer)


def _deed(name: str, owner: str, caller: Identity, now_ms: int) -> Deed | None:
    """Return who does it; whoever comes without a token leaves no name but the owner's, which the bot has."""
    who = doer(caller)
    return Deed(who, "register", name, "" if who == owner else f"owner: {owner}", now_ms) if who else None
