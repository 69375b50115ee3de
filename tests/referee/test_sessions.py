"""What a session owes its bot: in messages that a client takes, bounded for who does not read."""

from hypothesis import given
from hypothesis import strategies as st

from referee.door.quota import Quota, Quotas
from referee.hosting.seats import Seat
from referee.hosting.sessions import MOST_BYTES, MOST_HINTS, Greeting, Session

GREETING = Greeting("i", "1", frozenset({"uno-classic-2"}), 64, 8, (1, 1, 1), {}, 0)


def session() -> Session:
    """Return a session that owes nothing."""
    return Session("s", "ann@1", GREETING)


def seat() -> Seat:
    """Return a seat whose clock has not started, at no table."""
    made = Seat.__new__(Seat)
    made.started = made.carried = 0.0
    return made


@given(sizes=st.lists(st.integers(1, MOST_BYTES * 3 // 2), min_size=1, max_size=12))
def test_what_has_gathered_leaves_in_order_in_messages_of_limited_size(sizes: list[int]) -> None:
    """Nothing is lost or torn; a message is too large only where one turn is; a clock starts with its own message."""
    one = session()
    turns = [(bytes([number]) * size, seat()) for number, size in enumerate(sizes)]
    for turn, asked in turns:
        one.push(turn, asked, 0.0)
    told = b""
    now = 1.0
    while one.outbox:
        left = len(one.outbox)
        message = one.take(now)
        assert len(message) <= MOST_BYTES or left - len(one.outbox) == 1
        told += message
        begun = [asked.started > 0 for _, asked in turns]
        assert begun == [True] * (len(turns) - len(one.outbox)) + [False] * len(one.outbox)
        assert one.wake.is_set() == bool(one.outbox)
        now += 1.0
    assert told == b"".join(turn for turn, _ in turns)
    assert one.stamps == []


def test_who_does_not_read_is_not_told_what_it_can_do_without() -> None:
    """Hints are dropped when too much waits; what a bot has to know is kept."""
    one = session()
    for _ in range(MOST_HINTS * 2):
        one.hint(b"h")
    assert len(one.outbox) == MOST_HINTS
    one.tell(b"t")
    assert one.outbox[-1] == b"t"


def test_more_than_one_heartbeat_a_second_is_of_no_use() -> None:
    """The first is, and each a second after the last one that was: who beats a little too fast is told off for half."""
    one = session()
    assert [one.beat(now) for now in (10.0, 10.5, 11.2, 12.1, 12.3, 20.0)] == [True, False, True, False, True, True]


@given(gaps=st.lists(st.floats(0, 3), max_size=60))
def test_a_quota_gives_its_burst_and_then_its_rate(gaps: list[float]) -> None:
    """In any time no more than burst + rate x time; and who keeps to the rate is never refused."""
    quota, now, spent = Quota(2, 5, 0.0), 0.0, 0
    for gap in gaps:
        now += gap
        spent += quota.spend(now)
        assert spent <= 5 + 2 * now + 1e-6
    slow = Quota(2, 1, 0.0)
    assert all(slow.spend(number * 0.51) for number in range(40))


def test_what_is_more_than_is_left_is_refused_whole() -> None:
    """And takes nothing away."""
    quota = Quota(1, 5, 0.0)
    assert [quota.spend(0.0, count) for count in (6, 3, 3, 2, 1)] == [False, True, False, True, False]


def test_quotas_keep_few_and_forget_the_oldest() -> None:
    """A flood of keys costs a fixed amount of memory; a key in use is not forgotten."""
    quotas = Quotas(1, 1, most=10)
    assert quotas.spend("mine", 0.0)
    for number in range(100):
        quotas.spend(number, 0.0)
        assert not quotas.spend("mine", 0.0)
    assert len(quotas._kept) == 10
