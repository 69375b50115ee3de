"""`lastcard tournament pause|resume|cancel|void|requeue`: verbs that change what runs. Each is safe to repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lastcard.console import print_json
from workers.tournaments.life import Verb

if TYPE_CHECKING:
    from ladder.readings.summaries import Summary

__all__ = ["cancel", "pause", "requeue", "resume", "void"]

_reason = click.option("--reason", default="", help="Why; it stands in the audit log.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("name")
@_reason
@_json
def pause(name: str, *, reason: str, as_json: bool) -> None:
    """Let the running matches of tournament NAME finish and start no more."""
    _turn(Verb.PAUSE, name, reason, as_json=as_json)


@click.command()
@click.argument("name")
@_reason
@_json
def resume(name: str, *, reason: str, as_json: bool) -> None:
    """Go on with the paused tournament NAME."""
    _turn(Verb.RESUME, name, reason, as_json=as_json)


@click.command()
@click.argument("name")
@_reason
@_json
def cancel(name: str, *, reason: str, as_json: bool) -> None:
    """End tournament NAME; matches that are not yet played are void."""
    _turn(Verb.CANCEL, name, reason, as_json=as_json)


@click.command()
@click.argument("match")
@click.option("--reason", required=True, help="Why; everybody can read it.")
@_json
def void(match: str, *, reason: str, as_json: bool) -> None:
    """Declare MATCH void: it does not count, and where it was rated, the ladder is computed anew without it.

    MATCH is an id like spring.1.1.0, tournament.leg.table.part; `lastcard bot log NAME` and the tournament's page list
    them.
    """
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient

    with Dial.of() as dial:
        voided = TournamentClient(dial).void(match, reason)
    _say(voided.match, as_json=as_json)
    if as_json:
        return
    _say_kept(voided.match.state, reason, voided.match.reason)
    if voided.replay:
        once = "" if voided.match.state == "void" else "it is void within a second or two; then "
        again = f"`lastcard tournament requeue {voided.match.id}` plays it again as {voided.replay}, on other deals"
        click.echo(f"{once}{again}")


@click.command()
@click.argument("match")
@_reason
@_json
def requeue(match: str, *, reason: str, as_json: bool) -> None:
    """Put the parked MATCH back without its strikes, or play the void MATCH again under another id, on other deals.

    Of a match that was played again already, and void again, the next attempt is played.

    MATCH is an id like spring.1.1.0, tournament.leg.table.part; `lastcard bot log NAME` and the tournament's page list
    them.
    """
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient

    with Dial.of() as dial:
        _say(TournamentClient(dial).requeue(match, reason), as_json=as_json)


def _turn(verb: Verb, name: str, reason: str, *, as_json: bool) -> None:
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_status import status_shape

    with Dial.of() as dial:
        status = TournamentClient(dial).turn(name, verb, reason)
    if as_json:
        print_json(status_shape(status))
    else:
        click.echo(f"{status.spec.name} is {status.state}")
        _say_kept(status.state, reason, status.reason)
        if verb is Verb.CANCEL and status.spec.cron:
            click.echo(
                f"no further run begins; those that there are, {status.spec.name}-<time>, play on: "
                "`lastcard tournament list` lists them, and each is cancelled by its own name"
            )


def _say(match: Summary, *, as_json: bool) -> None:
    from ladder.shapes import summary

    if as_json:
        print_json(summary(match))
    else:
        click.echo(f"{match.id} is {match.state}")


def _say_kept(state: str, typed: str, stands: str) -> None:
    """Say which reason stands, where that is not the typed one: that of whoever was here before."""
    from ladder.reasons import kept

    if not typed and stands:
        click.echo(f"the reason that stands: {stands}")
    elif typed and stands and stands != kept(typed):
        click.echo(f"it was {state} already, and the reason that was given then stands: {stands}")
