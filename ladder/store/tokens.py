"""Tokens: `lcb1_<key id>_<secret>`. The store knows the key id and a MAC of the secret."""

import base64
import hmac
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from lastcard.secret import Secret

PREFIX: Final = "lcb1_"
LIFE_MS: Final = 365 * 86_400_000
"""A token expires after a year."""
_KEYID_BYTES: Final = 7
_KEYID_CHARS: Final = 10
_TOKEN: Final = re.compile(r"lcb1_([a-z2-7]{10})_([A-Za-z0-9_-]{43})", re.ASCII)


class Scope(StrEnum):
    """What a token may do."""

    PLAY = "play"
    """Open a stream as its bot."""
    OWNER = "owner"
    """Look after its bot: rotate, revoke, retire; make and steer small tournaments of it."""
    ORGANISER = "organiser"
    """Create and steer tournaments."""
    ADMIN = "admin"
    """Everything an operator does."""


OF_BOTS: Final = frozenset({Scope.PLAY, Scope.OWNER})
OF_OPERATORS: Final = frozenset({Scope.ORGANISER, Scope.ADMIN})


@dataclass(frozen=True, slots=True)
class Token:
    """A token in full. It exists while it is handed out or presented, and is never stored."""

    keyid: str
    secret: Secret

    def reveal(self) -> str:
        """All of it as text, for whom it was made."""
        return "_".join((PREFIX + self.keyid, self.secret.text()))

    def mac(self, pepper: Secret) -> str:
        """What is stored of the secret."""
        return hmac.new(pepper.reveal(), self.secret.reveal(), sha256).hexdigest()


def parse(text: str | Secret) -> Token | None:
    """The token in this text; None if it is none."""
    match = _TOKEN.fullmatch(text.text() if isinstance(text, Secret) else text)
    return Token(match[1], Secret(match[2])) if match else None


def draw() -> Token:
    """A new random token."""
    return _token(secrets.token_bytes(_KEYID_BYTES), secrets.token_bytes(32))


def derive(pepper: Secret, *content: str) -> Token:
    """The token that belongs to this content: always the same, and not to be guessed without the pepper."""
    key = hmac.new(pepper.reveal(), b"\0".join(part.encode() for part in ("token", *content)), sha256).digest()
    return _token(hmac.new(key, b"keyid", sha256).digest(), hmac.new(key, b"secret", sha256).digest())


def _token(keyid: bytes, secret: bytes) -> Token:
    return Token(base64.b32encode(keyid)[:_KEYID_CHARS].decode().lower(), Secret(base64.urlsafe_b64encode(secret)[:-1]))
