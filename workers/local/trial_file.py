"""Where a comparison of two bots is kept while it goes on, so that the same command resumes it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from ladder.sprt import Bounds
from lastcard.errors import InputError
from workers.local.trial import Comparison, Question

__all__ = ["TrialFile", "code_of"]

KIND: Final = "lastcard sprt"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class TrialFile:
    """A file that may not be there yet."""

    path: Path
    named: bool = True
    """Whether somebody named it: then its folder is to be there, and is made by nobody here."""

    @classmethod
    def usual(cls, folder: Path, identity: Mapping[str, object], *, seed: int | None) -> TrialFile:
        """Return the file of whoever names none: the same for the same command.

        Args:
            folder: of states.
            identity: of the question.
            seed: as typed; None: any.

        """
        text = json.dumps({**identity, "seed": seed}, sort_keys=True)
        return cls(folder / f"sprt-{sha256(text.encode()).hexdigest()[:16]}.json", named=False)

    @property
    def is_there(self) -> bool:
        """Whether anything is kept here."""
        return self.path.exists()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the file for one run: nobody else reads or writes it meanwhile.

        Raises:
            InputError: another run holds it, its folder is not there, or nothing can be written beside it.

        """
        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            self._make_folder()
            held = _locked(lock)
        except BlockingIOError:
            message = (
                f"{self.path} is in use by another run of sprt, process {_holder(lock)}: wait for it or end it, "
                "or name another with --state"
            )
            raise InputError("STATE_IN_USE", message, field="state", value=str(self.path)) from None
        except OSError as error:
            raise self._not_writable(error) from error
        with held:
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)

    def seed(self) -> int | None:
        """Return the seed of what is kept here; None: nothing is.

        Raises:
            InputError: the file is something else.

        """
        content = self._read()
        return None if content is None else int(content["question"]["seed"])

    def load(self, question: Question, code: Mapping[str, str]) -> Comparison | None:
        """Return what was kept for a question; None: nothing yet.

        Args:
            question: what is asked now.
            code: digest of the code of each bot.

        Raises:
            InputError: the file is of another question, of other code, or something else.

        """
        content = self._read()
        if content is None:
            return None
        asked = json.loads(json.dumps(question.identity()))
        different = sorted(key for key, value in asked.items() if content["question"].get(key) != value)
        if different:
            raise self._other(f"began otherwise: {_told(different[0], content['question'].get(different[0]))}")
        if content["code"] != dict(code):
            raise self._other("began with other code of these bots")
        try:
            return Comparison.of(question, content["played"])
        except (KeyError, TypeError, ValueError) as error:
            raise self._unreadable(error) from error

    def save(self, question: Question, code: Mapping[str, str], comparison: Comparison) -> None:
        """Keep what was played, all or nothing.

        Raises:
            InputError: the file cannot be written.

        """
        content = {
            "kind": KIND,
            "version": VERSION,
            "question": question.identity(),
            "code": dict(code),
            "played": comparison.as_json(),
        }
        fresh = self.path.with_name(f"{self.path.name}.new")
        try:
            self._make_folder()
            with fresh.open("w", encoding="utf-8") as file:
                file.write(json.dumps(content, separators=(",", ":")) + "\n")
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            raise self._not_writable(error) from error

    def remove(self) -> None:
        """Forget what was kept."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[str, Any] | None:
        try:
            content = _checked(json.loads(self.path.read_text("utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise self._unreadable(error) from error
        return content

    def _make_folder(self) -> None:
        if not self.named:
            self.path.parent.mkdir(parents=True, exist_ok=True)

    def _not_writable(self, error: OSError) -> InputError:
        if isinstance(error, FileNotFoundError):
            message = f"there is no folder {self.path.parent}: make it, or name a file in another with --state"
            return InputError("NO_FOLDER", message, field="state", value=str(self.path))
        message = f"{self.path} cannot be written: {error.strerror}; name another with --state"
        return InputError("NOT_WRITABLE", message, field="state", value=str(self.path))

    def _unreadable(self, error: Exception) -> InputError:
        message = f"{self.path} is no state of a comparison ({error}); name another with --state, or delete it"
        return InputError("BAD_STATE", message, field="state", value=str(self.path))

    def _other(self, what: str) -> InputError:
        message = f"what {self.path} keeps {what}; name another with --state, or delete it to begin anew"
        return InputError("OTHER_STATE", message, field="state", value=str(self.path))


def _told(key: str, value: Any) -> str:  # noqa: ANN401 (whatever stands in the file)
    """Say of one thing that decides how a comparison goes what it was, as people type it."""
    match key, value:
        case "bounds", [low, high, *_]:
            return f"bounds {','.join(Bounds(low, high).typed)}"
        case "lc_version", None:
            return "without --luck"
        case "lc_version", _:
            return f"with --luck, by the weights {value}"
        case _:
            return f"{key} {value}"


def _locked(lock: Path) -> IO[str]:
    """Return the lock file, locked and with our process in it.

    Raises:
        BlockingIOError: another process holds it.

    """
    while True:
        file = lock.open("a", encoding="ascii")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(file, lock):  # else whoever held it has removed it meanwhile
                file.truncate(0)
                file.write(f"{os.getpid()}\n")
                file.flush()
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _is_at(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _holder(lock: Path) -> str:
    """Return the process that a lock file names."""
    try:
        return lock.read_text("ascii").strip() or "?"
    except OSError:
        return "?"


def _checked(content: Any) -> dict[str, Any]:  # noqa: ANN401 (whatever stands in the file)
    """Return the content of a file, if it is one of ours."""
    if (content["kind"], content["version"]) != (KIND, VERSION):
        raise ValueError(f"it is {content['kind']} {content['version']}")
    int(content["question"]["seed"])
    found: dict[str, Any] = content
    return found


def code_of(bot: str) -> str:
    """Return a digest of the file that a bot of one's own was loaded from; nothing for a bot of the house."""
    module = sys.modules.get(bot.partition(":")[0]) if ":" in bot else None
    file = getattr(module, "__file__", None)
    return sha256(Path(file).read_bytes()).hexdigest()[:16] if file else ""
