"""All processes of one machine: which there are, what they are told, and the order in which they come up."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ladder.store import Store
from ladder.store.errors import BadTokenError, StoreError, StoreLoadingError, StoreUnavailableError
from ladder.store.local import LOAD_SECONDS, Fsync, command, load_copy, own_url
from ladder.store.pepper import load as load_pepper
from ladder.store.server import ServerProgram, find_program
from lastcard.errors import InputError
from lastcard.parser import require_fast_parser
from lastcard.secret import Secret
from referee import formats
from workers.house import briefing
from workers.house.doors import Doors
from workers.house.folder import StateFolder, alone, write_secret
from workers.house.part import Part, Stage
from workers.house.supervisor import Supervisor
from workers.settings import broker_of

REFEREE_GRACE_S: Final = 30.0
"""A drain may take 20 s."""
STORE_GRACE_S: Final = 60.0
"""Writing everything out may take its time."""
WORKER_GRACE_S: Final = 40.0
"""Celery gives running tasks 30 s."""
OPERATOR_SCOPES: Final = frozenset({"admin", "organiser"})
OPERATOR: Final = "operator"
TENANT: Final = "main"


@dataclass(frozen=True, slots=True)
class HousePlan:
    """What is to run on this machine."""

    folder: StateFolder
    doors: Doors
    workers: int = 1
    store_url: str | None = None
    """A store that runs already; None: one of our own, with its files in the folder."""
    fsync: Fsync = Fsync.ALWAYS
    environment: Mapping[str, str] = field(default_factory=dict)
    """Further settings of all processes."""


@dataclass(frozen=True, slots=True)
class House:
    """Processes that run, and what a caller needs to talk to them."""

    plan: HousePlan
    supervisor: Supervisor
    store_url: str
    store_chosen: str
    environment: Mapping[str, str]
    operator_token: Path

    @property
    def servers(self) -> str:
        """Where bots dial in, as they take it."""
        return ",".join(f"{self._tls}{one.play}" for one in self.plan.doors.all_referees())

    @property
    def ladder(self) -> str:
        """Where the ladder answers calls, as commands take it."""
        return f"{self._tls}{self.plan.doors.grpc}"

    @property
    def pages(self) -> str:
        """Where the pages are, for a browser."""
        return f"{'https' if self.secure else 'http'}://{self.plan.doors.web}/"

    @property
    def secure(self) -> bool:
        """Whether TLS is spoken."""
        return bool({**os.environ, **self.environment}.get("LASTCARD_TLS_CERT_FILE"))

    @property
    def _tls(self) -> str:
        """What stands before an address at which TLS is spoken."""
        return "tls://" if self.secure else ""

    def part(
        self, name: str, stage: Stage, *words: str, done: frozenset[int] = frozenset(), grace_s: float = 10.0
    ) -> Part:
        """Return a process of Python that sees what all processes of this house see."""
        return Part(name, (sys.executable, *words), stage, self.environment, done=done, grace_s=grace_s)


def lastcard(*words: str) -> tuple[str, ...]:
    """Return the words after `python` that run a command of ours."""
    return ("-m", "lastcard.cli", *words)


def environment(plan: HousePlan, store_url: str) -> dict[str, str]:
    """Return what every process of the house is told."""
    broker = os.environ.get("LASTCARD_BROKER_URL") if plan.store_url else None
    return {
        "LASTCARD_REDIS_URL": store_url,
        "LASTCARD_BROKER_URL": broker or broker_of(store_url),
        "LASTCARD_STATE": str(plan.folder.root),
        "LASTCARD_PEPPER_FILE": str(plan.folder.pepper),
        **plan.environment,
    }


def store_part(plan: HousePlan, program: ServerProgram, url: str) -> Part:
    """Return the store that this house brings along, with its files in the state folder."""
    words = (*command(program, plan.folder.store, url, fsync=plan.fsync), "--logfile", "")
    probe = functools.partial(answering, url)
    return Part("store", words, Stage.STORE, probe=probe, start_s=LOAD_SECONDS, grace_s=STORE_GRACE_S)


async def answering(url: str) -> Mapping[str, str]:
    """Return when a store of our own answers a PING with PONG.

    Raises:
        OSError: it does not, or not yet.

    """
    parts = urlsplit(url)
    if parts.scheme == "unix":
        reader, writer = await asyncio.open_unix_connection(parts.path)
    else:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(b"PING\r\n")
        said = await reader.readline()
    finally:
        writer.close()
    if not said.startswith(b"+PONG"):
        raise ConnectionRefusedError(said.decode("ascii", "replace").strip())
    return {"url": url}


def processes(house: House) -> list[Part]:
    """Return referees, workers, beat and ladder."""
    doors = house.plan.doors
    referees = [
        house.part(
            f"referee-{index}" if doors.referees > 1 else "referee",
            Stage.REFEREE,
            *lastcard("serve", "referee", "--play", one.play, "--trunk", one.trunk, "--metrics", one.metrics),
            grace_s=REFEREE_GRACE_S,
        )
        for index, one in enumerate(doors.all_referees())
    ]
    workers = [
        house.part(f"worker-{index}", Stage.WORKER, *lastcard("serve", "worker"), grace_s=WORKER_GRACE_S)
        for index in range(house.plan.workers)
    ]
    addresses = ("--grpc", doors.grpc, "--web", doors.web, "--metrics", doors.metrics)
    ladder = house.part("ladder", Stage.LADDER, *lastcard("serve", "ladder", *addresses))
    return [*referees, *workers, house.part("beat", Stage.BEAT, *lastcard("serve", "beat")), ladder]


def with_own_store(plan: HousePlan) -> HousePlan:
    """Return the plan without a store that is given but is the one of its folder, which it brings along itself.

    The `export` line of an earlier run names it.
    """
    own = plan.store_url is not None and plan.folder.owns(plan.store_url)
    return replace(plan, store_url=None) if own else plan


async def start_store(plan: HousePlan, program: ServerProgram, url: str, supervisor: Supervisor) -> str:
    """Start the store of this house, with what a copy alone in its folder holds; returns what to say of that.

    Raises:
        NoServerError: the copy cannot be loaded.
        PartFailedError: it did not become ready.

    """
    given_up = threading.Event()  # or whoever interrupts this would wait until all is loaded
    try:
        copy = await asyncio.to_thread(load_copy, program, plan.folder.store, given_up.is_set)
    finally:
        given_up.set()
    await supervisor.start(store_part(plan, program, url))
    return f"the store begins with what the copy {copy} holds" if copy else ""


def give_operator_token(folder: StateFolder, store_url: str, settings: Mapping[str, str]) -> Path:
    """Return the file with the operator's token, which is made when there is none that the store knows."""
    pepper = load_pepper(folder.pepper)
    now_ms = time.time_ns() // 1_000_000
    with opened(store_url, settings, pepper) as store:
        if not known(store, folder.operator_token, now_ms):
            write_secret(folder.operator_token, store.registry.operator(OPERATOR, set(OPERATOR_SCOPES), now_ms=now_ms))
    return folder.operator_token


def operator_token(plan: HousePlan, store_url: str, settings: Mapping[str, str]) -> Path:
    """Return the file with the operator's token.

    Raises:
        StoreUnavailableError: the store does not answer; where it was given, the text says how to do without it.

    """
    try:
        return give_operator_token(plan.folder, store_url, settings)
    except StoreUnavailableError as error:
        if plan.store_url is None or isinstance(error, StoreLoadingError):
            raise
        advice = "start it, or unset LASTCARD_REDIS_URL and leave out --redis-url: then a store is brought along"
        raise StoreUnavailableError(f"{error}; {advice}", value=error.value) from error


def opened(store_url: str, settings: Mapping[str, str], pepper: Secret | None = None) -> Store:
    """Return the store as the processes with these settings see it."""
    return Store.open(
        store_url,
        tenant=settings.get("LASTCARD_TENANT") or TENANT,
        role="supervisor",
        pepper=pepper,
        allow_volatile=settings.get("LASTCARD_ALLOW_VOLATILE") == "1",
    )


def known(store: Store, file: Path, now_ms: int) -> bool:
    """Return whether there is a token in a file and the store accepts it; what is no text is no token.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        store.registry.authenticate(file.read_text("ascii").strip(), now_ms=now_ms)
    except (FileNotFoundError, UnicodeDecodeError, BadTokenError):
        return False
    except OSError as error:
        message = f"the token file {file} cannot be read: {error.strerror}; it has to be readable by who runs this"
        raise InputError("TOKEN_FILE", message, field="token_file", value=str(file)) from error
    return True


class Undertaker:
    """Takes the beats of dead referees out of the ledger, so that others go on with their matches at once."""

    def __init__(self, open_store: Callable[[], Store], say: Callable[[str], None]) -> None:
        self._open_store, self._say = open_store, say

    async def __call__(self, part: Part, addresses: Mapping[str, str]) -> None:
        """Forget the beat of a referee that has ended; where the store is away it runs out by itself."""
        if part.stage is Stage.REFEREE and "incarnation" in addresses:
            try:
                await asyncio.to_thread(self._leave, addresses["incarnation"])
            except StoreError as error:
                self._say(f"The beat of {part.name} runs out by itself: {error}")

    def _leave(self, incarnation: str) -> None:
        with self._open_store() as store:
            store.matches.leave(incarnation)


@asynccontextmanager
async def open_house(plan: HousePlan, say: Callable[[str], None]) -> AsyncIterator[House]:
    """Bring up all processes of a plan; leaving stops them in order.

    Raises:
        InputError: a port is taken, the folder is in use or cannot be written, a setting or the file of formats is no
            good.
        NoServerError: there is no store and none that could be started.
        PartFailedError: a process did not become ready, or ended for good.

    """
    require_fast_parser()
    formats.own()
    plan = with_own_store(plan)
    program = None if plan.store_url else find_program()
    url = plan.store_url or own_url(plan.folder.store)
    told = {**os.environ, **environment(plan, url)}
    briefing.check(told, plan.doors)
    if not plan.folder.root.exists():
        plan.doors.require_free()  # what is refused leaves no folder behind
    plan.folder.prepare()
    with alone(plan.folder):
        briefing.check_archive(told)
        plan.doors.require_free()
        settings = {**os.environ, **plan.environment}
        undertaker = Undertaker(lambda: opened(url, settings), say)
        async with Supervisor(plan.folder.logs, say, undertaker) as supervisor:
            if program and (told_of_copy := await start_store(plan, program, url, supervisor)):
                say(told_of_copy)
            token = await asyncio.to_thread(operator_token, plan, url, settings)
            house = House(plan, supervisor, url, str(program or url), environment(plan, url), token)
            await supervisor.start_all(*processes(house))
            yield house
