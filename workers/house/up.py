"""`lastcard up`: everything on this machine, with its state kept, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from lastcard.console import print_json
from lastcard.state import state_folder
from lastcard.tls import CA_FILE
from referee import formats
from referee.setting_options import PLAY_OPTIONS, named, setting_options
from workers.house import folder
from workers.house.doors import Doors
from workers.house.house import House, HousePlan, open_house
from workers.house.interrupt import InterruptedBySignalError, run_until_signal
from workers.house.supervisor import PartFailedError

LUCK: Final = "LASTCARD_LUCK"
"""Whether luck is taken out: who writes files of a tournament elsewhere has to know it, too."""


def say(text: str) -> None:
    """Tell a person at the terminal what happens, away from the output; where nobody reads it, that costs nothing."""
    try:
        sys.stderr.write(f"lastcard: {text}\n")
        sys.stderr.flush()
    except OSError:  # `up 2>&1 | tee` whose tee has gone, a full disk: what is said from now on is lost as well
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def say_stopping(number: signal.Signals) -> None:
    """Say that a signal was understood."""
    say(f"{number.name}: stopping everything in order; the same again ends it at once")


def show_doors(house: House) -> None:
    """Say what there is to look at."""
    say(f"  pages    {house.pages}")
    say(f"  metrics  {' '.join(house.plan.doors.all_metrics())}")
    say(f"  logs     {house.plan.folder.logs}")


def show_settings(house: House) -> None:
    """Say how to use it from another terminal."""
    authority, own_formats = os.environ.get(CA_FILE), os.environ.get(formats.VARIABLE)
    luck = {**os.environ, **house.environment}.get(LUCK)
    settings = {
        "LASTCARD_SERVER": house.servers,
        "LASTCARD_LADDER": house.ladder,
        "LASTCARD_REDIS_URL": house.store_url,
        "LASTCARD_STATE": house.plan.folder.root,
        "LASTCARD_TOKEN_FILE": house.operator_token,
        **({CA_FILE: Path(authority).absolute()} if authority and house.secure else {}),
        **({formats.VARIABLE: Path(own_formats).absolute()} if own_formats else {}),
        **({LUCK: luck} if luck else {}),
    }
    words = " ".join([*programs(), *(f"{name}={shlex.quote(str(value))}" for name, value in settings.items())])
    say("to use it from another terminal, type there:")
    sys.stderr.write(f"\nexport {words}\n\n")
    sys.stderr.flush()
    if house.secure and not authority:
        say(f"where no public authority has signed its certificate, name that of who has with {CA_FILE}, too")


def programs() -> tuple[str, ...]:
    """Return what puts the programs of this environment first on PATH; nothing where Python is the machine's own."""
    return (f'PATH={shlex.quote(str(Path(sys.prefix) / "bin"))}:"$PATH"',) if sys.prefix != sys.base_prefix else ()


def addresses(house: House) -> dict[str, object]:
    """Return what there is and where, as a program may use it."""
    return {
        "play": house.servers,
        "grpc": house.ladder,
        "web": house.pages,
        "metrics": list(house.plan.doors.all_metrics()),
        "store": house.store_url,
        "state": str(house.plan.folder.root),
        "operator_token_file": str(house.operator_token),
    }


async def stand(plan: HousePlan, *, as_json: bool) -> None:
    """Run the house until it is cancelled or fails."""
    runs = False
    try:
        async with open_house(plan, say) as house:
            if as_json:
                print_json(addresses(house))
            show_doors(house)
            show_settings(house)
            say("everything runs; Ctrl-C stops it")
            runs = True
            await asyncio.Event().wait()
    except PartFailedError as error:
        if not runs:
            raise
        kept = f"nothing is lost: the same command goes on with what is in {plan.folder.root}"
        raise PartFailedError(f"{error}\n  {kept}") from None


@click.command()
@click.option(
    "--state", "root", type=click.Path(path_type=Path), help="State folder  [default: ~/.local/state/lastcard]"
)
@click.option("--redis-url", envvar="LASTCARD_REDIS_URL", help="A store that runs already  [default: one of its own]")
@click.option("--referees", type=click.IntRange(1, 10), default=1, show_default=True, help="One a core at most.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Celery workers.")
@click.option("--play", metavar="HOST:PORT", help="Where bots dial in  [default: 127.0.0.1:7410]")
@click.option("--grpc", metavar="HOST:PORT", help="Where the ladder listens  [default: 127.0.0.1:7420]")
@click.option("--web", metavar="HOST:PORT", help="Where its pages are  [default: 127.0.0.1:7421]")
@click.option("--metrics", metavar="HOST:PORT", help="Where its exporter listens  [default: 127.0.0.1:7430]")
@click.option("--referee-metrics", metavar="HOST:PORT", help="The first referee's exporter  [default: 127.0.0.1:7431]")
@setting_options(*PLAY_OPTIONS)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON with all addresses when everything runs.")
def up(
    root: Path | None,
    redis_url: str | None,
    referees: int,
    workers: int,
    tls_cert: str | None,
    tls_key: str | None,
    trusted_proxies: str | None,
    *,
    as_json: bool,
    **given: str | None,
) -> int:
    """Run store, referees, workers, beat and ladder on this machine; Ctrl-C stops them in order."""
    state = folder.StateFolder((root or state_folder(os.environ)).absolute())
    doors = replace(Doors.standard().moved(**given), referees=referees)
    settings = named({"tls_cert": tls_cert, "tls_key": tls_key, "trusted_proxies": trusted_proxies})
    plan = HousePlan(state, doors, workers=workers, store_url=redis_url, environment=settings)
    try:
        run_until_signal(stand(plan, as_json=as_json), say_stopping)
    except InterruptedBySignalError as end:
        say("stopped; nothing runs any more")
        return end.exit_code
    return 0
