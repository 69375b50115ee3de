"""Where the processes of one machine listen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from lastcard.address import Address
from lastcard.errors import InputError
from workers.house import ports

PORTS: Final = {"play": 7410, "grpc": 7420, "web": 7421, "metrics": 7430, "referee-metrics": 7431}
"""The well-known ones: what `lastcard up` listens on when it is told nothing, by the options that say otherwise."""
TRUNK_ABOVE: Final = 100
"""The trunk of a referee listens so many ports above where bots dial in, on loopback: 7510."""
NO_TRUNK: Final = "none"


@dataclass(frozen=True, slots=True)
class RefereeDoors:
    """Addresses of one referee."""

    play: str
    """Where bots dial in."""
    trunk: str
    """Where other referees do; `none`: there are no others."""
    metrics: str


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
    referees: int = 1
    """How many; the addresses of the others follow those of the first."""

    @classmethod
    def standard(cls) -> Self:
        """Return the well-known ports, on loopback."""
        return cls._on(PORTS.values())

    @classmethod
    def free(cls) -> Self:
        """Return ports that nobody uses now, on loopback."""
        return cls._on(ports.free(len(PORTS)))

    @classmethod
    def _on(cls, numbers: Iterable[int]) -> Self:
        play, grpc, web, metrics, referee_metrics = (f"{ports.LOOPBACK}:{number}" for number in numbers)
        return cls(play, grpc, web, metrics, referee_metrics)

    def moved(self, **given: str | None) -> Self:
        """Return the same doors with those of these that are given, by field, in place of their own.

        Port 0 stands for one that nobody uses now: chosen here, so that all parts, and whoever is told, know it.

        Raises:
            InputError: one of them is no address.

        """
        wanted = {name: address for name, address in given.items() if address is not None}
        spare = iter(ports.free(len(wanted)))
        for name, address in wanted.items():
            if not Address.parse(address, name.replace("_", "-")).port:
                wanted[name] = f"{address.rpartition(':')[0]}:{next(spare)}"
        return replace(self, **wanted)  # type: ignore[arg-type]  # all of them are addresses

    def of_referee(self, index: int) -> RefereeDoors:
        """Return the addresses of one referee, which count up from those of the first."""
        play = _next(self.play, index)
        trunk = NO_TRUNK
        if self.referees > 1:
            trunk = f"{ports.LOOPBACK}:{_next(play, TRUNK_ABOVE).rpartition(':')[2]}"
        return RefereeDoors(play, trunk, _next(self.referee_metrics, index))

    def all_referees(self) -> list[RefereeDoors]:
        """Return the addresses of all referees."""
        return [self.of_referee(index) for index in range(self.referees)]

    def require_free(self) -> None:
        """Do nothing if all of them can be listened on.

        Raises:
            InputError: one is taken, and by whom; or two of them are the same.

        """
        seen: dict[str, str] = {}
        for name, address in self._named():
            ports.require_free(address, name)
            if address in seen:
                message = f"{address} is wanted for {seen[address]} and for {name}: choose another with --{name}"
                raise InputError("PORT_TAKEN", message, field=name, value=address)
            seen[address] = name

    def _named(self) -> list[tuple[str, str]]:
        """Return every address with the option that chooses it."""
        named = [("play", self.play), ("grpc", self.grpc), ("web", self.web), ("metrics", self.metrics)]
        for index, doors in enumerate(self.all_referees()):
            named += [("play", doors.play)] if index else []
            named += [("referee-metrics", doors.metrics)]
            named += [("trunk", doors.trunk)] if doors.trunk != NO_TRUNK else []
        return named

    def all_metrics(self) -> tuple[str, ...]:
        """Return the pages that Prometheus reads."""
        pages = [*(doors.metrics for doors in self.all_referees()), self.metrics]
        return tuple(f"http://{page}/metrics" for page in pages)


def _next(address: str, step: int) -> str:
    """Return the address that many ports higher."""
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + step}"
