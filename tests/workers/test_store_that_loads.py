"""Processes that wait for a store which still loads its files end at once when they are told to."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.patience import until_true
from tests.store.slow_store import ever_loading
from tests.workers.processes import Process

pytestmark = pytest.mark.slow
FREE = "127.0.0.1:0"


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["ladder", "--grpc", FREE, "--web", FREE, "--metrics", FREE], id="ladder"),
        pytest.param(["worker"], id="worker"),
        pytest.param(["referee", "--play", FREE, "--metrics", FREE], id="referee"),
    ],
)
def test_a_process_that_waits_for_its_store_ends(tmp_path: Path, words: list[str], number: signal.Signals) -> None:
    """It has nothing in hand; its own patience, and its exit code, are for a store that loads too long."""
    (tmp_path / "pepper").touch(mode=0o600)
    (tmp_path / "pepper").write_text("ab" * 32)
    log = tmp_path / "log"
    with ever_loading() as url:
        told = {"LASTCARD_REDIS_URL": url, "LASTCARD_BROKER_URL": f"{url}?db=1", "LASTCARD_ALLOW_VOLATILE": "1"}
        with Process(["serve", *words], told, log) as process:
            until_true(lambda: "loads its files; waiting for it" in log.read_text(), why=log.read_text)
            process.popen.send_signal(number)
            assert process.popen.wait() in {-number, 128 + number}
    assert "Traceback" not in log.read_text()
