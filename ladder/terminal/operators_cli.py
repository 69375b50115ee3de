"""`lastcard operator new|list|revoke`: who may run tournaments and look after the service."""

from __future__ import annotations

from pathlib import Path

import click

from ladder.terminal.token_file import TOKEN_FILE, keep, reserved, say_token
from lastcard.console import print_json
from lastcard.errors import InputError


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
    """Print a token for NAME, who is to run tournaments: this once, and never again. It is good for a year."""
    from ladder.terminal.operator import audited, opened_store

    with reserved(token_file), opened_store(with_pepper=True) as store:
        token = store.registry.operator(name, {scope})
        keep(token, token_file)
        audited(store, "grant", f"operator:{name}")
    if as_json:
        print_json({"name": name, "scope": scope, "token": token if token_file is None else None})
        return
    where = f"it is in {token_file}" if token_file else "keep it, it is not shown again"
    say_token(token, token_file, f"a token of {name}, scope {scope}; {where}")


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_operators(*, as_json: bool) -> None:
    """List the tokens of organisers and operators that were not revoked, without their secrets."""
    from ladder.terminal.operator import opened_store
    from ladder.terminal.screen import say, show_table

    with opened_store() as store:
        found = store.registry.operators()
    if as_json:
        shapes = [{"token": one.keyid, "name": one.owner, "scopes": sorted(one.scopes)} for one in found]
        print_json({"operators": shapes})
    elif found:
        rows = ((one.keyid, one.owner, " ".join(sorted(one.scopes))) for one in found)
        show_table(("token", "name", "scopes"), rows)
    else:
        say("there is no token of an operator; `lastcard operator new NAME` makes one")


@click.command()
@click.argument("token")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def revoke(token: str, *, as_json: bool) -> None:
    """End an operator's TOKEN, by its id in `lastcard operator list`."""
    from ladder.terminal.operator import audited, opened_store

    with opened_store() as store:
        names = {one.keyid: one.owner for one in store.registry.operators()}
        if token not in names:
            message = f"no operator has a token {token!r}; `lastcard operator list` shows the ids of those there are"
            raise InputError("UNKNOWN_TOKEN", message, field="token", value=token, allowed=sorted(names))
        store.registry.revoke_operator(token)
        audited(store, "revoke", f"operator:{names[token]}")
    if as_json:
        print_json({"token": token, "name": names[token], "revoked": True})
    else:
        click.echo(f"the token {token} of {names[token]} ended")
