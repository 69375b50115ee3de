"""Where logs go when the ledger needs them no longer: compressed JSON Lines in any folder that fsspec can reach.

An object's name contains the SHA-256 of its bytes, so it is never overwritten by something else, and whoever reads it
knows whether it is whole.
"""

import base64
import errno
import gzip
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import UnsupportedOperation
from pathlib import PurePosixPath
from threading import Lock
from typing import IO, Any, Final, Self, cast

from ladder.store.errors import ArchiveError
from lastcard.secret import Secret
from lastcard.state import state_folder

FOLDER: Final = "archive"
"""In the state folder, where none is named."""
CHECK: Final = ".check"
VERSION: Final = 1
SUFFIX: Final = ".jsonl.gz"
NO_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF})
"""What a folder says that cannot be forced to the disk, or not by us: everything else is a disk that fails."""

Entry = tuple[int, int, bytes]
"""Of a log: epoch, seq, bytes."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """A match with everything that the ledger has of it."""

    id: str
    fields: Mapping[str, str]
    """Its row, as it stood when it was archived."""
    head: str
    seed: Secret
    log: tuple[Entry, ...]

    def line(self) -> str:
        """It as one line of JSON: the same for the same match."""
        content = {
            "archive": VERSION,
            "id": self.id,
            "match": dict(self.fields),
            "head": self.head,
            "seed": self.seed.reveal().hex(),
            "log": [[epoch, seq, base64.b64encode(data).decode()] for epoch, seq, data in self.log],
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def of(cls, line: str) -> Self:
        """The match of a line."""
        content = json.loads(line)
        entries = ((epoch, seq, base64.b64decode(data)) for epoch, seq, data in content["log"])
        seed = Secret(bytes.fromhex(content["seed"]))
        return cls(content["id"], content["match"], content["head"], seed, tuple(entries))


class Archive:
    """Objects below one folder. Thread-safe."""

    def __init__(self, url: str) -> None:
        """Say where: a folder, or a URL like `s3://bucket/lastcard`. Nothing is connected before it is used."""
        self.url = url
        self._lock = Lock()
        self._read: tuple[str, dict[str, Shelved]] = ("", {})

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None) -> Self:
        """The archive that an environment (default: of this process) names, or that of its state folder."""
        env = os.environ if environ is None else environ
        return cls(env.get("LASTCARD_ARCHIVE") or str(state_folder(env) / FOLDER))

    def check(self) -> None:
        """Return if it can be written to.

        Raises:
            ArchiveError: BAD_ARCHIVE: it cannot.
        """
        try:
            self._files.makedirs(self._root, exist_ok=True)
            own = f"{self._root}/{CHECK}.{secrets.token_hex(4)}"  # several workers may look at the same moment
            try:
                self._write(own, b"")
            finally:
                self._forget(own)
        except OSError as error:
            raise _bad(self.url, error.strerror or str(error)) from error

    def put(self, stem: str, matches: Iterable[Shelved]) -> str:
        """Writes an object; returns its name, which begins with `stem`.

        The same content is the same object where the same zlib compresses it; with another it stands there twice.

        Raises:
            ArchiveError: ARCHIVE_UNAVAILABLE: it could not be written, or reads back as something else.
        """
        data = gzip.compress("".join(f"{match.line()}\n" for match in matches).encode(), mtime=0)
        name = f"{stem}-{sha256(data).hexdigest()}{SUFFIX}"
        path = f"{self._root}/{name}"
        try:
            if not self._files.exists(path):
                self._files.makedirs(str(PurePosixPath(path).parent), exist_ok=True)
                self._appear(path, data)
            if "file" in self._protocols:  # of this machine; also what stands there since a try that the disk failed
                _sync(PurePosixPath(path).parent, PurePosixPath(self._root).parent)
        except OSError as error:
            raise _unavailable(self.url, name, error.strerror or str(error)) from error
        self._bytes(name)
        return name

    def get(self, name: str, match: str) -> Shelved:
        """A match out of an object.

        Raises:
            ArchiveError: ARCHIVE_UNAVAILABLE: the object cannot be read; ARCHIVE_DAMAGED: it is not what was written.
        """
        with self._lock:
            if self._read[0] != name:
                lines = gzip.decompress(self._bytes(name)).decode().splitlines()
                found = map(Shelved.of, lines)
                self._read = (name, {shelved.id: shelved for shelved in found})
            if match not in self._read[1]:
                raise _damaged(self.url, name, f"it has no match {match}")
            return self._read[1][match]

    @cached_property
    def _place(self) -> tuple[Any, str]:
        """The file system, and the folder in it."""
        import fsspec

        if self.url.startswith(":"):
            raise _bad(self.url, "it names no protocol")
        try:
            return cast("tuple[Any, str]", fsspec.core.url_to_fs(self.url))
        except (ImportError, ValueError) as error:
            raise _bad(self.url, str(error)) from error

    @property
    def _files(self) -> Any:  # noqa: ANN401 - fsspec has no types
        return self._place[0]

    @property
    def _root(self) -> str:
        return self._place[1]

    def _bytes(self, name: str) -> bytes:
        """The bytes of an object, which are what its name says."""
        try:
            with self._files.open(f"{self._root}/{name}", "rb") as file:
                data: bytes = file.read()
        except OSError as error:
            raise _unavailable(self.url, name, error.strerror or str(error)) from error
        if f"-{sha256(data).hexdigest()}{SUFFIX}" != name[-len(SUFFIX) - 65 :]:
            raise _damaged(self.url, name, "its bytes are not those that its name says")
        return data

    def _appear(self, path: str, data: bytes) -> None:
        """Have an object appear whole or not at all."""
        part = f"{path}.{secrets.token_hex(4)}"
        try:
            self._write(part, data)
            self._files.mv(part, path)
        except BaseException:
            self._forget(part)
            raise

    @property
    def _protocols(self) -> tuple[str, ...]:
        named = self._files.protocol
        return (named,) if isinstance(named, str) else tuple(named)

    def _forget(self, path: str) -> None:
        """Leave nothing of what could not be finished; a full disk is not to be filled by what failed on it."""
        with suppress(OSError):
            self._files.rm(path)

    def _write(self, path: str, data: bytes) -> None:
        file: IO[bytes]
        with self._files.open(path, "wb") as file:
            file.write(data)
            file.flush()
            with suppress(AttributeError, UnsupportedOperation):  # only files of this machine can be forced to the disk
                os.fsync(file.fileno())


def _sync(first: PurePosixPath, last: PurePosixPath) -> None:
    """Force a folder and those above it, up to `last`, to the disk: they may all be new.

    Raises:
        OSError: the disk did not take one of them.
    """
    for folder in (first, *first.parents):
        try:
            place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(place)
            finally:
                os.close(place)
        except OSError as error:
            if error.errno not in NO_SYNC:
                raise
        if folder == last:
            return


def _bad(url: str, why: str) -> ArchiveError:
    return ArchiveError(
        f"LASTCARD_ARCHIVE={url!r} cannot be used: {why}",
        reason="BAD_ARCHIVE",
        field="LASTCARD_ARCHIVE",
        value=url,
        allowed="a folder that can be written to, or a URL that fsspec knows, like s3://bucket/lastcard",
    )


def _unavailable(url: str, name: str, why: str) -> ArchiveError:
    return ArchiveError(
        f"the archive at {url} does not give or take {name}: {why}", reason="ARCHIVE_UNAVAILABLE", value=name
    )


def _damaged(url: str, name: str, why: str) -> ArchiveError:
    return ArchiveError(f"{name} in the archive at {url} is damaged: {why}", reason="ARCHIVE_DAMAGED", value=name)
