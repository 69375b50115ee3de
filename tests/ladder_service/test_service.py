"""LadderService over a real server and a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message

from ladder.rpc.status import Refusal, decode
from ladder.wire import summary_of
from lastcard.v1 import ladder_pb2 as pb
from referee import formats
from tests.ladder_house import FORMAT, RULESET, House
from tests.ladder_running import Reached, Running

pytestmark = pytest.mark.slow


async def answered(call: Awaitable[object] | AsyncIterator[object]) -> None:
    """Wait for the end of a call of either kind."""
    if isinstance(call, Awaitable):
        await call
    else:
        async for _ in call:
            pass


async def refused(call: Awaitable[object] | AsyncIterator[object]) -> Refusal:
    """Return how a call was refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await answered(call)
    error = caught.value
    return decode(error.code(), error.details() or "", error.trailing_metadata())


async def test_a_registered_bot_gets_a_token_that_speaks_for_it(empty_ladder: Running) -> None:
    """Registration answers with the bot and a token that the registry knows."""
    answer = await empty_ladder.stub.RegisterBot(pb.RegisterBotRequest(name="greedy-two", owner="Ada"))
    identity = empty_ladder.app.store.registry.authenticate(answer.token)
    assert (answer.bot.name, answer.bot.owner, identity.bot) == ("greedy-two", "Ada", "greedy-two")


async def test_the_same_registration_twice_gives_the_same_token(empty_ladder: Running) -> None:
    """A lost answer can be asked for again with the same request id."""
    request = pb.RegisterBotRequest(name="greedy-two", owner="Ada", request_id="one-attempt-0123456789")
    first, again = await empty_ladder.stub.RegisterBot(request), await empty_ladder.stub.RegisterBot(request)
    assert first == again


@pytest.mark.parametrize(
    ("request_", "code", "reason", "field"),
    [
        pytest.param({"name": "Greedy", "owner": "Ada"}, "INVALID_ARGUMENT", "BAD_NAME", "name", id="capital letter"),
        pytest.param({"name": "<b>x</b>", "owner": "Ada"}, "INVALID_ARGUMENT", "BAD_NAME", "name", id="markup"),
        pytest.param({"name": "", "owner": "Ada"}, "INVALID_ARGUMENT", "BAD_NAME", "name", id="no name"),
        pytest.param({"name": "x" * 60_000, "owner": "Ada"}, "INVALID_ARGUMENT", "BAD_NAME", "name", id="huge name"),
        pytest.param({"name": "good-one", "owner": ""}, "INVALID_ARGUMENT", "BAD_OWNER", "owner", id="no owner"),
        pytest.param({"name": "good-one", "owner": "a\nb"}, "INVALID_ARGUMENT", "BAD_OWNER", "owner", id="line break"),
        pytest.param(
            {"name": "good-one", "owner": "x" * 65}, "INVALID_ARGUMENT", "BAD_OWNER", "owner", id="long owner"
        ),
        pytest.param(
            {"name": "good-one", "owner": "Ada", "request_id": "x" * 65},
            *("INVALID_ARGUMENT", "BAD_REQUEST_ID", "request_id"),
            id="long request id",
        ),
        pytest.param(
            {"name": "good-one", "owner": "Ada", "request_id": "short"},
            *("INVALID_ARGUMENT", "BAD_REQUEST_ID", "request_id"),
            id="a request id that can be guessed",
        ),
        pytest.param({"name": "careful", "owner": "Eve"}, "INVALID_ARGUMENT", "BAD_NAME", "name", id="reserved name"),
    ],
)
async def test_a_bad_registration_names_the_field(
    shown: Reached, request_: dict[str, str], code: str, reason: str, field: str
) -> None:
    """Every field is checked, and the error says which one is wrong and what is allowed."""
    refusal = await refused(shown.stub.RegisterBot(pb.RegisterBotRequest(**request_)))
    assert (refusal.code.name, refusal.reason, refusal.field) == (code, reason, field)
    assert refusal.message
    assert len(refusal.value) <= 64


async def test_a_taken_name_is_refused(empty_ladder: Running) -> None:
    """A name belongs to whoever registered it first, also to the eye."""
    await empty_ladder.stub.RegisterBot(pb.RegisterBotRequest(name="paypal", owner="Ada"))
    refusal = await refused(empty_ladder.stub.RegisterBot(pb.RegisterBotRequest(name="paypa1", owner="Eve")))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")


async def test_bots_are_listed_page_by_page(shown: Reached) -> None:
    """Pages follow each other by token and hold each bot once."""
    names: list[str] = []
    token, more = "", True
    while more:
        page = await shown.stub.ListBots(pb.ListBotsRequest(page_size=3, page_token=token))
        names += [bot.name for bot in page.bots]
        token, more = page.next_page_token, bool(page.next_page_token)
    assert names == ["careful", "first", "greedy", "random"]


async def test_a_bot_is_described_with_versions_and_presence(shown: Reached) -> None:
    """A connected bot is online, and its versions are listed."""
    bot = (await shown.stub.GetBot(pb.GetBotRequest(name="careful"))).bot
    assert (bot.owner, bot.online, bot.house, [version.id for version in bot.versions]) == (
        "Ada",
        True,
        True,
        ["careful@1"],
    )
    assert bot.created.seconds > 0


async def test_an_unknown_bot_is_not_found_and_near_ones_are_offered(shown: Reached) -> None:
    """A typing error is answered with what it may have meant."""
    refusal = await refused(shown.stub.GetBot(pb.GetBotRequest(name="carefull")))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BOT")
    assert "careful" in refusal.allowed


async def test_standings_are_those_of_the_store(ladder: Running, house: House) -> None:
    """Ratings, counts and the number of matches are what was applied."""
    answer = await ladder.stub.ListStandings(pb.ListStandingsRequest(format=FORMAT))
    rated = {tally.bot: tally.micro for tally in house.store.ratings.tallies(FORMAT)}
    assert {row.bot: round(row.raw_elo * 1_000_000) for row in answer.standings} == rated
    assert (answer.format, answer.ruleset, answer.seq) == (FORMAT, RULESET, 11)
    assert sum(row.wins - row.losses for row in answer.standings) == 0
    assert not answer.standings[0].HasField("ci95")
    assert answer.standings[0].provisional


async def test_a_page_of_standings_is_the_best(shown: Reached) -> None:
    """A page size cuts the table from below."""
    whole = await shown.stub.ListStandings(pb.ListStandingsRequest(format=FORMAT))
    best = await shown.stub.ListStandings(pb.ListStandingsRequest(format=FORMAT, page_size=2))
    assert list(best.standings) == list(whole.standings)[:2]


async def test_matches_are_listed_newest_first_and_filtered(shown: Reached) -> None:
    """Tournament, bot and state narrow the list."""
    every = await shown.stub.ListMatches(pb.ListMatchesRequest())
    ready = await shown.stub.ListMatches(pb.ListMatchesRequest(state=pb.MATCH_STATE_READY))
    of_bot = await shown.stub.ListMatches(pb.ListMatchesRequest(tournament="spring-cup", bot="random"))
    assert [len(answer.matches) for answer in (every, ready, of_bot)] == [12, 1, 6]
    assert every.matches[0].id == "spring-cup.12.1.1"


async def test_matches_come_page_by_page(shown: Reached) -> None:
    """Pages follow each other by token and hold each match once."""
    ids: list[str] = []
    token, more = "", True
    while more:
        page = await shown.stub.ListMatches(pb.ListMatchesRequest(page_size=5, page_token=token))
        ids += [match.id for match in page.matches]
        token, more = page.next_page_token, bool(page.next_page_token)
    assert len(ids) == len(set(ids)) == 12


async def test_a_finished_match_shows_wins_and_faults(shown: Reached) -> None:
    """What the referee wrote is summed by entrant."""
    match = (await shown.stub.GetMatch(pb.GetMatchRequest(id="spring-cup.2.1.0"))).match
    assert (match.state, match.games_done, sum(match.wins), list(match.faults)) == (
        pb.MATCH_STATE_RATED,
        10,
        10,
        [0, 1],
    )
    assert len(match.commitment) == 32


async def test_a_running_match_shows_no_seed_and_no_cards(ladder: Running, house: House) -> None:
    """What is public of a match has no field that could hold a secret."""
    fields = {field.name for field in pb.Match.DESCRIPTOR.fields}
    assert not fields & {"seed", "deal_seed", "hand", "hands", "cards", "log"}


@pytest.mark.parametrize(
    ("method", "request_", "reason", "field"),
    [
        pytest.param("GetBot", pb.GetBotRequest(name="../x"), "BAD_NAME", "name", id="bot name"),
        pytest.param("GetMatch", pb.GetMatchRequest(id="a b"), "BAD_NAME", "id", id="match id"),
        pytest.param("ListBots", pb.ListBotsRequest(page_size=1001), "OUT_OF_RANGE", "page_size", id="page of bots"),
        pytest.param(
            "ListBots", pb.ListBotsRequest(page_token="x" * 201), "BAD_PAGE_TOKEN", "page_token", id="token of bots"
        ),
        pytest.param("ListStandings", pb.ListStandingsRequest(), "BAD_NAME", "format", id="no format"),
        pytest.param(
            "ListStandings",
            pb.ListStandingsRequest(format=FORMAT, page_size=9999),
            *("OUT_OF_RANGE", "page_size"),
            id="page of standings",
        ),
        pytest.param("ListMatches", pb.ListMatchesRequest(bot="B"), "BAD_NAME", "bot", id="bot of matches"),
        pytest.param(
            "ListMatches", pb.ListMatchesRequest(tournament="-"), "BAD_NAME", "tournament", id="tournament of matches"
        ),
        pytest.param(
            "ListMatches",
            pb.ListMatchesRequest.FromString(b"\x18\x63"),
            *("BAD_ENUM", "state"),
            id="a state that does not exist",
        ),
        pytest.param(
            "ListMatches",
            pb.ListMatchesRequest(page_token="abc"),
            "BAD_PAGE_TOKEN",
            "page_token",
            id="token of matches",
        ),
        pytest.param(
            "ListMatches",
            pb.ListMatchesRequest(page_token=str(10**25)),
            "BAD_PAGE_TOKEN",
            "page_token",
            id="a token larger than any match",
        ),
        pytest.param(
            "ListBots", pb.ListBotsRequest(page_token="Nobody!"), "BAD_PAGE_TOKEN", "page_token", id="token of nobody"
        ),
        pytest.param("WatchStandings", pb.WatchStandingsRequest(format="?"), "BAD_NAME", "format", id="watch a format"),
        pytest.param("WatchMatch", pb.WatchMatchRequest(id=""), "BAD_NAME", "id", id="watch a match"),
    ],
)
async def test_a_bad_field_is_an_invalid_argument(
    shown: Reached, method: str, request_: Message, reason: str, field: str
) -> None:
    """Every field of every request is checked."""
    refusal = await refused(getattr(shown.stub, method)(request_))
    assert (refusal.code, refusal.reason, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, reason, field)


@pytest.mark.parametrize(
    ("method", "request_", "reason"),
    [
        pytest.param("GetMatch", pb.GetMatchRequest(id="nope.1.1.0"), "UNKNOWN_MATCH", id="match"),
        pytest.param("ListStandings", pb.ListStandingsRequest(format="uno-house-4"), "UNKNOWN_FORMAT", id="format"),
        pytest.param("WatchMatch", pb.WatchMatchRequest(id="nope.1.1.0"), "UNKNOWN_MATCH", id="watched match"),
        pytest.param(
            "WatchStandings", pb.WatchStandingsRequest(format="uno-house-4"), "UNKNOWN_FORMAT", id="watched format"
        ),
    ],
)
async def test_an_unknown_name_is_not_found(shown: Reached, method: str, request_: Message, reason: str) -> None:
    """What is not there is NOT_FOUND, with names that are."""
    refusal = await refused(getattr(shown.stub, method)(request_))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, reason)
    assert refusal.allowed


async def test_watched_standings_come_at_once_and_after_a_match(ladder: Running, house: House) -> None:
    """A watcher sees the table now, and again when a match was applied."""
    stream = ladder.stub.WatchStandings(pb.WatchStandingsRequest(format=FORMAT))
    first = await stream.read()
    house.play(house.match("ladder.uno-classic-2.1.1", ["careful@1", "random@1"]))
    second = await stream.read()
    assert (first.seq, second.seq) == (11, 12)
    stream.cancel()


async def test_watched_standings_say_which_weights_take_luck_out(ladder: Running, house: House) -> None:
    """As those that are asked for once do."""
    house.store.link.read("HSET", house.store.keys.formats, FORMAT, formats.get(FORMAT).rules.hash)
    stream = ladder.stub.WatchStandings(pb.WatchStandingsRequest(format=FORMAT))
    watched = await stream.read()
    stream.cancel()
    asked = await ladder.stub.ListStandings(pb.ListStandingsRequest(format=FORMAT))
    assert len(asked.weights) == 1
    assert list(watched.weights) == list(asked.weights)


async def test_a_watched_match_is_followed_to_its_end(ladder: Running, house: House) -> None:
    """A watcher sees each state that lasts, and the stream ends when the match is rated."""
    plan = house.match("ladder.uno-classic-2.1.2", ["careful@1", "random@1"])
    stream = ladder.stub.WatchMatch(pb.WatchMatchRequest(id=plan.id))
    seen = [await stream.read()]
    house.play(plan)
    while (answer := await stream.read()) is not grpc.aio.EOF:
        seen.append(answer)
    assert [summary_of(answer.match).state for answer in seen] == ["ready", "rated"]


async def test_watchers_are_told_when_the_server_stops(ladder: Running) -> None:
    """A stream that is cut by a stop says so, so that the watcher asks again."""
    stream = ladder.stub.WatchStandings(pb.WatchStandingsRequest(format=FORMAT))
    await stream.read()
    await ladder.app.stop()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stream.read()
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
