"""A plugin of pytest: notes with which status and reason streams end, as bots are told it and a referee here tells it.

The file that `REFUSALS_SEEN` names has one line each: status and reason.
"""

import os
from pathlib import Path
from typing import Any, Final

from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from lastcard.link.ending import LastWord

FILE: Final = "REFUSALS_SEEN"


def _note(status: str, reason: str) -> None:
    if reason:
        with Path(os.environ[FILE]).open("a", encoding="ascii") as file:
            file.write(f"{status} {reason}\n")


def pytest_configure() -> None:
    """Listen from now on."""
    heard, sent = LastWord._note, rpc_status.to_status

    def note(self: LastWord, call: Any) -> None:  # noqa: ANN401 (a call of grpc, generic at run time)
        heard(self, call)
        ending = self._ending
        if ending.code is not None:
            _note(ending.code.name, ending.reason)

    def to_status(made: status_pb2.Status) -> Any:  # noqa: ANN401 (as the library has it)
        info = error_details_pb2.ErrorInfo()
        for detail in made.details:
            if detail.Unpack(info):
                _note(code_pb2.Code.Name(code_pb2.Code.ValueType(made.code)), info.reason)
        return sent(made)

    LastWord._note = note  # type: ignore[method-assign]
    rpc_status.to_status = to_status  # type: ignore[assignment]
