"""Values of environment variables, checked: one sentence for each way in which they may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lastcard.errors import InputError

STORES: Final = ("redis://HOST:PORT/DB", "unix:///PATH")


def store_url(env: Mapping[str, str]) -> str:
    """Return the URL of the store.

    Raises:
        InputError: none is named.
    """
    url = env.get("LASTCARD_REDIS_URL", "")
    if not url:
        way = "run `lastcard up`, which brings one and prints the line to export"
        sentence = f"LASTCARD_REDIS_URL is not set: give the store's URL, or {way}"
        raise InputError("NO_STORE", sentence, field="LASTCARD_REDIS_URL", allowed=STORES)
    return url


def switch(env: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    """Return whether a variable is 1.

    Raises:
        InputError: it is neither 0 nor 1.
    """
    text = env.get(name, "")
    if text not in {"", "0", "1"}:
        raise bad_setting(name, text, f"{name}={text!r}: allowed 0, 1", "0", "1")
    return text == "1" if text else default


def whole(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """Return a whole number.

    Raises:
        InputError: it is none, or not between these.
    """
    text = env.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10) or not least <= int(text) <= most:
        raise bad_setting(name, text, f"{name}={text!r}: allowed {least} to {most}", f"{least} to {most}")
    return int(text)


def bad_setting(field: str, value: str, sentence: str, *allowed: str) -> InputError:
    """Return the refusal of a setting."""
    return InputError("BAD_SETTING", sentence, field=field, value=value, allowed=allowed)
