"""Commands of the referee."""

import click

from ladder.store import logs
from referee import settings
from referee.setting_options import PLAY_OPTIONS, TRUNK_OPTIONS, environment, setting_options


@click.command()
@click.option("--index", default=0, show_default=True, help="Number of this referee on the machine (0-9).")
@click.option("--play", metavar="HOST:PORT", help="Where bots dial in  [default: 127.0.0.1:7410 + index]")
@click.option(
    "--trunk",
    metavar="HOST:PORT",
    help="Where other referees dial in, or none  [default: 100 ports above --play, on 127.0.0.1]",
)
@click.option("--metrics", metavar="HOST:PORT", help="Where Prometheus scrapes  [default: 127.0.0.1:7431 + index]")
@setting_options(*PLAY_OPTIONS, *TRUNK_OPTIONS)
@click.option("--insecure-i-know", "insecure", is_flag=True, help="Listen off loopback without TLS.")
@click.option("--dev", is_flag=True, help="For development: gRPC reflection.")
def serve(
    index: int,
    play: str | None,
    trunk: str | None,
    metrics: str | None,
    *,
    insecure: bool,
    dev: bool,
    **given: str | None,
) -> int:
    """Run a referee: bots dial in, games are played, the log is written."""
    from lastcard.parser import require_fast_parser
    from referee import app, formats

    require_fast_parser()
    formats.own()
    logs.configure()
    wanted = settings.load(
        index=index, play=play, trunk=trunk, metrics=metrics, insecure=insecure, dev=dev, environ=environment(given)
    )
    return app.serve(wanted)
