"""`lastcard bot register|list|show|token|rotate|revoke|link|retire`: what authors and operators type about bots."""

from __future__ import annotations

import getpass
import os
import secrets
from pathlib import Path

import click

from ladder.terminal.token_file import TOKEN_FILE, keep, reserved, say_token
from lastcard.console import counted, print_json
from lastcard.errors import InputError

REQUEST_ID_BYTES = 24


@click.command()
@click.argument("name")
@click.option(
    "--owner",
    default="",
    help="Who answers for it; house: bots of the operator  [default: LASTCARD_OWNER, else your user name]",
)
@TOKEN_FILE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def register(name: str, owner: str, token_file: Path | None, *, as_json: bool) -> None:
    """Register bot NAME and print its token: this once, and never again."""
    from ladder.client import LadderClient
    from ladder.rpc.dial import Dial
    from ladder.shapes import profile

    with reserved(token_file), Dial.of() as dial:
        new = LadderClient(dial).register(name, owner or _owner(), secrets.token_urlsafe(REQUEST_ID_BYTES))
        keep(new.token.text(), token_file)
    if as_json:
        print_json({"bot": profile(new.profile), "token": new.token.text() if token_file is None else None})
        return
    where = f"its token is in {token_file}" if token_file else "keep its token, it is not shown again"
    say_token(new.token.text(), token_file, f"registered {new.profile.name}, owned by {new.profile.owner}; {where}")


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_bots(*, as_json: bool) -> None:
    """List registered bots by name."""
    from ladder.client import LadderClient
    from ladder.rpc.dial import Dial
    from ladder.shapes import profile
    from ladder.terminal.screen import show_profiles

    with Dial.of(reads=True) as dial:
        bots = list(LadderClient(dial).every_bot())
    if as_json:
        print_json({"bots": [profile(bot) for bot in bots]})
    else:
        show_profiles(bots)


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, *, as_json: bool) -> None:
    """Show bot NAME and its versions."""
    from ladder.client import LadderClient
    from ladder.rpc.dial import Dial
    from ladder.shapes import profile
    from ladder.terminal.screen import show_profile

    with Dial.of(reads=True) as dial:
        bot = LadderClient(dial).bot(name)
    if as_json:
        print_json(profile(bot))
    else:
        show_profile(bot)


@click.command("token")
@click.argument("name")
@TOKEN_FILE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def token(name: str, token_file: Path | None, *, as_json: bool) -> None:
    """Get a new token for your bot NAME. The present one stays good until the new one gets another; older ones end.

    The same again is the same new token, as long as it is good: an answer that was lost costs nothing.

    The ladder is asked, with the bot's present token in LASTCARD_TOKEN_FILE or LASTCARD_TOKEN. Who has lost it asks an
    operator.
    """
    from ladder.client import LadderClient
    from ladder.rpc.dial import Dial

    with reserved(token_file), Dial.of() as dial:
        # However often an answer is lost: one token asks for one other, which is good for longer.
        made = LadderClient(dial).rotate(name, dial.mark(f"a token of {name} after this one"))
        keep(made, token_file)
    _say_new(name, made, token_file, as_json=as_json)


@click.command()
@click.argument("name")
@TOKEN_FILE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rotate(name: str, token_file: Path | None, *, as_json: bool) -> None:
    """Give bot NAME a new token. The newest one before it stays valid, older ones do not. Its author uses `bot token`.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    with reserved(token_file), opened_store(with_pepper=True) as store:
        made = store.registry.rotate(name, deed=deed("rotate", name))
        keep(made, token_file)
    _say_new(name, made, token_file, as_json=as_json)


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def revoke(name: str, *, as_json: bool) -> None:
    """End all tokens of bot NAME; `rotate` gives it a new one.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    with opened_store() as store:
        ended = store.registry.revoke(name, deed=deed("revoke", name))
    if as_json:
        print_json({"bot": name, "revoked": len(ended)})
    else:
        click.echo(f"{counted(len(ended), 'token')} of {name} ended")


@click.command()
@click.argument("name")
@click.option("--undo", is_flag=True, help="Bring it back into play.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def retire(name: str, *, undo: bool, as_json: bool) -> None:
    """Take bot NAME out of play: it may not connect, and leaves what it plays; its ratings and history stay.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    with opened_store() as store:
        if undo:
            store.registry.unretire(name, deed=deed("unretire", name))
        else:
            store.registry.retire(name, deed=deed("retire", name))
    if as_json:
        print_json({"bot": name, "retired": not undo})
    else:
        click.echo(f"{name} is back in play" if undo else f"{name} is retired")


@click.command()
@click.argument("name")
@click.option("--undo", is_flag=True, help="Take it back.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def vouch(name: str, *, undo: bool, as_json: bool) -> None:
    """Say that the owner of bot NAME is who its registration says.

    Bots that are registered with an operator's token have that already; those of before, or of days when anybody could
    register, do not. Where registration is closed all such bots of an owner are one author's: each of them may enter
    the others in its tournaments, and steer what they made.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    with opened_store() as store:
        if undo:
            row = store.registry.vouch(name, vouched=False, deed=deed("unvouch", name))
        else:
            row = store.registry.vouch(name, deed=deed("vouch", name))
    if as_json:
        print_json({"bot": row.name, "owner": row.owner, "vouched": row.vouched})
    else:
        said = "is vouched for as a bot of" if row.vouched else "is vouched for no more; it says that it is a bot of"
        click.echo(f"{row.name} {said} {row.owner}")


@click.command()
@click.argument("owner", default="")
@click.argument("other", default="")
@click.option("--undo", is_flag=True, help="Let OWNER stand for itself again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def link(owner: str, other: str, *, undo: bool, as_json: bool) -> None:
    """Have OWNER and OTHER count as one where cards are shared, with all who were linked with them; or list who is.

    They are accounts of one person, or people who tell each other what they see: of deals that many tables share each
    of their bots sees another one, and games between their bots move no ladder. What began before is played as it was
    planned, but a table of theirs at which a deal would come back is void and played again on deals of its own.

    This acts at the store, with its password and without a token; the audit names you as unix:USER.
    """
    from ladder.terminal.operator import deed, opened_store

    if undo and (not owner or other):
        message = "--undo takes the one OWNER who is to stand for itself again"
        raise InputError("BAD_ARGUMENTS", message, field="owner", value=owner, allowed=["link OWNER --undo"])
    with opened_store() as store:
        if undo:
            store.registry.unlink(owner, deed=deed("unlink", f"owner:{owner}"))
        elif owner:
            owners = [one for one in (owner, other) if one]
            store.registry.link(owners, deed=deed("link", f"owner:{owner}", " ".join(owners)))
        found = store.registry.linked()
    groups = [sorted(one for one in found if found[one] == head) for head in sorted(set(found.values()))]
    if as_json:
        print_json({"linked": groups})
        return
    for group in groups:
        click.echo(f"one owner: {', '.join(group)}")
    if not groups:
        click.echo("every owner stands for itself")


def _say_new(name: str, made: str, token_file: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json({"bot": name, "token": made if token_file is None else None})
        return
    where = f"it is in {token_file}" if token_file else "keep it, it is not shown again"
    say_token(made, token_file, f"a new token of {name}; {where}")


def _owner() -> str:
    try:
        return os.environ.get("LASTCARD_OWNER") or getpass.getuser()
    except (KeyError, OSError):
        sentence = "who owns the bot? This system does not know your name: add --owner"
        raise InputError("NO_OWNER", sentence, field="owner") from None
