"""What the supervisor knows of a process before it starts it."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lastcard.errors import ExitCode

READY: Final = "READY "
"""How the one line begins by which a process says that it is ready; a JSON object follows."""

LAPSED: Final[int] = ExitCode.LAPSED
"""Exit code of a referee that lost its beat: it is restarted at once, as a new incarnation."""

Probe = Callable[[], Awaitable[Mapping[str, str]]]
"""Returns what the process would have said in its READY line, once it answers."""


class Stage(enum.IntEnum):
    """When a process is asked to stop, first to last; tens apart, it is only asked when those before have ended."""

    LADDER = 10
    BEAT = 11
    WORKER = 12
    REFEREE = 20
    BOT = 30
    STORE = 40


@dataclass(frozen=True, slots=True)
class Part:
    """One process of the house."""

    name: str
    """Unique, also the name of its log file: `referee-0`."""
    command: tuple[str, ...]
    """Program and arguments."""
    stage: Stage
    """When it stops."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What it sees beside the supervisor's own environment."""
    restarts: bool = True
    """False: its end is the end of everything."""
    done: frozenset[int] = frozenset()
    """Exit codes after which it is not started again, and everything else goes on."""
    probe: Probe | None = None
    """How to see that it is ready; None: it prints a READY line."""
    start_s: float = 60.0
    """It has to be ready by then."""
    grace_s: float = 10.0
    """From SIGTERM to SIGKILL."""
