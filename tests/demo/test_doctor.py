from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from ladder.store import strain
from ladder.store.local import start
from lastcard.errors import InputError
from tests.demo.namespaces import needs_namespaces, unshared
from workers.house import doctor
from workers.house.folder import StateFolder, alone

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def checks(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Run it with `--json`; returns the exit code and the checks by name."""
    code = doctor.doctor([*arguments, "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is (code == 0)
    return code, {check["name"]: check for check in report["checks"]}


def test_a_good_machine_passes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Python, packages, store, state folder and ports are looked at; exit 0."""
    code, found = checks(capsys, "--state", str(tmp_path))
    assert code == 0
    assert {"python", "packages", "protobuf", "store", "state", "supervisor", "port 7421"} <= found.keys()
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_does_not_answer_is_a_failure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The given URL is the one that counts; exit 1, and what to do."""
    code, found = checks(capsys, "--state", str(tmp_path), "--redis-url", "redis://127.0.0.1:1/0")
    assert code == 1
    assert found["store"]["status"] == "failed"
    assert "LASTCARD_REDIS_URL" in found["store"]["fix"]


def test_a_folder_that_cannot_be_written_is_a_failure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file in the way is seen before anything is made."""
    (tmp_path / "file").write_text("")
    code, found = checks(capsys, "--state", str(tmp_path / "file" / "state"))
    assert code == 1
    assert found["state"]["fix"] == "choose another with --state"


@pytest.mark.parametrize(
    ("total_gib", "free_gib", "full"),
    [(1000, 50, False), (1000, 1, True), (10, 1.5, False), (10, 0.5, True)],
)
def test_room_on_the_disk_is_judged_as_referees_judge_it(total_gib: int, free_gib: float, *, full: bool) -> None:
    """A large disk is not called full for its last tenth."""
    assert (doctor.LEAST_FREE_BYTES, doctor.LEAST_FREE_SHARE) == (strain.LEAST_DISK_BYTES, strain.LEAST_DISK)
    free, total = round(free_gib * 1024**3), total_gib * 1024**3
    assert doctor.is_full(free, total) is full
    reasons = strain.Strain(memory=0, memory_limit=0, unarchived=0, disk_free=free, disk=total).reasons()
    assert bool(reasons) is full


@needs_namespaces
@pytest.mark.parametrize(("mib", "status"), [pytest.param(10, "ok", id="room"), pytest.param(15, "warning", id="full")])
def test_a_full_disk_is_a_warning(tmp_path: Path, mib: int, status: str) -> None:
    """Here one of 16 MiB, which is written to until a tenth of it is left, or more."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=16m none {disk} && head -c {mib}m /dev/zero > {disk}/file && "
        f"exec {shlex.quote(sys.executable)} -m lastcard.cli doctor --json --state {disk}/state"
    )
    done = unshared("--map-root-user", "--mount", "sh", "-c", script)
    found = {check["name"]: check for check in json.loads(done.stdout)["checks"]}["state"]
    assert (found["status"], "0.0 GiB free" in found["detail"]) == (status, True)
    assert ("make room" in found["fix"]) == (status == "warning")


@pytest.mark.parametrize(
    ("environ", "status", "said"),
    [
        pytest.param({}, "ok", "none in front", id="nothing"),
        pytest.param({"LASTCARD_INSECURE": "1"}, "warning", "all who come through it count as one", id="a mistake"),
        pytest.param({"LASTCARD_TRUSTED_PROXIES": "nginx"}, "failed", "'nginx' is neither", id="a name"),
        pytest.param(
            {"LASTCARD_INSECURE": "1", "LASTCARD_TRUSTED_PROXIES": "10.0.0.2"}, "ok", "10.0.0.2/32", id="both"
        ),
    ],
)
def test_a_proxy_that_nobody_trusts_is_a_warning(environ: dict[str, str], status: str, said: str) -> None:
    """Where the settings show that there is one; a setting that would not be taken is a failure."""
    check = doctor.proxies(environ)
    assert check.status == status
    assert said in check.detail
    assert ("LASTCARD_TRUSTED_PROXIES" in check.fix) == (status != "ok")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("LASTCARD_TICK_MS", "x", "LASTCARD_TICK_MS='x': allowed 100 to 60000"),
        ("LASTCARD_REGISTRATION", "maybe", "LASTCARD_REGISTRATION='maybe': allowed open, closed"),
        ("LASTCARD_FORMATS", "/none.toml", "/none.toml: No such file or directory"),
        ("LASTCARD_TENANT", "a b", "'a b'"),
        ("LASTCARD_BROKER_URL", "amqp://x", "LASTCARD_BROKER_URL"),
        ("LASTCARD_TLS_CERT_FILE", "/none.pem", "LASTCARD_TLS_CERT_FILE"),
    ],
)
def test_a_setting_that_no_process_would_take_is_a_failure(name: str, value: str, said: str) -> None:
    """It is seen here, in the words that they would say, and not only where one of them does not begin."""
    good, bad = doctor.settings({}), doctor.settings({name: value})
    assert (good.status, good.detail) == ("ok", "none is set")
    assert (bad.status, said in bad.detail) == ("failed", True), bad.detail


def test_what_is_set_is_named_without_its_value() -> None:
    """Some are secrets."""
    assert doctor.settings({"LASTCARD_TOKEN": "lcb1_x", "HOME": "/"}).detail == "LASTCARD_TOKEN"


def test_a_token_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    """Of a demo that is over, for example; nobody needs one to read."""
    assert doctor.token({}).status == "ok"
    file = tmp_path / "my.token"
    gone = doctor.token({"LASTCARD_TOKEN_FILE": str(file)})
    assert (gone.status, str(file) in gone.detail) == ("failed", True)
    file.write_text("lcb1_x\n")
    there = doctor.token({"LASTCARD_TOKEN_FILE": str(file)})
    assert (there.status, there.detail) == ("ok", f"of LASTCARD_TOKEN_FILE={file}")


def test_a_named_state_folder_that_is_not_there_is_a_warning(tmp_path: Path) -> None:
    """The `export` line of a demo outlives its folder; one that `up` is to make is named by nobody yet."""
    gone = tmp_path / "lastcard-gone"
    named = doctor.named_state(gone, {"LASTCARD_STATE": str(gone)})
    assert (named.status, "is not there" in named.detail) == ("warning", True)
    assert doctor.named_state(gone, {}).status == "ok"
    assert doctor.named_state(tmp_path, {"LASTCARD_STATE": str(tmp_path)}).status == "ok"


def test_a_taken_port_is_a_warning_that_names_its_holder() -> None:
    """`lastcard demo` can do without it, so it is no failure."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        check = doctor.port("web", server.getsockname()[1])
    assert check.status is doctor.Status.WARNING
    assert "taken by" in check.detail


def test_what_up_holds_is_fine_while_it_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nobody is told to end it; this process plays it, and a store of its own is at its socket."""
    with socket.socket() as server, alone(StateFolder(tmp_path)), start(tmp_path / "store", unix_socket=True) as store:
        server.bind(("127.0.0.1", 0))
        server.listen()
        monkeypatch.setattr(doctor, "PORTS", {"play": server.getsockname()[1]})
        code, found = checks(capsys, "--state", str(tmp_path), "--redis-url", store.url)
    play = found[f"port {server_port(found)}"]
    assert (code, found["up"]["status"], play["status"], play["fix"]) == (0, "ok", "ok", "")
    assert f"runs here (process {os.getpid()}, state folder {tmp_path})" in found["up"]["detail"]
    assert f"of the `lastcard up` that runs here (process {os.getpid()})" in play["detail"]


def server_port(found: dict[str, dict[str, str]]) -> str:
    """Return the one port that was looked at."""
    (name,) = (name for name in found if name.startswith("port "))
    return name.removeprefix("port ")


def test_another_programs_port_stays_a_warning_while_up_runs() -> None:
    """It is not of the house: here the house is a process that started nothing."""
    with socket.socket() as server, subprocess.Popen(["sleep", "60"]) as up:
        server.bind(("127.0.0.1", 0))
        server.listen()
        try:
            check = doctor.port("web", server.getsockname()[1], up.pid)
        finally:
            up.kill()
    assert check.status is doctor.Status.WARNING


def test_the_store_of_the_export_line_is_no_failure_while_up_is_away(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`up` brings it along again."""
    url = f"unix://{tmp_path}/store/store.sock"
    code, found = checks(capsys, "--state", str(tmp_path), "--redis-url", url)
    assert (code, found["store"]["status"]) == (0, "ok")
    assert "does not run in" in found["up"]["detail"]


BARE = """
import sys
sys.path[:0] = sys.argv[1:3]
from workers.house.doctor import doctor
sys.exit(doctor(["--json", "--state", sys.argv[3]]))
"""


def test_a_missing_package_is_named_with_what_installs_it(tmp_path: Path) -> None:
    """One line to type mends it: here lastcard is installed, and nothing else."""
    installed = Path(str(distribution("lastcard").locate_file("")))
    (own,) = installed.glob("lastcard-*.dist-info")
    shutil.copytree(own, tmp_path / own.name)
    command = [sys.executable, "-I", "-S", "-c", BARE, str(ROOT), str(tmp_path), str(tmp_path / "state")]
    env = os.environ | {"LASTCARD_LADDER": "127.0.0.1:1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 1, done.stderr
    found = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    missing = found["packages"]["detail"].removeprefix("missing: ").split(", ")
    assert {"celery", "grpcio", "protobuf", "redis", "starlette"} <= set(missing)
    assert {found[name]["status"] for name in ("packages", "protobuf", "store", "dialled")} == {"failed"}
    assert "lastcard[server]" in found["packages"]["fix"]
    assert found["python"]["status"] == found["state"]["status"] == "ok"


def test_people_read_one_line_a_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No table is needed to see what is wrong."""
    doctor.doctor(["--state", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("ok       python") for line in lines)


def test_unknown_arguments_are_bad_input() -> None:
    """As in every command: a sentence and exit 2."""
    with pytest.raises(InputError, match="--help"):
        doctor.doctor(["--no-such-thing"])
