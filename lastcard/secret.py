"""What nobody may read in a log, a traceback or a dump: seeds, tokens, the pepper and the keys made of them.

A secret shows itself to who calls `reveal` or `text`, and to nobody else: how it looks, how it is formatted, copied,
pickled or put into JSON says nothing of it.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NoReturn, final

SHOWN: Final = "Secret(***)"


@final
class Secret:
    """Bytes that are used and not seen. A value: never changed, compared in a time that tells nothing."""

    __slots__ = ("_hidden",)
    _hidden: bytes

    def __init__(self, value: bytes | str | Secret) -> None:
        """Hide bytes, a text as UTF-8, or what is hidden already."""
        shown = value.reveal() if isinstance(value, Secret) else value
        object.__setattr__(self, "_hidden", shown.encode() if isinstance(shown, str) else bytes(shown))

    def reveal(self) -> bytes:
        """Return the bytes: for where they are used, never for a name of a longer life or a sentence."""
        return self._hidden

    def text(self) -> str:
        """Return them as the text that they are."""
        return self._hidden.decode()

    def __len__(self) -> int:
        return len(self._hidden)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Secret):
            return compare_digest(self._hidden, other._hidden)
        return compare_digest(self._hidden, other) if isinstance(other, bytes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._hidden)

    def __repr__(self) -> str:
        return SHOWN

    def __format__(self, form: str) -> str:
        return SHOWN

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a secret does not change: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a secret does not change: {name}")

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, _known: dict[int, Any]) -> Secret:
        return self

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("a secret is not pickled: send what names it")


HIDDEN: Final = 2
"""From this format of a match's log on nobody is told which games of other tables have the same deals."""


def hides_deals(group: str, log_format: int) -> bool:
    """Return whether other tables, those of its group, may have a match's deals, and nobody is told in which games."""
    return bool(group) and log_format >= HIDDEN


def commitment(seed: Secret, match: str, group: str, log_format: int) -> bytes:
    """Return the SHA-256 that commits a match to its seed.

    All tables of a group have one seed; each commits to it by its own name, so that nobody sees which ones they are.
    """
    apart = f"lastcard/table/1\n{match}\n".encode() if hides_deals(group, log_format) else b""
    return sha256(apart + seed.reveal()).digest()
