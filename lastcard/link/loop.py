"""Stays connected: one stream after another, with the right wait between them, until told to stop."""

from __future__ import annotations

import asyncio
import secrets
from time import monotonic
from typing import Final

import grpc

from lastcard.errors import UnreachableError
from lastcard.link import wire
from lastcard.link.ending import Ending, Why
from lastcard.link.player import Player
from lastcard.link.refusal import refused, stranger
from lastcard.link.stream import Stream
from lastcard.pace import Backoff
from lastcard.settings import Server, Settings
from lastcard.status import LOG
from lastcard.v1 import play_pb2_grpc
from lastcard.waiting import happens

STEADY_S: Final = 10.0  # a stream that lived this long ends a series of failures
REPLACED_S: Final = 30.0  # least wait after Replaced; up to twice that, doubling
REPLACED_MOST_S: Final = 960.0
CHANCE: Final = secrets.SystemRandom()


class Link:
    """Keeps a player connected to one of the referees."""

    def __init__(self, player: Player, settings: Settings) -> None:
        """Prepare to dial the servers of `settings`, in a random order."""
        self._player = player
        self._settings = settings
        self._servers = CHANCE.sample(settings.servers, len(settings.servers))
        self._stream: Stream | None = None
        self._stopped = asyncio.Event()
        self._backoff = Backoff()
        self._replaced = Backoff(REPLACED_S, REPLACED_MOST_S)
        self._alone_since = monotonic()
        self._met: set[Server] = set()  # where a referee was, and will be again

    def stop(self) -> None:
        """End the stream in good order and dial no more."""
        self._stopped.set()
        if self._stream:
            self._stream.close(Ending(Why.STOPPED))

    async def run(self) -> None:
        """Play until stopped.

        Raises:
            RefusedError: the referee does not want this bot.
            UnreachableError: no referee answered for as long as patience lasts.

        """
        while not self._stopped.is_set():
            server = self._servers[0]
            ended = await self._play(server)
            if not self._stopped.is_set():
                await happens(self._stopped, self._after(server, ended))

    async def _play(self, server: Server) -> Ending:
        """Play over one stream; returns how it ended."""
        status, began = self._player.status, monotonic()
        status.server = str(server)
        async with channel(server, self._settings.authority) as wires:
            metadata = (("authorization", "Bearer " + self._settings.token.text()),)
            stream = self._stream = Stream(self._player, play_pb2_grpc.PlayServiceStub(wires).Play(metadata=metadata))
            status.connected = True
            try:
                return await stream.run()
            finally:
                self._stream, status.connected = None, False
                if stream.welcomed.is_set():
                    self._alone_since = monotonic()
                    self._met.add(server)
                    self._steady(self._alone_since - began)

    def _steady(self, lived_s: float) -> None:
        """Forget troubles that are long ago."""
        if lived_s > STEADY_S:
            self._backoff.reset()
        if lived_s > REPLACED_MOST_S:
            self._replaced.reset()

    def _after(self, server: Server, ended: Ending) -> float:
        """Return the seconds to wait after a stream that ended so.

        Raises:
            RefusedError: there is no use in trying again.
            UnreachableError: patience is over.

        """
        match ended.why:
            case Why.RENEWED | Why.STOPPED:
                return 0.0
            case Why.GOING_AWAY:
                LOG.info("%s goes away; reconnecting in %.1f s", server, ended.wait_s)
                self._servers.append(self._servers.pop(0))
                return ended.wait_s
            case Why.REPLACED:
                wait_s = self._replaced.next(1.0) * (1 + CHANCE.random())
                LOG.warning("another stream of this process took over; reconnecting in %.0f s", wait_s)
                return wait_s
            case Why.LOST:
                return self._lost(server, ended)

    def _lost(self, server: Server, ended: Ending) -> float:
        """Return the wait before trying again.

        A wrong address does not heal, so that whoever named it is told at once. Where a referee was before, another one
        who answers stands there for a while: what is put in front of it, or in its place.
        """
        other = stranger(str(server), ended)
        if error := refused(str(server), ended, self._settings.source) or (None if server in self._met else other):
            raise error
        sentence = other.message if other else f"{server}: {ended.sentence}"
        wait_s, patience = ended.wait_s + self._backoff.next(CHANCE.random()), self._settings.patience
        if patience is not None:
            left_s = self._alone_since + patience - monotonic()
            if left_s <= 0:
                message = f"{server} could not be reached for {patience:g} s: {ended.sentence}"
                raise UnreachableError("UNREACHABLE", message, field="server", value=str(server))
            wait_s = min(wait_s, left_s)
        LOG.warning("%s; trying again in %.1f s", sentence, wait_s)
        self._servers.append(self._servers.pop(0))
        return wait_s


def channel(server: Server, authority: bytes | None = None) -> grpc.aio.Channel:
    """Return a channel to `server`; with TLS it must show a certificate of `authority` (default: gRPC's own)."""
    if server.secure:
        return grpc.aio.secure_channel(server.address, grpc.ssl_channel_credentials(authority), options=wire.CHANNEL)
    if not server.local:
        LOG.warning("the token goes to %s unencrypted; use tls://%s if the referee has TLS", server, server)
    return grpc.aio.insecure_channel(server.address, options=wire.CHANNEL)
