"""How a request ends that gets no page: a status, and the same error object that every `--json` shows."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Scope

from ladder.door.refusals import refusal_of
from ladder.errors import Kind, RequestError, UnknownNameError
from ladder.store.logs import logger
from ladder.web.render import html
from lastcard.console import error_object

STATUSES: Final = {
    Kind.INVALID: HTTPStatus.BAD_REQUEST,
    Kind.UNKNOWN: HTTPStatus.NOT_FOUND,
    Kind.TAKEN: HTTPStatus.CONFLICT,
    Kind.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    Kind.FORBIDDEN: HTTPStatus.FORBIDDEN,
    Kind.TOO_MANY: HTTPStatus.TOO_MANY_REQUESTS,
    Kind.STATE: HTTPStatus.CONFLICT,
    Kind.UNREACHABLE: HTTPStatus.SERVICE_UNAVAILABLE,
}
LINKS: Final = {
    "UNKNOWN_BOT": "/bots/",
    "UNKNOWN_FORMAT": "/ladders/",
    "UNKNOWN_MATCH": "/matches/",
    "UNKNOWN_PAGE": "",
    "UNKNOWN_TOURNAMENT": "/tournaments/",
}
"""Where the names are that an error of this reason offers."""
API: Final = "/api/"
RETRY_AFTER_S: Final = "5"
_log = logger("ladder.web")


class MethodNotAllowedError(RequestError):
    """These pages are for reading."""


class InternalError(RequestError):
    """A bug of ours; all that the outside sees of it is the id under which it was logged."""


async def refused(request: Request, error: Exception) -> Response:
    """Answer what a caller got wrong, or what is wrong with us."""
    known = refusal_of(error)
    if known is not None:
        return answer(request, known, STATUSES[known.kind])
    incident = secrets.token_hex(4)
    _log.error("internal error", incident=incident, path=request.url.path, exc_info=error)
    return answer(request, InternalError("INTERNAL", f"internal error {incident}"), HTTPStatus.INTERNAL_SERVER_ERROR)


async def no_such_page(request: Request, error: Exception) -> Response:
    """Answer for an address that nothing is at."""
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.NOT_FOUND
    if status is not HTTPStatus.NOT_FOUND:
        return answer(request, RequestError(status.name, f"{status.phrase.lower()}: {status.description}"), status)
    sentence = "there is no page at this address; start at /"
    known = ["/", "/ladders", "/bots", "/tournaments", "/matches", "/api/v1"]
    unknown = UnknownNameError("UNKNOWN_PAGE", sentence, field="path", value=request.url.path, allowed=known)
    return answer(request, unknown, status)


def answer(request: Request, error: RequestError, status: HTTPStatus) -> Response:
    """Return the error as JSON below `/api/`, else as a page."""
    headers = {"Retry-After": RETRY_AFTER_S} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
    if request.url.path.startswith(API):
        return JSONResponse(error_object(error), status, headers=headers)
    links = LINKS.get(error.reason)
    context = {"error": error, "code": status.value, "phrase": status.phrase, "links": links}
    return html("error.html", context, status=status, headers=headers)


def method_not_allowed(scope: Scope) -> ASGIApp:
    """Return the app that answers a method which these pages do not have."""
    error = MethodNotAllowedError(
        "METHOD_NOT_ALLOWED",
        "these pages are for reading",
        field="method",
        value=scope["method"],
        allowed=["GET", "HEAD"],
    )
    response = answer(Request(scope), error, HTTPStatus.METHOD_NOT_ALLOWED)
    response.headers["Allow"] = "GET, HEAD"
    return response
