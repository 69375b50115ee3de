"""PlayService: the one stream of a bot process."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from ladder.store.logs import logger
from lastcard.v1 import play_pb2 as pb
from referee import wire
from referee.door import limits
from referee.door.bans import Bans
from referee.door.crowd import Crowd
from referee.door.errors import RefusedStreamError
from referee.door.gate import Gate
from referee.door.hello import introduced
from referee.door.parsed import overloaded, oversized
from referee.door.quota import Quotas
from referee.door.status import GOODBYE_S, refuse
from referee.hosting.asking import MOST_PICKS
from referee.hosting.claim import Claimer
from referee.hosting.host import Host
from referee.hosting.sessions import Ending, Greeting, Session
from referee.logbook import CALLED
from referee.trunk.lodging import FIRST_LODGED, Lodging
from referee.wire import ReplyCode

TOO_MUCH: Final = limits.USELESS_BURST + 1
BAD_COLOR: Final = 7

log = logger("referee.door.service")
Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


class PlayService:
    """Streams of bots. Reads answers, writes what the sessions have gathered."""

    def __init__(self, host: Host, gate: Gate, claimer: Claimer, lodging: Lodging, absent_s: float) -> None:
        """`absent_s`: seconds after which a bot without a stream forfeits the rest of its matches."""
        self._host = host
        self._absent_s = absent_s
        self._lodging = lodging
        self._gate = gate
        self._claimer = claimer
        self._useless = Quotas(wire.USELESS_PER_S, limits.USELESS_BURST)
        self._crowd = Crowd(host.roster, lodging.arrivals.abroad)
        lodging.arrivals.abroad.told = self._came_elsewhere
        self._bans = Bans(host.roster, host.clock, host.metrics)

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the gRPC handler; responses leave as the bytes that were encoded once."""
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self.play, request_deserializer=None, response_serializer=None
        )
        return grpc.method_handlers_generic_handler(wire.SERVICE, {"Play": method})

    async def play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Serve one stream."""
        try:
            await self._play(requests, context)
        except RefusedStreamError as refused:
            self._host.metrics.refusals[refused.reason] += 1
            await refuse(context, refused)
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except Exception as bug:
            incident = secrets.token_hex(4)
            log.critical("stream_crashed", incident=incident, exc_info=bug)
            await refuse(context, RefusedStreamError("INTERNAL", "INTERNAL", f"internal error {incident}"))

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        session = await self._open(requests, context)
        try:
            await self._serve(session, requests, context)
        finally:
            self._close(session)
        if session.ending is not None:
            ending = session.ending
            raise RefusedStreamError(ending.status, ending.reason, ending.sentence, retry_s=ending.retry_s)

    async def _open(self, requests: AsyncIterator[bytes], context: Context) -> Session:
        if load := overloaded(context.invocation_metadata() or ()):
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_LARGE", load)
        identity = await self._gate.admit(context)
        await self._bans.refuse_if_banned(identity.keyid)
        self._refuse_if_draining(identity.bot)
        try:
            async with asyncio.timeout(limits.HELLO_S):
                raw = await anext(requests)
        except (TimeoutError, StopAsyncIteration):
            raise RefusedStreamError(
                "DEADLINE_EXCEEDED", "NO_HELLO", f"send Hello within {limits.HELLO_S:.0f} seconds"
            ) from None
        greeting = self._greeted(raw, identity.keyid)
        bot = await self._gate.version(identity, greeting.version)
        await self._bans.refuse_if_banned(identity.keyid)  # another stream of its token may have gone on meanwhile
        session = Session(secrets.token_hex(8), bot, greeting, identity.keyid, self._host.clock())
        self._refuse_if_draining(identity.bot)  # who comes in from here on is told GoingAway
        self._join(session)
        return session

    def _greeted(self, raw: bytes, keyid: str) -> Greeting:
        """Return what the first message says; one that does not say Hello is counted."""
        if len(raw) > wire.MOST_TAKEN:
            self._bans.blame(keyid)
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_LARGE", oversized(raw))
        try:
            return introduced(_parse(raw))
        except RefusedStreamError as refused:
            if refused.reason != "UPGRADE":  # it says hello in good order, and is told what to do
                self._bans.blame(keyid)
            raise

    def _refuse_if_draining(self, name: str) -> None:
        if self._claimer.draining:
            self._gate.expect(name)
            raise RefusedStreamError("UNAVAILABLE", "DRAINING", "this referee is stopping; connect again")

    def _join(self, session: Session) -> None:
        self._crowd.enter(session)
        told = limits.in_force(session.greeting, self._absent_s)
        session.tell(wire.welcome(session.greeting, session.id, session.bot, told))
        self._host.join(session)
        self._lodging.joined(session)
        self._gate.announce()
        log.info("joined", bot=session.bot, session=session.id)

    def _came_elsewhere(self, bot: str, keyid: str) -> None:
        self._crowd.came_elsewhere(bot, keyid, self._host.clock())

    def _close(self, session: Session) -> None:
        self._crowd.leave(session)
        self._lodging.parted(session)
        self._host.part(session)
        self._lodging.arrivals.gone(session)
        self._gate.announce()
        log.info("parted", bot=session.bot, session=session.id)

    async def _serve(self, session: Session, requests: AsyncIterator[bytes], context: Context) -> None:
        """Read and write until the client half-closes or the session is ended.

        Raises:
            RefusedStreamError: who has half-closed does not read what is on its way.
        """
        left = asyncio.Event()
        deaf = False
        try:
            # Else they leave with the first message, and no status can follow one that is given up on its way.
            await context.send_initial_metadata(())
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(self._write(session, context, left), name=f"write {session.id}")
                tasks = [
                    group.create_task(self._read(session, requests), name=f"read {session.id}"),
                    writing,
                    group.create_task(_until(session.over), name=f"over {session.id}"),
                ]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                # The bot is told why and may half-close first; if it has, no message is torn off.
                left.set()
                session.wake.set()
                await asyncio.wait(tasks if session.ending is not None else [writing], timeout=GOODBYE_S)
                deaf = session.ending is None and not writing.done()
                for task in tasks:
                    task.cancel()
        except* grpc.aio.BaseError as lost:
            log.debug("stream_lost", session=session.id, errors=[repr(error) for error in lost.exceptions])
        if deaf:
            sentence = f"after your half-close nothing was read for {GOODBYE_S:.0f} seconds; read to the end"
            raise RefusedStreamError("DEADLINE_EXCEEDED", "UNREAD", sentence)

    async def _write(self, session: Session, context: Context, left: asyncio.Event) -> None:
        """Write what gathers; a message takes everything that is there. Who has `left` is owed no more than one."""
        clock = self._host.clock
        metrics = self._host.metrics
        while True:
            await session.wake.wait()
            if session.outbox:
                message = session.take(clock())
                metrics.messages["sent"] += 1
                await context.write(message)
                session.writing_since = 0.0
            else:
                session.wake.clear()
            if not session.outbox if session.ending is not None else left.is_set():
                return

    async def _read(self, session: Session, requests: AsyncIterator[bytes]) -> None:
        clock = self._host.clock
        metrics = self._host.metrics
        async for raw in requests:
            metrics.messages["received"] += 1
            session.heard = clock()
            if len(raw) > wire.MOST_TAKEN:
                self._break(session, Ending("RESOURCE_EXHAUSTED", "TOO_LARGE", oversized(raw)))
                return
            request = _parse(raw)
            wrong = _wrong(request)
            if wrong:
                session.hint(wire.reply(0, 0, ReplyCode.MALFORMED, wrong))
                if self._bans.blame(session.keyid):
                    return
            waste = 1 if wrong or request is None else self._take(session, request)
            if waste and not self._useless.spend(session.keyid, clock(), waste):
                metrics.replies["rate"] += 1
                session.tell(wire.reply(0, 0, ReplyCode.RATE, "too many messages without an accepted answer"))
                sentence = f"more than {wire.USELESS_PER_S} useless messages a second from this token"
                self._break(session, Ending("RESOURCE_EXHAUSTED", "RATE", sentence))
                return

    def _break(self, session: Session, ending: Ending) -> None:
        """End a session that broke a limit; with one such too many its token is banned, and told that instead."""
        self._bans.blame(session.keyid)
        session.end(ending)

    def _take(self, session: Session, request: pb.PlayRequest) -> int:
        """Act on a message; return how many useless messages it was worth."""
        useful = False
        wasted = 0
        answers = request.answers
        take = self._host.asker.answer
        for answer in answers:
            picks = answer.picks
            color = answer.color
            flags = (color if 0 <= color <= 4 else BAD_COLOR) | (CALLED if answer.call else 0)
            chosen = picks[0] if len(picks) == 1 else tuple(picks[: MOST_PICKS + 1])
            thought = answer.think_ms
            refused = take(session, answer.round, answer.act, chosen, flags, thought)
            if answer.round >= FIRST_LODGED and refused is not None:
                refused = self._lodging.answer(session, answer.round, answer.act, chosen, flags, thought)
            if refused is None:
                useful = True
            else:
                code, sentence = refused
                # A wrong answer closed its decision: there are no more of these than were asked.
                if code in (ReplyCode.ILLEGAL, ReplyCode.MALFORMED):
                    useful = True
                else:
                    wasted += 1
                    if wasted > limits.MOST_WASTED:
                        return TOO_MUCH
                self._host.metrics.replies[code.name.lower()] += 1
                if code is ReplyCode.OK:
                    whose = self._lodging if answer.round >= FIRST_LODGED else self._host.asker
                    whose.acknowledge(session, answer.round, answer.act)
                else:
                    session.hint(wire.reply(answer.round, answer.act, code, sentence))
        for nonce in request.nonces:
            taken = self._host.nonce(session, nonce.match, nonce.nonce)
            useful = taken or self._lodging.nonce(session, nonce.match, nonce.nonce) or useful
        if request.HasField("heartbeat"):
            session.hint(wire.heartbeat(request.heartbeat.stamp))
            useful = session.beat(self._host.clock()) or useful
        return wasted // limits.WASTED_PER_MESSAGE + (not useful)


async def _until(event: asyncio.Event) -> None:
    await event.wait()


def _wrong(request: pb.PlayRequest | None) -> str:
    """Return what is wrong with a whole message after Hello; "" if nothing is."""
    if request is None:
        return "that message is no PlayRequest"
    if (
        len(request.answers) > limits.MOST_ANSWERS
        or len(request.nonces) > limits.MOST_NONCES
        or request.HasField("hello")
    ):
        return f"a message has no second hello, at most {limits.MOST_ANSWERS} answers and {limits.MOST_NONCES} nonces"
    return ""


def _parse(raw: bytes) -> pb.PlayRequest | None:
    try:
        return pb.PlayRequest.FromString(raw)
    except DecodeError:
        return None
