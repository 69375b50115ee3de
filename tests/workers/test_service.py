"""The TournamentService over real gRPC: what it answers, whom it refuses, and how its errors look on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2, status_pb2

from ladder.errors import InvalidFieldError, NotAllowedError, UnauthenticatedError, WrongStateError
from ladder.rpc.dial import Dial, ladder_of
from ladder.store.rows import MatchState
from ladder.tables import PairResult, Table
from lastcard.v1 import tournament_pb2 as pb
from lastcard.v1 import tournament_pb2_grpc as rpc
from tests.patience import PATIENCE_S
from tests.store.scenes import parked
from tests.workers.house import House, spec
from tests.workers.served import served
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State, Verb
from workers.tournaments.spec import Deals, Kind

pytestmark = pytest.mark.slow


@pytest.fixture
def address(house: House) -> Iterator[str]:
    """Serve the house with three bots."""
    house.enter("alpha", "beta", "gamma")
    with served(house) as where:
        yield where


@pytest.fixture
def organiser(house: House, address: str) -> Iterator[TournamentClient]:
    """Connect with an organiser's token."""
    token = house.store.registry.operator("olga", {"organiser"}, now_ms=house.now_ms)
    with Dial(ladder_of(address), token) as dial:
        yield TournamentClient(dial)


def test_a_tournament_from_plan_to_result(house: House, organiser: TournamentClient) -> None:
    """Plan, create, list, watch, show: each answer fits the one before."""
    wanted = replace(spec("spring", "alpha", "beta", "gamma", meetings=20), schedule_seed=7, kind=Kind.GAUNTLET)
    plan = organiser.plan(wanted)
    assert (plan.summary.matches, plan.summary.games) == (4, 80)
    created = organiser.create(wanted).status
    assert created.spec == replace(wanted, deals=Deals.FRESH)
    assert (created.state, created.plan.summary.matches) == (State.DRAFT, 4)
    again = organiser.create(wanted)
    assert again.existed
    assert again.status.created_ms == created.created_ms
    assert [status.spec.name for status in organiser.list().statuses] == ["spring"]
    watched = organiser.watch("spring")
    assert next(watched).state is State.DRAFT
    house.play("spring")
    states = [status.state for status in watched]
    assert states[-1] is State.FINISHED
    shown = organiser.get("spring")
    assert [row.bot for row in shown.table.standings if row.meetings == 40] == ["alpha@1"]
    assert {(pair.a, pair.b) for pair in shown.table.pairs} == {("alpha@1", "beta@1"), ("alpha@1", "gamma@1")}
    assert shown.eta_s is None


def test_the_deal_seed_is_shown_at_the_end_only(house: House, organiser: TournamentClient) -> None:
    """Its hash is there from the start; the seed itself is a secret until nothing can be gained by it."""
    seed = bytes(range(32))
    created = organiser.create(spec("spring", "alpha", "beta", meetings=1), seed).status
    assert created.deal_seed == b""
    house.play("spring")
    shown = organiser.get("spring")
    assert (shown.deal_seed, shown.commitment) == (seed, created.commitment)


def test_the_verbs(house: House, organiser: TournamentClient) -> None:
    """Pause, resume, void, requeue and cancel, each noted with who and why; what was so already is not."""
    organiser.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    assert organiser.turn("spring", Verb.PAUSE, "lunch").state is State.PAUSED
    assert organiser.turn("spring", Verb.RESUME).state is State.RUNNING
    first, second, third = sorted(house.store.matches.waiting())
    assert organiser.void(first, "wrong deck").match.state == MatchState.VOID
    parked(house.store, second, "strikes", house.now_ms)
    assert organiser.requeue(second, "fixed").state == MatchState.READY
    cancelled = organiser.turn("spring", Verb.CANCEL, "rain")
    assert (cancelled.state, cancelled.matches_lost) == (State.CANCELLED, 3)
    assert organiser.void(third, "late").match.state == MatchState.VOID
    deeds = [(deed.who, deed.verb, deed.target, deed.reason) for deed in house.store.audit.tail(10)]
    assert deeds == [
        ("olga", "cancel", "spring", "rain"),
        ("olga", "requeue", second, "fixed"),
        ("olga", "void", first, "wrong deck"),
        ("olga", "resume", "spring", ""),
        ("olga", "pause", "spring", "lunch"),
        ("olga", "create", "spring", ""),
    ]


def test_a_rated_match_is_void_and_not_played_again_after_the_end(house: House, organiser: TournamentClient) -> None:
    """What moved ratings can be declared void; with the seed of all deals public it cannot be played again."""
    organiser.create(spec("spring", "alpha", "beta"))
    house.play("spring")
    assert organiser.void("spring.1.1.0", "late").match.state == MatchState.VOID
    with pytest.raises(WrongStateError, match="the seed of its deals is public") as refused:
        organiser.requeue("spring.1.1.0")
    assert refused.value.reason == "WRONG_STATE"


def test_reading_needs_no_token_and_writing_does(house: House, address: str) -> None:
    """Without a token, and with a bot's, everything can be read and nothing changed."""
    _, bots_token = house.store.registry.register("delta", "dan", now_ms=house.now_ms)
    for token, refusal in (("", UnauthenticatedError), (bots_token, NotAllowedError)):
        with Dial(ladder_of(address), token) as dial:
            client = TournamentClient(dial)
            assert client.plan(spec("spring", "alpha", "beta")).summary.matches == 1
            assert client.list().statuses == ()
            with pytest.raises(refusal, match="scope 'organiser'"):
                client.create(spec("spring", "alpha", "beta"))
            with pytest.raises(refusal, match="scope 'organiser'"):
                client.turn("spring", Verb.CANCEL)


GOOD = pb.TournamentSpec(name="spring", format=FORMAT, bots=["alpha", "beta"])


def changed(**fields: object) -> pb.TournamentSpec:
    """Return the good description with other fields."""
    message = pb.TournamentSpec()
    message.CopyFrom(GOOD)
    for name, value in fields.items():
        if isinstance(value, list):
            del getattr(message, name)[:]
            getattr(message, name).extend(value)
        elif isinstance(value, Timestamp):
            getattr(message, name).CopyFrom(value)
        else:
            setattr(message, name, value)
    return message


INVALID, UNKNOWN, TAKEN, STATE = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
)


@pytest.mark.parametrize(
    ("method", "request_", "code", "reason", "metadata"),
    [
        pytest.param("Create", changed(name="No"), INVALID, "BAD_NAME", {"field": "name", "value": "No"}, id="name"),
        pytest.param("Create", changed(bots=["alpha"]), INVALID, "BAD_BOTS", {"field": "bots"}, id="one bot"),
        pytest.param(
            "Create",
            changed(bots=["alpha", "nobody"]),
            UNKNOWN,
            "UNKNOWN_BOT",
            {"field": "bots", "value": "nobody"},
            id="bot",
        ),
        pytest.param(
            "Create",
            changed(format="chess"),
            INVALID,
            "UNKNOWN_FORMAT",
            {"field": "format", "value": "chess"},
            id="format",
        ),
        pytest.param(
            "Create", changed(format="uno-classic-4"), INVALID, "BAD_BOTS", {"field": "bots"}, id="four seats"
        ),
        pytest.param(
            "Create",
            changed(meetings=10_001),
            INVALID,
            "OUT_OF_RANGE",
            {"field": "meetings", "allowed": "1 to 10000"},
            id="many",
        ),
        pytest.param("Create", changed(kind=9), INVALID, "BAD_ENUM", {"field": "kind", "value": "9"}, id="kind 9"),
        pytest.param("Create", changed(deals=9), INVALID, "BAD_ENUM", {"field": "deals", "value": "9"}, id="deals 9"),
        pytest.param(
            "Create",
            changed(cron="0 2 * * *", timezone="localtime"),
            INVALID,
            "BAD_TIMEZONE",
            {"field": "timezone", "value": "localtime"},
            id="a zone of this machine",
        ),
        pytest.param("Create", changed(deals=pb.DEALS_FIELD), INVALID, "DEALS", {"field": "deals"}, id="boards"),
        pytest.param(
            "Create",
            changed(deals=pb.DEALS_MIRRORED),
            INVALID,
            "UNTRUSTED",
            {"field": "deals"},
            id="mirrored for strangers",
        ),
        pytest.param("Create", changed(deal_seed=b"short"), INVALID, "BAD_SEED", {"field": "deal_seed"}, id="seed"),
        pytest.param(
            "Create",
            changed(deal_seed=bytes(32), cron="0 2 * * *"),
            INVALID,
            "BAD_SEED",
            {"field": "deal_seed"},
            id="seed again",
        ),
        pytest.param(
            "Create", changed(start=Timestamp(seconds=-5)), INVALID, "BAD_START", {"field": "start"}, id="start"
        ),
        pytest.param("Create", changed(cron="every day"), INVALID, "BAD_CRON", {"field": "cron"}, id="cron"),
        pytest.param(
            "Create",
            changed(cron="0 2 * * *", timezone="Moon"),
            INVALID,
            "BAD_TIMEZONE",
            {"field": "timezone"},
            id="zone",
        ),
        pytest.param("Create", changed(no_nonces=True), INVALID, "NONCES_NEEDED", {"field": "no_nonces"}, id="nonces"),
        pytest.param("Plan", changed(bots=[]), INVALID, "BAD_BOTS", {"field": "bots"}, id="a plan for nobody"),
        pytest.param(
            "Plan", changed(deal_seed=bytes(31)), INVALID, "BAD_SEED", {"field": "deal_seed"}, id="plan a seed"
        ),
        pytest.param(
            "Plan",
            changed(deal_seed=bytes(32), cron="0 2 * * *"),
            INVALID,
            "BAD_SEED",
            {"field": "deal_seed"},
            id="plan a seed again",
        ),
        pytest.param("Create", changed(name="taken", meetings=4), TAKEN, "NAME_TAKEN", {"field": "name"}, id="taken"),
        pytest.param("Get", pb.GetRequest(name="nope"), UNKNOWN, "UNKNOWN_TOURNAMENT", {"value": "nope"}, id="get"),
        pytest.param("Get", pb.GetRequest(name="<b>"), INVALID, "BAD_NAME", {"value": "<b>"}, id="get markup"),
        pytest.param(
            "Watch", pb.WatchRequest(name="nope"), UNKNOWN, "UNKNOWN_TOURNAMENT", {"value": "nope"}, id="watch"
        ),
        pytest.param(
            "List", pb.ListRequest(page_size=1001), INVALID, "OUT_OF_RANGE", {"field": "page_size"}, id="page"
        ),
        pytest.param(
            "List", pb.ListRequest(page_token="x"), INVALID, "BAD_PAGE_TOKEN", {"field": "page_token"}, id="token"
        ),
        pytest.param(
            "List",
            pb.ListRequest(page_token=f"{10**25}.1"),
            INVALID,
            "BAD_PAGE_TOKEN",
            {"field": "page_token"},
            id="a token larger than any",
        ),
        pytest.param(
            "Pause", pb.PauseRequest(name="nope"), UNKNOWN, "UNKNOWN_TOURNAMENT", {"value": "nope"}, id="pause"
        ),
        pytest.param(
            "Resume",
            pb.ResumeRequest(name="rained-off"),
            STATE,
            "WRONG_STATE",
            {"field": "state", "value": "cancelled"},
            id="resume",
        ),
        pytest.param(
            "VoidMatch", pb.VoidMatchRequest(id="a.1.1.0"), INVALID, "REASON_NEEDED", {"field": "reason"}, id="why"
        ),
        pytest.param(
            "VoidMatch",
            pb.VoidMatchRequest(id="a.1.1.0", reason="x"),
            UNKNOWN,
            "UNKNOWN_MATCH",
            {"value": "a.1.1.0"},
            id="void",
        ),
        pytest.param("Requeue", pb.RequeueRequest(id="a b"), INVALID, "BAD_NAME", {"field": "id"}, id="requeue"),
    ],
)
def test_errors(
    house: House,
    address: str,
    method: str,
    request_: pb.TournamentSpec | object,
    code: grpc.StatusCode,
    reason: str,
    metadata: dict[str, str],
) -> None:
    """Each bad request has its status, its reason, and the field, value and what is allowed as metadata."""
    for name in ("taken", "rained-off"):
        house.create(spec(name, "alpha", "beta"))
    house.desk.turn("rained-off", Verb.CANCEL, "", "tester")
    token = house.store.registry.operator("olga", {"admin"}, now_ms=house.now_ms)
    whole = request_
    if isinstance(request_, pb.TournamentSpec):
        whole = pb.PlanRequest(spec=request_) if method == "Plan" else pb.CreateRequest(spec=request_)
    with grpc.insecure_channel(address) as channel:
        call = getattr(rpc.TournamentServiceStub(channel), method)
        authorization = [("authorization", f"Bearer {token}")]
        with pytest.raises(grpc.RpcError) as refused:
            complete(call(whole, metadata=authorization, timeout=PATIENCE_S))
    error = refused.value
    assert isinstance(error, grpc.Call)
    assert error.code() is code, error.details()
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    status = status_pb2.Status.FromString(details)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (info.reason, info.domain) == (reason, "lastcard")
    assert metadata.items() <= dict(info.metadata).items()
    assert status.message == error.details()


def complete(answer: object) -> None:
    """Wait for the end of a call that answers with a stream; others are complete already."""
    if isinstance(answer, Iterator):
        list(answer)


def test_mirrored_deals_among_house_bots(house: House, organiser: TournamentClient) -> None:
    """House bots may share cards; the format becomes the mirrored one, a ladder of its own."""
    house.referee.seat(playing(house.register(["one", "two"], house=True)))
    created = organiser.create(replace(spec("mirror", "one", "two"), deals=Deals.MIRRORED)).status
    assert (created.spec.format, created.spec.deals) == (f"{FORMAT}-mirrored", Deals.MIRRORED)


def test_a_plan_for_whoever_is_online(house: House, organiser: TournamentClient) -> None:
    """`all` is planned for those that are there now; for nobody there is nothing to play."""
    assert organiser.plan(spec("open-house")).summary.matches == 3
    house.referee.seat({})
    assert organiser.plan(spec("open-house")).summary.matches == 0


def test_too_few_bots_for_a_table_are_refused(organiser: TournamentClient) -> None:
    """What cannot be seated is refused at once, not when it begins."""
    with pytest.raises(InvalidFieldError, match="uno-classic-4 has 4 seats"):
        organiser.create(replace(spec("spring", "alpha", "beta"), format="uno-classic-4"))


@pytest.mark.parametrize(
    ("format_name", "bots", "sentence"),
    [
        pytest.param("uno-classic-2", ("alpha+beta", "one+two"), "single bots, without", id="no partners here"),
        pytest.param("uno-pairs-6", ("alpha+beta+one", "two+gamma+delta"), "sides of 2", id="three at once"),
    ],
)
def test_sides_that_do_not_fit_are_refused(
    organiser: TournamentClient, format_name: str, bots: tuple[str, ...], sentence: str
) -> None:
    """A side has as many bots as the partners of a table, or none is named."""
    with pytest.raises(InvalidFieldError, match=sentence) as refused:
        organiser.plan(replace(spec("spring", *bots), format=format_name))
    assert refused.value.reason == "BAD_SIDES"


def test_the_next_times_of_a_cron_line(organiser: TournamentClient) -> None:
    """A repeated tournament says when it runs next."""
    created = organiser.create(replace(spec("nightly", "alpha", "beta"), cron="0 2 * * *")).status
    first, second, third = created.plan.next_starts
    assert second - first == third - second == 86_400_000
    over = organiser.turn("nightly", Verb.CANCEL, "")
    assert (over.state, over.plan.next_starts) == (State.CANCELLED, ())
    assert organiser.get("nightly").plan.next_starts == ()


def test_a_table_of_four_hundred_bots_comes_over_the_wire(house: House) -> None:
    """Its pairs are more than what gRPC takes by default."""
    names = [f"bot-{number:03}@1" for number in range(400)]
    pairs = tuple(PairResult(a, b, 0.25, -190.8, 40.5, 100, 12.5, 37.5) for a, b in combinations(names, 2))
    house.desk = replace(house.desk, table_of=lambda _row: Table(pairs=pairs))
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    with served(house) as where, Dial(ladder_of(where)) as dial:
        client = TournamentClient(dial)
        assert client.get("spring").table.pairs == pairs
        assert next(client.watch("spring")).table.pairs == pairs
