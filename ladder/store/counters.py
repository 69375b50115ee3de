"""Counters of processes that are not scraped: workers add here, the exporter reads."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows

REMEMBER_SECONDS: Final = 600
"""How long after a lost reply a call may be sent again without counting twice."""
_LABEL: Final = re.compile(r'([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True, init=False)
class Counter:
    """A counter with its labels, as Prometheus knows it. Labels come from closed sets, never from bots' authors."""

    name: str
    labels: tuple[tuple[str, str], ...]
    """In alphabetical order."""

    def __init__(self, name: str, labels: Mapping[str, str] | None = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "labels", tuple(sorted((labels or {}).items())))

    def __str__(self) -> str:
        inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in self.labels)
        return f"{self.name}{{{inside}}}"

    @classmethod
    def of(cls, text: str) -> "Counter":
        """The counter that is written so."""
        name, _, inside = text.partition("{")
        return cls(name, {label: _plain(value) for label, value in _LABEL.findall(inside)})


class Counters:
    """The counters of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("counter")

    def add(self, amounts: Mapping[Counter, int]) -> None:
        """Adds to counters, once, whatever the connection does."""
        if not amounts:
            return
        words = [word for counter, amount in amounts.items() for word in (str(counter), amount)]
        keys = (self._keys.count, self._keys.once(secrets.token_hex(12)))
        self._link.run(Call(script("count"), keys, (REMEMBER_SECONDS, *words)))

    def read(self) -> dict[Counter, int]:
        """All counters whose numbers can be read."""
        counts = sorted(self._link.texts(self._keys.count).items())
        return dict(self.unread.passing((text, partial(_counted, text, value)) for text, value in counts))


def _counted(text: str, value: str) -> tuple[Counter, int]:
    return Counter.of(text), int(value)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _plain(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)
