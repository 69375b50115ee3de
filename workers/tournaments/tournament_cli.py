"""`lastcard tournament plan|create|list|show|watch`: what an organiser types."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from lastcard.console import print_json
from lastcard.errors import ExitCode, InputError
from lastcard.names import typed
from workers.tournaments.life import State
from workers.tournaments.spec import (
    CYCLES,
    DEADLINE_S,
    GRACE_S,
    MEETINGS,
    MOST_CYCLES,
    MOST_DEADLINE_S,
    MOST_GRACE_S,
    MOST_MEETINGS,
    SEED_BYTES,
    Deals,
    Kind,
    Size,
    TournamentSpec,
    check,
)

if TYPE_CHECKING:
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_status import Created, TournamentStatus

__all__ = ["create", "list_tournaments", "plan", "show", "watch"]

NOW: Final = "now"
SEED_S: Final = 5.0
"""So long the seed of a finished tournament is waited for, where it is shown with the result."""
LOOK_S: Final = 0.2
MOST_READ: Final = 4_096
"""Bytes of a file with a deal seed, of which it needs 64: more are no seed, and may have no end."""
Command = TypeVar("Command", bound=Callable[..., Any])


_KINDS: Final = click.Choice([kind.value for kind in Kind])
_DEALS: Final = click.Choice([deals.value for deals in Deals])
_MEETINGS: Final = click.IntRange(1, MOST_MEETINGS)
_CYCLES: Final = click.IntRange(1, MOST_CYCLES)
_GRACE: Final = click.IntRange(0, MOST_GRACE_S)
_DEADLINE: Final = click.IntRange(1, MOST_DEADLINE_S)
_SIZES: Final = click.Choice([size.value for size in Size])
_KIND_HELP: Final = "Everybody meets everybody, or all others meet the first of --bots."
_CRON_HELP: Final = "Instead of --start: five fields like '0 2 * * *', each time a tournament of its own."
_DEALS_HELP: Final = (
    "Each deal is played once (fresh), by all seatings of a meeting (mirrored), by all tables of a leg (field)."
    "  [default: as the format says]"
)
_DEADLINE_HELP: Final = (
    "With field deals: seconds that a table may always take; later it is void and played again, once it takes twice "
    f"the median time of the tables that wait for it.  [default: {DEADLINE_S}]"
)
_OPTIONS: Final = (
    click.argument("name"),
    click.option("--format", "format_name", required=True, help="What is played; see `lastcard formats list`."),
    click.option(
        "--bots", default="", help="Entrants: a,b,c by name, or a@1,a@2: versions; a+b,c+d: sides of partners."
    ),
    click.option("--all", "everybody", is_flag=True, help="Instead of --bots: who is online at the start."),
    click.option("--kind", type=_KINDS, default=Kind.ROUND_ROBIN.value, show_default=True, help=_KIND_HELP),
    click.option("--meetings", type=_MEETINGS, help=f"Of each pairing or table.  [default: {MEETINGS}]"),
    click.option("--size", type=_SIZES, help="Instead of --meetings: how sure the result is to be."),
    click.option("--cycles", type=_CYCLES, default=CYCLES, show_default=True, help="All of it so many times."),
    click.option("--start", default=NOW, show_default=True, help=f"{NOW}, or a time like 2026-12-24T18:00:00+01:00."),
    click.option("--cron", help=_CRON_HELP),
    click.option("--tz", "timezone", default="UTC", show_default=True, help="Time zone of --cron."),
    click.option("--deals", type=_DEALS, help=_DEALS_HELP),
    click.option("--schedule-seed", type=int, default=0, show_default=True, help="Public seed of the draw."),
    click.option("--deal-seed-file", type=click.Path(path_type=Path), help="Secret seed of the deals, 64 hex digits."),
    click.option("--grace", type=_GRACE, default=GRACE_S, show_default=True, help="Seconds to wait for absent bots."),
    click.option("--deadline", type=_DEADLINE, help=_DEADLINE_HELP),
    click.option("--trusted", is_flag=True, help="You vouch for all owners: they may share deals."),
    click.option("--unrated", is_flag=True, help="Results do not change ratings."),
    click.option("--no-nonces", is_flag=True, help="Deals do not wait for the bots' nonces; unrated only."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)


def described(command: Command) -> Command:
    """Add the options that describe a tournament, the same for `plan` and `create`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class _OneName(click.Command):
    """A command that says of further names what may have been meant: bots that should be joined."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return nothing that is left over.

        Raises:
            UsageError: something is.
        """
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"too much: {' '.join(rest)}; there is one NAME, and bots are joined by commas: --bots a,b,c")
        return rest


@click.command(cls=_OneName)
@described
def plan(*, as_json: bool, **words: Any) -> None:  # noqa: ANN401 - click's
    """Say what tournament NAME would play, without creating it."""
    from ladder.rpc.dial import Dial
    from ladder.shapes import instant
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_status import finish_ms, plan_shape
    from workers.tournaments.tournament_text import show_plan

    with Dial.of(reads=True) as dial:
        spec = spec_of(words)
        found = TournamentClient(dial).plan(spec)
    now_ms = time.time_ns() // 1_000_000
    if as_json:
        summary = found.summary
        ends = {"finish": summary.seconds, "finish_earliest": summary.least_s, "finish_latest": summary.most_s}
        over = {end: finish_ms(found, spec, now_ms, seconds) for end, seconds in ends.items()}
        moments = {end: moment_ms and instant(moment_ms) for end, moment_ms in over.items()}
        print_json({"plan": plan_shape(found, spec.format) | moments})
    else:
        show_plan(found, spec, now_ms)


@click.command(cls=_OneName)
@described
@click.option("--wait", is_flag=True, help="Follow it until it ends; Ctrl-C leaves it running.")
def create(*, as_json: bool, wait: bool, **words: Any) -> int:  # noqa: ANN401 - click's
    """Create tournament NAME. The same again changes nothing."""
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_text import other_than

    if wait and words["cron"]:
        message = "--wait follows one tournament to its end, and a cron line has none: leave it out"
        raise InputError("WAIT_FOREVER", message, field="wait", value=True)
    with Dial.of() as dial:
        spec = spec_of(words)
        created = TournamentClient(dial).create(spec, seed_of(words["deal_seed_file"]))
        status = created.status
        if created.existed:
            sys.stderr.write(f"lastcard: {status.spec.name} is there already, the same in all; nothing has changed\n")
    for sentence in () if as_json else (*created.warnings, *other_than(spec, status)):
        sys.stderr.write(f"lastcard: {sentence}\n")
    if wait:
        return _follow(status.spec.name, as_json=as_json, known=True)
    _print(status, as_json=as_json, created=created)
    if not as_json:
        sys.stderr.write(f"lastcard: {_next(status)}\n")
    return ExitCode.DONE


@click.command("list")
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_tournaments(*, limit: int, as_json: bool) -> None:
    """List tournaments, newest first."""
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_status import status_shape
    from workers.tournaments.tournament_text import show_tournaments

    with Dial.of(reads=True) as dial:
        page = TournamentClient(dial).list(limit)
    if as_json:
        print_json({"tournaments": [status_shape(status, with_table=False) for status in page.statuses]})
    else:
        show_tournaments(page.statuses)


@click.command()
@click.argument("name")
@click.option("--pairs", is_flag=True, help="Every pair, too: score, what ratings let expect, who is stronger.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as CSV; with --pairs every pair instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, *, pairs: bool, as_csv: bool, as_json: bool) -> None:
    """Show tournament NAME with its standings."""
    from ladder import shapes
    from ladder.rpc.dial import Dial
    from workers.tournaments.client import TournamentClient
    from workers.tournaments.tournament_text import pairs_without, show_pairs

    if as_csv and as_json:
        raise InputError("TWO_FORMS", "--csv and --json: give one", field="csv", value="json")
    with Dial.of(reads=True) as dial:
        status = TournamentClient(dial).get(name)
    if as_csv:
        text = shapes.pairs_csv(status.table) if pairs else shapes.standings_csv(status.table)
        click.echo(text, nl=False)
        return
    _print(status, as_json=as_json)
    if pairs and not as_json:
        show_pairs(status.table, without=pairs_without(status))


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON once it has ended.")
def watch(name: str, *, as_json: bool) -> int:
    """Follow tournament NAME until it ends."""
    return _follow(name, as_json=as_json)


def spec_of(words: dict[str, Any]) -> TournamentSpec:
    """Return the description that was typed.

    Raises:
        InputError: the start is no time, a name or a cron line is empty, or options were typed that exclude each other.
        InvalidFieldError: something else is not what it may be, as far as that can be seen here.
    """
    if words["size"] and words["meetings"]:
        message = f"--size {words['size']} and --meetings {words['meetings']}: a size stands for meetings; give one"
        raise InputError("SIZE_TWICE", message, field="size", value=words["size"])
    if words["no_nonces"] and not words["unrated"]:
        message = "--no-nonces: rated deals need the bots' nonces; add --unrated, or leave --no-nonces out"
        raise InputError("NONCES_NEEDED", message, field="no_nonces", value=True)
    if words["cron"] is not None and not words["cron"].strip():
        message = (
            f"--cron {words['cron']!r} is empty: write five fields, as '0 2 * * *' for every night at two, or leave it "
            "out to begin once"
        )
        raise InputError("BAD_CRON", message, field="cron", value=words["cron"])
    spec = TournamentSpec(
        name=words["name"],
        format=words["format_name"],
        bots=typed(words["bots"]) if words["bots"] else (),
        all=words["everybody"],
        kind=Kind(words["kind"]),
        meetings=words["meetings"] or (0 if words["size"] else MEETINGS),
        cycles=words["cycles"],
        start_ms=start_of(words["start"]),
        cron=words["cron"] or "",
        timezone=words["timezone"] or "UTC",
        deals=Deals(words["deals"]) if words["deals"] else None,
        schedule_seed=words["schedule_seed"],
        grace_s=words["grace"],
        trusted=words["trusted"],
        unrated=words["unrated"],
        nonces=not words["no_nonces"],
        deadline_s=words["deadline"],
        size=Size(words["size"]) if words["size"] else None,
    )
    check(spec)
    return spec


def start_of(text: str) -> int | None:
    """Return when to begin in ms since 1970; None: now.

    Raises:
        InputError: it is neither `now` nor a time after 1970 with its offset.
    """
    if text == NOW:
        return None
    try:
        moment = datetime.fromisoformat(text)
        start_ms = int(moment.astimezone(UTC).timestamp() * 1000) if moment.tzinfo else 0
    except (ValueError, OverflowError):  # some moments of the first and the last year have no time in UTC
        start_ms = 0
    if start_ms <= 0:
        message = f"--start {text!r}: write now, or a time with its offset like 2026-12-24T18:00:00+01:00"
        raise InputError("BAD_START", message, field="start", value=text)
    return start_ms


def seed_of(file: Path | None) -> bytes:
    """Return the secret seed of a file; empty without one.

    Raises:
        InputError: the file cannot be read or holds something else.
    """
    if file is None:
        return b""
    try:
        with file.open("rb") as opened:
            seed = bytes.fromhex(opened.read(MOST_READ).decode("ascii").strip())
    except OSError as error:
        message = f"--deal-seed-file {file} cannot be read: {error.strerror}"
        raise InputError("BAD_SEED", message, field="deal_seed_file", value=str(file)) from error
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        message = (
            f"--deal-seed-file {file}: it must hold {2 * SEED_BYTES} hex digits; `openssl rand -hex 32` makes them"
        )
        raise InputError("BAD_SEED", message, field="deal_seed_file", value=str(file))
    return seed


def _next(status: TournamentStatus) -> str:
    """Say what happens with a tournament that was just asked for, and how to see it."""
    from workers.tournaments.moments import moment

    name, spec = status.spec.name, status.spec
    if spec.cron:
        return f"each run is a tournament of its own, named {name}-<time>; `lastcard tournament list` lists them"
    if status.state.over:
        return f"it is over; `lastcard tournament show {name}` shows it again"
    looks = f"`lastcard tournament watch {name}` follows it, `lastcard tournament show {name}` looks once"
    if status.state is State.PAUSED:
        return f"it is paused, and goes on with `lastcard tournament resume {name}`; {looks}"
    if status.entrants:
        return looks
    begins = "it begins as soon as its bots are there"
    if spec.start_ms is not None:
        begins = f"it begins at {moment(spec.start_ms)}"
    return f"{begins}; {looks}"


def _follow(name: str, *, as_json: bool, known: bool = False) -> int:
    """Show the progress until the end, then the result; a cancelled tournament is a negative finding.

    `known`: there is such a tournament, whether or not anything of it was seen.

    Raises:
        NotReachableError: the ladder stopped before the tournament did.
    """
    from ladder.errors import NotReachableError
    from lastcard.ending import terminable

    status = None
    try:
        from ladder.rpc.dial import Dial
        from workers.tournaments.client import TournamentClient
        from workers.tournaments.progress import progress

        with terminable(), Dial.of(reads=True) as dial, progress(sys.stderr) as view:
            client = TournamentClient(dial)
            for status in client.watch(name):
                view.show(status)
            if status is not None and status.state is State.FINISHED:
                status = _with_seed(client, status)
    except KeyboardInterrupt:
        _tell_how_to_go_on(name, as_json=as_json, known=status is not None or known)
        raise
    except Exception:
        if status is not None or known:
            _tell_how_to_go_on(name, as_json=as_json)
        raise
    if status is None or not status.state.over:
        _tell_how_to_go_on(name, as_json=as_json)
        raise NotReachableError("GOING_AWAY", "the ladder stopped while it was asked")
    _print(status, as_json=as_json)
    return ExitCode.NEGATIVE if status.state is State.CANCELLED else ExitCode.DONE


def _with_seed(client: TournamentClient, status: TournamentStatus) -> TournamentStatus:
    """Return what is over with the seed of its deals, which a referee shows a moment later, if one is there.

    With matches parked it stays secret, so nobody waits for it.
    """
    until = time.monotonic() + SEED_S
    while not (status.deal_seed or status.matches_parked) and time.monotonic() < until:
        time.sleep(LOOK_S)
        status = client.get(status.spec.name)
    return status


def _tell_how_to_go_on(name: str, *, as_json: bool, known: bool = True) -> None:
    again = f"lastcard tournament watch {name}{' --json' if as_json else ''}"
    words = f"{name} goes on without us; `{again}` follows it again"
    sys.stderr.write(f"lastcard: {words if known else f'nothing of {name} was seen yet; `{again}` follows it'}\n")


def _print(status: TournamentStatus, *, as_json: bool, created: Created | None = None) -> None:
    from workers.tournaments.tournament_status import status_shape
    from workers.tournaments.tournament_text import show_tournament

    if as_json:
        more = {} if created is None else {"existed": created.existed, "warnings": list(created.warnings)}
        print_json(status_shape(status) | more)
    else:
        show_tournament(status)
