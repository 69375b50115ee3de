"""A trunk that stands still, uncut: that is noticed soon, and is at nobody's expense."""

from __future__ import annotations

import asyncio
from math import inf

import pytest

from ladder.store.presence import Online
from lastcard.address import Address
from referee.hosting.hosted import Home, Hosted, Stay
from referee.hosting.rooms import Rooms
from referee.hosting.seeking import Seeker, Sight
from referee.hosting.sessions import Greeting, Session
from referee.hosting.timekeeper import TICK_S, Timekeeper
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.metrics import Metrics
from referee.trunk import frames
from referee.trunk import link as trunk_link
from referee.trunk.carrier import GrpcCarrier
from referee.trunk.line import Line
from referee.trunk.link import BEAT_S, UNHEARD, Link
from tests.patience import PATIENCE_S
from tests.referee.playing import SEED, spec
from tests.trunk.lines import End
from tests.trunk.test_arrivals import BOT, PLAYED, House, Pair, Trunk, _trunks

RIVAL = PLAYED.entrants[1]
STAY = Stay("m", BOT, PLAYED.format.name)
TICKS = round(BEAT_S / TICK_S)


def there(*bots: str, format_name: str = PLAYED.format.name) -> dict[str, Online]:
    """Return what the ledger shows of a referee with these bots."""
    return dict.fromkeys(bots, Online(frozenset({format_name}), 8))


def kinds(end: Trunk) -> list[str]:
    """Return what is on its way: call, or its end, or anything else."""
    said = [frame for frame in end.said if frame.WhichOneof("frame") == "reserve"]
    return ["call" if frame.reserve.call else f"keep {frame.reserve.rounds}" for frame in said]


class Trunks:
    """The trunks of a referee, as a switchboard has them."""

    def __init__(self, links: dict[str, Link]) -> None:
        self.links = links
        self.unreached = False
        """Whether one lives to which there is no trunk."""

    @property
    def whole(self) -> bool:
        """Whether all answer."""
        return not self.unreached and all(self.home(name) for name in self.links)

    @property
    def told_until(self) -> float:
        """Loop time up to which all is here that those had to say who answer."""
        return min((link.told_until for link in self.links.values() if not link.silent), default=inf)

    def prove(self) -> None:
        """Ask them for a sign."""
        for link in self.links.values():
            if not link.silent:
                link.prove()

    def home(self, name: str) -> Home | None:
        """Return one that answers."""
        link = self.links.get(name)
        return None if link is None or link.silent else link


def seeker(house: House, links: dict[str, Link], at: dict[str, dict[str, Online]]) -> Seeker:
    """Return what finds bots for a house; `at` is the ledger."""

    async def look() -> Sight:
        return Sight({name: {} for name in (house.name, *links)}, at)

    def give_back(hosted: Hosted) -> None:
        raise AssertionError(hosted)

    return Seeker(house.host, Trunks(links), house.name, look, give_back)


def host(house: House, number: int, *, rounds: int = 1, nonces: bool = False, bots: tuple[str, ...] = ()) -> Hosted:
    """Have a match at a house."""
    played = MatchSpec(f"m{number}", PLAYED.format, bots or PLAYED.entrants, 8, nonces)
    hosted = Hosted(MatchPlay(played, SEED), "1-0-x", 1, 0)
    hosted.parallel = rounds
    house.host.adopt(hosted, ())
    return hosted


async def moments(count: int = 5) -> None:
    """Let tasks go on as far as they can."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_a_peer_that_is_not_heard_for_about_a_second_is_silent() -> None:
    """Until it says anything, if it is only that it lives."""
    link = Pair().out
    for _ in range(UNHEARD):
        assert not link.silent
        link.beat()
    assert link.silent
    link.heard(b"")
    assert not link.silent
    assert 1.0 <= UNHEARD * BEAT_S <= 1.5


async def test_who_has_nothing_to_say_says_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the real wire, both ways."""
    monkeypatch.setattr(trunk_link, "BEAT_S", 0.02)
    near, far, counts = House("near", 1.0), House("far", 2.0), (Metrics(), Metrics())

    async def accept(line: Line) -> None:
        await Link("near", line, far.host, far.lodging, counts[1]).run()

    carrier = GrpcCarrier(Address("127.0.0.1", 0))
    address = await carrier.listen(accept)
    try:
        async with GrpcCarrier(address).dial(str(address)) as line, asyncio.timeout(PATIENCE_S):
            link = Link("far", line, near.host, near.lodging, counts[0])
            running = asyncio.create_task(link.run())
            while min(one.trunk_messages["received"] for one in counts) < 2 * UNHEARD:  # noqa: ASYNC110  (counters tell nobody)
                await asyncio.sleep(0.01)
            assert not running.done()
            link.cut()
            await running
    finally:
        await carrier.close()
    assert [one.trunk_bytes["received"] for one in counts] == [0, 0]


async def test_a_call_to_a_peer_that_falls_silent_ends_at_once() -> None:
    """And who is silent is asked nothing more."""
    link = Pair().out
    call = asyncio.create_task(link.reserve(STAY, 3))
    await moments()
    for _ in range(UNHEARD):
        assert not call.done()
        link.beat()
    assert await call == 0
    assert kinds(link) == ["call", "keep 0"]
    assert await link.reserve(STAY, 3) == 0
    assert kinds(link) == ["call", "keep 0"]


async def test_who_lives_and_has_not_answered_is_silent_until_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is heard, and does not hear us."""
    monkeypatch.setattr(trunk_link, "RESERVE_S", 0.01)
    pair = Pair()
    assert await pair.out.reserve(STAY, 3) == 0
    pair.out.heard(b"")
    assert pair.out.silent
    pair.talk()
    assert not pair.out.silent


def test_a_bot_that_is_behind_a_still_trunk_is_not_late_at_its_dead_line() -> None:
    """As behind one that is cut: its host cannot be told that it has come back elsewhere."""

    async def scene(*, cut: bool) -> int:
        pair = Pair()
        near, far = pair.near, pair.far
        keeper = Timekeeper(near.host, near.lodging, 30.0, lambda: False)
        fast = spec("uno-classic-2-fast")

        def sit(house: House, bot: str) -> None:
            greeting = Greeting("one", "1", frozenset({fast.format.name}), 8, 8, (1, 1, 1), {}, 0)
            house.host.join(Session(bot, bot, greeting, now=house.now))

        for bot in PLAYED.entrants:
            sit(near, bot)
        hosted = Hosted(MatchPlay(fast, SEED), "1-0-x", 1, 0)
        near.host.adopt(hosted, ())
        at: dict[str, dict[str, Online]] = {"far": {}}
        finding = seeker(near, {} if cut else {"far": pair.out}, at)
        finding._trunks = Trunks({"far": pair.out})
        if cut:
            pair.out._lose()
            pair.out._unheard = UNHEARD
        asked = [seat for seats in hosted.seats.values() for seat in seats if seat.act >= 0]
        (late,) = {hosted.play.spec.entrants[seat.entrant] for seat in asked}
        for tick in range(round(6.0 / TICK_S)):
            pair.wait(TICK_S)
            if tick == TICKS:
                sit(far, late)
                at["far"] = there(late, format_name=fast.format.name)
            if tick % TICKS == 0:
                pair.out.beat()
                await finding.follow()
                await finding.doubt()
            keeper.tick()
            effects, hosted.effects = hosted.effects, []
            near.host.let_out(effects)
            for session in near.sessions:
                while session.outbox:
                    session.take(near.now)
        return sum(sum(each.values()) for each in hosted.play.fault_kinds)

    assert [asyncio.run(scene(cut=cut)) for cut in (True, False)] == [0, 0]


async def test_a_home_that_answers_too_late_is_asked_until_it_keeps_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot plays there meanwhile; its nonce, which met a home that kept nothing, is asked for again."""
    pair = Pair()
    near, far = pair.near, pair.far
    far.lodging.room = Rooms(far.host, far.lodging, 1000).of
    session = far.join()
    hosted = host(near, 1, rounds=8, nonces=True)
    finding = seeker(near, {"far": pair.out}, {"far": there(BOT)})
    with monkeypatch.context() as patched:
        patched.setattr(trunk_link, "RESERVE_S", 0.01)
        await finding.follow()
    pair.talk()
    assert hosted.format_name in near.host.roster.player(BOT, 0.0).formats
    assert (hosted.homes, far.lodging.promised()) == ({}, [])
    assert not far.lodging.nonce(session, hosted.id, bytes(16))
    before = len(session.outbox)
    following = asyncio.create_task(finding.follow())
    while not following.done():
        await moments()
        pair.talk()
    pair.talk()
    assert (hosted.homes, far.lodging.promised()) == ({BOT: pair.out}, [(hosted.stay(BOT), 8)])
    assert len(session.outbox) > before
    assert far.lodging.nonce(session, hosted.id, bytes(16))
    pair.talk()
    assert hosted.play.missing_nonces == [1]
    await finding.follow()
    assert not pair.out.said


async def test_room_is_kept_where_a_bot_plays_by_now() -> None:
    """Not where it was, though another match has its new home tell of it already."""
    near, old, new = House("near", 1.0), House("old", 2.0), House("new", 3.0)
    (to_old, of_old), (to_new, of_new) = _trunks(near, old), _trunks(near, new)
    links: dict[str, Link] = {"old": to_old, "new": to_new}
    at = {"old": there(BOT), "new": {}}
    finding, hosted = seeker(near, links, at), host(near, 1)

    async def follow() -> None:
        following = asyncio.create_task(finding.follow())
        while not following.done() or any(end.said for end in (to_old, of_old, to_new, of_new)):
            await moments()
            for end in (to_old, of_old, to_new, of_new):
                end.deliver()

    first = old.join("one")
    await follow()
    assert hosted.homes == {BOT: to_old}
    new.join("two")
    to_new.send(frames.reserve(0, Stay("other", BOT, hosted.format_name), 1, must=True))
    old.lodging.parted(first)
    old.host.part(first)
    at.update({"old": {}, "new": there(BOT)})
    await follow()
    await follow()
    assert hosted.homes == {BOT: to_new}
    assert old.lodging.promised() == []
    assert (hosted.stay(BOT), 1) in new.lodging.promised()


async def test_one_still_trunk_holds_up_nobody_else() -> None:
    """All homes are asked side by side, and all whose homes are asked are not late meanwhile."""
    near, far, still = House("near", 1.0), House("far", 2.0), House("still", 3.0)
    (to_far, of_far), (to_still, _) = _trunks(near, far), _trunks(near, still)
    far.join()
    others = [f"other{n}@1" for n in range(3)]
    for number, bot in enumerate(others):
        host(near, number, bots=(bot, RIVAL))
    mine = host(near, 9, bots=(BOT, RIVAL))
    ledger = {"far": there(BOT), "still": there(*others)}
    following = asyncio.create_task(seeker(near, {"still": to_still, "far": to_far}, ledger).follow())
    await moments()
    players = near.host.roster.players
    assert [bot for bot, player in players.items() if player.sought] == [*others, BOT]
    to_far.deliver()
    of_far.deliver()
    await moments()
    assert mine.homes == {BOT: to_far}
    assert [bot for bot, player in players.items() if player.sought] == others
    for _ in range(UNHEARD):
        to_still.beat()
    await following
    assert not any(player.sought for player in players.values())


async def test_who_is_sought_for_two_matches_is_sought_until_both_have_an_answer() -> None:
    """Whichever comes first."""
    near, far, still = House("near", 1.0), House("far", 2.0), House("still", 3.0)
    (to_far, of_far), (to_still, _) = _trunks(near, far), _trunks(near, still)
    for number in (1, 2):
        host(near, number)
    far.join()
    links: dict[str, Link] = {"still": to_still, "far": to_far}
    following = asyncio.create_task(seeker(near, links, {"far": there(BOT)}).follow())
    await moments()
    answers = [frame.reserve.match for frame in to_far.said]
    assert sorted(answers) == ["m1", "m2"]
    to_far.deliver()
    first, *rest = [piece for piece in of_far._outbox if frames.parse(piece)[0].WhichOneof("frame") == "grant"]
    player = near.host.roster.player(BOT, near.now)
    to_far.heard(first)
    await moments()
    assert player.sought
    for piece in rest:
        to_far.heard(piece)
    await following
    assert not player.sought


async def test_a_match_grows_where_all_its_homes_answer() -> None:
    """They are asked side by side; one that is silent is not, and keeps what it keeps as soon as it answers again."""
    near = House("near", 1000.0)
    ends = {bot: _trunks(near, House(bot, 5.0)) for bot in (BOT, RIVAL)}
    hosted = host(near, 1, rounds=2)
    hosted.homes.update({bot: there for bot, (there, _) in ends.items()})
    hosted.kept = 2
    finding = seeker(near, {}, {})
    growing = asyncio.create_task(finding.more(hosted, 3))
    await moments()
    to_one, to_other = (there for there, _ in ends.values())
    assert (kinds(to_one), kinds(to_other)) == (["call"], ["call"])
    for end, rounds in ((to_one, 4), (to_other, 5)):
        end.heard(frames.grant(end.said[0].reserve.call, rounds))
        end._outbox.clear()
    assert await growing == 2
    assert (kinds(to_one), kinds(to_other), hosted.kept) == (["keep 4"], ["keep 4"], 4)
    hosted.parallel, near.now = 4, near.now + 2.0
    for _ in range(UNHEARD):
        to_one.beat()
    growing = asyncio.create_task(finding.more(hosted, 1))
    await moments()
    assert kinds(to_one) == ["keep 4"]
    to_other.heard(frames.grant(to_other.said[-1].reserve.call, 5))
    assert await growing == 0
    assert (list(hosted.homes), hosted.kept) == ([RIVAL], 4)


def test_a_trunk_between_ends_that_are_not_read_keeps_its_word() -> None:
    """A beat is not said beside what is said anyway."""
    link = Link("far", End(), House("near", 1.0).host, House("near", 1.0).lodging, Metrics())
    link.keep(STAY, 1)
    link.beat()
    assert not link._must_beat
    link._outbox.clear()
    link.beat()
    assert link._must_beat
