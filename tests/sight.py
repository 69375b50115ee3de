"""What can be seen of an object: everything that hangs on it, and how that looks when somebody prints it."""

from __future__ import annotations

import asyncio
import base64
import gc
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from redis._parsers.hiredis import _HiredisParser

from lastcard.secret import Secret

OURS = ("lastcard", "referee", "ladder", "workers")
ELSEWHERE = (ModuleType, type, BuiltinFunctionType, asyncio.BaseEventLoop, _HiredisParser)
"""From these everything in the process can be reached, the test among it; the last is a socket's own buffer."""


def shapes(secret: bytes) -> set[str]:
    """Return how bytes look in what is printed."""
    plain = {base64.b64encode(secret).rstrip(b"=").decode(), base64.urlsafe_b64encode(secret).rstrip(b"=").decode()}
    return {secret.hex(), repr(secret)[2:-1], str(list(secret))[1:-1], *plain}


def hanging_on(root: object) -> Iterator[object]:
    """Yield an object and everything that can be reached from it, but for what secrets hide and modules hold."""
    seen, waiting = {id(root), id(_own_task())}, [root]
    while waiting:
        one = waiting.pop()
        yield one
        for other in _held(one):
            if id(other) not in seen and not isinstance(other, ELSEWHERE):
                seen.add(id(other))
                waiting.append(other)


def _own_task() -> object:
    """Return the task of the test, which may be a part of the group that is looked at."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _held(one: object) -> Iterable[object]:
    if isinstance(one, Secret):
        return ()
    if isinstance(one, FunctionType):  # its globals are a module
        return (*(one.__closure__ or ()), *(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values())
    if isinstance(one, MethodType):
        return (one.__self__, one.__func__)
    return gc.get_referents(one)


def bare(root: object, secrets: dict[str, bytes]) -> set[str]:
    """Return the names of secrets that stand in the open in what hangs on an object, as bytes or as text."""
    forms = {name: (secret, *(shape.encode() for shape in shapes(secret))) for name, secret in secrets.items()}
    found = set()
    for one in hanging_on(root):
        if isinstance(one, (bytes, bytearray, str)):
            text = one.encode(errors="surrogatepass") if isinstance(one, str) else one
            found |= {name for name, shown in forms.items() if any(form in text for form in shown)}
    return found


def printed(root: object, secrets: dict[str, set[str]]) -> set[str]:
    """Return which of these can be read in the `repr` of what objects of ours hang on an object, and of which."""
    found = set()
    for one in hanging_on(root):
        if type(one).__module__.partition(".")[0] in OURS:
            text = f"{one!r} {one}"
            kind = type(one).__qualname__
            found |= {f"{name} in {kind}" for name, forms in secrets.items() if any(form in text for form in forms)}
    return found
