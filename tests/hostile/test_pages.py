"""Every page and every address of the API with bad names, parameters, methods and bytes: 4xx with a reason, never 5xx.

The addresses are those of the application itself; a new one is asked for badly without anybody doing anything.
"""

import http.client
import json
import re
import socket
from collections.abc import Iterator
from typing import Any, Final, cast
from urllib.parse import quote

import pytest

from ladder.store.local import LocalStore
from ladder.web.api import Api
from ladder.web.pages import Pages
from tests.fixtures_served import Served, serving
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

READS: Final = cast("Any", None)  # only the list of addresses is wanted
ROUTES: Final = sorted(route.path for route in (*Pages(READS).routes(), *Api(READS).routes()))
KNOWN: Final = {
    "/ladders/{format}": "uno-classic-2",
    "/bots/{name}": "greedy",
    "/tournaments/{name}": "spring-cup",
    "/matches/{id}": "spring-cup.1.1.0",
}
NAMES: Final = (
    *("nobody-here", "nobody.1.1.0", "X", "a" * 5_000, "..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%00"),
    "%ff%fe",
    *("%0d%0aSet-Cookie:%20x=1", quote("<script>alert(1)</script>"), quote("\u202ereversed"), quote("{{7*7}}"), "%25s"),
    *("*", "spring-cup%00", "Spring-Cup", "%E2%80%8B", "greedy@1@2", "$(id)", "a%20b", "%F0%9F%83%8F"),
)
QUERIES: Final = (
    *("x=1", "page_size=0", "page_size=-1", "page_size=1001", "page_size=9" + "9" * 5_000, "page_size=x"),
    "page_token=%00",
    *("page_token=" + "a" * 300, "state=nonsense", "sort=nonsense", "order=sideways", "online=2", "min_meetings=-5"),
    *("from=0", "from=1e3", "bot=X", "opponent=%00", "tournament=..", "format=%ff", "version=1", "page_size=%C2%B2"),
    *("a" * 14_000, "&".join(f"p{number}=1" for number in range(1_500)), "%", "%zz", "==&&", "sort=elo&sort=bot"),
)
METHODS: Final = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "FOO", "PROPFIND")
OK, FOUND_NOTHING = 200, 404


@pytest.fixture(scope="module")
def site(store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site that this module alone asks; its log tells of nothing that it did not expect."""
    with serving(store_server, tmp_path_factory) as found:
        yield found
        said = found.log.read_text("utf-8")
        assert "internal error" not in said
        assert "Traceback" not in said


@pytest.fixture(scope="module")
def connection(site: Served) -> Iterator[http.client.HTTPConnection]:
    """One connection for all requests, opened again where the other side closed it."""
    one = http.client.HTTPConnection(site.addresses["web"], timeout=PATIENCE_S)
    yield one
    one.close()


def get(connection: http.client.HTTPConnection, path: str, method: str = "GET") -> tuple[int, str, str]:
    """Return status, content type and text of an answer; the path is sent as it is."""
    try:
        connection.request(method, path)
        answer = connection.getresponse()
    except (http.client.RemoteDisconnected, ConnectionError):
        connection.close()
        connection.request(method, path)
        answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    return answer.status, answer.headers.get("content-type", ""), text


def problem(path: str, status: int, kind: str, text: str) -> str:
    """Return what is wrong with an answer to a bad request; "" if nothing is."""
    if status >= 500 or status in {301, 302, 307, 308}:
        return f"{status} {text[:100]}"
    if ("<script>alert" in text and kind != "application/json") or "root:" in text or "Traceback" in text:
        return f"{status} shows {text[:300]}"
    if status >= 400 and path.startswith("/api/"):
        error = json.loads(text)["error"]
        if kind != "application/json" or not re.fullmatch(r"[A-Z][A-Z_]+", error["reason"]):
            return f"{status} is not typed: {text[:200]}"
    if status >= 400 and not path.startswith("/api/") and "text/html" not in kind:
        return f"{status} {kind}"
    return ""


def filled(route: str, name: str) -> str:
    """Return an address with a name in it."""
    return re.sub(r"\{\w+\}", lambda _: name, route)


def good(route: str) -> str:
    """Return an address at which something is."""
    known = next((name for shape, name in KNOWN.items() if shape in route), "")
    return filled(route, known) + ("?format=uno-classic-2" if route.endswith("/history") else "")


@pytest.mark.parametrize("route", ROUTES)
def test_an_address_is_there_and_refuses_what_it_does_not_know(
    connection: http.client.HTTPConnection, route: str
) -> None:
    """200 for what there is; 4xx for names, parameters and methods that it does not have."""
    assert get(connection, good(route))[0] == OK
    wrong = {}
    for name in NAMES if "{" in route else ():
        path = filled(route, name)
        status, kind, text = get(connection, path)
        if status < 400 or problem(path, status, kind, text):
            wrong[path[:80]] = problem(path, status, kind, text) or f"{status}"
    for query in QUERIES:
        path = f"{good(route)}{'&' if '?' in good(route) else '?'}{query}"
        if found := problem(path, *get(connection, path)):
            wrong[path[:80]] = found
    for method in METHODS:
        status, kind, text = get(connection, good(route), method)
        if status != 405 or problem(route, status, kind, text):
            wrong[method] = f"{status} {text[:100]}"
    assert wrong == {}


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../../../../etc/passwd", "/static/%2e%2e/%2e%2e/app.py", "/static/..%2f..%2fapp.py"),
        "/static//etc/passwd",
        *("/static/%00", "/static/vendor/../../pages.py", "/static/" + "a/" * 2_000, "/static/.", "/static/vendor"),
        *("/../etc/passwd", "//etc/passwd", "/etc/passwd", "/.git/config", "/bots/", "/bots//", "/api", "/api/v2/bots"),
        *("/%2e%2e/%2e%2e/etc/passwd", "/api/v1/bots/greedy/../careful", "/metrics", "/admin", "/api/v1/matches/a/b"),
    ],
)
def test_nothing_is_outside_of_the_site(connection: http.client.HTTPConnection, path: str) -> None:
    """No path leads out of the static files, and what is nowhere is 404."""
    status, kind, text = get(connection, path)
    assert status == FOUND_NOTHING, text[:200]
    assert problem(path, status, kind, text) == "" or path.startswith("/static")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS"),
        pytest.param(b"GET\r\n\r\n", id="no path"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="another version"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="no host"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", id="long header"),
        pytest.param(b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", id="long path"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", id="negative length"),
        pytest.param(b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", id="two lengths"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", id="bad chunk"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: 1\r\n" * 5_000 + b"\r\n", id="many headers"),
        pytest.param(bytes(range(256)) * 100, id="noise"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
    ],
)
def test_what_is_no_request_gets_a_4xx_or_the_door(
    site: Served, connection: http.client.HTTPConnection, data: bytes
) -> None:
    """And the site goes on."""
    host, _, port = site.addresses["web"].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as raw:
        raw.sendall(data)
        raw.shutdown(socket.SHUT_WR)
        answer = b""
        while more := raw.recv(65_536):
            answer += more
    assert re.match(rb"HTTP/1\.1 4\d\d ", answer) or not answer, answer[:200]
    assert get(connection, "/livez")[0] == OK
