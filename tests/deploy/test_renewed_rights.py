"""What `make_secrets.py` does to the users of an installation that is there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy import make_secrets


@pytest.fixture
def made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Make an installation; returns what its ledger's users are."""
    assert make_secrets.main([str(tmp_path)]) == 0
    capsys.readouterr()
    return (tmp_path / "ledger.acl").read_text("utf-8")


def of_before(text: str) -> str:
    """Return users that have other rights than those of this release."""
    return text.replace("%W~{main}:seed:t:*", "~{main}:seed:t:*")


def test_users_of_before_get_the_rights_of_this_release(
    tmp_path: Path, made: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their passwords stay, and the store has only to read the file again: the same one, of the same owner and mode."""
    file = tmp_path / "ledger.acl"
    file.write_text(f"{of_before(made)}\n", "utf-8")
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 999, 999)
    before = file.stat()
    assert make_secrets.main([str(tmp_path)]) == 0
    assert f"renewed {file}: " in capsys.readouterr().out
    after = file.stat()
    assert file.read_text("utf-8") == made
    for what in ("st_ino", "st_uid", "st_gid", "st_mode"):
        assert getattr(after, what) == getattr(before, what), what
    assert make_secrets.main([str(tmp_path)]) == 0
    assert "renewed" not in capsys.readouterr().out
    assert file.stat().st_mtime_ns == after.st_mtime_ns


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(lambda text: f"{text}user somebody on nopass ~* +@all\n", id="a user of somebody else"),
        pytest.param(lambda text: text.replace("user worker on ", f"user worker on #{'0' * 64} "), id="two passwords"),
    ],
)
def test_users_that_were_not_made_here_stay(
    tmp_path: Path, made: str, capsys: pytest.CaptureFixture[str], more: Callable[[str], str]
) -> None:
    """Where their rights are those of another release it is said what to do."""
    file = tmp_path / "ledger.acl"
    file.write_text(more(made), "utf-8")
    assert (make_secrets.main([str(tmp_path)]), capsys.readouterr().err) == (0, "")
    file.write_text(strange := of_before(more(made)), "utf-8")
    assert make_secrets.main([str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"left {file} with rights of another release" in said
    assert f"user ladder on #… {make_secrets.LEDGER['ladder']}\n" in said
    assert "ACL LOAD" in said
    assert file.read_text("utf-8") == strange


@contextmanager
def nobody() -> Iterator[None]:
    """Be nobody, if this is root, who may do everything."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


def test_who_may_not_write_the_users_is_told_what_to_type(
    made: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence, and the file is as it was."""
    monkeypatch.setattr(sys, "argv", ["deploy/make_secrets.py"])
    with TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name) / "etc"
        assert make_secrets.main([str(folder)]) == 0
        file = folder / "ledger.acl"
        file.write_text(of_before(made), "utf-8")
        for path, mode in (folder.parent, 0o755), (folder, 0o755), (file, 0o444):
            path.chmod(mode)
        capsys.readouterr()
        with nobody():
            code = make_secrets.main([str(folder), "--ledger", "ledger:6390"])
        again = f"sudo python3 deploy/make_secrets.py {folder} --ledger ledger:6390"
        said = f"{file} is not for this user to read and write: type `{again}`\n"
        assert (code, capsys.readouterr().err) == (2, said)
        assert file.read_text("utf-8") == of_before(made)
