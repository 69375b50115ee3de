from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from ladder.store.local import socket_url
from lastcard.errors import InputError
from lastcard.state import state_folder
from tests.demo.namespaces import needs_namespaces, unshared
from workers.house.folder import StateFolder, alone, write_secret


def test_it_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    """Nobody else may look into it, into the logs or into the store's files."""
    folder = StateFolder(tmp_path / "state")
    folder.prepare()
    for path in (folder.root, folder.store, folder.logs, folder.bots):
        assert path.stat().st_mode & 0o777 == 0o700


def test_two_houses_never_share_a_folder(tmp_path: Path) -> None:
    """The second one is told who holds it."""
    folder = StateFolder(tmp_path)
    with alone(folder), pytest.raises(InputError, match=f"in use by process {os.getpid()}"), alone(folder):
        pass
    with alone(folder):
        pass


def test_who_holds_it_can_be_asked(tmp_path: Path) -> None:
    """Without taking it away from anybody, and where there is no such folder."""
    folder = StateFolder(tmp_path)
    assert (folder.held_by(), StateFolder(tmp_path / "none").held_by()) == (None, None)
    with alone(folder):
        assert folder.held_by() == str(os.getpid())
    assert folder.held_by() is None


def test_who_only_asks_keeps_nobody_out(tmp_path: Path) -> None:
    """Asking takes the lock for a moment; a house that begins in that moment waits for it."""
    with (tmp_path / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        threading.Timer(0.06, fcntl.flock, (file, fcntl.LOCK_UN)).start()
        with alone(StateFolder(tmp_path)):
            pass


def test_it_knows_the_socket_of_its_own_store(tmp_path: Path) -> None:
    """However the way to it is written."""
    folder, link = StateFolder(tmp_path / "state"), tmp_path / "link"
    folder.prepare()
    link.symlink_to(folder.root)
    for root in (folder.root, link, tmp_path / "state" / ".." / "state"):
        assert folder.owns(f"unix://{root}/store/store.sock")
        assert StateFolder(root).owns(socket_url(folder.store))
    for other in (f"unix://{tmp_path}/store/store.sock", f"unix://{folder.store}/other.sock", "redis://127.0.0.1:1/0"):
        assert not folder.owns(other)


def test_a_folder_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    """The sentence names the option that chooses another."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="choose another with --state"):
        StateFolder(tmp_path / "file" / "state").prepare()


def test_a_secret_replaces_an_old_one_whole(tmp_path: Path) -> None:
    """Readers see the old or the new text, with the same narrow mode."""
    path = tmp_path / "operator.token"
    write_secret(path, "old")
    write_secret(path, "new")
    assert path.read_text("ascii") == "new\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["operator.token"]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        pytest.param({"LASTCARD_STATE": "/a/b", "XDG_STATE_HOME": "/c"}, "/a/b", id="named"),
        pytest.param({"XDG_STATE_HOME": "/c"}, "/c/lastcard", id="state home"),
        pytest.param({"HOME": "/h"}, "/h/.local/state/lastcard", id="home"),
    ],
)
def test_where_it_lies_by_default(environment: dict[str, str], expected: str) -> None:
    """A name wins over the desktop's rule, which wins over the home folder."""
    assert str(state_folder(environment)) == expected


@needs_namespaces
def test_without_a_home_folder_somewhere_else_must_be_named() -> None:
    """Never the root of the file system: here the user is one that the system does not know, and nothing is set."""
    words = ("env", "-i", sys.executable, "-m", "lastcard.cli", "doctor", "--json")
    done = unshared("--map-user=54321", *words)
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, done.stdout, error["reason"]) == (2, "", "NO_HOME")
    assert "LASTCARD_STATE=/path/to/a/folder" in error["message"]
