"""A referee plays what its release supports, says what that is, and names what it leaves to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import structlog.testing

from ladder.store import Store
from ladder.store.rows import MatchPlan, MatchState
from referee.bots import make
from referee.hosting import versions
from referee.logbook import LOG_FORMAT
from referee.rules.options import RULES_VERSION
from tests.live.house import house, plan
from tests.patience import until

OTHERS: Mapping[str, tuple[Callable[[MatchPlan], MatchPlan], str]] = {
    "t.1.1.0": (lambda known: replace(known, rules_version=RULES_VERSION + 1), f"rules version {RULES_VERSION + 1}"),
    "t.1.2.0": (lambda known: replace(known, log_format=LOG_FORMAT + 1), f"log format {LOG_FORMAT + 1}"),
    "t.1.3.0": (lambda known: replace(known, format="no-such-game"), "format no-such-game"),
    "t.1.4.0": (lambda known: replace(known, ruleset="0" * 16), f"ruleset {'0' * 16} of format uno-classic-2"),
}


async def test_what_it_does_not_support_is_claimed_by_nobody(store: Store, tmp_path: Path) -> None:
    """Its bots are here and have room; it is named once, and what stands behind it in the queue is played."""
    with structlog.testing.capture_logs() as logs:
        async with house(store, tmp_path) as home:
            a, b = [await home.join(name, make("first", 1)) for name in ("ann", "ben")]
            await home.plan(*(changed(plan(match, a, b)) for match, (changed, _) in OTHERS.items()))
            await until(lambda: len([one for one in logs if one["event"] == "unsupported"]) == len(OTHERS))
            await home.plan(plan("t.2.1.0", a, b))
            assert (await home.ended("t.2.1.0")).state is MatchState.CLOSED
            (beat,) = store.matches.referees().values()
    assert (beat["rules"], beat["logs"]) == ([RULES_VERSION], [LOG_FORMAT - 1, LOG_FORMAT])
    rows = {row.id: row for row in store.matches.rows(OTHERS)}
    assert {row.state for row in rows.values()} == {MatchState.READY}
    assert not any(row.claimed_ms for row in rows.values())
    named = [(one["match"], one["lacks"]) for one in logs if one["event"] == "unsupported"]
    assert sorted(named) == [(match, why) for match, (_, why) in OTHERS.items()]


def test_a_start_lists_the_open_matches_that_it_leaves_to_others(store: Store) -> None:
    """By what they ask for; those that are over are nobody's concern."""
    store.matches.plan([changed(plan(match, "ann@1", "ben@1")) for match, (changed, _) in OTHERS.items()], 5)
    store.matches.plan([plan("t.2.1.0", "ann@1", "ben@1")], 5)
    store.matches.void("t.1.4.0", "enough", "olga", 6)
    with structlog.testing.capture_logs() as logs:
        lacking = versions.check(store)
    assert lacking == {why: 1 for match, (_, why) in OTHERS.items() if match != "t.1.4.0"}
    (told,) = logs
    assert (told["event"], told["log_level"], told["lacks"]) == ("unsupported_matches", "error", lacking)


def test_a_start_that_supports_everything_says_nothing(store: Store) -> None:
    store.matches.plan([plan("t.2.1.0", "ann@1", "ben@1")], 5)
    with structlog.testing.capture_logs() as logs:
        assert versions.check(store) == {}
    assert logs == []
