"""`lastcard serve worker|beat|ladder`: one process each, told by its environment what it works with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from referee.setting_options import PLAY_OPTIONS, environment, setting_options

__all__ = ["serve_beat", "serve_ladder", "serve_worker"]


@click.command()
@click.option("--name", help="Of this worker; no two share one  [default: host and process id]")
@click.option("--processes", type=click.IntRange(1, 64), help="Processes that do tasks  [default: 2]")
def serve_worker(name: str | None, processes: int | None) -> int:
    """Run a worker: it plans, rates and reconciles. LASTCARD_REDIS_URL says where the ledger is."""
    from ladder.store import logs
    from referee import formats
    from workers import serve_worker, startup
    from workers.app import make_app
    from workers.settings import WorkerSettings, named

    formats.own()
    told = WorkerSettings.of()
    settings = replace(told, name=named(name or told.name), processes=processes or told.processes)
    startup.reach_archive(settings)
    startup.reach_ledger(settings)
    startup.reach_broker(settings)
    logs.configure()
    return serve_worker.run(make_app(settings), settings)


@click.command()
def serve_beat() -> None:
    """Run a beat: it says when to look. Any number of beats is correct."""
    from ladder.store import logs
    from workers import beat, startup
    from workers.broker import sender
    from workers.settings import WorkerSettings

    settings = WorkerSettings.of()
    startup.reach_broker(settings)
    logs.configure()
    beat.run(sender(settings))


@click.command()
@click.option("--grpc", metavar="HOST:PORT", help="Where the services listen  [default: 127.0.0.1:7420]")
@click.option("--web", metavar="HOST:PORT", help="Where pages and API listen  [default: 127.0.0.1:7421]")
@click.option("--metrics", metavar="HOST:PORT", help="Where Prometheus looks  [default: 127.0.0.1:7430]")
@setting_options(*PLAY_OPTIONS)
def serve_ladder(grpc: str | None, web: str | None, metrics: str | None, **given: str | None) -> None:
    """Run the ladder: registration, standings, tournaments, pages and metrics; port 0 takes a free one."""
    from ladder.settings import LadderSettings
    from ladder.store import logs
    from lastcard.parser import require_fast_parser
    from referee import descriptors, formats
    from referee.settings import CERTIFICATE, KEY
    from referee.tls import KeyPair
    from workers import serve_ladder
    from workers.settings import WorkerSettings

    require_fast_parser()
    formats.own()
    told = LadderSettings.of(environment(given))
    settings = replace(told, grpc=grpc or told.grpc, web=web or told.web, metrics=metrics or told.metrics).checked()
    if settings.certificate_file:
        KeyPair(Path(settings.certificate_file), Path(settings.key_file), (CERTIFICATE, KEY)).read()
    logs.configure()
    descriptors.allow()
    serve_ladder.run(settings, WorkerSettings.of())
