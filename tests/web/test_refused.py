"""What the pages and the API refuse, and how: a friendly page, a typed error, an id for a bug of ours."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ladder.readings.summaries import OUTCOMES
from ladder.store.ratings import Ratings
from tests.ladder_house import FORMAT
from tests.ladder_running import Reached, Running

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        pytest.param("/nope", 404, "UNKNOWN_PAGE", id="no such page"),
        pytest.param("/bots/carefull", 404, "UNKNOWN_BOT", id="no such bot"),
        pytest.param("/bots/%3Cb%3E", 400, "BAD_NAME", id="a name that cannot be"),
        pytest.param("/ladders/uno-clasic-2", 404, "UNKNOWN_FORMAT", id="no such ladder"),
        pytest.param("/tournaments/spring-cap", 404, "UNKNOWN_TOURNAMENT", id="no such tournament"),
        pytest.param("/matches/x.1.1.0", 404, "UNKNOWN_MATCH", id="no such match"),
        pytest.param(f"/ladders/{FORMAT}?sort=owner", 400, "BAD_SORT", id="no such column"),
        pytest.param(f"/ladders/{FORMAT}?order=up", 400, "BAD_ORDER", id="no such order"),
        pytest.param(f"/ladders/{FORMAT}?online=yes", 400, "BAD_SWITCH", id="no such switch"),
        pytest.param(f"/ladders/{FORMAT}?min_meetings=-1", 400, "OUT_OF_RANGE", id="a number below its limits"),
        pytest.param(f"/ladders/{FORMAT}?min_meetings=99999999999", 400, "OUT_OF_RANGE", id="a number above"),
        pytest.param("/bots?page=2", 400, "UNKNOWN_PARAMETER", id="no such parameter"),
        pytest.param("/matches?page_size=1&page_size=2", 400, "TWICE", id="a parameter twice"),
        pytest.param("/matches?state=lost", 400, "BAD_STATE", id="no such state"),
        pytest.param("/matches?outcome=archived", 400, "BAD_OUTCOME", id="no such outcome"),
        pytest.param("/matches?bot=B", 400, "BAD_NAME", id="a bot that cannot be"),
        pytest.param("/matches?page_token=x", 400, "BAD_PAGE_TOKEN", id="a token that is none"),
        pytest.param(f"/matches?page_token={10**25}", 400, "BAD_PAGE_TOKEN", id="a token larger than any match"),
        pytest.param("/bots?page_token=Nobody!", 400, "BAD_PAGE_TOKEN", id="a token that is no bot"),
        pytest.param(f"/tournaments?page_token={10**25}.1", 400, "BAD_PAGE_TOKEN", id="a token larger than any time"),
        pytest.param("/tournaments?page_token=%00", 400, "BAD_PAGE_TOKEN", id="a token with a control character"),
        pytest.param("/static/../app.py", 404, "UNKNOWN_PAGE", id="outside the static files"),
    ],
)
async def test_a_bad_address_gets_a_friendly_page(shown: Reached, path: str, status: int, reason: str) -> None:
    """The page says what is wrong, and leads on."""
    answer = await shown.http.get(path)
    assert (answer.status_code, reason in answer.text) == (status, True)
    assert "Traceback" not in answer.text


async def test_a_wrong_name_leads_to_the_right_one(shown: Reached) -> None:
    """A typing error is one click from what was meant."""
    answer = await shown.http.get("/bots/carefull")
    assert '<a class="badge info" href="/bots/careful">careful</a>' in answer.text


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        pytest.param(
            "/api/v1/bots/carefull",
            404,
            {
                "reason": "UNKNOWN_BOT",
                "message": "there is no bot 'carefull'; there are, for example, careful",
                "field": "name",
                "value": "carefull",
                "allowed": ["careful"],
            },
            id="no such bot",
        ),
        pytest.param(
            "/api/v1/bots?page_size=0",
            400,
            {
                "reason": "OUT_OF_RANGE",
                "message": "page_size='0' is no whole number of 1-1000",
                "field": "page_size",
                "value": "0",
                "allowed": ["1-1000"],
            },
            id="a page of nothing",
        ),
        pytest.param(
            "/api/v1/bots?page_size=1&page_size=2",
            400,
            {
                "reason": "TWICE",
                "message": "page_size is given 2 times, '1, 2'; give it once",
                "field": "page_size",
                "value": "2",
                "allowed": ["once"],
            },
            id="a page of two sizes",
        ),
        pytest.param(
            "/api/v1/matches?outcome=zz",
            400,
            {
                "reason": "BAD_OUTCOME",
                "message": f"no match can be 'zz'; there are {', '.join(OUTCOMES)}",
                "field": "outcome",
                "value": "zz",
                "allowed": list(OUTCOMES),
            },
            id="no such outcome",
        ),
        pytest.param(
            "/api/v1/bots/careful/history",
            400,
            {
                "reason": "PARAMETER_NEEDED",
                "message": f"a history is that on one ladder: say which, like ?format={FORMAT}",
                "field": "format",
                "value": "",
                "allowed": [FORMAT],
            },
            id="a history of no ladder",
        ),
    ],
)
async def test_api_errors_are_typed(shown: Reached, path: str, status: int, error: dict[str, Any]) -> None:
    """Programs get the same object as from every command."""
    answer = await shown.http.get(path)
    assert (answer.status_code, answer.json()) == (status, {"error": error})


async def test_a_bug_of_ours_is_an_id_and_nothing_else(ladder: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an unexpected error says is logged under an id, and the id is all that is shown."""

    def buggy(_ratings: Ratings) -> dict[str, str]:
        raise RuntimeError("a secret of the house")

    monkeypatch.setattr(Ratings, "formats", buggy)
    page, api = await ladder.http.get("/ladders"), await ladder.http.get("/api/v1/ladders")
    assert (page.status_code, api.status_code) == (500, 500)
    assert "secret" not in page.text + api.text
    assert re.fullmatch(r"internal error [0-9a-f]{8}", api.json()["error"]["message"])
