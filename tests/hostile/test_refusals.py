"""The list of refusals in docs/protocol.md is complete, and each of them is something that a test has seen."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from ladder.store.local import Fsync, start
from referee.door import errors
from referee.wire import MOST_CARRIED, MOST_TAKEN
from tests.fixtures_store import PEPPER
from tests.hostile.raw import Ended, RawStream, opened
from tests.hostile.raw import dialled as channel_to
from tests.hostile.refusals_seen import FILE
from tests.hostile.stranger import hello
from tests.live.house import house
from tests.live.peer import Peer
from tests.live.process import spawn
from tests.patience import until

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[2]
MADE_BY: Final = {"RefusedStreamError", "Ending"}
FROM_THE_STORE: Final = {
    ("RESOURCE_EXHAUSTED", "TOO_MANY_VERSIONS"),
    ("FAILED_PRECONDITION", "RETIRED"),
    ("INVALID_ARGUMENT", "BAD_VERSION"),
}
"""Made of errors of the registry, whose reasons stand there."""
HELLO: Final = hello().SerializeToString()


def told() -> set[tuple[str, str]]:
    """Return status and reason of every way in which the referee ends a stream."""
    found = set(FROM_THE_STORE)
    for file in sorted((ROOT / "referee").rglob("*.py")):
        if "check" in file.relative_to(ROOT).parts:
            continue  # the referee of `lastcard bot check` says what it likes
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE_BY:
                words = [one.value for one in node.args if isinstance(one, ast.Constant)]
                if len(words) >= 2:
                    found.add((str(words[0]), str(words[1])))
    return found


def listed() -> set[tuple[str, str]]:
    """Return what docs/protocol.md lists."""
    section = (ROOT / "docs/protocol.md").read_text("utf-8").partition("## Refusals")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", section, re.MULTILINE)
    return {(status, reason) for status, reasons in rows for reason in re.findall(r"`(\w+)`", reasons)}


def drawn() -> set[tuple[str, str]]:
    """Return what the tree of errors in referee/door/errors.py lists."""
    rows = re.findall(r"─ (\w+) +(.+)", errors.__doc__ or "")
    return {(status, reason.strip()) for status, reasons in rows for reason in reasons.split(",")}


def test_the_list_of_refusals_is_complete() -> None:
    """What the code says, the page lists, and nothing else; so does the drawing in the code."""
    assert len(told()) >= 18
    assert listed() == told()
    assert drawn() == told()


def named_by_tests() -> Iterator[str]:
    """Yield the text of the tests that dial a real referee, but for what comes before the tests of this file."""
    for folder in ("hostile", "live"):
        for file in (ROOT / "tests" / folder).glob("*.py"):
            text = file.read_text("utf-8")
            yield text.partition("\nasync def dialled")[2] if file == Path(__file__) else text


def test_every_refusal_is_named_by_a_test() -> None:
    """Of the folders that dial a real referee; whether it is seen there, a longer run of them tells."""
    texts = list(named_by_tests())
    unseen = sorted(reason for _, reason in told() if not any(f'"{reason}"' in text for text in texts))
    assert unseen == []


STAGED: Final = (
    *("hellos out of range", "nine instances", "many versions", "replaced and never reading", "bad metadata"),
    *("operators token", "reconnect storm"),
    *("retired_bot", "guessing_tokens", "says_nothing_for_too_long", "does_not_say_hello_in_time"),
    *("leaves_and_takes_nothing", "health_is_asked_badly", "flood_that_is_cut"),
    *("a_referee_that_stops", "what_nobody_expected", "too_large_is_told_so", "calls_what_there_is_not"),
    "without_a_ledger",
)
"""Tests here that see a refusal each, or more; words of their names."""


@pytest.mark.nightly
def test_every_refusal_is_seen_on_a_real_referee(tmp_path: Path) -> None:
    """These tests once more, with an ear at what bots are told: every refusal of the list is."""
    seen = tmp_path / "seen"
    words = (
        "-m",
        "not thorough",
        "-k",
        " or ".join(f"({' and '.join(one.replace(' and ', ' ').split())})" for one in STAGED),
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "tests.hostile.refusals_seen", "-p", "no:cacheprovider"),
            *(*words, f"--basetemp={tmp_path / 'base'}", str(Path(__file__).parent)),
        ],
        cwd=ROOT, env={**os.environ, FILE: str(seen)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5_000:]
    found = {tuple(line.split()) for line in seen.read_text("ascii").splitlines()}
    assert told() - found == set()


async def dialled(server: str, token: str) -> Ended:
    """Dial, greet, and return how it ends."""
    async with opened(server, token) as stream:
        await stream.send(HELLO)
        return await stream.ended()


@pytest.mark.slow
async def test_a_referee_that_stops_sends_bots_elsewhere(store: Store, tmp_path: Path) -> None:
    """While it waits for those who are still there, who comes new is told DRAINING."""
    async with house(store, tmp_path) as home, Peer.open(home, "stays"):
        token = await home.token("mallory")
        home.referee.stopping.set()
        await until(lambda: home.running.claimer.draining)
        ended = await dialled(home.server, token)
        assert (ended.code, ended.reason) == ("UNAVAILABLE", "DRAINING")


@pytest.mark.slow
async def test_what_nobody_expected_is_a_number(store: Store, tmp_path: Path) -> None:
    """Of damage in the store a stranger learns the id under which the log has it, and nothing else. Others come in."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            token = await home.token("mallory")
            keys = store.keys
            store.link._execute("SET", keys.bot("mallory"), "a secret")
            ended = await dialled(home.server, token)
            async with Peer.open(home, "ann"):
                pass
    (crash,) = [line for line in told if line["log_level"] == "critical"]
    assert "WRONGTYPE" in str(crash["exc_info"])
    assert (ended.code, ended.reason) == ("INTERNAL", "INTERNAL")
    assert ended.sentence == f"INTERNAL: internal error {crash['incident']}"


async def test_a_token_that_cannot_be_read_is_none(store: Store, tmp_path: Path) -> None:
    """Its bot is told what it is told of any other bad token; the log names the id of it, once."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            token = await home.token("mallory")
            ident = token.split("_")[1]
            whole = cast("bytes", store.link.read("DUMP", store.keys.token(ident)))
            store.link._execute("HSET", store.keys.token(ident), "expires_ms", "soon")
            ends = [await dialled(home.server, token) for _ in range(2)]
            async with Peer.open(home, "ann"):
                pass
            # whoever looks for tokens in what was logged reads all of them
            store.link._execute("RESTORE", store.keys.token(ident), 0, whole, "REPLACE")
            async with opened(home.server, token) as stream:
                await stream.send(HELLO)
                assert (await stream.welcomed()).startswith("mallory@")
    assert [(end.code, end.reason) for end in ends] == [("UNAUTHENTICATED", "BAD_TOKEN")] * 2
    assert "soon" not in ends[0].sentence
    named = [line for line in told if line["event"] == "entry_unreadable"]
    assert [(line["kind"], line["damaged"]) for line in named] == [("token", ident)]


@pytest.mark.parametrize("over", [1, MOST_TAKEN], ids=["a byte", "as much as gRPC carries"])
async def test_a_message_that_is_too_large_is_told_so_by_every_call(store: Store, tmp_path: Path, over: int) -> None:
    """With its size and what would do: the first of a stream and a later one, the health check and reflection."""
    large = bytes(MOST_TAKEN + over)
    async with house(store, tmp_path, dev=True) as home:
        ends = []
        for first in ([large], [HELLO, large]):
            async with opened(home.server, await home.token("mallory")) as stream:
                await stream.send(*first)
                ends.append(await stream.ended())
        async with channel_to(home.server) as channel:
            check: Any = channel.unary_stream("/grpc.health.v1.Health/Check")
            ends.append(await RawStream(check(large)).ended())
            info = RawStream(channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")())
            await info.send(large)
            ends.append(await info.ended())
    assert {(ended.code, ended.reason) for ended in ends} == {("RESOURCE_EXHAUSTED", "TOO_LARGE")}
    assert {ended.sentence for ended in ends} == {
        f"TOO_LARGE: a message of {len(large):,} bytes; this referee takes {MOST_TAKEN:,}"
    }


async def test_what_grpc_does_not_carry_it_refuses_itself(store: Store, tmp_path: Path) -> None:
    """Nobody of ours sees it, so there is no reason; the status is the same."""
    async with house(store, tmp_path) as home, opened(home.server, await home.token("mallory")) as stream:
        await stream.send(bytes(MOST_CARRIED + 1))
        ended = await stream.ended()
    assert (ended.code, ended.reason) == ("RESOURCE_EXHAUSTED", "")


async def test_who_calls_what_there_is_not_is_told_what_there_is(store: Store, tmp_path: Path) -> None:
    """With ErrorInfo, as of every other refusal, and no more of the name than a line has room for.

    Health is not streamed: streams that need no token would take room from bots; the refusal says what to ask with.
    """
    async with house(store, tmp_path) as home, channel_to(home.server) as channel:
        for method in ("/lastcard.v1.PlayService/Peek", "/lastcard.v1.LadderService/GetBot", "/x" * 99):
            ended = await RawStream(channel.stream_stream(method)()).ended()
            assert (ended.code, ended.reason) == ("UNIMPLEMENTED", "UNKNOWN_METHOD"), method
            assert ended.sentence.startswith(f"UNKNOWN_METHOD: there is no method {method[:100]}; bots call ")
        watch: Any = channel.unary_stream("/grpc.health.v1.Health/Watch")
        ended = await RawStream(watch(b"")).ended()
        assert (ended.code, ended.reason) == ("UNIMPLEMENTED", "UNKNOWN_METHOD")
        assert "Check" in ended.sentence


@pytest.mark.slow
async def test_without_a_ledger_nobody_is_let_in(tmp_path: Path) -> None:
    """A referee whose ledger is gone knows no token: come again, it says, and blames nobody."""
    with start(tmp_path / "store", fsync=Fsync.EVERYSEC) as server:
        with Store.open(server.url, role="test", pepper=PEPPER, allow_volatile=True) as ledger:
            token = ledger.registry.register("mallory", "owner")[1]
            process = await spawn(ledger, tmp_path)
        try:
            server.stop()
            ended = await dialled(process.play, token)
            assert (ended.code, ended.reason) == ("UNAVAILABLE", "STORE")
        finally:
            process.process.kill()
            await process.ended()
