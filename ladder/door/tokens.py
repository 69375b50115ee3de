"""Tokens of the registry, as the gRPC frame looks them up."""

from __future__ import annotations

from ladder.rpc.identity import Identity
from ladder.store.errors import BadTokenError
from ladder.store.registry import Registry
from lastcard.secret import Secret


class RegistryTokens:
    """Looks tokens up in the registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def identify(self, token: Secret) -> Identity | None:
        """Return whose token it is; None for one that is not valid."""
        try:
            found = self._registry.authenticate(token)
        except BadTokenError:
            return None
        return Identity(found.owner, found.bot, frozenset(map(str, found.scopes)))
