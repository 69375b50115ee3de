from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from deploy import make_secrets
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.live import Scene
from ladder.store.scenes import Scenes, Shown
from ladder.store.scripts import script
from tests.deploy.installation import SERVERS, Installation, binary
from tests.deploy.places import DEPLOY
from tests.patience import until_true

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=SERVERS)
def stores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    installation = Installation(binary(request.param), tmp_path_factory.mktemp("etc"))
    try:
        installation.start("ledger")
        installation.start("broker")
        yield installation
    finally:
        installation.stop()


def test_the_ledger_keeps_what_it_acknowledged(stores: Installation) -> None:
    """Every write is on the disk before it is answered, and nothing is ever evicted."""
    settings = stores.user("ops").config_get("*")
    expected = {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "yes",
        "save": "3600 1",
        "protected-mode": "yes",
    }
    assert {name: settings[name] for name in expected} == expected


def test_the_broker_is_a_server_of_its_own(stores: Installation) -> None:
    """It writes once a second and takes no copies."""
    settings = stores.user("ops", "LASTCARD_BROKER_URL").config_get("*")
    expected = {"appendonly": "yes", "appendfsync": "everysec", "save": "", "maxmemory-policy": "noeviction"}
    assert {name: settings[name] for name in expected} == expected


def test_nobody_gets_in_without_a_password(stores: Installation) -> None:
    """The default user is off."""
    client = redis.Redis(port=stores.ports["ledger"])
    with pytest.raises(redis.AuthenticationError):
        client.ping()


@pytest.mark.parametrize("role", ["referee", "worker", "ladder"])
@pytest.mark.parametrize(
    "command", ["FLUSHALL", "KEYS *", "CONFIG SET maxmemory 1", "SHUTDOWN", "ACL LIST", "EVAL return 0"]
)
def test_no_process_may_do_what_only_operators_need(stores: Installation, role: str, command: str) -> None:
    """Neither wiping nor listing nor changing the server, nor scripts that are not registered."""
    with pytest.raises(redis.exceptions.NoPermissionError):
        stores.user(role).execute_command(*command.split())


@pytest.mark.parametrize("role", ["referee", "worker", "ladder"])
def test_a_store_that_began_anew_is_written_to(stores: Installation, role: str) -> None:
    """It has forgotten all scripts; a process that is connected already brings them again."""
    with Link(stores.environment(role)["LASTCARD_REDIS_URL"], role=role) as link:
        stores.user("ops").script_flush()
        link.run(Call(script("tick"), (f"{{main}}:tick:{role}:1",), ("me", 60)))
        assert link.text(f"{{main}}:tick:{role}:1") == "me"


@pytest.mark.parametrize("role", ["referee", "worker", "ladder"])
def test_every_process_can_do_its_work(stores: Installation, role: str) -> None:
    """Reads, writes by script, and the questions asked at the start."""
    client = stores.user(role)
    script = "redis.call('XADD', KEYS[1], '1-1', 'd', ARGV[1]); return redis.call('SET', KEYS[2], ARGV[1], 'PX', 3000)"
    sha = client.script_load(script)
    stream, text = ("{main}:audit", "{main}:tick:x:1") if role == "ladder" else ("{main}:log:x", "{main}:h:x")
    assert client.evalsha(sha, 2, stream, text, role)
    client.execute_command("DEL", stream)
    assert client.get(text) == role
    assert client.hgetall("{main}:states") == {}
    assert client.info("server")["redis_version"]
    assert client.config_get("appendfsync") == {"appendfsync": "always"}


def test_what_scripts_wrote_is_there_after_a_restart(stores: Installation) -> None:
    """Also where a script wrote twice, which a server's log has as a transaction; a server that is killed reads it."""
    worker = stores.user("worker")
    text = "redis.call('SET', KEYS[1], ARGV[1]); redis.call('SET', KEYS[2], ARGV[1]); return 1"
    sha = worker.script_load(text)
    for number in range(50):
        assert worker.evalsha(sha, 2, f"{{main}}:h:one.{number}", f"{{main}}:h:two.{number}", "kept") == 1
    before = stores.user("ops").dbsize()
    stores.kill("ledger")
    stores.start("ledger")
    assert stores.user("ops").dbsize() == before
    assert stores.user("worker").get("{main}:h:two.49") == "kept"


def test_the_ladder_watches_matches_and_referees_show_them(stores: Installation) -> None:
    """It says what it wants to see, and reads what everybody may; its ladders and their luck are its own, too."""
    environment = {role: stores.environment(role)["LASTCARD_REDIS_URL"] for role in ("ladder", "referee")}
    with Link(environment["ladder"], role="ladder") as ladder, Link(environment["referee"], role="referee") as referee:
        watching = Scenes(ladder, Keys())
        watching.want("t.1.1.0")
        assert referee.exist([Keys().watch("t.1.1.0")]) == [True]
        Scenes(referee, Keys()).put([Shown("t.1.1.0", 1, 1, Scene((), 2, 0))])
        assert watching.read("t.1.1.0") == ([Scene((), 2, 0)], "1-1")
        assert ladder.hash(Keys().ladder("uno-classic-2", "cfg")) == {}
        assert ladder.text(Keys().luck("t.1.1.0")) is None


def test_no_process_reaches_another_tenant(stores: Installation) -> None:
    """Keys outside its own are out of reach."""
    with pytest.raises(redis.exceptions.NoPermissionError):
        stores.user("referee").get("{other}:bots")


def test_secrets_belong_to_their_owner_alone_and_are_made_once(stores: Installation) -> None:
    """A second call changes nothing; the files of the stores hold digests only."""
    before = {path.name: path.read_bytes() for path in stores.folder.glob("*.env")}
    assert make_secrets.main([str(stores.folder)]) == 0
    assert {path.name: path.read_bytes() for path in stores.folder.glob("*.env")} == before
    for path in (*stores.folder.glob("*.env"), *stores.folder.glob("*.acl"), stores.folder / "pepper"):
        assert path.stat().st_mode & 0o777 == 0o600
    password = before["referee.env"].decode().partition("referee:")[2].partition("@")[0]
    assert password
    assert password not in (stores.folder / "ledger.acl").read_text("ascii")


def test_half_an_installation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """New passwords for some files would lock the others out."""
    assert make_secrets.main([str(tmp_path)]) == 0
    (tmp_path / "worker.env").unlink()
    assert make_secrets.main([str(tmp_path)]) == 2
    assert "not worker.env" in capsys.readouterr().err


def test_it_runs_without_anything_installed(tmp_path: Path) -> None:
    """Standard library only: an administrator's own Python will do."""
    command = [sys.executable, "-I", "-S", str(DEPLOY / "make_secrets.py"), str(tmp_path / "etc")]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_a_backup_restores_what_was_there(stores: Installation, tmp_path: Path) -> None:
    """The steps of docs/operations.md: copy `dump.rdb`, start once without the log of commands, turn it on."""
    stores.user("referee").set("{main}:h:kept", "4-2-abc")
    before = stores.user("ops")
    saved = before.lastsave()
    before.bgsave()
    until_true(lambda: before.lastsave() != saved or before.info("persistence")["rdb_bgsave_in_progress"] == 0)
    (tmp_path / "dump.rdb").write_bytes((stores.folder / "ledger" / "dump.rdb").read_bytes())
    stores.stop("ledger")
    try:
        stores.start("ledger", tmp_path, "--appendonly", "no")
        fresh = stores.user("ops")
        fresh.config_set("appendonly", "yes")
        until_true(lambda: fresh.info("persistence")["aof_rewrite_in_progress"] == 0)
        stores.stop("ledger")
        stores.start("ledger", tmp_path)
        assert stores.user("referee").get("{main}:h:kept") == "4-2-abc"
    finally:
        stores.stop("ledger")
        stores.start("ledger")
