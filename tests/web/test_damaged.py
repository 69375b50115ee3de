"""What cannot be read in the ledger: lists go without it, its own page says so, and nobody sees what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import grpc
import pytest
from structlog.testing import capture_logs

from lastcard.v1 import ladder_pb2 as pb
from tests.exporter.conventions import scrape
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running

pytestmark = pytest.mark.slow

MATCH = "spring-cup.1.1.0"
CUP = "spring-cup"
BOT = "first"
SECRET = "a secret of the house"
LISTS = (
    *(
        "/",
        "/ladders",
        "/bots",
        "/tournaments",
        "/matches",
        f"/ladders/{FORMAT}",
        "/bots/careful",
        f"/matches?bot={BOT}",
    ),
    *("/api/v1/ladders", "/api/v1/bots", "/api/v1/bots.csv", "/api/v1/tournaments", "/api/v1/matches"),
    *("/api/v1/matches.csv", f"/api/v1/ladders/{FORMAT}", f"/api/v1/ladders/{FORMAT}/standings.csv"),
    *("/api/v1/bots/careful", f"/api/v1/bots/careful/history?format={FORMAT}"),
)


@dataclass(frozen=True, slots=True)
class Damage:
    """A command of the server about one key, and where what it broke has a page of its own."""

    command: str
    key: str
    words: Sequence[str | bytes | int]
    own: str = ""
    reason: str = ""

    def __call__(self, house: House) -> None:
        """Do it."""
        if self.command == "SET":
            house.store.link.read("DEL", f"{{{house.store.keys.tenant}}}:{self.key}")
        house.store.link.read(self.command, f"{{{house.store.keys.tenant}}}:{self.key}", *self.words)


OF_A_MATCH = (f"/matches/{MATCH}", "DAMAGED_MATCH")
OF_A_CUP = (f"/tournaments/{CUP}", "DAMAGED_TOURNAMENT")
OF_A_BOT = (f"/bots/{BOT}", "DAMAGED_BOT")
OWN = [
    pytest.param(Damage("HSET", f"m:{MATCH}", ("meetings", SECRET), *OF_A_MATCH), id="a match: no number"),
    pytest.param(Damage("HSET", f"m:{MATCH}", ("reason", b"\xff"), *OF_A_MATCH), id="a match: no text"),
    pytest.param(Damage("SET", f"m:{MATCH}", (SECRET,), *OF_A_MATCH), id="a match: another kind of key"),
    pytest.param(Damage("HSET", f"m:{MATCH}", ("result", '{"mee'), *OF_A_MATCH), id="a result: cut off"),
    pytest.param(Damage("HSET", f"m:{MATCH}", ("result", "[]"), *OF_A_MATCH), id="a result: a list"),
    pytest.param(
        Damage("HSET", f"m:{MATCH}", ("result", '{"meetings":[{"games":[{}]}],"faults":[0,0]}'), *OF_A_MATCH),
        id="a result: an empty game",
    ),
    pytest.param(Damage("HSET", f"t:{CUP}", ("matches", SECRET), *OF_A_CUP), id="a tournament: no number"),
    pytest.param(Damage("HSET", f"t:{CUP}", ("spec", '{"na'), *OF_A_CUP), id="a tournament: cut off"),
    pytest.param(Damage("HSET", f"t:{CUP}", ("spec", "{}"), *OF_A_CUP), id="a tournament: no description"),
    pytest.param(Damage("HSET", f"t:{CUP}", ("state", "odd"), *OF_A_CUP), id="a tournament: an odd state"),
    pytest.param(Damage("HSET", f"t:{CUP}", ("schedule", '{"pace":7}'), *OF_A_CUP), id="a tournament: odd notes"),
    pytest.param(Damage("SET", f"t:{CUP}", (SECRET,), *OF_A_CUP), id="a tournament: another kind of key"),
    pytest.param(Damage("HSET", f"bot:{BOT}", ("owner", b"\xff"), *OF_A_BOT), id="a bot: no text"),
    pytest.param(Damage("HSET", f"bot:{BOT}", ("n", SECRET), *OF_A_BOT), id="a bot: no number"),
    pytest.param(Damage("SET", f"bot:{BOT}", (SECRET,), *OF_A_BOT), id="a bot: another kind of key"),
]
COMMON = [
    pytest.param(Damage("ZADD", f"l:{FORMAT}:rating", (1, b"\xff")), id="a ladder: a bot that is no text"),
    pytest.param(Damage("HSET", f"l:{FORMAT}:stat", ("first@1", SECRET)), id="a ladder: counts that are none"),
    pytest.param(Damage("XADD", f"l:{FORMAT}:log", ("99-0", "op", "odd")), id="a ladder: an odd entry in its log"),
    pytest.param(Damage("HSET", f"l:{FORMAT}:fit", ("text", "{")), id="a ladder: a fit that is cut off"),
    pytest.param(Damage("HSET", "formats", (b"\xff", "x")), id="ladders: a name that is no text"),
    pytest.param(Damage("HSET", "formats", ("odd-2", "x")), id="ladders: one that nobody entered"),
    pytest.param(Damage("HSET", "count", (b"\xff", 1)), id="counters: a name that is no text"),
    pytest.param(Damage("HSET", "count", ("rated_matches_total{}", SECRET)), id="counters: a number that is none"),
    pytest.param(Damage("HSET", "states", ("rated", SECRET)), id="states: a number that is none"),
    pytest.param(Damage("ZADD", "index", (9999, b"\xff")), id="matches: one that is no text"),
    pytest.param(Damage("ZADD", "tournaments", (9999, b"\xff")), id="tournaments: one that is no text"),
    pytest.param(Damage("ZADD", "bots", (0, b"\xff")), id="bots: one that is no text"),
]


async def lists(ladder: Running) -> list[str]:
    """Return what does not answer of what everybody reads, and what says more than it may."""
    wrong = []
    for path in LISTS:
        answer = await ladder.http.get(path)
        if answer.status_code != 200 or SECRET in answer.text:
            wrong.append(f"{path}: {answer.status_code}")
    stub = ladder.stub
    calls = (
        (stub.ListBots, pb.ListBotsRequest()),
        (stub.ListMatches, pb.ListMatchesRequest()),
        (stub.ListStandings, pb.ListStandingsRequest(format=FORMAT)),
        (stub.GetBot, pb.GetBotRequest(name="careful")),
    )
    for call, request in calls:
        try:
            await call(request)
        except grpc.aio.AioRpcError as error:
            wrong.append(f"{type(request).__name__}: {error.code()} {error.details()}")
    if "lastcard_store_up 1.0" not in await scrape(ladder.addresses.metrics):
        wrong.append("metrics")
    return wrong


@pytest.mark.sample(8)
@pytest.mark.parametrize("damage", [*OWN, *COMMON])
async def test_lists_go_without_what_cannot_be_read(ladder: Running, house: House, damage: Damage) -> None:
    """Pages, API, calls and metrics."""
    damage(house)
    assert await lists(ladder) == []


@pytest.mark.sample(5)
@pytest.mark.parametrize("damage", OWN)
async def test_a_page_of_what_cannot_be_read_says_so(ladder: Running, house: House, damage: Damage) -> None:
    """A conflict with its id, and nothing of what stands there; it is named in the log."""
    damage(house)
    with capture_logs() as told:
        page, api = await ladder.http.get(damage.own), await ladder.http.get(f"/api/v1{damage.own}")
    name = damage.own.rpartition("/")[2]
    error = api.json()["error"]
    assert (page.status_code, api.status_code, error["reason"], error["value"]) == (409, 409, damage.reason, name)
    assert f"{name} cannot be read" in page.text
    assert SECRET not in page.text + api.text
    assert [line["damaged"] for line in told if line["event"] == "entry_unreadable"] == [name]
    assert not [line for line in told if line["event"] == "internal error"]


async def test_calls_about_what_cannot_be_read_are_refused(ladder: Running, house: House) -> None:
    """FAILED_PRECONDITION, not INTERNAL."""
    for param in (OWN[0], OWN[-2]):
        (damage,) = param.values
        assert isinstance(damage, Damage)
        damage(house)
    for call, request, said in (
        (ladder.stub.GetMatch, pb.GetMatchRequest(id=MATCH), f"lastcard tournament void {MATCH}"),
        (ladder.stub.GetBot, pb.GetBotRequest(name=BOT), f"bot {BOT} cannot be read"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(request)
        assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert said in str(raised.value.details())
        assert SECRET not in str(raised.value.details())


async def test_a_ladder_that_cannot_be_read_is_not_listed(ladder: Running, house: House) -> None:
    """Its own page says so, and nothing of what stands there."""
    house.store.link.read("HSET", house.store.keys.ladder(FORMAT, "cfg"), "seats", SECRET)
    every, own = await ladder.http.get("/api/v1/ladders"), await ladder.http.get(f"/api/v1/ladders/{FORMAT}")
    assert (every.status_code, every.json()) == (200, {"ladders": []})
    assert (own.status_code, own.json()["error"]["reason"]) == (409, "DAMAGED_LADDER")
    assert SECRET not in own.text


async def test_what_is_mended_is_shown_again(ladder: Running, house: House) -> None:
    """Without a restart."""
    store = house.store
    store.link.read("HSET", store.keys.match(MATCH), "meetings", "x")
    assert MATCH not in (await ladder.http.get("/api/v1/matches")).text
    store.link.read("HSET", store.keys.match(MATCH), "meetings", "5")
    assert MATCH in (await ladder.http.get("/api/v1/matches")).text
    assert (await ladder.http.get(f"/matches/{MATCH}")).status_code == 200


async def test_what_cannot_be_read_is_counted(ladder: Running, house: House) -> None:
    """By kind, what is open before anybody asks for it."""
    store = house.store
    (ready,) = store.matches.open_ids()
    store.link.read("HSET", store.keys.match(ready), "meetings", "x")
    store.link.read("HSET", store.keys.bot(BOT), "n", "x")
    await ladder.http.get("/bots")
    text = await scrape(ladder.addresses.metrics)
    assert 'lastcard_damaged_entries{kind="match"} 1.0' in text
    assert 'lastcard_damaged_entries{kind="bot"} 1.0' in text
    assert 'lastcard_damaged_entries{kind="tournament"} 0.0' in text


async def test_what_stands_beside_ladders_and_bots_is_counted_too(ladder: Running, house: House) -> None:
    """A nightly report, and links of owners; pages are shown without them."""
    store = house.store
    store.link.read("SET", store.keys.ladder(FORMAT, "report"), SECRET)
    store.link.read("HSET", store.keys.kin, store.registry.get(BOT).owner, b"\xff")
    assert (await ladder.http.get(f"/ladders/{FORMAT}")).status_code == 200
    assert BOT in ladder.app.reads.store.registry.find([BOT])
    text = await scrape(ladder.addresses.metrics)
    assert 'lastcard_damaged_entries{kind="report"} 1.0' in text
    assert 'lastcard_damaged_entries{kind="link"} 1.0' in text


async def test_a_match_that_is_void_is_shown_whatever_its_result_was(ladder: Running, house: House) -> None:
    """It counts for nothing, and is no damage any more."""
    store = house.store
    store.link.read("HSET", store.keys.match(MATCH), "result", '{"mee')
    assert MATCH not in (await ladder.http.get("/api/v1/matches")).text
    store.matches.annul(MATCH, "no use", house.tick())
    assert MATCH in (await ladder.http.get("/api/v1/matches")).text
    assert (await ladder.http.get(f"/matches/{MATCH}")).status_code == 200


async def test_a_token_that_cannot_be_read_is_good_for_nothing(ladder: Running, house: House) -> None:
    """Whoever shows it is told what everybody is told whose token is not good; others are heard."""
    store = house.store
    token, other = house.tokens[BOT], house.tokens["careful"]
    keyid = store.registry.authenticate(token).keyid
    store.link.read("HSET", store.keys.token(keyid), "scopes", "odd")
    call = ladder.stub.RotateToken
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(pb.RotateTokenRequest(name=BOT), metadata=(("authorization", f"Bearer {token}"),))
    assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert (await call(pb.RotateTokenRequest(name="careful"), metadata=(("authorization", f"Bearer {other}"),))).token
    store.link.read("HSET", store.keys.token(keyid), "expires_ms", "x")
    good = store.registry.authenticate(other).keyid
    assert store.registry.living([keyid, good]) == {good}
