"""What fits into the processes of a bot that offer different formats is what a placement of every round can show."""

from collections import Counter
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import formats
from referee.hosting.allotment import Allotment, Process, fits, spare
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Stay
from referee.hosting.rooms import Rooms
from referee.hosting.roster import Roster
from referee.hosting.sessions import Greeting, Session
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.metrics import Metrics
from referee.trunk.lodging import Lodging
from tests.referee.playing import SEED

NAMES = ("uno-classic-2", "dos-2", "duo")
UNO, DOS, DUO = NAMES
PROCESSES = st.lists(st.tuples(st.frozensets(st.sampled_from(NAMES)), st.integers(0, 3)), min_size=1, max_size=3)


def placed(rounds: Counter[str], processes: list[Process]) -> bool:
    """Return whether some placement of every round exists, by trying them all."""

    @lru_cache(None)
    def try_from(left: tuple[str, ...], free: tuple[int, ...]) -> bool:
        return not left or any(
            free[place] > 0
            and left[0] in offered
            and try_from(left[1:], (*free[:place], free[place] - 1, *free[place + 1 :]))
            for place, (offered, _) in enumerate(processes)
        )

    return try_from(tuple(rounds.elements()), tuple(free for _, free in processes))


@given(PROCESSES, st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3)), st.sampled_from(NAMES))
def test_as_many_fit_as_can_be_placed(processes: list[Process], promised: dict[str, int], name: str) -> None:
    """And one more does not."""
    offered = {one for names, _ in processes for one in names}
    promised = {one: rounds for one, rounds in promised.items() if one in offered}
    assert fits(processes, promised) == placed(Counter(promised), processes)
    more = spare(name, processes, promised)
    if fits(processes, promised) and name in offered:
        assert more >= 0
        assert placed(Counter(promised) + Counter({name: more}), processes)
        assert not placed(Counter(promised) + Counter({name: more + 1}), processes)


@given(
    PROCESSES, st.dictionaries(st.sampled_from(NAMES), st.integers(1, 3)), st.lists(st.sampled_from(NAMES), max_size=6)
)
def test_round_by_round_it_is_known_who_may_take_one(
    processes: list[Process], promised: dict[str, int], dealt: list[str]
) -> None:
    """Those with which all the rest can still be placed, whether the round was promised or not.

    Where there is none, any takes it, also one that has no room, and the rest is as it is.
    """
    offered = {one for names, _ in processes for one in names}
    left = Counter({one: rounds for one, rounds in promised.items() if one in offered})
    allotment = Allotment(processes, left)
    for name in dealt:
        left[name] -= 1
        fitting = {}
        for place, (names, free) in enumerate(processes):
            after = [*processes[:place], (names, free - 1), *processes[place + 1 :]]
            if name in names and free > 0 and placed(+left, after):
                fitting[names] = after
        assert set(allotment.takes(name)) == fitting.keys()
        left = +left
        if fitting:
            taker, processes = fitting.popitem()
            allotment.take(name, taker)
        elif beyond := [place for place, (names, _) in enumerate(processes) if name in names]:
            names, free = processes[beyond[0]]
            processes = [*processes[: beyond[0]], (names, free - 1), *processes[beyond[0] + 1 :]]
            allotment.take(name, names, room=free)
        else:
            break
        assert allotment.fits == fits(processes, left)
        assert [allotment.spare(one) for one in NAMES] == [spare(one, processes, left) for one in NAMES]


def test_a_round_that_no_process_here_plays_may_come_to_any() -> None:
    """Its process may be back in a moment: it takes of all room, and of no format alone."""
    processes = [(frozenset({UNO}), 4), (frozenset({DOS}), 4)]
    assert (spare(UNO, processes, {DUO: 3}), spare(UNO, processes, {DUO: 6})) == (4, 2)


class Counting(Lodging):
    """What other hosts have here; counts how often that is looked at."""

    looks = 0

    def promised(self) -> list[tuple[Stay, int]]:
        """Rounds that are promised to other hosts."""
        self.looks += 1
        return super().promised()


class Desk:
    """A referee with the processes of one bot, whose log takes everything at once."""

    def __init__(self, *processes: Process) -> None:
        self.host = Host(lambda: 10.0, Roster(), Metrics())
        self.host.connect(self)
        self.lodging = Counting(self.host)
        self.rooms = Rooms(self.host, self.lodging, 1024)
        self.sessions = [
            Session(str(n), "ann@1", Greeting(str(n), "1", names, most, 64, (1, 1, 1), {}, 0))
            for n, (names, most) in enumerate(processes)
        ]
        for session in self.sessions:
            self.host.join(session)

    def mark(self, hosted: Hosted) -> None:
        """Write nothing."""

    def match(self, number: int, name: str, rounds: int) -> Hosted:
        """Take on a match of so many rounds against a bot that is not here; nothing is dealt yet."""
        played = MatchSpec(f"m{number}", formats.get(name), ("ann@1", "ben@1"), 16, with_nonces=False)
        hosted = Hosted(MatchPlay(played, SEED), "1-0-x", 1, 0)
        hosted.parallel = rounds
        self.host.matches[hosted.id] = hosted
        return hosted

    def deal(self, hosted: Hosted) -> None:
        """Deal what there is room for."""
        self.host.adopt(hosted, ())

    @property
    def overrun(self) -> int:
        """Rounds that processes have beyond what they take."""
        return sum(max(0, -session.room) for session in self.sessions)


def test_what_one_process_plays_alone_is_counted_together() -> None:
    """Not format by format: rounds of both would be in the only process that plays them."""
    desk = Desk((frozenset({UNO, DUO}), 4), (frozenset({DOS}), 8))
    desk.deal(desk.match(1, UNO, 4))
    assert (desk.rooms.of("ann@1", DUO), desk.rooms.of("ann@1", DOS)) == (0, 8)


@pytest.mark.parametrize(
    ("processes", "first", "then"),
    [
        pytest.param([({UNO}, 4), ({UNO, DOS}, 8)], (UNO, 8), DOS, id="one plays more than the other"),
        pytest.param([({UNO, DOS}, 8), ({UNO}, 4)], (UNO, 8), DOS, id="the other way round"),
        pytest.param([({UNO, DUO}, 4), ({UNO, DOS}, 4)], (UNO, 4), DUO, id="each plays what the other does not"),
        pytest.param([({UNO, DUO}, 4), ({DOS}, 8)], (UNO, 2), DUO, id="nothing in common"),
    ],
)
@pytest.mark.parametrize("promised_first", [True, False], ids=["both promised", "one after the other"])
def test_no_process_gets_more_rounds_than_it_takes(
    processes: list[tuple[set[str], int]], first: tuple[str, int], then: str, *, promised_first: bool
) -> None:
    """Whatever is promised beside what is dealt."""
    desk = Desk(*((frozenset(names), most) for names, most in processes))
    one = desk.match(1, *first)
    if not promised_first:
        desk.deal(one)
    room = desk.rooms.of("ann@1", then)
    other = desk.match(2, then, room)
    if promised_first:
        assert desk.rooms.of("ann@1", first[0]) >= 0
        desk.deal(one)
    desk.deal(other)
    assert desk.overrun == 0
    assert desk.rooms.of("ann@1", then) == 0
    assert sum(len(session.handles) for session in desk.sessions) == first[1] + room
    assert room > 0


def test_while_a_match_is_dealt_what_is_promised_is_counted_once() -> None:
    """Not for each of its rounds: eight processes that offer different formats would stop their referee by that."""
    names = formats.names()
    desk = Desk(*((frozenset({UNO, *names[place : place + 4]}), 4) for place in range(8)))
    for number, name in enumerate(names):
        desk.match(number + 2, name, 1)
    looks = desk.lodging.looks
    desk.deal(desk.match(1, UNO, 16))
    assert desk.lodging.looks == looks + 1
    assert (sum(len(session.handles) for session in desk.sessions), desk.overrun) == (16, 0)
