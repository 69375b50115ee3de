"""The bot in JavaScript is installed as for the tests of the library."""

from __future__ import annotations

from tests.sdk.conftest import installed

__all__ = ["installed"]
