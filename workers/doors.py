"""Where the processes of one machine listen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from lastcard.errors import InputError
from workers import ports

MOST_REFEREES: Final = 10
"""Their well-known ports lie side by side."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Addresses, each as `HOST:PORT`; of the referees one each."""

    play: tuple[str, ...]
    referee_metrics: tuple[str, ...]
    grpc: str
    web: str
    metrics: str

    @classmethod
    def standard(cls, referees: int) -> Self:
        """Return the well-known ports, on loopback."""
        play, metrics = beside(f"{ports.LOOPBACK}:7410", referees), beside(f"{ports.LOOPBACK}:7431", referees)
        return cls(play, metrics, *(f"{ports.LOOPBACK}:{port}" for port in (7420, 7421, 7430)))

    @classmethod
    def free(cls, referees: int) -> Self:
        """Return ports that nobody uses now, on loopback."""
        found = tuple(f"{ports.LOOPBACK}:{port}" for port in ports.free(2 * referees + 3))
        return cls(found[3 : 3 + referees], found[3 + referees :], *found[:3])

    def moved(self, *, play: str | None, grpc: str | None, web: str | None, metrics: str | None) -> Self:
        """Return the same doors with these in place of their own; of several referees, `play` is the first one's.

        Raises:
            InputError: one of them is no address.

        """
        for name, address in {"play": play, "grpc": grpc, "web": web, "metrics": metrics}.items():
            if address is not None:
                ports.parsed(address, name)
        return type(self)(
            beside(play, len(self.play)) if play else self.play,
            self.referee_metrics,
            grpc or self.grpc,
            web or self.web,
            metrics or self.metrics,
        )

    def require_free(self) -> None:
        """Do nothing if all of them can be listened on.

        Raises:
            InputError: one is taken, and by whom; or two of them are the same.

        """
        named = [("play", address) for address in self.play]
        named += [("referee-metrics", address) for address in self.referee_metrics]
        named += [("grpc", self.grpc), ("web", self.web), ("metrics", self.metrics)]
        seen: dict[str, str] = {}
        for name, address in named:
            ports.require_free(address, name)
            if ports.parsed(address, name)[1] and address in seen:
                message = f"{address} is wanted for {seen[address]} and for {name}: choose another with --{name}"
                raise InputError("PORT_TAKEN", message, field=name, value=address)
            seen[address] = name


def beside(address: str, count: int) -> tuple[str, ...]:
    """Return that many addresses with ports side by side; of port 0, always port 0."""
    host, port = ports.parsed(address, "play")
    shown = f"[{host}]" if ":" in host else host
    return tuple(f"{shown}:{port + index if port else 0}" for index in range(count))
