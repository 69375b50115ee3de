"""Laws of the rating script, on every server program that this machine has."""

import itertools
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder import elo
from ladder.elo import EloConfig
from ladder.store import Store
from ladder.store.errors import NoServerError
from ladder.store.ladder_log import Ladder
from ladder.store.local import Fsync, start
from ladder.store.ratings import Applied
from ladder.store.server import find_program
from tests.store.scenes import result

pytestmark = pytest.mark.slow

BOTS = [f"bot{number}@{version}" for number in range(6) for version in (1, 2)]
_formats = itertools.count(1)


def _programs() -> dict[str, Path]:
    """The one that would be started, and the bundled one."""
    found = {}
    for environ in (dict(os.environ), {"PATH": ""}):
        with suppress(NoServerError):
            program = find_program(environ)
            found[program.path.name] = program.path
    return found


@pytest.fixture(scope="module", params=_programs().values(), ids=list(_programs()))
def any_store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store on this program."""
    program = find_program({"LASTCARD_REDIS_SERVER": str(request.param)})
    with (
        tempfile.TemporaryDirectory(prefix="lastcard-") as directory,
        start(Path(directory), fsync=Fsync.EVERYSEC, program=program, unix_socket=True) as server,
        Store.open(server.url, role="test") as store,
    ):
        yield store


@dataclass(frozen=True)
class Match:
    """A match of 2 to 10 bots."""

    bots: list[str]
    teams: list[int]
    ranks: list[list[list[int]]]


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """1 to 16 meetings of the same number of games, with ties; alone or in teams."""
    seats = draw(st.integers(2, 10))
    bots = draw(st.permutations(BOTS))[:seats]
    teams = draw(st.one_of(st.just(list(range(seats))), st.lists(st.integers(0, 2), min_size=seats, max_size=seats)))
    places = st.lists(st.integers(1, 10), min_size=seats, max_size=seats)
    games = st.lists(places, min_size=1, max_size=4)
    return Match(bots, teams, draw(st.lists(games, min_size=1, max_size=16)))


configs = st.builds(
    EloConfig,
    k0_milli=st.integers(1, 200_000),
    kmin_milli=st.integers(1, 50_000),
    n0_milli=st.integers(1, 100_000),
    init=st.integers(-(10**10), 10**10),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(configs, st.lists(matches(), min_size=1, max_size=8))
def test_script_and_pure_rule_agree_bit_for_bit(any_store: Store, config: EloConfig, played: list[Match]) -> None:
    """Any config, any matches: every rating equals, the sum is conserved, the rebuild agrees."""
    ladder = Ladder(f"law-{next(_formats)}", "law", 2, config)
    ratings, experience = dict.fromkeys(BOTS, config.init), dict.fromkeys(BOTS, 0)
    any_store.ratings.enter(ladder, dict.fromkeys(BOTS))
    for number, match in enumerate(played):
        applied = any_store.ratings.apply(
            result(f"m.{number}", match.bots, match.ranks, teams=match.teams, ladder=ladder)
        )
        assert isinstance(applied, Applied)
        for games in match.ranks:
            before = [ratings[bot] for bot in match.bots]
            changes = elo.meeting(config, before, [experience[bot] for bot in match.bots], games, match.teams)
            for bot, change in zip(match.bots, changes, strict=True):
                ratings[bot] += change
                experience[bot] += 1
    assert {tally.bot: tally.micro for tally in any_store.ratings.tallies(ladder.format)} == ratings
    check = any_store.ratings.sum_check(ladder.format)
    assert check.ratings == check.entries == len(BOTS) * config.init
    rebuilt = any_store.ratings.rebuild(ladder.format)
    assert (rebuilt.equal, rebuilt.differences) == (True, ())
