"""Where a request comes from, as limits count it: the same address under which calls are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request

from lastcard.proxies import Proxies


@dataclass(frozen=True, slots=True)
class HttpCall:
    """A request as a call, of which a proxy may say whose it is."""

    request: Request

    def peer(self) -> str:
        """Return who is at the other end."""
        client = self.request.client
        if client is None:
            return "unknown"
        return f"ipv6:[{client.host}]:{client.port}" if ":" in client.host else f"ipv4:{client.host}:{client.port}"

    def invocation_metadata(self) -> Iterable[tuple[str, str]]:
        """Return the headers."""
        return self.request.headers.items()


def counted(request: Request, proxies: Proxies) -> str:
    """Return under what limits count a request."""
    return proxies.counted(HttpCall(request))
