"""Watches the clocks: late decisions, late nonces, absent bots. Never punishes a bot for our own delay."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from referee.hosting.host import NONCE_S, ORPHAN_S, Host
from referee.hosting.question import Question
from referee.hosting.roster import Player
from referee.hosting.seats import FREE_RETURNS, Seat
from referee.hosting.seeking import NoTrunks
from referee.hosting.sessions import AGAIN_S, Asked, Session
from referee.logbook import LeaveReason

TICK_S: Final = 0.05
GAP_S: Final = 0.1
LOOKS_MS: Final = 100
"""Until two looks have found it late; what it takes beyond that is ours."""
FORGET_S: Final = 60.0
TIDY_S: Final = 1.0
MOMENT_S: Final = 1.0
"""So short a silence of the store turns nobody away for longer than an absence may last."""


class Lodgers(Protocol):
    """The questions of other hosts to bots here."""

    def late(self, question: Question, ms: int) -> None:
        """Take note that the time of a question is over, after so many milliseconds."""


class News(Protocol):
    """What is known of streams at other referees."""

    @property
    def told_until(self) -> float:
        """Loop time up to which is known here of every stream that a bot has opened anywhere."""

    def prove(self) -> None:
        """Have that be later soon."""


class Timekeeper:
    """Ticks every 50 ms.

    A decision is late only if two on-time ticks in a row say so: between them the loop has read everything that had
    arrived, and it is known that its bot had not come in at another referee before its time was over. A tick that comes
    late shifts every running clock by the delay, which is ours. While the store is silent nobody can come in, and
    whoever seems to be here may be cut off: all time begins anew. Who was turned away dials again when its own wait is
    over, which our outage has made longer than a question allows: nothing runs until then, and who is away is waited
    for as much longer, once, for it may have been another referee that turned it away. So is who seems to be here and
    was not heard since before: its line may be half of one. The same is in doubt of who was seen since at a referee
    that cannot be reached: else that one would tell us that the line here is dead. While games stand still because the
    store is nearly full all time begins anew, too; nobody was turned away then.
    """

    def __init__(
        self, host: Host, lodgers: Lodgers, absent_s: float, store_silent: Callable[[], bool],
        news: News = NoTrunks(),  # noqa: B008  (it has no state)
    ) -> None:  # fmt: skip
        self._host = host
        self._lodgers = lodgers
        self._absent_s = absent_s
        self._store_silent = store_silent
        self._news = news
        self._last = host.clock()
        self._silent_since = 0.0
        self._unheard_since = self._doubt_until = self._tidy_at = 0.0
        host.asker.standstill_ms = self.standstill_ms

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            self.tick()

    def standstill_ms(self, now: float) -> int:
        """Return for how long this process has stood still since the last tick: answers come in before the next one."""
        gap = now - self._last - TICK_S
        return int(gap * 1000) if gap >= GAP_S else 0

    def tick(self) -> None:
        """Look at every clock once."""
        now = self._host.clock()
        since, self._last = self._last, now
        gap = now - since - TICK_S
        self._host.metrics.loop_lag(max(0.0, gap), now)
        self._host.lateness.note(max(0.0, gap))
        if gap >= GAP_S:
            self._shift(gap, now)
            return
        silent, halted = self._store_silent(), self._host.halted
        if not silent and self._silent_since and now - self._silent_since > MOMENT_S:
            self._host.roster.reopen(now)
            self._unheard_since, self._doubt_until = self._silent_since, now + AGAIN_S
        self._silent_since = (self._silent_since or now) if silent else 0.0
        self._excuse([one for one in self._host.roster.players.values() if silent or halted or one.expected > now], now)
        self._hold(since, now)
        for asked, act in [(one, one.act) for one in self._late_seats(now)]:
            if asked.act < 0 or asked.act != act:
                continue  # an answer before it in this list has closed that question
            self._give_back(asked, _looked_for_s(asked, now), now, "search")
            if isinstance(asked, Seat):
                self._host.asker.late(asked, asked.elapsed_ms(now))
            else:
                self._lodgers.late(asked, asked.elapsed_ms(now))
        self._nonces(now)
        self._absent(now)

    def _shift(self, gap: float, now: float) -> None:
        """Give back the time that this process stood still."""
        for player in self._host.roster.players.values():
            for asked in _asked(player):
                asked.suspect = False
            self._leave_out(player, gap, now, "standstill")
        for hosted in self._host.matches.values():
            if hosted.nonce_deadline:
                hosted.nonce_deadline += gap

    def _hold(self, since: float, now: float) -> None:
        """Leave out the time that homes take to say where a bot is, and the ledger to say whether it may come in.

        What a bot has here that stands at the door may be a dead line.
        """
        held: dict[str, float] = {}
        for player in self._host.roster.players.values():
            if player.sought:
                held[player.bot] = now - since
                for seat in player.seats:
                    if seat.session is None:
                        self._give_back(seat, now - since, now, "search")
        for player, knocked in self._host.roster.knocking():
            seconds = now - max(since, knocked)
            held[player.bot] = max(seconds, held.get(player.bot, 0.0))
            player.shift(seconds, now)
            for asked in _asked(player):
                if asked.session is not None or not player.sought:  # else it has all of that time already
                    self._give_back(asked, seconds, now, "search")
        for hosted in self._host.matches.values() if held else ():
            if hosted.nonce_deadline:
                entrants = hosted.play.spec.entrants
                waits = [held.get(entrants[one], 0.0) for one in hosted.play.missing_nonces]
                hosted.nonce_deadline += max(waits, default=0.0)

    def _excuse(self, players: list[Player], now: float) -> None:
        """Begin all time anew: of open questions, from when their bot is here, and of those who cannot come back."""
        for player in players:
            for format_name in list(player.away):
                player.excuse(now, format_name)
            for asked in _asked(player):
                asked.suspect = False
                self._give_back(asked, now - asked.started, now, "outage")
                if asked.session is None:
                    asked.started = 0.0
        bots = {player.bot for player in players}
        for hosted in self._host.matches.values():
            entrants = hosted.play.spec.entrants
            if hosted.nonce_deadline and not bots.isdisjoint(entrants[one] for one in hosted.play.missing_nonces):
                hosted.nonce_deadline = max(hosted.nonce_deadline, now + NONCE_S)

    def _leave_out(self, player: Player, seconds: float, now: float, kind: str) -> None:
        """Give a time back that was ours, of all that runs for a bot."""
        player.shift(seconds, now)
        for asked in _asked(player):
            self._give_back(asked, seconds, now, kind)

    def _give_back(self, asked: Asked, seconds: float, now: float, kind: str) -> None:
        """Take a time off the clock of a question, if it runs, in which no answer could have counted."""
        if asked.started:
            ours = min(seconds, now - asked.started)
            asked.started += ours
            asked.given_back += ours
            if asked.act >= 0:
                self._host.metrics.given_back[kind] += ours

    def _late_seats(self, now: float) -> list[Asked]:
        """Return what is late. Of a thousand bots here nearly none is asked anything: those are passed over at once."""
        late: list[Asked] = []
        for player in self._host.roster.players.values():
            for session in player.sessions.values():
                if session.writing_since:
                    session.start_stuck(now)
                if session.open:
                    overdue = [seat for seat in session.open if self._is_late(seat, now)]
                    if overdue and not self._doubtful(player, session, now):
                        late += overdue
            for seat in player.seats:
                if seat.session is None and not player.sought and _alone(seat, player) and self._is_late(seat, now):
                    late.append(seat)
        return late

    def _doubtful(self, player: Player, session: Session, now: float) -> bool:
        """Whether a session may be half of a line: its bot was turned away elsewhere, or is out of reach.

        The second gives each bot so much time once while trunks are cut, whatever it does meanwhile.
        """
        if session.remote:
            return False
        if session.heard < self._unheard_since and now < self._doubt_until:
            return True
        if session.heard >= player.elsewhere:
            return False
        player.doubted = player.doubted or now + AGAIN_S
        return now < player.doubted

    def _doubtful_bot(self, bot: str, now: float) -> bool:
        player = self._host.roster.player(bot, now)
        return any(self._doubtful(player, session, now) for session in player.sessions.values())

    def _is_late(self, seat: Asked, now: float) -> bool:
        if not seat.started:
            return False
        elapsed = (now - seat.started) * 1000
        clock = seat.clock
        if elapsed < clock.rule.decision_ms or elapsed <= clock.allowance_ms():
            return False
        if not seat.suspect:
            seat.suspect = True
            self._news.prove()
            return False
        return self._heard_out(seat)

    def _heard_out(self, seat: Asked) -> bool:
        """Whether it is known here where its bot was when its time was over: on this line, or nowhere else."""
        over, session = seat.started + _limit_ms(seat) / 1000, seat.session
        if session is not None and (session.remote or session.heard >= over):
            return True
        return self._told(over)

    def _told(self, until: float) -> bool:
        """Whether all is here that other referees had to say until then; else they are asked."""
        if self._news.told_until >= until:
            return True
        self._news.prove()
        return False

    def _nonces(self, now: float) -> None:
        for hosted in list(self._host.matches.values()):
            if hosted.nonce_deadline and now > hosted.nonce_deadline:
                missing = [hosted.play.spec.entrants[one] for one in hosted.play.missing_nonces]
                if any(self._doubtful_bot(bot, now) for bot in missing):
                    hosted.nonce_deadline = now + NONCE_S
                elif self._told(hosted.nonce_deadline) and not any(self._out_of_reach(bot, now) for bot in missing):
                    self._host.nonces_late(hosted)

    def _out_of_reach(self, bot: str, now: float) -> bool:
        """Whether all that is known of a bot is at referees that do not answer."""
        sessions = self._host.roster.player(bot, now).sessions.values()
        return bool(sessions) and not any(session.within_reach for session in sessions)

    def _absent(self, now: float) -> None:
        host = self._host
        for player in list(host.roster.players.values()):
            for seat in player.seats:
                if seat.session is None and now - seat.orphaned > ORPHAN_S and player.sessions:
                    self._give_new_places(player, now)
                    break
            if player.away and any(now - since > self._absent_s for since in player.away.values()):
                self._forfeit(player, now)
        if now >= self._tidy_at:
            self._tidy_at = now + TIDY_S
            host.roster.tidy(now, FORGET_S)

    def _give_new_places(self, player: Player, now: float) -> None:
        """Give the seats that lost their process for good to others that play their format."""
        formats = dict.fromkeys(
            seat.hosted.format_name for seat in player.seats if seat.session is None and now - seat.orphaned > ORPHAN_S
        )
        for format_name in formats:
            session = player.best_session(format_name)
            if session is not None:
                self._host.attach(player, session, all_orphans=True)

    def _forfeit(self, player: Player, now: float) -> None:
        """Have a bot leave the matches whose format it has not offered for too long."""
        for hosted in dict.fromkeys(seat.hosted for seat in player.seats):
            if now - player.away.get(hosted.format_name, now) > self._absent_s:
                self._host.leave(hosted, hosted.play.spec.entrants.index(player.bot), LeaveReason.ABSENT)


def _alone(seat: Seat, player: Player) -> bool:
    """Whether nobody is waited for to answer an open question of a seat without a process.

    Another process of its bot may get it later; as often as that is free it then has the whole time.
    """
    return seat.act >= 0 and (seat.hosted.format_name in player.away or seat.returns >= FREE_RETURNS)


def _limit_ms(asked: Asked) -> int:
    """Milliseconds that a question may take."""
    return max(asked.clock.rule.decision_ms, asked.clock.allowance_ms())


def _looked_for_s(asked: Asked, now: float) -> float:
    """Seconds that we needed to find out where the bot was whose question is late."""
    return max(0.0, now - asked.started - (_limit_ms(asked) + LOOKS_MS) / 1000)


def _asked(player: Player) -> list[Asked]:
    """Return everything of a bot that a clock may run for: its seats here, and questions of other hosts."""
    lodged = [asked for session in player.sessions.values() for asked in session.open if not isinstance(asked, Seat)]
    return [*player.seats, *lodged]
