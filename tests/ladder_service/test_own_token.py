"""Authors give their bot a new token with the one that they have, and nobody else can."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from ladder.rpc.dial import Dial
from ladder.store.errors import BadTokenError
from ladder.terminal import token_file
from lastcard.cli import main
from lastcard.errors import BadTokenError as WrongToken
from lastcard.errors import InputError
from lastcard.v1 import ladder_pb2 as pb
from tests.ladder_running import Running
from tests.ladder_service.test_service import refused

REQUEST = "one-attempt-0123456789"


async def registered(ladder: Running, name: str = "rover") -> str:
    """Register a bot; returns its token."""
    answer = await ladder.stub.RegisterBot(pb.RegisterBotRequest(name=name, owner="Ada"))
    return str(answer.token)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call with a token."""
    return (("authorization", f"Bearer {token}"),)


async def rotated(ladder: Running, token: str, name: str = "rover", request_id: str = "") -> str:
    """Ask for a new token of a bot."""
    request = pb.RotateTokenRequest(name=name, request_id=request_id)
    return str((await ladder.stub.RotateToken(request, metadata=bearer(token))).token)


async def test_two_tokens_of_a_bot_are_good(empty_ladder: Running) -> None:
    """The new one and the newest before it; so a bot can go over to the new one without a pause. The audit has it."""
    first = await registered(empty_ladder)
    second = await rotated(empty_ladder, first)
    registry = empty_ladder.app.store.registry
    assert {registry.authenticate(token).bot for token in (first, second)} == {"rover"}
    third = await rotated(empty_ladder, second)
    assert {registry.authenticate(token).bot for token in (second, third)} == {"rover"}
    with pytest.raises(BadTokenError):
        registry.authenticate(first)
    assert (await refused(rotated(empty_ladder, first))).reason == "TOKEN_BAD"
    deeds = [(deed.who, deed.verb, deed.target) for deed in empty_ladder.app.store.audit.tail()]
    # the name of its owner is what somebody chose
    assert deeds == [("bot:rover", "rotate", "rover")] * 2


async def test_a_lost_answer_can_be_asked_for_again(empty_ladder: Running) -> None:
    """The same request gives the same token, and ends no other; once that token has ended it never comes back."""
    first = await registered(empty_ladder)
    second = await rotated(empty_ladder, first, request_id=REQUEST)
    assert await rotated(empty_ladder, first, request_id=REQUEST) == second
    assert empty_ladder.app.store.registry.authenticate(first).bot == "rover"
    assert len(empty_ladder.app.store.audit.tail()) == 1
    third = await rotated(empty_ladder, await rotated(empty_ladder, second))
    assert (await refused(rotated(empty_ladder, third, request_id=REQUEST))).reason == "BAD_REQUEST_ID"


async def test_only_a_token_of_the_bot_is_the_right_to_it(empty_ladder: Running) -> None:
    """Neither that of another bot of the same owner, nor an organiser's, nor none; an admin's is."""
    await registered(empty_ladder)
    other = await registered(empty_ladder, "robin")
    registry = empty_ladder.app.store.registry
    organiser, admin = registry.operator("olga", {"organiser"}), registry.operator("anna", {"admin"})
    call = empty_ladder.stub.RotateToken(pb.RotateTokenRequest(name="rover"))
    assert (await refused(call)).reason == "TOKEN_MISSING"
    assert (await refused(rotated(empty_ladder, other))).reason == "FOREIGN_BOT"
    assert (await refused(rotated(empty_ladder, organiser))).reason == "SCOPE_MISSING"
    assert registry.authenticate(await rotated(empty_ladder, admin)).bot == "rover"
    assert (await refused(rotated(empty_ladder, admin, "nobody-at-all"))).reason == "UNKNOWN_BOT"


async def test_new_tokens_are_limited(empty_ladder: Running) -> None:
    """A loop of one bot fills no store, and costs no other bot anything."""
    token = await registered(empty_ladder)
    for _ in range(5):
        token = await rotated(empty_ladder, token)
    assert (await refused(rotated(empty_ladder, token))).reason == "ROTATION_RATE"
    assert await rotated(empty_ladder, await registered(empty_ladder, "robin"), "robin")


async def test_the_command_writes_the_new_token_beside_the_old(
    empty_ladder: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In a file of mode 0600 and nowhere else; a file that is there already costs no token."""
    old, new = tmp_path / "old.token", tmp_path / "new.token"
    old.write_text(await registered(empty_ladder))
    monkeypatch.setenv("LASTCARD_LADDER", empty_ladder.addresses.grpc)
    monkeypatch.setenv("LASTCARD_TOKEN_FILE", str(old))
    monkeypatch.delenv("LASTCARD_TOKEN", raising=False)
    assert await asyncio.to_thread(main, ["bot", "token", "rover", "--token-file", str(old)]) == 2
    assert empty_ladder.app.store.audit.tail() == []
    assert await asyncio.to_thread(main, ["bot", "token", "rover", "--token-file", str(new)]) == 0
    told = capsys.readouterr()
    assert f"a new token of rover; it is in {new}" in told.err
    made = new.read_text().strip()
    assert made not in told.out + told.err
    assert new.stat().st_mode & 0o777 == 0o600
    registry = empty_ladder.app.store.registry
    assert {registry.authenticate(token).bot for token in (made, old.read_text())} == {"rover"}


async def test_answers_that_are_lost_lock_nobody_out(
    empty_ladder: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The command is typed again: one token asks for one other, and the one that the author has stays good."""
    old = tmp_path / "old.token"
    old.write_text(await registered(empty_ladder))
    monkeypatch.setenv("LASTCARD_LADDER", empty_ladder.addresses.grpc)
    monkeypatch.setenv("LASTCARD_TOKEN_FILE", str(old))
    monkeypatch.delenv("LASTCARD_TOKEN", raising=False)
    made = []
    for number in range(3):
        new = tmp_path / f"new-{number}.token"
        assert await asyncio.to_thread(main, ["bot", "token", "rover", "--token-file", str(new)]) == 0
        made.append(new.read_text())
    registry = empty_ladder.app.store.registry
    assert len(set(made)) == 1
    assert {registry.authenticate(token.strip()).bot for token in (made[0], old.read_text())} == {"rover"}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        pytest.param("LASTCARD_TOKEN", "the token that LASTCARD_TOKEN gave", id="the token"),
        pytest.param("LASTCARD_TOKEN_FILE", "the token that LASTCARD_TOKEN_FILE={} gave", id="its file"),
    ],
)
def test_where_a_token_that_is_none_came_from_is_said(tmp_path: Path, name: str, source: str) -> None:
    """Not what it was."""
    file = tmp_path / "my.token"
    file.write_text("töken", "utf-8")
    environ = {name: str(file) if name.endswith("FILE") else "töken"}
    with pytest.raises(WrongToken, match=re.escape(source.format(file))) as refused, Dial.of(environ):
        pass
    assert "töken" not in str(refused.value)


def test_a_token_file_that_is_not_there_is_said_with_who_names_it(tmp_path: Path) -> None:
    """The variable may have been set long ago; who only reads needs none."""
    environ = {"LASTCARD_TOKEN_FILE": str(tmp_path / "gone")}
    with pytest.raises(InputError, match=r"cannot be read: No such file.*; LASTCARD_TOKEN_FILE names it"):
        Dial.of(environ)
    Dial.of(environ, reads=True).close()


def test_a_token_for_which_the_disk_has_no_room_is_a_typed_error() -> None:
    """Its file was made before there was a token, and takes none."""
    with pytest.raises(InputError, match="/dev/full cannot be written: No space left") as full:
        token_file.keep("a-token", Path("/dev/full"))
    assert (full.value.reason, full.value.field) == ("BAD_FILE", "token_file")
