"""`lastcard operator new|list|revoke`: who may run tournaments and look after the service."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ladder.terminal.token_file import TOKEN_FILE, keep, reserved, say_token
from lastcard.console import print_json
from lastcard.errors import InputError

DAY: Final = 10
"""Characters of a day at the start of a moment."""


@click.command()
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["organiser", "admin"]),
    default="organiser",
    show_default=True,
    help="What the token is good for: tournaments, or all that an operator does.",
)
@TOKEN_FILE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def new(name: str, scope: str, token_file: Path | None, *, as_json: bool) -> None:
    """Print a token for NAME, who is to run tournaments: this once, and never again. It is good for a year.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.store.names import check_operator
    from ladder.terminal.operator import deed, opened_store

    with reserved(token_file), opened_store(with_pepper=True) as store:
        check_operator(name)
        token = store.registry.operator(name, {scope}, deed=deed("grant", f"operator:{name}"))
        keep(token, token_file)
    if as_json:
        print_json({"name": name, "scope": scope, "token": token if token_file is None else None})
        return
    where = f"it is in {token_file}" if token_file else "keep it, it is not shown again"
    say_token(token, token_file, f"a token of {name}, scope {scope}; {where}")


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_operators(*, as_json: bool) -> None:
    """List the tokens of organisers and operators that were not revoked, without their secrets.

    Each has an id, which `revoke` takes, and says when it was made, when it ends, and the day on which it was last used
    (UTC). The list is read from the store, with its password.
    """
    from ladder.shapes import instant
    from ladder.terminal.operator import opened_store
    from ladder.terminal.screen import say, show_table, when

    with opened_store() as store:
        found = store.registry.operators()
    if as_json:
        shapes = [
            {
                "id": one.keyid,
                "name": one.owner,
                "scopes": sorted(one.scopes),
                "created": instant(one.created_ms),
                "ends": instant(one.expires_ms),
                "used": instant(one.used_ms),
            }
            for one in found
        ]
        print_json({"operators": shapes})
    elif found:
        rows = (
            (
                one.keyid,
                one.owner,
                " ".join(sorted(one.scopes)),
                *(when(moment)[:DAY] for moment in (one.created_ms, one.expires_ms, one.used_ms)),
            )
            for one in found
        )
        show_table(("id", "name", "scopes", "created", "ends", "used"), rows)
    else:
        say("there is no token of an operator; `lastcard operator new NAME` makes one")


@click.command()
@click.argument("keyid", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def revoke(keyid: str, *, as_json: bool) -> None:
    """End the token of an operator that has this ID in `lastcard operator list`.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    with opened_store() as store:
        names = {one.keyid: one.owner for one in store.registry.operators()}
        if keyid not in names:
            message = f"no operator has a token with the id {keyid!r}; `lastcard operator list` shows those there are"
            raise InputError("UNKNOWN_TOKEN", message, field="id", value=keyid, allowed=sorted(names))
        store.registry.revoke_operator(keyid, deed=deed("revoke", f"operator:{names[keyid]}"))
    if as_json:
        print_json({"id": keyid, "name": names[keyid], "revoked": True})
    else:
        click.echo(f"the token {keyid} of {names[keyid]} ended")
