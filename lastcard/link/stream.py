"""One stream to a referee: says Hello, takes turns in, sends answers out, and ends in good order."""

from __future__ import annotations

import asyncio
from time import monotonic, monotonic_ns
from typing import TYPE_CHECKING, Final, TypeAlias

import grpc

from lastcard.errors import ProtocolError
from lastcard.link import wire
from lastcard.link.ending import Ending, LastWord, Why
from lastcard.link.memory import Round, trim
from lastcard.link.player import Player
from lastcard.status import LOG
from lastcard.thinker import Thought
from lastcard.turn import Turn
from lastcard.v1 import play_pb2
from lastcard.waiting import happens

WELCOME_S: Final = 10.0
SILENCE_S: Final = 60.0
CLOSE_S: Final = 10.0
HEARTBEAT_S: Final = 15.0
LONGEST_WAIT_S: Final = 60.0  # after GoingAway, whatever the referee says
MOST_ANSWERS: Final = 1024  # in one message, of the 4,096 that may be
MOST_NONCES: Final = 256
FIRST: Final = frozenset({"welcome", "match_start"})  # notices that turns of the same message may need
HARMLESS: Final = frozenset({"OK", "STALE", "ROUND_OVER", "FOREIGN", "MOVED"})
REPLIES: Final = {code: name.removeprefix("REPLY_CODE_") for name, code in play_pb2.ReplyCode.items()}

if TYPE_CHECKING:
    Call: TypeAlias = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


class Stream:
    """One stream, from Hello to its end.

    One task reads and one writes; what is to be written gathers meanwhile and leaves in one message.
    """

    def __init__(self, player: Player, call: Call) -> None:
        """Prepare to play over `call`, which has just been started."""
        self.ended: Ending | None = None  # set when this side closes
        self.welcomed = asyncio.Event()
        self._player = player
        self._call = call
        self._rounds: dict[int, Round] = {}
        self._ended: dict[int, None] = {}
        self._answers: list[Thought] = []
        self._nonces: list[tuple[str, bytes]] = []
        self._stamp = 0
        self._wake = asyncio.Event()
        self._limits = play_pb2.Limits()
        self._heard = monotonic()
        self._last_word = LastWord(call)

    async def run(self) -> Ending:
        """Play until the stream is over; returns how it ended."""
        try:
            async with asyncio.TaskGroup() as group:
                others = [group.create_task(self._write()), group.create_task(self._beat())]
                ended = await self._read()
                for task in others:
                    task.cancel()
        finally:
            self._call.cancel()
        return self.ended or ended

    @property
    def renewed(self) -> bool:
        """Whether another stream takes its place, on which what is still open is asked again."""
        return self.ended is not None and self.ended.why is Why.RENEWED

    def close(self, why: Ending) -> None:
        """Send what has gathered, half-close, and let the referee end the stream."""
        if self.ended is None:
            self.ended = why
            self._wake.set()

    def send(self, thoughts: list[Thought]) -> None:
        """Queue answers; those of rounds that are over meanwhile are dropped."""
        self._answers += [thought for thought in thoughts if self._rounds.get(thought.handle) is thought.round]
        self._wake.set()

    # ---- writing ----

    async def _write(self) -> None:
        player = self._player
        try:
            await self._call.write(wire.hello(player.bot, player.instance, player.pace.open, player.memory))
            while not self.ended:
                await self._wake.wait()
                self._wake.clear()
                while self._answers or self._nonces or self._stamp:
                    await self._call.write(self._gathered())
            await self._call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return  # the stream is over; the reader knows why
        await asyncio.sleep(CLOSE_S)
        self._call.cancel()

    def _gathered(self) -> play_pb2.PlayRequest:
        """Return what has gathered as one message, and look at how long it took."""
        answers, self._answers = self._answers[:MOST_ANSWERS], self._answers[MOST_ANSWERS:]
        nonces, self._nonces = self._nonces[:MOST_NONCES], self._nonces[MOST_NONCES:]
        stamp, self._stamp = self._stamp, 0
        now, pace = monotonic(), self._player.pace
        for thought in answers:
            pace.note(now - thought.turn.received, thought.turn.view.time_ms / 1000, thought.think_ms / 1000)
        self._player.status.decisions += len(answers)
        if limit := pace.better(self._limits.max_games or self._player.bot.max_games):
            LOG.info("connecting anew, to have %d questions open at once instead of %d", limit, pace.open)
            pace.change(limit)
            self.close(Ending(Why.RENEWED))
        return wire.request(answers, nonces, stamp)

    async def _beat(self) -> None:
        """Send heartbeats, and give the stream up when the referee is silent."""
        if not await happens(self.welcomed, WELCOME_S):
            self._give_up(f"no Welcome within {WELCOME_S:.0f} s")
            return
        interval = min(HEARTBEAT_S, (self._limits.heartbeat_ms or 20_000) / 1000 * 0.75)
        while monotonic() - self._heard < SILENCE_S:
            await asyncio.sleep(interval)
            self._stamp = monotonic_ns()
            self._wake.set()
        self._give_up(f"nothing heard for {SILENCE_S:.0f} s")

    def _give_up(self, sentence: str) -> None:
        self.ended = self.ended or Ending(Why.LOST, sentence)
        self._call.cancel()

    # ---- reading ----

    async def _read(self) -> Ending:
        try:
            while isinstance(response := await self._call.read(), play_pb2.PlayResponse):
                self._heard = monotonic()
                self._receive(response)
        except grpc.aio.AioRpcError:
            return await self._last_word.told()
        except ProtocolError as error:
            return Ending(Why.LOST, f"the referee broke the protocol: {error}")
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task and task.cancelling():
                raise
            return Ending(Why.LOST, "the stream was cancelled")  # by a proxy, or by the rest of this class
        return Ending(Why.LOST, "the referee ended the stream")

    def _receive(self, response: play_pb2.PlayResponse) -> None:
        later = []
        for notice in response.notices:
            kind = notice.WhichOneof("notice")
            if kind in FIRST:
                self._notice(kind, notice)
            else:
                later.append((kind, notice))
        thoughts = [thought for turn in response.turns if not self._is_late(turn) and (thought := self._turn(turn))]
        if thoughts:
            self._player.thinker.think(thoughts)
        for kind, notice in later:
            self._notice(kind, notice)

    def _turn(self, message: play_pb2.Turn) -> Thought | None:
        """Take one Turn in; returns the question to think about, if it asks one."""
        round_ = self._round_of(message)
        try:
            turn = Turn.from_wire(message, round_.history, self._heard)
        except ProtocolError:
            self._player.memory.forget(round_.history.round_id)
            raise
        following = message.WhichOneof("next")
        if following == "end":
            self._over(message.round, round_, message.end)
        if following != "decision" or self.ended:
            return None
        if not message.decision.option_act:
            raise ProtocolError("NO_OPTIONS", f"decision {message.act} of round {turn.round_id} has no options")
        return Thought(self, message.round, round_, turn)

    def _is_late(self, message: play_pb2.Turn) -> bool:
        """Return whether a turn is of a round that is over, whose handle was not given to another since."""
        if message.HasField("start"):
            self._ended.pop(message.round, None)
        return message.round in self._ended

    def _round_of(self, message: play_pb2.Turn) -> Round:
        if message.HasField("start"):
            start, memory = message.start, self._player.memory
            self._rounds[message.round] = memory.enter(start.round_id, start.seat, start.entrants, start.scores)
        try:
            return self._rounds[message.round]
        except KeyError:
            raise ProtocolError("UNKNOWN_ROUND", f"round handle {message.round} was never introduced") from None

    def _over(self, handle: int, round_: Round, end: play_pb2.RoundEnd) -> None:
        """Take the end of a round in, and of its game."""
        player, history = self._player, round_.history
        del self._rounds[handle]
        self._ended[handle] = None
        trim(self._ended)
        player.memory.forget(history.round_id)
        player.status.rounds += 1
        player.status.faults += end.faults
        player.tell("on_round_end", lambda: wire.round_result(history, end))
        if end.game_over:
            player.status.games += 1
            player.tell("on_game_end", lambda: wire.game_result(history, end))

    def _notice(self, kind: str | None, notice: play_pb2.Notice) -> None:
        match kind:
            case "welcome":
                self._welcome(notice.welcome)
            case "match_start":
                nonce = self._player.memory.meet(wire.match(notice.match_start), self._player.nonce)
                self._nonces.append((notice.match_start.match, nonce))
                self._wake.set()
            case "match_end":
                self._match_end(notice.match_end)
            case "reply":
                self._reply(notice.reply)
            case "going_away":
                wait_s = min(notice.going_away.reconnect_after_ms / 1000, LONGEST_WAIT_S)
                self.close(Ending(Why.GOING_AWAY, "the referee is going away", wait_s=wait_s))
            case "replaced":
                self.close(Ending(Why.REPLACED, "another process has taken over"))
            case "heartbeat":
                self._player.status.round_trip_ms = (monotonic_ns() - notice.heartbeat.stamp) / 1e6
            case _:
                LOG.debug("a notice that this version does not know")

    def _welcome(self, welcome: play_pb2.Welcome) -> None:
        player = self._player
        self._limits = welcome.limits
        player.status.name = welcome.bot
        player.tell("on_connect", lambda: welcome.bot)
        LOG.info("playing as %s (session %s)", welcome.bot, welcome.session)
        self.welcomed.set()

    def _match_end(self, message: play_pb2.MatchEnd) -> None:
        player = self._player
        result = wire.match_result(player.memory.leave(message.match), message)
        if result.proven is False:
            LOG.error("the seed of match %s is not the one that was committed to", message.match)
        player.status.matches += 1
        player.tell("on_match_end", lambda: result)

    def _reply(self, reply: play_pb2.Reply) -> None:
        code = REPLIES.get(reply.code, str(reply.code))
        refused = self._player.status.refused
        if code not in HARMLESS and refused.add():
            round_ = self._rounds.get(reply.round)
            where = round_.history.round_id if round_ else f"handle {reply.round}"
            LOG.warning("refused answer %d, in round %s: %s (%s)", refused.count, where, code, reply.reason)
