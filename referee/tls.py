"""Certificates: those that bots see, and those that referees show each other.

Settings name them, so gRPC is loaded when credentials are made of them: many a process has settings and no gRPC.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from ladder.store.logs import logger
from lastcard.errors import InputError

if TYPE_CHECKING:
    import grpc

TRIES: Final = 3
"""So often files are read that change meanwhile."""
SETTLE_S: Final = 1.0
"""Between the question of a connection and its hold on what it uses lies less than a millisecond, but on a busy machine
its thread may have to wait for its turn."""

log = logger("referee.tls")
Version: TypeAlias = tuple[int, int, int] | None
"""Of a file, None without one: inode, moment of the last write, size."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """PEM files of a certificate, with its chain, and of its key.

    Attributes:
        certificate, key: the files.
        named: settings that named them.
    """

    certificate: Path
    key: Path
    named: tuple[str, str]

    def read(self) -> tuple[bytes, bytes]:
        """Return key and chain, those that were looked at: the files may be written at the same time.

        Raises:
            InputError: a file cannot be read, is no PEM, they do not belong together, or do not stay as they are.
        """
        for _ in range(TRIES):
            found = self._found()
            self._check()
            if self._found() == found:
                return found[1], found[0]
        sentence = f"{self.named[0]} and {self.named[1]} change while they are read; write each in one go"
        raise InputError("BAD_CERTIFICATE", sentence, field=self.named[1], value=str(self.key))

    def _found(self) -> tuple[bytes, bytes, Version, Version]:
        """Return chain and key with what tells their files from earlier ones."""
        chain, key = read_pem(self.certificate, self.named[0]), read_pem(self.key, self.named[1])
        return chain, key, _version(self.certificate), _version(self.key)

    def _check(self) -> None:
        """Look whether what the files hold now belongs together. Raises InputError."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key, password="")
        except ssl.SSLError as error:
            sentence = (
                f"{self.named[0]} and {self.named[1]} do not fit: {error.reason or error}; they must be a certificate "
                "in PEM and the key without a passphrase that it was made for"
            )
            raise InputError("BAD_CERTIFICATE", sentence, field=self.named[1], value=str(self.key)) from error
        except OSError as error:
            sentence = f"{self.named[0]} and {self.named[1]} cannot be read: {error.strerror}"
            raise InputError("BAD_CERTIFICATE", sentence, field=self.named[1], value=str(self.key)) from error


def read_pem(file: Path, setting: str) -> bytes:
    """Return what a PEM file holds.

    Raises:
        InputError: it cannot be read or is none.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        sentence = f"{setting}={file} cannot be read: {error.strerror}"
        raise InputError("BAD_CERTIFICATE", sentence, field=setting, value=str(file)) from error
    if b"-----BEGIN " not in content:
        sentence = f"{setting}={file} is no PEM file: it has no line that begins with -----BEGIN"
        raise InputError("BAD_CERTIFICATE", sentence, field=setting, value=str(file))
    return content


@dataclass(frozen=True, slots=True)
class PlayFiles:
    """What a referee shows to bots."""

    pair: KeyPair

    def server(self) -> grpc.ServerCredentials:
        """Return credentials that follow the files: a renewed certificate is shown from the next connection on.

        Raises:
            InputError: the files are no good now.
        """
        return _following(self.pair, None)


@dataclass(frozen=True, slots=True)
class TrunkFiles:
    """What referees show each other, and the authority that has signed all of it."""

    pair: KeyPair
    authority: Path
    named: str

    def server(self) -> grpc.ServerCredentials:
        """Return credentials of the end that is dialled: who dials must show a certificate of the authority."""
        return _following(self.pair, (self.authority, self.named))

    def client(self) -> grpc.ChannelCredentials:
        """Return credentials of the end that dials, as the files are now."""
        import grpc

        key, chain = self.pair.read()
        return grpc.ssl_channel_credentials(read_pem(self.authority, self.named), key, chain)


class Following:
    """What certificate files say, told anew only when they have changed, and only when nobody has asked for a while.

    gRPC asks at every connection, one after the other, and frees what it made of the old certificates when it is told
    of new ones. A connection that has asked, and does not hold that yet, uses it all the same (grpc/grpc#36693): the
    process crashes, or the client misses ALPN. Nobody gets past the question while another is being told, so it
    suffices that whoever got past it before has had time to take hold.

    `clock` tells seconds, `pause` waits for some.
    """

    def __init__(
        self,
        pair: KeyPair,
        authority: tuple[Path, str] | None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._pair = pair
        self._authority = authority
        self._clock = clock
        self._pause = pause
        self._files = (pair.certificate, pair.key, *([authority[0]] if authority else []))
        self._seen = self._look()
        self._asked = clock() - SETTLE_S

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Return what the files say. Raises InputError where they are no good."""
        import grpc

        authority = read_pem(*self._authority) if self._authority else None
        return grpc.ssl_server_certificate_configuration([self._pair.read()], authority)

    def renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """Return what the files say now; None, which keeps what there was, if that is the same or no good yet.

        Called by threads of gRPC, one at a time.
        """
        told = self._told()
        if told is not None and (short_s := self._asked + SETTLE_S - self._clock()) > 0:
            self._pause(short_s)
        self._asked = self._clock()
        return told

    def _told(self) -> grpc.ServerCertificateConfiguration | None:
        told = None
        for _ in range(TRIES):
            now = self._look()
            if now == self._seen:
                break
            self._seen = now  # before it is read: what comes meanwhile is read now, or told to the next connection
            try:
                told = self.read()
            except InputError as error:
                told = None
                log.warning("certificate_kept", error=str(error))
        return told

    def _look(self) -> tuple[Version, ...]:
        return tuple(map(_version, self._files))


def _version(file: Path) -> Version:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _following(pair: KeyPair, authority: tuple[Path, str] | None) -> grpc.ServerCredentials:
    import grpc

    following = Following(pair, authority)
    return grpc.dynamic_ssl_server_credentials(
        following.read(),
        following.renewed,  # type: ignore[arg-type]  # None is allowed, which its types do not say
        require_client_authentication=bool(authority),
    )
