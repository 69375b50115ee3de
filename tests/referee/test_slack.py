"""Memory that was needed for a while is given back."""

import subprocess
import sys
from textwrap import dedent

import pytest

from referee.slack import MUCH_BYTES, Slack, resident_bytes, trimmer

BEFORE = 100_000_000


@pytest.mark.parametrize(
    ("grown", "trims"),
    [
        pytest.param(0, 0, id="as it was"),
        pytest.param(MUCH_BYTES, 0, id="a little more"),
        pytest.param(MUCH_BYTES + 1, 1, id="much more"),
        pytest.param(-BEFORE // 2, 0, id="less"),
    ],
)
async def test_what_may_be_much_is_given_back(grown: int, trims: int) -> None:
    """Measured by the least that the process has had."""
    sizes, trimmed = iter((BEFORE, BEFORE + grown, BEFORE)), []
    slack = Slack(lambda: next(sizes))
    for _ in range(2):
        await slack.look(lambda: trimmed.append(1))
    assert len(trimmed) == trims


@pytest.mark.parametrize(
    ("kept", "tries"),
    [
        pytest.param(2 * BEFORE, [1, 3, 6, 11, 20], id="all of it is in use"),
        pytest.param(BEFORE + MUCH_BYTES, list(range(1, 30)), id="much was free"),
    ],
)
async def test_what_gives_nothing_back_is_tried_less_and_less(kept: int, tries: list[int]) -> None:
    """A busy referee that has grown for good pays no walk through its memory every ten seconds."""
    size, tried, looks = [BEFORE], list[int](), list[int]()

    def trim() -> None:
        tried.append(looks[-1])
        size[0] = kept

    slack = Slack(lambda: size[0])
    for look in range(30):
        looks.append(look)
        await slack.look(trim)
        size[0] = 2 * BEFORE
    assert tried == tries


async def test_where_no_thread_can_be_had_it_is_tried_later() -> None:
    """A machine that is short of them is no reason to end the referee."""
    tried: list[int] = []

    def refused() -> None:
        tried.append(1)
        raise RuntimeError("can't start new thread")

    sizes = iter((BEFORE, 2 * BEFORE, 2 * BEFORE, 2 * BEFORE))
    slack = Slack(lambda: next(sizes))
    for _ in range(3):
        await slack.look(refused)
    assert len(tried) == 2


async def test_where_nothing_can_be_given_back_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another C library this ends at once, and does no harm."""
    monkeypatch.setattr("referee.slack.trimmer", lambda: None)
    await Slack().run()


@pytest.mark.skipif(trimmer() is None or not resident_bytes(), reason="not glibc on Linux")
def test_freed_memory_between_used_one_is_given_back() -> None:
    """A process that frees 64 MiB in pieces below one that is in use keeps them, until they are given back."""
    script = dedent("""
        from referee.slack import resident_bytes, trimmer
        pieces = [bytearray(2_000) for _ in range(32_000)]
        last, top = bytearray(2_000), resident_bytes()
        del pieces
        kept = resident_bytes()
        trimmer()()
        print(top - kept, top - resident_bytes())
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    freed, given_back = map(int, done.stdout.split())
    assert freed < MUCH_BYTES < given_back
