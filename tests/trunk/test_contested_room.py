"""Two hosts want the same bots: room is granted by the home of each, for all of a match or for none of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.hosting import seeking
from referee.hosting.host import Host
from referee.hosting.hosted import Home, Hosted, Stay
from referee.hosting.pauses import PAUSE_S, Pauses
from referee.hosting.roster import Roster
from referee.hosting.seeking import NoTrunks, Seeker, Sight
from referee.metrics import Metrics
from tests.live.house import FORMAT, plan, result
from tests.live.peer import Peer
from tests.patience import PATIENCE_S, until
from tests.trunk.test_far_seat import an_id_for, two_houses

SHORTEST, LONGEST = PAUSE_S


@dataclass
class Room:
    """A home that grants what it has, and notes in a common list what it is asked and told."""

    name: str
    has: int
    said: list[tuple[str, int]] = field(default_factory=list)

    def keep(self, stay: Stay, rounds: int) -> None:
        """Be told what to keep."""
        self.said.append((f"{stay.bot} keeps", rounds))

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Grant what there is."""
        assert not must
        self.said.append((f"{stay.bot} asked", rounds))
        return min(self.has, rounds)


@pytest.mark.parametrize(
    ("has", "said"),
    [
        pytest.param(
            (8, 2, 5),
            [
                ("ann asked", 8),
                ("ben asked", 8),
                ("cid asked", 2),
                ("ann keeps", 2),
                ("ben keeps", 2),
                ("cid keeps", 2),
            ],
            id="as much as the one with least room has",
        ),
        pytest.param(
            (8, 0, 5),
            [("ann asked", 8), ("ben asked", 8), ("ann keeps", 0), ("ben keeps", 0), ("cid keeps", 0)],
            id="nothing is kept where one has none, and nobody after it is asked",
        ),
    ],
)
async def test_seats_are_asked_for_in_one_order_everywhere(has: Sequence[int], said: list[tuple[str, int]]) -> None:
    """That of the bots' names: of two hosts that want the same, one has the first, and the other holds none."""

    async def look() -> Sight:
        return Sight()

    def give_back(hosted: Hosted) -> None:
        raise AssertionError(hosted)

    seeker = Seeker(Host(lambda: 1.0, Roster(), Metrics()), NoTrunks(), "me", look, give_back)
    told: list[tuple[str, int]] = []
    names = ("ann", "ben", "cid")
    homes = {Stay("m", name, FORMAT): Room(name, room, told) for name, room in zip(names, has, strict=True)}
    shuffled = dict(sorted(homes.items(), key=lambda pair: pair[0].bot, reverse=True))
    granted = await seeker.reserve(shuffled, 8)
    asked, kept = told[: len(told) - 3], told[-3:]
    assert [*asked, *sorted(kept)] == said
    assert granted == (0 if 0 in has else min(has))


def test_who_was_refused_asks_later_and_later_and_not_when_others_do() -> None:
    """Twice as long each time, up to a bound, and up to as much again by chance; a grant forgets it."""
    now, drawn = 100.0, 0
    pauses = Pauses(lambda: now, lambda below: drawn % below)
    waits = []
    for _ in range(7):
        assert pauses.over("m")
        pauses.refused("m")
        begun = now
        while not pauses.over("m"):
            now += 0.01
        waits.append(now - begun)
    assert waits == pytest.approx([SHORTEST, *(min(LONGEST, SHORTEST * 2**n) for n in range(1, 7))], abs=0.02)
    drawn = 999
    pauses.refused("m")
    now += LONGEST + 1.0
    assert not pauses.over("m")
    assert pauses.over("another")
    now += LONGEST
    pauses.granted("m")
    drawn = 0
    pauses.refused("m")
    now += SHORTEST + 0.01
    assert pauses.over("m")


@pytest.mark.slow
async def test_two_hosts_that_want_the_same_bots_never_have_both_and_always_go_on(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bot plays one round at a time, and each host holds the one it has while it asks for the other."""
    monkeypatch.setattr(seeking, "STEP_S", PATIENCE_S)  # each goes for its own matches
    reserve, both, began = Seeker.reserve, asyncio.Barrier(2), set[Seeker]()

    async def together(self: Seeker, homes: Mapping[Stay, Home], rounds: int) -> int:
        if self not in began:
            began.add(self)
            await both.wait()
        return await reserve(self, homes, rounds)

    monkeypatch.setattr(Seeker, "reserve", together)
    async with (
        two_houses(store, tmp_path) as homes,
        Peer.open(homes[0], "one", max_games=1) as one,
        Peer.open(homes[1], "two", max_games=1) as two,
    ):
        most = 0

        def pick(turn: object) -> list[int]:
            nonlocal most
            del turn
            hosted = [match for home in homes for match in home.referee.host.matches.values()]
            most = max(most, sum(len(match.play.tables) for match in hosted))
            return [0]

        one.answer = two.answer = pick
        await until(lambda: len(store.presence.online()) == 2)
        ids = [await an_id_for(home, one.bot, two.bot) for home in homes * 3]
        await homes[0].plan(*(plan(match, one.bot, two.bot) for match in ids))
        for match in ids:
            row = await homes[0].ended(match)
            assert (row.state, result(row)["faults"]) == (MatchState.CLOSED, [0, 0])
        assert (most, len(began)) == (1, 2)
        await until(lambda: not any(home.referee.lodging.promised() for home in homes))
        assert not any(home.referee.claimer.rooms.in_use for home in homes)
