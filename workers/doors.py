"""Where the processes of one machine listen."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import Final, Self

from lastcard.errors import InputError
from workers import ports

PORTS: Final = {"play": 7410, "grpc": 7420, "web": 7421, "metrics": 7430, "referee-metrics": 7431}
"""The well-known ones."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Addresses, each as `HOST:PORT`."""

    play: str
    """Where bots dial in."""
    grpc: str
    web: str
    metrics: str
    """Of the ladder, which also speaks for workers and stores."""
    referee_metrics: str

    @classmethod
    def standard(cls) -> Self:
        """Return the well-known ports, on loopback."""
        return cls(*(f"{ports.LOOPBACK}:{port}" for port in PORTS.values()))

    @classmethod
    def free(cls) -> Self:
        """Return ports that nobody uses now, on loopback."""
        return cls(*(f"{ports.LOOPBACK}:{port}" for port in ports.free(len(PORTS))))

    def moved(self, *, play: str | None, grpc: str | None, web: str | None, metrics: str | None) -> Self:
        """Return the same doors with these in place of their own.

        Raises:
            InputError: one of them is no address.

        """
        given = {"play": play, "grpc": grpc, "web": web, "metrics": metrics}
        wanted = {name: address for name, address in given.items() if address is not None}
        for name, address in wanted.items():
            ports.parsed(address, name)
        return replace(self, **wanted)

    def require_free(self) -> None:
        """Do nothing if all of them can be listened on.

        Raises:
            InputError: one is taken, and by whom; or two of them are the same.

        """
        seen: dict[str, str] = {}
        for name, address in zip(PORTS, astuple(self), strict=True):
            ports.require_free(address, name)
            if ports.parsed(address, name)[1] and address in seen:
                message = f"{address} is wanted for {seen[address]} and for {name}: choose another with --{name}"
                raise InputError("PORT_TAKEN", message, field=name, value=address)
            seen[address] = name

    def all_metrics(self) -> tuple[str, str]:
        """Return the pages that Prometheus reads."""
        return f"http://{self.referee_metrics}/metrics", f"http://{self.metrics}/metrics"
