"""Simulated bots: processes that dial referees and speak the protocol, each with its manners."""

from collections.abc import Callable
from math import ceil
from random import Random
from typing import Final

from lastcard.v1 import play_pb2 as pb
from referee import formats
from referee.clock import ClockRule
from tests.simulate.choice import choose
from tests.simulate.diary import Diary, Place, Said
from tests.simulate.invariant import Invariant
from tests.simulate.manners import Manners, draw_orders
from tests.simulate.network import Network, Wire

WELCOME_S: Final = 3.0
HEARTBEAT_S: Final = 15.0
PONDER_SHARE: Final = 0.9
BROOD_SHARE: Final = 0.85
HARMLESS_ENDS: Final = frozenset(
    {"OK", "LOST", "CANCELLED", "DRAINING", "STORE", "REPLACED", "NO_HELLO", "TOO_MANY_INSTANCES"}
)
FAULT_CODES: Final = frozenset({pb.REPLY_CODE_ILLEGAL, pb.REPLY_CODE_MALFORMED, pb.REPLY_CODE_LATE})


class Bot:
    """One version of a bot: what all its processes share.

    Attributes:
        calm: whether nothing has gone wrong so far: rounds that are handed over have no need of room.
    """

    def __init__(self, name: str, version: str, token: str, manners: Manners, network: Network, chance: Random) -> None:
        self.name = name
        self.version = version
        self.token = token
        self.manners = manners
        self.orders = manners.orders
        self.network = network
        self.chance = chance
        self.diary = Diary(version, network.complain)
        self.clock: ClockRule = formats.get(network.format_name).clock
        self.instances: list[Instance] = []
        self.blamable = not manners.blameless
        self.steady = manners.steady
        self.brooded: dict[Place, int] = {}
        self.calm: Callable[[], bool] = lambda: False

    def start(self, slot: int) -> None:
        """Start a process that dials a referee."""
        instance = Instance(self, slot, f"{self.name}-{slot}-{len(self.instances)}")
        self.instances.append(instance)
        instance.dial()

    @property
    def connected(self) -> int:
        """Processes that were welcomed."""
        return sum(one.line is not None and one.line.welcome for one in self.instances)


class Instance:
    """One process of a bot."""

    def __init__(self, bot: Bot, slot: int, ident: str) -> None:
        self.bot = bot
        self.slot = slot
        self.id = ident
        self.known: dict[str, int] = {}
        self.line: Line | None = None
        self.away_until = 0.0
        self.finished = False
        self.half_open = False
        self.offered = bot.network.format_name
        self._backoff = bot.manners.backoff_s[0]
        self._dials = 0

    def dial(self) -> None:
        """Open a stream, also while another is open."""
        network = self.bot.network
        if self.finished or network.timeline.now < self.away_until:
            return
        self._dials += 1
        line = Line(self)
        self.line = line
        line.stream = network.dial(self.slot, line, self.bot.token, f"{self.id}.{self._dials}")
        if line.stream is None:
            self.redial(self._next_backoff())
        else:
            line.greet()

    def redial(self, seconds: float) -> None:
        """Dial again after a while."""
        self.line = None
        self.bot.network.timeline.after(seconds, self._dial_if_alone)

    def _dial_if_alone(self) -> None:
        if self.line is None:
            self.dial()

    def _next_backoff(self) -> float:
        delay, self._backoff = self._backoff, min(self.bot.manners.backoff_s[1], self._backoff * 2)
        return delay * self.bot.chance.uniform(0.5, 1.0)

    def welcomed(self) -> None:
        """Begin the next row of dials with a short wait."""
        self._backoff = self.bot.manners.backoff_s[0]

    def ended(self, line: "Line", reason: str) -> None:
        """Dial again when the stream in use has ended."""
        if self.line is not line:
            return
        self.redial(line.away_s if line.told_away else self._next_backoff())

    # -- what is done to it

    def cut(self, seconds: float, *, silent: bool = False) -> None:
        """Lose the stream and stay away for so long."""
        timeline = self.bot.network.timeline
        self.away_until = timeline.now + seconds
        timeline.after(seconds + 1e-6, self._dial_if_alone)
        if self.line is not None and self.line.stream is not None:
            self.line.stream.cut(silent=silent)

    def offer(self, format_name: str) -> None:
        """Come back with another format in the Hello."""
        self.offered = format_name
        self.cut(0.0)

    def forget(self) -> None:
        """Die and come back as another process that knows nothing."""
        self.id += "'"
        self.known.clear()
        self.cut(0.0)

    def leave(self) -> None:
        """Close the stream in good order and stay away."""
        self.finished = True
        if self.line is not None and self.line.stream is not None:
            self.line.half_close()


class Line:
    """A process's end of one stream."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.offered = instance.offered
        self.stream: Wire | None = None
        self.welcome = False
        self.told_away = False
        self.away_s = 0.0
        self.replaced = False
        self.over = False
        self.deaf = False
        self._closed = False
        self._rounds: dict[int, Place] = {}
        self._given: list[pb.Answer] = []
        self._said: dict[tuple[int, int], tuple[Place, Said]] = {}
        self._batch: list[pb.Answer] = []

    # -- opening and ending

    def greet(self) -> None:
        """Send the Hello."""
        instance, bot = self.instance, self.instance.bot
        if bot.manners.moody:
            bot.orders = draw_orders(bot.chance)
        catch, challenge, late_call = bot.orders
        hello = pb.Hello(
            instance=instance.id, version="1", formats=[self.offered], sdk="simulated",
            max_games=bot.manners.max_games, max_open=bot.manners.max_open,
            catch=catch, challenge=challenge, late_call=late_call,  # type: ignore[arg-type]
            resume=[pb.Resume(round_id=round_id, next_event=known) for round_id, known in instance.known.items()],
        )  # fmt: skip
        self._send(pb.PlayRequest(hello=hello))
        bot.network.timeline.after(WELCOME_S, self._give_up)

    def _give_up(self) -> None:
        if not self.welcome and self.stream is not None:
            self.stream.cut()

    def half_close(self) -> None:
        """Say that nothing more will come."""
        self._closed = True
        if self.stream is not None:
            self.stream.half_close()

    def ended(self, reason: str) -> None:
        """Take the end of the stream."""
        self.over = True
        network = self.instance.bot.network
        network.trace.note("bot", self.instance.id, "ends", reason)
        if reason not in HARMLESS_ENDS and not (reason == "UNREAD" and self.deaf):
            network.complain(Invariant.FAREWELL, f"the stream of {self.instance.id} ended with {reason}")
        self.instance.bot.diary.losses.update(self._rounds.values())
        parted = self.told_away or self._closed or self.replaced or self.deaf
        if reason in {"OK", "CANCELLED"} and self.welcome and not parted:
            network.complain(Invariant.FAREWELL, f"the stream of {self.instance.id} ended without GoingAway")
        self.instance.ended(self, reason)

    def _send(self, request: pb.PlayRequest) -> None:
        if self.stream is not None and not self.over and not self._closed:
            self.stream.send(request.SerializeToString())

    # -- what comes in

    def received(self, message: bytes) -> None:
        """Take a message."""
        response = pb.PlayResponse.FromString(message)
        for notice in response.notices:
            self._notice(notice)
        for turn in response.turns:
            self._turn(turn)

    def _notice(self, notice: pb.Notice) -> None:
        bot = self.instance.bot
        match notice.WhichOneof("notice"):
            case "welcome":
                self.welcome = True
                self.instance.welcomed()
                self._after(HEARTBEAT_S, self._heartbeat)
                bot.network.trace.note("bot", self.instance.id, "is welcome")
            case "match_start":
                bot.diary.match(notice.match_start)
                self._nonce(notice.match_start.match)
            case "match_end":
                bot.diary.match_end(notice.match_end)
            case "reply":
                self._reply(notice.reply)
            case "going_away":
                self.told_away = True
                self.away_s = notice.going_away.reconnect_after_ms / 1000
                bot.network.trace.note("bot", self.instance.id, "is sent away for", self.away_s)
                self.half_close()
            case "replaced":
                self.replaced = True
            case _:
                pass

    def _reply(self, reply: pb.Reply) -> None:
        bot = self.instance.bot
        if reply.code in FAULT_CODES:
            bot.diary.faults += 1
            bot.network.trace.note("bot", self.instance.id, "is told", pb.ReplyCode.Name(reply.code))
        elif reply.code == pb.REPLY_CODE_OK:
            place, said = self._said[reply.round, reply.act]
            bot.diary.acknowledge(place, reply.act, said)

    def _heartbeat(self) -> None:
        if not (self.over or self._closed):
            self._send(pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=1)))
            self._after(HEARTBEAT_S, self._heartbeat)

    def _nonce(self, match: str) -> None:
        bot = self.instance.bot
        value = nonce_of(bot.version, match)
        delay = bot.chance.uniform(0.0, 0.01)
        if bot.manners.nonce == "none":
            return
        if bot.manners.nonce == "late":
            delay += 3.0
        if bot.manners.nonce == "malformed":
            value = value[:5]
        request = pb.PlayRequest(nonces=[pb.Nonce(match=match, nonce=value)])
        bot.network.timeline.after(delay, lambda: self._send(request))

    def _turn(self, turn: pb.Turn) -> None:
        bot, known = self.instance.bot, self.instance.known
        if turn.HasField("start"):
            self._rounds[turn.round] = (turn.start.round_id, turn.start.seat)
            self._count_rounds()
        place = self._rounds.get(turn.round)
        if place is None:
            text = f"{self.instance.id} gets a turn of round {turn.round}, which was not introduced"
            bot.network.complain(Invariant.SEEN, text)
            return
        if self.offered != bot.network.format_name:
            bot.network.complain(Invariant.SEEN, f"{self.instance.id} gets a turn of a format that it does not offer")
        before = known.get(place[0], 0)
        bot.diary.turn(place, turn, before)
        known[place[0]] = max(before, turn.first_event + len(turn.event_kind))
        if turn.HasField("end"):
            known.pop(place[0])
            del self._rounds[turn.round]
        elif turn.HasField("decision"):
            self._asked(place, turn)

    def _count_rounds(self) -> None:
        bot, count = self.instance.bot, len(self._rounds)
        if count > bot.manners.max_games and bot.calm():
            text = f"{self.instance.id} has {count} rounds at once and takes {bot.manners.max_games}"
            bot.network.complain(Invariant.ROOM, text)

    # -- what goes out

    def _asked(self, place: Place, turn: pb.Turn) -> None:
        bot, manners = self.instance.bot, self.instance.bot.manners
        chance = bot.chance
        key = f"{bot.version}|{place[0]}|{turn.act}|"
        if manners.fickle:
            key += str(chance.random())
        picked = choose(turn.decision, bot.network.format_name, key, bot.orders)
        answer = pb.Answer(
            round=turn.round, act=turn.act, picks=picked.picks, call=picked.call, color=picked.color  # type: ignore[arg-type]
        )  # fmt: skip
        delay = self._thought(place, turn.act)
        answer.think_ms = ceil(delay * 1000)
        if chance.random() < manners.illegal:
            answer.picks[:] = [len(turn.decision.option_act) + 3]
        if chance.random() < manners.malformed:
            answer.color = 9  # type: ignore[assignment]
        asked = bot.network.timeline.now
        if chance.random() >= manners.silent:
            self._after(delay, lambda: self._answer(place, answer, asked))

    def _thought(self, place: Place, act: int) -> float:
        """Return how long it thinks."""
        bot, manners, chance = self.instance.bot, self.instance.bot.manners, self.instance.bot.chance
        clock = bot.clock
        if chance.random() < manners.slow:
            return (clock.decision_ms + clock.bank_ms) / 1000 + 1.5
        if chance.random() < manners.brood and bot.brooded.setdefault(place, act) == act:
            return (clock.decision_ms + BROOD_SHARE * clock.bank_ms) / 1000
        if chance.random() < manners.ponder:
            return PONDER_SHARE * clock.decision_ms / 1000
        return chance.uniform(*manners.think_s)

    def _after(self, delay: float, action: Callable[[], None]) -> None:
        self.instance.bot.network.timeline.after(delay, action)

    def _answer(self, place: Place, answer: pb.Answer, asked: float) -> None:
        bot, manners = self.instance.bot, self.instance.bot.manners
        if self.over or self._closed:
            return
        said: Said = (tuple(answer.picks), answer.call, int(answer.color))
        bot.diary.answer(place, answer.act, said, bot.network.timeline.now + manners.batch_s - asked)
        self._said[answer.round, answer.act] = (place, said)
        answers = [answer]
        chance = bot.chance
        if chance.random() < manners.twice:
            answers.append(answer)
        if self._given and chance.random() < manners.stale:
            answers.insert(0, chance.choice(self._given))
        if chance.random() < manners.foreign:
            answers.append(pb.Answer(round=answer.round + 5_000, act=answer.act, picks=[0]))
        self._given.append(answer)
        del self._given[:-8]
        self._post(answers)
        if self.stream is not None and chance.random() < manners.garbage:
            self.stream.send(b"\x0b\xff\xff")

    def _post(self, answers: list[pb.Answer]) -> None:
        batch_s = self.instance.bot.manners.batch_s
        if not batch_s:
            self._send(pb.PlayRequest(answers=answers))
            return
        if not self._batch:
            self._after(batch_s, self._flush)
        self._batch += answers

    def _flush(self) -> None:
        batch, self._batch = self._batch, []
        self._send(pb.PlayRequest(answers=batch))


def nonce_of(version: str, match: str) -> bytes:
    """Return the nonce of a bot for a match: the same every time."""
    return Random(f"{version}|{match}").randbytes(16)
