"""`lastcard demo`: everything on this machine, house bots that play a round robin, and the table at the end."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import click

from ladder import shapes
from ladder.store.local import Fsync
from lastcard.console import counted, print_json
from lastcard.errors import ExitCode
from lastcard.secret import Secret
from workers.house.doors import Doors
from workers.house.folder import StateFolder
from workers.house.house import HousePlan, open_house
from workers.house.interrupt import InterruptedBySignalError, run_until_signal
from workers.house.public import PublicServices
from workers.house.supervisor import PartFailedError
from workers.house.up import say, say_stopping, show_doors, show_settings
from workers.tournaments.life import State
from workers.tournaments.progress import progress
from workers.tournaments.spec import MEETINGS, MOST_MEETINGS, TournamentSpec
from workers.tournaments.tournament_status import TournamentStatus
from workers.tournaments.tournament_text import show_tournament

BOTS: Final = ("random", "first", "greedy", "careful")
FORMAT: Final = "uno-classic-2"
NAME: Final = "demo"
SETTINGS: Final = {
    "LASTCARD_TICK_MS": "1000",  # nobody wants to wait five seconds for the last match to be rated
    "LASTCARD_LUCK": "0",  # its table is that of the games as they were played, whenever one looks
    "LASTCARD_TENANT": "main",
    "LASTCARD_REGISTRATION": "open",
    "LASTCARD_TLS_CERT_FILE": "",
    "LASTCARD_TLS_KEY_FILE": "",
}
"""What the processes are told; what the person has set for another installation is none of the demo's business."""
SEED: Final = 1
"""Of the schedule, of the deals and of the bots: the same demo again has the same results."""


@dataclass(frozen=True, slots=True)
class DemoWish:
    """What the person asked for."""

    doors: Doors
    meetings: int = MEETINGS
    workers: int = 1
    store_url: str | None = None
    leave: bool = False
    """End after the tournament."""
    as_json: bool = False
    keep: bool = False
    """Keep the state folder."""
    seed: int = SEED

    @property
    def tournament(self) -> TournamentSpec:
        """The sample tournament."""
        return TournamentSpec(NAME, FORMAT, BOTS, meetings=self.meetings, schedule_seed=self.seed)

    @property
    def deal_seed(self) -> Secret:
        """What its deals come from, together with the nonces that the bots derive from the seed."""
        return Secret(sha256(f"lastcard demo {self.seed}".encode()).digest())


async def play(wish: DemoWish, plan: HousePlan) -> TournamentStatus:
    """Bring everything up, play the tournament, show its table, and stay until it is told to stop.

    Returns:
        The tournament, if it is to end after it.

    """
    started = time.monotonic()
    async with open_house(plan, say) as house:
        say(f"store: {house.store_chosen}")
        with contextlib.closing(PublicServices(house)) as services:
            await house.supervisor.start_all(*await services.house_bots(BOTS, wish.seed))
            processes = counted(len(house.supervisor.children), "process", "processes")
            say(f"{processes} run after {time.monotonic() - started:.1f} s")
            show_doors(house)
            status = await tournament(services, wish.tournament, wish.deal_seed)
        say(f"the tournament is {status.state} {time.monotonic() - started:.1f} s after the start")
        show(status, as_json=wish.as_json)
        if not wish.leave:
            show_doors(house)
            show_settings(house)
            say("it goes on running; Ctrl-C stops everything")
            await asyncio.Event().wait()
    return status


async def tournament(services: PublicServices, spec: TournamentSpec, deal_seed: Secret) -> TournamentStatus:
    """Create a tournament and show its progress until it has ended."""
    status = await services.create(spec, deal_seed)
    with progress() as view:
        async for status in services.watch(spec.name):
            view.show(status)
    return status


def show(status: TournamentStatus, *, as_json: bool) -> None:
    """Print the table of a tournament."""
    if as_json:
        print_json({"standings": [shapes.standing(row) for row in status.table.standings]})
    else:
        show_tournament(status)
        sys.stdout.flush()


@contextlib.contextmanager
def temporary_folder(*, keep: bool) -> Iterator[StateFolder]:
    """Hold a fresh state folder; it is removed at the end unless it is to be kept or a process failed."""
    root = Path(tempfile.mkdtemp(prefix="lastcard-"))
    try:
        yield StateFolder(root)
    except PartFailedError:
        keep = True
        raise
    finally:
        if keep:
            say(f"state and logs are kept in {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)


async def run(wish: DemoWish) -> TournamentStatus:
    """Play in a folder of its own; returns the tournament."""
    with temporary_folder(keep=wish.keep) as folder:
        return await play(wish, HousePlan(folder, wish.doors, wish.workers, wish.store_url, Fsync.EVERYSEC, SETTINGS))


@click.command()
@click.option(
    "--meetings", type=click.IntRange(1, MOST_MEETINGS), default=MEETINGS, show_default=True, help="Of each pairing."
)
@click.option(
    "--seed",
    type=click.IntRange(1, 2**63 - 1),
    default=SEED,
    show_default=True,
    help="Of schedule, deals and bots: the same again, the same results.",
)
@click.option("--exit", "leave", is_flag=True, help="End after the tournament.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON, and nothing else on stdout.")
@click.option("--keep", is_flag=True, help="Keep the state folder.")
@click.option("--redis-url", help="A store that runs already and may be written to  [default: one of its own]")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Celery workers.")
@click.option("--play", metavar="HOST:PORT", help="Where bots dial in  [default: a free port]")
@click.option("--grpc", metavar="HOST:PORT", help="Where the ladder listens  [default: a free port]")
@click.option("--web", metavar="HOST:PORT", help="Where its pages are  [default: a free port]")
@click.option("--metrics", metavar="HOST:PORT", help="Where its exporter listens  [default: a free port]")
@click.option("--referee-metrics", metavar="HOST:PORT", help="The referee's exporter  [default: a free port]")
def demo(
    *,
    meetings: int,
    seed: int,
    leave: bool,
    as_json: bool,
    keep: bool,
    redis_url: str | None,
    workers: int,
    **given: str | None,
) -> int:
    """Run everything on this machine with house bots, play a sample tournament, and show its table.

    Ports are free ones, and state is in a temporary folder that is removed at the end. Ctrl-C stops everything.
    """
    doors = Doors.free().moved(**given)
    wish = DemoWish(doors, meetings, workers, redis_url, leave=leave, as_json=as_json, keep=keep, seed=seed)
    try:
        status = run_until_signal(run(wish), say_stopping)
    except InterruptedBySignalError as end:
        say("stopped; nothing runs any more")
        return end.exit_code
    return ExitCode.DONE if status.state is State.FINISHED else ExitCode.NEGATIVE
