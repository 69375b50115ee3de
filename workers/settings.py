"""What a worker and a beat are told by their environment."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from ladder.store.archive import Archive
from ladder.store.keys import check_tenant
from ladder.store.url import check_url
from lastcard.environment import bad_setting, store_url, switch, whole

__all__ = ["WorkerSettings", "archive_of", "broker_of", "celery_url"]

TICK_MS: Final = 5_000
PROCESSES: Final = 2
MOST_S: Final = 30 * 86_400
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
NAME_RULE: Final = "1 to 100 letters, digits, dots, hyphens and underscores"


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Everything that a worker or a beat is told; the same values suit both."""

    redis_url: str = field(repr=False)
    """The ledger."""
    broker_url: str = field(repr=False)
    """Celery's broker: an instance or at least a database of its own."""
    tick_ms: int = TICK_MS
    """How often beat asks what is due."""
    reconcile_ms: int = 15_000
    """How often lost doorbells and dead owners are looked for."""
    processes: int = PROCESSES
    """Processes of one worker that do tasks."""
    name: str = "worker"
    """Of this worker; no two share one."""
    tenant: str = "main"
    """Whose part of the ledger; each tenant has a broker of its own."""
    allow_volatile: bool = False
    """Work with a ledger that may lose what it acknowledged (tests)."""
    archive: str = ""
    """Folder or URL of the archive; empty: as the environment says."""
    archive_ms: int = 60_000
    """How often it is asked what may go there."""
    archive_after_ms: int = 600_000
    """So long a settled match stays in the ledger with its log."""
    luck: bool = True
    """Compute what chance gave in the matches that are settled here."""
    luck_games: bool = True
    """Have the house play the cards of rounds where that may make ratings surer."""

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None) -> WorkerSettings:
        """Return the settings of an environment (default: of this process).

        Raises:
            InputError: a variable is missing or is not what it may be.
        """
        env = os.environ if environ is None else environ
        ledger = store_url(env)
        broker = env.get("LASTCARD_BROKER_URL") or broker_of(ledger)
        return cls(
            redis_url=ledger,
            broker_url=check_url(broker, "LASTCARD_BROKER_URL"),
            tick_ms=whole(env, "LASTCARD_TICK_MS", TICK_MS, 100, 60_000),
            processes=whole(env, "LASTCARD_WORKER_PROCESSES", PROCESSES, 1, 64),
            name=named(env.get("LASTCARD_WORKER_NAME") or f"{socket.gethostname()}-{os.getpid()}"),
            tenant=check_tenant(env.get("LASTCARD_TENANT") or "main"),
            allow_volatile=switch(env, "LASTCARD_ALLOW_VOLATILE"),
            archive=Archive.of(env).url,
            archive_after_ms=1000 * whole(env, "LASTCARD_ARCHIVE_AFTER_S", 600, 0, MOST_S),
            luck=switch(env, "LASTCARD_LUCK", default=True),
            luck_games=switch(env, "LASTCARD_LUCK_GAMES", default=True),
        )


def named(name: str) -> str:
    """Return the name of a worker, if a queue can be called after it.

    Raises:
        InputError: it cannot.
    """
    if not NAME.fullmatch(name):
        sentence = f"a worker cannot be called {name!r}: {NAME_RULE}"
        raise bad_setting("LASTCARD_WORKER_NAME", name, sentence, NAME_RULE)
    return name


def archive_of(settings: WorkerSettings) -> Archive:
    """Return the archive that settings name."""
    return Archive(settings.archive) if settings.archive else Archive.of()


def broker_of(ledger: str) -> str:
    """Return the URL of the database after the ledger's, on the same server.

    Raises:
        BadInputError: the ledger's URL is none.
    """
    parts = urlsplit(check_url(ledger, "LASTCARD_REDIS_URL"))
    query = parse_qs(parts.query)
    if parts.scheme == "unix" or "db" in query:
        database = int(query.pop("db", ["0"])[0]) + 1
        return _joined(parts.scheme, parts.netloc, parts.path, urlencode({**query, "db": database}, doseq=True))
    return _joined(parts.scheme, parts.netloc, f"/{int(parts.path.strip('/') or 0) + 1}", parts.query)


def celery_url(broker: str) -> str:
    """Return a broker's URL as Celery spells it: sockets have another scheme there."""
    parts = urlsplit(broker)
    if parts.scheme != "unix":
        return broker
    query = parse_qs(parts.query)
    host = urlencode({"virtual_host": query.get("db", ["0"])[0]})
    return f"redis+socket://{parts.netloc}{parts.path}?{host}"


def _joined(scheme: str, netloc: str, path: str, query: str) -> str:
    """Return a URL; a path without a host keeps its three slashes."""
    joined = urlunsplit((scheme, netloc, path, query, ""))
    return joined if netloc else joined.replace(f"{scheme}:/", f"{scheme}:///", 1).replace("////", "///")
